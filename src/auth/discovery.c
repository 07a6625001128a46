#include "auth/metadata.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Takes the place of the path: origin, well-known part, path. */
static void
add_inserted(
    struct auth_strings *out, const struct auth_url *u, const char *well_known, const char *path)
{
	struct buf url = BUF_INIT;

	auth_url_add_origin(u, &url);
	buf_addf(&url, "/.well-known/%s%s", well_known, path);
	if (u->query && path[0])
		buf_addf(&url, "?%s", u->query);
	if (auth_strings_have(out, buf_text(&url)))
		buf_finish(&url);
	else
		auth_strings_take(out, buf_detach(&url));
}

/* Without the '/' at its end. */
static char *
bare_path(const struct auth_url *u)
{
	size_t len = strlen(u->path);

	while (len > 0 && u->path[len - 1] == '/')
		len--;
	return mem_strndup(u->path, len);
}

void
auth_resource_urls(const char *server_url, const char *given, struct auth_strings *out)
{
	struct auth_url u;

	if (given)
		auth_strings_add(out, given);
	if (!auth_url_parse(&u, server_url, NULL))
		return;
	char *path = bare_path(&u);
	add_inserted(out, &u, "oauth-protected-resource", path);
	add_inserted(out, &u, "oauth-protected-resource", "");
	free(path);
	auth_url_finish(&u);
}

void
auth_server_urls(const char *issuer, struct auth_strings *out)
{
	struct auth_url u;

	if (!auth_url_parse(&u, issuer, NULL))
		return;
	char *path = bare_path(&u);
	add_inserted(out, &u, "oauth-authorization-server", path);
	add_inserted(out, &u, "openid-configuration", path);
	if (path[0]) {
		struct buf url = BUF_INIT;
		auth_url_add_origin(&u, &url);
		buf_addf(&url, "%s/.well-known/openid-configuration", path);
		auth_strings_take(out, buf_detach(&url));
	}
	free(path);
	auth_url_finish(&u);
}

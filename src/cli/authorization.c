#include "cli/authorization.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/secret.h"
#include "subcommands_priv.h"
#include "host/tokens.h"
#include "output_priv.h"

#include <stdlib.h>
#include <string.h>

#define MAX_SECRET ((size_t)64 * 1024)

/* What is kept between two runs. */
static char *
tokens_path(void)
{
	return path_state("tokens.json");
}

static bool
read_text(char **out, const char *path, bool waits, struct err *err)
{
	struct buf text;

	buf_init(&text, MAX_SECRET);
	if (!(waits ? path_read_file(path, &text, err)
		    : path_read_regular(path, &text, NULL, err))) {
		buf_finish(&text);
		return false;
	}
	while (text.len > 0 && strchr("\r\n", text.data[text.len - 1]))
		buf_truncate(&text, text.len - 1);
	*out = buf_detach(&text);
	return true;
}

bool
cli_secret_read(char **out, const char *from, bool waits, struct err *err)
{
	secret_shield_process();
	*out = NULL;
	if (from[0] == '@')
		return read_text(out, from + 1, waits, err);
	if (strncmp(from, "env:", 4) != 0) {
		*out = mem_strdup(from);
		return true;
	}
	const char *value = getenv(from + 4);
	if (!value || !value[0])
		return err_set(err, "the environment has no %s", from + 4);
	*out = mem_strdup(value);
	return true;
}

static bool
take_secret(struct cli_authorization *a, const char *from, struct err *err)
{
	if (!from)
		return true;
	if (from[0] != '@' && strncmp(from, "env:", 4) != 0)
		say("--client-secret: what is typed here can be seen in the list of processes; "
		    "@FILE or env:NAME cannot");
	return cli_secret_read(&a->secret, from, true, err);
}

bool
cli_authorization_init(struct cli_authorization *a, const struct cli_options *o,
    enum authorizer_consent consent, struct err *err)
{
	*a = (struct cli_authorization){ 0 };
	if (!take_secret(a, o->client_secret, err) ||
	    (o->client_key && !read_text(&a->key, o->client_key, true, err))) {
		cli_authorization_finish(a);
		return false;
	}
	a->tokens_path = tokens_path();
	a->options = (struct authorizer_options){
		.flow = { .client_name = "mcpane",
		    .client_id = o->client_id,
		    .client_secret = a->secret,
		    .client_metadata_url = o->client_metadata_url,
		    .scope = o->scope,
		    .client_credentials = o->client_credentials },
		.client_key_pem = a->key,
		.redirect_uri = o->redirect_uri,
		.tokens_path = a->tokens_path,
		.consent = consent,
	};
	if (authorizer_check(&a->options, err))
		return true;
	cli_authorization_finish(a);
	return false;
}

static void
forget(char *secret)
{
	if (secret)
		explicit_bzero(secret, strlen(secret));
	free(secret);
}

void
cli_authorization_finish(struct cli_authorization *a)
{
	forget(a->secret);
	forget(a->key);
	free(a->tokens_path);
	*a = (struct cli_authorization){ 0 };
}

int
cli_logout(const struct cli_options *o)
{
	char *server = auth_canonical_resource(o->url);
	char *path = tokens_path();
	struct err err = { "" };
	bool found = false;
	int code = CLI_EXIT_OK;

	if (!server || !path) {
		say("%s", server ? "there is no folder for what is kept: HOME is not set"
				 : "no such URL");
		code = CLI_EXIT_USAGE;
	} else if (!tokens_forget(path, server, &found, &err) || err.text[0]) {
		say("%s", err.text);
		code = CLI_EXIT_USAGE;
	} else {
		say("%s: %s", server, found ? "its tokens are forgotten" : "nothing was kept");
	}
	free(server);
	free(path);
	return code;
}

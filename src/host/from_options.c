#include "host/from_options.h"

#include "mcp/app_metadata.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/secret.h"
#include "base/vec.h"
#include "host/token_store.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SECRET ((size_t)64 * 1024)

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
auth_settings_read_secret(char **out, const char *from, bool waits, struct err *err)
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
take_secret(struct auth_settings *a, const char *from, struct err *err)
{
	if (!from)
		return true;
	if (from[0] != '@' && strncmp(from, "env:", 4) != 0)
		a->warning = "--client-secret: the process list shows this secret; @FILE or "
			     "env:NAME hide it";
	return auth_settings_read_secret(&a->secret, from, true, err);
}

bool
auth_settings_init(struct auth_settings *a, const struct options *o,
    enum authorizer_consent consent, struct err *err)
{
	*a = (struct auth_settings){ 0 };
	if (!take_secret(a, o->client_secret, err) ||
	    (o->client_key && !read_text(&a->key, o->client_key, true, err))) {
		auth_settings_finish(a);
		return false;
	}
	a->tokens_path = token_store_default_path();
	a->options = (struct authorizer_options){
		.flow = { .client_name = "mcpane",
		    .client_id = o->client_id,
		    .client_secret = a->secret,
		    .client_metadata_url = o->client_metadata_url,
		    .scope = o->scope,
		    .accepts_slash = o->accept_issuer_slash,
		    .client_credentials = o->client_credentials },
		.client_key_pem = a->key,
		.redirect_uri = o->redirect_uri,
		.tokens_path = a->tokens_path,
		.consent = consent,
	};
	if (authorizer_check(&a->options, err))
		return true;
	auth_settings_finish(a);
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
auth_settings_finish(struct auth_settings *a)
{
	forget(a->secret);
	forget(a->key);
	free(a->tokens_path);
	*a = (struct auth_settings){ .warning = a->warning };
}

static int
ladder_ms(int64_t given, int otherwise)
{
	return given < 0 ? otherwise : given > INT_MAX ? INT_MAX : (int)given;
}

/* Extensions that we support; that of apps is the last, because it may be left out. */
static const struct session_extension extensions[] = {
	{ "io.modelcontextprotocol/tasks", NULL },
	{ APPS_EXTENSION, APPS_SETTINGS },
};

/* Servers may offer other tools to a host that does not show apps. */
static bool
shows_apps(const struct options *o)
{
	return o->apps == APPS_ALWAYS ||
	       (o->apps == APPS_AUTO && o->has_app_engine && o->has_app_engine(o->apps_engine));
}

struct connection_options
connection_options_from(const struct options *o)
{
	struct connection_options options = {
		.server = {
			.session = {
				.era = o->era,
				.version = o->protocol,
				.ping_ms = o->ping_ms,
				.client_name = "mcpane",
				.client_version = VERSION,
				.timeout_ms = o->timeout_ms,
				.max_timeout_ms = o->max_timeout_ms,
				.can = { .extensions = extensions,
				    .extension_count =
					ARRAY_LEN(extensions) - !shows_apps(o) },
			},
			.journal_max_bytes = o->journal_max_bytes,
		},
		.ladder = {
			.grace_ms = ladder_ms(o->grace_ms, child_default_ladder.grace_ms),
			.kill_ms = ladder_ms(o->kill_ms, child_default_ladder.kill_ms),
		},
		.max_message_bytes = o->max_message_bytes,
	};

	options_apply_replies(o, &options.server.session.can, &options.server.answers);
	return options;
}

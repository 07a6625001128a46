/* SPDX-License-Identifier: MIT */
#include "host/from_options.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/secret.h"
#include "base/strings.h"
#include "base/vec.h"
#include "host/options.h"
#include "host/stores.h"
#include "mcp/app_metadata.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define REPLY_MAX ((size_t)1 << 20)

static const char *const elicit_actions[] = {
	[ANSWER_DECLINE] = "decline",
	[ANSWER_CANCEL] = "cancel",
	[ANSWER_ACCEPT] = "accept",
	[ANSWER_GUESS] = "guess",
};

/* Returns ANSWER_..., or -1 for any other word. */
static int
action_of(const char *text)
{
	for (int i = 0; i < (int)ARRAY_LEN(elicit_actions); i++)
		if (strcmp(elicit_actions[i], text) == 0)
			return i;
	return -1;
}

bool
options_read_replies(struct options *o, struct err *err)
{
	for (size_t i = 0; i < o->answer.roots.len; i++) {
		const char *given = o->answer.roots.items[i];
		bool is_uri = strncmp(given, "file:", 5) == 0;
		char *path = is_uri ? mem_strdup(given) : realpath(given, NULL);
		struct strings check = { 0 };
		if (!path)
			return err_set(err, "--root %.150s: %s", given, strerror(errno));
		strings_take(&o->answer.root_uris, path);
		bool is_root = roots_add(&check, path, err);
		strings_finish(&check);
		if (!is_root)
			return false;
	}
	const char *elicit = o->answer.elicit, *reply = o->answer.sampling_reply;
	if (elicit && action_of(elicit) < 0) {
		struct json_doc *doc = json_parse(elicit, strlen(elicit), NULL, NULL);
		bool is_object = doc && cJSON_IsObject(json_root(doc));
		json_doc_destroy(doc);
		if (!is_object)
			return err_set(err,
			    "--elicit: \"%.80s\" is neither accept, guess, decline, cancel nor a "
			    "JSON object",
			    elicit);
	}
	struct strings words = { 0 };
	struct err why;
	if (o->answer.sampling_command &&
	    !strings_split_command(&words, o->answer.sampling_command, &why))
		return err_set(err, "--sampling-command: %s", why.text);
	strings_finish(&words);
	struct buf text = { .max = REPLY_MAX };
	bool ok = !reply || reply[0] != '@' || path_read_file(reply + 1, &text, err);
	if (ok && reply)
		o->answer.sampling_text = mem_strdup(reply[0] == '@' ? buf_text(&text) : reply);
	buf_finish(&text);
	return ok;
}

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

bool
auth_settings_init(struct auth_settings *a, const struct options *o,
    enum authorizer_consent consent, struct err *err)
{
	*a = (struct auth_settings){ 0 };
	const char *secret = o->auth.client_secret;
	if (secret && secret[0] != '@' && strncmp(secret, "env:", 4) != 0)
		a->warning = "--client-secret: the process list shows this secret; @FILE or "
			     "env:NAME hide it";
	if ((secret && !auth_settings_read_secret(&a->secret, secret, true, err)) ||
	    (o->auth.client_key && !read_text(&a->key, o->auth.client_key, true, err))) {
		auth_settings_finish(a);
		return false;
	}
	a->tokens_path = path_of(PATH_STATE, TOKEN_STORE_FILE);
	a->options = (struct authorizer_options){
		.flow = { .client_name = "mcpane",
		    .client_id = o->auth.client_id,
		    .client_secret = a->secret,
		    .client_metadata_url = o->auth.client_metadata_url,
		    .scope = o->auth.scope,
		    .accepts_slash = o->auth.accept_issuer_slash,
		    .client_credentials = o->auth.client_credentials },
		.client_key_pem = a->key,
		.redirect_uri = o->auth.redirect_uri,
		.tokens_path = a->tokens_path,
		.consent = consent,
	};
	if (authorizer_check(&a->options, err))
		return true;
	auth_settings_finish(a);
	return false;
}

static void
wipe_secret(char *secret)
{
	if (secret)
		explicit_bzero(secret, strlen(secret));
	free(secret);
}

void
auth_settings_finish(struct auth_settings *a)
{
	wipe_secret(a->secret);
	wipe_secret(a->key);
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

struct connection_options
connection_options_from(const struct options *o)
{
	/* Servers may offer other tools to a host that does not show apps. */
	bool shows_apps = o->connect.apps == APPS_ALWAYS ||
			  (o->connect.apps == APPS_AUTO && o->connect.has_app_engine &&
			      o->connect.has_app_engine(o->connect.apps_engine));
	struct connection_options options = {
		.server = {
			.session = {
				.era = o->connect.era,
				.version = o->connect.protocol,
				.ping_ms = o->connect.ping_ms,
				.client_name = "mcpane",
				.client_version = VERSION,
				.timeout_ms = o->connect.timeout_ms,
				.max_timeout_ms = o->connect.max_timeout_ms,
				.can = { .extensions = extensions,
				    .extension_count =
					ARRAY_LEN(extensions) - !shows_apps },
			},
			.journal_max_bytes = o->connect.journal_max_bytes,
		},
		.ladder = {
			.grace_ms = ladder_ms(o->connect.grace_ms, child_default_ladder.grace_ms),
			.kill_ms = ladder_ms(o->connect.kill_ms, child_default_ladder.kill_ms),
		},
		.max_message_bytes = o->connect.max_message_bytes,
	};

	bool unseen = !o->full_screen;
	bool samples = !unseen || o->answer.sampling_text || o->answer.sampling_command;
	int action = o->answer.elicit ? action_of(o->answer.elicit) : ANSWER_DECLINE;
	struct session_capabilities *can = &options.server.session.can;
	can->elicitation_form = can->elicitation_url = true;
	can->sampling = can->sampling_tools = samples;
	can->roots = !unseen || o->answer.root_uris.len > 0;
	options.server.answers = (struct answer_policy){
		.unseen = unseen,
		.elicit = action < 0 ? ANSWER_ACCEPT : action,
		.content = action < 0 ? o->answer.elicit : NULL,
		.sampling = o->answer.sampling_text,
		.sampling_later = o->answer.sampling_command && !o->answer.sampling_text,
		.roots = (const char *const *)o->answer.root_uris.items,
		.root_count = o->answer.root_uris.len,
	};
	return options;
}

#include "cli/target.h"

#include "answers_priv.h"

#include "base/buf.h"
#include "base/likely.h"
#include "base/mem.h"
#include "host/trust.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void
take_url(struct target *t, const struct cli_options *o)
{
	size_t n = o->headers.len;
	char **headers = mem_zalloc((n + 1) * sizeof(*headers));

	for (size_t i = 0; i < n; i++)
		headers[i] = mem_strdup(o->headers.items[i]);
	target_from_url(t, o->url, headers);
	t->insecure = o->insecure;
}

bool
cli_roster_fill(struct roster *r, const struct cli_options *o, struct err *err)
{
	struct target t = { 0 };

	for (size_t i = 0; i < o->configs.len; i++)
		if (!roster_add_file(r, o->configs.items[i], CHOICE_TYPED, err))
			return false;
	if (o->configs.len > 0)
		return true;
	if (!o->url && !o->command && !o->demo) {
		roster_add_found(r);
		return true;
	}
	if (o->url)
		take_url(&t, o);
	else if (o->command)
		target_from_command(&t, o->command);
	else if (!target_from_demo(&t, err))
		return false;
	roster_take(r, &t, CHOICE_TYPED);
	return true;
}

void
cli_inputs_fill(struct inputs *in, const struct cli_options *o)
{
	for (size_t i = 0; i < o->inputs.len; i++) {
		const char *text = o->inputs.items[i], *equals = strchr(text, '=');
		char *id = mem_strndup(text, (size_t)(equals - text));
		inputs_set(in, NULL, id, equals + 1);
		free(id);
	}
}

/* "a, b, c", as much of it as an error holds. */
static void
add_names(struct buf *out, const struct roster *r)
{
	for (size_t i = 0; i < r->len; i++)
		buf_addf(out, "%s%s", i ? ", " : "", r->items[i].target.name);
}

static bool
say_not_found(const struct roster *r, const char *name, const char *where, struct err *err)
{
	struct likely meant;
	struct buf names = BUF_INIT;

	likely_init(&meant, name, strlen(name));
	for (size_t i = 0; i < r->len; i++)
		likely_try(&meant, r->items[i].target.name);
	add_names(&names, r);
	if (meant.name)
		err_set(err, "no server is called %.60s in %.80s; did you mean %.60s?", name, where,
		    meant.name);
	else
		err_set(err, "no server is called %.60s in %.80s; there are: %s", name, where,
		    buf_text(&names));
	buf_finish(&names);
	return false;
}

/* Why none was chosen. */
static bool
say_names(const struct roster *r, const struct cli_options *o, struct err *err)
{
	const char *where = o->configs.len ? o->configs.items[0] : "the files that are found";
	struct buf names = BUF_INIT;

	if (r->troubles.len > 0)
		return err_set(err, "%s", r->troubles.items[0].why);
	if (r->len == 0)
		return err_set(err,
		    "there is no server: neither .mcp.json nor .vscode/mcp.json is here, "
		    "and none was added");
	if (o->server)
		return say_not_found(r, o->server, where, err);
	add_names(&names, r);
	err_set(err, "%.80s: which server? Give --server NAME, or its number; there are: %s", where,
	    buf_text(&names));
	buf_finish(&names);
	return false;
}

/* What a project's file names was not typed by the user. */
static bool
is_wanted(const struct roster_entry *e, const struct cli_options *o, struct err *err)
{
	char mark[SHA256_HEX];

	if (e->origin != CHOICE_PROJECT || o->trust || e->target.trouble)
		return true;
	trust_mark(&e->target, mark);
	return trust_is_given(mark) ||
	       err_set(err,
		   "%.60s of %.60s was not approved: --trust runs it all the same, the full screen "
		   "asks: %s",
		   e->target.name, e->target.file, e->target.label);
}

/* Nobody is asked: what was not given is as its default says. */
static bool
fill(
    struct cli_target *t, const struct target *target, const struct cli_options *o, struct err *err)
{
	struct inputs in = { 0 };
	const struct target_input *missing;

	cli_inputs_fill(&in, o);
	while ((missing = inputs_missing(&in, target)) && missing->otherwise)
		inputs_set(&in, NULL, missing->id, missing->otherwise);
	bool ok =
	    !missing || err_set(err, "%.60s: the input %.60s has no value: --input %.60s=VALUE",
			    target->name, missing->id, missing->id);
	ok = ok && inputs_fill(&in, &t->run, target, err);
	inputs_finish(&in);
	return ok;
}

bool
cli_target_find(struct cli_target *t, const struct cli_options *o, struct err *err)
{
	struct roster r = { 0 };
	size_t at = SIZE_MAX;

	*t = (struct cli_target){ 0 };
	bool ok = cli_roster_fill(&r, o, err);
	if (ok && o->server)
		at = roster_find(&r, o->server);
	else if (ok && r.len == 1)
		at = 0;
	if (ok && at == SIZE_MAX)
		ok = say_names(&r, o, err);
	ok = ok && is_wanted(&r.items[at], o, err) && fill(t, &r.items[at].target, o, err);
	roster_finish(&r);
	if (ok)
		t->chosen = &t->run;
	return ok;
}

void
cli_target_finish(struct cli_target *t)
{
	target_finish(&t->run);
	t->chosen = NULL;
}

static int
ladder_ms(int64_t given, int otherwise)
{
	return given < 0 ? otherwise : given > INT_MAX ? INT_MAX : (int)given;
}

/* What is understood beyond the core of the protocol. */
static const struct session_extension extensions[] = {
	{ "io.modelcontextprotocol/tasks", NULL },
};

struct connection_options
cli_connection_options(const struct cli_options *o)
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
					sizeof(extensions) / sizeof(*extensions) },
			},
			.journal_max_bytes = o->journal_max_bytes,
		},
		.ladder = {
			.grace_ms = ladder_ms(o->grace_ms, child_default_ladder.grace_ms),
			.kill_ms = ladder_ms(o->kill_ms, child_default_ladder.kill_ms),
		},
		.max_message_bytes = o->max_message_bytes,
	};

	answers_apply(o, &options.server.session.can, &options.server.answers);
	return options;
}

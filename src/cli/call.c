
#include "base/clock.h"
#include "cli/print/print.h"
#include "client.h"
#include "host/history.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PROGRESS_EVERY_US 100000

struct call_command {
	struct client client;    /* first: client_wait() passes only the client */
	const struct options *o;
	const struct call_source *source;
	struct history *history; /* NULL: none */
	uint64_t call;
	char shown[200]; /* the last progress printed */
	int64_t shown_us;
};

static const struct call *
running_call(const struct client *c)
{
	const struct call_command *command = (const struct call_command *)c;

	return server_find_call(client_server(c), command->call);
}

static bool
is_done(const struct client *c)
{
	return running_call(c)->state != CALL_RUNNING;
}

static void
on_progress(void *user)
{
	struct call_command *command = user;
	const struct call *c = command->call ? running_call(&command->client) : NULL;
	int64_t now_us = clock_now_us();
	char text[sizeof(command->shown)];

	if (!c || !c->progress || c->state != CALL_RUNNING ||
	    now_us - command->shown_us < PROGRESS_EVERY_US)
		return;
	snprintf(text, sizeof(text), "%s%s%s%s%s", c->progress, c->progress_total ? " of " : "",
	    c->progress_total ? c->progress_total : "", c->progress_message ? ": " : "",
	    c->progress_message ? c->progress_message : "");
	if (strcmp(text, command->shown) == 0)
		return;
	memcpy(command->shown, text, sizeof(text));
	command->shown_us = now_us;
	say("%s", text);
}

static bool
has_hint(const struct call *c, const char *name)
{
	const cJSON *tool = c->definition ? json_root(c->definition) : NULL;

	return json_is_true(json_get(json_get(tool, "annotations"), name));
}

/* The tool ran until it wanted to send its request, so it is called once more only if that does no
 * harm. An era that the user named stays. */
static bool
can_repeat(const struct call *c, const struct options *o)
{
	return c->wants_legacy && o->era == ERA_AUTO &&
	       (c->kind != PRIMITIVE_TOOL || has_hint(c, "readOnlyHint") ||
		   has_hint(c, "idempotentHint"));
}

static int
repeat_in_legacy(
    struct call_command *command, const struct options *o, const struct call_source *source)
{
	struct client *client = &command->client;

	say("%s; the call is repeated there", call_explain(running_call(client)));
	command->call = 0;
	server_set_era(client_server(client), ERA_LEGACY);
	int code = client_start(client);
	if (code == 0)
		code = client_send_call(client, o, source, &command->call);
	if (code == 0)
		client_wait(client, is_done);
	return code;
}

/* Returns 0 once the call has ended, successfully or not. */
static int
run_call(struct call_command *command, const struct options *o, const struct call_source *source)
{
	struct client *client = &command->client;
	struct server *s = client_server(client);

	int code = client_send_call(client, o, source, &command->call);

	if (code)
		return code;
	command->history = client_open_history(o); /* while the server works */
	client_wait(client, is_done);
	if (is_done(client) && can_repeat(running_call(client), o))
		code = repeat_in_legacy(command, o, source);
	if (code)
		return code;
	if (!is_done(client))
		server_cancel(s, command->call, clock_now_us());
	return client->end_code;
}

/* findings and excerpt are NULL unless the user asked for them. */
static int
report_call(const struct client *client, const struct call *c, const struct options *o,
    const struct result_findings *findings, const struct excerpt *excerpt, struct buf *out,
    bool *safe)
{
	struct buf json = BUF_INIT;
	const char *file = o->kind == PRIMITIVE_RESOURCE && o->raw && !o->json ? "-" : NULL;

	if (o->output)
		file = o->output;
	if (file && c->state == CALL_DONE)
		return result_write(c, file);
	int code = client_call_code(client, c);
	if (excerpt) {
		bool ok = excerpt_print(excerpt, c, o, out, safe);
		return ok || (code != CLI_EXIT_OK && code != CLI_EXIT_BROKEN_RESULT)
			   ? code
			   : CLI_EXIT_USAGE;
	}
	if (o->json) {
		result_add_json(c, findings, &json);
		output_add_json(out, &json, o->raw);
	} else {
		result_add_text(c, output_is_terminal() && !o->raw ? output_columns() : 0, out);
	}
	buf_finish(&json);
	return code;
}

int
client_print_call(struct client *client, const struct call *c, const struct options *o,
    struct buf *out, int *failed)
{
	struct result_findings found = { 0 };
	struct excerpt excerpt = { .failed = false };
	bool safe = o->raw;

	if (o->findings)
		result_find(c, &found);
	bool part = excerpt_take(&excerpt, client, c, o);
	client_let_go(client);
	int code = report_call(
	    client, c, o, o->findings ? &found : NULL, part ? &excerpt : NULL, out, &safe);
	*failed = output_write(out, safe);
	buf_clear(out);
	result_say(c, o->json || !isatty(STDERR_FILENO));
	if (o->findings && !o->json)
		result_say_findings(&found);
	if (code == CLI_EXIT_FORBIDDEN)
		client_say_authorization(client);
	excerpt_finish(&excerpt);
	findings_finish(&found.tool);
	findings_finish(&found.result);
	return code;
}

/* Returns the exit code; *failed: that of the output. */
static int
end_call(struct call_command *command, const struct options *o, struct buf *out, int *failed)
{
	const struct call *c = running_call(&command->client);

	/* before the answer is printed: who has seen it finds it there, whatever happens then */
	if (command->history)
		history_keep(command->history, client_server(&command->client), c);
	int code = client_print_call(&command->client, c, o, out, failed);
	history_destroy(command->history);
	command->history = NULL;
	return code;
}

static bool
may_start(void *user, const struct target *target, struct err *err)
{
	const struct call_command *command = user;

	return consent_to_send(&command->source->environment.sources, target, command->o, err);
}

int
cli_call(const struct options *o)
{
	struct call_command command = { .client = { .user = &command, .may_start = may_start },
		.o = o };
	struct call_source source;
	struct buf out = BUF_INIT;
	struct err err;
	int failed = 0;

	if (!call_source_read(&source, o, &err)) {
		say("%s", err.text);
		call_source_finish(&source);
		return CLI_EXIT_USAGE;
	}
	command.source = &source;
	if (source.kind != PRIMITIVE_RESOURCE)
		command.client.lists = 1u << source.kind;
	if (isatty(STDERR_FILENO))
		command.client.on_change = on_progress;
	int code = client_open(&command.client, o);
	if (code == 0)
		code = run_call(&command, o, &source);
	if (code == 0)
		code = end_call(&command, o, &out, &failed);
	history_destroy(command.history);
	call_source_finish(&source);
	code = client_end(&command.client, o, code, &out);
	return failed ? failed : code;
}

#include "cli/commands.h"

#include "arguments_priv.h"
#include "base/clock.h"
#include "client_priv.h"
#include "output_priv.h"
#include "result_priv.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PROGRESS_EVERY_US 100000
#define NAMES_MAX 200 /* bytes of the tools there are, where one is not */

struct call_command {
	struct client client; /* first: client_wait() knows no more */
	uint64_t call;
	char shown[200]; /* the progress said last */
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

static int
say_unknown(const struct offer_list *list, const char *name)
{
	struct buf names = BUF_INIT;

	for (size_t i = 0; i < list->len && names.len < NAMES_MAX; i++)
		buf_addf(&names, "%s%s", i ? ", " : "", list->items[i].name);
	say("there is no tool %s; there %s: %s%s", name, list->len == 1 ? "is" : "are",
	    list->len ? buf_text(&names) : "none", names.len < NAMES_MAX ? "" : "...");
	buf_finish(&names);
	return CLI_EXIT_TOOL_ERROR;
}

/* Returns 0 once the call has ended, whatever it came to. */
static int
run_call(struct call_command *command, const struct cli_options *o, const struct buf *given)
{
	struct client *client = &command->client;
	struct server *s = client_server(client);
	const struct offer *tool = offer_list_find(&server_tools(s)->list, o->tool, 0);
	struct buf arguments = BUF_INIT;
	struct err err;

	if (!tool)
		return say_unknown(&server_tools(s)->list, o->tool);
	if (tool->barred) {
		say("%s: %s", tool->name, tool->problem);
		return CLI_EXIT_TOOL_ERROR;
	}
	if (!arguments_build(o, given, tool, &arguments, &err)) {
		say("%s", err.text);
		buf_finish(&arguments);
		return CLI_EXIT_USAGE;
	}
	command->call = server_call(s, tool, buf_text(&arguments), arguments.len, clock_now_us());
	buf_finish(&arguments);
	if (!command->call) {
		say("%s: %s", server_label(s), server_trouble(s));
		return CLI_EXIT_UNREACHABLE;
	}
	connection_touch(client->connection);
	client_wait(client, is_done);
	if (!is_done(client))
		server_cancel(s, command->call, clock_now_us());
	return client->signal_number ? 128 + client->signal_number : 0;
}

static int
exit_code(const struct call *c)
{
	if (call_is_error(c))
		return CLI_EXIT_TOOL_ERROR;
	if (c->verdict.kind == VERDICT_INVALID || c->verdict.kind == VERDICT_MISSING)
		return CLI_EXIT_BROKEN_RESULT;
	return CLI_EXIT_OK;
}

static int
report_call(const struct call *c, const struct cli_options *o, struct buf *out)
{
	struct buf json = BUF_INIT;

	if (o->json) {
		result_add_json(c, &json);
		output_add_json(out, &json);
	} else {
		result_add_text(c, output_is_terminal() ? output_columns() : 0, out);
	}
	buf_finish(&json);
	return exit_code(c);
}

int
cli_call(const struct cli_options *o)
{
	struct call_command command = { .client = { .lists = 1u << OFFER_TOOL, .user = &command } };
	struct buf given, out = BUF_INIT;
	struct err err;
	int failed = 0;

	if (!arguments_read(o, &given, &err)) {
		say("%s", err.text);
		buf_finish(&given);
		return CLI_EXIT_USAGE;
	}
	if (isatty(STDERR_FILENO))
		command.client.on_change = on_progress;
	int code = client_open(&command.client, o);
	if (code == 0)
		code = run_call(&command, o, &given);
	if (code == 0) {
		const struct call *c = running_call(&command.client);
		client_let_go(&command.client);
		code = report_call(c, o, &out);
		failed = output_write(&out);
		result_say(c, o->json || !isatty(STDERR_FILENO));
	}
	client_close(&command.client);
	buf_finish(&given);
	buf_finish(&out);
	return failed ? failed : code;
}

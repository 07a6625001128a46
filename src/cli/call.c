
#include "base/clock.h"
#include "base/did_you_mean.h"
#include "base/path.h"
#include "cli/print/print.h"
#include "client.h"
#include "form/form.h"
#include "mcp/invoke.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define ARGUMENTS_MAX_BYTES ((size_t)64 << 20)

static bool
read_text(const char *text, struct buf *given, struct err *err)
{
	if (text[0] != '@') {
		buf_add_str(given, text);
		return true;
	}
	buf_init(given, ARGUMENTS_MAX_BYTES);
	return path_read_file(text + 1, given, err);
}

/* Reads --args, given as text, a file or standard input; leaves `given` empty without --args. */
static bool
arguments_read(const struct options *o, struct buf *given, struct err *err)
{
	struct json_error error;

	*given = (struct buf)BUF_INIT;
	if (!o->args_json)
		return true;
	if (!read_text(o->args_json, given, err))
		return false;
	struct json_doc *doc = json_parse(buf_text(given), given->len, NULL, &error);
	bool is_object = doc && json_type(json_root(doc)) == JSON_OBJECT;
	json_doc_destroy(doc);
	if (!doc)
		return err_set(
		    err, "--args: not JSON, %u:%u: %s", error.line, error.column, error.text);
	if (o->arguments.len > 0 && !is_object)
		return err_set(err, "--args: %s cannot be set: the value is not an object",
		    o->arguments.items[0].path);
	return true;
}

/* The bytes to send: --args unchanged, or --args with every NAME=VALUE and NAME:=JSON applied. */
static bool
arguments_build(const struct options *o, const struct buf *given, const struct primitive *primitive,
    struct buf *out, struct err *err)
{
	if (o->arguments.len == 0 && given->len > 0) { /* unchanged */
		buf_add_str(out, buf_text(given));
		return true;
	}
	struct json_doc *schema = primitive_make_schema(primitive);
	struct form *form =
	    schema ? form_create(schema, json_root(schema), FORM_DEFAULTS_SHOWN)
		   : form_create(primitive->doc, primitive->input_schema, FORM_DEFAULTS_SHOWN);
	const char *base = given->len > 0 ? buf_text(given) : "{}";
	form_load_json(form, base, strlen(base), NULL);
	bool ok = client_set_arguments(form, o, err);
	if (ok && given->len == 0)
		form_fill_required(form);
	if (ok)
		form_to_json(form, out);
	form_destroy(form);
	json_doc_destroy(schema);
	return ok;
}

#define PROGRESS_EVERY_US 100000
#define NAMES_MAX 200 /* bytes of tool names listed in an error */

struct call_command {
	struct client client; /* first: client_wait() passes only the client */
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

static int
say_unknown(struct client *client, const struct lister *lister, const char *name)
{
	const struct primitive_list *list = &lister->list;
	struct buf names = BUF_INIT;
	struct did_you_mean meant;

	did_you_mean_init(&meant, name, strlen(name));
	for (size_t i = 0; i < list->len; i++)
		did_you_mean_try(&meant, list->items[i].name);
	if (meant.name) {
		client_fail(client, "there is no %s %s; did you mean %s?",
		    primitive_kinds[lister->kind].name, name, meant.name);
		return CLI_EXIT_TOOL_ERROR;
	}
	for (size_t i = 0; i < list->len && names.len < NAMES_MAX; i++)
		buf_addf(&names, "%s%s", i ? ", " : "", list->items[i].name);
	client_fail(client, "there is no %s %s; there %s: %s%s", primitive_kinds[lister->kind].name,
	    name, list->len == 1 ? "is" : "are", list->len ? buf_text(&names) : "none",
	    names.len < NAMES_MAX ? "" : "...");
	buf_finish(&names);
	return CLI_EXIT_TOOL_ERROR;
}

/* Sends the request. Returns 0, or the exit code after reporting the failure. */
static int
send_call(struct call_command *command, const struct options *o, const struct buf *given,
    const struct primitive *primitive)
{
	struct server *s = client_server(&command->client);
	struct buf arguments = BUF_INIT;
	struct err err = { "" };
	int code = 0;

	if (!arguments_build(o, given, primitive, &arguments, &err)) {
		client_fail(&command->client, "%s", err.text);
		code = CLI_EXIT_USAGE;
	} else if (!(command->call = server_ask(s, primitive, buf_text(&arguments), arguments.len,
			 clock_now_us(), &err))) {
		client_fail(&command->client, "%s: %s", server_info(s)->label,
		    *server_info(s)->trouble ? server_info(s)->trouble : err.text);
		code = CLI_EXIT_UNREACHABLE;
	}
	buf_finish(&arguments);
	return code;
}

/* A resource can be read without being listed. */
static int
send_read(struct call_command *command, const struct options *o, const struct buf *given)
{
	struct primitive resource = {
		.kind = PRIMITIVE_RESOURCE, .name = o->uri, .key = o->uri, .has_key = true
	};

	return send_call(command, o, given, &resource);
}

static int
send_named(struct call_command *command, const struct options *o, const struct buf *given)
{
	const struct lister *lister = &server_info(client_server(&command->client))->lists[o->kind];
	const struct primitive *primitive = primitive_list_find(&lister->list, o->tool, 0);

	if (!primitive)
		return say_unknown(&command->client, lister, o->tool);
	if (primitive->unusable) {
		client_fail(&command->client, "%s: %s", primitive->name, primitive->problem);
		return CLI_EXIT_TOOL_ERROR;
	}
	return send_call(command, o, given, primitive);
}

/* Returns 0 once the call has ended, successfully or not. */
static int
run_call(struct call_command *command, const struct options *o, const struct buf *given)
{
	struct client *client = &command->client;
	struct server *s = client_server(client);

	if (!client_set_meta(client, o))
		return CLI_EXIT_USAGE;
	int code = (o->kind == PRIMITIVE_RESOURCE ? send_read : send_named)(command, o, given);
	if (code)
		return code;
	client_say_trace(client, o);
	connection_touch(client->connection);
	client_wait(client, is_done);
	if (!is_done(client))
		server_cancel(s, command->call, clock_now_us());
	return client->end_code;
}

static int
exit_code(const struct client *client, const struct call *c)
{
	if (call_is_error(c))
		return client_failure(client, call_is_answered(c));
	if (c->verdict.kind == VERDICT_INVALID || c->verdict.kind == VERDICT_MISSING)
		return CLI_EXIT_BROKEN_RESULT;
	return CLI_EXIT_OK;
}

/* findings and excerpt are NULL unless the user asked for them. */
static int
report_call(const struct call_command *command, const struct options *o,
    const struct result_findings *findings, const struct excerpt *excerpt, struct buf *out,
    bool *safe)
{
	const struct call *c = running_call(&command->client);
	struct buf json = BUF_INIT;
	const char *file = o->kind == PRIMITIVE_RESOURCE && o->raw && !o->json ? "-" : NULL;

	if (o->output)
		file = o->output;
	if (file && c->state == CALL_DONE)
		return result_write(c, file);
	int code = exit_code(&command->client, c);
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

/* Prints everything about the call. Returns the exit code; *failed: that of the output. */
static int
end_call(struct call_command *command, const struct options *o, struct buf *out, int *failed)
{
	const struct call *c = running_call(&command->client);
	struct result_findings found = { 0 };
	struct excerpt excerpt = { .failed = false };
	bool safe = o->raw;

	if (o->findings)
		result_find(c, &found);
	bool part = excerpt_take(&excerpt, &command->client, c, o);
	client_let_go(&command->client);
	int code = report_call(
	    command, o, o->findings ? &found : NULL, part ? &excerpt : NULL, out, &safe);
	*failed = output_write(out, safe);
	buf_clear(out);
	result_say(c, o->json || !isatty(STDERR_FILENO));
	if (o->findings && !o->json)
		result_say_findings(&found);
	if (code == CLI_EXIT_FORBIDDEN)
		client_say_authorization(&command->client);
	excerpt_finish(&excerpt);
	findings_finish(&found.tool);
	findings_finish(&found.result);
	return code;
}

int
cli_call(const struct options *o)
{
	unsigned lists = o->kind == PRIMITIVE_RESOURCE ? 0 : 1u << o->kind;
	struct call_command command = { .client = { .lists = lists, .user = &command } };
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
	if (code == 0)
		code = end_call(&command, o, &out, &failed);
	buf_finish(&given);
	code = client_end(&command.client, o, code, &out);
	return failed ? failed : code;
}

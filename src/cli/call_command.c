/* SPDX-License-Identifier: MIT */
#include "client.h"

#include "base/clock.h"
#include "base/text_match.h"
#include "base/path.h"
#include "cli/print/print.h"
#include "form/form.h"
#include "host/history.h"
#include "host/project.h"
#include "mcp/primitive.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PROGRESS_EVERY_US 100000

struct call_command {
	struct client client; /* first: client_wait() passes only the client */
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
call_is_done(const struct client *c)
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

	return cJSON_IsTrue(json_get(json_get(tool, "annotations"), name));
}

/* The tool ran until it wanted to send its request, so it is called once more only if that does no
 * harm. An era that the user named stays. */
static bool
can_repeat(const struct call *c, const struct options *o)
{
	return c->wants_legacy && o->connect.era == ERA_AUTO &&
	       (c->kind != PRIMITIVE_TOOL || has_hint(c, "readOnlyHint") ||
		   has_hint(c, "idempotentHint"));
}

static int
repeat_in_legacy(struct call_command *command)
{
	struct client *client = &command->client;

	say("%s; the call is repeated there", call_explain(running_call(client)));
	command->call = 0;
	server_set_era(client_server(client), ERA_LEGACY);
	int code = client_start(client);
	if (code == 0)
		code = client_send_call(client, command->o, command->source, &command->call);
	if (code == 0)
		client_wait(client, call_is_done);
	return code;
}

/* Returns 0 once the call has ended, successfully or not. */
static int
run_call(struct call_command *command)
{
	struct client *client = &command->client;
	int code = client_send_call(client, command->o, command->source, &command->call);

	if (code)
		return code;
	command->history = client_open_history(command->o); /* while the server works */
	client_wait(client, call_is_done);
	if (call_is_done(client) && can_repeat(running_call(client), command->o))
		code = repeat_in_legacy(command);
	if (code)
		return code;
	if (!call_is_done(client))
		server_cancel(client_server(client), command->call, clock_now_us());
	return client->end_code;
}

/* findings: NULL unless the user asked for them. */
static void
add_result(const struct call *c, const struct options *o, const struct result_findings *findings,
    struct buf *out)
{
	struct buf json = BUF_INIT;

	if (o->call.json) {
		result_add_json(c, findings, &json);
		output_add_json(out, &json, o->call.raw);
	} else {
		result_add_text(
		    c, output_is_terminal() && !o->call.raw ? output_columns() : 0, out);
	}
	buf_finish(&json);
}

int
client_print_call(struct client *client, const struct call *c, const struct options *o,
    struct buf *out, int *failed)
{
	struct result_findings found = { 0 };
	struct excerpt excerpt = { .failed = false };
	const char *file =
	    o->call.kind == PRIMITIVE_RESOURCE && o->call.raw && !o->call.json ? "-" : NULL;
	bool safe = o->call.raw;

	if (o->call.findings)
		result_find(c, &found);
	if (o->call.output)
		file = o->call.output;
	bool part = excerpt_take(&excerpt, client, c, o);
	client_let_go(client);
	int code = client_call_code(client, c);
	if (file && c->state == CALL_DONE)
		code = result_write(c, file);
	else if (!part)
		add_result(c, o, o->call.findings ? &found : NULL, out);
	else if (!excerpt_print(&excerpt, c, o, out, &safe) &&
		 (code == CLI_EXIT_OK || code == CLI_EXIT_BROKEN_RESULT))
		code = CLI_EXIT_USAGE;
	*failed = output_write(out, safe);
	buf_clear(out);
	result_say(c, o->call.json || !isatty(STDERR_FILENO));
	if (o->call.findings && !o->call.json)
		result_say_findings(&found);
	if (code == CLI_EXIT_FORBIDDEN)
		client_say_authorization(client);
	excerpt_finish(&excerpt);
	findings_finish(&found.tool);
	findings_finish(&found.result);
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
		code = run_call(&command);
	/* before the answer is printed, so that a printed answer is always in the history */
	if (code == 0 && command.history)
		history_keep(
		    command.history, client_server(&command.client), running_call(&command.client));
	if (code == 0)
		code = client_print_call(
		    &command.client, running_call(&command.client), o, &out, &failed);
	history_destroy(command.history);
	call_source_finish(&source);
	code = client_end(&command.client, o, code, &out);
	return failed ? failed : code;
}

/* The call that a command line describes. */

#define ARGUMENTS_MAX_BYTES ((size_t)64 << 20)

static bool
read_given(const struct options *o, struct buf *given, struct err *err)
{
	const char *text = o->call.args_json;
	struct json_error error;

	buf_init(given, *text == '@' ? ARGUMENTS_MAX_BYTES : 0);
	if (*text != '@')
		buf_add_str(given, text);
	else if (!path_read_file(text + 1, given, err))
		return false;
	struct json_doc *doc = json_parse(buf_text(given), given->len, NULL, &error);
	bool is_object = doc && json_type(json_root(doc)) == JSON_OBJECT;
	json_doc_destroy(doc);
	if (!doc)
		return err_set(
		    err, "--args: not JSON, %u:%u: %s", error.line, error.column, error.text);
	if (o->call.arguments.len > 0 && !is_object)
		return err_set(err, "--args: %s cannot be set: the value is not an object",
		    o->call.arguments.items[0].path);
	return true;
}

static bool
say_not_saved(const struct saved_calls *all, const char *name, struct err *err)
{
	struct did_you_mean meant;

	did_you_mean_init(&meant, name, strlen(name));
	for (size_t i = 0; i < all->len; i++)
		did_you_mean_try(&meant, all->items[i].name);
	if (meant.name)
		return err_set(
		    err, "no call is saved as %.80s; did you mean %.80s?", name, meant.name);
	return err_set(err, "no saved call is named %.80s (list them with: mcpane saved)", name);
}

static bool
take_saved(struct call_source *s, const struct options *o, struct err *err)
{
	struct saved_calls all;

	bool ok = project_host.calls(NULL, &all, err);
	struct saved_call *found =
	    ok ? (struct saved_call *)saved_calls_find(&all, o->call.saved) : NULL;
	if (ok && !found)
		ok = say_not_saved(&all, o->call.saved, err);
	else if (ok && found->trouble)
		ok = err_set(err, "%s.json: %s", found->name, found->trouble);
	else if (ok && found->kind != (int)o->call.kind &&
		 !(found->kind == PRIMITIVE_TEMPLATE && o->call.kind == PRIMITIVE_RESOURCE))
		ok = err_set(err, "--saved: %.80s is of the %s %.80s, not of a %s", o->call.saved,
		    primitive_kinds[(enum primitive_kind)found->kind].name, found->key,
		    primitive_kinds[o->call.kind].name);
	if (ok) {
		s->saved = *found;
		*found = (struct saved_call){ 0 };
		s->name = s->saved.key;
		s->kind = (enum primitive_kind)s->saved.kind;
		buf_add_str(&s->given, s->saved.arguments);
	}
	saved_calls_finish(&all);
	return ok;
}

/* A value may come from a file that is read later. */
static void
leave_out(struct call_source *s, const struct options *o)
{
	struct buf text = BUF_INIT;
	bool unknown = false;

	buf_add(&text, buf_text(&s->given), s->given.len);
	for (size_t i = 0; i < o->call.arguments.len; i++) {
		buf_addf(&text, " %s", o->call.arguments.items[i].text);
		unknown = unknown || o->call.arguments.items[i].text[0] == '@';
	}
	if (!unknown)
		environment_leave_out(&s->environment, buf_text(&text), text.len);
	buf_finish(&text);
}

bool
call_source_read(struct call_source *s, const struct options *o, struct err *err)
{
	*s = (struct call_source){ .given = BUF_INIT,
		.name = o->call.kind == PRIMITIVE_RESOURCE ? o->call.uri : o->call.tool,
		.kind = o->call.kind };
	if (o->call.saved && o->call.args_json)
		return err_set(err, "--saved has the arguments: --args does not go with it");
	s->fills = o->call.saved || o->call.environment || o->call.variables.len > 0;
	struct environments all = { 0 };
	bool ok = !s->fills || (project_host.environments(NULL, &all, err) &&
				   project_environment(&all, o->call.environment,
				       &o->call.variables, &s->environment, err));
	environments_finish(&all);
	if (!ok)
		return false;
	if (o->call.saved && !take_saved(s, o, err))
		return false;
	if (o->call.args_json && !read_given(o, &s->given, err))
		return false;
	leave_out(s, o);
	return true;
}

void
call_source_finish(struct call_source *s)
{
	buf_finish(&s->given);
	saved_call_finish(&s->saved);
	environment_finish(&s->environment);
}

/* Find the declared property whose name is most like that of a field. */
static void
find_declared_name(struct did_you_mean *meant, const struct field_view *v)
{
	did_you_mean_init(meant, v->name, strlen(v->name));
	for (size_t i = 0; i < field_view(v->parent).child_count; i++) {
		struct field_view sibling = field_view(field_child(v->parent, i));
		if (!sibling.extra && !sibling.entry)
			did_you_mean_try(meant, sibling.name);
	}
}

/* Arguments that the schema does not declare are sent all the same: they may be the test. */
static void
say_undeclared(struct form *form, const struct options *o, const struct primitive *primitive)
{
	bool is_tool = primitive->kind == PRIMITIVE_TOOL;

	form_check(form);
	for (size_t i = 0; i < o->call.arguments.len; i++) {
		const char *path = o->call.arguments.items[i].path;
		const struct field *field = form_find(form, path);
		struct field_view v = field ? field_view(field) : (struct field_view){ 0 };
		struct did_you_mean meant = { 0 };
		if (v.extra || v.entry)
			find_declared_name(&meant, &v);
		if (v.extra && v.problem && is_tool)
			say("warning: %s violates the inputSchema of %s: %s", path, primitive->name,
			    v.problem);
		else if (v.extra || meant.name)
			say("%s is not in the %s of %s%s", path,
			    is_tool ? "inputSchema" : "list of arguments", primitive->name,
			    did_you_mean_or(&meant, ""));
	}
}

/* The bytes to send: --args unchanged, or --args with every NAME=VALUE and NAME:=JSON applied. */
static bool
arguments_build(const struct options *o, const struct buf *given, const struct primitive *primitive,
    struct buf *out, struct err *err)
{
	if (o->call.arguments.len == 0 && given->len > 0) { /* unchanged */
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
	if (ok) {
		form_to_json(form, out);
		say_undeclared(form, o, primitive);
	}
	form_destroy(form);
	json_doc_destroy(schema);
	return ok;
}

#define NAMES_MAX 200 /* bytes of tool names listed in an error */

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
send_call(struct client *client, const struct options *o, const struct call_source *source,
    const struct primitive *primitive, uint64_t *call)
{
	struct server *s = client_server(client);
	struct buf built = BUF_INIT, filled = BUF_INIT;
	const struct buf *arguments = source->fills ? &filled : &built;
	struct err err = { "" };
	int code = 0;

	if (!arguments_build(o, &source->given, primitive, &built, &err) ||
	    (source->fills && !environment_fill(&source->environment, buf_text(&built), built.len,
				  &filled, &err))) {
		client_fail(client, "%s", err.text);
		code = CLI_EXIT_USAGE;
	} else if (!(*call = server_ask(s, primitive, buf_text(arguments), arguments->len,
			 clock_now_us(), &err))) {
		client_fail(client, "%s: %s", server_info(s)->label,
		    *server_info(s)->trouble ? server_info(s)->trouble : err.text);
		code = CLI_EXIT_UNREACHABLE;
	}
	buf_finish(&built);
	buf_finish(&filled);
	return code;
}

/* A resource can be read without being listed. */
static int
send_read(struct client *client, const struct options *o, const struct call_source *source,
    uint64_t *call)
{
	struct primitive resource = {
		.kind = PRIMITIVE_RESOURCE,
		.name = source->name,
		.key = source->name,
		.has_key = true,
	};

	return send_call(client, o, source, &resource, call);
}

static int
send_named(struct client *client, const struct options *o, const struct call_source *source,
    uint64_t *call)
{
	const struct lister *lister = &server_info(client_server(client))->lists[source->kind];
	const struct primitive *primitive = primitive_list_find(&lister->list, source->name, 0);

	if (!primitive)
		return say_unknown(client, lister, source->name);
	if (primitive->unusable) {
		client_fail(client, "%s: %s", primitive->name, primitive->problem);
		return CLI_EXIT_TOOL_ERROR;
	}
	return send_call(client, o, source, primitive, call);
}

int
client_send_call(struct client *client, const struct options *o, const struct call_source *source,
    uint64_t *call)
{
	if (!client_set_meta(client, o))
		return CLI_EXIT_USAGE;
	int code =
	    (source->kind == PRIMITIVE_RESOURCE ? send_read : send_named)(client, o, source, call);
	if (code)
		return code;
	client_say_trace(client, o);
	connection_touch(client->connection);
	return 0;
}

int
client_call_code(const struct client *client, const struct call *c)
{
	if (call_is_error(c))
		return client_failure(client, call_is_answered(c));
	if (c->verdict.kind == VERDICT_INVALID || c->verdict.kind == VERDICT_MISSING)
		return CLI_EXIT_BROKEN_RESULT;
	return CLI_EXIT_OK;
}

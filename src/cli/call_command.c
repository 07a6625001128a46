/* SPDX-License-Identifier: MIT */
#include "client.h"

#include "base/clock.h"
#include "base/path.h"
#include "base/text_match.h"
#include "base/units.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "cli/print/print.h"
#include "client/lens.h"
#include "form/form.h"
#include "host/history.h"
#include "host/project.h"
#include "host/settings_file.h"
#include "json/query.h"
#include "mcp/primitive.h"
#include "ui/backend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* `mcpane call`, `read` and `get`: a call on a server, kept in the history. */

#define PROGRESS_EVERY_US 100000

struct call_command {
	struct client client;
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

static void
on_told(void *user, const char *text)
{
	bool *told = user;

	say("%s", text);
	if (told)
		*told = true;
}

/* NULL: the options or the user's settings have none. */
static struct history *
open_history(const struct options *o)
{
	struct history_settings settings = { .off = o->screen.no_history };
	struct err err;

	/* a misspelled "history off" must not keep calls */
	if (!settings.off && !history_settings_load(&settings, &err)) {
		say("%s; the call is not kept in the history", err.text);
		return NULL;
	}
	if (settings.off)
		return NULL;
	const struct history_options options = { .brief = true,
		.max_bytes = settings.max_bytes,
		.max_days = settings.max_days,
		.tell = on_told };
	struct history *history = history_create(&options);
	history_host.off(history);
	return history;
}

/* Returns 0 once the call has ended, successfully or not. */
static int
run_call(struct call_command *command)
{
	struct client *client = &command->client;
	int code = client_send_call(client, command->o, command->source, &command->call);

	if (code)
		return code;
	command->history = open_history(command->o); /* while the server works */
	client_wait_answers(client);
	const struct call *c = running_call(client);
	const cJSON *tool = c->definition ? json_root(c->definition) : NULL;
	const cJSON *hints = json_get(tool, "annotations");
	/* The tool ran until it wanted to send its request, so it is called once more only if that
	 * does no harm. An era that the user named stays. */
	if (c->state != CALL_RUNNING && c->wants_legacy && command->o->connect.era == ERA_AUTO &&
	    (c->kind != PRIMITIVE_TOOL || cJSON_IsTrue(json_get(hints, "readOnlyHint")) ||
		cJSON_IsTrue(json_get(hints, "idempotentHint")))) {
		say("%s; the call is repeated there", call_explain(c));
		command->call = 0;
		server_set_era(client_server(client), ERA_LEGACY);
		code = client_start(client);
		if (code == 0)
			code =
			    client_send_call(client, command->o, command->source, &command->call);
		if (code)
			return code;
		client_wait_answers(client);
	}
	if (running_call(client)->state == CALL_RUNNING)
		server_cancel(client_server(client), command->call, clock_now_us());
	return client->end_code;
}

static void
result_find(const struct call *c, struct result_findings *f)
{
	const struct finding_result result = { .call = c, .verdict = &c->verdict };
	struct schema_library *library = schema_library_create();
	struct primitive tool;

	if (c->definition && c->kind == PRIMITIVE_TOOL) {
		primitive_decode(&tool, PRIMITIVE_TOOL, c->definition, json_root(c->definition));
		findings_of_tool(&f->tool, &tool, library);
	}
	schema_library_destroy(library);
	findings_of_result(&f->result, &result);
}

/* Prints a call that has ended, with its verdict, and lets the server go. Needs only the
 * loop of the client. Returns the exit code; *failed: that of the output. */
static int
print_call(struct client *client, const struct call *c, const struct options *o, struct buf *out,
    int *failed)
{
	struct result_findings found = { 0 };
	struct excerpt excerpt = { .failed = false };
	const char *file = o->call.output ? o->call.output
			   : o->call.kind == PRIMITIVE_RESOURCE && o->call.raw && !o->call.json
			       ? "-"
			       : NULL;
	bool safe = o->call.raw;
	struct buf json = BUF_INIT;

	if (o->call.findings)
		result_find(c, &found);
	bool part = excerpt_take(&excerpt, client, c, o);
	client_let_go(client);
	int code = client_call_code(client, c);
	if (file && c->state == CALL_DONE) {
		code = result_write(c, file);
	} else if (!part && o->call.json) {
		result_add_json(c, o->call.findings ? &found : NULL, &json);
		output_take_json(out, &json, o->call.raw);
	} else if (!part) {
		result_add_text(
		    c, output_is_terminal() && !o->call.raw ? output_columns() : 0, out);
	} else if (!excerpt_print(&excerpt, c, o, out, &safe) &&
		   (code == CLI_EXIT_OK || code == CLI_EXIT_BROKEN_RESULT)) {
		code = CLI_EXIT_USAGE;
	}
	*failed = output_write(out, safe);
	buf_clear(out);
	result_say(c, o->call.json || !isatty(STDERR_FILENO));
	if (o->call.findings && !o->call.json) {
		size_t count =
		    found.tool.len + found.tool.rest + found.result.len + found.result.rest;
		say("%zu finding%s", count, plural(count));
		result_say_list(&found.tool, "tool");
		result_say_list(&found.result, "result");
	}
	if (code == CLI_EXIT_FORBIDDEN)
		client_say_authorization(client);
	json_doc_destroy(excerpt.doc);
	buf_finish(&excerpt.drawn);
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
		code = print_call(&command.client, running_call(&command.client), o, &out, &failed);
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
take_saved(struct call_source *s, const struct options *o, struct err *err)
{
	struct saved_calls all;

	bool ok = project_host.calls(NULL, &all, err);
	struct saved_call *found =
	    ok ? (struct saved_call *)saved_calls_find(&all, o->call.saved) : NULL;
	if (ok && !found) {
		struct did_you_mean meant;
		did_you_mean_init(&meant, o->call.saved, strlen(o->call.saved));
		for (size_t i = 0; i < all.len; i++)
			did_you_mean_try(&meant, all.items[i].name);
		ok = meant.name ? err_set(err, "no call is saved as %.80s; did you mean %.80s?",
				      o->call.saved, meant.name)
				: err_set(err,
				      "no saved call is named %.80s (list them with: mcpane saved)",
				      o->call.saved);
	} else if (ok && found->trouble)
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
	/* a value may come from a file that is read later */
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
	return true;
}

void
call_source_finish(struct call_source *s)
{
	buf_finish(&s->given);
	saved_call_finish(&s->saved);
	environment_finish(&s->environment);
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
		struct did_you_mean meant = { 0 }; /* of the declared siblings */
		if (v.extra || v.entry)
			did_you_mean_init(&meant, v.name, strlen(v.name));
		for (size_t k = 0; (v.extra || v.entry) && k < field_view(v.parent).child_count;
		     k++) {
			struct field_view sibling = field_view(field_child(v.parent, k));
			if (!sibling.extra && !sibling.entry)
				did_you_mean_try(&meant, sibling.name);
		}
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

int
client_send_call(struct client *client, const struct options *o, const struct call_source *source,
    uint64_t *call)
{
	/* a resource can be read without being listed */
	const struct primitive resource = {
		.kind = PRIMITIVE_RESOURCE,
		.name = source->name,
		.key = source->name,
		.has_key = true,
	};
	const struct lister *lister = &server_info(client_server(client))->lists[source->kind];
	const struct primitive *primitive = &resource;
	struct server *s = client_server(client);
	struct buf built = BUF_INIT, filled = BUF_INIT;
	const struct buf *arguments = source->fills ? &filled : &built;
	struct err err = { "" };
	int code = 0;

	if (!client_set_meta(client, o))
		return CLI_EXIT_USAGE;
	if (source->kind != PRIMITIVE_RESOURCE)
		primitive = primitive_list_find(&lister->list, source->name, 0);
	if (!primitive)
		return say_unknown(client, lister, source->name);
	if (primitive->unusable) {
		client_fail(client, "%s: %s", primitive->name, primitive->problem);
		return CLI_EXIT_TOOL_ERROR;
	}
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
	} else {
		client_say_trace(client, o);
	}
	buf_finish(&built);
	buf_finish(&filled);
	return code;
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

/* ---- which options go together ---- */

bool
excerpt_check(const struct options *o, struct err *err)
{
	const struct {
		const char *name;
		bool given;
	} ways[] = { { "json", o->call.json }, { "view", o->call.view > 0 },
		{ "format", o->format > 0 }, { "lens", o->call.lens } };
	const char *first = NULL;

	for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
		if (ways[i].given && first)
			return err_set(err,
			    "--%s and --%s exclude each other: each is a way to print the result",
			    first, ways[i].name);
		first = ways[i].given ? ways[i].name : first;
	}
	if (o->call.jq && (o->call.json || o->call.lens))
		return err_set(err, "--%s is about the whole result: it goes without --jq", first);
	if (o->call.jq && strlen(o->call.jq) > QUERY_MAX_EXPRESSION)
		return err_set(
		    err, "--jq: the expression is longer than %zu bytes", QUERY_MAX_EXPRESSION);
	if (o->call.jq && o->call.view == VIEW_OF_CONTENT)
		return err_set(err, "--view content shows no value that --jq could change");
	if (o->call.width > 0 && o->call.view == 0)
		return err_set(err, "--width goes with --view");
	if (o->screen.colors != BACKEND_COLORS_AUTO && o->call.view == 0)
		return err_set(err, "--color goes with --view");
	if (o->call.raw && o->call.view > 0 && o->call.view != VIEW_OF_CONTENT)
		return err_set(err, "--raw goes without --view: a view marks escape sequences");
	for (size_t i = 0; o->call.lens && strcmp(o->call.lens, "all") != 0; i++) {
		if (i == LENS_COUNT)
			return err_set(
			    err, "--lens: unknown lens \"%.80s\"; see mcpane --help", o->call.lens);
		if (strcmp(o->call.lens, lenses[i].name) == 0)
			break;
	}
	return true;
}

/*
 * `mcpane history`: past calls as a table or as JSON, and commands for one of them. No server is
 * started.
 */
enum { TERMINAL_LIMIT = 100, WIDE = 110 };

/* ---- a table of calls ---- */

struct past_printing {
	const struct options *o;
	bool is_json;
	bool is_wide; /* the table has ids and full times */
	struct print_table table;
	size_t limit, seen;
	struct buf text; /* JSON that was not yet written, or a cell */
	int code;        /* of a failed write */
};

static void
past_add_row(struct past_printing *p, const struct history_call *h)
{
	struct print_table *t = &p->table;
	struct buf *text = &p->text, time = BUF_INIT;

	if (t->len == 0) {
		print_columns(t, p->is_wide ? "ID" : "");
		print_columns(t, "TIME|SERVER|NAME|VERDICT|STATE|>MS|ARGUMENTS");
	}
	history_add_time(h, &time);
	if (p->is_wide) {
		buf_addf(text, "%llu", (unsigned long long)h->id);
		print_cell_take(t, text);
	}
	/* "2026-07-28 12:03:41", or "07-28 12:03" as on the screen */
	buf_addf(text, "%.*s", p->is_wide ? 19 : 11, buf_text(&time) + (p->is_wide ? 0 : 5));
	print_cell_take(t, text);
	print_cell(t, h->server);
	print_cell(t, h->uri ? h->uri : h->key);
	print_cell(t, verdict_looks[h->verdict].name);
	print_cell(t, call_state_names[h->state]);
	buf_addf(text, "%.1f", (double)h->took_us / 1000);
	print_cell_take(t, text);
	utf8_add_cut(text, h->arguments, strlen(h->arguments), HISTORY_LIST_MAX);
	print_cell_take(t, text);
	buf_finish(&time);
}

/* JSON is written while it is read. */

static bool
print_past_call(void *user, const struct history_call *h)
{
	enum { AT_ONCE = 1 << 16 };
	struct past_printing *p = user;

	if (p->seen++ >= p->limit)
		return !p->is_json || output_is_terminal(); /* they are counted */
	if (!p->is_json) {
		past_add_row(p, h);
		return true;
	}
	buf_add_str(&p->text, p->seen == 1 ? "" : ",");
	history_add_json(h, p->o->history.replies, &p->text);
	if (!output_is_terminal() && p->text.len >= AT_ONCE)
		p->code = output_write_part(&p->text, p->o->call.raw);
	return p->code == 0;
}

static void
past_print_end(struct past_printing *p)
{
	const struct options *o = p->o;
	struct buf out = BUF_INIT;

	if (!p->is_json) {
		if (!print_table_end(&p->table, &out))
			buf_add_str(&out, o->history.past.len > 0 ? "No call matches."
								  : "No call has been made yet.");
		p->code = output_write(&out, o->call.raw);
	} else {
		buf_add_str(&p->text, "]}\n");
		if (output_is_terminal()) {
			output_take_json(&out, &p->text, o->call.raw);
			p->code = output_write(&out, o->call.raw);
		} else if (p->code == 0) {
			p->code = output_write_part(&p->text, o->call.raw);
		}
	}
	buf_finish(&out);
}

/* 0: it is none. */
static uint64_t
id_of(const char *text)
{
	enum { DIGITS_MAX = 19 };
	size_t len = strspn(text, "0123456789");
	uint64_t id = strtoull(text, NULL, 10);

	return len > 0 && len <= DIGITS_MAX && !text[len] && id <= INT64_MAX ? id : 0;
}

static int
print_calls(struct history *history, const struct options *o)
{
	const struct filter_clock clock = { clock_wall_us(), clock_zone_s() };
	struct past_printing p = { .o = o,
		.is_json = o->call.json || o->history.replies || !output_is_terminal(),
		.is_wide = output_columns() >= WIDE,
		.table = { .width = output_columns(), .last_gives_way = true } };
	struct buf words = BUF_INIT;
	struct filter filter = { 0 };
	struct err err = { "" };

	for (size_t i = 0; i < o->history.past.len; i++)
		buf_addf(&words, "%s%s", i > 0 ? " " : "", o->history.past.items[i]);
	filter_set(&filter, history_words, buf_text(&words), &clock);
	p.table.uncut = p.is_wide ? 2 : 1;
	p.limit = o->history.limit       ? o->history.limit
		  : output_is_terminal() ? TERMINAL_LIMIT
					 : SIZE_MAX;
	buf_add_str(&p.text, p.is_json ? "{\"calls\":[" : "");
	if (filter.wrong.text[0])
		err = filter.wrong;
	else if (history_each(history, &filter, o->history.replies ? HISTORY_WHOLE : HISTORY_ROWS,
		     print_past_call, &p, &err) ||
		 p.seen > 0)
		past_print_end(&p);
	if (err.text[0])
		say("%s", err.text);
	else if (p.seen == 0 && words.len > 0) { /* a subcommand may have been meant */
		const char *id = "ID";
		for (size_t i = 0; i < o->history.past.len; i++)
			if (id_of(o->history.past.items[i]) != 0)
				id = o->history.past.items[i];
		say("searched for: %s; mcpane history show %s prints one call", buf_text(&words),
		    id);
	} else if (p.seen > p.limit && p.code == 0 && output_is_terminal())
		say("the newest %zu of %s: --limit N, --limit all or a search prints others",
		    p.limit, units_count(p.seen).text);
	buf_finish(&p.text);
	buf_finish(&words);
	filter_finish(&filter);
	return err.text[0] ? CLI_EXIT_USAGE : p.code;
}

/* ---- one call ---- */

static const char last_word[] = "last";

static bool
take_id(void *user, const struct history_call *call)
{
	*(uint64_t *)user = call->id;
	return false;
}

static bool
find_call(struct history *history, const char *text, bool whole, struct history_call *h)
{
	const struct filter all = { 0 };
	uint64_t id = id_of(text);
	struct err err = { "" };

	if (strcmp(text, last_word) == 0)
		history_each(history, &all, HISTORY_IDS, take_id, &id, &err);
	if (history_host.find(history, id, whole, h))
		return true;
	say("the history has no call %s", text);
	return false;
}

bool
past_call_add_json(const char *text, struct buf *out, bool *is_id)
{
	struct history_call h;

	*is_id = id_of(text) != 0;
	if (!*is_id)
		return false;
	struct history *history = history_create(&(struct history_options){ .tell = on_told });
	bool ok = find_call(history, text, true, &h);
	if (ok && !h.reply)
		say("the call %s has no reply", text);
	ok = ok && h.reply;
	if (ok)
		history_add_json(&h, true, out);
	history_finish(&h);
	history_destroy(history);
	return ok;
}

static void
send_nothing(void *user, const struct outbound *message)
{
}

/* Prints it as the call did. */
static int
past_show(const struct history_call *h, const struct options *o)
{
	const struct server_options options = { .no_findings = true };
	struct client client = { .loop = NULL };
	struct buf out = BUF_INIT;
	struct err err;
	int code = CLI_EXIT_USAGE, failed = 0;

	client.loop = loop_create(NULL, NULL, &err);
	if (!client.loop) {
		say("%s", err.text);
		return code;
	}
	struct server *s = server_create(h->server, h->label, &options, send_nothing, NULL);
	const struct call *c = server_find_call(s, server_recall(s, h, clock_now_us()));
	code = print_call(&client, c, o, &out, &failed);
	code = client_end(&client, o, code, &out);
	server_destroy(s);
	return failed ? failed : code;
}

const char *const past_verbs[] = { "show", "delete", "pin", "unpin", NULL };

/* The first word of the operands that acts on calls; a search for such a word has it in quotes.
 * NULL: it is a search. */
static const char *
verb_of(const struct options *o)
{
	const char *first = o->history.past.len > 0 ? o->history.past.items[0] : "";

	return words_have(past_verbs, first) ? first : NULL;
}

bool
past_calls_check(const struct options *o, struct err *err)
{
	const char *verb = verb_of(o);
	bool shows = verb && strcmp(verb, "show") == 0;

	if (!shows && (o->call.view || o->format || o->call.lens || o->call.jq || o->call.findings))
		return err_set(err, "history: only show prints one result in another way");
	if (verb && (o->history.limit || o->history.replies))
		return err_set(err, "history %s: --limit and --replies go with a search", verb);
	if (verb && o->history.past.len == 1)
		return err_set(err,
		    "history %s: the id of a call is missing; '\"%s\"' searches for the word", verb,
		    verb);
	if (shows && o->history.past.len > 2)
		return err_set(err, "history show: takes one call; --replies prints several");
	for (size_t i = 1; verb && i < o->history.past.len; i++)
		if (id_of(o->history.past.items[i]) == 0 &&
		    strcmp(o->history.past.items[i], last_word) != 0)
			return err_set(err,
			    "history %s: \"%.80s\" is not the id of a call, as --json prints it, "
			    "nor last",
			    verb, o->history.past.items[i]);
	return excerpt_check(o, err);
}

int
cli_history(const struct options *o)
{
	bool told = false;
	struct history *history =
	    history_create(&(struct history_options){ .tell = on_told, .user = &told });
	const char *verb = verb_of(o);
	bool shows = verb && strcmp(verb, "show") == 0;
	const char *off = history_host.off(history);
	struct history_settings settings = { 0 };
	struct err err;
	int code = CLI_EXIT_USAGE;

	if (!history_settings_load(&settings, &err))
		say("%s; no call is kept in the history until this is corrected", err.text);
	if (off && !told)
		say("%s", off);
	if (!off)
		code = verb ? CLI_EXIT_OK : print_calls(history, o);
	for (size_t i = 1; !off && verb && i < o->history.past.len; i++) {
		struct history_call h;
		int one = CLI_EXIT_OK;
		if (!find_call(history, o->history.past.items[i], shows, &h)) {
			one = CLI_EXIT_USAGE;
		} else if (shows) {
			one = past_show(&h, o);
		} else if (!history_host.change(history, h.id,
			       strcmp(verb, "delete") == 0 ? HISTORY_REMOVE
			       : strcmp(verb, "pin") == 0  ? HISTORY_PIN
							   : HISTORY_UNPIN,
			       NULL, &err)) {
			say("%s", err.text);
			one = CLI_EXIT_USAGE;
		}
		code = one != CLI_EXIT_OK ? one : code;
		history_finish(&h);
	}
	history_destroy(history);
	return code;
}

/* SPDX-License-Identifier: MIT */
#include "print.h"

#include "base/path.h"
#include "base/units.h"
#include "cli/client.h"
#include "cli/command_line.h"
#include "client/call.h"
#include "client/verdict.h"
#include "data/table.h"
#include "data/text_data.h"
#include "json/equal.h"
#include "json/pointer.h"
#include "json/print.h"
#include "json/write.h"
#include "schema/schema.h"
#include "schema/output.h"
#include "view/view.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
result_write_findings(struct json_writer *w, const struct findings *f, const char *about)
{
	for (size_t i = 0; i < f->len; i++) {
		const struct found *finding = &f->items[i];
		json_write_object(w);
		json_write_member_string(w, "id", finding->kind->name);
		json_write_member_string(
		    w, "severity", finding_severities[finding->kind->severity]);
		json_write_member_string(w, "message", finding->text);
		json_write_member_string(w, "about", about);
		json_write_member_string(w, "pointer", finding->pointer);
		json_write_member_string(w, "source", finding->kind->source);
		json_write_member_string(w, "mend", finding->kind->mend);
		json_write_object_end(w);
	}
}

void
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

void
result_add_json(const struct call *c, const struct result_findings *findings, struct buf *out)
{
	struct json_writer w;

	json_write_init(&w, out);
	json_write_object(&w);
	if (c->state == CALL_DONE) {
		json_write_member_value(&w, "result", c->value);
	} else if (c->state == CALL_REFUSED) { /* the server's error object */
		json_write_member_value(&w, "error", c->value);
	} else { /* our failure in the same shape */
		json_write_member_object(&w, "error");
		json_write_member_string(&w, "message", c->error_text);
		json_write_member_object(&w, "data");
		json_write_member_string(&w, "state", call_state_names[c->state]);
		if (c->stderr_tail)
			json_write_member_string(&w, "stderr", c->stderr_tail);
		json_write_object_end(&w);
		json_write_object_end(&w);
	}
	if (c->kind == PRIMITIVE_TOOL) {
		json_write_member_object(&w, "validation");
		json_write_member_string(&w, "status", verdict_looks[c->verdict.kind].name);
		if (c->verdict.kind == VERDICT_SCHEMA_BROKEN)
			output_problem(&w, &c->verdict.problem);
		else
			output_findings(&w, c->verdict.report);
		json_write_object_end(&w);
	}
	if (findings) {
		json_write_member_array(&w, "findings");
		result_write_findings(&w, &findings->tool, "tool");
		result_write_findings(&w, &findings->result, "result");
		json_write_array_end(&w);
	}
	json_write_object_end(&w);
}

#define VIOLATIONS_SAID 20
#define DATA_SAID 400
#define PATH_BYTES 4096 /* bytes of one violation: keys may be long and many */

static void
say_line(struct buf *line)
{
	for (size_t i = 0; i < line->len; i++) /* one line per violation */
		if (line->data[i] == '\n')
			line->data[i] = ' ';
	say_lines(buf_text(line), line->len);
	buf_clear(line);
}

void
result_add_violation(const struct report *r, size_t index, struct buf *out)
{
	struct buf path = { .max = PATH_BYTES };

	report_instance_path(r, index, &path);
	buf_addf(out, "%s%s: %s", path.len > 0 ? buf_text(&path) : "(the whole)",
	    path.overflowed ? "…" : "", report_at(r, index)->warning ? "warning: " : "");
	report_line(r, index, out);
	buf_clear(&path);
	report_schema_path(r, index, &path);
	if (path.len > 0)
		buf_addf(out, " (%s%s)", buf_text(&path), path.overflowed ? "…" : "");
	buf_finish(&path);
}

static void
say_verdict(const struct verdict *v)
{
	struct buf line = BUF_INIT;

	verdict_line(v, &line);
	say("%s", buf_text(&line));
	buf_clear(&line);
	verdict_reason(v, &line);
	if (line.len > 0)
		say_line(&line);
	size_t kept = v->report ? report_facts(v->report)->kept : 0;
	size_t shown = kept < VIOLATIONS_SAID ? kept : VIOLATIONS_SAID;
	size_t all =
	    v->report ? report_facts(v->report)->violations + report_facts(v->report)->warnings : 0;
	for (size_t i = 0; i < shown; i++) {
		result_add_violation(v->report, i, &line);
		say_line(&line);
	}
	if (all > shown) {
		buf_addf(&line, "and %zu more: --json prints up to 10000", all - shown);
		say_line(&line);
	}
	buf_finish(&line);
}

static void
say_help(const struct call *c)
{
	const char *help = call_explain(c);

	if (help)
		say("%s%s", help, c->wants_legacy ? ": try --era legacy" : "");
}

static void
say_failure(const struct call *c)
{
	struct buf data = BUF_INIT;

	call_add_state(c, &data);
	if (c->state == CALL_REFUSED)
		say("%s: %s: %s", call_name(c), buf_text(&data), c->error_text);
	else
		say("%s: %s", call_name(c), c->error_text);
	buf_clear(&data);
	say_help(c);
	if (c->state == CALL_REFUSED && json_get(c->value, "data")) {
		buf_add_str(&data, "data: ");
		json_print_brief(&data, json_get(c->value, "data"), DATA_SAID);
		say_line(&data);
	}
	if (c->stderr_tail)
		client_say_stderr(c->stderr_tail);
	buf_finish(&data);
}

void
result_say_list(const struct findings *f, const char *about)
{
	struct buf line = BUF_INIT;

	for (size_t i = 0; i < f->len; i++) {
		const struct found *finding = &f->items[i];
		buf_addf(&line, "%s %s (%s%s): %s", finding_severities[finding->kind->severity],
		    finding->kind->name, about, finding->pointer, finding->text);
		say_line(&line);
	}
	if (f->rest > 0) {
		buf_addf(&line, "and %zu more about the %s", f->rest, about);
		say_line(&line);
	}
	buf_finish(&line);
}

void
result_say(const struct call *c, bool quiet)
{
	for (size_t i = 0; i < c->server_requests.len; i++)
		say("the server requested: %s", c->server_requests.items[i]);
	if (c->state != CALL_DONE) {
		say_failure(c);
		return;
	}
	if (c->result.problem[0])
		say("%s: %s", call_name(c), c->result.problem);
	if (c->kind != PRIMITIVE_TOOL && c->result.len == 0 && !c->result.problem[0])
		say("%s: empty result", call_name(c));
	for (size_t i = 0; i < c->result.len; i++)
		if (c->result.blocks[i].problem)
			say("%s: content %zu: %s", call_name(c), i, c->result.blocks[i].problem);
	if (c->result.is_error)
		say("%s: the tool reported an error (isError)", call_name(c));
	if (c->result.is_error)
		say_help(c);
	enum verdict_kind verdict = c->verdict.kind;
	bool is_fine = verdict == VERDICT_VALID || verdict == VERDICT_NO_SCHEMA ||
		       verdict == VERDICT_NOT_APPLIED;
	if (c->kind != PRIMITIVE_TOOL || (quiet && is_fine))
		return;
	say_verdict(&c->verdict);
	struct text_claim claim;
	struct buf text = BUF_INIT;
	if (text_claim_find(c, &claim)) /* the outputSchema was meant for a text */
		text_claim_check(&claim, NULL, &text);
	if (text.len > 0)
		say_line(&text);
	buf_clear(&text);
	if (compat_add_lines(c, &text) > 0) {
		say("other clients:");
		say_lines(buf_text(&text), text.len);
	}
	buf_finish(&text);
}

int
result_write(const struct call *c, const char *path)
{
	struct buf bytes = BUF_INIT;
	struct err err = { "" };
	int code = CLI_EXIT_OK;

	for (size_t i = 0; i < c->result.len; i++)
		if (!content_add_bytes(&bytes, &c->result.blocks[i])) {
			say("%s: content %zu: %s", call_name(c), i, c->result.blocks[i].problem);
			code = CLI_EXIT_TOOL_ERROR;
		}
	bool ok = true;
	if (code == CLI_EXIT_OK && strcmp(path, "-") != 0)
		ok = path_write_file(path, buf_text(&bytes), bytes.len, &err);
	else if (code == CLI_EXIT_OK &&
		 (fwrite(buf_text(&bytes), 1, bytes.len, stdout) != bytes.len ||
		     fflush(stdout) != 0))
		ok = err_set(&err, "cannot write: %s", strerror(errno));
	if (!ok) {
		say("%s", err.text);
		code = CLI_EXIT_USAGE;
	}
	buf_finish(&bytes);
	return code;
}

/* ---- a value ---- */

static void
end_line(struct buf *out)
{
	if (out->len > 0 && out->data[out->len - 1] != '\n')
		buf_add_char(out, '\n');
}

/* The state of printing a value. */
struct value_printer {
	struct buf *out;
	struct table_spots spots;
	const cJSON *root_schema;
	int width;
	struct buf path; /* of the current member: "cpu.cores" */
};

static void
add_table(struct value_printer *p, const struct table_spot *spot)
{
	struct print_table printed = { .width = p->width };
	struct buf text = BUF_INIT;
	struct table table;

	table_init(&table, spot, p->root_schema);
	bool is_map = table.kind == TABLE_MAP; /* its keys are the first column */
	if (is_map)
		print_column(&printed, "", false);
	for (size_t i = 0; i < table.columns.len; i++)
		print_column(&printed, table.columns.items[i].name, table.columns.items[i].numeric);
	for (size_t i = 0; i < table.shown; i++) {
		size_t row = table.order[i];
		if (is_map)
			print_cell(&printed, table_row_key(&table, row));
		for (size_t column = 0; column < table.columns.len; column++) {
			if (!table_cell_is_told(&table, row, column))
				view_value_text(table_cell(&table, row, column), &text);
			print_cell_take(&printed, &text);
		}
	}
	print_table_end(&printed, p->out);
	buf_finish(&text);
	if (table.empty)
		buf_addf(p->out, "(+%zu empty: %s)\n", table.empty_count, table.empty);
	if (table.more_columns)
		buf_add_str(p->out, "(and more columns)\n");
	table_finish(&table);
}

/* Arrays of objects or arrays become tables; an array of scalars reads better as JSON. */
static bool
is_rows(const struct table_spot *s)
{
	return s->kind != TABLE_SCALARS && json_count(s->node) > 0;
}

/* True if a table is nested here, which a table of the members would show as JSON. */
static bool
has_tables(const struct value_printer *p, const struct table_spot *around, const char *pointer)
{
	size_t len = strlen(pointer);

	for (size_t i = 0; i < p->spots.len; i++) {
		const struct table_spot *s = &p->spots.items[i];
		if (s != around && is_rows(s) && strncmp(s->pointer, pointer, len) == 0 &&
		    s->pointer[len] == '/')
			return true;
	}
	return false;
}

static void
add_value(struct value_printer *p, const cJSON *value, const char *pointer)
{
	enum { LINE = 80 };
	const struct table_spot *spot = NULL;
	for (size_t i = 0; i < p->spots.len && !spot; i++)
		if (p->spots.items[i].node == value && is_rows(&p->spots.items[i]))
			spot = &p->spots.items[i];
	bool parts = json_type(value) == JSON_OBJECT && has_tables(p, spot, pointer);
	bool titled = p->path.len > 0 && !parts;

	if (titled)
		buf_addf(p->out, "%s:%s", buf_text(&p->path), spot ? "\n" : " ");
	if (!parts && spot) {
		add_table(p, spot);
	} else if (!parts) { /* on the line of its path if it fits */
		struct buf line = BUF_INIT;
		json_print_brief(&line, value, LINE + 8); /* longer if it is cut */
		if (p->path.len > 0 && p->path.len + line.len <= LINE)
			buf_add(p->out, buf_text(&line), line.len);
		else
			json_print_pretty(p->out, value, 2);
		buf_finish(&line);
	}
	end_line(p->out);
	for (const cJSON *m = parts ? json_first(value) : NULL; m; m = m->next) {
		struct buf inner = BUF_INIT;
		size_t len = p->path.len;
		buf_add_str(&inner, pointer);
		json_pointer_add_key(&inner, m->string);
		buf_addf(&p->path, "%s%s", len > 0 ? "." : "", *m->string ? m->string : "\"\"");
		add_value(p, m, buf_text(&inner));
		buf_truncate(&p->path, len);
		buf_finish(&inner);
	}
}

/* schema: NULL for none. */
static void
print_value(const cJSON *value, const cJSON *schema, int width, struct buf *out)
{
	struct value_printer p = { .out = out, .root_schema = schema, .width = width };

	shape_find(&p.spots, value, schema);
	add_value(&p, value, "");
	shape_finish(&p.spots);
	buf_finish(&p.path);
}

/* ---- content ---- */

static void
add_fact(struct buf *out, const char *text)
{
	if (text)
		buf_addf(out, " %s", text);
}

bool
result_add_head(const struct call *c, const struct content_block *b, struct buf *out)
{
	/* text needs no heading unless it is one of several blocks or a message with a role */
	bool needed = b->role                                ? true
		      : c->kind == PRIMITIVE_TOOL || b->data ? b->kind != CONTENT_TEXT
							     : c->result.len > 1;
	if (!needed)
		return false;
	buf_add_char(out, '[');
	if (b->role)
		buf_add_str(out, b->role);
	if (b->kind != CONTENT_TEXT)
		buf_addf(out, "%s%s", b->role ? " " : "", content_kind_names[b->kind]);
	add_fact(out, b->mime);
	add_fact(out, b->uri);
	add_fact(out, b->name);
	if (b->data) {
		buf_add_char(out, ' ');
		units_add_counted(out, b->decoded_bytes, "byte");
	}
	buf_add_str(out, "]\n");
	return true;
}

/* True if block `index` only repeats structuredContent, whole, its only member, or one array
 * item per block: SDKs write it so for clients that ignore structuredContent. */
static bool
is_repeated(const struct call *c, size_t index)
{
	const cJSON *value = c->result.structured, *only = json_first(value);
	const struct content_block *b = &c->result.blocks[index];

	if (!value || c->kind != PRIMITIVE_TOOL || b->kind != CONTENT_TEXT || !b->text)
		return false;
	if (json_type(value) == JSON_OBJECT && only && !only->next && cJSON_GetStringValue(only) &&
	    strcmp(cJSON_GetStringValue(only), b->text) == 0)
		return true;
	struct json_doc *doc = json_parse(b->text, b->text_len, NULL, NULL);
	const cJSON *said = doc ? json_root(doc) : NULL;
	bool repeated = json_first(said) && json_equal(said, value);
	if (!repeated && json_first(said) && json_type(value) == JSON_OBJECT && !only->next) {
		value = only;
		repeated = json_equal(said, value);
	}
	if (!repeated && json_first(said) && json_count(value) == c->result.len &&
	    json_type(value) == JSON_ARRAY) {
		const cJSON *item = json_first(value);
		for (size_t i = 0; item && i < index; i++)
			item = item->next;
		repeated = json_equal(said, item);
	}
	json_doc_destroy(doc);
	return repeated;
}

/* On a terminal: data that a tool has only in a text, which is often one long line there. */
static bool
add_as_data(struct buf *out, const struct call *c, size_t index, int width)
{
	const struct content_block *b = &c->result.blocks[index];
	struct json_doc *doc = NULL;

	if (width == 0 || c->kind != PRIMITIVE_TOOL || c->result.structured ||
	    b->kind != CONTENT_TEXT || !b->text || !text_data_begins_json(b->text, b->text_len))
		return false;
	enum text_data_kind kind = text_data_read(b->text, b->text_len, NULL, &doc, NULL);
	if (!doc)
		return false;
	buf_addf(out, "[text block %zu as %s]\n", index + 1, text_data_names[kind]);
	print_value(json_root(doc), NULL, width, out);
	json_doc_destroy(doc);
	return true;
}

void
result_add_content(const struct call *c, int width, bool all, struct buf *out)
{
	static const char *const members[PRIMITIVE_KINDS] = { "content", "contents", "contents",
		"messages", "contents" };
	const struct result *r = &c->result;

	for (size_t i = 0; i < r->len;) {
		size_t to = i; /* the blocks before it repeat structuredContent */
		while (!all && to < r->len && is_repeated(c, to))
			to++;
		if (to == i + 1)
			buf_addf(out, "[text block %zu repeats structuredContent]\n", to);
		else if (to > i)
			buf_addf(
			    out, "[text blocks %zu to %zu repeat structuredContent]\n", i + 1, to);
		else if (!add_as_data(out, c, i, width)) {
			const struct content_block *b = &r->blocks[i];
			if (b->kind == CONTENT_UNKNOWN)
				json_print(out, b->block);
			else
				result_add_head(c, b, out);
			if (b->text && b->kind != CONTENT_UNKNOWN)
				content_add_text(out, b->text, b->text_len);
			end_line(out);
		}
		i = to > i ? to : i + 1;
	}
	if (r->content != JSON_ARRAY && r->content != JSON_ABSENT) { /* malformed, but shown */
		json_print(out, json_get(r->value, members[c->kind]));
		buf_add_char(out, '\n');
	}
}

void
result_add_text(const struct call *c, int width, struct buf *out)
{
	if (c->state != CALL_DONE)
		return;
	result_add_content(c, width, false, out);
	if (c->kind != PRIMITIVE_TOOL || !c->result.structured)
		return;
	if (out->len > 0)
		buf_add_char(out, '\n');
	struct json_doc *doc = NULL;
	struct buf pointer = BUF_INIT;
	/* on a terminal: data that is all of structuredContent, in a string */
	const cJSON *string = width > 0 ? call_wrapped_text(c, &pointer) : NULL;
	if (string)
		text_data_read(cJSON_GetStringValue(string), strlen(cJSON_GetStringValue(string)),
		    NULL, &doc, NULL);
	if (doc)
		buf_addf(out, "[JSON in structuredContent%s]\n", buf_text(&pointer));
	print_value(
	    doc ? json_root(doc) : c->result.structured, doc ? NULL : c->output_schema, width, out);
	buf_finish(&pointer);
	json_doc_destroy(doc);
}

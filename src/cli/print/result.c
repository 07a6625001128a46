/* SPDX-License-Identifier: MIT */
#include "print.h"

#include "base/path.h"
#include "base/units.h"
#include "base/vec.h"
#include "cli/client.h"
#include "cli/command_line.h"
#include "client/call.h"
#include "client/lens.h"
#include "client/verdict.h"
#include "data/table.h"
#include "data/table_export.h"
#include "data/text_data.h"
#include "host/confined.h"
#include "host/media_decoder.h"
#include "json/equal.h"
#include "json/pointer.h"
#include "json/print.h"
#include "json/write.h"
#include "schema/output.h"
#include "schema/schema.h"
#include "ui/backend.h"
#include "ui/paint.h"
#include "ui/surface.h"
#include "ui/wrap.h"
#include "view/meant.h"
#include "view/view.h"
#include "view/views.h"

#include <errno.h>
#include <stdio.h>
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

static void
add_result_value(struct value_printer *p, const cJSON *value, const char *pointer)
{
	enum { LINE = 80 };
	const struct table_spot *spot = NULL;
	bool is_object = json_type(value) == JSON_OBJECT, parts = false;
	size_t pointer_len = strlen(pointer);

	for (size_t i = 0; i < p->spots.len; i++) {
		const struct table_spot *s = &p->spots.items[i];
		if (s->kind == TABLE_SCALARS || json_count(s->node) == 0)
			continue; /* an array of scalars reads better as JSON */
		if (s->node == value && !spot)
			spot = s;
		/* a table of the members would show a nested table as JSON */
		parts |= is_object && strncmp(s->pointer, pointer, pointer_len) == 0 &&
			 s->pointer[pointer_len] == '/';
	}
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
	if (p->out->len > 0 && p->out->data[p->out->len - 1] != '\n')
		buf_add_char(p->out, '\n');
	for (const cJSON *m = parts ? json_first(value) : NULL; m; m = m->next) {
		struct buf inner = BUF_INIT;
		size_t len = p->path.len;
		buf_add_str(&inner, pointer);
		json_pointer_add_key(&inner, m->string);
		buf_addf(&p->path, "%s%s", len > 0 ? "." : "", *m->string ? m->string : "\"\"");
		add_result_value(p, m, buf_text(&inner));
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
	add_result_value(&p, value, "");
	shape_finish(&p.spots);
	buf_finish(&p.path);
}

/* ---- content ---- */

/* "[image image/png 68 bytes]"; false: the text of the block needs no such line. */
static bool
result_add_head(const struct call *c, const struct content_block *b, struct buf *out)
{
	const char *const facts[] = { b->mime, b->uri, b->name };
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
	for (size_t i = 0; i < ARRAY_LEN(facts); i++)
		if (facts[i])
			buf_addf(out, " %s", facts[i]);
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

/* width: of the terminal; 0: as the model gets it. all: also blocks that repeat structuredContent.
 */
static void
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
			if (out->len > 0 && out->data[out->len - 1] != '\n')
				buf_add_char(out, '\n');
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

/* ---- --view content ---- */

/* Rows of a text drawn at once. */
#define ROWS_A_GRID 500
/* A result may have half a million blocks; further images are one line. */
#define PICTURES_MAX 64
#define PICTURE_ROWS 24
#define PICTURE_LIMIT_MS 10000

/* Content as rows of text. */
struct paper {
	int columns, colors;
	struct buf *out;
	struct client *client;
	struct confined *confined; /* NULL: no image came yet */
	size_t pictures;
};

/* ---- texts ---- */

enum look { LOOK_TEXT, LOOK_HEAD, LOOK_JSON, LOOK_RICH, LOOK_PICTURE };

/* of: a struct rich or picture for that look, else a struct wrap. */
static void
paper_add_rows(struct paper *p, size_t count, enum look look, void *of)
{
	for (size_t top = 0; top < count; top += ROWS_A_GRID) {
		struct grid grid;
		size_t rows = count - top < ROWS_A_GRID ? count - top : ROWS_A_GRID;
		grid_init(&grid, p->columns, (int)rows);
		struct surface s = surface_whole(&grid);
		if (look == LOOK_RICH)
			rich_draw(of, s, top, 0);
		else if (look == LOOK_PICTURE)
			half_blocks_draw(of, s, (int)top);
		else if (look == LOOK_JSON)
			view_json_rows(of, s, top);
		else
			wrap_draw(of, s, style_of(look == LOOK_HEAD ? ROLE_DIM : ROLE_TEXT), top);
		output_add_surface(p->out, s, p->colors);
		grid_finish(&grid);
	}
}

static void
add_wrapped(struct paper *p, const char *text, size_t len, enum look look)
{
	struct wrap wrap = { 0 };

	wrap_set(&wrap, text, len, p->columns);
	wrap_work(&wrap, SIZE_MAX, SIZE_MAX);
	paper_add_rows(p, wrap.known, look, &wrap);
	wrap_finish(&wrap);
}

static void
add_result_text(struct paper *p, const struct content_block *b)
{
	enum meant_kind kind = meant_kind_of(b->mime, b->text, b->text_len);
	const struct meant_look *look = &meant_looks[kind];
	bool hides = kind != MEANT_PLAIN && look->may_hide && b->text_len <= MEANT_MAX &&
		     look->may_hide(b->text, b->text_len);
	struct buf json = BUF_INIT;
	struct rich rich;
	struct err err = { "" };

	if (kind == MEANT_PLAIN && meant_format_json(b->text, b->text_len, &json)) {
		add_wrapped(p, buf_text(&json), json.len, LOOK_JSON);
	} else if (kind != MEANT_PLAIN && !hides &&
		   look->lay_out(b->text, b->text_len, p->columns, NULL, &rich, &err)) {
		paper_add_rows(p, rich.rows.len, LOOK_RICH, &rich);
		rich_finish(&rich);
	} else { /* as it came */
		if (err.text[0])
			say("%s", err.text);
		add_wrapped(p, b->text, b->text_len, LOOK_TEXT);
	}
	buf_finish(&json);
}

/* ---- images ---- */

struct waited {
	struct picture_job job; /* first */
	bool done;
};

static void
paper_on_done(struct picture_job *job)
{
	((struct waited *)job)->done = true;
}

static void
add_picture(struct paper *p, const struct content_block *b)
{
	struct waited w = { .job = { .base64 = b->data,
				.len = b->data_len,
				.most = p->columns < 480 ? p->columns : 480,
				.done = paper_on_done } };
	struct client *client = p->client;
	struct picture shown = { 0 };
	int width, height, cols, rows;

	if (!p->confined)
		p->confined = confined_create(client->loop, "/proc/self/exe", PICTURE_LIMIT_MS);
	w.done = !decoder_submit(p->confined, &w.job);
	while (!w.done && !client->end_code && !loop_trouble(client->loop))
		loop_turn(client->loop, -1);
	if (!w.done) { /* a signal came: it ends the job */
		confined_destroy(p->confined);
		p->confined = NULL;
	}
	if (w.job.trouble.text[0])
		add_wrapped(p, w.job.trouble.text, strlen(w.job.trouble.text), LOOK_HEAD);
	if (!w.job.picture.rgba)
		return;
	picture_fit(&w.job.picture, p->columns, 2 * PICTURE_ROWS, &width, &height);
	picture_reduce(&w.job.picture, width, height, &shown);
	half_blocks_size(&shown, p->columns, PICTURE_ROWS, &cols, &rows);
	paper_add_rows(p, (size_t)rows, LOOK_PICTURE, &shown);
	picture_finish(&w.job.picture);
	picture_finish(&shown);
}

/* Draws the content as the screen does, with nothing that a terminal interprets but colors:
 * Markdown and ANSI text laid out, JSON formatted, images in cells. Runs on the client's loop,
 * because other processes decode the images. */
static void
draw_content(struct client *client, const struct call *c, int columns, int colors, struct buf *out)
{
	struct paper p = { .columns = columns, .colors = colors, .out = out, .client = client };
	const struct result *r = &c->result;
	struct buf text = BUF_INIT;

	for (size_t i = 0; i < r->len && !client->end_code; i++) {
		const struct content_block *b = &r->blocks[i];
		bool is_image = b->data && (b->kind == CONTENT_IMAGE ||
					       (b->mime && strncmp(b->mime, "image/", 6) == 0));
		if (b->kind == CONTENT_UNKNOWN) {
			json_print_pretty(&text, b->block, 2);
			add_wrapped(&p, buf_text(&text), text.len, LOOK_JSON);
		} else if (result_add_head(c, b, &text)) {
			add_wrapped(&p, buf_text(&text), text.len, LOOK_HEAD);
		}
		buf_clear(&text);
		if (b->text)
			add_result_text(&p, b);
		else if (is_image && p.pictures++ < PICTURES_MAX)
			add_picture(&p, b);
	}
	confined_destroy(p.confined);
	if (r->content != JSON_ARRAY && r->content != JSON_ABSENT) { /* malformed, but shown */
		result_add_content(c, 0, true, &text);
		add_wrapped(&p, buf_text(&text), text.len, LOOK_TEXT);
	}
	buf_finish(&text);
}

/* ---- the excerpt: its value ---- */

/* structuredContent may be nothing but a string with the data. jq and JSON output get it as it
 * came. */
static bool
find_wrapped(struct excerpt *e, const struct call *c, const struct options *o)
{
	bool is_json = o->format == CALL_FORMAT_JSON || o->format == CALL_FORMAT_JSONL;
	struct buf pointer = BUF_INIT;

	const cJSON *string = o->call.jq || is_json ? NULL : call_wrapped_text(c, &pointer);
	enum text_data_kind kind =
	    string ? text_data_read(cJSON_GetStringValue(string),
			 strlen(cJSON_GetStringValue(string)), NULL, &e->doc, NULL)
		   : TEXT_DATA_NONE;
	if (e->doc) {
		say("structuredContent is only a string: this is structuredContent%s as %s",
		    buf_text(&pointer), text_data_names[kind]);
		e->in = (struct view_input){ .value = json_root(e->doc), .docs = { e->doc } };
	}
	buf_finish(&pointer);
	return e->doc != NULL;
}

static void
find_value(struct excerpt *e, const struct call *c, const struct options *o)
{
	struct call_data data = { .kind = TEXT_DATA_NONE };
	struct buf text = BUF_INIT;

	if (c->result.structured && find_wrapped(e, c, o))
		return;
	if (c->result.structured)
		e->in = (struct view_input){ .value = c->result.structured,
			.schema = c->verdict.schema ? c->output_schema : NULL,
			.docs = { c->doc, c->definition },
			.report = c->verdict.report };
	else
		call_data_read(&data, c, SIZE_MAX);
	if (data.kind != TEXT_DATA_NONE) {
		say("no structuredContent; this is text block %zu as %s", data.block + 1,
		    text_data_names[data.kind]);
		e->doc = json_doc_ref(data.doc);
		e->in.value = data.value;
		e->in.docs[0] = e->doc;
	}
	call_data_finish(&data);
	e->failed = !e->in.value;
	if (e->failed)
		say("there is no structuredContent, and no text is JSON, JSON Lines, CSV or a "
		    "Markdown table: --view content prints the text");
	if (e->failed && c->result.is_error) { /* the text says what went wrong */
		result_add_content(c, 0, true, &text);
		say_lines(buf_text(&text), text.len);
	}
	buf_finish(&text);
}

/* ---- jq ---- */

struct query_asked {
	struct query_job job; /* first */
	bool done;
};

static void
on_done(struct query_job *job)
{
	((struct query_asked *)job)->done = true;
}

static void
run_query(struct excerpt *e, struct client *client, const char *expression)
{
	struct query_asked asked = { .job = { .expression = expression, .done = on_done } };
	struct json_error error;
	struct json_doc *doc = NULL;
	struct confined *confined = confined_create(client->loop, "/proc/self/exe", 0);

	buf_init(&asked.job.value, QUERY_MAX_BYTES);
	json_print(&asked.job.value, e->in.value);
	if (asked.job.value.overflowed) {
		buf_finish(&asked.job.value);
		err_set(
		    &asked.job.answer.trouble, "a value of more than 64 MiB is too large for jq");
		asked.job.answer.at = QUERY_NOWHERE;
		asked.done = true;
	} else {
		asked.done = !query_submit(confined, &asked.job);
	}
	while (!asked.done && !client->end_code && !loop_trouble(client->loop))
		loop_turn(client->loop, -1);
	confined_destroy(confined); /* ends the job if a signal came first */
	const struct query_answer *answer = &asked.job.answer;
	if (answer->trouble.text[0])
		say(answer->at == QUERY_NOWHERE ? "--jq: %s" : "--jq: %s (at character %zu)",
		    answer->trouble.text, answer->at + 1);
	e->failed = answer->trouble.text[0] != '\0';
	if (answer->more)
		say("--jq: there are more results than the first %zu", answer->count);
	if (answer->text.len > 0)
		doc = json_parse(buf_text(&answer->text), answer->text.len, NULL, &error);
	if (answer->text.len > 0 && !doc) {
		say("--jq: its result cannot be shown: %s", error.text);
		e->failed = true;
	}
	json_doc_destroy(e->doc);
	e->doc = doc;
	e->results = doc ? json_root(doc) : NULL;
	/* several results, none too, are an array */
	e->in =
	    (struct view_input){ .value = answer->count == 1 ? json_first(e->results) : e->results,
		    .docs = { doc, NULL } };
	query_answer_finish(&asked.job.answer);
}

bool
excerpt_take(
    struct excerpt *e, struct client *client, const struct call *c, const struct options *o)
{
	int columns = o->call.width > 0 ? (int)o->call.width : output_columns();
	bool of_value =
	    o->call.jq || o->format > 0 || (o->call.view > 0 && o->call.view != VIEW_OF_CONTENT);

	if (c->state != CALL_DONE || (!of_value && o->call.view == 0 && !o->call.lens))
		return false;
	if (of_value)
		find_value(e, c, o);
	else if (o->call.view == VIEW_OF_CONTENT && !o->call.raw)
		draw_content(client, c, columns, output_colors(o->screen.colors), &e->drawn);
	if (o->call.jq && e->in.value)
		run_query(e, client, o->call.jq);
	return true;
}

/* ---- printing ---- */

static bool
add_formatted(const struct excerpt *e, int format, bool raw, struct buf *out)
{
	static const char *const names[] = { [CALL_FORMAT_JSON] = "json",
		[CALL_FORMAT_JSONL] = "jsonl",
		[CALL_FORMAT_CSV] = "csv",
		[CALL_FORMAT_TSV] = "tsv",
		[CALL_FORMAT_MARKDOWN] = "markdown" };
	bool is_json = format == CALL_FORMAT_JSON || format == CALL_FORMAT_JSONL;
	struct buf text = BUF_INIT;
	struct err err = { "" };

	bool ok = export_write(e->in.value, e->in.schema, names[format], NULL, &text, &err);
	if (!ok)
		say("--format %s: the value is neither array nor object: --format json prints it",
		    names[format]);
	else if (is_json)
		output_add_lines(out, &text, raw);
	else
		buf_add(out, buf_text(&text), text.len);
	buf_finish(&text);
	return ok;
}

/* ---- a view on paper ---- */

/* Cells of the grid: 25 000 rows of 80 columns. */
#define CELLS_MAX 2000000
/* Beside the view, for the air and the border of a frame, which are not printed. */
#define MARGIN 2

/* Draws all rows up to CELLS_MAX, and reports rows that were cut. */
static bool
add_view(const struct excerpt *e, const struct options *o, struct buf *out, bool *safe)
{
	enum view_id view = (enum view_id)(o->call.view - 1);
	int columns = o->call.width > 0 ? (int)o->call.width : output_columns();
	int colors = output_colors(o->screen.colors);
	const struct view_env env = { .printed = true };
	struct views views = { .printed = true };
	struct buf where = BUF_INIT, facts = BUF_INIT;
	struct grid grid;

	if (view_serves(value_views[view], &e->in) == 0) {
		say("the value cannot be shown by --view %s: --view tree shows any",
		    value_views[view]->title);
		return false;
	}
	views_init(&views);
	views_set_input(&views, e->in);
	views_show(&views, view);
	int rows = view_want(views.view, &env, columns), most = CELLS_MAX / (columns + 2 * MARGIN);
	grid_init(&grid, columns + 2 * MARGIN, rows < most ? rows : most);
	struct surface inner = surface_sub(surface_whole(&grid), MARGIN, 0, columns, grid.height);
	view_draw(views.view, &env, inner);
	output_add_surface(out, inner, colors);
	while (out->len > 1 && out->data[out->len - 1] == '\n' && out->data[out->len - 2] == '\n')
		buf_truncate(out, out->len - 1);
	/* "table · 3 × 30 · columns 1–9 of 30" */
	view_heading(views.view, &env, &where, &facts);
	say("%s%s%s", buf_text(&where), where.len > 0 ? ": " : "", buf_text(&facts));
	buf_finish(&where);
	buf_finish(&facts);
	if (rows > most)
		say("these are the first %d lines of %d: --json and --format print all", most,
		    rows);
	grid_finish(&grid);
	views_finish(&views);
	*safe = colors != PAINT_MONO;
	return true;
}

/* ---- lenses ---- */

static void
add_all_lenses(const struct lens_view views[LENS_COUNT], struct buf *out)
{
	struct print_table table = { .width = output_is_terminal() ? output_columns() : 0,
		.last_gives_way = true };
	struct buf number = BUF_INIT;

	print_columns(&table, "lens|>bytes|>tokens|failed|lost");
	for (size_t i = 0; i < LENS_COUNT; i++) {
		print_cell(&table, lenses[i].name);
		buf_addf(&number, "%zu", views[i].bytes);
		print_cell_take(&table, &number);
		buf_addf(&number, "%zu", views[i].tokens);
		print_cell_take(&table, &number);
		print_cell(&table, views[i].failed ? "yes" : "no");
		print_cell(&table, buf_text(&views[i].lost));
	}
	print_table_end(&table, out);
	buf_finish(&number);
}

static void
add_lenses(const struct call *c, const char *name, struct buf *out)
{
	struct lens_view views[LENS_COUNT];
	struct lens_input in = { .result = c->result,
		.verdict = c->verdict.kind,
		.tool = c->key,
		.arguments = c->arguments };

	lens_read_tool(&in, c->definition ? json_root(c->definition) : NULL);
	lens_look(views, &in, NULL);
	if (strcmp(name, "all") == 0)
		add_all_lenses(views, out);
	for (size_t i = 0; i < LENS_COUNT; i++) {
		const struct lens_view *v = &views[i];
		if (strcmp(name, lenses[i].name) != 0)
			continue;
		buf_add(out, buf_text(&v->text), v->text.len);
		say("%s: %s", lenses[i].title, lenses[i].rule);
		say("%s bytes, about %s tokens%s%s%s%s", units_count(v->bytes).text,
		    units_count(v->tokens).text, v->media > 0 ? ", and media of unknown cost" : "",
		    v->lost.len > 0 ? "; does not reach the model: " : "", buf_text(&v->lost),
		    v->failed ? "; the call looks failed" : "");
		if (v->bytes > v->text.len && v->text.len >= LENS_TEXT_MAX / 2)
			say("only the first %s of these bytes are printed",
			    units_count(v->text.len).text);
	}
	lens_views_finish(views);
}

bool
excerpt_print(const struct excerpt *e, const struct call *c, const struct options *o,
    struct buf *out, bool *safe)
{
	bool ok = !e->failed;

	if (o->call.lens) {
		add_lenses(c, o->call.lens, out);
	} else if (o->call.view == VIEW_OF_CONTENT && o->call.raw) {
		result_add_content(c, 0, true, out);
	} else if (o->call.view == VIEW_OF_CONTENT) {
		buf_add(out, buf_text(&e->drawn), e->drawn.len);
		*safe = output_colors(o->screen.colors) != PAINT_MONO;
	} else if (!e->in.value) {
		return false;
	} else if (o->call.view > 0) {
		ok &= add_view(e, o, out, safe);
	} else if (o->format > 0) {
		ok &= add_formatted(e, o->format, o->call.raw, out);
	} else { /* each result of jq as JSON, as jq does */
		for (const cJSON *result = json_first(e->results); result; result = result->next) {
			struct buf json = BUF_INIT;
			json_print(&json, result);
			output_take_json(out, &json, o->call.raw);
			buf_add_char(out, '\n');
		}
	}
	return ok;
}

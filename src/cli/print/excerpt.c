/* SPDX-License-Identifier: MIT */
#include "print.h"

#include "base/units.h"
#include "base/vec.h"
#include "cli/client.h"
#include "client/lens.h"
#include "data/table_export.h"
#include "host/confined.h"
#include "host/media_decoder.h"
#include "json/print.h"
#include "ui/backend.h"
#include "ui/surface.h"
#include "ui/paint.h"
#include "ui/wrap.h"
#include "view/meant.h"
#include "view/view.h"
#include "view/views.h"

#include <stdlib.h>
#include <string.h>

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

/* Rows `from` to `end` of what draw() knows. */
static void
paper_add_rows(
    struct paper *p, size_t count, void (*draw)(void *of, struct surface s, size_t top), void *of)
{
	for (size_t top = 0; top < count; top += ROWS_A_GRID) {
		struct grid grid;
		size_t rows = count - top < ROWS_A_GRID ? count - top : ROWS_A_GRID;
		grid_init(&grid, p->columns, (int)rows);
		draw(of, surface_whole(&grid), top);
		output_add_surface(p->out, surface_whole(&grid), p->colors);
		grid_finish(&grid);
	}
}

static void
draw_rich(void *of, struct surface s, size_t top)
{
	rich_draw(of, s, top, 0);
}

static void
draw_wrap(void *of, struct surface s, size_t top)
{
	wrap_draw(of, s, style_of(ROLE_TEXT), top);
}

static void
draw_head(void *of, struct surface s, size_t top)
{
	wrap_draw(of, s, style_of(ROLE_DIM), top);
}

static void
draw_json(void *of, struct surface s, size_t top)
{
	view_json_rows(of, s, top);
}

static void
add_wrapped(struct paper *p, const char *text, size_t len,
    void (*draw)(void *of, struct surface s, size_t top))
{
	struct wrap wrap;

	wrap_init(&wrap);
	wrap_set(&wrap, text, len, p->columns);
	wrap_work(&wrap, SIZE_MAX, SIZE_MAX);
	paper_add_rows(p, wrap.known, draw, &wrap);
	wrap_finish(&wrap);
}

static void
add_text(struct paper *p, const struct content_block *b)
{
	enum meant_kind kind = meant_kind_of(b->mime, b->text, b->text_len);
	const struct meant_look *look = &meant_looks[kind];
	bool hides = kind != MEANT_PLAIN && look->may_hide && b->text_len <= MEANT_MAX &&
		     look->may_hide(b->text, b->text_len);
	struct buf json = BUF_INIT;
	struct rich rich;
	struct err err = { "" };

	if (kind == MEANT_PLAIN && meant_format_json(b->text, b->text_len, &json)) {
		add_wrapped(p, buf_text(&json), json.len, draw_json);
	} else if (kind != MEANT_PLAIN && !hides &&
		   look->lay_out(b->text, b->text_len, p->columns, NULL, &rich, &err)) {
		paper_add_rows(p, rich.rows.len, draw_rich, &rich);
		rich_finish(&rich);
	} else { /* as it came */
		if (err.text[0])
			say("%s", err.text);
		add_wrapped(p, b->text, b->text_len, draw_wrap);
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
draw_picture(void *of, struct surface s, size_t top)
{
	half_blocks_draw(of, s, (int)top);
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
		add_wrapped(p, w.job.trouble.text, strlen(w.job.trouble.text), draw_head);
	if (!w.job.picture.rgba)
		return;
	picture_fit(&w.job.picture, p->columns, 2 * PICTURE_ROWS, &width, &height);
	picture_reduce(&w.job.picture, width, height, &shown);
	half_blocks_size(&shown, p->columns, PICTURE_ROWS, &cols, &rows);
	paper_add_rows(p, (size_t)rows, draw_picture, &shown);
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
			add_wrapped(&p, buf_text(&text), text.len, draw_json);
		} else if (result_add_head(c, b, &text)) {
			add_wrapped(&p, buf_text(&text), text.len, draw_head);
		}
		buf_clear(&text);
		if (b->text)
			add_text(&p, b);
		else if (is_image && p.pictures++ < PICTURES_MAX)
			add_picture(&p, b);
	}
	confined_destroy(p.confined);
	if (r->content != JSON_ARRAY && r->content != JSON_ABSENT) { /* malformed, but shown */
		result_add_content(c, 0, true, &text);
		add_wrapped(&p, buf_text(&text), text.len, draw_wrap);
	}
	buf_finish(&text);
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

/* ---- the value ---- */

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

static int
drawn_columns(const struct options *o)
{
	return o->call.width > 0 ? (int)o->call.width : output_columns();
}

bool
excerpt_take(
    struct excerpt *e, struct client *client, const struct call *c, const struct options *o)
{
	bool of_value =
	    o->call.jq || o->format > 0 || (o->call.view > 0 && o->call.view != VIEW_OF_CONTENT);

	if (c->state != CALL_DONE || (!of_value && o->call.view == 0 && !o->call.lens))
		return false;
	if (of_value)
		find_value(e, c, o);
	else if (o->call.view == VIEW_OF_CONTENT && !o->call.raw)
		draw_content(
		    client, c, drawn_columns(o), output_colors(o->screen.colors), &e->drawn);
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
	int colors = output_colors(o->screen.colors), columns = drawn_columns(o);
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

	print_columns(&table, "lens");
	print_column(&table, "bytes", true);
	print_column(&table, "tokens", true);
	print_columns(&table, "failed|lost");
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

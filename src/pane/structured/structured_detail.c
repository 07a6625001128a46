#include "base/glyph.h"
#include "base/mem.h"
#include "base/units.h"
#include "data/shape.h"
#include "json/pointer.h"
#include "json/print.h"
#include "json/rows.h"
#include "pane/pane.h"
#include "pane/pane_text.h"
#include "structured.h"
#include "view/view.h"

#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 4
#define ROWS_MAX 200
#define KEY_COLS_MAX 32

static bool
is_required(const cJSON *schema, const char *key)
{
	for (const cJSON *r = json_first(json_get(schema, "required")); r; r = r->next)
		if (json_string(r) && strcmp(json_string(r), key) == 0)
			return true;
	return false;
}

struct outline {
	const cJSON *root;
	struct page *page;
	int rows;
};

/* The name and its type; a long description continues below. */
static void
add_member(struct outline *o, const char *key, const cJSON *schema, bool required, int depth)
{
	struct buf name = BUF_INIT, text = BUF_INIT;
	const char *description = json_get_string(schema, "description");

	buf_addf(&name, "%*s", 2 * depth, "");
	label_add(&name, key);
	shape_add_type(o->root, schema, &text);
	buf_addf(&text, "%s%s", required ? "" : ", optional", description ? " · " : "");
	if (description)
		label_add(&text, description);
	int indent = (int)glyph_columns(buf_text(&name), name.len) + 2;
	if (indent > KEY_COLS_MAX) {
		page_mark_row(o->page, KEY_COLS_MAX, ROLE_KEY_NAME, buf_text(&name), ROLE_DIM, "");
		page_text(o->page, 2 * depth + 2, ROLE_DIM, buf_text(&text));
	} else {
		page_mark_row(
		    o->page, indent, ROLE_KEY_NAME, buf_text(&name), ROLE_DIM, buf_text(&text));
	}
	buf_finish(&name);
	buf_finish(&text);
	o->rows++;
}

static void
add_members(struct outline *o, const cJSON *schema, int depth)
{
	/* arrays of arrays of objects; items may refer to the array that they are in */
	for (int i = 0; i < DEPTH_MAX && !json_get(schema, "properties"); i++) {
		const cJSON *items = shape_schema_items(o->root, schema);
		schema = items ? items : schema;
	}
	if (depth > DEPTH_MAX)
		return;
	for (const cJSON *p = json_first(json_get(schema, "properties")); p; p = p->next) {
		if (o->rows >= ROWS_MAX)
			return;
		const cJSON *member = shape_schema_member(o->root, schema, p->string);
		add_member(o, p->string, member, is_required(schema, p->string), depth);
		add_members(o, member, depth + 1);
	}
}

static void
promise_write(struct page *page, const cJSON *output_schema)
{
	struct outline o = { .root = output_schema, .page = page };
	struct buf text = BUF_INIT;

	buf_add_str(&text, "expected by outputSchema: ");
	shape_add_type(output_schema, output_schema, &text);
	page_text(page, 0, ROLE_DIM, buf_text(&text));
	buf_finish(&text);
	add_members(&o, output_schema, 1);
	if (o.rows >= ROWS_MAX)
		page_text(page, 0, ROLE_HINT, "… F2 shows all of it");
}

bool
absent_says_nothing(const struct text_blocks *texts, const struct call *call)
{
	return call && !texts->broken.error.text[0] && call->state != CALL_RUNNING &&
	       (call->state != CALL_DONE || call->result.is_error || !call->output_schema);
}

/* No result: content says why; this pane outlines the outputSchema. */
static void
write_no_result(struct page *page, const struct view_env *env, const struct call *call)
{
	const struct primitive *tool = workspace_primitive(env->ws);

	if (call && call->state == CALL_RUNNING)
		page_text(page, 0, ROLE_HINT, "arrives with the result");
	else if (call)
		page_text(page, 0, ROLE_HINT, "no result, so no structuredContent");
	else if (tool && tool->output_schema)
		promise_write(page, tool->output_schema);
	else if (tool)
		page_text(page, 0, ROLE_HINT,
		    "No outputSchema is declared; structuredContent is shown anyway.");
}

/* Not even data in the text: perhaps it was cut. */
static void
write_broken(struct page *page, const struct broken_json *broken)
{
	struct buf line = BUF_INIT;

	if (!broken->error.text[0])
		return;
	buf_addf(&line, "text block %zu begins as JSON, but at line %u, column %u: %s",
	    broken->index + 1, broken->error.line, broken->error.column, broken->error.text);
	page_text(page, 0, ROLE_WARNING, buf_text(&line));
	buf_finish(&line);
}

void
absent_write(struct page *page, const struct view_env *env, const struct text_blocks *texts)
{
	const struct call *call = workspace_call(env->ws);

	page_clear(page);
	if (!call || call->state != CALL_DONE) {
		write_no_result(page, env, call);
		return;
	}
	if (call->kind == PRIMITIVE_TOOL)
		page_text(page, 0, ROLE_DIM, "absent: the result has no structuredContent");
	else
		page_text(page, 0, ROLE_DIM, "the text is not what its type says");
	if (texts->state == TEXT_READING)
		page_text(page, 0, ROLE_HINT, "looking for data in its text");
	write_broken(page, &texts->broken);
	if (call->result.is_error) {
		page_text(page, 0, ROLE_HINT, "as usual if a tool reports an error");
	} else if (call->output_schema) {
		page_text(page, 0, ROLE_WARNING, "but the tool declares an outputSchema");
		page_gap(page);
		promise_write(page, call->output_schema);
	}
}

void
absent_add_facts(const struct text_blocks *texts, const struct call *call, struct buf *facts)
{
	if (texts->state == TEXT_READING)
		buf_add_str(facts, "looking for data in the text");
	else if (absent_says_nothing(texts, call))
		buf_add_str(facts, "absent");
}

bool
detail_exists(const struct view_input *in, const char *pointer)
{
	const cJSON *node = in->value;
	struct buf token = BUF_INIT;
	bool found = node != NULL;
	size_t index;

	while (found && *pointer && !json_is_lazy(node) && json_pointer_next(&pointer, &token)) {
		const cJSON *holder = node;
		node = json_pointer_step(holder, buf_text(&token));
		found = node || (!*pointer && in->report &&
				    report_find_missing(in->report, holder, buf_text(&token)) !=
					REPORT_NONE);
	}
	if (found && *pointer)
		found = json_is_lazy(node) && json_pointer_next(&pointer, &token) &&
			json_pointer_index(buf_text(&token), json_count(node), &index);
	buf_finish(&token);
	return found;
}

/* Every violation about the node, or about the missing member. */
static void
add_violations(const struct report *r, const cJSON *node, const char *pointer, struct buf *out)
{
	/* a longer path is another node */
	struct buf path = { .max = strlen(pointer) + 1 };

	for (size_t i = 0; r && i < report_facts(r)->kept; i++) {
		const struct violation *v = report_at(r, i);
		bool hit = node && v->node == node;
		if (!node && v->missing) {
			buf_clear(&path);
			report_instance_path(r, i, &path);
			json_pointer_add_key(&path, v->missing);
			hit = strcmp(buf_text(&path), pointer) == 0;
		}
		if (!hit)
			continue;
		buf_add_str(out, v->warning ? "! " : "✗ ");
		report_line(r, i, out);
		buf_add_str(out, "\n  schema ");
		violation_add_schema_path(r, i, out);
		buf_add_char(out, '\n');
	}
	buf_finish(&path);
}

/* "string of 12 bytes", "object of 3 members" */
static char *
describe_type(const cJSON *node)
{
	enum json_type type = json_type(node);
	const char *name = json_type_name(type);
	size_t count = type == JSON_STRING ? strlen(node->valuestring) : json_count(node);
	const char *unit = type == JSON_STRING ? "byte" : type == JSON_ARRAY ? "item" : "member";

	if (type != JSON_STRING && type != JSON_ARRAY && type != JSON_OBJECT)
		return mem_strdup(name);
	return mem_printf("%s of %zu %s%s", name, count, unit, plural(count));
}

void
detail_show(struct detail *d, const cJSON *node, const char *pointer, const struct report *report)
{
	struct buf text = BUF_INIT, trouble = BUF_INIT;

	add_violations(report, node, pointer, &trouble);
	if (json_type(node) == JSON_STRING)
		buf_add_str(&text, node->valuestring);
	else if (node)
		json_print_pretty(&text, node, 2);
	else
		buf_add_str(&text, "absent: there is no such member");
	detail_close(d);
	d->open = true;
	d->pointer = mem_strdup(pointer);
	d->type = describe_type(node);
	d->trouble = buf_detach(&trouble);
	d->is_json = node && json_type(node) != JSON_STRING;
	d->text = buf_detach(&text);
	wrap_init(&d->wrap);
}

void
detail_close(struct detail *d)
{
	if (!d->open)
		return;
	free(d->pointer);
	free(d->type);
	free(d->trouble);
	free(d->text);
	wrap_finish(&d->wrap);
	*d = (struct detail){ 0 };
}

void
detail_draw(struct detail *d, struct surface s)
{
	surface_text(s, 0, 0, -1, style_of(ROLE_DIM), d->type);
	int y = 1 + pane_draw_text(
			surface_sub(s, 0, 0, s.width, s.height / 2), 1, ROLE_ERROR, d->trouble);
	y += y + 2 < s.height;
	struct surface body = surface_sub(s, 0, y, s.width, s.height - y);
	d->y = y;
	d->height = body.height;
	wrap_set(&d->wrap, d->text, strlen(d->text), s.width);
	if (d->is_json)
		view_json_rows(&d->wrap, body, d->top);
	else
		wrap_draw(&d->wrap, body, style_of(ROLE_TEXT), d->top);
	surface_scrollbar(body, true, wrap_rows(&d->wrap), d->top);
}

struct seekable
detail_seek(struct detail *d)
{
	return seek_wrap(&d->wrap, &d->top, d->height, d->y);
}

bool
detail_key(struct detail *d, const struct key *key)
{
	if (key->kind == KEY_ESCAPE || key->kind == KEY_ENTER || key->kind == KEY_LEFT) {
		detail_close(d);
		return true;
	}
	return pane_scroll_key(&d->top, wrap_rows(&d->wrap), key);
}

/* A big message is nearly all structuredContent: estimate its size without printing it again. */
#define MEASURE_MAX ((size_t)1 << 20)

size_t
detail_bytes_of(const struct call *call)
{
	struct buf text = BUF_INIT;

	if (call->raw->len > MEASURE_MAX)
		return call->raw->len;
	json_print(&text, call->result.structured);
	size_t bytes = text.len;
	buf_finish(&text);
	return bytes;
}

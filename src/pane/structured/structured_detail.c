/* SPDX-License-Identifier: MIT */
#include "structured.h"

#include "base/glyph.h"
#include "base/mem.h"
#include "base/units.h"
#include "data/shape.h"
#include "json/pointer.h"
#include "json/print.h"
#include "pane/pane_text.h"

#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 4
#define ROWS_MAX 200
#define KEY_COLS_MAX 32

/* ---- without a value: the outline of the outputSchema ---- */

struct outline {
	const cJSON *root;
	struct page *page;
	int rows;
};

/* Add a row for a member: its name, type and description. */
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
	/* Nested arrays: bounded, because items can refer to the array that contains them. */
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
		const cJSON *r = json_first(json_get(schema, "required"));
		while (r && (!cJSON_GetStringValue(r) ||
				strcmp(cJSON_GetStringValue(r), p->string) != 0))
			r = r->next;
		add_member(o, p->string, member, r != NULL, depth);
		add_members(o, member, depth + 1);
	}
}

static void
write_outline(struct page *page, const cJSON *output_schema)
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
absent_is_normal(const struct text_blocks *texts, const struct call *call)
{
	return call && !texts->broken.error.text[0] && call->state != CALL_RUNNING &&
	       (call->state != CALL_DONE || call->result.is_error || !call->output_schema);
}

void
absent_write(struct page *page, const struct view_env *env, const struct text_blocks *texts)
{
	const struct call *call = workspace_call(env->ws);
	const struct primitive *tool = workspace_primitive(env->ws);
	const struct broken_json *broken = &texts->broken;

	page_clear(page);
	if (!call && tool && tool->output_schema)
		write_outline(page, tool->output_schema);
	else if (!call && tool)
		page_text(page, 0, ROLE_HINT,
		    "No outputSchema is declared; structuredContent is shown anyway.");
	if (!call || call->state != CALL_DONE) {
		if (call)
			page_text(page, 0, ROLE_HINT,
			    call->state == CALL_RUNNING ? "arrives with the result"
							: "no result, so no structuredContent");
		return;
	}
	page_text(page, 0, ROLE_DIM,
	    call->kind == PRIMITIVE_TOOL ? "absent: the result has no structuredContent"
					 : "the text does not have the format of its type");
	if (texts->state == TEXT_READING)
		page_text(page, 0, ROLE_HINT, "looking for data in its text");
	if (broken->error.text[0]) {
		char *line =
		    mem_printf("text block %zu begins as JSON, but at line %u, column %u: %s",
			broken->index + 1, broken->error.line, broken->error.column,
			broken->error.text);
		page_text(page, 0, ROLE_WARNING, line);
		free(line);
	}
	if (call->result.is_error) {
		page_text(page, 0, ROLE_HINT, "as usual if a tool reports an error");
	} else if (call->output_schema) {
		page_text(page, 0, ROLE_WARNING, "but the tool declares an outputSchema");
		page_gap(page);
		write_outline(page, call->output_schema);
	}
}

/* ---- the detail of a node ---- */

/* Append the violations of the node, or of the missing member. */
static void
add_violations(const struct report *r, const cJSON *node, const char *pointer, struct buf *out)
{
	struct buf path = { .max = strlen(pointer) + 1 }; /* a longer path is another node */

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

void
detail_show(struct detail *d, const cJSON *node, const char *pointer, const struct report *report)
{
	enum json_type value = json_type(node);
	const char *type = json_type_name(value);
	bool is_string = value == JSON_STRING, is_array = value == JSON_ARRAY;
	size_t count = is_string ? strlen(node->valuestring) : json_count(node);
	const char *unit = is_string ? "byte" : is_array ? "item" : "member";
	struct buf text = BUF_INIT, violations = BUF_INIT;

	add_violations(report, node, pointer, &violations);
	if (is_string)
		buf_add_str(&text, node->valuestring);
	else if (node)
		json_print_pretty(&text, node, 2);
	else
		buf_add_str(&text, "absent: there is no such member");
	detail_close(d);
	d->open = true;
	d->pointer = mem_strdup(pointer);
	d->type = is_string || is_array || value == JSON_OBJECT
		      ? mem_printf("%s of %zu %s%s", type, count, unit, plural(count))
		      : mem_strdup(type);
	d->violations = buf_detach(&violations);
	d->is_json = node && !is_string;
	d->text = buf_detach(&text);
}

void
detail_close(struct detail *d)
{
	if (!d->open)
		return;
	free(d->pointer);
	free(d->type);
	free(d->violations);
	free(d->text);
	wrap_finish(&d->wrap);
	*d = (struct detail){ 0 };
}

void
detail_draw(struct detail *d, struct surface s)
{
	surface_text(s, 0, 0, -1, style_of(ROLE_DIM), d->type);
	int y = 1 + pane_draw_text(
			surface_sub(s, 0, 0, s.width, s.height / 2), 1, ROLE_ERROR, d->violations);
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

bool
detail_key(struct detail *d, const struct key *key)
{
	if (key->kind == KEY_ESCAPE || key->kind == KEY_ENTER || key->kind == KEY_LEFT) {
		detail_close(d);
		return true;
	}
	return pane_scroll_key(&d->top, wrap_rows(&d->wrap), key);
}

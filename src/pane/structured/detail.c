#include "structured.h"

#include "base/mem.h"
#include "base/units.h"
#include "json/pointer.h"
#include "json/print.h"
#include "json/rows.h"
#include "pane/pane.h"
#include "pane/pane_text.h"
#include "pane/validation/validation.h"
#include "view/view.h"

#include <stdlib.h>
#include <string.h>

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

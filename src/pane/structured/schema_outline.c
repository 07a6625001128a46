#include "structured.h"

#include "base/glyph.h"

#include "json/print.h"
#include "model/shape.h"

#include <string.h>

#define DEPTH_MAX 4
#define ROWS_MAX 200
#define KEY_COLS_MAX 32
#define CHOICES_BYTES 60

static void
add_choices(const cJSON *choices, struct buf *out)
{
	size_t start = out->len;

	for (const cJSON *c = json_first(choices); c; c = c->next) {
		buf_add_str(out, c == json_first(choices) ? "one of " : ", ");
		if (out->len - start > CHOICES_BYTES) {
			buf_add_str(out, "…");
			return;
		}
		if (json_string(c) && *json_string(c))
			buf_add_str(out, json_string(c));
		else
			json_print_brief(out, c, CHOICES_BYTES);
	}
}

/* A schema in short: "array of object", "integer or null", "one of a, b". */
static void
add_type(const cJSON *root, const cJSON *schema, struct buf *out)
{
	const cJSON *type = json_get(schema, "type");
	const cJSON *choices = json_get(schema, "enum");
	const cJSON *items = shape_schema_items(root, schema);
	size_t start = out->len;

	if (json_type(choices) == JSON_ARRAY) {
		add_choices(choices, out);
		return;
	}
	if (json_string(type))
		buf_add_str(out, json_string(type));
	for (const cJSON *t = json_type(type) == JSON_ARRAY ? json_first(type) : NULL; t;
	     t = t->next)
		if (json_string(t))
			buf_addf(out, "%s%s", out->len > start ? " or " : "", json_string(t));
	if (out->len == start)
		buf_add_str(out, json_get(schema, "properties") ? "object" : "any value");
	if (items) {
		buf_add_str(out, " of ");
		add_type(root, items, out);
	}
	if (json_get_string(schema, "format"))
		buf_addf(out, ", %s", json_get_string(schema, "format"));
}

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
	add_type(o->root, schema, &text);
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
	const cJSON *items;

	while (!json_get(schema, "properties") && (items = shape_schema_items(o->root, schema)))
		schema = items;
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

void
promise_write(struct page *page, const cJSON *output_schema)
{
	struct outline o = { .root = output_schema, .page = page };
	struct buf text = BUF_INIT;

	buf_add_str(&text, "expected by outputSchema: ");
	add_type(output_schema, output_schema, &text);
	page_text(page, 0, ROLE_DIM, buf_text(&text));
	buf_finish(&text);
	add_members(&o, output_schema, 1);
	if (o.rows >= ROWS_MAX)
		page_text(page, 0, ROLE_HINT, "… F2 shows all of it");
}

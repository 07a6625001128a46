#include "structured.h"

#include "base/glyph.h"

#include "model/shape.h"

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
	shape_add_type(output_schema, output_schema, &text);
	page_text(page, 0, ROLE_DIM, buf_text(&text));
	buf_finish(&text);
	add_members(&o, output_schema, 1);
	if (o.rows >= ROWS_MAX)
		page_text(page, 0, ROLE_HINT, "… F2 shows all of it");
}

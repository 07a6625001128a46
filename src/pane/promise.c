#include "pane_text.h"

#include "json/print.h"
#include "model/shape.h"

#include <string.h>

#define DEPTH_MAX 4
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

/* "array of object", "integer or null", "one of a, b": what a schema says of a value, in short. */
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
	struct surface s;
	int y;
};

static void
draw_member(struct outline *o, const char *key, const cJSON *schema, bool required, int depth)
{
	struct buf type = BUF_INIT;
	const char *description = json_get_string(schema, "description");
	int x = 2 * depth;

	add_type(o->root, schema, &type);
	x += surface_text(o->s, x, o->y, o->s.width / 2, style_of(ROLE_KEY_NAME), key) + 2;
	if (x < o->s.width)
		x += surface_text(o->s, x, o->y, -1, style_of(ROLE_DIM), buf_text(&type));
	if (!required && x < o->s.width)
		x += surface_text(o->s, x, o->y, -1, style_of(ROLE_DIM), ", optional");
	if (description && x + 2 < o->s.width)
		surface_text(o->s, x + 2, o->y, -1, style_of(ROLE_HINT), description);
	buf_finish(&type);
	o->y++;
}

static void
draw_members(struct outline *o, const cJSON *schema, int depth)
{
	const cJSON *items;

	while (!json_get(schema, "properties") && (items = shape_schema_items(o->root, schema)))
		schema = items;
	if (depth > DEPTH_MAX)
		return;
	for (const cJSON *p = json_first(json_get(schema, "properties")); p; p = p->next) {
		if (o->y >= o->s.height)
			return;
		const cJSON *member = shape_schema_member(o->root, schema, p->string);
		draw_member(o, p->string, member, is_required(schema, p->string), depth);
		draw_members(o, member, depth + 1);
	}
}

int
pane_draw_promise(const cJSON *output_schema, struct surface s)
{
	struct outline o = { .root = output_schema, .s = s };
	struct buf type = BUF_INIT;

	add_type(output_schema, output_schema, &type);
	int x = surface_text(s, 0, o.y, -1, style_of(ROLE_DIM), "The outputSchema promises ");
	surface_text(s, x, o.y++, -1, style_of(ROLE_DIM), buf_text(&type));
	buf_finish(&type);
	draw_members(&o, output_schema, 1);
	return o.y;
}

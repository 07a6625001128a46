#include "shape.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "json/print.h"

#include <string.h>

#define NAME_BYTES 60
#define LISTED 3     /* properties or choices in the name of an untitled variant */
#define COMPARED 200 /* variants whose names are made distinct */
#define TAG_CHECKED 64

const char *
shape_type_word(const struct shape *shape)
{
	static const char *const words[] = {
		[FIELD_STRING] = "string",
		[FIELD_NUMBER] = "number",
		[FIELD_INTEGER] = "integer",
		[FIELD_BOOLEAN] = "boolean",
		[FIELD_ENUM] = "enum",
		[FIELD_CONST] = "const",
		[FIELD_OBJECT] = "object",
		[FIELD_ARRAY] = "array",
	};
	bool said;
	unsigned types = shape_types(shape, &said) & ~(unsigned)SHAPE_NULL;

	if (shape->kind != FIELD_JSON)
		return words[shape->kind];
	if (shape->unresolved)
		return "JSON, its $ref leads nowhere";
	if (!said)
		return "any JSON";
	return types == SHAPE_ARRAY ? "JSON array" : "any JSON";
}

/* ---- the name of one variant ---- */

/* Its own title or that of its $ref, because the parts of an allOf have titles of their own. */
static const char *
own_title(const struct shape *own)
{
	const char *title = NULL;

	for (unsigned i = 0; i < own->part_count && !title; i++) {
		title = json_get_string(own->parts[i], "title");
		if (!json_get_string(own->parts[i], "$ref"))
			break;
	}
	return title && *title ? title : NULL;
}

static const cJSON *
single_value(const cJSON *schema)
{
	const cJSON *value = json_get(schema, "const");
	const cJSON *values = json_get(schema, "enum");

	return value ? value : json_count(values) == 1 ? json_first(values) : NULL;
}

static void
add_value(const cJSON *value, struct buf *out)
{
	const char *text = json_string(value);

	if (text && *text)
		buf_add_str(out, text);
	else
		json_print_brief(out, value, NAME_BYTES);
}

static void
add_reference(const char *ref, struct buf *out)
{
	const char *slash = strrchr(ref, '/');

	buf_add_str(out, slash && slash[1] ? slash + 1 : ref);
}

static void
add_members(const struct shape *shape, struct buf *out)
{
	unsigned count = 0;

	for (unsigned i = shape->part_count; i-- > 0;) {
		const cJSON *properties = json_get(shape->parts[i], "properties");
		for (const cJSON *p = json_first(properties); p && count <= LISTED; p = p->next)
			if (count++ < LISTED)
				buf_addf(out, "%s%.30s", count > 1 ? ", " : " of ", p->string);
	}
	if (count > LISTED)
		buf_add_str(out, "…");
}

static void
describe(const struct shape *shape, struct buf *out)
{
	const char *format = shape_get_string(shape, "format");

	if (shape->kind == FIELD_CONST || shape->kind == FIELD_ENUM) {
		for (size_t i = 0; i < shape->choices.len && i < LISTED; i++) {
			buf_add_str(out, i > 0 ? ", " : "");
			shape_choice_label(shape, i, out);
		}
		buf_add_str(out, shape->choices.len > LISTED ? "…" : "");
		return;
	}
	buf_add_str(out, shape_type_word(shape));
	if (shape->kind == FIELD_OBJECT)
		add_members(shape, out);
	if (shape->kind == FIELD_STRING && format)
		buf_addf(out, ", %.40s", format);
}

/* The title, else the value of the tag, else the name of the reference, else the type. */
static void
add_name(
    const struct shape *whole, const struct variant *v, const struct shape *own, struct buf *out)
{
	const cJSON *value = whole->tag ? single_value(shape_property(own, whole->tag)) : NULL;
	const char *ref = json_get_string(own->parts[0], "$ref");
	const char *title = own_title(own);

	if (v->type) /* from a list of types, perhaps within an alternative */
		buf_addf(out, "%s%s%s", title ? title : "", title ? ", " : "", v->type);
	else if (title)
		buf_add_str(out, title);
	else if (value)
		add_value(value, out);
	else if (v->shape->kind == FIELD_CONST)
		shape_choice_label(v->shape, 0, out);
	else if (ref)
		add_reference(ref, out);
	else
		describe(v->shape, out);
}

/* ---- the property that distinguishes them ---- */

static struct shape
own_shape(const struct variant *v, const cJSON *root)
{
	struct shape own = { 0 };

	if (v->pick_count > 0)
		shape_add_part(&own, root, v->picks[v->pick_count - 1]);
	return own;
}

static bool
tells_apart(const struct shape *whole, const cJSON *root, const char *name)
{
	for (size_t i = 0; i < whole->variants.len && i < TAG_CHECKED; i++) {
		const struct shape own = own_shape(&whole->variants.items[i], root);
		const cJSON *properties = shape_get(&own, "properties");
		if (properties && !single_value(shape_property(&own, name)))
			return false;
	}
	return true;
}

static const char *
find_tag(const struct shape *whole, const cJSON *root)
{
	const char *said = json_get_string(shape_get(whole, "discriminator"), "propertyName");

	for (size_t i = 0; i < whole->variants.len && i < TAG_CHECKED && !said; i++) {
		const struct shape own = own_shape(&whole->variants.items[i], root);
		const cJSON *properties = shape_get(&own, "properties");
		unsigned count = 0;
		for (const cJSON *p = json_first(properties); p && count++ < 16; p = p->next)
			if (single_value(p) && tells_apart(whole, root, p->string))
				return p->string;
		if (properties)
			break;
	}
	return said;
}

const char *
shape_tag(struct shape *whole, const cJSON *root)
{
	if (!whole->tag_known)
		whole->tag = find_tag(whole, root);
	whole->tag_known = true;
	return whole->tag;
}

/* ---- the names of all variants ---- */

static void
keep_name(struct shape *whole, size_t index, struct buf *name)
{
	struct buf cut = BUF_INIT;
	unsigned same = 1;

	utf8_add_cut(&cut, buf_text(name), name->len, NAME_BYTES);
	const char *text = buf_text(&cut);
	size_t len = cut.len;
	for (size_t i = 0; i < index && index < COMPARED; i++) {
		const char *other = whole->variants.items[i].name;
		same += strncmp(other, text, len) == 0 &&
			(!other[len] || strncmp(other + len, " (", 2) == 0);
	}
	whole->variants.items[index].name =
	    same > 1 ? mem_printf("%s (%u)", text, same) : mem_strdup(text);
	buf_finish(&cut);
}

void
shape_name_variants(struct shape *whole, const cJSON *root, size_t *budget)
{
	struct buf name = { .max = 4096 };

	if (whole->names_made)
		return;
	whole->names_made = true;
	shape_tag(whole, root);
	for (size_t i = 0; i < whole->variants.len; i++) {
		struct variant *v = &whole->variants.items[i];
		const struct shape own = own_shape(v, root);
		shape_variant(whole, root, budget, i);
		buf_clear(&name);
		add_name(whole, v, &own, &name);
		keep_name(whole, i, &name);
	}
	buf_finish(&name);
}

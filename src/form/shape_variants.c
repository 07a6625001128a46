#include "shape.h"

#include "base/url_text.h"
#include "base/mem.h"
#include "base/vec.h"
#include "form/form.h"
#include "json/pointer.h"

#include <string.h>

/* ---- types ---- */

#define NUMBER (SHAPE_INTEGER | SHAPE_FRACTION)

static const struct {
	const char *name;
	unsigned types;
} names[] = {
	{ "string", SHAPE_STRING },
	{ "number", NUMBER },
	{ "integer", SHAPE_INTEGER },
	{ "boolean", SHAPE_BOOLEAN },
	{ "object", SHAPE_OBJECT },
	{ "array", SHAPE_ARRAY },
	{ "null", SHAPE_NULL },
};

static unsigned
type_of_name(const char *name)
{
	for (size_t i = 0; name && i < ARRAY_LEN(names); i++)
		if (strcmp(names[i].name, name) == 0)
			return names[i].types;
	return 0;
}

static unsigned
types_of(const cJSON *type)
{
	unsigned types = type_of_name(json_string(type));

	if (json_type(type) == JSON_ARRAY)
		for (const cJSON *t = json_first(type); t; t = t->next)
			types |= type_of_name(json_string(t));
	return types;
}

unsigned
shape_types(const struct shape *shape, bool *said)
{
	unsigned types = shape->type ? type_of_name(shape->type) : SHAPE_ANY;

	*said = shape->type != NULL;
	for (unsigned i = 0; i < shape->part_count; i++) {
		const cJSON *type = json_get(shape->parts[i], "type");
		if (!type)
			continue;
		*said = true;
		types &= types_of(type);
	}
	return types;
}

static const char *
take_type(unsigned *types, unsigned some)
{
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if ((names[i].types & some) && (*types & names[i].types) == names[i].types) {
			*types &= ~names[i].types;
			return names[i].name;
		}
	return NULL;
}

static const char *
shape_next_type(const struct shape *shape, unsigned *types)
{
	for (const cJSON *t = json_first(shape_get(shape, "type")); t; t = t->next) {
		const char *name = take_type(types, type_of_name(json_string(t)));
		if (name)
			return name;
	}
	return take_type(types, SHAPE_ANY);
}

/* ---- variants ---- */

/*
 * The shapes that oneOf, anyOf and lists of types allow. Nested alternatives are flattened
 * into one choice, however the schema is composed.
 */

/* Replaces the first group by one of its alternatives. */
static void
pick(struct shape *shape, const cJSON *root, const cJSON *alternative)
{
	shape->group_count--;
	memmove(shape->groups, shape->groups + 1, shape->group_count * sizeof(*shape->groups));
	shape_add_part(shape, root, alternative);
}

/* ---- alternatives that only forbid values ---- */

static bool
adds_to(const struct shape *shape, const struct shape *alternative)
{
	static const char *const words[] = { "properties", "patternProperties", "items",
		"prefixItems", "const", "enum" };
	bool said, more;
	unsigned types = shape_types(shape, &said);
	unsigned others = shape_types(alternative, &more);

	if ((more && (!said || (types & others) != types)) || alternative->group_count > 0)
		return true;
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (shape_get(alternative, words[i]))
			return true;
	return json_type(shape_get(alternative, "additionalProperties")) == JSON_OBJECT;
}

/* {required: [a]} or {required: [b]} is not a choice of shapes: both have all the fields. */
static bool
is_worth_a_choice(const struct shape *shape, const cJSON *root, const cJSON *group, size_t *budget)
{
	for (const cJSON *a = json_first(group); a && *budget > 0; a = a->next) {
		struct shape alternative = { 0 };
		--*budget;
		shape_add_part(&alternative, root, a);
		if (adds_to(shape, &alternative))
			return true;
	}
	return false;
}

/* There is nothing to choose if the alternatives of a group only forbid values. */
static void
drop_rules(struct shape *shape, const cJSON *root, size_t *budget)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < shape->group_count; i++)
		if (is_worth_a_choice(shape, root, shape->groups[i], budget))
			shape->groups[kept++] = shape->groups[i];
	shape->group_count = kept;
}

/* ---- flattening ---- */

struct search {
	struct shape *whole;
	const cJSON *root;
	size_t *budget;
	const cJSON *picks[SHAPE_PICKS];
	unsigned depth;
	bool too_many;
};

static void
add_variant(struct search *s, const char *type)
{
	if (s->whole->variants.len >= FORM_MAX_CHOICES) {
		s->too_many = true;
		return;
	}
	struct variant *v = VEC_PUSH(&s->whole->variants);
	*v = (struct variant){ .pick_count = s->depth, .type = type };
	memcpy(v->picks, s->picks, sizeof(v->picks));
}

/* No groups are left: adds a variant for each type in a list of types. */
static void
add_variants(struct search *s, const struct shape *so_far)
{
	bool said;
	unsigned types = shape_types(so_far, &said), left;
	const char *first;

	if (so_far->nullable || (said && types & SHAPE_NULL && types != SHAPE_NULL))
		s->whole->nullable = true;
	left = types & ~(unsigned)SHAPE_NULL;
	first = shape_next_type(so_far, &left);
	if (!said || !first || !left || shape_get(so_far, "const") || shape_get(so_far, "enum") ||
	    so_far->group_count > 0) {
		add_variant(s, NULL);
		return;
	}
	for (const char *type = first; type; type = shape_next_type(so_far, &left))
		add_variant(s, type);
}

static void
search(struct search *s, const struct shape *so_far)
{
	const cJSON *group = so_far->group_count > 0 ? so_far->groups[0] : NULL;

	if (!group || s->depth == SHAPE_PICKS || (s->depth > 0 && shape_is_choice(group))) {
		add_variants(s, so_far);
		return;
	}
	for (const cJSON *a = json_first(group); a && !s->too_many; a = a->next) {
		bool never = json_type(a) == JSON_BOOLEAN && !json_is_true(a);
		if (*s->budget == 0) {
			s->too_many = true;
			return;
		}
		--*s->budget;
		if (is_null_schema(a))
			s->whole->nullable = true;
		if (never || is_null_schema(a))
			continue;
		struct shape next = *so_far;
		pick(&next, s->root, a);
		drop_rules(&next, s->root, s->budget);
		s->picks[s->depth++] = a;
		search(s, &next);
		s->depth--;
	}
}

/* only one is possible */
static void
adopt(struct shape *shape, const cJSON *root, size_t *budget)
{
	const struct variant only = shape->variants.items[0];

	shape->variants.len = 0;
	for (unsigned i = 0; i < only.pick_count; i++)
		pick(shape, root, only.picks[i]);
	shape->type = only.type;
	shape->group_count = 0;
	if (only.pick_count > 0)
		shape_decide(shape, root, budget);
}

bool
shape_find_variants(struct shape *shape, const cJSON *root, size_t *budget)
{
	struct search s = { .whole = shape, .root = root, .budget = budget };
	bool said;
	unsigned types = shape_types(shape, &said);

	drop_rules(shape, root, budget);
	if (shape->group_count == 0 && (!said || types == 0 || !(types & (types - 1))))
		return false;
	struct shape so_far = *shape;
	search(&s, &so_far);
	if (s.too_many) {
		shape->variants.len = 0;
		shape->group_count = 0;
		shape->kind = FIELD_JSON;
		return true;
	}
	if (shape->variants.len > 1)
		return true;
	if (shape->variants.len == 0 || shape->variants.items[0].pick_count == 0) {
		shape->variants.len = 0;
		return false;
	}
	adopt(shape, root, budget);
	return true;
}

/* ---- the shape of one variant ---- */

const struct shape *
shape_variant(const struct shape *whole, const cJSON *root, size_t *budget, size_t index)
{
	struct variant *v = &whole->variants.items[index];

	if (v->shape)
		return v->shape;
	struct shape *shape = mem_zalloc(sizeof(*shape));
	v->shape = shape;
	*shape = *whole;
	memset(&shape->choices, 0, sizeof(shape->choices));
	memset(&shape->variants, 0, sizeof(shape->variants));
	for (unsigned i = 0; i < v->pick_count; i++) {
		pick(shape, root, v->picks[i]);
		drop_rules(shape, root, budget);
	}
	shape->type = v->type;
	if (shape->group_count > 0 && !shape_is_choice(shape->groups[0]))
		shape->group_count = 0; /* nested too deeply to be distinguished */
	shape_decide_plain(shape, budget);
	if (shape->is_root)
		shape->kind = FIELD_OBJECT;
	return shape;
}

static const cJSON *
resolve(const cJSON *root, const char *ref)
{
	if (ref[0] != '#')
		return NULL;
	if (ref[1] && ref[1] != '/') {
		const cJSON *found = json_find_by(json_get(root, "$defs"), "$anchor", ref + 1);
		return found ? found
			     : json_find_by(json_get(root, "definitions"), "$anchor", ref + 1);
	}
	struct buf pointer = BUF_INIT;
	percent_decode(&pointer, ref + 1, strlen(ref + 1));
	const cJSON *found = json_pointer_find(root, buf_text(&pointer));
	buf_finish(&pointer);
	return found;
}

bool
is_null_schema(const cJSON *schema)
{
	const char *type = json_get_string(schema, "type");
	const cJSON *values = json_get(schema, "enum");

	return (type && strcmp(type, "null") == 0) ||
	       json_type(json_get(schema, "const")) == JSON_NULL ||
	       (json_count(values) == 1 && json_type(json_first(values)) == JSON_NULL);
}

static void
add_group(struct shape *shape, const cJSON *group)
{
	for (unsigned i = 0; i < shape->group_count; i++)
		if (shape->groups[i] == group)
			return;
	if (shape->group_count < SHAPE_GROUPS)
		shape->groups[shape->group_count++] = group;
}

/* anyOf [T, null] is a nullable T; several alternatives form a group, which may still offer
 * choices. */
static void
add_alternatives(struct shape *shape, const cJSON *root, const cJSON *group)
{
	const cJSON *only = NULL;
	size_t count = 0;

	if (json_type(group) != JSON_ARRAY)
		return;
	for (const cJSON *v = json_first(group); v; v = v->next) {
		if (is_null_schema(v)) {
			shape->nullable = true;
		} else {
			only = v;
			count++;
		}
	}
	if (count == 1)
		shape_add_part(shape, root, only);
	else if (count > 1)
		add_group(shape, group);
}

void
shape_add_part(struct shape *shape, const cJSON *root, const cJSON *schema)
{
	if (json_type(schema) != JSON_OBJECT)
		return;
	for (unsigned i = 0; i < shape->part_count; i++)
		if (shape->parts[i] == schema)
			return;
	if (shape->part_count == SHAPE_PARTS) {
		shape->overflowed = true;
		return;
	}
	shape->parts[shape->part_count++] = schema;
	if (schema_has_conditions(schema))
		shape->conditional = true;
	if (json_is_true(json_get(schema, "nullable")))
		shape->nullable = true;
	const char *ref = json_get_string(schema, "$ref");
	if (ref) {
		const cJSON *target = resolve(root, ref);
		if (target)
			shape_add_part(shape, root, target);
		else
			shape->unresolved = ref;
	}
	const cJSON *all = json_get(schema, "allOf");
	if (json_type(all) == JSON_ARRAY)
		for (const cJSON *s = json_first(all); s && !shape->overflowed; s = s->next)
			shape_add_part(shape, root, s);
	add_alternatives(shape, root, json_get(schema, "anyOf"));
	add_alternatives(shape, root, json_get(schema, "oneOf"));
}

/* SPDX-License-Identifier: MIT */
#include "base/map.h"
#include "base/mem.h"
#include "base/url.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "form/form.h"
#include "json/pointer.h"
#include "json/print.h"
#include "tree.h"

#include <stdlib.h>
#include <string.h>

static void shape_decide(struct shape *shape, const cJSON *root, size_t *budget);

static bool
is_null_schema(const cJSON *schema)
{
	const char *type = json_get_string(schema, "type");
	const cJSON *values = json_get(schema, "enum");

	return (type && strcmp(type, "null") == 0) ||
	       json_type(json_get(schema, "const")) == JSON_NULL ||
	       (json_count(values) == 1 && json_type(json_first(values)) == JSON_NULL);
}

static bool
shape_is_choice(const cJSON *group)
{
	for (const cJSON *v = json_first(group); v; v = v->next)
		if (!json_get(v, "const") && json_type(json_get(v, "enum")) != JSON_ARRAY &&
		    !is_null_schema(v))
			return false;
	return true;
}

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
		unsigned allowed = type_of_name(cJSON_GetStringValue(type));
		if (json_type(type) == JSON_ARRAY)
			for (const cJSON *t = json_first(type); t; t = t->next)
				allowed |= type_of_name(cJSON_GetStringValue(t));
		types &= allowed;
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
		const char *name = take_type(types, type_of_name(cJSON_GetStringValue(t)));
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
pick_part(struct shape *shape, const cJSON *root, const cJSON *alternative)
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
		bool never = json_type(a) == JSON_BOOLEAN && !cJSON_IsTrue(a);
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
		pick_part(&next, s->root, a);
		drop_rules(&next, s->root, s->budget);
		s->picks[s->depth++] = a;
		search(s, &next);
		s->depth--;
	}
}

static bool
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
	/* Only one is possible. */
	const struct variant only = shape->variants.items[0];
	shape->variants.len = 0;
	for (unsigned i = 0; i < only.pick_count; i++)
		pick_part(shape, root, only.picks[i]);
	shape->type = only.type;
	shape->group_count = 0;
	if (only.pick_count > 0)
		shape_decide(shape, root, budget);
	return true;
}

static const cJSON *
resolve_ref(const cJSON *root, const char *ref)
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
	bool known = false;
	for (unsigned i = 0; i < shape->group_count; i++)
		known |= shape->groups[i] == group;
	if (count > 1 && !known && shape->group_count < SHAPE_GROUPS)
		shape->groups[shape->group_count++] = group;
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
	if (json_get(schema, "if") || json_get(schema, "dependentSchemas") ||
	    json_get(schema, "dependentRequired") || json_get(schema, "dependencies"))
		shape->conditional = true;
	if (cJSON_IsTrue(json_get(schema, "nullable")))
		shape->nullable = true;
	const char *ref = json_get_string(schema, "$ref");
	if (ref) {
		const cJSON *target = resolve_ref(root, ref);
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

static const cJSON null_value = { .type = cJSON_NULL };

const cJSON *
shape_get(const struct shape *shape, const char *keyword)
{
	for (unsigned i = 0; i < shape->part_count; i++) {
		const cJSON *value = json_get(shape->parts[i], keyword);
		if (value)
			return value;
	}
	return NULL;
}

const char *
shape_get_string(const struct shape *shape, const char *keyword)
{
	for (unsigned i = 0; i < shape->part_count; i++) {
		const char *text = json_get_string(shape->parts[i], keyword);
		if (text)
			return text;
	}
	return NULL;
}

const cJSON *
shape_property(const struct shape *shape, const char *name)
{
	for (unsigned i = shape->part_count; i-- > 0;) {
		const cJSON *property = json_get(json_get(shape->parts[i], "properties"), name);
		if (property)
			return property;
	}
	return NULL;
}

static bool
has_properties(const struct shape *shape)
{
	for (unsigned i = 0; i < shape->part_count; i++)
		if (json_count(json_get(shape->parts[i], "properties")) > 0)
			return true;
	return false;
}

/* An object without declared properties takes any; one with properties only if its schema allows
 * them.
 */
const cJSON *
shape_entry(const struct shape *shape)
{
	static const cJSON anything = { .type = cJSON_True };
	const cJSON *more = shape_get(shape, "additionalProperties");
	const cJSON *patterns = shape_get(shape, "patternProperties");

	if (json_type(more) == JSON_OBJECT || cJSON_IsTrue(more))
		return more;
	if (json_type(patterns) == JSON_OBJECT && json_first(patterns))
		return json_first(patterns);
	return more || shape->is_root || has_properties(shape) ? NULL : &anything;
}

const cJSON *
shape_tuple(const struct shape *shape)
{
	const cJSON *prefix = shape_get(shape, "prefixItems"), *items = shape_get(shape, "items");

	if (json_type(prefix) == JSON_ARRAY && json_first(prefix))
		return prefix;
	return json_type(items) == JSON_ARRAY && json_first(items) ? items : NULL;
}

const cJSON *
shape_item(const struct shape *shape, size_t index)
{
	const cJSON *tuple = shape_tuple(shape), *item = json_first(tuple);
	const cJSON *rest = shape_get(shape, "items");

	for (; item && index > 0; index--)
		item = item->next;
	if (item)
		return item;
	if (rest && rest == tuple)
		rest = shape_get(shape, "additionalItems");
	return json_type(rest) == JSON_OBJECT || cJSON_IsTrue(rest) ? rest : NULL;
}

void
shape_destroy(struct shape *shape)
{
	if (!shape)
		return;
	for (size_t i = 0; i < shape->variants.len; i++) {
		shape_destroy(shape->variants.items[i].shape);
		free(shape->variants.items[i].name);
	}
	free(shape->variants.items);
	free(shape->choices.items);
	free(shape);
}

/* ---- choices ---- */

static void
add_choice(struct shape *shape, const cJSON *value, const char *label, const char *description)
{
	if (json_type(value) == JSON_NULL) {
		shape->nullable = true;
		return;
	}
	*VEC_PUSH(&shape->choices) = (struct choice){ value, label, description };
}

/* All schemas of a form share one budget because there may be very many choices. */
static bool
may_list(size_t count, size_t *budget)
{
	if (count > FORM_MAX_CHOICES || count > *budget)
		return false;
	*budget -= count;
	return true;
}

static bool
choices_from_enum(struct shape *shape, size_t *budget)
{
	/* If several parts have choices, the shortest list contains the ones that all parts allow.
	 */
	const cJSON *values = NULL;
	for (unsigned i = 0; i < shape->part_count; i++) {
		const cJSON *list = json_get(shape->parts[i], "enum");
		if (json_type(list) == JSON_ARRAY &&
		    (!values || json_count(list) < json_count(values)))
			values = list;
	}

	if (!values || !may_list(json_count(values), budget))
		return false;
	const cJSON *name = json_first(shape_get(shape, "enumNames"));
	for (const cJSON *v = json_first(values); v; v = v->next) {
		add_choice(shape, v, cJSON_GetStringValue(name), NULL);
		name = name ? name->next : NULL;
	}
	return shape->choices.len > 0;
}

/* Every alternative is a const or an enum, with or without a title. */
static bool
choices_from_group(struct shape *shape, const cJSON *group, size_t *budget)
{
	size_t count = 0;

	for (const cJSON *v = json_first(group); v; v = v->next)
		count += 1 + json_count(json_get(v, "enum"));
	if (!may_list(count, budget))
		return false;
	for (const cJSON *v = json_first(group); v; v = v->next) {
		const cJSON *value = json_get(v, "const");
		if (value)
			add_choice(shape, value, json_get_string(v, "title"),
			    json_get_string(v, "description"));
		else
			for (value = json_first(json_get(v, "enum")); value; value = value->next)
				add_choice(shape, value, NULL, NULL);
	}
	return shape->choices.len > 0;
}

static bool
decide_choices(struct shape *shape, size_t *budget)
{
	const cJSON *value = shape_get(shape, "const");

	if (value) {
		*VEC_PUSH(&shape->choices) = (struct choice){ .value = value };
		shape->kind = FIELD_CONST;
		return true;
	}
	bool found = choices_from_enum(shape, budget);
	for (unsigned i = 0; i < shape->group_count && !found; i++)
		found = shape_is_choice(shape->groups[i]) &&
			choices_from_group(shape, shape->groups[i], budget);
	if (found)
		shape->kind = shape->choices.len == 1 ? FIELD_CONST : FIELD_ENUM;
	return found;
}

/* ---- types ---- */

static enum field_kind
kind_of_array(const struct shape *shape)
{
	const cJSON *tuple = shape_tuple(shape);

	if (tuple)
		return json_count(tuple) <= SHAPE_TUPLE ? FIELD_ARRAY : FIELD_JSON;
	return json_type(shape_get(shape, "items")) == JSON_OBJECT ? FIELD_ARRAY : FIELD_JSON;
}

static enum field_kind
kind_of_types(struct shape *shape, unsigned types)
{
	if (types & SHAPE_NULL)
		shape->nullable = true;
	switch (types & ~(unsigned)SHAPE_NULL) {
	case SHAPE_STRING:
		return FIELD_STRING;
	case SHAPE_INTEGER:
		return FIELD_INTEGER;
	case SHAPE_FRACTION | SHAPE_INTEGER:
		return FIELD_NUMBER;
	case SHAPE_BOOLEAN:
		return FIELD_BOOLEAN;
	case SHAPE_OBJECT:
		return FIELD_OBJECT;
	case SHAPE_ARRAY:
		return kind_of_array(shape);
	case 0:
		return types ? FIELD_CONST : FIELD_JSON;
	default:
		return FIELD_JSON;
	}
}

static void
decide_type(struct shape *shape)
{
	bool said;
	unsigned types = shape_types(shape, &said);

	if (said)
		shape->kind = kind_of_types(shape, types);
	else if (has_properties(shape))
		shape->kind = FIELD_OBJECT;
	else
		shape->kind = kind_of_array(shape);
	if (shape->kind == FIELD_CONST)
		*VEC_PUSH(&shape->choices) = (struct choice){ .value = &null_value };
}

static void
shape_decide(struct shape *shape, const cJSON *root, size_t *budget)
{
	if (!decide_choices(shape, budget) && !shape_find_variants(shape, root, budget))
		decide_type(shape);
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
		pick_part(shape, root, v->picks[i]);
		drop_rules(shape, root, budget);
	}
	shape->type = v->type;
	if (shape->group_count > 0 && !shape_is_choice(shape->groups[0]))
		shape->group_count = 0; /* nested too deeply to be distinguished */
	if (!decide_choices(shape, budget))
		decide_type(shape);
	if (shape->is_root)
		shape->kind = FIELD_OBJECT;
	return shape;
}

const cJSON *
form_schema(const struct form *form)
{
	return form->doc ? json_root(form->doc) : NULL;
}

static void
add_sources(struct shape *shape, const struct shape *base, const cJSON *schema, const cJSON *root)
{
	if (base)
		add_sources(shape, base->base, base->schema, root);
	shape_add_part(shape, root, schema);
}

const struct shape *
shape_with(struct form *form, const struct shape *base, const cJSON *schema)
{
	uint64_t hash = hash_word(pointer_hash(schema), (uintptr_t)base);
	struct shape *shape;

	if (base && base->schema == schema)
		return base;
	MAP_EACH(&form->shapes, hash, shape)
		if (shape->schema == schema && shape->base == base)
			return shape;
	shape = mem_zalloc(sizeof(*shape));
	shape->base = base;
	shape->schema = schema;
	shape->kind = FIELD_JSON;
	shape->is_root = !base && schema == form_schema(form);
	add_sources(shape, base, schema, form_schema(form));
	shape_decide(shape, form_schema(form), &form->budget);
	if (shape->is_root) { /* arguments are always an object */
		shape->kind = FIELD_OBJECT;
		shape->nullable = false;
	}
	map_add(&form->shapes, hash, shape);
	return shape;
}

const struct shape *
shape_of(struct form *form, const cJSON *schema)
{
	return shape_with(form, NULL, schema);
}

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

/* Its own title or that of its $ref, because parts of an allOf have other titles. */
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

const cJSON *
schema_single_value(const cJSON *schema)
{
	const cJSON *value = json_get(schema, "const");
	const cJSON *values = json_get(schema, "enum");

	return value ? value : json_count(values) == 1 ? json_first(values) : NULL;
}

static void
describe_shape(const struct shape *shape, struct buf *out)
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
	unsigned count = 0;
	for (unsigned i = shape->part_count; shape->kind == FIELD_OBJECT && i-- > 0;) {
		const cJSON *properties = json_get(shape->parts[i], "properties");
		for (const cJSON *p = json_first(properties); p && count <= LISTED; p = p->next)
			if (count++ < LISTED)
				buf_addf(out, "%s%.30s", count > 1 ? ", " : " of ", p->string);
	}
	if (count > LISTED)
		buf_add_str(out, "…");
	if (shape->kind == FIELD_STRING && format)
		buf_addf(out, ", %.40s", format);
}

/* The title, else the value of the tag, else the name of the reference, else the type. */
static void
add_shape_name(
    const struct shape *whole, const struct variant *v, const struct shape *own, struct buf *out)
{
	const cJSON *value =
	    whole->tag ? schema_single_value(shape_property(own, whole->tag)) : NULL;
	const char *ref = json_get_string(own->parts[0], "$ref"),
		   *slash = ref ? strrchr(ref, '/') : NULL;
	const char *title = own_title(own);

	if (v->type) /* from a list of types, perhaps within an alternative */
		buf_addf(out, "%s%s%s", title ? title : "", title ? ", " : "", v->type);
	else if (title)
		buf_add_str(out, title);
	else if (value && cJSON_GetStringValue(value) && *cJSON_GetStringValue(value))
		buf_add_str(out, cJSON_GetStringValue(value));
	else if (value)
		json_print_brief(out, value, NAME_BYTES);
	else if (v->shape->kind == FIELD_CONST)
		shape_choice_label(v->shape, 0, out);
	else if (ref)
		buf_add_str(out, slash && slash[1] ? slash + 1 : ref);
	else
		describe_shape(v->shape, out);
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
		if (properties && !schema_single_value(shape_property(&own, name)))
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
			if (schema_single_value(p) && tells_apart(whole, root, p->string))
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

void
shape_name_variants(struct shape *whole, const cJSON *root, size_t *budget)
{
	struct buf name = { .max = 4096 }, cut = BUF_INIT;

	if (whole->names_made)
		return;
	whole->names_made = true;
	shape_tag(whole, root);
	for (size_t i = 0; i < whole->variants.len; i++) {
		struct variant *v = &whole->variants.items[i];
		const struct shape own = own_shape(v, root);
		shape_variant(whole, root, budget, i);
		buf_clear(&name);
		add_shape_name(whole, v, &own, &name);
		buf_clear(&cut);
		utf8_add_cut(&cut, buf_text(&name), name.len, NAME_BYTES);
		unsigned same = 1; /* variants with this name */
		for (size_t k = 0; k < i && i < COMPARED; k++) {
			const char *other = whole->variants.items[k].name;
			same += strncmp(other, buf_text(&cut), cut.len) == 0 &&
				(!other[cut.len] || strncmp(other + cut.len, " (", 2) == 0);
		}
		v->name = same > 1 ? mem_printf("%s (%u)", buf_text(&cut), same)
				   : mem_strdup(buf_text(&cut));
	}
	buf_finish(&name);
	buf_finish(&cut);
}

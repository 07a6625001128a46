#include "tree.h"

#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

/*
 * if, then, else, dependentSchemas and dependentRequired: what they declare depends on the values.
 * All properties that they may declare are members from the start, so that each has its type, but
 * hidden: not sent and without a row until a condition that declares them holds. After a change
 * form_adapt() follows the conditions.
 */

#define ROUNDS 4 /* a condition may look at what another one declares */

static const char *const dependent_keys[] = { "dependentSchemas", "dependencies" };
static const char *const required_keys[] = { "dependentRequired", "dependencies" };

bool
schema_has_conditions(const cJSON *schema)
{
	return json_get(schema, "if") || json_get(schema, "dependentSchemas") ||
	       json_get(schema, "dependentRequired") || json_get(schema, "dependencies");
}

/* ---- which members there may be ---- */

/* Appends to shape all schemas that a condition in this part may add. */
static void
add_branches(struct shape *shape, const cJSON *root, const cJSON *part)
{
	shape_add_part(shape, root, json_get(part, "then"));
	shape_add_part(shape, root, json_get(part, "else"));
	for (size_t i = 0; i < ARRAY_LEN(dependent_keys); i++)
		for (const cJSON *d = json_first(json_get(part, dependent_keys[i])); d; d = d->next)
			shape_add_part(shape, root, d);
}

bool
field_add_conditional(struct field *object)
{
	const cJSON *root = form_schema(object->form);
	const struct shape *shape = object->shape;
	struct shape branches = { 0 };

	if (!shape->conditional)
		return true;
	object->form->conditional = true;
	for (unsigned i = 0; i < shape->part_count; i++)
		add_branches(&branches, root, shape->parts[i]);
	for (unsigned i = 0; i < branches.part_count; i++) {
		add_branches(&branches, root, branches.parts[i]);
		const cJSON *properties = json_get(branches.parts[i], "properties");
		if (json_type(properties) != JSON_OBJECT)
			continue;
		for (const cJSON *p = json_first(properties); p; p = p->next) {
			if (field_find_member(object, p->string))
				continue;
			struct field *member = field_add_member(object, p, p->string);
			if (!member)
				return false;
			member->conditional = member->hidden = true;
		}
	}
	return true;
}

/* ---- which conditions hold ---- */

static void
add_active(struct field *object, struct shape *shape, const cJSON *part, const cJSON *value)
{
	const cJSON *root = form_schema(object->form), *test = json_get(part, "if");

	if (test) {
		bool holds = form_holds(object->form, test, value);
		shape_add_part(shape, root, json_get(part, holds ? "then" : "else"));
	}
	for (size_t i = 0; i < ARRAY_LEN(dependent_keys); i++)
		for (const cJSON *d = json_first(json_get(part, dependent_keys[i])); d; d = d->next)
			if (d->string && json_get(value, d->string))
				shape_add_part(shape, root, d);
}

/* The shape kept for these parts: the form owns it, and steps of undo may still use it. */
static const struct shape *
keep(struct form *form, const struct shape *base, const struct shape *adapted)
{
	uint64_t hash = pointer_hash(base);
	struct shape *shape;

	if (adapted->part_count == base->part_count)
		return base;
	for (unsigned i = base->part_count; i < adapted->part_count; i++)
		hash = hash_word(hash, (uintptr_t)adapted->parts[i]);
	MAP_EACH(&form->shapes, hash, shape)
		if (shape->base == base && !shape->schema &&
		    shape->part_count == adapted->part_count &&
		    memcmp(shape->parts, adapted->parts,
			adapted->part_count * sizeof(*shape->parts)) == 0)
			return shape;
	shape = mem_dup(adapted, sizeof(*adapted));
	map_add(&form->shapes, hash, shape);
	return shape;
}

static const struct shape *
active_shape(struct field *object, const struct shape *base, const cJSON *value)
{
	struct shape shape = *base;

	memset(&shape.choices, 0, sizeof(shape.choices));
	memset(&shape.variants, 0, sizeof(shape.variants));
	shape.base = base;
	shape.schema = NULL;
	for (unsigned i = 0; i < shape.part_count; i++)
		add_active(object, &shape, shape.parts[i], value);
	shape.nullable = base->nullable;
	shape.group_count = base->group_count;
	return keep(object->form, base, &shape);
}

/* ---- the members as these conditions want them ---- */

/* All declarations of a property together; NULL without one. *never: one of them forbids it. */
static const struct shape *
declared_shape(struct field *object, const char *name, bool *never)
{
	const struct shape *shape = NULL;

	*never = false;
	for (unsigned i = 0; i < object->shape->part_count; i++) {
		const cJSON *p = json_get(json_get(object->shape->parts[i], "properties"), name);
		if (!p)
			continue;
		*never = *never || (json_type(p) == JSON_BOOLEAN && !json_is_true(p));
		shape = shape ? shape_with(object->form, shape, p) : shape_of(object->form, p);
	}
	return shape;
}

static void
reshape(struct field *member, const struct shape *shape)
{
	bool has_value = member->state == FIELD_SET && member->filled;
	struct json_doc *doc = has_value ? field_value(member) : NULL;
	enum field_state state = member->state;

	field_clear(member);
	field_drop_drafts(member);
	member->whole = member->shape = shape;
	member->variant = 0;
	if (shape->variants.len > 0)
		field_choose(member, 0);
	if (doc)
		field_load(member, json_root(doc));
	else
		member->state = state == FIELD_NULL && !shape->nullable ? FIELD_OMITTED : state;
	json_doc_destroy(doc);
}

/* Returns true if the member appears, vanishes or has another schema. */
static bool
follow(struct field *object, struct field *member)
{
	bool never, was_hidden = member->hidden;
	const struct shape *shape = declared_shape(object, member->name, &never);
	bool other = shape && !never && shape != member->whole;

	if (other)
		reshape(member, shape);
	if (shape && !never)
		member->given = false;
	member->hidden = (!shape || never) && !member->given && !member->required;
	return other || member->hidden != was_hidden;
}

static void
require(struct field *object, const cJSON *names)
{
	if (json_type(names) != JSON_ARRAY)
		return;
	for (const cJSON *n = json_first(names); n; n = n->next) {
		struct field *member =
		    json_string(n) ? field_find_member(object, json_string(n)) : NULL;
		if (member)
			member->required = true;
	}
}

/* A member that becomes required starts as one that always was. */
static bool
mark_required(struct field *object, const cJSON *value)
{
	bool changed = false;

	for (size_t i = 0; i < object->children.len; i++) {
		object->children.items[i]->seen = object->children.items[i]->required;
		object->children.items[i]->required = false;
	}
	field_mark_required(object);
	for (unsigned i = 0; i < object->shape->part_count; i++)
		for (size_t k = 0; k < ARRAY_LEN(required_keys); k++) {
			const cJSON *all = json_get(object->shape->parts[i], required_keys[k]);
			for (const cJSON *d = json_first(all); d; d = d->next)
				if (d->string && json_get(value, d->string))
					require(object, d);
		}
	for (size_t i = 0; i < object->children.len; i++) {
		struct field *member = object->children.items[i];
		changed = changed || member->required != member->seen;
		if (member->seen && !member->required && !member->filled &&
		    member->state == FIELD_SET)
			member->state = FIELD_OMITTED;
	}
	return changed;
}

static bool
adapt_members(struct field *object, const cJSON *value)
{
	bool changed = mark_required(object, value);

	object->hidden_count = 0;
	for (size_t i = 0; i < object->children.len; i++) {
		struct field *member = object->children.items[i];
		bool was_hidden = member->hidden;
		if (!member->extra && !member->entry)
			changed = follow(object, member) || changed;
		if (member->state == FIELD_OMITTED && !member->hidden && member->required &&
		    (was_hidden || !member->seen))
			field_initialize(member);
		object->hidden_count += member->hidden;
	}
	return changed;
}

static bool
adapt_object(struct field *object)
{
	const struct shape *base = field_base_shape(object);
	bool changed = false;

	for (int round = 0; base->conditional && round < ROUNDS; round++) {
		struct json_doc *doc = field_value(object);
		object->shape = active_shape(object, base, json_root(doc));
		bool more = adapt_members(object, json_root(doc));
		json_doc_destroy(doc);
		changed = changed || more;
		if (!more)
			break;
	}
	return changed;
}

static bool
adapt(struct field *field)
{
	bool changed = false;

	if (field->state != FIELD_SET || !field->filled || field->hidden)
		return false;
	if (field_kind(field) == FIELD_OBJECT)
		changed = adapt_object(field);
	for (size_t i = 0; i < field->children.len; i++)
		changed = adapt(field->children.items[i]) || changed;
	return changed;
}

bool
form_adapt(struct form *form)
{
	if (!form->conditional || !form_can_check(form))
		return false;
	form_begin(form);
	bool changed = adapt(form->root);
	if (changed)
		form->version++;
	return changed;
}

/* ---- anyOf and oneOf that only require: "one of a, b is required" ---- */

#define RULE_NAMES 8

/* The alternative requires members and says nothing else. */
static const cJSON *
only_required(const cJSON *alternative)
{
	const cJSON *required = json_get(alternative, "required");

	if (!required)
		return NULL;
	for (const cJSON *k = json_first(alternative); k; k = k->next)
		if (strcmp(k->string, "required") != 0 && strcmp(k->string, "title") != 0 &&
		    strcmp(k->string, "description") != 0)
			return NULL;
	return json_string(json_first(required)) ? required : NULL;
}

static bool
is_met(const struct field *object, const cJSON *required)
{
	for (const cJSON *r = json_first(required); r; r = r->next) {
		const struct field *member =
		    json_string(r) ? field_find_member(object, json_string(r)) : NULL;
		if (!member || !field_is_sent(member))
			return false;
	}
	return true;
}

static void
add_rule(const struct field *object, const cJSON *group, bool one, bool unmet, struct buf *out)
{
	size_t count = 0, met = 0, start = out->len;

	for (const cJSON *a = json_first(group); a; a = a->next, count++) {
		const cJSON *required = only_required(a);
		if (!required) {
			count = 0;
			break;
		}
		met += is_met(object, required);
	}
	if (count < 2 || count > RULE_NAMES || (unmet && (one ? met == 1 : met > 0)))
		return;
	buf_add_str(out, start > 0 ? "; " : "");
	buf_add_str(out, one ? "exactly one of " : "one of ");
	for (const cJSON *a = json_first(group); a; a = a->next) {
		buf_add_str(out, a == json_first(group) ? "" : a->next ? ", " : " or ");
		const cJSON *required = json_first(only_required(a));
		for (const cJSON *r = required; r; r = r->next)
			buf_addf(out, "%s%.60s", r == required ? "" : " and ",
			    json_string(r) ? json_string(r) : "?");
	}
	buf_add_str(out, " is required");
}

void
field_rules(const struct field *object, bool unmet, struct buf *out)
{
	if (field_kind(object) != FIELD_OBJECT)
		return;
	for (unsigned i = 0; i < object->shape->part_count; i++) {
		const cJSON *part = object->shape->parts[i];
		add_rule(object, json_get(part, "anyOf"), false, unmet, out);
		add_rule(object, json_get(part, "oneOf"), true, unmet, out);
	}
}

#include "form_priv.h"

#include "base/mem.h"
#include "json/equal.h"

#include <limits.h>
#include <stdlib.h>

/*
 * Which variant a value is of: one that it is valid for, and of several the one it has most in
 * common with. Where it is valid for none, the latter alone decides.
 */
#define IMPOSSIBLE INT_MIN
#define MAX_CHECKED 32 /* variants whose validity is looked at */
#define MAX_MEMBERS 64 /* of each part of a schema that are looked for */

static bool
is_choice(const struct shape *shape, const cJSON *json)
{
	for (size_t i = 0; i < shape->choices.len; i++)
		if (json_equal(shape->choices.items[i].value, json))
			return true;
	return false;
}

static bool
takes_type(const struct shape *shape, enum json_type type)
{
	static const unsigned types[] = {
		[JSON_NULL] = SHAPE_NULL,
		[JSON_BOOLEAN] = SHAPE_BOOLEAN,
		[JSON_NUMBER] = SHAPE_INTEGER | SHAPE_FRACTION,
		[JSON_STRING] = SHAPE_STRING,
		[JSON_ARRAY] = SHAPE_ARRAY,
		[JSON_OBJECT] = SHAPE_OBJECT,
	};
	bool said;

	if (shape->kind == FIELD_OBJECT || shape->kind == FIELD_ARRAY)
		return type == (shape->kind == FIELD_OBJECT ? JSON_OBJECT : JSON_ARRAY);
	return (shape_types(shape, &said) & types[type]) != 0;
}

/* A constant that is another one speaks against it more than all else speaks for it. */
static int
score_member(const cJSON *property, const cJSON *value)
{
	const cJSON *constant = json_get(property, "const");
	const cJSON *values = json_get(property, "enum");

	if (!constant && json_count(values) == 1)
		constant = json_first(values);
	if (constant)
		return json_equal(constant, value) ? 50 : -1000;
	return 3;
}

static int
score_members(struct form *form, const struct shape *shape, const cJSON *json)
{
	const cJSON *more = shape_get(shape, "additionalProperties");
	bool closed = json_type(more) == JSON_BOOLEAN && !json_is_true(more);
	int score = 0, known = 0, members = (int)json_count(json);

	for (unsigned i = 0; i < shape->part_count; i++) {
		const cJSON *p = json_first(json_get(shape->parts[i], "properties"));
		for (int n = 0; p && n < MAX_MEMBERS; p = p->next, n++) {
			const cJSON *value = json_get(json, p->string);
			size_t cost = 1 + (size_t)members / 16;
			form->matching -= cost < form->matching ? cost : form->matching;
			known += value != NULL;
			score += value ? score_member(p, value) : 0;
		}
		const cJSON *r = json_first(json_get(shape->parts[i], "required"));
		for (int n = 0; r && n < MAX_MEMBERS; r = r->next, n++)
			score -= json_string(r) && !json_get(json, json_string(r)) ? 4 : 0;
	}
	int unknown = members > known ? members - known : 0;
	return score - (unknown < 100 ? unknown : 100) * (closed ? 5 : 1);
}

static int
score(struct form *form, const struct shape *shape, const cJSON *json)
{
	if (shape->kind == FIELD_ENUM || shape->kind == FIELD_CONST)
		return is_choice(shape, json) ? 10 : IMPOSSIBLE;
	if (!takes_type(shape, json_type(json)))
		return IMPOSSIBLE;
	if (shape->kind == FIELD_OBJECT)
		return score_members(form, shape, json);
	return shape->kind == FIELD_JSON ? -1 : 0;
}

static bool
is_valid(struct form *form, const struct variant *v, const cJSON *json)
{
	for (unsigned i = 0; i < v->pick_count; i++)
		if (!form_holds(form, v->picks[i], json))
			return false;
	return true;
}

static size_t
best(const int *scores, size_t count)
{
	size_t found = NO_VARIANT;

	for (size_t i = 0; i < count; i++)
		if (scores[i] != IMPOSSIBLE && (found == NO_VARIANT || scores[i] > scores[found]))
			found = i;
	return found;
}

static size_t
choose(struct form *form, const struct shape *whole, int *scores, const cJSON *json)
{
	size_t count = whole->variants.len, first = best(scores, count), at = first;

	for (int i = 0; i < MAX_CHECKED && at != NO_VARIANT; i++) {
		if (is_valid(form, &whole->variants.items[at], json))
			return at;
		scores[at] = IMPOSSIBLE;
		at = best(scores, count);
	}
	return first;
}

size_t
field_match(struct field *field, const cJSON *json)
{
	struct form *form = field->form;
	const struct shape *whole = field->whole;
	size_t count = whole->variants.len;
	int *scores = mem_zalloc((count + 1) * sizeof(*scores));
	bool all = true;

	for (size_t i = 0; i < count && all; i++) {
		all = form->matching > 0;
		if (all)
			form->matching--;
		const struct shape *shape =
		    shape_variant(whole, form_schema(form), &form->budget, i);
		scores[i] = score(form, shape, json);
	}
	size_t found = all ? choose(form, whole, scores, json) : NO_VARIANT;
	free(scores);
	return found;
}

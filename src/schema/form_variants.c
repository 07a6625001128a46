#include "form_priv.h"

#include "base/mem.h"
#include "base/vec.h"
#include "json/equal.h"

static bool
has_choices(const struct shape *shape)
{
	return shape->kind == FIELD_ENUM || shape->kind == FIELD_CONST;
}

static void
add_new_choices(struct shape *to, const struct shape *from)
{
	for (size_t i = 0; i < from->choices.len; i++) {
		bool known = false;
		for (size_t k = 0; k < to->choices.len && !known; k++)
			known =
			    json_equal(to->choices.items[k].value, from->choices.items[i].value);
		if (!known && to->choices.len < FORM_MAX_CHOICES)
			*VEC_PUSH(&to->choices) = from->choices.items[i];
	}
}

/* {kind: "a"} in one variant and {kind: "b"} in another are one choice of two. */
static const struct shape *
merge(struct form *form, const struct shape *a, const struct shape *b)
{
	if (a == b || json_equal(a->schema, b->schema))
		return a;
	if (!has_choices(a) || !has_choices(b) || b->choices.len > FORM_MAX_PREFILLED ||
	    a->choices.len > FORM_MAX_PREFILLED)
		return form->anything;
	struct shape *shape = mem_zalloc(sizeof(*shape));
	shape->schema = a->schema;
	shape->parts[0] = a->parts[0];
	shape->part_count = a->part_count > 0;
	shape->kind = FIELD_ENUM;
	shape->nullable = a->nullable || b->nullable;
	add_new_choices(shape, a);
	add_new_choices(shape, b);
	*VEC_PUSH(&form->merged) = shape;
	return shape;
}

static bool
add_branch_properties(struct field *object, const cJSON *properties)
{
	struct form *form = object->form;

	if (json_type(properties) != JSON_OBJECT)
		return true;
	for (const cJSON *p = json_first(properties); p; p = p->next) {
		const struct shape *shape = shape_of(form, p);
		struct field *known = field_find_member(object, p->string);
		if (known) {
			if (known->seen)
				known->shape = merge(form, known->shape, shape);
			continue;
		}
		struct field *member = field_create(form, object, shape);
		if (!member)
			return false;
		member->name = p->string;
		member->seen = true;
		field_add_child(object, member, object->children.len);
	}
	return true;
}

bool
variants_add_properties(struct field *object)
{
	if (object->parent)
		return true;
	for (const cJSON *v = json_first(object->shape->variants); v; v = v->next) {
		struct shape branch = { 0 };
		shape_add_part(&branch, form_schema(object->form), v);
		for (unsigned i = 0; i < branch.part_count; i++)
			if (!add_branch_properties(object, json_get(branch.parts[i], "properties")))
				return false;
	}
	return true;
}

#include "form_priv.h"

/* Lists whose items are choices: filled in by ticking them off. */

static const struct shape *
items_shape(const struct field *field)
{
	if (field_kind(field) != FIELD_ARRAY || shape_get(field->shape, "prefixItems"))
		return NULL;
	const cJSON *items = shape_get(field->shape, "items");
	const struct shape *shape = items ? shape_of(field->form, items) : NULL;
	bool chosen = shape && (shape->kind == FIELD_ENUM || shape->kind == FIELD_CONST);

	return chosen ? shape : NULL;
}

size_t
field_option_count(const struct field *field)
{
	const struct shape *shape = items_shape(field);

	return shape ? shape->choices.len : 0;
}

void
field_option_label(const struct field *field, size_t index, struct buf *out)
{
	const struct shape *shape = items_shape(field);

	if (shape)
		shape_choice_label(shape, index, out);
}

/* The first item that is this option. NULL: none is. */
static struct field *
find_item(const struct field *field, size_t index)
{
	for (size_t i = 0; i < field->children.len; i++) {
		struct field *item = field->children.items[i];
		if (!item->as_json && item->state == FIELD_SET && item->filled &&
		    item->choice == index)
			return item;
	}
	return NULL;
}

bool
field_option_is_on(const struct field *field, size_t index)
{
	return field->state == FIELD_SET && field_option_count(field) > 0 &&
	       find_item(field, index) != NULL;
}

void
field_option_set(struct field *field, size_t index, bool on)
{
	struct field *item;

	if (index >= field_option_count(field))
		return;
	if (field->state != FIELD_SET)
		field_clear(field);
	while (!on && (item = find_item(field, index)))
		field_remove(item);
	if (on && !find_item(field, index) && (item = field_add_item(field, SIZE_MAX)))
		field_set_choice(item, index);
	field->state = FIELD_SET;
	field->filled = true;
	field_changed(field);
}

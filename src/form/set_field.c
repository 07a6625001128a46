#include "tree.h"

#include <stdlib.h>
#include <string.h>

bool
field_set_state(struct field *field, enum field_state state)
{
	bool may_omit = field->parent && !field->item;

	if ((state == FIELD_NULL && !field->shape->nullable) ||
	    (state == FIELD_OMITTED && !may_omit))
		return false;
	field->state = state;
	if (state == FIELD_SET && !field->filled) {
		form_begin(field->form);
		field_fill(field);
		field->state = FIELD_SET;
		field->folded = false;
	}
	field_changed(field);
	return true;
}

void
field_set_text(struct field *field, const char *text, size_t len)
{
	enum field_kind kind = field_kind(field);

	if (kind != FIELD_STRING && kind != FIELD_NUMBER && kind != FIELD_INTEGER &&
	    kind != FIELD_JSON)
		return;
	buf_clear(&field->text);
	buf_add(&field->text, text, len);
	field->state = FIELD_SET;
	field->filled = len > 0 || kind == FIELD_STRING;
	field_changed(field);
}

void
field_set_on(struct field *field, bool on)
{
	if (field_kind(field) != FIELD_BOOLEAN)
		return;
	field->on = on;
	field->state = FIELD_SET;
	field->filled = true;
	field_changed(field);
}

void
field_set_choice(struct field *field, size_t index)
{
	enum field_kind kind = field_kind(field);

	if ((kind != FIELD_ENUM && kind != FIELD_CONST) || index >= field->shape->choices.len)
		return;
	field->choice = index;
	field->state = FIELD_SET;
	field->filled = true;
	field_changed(field);
}

void
field_reset(struct field *field)
{
	form_begin(field->form);
	field_clear(field);
	field_drop_drafts(field);
	if (field->whole->variants.len > 0)
		field_choose(field, 0);
	field->folded = false;
	field_initialize(field);
	field_changed(field);
}

void
field_fold(struct field *field, bool folded)
{
	field->folded = folded;
	field->form->version++;
}

/* ---- JSON mode ---- */

static void
to_json_mode(struct field *field)
{
	struct json_doc *doc = NULL;
	enum field_state state = field->state;

	if (field->filled && state != FIELD_NULL) {
		field->state = FIELD_SET; /* an omitted field still holds its value */
		doc = field_value(field);
	}
	field_clear(field);
	field->as_json = true;
	if (doc)
		field_load_as_json(field, json_root(doc));
	field->state = state;
	json_doc_destroy(doc);
}

static bool
leave_with_value(struct field *field, const cJSON *value, struct err *err)
{
	struct buf typed = field->text;
	static const char *const words[] = {
		[FIELD_STRING] = "a string",
		[FIELD_NUMBER] = "a number",
		[FIELD_INTEGER] = "a number",
		[FIELD_BOOLEAN] = "true or false",
		[FIELD_ENUM] = "one of the choices",
		[FIELD_CONST] = "the only allowed value",
		[FIELD_OBJECT] = "an object",
		[FIELD_ARRAY] = "an array",
		[FIELD_JSON] = "JSON",
	};

	field->text = (struct buf)BUF_INIT;
	field_load(field, value);
	if (!field->as_json) {
		buf_finish(&typed);
		return true;
	}
	buf_finish(&field->text);
	field->text = typed;
	return err_set(err, "this is not %s: it stays JSON",
	    field->whole->variants.len > 0 ? "one of the variants" : words[field->shape->kind]);
}

static bool
to_widget_mode(struct field *field, struct err *err)
{
	enum field_state state = field->state;

	bool only_json = field->shape->kind == FIELD_JSON && field->whole->variants.len == 0;
	if (only_json || field->depth >= FORM_MAX_DEPTH)
		return err_set(err, "this field can only be edited as JSON");
	form_begin(field->form);
	if (!field->filled) {
		field_clear(field);
		if (state == FIELD_SET)
			field_fill(field);
		field->state = state;
		return true;
	}
	struct json_error error;
	struct json_doc *doc = json_parse(buf_text(&field->text), field->text.len, NULL, &error);
	if (!doc)
		return err_set(err, "%u:%u: %s", error.line, error.column, error.text);
	bool fits = leave_with_value(field, json_root(doc), err);
	json_doc_destroy(doc);
	if (state == FIELD_OMITTED)
		field->state = state;
	return fits;
}

bool
field_as_json(struct field *field, bool on, struct err *err)
{
	bool done = true;

	if (on && field_kind(field) == FIELD_JSON)
		return true;
	if (!on && field_kind(field) != FIELD_JSON)
		return true;
	if (on)
		to_json_mode(field);
	else
		done = to_widget_mode(field, err);
	field_changed(field);
	return done;
}

/* ---- items ---- */

size_t
field_tuple_count(const struct field *array)
{
	return field_kind(array) == FIELD_ARRAY ? json_count(shape_tuple(array->shape)) : 0;
}

const struct shape *
field_item_shape(const struct field *array, size_t index)
{
	const cJSON *schema = shape_item(array->shape, index);

	return schema ? shape_of(array->form, schema) : array->form->anything;
}

bool
field_is_complete(const struct field *array)
{
	size_t count = field_tuple_count(array);

	return count > 0 && array->children.len >= count && !shape_item(array->shape, count);
}

struct field *
field_add_item(struct field *array, size_t at)
{
	if (field_kind(array) != FIELD_ARRAY)
		return NULL;
	size_t count = array->children.len;
	if (at > count || at < field_tuple_count(array)) /* no item of a tuple gives way */
		at = count;
	struct field *item = field_create(array->form, array, field_item_shape(array, at));
	if (!item)
		return NULL;
	item->item = true;
	array->state = FIELD_SET;
	array->filled = true;
	field_add_child(array, item, at);
	field_initialize(item);
	field_changed(array);
	return item;
}

bool
field_remove(struct field *field)
{
	struct field *parent = field->parent;

	if (!field->item && !field->extra && !field->entry)
		return false;
	if (field->item && field->index < field_tuple_count(parent) &&
	    field->index + 1 < parent->children.len)
		return false;
	field_set_problem(field, NULL);
	field_detach_child(parent, field->index);
	field_destroy(field);
	field_changed(parent);
	return true;
}

bool
field_move(struct field *item, int by)
{
	if (!item->item || by == 0)
		return false;
	struct field **items = item->parent->children.items;
	size_t from = item->index;
	if (by < 0 ? from < (size_t)(-(long)by) : from + (size_t)by >= item->parent->children.len)
		return false;
	size_t to = by < 0 ? from - (size_t)(-(long)by) : from + (size_t)by;
	if ((from < to ? from : to) < field_tuple_count(item->parent))
		return false;
	for (size_t i = from; i != to; i += by < 0 ? (size_t)-1 : 1) {
		items[i] = items[by < 0 ? i - 1 : i + 1];
		items[i]->index = i;
	}
	items[to] = item;
	item->index = to;
	field_changed(item->parent);
	return true;
}

/* ---- arrays of choices: edited by ticking options ---- */

const struct shape *
field_options(const struct field *field)
{
	if (field_kind(field) != FIELD_ARRAY || shape_tuple(field->shape))
		return NULL;
	const cJSON *items = shape_get(field->shape, "items");
	const struct shape *shape = items ? shape_of(field->form, items) : NULL;
	bool chosen = shape && (shape->kind == FIELD_ENUM || shape->kind == FIELD_CONST);

	return chosen ? shape : NULL;
}

size_t
field_option_count(const struct field *field)
{
	const struct shape *shape = field_options(field);

	return shape ? shape->choices.len : 0;
}

/* The first item with this option, or NULL. */
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

#include "tree.h"

#include "json/equal.h"
#include "json/number.h"
#include "json/print.h"

#include <string.h>

#define PRETTY_BYTES 60 /* longer JSON is split into lines */

void
field_take_json(struct field *field, const char *text, size_t len)
{
	field_clear(field);
	field->as_json = true;
	buf_add(&field->text, text, len);
	field->state = FIELD_SET;
	field->filled = len > 0;
}

void
field_take_string(struct field *field, const char *text)
{
	struct buf json = BUF_INIT;

	json_print_string(&json, text, strlen(text));
	field_take_json(field, buf_text(&json), json.len);
	buf_finish(&json);
}

void
field_load_as_json(struct field *field, const cJSON *json)
{
	struct buf text = BUF_INIT;

	json_print(&text, json);
	if (text.len > PRETTY_BYTES && json_count(json) > 0) {
		buf_clear(&text);
		json_print_pretty(&text, json, 2);
	}
	field_take_json(field, buf_text(&text), text.len);
	buf_finish(&text);
}

static bool
load_members(struct field *object, const cJSON *json)
{
	if (!field_make_members(object))
		return false;
	for (size_t i = 0; i < object->children.len; i++)
		object->children.items[i]->seen = false;
	for (const cJSON *m = json_first(json); m; m = m->next) {
		struct field *member = field_find_member(object, m->string);
		if (!member || member->seen) /* unknown, or a duplicate key */
			member = field_add_extra(object, m->string);
		if (!member)
			return false;
		member->seen = true;
		field_give(member);
		field_load(member, m);
	}
	return true;
}

static bool
load_items(struct field *array, const cJSON *json)
{
	bool fold = json_count(json) > 20;

	for (const cJSON *i = json_first(json); i; i = i->next) {
		struct field *item =
		    field_create(array->form, array, field_item_shape(array, array->children.len));
		if (!item)
			return false;
		item->item = true;
		field_add_child(array, item, array->children.len);
		field_load(item, i);
		item->folded = fold;
	}
	array->filled = true;
	return true;
}

/* The spelling must match too: 1.0 is not the choice 1, because it would be sent as 1. */
static bool
is_same(const cJSON *a, const cJSON *b)
{
	if (!json_equal(a, b))
		return false;
	struct buf ta = BUF_INIT, tb = BUF_INIT;
	json_print(&ta, a);
	json_print(&tb, b);
	bool same = ta.len == tb.len && memcmp(buf_text(&ta), buf_text(&tb), ta.len) == 0;
	buf_finish(&ta);
	buf_finish(&tb);
	return same;
}

static bool
load_choice(struct field *field, const cJSON *json)
{
	for (size_t i = 0; i < field->shape->choices.len; i++)
		if (is_same(field->shape->choices.items[i].value, json)) {
			field->choice = i;
			field->filled = true;
			return true;
		}
	return false;
}

static bool
load_text(struct field *field, const char *text)
{
	buf_add_str(&field->text, text);
	field->filled = true;
	return true;
}

static bool
load_scalar(struct field *field, const cJSON *json)
{
	char number[JSON_NUMBER_TEXT_MAX];
	enum field_kind kind = field_kind(field);

	switch (json_type(json)) {
	case JSON_STRING:
		return kind == FIELD_STRING && load_text(field, json_string(json));
	case JSON_NUMBER:
		return (kind == FIELD_NUMBER || kind == FIELD_INTEGER) &&
		       load_text(field, json_number_text(json, number));
	case JSON_BOOLEAN:
		field->on = json_is_true(json);
		field->filled = kind == FIELD_BOOLEAN;
		return field->filled;
	case JSON_OBJECT:
		return kind == FIELD_OBJECT && load_members(field, json);
	case JSON_ARRAY:
		return kind == FIELD_ARRAY && load_items(field, json);
	case JSON_NULL:
	case JSON_ABSENT:
		break;
	}
	return false;
}

void
field_load_here(struct field *field, const cJSON *json)
{
	bool is_null = json_type(json) == JSON_NULL;

	field_clear(field);
	field_changed(field);
	field->state = is_null && field->shape->nullable ? FIELD_NULL : FIELD_SET;
	if (field->state == FIELD_NULL)
		return;
	bool choice = field_kind(field) == FIELD_ENUM || field_kind(field) == FIELD_CONST;
	if (choice ? load_choice(field, json) : load_scalar(field, json))
		return;
	field_load_as_json(field, json);
	/* This variant needs JSON; it is not just edited as JSON. */
	field->as_json = field->depth >= FORM_MAX_DEPTH || field->shape->kind != FIELD_JSON;
	field_changed(field);
}

void
field_load(struct field *field, const cJSON *json)
{
	bool is_null = json_type(json) == JSON_NULL && field->shape->nullable;
	bool choice = field->whole->variants.len > 0 && !is_null;
	size_t variant = choice ? field_match(field, json) : field->variant;

	if (choice && variant == NO_VARIANT) { /* matches no variant */
		field_load_as_json(field, json);
		field_changed(field);
		return;
	}
	if (choice)
		field_choose(field, variant);
	field_load_here(field, json);
}

/* ---- the whole ---- */

bool
form_load_json(struct form *form, const char *text, size_t len, struct json_error *error)
{
	struct json_doc *doc = json_parse(text, len, NULL, error);

	if (!doc)
		return false;
	form_begin(form);
	field_load(form->root, json_root(doc));
	json_doc_destroy(doc);
	return true;
}

void
form_load_raw(struct form *form, const char *text, size_t len)
{
	if (form_load_json(form, text, len, NULL))
		return;
	field_take_json(form->root, text, len);
	field_changed(form->root);
}

/* A field as a separate text, for an editor or from a file. */

const char *
field_example(const struct field *field, size_t index)
{
	const cJSON *examples = shape_get(field->shape, "examples");

	if (json_type(examples) != JSON_ARRAY)
		return NULL;
	for (const cJSON *e = json_first(examples); e; e = e->next)
		if (json_string(e) && index-- == 0)
			return json_string(e);
	return NULL;
}

void
field_to_text(const struct field *field, struct buf *out)
{
	if (field_kind(field) == FIELD_STRING || field_kind(field) == FIELD_JSON) {
		buf_add(out, buf_text(&field->text), field->text.len);
		return;
	}
	if (!field->filled || field->state != FIELD_SET)
		return;
	struct json_doc *doc = field_value(field);
	if (doc)
		json_print_pretty(out, json_root(doc), 2);
	json_doc_destroy(doc);
}

bool
field_from_text(struct field *field, const char *text, size_t len)
{
	form_begin(field->form);
	if (field_kind(field) == FIELD_STRING) {
		field_set_text(field, text, len);
		return true;
	}
	struct json_doc *doc = json_parse(text, len, NULL, NULL);
	bool ok = doc || len == 0;
	if (doc)
		field_load(field, json_root(doc));
	else
		field_take_json(field, text, len);
	json_doc_destroy(doc);
	field_changed(field);
	return ok;
}

void
field_put_string(struct field *field, const char *text, size_t len)
{
	struct json_doc *doc = string_value(text, len);

	form_begin(field->form);
	field_load(field, json_root(doc));
	json_doc_destroy(doc);
}

#include "form_priv.h"

#include "json/print.h"

#include <string.h>

/* A field that holds JSON, be it the text itself or a string of it. */
static void
take_json_or_string(struct field *field, const char *text)
{
	struct json_doc *doc = json_parse(text, strlen(text), NULL, NULL);
	struct buf string = BUF_INIT;

	if (!doc)
		json_print_string(&string, text, strlen(text));
	if (doc)
		field_take_json(field, text, strlen(text));
	else
		field_take_json(field, buf_text(&string), string.len);
	json_doc_destroy(doc);
	buf_finish(&string);
}

static bool
take_boolean(struct field *field, const char *text)
{
	bool on = strcmp(text, "true") == 0;

	if (!on && strcmp(text, "false") != 0)
		return false;
	field_set_on(field, on);
	return true;
}

/* By its label or, being a string, by its value; then by its JSON. */
static bool
take_choice(struct field *field, const char *text)
{
	struct buf label = BUF_INIT, json = BUF_INIT;
	bool found = false;

	for (size_t i = 0; i < field->shape->choices.len && !found; i++) {
		const cJSON *value = field->shape->choices.items[i].value;
		buf_clear(&label);
		buf_clear(&json);
		field_choice_label(field, i, &label);
		json_print(&json, value);
		const char *plain = json_string(value) ? json_string(value) : buf_text(&json);
		found = strcmp(plain, text) == 0 || strcmp(buf_text(&label), text) == 0;
		if (found)
			field_set_choice(field, i);
	}
	buf_finish(&label);
	buf_finish(&json);
	return found;
}

static void
take_typed(struct field *field, const char *text)
{
	struct buf string = BUF_INIT;

	field_clear(field);
	if (field->whole->variants.len > 0) {
		take_json_or_string(field, text);
		return;
	}
	if (field->shape->nullable && field->shape->kind != FIELD_STRING &&
	    strcmp(text, "null") == 0) {
		field_set_state(field, FIELD_NULL);
		return;
	}
	switch (field->shape->kind) {
	case FIELD_STRING:
	case FIELD_NUMBER:
	case FIELD_INTEGER:
		field_set_text(field, text, strlen(text));
		if (!field->filled) /* a number of no text */
			field_take_json(field, "\"\"", 2);
		return;
	case FIELD_BOOLEAN:
		if (take_boolean(field, text))
			return;
		break;
	case FIELD_ENUM:
	case FIELD_CONST:
		if (take_choice(field, text))
			return;
		break;
	case FIELD_OBJECT:
	case FIELD_ARRAY:
	case FIELD_JSON:
		take_json_or_string(field, text);
		return;
	}
	json_print_string(&string, text, strlen(text));
	field_take_json(field, buf_text(&string), string.len);
	buf_finish(&string);
}

bool
form_set_typed(struct form *form, const char *path, const char *text, struct err *err)
{
	struct field *field = form_reach(form, path, true, err);

	if (!field)
		return false;
	if (field->extra) { /* no schema says what it is */
		struct buf string = BUF_INIT;
		json_print_string(&string, text, strlen(text));
		field_take_json(field, buf_text(&string), string.len);
		buf_finish(&string);
	} else {
		take_typed(field, text);
	}
	field_changed(field);
	form_begin(form);
	field_settle(field, true);
	return true;
}

bool
form_set_json(struct form *form, const char *path, const char *json, struct err *err)
{
	struct json_error error;
	struct json_doc *doc = json_parse(json, strlen(json), NULL, &error);

	if (!doc)
		return err_set(err, "not JSON, %u:%u: %s", error.line, error.column, error.text);
	json_doc_destroy(doc);
	struct field *field = form_reach(form, path, true, err);
	if (!field)
		return false;
	field_take_json(field, json, strlen(json));
	field_changed(field);
	form_begin(form);
	field_settle(field, true);
	return true;
}

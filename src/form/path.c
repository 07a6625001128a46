#include "tree.h"

#include "json/pointer.h"
#include "json/print.h"

#include <string.h>

/* The next token of a pointer ("/a/0") or of a dotted path ("a.0" or "a[0]"). */
static bool
next_token(const char **at, bool dotted, struct buf *token)
{
	if (!dotted)
		return json_pointer_next(at, token);
	buf_clear(token);
	if (!**at)
		return false;
	if (**at == '.' || **at == '[')
		(*at)++;
	size_t len = strcspn(*at, ".[");
	size_t used = len > 0 && (*at)[len - 1] == ']' ? len - 1 : len;
	buf_add(token, *at, used);
	*at += len;
	return true;
}

static bool
to_index(const char *text, size_t *index)
{
	*index = 0;
	if (!*text || (*text == '0' && text[1]))
		return false;
	for (; *text; text++) {
		if (*text < '0' || *text > '9' || *index > FORM_MAX_FIELDS)
			return false;
		*index = *index * 10 + (size_t)(*text - '0');
	}
	return true;
}

static struct field *
find_child(const struct field *field, const char *token)
{
	size_t index;

	switch (field_kind(field)) {
	case FIELD_OBJECT:
		return field_find_member(field, token);
	case FIELD_ARRAY:
		return to_index(token, &index) ? field_child(field, index) : NULL;
	default:
		return NULL;
	}
}

/* A plain name may contain dots. */
static struct field *
find_plain(const struct form *form, const char *path)
{
	return path[0] == '/' || !path[0] ? NULL : find_child(form->root, path);
}

struct field *
form_find(const struct form *form, const char *path)
{
	struct field *field = find_plain(form, path);
	struct buf token = BUF_INIT;
	bool dotted = path[0] != '/';
	const char *at = path;

	if (!field) {
		field = form->root;
		while (field && next_token(&at, dotted, &token))
			field = find_child(field, buf_text(&token));
		if (*at)
			field = NULL;
	}
	buf_finish(&token);
	return field;
}

/* ---- setting ---- */

static struct field *
reach_item(struct field *array, const char *token, bool bare, struct err *err)
{
	size_t index = array->children.len;

	if (strcmp(token, "-") != 0 && !to_index(token, &index)) {
		err_set(err, "\"%.80s\" is not an index", token);
		return NULL;
	}
	if (index < array->children.len)
		return array->children.items[index];
	if (index > array->children.len) {
		err_set(err, "there are only %zu items", array->children.len);
		return NULL;
	}
	struct field *item = field_add_item(array, index);
	if (!item)
		err_set(err, "the form is full");
	else if (bare)
		field_clear(item);
	return item;
}

static struct field *
reach_member(struct field *object, const char *token, bool last, struct err *err)
{
	struct field *member = field_find_member(object, token);

	if (member)
		return member;
	if (!last) {
		err_set(err, "there is no field \"%.80s\"", token);
		return NULL;
	}
	member = field_add_extra(object, token);
	if (!member)
		err_set(err, "the form is full");
	return member;
}

struct reach {
	bool bare; /* objects created along the path get no defaults and no items */
	bool last; /* token of the path */
};

static void
set_parent(struct field *field, bool bare)
{
	if (!bare) {
		field_set_state(field, FIELD_SET);
		return;
	}
	field_clear(field);
	field->state = FIELD_SET;
	field->filled = true;
	if (field->shape->kind == FIELD_OBJECT)
		field_make_members(field);
}

/* The child with that name, created if it is missing; sets the parent. */
static struct field *
reach_child(struct field *field, const char *token, struct reach how, struct err *err)
{
	bool is_json = field_kind(field) == FIELD_JSON && field->filled;

	if (is_json && (field->shape->kind != FIELD_JSON || field_variant_count(field) > 0) &&
	    !field_as_json(field, false, err))
		return NULL;
	field_choose_for(field, token, how.bare);
	enum field_kind kind = field->shape->kind;
	if (kind != FIELD_OBJECT && kind != FIELD_ARRAY) {
		err_set(err, "this field has no members or items: set its whole value");
		return NULL;
	}
	if (field->state != FIELD_SET || !field->filled)
		set_parent(field, how.bare);
	if (kind == FIELD_ARRAY)
		return reach_item(field, token, how.bare, err);
	return reach_member(field, token, how.last, err);
}

static struct field *
form_reach(struct form *form, const char *path, bool bare, struct err *err)
{
	struct field *field = find_plain(form, path);
	struct buf token = BUF_INIT;
	bool dotted = path[0] != '/';
	const char *at = path;

	if (!field) {
		field = form->root;
		while (field && next_token(&at, dotted, &token))
			field = reach_child(field, buf_text(&token),
			    (struct reach){ .bare = bare, .last = !*at }, err);
		if (field && *at) {
			err_set(err, "\"%.80s\" is not a JSON Pointer", path);
			field = NULL;
		}
	}
	buf_finish(&token);
	return field;
}

struct field *
form_reach_field(struct form *form, const char *path, struct err *err)
{
	return form_reach(form, path, false, err);
}

static bool
not_json(const struct json_error *error, struct err *err)
{
	return err_set(err, "not JSON, %u:%u: %s", error->line, error->column, error->text);
}

/* The name of a variant, or a string that a variant accepts. */
static bool
set_word_of_variant(struct field *field, const char *text)
{
	struct buf json = BUF_INIT;
	size_t variant = NO_VARIANT;

	for (size_t i = 0; i < field_variant_count(field); i++)
		if (strcmp(field_variant_name(field, i), text) == 0) {
			field_set_variant(field, i);
			return true;
		}
	json_print_string(&json, text, strlen(text));
	struct json_doc *doc = json_parse(buf_text(&json), json.len, NULL, NULL);
	if (doc)
		variant = field_match(field, json_root(doc));
	if (variant != NO_VARIANT)
		field_load(field, json_root(doc));
	json_doc_destroy(doc);
	buf_finish(&json);
	return variant != NO_VARIANT;
}

/* The token is the constant of another variant of the parent. */
static bool
set_word_of_parent(struct field *field, const char *text)
{
	struct buf json = BUF_INIT;

	if (field->shape->choices.len == 0 || !field->parent ||
	    field_variant_count(field->parent) == 0)
		return false;
	json_print_string(&json, text, strlen(text));
	field_take_json(field, buf_text(&json), json.len);
	buf_finish(&json);
	return true;
}

static bool
set_bare_word(
    struct field *field, const char *text, const struct json_error *error, struct err *err)
{
	struct buf label = BUF_INIT;

	if (field->whole->variants.len > 0)
		return set_word_of_variant(field, text) || not_json(error, err);
	if (field->shape->kind == FIELD_STRING) {
		field_clear(field);
		field_set_text(field, text, strlen(text));
		return true;
	}
	for (size_t i = 0; i < field->shape->choices.len; i++) {
		buf_clear(&label);
		const char *value = json_string(field->shape->choices.items[i].value);
		field_choice_label(field, i, &label);
		if (strcmp(buf_text(&label), text) != 0 && (!value || strcmp(value, text) != 0))
			continue;
		buf_finish(&label);
		field_clear(field);
		field_set_choice(field, i);
		return true;
	}
	buf_finish(&label);
	return set_word_of_parent(field, text) || not_json(error, err);
}

bool
form_set(struct form *form, const char *path, const char *text, struct err *err)
{
	struct json_error error;
	struct field *field = form_reach(form, path, false, err);

	if (!field)
		return false;
	struct json_doc *doc = json_parse(text, strlen(text), NULL, &error);
	form_begin(form);
	if (doc)
		field_load(field, json_root(doc));
	else if (!set_bare_word(field, text, &error, err))
		return false;
	json_doc_destroy(doc);
	field_settle(field, false);
	return true;
}

/* A JSON field: the text is JSON, or else a string. */
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

/* Matches the label, then the string value, then the JSON. */
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
		if (!field->filled) /* a number without text */
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
	if (field->extra) { /* the schema does not declare its type */
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

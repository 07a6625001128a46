/* SPDX-License-Identifier: MIT */
#include "tree.h"

#include "json/pointer.h"
#include "json/print.h"
#include "json/write.h"

#include <stdlib.h>
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

struct field *
field_step(const struct field *field, const char *token)
{
	size_t index;

	if (field_kind(field) == FIELD_OBJECT)
		return field_find_member(field, token);
	if (field_kind(field) == FIELD_ARRAY &&
	    json_pointer_index(token, field->children.len, &index))
		return field->children.items[index];
	return NULL;
}

/* ---- creating missing fields ---- */

static struct field *
reach_item(struct field *array, const char *token, bool bare, struct err *err)
{
	size_t index = array->children.len;

	if (strcmp(token, "-") != 0 && !json_pointer_index(token, SIZE_MAX / 16, &index)) {
		err_set(err, "\"%.80s\" is not an index", token);
		return NULL;
	}
	if (index < array->children.len)
		return array->children.items[index];
	if (index > array->children.len) {
		err_set(err, "the next index is %zu", array->children.len);
		return NULL;
	}
	struct field *item = field_add_item(array, index);
	if (!item)
		err_set(err, "the form is full");
	else if (bare)
		field_clear(item);
	return item;
}

enum walk {
	WALK_FIND,
	WALK_REACH,
	WALK_REACH_DECLARED, /* adds no member that the schema does not declare */
	WALK_REACH_BARE,     /* objects created along the path get no defaults and no items */
};

static struct field *
reach_member(struct field *object, const char *token, enum walk how, bool last, struct err *err)
{
	struct field *member = field_find_member(object, token);

	if (member) {
		field_give(member);
		return member;
	}
	if (how == WALK_REACH_DECLARED && !field_is_map(object)) {
		err_set(err, "%s", "");
		return NULL;
	}
	if (!last && !field_is_map(object)) {
		err_set(err, "there is no field \"%.80s\"", token);
		return NULL;
	}
	member = field_add_extra(object, token);
	if (!member)
		err_set(err, "the form is full");
	return member;
}

/* The child with that name, created if it is missing; sets the parent. */
static struct field *
reach_child(struct field *field, const char *token, enum walk how, bool last, struct err *err)
{
	bool bare = how == WALK_REACH_BARE;
	bool is_json = field_kind(field) == FIELD_JSON && field->filled;

	if (is_json && (field->shape->kind != FIELD_JSON || field_variant_count(field) > 0) &&
	    !field_as_json(field, false, err))
		return NULL;
	field_choose_for(field, token, bare);
	enum field_kind kind = field->shape->kind;
	if (kind != FIELD_OBJECT && kind != FIELD_ARRAY) {
		err_set(err, "this field has no members or items: set its whole value");
		return NULL;
	}
	bool missing = field->state != FIELD_SET || !field->filled;
	if (missing && !bare) {
		field_set_state(field, FIELD_SET);
	} else if (missing) {
		field_clear(field);
		field->state = FIELD_SET;
		field->filled = true;
		if (kind == FIELD_OBJECT)
			field_make_members(field);
	}
	return kind == FIELD_ARRAY ? reach_item(field, token, bare, err)
				   : reach_member(field, token, how, last, err);
}

/* Return whether neither a schema nor fields describe the contents of the value. */
static bool
is_free(const struct field *field)
{
	return field->shape->kind == FIELD_JSON && field->whole->variants.len == 0;
}

/* rest: set to the part of the path inside a field without fields; NULL: not allowed. */
static struct field *
walk(const struct form *form, const char *path, enum walk how, const char **rest, struct err *err)
{
	bool dotted = path[0] != '/';
	/* A plain name may contain dots. */
	struct field *field = dotted && path[0] ? field_step(form->root, path) : NULL;
	struct buf token = BUF_INIT;
	const char *at = path;

	if (field && how != WALK_FIND)
		field_give(field);
	if (field && rest)
		*rest = "";
	if (field)
		return field;
	field = form->root;
	while (field && !(rest && *at && is_free(field)) && next_token(&at, dotted, &token))
		field = how == WALK_FIND ? field_step(field, buf_text(&token))
					 : reach_child(field, buf_text(&token), how, !*at, err);
	buf_finish(&token);
	if (rest)
		*rest = at;
	if (field && *at && !(rest && is_free(field))) {
		err_set(err, "\"%.80s\" is not a JSON Pointer", path);
		return NULL;
	}
	return field;
}

struct field *
form_find(const struct form *form, const char *path)
{
	return walk(form, path, WALK_FIND, NULL, NULL);
}

struct field *
form_reach_field(struct form *form, const char *path, struct err *err)
{
	return walk(form, path, WALK_REACH, NULL, err);
}

/* ---- values below a field that has no fields ---- */

struct below {
	struct json_writer w;
	bool dotted;
	const cJSON *value;
	struct err *err;
};

static bool write_below(struct below *b, const cJSON *old, const char *at, int depth);

static bool
write_items(struct below *b, const cJSON *old, const char *token, const char *at, int depth)
{
	size_t index = json_count(old), count = 0;

	if (strcmp(token, "-") != 0 && !json_pointer_index(token, SIZE_MAX / 16, &index))
		return err_set(b->err, "\"%.80s\" is not an index", token);
	if (index > json_count(old))
		return err_set(b->err, "the next index is %zu", json_count(old));
	json_write_array(&b->w);
	for (const cJSON *item = json_first(old); item; item = item->next, count++) {
		if (count != index)
			json_write_value(&b->w, item);
		else if (!write_below(b, item, at, depth))
			return false;
	}
	if (index == count && !write_below(b, NULL, at, depth))
		return false;
	json_write_array_end(&b->w);
	return true;
}

static bool
write_members(struct below *b, const cJSON *old, const char *token, const char *at, int depth)
{
	bool done = false;

	json_write_object(&b->w);
	for (const cJSON *member = json_first(old); member; member = member->next) {
		bool same = strcmp(member->string, token) == 0;
		if (same && done)
			continue;
		json_write_key(&b->w, member->string);
		if (!same)
			json_write_value(&b->w, member);
		else if (!write_below(b, member, at, depth))
			return false;
		done |= same;
	}
	if (!done) {
		json_write_key(&b->w, token);
		if (!write_below(b, NULL, at, depth))
			return false;
	}
	json_write_object_end(&b->w);
	return true;
}

/* Write the old value with the new one at the path, adding missing objects, or arrays for "[0]". */
static bool
write_below(struct below *b, const cJSON *old, const char *at, int depth)
{
	enum json_type type = json_type(old);
	bool bracket = b->dotted && *at == '[';
	struct buf token = BUF_INIT;
	bool ok;

	if (*at == '\0') {
		json_write_value(&b->w, b->value);
		return true;
	}
	bool is_token = next_token(&at, b->dotted, &token);
	const char *name = buf_text(&token);
	if (!is_token)
		ok = err_set(b->err, "\"%.80s\" is not a JSON Pointer", at);
	else if (depth == 0)
		ok = err_set(b->err, "the path is too deep");
	else if (type == JSON_ARRAY || (bracket && (!old || type == JSON_NULL)))
		ok = write_items(b, type == JSON_ARRAY ? old : NULL, name, at, depth - 1);
	else if (type == JSON_OBJECT || !old || type == JSON_NULL)
		ok = write_members(b, old, name, at, depth - 1);
	else
		ok = err_set(b->err, "there is no \"%.80s\" in a value without members", name);
	buf_finish(&token);
	return ok;
}

/* path: the whole path, for its syntax. */
static bool
set_below(
    struct field *field, const char *path, const char *rest, const cJSON *value, struct err *err)
{
	struct json_doc *old =
	    field->state == FIELD_SET && field->filled ? field_value(field) : NULL;
	struct below b = { .dotted = path[0] != '/', .value = value, .err = err };
	struct buf text = BUF_INIT;

	json_write_init(&b.w, &text);
	bool ok = write_below(&b, old ? json_root(old) : NULL, rest, FORM_MAX_DEPTH);
	if (ok)
		field_take_json(field, buf_text(&text), text.len);
	buf_finish(&text);
	json_doc_destroy(old);
	return ok;
}

/* ---- values as typed ---- */

static bool
not_json(const struct json_error *error, struct err *err)
{
	return err_set(err, "not JSON, %u:%u: %s", error->line, error->column, error->text);
}

/* The name of a variant, or a string that a variant accepts. */
static bool
set_word_of_variant(struct field *field, const char *text)
{
	for (size_t i = 0; i < field_variant_count(field); i++)
		if (strcmp(field_variant_name(field, i), text) == 0) {
			field_set_variant(field, i);
			return true;
		}
	struct json_doc *doc = string_value(text, strlen(text));
	bool fits = field_match(field, json_root(doc)) != NO_VARIANT;
	if (fits)
		field_load(field, json_root(doc));
	json_doc_destroy(doc);
	return fits;
}

/* Takes the choice with this label, string or JSON. */
static bool
set_choice(struct field *field, const char *text)
{
	for (size_t i = 0; i < field->shape->choices.len; i++) {
		const cJSON *value = field->shape->choices.items[i].value;
		const char *plain = cJSON_GetStringValue(value);
		char *json = json_text(value);
		struct buf label = BUF_INIT;
		field_choice_label(field, i, &label);
		bool is =
		    strcmp(plain ? plain : json, text) == 0 || strcmp(buf_text(&label), text) == 0;
		buf_finish(&label);
		free(json);
		if (is) {
			field_clear(field);
			field_set_choice(field, i);
			return true;
		}
	}
	return false;
}

static bool
set_bare_word(
    struct field *field, const char *text, const struct json_error *error, struct err *err)
{
	struct field *parent = field->parent;

	if (field->whole->variants.len > 0)
		return set_word_of_variant(field, text) || not_json(error, err);
	if (field->shape->kind == FIELD_STRING || field_is_inferred(field)) {
		field_clear(field);
		field_set_text(field, text, strlen(text));
		return true;
	}
	if (set_choice(field, text))
		return true;
	if (field->shape->choices.len == 0 || !parent || field_variant_count(parent) == 0)
		return not_json(error, err);
	field_take_string(field, text); /* the constant of another variant of the parent? */
	return true;
}

bool
form_set(
    struct form *form, const char *path, const char *text, enum form_extra extra, struct err *err)
{
	struct json_error error;
	const char *rest;
	enum walk how = extra == FORM_EXTRA_ADDED ? WALK_REACH : WALK_REACH_DECLARED;
	struct field *field = walk(form, path, how, &rest, err);

	if (!field)
		return false;
	struct json_doc *doc = json_parse(text, strlen(text), NULL, &error);
	bool ok = true;
	form_begin(form);
	if (*rest && !doc)
		doc = string_value(text, strlen(text));
	if (*rest)
		ok = set_below(field, path, rest, json_root(doc), err);
	else if (doc)
		field_load(field, json_root(doc));
	else
		ok = set_bare_word(field, text, &error, err);
	json_doc_destroy(doc);
	if (!ok)
		return false;
	field_settle(field, false);
	form_adapt(form);
	return true;
}

/* Take the text as JSON, or else as a string. */
static void
take_json_or_string(struct field *field, const char *text)
{
	struct json_doc *doc = json_parse(text, strlen(text), NULL, NULL);

	if (doc)
		field_take_json(field, text, strlen(text));
	else
		field_take_string(field, text);
	json_doc_destroy(doc);
}

/* False: the text does not fit the type. */
static bool
take_typed(struct field *field, const char *text)
{
	bool on = strcmp(text, "true") == 0;

	switch (field->shape->kind) {
	case FIELD_STRING:
	case FIELD_NUMBER:
	case FIELD_INTEGER:
		field_set_text(field, text, strlen(text));
		return field->filled; /* false: a number without text */
	case FIELD_BOOLEAN:
		field_set_on(field, on);
		return on || strcmp(text, "false") == 0;
	case FIELD_ENUM:
	case FIELD_CONST:
		return set_choice(field, text);
	case FIELD_OBJECT:
	case FIELD_ARRAY:
	case FIELD_JSON:
		break;
	}
	take_json_or_string(field, text);
	return true;
}

static bool
settle_typed(struct field *field)
{
	field_changed(field);
	form_begin(field->form);
	field_settle(field, true);
	return true;
}

bool
form_set_typed(struct form *form, const char *path, const char *text, struct err *err)
{
	const char *rest;
	struct field *field = walk(form, path, WALK_REACH_BARE, &rest, err);

	if (!field)
		return false;
	if (*rest) {
		struct json_doc *doc = json_parse(text, strlen(text), NULL, NULL);
		if (!doc)
			doc = string_value(text, strlen(text));
		bool ok = set_below(field, path, rest, json_root(doc), err);
		json_doc_destroy(doc);
		return ok && settle_typed(field);
	}
	field_clear(field);
	if (field->extra) /* the schema does not declare its type */
		field_take_string(field, text);
	else if (field->whole->variants.len > 0)
		take_json_or_string(field, text);
	else if (field->shape->nullable && field->shape->kind != FIELD_STRING &&
		 strcmp(text, "null") == 0)
		field_set_state(field, FIELD_NULL);
	else if (!take_typed(field, text))
		field_take_string(field, text);
	return settle_typed(field);
}

bool
form_set_json(struct form *form, const char *path, const char *json, struct err *err)
{
	struct json_error error;
	struct json_doc *doc = json_parse(json, strlen(json), NULL, &error);

	if (!doc)
		return not_json(&error, err);
	const char *rest;
	struct field *field = walk(form, path, WALK_REACH_BARE, &rest, err);
	bool ok = field != NULL;
	if (ok && *rest)
		ok = set_below(field, path, rest, json_root(doc), err);
	else if (ok)
		field_take_json(field, json, strlen(json));
	json_doc_destroy(doc);
	return ok && settle_typed(field);
}

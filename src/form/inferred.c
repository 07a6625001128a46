#include "tree.h"

#include "json/number.h"
#include "json/print.h"

#include <string.h>

/*
 * Values whose type follows from what is typed. Either the schema allows several scalar types, each
 * of which is a variant, or it does not say a type, and the text is JSON or else a string.
 */

#define SCALARS_MOST 4 /* string, number, integer, boolean */

/* ---- which fields they are ---- */

static bool
find_scalars(const struct shape *whole, const cJSON *root, size_t *budget)
{
	size_t count = whole->variants.len;
	unsigned seen = 0;

	if (count < 2 || count > SCALARS_MOST)
		return false;
	for (size_t i = 0; i < count; i++) {
		enum field_kind kind = shape_variant(whole, root, budget, i)->kind;
		unsigned bit = 1u << kind;
		if (kind > FIELD_BOOLEAN || seen & bit)
			return false;
		seen |= bit;
	}
	return true;
}

static bool
is_union(const struct field *field)
{
	struct shape *whole = (struct shape *)field->whole; /* known after the first question */

	if (!whole->scalars_known)
		whole->scalars =
		    find_scalars(whole, form_schema(field->form), &field->form->budget);
	whole->scalars_known = true;
	return whole->scalars && !field->as_json;
}

static bool
is_untyped(const struct field *field)
{
	const struct shape *shape = field->shape;
	bool said;

	if (!field->parent || shape->kind != FIELD_JSON || field->whole->variants.len > 0)
		return false;
	shape_types(shape, &said);
	return !said && !shape->unresolved && !shape->overflowed && field->depth < FORM_MAX_DEPTH;
}

bool
field_is_inferred(const struct field *field)
{
	return is_union(field) || is_untyped(field);
}

/* ---- from text to type ---- */

static size_t
variant_of(const struct field *field, enum field_kind kind)
{
	const struct shape *whole = field->whole;

	for (size_t i = 0; i < whole->variants.len; i++)
		if (whole->variants.items[i].shape->kind == kind)
			return i;
	return NO_VARIANT;
}

static bool
is_word(const char *text, size_t len, const char *word)
{
	return len == strlen(word) && memcmp(text, word, len) == 0;
}

static bool
is_integer(const char *text, size_t len)
{
	struct json_doc *doc = json_parse(text, len, NULL, NULL);
	bool integer = doc && json_number_is_integer(json_root(doc));

	json_doc_destroy(doc);
	return integer;
}

/* The variants for a number, best first; a text that no variant fits goes to a number too, and the
 * check says so. */
static size_t
number_variant(const struct field *field, bool integer)
{
	size_t whole = variant_of(field, FIELD_INTEGER), any = variant_of(field, FIELD_NUMBER);

	return any == NO_VARIANT || (integer && whole != NO_VARIANT) ? whole : any;
}

static size_t
infer(const struct field *field, const char *text, size_t len)
{
	bool on_off = is_word(text, len, "true") || is_word(text, len, "false");
	size_t string = variant_of(field, FIELD_STRING), found = NO_VARIANT;

	if (on_off)
		found = variant_of(field, FIELD_BOOLEAN);
	else if (json_is_number_text(text, len)) {
		bool integer = is_integer(text, len);
		found = number_variant(field, integer);
		if (!integer && string != NO_VARIANT &&
		    variant_of(field, FIELD_NUMBER) == NO_VARIANT)
			found = string;
	}
	if (found == NO_VARIANT)
		found = string;
	return found != NO_VARIANT ? found : number_variant(field, false);
}

static void
set_in_variant(struct field *field, size_t variant, const char *text, size_t len)
{
	field_clear(field);
	field_choose(field, variant);
	field->state = FIELD_SET;
	if (field->shape->kind == FIELD_BOOLEAN)
		field_set_on(field, is_word(text, len, "true"));
	else
		field_set_text(field, text, len);
}

void
field_set_inferred(struct field *field, const char *text, size_t len, bool string)
{
	if (!is_union(field)) {
		field_set_text(field, text, len);
		return;
	}
	size_t variant = variant_of(field, FIELD_STRING);
	if (!string && field->shape->nullable && is_word(text, len, "null")) {
		field_clear(field);
		field_set_state(field, FIELD_NULL);
		return;
	}
	if (!string || variant == NO_VARIANT)
		variant = infer(field, text, len);
	set_in_variant(field, variant, text, len);
}

/* ---- from type to text ---- */

void
field_inferred_text(const struct field *field, struct buf *out)
{
	if (field->state != FIELD_SET || !field->filled)
		return;
	if (field_kind(field) == FIELD_BOOLEAN)
		buf_add_str(out, field->on ? "true" : "false");
	else
		buf_add(out, buf_text(&field->text), field->text.len);
}

/* The string that the field has, or has by default; NULL if it has none. */
static const char *
string_of(const struct field *field, size_t *len)
{
	const char *text = json_string(field_default(field));

	*len = text ? strlen(text) : field->text.len;
	if (text)
		return text;
	return field->state == FIELD_SET && field->filled && field->shape->kind == FIELD_STRING
		   ? buf_text(&field->text)
		   : NULL;
}

bool
field_is_plain_string(const struct field *field)
{
	size_t len;
	const char *text = is_union(field) ? string_of(field, &len) : NULL;

	return text && (infer(field, text, len) != variant_of(field, FIELD_STRING) ||
			   (field->shape->nullable && is_word(text, len, "null")));
}

const char *
field_sent_type(const struct field *field)
{
	if (!field_is_inferred(field) || field->state != FIELD_SET || !field->filled)
		return NULL;
	if (is_union(field))
		return shape_type_word(field->shape);
	struct json_doc *doc = field_value(field);
	const char *type = json_type_name(json_type(json_root(doc)));
	json_doc_destroy(doc);
	return type;
}

/* ---- the other type for the same text ---- */

/* 5 becomes "5", and "5" becomes 5. */
static bool
switch_untyped(struct field *field)
{
	struct json_doc *doc = json_parse(buf_text(&field->text), field->text.len, NULL, NULL);
	const char *inside = json_string(json_root(doc));
	struct json_doc *value = inside ? json_parse(inside, strlen(inside), NULL, NULL) : NULL;
	struct buf text = BUF_INIT;

	if (value)
		buf_add_str(&text, inside);
	else if (doc && !inside)
		json_print_string(&text, buf_text(&field->text), field->text.len);
	if (text.len > 0)
		field_set_text(field, buf_text(&text), text.len);
	bool changed = text.len > 0;
	buf_finish(&text);
	json_doc_destroy(value);
	json_doc_destroy(doc);
	return changed;
}

bool
field_switch_type(struct field *field)
{
	struct buf text = BUF_INIT;
	bool plain = field_is_plain_string(field);

	if (!field_is_inferred(field) || field->state != FIELD_SET || !field->filled)
		return false;
	if (!is_union(field))
		return switch_untyped(field);
	if (!plain &&
	    (field->shape->kind == FIELD_STRING || variant_of(field, FIELD_STRING) == NO_VARIANT))
		return false;
	field_inferred_text(field, &text);
	field_set_inferred(field, buf_text(&text), text.len, !plain);
	buf_finish(&text);
	return true;
}

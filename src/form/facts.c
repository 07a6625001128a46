#include "tree.h"

#include "base/units.h"
#include "base/vec.h"
#include "json/number.h"
#include "json/print.h"

#include <string.h>

#define FACT_BYTES 60
#define TUPLE_LISTED 4

static void
add_separator(struct buf *out, size_t start)
{
	if (out->len > start)
		buf_add_str(out, ", ");
}

static void
add_counted(const char *before, size_t count, const char *one, struct buf *out)
{
	buf_add_str(out, before);
	units_add_counted(out, count, one);
}

/* A bound worth showing: generators add the limits of a double's integers without meaning them. */
static const char *
bound(const struct shape *shape, const char *keyword, char buffer[JSON_NUMBER_TEXT_MAX])
{
	const cJSON *node = shape_get(shape, keyword);

	if (json_type(node) != JSON_NUMBER)
		return NULL;
	const char *text = json_number_text(node, buffer);
	return strcmp(text[0] == '-' ? text + 1 : text, "9007199254740991") == 0 ? NULL : text;
}

/* In draft-04 a boolean says that minimum or maximum is exclusive. */
static bool
excludes(const struct shape *shape, const char *keyword)
{
	return json_is_true(shape_get(shape, keyword));
}

static void
add_number_facts(const struct shape *shape, struct buf *out)
{
	char b[5][JSON_NUMBER_TEXT_MAX];
	const char *least = bound(shape, "minimum", b[0]);
	const char *most = bound(shape, "maximum", b[1]);
	const char *above = bound(shape, "exclusiveMinimum", b[2]);
	const char *below = bound(shape, "exclusiveMaximum", b[3]);
	const char *multiple = bound(shape, "multipleOf", b[4]);

	if (least && excludes(shape, "exclusiveMinimum")) {
		above = least;
		least = NULL;
	}
	if (most && excludes(shape, "exclusiveMaximum")) {
		below = most;
		most = NULL;
	}
	if (above)
		buf_addf(out, " > %s", above);
	if (least && most)
		buf_addf(out, " %s…%s", least, most);
	else if (least)
		buf_addf(out, " ≥ %s", least);
	else if (most)
		buf_addf(out, " ≤ %s", most);
	if (below)
		buf_addf(out, " < %s", below);
	if (multiple)
		buf_addf(out, ", multiple of %s", multiple);
}

static void
add_count_facts(const struct shape *shape, const char *least_key, const char *most_key,
    const char *unit, struct buf *out)
{
	char b[2][JSON_NUMBER_TEXT_MAX];
	const char *least = bound(shape, least_key, b[0]);
	const char *most = bound(shape, most_key, b[1]);

	if (least && strcmp(least, "0") == 0)
		least = NULL;
	if (least && most && strcmp(least, most) == 0)
		buf_addf(out, ", exactly %s %ss", least, unit);
	else if (least && most)
		buf_addf(out, ", %s…%s %ss", least, most, unit);
	else if (least)
		buf_addf(out, ", at least %s %s%s", least, unit, strcmp(least, "1") ? "s" : "");
	else if (most)
		buf_addf(out, ", at most %s %s%s", most, unit, strcmp(most, "1") ? "s" : "");
}

static void
add_format(const char *format, struct buf *out)
{
	static const struct {
		const char *format, *like;
	} likes[] = {
		{ "date", "2026-07-28" },
		{ "time", "12:30:00Z" },
		{ "date-time", "2026-07-28T12:30:00Z" },
		{ "duration", "P1DT2H" },
	};

	buf_addf(out, ", format %.60s", format);
	for (size_t i = 0; i < ARRAY_LEN(likes); i++)
		if (strcmp(likes[i].format, format) == 0)
			buf_addf(out, " like %s", likes[i].like);
}

static void
add_string_facts(const struct shape *shape, struct buf *out)
{
	const char *encoding = shape_get_string(shape, "contentEncoding");
	const char *format = shape_get_string(shape, "format");
	const char *pattern = shape_get_string(shape, "pattern");

	add_count_facts(shape, "minLength", "maxLength", "character", out);
	if (format)
		add_format(format, out);
	if (encoding)
		buf_addf(out, ", bytes as %.20s", encoding);
	if (pattern)
		buf_addf(out, ", pattern %.60s%s", pattern, strlen(pattern) > 60 ? "…" : "");
}

/* " [number, string]": the types of the items of a tuple. */
static void
add_tuple_facts(const struct field *field, size_t count, struct buf *out)
{
	for (size_t i = 0; i < count && i < TUPLE_LISTED; i++) {
		const struct shape *item = field_item_shape(field, i);
		buf_add_str(out, i == 0 ? " [" : ", ");
		buf_add_str(out, item->variants.len > 0     ? "variants"
				 : item->kind == FIELD_JSON ? "JSON"
							    : shape_type_word(item));
	}
	buf_add_str(out, count > TUPLE_LISTED ? ", …]" : "]");
}

static void
add_array_facts(const struct field *field, struct buf *out)
{
	const struct shape *shape = field->shape;
	const struct shape *items = shape_of(field->form, shape_get(shape, "items"));
	size_t tuple = field_tuple_count(field);

	if (tuple > 0) {
		add_tuple_facts(field, tuple, out);
		return;
	}
	if (field_option_count(field) > 0)
		add_counted(" of ", field_option_count(field), "choice", out);
	else if (items->variants.len > 0)
		add_counted(" of ", items->variants.len, "variant", out);
	else
		buf_addf(
		    out, " of %s", items->kind == FIELD_JSON ? "JSON" : shape_type_word(items));
	if (items->kind == FIELD_NUMBER || items->kind == FIELD_INTEGER)
		add_number_facts(items, out);
	add_count_facts(shape, "minItems", "maxItems", "item", out);
	if (json_is_true(shape_get(shape, "uniqueItems")))
		buf_add_str(out, ", unique items");
}

static void
add_map_facts(const struct field *field, struct buf *out)
{
	const cJSON *entry = shape_entry(field->shape);

	if (!entry)
		return;
	const struct shape *values = shape_of(field->form, entry);
	if (values->variants.len > 0)
		add_counted(
		    " with names of your own, each one of ", values->variants.len, "variant", out);
	else if (values->kind == FIELD_JSON)
		buf_add_str(out, " with names of your own");
	else
		buf_addf(out, " with names of your own, each %s", shape_type_word(values));
	add_count_facts(field->shape, "minProperties", "maxProperties", "name", out);
}

/* "integer ≥ 1 or string": the types of an inferred field. */
static void
add_scalar_facts(const struct field *field, struct buf *out)
{
	const struct shape *whole = field->whole;

	for (size_t i = 0; i < whole->variants.len; i++) {
		const struct shape *shape = whole->variants.items[i].shape;
		buf_add_str(out, i > 0 ? " or " : "");
		buf_add_str(out, shape_type_word(shape));
		if (shape->kind == FIELD_STRING)
			add_string_facts(shape, out);
		else
			add_number_facts(shape, out);
	}
}

static void
add_type_facts(const struct field *field, struct buf *out)
{
	const struct shape *shape = field->shape;

	if (field->parent || shape->kind != FIELD_OBJECT)
		buf_add_str(out, shape_type_word(shape));
	switch (shape->kind) {
	case FIELD_ENUM:
		buf_add_str(out, " of ");
		units_add_count(out, shape->choices.len);
		break;
	case FIELD_NUMBER:
	case FIELD_INTEGER:
		add_number_facts(shape, out);
		break;
	case FIELD_STRING:
		add_string_facts(shape, out);
		break;
	case FIELD_ARRAY:
		add_array_facts(field, out);
		break;
	case FIELD_OBJECT:
		add_map_facts(field, out);
		break;
	default:
		break;
	}
	if (shape->nullable)
		buf_add_str(out, " or null");
}

static void
add_value_fact(const char *word, const cJSON *value, struct buf *out, size_t start)
{
	const char *text = json_string(value);

	if (!value)
		return;
	add_separator(out, start);
	buf_addf(out, "%s ", word);
	if (text && *text && strlen(text) <= FACT_BYTES)
		buf_add_str(out, text);
	else
		json_print_brief(out, value, FACT_BYTES);
}

static void
add_word_if(const cJSON *flag, const char *word, struct buf *out, size_t start)
{
	if (!json_is_true(flag))
		return;
	add_separator(out, start);
	buf_add_str(out, word);
}

/* Describes the value alone, for the row below the one that chooses the variant. */
void
field_value_facts(const struct field *field, struct buf *out)
{
	add_type_facts(field, out);
	add_value_fact("for example", json_first(shape_get(field->shape, "examples")), out, 0);
}

void
field_facts(const struct field *field, struct buf *out)
{
	size_t start = out->len;

	if (field->extra || field->given) {
		buf_add_str(out, "not in the schema");
		return;
	}
	if (field->whole->variants.len == 0)
		add_type_facts(field, out);
	else if (field_is_inferred(field))
		add_scalar_facts(field, out);
	else
		add_counted("one of ", field->whole->variants.len, "variant", out);
	if (field->whole->variants.len > 0 && field->whole->nullable)
		buf_add_str(out, " or null");
	if (field->required && !field->item && !field->entry) {
		add_separator(out, start);
		buf_add_str(out, "required");
	}
	add_word_if(shape_get(field->whole, "readOnly"), "read-only", out, start);
	add_word_if(shape_get(field->whole, "deprecated"), "deprecated", out, start);
	add_value_fact("default", shape_get(field->whole, "default"), out, start);
	if (field->shape->kind != FIELD_BOOLEAN && field->shape->kind != FIELD_ENUM)
		add_value_fact(
		    "for example", json_first(shape_get(field->shape, "examples")), out, start);
}

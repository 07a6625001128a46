/* SPDX-License-Identifier: MIT */
#include "base/units.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "form/field.h"
#include "json/number.h"
#include "json/pointer.h"
#include "json/print.h"
#include "tree.h"

#include <string.h>

struct field_view
field_view(const struct field *field)
{
	const char *encoding = shape_get_string(field->shape, "contentEncoding");
	const char *format = shape_get_string(field->shape, "format");
	bool binary = format && (strcmp(format, "byte") == 0 || strcmp(format, "binary") == 0);

	return (struct field_view){
		.kind = field_kind(field),
		.schema_kind = field->shape->kind,
		.name = field->name,
		.title = shape_get_string(field->whole, "title"),
		.description = shape_get_string(field->shape, "description"),
		.required = field->required,
		.nullable = field->shape->nullable,
		.extra = field->extra || field->given,
		.read_only = cJSON_IsTrue(shape_get(field->whole, "readOnly")),
		.deprecated = cJSON_IsTrue(shape_get(field->whole, "deprecated")),
		.base64 = binary || (encoding && strcmp(encoding, "base64") == 0),
		.format = field->shape->kind == FIELD_STRING ? format : NULL,
		.item = field->item,
		.fixed = field->item && field->index < field_tuple_count(field->parent),
		.complete = field_is_complete(field),
		.map = field_is_map(field),
		.entry = field->entry,
		.variant_count = field_variant_count(field),
		.variant = field->variant,
		.inferred = field_is_inferred(field),
		.choice_count = field->shape->choices.len,
		.option_count = field_option_count(field),
		.parent = field->parent,
		.index = field->index,
		.child_count = field->children.len,
		.hidden_count = field->hidden_count,
		.folded = field_is_folded(field),
		.state = field->state,
		.filled = field->filled,
		.text = buf_text(&field->text),
		.text_len = field->text.len,
		.on = field->on,
		.choice = field->choice,
		.problem = field->problem,
		.problems_below = field->problems_below,
	};
}

void
field_pointer(const struct field *field, struct buf *out)
{
	if (!field->parent)
		return;
	field_pointer(field->parent, out);
	if (field->name)
		json_pointer_add_key(out, field->name);
	else
		json_pointer_add_index(out, field->index);
}

struct field *
field_child(const struct field *field, size_t index)
{
	return index < field->children.len ? field->children.items[index] : NULL;
}

/* ---- value ---- */

void
shape_choice_label(const struct shape *shape, size_t index, struct buf *out)
{
	if (index >= shape->choices.len)
		return;
	const struct choice *choice = &shape->choices.items[index];
	const char *text = choice->label ? choice->label : cJSON_GetStringValue(choice->value);
	if (text)
		buf_add_str(out, text);
	else
		json_print(out, choice->value);
}

/* Return the shape with the choices: of the field, or of the items of an array with options. */
static const struct shape *
with_choices(const struct field *field)
{
	const struct shape *options = field_options(field);

	return options ? options : field->shape;
}

struct choice
field_choice(const struct field *field, size_t index)
{
	return with_choices(field)->choices.items[index];
}

void
field_choice_label(const struct field *field, size_t index, struct buf *out)
{
	shape_choice_label(with_choices(field), index, out);
}

void
field_choice_value(const struct field *field, size_t index, struct buf *out)
{
	const struct shape *shape = with_choices(field);

	if (index >= shape->choices.len || !shape->choices.items[index].label)
		return;
	const struct choice choice = shape->choices.items[index];
	const char *text = cJSON_GetStringValue(choice.value);
	if (text && strcmp(text, choice.label) != 0)
		buf_add_str(out, text);
	else if (!text)
		json_print(out, choice.value);
}

void
field_brief(const struct field *field, size_t max_bytes, struct buf *out)
{
	struct buf text = { .max = max_bytes * 4 + 1024 };
	enum field_kind kind = field_kind(field);

	if (field->state == FIELD_NULL) {
		buf_add_str(out, "null");
	} else if (!field->filled) {
		return;
	} else if (kind == FIELD_ARRAY && field_option_count(field) > 0) {
		/* "Monday, Tuesday": the items of an array of choices. */
		size_t start = out->len;
		for (size_t i = 0; i < field->children.len && out->len - start < max_bytes; i++) {
			if (i > 0)
				buf_add_str(out, ", ");
			field_brief(field->children.items[i], max_bytes, out);
		}
	} else if (kind == FIELD_ARRAY) {
		buf_addf(out, "%zu item%s", field->children.len, plural(field->children.len));
	} else if (kind == FIELD_ENUM || kind == FIELD_CONST) {
		field_choice_label(field, field->choice, out);
	} else if (kind == FIELD_OBJECT || kind == FIELD_BOOLEAN) {
		field_print(field, &text);
		utf8_add_cut(out, buf_text(&text), text.len, max_bytes);
	} else {
		utf8_add_cut(out, buf_text(&field->text), field->text.len, max_bytes);
	}
	buf_finish(&text);
}

bool
field_is_sent(const struct field *field)
{
	if (!field->parent || field->item)
		return true;
	if (field->hidden)
		return false;
	return field->state == FIELD_NULL || (field->state == FIELD_SET && field->filled);
}

static void
print_members(const struct field *object, struct buf *out)
{
	bool comma = false;

	buf_add_char(out, '{');
	for (size_t i = 0; i < object->children.len && !out->overflowed; i++) {
		const struct field *member = object->children.items[i];
		if (!field_is_sent(member))
			continue;
		if (comma)
			buf_add_char(out, ',');
		comma = true;
		json_print_string(out, member->name, strlen(member->name));
		buf_add_char(out, ':');
		field_print(member, out);
	}
	buf_add_char(out, '}');
}

static struct json_doc *
parse_field_text(const struct buf *text)
{
	return json_parse(buf_text(text), text->len, NULL, NULL);
}

void
field_print(const struct field *field, struct buf *out)
{
	const char *text, *end;
	struct json_doc *doc;

	if (field->state != FIELD_SET || !field->filled) {
		buf_add_str(out, "null");
		return;
	}
	switch (field_kind(field)) {
	case FIELD_STRING:
		json_print_string(out, buf_text(&field->text), field->text.len);
		break;
	case FIELD_NUMBER:
	case FIELD_INTEGER:
		text = buf_text(&field->text);
		end = text + field->text.len;
		while (text < end && *text == ' ')
			text++;
		while (end > text && end[-1] == ' ')
			end--;
		if (json_is_number_text(text, (size_t)(end - text)))
			buf_add(out, text, (size_t)(end - text));
		else
			json_print_string(out, buf_text(&field->text), field->text.len);
		break;
	case FIELD_BOOLEAN:
		buf_add_str(out, field->on ? "true" : "false");
		break;
	case FIELD_ENUM:
	case FIELD_CONST:
		json_print(out, field->shape->choices.items[field->choice].value);
		break;
	case FIELD_OBJECT:
		print_members(field, out);
		break;
	case FIELD_ARRAY:
		buf_add_char(out, '[');
		for (size_t i = 0; i < field->children.len && !out->overflowed; i++) {
			if (i > 0)
				buf_add_char(out, ',');
			field_print(field->children.items[i], out);
		}
		buf_add_char(out, ']');
		break;
	case FIELD_JSON:
		if ((doc = parse_field_text(&field->text)))
			json_print(out, json_root(doc));
		else
			json_print_string(out, buf_text(&field->text), field->text.len);
		json_doc_destroy(doc);
		break;
	}
}

/* ---- whole values ---- */

struct json_doc *
field_value(const struct field *field)
{
	struct buf json = BUF_INIT;

	field_print(field, &json);
	struct json_doc *doc = parse_field_text(&json);
	buf_finish(&json);
	return doc;
}

struct json_doc *
string_value(const char *text, size_t len)
{
	struct buf json = BUF_INIT;

	json_print_string(&json, text, len);
	struct json_doc *doc = parse_field_text(&json);
	buf_finish(&json);
	return doc;
}

bool
form_to_json(const struct form *form, struct buf *out)
{
	const struct field *root = form->root;
	struct json_doc *doc = NULL;
	bool raw = root->filled && root->as_json;
	char *to;

	if (!root->filled)
		buf_add_str(out, "{}");
	else if (!raw)
		print_members(root, out);
	else if ((doc = parse_field_text(&root->text)))
		json_print(out, json_root(doc));
	else if ((to = buf_reserve(out, root->text.len))) {
		/* sent as typed, but without newlines, because a message is one line */
		for (size_t i = 0; i < root->text.len; i++) {
			char c = root->text.data[i];
			to[i] = c == '\n' || c == '\r' ? ' ' : c;
		}
		buf_commit(out, root->text.len);
	}
	json_doc_destroy(doc);
	return doc || !raw;
}

bool
form_equal(const struct form *a, const struct form *b)
{
	struct buf one = BUF_INIT, other = BUF_INIT;

	form_to_json(a, &one);
	form_to_json(b, &other);
	bool same = one.len == other.len && memcmp(buf_text(&one), buf_text(&other), one.len) == 0;
	buf_finish(&one);
	buf_finish(&other);
	return same;
}

bool
form_to_json_shown(const struct form *form, struct buf *line, struct buf *pretty)
{
	const struct form_filler *filler = &form->filler;
	struct buf text = BUF_INIT;
	struct json_doc *doc = NULL;

	bool is_json = form_to_json(form, &text);
	if (is_json && filler->fill &&
	    filler->fill(filler->user, buf_text(&text), text.len, true, line))
		doc = json_parse(buf_text(line), line->len, NULL, NULL);
	else
		buf_add(line, buf_text(&text), text.len);
	buf_finish(&text);
	if (!doc)
		return form_to_json_pretty(form, pretty);
	json_print_pretty(pretty, json_root(doc), 2);
	json_doc_destroy(doc);
	return is_json;
}

bool
form_to_json_pretty(const struct form *form, struct buf *out)
{
	struct buf json = BUF_INIT;
	struct json_doc *doc = form_to_json(form, &json) ? parse_field_text(&json) : NULL;

	buf_finish(&json);
	if (doc)
		json_print_pretty(out, json_root(doc), 2);
	else
		buf_add(out, buf_text(&form->root->text), form->root->text.len);
	json_doc_destroy(doc);
	return doc != NULL;
}

#define FACT_BYTES 60
#define TUPLE_LISTED 4

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

/* In draft-04 a boolean makes minimum or maximum exclusive. */
static void
add_number_facts(const struct shape *shape, struct buf *out)
{
	char b[5][JSON_NUMBER_TEXT_MAX];
	const char *least = bound(shape, "minimum", b[0]);
	const char *most = bound(shape, "maximum", b[1]);
	const char *above = bound(shape, "exclusiveMinimum", b[2]);
	const char *below = bound(shape, "exclusiveMaximum", b[3]);
	const char *multiple = bound(shape, "multipleOf", b[4]);

	if (least && cJSON_IsTrue(shape_get(shape, "exclusiveMinimum"))) {
		above = least;
		least = NULL;
	}
	if (most && cJSON_IsTrue(shape_get(shape, "exclusiveMaximum"))) {
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
add_string_facts(const struct shape *shape, struct buf *out)
{
	const char *encoding = shape_get_string(shape, "contentEncoding");
	const char *format = shape_get_string(shape, "format");
	const char *pattern = shape_get_string(shape, "pattern");

	add_count_facts(shape, "minLength", "maxLength", "character", out);
	if (format) {
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
	if (encoding)
		buf_addf(out, ", bytes as %.20s", encoding);
	if (pattern)
		buf_addf(out, ", pattern %.60s%s", pattern, strlen(pattern) > 60 ? "…" : "");
}

static void
add_array_facts(const struct field *field, struct buf *out)
{
	const struct shape *shape = field->shape;
	const struct shape *items = shape_of(field->form, shape_get(shape, "items"));
	size_t tuple = field_tuple_count(field);

	for (size_t i = 0; i < tuple && i < TUPLE_LISTED; i++) { /* " [number, string]" */
		const struct shape *item = field_item_shape(field, i);
		buf_add_str(out, i == 0 ? " [" : ", ");
		buf_add_str(out, item->variants.len > 0     ? "variants"
				 : item->kind == FIELD_JSON ? "JSON"
							    : shape_type_word(item));
	}
	if (tuple > 0) {
		buf_add_str(out, tuple > TUPLE_LISTED ? ", …]" : "]");
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
	if (cJSON_IsTrue(shape_get(shape, "uniqueItems")))
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
	const char *text = cJSON_GetStringValue(value);

	if (!value)
		return;
	buf_addf(out, "%s%s ", out->len > start ? ", " : "", word);
	if (text && *text && strlen(text) <= FACT_BYTES)
		buf_add_str(out, text);
	else
		json_print_brief(out, value, FACT_BYTES);
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
	const struct {
		bool is;
		const char *word;
	} words[] = {
		{ field->required && !field->item && !field->entry, "required" },
		{ cJSON_IsTrue(shape_get(field->whole, "readOnly")), "read-only" },
		{ cJSON_IsTrue(shape_get(field->whole, "deprecated")), "deprecated" },
	};
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (words[i].is)
			buf_addf(out, "%s%s", out->len > start ? ", " : "", words[i].word);
	add_value_fact("default", shape_get(field->whole, "default"), out, start);
	if (field->shape->kind != FIELD_BOOLEAN && field->shape->kind != FIELD_ENUM)
		add_value_fact(
		    "for example", json_first(shape_get(field->shape, "examples")), out, start);
}

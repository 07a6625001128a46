#include "form/field.h"

#include "base/units.h"
#include "base/utf8.h"
#include "json/number.h"
#include "json/pointer.h"
#include "json/print.h"
#include "tree.h"

#include <string.h>

static bool
is_base64(const struct shape *shape)
{
	const char *encoding = shape_get_string(shape, "contentEncoding");
	const char *format = shape_get_string(shape, "format");

	return (encoding && strcmp(encoding, "base64") == 0) ||
	       (format && (strcmp(format, "byte") == 0 || strcmp(format, "binary") == 0));
}

struct field_view
field_view(const struct field *field)
{
	return (struct field_view){
		.kind = field_kind(field),
		.schema_kind = field->shape->kind,
		.name = field->name,
		.title = shape_get_string(field->whole, "title"),
		.description = shape_get_string(field->shape, "description"),
		.required = field->required,
		.nullable = field->shape->nullable,
		.extra = field->extra || field->given,
		.read_only = json_is_true(shape_get(field->whole, "readOnly")),
		.deprecated = json_is_true(shape_get(field->whole, "deprecated")),
		.base64 = is_base64(field->shape),
		.format = field->shape->kind == FIELD_STRING
			      ? shape_get_string(field->shape, "format")
			      : NULL,
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
	const char *text = choice->label ? choice->label : json_string(choice->value);
	if (text)
		buf_add_str(out, text);
	else
		json_print(out, choice->value);
}

/* The shape that has the choices: of the field, or of the items that are ticked. */
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
	const char *text = json_string(choice.value);
	if (text && strcmp(text, choice.label) != 0)
		buf_add_str(out, text);
	else if (!text)
		json_print(out, choice.value);
}

/* "Monday, Tuesday": the items of an array of choices. */
static void
add_items(const struct field *field, size_t max_bytes, struct buf *out)
{
	size_t start = out->len;

	for (size_t i = 0; i < field->children.len && out->len - start < max_bytes; i++) {
		if (i > 0)
			buf_add_str(out, ", ");
		field_brief(field->children.items[i], max_bytes, out);
	}
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
		add_items(field, max_bytes, out);
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

static void
print_items(const struct field *array, struct buf *out)
{
	buf_add_char(out, '[');
	for (size_t i = 0; i < array->children.len && !out->overflowed; i++) {
		if (i > 0)
			buf_add_char(out, ',');
		field_print(array->children.items[i], out);
	}
	buf_add_char(out, ']');
}

static void
print_number(const struct field *field, struct buf *out)
{
	const char *text = buf_text(&field->text);
	const char *end = text + field->text.len;

	while (text < end && *text == ' ')
		text++;
	while (end > text && end[-1] == ' ')
		end--;
	if (json_is_number_text(text, (size_t)(end - text)))
		buf_add(out, text, (size_t)(end - text));
	else
		json_print_string(out, buf_text(&field->text), field->text.len);
}

static struct json_doc *
parse(const struct buf *text)
{
	return json_parse(buf_text(text), text->len, NULL, NULL);
}

static void
print_json_text(const struct field *field, struct buf *out)
{
	struct json_doc *doc = parse(&field->text);

	if (doc)
		json_print(out, json_root(doc));
	else
		json_print_string(out, buf_text(&field->text), field->text.len);
	json_doc_destroy(doc);
}

void
field_print(const struct field *field, struct buf *out)
{
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
		print_number(field, out);
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
		print_items(field, out);
		break;
	case FIELD_JSON:
		print_json_text(field, out);
		break;
	}
}

/* ---- whole values ---- */

struct json_doc *
field_value(const struct field *field)
{
	struct buf json = BUF_INIT;

	field_print(field, &json);
	struct json_doc *doc = parse(&json);
	buf_finish(&json);
	return doc;
}

struct json_doc *
string_value(const char *text, size_t len)
{
	struct buf json = BUF_INIT;

	json_print_string(&json, text, len);
	struct json_doc *doc = parse(&json);
	buf_finish(&json);
	return doc;
}

struct json_doc *
form_value(const struct form *form)
{
	struct buf json = BUF_INIT;
	struct json_doc *doc = form_to_json(form, &json) ? parse(&json) : NULL;

	buf_finish(&json);
	return doc;
}

/* Text that is not JSON is sent as typed, but without newlines because a message is one line. */
static void
print_raw(const struct buf *text, struct buf *out)
{
	char *to = buf_reserve(out, text->len);

	for (size_t i = 0; to && i < text->len; i++)
		to[i] = text->data[i] == '\n' || text->data[i] == '\r' ? ' ' : text->data[i];
	if (to)
		buf_commit(out, text->len);
}

bool
form_to_json(const struct form *form, struct buf *out)
{
	const struct field *root = form->root;
	struct json_doc *doc = NULL;
	bool raw = root->filled && root->as_json;

	if (!root->filled)
		buf_add_str(out, "{}");
	else if (!raw)
		print_members(root, out);
	else if ((doc = parse(&root->text)))
		json_print(out, json_root(doc));
	else
		print_raw(&root->text, out);
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
	struct json_doc *doc = form_value(form);

	if (doc)
		json_print_pretty(out, json_root(doc), 2);
	else
		buf_add(out, buf_text(&form->root->text), form->root->text.len);
	json_doc_destroy(doc);
	return doc != NULL;
}

#include "form_priv.h"

#include "json/number.h"
#include "json/print.h"

#include <string.h>

bool
field_is_sent(const struct field *field)
{
	if (!field->parent || field->item)
		return true;
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

static void
print_json_text(const struct field *field, struct buf *out)
{
	struct json_doc *doc = json_parse(buf_text(&field->text), field->text.len, NULL, NULL);

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

/* ---- the whole ---- */

/* What is no JSON goes out as typed, but a message is one line. */
static bool
print_raw(const struct buf *text, struct buf *out)
{
	char *to = buf_reserve(out, text->len);

	if (!to)
		return false;
	for (size_t i = 0; i < text->len; i++)
		to[i] = text->data[i] == '\n' || text->data[i] == '\r' ? ' ' : text->data[i];
	buf_commit(out, text->len);
	return false;
}

bool
form_to_json(const struct form *form, struct buf *out)
{
	const struct field *root = form->root;

	if (!root->filled) {
		buf_add_str(out, "{}");
		return true;
	}
	if (!root->as_json) {
		print_members(root, out);
		return true;
	}
	struct json_doc *doc = json_parse(buf_text(&root->text), root->text.len, NULL, NULL);
	if (!doc)
		return print_raw(&root->text, out);
	json_print(out, json_root(doc));
	json_doc_destroy(doc);
	return true;
}

bool
form_to_json_pretty(const struct form *form, struct buf *out)
{
	struct buf text = BUF_INIT;
	bool is_json = form_to_json(form, &text);
	struct json_doc *doc = is_json ? json_parse(buf_text(&text), text.len, NULL, NULL) : NULL;

	if (doc)
		json_print_pretty(out, json_root(doc), 2);
	else
		buf_add(out, buf_text(&form->root->text), form->root->text.len);
	json_doc_destroy(doc);
	buf_finish(&text);
	return is_json;
}

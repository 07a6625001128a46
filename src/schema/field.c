#include "schema/field.h"

#include "form_priv.h"

#include "json/pointer.h"
#include "json/print.h"

#include <string.h>

enum field_kind
field_kind(const struct field *field)
{
	return field->as_json ? FIELD_JSON : field->shape->kind;
}

enum field_kind
field_schema_kind(const struct field *field)
{
	return field->shape->kind;
}

const char *
field_name(const struct field *field)
{
	return field->name;
}

const char *
field_title(const struct field *field)
{
	return shape_get_string(field->whole, "title");
}

const char *
field_description(const struct field *field)
{
	return shape_get_string(field->shape, "description");
}

bool
field_is_required(const struct field *field)
{
	return field->required;
}

bool
field_is_nullable(const struct field *field)
{
	return field->shape->nullable;
}

bool
field_is_extra(const struct field *field)
{
	return field->extra;
}

bool
field_is_item(const struct field *field)
{
	return field->item;
}

bool
field_is_entry(const struct field *field)
{
	return field->entry;
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
field_parent(const struct field *field)
{
	return field->parent;
}

size_t
field_index(const struct field *field)
{
	return field->index;
}

size_t
field_child_count(const struct field *field)
{
	return field->children.len;
}

struct field *
field_child(const struct field *field, size_t index)
{
	return index < field->children.len ? field->children.items[index] : NULL;
}

bool
field_is_folded(const struct field *field)
{
	return field->folded || field_option_count(field) > 0;
}

/* ---- value ---- */

enum field_state
field_state(const struct field *field)
{
	return field->state;
}

bool
field_is_filled(const struct field *field)
{
	return field->filled;
}

const char *
field_text(const struct field *field)
{
	return buf_text(&field->text);
}

size_t
field_text_len(const struct field *field)
{
	return field->text.len;
}

bool
field_is_on(const struct field *field)
{
	return field->on;
}

size_t
field_choice(const struct field *field)
{
	return field->choice;
}

size_t
field_choice_count(const struct field *field)
{
	return field->shape->choices.len;
}

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

void
field_choice_label(const struct field *field, size_t index, struct buf *out)
{
	shape_choice_label(field->shape, index, out);
}

static void
add_shortened(const char *text, size_t len, size_t max_bytes, struct buf *out)
{
	size_t cut = len;

	if (len > max_bytes) {
		cut = max_bytes;
		while (cut > 0 && ((unsigned char)text[cut] & 0xc0) == 0x80)
			cut--;
	}
	buf_add(out, text, cut);
	if (cut < len)
		buf_add_str(out, "…");
}

/* "Monday, Tuesday": the items of a list of choices. */
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
		buf_addf(
		    out, "%zu item%s", field->children.len, field->children.len == 1 ? "" : "s");
	} else if (kind == FIELD_ENUM || kind == FIELD_CONST) {
		field_choice_label(field, field->choice, out);
	} else if (kind == FIELD_OBJECT || kind == FIELD_BOOLEAN) {
		field_print(field, &text);
		add_shortened(buf_text(&text), text.len, max_bytes, out);
	} else {
		add_shortened(buf_text(&field->text), field->text.len, max_bytes, out);
	}
	buf_finish(&text);
}

const char *
field_problem(const struct field *field)
{
	return field->problem;
}

size_t
field_problems_below(const struct field *field)
{
	return field->problems_below;
}

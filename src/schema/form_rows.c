#include "form_priv.h"

#include "base/mem.h"

static void
add_row(struct form *form, struct form_row row)
{
	if (form->row_count == form->row_cap) {
		form->row_cap = form->row_cap ? form->row_cap * 2 : 64;
		form->rows = mem_realloc(form->rows, form->row_cap * sizeof(*form->rows));
	}
	form->rows[form->row_count++] = row;
}

static void add_field_rows(struct form *form, struct field *field, unsigned depth);

static void
add_rows_below(struct form *form, struct field *field, unsigned depth)
{
	enum field_kind kind = field_kind(field);

	if (field_is_folded(field) || field->state != FIELD_SET || !field->filled ||
	    (kind != FIELD_OBJECT && kind != FIELD_ARRAY))
		return;
	for (size_t i = 0; i < field->children.len; i++)
		add_field_rows(form, field->children.items[i], depth);
	if (kind == FIELD_ARRAY)
		add_row(form,
		    (struct form_row){ .field = field, .kind = FORM_ROW_ADD, .depth = depth });
}

static void
add_field_rows(struct form *form, struct field *field, unsigned depth)
{
	field->row = form->row_count;
	add_row(form, (struct form_row){ .field = field, .kind = FORM_ROW_FIELD, .depth = depth });
	add_rows_below(form, field, depth + 1);
}

/* The rows are a cache of the tree; built in one walk when something has changed. */
static const struct form *
with_rows(const struct form *const_form)
{
	struct form *form = (struct form *)const_form;

	if (form->rows_version == form->version)
		return form;
	form->row_count = 0;
	if (form->root->as_json)
		add_field_rows(form, form->root, 0);
	else
		add_rows_below(form, form->root, 0);
	form->rows_version = form->version;
	return form;
}

size_t
form_row_count(const struct form *form)
{
	return with_rows(form)->row_count;
}

struct form_row
form_row_at(const struct form *form, size_t index)
{
	return with_rows(form)->rows[index];
}

size_t
form_row_of(const struct form *form, const struct field *field)
{
	with_rows(form);
	while (field) {
		if (field->row < form->row_count && form->rows[field->row].field == field &&
		    form->rows[field->row].kind == FORM_ROW_FIELD)
			return field->row;
		field = field->parent;
	}
	return 0;
}

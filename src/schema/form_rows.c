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

/* A value that is no structure has a row of its own where its variant is chosen above. */
static bool
has_value_row(const struct field *field)
{
	enum field_kind kind = field_kind(field);

	return field_variant_count(field) > 0 && kind != FIELD_CONST && kind != FIELD_OBJECT &&
	       (kind != FIELD_ARRAY || field_option_count(field) > 0);
}

static void
add_rows_below(struct form *form, struct field *field, unsigned depth)
{
	enum field_kind kind = field_kind(field);

	if (field->state != FIELD_SET || field->folded)
		return;
	if (has_value_row(field)) {
		add_row(form, (struct form_row){ field, FORM_ROW_VALUE, depth });
		return;
	}
	if (field_is_folded(field) || !field->filled ||
	    (kind != FIELD_OBJECT && kind != FIELD_ARRAY))
		return;
	for (size_t i = 0; i < field->children.len; i++)
		add_field_rows(form, field->children.items[i], depth);
	if (kind == FIELD_ARRAY || shape_entry(field->shape))
		add_row(form, (struct form_row){ field, FORM_ROW_ADD, depth });
}

static void
add_field_rows(struct form *form, struct field *field, unsigned depth)
{
	field->row = form->row_count;
	add_row(form, (struct form_row){ field, FORM_ROW_FIELD, depth });
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
	struct field *root = form->root;
	if (root->as_json || root->whole->variants.len > 0) {
		root->row = 0;
		add_row(form, (struct form_row){ root, FORM_ROW_FIELD, 0 });
	}
	if (!root->as_json)
		add_rows_below(form, root, 0);
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

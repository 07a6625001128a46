#include "form_priv.h"

#include "base/mem.h"
#include "json/print.h"

#include <stdlib.h>
#include <string.h>

/* ---- fields ---- */

struct field *
field_create(struct form *form, struct field *parent, const struct shape *shape)
{
	if (form->fields >= FORM_MAX_FIELDS)
		return NULL;
	struct field *field = mem_zalloc(sizeof(*field));
	form->fields++;
	field->form = form;
	field->parent = parent;
	field->whole = field->shape = shape;
	field->depth = parent ? parent->depth + 1 : 0;
	field->choice = FIELD_NO_CHOICE;
	field->as_json = field->depth >= FORM_MAX_DEPTH;
	if (shape->variants.len > 0)
		field_choose(field, 0);
	return field;
}

void
field_destroy(struct field *field)
{
	field_clear(field);
	field_drop_drafts(field);
	field->form->fields--;
	free(field->own_name);
	free(field);
}

void
field_clear(struct field *field)
{
	field_set_problem(field, NULL);
	for (size_t i = 0; i < field->children.len; i++)
		field_destroy(field->children.items[i]);
	free(field->children.items);
	memset(&field->children, 0, sizeof(field->children));
	free(field->names);
	field->names = NULL;
	field->names_cap = 0;
	buf_finish(&field->text);
	field->choice = FIELD_NO_CHOICE;
	field->on = false;
	field->filled = false;
	field->as_json = field->depth >= FORM_MAX_DEPTH;
}

void
field_changed(struct field *field)
{
	field_set_problem(field, NULL);
	field->form->version++;
}

void
field_set_problem(struct field *field, const char *text)
{
	if (!field->problem == !text) {
		if (!text)
			return;
		free(field->problem);
		field->problem = mem_strdup(text);
		return;
	}
	free(field->problem);
	field->problem = mem_strdup(text);
	size_t change = text ? 1 : (size_t)-1;
	field->form->problems += change;
	for (struct field *f = field->parent; f; f = f->parent)
		f->problems_below += change;
}

/* ---- the form ---- */

static const cJSON anything = { .type = cJSON_True };

void
form_begin(struct form *form)
{
	form->eager = FORM_MAX_EAGER;
	form->matching = FORM_MATCHING;
	form->checking = FORM_CHECKING;
}

struct form *
form_create(const cJSON *schema, enum form_defaults defaults)
{
	struct form *form = mem_zalloc(sizeof(*form));
	struct buf text = BUF_INIT;

	if (schema) {
		json_print(&text, schema);
		form->doc = json_parse(buf_text(&text), text.len, NULL, NULL);
	}
	buf_finish(&text);
	form->rows_version = (uint64_t)-1;
	form->defaults = defaults;
	form->budget = SHAPE_BUDGET;
	form->anything = shape_of(form, &anything);
	form_begin(form);
	form->root = field_create(form, NULL, shape_of(form, form_schema(form)));
	field_initialise(form->root);
	return form;
}

void
form_destroy(struct form *form)
{
	if (!form)
		return;
	steps_destroy(form);
	field_destroy(form->root);
	shapes_finish(form);
	judge_destroy(form->judge);
	schema_destroy(form->schema);
	json_doc_destroy(form->doc);
	free(form->rows);
	free(form);
}

struct field *
form_root(const struct form *form)
{
	return form->root;
}

uint64_t
form_version(const struct form *form)
{
	return form->version;
}

void
form_reset(struct form *form)
{
	field_reset(form->root);
}

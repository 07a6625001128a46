#include "tree.h"

#include "base/mem.h"
#include "base/vec.h"

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
	map_finish(&field->names);
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

/* ---- undo ---- */

/* An exact copy of the tree of fields, so that unfinished JSON, the values of omitted fields and
 * folds come back too. */

struct step {
	struct field *root;
	char *json; /* the arguments that would be sent */
	size_t fields;
};

struct step_list {
	struct step *items;
	size_t len, cap;
};

struct steps {
	struct step now; /* the last recorded values; a difference makes a new step */
	uint64_t version;
	struct step_list undo, redo;
	size_t fields; /* in all steps together */
};

static struct field *
copy_field(const struct field *from, struct field *parent)
{
	struct field *to = mem_dup(from, sizeof(*from));

	to->form->fields++;
	to->parent = parent;
	to->drafts = NULL;
	to->problem = NULL;
	to->problems_below = 0;
	to->own_name = mem_strdup(from->own_name);
	if (from->name == from->own_name)
		to->name = to->own_name;
	to->text = (struct buf)BUF_INIT;
	buf_add(&to->text, buf_text(&from->text), from->text.len);
	to->names = (struct map){ 0 };
	memset(&to->children, 0, sizeof(to->children));
	for (size_t i = 0; i < from->children.len; i++)
		*VEC_PUSH(&to->children) = copy_field(from->children.items[i], to);
	field_index_names(to);
	return to;
}

static void
step_finish(struct steps *steps, struct step *step)
{
	if (step->root)
		field_destroy(step->root);
	steps->fields -= step->fields;
	free(step->json);
	*step = (struct step){ 0 };
}

static void
list_finish(struct steps *steps, struct step_list *list)
{
	for (size_t i = 0; i < list->len; i++)
		step_finish(steps, &list->items[i]);
	free(list->items);
	*list = (struct step_list){ 0 };
}

static void
steps_destroy(struct form *form)
{
	struct steps *steps = form->steps;

	if (!steps)
		return;
	step_finish(steps, &steps->now);
	list_finish(steps, &steps->undo);
	list_finish(steps, &steps->redo);
	free(steps);
	form->steps = NULL;
}

/* Takes ownership of json. */
static void
take_now(struct form *form, char *json)
{
	struct steps *steps = form->steps;
	size_t before = form->fields;

	steps->now.root = copy_field(form->root, NULL);
	steps->now.fields = form->fields - before;
	steps->now.json = json;
	steps->fields += steps->now.fields;
	steps->version = form->version;
	while (steps->fields > FORM_MAX_KEPT && steps->undo.len > 0) {
		step_finish(steps, &steps->undo.items[0]);
		VEC_REMOVE(&steps->undo, 0);
	}
}

void
form_note_step(struct form *form)
{
	struct buf json = BUF_INIT;

	if (!form->steps)
		form->steps = mem_zalloc(sizeof(*form->steps));
	struct steps *steps = form->steps;
	if (steps->now.root && steps->version == form->version)
		return;
	if (form->fields - steps->fields > FORM_MAX_KEPT) { /* too large to copy for every step */
		steps_destroy(form);
		return;
	}
	form_to_json(form, &json);
	char *text = buf_detach(&json);
	bool same = steps->now.json && strcmp(steps->now.json, text) == 0;
	if (same) { /* only a fold changed, for example */
		step_finish(steps, &steps->now);
	} else if (steps->now.json) {
		*VEC_PUSH(&steps->undo) = steps->now;
		steps->now = (struct step){ 0 };
		list_finish(steps, &steps->redo);
	}
	take_now(form, text);
}

static bool
go_back(struct form *form, bool again)
{
	form_note_step(form);
	struct steps *steps = form->steps;
	if (!steps)
		return false;
	struct step_list *from = again ? &steps->redo : &steps->undo;
	struct step_list *to = again ? &steps->undo : &steps->redo;
	if (from->len == 0)
		return false;
	struct step step = from->items[--from->len];
	*VEC_PUSH(to) = steps->now;
	steps->now = (struct step){ 0 };
	field_destroy(form->root);
	form->root = step.root;
	form->version++;
	steps->fields -= step.fields;
	take_now(form, step.json);
	return true;
}

bool
form_undo(struct form *form)
{
	return go_back(form, false);
}

bool
form_redo(struct form *form)
{
	return go_back(form, true);
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
form_create(struct json_doc *doc, const cJSON *schema, enum form_defaults defaults)
{
	struct form *form = mem_zalloc(sizeof(*form));

	form->doc = json_part(doc, schema);
	form->rows_version = (uint64_t)-1;
	form->defaults = defaults;
	form->budget = SHAPE_BUDGET;
	form->anything = shape_of(form, &anything);
	form_begin(form);
	form->root = field_create(form, NULL, shape_of(form, form_schema(form)));
	field_initialize(form->root);
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
	schema_parts_destroy(form->parts);
	schema_destroy(form->schema);
	json_doc_destroy(form->doc);
	free(form->rows.items);
	free(form);
}

struct form_view
form_view(const struct form *form)
{
	return (
	    struct form_view){ form->root, form->version, form->problems, form->schema_problem };
}

void
form_reset(struct form *form)
{
	field_reset(form->root);
}

static void
add_row(struct form *form, struct field *field, enum form_row_kind kind, unsigned depth)
{
	*VEC_PUSH(&form->rows) = (struct row_at){ field, kind, depth };
}

static void add_field_rows(struct form *form, struct field *field, unsigned depth);

/* A scalar has its own row if its variant is chosen in the row above. */
static bool
has_value_row(const struct field *field)
{
	enum field_kind kind = field_kind(field);

	return field_variant_count(field) > 0 && !field_is_inferred(field) && kind != FIELD_CONST &&
	       kind != FIELD_OBJECT && (kind != FIELD_ARRAY || field_option_count(field) > 0);
}

static void
add_rows_below(struct form *form, struct field *field, unsigned depth)
{
	enum field_kind kind = field_kind(field);

	if (field->state != FIELD_SET || field->folded)
		return;
	if (has_value_row(field)) {
		add_row(form, field, FORM_ROW_VALUE, depth);
		return;
	}
	if (field_is_folded(field) || !field->filled ||
	    (kind != FIELD_OBJECT && kind != FIELD_ARRAY))
		return;
	for (size_t i = 0; i < field->children.len; i++)
		add_field_rows(form, field->children.items[i], depth);
	if (kind == FIELD_ARRAY ? !field_is_complete(field) : shape_entry(field->shape) != NULL)
		add_row(form, field, FORM_ROW_ADD, depth);
}

static void
add_field_rows(struct form *form, struct field *field, unsigned depth)
{
	if (field->hidden)
		return;
	field->row = form->rows.len;
	add_row(form, field, FORM_ROW_FIELD, depth);
	add_rows_below(form, field, depth + 1);
}

/* The rows are a cache of the tree, rebuilt in one walk after a change. */
static const struct form *
with_rows(const struct form *const_form)
{
	struct form *form = (struct form *)const_form;

	if (form->rows_version == form->version)
		return form;
	form->rows.len = 0;
	struct field *root = form->root;
	if (root->as_json || root->whole->variants.len > 0) {
		root->row = 0;
		add_row(form, root, FORM_ROW_FIELD, 0);
	}
	if (!root->as_json)
		add_rows_below(form, root, 0);
	form->rows_version = form->version;
	return form;
}

size_t
form_row_count(const struct form *form)
{
	return with_rows(form)->rows.len;
}

struct form_row
form_row_at(const struct form *form, size_t index)
{
	const struct row_at row = with_rows(form)->rows.items[index];

	return (struct form_row){ row.field, row.kind, row.depth, field_view(row.field) };
}

size_t
form_row_of(const struct form *form, const struct field *field)
{
	with_rows(form);
	while (field) {
		if (field->row < form->rows.len && form->rows.items[field->row].field == field &&
		    form->rows.items[field->row].kind == FORM_ROW_FIELD)
			return field->row;
		field = field->parent;
	}
	return 0;
}

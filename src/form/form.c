/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "base/vec.h"
#include "json/equal.h"
#include "json/number.h"
#include "json/print.h"
#include "tree.h"

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
	size_t change = (size_t)(text != NULL) - (size_t)(field->problem != NULL);

	free(field->problem);
	field->problem = mem_strdup(text);
	field->form->problems += change;
	for (struct field *f = field->parent; f && change != 0; f = f->parent)
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
	field_index_names(to, 0);
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

bool
form_undo(struct form *form, bool again)
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
	struct shape *shape;

	if (!form)
		return;
	steps_destroy(form);
	field_destroy(form->root);
	MAP_ALL(&form->shapes, shape)
		shape_destroy(shape);
	map_finish(&form->shapes);
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

static void
add_form_row(struct form *form, struct field *field, enum form_row_kind kind, unsigned depth)
{
	*VEC_PUSH(&form->rows) = (struct row_at){ field, kind, depth };
}

static void
add_rows_below(struct form *form, struct field *field, unsigned depth)
{
	enum field_kind kind = field_kind(field);

	if (field->state != FIELD_SET || field->folded)
		return;
	/* a scalar has its own row if its variant is chosen in the row above */
	if (field_variant_count(field) > 0 && !field_is_inferred(field) && kind != FIELD_CONST &&
	    kind != FIELD_OBJECT && (kind != FIELD_ARRAY || field_option_count(field) > 0)) {
		add_form_row(form, field, FORM_ROW_VALUE, depth);
		return;
	}
	if (field_is_folded(field) || !field->filled ||
	    (kind != FIELD_OBJECT && kind != FIELD_ARRAY))
		return;
	for (size_t i = 0; i < field->children.len; i++) {
		struct field *child = field->children.items[i];
		if (child->hidden)
			continue;
		child->row = form->rows.len;
		add_form_row(form, child, FORM_ROW_FIELD, depth);
		add_rows_below(form, child, depth + 1);
	}
	if (kind == FIELD_ARRAY ? !field_is_complete(field) : shape_entry(field->shape) != NULL)
		add_form_row(form, field, FORM_ROW_ADD, depth);
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
		add_form_row(form, root, FORM_ROW_FIELD, 0);
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

#define PRETTY_BYTES 60 /* longer JSON is split into lines */

void
field_take_json(struct field *field, const char *text, size_t len)
{
	field_clear(field);
	field->as_json = true;
	buf_add(&field->text, text, len);
	field->state = FIELD_SET;
	field->filled = len > 0;
}

void
field_take_string(struct field *field, const char *text)
{
	struct buf json = BUF_INIT;

	json_print_string(&json, text, strlen(text));
	field_take_json(field, buf_text(&json), json.len);
	buf_finish(&json);
}

void
field_load_as_json(struct field *field, const cJSON *json)
{
	struct buf text = BUF_INIT;

	json_print(&text, json);
	if (text.len > PRETTY_BYTES && json_count(json) > 0) {
		buf_clear(&text);
		json_print_pretty(&text, json, 2);
	}
	field_take_json(field, buf_text(&text), text.len);
	buf_finish(&text);
}

static bool
load_members(struct field *object, const cJSON *json)
{
	if (!field_make_members(object))
		return false;
	for (size_t i = 0; i < object->children.len; i++)
		object->children.items[i]->seen = false;
	for (const cJSON *m = json_first(json); m; m = m->next) {
		struct field *member = field_find_member(object, m->string);
		if (!member || member->seen) /* unknown, or a duplicate key */
			member = field_add_extra(object, m->string);
		if (!member)
			return false;
		member->seen = true;
		field_give(member);
		field_load(member, m);
	}
	return true;
}

static bool
load_items(struct field *array, const cJSON *json)
{
	bool fold = json_count(json) > 20;

	for (const cJSON *i = json_first(json); i; i = i->next) {
		struct field *item =
		    field_create(array->form, array, field_item_shape(array, array->children.len));
		if (!item)
			return false;
		item->item = true;
		field_add_child(array, item, array->children.len);
		field_load(item, i);
		item->folded = fold;
	}
	array->filled = true;
	return true;
}

/* The spelling must match too: 1.0 is not the choice 1, because it would be sent as 1. */
static bool
load_choice(struct field *field, const cJSON *json)
{
	for (size_t i = 0; i < field->shape->choices.len && !field->filled; i++) {
		const cJSON *value = field->shape->choices.items[i].value;
		if (!json_equal(value, json))
			continue;
		char *spelled = json_text(value), *wanted = json_text(json);
		field->filled = strcmp(spelled, wanted) == 0;
		if (field->filled)
			field->choice = i;
		free(spelled);
		free(wanted);
	}
	return field->filled;
}

static bool
load_scalar(struct field *field, const cJSON *json)
{
	char number[JSON_NUMBER_TEXT_MAX];
	enum field_kind kind = field_kind(field);

	switch (json_type(json)) {
	case JSON_STRING:
		field->filled = kind == FIELD_STRING;
		if (field->filled)
			buf_add_str(&field->text, cJSON_GetStringValue(json));
		return field->filled;
	case JSON_NUMBER:
		field->filled = kind == FIELD_NUMBER || kind == FIELD_INTEGER;
		if (field->filled)
			buf_add_str(&field->text, json_number_text(json, number));
		return field->filled;
	case JSON_BOOLEAN:
		field->on = cJSON_IsTrue(json);
		field->filled = kind == FIELD_BOOLEAN;
		return field->filled;
	case JSON_OBJECT:
		return kind == FIELD_OBJECT && load_members(field, json);
	case JSON_ARRAY:
		return kind == FIELD_ARRAY && load_items(field, json);
	case JSON_NULL:
	case JSON_ABSENT:
		break;
	}
	return false;
}

void
field_load_here(struct field *field, const cJSON *json)
{
	bool is_null = json_type(json) == JSON_NULL;

	field_clear(field);
	field_changed(field);
	field->state = is_null && field->shape->nullable ? FIELD_NULL : FIELD_SET;
	if (field->state == FIELD_NULL)
		return;
	bool choice = field_kind(field) == FIELD_ENUM || field_kind(field) == FIELD_CONST;
	if (choice ? load_choice(field, json) : load_scalar(field, json))
		return;
	field_load_as_json(field, json);
	/* This variant needs JSON; it is not just edited as JSON. */
	field->as_json = field->depth >= FORM_MAX_DEPTH || field->shape->kind != FIELD_JSON;
	field_changed(field);
}

void
field_load(struct field *field, const cJSON *json)
{
	bool is_null = json_type(json) == JSON_NULL && field->shape->nullable;
	bool choice = field->whole->variants.len > 0 && !is_null;
	size_t variant = choice ? field_match(field, json) : field->variant;

	if (choice && variant == NO_VARIANT) { /* matches no variant */
		field_load_as_json(field, json);
		field_changed(field);
		return;
	}
	if (choice)
		field_choose(field, variant);
	field_load_here(field, json);
}

/* ---- the whole ---- */

bool
form_load_json(struct form *form, const char *text, size_t len, struct json_error *error)
{
	struct json_doc *doc = json_parse(text, len, NULL, error);

	if (!doc)
		return false;
	form_begin(form);
	field_load(form->root, json_root(doc));
	json_doc_destroy(doc);
	return true;
}

void
form_load_raw(struct form *form, const char *text, size_t len)
{
	if (form_load_json(form, text, len, NULL))
		return;
	field_take_json(form->root, text, len);
	field_changed(form->root);
}

/* A field as a separate text, for an editor or from a file. */

const char *
field_example(const struct field *field, size_t index)
{
	const cJSON *examples = shape_get(field->shape, "examples");

	if (json_type(examples) != JSON_ARRAY)
		return NULL;
	for (const cJSON *e = json_first(examples); e; e = e->next)
		if (cJSON_GetStringValue(e) && index-- == 0)
			return cJSON_GetStringValue(e);
	return NULL;
}

void
field_to_text(const struct field *field, struct buf *out)
{
	if (field_kind(field) == FIELD_STRING || field_kind(field) == FIELD_JSON) {
		buf_add(out, buf_text(&field->text), field->text.len);
		return;
	}
	if (!field->filled || field->state != FIELD_SET)
		return;
	struct json_doc *doc = field_value(field);
	if (doc)
		json_print_pretty(out, json_root(doc), 2);
	json_doc_destroy(doc);
}

bool
field_from_text(struct field *field, const char *text, size_t len)
{
	form_begin(field->form);
	if (field_kind(field) == FIELD_STRING) {
		field_set_text(field, text, len);
		return true;
	}
	struct json_doc *doc = json_parse(text, len, NULL, NULL);
	bool ok = doc || len == 0;
	if (doc)
		field_load(field, json_root(doc));
	else
		field_take_json(field, text, len);
	json_doc_destroy(doc);
	field_changed(field);
	return ok;
}

void
field_put_string(struct field *field, const char *text, size_t len)
{
	struct json_doc *doc = string_value(text, len);

	form_begin(field->form);
	field_load(field, json_root(doc));
	json_doc_destroy(doc);
}

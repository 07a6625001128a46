/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "base/vec.h"
#include "json/number.h"
#include "tree.h"

#include <stdlib.h>
#include <string.h>

static void field_fill(struct field *field);

#define SCAN_MAX 16 /* larger objects have an index of names */

/* ---- children by name ---- */

static struct field *
find_name(const struct field *object, const char *name)
{
	struct field *child;

	MAP_EACH(&object->names, text_hash(object->form, name, strlen(name)), child)
		if (strcmp(child->name, name) == 0)
			return child;
	return NULL;
}

void
field_index_names(struct field *object, size_t from)
{
	if (from == 0)
		map_clear(&object->names);
	if (object->children.len <= SCAN_MAX || !object->children.items[0]->name)
		return;
	for (size_t i = from; i < object->children.len; i++) {
		struct field *child = object->children.items[i];
		if (!find_name(object, child->name))
			map_add(&object->names,
			    text_hash(object->form, child->name, strlen(child->name)), child);
	}
}

struct field *
field_find_member(const struct field *object, const char *name)
{
	if (name && object->names.len > 0)
		return find_name(object, name);
	for (size_t i = 0; name && i < object->children.len; i++) {
		struct field *child = object->children.items[i];
		if (child->name && strcmp(child->name, name) == 0)
			return child;
	}
	return NULL;
}

void
field_add_child(struct field *parent, struct field *child, size_t at)
{
	VEC_PUSH(&parent->children);
	struct field **items = parent->children.items;
	memmove(&items[at + 1], &items[at], (parent->children.len - 1 - at) * sizeof(*items));
	items[at] = child;
	for (size_t i = at; i < parent->children.len; i++)
		items[i]->index = i;
	field_index_names(parent, parent->names.len > 0 ? at : 0);
}

/* ---- members of objects ---- */

struct field *
field_add_member(struct field *object, const cJSON *schema, const char *name)
{
	struct form *form = object->form;
	struct field *member = field_create(form, object, shape_of(form, schema));
	if (!member)
		return NULL;
	member->name = name;
	field_add_child(object, member, object->children.len);
	return member;
}

static bool
add_properties(struct field *object)
{
	for (unsigned i = 0; i < object->shape->part_count; i++) {
		const cJSON *properties = json_get(object->shape->parts[i], "properties");
		if (json_type(properties) != JSON_OBJECT)
			continue;
		for (const cJSON *p = json_first(properties); p; p = p->next) {
			struct field *known = field_find_member(object, p->string);
			if (!known && !field_add_member(object, p, p->string))
				return false;
			if (!known)
				continue;
			/* The member must satisfy all schemas that declare it. */
			known->whole = known->shape = shape_with(known->form, known->whole, p);
			if (known->whole->variants.len > 0)
				field_choose(known, 0);
		}
	}
	return true;
}

/* A required name without a schema still needs a field to be filled in. */
bool
field_mark_required(struct field *object)
{
	for (unsigned i = 0; i < object->shape->part_count; i++) {
		const cJSON *required = json_get(object->shape->parts[i], "required");
		if (json_type(required) != JSON_ARRAY)
			continue;
		for (const cJSON *r = json_first(required); r; r = r->next) {
			const char *name = cJSON_GetStringValue(r);
			if (!name)
				continue;
			struct field *member = field_find_member(object, name);
			if (!member)
				member =
				    field_add_member(object, object->form->anything->schema, name);
			if (!member)
				return false;
			member->required = true;
			member->hidden = false;
		}
	}
	return true;
}

bool
field_make_members(struct field *object)
{
	object->shape = field_base_shape(object);
	object->hidden_count = 0;
	if (!add_properties(object) || !field_add_conditional(object) ||
	    !field_mark_required(object)) {
		field_clear(object);
		return false;
	}
	object->filled = true;
	return true;
}

struct field *
field_add_extra(struct field *object, const char *name)
{
	struct form *form = object->form;
	const cJSON *values = shape_entry(object->shape);
	struct field *extra =
	    field_create(form, object, values ? shape_of(form, values) : form->anything);

	if (!extra)
		return NULL;
	extra->own_name = mem_strdup(name);
	extra->name = extra->own_name;
	extra->extra = !values;
	extra->entry = values != NULL;
	field_add_child(object, extra, object->children.len);
	return extra;
}

/* ---- initial values ---- */

static void
fill_array(struct field *array)
{
	struct form *form = array->form;
	size_t count = 0;
	const cJSON *least = shape_get(array->shape, "minItems");
	size_t tuple = field_tuple_count(array);

	if (!least || !json_number_to_size(least, SIZE_MAX / 2, &count) ||
	    field_option_count(array) > 0)
		count = 0;
	count = count > tuple ? count : tuple;
	if (count > FORM_MAX_PREFILLED)
		count = FORM_MAX_PREFILLED;
	array->filled = true;
	while (array->children.len < count && form->eager > 0) {
		form->eager--;
		struct field *item = field_add_item(array, SIZE_MAX);
		if (!item)
			break;
		/* An item added for minItems must not be sent as "" or false. */
		enum field_kind kind = field_kind(item);
		if ((kind == FIELD_STRING || kind == FIELD_BOOLEAN) &&
		    !shape_get(item->whole, "default") && !shape_get(item->shape, "default")) {
			field_clear(item);
			item->state = FIELD_SET;
		}
	}
}

static void
fill_plain(struct field *field)
{
	struct shape *whole = (struct shape *)field->whole; /* the tag is found on first use */
	const char *tag;

	switch (field_kind(field)) {
	case FIELD_OBJECT:
		/* Fills in the constants that distinguish variants, required or not. */
		tag = whole->variants.len > 0 ? shape_tag(whole, form_schema(field->form)) : NULL;
		field->as_json = !field_make_members(field);
		for (size_t i = 0; i < field->children.len; i++) {
			struct field *member = field->children.items[i];
			field_initialize(member);
			if (tag && field_kind(member) == FIELD_CONST &&
			    strcmp(member->name, tag) == 0)
				field_set_choice(member, 0);
		}
		break;
	case FIELD_ARRAY:
		fill_array(field);
		break;
	case FIELD_ENUM:
	case FIELD_CONST:
		field->choice = 0;
		field->filled = true;
		break;
	case FIELD_STRING:
	case FIELD_BOOLEAN:
		field->filled = true;
		break;
	case FIELD_NUMBER:
	case FIELD_INTEGER:
	case FIELD_JSON:
		break; /* no initial value: waits for text */
	}
}

static const cJSON *
default_of(const struct field *field, const struct shape *shape)
{
	return field->parent ? shape_get(shape, "default") : NULL;
}

const cJSON *
field_default(const struct field *field)
{
	return field->state == FIELD_OMITTED ? default_of(field, field->whole) : NULL;
}

static void
fill_required(struct field *object)
{
	for (size_t i = 0; i < object->children.len; i++) {
		struct field *member = object->children.items[i];
		if (member->required && !field_is_sent(member) && default_of(member, member->whole))
			field_fill(member);
		else if (field_is_sent(member))
			fill_required(member);
	}
}

void
form_fill_required(struct form *form)
{
	form_begin(form);
	fill_required(form->root);
}

static void
field_fill(struct field *field)
{
	const cJSON *value = default_of(field, field->whole);

	if (value)
		field_load(field, value);
	else
		field_fill_variant(field);
}

void
field_fill_variant(struct field *field)
{
	const cJSON *value = default_of(field, field->shape);

	if (value && value != default_of(field, field->whole))
		field_load_here(field, value);
	else
		fill_plain(field);
}

/* One refers to the other, or both refer to the same schema. */
static bool
shares_properties(const struct shape *a, const struct shape *b)
{
	for (unsigned i = 0; i < a->part_count; i++)
		for (unsigned k = 0; k < b->part_count; k++)
			if (a->parts[i] == b->parts[k] && json_get(a->parts[i], "properties"))
				return true;
	return false;
}

/* Required objects get their members early, but recursion must stop. */
static bool
may_expand(const struct field *field)
{
	size_t count = 0;

	for (const struct field *f = field->parent; f; f = f->parent)
		if (f->whole == field->whole || shares_properties(f->shape, field->shape))
			return false;
	for (unsigned i = 0; i < field->shape->part_count; i++)
		count += json_count(json_get(field->shape->parts[i], "properties"));
	if (field->parent && (field->depth > FORM_EAGER_DEPTH || count > field->form->eager))
		return false;
	if (field->parent)
		field->form->eager -= count;
	return true;
}

void
field_initialize(struct field *field)
{
	enum field_kind kind = field_kind(field);

	bool sent = !field->parent || field->required || field->item ||
		    field->form->defaults == FORM_DEFAULTS_SENT;

	if (sent && default_of(field, field->whole)) {
		field_fill(field);
		return;
	}
	if (field->parent && !field->required && !field->item) {
		field->state = FIELD_OMITTED;
		return;
	}
	field->state = FIELD_SET;
	if (kind == FIELD_OBJECT
		? may_expand(field)
		: kind == FIELD_ARRAY || (kind == FIELD_CONST && field->whole->variants.len == 0) ||
		      (field->item && (kind == FIELD_STRING || kind == FIELD_BOOLEAN)))
		field_fill(field);
}

/* Maps: objects with freely named members that share a schema. */

size_t
field_free_names(const struct field *map, const char **names, size_t max)
{
	const cJSON *schema = field_is_map(map) ? shape_get(map->shape, "propertyNames") : NULL;
	const struct shape *shape = schema ? shape_of(map->form, schema) : NULL;
	size_t count = 0;

	for (size_t i = 0; shape && i < shape->choices.len && count < max; i++) {
		const char *name = cJSON_GetStringValue(shape->choices.items[i].value);
		if (name && !field_find_member(map, name))
			names[count++] = name;
	}
	return count;
}

bool
field_is_map(const struct field *field)
{
	return field_kind(field) == FIELD_OBJECT && shape_entry(field->shape) != NULL;
}

static bool
is_taken(const struct field *map, const char *name, struct err *err)
{
	if (!field_find_member(map, name))
		return false;
	err_set(err, "\"%.80s\" already exists", name);
	return true;
}

struct field *
field_add_entry(struct field *map, const char *name, struct err *err)
{
	if (!field_is_map(map)) {
		err_set(err, "the schema fixes its property names");
		return NULL;
	}
	form_begin(map->form);
	if (map->state != FIELD_SET || !map->filled)
		field_set_state(map, FIELD_SET);
	if (is_taken(map, name, err))
		return NULL;
	struct field *entry = field_add_extra(map, name);
	if (!entry) {
		err_set(err, "the form is full: use JSON");
		return NULL;
	}
	entry->required = true; /* an entry exists to be filled in */
	field_initialize(entry);
	entry->required = false;
	if (field_kind(entry) == FIELD_STRING || field_kind(entry) == FIELD_BOOLEAN)
		field_fill(entry);
	field_changed(map);
	return entry;
}

bool
field_rename(struct field *entry, const char *name, struct err *err)
{
	struct field *parent = entry->parent;

	if (!entry->own_name)
		return err_set(err, "the schema fixes its name");
	if (strcmp(entry->own_name, name) == 0)
		return true;
	if (is_taken(parent, name, err))
		return false;
	free(entry->own_name);
	entry->own_name = mem_strdup(name);
	entry->name = entry->own_name;
	field_index_names(parent, 0);
	field_changed(entry);
	return true;
}

bool
field_set_state(struct field *field, enum field_state state)
{
	bool may_omit = field->parent && !field->item;

	if ((state == FIELD_NULL && !field->shape->nullable) ||
	    (state == FIELD_OMITTED && !may_omit))
		return false;
	field->state = state;
	if (state == FIELD_SET && !field->filled) {
		form_begin(field->form);
		field_fill(field);
		field->state = FIELD_SET;
		field->folded = false;
	}
	field_changed(field);
	return true;
}

void
field_set_text(struct field *field, const char *text, size_t len)
{
	enum field_kind kind = field_kind(field);

	if (kind != FIELD_STRING && kind != FIELD_NUMBER && kind != FIELD_INTEGER &&
	    kind != FIELD_JSON)
		return;
	buf_clear(&field->text);
	buf_add(&field->text, text, len);
	field->state = FIELD_SET;
	field->filled = len > 0 || kind == FIELD_STRING;
	field_changed(field);
}

void
field_set_on(struct field *field, bool on)
{
	if (field_kind(field) != FIELD_BOOLEAN)
		return;
	field->on = on;
	field->state = FIELD_SET;
	field->filled = true;
	field_changed(field);
}

void
field_set_choice(struct field *field, size_t index)
{
	enum field_kind kind = field_kind(field);

	if ((kind != FIELD_ENUM && kind != FIELD_CONST) || index >= field->shape->choices.len)
		return;
	field->choice = index;
	field->state = FIELD_SET;
	field->filled = true;
	field_changed(field);
}

void
field_reset(struct field *field)
{
	form_begin(field->form);
	field_clear(field);
	field_drop_drafts(field);
	if (field->whole->variants.len > 0)
		field_choose(field, 0);
	field->folded = false;
	field_initialize(field);
	field_changed(field);
}

void
field_fold(struct field *field, bool folded)
{
	field->folded = folded;
	field->form->version++;
}

/* ---- JSON mode ---- */

static bool
leave_with_value(struct field *field, const cJSON *value, struct err *err)
{
	struct buf typed = field->text;
	static const char *const words[] = {
		[FIELD_STRING] = "a string",
		[FIELD_NUMBER] = "a number",
		[FIELD_INTEGER] = "a number",
		[FIELD_BOOLEAN] = "true or false",
		[FIELD_ENUM] = "one of the choices",
		[FIELD_CONST] = "the only allowed value",
		[FIELD_OBJECT] = "an object",
		[FIELD_ARRAY] = "an array",
		[FIELD_JSON] = "JSON",
	};

	field->text = (struct buf)BUF_INIT;
	field_load(field, value);
	if (!field->as_json) {
		buf_finish(&typed);
		return true;
	}
	buf_finish(&field->text);
	field->text = typed;
	return err_set(err, "this is not %s: it stays JSON",
	    field->whole->variants.len > 0 ? "one of the variants" : words[field->shape->kind]);
}

static bool
to_widget_mode(struct field *field, struct err *err)
{
	enum field_state state = field->state;

	bool only_json = field->shape->kind == FIELD_JSON && field->whole->variants.len == 0;
	if (only_json || field->depth >= FORM_MAX_DEPTH)
		return err_set(err, "this field can only be edited as JSON");
	form_begin(field->form);
	if (!field->filled) {
		field_clear(field);
		if (state == FIELD_SET)
			field_fill(field);
		field->state = state;
		return true;
	}
	struct json_error error;
	struct json_doc *doc = json_parse(buf_text(&field->text), field->text.len, NULL, &error);
	if (!doc)
		return err_set(err, "%u:%u: %s", error.line, error.column, error.text);
	bool fits = leave_with_value(field, json_root(doc), err);
	json_doc_destroy(doc);
	if (state == FIELD_OMITTED)
		field->state = state;
	return fits;
}

bool
field_as_json(struct field *field, bool on, struct err *err)
{
	struct json_doc *doc = NULL;
	enum field_state state = field->state;
	bool done = true;

	if (on == (field_kind(field) == FIELD_JSON))
		return true;
	if (!on) {
		done = to_widget_mode(field, err);
	} else {
		if (field->filled && state != FIELD_NULL) {
			field->state = FIELD_SET; /* an omitted field still holds its value */
			doc = field_value(field);
		}
		field_clear(field);
		field->as_json = true;
		if (doc)
			field_load_as_json(field, json_root(doc));
		field->state = state;
		json_doc_destroy(doc);
	}
	field_changed(field);
	return done;
}

/* ---- items ---- */

size_t
field_tuple_count(const struct field *array)
{
	return field_kind(array) == FIELD_ARRAY ? json_count(shape_tuple(array->shape)) : 0;
}

const struct shape *
field_item_shape(const struct field *array, size_t index)
{
	const cJSON *schema = shape_item(array->shape, index);

	return schema ? shape_of(array->form, schema) : array->form->anything;
}

bool
field_is_complete(const struct field *array)
{
	size_t count = field_tuple_count(array);

	return count > 0 && array->children.len >= count && !shape_item(array->shape, count);
}

struct field *
field_add_item(struct field *array, size_t at)
{
	if (field_kind(array) != FIELD_ARRAY)
		return NULL;
	size_t count = array->children.len;
	if (at > count || at < field_tuple_count(array)) /* items of a tuple keep their index */
		at = count;
	struct field *item = field_create(array->form, array, field_item_shape(array, at));
	if (!item)
		return NULL;
	item->item = true;
	array->state = FIELD_SET;
	array->filled = true;
	field_add_child(array, item, at);
	field_initialize(item);
	field_changed(array);
	return item;
}

bool
field_remove(struct field *field)
{
	struct field *parent = field->parent;

	if (!field->item && !field->extra && !field->entry)
		return false;
	if (field->item && field->index < field_tuple_count(parent) &&
	    field->index + 1 < parent->children.len)
		return false;
	field_set_problem(field, NULL);
	VEC_REMOVE(&parent->children, field->index);
	for (size_t i = field->index; i < parent->children.len; i++)
		parent->children.items[i]->index = i;
	field_index_names(parent, 0);
	field_destroy(field);
	field_changed(parent);
	return true;
}

bool
field_move(struct field *item, int by)
{
	if (!item->item || by == 0)
		return false;
	struct field **items = item->parent->children.items;
	long from = (long)item->index, to = from + by, step = by < 0 ? -1 : 1;
	if (to < 0 || to >= (long)item->parent->children.len)
		return false;
	if ((size_t)(from < to ? from : to) < field_tuple_count(item->parent))
		return false;
	for (long i = from; i != to; i += step) {
		items[i] = items[i + step];
		items[i]->index = (size_t)i;
	}
	items[to] = item;
	item->index = (size_t)to;
	field_changed(item->parent);
	return true;
}

/* ---- arrays of choices: edited by ticking options ---- */

const struct shape *
field_options(const struct field *field)
{
	if (field_kind(field) != FIELD_ARRAY || shape_tuple(field->shape))
		return NULL;
	const cJSON *items = shape_get(field->shape, "items");
	const struct shape *shape = items ? shape_of(field->form, items) : NULL;
	bool chosen = shape && (shape->kind == FIELD_ENUM || shape->kind == FIELD_CONST);

	return chosen ? shape : NULL;
}

size_t
field_option_count(const struct field *field)
{
	const struct shape *shape = field_options(field);

	return shape ? shape->choices.len : 0;
}

/* The first item with this option, or NULL. */
static struct field *
find_item(const struct field *field, size_t index)
{
	for (size_t i = 0; i < field->children.len; i++) {
		struct field *item = field->children.items[i];
		if (!item->as_json && item->state == FIELD_SET && item->filled &&
		    item->choice == index)
			return item;
	}
	return NULL;
}

bool
field_option_is_on(const struct field *field, size_t index)
{
	return field->state == FIELD_SET && field_option_count(field) > 0 &&
	       find_item(field, index) != NULL;
}

void
field_option_set(struct field *field, size_t index, bool on)
{
	struct field *item;

	if (index >= field_option_count(field))
		return;
	if (field->state != FIELD_SET)
		field_clear(field);
	while (!on && (item = find_item(field, index)))
		field_remove(item);
	if (on && !find_item(field, index) && (item = field_add_item(field, SIZE_MAX)))
		field_set_choice(item, index);
	field->state = FIELD_SET;
	field->filled = true;
	field_changed(field);
}

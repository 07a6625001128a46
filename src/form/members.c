#include "tree.h"

#include "base/mem.h"
#include "base/vec.h"
#include "json/number.h"

#include <stdlib.h>
#include <string.h>

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

/* Of several with the same name the first one is found. */
static void
add_name(struct field *object, struct field *child)
{
	if (!find_name(object, child->name))
		map_add(&object->names, text_hash(object->form, child->name, strlen(child->name)),
		    child);
}

void
field_index_names(struct field *object)
{
	map_clear(&object->names);
	if (object->children.len > SCAN_MAX && object->children.items[0]->name)
		for (size_t i = 0; i < object->children.len; i++)
			add_name(object, object->children.items[i]);
}

struct field *
field_find_member(const struct field *object, const char *name)
{
	if (object->names.len > 0)
		return find_name(object, name);
	for (size_t i = 0; i < object->children.len; i++) {
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
	if (parent->names.len > 0)
		add_name(parent, child);
	else
		field_index_names(parent);
}

void
field_detach_child(struct field *parent, size_t at)
{
	VEC_REMOVE(&parent->children, at);
	for (size_t i = at; i < parent->children.len; i++)
		parent->children.items[i]->index = i;
	field_index_names(parent);
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

/* A property declared in several parts of the schema must satisfy all of them. */
static void
narrow_member(struct field *member, const cJSON *schema)
{
	member->whole = member->shape = shape_with(member->form, member->whole, schema);
	if (member->whole->variants.len > 0)
		field_choose(member, 0);
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
			if (known)
				narrow_member(known, p);
			else if (!field_add_member(object, p, p->string))
				return false;
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
			const char *name = json_string(r);
			if (!name)
				continue;
			if (!field_find_member(object, name) &&
			    !field_add_member(object, object->form->anything->schema, name))
				return false;
			field_find_member(object, name)->required = true;
			field_find_member(object, name)->hidden = false;
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

/* An item that nobody asked for must not go out as "" or false. */
static void
await_value(struct field *item)
{
	enum field_kind kind = field_kind(item);

	if ((kind == FIELD_STRING || kind == FIELD_BOOLEAN) && !shape_get(item->whole, "default") &&
	    !shape_get(item->shape, "default")) {
		field_clear(item);
		item->state = FIELD_SET;
	}
}

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
		await_value(item);
	}
}

/* Fills in the constants that distinguish variants, required or not. */
static void
fill_members(struct field *object)
{
	const char *tag = field_tag(object);

	object->as_json = !field_make_members(object);
	for (size_t i = 0; i < object->children.len; i++) {
		struct field *member = object->children.items[i];
		field_initialize(member);
		if (tag && field_kind(member) == FIELD_CONST && strcmp(member->name, tag) == 0)
			field_set_choice(member, 0);
	}
}

static void
fill_plain(struct field *field)
{
	switch (field_kind(field)) {
	case FIELD_OBJECT:
		fill_members(field);
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

void
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
		const char *name = json_string(shape->choices.items[i].value);
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
	field_index_names(parent);
	field_changed(entry);
	return true;
}

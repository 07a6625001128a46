#include "form_priv.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Objects whose members' names are free, and whose values have a schema. */

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
	err_set(err, "there is a \"%.80s\" already", name);
	return true;
}

struct field *
field_add_entry(struct field *map, const char *name, struct err *err)
{
	if (!field_is_map(map)) {
		err_set(err, "its names are given");
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
	entry->required = true; /* that is what it is there for */
	field_initialise(entry);
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
		return err_set(err, "its name is the schema's");
	if (strcmp(entry->own_name, name) == 0)
		return true;
	if (is_taken(parent, name, err))
		return false;
	free(entry->own_name);
	entry->own_name = mem_strdup(name);
	entry->name = entry->own_name;
	field_names_changed(parent);
	field_changed(entry);
	return true;
}

#ifndef SCHEMA_FIELD_EDIT_H
#define SCHEMA_FIELD_EDIT_H

#include "schema/field.h"

/* Changing a field (schema/field.h); everything here clears its problem. */

/* False: not possible (NULL where null is not allowed, a root or an item omitted). FIELD_SET on a
 * field never filled makes an object's members and an array's first items. */
bool field_set_state(struct field *field, enum field_state state);
/* Strings, numbers and JSON, as typed: nothing is refused; an empty number or JSON is unfilled.
 * Any other kind is unchanged. */
void field_set_text(struct field *field, const char *text, size_t len);
void field_set_on(struct field *field, bool on);
void field_set_choice(struct field *field, size_t index);
void field_option_set(struct field *array, size_t index, bool on);
/* Sets the field. What was typed stays in members of the same name and a type that takes it, and
 * is there again when its variant is. Constants that tell variants apart are filled in. */
void field_set_variant(struct field *field, size_t index);
void field_reset(struct field *field); /* as the schema made it: default, empty or omitted */
/* To JSON editing (always works) and back, which fails where the JSON does not fit the widgets. */
bool field_as_json(struct field *field, bool on, struct err *err);
/* The value json (of any tree; copied), in the variant it is valid for or most alike. What does not
 * fit turns the field to JSON. */
void field_load(struct field *field, const cJSON *json);

/* For an editor: a string as it is, all else as indented JSON; and back. False: that is not JSON,
 * it is kept as typed. */
void field_to_text(const struct field *field, struct buf *out);
bool field_from_text(struct field *field, const char *text, size_t len);
/* A string, whatever the field is otherwise. */
void field_put_string(struct field *field, const char *text, size_t len);

/* A new entry of a map, at its end. NULL with err: there is one of that name, or the form is full.
 */
struct field *field_add_entry(struct field *map, const char *name, struct err *err);
bool field_rename(struct field *entry, const char *name, struct err *err);

/* Items of arrays. add: before `at`, at the end when past it; NULL: the form is full. remove also
 * takes extra members and entries of maps. move: false at either end. */
struct field *field_add_item(struct field *array, size_t at);
bool field_remove(struct field *field);
bool field_move(struct field *item, int by);

#endif

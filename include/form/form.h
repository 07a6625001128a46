#ifndef FORM_FORM_H
#define FORM_FORM_H

#include "form/field.h"
#include "schema/schema.h"

/*
 * A form made from a JSON Schema of an object: fields in schema order that hold
 * exactly what is going to be sent. It keeps the schema (json_part()), never fetches
 * and never refuses a value: what is wrong is marked and can be sent all the same.
 *
 * Numbers go out byte for byte as typed. A number field whose text is no number,
 * and a JSON field whose text is not JSON, go out as a string of that text; the
 * whole arguments edited as JSON (the root in JSON mode) go out as they are.
 *
 * Where oneOf, anyOf or a list of types leaves several shapes, a field has that
 * of one variant (form/field.h); alternatives that only forbid are no variants.
 *
 * Bounded: FORM_MAX_FIELDS fields, FORM_MAX_DEPTH levels and FORM_MAX_CHOICES
 * choices or variants; what would pass them is a JSON field instead. A member
 * whose schema refers back to itself has no members before it is set.
 */
struct form;

#define FORM_MAX_FIELDS 200000
#define FORM_MAX_KEPT 50000 /* fields of all steps that can be undone */
#define FORM_MAX_DEPTH 48
#define FORM_MAX_CHOICES 10000

/* What happens to the default of an optional member. That of a required member is always sent. */
enum form_defaults {
	FORM_DEFAULTS_SHOWN, /* the member stays omitted; field_default() is for the eye */
	FORM_DEFAULTS_SENT,  /* the member has its default, as in an elicitation (SEP-1034) */
};

/* schema, in doc, may be anything, also NULL: at worst the form has no fields but extra members. */
struct form *form_create(
    struct json_doc *doc, const cJSON *schema, enum form_defaults defaults);
void form_destroy(struct form *form); /* NULL-safe */
struct field *form_root(const struct form *form);
uint64_t form_version(const struct form *form); /* changes whenever the form does */
void form_reset(struct form *form);             /* as it was created */

/* ---- undo ---- */
/* Notes the values as they are now, if they differ from those noted last: a step that can be
 * undone. Steps are dropped, the oldest first, when their fields exceed FORM_MAX_KEPT. */
void form_note_step(struct form *form);
/* The values before the last step, or those before the last undo. False: there are none. */
bool form_undo(struct form *form);
bool form_redo(struct form *form);

/* The field at a JSON Pointer (/a/0/b), a name, or a dotted path (a.0.b); NULL where none is. */
struct field *form_find(const struct form *form, const char *path);

/* The same, made where it is missing, as form_set() does. NULL: err says why. */
struct field *form_reach_field(struct form *form, const char *path, struct err *err);

/* `:set PATH JSON`: sets on the way what was omitted; an index equal to the length, or "-", adds an
 * item, a name the schema does not know an extra member. Text that is not JSON is taken as it is
 * for a string, and as a label for an enum or a variant. */
bool form_set(struct form *form, const char *path, const char *text, struct err *err);

/* For a command line: only what is given gets a value. A form filled like this starts from
 * form_load_json() of "{}" and ends with form_fill_required(). */
/* PATH=TEXT: text as the field's type has it; a string stays one ("42", "null"), a number goes out
 * as typed. JSON is taken where the schema allows several types, and text that does not fit is sent
 * as a string. */
bool form_set_typed(struct form *form, const char *path, const char *text, struct err *err);
/* PATH:=JSON: the value itself, whatever the schema says. False also when it is not JSON. */
bool form_set_json(struct form *form, const char *path, const char *json, struct err *err);
/* Gives required members without a value their defaults, as form_create() does. */
void form_fill_required(struct form *form);

/* ---- the whole arguments ---- */
/* Appends what would be sent. False: that is not JSON (only in JSON mode of the root); it is one
 * line all the same. */
bool form_to_json(const struct form *form, struct buf *out);
bool form_to_json_pretty(const struct form *form, struct buf *out); /* for editing */
/* Fills the form from a JSON text; nothing in it is lost. False: it is not JSON; error (may be
 * NULL) says where, the form is as before. */
bool form_load_json(struct form *form, const char *text, size_t len, struct json_error *error);
/* The same, but text that is not JSON is kept and sent as it is. */
void form_load_raw(struct form *form, const char *text, size_t len);

/* ---- what is wrong ---- */
/* Marks every field that breaks the schema or lacks a value. Returns the number of problems. */
size_t form_check(struct form *form);
/* The same while the form is being filled: nothing is newly said of fields without a value. */
size_t form_check_given(struct form *form);
size_t form_problem_count(const struct form *form);        /* of the last check */
struct field *form_first_problem(const struct form *form); /* NULL without one */
/* Why the schema cannot be checked against, "" when it can (known after form_check()). */
const char *form_schema_problem(const struct form *form);

/* ---- rows to show, folds respected ---- */
enum form_row_kind {
	FORM_ROW_FIELD, /* where the field has variants, they are chosen here */
	FORM_ROW_VALUE, /* below that, where the variant is no object or list: its value */
	FORM_ROW_ADD,   /* "add an item" at the end of the array or map `field` */
};

struct form_row {
	struct field *field;
	enum form_row_kind kind;
	unsigned depth; /* 0 at the top */
};

size_t form_row_count(const struct form *form);
struct form_row form_row_at(const struct form *form, size_t index); /* index < count */
/* The row of a field or, where it is folded away, of the ancestor that shows. */
size_t form_row_of(const struct form *form, const struct field *field);

#endif

#ifndef SCHEMA_FIELD_H
#define SCHEMA_FIELD_H

#include "base/buf.h"
#include "json/doc.h"

/*
 * One field of a form (schema/form.h): a place for a value, made from one schema.
 * Owned by its form and gone with it, or when its array item or its parent's
 * value goes. Texts returned are borrowed until the next change of the form.
 */
struct field;

enum field_kind {
	FIELD_STRING,
	FIELD_NUMBER,
	FIELD_INTEGER,
	FIELD_BOOLEAN,
	FIELD_ENUM,  /* one of field_choice_count() values */
	FIELD_CONST, /* one value only */
	FIELD_OBJECT,
	FIELD_ARRAY,
	FIELD_JSON, /* what no widget expresses, or any field while it is edited as JSON */
};

enum field_state {
	FIELD_OMITTED, /* not sent */
	FIELD_NULL,    /* null is sent */
	FIELD_SET,     /* the value is sent, unless !field_is_filled() */
};

/* ---- what the schema says ---- */
enum field_kind field_kind(const struct field *field);        /* FIELD_JSON while edited as JSON */
enum field_kind field_schema_kind(const struct field *field); /* what it is otherwise */
const char *field_name(const struct field *field);        /* NULL for an array item and the root */
const char *field_title(const struct field *field);       /* NULL without one */
const char *field_description(const struct field *field); /* NULL without one */
bool field_is_required(const struct field *field);
bool field_is_nullable(const struct field *field);
bool field_is_extra(const struct field *field);  /* a member the schema does not know */
bool field_is_base64(const struct field *field); /* a string of bytes */
bool field_is_item(const struct field *field);   /* of an array */
bool field_is_map(const struct field *field);    /* an object whose members' names are free */
bool field_is_entry(const struct field *field);  /* such a member: it can be renamed and removed */
/* One line for a person: "integer 1…500, required, default 50". Not made safe for a terminal. */
void field_facts(const struct field *field, struct buf *out);
/* The same of the value alone, in the variant chosen: "integer ≥ 1". */
void field_value_facts(const struct field *field, struct buf *out);
/* The schema's default while the field is omitted; NULL if it has none or the field has a value. */
const cJSON *field_default(const struct field *field);
/* Of the schema's examples the one of that number that is a string; NULL: there are no more. */
const char *field_example(const struct field *field, size_t index);
void field_pointer(const struct field *field, struct buf *out); /* appends "/a/0/b" */

/* ---- where it is ---- */
struct field *field_parent(const struct field *field); /* NULL for the root */
size_t field_index(const struct field *field);         /* among its parent's children */
size_t field_child_count(const struct field *field);
struct field *field_child(const struct field *field, size_t index);
bool field_is_folded(const struct field *field);
void field_fold(struct field *field, bool folded);

/* ---- its value ---- */
enum field_state field_state(const struct field *field);
/* False: no value was ever given; nothing is sent (an array item is sent as null). */
bool field_is_filled(const struct field *field);
/* The text of a string, of a number as typed, of JSON as typed; "" for other kinds. May hold C0 80
 * for U+0000. */
const char *field_text(const struct field *field);
size_t field_text_len(const struct field *field);
bool field_is_on(const struct field *field); /* FIELD_BOOLEAN */
#define FIELD_NO_CHOICE ((size_t)-1)
size_t field_choice(const struct field *field); /* FIELD_ENUM, or FIELD_NO_CHOICE */
size_t field_choice_count(const struct field *field);
void field_choice_label(const struct field *field, size_t index, struct buf *out);
/* Of an array whose items are choices: these are ticked off, in any order. 0: it is no such array.
 * It is always folded. */
size_t field_option_count(const struct field *array);
void field_option_label(const struct field *array, size_t index, struct buf *out);
bool field_option_is_on(const struct field *array, size_t index);
/* A short line that stands for the value: of a folded object, of an enum, "3 items". */
void field_brief(const struct field *field, size_t max_bytes, struct buf *out);

/* ---- variants: oneOf, anyOf or a list of types leaves several; a field has the kind, members and
 * text of the one that is chosen ---- */
size_t field_variant_count(const struct field *field); /* 0: no choice, also while it is JSON */
size_t field_variant(const struct field *field); /* the one chosen, also where it is omitted */
const char *field_variant_name(const struct field *field, size_t index);

/* ---- what is wrong with it, after form_check() ---- */
const char *field_problem(const struct field *field); /* NULL when nothing is */
size_t field_problems_below(const struct field *field);

#endif

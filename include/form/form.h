/* SPDX-License-Identifier: MIT */
#ifndef FORM_FORM_H
#define FORM_FORM_H

#include "form/field.h"
#include "schema/schema.h"

/*
 * A form made from the JSON Schema of an object. Its fields follow the order of the schema and
 * hold exactly the value that will be sent. It keeps the schema (json_part()), never fetches
 * anything and never rejects a value: problems are marked, and the value can still be sent.
 *
 * Numbers are sent byte for byte as typed. A number field whose text is not a number, and a
 * JSON field whose text is not JSON, are sent as a string. If the root is edited as JSON, the
 * text is sent unchanged.
 *
 * If oneOf, anyOf or a list of types allows several shapes, a field has the shape of one
 * variant (form/field.h). Alternatives that only forbid values are not variants; if they are
 * scalars, the type follows from the text. Conditions show and hide members: form_adapt().
 *
 * A form is limited to FORM_MAX_FIELDS fields, FORM_MAX_DEPTH levels and FORM_MAX_CHOICES
 * choices or variants; anything beyond a limit becomes a JSON field. A member with a recursive
 * schema has no members until it is set.
 */
struct form;

#define FORM_MAX_FIELDS 200000
#define FORM_MAX_KEPT 50000 /* fields in all undo steps */
#define FORM_MAX_DEPTH 48
#define FORM_MAX_CHOICES 10000

/* How to treat the default of an optional member. The default of a required member is always
 * sent. */
enum form_defaults {
	FORM_DEFAULTS_SHOWN, /* the member stays omitted; field_default() only shows the value */
	FORM_DEFAULTS_SENT,  /* the member starts with its default, as in elicitation (SEP-1034) */
};

/* schema, in doc, may be anything, even NULL: at worst the form has only extra members. */
struct form *form_create(struct json_doc *doc, const cJSON *schema, enum form_defaults defaults);
void form_destroy(struct form *form); /* NULL-safe */

/* Replaces placeholders such as "${base}" by values. Checks apply to the arguments that fill()
 * returns. */
struct form_filler {
	/* Appends the JSON with placeholders replaced; shown: for people, without secrets. False:
	 * it has no placeholder, or a value is missing. */
	bool (*fill)(void *user, const char *json, size_t len, bool shown, struct buf *out);
	void *user;
};
void form_fill_by(struct form *form, const struct form_filler *filler);

/* A snapshot of a form. */
struct form_view {
	struct field *root;
	uint64_t version; /* differs after every change */
	size_t problems;  /* found by the last check */
	/* Why nothing can be validated against the schema, or "" (known after form_check()). */
	const char *schema_problem;
};

struct form_view form_view(const struct form *form);

/* ---- undo ---- */
/* Records the current values as an undo step if they differ from the last step. The oldest steps
 * are dropped when all steps together exceed FORM_MAX_KEPT fields. */
void form_note_step(struct form *form);
/* Restores the values of the previous step; again: of the next one, after an undo. Returns false
 * without a step. */
bool form_undo(struct form *form, bool again);

/* Finds a field by JSON Pointer (/a/0/b), name or dotted path (a.0.b); NULL if not found. */
struct field *form_find(const struct form *form, const char *path);

/* The same, but creates the field if it is missing, like form_set(). Returns NULL and sets err
 * on failure. */
struct field *form_reach_field(struct form *form, const char *path, struct err *err);

/* `:set PATH JSON`: sets omitted fields along the path. The index after the last, or "-", adds an
 * item. For a string, text that is not JSON is the value; for an enum or a variant, it is a
 * label. FORM_EXTRA_ADDED: a name that the schema does not declare adds an extra member;
 * FORM_EXTRA_REFUSED: it fails with an empty err. */
enum form_extra { FORM_EXTRA_REFUSED, FORM_EXTRA_ADDED };
bool form_set(
    struct form *form, const char *path, const char *text, enum form_extra extra, struct err *err);

/* A command line sets only the given values: it starts with form_load_json() of "{}" and ends with
 * form_fill_required(). */
/* PATH=TEXT: the field's type decides how to read the text. A string stays a string ("42",
 * "null") and a number is sent as typed. If the schema allows several types, JSON is accepted;
 * text that does not fit is sent as a string. */
bool form_set_typed(struct form *form, const char *path, const char *text, struct err *err);
/* PATH:=JSON: the exact value, even if the schema forbids it. Returns false also if the text is
 * not JSON. */
bool form_set_json(struct form *form, const char *path, const char *json, struct err *err);
/* Gives unset required members their defaults, like form_create(). */
void form_fill_required(struct form *form);

/* ---- the whole arguments ---- */
/* Appends the arguments that would be sent, always on one line. Returns false if they are not
 * JSON, which only the root in JSON mode allows. */
bool form_to_json(const struct form *form, struct buf *out);
bool form_equal(const struct form *a, const struct form *b);        /* send the same */
bool form_to_json_pretty(const struct form *form, struct buf *out); /* for editing */
/* Both with the values of the form's filler, for people. */
bool form_to_json_shown(const struct form *form, struct buf *line, struct buf *pretty);
/* Fills the form from JSON text without losing anything. If the text is not JSON, returns false,
 * leaves the form unchanged and says where in error, which may be NULL. */
bool form_load_json(struct form *form, const char *text, size_t len, struct json_error *error);
/* The same, but text that is not JSON is kept and sent unchanged. */
void form_load_raw(struct form *form, const char *text, size_t len);

/* ---- conditions ---- */
/* Shows, hides and requires members as if, then, else and the dependent keywords say for the
 * current values. Hidden members are not sent. Returns true if the fields changed: pointers to
 * fields inside a member may then be stale. form_check() does it too. */
bool form_adapt(struct form *form);

/* ---- problems ---- */
/* Marks every field that violates the schema or lacks a value. Returns the number of problems. */
size_t form_check(struct form *form);
/* The same while the form is being filled in: a field without a value gets no new problem. */
size_t form_check_given(struct form *form);
struct field *field_first_problem(struct field *field); /* in it or below; NULL without one */

/* ---- visible rows: folded fields have none ---- */
enum form_row_kind {
	FORM_ROW_FIELD, /* chooses the variant too, if the field has variants */
	FORM_ROW_VALUE, /* the value, after the row of the variant; not for objects and arrays */
	FORM_ROW_ADD,   /* "add an item" at the end of the array or map `field` */
};

struct form_row {
	struct field *field;
	enum form_row_kind kind;
	unsigned depth;         /* 0 at the top */
	struct field_view view; /* of field, when the row was asked for */
};

size_t form_row_count(const struct form *form);
struct form_row form_row_at(const struct form *form, size_t index); /* index < count */
/* The row of a field or, if it is folded away, of its nearest visible ancestor. */
size_t form_row_of(const struct form *form, const struct field *field);

#endif

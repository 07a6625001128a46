/* SPDX-License-Identifier: MIT */
#ifndef FORM_FIELD_H
#define FORM_FIELD_H

#include "base/buf.h"
#include "json/doc.h"

/*
 * One field of a form (form/form.h): an editor for one value, described by one schema. The
 * form owns its fields; a field is destroyed with the form, or when its array item or its
 * parent's value is removed. Returned strings are borrowed until the next change of the form.
 */
struct field;

enum field_kind {
	FIELD_STRING,
	FIELD_NUMBER,
	FIELD_INTEGER,
	FIELD_BOOLEAN,
	FIELD_ENUM,  /* one of several choices */
	FIELD_CONST, /* a single allowed value */
	FIELD_OBJECT,
	FIELD_ARRAY,
	FIELD_JSON, /* a schema that no widget can edit, or any field while it is edited as JSON */
};

enum field_state {
	FIELD_OMITTED, /* not sent */
	FIELD_NULL,    /* null is sent */
	FIELD_SET,     /* the value is sent, unless the field was never filled */
};

#define FIELD_NO_CHOICE ((size_t)-1)

/* A snapshot of a field. Strings are borrowed until the next change of the form. */
struct field_view {
	/* ---- from the schema ---- */
	enum field_kind kind;        /* FIELD_JSON while edited as JSON */
	enum field_kind schema_kind; /* the kind when it is not edited as JSON */
	const char *name;            /* NULL for an array item and for the root */
	const char *title;           /* NULL without one */
	const char *description;     /* NULL without one */
	bool required, nullable;
	bool extra; /* a member that the schema does not declare */
	bool read_only, deprecated;
	bool base64;        /* a string of base64-encoded bytes */
	const char *format; /* of a string; NULL without one */
	bool item;          /* an array item */
	bool fixed;         /* an item of a tuple: its index has its own schema */
	bool complete;      /* an array that takes no more items */
	bool map;           /* an object with freely named members */
	bool entry;         /* a member of a map: it can be renamed and removed */
	/* If oneOf, anyOf or a list of types allows several variants, the field has the kind,
	 * members and text of the chosen one. A field edited as JSON has no variants.
	 */
	size_t variant_count, variant;
	/* Scalar types are variants too, or the schema says no type: the type follows from the
	 * text, and there is nothing to choose. */
	bool inferred;
	size_t choice_count; /* for FIELD_ENUM and FIELD_CONST */
	size_t option_count; /* for an array whose items are picked from choices, in any order; else
				0 */
	/* ---- its place in the form ---- */
	struct field *parent; /* NULL for the root */
	size_t index;         /* among the children of its parent */
	size_t child_count;
	size_t hidden_count; /* children without a row: they wait for a condition */
	bool folded;         /* always true if the array has options */
	/* ---- its value ---- */
	enum field_state state;
	bool filled;      /* if false, nothing is sent, except null for an array item */
	const char *text; /* the string, or the number or JSON as typed; else "". C0 80 is U+0000 */
	size_t text_len;
	bool on;       /* FIELD_BOOLEAN */
	size_t choice; /* FIELD_ENUM: an index, or FIELD_NO_CHOICE */
	/* ---- the problem found by form_check() ---- */
	const char *problem; /* NULL: none */
	size_t problems_below;
};

/* One of the values to choose from. */
struct choice {
	const cJSON *value;
	const char *label;       /* NULL: use the value */
	const char *description; /* NULL without one */
};

struct field_view field_view(const struct field *field);
struct field *field_child(const struct field *field, size_t index);
void field_pointer(const struct field *field, struct buf *out); /* appends "/a/0/b" */
void field_fold(struct field *field, bool folded);

/* ---- text, not escaped for a terminal ---- */
/* "integer 1…500, required, default 50" */
void field_facts(const struct field *field, struct buf *out);
/* The same for the value alone, in the chosen variant: "integer ≥ 1". */
void field_value_facts(const struct field *field, struct buf *out);
/* "one of a or b is required": the rules of anyOf and oneOf about the members. unmet: only the
 * rules that the values break. */
void field_rules(const struct field *object, bool unmet, struct buf *out);
/* Append the value that the form's filler gives, as JSON for people; false: nothing to fill in. */
bool field_add_filled(const struct field *field, struct buf *out);
/* Append a short text for the value: a folded object, an enum label, "3 items". */
void field_brief(const struct field *field, size_t max_bytes, struct buf *out);
/* Return a choice of a FIELD_ENUM or FIELD_CONST, or an option of an array; index < their number.
 */
struct choice field_choice(const struct field *field, size_t index);
void field_choice_label(const struct field *field, size_t index, struct buf *out);
/* The value that is sent, if the label is another text. */
void field_choice_value(const struct field *field, size_t index, struct buf *out);
bool field_option_is_on(const struct field *array, size_t index);
const char *field_variant_name(const struct field *field, size_t index);
/* The type of the value that an inferred field sends; NULL for any other field, or without a
 * value. */
const char *field_sent_type(const struct field *field);
/* The schema's default while the field is omitted; NULL without a default or with a value. */
const cJSON *field_default(const struct field *field);
/* The string example at this index; NULL past the last one. */
const char *field_example(const struct field *field, size_t index);

/* ---- changes; each clears the problem of the field ---- */

/* Returns false if the state is impossible: NULL if null is not allowed, OMITTED for the root or
 * an item. FIELD_SET on a field that was never filled creates an object's members and an array's
 * first items. */
bool field_set_state(struct field *field, enum field_state state);
/* Sets a string, number or JSON as typed. Nothing is rejected; an empty number or JSON is
 * unfilled. Fields of other kinds do not change. */
void field_set_text(struct field *field, const char *text, size_t len);
/* The same for an inferred field, with the type that the text has: a number, true, false, null, or
 * else a string. string: always a string. */
void field_set_inferred(struct field *field, const char *text, size_t len, bool string);
void field_inferred_text(const struct field *field, struct buf *out); /* as it would be typed */
/* A string, perhaps only by default, that looks like another type. */
bool field_is_plain_string(const struct field *field);
/* From 5 to "5" or back. Returns false if the value has only one possible type. */
bool field_switch_type(struct field *field);
void field_set_on(struct field *field, bool on);
void field_set_choice(struct field *field, size_t index);
void field_option_set(struct field *array, size_t index, bool on);
/* Sets the field. Typed values carry over to members with the same name and a matching type, and
 * come back when their variant is chosen again. Constants that distinguish variants are filled
 * in. */
void field_set_variant(struct field *field, size_t index);
void field_reset(struct field *field); /* back to the initial state: default, empty or omitted */
/* Switches to JSON editing, which always works, or back, which fails if the JSON does not fit
 * the widgets. */
bool field_as_json(struct field *field, bool on, struct err *err);
/* Loads a copy of json, which may come from any tree, into the variant that accepts it or
 * resembles it most. A value that does not fit turns the field to JSON. */
void field_load(struct field *field, const cJSON *json);

/* Text for an editor, and back: a string verbatim, anything else as indented JSON. Returns false
 * if the text is not JSON; it is kept as typed. */
void field_to_text(const struct field *field, struct buf *out);
bool field_from_text(struct field *field, const char *text, size_t len);
/* Stores a string in a field of any kind. */
void field_put_string(struct field *field, const char *text, size_t len);

/* Adds an entry at the end of a map. Returns NULL and sets err if the name is taken or the form
 * is full. */
struct field *field_add_entry(struct field *map, const char *name, struct err *err);
/* The names that the schema of a map lists and that it does not have yet; returns their number. */
size_t field_free_names(const struct field *map, const char **names, size_t max);
bool field_rename(struct field *entry, const char *name, struct err *err);

/* Array items. add inserts before `at`, or appends if that is past the end or in a tuple, and
 * returns NULL if the form is full. remove also removes extra members and map entries; of a tuple
 * only the last item. move returns false at either end and in a tuple. */
struct field *field_add_item(struct field *array, size_t at);
bool field_remove(struct field *field);
bool field_move(struct field *item, int by);

#endif

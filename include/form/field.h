#ifndef FORM_FIELD_H
#define FORM_FIELD_H

#include "base/buf.h"
#include "json/doc.h"

/*
 * One field of a form (form/form.h): a place for a value, made from one schema.
 * Owned by its form and gone with it, or when its array item or its parent's
 * value goes. Texts returned are borrowed until the next change of the form.
 */
struct field;

enum field_kind {
	FIELD_STRING,
	FIELD_NUMBER,
	FIELD_INTEGER,
	FIELD_BOOLEAN,
	FIELD_ENUM,  /* one of several choices */
	FIELD_CONST, /* one value only */
	FIELD_OBJECT,
	FIELD_ARRAY,
	FIELD_JSON, /* what no widget expresses, or any field while it is edited as JSON */
};

enum field_state {
	FIELD_OMITTED, /* not sent */
	FIELD_NULL,    /* null is sent */
	FIELD_SET,     /* the value is sent, unless it was never filled */
};

#define FIELD_NO_CHOICE ((size_t)-1)

/* What is known of a field. Texts are borrowed until the next change of the form. */
struct field_view {
	/* ---- what the schema says ---- */
	enum field_kind kind;        /* FIELD_JSON while edited as JSON */
	enum field_kind schema_kind; /* the kind otherwise */
	const char *name;            /* NULL for an array item and the root */
	const char *title;           /* NULL without one */
	const char *description;     /* NULL without one */
	bool required, nullable;
	bool extra;  /* a member that the schema does not know */
	bool base64; /* a string of bytes */
	bool item;   /* of an array */
	bool map;    /* an object whose members have free names */
	bool entry;  /* such a member: it can be renamed and removed */
	/* oneOf, anyOf or a list of types leaves several variants; the field has the kind, members
	 * and text of the chosen one. No variants while the field is edited as JSON. */
	size_t variant_count, variant;
	size_t choice_count; /* of a FIELD_ENUM or FIELD_CONST */
	size_t
	    option_count; /* of an array whose items are choices, ticked off in any order; or 0 */
	/* ---- where it is ---- */
	struct field *parent; /* NULL for the root */
	size_t index;         /* among the children of its parent */
	size_t child_count;
	bool folded; /* always, with options */
	/* ---- its value ---- */
	enum field_state state;
	bool filled; /* else nothing is sent; an array item is sent as null */
	const char
	    *text; /* of a string, of a number or JSON as typed; else "". C0 80 stands for U+0000 */
	size_t text_len;
	bool on;       /* FIELD_BOOLEAN */
	size_t choice; /* FIELD_ENUM: an index, or FIELD_NO_CHOICE */
	/* ---- what is wrong with it, after form_check() ---- */
	const char *problem; /* NULL: nothing */
	size_t problems_below;
};

struct field_view field_view(const struct field *field);
struct field *field_child(const struct field *field, size_t index);
void field_pointer(const struct field *field, struct buf *out); /* appends "/a/0/b" */
void field_fold(struct field *field, bool folded);

/* ---- words, not made safe for a terminal ---- */
/* "integer 1…500, required, default 50" */
void field_facts(const struct field *field, struct buf *out);
/* The same of the value alone, in the chosen variant: "integer ≥ 1". */
void field_value_facts(const struct field *field, struct buf *out);
/* A short line that stands for the value: of a folded object, of an enum, "3 items". */
void field_brief(const struct field *field, size_t max_bytes, struct buf *out);
void field_choice_label(const struct field *field, size_t index, struct buf *out);
void field_option_label(const struct field *array, size_t index, struct buf *out);
bool field_option_is_on(const struct field *array, size_t index);
const char *field_variant_name(const struct field *field, size_t index);
/* The schema's default while the field is omitted; NULL if it has none or the field has a value. */
const cJSON *field_default(const struct field *field);
/* The example of that number among those that are strings; NULL: there are no more. */
const char *field_example(const struct field *field, size_t index);

/* ---- changes; each clears the problem of the field ---- */

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

/* SPDX-License-Identifier: MIT */
#ifndef FORM_TREE_H
#define FORM_TREE_H

#include "base/map.h"
#include "form/form.h"
#include "schema/schema.h"

#define FORM_MAX_EAGER 4096 /* fields created without a request from the user */
#define FORM_EAGER_DEPTH 8
#define FORM_MAX_PREFILLED 64 /* items created for minItems */

/* ---- shapes ---- */

#define SHAPE_PARTS 32
#define SHAPE_GROUPS 4
#define SHAPE_PICKS 4        /* levels of nested alternatives that are distinguished */
#define SHAPE_TUPLE 64       /* items with a schema each; more are edited as JSON */
#define SHAPE_BUDGET 1000000 /* choices and alternatives examined for one form */

/* One of several shapes: one alternative for each oneOf or anyOf on the path, or a type. */
struct variant {
	const cJSON *picks[SHAPE_PICKS];
	unsigned pick_count;
	const char *type;    /* one of a list of types, else NULL */
	struct shape *shape; /* NULL until needed */
	char *name;          /* NULL until needed */
};

/*
 * The requirements of one schema, compiled once and shared by all fields made from it. Its parts
 * are the schema itself, the schemas it refers to and those that allOf and trivial anyOf add;
 * keywords are looked up in that order. A shape with variants is not used directly: fields
 * take the shape of one variant, which has the common parts and its own.
 */
struct shape {
	const struct shape *base; /* the shape that the schema extends, or NULL */
	const cJSON *schema;      /* NULL: anything */
	const cJSON *parts[SHAPE_PARTS];
	unsigned part_count;
	const cJSON *groups[SHAPE_GROUPS]; /* each is a oneOf or anyOf with several alternatives */
	unsigned group_count;
	const char *type; /* the chosen one of a list of types */
	bool conditional; /* a part has if or depends on members: see value_check.c */
	bool overflowed;  /* more parts than fit */
	bool is_root;
	bool nullable;
	bool names_made, tag_known;
	bool scalars, scalars_known; /* every variant is another scalar type */
	enum field_kind kind;
	const char *unresolved; /* an unresolved $ref */
	const char *tag;        /* see shape_tag() */
	struct {
		struct choice *items;
		size_t len, cap;
	} choices;
	struct {
		struct variant *items;
		size_t len, cap;
	} variants;
};

/* shape.c */
const cJSON *shape_get(
    const struct shape *shape, const char *keyword); /* from the first part that has it */
const char *shape_get_string(const struct shape *shape, const char *keyword);
const cJSON *shape_property(
    const struct shape *shape, const char *name); /* from the last part that has it */
const cJSON *shape_entry(
    const struct shape *shape); /* the schema of a map's values; NULL if it is not a map */
/* The schemas of the first items, one each, in an array: prefixItems, or items in older drafts. */
const cJSON *shape_tuple(const struct shape *shape);
/* The value of a const, or of an enum with one value; else NULL. */
const cJSON *schema_single_value(const cJSON *schema);
/* The schema of an item; NULL past the declared items. */
const cJSON *shape_item(const struct shape *shape, size_t index);

/* field.c */
void shape_choice_label(const struct shape *shape, size_t index, struct buf *out);

/* resolves references in root */
void shape_add_part(struct shape *shape, const cJSON *root, const cJSON *schema);

/* the types that all parts together allow */
enum shape_type {
	SHAPE_NULL = 1,
	SHAPE_STRING = 2,
	SHAPE_INTEGER = 4,
	SHAPE_FRACTION = 8, /* with SHAPE_INTEGER: number */
	SHAPE_BOOLEAN = 16,
	SHAPE_OBJECT = 32,
	SHAPE_ARRAY = 64,
	SHAPE_ANY = 127,
};
unsigned shape_types(const struct shape *shape, bool *said); /* *said: there is a `type` */

/* index < variants.len; created on first use */
const struct shape *shape_variant(
    const struct shape *whole, const cJSON *root, size_t *budget, size_t index);

/* The property that distinguishes the variants, or NULL. */
const char *shape_tag(struct shape *whole, const cJSON *root);
/* Names all variants; runs once. */
void shape_name_variants(struct shape *whole, const cJSON *root, size_t *budget);
const char *shape_type_word(const struct shape *shape);

/* ---- fields ---- */

struct field {
	struct form *form;
	struct field *parent;
	const struct shape *whole; /* everything that the schema allows */
	const struct shape *shape; /* the full shape, or its chosen variant */
	size_t variant;
	struct drafts *drafts; /* drafts of other variants, or NULL */
	const char *name;      /* points into the schema's tree or to own_name */
	char *own_name;
	size_t index;
	struct {
		struct field **items;
		size_t len, cap;
	} children;
	struct map names; /* of the children, if there are many */
	struct buf text;
	size_t choice;
	size_t row;
	size_t hidden_count; /* of the children */
	char *problem;
	size_t problems_below;
	enum field_state state;
	unsigned depth;
	bool on, filled, as_json, folded, required, extra, item, seen;
	bool entry;         /* a member of a map */
	bool conditional;   /* declared only while a condition holds */
	bool hidden;        /* no condition that declares it holds: not sent */
	bool given;         /* set by a path or loaded while hidden: sent all the same */
	bool variant_fails; /* the running check found its variant invalid */
};

struct form {
	struct json_doc *doc; /* holds the schema; NULL without one */
	struct map shapes;    /* by schema and base */
	size_t budget;        /* for shapes: SHAPE_BUDGET for the whole form */
	size_t matching;      /* budget for matching variants, and for the steps of its checks */
	size_t checking;
	const struct shape *anything;
	struct field *root;
	size_t fields;
	size_t eager; /* fields that may still be created without a request */
	uint64_t version;
	struct schema *schema;      /* compiled by the first check */
	struct schema_parts *parts; /* of schema */
	char schema_problem[600];
	bool compiled;
	bool conditional; /* a member may depend on a condition */
	enum form_defaults defaults;
	struct form_filler filler; /* zeroed: none */
	struct steps *steps;       /* NULL until the first step is recorded */
	size_t problems;
	struct {
		struct row_at {
			struct field *field;
			enum form_row_kind kind;
			unsigned depth;
		} * items;
		size_t len, cap;
	} rows; /* valid for rows_version */
	uint64_t rows_version;
};

/* shape.c: each schema is compiled once; the form owns the shapes */
const cJSON *form_schema(const struct form *form); /* the form's schema, or NULL */
const struct shape *shape_of(struct form *form, const cJSON *schema);
const struct shape *shape_with(struct form *form, const struct shape *base, const cJSON *schema);
void shape_destroy(struct shape *shape); /* NULL-safe */

static inline enum field_kind
field_kind(const struct field *field)
{
	return field->as_json ? FIELD_JSON : field->shape->kind;
}

/* A value for a hidden member is sent although no condition declares it. */
static inline void
field_give(struct field *member)
{
	member->given = member->given || member->hidden;
	member->hidden = false;
}

static inline size_t
field_variant_count(const struct field *field)
{
	return field->as_json ? 0 : field->whole->variants.len;
}

/* set_field.c: the shape with the options of an array, or NULL */
const struct shape *field_options(const struct field *array);
size_t field_option_count(const struct field *array);
size_t field_tuple_count(const struct field *array); /* items with a schema each */
bool field_is_complete(const struct field *array);   /* a tuple that takes no more items */
const struct shape *field_item_shape(const struct field *array, size_t index);
bool field_is_map(const struct field *field);

static inline bool
field_is_folded(const struct field *field)
{
	return field->folded || field_option_count(field) > 0;
}

void form_begin(struct form *form); /* a user action starts: resets the budgets */
struct field *field_create(struct form *form, struct field *parent, const struct shape *shape);
void field_destroy(struct field *field);
void field_clear(struct field *field); /* drops value and children; keeps the state */
void field_changed(struct field *field);
void field_set_problem(struct field *field, const char *text); /* NULL: no problem */

/* After a change of names: of the children from this index on; of several with one name, the first
 * counts. */
void field_index_names(struct field *object, size_t from);
void field_add_child(struct field *parent, struct field *child, size_t at);
struct field *field_find_member(const struct field *object, const char *name); /* NULL-safe */
/* Creates the members of an object, all omitted. Returns false, without any, if there are too
 * many. */
bool field_make_members(struct field *object);
struct field *field_add_extra(struct field *object, const char *name); /* or a map entry */
void field_fill_variant(struct field *field); /* the same for the chosen variant */
void field_initialize(struct field *field);   /* sets the state that the schema asks for */

/* form.c: switch to JSON mode, with this text or with this string in quotes */
void field_take_json(struct field *field, const char *text, size_t len);
void field_take_string(struct field *field, const char *text);
void field_load_as_json(struct field *field, const cJSON *json);
void field_load_here(struct field *field, const cJSON *json); /* into the chosen variant */

/* field.c */
bool field_is_sent(const struct field *field);
void field_print(const struct field *field, struct buf *out);
/* Copies of values. */
struct json_doc *field_value(const struct field *field);
struct json_doc *string_value(const char *text, size_t len);

/* field_path.c: the member or item that one token of a path names, or NULL */
struct field *field_step(const struct field *field, const char *token);

/* variants.c: chooses variants and finds the one that matches a value */
void field_choose(struct field *field, size_t variant); /* does not touch the value */
void field_drop_drafts(struct field *field);
/* The other variant that has the member or, if token is an index, items. */
void field_choose_for(struct field *field, const char *token, bool bare);
/* Switches the surrounding variant if it does not allow the new value. */
void field_settle(struct field *field, bool bare);

#define NO_VARIANT ((size_t)-1)
size_t field_match(struct field *field, const cJSON *json); /* the best match */

/* value_check.c: adds the hidden members. Returns false if there are too many. */
bool field_add_conditional(struct field *object);
struct field *field_add_member(struct field *object, const cJSON *schema, const char *name);
bool field_mark_required(struct field *object);
const struct shape *field_base_shape(
    const struct field *field); /* variants.c: without conditions */

bool field_is_inferred(const struct field *field); /* variants.c */

/* value_check.c: validates values against parts of the schema */
#define FORM_MATCHING 2000000 /* variants examined, */
#define FORM_CHECKING 5000000 /* and validation steps, for each user action */
bool form_holds(struct form *form, const cJSON *schema, const cJSON *value);

#endif

#ifndef FORM_SHAPE_H
#define FORM_SHAPE_H

#include "form/field.h"

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
	bool conditional; /* a part has if or depends on members: see check.c */
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

/* check.c */
bool schema_has_conditions(const cJSON *schema);

/* The property that distinguishes the variants, or NULL. */
const char *shape_tag(struct shape *whole, const cJSON *root);
/* Names all variants; runs once. */
void shape_name_variants(struct shape *whole, const cJSON *root, size_t *budget);
const char *shape_type_word(const struct shape *shape);

#endif

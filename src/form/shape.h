#ifndef FORM_SHAPE_H
#define FORM_SHAPE_H

#include "form/field.h"

#define SHAPE_PARTS 16
#define SHAPE_GROUPS 4
#define SHAPE_PICKS 4        /* alternatives in alternatives that are still told apart */
#define SHAPE_BUDGET 1000000 /* choices and alternatives looked at for one form */

struct choice {
	const cJSON *value;
	const char *label; /* NULL: the value itself */
};

/* One of several shapes: an alternative of every oneOf or anyOf on the way to it, or a type. */
struct variant {
	const cJSON *picks[SHAPE_PICKS];
	unsigned pick_count;
	const char *type;    /* of a list of types; NULL: it is no such list */
	struct shape *shape; /* NULL until somebody asks */
	char *name;          /* the same */
};

/*
 * What one schema asks for, compiled once and shared by all fields made from it. Its parts are the
 * schema itself, what it refers to and what allOf and trivial anyOf add: a keyword is looked up
 * in them in that order. A shape with variants stands for none of them: fields take the shape of
 * one variant, which has the parts of the whole and its own.
 */
struct shape {
	const struct shape *base; /* NULL, or what the schema adds to */
	const cJSON *schema;      /* NULL: anything */
	const cJSON *parts[SHAPE_PARTS];
	unsigned part_count;
	const cJSON *groups[SHAPE_GROUPS]; /* each a oneOf or anyOf of several alternatives */
	unsigned group_count;
	const char *type; /* the one this is about, of a list of types */
	bool overflowed;  /* more parts than there is room for */
	bool is_root;
	bool nullable;
	bool names_made, tag_known;
	enum field_kind kind;
	const char *unresolved; /* a $ref that leads nowhere */
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
    const struct shape *shape, const char *keyword); /* in the first part with it */
const char *shape_get_string(const struct shape *shape, const char *keyword);
const cJSON *shape_property(const struct shape *shape, const char *name); /* in the last part */
const cJSON *shape_entry(const struct shape *shape); /* of a map: its values' schema; else NULL */
bool shape_is_choice(const cJSON *group);            /* all of it const and enum */
/* Its kind, choices and variants, once the parts are there. */
void shape_decide(struct shape *shape, const cJSON *root, size_t *budget);
void shape_decide_plain(struct shape *shape, size_t *budget); /* of one variant */

/* field.c */
void shape_choice_label(const struct shape *shape, size_t index, struct buf *out);

/* shape_parts.c: references are resolved in root */
void shape_add_part(struct shape *shape, const cJSON *root, const cJSON *schema);
bool is_null_schema(const cJSON *schema); /* {type: null} and its like */

/* shape_types.c: what `type` leaves, all parts taken together */
enum shape_type {
	SHAPE_NULL = 1,
	SHAPE_STRING = 2,
	SHAPE_INTEGER = 4,
	SHAPE_FRACTION = 8, /* with the one before: number */
	SHAPE_BOOLEAN = 16,
	SHAPE_OBJECT = 32,
	SHAPE_ARRAY = 64,
	SHAPE_ANY = 127,
};
unsigned shape_types(const struct shape *shape, bool *said); /* *said: there is a `type` */

/* shape_variants.c */
bool shape_find_variants(struct shape *shape, const cJSON *root, size_t *budget);
/* index < variants.len; made when first asked for */
const struct shape *shape_variant(
    const struct shape *whole, const cJSON *root, size_t *budget, size_t index);

/* shape_names.c */
/* The property that tells the variants apart; NULL: none does. */
const char *shape_tag(struct shape *whole, const cJSON *root);
/* All their names, once for all. */
void shape_name_variants(struct shape *whole, const cJSON *root, size_t *budget);
const char *shape_type_word(const struct shape *shape);

#endif

#ifndef FORM_TREE_H
#define FORM_TREE_H

#include "form/form.h"
#include "schema/schema.h"
#include "shape.h"

#define FORM_MAX_EAGER 4096 /* fields made without anybody asking */
#define FORM_EAGER_DEPTH 8
#define FORM_MAX_PREFILLED 64 /* items made for minItems */

struct shape_map {
	struct shape **slots; /* open addressing, a power of two */
	size_t cap, len;
};

struct field {
	struct form *form;
	struct field *parent;
	const struct shape *whole; /* all that is allowed */
	const struct shape *shape; /* the same, or the variant of it that is chosen */
	size_t variant;
	struct drafts *drafts; /* of other variants; NULL: none */
	const char *name;      /* in the schema's tree, or own_name */
	char *own_name;
	size_t index;
	struct {
		struct field **items;
		size_t len, cap;
	} children;
	uint32_t *names; /* index of children by name: position + 1, open addressing */
	size_t names_cap;
	struct buf text;
	size_t choice;
	size_t row;
	char *problem;
	size_t problems_below;
	enum field_state state;
	unsigned depth;
	bool on, filled, as_json, folded, required, extra, item, seen;
	bool entry;  /* of a map */
	bool judged; /* its variant, and found wrong, by the check that runs */
};

struct form {
	struct json_doc *doc; /* the copy of the schema; NULL where there is none */
	struct shape_map shapes;
	size_t budget;   /* of shapes: SHAPE_BUDGET, for all of them */
	size_t matching; /* variants that may still be looked at unasked, and checks of them */
	size_t checking;
	const struct shape *anything;
	struct field *root;
	size_t fields;
	size_t eager; /* fields that may still be made unasked */
	uint64_t version;
	struct schema *schema;      /* compiled at the first check */
	struct schema_parts *parts; /* of it */
	char schema_problem[600];
	bool compiled;
	enum form_defaults defaults;
	struct steps *steps; /* undo.c; NULL until the first is noted */
	size_t problems;
	struct form_row *rows; /* of rows_version */
	size_t row_count, row_cap;
	uint64_t rows_version;
};

/* shape.c: shapes are compiled once for each schema and belong to the form */
const cJSON *form_schema(const struct form *form); /* the copy; NULL where there is none */
const struct shape *shape_of(struct form *form, const cJSON *schema);
/* What both ask for. */
const struct shape *shape_with(struct form *form, const struct shape *base, const cJSON *schema);
void shapes_finish(struct form *form);

static inline enum field_kind
field_kind(const struct field *field)
{
	return field->as_json ? FIELD_JSON : field->shape->kind;
}

static inline size_t
field_variant_count(const struct field *field)
{
	return field->as_json ? 0 : field->whole->variants.len;
}

size_t field_option_count(const struct field *array); /* edit.c; as in struct field_view */
bool field_is_map(const struct field *field);         /* members.c */

static inline bool
field_is_folded(const struct field *field)
{
	return field->folded || field_option_count(field) > 0;
}

/* form.c */
void form_begin(struct form *form); /* something the user does: bounds anew */
struct field *field_create(struct form *form, struct field *parent, const struct shape *shape);
void field_destroy(struct field *field);
void field_clear(struct field *field); /* drops value and children; the state stays */
void field_changed(struct field *field);
void field_set_problem(struct field *field, const char *text); /* NULL: none */

/* members.c */
void field_add_child(struct field *parent, struct field *child, size_t at);
void field_detach_child(struct field *parent, size_t at);
struct field *field_find_member(const struct field *object, const char *name);
/* The members of an object, all omitted. False: too many; nothing was made. */
bool field_make_members(struct field *object);
struct field *field_add_extra(struct field *object, const char *name); /* or an entry of a map */
void field_fill(struct field *field);         /* the first value of a field that is set */
void field_fill_variant(struct field *field); /* the same, but as the variant chosen has it */
void field_initialise(struct field *field);   /* the state its schema gives it */

/* load.c */
void field_take_json(struct field *field, const char *text, size_t len); /* to JSON mode, with it */
void field_load_as_json(struct field *field, const cJSON *json);
void field_load_here(struct field *field, const cJSON *json); /* in the variant chosen */

/* field.c */
bool field_is_sent(const struct field *field);
void field_print(const struct field *field, struct buf *out);

/* variants.c: choosing a variant, and finding the one that a value is meant for */
void field_choose(struct field *field, size_t variant); /* no value is touched */
void field_drop_drafts(struct field *field);
const char *field_tag(const struct field *field); /* see struct shape */
/* Another variant where only that has the member or, token being an index, items. */
void field_choose_for(struct field *field, const char *token, bool bare);
/* After a value was set that the variant around it does not allow: the one that does. */
void field_settle(struct field *field, bool bare);

#define NO_VARIANT ((size_t)-1)
size_t field_match(struct field *field, const cJSON *json); /* the one that is meant */

/* check.c: values against parts of the schema */
#define FORM_MATCHING 2000000 /* variants looked at, */
#define FORM_CHECKING 5000000 /* and steps of checks, for one thing done */
bool form_holds(struct form *form, const cJSON *schema, const cJSON *value);

#endif

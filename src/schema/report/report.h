#ifndef SCHEMA_REPORT_REPORT_H
#define SCHEMA_REPORT_REPORT_H

#include "base/did_you_mean.h"
#include "schema/check/check.h"

/* A node of the instance at or below which something is wrong. */
struct place {
	struct place *up;
	const cJSON *value;
	size_t index; /* among its siblings */
	unsigned depth;
	size_t below;         /* violations here and below */
	struct record *first; /* about exactly this place, latest first */
	struct record *found; /* the first of them that is not a missing property */
};

/* A trail that led to a violation. */
struct kept_trail {
	const struct kept_trail *up;
	const struct node *node;
	bool down;
};

struct record {
	struct violation pub;
	const struct rule *rule; /* NULL: the schema `false`, or nothing more is known */
	const struct node *node;
	const struct kept_trail *trail;
	struct place *place;
	struct record *next; /* at the same place */
	size_t index;        /* in the report once it is sorted */
	size_t order;        /* of finding */
	bool naming;         /* about the name of the member, not its value */
	unsigned types;      /* alternatives that come to these types only; 0 otherwise */
	size_t a, b;         /* say_… knows: counts, positions */
	uint64_t left;       /* alternatives that may have been meant, a bit each of the first 64 */
	const struct report *report;
	size_t effort; /* for finding what was meant; where there are many, less for each */
};

/* The items of a lazy array that something is wrong with are kept here. */
struct lazy_items {
	const cJSON *array;
	struct json_reader *reader;
};

struct report {
	const struct schema *schema;
	const cJSON *instance;
	enum schema_outcome outcome;
	size_t steps, count, warnings, max_kept;
	bool is_cut;
	struct {
		struct record **items;
		size_t len, cap;
	} records;
	struct {
		const char **items;
		size_t len, cap;
	} unchecked;
	struct pool *pool;
	struct place_slot *places;
	size_t place_count, place_mask;
	struct missing_slot *missing;
	size_t missing_mask;
	struct {
		struct lazy_items *items;
		size_t len, cap;
	} lazy;
};

static inline const struct record *
report_record(const struct report *report, size_t index)
{
	BUG_IF(index >= report->records.len);
	return report->records.items[index];
}

/* Extra facts of a violation; all may be left out. */
struct fact {
	const char *missing;
	unsigned types;
	size_t a, b;
	uint64_t left;
	bool warning;
};

/* Records that the value in hand breaks rule. Returns false, for the check to return. */
bool report_add(
    struct checker *c, const struct rule *rule, const struct subject *s, struct fact fact);
/* The same about a child of the value in hand. */
bool report_child(struct checker *c, const struct rule *rule, const struct node *node,
    const cJSON *child, size_t index, struct fact fact);
void report_sort(struct report *report);

/* alternatives.c: says why none of the branches of anyOf or oneOf holds. Returns false. */
bool explain_alternatives(struct checker *c, const struct rule *rule, const struct subject *s);
/* The properties a branch declares, itself or where it refers to. May be NULL. */
struct object_rules;
const struct object_rules *branch_members(const struct node *branch);

/* Words that sentences about violations share. */
void say_found(const struct record *record, struct buf *out);
void say_value(const cJSON *value, struct buf *out); /* shortened JSON */
void say_count(size_t count, const char *one, const char *many, struct buf *out);
void say_subject(const struct record *record, struct buf *out); /* a value, or the name in hand */
void say_short(const char *text, struct buf *out);    /* a name, a pattern: its beginning */
void say_property(const char *name, struct buf *out); /* quoted unless it reads as a name */
void say_types(unsigned types, struct buf *out);      /* a string or null */
/* What a schema is for, by its type or constants; false: that does not tell it. */
bool say_kind(const struct node *node, struct buf *out);

/* With as much effort as the record has. */
void want_likely(struct did_you_mean *likely, const char *word, const struct record *record);
/* " (did you mean NAME?)" */
void say_likely(const struct did_you_mean *likely, const char *quote, struct buf *out);

/* ---- words_values.c: constants, one of which is wanted ---- */

#define LISTED_WHOLE 5 /* longer lists are cut after three */
#define LISTED_SHORT 3

struct choices {
	const cJSON *first[LISTED_WHOLE];
	size_t count;
	unsigned types;     /* of other values that will do, too */
	const cJSON *found; /* NULL: what was found is not told */
	const cJSON *twin;  /* reads like it, but is a string, or is not */
	struct did_you_mean likely;
};

/* Tells what was found, and looks for what was meant among the constants added from then on. */
void choices_want(struct choices *choices, const struct record *record);
void choices_add_rule(struct choices *choices, const struct rule *rule); /* const or enum */
void say_choices(const struct choices *choices, struct buf *out);
/* VALUE is not one of CHOICES (did you mean ...?) */
void line_choices(const struct record *record, const struct choices *choices, struct buf *out);

/*
 * From a subschema to those it applies, without judging: for what is told about a value besides
 * whether it holds. Whoever walks decides which ways to take.
 */
enum edge_kind {
	EDGE_ALWAYS,
	EDGE_BRANCH, /* anyOf, oneOf: some of them hold */
	EDGE_ITEM,   /* contains: holds for some items */
	EDGE_IF,     /* comes before its then and else */
	EDGE_THEN,
	EDGE_ELSE,
	EDGE_NOT,
	EDGE_NAME, /* propertyNames: about the child's name */
	EDGE_LEFT, /* unevaluated…: only children no other keyword has looked at */
};

#define NO_INDEX ((size_t)-1)

struct edge {
	enum edge_kind kind;
	const char *keyword;
	const char *name; /* below the keyword, where it holds several by name */
	size_t index;     /* the same by number; NO_INDEX otherwise */
	const struct node *to;
	/* Of the value that `to` is about; NULL: the value itself. An item of a lazy array lives
	 * until the next edge. */
	const cJSON *child;
	size_t child_index;
};

typedef void edge_fn(void *ctx, const struct edge *edge);

struct edge_walk {
	const struct schema *schema;
	const struct resource_scope *scope; /* as in a checker, the node's own resource included */
	struct regex_run *regex;
	edge_fn *on_edge;
	void *ctx;
};

void walk_edges(const struct edge_walk *walk, const struct node *node, const cJSON *value);

/* Where a walk has come to, and how. */
struct walk_step {
	const struct walk_step *up; /* NULL at the root */
	struct edge edge;
	const cJSON *value;
	const struct resource_scope *scope;
	struct resource_scope own;
	unsigned depth; /* steps from the root */
};

/* up and step must stay where they are. */
void step_init(struct walk_step *step, const struct walk_step *up, const struct edge *edge);
void step_init_root(struct walk_step *step, const struct schema *schema, const cJSON *instance);
/* Append the keywords passed, references included, and where in the instance it is. */
void step_add_keywords(const struct walk_step *step, struct buf *out);
void step_add_instance(const struct walk_step *step, struct buf *out);

#endif

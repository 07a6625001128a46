#ifndef SCHEMA_WALK_PRIV_H
#define SCHEMA_WALK_PRIV_H

#include "check_priv.h"

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

struct walk {
	const struct schema *schema;
	const struct scope *scope; /* as in a checker, the node's own resource included */
	struct regex_run *regex;
	edge_fn *on_edge;
	void *ctx;
};

void walk_edges(const struct walk *walk, const struct node *node, const cJSON *value);

/* Where a walk has come to, and how. */
struct step {
	const struct step *up; /* NULL at the root */
	struct edge edge;
	const cJSON *value;
	const struct scope *scope;
	struct scope own;
	unsigned depth; /* steps from the root */
};

/* up and step must stay where they are. */
void step_init(struct step *step, const struct step *up, const struct edge *edge);
void step_init_root(struct step *step, const struct schema *schema, const cJSON *instance);
/* Append the keywords passed, references included, and where in the instance it is. */
void step_add_keywords(const struct step *step, struct buf *out);
void step_add_instance(const struct step *step, struct buf *out);

#endif

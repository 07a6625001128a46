#ifndef SCHEMA_DOUBT_PRIV_H
#define SCHEMA_DOUBT_PRIV_H

#include "json/doc.h"

/* What could not be checked, and the budget that says how much is. */
struct checker;
struct node;

/* A rule that says neither yes nor no. */
struct doubt {
	const struct node *node; /* NULL: all that was left, not one rule */
	const cJSON *member;     /* of its text; NULL: node itself */
	const char *why;         /* lives as long as the schema */
};

struct doubt_list {
	struct doubt *items;
	size_t len, cap;
};

/* Raises a doubt and returns true. */
bool check_doubt(struct checker *c, const struct node *node, const cJSON *member, const char *why);
void check_stop(struct checker *c, const char *why);
/* Tells the report all that were raised, each once. */
void doubts_tell(struct checker *c);
/* Stops the check where the budget is used up. */
void check_budget(struct checker *c);

/* Doubts and warnings of a branch that turned out not to matter are dropped. */
struct trial {
	size_t doubts, warnings;
};
struct trial trial_begin(const struct checker *c);
void trial_drop(struct checker *c, const struct trial *trial);
bool trial_doubtful(const struct checker *c, const struct trial *trial);
bool trial_clean(const struct checker *c, const struct trial *trial); /* nor warnings */

#endif

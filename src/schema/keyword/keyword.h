/* SPDX-License-Identifier: MIT */
#ifndef SCHEMA_KEYWORD_KEYWORD_H
#define SCHEMA_KEYWORD_KEYWORD_H

#include "schema/check/check.h"
#include "schema/compile/compile.h"
#include "schema/report/report.h"

/*
 * Shared by the files that define keywords. A keyword is a row of KEYWORDS (keywords.c) and a
 * struct keyword_functions in a file of this folder, which the row names; the functions are static.
 * These are the functions that several keywords share.
 */

/* max…, not min… */
static inline bool
is_maximum(const struct rule *rule)
{
	return rule->keyword->name[1] == 'a';
}

compile_fn compile_schema; /* one subschema, as.node */
compile_fn compile_count;  /* a whole number, as.count */

/* Follow edges to subschemas: as.node for each child; any others, of which a NULL is none. */
walk_fn walk_children;
void walk_here(
    struct edge_walk *w, enum edge_kind kind, const char *keyword, const struct node *to);
void walk_edge(struct edge_walk *w, const struct edge *edge);

/* A missing property; a child that is not declared; several alternatives. */
add_words_fn add_missing_line;
add_words_fn add_not_declared, add_not_declared_line;
add_words_fn append_alternatives, add_alternatives_line;
add_words_fn add_type_line;
add_words_fn add_not_line;

/* ---- constant.c: constants that the value may have ---- */

#define LISTED_WHOLE 5 /* longer lists are cut after three */
#define LISTED_SHORT 3

struct choices {
	const cJSON *first[LISTED_WHOLE];
	size_t count;
	unsigned types;     /* types of other allowed values */
	const cJSON *found; /* NULL: do not show the value */
	const cJSON *twin;  /* looks the same, but only one of the two is a string */
	struct did_you_mean suggestion;
};

/* Sets the value to show, and compares it with the constants added afterwards. */
void choices_want(struct choices *choices, const struct record *record);
void choices_add(struct choices *choices, const cJSON *value);
void choices_add_rule(struct choices *choices, const struct rule *rule); /* const or enum */
void add_choices(const struct choices *choices, struct buf *out);
/* VALUE is not one of CHOICES (did you mean ...?) */
void add_choices_line(const struct record *record, const struct choices *choices, struct buf *out);

#endif

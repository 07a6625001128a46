/* SPDX-License-Identifier: MIT */
#ifndef RECIPE_RECIPE_H
#define RECIPE_RECIPE_H

#include "json/doc.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * A file of steps: calls, and actions on their results, described in docs/RECIPES.md and
 * docs/recipe.schema.json. All pointers are into the file's tree. A run compiles all jq expressions
 * before its first step.
 */
enum recipe_kind {
	RECIPE_CALL, /* a tool */
	RECIPE_READ, /* a resource */
	RECIPE_GET,  /* a prompt */
	RECIPE_PICK, /* a value, by jq */
	RECIPE_EACH, /* steps for each result of jq */
	RECIPE_ASSERT,
	RECIPE_GROUP, /* steps under one condition */
	RECIPE_KINDS
};
extern const char *const recipe_kind_names[RECIPE_KINDS]; /* the members: "call"; "steps" */

static inline bool
recipe_kind_calls(enum recipe_kind kind)
{
	return kind <= RECIPE_GET;
}

/* Expectations of the result of a call; NULL and -1: none. */
struct recipe_expect {
	const cJSON *error;    /* true, false, or a part of the message */
	const cJSON *verdict;  /* a name, or an array of them */
	const cJSON *findings; /* "none", "notes", "warnings", or an array of ids */
	const char *of;        /* jq: the value that the next three check; NULL: the data */
	const cJSON *equals, *contains;
	const char *snapshot;    /* a file in the folder of the recipe */
	const cJSON *conditions; /* jq: a string, or an array of strings */
	int64_t within_us;
};

/* Retries of a call or of a group, until an attempt passes and `until` is true. */
struct recipe_retry {
	size_t attempts;   /* limit; 0: no retries */
	int64_t delay_us;  /* between attempts */
	const char *until; /* jq; NULL: no further condition */
};

struct recipe_steps {
	struct recipe_step *items;
	size_t len, cap;
};

struct recipe_step {
	enum recipe_kind kind;
	const char
	    *action;      /* the tool, URI or prompt; the expression of pick and each; else NULL */
	const char *name; /* a title; NULL: none */
	const char *when; /* jq; NULL: always */
	const char *from; /* the variable that jq reads; NULL: the current value */
	const char *save; /* the variable that keeps the value; NULL: none does */
	const char *as;   /* of each: never NULL there */
	const char *message;     /* of assert; may be NULL */
	const cJSON *arguments;  /* an object; NULL: {} */
	const cJSON *conditions; /* of assert: a string, or an array of strings */
	struct recipe_expect expect;
	struct recipe_retry retry; /* of a call and a group */
	struct recipe_steps steps; /* of each and group */
	bool all;                  /* pick: all results, as an array */
	bool goes_on;              /* after its failure, the next steps run */
	const cJSON *node;
};

struct recipe {
	struct json_doc *doc;
	struct buf text;                /* of the file */
	const char *path;               /* for messages; set by the owner, borrowed; NULL: none */
	const char *name, *description; /* may be NULL */
	const char *ignored;            /* $schema, and the server of a saved call */
	const cJSON *variables, *environments; /* objects; may be NULL */
	bool is_independent;                   /* the steps are independent tests */
	struct recipe_steps steps;
};

#define RECIPE_FILE_MAX ((size_t)4 << 20)
#define RECIPE_STEPS_MAX 1000
#define RECIPE_DEPTH_MAX 16 /* of steps in steps */
#define RECIPE_ATTEMPTS_MAX 10000
#define RECIPE_EXPRESSION_MAX ((size_t)8 << 10)

/* The first error in a file. */
struct recipe_problem {
	unsigned line, column; /* from 1; the column counts bytes */
	char pointer[200];     /* "" if it is not JSON */
	char text[256];
};

/* NULL: *problem says why. */
struct recipe *recipe_parse(const char *text, size_t len, struct recipe_problem *problem);
void recipe_destroy(struct recipe *recipe);
/* Append the position of a node: "FILE:LINE:COLUMN: POINTER: ". */
void recipe_add_place(const struct recipe *recipe, const cJSON *node, struct buf *out);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef RECIPE_COLLECTION_H
#define RECIPE_COLLECTION_H

#include "base/strings.h"
#include "json/doc.h"
#include "recipe/variables.h"

/*
 * Files of a project that are committed with its sources: named arguments (calls/NAME.json and
 * calls/GROUP/NAME.json, a saved call each) and variables with their values for each environment
 * (environments.json).
 *
 * Without I/O. Both readers are strict: an unknown member is an error with its place.
 */
#define SAVED_CALL_MAX ((size_t)1 << 20) /* bytes of a file */
#define SAVED_NAME_MAX 80                /* bytes of NAME and of GROUP */

/* The member with the name or URI, by enum primitive_kind: "call", "read", "template", "get", as in
 * a step of a recipe: a saved call is a recipe with one step. */
enum { SAVED_KINDS = 4 };
extern const char *const saved_kind_names[SAVED_KINDS];

/* Arguments that were saved under a name such as "open orders" or "orders/open". */
struct saved_call {
	char *name;
	int kind;        /* of enum primitive_kind */
	char *key;       /* the name of the tool or prompt, the URI of the resource or template */
	char *server;    /* its name where it was saved; NULL: any */
	char *arguments; /* JSON of an object; "${name}" refers to a variable */
	char *rest;      /* JSON of an object with the other members: description, expect ... */
	char *trouble;   /* why the file is invalid; then only the name is set; NULL: it is valid */
};
void saved_call_finish(struct saved_call *c); /* leaves it zeroed */
/* Check that a name is a valid file name with at most one slash. */
bool saved_call_is_name(const char *name, struct err *err);
/* The name is the caller's. */
bool saved_call_parse(struct saved_call *out, const char *text, size_t len, struct err *err);
/* Append the text of the file: indented, members in a fixed order. */
void saved_call_add(const struct saved_call *c, struct buf *out);

struct saved_calls {
	struct saved_call *items; /* by name */
	size_t len, cap;
};
void saved_calls_finish(struct saved_calls *s);
const struct saved_call *saved_calls_find(const struct saved_calls *s, const char *name);

struct environments {
	struct json_doc *doc; /* NULL: there are none */
	struct strings names; /* in the order of the file */
};
void environments_finish(struct environments *e); /* leaves it zeroed */
bool environments_parse(struct environments *out, const char *text, size_t len, struct err *err);

/* Access to the files, implemented by the host. */
struct collection_host {
	/* Read the files. False: err says why none can be used. */
	bool (*calls)(void *user, struct saved_calls *out, struct err *err);
	bool (*environments)(void *user, struct environments *out, struct err *err);
	/* Write a call, and replace that of the same name; *path: its file, freed by the caller. */
	bool (*save)(void *user, const struct saved_call *call, char **path, struct err *err);
	bool (*rename)(void *user, const char *name, const char *new_name, struct err *err);
	bool (*remove)(void *user, const char *name, struct err *err);
	/* Get and set the environment that the user selected for this project; NULL: none. The
	 * caller frees the result. */
	char *(*kept_environment)(void *user);
	bool (*keep_environment)(void *user, const char *name, struct err *err);
	/* Return a variable of the process's environment and register it as a secret
	 * (base/secret.h). NULL: it is not set, or too short to be hidden. */
	const char *(*secret)(void *user, const char *env);
};

/* The variables of an environment. */
struct environment {
	char *name; /* NULL: no environment */
	struct variables variables;
	struct strings secrets; /* names of variables from the process's environment */
	struct strings sources; /* their names there, in the same order */
	struct strings lacking; /* missing ones with their names there: "t: X" */
};
void environment_finish(struct environment *e); /* leaves it zeroed */
/* Load the variables of an environment; name NULL or "": no environment. False: there is none of
 * that name. */
bool environments_use(const struct environments *all, const char *name,
    const struct collection_host *host, void *user, struct environment *out, struct err *err);
/* Remove secrets that are not set or whose names are not in the text: they need no consent of the
 * user to be sent. */
void environment_leave_out(struct environment *e, const char *text, size_t len);
/* Append the JSON with its references replaced (recipe/variables.h); text without references or
 * that is not JSON is copied. */
bool environment_fill(
    const struct environment *e, const char *json, size_t len, struct buf *out, struct err *err);
/* Return the first secret that the JSON refers to, or NULL. */
const char *environment_secret_in(const struct environment *e, const char *json, size_t len);

#endif

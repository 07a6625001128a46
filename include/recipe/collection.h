#ifndef RECIPE_COLLECTION_H
#define RECIPE_COLLECTION_H

#include "base/strings.h"
#include "json/doc.h"
#include "recipe/variables.h"

/*
 * What a project keeps beside its sources, in files made to be committed: arguments under a name,
 * and variables with their values for each environment. Without I/O: text to values and back.
 *   calls/NAME.json, calls/GROUP/NAME.json     a saved call
 *   environments.json                          the variables
 * Both are strict: what they do not know is an error that says where.
 */
#define SAVED_CALL_MAX ((size_t)1 << 20) /* bytes of a file */
#define SAVED_NAME_MAX 80                /* bytes of NAME and of GROUP */

/* The member that has what is called, by enum primitive_kind: "call", "read", "template", "get".
 * They are those of a recipe's steps: a saved call is a recipe of one step. */
enum { SAVED_KINDS = 4 };
extern const char *const saved_kind_names[SAVED_KINDS];

/* Arguments that were kept under a name, "open orders" or "orders/open", with what they are for. */
struct saved_call {
	char *name;
	int kind;        /* of enum primitive_kind */
	char *key;       /* the name of the tool or prompt, the URI of the resource or template */
	char *server;    /* its name where it was saved; NULL: any */
	char *arguments; /* JSON of an object; "${name}" in it stands for a variable */
	char *rest;      /* JSON of an object with the other members: description, expect ... */
	char *trouble;   /* why the file cannot be used, in place of all but the name; NULL */
};
void saved_call_finish(struct saved_call *c); /* leaves it zeroed */
/* Does it make a file name on its own, with at most one slash? */
bool saved_call_is_name(const char *name, struct err *err);
/* The name is the caller's. */
bool saved_call_parse(struct saved_call *out, const char *text, size_t len, struct err *err);
/* As it is written to a file: indented, members in one order. */
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

/* Where they are, for the interface. */
struct collection_host {
	/* Reads the files each time. False: err says what is wrong with them as a whole. */
	bool (*calls)(void *user, struct saved_calls *out, struct err *err);
	bool (*environments)(void *user, struct environments *out, struct err *err);
	/* Over the one of its name if there is one; *path: where it is now, which the caller frees.
	 */
	bool (*save)(void *user, const struct saved_call *call, char **path, struct err *err);
	bool (*rename)(void *user, const char *name, const char *new_name, struct err *err);
	bool (*remove)(void *user, const char *name, struct err *err);
	/* The environment that the user chose for this project, from run to run; NULL: none. The
	 * caller frees what the first one gives. */
	char *(*kept_environment)(void *user);
	bool (*keep_environment)(void *user, const char *name, struct err *err);
	/* The value of a variable of the process's environment, which is a secret from then on
	 * (base/secret.h). NULL: it is not set, or too short to be hidden. */
	const char *(*secret)(void *user, const char *env);
};

/* The variables as an environment has them. */
struct environment {
	char *name; /* NULL: of no environment */
	struct variables variables;
	struct strings secrets; /* names of those that come from the process's environment */
	struct strings sources; /* what they are called there, in the same order */
	struct strings lacking; /* names of those that are not set there, each with where: "t: X" */
};
void environment_finish(struct environment *e); /* leaves it zeroed */
/* name: NULL or "": of no environment. False: there is none of that name, and nothing is made. */
bool environments_use(const struct environments *all, const char *name,
    const struct collection_host *host, void *user, struct environment *out, struct err *err);
/* Takes the secrets out that are not set, or that the text cannot refer to, because their name is
 * nowhere in it: nobody has to be asked whether they may go to a server. */
void environment_leave_out(struct environment *e, const char *text, size_t len);
/* Appends the JSON with the values of what it refers to, see recipe/variables.h; text that refers
 * to nothing or is not JSON as it is. */
bool environment_fill(
    const struct environment *e, const char *json, size_t len, struct buf *out, struct err *err);
/* The first secret that the JSON refers to; NULL: none. */
const char *environment_secret_in(const struct environment *e, const char *json, size_t len);

#endif

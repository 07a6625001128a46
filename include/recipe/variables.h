#ifndef RECIPE_VARIABLES_H
#define RECIPE_VARIABLES_H

#include "base/err.h"
#include "json/doc.h"

/*
 * Named JSON values, and the references to them in strings: ${name}, or ${name.member.0} for a part
 * of the value. A string that is nothing but one reference becomes the value itself, with its type;
 * in longer ones a string is inserted as it is, every other value as JSON. $${ is a plain ${. Names
 * are those of jq: a letter or _, then letters, digits and _.
 */
struct variable {
	char *name;
	struct json_doc *doc; /* a reference */
	const cJSON *value;   /* in doc */
};

struct variables {
	struct variable *items;
	size_t len, cap;
};

#define VARIABLE_NAME_MAX 64

void variables_finish(struct variables *v); /* leaves it empty and reusable */
/* Replaces a value of that name. Takes doc, which has the value. */
void variables_set(
    struct variables *v, const char *name, struct json_doc *doc, const cJSON *value);
void variables_set_string(struct variables *v, const char *name, const char *text);
/* NAME=TEXT, or NAME:=JSON for any value. */
bool variables_set_given(struct variables *v, const char *given, struct err *err);
const struct variable *variables_find(const struct variables *v, const char *name, size_t len);
/* The variables that take the places of secrets in a file. Zeroed memory: none. */
struct secret_names {
	struct secret_name {
		char *name, *wish, *value;
	} *items;
	size_t len, cap;
};
void secret_names_finish(struct secret_names *n);
/* "token" for its first secret, "token_2" for another. The same secret has one name. */
const char *secret_names_take(struct secret_names *n, const char *wish, const char *value);
/* Appends a text that goes into a file: ${secret} is in place of a secret (base/secret.h), ${secret_2}
 * in that of another. plain: the text has no references, so its ${ becomes $${. False: it has no
 * secret. */
bool variables_add_without_secrets(
    struct secret_names *n, const char *text, bool plain, struct buf *out);
/* Can it be a name here and in jq? Else err says why not. */
bool variables_check_name(const char *name, struct err *err);

/* Appends the value as JSON with its references replaced. Keys stay as they are. False: a variable
 * or a part of one is not there, or out is full. */
bool variables_fill(
    const struct variables *v, const cJSON *value, struct buf *out, struct err *err);
/* The same for a text that becomes a text. */
bool variables_fill_text(
    const struct variables *v, const char *text, struct buf *out, struct err *err);

/* Calls each() with every string in the value that refers to a variable, and with the name, until
 * one returns false. False: that one did, or a reference does not end, or has no name, and err says
 * so; *at is then the string. */
struct variables_walk {
	bool (*each)(void *user, const char *name, size_t len, struct err *err);
	void *user;
	const cJSON *at;
};
bool variables_walk(struct variables_walk *walk, const cJSON *value, struct err *err);

#endif

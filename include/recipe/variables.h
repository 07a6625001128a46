/* SPDX-License-Identifier: MIT */
#ifndef RECIPE_VARIABLES_H
#define RECIPE_VARIABLES_H

#include "base/err.h"
#include "json/doc.h"

/*
 * Named JSON values, and references to them in strings: ${name}, or ${name.member.0} for a part of
 * the value. A string that consists of one reference becomes the value, with its type; in other
 * strings, string values are inserted without quotes and other values as JSON. $${ is a literal ${.
 * Names are those of jq: a letter or _, then letters, digits and _.
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

void variables_finish(struct variables *v); /* it is empty and reusable afterwards */
/* Set a value. Takes doc, which contains it. */
void variables_set(struct variables *v, const char *name, struct json_doc *doc, const cJSON *value);
void variables_set_string(struct variables *v, const char *name, const char *text);
/* Set a variable from NAME=TEXT, or NAME:=JSON for any value. */
bool variables_set_given(struct variables *v, const char *given, struct err *err);
const struct variable *variables_find(const struct variables *v, const char *name, size_t len);
/* The variables that replace secrets in a file. Initialize with zeros. */
struct secret_names {
	struct secret_name {
		char *name, *wish, *value;
	} * items;
	size_t len, cap;
};
void secret_names_finish(struct secret_names *n);
/* Return the name of a secret: "token" for the first, "token_2" for another. The same secret has
 * one name. */
const char *secret_names_take(struct secret_names *n, const char *wish, const char *value);
/* Append a text of a file with ${secret} instead of a secret (base/secret.h), ${secret_2} for
 * another. plain: the text has no references, so its ${ becomes $${. False: it has no secret. */
bool variables_add_without_secrets(
    struct secret_names *n, const char *text, bool plain, struct buf *out);
/* Check that a name is valid here and in jq; err says why not. */
bool variables_check_name(const char *name, struct err *err);

/* Append the value as JSON with its references replaced, except in keys. False: a variable or a
 * part of one is missing, or out is full. */
bool variables_fill(
    const struct variables *v, const cJSON *value, struct buf *out, struct err *err);
/* The same for a plain text. */
bool variables_fill_text(
    const struct variables *v, const char *text, struct buf *out, struct err *err);

/* Call each(), which may be NULL, with the name of every reference in the value until it returns
 * false. False with err: each() returned false, or a reference is malformed; `at` is then the
 * string. */
struct variables_walk {
	bool (*each)(void *user, const char *name, size_t len, struct err *err);
	void *user;
	const cJSON *at;
};
bool variables_walk(struct variables_walk *walk, const cJSON *value, struct err *err);

#endif

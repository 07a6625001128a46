#ifndef RECIPE_RECORDER_H
#define RECIPE_RECORDER_H

#include "recipe/recipe.h"

/*
 * Makes a recipe of what the user does: each call with its arguments. A value that was passed on
 * from an earlier result (a link) becomes a reference to it, ${name.member.0}; every other value
 * stays as it was sent, but for secrets, which become variables.
 */
struct recorder;

struct recorder *recorder_create(void);
void recorder_destroy(struct recorder *r); /* NULL-safe */
/* A call was sent. id: for links. definition: of the tool, which says what is a password; NULL: it
 * is not known. Returns how many calls there are. */
size_t recorder_add_call(struct recorder *r, uint64_t id, enum recipe_kind kind, const char *name,
    const char *arguments, size_t len, struct json_doc *definition);
/* The value at pointer in the data of call `from` was put into a field of that primitive: if its
 * next call sends it there, that is a reference. */
void recorder_link(struct recorder *r, uint64_t from, const char *pointer, enum recipe_kind kind,
    const char *name, const char *field);
/* The file. Returns how many values lack a secret, which ${...} stands for. */
size_t recorder_add_recipe(const struct recorder *r, const char *name, struct buf *out);

#endif

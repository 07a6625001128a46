/* SPDX-License-Identifier: MIT */
#ifndef RECIPE_RECORDER_H
#define RECIPE_RECORDER_H

#include "recipe/recipe.h"

/*
 * Records the user's calls as a recipe. A value that was passed on from an earlier result (a link)
 * becomes a reference to it, ${name.member.0}; a secret becomes a variable; other values are
 * written as they were sent.
 */
struct recorder;

struct recorder *recorder_create(void);
void recorder_destroy(struct recorder *r); /* NULL-safe */
/* Add a call that was sent. id: for links. definition: of the tool, which marks passwords; NULL:
 * unknown. Return the number of calls. */
size_t recorder_add_call(struct recorder *r, uint64_t id, enum recipe_kind kind, const char *name,
    const char *arguments, struct json_doc *definition);
/* Add a link: the value at pointer in the data of call `from` was put into a field of that
 * primitive. If its next call sends it there, it is written as a reference. */
void recorder_link(struct recorder *r, uint64_t from, const char *pointer, enum recipe_kind kind,
    const char *name, const char *field);
/* Append the file. Return the number of secrets that were replaced by ${...}. */
size_t recorder_add_recipe(const struct recorder *r, const char *name, struct buf *out);

#endif

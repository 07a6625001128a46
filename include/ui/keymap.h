/* SPDX-License-Identifier: MIT */
#ifndef UI_KEYMAP_H
#define UI_KEYMAP_H

#include "ui/input.h"

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Which key does what: rows of context, key, command line. A context is the name
 * of a pane or of a view; keys that it lacks are looked up in "global". To look a key up, name
 * several with blanks between: "structured table". Later rows win over earlier
 * ones, so a user's file is read after the defaults, in the same syntax:
 *   bind CONTEXT KEY COMMAND...      # a comment
 *   unbind CONTEXT KEY
 */
#define KEYMAP_GLOBAL "global"

struct keymap_row {
	char *context;
	struct key key;
	char *command;      /* NULL: the key does nothing here and is not looked up in "global" */
	uint64_t hash;      /* of the command */
	const void *target; /* what the owner resolved the command to */
	const char *arg;    /* the rest of the command line */
};

struct keymap {
	struct keymap_row *items;
	size_t len, cap;
};

void keymap_finish(struct keymap *km); /* a zeroed struct is empty */

/* A line as above; an empty command unbinds. */
struct keymap_line {
	const char *context, *key, *command;
};
/* Splits a line in place. */
bool keymap_split(char *text, struct keymap_line *out, struct err *err);
/* False: no such key. */
bool keymap_bind(
    struct keymap *km, const struct keymap_line *line, const void *target, struct err *err);

/* Is the context one of these, "structured table"? */
bool keymap_has_context(const char *contexts, const char *context);
/* NULL: the key is not bound. */
const struct keymap_row *keymap_find(
    const struct keymap *km, const char *context, const struct key *key);
/* Is the key bound to this command line? */
bool keymap_runs(
    const struct keymap *km, const char *context, const struct key *key, const char *command);
/* The name of the key that runs the command in the context, the last one bound; false without one.
 * Keys that another row of the context hides are skipped: this is for hints. chord: and keys that
 * type text. */
bool keymap_key_for(const struct keymap *km, const char *context, const char *command, bool chord,
    char *out, size_t size);
/* All that are bound in `where`, which is the context itself or KEYMAP_GLOBAL, with a blank
 * between; skips hidden ones likewise. False: there are none. */
struct buf;
bool keymap_keys_in(const struct keymap *km, const char *where, const char *context,
    const char *command, struct buf *out);

#endif

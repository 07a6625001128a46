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
	char *command; /* NULL: the key does nothing here and is not looked up in "global" */
	uint64_t hash; /* of the command */
};

struct keymap {
	struct keymap_row *items;
	size_t len, cap;
};

void keymap_finish(struct keymap *km); /* a zeroed struct is empty */

/* An empty command unbinds. False: no such key. */
bool keymap_bind(
    struct keymap *km, const char *context, const char *key, const char *command, struct err *err);
/* A line as above. */
bool keymap_parse(struct keymap *km, const char *line, struct err *err);

/* Is the context one of these, "structured table"? */
bool keymap_has_context(const char *contexts, const char *context);
/* The command line, NULL when the key is not bound. */
const char *keymap_find(const struct keymap *km, const char *context, const struct key *key);
/* The name of the key that runs the command in the context, the last one bound; false without one.
 * Keys that another row of the context hides are skipped: this is for hints. */
bool keymap_key_for(
    const struct keymap *km, const char *context, const char *command, char *out, size_t size);
/* The same of keys that are not text. */
bool keymap_chord_for(
    const struct keymap *km, const char *context, const char *command, char *out, size_t size);
/* All that are bound in `where`, which is the context itself or KEYMAP_GLOBAL, with a blank
 * between; skips hidden ones likewise. False: there are none. */
struct buf;
bool keymap_keys_in(const struct keymap *km, const char *where, const char *context,
    const char *command, struct buf *out);

#endif

#ifndef HOST_CONFIG_PRIV_H
#define HOST_CONFIG_PRIV_H

#include "base/buf.h"
#include "host/config.h"
#include "json/doc.h"

/* What an entry is read with. */
struct config_scope {
	const cJSON *inputs; /* of the file; NULL: none */
	char *folder;        /* workspaceFolder */
};

/* The first trouble found is the one told. */
void config_trouble(struct target *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* config_entry.c */
void config_read_entry(struct target *t, const cJSON *entry, const struct config_scope *scope);

/* What of the user's environment is shown as ${NAME} in place of its value. */
enum config_hides {
	CONFIG_HIDES_SECRETS, /* secrets by their names, and all in the query of a URL: the text
				 says what runs, or where */
	CONFIG_HIDES_ALL,
};

/* config_variables.c: `before`, and text with its variables' values; one without a value is the
 * target's trouble. Inputs stay, and are noted in the target; so is what target_shown() shows. */
char *config_expand(struct target *t, const char *before, const char *text, enum config_hides hides,
    const struct config_scope *scope);

/* config_inputs.c: the input of this id among the file's; false: there is none, said. */
bool config_note_input(
    struct target *t, const char *id, size_t len, const struct config_scope *scope);

/* config_env.c: adds what the target's envFile sets and its env does not. */
void config_read_env_file(struct target *t);
/* The lines of such a file: NAME=value, quoted or not, # comments, export before it. Calls set()
 * for each. False: that line (from 1) is none of these. */
bool config_parse_env(const char *text, size_t len,
    void (*set)(void *user, const char *name, const char *value), void *user, unsigned *line);

#endif

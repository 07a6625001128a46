#ifndef CONFIG_SERVER_FILE_ENTRY_H
#define CONFIG_SERVER_FILE_ENTRY_H

#include "base/buf.h"
#include "config/server_file.h"
#include "json/doc.h"

/* What an entry is read with. */
struct server_file_scope {
	const cJSON *inputs; /* of the file; NULL: none */
	char *folder;        /* workspaceFolder */
};

/* The first trouble found is the one told. */
void server_file_trouble(struct target *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* entry.c */
void server_file_read_entry(
    struct target *t, const cJSON *entry, const struct server_file_scope *scope);

/* What of the user's environment is shown as ${NAME} in place of its value. */
enum server_file_hides {
	SERVER_FILE_HIDES_SECRETS, /* secrets by their names, and all in the query of a URL: the
				 text says what runs, or where */
	SERVER_FILE_HIDES_ALL,
};

/* variables.c: `before`, and text with its variables' values; one without a value is the
 * target's trouble. Inputs stay, and are noted in the target; so is what target_shown() shows. */
char *server_file_expand(struct target *t, const char *before, const char *text,
    enum server_file_hides hides, const struct server_file_scope *scope);

/* The lines of such a file: NAME=value, quoted or not, # comments, export before it. Calls set()
 * for each. False: that line (from 1) is none of these. */
bool server_file_parse_env(const char *text, size_t len,
    void (*set)(void *user, const char *name, const char *value), void *user, unsigned *line);

#endif

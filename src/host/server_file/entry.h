/* SPDX-License-Identifier: MIT */
#ifndef HOST_SERVER_FILE_ENTRY_H
#define HOST_SERVER_FILE_ENTRY_H

#include "base/buf.h"
#include "host/server_file.h"
#include "json/doc.h"

/* Context for reading an entry. */
struct server_file_scope {
	const cJSON *inputs; /* of the file; NULL: none */
	char *folder;        /* workspaceFolder */
	const char *path;
	size_t *variables;                  /* how many the file has used so far */
	bool published;                     /* an entry's "trouble" is why it cannot be started */
	const struct server_client *client; /* NULL: unknown */
};

/* Keeps only the first error. */
void server_file_trouble(struct target *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void server_file_read_entry(
    struct target *t, const cJSON *entry, const struct server_file_scope *scope);

/* Appends a server file with one server that cannot be run. */
void server_file_write_unusable(struct buf *out, const char *name, const char *why);

/* toml.c: appends the file as JSON. False: the error is in *where. */
bool server_file_toml(const char *text, size_t len, struct buf *out, struct json_error *where);

/* Parses NAME=value lines, optionally quoted, with # comments and an optional export. Calls
 * set() for each. False: that line (from 1) is malformed. */
bool server_file_parse_env(const char *text, size_t len,
    void (*set)(void *user, const char *name, const char *value), void *user, unsigned *line);

#endif

#ifndef HOST_TARGET_H
#define HOST_TARGET_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

/* A server that can be started: what to run, and how the user calls it. Owns all of it. */
struct target {
	char *name;
	char *label;    /* the command line, for people */
	char **argv;    /* NULL-terminated; NULL: cannot be started */
	char **env;     /* NAME=value, NULL-terminated; NULL: none */
	char *cwd;      /* NULL: ours */
	char *url;      /* of a server reached by HTTP; NULL: it is run */
	char **headers; /* "Name: value" for each request, NULL-terminated; NULL: none */
	bool insecure;  /* TLS certificates are not checked: only where the user typed it */
	char *trouble;  /* why it cannot be started; NULL: it can */
};

void target_finish(struct target *t);
/* `mcpane https://host/mcp`: named after the host. */
void target_from_url(struct target *t, const char *url);
/* `mcpane -- COMMAND ARG...`: named after the command. */
void target_from_command(struct target *t, char *const *argv);
/* The demo server: this program with --serve-demo. */
bool target_from_demo(struct target *t, struct err *err);

/*
 * The `mcpServers` of a configuration file of this or another client (command,
 * args, env, cwd). Entries that are not stdio are kept, with their trouble said;
 * keys that are not known mean nothing here.
 */
struct config {
	struct target *items;
	size_t len, cap;
};

bool config_load(struct config *c, const char *path, struct err *err);
/* The same from text; path is for messages. */
bool config_parse(
    struct config *c, const char *text, size_t len, const char *path, struct err *err);
void config_finish(struct config *c);
/* By name, else by number from 1; NULL: none. */
const struct target *config_find(const struct config *c, const char *name);

#endif

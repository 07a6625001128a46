#ifndef HOST_TARGET_H
#define HOST_TARGET_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

/* A value that a configuration leaves open (${input:ID}): the user is asked for it, or a script
 * gives it. */
struct target_input {
	char *id;
	char *description; /* "" when there is none */
	char *otherwise;   /* taken when nothing is typed; NULL: none */
	char **options;    /* one of these, NULL-terminated; NULL: any text */
	bool password;     /* not to be seen while typed */
};

/*
 * A server that can be started: what to run, and how the user calls it. Owns all of it. As read
 * from a file, strings may still hold ${input:ID}; target_fill() makes one that can be started.
 */
struct target {
	char *name;
	char *label;    /* the command line, for people */
	char **argv;    /* NULL-terminated; NULL: cannot be started */
	char **env;     /* NAME=value, NULL-terminated; NULL: none */
	char *cwd;      /* NULL: ours */
	char *url;      /* of a server reached by HTTP; NULL: it is run */
	char **headers; /* "Name: value" for each request, NULL-terminated; NULL: none */
	bool insecure;  /* TLS certificates are not checked: only where the user typed it */
	bool sse;       /* the file names the HTTP+SSE transport of 2024-11-05 */
	char *trouble;  /* why it cannot be started; NULL: it can */

	/* of a configuration file */
	char *file;     /* NULL: of the command line */
	char *source;   /* the entry as it stands there, in one line of JSON */
	char *env_file; /* read into env already, or why not is the trouble */
	bool disabled;  /* the file says so; it is the trouble too */
	struct {
		struct target_input *items;
		size_t len, cap;
	} inputs; /* those that it uses */
};

void target_finish(struct target *t);
/* `mcpane https://host/mcp`: named after the host. */
void target_from_url(struct target *t, const char *url);
/* `mcpane -- COMMAND ARG...`: named after the command. */
void target_from_command(struct target *t, char *const *argv);
/* The demo server: this program with --serve-demo. */
bool target_from_demo(struct target *t, struct err *err);

/* The value of an input, or NULL: none is known. */
typedef const char *target_input_fn(void *user, const struct target_input *input);
/* A copy of t with values in place of its inputs. False: one has no value; err says which, out is
 * finished. */
bool target_fill(struct target *out, const struct target *t, target_input_fn *value, void *user,
    struct err *err);

#endif

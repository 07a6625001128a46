#ifndef MODEL_TARGET_H
#define MODEL_TARGET_H

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
 * from a file, strings may still hold ${input:ID}; target_fill() of host/target.h makes one that
 * can be started.
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
	char *env_file; /* read into env already, or why not is the trouble */
	size_t env_own; /* so many entries of env are the server's own; those after it are
			   env_file's */
	struct {
		struct target_shown {
			const char *text; /* one of the strings above, by address */
			char *shown;
		} * items;
		size_t len, cap;
	} shown; /* strings that hold values of the user's environment, with ${NAME} for these */
	char *
	    *passed; /* names of variables of the environment in it, NULL-terminated; NULL: none */
	bool disabled; /* the file says so; it is the trouble too */
	struct {
		struct target_input *items;
		size_t len, cap;
	} inputs; /* those that it uses */
};

/* A string of t as it may be shown: without values of the user's environment. */
const char *target_shown(const struct target *t, const char *text);

#endif

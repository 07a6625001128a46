/* SPDX-License-Identifier: MIT */
#ifndef CLIENT_TARGET_H
#define CLIENT_TARGET_H

#include "base/sha256.h"

#include <stdbool.h>
#include <stddef.h>

/* A value that a configuration leaves open (${input:ID}): the user types it or a script provides
 * it. */
struct target_input {
	char *id;
	char *description; /* can be "" */
	char *otherwise;   /* used if nothing is typed; NULL if none */
	char **options;    /* allowed values, NULL-terminated; NULL: any text */
	bool password;     /* hidden while typed */
	bool multiple;     /* values with a comma between; each is an argument */
	bool number;
	char *least, *most; /* as JSON; NULL: no limit */
};

#define RECORDING_OF_TAP "tap:"

/*
 * A server that can be started: the command or URL, and the user's name for it. Owns all of it.
 * Strings read from a file may still hold ${input:ID}; target_fill() of host/target.h makes a
 * target that can be started.
 */
struct target {
	char *name;
	char *label;    /* the command line, for people */
	char **argv;    /* NULL-terminated; NULL if it cannot be started */
	char **env;     /* NAME=value, NULL-terminated; NULL if none */
	char *cwd;      /* NULL: our own */
	char *url;      /* of a server reached by HTTP; NULL if it is a command */
	char **headers; /* "Name: value" for each request, NULL-terminated; NULL if none */
	/* A file to open instead of a server, or RECORDING_OF_TAP with the process of a running
	 * tap or nothing; NULL: none. */
	char *recording;
	bool insecure; /* TLS certificates are not checked: only if the user typed it */
	bool demo;     /* this program's demo server */
	bool sse;      /* the file names the HTTP+SSE transport of 2024-11-05 */
	char *trouble; /* why it cannot be started; NULL if it can */

	/* of a server file */
	char *file;              /* NULL if it is from the command line */
	char digest[SHA256_HEX]; /* of its entry there, as it is written; "": it has none */
	const char *client;      /* whose file it is, such as "Cursor"; NULL: unknown, or our own */
	char *place;             /* the file for people, with ~ for the home folder */
	char *also;              /* other files with the same server, for people; NULL: none */
	char *env_file;          /* already read into env; if that failed, trouble says why */
	size_t env_own; /* this many entries of env come from the server's own object, the rest from
			   env_file */
	struct {
		struct target_shown {
			const char *text; /* one of the strings above, by address */
			char *shown;
		} * items;
		size_t len, cap;
	} shown; /* how to show strings that hold values of the user's environment: with ${NAME}
		    instead */
	char **passed; /* environment variables it uses, by name, NULL-terminated; NULL if none */
	bool disabled; /* disabled in the file; trouble has the message */
	struct {
		struct target_input *items;
		size_t len, cap;
	} inputs; /* the inputs it uses */
};

/* A string of t that is safe to show: without values of the user's environment. */
const char *target_shown(const struct target *t, const char *text);

#endif

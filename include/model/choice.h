#ifndef MODEL_CHOICE_H
#define MODEL_CHOICE_H

#include "model/target.h"

struct server;

/* Who named a server. */
enum choice_origin {
	CHOICE_TYPED,   /* the command line, or a file it names */
	CHOICE_OWN,     /* the user's own file */
	CHOICE_PROJECT, /* a file of the folder we are in: anybody may have written it */
	CHOICE_DEMO,    /* the built-in one */
};

/* Something about a command or URL that is to be looked at before it is approved. */
struct choice_danger {
	const char *text; /* one of the target's strings, by address */
	const char *why;  /* static */
};

/* A server the user may choose, as the interface knows it. All of it is borrowed from whoever keeps
 * the list. */
struct server_choice {
	const struct target *target;
	enum choice_origin origin;
	bool unapproved;       /* it must be shown and approved before it first runs */
	const char *folder;    /* where it would run, absolute; NULL: unknown */
	long pid;              /* of its process; 0: none */
	struct server *server; /* NULL: never started */
	const struct choice_danger *dangers;
	size_t danger_count;
};

#endif

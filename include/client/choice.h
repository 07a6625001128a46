/* SPDX-License-Identifier: MIT */
#ifndef CLIENT_CHOICE_H
#define CLIENT_CHOICE_H

#include "client/target.h"

struct server;

/* Who named a server. */
enum choice_origin {
	CHOICE_TYPED,   /* the command line, or a file it names */
	CHOICE_OWN,     /* the user's own file */
	CHOICE_PROJECT, /* a file of the current folder: anybody may have written it */
	CHOICE_DEMO,    /* the built-in one */
	CHOICE_CLIENT,  /* the user's file of another client */
};

/* A danger in a command or URL, to show before approval. */
struct choice_danger {
	const char *text; /* one of the target's strings, by address */
	const char *why;  /* static */
};

/* A server the user may choose, as the interface sees it. Borrowed from the owner of the list. */
struct server_choice {
	const struct target *target;
	enum choice_origin origin;
	bool reading;          /* not known yet: its bundle is being read */
	bool unapproved;       /* it must be shown and approved before it first runs */
	const char *folder;    /* working directory, absolute; NULL if unknown */
	long pid;              /* of its process; 0 if none */
	struct server *server; /* NULL: never started */
	const struct choice_danger *dangers;
	size_t danger_count;
};

#endif

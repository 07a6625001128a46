#ifndef LOOP_CONFINEMENT_H
#define LOOP_CONFINEMENT_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * What a child gives up between fork(2) and execve(2), for a program that runs what strangers
 * wrote. It has no descriptors but its standard streams and the two below, makes no core files, and
 * if a step fails it does not run: child_spawn() says which step and why.
 */
struct child_confinement {
	int passed; /* becomes descriptors 3 and 4: a socket; the caller closes its copy */
	uid_t uid;  /* becomes this user, without groups; 0: stays who we are */
	gid_t gid;
	/* Namespaces of its own: users (only itself), network (without any device that is up),
	 * System V objects, and mounts, with an empty /dev/shm that ends with the last process. */
	bool namespaces;
	/* With namespaces: folders in whose place it sees empty ones; NULL-terminated. One that
	 * does not exist is left out. */
	const char *const *hidden;
};

#endif

#ifndef HOST_PLAYER_H
#define HOST_PLAYER_H

#include "base/err.h"
#include "loop/loop.h"

#include <stddef.h>

/*
 * Plays a sound by a program of the user, without a shell, in a session of its own. The sound is a
 * temporary file of mode 0600, which goes with the player.
 */
struct player;

struct player_job {
	const char *command; /* words, of which %s is the file, or it comes last; NULL: the first
			      * program known that there is */
	const char *bytes;
	size_t len;
	const char *ending; /* of the file's name, ".wav" */
	/* Once, from the loop; may destroy the player. why: "" if it played the sound. */
	void (*on_end)(void *user, const char *why);
	void *user;
};

/* The job and its strings are borrowed for the call. */
struct player *player_start(struct loop *loop, const struct player_job *job, struct err *err);
void player_destroy(struct player *p); /* stops it; NULL-safe */

#endif

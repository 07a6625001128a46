#ifndef HOST_TAP_H
#define HOST_TAP_H

#include "base/err.h"

#include <stdbool.h>

/*
 * Stands between a client, at our standard streams, and a server, which it starts: passes every
 * byte on unchanged, both ways and of standard error, the ends of streams, signals and the exit
 * status. What passes is recorded beside that (session/recording.h).
 */
struct tap_options {
	char *const *command; /* NULL-terminated */
	const char *file;     /* of the recording; NULL: none */
	bool with_secrets;
	/* Says one line to the user, such as the file's name. */
	void (*tell)(const char *text);
};

/* Returns the server's exit code, or dies of its signal. -1 with err: it could not be started. */
int tap_run(const struct tap_options *options, struct err *err);

#endif

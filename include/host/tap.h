#ifndef HOST_TAP_H
#define HOST_TAP_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Stands between a client, at our standard streams, and a server, which it starts: passes every
 * byte on unchanged, both ways and of standard error, the ends of streams, signals and the exit
 * status. What passes is recorded beside that (mcp/recording.h).
 */
struct tap_options {
	char *const *command;     /* NULL-terminated; NULL: of HTTP */
	const char *listen, *url; /* of HTTP; listen: as in net/http_proxy.h */
	bool insecure;
	const char *const *origins; /* of HTTP: pages that may be clients */
	size_t origin_count;
	const char *file; /* of the recording; NULL: none */
	bool with_secrets;
	/* Says one line to the user, such as the file's name. */
	void (*tell)(const char *text);
	void (*listening)(const char *url); /* of HTTP: what clients use in place of the URL */
};

/* Returns the server's exit code, or dies of its signal. -1 with err: it could not be started. */
int tap_run(const struct tap_options *options, struct err *err);

/* Stands between clients of HTTP, which come to an address of this machine, and a server of HTTP
 * (net/http_proxy.h). JSON-RPC messages in bodies and streams of events are recorded, and of each
 * request its head and that of its response as a note. Runs until a signal ends it, and returns 0.
 */
int tap_http_run(const struct tap_options *options, struct err *err);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef HOST_TAP_H
#define HOST_TAP_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Runs between a client, at our standard streams, and a server, which it starts. Forwards every
 * byte unchanged, in both directions and of standard error, the ends of streams, signals and the
 * exit status, and records them (mcp/recording.h).
 */
struct tap_options {
	char *const *command;     /* NULL-terminated; NULL: of HTTP */
	const char *listen, *url; /* of HTTP; listen: as in net/http_proxy.h */
	bool insecure;
	const char *const *origins; /* of HTTP: pages that may be clients */
	size_t origin_count;
	const char *file; /* of the recording; NULL: none */
	bool with_secrets;
	/* Reports one line to the user, such as the file's name. */
	void (*tell)(const char *text);
	void (*listening)(
	    const char *url); /* of HTTP: the URL for clients, instead of the server's */
};

/* Returns the server's exit code, or dies of its signal. -1 with err: it could not be started. */
int tap_run(const struct tap_options *options, struct err *err);

/* Runs between HTTP clients, which connect to an address of this machine, and an HTTP server
 * (net/http_proxy.h). Records the JSON-RPC messages in bodies and event streams, and the heads
 * of each request and its response as a note. Runs until a signal ends it, and returns 0. */
int tap_http_run(const struct tap_options *options, struct err *err);

#endif

#ifndef HOST_TAP_TAPE_H
#define HOST_TAP_TAPE_H

#include "host/tap.h"
#include "listener.h"
#include "mcp/recording.h"

/*
 * Where a tap's recording goes: to a file, if there is one, and to whoever attaches. The server
 * matters more than its recording: what cannot be written is told once, and lost.
 */
struct tape {
	const struct tap_options *options;
	struct recording_writer writer;
	int file;                  /* -1: none, or it could not be written */
	struct listener *listener; /* NULL: nobody can attach */
};

bool tape_open(struct tape *t, const struct tap_options *options, struct err *err);
/* server: its command or URL. */
void tape_start(struct tape *t, struct loop *loop, const char *server);
void tape_add(struct tape *t, enum recording_kind kind, const char *bytes, size_t len);
/* ending, may be NULL: the last line. Callable if it was not opened or started. */
void tape_close(struct tape *t, const struct recording_entry *ending);

#endif

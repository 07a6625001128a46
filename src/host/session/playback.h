#ifndef HOST_SESSION_PLAYBACK_H
#define HOST_SESSION_PLAYBACK_H

#include "net/transport.h"
#include "mcp/time_line.h"

/*
 * A recording in place of a server: a transport that reports its lines, those of its client too,
 * with their times. It sends nothing. Of the file it keeps the place of each line, and it works in
 * slices of a few milliseconds.
 */

/* path: a file, or the socket of a running tap, whose lines are kept in a file that has no name. */
struct transport *playback_create(struct loop *loop, const char *path,
    const struct transport_events *events, void *user, struct err *err);
const struct time_line *playback_time_line(const struct transport *t); /* always up to date */

#endif

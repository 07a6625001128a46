/* SPDX-License-Identifier: MIT */
#ifndef MCP_REPLAY_H
#define MCP_REPLAY_H

#include "base/buf.h"
#include "mcp/recording.h"

/*
 * A server that replays a recording. It matches a message of the client with a recorded one by
 * method and by params without _meta, and then sends the recorded response, notifications and
 * requests in their order, with the ids and progress tokens of the client. Each recorded message is
 * used once; after the last match, the last one is repeated.
 *
 * If no recorded message has the same params, one about the same subject (tool, URI, cursor) is
 * used instead, unless the match is strict. Lines stay in the file of the recording; only their
 * offsets are kept in memory.
 */
struct replay;

struct replay_options {
	bool strict;  /* only the same params, each recorded message once */
	double speed; /* 2: twice as fast as recorded; 0: without pauses */
};

struct replay_events {
	/* One message, without a line break. */
	void (*on_send)(void *user, const char *line, size_t len);
	void (*on_stderr)(void *user, const char *line, size_t len);
	/* Appends the bytes of a line of the recording. False: they can no longer be read. */
	bool (*load)(void *user, uint64_t offset, size_t len, struct buf *out);
	/* Report a difference from the recording, in one line. */
	void (*tell)(void *user, const char *text);
	/* The recorded server ended here. */
	void (*on_exit)(void *user, int exit_code, int signal_number);
};

struct replay *replay_create(
    const struct replay_options *options, const struct replay_events *events, void *user);
void replay_destroy(struct replay *r);

/* All lines of the recording, in order, before anything else. False: this one is skipped. */
bool replay_add(struct replay *r, const char *line, size_t len, uint64_t offset, struct err *err);
void replay_start(struct replay *r, int64_t now_us);
/* A line of the client. */
void replay_on_line(struct replay *r, const char *line, size_t len, int64_t now_us);
/* The client has closed its end: the rest is sent at once. */
void replay_on_closed(struct replay *r, int64_t now_us);
int64_t replay_next_time(const struct replay *r); /* us; INT64_MAX: never */
void replay_on_time(struct replay *r, int64_t now_us);

struct replay_info {
	size_t requests;          /* recorded */
	size_t answered, unknown; /* requests of the client */
};
struct replay_info replay_info(const struct replay *r);

#endif

#ifndef MCP_REPLAY_H
#define MCP_REPLAY_H

#include "base/buf.h"
#include "mcp/recording.h"

/*
 * A server made of a recording: it answers as the recorded one did. A message of the client is
 * matched to a recorded one by its method and its params without _meta; what the recorded server
 * sent upon that, its answer, its notifications and its requests, follows in that order, with the
 * ids and progress tokens of the client. Each recorded message is used once, and the last one of
 * its kind again when there are no more.
 *
 * If no params are the same, a message about the same thing (tool, URI, cursor) stands in, unless
 * the match is strict. The recording's lines stay in their file: of each it keeps some numbers.
 */
struct replay;

struct replay_options {
	bool strict;  /* only the same params, each recorded message once */
	double speed; /* 2: twice as fast as it was recorded; 0: without any pause */
};

struct replay_events {
	/* One message, without a line break. */
	void (*on_send)(void *user, const char *line, size_t len);
	void (*on_stderr)(void *user, const char *line, size_t len);
	/* Appends the bytes of a line of the recording. False: they cannot be read any more. */
	bool (*load)(void *user, uint64_t offset, size_t len, struct buf *out);
	/* What is not as it was recorded, in one line. */
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
/* The client has closed its end: whatever still has to come comes now. */
void replay_on_closed(struct replay *r, int64_t now_us);
int64_t replay_next_time(const struct replay *r); /* us; INT64_MAX: never */
void replay_on_time(struct replay *r, int64_t now_us);

struct replay_info {
	size_t requests;          /* recorded */
	size_t answered, unknown; /* requests of the client */
};
struct replay_info replay_info(const struct replay *r);

#endif

#ifndef MCP_RAW_MESSAGE_H
#define MCP_RAW_MESSAGE_H

#include "base/job.h"
#include "json/doc.h"
#include "mcp/frame.h"

#define RAW_MESSAGE_ID_MAX 72
#define NOT_JSON "not JSON: %s (byte %zu)"

/* Smaller messages parse within a millisecond. */
#define RAW_MESSAGE_LARGE ((size_t)256 << 10)

/* A received line and its parsed form, which depends on no session. It is parsed once, by the first
 * that has to look into it. */
struct raw_message {
	struct blob *bytes; /* owned */
	size_t dropped;     /* as in struct frame_line */
	bool is_sent;       /* of a recording: by its client */
	bool cut;           /* the stream ended within it, so an id in it is not trusted */
	uint64_t stream;    /* as in struct frame_line */
	bool in_session;    /* over HTTP: the server has opened a session (Mcp-Session-Id) */
	/* set by raw_message_read() */
	bool is_read;
	bool had_mark;        /* bytes began with a byte order mark, which was removed */
	struct json_doc *doc; /* owned; NULL if it is not JSON */
	uint64_t response_to; /* if it is not JSON: the request it seems to answer; 0: none */
	char request_id[RAW_MESSAGE_ID_MAX]; /* likewise: its own id as JSON if it seems to be a
						request; else "" */
	char flaw[200];                      /* why it is not JSON */
};

/* Takes the reference. */
void raw_message_init(struct raw_message *raw, struct frame_line line);
/* Parses it, unless that was done. May run in another thread that owns the message meanwhile. job:
 * the work this is part of, or NULL. */
void raw_message_read(struct raw_message *raw, const struct job *job);
void raw_message_finish(struct raw_message *raw); /* leaves it zeroed */

#endif

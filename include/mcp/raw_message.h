#ifndef MCP_RAW_MESSAGE_H
#define MCP_RAW_MESSAGE_H

#include "base/buf.h"
#include "base/job.h"
#include "json/doc.h"

#define RAW_MESSAGE_ID_MAX 72

/* A received line and its parsed form, which does not depend on the session. */
struct raw_message {
	struct blob *bytes; /* owned */
	size_t dropped;     /* as in struct frame_line */
	bool cut;           /* the stream ended within it, so an id in it is not trusted */
	uint64_t stream;    /* as in struct frame_line */
	/* set by raw_message_read() */
	struct json_doc *doc; /* owned; NULL if it is not JSON */
	uint64_t response_to; /* if it is not JSON: the request it seems to answer; 0: none */
	char request_id[RAW_MESSAGE_ID_MAX]; /* likewise: its own id as JSON if it seems to be a
						request; else "" */
	char flaw[200];                      /* why it is not JSON */
};

/* Takes the reference. */
void raw_message_init(struct raw_message *line, struct blob *bytes, size_t dropped);
/* May run in another thread that owns the message meanwhile. job: the work this is part of, or
 * NULL. */
void raw_message_read(struct raw_message *line, const struct job *job);
void raw_message_finish(struct raw_message *line);

#endif

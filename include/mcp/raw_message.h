#ifndef MCP_RAW_MESSAGE_H
#define MCP_RAW_MESSAGE_H

#include "base/blob.h"
#include "base/job.h"
#include "json/doc.h"

#define RAW_MESSAGE_ID_MAX 72

/* A line that came in, and what can be told of it without the session it is for. */
struct raw_message {
	struct blob *bytes; /* owned */
	size_t dropped;     /* as in struct frame_line */
	bool cut;           /* the stream ended within it; what is not JSON then answers nothing */
	uint64_t stream;    /* as in struct frame_line */
	/* set by raw_message_read() */
	struct json_doc *doc; /* owned; NULL: not JSON */
	uint64_t response_to; /* of what is not JSON: the request it seems to answer; 0: none */
	char request_id[RAW_MESSAGE_ID_MAX]; /* and the id, as JSON, that an answer to it would
						have; "": none */
	char flaw[200];                      /* why it is not JSON */
};

/* Takes the reference. */
void raw_message_init(struct raw_message *line, struct blob *bytes, size_t dropped);
/* May be called in another thread, which has the line for itself meanwhile. job: the work this is
 * part of, or NULL. */
void raw_message_read(struct raw_message *line, const struct job *job);
void raw_message_finish(struct raw_message *line);

#endif

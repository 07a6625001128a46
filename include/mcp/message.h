/* SPDX-License-Identifier: MIT */
#ifndef MCP_MESSAGE_H
#define MCP_MESSAGE_H

#include "base/buf.h"
#include "json/doc.h"

#include <stddef.h>
#include <stdint.h>
#include "base/job.h"
#include "mcp/frame.h"

/*
 * JSON-RPC 2.0: the kind of message that a parsed value is. Nothing here checks MCP. All pointers
 * are into the given value.
 */
enum message_kind {
	MESSAGE_REQUEST,      /* method and id */
	MESSAGE_NOTIFICATION, /* method, no id */
	MESSAGE_RESULT,       /* id and result */
	MESSAGE_ERROR,        /* error (its id may be null or absent) */
	MESSAGE_BATCH,        /* an array: 2025-03-26 only */
	MESSAGE_INVALID,      /* JSON, but none of these: `flaw` says why */
	MESSAGE_NOT_JSON,     /* a line that does not parse; never from message_classify() */
};

struct message {
	enum message_kind kind;
	const cJSON *id; /* number, string or null; NULL when absent */
	const char *method;
	const cJSON *params;
	const cJSON *result;
	const cJSON *error;
	const char *flaw; /* also of a usable message that breaks a rule ("jsonrpc is not 2.0") */
};

/* JSON-RPC 2.0, section 5.1; 2026-07-28/basic; the last two are from earlier releases. */
#define ERROR_CODES(X)                                                         \
	X(ERROR_PARSE, -32700, "Parse error")                                  \
	X(ERROR_INVALID_REQUEST, -32600, "Invalid Request")                    \
	X(ERROR_METHOD_NOT_FOUND, -32601, "Method not found")                  \
	X(ERROR_INVALID_PARAMS, -32602, "Invalid params")                      \
	X(ERROR_INTERNAL, -32603, "Internal error")                            \
	X(ERROR_HEADER_MISMATCH, -32020, "HeaderMismatch")                     \
	X(ERROR_MISSING_CAPABILITY, -32021, "MissingRequiredClientCapability") \
	X(ERROR_UNSUPPORTED_VERSION, -32022, "UnsupportedProtocolVersion")     \
	X(ERROR_RESOURCE_NOT_FOUND, -32002, "Resource not found")              \
	X(ERROR_URL_REQUIRED, -32042, "URLElicitationRequired")

enum error_code {
#define X(id, code, name) id = (code),
	ERROR_CODES(X)
#undef X
};

const char *error_name(int64_t code); /* NULL if it has none */

void message_classify(const cJSON *value, struct message *m);
extern const char *const message_kind_names[]; /* "request", "not JSON" */
/* Copies as many whole characters as fit, line breaks and tabs as spaces. */
void text_to_line(char *out, size_t size, const char *text);

/*
 * An outgoing message, with the facts a transport needs beside its bytes. stdio needs the bytes
 * alone; Streamable HTTP turns the rest into headers
 * (2026-07-28/basic/transports/streamable-http.mdx, "Standard Request Headers"). Everything is
 * borrowed for the call.
 */
struct outbound {
	const char *line; /* the JSON text without a line break */
	size_t len;
	enum message_kind kind;
	const char *method;  /* of a response: the request's */
	uint64_t id;         /* of a request: its number for the transport; 0: none */
	uint64_t told;       /* of any other: its number if a failure is to be reported; 0: none */
	const char *rpc_id;  /* its JSON-RPC id, as JSON, if that is another one; else NULL */
	uint64_t cancels;    /* of notifications/cancelled: the request that it cancels; 0: none */
	const char *version; /* MCP-Protocol-Version; NULL: not negotiated yet */
	bool modern;         /* 2026-07-28 and later: no sessions, but Mcp-Method and the like */
	const char *name;    /* Mcp-Name, not encoded yet; NULL: none */
	struct outbound_param {
		const char *name; /* of Mcp-Param-NAME */
		char *value;      /* as sent, encoded if it has to be */
	} * params;
	size_t param_count;
};

/* Adds a string of the body as the value of an HTTP header (Mcp-Name, Mcp-Param-*): unchanged if it
 * is printable ASCII without blanks at either end, else =?base64?...?= of its UTF-8
 * (2026-07-28/basic/transports/streamable-http.mdx, "Value Encoding"). As in json/doc.h, C0 80 in
 * text means NUL. */
void header_value_add(struct buf *out, const char *text);

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

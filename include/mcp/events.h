/* SPDX-License-Identifier: MIT */
#ifndef MCP_EVENTS_H
#define MCP_EVENTS_H

#include "base/buf.h"
#include "json/doc.h"
#include "mcp/message.h"

#include <stddef.h>
#include <stdint.h>

/* The events that a session reports to its owner: see mcp/session.h. */

enum wire_direction { WIRE_SENT, WIRE_RECEIVED };

/* One line on the wire, valid or not. The messages of a batch follow it, each printed as a separate
 * line. Borrowed for the call; blob_ref() the bytes to keep them. */
struct session_line {
	enum wire_direction direction;
	struct blob *bytes;
	enum message_kind kind;
	const char *method; /* of a request or notification, or of the request that a response
			       answers; NULL if unknown */
	const char *id;     /* as JSON text; NULL if absent */
	uint64_t request;   /* our request: this one, the one it answers, or the one it reports
			       progress of; 0: none */
	uint64_t carried;   /* of a request sent: its number for the transport; else 0 */
	size_t dropped;     /* bytes beyond the line bound, not kept */
	const char *flaw;   /* its flaw; NULL if it is valid */
	const struct json_doc *doc; /* the parsed line; NULL if it is not JSON, or all ours */
};

enum reply_kind {
	REPLY_RESULT,
	REPLY_ERROR,   /* JSON-RPC error: code, text */
	REPLY_INVALID, /* a response with neither result nor error, or with an unknown resultType */
	REPLY_TIMED_OUT,       /* no answer in time; a cancellation was sent */
	REPLY_CANCELLED,       /* by session_cancel() */
	REPLY_CLOSED,          /* the stream ended first */
	REPLY_TRANSPORT_ERROR, /* see session_on_transport_error() */
	REPLY_TASK,            /* the server created a task: see mcp/content.h */
	REPLY_INPUT_REQUIRED,  /* 2026-07-28: the server required input and did not get it */
};

/* Did the server answer, validly or not? */
static inline bool
reply_is_answer(enum reply_kind kind)
{
	return kind != REPLY_TIMED_OUT && kind != REPLY_CANCELLED && kind != REPLY_CLOSED &&
	       kind != REPLY_TRANSPORT_ERROR;
}

struct session_reply {
	enum reply_kind kind;
	struct json_doc *doc; /* the whole message; may be NULL. A callee that sets it to NULL
				 takes it */
	const cJSON *value;   /* the result or the error object inside doc */
	struct blob *bytes;   /* the line, borrowed; may be NULL */
	int64_t code;         /* of an error */
	char text[200];       /* one line: the error's message, or what happened */
};

struct session_progress {
	const cJSON *value;  /* a number, or NULL */
	const cJSON *total;  /* a number, or NULL */
	const char *message; /* may be NULL */
};

/* A server request (except ping) and its outcome. */
struct session_server_request {
	const char *method;  /* "elicitation/create", "sampling/createMessage", "roots/list" */
	const char *message; /* of an elicitation; may be NULL */
	const char *answer;  /* "accepted", "refused: Roots not supported" */
	uint64_t request;    /* our request it belongs to; 0 if unknown */
	bool out_of_era;     /* the era has no server requests */
};

/* A server request or input request that waits for session_answer() or session_refuse(). Borrowed
 * for the call. */
struct session_question {
	uint64_t id;         /* unique within a session */
	const char *method;  /* a constant: "elicitation/create"... */
	const cJSON *params; /* NULL if absent; required members may be missing */
	const char *key;     /* in inputRequests (2026-07-28); else NULL */
	uint64_t request;    /* our request it belongs to; 0 if unknown */
	bool
	    sends_again; /* our request is sent again once all of its input requests are answered */
};

struct session_events {
	/* A message to send to the server, in order. */
	void (*on_send)(void *user, const struct outbound *message);
	/* Every line sent or received, before any other event about it. */
	void (*on_line)(void *user, const struct session_line *line);
	/* The state changed, or the facts about the server did. */
	void (*on_state)(void *user);
	/* Exactly once for every id that session_request() and session_call() returned. Also if the
	 * transport lost a request that the user wrote: by the number that on_line named. */
	void (*on_reply)(void *user, uint64_t request, struct session_reply *reply);
	void (*on_progress)(void *user, uint64_t request, const struct session_progress *progress);
	void (*on_server_request)(void *user, const struct session_server_request *request);
	/* If it returns false or is NULL, the request is declined politely. on_server_request
	 * follows once it is answered or gone. */
	bool (*on_question)(void *user, const struct session_question *question);
	/* It can no longer be answered. May be NULL. */
	void (*on_question_gone)(void *user, uint64_t question, const char *why);
	/* Any other notification (list_changed, message, ...). */
	void (*on_notification)(void *user, const char *method, const cJSON *params);
	/* An onlooker only: the client has sent a request; on_reply gets its outcome.
	 */
	void (*on_watched)(void *user, uint64_t request, const struct message *m);
	/* An action of the session itself, one line for the user; request as above. May be NULL. */
	void (*on_note)(void *user, const char *text, uint64_t request);
	/* Called after a time-out: write the phase that the transport waits for ("first byte,
	 * for 2.5 s") to out. id: the JSON-RPC id. False: unknown. May be NULL. */
	bool (*on_wait)(void *user, uint64_t id, char *out, size_t size);
};

/* Why a message that was handed to a transport will never be answered. */
enum transport_error_kind {
	TRANSPORT_UNREACHABLE, /* no connection: name, refusal, TLS, timeout before a status */
	TRANSPORT_STATUS,      /* an HTTP error status, and no JSON-RPC message in the body */
	TRANSPORT_BROKEN,      /* the stream of the response ended before the response */
	TRANSPORT_SESSION,     /* the server no longer knows the session (HTTP before 2026-07-28) */
	TRANSPORT_FORBIDDEN,   /* authorization failed or was not given */
};

/* Borrowed for the call. */
struct transport_error {
	enum transport_error_kind kind;
	uint64_t id;      /* our request; 0: our notification or response */
	int status;       /* HTTP; 0: none */
	const char *text; /* one line for people: "connection refused", "HTTP 404 Not Found" */
	const char *body; /* the beginning of an error response; may be NULL */
	size_t body_len;
};

#endif

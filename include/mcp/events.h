#ifndef MCP_EVENTS_H
#define MCP_EVENTS_H

#include "base/blob.h"
#include "json/doc.h"
#include "rpc/message.h"

#include <stddef.h>
#include <stdint.h>

/* What a session tells its owner: see mcp/session.h. */

enum wire_direction { WIRE_SENT, WIRE_RECEIVED };

/* One line on the wire, whatever it is. The messages of a batch follow it as lines of their own,
 * printed anew. Borrowed for the call; blob_ref() the bytes to keep them. */
struct session_line {
	enum wire_direction direction;
	struct blob *bytes;
	enum message_kind kind;
	const char
	    *method;    /* of a request or notification; for a reply that of its request; NULL */
	const char *id; /* as JSON text, NULL when there is none */
	uint64_t
	    request; /* our own request this is, or replies to, or reports on (progress); 0: none */
	size_t dropped;             /* bytes beyond the line bound, not kept */
	const char *flaw;           /* what is wrong with it, NULL for nothing */
	const struct json_doc *doc; /* the parsed line; NULL when not JSON */
};

enum reply_kind {
	REPLY_RESULT,
	REPLY_ERROR,     /* JSON-RPC error: code, text */
	REPLY_INVALID,   /* an answer with this id, but neither result nor error, or an unknown
			    resultType */
	REPLY_TIMED_OUT, /* no answer in time; a cancellation was sent */
	REPLY_CANCELLED, /* by session_cancel() */
	REPLY_CLOSED,    /* the stream ended first */
	REPLY_TRANSPORT_ERROR, /* the transport lost it, see session_on_transport_error() */
	REPLY_TASK,            /* a task was made of it: see mcp/tasks.h */
	REPLY_INPUT_REQUIRED,  /* 2026-07-28: the server wanted input and did not get it */
};

/* The server has spoken, well or badly. */
static inline bool
reply_is_answer(enum reply_kind kind)
{
	return kind != REPLY_TIMED_OUT && kind != REPLY_CANCELLED && kind != REPLY_CLOSED &&
	       kind != REPLY_TRANSPORT_ERROR;
}

struct session_reply {
	enum reply_kind kind;
	struct json_doc *doc; /* the whole message; the callee takes it; NULL when there is none */
	const cJSON *value;   /* the result or the error object inside doc */
	struct blob *bytes;   /* the line, borrowed; NULL when there is none */
	int64_t code;         /* of an error */
	char text[200];       /* one line: the error's message, or what happened */
};

/* What JSON-RPC 2.0 and the releases of MCP call an error code: "Invalid params"; NULL for one that
 * has no meaning of its own. */
const char *error_name(int64_t code);

struct session_progress {
	const cJSON *value;  /* number; NULL when absent or not one */
	const cJSON *total;  /* number or NULL */
	const char *message; /* or NULL */
};

/* What a server asked of us (pings apart), and what became of it. */
struct session_server_request {
	const char *method;  /* "elicitation/create", "sampling/createMessage", "roots/list" */
	const char *message; /* the elicitation's message, or NULL */
	const char *answer;  /* "accepted", "refused: Roots not supported" */
	uint64_t request;    /* our request it belongs to, 0 when it cannot be known */
};

/* What waits for an answer: session_answer() or session_refuse(). Borrowed for the call. */
struct session_question {
	uint64_t id;         /* never used twice by a session */
	const char *method;  /* a constant: "elicitation/create"... */
	const cJSON *params; /* NULL when absent; may lack anything that cannot be done without */
	const char *key;     /* in inputRequests (2026-07-28); NULL: not there */
	uint64_t request;    /* our request it belongs to, 0 when it cannot be known */
	bool sends_again;    /* our request goes out again once all of its questions are answered */
};

struct session_events {
	/* A message that must go to the server, in order. */
	void (*on_send)(void *user, const struct outbound *message);
	/* Every line, sent or received, before anything else is made of it. */
	void (*on_line)(void *user, const struct session_line *line);
	/* The state, or what is known of the server, changed. */
	void (*on_state)(void *user);
	/* Exactly once for every id that session_request() and session_call() gave out. */
	void (*on_reply)(void *user, uint64_t request, struct session_reply *reply);
	void (*on_progress)(void *user, uint64_t request, const struct session_progress *progress);
	void (*on_server_request)(void *user, const struct session_server_request *asked);
	/* False, or no such callback: refused politely. on_server_request follows when it is
	 * answered, or gone. */
	bool (*on_question)(void *user, const struct session_question *question);
	/* It can be answered no more. May be NULL. */
	void (*on_question_gone)(void *user, uint64_t question, const char *why);
	/* Any other notification (list_changed, message, ...). */
	void (*on_notification)(void *user, const char *method, const cJSON *params);
	/* What the session did by itself, one line for people; request as above. May be NULL. */
	void (*on_note)(void *user, const char *text, uint64_t request);
	/* What the message of this JSON-RPC id waits for, as the transport sees it ("first byte,
	 * for 2.5 s"), asked when it has taken too long. False: unknown. May be NULL. */
	bool (*on_wait)(void *user, uint64_t id, char *out, size_t size);
};

#endif

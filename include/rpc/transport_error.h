#ifndef RPC_TRANSPORT_ERROR_H
#define RPC_TRANSPORT_ERROR_H

#include <stddef.h>
#include <stdint.h>

/* Why a message that was handed to a transport has no answer, and will have none. */
enum lost_how {
	LOST_UNREACHABLE, /* no connection: name, refused, TLS, time-out before a status came */
	LOST_STATUS,    /* an HTTP status that is no success, and no JSON-RPC message in the body */
	LOST_BROKEN,    /* the stream of the answer ended without it */
	LOST_SESSION,   /* the server knows the session no more (HTTP before 2026-07-28) */
	LOST_FORBIDDEN, /* authorization failed or was not given */
};

/* Borrowed for the call. */
struct lost {
	enum lost_how how;
	uint64_t id;      /* our request; 0: a notification or an answer of ours */
	int status;       /* HTTP; 0: none came */
	const char *text; /* one line for people: "connection refused", "HTTP 404 Not Found" */
	const char *body; /* of a refusal, its beginning; may be NULL */
	size_t body_len;
};

#endif

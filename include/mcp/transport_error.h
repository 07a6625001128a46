#ifndef MCP_TRANSPORT_ERROR_H
#define MCP_TRANSPORT_ERROR_H

#include <stddef.h>
#include <stdint.h>

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

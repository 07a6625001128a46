/* SPDX-License-Identifier: MIT */
#ifndef MCP_SESSION_INTERNALS_H
#define MCP_SESSION_INTERNALS_H

#include "base/strings.h"
#include "mcp/request/request.h"
#include "mcp/session.h"

#define MODERN_VERSION "2026-07-28"
#define LEGACY_VERSION "2025-11-25"
#define META_VERSION "io.modelcontextprotocol/protocolVersion"
#define META_CAPABILITIES "io.modelcontextprotocol/clientCapabilities"
#define META_CLIENT "io.modelcontextprotocol/clientInfo"
#define META_SERVER "io.modelcontextprotocol/serverInfo"
#define EXTENSION_TASKS "io.modelcontextprotocol/tasks"
#define MAX_INPUT_ROUNDS 10
#define SESSION_TEXT_MAX 400

struct era;
struct server_request;

/* A received message, classified and checked, before the session acts on it. */
struct incoming {
	struct blob *bytes;   /* borrowed */
	struct json_doc *doc; /* owned until a reply takes it; NULL if it is not JSON */
	struct message message;
	const char *method; /* as in struct session_line */
	uint64_t id;        /* the open request that it answers or reports on; 0: none */
	uint64_t request;   /* the request's number for the owner, known even after it ended */
	bool stray;         /* a notification of a subscription that is not ours */
	char flaw[200];     /* "" if it has none */
};

struct session {
	struct session_events events;
	void *user;
	enum session_era wanted_era;
	enum session_transport transport;
	bool onlooker;
	char *client_name, *client_version;
	int64_t timeout_ms, max_timeout_ms;
	struct session_capabilities can;
	struct session_extension *extensions; /* of can */
	struct strings extension_texts;

	struct session_info info;
	struct {
		struct buf members; /* without braces */
		bool has_trace;
		uint8_t seed[SESSION_SEED_BYTES];
	} meta;
	char traceparent[56]; /* last sent */
	int64_t now_ms;
	uint64_t stream; /* of the message being handled, as in struct raw_message */
	bool in_session; /* likewise */
	struct requests requests;
	struct {
		struct server_request *items;
		size_t len, cap;
		uint64_t last_id;
	} server_requests;

	const struct era *era; /* of the handshake, then of the session */
	struct internal_requests internal;
	bool tried_modern, tried_legacy;
	bool version_retried;
	bool needs_session; /* the legacy era is tried because the server sends requests */
	int renewals;       /* of the session since the last good answer */
	char failure[SESSION_TEXT_MAX];

	char requested_version[32];    /* in initialize */
	struct json_doc *init_message; /* the answer to the handshake; info points into it */
	char protocol[32];
};

/* ---- messages of the user ---- */
/* A message that the user wrote. If it is a request, its reply is expected; a failure to send it is
 * reported. */
struct request_by_hand {
	uint64_t number; /* for the owner and the transport; 0: unused */
	char *id;        /* JSON text of any type; NULL: not a request */
	uint64_t rpc_id; /* the same as an integer; 0: it is not one */
	char *method;
	bool answered; /* or lost */
};
/* The user's newest request with this id; NULL: none is remembered. */
struct request_by_hand *requests_find_by_hand(const struct requests *t, const cJSON *id);
struct request_by_hand *requests_by_hand_of(const struct requests *t, uint64_t number);
void requests_finish_by_hand(struct requests *t);

/* ---- incoming.c ---- */
/* Handlers of notifications. */
void incoming_progress(struct session *s, const struct message *m);
void incoming_cancelled(struct session *s, const struct message *m);

/* ---- outgoing.c ---- */
/* The message `r->rpc_id`. */
void outgoing_request(struct session *s, const struct request *r, const struct request_args *args);
void outgoing_cancel(struct session *s, const struct request *r, const char *reason);
void outgoing_notification(struct session *s, const char *method);
/* The response to a server request: a result as JSON, or an error. rpc_id: as JSON. */
void outgoing_answer(
    struct session *s, const char *method, const char *rpc_id, const char *result, size_t len);
void outgoing_refusal(
    struct session *s, const char *method, const char *rpc_id, int code, const char *text);

/* ---- session.c ---- */
/* Passes one line of text to on_note. */
void session_note(struct session *s, uint64_t request, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The message and code of an error, or the reason why the message is not an answer. */
void text_of_error(const struct message *m, char *out, size_t size);

#endif

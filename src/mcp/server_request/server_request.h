/* SPDX-License-Identifier: MIT */
#ifndef MCP_SERVER_REQUEST_SERVER_REQUEST_H
#define MCP_SERVER_REQUEST_SERVER_REQUEST_H

#include "mcp/session/internals.h"

/*
 * A request for the user's input that is still open: a JSON-RPC request of the server (until
 * 2025-11-25) or one of the input requests in an InputRequiredResult, which are all answered at
 * once.
 */
struct server_request {
	uint64_t id;
	uint64_t request; /* our request it belongs to; 0: unknown */
	char *method;
	char *message; /* for the report; may be NULL */
	char *rpc_id;  /* of the JSON-RPC request, as JSON; NULL for an input request */
	char *key;     /* in inputRequests; NULL if it has none */
	char *answer;  /* the result given for an input request; NULL: none yet */
};

#define MAX_SERVER_REQUESTS 64

/* Borrowed; as in struct server_request. */
struct server_request_args {
	uint64_t request;
	const char *method, *message, *rpc_id, *key;
};

/* Remove all that belong to our request (0: all of them), and notify the server and the owner. */
void server_request_drop_all(struct session *s, uint64_t request, const char *why);
/* Is one open that our request may be waiting for? */
bool server_request_is_open(const struct session *s, uint64_t request);
void server_request_finish(struct session *s);

/* Handlers of incoming requests. */
void server_request_take(struct session *s, const struct message *m);
void server_request_ping(struct session *s, const struct message *m);
void server_request_unknown(struct session *s, const struct message *m); /* not a method of MCP */
void server_request_out_of_place(struct session *s, const struct message *m); /* in 2026-07-28 */
/* An onlooker only: the client has answered one. */
void server_request_watch_answer(struct session *s, const struct message *m);
/* notifications/cancelled; false if no such request is open. */
bool server_request_cancelled(struct session *s, const struct message *m);

/* ---- client_features.c ---- */
/* A request that a client may declare to accept. */
struct client_feature {
	const char *method;
	const char *(*refusal)(const struct session *s, const cJSON *params, int *code);
	const char *decline, *cancel; /* results without the user's input; NULL: an error */
};

const struct client_feature *client_feature_find(const char *method); /* NULL: not one */
/* Why the client refuses this request, and the error code for it; NULL if it accepts. */
const char *client_feature_flaw(
    const struct session *s, const char *method, const cJSON *params, int *code);

/* ---- input required ---- */
/* The result requires input: asks for it, or ends our request. */
void input_required_on_result(struct session *s, struct incoming *in);
/* The error wants the user to visit URLs first (2025-11-25). False: it does not, or it is
 * malformed. */
bool input_required_on_error(struct session *s, struct incoming *in);
/* Asks for the input that a task requires, `{"inputRequests": ...}`; takes the text. Sends
 * tasks/update when all is answered. Returns the number of that request; 0: nothing can be asked.
 */
uint64_t input_required_for_task(struct session *s, const char *task_id, struct blob *text);

#endif

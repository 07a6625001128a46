/* SPDX-License-Identifier: MIT */
#ifndef MCP_ERA_ERA_H
#define MCP_ERA_ERA_H

#include "json/write.h"
#include "mcp/session.h"
#include "mcp/session/internals.h"

enum { ERAS_LEGACY = 1, ERAS_MODERN = 2, ERAS_BOTH = 3 };
enum { FROM_CLIENT = 1, FROM_SERVER = 2, FROM_BOTH = 3 };
/* ONLY_READS: idempotent. */
enum { MAY_REPORT = 1, MAY_WANT_INPUT = 2, ONLY_READS = 4, MAY_BE_TASK = 8 };

typedef void message_fn(struct session *s, const struct message *m);
typedef void result_fn(struct session *s, uint64_t request);
/* is_passing: the cause may pass, so another attempt may succeed. */
typedef void failure_fn(struct session *s, uint64_t request, const char *why, bool is_passing);

struct method {
	const char *name;
	unsigned eras, from, traits;
	const char *subject; /* the member of params that is Mcp-Name; NULL: none */
	/* Handles it if the server sends it. NULL: the owner gets a notification, and a request is
	 * answered with "Method not found". */
	message_fn *on_message;
	/* The session sent it for itself. NULL: a result needs nothing; the reason of a failure is
	 * noted. */
	result_fn *on_result;
	failure_fn *on_failure;
};

const struct method *method_find(const char *name); /* NULL if MCP has no such method */

/* A protocol era: its handshake, the envelope of its requests, the types of its results. */

enum result_type { RESULT_COMPLETE, RESULT_INPUT_REQUIRED, RESULT_TASK, RESULT_UNKNOWN };

struct era {
	bool modern;
	const char *handshake; /* the method */
	void (*write_handshake)(const struct session *s, struct json_writer *params);
	/* Writes the _meta members of every request. May be NULL. */
	void (*write_meta)(const struct session *s, struct json_writer *meta);
	/* Return the flaw of a handshake result; NULL: valid. */
	const char *(*handshake_flaw)(const cJSON *result);
	/* Reads protocol and server_info from the result, which is in s->init_message. */
	void (*read_init_result)(struct session *s, const cJSON *result);
	enum result_type (*classify)(const cJSON *result);
	const char *(*result_flaw)(const cJSON *result);
};

extern const struct era era_legacy, era_modern;

/* Returns the version as a constant; NULL if it is not a legacy version. */
const char *era_legacy_version(const char *version);
/* Writes protocol version, client capabilities and client info (2026-07-28). */
void era_write_envelope(const struct session *s, struct json_writer *meta);

/* ---- handshake.c ---- */
void handshake_start(struct session *s);
/* While it is open; else NULL. */
struct request *handshake_request(const struct session *s);
/* Ends the request. */
void handshake_on_answer(struct session *s, struct request *r, struct incoming *in);
void handshake_on_timeout(struct session *s, struct request *r);
void handshake_on_closed(struct session *s);
/* Ends the request. */
void handshake_on_transport_error(
    struct session *s, struct request *r, const struct transport_error *error);
/* Initializes again after the server forgot the session; open requests stay open. */
void handshake_renew(struct session *s);
void handshake_give_up(struct session *s, const char *why);

/* ---- internal_request.c: subscriptions/listen, resources/subscribe ---- */
result_fn subscription_on_result;
failure_fn subscription_on_failure;
message_fn subscription_on_acknowledged;
/* The server ended a subscription by notifications/cancelled; false if the id is not one of ours.
 */
bool subscription_on_cancelled(struct session *s, const struct message *m);
/* Return the flaw of a notification that needs a subscription, or NULL; *stray: its subscription is
 * not ours. */
const char *subscription_flaw(const struct session *s, const struct message *m, bool *stray);

result_fn watch_on_result;
failure_fn watch_on_failure;

/* ---- client capabilities ---- */
/* Makes a deep copy. */
void capabilities_copy(struct session *s, const struct session_capabilities *from);
void capabilities_finish(struct session *s);

#endif

#ifndef MCP_SESSION_STATE_H
#define MCP_SESSION_STATE_H

#include "mcp/param_headers.h"
#include "mcp/request/internal_request.h"
#include "mcp/session.h"
#include "rpc/pending.h"

#define MODERN_VERSION "2026-07-28"
#define LEGACY_VERSION "2025-11-25"
#define META_VERSION "io.modelcontextprotocol/protocolVersion"
#define META_CAPABILITIES "io.modelcontextprotocol/clientCapabilities"
#define META_CLIENT "io.modelcontextprotocol/clientInfo"
#define META_SERVER "io.modelcontextprotocol/serverInfo"
#define EXTENSION_TASKS "io.modelcontextprotocol/tasks"
#define ERROR_PARSE (-32700)
#define ERROR_METHOD_NOT_FOUND (-32601)
#define ERROR_HEADER_MISMATCH (-32020)
#define ERROR_INVALID_PARAMS (-32602)
#define ERROR_INTERNAL (-32603)
#define ERROR_UNSUPPORTED_VERSION (-32022)
#define ERROR_URL_REQUIRED (-32042)
#define MAX_INPUT_ROUNDS 10
#define SESSION_TEXT_MAX 400
#define NOT_JSON "not JSON: %s (byte %zu)"

struct era;
struct sent_call;
struct open_question;

/* A line that came in, looked at but not yet acted upon. */
struct incoming {
	struct blob *bytes;   /* borrowed */
	struct json_doc *doc; /* owned until a reply takes it; NULL when not JSON */
	struct message message;
	const char *method; /* as in struct session_line */
	uint64_t id;        /* our open request it answers or reports on, 0: none */
	uint64_t request;   /* its owner; also of one that has ended */
	bool stray;         /* a notice that is not for us */
	char flaw[200];     /* "" for none */
};

struct sent_calls {
	struct sent_call *items;
	size_t len, cap;
};

struct session_questions {
	struct open_question *items;
	size_t len, cap;
	uint64_t last_id;
};

struct session {
	struct session_events events;
	void *user;
	enum session_era wanted_era;
	enum session_transport transport;
	char *client_name, *client_version;
	int64_t timeout_ms, max_timeout_ms;
	struct session_capabilities can;

	struct session_info info;
	int64_t now_ms;
	uint64_t stream; /* of the line that is being taken, as in struct wire_line */
	struct pending pending;
	struct sent_calls calls;
	struct session_questions questions;

	const struct era *era; /* the one of the handshake, then of the session */
	uint64_t handshake;    /* its id while it is under way */
	struct inner inner;    /* what it asks for by itself */
	bool tried_modern, tried_legacy;
	bool version_retried;
	int renewals; /* of the session since the last good answer */
	char failure[SESSION_TEXT_MAX];

	char asked_version[32];        /* in initialize */
	struct json_doc *init_message; /* the answer to the handshake; info points into it */
	char protocol[32];
};

/* ---- incoming.c ---- */
/* Takes what the line holds. */
void incoming_line(struct session *s, struct wire_line *line);
/* Handlers of notifications. */
void incoming_progress(struct session *s, const struct message *m);
void incoming_cancelled(struct session *s, const struct message *m);

/* ---- requests.c ---- */
void requests_on_answer(struct session *s, struct incoming *in);
void requests_time_out(struct session *s, uint64_t id);
void requests_close(struct session *s);
/* Is this a request of the session's own, not of its owner? */
bool requests_is_internal(const struct session *s, uint64_t id);
/* Ends all that the owner asked for. */
void requests_end_all(struct session *s, enum reply_kind kind, const char *text);
/* Ends the open request `id` and hands out the reply; in may be NULL. */
void requests_reply(struct session *s, uint64_t id, enum pending_end how, enum reply_kind kind,
    struct incoming *in, const char *text);
/* An error's message and code, or what makes an answer invalid. */
void text_of_error(const struct message *m, char *out, size_t size);
/* One line, cut at a character's end. out has room for size bytes. */
void text_to_line(char *out, size_t size, const char *text);
/* "no answer in 1000 ms (first byte, for 1.0 s)". */
void text_of_timeout(struct session *s, uint64_t id, char *out, size_t size);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef MCP_SESSION_H
#define MCP_SESSION_H

#include "base/buf.h"
#include "json/doc.h"
#include "mcp/events.h"
#include "mcp/message.h"

#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>

/* The levels of notifications/message are those of RFC 5424
 * (2026-07-28/server/utilities/logging.mdx). */
enum log_level {
	LOG_LEVEL_NONE, /* not requested; of a message: not one of these */
	LOG_LEVEL_DEBUG,
	LOG_LEVEL_INFO,
	LOG_LEVEL_NOTICE,
	LOG_LEVEL_WARNING,
	LOG_LEVEL_ERROR,
	LOG_LEVEL_CRITICAL,
	LOG_LEVEL_ALERT,
	LOG_LEVEL_EMERGENCY,
	LOG_LEVELS,
};

extern const char *const log_level_names[LOG_LEVELS]; /* "debug"; "none" */
enum log_level log_level_from_name(const char *name); /* NONE if unknown or NULL */

/*
 * The client capabilities that a session declares, in initialize (2025-11-25/basic/lifecycle.mdx)
 * and in every request of 2026-07-28. The session keeps a copy. It refuses server requests that
 * need an undeclared capability.
 */
struct session_extension {
	const char *id;       /* "io.modelcontextprotocol/ui" */
	const char *settings; /* a JSON object; NULL and anything else count as {} */
};

struct session_capabilities {
	bool elicitation_form, elicitation_url;
	bool sampling;
	bool sampling_tools;   /* with sampling: the server may use tools and toolChoice */
	bool sampling_context; /* with sampling: the server may use includeContext */
	bool roots;            /* with listChanged in the legacy era */
	const struct session_extension *extensions;
	size_t extension_count;
};

/*
 * One conversation with one MCP server, in either protocol era, without any I/O: lines and times
 * come in by calls; lines to send and events go out by the callbacks of struct session_events. It
 * never blocks, never retries forever, and survives any input: an invalid message only goes to
 * on_line.
 *
 * Era "auto" sends one `initialize` that also carries the modern envelope in _meta. A legacy server
 * sees an ordinary initialize and answers it. A server of 2026-07-28 answers with an error, because
 * that method is gone; then server/discover follows on the same stream. If the server exits on it,
 * the failure reports that. A server that lists both eras and declares sampling, elicitation or
 * roots as a server capability is initialized in the legacy era, because its code sends requests,
 * which 2026-07-28 does not have.
 *
 * Over HTTP server/discover goes first. An answer that no modern server gives leads to initialize
 * (2026-07-28/basic/transports/streamable-http, "Backward Compatibility").
 */
struct session;

enum session_era { ERA_AUTO, ERA_MODERN, ERA_LEGACY, ERA_COUNT };
extern const char *const session_era_names[ERA_COUNT];
enum session_era session_era_find(const char *name); /* ERA_COUNT if unknown */
enum session_transport { TRANSPORT_STDIO, TRANSPORT_HTTP };

enum session_state {
	SESSION_NEW,
	SESSION_OPENING, /* handshake sent */
	SESSION_READY,
	SESSION_FAILED, /* handshake refused */
	SESSION_CLOSED, /* the stream ended */
};

struct session_options {
	enum session_era era;
	enum session_transport transport;
	const char *version; /* the protocol version to request, known or not; it decides the era if
				that is auto. NULL: the newest */
	const char *client_name, *client_version;
	int64_t timeout_ms; /* per request, restarted by progress; 0 means 60 000 */
	int64_t ping_ms;    /* between pings if the protocol has them; 0: no pings */
	int64_t
	    max_timeout_ms; /* per request, not restarted by progress; 0 means 600 000 or more */
	struct session_capabilities can;
	/* It sends nothing and follows the messages between another client and its server;
	 * session_on_sent() takes those of the client. */
	bool onlooker;
};

/* Copies events and options (strings included). Callbacks may call any function here except
 * session_destroy() and the session_on_... functions. */
struct session *session_create(
    const struct session_options *options, const struct session_events *events, void *user);
void session_destroy(struct session *s); /* calls no callbacks; accepts NULL */
/* Sets the log level from now on: by logging/setLevel, since 2026-07-28 by the _meta of each
 * request. A legacy server has no NONE and keeps its last level. False: not ready, or the server
 * does not declare logging. */
bool session_set_log_level(struct session *s, enum log_level level, int64_t now_ms);
/* Sets the limits of new requests; 0 as in the options. */
void session_set_timeouts(struct session *s, int64_t timeout_ms, int64_t max_timeout_ms);

/* ---- input ---- */
void session_start(struct session *s, int64_t now_ms);
/* Takes the reference. dropped as in struct frame_line. */
void session_on_line(struct session *s, struct blob *line, size_t dropped, int64_t now_ms);
/* The same for a parsed message; takes its contents. */
void session_on_raw_message(struct session *s, struct raw_message *line, int64_t now_ms);
/* An onlooker only: the same for a message of the client. */
void session_on_sent(struct session *s, struct raw_message *line, int64_t now_ms);
/* The transport failed to deliver a message or its answer. Requests that are safe to repeat are
 * sent again under a new id, a few times at most; a session that the server forgot is opened again;
 * on_note reports both. Other requests end as REPLY_TRANSPORT_ERROR. */
void session_on_transport_error(
    struct session *s, const struct transport_error *error, int64_t now_ms);
void session_on_closed(struct session *s, int64_t now_ms); /* ends every open request */
/* When to call session_on_time() next; INT64_MAX for never. */
int64_t session_next_time(const struct session *s);
void session_on_time(struct session *s, int64_t now_ms);
/* Sets further members of _meta for calls, reads and gets, without braces, and the seed of their
 * traceparents (NULL: none). */
#define SESSION_SEED_BYTES 32
void session_set_meta(struct session *s, const char *members, size_t len, const uint8_t *seed);
/* Moves every time-out: for this long no message could be answered (the user had to log in). */
void session_extend_deadlines(struct session *s, int64_t ms);

/* ---- requests; 0 if the session is not ready. on_reply gets the reply. ---- */
/* params_json: one JSON object without _meta, or NULL. Envelope and progress token are added. A
 * text that does not look like an object goes out unchanged. */
uint64_t session_request(
    struct session *s, const char *method, const char *params_json, size_t len, int64_t now_ms);
struct session_call {
	const char *name;
	/* Sent byte for byte, valid or not, except that line breaks become spaces. NULL: no
	 * arguments member. */
	const char *arguments;
	size_t len;
	const cJSON *definition; /* of the tool, borrowed for the call; NULL if unknown */
};
/* tools/call. 0 also if the tool is not usable. */
uint64_t session_call(struct session *s, const struct session_call *call, int64_t now_ms);
/* May a tool of this definition be called in this session? If not, why (size bytes) has the reason.
 */
bool session_tool_is_usable(
    const struct session *s, const cJSON *definition, char *why, size_t size);
/* Sends a text of the user, valid or not, unchanged except that line breaks become spaces. No reply
 * is awaited. False: the session is not ready. */
struct session_text {
	const char *text;
	size_t len;
	bool new_id;             /* if it is a request, it gets a new id */
	const cJSON *definition; /* of the tool that it calls; NULL: none, or unknown */
};
bool session_send_text(struct session *s, const struct session_text *text, int64_t now_ms);
/* Is it a JSON-RPC message that cannot be mistaken for one of ours? If not, why (size bytes). */
bool session_check_text(
    const struct session *s, const char *text, size_t len, char *why, size_t size);
/* Sends notifications/cancelled. The reply is REPLY_CANCELLED at once; a late answer only goes to
 * on_line. False: no such request is open. reason may be NULL. */
bool session_cancel(struct session *s, uint64_t request, const char *reason, int64_t now_ms);

/* ---- answers to on_question; false if it is not open ---- */
/* result_json: the result of its method, sent byte for byte except for line breaks. */
bool session_answer(
    struct session *s, uint64_t question, const char *result_json, size_t len, int64_t now_ms);
/* Sends an error or, for an input request (2026-07-28), ends our request. */
bool session_refuse(
    struct session *s, uint64_t question, int code, const char *text, int64_t now_ms);
/* Sends notifications/roots/list_changed if the era has it and roots were declared. */
void session_roots_changed(struct session *s, int64_t now_ms);

/* ---- facts ---- */
/* Owned by the session and always up to date; texts are valid until the next handshake. */
struct session_info {
	enum session_state state;
	const char *failure;  /* why the handshake failed; "" if it did not */
	const char *protocol; /* "2026-07-28"; "" before the handshake */
	bool modern;          /* the era of the handshake, then of the session */
	bool speaks_both;     /* eras, according to server/discover */
	/* Over HTTP, in both eras: initialize opened no session, so the server cannot send requests
	 */
	bool lacks_session;
	/* SESSION_FAILED because an HTTP server knows neither handshake: it may be one of
	 * 2024-11-05 */
	bool wants_sse;
	const char *server_name, *server_title, *server_version; /* labels; "" if not given */
	const char *instructions;                                /* "" if not given */
	const cJSON *server_capabilities;                        /* NULL if not given */
	/* name, title, version, description, websiteUrl, icons...; NULL if not given */
	const cJSON *server_info;
	const cJSON *init_result; /* the whole result of the handshake; NULL before it */
	const struct session_capabilities *client_capabilities;
	enum log_level log_level; /* last requested */
	const char *traceparent;  /* last sent; "" if none was */
	struct {
		size_t count;
		char first[120]; /* its beginning */
	} unreadable;            /* lines that are not messages */
};
const struct session_info *session_info(const struct session *s);
/* The settings of an extension that the server declares; NULL: it does not. */
const cJSON *session_extension(const struct session *s, const char *id);
size_t session_open_requests(const struct session *s);
/* Calls on_wait() for a request; 0 means the handshake. */
bool session_describe_wait(const struct session *s, uint64_t request, char *out, size_t size);

/*
 * Notifications about single resources and tasks. 2026-07-28 has one subscription for all of them
 * (basic/patterns/subscriptions.mdx): a change of the filter opens a new one, then closes the old
 * one; a stream that ends is opened again after a growing delay. 2025-11-25 has resources/subscribe
 * (server/resources.mdx).
 */
enum watch_kind { WATCH_RESOURCE, WATCH_TASK };

enum watch_state {
	WATCH_NONE,
	WATCH_ASKED,
	WATCH_ON,
	WATCH_REFUSED, /* the server refused, or does not send such notifications */
};

/* Keys (URI, task id) are kept until turned off. Does nothing if the session is not ready or the
 * server does not send such notifications; session_watch_state() tells. */
void session_watch(
    struct session *s, enum watch_kind kind, const char *key, bool on, int64_t now_ms);
enum watch_state session_watch_state(
    const struct session *s, enum watch_kind kind, const char *key);
/* Can this session ask for such notifications? */
bool session_can_watch(const struct session *s, enum watch_kind kind);

#endif

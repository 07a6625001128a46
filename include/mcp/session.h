#ifndef MCP_SESSION_H
#define MCP_SESSION_H

#include "base/blob.h"
#include "json/doc.h"
#include "mcp/capabilities.h"
#include "mcp/events.h"
#include "mcp/logging.h"
#include "mcp/raw_message.h"
#include "rpc/transport_error.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * One conversation with one MCP server, both protocol eras, without any I/O:
 * lines and times come in by calls, lines to send and news go out by the
 * callbacks of struct session_events. It never blocks, never retries for ever, and
 * survives whatever the server says: what is not understood goes to on_line alone.
 *
 * Era "auto" sends one `initialize` that also carries the modern envelope in _meta. A legacy server
 * sees an ordinary initialize and answers it. One that speaks 2026-07-28 answers with an error,
 * since that method is gone; then server/discover follows on the same stream. A server that dies of
 * it is reported as such. One that lists both eras and names sampling, elicitation or roots as its
 * own capability is initialized after all: its code sends requests, which only the legacy era has.
 *
 * Over HTTP server/discover goes first; an answer that no modern server gives makes it
 * initialize (2026-07-28/basic/transports/streamable-http, "Backward Compatibility").
 */
struct session;

enum session_era { ERA_AUTO, ERA_MODERN, ERA_LEGACY, ERA_COUNT };
const char *session_era_name(enum session_era era);
enum session_era session_era_find(const char *name); /* ERA_COUNT: none is called so */
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
	const char *version; /* a protocol version to ask for, known or not; decides the era where
				that is auto. NULL: the newest */
	const char *client_name, *client_version;
	int64_t timeout_ms;     /* per request, restarted by progress; 0 means 60 000 */
	int64_t ping_ms;        /* between pings, where the protocol has them; 0: none */
	int64_t max_timeout_ms; /* from its start, whatever progress says; 0: 600 000 or more */
	struct session_capabilities can;
};

/* events are copied; options too (strings included). Callbacks may call anything here but
 * session_destroy(), session_on_line() and its like, session_on_closed() and session_on_time(). */
struct session *session_create(
    const struct session_options *options, const struct session_events *events, void *user);
void session_destroy(struct session *s); /* no callbacks; NULL-safe */
/* For requests from now on; 0 as in the options. */
void session_set_timeouts(struct session *s, int64_t timeout_ms, int64_t max_timeout_ms);

/* ---- in ---- */
void session_start(struct session *s, int64_t now_ms);
/* Takes the reference. dropped as in struct frame_line. */
void session_on_line(struct session *s, struct blob *line, size_t dropped, int64_t now_ms);
/* The same for one that was read already; takes what it holds. */
void session_on_raw_message(struct session *s, struct raw_message *line, int64_t now_ms);
/* A message was handed to on_send, but nothing will answer it. What is safe to repeat is sent again
 * under a new id, a few times at most; a session the server forgot is opened anew. All of that is
 * told by on_note; what is not repeated ends as REPLY_TRANSPORT_ERROR. */
void session_on_transport_error(struct session *s, const struct lost *lost, int64_t now_ms);
void session_on_closed(struct session *s, int64_t now_ms); /* every open request ends */
/* When session_on_time() wants to be called next; INT64_MAX for never. */
int64_t session_next_time(const struct session *s);
void session_on_time(struct session *s, int64_t now_ms);
/* For so long no message could be answered (the user was asked for authorization): every time-out
 * comes that much later. */
void session_extend_deadlines(struct session *s, int64_t ms);

/* ---- requests; 0 when the session is not ready. Reply by on_reply. ---- */
/* params_json: one JSON object without _meta, or NULL. Envelope and progress token are added; what
 * does not look like an object goes out as it is. */
uint64_t session_request(
    struct session *s, const char *method, const char *params_json, size_t len, int64_t now_ms);
struct session_call {
	const char *name;
	/* One line of JSON, sent byte for byte (it need not even be an object), but for line
	 * breaks, which become spaces. NULL: no arguments member. */
	const char *arguments;
	size_t len;
	const cJSON *definition; /* of the tool; NULL: unknown. Borrowed for the call */
};
/* tools/call. 0 also if the tool is not usable. */
uint64_t session_call(struct session *s, const struct session_call *call, int64_t now_ms);
/* May a tool of this definition be called in this session? If not, why (size bytes) has the reason.
 */
bool session_tool_is_usable(
    const struct session *s, const cJSON *definition, char *why, size_t size);
/* Sends notifications/cancelled; the reply is REPLY_CANCELLED at once, a late answer is journalled.
 * False: no such request is open. reason may be NULL. */
bool session_cancel(struct session *s, uint64_t request, const char *reason, int64_t now_ms);

/* ---- answers to on_question; false: no such question waits ---- */
/* result_json: the result of the method asked for, sent byte for byte but for line breaks. */
bool session_answer(
    struct session *s, uint64_t question, const char *result_json, size_t len, int64_t now_ms);
/* By an error, or where there is none (2026-07-28) by ending the call that asked. */
bool session_refuse(
    struct session *s, uint64_t question, int code, const char *text, int64_t now_ms);
/* notifications/roots/list_changed, where that exists and roots were declared. */
void session_roots_changed(struct session *s, int64_t now_ms);

/* ---- what is known ---- */
/* The session keeps it up to date. All but the texts of ours is borrowed from the handshake's
 * answer. */
struct session_info {
	enum session_state state;
	const char *failure;  /* why the handshake failed; "" if it did not */
	const char *protocol; /* "2026-07-28"; "" before the handshake */
	bool modern;          /* the era of the handshake, then of the session */
	bool speaks_both;     /* eras, according to server/discover */
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
};
const struct session_info *session_info(const struct session *s);
size_t session_open_requests(const struct session *s);
/* As on_wait() of its events says; request 0: the handshake. */
bool session_describe_wait(const struct session *s, uint64_t request, char *out, size_t size);

#endif

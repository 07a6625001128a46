/* SPDX-License-Identifier: MIT */
#ifndef CLIENT_SERVER_H
#define CLIENT_SERVER_H

#include "auth/flow.h"
#include "mcp/session.h"
#include "mcp/completer.h"
#include "mcp/primitive.h"
#include "client/question.h"
#include "client/call.h"
#include "client/journal.h"
#include "mcp/time_line.h"

/* The round-trip time of one small request. */
struct ping {
	const char *method; /* "ping", else "server/discover"; NULL if none was sent */
	uint64_t request;   /* 0 if it has ended */
	int64_t sent_us;
	int64_t took_us; /* < 0: failed or still waiting */
	char error[200];
	bool unanswered; /* error does not come from the server */
};

/*
 * The state of one server: its session, its primitives, calls and journal. No I/O: the owner passes
 * in lines, stderr, exits of the process and times, and sends the lines of on_send. Every change
 * raises `generation`.
 */
struct server;

enum server_phase {
	SERVER_IDLE,      /* not started, or disconnected by the user */
	SERVER_UNPACKING, /* its bundle, before it can start */
	SERVER_STARTING,  /* process started, handshake in progress */
	SERVER_LISTING,   /* connected, waiting for the tools */
	SERVER_READY,
	SERVER_FAILED, /* could not be started, or refused the handshake */
	SERVER_EXITED, /* connected before, gone now */
};

struct server_options {
	struct session_options session;
	struct answer_policy answers; /* its strings are borrowed */
	size_t journal_max_bytes;     /* 0: 64 MiB */
	size_t
	    calls_max_bytes; /* replies held of finished calls; 0: 256 MiB; the oldest go first */
	bool no_findings;    /* results are validated alone */
	unsigned skip_lists; /* bits of enum primitive_kind: lists not requested automatically */
	uint8_t trace_seed[SESSION_SEED_BYTES]; /* random, for server_set_trace() */
	/* A call has ended and has its verdict: its id in the history, 0 if it is not kept. NULL:
	 * the history is off. */
	uint64_t (*keep)(void *user, const struct server *s, const struct call *c);
	void *keep_user;
	/* Like on_wait of struct session_events; may be NULL. */
	bool (*on_wait)(void *user, uint64_t id, char *out, size_t size);
	void *wait_user;
	uint64_t calls_after; /* ids of calls begin above this, so that no two servers share one */
};

/* name: the user's name for it. label: the command line or the file it came from. */
struct server *server_create(const char *name, const char *label,
    const struct server_options *options,
    void (*on_send)(void *user, const struct outbound *message), void *user);
void server_destroy(struct server *s);
/* Checks big results in jobs, which may outlive the server; on_checked reports a verdict. */
void server_use_jobs(
    struct server *s, job_submit_fn *submit, void (*on_checked)(void *user), void *user);

/* ---- input; times are monotonic microseconds ---- */
void server_start(struct server *s, int64_t now_us); /* also after an end: a fresh session */
enum session_era server_set_era(
    struct server *s, enum session_era era); /* takes effect at the next start */
void server_on_line(struct server *s, struct blob *line, size_t dropped, int64_t now_us);
/* The same for a line that is parsed already; both take their arguments. It can be a message of the
 * watched client; see struct session_options. */
void server_on_raw_message(struct server *s, struct raw_message *line, int64_t now_us);
/* Forgets all that was seen, to see it again. */
void server_rewind(struct server *s, int64_t now_us);
/* A line of this many bytes is being parsed; 0: it is done. */
void server_on_reading(struct server *s, size_t bytes);
void server_on_stderr(struct server *s, const char *bytes, size_t len, int64_t now_us);
void server_on_transport_error(
    struct server *s, const struct transport_error *error, int64_t now_us);
/* how: "exited with code 3", "killed by SIGSEGV". Ends the session and every open call. */
void server_on_closed(struct server *s, const char *how, int64_t now_us);
void server_on_stopped(
    struct server *s, int64_t now_us); /* we stopped it: IDLE, its data is kept */
void server_on_unpacking(struct server *s, int64_t now_us); /* server_start() comes later */
void server_on_spawn_failed(struct server *s, const char *why, int64_t now_us);
void server_on_again(struct server *s, int64_t wait_ms); /* it will be restarted after wait_ms */
void server_on_reach(
    struct server *s, const char *why); /* unreachable while READY; NULL: reachable again */
int64_t server_next_time(const struct server *s); /* us; INT64_MAX if none */
void server_on_time(struct server *s, int64_t now_us);
void server_extend_deadlines(struct server *s, int64_t us); /* session_extend_deadlines() */
/* The clock of the journal, see journal_set_clock(). */
void server_set_clock(struct server *s, int64_t wall_us, int zone_s);
/* Adds a note to the journal. carried: the number for the transport of the request that it is
 * about; 0: none. */
void server_on_note(struct server *s, const char *text, uint64_t carried, int64_t now_us);
void server_set_time_line(struct server *s, const struct time_line *t); /* borrowed; may be NULL */
/* The authorization flow, which lives as long as the server; can be NULL. */
void server_set_auth(struct server *s, const struct auth_flow *flow);
/* Call it after changing a question or the authorization flow: the screen shows both. */
void server_changed(struct server *s);

/* ---- commands of the user ---- */
/* Calls a tool, gets a prompt, reads a resource. Returns the call's id, or 0 with the reason in
 * err. arguments_json goes out byte for byte; for a template it fills in the URI. */
uint64_t server_ask(struct server *s, const struct primitive *primitive, const char *arguments_json,
    size_t len, int64_t now_us, struct err *err);
/* session_send_text(). *call: that it makes, which never times out and is cancelled here alone; 0:
 * none. */
bool server_send_text(
    struct server *s, const char *text, size_t len, bool new_id, int64_t now_us, uint64_t *call);
bool server_cancel(struct server *s, uint64_t call, int64_t now_us);
/* Members of _meta in every later call, read and get, in addition to ours: each is KEY=VALUE (a
 * string), KEY:=JSON or a JSON object. server_set_trace() adds a new traceparent each time
 * (SEP-414). False: err has the reason. */
bool server_set_meta(struct server *s, const char *const *members, size_t count, struct err *err);
void server_set_trace(struct server *s, bool on);
void server_set_timeout(struct server *s, int64_t ms); /* for requests from now on */
bool server_ping(
    struct server *s, int64_t now_us); /* false if not connected, or a ping is in flight */
/* Asks the server for completions after typing has paused for delay_ms. The answer:
 * server_info()->completer. NULL stops asking. */
void server_complete(
    struct server *s, const struct completion_question *question, int64_t delay_ms, int64_t now_us);
void server_relist(struct server *s, int64_t now_us); /* requests all lists again */

/* ---- state ---- */
/* Owned by the server and always up to date. The session is valid until the next start, everything
 * else as long as the server. */
struct server_info {
	const char *name, *label;
	bool is_remote; /* reached by HTTP, not started by us */
	enum server_phase phase;
	const char *trouble;           /* also of a READY server that is unreachable */
	int64_t connect_us;            /* from start to end of handshake; -1 if unknown */
	const struct session *session; /* NULL before the first start */
	const struct journal *journal;
	/* By kind: the list, whether it is complete, and its error; its generation rises with it.
	 */
	const struct lister *lists;
	const struct completer *completer;
	const struct ping *ping; /* the last one */
	const struct logs *logs;
	const struct strings *roots;
	const struct auth_flow *auth; /* NULL: none */
	enum log_level log_level;     /* the level we asked for */
	size_t reading;               /* bytes; 0 if no big line is being parsed */
	size_t calls_made;
	const struct time_line *time_line; /* of a recording; NULL: it is none */
	const char *meta;                  /* a JSON object; "": none */
	bool trace;
	bool shows_apps, runs_apps; /* there is a pane for them; and an engine: see client/app.h */
	size_t calls, tasks;        /* that are kept */
	struct {
		struct question **items;
		size_t len, cap;
	} questions;           /* open ones, the oldest first */
	uint64_t task_changes; /* see server_tasks_save() */
};
const struct server_info *server_info(const struct server *s);
uint64_t server_generation(const struct server *s);
const char *server_phase_name(enum server_phase phase);
const char *server_stderr_tail(
    const struct server *s, const struct call *since);    /* NULL: since the start */
bool server_is_listing(const struct server *s);           /* any of the lists */
uint64_t server_lists_generation(const struct server *s); /* of all lists */
enum verdict_kind server_last_verdict(const struct server *s, const char *tool);
const struct call *server_call_at(const struct server *s, size_t index);  /* 0 is the oldest */
const struct call *server_find_call(const struct server *s, uint64_t id); /* NULL: evicted */
/* The latest of a primitive, or NULL. */
const struct call *server_last_call(
    const struct server *s, enum primitive_kind kind, const char *key);
size_t server_running(const struct server *s);
int64_t server_busy_since_us(
    const struct server *s); /* start of its latest work; INT64_MIN if idle */

#endif

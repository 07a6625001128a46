#ifndef MODEL_SERVER_H
#define MODEL_SERVER_H

#include "auth/flow.h"
#include "mcp/session.h"
#include "mcp/completer.h"
#include "mcp/lister.h"
#include "model/answers.h"
#include "model/call.h"
#include "model/journal.h"
#include "model/ping.h"

/*
 * All that is known about one server: its session, what it offers, calls and journal. No
 * I/O: the owner hands in lines, stderr, ends of the process and times, and sends
 * what on_send says. Everything that changes raises `generation`.
 */
struct server;

enum server_phase {
	SERVER_IDLE,     /* not started, or disconnected by the user */
	SERVER_STARTING, /* process started, handshake on its way */
	SERVER_LISTING,  /* connected, tools on their way */
	SERVER_READY,
	SERVER_FAILED, /* could not be started, or refused the handshake */
	SERVER_EXITED, /* was there, has gone */
};

struct server_options {
	struct session_options session;
	struct answer_policy answers; /* its strings are borrowed */
	size_t journal_max_bytes;     /* 0: 64 MiB */
	size_t calls_max_bytes; /* replies held of finished calls; 0: 256 MiB; oldest go first */
	unsigned skip_lists;    /* bits of enum offer_kind: what is not listed by itself */
	uint64_t calls_after; /* ids of calls begin above this, so that no two servers share one */
};

/* name: how the user calls it. label: the command line or the file it came from. */
struct server *server_create(const char *name, const char *label,
    const struct server_options *options,
    void (*on_send)(void *user, const struct outbound *message), void *user);
void server_destroy(struct server *s);
/* Big results are checked by jobs, which may outlive it: on_checked says that a verdict came. */
void server_use_jobs(
    struct server *s, job_submit_fn *submit, void (*on_checked)(void *user), void *user);
bool server_is_remote(const struct server *s); /* reached by HTTP, not run */
/* As struct session_events has on_wait. */
void server_use_wait(
    struct server *s, bool (*on_wait)(void *user, uint64_t id, char *out, size_t size), void *user);

/* ---- in; times are monotonic microseconds ---- */
void server_start(struct server *s, int64_t now_us); /* also again, after an end: a fresh session */
enum session_era server_set_era(struct server *s, enum session_era era); /* from the next start */
void server_on_line(struct server *s, struct blob *line, size_t dropped, int64_t now_us);
/* The same for a line that was read already; both take what they are given. */
void server_on_raw_message(struct server *s, struct raw_message *line, int64_t now_us);
/* A line of so many bytes came and is being read, 0: is no more. */
void server_on_reading(struct server *s, size_t bytes);
void server_on_stderr(struct server *s, const char *bytes, size_t len, int64_t now_us);
void server_on_lost(struct server *s, const struct transport_error *lost, int64_t now_us);
/* how: "exited with code 3", "killed by SIGSEGV". Ends the session and every open call. */
void server_on_closed(struct server *s, const char *how, int64_t now_us);
void server_on_stopped(struct server *s, int64_t now_us); /* by us: IDLE, still known */
void server_on_spawn_failed(struct server *s, const char *why, int64_t now_us);
void server_on_again(struct server *s, int64_t wait_ms); /* then: it will be started again */
void server_on_reach(struct server *s, const char *why); /* not, while READY; NULL: again */
int64_t server_next_time(const struct server *s);        /* us; INT64_MAX: never */
void server_on_time(struct server *s, int64_t now_us);
void server_excuse(struct server *s, int64_t us); /* session_extend_deadlines() */
void server_on_note(struct server *s, const char *text, int64_t now_us); /* for the journal */
/* The server's authorization is this flow's, which lives as long as the server; NULL: it cannot
 * have one. server_on_auth(): the flow moved. */
void server_set_auth(struct server *s, const struct auth_flow *flow);
const struct auth_flow *server_auth(const struct server *s);
void server_on_auth(struct server *s);

/* ---- asked by the user ---- */
/* Calls a tool, gets a prompt, reads a resource. Returns the call's id, 0: err says why it cannot
 * be. arguments_json goes out byte for byte, of a template they make the URI. */
uint64_t server_ask(struct server *s, const struct offer *offer, const char *arguments_json,
    size_t len, int64_t now_us, struct err *err);
uint64_t server_call(struct server *s, const struct offer *offer, const char *arguments_json,
    size_t len, int64_t now_us); /* the same */
bool server_cancel(struct server *s, uint64_t call, int64_t now_us);
void server_set_timeout(struct server *s, int64_t ms); /* for requests from now on */
bool server_ping(struct server *s, int64_t now_us);    /* false: not connected, or one is out */
/* Asks what the server proposes; delay_ms: how long typing has to pause first. The answer:
 * server_completer(). NULL: nothing is asked any more. */
void server_complete(
    struct server *s, const struct completion_question *question, int64_t delay_ms, int64_t now_us);
void server_relist(struct server *s, int64_t now_us); /* all that is offered */

/* ---- known ---- */
uint64_t server_generation(const struct server *s);
const char *server_name(const struct server *s);
const char *server_label(const struct server *s);
enum server_phase server_phase(const struct server *s);
const char *server_phase_name(enum server_phase phase);
const char *server_trouble(const struct server *s); /* also of a READY one: not reached now */
const char *server_stderr_tail(const struct server *s, const struct call *since); /* NULL: ever */
int64_t server_connect_us(const struct server *s); /* start to handshake done; -1 unknown */
const struct session *server_session(const struct server *s); /* NULL before the first start */
/* The list, whether it is complete, what went wrong with it; its generation rises with it. */
const struct lister *server_offers(const struct server *s, enum offer_kind kind);
const struct lister *server_tools(const struct server *s);
const struct ping *server_last_ping(const struct server *s);
const struct completer *server_completer(const struct server *s);
bool server_is_listing(const struct server *s);           /* any of them */
uint64_t server_lists_generation(const struct server *s); /* of all of them */
const struct journal *server_journal(const struct server *s);
enum verdict_kind server_last_verdict(const struct server *s, const char *tool);
size_t server_call_count(const struct server *s);
const struct call *server_call_at(const struct server *s, size_t index);  /* 0 is the oldest */
const struct call *server_find_call(const struct server *s, uint64_t id); /* NULL: evicted */
size_t server_reading(const struct server *s); /* bytes; 0: nothing that takes long */
size_t server_running(const struct server *s);
int64_t server_busy_since_us(const struct server *s); /* its youngest work; INT64_MIN: none */
size_t server_calls_made(const struct server *s);

#endif

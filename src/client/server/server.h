#ifndef CLIENT_SERVER_SERVER_H
#define CLIENT_SERVER_SERVER_H

#include "base/buf.h"
#include "client/answers.h"
#include "client/notices.h"
#include "client/server.h"
#include "client/tasks.h"
#include "relay.h"

struct verdict_note {
	char *tool;
	uint64_t call;
	enum verdict_kind kind;
};

/* A call that is or was sent again after -32020. */
struct retry {
	uint64_t call;
	bool waits; /* for the list of tools */
	char text[200];
};

struct server_watch {
	char *uri;
	bool updated;
	int64_t updated_us; /* the latest of them */
};

struct server_questions {
	struct question **items;
	size_t len, cap;
	uint64_t last;
	struct strings roots;
	bool roots_allowed; /* the user consented: later requests are answered without asking */
	uint64_t ended;     /* the question that ended last without an answer; 0 if none */
	char *end;          /* its reason */
};

struct server {
	struct server_info info;
	char *name, *label;
	struct server_options options;
	void (*on_send)(void *user, const struct outbound *message);
	void *user;
	bool (*on_wait)(void *user, uint64_t id, char *out, size_t size); /* NULL if unused */
	void *wait_user;
	job_submit_fn *submit; /* NULL: do everything at once */
	void (*on_checked)(void *user);
	void *jobs_user;

	uint64_t generation;
	struct session *session;
	struct lister listers[PRIMITIVE_KINDS];
	struct completer completer;
	struct ping ping;
	struct journal *journal;
	struct buf stderr_tail;
	uint64_t stderr_bytes;  /* received in total */
	struct buf stderr_line; /* an unfinished line */
	bool stderr_cut;        /* its first part was overlong and is in the journal already */
	bool sending;       /* what the user wrote */
	uint64_t sent_call; /* that this made; 0: none */
	const char *end;        /* the reason while the session is being closed */
	char trouble[400];
	int64_t started_us;
	int64_t now_us;

	struct {
		struct call **items;
		size_t len, cap;
	} calls;
	size_t calls_bytes; /* of replies of finished calls */
	struct {
		struct server_task **items;
		size_t len, cap;
	} tasks;
	uint64_t task_list;  /* in-flight tasks/list; 0 if none */
	uint64_t asking_for; /* the call whose task's questions are being handled; 0 if none */
	struct open_apps apps;
	struct logs logs;
	struct {
		struct server_watch *items;
		size_t len, cap;
	} watches;
	struct server_questions questions; /* open ones */
	struct {
		struct retry *items;
		size_t len, cap;
	} retries;
	struct {
		struct {
			struct primitive *items; /* each with a reference to its doc */
			size_t len, cap;
		} got;                                /* by skills/get */
		uint64_t changes, list_seen, request; /* 0: no skills/get is in flight */
		struct lister files;                  /* of the folder */
		char *folder, *asked; /* URIs: of the folder, of the last skills/get; NULL: none */
		struct strings approved;
		uint64_t fresh_from; /* calls before this one may have read something else */
		char trouble[240];
	} skills;
	char *meta; /* a JSON object; NULL: none */
	bool meta_has_trace;
	uint64_t next_call;
	struct {
		struct verdict_note *items;
		size_t len, cap;
	} verdicts;
};

/* The session's callbacks; their user argument is the server. */
extern const struct session_events server_session_events;
void server_on_watched(void *user, uint64_t request, const struct message *m); /* watched.c */

/* primitives.c: the lists */
void server_lists_init(struct server *s);
void server_lists_finish(struct server *s);
void server_lists_start(struct server *s);
bool server_lists_on_reply(struct server *s, uint64_t request, struct session_reply *reply);
void server_lists_on_notification(struct server *s, const char *method);
bool server_ping_on_reply(struct server *s, uint64_t request, struct session_reply *reply);
int64_t server_lists_next_time(const struct server *s); /* ms */
void server_lists_on_time(struct server *s);

void server_note(struct server *s, const char *text); /* into the journal */
/* Notes a server request and its answer in the journal, and in its call if that is known. */
void server_note_request(
    struct server *s, uint64_t call, const struct session_server_request *request);
/* A tool's latest verdict comes from the call that was answered last. */
void server_note_verdict(struct server *s, const struct call *c);
/* Adds the call that a message makes, if it makes one; 0: it makes none. */
uint64_t server_add_sent_call(struct server *s, uint64_t request, const cJSON *message);
/* A reply that is kept as bytes. Big tables get no nodes for their rows, as when it came. */
struct json_doc *server_parse_reply(struct blob *bytes);
/* Checks a result that is CHECKING, at once or in a job. */
void server_check(struct server *s, struct call *c);
void server_let_go(struct call *c); /* frees it now, or when its check has ended */
/* Sets the phase and journals the reason. */
void server_fail(struct server *s, enum server_phase phase, const char *why);

static inline int64_t
server_now_ms(const struct server *s)
{
	return s->now_us / 1000;
}

/* events.c */
struct call *server_mutable_call(struct server *s, uint64_t id); /* NULL: evicted */
/* Ends the call with the reply; takes the parts that reply gives away. */
void server_end_call(struct server *s, struct call *c, struct session_reply *reply);
void server_count_call(struct server *s, struct call *ended); /* drops the oldest over the bounds */
bool server_retry_cancel(struct server *s, struct call *c);

/* tasks.c */
struct server_task *server_tasks_find(struct server *s, const char *id);
struct server_task *server_tasks_add(struct server *s, const char *id, const char *tool);
void server_task_free(struct server_task *t);
/* True: the call became a task, and the reply was consumed. */
bool server_tasks_take_call(struct server *s, struct call *c, struct session_reply *reply);
bool server_tasks_on_reply(struct server *s, uint64_t request, struct session_reply *reply);
void server_tasks_on_notification(struct server *s, const char *method, const cJSON *params);
bool server_task_leave(struct server *s, struct call *c); /* the call stops waiting */
int64_t server_tasks_next_us(const struct server *s);
void server_tasks_on_time(struct server *s);
void server_tasks_on_ready(struct server *s);
void server_tasks_on_closed(struct server *s, const char *how);
void server_tasks_finish(struct server *s);

/* info.c: notices, _meta */
void server_meta_on_start(struct server *s); /* the session is new */
void server_notices_on_ready(struct server *s);
void server_notices_take(struct server *s, const char *method, const cJSON *params);
void server_notices_finish(struct server *s);

/* skills.c */
void server_skills_init(struct server *s);
void server_skills_finish(struct server *s);
bool server_skills_on_reply(struct server *s, uint64_t request, struct session_reply *reply);
void server_skills_on_list(struct server *s);

/* questions.c */
void server_questions_init(struct server *s);
void server_questions_finish(struct server *s);
bool server_on_question(struct server *s, const struct session_question *asked, uint64_t call);
void server_on_question_gone(struct server *s, uint64_t session, const char *why);
void server_on_elicited(struct server *s, const cJSON *params);

/* tasks_ask.c: between the files about tasks */
#define TASKS_MAX 1000
bool tasks_may_ask(const struct server *s); /* a session is open */
void tasks_poll_later(struct server *s, struct server_task *t);
/* Asks for its state, or by tasks/result for its end; does nothing if that is in flight. */
void tasks_ask(struct server *s, struct server_task *t, bool result);

void tasks_describe(struct server *s, struct server_task *t); /* updates the text in its call */
void tasks_take_facts(struct server *s, struct server_task *t, const struct task *told);
/* Takes the parts that reply gives away if it is the end. */
void tasks_take_state(
    struct server *s, struct server_task *t, const struct task *told, struct session_reply *reply);
void tasks_end(struct server *s, struct server_task *t, struct session_reply *reply);
void tasks_give_up(struct server *s, struct server_task *t, struct session_reply *reply);
/* The input it wants was refused. */
void tasks_end_unanswered(struct server *s, struct server_task *t);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef CLIENT_SERVER_SERVER_H
#define CLIENT_SERVER_SERVER_H

#include "apps/events.h"
#include "base/buf.h"
#include "client/question.h"
#include "client/notices.h"
#include "client/server.h"
#include "client/tasks.h"
#include "mcp/events.h"

/* Who made a request that is not ours. */
struct relay_owner {
	/* Once, unless the owner left. May make and cancel others. */
	void (*on_reply)(void *user, uint64_t request, struct session_reply *reply);
	void (*on_progress)(void *user, uint64_t request, const struct session_progress *progress);
	void *user;
};

struct relay {
	uint64_t request;
	struct relay_owner owner;
};

struct relays {
	struct relay *items;
	size_t len, cap;
};

struct app_house;
struct app;
struct open_apps {
	struct app_house *house; /* NULL: no apps run */
	struct app **items;
	size_t len, cap;
	struct relays relays;   /* requests of the apps to the server */
	struct strings allowed; /* domains that they reach */
};

struct verdict_note {
	char *tool;
	uint64_t call;
	enum verdict_kind kind;
};

/* A call that is repeated after -32020. */
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
	bool stderr_cut;        /* its first part was overlong and has been journaled */
	bool sending;           /* a message that the user wrote */
	uint64_t sent_call;     /* the call that this message made; 0: none */
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
	struct server_questions questions; /* info has the open ones */
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
		uint64_t fresh_from; /* calls before this one may have read other contents */
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

/* server.c */
/* Adds a note to the journal: a message of the program, not of the server. */
void server_note(struct server *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Sends a request whose params are one string member. Returns its id; 0: it was not sent. */
uint64_t server_request(
    struct server *s, const char *method, const char *member, const char *value);
bool server_lists_on_reply(struct server *s, uint64_t request, struct session_reply *reply);
/* Of struct session_events; the user is the server. */
void server_on_state(void *user);
void server_on_notification(void *user, const char *method, const cJSON *params);

static inline int64_t
server_now_ms(const struct server *s)
{
	return s->now_us / 1000;
}

/* server_calls.c */
extern const struct session_events server_session_events; /* their user is the server */
static inline struct call *
server_mutable_call(const struct server *s, uint64_t id) /* NULL: evicted */
{
	return (struct call *)server_find_call(s, id);
}
/* Ends the call with the reply, and takes its document. */
void server_end_call(struct server *s, struct call *c, struct session_reply *reply);
/* Journals a server request and its answer, also in its call if that is known. */
void server_note_request(
    struct server *s, uint64_t call, const struct session_server_request *request);
void server_let_go(struct call *c); /* frees it, after its check has ended */

/* app/app_events.c: requests to the server on behalf of an app */
/* Returns the request, whose reply goes to the owner. 0: it was not sent. */
uint64_t server_relay_keep(
    struct server *s, uint64_t request, const struct relay_owner *owner, struct err *err);
bool server_relay_on_reply(struct server *s, uint64_t request, struct session_reply *reply);
void server_relay_on_progress(
    struct server *s, uint64_t request, const struct session_progress *progress);

/* app/app.c */
void server_apps_on_call_end(struct server *s, const struct call *c);
void server_apps_on_list_changed(struct server *s, enum app_list list);
int64_t server_apps_next_time(const struct server *s);
void server_apps_on_time(struct server *s);
void server_apps_finish(struct server *s);

/* tasks.c */
/* True: the call became a task, and the reply was consumed. */
bool server_tasks_take_call(struct server *s, struct call *c, struct session_reply *reply);
bool server_tasks_on_reply(struct server *s, uint64_t request, struct session_reply *reply);
void server_tasks_on_notification(struct server *s, const char *method, const cJSON *params);
int64_t server_tasks_next_us(const struct server *s);
void server_tasks_on_time(struct server *s);
void server_tasks_on_ready(struct server *s);
void server_tasks_on_closed(struct server *s, const char *how);
void server_tasks_finish(struct server *s);

/* skills.c */
void server_skills_finish(struct server *s);
bool server_skills_on_reply(struct server *s, uint64_t request, struct session_reply *reply);
void server_skills_on_list(struct server *s);

/* questions.c */
bool server_on_question(struct server *s, const struct session_question *asked, uint64_t call);
void server_on_question_gone(void *server, uint64_t session, const char *why);
void server_on_elicited(struct server *s, const cJSON *params);

#endif

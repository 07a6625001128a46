#ifndef MODEL_TASKS_H
#define MODEL_TASKS_H

#include "mcp/tasks.h"

/*
 * The tasks of a server: those that calls of ours became, those of earlier runs, and,
 * where a server tells, all others. Each is asked for as often as the server says
 * until it is over; then its result is the call's. Tasks outlive sessions.
 */
struct server_task {
	char *id;
	char *tool;    /* "" when unknown */
	uint64_t call; /* it is the result of; 0: of an earlier run, or not ours */
	enum task_status status;
	char *message;           /* the server's words; NULL: none */
	char *created;           /* as the server says it; NULL: not said */
	int64_t since_us;        /* when we first knew of it */
	int64_t ttl_ms, poll_ms; /* -1: unlimited, not said */
	char *trouble;           /* why it is not asked for any more; NULL: it is, or is over */
	bool cancelling;         /* asked to end */
	/* how it ended, once known */
	bool ended;
	struct json_doc *doc;
	const cJSON *value; /* the result or the error, in doc */
	bool is_error;

	/* between us and the server */
	uint64_t request, cancel, update; /* open requests; 0: none */
	bool asks_result;                 /* request is tasks/result */
	int64_t next_us;                  /* when to ask again; INT64_MAX: not */
	int polls, failures;
	struct {
		char **items; /* keys of inputRequests dealt with */
		size_t len, cap;
	} answered;
};

struct server;

size_t server_task_count(const struct server *s);
const struct server_task *server_task_at(const struct server *s, size_t index); /* newest last */
const struct server_task *server_task_of_call(const struct server *s, uint64_t call);
/* Asks the server to end it. False: over already, or the server cannot. */
bool server_task_cancel(struct server *s, const char *id, int64_t now_us);
/* Asks how it stands, and for the result when it is over. */
bool server_task_refresh(struct server *s, const char *id, int64_t now_us);
bool server_task_forget(struct server *s, const char *id); /* one that is over, or in trouble */
/* tasks/list, 2025-11-25: what else there is. False: the server has no such list. */
bool server_list_tasks(struct server *s, int64_t now_us);

/* Calls of a tool become tasks where that is optional, while on. False: of this one they cannot. */
bool server_prefer_tasks(struct server *s, const cJSON *definition, bool on);

/* What has to be kept for the next run, as one line of JSON; raised changes when it changed. */
void server_tasks_save(const struct server *s, struct buf *out);
uint64_t server_tasks_changes(const struct server *s);
/* Before the first start. What is not understood is left out. */
void server_tasks_load(struct server *s, const cJSON *kept);

#endif

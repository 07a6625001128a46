#ifndef MCP_TASKS_H
#define MCP_TASKS_H

#include "mcp/session.h"

/*
 * Work that outlives its request. 2025-11-25 has it as an experiment the client asks
 * for (basic/utilities/tasks.mdx), 2026-07-28 as the extension
 * io.modelcontextprotocol/tasks, where the server decides (SEP-2663). Both are read
 * alike; what differs is how a result is got.
 */
enum task_status {
	TASK_WORKING,
	TASK_INPUT_REQUIRED,
	TASK_COMPLETED,
	TASK_FAILED,
	TASK_CANCELLED,
	TASK_UNKNOWN, /* a status that is none of these */
};

/* Points into the value it was read from. */
struct task {
	const char *id;
	enum task_status status;
	const char *message;                    /* NULL when absent */
	const char *created;                    /* as the server says it; NULL when absent */
	int64_t ttl_ms, poll_ms;                /* -1: unlimited, not said */
	const cJSON *result, *error, *requests; /* of the extension; NULL when absent */
};

/* A result of tools/call, tasks/get and the like, or the params of a notification. False: it is of
 * no task. */
bool task_decode(struct task *t, const cJSON *value);
const char *task_status_name(enum task_status status); /* "working", "input_required"... */
bool task_is_over(enum task_status status);

enum task_support { TASKS_FORBIDDEN, TASKS_OPTIONAL, TASKS_REQUIRED };
/* What a tool says of being called as a task, as far as this session can ask for one: never in
 * 2026-07-28, where the server decides. */
enum task_support session_task_support(const struct session *s, const cJSON *definition);
/* Ask for a task also where that is optional, from now on. */
void session_prefer_tasks(struct session *s, bool prefer);

/* Asks the session's owner (on_question) what a task asks for, then sends tasks/update. requests:
 * an object as `inputRequests`. Returns the request whose reply on_reply gives; 0: not ready, or
 * nothing that can be asked. */
uint64_t session_answer_task(
    struct session *s, const char *task_id, const cJSON *requests, int64_t now_ms);

#endif

#ifndef MCP_TASKS_H
#define MCP_TASKS_H

#include "mcp/session.h"

/*
 * Work that outlives its request. In 2025-11-25 tasks are experimental, and the client asks for
 * one (basic/utilities/tasks.mdx). In 2026-07-28 they are the extension
 * io.modelcontextprotocol/tasks, and the server decides (SEP-2663). One decoder reads both; only
 * the way to fetch a result differs.
 */
enum task_status {
	TASK_WORKING,
	TASK_INPUT_REQUIRED,
	TASK_COMPLETED,
	TASK_FAILED,
	TASK_CANCELLED,
	TASK_UNKNOWN, /* any other status */
};

/* All pointers are into the decoded value. */
struct task {
	const char *id;
	enum task_status status;
	const char *message;                    /* NULL if absent */
	const char *created;                    /* unparsed; NULL if absent */
	int64_t ttl_ms, poll_ms;                /* -1 if unlimited or absent */
	const cJSON *result, *error, *requests; /* only in the extension; NULL if absent */
};

/* Decodes a result of tools/call, tasks/get and the like, or the params of a notification. False:
 * it has no task id. */
bool task_decode(struct task *t, const cJSON *value);
extern const char *const task_status_names[]; /* "working", "input_required"... */
bool task_is_over(enum task_status status);

enum task_support { TASKS_FORBIDDEN, TASKS_OPTIONAL, TASKS_REQUIRED };
/* The tool's taskSupport if this session can ask for tasks; always TASKS_FORBIDDEN in 2026-07-28,
 * because there the server decides. */
enum task_support session_task_support(const struct session *s, const cJSON *definition);
/* From now on, also ask for a task if that is optional. */
void session_prefer_tasks(struct session *s, bool prefer);

/* Passes the input requests of a task to on_question, then sends tasks/update. requests: an object
 * like `inputRequests`. Returns the request for on_reply; 0: not ready, or nothing can be asked. */
uint64_t session_answer_task(
    struct session *s, const char *task_id, const cJSON *requests, int64_t now_ms);

#endif

#include "mcp/tasks.h"

#include "mcp/era/era.h"
#include "mcp/server_request/server_request.h"

#include <string.h>

const char *const task_status_names[] = {
	[TASK_WORKING] = "working",
	[TASK_INPUT_REQUIRED] = "input_required",
	[TASK_COMPLETED] = "completed",
	[TASK_FAILED] = "failed",
	[TASK_CANCELLED] = "cancelled",
	[TASK_UNKNOWN] = "unknown",
};

static enum task_status
task_status_from_name(const char *name)
{
	for (int i = 0; name && i < TASK_UNKNOWN; i++)
		if (strcmp(task_status_names[i], name) == 0)
			return (enum task_status)i;
	return TASK_UNKNOWN;
}

bool
task_is_over(enum task_status status)
{
	return status == TASK_COMPLETED || status == TASK_FAILED || status == TASK_CANCELLED;
}

/* Reads the extension's name or else the one of 2025-11-25. */
static int64_t
read_ms(const cJSON *task, const char *name, const char *older)
{
	const cJSON *number = json_get(task, name);

	if (!number)
		number = json_get(task, older);
	if (!cJSON_IsNumber(number) || number->valuedouble < 0)
		return -1;
	return number->valuedouble < 1e15 ? (int64_t)number->valuedouble : -1;
}

bool
task_decode(struct task *t, const cJSON *value)
{
	const cJSON *task = json_get(value, "task");

	if (!cJSON_IsObject(task))
		task = value;
	*t = (struct task){
		.id = json_get_string(task, "taskId"),
		.status = task_status_from_name(json_get_string(task, "status")),
		.message = json_get_string(task, "statusMessage"),
		.created = json_get_string(task, "createdAt"),
		.ttl_ms = read_ms(task, "ttlMs", "ttl"),
		.poll_ms = read_ms(task, "pollIntervalMs", "pollInterval"),
		.result = json_get(task, "result"),
		.error = json_get(task, "error"),
		.requests = json_get(task, "inputRequests"),
	};
	return t->id && *t->id;
}

/* A tool's taskSupport counts only if the server declares the capability. */
enum task_support
session_task_support(const struct session *s, const cJSON *definition)
{
	const cJSON *requests =
	    json_get(json_get(s->info.server_capabilities, "tasks"), "requests");
	const char *support = json_get_string(json_get(definition, "execution"), "taskSupport");

	if (s->info.state != SESSION_READY || s->era->modern || !support ||
	    strcmp(s->protocol, "2025-11-25") != 0 ||
	    !json_get(json_get(requests, "tools"), "call"))
		return TASKS_FORBIDDEN;
	if (strcmp(support, "required") == 0)
		return TASKS_REQUIRED;
	return strcmp(support, "optional") == 0 ? TASKS_OPTIONAL : TASKS_FORBIDDEN;
}

void
session_prefer_tasks(struct session *s, bool prefer)
{
	s->internal.prefer_tasks = prefer;
}

uint64_t
session_answer_task(struct session *s, const char *task_id, const cJSON *requests, int64_t now_ms)
{
	struct buf text = BUF_INIT;
	struct json_writer w;

	s->now_ms = now_ms;
	if (s->info.state != SESSION_READY || !json_first(requests))
		return 0;
	json_write_init(&w, &text);
	json_write_object(&w);
	json_write_member_value(&w, "inputRequests", requests);
	json_write_object_end(&w);
	return input_required_for_task(s, task_id, blob_take_buf(&text));
}

#include "slow_priv.h"

#include <stdio.h>
#include <string.h>

/* `slow` in the background, by the extension io.modelcontextprotocol/tasks: how a task stands
 * follows from the time alone. */

#define TTL_MS 600000
#define POLL_MS 250

bool
demo_task_wanted(const struct demo_call *call)
{
	const cJSON *meta = json_get(call->params, "_meta");
	const cJSON *can = json_get(meta, "io.modelcontextprotocol/clientCapabilities");

	return call->modern &&
	       json_get(json_get(can, "extensions"), "io.modelcontextprotocol/tasks");
}

static void
write_task(struct json_writer *w, const struct demo_task *t, const char *status)
{
	json_write_member_string(w, "taskId", t->id);
	json_write_member_string(w, "status", status);
	json_write_member_string(w, "createdAt", "2026-07-28T00:00:00Z");
	json_write_member_string(w, "lastUpdatedAt", "2026-07-28T00:00:00Z");
	json_write_member_int(w, "ttlMs", TTL_MS);
	json_write_member_int(w, "pollIntervalMs", POLL_MS);
}

void
demo_task_begin(struct demo_call *call, int64_t total_ms, size_t steps)
{
	struct demo *d = call->demo;

	if (d->task_count == DEMO_TASKS_MAX) {
		demo_fail(call, "%d tasks were begun already.", DEMO_TASKS_MAX);
		return;
	}
	struct demo_task *t = &d->tasks[d->task_count++];
	*t = (struct demo_task){ .start_ms = call->now_ms, .total_ms = total_ms, .steps = steps };
	snprintf(t->id, sizeof(t->id), "bread-%zu", d->task_count);
	demo_result(call);
	write_task(&call->w, t, "working");
	demo_end_as(call, "task");
}

static struct demo_task *
find(struct demo_call *call)
{
	const char *id = json_get_string(call->params, "taskId");

	for (size_t i = 0; id && i < call->demo->task_count; i++)
		if (strcmp(call->demo->tasks[i].id, id) == 0)
			return &call->demo->tasks[i];
	demo_error(call, -32602, NULL, "there is no such task");
	return NULL;
}

static void
write_result(struct demo_call *call, const struct demo_task *t)
{
	struct json_writer *w = &call->w;

	json_write_key(w, "result");
	json_write_object(w);
	demo_text(call, "Done: %zu steps", t->steps);
	json_write_key(w, "structuredContent");
	json_write_object(w);
	json_write_member_int(w, "steps", (int64_t)t->steps);
	json_write_member_int(w, "milliseconds", t->total_ms);
	json_write_object_end(w);
	json_write_object_end(w);
}

void
demo_get_task(struct demo_call *call)
{
	const struct demo_task *t = find(call);
	char text[60];

	if (!t)
		return;
	int64_t passed = call->now_ms - t->start_ms;
	bool is_done = passed >= t->total_ms;
	demo_result(call);
	write_task(&call->w, t, t->cancelled ? "cancelled" : is_done ? "completed" : "working");
	if (!t->cancelled && is_done) {
		write_result(call, t);
	} else if (!t->cancelled) {
		snprintf(
		    text, sizeof(text), "%lld %% baked", (long long)(passed * 100 / t->total_ms));
		json_write_member_string(&call->w, "statusMessage", text);
	}
	demo_end(call);
}

void
demo_cancel_task(struct demo_call *call)
{
	struct demo_task *t = find(call);

	if (!t)
		return;
	t->cancelled = t->cancelled || call->now_ms - t->start_ms < t->total_ms;
	demo_result(call);
	demo_end(call);
}

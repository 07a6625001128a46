#include "state.h"

#include "base/mem.h"
#include "base/vec.h"
#include "json/print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Log messages of `slow`: legacy clients choose one level for all calls, modern ones a level for
 * each call; without one there are none. */

static const char *const levels[DEMO_LOG_LEVELS] = { "debug", "info", "notice", "warning", "error",
	"critical", "alert", "emergency" };

static int
find_level(const char *name)
{
	for (int i = 0; name && i < DEMO_LOG_LEVELS; i++)
		if (strcmp(levels[i], name) == 0)
			return i;
	return DEMO_LOG_LEVELS;
}

static int
log_level(const struct demo_call *call)
{
	const cJSON *meta = json_get(call->params, "_meta");

	if (!call->modern)
		return call->demo->log_level;
	return find_level(json_get_string(meta, "io.modelcontextprotocol/logLevel"));
}

void
demo_set_level(struct demo_call *call)
{
	int level = find_level(json_get_string(call->params, "level"));

	if (level == DEMO_LOG_LEVELS) {
		demo_error(call, ERROR_INVALID_PARAMS, NULL, "there is no such level");
		return;
	}
	call->demo->log_level = level;
	demo_result(call);
	demo_end(call);
}

static void
say(struct demo *d, int level, const struct demo_run *run, const char *text)
{
	struct json_writer w;

	demo_notice(&w, d, "notifications/message");
	json_write_member_string(&w, "level", levels[level]);
	json_write_member_string(&w, "logger", "bakery");
	json_write_member_object(&w, "data");
	json_write_member_string(&w, "doing", text);
	json_write_member_int(&w, "step", (int64_t)run->done);
	json_write_member_int(&w, "of", (int64_t)run->steps);
	json_write_object_end(&w);
	demo_notice_end(&w);
}

static void
progress(struct demo *d, const struct demo_run *run, const char *doing)
{
	struct json_writer w;

	demo_notice(&w, d, "notifications/progress");
	json_write_member_json(&w, "progressToken", run->token);
	json_write_member_int(&w, "progress", (int64_t)run->done);
	json_write_member_int(&w, "total", (int64_t)run->steps);
	json_write_member_string(&w, "message", doing);
	demo_notice_end(&w);
}

static void
log_step(struct demo *d, const struct demo_run *run, const char *doing)
{
	static const struct {
		int level;
		size_t sixth; /* of the way */
		const char *text;
	} events[] = {
		{ 3, 2, "the dough is sticky" },
		{ 0, 3, "temperature 24.5 C" },
		{ 4, 5, "the oven is not hot yet" },
		{ 2, 6, "ready" },
	};

	if (run->log_level <= 1)
		say(d, 1, run, doing);
	for (size_t i = 0; i < ARRAY_LEN(events); i++) {
		size_t at = (run->steps * events[i].sixth + 5) / 6;
		if (run->done == at && run->log_level <= events[i].level)
			say(d, events[i].level, run, events[i].text);
	}
}

/* `slow` in the background, by the extension io.modelcontextprotocol/tasks: the state of a task
 * follows from the time alone. */

#define TTL_MS 600000
#define POLL_MS 250

static bool
task_wanted(const struct demo_call *call)
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

static void
task_begin(struct demo_call *call, int64_t total_ms, size_t steps)
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
	demo_error(call, ERROR_INVALID_PARAMS, NULL, "there is no such task");
	return NULL;
}

static void
write_result(struct demo_call *call, size_t steps, int64_t total_ms)
{
	demo_text(call, "Done: %zu steps", steps);
	json_write_member_object(&call->w, "structuredContent");
	json_write_member_int(&call->w, "steps", (int64_t)steps);
	json_write_member_int(&call->w, "milliseconds", total_ms);
	json_write_object_end(&call->w);
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
		json_write_member_object(&call->w, "result");
		write_result(call, t->steps, t->total_ms);
		json_write_object_end(&call->w);
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

static const char *const chores[] = { "reading the recipe", "weighing the flour", "kneading",
	"letting it rise", "heating the oven", "baking" };

#define CHORE_COUNT ARRAY_LEN(chores)
#define SECONDS_MAX 3600
#define STEPS_MAX 1000

static char *
progress_token(const struct demo_call *call)
{
	const cJSON *token = json_get(json_get(call->params, "_meta"), "progressToken");
	struct buf text = BUF_INIT;

	if (!token)
		return NULL;
	json_print(&text, token);
	return buf_detach(&text);
}

static bool
read_seconds(struct demo_call *call, double *seconds)
{
	const cJSON *given = json_get(call->arguments, "seconds");

	if (!given)
		return true;
	*seconds = given->valuedouble;
	if (cJSON_IsNumber(given) && *seconds >= 0 && *seconds <= SECONDS_MAX)
		return true;
	demo_fail(call, "seconds must be a number from 0 to %d.", SECONDS_MAX);
	return false;
}

static void
slow(struct demo_call *call)
{
	struct demo *d = call->demo;
	double seconds = 5;
	size_t steps = 10;
	bool background = false;

	if (!read_seconds(call, &seconds) || !demo_arg_size(call, "steps", 1, STEPS_MAX, &steps))
		return;
	if (!demo_arg_bool(call, "background", &background))
		return;
	if (background && task_wanted(call)) {
		task_begin(call, (int64_t)(seconds * 1000), steps);
		return;
	}
	if (d->run_count == DEMO_RUNS_MAX) {
		demo_fail(call, "%d calls run already; wait for one to end.", DEMO_RUNS_MAX);
		return;
	}
	d->runs[d->run_count++] = (struct demo_run){
		.id = mem_strdup(call->id),
		.token = progress_token(call),
		.modern = call->modern,
		.start_ms = call->now_ms,
		.total_ms = (int64_t)(seconds * 1000),
		.steps = steps,
		.log_level = log_level(call),
	};
}

static int64_t
next_step_time(const struct demo_run *run)
{
	return run->start_ms + run->total_ms * (int64_t)(run->done + 1) / (int64_t)run->steps;
}

static void
remove_run(struct demo *d, size_t i)
{
	free(d->runs[i].id);
	free(d->runs[i].token);
	d->run_count--;
	memmove(&d->runs[i], &d->runs[i + 1], (d->run_count - i) * sizeof(*d->runs));
}

static void
answer(struct demo *d, const struct demo_run *run)
{
	struct demo_call call = { .demo = d, .id = run->id, .modern = run->modern };

	demo_result(&call);
	write_result(&call, run->steps, run->total_ms);
	demo_end(&call);
}

/* At most one step of one call; false when none is due. */
bool
demo_runs_step(struct demo *d, int64_t now_ms)
{
	for (size_t i = 0; i < d->run_count; i++) {
		struct demo_run *run = &d->runs[i];
		if (now_ms < next_step_time(run))
			continue;
		const char *chore = chores[run->done * CHORE_COUNT / run->steps];
		run->done++;
		if (run->token)
			progress(d, run, chore);
		log_step(d, run, chore);
		if (run->done == run->steps) {
			answer(d, run);
			remove_run(d, i);
		}
		return true;
	}
	return false;
}

int64_t
demo_runs_next_time(const struct demo *d)
{
	int64_t next = INT64_MAX;

	for (size_t i = 0; i < d->run_count; i++) {
		int64_t time = next_step_time(&d->runs[i]);
		next = time < next ? time : next;
	}
	return next;
}

/* A cancelled call gets no answer. */
void
demo_runs_cancel(struct demo *d, const char *id)
{
	for (size_t i = 0; i < d->run_count; i++)
		if (strcmp(d->runs[i].id, id) == 0) {
			remove_run(d, i);
			return;
		}
}

void
demo_runs_finish(struct demo *d)
{
	while (d->run_count > 0)
		remove_run(d, d->run_count - 1);
}

static const char slow_input[] = JSON_TEXT({"type":"object","properties":{
	"seconds":{"type":"number","minimum":0,"maximum":3600,"default":5},
	"steps":{"type":"integer","minimum":1,"maximum":1000,"default":10,
		"description":"How often progress is reported"},
	"background":{"type":"boolean","default":false,
		"description":"As a task, where client and protocol have them"}}});

static const char slow_output[] = JSON_TEXT({"type":"object","properties":{
	"steps":{"type":"integer"},
	"milliseconds":{"type":"integer"}},
	"required":["steps","milliseconds"]});

const struct demo_tool demo_tool_slow = {
	.name = "slow",
	.title = "A slow tool",
	.description =
	    "Takes its time and reports progress, with a message at each step. Watch the "
	    "call, cancel it, or start a second one meanwhile.",
	.annotations = DEMO_READ_ONLY,
	.input_schema = slow_input,
	.output_schema = slow_output,
	.run = slow,
};

#include "slow_priv.h"

#include "base/mem.h"
#include "json/print.h"

#include <stdlib.h>
#include <string.h>

static const char *const chores[] = { "reading the recipe", "weighing the flour", "kneading",
	"letting it rise", "heating the oven", "baking" };

#define CHORE_COUNT (sizeof(chores) / sizeof(*chores))
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
	if (json_type(given) == JSON_NUMBER && *seconds >= 0 && *seconds <= SECONDS_MAX)
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
	if (background && demo_task_wanted(call)) {
		demo_task_begin(call, (int64_t)(seconds * 1000), steps);
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
		.log_level = demo_log_level(call),
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
	struct buf data = BUF_INIT;

	buf_addf(
	    &data, "{\"steps\":%zu,\"milliseconds\":%lld}", run->steps, (long long)run->total_ms);
	demo_result(&call);
	demo_text(&call, "Done: %zu steps", run->steps);
	demo_structured(&call, buf_text(&data));
	demo_end(&call);
	buf_finish(&data);
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
			demo_progress(d, run, chore);
		demo_log_step(d, run, chore);
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

/* A cancelled call is not answered any more. */
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

/* SPDX-License-Identifier: MIT */
#include "tool.h"

#include "base/mem.h"
#include "base/vec.h"
#include "json/print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tools whose calls take more than one step: slow, rows, and those that ask the client. */

#define META "io.modelcontextprotocol/"

/* Log messages of `slow`: legacy clients set one level for all calls, modern clients a level for
 * each call. Without a level no message is sent. */

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
slow_say(struct demo *d, int level, const struct demo_run *run, const char *text)
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
		slow_say(d, 1, run, doing);
	for (size_t i = 0; i < ARRAY_LEN(events); i++) {
		size_t at = (run->steps * events[i].sixth + 5) / 6;
		if (run->done == at && run->log_level <= events[i].level)
			slow_say(d, events[i].level, run, events[i].text);
	}
}

/* `slow` as a task (extension io.modelcontextprotocol/tasks): its state depends on the time alone.
 */

#define TTL_MS 600000
#define POLL_MS 250

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
slow_find(struct demo_call *call)
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
	const struct demo_task *t = slow_find(call);
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
	struct demo_task *t = slow_find(call);

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

static void
slow(struct demo_call *call)
{
	struct demo *d = call->demo;
	const cJSON *given = json_get(call->arguments, "seconds");
	const cJSON *meta = json_get(call->params, "_meta");
	const cJSON *extensions = json_get(json_get(meta, META "clientCapabilities"), "extensions");
	const cJSON *token = json_get(meta, "progressToken");
	double seconds = given ? given->valuedouble : 5;
	size_t steps = 10;
	bool background = false;

	if (given && (!cJSON_IsNumber(given) || !(seconds >= 0) || seconds > SECONDS_MAX)) {
		demo_fail(call, "seconds must be a number from 0 to %d.", SECONDS_MAX);
		return;
	}
	if (!demo_arg_size(call, "steps", 1, STEPS_MAX, &steps) ||
	    !demo_arg_bool(call, "background", &background))
		return;
	if (background && call->modern && json_get(extensions, META "tasks")) {
		task_begin(call, (int64_t)(seconds * 1000), steps);
		return;
	}
	if (d->run_count == DEMO_RUNS_MAX) {
		demo_fail(call, "%d calls run already; wait for one to end.", DEMO_RUNS_MAX);
		return;
	}
	d->runs[d->run_count++] = (struct demo_run){
		.id = mem_strdup(call->id),
		.token = json_text(token),
		.modern = call->modern,
		.start_ms = call->now_ms,
		.total_ms = (int64_t)(seconds * 1000),
		.steps = steps,
		.log_level = !call->modern ? d->log_level
					   : find_level(json_get_string(meta, META "logLevel")),
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

/* At most one step of one call; false if none is due. */
static bool
step_run(struct demo *d, int64_t now_ms)
{
	for (size_t i = 0; i < d->run_count; i++) {
		struct demo_run *run = &d->runs[i];
		if (now_ms < next_step_time(run))
			continue;
		const char *chore = chores[run->done * CHORE_COUNT / run->steps];
		run->done++;
		if (run->token) {
			struct json_writer w;
			demo_notice(&w, d, "notifications/progress");
			json_write_member_json(&w, "progressToken", run->token);
			json_write_member_int(&w, "progress", (int64_t)run->done);
			json_write_member_int(&w, "total", (int64_t)run->steps);
			json_write_member_string(&w, "message", chore);
			demo_notice_end(&w);
		}
		log_step(d, run, chore);
		if (run->done == run->steps) {
			struct demo_call call = { .demo = d, .id = run->id, .modern = run->modern };
			demo_result(&call);
			write_result(&call, run->steps, run->total_ms);
			demo_end(&call);
			remove_run(d, i);
		}
		return true;
	}
	return false;
}

int64_t
demo_next_time(const struct demo *d)
{
	int64_t next = INT64_MAX;

	for (size_t i = 0; i < d->run_count; i++) {
		int64_t time = next_step_time(&d->runs[i]);
		next = time < next ? time : next;
	}
	return next;
}

#define CHUNK_BYTES ((size_t)64 * 1024) /* written in one step */
#define ROWS_MAX 1000000

static const char *const cities[] = { "Lisbon", "Berlin", "Osaka", "Lima", "Nairobi", "Oslo",
	"Quito", "Perth", "Seoul", "Tunis", "Turin", "Zagreb" };
static const char *const winds[] = { "north", "north-east", "east", "south-east", "south",
	"south-west", "west", "north-west" };

static void
write_wide_part(struct json_writer *w, size_t index, uint32_t chance)
{
	char text[64];

	snprintf(text, sizeof(text), "2026-%02u-%02uT%02u:%02u:00Z", chance % 12 + 1,
	    chance % 28 + 1, chance % 24, chance % 60);
	json_write_member_string(w, "measured", text);
	snprintf(text, sizeof(text), "ST-%06zu", index * 7 % ROWS_MAX);
	json_write_member_object(w, "station");
	json_write_member_string(w, "code", text);
	json_write_member_int(w, "height", chance % 2500);
	json_write_object_end(w);
	json_write_member_int(w, "humidity", chance % 101);
	json_write_member_int(w, "pressure", 960 + chance % 90);
	json_write_member_string(w, "wind", winds[chance % 8]);
	json_write_member_string(w, "note",
	    "Taken by hand at the old tower because the sensor was out of order for most of that "
	    "day again");
}

static void
write_row(struct json_writer *w, size_t index, bool wide)
{
	/* pseudo-random, but the same in every run */
	uint32_t chance = (uint32_t)(index + 1) * 0x9E3779B1u;
	chance = (chance ^ chance >> 15) * 0x85EBCA77u;
	chance ^= chance >> 13;
	unsigned tenths = chance >> 8 & 511;
	char temp[16];
	size_t len = 0;

	if (tenths > 400)
		temp[len++] = '-';
	tenths = tenths > 400 ? tenths - 400 : tenths;
	if (tenths >= 100)
		temp[len++] = (char)('0' + tenths / 100);
	temp[len++] = (char)('0' + tenths / 10 % 10);
	temp[len++] = '.';
	temp[len++] = (char)('0' + tenths % 10);
	json_write_object(w);
	json_write_member_int(w, "id", (int64_t)index + 1);
	json_write_member_string(w, "city", cities[chance % (ARRAY_LEN(cities))]);
	json_write_key(w, "temp");
	json_write_raw(w, temp, len);
	json_write_member_bool(w, "ok", chance % 17 != 0);
	if (wide)
		write_wide_part(w, index, chance);
	json_write_object_end(w);
}

static void
rows(struct demo_call *call)
{
	struct demo_stream *s = &call->demo->stream;
	size_t count = 1000;
	bool wide = false;

	if (!demo_arg_size(call, "count", 0, ROWS_MAX, &count) ||
	    !demo_arg_bool(call, "wide", &wide))
		return;
	demo_result(call);
	demo_text(call, "%zu measurements", count);
	json_write_member_object(&call->w, "structuredContent");
	json_write_member_int(&call->w, "count", (int64_t)count);
	json_write_member_array(&call->w, "rows");
	*s = (struct demo_stream){ .call = *call, .count = count, .wide = wide, .active = true };
}

/* Tools that ask the user first: by input_required since 2026-07-28, before that by a request to
 * the client. */

static const char ask_key[] = "answer";

/* The members of the request that the tool sends. */
static void
add_question(struct json_writer *w, const struct demo_call *call)
{
	for (const cJSON *m = json_first(demo_extra(call, "asks")); m; m = m->next)
		json_write_member_value(w, m->string, m);
}

static void
ask_legacy(struct demo_call *call)
{
	struct demo *d = call->demo;
	struct json_writer w;

	if (d->asked.len == DEMO_RUNS_MAX) {
		demo_fail(call, "Too many questions wait already.");
		return;
	}
	struct demo_asked *asked = VEC_PUSH(&d->asked);
	*asked = (struct demo_asked){ .id = mem_strdup(call->id), .number = ++d->asked.last };
	demo_message(&w, d);
	json_write_member_int(&w, "id", asked->number);
	add_question(&w, call);
	json_write_object_end(&w);
	buf_add_char(&d->out->bytes, '\n');
}

static void
ask_tell(struct demo_call *call, const cJSON *answer)
{
	char *text = json_text(answer);

	demo_result(call);
	demo_text(call, "The client answered: %s", text);
	demo_structured(call, text);
	demo_end(call);
	free(text);
}

static void
ask_user(struct demo_call *call)
{
	const cJSON *answer = json_get(json_get(call->params, "inputResponses"), ask_key);

	if (!call->modern) {
		ask_legacy(call);
		return;
	}
	if (answer) {
		ask_tell(call, answer);
		return;
	}
	demo_result(call);
	json_write_member_object(&call->w, "inputRequests");
	json_write_member_object(&call->w, ask_key);
	add_question(&call->w, call);
	json_write_object_end(&call->w);
	json_write_object_end(&call->w);
	json_write_member_string(&call->w, "requestState", "asked \xe2\x9c\x93");
	demo_end_as(call, "input_required");
}

static void
remove_asked(struct demo *d, size_t index)
{
	free(d->asked.items[index].id);
	VEC_REMOVE(&d->asked, index);
}

void
demo_on_client_answer(struct demo *d, const struct message *m, int64_t now_ms)
{
	for (size_t i = 0; i < d->asked.len; i++) {
		if (!cJSON_IsNumber(m->id) ||
		    m->id->valuedouble != (double)d->asked.items[i].number)
			continue;
		struct demo_call call = { .demo = d, .id = d->asked.items[i].id, .now_ms = now_ms };
		if (m->kind == MESSAGE_ERROR)
			demo_fail(&call, "The client refused: %.300s",
			    json_get_string(m->error, "message")
				? json_get_string(m->error, "message")
				: "without a word");
		else
			ask_tell(&call, m->result);
		remove_asked(d, i);
		return;
	}
}

bool
demo_calls_step(struct demo *d, int64_t now_ms)
{
	struct demo_stream *s = &d->stream;
	struct json_writer *w = &s->call.w;
	size_t start = d->out->bytes.len;

	if (!s->active)
		return step_run(d, now_ms);
	while (s->next < s->count && d->out->bytes.len - start < CHUNK_BYTES)
		write_row(w, s->next++, s->wide);
	if (s->next == s->count) {
		json_write_array_end(w);
		json_write_object_end(w);
		demo_end(&s->call);
		s->active = false;
	}
	return true;
}

void
demo_calls_cancel(struct demo *d, const char *id)
{
	for (size_t i = d->run_count; i-- > 0;)
		if (strcmp(d->runs[i].id, id) == 0)
			remove_run(d, i);
	for (size_t i = d->asked.len; i-- > 0;)
		if (strcmp(d->asked.items[i].id, id) == 0)
			remove_asked(d, i);
	if (d->listen_id && strcmp(d->listen_id, id) == 0) {
		free(d->listen_id);
		d->listen_id = NULL;
		d->subscribed = false;
	}
}

/* The client is asked even if it did not declare elicitation. */

static void
ask_ask(struct demo_call *call)
{
	const cJSON *answer = json_get(json_get(call->params, "inputResponses"), "color");
	const char *action = json_get_string(answer, "action");
	const char *color = json_get_string(json_get(answer, "content"), "color");

	if (answer) {
		demo_result(call);
		demo_text(call, "You answered: %s", color ? color : action ? action : "nothing");
		demo_end(call);
		return;
	}
	if (!call->modern) {
		demo_fail(call, "This tool asks with input_required, which came with 2026-07-28.");
		return;
	}
	demo_result(call);
	json_write_member_value(&call->w, "inputRequests", demo_extra(call, "asks"));
	demo_end_as(call, "input_required");
}

const struct demo_handler demo_long_calls[] = {
	{ "slow", slow },
	{ "rows", rows },
	{ "ask_user", ask_user },
	{ "ask", ask_ask },
	{ NULL, NULL },
};

/* SPDX-License-Identifier: MIT */
#include "server.h"

#include "base/mem.h"
#include "base/vec.h"
#include "json/write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the list of tasks ---- */

#define TASKS_MAX 1000
#define KEPT_MAX 200 /* tasks kept between runs */

static struct server_task *
find_task(struct server *s, const char *id)
{
	for (size_t i = 0; id && i < s->tasks.len; i++)
		if (strcmp(s->tasks.items[i]->id, id) == 0)
			return s->tasks.items[i];
	return NULL;
}

const struct server_task *
server_task_at(const struct server *s, size_t index)
{
	return index < s->tasks.len ? s->tasks.items[index] : NULL;
}

static void
free_task(struct server_task *t)
{
	strings_finish(&t->answered);
	json_doc_destroy(t->doc);
	free(t->id);
	free(t->tool);
	free(t->message);
	free(t->created);
	free(t->trouble);
	free(t);
}

static struct server_task *
add_task(struct server *s, const char *id, const char *tool)
{
	struct server_task *t = mem_zalloc(sizeof(*t));

	/* Makes room by dropping the oldest that is over. */
	for (size_t i = 0; s->tasks.len >= TASKS_MAX && i < s->tasks.len; i++) {
		if (!task_is_over(s->tasks.items[i]->status))
			continue;
		free_task(s->tasks.items[i]);
		VEC_REMOVE(&s->tasks, i--);
		s->info.tasks--;
	}
	t->id = mem_strdup(id);
	t->tool = mem_strdup(tool ? tool : "");
	t->since_us = s->now_us;
	t->ttl_ms = t->poll_ms = -1;
	t->next_us = INT64_MAX;
	*VEC_PUSH(&s->tasks) = t;
	s->info.tasks++;
	t->number = ++s->info.task_changes;
	return t;
}

const char *
server_task_state(const struct server_task *t)
{
	if (t->trouble)
		return "lost";
	return t->cancelling && !task_is_over(t->status) ? "cancelling"
							 : task_status_names[t->status];
}

bool
server_task_forget(struct server *s, const char *id)
{
	for (size_t i = 0; i < s->tasks.len; i++) {
		struct server_task *t = s->tasks.items[i];
		if (strcmp(t->id, id) != 0)
			continue;
		if (t->request || t->cancel || t->update ||
		    !(task_is_over(t->status) || t->trouble))
			return false;
		free_task(t);
		VEC_REMOVE(&s->tasks, i);
		s->info.tasks--;
		s->info.task_changes++;
		s->generation++;
		return true;
	}
	return false;
}

bool
server_prefer_tasks(struct server *s, const cJSON *definition, bool on)
{
	if (!s->session || session_task_support(s->session, definition) == TASKS_FORBIDDEN)
		return false;
	session_prefer_tasks(s->session, on);
	return true;
}

void
server_tasks_save(const struct server *s, struct buf *out)
{
	struct json_writer w;

	json_write_init(&w, out);
	json_write_array(&w);
	for (size_t i = s->tasks.len > KEPT_MAX ? s->tasks.len - KEPT_MAX : 0; i < s->tasks.len;
	     i++) {
		const struct server_task *t = s->tasks.items[i];
		json_write_object(&w);
		json_write_member_string(&w, "taskId", t->id);
		json_write_member_string(&w, "tool", t->tool);
		json_write_member_string(&w, "status", task_status_names[t->status]);
		if (t->created)
			json_write_member_string(&w, "createdAt", t->created);
		if (t->ttl_ms >= 0)
			json_write_member_int(&w, "ttlMs", t->ttl_ms);
		json_write_object_end(&w);
	}
	json_write_array_end(&w);
}

void
server_tasks_load(struct server *s, const cJSON *kept)
{
	size_t skip = json_count(kept) > KEPT_MAX ? json_count(kept) - KEPT_MAX : 0;

	for (const cJSON *item = json_first(kept); item; item = item->next) {
		struct task state;
		if (skip >
		    0) { /* another program wrote the file: each entry is searched for below */
			skip--;
			continue;
		}
		if (!task_decode(&state, item) || find_task(s, state.id))
			continue;
		struct server_task *t = add_task(s, state.id, json_get_string(item, "tool"));
		t->status = state.status;
		t->ttl_ms = state.ttl_ms;
		t->created = mem_strdup(state.created);
	}
	s->info.task_changes = 0;
}

/* ---- requests about tasks ---- */

/* The poll interval if the server gives none, and its bounds. */
#define POLL_MS 1000
#define POLL_LEAST_MS 50
#define POLL_MOST_MS (60 * 60 * 1000)
#define FAILURES_MAX 5

static bool
may_ask(const struct server *s)
{
	return s->session && session_info(s->session)->state == SESSION_READY;
}

static void
poll_later(struct server *s, struct server_task *t)
{
	int64_t ms = t->poll_ms >= 0 ? t->poll_ms : POLL_MS;

	ms = ms < POLL_LEAST_MS ? POLL_LEAST_MS : ms > POLL_MOST_MS ? POLL_MOST_MS : ms;
	t->next_us = s->now_us + (ms << t->failures) * 1000;
}

static void
ask_about(struct server *s, struct server_task *t, bool result)
{
	if (t->request || !may_ask(s))
		return;
	t->next_us = INT64_MAX;
	t->asks_result = result;
	t->request = server_request(s, result ? "tasks/result" : "tasks/get", "taskId", t->id);
}

/* ---- changes of a task, and their effect on its call ---- */

static struct call *
call_of(struct server *s, const struct server_task *t)
{
	struct call *c = t->call ? server_mutable_call(s, t->call) : NULL;

	return c && c->state == CALL_RUNNING ? c : NULL;
}

static void
describe(struct server *s, struct server_task *t)
{
	struct call *c = call_of(s, t);

	if (!c)
		return;
	free(c->task);
	bool is_long = strlen(t->id) > 12;
	c->task = mem_printf("task %.*s%s · %s%s%s%s", is_long ? 8 : 12, t->id, is_long ? "…" : "",
	    task_status_names[t->status], t->cancelling ? ", asked to end" : "",
	    t->message ? " · " : "", t->message ? t->message : "");
}

bool
server_task_cancel(struct server *s, const char *id, int64_t now_us)
{
	struct server_task *t = find_task(s, id);

	s->now_us = now_us;
	if (!t || t->cancelling || task_is_over(t->status) || !may_ask(s))
		return false;
	if (!session_info(s->session)->modern &&
	    !json_get(json_get(session_info(s->session)->server_capabilities, "tasks"), "cancel"))
		return false;
	t->cancel = server_request(s, "tasks/cancel", "taskId", t->id);
	t->cancelling = t->cancel != 0;
	s->generation++;
	describe(s, t);
	return t->cancelling;
}

/* A waiting call gets the result like any reply; otherwise the pane shows it. */
static void
end_task(struct server *s, struct server_task *t, struct session_reply *reply)
{
	struct call *c = call_of(s, t);

	t->ended = true;
	t->next_us = INT64_MAX;
	t->is_error = reply->kind != REPLY_RESULT;
	s->info.task_changes++;
	session_watch(s->session, WATCH_TASK, t->id, false, server_now_ms(s));
	describe(s, t);
	if (c) {
		server_end_call(s, c, reply);
		return;
	}
	json_doc_destroy(t->doc);
	t->doc = reply->doc;
	t->value = reply->value;
	reply->doc = NULL;
}

/* A task never ends without the requested input. */
static void
end_unanswered(struct server *s, struct server_task *t)
{
	struct call *c = call_of(s, t);
	struct session_reply reply = { .kind = REPLY_INPUT_REQUIRED,
		.text =
		    "the requested input was refused; the server was asked to cancel the task" };

	server_task_cancel(s, t->id, s->now_us);
	if (c)
		server_end_call(s, c, &reply);
}

/* Each request of a task is asked once, no matter how often the server repeats it (SEP-2663). */
static void
take_requests(struct server *s, struct server_task *t, const cJSON *requests)
{
	struct buf text = BUF_INIT;
	struct json_writer w;

	if (t->update || !json_first(requests))
		return;
	json_write_init(&w, &text);
	json_write_object(&w);
	for (const cJSON *r = json_first(requests); r; r = r->next) {
		if (!r->string || strings_have(&t->answered, r->string))
			continue;
		strings_add(&t->answered, r->string);
		json_write_member_value(&w, r->string, r);
	}
	json_write_object_end(&w);
	struct json_doc *doc = json_parse(buf_text(&text), text.len, NULL, NULL);
	bool is_new = doc && json_first(json_root(doc));
	s->asking_for = t->call;
	if (is_new)
		t->update =
		    session_answer_task(s->session, t->id, json_root(doc), server_now_ms(s));
	s->asking_for = 0;
	json_doc_destroy(doc);
	buf_finish(&text);
	if (is_new && !t->update)
		end_unanswered(s, t);
}

static void
take_facts(struct server *s, struct server_task *t, const struct task *state)
{
	s->info.task_changes += t->status != state->status;
	t->status = state->status;
	t->ttl_ms = state->ttl_ms;
	t->poll_ms = state->poll_ms;
	free(t->message);
	t->message = mem_strdup(state->message);
	if (state->created) {
		free(t->created);
		t->created = mem_strdup(state->created);
	}
	describe(s, t);
}

/* Apply a state from tasks/get, a notification or the creation. A final state consumes the parts of
 * the reply. */
static void
take_state(
    struct server *s, struct server_task *t, const struct task *state, struct session_reply *reply)
{
	if (t->ended)
		return;
	take_facts(s, t, state);
	t->failures = 0;
	if (session_info(s->session)->modern) {
		if (task_is_over(state->status)) {
			/* Turns an ended task of the extension into a reply; takes the doc. */
			const char *text = json_get_string(state->error, "message");
			const cJSON *code = json_get(state->error, "code");
			if (state->status == TASK_CANCELLED) {
				reply->kind = REPLY_CANCELLED;
				text = state->message ? state->message
						      : "the server cancelled the task";
				reply->value = NULL;
			} else if (state->status == TASK_FAILED) {
				reply->kind = REPLY_ERROR;
				reply->value = state->error;
				text = text ? text : "the task failed";
				reply->code = cJSON_IsNumber(code) && code->valuedouble > -1e9 &&
						      code->valuedouble < 1e9
						  ? (int64_t)code->valuedouble
						  : 0;
			} else {
				reply->kind = state->result ? REPLY_RESULT : REPLY_INVALID;
				reply->value = state->result;
				text = "the task completed without a result";
			}
			snprintf(reply->text, sizeof(reply->text), "%s",
			    reply->kind == REPLY_RESULT ? "" : text);
			end_task(s, t, reply);
			return;
		}
		take_requests(s, t, state->requests);
	} else if (task_is_over(state->status) || state->status == TASK_INPUT_REQUIRED) {
		/* tasks/result also lets the server ask for its input */
		ask_about(s, t, true);
		return;
	}
	poll_later(s, t);
}

bool
server_tasks_take_call(struct server *s, struct call *c, struct session_reply *reply)
{
	struct task state;

	if (reply->kind != REPLY_TASK)
		return false;
	task_decode(&state, reply->value);
	struct server_task *t = find_task(s, state.id);
	if (!t)
		t = add_task(s, state.id, c->key);
	t->call = c->id;
	c->request = 0;
	take_state(s, t, &state, reply);
	return true;
}

void
server_tasks_on_notification(struct server *s, const char *method, const cJSON *params)
{
	struct session_reply reply = { .kind = REPLY_RESULT };
	struct task state;

	if (strcmp(method, "notifications/tasks") != 0 &&
	    strcmp(method, "notifications/tasks/status") != 0)
		return;
	/* a copy, because the result outlives the notification's tree */
	reply.doc = json_copy(params);
	struct server_task *t = NULL;
	if (reply.doc && task_decode(&state, json_root(reply.doc)))
		t = find_task(s, state.id);
	if (t)
		take_state(s, t, &state, &reply);
	json_doc_destroy(reply.doc);
}

/* ---- replies, times and sessions ---- */

static void
take_list(struct server *s, const struct session_reply *reply)
{
	s->task_list = 0;
	for (const cJSON *item = json_first(json_get(reply->value, "tasks")); item;
	     item = item->next) {
		struct task state;
		if (!task_decode(&state, item) || s->tasks.len >= TASKS_MAX)
			continue;
		struct server_task *t = find_task(s, state.id);
		take_facts(s, t ? t : add_task(s, state.id, NULL), &state);
	}
	if (reply->kind != REPLY_RESULT)
		server_note(s, "tasks/list: %s", reply->text);
}

bool
server_tasks_on_reply(struct server *s, uint64_t request, struct session_reply *reply)
{
	bool used = request && request == s->task_list;

	if (used)
		take_list(s, reply);
	for (size_t i = 0; !used && i < s->tasks.len; i++) {
		struct server_task *t = s->tasks.items[i];
		used = true;
		if (t->request == request) {
			struct task state;
			t->request = 0;
			if ((reply->kind == REPLY_TIMED_OUT ||
				reply->kind == REPLY_TRANSPORT_ERROR) &&
			    t->failures++ < FAILURES_MAX)
				poll_later(s, t);
			else if (t->asks_result &&
				 (reply->kind == REPLY_RESULT || reply->kind == REPLY_ERROR))
				end_task(s, t, reply);
			else if (reply->kind == REPLY_RESULT && task_decode(&state, reply->value))
				take_state(s, t, &state, reply);
			else if (reply->kind != REPLY_CLOSED) {
				free(t->trouble);
				t->trouble = mem_strdup(reply->text);
				end_task(s, t, reply);
			}
		} else if (t->cancel == request) {
			t->cancel = 0;
			if (reply->kind == REPLY_RESULT) {
				ask_about(s, t, false);
			} else {
				t->cancelling = false;
				server_note(s, "tasks/cancel: %s", reply->text);
				describe(s, t);
			}
		} else if (t->update == request) {
			t->update = 0;
			if (reply->kind == REPLY_INPUT_REQUIRED)
				end_unanswered(s, t);
			else
				poll_later(s, t);
		} else {
			used = false;
		}
	}
	return used;
}

bool
server_task_refresh(struct server *s, const char *id, int64_t now_us)
{
	struct server_task *t = find_task(s, id);

	s->now_us = now_us;
	if (!t || t->request || !may_ask(s))
		return false;
	free(t->trouble);
	t->trouble = NULL;
	t->ended = false;
	t->failures = 0;
	ask_about(s, t, !session_info(s->session)->modern && task_is_over(t->status));
	s->generation++;
	return true;
}

bool
server_list_tasks(struct server *s, int64_t now_us)
{
	s->now_us = now_us;
	if (!may_ask(s) || session_info(s->session)->modern || s->task_list ||
	    !json_get(json_get(session_info(s->session)->server_capabilities, "tasks"), "list"))
		return false;
	s->task_list = session_request(s->session, "tasks/list", NULL, 0, server_now_ms(s));
	return s->task_list != 0;
}

int64_t
server_tasks_next_us(const struct server *s)
{
	int64_t next = INT64_MAX;

	for (size_t i = 0; may_ask(s) && i < s->tasks.len; i++)
		if (s->tasks.items[i]->next_us < next)
			next = s->tasks.items[i]->next_us;
	return next;
}

/* Subscribe to a task that outlasts one poll. */
void
server_tasks_on_time(struct server *s)
{
	for (size_t i = 0; may_ask(s) && i < s->tasks.len; i++) {
		struct server_task *t = s->tasks.items[i];
		if (t->next_us > s->now_us)
			continue;
		if (++t->polls == 2 && session_can_watch(s->session, WATCH_TASK))
			session_watch(s->session, WATCH_TASK, t->id, true, server_now_ms(s));
		ask_about(s, t, false);
	}
}

/* Poll the tasks that were not over when the last session ended. */
void
server_tasks_on_ready(struct server *s)
{
	for (size_t i = 0; i < s->tasks.len; i++) {
		struct server_task *t = s->tasks.items[i];
		t->request = t->cancel = t->update = 0;
		t->cancelling = false;
		t->failures = t->polls = 0;
		if (!task_is_over(t->status) && !t->trouble)
			t->next_us = s->now_us;
	}
	s->task_list = 0;
}

void
server_tasks_on_closed(struct server *s, const char *how)
{
	for (size_t i = 0; i < s->tasks.len; i++) {
		struct server_task *t = s->tasks.items[i];
		struct call *c = call_of(s, t);
		t->request = t->cancel = t->update = 0;
		t->next_us = INT64_MAX;
		if (!c)
			continue;
		struct session_reply reply = { .kind = REPLY_CLOSED };
		snprintf(reply.text, sizeof(reply.text),
		    "%.100s; the task may continue: the tasks pane keeps it", how);
		server_end_call(s, c, &reply);
	}
	s->task_list = 0;
}

void
server_tasks_finish(struct server *s)
{
	for (size_t i = 0; i < s->tasks.len; i++)
		free_task(s->tasks.items[i]);
	free(s->tasks.items);
}

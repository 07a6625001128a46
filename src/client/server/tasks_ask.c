#include "server.h"

#include "base/mem.h"
#include "base/vec.h"
#include "json/write.h"

#include <stdlib.h>
#include <string.h>

/* The newest are kept. */
#define KEPT_MAX 200

/* The public view of the tasks, and the part that is kept between runs. */

const struct server_task *
server_task_at(const struct server *s, size_t index)
{
	return index < s->tasks.len ? s->tasks.items[index] : NULL;
}

const struct server_task *
server_task_of_call(const struct server *s, uint64_t call)
{
	for (size_t i = 0; call && i < s->tasks.len; i++)
		if (s->tasks.items[i]->call == call)
			return s->tasks.items[i];
	return NULL;
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
		server_task_free(t);
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
		struct task told;
		if (skip >
		    0) { /* another program wrote the file: each entry is searched for below */
			skip--;
			continue;
		}
		if (!task_decode(&told, item) || server_tasks_find(s, told.id))
			continue;
		struct server_task *t = server_tasks_add(s, told.id, json_get_string(item, "tool"));
		t->status = told.status;
		t->ttl_ms = told.ttl_ms;
		t->created = mem_strdup(told.created);
	}
	s->info.task_changes = 0;
}

/* Requests about tasks, and their replies. */

/* The poll interval if the server gives none, and its lower and upper bound. */
#define POLL_MS 1000
#define POLL_LEAST_MS 50
#define POLL_MOST_MS (60 * 60 * 1000)
#define FAILURES_MAX 5

bool
tasks_may_ask(const struct server *s)
{
	return s->session && session_info(s->session)->state == SESSION_READY;
}

void
tasks_poll_later(struct server *s, struct server_task *t)
{
	int64_t ms = t->poll_ms >= 0 ? t->poll_ms : POLL_MS;

	ms = ms < POLL_LEAST_MS ? POLL_LEAST_MS : ms > POLL_MOST_MS ? POLL_MOST_MS : ms;
	t->next_us = s->now_us + (ms << t->failures) * 1000;
}

static uint64_t
send(struct server *s, const char *method, const char *id)
{
	struct buf params = BUF_INIT;
	struct json_writer w;

	json_write_init(&w, &params);
	json_write_object(&w);
	json_write_member_string(&w, "taskId", id);
	json_write_object_end(&w);
	uint64_t request =
	    session_request(s->session, method, buf_text(&params), params.len, server_now_ms(s));
	buf_finish(&params);
	return request;
}

void
tasks_ask(struct server *s, struct server_task *t, bool result)
{
	if (t->request || !tasks_may_ask(s))
		return;
	t->next_us = INT64_MAX;
	t->asks_result = result;
	t->request = send(s, result ? "tasks/result" : "tasks/get", t->id);
}

static bool
is_passing(const struct session_reply *reply)
{
	return reply->kind == REPLY_TIMED_OUT || reply->kind == REPLY_TRANSPORT_ERROR;
}

static void
on_asked(struct server *s, struct server_task *t, struct session_reply *reply)
{
	struct task told;

	t->request = 0;
	if (is_passing(reply) && t->failures++ < FAILURES_MAX)
		tasks_poll_later(s, t);
	else if (t->asks_result && (reply->kind == REPLY_RESULT || reply->kind == REPLY_ERROR))
		tasks_end(s, t, reply);
	else if (reply->kind == REPLY_RESULT && task_decode(&told, reply->value))
		tasks_take_state(s, t, &told, reply);
	else if (reply->kind != REPLY_CLOSED)
		tasks_give_up(s, t, reply);
}

static void
on_cancelled(struct server *s, struct server_task *t, const struct session_reply *reply)
{
	t->cancel = 0;
	if (reply->kind == REPLY_RESULT) {
		tasks_ask(s, t, false);
		return;
	}
	t->cancelling = false;
	char *text = mem_printf("tasks/cancel: %s", reply->text);
	server_note(s, text);
	free(text);
	tasks_describe(s, t);
}

static void
take_list(struct server *s, const struct session_reply *reply)
{
	s->task_list = 0;
	for (const cJSON *item = json_first(json_get(reply->value, "tasks")); item;
	     item = item->next) {
		struct task told;
		if (!task_decode(&told, item) || s->tasks.len >= TASKS_MAX)
			continue;
		struct server_task *t = server_tasks_find(s, told.id);
		tasks_take_facts(s, t ? t : server_tasks_add(s, told.id, NULL), &told);
	}
	if (reply->kind != REPLY_RESULT) {
		char *text = mem_printf("tasks/list: %s", reply->text);
		server_note(s, text);
		free(text);
	}
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
			on_asked(s, t, reply);
		} else if (t->cancel == request) {
			on_cancelled(s, t, reply);
		} else if (t->update == request) {
			t->update = 0;
			if (reply->kind == REPLY_INPUT_REQUIRED)
				tasks_end_unanswered(s, t);
			else
				tasks_poll_later(s, t);
		} else {
			used = false;
		}
	}
	return used;
}

bool
server_task_cancel(struct server *s, const char *id, int64_t now_us)
{
	struct server_task *t = server_tasks_find(s, id);

	s->now_us = now_us;
	if (!t || t->cancelling || task_is_over(t->status) || !tasks_may_ask(s))
		return false;
	if (!session_info(s->session)->modern &&
	    !json_get(json_get(session_info(s->session)->server_capabilities, "tasks"), "cancel"))
		return false;
	t->cancel = send(s, "tasks/cancel", t->id);
	t->cancelling = t->cancel != 0;
	s->generation++;
	tasks_describe(s, t);
	return t->cancelling;
}

bool
server_task_leave(struct server *s, struct call *c)
{
	struct session_reply reply = { .kind = REPLY_CANCELLED,
		.text = "no longer waited for; its task may go on" };

	server_end_call(s, c, &reply);
	return true;
}

bool
server_task_refresh(struct server *s, const char *id, int64_t now_us)
{
	struct server_task *t = server_tasks_find(s, id);

	s->now_us = now_us;
	if (!t || t->request || !tasks_may_ask(s))
		return false;
	free(t->trouble);
	t->trouble = NULL;
	t->ended = false;
	t->failures = 0;
	tasks_ask(s, t, !session_info(s->session)->modern && task_is_over(t->status));
	s->generation++;
	return true;
}

bool
server_list_tasks(struct server *s, int64_t now_us)
{
	s->now_us = now_us;
	if (!tasks_may_ask(s) || session_info(s->session)->modern || s->task_list ||
	    !json_get(json_get(session_info(s->session)->server_capabilities, "tasks"), "list"))
		return false;
	s->task_list = session_request(s->session, "tasks/list", NULL, 0, server_now_ms(s));
	return s->task_list != 0;
}

#include "server_parts_priv.h"

#include "base/mem.h"
#include "base/vec.h"
#include "json/print.h"
#include "json/write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Between polls where the server does not say, and whatever it says. */
#define POLL_MS 1000
#define POLL_LEAST_MS 50
#define POLL_MOST_MS (60 * 60 * 1000)
#define FAILURES_MAX 5
#define TASKS_MAX 1000

struct server_task *
server_tasks_find(struct server *s, const char *id)
{
	for (size_t i = 0; id && i < s->tasks.len; i++)
		if (strcmp(s->tasks.items[i]->id, id) == 0)
			return s->tasks.items[i];
	return NULL;
}

void
server_task_free(struct server_task *t)
{
	for (size_t i = 0; i < t->answered.len; i++)
		free(t->answered.items[i]);
	free(t->answered.items);
	json_doc_destroy(t->doc);
	free(t->id);
	free(t->tool);
	free(t->message);
	free(t->created);
	free(t->trouble);
	free(t);
}

/* The oldest that is over makes room. */
static void
make_room(struct server *s)
{
	for (size_t i = 0; s->tasks.len >= TASKS_MAX && i < s->tasks.len; i++) {
		if (!task_is_over(s->tasks.items[i]->status))
			continue;
		server_task_free(s->tasks.items[i]);
		VEC_REMOVE(&s->tasks, i--);
	}
}

struct server_task *
server_tasks_add(struct server *s, const char *id, const char *tool)
{
	struct server_task *t = mem_zalloc(sizeof(*t));

	make_room(s);
	t->id = mem_strdup(id);
	t->tool = mem_strdup(tool ? tool : "");
	t->since_us = s->now_us;
	t->ttl_ms = t->poll_ms = -1;
	t->next_us = INT64_MAX;
	*VEC_PUSH(&s->tasks) = t;
	s->task_changes++;
	return t;
}

static bool
is_ready(const struct server *s)
{
	return s->session && session_state(s->session) == SESSION_READY;
}

static void
poll_later(struct server *s, struct server_task *t)
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

static void
ask(struct server *s, struct server_task *t, bool result)
{
	if (t->request || !is_ready(s))
		return;
	t->next_us = INT64_MAX;
	t->asks_result = result;
	t->request = send(s, result ? "tasks/result" : "tasks/get", t->id);
}

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
	    task_status_name(t->status), t->cancelling ? ", asked to end" : "",
	    t->message ? " · " : "", t->message ? t->message : "");
}

static void
set_text(char **to, const char *text)
{
	if (!text)
		return;
	char *copy = mem_strdup(text);
	free(*to);
	*to = copy;
}

/* ---- ends ---- */

/* Keeps the end for the pane; the call, where one waits, gets it as any reply. */
static void
finish(struct server *s, struct server_task *t, struct session_reply *reply)
{
	struct call *c = call_of(s, t);

	t->ended = true;
	t->next_us = INT64_MAX;
	t->is_error = reply->kind != REPLY_RESULT;
	s->task_changes++;
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

static void
give_up(struct server *s, struct server_task *t, struct session_reply *reply)
{
	set_text(&t->trouble, reply->text);
	finish(s, t, reply);
}

/* ---- what is told of a task ---- */

static bool
was_answered(const struct server_task *t, const char *key)
{
	for (size_t i = 0; i < t->answered.len; i++)
		if (strcmp(t->answered.items[i], key) == 0)
			return true;
	return false;
}

/* Without what it wants a task never ends by itself. */
static void
end_unanswered(struct server *s, struct server_task *t)
{
	struct call *c = call_of(s, t);
	struct session_reply reply = { .kind = REPLY_INPUT_REQUIRED,
		.text = "the task wants input that was refused; it was asked to end" };

	server_task_cancel(s, t->id, s->now_us);
	if (c)
		server_end_call(s, c, &reply);
}

/* Each request of a task is asked once, however often it is told (SEP-2663). */
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
		if (!r->string || was_answered(t, r->string))
			continue;
		*VEC_PUSH(&t->answered) = mem_strdup(r->string);
		json_write_key(&w, r->string);
		json_write_value(&w, r);
	}
	json_write_object_end(&w);
	struct json_doc *doc = json_parse(buf_text(&text), text.len, NULL, NULL);
	bool is_new = doc && json_first(json_root(doc));
	if (is_new)
		t->update =
		    session_answer_task(s->session, t->id, json_root(doc), server_now_ms(s));
	json_doc_destroy(doc);
	buf_finish(&text);
	if (is_new && !t->update)
		end_unanswered(s, t);
}

static void
take_facts(struct server *s, struct server_task *t, const struct task *told)
{
	s->task_changes += t->status != told->status;
	t->status = told->status;
	t->ttl_ms = told->ttl_ms;
	t->poll_ms = told->poll_ms;
	free(t->message);
	t->message = mem_strdup(told->message);
	set_text(&t->created, told->created);
	describe(s, t);
}

/* What an ended task of the extension says, as the reply it stands for; takes the doc. */
static void
inlined(const struct task *told, struct session_reply *reply)
{
	const char *text = json_get_string(told->error, "message");
	const cJSON *code = json_get(told->error, "code");

	if (told->status == TASK_CANCELLED) {
		reply->kind = REPLY_CANCELLED;
		text = told->message ? told->message : "the server cancelled the task";
		reply->value = NULL;
	} else if (told->status == TASK_FAILED) {
		reply->kind = REPLY_ERROR;
		reply->value = told->error;
		text = text ? text : "the task failed";
		reply->code = json_type(code) == JSON_NUMBER && code->valuedouble > -1e9 &&
				      code->valuedouble < 1e9
				  ? (int64_t)code->valuedouble
				  : 0;
	} else {
		reply->kind = told->result ? REPLY_RESULT : REPLY_INVALID;
		reply->value = told->result;
		text = "the task is completed, but has no result";
	}
	snprintf(reply->text, sizeof(reply->text), "%s", reply->kind == REPLY_RESULT ? "" : text);
}

/* Where a task stands: by tasks/get, by a notification, or as it was made. Takes what reply gives
 * away when that is how it ended. */
static void
take_state(
    struct server *s, struct server_task *t, const struct task *told, struct session_reply *reply)
{
	if (t->ended)
		return;
	take_facts(s, t, told);
	t->failures = 0;
	if (session_is_modern(s->session)) {
		if (task_is_over(told->status)) {
			inlined(told, reply);
			finish(s, t, reply);
			return;
		}
		take_requests(s, t, told->requests);
	} else if (task_is_over(told->status) || told->status == TASK_INPUT_REQUIRED) {
		/* also how a server gets to ask what it needs */
		ask(s, t, true);
		return;
	}
	poll_later(s, t);
}

bool
server_tasks_take_call(struct server *s, struct call *c, struct session_reply *reply)
{
	struct task told;

	if (reply->kind != REPLY_TASK)
		return false;
	task_decode(&told, reply->value);
	struct server_task *t = server_tasks_find(s, told.id);
	if (!t)
		t = server_tasks_add(s, told.id, c->key);
	t->call = c->id;
	c->request = 0;
	take_state(s, t, &told, reply);
	json_doc_destroy(reply->doc);
	reply->doc = NULL;
	return true;
}

void
server_tasks_on_notification(struct server *s, const char *method, const cJSON *params)
{
	struct session_reply reply = { .kind = REPLY_RESULT };
	struct buf text = BUF_INIT;
	struct task told;

	if (strcmp(method, "notifications/tasks") != 0 &&
	    strcmp(method, "notifications/tasks/status") != 0)
		return;
	/* a copy: the notification's tree goes, the result stays */
	json_print(&text, params);
	reply.doc = json_parse(buf_text(&text), text.len, NULL, NULL);
	buf_finish(&text);
	struct server_task *t = NULL;
	if (reply.doc && task_decode(&told, json_root(reply.doc)))
		t = server_tasks_find(s, told.id);
	if (t)
		take_state(s, t, &told, &reply);
	json_doc_destroy(reply.doc);
}

/* ---- replies ---- */

static bool
is_passing(const struct session_reply *reply)
{
	return reply->kind == REPLY_TIMED_OUT || reply->kind == REPLY_LOST;
}

static void
on_asked(struct server *s, struct server_task *t, struct session_reply *reply)
{
	struct task told;

	t->request = 0;
	if (is_passing(reply) && t->failures++ < FAILURES_MAX)
		poll_later(s, t);
	else if (t->asks_result && (reply->kind == REPLY_RESULT || reply->kind == REPLY_ERROR))
		finish(s, t, reply);
	else if (reply->kind == REPLY_RESULT && task_decode(&told, reply->value))
		take_state(s, t, &told, reply);
	else if (reply->kind != REPLY_CLOSED)
		give_up(s, t, reply);
}

static void
on_cancelled(struct server *s, struct server_task *t, const struct session_reply *reply)
{
	t->cancel = 0;
	if (reply->kind == REPLY_RESULT) {
		ask(s, t, false);
		return;
	}
	t->cancelling = false;
	char *text = mem_printf("tasks/cancel: %s", reply->text);
	server_note(s, text);
	free(text);
	describe(s, t);
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
		take_facts(s, t ? t : server_tasks_add(s, told.id, NULL), &told);
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
				end_unanswered(s, t);
			else
				poll_later(s, t);
		} else {
			used = false;
		}
	}
	if (!used)
		return false;
	json_doc_destroy(reply->doc);
	reply->doc = NULL;
	return true;
}

/* ---- times ---- */

int64_t
server_tasks_next_us(const struct server *s)
{
	int64_t next = INT64_MAX;

	for (size_t i = 0; is_ready(s) && i < s->tasks.len; i++)
		if (s->tasks.items[i]->next_us < next)
			next = s->tasks.items[i]->next_us;
	return next;
}

/* A task that takes longer than one poll is worth a subscription. */
void
server_tasks_on_time(struct server *s)
{
	for (size_t i = 0; is_ready(s) && i < s->tasks.len; i++) {
		struct server_task *t = s->tasks.items[i];
		if (t->next_us > s->now_us)
			continue;
		if (++t->polls == 2 && session_can_watch(s->session, WATCH_TASK))
			session_watch(s->session, WATCH_TASK, t->id, true, server_now_ms(s));
		ask(s, t, false);
	}
}

/* What was not over when the last session ended is asked for again. */
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
		    "%.100s; the task may go on: the tasks pane keeps it", how);
		server_end_call(s, c, &reply);
	}
	s->task_list = 0;
}

void
server_tasks_finish(struct server *s)
{
	for (size_t i = 0; i < s->tasks.len; i++)
		server_task_free(s->tasks.items[i]);
	free(s->tasks.items);
}

/* ---- asked by the user ---- */

bool
server_task_cancel(struct server *s, const char *id, int64_t now_us)
{
	struct server_task *t = server_tasks_find(s, id);

	s->now_us = now_us;
	if (!t || t->cancelling || task_is_over(t->status) || !is_ready(s))
		return false;
	if (!session_is_modern(s->session) &&
	    !json_get(json_get(session_capabilities(s->session), "tasks"), "cancel"))
		return false;
	t->cancel = send(s, "tasks/cancel", t->id);
	t->cancelling = t->cancel != 0;
	s->generation++;
	describe(s, t);
	return t->cancelling;
}

bool
server_task_leave(struct server *s, struct call *c)
{
	struct session_reply reply = { .kind = REPLY_CANCELLED,
		.text = "not waited for any more; its task may go on" };

	server_end_call(s, c, &reply);
	return true;
}

bool
server_task_refresh(struct server *s, const char *id, int64_t now_us)
{
	struct server_task *t = server_tasks_find(s, id);

	s->now_us = now_us;
	if (!t || t->request || !is_ready(s))
		return false;
	free(t->trouble);
	t->trouble = NULL;
	t->ended = false;
	t->failures = 0;
	ask(s, t, !session_is_modern(s->session) && task_is_over(t->status));
	s->generation++;
	return true;
}

bool
server_list_tasks(struct server *s, int64_t now_us)
{
	s->now_us = now_us;
	if (!is_ready(s) || session_is_modern(s->session) || s->task_list ||
	    !json_get(json_get(session_capabilities(s->session), "tasks"), "list"))
		return false;
	s->task_list = session_request(s->session, "tasks/list", NULL, 0, server_now_ms(s));
	return s->task_list != 0;
}

#include "server.h"

#include "base/mem.h"
#include "base/vec.h"
#include "json/print.h"
#include "json/write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Changes of a task's state, and their effect on its call. */

static struct call *
tasks_call_of(struct server *s, const struct server_task *t)
{
	struct call *c = t->call ? server_mutable_call(s, t->call) : NULL;

	return c && c->state == CALL_RUNNING ? c : NULL;
}

void
tasks_describe(struct server *s, struct server_task *t)
{
	struct call *c = tasks_call_of(s, t);

	if (!c)
		return;
	free(c->task);
	bool is_long = strlen(t->id) > 12;
	c->task = mem_printf("task %.*s%s · %s%s%s%s", is_long ? 8 : 12, t->id, is_long ? "…" : "",
	    task_status_names[t->status], t->cancelling ? ", asked to end" : "",
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

/* Keeps the result for the pane; a call that waits gets it like any reply. */
void
tasks_end(struct server *s, struct server_task *t, struct session_reply *reply)
{
	struct call *c = tasks_call_of(s, t);

	t->ended = true;
	t->next_us = INT64_MAX;
	t->is_error = reply->kind != REPLY_RESULT;
	s->info.task_changes++;
	session_watch(s->session, WATCH_TASK, t->id, false, server_now_ms(s));
	tasks_describe(s, t);
	if (c) {
		server_end_call(s, c, reply);
		return;
	}
	json_doc_destroy(t->doc);
	t->doc = reply->doc;
	t->value = reply->value;
	reply->doc = NULL;
}

void
tasks_give_up(struct server *s, struct server_task *t, struct session_reply *reply)
{
	set_text(&t->trouble, reply->text);
	tasks_end(s, t, reply);
}

/* A task never ends without the input it wants. */
void
tasks_end_unanswered(struct server *s, struct server_task *t)
{
	struct call *c = tasks_call_of(s, t);
	struct session_reply reply = { .kind = REPLY_INPUT_REQUIRED,
		.text =
		    "the task wants input that was refused; the server was asked to cancel it" };

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
		tasks_end_unanswered(s, t);
}

void
tasks_take_facts(struct server *s, struct server_task *t, const struct task *told)
{
	s->info.task_changes += t->status != told->status;
	t->status = told->status;
	t->ttl_ms = told->ttl_ms;
	t->poll_ms = told->poll_ms;
	free(t->message);
	t->message = mem_strdup(told->message);
	set_text(&t->created, told->created);
	tasks_describe(s, t);
}

/* Turns an ended task of the extension into a reply; takes the doc. */
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
		reply->code =
		    cJSON_IsNumber(code) && code->valuedouble > -1e9 && code->valuedouble < 1e9
			? (int64_t)code->valuedouble
			: 0;
	} else {
		reply->kind = told->result ? REPLY_RESULT : REPLY_INVALID;
		reply->value = told->result;
		text = "the task completed without a result";
	}
	snprintf(reply->text, sizeof(reply->text), "%s", reply->kind == REPLY_RESULT ? "" : text);
}

/* Takes a state from tasks/get, a notification or the creation. Takes the parts that reply gives
 * away if it is the end. */
void
tasks_take_state(
    struct server *s, struct server_task *t, const struct task *told, struct session_reply *reply)
{
	if (t->ended)
		return;
	tasks_take_facts(s, t, told);
	t->failures = 0;
	if (session_info(s->session)->modern) {
		if (task_is_over(told->status)) {
			inlined(told, reply);
			tasks_end(s, t, reply);
			return;
		}
		take_requests(s, t, told->requests);
	} else if (task_is_over(told->status) || told->status == TASK_INPUT_REQUIRED) {
		/* tasks/result also lets the server ask for its input */
		tasks_ask(s, t, true);
		return;
	}
	tasks_poll_later(s, t);
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
	tasks_take_state(s, t, &told, reply);
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
	/* a copy, because the result outlives the notification's tree */
	json_print(&text, params);
	reply.doc = json_parse(buf_text(&text), text.len, NULL, NULL);
	buf_finish(&text);
	struct server_task *t = NULL;
	if (reply.doc && task_decode(&told, json_root(reply.doc)))
		t = server_tasks_find(s, told.id);
	if (t)
		tasks_take_state(s, t, &told, &reply);
	json_doc_destroy(reply.doc);
}

/* The list of tasks, and when to poll each. */

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
	strings_finish(&t->answered);
	json_doc_destroy(t->doc);
	free(t->id);
	free(t->tool);
	free(t->message);
	free(t->created);
	free(t->trouble);
	free(t);
}

/* Makes room by dropping the oldest that is over. */
static void
make_room(struct server *s)
{
	for (size_t i = 0; s->tasks.len >= TASKS_MAX && i < s->tasks.len; i++) {
		if (!task_is_over(s->tasks.items[i]->status))
			continue;
		server_task_free(s->tasks.items[i]);
		VEC_REMOVE(&s->tasks, i--);
		s->info.tasks--;
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

int64_t
server_tasks_next_us(const struct server *s)
{
	int64_t next = INT64_MAX;

	for (size_t i = 0; tasks_may_ask(s) && i < s->tasks.len; i++)
		if (s->tasks.items[i]->next_us < next)
			next = s->tasks.items[i]->next_us;
	return next;
}

/* A task that outlasts one poll is worth a subscription. */
void
server_tasks_on_time(struct server *s)
{
	for (size_t i = 0; tasks_may_ask(s) && i < s->tasks.len; i++) {
		struct server_task *t = s->tasks.items[i];
		if (t->next_us > s->now_us)
			continue;
		if (++t->polls == 2 && session_can_watch(s->session, WATCH_TASK))
			session_watch(s->session, WATCH_TASK, t->id, true, server_now_ms(s));
		tasks_ask(s, t, false);
	}
}

/* Asks again for tasks that were not over when the last session ended. */
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
		struct call *c = tasks_call_of(s, t);
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

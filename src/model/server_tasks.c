#include "server_tasks_priv.h"

#include "base/mem.h"
#include "base/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Which tasks there are, and when each is to be asked for. */

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

int64_t
server_tasks_next_us(const struct server *s)
{
	int64_t next = INT64_MAX;

	for (size_t i = 0; tasks_may_ask(s) && i < s->tasks.len; i++)
		if (s->tasks.items[i]->next_us < next)
			next = s->tasks.items[i]->next_us;
	return next;
}

/* A task that takes longer than one poll is worth a subscription. */
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

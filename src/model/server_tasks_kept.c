#include "server_parts_priv.h"

#include "base/mem.h"
#include "base/vec.h"
#include "json/write.h"

#include <stdlib.h>
#include <string.h>

/* The newest of them. */
#define KEPT_MAX 200

/* The tasks as others see them, and what of them is kept between runs. */

size_t
server_task_count(const struct server *s)
{
	return s->tasks.len;
}

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
		s->task_changes++;
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

uint64_t
server_tasks_changes(const struct server *s)
{
	return s->task_changes;
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
		json_write_member_string(&w, "status", task_status_name(t->status));
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
		if (skip > 0) { /* somebody else wrote the file: each is searched for below */
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
	s->task_changes = 0;
}

/* SPDX-License-Identifier: MIT */
#include "mcp/completer.h"

#include "base/mem.h"
#include "base/vec.h"
#include "json/number.h"
#include "json/write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REMEMBERED 64
#define VALUE_BYTES_MAX 4096

static void
completion_finish(struct completion *k)
{
	for (size_t i = 0; i < k->len; i++)
		free(k->values[i]);
	free(k->values);
	free(k->question);
	free(k->topic);
	free(k->typed);
	*k = (struct completion){ 0 };
}

void
completer_drop(struct completer *c)
{
	completion_finish(&c->newest);
	c->due_ms = -1;
}

void
completer_forget(struct completer *c)
{
	for (size_t i = 0; i < c->known.len; i++)
		completion_finish(&c->known.items[i]);
	c->known.len = 0;
	completer_drop(c);
	c->generation++;
}

void
completer_finish(struct completer *c)
{
	completer_forget(c);
	free(c->known.items);
	completion_finish(&c->in_flight);
	*c = (struct completer){ .due_ms = -1 };
}

bool
completer_can(const struct session *s, const struct primitive *p)
{
	return s && p && p->has_key &&
	       (p->kind == PRIMITIVE_PROMPT || p->kind == PRIMITIVE_TEMPLATE) &&
	       json_get(session_info(s)->server_capabilities, "completions");
}

/* Writes the params; without the value if it is NULL. */
static char *
write_question(const struct completion_question *q, const char *value)
{
	bool is_prompt = q->primitive->kind == PRIMITIVE_PROMPT;
	struct buf out = BUF_INIT;
	struct json_writer w;

	json_write_init(&w, &out);
	json_write_object(&w);
	json_write_member_object(&w, "ref");
	json_write_member_string(&w, "type", is_prompt ? "ref/prompt" : "ref/resource");
	json_write_member_string(&w, is_prompt ? "name" : "uri", q->primitive->key);
	json_write_object_end(&w);
	json_write_member_object(&w, "argument");
	json_write_member_string(&w, "name", q->argument);
	if (value)
		json_write_member_string(&w, "value", value);
	json_write_object_end(&w);
	if (q->context) {
		json_write_member_object(&w, "context");
		json_write_member_json(&w, "arguments", q->context);
		json_write_object_end(&w);
	}
	json_write_object_end(&w);
	return buf_detach(&out);
}

static struct completion *
completer_find(const struct completer *c, const char *question)
{
	for (size_t i = 0; question && i < c->known.len; i++)
		if (strcmp(c->known.items[i].question, question) == 0)
			return &c->known.items[i];
	return NULL;
}

void
completer_ask(
    struct completer *c, const struct completion_question *q, int64_t delay_ms, int64_t now_ms)
{
	char *question = write_question(q, q->value);

	if (c->newest.question && strcmp(c->newest.question, question) == 0) {
		free(question);
		return;
	}
	completion_finish(&c->newest);
	c->newest = (struct completion){ .question = question,
		.topic = write_question(q, NULL),
		.typed = mem_strdup(q->value) };
	bool under_way = c->request && strcmp(c->in_flight.question, question) == 0;
	c->due_ms = completer_find(c, question) || under_way ? -1 : now_ms + delay_ms;
	c->generation++;
}

const struct completion *
completer_answer(const struct completer *c)
{
	return completer_find(c, c->newest.question);
}

const struct completion *
completer_nearest(const struct completer *c)
{
	const struct completion *best = NULL;
	size_t most = 0;

	for (size_t i = 0; c->newest.question && i < c->known.len; i++) {
		const struct completion *k = &c->known.items[i];
		size_t len = strlen(k->typed);
		if (k->error[0] || strcmp(k->topic, c->newest.topic) != 0 ||
		    strncmp(k->typed, c->newest.typed, len) != 0 || (best && len < most))
			continue;
		best = k;
		most = len;
	}
	return best;
}

bool
completer_is_busy(const struct completer *c)
{
	return c->newest.question && !completer_find(c, c->newest.question) &&
	       (c->request || c->due_ms >= 0);
}

static void
take_result(struct completion *k, const cJSON *result)
{
	const cJSON *completion = json_get(result, "completion");
	const cJSON *values = json_get(completion, "values");
	const cJSON *total = json_get(completion, "total");

	if (json_type(values) != JSON_ARRAY) {
		snprintf(k->error, sizeof(k->error), "the answer has no completion.values array");
		return;
	}
	size_t count = json_count(values);
	size_t most = count < COMPLETION_VALUES_MAX ? count : COMPLETION_VALUES_MAX;
	k->values = mem_alloc((most + 1) * sizeof(*k->values));
	for (const cJSON *v = json_first(values); v && k->len < most; v = v->next)
		if (cJSON_GetStringValue(v) && strlen(cJSON_GetStringValue(v)) <= VALUE_BYTES_MAX)
			k->values[k->len++] = mem_strdup(cJSON_GetStringValue(v));
	k->has_more = cJSON_IsTrue(json_get(completion, "hasMore")) || count > most;
	if (!cJSON_IsNumber(total) || !json_number_to_size(total, SIZE_MAX - 1, &k->total))
		k->total = SIZE_MAX;
}

bool
completer_on_reply(struct completer *c, uint64_t request, struct session_reply *reply)
{
	if (request == 0 || (request != c->request && request != c->given_up))
		return false;
	if (request == c->request) {
		/* The oldest answer makes room. */
		if (c->known.len == REMEMBERED) {
			completion_finish(&c->known.items[0]);
			VEC_REMOVE(&c->known, 0);
		}
		struct completion *k = VEC_PUSH(&c->known);
		*k = c->in_flight;
		k->total = SIZE_MAX;
		c->in_flight = (struct completion){ 0 };
		c->request = 0;
		if (reply->kind == REPLY_RESULT)
			take_result(k, reply->value);
		else
			snprintf(k->error, sizeof(k->error), "%s", reply->text);
		k->unanswered = !reply_is_answer(reply->kind);
		c->generation++;
	}
	return true;
}

int64_t
completer_next_time(const struct completer *c)
{
	return c->due_ms < 0 ? INT64_MAX : c->due_ms;
}

void
completer_on_time(struct completer *c, struct session *s, int64_t now_ms)
{
	if (now_ms < completer_next_time(c))
		return;
	c->due_ms = -1;
	if (c->request) {
		c->given_up = c->request;
		c->request = 0;
		session_cancel(s, c->given_up, "something else was typed", now_ms);
		c->given_up = 0;
	}
	completion_finish(&c->in_flight);
	c->in_flight = (struct completion){
		.question = mem_strdup(c->newest.question),
		.topic = mem_strdup(c->newest.topic),
		.typed = mem_strdup(c->newest.typed),
	};
	const char *params = c->in_flight.question;
	c->request = session_request(s, "completion/complete", params, strlen(params), now_ms);
	c->generation++;
}

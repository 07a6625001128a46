#include "questions_priv.h"

#include "base/mem.h"
#include "base/vec.h"
#include "era_priv.h"
#include "methods_priv.h"
#include "outgoing_priv.h"

#include <stdlib.h>
#include <string.h>

/* How much of what is asked a report repeats. */
#define MESSAGE_MAX 300

static const char elicitation[] = "elicitation/create";
static const char roots[] = "roots/list";

struct open_question *
questions_add(struct session *s, const struct open_question *what)
{
	struct open_question *q = VEC_PUSH(&s->questions);

	*q = (struct open_question){
		.id = ++s->questions.last_id,
		.request = what->request,
		.method = mem_strdup(what->method),
		.rpc_id = mem_strdup(what->rpc_id),
		.key = mem_strdup(what->key),
	};
	if (what->message)
		q->message = mem_strndup(what->message, strnlen(what->message, MESSAGE_MAX));
	return q;
}

struct open_question *
questions_find(struct session *s, uint64_t id)
{
	for (size_t i = 0; i < s->questions.len; i++)
		if (s->questions.items[i].id == id)
			return &s->questions.items[i];
	return NULL;
}

static void
finish_question(struct open_question *q)
{
	free(q->method);
	free(q->message);
	free(q->rpc_id);
	free(q->key);
	free(q->answer);
}

void
questions_finish(struct session *s)
{
	for (size_t i = 0; i < s->questions.len; i++)
		finish_question(&s->questions.items[i]);
	free(s->questions.items);
	s->questions = (struct session_questions){ 0 };
}

static struct open_question
take_out(struct session *s, struct open_question *q)
{
	struct open_question taken = *q;

	VEC_REMOVE(&s->questions, (size_t)(q - s->questions.items));
	return taken;
}

static void
report(struct session *s, const struct open_question *q, const char *answer)
{
	struct session_asked news = {
		.method = q->method,
		.message = q->message,
		.answer = answer,
		.request = q->request,
	};

	s->events.on_asked(s->user, &news);
}

bool
questions_hold(const struct session *s, uint64_t request)
{
	for (size_t i = 0; i < s->questions.len; i++)
		if (s->questions.items[i].request == request || !s->questions.items[i].request)
			return true;
	return false;
}

/* The time it waited for us is not the server's. */
static void
restart_held(struct session *s, uint64_t request)
{
	for (size_t i = 0; i < s->pending.len; i++) {
		struct pending_request *r = &s->pending.items[i];
		if (requests_is_internal(s, r->id) || (request && r->owner != request))
			continue;
		int64_t deadline = pending_time_add(s->now_ms, s->timeout_ms);
		if (r->limit_ms < deadline)
			r->limit_ms = deadline;
		pending_restart(r, s->now_ms, s->timeout_ms);
	}
}

void
questions_settle(struct session *s, uint64_t id, const char *answer)
{
	struct open_question *found = questions_find(s, id);

	if (!found)
		return;
	struct open_question q = take_out(s, found);
	if (q.rpc_id)
		restart_held(s, q.request);
	report(s, &q, answer);
	finish_question(&q);
}

/* ---- asking ---- */

static void
refuse_politely(struct session *s, uint64_t id)
{
	const struct open_question *q = questions_find(s, id);

	if (!q)
		return;
	if (strcmp(q->method, elicitation) == 0)
		session_answer(s, id, "{\"action\":\"decline\"}", 20, s->now_ms);
	else if (strcmp(q->method, roots) == 0)
		session_answer(s, id, "{\"roots\":[]}", 12, s->now_ms);
	else
		session_refuse(s, id, -1, "User rejected sampling request", s->now_ms);
}

void
questions_ask(struct session *s, uint64_t id, const cJSON *params)
{
	const struct open_question *q = questions_find(s, id);
	struct session_question news = {
		.id = id,
		.method = method_find(q->method)->name,
		.params = params,
		.key = q->key,
		.request = q->request,
		.sends_again = !q->rpc_id,
	};

	if (!s->events.on_question || !s->events.on_question(s->user, &news))
		refuse_politely(s, id);
}

/* ---- the end of one that was not answered ---- */

/* Until 2025-11-25 its server waits: it gets what says "dismissed" in the shape it expects. */
static void
dismiss(struct session *s, const struct open_question *q)
{
	if (!q->rpc_id || s->state != SESSION_READY)
		return;
	if (strcmp(q->method, elicitation) == 0)
		outgoing_answer(s, q->method, q->rpc_id, "{\"action\":\"cancel\"}", 19);
	else
		outgoing_refusal(s, q->method, q->rpc_id, -1, "The question was cancelled");
}

void
questions_drop(struct session *s, uint64_t id, const char *why)
{
	struct open_question *found = questions_find(s, id);

	if (!found)
		return;
	struct open_question q = take_out(s, found);
	report(s, &q, why);
	if (s->events.on_question_gone)
		s->events.on_question_gone(s->user, id, why);
	finish_question(&q);
}

void
questions_drop_all(struct session *s, uint64_t request, const char *why)
{
	for (size_t i = s->questions.len; i-- > 0;) {
		if (i >= s->questions.len || (request && s->questions.items[i].request != request))
			continue;
		dismiss(s, &s->questions.items[i]);
		questions_drop(s, s->questions.items[i].id, why);
	}
}

/* ---- answers ---- */

void
session_roots_changed(struct session *s, int64_t now_ms)
{
	s->now_ms = now_ms;
	if (s->state == SESSION_READY && !s->era->modern && s->can.roots)
		outgoing_notification(s, "notifications/roots/list_changed");
}

const char *
questions_word(const char *method, const char *json, size_t len)
{
	static const char *const words[][2] = { { "accept", "accepted" }, { "decline", "declined" },
		{ "cancel", "cancelled" } };
	struct json_doc *doc = json_parse(json, len, NULL, NULL);
	const char *action = doc ? json_get_string(json_root(doc), "action") : NULL;
	const char *word = "answered";

	for (size_t i = 0; action && i < 3 && strcmp(method, elicitation) == 0; i++)
		if (strcmp(action, words[i][0]) == 0)
			word = words[i][1];
	json_doc_destroy(doc);
	return word;
}

bool
session_answer(
    struct session *s, uint64_t question, const char *result_json, size_t len, int64_t now_ms)
{
	struct open_question *q = questions_find(s, question);

	s->now_ms = now_ms;
	if (!q || q->answer)
		return false;
	if (q->rpc_id) {
		const char *word = questions_word(q->method, result_json, len);
		outgoing_answer(s, q->method, q->rpc_id, result_json, len);
		questions_settle(s, question, word);
		return true;
	}
	q->answer = mem_strndup(result_json, len);
	input_on_answer(s, question, NULL);
	return true;
}

bool
session_refuse(struct session *s, uint64_t question, int code, const char *text, int64_t now_ms)
{
	struct open_question *q = questions_find(s, question);

	s->now_ms = now_ms;
	if (!q || q->answer)
		return false;
	if (!q->rpc_id) {
		input_on_answer(s, question, text);
		return true;
	}
	outgoing_refusal(s, q->method, q->rpc_id, code, text);
	questions_settle(s, question, "refused");
	return true;
}

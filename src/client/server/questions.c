#include "server.h"

#include "base/mem.h"
#include "base/vec.h"
#include "mcp/session.h"
#include "client/answers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char declined[] = "{\"action\":\"decline\"}";
static const char cancelled[] = "{\"action\":\"cancel\"}";
static const char no_roots[] = "{\"roots\":[]}";

void
server_questions_init(struct server *s)
{
	const struct answer_policy *policy = &s->options.answers;

	for (size_t i = 0; i < policy->root_count; i++)
		roots_add(&s->questions.roots, policy->roots[i], NULL);
}

void
server_questions_finish(struct server *s)
{
	for (size_t i = 0; i < s->questions.len; i++)
		question_destroy(s->questions.items[i]);
	free(s->questions.items);
	strings_finish(&s->questions.roots);
	free(s->questions.end);
}

struct question *
server_question_at(const struct server *s, size_t index)
{
	return s->questions.items[index];
}

struct question *
server_find_question(const struct server *s, uint64_t id)
{
	for (size_t i = 0; i < s->questions.len; i++)
		if (s->questions.items[i]->id == id)
			return s->questions.items[i];
	return NULL;
}

const char *
server_question_end(const struct server *s, uint64_t id)
{
	return id != 0 && id == s->questions.ended ? s->questions.end : NULL;
}

static void
note(struct server *s, const struct question *q, const char *text)
{
	const struct session_server_request news = { .method = q->method, .answer = text };

	server_note_request(s, q->call, &news);
}

void
server_note_question(struct server *s, uint64_t question, const char *text, int64_t now_us)
{
	const struct question *q = server_find_question(s, question);

	s->now_us = now_us;
	if (q)
		note(s, q, text);
}

static void
remove_question(struct server *s, struct question *q)
{
	for (size_t i = 0; i < s->questions.len; i++)
		if (s->questions.items[i] == q) {
			VEC_REMOVE(&s->questions, i);
			s->info.questions--;
			break;
		}
	question_destroy(q);
	s->generation++;
}

/* ---- answers ---- */

bool
server_answer(
    struct server *s, uint64_t question, const char *result_json, size_t len, int64_t now_us)
{
	struct question *q = server_find_question(s, question);

	s->now_us = now_us;
	if (!q)
		return false;
	uint64_t session = q->session;
	remove_question(s, q);
	return session_answer(s->session, session, result_json, len, server_now_ms(s));
}

static bool
refuse(struct server *s, struct question *q, const char *text)
{
	uint64_t session = q->session;

	remove_question(s, q);
	return session_refuse(s->session, session, -1, text, server_now_ms(s));
}

bool
server_decline(struct server *s, uint64_t question, int64_t now_us)
{
	struct question *q = server_find_question(s, question);

	s->now_us = now_us;
	if (!q)
		return false;
	if (q->kind == QUESTION_SAMPLING)
		return refuse(s, q, "User rejected sampling request");
	if (q->kind == QUESTION_ROOTS)
		return server_answer(s, question, no_roots, strlen(no_roots), now_us);
	return server_answer(s, question, declined, strlen(declined), now_us);
}

bool
server_dismiss(struct server *s, uint64_t question, int64_t now_us)
{
	struct question *q = server_find_question(s, question);

	s->now_us = now_us;
	if (!q)
		return false;
	if (q->kind == QUESTION_SAMPLING || q->kind == QUESTION_ROOTS)
		return refuse(s, q, "The user dismissed the request");
	return server_answer(s, question, cancelled, strlen(cancelled), now_us);
}

/* ---- roots ---- */

static struct question *
find_roots_question(const struct server *s)
{
	for (size_t i = 0; i < s->questions.len; i++)
		if (s->questions.items[i]->kind == QUESTION_ROOTS)
			return s->questions.items[i];
	return NULL;
}

/* While the first roots/list waits for consent, no notification is needed, because the answer has
 * the change. */
static void
roots_changed(struct server *s, int64_t now_us)
{
	s->now_us = now_us;
	s->generation++;
	if (s->session && !find_roots_question(s))
		session_roots_changed(s->session, server_now_ms(s));
}

bool
server_add_root(struct server *s, const char *path_or_uri, int64_t now_us, struct err *err)
{
	size_t before = s->questions.roots.len;

	if (!roots_add(&s->questions.roots, path_or_uri, err))
		return false;
	if (s->questions.roots.len != before)
		roots_changed(s, now_us);
	return true;
}

bool
server_remove_root(struct server *s, const char *path_or_uri, int64_t now_us)
{
	if (!roots_remove(&s->questions.roots, path_or_uri))
		return false;
	roots_changed(s, now_us);
	return true;
}

static bool
answer_roots(struct server *s, uint64_t session)
{
	struct buf result = BUF_INIT;

	roots_result(&s->questions.roots, &result);
	bool ok =
	    session_answer(s->session, session, buf_text(&result), result.len, server_now_ms(s));
	buf_finish(&result);
	return ok;
}

bool
server_consent_to_roots(struct server *s, uint64_t question, int64_t now_us)
{
	struct question *q = server_find_question(s, question);
	bool ok = question == 0 || (q && q->kind == QUESTION_ROOTS);

	s->now_us = now_us;
	s->questions.roots_allowed = s->questions.roots_allowed || ok;
	while (ok && (q = find_roots_question(s))) {
		uint64_t session = q->session;
		remove_question(s, q);
		ok = answer_roots(s, session);
	}
	return ok;
}

/* ---- incoming requests ---- */

/* The content is sent anyway: its author may test the reaction of the server. */
static void
check_content(struct server *s, struct question *q, const char *content)
{
	struct buf pointer = BUF_INIT;

	if (!q->form || !form_load_json(q->form, content, strlen(content), NULL) ||
	    form_check(q->form) == 0)
		return;
	const struct field *first = form_first_problem(q->form);
	field_pointer(first, &pointer);
	char *text = mem_printf("the answer breaks the requestedSchema: %s%s%s",
	    pointer.len ? buf_text(&pointer) : "", pointer.len ? ": " : "",
	    field_view(first).problem);
	note(s, q, text);
	free(text);
	buf_finish(&pointer);
}

static void
accept_unseen(struct server *s, const struct question *q, struct buf *result)
{
	struct buf missing = BUF_INIT;

	question_accept_unseen(q, s->options.answers.elicit == ANSWER_GUESS, result, &missing);
	if (missing.len > 0) {
		char *text = mem_printf("declined: the form requires %s, without a default; "
					"--elicit JSON gives the content",
		    buf_text(&missing));
		note(s, q, text);
		free(text);
		buf_add_str(result, declined);
	}
	buf_finish(&missing);
}

static void
answer_elicitation(struct server *s, struct question *q)
{
	const struct answer_policy *policy = &s->options.answers;
	struct buf result = BUF_INIT;

	if (policy->elicit == ANSWER_CANCEL)
		buf_add_str(&result, cancelled);
	else if (policy->elicit == ANSWER_DECLINE || q->kind == QUESTION_URL)
		buf_add_str(&result, declined); /* no user can visit it */
	else if (policy->content) {
		check_content(s, q, policy->content);
		buf_addf(&result, "{\"action\":\"accept\",\"content\":%s}", policy->content);
	} else
		accept_unseen(s, q, &result);
	session_answer(s->session, q->session, buf_text(&result), result.len, server_now_ms(s));
	buf_finish(&result);
}

static void
answer_sampling(struct server *s, const struct question *q)
{
	const char *text = s->options.answers.sampling;
	struct buf result = BUF_INIT;

	question_sampling_result(text, strlen(text), &result);
	const char *flaw = question_sampling_flaw(q, &result);
	if (flaw)
		note(s, q, flaw);
	session_answer(s->session, q->session, buf_text(&result), result.len, server_now_ms(s));
	buf_finish(&result);
}

/* Many servers ask when they have just started. An empty list tells them nothing, so there is
 * nothing to consent to (2025-11-25/client/roots, "User Interaction Model"). */
static bool
has_nothing_to_tell(const struct server *s)
{
	return s->questions.roots.len == 0 && server_running(s) == 0;
}

/* Answer without the user, if possible; false if the question waits. */
static bool
answer_at_once(struct server *s, struct question *q)
{
	const struct answer_policy *policy = &s->options.answers;

	if (q->kind == QUESTION_ROOTS && (s->questions.roots_allowed || policy->unseen))
		return answer_roots(s, q->session);
	if (q->kind == QUESTION_ROOTS && has_nothing_to_tell(s)) {
		server_note(s, "roots/list: answered without any; :root add FOLDER sends a folder");
		return answer_roots(s, q->session);
	}
	if (!policy->unseen)
		return false;
	bool elicits = q->kind == QUESTION_FORM || q->kind == QUESTION_URL;
	if (elicits && policy->elicit_later)
		return false;
	if (elicits)
		answer_elicitation(s, q);
	else if (policy->sampling)
		answer_sampling(s, q);
	else if (policy->sampling_later)
		return false;
	else
		session_refuse(
		    s->session, q->session, -1, "User rejected sampling request", server_now_ms(s));
	return true;
}

bool
server_on_question(struct server *s, const struct session_question *asked, uint64_t call)
{
	struct question *q = question_create(++s->questions.last, asked, s->now_us);
	const char *canned = s->options.answers.sampling;

	q->call = call;
	s->generation++;
	if (answer_at_once(s, q)) {
		question_destroy(q);
		return true;
	}
	if (q->kind == QUESTION_SAMPLING && canned)
		question_set(&q->draft, canned, strlen(canned));
	*VEC_PUSH(&s->questions) = q;
	s->info.questions++;
	return true;
}

void
server_on_question_gone(struct server *s, uint64_t session, const char *why)
{
	for (size_t i = 0; i < s->questions.len; i++)
		if (s->questions.items[i]->session == session) {
			s->questions.ended = s->questions.items[i]->id;
			question_set(&s->questions.end, why, strlen(why));
			remove_question(s, s->questions.items[i]);
			return;
		}
}

/* notifications/elicitation/complete (2025-11-25): the opened URL is done. An unknown id is
 * ignored. */
void
server_on_elicited(struct server *s, const cJSON *params)
{
	static const char accepted[] = "{\"action\":\"accept\"}";
	const char *id = json_get_string(params, "elicitationId");
	char text[160];

	for (size_t i = 0; id && i < s->questions.len; i++) {
		struct question *q = s->questions.items[i];
		if (q->kind != QUESTION_URL || !q->elicitation.elicitation_id ||
		    strcmp(q->elicitation.elicitation_id, id) != 0)
			continue;
		q->completed = true;
		s->generation++;
		if (q->opened && q->sends_again)
			server_answer(s, q->id, accepted, strlen(accepted), s->now_us);
		return;
	}
	snprintf(text, sizeof(text), "the server says that the elicitation %.60s is complete",
	    id ? id : "(without an id)");
	server_note(s, text);
}

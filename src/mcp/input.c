#include "json/write.h"
#include "methods_priv.h"
#include "outgoing_priv.h"

#include <stdio.h>
#include <string.h>

/* Results that ask for input (2026-07-28, SEP-2322): the same method is sent again under a new id,
 * with an answer for every question and the server's requestState. All questions are declined. */

static const char elicitation[] = "elicitation/create";

static bool
is_elicitation(const cJSON *question)
{
	const char *method = json_get_string(question, "method");

	return method && strcmp(method, elicitation) == 0;
}

/* Something other than an elicitation among the questions, NULL when there is nothing such. */
static const cJSON *
find_unanswerable(const cJSON *questions)
{
	for (const cJSON *q = json_first(questions); q; q = q->next)
		if (!is_elicitation(q))
			return q;
	return NULL;
}

static void
report(struct session *s, const cJSON *questions, const char *answer, uint64_t request)
{
	for (const cJSON *q = json_first(questions); q; q = q->next) {
		const char *method = json_get_string(q, "method");
		asked_report(
		    s, method ? method : "(no method)", json_get(q, "params"), answer, request);
	}
}

static void
ask_again(struct session *s, struct incoming *in, const struct sent_call *call)
{
	const cJSON *questions = json_get(in->message.result, "inputRequests");
	const cJSON *state = json_get(in->message.result, "requestState");
	struct buf members = BUF_INIT;
	struct json_writer w;

	json_write_init(&w, &members);
	if (call->len > 0)
		json_write_raw(&w, call->members, call->len);
	if (json_first(questions)) {
		json_write_key(&w, "inputResponses");
		json_write_object(&w);
		for (const cJSON *q = json_first(questions); q; q = q->next) {
			json_write_key(&w, q->string);
			json_write_object(&w);
			json_write_member_string(&w, "action", "decline");
			json_write_object_end(&w);
		}
		json_write_object_end(&w);
	}
	if (state) {
		json_write_key(&w, "requestState");
		json_write_value(&w, state);
	}
	sent_again(s, in->id, buf_text(&members), members.len);
	buf_finish(&members);
}

/* Why this cannot be an answer at all; NULL when it can. */
static const char *
find_nonsense(const struct incoming *in)
{
	const struct method *method = method_find(in->method);
	const cJSON *questions = json_get(in->message.result, "inputRequests");

	if (!method || !(method->traits & MAY_WANT_INPUT))
		return "input_required is no answer to this method";
	if (questions && json_type(questions) != JSON_OBJECT)
		return "inputRequests is not an object";
	if (!json_first(questions) && !json_get(in->message.result, "requestState"))
		return "input_required, but nothing is asked";
	return NULL;
}

void
input_on_required(struct session *s, struct incoming *in)
{
	const cJSON *questions = json_get(in->message.result, "inputRequests");
	const char *nonsense = find_nonsense(in);
	struct sent_call *call = sent_find(s, in->request);
	uint64_t request = in->request;

	if (nonsense) {
		requests_reply(s, in->id, PENDING_ANSWERED, REPLY_INVALID, in, nonsense);
		return;
	}
	const cJSON *unanswerable = find_unanswerable(questions);
	if (call && !call->whole && !unanswerable && call->rounds < MAX_INPUT_ROUNDS) {
		call->rounds++;
		ask_again(s, in, call);
		report(s, questions, "declined", request);
		return;
	}
	char text[SESSION_TEXT_MAX];
	const char *method = json_get_string(unanswerable, "method");
	if (unanswerable)
		snprintf(text, sizeof(text), "the server wants %.100s",
		    method ? method : "something unnamed");
	else
		snprintf(text, sizeof(text), "the server keeps asking for input");
	report(s, questions, "refused: not supported", request);
	requests_reply(s, in->id, PENDING_ANSWERED, REPLY_INPUT_REQUIRED, in, text);
}

#include "json/print.h"
#include "mcp/elicitation.h"
#include "mcp/sampling.h"
#include "methods_priv.h"
#include "outgoing_priv.h"
#include "questions_priv.h"

#include <stdio.h>
#include <string.h>

/* What a server may ask of a client (2025-11-25:client/). What was not declared is refused at once,
 * in the way the specification has for it; the rest becomes a question. */

/* Only calls lead to questions: lists and the like that are on their way as well do not matter. */
static bool
may_ask(const struct session *s, const struct pending_request *r)
{
	const struct method *method = method_find(r->method);

	return !requests_is_internal(s, r->id) && method &&
	       ((method->traits & MAY_WANT_INPUT) || strcmp(r->method, "tasks/result") == 0);
}

/* Our call it belongs to, when that can be known: by its token, by the stream it came on, or as it
 * is the only one. */
static uint64_t
find_owner(const struct session *s, const cJSON *params)
{
	const cJSON *token = json_get(json_get(params, "_meta"), "progressToken");
	uint64_t only = 0, by_stream = 0;
	size_t calls = 0;

	for (size_t i = 0; i < s->pending.len; i++) {
		const struct pending_request *r = &s->pending.items[i];
		if (!may_ask(s, r))
			continue;
		if (json_type(token) == JSON_NUMBER && token->valuedouble == (double)r->id)
			return r->owner;
		if (r->id == s->stream)
			by_stream = r->owner;
		only = r->owner;
		calls++;
	}
	if (by_stream)
		return by_stream;
	return calls == 1 && !token ? only : 0;
}

void
asked_report(struct session *s, const char *method, const cJSON *params, const char *answer,
    uint64_t request)
{
	struct session_asked news = {
		.method = method,
		.message = json_get_string(params, "message"),
		.answer = answer,
		.request = request ? request : find_owner(s, params),
	};

	s->events.on_asked(s->user, &news);
}

void
asked_ping(struct session *s, const struct message *m)
{
	outgoing_result(s, m, "{}");
}

/* ---- may it be asked at all? ---- */

static const char *
elicitation_refusal(const struct session *s, const cJSON *params, int *code)
{
	struct elicitation e;

	elicitation_decode(&e, params);
	*code = ERROR_INVALID_PARAMS;
	if (e.mode == ELICITATION_FORM && !s->can.elicitation_form)
		return "Elicitation by form was not declared";
	if (e.mode == ELICITATION_URL && !s->can.elicitation_url)
		return "Elicitation by URL was not declared";
	return elicitation_flaw(&e);
}

static const char *
sampling_refusal(const struct session *s, const cJSON *params, int *code)
{
	struct sampling wanted;

	sampling_decode(&wanted, params);
	*code = s->can.sampling ? ERROR_INVALID_PARAMS : ERROR_METHOD_NOT_FOUND;
	if (!s->can.sampling)
		return "Sampling was not declared";
	if ((wanted.tools || wanted.tool_choice) && !s->can.sampling_tools)
		return "Tools in sampling were not declared";
	return sampling_flaw(&wanted);
}

static const char *
roots_refusal(const struct session *s, const cJSON *params, int *code)
{
	(void)params;
	*code = ERROR_METHOD_NOT_FOUND;
	return s->can.roots ? NULL : "Roots not supported";
}

const char *
asked_flaw(const struct session *s, const char *method, const cJSON *params, int *code)
{
	static const struct {
		const char *method;
		const char *(*refusal)(const struct session *s, const cJSON *params, int *code);
	} rows[] = {
		{ "elicitation/create", elicitation_refusal },
		{ "sampling/createMessage", sampling_refusal },
		{ "roots/list", roots_refusal },
	};

	for (size_t i = 0; method && i < sizeof(rows) / sizeof(rows[0]); i++)
		if (strcmp(rows[i].method, method) == 0)
			return rows[i].refusal(s, params, code);
	*code = ERROR_METHOD_NOT_FOUND;
	return "Method not found";
}

/* ---- what comes in ---- */

static void
refuse(struct session *s, const struct message *m, int code, const char *why)
{
	char text[120];

	outgoing_error(s, m, code, why);
	snprintf(text, sizeof(text), "refused: %s", why);
	asked_report(s, m->method, m->params, text, 0);
}

static uint64_t
find_by_rpc_id(const struct session *s, const char *rpc_id)
{
	for (size_t i = 0; i < s->questions.len; i++) {
		const struct open_question *q = &s->questions.items[i];
		if (q->rpc_id && strcmp(q->rpc_id, rpc_id) == 0)
			return q->id;
	}
	return 0;
}

void
asked_question(struct session *s, const struct message *m)
{
	int code = 0;
	const char *why = asked_flaw(s, m->method, m->params, &code);
	struct buf id = BUF_INIT;

	if (!why && s->questions.len >= MAX_QUESTIONS) {
		code = ERROR_INTERNAL;
		why = "Too many questions are open";
	}
	if (why) {
		refuse(s, m, code, why);
		return;
	}
	json_print(&id, m->id);
	if (find_by_rpc_id(s, buf_text(&id)))
		session_note(
		    s, 0, "the server uses the id %.60s for two questions at once", buf_text(&id));
	const struct open_question *q =
	    questions_add(s, &(struct open_question){
				 .method = (char *)m->method,
				 .message = (char *)json_get_string(m->params, "message"),
				 .rpc_id = (char *)buf_text(&id),
				 .request = find_owner(s, m->params),
			     });
	buf_finish(&id);
	questions_ask(s, q->id, m->params);
}

/* The server wants no answer any more. */
bool
asked_cancelled(struct session *s, const struct message *m)
{
	const cJSON *wanted = json_get(m->params, "requestId");
	const char *reason = json_get_string(m->params, "reason");
	struct buf id = BUF_INIT;
	char why[160];

	if (!wanted)
		return false;
	json_print(&id, wanted);
	uint64_t found = find_by_rpc_id(s, buf_text(&id));
	buf_finish(&id);
	snprintf(why, sizeof(why), "cancelled by the server%s%.100s", reason ? ": " : "",
	    reason ? reason : "");
	if (found)
		questions_drop(s, found, why);
	return found != 0;
}

/* There a client must not write answers (2026-07-28/basic/transports/stdio.mdx). */
void
asked_out_of_place(struct session *s, const struct message *m)
{
	asked_report(s, m->method, m->params, "not answered: 2026-07-28 has no such requests", 0);
}

void
asked_unknown(struct session *s, const struct message *m)
{
	outgoing_error(s, m, ERROR_METHOD_NOT_FOUND, "Method not found");
	asked_report(s, m->method, m->params, "refused: unknown method", 0);
}

#include "server.h"

#include "base/glyph.h"
#include "base/mem.h"
#include "base/vec.h"
#include "client/history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * A call whose headers the server found not to match its body (-32020) was made by an outdated
 * definition. The tools are listed again, then the call is sent once more
 * (2026-07-28/basic/transports/streamable-http.mdx, "Client Behavior").
 */

#define REMEMBERED 64

static bool
was_retried(const struct server *s, uint64_t call)
{
	for (size_t i = 0; i < s->retries.len; i++)
		if (s->retries.items[i].call == call)
			return true;
	return false;
}

static void
send_again(struct server *s, struct call *c, const struct retry *r)
{
	const struct primitive *tool =
	    primitive_list_find(&s->listers[PRIMITIVE_TOOL].list, c->key, 0);
	struct session_reply refusal = { .kind = REPLY_ERROR, .code = ERROR_HEADER_MISMATCH };

	if (tool && !tool->unusable)
		c->request = session_call(s->session,
		    &(struct session_call){ .name = c->key,
			.arguments = c->arguments,
			.len = strlen(c->arguments),
			.definition = tool->definition },
		    server_now_ms(s));
	if (c->request)
		return;
	memcpy(refusal.text, r->text, sizeof(refusal.text));
	server_end_call(s, c, &refusal);
}

static void
server_retry_now(struct server *s)
{
	for (size_t i = 0; i < s->retries.len && !lister_is_busy(&s->listers[PRIMITIVE_TOOL]);
	     i++) {
		if (!s->retries.items[i].waits)
			continue;
		s->retries.items[i].waits = false;
		struct retry r = s->retries.items[i];
		struct call *c = server_mutable_call(s, r.call);
		if (c && c->state == CALL_RUNNING)
			send_again(s, c, &r);
	}
}

static bool
server_retry_later(struct server *s, struct call *c, struct session_reply *reply)
{
	if (reply->kind != REPLY_ERROR || reply->code != ERROR_HEADER_MISMATCH ||
	    c->kind != PRIMITIVE_TOOL || !session_info(s->session)->modern ||
	    s->options.session.onlooker || was_retried(s, c->id))
		return false;
	if (s->retries.len == REMEMBERED)
		VEC_REMOVE(&s->retries, 0);
	struct retry *r = VEC_PUSH(&s->retries);
	*r = (struct retry){ .call = c->id, .waits = true };
	memcpy(r->text, reply->text, sizeof(r->text));
	c->request = 0;
	server_note(s, "the server refused the headers of a call: tools/list, then the call again");
	if (!lister_is_busy(&s->listers[PRIMITIVE_TOOL]))
		lister_start(&s->listers[PRIMITIVE_TOOL], s->session, server_now_ms(s));
	server_retry_now(s);
	return true;
}

bool
server_retry_cancel(struct server *s, struct call *c)
{
	struct session_reply reply = { .kind = REPLY_CANCELLED, .text = CALL_CANCEL_REASON };

	for (size_t i = 0; i < s->retries.len; i++) {
		struct retry *r = &s->retries.items[i];
		if (r->call != c->id || !r->waits)
			continue;
		r->waits = false;
		server_end_call(s, c, &reply);
		return true;
	}
	return false;
}

#define CALLS_KEPT 1000

static void
on_send(void *user, const struct outbound *message)
{
	struct server *s = user;

	s->on_send(s->user, message);
}

static bool
is_error_reply(const struct session_line *line)
{
	if (line->kind == MESSAGE_ERROR)
		return true;
	return line->kind == MESSAGE_RESULT && line->doc &&
	       json_is_true(json_get(json_get(json_root(line->doc), "result"), "isError"));
}

static void on_line_of_call(struct server *s, const struct session_line *line);

static void
on_line(void *user, const struct session_line *line)
{
	struct server *s = user;

	journal_add(
	    s->journal, &(struct journal_args){
			    .kind = line->direction == WIRE_SENT ? JOURNAL_SENT : JOURNAL_RECEIVED,
			    .message = line->kind,
			    .at_us = s->now_us,
			    .bytes = line->bytes,
			    .dropped = line->dropped,
			    .method = line->method,
			    .rpc_id = line->id,
			    .flaw = line->flaw,
			    .is_error = is_error_reply(line),
			    .by_hand = s->sending && line->direction == WIRE_SENT,
			    .request = line->direction == WIRE_SENT ? line->request : 0,
			    .carried = line->carried,
			    .doc = line->doc,
			});
	s->generation++;
	if (s->sending && line->direction == WIRE_SENT && line->doc)
		s->sent_call = server_add_sent_call(s, line->request, json_root(line->doc));
	if (line->direction == WIRE_RECEIVED && line->request && line->doc)
		on_line_of_call(s, line);
}

void
server_note(struct server *s, const char *text)
{
	struct blob *bytes = blob_from_bytes(text, strlen(text));

	journal_add(s->journal,
	    &(struct journal_args){ .kind = JOURNAL_NOTE, .at_us = s->now_us, .bytes = bytes });
	blob_unref(bytes);
	s->generation++;
}

void
server_fail(struct server *s, enum server_phase phase, const char *why)
{
	s->info.phase = phase;
	snprintf(s->trouble, sizeof(s->trouble), "%s", why);
	server_note(s, why);
}

static void
on_state(void *user)
{
	struct server *s = user;

	s->generation++;
	switch (session_info(s->session)->state) {
	case SESSION_OPENING: /* again, because the server forgot the session */
		if (s->info.phase == SERVER_READY || s->info.phase == SERVER_LISTING)
			s->info.phase = SERVER_STARTING;
		break;
	case SESSION_READY:
		if (s->info.phase != SERVER_STARTING && s->info.phase != SERVER_FAILED)
			break;
		s->trouble[0] = '\0';
		if (session_info(s->session)->modern && !s->options.session.onlooker)
			journal_excuse_probe(s->journal, "initialize", "era probe: modern");
		s->info.phase = s->options.session.onlooker ? SERVER_READY : SERVER_LISTING;
		server_notices_on_ready(s);
		server_tasks_on_ready(s);
		if (s->info.connect_us < 0)
			s->info.connect_us = s->now_us - s->started_us;
		if (!s->options.session.onlooker)
			server_lists_start(s);
		break;
	case SESSION_FAILED:
		server_fail(s, SERVER_FAILED, session_info(s->session)->failure);
		break;
	default:
		break;
	}
}

static struct call *
call_of_request(struct server *s, uint64_t request)
{
	for (size_t i = s->calls.len; request && i-- > 0;)
		if (s->calls.items[i]->request == request &&
		    s->calls.items[i]->state == CALL_RUNNING)
			return s->calls.items[i];
	return NULL;
}

static struct verdict_note *
verdict_note(struct server *s, const char *tool)
{
	for (size_t i = 0; i < s->verdicts.len; i++)
		if (strcmp(s->verdicts.items[i].tool, tool) == 0)
			return &s->verdicts.items[i];
	struct verdict_note *note = VEC_PUSH(&s->verdicts);
	*note = (struct verdict_note){ .tool = mem_strdup(tool) };
	return note;
}

static void
remember_verdict(struct server *s, const struct call *c)
{
	struct verdict_note *note = verdict_note(s, c->key);

	note->call = c->id;
	note->kind = c->verdict.kind;
	journal_judge(s->journal, c->reply, c->verdict.kind);
}

void
server_note_verdict(struct server *s, const struct call *c)
{
	if (verdict_note(s, c->key)->call == c->id)
		remember_verdict(s, c);
	else
		journal_judge(s->journal, c->reply, c->verdict.kind);
}

void
server_count_call(struct server *s, struct call *ended)
{
	size_t max = s->options.calls_max_bytes ? s->options.calls_max_bytes : (size_t)256 << 20;
	size_t i = 0;

	ended->held = call_memory(ended);
	s->calls_bytes += ended->held;
	while (i + 1 < s->calls.len && (s->calls_bytes > max || s->calls.len > CALLS_KEPT)) {
		struct call *c = s->calls.items[i];
		if (c->state == CALL_RUNNING) {
			i++;
			continue;
		}
		s->calls_bytes -= c->held;
		server_let_go(c);
		VEC_REMOVE(&s->calls, i);
		s->info.calls--;
	}
}

/* The last lines of stderr explain the calls that a crash left open. */
static void
add_end(const struct server *s, struct call *c)
{
	free(c->error_text);
	c->error_text = mem_printf("the %s ended before it answered: %s",
	    server_is_remote(s) ? "connection" : "server", s->end);
}

static void
keep_stderr(const struct server *s, struct call *c)
{
	const char *tail = server_stderr_tail(s, c->state == CALL_DIED ? NULL : c);

	if (*tail)
		c->stderr_tail = mem_strdup(tail);
}

#define LINKING_MAX 100 /* calls looked at */

/* A link that led to an error is a flaw of the results that have it. */
static void
note_refused_link(struct server *s, const struct call *read)
{
	for (size_t i = s->calls.len, looked = 0; i-- > 0 && looked++ < LINKING_MAX;) {
		struct call *c = s->calls.items[i];
		if (c->kind == PRIMITIVE_TOOL && c->reviewed)
			findings_of_read(&c->findings, c, read);
	}
}

void
server_end_call(struct server *s, struct call *c, struct session_reply *reply)
{
	c->reply = journal_find_bytes(s->journal, reply->bytes);
	call_take_reply(c, reply, s->now_us);
	server_check(s, c);
	const struct session_info *session = session_info(s->session);
	c->wants_legacy = session->modern && session->speaks_both && !session->lacks_session &&
			  call_lacks_requests(c);
	if (c->state == CALL_DIED && s->end)
		add_end(s, c);
	if (!call_is_answered(c))
		keep_stderr(s, c);
	if (c->uri && c->state == CALL_REFUSED)
		note_refused_link(s, c);
	if (c->kind == PRIMITIVE_TOOL)
		remember_verdict(s, c);
	server_apps_on_call_end(s, c);
	server_keep_call(s, c);
	server_count_call(s, c);
}

static void
on_reply(void *user, uint64_t request, struct session_reply *reply)
{
	struct server *s = user;

	s->generation++;
	if (!reply_is_answer(reply->kind))
		journal_end(s->journal, request, reply->text);
	if (server_lists_on_reply(s, request, reply)) {
		server_retry_now(s);
		return;
	}
	if (server_tasks_on_reply(s, request, reply) || server_relay_on_reply(s, request, reply))
		return;
	struct call *c = call_of_request(s, request);
	if (c && !server_tasks_take_call(s, c, reply) && !server_retry_later(s, c, reply))
		server_end_call(s, c, reply);
}

static struct call *
timed_out_call(const struct server *s, uint64_t request)
{
	for (size_t i = s->calls.len; i-- > 0;) {
		struct call *c = s->calls.items[i];
		if (c->request == request && c->state == CALL_TIMED_OUT &&
		    c->started_us >= s->started_us) /* an earlier session had the same numbers */
			return c;
	}
	return NULL;
}

/* The session has no request for this reply. */
static void
end_by_line(struct server *s, struct call *c, const struct session_line *line)
{
	bool is_result = line->kind == MESSAGE_RESULT;
	struct session_reply reply = { .kind = is_result ? REPLY_RESULT : REPLY_ERROR,
		.doc = server_parse_reply(line->bytes),
		.bytes = line->bytes };

	reply.value = json_get(json_root(reply.doc), is_result ? "result" : "error");
	const cJSON *code = is_result ? NULL : json_get(reply.value, "code");
	const char *text = is_result ? NULL : json_get_string(reply.value, "message");
	if (cJSON_IsNumber(code))
		reply.code = (int64_t)code->valuedouble;
	text_to_line(reply.text, sizeof(reply.text), text ? text : "");
	server_end_call(s, c, &reply);
	json_doc_destroy(reply.doc);
}

/* The journal has it with its request, and its call is shown with it after all. */
static void
on_late_reply(struct server *s, struct call *c, const struct session_line *line)
{
	journal_pair_late(s->journal, line->request);
	c->late_us = s->now_us - c->ended_us;
	s->calls_bytes -= c->held;
	c->kept = 0; /* its row in the history is written again */
	end_by_line(s, c, line);
}

static void
on_line_of_call(struct server *s, const struct session_line *line)
{
	const char *type = json_get_string(json_get(json_root(line->doc), "result"), "resultType");
	bool is_whole = line->kind == MESSAGE_ERROR ||
			(line->kind == MESSAGE_RESULT && (!type || strcmp(type, "complete") == 0));
	struct call *open = call_of_request(s, line->request);
	struct call *late = line->flaw ? timed_out_call(s, line->request) : NULL;

	if (is_whole && open && open->by_hand)
		end_by_line(s, open, line);
	else if (is_whole && late)
		on_late_reply(s, late, line);
}

static void
on_progress(void *user, uint64_t request, const struct session_progress *progress)
{
	struct server *s = user;
	struct call *c = call_of_request(s, request);

	if (c)
		call_on_progress(c, progress);
	else
		server_relay_on_progress(s, request, progress);
	s->generation++;
}

void
server_note_request(struct server *s, uint64_t call, const struct session_server_request *request)
{
	for (size_t i = s->calls.len; call && i-- > 0;)
		if (s->calls.items[i]->id == call)
			call_on_server_request(s->calls.items[i], request);
	char *text = mem_printf("%s%s%s (%s)", request->method, request->message ? ": " : "",
	    request->message ? request->message : "", request->answer);
	server_note(s, text);
	free(text);
}

static void
on_server_request(void *user, const struct session_server_request *request)
{
	struct server *s = user;
	const struct call *c = call_of_request(s, request->request);

	server_note_request(s, c ? c->id : 0, request);
}

static bool
on_question(void *user, const struct session_question *question)
{
	struct server *s = user;
	struct call *c = call_of_request(s, question->request);

	return server_on_question(s, question, c ? c->id : s->asking_for);
}

static void
on_question_gone(void *user, uint64_t question, const char *why)
{
	server_on_question_gone(user, question, why);
}

static void
on_notification(void *user, const char *method, const cJSON *params)
{
	struct server *s = user;

	s->generation++;
	server_notices_take(s, method, params);
	server_tasks_on_notification(s, method, params);
	if (strcmp(method, "notifications/elicitation/complete") == 0)
		server_on_elicited(s, params);
	server_lists_on_notification(s, method);
}

static void
on_note(void *user, const char *text, uint64_t request)
{
	server_note(user, text);
}

static bool
on_wait(void *user, uint64_t id, char *out, size_t size)
{
	struct server *s = user;

	return s->on_wait && s->on_wait(s->wait_user, id, out, size);
}

const struct session_events server_session_events = {
	.on_send = on_send,
	.on_line = on_line,
	.on_state = on_state,
	.on_reply = on_reply,
	.on_progress = on_progress,
	.on_server_request = on_server_request,
	.on_question = on_question,
	.on_question_gone = on_question_gone,
	.on_notification = on_notification,
	.on_watched = server_on_watched,
	.on_note = on_note,
	.on_wait = on_wait,
};

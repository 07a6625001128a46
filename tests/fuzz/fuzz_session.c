/* SPDX-License-Identifier: MIT */
/*
 * A session and its tool list against any messages of a server. The first byte chooses the era and
 * the transport; each line is sent unchanged; a line that starts with '!' is an action of the user
 * or the clock.
 */
#include "fuzz.h"

#include "mcp/content.h"
#include "mcp/session.h"
#include "mcp/primitive.h"
#include "mcp/frame.h"

#include <stdlib.h>
#include <string.h>

struct play {
	struct session *session;
	struct lister lister;
	int64_t now_ms;
	size_t given, replied; /* requests */
	uint64_t last;
	uint64_t question; /* the newest */
};

static void
on_send(void *user, const struct outbound *message)
{
	if (memchr(message->line, '\n', message->len))
		abort();
}

static void
on_line(void *user, const struct session_line *line)
{
	if (line->doc || line->flaw)
		return;
	/* the session parses nothing of a line that is all its own */
	struct json_doc *doc = json_parse(line->bytes->data, line->bytes->len, NULL, NULL);
	if (!doc || line->direction != WIRE_SENT)
		abort();
	json_doc_destroy(doc);
}

static void
on_state(void *user)
{
}

static void
on_reply(void *user, uint64_t request, struct session_reply *reply)
{
	struct play *p = user;
	struct result result;

	if (lister_on_reply(&p->lister, p->session, request, reply, p->now_ms))
		return;
	if (reply->kind == REPLY_RESULT) {
		result_init_of(&result, PRIMITIVE_TOOL, reply->doc, reply->value);
		result_finish(&result);
	}
	p->replied++;
}

static void
on_progress(void *user, uint64_t request, const struct session_progress *progress)
{
	if (request == 0)
		abort();
}

static void
on_asked(void *user, const struct session_server_request *asked)
{
	if (!asked->method || !asked->answer)
		abort();
}

/* Every third is not wanted, every fifth answered at once. */
static bool
on_question(void *user, const struct session_question *question)
{
	static const char accept[] = "{\"action\":\"accept\"}";
	struct play *p = user;

	p->question = question->id;
	if (question->id % 3 == 2)
		return false;
	if (question->id % 5 == 4 &&
	    !session_answer(p->session, question->id, accept, sizeof(accept) - 1, p->now_ms))
		abort();
	return true;
}

static void
on_question_gone(void *user, uint64_t question, const char *why)
{
	if (question == 0 || !why)
		abort();
}

static void
on_notification(void *user, const char *method, const cJSON *params)
{
	struct play *p = user;

	if (strcmp(method, "notifications/tools/list_changed") == 0)
		lister_on_changed(&p->lister, p->now_ms);
}

static void
on_note(void *user, const char *text, uint64_t request)
{
	if (!*text || strchr(text, '\n'))
		abort();
}

/* Any report of the transport about any request. */
static void
lose(struct play *p, char how)
{
	const struct transport_error lost = {
		.kind = (enum transport_error_kind)((unsigned char)how % 5),
		.id = (unsigned char)how / 5 % 4 == 0 ? 0 : p->last + (unsigned char)how % 3,
		.status = 200 + (unsigned char)how,
		.text = how & 1 ? "lost\non two lines" : NULL,
		.body = "body",
		.body_len = 4,
	};

	session_on_transport_error(p->session, &lost, p->now_ms);
}

static uint64_t
answer_task(struct play *p)
{
	static const char asked[] =
	    "{\"k\":{\"method\":\"elicitation/create\",\"params\":{\"message\":\"?\","
	    "\"requestedSchema\":{\"type\":\"object\",\"properties\":{}}}}}";
	struct json_doc *doc = json_parse(asked, sizeof(asked) - 1, NULL, NULL);
	uint64_t id = session_answer_task(p->session, "T", json_root(doc), p->now_ms);

	json_doc_destroy(doc);
	return id;
}

static void
act_on_rest(struct play *p, char what)
{
	if (what == 'w')
		session_watch(p->session, WATCH_RESOURCE, "x:y", true, p->now_ms);
	else if (what == 'W')
		session_watch(p->session, WATCH_RESOURCE, "x:y", false, p->now_ms);
	else if (what == 'k')
		session_watch(p->session, WATCH_TASK, "T", true, p->now_ms);
	else if (what == 'v')
		session_set_log_level(p->session, LOG_LEVEL_INFO, p->now_ms);
	else if (what == 'T')
		p->now_ms += 20000;
}

static void
act(struct play *p, const char *what, size_t len)
{
	uint64_t id = 0;

	for (size_t i = 0; i < len && i < 32; i++) {
		p->now_ms += 10;
		if (what[i] == 'c')
			id = session_call(p->session,
			    &(struct session_call){ .name = "t", .arguments = what, .len = len },
			    p->now_ms);
		else if (what[i] == 'r')
			id = session_request(p->session, "prompts/get", what, len, p->now_ms);
		else if (what[i] == 'l')
			lister_start(&p->lister, p->session, p->now_ms);
		else if (what[i] == 'x')
			session_cancel(p->session, p->last, NULL, p->now_ms);
		else if (what[i] == 't')
			p->now_ms += 1000;
		else if (what[i] == 'a')
			session_answer(p->session, p->question--, "{}", 2, p->now_ms);
		else if (what[i] == 'd')
			session_refuse(p->session, p->question--, -1, "no", p->now_ms);
		else if (what[i] == 'e')
			session_on_closed(p->session, p->now_ms);
		else if (what[i] == 'q')
			id = answer_task(p);
		else if (what[i] == 'b' && i + 1 < len)
			lose(p, what[++i]);
		else
			act_on_rest(p, what[i]);
		if (id) {
			p->last = id;
			p->given++;
			id = 0;
		}
		session_on_time(p->session, p->now_ms);
		lister_on_time(&p->lister, p->session, p->now_ms);
	}
}

static void
take_line(void *user, struct frame_line line)
{
	struct play *p = user;

	if (line.bytes->len > 0 && line.bytes->data[0] == '!') {
		act(p, line.bytes->data + 1, line.bytes->len - 1);
		blob_unref(line.bytes);
	} else {
		session_on_line(p->session, line.bytes, line.dropped, p->now_ms);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct session_events events = {
		.on_send = on_send,
		.on_line = on_line,
		.on_state = on_state,
		.on_reply = on_reply,
		.on_progress = on_progress,
		.on_server_request = on_asked,
		.on_question = on_question,
		.on_question_gone = on_question_gone,
		.on_notification = on_notification,
		.on_note = on_note,
	};
	struct play p = { 0 };
	struct frame frame;

	if (size < 1)
		return 0;
	struct session_options options = {
		.era = (enum session_era)(data[0] % 3),
		.transport = data[0] / 3 % 2 ? TRANSPORT_HTTP : TRANSPORT_STDIO,
		.ping_ms = 5000,
		.timeout_ms = 1000,
		.max_timeout_ms = 3000,
		.can = { .elicitation_form = true,
		    .elicitation_url = true,
		    .sampling = true,
		    .sampling_tools = true,
		    .roots = true },
	};
	lister_init(&p.lister, PRIMITIVE_TOOL);
	p.session = session_create(&options, &events, &p);
	session_start(p.session, 0);
	frame_init(&frame, 65536, take_line, &p);
	frame_feed(&frame, (const char *)data + 1, size - 1);
	frame_end(&frame);
	frame_finish(&frame);
	session_on_closed(p.session, p.now_ms);
	if (p.given != p.replied || session_open_requests(p.session) != 0)
		abort();
	session_destroy(p.session);
	lister_finish(&p.lister);
	return 0;
}

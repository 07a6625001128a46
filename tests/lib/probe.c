/* SPDX-License-Identifier: MIT */
#include "probe.h"

#include "base/mem.h"
#include "base/vec.h"
#include "mcp/content.h"
#include "json/write.h"
#include "mcp/session.h"

#include <stdlib.h>
#include <string.h>

static char *
describe(const struct outbound *message)
{
	struct buf out = BUF_INIT;
	struct json_writer w;

	json_write_init(&w, &out);
	json_write_object(&w);
	json_write_member_string(&w, "version", message->version);
	json_write_member_bool(&w, "modern", message->modern);
	json_write_member_string(&w, "name", message->name);
	json_write_member_int(&w, "cancels", (int64_t)message->cancels);
	json_write_key(&w, "params");
	json_write_object(&w);
	for (size_t i = 0; i < message->param_count; i++)
		json_write_member_string(&w, message->params[i].name, message->params[i].value);
	json_write_object_end(&w);
	json_write_object_end(&w);
	char *text = mem_strdup(buf_text(&out));
	buf_finish(&out);
	return text;
}

static void
on_send(void *user, const struct outbound *message)
{
	struct probe *p = user;
	char *copy = mem_strndup(message->line, message->len);

	*VEC_PUSH(&p->sent) = copy;
	*VEC_PUSH(&p->facts) = describe(message);
}

static void
end_item(struct json_writer *w)
{
	json_write_object_end(w);
	buf_add_char(w->out, ',');
}

/* Parse sent lines here, because the session does not parse its own. */
static bool
is_json(const struct session_line *line)
{
	if (line->doc || line->direction == WIRE_RECEIVED)
		return line->doc != NULL;
	struct json_doc *doc = json_parse(line->bytes->data, line->bytes->len, NULL, NULL);
	json_doc_destroy(doc);
	return doc != NULL;
}

static void
on_line(void *user, const struct session_line *line)
{
	struct probe *p = user;
	struct json_writer w;

	json_write_init(&w, &p->lines);
	json_write_object(&w);
	json_write_member_string(&w, "dir", line->direction == WIRE_SENT ? "sent" : "received");
	json_write_member_string(&w, "kind", message_kind_names[line->kind]);
	json_write_member_string(&w, "method", line->method);
	json_write_member_string(&w, "id", line->id);
	json_write_member_int(&w, "request", (int64_t)line->request);
	json_write_member_string(&w, "flaw", line->flaw);
	json_write_member_bool(&w, "json", is_json(line));
	json_write_member_int(&w, "dropped", (int64_t)line->dropped);
	end_item(&w);
}

static void
on_state(void *user)
{
}

static void
on_reply(void *user, uint64_t request, struct session_reply *reply)
{
	static const char *const kinds[] = { "result", "error", "invalid", "timed out", "cancelled",
		"closed", "lost", "task", "input required" };
	struct probe *p = user;
	struct json_writer w;

	for (int k = 0; k < PRIMITIVE_KINDS; k++)
		if (lister_on_reply(&p->listers[k], p->session, request, reply, p->now_ms))
			return;
	json_write_init(&w, &p->replies);
	json_write_object(&w);
	json_write_member_int(&w, "request", (int64_t)request);
	json_write_member_string(&w, "kind", kinds[reply->kind]);
	json_write_member_int(&w, "code", reply->code);
	json_write_member_string(&w, "text", reply->text);
	json_write_member_bool(&w, "bytes", reply->bytes != NULL);
	if (reply->value) {
		json_write_key(&w, "value");
		json_write_value(&w, reply->value);
	}
	end_item(&w);
}

static void
on_progress(void *user, uint64_t request, const struct session_progress *progress)
{
	struct probe *p = user;
	struct json_writer w;

	json_write_init(&w, &p->progress);
	json_write_object(&w);
	json_write_member_int(&w, "request", (int64_t)request);
	if (progress->value) {
		json_write_key(&w, "value");
		json_write_value(&w, progress->value);
	}
	if (progress->total) {
		json_write_key(&w, "total");
		json_write_value(&w, progress->total);
	}
	json_write_member_string(&w, "message", progress->message);
	end_item(&w);
}

static void
on_asked(void *user, const struct session_server_request *asked)
{
	struct probe *p = user;
	struct json_writer w;

	json_write_init(&w, &p->asked);
	json_write_object(&w);
	json_write_member_string(&w, "method", asked->method);
	json_write_member_string(&w, "message", asked->message);
	json_write_member_string(&w, "answer", asked->answer);
	json_write_member_int(&w, "request", (int64_t)asked->request);
	end_item(&w);
}

static bool
on_question(void *user, const struct session_question *question)
{
	struct probe *p = user;
	struct json_writer w;

	json_write_init(&w, &p->questions);
	json_write_object(&w);
	json_write_member_int(&w, "id", (int64_t)question->id);
	json_write_member_string(&w, "method", question->method);
	json_write_member_string(&w, "key", question->key);
	json_write_member_int(&w, "request", (int64_t)question->request);
	json_write_member_bool(&w, "again", question->sends_again);
	if (question->params) {
		json_write_key(&w, "params");
		json_write_value(&w, question->params);
	}
	end_item(&w);
	return p->answers;
}

static void
on_question_gone(void *user, uint64_t question, const char *why)
{
	struct probe *p = user;
	struct json_writer w;

	json_write_init(&w, &p->gone);
	json_write_object(&w);
	json_write_member_int(&w, "id", (int64_t)question);
	json_write_member_string(&w, "why", why);
	end_item(&w);
}

static void
on_notification(void *user, const char *method, const cJSON *params)
{
	struct probe *p = user;
	struct json_writer w;

	if (strcmp(method, "notifications/tools/list_changed") == 0)
		lister_on_changed(&p->listers[PRIMITIVE_TOOL], p->now_ms);
	json_write_init(&w, &p->notifications);
	json_write_string(&w, method);
	buf_add_char(&p->notifications, ',');
}

static void
on_note(void *user, const char *text, uint64_t request)
{
	struct probe *p = user;
	struct json_writer w;

	json_write_init(&w, &p->notes);
	json_write_string(&w, text);
	buf_add_char(&p->notes, ',');
}

void
probe_init(struct probe *p, const struct session_options *options)
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

	*p = (struct probe){ 0 };
	for (int k = 0; k < PRIMITIVE_KINDS; k++)
		lister_init(&p->listers[k], (enum primitive_kind)k);
	p->session = session_create(options, &events, p);
}

void
probe_finish(struct probe *p)
{
	session_destroy(p->session);
	for (int k = 0; k < PRIMITIVE_KINDS; k++)
		lister_finish(&p->listers[k]);
	for (size_t i = 0; i < p->sent.len; i++) {
		free(p->sent.items[i]);
		free(p->facts.items[i]);
	}
	free(p->sent.items);
	free(p->facts.items);
	for (size_t i = 0; i < p->watched_count; i++)
		free(p->watched[i].key);
	buf_finish(&p->notes);
	buf_finish(&p->lines);
	buf_finish(&p->replies);
	buf_finish(&p->progress);
	buf_finish(&p->asked);
	buf_finish(&p->questions);
	buf_finish(&p->gone);
	buf_finish(&p->notifications);
}

void
probe_say(struct probe *p, const char *line, size_t len)
{
	struct raw_message read;

	raw_message_init(&read, (struct frame_line){ .bytes = blob_from_bytes(line, len) });
	raw_message_read(&read, NULL);
	read.stream = p->stream;
	read.in_session = p->in_session;
	session_on_raw_message(p->session, &read, p->now_ms);
}

void
probe_wait(struct probe *p, int64_t ms)
{
	int64_t end = p->now_ms + ms;

	for (;;) {
		int64_t next = session_next_time(p->session);
		for (int k = 0; k < PRIMITIVE_KINDS; k++)
			if (lister_next_time(&p->listers[k]) < next)
				next = lister_next_time(&p->listers[k]);
		if (next > end)
			break;
		p->now_ms = next > p->now_ms ? next : p->now_ms;
		session_on_time(p->session, p->now_ms);
		for (int k = 0; k < PRIMITIVE_KINDS; k++)
			lister_on_time(&p->listers[k], p->session, p->now_ms);
	}
	p->now_ms = end;
}

/* Cut the next word off text. */
static char *
word(char **text)
{
	char *start = *text, *end = strchr(start, ' ');

	*text = end ? end + 1 : start + strlen(start);
	if (end)
		*end = '\0';
	return start;
}

static enum primitive_kind
kind_named(const char *plural)
{
	enum primitive_kind kind = PRIMITIVE_KINDS;

	while (kind-- > 0)
		if (strcmp(primitive_kinds[kind].plural, plural) == 0)
			return kind;
	return PRIMITIVE_TOOL;
}

static void
call(struct probe *p, const char *name, const char *arguments)
{
	const struct primitive *tool =
	    primitive_list_find(&p->listers[PRIMITIVE_TOOL].list, name, 0);

	session_call(p->session,
	    &(struct session_call){ .name = name,
		.arguments = arguments,
		.len = strlen(arguments),
		.definition = tool ? tool->definition : NULL },
	    p->now_ms);
}

/* Parse "task ID" or "resource URI". */
static void
watch(struct probe *p, bool on, char *text)
{
	enum watch_kind kind = strcmp(word(&text), "task") == 0 ? WATCH_TASK : WATCH_RESOURCE;

	session_watch(p->session, kind, text, on, p->now_ms);
	if (p->watched_count < PROBE_WATCHES) {
		p->watched[p->watched_count].kind = kind;
		p->watched[p->watched_count++].key = mem_strdup(text);
	}
}

static void
write_watches(struct json_writer *w, const struct probe *p)
{
	static const char *const states[] = { "none", "asked", "on", "refused" };

	json_write_key(w, "watches");
	json_write_object(w);
	for (size_t i = 0; i < p->watched_count; i++)
		json_write_member_string(w, p->watched[i].key,
		    states[session_watch_state(p->session, p->watched[i].kind, p->watched[i].key)]);
	json_write_object_end(w);
}

static void
lose(struct probe *p, char *text)
{
	static const char *const hows[] = { "unreachable", "status", "broken", "session",
		"forbidden" };
	struct transport_error lost = { .kind = TRANSPORT_UNREACHABLE };
	const char *how = word(&text);

	for (size_t i = 0; i < ARRAY_LEN(hows); i++)
		if (strcmp(hows[i], how) == 0)
			lost.kind = (enum transport_error_kind)i;
	lost.id = strtoull(word(&text), NULL, 10);
	lost.status = (int)strtol(word(&text), NULL, 10);
	lost.text = *text ? text : NULL;
	session_on_transport_error(p->session, &lost, p->now_ms);
}

bool
probe_do(struct probe *p, const char *action)
{
	char *text = mem_strdup(action), *rest = text, *verb = word(&rest);
	bool known = true;

	if (strcmp(verb, "start") == 0) {
		session_start(p->session, p->now_ms);
	} else if (strcmp(verb, "close") == 0) {
		session_on_closed(p->session, p->now_ms);
	} else if (strcmp(verb, "list") == 0) {
		lister_start(&p->listers[kind_named(rest)], p->session, p->now_ms);
	} else if (strcmp(verb, "call") == 0) {
		char *name = word(&rest);
		call(p, name, rest);
	} else if (strcmp(verb, "request") == 0) {
		char *method = word(&rest);
		session_request(p->session, method, *rest ? rest : NULL, strlen(rest), p->now_ms);
	} else if (strcmp(verb, "cancel") == 0) {
		uint64_t id = strtoull(word(&rest), NULL, 10);
		session_cancel(p->session, id, *rest ? rest : NULL, p->now_ms);
	} else if (strcmp(verb, "watch") == 0 || strcmp(verb, "unwatch") == 0) {
		watch(p, strcmp(verb, "watch") == 0, rest);
	} else if (strcmp(verb, "level") == 0) {
		session_set_log_level(p->session, log_level_from_name(rest), p->now_ms);
	} else if (strcmp(verb, "task") == 0) {
		char *id = word(&rest);
		struct json_doc *doc = json_parse(rest, strlen(rest), NULL, NULL);
		session_answer_task(p->session, id, doc ? json_root(doc) : NULL, p->now_ms);
		json_doc_destroy(doc);
	} else if (strcmp(verb, "lost") == 0) {
		lose(p, rest);
	} else if (strcmp(verb, "answer") == 0) {
		uint64_t id = strtoull(word(&rest), NULL, 10);
		known = session_answer(p->session, id, rest, strlen(rest), p->now_ms);
	} else if (strcmp(verb, "refuse") == 0) {
		uint64_t id = strtoull(word(&rest), NULL, 10);
		known = session_refuse(p->session, id, -1, rest, p->now_ms);
	} else if (strcmp(verb, "stream") == 0) {
		p->stream = strtoull(rest, NULL, 10);
	} else if (strcmp(verb, "session") == 0) {
		p->in_session = true;
	} else if (strcmp(verb, "roots") == 0) {
		session_roots_changed(p->session, p->now_ms);
	} else {
		known = false;
	}
	free(text);
	return known;
}

const char *
probe_next_sent(struct probe *p)
{
	return p->expected < p->sent.len ? p->sent.items[p->expected++] : NULL;
}

const char *
probe_facts(const struct probe *p)
{
	return p->expected > 0 ? p->facts.items[p->expected - 1] : NULL;
}

static void
write_list(struct json_writer *w, const char *key, const struct buf *items)
{
	json_write_key(w, key);
	json_write_array(w);
	if (items->len > 0)
		json_write_raw(w, items->data, items->len - 1);
	json_write_array_end(w);
}

static void
write_primitives(struct json_writer *w, const struct lister *l)
{
	json_write_key(w, primitive_kinds[l->kind].plural);
	json_write_array(w);
	for (size_t i = 0; i < l->list.len; i++) {
		const struct primitive *p = &l->list.items[i];
		json_write_object(w);
		json_write_member_string(w, "name", p->name);
		if (p->kind != PRIMITIVE_TOOL)
			json_write_member_string(w, "key", p->key);
		json_write_member_string(w, "label", p->title && *p->title ? p->title : p->name);
		json_write_member_string(w, "problem", p->problem);
		json_write_member_int(w, "nth", (int64_t)p->nth);
		json_write_member_int(w, "of", (int64_t)p->of);
		json_write_object_end(w);
	}
	json_write_array_end(w);
}

static void
write_lister(struct json_writer *w, const struct lister *l)
{
	json_write_member_string(w, "note", l->list.note);
	json_write_member_string(w, "list_error", l->error);
	json_write_member_bool(w, "listing", lister_is_busy(l));
	json_write_member_bool(w, "listed", l->complete);
}

/* Write the tools, then each other kind that was listed, under its name. */
static void
write_listers(struct json_writer *w, const struct lister *listers)
{
	for (int k = 0; k < PRIMITIVE_KINDS; k++)
		write_primitives(w, &listers[k]);
	write_lister(w, &listers[PRIMITIVE_TOOL]);
	json_write_key(w, "lists");
	json_write_object(w);
	for (int k = PRIMITIVE_TOOL + 1; k < PRIMITIVE_KINDS; k++) {
		json_write_key(w, primitive_kinds[listers[k].kind].plural);
		json_write_object(w);
		write_lister(w, &listers[k]);
		json_write_object_end(w);
	}
	json_write_object_end(w);
}

static void
write_session(struct json_writer *w, const struct session *s)
{
	static const char *const states[] = { "new", "opening", "ready", "failed", "closed" };

	json_write_member_string(w, "state", states[session_info(s)->state]);
	json_write_member_string(w, "failure", session_info(s)->failure);
	json_write_member_bool(w, "wants_sse", session_info(s)->wants_sse);
	json_write_member_bool(w, "modern", session_info(s)->modern);
	json_write_member_string(w, "protocol", session_info(s)->protocol);
	json_write_member_string(w, "server", session_info(s)->server_name);
	json_write_member_string(w, "title", session_info(s)->server_title);
	json_write_member_string(w, "version", session_info(s)->server_version);
	json_write_member_string(w, "instructions", session_info(s)->instructions);
	if (session_info(s)->server_capabilities) {
		json_write_key(w, "capabilities");
		json_write_value(w, session_info(s)->server_capabilities);
	}
	json_write_member_int(w, "open", (int64_t)session_open_requests(s));
	json_write_member_bool(w, "timer", session_next_time(s) != INT64_MAX);
}

struct json_doc *
probe_snapshot(const struct probe *p)
{
	struct buf out = BUF_INIT;
	struct json_writer w;

	json_write_init(&w, &out);
	json_write_object(&w);
	write_session(&w, p->session);
	write_listers(&w, p->listers);
	write_list(&w, "lines", &p->lines);
	write_list(&w, "replies", &p->replies);
	write_list(&w, "progress", &p->progress);
	write_list(&w, "asked", &p->asked);
	write_list(&w, "questions", &p->questions);
	write_list(&w, "gone", &p->gone);
	write_list(&w, "notifications", &p->notifications);
	write_list(&w, "notes", &p->notes);
	write_watches(&w, p);
	json_write_object_end(&w);
	struct json_doc *doc = json_parse(buf_text(&out), out.len, NULL, NULL);
	buf_finish(&out);
	return doc;
}

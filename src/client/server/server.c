/* SPDX-License-Identifier: MIT */
#include "server.h"

#include "base/glyph.h"
#include "base/mem.h"
#include "base/vec.h"
#include "json/print.h"
#include "json/write.h"
#include "mcp/primitive.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STDERR_LINE ((size_t)4096)
#define STDERR_TAIL ((size_t)16384) /* the backtrace of a crash and the line before it */

const struct server_info *
server_info(const struct server *s)
{
	return &s->info;
}

uint64_t
server_generation(const struct server *s)
{
	return s->generation + server_lists_generation(s) + s->completer.generation;
}

const char *
server_phase_name(enum server_phase phase)
{
	static const char *const names[] = {
		[SERVER_IDLE] = "not connected",
		[SERVER_UNPACKING] = "unpacking",
		[SERVER_STARTING] = "connecting",
		[SERVER_LISTING] = "listing tools",
		[SERVER_READY] = "ready",
		[SERVER_FAILED] = "failed",
		[SERVER_EXITED] = "ended",
	};
	return names[phase];
}

void
server_on_note(struct server *s, const char *text, uint64_t carried, int64_t now_us)
{
	struct blob *bytes = blob_from_bytes(text, strlen(text));

	s->now_us = now_us;
	journal_add(s->journal,
	    &(struct journal_args){
		.kind = JOURNAL_NOTE, .at_us = now_us, .bytes = bytes, .carried = carried });
	blob_unref(bytes);
	s->generation++;
}

void
server_note(struct server *s, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	char *text = mem_vprintf(format, args);
	va_end(args);
	server_on_note(s, text, 0, s->now_us);
	free(text);
}

/* Set the phase and journal the reason. */
static void
server_fail(struct server *s, enum server_phase phase, const char *why)
{
	s->info.phase = phase;
	snprintf(s->trouble, sizeof(s->trouble), "%s", why);
	server_note(s, "%s", why);
}

uint64_t
server_request(struct server *s, const char *method, const char *member, const char *value)
{
	struct buf params = BUF_INIT;
	struct json_writer w;

	json_write_init(&w, &params);
	json_write_object(&w);
	json_write_member_string(&w, member, value);
	json_write_object_end(&w);
	uint64_t request = s->session ? session_request(s->session, method, buf_text(&params),
					    params.len, server_now_ms(s))
				      : 0;
	buf_finish(&params);
	return request;
}

/* ---- _meta of calls, reads and gets: members of the user, and a trace context ---- */

#define RESERVED "io.modelcontextprotocol/"

/* A session keeps the members without braces. The trace context of the user goes first. */
static void
update_meta(struct server *s)
{
	size_t len = s->meta ? strlen(s->meta) : 0;

	s->info.meta = s->meta ? s->meta : "";
	s->generation++;
	if (s->session)
		session_set_meta(s->session, len > 2 ? s->meta + 1 : "", len > 2 ? len - 2 : 0,
		    s->info.trace && !s->meta_has_trace ? s->options.trace_seed : NULL);
}

/* KEY=VALUE is a string; KEY:=JSON and an object are written unchanged. */
static bool
add_members(struct json_writer *w, const char *text, struct err *err)
{
	size_t len = strlen(text), key = strcspn(text, "=");
	bool is_json = key > 0 && text[key] && text[key - 1] == ':';
	struct buf name = BUF_INIT;

	if (len >= 2 && text[0] == '{' && text[len - 1] == '}') {
		if (strspn(text + 1, " \t\n") < len - 2)
			json_write_raw(w, text + 1, len - 2);
		return true;
	}
	if (key == 0 || !text[key])
		return err_set(err, "\"%.80s\" is neither KEY=VALUE nor a JSON object", text);
	buf_add(&name, text, key - is_json);
	json_write_key(w, buf_text(&name));
	if (is_json)
		json_write_raw(w, text + key + 1, len - key - 1);
	else
		json_write_string(w, text + key + 1);
	buf_finish(&name);
	return true;
}

bool
server_set_meta(struct server *s, const char *const *members, size_t count, struct err *err)
{
	struct json_error why;
	struct buf text = BUF_INIT;
	struct json_writer w;

	json_write_init(&w, &text);
	json_write_object(&w);
	for (size_t i = 0; i < count; i++)
		if (!add_members(&w, members[i], err)) {
			buf_finish(&text);
			return false;
		}
	json_write_object_end(&w);
	struct json_doc *doc = json_parse(buf_text(&text), text.len, NULL, &why);
	buf_finish(&text);
	bool ok = doc || err_set(err, "_meta: not JSON, %u:%u: %s", why.line, why.column, why.text);
	if (doc && json_flaws(doc)->count > 0)
		ok = err_set(err, "_meta: %s", json_flaw_text(json_flaws(doc)->items[0].kind));
	for (const cJSON *m = json_first(json_root(doc)); m && ok; m = m->next)
		if (strncmp(m->string, RESERVED, strlen(RESERVED)) == 0 ||
		    strcmp(m->string, "progressToken") == 0)
			ok = err_set(err, "_meta: the protocol itself sets %.80s", m->string);
	if (ok) {
		free(s->meta);
		s->meta_has_trace = json_get(json_root(doc), "traceparent") != NULL;
		s->meta = json_count(json_root(doc)) > 0 ? json_text(json_root(doc)) : NULL;
		update_meta(s);
	}
	json_doc_destroy(doc);
	return ok;
}

void
server_set_trace(struct server *s, bool on)
{
	s->info.trace = on;
	update_meta(s);
}

bool
server_ping(struct server *s, int64_t now_us)
{
	s->now_us = now_us;
	if (!s->session || s->ping.request)
		return false;
	bool modern = session_info(s->session)->modern;
	s->ping = (struct ping){
		.method = modern ? "server/discover" : "ping", .sent_us = now_us, .took_us = -1
	};
	s->ping.request = session_request(s->session, s->ping.method, NULL, 0, server_now_ms(s));
	return s->ping.request != 0;
}

/* ---- the lists ---- */

/* The server is ready once its tools are listed; the other lists can follow later. */
static void
update_phase(struct server *s)
{
	if (s->info.phase == SERVER_LISTING && !lister_is_busy(&s->listers[PRIMITIVE_TOOL]))
		s->info.phase = SERVER_READY;
}

void
server_relist(struct server *s, int64_t now_us)
{
	s->now_us = now_us;
	if (!s->session || session_info(s->session)->state != SESSION_READY)
		return;
	completer_forget(&s->completer);
	s->skills.fresh_from = s->next_call;
	for (int kind = 0; kind < PRIMITIVE_KINDS; kind++)
		if (!(s->options.skip_lists >> kind & 1))
			lister_start(&s->listers[kind], s->session, server_now_ms(s));
	update_phase(s);
}

bool
server_lists_on_reply(struct server *s, uint64_t request, struct session_reply *reply)
{
	bool used = false;

	for (int kind = 0; kind < PRIMITIVE_KINDS && !used; kind++)
		used = lister_on_reply(
		    &s->listers[kind], s->session, request, reply, server_now_ms(s));
	if (used) {
		update_phase(s);
		server_skills_on_list(s);
	}
	if (used || server_skills_on_reply(s, request, reply) ||
	    completer_on_reply(&s->completer, request, reply))
		return true;
	if (request == 0 || request != s->ping.request)
		return false;
	s->ping.request = 0;
	if (reply->kind == REPLY_RESULT)
		s->ping.took_us = s->now_us - s->ping.sent_us;
	else
		snprintf(s->ping.error, sizeof(s->ping.error), "%s", reply->text);
	s->ping.unanswered = !reply_is_answer(reply->kind);
	return true;
}

void
server_complete(
    struct server *s, const struct completion_question *question, int64_t delay_ms, int64_t now_us)
{
	s->now_us = now_us;
	if (question)
		completer_ask(&s->completer, question, delay_ms, server_now_ms(s));
	else
		completer_drop(&s->completer);
}

bool
server_is_listing(const struct server *s)
{
	for (int kind = 0; kind < PRIMITIVE_KINDS; kind++)
		if (lister_is_busy(&s->listers[kind]))
			return true;
	return false;
}

uint64_t
server_lists_generation(const struct server *s)
{
	uint64_t generation = 0;

	for (int kind = 0; kind < PRIMITIVE_KINDS; kind++)
		generation += s->listers[kind].generation;
	return generation;
}

/* ---- log messages ---- */

static size_t
entry_bytes(const struct log_entry *e)
{
	return sizeof(*e) + e->data_len + strlen(e->level_name) +
	       (e->logger ? strlen(e->logger) : 0);
}

static void
entry_finish(struct log_entry *e)
{
	free(e->level_name);
	free(e->logger);
	free(e->data);
}

void
logs_clear(struct logs *l)
{
	for (size_t i = 0; i < l->len; i++)
		entry_finish(&l->items[i]);
	l->len = l->bytes = l->unseen = 0;
}

void
logs_finish(struct logs *l)
{
	logs_clear(l);
	free(l->items);
	*l = (struct logs){ 0 };
}

/* Evict a tenth at a time, because each eviction moves the array. */
static void
make_room(struct logs *l)
{
	size_t gone = 0;

	if (l->len < LOGS_MAX && l->bytes <= LOGS_MAX_BYTES)
		return;
	while (gone + 1 < l->len && (l->len - gone > LOGS_MAX - LOGS_MAX / 10 ||
					l->bytes > LOGS_MAX_BYTES - LOGS_MAX_BYTES / 10)) {
		l->bytes -= entry_bytes(&l->items[gone]);
		entry_finish(&l->items[gone++]);
	}
	l->len -= gone;
	l->evicted += gone;
	memmove(l->items, l->items + gone, l->len * sizeof(*l->items));
}

void
logs_add(struct logs *l, const cJSON *params, int64_t now_us)
{
	const char *level = json_get_string(params, "level");
	const cJSON *data = json_get(params, "data");
	struct log_entry e = { .id = ++l->last_id, .at_us = now_us };
	struct buf text = BUF_INIT;

	e.level = log_level_from_name(level);
	e.level_name = label_dup(level ? level : "");
	e.logger = label_dup(json_get_string(params, "logger"));
	e.is_text = cJSON_IsString(data);
	if (e.is_text)
		buf_add_str(&text, cJSON_GetStringValue(data));
	else if (data)
		json_print(&text, data);
	e.data_len = text.len;
	e.data = buf_detach(&text);
	if (!e.data)
		e.data = mem_strdup("");
	l->bytes += entry_bytes(&e);
	l->unseen += e.level >= LOG_LEVEL_WARNING;
	*VEC_PUSH(l) = e;
	make_room(l);
}

const struct log_entry *
logs_find(const struct logs *l, uint64_t id)
{
	uint64_t first = l->len > 0 ? l->items[0].id : 0;

	return l->len > 0 && id >= first && id - first < l->len ? &l->items[id - first] : NULL;
}

void
server_logs_seen(struct server *s)
{
	s->generation += s->logs.unseen > 0;
	s->logs.unseen = 0;
}

void
server_logs_clear(struct server *s)
{
	logs_clear(&s->logs);
	s->generation++;
}

bool
server_set_log_level(struct server *s, enum log_level level, int64_t now_us)
{
	s->now_us = now_us;
	s->info.log_level = level;
	s->generation++;
	return s->session && session_set_log_level(s->session, level, server_now_ms(s));
}

/* ---- watched resources ---- */

static struct server_watch *
find_watch(const struct server *s, const char *uri)
{
	for (size_t i = 0; i < s->watches.len; i++)
		if (strcmp(s->watches.items[i].uri, uri) == 0)
			return &s->watches.items[i];
	return NULL;
}

bool
server_watch(struct server *s, const char *uri, bool on, int64_t now_us)
{
	struct server_watch *w = find_watch(s, uri);

	s->now_us = now_us;
	s->generation++;
	if (on && !(s->session && session_can_watch(s->session, WATCH_RESOURCE)))
		return false;
	if (on && !w)
		*VEC_PUSH(&s->watches) = (struct server_watch){ .uri = mem_strdup(uri) };
	if (s->session)
		session_watch(s->session, WATCH_RESOURCE, uri, on, server_now_ms(s));
	if (!on && w) {
		free(w->uri);
		VEC_REMOVE(&s->watches, (size_t)(w - s->watches.items));
	}
	return true;
}

enum watch_state
server_watch_state(const struct server *s, const char *uri)
{
	return s->session ? session_watch_state(s->session, WATCH_RESOURCE, uri) : WATCH_NONE;
}

bool
server_watch_changed(const struct server *s, const char *uri)
{
	for (size_t i = 0; i < s->watches.len; i++) {
		const struct server_watch *w = &s->watches.items[i];
		bool changed = w->updated;
		if (uri && strcmp(w->uri, uri) != 0)
			continue;
		for (size_t k = s->calls.len; k-- > 0;) {
			const struct call *c = s->calls.items[k];
			if (c->uri && strcmp(c->uri, w->uri) == 0) {
				changed = w->updated_us > c->started_us;
				break;
			}
		}
		if (changed)
			return true;
	}
	return false;
}

/* ---- events of the session ---- */

void
server_on_state(void *user)
{
	struct server *s = user;
	const struct session_info *session = session_info(s->session);

	s->generation++;
	if (session->state == SESSION_FAILED)
		server_fail(s, SERVER_FAILED, session->failure);
	/* again, because the server forgot the session */
	if (session->state == SESSION_OPENING &&
	    (s->info.phase == SERVER_READY || s->info.phase == SERVER_LISTING))
		s->info.phase = SERVER_STARTING;
	if (session->state != SESSION_READY ||
	    (s->info.phase != SERVER_STARTING && s->info.phase != SERVER_FAILED))
		return;
	s->trouble[0] = '\0';
	if (session->modern && !s->options.session.onlooker)
		journal_excuse_probe(s->journal, "initialize", "era probe: modern");
	s->info.phase = s->options.session.onlooker ? SERVER_READY : SERVER_LISTING;
	if (s->info.log_level != LOG_LEVEL_NONE && session->log_level != s->info.log_level)
		session_set_log_level(s->session, s->info.log_level, server_now_ms(s));
	for (size_t i = 0; i < s->watches.len; i++)
		session_watch(
		    s->session, WATCH_RESOURCE, s->watches.items[i].uri, true, server_now_ms(s));
	server_tasks_on_ready(s);
	if (s->info.connect_us < 0)
		s->info.connect_us = s->now_us - s->started_us;
	if (!s->options.session.onlooker)
		server_relist(s, s->now_us);
}

static const struct {
	const char *method;
	enum primitive_kind kind;
	int app_list; /* enum app_list; -1: the apps were notified by an earlier row */
} notices[] = {
	{ "notifications/tools/list_changed", PRIMITIVE_TOOL, APP_LIST_TOOLS },
	{ "notifications/resources/list_changed", PRIMITIVE_RESOURCE, APP_LIST_RESOURCES },
	{ "notifications/resources/list_changed", PRIMITIVE_TEMPLATE, -1 },
	{ "notifications/prompts/list_changed", PRIMITIVE_PROMPT, APP_LIST_PROMPTS },
};

void
server_on_notification(void *user, const char *method, const cJSON *params)
{
	struct server *s = user;
	const char *uri = json_get_string(params, "uri");

	s->generation++;
	if (strcmp(method, "notifications/message") == 0)
		logs_add(&s->logs, params, s->now_us);
	if (strcmp(method, "notifications/elicitation/complete") == 0)
		server_on_elicited(s, params);
	if (uri && strcmp(method, "notifications/resources/updated") == 0) {
		struct server_watch *w = find_watch(s, uri);
		if (w) {
			w->updated = true;
			w->updated_us = s->now_us;
		}
	}
	server_tasks_on_notification(s, method, params);
	for (size_t i = 0; i < ARRAY_LEN(notices); i++) {
		if (strcmp(notices[i].method, method) != 0)
			continue;
		if (!s->options.session.onlooker && !(s->options.skip_lists >> notices[i].kind & 1))
			lister_on_changed(&s->listers[notices[i].kind], server_now_ms(s));
		if (notices[i].kind == PRIMITIVE_RESOURCE)
			s->skills.fresh_from = s->next_call;
		if (notices[i].app_list >= 0)
			server_apps_on_list_changed(s, (enum app_list)notices[i].app_list);
	}
}

/* ---- start and end ---- */

struct server *
server_create(const char *name, const char *label, const struct server_options *options,
    void (*send)(void *user, const struct outbound *message), void *user)
{
	struct server *s = mem_zalloc(sizeof(*s));

	s->name = mem_strdup(name);
	s->label = mem_strdup(label);
	s->options = *options;
	s->on_send = send;
	s->user = user;
	s->next_call = options->calls_after + 1;
	s->journal = journal_create(options->journal_max_bytes);
	s->info = (struct server_info){
		.name = s->name,
		.label = s->label,
		.is_remote = options->session.transport == TRANSPORT_HTTP,
		.trouble = s->trouble,
		.connect_us = -1,
		.journal = s->journal,
		.lists = s->listers,
		.completer = &s->completer,
		.ping = &s->ping,
		.logs = &s->logs,
		.roots = &s->questions.roots,
		.meta = "",
	};
	buf_init(&s->stderr_line, STDERR_LINE);
	for (int kind = 0; kind < PRIMITIVE_KINDS; kind++)
		lister_init(&s->listers[kind], (enum primitive_kind)kind);
	s->completer.due_ms = -1;
	lister_init(&s->skills.files, PRIMITIVE_RESOURCE);
	for (size_t i = 0; i < options->answers.root_count; i++)
		roots_add(&s->questions.roots, options->answers.roots[i], NULL);
	return s;
}

static void
drop_calls(struct server *s)
{
	for (size_t i = 0; i < s->calls.len; i++)
		server_let_go(s->calls.items[i]);
	for (size_t i = 0; i < s->verdicts.len; i++)
		free(s->verdicts.items[i].tool);
	s->calls.len = s->verdicts.len = 0;
}

void
server_destroy(struct server *s)
{
	if (!s)
		return;
	session_destroy(s->session);
	s->session = NULL; /* nothing can be sent any more: the transport may be gone */
	server_apps_finish(s);
	drop_calls(s);
	free(s->calls.items);
	free(s->verdicts.items);
	free(s->retries.items);
	free(s->apps.relays.items);
	for (int kind = 0; kind < PRIMITIVE_KINDS; kind++)
		lister_finish(&s->listers[kind]);
	completer_finish(&s->completer);
	server_skills_finish(s);
	for (size_t i = 0; i < s->watches.len; i++)
		free(s->watches.items[i].uri);
	free(s->watches.items);
	logs_finish(&s->logs);
	server_tasks_finish(s);
	for (size_t i = 0; i < s->info.questions.len; i++)
		question_destroy(s->info.questions.items[i]);
	free(s->info.questions.items);
	strings_finish(&s->questions.roots);
	free(s->questions.end);
	journal_destroy(s->journal);
	buf_finish(&s->stderr_tail);
	buf_finish(&s->stderr_line);
	free(s->name);
	free(s->label);
	free(s->meta);
	free(s);
}

void
server_use_jobs(struct server *s, job_submit_fn *submit, void (*on_checked)(void *user), void *user)
{
	s->submit = submit;
	s->on_checked = on_checked;
	s->jobs_user = user;
}

/* Ends every open call with this reason. */
static void
close_session(struct server *s, const char *how)
{
	if (!s->session)
		return;
	s->end = how;
	session_on_closed(s->session, server_now_ms(s));
	server_tasks_on_closed(s, how);
	/* The session does not know these calls. */
	for (size_t i = 0; i < s->calls.len;) {
		struct session_reply reply = { .kind = REPLY_CLOSED };
		struct call *c = s->calls.items[i];
		if (c->state != CALL_RUNNING || !c->by_hand) {
			i++;
			continue;
		}
		snprintf(reply.text, sizeof(reply.text), "%s", how);
		server_end_call(s, c, &reply);
		i = 0; /* it may have made room */
	}
	journal_end(s->journal, 0, how);
	s->end = NULL;
}

void
server_start(struct server *s, int64_t now_us)
{
	s->now_us = now_us;
	if (s->session) {
		close_session(s, "it was restarted");
		session_destroy(s->session);
		server_note(s, "started again");
	}
	s->trouble[0] = '\0';
	buf_clear(&s->stderr_tail);
	buf_clear(&s->stderr_line);
	s->stderr_cut = false;
	s->started_us = now_us;
	s->info.connect_us = -1;
	s->info.phase = SERVER_STARTING;
	s->session = session_create(&s->options.session, &server_session_events, s);
	s->info.session = s->session;
	update_meta(s);
	session_start(s->session, server_now_ms(s));
}

void
server_rewind(struct server *s, int64_t now_us)
{
	session_destroy(s->session);
	s->info.session = s->session = NULL;
	server_apps_finish(s);
	drop_calls(s);
	s->calls_bytes = s->info.calls = s->info.calls_made = 0;
	for (int kind = 0; kind < PRIMITIVE_KINDS; kind++) {
		uint64_t generation = s->listers[kind].generation;
		lister_finish(&s->listers[kind]);
		s->listers[kind].generation = generation + 1;
	}
	logs_finish(&s->logs);
	journal_clear(s->journal);
	server_start(s, now_us);
}

void
server_set_time_line(struct server *s, const struct time_line *t)
{
	s->info.time_line = t;
}

void
server_set_timeout(struct server *s, int64_t ms)
{
	struct session_options *o = &s->options.session;

	o->timeout_ms = ms;
	if (o->max_timeout_ms > 0 && o->max_timeout_ms < ms)
		o->max_timeout_ms = ms;
	if (s->session)
		session_set_timeouts(s->session, o->timeout_ms, o->max_timeout_ms);
}

enum session_era
server_set_era(struct server *s, enum session_era era)
{
	enum session_era before = s->options.session.era;

	s->options.session.era = era;
	return before;
}

void
server_on_line(struct server *s, struct blob *line, size_t dropped, int64_t now_us)
{
	s->now_us = now_us;
	session_on_line(s->session, line, dropped, server_now_ms(s));
}

void
server_on_raw_message(struct server *s, struct raw_message *line, int64_t now_us)
{
	s->now_us = now_us;
	if (line->is_sent)
		session_on_sent(s->session, line, server_now_ms(s));
	else
		session_on_raw_message(s->session, line, server_now_ms(s));
}

void
server_on_transport_error(struct server *s, const struct transport_error *error, int64_t now_us)
{
	s->now_us = now_us;
	session_on_transport_error(s->session, error, server_now_ms(s));
}

void
server_on_reading(struct server *s, size_t bytes)
{
	s->generation += s->info.reading != bytes;
	s->info.reading = bytes;
}

/* ---- stderr ---- */

static void
journal_stderr_line(struct server *s)
{
	struct blob *bytes = blob_from_bytes(buf_text(&s->stderr_line), s->stderr_line.len);

	journal_add(s->journal,
	    &(struct journal_args){ .kind = JOURNAL_STDERR, .at_us = s->now_us, .bytes = bytes });
	blob_unref(bytes);
	buf_clear(&s->stderr_line);
}

void
server_on_stderr(struct server *s, const char *bytes, size_t len, int64_t now_us)
{
	s->now_us = now_us;
	s->generation++;
	s->stderr_bytes += len;
	buf_add(&s->stderr_tail, bytes, len);
	if (s->stderr_tail.len > STDERR_TAIL) { /* cut at a line end if there is one */
		size_t over = s->stderr_tail.len - STDERR_TAIL;
		const char *line = memchr(s->stderr_tail.data + over - 1, '\n', STDERR_TAIL);
		buf_consume(
		    &s->stderr_tail, line ? (size_t)(line + 1 - s->stderr_tail.data) : over);
	}
	/* Journal whole lines, and overlong ones in parts. */
	while (len > 0) {
		const char *end = memchr(bytes, '\n', len);
		size_t n = end ? (size_t)(end - bytes) : len;
		size_t room = STDERR_LINE - s->stderr_line.len;
		size_t take = n < room ? n : room;
		bool ends = end && take == n;
		buf_add(&s->stderr_line, bytes, take);
		/* the end of an overlong line is not another line */
		if (ends ? !s->stderr_cut || s->stderr_line.len > 0 : take == room)
			journal_stderr_line(s);
		s->stderr_cut = !ends && (take == room || s->stderr_cut);
		bytes += take + ends;
		len -= take + ends;
	}
}

/* ---- ends ---- */

/* An earlier reason of the failure is more precise than the end of the process. */
void
server_on_closed(struct server *s, const char *how, int64_t now_us)
{
	s->now_us = now_us;
	if (s->stderr_line.len > 0)
		journal_stderr_line(s);
	if (s->info.phase == SERVER_FAILED)
		server_note(s, "%s", how);
	else
		server_fail(s, SERVER_EXITED, how);
	close_session(s, how);
}

void
server_on_stopped(struct server *s, int64_t now_us)
{
	s->now_us = now_us;
	if (s->stderr_line.len > 0)
		journal_stderr_line(s);
	server_note(s, "disconnected");
	s->info.phase = SERVER_IDLE;
	s->trouble[0] = '\0';
	close_session(s, "it was disconnected");
}

void
server_on_unpacking(struct server *s, int64_t now_us)
{
	s->started_us = s->now_us = now_us;
	s->trouble[0] = '\0';
	s->info.phase = SERVER_UNPACKING;
	s->generation++;
}

void
server_on_spawn_failed(struct server *s, const char *why, int64_t now_us)
{
	s->now_us = now_us;
	server_fail(s, SERVER_FAILED, why);
	close_session(s, why);
}

void
server_on_again(struct server *s, int64_t wait_ms)
{
	size_t len = strlen(s->trouble);

	snprintf(s->trouble + len, sizeof(s->trouble) - len, "; connecting again in %d s",
	    (int)(wait_ms / 1000));
	s->generation++;
}

void
server_on_reach(struct server *s, const char *why)
{
	if (s->info.phase != SERVER_READY)
		return;
	snprintf(s->trouble, sizeof(s->trouble), "%s", why ? why : "");
	s->generation++;
}

int64_t
server_next_time(const struct server *s)
{
	if (!s->session)
		return INT64_MAX;
	int64_t next = session_next_time(s->session), time = completer_next_time(&s->completer);
	next = time < next ? time : next;
	for (int kind = 0; kind < PRIMITIVE_KINDS; kind++) {
		time = lister_next_time(&s->listers[kind]);
		next = time < next ? time : next;
	}
	int64_t tasks = server_tasks_next_us(s), apps = server_apps_next_time(s);
	next = next == INT64_MAX ? next : next * 1000;
	next = next < tasks ? next : tasks;
	return next < apps ? next : apps;
}

void
server_on_time(struct server *s, int64_t now_us)
{
	s->now_us = now_us;
	if (!s->session)
		return;
	session_on_time(s->session, server_now_ms(s));
	for (int kind = 0; kind < PRIMITIVE_KINDS; kind++)
		if (lister_next_time(&s->listers[kind]) <= server_now_ms(s))
			lister_on_time(&s->listers[kind], s->session, server_now_ms(s));
	completer_on_time(&s->completer, s->session, server_now_ms(s));
	server_tasks_on_time(s);
	server_apps_on_time(s);
}

void
server_extend_deadlines(struct server *s, int64_t us)
{
	if (s->session)
		session_extend_deadlines(s->session, us / 1000);
}

void
server_set_clock(struct server *s, int64_t wall_us, int zone_s)
{
	journal_set_clock(s->journal, wall_us, zone_s);
}

void
server_set_auth(struct server *s, const struct auth_flow *flow)
{
	s->info.auth = flow;
	s->generation++;
}

void
server_changed(struct server *s)
{
	s->generation++;
}

const char *
server_stderr_tail(const struct server *s, const struct call *since)
{
	uint64_t came = s->stderr_bytes - (since ? since->stderr_from : 0);
	uint64_t kept = s->stderr_tail.len;

	return buf_text(&s->stderr_tail) + (came < kept ? kept - came : 0);
}

#include "server.h"

#include "base/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One small round trip: ping, or server/discover in versions that have no ping. */

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

bool
server_ping_on_reply(struct server *s, uint64_t request, struct session_reply *reply)
{
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

#define STDERR_LINE ((size_t)4096)
#define STDERR_TAIL ((size_t)16384) /* room for the backtrace of a crash and the line before it */

/* ---- life ---- */

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
	server_lists_init(s);
	server_questions_init(s);
	return s;
}

void
server_destroy(struct server *s)
{
	if (!s)
		return;
	session_destroy(s->session);
	s->session = NULL; /* nothing can be sent any more: the transport may be gone */
	server_apps_finish(s);
	for (size_t i = 0; i < s->calls.len; i++)
		server_let_go(s->calls.items[i]);
	free(s->calls.items);
	for (size_t i = 0; i < s->verdicts.len; i++)
		free(s->verdicts.items[i].tool);
	free(s->verdicts.items);
	free(s->retries.items);
	free(s->apps.relays.items);
	server_lists_finish(s);
	server_notices_finish(s);
	server_tasks_finish(s);
	server_questions_finish(s);
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

void
server_use_wait(
    struct server *s, bool (*on_wait)(void *user, uint64_t id, char *out, size_t size), void *user)
{
	s->on_wait = on_wait;
	s->wait_user = user;
}

/* Those that the session does not know. */
static void
end_calls_by_hand(struct server *s, const char *how)
{
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
	end_calls_by_hand(s, how);
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
	server_meta_on_start(s);
	session_start(s->session, server_now_ms(s));
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

/* Journals whole lines; overlong ones in parts. */
static void
split_stderr(struct server *s, const char *bytes, size_t len)
{
	while (len > 0) {
		const char *end = memchr(bytes, '\n', len);
		size_t n = end ? (size_t)(end - bytes) : len;
		size_t room = STDERR_LINE - s->stderr_line.len;
		size_t take = n < room ? n : room;
		bool ends = end && take == n;
		buf_add(&s->stderr_line, bytes, take);
		/* the end of an overlong line is not a line of its own */
		if (ends ? !s->stderr_cut || s->stderr_line.len > 0 : take == room)
			journal_stderr_line(s);
		s->stderr_cut = !ends && (take == room || s->stderr_cut);
		bytes += take + ends;
		len -= take + ends;
	}
}

/* Cuts at a line end if there is one. */
static void
trim_tail(struct buf *tail)
{
	if (tail->len <= STDERR_TAIL)
		return;
	size_t over = tail->len - STDERR_TAIL;
	const char *line = memchr(tail->data + over - 1, '\n', STDERR_TAIL);
	buf_consume(tail, line ? (size_t)(line + 1 - tail->data) : over);
}

void
server_on_stderr(struct server *s, const char *bytes, size_t len, int64_t now_us)
{
	s->now_us = now_us;
	s->generation++;
	s->stderr_bytes += len;
	buf_add(&s->stderr_tail, bytes, len);
	trim_tail(&s->stderr_tail);
	split_stderr(s, bytes, len);
}

/* ---- ends ---- */

/* An earlier reason for the failure is more precise than how the process ended. */
void
server_on_closed(struct server *s, const char *how, int64_t now_us)
{
	s->now_us = now_us;
	if (s->stderr_line.len > 0)
		journal_stderr_line(s);
	if (s->info.phase == SERVER_FAILED)
		server_note(s, how);
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
	int64_t session = session_next_time(s->session);
	int64_t lister = server_lists_next_time(s);
	int64_t next = session < lister ? session : lister;
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
	server_lists_on_time(s);
	server_tasks_on_time(s);
	server_apps_on_time(s);
}

void
server_extend_deadlines(struct server *s, int64_t us)
{
	if (s->session)
		session_extend_deadlines(s->session, us / 1000);
}

bool
server_is_remote(const struct server *s)
{
	return s->options.session.transport == TRANSPORT_HTTP;
}

void
server_set_clock(struct server *s, int64_t wall_us, int zone_s)
{
	journal_set_clock(s->journal, wall_us, zone_s);
}

void
server_on_note(struct server *s, const char *text, int64_t now_us)
{
	server_on_wire_note(s, text, 0, now_us);
}

void
server_on_wire_note(struct server *s, const char *text, uint64_t id, int64_t now_us)
{
	struct blob *bytes = blob_from_bytes(text, strlen(text));

	s->now_us = now_us;
	journal_add(
	    s->journal, &(struct journal_args){
			    .kind = JOURNAL_NOTE, .at_us = now_us, .bytes = bytes, .carried = id });
	blob_unref(bytes);
	s->generation++;
}

void
server_set_auth(struct server *s, const struct auth_flow *flow)
{
	s->info.auth = flow;
	s->generation++;
}

void
server_on_auth(struct server *s)
{
	s->generation++;
}

/* ---- commands of the user ---- */

struct call *
server_mutable_call(struct server *s, uint64_t id)
{
	for (size_t i = s->calls.len; i-- > 0;)
		if (s->calls.items[i]->id == id)
			return s->calls.items[i];
	return NULL;
}

/* The definition of the tool that a message calls; NULL: it calls none that is listed. */
static const cJSON *
find_called(const struct server *s, const cJSON *message)
{
	const struct primitive_list *tools = &s->listers[PRIMITIVE_TOOL].list;
	const char *method = json_get_string(message, "method");
	const char *name = json_get_string(json_get(message, "params"), "name");

	for (size_t i = 0; method && name && strcmp(method, "tools/call") == 0 && i < tools->len;
	     i++)
		if (strcmp(tools->items[i].key, name) == 0)
			return tools->items[i].definition;
	return NULL;
}

bool
server_send_text(struct server *s, const char *text, size_t len, bool new_id, int64_t now_us,
    uint64_t *call)
{
	struct session_text out = { .text = text, .len = len, .new_id = new_id };
	struct json_doc *doc = json_parse(text, len, NULL, NULL);

	s->now_us = now_us;
	if (doc)
		out.definition = find_called(s, json_root(doc));
	json_doc_destroy(doc);
	s->sending = true;
	s->sent_call = 0;
	bool ok = s->session && session_send_text(s->session, &out, server_now_ms(s));
	s->sending = false;
	*call = s->sent_call;
	return ok;
}

bool
server_cancel(struct server *s, uint64_t call, int64_t now_us)
{
	struct call *c = server_mutable_call(s, call);

	s->now_us = now_us;
	if (!c || c->state != CALL_RUNNING || s->options.session.onlooker)
		return false;
	if (c->by_hand) {
		struct session_reply reply = { .kind = REPLY_CANCELLED,
			.text = "given up; the server was not told" };
		server_end_call(s, c, &reply);
		return true;
	}
	const struct server_task *t = server_task_of_call(s, call);
	if (t)
		return server_task_cancel(s, t->id, now_us) || server_task_leave(s, c);
	return server_retry_cancel(s, c) ||
	       session_cancel(s->session, c->request, CALL_CANCEL_REASON, server_now_ms(s));
}

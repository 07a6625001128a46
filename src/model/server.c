#include "model/server.h"

#include "base/mem.h"
#include "base/vec.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STDERR_TAIL ((size_t)4096)

struct verdict_note {
	char *tool;
	enum verdict_kind kind;
};

struct server {
	char *name, *label;
	struct server_options options;
	void (*on_send)(void *user, const char *line, size_t len);
	void *user;

	enum server_phase phase;
	uint64_t generation;
	struct session *session;
	struct tool_lister lister;
	struct journal *journal;
	struct buf stderr_tail;
	struct buf stderr_line; /* an unfinished one */
	char trouble[400];
	int64_t started_us, connect_us;
	int64_t now_us;

	struct {
		struct call **items;
		size_t len, cap;
	} calls;
	uint64_t next_call;
	size_t calls_made;
	struct {
		struct verdict_note *items;
		size_t len, cap;
	} verdicts;
};

static int64_t
ms(int64_t us)
{
	return us / 1000;
}

/* ---- what the session tells ---- */

static void
on_send(void *user, const char *line, size_t len)
{
	struct server *s = user;

	s->on_send(s->user, line, len);
}

static bool
is_error_reply(const struct session_line *line)
{
	if (line->kind == MESSAGE_ERROR)
		return true;
	return line->kind == MESSAGE_RESULT && line->doc &&
	       json_is_true(json_get(json_get(json_root(line->doc), "result"), "isError"));
}

static void
on_line(void *user, const struct session_line *line)
{
	struct server *s = user;

	journal_add(
	    s->journal, &(struct journal_entry){
			    .kind = line->direction == WIRE_SENT ? JOURNAL_SENT : JOURNAL_RECEIVED,
			    .message = line->kind,
			    .at_us = s->now_us,
			    .bytes = line->bytes,
			    .dropped = line->dropped,
			    .method = (char *)line->method,
			    .rpc_id = (char *)line->id,
			    .flaw = (char *)line->flaw,
			    .is_error = is_error_reply(line),
			});
	s->generation++;
}

static void
note(struct server *s, const char *text)
{
	struct blob *bytes = blob_from_bytes(text, strlen(text));

	journal_add(s->journal,
	    &(struct journal_entry){ .kind = JOURNAL_NOTE, .at_us = s->now_us, .bytes = bytes });
	blob_unref(bytes);
	s->generation++;
}

static void
fail(struct server *s, enum server_phase phase, const char *why)
{
	s->phase = phase;
	snprintf(s->trouble, sizeof(s->trouble), "%s", why);
	note(s, why);
}

static void
on_state(void *user)
{
	struct server *s = user;

	s->generation++;
	switch (session_state(s->session)) {
	case SESSION_READY:
		if (s->phase != SERVER_STARTING && s->phase != SERVER_FAILED)
			break;
		s->trouble[0] = '\0';
		s->phase = SERVER_LISTING;
		s->connect_us = s->now_us - s->started_us;
		tool_lister_start(&s->lister, s->session, ms(s->now_us));
		if (!tool_lister_is_busy(&s->lister))
			s->phase = SERVER_READY;
		break;
	case SESSION_FAILED:
		fail(s, SERVER_FAILED, session_failure(s->session));
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

static void
remember_verdict(struct server *s, const struct call *c)
{
	for (size_t i = 0; i < s->verdicts.len; i++) {
		if (strcmp(s->verdicts.items[i].tool, c->tool) == 0) {
			s->verdicts.items[i].kind = c->verdict.kind;
			return;
		}
	}
	*VEC_PUSH(&s->verdicts) =
	    (struct verdict_note){ .tool = mem_strdup(c->tool), .kind = c->verdict.kind };
}

/* Forgets the oldest replies that are over the bound; the newest call always stays. */
static void
evict_calls(struct server *s)
{
	size_t max = s->options.calls_max_bytes ? s->options.calls_max_bytes : (size_t)256 << 20;
	size_t total = 0;

	for (size_t i = s->calls.len; i-- > 0;) {
		struct call *c = s->calls.items[i];
		total += call_memory(c);
		if ((total > max || s->calls.len - i > 1000) && i + 1 < s->calls.len &&
		    c->state != CALL_RUNNING) {
			total -= call_memory(c);
			call_destroy(c);
			VEC_REMOVE(&s->calls, i);
		}
	}
}

static void
on_reply(void *user, uint64_t request, struct session_reply *reply)
{
	struct server *s = user;

	s->generation++;
	if (tool_lister_on_reply(&s->lister, s->session, request, reply, ms(s->now_us))) {
		if (s->phase == SERVER_LISTING && !tool_lister_is_busy(&s->lister))
			s->phase = SERVER_READY;
		return;
	}
	struct call *c = call_of_request(s, request);
	if (!c) {
		json_doc_destroy(reply->doc);
		return;
	}
	call_on_reply(c, reply, s->now_us);
	remember_verdict(s, c);
	evict_calls(s);
}

static void
on_progress(void *user, uint64_t request, const struct session_progress *progress)
{
	struct server *s = user;
	struct call *c = call_of_request(s, request);

	if (c)
		call_on_progress(c, progress);
	s->generation++;
}

static void
on_asked(void *user, const struct session_asked *asked)
{
	struct server *s = user;
	struct call *c = call_of_request(s, asked->request);

	if (c)
		call_on_asked(c, asked);
	s->generation++;
}

static void
on_notification(void *user, const char *method, const cJSON *params)
{
	struct server *s = user;
	(void)params;

	if (strcmp(method, "notifications/tools/list_changed") == 0)
		tool_lister_on_changed(&s->lister, ms(s->now_us));
}

static const struct session_events session_events = {
	.on_send = on_send,
	.on_line = on_line,
	.on_state = on_state,
	.on_reply = on_reply,
	.on_progress = on_progress,
	.on_asked = on_asked,
	.on_notification = on_notification,
};

/* ---- life ---- */

struct server *
server_create(const char *name, const char *label, const struct server_options *options,
    void (*send)(void *user, const char *line, size_t len), void *user)
{
	struct server *s = mem_zalloc(sizeof(*s));

	s->name = mem_strdup(name);
	s->label = mem_strdup(label);
	s->options = *options;
	s->on_send = send;
	s->user = user;
	s->connect_us = -1;
	s->next_call = 1;
	s->journal = journal_create(options->journal_max_bytes);
	buf_init(&s->stderr_line, STDERR_TAIL);
	tool_lister_init(&s->lister);
	return s;
}

void
server_destroy(struct server *s)
{
	if (!s)
		return;
	session_destroy(s->session);
	for (size_t i = 0; i < s->calls.len; i++)
		call_destroy(s->calls.items[i]);
	free(s->calls.items);
	for (size_t i = 0; i < s->verdicts.len; i++)
		free(s->verdicts.items[i].tool);
	free(s->verdicts.items);
	tool_lister_finish(&s->lister);
	journal_destroy(s->journal);
	buf_finish(&s->stderr_tail);
	buf_finish(&s->stderr_line);
	free(s->name);
	free(s->label);
	free(s);
}

void
server_start(struct server *s, int64_t now_us)
{
	s->now_us = now_us;
	if (s->session) {
		session_on_closed(s->session, ms(now_us));
		session_destroy(s->session);
		note(s, "started again");
	}
	s->trouble[0] = '\0';
	buf_clear(&s->stderr_tail);
	buf_clear(&s->stderr_line);
	s->started_us = now_us;
	s->connect_us = -1;
	s->phase = SERVER_STARTING;
	s->session = session_create(&s->options.session, &session_events, s);
	session_start(s->session, ms(now_us));
}

void
server_on_line(struct server *s, struct blob *line, size_t dropped, int64_t now_us)
{
	s->now_us = now_us;
	session_on_line(s->session, line, dropped, ms(now_us));
}

static void
journal_stderr_line(struct server *s)
{
	struct blob *bytes = blob_from_bytes(buf_text(&s->stderr_line), s->stderr_line.len);

	journal_add(s->journal,
	    &(struct journal_entry){ .kind = JOURNAL_STDERR, .at_us = s->now_us, .bytes = bytes });
	blob_unref(bytes);
	buf_clear(&s->stderr_line);
}

void
server_on_stderr(struct server *s, const char *bytes, size_t len, int64_t now_us)
{
	s->now_us = now_us;
	s->generation++;
	buf_add(&s->stderr_tail, bytes, len);
	if (s->stderr_tail.len > STDERR_TAIL)
		buf_consume(&s->stderr_tail, s->stderr_tail.len - STDERR_TAIL);
	while (len > 0) {
		const char *end = memchr(bytes, '\n', len);
		size_t n = end ? (size_t)(end - bytes) : len;
		size_t room = STDERR_TAIL - s->stderr_line.len;
		size_t take = n < room ? n : room;
		buf_add(&s->stderr_line, bytes, take);
		if (end || take < n || s->stderr_line.len == STDERR_TAIL)
			journal_stderr_line(s);
		if (take == n && end)
			take++;
		bytes += take;
		len -= take;
	}
}

/* The last words of a server that died belong to the calls it left open. */
static void
end_calls(struct server *s, const char *how)
{
	for (size_t i = 0; i < s->calls.len; i++) {
		struct call *c = s->calls.items[i];
		if (c->state != CALL_DIED || c->stderr_tail || c->ended_us != s->now_us)
			continue;
		free(c->error_text);
		c->error_text = mem_printf("the server ended before it answered: %s", how);
		c->stderr_tail = mem_strdup(server_stderr_tail(s));
	}
}

void
server_on_closed(struct server *s, const char *how, int64_t now_us)
{
	s->now_us = now_us;
	if (s->stderr_line.len > 0)
		journal_stderr_line(s);
	fail(s, SERVER_EXITED, how);
	if (s->session)
		session_on_closed(s->session, ms(now_us));
	end_calls(s, how);
}

void
server_on_spawn_failed(struct server *s, const char *why, int64_t now_us)
{
	s->now_us = now_us;
	fail(s, SERVER_FAILED, why);
}

int64_t
server_next_time(const struct server *s)
{
	if (!s->session)
		return INT64_MAX;
	int64_t session = session_next_time(s->session);
	int64_t lister = tool_lister_next_time(&s->lister);
	int64_t next = session < lister ? session : lister;
	return next == INT64_MAX ? next : next * 1000;
}

void
server_on_time(struct server *s, int64_t now_us)
{
	s->now_us = now_us;
	if (!s->session)
		return;
	session_on_time(s->session, ms(now_us));
	if (tool_lister_next_time(&s->lister) <= ms(now_us))
		tool_lister_on_time(&s->lister, s->session, ms(now_us));
}

/* ---- asked by the user ---- */

uint64_t
server_call(struct server *s, const struct tool *tool, const char *arguments_json, size_t len,
    int64_t now_us)
{
	s->now_us = now_us;
	if (!s->session || !tool->has_name)
		return 0;
	/* the call exists before the request: a reply may come from within */
	struct call *c =
	    call_create(s->next_call, tool->name, tool->definition, arguments_json, len, now_us);
	c->request = session_call_tool(s->session, tool->name, arguments_json, len, ms(now_us));
	if (c->request == 0) {
		call_destroy(c);
		return 0;
	}
	s->next_call++;
	s->calls_made++;
	*VEC_PUSH(&s->calls) = c;
	s->generation++;
	return c->id;
}

static struct call *
find_call(const struct server *s, uint64_t id)
{
	for (size_t i = s->calls.len; i-- > 0;)
		if (s->calls.items[i]->id == id)
			return s->calls.items[i];
	return NULL;
}

bool
server_cancel(struct server *s, uint64_t call, int64_t now_us)
{
	struct call *c = find_call(s, call);

	s->now_us = now_us;
	return c && c->state == CALL_RUNNING &&
	       session_cancel(s->session, c->request, "cancelled by the user", ms(now_us));
}

void
server_relist(struct server *s, int64_t now_us)
{
	s->now_us = now_us;
	if (s->session && session_state(s->session) == SESSION_READY)
		tool_lister_start(&s->lister, s->session, ms(now_us));
}

/* ---- known ---- */

uint64_t
server_generation(const struct server *s)
{
	return s->generation + s->lister.generation;
}

const char *
server_name(const struct server *s)
{
	return s->name;
}

const char *
server_label(const struct server *s)
{
	return s->label;
}

enum server_phase
server_phase(const struct server *s)
{
	return s->phase;
}

const char *
server_phase_name(enum server_phase phase)
{
	static const char *const names[] = {
		[SERVER_IDLE] = "not started",
		[SERVER_STARTING] = "connecting",
		[SERVER_LISTING] = "listing tools",
		[SERVER_READY] = "ready",
		[SERVER_FAILED] = "failed",
		[SERVER_EXITED] = "ended",
	};
	return names[phase];
}

const char *
server_trouble(const struct server *s)
{
	return s->trouble;
}

const char *
server_stderr_tail(const struct server *s)
{
	return buf_text(&s->stderr_tail);
}

int64_t
server_connect_us(const struct server *s)
{
	return s->connect_us;
}

const struct session *
server_session(const struct server *s)
{
	return s->session;
}

const struct tool_lister *
server_tools(const struct server *s)
{
	return &s->lister;
}

const struct journal *
server_journal(const struct server *s)
{
	return s->journal;
}

enum verdict_kind
server_last_verdict(const struct server *s, const char *tool)
{
	for (size_t i = 0; i < s->verdicts.len; i++)
		if (strcmp(s->verdicts.items[i].tool, tool) == 0)
			return s->verdicts.items[i].kind;
	return VERDICT_NONE;
}

size_t
server_call_count(const struct server *s)
{
	return s->calls.len;
}

const struct call *
server_call_at(const struct server *s, size_t index)
{
	return index < s->calls.len ? s->calls.items[index] : NULL;
}

const struct call *
server_find_call(const struct server *s, uint64_t id)
{
	return find_call(s, id);
}

size_t
server_running(const struct server *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->calls.len; i++)
		n += s->calls.items[i]->state == CALL_RUNNING;
	return n;
}

size_t
server_calls_made(const struct server *s)
{
	return s->calls_made;
}

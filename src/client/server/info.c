#include "server.h"

#include "base/mem.h"
#include "base/vec.h"
#include "json/print.h"
#include "json/write.h"

#include <stdlib.h>
#include <string.h>

uint64_t
server_generation(const struct server *s)
{
	return s->generation + server_lists_generation(s) + s->completer.generation;
}

const struct server_info *
server_info(const struct server *s)
{
	return &s->info;
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

const char *
server_stderr_tail(const struct server *s, const struct call *since)
{
	uint64_t came = s->stderr_bytes - (since ? since->stderr_from : 0);
	uint64_t kept = s->stderr_tail.len;

	return buf_text(&s->stderr_tail) + (came < kept ? kept - came : 0);
}

enum verdict_kind
server_last_verdict(const struct server *s, const char *tool)
{
	for (size_t i = 0; i < s->verdicts.len; i++)
		if (strcmp(s->verdicts.items[i].tool, tool) == 0)
			return s->verdicts.items[i].kind;
	return VERDICT_NONE;
}

const struct call *
server_call_at(const struct server *s, size_t index)
{
	return index < s->calls.len ? s->calls.items[index] : NULL;
}

const struct call *
server_last_call(const struct server *s, enum primitive_kind kind, const char *key)
{
	for (size_t i = s->calls.len; i-- > 0;) {
		const struct call *c = s->calls.items[i];
		if (c->kind == kind && !c->is_past && strcmp(c->key, key) == 0)
			return c;
	}
	return NULL;
}

const struct call *
server_find_call(const struct server *s, uint64_t id)
{
	for (size_t i = s->calls.len; i-- > 0;)
		if (s->calls.items[i]->id == id)
			return s->calls.items[i];
	return NULL;
}

size_t
server_running(const struct server *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->calls.len; i++)
		n += s->calls.items[i]->state == CALL_RUNNING;
	return n;
}

/* The newest of: the start, running calls, results being checked. */
int64_t
server_busy_since_us(const struct server *s)
{
	bool opening = s->info.phase > SERVER_IDLE && s->info.phase < SERVER_READY;
	int64_t since_us = opening ? s->started_us : INT64_MIN;

	for (size_t i = 0; i < s->calls.len; i++) {
		const struct call *c = s->calls.items[i];
		bool checking =
		    c->verdict.kind == VERDICT_CHECKING || c->skill.state == SKILL_CHECKING;
		int64_t began_us = c->state == CALL_RUNNING ? c->started_us
				   : checking               ? c->ended_us
							    : INT64_MIN;
		since_us = began_us > since_us ? began_us : since_us;
	}
	return since_us;
}

/* ---- the log ---- */

void
server_logs_seen(struct server *s)
{
	s->generation += s->logs.unseen > 0;
	logs_mark_seen(&s->logs);
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
find(const struct server *s, const char *uri)
{
	for (size_t i = 0; i < s->watches.len; i++)
		if (strcmp(s->watches.items[i].uri, uri) == 0)
			return &s->watches.items[i];
	return NULL;
}

bool
server_watch(struct server *s, const char *uri, bool on, int64_t now_us)
{
	struct server_watch *w = find(s, uri);

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
	const struct server_watch *w = find(s, uri);

	for (size_t i = s->calls.len; w && i-- > 0;) {
		const struct call *c = s->calls.items[i];
		if (c->uri && strcmp(c->uri, uri) == 0)
			return w->updated_us > c->started_us;
	}
	return w && w->updated;
}

bool
server_watch_any_changed(const struct server *s)
{
	for (size_t i = 0; i < s->watches.len; i++)
		if (server_watch_changed(s, s->watches.items[i].uri))
			return true;
	return false;
}

/* ---- what the user adds to _meta of calls, reads and gets: any members, and a trace context ----
 */

#define RESERVED "io.modelcontextprotocol/"

static bool
check_members(const struct json_doc *doc, struct err *err)
{
	if (json_flaws(doc)->count > 0)
		return err_set(err, "_meta: %s", json_flaw_text(json_flaws(doc)->items[0].kind));
	for (const cJSON *m = json_first(json_root(doc)); m; m = m->next)
		if (strncmp(m->string, RESERVED, strlen(RESERVED)) == 0 ||
		    strcmp(m->string, "progressToken") == 0)
			return err_set(err, "_meta: the protocol itself sets %.80s", m->string);
	return true;
}

static void
apply(struct server *s)
{
	s->info.meta = s->meta ? s->meta : "";
	s->generation++;
	if (s->session)
		server_meta_on_start(s);
}

/* A session keeps the members without braces. The trace context of the user goes first. */
void
server_meta_on_start(struct server *s)
{
	size_t len = s->meta ? strlen(s->meta) : 0;

	session_set_meta(s->session, len > 2 ? s->meta + 1 : "", len > 2 ? len - 2 : 0,
	    s->info.trace && !s->meta_has_trace ? s->options.trace_seed : NULL);
}

/* KEY=VALUE is a string; KEY:=JSON and an object go in as they are. */
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
	buf_clear(&text);
	bool ok = doc ? check_members(doc, err)
		      : err_set(err, "_meta: not JSON, %u:%u: %s", why.line, why.column, why.text);
	if (ok) {
		json_print(&text, json_root(doc));
		free(s->meta);
		s->meta_has_trace = json_get(json_root(doc), "traceparent") != NULL;
		s->meta = json_count(json_root(doc)) > 0 ? buf_detach(&text) : NULL;
		apply(s);
	}
	buf_finish(&text);
	json_doc_destroy(doc);
	return ok;
}

void
server_set_trace(struct server *s, bool on)
{
	s->info.trace = on;
	apply(s);
}

/* ---- for the rest of the server ---- */

void
server_notices_on_ready(struct server *s)
{
	int64_t now_ms = server_now_ms(s);

	if (s->info.log_level != LOG_LEVEL_NONE &&
	    session_info(s->session)->log_level != s->info.log_level)
		session_set_log_level(s->session, s->info.log_level, now_ms);
	for (size_t i = 0; i < s->watches.len; i++)
		session_watch(s->session, WATCH_RESOURCE, s->watches.items[i].uri, true, now_ms);
}

void
server_notices_take(struct server *s, const char *method, const cJSON *params)
{
	const char *uri = json_get_string(params, "uri");

	if (strcmp(method, "notifications/message") == 0) {
		logs_add(&s->logs, params, s->now_us);
	} else if (uri && strcmp(method, "notifications/resources/updated") == 0) {
		struct server_watch *w = find(s, uri);
		if (w) {
			w->updated = true;
			w->updated_us = s->now_us;
		}
	}
}

void
server_notices_finish(struct server *s)
{
	for (size_t i = 0; i < s->watches.len; i++)
		free(s->watches.items[i].uri);
	free(s->watches.items);
	logs_finish(&s->logs);
}

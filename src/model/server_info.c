#include "server_priv.h"

#include <string.h>

uint64_t
server_generation(const struct server *s)
{
	return s->generation + server_lists_generation(s) + s->completer.generation;
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
		[SERVER_IDLE] = "not connected",
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
server_stderr_tail(const struct server *s, const struct call *since)
{
	uint64_t came = s->stderr_bytes - (since ? since->stderr_from : 0);
	uint64_t kept = s->stderr_tail.len;

	return buf_text(&s->stderr_tail) + (came < kept ? kept - came : 0);
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
	for (size_t i = s->calls.len; i-- > 0;)
		if (s->calls.items[i]->id == id)
			return s->calls.items[i];
	return NULL;
}

size_t
server_reading(const struct server *s)
{
	return s->reading;
}

size_t
server_running(const struct server *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->calls.len; i++)
		n += s->calls.items[i]->state == CALL_RUNNING;
	return n;
}

/* The start, the calls that run, the results that are checked. */
int64_t
server_busy_since_us(const struct server *s)
{
	bool opening = s->phase == SERVER_STARTING || s->phase == SERVER_LISTING;
	int64_t since_us = opening ? s->started_us : INT64_MIN;

	for (size_t i = 0; i < s->calls.len; i++) {
		const struct call *c = s->calls.items[i];
		bool checking = c->verdict.kind == VERDICT_CHECKING;
		int64_t began_us = c->state == CALL_RUNNING ? c->started_us
				   : checking               ? c->ended_us
							    : INT64_MIN;
		since_us = began_us > since_us ? began_us : since_us;
	}
	return since_us;
}

size_t
server_calls_made(const struct server *s)
{
	return s->calls_made;
}

#ifndef MODEL_SERVER_PRIV_H
#define MODEL_SERVER_PRIV_H

#include "base/buf.h"
#include "model/server.h"

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
	bool stderr_cut;        /* its first part was too long and is journalled already */
	const char *end;        /* while the session is being closed: why */
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

/* The session's reports; user is the server. */
extern const struct session_events server_session_events;

void server_note(struct server *s, const char *text); /* into the journal */
/* The phase, and why, in the journal too. */
void server_fail(struct server *s, enum server_phase phase, const char *why);

static inline int64_t
server_now_ms(const struct server *s)
{
	return s->now_us / 1000;
}

#endif

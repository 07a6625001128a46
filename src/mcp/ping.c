#include "outgoing_priv.h"

/* Periodic pings, where the user wants them (2025-11-25/basic/utilities/ping.mdx). 2026-07-28 has
 * none. */

void
ping_on_time(struct session *s)
{
	struct outgoing_request r = { .method = "ping", .members = "", .kind = REQUEST_PING };

	s->inner.ping_due_ms = pending_time_add(s->now_ms, s->inner.ping_every_ms);
	if (!s->inner.ping)
		s->inner.ping = outgoing_request(s, &r);
}

void
ping_on_answer(struct session *s, struct incoming *in)
{
	char text[SESSION_TEXT_MAX];

	s->inner.ping = 0;
	if (in->message.kind == MESSAGE_RESULT)
		return;
	text_of_error(&in->message, text, sizeof(text));
	session_note(s, 0, "ping: %s", text);
}

void
ping_on_failure(struct session *s, uint64_t id, const char *why, bool may_return)
{
	(void)id;
	(void)may_return;
	s->inner.ping = 0;
	session_note(s, 0, "ping: %s", why);
}

#include "outgoing_priv.h"

#include <string.h>

/* 2026-07-28 sends notices only to who subscribes (basic/patterns/subscriptions.mdx): one request
 * that stays open as long as the session, never times out, and is no concern of the session's
 * owner. */

void
subscription_open(struct session *s)
{
	static const char members[] = "\"notifications\":{\"toolsListChanged\":true}";

	if (!json_is_true(json_get(json_get(s->capabilities, "tools"), "listChanged")))
		return;
	struct outgoing_request r = {
		.method = "subscriptions/listen",
		.limit_ms = INT64_MAX,
		.members = members,
		.len = strlen(members),
	};
	s->subscription = outgoing_request(s, &r);
	pending_find(&s->pending, s->subscription)->deadline_ms = INT64_MAX;
}

/* The server ended or refused it. There is nothing to do: lists can still be asked for by hand. */
void
subscription_on_answer(struct session *s)
{
	pending_end(&s->pending, s->subscription, PENDING_ANSWERED);
	s->subscription = 0;
}

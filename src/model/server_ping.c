#include "server_priv.h"

#include <stdio.h>

/* One small request there and back: ping, and where that is gone server/discover. */

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
	json_doc_destroy(reply->doc);
	reply->doc = NULL;
	return true;
}

const struct ping *
server_last_ping(const struct server *s)
{
	return &s->ping;
}

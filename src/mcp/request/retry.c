#include "mcp/era/era.h"
#include "request.h"

#include <stdio.h>

/*
 * Transport errors, and the requests that are sent again after them. In the modern era, a request
 * whose answer broke off is sent again under a new id (2026-07-28/changelog, major change 9). In
 * the legacy era, a server that forgot the session gets a new initialize
 * (2025-11-25/basic/transports, "Session Management"), then the read-only requests again.
 */

#define MAX_REISSUES 2
#define MAX_RENEWALS 3

void
transport_error_describe(const struct transport_error *error, char *out, size_t size)
{
	const char *text = error->text ? error->text : "lost";
	char line[SESSION_TEXT_MAX];

	if (error->kind == TRANSPORT_FORBIDDEN)
		snprintf(line, sizeof(line), "not authorized: %s", text);
	else if (error->kind == TRANSPORT_STATUS && error->body_len > 0)
		snprintf(line, sizeof(line), "%.300s: %.*s", text,
		    (int)(error->body_len < 200 ? error->body_len : 200), error->body);
	else
		snprintf(line, sizeof(line), "%s", text);
	text_to_line(out, size, line);
}

static bool
only_reads(const struct request *r)
{
	return r->known && (r->known->traits & ONLY_READS);
}

static void
end(struct session *s, struct request *r, const char *text)
{
	request_end(s, r->id, REQUEST_BROKEN, REPLY_TRANSPORT_ERROR, NULL, text);
}

/* Retries are few: a stream that breaks every time is a defect the user has to see. */
static bool
may_reissue(const struct session *s, const struct request *r)
{
	int max = only_reads(r) ? MAX_REISSUES : 1;

	return s->info.state == SESSION_READY && s->info.modern && r->may_resend &&
	       !r->non_idempotent && r->reissued < max;
}

static void
on_broken(struct session *s, struct request *r, const char *text)
{
	if (!may_reissue(s, r)) {
		char why[SESSION_TEXT_MAX];
		snprintf(why, sizeof(why), "%.200s%s", text,
		    r->may_resend && r->non_idempotent
			? "; not sent again because the tool is destructive"
			: "");
		end(s, r, why);
		return;
	}
	uint64_t id = r->id;
	r->reissued++;
	session_note(s, id, "%s: %.200s; sent again under a new id", r->method, text);
	request_resend(s, id, 0);
}

/* The server did not handle this request because it forgot the session. */
static void
on_forgotten(struct session *s, struct request *r)
{
	if (r->may_resend && only_reads(r) && r->reissued < MAX_REISSUES) {
		r->reissued++;
		r->state = REQUEST_FORGOTTEN;
		return;
	}
	end(s, r,
	    "the server forgot the session. A new one is opened, but this request was not sent "
	    "again because it might take effect twice");
}

static void
on_session_forgotten(struct session *s, const struct transport_error *error, struct request *r)
{
	if (r && !r->internal)
		on_forgotten(s, r);
	else if (r)
		internal_request_on_transport_error(s, r, error);
	if (s->info.state != SESSION_READY)
		return;
	if (s->renewals++ == MAX_RENEWALS) {
		handshake_give_up(s, "the server forgets every session at once");
		return;
	}
	session_note(s, error->id,
	    "the server no longer knows the session (%.100s): initializing again",
	    error->text ? error->text : "lost");
	handshake_renew(s);
}

/* A request that the user wrote. */
static void
lose_by_hand(struct session *s, struct request_by_hand *h, const char *text)
{
	struct session_reply reply = { .kind = REPLY_TRANSPORT_ERROR };

	h->answered = true;
	text_to_line(reply.text, sizeof(reply.text), text);
	s->events.on_reply(s->user, h->number, &reply);
}

void
transport_error_take(struct session *s, const struct transport_error *error)
{
	struct request_by_hand *h = requests_by_hand_of(&s->requests, error->id);
	struct request *r = requests_find_message(&s->requests, error->id);
	char text[SESSION_TEXT_MAX];

	if (s->info.state == SESSION_CLOSED || (error->id && !r && !h))
		return;
	transport_error_describe(error, text, sizeof(text));
	if (h)
		lose_by_hand(s, h, text);
	if (r && r == handshake_request(s))
		handshake_on_transport_error(s, r, error);
	else if (error->kind == TRANSPORT_SESSION && !s->info.modern)
		on_session_forgotten(s, error, r);
	else if (r && r->internal)
		internal_request_on_transport_error(s, r, error);
	else if (r && error->kind == TRANSPORT_BROKEN)
		on_broken(s, r, text);
	else if (r)
		end(s, r, text);
	else if (!h)
		session_note(s, 0, "a message did not reach the server: %s", text);
}

void
retry_forgotten(struct session *s)
{
	for (size_t i = 0; i < s->requests.len && s->info.state == SESSION_READY; i++) {
		struct request *r = s->requests.items[i];
		if (r->state != REQUEST_FORGOTTEN)
			continue;
		uint64_t id = r->id;
		session_note(s, id, "%s: sent again in the new session", r->method);
		request_resend(s, id, 0);
	}
}

#include "base/buf.h"
#include "base/mem.h"
#include "base/vec.h"
#include "mcp/era/era.h"
#include "request.h"

#include <stdio.h>
#include <stdlib.h>

/*
 * Keeps the parts of open requests and sends them again after transport errors. In the modern era,
 * a request whose answer broke off is sent again under a new id (2026-07-28/changelog, major change
 * 9). In the legacy era, a server that forgot the session gets a new initialize
 * (2025-11-25/basic/transports, "Session Management"), then the read-only requests again.
 */

struct in_flight *
in_flight_find(struct session *s, uint64_t request)
{
	for (size_t i = 0; i < s->in_flight.len; i++)
		if (s->in_flight.items[i].request == request)
			return &s->in_flight.items[i];
	return NULL;
}

static void
finish(struct in_flight *call)
{
	free(call->members);
	free(call->last);
	param_headers_finish(&call->headers);
	json_doc_destroy(call->round.doc);
	blob_unref(call->round.bytes);
}

size_t
in_flight_waiting(const struct session *s)
{
	size_t count = 0;

	for (size_t i = 0; i < s->in_flight.len; i++)
		count += s->in_flight.items[i].round.waiting;
	return count;
}

void
in_flight_remove(struct session *s, uint64_t request)
{
	struct in_flight *call = in_flight_find(s, request);

	if (!call)
		return;
	finish(call);
	VEC_REMOVE(&s->in_flight, (size_t)(call - s->in_flight.items));
}

void
in_flight_finish(struct session *s)
{
	for (size_t i = 0; i < s->in_flight.len; i++)
		finish(&s->in_flight.items[i]);
	free(s->in_flight.items);
	s->in_flight.items = NULL;
	s->in_flight.len = s->in_flight.cap = 0;
}

/* Over stdio before 2026-07-28, only -32042 (visit a URL first) leads to another attempt. */
static bool
may_resend(const struct session *s, const struct method *method)
{
	return s->transport == TRANSPORT_HTTP || s->info.modern ||
	       (s->can.elicitation_url && method && (method->traits & MAY_WANT_INPUT));
}

uint64_t
in_flight_send(struct session *s, const struct outgoing_request *r, bool non_idempotent)
{
	const struct method *method = method_find(r->method);
	uint64_t id = outgoing_request(s, r);

	if (may_resend(s, method)) {
		struct in_flight *call = VEC_PUSH(&s->in_flight);
		*call = (struct in_flight){ .request = id,
			.len = r->len,
			.raw_params = r->raw_params,
			.non_idempotent = non_idempotent };
		call->method = method ? method->name : NULL;
		call->members = mem_strndup(r->members, r->len);
		if (r->headers) {
			call->headers = *r->headers;
			*r->headers = (struct param_headers){ 0 };
		}
	}
	return id;
}

struct in_flight *
in_flight_add_waiting(struct session *s, const char *method, struct buf *members)
{
	struct in_flight *call = VEC_PUSH(&s->in_flight);

	*call = (struct in_flight){
		.request = pending_take_id(&s->pending),
		.len = members->len,
		.method = method_find(method)->name,
	};
	call->members = buf_detach(members);
	return call;
}

const char *
in_flight_keep_last(struct in_flight *call, const char *members, size_t len)
{
	free(call->last);
	call->last = mem_strndup(members, len);
	call->last_len = len;
	return call->last;
}

/* Sends the open request `id` again under a new id. */
static void
in_flight_resend(struct session *s, uint64_t id)
{
	const struct pending_request *p = pending_find(&s->pending, id);
	struct in_flight *call = p ? in_flight_find(s, p->owner) : NULL;

	if (!call)
		return;
	char *method = mem_strdup(p->method);
	struct outgoing_request again = { .method = method,
		.owner = p->owner,
		.limit_ms = p->limit_ms,
		.raw_params = call->raw_params,
		.headers = &call->headers };

	again.members = call->last ? call->last : call->members;
	again.len = call->last ? call->last_len : call->len;
	call->parked = false;
	pending_end(&s->pending, id, PENDING_REPLACED);
	outgoing_request(s, &again);
	free(method);
}

/* ---- transport errors ---- */

#define MAX_REISSUES 2
#define MAX_RENEWALS 3

void
transport_error_describe(const struct transport_error *lost, char *out, size_t size)
{
	const char *text = lost->text ? lost->text : "lost";
	char line[SESSION_TEXT_MAX];

	if (lost->kind == TRANSPORT_FORBIDDEN)
		snprintf(line, sizeof(line), "not authorized: %s", text);
	else if (lost->kind == TRANSPORT_STATUS && lost->body_len > 0)
		snprintf(line, sizeof(line), "%.300s: %.*s", text,
		    (int)(lost->body_len < 200 ? lost->body_len : 200), lost->body);
	else
		snprintf(line, sizeof(line), "%s", text);
	text_to_line(out, size, line);
}

static void
end(struct session *s, uint64_t id, const char *text)
{
	request_reply(s, id, PENDING_LOST, REPLY_TRANSPORT_ERROR, NULL, text);
}

static bool
only_reads(const struct pending_request *r)
{
	const struct method *method = method_find(r->method);

	return method && (method->traits & ONLY_READS);
}

/* Retries are few: a stream that breaks every time is a defect the user has to see. */
static bool
may_reissue(const struct session *s, const struct pending_request *r, const struct in_flight *call)
{
	int max = only_reads(r) ? MAX_REISSUES : 1;

	return s->info.state == SESSION_READY && s->info.modern && call && !call->non_idempotent &&
	       call->reissued < max;
}

static void
on_broken(struct session *s, struct pending_request *r, const char *text)
{
	struct in_flight *call = in_flight_find(s, r->owner);
	uint64_t id = r->id;

	if (!may_reissue(s, r, call)) {
		char why[SESSION_TEXT_MAX];
		bool non_idempotent = call && call->non_idempotent;
		snprintf(why, sizeof(why), "%.200s%s", text,
		    non_idempotent ? "; not sent again because the tool is destructive" : "");
		end(s, r->id, why);
		return;
	}
	call->reissued++;
	session_note(s, r->owner, "%s: %.200s; sent again under a new id", r->method, text);
	in_flight_resend(s, id);
}

/* The server did not handle this request because it forgot the session. */
static void
park(struct session *s, struct pending_request *r)
{
	struct in_flight *call = in_flight_find(s, r->owner);

	if (call && only_reads(r) && call->reissued < MAX_REISSUES) {
		call->reissued++;
		call->parked = true;
		return;
	}
	end(s, r->id,
	    "the server forgot the session. A new one is opened, but this request was not sent "
	    "again because it might take effect twice");
}

static void
on_session_lost(struct session *s, const struct transport_error *lost, struct pending_request *r)
{
	if (r && r->kind == REQUEST_OWNERS)
		park(s, r);
	else if (r)
		internal_request_on_transport_error(s, r->id, lost);
	if (s->info.state != SESSION_READY)
		return;
	if (s->renewals++ == MAX_RENEWALS) {
		handshake_give_up(s, "the server forgets every session at once");
		return;
	}
	session_note(s, lost->id,
	    "the server no longer knows the session (%.100s): initializing again",
	    lost->text ? lost->text : "lost");
	handshake_renew(s);
}

static void
on_request_lost(struct session *s, const struct transport_error *lost, struct pending_request *r)
{
	char text[SESSION_TEXT_MAX];

	transport_error_describe(lost, text, sizeof(text));
	if (lost->kind == TRANSPORT_BROKEN)
		on_broken(s, r, text);
	else
		end(s, r->id, text);
}

void
transport_error_take(struct session *s, const struct transport_error *lost)
{
	struct pending_request *r = lost->id ? pending_find(&s->pending, lost->id) : NULL;
	char text[SESSION_TEXT_MAX];

	if (s->info.state == SESSION_CLOSED || (lost->id && !r))
		return;
	if (r && r->kind == REQUEST_HANDSHAKE) {
		handshake_on_transport_error(s, lost);
	} else if (lost->kind == TRANSPORT_SESSION && !s->info.modern) {
		on_session_lost(s, lost, r);
	} else if (r && r->kind != REQUEST_OWNERS) {
		internal_request_on_transport_error(s, r->id, lost);
	} else if (r) {
		on_request_lost(s, lost, r);
	} else {
		transport_error_describe(lost, text, sizeof(text));
		session_note(s, 0, "a message did not reach the server: %s", text);
	}
}

void
in_flight_resend_parked(struct session *s)
{
	for (size_t i = 0; i < s->in_flight.len && s->info.state == SESSION_READY; i++) {
		struct in_flight *call = &s->in_flight.items[i];
		const struct pending_request *r =
		    call->parked ? pending_find_owner(&s->pending, call->request) : NULL;
		if (!r)
			continue;
		session_note(s, call->request, "%s: sent again in the new session", r->method);
		in_flight_resend(s, r->id);
	}
}

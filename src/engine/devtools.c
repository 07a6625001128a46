/* SPDX-License-Identifier: MIT */
#include "engine/devtools.h"

#include "base/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Free the buffer of a long message; keep one of usual size. */
enum { KEPT = 1 << 20 };

/* ---- answers ---- */

static void
set_timer(struct devtools *d)
{
	int64_t first = INT64_MAX;

	for (size_t i = 0; i < d->pending.len; i++)
		if (d->pending.items[i].at_ms < first)
			first = d->pending.items[i].at_ms;
	if (first < INT64_MAX)
		loop_timer_set(d->loop, &d->timer, first);
	else
		loop_timer_cancel(&d->timer);
}

static void
answer(struct devtools *d, size_t index, const cJSON *result, const char *problem)
{
	struct devtools_pending p = d->pending.items[index];

	VEC_REMOVE(&d->pending, index);
	if (p.fn)
		p.fn(p.user, p.id, result, problem);
}

static void
devtools_on_timer(void *user)
{
	struct devtools *d = user;
	int64_t now = loop_now_ms(d->loop);

	/* A callback may send more commands, so each search starts at the front. */
	for (size_t i = 0; i < d->pending.len;) {
		if (d->pending.items[i].at_ms > now) {
			i++;
			continue;
		}
		answer(d, i, NULL, "no answer in time");
		i = 0;
	}
	set_timer(d);
}

void
devtools_forget(struct devtools *d, const void *user)
{
	for (size_t i = 0; i < d->pending.len; i++)
		if (d->pending.items[i].user == user)
			d->pending.items[i].fn = NULL;
}

/* ---- in ---- */

static void
end(struct devtools *d, const char *why)
{
	if (d->fd < 0)
		return;
	devtools_finish(d);
	d->events.on_end(d->events.user, why);
}

static void
take_message(struct devtools *d, const char *text, size_t len)
{
	struct json_error error;
	struct json_doc *doc = json_parse(text, len, NULL, &error);
	const cJSON *root = doc ? json_root(doc) : NULL;
	const char *method = json_get_string(root, "method");

	const cJSON *id = json_get(root, "id");

	if (cJSON_IsNumber(id)) {
		const cJSON *trouble = json_get(root, "error"), *result = json_get(root, "result");
		const char *why = json_get_string(trouble, "message");
		bool good = !trouble && cJSON_IsObject(result);
		size_t i = 0;
		while (i < d->pending.len && (double)d->pending.items[i].id != id->valuedouble)
			i++;
		if (i < d->pending.len)
			answer(d, i, good ? result : NULL,
			    good  ? NULL
			    : why ? why
				  : "an answer without a result");
	} else if (method) {
		const char *session = json_get_string(root, "sessionId");
		d->events.on_event(
		    d->events.user, session ? session : "", method, json_get(root, "params"));
	} else {
		end(d, doc ? "it sent JSON that is no DevTools message"
			   : "it sent something that is not JSON");
	}
	json_doc_destroy(doc);
}

static void
end_message(struct devtools *d)
{
	struct buf message = d->message;
	size_t dropped = d->dropped;

	buf_init(&d->message, d->in_max);
	d->dropped = 0;
	if (dropped)
		d->events.on_dropped(d->events.user, dropped);
	else
		take_message(d, buf_text(&message), message.len);
	if (d->fd >= 0 && !d->message.data && message.cap <= KEPT) {
		buf_clear(&message);
		d->message = message;
	} else {
		buf_finish(&message);
	}
}

void
devtools_feed(void *devtools, const char *bytes, size_t len)
{
	struct devtools *d = devtools;

	d->received += len;
	while (len > 0 && d->fd >= 0) {
		const char *nul = memchr(bytes, '\0', len);
		size_t n = nul ? (size_t)(nul - bytes) : len;
		if (d->dropped > 0 || !buf_add(&d->message, bytes, n)) {
			d->dropped += d->message.len + n;
			buf_finish(&d->message);
		}
		bytes += nul ? n + 1 : n;
		len -= nul ? n + 1 : n;
		if (nul)
			end_message(d);
	}
}

static void
devtools_on_end(void *user, int error)
{
	struct devtools *d = user;
	bool within = d->message.len > 0 || d->dropped > 0;

	end(d, error    ? strerror(error)
	       : within ? "it ended within a message"
			: "it has closed the connection");
}

/* ---- out ---- */

struct json_writer *
devtools_begin(struct devtools *d, const char *session, const char *method)
{
	buf_clear(&d->command);
	json_write_init(&d->w, &d->command);
	json_write_object(&d->w);
	json_write_member_int(&d->w, "id", (int64_t)++d->last_id);
	json_write_member_string(&d->w, "method", method);
	if (session && *session)
		json_write_member_string(&d->w, "sessionId", session);
	json_write_member_object(&d->w, "params");
	return &d->w;
}

uint64_t
devtools_send(struct devtools *d, int within_ms, devtools_answer_fn *fn, void *user)
{
	uint64_t id = d->last_id;

	json_write_object_end(&d->w);
	json_write_object_end(&d->w);
	buf_add_char(&d->command, '\0');
	bool sent = d->fd >= 0 && d->pending.len < DEVTOOLS_PENDING_MAX && !d->command.overflowed &&
		    stream_out_add(&d->out, d->command.data, d->command.len);
	if (sent)
		stream_out_flush(&d->out);
	if (d->command.cap > KEPT || d->command.overflowed) {
		buf_finish(&d->command);
		buf_init(&d->command, DEVTOOLS_OUT_MAX);
	}
	if (!fn || d->fd < 0)
		return id;
	int64_t now = loop_now_ms(d->loop);
	*VEC_PUSH(&d->pending) = (struct devtools_pending){ id,
		sent ? now + (within_ms ? within_ms : DEVTOOLS_ANSWER_MS) : now, fn, user };
	set_timer(d);
	return id;
}

uint64_t
devtools_call(struct devtools *d, const char *session, const char *method, const char *members,
    devtools_answer_fn *fn, void *user)
{
	struct json_writer *w = devtools_begin(d, session, method);

	if (members)
		json_write_raw(w, members, strlen(members));
	return devtools_send(d, 0, fn, user);
}

/* ---- init and finish ---- */

void
devtools_init(struct devtools *d, struct loop *loop, int fd, const struct devtools_events *events)
{
	*d = (struct devtools){ .loop = loop, .events = *events, .fd = fd };
	d->in_max = DEVTOOLS_IN_MAX;
	buf_init(&d->message, d->in_max);
	buf_init(&d->command, DEVTOOLS_OUT_MAX);
	d->timer = (struct loop_timer){ .fn = devtools_on_timer, .user = d };
	stream_in_init(&d->in, loop, fd, devtools_feed, devtools_on_end, d);
	stream_out_init(&d->out, loop, fd, DEVTOOLS_OUT_MAX);
}

void
devtools_finish(struct devtools *d)
{
	if (!d->loop)
		return;
	stream_in_finish(&d->in);
	stream_out_finish(&d->out);
	if (d->fd >= 0)
		close(d->fd);
	d->fd = -1;
	while (d->pending.len > 0)
		answer(d, 0, NULL, "Chromium has ended");
	free(d->pending.items);
	d->pending.items = NULL;
	d->pending.len = d->pending.cap = 0;
	loop_timer_cancel(&d->timer);
	buf_finish(&d->message);
	buf_finish(&d->command);
}

/* SPDX-License-Identifier: MIT */
#include "net/transport.h"

#include "base/mem.h"
#include "loop/stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* After the exit, a stream is read only up to what its pipe held at that time. Later output of the
 * rest of the process group must not delay the report. */
struct source {
	struct stream_in in;
	size_t last; /* after the exit: bytes still to read */
};

struct stdio {
	struct transport transport; /* first */
	struct child *child;
	struct transport_events events;
	void *user;
	struct frame frame;
	struct stream_out input;
	struct source output, errors;
	struct child_status status;
	bool exited;
	bool output_closed; /* before the exit was known */
	bool destroyed;     /* inside a callback */
	bool busy;          /* in a callback */
	bool held;
	struct loop *loop;
	struct loop_timer release; /* after holding: checks for an end */
};

/* ---- callbacks, any of which may destroy it ---- */

static void
free_stdio(struct stdio *s)
{
	frame_finish(&s->frame);
	free(s);
}

static void
on_line(void *user, struct frame_line line)
{
	struct stdio *s = user;
	struct raw_message raw;

	raw_message_init(&raw, line);
	if (s->destroyed)
		raw_message_finish(&raw);
	else
		s->events.on_message(s->user, &raw);
}

/* ---- the end ---- */

/* Reports the end if it was reached. */
static void
check_end(struct stdio *s)
{
	if (s->destroyed || s->held || !s->exited || (s->output.in.watch && s->output.last > 0) ||
	    (s->errors.in.watch && s->errors.last > 0))
		return;
	stream_in_finish(&s->output.in);
	stream_in_finish(&s->errors.in);
	loop_timer_cancel(&s->release);
	frame_end(&s->frame);
	if (s->destroyed || s->held)
		return;
	char status[64], how[128];
	child_status_text(&s->status, status, sizeof(status));
	snprintf(how, sizeof(how), "%s%s",
	    s->status.signalled && s->output_closed ? "closed its output, then stopped: " : "",
	    status);
	s->events.on_closed(s->user, &s->transport, how);
}

/* After each callback of the loop. */
static void
leave(struct stdio *s)
{
	check_end(s);
	s->busy = false;
	if (s->destroyed)
		free_stdio(s);
}

static void
on_exit_status(void *user, const struct child_status *status)
{
	struct stdio *s = user;

	s->busy = true;
	s->exited = true;
	s->status = *status;
	stream_out_finish(&s->input);
	s->output.last = stream_in_waiting(&s->output.in);
	s->errors.last = stream_in_waiting(&s->errors.in);
	leave(s);
}

/* ---- its streams ---- */

static void
on_output(void *user, const char *bytes, size_t len)
{
	struct stdio *s = user;

	s->busy = true;
	s->output.last -= len < s->output.last ? len : s->output.last;
	frame_feed(&s->frame, bytes, len);
	leave(s);
}

static void
on_errors(void *user, const char *bytes, size_t len)
{
	struct stdio *s = user;

	s->busy = true;
	s->errors.last -= len < s->errors.last ? len : s->errors.last;
	if (s->events.on_stderr)
		s->events.on_stderr(s->user, bytes, len);
	leave(s);
}

static void
on_output_end(void *user, int error)
{
	struct stdio *s = user;

	s->busy = true;
	s->output_closed = !s->exited;
	stream_out_finish(&s->input);
	child_stop(s->child);
	leave(s);
}

static void
on_errors_end(void *user, int error)
{
	struct stdio *s = user;

	s->busy = true;
	leave(s);
}

static void
on_release(void *user)
{
	struct stdio *s = user;

	s->busy = true;
	leave(s);
}

/* ---- the interface ---- */

static bool
send_message(struct transport *t, const struct outbound *message, struct err *err)
{
	struct stdio *s = (struct stdio *)t;
	size_t waiting = stdio_waiting(t);

	if (!s->input.watch)
		return err_set(err, "the server is no longer there");
	if (memchr(message->line, '\n', message->len))
		return err_set(err, "a message must be one line");
	if (s->input.error)
		return err_set(err, "the server has closed its input");
	if (message->len >= s->input.pending.max - waiting)
		return err_set(
		    err, "the server does not read its input: %zu bytes wait already", waiting);
	stream_out_add(&s->input, message->line, message->len);
	stream_out_add(&s->input, "\n", 1);
	stream_out_flush(&s->input);
	return true;
}

static void
hold(struct transport *t, bool held)
{
	struct stdio *s = (struct stdio *)t;

	s->held = held;
	stream_in_hold(&s->output.in, held);
	stream_in_hold(&s->errors.in, held);
	if (held)
		loop_timer_cancel(&s->release);
	else
		loop_timer_set(s->loop, &s->release, loop_now_ms(s->loop));
}

static void
destroy(struct transport *t)
{
	struct stdio *s = (struct stdio *)t;

	stream_out_finish(&s->input);
	stream_in_finish(&s->output.in);
	stream_in_finish(&s->errors.in);
	loop_timer_cancel(&s->release);
	child_destroy(s->child);
	s->child = NULL;
	s->destroyed = true;
	if (!s->busy)
		free_stdio(s);
}

static const struct transport_ops ops = { .send = send_message, .hold = hold, .destroy = destroy };

struct transport *
stdio_create(struct loop *loop, const struct stdio_options *options,
    const struct transport_events *events, void *user, struct err *err)
{
	struct stdio *s = mem_zalloc(sizeof(*s));

	s->child = child_spawn(loop, &options->child, on_exit_status, s, err);
	if (!s->child) {
		free(s);
		return NULL;
	}
	s->transport = (struct transport){ .ops = &ops, .pid = child_pid(s->child) };
	s->events = *events;
	s->user = user;
	s->loop = loop;
	s->release = (struct loop_timer){ .fn = on_release, .user = s };
	frame_init(&s->frame, options->max_line ? options->max_line : STDIO_MAX_LINE, on_line, s);
	stream_out_init(&s->input, loop, child_fd(s->child, STDIN_FILENO),
	    options->max_outbox ? options->max_outbox : STDIO_MAX_OUTBOX);
	stream_in_init(
	    &s->output.in, loop, child_fd(s->child, STDOUT_FILENO), on_output, on_output_end, s);
	stream_in_init(
	    &s->errors.in, loop, child_fd(s->child, STDERR_FILENO), on_errors, on_errors_end, s);
	return &s->transport;
}

size_t
stdio_waiting(const struct transport *t)
{
	return stream_out_waiting(&((const struct stdio *)t)->input);
}

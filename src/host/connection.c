#include "host/connection.h"

#include "base/clock.h"
#include "base/mem.h"
#include "reader_priv.h"

#include <stdlib.h>

struct connection {
	struct loop *loop;
	const struct target *target;
	struct connection_options options;
	struct server *server;
	struct stdio *stdio; /* NULL: no process */
	struct reader reader;
	struct loop_timer timer;
	void (*on_change)(void *user);
	void *user;
};

/* The server's next time becomes the loop's; called after everything that reaches the server. What
 * is being read came in time, whatever it answers. */
void
connection_touch(struct connection *c)
{
	int64_t next_us = reader_busy(&c->reader) ? INT64_MAX : server_next_time(c->server);

	if (next_us == INT64_MAX) {
		loop_timer_cancel(&c->timer);
		return;
	}
	int64_t wait_ms = (next_us - clock_now_us() + 999) / 1000;
	loop_timer_set(c->loop, &c->timer, loop_now_ms(c->loop) + (wait_ms > 0 ? wait_ms : 0));
}

static void
changed(struct connection *c)
{
	connection_touch(c);
	c->on_change(c->user);
}

static void
on_timer(void *user)
{
	struct connection *c = user;

	server_on_time(c->server, clock_now_us());
	changed(c);
}

static void
on_line(void *user, struct frame_line line)
{
	struct connection *c = user;

	reader_add(&c->reader, line.bytes, line.dropped);
}

static void
on_read(void *user, struct wire_line *line)
{
	struct connection *c = user;

	server_on_wire_line(c->server, line, clock_now_us());
	changed(c);
}

static void
on_busy(void *user)
{
	struct connection *c = user;
	size_t bytes = reader_busy(&c->reader);

	if (c->stdio)
		stdio_hold(c->stdio, bytes > 0);
	server_on_reading(c->server, bytes);
	changed(c);
}

/* ---- jobs of the server ---- */

static void
submit(void *user, struct job *job)
{
	struct connection *c = user;

	worker_submit(c->options.worker, job);
}

static void
on_checked(void *user)
{
	changed(user);
}

static void
on_stderr(void *user, const char *bytes, size_t len)
{
	struct connection *c = user;

	server_on_stderr(c->server, bytes, len, clock_now_us());
	changed(c);
}

static void
on_closed(void *user, const struct stdio_end *end)
{
	struct connection *c = user;

	server_on_closed(c->server, end->text, clock_now_us());
	stdio_destroy(c->stdio);
	c->stdio = NULL;
	changed(c);
}

static const struct stdio_events stdio_events = {
	.on_line = on_line,
	.on_stderr = on_stderr,
	.on_closed = on_closed,
};

/* A line that cannot be sent is not an end of its own: the reason (a broken pipe, a server that
 * does not read) shows as the server's exit or as the request's time-out. */
static void
on_send(void *user, const struct outbound *message)
{
	struct connection *c = user;

	if (c->stdio)
		stdio_send(c->stdio, message->line, message->len, NULL);
}

struct connection *
connection_create(struct loop *loop, const struct target *target,
    const struct connection_options *options, void (*on_change)(void *user), void *user)
{
	struct connection *c = mem_zalloc(sizeof(*c));

	c->loop = loop;
	c->target = target;
	c->options = *options;
	c->on_change = on_change;
	c->user = user;
	c->timer = (struct loop_timer){ .fn = on_timer, .user = c };
	c->server = server_create(target->name, target->label, &options->server, on_send, c);
	c->reader = (struct reader){
		.worker = options->worker, .on_line = on_read, .on_busy = on_busy, .user = c
	};
	if (options->worker)
		server_use_jobs(c->server, submit, on_checked, c);
	return c;
}

void
connection_destroy(struct connection *c)
{
	if (!c)
		return;
	loop_timer_cancel(&c->timer);
	stdio_destroy(c->stdio);
	reader_drop(&c->reader);
	server_destroy(c->server);
	free(c);
}

bool
connection_start(struct connection *c, struct err *err)
{
	struct stdio_options options = {
		.child = { .argv = (const char *const *)c->target->argv,
		    .env = (const char *const *)c->target->env,
		    .cwd = c->target->cwd,
		    .ladder = &c->options.ladder },
		.max_line = c->options.max_message_bytes ? c->options.max_message_bytes
							 : CONNECTION_MAX_MESSAGE,
	};
	struct err why = { "" };

	if (c->target->trouble) {
		server_on_spawn_failed(c->server, c->target->trouble, clock_now_us());
		changed(c);
		return err_set(err, "%s: %s", c->target->name, c->target->trouble);
	}
	if (!c->target->argv) {
		server_on_spawn_failed(c->server, "HTTP is not there yet", clock_now_us());
		changed(c);
		return err_set(err, "%s: HTTP is not there yet", c->target->name);
	}
	stdio_destroy(c->stdio);
	reader_drop(&c->reader);
	server_on_reading(c->server, 0);
	c->stdio = stdio_create(c->loop, &options, &stdio_events, c, &why);
	if (c->stdio)
		server_start(c->server, clock_now_us());
	else
		server_on_spawn_failed(c->server, why.text, clock_now_us());
	changed(c);
	return c->stdio ? true : err_set(err, "%s", why.text);
}

bool
connection_stop(struct connection *c)
{
	if (!c->stdio)
		return false;
	stdio_destroy(c->stdio);
	c->stdio = NULL;
	reader_drop(&c->reader);
	server_on_reading(c->server, 0);
	server_on_stopped(c->server, clock_now_us());
	changed(c);
	return true;
}

struct server *
connection_server(const struct connection *c)
{
	return c->server;
}

const struct target *
connection_target(const struct connection *c)
{
	return c->target;
}

#include "host/connection.h"

#include "base/clock.h"
#include "base/mem.h"
#include "host/task_store.h"
#include "model/tasks.h"
#include "link_priv.h"
#include "reader_priv.h"

#include <stdlib.h>

struct connection {
	struct loop *loop;
	const struct target *target;
	struct connection_options options;
	struct server *server;
	struct link *link;    /* NULL: none */
	struct link *leaving; /* one before, taking its leave of the server */
	bool forbidden, over_events;
	struct reader reader;
	struct loop_timer timer;
	struct authorizer *authorizer; /* NULL: none */
	uint64_t tasks_kept;           /* server_tasks_changes() that is on disk */
	void (*on_change)(void *user);
	void *user;
};

/* The server's next time becomes the loop's; called after everything that reaches the server. What
 * is being read came in time, whatever it answers; and while the user is asked for authorization no
 * time passes. */
void
connection_touch(struct connection *c)
{
	bool waits = c->authorizer && authorizer_is_waiting(c->authorizer);
	bool still = waits || reader_busy(&c->reader) > 0;
	int64_t next_us = still ? INT64_MAX : server_next_time(c->server);

	if (next_us == INT64_MAX) {
		loop_timer_cancel(&c->timer);
		return;
	}
	int64_t wait_ms = (next_us - clock_now_us() + 999) / 1000;
	loop_timer_set(c->loop, &c->timer, loop_now_ms(c->loop) + (wait_ms > 0 ? wait_ms : 0));
}

static void
keep_tasks(struct connection *c)
{
	uint64_t changes = server_tasks_changes(c->server);
	struct err err;

	if (!c->options.keeps_tasks || changes == c->tasks_kept)
		return;
	c->tasks_kept = changes;
	if (!task_store_save(c->target, c->server, &err))
		server_on_note(c->server, err.text, clock_now_us());
}

static void
changed(struct connection *c)
{
	keep_tasks(c);
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

	reader_add(&c->reader, line);
}

static void try_events(struct connection *c);

static void
on_read(void *user, struct wire_line *line)
{
	struct connection *c = user;

	server_on_wire_line(c->server, line, clock_now_us());
	try_events(c);
	changed(c);
}

static void
on_busy(void *user)
{
	struct connection *c = user;
	size_t bytes = reader_busy(&c->reader);

	if (c->link)
		link_hold(c->link, bytes > 0);
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

/* It never was there, as far as HTTP can tell. */
static void
say_no_server(struct connection *c, const char *how)
{
	bool both = c->over_events && !c->target->sse;
	char *text = mem_printf(both ? "no MCP server is there, neither Streamable HTTP nor "
				       "HTTP+SSE: GET: %s"
				     : "%s",
	    how);

	server_on_spawn_failed(c->server, text, clock_now_us());
	free(text);
}

static void
on_closed(void *user, const struct link *link, const char *how)
{
	struct connection *c = user;

	if (link == c->leaving) {
		link_destroy(c->leaving);
		c->leaving = NULL;
		return;
	}
	if (c->target->url && server_phase(c->server) == SERVER_STARTING)
		say_no_server(c, how);
	else
		server_on_closed(c->server, how, clock_now_us());
	link_destroy(c->link);
	c->link = NULL;
	changed(c);
}

static void
on_note(void *user, const char *text)
{
	struct connection *c = user;

	server_on_note(c->server, text, clock_now_us());
	c->on_change(c->user);
}

static bool open_link(struct connection *c, struct err *err);

static void
leave(struct connection *c)
{
	link_destroy(c->leaving);
	c->leaving = NULL;
	if (c->link && link_close(c->link, CONNECTION_FAREWELL_MS))
		c->leaving = c->link;
	else
		link_destroy(c->link);
	c->link = NULL;
}

/* A server that knows no other way is spoken to as those of 2024-11-05 are. */
static void
try_events(struct connection *c)
{
	struct err why = { "" };

	if (c->over_events || !session_wants_sse(server_session(c->server)))
		return;
	server_on_note(c->server, "trying the transport of 2024-11-05, HTTP+SSE", clock_now_us());
	leave(c);
	c->over_events = true;
	if (!open_link(c, &why))
		server_on_spawn_failed(c->server, why.text, clock_now_us());
}

static void
on_lost(void *user, const struct lost *lost)
{
	struct connection *c = user;

	c->forbidden |= lost->how == LOST_FORBIDDEN;
	server_on_lost(c->server, lost, clock_now_us());
	try_events(c);
	changed(c);
}

static const struct link_events link_events = {
	.on_line = on_line,
	.on_stderr = on_stderr,
	.on_lost = on_lost,
	.on_note = on_note,
	.on_closed = on_closed,
};

static void
on_send(void *user, const struct outbound *message)
{
	struct connection *c = user;

	if (c->link)
		link_send(c->link, message);
}

/* ---- authorization ---- */

static void
on_auth_change(void *user)
{
	struct connection *c = user;

	server_on_auth(c->server);
	changed(c);
}

static void
on_auth_ask(void *user, const char *text, const char *url)
{
	struct connection *c = user;

	if (c->options.on_authorize)
		c->options.on_authorize(c->user, text, url);
}

/* What waits is sent again; a server that was given up meanwhile begins anew. */
static void
on_token(void *user, int64_t waited_us)
{
	struct connection *c = user;

	server_excuse(c->server, waited_us);
	if (c->forbidden && server_phase(c->server) >= SERVER_FAILED)
		connection_start(c, NULL);
	else if (connection_http(c))
		http_resume(connection_http(c));
}

static void
on_refused(void *user, const char *why, int64_t waited_us)
{
	struct connection *c = user;

	server_excuse(c->server, waited_us);
	if (connection_http(c))
		http_give_up(connection_http(c), why);
}

static void
add_authorizer(struct connection *c)
{
	static const struct authorizer_events events = {
		.on_change = on_auth_change,
		.on_note = on_note,
		.on_ask = on_auth_ask,
		.on_token = on_token,
		.on_refused = on_refused,
	};
	struct authorizer_options options;
	struct err err = { "" };

	if (!c->target->url || !c->options.authorize)
		return;
	options = *c->options.authorize;
	options.flow.server_url = c->target->url;
	options.insecure = c->target->insecure;
	c->authorizer = authorizer_create(c->loop, &options, &events, c, &err);
	c->options.authorize = NULL;
	if (c->authorizer)
		server_set_auth(c->server, authorizer_flow(c->authorizer));
	else
		server_on_note(c->server, err.text, clock_now_us());
}

static bool
on_wait(void *user, uint64_t id, char *out, size_t size)
{
	struct connection *c = user;
	struct http *http = connection_http(c);

	return http && http_describe_wait(http, id, out, size);
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
	c->options.server.session.transport = target->url ? TRANSPORT_HTTP : TRANSPORT_STDIO;
	c->server = server_create(target->name, target->label, &c->options.server, on_send, c);
	c->reader = (struct reader){
		.worker = options->worker, .on_line = on_read, .on_busy = on_busy, .user = c
	};
	server_use_wait(c->server, on_wait, c);
	if (options->worker)
		server_use_jobs(c->server, submit, on_checked, c);
	if (options->keeps_tasks)
		task_store_load(target, c->server);
	add_authorizer(c);
	return c;
}

void
connection_destroy(struct connection *c)
{
	if (!c)
		return;
	loop_timer_cancel(&c->timer);
	link_destroy(c->link);
	link_destroy(c->leaving);
	reader_drop(&c->reader);
	authorizer_destroy(c->authorizer);
	server_destroy(c->server);
	free(c);
}

static bool
open_link(struct connection *c, struct err *err)
{
	size_t max = c->options.max_message_bytes;
	struct link_options options = {
		.target = c->target,
		.ladder = c->options.ladder,
		.max_message = max ? max : CONNECTION_MAX_MESSAGE,
		.timeout_ms = c->options.server.session.timeout_ms,
		.events = c->over_events,
	};
	enum session_era era = c->options.server.session.era;

	if (c->authorizer)
		options.auth = authorizer_http(c->authorizer);

	c->link = link_create(c->loop, &options, &link_events, c, err);
	if (!c->link)
		return false;
	server_set_era(c->server, c->over_events ? ERA_LEGACY : era);
	server_start(c->server, clock_now_us());
	if (c->target->url && c->target->insecure)
		server_on_note(
		    c->server, "--insecure: certificates are not checked", clock_now_us());
	return true;
}

bool
connection_start(struct connection *c, struct err *err)
{
	struct err why = { "" };

	if (c->target->trouble) {
		server_on_spawn_failed(c->server, c->target->trouble, clock_now_us());
		changed(c);
		return err_set(err, "%s: %s", c->target->name, c->target->trouble);
	}
	leave(c);
	reader_drop(&c->reader);
	server_on_reading(c->server, 0);
	c->forbidden = false;
	c->over_events = c->target->sse;
	bool ok = open_link(c, &why);
	if (!ok)
		server_on_spawn_failed(c->server, why.text, clock_now_us());
	changed(c);
	return ok || err_set(err, "%s", why.text);
}

void
connection_close(struct connection *c)
{
	if (c->link && link_http(c->link))
		leave(c);
}

void
connection_farewell(struct loop *loop, struct connection *const *connections, size_t count)
{
	int64_t until_ms = loop_now_ms(loop) + CONNECTION_FAREWELL_MS;
	bool waits = true;

	for (size_t i = 0; i < count; i++)
		if (connections[i])
			connection_close(connections[i]);
	while (waits && loop_now_ms(loop) < until_ms) {
		waits = false;
		for (size_t i = 0; i < count; i++)
			waits |= connections[i] && connections[i]->leaving;
		if (waits)
			loop_turn(loop, (int)(until_ms - loop_now_ms(loop)));
	}
}

long
connection_pid(const struct connection *c)
{
	return c->link ? link_pid(c->link) : 0;
}

struct http *
connection_http(const struct connection *c)
{
	return c->link ? link_http(c->link) : NULL;
}

struct authorizer *
connection_authorizer(const struct connection *c)
{
	return c->authorizer;
}

bool
connection_is_forbidden(const struct connection *c)
{
	return c->forbidden;
}

bool
connection_stop(struct connection *c)
{
	if (!c->link)
		return false;
	leave(c);
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

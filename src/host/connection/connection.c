#include "parts.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/url_text.h"
#include "host/task_store.h"
#include "client/tasks.h"
#include "net/crypto.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Events of the connection's authorizer. */

static void
on_auth_change(void *user)
{
	struct connection *c = user;

	server_on_auth(c->server);
	connection_changed(c);
}

static void
on_auth_ask(void *user, const char *text, const char *url)
{
	struct connection *c = user;

	if (c->options.on_authorize)
		c->options.on_authorize(c->user, text, url);
}

/* Sends waiting messages again, or restarts a server that was given up. */
static void
on_settled(void *user, const char *why, int64_t waited_us)
{
	struct connection *c = user;

	server_extend_deadlines(c->server, waited_us);
	if (!why && c->forbidden && server_info(c->server)->phase >= SERVER_FAILED)
		connection_start(c, NULL);
	else if (c->transport)
		c->transport->ops->settle(c->transport, why);
}

/* Returns the URL from its path on. */
static const char *
url_path(const char *url)
{
	size_t len;
	const char *host = web_url_host(url, &len);

	return host + len;
}

/* A URL from a file may contain values of the user's environment; its label does not. */
static void
hide_url_values(const struct target *t, struct buf *text)
{
	const char *path = t->url ? url_path(t->url) : "", *shown = url_path(t->label);
	size_t same = 0, end = strlen(path), shown_end = strlen(shown);

	if (strcmp(path, shown) == 0 || !*path)
		return;
	buf_replace(text, path, shown);
	while (path[same] && path[same] == shown[same])
		same++;
	while (end > same && shown_end > same && path[end - 1] == shown[shown_end - 1]) {
		end--;
		shown_end--;
	}
	char *value = mem_strndup(path + same, end - same);
	auth_secrets_hide(&(struct strings){ &value, 1, 1 }, text);
	free(value);
}

char *
connection_hide(const struct connection *c, const char *text, size_t len)
{
	struct buf shown = BUF_INIT;

	if (!text)
		return NULL;
	buf_add(&shown, text, strnlen(text, len));
	hide_url_values(c->target, &shown);
	if (c->authorizer)
		auth_flow_hide(authorizer_info(c->authorizer).flow, &shown);
	return shown.data ? buf_detach(&shown) : mem_strdup("");
}

static void
on_note(void *user, const char *text)
{
	connection_on_wire_note(user, text, 0);
}

static void
connection_add_authorizer(struct connection *c)
{
	static const struct authorizer_events events = {
		.on_change = on_auth_change,
		.on_note = on_note,
		.on_ask = on_auth_ask,
		.on_settled = on_settled,
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
		server_set_auth(c->server, authorizer_info(c->authorizer).flow);
	else
		server_on_note(c->server, err.text, clock_now_us());
}

/* Again and again, because the monotonic clock stands still while the machine sleeps. */
void
connection_set_clock(struct connection *c)
{
	int64_t wall_ms = clock_wall_ms();
	time_t now = (time_t)(wall_ms / 1000);
	struct tm local = { 0 };

	localtime_r(&now, &local);
	bool then = c->transport && c->transport->epoch_us;
	server_set_clock(c->server, then ? c->transport->epoch_us : wall_ms * 1000 - clock_now_us(),
	    (int)local.tm_gmtoff);
}

/* Sets the loop's timer to the server's next deadline; called after everything that reaches the
 * server. No request times out while a message is being read or the user is asked for
 * authorization. */
void
connection_touch(struct connection *c)
{
	bool waits = c->authorizer && authorizer_info(c->authorizer).waiting;

	connection_set_clock(c);
	bool still = waits || line_reader_busy(&c->reader) > 0;
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
	uint64_t changes = server_info(c->server)->task_changes;
	struct err err;

	if (!c->options.keeps_tasks || changes == c->tasks_kept)
		return;
	c->tasks_kept = changes;
	if (!task_store_save(c->target, c->server, &err))
		server_on_note(c->server, err.text, clock_now_us());
}

void
connection_changed(struct connection *c)
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
	connection_changed(c);
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
	connection_changed(user);
}

void
connection_on_wire_note(void *user, const char *text, uint64_t id)
{
	struct connection *c = user;
	char *shown = connection_hide(c, text, strlen(text));

	server_on_wire_note(c->server, shown, id, connection_event_us(c));
	free(shown);
	c->on_change(c->user);
}

static bool
on_wait(void *user, uint64_t id, char *out, size_t size)
{
	const struct connection *c = user;
	const struct transport *t = c->transport;

	return t && t->ops->describe_wait && t->ops->describe_wait(t, id, out, size);
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
	c->options.server.session.onlooker = target->recording != NULL;
	c->options.server.session.transport = target->url ? TRANSPORT_HTTP : TRANSPORT_STDIO;
	crypto_random(c->options.server.trace_seed, sizeof(c->options.server.trace_seed), NULL);
	c->server =
	    server_create(target->name, target->label, &c->options.server, connection_send, c);
	connection_wire_init(c);
	server_use_wait(c->server, on_wait, c);
	if (options->worker)
		server_use_jobs(c->server, submit, on_checked, c);
	c->options.keeps_tasks &= !target->recording;
	if (c->options.keeps_tasks)
		task_store_load(target, c->server);
	connection_add_authorizer(c);
	return c;
}

void
connection_destroy(struct connection *c)
{
	if (!c)
		return;
	loop_timer_cancel(&c->timer);
	loop_timer_cancel(&c->again.timer);
	transport_destroy(c->transport);
	transport_destroy(c->leaving);
	line_reader_drop(&c->reader);
	authorizer_destroy(c->authorizer);
	server_destroy(c->server);
	free(c);
}

bool
connection_start(struct connection *c, struct err *err)
{
	struct err why = { "" };

	if (c->target->trouble) {
		server_on_spawn_failed(c->server, c->target->trouble, clock_now_us());
		connection_changed(c);
		return err_set(err, "%s: %s", c->target->name, c->target->trouble);
	}
	connection_leave(c);
	bool ok = connection_open(c, &why);
	connection_changed(c);
	return ok || err_set(err, "%s", why.text);
}

void
connection_close(struct connection *c)
{
	if (!c->transport || c->transport->ops->close)
		connection_leave(c);
}

void
connection_farewell(struct loop *loop, struct connection *const *connections, size_t count)
{
	int64_t until_ms = loop_now_ms(loop) + CONNECTION_FAREWELL_MS;
	bool waits = true;

	for (size_t i = 0; i < count; i++)
		if (connections[i])
			connection_close(connections[i]);
	while (waits && !loop_trouble(loop) && loop_now_ms(loop) < until_ms) {
		waits = false;
		for (size_t i = 0; i < count; i++)
			waits |= connections[i] && connections[i]->leaving;
		if (waits)
			loop_turn(loop, (int)(until_ms - loop_now_ms(loop)));
	}
}

bool
connection_stop(struct connection *c)
{
	if (!c->transport && !c->again.timer.loop)
		return false;
	connection_leave(c);
	server_on_stopped(c->server, clock_now_us());
	connection_changed(c);
	return true;
}

struct server *
connection_server(const struct connection *c)
{
	return c->server;
}

struct connection_info
connection_info(const struct connection *c)
{
	return (struct connection_info){
		.target = c->target,
		.authorizer = c->authorizer,
		.pid = c->transport ? c->transport->pid : 0,
		.is_forbidden = c->forbidden,
	};
}

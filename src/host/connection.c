/* SPDX-License-Identifier: MIT */
#include "host/connection.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/secret.h"
#include "base/url.h"
#include "base/vec.h"
#include "demo/demo.h"
#include "host/recording_file.h"
#include "host/stores.h"
#include "line_reader.h"
#include "net/crypto.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

struct connection {
	struct loop *loop;
	const struct target *target;
	struct connection_options options;
	struct server *server;
	struct transport *transport; /* NULL: none */
	struct transport *leaving;   /* the previous transport, closing its session */
	bool forbidden, over_events;
	struct line_reader reader;
	struct loop_timer timer;
	struct {
		struct loop_timer timer; /* set: reopen at that time */
		int times;               /* in a row */
		int64_t opened_ms;       /* the current transport */
	} again;
	struct authorizer *authorizer; /* NULL: none */
	uint64_t tasks_kept;           /* server_info()->task_changes at the last save */
	void (*on_change)(void *user);
	void *user;
};

/* ---- messages ---- */

/* A URL from a file may contain values of the user's environment; its label does not. */
static void
hide_url_values(const struct target *t, struct buf *text)
{
	size_t host_len, same = 0;

	if (!t->url)
		return;
	const char *path = web_url_host(t->url, &host_len);
	path += host_len;
	const char *shown = web_url_host(t->label, &host_len);
	shown += host_len;
	size_t end = strlen(path), shown_end = strlen(shown);
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

static char *
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

/* Again and again, because the monotonic clock stands still while the machine sleeps. */
static void
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
connection_changed(void *user)
{
	struct connection *c = user;
	uint64_t changes = server_info(c->server)->task_changes;
	struct err err;

	if (c->options.keeps_tasks && changes != c->tasks_kept) {
		c->tasks_kept = changes;
		if (!task_store_save(c->target, c->server, &err))
			server_on_note(c->server, err.text, 0, clock_now_us());
	}
	connection_touch(c);
	c->on_change(c->user);
}

static int64_t
connection_event_us(const struct connection *c)
{
	return c->transport && c->transport->at_us ? c->transport->at_us : clock_now_us();
}

static void
connection_on_wire_note(void *user, const char *text, uint64_t id)
{
	struct connection *c = user;
	char *shown = connection_hide(c, text, strlen(text));

	server_on_note(c->server, shown, id, connection_event_us(c));
	free(shown);
	c->on_change(c->user);
}

static void
on_raw_message(void *user, struct raw_message *message)
{
	struct connection *c = user;

	line_reader_add(&c->reader, message);
}

static void try_events(struct connection *c);

static void
on_read(void *user, struct raw_message *line)
{
	struct connection *c = user;

	server_on_raw_message(c->server, line, connection_event_us(c));
	try_events(c);
	connection_changed(c);
}

static void
on_busy(void *user)
{
	struct connection *c = user;
	size_t bytes = line_reader_busy(&c->reader);

	if (c->transport)
		c->transport->ops->hold(c->transport, bytes > 0);
	server_on_reading(c->server, bytes);
	connection_changed(c);
}

static void
on_stderr(void *user, const char *bytes, size_t len)
{
	struct connection *c = user;

	server_on_stderr(c->server, bytes, len, connection_event_us(c));
	connection_changed(c);
}

/* A failed send does not end the connection: the cause (a broken pipe, a server that does not
 * read) shows as the server's exit or as a request's time-out. */
static void
connection_send(void *user, const struct outbound *message)
{
	struct connection *c = user;

	if (c->transport)
		c->transport->ops->send(c->transport, message, NULL);
}

/* ---- end ---- */

/* Delays before each automatic reopening. */
static const int64_t again_ms[] = { 1000, 1000, 2000, 2000, 4000, 4000, 8000, 8000 };
#define AGAIN_MOST ARRAY_LEN(again_ms)
#define STEADY_MS 10000 /* after lasting this long, the count of reopenings starts over */

/* HTTP+SSE depends on its one stream: if it ends during use, reopen it a limited number of
 * times. Streamable HTTP reopens streams in net/http; a process that ended needs the user's
 * attention. Returns the delay in ms; -1: do not reopen. */
static int64_t
plan_again(struct connection *c)
{
	enum server_phase phase = server_info(c->server)->phase;
	int64_t now_ms = loop_now_ms(c->loop);

	if (!c->options.reopens || !c->over_events || c->forbidden)
		return -1;
	if (phase == SERVER_READY && now_ms - c->again.opened_ms >= STEADY_MS)
		c->again.times = 0;
	if ((phase != SERVER_READY && c->again.times == 0) || c->again.times == AGAIN_MOST)
		return -1;
	int64_t wait_ms = again_ms[c->again.times++];
	loop_timer_set(c->loop, &c->again.timer, now_ms + wait_ms);
	return wait_ms;
}

static void
on_closed(void *user, struct transport *transport, const char *how)
{
	struct connection *c = user;

	if (transport == c->leaving) {
		transport_destroy(c->leaving);
		c->leaving = NULL;
		return;
	}
	bool starting = c->target->url && server_info(c->server)->phase == SERVER_STARTING;
	bool neither = starting && c->over_events && !c->target->sse && c->again.times == 0;
	int64_t wait_ms = plan_again(c);
	char *text = mem_printf("%s%s",
	    neither ? "no MCP server is there, neither Streamable HTTP nor HTTP+SSE: GET: " : "",
	    how);
	if (starting) /* HTTP never reached it */
		server_on_spawn_failed(c->server, text, clock_now_us());
	else
		server_on_closed(c->server, text, clock_now_us());
	free(text);
	if (wait_ms >= 0)
		server_on_again(c->server, wait_ms);
	transport_destroy(c->transport);
	c->transport = NULL;
	connection_changed(c);
}

static void
leave_transport(struct connection *c)
{
	struct transport *t = c->transport;

	transport_destroy(c->leaving);
	c->leaving = NULL;
	c->transport = NULL;
	if (!t || !t->ops->close) {
		transport_destroy(t);
		return;
	}
	c->leaving = t;
	t->ops->close(t, CONNECTION_FAREWELL_MS);
}

static void
connection_leave(struct connection *c)
{
	loop_timer_cancel(&c->again.timer);
	leave_transport(c);
	line_reader_drop(&c->reader);
	server_on_reading(c->server, 0);
}

/* ---- start ---- */

static void on_error(void *user, const struct transport_error *error);

static void
on_reach(void *user, const char *trouble)
{
	struct connection *c = user;
	char *shown = trouble ? connection_hide(c, trouble, SIZE_MAX) : NULL;

	server_on_reach(c->server, shown);
	free(shown);
	connection_changed(c);
}

static void
on_rewind(void *user)
{
	struct connection *c = user;

	line_reader_drop(&c->reader);
	server_on_reading(c->server, 0);
	server_rewind(c->server, connection_event_us(c));
	connection_changed(c);
}

static void
on_ended(void *user, const char *how)
{
	struct connection *c = user;

	server_on_closed(c->server, how, connection_event_us(c));
	connection_changed(c);
}

static const struct transport_events transport_events = {
	.on_rewind = on_rewind,
	.on_ended = on_ended,
	.on_message = on_raw_message,
	.on_stderr = on_stderr,
	.on_error = on_error,
	.on_note = connection_on_wire_note,
	.on_reach = on_reach,
	.on_closed = on_closed,
};

/* The environment of a server from a file, besides its own env: the variables that SDK clients
 * pass (the user, paths of programs and files), plus language and time zone, without which text
 * comes out wrong. A shell's tokens reach the server only if the file names them. */
static const char *const file_inherits[] = { "HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER",
	"LANG", "LANGUAGE", "LC_*", "TZ", "TMPDIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME",
	"XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR", NULL };

static struct transport *
open_process(struct connection *c, size_t max_message, struct err *err)
{
	const struct target *t = c->target;
	struct stdio_options options = {
		.child = { .argv = (const char *const *)t->argv,
		    .env = (const char *const *)t->env,
		    .inherits = t->file ? file_inherits : NULL,
		    .cwd = t->cwd,
		    .serve = t->demo ? demo_serve : NULL,
		    .ladder = &c->options.ladder },
		.max_line = max_message,
	};

	return stdio_create(c->loop, &options, &transport_events, c, err);
}

static struct transport *
open_http(struct connection *c, size_t max_message, struct err *err)
{
	const struct target *t = c->target;
	/* the side that knows the reason should time out first */
	int64_t timeout_ms = c->options.server.session.timeout_ms,
		most = timeout_ms - timeout_ms / 10;
	struct http_options options = {
		.url = t->url,
		.kind = c->over_events ? HTTP_EVENTS : HTTP_STREAMABLE,
		.headers = (const char *const *)t->headers,
		.insecure = t->insecure,
		.max_message = max_message,
		.connect_ms = timeout_ms > 0 && most < HTTP_CONNECT_MS ? most : HTTP_CONNECT_MS,
	};

	if (c->authorizer)
		options.auth = authorizer_info(c->authorizer).http;
	return http_create(c->loop, &options, &transport_events, c, err);
}

/* env: "NAME=value"; headers: "Name: value", of which the server may repeat the token after
 * "Bearer". */
static bool
note_secrets(char *const *all, char sign)
{
	bool any = false;

	for (; all && *all; all++) {
		const char *value = strchr(*all, sign);
		if (!value || !secret_is_named(*all, (size_t)(value - *all)))
			continue;
		char *name = mem_strndup(*all, (size_t)(value++ - *all));
		value += strspn(value, " ");
		if (value[0] != '/') /* the path of a file, or PWD */
			secret_note_typed(name, value);
		if (sign == ':' && strchr(value, ' '))
			secret_note_typed(name, strchr(value, ' ') + 1);
		free(name);
		any = true;
	}
	return any;
}

static bool
open_transport(struct connection *c, struct err *err)
{
	size_t max =
	    c->options.max_message_bytes ? c->options.max_message_bytes : CONNECTION_MAX_MESSAGE;

	bool has_secrets = note_secrets(c->target->env, '=');
	has_secrets |= note_secrets(c->target->headers, ':');
	if (has_secrets)
		secret_shield_process();
	if (c->target->recording) {
		const struct time_line *line = NULL;
		c->transport = playback_create(
		    c->loop, c->target->recording, &transport_events, c, &line, err);
		server_set_time_line(c->server, line);
	} else {
		c->transport = c->target->url ? open_http(c, max, err) : open_process(c, max, err);
	}
	if (!c->transport) {
		server_on_spawn_failed(c->server, err->text, clock_now_us());
		return false;
	}
	c->again.opened_ms = loop_now_ms(c->loop);
	enum session_era wanted = server_set_era(c->server, ERA_LEGACY);
	if (!c->over_events) /* only the legacy era has it */
		server_set_era(c->server, wanted);
	connection_set_clock(c);
	server_start(c->server, clock_now_us());
	server_set_era(c->server, wanted);
	if (c->target->url && c->target->insecure)
		server_on_note(
		    c->server, "--insecure: certificates are not checked", 0, clock_now_us());
	return true;
}

static void
on_again(void *user)
{
	struct connection *c = user;
	struct err err = { "" };

	connection_leave(c);
	open_transport(c, &err);
	connection_changed(c);
}

/* A server without Streamable HTTP is addressed as the 2024-11-05 transport. */
static void
try_events(struct connection *c)
{
	struct err err = { "" };

	if (c->over_events || !session_info(server_info(c->server)->session)->wants_sse)
		return;
	server_on_note(
	    c->server, "trying the transport of 2024-11-05, HTTP+SSE", 0, clock_now_us());
	leave_transport(c);
	c->over_events = true;
	open_transport(c, &err);
}

static void
on_error(void *user, const struct transport_error *error)
{
	struct connection *c = user;
	struct transport_error shown = *error;
	char *text = connection_hide(c, error->text, SIZE_MAX);
	char *body = connection_hide(c, error->body, error->body_len);

	shown.text = text;
	shown.body = body;
	shown.body_len = body ? strlen(body) : 0;
	c->forbidden |= error->kind == TRANSPORT_FORBIDDEN;
	server_on_transport_error(c->server, &shown, clock_now_us());
	free(text);
	free(body);
	try_events(c);
	connection_changed(c);
}

/* Events of the connection's authorizer. */

static void
on_auth_change(void *user)
{
	struct connection *c = user;

	server_changed(c->server);
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
on_auth_settled(void *user, const char *why, int64_t waited_us)
{
	struct connection *c = user;

	server_extend_deadlines(c->server, waited_us);
	if (!why && c->forbidden && server_info(c->server)->phase >= SERVER_FAILED)
		connection_start(c, NULL);
	else if (c->transport)
		c->transport->ops->settle(c->transport, why);
}

static void
on_auth_note(void *user, const char *text)
{
	connection_on_wire_note(user, text, 0);
}

static const struct authorizer_events authorizer_events = {
	.on_change = on_auth_change,
	.on_note = on_auth_note,
	.on_ask = on_auth_ask,
	.on_settled = on_auth_settled,
};

static void
on_deadline(void *user)
{
	struct connection *c = user;

	server_on_time(c->server, clock_now_us());
	connection_changed(c);
}

/* ---- jobs of the server ---- */

static void
submit_job(void *user, struct job *job)
{
	struct connection *c = user;

	worker_submit(c->options.worker, job);
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
	c->timer = (struct loop_timer){ .fn = on_deadline, .user = c };
	c->options.server.session.onlooker = target->recording != NULL;
	c->options.server.session.transport = target->url ? TRANSPORT_HTTP : TRANSPORT_STDIO;
	c->options.server.on_wait = on_wait;
	c->options.server.wait_user = c;
	crypto_random(c->options.server.trace_seed, sizeof(c->options.server.trace_seed), NULL);
	c->server =
	    server_create(target->name, target->label, &c->options.server, connection_send, c);
	c->again.timer = (struct loop_timer){ .fn = on_again, .user = c };
	c->reader = (struct line_reader){
		.worker = c->options.worker, .on_line = on_read, .on_busy = on_busy, .user = c
	};
	if (options->worker)
		server_use_jobs(c->server, submit_job, connection_changed, c);
	c->options.keeps_tasks &= !target->recording;
	if (c->options.keeps_tasks)
		task_store_load(target, c->server);
	if (target->url && options->authorize) {
		struct authorizer_options authorize = *options->authorize;
		struct err err = { "" };
		authorize.flow.server_url = target->url;
		authorize.insecure = target->insecure;
		c->authorizer = authorizer_create(loop, &authorize, &authorizer_events, c, &err);
		if (c->authorizer)
			server_set_auth(c->server, authorizer_info(c->authorizer).flow);
		else
			server_on_note(c->server, err.text, 0, clock_now_us());
	}
	c->options.authorize = NULL; /* it is the caller's */
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
	c->forbidden = false;
	c->over_events = c->target->sse;
	c->again.times = 0;
	bool ok = open_transport(c, &why);
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

struct connection_info
connection_info(const struct connection *c)
{
	return (struct connection_info){
		.server = c->server,
		.target = c->target,
		.authorizer = c->authorizer,
		.pid = c->transport ? c->transport->pid : 0,
		.is_forbidden = c->forbidden,
	};
}

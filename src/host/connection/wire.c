#include "parts.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/secret.h"
#include "base/vec.h"
#include "host/session/playback.h"

#include <stdlib.h>
#include <string.h>

/* Connects a transport with the server model: incoming and outgoing messages, start and end. */

/* ---- reading: a large message is parsed in a thread ---- */

struct reading {
	struct job job;             /* first */
	struct line_reader *reader; /* NULL: the reader is gone */
	struct raw_message line;
};

static void take(struct line_reader *r, struct raw_message *line);

static void
work_off(struct line_reader *r)
{
	while (r->waiting.len > 0 && !r->reading) {
		struct raw_message line = r->waiting.items[0];
		VEC_REMOVE(&r->waiting, 0);
		take(r, &line);
	}
}

static void
run(struct job *job)
{
	raw_message_read(&((struct reading *)job)->line, job);
}

static void
done(struct job *job)
{
	struct reading *reading = (struct reading *)job;
	struct line_reader *r = reading->reader;
	struct raw_message line = reading->line;
	bool stopped = job_is_stopped(job);

	free(reading);
	if (r)
		r->reading = NULL;
	if (!r || stopped) {
		raw_message_finish(&line);
		return;
	}
	r->on_line(r->user, &line);
	work_off(r);
	r->on_busy(r->user);
}

static void
take(struct line_reader *r, struct raw_message *line)
{
	bool at_once = line->is_read || line->dropped > 0 || line->bytes->len < RAW_MESSAGE_LARGE;

	if (!r->worker || at_once) {
		raw_message_read(line, NULL);
		r->on_line(r->user, line);
		return;
	}
	r->reading = mem_zalloc(sizeof(*r->reading));
	*r->reading =
	    (struct reading){ .job = { .run = run, .done = done }, .reader = r, .line = *line };
	r->on_busy(r->user);
	worker_submit(r->worker, &r->reading->job);
}

void
line_reader_add(struct line_reader *r, struct raw_message *line)
{
	if (r->reading)
		*VEC_PUSH(&r->waiting) = *line;
	else
		take(r, line);
}

size_t
line_reader_busy(const struct line_reader *r)
{
	return r->reading ? r->reading->line.bytes->len : 0;
}

void
line_reader_drop(struct line_reader *r)
{
	if (r->reading) {
		job_stop(&r->reading->job);
		r->reading->reader = NULL;
		r->reading = NULL;
	}
	for (size_t i = 0; i < r->waiting.len; i++)
		raw_message_finish(&r->waiting.items[i]);
	free(r->waiting.items);
	r->waiting.items = NULL;
	r->waiting.len = r->waiting.cap = 0;
}

/* ---- messages ---- */

int64_t
connection_event_us(const struct connection *c)
{
	return c->transport && c->transport->at_us ? c->transport->at_us : clock_now_us();
}

static void
on_message(void *user, struct raw_message *message)
{
	struct connection *c = user;

	line_reader_add(&c->reader, message);
}

static void try_events(struct connection *c);

static void
on_read(void *user, struct raw_message *line)
{
	struct connection *c = user;

	if (line->is_sent)
		server_on_sent(c->server, line, connection_event_us(c));
	else
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
void
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
say_end(struct connection *c, const char *how)
{
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
	say_end(c, how);
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

void
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

static const struct transport_events events = {
	.on_rewind = on_rewind,
	.on_ended = on_ended,
	.on_message = on_message,
	.on_stderr = on_stderr,
	.on_error = on_error,
	.on_note = connection_on_wire_note,
	.on_reach = on_reach,
	.on_closed = on_closed,
};

static void
start(struct connection *c)
{
	enum session_era wanted = server_set_era(c->server, ERA_LEGACY);

	if (!c->over_events) /* only the legacy era has it */
		server_set_era(c->server, wanted);
	connection_set_clock(c);
	server_start(c->server, clock_now_us());
	server_set_era(c->server, wanted);
}

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
		    .ladder = &c->options.ladder },
		.max_line = max_message,
	};

	return stdio_create(c->loop, &options, &events, c, err);
}

/* The side that knows the reason should time out first. */
static int64_t
connect_ms(int64_t timeout_ms)
{
	int64_t most = timeout_ms - timeout_ms / 10;

	return timeout_ms > 0 && most < HTTP_CONNECT_MS ? most : HTTP_CONNECT_MS;
}

static struct transport *
open_http(struct connection *c, size_t max_message, struct err *err)
{
	const struct target *t = c->target;
	struct http_options options = {
		.url = t->url,
		.kind = c->over_events ? HTTP_EVENTS : HTTP_STREAMABLE,
		.headers = (const char *const *)t->headers,
		.insecure = t->insecure,
		.max_message = max_message,
		.connect_ms = connect_ms(c->options.server.session.timeout_ms),
	};

	if (c->authorizer)
		options.auth = authorizer_http(c->authorizer);
	return http_create(c->loop, &options, &events, c, err);
}

static struct transport *
open_recording(struct connection *c, struct err *err)
{
	struct transport *t = playback_create(c->loop, c->target->recording, &events, c, err);

	server_set_time_line(c->server, t ? playback_time_line(t) : NULL);
	return t;
}

/* env: "NAME=value"; headers: "Name: value", of which the server may repeat what follows "Bearer". */
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
	c->transport = c->target->recording ? open_recording(c, err)
		       : c->target->url     ? open_http(c, max, err)
					    : open_process(c, max, err);
	if (!c->transport) {
		server_on_spawn_failed(c->server, err->text, clock_now_us());
		return false;
	}
	c->again.opened_ms = loop_now_ms(c->loop);
	start(c);
	if (c->target->url && c->target->insecure)
		server_on_note(
		    c->server, "--insecure: certificates are not checked", clock_now_us());
	return true;
}

bool
connection_open(struct connection *c, struct err *err)
{
	c->forbidden = false;
	c->over_events = c->target->sse;
	c->again.times = 0;
	return open_transport(c, err);
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
	server_on_note(c->server, "trying the transport of 2024-11-05, HTTP+SSE", clock_now_us());
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

void
connection_wire_init(struct connection *c)
{
	c->again.timer = (struct loop_timer){ .fn = on_again, .user = c };
	c->reader = (struct line_reader){
		.worker = c->options.worker, .on_line = on_read, .on_busy = on_busy, .user = c
	};
}

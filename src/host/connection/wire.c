#include "parts.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

/* Smaller lines parse within a millisecond. */
#define READ_LATER_BYTES ((size_t)256 << 10)

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
	if (!r->worker || line->dropped > 0 || line->bytes->len < READ_LATER_BYTES) {
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
line_reader_add(struct line_reader *r, struct frame_line from)
{
	struct raw_message line;

	raw_message_init(&line, from.bytes, from.dropped);
	line.cut = from.unterminated;
	line.stream = from.stream;
	if (r->reading)
		*VEC_PUSH(&r->waiting) = line;
	else
		take(r, &line);
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

/* Connects a transport with the server model: incoming and outgoing lines, start and end. */

/* Delays before each automatic reopening. */
static const int64_t again_ms[] = { 1000, 1000, 2000, 2000, 4000, 4000, 8000, 8000 };
#define AGAIN_MOST ARRAY_LEN(again_ms)
#define STEADY_MS 10000 /* after lasting this long, the count of reopenings starts over */

static void
on_line(void *user, struct frame_line line)
{
	struct connection *c = user;

	line_reader_add(&c->reader, line);
}

static void try_events(struct connection *c);

static void
on_read(void *user, struct raw_message *line)
{
	struct connection *c = user;

	server_on_raw_message(c->server, line, clock_now_us());
	try_events(c);
	connection_changed(c);
}

static void
on_busy(void *user)
{
	struct connection *c = user;
	size_t bytes = line_reader_busy(&c->reader);

	if (c->transport)
		transport_hold(c->transport, bytes > 0);
	server_on_reading(c->server, bytes);
	connection_changed(c);
}

static void
on_stderr(void *user, const char *bytes, size_t len)
{
	struct connection *c = user;

	server_on_stderr(c->server, bytes, len, clock_now_us());
	connection_changed(c);
}

void
connection_send(void *user, const struct outbound *message)
{
	struct connection *c = user;

	if (c->transport)
		transport_send(c->transport, message);
}

/* ---- end ---- */

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
on_closed(void *user, const struct transport *transport, const char *how)
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
leave_link(struct connection *c)
{
	transport_destroy(c->leaving);
	c->leaving = NULL;
	if (c->transport && transport_close(c->transport, CONNECTION_FAREWELL_MS))
		c->leaving = c->transport;
	else
		transport_destroy(c->transport);
	c->transport = NULL;
}

void
connection_leave(struct connection *c)
{
	loop_timer_cancel(&c->again.timer);
	leave_link(c);
	line_reader_drop(&c->reader);
	server_on_reading(c->server, 0);
}

/* ---- start ---- */

static void on_lost(void *user, const struct transport_error *lost);

static void
on_reach(void *user, const char *trouble)
{
	struct connection *c = user;
	char *shown = trouble ? connection_hide(c, trouble, SIZE_MAX) : NULL;

	server_on_reach(c->server, shown);
	free(shown);
	connection_changed(c);
}

static const struct transport_events events = {
	.on_line = on_line,
	.on_stderr = on_stderr,
	.on_lost = on_lost,
	.on_note = connection_on_note,
	.on_reach = on_reach,
	.on_closed = on_closed,
};

static void
start(struct connection *c)
{
	enum session_era wanted = server_set_era(c->server, ERA_LEGACY);

	if (!c->over_events) /* only the legacy era has it */
		server_set_era(c->server, wanted);
	server_start(c->server, clock_now_us());
	server_set_era(c->server, wanted);
}

static bool
open_link(struct connection *c, struct err *err)
{
	size_t max = c->options.max_message_bytes;
	struct transport_options options = {
		.target = c->target,
		.ladder = c->options.ladder,
		.max_message = max ? max : CONNECTION_MAX_MESSAGE,
		.timeout_ms = c->options.server.session.timeout_ms,
		.events = c->over_events,
	};

	if (c->authorizer)
		options.auth = authorizer_http(c->authorizer);
	c->transport = transport_create(c->loop, &options, &events, c, err);
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
	return open_link(c, err);
}

static void
on_again(void *user)
{
	struct connection *c = user;
	struct err err = { "" };

	connection_leave(c);
	open_link(c, &err);
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
	leave_link(c);
	c->over_events = true;
	open_link(c, &err);
}

static void
on_lost(void *user, const struct transport_error *lost)
{
	struct connection *c = user;
	struct transport_error shown = *lost;
	char *text = connection_hide(c, lost->text, SIZE_MAX);
	char *body = connection_hide(c, lost->body, lost->body_len);

	shown.text = text;
	shown.body = body;
	shown.body_len = body ? strlen(body) : 0;
	c->forbidden |= lost->kind == TRANSPORT_FORBIDDEN;
	server_on_transport_error(c->server, &shown, clock_now_us());
	free(text);
	free(body);
	try_events(c);
	connection_changed(c);
}

void
connection_link_init(struct connection *c)
{
	c->again.timer = (struct loop_timer){ .fn = on_again, .user = c };
	c->reader = (struct line_reader){
		.worker = c->options.worker, .on_line = on_read, .on_busy = on_busy, .user = c
	};
}

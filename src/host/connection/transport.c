#include "parts.h"

#include "base/mem.h"
#include "base/secret.h"

#include <stdlib.h>
#include <string.h>

struct transport {
	struct stdio *stdio;
	struct http *http;
	struct transport_events events;
	void *user;
};

static void
on_process_end(void *user, const struct stdio_end *end)
{
	struct transport *l = user;

	l->events.on_closed(l->user, l, end->text);
}

static void
on_line(void *user, struct frame_line line)
{
	struct transport *l = user;

	l->events.on_line(l->user, line);
}

static void
on_stderr(void *user, const char *bytes, size_t len)
{
	struct transport *l = user;

	l->events.on_stderr(l->user, bytes, len);
}

static void
on_lost(void *user, const struct transport_error *lost)
{
	struct transport *l = user;

	l->events.on_lost(l->user, lost);
}

static void
on_note(void *user, const char *text)
{
	struct transport *l = user;

	l->events.on_note(l->user, text);
}

static void
on_reach(void *user, const char *trouble)
{
	struct transport *l = user;

	l->events.on_reach(l->user, trouble);
}

static void
on_closed(void *user, const char *how)
{
	struct transport *l = user;

	l->events.on_closed(l->user, l, how);
}

/* The environment of a server from a file, besides its own env: the variables that SDK clients
 * pass (the user, paths of programs and files), plus language and time zone, without which text
 * comes out wrong. A shell's tokens reach the server only if the file names them. */
static const char *const file_inherits[] = { "HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER",
	"LANG", "LANGUAGE", "LC_*", "TZ", "TMPDIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME",
	"XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR", NULL };

/* env: "NAME=value"; headers: "Name: value". */
static bool
names_secret(char *const *all, const char *end_of_name)
{
	for (; all && *all; all++)
		if (secret_is_named(*all, strcspn(*all, end_of_name)))
			return true;
	return false;
}

static bool
open_process(
    struct transport *l, struct loop *loop, const struct transport_options *o, struct err *err)
{
	static const struct stdio_events events = {
		.on_line = on_line,
		.on_stderr = on_stderr,
		.on_closed = on_process_end,
	};
	struct stdio_options options = {
		.child = { .argv = (const char *const *)o->target->argv,
		    .env = (const char *const *)o->target->env,
		    .inherits = o->target->file ? file_inherits : NULL,
		    .cwd = o->target->cwd,
		    .ladder = &o->ladder },
		.max_line = o->max_message,
	};

	l->stdio = stdio_create(loop, &options, &events, l, err);
	return l->stdio != NULL;
}

/* The side that knows the reason should time out first. */
static int64_t
connect_ms(int64_t timeout_ms)
{
	int64_t most = timeout_ms - timeout_ms / 10;

	return timeout_ms > 0 && most < HTTP_CONNECT_MS ? most : HTTP_CONNECT_MS;
}

static bool
open_http(
    struct transport *l, struct loop *loop, const struct transport_options *o, struct err *err)
{
	static const struct http_events events = {
		.on_line = on_line,
		.on_error = on_lost,
		.on_note = on_note,
		.on_reach = on_reach,
		.on_closed = on_closed,
	};
	struct http_options options = {
		.url = o->target->url,
		.kind = o->events ? HTTP_EVENTS : HTTP_STREAMABLE,
		.headers = (const char *const *)o->target->headers,
		.insecure = o->target->insecure,
		.max_message = o->max_message,
		.connect_ms = connect_ms(o->timeout_ms),
		.auth = o->auth,
	};

	l->http = http_create(loop, &options, &events, l, err);
	return l->http != NULL;
}

struct transport *
transport_create(struct loop *loop, const struct transport_options *options,
    const struct transport_events *events, void *user, struct err *err)
{
	struct transport *l = mem_zalloc(sizeof(*l));

	l->events = *events;
	l->user = user;
	if (names_secret(options->target->env, "=") || names_secret(options->target->headers, ":"))
		secret_shield_process();
	if (options->target->url ? open_http(l, loop, options, err)
				 : open_process(l, loop, options, err))
		return l;
	free(l);
	return NULL;
}

void
transport_destroy(struct transport *l)
{
	if (!l)
		return;
	stdio_destroy(l->stdio);
	http_destroy(l->http);
	free(l);
}

/* A failed send does not end the connection: the cause (a broken pipe, a server that does not
 * read) shows as the server's exit or as a request's time-out. */
void
transport_send(struct transport *l, const struct outbound *message)
{
	if (l->http)
		http_send(l->http, message);
	else
		stdio_send(l->stdio, message->line, message->len, NULL);
}

void
transport_hold(struct transport *l, bool held)
{
	if (l->http)
		http_hold(l->http, held);
	else
		stdio_hold(l->stdio, held);
}

bool
transport_close(struct transport *l, int64_t grace_ms)
{
	if (l->http)
		http_close(l->http, grace_ms);
	return l->http != NULL;
}

long
transport_pid(const struct transport *l)
{
	return l->stdio ? (long)stdio_pid(l->stdio) : 0;
}

struct http *
transport_http(const struct transport *l)
{
	return l->http;
}

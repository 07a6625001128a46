/* SPDX-License-Identifier: MIT */
#include "proxy.h"

#include "base/mem.h"
#include "base/shared_library.h"

#include <errno.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* libmicrohttpd has an epoll descriptor, which the loop watches. A call without anything
 * to write is suspended: the library does not look at its connection then, and we do. */

#define LIBRARY "libmicrohttpd.so.12"
#define CONNECTION_BYTES ((size_t)128 << 10) /* head, and pieces of a body */
#define IDLE_S 600U                          /* of a connection that is not suspended */
#define NO_REQUEST_S 30U                     /* of one that has said no whole head */
#define SPARE 16U                            /* places that are kept free of idle connections */
#define PIECE ((size_t)32 << 10)

#define MHD_FUNCTIONS(X)                     \
	X(MHD_start_daemon)                  \
	X(MHD_stop_daemon)                   \
	X(MHD_run)                           \
	X(MHD_get_timeout)                   \
	X(MHD_get_daemon_info)               \
	X(MHD_get_connection_info)           \
	X(MHD_get_connection_values)         \
	X(MHD_set_connection_option)         \
	X(MHD_create_response_from_callback) \
	X(MHD_create_response_from_buffer)   \
	X(MHD_add_response_header)           \
	X(MHD_queue_response)                \
	X(MHD_destroy_response)              \
	X(MHD_suspend_connection)            \
	X(MHD_resume_connection)

/* A connection; the one that idles longest comes first. */
struct peer {
	struct peer *next;
	struct MHD_Connection *connection;
	bool busy, dropped;
};

struct web_listener {
	struct {
		MHD_FUNCTIONS(SHARED_LIBRARY_POINTER)
	} mhd;
	struct MHD_Daemon *daemon;
	struct loop *loop;
	struct loop_watch *watch;
	struct loop_timer timer;
	struct web_events events;
	void *user;
	struct web_call *calls;
	struct peer *peers;
	size_t peer_count;
	size_t max_body;
};

/* ---- turns ---- */

static void
turn(void *user)
{
	struct web_listener *l = user;
	MHD_UNSIGNED_LONG_LONG wait_ms;

	l->mhd.MHD_run(l->daemon);
	if (l->mhd.MHD_get_timeout(l->daemon, &wait_ms) != MHD_YES)
		return;
	int64_t at_ms = loop_now_ms(l->loop) + (int64_t)wait_ms;
	if (!l->timer.loop || at_ms < l->timer.at_ms)
		loop_timer_set(l->loop, &l->timer, at_ms);
}

static void
on_ready(void *user, unsigned ready)
{
	turn(user);
}

/* ---- connections ---- */

static void
take_out(struct web_listener *l, const struct peer *p)
{
	for (struct peer **at = &l->peers; *at; at = &(*at)->next) {
		if (*at == p) {
			*at = p->next;
			return;
		}
	}
}

static void
put_last(struct web_listener *l, struct peer *p)
{
	struct peer **at = &l->peers;

	while (*at)
		at = &(*at)->next;
	p->next = NULL;
	*at = p;
}

static void
set_busy(struct web_listener *l, struct MHD_Connection *connection, bool busy)
{
	struct peer *p =
	    l->mhd.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)
		->socket_context;

	if (!p || p->busy == busy)
		return;
	p->busy = busy;
	l->mhd.MHD_set_connection_option(
	    connection, MHD_CONNECTION_OPTION_TIMEOUT, busy ? IDLE_S : NO_REQUEST_S);
	take_out(l, p);
	put_last(l, p);
}

static void
on_connection(void *user, struct MHD_Connection *connection, void **thing,
    enum MHD_ConnectionNotificationCode what)
{
	struct web_listener *l = user;
	struct peer *p = *thing;

	if (what == MHD_CONNECTION_NOTIFY_CLOSED) {
		take_out(l, p);
		l->peer_count--;
		free(p);
		return;
	}
	if (l->peer_count >= WEB_CLIENTS - SPARE) {
		/* The library has no way to close a connection, but hears of its end. */
		struct peer *at = l->peers;
		while (at && (at->busy || at->dropped))
			at = at->next;
		if (at) {
			at->dropped = true;
			shutdown(l->mhd
				     .MHD_get_connection_info(
					 at->connection, MHD_CONNECTION_INFO_CONNECTION_FD)
				     ->connect_fd,
			    SHUT_RDWR);
			loop_timer_set(l->loop, &l->timer, loop_now_ms(l->loop));
		}
	}
	p = mem_zalloc(sizeof(*p));
	*thing = p;
	p->connection = connection;
	l->peer_count++;
	put_last(l, p); /* its time limit is the usual NO_REQUEST_S */
}

/* ---- suspending ---- */

static void
resume(struct web_call *c)
{
	struct web_listener *l = c->owner;

	if (!c->suspended)
		return;
	c->suspended = false;
	loop_watch_modify(c->gone, 0);
	l->mhd.MHD_resume_connection(c->connection);
	loop_timer_set(l->loop, &l->timer, loop_now_ms(l->loop));
}

static void
suspend(struct web_call *c)
{
	c->suspended = true;
	c->owner->mhd.MHD_suspend_connection(c->connection);
	loop_watch_modify(c->gone, LOOP_READ);
}

static void
report_done(struct web_call *c)
{
	if (c->reported)
		return;
	c->reported = true;
	c->owner->events.on_done(c->owner->user, c);
	c->thing = NULL;
}

/* The end of its stream, or the client's next request, which waits for its turn. */
static void
on_client(void *user, unsigned ready)
{
	struct web_call *c = user;
	int fd =
	    c->owner->mhd.MHD_get_connection_info(c->connection, MHD_CONNECTION_INFO_CONNECTION_FD)
		->connect_fd;
	char byte;
	ssize_t n = recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);

	if (n > 0) {
		loop_watch_modify(c->gone, 0);
		return;
	}
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	c->broken = true;
	report_done(c);
	resume(c);
}

/* ---- a request ---- */

/* It is the first that is heard of a request. */
static void *
on_target(void *user, const char *target, struct MHD_Connection *connection)
{
	struct web_listener *l = user;
	struct web_call *c = mem_zalloc(sizeof(*c));

	*c = (struct web_call){ .owner = l, .next = l->calls, .connection = connection };
	c->target = mem_strdup(target);
	c->length = -1;
	buf_init(&c->body, l->max_body);
	l->calls = c;
	return c;
}

static enum MHD_Result
add_header(void *user, enum MHD_ValueKind kind, const char *name, const char *value)
{
	buf_addf(user, "%s: %s\n", name, value ? value : "");
	return MHD_YES;
}

static void
on_completed(void *user, struct MHD_Connection *connection, void **thing,
    enum MHD_RequestTerminationCode code)
{
	struct web_listener *l = user;
	struct web_call *c = *thing;

	if (!c)
		return;
	*thing = NULL;
	set_busy(l, connection, false);
	for (struct web_call **at = &l->calls; *at; at = &(*at)->next) {
		if (*at == c) {
			*at = c->next;
			break;
		}
	}
	report_done(c);
	loop_watch_remove(c->gone);
	free(c->method);
	free(c->target);
	free(c->answer_headers);
	buf_finish(&c->headers);
	buf_finish(&c->body);
	buf_finish(&c->outbox);
	free(c);
}

/* ---- a response ---- */

static ssize_t
read_piece(void *user, uint64_t at, char *out, size_t most)
{
	struct web_call *c = user;
	size_t len = c->outbox.len < most ? c->outbox.len : most;

	if (c->broken)
		return MHD_CONTENT_READER_END_WITH_ERROR;
	if (len == 0 && c->ended)
		return c->cut ? MHD_CONTENT_READER_END_WITH_ERROR
			      : MHD_CONTENT_READER_END_OF_STREAM;
	if (len == 0) {
		suspend(c);
		return 0;
	}
	memcpy(out, c->outbox.data, len);
	buf_consume(&c->outbox, len);
	if (c->full && c->outbox.len < WEB_OUTBOX / 2) {
		c->full = false;
		c->owner->events.on_room(c->owner->user, c);
	}
	return (ssize_t)len;
}

/* Statuses 204 and 304 have no body, and no length of one. */
static enum MHD_Result
queue(struct web_call *c)
{
	const struct web_listener *l = c->owner;
	bool none = c->status == 204 || c->status == 304;
	uint64_t size = c->length < 0 ? MHD_SIZE_UNKNOWN : (uint64_t)c->length;
	struct MHD_Response *response =
	    none ? l->mhd.MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT)
		 : l->mhd.MHD_create_response_from_callback(size, PIECE, read_piece, c, NULL);

	if (!response)
		return MHD_NO;
	c->queued = true;
	const char *lines = c->answer_headers;
	while (*lines) {
		size_t len = strcspn(lines, "\n"), name_len = strcspn(lines, ":\n");
		if (name_len < len && *lines != ' ' && *lines != '\t') {
			char *name = mem_strndup(lines, name_len), *value;
			const char *from = lines + name_len + 1;
			from += strspn(from, " \t");
			value = mem_strndup(from, (size_t)(lines + len - from));
			for (char *tab = value; (tab = strchr(tab, '\t'));)
				*tab = ' '; /* the library refuses tabs */
			l->mhd.MHD_add_response_header(response, name, value);
			free(name);
			free(value);
		}
		lines += len + (lines[len] == '\n');
	}
	enum MHD_Result result =
	    l->mhd.MHD_queue_response(c->connection, (unsigned)c->status, response);
	l->mhd.MHD_destroy_response(response);
	return result;
}

/* Called with the head, for each piece of the body, at its end, and after being suspended. */
static enum MHD_Result
on_access(void *user, struct MHD_Connection *connection, const char *url, const char *method,
    const char *version, const char *bytes, size_t *len, void **thing)
{
	struct web_listener *l = user;
	struct web_call *c = *thing;
	struct err why = { "" };

	if (c->broken || c->queued)
		return c->broken ? MHD_NO : MHD_YES;
	if (!c->begun) {
		const union MHD_ConnectionInfo *info =
		    l->mhd.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
		c->begun = true;
		set_busy(l, connection, true);
		c->method = mem_strdup(method);
		c->gone = loop_watch_fd(l->loop, info->connect_fd, 0, on_client, c);
		l->mhd.MHD_get_connection_values(
		    connection, MHD_HEADER_KIND, add_header, &c->headers);
		int status = l->events.check(l->user, c, &why);
		if (!status)
			return MHD_YES;
		web_respond(c, status,
		    "Content-Type: text/plain; charset=utf-8\nCache-Control: no-store\n",
		    (int64_t)strlen(why.text) + 1);
		web_add(c, why.text, strlen(why.text));
		web_add(c, "\n", 1);
		web_end(c, true);
		return queue(c);
	}
	if (*len > 0) {
		bool ok = buf_add(&c->body, bytes, *len);
		*len = 0;
		return ok ? MHD_YES : MHD_NO;
	}
	if (!c->accepted) {
		c->accepted = true;
		l->events.on_call(l->user, c);
	}
	if (c->status)
		return queue(c);
	suspend(c);
	return MHD_YES;
}

void
web_respond(struct web_call *c, int status, const char *headers, int64_t length)
{
	c->status = status;
	c->answer_headers = mem_strdup(headers);
	c->length = length;
	resume(c);
}

bool
web_add(struct web_call *c, const char *bytes, size_t len)
{
	buf_add(&c->outbox, bytes, len);
	c->full = c->outbox.len >= WEB_OUTBOX;
	resume(c);
	return !c->full;
}

void
web_end(struct web_call *c, bool whole)
{
	c->ended = true;
	c->cut = !whole;
	resume(c);
}

/* ---- the listener ---- */

static bool
web_listener_start(struct web_listener *l, int fd, struct err *err)
{
	unsigned flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_SUPPRESS_DATE_NO_CLOCK;

	if (!SHARED_LIBRARY_LOAD(LIBRARY, MHD_FUNCTIONS, &l->mhd, err))
		return err_set(err, "HTTP clients need the library " LIBRARY
				    ", which was not found: apt-get install libmicrohttpd12");
	l->daemon =
	    l->mhd.MHD_start_daemon(flags, 0, NULL, NULL, on_access, l, MHD_OPTION_LISTEN_SOCKET,
		fd, MHD_OPTION_URI_LOG_CALLBACK, on_target, l, MHD_OPTION_NOTIFY_COMPLETED,
		on_completed, l, MHD_OPTION_NOTIFY_CONNECTION, on_connection, l,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, CONNECTION_BYTES, MHD_OPTION_CONNECTION_LIMIT,
		WEB_CLIENTS, MHD_OPTION_CONNECTION_TIMEOUT, NO_REQUEST_S, MHD_OPTION_END);
	return l->daemon || err_set(err, "libmicrohttpd does not start: %s", strerror(errno));
}

struct web_listener *
web_listen(struct loop *loop, int fd, size_t max_body, const struct web_events *events, void *user,
    struct err *err)
{
	struct web_listener *l = mem_zalloc(sizeof(*l));

	*l = (struct web_listener){ .loop = loop, .events = *events, .user = user };
	l->max_body = max_body;
	l->timer = (struct loop_timer){ .fn = turn, .user = l };
	if (!web_listener_start(l, fd, err)) {
		close(fd);
		free(l);
		return NULL;
	}
	int epoll = l->mhd.MHD_get_daemon_info(l->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
	l->watch = loop_watch_fd(loop, epoll, LOOP_READ, on_ready, l);
	return l;
}

void
web_close(struct web_listener *l)
{
	if (!l)
		return;
	for (struct web_call *c = l->calls; c; c = c->next) {
		c->broken = true;
		resume(c);
	}
	loop_watch_remove(l->watch);
	l->mhd.MHD_stop_daemon(l->daemon); /* closes the socket */
	loop_timer_cancel(&l->timer);
	free(l);
}

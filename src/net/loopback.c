/* SPDX-License-Identifier: MIT */
#include "net/loopback.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/vec.h"
#include "net/fetch.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

/* One connection; freed after its page was sent. */
struct visit {
	struct loopback *owner;
	struct visit *next;
	struct loop_watch *watch;
	struct loop_timer timer;
	int fd;
	struct buf head;
	struct buf page; /* empty: still reading the head */
};

struct loopback {
	struct loop *loop;
	struct loop_watch *watch;
	int fd, port;
	char *path;
	loopback_visit_fn *on_visit;
	void *user;
	struct visit *visits;
	size_t count;
	bool closing, calling;
};

/* In addition to enum loopback_visit. */
enum { PAGE_NOT_FOUND = LOOPBACK_STRAY + 1, PAGE_METHOD, PAGE_TOO_LARGE, PAGE_FOREIGN };

static const struct answer_page {
	const char *status, *title, *text;
} pages[] = {
	[LOOPBACK_TAKEN] = { "200 OK", "The answer has arrived",
	    "You can close this page. mcpane continues, and shows whether it is authorized." },
	[LOOPBACK_REFUSED] = { "200 OK", "Not authorized",
	    "mcpane shows why. This page can be closed." },
	[LOOPBACK_STRAY] = { "400 Bad Request", "Not expected",
	    "This is not the answer that mcpane is waiting for. It was ignored." },
	[PAGE_NOT_FOUND] = { "404 Not Found", "Nothing here",
	    "mcpane is waiting for another page." },
	[PAGE_METHOD] = { "405 Method Not Allowed", "Nothing here", "Only GET is answered." },
	[PAGE_TOO_LARGE] = { "431 Request Header Fields Too Large", "Too much",
	    "The request is too long." },
	[PAGE_FOREIGN] = { "403 Forbidden", "Not for others",
	    "Only a browser window is answered, at the address that mcpane gave." },
};

/* ---- a visit ---- */

static void
visit_end(void *visit)
{
	struct visit *v = visit;
	struct loopback *l = v->owner;

	for (struct visit **at = &l->visits; *at; at = &(*at)->next) {
		if (*at == v) {
			*at = v->next;
			break;
		}
	}
	l->count--;
	loop_timer_cancel(&v->timer);
	loop_watch_remove(v->watch);
	close(v->fd);
	buf_finish(&v->head);
	buf_finish(&v->page);
	free(v);
}

/* A socket accepts a page of this size at once unless the peer is gone. */
static void
write_page(struct visit *v)
{
	ssize_t put = send(v->fd, v->page.data, v->page.len, MSG_NOSIGNAL);

	if (put < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (put > 0)
		buf_consume(&v->page, (size_t)put);
	if (put <= 0 || v->page.len == 0)
		visit_end(v);
}

/* Usually ends the visit. */
static void
set_page(struct visit *v, const struct answer_page *page)
{
	struct buf body = BUF_INIT;

	buf_addf(&body,
	    "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>mcpane: %s</title>"
	    "<body><h1>%s</h1><p>%s</p></body></html>\n",
	    page->title, page->title, page->text);
	buf_addf(&v->page,
	    "HTTP/1.1 %s\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %zu\r\n"
	    "Content-Security-Policy: default-src 'none'\r\nReferrer-Policy: no-referrer\r\n"
	    "X-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\n"
	    "Connection: close\r\n\r\n%s",
	    page->status, body.len, buf_text(&body));
	buf_finish(&body);
	loop_watch_modify(v->watch, LOOP_WRITE);
	write_page(v);
}

/* Caller frees; NULL: no such header. */
static char *
find_header(const char *head, const char *name, size_t nth)
{
	char *value = header_find(head, name, nth);

	if (value)
		value[strcspn(value, " \t\r")] = '\0';
	return value;
}

/* The header is missing or has this value. */
static bool
has_only(const char *head, const char *name, const char *expected)
{
	char *value = find_header(head, name, 0);
	bool ok = !value || strcmp(value, expected) == 0;

	free(value);
	return ok;
}

/* Against DNS rebinding, Host must be ours. Sec-Fetch-* distinguish an opened page from one that
 * another page loads; a script that fetches sends the Origin of its page. */
static bool
is_opened_page(const struct loopback *l, const char *head)
{
	static const char *const names[] = { "127.0.0.1", "localhost", "[::1]" };
	char *host = find_header(head, "Host", 0), *other = find_header(head, "Host", 1);
	char *origin = find_header(head, "Origin", 0);
	bool is_ours = false;
	char whole[32];

	for (size_t i = 0; host && i < ARRAY_LEN(names); i++) {
		snprintf(whole, sizeof(whole), "%s:%d", names[i], l->port);
		is_ours |= strcasecmp(host, whole) == 0;
	}
	bool ok = is_ours && !other && !origin && has_only(head, "Sec-Fetch-Mode", "navigate") &&
		  has_only(head, "Sec-Fetch-Dest", "document");

	free(host);
	free(other);
	free(origin);
	return ok;
}

/* The head is complete. Ends the visit and may destroy the listener. */
static void
answer(struct visit *v)
{
	struct loopback *l = v->owner;
	char *head = v->head.data;
	bool get = strncmp(head, "GET ", 4) == 0;
	char *target = mem_strndup(head + 4, get ? strcspn(head + 4, " \r\n") : 0);
	int page = get ? PAGE_NOT_FOUND : PAGE_METHOD;
	size_t path = strlen(l->path);

	if (get && !is_opened_page(l, head)) {
		page = PAGE_FOREIGN;
	} else if (get && strncmp(target, l->path, path) == 0 &&
		   (target[path] == '?' || target[path] == '\0')) {
		l->calling = true;
		page = (int)l->on_visit(l->user, target);
		l->calling = false;
	}
	free(target);
	set_page(v, &pages[page]);
	if (l->closing)
		loopback_destroy(l);
}

static void
on_ready(void *user, unsigned ready)
{
	struct visit *v = user;

	if (v->page.len > 0) {
		write_page(v);
		return;
	}
	char *room = buf_reserve(&v->head, 4096);
	if (!room) {
		set_page(v, &pages[PAGE_TOO_LARGE]);
		return;
	}
	ssize_t got = read(v->fd, room, 4096);
	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (got <= 0) {
		visit_end(v);
		return;
	}
	buf_commit(&v->head, (size_t)got);
	if (memchr(v->head.data, '\0', v->head.len))
		visit_end(v);
	else if (strstr(v->head.data, "\r\n\r\n") || strstr(v->head.data, "\n\n"))
		answer(v);
}

/* ---- the listener ---- */

static void
on_connection(void *user, unsigned ready)
{
	struct loopback *l = user;
	int fd = accept4(l->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

	if (fd < 0)
		return;
	if (l->count == LOOPBACK_MAX_VISITS) {
		close(fd);
		return;
	}
	struct visit *v = mem_zalloc(sizeof(*v));
	*v = (struct visit){ .owner = l, .next = l->visits, .fd = fd };
	buf_init(&v->head, LOOPBACK_MAX_HEAD);
	v->watch = loop_watch_fd(l->loop, fd, LOOP_READ, on_ready, v);
	v->timer = (struct loop_timer){ .fn = visit_end, .user = v };
	loop_timer_set(l->loop, &v->timer, loop_now_ms(l->loop) + LOOPBACK_VISIT_MS);
	l->visits = v;
	l->count++;
}

static bool
listen_on(struct loopback *l, int port, struct err *err)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
		.sin_port = htons((uint16_t)port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(at);
	int on = 1;

	l->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (l->fd < 0)
		return err_set(err, "no socket: %s", strerror(errno));
	setsockopt(l->fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (bind(l->fd, (struct sockaddr *)&at, len) < 0 || listen(l->fd, 8) < 0 ||
	    getsockname(l->fd, (struct sockaddr *)&at, &len) < 0) {
		err_set(err, "cannot listen on 127.0.0.1 port %d: %s", port, strerror(errno));
		close(l->fd);
		return false;
	}
	l->port = ntohs(at.sin_port);
	return true;
}

struct loopback *
loopback_create(struct loop *loop, int port, const char *path, loopback_visit_fn *on_visit,
    void *user, struct err *err)
{
	struct loopback *l = mem_zalloc(sizeof(*l));

	l->loop = loop;
	if (!listen_on(l, port, err)) {
		free(l);
		return NULL;
	}
	l->path = mem_strdup(path);
	l->on_visit = on_visit;
	l->user = user;
	l->watch = loop_watch_fd(loop, l->fd, LOOP_READ, on_connection, l);
	return l;
}

void
loopback_destroy(struct loopback *l)
{
	if (!l)
		return;
	if (l->calling) { /* from its callback: answer() destroys it */
		l->closing = true;
		return;
	}
	while (l->visits)
		visit_end(l->visits);
	loop_watch_remove(l->watch);
	close(l->fd);
	free(l->path);
	free(l);
}

int
loopback_port(const struct loopback *l)
{
	return l->port;
}

/* SPDX-License-Identifier: MIT */
/* The proxy between a client and a server of any bytes, over real sockets: a byte 1 separates the
 * client's bytes from the server's. The server receives one well-formed head with one Host, its
 * own, and one length; no foreign Host or Origin passes. */
#include "fuzz.h"

#include "base/buf.h"
#include "net/fetch.h"
#include "net/http_proxy.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct {
	struct loop *loop;
	struct http_proxy *proxy;
	int listener, port; /* the server's */
	int proxy_port;
	size_t open; /* reported requests that have not ended */
} world;

static void
on_request(void *user, struct proxied *p)
{
	demand(*p->target == '/' && !p->thing);
	p->thing = p;
	world.open++;
}

static void
on_head(void *user, struct proxied *p)
{
	demand(p->thing == p && p->status >= 200);
}

static void
on_body(void *user, struct proxied *p, const char *bytes, size_t len)
{
	demand(p->thing == p && p->status && len > 0);
}

static void
on_end(void *user, struct proxied *p, const char *trouble)
{
	demand(p->thing == p && (p->status || trouble));
	p->thing = NULL;
	world.open--;
}

static void
on_refused(void *user, const char *why)
{
	demand(*why);
}

static int
tcp(void)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	demand(fd >= 0);
	setsockopt(
	    fd, SOL_SOCKET, SO_LINGER, &(struct linger){ .l_onoff = 1 }, sizeof(struct linger));
	return fd;
}

static struct sockaddr_in
here(int port)
{
	return (struct sockaddr_in){ .sin_family = AF_INET,
		.sin_port = htons((uint16_t)port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
}

static void
begin(void)
{
	static const struct http_proxy_events events = { on_request, on_head, on_body, on_end,
		on_refused };
	struct sockaddr_in at = here(0);
	socklen_t len = sizeof(at);
	char url[64];

	world.listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	demand(bind(world.listener, (struct sockaddr *)&at, len) == 0);
	demand(listen(world.listener, 64) == 0);
	demand(getsockname(world.listener, (struct sockaddr *)&at, &len) == 0);
	world.port = ntohs(at.sin_port);
	snprintf(url, sizeof(url), "http://127.0.0.1:%d/mcp", world.port);
	world.loop = loop_create(NULL, NULL, NULL);
	world.proxy = http_proxy_create(world.loop,
	    &(struct http_proxy_options){ .listen = "127.0.0.1:0", .url = url }, &events, NULL,
	    NULL);
	demand(world.proxy);
	world.proxy_port = atoi(strrchr(http_proxy_view(world.proxy).url, ':') + 1);
}

static void
turn(int times)
{
	for (int i = 0; i < times; i++)
		loop_turn(world.loop, 0);
}

static size_t
count(const char *headers, const char *name)
{
	size_t n = 0;
	char *value;

	for (; (value = header_find(headers, name, n)); n++)
		free(value);
	return n;
}

/* With a line break for each CR LF. */
static void
check_request(struct buf *got)
{
	char *end = strstr(buf_text(got), "\r\n\r\n"), wanted[40], *host, *origin;

	if (!end)
		return;
	buf_truncate(got, (size_t)(end + 2 - got->data));
	buf_replace(got, "\r\n", "\n");
	snprintf(wanted, sizeof(wanted), "127.0.0.1:%d", world.port);
	host = header_find(buf_text(got), "Host", 0);
	origin = header_find(buf_text(got), "Origin", 0);
	demand(host && strcmp(host, wanted) == 0 && count(buf_text(got), "Host") == 1);
	demand(!origin || !strstr(origin, "evil"));
	demand(count(buf_text(got), "Content-Length") <= 1);
	demand(count(buf_text(got), "Transfer-Encoding") == 0);
	demand(count(buf_text(got), "Accept-Encoding") == 1);
	free(host);
	free(origin);
}

static void
serve(const uint8_t *data, size_t size)
{
	struct buf got = BUF_INIT;
	int fd = accept(world.listener, NULL, NULL);

	if (fd < 0)
		return;
	turn(4);
	char *room = buf_reserve(&got, 65536);
	ssize_t n = recv(fd, room, 65536, MSG_DONTWAIT);
	if (n > 0) {
		buf_commit(&got, (size_t)n);
		check_request(&got);
	}
	send(fd, data, size, MSG_NOSIGNAL | MSG_DONTWAIT);
	turn(4);
	shutdown(fd, SHUT_WR);
	turn(8);
	close(fd);
	buf_finish(&got);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *mark = size > 0 ? memchr(data, 1, size) : NULL;
	size_t said = mark ? (size_t)(mark - data) : size;
	char answer[65536];

	if (!world.loop)
		begin();
	struct sockaddr_in at = here(world.proxy_port);
	int fd = tcp();
	demand(connect(fd, (struct sockaddr *)&at, sizeof(at)) == 0);
	send(fd, data, said, MSG_NOSIGNAL | MSG_DONTWAIT);
	turn(12);
	for (int i = 0; i < 3; i++) {
		serve(mark ? mark + 1 : NULL, mark ? size - said - 1 : 0);
		turn(4);
	}
	ssize_t n = recv(fd, answer, sizeof(answer), MSG_DONTWAIT);
	demand(n < 9 || memcmp(answer, "HTTP/1.", 7) == 0);
	close(fd);
	for (int i = 0; i < 1000 && world.open > 0; i++) {
		serve(NULL, 0);
		turn(1);
	}
	demand(world.open == 0);
	return 0;
}

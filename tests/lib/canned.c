/* SPDX-License-Identifier: MIT */
#include "canned.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/vec.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

struct canned {
	const struct canned_answer *answers;
	size_t count;
	bool *used;
	int listener, port;
	pthread_t thread;
	pthread_mutex_t lock;
	struct {
		char **items;
		size_t len, cap;
	} requests;
	struct {
		struct connection *items;
		size_t len, cap;
	} connections;
	char url[256];
	struct buf copy;
};

struct connection {
	int fd;
	pthread_t thread;
	struct canned *canned;
};

/* ---- one connection ---- */

static size_t
body_length(const char *head)
{
	const char *length = strcasestr(head, "\ncontent-length:");

	return length ? strtoul(length + strlen("\ncontent-length:"), NULL, 10) : 0;
}

#define TLS_HANDSHAKE 0x16

/* Reads one request into b, which may already hold a part of it. Returns the request's length, or 0
 * if the connection ended. */
static size_t
read_request(int fd, struct buf *b)
{
	char bytes[4096];
	const char *end;
	ssize_t n;

	while (!(end = strstr(buf_text(b), "\r\n\r\n")) ||
	       b->len < (size_t)(end + 4 - b->data) + body_length(b->data)) {
		n = read(fd, bytes, sizeof(bytes));
		if (n <= 0)
			return 0;
		buf_add(b, bytes, (size_t)n);
		if (b->data[0] == TLS_HANDSHAKE) { /* as plain servers do */
			n = write(fd, "HTTP/1.1 400 Bad Request\r\n\r\n", 28);
			return 0;
		}
	}
	return (size_t)(end + 4 - b->data) + body_length(b->data);
}

static const struct canned_answer *
choose(struct canned *c, const char *request)
{
	for (size_t i = 0; i < c->count; i++) {
		const struct canned_answer *a = &c->answers[i];
		if (c->used[i] ||
		    (a->request && strncmp(request, a->request, strlen(a->request)) != 0) ||
		    (a->has && !strstr(request, a->has)))
			continue;
		c->used[i] = !a->again;
		return a;
	}
	return NULL;
}

static const struct canned_answer *
take(struct canned *c, const char *request, size_t len)
{
	pthread_mutex_lock(&c->lock);
	char *copy = *VEC_PUSH(&c->requests) = mem_strndup(request, len);
	const struct canned_answer *a = choose(c, copy);
	pthread_mutex_unlock(&c->lock);
	return a;
}

static bool
send_all(int fd, const char *bytes, size_t len, size_t piece)
{
	while (len > 0) {
		size_t part = piece && piece < len ? piece : len;
		ssize_t n = send(fd, bytes, part, MSG_NOSIGNAL);
		if (n <= 0)
			return false;
		bytes += n;
		len -= (size_t)n;
	}
	return true;
}

static bool
send_answer(int fd, const struct canned_answer *a)
{
	static const struct canned_answer none = { .head = "404 Not Found", .body = "nothing" };
	struct buf head = BUF_INIT;

	a = a ? a : &none;
	if (!a->body)
		return true;
	size_t len = a->len ? a->len : strlen(a->body);
	if (a->head && a->stream)
		buf_addf(&head, "HTTP/1.1 %s\r\n\r\n", a->head);
	else if (a->head)
		buf_addf(&head, "HTTP/1.1 %s\r\nContent-Length: %zu\r\n\r\n", a->head, len);
	bool ok = send_all(fd, buf_text(&head), head.len, a->piece) &&
		  send_all(fd, a->body, len, a->piece);
	buf_finish(&head);
	if (a->reset)
		setsockopt(fd, SOL_SOCKET, SO_LINGER, &(struct linger){ .l_onoff = 1 },
		    sizeof(struct linger));
	return ok && !a->close && !a->reset && (!a->stream || a->open);
}

static void *
serve(void *user)
{
	struct connection *connection = user;
	struct canned *c = connection->canned;
	struct buf b = BUF_INIT;
	int fd = connection->fd;
	size_t len;

	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){ 1 }, sizeof(int));
	while ((len = read_request(fd, &b)) > 0) {
		if (!send_answer(fd, take(c, b.data, len)))
			break;
		buf_consume(&b, len);
	}
	buf_finish(&b);
	pthread_mutex_lock(&c->lock);
	for (size_t i = 0; i < c->connections.len; i++)
		if (c->connections.items[i].fd == fd)
			c->connections.items[i].fd = -1;
	close(fd);
	pthread_mutex_unlock(&c->lock);
	free(connection);
	return NULL;
}

/* ---- the server ---- */

static void *
listen_to(void *user)
{
	struct canned *c = user;
	int fd;

	while ((fd = accept(c->listener, NULL, NULL)) >= 0) {
		struct connection *own = mem_zalloc(sizeof(*own));
		*own = (struct connection){ .fd = fd, .canned = c };
		pthread_mutex_lock(&c->lock);
		struct connection *known = VEC_PUSH(&c->connections);
		pthread_create(&own->thread, NULL, serve, own);
		*known = *own;
		pthread_mutex_unlock(&c->lock);
	}
	return NULL;
}

struct canned *
canned_start(const struct canned_answer *answers, size_t count)
{
	struct canned *c = mem_zalloc(sizeof(*c));
	struct sockaddr_in address = { .sin_family = AF_INET };
	socklen_t len = sizeof(address);

	c->answers = answers;
	c->count = count;
	c->used = mem_zalloc(count + 1);
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	c->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (bind(c->listener, (struct sockaddr *)&address, len) < 0 || listen(c->listener, 64) < 0)
		abort();
	getsockname(c->listener, (struct sockaddr *)&address, &len);
	c->port = ntohs(address.sin_port);
	pthread_mutex_init(&c->lock, NULL);
	pthread_create(&c->thread, NULL, listen_to, c);
	return c;
}

void
canned_stop(struct canned *c)
{
	shutdown(c->listener, SHUT_RDWR);
	pthread_join(c->thread, NULL);
	pthread_mutex_lock(&c->lock);
	for (size_t i = 0; i < c->connections.len; i++)
		if (c->connections.items[i].fd >= 0)
			shutdown(c->connections.items[i].fd, SHUT_RDWR);
	pthread_mutex_unlock(&c->lock);
	for (size_t i = 0; i < c->connections.len; i++)
		pthread_join(c->connections.items[i].thread, NULL);
	for (size_t i = 0; i < c->requests.len; i++)
		free(c->requests.items[i]);
	pthread_mutex_destroy(&c->lock);
	close(c->listener);
	free(c->requests.items);
	free(c->connections.items);
	free(c->used);
	buf_finish(&c->copy);
	free(c);
}

int
canned_port(const struct canned *c)
{
	return c->port;
}

const char *
canned_url(struct canned *c, const char *path)
{
	snprintf(c->url, sizeof(c->url), "http://127.0.0.1:%d%s", c->port, path);
	return c->url;
}

size_t
canned_count(struct canned *c)
{
	pthread_mutex_lock(&c->lock);
	size_t count = c->requests.len;
	pthread_mutex_unlock(&c->lock);
	return count;
}

size_t
canned_open(struct canned *c)
{
	size_t open = 0;

	pthread_mutex_lock(&c->lock);
	for (size_t i = 0; i < c->connections.len; i++)
		open += c->connections.items[i].fd >= 0;
	pthread_mutex_unlock(&c->lock);
	return open;
}

const char *
canned_request(struct canned *c, size_t nth)
{
	buf_clear(&c->copy);
	pthread_mutex_lock(&c->lock);
	bool is_there = nth < c->requests.len;
	if (is_there)
		buf_add_str(&c->copy, c->requests.items[nth]);
	pthread_mutex_unlock(&c->lock);
	return is_there ? buf_text(&c->copy) : NULL;
}

size_t
canned_asked(struct canned *c, const char *request)
{
	size_t count = 0;

	pthread_mutex_lock(&c->lock);
	for (size_t i = 0; i < c->requests.len; i++)
		count += strncmp(c->requests.items[i], request, strlen(request)) == 0;
	pthread_mutex_unlock(&c->lock);
	return count;
}

/* SPDX-License-Identifier: MIT */
/* Visitors of the local listener, over a real socket: a first byte gives the number of following
 * bytes sent in one piece. Only a complete GET for our path and host is passed on, once, without a
 * control character in its target; every visitor gets an answer or is disconnected. */
#include "fuzz.h"

#include "base/buf.h"
#include "net/loopback.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static size_t visits;

static enum loopback_visit
on_visit(void *user, const char *target)
{
	visits++;
	demand(strncmp(target, "/callback", 9) == 0 && (target[9] == '?' || target[9] == '\0'));
	demand(strcspn(target, " \r\n") == strlen(target));
	demand(strlen(target) < LOOPBACK_MAX_HEAD);
	return LOOPBACK_STRAY;
}

static int
visit(int port)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
		.sin_port = htons((uint16_t)port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	demand(fd >= 0 && connect(fd, (struct sockaddr *)&at, sizeof(at)) == 0);
	setsockopt(
	    fd, SOL_SOCKET, SO_LINGER, &(struct linger){ .l_onoff = 1 }, sizeof(struct linger));
	return fd;
}

/* PORT in the input means the listener's port, which a legitimate visitor knows. */
static void
fill_in(struct buf *head, const uint8_t *data, size_t size, int port)
{
	for (size_t i = 0; i < size; i++) {
		if (size - i >= 4 && memcmp(data + i, "PORT", 4) == 0) {
			buf_addf(head, "%d", port);
			i += 3;
		} else {
			buf_add_char(head, (char)data[i]);
		}
	}
}

static bool
names_us(const struct buf *head, int port)
{
	char host[32];

	snprintf(host, sizeof(host), ":%d", port);
	return memmem(buf_text(head), head->len, host, strlen(host)) != NULL;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct loop *loop;
	struct err err = { "" };
	struct buf head = BUF_INIT;
	char page[4096];

	if (size < 2)
		return 0;
	if (!loop)
		loop = loop_create(NULL, NULL, &err);
	struct loopback *l = loopback_create(loop, 0, "/callback", on_visit, NULL, &err);
	demand(l);
	int port = loopback_port(l), fd = visit(port);
	fill_in(&head, data + 1, size - 1, port);
	visits = 0;
	size_t first = data[0] < head.len ? data[0] : head.len;
	demand(send(fd, buf_text(&head), first, MSG_NOSIGNAL) == (ssize_t)first);
	for (int i = 0; i < 3; i++)
		loop_turn(loop, 0);
	send(fd, buf_text(&head) + first, head.len - first, MSG_NOSIGNAL | MSG_DONTWAIT);
	shutdown(fd, SHUT_WR);
	for (int i = 0; i < 64; i++)
		loop_turn(loop, 0);
	demand(visits <= 1);
	demand(visits == 0 || (names_us(&head, port) && strncmp(buf_text(&head), "GET ", 4) == 0));
	ssize_t got = recv(fd, page, sizeof(page), MSG_DONTWAIT);
	demand(visits == 0 || (got > 12 && memcmp(page, "HTTP/1.1 400", 12) == 0));
	demand(got <= 0 || memcmp(page, "HTTP/1.1 ", 9) == 0);
	close(fd);
	loopback_destroy(l);
	buf_finish(&head);
	return 0;
}

/* SPDX-License-Identifier: MIT */
#include "listeners.h"

#include "test.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

static int
listen_on(int type, int *port)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(address);
	int fd = socket(AF_INET, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &len), 0);
	assert_true(type != SOCK_STREAM || listen(fd, 64) == 0);
	*port = ntohs(address.sin_port);
	return fd;
}

void
listeners_open(struct listeners *l)
{
	l->tcp = listen_on(SOCK_STREAM, &l->tcp_port);
	l->udp = listen_on(SOCK_DGRAM, &l->udp_port);
}

void
listeners_close(struct listeners *l)
{
	close(l->tcp);
	close(l->udp);
}

void
listeners_assert_quiet(const struct listeners *l)
{
	char byte;

	assert_int_equal(accept(l->tcp, NULL, NULL), -1);
	assert_int_equal(recv(l->udp, &byte, 1, 0), -1);
}

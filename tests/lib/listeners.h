/* SPDX-License-Identifier: MIT */
#ifndef LISTENERS_H
#define LISTENERS_H

/* Listening sockets on 127.0.0.1 that detect connections from a sandbox. They do not block. */
struct listeners {
	int tcp, udp, tcp_port, udp_port;
};

void listeners_open(struct listeners *l);
void listeners_close(struct listeners *l);
/* Fail the test if anything connected. */
void listeners_assert_quiet(const struct listeners *l);

#endif

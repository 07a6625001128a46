#ifndef LISTENERS_H
#define LISTENERS_H

/* Sockets on 127.0.0.1 that notice whoever gets out of a fence. They do not block. */
struct listeners {
	int tcp, udp, tcp_port, udp_port;
};

void listeners_open(struct listeners *l);
void listeners_close(struct listeners *l);
/* Fails the test if somebody has come. */
void listeners_assert_quiet(const struct listeners *l);

#endif

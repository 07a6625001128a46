#ifndef MODEL_PING_H
#define MODEL_PING_H

#include <stdbool.h>
#include <stdint.h>

/* The round-trip time of one small request. */
struct ping {
	const char *method; /* "ping", else "server/discover"; NULL if none was sent */
	uint64_t request;   /* 0 if it has ended */
	int64_t sent_us;
	int64_t took_us; /* < 0: failed or still waiting */
	char error[200];
	bool unanswered; /* error does not come from the server */
};

#endif

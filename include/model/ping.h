#ifndef MODEL_PING_H
#define MODEL_PING_H

#include <stdbool.h>
#include <stdint.h>

/* How long one small request took there and back. */
struct ping {
	const char
	    *method;      /* "ping", or "server/discover" where that is gone; NULL: none was sent */
	uint64_t request; /* 0: it has ended */
	int64_t sent_us;
	int64_t took_us; /* < 0: it failed, or goes on */
	char error[200];
	bool unanswered; /* with an error: it is none of the server's */
};

#endif

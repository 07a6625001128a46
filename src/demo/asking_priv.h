#ifndef DEMO_ASKING_PRIV_H
#define DEMO_ASKING_PRIV_H

#include "rpc/message.h"

struct demo;
struct demo_call;

/* A call that waits for an answer of the client's to a request of ours. */
struct demo_asked {
	char *id; /* of the call, JSON */
	int64_t number;
};

struct demo_asks {
	struct demo_asked *items;
	size_t len, cap;
	int64_t last;
};

struct demo_asking {
	const char *method;
	const char *params; /* JSON */
};
void demo_asked_on_answer(struct demo *d, const struct message *m, int64_t now_ms);
void demo_asked_cancel(struct demo *d, const char *id);
void demo_asked_finish(struct demo *d);

#endif

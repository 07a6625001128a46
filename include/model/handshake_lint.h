#ifndef MODEL_HANDSHAKE_LINT_H
#define MODEL_HANDSHAKE_LINT_H

#include "model/server.h"

/*
 * What is odd about how a server introduced itself: by what the specification says of the
 * handshake, and by what a user of it would want to know. Sentences in plain words.
 */
struct greeting_finding {
	bool serious; /* breaks the specification, not only odd */
	char text[200];
};

struct greeting {
	struct greeting_finding *items;
	size_t len, cap;
};

/* Appends. Nothing while there was no handshake. */
void greeting_judge(const struct server *s, struct greeting *out);

#endif

#ifndef MODEL_HANDSHAKE_LINT_H
#define MODEL_HANDSHAKE_LINT_H

#include "model/server.h"

/*
 * Flaws in how a server introduced itself: breaches of the specification's handshake rules, and
 * oddities a user would want to know. Plain sentences.
 */
struct greeting_finding {
	bool serious; /* breaks the specification */
	char text[200];
};

struct greeting {
	struct greeting_finding *items;
	size_t len, cap;
};

/* Appends the findings; none if there was no handshake. */
void greeting_judge(const struct server *s, struct greeting *out);

#endif

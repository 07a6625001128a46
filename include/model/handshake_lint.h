#ifndef MODEL_HANDSHAKE_LINT_H
#define MODEL_HANDSHAKE_LINT_H

#include "model/server.h"

/*
 * Flaws in how a server introduced itself: breaches of the specification's handshake rules, and
 * oddities a user would want to know. Plain sentences.
 */
struct handshake_finding {
	bool serious; /* breaks the specification */
	char text[200];
};

struct handshake_findings {
	struct handshake_finding *items;
	size_t len, cap;
};

/* Appends the findings; none if there was no handshake. */
void handshake_lint(const struct server *s, struct handshake_findings *out);

#endif

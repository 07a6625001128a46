#ifndef MODEL_LINK_H
#define MODEL_LINK_H

#include <stdbool.h>
#include <stddef.h>

/* A URL that a server wants the user to visit, looked at for what could deceive. */
#define LINK_WARNINGS 6

struct link {
	size_t host, host_len; /* where in the text; length 0: there is none */
	bool openable;         /* https, or http of this machine, and nothing odd in it */
	char refusal[160];     /* why not; "" when it is */
	const char *warnings[LINK_WARNINGS];
	size_t warning_count;
};

void link_inspect(struct link *l, const char *url);

#endif

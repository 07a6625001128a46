#ifndef MODEL_LINK_H
#define MODEL_LINK_H

#include <stdbool.h>
#include <stddef.h>

/* A URL that a server wants the user to visit, examined for signs of deception. */
#define LINK_WARNINGS 6

struct link {
	size_t host, host_len; /* offset in the text; length 0 if there is no host */
	bool openable;         /* https, or http of this machine, and nothing suspicious in it */
	char refusal[160];     /* why it is not openable; "" if it is */
	const char *warnings[LINK_WARNINGS];
	size_t warning_count;
};

void link_inspect(struct link *l, const char *url);

#endif

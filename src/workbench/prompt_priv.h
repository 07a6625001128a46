#ifndef WORKBENCH_PROMPT_PRIV_H
#define WORKBENCH_PROMPT_PRIV_H

#include "ui/edit.h"
#include "ui/input.h"
#include "ui/surface.h"

struct workbench;

struct strings {
	char **items;
	size_t len, cap;
};

void strings_clear(struct strings *s);

/* The ":" line. */
struct prompt {
	struct edit edit;
	struct strings history;
	size_t history_at;      /* == history.len: the line being typed */
	struct strings matches; /* completions of what is typed */
	size_t match;           /* the one Tab would take */
};

void prompt_open(struct workbench *wb, const char *text);
void prompt_key(struct workbench *wb, const struct key *key);
void prompt_draw(struct workbench *wb, struct surface bar, struct surface above);
void prompt_finish(struct prompt *p);

/* complete.c: whole command lines that start with `text` */
void complete(struct workbench *wb, const char *text, struct strings *out);

#endif

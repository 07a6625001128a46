#ifndef SCHEMA_BACKTRACK_PRIV_H
#define SCHEMA_BACKTRACK_PRIV_H

#include <stddef.h>

/*
 * Patterns matched by PCRE2's interpreter under a budget of steps. Nothing else
 * in the program knows PCRE2. Threads may share a pattern, but not a run.
 */
struct backtrack;

/* What one run needs; zero it before use. */
struct backtrack_run {
	struct backtrack_tools *tools;
	size_t budget; /* steps left */
	size_t work;   /* not charged yet */
};

/* pattern: as ecma_translate() writes it. NULL if PCRE2 cannot compile it. */
struct backtrack *backtrack_create(const char *pattern, size_t len);
void backtrack_destroy(struct backtrack *backtrack);
/* 1: it matches, 0: it does not, -1: too many steps, or the text is too long. */
int backtrack_match(const struct backtrack *backtrack, const char *text, struct backtrack_run *run);
void backtrack_run_finish(struct backtrack_run *run);

#endif

#ifndef SCHEMA_REGEX_PRIV_H
#define SCHEMA_REGEX_PRIV_H

#include "base/buf.h"

/*
 * Regular expressions of ECMA-262, matched by PCRE2 under a budget: a pattern
 * that takes too long ends as REGEX_UNKNOWN, it never hangs.
 */
struct regex;

enum regex_syntax {
	REGEX_FINE,
	REGEX_BROKEN,      /* not a regular expression of ECMA-262 */
	REGEX_UNSUPPORTED, /* one, but PCRE2 cannot do it */
};

enum regex_answer { REGEX_NO, REGEX_YES, REGEX_UNKNOWN };

/* NULL unless fine. Unicode mode first, then the web's older syntax. */
struct regex *regex_create(const char *pattern, enum regex_syntax *syntax);
void regex_destroy(struct regex *regex);
/* What keeps a pattern from being one in Unicode mode (format "regex"); NULL: nothing does. */
const char *regex_fault(const char *pattern);

/* What matching needs besides the pattern; one for each check, made when first needed. */
struct regex_run {
	struct regex_tools *tools;
	size_t budget, jit_budget; /* left for the whole check, in steps */
	size_t work;               /* done and not taken into account elsewhere */
};
static inline size_t
regex_run_take_work(struct regex_run *run)
{
	size_t work = run->work;

	run->work = 0;
	return work;
}
void regex_run_finish(struct regex_run *run);
/* A regex may be used by several threads at once. */
enum regex_answer regex_match(struct regex *regex, const char *text, struct regex_run *run);
/* The same without the short cut for simple patterns. */
enum regex_answer regex_match_fully(struct regex *regex, const char *text, struct regex_run *run);

/* How much a matcher may have to try: without loops at most factor * n^powers ways. */
struct regex_cost {
	unsigned powers; /* quantifiers with a wide range */
	unsigned factor; /* of narrow ranges and alternatives, capped */
	bool loops;      /* repeated groups, back references */
};
#define REGEX_MAX_FACTOR 4096

/* Rewrites an ECMA-262 pattern for PCRE2 (PCRE2_UTF), appended to out. *fault: what is broken. */
enum regex_syntax ecma_translate(const char *pattern, bool unicode, struct buf *out,
    struct regex_cost *cost, const char **fault);

#endif

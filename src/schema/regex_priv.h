#ifndef SCHEMA_REGEX_PRIV_H
#define SCHEMA_REGEX_PRIV_H

#include "automaton_priv.h"
#include "backtrack_priv.h"

#include "base/buf.h"

/*
 * Regular expressions of ECMA-262. An automaton matches them in linear time.
 * Patterns with back references and very large ones are left to PCRE2 under a
 * budget: a match that takes too long ends as REGEX_UNKNOWN, it never hangs.
 */
struct regex;

/* Bounds all patterns of a schema together. Zero it before use; it outlives them. */
struct regex_room {
	size_t count; /* of patterns */
	size_t size;  /* steps of their automata */
};

enum regex_syntax {
	REGEX_FINE,
	REGEX_BROKEN,      /* not a regular expression of ECMA-262 */
	REGEX_UNSUPPORTED, /* valid, but cannot be checked */
};

enum regex_answer { REGEX_NO, REGEX_YES, REGEX_UNKNOWN };

/* NULL unless fine. Unicode mode first, then the web's older syntax. */
struct regex *regex_create(const char *pattern, struct regex_room *room, enum regex_syntax *syntax);
void regex_destroy(struct regex *regex);
/* What keeps a pattern from being one in Unicode mode (format "regex"); NULL: nothing does. */
const char *regex_fault(const char *pattern);

/* What matching needs besides the pattern: one for each check, zeroed before use. */
struct regex_run {
	struct automaton_run automaton;
	struct backtrack_run backtrack;
};
/* The steps since the last call, for check_charge(). */
static inline size_t
regex_run_take_work(struct regex_run *run)
{
	size_t work = run->automaton.work + run->backtrack.work;

	run->automaton.work = run->backtrack.work = 0;
	return work;
}
void regex_run_finish(struct regex_run *run);
/* A regex may be used by several threads at once. */
enum regex_answer regex_match(struct regex *regex, const char *text, struct regex_run *run);
/* The same by PCRE2 alone; tests compare the two. */
enum regex_answer regex_match_by_trying(
    struct regex *regex, const char *text, struct regex_run *run);

/* What the translation finds out about a pattern. */
struct regex_facts {
	bool refers;     /* has a back reference */
	unsigned looks;  /* look-arounds */
	size_t size;     /* steps of an automaton, at most */
	size_t max_text; /* a longer text may exceed a bound that was left out */
};

/* Appends an ECMA-262 pattern as PCRE2 (PCRE2_UTF) reads it, in ASCII and without names. *fault:
 * what is broken. */
enum regex_syntax ecma_translate(const char *pattern, bool unicode, struct buf *out,
    struct regex_facts *facts, const char **fault);

#endif

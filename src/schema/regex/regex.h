/* SPDX-License-Identifier: MIT */
#ifndef SCHEMA_REGEX_REGEX_H
#define SCHEMA_REGEX_REGEX_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Regular expressions of ECMA-262. An automaton matches them in linear time. PCRE2 matches
 * patterns with back references and very large ones within a budget: a match that takes too
 * long ends as REGEX_UNKNOWN and never hangs.
 */
struct regex;

enum regex_answer { REGEX_NO, REGEX_YES, REGEX_UNKNOWN };

/*
 * A pattern without back references, matched in time linear in the text. Threads may share one. If
 * the complete tables are too large, each run fills in its own tables as far as it needs them.
 */
struct automaton_tables;

/* The state of one run; zero it before use. */
struct automaton_run {
	struct automaton_tables **tables; /* of the run for its last patterns; NULL: none yet */
	unsigned next;
	uint8_t *room; /* buffer for the text: classes and results of looks */
	size_t room_size;
	size_t spent; /* steps visited to fill in tables, at most AUTOMATON_MAX_SPENT */
	size_t work;  /* not charged yet */
};
#define AUTOMATON_MAX_SPENT 60000000
#define AUTOMATON_MAX_LOOKS 6
#define AUTOMATON_MAX_SIZE 200000

/*
 * Patterns matched by PCRE2's interpreter within a budget of steps. No other part of the
 * program uses PCRE2. Threads may share a pattern, but not a run.
 */
struct backtrack;

/* The state of one run; zero it before use. */
struct backtrack_run {
	struct backtrack_tools *tools;
	size_t budget; /* steps left */
	size_t work;   /* not charged yet */
};

/* pattern: from ecma_translate(). NULL if PCRE2 cannot compile it. */
struct backtrack *backtrack_create(const char *pattern, size_t len);
void backtrack_destroy(struct backtrack *backtrack);
/* REGEX_UNKNOWN for too many steps or a text that is too long. */
enum regex_answer backtrack_match(
    const struct backtrack *backtrack, const char *text, struct backtrack_run *run);
void backtrack_run_finish(struct backtrack_run *run);

/* Limits all patterns of a schema together. Zero it before use; it must outlive them. */
struct regex_room {
	size_t count; /* number of patterns */
	size_t size;  /* steps of their automata */
};

enum regex_syntax {
	REGEX_FINE,
	REGEX_BROKEN,      /* not a regular expression of ECMA-262 */
	REGEX_UNSUPPORTED, /* valid, but not supported */
};

/* NULL unless fine. Tries Unicode mode first, then the older syntax of the web. */
struct regex *regex_create(const char *pattern, struct regex_room *room, enum regex_syntax *syntax);
void regex_destroy(struct regex *regex);
/* Why a pattern is invalid in Unicode mode (format "regex"); NULL if it is valid. */
const char *regex_fault(const char *pattern);

/* The state of matching: one for each check, zeroed before use. */
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
/* Most checks match no pattern, or only with tables that are complete. */
static inline bool
regex_run_holds(const struct regex_run *run)
{
	return run->automaton.tables || run->automaton.room || run->backtrack.tools;
}
/* Several threads may use a regex at once. */
enum regex_answer regex_match(struct regex *regex, const char *text, struct regex_run *run);
/* The same with PCRE2 alone; tests compare the two. */
enum regex_answer regex_match_by_trying(
    struct regex *regex, const char *text, struct regex_run *run);
/* Is a match no more than a walk through complete tables? The answer never changes. */
bool regex_is_tabled(struct regex *regex);

/* Reads the character at *at and moves *at past it. C0 80 is a NUL, ED xx xx a lone surrogate; any
 * other byte that is not UTF-8 reads as U+FFFD. */
uint32_t take_character(const char **at);

/* Facts about a pattern, found by the translation. */
struct regex_facts {
	bool refers;     /* has a back reference */
	unsigned looks;  /* look-arounds */
	size_t size;     /* maximum number of steps of an automaton */
	size_t max_text; /* in a longer text, an omitted bound could matter */
};

/* Appends an ECMA-262 pattern in the syntax of PCRE2 (PCRE2_UTF), in ASCII and without names.
 * *fault: the reason why it is broken. */
enum regex_syntax ecma_translate(const char *pattern, bool unicode, struct buf *out,
    struct regex_facts *facts, const char **fault);

#endif

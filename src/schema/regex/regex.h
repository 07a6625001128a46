#ifndef SCHEMA_REGEX_REGEX_H
#define SCHEMA_REGEX_REGEX_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Regular expressions of ECMA-262. An automaton matches them in linear time.
 * Patterns with back references and very large ones are left to PCRE2 under a
 * budget: a match that takes too long ends as REGEX_UNKNOWN, it never hangs.
 */
struct regex;

/*
 * A pattern without back references, matched in time linear in the text. Threads may share one. If
 * the complete tables are too large, each run fills in tables of its own as far as it needs them.
 */
struct automaton;
struct automaton_tables;

/* What one run needs; zero it before use. */
struct automaton_run {
	struct automaton_tables *tables[4]; /* its own, of the last patterns */
	unsigned next;
	uint8_t *room; /* for a text: classes and results of looks */
	size_t room_size;
	size_t spent; /* steps visited to fill in tables, at most AUTOMATON_MAX_SPENT */
	size_t work;  /* not charged yet */
};
#define AUTOMATON_MAX_SPENT 60000000
#define AUTOMATON_MAX_LOOKS 6
#define AUTOMATON_MAX_SIZE 200000

/* max_work: for complete tables. NULL if the pattern has a back reference or is too large. */
struct automaton *automaton_create(const char *pattern, size_t max_work);
void automaton_destroy(struct automaton *automaton);
/* 1: it matches, 0: it does not, -1: the run has spent too much. */
int automaton_match(struct automaton *automaton, const char *text, struct automaton_run *run);
void automaton_run_finish(struct automaton_run *run);

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

/* Reads the character at *at and moves *at past it. C0 80 is a NUL, ED xx xx a lone surrogate; any
 * other byte that is not UTF-8 reads as U+FFFD. */
uint32_t take_character(const char **at);

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

#define ECMA_MAX_DEPTH 250 /* of groups in groups */

/* Which groups may have a quantifier depends on these. */
enum ecma_group { GROUP_PLAIN, GROUP_AHEAD, GROUP_BEHIND };

struct ecma_name {
	const char *text;
	size_t len;
	unsigned group;
};

/* One translation from ECMA-262 to PCRE2. */
struct ecma {
	const char *at;
	struct buf *out;
	bool unicode; /* with the flag u; without it Annex B holds */
	unsigned groups;
	struct {
		struct ecma_name *items;
		size_t len, cap;
	} names;
	struct {
		enum ecma_group kind;
		size_t size; /* of the pattern before it */
	} open[ECMA_MAX_DEPTH];
	unsigned depth;
	bool atom;        /* a quantifier may follow */
	size_t before;    /* size of the pattern before that atom */
	bool after_group; /* the atom is a group */
	bool group_loops; /* a group is repeated */
	bool unsupported; /* valid, but cannot be checked */
	struct regex_facts facts;
};

enum ecma_atom {
	ATOM_BROKEN,
	ATOM_CHAR, /* *ch is to be written */
	ATOM_SET,  /* a set of characters was written */
};

/* After a backslash. */
enum ecma_atom ecma_escape(struct ecma *e, bool in_class, uint32_t *ch);
/* After '['; writes the whole class. False: broken. */
bool ecma_class(struct ecma *e);
void ecma_add_char(struct ecma *e, uint32_t ch);
/* The next character as it stands, UTF-8 decoded. */
uint32_t ecma_take_char(struct ecma *e);

#endif

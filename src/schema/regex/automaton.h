#ifndef SCHEMA_REGEX_AUTOMATON_H
#define SCHEMA_REGEX_AUTOMATON_H

#include "regex.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The alphabet of a pattern. Characters that belong to the same sets of the pattern form one
 * class, so a table needs a few columns instead of 1 114 112. A character is a code point of
 * the text; lone surrogates and NUL count too.
 */
#define MAX_CLASSES 250
#define CLASS_WIDE 255
#define MAX_SETS 1000
#define MAX_PROPERTIES 4

struct char_range {
	uint32_t from, to;
};

/* A set of characters in a pattern; zero it before use. */
struct char_set {
	uint64_t ascii[2];
	struct {
		struct char_range *items;
		size_t len, cap;
	} wide;                             /* ranges above ASCII, in any order */
	uint8_t properties, not_properties; /* bits: \p and \P of the alphabet's properties */
	bool negated;
	uint8_t classes[32]; /* bits, set by alphabet_complete() */
};

struct property;

struct alphabet {
	struct {
		struct char_set *items;
		size_t len, cap;
	} sets;
	struct property *properties[MAX_PROPERTIES];
	unsigned property_count;
	unsigned class_count;
	bool tells_words;   /* for \b: a class has only word characters, or none */
	uint8_t ascii[128]; /* class of each character */
	uint8_t bytes[256]; /* the same by byte of the text; CLASS_WIDE above ASCII, class_count at
			       the NUL */
	uint32_t *bounds;   /* starts of the intervals above ASCII */
	size_t bound_count;
	uint8_t *wide; /* class by interval and properties; 2^property_count for each interval */
	uint8_t words[32]; /* bits: the classes of [A-Za-z0-9_], if tells_words */
};

void alphabet_finish(struct alphabet *alphabet);
void char_set_add(struct char_set *set, uint32_t from, uint32_t to);
/* text: "{L}", "{sc:Greek}", len bytes. False if the alphabet has too many properties. */
bool char_set_add_property(
    struct alphabet *alphabet, struct char_set *set, const char *text, size_t len, bool inverted);
/* Takes the set and returns its number; equal sets share one. -1 if there are too many. */
int alphabet_add(struct alphabet *alphabet, struct char_set *set);
/* Computes the classes once all sets are added. False if there are too many. */
bool alphabet_complete(struct alphabet *alphabet);
uint8_t alphabet_wide_class(const struct alphabet *alphabet, uint32_t ch);

static inline bool
class_in(const uint8_t classes[32], unsigned class)
{
	return classes[class / 8] >> (class % 8) & 1;
}

/*
 * A pattern as a nondeterministic automaton (Thompson's construction). Each look-around is a
 * separate part: it runs over the whole text and records the positions at which it holds,
 * which the later parts use. A look-ahead is built in reverse and runs from the end of the
 * text to its beginning.
 */

enum nfa_op {
	NFA_NEXT, /* continue with the next step */
	NFA_SPLIT,
	NFA_SET,
	NFA_BEGIN, /* ^ */
	NFA_END,   /* $ */
	NFA_WORD,  /* \b */
	NFA_NOT_WORD,
	NFA_LOOK,
	NFA_NOT_LOOK,
	NFA_MATCH,
};

struct nfa_step {
	uint8_t op;
	uint16_t arg;       /* of NFA_SET: a set of the alphabet; of NFA_LOOK: a part */
	uint32_t to, other; /* other: of NFA_SPLIT */
};

struct nfa_part {
	uint32_t start;
	bool backward;
	const char *source; /* source text in the pattern */
};

struct nfa {
	struct alphabet alphabet;
	struct {
		struct nfa_step *items;
		size_t len, cap;
	} steps;
	struct nfa_part parts[AUTOMATON_MAX_LOOKS +
			      1]; /* a look before the parts that use it; the pattern itself last */
	unsigned part_count;
};

/* pattern: as ecma_translate() writes it. False if it has a back reference or is too large; call
 * nfa_finish() in either case. */
bool nfa_init(struct nfa *nfa, const char *pattern);
void nfa_finish(struct nfa *nfa);

/*
 * One part of an NFA as a table. A row stands for the set of steps that the text read so far may
 * have reached; its cells lead to the row after one more character. A complete table never changes,
 * so threads may share it. Any other table has one owner, who fills it in while reading.
 */
struct dfa {
	const struct nfa *nfa;
	const struct nfa_part *part;
	uint32_t symbols; /* cells of a row: the classes and the end of the text, for each
			     combination of looks */
	struct {
		int32_t *items; /* start of the next row, DFA_ACCEPTS or'ed if the part matches
				   here; or DFA_UNKNOWN */
		size_t len, cap;
	} cells;
	struct dfa_room *room; /* NULL if complete */
	size_t work;           /* steps visited so far */
};

#define DFA_UNKNOWN (-1)
#define DFA_ACCEPTS INT32_MIN
#define DFA_DEAD 0 /* the row without steps: no match is possible from here */

void dfa_init(struct dfa *dfa, const struct nfa *nfa, const struct nfa_part *part);
void dfa_finish(struct dfa *dfa);
/* Fills in the whole table. Returns false if that takes more work. */
bool dfa_complete(struct dfa *dfa, size_t max_work);
static inline int32_t
dfa_start(const struct dfa *dfa)
{
	return (int32_t)dfa->symbols;
}
/* Fills in a cell and returns it. A full table is cleared first, which invalidates earlier row
 * numbers. */
int32_t dfa_fill(struct dfa *dfa, int32_t row, uint32_t symbol);

#endif

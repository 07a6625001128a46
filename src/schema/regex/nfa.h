/* SPDX-License-Identifier: MIT */
#ifndef SCHEMA_REGEX_NFA_H
#define SCHEMA_REGEX_NFA_H

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

/* For qsort(). */
static inline int
compare_uint32(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

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

/* The class of the character at *at, which is not ASCII in the text; moves *at past it. */
uint8_t alphabet_take_wide(const struct alphabet *alphabet, const char **at);

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

#endif

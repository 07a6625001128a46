/* SPDX-License-Identifier: MIT */
#ifndef BASE_TEXT_MATCH_H
#define BASE_TEXT_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Three ways to find a text from the user's typing: as a substring, by letters in order, and as the
 * nearest name to a misspelled word. All ignore ASCII case and accept any bytes.
 */

/* ---- substring ---- */

struct substring {
	char *text; /* in lower case */
	size_t len;
};

void substring_init(struct substring *n, const char *text, size_t len); /* copies */
void substring_finish(struct substring *n);
/* Offset of the first occurrence, or SUBSTRING_NONE. "" is in every text. */
#define SUBSTRING_NONE ((size_t)-1)
size_t substring_find(const struct substring *n, const char *text, size_t len);
bool substring_is_in(const struct substring *n, const char *text, size_t len);

/* ---- letters in order ---- */

enum {
	FUZZY_LETTERS = 32,   /* bytes of a word that count */
	FUZZY_TEXT_MAX = 256, /* bytes of a name that count */
};

/* A word whose letters occur in a name in this order, with or without others between them. */
struct fuzzy {
	char word[FUZZY_LETTERS]; /* in lower case */
	size_t len;
	uint64_t letters; /* fuzzy_letters() of it */
};

void fuzzy_init(struct fuzzy *f, const char *word, size_t len);
/* The set of a name's letters. A name that lacks one of the word's cannot match. */
uint64_t fuzzy_letters(const char *text, size_t len);
/*
 * Returns the rank of a match, 0 without one. The whole name ranks above its beginning, then
 * letters in a row from the start of a word, starts of words, letters in a row, single letters.
 * `at` gets the offsets of the len matched bytes; may be NULL. The work is bounded for all names.
 */
int fuzzy_match(const struct fuzzy *f, const char *text, size_t len, uint16_t at[FUZZY_LETTERS]);

/* ---- the nearest name ---- */

/*
 * Suggests a name for a misspelled word: of the names tried, the one with the fewest letters
 * inserted, dropped, changed or swapped, within a limit that depends on the word's length. After
 * very many names the work runs out, and the rest are ignored.
 */
struct did_you_mean {
	const char *word; /* borrowed, like the names */
	size_t len, changes;
	size_t left; /* letters that may still be compared; a caller with many words may lower it */
	const char *name; /* the best so far; NULL without one */
	char question[72];
};

/* NULL and 0: no name will match. */
void did_you_mean_init(struct did_you_mean *l, const char *word, size_t len);
void did_you_mean_try(struct did_you_mean *l, const char *name);
/* "; did you mean NAME?", kept in l, or the other text without a name: the end of an error. */
const char *did_you_mean_or(struct did_you_mean *l, const char *otherwise);

#endif

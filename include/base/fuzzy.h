#ifndef BASE_FUZZY_H
#define BASE_FUZZY_H

#include <stddef.h>
#include <stdint.h>

/*
 * A word as somebody types it to find a name: its letters are in the name in this order, with or
 * without others between them. ASCII case does not matter; names may hold any bytes.
 */
enum {
	FUZZY_LETTERS = 32,   /* bytes of a word that count */
	FUZZY_TEXT_MAX = 256, /* bytes of a name that count */
};

struct fuzzy {
	char word[FUZZY_LETTERS]; /* in lower case */
	size_t len;
	uint64_t letters; /* fuzzy_letters() of it */
};

void fuzzy_init(struct fuzzy *f, const char *word, size_t len);
/* The set of its letters: a name that lacks one of the word's cannot match. */
uint64_t fuzzy_letters(const char *text, size_t len);
/*
 * How well the name matches, 0 if it does not: the whole name before its beginning, then letters in
 * a row from the start of a word, starts of words, letters in a row, single letters. `at` gets the
 * offsets of the len matched bytes; may be NULL. The work is bounded for all names.
 */
int fuzzy_match(const struct fuzzy *f, const char *text, size_t len, uint16_t at[FUZZY_LETTERS]);

#endif

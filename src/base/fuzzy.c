#include "base/fuzzy.h"

#include "base/ascii.h"

#include <stdbool.h>
#include <string.h>

/* The points of a matched letter, and those of a word that begins the name, in a row. */
enum { AT_BEGINNING = 8, IN_A_ROW = 6, AT_START = 5, ALONE = 1, WHOLE = 10, GAP_MAX = 3 };
enum { TRIES = 8 };

static char
fold(char c)
{
	return (char)ascii_lower((unsigned char)c);
}

static bool
is_letter(char c)
{
	return ascii_is_alnum((unsigned char)c) || (c & 0x80);
}

/* The start of a word: "list_users", "listUsers", "list/users". */
static bool
is_start(const char *text, size_t i)
{
	bool lower = i > 0 && text[i - 1] >= 'a' && text[i - 1] <= 'z';

	return i == 0 || !is_letter(text[i - 1]) || (lower && text[i] >= 'A' && text[i] <= 'Z');
}

uint64_t
fuzzy_letters(const char *text, size_t len)
{
	uint64_t letters = 0;

	if (len > FUZZY_TEXT_MAX)
		len = FUZZY_TEXT_MAX;
	for (size_t i = 0; i < len; i++) /* both cases of a letter share a bit; others may, too */
		letters |= (uint64_t)1 << (((unsigned char)text[i] | ('a' ^ 'A')) & 63);
	return letters;
}

void
fuzzy_init(struct fuzzy *f, const char *word, size_t len)
{
	f->len = len < FUZZY_LETTERS ? len : FUZZY_LETTERS;
	for (size_t i = 0; i < f->len; i++)
		f->word[i] = fold(word[i]);
	f->letters = fuzzy_letters(f->word, f->len);
}

/* The place of the next letter: in a row, or else at the next start of a word if starts are
 * preferred and there is one, or else the next of all; len: none. */
static size_t
next_place(char letter, const char *text, size_t len, size_t from, bool prefers_starts)
{
	size_t first = len;

	for (size_t i = from; i < len; i++) {
		if (fold(text[i]) != letter)
			continue;
		if (i == from || !prefers_starts || is_start(text, i))
			return i;
		if (first == len)
			first = i;
	}
	return first;
}

/* The points of the match whose first letter is at `from`; 0: none. */
static int
match_from(const struct fuzzy *f, const char *text, size_t len, size_t from, bool prefers_starts,
    uint16_t at[FUZZY_LETTERS])
{
	int points = 0;
	size_t next = from;

	for (size_t k = 0; k < f->len; k++) {
		size_t i = k ? next_place(f->word[k], text, len, next, prefers_starts) : from;
		if (i == len)
			return 0;
		size_t gap = k ? i - next : 0;
		points += k && gap == 0 ? IN_A_ROW : is_start(text, i) ? AT_START : ALONE;
		points -= (int)(gap < GAP_MAX ? gap : GAP_MAX) / 2;
		at[k] = (uint16_t)i;
		next = i + 1;
	}
	points += next == f->len ? AT_BEGINNING : 0;
	points += f->len == len ? WHOLE : 0;
	return points > 0 ? points : 1;
}

/* The first place of the first letter, without preferences, matches if any does. */
int
fuzzy_match(const struct fuzzy *f, const char *text, size_t len, uint16_t at[FUZZY_LETTERS])
{
	uint16_t places[FUZZY_LETTERS] = { 0 };
	int best = 0;

	len = len < FUZZY_TEXT_MAX ? len : FUZZY_TEXT_MAX;
	if (f->len == 0 || f->len > len)
		return 0;
	for (size_t from = 0, tries = 0; tries < TRIES && from + f->len <= len; from++) {
		if (fold(text[from]) != f->word[0])
			continue;
		for (int starts = 0; starts < 2; starts++) {
			int points = match_from(f, text, len, from, starts, places);
			if (points > best && at)
				memcpy(at, places, sizeof(places));
			best = points > best ? points : best;
		}
		bool begins = best >= AT_START + IN_A_ROW * ((int)f->len - 1) + AT_BEGINNING;
		if (best == 0 || begins) /* nothing is better */
			return best;
		tries++;
	}
	return best;
}

/* SPDX-License-Identifier: MIT */
#include "base/text_match.h"

#include "base/ascii.h"
#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- substring ---- */

void
substring_init(struct substring *n, const char *text, size_t len)
{
	*n = (struct substring){ .text = mem_strndup(text, len), .len = len };
	for (size_t i = 0; i < len; i++)
		n->text[i] = (char)ascii_lower(n->text[i]);
}

void
substring_finish(struct substring *n)
{
	free(n->text);
	*n = (struct substring){ 0 };
}

size_t
substring_find(const struct substring *n, const char *text, size_t len)
{
	if (n->len == 0)
		return 0;
	unsigned char first = (unsigned char)n->text[0];
	unsigned char upper = first >= 'a' && first <= 'z' ? (unsigned char)(first - 32) : first;
	for (size_t i = 0; i + n->len <= len; i++) {
		unsigned char c = (unsigned char)text[i];
		if (c != first && c != upper)
			continue;
		size_t k = 1;
		while (k < n->len && (char)ascii_lower(text[i + k]) == n->text[k])
			k++;
		if (k == n->len)
			return i;
	}
	return SUBSTRING_NONE;
}

bool
substring_is_in(const struct substring *n, const char *text, size_t len)
{
	return substring_find(n, text, len) != SUBSTRING_NONE;
}

/* ---- letters in order ---- */

/* The points of a matched letter, and of a word that begins the name. */
enum { AT_BEGINNING = 8, IN_A_ROW = 6, AT_START = 5, ALONE = 1, WHOLE = 10, GAP_MAX = 3 };
enum { TRIES = 8 };

/* The start of a word: "list_users", "listUsers", "list/users". */
static bool
starts_word(const char *text, size_t i)
{
	if (i == 0)
		return true;
	unsigned char before = (unsigned char)text[i - 1];
	if (!ascii_is_alnum(before) && before < 0x80)
		return true;
	return before >= 'a' && before <= 'z' && text[i] >= 'A' && text[i] <= 'Z';
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
		f->word[i] = (char)ascii_lower(word[i]);
	f->letters = fuzzy_letters(f->word, f->len);
}

/* The place of the next letter: the next byte, or else the next start of a word if starts are
 * preferred and there is one, or else the first occurrence; len: none. */
static size_t
next_place(char letter, const char *text, size_t len, size_t from, bool prefers_starts)
{
	size_t first = len;

	for (size_t i = from; i < len; i++) {
		if ((char)ascii_lower(text[i]) != letter)
			continue;
		if (i == from || !prefers_starts || starts_word(text, i))
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
		points += k && gap == 0 ? IN_A_ROW : starts_word(text, i) ? AT_START : ALONE;
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
		if ((char)ascii_lower(text[from]) != f->word[0])
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

/* ---- the nearest name ---- */

enum {
	WORD_MAX = 48,
	WORK_MAX = 500000, /* letters compared with letters: a millisecond or two */
};

void
did_you_mean_init(struct did_you_mean *l, const char *word, size_t len)
{
	/* A word as short as "ls" may have one wrong letter, a long one three. */
	size_t most = len < 2 ? 0 : len < 5 ? 1 : len < 9 ? 2 : 3;

	*l = (struct did_you_mean){
		.word = word, .len = len, .changes = most + 1, .left = WORK_MAX
	};
}

static size_t
least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* The optimal string alignment distance; it stops and returns limit when the distance is at least
 * that or *left, the letters that may be compared, runs out. */
static size_t
distance(const char *a, size_t a_len, const char *b, size_t b_len, size_t limit, size_t *left)
{
	size_t rows[3][WORD_MAX + 1];
	size_t *before = rows[0], *above = rows[1], *row = rows[2];
	size_t least_above = 0;

	for (size_t j = 0; j <= b_len; j++)
		above[j] = before[j] = j;
	for (size_t i = 1; i <= a_len; i++) {
		size_t least_here = row[0] = i;
		if (*left < b_len + 1)
			return limit;
		*left -= b_len + 1;
		for (size_t j = 1; j <= b_len; j++) {
			row[j] = least(above[j], row[j - 1]) + 1;
			row[j] = least(row[j],
			    above[j - 1] + (ascii_lower(a[i - 1]) != ascii_lower(b[j - 1])));
			bool swapped = i > 1 && j > 1 &&
				       ascii_lower(a[i - 1]) == ascii_lower(b[j - 2]) &&
				       ascii_lower(a[i - 2]) == ascii_lower(b[j - 1]);
			if (swapped)
				row[j] = least(row[j], before[j - 2] + 1);
			least_here = least(least_here, row[j]);
		}
		if (least(least_here, least_above) >= limit)
			return limit;
		least_above = least_here;
		size_t *oldest = before;
		before = above;
		above = row;
		row = oldest;
	}
	return above[b_len];
}

void
did_you_mean_try(struct did_you_mean *l, const char *name)
{
	size_t len = strnlen(name, WORD_MAX + 1),
	       apart = len > l->len ? len - l->len : l->len - len;

	l->left -= l->left > 0;
	if (len > WORD_MAX || l->len > WORD_MAX || apart >= l->changes)
		return;
	size_t changes = distance(l->word, l->len, name, len, l->changes, &l->left);
	if (changes < l->changes && changes < len) {
		l->changes = changes;
		l->name = name;
	}
}

const char *
did_you_mean_or(struct did_you_mean *l, const char *otherwise)
{
	if (!l->name)
		return otherwise;
	snprintf(l->question, sizeof(l->question), "; did you mean %s?", l->name);
	return l->question;
}

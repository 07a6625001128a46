#include "base/did_you_mean.h"

#include "base/ascii.h"

#include <stdbool.h>
#include <string.h>

enum {
	WORD_MAX = 48,
	WORK_MAX = 500000, /* letters compared with letters: a millisecond or two */
};

/* A word as short as "ls" may have one wrong letter, a long one three. */
static size_t
most_changes(size_t len)
{
	return len < 2 ? 0 : len < 5 ? 1 : len < 9 ? 2 : 3;
}

void
did_you_mean_init(struct did_you_mean *l, const char *word, size_t len)
{
	*l = (struct did_you_mean){
		.word = word, .len = len, .changes = most_changes(len) + 1, .left = WORK_MAX
	};
}

static bool
same(char a, char b)
{
	return ascii_lower(a) == ascii_lower(b);
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
			row[j] = least(row[j], above[j - 1] + !same(a[i - 1], b[j - 1]));
			if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
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

#include "report_priv.h"

#include <string.h>

#define MAX_NAME 48
#define MAX_WORK 500000 /* letters compared with letters: under a millisecond or two */

static char
lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

static size_t
min3(size_t a, size_t b, size_t c)
{
	size_t least = a < b ? a : b;

	return least < c ? least : c;
}

/* Edit distance without regard to case, neighbours swapped counting one. */
static size_t
distance_of(const char *a, size_t n, const char *b, size_t m)
{
	size_t rows[3][MAX_NAME + 1];
	size_t *before = rows[0], *last = rows[1], *now = rows[2];

	for (size_t j = 0; j <= m; j++)
		last[j] = j;
	memcpy(before, last, sizeof(rows[0]));
	for (size_t i = 1; i <= n; i++) {
		now[0] = i;
		for (size_t j = 1; j <= m; j++) {
			bool same = lower(a[i - 1]) == lower(b[j - 1]);
			now[j] = min3(last[j] + 1, now[j - 1] + 1, last[j - 1] + !same);
			if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
			    lower(a[i - 2]) == lower(b[j - 1]) && before[j - 2] + 1 < now[j])
				now[j] = before[j - 2] + 1;
		}
		size_t *spare = before;
		before = last;
		last = now;
		now = spare;
	}
	return last[m];
}

void
nearest_try(struct nearest *nearest, const char *candidate)
{
	size_t n = strlen(nearest->wanted), m = strnlen(candidate, MAX_NAME + 1);

	size_t most = n < 6 ? 1 : n / 3;

	nearest->work++;
	if (n > MAX_NAME || m > MAX_NAME || n == 0 || n > m + most || m > n + most)
		return;
	nearest->work += n * m;
	if (nearest->work > MAX_WORK)
		return;
	size_t distance = distance_of(nearest->wanted, n, candidate, m);
	if (distance > most || distance >= m)
		return;
	if (nearest->best && nearest->distance <= distance)
		return;
	nearest->best = candidate;
	nearest->distance = distance;
}

void
say_nearest(const struct nearest *nearest, const char *quote, struct buf *out)
{
	if (nearest->best)
		buf_addf(out, " (did you mean %s%s%s?)", quote, nearest->best, quote);
}

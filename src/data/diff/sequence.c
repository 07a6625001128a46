#include "sequence.h"

#include "base/mem.h"
#include "base/vec.h"
#include "data/diff.h"

#include <stdlib.h>
#include <string.h>

/*
 * The common items of two sequences are looked for in three steps, each of which leaves gaps to the
 * next: equal beginnings and ends; items that are there once in each gap (patience diff); and in
 * gaps that are small the shortest edit (Myers). Levels are bounded, so hostile sequences get a
 * worse match and cost no more.
 */
enum { LEVELS_MAX = 12, EDITS_MAX = 384 };

/* Items from..to of each side. */
struct gap {
	size_t from[2], to[2];
	int level;
};

struct gaps {
	struct gap *items;
	size_t len, cap;
};

struct sequence_item {
	uint64_t hash;
	uint32_t at;
};

static int
by_hash(const void *a, const void *b)
{
	const struct sequence_item *x = a, *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

static struct sequence_item *
sorted_items(const struct sequence *s, const struct gap *g, int side)
{
	size_t count = g->to[side] - g->from[side];
	struct sequence_item *items = mem_alloc(count * sizeof(*items));

	for (size_t i = 0; i < count; i++) {
		size_t at = g->from[side] + i;
		items[i] = (struct sequence_item){ s->hashes[side][at], (uint32_t)at };
	}
	qsort(items, count, sizeof(*items), by_hash);
	return items;
}

static size_t
length_of_run(const struct sequence_item *items, size_t count)
{
	size_t len = 1;

	while (len < count && items[len].hash == items[0].hash)
		len++;
	return len;
}

/* Pairs equal hashes, the nth with the nth; if `once`, only those that are there once on both
 * sides. */
static void
pair_equal(const struct sequence *s, const struct gap *g, bool once)
{
	size_t counts[2] = { g->to[0] - g->from[0], g->to[1] - g->from[1] };
	struct sequence_item *a = sorted_items(s, g, 0), *b = sorted_items(s, g, 1);

	for (size_t i = 0, j = 0; i < counts[0] && j < counts[1];) {
		size_t in_a = length_of_run(a + i, counts[0] - i);
		size_t in_b = length_of_run(b + j, counts[1] - j);
		if (a[i].hash != b[j].hash) {
			bool less = a[i].hash < b[j].hash;
			i += less ? in_a : 0;
			j += less ? 0 : in_b;
			continue;
		}
		size_t pairs = in_a < in_b ? in_a : in_b;
		for (size_t k = 0; k < pairs && (!once || (in_a == 1 && in_b == 1)); k++)
			s->match[b[j + k].at] = a[i + k].at;
		i += in_a;
		j += in_b;
	}
	free(a);
	free(b);
}

void
sequence_longest_rise(const uint32_t *numbers, size_t count, bool *keeps)
{
	uint32_t *ends = mem_alloc(count * sizeof(*ends)); /* where rises of each length end */
	uint32_t *before = mem_alloc(count * sizeof(*before));
	size_t longest = 0;

	memset(keeps, 0, count * sizeof(*keeps));
	for (size_t i = 0; i < count; i++) {
		size_t low = 0, high = longest;
		if (numbers[i] == DIFF_NOWHERE)
			continue;
		while (low < high) {
			size_t middle = (low + high) / 2;
			if (numbers[ends[middle]] < numbers[i])
				low = middle + 1;
			else
				high = middle;
		}
		before[i] = low > 0 ? ends[low - 1] : DIFF_NOWHERE;
		ends[low] = (uint32_t)i;
		longest += low == longest;
	}
	uint32_t at = longest > 0 ? ends[longest - 1] : DIFF_NOWHERE;
	for (; at != DIFF_NOWHERE; at = before[at])
		keeps[at] = true;
	free(ends);
	free(before);
}

/* Unmatches items that would cross other matches. Returns how many matches are left. */
static size_t
uncross(const struct sequence *s, const struct gap *g)
{
	size_t count = g->to[1] - g->from[1], left = 0;
	uint32_t *match = s->match + g->from[1];
	bool *keeps = mem_alloc(count);

	sequence_longest_rise(match, count, keeps);
	for (size_t i = 0; i < count; i++) {
		if (!keeps[i])
			match[i] = DIFF_NOWHERE;
		left += keeps[i];
	}
	free(keeps);
	return left;
}

/* ---- Myers ---- */

struct myers {
	const struct sequence *s;
	const struct gap *g;
	ptrdiff_t counts[2];
	int32_t *reach; /* for each number of edits d, how far each of its 2d + 1 diagonals gets */
};

static size_t
row_at(ptrdiff_t d)
{
	return (size_t)(d * d);
}

/* The x at which the dth edit enters diagonal k, which is x - y: an item of the second is taken,
 * `down`, or one of the first is left out. -1: it cannot. */
static ptrdiff_t
enter(const struct myers *m, ptrdiff_t d, ptrdiff_t k, bool *down)
{
	ptrdiff_t above = -1, before = -1;

	if (d == 0)
		return 0;
	const int32_t *last = m->reach + row_at(d - 1) + (d - 1);
	if (k <= d - 2 && last[k + 1] >= 0 && last[k + 1] - k <= m->counts[1])
		above = last[k + 1];
	if (k >= 2 - d && last[k - 1] >= 0 && last[k - 1] + 1 <= m->counts[0])
		before = last[k - 1] + 1;
	*down = above >= before;
	return *down ? above : before;
}

static bool
is_equal(const struct myers *m, ptrdiff_t x, ptrdiff_t y)
{
	return m->s->hashes[0][m->g->from[0] + (size_t)x] ==
	       m->s->hashes[1][m->g->from[1] + (size_t)y];
}

/* How far diagonal k gets with d edits. */
static ptrdiff_t
furthest(const struct myers *m, ptrdiff_t d, ptrdiff_t k)
{
	bool down;
	ptrdiff_t x = enter(m, d, k, &down);

	while (x >= 0 && x < m->counts[0] && x - k < m->counts[1] && is_equal(m, x, x - k))
		x++;
	return x;
}

/* Walks back from the end. */
static void
note_path(const struct myers *m, ptrdiff_t d)
{
	ptrdiff_t x = m->counts[0], k = m->counts[0] - m->counts[1];

	for (; d >= 0; d--) {
		bool down = false;
		ptrdiff_t start = enter(m, d, k, &down);
		for (x--; x >= start; x--)
			m->s->match[m->g->from[1] + (size_t)(x - k)] =
			    (uint32_t)(m->g->from[0] + (size_t)x);
		x = down ? start : start - 1;
		k += down ? 1 : -1;
	}
}

/* False: more edits than the bound. */
static bool
match_by_edits(const struct sequence *s, const struct gap *g)
{
	struct myers m = { .s = s,
		.g = g,
		.counts = {
		    (ptrdiff_t)(g->to[0] - g->from[0]), (ptrdiff_t)(g->to[1] - g->from[1]) } };
	ptrdiff_t most = m.counts[0] + m.counts[1], end = m.counts[0] - m.counts[1];
	bool found = false;

	if (most > EDITS_MAX)
		most = EDITS_MAX;
	m.reach = mem_alloc(row_at(most + 1) * sizeof(*m.reach));
	for (ptrdiff_t d = 0; d <= most && !found; d++) {
		int32_t *row = m.reach + row_at(d) + d;
		for (ptrdiff_t k = -d; k <= d && !found; k += 2) {
			row[k] = (int32_t)furthest(&m, d, k);
			found = k == end && row[k] == m.counts[0];
		}
		if (found)
			note_path(&m, d);
	}
	free(m.reach);
	return found;
}

/* ---- all of it ---- */

static void
trim(const struct sequence *s, struct gap *g)
{
	while (g->from[0] < g->to[0] && g->from[1] < g->to[1] &&
	       s->hashes[0][g->from[0]] == s->hashes[1][g->from[1]])
		s->match[g->from[1]++] = (uint32_t)g->from[0]++;
	while (g->from[0] < g->to[0] && g->from[1] < g->to[1] &&
	       s->hashes[0][g->to[0] - 1] == s->hashes[1][g->to[1] - 1])
		s->match[--g->to[1]] = (uint32_t)--g->to[0];
}

/* The gaps between the matches in a gap. */
static void
push_gaps_between(const struct sequence *s, const struct gap *g, struct gaps *gaps)
{
	struct gap next = { { g->from[0], g->from[1] }, { 0, 0 }, g->level + 1 };

	for (size_t i = g->from[1]; i < g->to[1]; i++) {
		if (s->match[i] == DIFF_NOWHERE)
			continue;
		next.to[0] = s->match[i];
		next.to[1] = i;
		if (next.from[0] < next.to[0] && next.from[1] < next.to[1])
			*VEC_PUSH(gaps) = next;
		next.from[0] = s->match[i] + (size_t)1;
		next.from[1] = i + 1;
	}
	next.to[0] = g->to[0];
	next.to[1] = g->to[1];
	if (next.from[0] < next.to[0] && next.from[1] < next.to[1])
		*VEC_PUSH(gaps) = next;
}

static void
match_gap(const struct sequence *s, const struct gap *g, struct gaps *gaps)
{
	size_t count = g->to[0] - g->from[0] + g->to[1] - g->from[1];

	if (count <= EDITS_MAX && match_by_edits(s, g))
		return;
	pair_equal(s, g, true);
	if (uncross(s, g) > 0 && g->level < LEVELS_MAX) {
		push_gaps_between(s, g, gaps);
		return;
	}
	if (g->level < LEVELS_MAX && match_by_edits(s, g))
		return;
	pair_equal(s, g, false);
	uncross(s, g);
}

void
sequence_match(const struct sequence *s)
{
	struct gaps gaps = { 0 };

	for (size_t i = 0; i < s->counts[1]; i++)
		s->match[i] = DIFF_NOWHERE;
	*VEC_PUSH(&gaps) = (struct gap){ { 0, 0 }, { s->counts[0], s->counts[1] }, 0 };
	while (gaps.len > 0 && !(s->job && job_is_stopped(s->job))) {
		struct gap g = gaps.items[--gaps.len];
		trim(s, &g);
		if (g.from[0] < g.to[0] && g.from[1] < g.to[1])
			match_gap(s, &g, &gaps);
	}
	free(gaps.items);
}

void
sequence_match_by_key(const struct sequence *s)
{
	struct gap all = { { 0, 0 }, { s->counts[0], s->counts[1] }, 0 };

	for (size_t i = 0; i < s->counts[1]; i++)
		s->match[i] = DIFF_NOWHERE;
	pair_equal(s, &all, false);
}

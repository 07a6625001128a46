/* SPDX-License-Identifier: MIT */
#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "data/diff.h"
#include "json/equal.h"
#include "json/number.h"
#include "match.h"

#include <stdlib.h>
#include <string.h>

/*
 * Finds the common items of two sequences in three steps, each applied to the gaps that the
 * previous step left: equal beginnings and ends; items that occur once on each side (patience
 * diff); in small gaps, the shortest edit (Myers). Levels are bounded, so hostile sequences get a
 * worse match in the same time.
 */
enum { LEVELS_MAX = 12, EDITS_MAX = 384 };

/* The items from...to - 1 of each side. */
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

/* Pair equal hashes, the nth with the nth; if `once`, only hashes that occur once on both sides. */
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

/* Mark the items of a longest ascending subsequence. */
static void
sequence_longest_rise(const uint32_t *numbers, size_t count, bool *keeps)
{
	uint32_t *ends =
	    mem_alloc(count * sizeof(*ends)); /* the last items of rises of each length */
	uint32_t *before = mem_alloc(count * sizeof(*before));
	size_t longest = 0;

	memset(keeps, 0, count * sizeof(*keeps));
	for (size_t i = 0; i < count; i++) {
		size_t low = 0, high = longest;
		if (numbers[i] == DIFF_NOWHERE)
			continue;
		BISECT(low, high, mid, numbers[ends[mid]] < numbers[i]);
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

/* Remove matches that cross others. Return the number of matches left. */
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
	int32_t *reach; /* for each number of edits d, the furthest x on its 2d + 1 diagonals */
};

static size_t
row_at(ptrdiff_t d)
{
	return (size_t)(d * d);
}

/* Return the x at which the dth edit enters diagonal k = x - y, by adding an item of the second
 * (`down`) or removing one of the first. -1: impossible. */
static ptrdiff_t
enter_diagonal(const struct myers *m, ptrdiff_t d, ptrdiff_t k, bool *down)
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

/* Record the matches of the path, from its end. */
static void
note_path(const struct myers *m, ptrdiff_t d)
{
	ptrdiff_t x = m->counts[0], k = m->counts[0] - m->counts[1];

	for (; d >= 0; d--) {
		bool down = false;
		ptrdiff_t start = enter_diagonal(m, d, k, &down);
		for (x--; x >= start; x--)
			m->s->match[m->g->from[1] + (size_t)(x - k)] =
			    (uint32_t)(m->g->from[0] + (size_t)x);
		x = down ? start : start - 1;
		k += down ? 1 : -1;
	}
}

/* Match a small gap. False: more than EDITS_MAX edits. */
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
			bool down;
			ptrdiff_t x = enter_diagonal(&m, d, k, &down);
			while (x >= 0 && x < m.counts[0] && x - k < m.counts[1] &&
			       s->hashes[0][g->from[0] + (size_t)x] ==
				   s->hashes[1][g->from[1] + (size_t)(x - k)])
				x++;
			row[k] = (int32_t)x;
			found = k == end && x == m.counts[0];
		}
		if (found)
			note_path(&m, d);
	}
	free(m.reach);
	return found;
}

/* ---- sequences ---- */

/* Push the gaps between the matches in a gap. */
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

/* Match a gap after its equal beginnings and ends. Push the gaps that are left. */
static void
match_gap(const struct sequence *s, struct gap *g, struct gaps *gaps)
{
	while (g->from[0] < g->to[0] && g->from[1] < g->to[1] &&
	       s->hashes[0][g->from[0]] == s->hashes[1][g->from[1]])
		s->match[g->from[1]++] = (uint32_t)g->from[0]++;
	while (g->from[0] < g->to[0] && g->from[1] < g->to[1] &&
	       s->hashes[0][g->to[0] - 1] == s->hashes[1][g->to[1] - 1])
		s->match[--g->to[1]] = (uint32_t)--g->to[0];
	size_t count = g->to[0] - g->from[0] + g->to[1] - g->from[1];
	if (g->from[0] == g->to[0] || g->from[1] == g->to[1])
		return;
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

/*
 * Guesses the member that is the key of two tables: a string or an integer that is unique and in
 * nearly all rows. Common names of keys rank highest, then members with many equal values in both
 * tables. Members are ranked in a sample, and the best are verified in all rows.
 */
enum { SAMPLE = 256, TRIES = 4, LEAST = 50 };

static const struct {
	const char *name;
	int points;
} names[] = { { "id", 100 }, { "_id", 98 }, { "uuid", 96 }, { "guid", 95 }, { "key", 80 },
	{ "uri", 78 }, { "url", 72 }, { "slug", 70 }, { "sku", 70 }, { "code", 66 }, { "path", 66 },
	{ "name", 64 }, { "email", 60 }, { "symbol", 60 }, { "number", 55 }, { "hash", 55 },
	{ "sha", 55 }, { "timestamp", 50 }, { "date", 45 }, { "time", 45 }, { "day", 40 },
	{ "month", 40 }, { "title", 40 }, { "index", 30 }, { "rank", 10 } };

static int
points_of_name(const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (strcasecmp(names[i].name, name) == 0)
			return names[i].points;
	if (len > 2 && (strcmp(name + len - 2, "Id") == 0 || strcmp(name + len - 2, "ID") == 0))
		return 85;
	return len > 3 && strcasecmp(name + len - 3, "_id") == 0 ? 85 : 0;
}

static const cJSON *
key_value(const struct offspring *c, size_t row, const char *key)
{
	return c->nodes ? json_get(c->nodes[row], key)
			: json_reader_member(c->reader, row, &key, 1);
}

static uint64_t *
match_hash_keys(const struct matching *m, int side, const char *key)
{
	const struct offspring *c = &m->sides[side];
	uint64_t *hashes = mem_alloc(c->count * sizeof(*hashes));

	for (size_t i = 0; i < c->count; i++) {
		const cJSON *value = key_value(c, i, key);
		hashes[i] = value ? json_hash(value) : 0;
	}
	return hashes;
}

static int
compare_hashes(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Sort the hashes. Return whether all of them differ. */
static bool
sort_different(uint64_t *hashes, size_t count)
{
	bool differ = true;

	qsort(hashes, count, sizeof(*hashes), compare_hashes);
	for (size_t i = 1; i < count && differ; i++)
		differ = hashes[i] != hashes[i - 1];
	return differ;
}

/* Rank a member in the first rows of both tables. -1: not a key. */
static int
rank_key(const struct matching *m, const char *key)
{
	uint64_t *hashes[2] = { NULL, NULL };
	size_t counts[2], common = 0;
	bool good = true;

	for (int side = 0; side < 2; side++) {
		const struct offspring *c = &m->sides[side];
		counts[side] = c->count < SAMPLE ? c->count : SAMPLE;
		hashes[side] = mem_alloc(counts[side] * sizeof(uint64_t));
		for (size_t i = 0; good && i < counts[side]; i++) {
			const cJSON *value = key_value(c, i, key);
			good = cJSON_IsString(value)
				   ? strlen(value->valuestring) <= 1024
				   : cJSON_IsNumber(value) && json_number_is_integer(value);
			hashes[side][i] = good ? json_hash(value) : 0;
		}
		good = good && sort_different(hashes[side], counts[side]);
	}
	size_t fewer = counts[0] < counts[1] ? counts[0] : counts[1];
	int points = good ? points_of_name(key) : -1;
	for (size_t i = 0, j = 0; good && i < counts[0] && j < counts[1];) {
		uint64_t a = hashes[0][i], b = hashes[1][j];
		common += a == b;
		i += a <= b;
		j += b <= a;
	}
	if (good && fewer > 1) /* in a single row, any member is unique */
		points += (int)(100 * common / fewer);
	free(hashes[0]);
	free(hashes[1]);
	return points;
}

size_t
match_rank_keys(const struct matching *m, struct ranked_key *list, size_t max)
{
	const struct offspring *c = &m->sides[1];
	/* The names have to outlive the item that a reader parses. */
	const cJSON *row = c->nodes ? c->nodes[0] : json_reader_keep(c->reader, 0);
	size_t count = 0, looked_at = 0;

	for (const cJSON *member = row->child; member && looked_at < 64; member = member->next) {
		looked_at++;
		struct ranked_key one = { member->string, rank_key(m, member->string) };
		size_t at = count;
		while (at > 0 && list[at - 1].points < one.points)
			at--;
		if (one.points < 0 || at >= max)
			continue;
		size_t last = count < max ? count : max - 1;
		memmove(list + at + 1, list + at, (last - at) * sizeof(*list));
		list[at] = one;
		count = last + 1;
	}
	return count;
}

/* Return the best member whose values are unique in all rows. */
static const char *
match_guess_key(const struct matching *m)
{
	struct ranked_key best[TRIES];
	size_t count = match_rank_keys(m, best, TRIES);

	for (size_t i = 0; i < count && best[i].points >= LEAST; i++) {
		bool unique = true;
		for (int side = 0; unique && side < 2; side++) {
			uint64_t *hashes = match_hash_keys(m, side, best[i].key);
			unique = sort_different(hashes, m->sides[side].count);
			free(hashes);
		}
		if (unique)
			return best[i].key;
	}
	return NULL;
}

/* A bound on hashing: items of nested arrays are hashed again for each enclosing array. */
#define COST_MAX ((size_t)32 << 20)

static void
match_in_order(struct matching *m)
{
	size_t common =
	    m->sides[0].count < m->sides[1].count ? m->sides[0].count : m->sides[1].count;

	for (size_t i = 0; i < m->sides[1].count; i++)
		m->match[i] = i < common ? (uint32_t)i : DIFF_NOWHERE;
}

/* ---- members ---- */

void
match_members(struct matching *m)
{
	struct sequence s = { .match = m->match };
	bool same_keys = m->sides[0].count == m->sides[1].count;

	for (size_t i = 0; i < m->sides[0].count && same_keys; i++) {
		const char *a = m->sides[0].nodes[i]->string, *b = m->sides[1].nodes[i]->string;
		same_keys = a == b || strcmp(a, b) == 0;
	}
	if (same_keys) {
		match_in_order(m);
		return;
	}
	uint64_t *hashes[2];
	for (int side = 0; side < 2; side++) {
		struct offspring *c = &m->sides[side];
		hashes[side] = mem_alloc(c->count * sizeof(uint64_t));
		for (size_t i = 0; i < c->count; i++)
			hashes[side][i] =
			    text_hash(m, c->nodes[i]->string, strlen(c->nodes[i]->string));
		s.hashes[side] = hashes[side];
		s.counts[side] = c->count;
	}
	sequence_match_by_key(&s);
	for (size_t i = 0; i < m->sides[1].count;
	     i++) /* hashes are seeded, so collisions cannot be forced */
		if (m->match[i] != DIFF_NOWHERE && strcmp(m->sides[0].nodes[m->match[i]]->string,
						       m->sides[1].nodes[i]->string) != 0)
			m->match[i] = DIFF_NOWHERE;
	free(hashes[0]);
	free(hashes[1]);
}

/* ---- items ---- */

/* Match the remaining items between two matches in order: two containers of one type, or two
 * scalars. */
static void
match_rest(struct matching *m)
{
	size_t a = 0;

	for (size_t b = 0, next; b < m->sides[1].count; b = next + 1) {
		for (next = b; next < m->sides[1].count && m->match[next] == DIFF_NOWHERE;)
			next++;
		size_t end = next < m->sides[1].count ? m->match[next] : m->sides[0].count;
		for (; a < end && b < next; a++, b++) {
			enum json_type x = json_type(children_at(&m->sides[0], a));
			enum json_type y = json_type(children_at(&m->sides[1], b));
			if (x == y || (x < JSON_ARRAY && y < JSON_ARRAY))
				m->match[b] = (uint32_t)a;
		}
		a = end + 1;
	}
}

static bool
match_by_content(struct matching *m)
{
	struct sequence s = { .match = m->match, .job = m->job };
	uint64_t *hashes[2] = { NULL, NULL };

	for (int side = 0; side < 2 && *m->cost < COST_MAX; side++) {
		struct offspring *c = &m->sides[side];
		hashes[side] = mem_alloc(c->count * sizeof(uint64_t));
		for (size_t i = 0; i < c->count && *m->cost < COST_MAX; i++)
			hashes[side][i] = json_hash_counted(children_at(c, i), m->cost);
		s.hashes[side] = hashes[side];
		s.counts[side] = c->count;
	}
	bool affordable = *m->cost < COST_MAX;
	if (affordable)
		sequence_match(&s);
	free(hashes[0]);
	free(hashes[1]);
	return affordable;
}

static void
match_by_key(struct matching *m)
{
	struct sequence s = { .match = m->match, .job = m->job };
	uint64_t *hashes[2];

	for (int side = 0; side < 2; side++) {
		s.hashes[side] = hashes[side] = match_hash_keys(m, side, m->key);
		s.counts[side] = m->sides[side].count;
	}
	sequence_match_by_key(&s);
	free(hashes[0]);
	free(hashes[1]);
	m->rises = mem_alloc(m->sides[1].count);
	sequence_longest_rise(m->match, m->sides[1].count, m->rises);
}

/* Check only some rows of a lazy array; the others are read when they are compared. */
static bool
are_objects(const struct offspring *c)
{
	size_t step = c->nodes ? 1 : c->count / 64 + 1;

	for (size_t i = 0; i < c->count; i += step)
		if (json_type(children_at(c, i)) != JSON_OBJECT)
			return false;
	return c->count > 0;
}

static const char *
known_key(const struct matching *m, const char *key)
{
	for (int side = 0; side < 2; side++)
		for (size_t i = 0; i < m->sides[side].count && i < 64; i++) {
			const cJSON *member = json_get(children_at(&m->sides[side], i), key);
			if (member && m->sides[side].nodes)
				return member->string;
			if (member)
				return json_get(json_reader_keep(m->sides[side].reader, i), key)
				    ->string;
		}
	return NULL;
}

void
match_items(struct matching *m, const char *key)
{
	m->is_table = are_objects(&m->sides[0]) && are_objects(&m->sides[1]);
	if (m->is_table && !(key && *key == '\0')) {
		m->key = key ? known_key(m, key) : NULL;
		if (!m->key)
			m->key = match_guess_key(m);
	}
	if (m->key)
		match_by_key(m);
	else if ((m->sides[0].count <= 1 && m->sides[1].count <= 1) || !match_by_content(m))
		match_in_order(m);
	else
		match_rest(m);
}

#include "match.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "json/equal.h"
#include "sequence.h"

#include <stdlib.h>
#include <string.h>

/* Hashes of items are made again for each array around them: this bounds it for arrays that are
 * nested deeply. */
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

static bool
have_same_keys(const struct matching *m)
{
	if (m->sides[0].count != m->sides[1].count)
		return false;
	for (size_t i = 0; i < m->sides[0].count; i++) {
		const char *a = m->sides[0].nodes[i]->string, *b = m->sides[1].nodes[i]->string;
		if (a != b && strcmp(a, b) != 0)
			return false;
	}
	return true;
}

void
match_members(struct matching *m)
{
	struct sequence s = { .match = m->match };

	if (have_same_keys(m)) {
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
	for (size_t i = 0; i < m->sides[1].count; i++) /* the seed makes a collision an accident */
		if (m->match[i] != DIFF_NOWHERE && strcmp(m->sides[0].nodes[m->match[i]]->string,
						       m->sides[1].nodes[i]->string) != 0)
			m->match[i] = DIFF_NOWHERE;
	free(hashes[0]);
	free(hashes[1]);
}

/* ---- items ---- */

/* An item that is a container stands for one of the same type, a scalar for any other scalar. */
static bool
may_stand_for(const cJSON *a, const cJSON *b)
{
	enum json_type x = json_type(a), y = json_type(b);

	return x == y || (x < JSON_ARRAY && y < JSON_ARRAY);
}

/* Items that are left on both sides between two matches are matched in their order. */
static void
match_rest(struct matching *m)
{
	size_t a = 0;

	for (size_t b = 0, next; b < m->sides[1].count; b = next + 1) {
		for (next = b; next < m->sides[1].count && m->match[next] == DIFF_NOWHERE;)
			next++;
		size_t end = next < m->sides[1].count ? m->match[next] : m->sides[0].count;
		for (; a < end && b < next; a++, b++)
			if (may_stand_for(
				children_at(&m->sides[0], a), children_at(&m->sides[1], b)))
				m->match[b] = (uint32_t)a;
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

/* Rows of a lazy array are looked at when they are compared: one of each stretch tells. */
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

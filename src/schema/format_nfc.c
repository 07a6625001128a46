#include "format_idna_priv.h"

/*
 * Unicode normalisation form C (UAX 15) of letters that labels may hold: none of them changes
 * alone, and Hangul jamo are not among them.
 */

#define PARTS_MAX 4 /* code points a letter decomposes into */

struct sequence {
	uint32_t points[LABEL_MAX * PARTS_MAX];
	size_t count;
};

static const struct composite *
composite_of(uint32_t whole)
{
	size_t low = 0, high = idna_composite_count;

	while (low < high) {
		size_t middle = (low + high) / 2;
		if (idna_composites[middle].whole == whole)
			return &idna_composites[middle];
		if (idna_composites[middle].whole < whole)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

/* 0: the two do not compose. */
static uint32_t
compose(uint32_t first, uint32_t second)
{
	for (size_t i = 0; i < idna_composite_count; i++)
		if (idna_composites[i].second == second && idna_composites[i].first == first)
			return idna_composites[i].whole;
	return 0;
}

/* Marks come in the order of their classes. */
static void
add_in_order(struct sequence *s, uint32_t point)
{
	unsigned order = letter_of(point)->order;
	size_t at = s->count++;

	for (; at > 0 && order && letter_of(s->points[at - 1])->order > order; at--)
		s->points[at] = s->points[at - 1];
	s->points[at] = point;
}

/* Only the first of a pair decomposes further. */
static void
add_decomposed(struct sequence *s, uint32_t point)
{
	uint32_t marks[PARTS_MAX];
	size_t count = 0;
	const struct composite *pair;

	for (; count + 1 < PARTS_MAX && (pair = composite_of(point)); point = pair->first)
		marks[count++] = pair->second;
	add_in_order(s, point);
	while (count > 0)
		add_in_order(s, marks[--count]);
}

static void
recompose(struct sequence *s)
{
	size_t out = 0, starter = SIZE_MAX;
	unsigned last = 0; /* class of the last mark kept after the starter */

	for (size_t i = 0; i < s->count; i++) {
		uint32_t point = s->points[i], whole = 0;
		unsigned order = letter_of(point)->order;
		bool adjacent = starter != SIZE_MAX && starter + 1 == out;
		if (starter != SIZE_MAX && (adjacent || last < order))
			whole = compose(s->points[starter], point);
		if (whole) {
			s->points[starter] = whole;
			continue;
		}
		if (order == 0)
			starter = out;
		last = order;
		s->points[out++] = point;
	}
	s->count = out;
}

bool
label_is_normal(const struct label *label)
{
	struct sequence s = { .count = 0 };
	bool marked = false;

	for (size_t i = 0; i < label->count; i++)
		marked = marked || letter_of(label->points[i])->traits & LETTER_MARK;
	if (!marked)
		return true;
	for (size_t i = 0; i < label->count; i++)
		add_decomposed(&s, label->points[i]);
	recompose(&s);
	if (s.count != label->count)
		return false;
	for (size_t i = 0; i < s.count; i++)
		if (s.points[i] != label->points[i])
			return false;
	return true;
}

#include "format.h"

#include "base/vec.h"

#define ZERO_WIDTH_NON_JOINER 0x200c
#define ZERO_WIDTH_JOINER 0x200d
#define VIRAMA 9 /* its combining class */

const struct letter *
letter_of(uint32_t point)
{
	size_t low = 0, high = idna_block_count;

	if (point > 0x10ffff)
		return &idna_letters[0];
	while (high - low > 1) {
		size_t middle = (low + high) / 2;
		if (idna_blocks[middle].first <= point)
			low = middle;
		else
			high = middle;
	}
	const unsigned char *at = idna_runs + idna_blocks[low].at;
	for (uint32_t next = idna_blocks[low].first;;) {
		unsigned kind = *at++;
		if (kind & 128) {
			next++;
		} else {
			uint32_t length = 0;
			unsigned shift = 0;
			do {
				length |= (uint32_t)(*at & 127) << shift;
				shift += 7;
			} while (*at++ & 128);
			next += length;
		}
		if (point < next)
			return &idna_letters[kind & 127];
	}
}

static unsigned
traits_at(const struct label *label, size_t i)
{
	return i < label->count ? letter_of(label->points[i])->traits : 0;
}

/* ---- contextual rules, RFC 5892 appendix A: may the character at i stand there? ---- */

static bool
follows_virama(const struct label *label, size_t i)
{
	return i > 0 && letter_of(label->points[i - 1])->order == VIRAMA;
}

static bool
non_joiner_fits(const struct label *label, size_t i)
{
	size_t before = i, after = i;

	if (follows_virama(label, i))
		return true;
	while (before > 0 && traits_at(label, before - 1) & LETTER_JOINS_THROUGH)
		before--;
	while (traits_at(label, after + 1) & LETTER_JOINS_THROUGH)
		after++;
	return before > 0 && traits_at(label, before - 1) & LETTER_JOINS_NEXT &&
	       traits_at(label, after + 1) & LETTER_JOINS_LAST;
}

static bool
stands_between_l(const struct label *label, size_t i)
{
	return i > 0 && i + 1 < label->count && label->points[i - 1] == 'l' &&
	       label->points[i + 1] == 'l';
}

static bool
precedes_greek(const struct label *label, size_t i)
{
	return traits_at(label, i + 1) & LETTER_GREEK;
}

static bool
follows_hebrew(const struct label *label, size_t i)
{
	return i > 0 && traits_at(label, i - 1) & LETTER_HEBREW;
}

static bool
is_in_japanese(const struct label *label, size_t i)
{
	(void)i;
	for (size_t j = 0; j < label->count; j++)
		if (traits_at(label, j) & LETTER_JAPANESE)
			return true;
	return false;
}

/* Arabic-Indic and extended Arabic-Indic digits must not be mixed. */
static bool
is_among_its_digits(const struct label *label, size_t i)
{
	uint32_t others = label->points[i] < 0x6f0 ? 0x6f0 : 0x660;

	for (size_t j = 0; j < label->count; j++)
		if (label->points[j] >= others && label->points[j] <= others + 9)
			return false;
	return true;
}

static const struct {
	uint32_t first, last;
	bool (*fits)(const struct label *label, size_t i);
} CONTEXTS[] = {
	{ 0xb7, 0xb7, stands_between_l },
	{ 0x375, 0x375, precedes_greek },
	{ 0x5f3, 0x5f4, follows_hebrew },
	{ 0x660, 0x669, is_among_its_digits },
	{ 0x6f0, 0x6f9, is_among_its_digits },
	{ ZERO_WIDTH_NON_JOINER, ZERO_WIDTH_NON_JOINER, non_joiner_fits },
	{ ZERO_WIDTH_JOINER, ZERO_WIDTH_JOINER, follows_virama },
	{ 0x30fb, 0x30fb, is_in_japanese },
};

static bool
fits_context(const struct label *label, size_t i)
{
	for (size_t j = 0; j < ARRAY_LEN(CONTEXTS); j++)
		if (label->points[i] >= CONTEXTS[j].first && label->points[i] <= CONTEXTS[j].last)
			return CONTEXTS[j].fits(label, i);
	return false;
}

/* ---- the label, RFC 5891 section 4.2 ---- */

static const char *
point_fault(const struct label *label, size_t i)
{
	unsigned traits = traits_at(label, i);

	if (traits & LETTER_ALWAYS)
		return NULL;
	if (traits & LETTER_IN_CONTEXT)
		return fits_context(label, i) ? NULL : "a character is not allowed in that place";
	if (label->points[i] >= 'A' && label->points[i] <= 'Z')
		return "a capital letter stands beside letters outside ASCII";
	return "a character is not allowed in host names";
}

const char *
label_fault(const struct label *label, bool normal)
{
	const uint32_t *points = label->points;
	size_t count = label->count;

	if (points[0] == '-' || points[count - 1] == '-')
		return "a label begins or ends with a hyphen";
	if (count > 3 && points[2] == '-' && points[3] == '-')
		return "a label has -- in its third and fourth place";
	if (traits_at(label, 0) & LETTER_MARK)
		return "a label begins with a combining mark";
	for (size_t i = 0; i < count; i++) {
		const char *fault = point_fault(label, i);
		if (fault)
			return fault;
	}
	if (normal && !label_is_normal(label))
		return "a label is not in Unicode's composed form (NFC)";
	return NULL;
}

/* ---- directions, RFC 5893 ---- */

bool
label_is_rtl(const struct label *label)
{
	for (size_t i = 0; i < label->count; i++)
		if (traits_at(label, i) & (LETTER_R | LETTER_AN))
			return true;
	return false;
}

bool
label_is_ordered(const struct label *label)
{
	unsigned first = traits_at(label, 0), seen = 0, last = 0;

	for (size_t i = 0; i < label->count; i++) {
		unsigned traits = traits_at(label, i);
		seen |= traits;
		if (!(traits & LETTER_NSM))
			last = traits;
	}
	if (first & LETTER_R)
		return !(seen & LETTER_L) && !(seen & LETTER_EN && seen & LETTER_AN) &&
		       last & (LETTER_R | LETTER_EN | LETTER_AN);
	return first & LETTER_L && !(seen & (LETTER_R | LETTER_AN)) &&
	       last & (LETTER_L | LETTER_EN);
}

/* ---- NFC ---- */

/*
 * Unicode normalization form C (UAX 15) for letters that labels may contain: each of them is
 * already normal alone, and Hangul jamo are not among them.
 */

#define PARTS_MAX 4 /* code points in the decomposition of a letter */

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

/* 0 if the two do not compose. */
static uint32_t
compose(uint32_t first, uint32_t second)
{
	for (size_t i = 0; i < idna_composite_count; i++)
		if (idna_composites[i].second == second && idna_composites[i].first == first)
			return idna_composites[i].whole;
	return 0;
}

/* Sorts marks by their combining class. */
static void
add_in_order(struct sequence *s, uint32_t point)
{
	unsigned order = letter_of(point)->order;
	size_t at = s->count++;

	for (; at > 0 && order && letter_of(s->points[at - 1])->order > order; at--)
		s->points[at] = s->points[at - 1];
	s->points[at] = point;
}

/* Only the first code point of a pair decomposes further. */
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

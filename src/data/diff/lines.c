#include "data/diff.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "sequence.h"

#include <stdlib.h>
#include <string.h>

static void
find_lines(struct diff_text *t, const char *text, size_t len)
{
	struct {
		uint32_t *items;
		size_t len, cap;
	} starts = { 0 };

	t->text = text;
	*VEC_PUSH(&starts) = 0;
	for (size_t at = 0; at < len;) {
		const char *end = memchr(text + at, '\n', len - at);
		at = end ? (size_t)(end - text) + 1 : len;
		*VEC_PUSH(&starts) = (uint32_t)at;
	}
	t->starts = starts.items;
	t->count = starts.len - 1;
}

const char *
diff_line_text(const struct diff_lines *l, int side, uint32_t line, size_t *len)
{
	const struct diff_text *t = &l->texts[side];
	uint32_t from = t->starts[line], to = t->starts[line + 1];

	if (to > from && t->text[to - 1] == '\n')
		to--;
	*len = to - from;
	return t->text + from;
}

static uint64_t *
hash_lines(const struct diff_lines *l, int side)
{
	uint64_t *hashes = mem_alloc(l->texts[side].count * sizeof(*hashes));

	for (size_t i = 0; i < l->texts[side].count; i++) {
		size_t len;
		const char *text = diff_line_text(l, side, (uint32_t)i, &len);
		hashes[i] = text_hash(l, text, len);
	}
	return hashes;
}

static void
add_line(struct diff_lines *l, uint32_t a, uint32_t b, bool same)
{
	*VEC_PUSH(l) = (struct diff_line){ { a, b }, same };
	l->changes += !same;
}

/* Lines between two matches are put beside each other, one by one. */
static void
add_gap(struct diff_lines *l, uint32_t *a, uint32_t a_end, uint32_t *b, uint32_t b_end)
{
	while (*a < a_end || *b < b_end) {
		uint32_t left = *a < a_end ? (*a)++ : DIFF_NOWHERE;
		uint32_t right = *b < b_end ? (*b)++ : DIFF_NOWHERE;
		add_line(l, left, right, false);
	}
}

static bool
is_same_line(const struct diff_lines *l, uint32_t a, uint32_t b)
{
	size_t lens[2];
	const char *x = diff_line_text(l, 0, a, &lens[0]);
	const char *y = diff_line_text(l, 1, b, &lens[1]);

	return lens[0] == lens[1] && memcmp(x, y, lens[0]) == 0;
}

bool
diff_lines_make(
    struct diff_lines *l, const char *const texts[2], const size_t lens[2], struct job *job)
{
	*l = (struct diff_lines){ 0 };
	for (int side = 0; side < 2; side++)
		find_lines(&l->texts[side], texts[side],
		    lens[side] < UINT32_MAX ? lens[side] : UINT32_MAX - 1);
	uint64_t *hashes[2] = { hash_lines(l, 0), hash_lines(l, 1) };
	uint32_t counts[2] = { (uint32_t)l->texts[0].count, (uint32_t)l->texts[1].count };
	struct sequence s = { .hashes = { hashes[0], hashes[1] },
		.counts = { counts[0], counts[1] },
		.match = mem_alloc((counts[1] + (size_t)1) * sizeof(*s.match)),
		.job = job };
	sequence_match(&s);
	uint32_t a = 0, b = 0;
	for (uint32_t i = 0; i < counts[1]; i++) {
		if (s.match[i] == DIFF_NOWHERE)
			continue;
		add_gap(l, &a, s.match[i], &b, i);
		add_line(l, a, b, is_same_line(l, a, b));
		a++;
		b++;
	}
	add_gap(l, &a, counts[0], &b, counts[1]);
	free(s.match);
	free(hashes[0]);
	free(hashes[1]);
	return !job || !job_is_stopped(job);
}

void
diff_lines_finish(struct diff_lines *l)
{
	free(l->texts[0].starts);
	free(l->texts[1].starts);
	free(l->items);
	*l = (struct diff_lines){ 0 };
}

static bool
is_inside_character(const char *text, size_t len, size_t at)
{
	return at < len && ((unsigned char)text[at] & 0xc0) == 0x80;
}

struct diff_span
diff_span(const char *const texts[2], const size_t lens[2])
{
	size_t most = lens[0] < lens[1] ? lens[0] : lens[1], from = 0, tail = 0;

	while (from < most && texts[0][from] == texts[1][from])
		from++;
	while (from > 0 && (is_inside_character(texts[0], lens[0], from) ||
			       is_inside_character(texts[1], lens[1], from)))
		from--;
	while (tail < most - from && texts[0][lens[0] - tail - 1] == texts[1][lens[1] - tail - 1])
		tail++;
	while (tail > 0 && (is_inside_character(texts[0], lens[0], lens[0] - tail) ||
			       is_inside_character(texts[1], lens[1], lens[1] - tail)))
		tail--;
	return (struct diff_span){ from, { lens[0] - tail, lens[1] - tail } };
}

#include "table.h"

#include "base/mem.h"
#include "base/vec.h"
#include "json/number.h"

#include <stdlib.h>
#include <string.h>

/*
 * Sorts by a 64-bit key of each value, read from the tree once, in linear time; equal keys are
 * ordered by the next bytes of strings or the exact value of numbers. Each run fits into a cache;
 * sorted runs are merged.
 */
enum rank { RANK_BOOLEAN, RANK_NUMBER, RANK_STRING, RANK_CONTAINER, RANK_NULL, RANK_ABSENT };
enum { RANKS = RANK_ABSENT + 1 };

#define RUN 16384
/* Merging this many cells costs as much as sorting one. */
#define MERGED_AT_ONCE 4
/* Below this many cells a radix sort does not pay, nor beyond this many equal bytes of strings. */
#define FEW 48
#define KEY_BYTES 8
#define SAME_BYTES_MAX 128

/* ---- copied strings ---- */

#define BLOCK_BYTES ((size_t)64 << 10)

struct text_block {
	struct text_block *next;
	size_t used, size;
	char bytes[];
};

static const char *
keep_text(struct sorter *s, const char *text)
{
	size_t len = strlen(text) + 1;
	struct text_block *block = s->texts;

	if (!s->copies)
		return text;
	if (!block || block->size - block->used < len) {
		size_t size = len > BLOCK_BYTES ? len : BLOCK_BYTES;
		block = mem_alloc(sizeof(*block) + size);
		*block = (struct text_block){ .next = s->texts, .size = size };
		s->texts = block;
	}
	char *to = memcpy(block->bytes + block->used, text, len);
	block->used += len;
	return to;
}

/* ---- keys ---- */

/* Doubles ordered as unsigned integers; -0 equals 0. */
static uint64_t
key_of_number(double value)
{
	uint64_t bits;

	value += 0.0;
	memcpy(&bits, &value, sizeof(bits));
	return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

static double
number_of_key(uint64_t key)
{
	uint64_t bits = key >> 63 ? key & ~((uint64_t)1 << 63) : ~key;
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

static uint64_t
key_of_string(const char *text)
{
	uint64_t key = 0;

	for (int i = 0; i < KEY_BYTES; i++) {
		key = key << 8 | (unsigned char)*text;
		text += *text != '\0';
	}
	return key;
}

static enum rank
rank_of(const cJSON *cell)
{
	static const enum rank ranks[] = {
		[JSON_ABSENT] = RANK_ABSENT,
		[JSON_NULL] = RANK_NULL,
		[JSON_BOOLEAN] = RANK_BOOLEAN,
		[JSON_NUMBER] = RANK_NUMBER,
		[JSON_STRING] = RANK_STRING,
		[JSON_ARRAY] = RANK_CONTAINER,
		[JSON_OBJECT] = RANK_CONTAINER,
	};

	return ranks[json_type(cell)];
}

void
sorter_reserve(struct sorter *s, size_t cells)
{
	s->cells.items = mem_alloc(cells * sizeof(*s->cells.items));
	s->cells.cap = cells;
}

/* Inverts keys for descending order, so that equal rows keep their order. */
void
sorter_add(struct sorter *s, const cJSON *cell, uint32_t row)
{
	enum rank rank = rank_of(cell);
	bool turned = s->descending && rank <= RANK_CONTAINER;
	struct sort_item item = { .row = row, .rank = (uint8_t)rank };

	item.place = (uint8_t)(turned ? RANK_CONTAINER - rank : rank);
	if (rank == RANK_BOOLEAN)
		item.key = json_is_true(cell);
	else if (rank == RANK_NUMBER)
		item.key = key_of_number(cell->valuedouble);
	else if (rank == RANK_STRING)
		item.key = key_of_string(cell->valuestring);
	if (rank == RANK_STRING ? (item.key & 0xff) != 0 : rank == RANK_NUMBER && cell->valuestring)
		item.text = keep_text(s, cell->valuestring);
	if (turned && rank < RANK_CONTAINER)
		item.key = ~item.key;
	*VEC_PUSH(&s->cells) = item;
}

/* ---- sort by key ---- */

static void
insert_sort(struct sort_item *items, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct sort_item item = items[i];
		size_t k = i;
		for (; k > 0 && items[k - 1].key > item.key; k--)
			items[k] = items[k - 1];
		items[k] = item;
	}
}

/* Sorts by one byte of the keys, stably. False if all have the same byte. */
static bool
distribute(const struct sort_item *from, struct sort_item *to, size_t n, unsigned shift)
{
	size_t starts[256] = { 0 };

	for (size_t i = 0; i < n; i++)
		starts[from[i].key >> shift & 0xff]++;
	if (starts[from[0].key >> shift & 0xff] == n)
		return false;
	size_t at = 0;
	for (size_t i = 0; i < 256; i++) {
		size_t count = starts[i];
		starts[i] = at;
		at += count;
	}
	for (size_t i = 0; i < n; i++)
		to[starts[from[i].key >> shift & 0xff]++] = from[i];
	return true;
}

static void
sort_by_key(struct sort_item *items, struct sort_item *spare, size_t n)
{
	struct sort_item *from = items, *to = spare;

	if (n < FEW) {
		insert_sort(items, n);
		return;
	}
	for (unsigned shift = 0; shift < 64; shift += 8) {
		if (!distribute(from, to, n, shift))
			continue;
		struct sort_item *swap = from;
		from = to;
		to = swap;
	}
	if (from != items)
		memcpy(items, from, n * sizeof(*items));
}

/* ---- equal keys ---- */

static int
compare_numbers(const struct sorter *s, const struct sort_item *a, const struct sort_item *b)
{
	uint64_t key = s->descending ? ~a->key : a->key;
	cJSON left = { .type = cJSON_Number, .valuedouble = number_of_key(key) }, right = left;

	left.valuestring = (char *)a->text;
	right.valuestring = (char *)b->text;
	return json_number_compare(&left, &right);
}

/* Compares two cells of equal rank and key. */
static int
compare_texts(const struct sorter *s, const struct sort_item *a, const struct sort_item *b)
{
	int order = 0;

	if (a->rank == RANK_STRING && a->text)
		order = strcmp(a->text, b->text);
	else if (a->rank == RANK_NUMBER && (a->text || b->text))
		order = compare_numbers(s, a, b);
	return s->descending ? -order : order;
}

static int
compare_cells(const void *x, const void *y, void *user)
{
	const struct sort_item *a = x, *b = y;
	int order = compare_texts(user, a, b);

	return order ? order : a->row < b->row ? -1 : a->row > b->row;
}

static void sort_strings(struct sorter *s, size_t start, size_t n, size_t offset);

/* Sorts strings that are equal up to offset and longer. Restores their common key at the end. */
static void
sort_string_tails(struct sorter *s, size_t start, size_t n, size_t offset)
{
	struct sort_item *items = s->cells.items + start;
	uint64_t common = items[0].key;

	if (n < FEW || offset >= SAME_BYTES_MAX) {
		qsort_r(items, n, sizeof(*items), compare_cells, s);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		uint64_t key = key_of_string(items[i].text + offset);
		items[i].key = s->descending ? ~key : key;
	}
	sort_strings(s, start, n, offset);
	for (size_t i = 0; i < n; i++)
		items[i].key = common;
}

static void
sort_strings(struct sorter *s, size_t start, size_t n, size_t offset)
{
	struct sort_item *items = s->cells.items + start;

	sort_by_key(items, s->spare + start, n);
	for (size_t i = 0, end; i < n; i = end) {
		uint64_t key = items[i].key;
		for (end = i + 1; end < n && items[end].key == key; end++)
			continue;
		bool goes_on = ((s->descending ? ~key : key) & 0xff) != 0;
		if (end - i > 1 && goes_on)
			sort_string_tails(s, start + i, end - i, offset + KEY_BYTES);
	}
}

static void
sort_numbers(struct sorter *s, size_t start, size_t n)
{
	struct sort_item *items = s->cells.items + start;

	sort_by_key(items, s->spare + start, n);
	for (size_t i = 0, end; i < n; i = end) {
		bool exact = items[i].text != NULL;
		for (end = i + 1; end < n && items[end].key == items[i].key; end++)
			exact |= items[end].text != NULL;
		if (end - i > 1 && exact)
			qsort_r(items + i, end - i, sizeof(*items), compare_cells, s);
	}
}

/* ---- runs ---- */

static void
sort_run(struct sorter *s, size_t start, size_t n)
{
	struct sort_item *items = s->cells.items + start, *spare = s->spare + start;
	size_t counts[RANKS] = { 0 }, ends[RANKS], at = 0;

	memcpy(spare, items, n * sizeof(*items));
	for (size_t i = 0; i < n; i++)
		counts[spare[i].place]++;
	for (int i = 0; i < RANKS; i++) {
		ends[i] = at;
		at += counts[i];
	}
	for (size_t i = 0; i < n; i++)
		items[ends[spare[i].place]++] = spare[i];
	for (int i = 0; i < RANK_NULL; i++) {
		size_t first = ends[i] - counts[i];
		enum rank rank = s->descending ? RANK_CONTAINER - i : i;
		if (rank == RANK_BOOLEAN)
			sort_by_key(items + first, spare + first, counts[i]);
		else if (rank == RANK_NUMBER)
			sort_numbers(s, start + first, counts[i]);
		else if (rank == RANK_STRING)
			sort_strings(s, start + first, counts[i], 0);
	}
}

static bool
comes_first(const struct sorter *s, const struct sort_item *a, const struct sort_item *b)
{
	if (a->place != b->place)
		return a->place < b->place;
	if (a->key != b->key)
		return a->key < b->key;
	return compare_texts(s, a, b) <= 0;
}

/* Continues with the pair of runs at s->at, each s->width long, at most this many cells. */
static void
merge_runs(struct sorter *s, size_t cells)
{
	size_t n = s->cells.len, start = s->at - s->at % (s->width * 2);
	size_t middle = start + s->width < n ? start + s->width : n;
	size_t end = middle + s->width < n ? middle + s->width : n;
	const struct sort_item *items = s->cells.items;

	if (s->at == start) {
		s->left = start;
		s->right = middle;
	}
	for (; cells > 0 && s->at < end; cells--) {
		bool left = s->right == end ||
			    (s->left < middle && comes_first(s, items + s->left, items + s->right));
		s->spare[s->at++] = items[left ? s->left++ : s->right++];
	}
}

/* Ends a pass over all cells. */
static void
end_pass(struct sorter *s)
{
	struct sort_item *swap = s->cells.items;

	if (s->width > 0) {
		s->cells.items = s->spare;
		s->spare = swap;
	}
	s->width = s->width > 0 ? s->width * 2 : RUN;
	s->at = 0;
}

bool
sorter_work(struct sorter *s, size_t cells)
{
	size_t n = s->cells.len, done = 0;

	if (!s->spare)
		s->spare = mem_alloc(n * sizeof(*s->spare));
	while (done < cells && n > 0 && s->width < n) {
		size_t before = s->at, run = n - s->at < RUN ? n - s->at : RUN;
		if (s->width > 0) {
			merge_runs(s, (cells - done) * MERGED_AT_ONCE);
			done += (s->at - before) / MERGED_AT_ONCE + 1;
		} else {
			sort_run(s, s->at, run);
			s->at += run;
			done += run;
		}
		if (s->at == n)
			end_pass(s);
	}
	return n == 0 || s->width >= n;
}

unsigned
sorter_percent(const struct sorter *s)
{
	size_t n = s->cells.len, passes = 1, past = 0;

	for (size_t width = RUN; width < n; width *= 2, passes++)
		past += s->width > width;
	past += s->width > 0;
	return n > 0 ? (unsigned)((past * n + s->at) * 100 / (passes * n)) : 100;
}

void
sorter_finish(struct sorter *s)
{
	for (struct text_block *next, *block = s->texts; block; block = next) {
		next = block->next;
		free(block);
	}
	free(s->cells.items);
	free(s->spare);
	*s = (struct sorter){ 0 };
}

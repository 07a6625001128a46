#include "base/mem.h"
#include "json/number.h"
#include "table_priv.h"

#include <stdlib.h>
#include <string.h>

/*
 * Sorted by 64 bits of each value, taken out of the tree once, in linear time; where
 * those are equal by the next bytes of strings, or by the exact value of numbers.
 */
enum rank { RANK_BOOLEAN, RANK_NUMBER, RANK_STRING, RANK_CONTAINER, RANK_NULL, RANK_ABSENT };
enum { RANKS = RANK_ABSENT + 1 };

struct item {
	uint64_t key;
	uint32_t row;
	uint8_t rank;
};

struct sorter {
	const struct table *t;
	struct item *items, *spare; /* as many each */
};

/* Below this many a radix sort does not pay, and past so many bytes of equal strings neither. */
#define FEW 48
#define KEY_BYTES 8
#define SAME_BYTES_MAX 128

/* ---- keys ---- */

static const cJSON *
cell_of(const struct sorter *s, const struct item *item)
{
	return table_cell(s->t, item->row, s->t->sorted_by);
}

/* Doubles in order as unsigned integers; -0 is 0. */
static uint64_t
key_of_number(double value)
{
	uint64_t bits;

	value += 0.0;
	memcpy(&bits, &value, sizeof(bits));
	return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
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

/* Keys are turned round for descending order, so that equal rows keep theirs. */
static struct item
item_of(const struct table *t, uint32_t row)
{
	const cJSON *cell = table_cell(t, row, t->sorted_by);
	struct item item = { .row = row, .rank = (uint8_t)rank_of(cell) };

	if (item.rank == RANK_BOOLEAN)
		item.key = json_is_true(cell);
	else if (item.rank == RANK_NUMBER)
		item.key = key_of_number(cell->valuedouble);
	else if (item.rank == RANK_STRING)
		item.key = key_of_string(cell->valuestring);
	if (t->descending && item.rank < RANK_CONTAINER)
		item.key = ~item.key;
	return item;
}

/* ---- by key ---- */

static void
insert_sort(struct item *items, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct item item = items[i];
		size_t k = i;
		for (; k > 0 && items[k - 1].key > item.key; k--)
			items[k] = items[k - 1];
		items[k] = item;
	}
}

/* One byte of the keys; the order of equal ones stays. False: it is the same in all. */
static bool
distribute(const struct item *from, struct item *to, size_t n, unsigned shift)
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
sort_by_key(struct item *items, struct item *spare, size_t n)
{
	struct item *from = items, *to = spare;

	if (n < FEW) {
		insert_sort(items, n);
		return;
	}
	for (unsigned shift = 0; shift < 64; shift += 8) {
		if (!distribute(from, to, n, shift))
			continue;
		struct item *swap = from;
		from = to;
		to = swap;
	}
	if (from != items)
		memcpy(items, from, n * sizeof(*items));
}

/* ---- where keys are equal ---- */

static int
compare_cells(const void *x, const void *y, void *user)
{
	const struct sorter *s = user;
	const struct item *a = x, *b = y;
	const cJSON *left = cell_of(s, a), *right = cell_of(s, b);
	int order = a->rank == RANK_STRING ? strcmp(left->valuestring, right->valuestring)
					   : json_number_compare(left, right);

	if (order)
		return s->t->descending ? -order : order;
	return a->row < b->row ? -1 : a->row > b->row;
}

static void sort_strings(struct sorter *s, size_t start, size_t n, size_t offset);

/* Strings that are the same up to offset and go on. */
static void
sort_string_tails(struct sorter *s, size_t start, size_t n, size_t offset)
{
	struct item *items = s->items + start;

	if (n < FEW || offset >= SAME_BYTES_MAX) {
		qsort_r(items, n, sizeof(*items), compare_cells, s);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		uint64_t key = key_of_string(cell_of(s, &items[i])->valuestring + offset);
		items[i].key = s->t->descending ? ~key : key;
	}
	sort_strings(s, start, n, offset);
}

static void
sort_strings(struct sorter *s, size_t start, size_t n, size_t offset)
{
	struct item *items = s->items + start;

	sort_by_key(items, s->spare + start, n);
	for (size_t i = 0, end; i < n; i = end) {
		uint64_t key = items[i].key;
		for (end = i + 1; end < n && items[end].key == key; end++)
			continue;
		bool goes_on = ((s->t->descending ? ~key : key) & 0xff) != 0;
		if (end - i > 1 && goes_on)
			sort_string_tails(s, start + i, end - i, offset + KEY_BYTES);
	}
}

static void
sort_numbers(struct sorter *s, size_t start, size_t n)
{
	struct item *items = s->items + start;

	sort_by_key(items, s->spare + start, n);
	for (size_t i = 0, end; i < n; i = end) {
		bool exact = false;
		for (end = i + 1; end < n && items[end].key == items[i].key; end++)
			exact |= cell_of(s, &items[end])->valuestring != NULL;
		if (end - i > 1 && (exact || cell_of(s, &items[i])->valuestring))
			qsort_r(items + i, end - i, sizeof(*items), compare_cells, s);
	}
}

/* ---- the whole ---- */

/* Rows by rank, in document order: how many of each there are, and where they end. */
static void
split_by_rank(struct sorter *s, size_t counts[RANKS], size_t ends[RANKS])
{
	static const uint8_t up[] = { RANK_BOOLEAN, RANK_NUMBER, RANK_STRING, RANK_CONTAINER,
		RANK_NULL, RANK_ABSENT };
	static const uint8_t down[] = { RANK_CONTAINER, RANK_STRING, RANK_NUMBER, RANK_BOOLEAN,
		RANK_NULL, RANK_ABSENT };
	size_t at = 0;

	for (size_t i = 0; i < s->t->shown; i++) {
		s->spare[i] = item_of(s->t, s->t->order[i]);
		counts[s->spare[i].rank]++;
	}
	for (int i = 0; i < RANKS; i++) {
		uint8_t rank = s->t->descending ? down[i] : up[i];
		ends[rank] = at;
		at += counts[rank];
	}
	for (size_t i = 0; i < s->t->shown; i++)
		s->items[ends[s->spare[i].rank]++] = s->spare[i];
}

/* The rows shown, as they came. */
static void
restore_order(struct table *t)
{
	uint8_t *is_shown = mem_zalloc(t->row_count);
	size_t at = 0;

	for (size_t i = 0; i < t->shown; i++)
		is_shown[t->order[i]] = 1;
	for (size_t i = 0; i < t->row_count; i++)
		if (is_shown[i])
			t->order[at++] = (uint32_t)i;
	free(is_shown);
}

void
table_sort_shown(struct table *t)
{
	struct sorter s = { .t = t };
	size_t counts[RANKS] = { 0 }, ends[RANKS];

	if (t->sorted_by == SIZE_MAX || t->shown == 0)
		return;
	s.items = mem_alloc(t->shown * sizeof(*s.items));
	s.spare = mem_alloc(t->shown * sizeof(*s.spare));
	split_by_rank(&s, counts, ends);
	sort_by_key(
	    s.items + ends[RANK_BOOLEAN] - counts[RANK_BOOLEAN], s.spare, counts[RANK_BOOLEAN]);
	sort_numbers(&s, ends[RANK_NUMBER] - counts[RANK_NUMBER], counts[RANK_NUMBER]);
	sort_strings(&s, ends[RANK_STRING] - counts[RANK_STRING], counts[RANK_STRING], 0);
	for (size_t i = 0; i < t->shown; i++)
		t->order[i] = s.items[i].row;
	free(s.items);
	free(s.spare);
}

void
table_sort(struct table *t, size_t column, bool is_descending)
{
	t->sorted_by = column;
	t->descending = is_descending;
	restore_order(t);
	table_sort_shown(t);
}

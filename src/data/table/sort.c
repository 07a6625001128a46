/* SPDX-License-Identifier: MIT */
#include "table.h"

#include "base/mem.h"
#include "base/vec.h"
#include "json/number.h"

#include <stdlib.h>
#include <string.h>

/*
 * Finds the rows shown and sorts them by a 64-bit key of each value, read from the tree once; equal
 * keys are ordered by the whole string or the exact value of numbers.
 */
enum rank { RANK_BOOLEAN, RANK_NUMBER, RANK_STRING, RANK_CONTAINER, RANK_NULL, RANK_ABSENT };

#define KEY_BYTES 8
#define RUN ((size_t)16384)

/* A cell to sort, by place, then by key, then by text. */
struct sort_item {
	uint64_t key;
	const char *text; /* if the key is only a part of the value; else NULL */
	uint32_t row;
	uint8_t rank, place; /* the type of the value, and its place in the order of types */
};

/* Sorts cells stably; null and absent come last in either direction. */
struct sorter {
	bool descending;
	bool copies;            /* cells do not outlive sorter_add() */
	size_t progress, share; /* of the job, in percent: before sorter_sort(), and its share */
	struct {
		struct sort_item *items;
		size_t len, cap;
	} cells;
	struct text_block *texts;
};

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

/* Inverts keys for descending order, so that equal rows keep their order. */
static void
sorter_add(struct sorter *s, const cJSON *cell, uint32_t row)
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
	enum rank rank = ranks[json_type(cell)];
	bool turned = s->descending && rank <= RANK_CONTAINER;
	struct sort_item item = { .row = row, .rank = (uint8_t)rank };

	item.place = (uint8_t)(turned ? RANK_CONTAINER - rank : rank);
	if (rank == RANK_BOOLEAN) {
		item.key = cJSON_IsTrue(cell);
	} else if (rank == RANK_NUMBER) {
		/* map the double to an integer of the same order; -0 equals 0 */
		double value = cell->valuedouble + 0.0;
		memcpy(&item.key, &value, sizeof(value));
		item.key = item.key >> 63 ? ~item.key : item.key | (uint64_t)1 << 63;
	}
	const char *text = rank == RANK_STRING ? cell->valuestring : NULL;
	for (int i = 0; i < KEY_BYTES && text; i++) {
		item.key = item.key << 8 | (unsigned char)*text;
		text += *text != '\0';
	}
	if (rank == RANK_STRING && (item.key & 0xff) != 0)
		item.text = keep_text(s, cell->valuestring);
	else if (rank == RANK_NUMBER && !json_number_is_double(cell))
		item.text = keep_text(s, json_number_written(cell));
	if (turned && rank < RANK_CONTAINER)
		item.key = ~item.key;
	*VEC_PUSH(&s->cells) = item;
}

/* ---- equal keys ---- */

/* The key has the double of both numbers; a number with more digits has a text. */
static int
compare_numbers(const struct sorter *s, const struct sort_item *a, const struct sort_item *b)
{
	uint64_t key = s->descending ? ~a->key : a->key;
	uint64_t bits = key >> 63 ? key & ~((uint64_t)1 << 63) : ~key;
	cJSON number = { .type = cJSON_Number };
	char buffer[JSON_NUMBER_TEXT_MAX];

	memcpy(&number.valuedouble, &bits, sizeof(bits));
	const char *shortest = json_number_text(&number, buffer);
	return json_number_compare_texts(
	    a->text ? a->text : shortest, b->text ? b->text : shortest);
}

static bool
comes_first(const struct sorter *s, const struct sort_item *a, const struct sort_item *b)
{
	int order = 0;

	if (a->place != b->place)
		return a->place < b->place;
	if (a->key != b->key)
		return a->key < b->key;
	if (a->rank == RANK_STRING && a->text)
		order = strcmp(a->text, b->text);
	else if (a->rank == RANK_NUMBER && (a->text || b->text))
		order = compare_numbers(s, a, b);
	return s->descending ? order >= 0 : order <= 0;
}

/* Return a byte of the key, from the last to the first, then the place. */
static inline uint8_t
byte_of(const struct sort_item *item, unsigned byte)
{
	if (byte == KEY_BYTES)
		return item->place;
	return (uint8_t)(item->key >> 8 * byte);
}

/* Sort stably by one byte. False: all items have the same byte. */
static bool
distribute(const struct sort_item *from, struct sort_item *to, size_t n, unsigned byte)
{
	size_t starts[256] = { 0 }, at = 0;

	for (size_t i = 0; i < n; i++)
		starts[byte_of(&from[i], byte)]++;
	if (starts[byte_of(from, byte)] == n)
		return false;
	for (size_t i = 0; i < 256; i++) {
		size_t count = starts[i];
		starts[i] = at;
		at += count;
	}
	for (size_t i = 0; i < n; i++)
		to[starts[byte_of(&from[i], byte)]++] = from[i];
	return true;
}

/* Merge the sorted items from[0...middle - 1] and from[middle...n - 1]. */
static void
merge(const struct sorter *s, const struct sort_item *from, size_t middle, size_t n,
    struct sort_item *to)
{
	const struct sort_item *a = from, *b = from + middle, *end = from + n;

	if (middle >= n || comes_first(s, b - 1, b)) {
		memcpy(to, from, n * sizeof(*to));
		return;
	}
	while (a < from + middle && b < end) {
		bool first = comes_first(s, a, b);
		*to++ = first ? *a : *b;
		a += first;
		b += !first;
	}
	memcpy(to, a, (size_t)(from + middle - a) * sizeof(*to));
	memcpy(to + (from + middle - a), b, (size_t)(end - b) * sizeof(*to));
}

/* Merge sorted runs of this width, in place. */
static void
merge_runs(const struct sorter *s, struct sort_item *items, struct sort_item *spare, size_t n,
    size_t width, struct job *job)
{
	struct sort_item *from = items, *to = spare;

	for (; width < n && !job_is_stopped(job); width *= 2) {
		for (size_t at = 0; at < n; at += 2 * width)
			merge(
			    s, from + at, width, n - at < 2 * width ? n - at : 2 * width, to + at);
		struct sort_item *swap = from;
		from = to;
		to = swap;
	}
	if (from != items)
		memcpy(items, from, n * sizeof(*items));
}

/* Sort a run that fits into the cache: by place and key, then items with equal keys by text. */
static void
sort_run(const struct sorter *s, struct sort_item *items, struct sort_item *spare, size_t n,
    struct job *job)
{
	struct sort_item *from = items, *to = spare;

	for (unsigned byte = 0; byte <= KEY_BYTES; byte++) {
		if (!distribute(from, to, n, byte))
			continue;
		struct sort_item *swap = from;
		from = to;
		to = swap;
	}
	if (from != items)
		memcpy(items, from, n * sizeof(*items));
	for (size_t i = 0, end; i < n; i = end) {
		bool texts = items[i].text != NULL;
		for (end = i + 1; end < n && items[i].place == items[end].place &&
				  items[i].key == items[end].key;
		     end++)
			texts |= items[end].text != NULL;
		if (texts)
			merge_runs(s, items + i, spare, end - i, 1, job);
	}
}

/* Return the rows of the cells in order; the caller frees. */
static uint32_t *
sorter_sort(struct sorter *s, struct job *job)
{
	size_t n = s->cells.len;
	struct sort_item *items = s->cells.items, *spare = mem_alloc(n * sizeof(*spare));

	for (size_t at = 0; at < n && job_goes_on(job, s->progress + at * s->share / n); at += RUN)
		sort_run(s, items + at, spare, n - at < RUN ? n - at : RUN, job);
	merge_runs(s, items, spare, n, RUN, job);
	free(spare);
	uint32_t *rows = (uint32_t *)items; /* in the memory of the cells */
	for (size_t i = 0; i < n; i++) {
		uint32_t row = items[i].row;
		memcpy(&rows[i], &row, sizeof(row));
	}
	s->cells.items = NULL;
	return mem_realloc(rows, n * sizeof(*rows));
}

/* ---- the order of the rows ---- */

/* Sort by the last key first, because sorting keeps the order of equal rows. */
static void
rows_sort(struct table *t, struct sorter *sorters, struct job *job)
{
	size_t count = t->key_count;
	uint32_t *order = NULL;

	for (size_t k = count; k-- > 0 && !job_is_stopped(job);) {
		struct sorter *s = &sorters[k];
		s->progress = 50 + (count - 1 - k) * 50 / count;
		s->share = 40 / count;
		if (order) {
			struct sort_item *cells = s->cells.items;
			s->cells.items = mem_alloc(s->cells.len * sizeof(*cells));
			for (size_t i = 0; i < s->cells.len; i++)
				s->cells.items[i] = cells[order[i]];
			free(cells);
			free(order);
		}
		order = sorter_sort(s, job);
	}
	for (size_t i = 0; order && i < t->shown; i++)
		order[i] = t->order[order[i]];
	if (order) {
		free(t->order);
		t->order = order;
	}
}

void
rows_order(struct table *t, const struct row_filter *filter, struct job *job)
{
	struct sorter sorters[SORT_KEYS_MAX] = { { 0 } };
	size_t share = t->key_count > 0 ? 50 : 100, i = t->heading;

	for (size_t k = 0; k < t->key_count; k++)
		sorters[k] =
		    (struct sorter){ .descending = t->keys[k].descending, .copies = !t->rows };
	t->order = mem_alloc(t->row_count * sizeof(*t->order));
	for (t->shown = 0; i < t->row_count; i++) {
		if (i % TABLE_ROWS_A_LOOK == 0 && !job_goes_on(job, i * share / t->row_count))
			break;
		if (filter && !row_filter_passes(filter, filter->root, t, i))
			continue;
		for (size_t k = 0; k < t->key_count; k++)
			sorter_add(&sorters[k], table_scan_cell(t, i, t->keys[k].column),
			    (uint32_t)t->shown);
		t->order[t->shown++] = (uint32_t)i;
	}
	if (i == t->row_count && t->key_count > 0 && t->shown > 0)
		rows_sort(t, sorters, job);
	for (size_t k = 0; k < t->key_count; k++) {
		for (struct text_block *next, *block = sorters[k].texts; block; block = next) {
			next = block->next;
			free(block);
		}
		free(sorters[k].cells.items);
	}
}

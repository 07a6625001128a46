#include "journal.h"

#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

/* Names that have a row of their own; the rest share the last one. */
#define NAMES_MAX 256

void
timings_finish(struct timings *t)
{
	for (size_t i = 0; i < t->len; i++) {
		free(t->items[i]->name);
		free(t->items[i]);
	}
	free(t->items);
	*t = (struct timings){ 0 };
}

static bool
is_named(const struct timing *row, const char *name, bool is_tool)
{
	return row->is_tool == is_tool && row->name && strcmp(row->name, name) == 0;
}

/* A new row: a tool's behind tools/call and the tools that are there, a method's at the end. */
static struct timing *
add_row(struct timings *t, const char *name, bool is_tool)
{
	size_t at = t->len;
	struct timing *row = mem_zalloc(sizeof(*row));

	*row = (struct timing){ .name = mem_strdup(name), .is_tool = is_tool };
	for (size_t i = 0; is_tool && i < t->len; i++)
		if (t->items[i]->is_tool || is_named(t->items[i], "tools/call", false))
			at = i + 1;
	*VEC_PUSH(t) = row;
	memmove(t->items + at + 1, t->items + at, (t->len - 1 - at) * sizeof(struct timing *));
	t->items[at] = row;
	return row;
}

static struct timing *
row_of(struct timings *t, const char *name, bool is_tool)
{
	for (size_t i = 0; i < t->len; i++)
		if (is_named(t->items[i], name, is_tool))
			return t->items[i];
	if (t->len < NAMES_MAX)
		return add_row(t, name, is_tool);
	if (t->items[t->len - 1]->name)
		*VEC_PUSH(t) = mem_zalloc(sizeof(struct timing));
	return t->items[t->len - 1];
}

/* The rows of a request: its method's and its tool's. */
static size_t
rows_of(struct timings *t, const struct journal_entry *request, struct timing *rows[2])
{
	size_t count = 0;

	if (request->method)
		rows[count++] = row_of(t, request->method, false);
	if (request->tool)
		rows[count++] = row_of(t, request->tool, true);
	return count == 2 && rows[0] == rows[1] ? 1 : count;
}

void
timings_add_request(struct timings *t, const struct journal_entry *request)
{
	struct timing *rows[2];

	for (size_t i = rows_of(t, request, rows); i-- > 0;) {
		rows[i]->count++;
		rows[i]->bytes += request->bytes->len + request->dropped;
	}
}

void
timings_add_error(struct timings *t, const struct journal_entry *request)
{
	struct timing *rows[2];

	for (size_t i = rows_of(t, request, rows); i-- > 0;)
		rows[i]->errors++;
}

/* The index of the first time that is not below this one. */
static size_t
place_of(const struct timing *row, size_t len, uint32_t us)
{
	size_t low = 0, high = len;

	while (low < high) {
		size_t middle = (low + high) / 2;
		if (row->sorted[middle] < us)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The newest time takes the place of the oldest. */
static void
add_time(struct timing *row, int64_t latency_us)
{
	uint32_t us = latency_us < 0            ? 0
		      : latency_us > UINT32_MAX ? UINT32_MAX
						: (uint32_t)latency_us;
	size_t len = row->replies < TIMING_SAMPLE ? row->replies : TIMING_SAMPLE;
	uint32_t *oldest = &row->ring[row->replies % TIMING_SAMPLE];

	if (len == TIMING_SAMPLE) {
		size_t at = place_of(row, len--, *oldest);
		memmove(row->sorted + at, row->sorted + at + 1, (len - at) * sizeof(us));
	}
	size_t at = place_of(row, len, us);
	memmove(row->sorted + at + 1, row->sorted + at, (len - at) * sizeof(us));
	row->sorted[at] = *oldest = us;
	row->replies++;
	row->max_us = latency_us > row->max_us ? latency_us : row->max_us;
}

void
timings_add_reply(
    struct timings *t, const struct journal_entry *request, const struct journal_entry *reply)
{
	struct timing *rows[2];

	for (size_t i = rows_of(t, request, rows); i-- > 0;) {
		rows[i]->errors += reply->is_error;
		rows[i]->bytes += reply->bytes->len + reply->dropped;
		add_time(rows[i], reply->latency_us);
	}
}

int64_t
timing_quantile(const struct timing *t, unsigned percent)
{
	size_t len = t->replies < TIMING_SAMPLE ? t->replies : TIMING_SAMPLE;

	if (len == 0)
		return -1;
	size_t rank = (len * percent + 99) / 100; /* the nearest rank, from 1 */
	return t->sorted[rank > 0 ? rank - 1 : 0];
}

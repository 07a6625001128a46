/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "base/vec.h"
#include "data/table.h"
#include "schema/report.h"
#include "table.h"

#include <stdlib.h>
#include <string.h>

/* ---- sets of rows ---- */

static size_t
set_bytes(size_t rows)
{
	return (rows / 64 + 1) * sizeof(uint64_t);
}

static void
row_set_finish(struct row_set *s)
{
	free(s->bits);
	*s = (struct row_set){ 0 };
}

void
row_set_copy(struct row_set *to, const struct row_set *from, size_t rows)
{
	row_set_finish(to);
	if (from->count > 0)
		to->bits = memcpy(mem_alloc(set_bytes(rows)), from->bits, set_bytes(rows));
	to->count = from->count;
}

/* Add the row to the set, or remove it. */
static void
row_set_put(struct row_set *s, size_t row, size_t rows, bool has)
{
	if (has == row_set_has(s, row))
		return;
	if (!s->bits)
		s->bits = mem_zalloc(set_bytes(rows));
	s->count += has ? 1 : -1;
	s->bits[row / 64] ^= (uint64_t)1 << row % 64;
}

/* ---- the user's selection ---- */

void
table_select(struct table *t, size_t from, size_t to, bool selected)
{
	for (size_t i = from; i < to && i < t->shown; i++)
		row_set_put(&t->selected, t->order[i], t->row_count, selected);
}

void
table_select_none(struct table *t)
{
	job_drop(&t->pick_job);
	row_set_finish(&t->selected);
}

static void
table_take_picked(struct table *t, struct table *made)
{
	for (size_t i = 0; i < t->shown && made->selected.count > 0; i++)
		if (row_set_has(&made->selected, t->order[i]))
			row_set_put(&t->selected, t->order[i], t->row_count, true);
}

/* ---- violations ---- */

/* A violation of an object counts in all columns of its members. */
static bool
is_in_column(
    const struct table *t, const struct column *c, const struct report_step *way, size_t len)
{
	if (len == 0 || c->depth == 0)
		return len == 0 && c->depth == 0;
	if (t->kind == TABLE_ARRAYS)
		return !way[0].key && way[0].index == c->index;
	for (int i = 0; i < c->depth && (size_t)i < len; i++)
		if (!way[i].key ||
		    (way[i].key != c->path[i] && strcmp(way[i].key, c->path[i]) != 0))
			return false;
	return true;
}

static void
count_violation(struct table *t, size_t index)
{
	struct report_step way[1 + COLUMN_DEPTH]; /* the row, then keys */
	size_t row = t->kind != TABLE_RECORD;
	size_t len = report_way(t->report, index, t->node, way, row + COLUMN_DEPTH);

	if (len == REPORT_NONE || len < row)
		return;
	size_t number = row > 0 ? way[0].index : 0;
	if (number < t->row_count)
		row_set_put(&t->invalid, number, t->row_count, true);
	if (report_at(t->report, index)->warning)
		return;
	len = len > row + COLUMN_DEPTH ? COLUMN_DEPTH : len - row;
	for (size_t i = 0; i < t->columns.len; i++)
		if (is_in_column(t, &t->columns.items[i], way + row, len))
			t->columns.items[i].wrong++;
}

/* The values of a joined table are copies, which the report does not know: violations of the arrays
 * are recorded by row and column. The path is the name of the array, the row, then keys. */
static void
count_joined_violation(struct table *t, size_t index)
{
	struct report_step way[2 + COLUMN_DEPTH];
	size_t len = report_way(t->report, index, t->arrays, way, 2 + COLUMN_DEPTH);

	if (len == REPORT_NONE || len < 2 || !way[0].key || way[1].key ||
	    way[1].index >= t->row_count)
		return;
	size_t row = way[1].index, keys = len - 1;
	way[1] = way[0];
	for (size_t i = 0; i < t->columns.len; i++) {
		struct column *c = &t->columns.items[i];
		size_t most = keys < COLUMN_DEPTH ? keys : COLUMN_DEPTH;
		if (!is_in_column(t, c, way + 1, most))
			continue;
		row_set_put(&t->invalid, row, t->row_count, true);
		c->wrong += !report_at(t->report, index)->warning;
		*VEC_PUSH(&t->wrong) = (struct table_wrong){ .row = row,
			.column = i,
			.violation = index,
			.is_inside = keys > (size_t)c->depth };
	}
}

/* Violations of a cell come before those inside it. */
static int
compare_wrong(const void *a, const void *b)
{
	const struct table_wrong *x = a, *y = b;

	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	if (x->column != y->column)
		return x->column < y->column ? -1 : 1;
	if (x->is_inside != y->is_inside)
		return x->is_inside ? 1 : -1;
	return (x->violation > y->violation) - (x->violation < y->violation);
}

const struct table_wrong *
table_wrong_at(const struct table *t, size_t row, size_t column, size_t *count)
{
	const struct table_wrong *w = t->wrong.items;
	size_t from = 0, to = t->wrong.len;

	BISECT(from, to, mid, w[mid].row != row ? w[mid].row < row : w[mid].column < column);
	const struct table_wrong *first = w ? w + from : NULL;
	*count = 0;
	while (from + *count < t->wrong.len && first[*count].row == row &&
	       first[*count].column == column)
		++*count;
	return *count > 0 ? first : NULL;
}

static void table_order_again(struct table *t);

void
table_set_report(struct table *t, const struct report *report)
{
	struct row_set before = t->invalid;

	t->report = report;
	t->invalid = (struct row_set){ 0 };
	size_t kept = t->report ? report_facts(t->report)->kept : 0;

	for (size_t i = 0; i < t->columns.len; i++)
		t->columns.items[i].wrong = 0;
	t->wrong.len = 0;
	for (size_t i = 0; i < kept; i++) {
		if (t->arrays)
			count_joined_violation(t, i);
		else
			count_violation(t, i);
	}
	if (t->wrong.len > 0)
		qsort(t->wrong.items, t->wrong.len, sizeof(*t->wrong.items), compare_wrong);
	bool is_same = before.count == t->invalid.count &&
		       (before.count == 0 ||
			   memcmp(before.bits, t->invalid.bits, set_bytes(t->row_count)) == 0);
	if (!is_same && t->filter && strcasestr(t->filter, "@invalid"))
		table_order_again(t);
	row_set_finish(&before);
}

/* ---- the source ---- */

/* Rows of a lazy array kept in memory: more than fit on a screen. */
#define REMEMBERED 256

static void
table_source_release(struct table_source *src)
{
	if (!src || src->refs-- > 0)
		return;
	json_reader_destroy(src->cells);
	for (size_t i = 0; i < ARRAY_LEN(src->scans); i++)
		json_reader_destroy(src->scans[i]);
	for (size_t i = 0; i < ARRAY_LEN(src->docs); i++)
		json_doc_destroy(src->docs[i]);
	for (size_t i = 0; i < src->folded_count; i++)
		free(src->folded[i]);
	free(src->folded);
	free(src->rows);
	free(src);
}

static struct table_source *
source_create(struct table *t, const struct table_spot *spot, const struct table_options *o)
{
	struct table_source *src = mem_zalloc(sizeof(*src));
	size_t n = t->kind == TABLE_RECORD ? 1 : json_count(t->node);

	src->schema = spot->schema;
	src->root_schema = o->root_schema;
	for (size_t i = 0; i < ARRAY_LEN(src->docs); i++)
		src->docs[i] = json_doc_ref(o->docs[i]);
	src->folded = mem_alloc(o->folded_count * sizeof(*src->folded));
	for (; src->folded_count < o->folded_count; src->folded_count++)
		src->folded[src->folded_count] = mem_strdup(o->folded[src->folded_count]);
	if (json_is_lazy(t->node)) {
		src->cells = json_reader_create(t->node, REMEMBERED);
		src->scans[0] = json_reader_create(t->node, 1);
		t->row_count = n;
		return src;
	}
	src->rows = mem_alloc(n * sizeof(*src->rows));
	const cJSON *first = t->kind == TABLE_RECORD ? t->node : json_first(t->node);
	for (const cJSON *row = first; row && t->row_count < n; row = row->next)
		src->rows[t->row_count++] = row;
	return src;
}

void
table_copy(const struct table *t, struct table *made)
{
	size_t bytes = t->columns.len * sizeof(*t->columns.items);

	*made = (struct table){ .node = t->node,
		.kind = t->kind,
		.rows = t->rows,
		.source = t->source,
		.row_count = t->row_count,
		.heading = t->heading,
		.shown = t->shown };
	made->columns.items = mem_alloc(bytes);
	made->columns.len = t->columns.len;
	memcpy(made->columns.items, t->columns.items, bytes);
	/* without an order: all rows, in document order */
	if (t->shown < t->row_count || t->key_count > 0)
		made->order = memcpy(mem_alloc(t->shown * sizeof(*t->order)), t->order,
		    t->shown * sizeof(*t->order));
	t->source->refs++;
}

void
table_copy_begin(struct table *made)
{
	made->scan = made->rows ? NULL : json_reader_create(made->node, 1);
}

void
table_copy_unsort(struct table *made)
{
	struct row_set shown = { 0 };
	size_t count = made->order ? made->row_count : 0, next = 0;

	for (size_t i = 0; count > 0 && i < made->shown; i++)
		row_set_put(&shown, made->order[i], made->row_count, true);
	for (size_t row = 0; row < count; row++)
		if (row_set_has(&shown, row))
			made->order[next++] = (uint32_t)row;
	row_set_finish(&shown);
}

void
table_copy_finish(struct table *made)
{
	json_reader_destroy(made->scan);
	table_source_release(made->source);
	free(made->columns.items); /* their names are the owner's */
	free(made->order);
}

/* ---- jobs ---- */

/* Up to ROWS_AT_ONCE rows are processed without a job; a longer table starts with FIRST_ROWS.
 * Either takes a millisecond or two. */
#define ROWS_AT_ONCE ((size_t)8192)
#define FIRST_ROWS ((size_t)1024)

static struct jobs *
jobs_if_long(const struct table *t)
{
	return t->row_count > ROWS_AT_ONCE ? t->jobs : NULL;
}

/* Finds all columns, the order of the rows, or the rows to select, in a copy of the table. */
struct table_job {
	struct job job; /* first */
	struct table *owner;
	struct table made; /* of the same source */
	enum { JOB_FINDS, JOB_ORDERS, JOB_PICKS } kind;
	struct row_filter filter; /* root FILTER_NOWHERE: none */
};

static void
columns_finish(struct table *t)
{
	for (size_t i = 0; i < t->columns.len; i++)
		free(t->columns.items[i].name);
	free(t->columns.items);
	free(t->empty);
}

static void
table_job_run(struct job *job)
{
	struct table_job *k = (struct table_job *)job;
	struct table *t = &k->made;

	table_copy_begin(t);
	if (k->kind == JOB_FINDS) {
		columns_find(t, SIZE_MAX, job);
		return;
	}
	rows_order(t, k->filter.root == FILTER_NOWHERE ? NULL : &k->filter, job);
	for (size_t i = 0; k->kind == JOB_PICKS && i < t->shown; i++)
		row_set_put(&t->selected, t->order[i], t->row_count, true);
}

void
table_arrange(struct table *t, size_t *places, size_t count)
{
	free(t->places);
	t->places = places;
	t->place_count = count;
}

static void
show_all_columns(struct table *t)
{
	size_t *places = mem_alloc(t->columns.len * sizeof(*places));

	for (size_t i = 0; i < t->columns.len; i++)
		places[i] = i;
	table_arrange(t, places, t->columns.len);
}

static void
forget_stats(struct table *t)
{
	job_drop(&t->stats_job);
	t->stats = (struct column_stats){ .column = SIZE_MAX };
}

static void
take_columns(struct table *t, struct table *made)
{
	size_t count = t->key_count;

	t->key_count = 0; /* columns may have other indexes now */
	for (size_t k = 0; k < count; k++) {
		struct sort_key key = t->keys[k];
		const char *name = t->columns.items[key.column].name;
		key.column = table_find_column(made, name);
		if (key.column != SIZE_MAX)
			t->keys[t->key_count++] = key;
	}
	columns_finish(t);
	t->columns.items = made->columns.items;
	t->columns.len = made->columns.len;
	t->columns.cap = made->columns.cap;
	t->empty = made->empty;
	t->empty_count = made->empty_count;
	t->more_columns = made->more_columns;
	t->has_columns = true;
	/* the columns point to keys of this reader */
	if (made->scan)
		t->scan = t->source->scans[1] = made->scan;
	made->columns.items = NULL;
	made->columns.len = 0;
	made->empty = NULL;
	made->scan = NULL;
	forget_stats(t);
	show_all_columns(t);
	table_set_report(t, t->report);
}

/* Keep the order of all rows, so that clearing a filter needs no sort. */
static void
take_order(struct table *t, struct table *made)
{
	uint32_t *old = t->order;

	if (t->shown < t->row_count || made->shown < t->row_count)
		forget_stats(t);
	t->order = made->order;
	t->shown = made->shown;
	t->is_ordered = true;
	made->order = old;
	bool is_whole = t->shown == t->row_count - t->heading;
	if (t->is_whole && !is_whole) {
		t->sorted = old;
		made->order = NULL;
	} else if (is_whole) {
		free(t->sorted);
		t->sorted = NULL;
	}
	t->is_whole = is_whole;
}

static void table_go_on(struct table *t, struct jobs *jobs);

static void
table_job_done(struct job *job)
{
	static void (*const takes[])(struct table * t, struct table * made) = {
		[JOB_FINDS] = take_columns,
		[JOB_ORDERS] = take_order,
		[JOB_PICKS] = table_take_picked,
	};
	struct table_job *k = (struct table_job *)job;
	bool taken = !job_is_stopped(job);

	if (taken)
		takes[k->kind](k->owner, &k->made);
	if (k->kind != JOB_FINDS)
		k->made.columns.len = 0; /* their names are the owner's */
	columns_finish(&k->made);
	json_reader_destroy(k->made.scan);
	table_source_release(k->made.source);
	free(k->made.order);
	row_set_finish(&k->made.invalid);
	row_set_finish(&k->made.selected);
	row_set_finish(&k->made.picked);
	row_filter_finish(&k->filter);
	if (taken && k->kind != JOB_PICKS) /* it is pick_job, not job */
		table_go_on(k->owner, job->jobs);
	if (taken && k->owner->changed)
		k->owner->changed(k->owner->user);
	free(k);
}

static struct table_job *
table_job_create(struct table *t)
{
	struct table_job *k = mem_zalloc(sizeof(*k));

	*k = (struct table_job){ .job = { .run = table_job_run, .done = table_job_done },
		.owner = t,
		.filter = { .root = FILTER_NOWHERE } };
	k->made = (struct table){ .node = t->node,
		.kind = t->kind,
		.rows = t->rows,
		.source = t->source,
		.row_count = t->row_count,
		.heading = t->heading,
		.keeps_empty = t->keeps_empty };
	t->source->refs++;
	return k;
}

/* Parse the filter here, because the job has no names of columns. */
static void
table_job_filter(struct table_job *k, const char *text, const struct row_set *picked)
{
	const struct table *t = k->owner;
	struct column *columns = mem_alloc(t->columns.len * sizeof(*columns));

	k->made.columns.items =
	    memcpy(columns, t->columns.items, t->columns.len * sizeof(*columns));
	k->made.columns.len = t->columns.len;
	if (!text)
		return;
	row_filter_init(&k->filter, t, text, NULL);
	if (strcasestr(text, "@invalid"))
		row_set_copy(&k->made.invalid, &t->invalid, t->row_count);
	if (strcasestr(text, "@selected"))
		row_set_copy(&k->made.picked, picked, t->row_count);
}

/* Find the columns first, because sort keys refer to them. */
static void
table_go_on(struct table *t, struct jobs *jobs)
{
	bool finds = !t->has_columns;

	if (!finds && t->is_ordered)
		return;
	struct table_job *k = table_job_create(t);
	k->kind = finds ? JOB_FINDS : JOB_ORDERS;
	if (!finds) {
		memcpy(k->made.keys, t->keys, sizeof(t->keys));
		k->made.key_count = t->key_count;
		table_job_filter(k, t->filter, &t->picked);
	}
	job_start(jobs, &k->job, &t->job);
}

/* ---- sort and filter ---- */

static void
table_order_again(struct table *t)
{
	if (t->stats_job) /* statistics depend on the order */
		forget_stats(t);
	t->is_ordered = false;
	if (t->sorted && !t->filter) {
		struct table whole = { .order = t->sorted, .shown = t->row_count - t->heading };
		job_drop(&t->job);
		t->sorted = NULL;
		take_order(t, &whole);
		free(whole.order);
		return;
	}
	if (t->has_columns)
		table_go_on(t, jobs_if_long(t));
}

void
table_sort(struct table *t, const struct sort_key *keys, size_t count)
{
	free(t->sorted);
	t->sorted = NULL;
	t->is_whole = false;
	t->key_count = 0;
	for (size_t i = 0; i < count && t->key_count < SORT_KEYS_MAX; i++)
		if (keys[i].column < t->columns.len)
			t->keys[t->key_count++] = keys[i];
	table_order_again(t);
}

size_t
table_key_of(const struct table *t, size_t column)
{
	for (size_t i = 0; i < t->key_count; i++)
		if (t->keys[i].column == column)
			return i;
	return SIZE_MAX;
}

void
table_filter(struct table *t, const char *text)
{
	free(t->filter);
	t->filter = text && *text ? mem_strdup(text) : NULL;
	if (t->filter && strcasestr(t->filter, "@selected"))
		row_set_copy(&t->picked, &t->selected, t->row_count);
	table_order_again(t);
}

void
table_select_matching(struct table *t, const char *filter)
{
	struct table_job *k = table_job_create(t);

	k->kind = JOB_PICKS;
	table_job_filter(k, filter, &t->selected);
	job_start(jobs_if_long(t), &k->job, &t->pick_job);
}

/* ---- begin and end ---- */

void
table_begin(struct table *t, const struct table_spot *spot, const struct table_options *options)
{
	*t = (struct table){ .node = spot->node,
		.kind = spot->kind,
		.stats = { .column = SIZE_MAX },
		.is_whole = true,
		.is_ordered = true,
		.keeps_empty = options->keeps_empty,
		.is_inner = options->is_inner,
		.arrays = options->arrays,
		.changed = options->changed,
		.user = options->user };
	t->source = source_create(t, spot, options);
	t->rows = t->source->rows;
	t->reader = t->source->cells;
	t->scan = t->source->scans[0];
	if (options->heading == HEADING_GUESSED ? columns_guess_heading(t)
						: options->heading == HEADING_YES)
		t->heading = t->kind == TABLE_ARRAYS && t->row_count > 0;
	t->order = mem_alloc(t->row_count * sizeof(*t->order));
	for (size_t i = t->heading; i < t->row_count; i++)
		t->order[t->shown++] = (uint32_t)i;
	t->jobs = options->jobs;
	columns_find(t, jobs_if_long(t) ? FIRST_ROWS : SIZE_MAX, &(struct job){ 0 });
	show_all_columns(t);
	table_go_on(t, jobs_if_long(t));
}

void
table_complete(struct table *t)
{
	job_drop(&t->job);
	table_go_on(t, NULL);
}

const char *
table_progress(const struct table *t, unsigned *percent)
{
	const struct job *job = t->job ? t->job : t->pick_job ? t->pick_job : t->sheet_job;

	if (!job)
		return NULL;
	*percent = (unsigned)job_progress(job);
	if (job == t->pick_job)
		return "selecting";
	if (job == t->sheet_job)
		return sheet_work(job);
	if (((const struct table_job *)job)->kind == JOB_FINDS)
		return "columns";
	return t->key_count == 0 ? "filtering" : "sorting";
}

void
table_init(struct table *t, const struct table_spot *spot, const cJSON *root_schema)
{
	table_begin(t, spot, &(struct table_options){ .root_schema = root_schema });
}

void
table_finish(struct table *t)
{
	job_drop(&t->job);
	job_drop(&t->pick_job);
	job_drop(&t->stats_job);
	job_drop(&t->sheet_job);
	sheet_destroy(t->sheet);
	columns_finish(t);
	table_source_release(t->source);
	row_set_finish(&t->invalid);
	row_set_finish(&t->selected);
	row_set_finish(&t->picked);
	free(t->wrong.items);
	free(t->places);
	free(t->order);
	free(t->sorted);
	free(t->filter);
	*t = (struct table){ 0 };
}

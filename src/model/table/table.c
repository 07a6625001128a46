#include "schema/report.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/vec.h"
#include "json/number.h"
#include "json/pointer.h"
#include "json/print.h"
#include "model/table.h"
#include "table.h"

#include <stdlib.h>
#include <string.h>

/* A violation of an object whose members have columns of their own counts in all of these. */
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
count_one(struct table *t, size_t index)
{
	struct report_step way[1 + COLUMN_DEPTH]; /* the row, then keys */
	size_t len = report_way(t->report, index, t->node, way, 1 + COLUMN_DEPTH);

	if (len == REPORT_NONE || len == 0 || report_at(t->report, index)->warning)
		return;
	len = len > 1 + COLUMN_DEPTH ? COLUMN_DEPTH : len - 1;
	for (size_t i = 0; i < t->columns.len; i++)
		if (is_in_column(t, &t->columns.items[i], way + 1, len))
			t->columns.items[i].wrong++;
}

void
table_set_report(struct table *t, const struct report *report)
{
	t->report = report;
	for (size_t i = 0; i < t->columns.len; i++)
		t->columns.items[i].wrong = 0;
	for (size_t i = 0; report && i < report_facts(report)->kept; i++)
		count_one(t, i);
}

/* ---- cells ---- */

const char *
table_row_key(const struct table *t, size_t row)
{
	return t->kind == TABLE_MAP ? t->rows[row]->string : NULL;
}

static const cJSON *
nth_item(const cJSON *array, size_t index)
{
	const cJSON *item = json_type(array) == JSON_ARRAY ? json_first(array) : NULL;

	while (item && index-- > 0)
		item = item->next;
	return item;
}

/* The row as one value, if its members do not have columns of their own. */
static const cJSON *
whole_row(const struct table *t, const cJSON *row)
{
	bool spread =
	    t->kind == TABLE_ARRAYS ? json_type(row) == JSON_ARRAY : json_type(row) == JSON_OBJECT;

	return spread && t->columns.len > 1 ? NULL : row;
}

const cJSON *
table_row(const struct table *t, size_t row)
{
	if (t->rows)
		return t->rows[row];
	const cJSON *kept = t->report ? report_item(t->report, t->node, row) : NULL;
	return kept ? kept : json_reader_at(t->reader, row);
}

const cJSON *
table_cell_of(const struct table *t, const cJSON *node, size_t column)
{
	const struct column *c = &t->columns.items[column];

	if (c->depth == 0)
		return whole_row(t, node);
	if (t->kind == TABLE_ARRAYS)
		return nth_item(node, c->index);
	/* the null in place of a nested object is the value of all its columns */
	for (int i = 0; i < c->depth && node && (i == 0 || json_type(node) != JSON_NULL); i++)
		node = json_get(node, c->path[i]);
	return node;
}

const cJSON *
table_cell(const struct table *t, size_t row, size_t column)
{
	return table_cell_of(t, table_row(t, row), column);
}

bool
table_cell_is_told(const struct table *t, size_t row, size_t column)
{
	const struct column *c = &t->columns.items[column];
	const cJSON *node = table_row(t, row);
	int depth = 0;

	if (column == 0 || t->kind == TABLE_ARRAYS || c[-1].depth == 0)
		return false;
	for (; depth + 1 < c->depth && json_type(node) == JSON_OBJECT; depth++) {
		if (depth >= c[-1].depth || strcmp(c->path[depth], c[-1].path[depth]) != 0)
			return false;
		node = json_get(node, c->path[depth]);
	}
	return depth > 0 && depth < c->depth && json_type(node) == JSON_NULL;
}

const cJSON *
table_holder(const struct table *t, size_t row, size_t column, const char **key)
{
	const struct column *c = &t->columns.items[column];
	const cJSON *node = table_row(t, row);

	for (int i = 0; i < c->depth && c->path[i] && json_type(node) == JSON_OBJECT; i++) {
		const cJSON *next = json_get(node, c->path[i]);
		if (!next) {
			*key = c->path[i];
			return node;
		}
		node = next;
	}
	return NULL;
}

/* ---- finding ---- */

size_t
table_find_column(const struct table *t, const char *name)
{
	for (size_t i = 0; i < t->columns.len; i++)
		if (strcmp(t->columns.items[i].name, name) == 0)
			return i;
	return SIZE_MAX;
}

static bool
find_row(const struct table *t, const char *token, size_t *row)
{
	if (t->kind != TABLE_MAP)
		return json_pointer_index(token, t->row_count, row);
	for (*row = 0; *row < t->row_count; ++*row)
		if (strcmp(table_row_key(t, *row), token) == 0)
			return true;
	return false;
}

/* How well a column covers the path of a pointer, 0 for not at all: the pointer must contain the
 * column's whole path, or be a part of it. */
static int
fitness(const struct column *c, const char *pointer, struct buf *token)
{
	for (int i = 0; i < c->depth; i++) {
		if (*pointer == '\0')
			return i > 0;
		if (!json_pointer_next(&pointer, token) || strcmp(c->path[i], buf_text(token)) != 0)
			return 0;
	}
	return c->depth > 0 ? c->depth + 1 : 0;
}

static size_t
find_column_at(const struct table *t, const char *pointer)
{
	struct buf token = BUF_INIT;
	size_t found = SIZE_MAX, index;
	int best = 0;

	if (t->kind == TABLE_ARRAYS) {
		if (json_pointer_next(&pointer, &token) &&
		    json_pointer_index(buf_text(&token), t->columns.len, &index) &&
		    t->columns.items[index].depth > 0)
			found = index;
	} else {
		for (size_t i = 0; i < t->columns.len; i++) {
			int fit = fitness(&t->columns.items[i], pointer, &token);
			found = fit > best ? i : found;
			best = fit > best ? fit : best;
		}
	}
	buf_finish(&token);
	return found;
}

bool
table_find_pointer(const struct table *t, const char *pointer, size_t *row, size_t *column)
{
	struct buf token = BUF_INIT;
	bool found = json_pointer_next(&pointer, &token) && find_row(t, buf_text(&token), row);

	if (found)
		*column = find_column_at(t, pointer);
	buf_finish(&token);
	return found;
}

/* ---- ambiguous strings ---- */

bool
text_is_ambiguous(const char *text)
{
	static const char *const words[] = { "null", "true", "false" };
	size_t len = strlen(text);

	/* an absent cell is shown as a middle dot, a missing one in angle brackets */
	if (len == 0 || strchr(" \"[{", text[0]) || text[len - 1] == ' ' ||
	    strcmp(text, "·") == 0 || strncmp(text, "⟨", strlen("⟨")) == 0)
		return true;
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (strcmp(text, words[i]) == 0)
			return true;
	return len < 400 && json_is_number_text(text, len);
}

/* ---- what a table and its jobs read ---- */

/* Rows of a lazy array kept in memory: more than a screen shows. */
#define REMEMBERED 256

void
table_source_release(struct table_source *src)
{
	if (!src || src->refs-- > 0)
		return;
	json_reader_destroy(src->cells);
	for (size_t i = 0; i < ARRAY_LEN(src->scans); i++)
		json_reader_destroy(src->scans[i]);
	for (size_t i = 0; i < ARRAY_LEN(src->docs); i++)
		json_doc_destroy(src->docs[i]);
	free(src->rows);
	free(src);
}

static struct table_source *
source_create(struct table *t, const struct table_spot *spot, const struct table_options *o)
{
	struct table_source *src = mem_zalloc(sizeof(*src));
	size_t n = json_count(t->node);

	src->schema = spot->schema;
	src->root_schema = o->root_schema;
	for (size_t i = 0; i < ARRAY_LEN(src->docs); i++)
		src->docs[i] = json_doc_ref(o->docs[i]);
	if (json_is_lazy(t->node)) {
		src->cells = json_reader_create(t->node, REMEMBERED);
		src->scans[0] = json_reader_create(t->node, 1);
		t->row_count = n;
		return src;
	}
	src->rows = mem_alloc(n * sizeof(*src->rows));
	for (const cJSON *row = json_first(t->node); row && t->row_count < n; row = row->next)
		src->rows[t->row_count++] = row;
	return src;
}

/* ---- jobs ---- */

/* A table of so many rows is worked on at once, a longer one begins with a few: a millisecond or
 * two. */
#define ROWS_AT_ONCE ((size_t)8192)
#define FIRST_ROWS ((size_t)1024)

/* Finds all columns, or the order of the rows, for a table of its own. */
struct table_job {
	struct job job; /* first */
	struct table *owner;
	struct table made; /* of the same source */
	bool finds;
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
run(struct job *job)
{
	struct table_job *k = (struct table_job *)job;
	struct table *t = &k->made;

	t->scan = t->rows ? NULL : json_reader_create(t->node, 1);
	if (k->finds)
		columns_find(t, SIZE_MAX, job);
	else
		rows_order(t, job);
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

/* The sorted column may have moved. */
static void
take_columns(struct table *t, struct table *made)
{
	const char *sorted_by =
	    t->sorted_by < t->columns.len ? t->columns.items[t->sorted_by].name : NULL;
	size_t now = SIZE_MAX;

	for (size_t i = 0; sorted_by && i < made->columns.len; i++)
		if (strcmp(made->columns.items[i].name, sorted_by) == 0)
			now = i;
	t->sorted_by = now;
	columns_finish(t);
	t->columns.items = made->columns.items;
	t->columns.len = made->columns.len;
	t->columns.cap = made->columns.cap;
	t->empty = made->empty;
	t->empty_count = made->empty_count;
	t->more_columns = made->more_columns;
	t->has_columns = true;
	/* their keys are of this reader */
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
}

static void go_on(struct table *t, struct jobs *jobs);

static void
done(struct job *job)
{
	struct table_job *k = (struct table_job *)job;
	bool taken = !job_is_stopped(job);

	if (taken && k->finds)
		take_columns(k->owner, &k->made);
	else if (taken)
		take_order(k->owner, &k->made);
	if (!k->finds)
		k->made.columns.len = 0; /* their names are the owner's */
	columns_finish(&k->made);
	json_reader_destroy(k->made.scan);
	table_source_release(k->made.source);
	free(k->made.order);
	free(k->made.filter);
	if (taken) {
		go_on(k->owner, job->jobs);
		if (k->owner->changed)
			k->owner->changed(k->owner->user);
	}
	free(k);
}

/* Columns come first: they may move the one that is sorted by. */
static void
go_on(struct table *t, struct jobs *jobs)
{
	bool finds = !t->has_columns;

	if (!finds && t->is_ordered)
		return;
	struct table_job *k = mem_zalloc(sizeof(*k));
	*k = (struct table_job){ .job = { .run = run, .done = done }, .owner = t, .finds = finds };
	k->made = (struct table){ .node = t->node,
		.kind = t->kind,
		.rows = t->rows,
		.source = t->source,
		.row_count = t->row_count,
		.sorted_by = t->sorted_by,
		.descending = t->descending,
		.keeps_empty = t->keeps_empty };
	t->source->refs++;
	if (!finds) {
		struct column *columns = mem_alloc(t->columns.len * sizeof(*columns));
		k->made.columns.items =
		    memcpy(columns, t->columns.items, t->columns.len * sizeof(*columns));
		k->made.columns.len = t->columns.len;
		k->made.filter = t->filter ? mem_strdup(t->filter) : NULL;
	}
	job_start(jobs, &k->job, &t->job);
}

/* ---- sort and filter ---- */

static void
order_again(struct table *t)
{
	if (t->stats_job) /* the order comes first */
		forget_stats(t);
	t->is_ordered = false;
	if (t->has_columns)
		go_on(t, t->jobs);
}

void
table_sort(struct table *t, size_t column, bool descending)
{
	t->sorted_by = column;
	t->descending = descending;
	order_again(t);
}

void
table_filter(struct table *t, const char *text)
{
	free(t->filter);
	t->filter = text && *text ? mem_strdup(text) : NULL;
	order_again(t);
}

/* ---- begin and end ---- */

void
table_begin(struct table *t, const struct table_spot *spot, const struct table_options *options)
{
	*t = (struct table){ .node = spot->node,
		.kind = spot->kind,
		.sorted_by = SIZE_MAX,
		.stats = { .column = SIZE_MAX },
		.is_ordered = true,
		.keeps_empty = options->keeps_empty,
		.changed = options->changed,
		.user = options->user };
	t->source = source_create(t, spot, options);
	t->rows = t->source->rows;
	t->reader = t->source->cells;
	t->scan = t->source->scans[0];
	t->order = mem_alloc(t->row_count * sizeof(*t->order));
	for (size_t i = 0; i < t->row_count; i++)
		t->order[i] = (uint32_t)i;
	t->shown = t->row_count;
	t->jobs = t->row_count > ROWS_AT_ONCE ? options->jobs : NULL;
	columns_find(t, t->jobs ? FIRST_ROWS : SIZE_MAX, &(struct job){ 0 });
	show_all_columns(t);
	go_on(t, t->jobs);
}

void
table_complete(struct table *t)
{
	job_drop(&t->job);
	go_on(t, NULL);
}

const char *
table_progress(const struct table *t, unsigned *percent)
{
	if (!t->job)
		return NULL;
	*percent = (unsigned)job_progress(t->job);
	if (((const struct table_job *)t->job)->finds)
		return "columns";
	return t->sorted_by == SIZE_MAX ? "filtering" : "sorting";
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
	job_drop(&t->stats_job);
	columns_finish(t);
	table_source_release(t->source);
	free(t->places);
	free(t->order);
	free(t->filter);
	*t = (struct table){ 0 };
}

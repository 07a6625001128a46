/* SPDX-License-Identifier: MIT */
/* Tables of many rows: their columns are found, filtered and sorted in other threads, and the same
 * whether their rows are nodes or lazy. */
#include "job_queue.h"
#include "json/equal.h"
#include "json/rows.h"
#include "data/table.h"
#include "schema/schema.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

#define ROWS 70000

static unsigned seed = 1;

static unsigned
below(unsigned n)
{
	seed = seed * 1103515245 + 12345;
	return (seed >> 8) % n;
}

/* Values of every kind, many alike, some that only their exact text or a late byte tells apart. */
static void
add_value(struct buf *out)
{
	switch (below(8)) {
	case 0:
		buf_add_str(out, below(2) ? "true" : "null");
		break;
	case 1:
		buf_addf(out, "9007199254740993.%u", below(3));
		break;
	case 2:
		buf_addf(out, "%d", (int)below(500) - 250);
		break;
	case 3:
		buf_addf(out, "\"%u\"", below(50));
		break;
	case 4:
		buf_addf(out, "\"the same start and %u\"", below(300));
		break;
	case 5:
		buf_addf(out, "[%u]", below(9));
		break;
	default:
		buf_addf(out, "%u.5", below(1000));
	}
}

static void
add_rows(struct buf *out)
{
	buf_add_char(out, '[');
	for (unsigned i = 0; i < ROWS; i++) {
		buf_addf(out, "%s{\"id\":%u", i ? ", " : "", i);
		if (below(20) > 0) {
			buf_add_str(out, ",\"k\":");
			add_value(out);
		}
		if (i == ROWS - 5)
			buf_add_str(out, ",\"late\":{\"x\":\"a very late column\"}");
		buf_add_char(out, '}');
	}
	buf_add_str(out, ",\"bare\"]");
}

struct both {
	struct buf text;
	struct json_doc *docs[2];
	struct table_spots spots[2];
	struct table nodes, lazy;
	struct job_queue queue; /* of the lazy one */
	size_t changes, row;
	unsigned percent; /* of the job that runs */
};

static void
on_changed(void *user)
{
	struct both *b = user;

	b->changes++;
}

static int
set_up(void **state)
{
	struct both *b = calloc(1, sizeof(*b));

	add_rows(&b->text);
	for (size_t i = 0; i < 2; i++) {
		const struct json_options options = { .lazy_bytes = i };
		b->docs[i] = json_parse(buf_text(&b->text), b->text.len, &options, NULL);
		shape_find(&b->spots[i], json_root(b->docs[i]), NULL);
	}
	table_init(&b->nodes, &b->spots[0].items[0], NULL);
	job_queue_init(&b->queue);
	table_begin(&b->lazy, &b->spots[1].items[0],
	    &(struct table_options){
		.docs = { b->docs[1] }, .jobs = &b->queue.jobs, .changed = on_changed, .user = b });
	*state = b;
	return 0;
}

static int
tear_down(void **state)
{
	struct both *b = *state;

	table_finish(&b->nodes);
	table_finish(&b->lazy);
	job_queue_finish(&b->queue);
	for (size_t i = 0; i < 2; i++) {
		shape_finish(&b->spots[i]);
		json_doc_destroy(b->docs[i]);
	}
	buf_finish(&b->text);
	free(b);
	return 0;
}

static void
read_cells(void *user)
{
	struct both *b = user;
	struct table *t = &b->lazy;
	unsigned percent = 0, last = b->percent;

	assert_non_null(table_progress(t, &percent));
	assert_true(percent >= last && percent <= 100);
	b->percent = percent;
	b->row = (b->row + 7919) % ROWS;
	for (size_t c = 0; c < t->columns.len; c++)
		table_cell(t, t->shown > 0 ? t->order[b->row % t->shown] : 0, c);
}

/* Jobs run while cells are read here; dropped jobs just end. */
static void
work_off(struct both *b)
{
	unsigned percent;

	while (b->queue.waiting.len > 0) {
		b->percent = 0;
		job_queue_run(&b->queue, read_cells, b);
	}
	assert_null(table_progress(&b->lazy, &percent));
	assert_int_equal(b->queue.jobs.open, 0);
}

static void
read_one_cell(void *user)
{
	const struct both *b = user;

	table_cell(&b->lazy, 0, 0);
}

/* A job gives the same order; it waits for the columns and is dropped for a new order. */
static void
test_statistics(void **state)
{
	struct both *b = *state;

	table_count(&b->lazy, 0);
	assert_int_equal(b->lazy.stats.column, SIZE_MAX);
	work_off(b);
	for (size_t c = 0; c < b->nodes.columns.len; c++) {
		const struct column_stats *x = &b->nodes.stats, *y = &b->lazy.stats;
		table_count(&b->nodes, c);
		table_count(&b->lazy, c);
		assert_true(x->done);
		assert_false(y->done);
		while (b->queue.waiting.len > 0)
			job_queue_run(&b->queue, read_one_cell, b);
		assert_true(y->done);
		assert_int_equal(x->rows, ROWS + 1);
		assert_int_equal(x->rows, x->absent + x->nulls + x->numbers.count + x->strings +
					      x->booleans + x->containers);
		assert_int_equal(x->numbers.count, y->numbers.count);
		assert_int_equal(x->strings, y->strings);
		assert_int_equal(x->absent, y->absent);
		assert_int_equal(x->distinct, y->distinct);
		assert_string_equal(x->numbers.min, y->numbers.min);
		assert_string_equal(x->numbers.max, y->numbers.max);
		assert_true(
		    x->numbers.mean <= y->numbers.mean && x->numbers.mean >= y->numbers.mean);
	}
	table_count(&b->lazy, 0);
	table_filter(&b->lazy, "7");
	work_off(b);
	assert_int_equal(b->lazy.stats.column, SIZE_MAX);
	table_count(&b->lazy, 0);
	while (b->queue.waiting.len > 0)
		job_queue_run(&b->queue, read_one_cell, b);
	assert_int_equal(b->lazy.stats.rows, b->lazy.shown);
	/* the rows are read in the order of the document, however they are sorted: the mean, whose
	 * last digits depend on it, is the same */
	table_filter(&b->nodes, "7");
	table_sort(&b->lazy, &(struct sort_key){ .column = 0, .descending = true }, 1);
	work_off(b);
	assert_true(b->lazy.shown > 100 && b->lazy.shown == b->nodes.shown);
	assert_true(memcmp(b->lazy.order, b->nodes.order, b->nodes.shown * sizeof(uint32_t)) != 0);
	for (size_t c = 0; c < b->nodes.columns.len; c++) {
		table_count(&b->nodes, c);
		table_count(&b->lazy, c);
		while (b->queue.waiting.len > 0)
			job_queue_run(&b->queue, read_one_cell, b);
		assert_memory_equal(
		    &b->lazy.stats.numbers.mean, &b->nodes.stats.numbers.mean, sizeof(double));
	}
	table_count(&b->lazy, 0);
	table_count(&b->lazy, 1); /* left under way: the end of the table drops it */
}

static void
test_columns_are_found_in_a_job(void **state)
{
	struct both *b = *state;
	unsigned percent;

	assert_true(json_is_lazy(b->lazy.node));
	assert_string_equal(table_progress(&b->lazy, &percent), "columns");
	assert_int_equal(b->lazy.columns.len, 2);
	assert_int_equal(b->lazy.row_count, ROWS + 1);
	work_off(b);
	assert_int_equal(b->lazy.columns.len, b->nodes.columns.len);
	for (size_t i = 0; i < b->lazy.columns.len; i++) {
		const struct column *x = &b->nodes.columns.items[i], *y = &b->lazy.columns.items[i];
		assert_string_equal(x->name, y->name);
		assert_int_equal(x->width, y->width);
		assert_int_equal(x->fraction, y->fraction);
		assert_int_equal(x->numeric, y->numeric);
	}
	assert_int_not_equal(table_find_column(&b->lazy, "late.x"), SIZE_MAX);
	for (size_t row = 0; row <= ROWS; row += 997)
		for (size_t c = 0; c < b->lazy.columns.len; c++) {
			const cJSON *x = table_cell(&b->nodes, row, c),
				    *y = table_cell(&b->lazy, row, c);
			assert_true(x ? y && json_equal(x, y) : !y);
		}
}

static void
assert_same_order(const struct both *b)
{
	assert_int_equal(b->nodes.shown, b->lazy.shown);
	assert_memory_equal(b->nodes.order, b->lazy.order, b->lazy.shown * sizeof(uint32_t));
}

/* Check a sorted table cell by cell. */
static void
assert_sorted(const struct table *t)
{
	static const int ranks[] = { [JSON_BOOLEAN] = 0,
		[JSON_NUMBER] = 1,
		[JSON_STRING] = 2,
		[JSON_ARRAY] = 3,
		[JSON_NULL] = 4,
		[JSON_ABSENT] = 5 };

	for (size_t i = 1; i < t->shown; i++) {
		uint32_t before = t->order[i - 1], after = t->order[i];
		const cJSON *x = table_cell(t, before, t->keys[0].column),
			    *y = table_cell(t, after, t->keys[0].column);
		int a = ranks[json_type(x)], c = ranks[json_type(y)], order = a - c;
		if (t->keys[0].descending && a < 4 && c < 4)
			order = -order;
		if (order == 0 && a == 1)
			order = x->valuedouble < y->valuedouble   ? -1
				: x->valuedouble > y->valuedouble ? 1
								  : 0;
		else if (order == 0 && a == 2)
			order = strcmp(x->valuestring, y->valuestring);
		if (a == c && t->keys[0].descending)
			order = -order;
		assert_true(order <= 0);
		if (order == 0 && a != 1)
			assert_true(before < after);
	}
}

/* SIZE_MAX: in document order. */
static void
sort_by(struct table *t, size_t column, bool descending)
{
	table_sort(t, &(struct sort_key){ column, descending }, 1);
}

static void
test_sorting_and_filtering_come_to_the_same(void **state)
{
	struct both *b = *state;
	size_t k = table_find_column(&b->nodes, "k");

	table_complete(&b->lazy);
	for (int turn = 0; turn < 8; turn++) {
		const char *filter = turn < 2 ? NULL : turn < 4 ? "start" : turn < 6 ? "7" : "id";
		bool descending = turn % 2;
		table_filter(&b->nodes, filter);
		table_complete(&b->nodes);
		sort_by(&b->nodes, k, descending);
		table_complete(&b->nodes);
		table_filter(&b->lazy, filter);
		sort_by(&b->lazy, k, descending); /* sorted again by both */
		work_off(b);
		assert_same_order(b);
		assert_sorted(&b->nodes);
	}
	table_filter(&b->lazy, NULL);
	sort_by(&b->lazy, SIZE_MAX, false);
	table_complete(&b->lazy);
	assert_int_equal(b->lazy.shown, ROWS + 1);
	for (uint32_t i = 0; i <= ROWS; i++)
		assert_int_equal(b->lazy.order[i], i);
}

/* The end of a filter needs no sort: the order of all rows was kept. */
static void
test_the_end_of_a_filter(void **state)
{
	struct both *b = *state;
	const struct sort_key keys[] = { { .column = 0, .descending = true }, { .column = 1 } };

	work_off(b);
	for (int turn = 0; turn < 2; turn++) {
		table_sort(&b->nodes, keys, 2);
		table_complete(&b->nodes);
		table_sort(&b->lazy, keys, 2);
		work_off(b);
		table_filter(&b->lazy, "7");
		work_off(b);
		assert_true(b->lazy.shown < b->nodes.shown);
		table_filter(&b->lazy, "77"); /* from one filter to the next, and one under way */
		work_off(b);
		table_filter(&b->lazy, "start");
		table_filter(&b->lazy, NULL);
		assert_null(b->lazy.job);
		assert_same_order(b);
		/* another order in the meantime is the one that counts */
		table_filter(&b->lazy, "7");
		work_off(b);
		table_sort(&b->lazy, keys + 1, 1);
		work_off(b);
		table_filter(&b->lazy, NULL);
		work_off(b);
		table_sort(&b->nodes, keys + 1, 1);
		table_complete(&b->nodes);
		assert_same_order(b);
	}
}

static void
end_table(void *user)
{
	struct both *b = user;

	table_finish(&b->lazy);
	json_doc_destroy(b->docs[1]);
	b->docs[1] = NULL;
}

/* A dropped job reads the data of its start, and changes nothing. */
static void
test_a_table_may_end_before_its_job(void **state)
{
	struct both *b = *state;

	work_off(b);
	sort_by(&b->lazy, table_find_column(&b->lazy, "k"), false);
	sort_by(&b->lazy, table_find_column(&b->lazy, "k"), true);
	assert_int_equal(b->queue.waiting.len, 2);
	assert_true(job_is_stopped(b->queue.waiting.items[0]));
	assert_false(job_is_stopped(b->queue.waiting.items[1]));
	size_t changes = b->changes;
	job_queue_run(&b->queue, NULL, NULL);
	job_queue_run(&b->queue, end_table, b);
	assert_int_equal(b->changes, changes);
}

/* A sort that is asked for before all columns are known waits for them, and finds its column. */
static void
test_a_sort_waits_for_the_columns(void **state)
{
	struct both *b = *state;
	size_t k = table_find_column(&b->lazy, "k");

	sort_by(&b->lazy, k, true);
	assert_int_equal(b->queue.waiting.len, 1);
	work_off(b);
	assert_int_equal(b->changes, 2);
	sort_by(&b->nodes, k, true);
	assert_same_order(b);
}

/* A sort under way does not begin again because rows were selected meanwhile. */
static void
test_a_selection_lets_a_sort_go_on(void **state)
{
	struct both *b = *state;

	work_off(b);
	table_select_matching(&b->lazy, "7");
	table_sort(&b->lazy, &(struct sort_key){ .column = 1 }, 1);
	const struct job *sort = b->lazy.job;
	job_queue_run(&b->queue, read_one_cell, b);
	assert_true(b->lazy.selected.count > 0);
	assert_ptr_equal(b->lazy.job, sort);
	work_off(b);
}

/* A row that a report is about is the report's own. */
static void
test_rows_of_a_report_are_shown(void **state)
{
	struct both *b = *state;
	struct json_doc *text = json_parse("{\"items\":{\"type\":\"object\"}}", 27, NULL, NULL);
	struct schema *schema = schema_compile(json_root(text), NULL, NULL);
	struct report *report = schema_check(schema, b->lazy.node, NULL);

	assert_int_equal(report_facts(report)->violations, 1);
	b->lazy.report = report;
	const cJSON *row = table_row(&b->lazy, ROWS);
	assert_ptr_equal(row, report_at(report, 0)->node);
	assert_ptr_equal(row, report_item(report, b->lazy.node, ROWS));
	assert_int_equal(report_count_below(report, row), 1);
	assert_int_equal(report_count_below(report, table_row(&b->lazy, 1)), 0);
	b->lazy.report = NULL;
	report_destroy(report);
	schema_destroy(schema);
	json_doc_destroy(text);
}

TEST_FILE(table_lazy)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_statistics, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_columns_are_found_in_a_job, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    test_sorting_and_filtering_come_to_the_same, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_the_end_of_a_filter, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    test_a_table_may_end_before_its_job, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    test_a_sort_waits_for_the_columns, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    test_a_selection_lets_a_sort_go_on, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_rows_of_a_report_are_shown, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

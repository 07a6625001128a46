#include "base/mem.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "sheet.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A row for each column: what is in it. */

#define BARS 12
/* Numbers of a column that are kept for its median and histogram. */
#define KEPT_MAX ((size_t)1 << 22)
/* Of a string that is first or last. */
#define TEXT_MAX ((size_t)60)

struct column_summary {
	struct column_counter counter;
	struct number_sample kept;
	struct buf first, last; /* of the strings, cut */
};

static void
keep_text(struct column_summary *s, const char *text)
{
	size_t len = strnlen(text, TEXT_MAX + 1);
	bool is_first = s->counter.stats.strings == 1;

	if (is_first || strncmp(text, buf_text(&s->first), TEXT_MAX) < 0) {
		buf_clear(&s->first);
		utf8_add_cut(&s->first, text, len, TEXT_MAX);
	}
	if (is_first || strncmp(text, buf_text(&s->last), TEXT_MAX) > 0) {
		buf_clear(&s->last);
		utf8_add_cut(&s->last, text, len, TEXT_MAX);
	}
}

static bool
count_column(struct sheet_job *k, struct column_summary *s, size_t column)
{
	struct table *t = &k->made;

	for (size_t i = 0; i < t->shown; i++) {
		if (!sheet_goes_on(k, column * t->shown + i, t->columns.len * t->shown))
			return false;
		const cJSON *cell = table_scan_cell(t, table_copy_index(t, i), column);
		column_counter_add(&s->counter, cell);
		if (json_type(cell) == JSON_NUMBER)
			number_sample_add(&s->kept, cell->valuedouble, KEPT_MAX);
		else if (json_type(cell) == JSON_STRING)
			keep_text(s, cell->valuestring);
	}
	return true;
}

/* ---- what comes of it ---- */

static void
write_type(struct json_writer *w, const struct column_stats *s)
{
	const struct {
		size_t count;
		const char *name;
	} kinds[] = {
		{ s->numbers.count,
		    s->numbers.integers == s->numbers.count ? "integer" : "number" },
		{ s->strings, "string" },
		{ s->booleans, "boolean" },
		{ s->containers, "array or object" },
	};
	struct buf text = BUF_INIT;

	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (kinds[i].count > 0)
			buf_addf(&text, "%s%s", text.len > 0 ? " or " : "", kinds[i].name);
	if (text.len > 0)
		json_write_member_string(w, "type", buf_text(&text));
	else
		json_write_member_string(w, "type", s->nulls > 0 ? "null" : "absent");
	buf_finish(&text);
}

static int
compare(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

static void
write_median(struct json_writer *w, const struct column_summary *s)
{
	size_t n = s->kept.len;
	const double *x = s->kept.items;
	char text[40];

	double median = n % 2 ? x[n / 2] : x[n / 2 - 1] / 2 + x[n / 2] / 2;
	if (s->kept.step == 1) {
		sheet_write_number(w, "median", median);
		return;
	}
	snprintf(text, sizeof(text), "≈ %.6g", median);
	json_write_member_string(w, "median", text);
}

static void
write_histogram(struct json_writer *w, const struct column_summary *s)
{
	struct buf text = BUF_INIT;

	number_sample_add_bars(&s->kept, BARS, &text);
	if (text.len > 0)
		json_write_member_string(w, "histogram", buf_text(&text));
	buf_finish(&text);
}

static void
write_numbers(struct json_writer *w, struct column_summary *s)
{
	const struct number_stats *n = &s->counter.stats.numbers;

	sheet_write_extreme(w, "min", n->min, n->least);
	sheet_write_extreme(w, "max", n->max, n->most);
	sheet_write_sum(w, n);
	if (s->kept.len == 0)
		return;
	qsort(s->kept.items, s->kept.len, sizeof(double), compare);
	write_median(w, s);
	write_histogram(w, s);
}

static void
write_column(struct json_writer *w, const char *name, struct column_summary *s)
{
	const struct column_stats *c = &s->counter.stats;
	size_t scalars = c->numbers.count + c->strings + c->booleans;

	json_write_object(w);
	json_write_member_string(w, "column", name);
	write_type(w, c);
	json_write_member_int(w, "count", (int64_t)(c->rows - c->absent - c->nulls));
	json_write_member_int(w, "missing", (int64_t)c->absent);
	json_write_member_int(w, "null", (int64_t)c->nulls);
	if (c->more_distinct) {
		char text[40];
		snprintf(text, sizeof(text), "more than %zu", c->distinct);
		json_write_member_string(w, "distinct", text);
	} else if (scalars > 0) {
		json_write_member_int(w, "distinct", (int64_t)c->distinct);
	}
	if (c->numbers.count > 0) {
		write_numbers(w, s);
	} else if (c->strings > 0) {
		json_write_member_string(w, "min", buf_text(&s->first));
		json_write_member_string(w, "max", buf_text(&s->last));
	}
	json_write_object_end(w);
}

bool
sheet_statistics(struct sheet_job *k)
{
	bool goes_on = true;

	table_copy_unsort(&k->made);
	json_write_array(&k->out);
	for (size_t c = 0; c < k->made.columns.len && goes_on; c++) {
		struct column_summary s = { .kept = { .len = 0 } };
		goes_on = count_column(k, &s, c);
		if (goes_on)
			write_column(&k->out, k->names[c], &s);
		column_counter_finish(&s.counter);
		free(s.kept.items);
		buf_finish(&s.first);
		buf_finish(&s.last);
	}
	json_write_array_end(&k->out);
	return goes_on;
}

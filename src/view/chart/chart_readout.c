#include "base/mem.h"
#include "base/units.h"
#include "base/utf8.h"
#include "chart_view.h"
#include "json/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The line that tells the value at the cursor: exact, from the cell itself. */

#define NAME_BYTES 60
#define VALUE_BYTES 120

static void
add_cut(struct buf *out, const char *text)
{
	utf8_add_cut(out, text, strlen(text), NAME_BYTES);
}

static void
add_cell(const struct chart_view *v, size_t row, size_t column, struct buf *out)
{
	const cJSON *cell = table_cell(&v->table, row, column);

	add_cut(out, v->table.columns.items[column].name);
	buf_add_char(out, ' ');
	if (cell)
		view_value_cut(cell, VALUE_BYTES, out);
	else
		buf_add_str(out, "·");
}

/* The row's name, the axis, then the values of the row, that of the cursor first. */
static void
add_row(const struct chart_view *v, size_t row, struct buf *out)
{
	const struct chart_choice *c = &v->choice;

	chart_add_row_name(v, row, out);
	if (c->x < v->table.columns.len && c->x != c->label && !chart_view_has_rows(v)) {
		buf_add_str(out, "   ");
		add_cell(v, row, c->x, out);
	}
	buf_add_str(out, "   ");
	add_cell(v, row, c->ys[v->series], out);
	for (size_t i = 0; i < c->y_count && i < CHART_SERIES_MAX; i++) {
		if (i == v->series)
			continue;
		buf_add_str(out, "   ");
		add_cell(v, row, c->ys[i], out);
	}
}

static void
add_number(double value, struct buf *out)
{
	cJSON number = { .type = cJSON_Number, .valuedouble = value };
	char text[JSON_NUMBER_TEXT_MAX];

	buf_add_str(out, json_number_text(&number, text));
}

static void
add_bin(const struct chart_view *v, const struct chart_point *p, struct buf *out)
{
	const struct chart *c = &v->reading.chart;

	/* the same steps as the drawing, without the dust of a sum */
	double high = c->interval * round((p->x + c->interval) / c->interval);
	double low = c->interval * round(p->x / c->interval);
	bool even = fabs(low - p->x) < c->interval / 1e6;
	char text[96];

	snprintf(text, sizeof(text), "%.12g ≤ ", even ? low : p->x);
	buf_add_str(out, text);
	add_cut(out, v->table.columns.items[v->choice.ys[v->series]].name);
	snprintf(text, sizeof(text), " < %.12g   ", even ? high : p->x + c->interval);
	buf_add_str(out, text);
	units_add_counted(out, (size_t)p->high, "row");
	size_t numbers = c->series[v->series].numbers;
	if (numbers > 0)
		buf_addf(out, " of ");
	units_add_count(out, numbers);
}

static void
add_box(const struct chart_view *v, struct buf *out)
{
	static const char *const names[CHART_FIVE] = { "least", "first quartile", "median",
		"third quartile", "most" };
	const struct chart_series *s = &v->reading.chart.series[v->series];
	size_t row;

	add_cut(out, v->table.columns.items[v->choice.ys[v->series]].name);
	if (s->numbers == 0) {
		buf_add_str(out, "   no number");
		return;
	}
	buf_addf(out, "   %s ", names[v->point % CHART_FIVE]);
	if (chart_view_row(v, &row)) {
		view_value_cut(
		    table_cell(&v->table, row, v->choice.ys[v->series]), VALUE_BYTES, out);
		buf_add_str(out, "   ");
		chart_add_row_name(v, row, out);
	} else {
		add_number(s->five[v->point % CHART_FIVE], out);
	}
	buf_add_str(out, "   of ");
	units_add_counted(out, s->numbers, "number");
}

void
chart_add_readout(const struct chart_view *v, struct buf *out)
{
	const struct chart_point *p = chart_view_point(v);
	size_t row;

	if (v->choice.kind == CHART_HISTOGRAM && p)
		add_bin(v, p, out);
	else if (v->choice.kind == CHART_BOX)
		add_box(v, out);
	else if (chart_view_row(v, &row))
		add_row(v, row, out);
	if (v->reading.chart.reduced && p && v->choice.kind != CHART_HISTOGRAM) {
		buf_add_str(out, "   ");
		units_add_counted(out, v->reading.chart.series[v->series].len, "point");
		buf_add_str(out, " stand for ");
		units_add_counted(out, v->reading.chart.rows, "row");
	}
}

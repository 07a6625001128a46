/* SPDX-License-Identifier: MIT */
#ifndef DATA_CHART_H
#define DATA_CHART_H

#include "base/job.h"
#include "data/table.h"

/*
 * A chart of a table, independent of its output: terminal cells, text and SVG are drawn from one
 * description. Numbers are doubles here; read the cell to print an exact value.
 */
#define CHART_KINDS(X)                                                     \
	X(LINE, "line", "values along an axis, joined")                    \
	X(AREA, "area", "a line, filled down to zero")                     \
	X(BAR, "bar", "a bar for each value, with the name of its row")    \
	X(STACKED, "stacked", "a bar for each row, made of its values")    \
	X(SCATTER, "scatter", "a point for each row, by two numbers")      \
	X(HISTOGRAM, "histogram", "the number of values in each interval") \
	X(BOX, "box", "least, most, median and quartiles of each column")  \
	X(HEAT, "heat", "values as shades, a line for each row")

enum chart_kind {
#define X(id, name, help) CHART_##id,
	CHART_KINDS(X)
#undef X
	    CHART_KIND_COUNT
};

extern const struct chart_kind_name {
	const char *name, *help;
} chart_kinds[CHART_KIND_COUNT];

/* ---- columns and the choice of a chart ---- */

enum chart_values { CHART_NOTHING, CHART_NUMBERS, CHART_TIMES, CHART_NAMES };

/* The values of a column, from a sample of its rows. */
struct chart_column {
	enum chart_values values;
	bool is_key;        /* numbers that count or name rows: an id, a year */
	bool differs;       /* names: all are different */
	double least, most; /* of the numbers */
};

struct chart_columns {
	struct chart_column *items; /* as many as the table has */
	size_t len;
};

void chart_columns_find(struct chart_columns *c, const struct table *t);
void chart_columns_finish(struct chart_columns *c);

#define CHART_SERIES_MAX 6   /* colors in one drawing */
#define CHART_COLUMNS_MAX 64 /* of a heat map */

struct chart_choice {
	enum chart_kind kind;
	size_t x;     /* column of the axis; SIZE_MAX: the number of the row */
	size_t label; /* column that names a row; SIZE_MAX: its key or number */
	size_t ys[CHART_COLUMNS_MAX];
	size_t y_count;
};

/* Choose a chart that suits the data. False: no column has a number. */
bool chart_choose(const struct chart_columns *c, const struct table *t, struct chart_choice *out);
/* Adapt a choice to another kind: set an axis that this kind supports and, unless the columns are
 * fixed, as many columns as it shows. */
void chart_choose_kind(
    const struct chart_columns *c, enum chart_kind kind, bool fixed, struct chart_choice *choice);

/* ---- objects of numbers or arrays, turned into tables ---- */

/* An object of numbers, or of arrays of equal length, as an array of objects: a row for each
 * number, or for each index of the arrays. */
struct chart_turned {
	struct json_doc *doc; /* NULL: there is no such object, or it is too large */
	char *pointer;        /* of the object in the value */
	bool arrays;
};

/* Is there such an object, near the root? */
bool chart_turns(const cJSON *value);
void chart_turn(struct chart_turned *t, const cJSON *value);
void chart_turned_finish(struct chart_turned *t);
/* The node in the object that a cell comes from. */
void chart_turned_pointer(const struct chart_turned *t, const struct table *table, size_t row,
    size_t column, struct buf *out);
/* Return whether the array or object at a spot has numbers in its first rows. */
bool chart_spot_serves(const struct table_spot *spot);

/* ---- the description ---- */

struct chart_range {
	double low, high; /* low < high once they are settled */
};

/* A value, or an interval of the histogram. A point without a number
 * (high is NAN) is a gap in its line. */
struct chart_point {
	double x, high;
	uint32_t row;   /* the first row of this point, an index into the rows of the table */
	uint32_t count; /* of rows; 0: no row */
};

enum { CHART_LEAST, CHART_QUARTER, CHART_MEDIAN, CHART_THREE_QUARTERS, CHART_MOST, CHART_FIVE };

struct chart_series {
	size_t column;
	struct chart_point *items; /* by x */
	size_t len, cap;
	size_t numbers, others; /* rows with and without a number */
	bool whole;             /* all of them are integers */
	struct chart_range range;
	uint32_t least_row, most_row;
	double five[CHART_FIVE]; /* of a box */
};

struct chart {
	struct chart_choice choice;
	enum chart_values x_values; /* times, or numbers */
	struct chart_range x, y;    /* bars, boxes and heat maps have no x */
	double interval;            /* width of the intervals of a histogram */
	struct chart_series series[CHART_COLUMNS_MAX];
	size_t rows;      /* read */
	size_t left_out;  /* rows without a number to draw */
	size_t too_large; /* values out of the range of doubles */
	bool reduced;     /* a point represents several rows */
	size_t sampled;   /* quartiles come from each nth row; 0 or 1: from all */
};

/* Read the rows shown, in a job if there are many. changed() is called when `chart` is complete,
 * perhaps before chart_read() returns. The reader must not move; the table must outlive it. */
struct chart_reading {
	struct chart chart;
	struct job *job; /* under way; NULL: none */
	size_t rows;     /* that it reads, twice */
	void (*changed)(void *user);
	void *user;
};

void chart_read(struct chart_reading *r, const struct table *t, const struct chart_columns *c,
    const struct chart_choice *choice, struct jobs *jobs);
void chart_reading_finish(struct chart_reading *r);

/* Read a number to draw. False: not a number, or too large for a double: sets *too_large. */
bool chart_number(const cJSON *cell, double *value, bool *too_large);

/* ---- scales ---- */

#define CHART_TICKS_MAX 40

struct chart_ticks {
	double at[CHART_TICKS_MAX];
	size_t len;
	double step; /* seconds between times; 0: months or years */
	double largest;
	int64_t months;
	bool times;
};

/* About `wanted` ticks within the range: steps of 1, 2 or 5, or of the calendar. */
void chart_ticks_find(
    struct chart_ticks *ticks, enum chart_values values, struct chart_range range, size_t wanted);
void chart_ticks_add(const struct chart_ticks *ticks, size_t index, struct buf *out);
/* Return the position of a value in the range: 0 is its low end, 1 its high end. */
double chart_place(struct chart_range range, double value);
/* Return the range, widened if it is empty or too narrow for doubles. */
struct chart_range chart_settled(struct chart_range range);
/* Return the range, widened to the next ticks. */
struct chart_range chart_rounded(struct chart_range range, size_t ticks);

#endif

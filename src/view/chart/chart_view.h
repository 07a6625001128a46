/* SPDX-License-Identifier: MIT */
#ifndef VIEW_CHART_CHART_VIEW_H
#define VIEW_CHART_CHART_VIEW_H

#include "data/chart.h"
#include "view/view.h"
#include "ui/list.h"

#define CHART_SPOTS 20 /* tables of a value that are checked for numbers */

#define CHART_STYLES(X)       \
	X(BRAILLE, "braille") \
	X(BLOCKS, "blocks")   \
	X(ASCII, "ascii")

enum chart_style {
#define X(id, name) STYLE_##id,
	CHART_STYLES(X)
#undef X
	    CHART_STYLE_COUNT
};

/* The user's choices, kept for the next result of the same source. */
struct chart_wishes {
	bool has_kind;
	enum chart_kind kind;
	char *x; /* NULL: none; "": the number of the row */
	struct strings_of_y {
		char *items[CHART_SERIES_MAX];
		size_t len; /* 0: none */
	} ys;
	char *at; /* pointer of the table */
};

struct chart_view {
	struct table_spots spots;
	size_t spot; /* == spots.len: the turned value, or nothing */
	struct chart_turned turned;
	/* A table of another view, drawn instead of these; spot.node NULL: none. */
	struct {
		struct table_spot spot;
		struct json_doc *doc;
	} part;
	struct table table;
	bool has_table;
	struct chart_columns columns;
	struct chart_choice choice;
	bool can; /* choice is valid */
	struct chart_reading reading;
	struct jobs *jobs;
	struct chart_wishes wishes;
	const void *source;
	enum chart_style style;
	size_t series, point;       /* the cursor; point: of a box, one of its five values */
	struct list list;           /* the rows of bars; series of a box */
	char *filter;               /* NULL: none */
	struct surface whole, plot; /* as last drawn */
	struct chart_range x, y;    /* of the plot */
	int rows_each;              /* lines of a bar, or of a box */
};

/* chart_view.c */
/* Return whether each row of the table has a line, as with bars. */
bool chart_view_has_rows(const struct chart_view *v);
/* Find the row at the cursor. */
bool chart_view_row(const struct chart_view *v, size_t *row);
const struct chart_point *chart_view_point(const struct chart_view *v); /* NULL: none */
void chart_add_row_name(const struct chart_view *v, size_t row, struct buf *out);

/* chart_draw.c */
void chart_view_draw(void *state, const struct view_env *env, struct surface s);
/* Return the color of a heat map, 0xrrggbb. part: 0 to 1. */
uint32_t chart_shade(double part);

/* chart_drawing.c: a chart whose rows have been read, for a file */
#define CHART_FILE_ROWS_MAX ((size_t)500) /* rows that have a line */
void chart_draw_shapes(const struct chart_view *v, const char *title, struct drawing *out);

#endif

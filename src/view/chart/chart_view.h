#ifndef VIEW_CHART_CHART_VIEW_H
#define VIEW_CHART_CHART_VIEW_H

#include "data/chart.h"
#include "view/view.h"
#include "ui/list.h"

#define CHART_SPOTS 20 /* tables in a value that are looked at */

/* With what it is drawn. */
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

/* Dots in cells; each cell has the color of the series drawn last in it. */
struct raster {
	enum chart_style style;
	int width, height; /* in cells */
	int across, down;  /* dots in a cell */
	uint8_t *bits;
	uint8_t *series; /* from 1 */
};

void raster_init(struct raster *r, enum chart_style style, int width, int height);
void raster_finish(struct raster *r);
void raster_dot(struct raster *r, int x, int y, size_t series);
void raster_line(struct raster *r, int x0, int y0, int x1, int y1, size_t series);
void raster_draw(const struct raster *r, struct surface s);

/* What the user chose, kept for the next result of the same source. */
struct chart_wishes {
	int kind; /* -1: none */
	char *x;  /* NULL: none; "": the number of the row */
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
	/* A table of another view in place of these; spot.node is NULL: none. */
	struct {
		struct table_spot spot;
		struct json_doc *doc;
	} part;
	struct table table;
	bool has_table;
	struct chart_columns columns;
	struct chart_choice choice;
	bool can; /* choice is one */
	struct chart_reading reading;
	struct jobs *jobs;
	struct chart_wishes wishes;
	const void *source;
	enum chart_style style;
	size_t series, point;       /* the cursor; point: of the five of a box */
	struct list list;           /* the rows of bars; series of a box */
	char *filter;               /* NULL: none */
	struct surface whole, plot; /* as last drawn */
	struct chart_range x, y;    /* of the plot */
	int rows_each;              /* lines of a bar, or of a box */
};

/* chart_view.c */
void chart_view_choose(struct chart_view *v); /* the wishes have changed */
void chart_view_show(struct chart_view *v, const struct view_env *env, size_t spot);
bool chart_view_has_rows(const struct chart_view *v); /* a line for each row: bars */
/* The row of the cursor; false: there is none. */
bool chart_view_row(const struct chart_view *v, size_t *row);
const struct chart_point *chart_view_point(const struct chart_view *v); /* NULL: none */
void chart_add_row_name(const struct chart_view *v, size_t row, struct buf *out);

/* chart_commands.c */
bool chart_view_key(void *state, const struct view_env *env, const struct key *key);
/* Goes to the nearest point with a number, from the one at point on. */
void chart_view_settle(struct chart_view *v);

/* chart_commands.c */
extern const struct view_action chart_view_actions[];
const char *chart_view_hint(
    void *state, const struct view_env *env, const struct view_action *action);

/* chart_draw.c: title lines, axes, and the line that tells the value at the cursor */
void chart_view_draw(void *state, const struct view_env *env, struct surface s);
struct style chart_style_of(size_t series);
uint32_t chart_mark(enum chart_style style, size_t series);

/* Parts of the drawing; s is the plot. */
void chart_plot_draw(struct chart_view *v, const struct view_env *env, struct surface s);
/* The column of a place of the x axis. */
int chart_column_of(struct chart_range range, double value, int width);

/* chart_draw.c: the color of a heat map, 0xrrggbb; part: 0 to 1 */
uint32_t chart_shade(double part);

/* chart_drawing.c: all has been read. Of so many rows each has a line there. */
#define CHART_FILE_ROWS_MAX ((size_t)500)
void chart_draw_shapes(const struct chart_view *v, const char *title, struct drawing *out);

#endif

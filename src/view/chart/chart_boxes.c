#include "base/glyph.h"
#include "base/vec.h"
#include "chart_view.h"

#include <math.h>
#include <string.h>

/* Boxes with whiskers, and heat maps: lines of shades. */

#define LABEL_MAX 24
#define GAP 2
#define HIGH_BOX 3

static int
label_width(const struct chart_view *v, int width)
{
	int widest = 0, most = width / 3 < LABEL_MAX ? width / 3 : LABEL_MAX;

	for (size_t i = 0; i < v->choice.y_count; i++) {
		int columns = label_columns(v->table.columns.items[v->choice.ys[i]].name);
		widest = columns > widest ? columns : widest;
	}
	return widest < most ? widest : most;
}

/* ---- boxes ---- */

static const struct box_lines {
	uint32_t least, line, most, top[5], middle[3], bottom[5];
} box_lines[] = {
	{ 0x251c, 0x2500, 0x2524, { 0x250c, 0x2500, 0x252c, 0x2500, 0x2510 },
	    { 0x2524, 0x2502, 0x251c }, { 0x2514, 0x2500, 0x2534, 0x2500, 0x2518 } },
	{ '|', '-', '|', { '+', '-', '+', '-', '+' }, { '|', '|', '|' },
	    { '+', '-', '+', '-', '+' } },
};

static void
draw_edge(
    struct surface s, int y, struct style style, const int at[CHART_FIVE], const uint32_t edge[5])
{
	surface_repeat(s, at[1], y, at[3] - at[1] + 1, style, edge[1]);
	surface_put(s, at[1], y, style, edge[0]);
	surface_put(s, at[3], y, style, edge[4]);
	surface_put(s, at[2], y, style, edge[2]);
}

static void
draw_box(const struct chart_view *v, struct surface s, int y, int height, size_t series)
{
	const struct chart_series *d = &v->reading.chart.series[series];
	const struct box_lines *l = &box_lines[v->style == STYLE_ASCII];
	struct style style = chart_style_of(series);
	int at[CHART_FIVE], middle = y + height / 2;

	for (int i = 0; i < CHART_FIVE; i++)
		at[i] = chart_column_of(v->reading.chart.y, d->five[i], s.width);
	surface_repeat(s, at[0], middle, at[4] - at[0], style, l->line);
	surface_put(s, at[0], middle, style, l->least);
	surface_put(s, at[4], middle, style, l->most);
	if (height < HIGH_BOX) {
		surface_repeat(s, at[1], middle, at[3] - at[1] + 1, style,
		    v->style == STYLE_ASCII ? '=' : 0x2592);
		surface_put(s, at[2], middle, style, v->style == STYLE_ASCII ? '|' : 0x2588);
		return;
	}
	surface_repeat(s, at[1], middle, at[3] - at[1] + 1, style, ' ');
	draw_edge(s, middle - 1, style, at, l->top);
	draw_edge(s, middle + 1, style, at, l->bottom);
	surface_put(s, at[1], middle, style, l->middle[0]);
	surface_put(s, at[3], middle, style, l->middle[2]);
	surface_put(s, at[2], middle, style, l->middle[1]);
}

static void
draw_scale(const struct chart_view *v, struct surface s, int y)
{
	struct chart_ticks ticks;
	struct buf label = BUF_INIT;
	int end = -1;

	chart_ticks_find(&ticks, CHART_NUMBERS, v->reading.chart.y, (size_t)s.width / 12 + 1);
	for (size_t i = 0; i < ticks.len; i++) {
		buf_clear(&label);
		chart_ticks_add(&ticks, i, &label);
		int width = (int)label.len;
		int x = chart_column_of(v->reading.chart.y, ticks.at[i], s.width) - width / 2;
		x = x < 0 ? 0 : x + width > s.width ? s.width - width : x;
		if (x <= end)
			continue;
		end = x + surface_text(s, x, y, width, style_of(ROLE_DIM), buf_text(&label));
	}
	buf_finish(&label);
}

void
chart_boxes_draw(struct chart_view *v, const struct view_env *env, struct surface s)
{
	int left = label_width(v, s.width) + GAP, count = (int)v->choice.y_count;
	bool scale = s.height > count;
	int room = s.height - scale;
	int each = room / (count > 0 ? count : 1);

	each = each > HIGH_BOX ? HIGH_BOX + 1 : each == HIGH_BOX ? HIGH_BOX : 1;
	v->rows_each = each;
	list_set_height(&v->list, room / each > 0 ? room / each : 1);
	v->plot = surface_sub(s, left, 0, s.width - left, room);
	for (int i = 0; i < room / each && v->list.top + (size_t)i < v->choice.y_count; i++) {
		size_t series = v->list.top + (size_t)i;
		int y = i * each, middle = y + (each >= HIGH_BOX);
		bool chosen = series == v->series && !env->printed;
		struct surface row = surface_sub(s, 0, y, s.width, each);
		surface_text(s, 0, middle, left - GAP, style_of(chosen ? ROLE_TITLE : ROLE_TEXT),
		    v->table.columns.items[v->choice.ys[series]].name);
		if (v->reading.chart.series[series].numbers == 0 || v->plot.width <= 0)
			continue;
		draw_box(v, surface_sub(row, left, 0, s.width - left, each), 0,
		    each >= HIGH_BOX ? HIGH_BOX : 1, series);
		double value = v->reading.chart.series[series].five[v->point % CHART_FIVE];
		if (chosen && env->focused)
			surface_restyle(v->plot,
			    chart_column_of(v->reading.chart.y, value, v->plot.width), middle, 1,
			    ROLE_CURSOR, 0);
	}
	if (scale)
		draw_scale(v, surface_sub(s, left, 0, s.width - left, s.height), s.height - 1);
}

/* ---- heat maps ---- */

#define SHADES 32

/* Viridis: equal steps look equal, in gray and to the color blind too. */
uint32_t
chart_shade(double part)
{
	static const uint8_t stops[][3] = { { 0x44, 0x01, 0x54 }, { 0x3b, 0x52, 0x8b },
		{ 0x21, 0x91, 0x8c }, { 0x5e, 0xc9, 0x62 }, { 0xfd, 0xe7, 0x25 } };
	const int last = (int)ARRAY_LEN(stops) - 1;
	double at = floor(fmin(fmax(part, 0), 1) * (SHADES - 1)) / (SHADES - 1) * last;
	int i = at >= last ? last - 1 : (int)at;
	uint32_t color = 0;

	for (int n = 0; n < 3; n++)
		color = color << 8 |
			(uint32_t)(stops[i][n] + (stops[i + 1][n] - stops[i][n]) * (at - i));
	return color & 0xfcfcfc;
}

static void
draw_shade(const struct chart_view *v, struct surface s, int x, int y, int width, double part)
{
	static const char ascii[] = " .:-=+*#%@";
	uint32_t color = STYLE_RGB(chart_shade(part));

	/* half blocks in one color: the back end makes shades of these if there are no colors */
	if (v->style == STYLE_ASCII)
		surface_repeat(
		    s, x, y, width, style_of(ROLE_SERIES_1), (uint32_t)ascii[(int)(part * 9.49)]);
	else
		surface_repeat(s, x, y, width, (struct style){ color, color, 0 }, 0x2580);
}

static void
draw_shade_scale(const struct chart_view *v, struct surface s, int y)
{
	enum { WIDTH = 24 };
	struct chart_range r = v->reading.chart.y;
	int width = s.width < WIDTH ? s.width : WIDTH;
	int x = surface_textf(s, 0, y, -1, style_of(ROLE_DIM), "%g ", r.low);

	for (int i = 0; i < width; i++)
		draw_shade(v, s, x + i, y, 1, (double)i / (WIDTH - 1));
	surface_textf(s, x + width + 1, y, -1, style_of(ROLE_DIM), "%g", r.high);
}

struct heat {
	int label, each; /* columns */
	size_t first, count;
};

static void
draw_heat_row(const struct chart_view *v, const struct view_env *env, const struct heat *h,
    struct surface s, int y, size_t nth)
{
	size_t row = v->table.order[nth];
	bool chosen = nth == v->list.selected && !env->printed, too_large;
	double value;

	chart_draw_row_name(v, env, s, y, nth, h->label);
	for (size_t i = 0; i < h->count; i++) {
		int x = h->label + GAP + (int)i * h->each;
		const cJSON *cell = table_cell(&v->table, row, v->choice.ys[h->first + i]);
		bool has = chart_number(cell, &value, &too_large);
		if (has)
			draw_shade(v, s, x, y, h->each, chart_place(v->reading.chart.y, value));
		else
			surface_put(s, x + h->each / 2, y, style_of(ROLE_HINT),
			    v->style == STYLE_ASCII ? '?' : 0xb7);
		if (chosen && h->first + i == v->series && env->focused)
			surface_put(
			    s, x + h->each / 2, y, style_of(ROLE_CURSOR), chart_mark(v->style, 0));
	}
}

void
chart_heat_draw(struct chart_view *v, const struct view_env *env, struct surface s)
{
	enum { EACH_MOST = 8, HEAD_FROM = 4 };
	int most = s.width / 3 < LABEL_MAX ? s.width / 3 : LABEL_MAX;
	bool head = s.height >= HEAD_FROM;
	struct surface body = surface_sub(s, 0, head, s.width, s.height - 2 * head);
	struct heat h = { .label = 0 };
	struct buf name = BUF_INIT;

	v->rows_each = 1;
	v->plot = body;
	list_set_height(&v->list, body.height > 0 ? body.height : 1);
	for (int y = 0; y < body.height && v->list.top + (size_t)y < v->table.shown; y++) {
		buf_clear(&name);
		chart_add_row_name(v, v->table.order[v->list.top + (size_t)y], &name);
		int columns = (int)glyph_columns(buf_text(&name), name.len);
		h.label = columns > h.label ? columns : h.label;
	}
	buf_finish(&name);
	h.label = h.label < most ? h.label : most;
	int room = s.width - h.label - GAP;
	h.each = room / (int)v->choice.y_count;
	h.each = h.each > EACH_MOST ? EACH_MOST : h.each < 1 ? 1 : h.each;
	h.count = room > 0 ? (size_t)(room / h.each) : 0;
	h.count = h.count < v->choice.y_count ? h.count : v->choice.y_count;
	h.first = v->series >= h.count && h.count > 0 ? v->series - h.count + 1 : 0;
	for (size_t i = 0; i < h.count && head && h.each > 2; i++)
		surface_text(s, h.label + GAP + (int)i * h.each, 0, h.each - 1,
		    style_of(h.first + i == v->series ? ROLE_TITLE : ROLE_COLUMN),
		    v->table.columns.items[v->choice.ys[h.first + i]].name);
	for (int y = 0; y < body.height && v->list.top + (size_t)y < v->table.shown; y++)
		draw_heat_row(v, env, &h, body, y, v->list.top + (size_t)y);
	surface_scrollbar(body, env->focused, v->table.shown, v->list.top);
	if (head)
		draw_shade_scale(v, surface_sub(s, h.label + GAP, 0, room, s.height), s.height - 1);
}

#include "base/units.h"
#include "base/vec.h"
#include "chart_view.h"

#include <math.h>

/* A view of so many rows has a line that tells the value at the cursor, and one with the names of
 * its series. */
#define READOUT_FROM 4
#define LEGEND_FROM 7

struct style
chart_style_of(size_t series)
{
	return style_of((enum role)((size_t)ROLE_SERIES_1 + series % (size_t)CHART_SERIES_MAX));
}

uint32_t
chart_mark(enum chart_style style, size_t series)
{
	static const uint32_t marks[CHART_SERIES_MAX] = { 0x25cf, 0x25c6, 0x25b2, 0x25a0, 0x25cb,
		0x25a1 };
	static const char ascii[CHART_SERIES_MAX] = "*+ox#@";

	series %= CHART_SERIES_MAX;
	return style == STYLE_ASCII ? (uint32_t)ascii[series] : marks[series];
}

int
chart_column_of(struct chart_range range, double value, int width)
{
	double at = chart_place(range, value) * (width - 1);

	return isnan(at) || at < 0 ? 0 : at > width - 1 ? width - 1 : (int)(at + 0.5);
}

static uint32_t
mark_of(const struct chart_view *v, size_t series)
{
	static const uint32_t fills[] = { 0x2588, 0x2593, 0x2592, 0x2591 };

	if (v->style == STYLE_ASCII)
		return chart_mark(STYLE_ASCII, series);
	return v->choice.kind == CHART_STACKED ? fills[series % ARRAY_LEN(fills)]
					       : chart_mark(v->style, series);
}

/* The names of the series, the one of the cursor as a title. */
static void
draw_legend(const struct chart_view *v, const struct view_env *env, struct surface s)
{
	int x = 0;

	for (size_t i = 0; i < v->choice.y_count && x < s.width; i++) {
		bool chosen = i == v->series && env->focused;
		struct style style = style_of(chosen ? ROLE_TITLE : ROLE_DIM);
		surface_put(s, x, 0, chart_style_of(i), mark_of(v, i));
		if (chosen)
			style.attr |= ATTR_UNDERLINE;
		x += 2;
		x += surface_text(
		    s, x, 0, s.width - x, style, v->table.columns.items[v->choice.ys[i]].name);
		x += 3;
	}
}

static void
draw_readout(const struct chart_view *v, struct surface s)
{
	struct buf text = BUF_INIT;

	chart_add_readout(v, &text);
	surface_textn(s, 0, 0, -1, style_of(ROLE_TEXT), buf_text(&text), text.len);
	buf_finish(&text);
}

static void
draw_nothing(const struct chart_view *v, struct surface s)
{
	const char *why = v->table.job ? "looking for numbers…"
			  : !v->has_table
			      ? "this value has no array of numbers: v shows it as a tree"
			      : "no column has numbers: v shows another view";

	surface_text(s, 0, 0, -1, style_of(ROLE_HINT), why);
}

static size_t
count_numbers(const struct chart *c)
{
	size_t numbers = 0;

	for (size_t i = 0; i < c->choice.y_count; i++)
		numbers += c->series[i].numbers;
	return numbers;
}

static void (*const draws[CHART_KIND_COUNT])(
    struct chart_view *v, const struct view_env *env, struct surface s) = {
	[CHART_LINE] = chart_plot_draw,
	[CHART_AREA] = chart_plot_draw,
	[CHART_SCATTER] = chart_plot_draw,
	[CHART_HISTOGRAM] = chart_plot_draw,
	[CHART_BAR] = chart_bars_draw,
	[CHART_STACKED] = chart_bars_draw,
	[CHART_BOX] = chart_boxes_draw,
	[CHART_HEAT] = chart_heat_draw,
};

void
chart_view_draw(void *state, const struct view_env *env, struct surface s)
{
	struct chart_view *v = state;
	bool has_legend =
	    v->choice.y_count > 1 && v->choice.kind != CHART_BOX && v->choice.kind != CHART_HEAT;

	v->whole = s;
	v->plot = surface_sub(s, 0, 0, 0, 0);
	if (!v->can) {
		draw_nothing(v, s);
		return;
	}
	if (v->reading.job) {
		surface_text(s, 0, 0, -1, style_of(ROLE_HINT), "reading all rows…");
		return;
	}
	if (count_numbers(&v->reading.chart) == 0) {
		surface_text(s, 0, 0, -1, style_of(ROLE_HINT),
		    v->filter ? "no row that matches the filter has a number: Esc shows all"
			      : "there is no number to draw");
		return;
	}
	struct surface body = s;
	if (s.height >= READOUT_FROM && !env->printed) {
		draw_readout(v, surface_sub(s, 0, s.height - 1, s.width, 1));
		body = surface_sub(body, 0, 0, body.width, body.height - 1);
	}
	if (has_legend && s.height >= LEGEND_FROM) {
		draw_legend(v, env, body);
		body = surface_sub(body, 0, 1, body.width, body.height - 1);
	}
	draws[v->choice.kind](v, env, body);
}

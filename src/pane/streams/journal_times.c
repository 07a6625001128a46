#include "journal_pane.h"

#include "base/units.h"
#include "pane/pane_text.h"

enum { TIME_NAME, TIME_COUNT, TIME_ERRORS, TIME_P50, TIME_P95, TIME_MAX, TIME_BYTES };
static const struct stream_column columns[] = {
	[TIME_NAME] = { "method or tool", 0, -50, false },
	[TIME_COUNT] = { "requests", -49, 8, true },
	[TIME_ERRORS] = { "errors", -40, 6, true },
	[TIME_P50] = { "p50", -33, 7, true },
	[TIME_P95] = { "p95", -25, 7, true },
	[TIME_MAX] = { "max", -17, 7, true },
	[TIME_BYTES] = { "bytes", -9, 9, true },
	{ 0 },
};

static void
draw_count(int column, struct surface s, int y, enum role role, size_t count)
{
	struct buf text = BUF_INIT;

	units_add_count(&text, count);
	stream_cell(&columns[column], s, y, style_of(role), buf_text(&text));
	buf_finish(&text);
}

static void
draw_time(int column, struct surface s, int y, int64_t us)
{
	struct buf text = BUF_INIT;

	if (us >= 0)
		pane_add_duration(&text, us);
	stream_cell(&columns[column], s, y, style_of(ROLE_NUMBER), buf_text(&text));
	buf_finish(&text);
}

static void
draw_row(struct surface s, int y, const struct timing *t)
{
	struct buf bytes = BUF_INIT;
	int indent = t->is_tool ? 2 : 0;

	surface_text(s, indent, y, stream_column_cols(&columns[TIME_NAME], s) - indent,
	    style_of(t->is_tool ? ROLE_TEXT : ROLE_KEY_NAME), t->name ? t->name : "all others");
	draw_count(TIME_COUNT, s, y, ROLE_TEXT, t->count);
	draw_count(TIME_ERRORS, s, y, t->errors ? ROLE_ERROR : ROLE_HINT, t->errors);
	draw_time(TIME_P50, s, y, timing_quantile(t, 50));
	draw_time(TIME_P95, s, y, timing_quantile(t, 95));
	draw_time(TIME_MAX, s, y, t->replies ? t->max_us : -1);
	pane_add_bytes(&bytes, t->bytes);
	stream_cell(&columns[TIME_BYTES], s, y, style_of(ROLE_DIM), buf_text(&bytes));
	buf_finish(&bytes);
}

void
journal_times_draw(
    struct journal_pane *p, const struct timings *t, const struct view_env *env, struct surface s)
{
	struct surface rows = surface_sub(s, 0, 1, s.width, s.height - 1);

	for (const struct stream_column *c = columns; c->head; c++)
		stream_cell(c, s, 0, style_of(ROLE_COLUMN), c->head);
	list_set_count(&p->rows, t->len);
	list_set_height(&p->rows, rows.height);
	for (int y = 0; y < rows.height && p->rows.top + (size_t)y < t->len; y++) {
		size_t index = p->rows.top + (size_t)y;
		draw_row(rows, y, t->items[index]);
		if (index == p->rows.selected)
			surface_select_row(rows, y, env->focused);
	}
	if (t->len == 0)
		pane_draw_text(rows, 0, ROLE_HINT, "no requests yet");
	surface_scrollbar(rows, env->focused, t->len, p->rows.top);
}

bool
journal_times_key(struct journal_pane *p, const struct key *key)
{
	bool is_own = key->kind == KEY_CHAR && key->mods == 0 && key->ch == 'M';

	if (key->kind == KEY_ESCAPE || is_own) {
		p->times = false;
		return true;
	}
	return list_key(&p->rows, key);
}

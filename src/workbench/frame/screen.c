/* SPDX-License-Identifier: MIT */
#include "workbench/state.h"

#include "base/units.h"
#include "base/glyph.h"
#include "client/recipe_player.h"

#include <string.h>

void
buttons_clear(struct buttons *b)
{
	b->len = 0;
}

int
buttons_add(struct buttons *b, struct surface s, int x, int y, enum role role, const char *text)
{
	struct surface place = surface_sub(s, x, y, (int)glyph_columns(text, strlen(text)), 1);

	surface_text(place, 0, 0, -1, style_on(role, ROLE_NONE), text);
	if (b->len < BUTTONS_MAX)
		b->items[b->len++] = (struct rect){ place.x, place.y, place.width, place.height };
	return x + place.width;
}

int
buttons_at(const struct buttons *b, const struct key *key)
{
	if (key->kind != KEY_MOUSE || key->action != MOUSE_PRESS)
		return -1;
	for (int i = 0; i < b->len; i++)
		if (rect_has(&b->items[i], key->x, key->y))
			return i;
	return -1;
}

struct surface
dialog_box(struct surface main, int width, int height)
{
	width = width < main.width ? width : main.width;
	height = height < main.height ? height : main.height;
	struct surface box =
	    surface_sub(main, (main.width - width) / 2, (main.height - height) / 2, width, height);
	surface_clear(box, style_on(ROLE_TEXT, ROLE_DIALOG));
	return box;
}

/* Draws a frame from the layout. */

static int
want_of(struct workbench *wb, int pane, int width)
{
	const struct view_ops *ops = pane_table[pane].ops;
	struct view_env env = workbench_env(wb, (enum pane_id)pane);

	return ops->want ? ops->want(wb->panes[pane].state, &env, width) : 0;
}

/* The wishes of the panes at the widths that they will have. */
static void
ask_wants(struct workbench *wb, struct layout_input *in, bool ended)
{
	enum { FRAME = 4 };

	if (in->overlay >= 0) { /* the others are asked when they are drawn below it */
		in->is_wide = pane_table[in->overlay].ops->is_wide;
		in->want[in->overlay] =
		    want_of(wb, in->overlay, in->is_wide ? in->width - FRAME : LAYOUT_BOX_INNER);
		return;
	}
	if (wb->frame.most.width != in->width || wb->frame.most.height != in->height)
		wb->frame.most = (struct most_wanted){ in->width, in->height, 0, 0 };
	const struct view *value = view_of_value(&wb->panes[PANE_structured]);
	int columns =
	    value->in->value && value->ops->columns ? value->ops->columns(value->state) : 0;
	if (workbench_has(wb, PANE_structured) && columns > wb->frame.most.columns)
		wb->frame.most.columns = columns;
	in->columns = wb->frame.most.columns;
	in->want[PANE_tools] = want_of(wb, PANE_tools, in->width);
	struct layout_columns c = layout_columns(in);
	for (int i = PANE_COUNT; i-- > 0;) { /* content's stack depends on structuredContent */
		in->absent[i] = !workbench_has(wb, (enum pane_id)i);
		if (pane_table[i].slot != SLOT_STACKED)
			continue;
		in->want[i] = want_of(wb, i, c.stacks[layout_stack_of(&c, in, i)] - FRAME);
		in->silent[i] = ended && in->want[i] == 0;
	}
	if (wb->ws.desk && in->want[PANE_form] > wb->frame.most.form_rows)
		wb->frame.most.form_rows = in->want[PANE_form];
	in->form_rows = wb->frame.most.form_rows;
}

static void
layout_for(struct workbench *wb, int width, int height)
{
	if (!workbench_has(wb, wb->right))
		wb->right = PANE_content;
	if (!workbench_has(wb, wb->focus))
		wb->focus = PANE_content;
	const struct call *call = workspace_call(&wb->ws);
	struct layout_input in = {
		.width = width,
		.height = height,
		.focus = wb->focus,
		.right = wb->right,
		.overlay = wb->overlay,
		.zoomed = wb->zoomed,
		.sizes = wb->frame.sizes,
		.no_strip = wb->frame.no_strip,
		.floats = workbench_has_floating(wb),
		.has_call = call != NULL,
	};

	ask_wants(wb, &in, call && call->state != CALL_RUNNING);
	wb->frame.layout = layout_make(&in);
}

/* A fact that names a key, "definition F2", can be clicked. */
static void
note_key(struct workbench *wb, struct surface outer, enum pane_id id)
{
	const struct cell *row =
	    outer.grid->cells + (size_t)outer.y * (size_t)outer.grid->width + outer.x;

	wb->frame.titles.keys[id].place.width = 0;
	for (int x = 1; x + 2 < outer.width; x++) {
		bool digit = row[x + 1].ch >= '1' && row[x + 1].ch <= '9';
		if (row[x - 1].ch != ' ' || row[x].ch != 'F' || !digit || row[x + 2].ch != ' ')
			continue;
		int from = x, to = x + 2;
		while (from > 2 && !(row[from - 1].ch == ' ' && row[from - 2].ch == ' ') &&
		       row[from - 1].ch < 0x2500)
			from--;
		while (to + 1 < outer.width && row[to + 1].ch < 0x2500)
			to++;
		struct titles *titles = &wb->frame.titles;
		titles->keys[id].number = row[x + 1].ch - '0';
		titles->keys[id].place = (struct rect){ outer.x + from, outer.y, to - from, 1 };
		return;
	}
}

uint32_t
frame_number(int pane)
{
	static const uint32_t superscripts[FRAME_NUMBERS] = { 0xb9, 0xb2, 0xb3, 0x2074, 0x2075,
		0x2076, 0x2077, 0x2078, 0x2079 };

	return pane_number(pane) < FRAME_NUMBERS ? superscripts[pane_number(pane)] : ' ';
}

/* The filter or search follows the title, with a ✕ to click. */
struct surface
frame_draw(struct workbench *wb, struct surface outer, int pane, struct buf *title,
    const struct buf *facts, enum role role)
{
	bool focused = pane >= PANE_COUNT || (!wb->dialog && (int)workbench_focused(wb) == pane);
	struct buf chip = BUF_INIT;
	int columns = (int)glyph_columns(buf_text(title), title->len);

	find_chip(wb, pane, &chip);
	int width = (int)glyph_columns(buf_text(&chip), chip.len);
	int x = columns + 4, last = outer.width - 3 - width;
	if (chip.len > 0)
		buf_addf(title, "  %s", buf_text(&chip));
	struct surface inner =
	    surface_frame(outer, focused, buf_text(title), buf_text(facts), role);
	x = x < last ? x : last > 2 ? last : 2;
	wb->frame.titles.chips[pane] = (struct rect){ 0 };
	if (chip.len > 0) {
		surface_put(outer, x - 1, 0, style_of(ROLE_BORDER), ' ');
		int used = surface_text(outer, x, 0, outer.width - x - 2,
		    style_on(ROLE_BAR_KEY, ROLE_SELECTION), buf_text(&chip));
		wb->frame.titles.chips[pane] =
		    (struct rect){ outer.x + x + used - 1, outer.y, 1, 1 };
	}
	buf_finish(&chip);
	if (pane < PANE_COUNT)
		note_key(wb, outer, (enum pane_id)pane);
	if (pane < PANE_COUNT && wb->frame.titles.keys[pane].place.width > 0)
		surface_spot(outer, wb->frame.titles.keys[pane].place.x - outer.x, 0);
	if (pane < PANE_COUNT)
		surface_spot(outer, 2, 0);
	if (pane_number(pane) < FRAME_NUMBERS && inner.width > 0)
		surface_put(
		    outer, 1, 0, style_of(focused ? ROLE_FOCUS : ROLE_DIM), frame_number(pane));
	return inner;
}

static void
draw_pane(struct workbench *wb, struct grid *g, enum pane_id id)
{
	const struct view_ops *ops = pane_table[id].ops;
	struct rect r = wb->frame.layout.panes[id];
	struct view_env env = workbench_env(wb, id);
	struct buf title = BUF_INIT, facts = BUF_INIT;

	env.width = r.width - 4;
	enum role role = ROLE_DIM;
	if (ops->heading)
		role = ops->heading(wb->panes[id].state, &env, &title, &facts);
	struct surface outer = surface_sub(surface_whole(g), r.x, r.y, r.width, r.height);
	if (title.len == 0)
		buf_add_str(&title, ops->title);
	struct surface inner = frame_draw(wb, outer, (int)id, &title, &facts, role);
	if (ops->draw_title)
		ops->draw_title(
		    wb->panes[id].state, &env, surface_sub(outer, 2, 0, outer.width - 3, 1));
	ops->draw(wb->panes[id].state, &env, inner);
	find_light(wb, (int)id, inner);
	buf_finish(&title);
	buf_finish(&facts);
}

static void
draw_panes(struct workbench *wb, struct grid *g)
{
	bool floats = workbench_has_floating(wb);

	for (int i = 0; i < PANE_COUNT; i++)
		if (wb->frame.layout.panes[i].width > 0 && !(floats && i == PANE_app))
			draw_pane(wb, g, (enum pane_id)i);
		else
			wb->frame.titles.chips[i].width = wb->frame.titles.keys[i].place.width = 0;
}

void
workbench_set_size(struct workbench *wb, int width, int height)
{
	wb->frame.width = width;
	wb->frame.height = height;
	layout_for(wb, width, height);
}

/* The panes that the box of an overlay leaves in sight. */
static void
draw_below(struct workbench *wb, struct grid *g)
{
	struct layout box = wb->frame.layout;
	struct rect r = box.panes[wb->overlay];
	int overlay = wb->overlay;

	wb->overlay = -1;
	layout_for(wb, g->width, g->height);
	wb->overlay = overlay;
	draw_panes(wb, g);
	g->spot_count = 0; /* clicks there do nothing */
	surface_dim(surface_whole(g));
	surface_clear(surface_sub(surface_whole(g), r.x, r.y, r.width, r.height),
	    style_on(ROLE_TEXT, ROLE_DIALOG));
	wb->frame.layout = box;
}

/* Drops those of the first `before` spots that the box covers. */
static void
drop_spots(struct grid *g, int before, const struct rect *box)
{
	int kept = 0;

	for (int i = 0; i < g->spot_count; i++)
		if (i >= before || !rect_has(box, g->spots[i].x, g->spots[i].y))
			g->spots[kept++] = g->spots[i];
	g->spot_count = kept;
}

/* The app above the panes. */
static void
draw_floating(struct workbench *wb, struct grid *g)
{
	struct rect r = wb->frame.layout.panes[PANE_app];

	if (!workbench_has_floating(wb))
		return;
	drop_spots(g, g->spot_count, &r);
	surface_clear(surface_sub(surface_whole(g), r.x, r.y, r.width, r.height),
	    style_on(ROLE_TEXT, ROLE_DIALOG));
	draw_pane(wb, g, PANE_app);
}

static void
draw_pop_up(struct workbench *wb, struct surface main)
{
	enum pane_id id = workbench_focused(wb);
	const struct view_ops *ops = pane_table[id].ops;
	struct rect r = wb->frame.layout.panes[id];

	wb->frame.pop_up.width = 0;
	if (!ops->pop_up || r.width == 0)
		return;
	struct view_env env = workbench_env(wb, id);
	struct surface inner =
	    surface_sub(surface_whole(main.grid), r.x + 2, r.y + 1, r.width - 4, r.height - 2);
	int before = main.grid->spot_count;
	struct surface box = ops->pop_up(wb->panes[id].state, &env, main, inner);
	wb->frame.pop_up = (struct rect){ box.x, box.y, box.width, box.height };
	drop_spots(main.grid, before, &wb->frame.pop_up);
}

void
workbench_draw(struct workbench *wb, struct grid *g, int64_t now_us)
{
	struct surface all = surface_whole(g);

	wb->now_us = now_us;
	int64_t wake_us = recipe_show_wake_us(wb->ws.recipe);
	if (wake_us > 0 && now_us >= wake_us)
		workbench_advance(wb, now_us);
	wb->frame.width = g->width;
	wb->frame.height = g->height;
	g->unfinished = record_session_step(wb);
	wb->frame.unfinished = g->unfinished;
	g->spot_count = g->picture_count = 0;
	g->follows_mouse = false;
	surface_clear(all, style_of(ROLE_TEXT));
	if (g->width < 20 || g->height < 6) {
		surface_text(all, 0, 0, -1, style_of(ROLE_TEXT), "too small");
		return;
	}
	workbench_settle_terminal(wb);
	workbench_settle_app(wb);
	workbench_sync(wb);
	layout_for(wb, g->width, g->height);
	if (wb->frame.layout.shape == LAYOUT_BOX)
		draw_below(wb, g);
	draw_panes(wb, g);
	draw_floating(wb, g);
	struct surface main = surface_sub(all, 0, 1, g->width, g->height - 2);
	bars_draw_top(wb, surface_sub(all, 0, 0, g->width, 1));
	const struct rect *tabs = &wb->frame.layout.tabs;
	if (tabs->width > 0)
		bars_draw_tabs(wb, surface_sub(all, tabs->x, tabs->y, tabs->width, 1));
	struct surface bottom = surface_sub(all, 0, g->height - 1, g->width, 1);
	draw_pop_up(wb, main);
	hints_draw(wb, bottom);
	if (wb->dialog) {
		if (!wb->palette.previews)
			surface_dim(main);
		wb->dialog->draw(wb, main, bottom);
	}
	if (wb->find.open && (!wb->dialog || wb->dialog->seek))
		find_draw(wb, bottom);
	asked_on_drawn(wb);
	wb->frame.unfinished = g->unfinished;
}

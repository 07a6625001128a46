#include "mapping.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	MOST_CELLS_IN_A_ROW = 1000, /* more than any terminal has */
	/* Flags of a target, as the walker sets them. */
	TARGET_DISABLED = 1,
	TARGET_CHECKED = 2,
	TARGET_FOCUSED = 4,
	TARGET_EDITABLE = 8,
};

void
app_cells_init(struct app_cells *c, int cols, int rows, int cell_height, enum app_mode mode)
{
	BUG_IF(cols < 1 || rows < 1 || cols > MOST_CELLS_IN_A_ROW || rows > MOST_CELLS_IN_A_ROW ||
	       cell_height < 2);
	size_t count = (size_t)cols * (size_t)rows;
	*c = (struct app_cells){ .cols = cols,
		.rows = rows,
		.cell_width = cell_height / 2,
		.cell_height = cell_height,
		.mode = mode,
		.cells = mem_zalloc(count * sizeof(*c->cells)),
		.changed = mem_zalloc(count),
		.facts = { .caret_col = -1, .caret_row = -1 },
		.inside = mem_zalloc(sizeof(*c->inside)) };
	c->inside->samples = mem_zalloc(count * sizeof(*c->inside->samples));
	c->inside->surfaces = mem_zalloc(count * sizeof(*c->inside->surfaces));
	c->inside->shares = mem_zalloc(count);
	c->inside->grounds = mem_zalloc(count * sizeof(*c->inside->grounds));
	c->inside->owners = mem_zalloc(count * sizeof(*c->inside->owners));
	c->inside->before = mem_zalloc(count * sizeof(*c->inside->before));
}

void
app_cells_finish(struct app_cells *c)
{
	if (c->inside) {
		picture_finish(&c->inside->frame);
		buf_finish(&c->inside->png);
		walked_finish(&c->inside->walked);
		free(c->inside->samples);
		free(c->inside->surfaces);
		free(c->inside->shares);
		free(c->inside->grounds);
		free(c->inside->owners);
		free(c->inside->before);
		free(c->inside->json);
	}
	free(c->inside);
	free(c->cells);
	free(c->changed);
	free(c->targets);
	*c = (struct app_cells){ 0 };
}

/* ---- targets ---- */

static int
cell_at(double px, int size, int most)
{
	double at = floor(px / size);

	return at < 0 ? 0 : at >= most ? most - 1 : (int)at;
}

static void
take_targets(struct app_cells *c)
{
	const struct walked *w = &c->inside->walked;

	free(c->targets);
	c->target_count = w->targets.len;
	c->targets = mem_zalloc((w->targets.len + 1) * sizeof(*c->targets));
	for (size_t i = 0; i < w->targets.len; i++) {
		const struct walked_target *from = &w->targets.items[i];
		const struct walked_box *b = &from->box;
		struct app_target *t = &c->targets[i];
		*t = (struct app_target){ .x = b->x + b->width / 2,
			.y = b->y + b->height / 2,
			.col = cell_at(b->x, c->cell_width, c->cols),
			.row = cell_at(b->y, c->cell_height, c->rows),
			.role = from->role,
			.name = from->name,
			.is_disabled = from->flags & TARGET_DISABLED,
			.is_checked = from->flags & TARGET_CHECKED,
			.is_focused = from->flags & TARGET_FOCUSED,
			.is_editable = from->flags & TARGET_EDITABLE };
		t->cols = cell_at(b->x + b->width - 1, c->cell_width, c->cols) - t->col + 1;
		t->rows = cell_at(b->y + b->height - 1, c->cell_height, c->rows) - t->row + 1;
	}
}

/* Is a box from..from + size drawn at this cell? A box of less than `most` cells is drawn as one,
 * in its middle. */
static bool
is_drawn_at(double from, double size, int cell, double most, int at)
{
	if (size < most * cell)
		return at == (int)floor((from + size / 2) / cell);
	return at >= floor(from / cell + 0.5) && at < floor((from + size) / cell + 0.5);
}

static void
move_into(int *at, double from, double size)
{
	int least = (int)ceil(from), last = (int)ceil(from + size) - 1;

	if (last >= least)
		*at = *at < least ? least : *at > last ? last : *at;
}

void
app_cells_aim(const struct app_cells *c, int *x, int *y)
{
	const struct walked *w = &c->inside->walked;
	int col = *x / c->cell_width, row = *y / c->cell_height;

	if (c->mode == APP_PIXELS)
		return;
	for (size_t i = w->targets.len; i-- > 0;) { /* the innermost comes last */
		const struct walked_box *b = &w->targets.items[i].box;
		if (!is_drawn_at(b->x, b->width, c->cell_width, 1, col) ||
		    !is_drawn_at(b->y, b->height, c->cell_height, CONTROL_LINES, row))
			continue;
		move_into(x, b->x, b->width);
		move_into(y, b->y, b->height);
		return;
	}
}

/* ---- what comes in ---- */

bool
app_cells_have_text(const struct app_cells *c, const char *json, size_t len)
{
	const struct app_cells_inside *in = c->inside;

	return in->json && in->json_len == len && memcmp(in->json, json, len) == 0;
}

bool
app_cells_take_text(struct app_cells *c, const char *json, size_t len, struct err *err)
{
	struct app_cells_inside *in = c->inside;
	struct walked walked;

	/* The walker gives the same answer until something changes. */
	if (app_cells_have_text(c, json, len))
		return true;
	if (!walked_parse(&walked, json, len, err))
		return false;
	walked_finish(&in->walked);
	in->walked = walked;
	free(in->json);
	in->json = mem_dup(json, len);
	in->json_len = len;
	take_targets(c);
	return true;
}

/* ---- what goes out ---- */

static bool
is_same(const struct app_cell *a, const struct app_cell *b)
{
	return a->ch == b->ch && a->marks[0] == b->marks[0] && a->marks[1] == b->marks[1] &&
	       a->ink == b->ink && a->ground == b->ground && a->attr == b->attr;
}

static void
compare(struct app_cells *c)
{
	size_t count = (size_t)c->cols * (size_t)c->rows;

	c->facts.changed = 0;
	for (size_t i = 0; i < count; i++) {
		c->changed[i] = !is_same(&c->cells[i], &c->inside->before[i]);
		c->facts.changed += c->changed[i];
	}
}

static void
take_facts(struct app_cells *c)
{
	const struct walked *w = &c->inside->walked;
	double col = floor(w->caret.x / c->cell_width + 0.5);
	double row = floor((w->caret.y + w->caret.height / 2) / c->cell_height);

	c->facts = (struct app_cells_facts){ .caret_col = -1,
		.caret_row = -1,
		.page_height = w->page_height,
		.page_top = w->page_top,
		.is_incomplete = w->more };
	if (w->caret.height <= 0 || row < 0 || row >= c->rows || col < 0 || col > c->cols)
		return;
	c->facts.caret_col = col < c->cols ? (int)col : c->cols - 1;
	c->facts.caret_row = (int)row;
}

void
app_cells_draw(struct app_cells *c)
{
	struct app_cell *cells = c->inside->before;

	c->inside->before = c->cells;
	c->cells = cells;
	take_facts(c);
	memcpy(c->inside->grounds, c->inside->surfaces,
	    (size_t)c->cols * (size_t)c->rows * sizeof(*c->inside->grounds));
	if (c->inside->frame.rgba) {
		blocks_draw(c);
		drawings_draw(c);
	} else {
		for (size_t i = 0; i < (size_t)c->cols * (size_t)c->rows; i++)
			c->cells[i] = (struct app_cell){ .ch = ' ' };
	}
	if (c->mode != APP_PIXELS) {
		frames_draw_grounds(c);
		placing_draw(c);
		frames_draw_lines(c);
	}
	compare(c);
}

static void
add_code_point(struct buf *out, uint32_t cp)
{
	char bytes[4];

	if (cp)
		buf_add(out, bytes, utf8_encode(cp, bytes));
}

void
app_cells_add_text(const struct app_cells *c, struct buf *out)
{
	for (int row = 0; row < c->rows; row++) {
		size_t end = out->len;
		for (int col = 0; col < c->cols; col++) {
			const struct app_cell *cell = &c->cells[row * c->cols + col];
			add_code_point(out, cell->ch);
			add_code_point(out, cell->marks[0]);
			add_code_point(out, cell->marks[1]);
			end = cell->ch == ' ' ? end : out->len;
		}
		buf_truncate(out, end);
		buf_add_char(out, '\n');
	}
}

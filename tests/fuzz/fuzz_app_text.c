/* SPDX-License-Identifier: MIT */
/* Any bytes as the walker's output for a page: refused with a reason, or drawn in each mode, with
 * only printable text in the cells. */
#include "fuzz.h"

#include "apps/cells.h"

static void
check_cells(const struct app_cells *c)
{
	for (int i = 0; i < c->cols * c->rows; i++) {
		const struct app_cell *cell = &c->cells[i];
		demand(
		    cell->ch == 0 || (cell->ch >= 0x20 && !(cell->ch >= 0x7f && cell->ch < 0xa0)));
		demand(cell->ch < 0x110000 && cell->ink <= 0xffffff && cell->ground <= 0xffffff);
		demand(cell->ch != 0 || (i % c->cols > 0 && cell[-1].ch > 0xff));
	}
}

static void
check_targets(const struct app_cells *c)
{
	for (size_t i = 0; i < c->target_count; i++) {
		const struct app_target *t = &c->targets[i];
		demand(t->col >= 0 && t->row >= 0 && t->col < c->cols && t->row < c->rows);
		demand(t->col + t->cols <= c->cols && t->row + t->rows <= c->rows);
		demand(t->role && t->name);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	for (int mode = APP_CELL; mode <= APP_PIXELS; mode++) {
		struct app_cells c;
		struct err err = { "" };
		app_cells_init(&c, 40, 12, 16, (enum app_mode)mode);
		if (!app_cells_take_text(&c, (const char *)data, size, &err))
			demand(err.text[0] != '\0');
		app_cells_draw(&c);
		check_cells(&c);
		check_targets(&c);
		demand(c.facts.caret_col < c.cols && c.facts.caret_row < c.rows);
		app_cells_draw(&c);
		demand(c.facts.changed == 0);
		app_cells_finish(&c);
	}
	return 0;
}

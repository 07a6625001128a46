/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FUZZ_RICH_TEXT_H
#define TESTS_FUZZ_RICH_TEXT_H

#include "fuzz.h"

#include "view/meant.h"

#include <locale.h>

/* Pieces are in order and contain all the text except that between rows. */
static inline void
demand_order(const struct rich *r)
{
	size_t at = 0;

	for (size_t i = 0; i < r->pieces.len; i++) {
		const struct rich_piece *p = &r->pieces.items[i];
		demand(p->link <= r->links.len && (p->len > 0 || p->count > 0));
		demand(p->len == 0 || (p->at >= at && p->at + p->len <= r->text.len));
		at = p->len > 0 ? p->at + p->len : at;
	}
	for (size_t i = 0; i + 1 < r->rows.len; i++) {
		demand(r->rows.items[i].piece <= r->rows.items[i + 1].piece);
		demand(r->rows.items[i].at < r->rows.items[i + 1].at);
		demand(rich_row_of(r, r->rows.items[i].at) == i);
	}
}

/* Lay out, draw and free the bytes after the first, which gives the width. */
static inline void
demand_laid_out(bool (*recognizes)(const char *text, size_t len), lay_out_fn *lay_out,
    const uint8_t *data, size_t size)
{
	const char *text = (const char *)data + 1;
	struct rich rich;
	struct err err = { "" };
	struct grid grid;

	if (size == 0)
		return;
	setlocale(LC_ALL, "C.UTF-8");
	recognizes(text, size - 1);
	if (!lay_out(text, size - 1, data[0], NULL, &rich, &err)) {
		demand(err.text[0] && rich.rows.len == 0);
		return;
	}
	demand_order(&rich);
	grid_init(&grid, data[0], 40);
	rich_draw(&rich, surface_whole(&grid), rich.rows.len / 2, 1);
	for (size_t i = 0; i < rich.links.len; i++)
		demand(rich_uri(&rich, (uint32_t)i + 1) != NULL);
	grid_finish(&grid);
	rich_finish(&rich);
}

#endif

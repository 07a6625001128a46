#include "markdown.h"

#include "base/glyph.h"
#include "base/mem.h"
#include "ui/wrap.h"

#include <stdlib.h>
#include <string.h>

enum { GAP = 2, NARROWEST = 6 };

static const struct table_cell *
cell_at(const struct text_table *t, size_t row, size_t column)
{
	return &t->cells[row * t->columns + column];
}

/* Of its longest line. */
static int
cell_columns(const struct text_table *t, const struct table_cell *cell)
{
	const char *text = buf_text(&t->sentence->text);
	size_t most = 0;

	for (size_t at = cell->at; at < cell->end;) {
		const char *newline = memchr(text + at, '\n', cell->end - at);
		size_t end = newline ? (size_t)(newline - text) : cell->end;
		size_t columns = glyph_columns(text + at, end - at);
		most = columns > most ? columns : most;
		at = end + 1;
	}
	return most < INT16_MAX ? (int)most : INT16_MAX;
}

static int
total(const int *widths, size_t count, int most)
{
	int sum = GAP * (int)(count - 1);

	for (size_t i = 0; i < count; i++)
		sum += widths[i] < most ? widths[i] : most;
	return sum;
}

/* Takes columns from the widest ones. False: they do not fit. */
static bool
fit(int *widths, size_t count, int width)
{
	int low = NARROWEST, high = INT16_MAX;

	if (count > (size_t)width || total(widths, count, low) > width)
		return false;
	while (high - low > 1) {
		int middle = (low + high) / 2;
		if (total(widths, count, middle) <= width)
			low = middle;
		else
			high = middle;
	}
	for (size_t i = 0; i < count; i++)
		widths[i] = widths[i] < low ? widths[i] : low;
	return true;
}

/* ---- side by side ---- */

static void
put_line(const struct text_table *t, struct rich *out, const struct table_cell *cell,
    struct wrap *wrap, size_t line, int x)
{
	struct wrap_row row;

	if (!wrap_row_at(wrap, line, &row))
		return;
	int cols = (int)glyph_columns(wrap->text + row.start, row.end - row.start);
	int free_cols = cols < wrap->width ? wrap->width - cols : 0;
	int indent = cell->align == 'r' ? free_cols : cell->align == 'c' ? free_cols / 2 : 0;
	sentence_put(t->sentence, cell->at + row.start, cell->at + row.end, out, x + indent);
}

static void
lay_out_row(
    const struct text_table *t, const int *widths, struct wrap *wraps, size_t row, struct rich *out)
{
	const char *text = buf_text(&t->sentence->text);
	size_t lines = 1;

	for (size_t i = 0; i < t->columns; i++) {
		const struct table_cell *cell = cell_at(t, row, i);
		wrap_set(&wraps[i], text + cell->at, cell->end - cell->at, widths[i]);
		wrap_work(&wraps[i], SIZE_MAX, SIZE_MAX);
		size_t rows = wrap_rows(&wraps[i]);
		lines = rows > lines ? rows : lines;
	}
	for (size_t line = 0; line < lines && !out->full; line++) {
		int x = t->begin_row(t->user, false);
		for (size_t i = 0; i < t->columns; x += widths[i++] + GAP)
			put_line(t, out, cell_at(t, row, i), &wraps[i], line, x);
	}
}

static void
lay_out_beside(const struct text_table *t, const int *widths, struct rich *out)
{
	struct wrap *wraps = mem_zalloc(t->columns * sizeof(*wraps));

	for (size_t i = 0; i < t->columns; i++)
		wrap_init(&wraps[i]);
	for (size_t row = 0; row < t->rows && !out->full; row++) {
		lay_out_row(t, widths, wraps, row, out);
		if (row > 0)
			continue;
		int x = t->begin_row(t->user, false);
		for (size_t i = 0; i < t->columns; x += widths[i++] + GAP)
			rich_add_mark(out, x, style_of(ROLE_BORDER), 0x2500, widths[i]);
	}
	for (size_t i = 0; i < t->columns; i++)
		wrap_finish(&wraps[i]);
	free(wraps);
}

/* ---- too many columns: each row a list of them ---- */

static void
put_wrapped(const struct text_table *t, const struct table_cell *cell, int indent, struct rich *out)
{
	struct wrap wrap;
	struct wrap_row at;

	wrap_init(&wrap);
	wrap_set(&wrap, buf_text(&t->sentence->text) + cell->at, cell->end - cell->at,
	    t->width > indent ? t->width - indent : 1);
	for (size_t i = 0; wrap_row_at(&wrap, i, &at) && !out->full; i++) {
		int x = t->begin_row(t->user, false);
		sentence_put(t->sentence, cell->at + at.start, cell->at + at.end, out, x + indent);
	}
	wrap_finish(&wrap);
}

static void
lay_out_below(const struct text_table *t, struct rich *out)
{
	for (size_t row = t->rows > 1 ? 1 : 0; row < t->rows && !out->full; row++) {
		int x = t->begin_row(t->user, false);
		rich_add_mark(out, x, style_of(ROLE_BORDER), 0x2500, t->width);
		for (size_t i = 0; i < t->columns && !out->full; i++) {
			const struct table_cell *cell = cell_at(t, row, i);
			put_wrapped(t, cell_at(t, 0, i), 0, out);
			if (row > 0 && cell->end > cell->at)
				put_wrapped(t, cell, GAP, out);
		}
	}
}

void
text_table_lay_out(const struct text_table *t, struct rich *out)
{
	int *widths = mem_zalloc((t->columns + 1) * sizeof(*widths));

	for (size_t row = 0; row < t->rows; row++)
		for (size_t i = 0; i < t->columns; i++) {
			int columns = cell_columns(t, cell_at(t, row, i));
			widths[i] = columns > widths[i] ? columns : widths[i];
		}
	if (t->columns > 0 && fit(widths, t->columns, t->width))
		lay_out_beside(t, widths, out);
	else
		lay_out_below(t, out);
	free(widths);
}

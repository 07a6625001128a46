#include "columns_priv.h"

#include "base/glyph.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#define GAP 2
#define LEAST 8         /* a column is not cut to less */
#define LEAST_HEADING 5 /* where its cells are no longer */
#define LEAST_LAST 12   /* before all are cut alike */
#define PADDED 60       /* where nothing is cut, a longer cell sticks out */
#define HEADING SIZE_MAX

static void
make_cell(const struct columns *c, size_t row, size_t column, struct buf *text)
{
	buf_clear(text);
	if (row == HEADING)
		c->heading(c->user, column, text);
	else
		c->cell(c->user, row, column, text);
}

/* What a column needs for its cells and for its heading. */
struct need {
	int cells, heading;
};

static void
measure(const struct columns *c, struct need *needs)
{
	size_t most = c->width ? (size_t)c->width : PADDED;
	struct buf text = BUF_INIT;

	for (size_t column = 0; column < c->count; column++) {
		for (size_t row = HEADING; row == HEADING || row < c->rows; row++) {
			make_cell(c, row, column, &text);
			size_t width = glyph_columns(buf_text(&text), text.len);
			int *need = row == HEADING ? &needs[column].heading : &needs[column].cells;
			int w = width < most ? (int)width : (int)most;
			*need = w > *need ? w : *need;
		}
	}
	buf_finish(&text);
}

static int
whole_width(const struct need *need)
{
	return need->cells > need->heading ? need->cells : need->heading;
}

static int
total_width(const struct columns *c, const int *widths, int most)
{
	int total = 0;

	for (size_t i = 0; i < c->count; i++)
		total += (widths[i] < most ? widths[i] : most) + (i ? GAP : 0);
	return total;
}

/* Where a heading is longer than its cells it gives way first. */
static void
cut_headings(const struct columns *c, const struct need *needs, int *widths)
{
	for (size_t i = 0; i < c->count; i++) {
		int least = needs[i].heading < LEAST_HEADING ? needs[i].heading : LEAST_HEADING;
		widths[i] = needs[i].cells > least ? needs[i].cells : least;
	}
}

/* The widest columns give way, all to the same width; before them the last, where it may. */
static void
cut_widest(const struct columns *c, int *widths)
{
	int most = c->width, over = total_width(c, widths, most) - c->width;
	int *last = &widths[c->count - 1];

	if (c->last_gives_way && over > 0)
		*last = *last - over > LEAST_LAST ? *last - over
			: *last < LEAST_LAST      ? *last
						  : LEAST_LAST;
	while (most > LEAST && total_width(c, widths, most) > c->width)
		most--;
	for (size_t i = 0; i < c->count; i++)
		widths[i] = widths[i] < most ? widths[i] : most;
}

/* What is left of the width goes to columns that were cut, evenly. */
static void
share_rest(const struct columns *c, const struct need *needs, int *widths)
{
	int room = c->width - total_width(c, widths, c->width);

	for (int given = 1; room > 0 && given > 0; room -= given) {
		given = 0;
		for (size_t i = 0; i < c->count && given < room; i++) {
			bool cut = widths[i] < whole_width(&needs[i]);
			widths[i] += cut;
			given += cut;
		}
	}
}

static void
fit(const struct columns *c, const struct need *needs, int *widths)
{
	for (size_t i = 0; i < c->count; i++)
		widths[i] = whole_width(&needs[i]);
	if (!c->width || total_width(c, widths, c->width) <= c->width)
		return;
	cut_headings(c, needs, widths);
	cut_widest(c, widths);
	share_rest(c, needs, widths);
}

static void
add_spaces(struct buf *out, int count)
{
	while (count-- > 0)
		buf_add_char(out, ' ');
}

/* As much as fits, the rest as one mark. Returns the columns used. */
static int
add_cut(struct buf *out, const struct buf *text, int width)
{
	const char *s = buf_text(text);
	size_t at = 0;
	int used = 0;

	while (at < text->len) {
		struct glyph g;
		size_t n = glyph_next(s + at, text->len - at, &g);
		if (used + g.width > width - 1)
			break;
		used += g.width;
		at += n;
	}
	glyph_append_safe(out, s, at, GLYPH_KEEP_NOTHING);
	buf_add_str(out, "…");
	return used + 1;
}

static void
add_cell(const struct columns *c, const struct buf *text, size_t column, int width, struct buf *out)
{
	size_t columns = glyph_columns(buf_text(text), text->len);
	bool right = c->is_right && c->is_right(c->user, column);
	int used = columns < (size_t)width ? (int)columns : width;

	if (right)
		add_spaces(out, width - used);
	if (c->width && columns > (size_t)width)
		used = add_cut(out, text, width);
	else
		glyph_append_safe(out, buf_text(text), text->len, GLYPH_KEEP_NOTHING);
	if (!right)
		add_spaces(out, width - used);
}

static void
add_row(const struct columns *c, const int *widths, size_t row, struct buf *text, struct buf *out)
{
	for (size_t column = 0; column < c->count; column++) {
		make_cell(c, row, column, text);
		add_spaces(out, column ? GAP : 0);
		add_cell(c, text, column, widths[column], out);
	}
	while (out->len > 0 && out->data[out->len - 1] == ' ')
		buf_truncate(out, out->len - 1);
	buf_add_char(out, '\n');
}

void
columns_print(const struct columns *c, struct buf *out)
{
	struct need *needs = mem_zalloc(c->count * sizeof(*needs) + 1);
	int *widths = mem_zalloc(c->count * sizeof(*widths) + 1);
	struct buf text = BUF_INIT;

	measure(c, needs);
	fit(c, needs, widths);
	for (size_t row = HEADING; row == HEADING || row < c->rows; row++)
		add_row(c, widths, row, &text, out);
	buf_finish(&text);
	free(needs);
	free(widths);
}

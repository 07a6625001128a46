#include "json/number.h"
#include "table_view.h"
#include "ui/wrap.h"

#include <string.h>

/* Rows of several lines: the values of a wrapped column are whole, within bounds. Only the rows on
 * the screen are asked for their lines, so a long table costs no more. */

/* Of a row; and it leaves half of the room for others. */
#define LINES_MAX 8

/* ---- the lines of a value ---- */

/* The beginning of a string that may be drawn: whole characters. */
static size_t
drawn_bytes(const char *text, int room, int most)
{
	size_t bytes = (size_t)room * 4 * (size_t)most, len = strnlen(text, bytes + 1);

	if (len <= bytes)
		return len;
	while (bytes > 0 && ((unsigned char)text[bytes] & 0xc0) == 0x80)
		bytes--;
	return bytes;
}

static int
text_lines(const char *text, size_t len, int room, int most, struct surface *s, struct style style)
{
	struct wrap wrap;
	struct wrap_row row;
	int lines = 0;

	wrap_init(&wrap);
	wrap_set(&wrap, text, len, room);
	bool several = wrap_row_at(&wrap, 1, &row);
	for (; several && lines < most && wrap_row_at(&wrap, (size_t)lines, &row); lines++) {
		bool cut = lines + 1 == most;
		if (s)
			surface_textn(*s, 0, lines, room, style, text + row.start,
			    (cut ? len : row.end) - row.start);
	}
	wrap_finish(&wrap);
	return lines > 1 ? lines : 1;
}

int
table_cell_lines(const cJSON *cell, int room, int most, struct surface *s, uint32_t ground)
{
	char number[JSON_NUMBER_TEXT_MAX];
	bool is_number = json_type(cell) == JSON_NUMBER;
	const char *text = is_number ? json_number_text(cell, number) : json_string(cell);
	struct buf printed = BUF_INIT;
	int lines = 1;

	if (room < 1 || most < 2 || !cell)
		return 1;
	if (!text || (!is_number && text_is_ambiguous(text))) {
		view_value_cut(cell, (size_t)room * 4 * (size_t)most, &printed);
		text = buf_text(&printed);
	}
	size_t len = drawn_bytes(text, room, most);
	if (len > (size_t)room || memchr(text, '\n', len))
		lines = text_lines(text, len, room, most, s, view_style(cell, ground));
	buf_finish(&printed);
	return lines;
}

/* ---- the lines of a row ---- */

static bool
wraps(const struct table_view *v)
{
	for (size_t i = 0; i < v->table.columns.len; i++)
		if (v->table.columns.items[i].wraps)
			return true;
	return false;
}

int
table_row_lines(const struct table_view *v, size_t shown)
{
	int lines = 1;

	for (size_t i = 0; i < v->slots.len; i++) {
		const struct table_slot *slot = &v->slots.items[i];
		if (!v->table.columns.items[slot->column].wraps)
			continue;
		const cJSON *cell = table_cell(&v->table, v->table.order[shown], slot->column);
		int of_cell = table_cell_lines(cell, slot->width, v->lines.most, NULL, ROLE_NONE);
		lines = of_cell > lines ? of_cell : lines;
	}
	return lines;
}

int
table_lines(const struct table_view *v, int most)
{
	int lines = 0;

	if (v->table.shown > (size_t)most)
		return most + 1;
	if (!wraps(v))
		return (int)v->table.shown;
	for (size_t i = 0; i < v->table.shown && lines <= most; i++)
		lines += table_row_lines(v, i);
	return lines;
}

/* ---- the rows on the screen ---- */

static int
lines_of(const void *user, size_t shown)
{
	return table_row_lines(user, shown);
}

void
table_wrap_fit(struct table_view *v, const struct view_env *env, int width, int height)
{
	v->lines.room = height;
	v->lines.most = height / 2 < LINES_MAX ? height / 2 : LINES_MAX;
	if (!wraps(v))
		list_set_height(&v->list, height);
	table_fit(v, env, width);
	if (!wraps(v))
		return;
	list_set_lines(&v->list, height, lines_of, v);
	table_fit(v, env, width); /* other rows have other widths */
	list_set_lines(&v->list, height, lines_of, v);
}

bool
table_row_at(const struct table_view *v, int y, size_t *shown)
{
	int line = 0;

	for (size_t i = v->list.top; i < v->table.shown && line < v->lines.room; i++) {
		line += table_row_lines(v, i);
		*shown = i;
		if (y < line)
			return y >= 0 && y < v->lines.room;
	}
	return false;
}

int
table_line_of(const struct table_view *v, size_t shown)
{
	int line = 0;

	if (shown < v->list.top || shown - v->list.top >= (size_t)v->list.height)
		return -1;
	for (size_t i = v->list.top; i < shown; i++)
		line += table_row_lines(v, i);
	return line;
}

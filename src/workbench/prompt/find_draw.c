#include "workbench/commands/commands.h"

#include "base/glyph.h"
#include "base/units.h"
#include "base/utf8.h"

#include <string.h>

/* The `/` line, the chip in a title, and the matches that are lit. */
enum { WORD_BYTES = 24 }; /* of a completion in the hint */

static void
add_count(const struct find *f, struct buf *out)
{
	if (f->found.len == 0) {
		buf_add_str(out, f->done ? "nothing found" : "…");
		return;
	}
	if (f->at != SIZE_MAX) {
		units_add_count(out, f->at + 1);
		buf_add_str(out, " of ");
	}
	units_add_count(out, f->found.len);
	if (f->found.len == FIND_MAX || !f->done)
		buf_add_char(out, '+');
}

void
find_chip(struct workbench *wb, int pane, struct buf *out)
{
	struct find_look look;

	find_look(wb, pane, &look);
	if (look.filter && *look.filter) {
		bool expression = look.note && look.note->is_expression;
		buf_addf(out, "%s%s ✕", expression ? "if " : "/", look.filter);
	} else if (look.on) {
		buf_addf(out, "/%s ", wb->find.text);
		add_count(&wb->find, out);
		buf_add_str(out, " ✕");
	}
}

/* The text of a filter stands in each row that it shows. */
static void
light_filter(const struct find_look *look, struct surface inner)
{
	struct substring needle;

	if (!*look->filter || !look->note || look->note->is_expression)
		return;
	substring_init(&needle, look->filter, strlen(look->filter));
	surface_light(inner, &needle, -1);
	substring_finish(&needle);
}

void
find_light(struct workbench *wb, int pane, struct surface inner)
{
	const struct find *f = &wb->find;
	struct find_look look;

	find_look(wb, pane, &look);
	if (look.filter)
		light_filter(&look, inner);
	if (!look.on)
		return;
	inner.grid->unfinished |= !f->done && !f->waits;
	int row = f->at != SIZE_MAX ? look.s.row(&look.s, f->found.items[f->at]) : -1;
	surface_light(inner, &f->needle, row);
}

/* The place that the note complains about, to its end. */
static void
mark_place(const struct find *f, const struct filter_note *note, struct surface line)
{
	const char *text = edit_text(&f->edit);
	size_t len = strlen(text);

	if (!note || !note->trouble[0] || note->at + note->len > len)
		return;
	int x = (int)glyph_columns(text, note->at) - f->edit.left;
	int width = (int)glyph_columns(text + note->at, note->len);
	surface_restyle(line, x, 0, width > 0 ? width : 1, ROLE_ERROR_CELL, ATTR_UNDERLINE);
}

/* "Tab price (3)": what Tab writes, and how many words fit. */
static void
add_word(const struct find *f, struct buf *out)
{
	size_t at = f->word, count = f->words.lines.len;
	const char *line = completions_take(&f->words, &at, edit_text(&f->edit), 1);

	if (!line || strcmp(line, edit_text(&f->edit)) == 0)
		return;
	buf_add_str(out, "Tab ");
	utf8_add_cut(out, line + f->words_at, strlen(line + f->words_at), WORD_BYTES);
	if (count > 1)
		buf_addf(out, " (%zu)", count);
}

void
find_draw(struct workbench *wb, struct surface bar)
{
	struct find *f = &wb->find;
	struct style style = style_on(ROLE_TEXT, ROLE_BAR);
	struct buf right = BUF_INIT;
	struct find_look look;

	find_look(wb, f->typed_in, &look);
	const struct filter_note *note = look.note;
	bool wrong = note && note->trouble[0];
	if (!look.can)
		buf_add_str(&right, "nothing to search here   ");
	else if (look.on)
		add_count(f, &right);
	add_word(f, &right);
	if (wrong)
		buf_addf(&right, "%s%s", right.len > 0 ? "   " : "", note->trouble);
	else
		buf_addf(&right, "%s%sEnter keep  Esc leave%s", right.len > 0 ? "   " : "",
		    note && note->is_expression ? "expression   " : "",
		    look.filter ? "  ↑↓ select" : "");
	surface_clear(bar, style);
	int used = surface_text_right(
	    bar, bar.width - 1, 0, bar.width / 2, style_on(ROLE_DIM, ROLE_BAR), buf_text(&right));
	surface_text(bar, 1, 0, 1, style_on(ROLE_BAR_KEY, ROLE_BAR), "/");
	struct surface line = surface_sub(bar, 2, 0, bar.width - used - 4, 1);
	edit_draw(&f->edit, line, style, true, NULL);
	mark_place(f, note, line);
	buf_finish(&right);
}

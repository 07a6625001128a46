/* SPDX-License-Identifier: MIT */
#include "workbench/commands/commands.h"

#include "base/glyph.h"
#include "base/mem.h"
#include "base/units.h"

#include <stdlib.h>
#include <string.h>

/* Ctrl-P: everything that has a name, found by a few of its letters. */

enum { WIDTH = 100, WIDEST = 150, HEIGHT = 22, KIND_COLS = 9, NAME_SHARE = 45, KEY_COLS = 14 };

static void
finish(struct workbench *wb)
{
	struct palette *p = &wb->palette;

	job_drop(&p->calls_job);
	palette_forget_calls(&p->calls);
	edit_finish(&p->edit);
	buf_finish(&p->text);
	free(p->all.items);
	free(p->found.items);
	*p = (struct palette){ 0 };
}

static const struct palette_item *
item_at(const struct palette *p, size_t row)
{
	return row < p->best_count ? &p->all.items[p->best[row].item] : NULL;
}

/* A selected theme is shown, every other row the set one. */
static void
preview(struct workbench *wb, bool wanted)
{
	struct palette *p = &wb->palette;
	const struct palette_item *item = item_at(p, p->list.selected);
	bool is_theme = wanted && item && item->kind == PALETTE_THEME;

	if (wb->effects->preview_theme && (is_theme || p->previews))
		wb->effects->preview_theme(wb->user, is_theme ? palette_text(p, item->name) : NULL);
	p->previews = is_theme;
}

static void
leave(struct workbench *wb)
{
	preview(wb, false);
	wb->dialog = NULL;
}

/* Lists that arrived meanwhile are indexed, too. */
static void
refresh(struct workbench *wb)
{
	struct palette *p = &wb->palette;
	size_t selected = p->list.selected;

	if (!palette_index(wb))
		return;
	palette_search(p, edit_text(&p->edit));
	list_select(&p->list, selected);
}

bool
cmd_palette(struct workbench *wb, const char *arg)
{
	struct palette *p = &wb->palette;

	wb->dialog = &dialog_palette;
	p->made_of = 0;
	p->list = (struct list){ 0 };
	p->name_cols = 0;
	palette_find_calls(wb);
	edit_set(&p->edit, arg, strnlen(arg, PALETTE_TYPED_MAX));
	refresh(wb);
	return true;
}

/* The line continues after ":". */
static void
complete_line(struct workbench *wb, const struct palette_item *item)
{
	const struct command_info *info;
	const char *line = palette_text(&wb->palette, item->line);
	bool more = item->asks;

	for (size_t i = 0; !more && (info = workbench_command_info(i)); i++)
		more = info->args[0] && strcmp(info->name, line) == 0;
	char *text = mem_printf("%s%s", line, more ? " " : "");
	leave(wb);
	prompt_open(wb, text);
	free(text);
}

static void
run(struct workbench *wb, const struct palette_item *item)
{
	char *line = mem_strdup(palette_text(&wb->palette, item->line));
	size_t server = item->server;
	bool only_shows = item->kind == PALETTE_SERVER;

	uses_note(&wb->uses, line);
	if (item->asks) {
		complete_line(wb, item);
		free(line);
		return;
	}
	leave(wb);
	if ((server == 0 || start_show(wb, server - 1)) && !only_shows && !wb->dialog)
		workbench_run(wb, line, wb->now_us);
	free(line);
}

static bool
move(struct workbench *wb, const struct key *key)
{
	struct palette *p = &wb->palette;
	bool chord = key->kind == KEY_CHAR && key->mods == MOD_CTRL;
	bool steps = chord && (key->ch == 'n' || key->ch == 'p');

	if (steps)
		list_move(&p->list, key->ch == 'n' ? 1 : -1);
	bool used = steps || (key->kind != KEY_CHAR && list_key(&p->list, key));
	preview(wb, true);
	return used;
}

static bool
on_key(struct workbench *wb, const struct key *key)
{
	struct palette *p = &wb->palette;
	bool changed = false, used = true;

	refresh(wb);
	const struct palette_item *item = item_at(p, p->list.selected);
	size_t row;
	bool pressed = key->kind == KEY_MOUSE && key->action == MOUSE_PRESS;
	bool outside = pressed && !rect_has(&p->box, key->x, key->y);
	if (outside || dialog_closes(key))
		leave(wb);
	else if (pressed && list_row_at(&p->list, key->y - p->y, &row))
		run(wb, item_at(p, row));
	else if (pressed)
		return true;
	else if (key->kind == KEY_ENTER && item)
		run(wb, item);
	else if (key->kind == KEY_TAB && item)
		complete_line(wb, item);
	else if (!edit_key(&p->edit, key, &changed))
		used = move(wb, key);
	if (changed) {
		palette_search(p, edit_text(&p->edit));
		preview(wb, true);
	}
	return used;
}

/* ---- drawing ---- */

/* Draws the letters that a word of the search matched in another color, and cuts the text where it
 * no longer fits. Returns the columns. */
static int
draw_lit(const struct palette *p, struct surface s, enum role role, const char *text, size_t len)
{
	bool lit[FUZZY_TEXT_MAX] = { false };
	uint16_t at[FUZZY_LETTERS];
	int used = 0, room = (int)glyph_columns(text, len) > s.width ? s.width - 1 : s.width;

	for (size_t w = 0; w < p->word_count; w++)
		if (fuzzy_match(&p->words[w], text, len, at))
			for (size_t k = 0; k < p->words[w].len; k++)
				lit[at[k]] = true;
	for (size_t from = 0, to; from < len && used < s.width; from = to) {
		to = from + 1;
		while (to < len && (lit[to] == lit[from] || (text[to] & 0xc0) == 0x80))
			to++;
		struct style style = style_on(lit[from] ? ROLE_MATCH : role, ROLE_DIALOG);
		style.attr = lit[from] ? ATTR_BOLD : 0;
		bool fits = used + (int)glyph_columns(text + from, to - from) <= room;
		used +=
		    surface_textn(s, used, 0, style, text + from, fits ? to - from : len - from);
		if (!fits)
			break;
	}
	return used;
}

/* Its key in the pane in front, or of a pane's command in that pane. Returns its columns. */
static int
draw_key(struct workbench *wb, struct surface s, int y, const struct palette_item *item)
{
	const char *line = palette_text(&wb->palette, item->line);
	const char *context = workbench_contexts(wb, workbench_focused(wb));
	bool own = item->context && strcmp(item->context, KEYMAP_GLOBAL) != 0;
	char key[32];

	if (keymap_key_for(&wb->keymap, context, line, key, sizeof(key)) ||
	    (own && keymap_key_for(&wb->keymap, item->context, line, key, sizeof(key))))
		return surface_text_right(
		    s, s.width, y, KEY_COLS, style_on(ROLE_BAR_KEY, ROLE_DIALOG), key);
	return 0;
}

/* Return the columns of the widest visible name and a part of its other names, up to a share of the
 * room. The result never shrinks while the palette is open. */
static int
name_columns(struct palette *p, int room, int height)
{
	enum { LEAST = 24, GAP = 2, ALIAS_COLS = 14 };
	int cols = p->name_cols > LEAST ? p->name_cols : LEAST, most = room * NAME_SHARE / 100;

	for (int y = 0; y < height && cols < most; y++) {
		const struct palette_item *item = item_at(p, p->list.top + (size_t)y);
		if (!item)
			break;
		int name = (int)glyph_columns(palette_text(p, item->name), item->name_len);
		int alias = (int)glyph_columns(palette_text(p, item->alias), item->alias_len);
		name += alias > 0 ? GAP + (alias < ALIAS_COLS ? alias : ALIAS_COLS) : 0;
		cols = name > cols ? name : cols;
	}
	p->name_cols = cols;
	return cols < most ? cols : most;
}

static void
draw_item(
    struct workbench *wb, struct surface s, int y, const struct palette_item *item, int name_cols)
{
	const struct palette *p = &wb->palette;
	const struct style dim = style_on(ROLE_DIM, ROLE_DIALOG);
	enum role role = item->applies ? ROLE_TEXT : ROLE_DIM;
	const char *name = palette_text(p, item->name), *alias = palette_text(p, item->alias);
	size_t note_len;
	const char *note = palette_note(wb, item, &note_len);
	int x = KIND_COLS + name_cols + 2, key = draw_key(wb, s, y, item);

	surface_text(s, 0, y, KIND_COLS - 1, dim, palette_kinds[item->kind]);
	struct surface names = surface_sub(s, KIND_COLS, y, name_cols, 1);
	int used = draw_lit(p, names, role, name, item->name_len);
	if (item->alias_len > 0 && used + 4 < name_cols)
		draw_lit(p, surface_sub(names, used + 2, 0, name_cols, 1), ROLE_DIM, alias,
		    item->alias_len);
	if (item->server > 0 && item->kind != PALETTE_SERVER)
		x += surface_textf(s, x, y, NAME_SHARE, dim,
		    "%s: ", wb->ws.choices[item->server - 1].target->name);
	int end = s.width - (key > 0 ? key + 2 : 0);
	if (x < end)
		surface_textn(surface_sub(s, x, y, end - x, 1), 0, 0, dim, note, note_len);
}

static void
draw_rows(struct workbench *wb, struct surface s)
{
	struct palette *p = &wb->palette;
	const struct palette_item *item;

	p->y = s.y;
	list_set_height(&p->list, s.height);
	int name_cols = name_columns(p, s.width - KIND_COLS - KEY_COLS, s.height);
	if (p->best_count == 0)
		surface_text(s, 0, 0, -1, style_on(ROLE_HINT, ROLE_DIALOG),
		    "Nothing has these letters in this order.");
	for (int y = 0; y < s.height; y++) {
		item = item_at(p, p->list.top + (size_t)y);
		if (!item)
			break;
		draw_item(wb, s, y, item, name_cols);
		if (p->list.top + (size_t)y == p->list.selected)
			surface_select_row(s, y, true);
	}
	surface_scrollbar(s, true, p->best_count, p->list.top);
}

/* Return the box: a row for each item found, below a fixed top. */
static struct surface
place(struct palette *p, struct surface main)
{
	enum { ABOVE_ROWS = 4 };
	int wide = main.width * 3 / 4 < WIDEST ? main.width * 3 / 4 : WIDEST;
	int width = main.width < WIDTH ? main.width : wide > WIDTH ? wide : WIDTH;
	int most = main.height < HEIGHT ? main.height : HEIGHT;
	int rows = p->best_count ? (int)p->best_count + ABOVE_ROWS : ABOVE_ROWS + 1;
	struct surface box = surface_sub(main, (main.width - width) / 2, (main.height - most) / 2,
	    width, rows < most ? rows : most);

	surface_clear(box, style_on(ROLE_TEXT, ROLE_DIALOG));
	p->box = (struct rect){ box.x, box.y, box.width, box.height };
	return box;
}

static void
draw(struct workbench *wb, struct surface main, struct surface bar)
{
	struct palette *p = &wb->palette;
	struct buf facts = BUF_INIT;

	refresh(wb);
	struct surface box = place(p, main);
	if (p->best_count < p->found.len) {
		buf_add_str(&facts, "the best ");
		units_add_count(&facts, p->best_count);
		buf_add_str(&facts, " of ");
	}
	units_add_count(&facts, p->found.len);
	buf_add_str(&facts, " found");
	struct surface inner =
	    surface_frame(box, true, "Find anything", buf_text(&facts), ROLE_DIM);
	buf_finish(&facts);
	surface_put(inner, 0, 0, style_on(ROLE_BAR_KEY, ROLE_DIALOG), '>');
	edit_draw(&p->edit, surface_sub(inner, 2, 0, inner.width - 2, 1),
	    style_on(ROLE_TEXT, ROLE_DIALOG), true,
	    "letters of a command, tool, resource, prompt, past call, setting, server, theme ...");
	surface_repeat(inner, 0, 1, inner.width, style_on(ROLE_BORDER, ROLE_DIALOG), 0x2500);
	struct surface rows =
	    surface_sub(inner, 0, 2, inner.width, inner.height > 2 ? inner.height - 2 : 0);
	draw_rows(wb, rows);
}

const struct dialog dialog_palette = {
	.key = on_key,
	.draw = draw,
	.finish = finish,
	.keys = "Enter run  Tab complete after :  ↑↓ select  Esc close",
};

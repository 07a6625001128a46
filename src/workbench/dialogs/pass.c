/* SPDX-License-Identifier: MIT */
#include "workbench/commands/commands.h"

#include "base/glyph.h"
#include "base/mem.h"
#include "base/text_match.h"
#include "base/units.h"
#include "base/url.h"
#include "base/vec.h"
#include "json/print.h"

#include <stdlib.h>
#include <string.h>

/* Which field of which call gets the value: those that could take it, best first. */

enum { WIDTH = 100, HEIGHT = 22, ABOVE_ROWS = 3, NAME_COLS = 30, FIELD_COLS = 24 };

static void
finish(struct workbench *wb)
{
	struct pass *p = &wb->pass;

	for (size_t i = 0; i < p->count; i++)
		pass_part_finish(&p->parts[i]);
	chain_fields_finish(&p->fields);
	edit_finish(&p->edit);
	free(p->shown.items);
	free(p->uri);
	*p = (struct pass){ 0 };
}

/* ---- the rows: a command for a URI, then the fields with the typed words ---- */

static const struct extra {
	const char *name, *note, *command;
} extras[] = {
	{ "read the resource", "resources/read", "resource" },
	{ "open in the browser", "after a question", "browse" },
};

static size_t
extra_count(const struct pass *p)
{
	return p->uri ? 1 : 0;
}

static const struct extra *
extra_of(const struct pass *p)
{
	return &extras[p->is_web];
}

enum { WORDS_MAX = 6 };

struct typed_words {
	struct substring items[WORDS_MAX];
	size_t len;
};

static bool
has_words(const struct pass *p, const struct chain_field *f, const struct typed_words *w)
{
	const char *key = chain_text(&p->fields, f->key);
	const char *pointer = chain_text(&p->fields, f->pointer);

	for (size_t i = 0; i < w->len; i++)
		if (!substring_is_in(&w->items[i], key, strlen(key)) &&
		    !substring_is_in(&w->items[i], pointer, strlen(pointer)))
			return false;
	return true;
}

static void
narrow(struct workbench *wb)
{
	struct pass *p = &wb->pass;
	struct typed_words words = { .len = 0 };
	const char *at = edit_text(&p->edit);

	for (; *(at += strspn(at, " ")) && words.len < WORDS_MAX; at += strcspn(at, " "))
		substring_init(&words.items[words.len++], at, strcspn(at, " "));
	p->shown.len = 0;
	for (size_t i = 0; i < p->fields.len; i++)
		if (has_words(p, &p->fields.items[i], &words))
			*VEC_PUSH(&p->shown) = (uint32_t)i;
	while (words.len > 0)
		substring_finish(&words.items[--words.len]);
	list_set_count(&wb->rows.list, extra_count(p) + p->shown.len);
	list_select(&wb->rows.list, 0);
}

/* A resource that is listed is read; an address of the web is for the browser. */
static void
find_uri(struct workbench *wb)
{
	struct pass *p = &wb->pass;
	const struct pass_part *part = &p->parts[p->part];
	const char *text = cJSON_GetStringValue(json_root(part->sample));

	free(p->uri);
	p->uri = NULL;
	if (part->what != PASS_VALUE || !text || !wb->ws.server || !strstr(text, "://") ||
	    strpbrk(text, " \t\n\r") || strlen(text) > 4096)
		return;
	bool listed = primitive_list_find(
	    &server_info(wb->ws.server)->lists[PRIMITIVE_RESOURCE].list, text, 0);
	p->is_web = !listed && is_web_url(text);
	p->uri = mem_strdup(text);
}

static void
show_part(struct workbench *wb, size_t part)
{
	struct pass *p = &wb->pass;

	p->part = part;
	chain_fields_finish(&p->fields);
	pass_find_fields(wb, &p->parts[part], &p->fields);
	find_uri(wb);
	narrow(wb);
}

bool
pass_open(struct workbench *wb, const struct pass_part *parts, size_t count, size_t part)
{
	struct pass *p = &wb->pass;

	finish(wb);
	memcpy(p->parts, parts, count * sizeof(parts[0]));
	p->count = count;
	edit_init(&p->edit, false, PALETTE_TYPED_MAX);
	list_dialog_open(wb, &dialog_pass, "Pass on to which field?", 0);
	show_part(wb, part);
	return true;
}

/* ---- keys ---- */

static void
choose(struct workbench *wb, size_t row)
{
	struct pass *p = &wb->pass;
	struct pass open = *p; /* pass_on() may open another dialog */

	if (row < extra_count(p)) {
		dialog_leave_for(wb, mem_printf("%s %s", extra_of(p)->command, p->uri));
		return;
	}
	row -= extra_count(p);
	if (row >= p->shown.len)
		return;
	*p = (struct pass){ 0 };
	wb->dialog = NULL;
	pass_on(
	    wb, &open.parts[open.part], &open.fields, &open.fields.items[open.shown.items[row]]);
	for (size_t i = 0; i < open.count; i++)
		pass_part_finish(&open.parts[i]);
	chain_fields_finish(&open.fields);
	edit_finish(&open.edit);
	free(open.shown.items);
	free(open.uri);
}

static bool
on_key(struct workbench *wb, const struct key *key)
{
	struct pass *p = &wb->pass;
	bool acts = key->kind == KEY_MOUSE || key->kind == KEY_ENTER;
	bool changed = false;

	if (acts || dialog_closes(key))
		return list_dialog_key(wb, key);
	if (key->kind == KEY_TAB)
		show_part(wb, (p->part + (key->mods & MOD_SHIFT ? p->count - 1 : 1)) % p->count);
	else if (!edit_key(&p->edit, key, &changed))
		return key->kind != KEY_CHAR && list_dialog_key(wb, key);
	if (changed)
		narrow(wb);
	return true;
}

static void
add_keys(const struct workbench *wb, struct buf *out)
{
	buf_addf(out, "Enter %s  %sletters find  Esc close",
	    wb->rows.list.selected < extra_count(&wb->pass) ? "open" : "fill in",
	    wb->pass.count > 1 ? "Tab other values  " : "");
}

/* ---- drawing ---- */

static void
add_part(const struct pass_part *part, struct buf *out)
{
	switch (part->what) {
	case PASS_VALUE:
		json_print_brief(out, json_root(part->sample), 40);
		break;
	case PASS_ROWS:
		units_add_counted(out, part->count, "selected row");
		break;
	case PASS_COLUMN:
		buf_add_str(out, "the column: ");
		units_add_counted(out, part->count, "row");
		break;
	default:
		units_add_counted(out, part->count, "item");
	}
}

/* Draws the parts of the result; one of them is passed on. */
static void
draw_parts(const struct pass *p, struct surface s)
{
	struct buf text = BUF_INIT;
	int x = 0;

	for (size_t i = 0; i < p->count && x < s.width; i++) {
		bool is_it = i == p->part;
		buf_clear(&text);
		add_part(&p->parts[i], &text);
		x += surface_text(s, x, 0, -1,
		    style_on(is_it ? ROLE_ACCENT : ROLE_HINT, ROLE_DIALOG), is_it ? "● " : "○ ");
		x += surface_text(s, x, 0, s.width - x,
		    style_on(is_it ? ROLE_TITLE : ROLE_DIM, ROLE_DIALOG), buf_text(&text));
		x += 3;
	}
	buf_finish(&text);
}

static void
draw_row(struct workbench *wb, struct surface s, int y, size_t row)
{
	const struct pass *p = &wb->pass;
	const int name_cols = p->name_cols;

	if (row < extra_count(p)) {
		int x =
		    surface_text(s, 0, y, -1, style_on(ROLE_TEXT, ROLE_DIALOG), extra_of(p)->name);
		surface_text(s, x + 2, y, -1, style_on(ROLE_DIM, ROLE_DIALOG), extra_of(p)->note);
		return;
	}
	const struct chain_field *f = &p->fields.items[p->shown.items[row - extra_count(p)]];
	const struct style dim = style_on(ROLE_DIM, ROLE_DIALOG);
	const struct server *other = f->server > 0 ? pass_server(wb, f->server) : NULL;
	const char *pointer = chain_text(&p->fields, f->pointer);
	int field_cols = s.width < 90 ? FIELD_COLS - 6 : FIELD_COLS;
	bool deep = *pointer && strchr(pointer + 1, '/');
	int x = surface_text(
	    s, 0, y, name_cols, style_on(ROLE_TEXT, ROLE_DIALOG), chain_text(&p->fields, f->key));

	if (f->kind != PRIMITIVE_TOOL && x + 2 < name_cols)
		surface_text(s, x + 1, y, name_cols - x - 1, dim, primitive_kinds[f->kind].name);
	x = name_cols + 2;
	surface_text(s, x, y, FIELD_COLS, style_on(f->named ? ROLE_ACCENT : ROLE_TEXT, ROLE_DIALOG),
	    pointer + (deep ? 0 : 1));
	x += field_cols + 2;
	if (p->parts[p->part].what != PASS_VALUE)
		x += surface_text(s, x, y, s.width - x, style_on(ROLE_HINT, ROLE_DIALOG),
		    f->array ? "all in " : "each a ");
	x += surface_text(s, x, y, s.width - x, dim, chain_text(&p->fields, f->type));
	if (other && x + 4 < s.width)
		surface_textf(s, x, y, s.width - x, style_on(ROLE_WARNING, ROLE_DIALOG),
		    " on %.40s", server_info(other)->name);
}

static int
name_columns(const struct pass *p, const struct list *list, int room)
{
	int cols = 12;

	for (int y = 0; y < list->height && list->top + (size_t)y < list->count; y++) {
		size_t row = list->top + (size_t)y;
		if (row < extra_count(p))
			continue;
		const char *key = chain_text(
		    &p->fields, p->fields.items[p->shown.items[row - extra_count(p)]].key);
		int used = (int)glyph_columns(key, strlen(key));
		cols = used > cols ? used : cols;
	}
	return cols < room / 2 - 4 && cols < NAME_COLS + 10 ? cols
	       : room / 2 - 4 < NAME_COLS                   ? room / 2 - 4
							    : NAME_COLS;
}

static void
draw(struct workbench *wb, struct surface main, struct surface bar)
{
	struct pass *p = &wb->pass;
	struct buf facts = BUF_INIT;
	int most = main.height < HEIGHT ? main.height : HEIGHT;
	struct list *list = &wb->rows.list;
	int rows = (int)(list->count < HEIGHT ? list->count : HEIGHT);

	rows = (rows > 0 ? rows : 1) + ABOVE_ROWS + 2;
	struct surface box = dialog_box(main, WIDTH, rows < most ? rows : most);
	wb->rows.box = (struct rect){ box.x, box.y, box.width, box.height };
	units_add_counted(&facts, p->shown.len, "field");
	buf_add_str(&facts, p->fields.more ? ", and there are more" : "");
	struct surface inner = surface_frame(box, true, wb->rows.title, buf_text(&facts), ROLE_DIM);
	buf_finish(&facts);
	draw_parts(p, surface_sub(inner, 0, 0, inner.width, 1));
	surface_put(inner, 0, 1, style_on(ROLE_BAR_KEY, ROLE_DIALOG), '>');
	edit_draw(&p->edit, surface_sub(inner, 2, 1, inner.width - 2, 1),
	    style_on(ROLE_TEXT, ROLE_DIALOG), true, "letters of a tool or a field");
	surface_repeat(inner, 0, 2, inner.width, style_on(ROLE_BORDER, ROLE_DIALOG), 0x2500);
	inner = surface_sub(inner, 0, ABOVE_ROWS, inner.width,
	    inner.height > ABOVE_ROWS ? inner.height - ABOVE_ROWS : 0);
	list_set_height(list, inner.height);
	p->name_cols = name_columns(p, list, inner.width);
	if (list->count == 0)
		surface_text(inner, 0, 0, -1, style_on(ROLE_HINT, ROLE_DIALOG),
		    p->fields.len > 0 ? "No field has these letters."
				      : "No tool has a field for this value.");
	list_dialog_draw_rows(wb, inner);
}

const struct dialog dialog_pass = {
	.key = on_key,
	.draw = draw,
	.finish = finish,
	.add_keys = add_keys,
	.rows = &(const struct list_dialog_ops){ .choose = choose, .draw_row = draw_row },
};

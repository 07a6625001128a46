/* SPDX-License-Identifier: MIT */
#include "workbench/commands/commands.h"

#include "base/buf.h"
#include "base/vec.h"
#include "ui/list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Columns of a row: key, command, description. */
enum { HELP_NAME = 14, HELP_TEXT = 36, HELP_WIDTH = 100 };

static void
finish(struct workbench *wb)
{
	wrap_finish(&wb->help.wrap);
	free(wb->help.text);
	wb->help = (struct help){ 0 };
}

static int
help_width(const struct workbench *wb)
{
	return (wb->frame.width < HELP_WIDTH ? wb->frame.width : HELP_WIDTH) - 4;
}

/* The description in its column: below the row if that has no room for it. */
static void
add_hanging(const struct workbench *wb, struct buf *out, bool full, const char *text)
{
	bool narrow = help_width(wb) < HELP_TEXT + 24, below = narrow || full;
	int indent = narrow ? 4 : HELP_TEXT, room = help_width(wb) - indent;
	struct wrap wrap;
	struct wrap_row row;

	wrap_init(&wrap);
	wrap_set(&wrap, text, strlen(text), room > 1 ? room : 1);
	if (below)
		buf_add_char(out, '\n');
	for (size_t i = 0; wrap_row_at(&wrap, i, &row); i++) {
		if (i > 0 || below)
			buf_addf(out, "%*s", indent, "");
		buf_add(out, text + row.start, row.end - row.start);
		buf_add_char(out, '\n');
	}
	wrap_finish(&wrap);
}

/* The current keys, the name with arguments, and the description. */
static void
add_row(
    const struct workbench *wb, struct buf *out, const struct command_info *info, const char *keys)
{
	char name[64];

	snprintf(name, sizeof(name), "%s%s%s", info->name, info->args[0] ? " " : "", info->args);
	buf_addf(out, "  %-*s %-*s ", HELP_NAME - 3, keys, HELP_TEXT - HELP_NAME - 1, name);
	add_hanging(wb, out, strlen(name) >= HELP_TEXT - HELP_NAME, info->help);
}

/* Commands of the context `from`: those with keys in the context `where`, or those without, while
 * keys are looked up in `contexts`. */
struct selection {
	const char *from, *where, *contexts;
	bool keyless;
};

/* A global command that the pane binds or implements is listed with the pane. */
static bool
is_told(const struct workbench *wb, const struct pane *pane, const struct selection *sel,
    const struct command_info *info)
{
	struct buf keys = BUF_INIT;

	if (strcmp(info->context, sel->from) != 0)
		return false;
	if (strcmp(sel->from, KEYMAP_GLOBAL) != 0)
		return true;
	bool has = view_find_action(pane->ops, info->name);
	bool own = has || keymap_keys_in(&wb->keymap, pane->name, pane->name, info->name, &keys);
	buf_finish(&keys);
	return strcmp(sel->where, pane->name) == 0 ? !has : !own;
}

static void
add_selection(const struct workbench *wb, struct buf *out, const struct pane *pane,
    const struct selection *sel)
{
	const struct command_info *info;
	struct buf keys = BUF_INIT;

	for (size_t i = 0; (info = workbench_command_info(i)); i++) {
		if (!is_told(wb, pane, sel, info))
			continue;
		buf_clear(&keys);
		bool any =
		    keymap_keys_in(&wb->keymap, sel->where, sel->contexts, info->name, &keys);
		if (any != sel->keyless)
			add_row(wb, out, info, buf_text(&keys));
	}
	buf_finish(&keys);
}

static void
add_own(const struct workbench *wb, struct buf *out, const struct pane *pane)
{
	const struct selection parts[] = {
		{ pane->name, pane->name, pane->name, false },
		{ KEYMAP_GLOBAL, pane->name, pane->name, false },
		{ pane->name, pane->name, pane->name, true },
	};

	buf_addf(out, "%s: %s\n", pane->ops->title, pane->ops->help);
	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		add_selection(wb, out, pane, &parts[i]);
}

/* The views, whose keys work in the pane that shows them. */
static void
add_views(const struct workbench *wb, struct buf *out, const struct pane *pane)
{
	char contexts[64];

	for (int i = 0; i < VIEW_COUNT && pane->ops->child; i++) {
		const struct view_ops *view = value_views[i];
		const struct selection parts[] = {
			{ view->title, view->title, contexts, false },
			{ view->title, view->title, contexts, true },
		};
		snprintf(contexts, sizeof(contexts), "%s %s", pane->name, view->title);
		buf_addf(out, "\nView %s: %s\n", view->title, view->help);
		for (size_t k = 0; k < ARRAY_LEN(parts); k++)
			add_selection(wb, out, pane, &parts[k]);
	}
}

static const char moving[] =
    "\nMoving\n"
    " Arrows or hjkl move the selection; PgUp, PgDn, Home and End move it farther.\n"
    " Enter acts on the selection. Tab goes to the next pane.\n"
    " Right goes from the list into the form; Left goes back from a left edge.\n"
    " F5 moves to the result; Esc moves back to where F5 was pressed.\n"
    " Esc ends one thing at a time: the line at the bottom, a filter or a search,\n"
    " an item open in the pane, the overlay, the zoom; then it goes to the list.\n"
    " / filters a list or a table and searches all other panes; n and N continue.\n"
    " q closes the top overlay, or quits on the workbench; Ctrl-Q quits at once.\n"
    " Alt-1 to Alt-9 go to the pane of that number; the digits show servers.\n"
    " The mouse clicks tabs, panes, rows, buttons and the words at the bottom; a\n"
    " second click opens, the wheel scrolls, borders are dragged.\n"
    " An app has every key but Ctrl-] once Enter or a click gave it the keyboard;\n"
    " Alt-V goes between app and result; :app full and :app pip move it.\n"
    " In a form letters are text: just type. Tab, Enter and the arrows go to the\n"
    " next field. Commands there have F, Alt and Ctrl keys; after Esc letters are\n"
    " commands, too, until you move on. Esc once more leaves the form.\n"
    " A key's command can be typed after : as well; Tab completes it.\n"
    " Ctrl-P finds every command, tool, resource, prompt, skill, pane, server and\n"
    " theme by a few letters of its name. ; puts a letter on every control (in a\n"
    " menu or a text Alt-;).\n";

/* The marks of tools, fields, servers, calls and cells. */
static const char marks[] =
    "Marks\n"
    " ▦ the result is a table, ▤ an object, as the outputSchema says\n"
    " ◐ running  ✓ valid, or dim: no outputSchema  ✗ invalid, or failed  – cancelled\n"
    " ∅ structuredContent is missing  ! isError, or a suspicious definition\n"
    " ? not fully checked  ◌ being checked  ⚠ no result, or a broken outputSchema\n"
    " † destructive, says the server: asks before its first call\n"
    " ◫ it has an app (MCP Apps)  ⊘ it is for apps alone: no model sees it\n"
    " In a form: * required  = read-only  × deprecated\n"
    " · absent in a table  ⟨missing⟩ though required  ▲ ▼ the column sorted by\n"
    " ◉ watched  ◆ changed since it was read or called (F2)  ▸ closed  ▾ open\n"
    " ● connected  ◌ not started  ○ not reached or confirmed  ▸2 calls run\n"
    " → sent  ← received  … cut  ≈ estimated  ✕ clears the filter or search\n\n";

static void
fill(struct workbench *wb)
{
	const struct pane *pane = &pane_table[workbench_focused(wb)];
	const struct command_info *info;
	struct buf out = BUF_INIT;

	const struct selection keys = { KEYMAP_GLOBAL, KEYMAP_GLOBAL, pane->name, false };
	const struct selection names = { KEYMAP_GLOBAL, KEYMAP_GLOBAL, pane->name, true };
	buf_add_str(&out, marks);
	add_own(wb, &out, pane);
	add_views(wb, &out, pane);
	buf_add_str(&out, "\nEverywhere\n");
	add_selection(wb, &out, pane, &keys);
	buf_add_str(&out, moving);
	buf_add_str(&out, "\nCommands without a key here, typed after :\n");
	add_selection(wb, &out, pane, &names);
	buf_add_str(&out, "\nOther names\n");
	for (size_t i = 0; (info = workbench_command_info(i)); i++)
		if (info->alias_of)
			buf_addf(&out, "  %-*s %s\n", HELP_TEXT - 3, info->name, info->help);
	for (int i = 0; i < PANE_COUNT; i++) {
		if (&pane_table[i] == pane || !pane_table[i].ops->actions)
			continue;
		buf_add_char(&out, '\n');
		add_own(wb, &out, &pane_table[i]);
		if (i == PANE_structured && !pane->ops->child)
			add_views(wb, &out, &pane_table[i]);
	}
	free(wb->help.text);
	wb->help.text = buf_detach(&out);
	wb->help.width = wb->frame.width;
}

void
help_open(struct workbench *wb)
{
	finish(wb);
	wrap_init(&wb->help.wrap);
	fill(wb);
	wb->dialog = &dialog_help;
}

static bool
seek(struct workbench *wb, struct seekable *out)
{
	*out = seek_wrap(&wb->help.wrap, &wb->help.top, wb->help.height, 0);
	return true;
}

static bool
on_key(struct workbench *wb, const struct key *key)
{
	size_t count = wrap_rows(&wb->help.wrap);
	size_t page = wb->frame.height > 6 ? (size_t)wb->frame.height - 6 : 1;
	size_t last = count > page ? count - page : 0;

	bool scrolls = scroll_key(key, page, &wb->help.top);
	bool ends = !scrolls && (key->kind == KEY_ESCAPE || key->kind == KEY_ENTER ||
				    keymap_runs(&wb->keymap, KEYMAP_GLOBAL, key, "help") ||
				    keymap_runs(&wb->keymap, KEYMAP_GLOBAL, key, "close"));
	if (ends)
		wb->dialog = NULL;
	if (wb->help.top > last)
		wb->help.top = last;
	return scrolls || ends;
}

/* Heads in bold; key, command and description each in their own color. */
static void
draw_line(struct wrap *wrap, struct surface s, int y, size_t number)
{
	struct wrap_row row;
	struct style text = style_on(ROLE_TEXT, ROLE_DIALOG);

	if (!wrap_row_at(wrap, number, &row) || row.start == row.end)
		return;
	const char *line = wrap->text + row.start;
	size_t len = row.end - row.start;
	/* rows of commands begin with two blanks, sentences with one */
	bool is_row = len > HELP_NAME && line[1] == ' ' && line[HELP_NAME] != ' ';
	bool has_text = len > HELP_TEXT && line[HELP_TEXT - 1] == ' ';
	if (line[0] != ' ' && (row.start == 0 || line[-1] == '\n')) {
		text = style_on(ROLE_TITLE, ROLE_DIALOG);
		text.attr = ATTR_BOLD;
	}
	surface_textn(s, 0, y, text, line, len);
	if (!is_row)
		return;
	surface_textn(s, 2, y, style_on(ROLE_BAR_KEY, ROLE_DIALOG), line + 2, HELP_NAME - 2);
	surface_textn(s, HELP_NAME, y, style_on(ROLE_KEY_NAME, ROLE_DIALOG), line + HELP_NAME,
	    (has_text ? HELP_TEXT : len) - HELP_NAME);
}

static void
draw(struct workbench *wb, struct surface s, struct surface bar)
{
	struct surface box = dialog_box(s, HELP_WIDTH, s.height);
	struct buf title = BUF_INIT, facts = BUF_INIT;

	if (wb->help.width != wb->frame.width)
		fill(wb);
	wrap_set(&wb->help.wrap, wb->help.text, strlen(wb->help.text), box.width - 4);
	wrap_work(&wb->help.wrap, SIZE_MAX, SIZE_MAX);
	size_t count = wrap_rows(&wb->help.wrap);
	buf_addf(&facts, "%s · / searches · Esc closes",
	    wb->help.top + (size_t)box.height - 2 < count ? "PgDn for more" : "end");
	buf_add_str(&title, "Help");
	struct surface inner = frame_draw(wb, box, FIND_HELP, &title, &facts, ROLE_DIM);
	wb->help.height = inner.height;
	buf_finish(&title);
	buf_finish(&facts);
	for (int y = 0; y < inner.height; y++)
		draw_line(&wb->help.wrap, inner, y, wb->help.top + (size_t)y);
	find_light(wb, FIND_HELP, inner);
}

const struct dialog dialog_help = {
	.key = on_key,
	.draw = draw,
	.finish = finish,
	.seek = seek,
	.front = FIND_HELP,
	.keys = "Esc close  / search  ↑↓ scroll  PgDn page",
};

/* SPDX-License-Identifier: MIT */
#include "workbench/state.h"

#include "base/mem.h"
#include "base/secret.h"
#include "base/units.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

#define HISTORY_MAX 200
#define MATCHES_SHOWN 8
enum { MATCHES_COLUMNS = 96, NOTE_X = 24 };

static void
renew_matches(struct workbench *wb)
{
	struct prompt *p = &wb->prompt;

	completions_finish(&p->matches);
	complete(wb, edit_text(&p->edit), &p->matches);
	p->match = 0;
}

void
prompt_open(struct workbench *wb, const char *text)
{
	wb->dialog = &dialog_prompt;
	wb->prompt.history_at = wb->prompt.history.len;
	edit_set(&wb->prompt.edit, text, strlen(text));
	renew_matches(wb);
}

static void
finish(struct workbench *wb)
{
	struct prompt *p = &wb->prompt;

	edit_finish(&p->edit);
	strings_finish(&p->history);
	completions_finish(&p->matches);
}

/* May contain a code or a client secret, even after an abbreviated command. */
static bool
may_hold_secret(const char *line)
{
	static const char *const private[] = { "authorize", "client-id" };
	const char *word = line + strspn(line, " \t:");
	size_t len = strcspn(word, " \t");
	bool argument = word[len + strspn(word + len, " \t")] != '\0', secret = false;
	struct buf hidden = BUF_INIT;

	for (size_t i = 0; i < ARRAY_LEN(private); i++)
		secret |= argument && strncmp(word, private[i], len) == 0;
	secret_hide_url(&hidden, line);
	secret |= strcmp(buf_text(&hidden), line) != 0;
	buf_finish(&hidden);
	return secret;
}

static void
accept(struct workbench *wb)
{
	struct strings *history = &wb->prompt.history;
	char *line = mem_strdup(edit_text(&wb->prompt.edit));
	bool again = history->len > 0 && strcmp(history->items[history->len - 1], line) == 0;
	bool empty = line[strspn(line, " ")] == '\0';

	wb->dialog = NULL;
	if (!empty && !again && !may_hold_secret(line)) {
		if (history->len == HISTORY_MAX)
			strings_remove(history, 0);
		strings_add(history, line);
	}
	if (!empty)
		workbench_run(wb, line, wb->now_us);
	free(line);
}

static void
recall(struct workbench *wb, int step)
{
	struct prompt *p = &wb->prompt;
	size_t at = p->history_at + (size_t)step;

	if (at > p->history.len)
		return;
	p->history_at = at;
	const char *line = at < p->history.len ? p->history.items[at] : "";
	edit_set(&p->edit, line, strlen(line));
	renew_matches(wb);
}

static bool
on_key(struct workbench *wb, const struct key *key)
{
	struct prompt *p = &wb->prompt;
	bool empty = edit_text(&p->edit)[0] == '\0', changed = false;

	if (dialog_closes(key) || (key->kind == KEY_BACKSPACE && empty)) {
		wb->dialog = NULL;
	} else if (key->kind == KEY_ENTER) {
		accept(wb);
	} else if (key->kind == KEY_TAB) {
		const char *line = completions_take(
		    &p->matches, &p->match, edit_text(&p->edit), key->mods & MOD_SHIFT ? -1 : 1);
		if (line)
			edit_set(&p->edit, line, strlen(line));
		if (line && p->matches.lines.len == 1)
			renew_matches(wb);
	} else if (key->kind == KEY_UP || key->kind == KEY_DOWN) {
		recall(wb, key->kind == KEY_UP ? -1 : 1);
	} else if (edit_key(&p->edit, key, &changed) && changed) {
		renew_matches(wb);
	}
	return true;
}

/* Draws a line, its note, and the key of a command. */
static void
draw_row(struct workbench *wb, struct surface box, int y, const char *left, const char *note)
{
	struct style text = style_on(ROLE_TEXT, ROLE_DIALOG), dim = style_on(ROLE_DIM, ROLE_DIALOG);
	const char *context = workbench_contexts(wb, workbench_focused(wb));
	int x = surface_text(box, 0, y, box.width, text, left) + 2, end = box.width;
	char key[32];

	if (keymap_key_for(&wb->keymap, context, left, key, sizeof(key)))
		end -= 1 + surface_text_right(
			       box, box.width, y, -1, style_on(ROLE_BAR_KEY, ROLE_DIALOG), key);
	x = x < NOTE_X ? NOTE_X : x;
	surface_text(box, x, y, end - x, dim, note);
}

/* Appends the arguments and the description of the command, if the line begins with one. */
static void
add_usage(const char *line, struct buf *out)
{
	const struct command_info *info;

	line += strspn(line, " ");
	size_t len = strcspn(line, " ");
	for (size_t i = 0; line[len] && (info = workbench_command_info(i)); i++) {
		if (strncmp(info->name, line, len) == 0 && info->name[len] == '\0') {
			buf_addf(out, "%s %s · %s", info->name, info->args, info->help);
			return;
		}
	}
}

/* A framed list above the line; without completions one line that names the arguments. */
static void
draw_matches(struct workbench *wb, const struct prompt *p, struct surface above)
{
	size_t count = p->matches.lines.len;
	int rows = (int)(count < MATCHES_SHOWN ? count : MATCHES_SHOWN);
	size_t first = p->match >= MATCHES_SHOWN ? p->match - MATCHES_SHOWN + 1 : 0;
	int width = above.width < MATCHES_COLUMNS ? above.width : MATCHES_COLUMNS;
	int height = rows ? rows + 2 : 1;
	struct buf usage = BUF_INIT, facts = BUF_INIT;

	add_usage(edit_text(&p->edit), &usage);
	if (rows > 0)
		units_add_count(&facts, count);
	if (rows > 0 || usage.len > 0) {
		struct surface box = surface_sub(above, 0, above.height - height, width, height);
		surface_clear(box, style_on(ROLE_TEXT, ROLE_DIALOG));
		box = surface_frame(box, true, buf_text(&usage), buf_text(&facts), ROLE_DIM);
		for (int y = 0; y < rows && y < box.height; y++) {
			size_t i = first + (size_t)y;
			draw_row(wb, box, y, p->matches.lines.items[i], p->matches.notes.items[i]);
			if (i == p->match)
				surface_select_row(box, y, true);
		}
		surface_scrollbar(box, true, count, first);
	}
	buf_finish(&usage);
	buf_finish(&facts);
}

static void
draw(struct workbench *wb, struct surface above, struct surface bar)
{
	surface_clear(bar, style_on(ROLE_TEXT, ROLE_BAR));
	surface_text(bar, 1, 0, 1, style_on(ROLE_BAR_KEY, ROLE_BAR), ":");
	edit_draw(&wb->prompt.edit, surface_sub(bar, 2, 0, bar.width - 3, 1),
	    style_on(ROLE_TEXT, ROLE_BAR), true, NULL);
	draw_matches(wb, &wb->prompt, above);
}

const struct dialog dialog_prompt = { .key = on_key, .draw = draw, .finish = finish };

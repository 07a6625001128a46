/* SPDX-License-Identifier: MIT */
#include "workbench/state.h"

#include "base/glyph.h"
#include "base/vec.h"
#include "client/question.h"

#include <stdlib.h>
#include <string.h>

/* Asks for a value that a server's configuration requires as input. It is used only to start the
 * server. */

static void
finish(struct workbench *wb)
{
	struct ask *a = &wb->ask;

	if (a->edit.text.data)
		explicit_bzero(a->edit.text.data, a->edit.text.cap);
	edit_finish(&a->edit);
	*a = (struct ask){ 0 };
}

void
ask_open(struct workbench *wb, const struct target_input *input)
{
	struct ask *a = &wb->ask;
	const char *text = input->otherwise ? input->otherwise
			   : input->options ? input->options[0]
					    : "";

	finish(wb);
	a->input = input;
	edit_init(&a->edit, false, 65536);
	edit_set(&a->edit, text, strlen(text));
	edit_select(&a->edit, 0);
	wb->dialog = &dialog_ask;
	asked_appear(wb);
}

/* Cycles through the options. */
static void
step(struct ask *a, bool back)
{
	char *const *options = a->input->options;
	size_t count = 0, at = 0;

	for (; options && options[count]; count++)
		if (strcmp(options[count], edit_text(&a->edit)) == 0)
			at = count;
	if (count == 0)
		return;
	const char *next = options[(at + (back ? count - 1 : 1)) % count];
	edit_set(&a->edit, next, strlen(next));
}

static void
accept(struct workbench *wb)
{
	struct ask *a = &wb->ask;
	struct err err = { "" };

	if (!wb->effects->give(wb->user, wb->start.choice, edit_text(&a->edit), &err)) {
		workbench_say(wb, ROLE_WARNING, "%s%s", err.text,
		    a->input->options ? "; Tab cycles through them" : "");
		return;
	}
	dialog_leave(wb);
	start_go_on(wb);
}

static bool
on_key(struct workbench *wb, const struct key *key)
{
	if (dialog_closes(key)) {
		dialog_leave(wb);
		workbench_say(wb, ROLE_DIM, "not started");
	} else if (key->kind == KEY_ENTER) {
		accept(wb);
	} else if (key->kind == KEY_TAB || key->kind == KEY_UP || key->kind == KEY_DOWN) {
		step(&wb->ask, key->kind == KEY_UP || (key->mods & MOD_SHIFT));
	} else {
		return edit_key(&wb->ask.edit, key, NULL);
	}
	return true;
}

static void
draw_field(struct ask *a, struct surface line)
{
	if (!a->input->password) {
		edit_draw(&a->edit, line, style_on(ROLE_TEXT, ROLE_FIELD_FOCUS), true, NULL);
		return;
	}
	int cols = (int)glyph_columns(edit_text(&a->edit), a->edit.text.len);
	int most = line.width - 1;
	surface_clear(line, style_on(ROLE_TEXT, ROLE_FIELD_FOCUS));
	surface_repeat(
	    line, 0, 0, cols < most ? cols : most, style_on(ROLE_TEXT, ROLE_FIELD_FOCUS), 0x2022);
	surface_repeat(
	    line, cols < most ? cols : most, 0, 1, style_on(ROLE_TEXT, ROLE_CURSOR), ' ');
}

static void
draw(struct workbench *wb, struct surface s, struct surface bar)
{
	struct ask *a = &wb->ask;
	const struct server_choice *c = start_choice(wb);
	struct page page = { 0 };
	int width = s.width < 72 ? s.width : 72;

	page_text(
	    &page, 0, ROLE_TITLE, a->input->description[0] ? a->input->description : a->input->id);
	page_text(&page, 0, ROLE_DIM,
	    a->input->password ? "Asked once, not shown, not stored." : "Asked once, not stored.");
	for (size_t i = 0; a->input->options && a->input->options[i]; i++) {
		bool taken = strcmp(a->input->options[i], edit_text(&a->edit)) == 0;
		page_row(&page, 2, taken ? "▸" : "", taken ? ROLE_TITLE : ROLE_TEXT,
		    a->input->options[i]);
	}
	struct surface box = dialog_box(s, width, (int)page_rows(&page, width - 4) + 6);
	struct surface inner =
	    surface_frame(box, true, c ? c->target->name : "", a->input->id, ROLE_DIM);
	page_draw(
	    &page, surface_sub(inner, 0, 0, inner.width, inner.height - 4), ROLE_DIALOG, true);
	draw_field(a, surface_sub(inner, 0, inner.height - 3, inner.width, 1));
	surface_text(inner, 0, inner.height - 1, -1, style_on(ROLE_HINT, ROLE_NONE),
	    a->input->options ? "Enter continue   Tab next choice   Esc do not start"
			      : "Enter continue   Esc do not start");
	page_finish(&page);
}

const struct dialog dialog_ask = {
	.key = on_key,
	.draw = draw,
	.finish = finish,
	.keys = "Enter continue  Esc close", /* the box names Tab if there are choices */
	.decides = true,
	.types = true,
};

/* A question from the call that the user just made opens automatically if the user is idle: no key
 * since, no text field, no overlay. The bottom bar announces all others. A question that opened
 * automatically, or replaced an answered one, and every dialog whose answer runs or sends something
 * must be visible for a while before a key can answer it: the key may have been meant for the
 * previous screen, or typed ahead of the first one. */
#define LOOK_US ((int64_t)400000)
#define NOT_DRAWN INT64_MAX

void
asked_await(struct workbench *wb, uint64_t call)
{
	wb->asked.awaited_call = call;
}

void
asked_touch(struct workbench *wb)
{
	wb->asked.awaited_call = 0;
	/* only time lets a dialog decide */
	wb->asked.appeared = wb->asked.appeared && wb->asked.appeared_in;
}

void
asked_appear(struct workbench *wb)
{
	wb->asked.appeared_us = NOT_DRAWN;
	wb->asked.appeared_in = wb->dialog;
	wb->asked.appeared = true;
}

void
asked_on_drawn(struct workbench *wb)
{
	if (wb->asked.appeared && wb->asked.appeared_us == NOT_DRAWN)
		wb->asked.appeared_us = wb->now_us;
}

void
asked_open(struct workbench *wb)
{
	const struct server *s = wb->ws.server;

	if (!s || wb->asked.awaited_call == 0 || wb->overlay >= 0 || wb->dialog ||
	    view_captures(&wb->panes[workbench_focused(wb)]))
		return;
	for (size_t i = 0; i < server_info(s)->questions; i++) {
		const struct question *q = server_question_at(s, i);
		if (q->call != wb->asked.awaited_call)
			continue;
		wb->asked.awaited_call = 0;
		wb->ws.question = q->id;
		wb->ws.generation++;
		workbench_focus(wb, PANE_questions);
		asked_appear(wb);
		return;
	}
}

bool
asked_is_fresh(struct workbench *wb)
{
	struct asked *a = &wb->asked;
	bool early = a->appeared_us == NOT_DRAWN || wb->now_us - a->appeared_us < LOOK_US;

	a->appeared = a->appeared && a->appeared_in == wb->dialog && early;
	return a->appeared;
}

/* Would the key answer or close the new question, or belong to text typed elsewhere? */
static bool
acts(const struct workbench *wb, const struct key *key)
{
	static const char *const answering[] = { "answer", "press", "questions" };
	const char *context = pane_table[PANE_questions].name;

	if (key->kind == KEY_MOUSE)
		return key->action == MOUSE_PRESS;
	if (key->kind == KEY_CHAR && !(key->mods & (MOD_CTRL | MOD_ALT)))
		return !keymap_runs(&wb->keymap, context, key, "command");
	for (size_t i = 0; i < ARRAY_LEN(answering); i++)
		if (keymap_runs(&wb->keymap, context, key, answering[i]))
			return true;
	return false;
}

/* Would the key answer the new dialog? Escape and Ctrl-C are safe; typed text stays in its field.
 */
static bool
answers(const struct workbench *wb, const struct key *key)
{
	if (key->kind == KEY_MOUSE)
		return key->action != MOUSE_RELEASE && key->action != MOUSE_DRAG;
	if (wb->dialog->types)
		return key->kind == KEY_ENTER;
	return key->kind != KEY_ESCAPE && !(key->kind == KEY_CHAR && key->mods & MOD_CTRL);
}

/* Key repeats and the rest of a typed text are dropped too. */
bool
asked_ignores(struct workbench *wb, const struct key *key)
{
	bool deciding = wb->dialog && wb->dialog->decides;

	if (!deciding && (wb->overlay != PANE_questions || wb->dialog))
		return false;
	if (!asked_is_fresh(wb) || !(deciding ? answers(wb, key) : acts(wb, key)))
		return false;
	asked_appear(wb);
	if (deciding)
		workbench_say(wb, ROLE_WARNING, "typed before this was read: press it again");
	return true;
}

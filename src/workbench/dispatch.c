/* SPDX-License-Identifier: MIT */
#include "workbench/commands/commands.h"

#include "base/vec.h"
#include "view/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void plain_key(struct workbench *wb, const struct key *key);

static bool
pane_key(struct workbench *wb, enum pane_id id, const struct key *key, bool entered)
{
	const struct view *inner = view_inner(&wb->panes[id]);
	struct view_env env = workbench_env(wb, id);
	const struct rows *rows = inner->ops->rows ? inner->state : NULL;
	bool press = key->kind == KEY_MOUSE && key->action == MOUSE_PRESS;
	struct buf why = BUF_INIT;

	if (press && key->y == 0 && rows && rows->y > 0 && view_filtered(inner))
		return pane_click_filter(&env, view_filtered(inner), key->x);
	env.entered = entered;
	env.why = &why;
	bool used = view_key(&wb->panes[id], &env, key);
	if (why.len > 0)
		workbench_say(wb, ROLE_ERROR, "%s", buf_text(&why));
	buf_finish(&why);
	return used;
}

/* A click on a border: the ✕ of the filter or search, or a fact that names an F key. */
static bool
click_title(struct workbench *wb, const struct key *key)
{
	for (int i = 0; i < PANE_COUNT; i++)
		if (rect_has(&wb->frame.titles.chips[i], key->x, key->y))
			return find_clear(wb, i);
	for (int i = 0; i < PANE_COUNT; i++) {
		struct key named = { .kind = KEY_F, .ch = wb->frame.titles.keys[i].number };
		if (!rect_has(&wb->frame.titles.keys[i].place, key->x, key->y))
			continue;
		plain_key(wb, &named);
		return true;
	}
	return false;
}

/* The pane gets the event relative to its inner area: one row of border, one column of border and
 * one of padding. */
static void
mouse_in(struct workbench *wb, enum pane_id id, const struct key *key, bool entered)
{
	const struct rect *r = &wb->frame.layout.panes[id];
	struct key local = *key;

	local.x -= r->x + 2;
	local.y -= r->y + 1;
	if (key->action == MOUSE_PRESS && pane_table[id].ops->release)
		wb->pressed = (int)id;
	pane_key(wb, id, &local, entered);
}

/* The floating app is above all panes; a click outside takes the keyboard from it. */
static bool
mouse_floating(struct workbench *wb, const struct key *key)
{
	if (!workbench_has_floating(wb))
		return false;
	if (rect_has(&wb->frame.layout.panes[PANE_app], key->x, key->y)) {
		mouse_in(wb, PANE_app, key, false);
		return true;
	}
	if (key->action == MOUSE_PRESS && workbench_focused(wb) == PANE_app)
		workbench_run(wb, pane_table[PANE_app].ops->release, wb->now_us);
	return false;
}

/* A button pressed in a program's pane belongs to it until the release, also outside the pane. */
static bool
mouse_held(struct workbench *wb, const struct key *key)
{
	int id = wb->pressed;

	if (key->action == MOUSE_PRESS || key->action == MOUSE_RELEASE)
		wb->pressed = -1;
	if (id < 0 || (key->action != MOUSE_DRAG && key->action != MOUSE_RELEASE))
		return false;
	mouse_in(wb, (enum pane_id)id, key, false);
	return true;
}

/* A click moves the focus. */
static void
mouse_key(struct workbench *wb, const struct key *key)
{
	if (hints_mouse(wb, key) || mouse_held(wb, key))
		return;
	if (rect_has(&wb->frame.pop_up, key->x, key->y)) {
		mouse_in(wb, workbench_focused(wb), key, false);
		return;
	}
	if (mouse_floating(wb, key) || borders_mouse(wb, key))
		return;
	if (bars_mouse(wb, key) || (key->action == MOUSE_PRESS && click_title(wb, key)))
		return;
	for (int i = 0; i < PANE_COUNT; i++) {
		const struct rect *r = &wb->frame.layout.panes[i];
		if (!rect_has(r, key->x, key->y))
			continue;
		bool entered = workbench_focused(wb) != (enum pane_id)i;
		if (key->action == MOUSE_PRESS && pane_table[i].slot != SLOT_OVERLAY)
			workbench_focus(wb, (enum pane_id)i);
		mouse_in(wb, (enum pane_id)i, key, entered);
		return;
	}
}

/* Unbound keys: ← at the left edge of a pane goes back to the list, and a digit shows
 * the server of that number. */
static bool
spare_key(struct workbench *wb, const struct key *key)
{
	uint32_t ch = key->kind == KEY_CHAR && key->mods == 0 ? key->ch : 0;
	bool left = (key->kind == KEY_LEFT && key->mods == 0) || ch == 'h';

	if (left && wb->overlay < 0 && !wb->zoomed) {
		workbench_focus(wb, PANE_tools);
		return true;
	}
	if (ch < '1' || ch > '9' || ch - '1' >= wb->ws.choice_count)
		return false;
	start_show(wb, ch - '1');
	return true;
}

/* Arrows and the like may go nowhere in silence; a letter must not. */
static void
say_unbound(struct workbench *wb, const struct key *key)
{
	char name[64], help[64];

	if (key->kind == KEY_PASTE)
		workbench_say(wb, ROLE_WARNING,
		    "nothing takes a paste here: go to a field of a form, or open a line by : or "
		    "/");
	if (key->kind != KEY_CHAR && key->kind != KEY_F)
		return;
	key_to_label(key, name, sizeof(name));
	if (wb->dialog)
		workbench_say(wb, ROLE_DIM, "%s does nothing here · Esc closes", name);
	else if (keymap_key_for(&wb->keymap, KEYMAP_GLOBAL, "help", false, help, sizeof(help)))
		workbench_say(wb, ROLE_DIM, "%s does nothing here · %s shows the keys", name, help);
	else
		workbench_say(wb, ROLE_DIM, "%s does nothing here · :help shows the keys", name);
}

/* The keyboard belongs to a program in the pane, but for one key. */
static bool
program_key(struct workbench *wb, const struct key *key)
{
	enum pane_id id = workbench_focused(wb);
	const struct view_ops *ops = pane_table[id].ops;

	if (wb->dialog || !ops->release || !view_captures(&wb->panes[id]) || key->kind == KEY_MOUSE)
		return false;
	if (keymap_runs(&wb->keymap, pane_table[id].name, key, ops->release))
		return workbench_run(wb, ops->release, wb->now_us) || true;
	return pane_key(wb, id, key, false) || true;
}

/* On a field of a form that is not being edited yet. Letters are text there, so none can run a
 * command by mistake; after Esc they are commands, until the user moves on. */
static bool
field_key(struct workbench *wb, enum pane_id id, const struct key *key)
{
	bool chord = key->mods & (MOD_CTRL | MOD_ALT);
	bool moves = key->kind != KEY_CHAR && key->kind != KEY_F && key->kind != KEY_ESCAPE &&
		     key->kind != KEY_BACKSPACE && key->kind != KEY_DELETE;

	if (wb->commands_in != (int)id || moves)
		wb->commands_in = -1;
	if (!workbench_types(wb, id))
		return false;
	bool text = (key->kind == KEY_CHAR && !chord) || key->kind == KEY_PASTE;
	bool its = text || key->kind == KEY_TAB || key->kind == KEY_ESCAPE;
	return (its && pane_key(wb, id, key, false)) || key->kind == KEY_ESCAPE;
}

/* Three steps: the owner of the keyboard (a text field, an open message), the bindings, the pane.
 * Keys that the owner ignores keep their usual meaning. */
static void
plain_key(struct workbench *wb, const struct key *key)
{
	enum pane_id id = workbench_focused(wb);
	bool captured = view_captures(&wb->panes[id]) != NULL;
	bool chord = key->kind == KEY_CHAR && (key->mods & (MOD_CTRL | MOD_ALT));
	/* an open menu has letters of the pick, too; any other chord closes it */
	bool picks = chord && keymap_runs(&wb->keymap, KEYMAP_GLOBAL, key, "pick");
	if (captured && !picks && pane_key(wb, id, key, false)) {
		wb->commands_in = -1;
		return;
	}
	if (!captured && field_key(wb, id, key))
		return;
	bool typed = captured && key->kind != KEY_F && !chord;
	const struct keymap_row *bound =
	    keymap_find(&wb->keymap, typed ? KEYMAP_GLOBAL : workbench_contexts(wb, id), key);
	if (bound) {
		workbench_run_bound(wb, bound);
		return;
	}
	if (captured || pane_key(wb, id, key, false) || spare_key(wb, key))
		return;
	say_unbound(wb, key);
}

/* A dialog owns the keyboard; `/` searches it if it has more than fits. */
static void
dialog_key(struct workbench *wb, const struct key *key)
{
	const struct dialog *d = wb->dialog;
	bool pressed = key->kind == KEY_MOUSE && key->action == MOUSE_PRESS;

	if (d->seek && pressed && rect_has(&wb->frame.titles.chips[d->front], key->x, key->y)) {
		find_clear(wb, d->front);
		return;
	}
	if (d->key(wb, key))
		return;
	if (d->seek && keymap_runs(&wb->keymap, KEYMAP_GLOBAL, key, "find"))
		workbench_run(wb, "find", wb->now_us);
	else
		say_unbound(wb, key);
}

/* ---- new questions and dialogs take no key that was meant for something else ---- */

/* A question from the call that the user just made opens automatically if the user is idle: no key
 * since, no text field, no overlay. The bottom bar announces all others. A question that opened
 * automatically, or replaced an answered one, and every dialog whose answer runs or sends something
 * must be visible for a while before a key can answer it: the key may have been meant for the
 * previous screen, or typed ahead of the first one. */
#define LOOK_US ((int64_t)400000)
#define NOT_DRAWN INT64_MAX

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
	for (size_t i = 0; i < server_info(s)->questions.len; i++) {
		const struct question *q = server_info(s)->questions.items[i];
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
static bool
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

void
workbench_key(struct workbench *wb, const struct key *key, int64_t now_us)
{
	wb->now_us = now_us;
	if (key->kind == KEY_MOUSE && key->action == MOUSE_MOVE) {
		/* only the app needs it, also outside of its pane, to end a hover effect */
		bool seen = wb->overlay < 0 || workbench_has_floating(wb);
		if (!wb->dialog && seen && wb->frame.layout.panes[PANE_app].height > 0)
			mouse_in(wb, PANE_app, key, false);
		return;
	}
	workbench_settle(wb);
	workbench_sync(wb);
	if (key->kind == KEY_FOCUS_IN || key->kind == KEY_FOCUS_OUT || key->kind == KEY_REPORT)
		return;
	if (key->kind != KEY_MOUSE) {
		free(wb->message);
		wb->message = NULL;
	}
	if (program_key(wb, key) || asked_ignores(wb, key))
		return;
	if (key->kind != KEY_MOUSE || key->action == MOUSE_PRESS) {
		wb->asked.awaited_call = 0;
		/* only time lets a dialog decide */
		wb->asked.appeared = wb->asked.appeared && wb->asked.appeared_in;
	}
	if (key->kind == KEY_MOUSE && key->action == MOUSE_PRESS)
		wb->commands_in = -1;
	bool typed = key->kind == KEY_CHAR && !(key->mods & (MOD_CTRL | MOD_ALT));
	if (wb->dialog && !typed && keymap_runs(&wb->keymap, KEYMAP_GLOBAL, key, "quit!")) {
		workbench_run(wb, "quit!", now_us); /* works in every dialog */
		return;
	}
	if ((!wb->dialog || wb->dialog->seek) && find_key(wb, key))
		return;
	enum pane_id id = workbench_focused(wb);
	bool escapes = !wb->dialog && key->kind == KEY_ESCAPE;
	if (wb->dialog)
		dialog_key(wb, key);
	else if (key->kind == KEY_MOUSE)
		mouse_key(wb, key);
	else
		plain_key(wb, key);
	if (escapes && workbench_types(wb, id))
		wb->commands_in = (int)id;
}

/* ---- picking: a letter on every control ---- */

/* A letter on every control in sight; typing it clicks there. If there are more controls than
 * letters, the last letters begin labels of two. */
static const char pick_letters[] = "asdfghjklqwertyuiopzxcvbnm";
enum { LETTERS = sizeof(pick_letters) - 1 };

static void
pick_finish(struct workbench *wb)
{
	wb->pick.len = 0;
}

static bool
pick_key(struct workbench *wb, const struct key *key)
{
	struct pick *p = &wb->pick;
	bool plain = key->kind == KEY_CHAR && key->mods == 0 && key->ch < 0x80 && key->ch > 0;
	const char *letter = plain ? strchr(pick_letters, (int)key->ch) : NULL;
	int at = letter ? (int)(letter - pick_letters) : -1, alone = p->alone;

	if (key->kind == KEY_MOUSE && key->action != MOUSE_PRESS)
		return true;
	if (at >= 0 && p->typed < 0 && at >= alone) {
		p->typed = at;
		return true;
	}
	int index = p->typed < 0 ? at : alone + (p->typed - alone) * LETTERS + at;
	wb->dialog = NULL;
	if (at < 0 || index >= p->len)
		return true;
	struct key click = { .kind = KEY_MOUSE, .action = MOUSE_PRESS, .button = 1 };
	click.x = p->spots[index].x;
	click.y = p->spots[index].y;
	workbench_key(wb, &click, wb->now_us);
	click.action = MOUSE_RELEASE;
	workbench_key(wb, &click, wb->now_us);
	return true;
}

static void
pick_draw(struct workbench *wb, struct surface main, struct surface bar)
{
	struct pick *p = &wb->pick;
	const struct grid *g = main.grid;
	struct style style = style_on(ROLE_BUTTON_FOCUS, ROLE_BUTTON_FOCUS);

	p->len = 0;
	for (int i = 0; i < g->spot_count; i++) {
		int same = 0; /* two controls in one place are one */
		while (same < p->len &&
		       (p->spots[same].x != g->spots[i].x || p->spots[same].y != g->spots[i].y))
			same++;
		if (same == p->len)
			p->spots[p->len++] = g->spots[i];
	}
	style.attr = ATTR_BOLD;
	p->alone = LETTERS;
	while (p->alone + (LETTERS - p->alone) * LETTERS < p->len)
		p->alone--;
	for (int i = 0, alone = p->alone; i < p->len; i++) {
		int first = i < alone ? i : alone + (i - alone) / LETTERS;
		int x = p->spots[i].x, y = p->spots[i].y;
		struct surface all = surface_whole(main.grid);
		if (p->typed >= 0 && first != p->typed)
			continue;
		if (i < alone) {
			surface_put(all, x, y, style, (uint32_t)pick_letters[first]);
			continue;
		}
		surface_put(all, x - (x > 0), y, style, (uint32_t)pick_letters[first]);
		surface_put(
		    all, x + (x == 0), y, style, (uint32_t)pick_letters[(i - alone) % LETTERS]);
	}
}

/* Draws once, so that a letter typed before the next frame finds its control. */
static bool
cmd_pick(struct workbench *wb, const char *arg)
{
	struct grid grid;

	wb->dialog = &dialog_pick;
	wb->pick.typed = -1;
	wb->pick.len = 0;
	grid_init(&grid, wb->frame.width, wb->frame.height);
	workbench_draw(wb, &grid, wb->now_us);
	grid_finish(&grid);
	if (wb->pick.len > 0)
		return true;
	wb->dialog = NULL;
	return workbench_refuse(wb, "there is nothing to pick");
}

const struct dialog dialog_pick = {
	.key = pick_key,
	.draw = pick_draw,
	.finish = pick_finish,
};

/* clang-format off */
const struct command dispatch_commands[] = {
	COMMAND("pick", "alt-; ;", "", "show a hint letter on every control", cmd_pick),
	{ 0 },
};
/* clang-format on */

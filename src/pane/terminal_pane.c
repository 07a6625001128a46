/* SPDX-License-Identifier: MIT */
#include "pane/terminal.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "pane/pane.h"
#include "ui/emulator.h"

#include <limits.h>
#include <stdlib.h>

/*
 * The terminal pane: the program started last is on top; when it ends, the previous one is shown
 * again. The program has the whole keyboard except for one key, which returns it to mcpane.
 */

enum { SESSIONS_MAX = 8, WHEEL_LINES = 3 };

struct program_screen {
	struct program_screen *below;
	struct terminal_pane *pane;
	const struct effects *effects;
	struct terminal_link *link; /* NULL: the program has ended */
	struct emulator *emulator;
	char name[64];
	char how[64];   /* how the program ended; "": it runs */
	unsigned heard; /* bells */
	void (*on_end)(void *user, int code);
	void *user;
	bool closes;
};

struct terminal_pane {
	struct program_screen *top;
	int count;
	bool commanding; /* keys are for mcpane, not for the program */
};

static void
drop(struct program_screen *s)
{
	struct program_screen **at = &s->pane->top;

	while (*at != s)
		at = &(*at)->below;
	*at = s->below;
	s->pane->count--;
	s->pane->commanding = false;
	if (s->link)
		s->effects->close_program(s->link);
	emulator_destroy(s->emulator);
	free(s);
}

static void
terminal_finish(void *state)
{
	struct terminal_pane *p = state;

	while (p->top)
		drop(p->top);
}

/* ---- the program ---- */

static void
on_bytes(void *user, const char *bytes, size_t len)
{
	struct program_screen *s = user;

	emulator_feed(s->emulator, bytes, len);
}

/* on_end() comes last: it may open another program. */
static void
on_program_end(void *user, int code, const char *how)
{
	struct program_screen *s = user;
	void (*on_end)(void *, int) = s->on_end;
	void *owner = s->user;

	s->effects->close_program(s->link);
	s->link = NULL;
	utf8_copy(s->how, sizeof(s->how), how);
	if (code == 0 || s->closes)
		drop(s);
	if (on_end)
		on_end(owner, code);
}

static void
on_output(void *user, const char *bytes, size_t len)
{
	struct program_screen *s = user;

	if (s->link)
		s->effects->write_program(s->link, bytes, len);
}

static struct program_screen *
create(struct terminal_pane *p, const struct view_env *env, const struct terminal_program *program,
    struct terminal_size size, struct err *err)
{
	static const struct emulator_events events = { on_output };
	struct program_screen *s = mem_zalloc(sizeof(*s));

	s->pane = p;
	s->effects = env->host->effects;
	s->emulator = emulator_create(size.width, size.height, &events, s, err);
	const struct terminal_listener listener = { on_bytes, on_program_end, s };
	if (s->emulator)
		s->link = s->effects->start_program(
		    env->host->effects_user, program->argv, size, &listener, err);
	if (s->link) {
		utf8_copy(s->name, sizeof(s->name), program->name);
		s->on_end = program->on_end;
		s->user = program->user;
		s->closes = program->closes;
		return s;
	}
	emulator_destroy(s->emulator);
	free(s);
	return NULL;
}

bool
terminal_pane_open(void *state, const struct view_env *env, const struct terminal_program *program,
    struct terminal_size size, struct err *err)
{
	struct terminal_pane *p = state;

	while (p->top && !p->top->link) /* the user has seen its end */
		drop(p->top);
	if (!env->host->effects->start_program)
		return err_set(err, "programs cannot run here");
	if (p->count == SESSIONS_MAX)
		return err_set(
		    err, "%d programs run in the terminal pane; end one first", p->count);
	struct program_screen *s = create(p, env, program, size, err);
	if (!s)
		return false;
	s->below = p->top;
	p->top = s;
	p->count++;
	p->commanding = false;
	return true;
}

bool
terminal_pane_is_empty(const void *state)
{
	const struct terminal_pane *p = state;

	return !p->top;
}

/* ---- keys ---- */

static void
set_commanding(struct terminal_pane *p, bool commanding)
{
	struct key focus = { .kind = commanding ? KEY_FOCUS_OUT : KEY_FOCUS_IN };

	if (!p->top || p->commanding == commanding)
		return;
	p->commanding = commanding;
	emulator_key(p->top->emulator, &focus);
	if (!commanding)
		emulator_scroll(p->top->emulator, INT_MIN);
}

static bool
act_leave(void *state, const struct view_env *env, const char *arg)
{
	struct terminal_pane *p = state;

	set_commanding(p, !p->commanding);
	return true;
}

static bool
act_type(void *state, const struct view_env *env, const char *arg)
{
	struct terminal_pane *p = state;

	if (p->top && !p->top->link)
		drop(p->top);
	else
		set_commanding(p, false);
	return true;
}

static bool
act_send_key(void *state, const struct view_env *env, const char *arg)
{
	struct terminal_pane *p = state;
	struct key key;

	if (!p->top || !p->top->link || !key_from_name(&key, arg))
		return view_refuse(
		    env, p->top ? "usage: send-key KEY, as in ctrl-]" : "no program runs here");
	set_commanding(p, false);
	return emulator_key(p->top->emulator, &key);
}

static bool
act_end_program(void *state, const struct view_env *env, const char *arg)
{
	struct terminal_pane *p = state;

	if (!p->top)
		return view_refuse(env, "no program runs here");
	if (p->top->link)
		on_program_end(p->top, -1, "ended by you");
	if (p->top && !p->top->link)
		drop(p->top);
	return true;
}

static const struct view_action actions[] = {
	{ "leave-terminal", "ctrl-]", "", "toggle the keyboard between the program and mcpane",
	    act_leave, NULL },
	{ "type-again", "enter", "", "return the keyboard to the program; close it if it ended",
	    act_type, "type" },
	{ "send-key", "", "KEY", "send a key to the program, as in ctrl-]", act_send_key, NULL },
	{ "end-program", "", "", "end the program in the terminal pane", act_end_program, NULL },
	{ 0 },
};

/* Return the lines that a key scrolls back (negative: forward); 0 for other keys. */
static int
scroll_of(const struct key *key, int page)
{
	const struct {
		enum key_kind kind;
		uint32_t ch;
		int lines;
	} keys[] = {
		{ KEY_UP, 0, 1 },
		{ KEY_DOWN, 0, -1 },
		{ KEY_PAGE_UP, 0, page },
		{ KEY_PAGE_DOWN, 0, -page },
		{ KEY_HOME, 0, INT_MAX },
		{ KEY_END, 0, -INT_MAX },
		{ KEY_CHAR, 'k', 1 },
		{ KEY_CHAR, 'j', -1 },
		{ KEY_CHAR, 'g', INT_MAX },
		{ KEY_CHAR, 'G', -INT_MAX },
	};

	if (key->kind == KEY_MOUSE)
		return key->action == MOUSE_WHEEL_UP     ? WHEEL_LINES
		       : key->action == MOUSE_WHEEL_DOWN ? -WHEEL_LINES
							 : 0;
	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		if (keys[i].kind == key->kind && keys[i].ch == key->ch)
			return keys[i].lines;
	return 0;
}

static bool
program_key(struct terminal_pane *p, const struct key *key)
{
	struct emulator *e = p->top->emulator;
	bool is_page = key->kind == KEY_PAGE_UP || key->kind == KEY_PAGE_DOWN;
	int lines = scroll_of(key, emulator_facts(e)->height);

	p->top->heard = emulator_facts(e)->bells;
	if (key->kind == KEY_MOUSE && !emulator_key(e, key)) {
		/* The alternate screen has no history: the wheel moves the program's cursor, as in
		 * xterm. */
		struct key arrow = { .kind = lines > 0 ? KEY_UP : KEY_DOWN };
		if (!emulator_facts(e)->is_alternate && lines != 0)
			emulator_scroll(e, lines);
		for (int i = abs(lines); emulator_facts(e)->is_alternate && i > 0; i--)
			emulator_key(e, &arrow);
		return lines != 0;
	}
	if (key->kind == KEY_MOUSE)
		return true;
	if (is_page && key->mods == MOD_SHIFT) {
		emulator_scroll(e, lines);
		return true;
	}
	emulator_scroll(e, INT_MIN);
	return emulator_key(e, key);
}

static bool
terminal_key(void *state, const struct view_env *env, const struct key *key)
{
	struct terminal_pane *p = state;

	if (!p->top)
		return false;
	int lines = scroll_of(key, emulator_facts(p->top->emulator)->height);
	if (!p->top->link && key->kind == KEY_ESCAPE) {
		drop(p->top);
		return true;
	}
	if (p->top->link && key->kind == KEY_MOUSE && key->action == MOUSE_PRESS)
		set_commanding(p, false);
	if (p->top->link && !p->commanding)
		return program_key(p, key);
	if (lines != 0)
		emulator_scroll(p->top->emulator, lines);
	return lines != 0;
}

static const char *
terminal_captures(const void *state)
{
	const struct terminal_pane *p = state;

	return p->top && p->top->link && !p->commanding ? "" : NULL;
}

static bool
terminal_is_open(const void *state)
{
	const struct terminal_pane *p = state;

	return p->top && !p->top->link;
}

/* ---- drawing ---- */

static enum role
terminal_heading(void *state, const struct view_env *env, struct buf *title, struct buf *facts)
{
	struct terminal_pane *p = state;

	if (!p->top)
		return ROLE_DIM;
	const struct emulator_facts *now = emulator_facts(p->top->emulator);
	buf_addf(title, "%s", p->top->name);
	if (now->title[0])
		buf_addf(title, " — %s", now->title);
	if (p->top->how[0])
		buf_addf(facts, "%s · Enter closes", p->top->how);
	else if (now->back > 0)
		buf_addf(facts, "%zu of %zu lines back", now->back, now->history);
	else if (now->bells != p->top->heard)
		buf_add_str(facts, "bell");
	else if (p->count > 1)
		buf_addf(facts, "%d programs", p->count);
	return p->top->how[0] ? ROLE_WARNING : ROLE_DIM;
}

static void
terminal_draw(void *state, const struct view_env *env, struct surface inner)
{
	struct terminal_pane *p = state;
	struct program_screen *s = p->top;

	if (!s)
		return;
	const struct emulator_facts *now = emulator_facts(s->emulator);
	if (inner.width > 0 && inner.height > 0 &&
	    (now->width != inner.width || now->height != inner.height)) {
		emulator_resize(s->emulator, inner.width, inner.height);
		if (s->link)
			s->effects->resize_program(
			    s->link, (struct terminal_size){ now->width, now->height });
	}
	emulator_draw(s->emulator, inner, env->focused && s->link && !p->commanding);
}

const struct view_ops pane_terminal = {
	.title = "terminal",
	.help = "a program on its own terminal: a pager, an editor, a shell",
	.state_size = sizeof(struct terminal_pane),
	.actions = actions,
	.release = "leave-terminal",
	.finish = terminal_finish,
	.heading = terminal_heading,
	.draw = terminal_draw,
	.key = terminal_key,
	.captures = terminal_captures,
	.is_open = terminal_is_open,
};

#include "questions.h"

#include "base/mem.h"
#include "client/question.h"
#include "pane/pane_text.h"

#include <stdlib.h>
#include <string.h>

static const struct question_button *
question_buttons(const struct question *q)
{
	static const struct question_button url[] = {
		{ " Open F5 ", "open-url" },
		{ " Copy ", "copy-url" },
		{ " Decline F8 ", "decline" },
		{ " Cancel F9 ", "dismiss" },
		{ NULL, NULL },
	}, unsafe[] = {
		{ " Copy ", "copy-url" },
		{ " Decline F8 ", "decline" },
		{ " Cancel F9 ", "dismiss" },
		{ NULL, NULL },
	}, opened[] = {
		{ " Done F5 ", "answer" },
		{ " Open again ", "open-url" },
		{ " Copy ", "copy-url" },
		{ " Decline F8 ", "decline" },
		{ " Cancel F9 ", "dismiss" },
		{ NULL, NULL },
	}, sampling[] = {
		{ " Send F5 ", "answer" },
		{ " Type ", "type-answer" },
		{ " $EDITOR ", "edit-answer" },
		{ " Command ", "sample" },
		{ " Decline F8 ", "decline" },
		{ NULL, NULL },
	}, roots[] = {
		{ " Send F5 ", "answer" },
		{ " Add ", "command root add" },
		{ " Remove ", "remove-root" },
		{ " Decline F8 ", "decline" },
		{ NULL, NULL },
	};

	if (q->kind == QUESTION_SAMPLING)
		return sampling;
	if (q->kind == QUESTION_ROOTS)
		return roots;
	if (q->opened)
		return opened;
	return q->link.openable ? url : unsafe;
}

void
question_draw_buttons(struct questions *p, const struct question *q, struct surface s, bool focused)
{
	const struct question_button *buttons = question_buttons(q);
	int x = s.width, count = 0;

	for (; buttons[count].label; count++)
		x -= (int)strlen(buttons[count].label) + (count > 0) * 2;
	if (x < 0)
		x = 0;
	if (p->button >= count)
		p->button = count - 1;
	for (int i = 0; i < count; i++) {
		bool selected = i == p->button && focused && !p->editing;
		struct style style = style_of(selected ? ROLE_BUTTON_FOCUS : ROLE_BUTTON);
		style.attr = selected ? ATTR_BOLD : 0;
		p->buttons_x[i] = x;
		surface_spot(s, x, 0);
		x += surface_text(s, x, 0, -1, style, buttons[i].label) + 2;
	}
	for (int i = count; i <= QUESTION_BUTTONS; i++)
		p->buttons_x[i] = x;
}

/* One server request at a time: its message, the answer and the keys. */

static const struct form_pane_look form_look = {
	.buttons = { { " Send F5 ", "answer" }, { " JSON ", "json" }, { " Decline F8 ", "decline" },
	    { " Cancel F9 ", "dismiss" } },
	.typing = "Enter next field  F5 send  F8 decline  F9 cancel  Esc commands",
	.typing_lines = "Enter next field  Alt-Enter new line  F5 send  F8 decline  Esc commands",
	.typing_json = "Tab next field  F5 send  F8 decline  Esc commands",
	.menu = "Enter choose  Tab next field  type to filter  Esc leave  F5 send",
	.menu_many = "Space tick  Enter done  type to filter  Esc leave  F5 send",
	.schema = "requestedSchema",
	.bare = true,
};

static struct form *
asked_form(const struct view_env *env)
{
	struct question *q = workspace_question(env->ws);

	return q ? q->form : NULL;
}

/* While the message is read, keys must not reach hidden fields. */
static struct form *
no_form(const struct view_env *env)
{
	return NULL;
}

static void
read_message(struct questions *p, const struct view_env *env, bool on)
{
	p->reading = on;
	p->text.top = 0;
	p->form.source = on ? no_form : asked_form;
	questions_write(p, env);
}

static void
init(void *state)
{
	struct questions *p = state;

	form_pane_init(&p->form);
	p->form.look = &form_look;
	p->form.source = asked_form;
	wrap_init(&p->wrap);
	edit_init(&p->answer, true, (size_t)1 << 20);
}

static void
finish(void *state)
{
	struct questions *p = state;

	form_pane_finish(&p->form);
	page_finish(&p->text);
	wrap_finish(&p->wrap);
	edit_finish(&p->answer);
}

static void
sync(void *state, const struct view_env *env)
{
	struct questions *p = state;

	if (env->ws->question == 0)
		workspace_next_question(env->ws, 0);
	const struct question *q = workspace_question(env->ws);
	if (p->question != env->ws->question || !q) {
		p->question = env->ws->question;
		p->editing = false;
		read_message(p, env, false);
		p->button = q && q->kind == QUESTION_SAMPLING &&
			    !q->draft; /* so that the user can type one */
	}
	p->asks_text = q && q->kind == QUESTION_SAMPLING;
	questions_write(p, env);
	form_pane_sync(&p->form, env);
}

static enum role
heading(void *state, const struct view_env *env, struct buf *title, struct buf *facts)
{
	const struct server *s = env->ws->server;
	const struct question *q = workspace_question(env->ws);
	size_t count = s ? server_info(s)->questions : 0, at = 0;

	if (!q) {
		buf_add_str(title, "questions");
		return ROLE_DIM;
	}
	while (at < count && server_question_at(s, at)->id != q->id)
		at++;
	buf_addf(title, "%s asks: %s%s", server_info(s)->name, question_kind_name(q->kind),
	    q->kind == QUESTION_FORM || q->kind == QUESTION_URL ? " elicitation" : "");
	buf_addf(facts, "%zu of %zu%s", at + 1, count, count > 1 ? "  [ ]" : "");
	return count > 1 ? ROLE_WARNING : ROLE_DIM;
}

/* ---- keys ---- */

static const struct question *
plain_question(const struct view_env *env)
{
	const struct question *q = workspace_question(env->ws);

	return q && q->kind != QUESTION_FORM ? q : NULL;
}

static void
press(struct questions *p, const struct view_env *env, const struct question *q, int button)
{
	p->button = button;
	env->host->run(env->user, question_buttons(q)[button].command);
}

static bool
act_activate(void *state, const struct view_env *env, const char *arg)
{
	struct questions *p = state;
	const struct question *q = plain_question(env);

	if (p->reading)
		read_message(p, env, false);
	else if (q)
		press(p, env, q, p->button);
	else if (workspace_question(env->ws))
		form_pane_activate(&p->form, env);
	return true;
}

static bool
act_type(void *state, const struct view_env *env, const char *arg)
{
	struct questions *p = state;
	const struct question *q = plain_question(env);

	if (!q || q->kind != QUESTION_SAMPLING)
		return false;
	p->editing = true;
	edit_set(&p->answer, q->draft ? q->draft : "", q->draft ? strlen(q->draft) : 0);
	return true;
}

static bool
act_remove_root(void *state, const struct view_env *env, const char *arg)
{
	struct questions *p = state;
	const struct strings *roots = env->ws->server ? server_info(env->ws->server)->roots : NULL;

	if (!roots || p->root >= roots->len)
		return false;
	char *line = mem_printf("root remove %s", roots->items[p->root]);
	bool ok = env->host->run(env->user, line);
	free(line);
	return ok;
}

static bool
act_read(void *state, const struct view_env *env, const char *arg)
{
	struct questions *p = state;
	const struct question *q = workspace_question(env->ws);

	if (!q || !*q->elicitation.message)
		return false;
	read_message(p, env, !p->reading);
	return true;
}

static bool
act_next(void *state, const struct view_env *env, const char *arg)
{
	return workspace_next_question(env->ws, 1);
}

static bool
act_previous(void *state, const struct view_env *env, const char *arg)
{
	return workspace_next_question(env->ws, -1);
}

static const struct view_action actions[] = {
	{ "press", "enter", "", "press the button, edit the field", act_activate, "press" },
	{ "next-question", "]", "", "go to the next question", act_next, NULL },
	{ "previous-question", "[", "", "go to the previous question", act_previous, NULL },
	{ "read-message", "m", "", "read the whole message, or go back to the answer", act_read,
	    "message" },
	{ "type-answer", "t", "", "type the answer to a sampling request", act_type, NULL },
	{ "remove-root", "", "", "remove the selected root", act_remove_root, NULL },
	FORM_PANE_ACTIONS,
	{ 0 },
};

/* Enter and the answering keys come first, in the table of the bar. */
static const char *
hint(void *state, const struct view_env *env, const struct view_action *action)
{
	const struct question *q = workspace_question(env->ws);
	struct questions *p = state;

	if (!q || action->run == act_activate)
		return NULL;
	if (action->run == act_read)
		return p->reading ? "answer" : p->cut ? action->hint : NULL;
	return q->kind == QUESTION_FORM ? form_pane_hint(&p->form, env, action) : NULL;
}

static bool
answer_key(struct questions *p, const struct view_env *env, const struct key *key)
{
	struct question *q = workspace_question(env->ws);
	bool changed = false;

	if (!q || key->kind == KEY_ESCAPE) {
		p->editing = false;
		return true;
	}
	if (!edit_key(&p->answer, key, &changed)) {
		if (key->kind != KEY_F && key->kind != KEY_TAB)
			return key->kind == KEY_UP || key->kind == KEY_DOWN;
		p->editing = false;
		return key->kind == KEY_TAB;
	}
	if (changed) {
		question_set(&q->draft, edit_text(&p->answer), p->answer.text.len);
		server_changed(env->ws->server);
	}
	return true;
}

static bool
mouse(struct questions *p, const struct view_env *env, const struct question *q,
    const struct key *key)
{
	if (key->action == MOUSE_PRESS && key->y == p->buttons_y)
		for (int i = 0; question_buttons(q)[i].label; i++)
			if (key->x >= p->buttons_x[i] && key->x < p->buttons_x[i + 1] - 1) {
				press(p, env, q, i);
				return true;
			}
	return page_key(&p->text, key);
}

static void
step_button(struct questions *p, const struct question *q, int by)
{
	int last = 0, to = p->button + by;

	while (question_buttons(q)[last + 1].label)
		last++;
	p->button = to < 0 ? 0 : to > last ? last : to;
}

static bool
dialog_key(struct questions *p, const struct view_env *env, const struct question *q,
    const struct key *key)
{
	size_t roots = q->kind == QUESTION_ROOTS ? server_info(env->ws->server)->roots->len : 0;

	if (key->kind == KEY_MOUSE)
		return mouse(p, env, q, key);
	if (key->kind == KEY_LEFT || key->kind == KEY_RIGHT) {
		step_button(p, q, key->kind == KEY_LEFT ? -1 : 1);
		return true;
	}
	if (roots > 0 && key->kind == KEY_UP) {
		p->root -= p->root > 0;
		return true;
	}
	if (roots > 0 && key->kind == KEY_DOWN) {
		p->root += p->root + 1 < roots;
		return true;
	}
	return page_key(&p->text, key);
}

static bool
seek(void *state, const struct view_env *env, struct seekable *out)
{
	struct questions *p = state;
	const struct question *q = workspace_question(env->ws);

	if (p->editing || !env->ws->server)
		return false;
	if (q && q->kind == QUESTION_FORM && !p->reading) {
		bool ok = form_pane_seek(&p->form, env, out);
		out->y = p->form_y;
		return ok;
	}
	*out = seek_page(&p->text);
	out->y = p->text_y;
	return true;
}

static bool
key(void *state, const struct view_env *env, const struct key *key)
{
	struct questions *p = state;
	const struct question *q = workspace_question(env->ws);

	if (!q)
		return false;
	if (p->editing)
		return answer_key(p, env, key);
	if (p->reading)
		return page_key(&p->text, key);
	bool text = key->kind == KEY_PASTE || (key->kind == KEY_CHAR && key->ch >= ' ' &&
						  !(key->mods & (MOD_CTRL | MOD_ALT)));
	if (env->typing && text && act_type(p, env, ""))
		return answer_key(p, env, key);
	if (q->kind != QUESTION_FORM)
		return dialog_key(p, env, q, key);
	struct key local = *key;
	if (key->kind == KEY_MOUSE)
		local.y -= p->form_y;
	return form_pane_key(&p->form, env, &local);
}

static struct surface
pop_up(void *state, const struct view_env *env, struct surface screen, struct surface inner)
{
	struct questions *p = state;
	const struct question *q = workspace_question(env->ws);

	if (!q || q->kind != QUESTION_FORM || p->reading)
		return surface_sub(screen, 0, 0, 0, 0);
	inner = surface_sub(inner, 0, p->form_y, inner.width, inner.height - p->form_y);
	return form_pane_pop_up(&p->form, env, screen, inner);
}

static const char *
captures(const void *state)
{
	const struct questions *p = state;

	return p->editing ? "Esc done  F5 send  F8 decline" : form_pane_captures(&p->form);
}

static bool
types(const void *state)
{
	const struct questions *p = state;

	return !p->editing && !p->reading && (p->asks_text || form_pane_types(&p->form));
}

static bool
fills(const void *state)
{
	return form_pane_fills(&((const struct questions *)state)->form);
}

static const struct view_binding bindings[] = {
	{ "ctrl-r r f5", "answer" },
	{ "f8", "decline" },
	{ "f9", "dismiss" },
	{ "y", "copy-url" },
	{ "ctrl-e", "edit-answer" },
	{ "ctrl-t", "edit-request" },
	{ "ctrl-g", "sample" },
	{ 0 },
};

const struct view_ops pane_questions = {
	.title = "questions",
	.help = "requests from the server: elicitation, sampling, roots",
	.state_size = sizeof(struct questions),
	.actions = actions,
	.whole = "remove-root",
	.bindings = bindings,
	.init = init,
	.finish = finish,
	.sync = sync,
	.heading = heading,
	.want = questions_want,
	.draw = questions_draw,
	.pop_up = pop_up,
	.key = key,
	.seek = seek,
	.captures = captures,
	.types = types,
	.fills = fills,
	.hint = hint,
};

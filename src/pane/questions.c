#include "form_pane_actions_priv.h"
#include "pane_text.h"
#include "questions_priv.h"

#include "base/mem.h"
#include "model/answers.h"

#include <stdlib.h>
#include <string.h>

/* One question of the server at a time: what is asked, what is answered, and the keys for it. */

#define MESSAGE_SHOWN ((size_t)65536)

static const struct form_pane_look form_look = {
	.buttons = { { " Send F5 ", "answer" }, { " JSON ", "json" }, { " Decline F8 ", "decline" },
	    { " Cancel F9 ", "dismiss" } },
	.typing = "Enter done  Tab next field  F5 send  F8 decline",
	.typing_lines = "Enter done  Alt-Enter new line  Tab next field  F5 send  F8 decline",
	.typing_json = "Esc done  Tab next field  F5 send  F8 decline",
	.menu = "Enter choose  Esc leave  F5 send",
	.schema = "requestedSchema",
	.bare = true,
};

static struct form *
asked_form(const struct pane_env *env)
{
	struct question *q = workspace_question(env->ws);

	return q ? q->form : NULL;
}

/* The message is read: keys must not reach what is not seen. */
static struct form *
no_form(const struct pane_env *env)
{
	(void)env;
	return NULL;
}

static void
read_message(struct questions *p, bool on)
{
	p->reading = on;
	p->top = 0;
	p->form.source = on ? no_form : asked_form;
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
	wrap_finish(&p->wrap);
	edit_finish(&p->answer);
}

static void
sync(void *state, const struct pane_env *env)
{
	struct questions *p = state;

	if (env->ws->question == 0)
		workspace_next_question(env->ws, 0);
	const struct question *q = workspace_question(env->ws);
	if (p->question != env->ws->question || !q) {
		p->question = env->ws->question;
		p->editing = false;
		read_message(p, false);
		p->button = q && q->kind == QUESTION_SAMPLING && !q->draft; /* to type one */
	}
	form_pane_sync(&p->form, env);
}

static enum role
heading(void *state, const struct pane_env *env, struct buf *title, struct buf *facts)
{
	const struct server *s = env->ws->server;
	const struct question *q = workspace_question(env->ws);
	size_t count = s ? server_question_count(s) : 0, at = 0;
	(void)state;

	if (!q) {
		buf_add_str(title, "questions");
		return ROLE_DIM;
	}
	while (at < count && server_question_at(s, at)->id != q->id)
		at++;
	buf_addf(title, "%s asks: %s", server_name(s), question_kind_name(q->kind));
	buf_addf(facts, "%zu of %zu%s", at + 1, count, count > 1 ? "  [ ]" : "");
	return count > 1 ? ROLE_WARNING : ROLE_DIM;
}

/* ---- drawing ---- */

/* Which call, how long ago, which server in full. Returns the rows used. */
static int
draw_origin(const struct pane_env *env, const struct question *q, struct surface s)
{
	const struct server *server = env->ws->server;
	const struct call *call = server_find_call(server, q->call);
	struct buf text = BUF_INIT;

	if (call)
		buf_addf(&text, "in the call of %s, ", call_name(call));
	else
		buf_add_str(&text, "on its own, ");
	pane_add_duration(&text, env->now_us - q->asked_us);
	buf_add_str(&text, " ago");
	if (q->key)
		buf_addf(&text, " · inputRequests/%s", q->key);
	buf_addf(&text, " · %s", server_label(server));
	surface_text(s, 0, 0, -1, style_of(ROLE_HINT), buf_text(&text));
	buf_finish(&text);
	return 1;
}

/* The beginning; how to get at the rest stands in its last row. */
static int
draw_message(struct questions *p, const struct question *q, struct surface s, int most)
{
	const char *text = q->elicitation.message;
	size_t shown = strnlen(text, MESSAGE_SHOWN);

	p->cut = false;
	if (q->kind == QUESTION_SAMPLING || !*text)
		return 0;
	wrap_set(&p->wrap, text, shown, s.width);
	wrap_work(&p->wrap, (size_t)most + 1, shown + 1);
	p->cut = wrap_rows(&p->wrap) > (size_t)most;
	int rows = p->cut ? most : (int)wrap_rows(&p->wrap);
	wrap_draw(&p->wrap, surface_sub(s, 0, 0, s.width, rows - p->cut), style_of(ROLE_TEXT), 0);
	if (p->cut)
		surface_text(
		    s, 0, rows - 1, -1, style_of(ROLE_WARNING), "… m shows the whole message");
	return rows + 1;
}

static void
draw_whole_message(
    struct questions *p, const struct pane_env *env, const struct question *q, struct surface s)
{
	struct flow f = { .s = s, .wrap = &p->wrap, .top = p->top };

	flow_add(&f, ROLE_TEXT, 0, q->elicitation.message, strlen(q->elicitation.message));
	flow_addf(&f, ROLE_HINT, 0, "m goes back to the answer");
	p->rows = f.row;
	p->page = s.height;
	p->buttons_y = -1;
	if (f.row > (size_t)s.height)
		surface_scrollbar(s, env->focused, f.row, p->top);
}

static void
draw_text(
    struct questions *p, const struct pane_env *env, const struct question *q, struct surface s)
{
	struct flow f = { .s = s, .wrap = &p->wrap, .top = p->top };

	if (q->kind == QUESTION_URL)
		question_draw_url(q, &f);
	else if (q->kind == QUESTION_SAMPLING)
		question_draw_sampling(q, &f);
	else
		question_draw_roots(p, env->ws->server, &f, env->focused);
	p->rows = f.row;
	p->page = s.height;
	if (f.row > (size_t)s.height)
		surface_scrollbar(s, env->focused, f.row, p->top);
}

static void
draw_dialog(
    struct questions *p, const struct pane_env *env, const struct question *q, struct surface s)
{
	int answer = q->kind != QUESTION_SAMPLING ? 0 : s.height / 3 < 4 ? 4 : s.height / 3;
	int body = s.height - 2 - answer;

	draw_text(p, env, q, surface_sub(s, 0, 0, s.width, body));
	if (answer > 0)
		question_draw_answer(p, q, surface_sub(s, 0, body, s.width, answer), env->focused);
	p->buttons_y = s.y + s.height - 1;
	question_draw_buttons(p, q, surface_sub(s, 0, s.height - 1, s.width, 1), env->focused);
}

static void
draw_none(struct questions *p, const struct pane_env *env, struct surface s)
{
	struct flow f = { .s = s, .wrap = &p->wrap };
	const struct server *server = env->ws->server;
	size_t left = server ? server_question_count(server) : 0;
	const char *why = server ? server_question_end(server, env->ws->question) : NULL;

	p->buttons_y = -1;
	if (why)
		flow_addf(&f, ROLE_WARNING, 0, "This question has gone: %s.", why);
	if (left > 0)
		flow_addf(&f, ROLE_TEXT, 0, "] shows the next, of %zu.", left);
	else
		flow_addf(&f, ROLE_HINT, 0, "The server asks nothing%s.", why ? " more" : "");
	flow_addf(&f, ROLE_DIM, 0, " ");
	if (server)
		question_draw_roots(p, server, &f, env->focused);
}

static void
draw_form(
    struct questions *p, const struct pane_env *env, const struct question *q, struct surface s)
{
	p->buttons_y = -1;
	if (!q->elicitation.schema && s.height > 3) {
		surface_text(s, 0, 0, -1, style_of(ROLE_WARNING),
		    "! no requestedSchema came along, or none that is an object");
		s = surface_sub(s, 0, 2, s.width, s.height - 2);
		p->form_y += 2;
	}
	form_pane_draw(&p->form, env, s);
}

/* A third of the pane, or what few fields leave. */
static int
message_room(const struct question *q, int height)
{
	enum { AROUND = 6, FEW = 50 };
	size_t fields = q->form ? form_row_count(q->form) : FEW;
	int left = fields < FEW ? height - AROUND - (int)fields : 0;
	int most = left > height / 3 ? left : height / 3;

	return most > 2 ? most : 2;
}

static void
draw(void *state, const struct pane_env *env, struct surface s)
{
	struct questions *p = state;
	struct question *q = workspace_question(env->ws);

	if (!q) {
		draw_none(p, env, s);
		return;
	}
	int y = draw_origin(env, q, s) + 1;
	if (p->reading) {
		draw_whole_message(p, env, q, surface_sub(s, 0, y, s.width, s.height - y));
		return;
	}
	int most = message_room(q, s.height);
	y += draw_message(p, q, surface_sub(s, 0, y, s.width, s.height - y), most);
	p->form_y = y;
	struct surface rest = surface_sub(s, 0, y, s.width, s.height - y);
	if (q->kind == QUESTION_FORM) {
		draw_form(p, env, q, rest);
		return;
	}
	draw_dialog(p, env, q, rest);
	p->buttons_y = s.height - 1;
	if (p->rows <= p->top + (size_t)p->page)
		q->seen = true;
}

/* ---- keys ---- */

static const struct question *
plain_question(const struct pane_env *env)
{
	const struct question *q = workspace_question(env->ws);

	return q && q->kind != QUESTION_FORM ? q : NULL;
}

static void
press(struct questions *p, const struct pane_env *env, const struct question *q, int button)
{
	p->button = button;
	env->host->run(env->user, question_buttons(q)[button].command);
}

static bool
act_activate(void *state, const struct pane_env *env, const char *arg)
{
	struct questions *p = state;
	const struct question *q = plain_question(env);
	(void)arg;

	if (p->reading)
		read_message(p, false);
	else if (q)
		press(p, env, q, p->button);
	else if (workspace_question(env->ws))
		form_pane_activate(&p->form, env);
	return true;
}

static bool
act_type(void *state, const struct pane_env *env, const char *arg)
{
	struct questions *p = state;
	const struct question *q = plain_question(env);
	(void)arg;

	if (!q || q->kind != QUESTION_SAMPLING)
		return false;
	p->editing = true;
	edit_set(&p->answer, q->draft ? q->draft : "", q->draft ? strlen(q->draft) : 0);
	return true;
}

static bool
act_remove_root(void *state, const struct pane_env *env, const char *arg)
{
	struct questions *p = state;
	const struct roots *roots = env->ws->server ? server_roots(env->ws->server) : NULL;
	(void)arg;

	if (!roots || p->root >= roots->len)
		return false;
	char *line = mem_printf("root remove %s", roots->items[p->root]);
	bool ok = env->host->run(env->user, line);
	free(line);
	return ok;
}

static bool
act_read(void *state, const struct pane_env *env, const char *arg)
{
	struct questions *p = state;
	const struct question *q = workspace_question(env->ws);
	(void)arg;

	if (!q || !*q->elicitation.message)
		return false;
	read_message(p, !p->reading);
	return true;
}

static bool
act_next(void *state, const struct pane_env *env, const char *arg)
{
	(void)state;
	(void)arg;
	return workspace_next_question(env->ws, 1);
}

static bool
act_previous(void *state, const struct pane_env *env, const char *arg)
{
	(void)state;
	(void)arg;
	return workspace_next_question(env->ws, -1);
}

static const struct pane_action actions[] = {
	{ "press", "enter", "", "press the button, edit the field", act_activate, "press" },
	{ "next-question", "]", "", "go to the next question", act_next, NULL },
	{ "previous-question", "[", "", "go to the question before", act_previous, NULL },
	{ "read-message", "m", "", "read the whole message, or go back to the answer", act_read,
	    "message" },
	{ "type-answer", "i", "", "type the answer to a sampling", act_type, NULL },
	{ "remove-root", "", "", "tell the selected root no more", act_remove_root, NULL },
	FORM_PANE_ACTIONS,
	{ 0 },
};

/* Enter and what answers stand before all others, in the bar's own table. */
static const char *
hint(void *state, const struct pane_env *env, const struct pane_action *action)
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
answer_key(struct questions *p, const struct pane_env *env, const struct key *key)
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
		server_question_changed(env->ws->server);
	}
	return true;
}

static bool
scroll(struct questions *p, const struct key *key)
{
	size_t most = p->rows > (size_t)p->page ? p->rows - (size_t)p->page + 1 : 1;

	return pane_scroll_key(&p->top, most, key);
}

static bool
mouse(struct questions *p, const struct pane_env *env, const struct question *q,
    const struct key *key)
{
	if (key->action == MOUSE_PRESS && key->y == p->buttons_y)
		for (int i = 0; question_buttons(q)[i].label; i++)
			if (key->x >= p->buttons_x[i] && key->x < p->buttons_x[i + 1] - 1) {
				press(p, env, q, i);
				return true;
			}
	return scroll(p, key);
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
dialog_key(struct questions *p, const struct pane_env *env, const struct question *q,
    const struct key *key)
{
	size_t roots = q->kind == QUESTION_ROOTS ? server_roots(env->ws->server)->len : 0;

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
	return scroll(p, key);
}

static bool
key(void *state, const struct pane_env *env, const struct key *key)
{
	struct questions *p = state;
	const struct question *q = workspace_question(env->ws);

	if (!q)
		return false;
	if (p->editing)
		return answer_key(p, env, key);
	if (p->reading)
		return scroll(p, key);
	if (q->kind != QUESTION_FORM)
		return dialog_key(p, env, q, key);
	struct key local = *key;
	if (key->kind == KEY_MOUSE)
		local.y -= p->form_y;
	return form_pane_key(&p->form, env, &local);
}

static bool
captures(const void *state)
{
	const struct questions *p = state;

	return p->editing || form_pane_captures(&p->form);
}

static const char *
typing(const void *state)
{
	const struct questions *p = state;

	return p->editing ? "Esc done  F5 send  F8 decline" : form_pane_typing(&p->form);
}

const struct pane_ops pane_questions = {
	.name = "questions",
	.title = "questions",
	.help = "what the server asks of you: forms, URLs, samplings, roots",
	.slot = SLOT_OVERLAY,
	.state_size = sizeof(struct questions),
	.actions = actions,
	.init = init,
	.finish = finish,
	.sync = sync,
	.heading = heading,
	.draw = draw,
	.key = key,
	.captures = captures,
	.typing = typing,
	.hint = hint,
};

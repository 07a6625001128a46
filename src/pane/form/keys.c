#include "actions.h"

#include "base/vec.h"

#include <string.h>

static size_t
last_row(const struct form_pane *p, const struct view_env *env)
{
	size_t count = form_row_count(form_pane_form(p, env));

	return count > 0 ? count - 1 : 0;
}

/* Rows, then the buttons as one more row below them. */
void
form_pane_move(struct form_pane *p, const struct view_env *env, int by)
{
	size_t count = form_row_count(form_pane_form(p, env));
	size_t step = (size_t)(by < 0 ? -by : by);

	p->follow = true;
	if (p->button != BUTTON_NONE) {
		if (by > 0 || count == 0)
			return;
		p->button = BUTTON_NONE;
		p->row = count - 1;
		step--;
	}
	if (by < 0) {
		p->row -= step < p->row ? step : p->row;
	} else if (p->row + step < count) {
		p->row += step;
	} else if (p->row + 1 < count && step > 1) {
		p->row = count - 1;
	} else {
		p->button = BUTTON_CALL;
	}
}

/* False: nothing here has a use for it. */
static bool
move_sideways(struct form_pane *p, const struct view_env *env, int by)
{
	struct form_row row;

	if (p->button != BUTTON_NONE) {
		int to = p->button + by, count = form_pane_buttons(p, env);
		p->button = to < 0 ? 0 : to >= count ? count - 1 : to;
		return to >= 0;
	}
	if (!form_pane_row(p, env, &row))
		return false;
	enum field_kind kind = row.view.kind;
	bool container =
	    (kind == FIELD_OBJECT || kind == FIELD_ARRAY) && row.kind == FORM_ROW_FIELD;
	bool open = !form_pane_is_chooser(&row) || row.view.state == FIELD_SET;
	if (container && open && row.view.folded != (by < 0)) {
		field_fold(row.field, by < 0);
		form_pane_changed(env);
		return true;
	}
	p->filling |= !container;
	return !container && form_pane_step(p, env, by);
}

/* Of one line, and no JSON: what is typed replaces it, as in a form of the web. */
static bool
is_replaced(const struct form_row *row)
{
	const struct field_view *v = &row->view;

	return v->kind != FIELD_JSON && !memchr(v->text, '\n', v->text_len);
}

/* What is typed or pasted on a field begins its text. */
static bool
type_into(struct form_pane *p, const struct view_env *env, const struct key *key)
{
	struct form_row row;

	if (!form_pane_row(p, env, &row) || !form_pane_takes_text(&row))
		return false;
	form_pane_edit_start(p, env);
	if (is_replaced(&row))
		edit_select(&p->edit, 0);
	return form_pane_edit_key(p, env, key);
}

/* Letters are text here, also on what takes none: whoever types has looked at another field. */
static bool
typed_key(struct form_pane *p, const struct view_env *env, const struct key *key)
{
	struct form_row row;

	if (type_into(p, env, key))
		return true;
	if (key->kind == KEY_PASTE)
		return false;
	if (form_pane_row(p, env, &row) && form_pane_menu_choices(&row) > 0) {
		form_pane_menu_open(p, &row);
		return form_pane_menu_key(p, env, key);
	}
	p->filling = true; /* else Tab would lead out, where the next letters are commands */
	form_pane_refuse(env, "letters are text in a form; after Esc they are commands");
	return true;
}

/* False: it leads out of the form. */
static bool
tab_key(struct form_pane *p, const struct view_env *env, const struct key *key)
{
	bool back = key->mods & MOD_SHIFT;

	if (!p->filling || (back ? p->row == 0 && p->button == BUTTON_NONE : p->button != BUTTON_NONE))
		return false;
	form_pane_edit_next(p, env, back ? -1 : 1);
	return true;
}

static bool
move_key(struct form_pane *p, const struct view_env *env, const struct key *key)
{
	static const struct {
		enum key_kind kind;
		uint32_t ch;
		int by;
	} moves[] = {
		{ KEY_UP, 'k', -1 },
		{ KEY_DOWN, 'j', 1 },
		{ KEY_PAGE_UP, 0, -10 },
		{ KEY_PAGE_DOWN, 0, 10 },
	};

	for (size_t i = 0; i < ARRAY_LEN(moves); i++)
		if (key->kind == moves[i].kind ||
		    (key->kind == KEY_CHAR && key->ch == moves[i].ch && moves[i].ch)) {
			form_pane_move(p, env, moves[i].by);
			return true;
		}
	if (key->kind == KEY_HOME || (key->kind == KEY_CHAR && key->ch == 'g')) {
		p->button = form_row_count(form_pane_form(p, env)) > 0 ? BUTTON_NONE : BUTTON_CALL;
		p->row = 0;
	} else if (key->kind == KEY_END || (key->kind == KEY_CHAR && key->ch == 'G')) {
		p->button = BUTTON_CALL;
		p->row = last_row(p, env);
	} else {
		return false;
	}
	p->follow = true;
	return true;
}

static bool
plain_key(struct form_pane *p, const struct view_env *env, const struct key *key)
{
	uint32_t ch = key->kind == KEY_CHAR ? key->ch : 0;

	if (key->mods & (MOD_CTRL | MOD_ALT))
		return false;
	if (key->kind == KEY_TAB)
		return tab_key(p, env, key);
	if (key->kind == KEY_ESCAPE)
		p->filling = false;
	if (key->kind == KEY_PASTE || (env->typing && ch > ' '))
		return typed_key(p, env, key);
	if (move_key(p, env, key))
		return true;
	if (key->kind == KEY_LEFT || ch == 'h') {
		return move_sideways(p, env, -1);
	} else if (key->kind == KEY_RIGHT || ch == 'l') {
		return move_sideways(p, env, 1);
	} else if (ch == ' ') {
		struct form_row row;
		bool few = form_pane_row(p, env, &row) && !form_pane_is_chooser(&row) &&
			   row.view.kind == FIELD_ENUM && row.view.choice_count <= 6;
		p->filling |= few;
		if (few)
			form_pane_step(p, env, 1);
		else
			form_pane_activate(p, env);
	} else {
		return false;
	}
	return true;
}

static void
click_row(struct form_pane *p, const struct view_env *env, const struct form_hit *hit, int x)
{
	bool again = p->button == BUTTON_NONE && p->row == hit->row;

	p->button = BUTTON_NONE;
	p->row = hit->row;
	p->follow = false;
	if (x >= p->widget_x || again)
		form_pane_activate(p, env);
}

static bool
mouse(struct form_pane *p, const struct view_env *env, const struct key *key)
{
	size_t rows = form_row_count(form_pane_form(p, env));

	if (key->action == MOUSE_WHEEL_UP || key->action == MOUSE_WHEEL_DOWN) {
		size_t by = 3;
		p->follow = false;
		if (key->action == MOUSE_WHEEL_UP)
			p->top -= by < p->top ? by : p->top;
		else
			p->top = p->top + by < rows ? p->top + by : p->top;
		return true;
	}
	if (key->action != MOUSE_PRESS || key->button != 1)
		return false;
	if (key->y == p->buttons_y) {
		for (int i = 0; i < BUTTON_COUNT; i++)
			if (key->x >= p->buttons_x[i] && key->x < p->buttons_x[i + 1] - 1)
				form_pane_press(p, env, i);
		return true;
	}
	for (int i = 0; i < p->hit_count; i++)
		if (key->y >= p->hits[i].y && key->y < p->hits[i].y + p->hits[i].height) {
			click_row(p, env, &p->hits[i], key->x);
			return true;
		}
	return false;
}

/* A click into the edited text moves its cursor; any other click ends editing. */
static bool
mouse_while_editing(struct form_pane *p, const struct view_env *env, const struct key *key)
{
	bool press = key->action == MOUSE_PRESS && key->button == 1;

	for (int i = 0; press && i < p->hit_count; i++) {
		const struct form_hit *hit = &p->hits[i];
		if (hit->row == p->row && key->x >= p->widget_x && key->y >= hit->y &&
		    key->y < hit->y + hit->height) {
			edit_point(&p->edit, key->x - p->widget_x - 1, key->y - hit->y);
			return true;
		}
	}
	if (press)
		form_pane_edit_end(p, env);
	return mouse(p, env, key);
}

bool
form_pane_key(void *state, const struct view_env *env, const struct key *key)
{
	struct form_pane *p = state;

	if (!form_pane_form(p, env))
		return false;
	if (p->preview)
		return form_pane_preview_key(p, key);
	if (p->menu.open)
		return form_pane_menu_key(p, env, key);
	if (key->kind == KEY_MOUSE && form_pane_suggest_key(p, env, key))
		return true;
	if (key->kind == KEY_MOUSE)
		return p->editing ? mouse_while_editing(p, env, key) : mouse(p, env, key);
	if (p->editing)
		return form_pane_edit_key(p, env, key);
	return plain_key(p, env, key);
}

/* ---- searching: places are rows ---- */

static enum seek_result
seek_in_rows(const struct seekable *s, const struct substring *n, size_t *at)
{
	const struct form *form = form_pane_form(s->of, s->with);

	for (; *at < form_row_count(form); ++*at) {
		const struct field_view v = form_row_at(form, *at).view;
		if ((v.name && substring_is_in(n, v.name, strlen(v.name))) ||
		    (v.description && substring_is_in(n, v.description, strlen(v.description))) ||
		    substring_is_in(n, v.text, v.text_len))
			return SEEK_FOUND;
	}
	return SEEK_DONE;
}

static void
show_row(const struct seekable *s, size_t at)
{
	struct form_pane *p = s->of;

	p->button = BUTTON_NONE;
	p->row = at;
	p->follow = true;
}

static size_t
selected_row(const struct seekable *s)
{
	return ((const struct form_pane *)s->of)->row;
}

static int
y_of_row(const struct seekable *s, size_t at)
{
	const struct form_pane *p = s->of;

	for (int i = 0; i < p->hit_count; i++)
		if (p->hits[i].row == at)
			return s->y + p->hits[i].y;
	return -1;
}

bool
form_pane_seek(void *state, const struct view_env *env, struct seekable *out)
{
	struct form_pane *p = state;

	*out = (struct seekable){
		.of = p,
		.with = env,
		.version = p->version,
		.seek = seek_in_rows,
		.show = show_row,
		.place = selected_row,
		.row = y_of_row,
	};
	return form_pane_form(p, env) && !form_pane_captures(p);
}

/* SPDX-License-Identifier: MIT */
#include "form_pane.h"

#include "base/vec.h"
#include "json/print.h"

#include <stdio.h>
#include <string.h>

#define LIVE_MAX 65536 /* bytes; longer JSON is checked when editing ends */
#define LIVE_ROWS 500  /* larger forms are checked when editing ends */
#define PREVIEW_PAGE 10
#define WHEEL_ROWS 3

/* ---- editing text ---- */

static bool
is_text(const struct field_view *v)
{
	return v->kind == FIELD_STRING || v->kind == FIELD_NUMBER || v->kind == FIELD_INTEGER ||
	       v->kind == FIELD_JSON || v->inferred;
}

bool
form_pane_takes_text(const struct form_row *row)
{
	return row->kind != FORM_ROW_ADD && !form_pane_is_chooser(row) && is_text(&row->view);
}

/* Append the text that editing starts with: the default of an omitted field, nothing for null. */
static void
initial_text(const struct field *field, struct buf *out)
{
	const struct field_view v = field_view(field);
	const cJSON *value = field_default(field);
	bool is_null = v.kind == FIELD_JSON && strcmp(v.text, "null") == 0;

	if (cJSON_GetStringValue(value) && (v.kind == FIELD_STRING || v.variant_count > 0))
		buf_add_str(out, cJSON_GetStringValue(value));
	else if (value && !cJSON_IsNull(value))
		json_print(out, value);
	else if (v.inferred && !is_null)
		field_inferred_text(field, out);
	else if (!is_null)
		buf_add(out, v.text, v.text_len);
}

/* Whether the text is edited as JSON: Enter inserts a new line, and errors appear while typing. */
static bool
is_json_text(const struct field_view *v, const char *text)
{
	return v->kind == FIELD_JSON && (!v->inferred || *text == '{' || *text == '[');
}

void
form_pane_edit_start(struct form_pane *p, const struct view_env *env)
{
	const struct form *form = form_pane_form(p, env);
	struct form_row row;

	if (!form_pane_row(p, env, &row) || !is_text(&row.view))
		return;
	struct field *field = row.field;
	struct buf text = BUF_INIT;
	initial_text(field, &text);
	if (form_pane_is_chooser(&row)) { /* the value is in the next row */
		field_set_state(field, FIELD_SET);
		field_fold(field, false);
		if (p->row + 1 < form_row_count(form) &&
		    form_row_at(form, p->row + 1).kind == FORM_ROW_VALUE)
			p->row++;
	}
	enum field_kind kind = field_view(field).kind;
	p->editing = p->filling = true;
	p->passing = false;
	p->follow = true;
	p->edit_touched = false;
	p->edit_is_json = is_json_text(&row.view, buf_text(&text));
	p->edit_string = field_is_plain_string(field);
	p->edit_error[0] = '\0';
	p->moment = kind == FIELD_STRING ? moment_kind_of(field_view(field).format) : MOMENT_NONE;
	p->edit.lines = kind == FIELD_STRING || kind == FIELD_JSON || row.view.inferred;
	edit_set(&p->edit, buf_text(&text), text.len);
	if (field_default(field) && !p->edit_is_json)
		edit_select(&p->edit, 0);
	buf_finish(&text);
	const char *start = edit_text(&p->edit);
	if (p->edit_is_json && strchr("{[", *start)) /* start inside {} and [] */
		p->edit.cursor = strlen(start) == 2;
	form_pane_read_past(p, env);
	form_pane_suggest_ask(p, env);
}

/* Change the form while the user types, so that a call from any pane sends the text. */
void
form_pane_edit_apply(struct form_pane *p, const struct view_env *env)
{
	struct field *field = form_pane_selected(p, env);
	const char *text = edit_text(&p->edit);
	size_t len = p->edit.text.len;

	if (p->naming)
		p->suggested = (struct form_suggestions){ 0 };
	if (!field || p->naming)
		return;
	if (field_view(field).inferred)
		field_set_inferred(field, text, len, p->edit_string);
	else
		field_set_text(field, text, len);
	const struct field_view v = field_view(field);
	bool was_json = p->edit_is_json;
	p->edit_is_json = is_json_text(&v, text);
	if (was_json && !p->edit_is_json)
		p->edit_error[0] = '\0';
	if (len == 0 && v.kind != FIELD_STRING && !v.required &&
	    (v.variant_count == 0 || v.inferred))
		field_set_state(field, FIELD_OMITTED);
	if (p->edit_is_json && len < LIVE_MAX) {
		struct json_error error;
		struct json_doc *doc = json_parse(text, len, NULL, &error);
		p->edit_error[0] = '\0';
		if (!doc && len > 0)
			snprintf(p->edit_error, sizeof(p->edit_error), "line %u column %u: %s",
			    error.line, error.column, error.text);
		json_doc_destroy(doc);
	}
	p->edit_touched = true;
	if (p->moment != MOMENT_NONE && form_row_count(form_pane_form(p, env)) <= LIVE_ROWS)
		form_check_given(form_pane_form(p, env));
	form_pane_suggest_ask(p, env);
	env->ws->generation++;
}

void
form_pane_edit_end(struct form_pane *p, const struct view_env *env)
{
	struct field *field = form_pane_selected(p, env);
	struct err err = { "" };

	p->suggested = (struct form_suggestions){ 0 };
	if (env->ws->server)
		server_complete(env->ws->server, NULL, 0, env->now_us);
	form_pane_refer_end(p);
	p->editing = false;
	if (p->naming) {
		p->naming = NAMING_NOTHING;
		return;
	}
	if (!field)
		return;
	if (!field_view(field).parent && !field_as_json(field, false, &err))
		env->host->say(env->user, ROLE_WARNING, err.text);
	if (p->edit_touched)
		form_check_given(form_pane_form(p, env));
	env->ws->generation++;
}

/* Move the selection over the rows, then the buttons as one more row below them. */
static void
move_by(struct form_pane *p, const struct view_env *env, int by)
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
	if (by < 0)
		p->row -= step < p->row ? step : p->row;
	else if (p->row + step < count)
		p->row += step;
	else if (p->row + 1 < count && step > 1)
		p->row = count - 1;
	else
		p->button = BUTTON_CALL;
}

static bool
is_one_line(const struct form_pane *p)
{
	return !p->edit_is_json && !memchr(edit_text(&p->edit), '\n', p->edit.text.len);
}

void
form_pane_edit_next(struct form_pane *p, const struct view_env *env, int by)
{
	struct form_row row;

	form_note_step(form_pane_form(p, env)); /* each field is one undo step */
	move_by(p, env, by);
	if (!form_pane_row(p, env, &row) || !form_pane_takes_text(&row))
		return;
	form_pane_edit_start(p, env);
	p->passing = p->moment != MOMENT_NONE; /* an arrow moves on instead of changing the date */
	if (is_one_line(p))
		edit_select(&p->edit, 0);
}

/* Finish editing by Enter, which sets an omitted field to the value shown: its default or an empty
 * string. */
static void
commit(struct form_pane *p, const struct view_env *env)
{
	struct field *field = form_pane_selected(p, env);

	if (p->naming) {
		form_pane_name_take(p, env);
		return;
	}
	const struct field_view v = field ? field_view(field) : (struct field_view){ 0 };
	bool has_value = v.state == FIELD_SET && v.filled;
	if (field && !has_value && (v.kind == FIELD_STRING || p->edit.text.len > 0))
		form_pane_edit_apply(p, env);
	form_pane_edit_end(p, env);
	form_pane_edit_next(p, env, 1);
}

/* Finish editing by Tab or an arrow. */
static bool
leave_by(struct form_pane *p, const struct view_env *env, const struct key *key)
{
	bool back = key->kind == KEY_UP || (key->kind == KEY_TAB && (key->mods & MOD_SHIFT));

	if (p->naming && key->kind == KEY_TAB && !back) {
		form_pane_name_take(p, env);
		return true;
	}
	form_pane_edit_end(p, env);
	form_pane_edit_next(p, env, back ? -1 : 1);
	p->passing |= key->kind != KEY_TAB;
	return true;
}

/* Change a date or time by Ctrl-N and the arrows. Return false if the key is not for it; arrows are
 * not before the text is a date or time. */
static bool
moment_key(struct form_pane *p, const struct view_env *env, const struct key *key)
{
	bool now = key->kind == KEY_CHAR && key->ch == 'n' && key->mods == MOD_CTRL;
	bool arrow = (key->kind == KEY_UP || key->kind == KEY_DOWN) && key->mods == 0;
	size_t cursor = p->edit.cursor;
	struct buf text = BUF_INIT;

	if (p->naming || p->moment == MOMENT_NONE || (!now && !arrow))
		return false;
	if (now && env->ws->server) {
		const struct journal_info *clock =
		    journal_info(server_info(env->ws->server)->journal);
		moment_add_now(&text, p->moment, env->now_us + clock->wall_us, clock->zone_s);
		cursor = text.len;
	} else if (arrow) {
		moment_step(
		    p->moment, edit_text(&p->edit), &cursor, key->kind == KEY_UP ? 1 : -1, &text);
	}
	bool changed = text.len > 0;
	if (changed) {
		edit_set(&p->edit, buf_text(&text), text.len);
		p->edit.cursor = cursor;
		form_pane_edit_apply(p, env);
		p->suggested.hidden = true;
	}
	buf_finish(&text);
	return changed;
}

static bool
edit_field_key(struct form_pane *p, const struct view_env *env, const struct key *key)
{
	static const struct key newline = { .kind = KEY_ENTER };
	bool arrow = (key->kind == KEY_UP || key->kind == KEY_DOWN) && key->mods == 0;

	if (p->passing && arrow)
		return leave_by(p, env, key);
	p->passing &= key->kind == KEY_ESCAPE; /* Escape has no list to hide */
	if (moment_key(p, env, key) || form_pane_suggest_key(p, env, key))
		return true;
	switch (key->kind) {
	case KEY_ESCAPE:
		form_pane_edit_end(p, env);
		p->filling = false;
		return true;
	case KEY_TAB:
		return leave_by(p, env, key);
	case KEY_UP:
	case KEY_DOWN:
		if (is_one_line(p))
			return leave_by(p, env, key);
		break;
	case KEY_ENTER:
		if (key->mods & MOD_ALT) {
			key = &newline;
		} else if (!p->edit_is_json) {
			commit(p, env);
			return true;
		}
		break;
	default:
		break;
	}
	if (key->kind == KEY_CHAR && key->ch == 't' && key->mods == MOD_ALT) {
		if (p->naming)
			return true;
		form_pane_edit_end(p, env);
		form_pane_act_type(p, env, "");
		form_pane_edit_start(p, env);
		return true;
	}
	bool changed = false;
	if (!edit_key(&p->edit, key, &changed)) {
		/* The text keeps these keys even if they change nothing, as Up in the first line.
		 */
		if (key->kind == KEY_UP || key->kind == KEY_DOWN || key->kind == KEY_PAGE_UP ||
		    key->kind == KEY_PAGE_DOWN ||
		    (key->kind == KEY_CHAR && !(key->mods & (MOD_CTRL | MOD_ALT))))
			return true;
		form_pane_edit_end(p, env); /* a command sees the typed text */
		return false;
	}
	if (changed)
		form_pane_edit_apply(p, env);
	p->follow = true;
	return true;
}

/* ---- keys while no field is edited ---- */

/* Left and Right: the buttons, folding, choices. Return false if the key does nothing here. */
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
		env->ws->generation++;
		return true;
	}
	p->filling |= !container;
	return !container && form_pane_step(p, env, by);
}

/* Typed and pasted text starts editing the field. Letters are never commands here, because the user
 * may type on a field that takes no text by mistake. */
static bool
typed_key(struct form_pane *p, const struct view_env *env, const struct key *key)
{
	struct form_row row;
	bool has_row = form_pane_row(p, env, &row);

	if (has_row && form_pane_takes_text(&row)) {
		form_pane_edit_start(p, env);
		/* The new text replaces one line, as in a web form. */
		if (row.view.kind != FIELD_JSON && !memchr(row.view.text, '\n', row.view.text_len))
			edit_select(&p->edit, 0);
		if (edit_field_key(p, env, key))
			return true;
	}
	if (key->kind == KEY_PASTE)
		return false;
	if (has_row && form_pane_menu_choices(&row) > 0) {
		form_pane_menu_open(p, &row);
		return form_pane_menu_key(p, env, key);
	}
	p->filling = true; /* Tab stays in the form, so the next letters are not commands */
	view_refuse(env, "letters are text in a form; after Esc they are commands");
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

	size_t count = form_row_count(form_pane_form(p, env));

	for (size_t i = 0; i < ARRAY_LEN(moves); i++)
		if (key->kind == moves[i].kind ||
		    (key->kind == KEY_CHAR && key->ch == moves[i].ch && moves[i].ch)) {
			move_by(p, env, moves[i].by);
			return true;
		}
	if (key->kind == KEY_HOME || (key->kind == KEY_CHAR && key->ch == 'g')) {
		p->button = count > 0 ? BUTTON_NONE : BUTTON_CALL;
		p->row = 0;
	} else if (key->kind == KEY_END || (key->kind == KEY_CHAR && key->ch == 'G')) {
		p->button = BUTTON_CALL;
		p->row = count > 0 ? count - 1 : 0;
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
	if (key->kind == KEY_TAB) {
		bool back = key->mods & MOD_SHIFT;
		bool at_end =
		    back ? p->row == 0 && p->button == BUTTON_NONE : p->button != BUTTON_NONE;
		if (!p->filling || at_end)
			return false; /* Tab leaves the form */
		form_pane_edit_next(p, env, back ? -1 : 1);
		return true;
	}
	if (key->kind == KEY_ESCAPE)
		p->filling = false;
	if (key->kind == KEY_PASTE || (env->typing && ch > ' '))
		return typed_key(p, env, key);
	if (move_key(p, env, key))
		return true;
	if (key->kind == KEY_LEFT || ch == 'h')
		return move_sideways(p, env, -1);
	if (key->kind == KEY_RIGHT || ch == 'l')
		return move_sideways(p, env, 1);
	if (ch != ' ')
		return false;
	struct form_row row;
	bool few = form_pane_row(p, env, &row) && !form_pane_is_chooser(&row) &&
		   row.view.kind == FIELD_ENUM && row.view.choice_count <= 6;
	p->filling |= few;
	if (few)
		form_pane_step(p, env, 1);
	else
		form_pane_act_activate(p, env, "");
	return true;
}

/* A click into the edited text moves its cursor; any other click ends editing. */
static bool
mouse_key(struct form_pane *p, const struct view_env *env, const struct key *key)
{
	size_t rows = form_row_count(form_pane_form(p, env));
	const struct form_hit *hit = p->hits, *end = hit + p->hit_count;

	while (hit < end && (key->y < hit->y || key->y >= hit->y + hit->height))
		hit++;
	if (key->action == MOUSE_PRESS && key->button == 1 && p->editing) {
		if (hit < end && hit->row == p->row && key->x >= p->widget_x) {
			edit_point(&p->edit, key->x - p->widget_x - 1, key->y - hit->y);
			return true;
		}
		form_pane_edit_end(p, env);
	}
	if (key->action == MOUSE_WHEEL_UP || key->action == MOUSE_WHEEL_DOWN) {
		p->follow = false;
		if (key->action == MOUSE_WHEEL_UP)
			p->top -= p->top > WHEEL_ROWS ? WHEEL_ROWS : p->top;
		else if (p->top + WHEEL_ROWS < rows)
			p->top += WHEEL_ROWS;
		return true;
	}
	if (key->action != MOUSE_PRESS || key->button != 1)
		return false;
	if (key->y == p->buttons_y) {
		for (int i = 0; i < BUTTON_COUNT; i++)
			if (key->x >= p->buttons_x[i] && key->x < p->buttons_x[i + 1] - 1) {
				p->button = i;
				env->host->run(env->user, form_pane_look(p)->buttons[i].command);
			}
		return true;
	}
	if (hit == end)
		return false;
	bool again = p->button == BUTTON_NONE && p->row == hit->row;
	p->button = BUTTON_NONE;
	p->row = hit->row;
	p->follow = false;
	if (key->x >= p->widget_x || again)
		form_pane_act_activate(p, env, "");
	return true;
}

bool
form_pane_key(void *state, const struct view_env *env, const struct key *key)
{
	struct form_pane *p = state;

	if (!form_pane_form(p, env))
		return false;
	if (p->preview) {
		if (scroll_key(key, PREVIEW_PAGE, &p->preview_top))
			return true;
		bool closes = key->kind == KEY_ESCAPE || key->kind == KEY_ENTER ||
			      (key->kind == KEY_CHAR && key->mods == 0 && key->ch == 'p');
		p->preview = !closes;
		return closes;
	}
	if (p->menu.open)
		return form_pane_menu_key(p, env, key);
	if (key->kind == KEY_MOUSE)
		return form_pane_suggest_key(p, env, key) || mouse_key(p, env, key);
	return p->editing ? edit_field_key(p, env, key) : plain_key(p, env, key);
}

/* ---- search: a place is a row ---- */

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

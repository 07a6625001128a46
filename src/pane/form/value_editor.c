#include "actions.h"

#include "json/print.h"

#include <stdio.h>
#include <string.h>

#define LIVE_MAX 65536 /* longer JSON is checked when editing ends */
#define LIVE_ROWS 500  /* the same of larger forms */

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

/* If a row chooses the variant, its value is in the next row. */
static void
go_to_value(struct form_pane *p, const struct view_env *env, const struct form_row *row)
{
	const struct form *form = form_pane_form(p, env);

	if (!form_pane_is_chooser(row))
		return;
	field_set_state(row->field, FIELD_SET);
	field_fold(row->field, false);
	if (p->row + 1 < form_row_count(form) &&
	    form_row_at(form, p->row + 1).kind == FORM_ROW_VALUE)
		p->row++;
}

/* Editing starts from the default of an omitted field, and empty for null. */
static void
first_text(const struct field *field, struct buf *out)
{
	const struct field_view v = field_view(field);
	const cJSON *value = field_default(field);
	bool is_null = v.kind == FIELD_JSON && strcmp(v.text, "null") == 0;

	if (json_string(value) && (v.kind == FIELD_STRING || v.variant_count > 0))
		buf_add_str(out, json_string(value));
	else if (value && json_type(value) != JSON_NULL)
		json_print(out, value);
	else if (v.inferred && !is_null)
		field_inferred_text(field, out);
	else if (!is_null)
		buf_add(out, v.text, v.text_len);
}

/* Enter is a new line, and a mistake is said at once. */
static bool
is_json_text(const struct field_view *v, const char *text)
{
	return v->kind == FIELD_JSON && (!v->inferred || *text == '{' || *text == '[');
}

void
form_pane_edit_start(struct form_pane *p, const struct view_env *env)
{
	struct form_row row;

	if (!form_pane_row(p, env, &row) || !is_text(&row.view))
		return;
	struct field *field = row.field;
	struct buf text = BUF_INIT;
	first_text(field, &text);
	go_to_value(p, env, &row);
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
	form_pane_past_read(p, env);
	form_pane_suggest_ask(p, env);
	form_pane_refer(p, env);
}

static void
look_at_json(struct form_pane *p, const char *text, size_t len)
{
	struct json_error error;
	struct json_doc *doc = json_parse(text, len, NULL, &error);

	p->edit_error[0] = '\0';
	if (!doc && len > 0)
		snprintf(p->edit_error, sizeof(p->edit_error), "line %u column %u: %s", error.line,
		    error.column, error.text);
	json_doc_destroy(doc);
}

/* Typing changes the form at once, so a call from any pane sends it. */
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
	if (p->edit_is_json && len < LIVE_MAX)
		look_at_json(p, text, len);
	p->edit_touched = true;
	if (p->moment != MOMENT_NONE && form_row_count(form_pane_form(p, env)) <= LIVE_ROWS)
		form_check_given(form_pane_form(p, env));
	form_pane_suggest_ask(p, env);
	form_pane_refer(p, env);
	form_pane_changed(env);
}

void
form_pane_edit_end(struct form_pane *p, const struct view_env *env)
{
	struct field *field = form_pane_selected(p, env);
	struct err err = { "" };

	form_pane_suggest_end(p, env);
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
	form_pane_changed(env);
}

void
form_pane_edit_next(struct form_pane *p, const struct view_env *env, int by)
{
	struct form_row row;

	form_note_step(form_pane_form(p, env)); /* each field is undone alone */
	form_pane_move(p, env, by);
	if (!form_pane_row(p, env, &row) || !form_pane_takes_text(&row))
		return;
	form_pane_edit_start(p, env);
	p->passing = p->moment != MOMENT_NONE; /* else an arrow would change the date */
	if (!p->edit_is_json && !memchr(edit_text(&p->edit), '\n', p->edit.text.len))
		edit_select(&p->edit, 0);
}

/* Enter sets an omitted field to the value shown: its default or an empty string. */
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

static bool
is_one_line(const struct form_pane *p)
{
	return !p->edit_is_json && !memchr(edit_text(&p->edit), '\n', p->edit.text.len);
}

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

/* Keys that the text consumes even if they change nothing: Up in the first line stays. */
static bool
stays(const struct key *key)
{
	return key->kind == KEY_UP || key->kind == KEY_DOWN || key->kind == KEY_PAGE_UP ||
	       key->kind == KEY_PAGE_DOWN ||
	       (key->kind == KEY_CHAR && !(key->mods & (MOD_CTRL | MOD_ALT)));
}

static bool
switch_type(struct form_pane *p, const struct view_env *env)
{
	if (p->naming)
		return true;
	form_pane_edit_end(p, env);
	form_pane_act_type(p, env, "");
	form_pane_edit_start(p, env);
	return true;
}

/* False: not for it, as the arrows are not before the text is a date or a time. */
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

bool
form_pane_edit_key(struct form_pane *p, const struct view_env *env, const struct key *key)
{
	static const struct key newline = { .kind = KEY_ENTER };
	bool arrow = (key->kind == KEY_UP || key->kind == KEY_DOWN) && key->mods == 0;

	if (p->passing && arrow)
		return leave_by(p, env, key);
	p->passing &= key->kind == KEY_ESCAPE; /* no list was shown that it could hide */
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
	if (key->kind == KEY_CHAR && key->ch == 't' && key->mods == MOD_ALT)
		return switch_type(p, env);
	bool changed = false;
	if (!edit_key(&p->edit, key, &changed)) {
		if (stays(key))
			return true;
		form_pane_edit_end(p, env); /* a command sees the typed text */
		return false;
	}
	if (changed)
		form_pane_edit_apply(p, env);
	p->follow = true;
	return true;
}

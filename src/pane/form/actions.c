#include "actions.h"

#include <string.h>

static const char no_form[] = "no form is shown";

bool
form_pane_refuse(const struct view_env *env, const char *why)
{
	env->host->say(env->user, ROLE_WARNING, why);
	return false;
}

bool
form_pane_done(const struct form_pane *p, const struct view_env *env)
{
	form_check_given(form_pane_form(p, env));
	form_pane_changed(env);
	return true;
}

/* ---- the selected field ---- */

static struct field *
need_field(struct form_pane *p, const struct view_env *env)
{
	struct field *field = form_pane_selected(p, env);

	if (!field)
		form_pane_refuse(env, "no field is selected");
	return field;
}

static bool
act_field(void *state, const struct view_env *env, const char *arg)
{
	struct form_pane *p = state;
	struct form *form = form_pane_form(p, env);
	const struct field *field = form ? form_find(form, arg) : NULL;

	if (!field)
		return form_pane_refuse(env, "there is no such field");
	form_pane_select(p, env, field);
	return env->host->run(env->user, "pane form");
}

/* Omitted, the value, null, and round again. */
bool
form_pane_act_state(void *state, const struct view_env *env, const char *arg)
{
	static const enum field_state next[] = {
		[FIELD_OMITTED] = FIELD_SET,
		[FIELD_SET] = FIELD_NULL,
		[FIELD_NULL] = FIELD_OMITTED,
	};
	struct form_pane *p = state;
	struct field *field = need_field(p, env);

	if (!field)
		return false;
	enum field_state was = field_view(field).state;
	enum field_state wanted = next[was];
	while (wanted != was && !field_set_state(field, wanted))
		wanted = next[wanted];
	if (wanted == was)
		return form_pane_refuse(env, "this field can only have a value");
	return form_pane_done(p, env);
}

bool
form_pane_act_field_json(void *state, const struct view_env *env, const char *arg)
{
	struct field *field = need_field(state, env);
	struct err err = { "" };

	if (!field)
		return false;
	if (!field_as_json(field, field_view(field).kind != FIELD_JSON, &err))
		return form_pane_refuse(env, err.text);
	form_pane_changed(env);
	return true;
}

bool
form_pane_act_type(void *state, const struct view_env *env, const char *arg)
{
	struct field *field = need_field(state, env);

	if (!field)
		return false;
	if (!field_switch_type(field))
		return form_pane_refuse(env, field_view(field).inferred
						 ? "this text has only one possible type"
						 : "the schema fixes the type of this field");
	return form_pane_done(state, env);
}

bool
form_pane_act_reset(void *state, const struct view_env *env, const char *arg)
{
	struct field *field = need_field(state, env);

	if (!field)
		return false;
	field_reset(field);
	form_pane_changed(env);
	return true;
}

bool
form_pane_act_reset_all(void *state, const struct view_env *env, const char *arg)
{
	struct form_pane *p = state;
	struct form *form = form_pane_form(p, env);

	if (!form)
		return form_pane_refuse(env, no_form);
	form_reset(form);
	form_pane_changed(env);
	return true;
}

static bool
go_back(
    struct form_pane *p, const struct view_env *env, bool (*step)(struct form *), const char *none)
{
	struct form *form = form_pane_form(p, env);

	if (!form)
		return form_pane_refuse(env, no_form);
	return step(form) ? form_pane_done(p, env) : form_pane_refuse(env, none);
}

bool
form_pane_act_undo(void *state, const struct view_env *env, const char *arg)
{
	return go_back(state, env, form_undo, "nothing to undo");
}

bool
form_pane_act_redo(void *state, const struct view_env *env, const char *arg)
{
	return go_back(state, env, form_redo, "nothing to redo");
}

void
form_pane_select(struct form_pane *p, const struct view_env *env, const struct field *field)
{
	p->button = BUTTON_NONE;
	p->row = form_row_of(form_pane_form(p, env), field);
	p->follow = true;
}

/* ---- the whole ---- */

bool
form_pane_act_json(void *state, const struct view_env *env, const char *arg)
{
	struct form_pane *p = state;
	struct form *form = form_pane_form(p, env);
	struct buf text = BUF_INIT;

	if (!form)
		return form_pane_refuse(env, no_form);
	if (p->editing) {
		form_pane_edit_end(p, env);
		return true;
	}
	form_to_json_pretty(form, &text);
	field_as_json(form_view(form).root, true, NULL);
	field_set_text(form_view(form).root, buf_text(&text), text.len);
	buf_finish(&text);
	p->button = BUTTON_NONE;
	p->row = 0;
	p->top = 0;
	form_pane_edit_start(p, env);
	form_pane_changed(env);
	return true;
}

bool
form_pane_act_next_problem(void *state, const struct view_env *env, const char *arg)
{
	struct form_pane *p = state;
	struct form *form = form_pane_form(p, env);
	size_t count = form ? form_row_count(form) : 0;
	bool first = strcmp(arg, "first") == 0;

	if (!form || form_check(form) == 0)
		return form_pane_refuse(env, "the arguments have no problems");
	size_t from = p->button == BUTTON_NONE && !first ? p->row + 1 : 0;
	form_pane_changed(env);
	for (size_t i = 0; i < count; i++) {
		struct form_row row = form_row_at(form, (from + i) % count);
		if (!row.view.problem && !(row.view.folded && row.view.problems_below))
			continue;
		form_pane_select(p, env, row.field);
		return true;
	}
	const char *whole = field_view(form_view(form).root).problem;
	return form_pane_refuse(env, whole ? whole : "not visible");
}

bool
form_pane_act_activate(void *state, const struct view_env *env, const char *arg)
{
	form_pane_activate(state, env);
	return true;
}

const struct view_action form_pane_actions[] = {
	{ "activate", "enter", "", "edit the field, choose its value, fold it, press the button",
	    form_pane_act_activate, "edit" },
	FORM_PANE_ACTIONS,
	{ "field", "", "FIELD", "go to a field, by its name or JSON Pointer", act_field, NULL },
	{ "last", "b", "", "fill in the arguments of the last call; again for older ones",
	    form_pane_act_last, NULL },
	{ 0 },
};

/* ---- Enter, Space, arrows ---- */

void
form_pane_press(struct form_pane *p, const struct view_env *env, int button)
{
	p->button = button;
	env->host->run(env->user, form_pane_look(p)->buttons[button].command);
}

/* Choices wrap around; the first step makes the first choice, or keeps the variant. False: the
 * field has none. */
bool
form_pane_step(struct form_pane *p, const struct view_env *env, int by)
{
	struct form_row row;

	if (!form_pane_row(p, env, &row))
		return false;
	const struct field_view *v = &row.view;
	bool fresh = v->state != FIELD_SET || !v->filled;
	if (form_pane_is_chooser(&row)) {
		size_t step = v->state == FIELD_SET ? v->variant_count + (size_t)by : 0;
		field_set_variant(row.field, (v->variant + step) % v->variant_count);
	} else if (v->kind == FIELD_BOOLEAN) {
		const cJSON *given = field_default(row.field);
		field_set_on(row.field, given ? !json_is_true(given) : fresh || !v->on);
	} else if (v->kind == FIELD_ENUM) {
		size_t next = v->choice + v->choice_count + (size_t)by;
		field_set_choice(row.field, fresh ? 0 : next % v->choice_count);
	} else {
		return false;
	}
	return form_pane_done(p, env);
}

void
form_pane_activate(struct form_pane *p, const struct view_env *env)
{
	struct form_row row;

	if (p->button != BUTTON_NONE) {
		form_pane_press(p, env, p->button);
		return;
	}
	if (!form_pane_row(p, env, &row))
		return;
	p->filling = true;
	if (row.kind == FORM_ROW_ADD || form_pane_wants_item(&row)) {
		form_pane_act_add(p, env, "");
		return;
	}
	if (form_pane_menu_choices(&row) > 0) {
		form_pane_menu_open(p, &row);
		return;
	}
	if (row.view.inferred) {
		form_pane_edit_start(p, env);
		return;
	}
	switch (row.view.kind) {
	case FIELD_OBJECT:
	case FIELD_ARRAY:
		if (row.view.state != FIELD_SET || !row.view.filled)
			field_set_state(row.field, FIELD_SET);
		else
			field_fold(row.field, !row.view.folded);
		form_pane_changed(env);
		break;
	case FIELD_BOOLEAN:
		form_pane_step(p, env, 1);
		break;
	case FIELD_CONST:
		if (row.view.required && row.view.filled)
			form_pane_refuse(env, "this is the only value it can have; Esc o omits it");
		else
			form_pane_act_state(p, env, "");
		break;
	default:
		form_pane_edit_start(p, env);
		break;
	}
}

#include "form_pane_actions_priv.h"

#include <string.h>

static const char no_form[] = "no form is shown";

static bool
refuse(const struct pane_env *env, const char *why)
{
	env->host->say(env->user, ROLE_WARNING, why);
	return false;
}

static bool
done(const struct form_pane *p, const struct pane_env *env)
{
	form_check_given(form_pane_form(p, env));
	form_pane_changed(env);
	return true;
}

/* ---- the selected field ---- */

static struct field *
need_field(struct form_pane *p, const struct pane_env *env)
{
	struct field *field = form_pane_selected(p, env);

	if (!field)
		refuse(env, "no field is selected");
	return field;
}

/* Omitted, the value, null, and round again. */
bool
form_pane_act_state(void *state, const struct pane_env *env, const char *arg)
{
	static const enum field_state next[] = {
		[FIELD_OMITTED] = FIELD_SET,
		[FIELD_SET] = FIELD_NULL,
		[FIELD_NULL] = FIELD_OMITTED,
	};
	struct form_pane *p = state;
	struct field *field = need_field(p, env);
	(void)arg;

	if (!field)
		return false;
	enum field_state was = field_state(field);
	enum field_state wanted = next[was];
	while (wanted != was && !field_set_state(field, wanted))
		wanted = next[wanted];
	if (wanted == was)
		return refuse(env, "this field can only have a value");
	return done(p, env);
}

bool
form_pane_act_field_json(void *state, const struct pane_env *env, const char *arg)
{
	struct field *field = need_field(state, env);
	struct err err = { "" };
	(void)arg;

	if (!field)
		return false;
	if (!field_as_json(field, field_kind(field) != FIELD_JSON, &err))
		return refuse(env, err.text);
	form_pane_changed(env);
	return true;
}

bool
form_pane_act_reset(void *state, const struct pane_env *env, const char *arg)
{
	struct field *field = need_field(state, env);
	(void)arg;

	if (!field)
		return false;
	field_reset(field);
	form_pane_changed(env);
	return true;
}

bool
form_pane_act_reset_all(void *state, const struct pane_env *env, const char *arg)
{
	struct form_pane *p = state;
	struct form *form = form_pane_form(p, env);
	(void)arg;

	if (!form)
		return refuse(env, no_form);
	form_reset(form);
	form_pane_changed(env);
	return true;
}

/* ---- items ---- */

static struct field *
array_of(struct field *field)
{
	while (field && (field_kind(field) != FIELD_ARRAY || field_option_count(field) > 0))
		field = field_parent(field);
	return field;
}

static struct field *
item_of(struct field *field)
{
	while (field && !field_is_item(field) && !field_is_extra(field))
		field = field_parent(field);
	return field;
}

static void
select_field(struct form_pane *p, const struct pane_env *env, const struct field *field)
{
	p->button = BUTTON_NONE;
	p->row = form_row_of(form_pane_form(p, env), field);
	p->follow = true;
}

bool
form_pane_act_add(void *state, const struct pane_env *env, const char *arg)
{
	struct form_pane *p = state;
	struct field *selected = need_field(p, env);
	struct field *array = array_of(selected);
	(void)arg;

	if (!selected)
		return false;
	if (!array)
		return refuse(env, "this is no list");
	struct field *item = selected != array ? item_of(selected) : NULL;
	bool inside = item && field_parent(item) == array;
	struct field *added = field_add_item(array, inside ? field_index(item) + 1 : SIZE_MAX);
	if (!added)
		return refuse(env, "the form is full: use JSON");
	field_fold(array, false);
	select_field(p, env, added);
	return done(p, env);
}

bool
form_pane_act_remove(void *state, const struct pane_env *env, const char *arg)
{
	struct form_pane *p = state;
	struct field *item = item_of(need_field(p, env));
	(void)arg;

	if (!item)
		return refuse(
		    env, "only items of lists and extra members can be removed; o omits a field");
	struct field *parent = field_parent(item);
	size_t index = field_index(item);
	field_remove(item);
	size_t left = field_child_count(parent);
	struct field *next =
	    left == 0 ? parent : field_child(parent, index < left ? index : left - 1);
	select_field(p, env, next);
	return done(p, env);
}

static bool
move_item(struct form_pane *p, const struct pane_env *env, int by)
{
	struct field *item = item_of(need_field(p, env));

	if (!item || !field_move(item, by))
		return refuse(env, item ? "it is at the end" : "only items of lists can be moved");
	select_field(p, env, item);
	return done(p, env);
}

bool
form_pane_act_move_up(void *state, const struct pane_env *env, const char *arg)
{
	(void)arg;
	return move_item(state, env, -1);
}

bool
form_pane_act_move_down(void *state, const struct pane_env *env, const char *arg)
{
	(void)arg;
	return move_item(state, env, 1);
}

/* ---- the whole ---- */

bool
form_pane_act_json(void *state, const struct pane_env *env, const char *arg)
{
	struct form_pane *p = state;
	struct form *form = form_pane_form(p, env);
	struct buf text = BUF_INIT;
	(void)arg;

	if (!form)
		return refuse(env, no_form);
	if (p->editing) {
		form_pane_edit_end(p, env);
		return true;
	}
	form_to_json_pretty(form, &text);
	field_as_json(form_root(form), true, NULL);
	field_set_text(form_root(form), buf_text(&text), text.len);
	buf_finish(&text);
	p->button = BUTTON_NONE;
	p->row = 0;
	p->top = 0;
	form_pane_edit_start(p, env);
	form_pane_changed(env);
	return true;
}

static bool
act_last(void *state, const struct pane_env *env, const char *arg)
{
	struct form_pane *p = state;
	struct form *form = form_pane_form(p, env);
	const struct server *server = env->ws->server;
	(void)arg;

	if (!form || !server || !env->ws->desk || p->look)
		return refuse(env, no_form);
	for (size_t i = server_call_count(server); i-- > 0;) {
		const struct call *call = server_call_at(server, i);
		if (call->kind != env->ws->desk->kind || strcmp(call->key, env->ws->desk->key) != 0)
			continue;
		form_load_raw(form, call->arguments, strlen(call->arguments));
		return done(p, env);
	}
	return refuse(env, "there is no last one yet");
}

bool
form_pane_act_next_problem(void *state, const struct pane_env *env, const char *arg)
{
	struct form_pane *p = state;
	struct form *form = form_pane_form(p, env);
	size_t count = form ? form_row_count(form) : 0;
	(void)arg;

	if (!form || form_check(form) == 0)
		return refuse(env, "nothing is wrong with the arguments");
	size_t from = p->button == BUTTON_NONE ? p->row + 1 : 0;
	for (size_t i = 0; i < count; i++) {
		struct field *field = form_row_at(form, (from + i) % count).field;
		if (!field_problem(field) &&
		    !(field_is_folded(field) && field_problems_below(field)))
			continue;
		select_field(p, env, field);
		form_pane_changed(env);
		return true;
	}
	form_pane_changed(env);
	return refuse(
	    env, field_problem(form_root(form)) ? field_problem(form_root(form)) : "not in sight");
}

static bool
act_activate(void *state, const struct pane_env *env, const char *arg)
{
	(void)arg;
	form_pane_activate(state, env);
	return true;
}

const struct pane_action form_pane_actions[] = {
	{ "activate", "enter", "", "edit the field, choose its value, fold it, press the button",
	    act_activate, "edit" },
	FORM_PANE_ACTIONS,
	{ "last", "L", "", "fill in the arguments of the last time", act_last, NULL },
	{ 0 },
};

/* ---- what the bottom bar says of them ---- */

static const char *
activate_hint(struct form_pane *p, const struct pane_env *env)
{
	static const char *const words[] = {
		[FIELD_STRING] = "edit",
		[FIELD_NUMBER] = "edit",
		[FIELD_INTEGER] = "edit",
		[FIELD_BOOLEAN] = "switch",
		[FIELD_ENUM] = "choose",
		[FIELD_CONST] = NULL,
		[FIELD_OBJECT] = "fold",
		[FIELD_ARRAY] = "fold",
		[FIELD_JSON] = "edit",
	};
	const struct field *field = form_pane_selected(p, env);

	if (!field)
		return "press";
	if (form_row_at(form_pane_form(p, env), p->row).kind == FORM_ROW_ADD)
		return "add";
	return field_option_count(field) > 0 ? "choose" : words[field_kind(field)];
}

const char *
form_pane_hint(void *state, const struct pane_env *env, const struct pane_action *action)
{
	struct form_pane *p = state;
	struct field *field = form_pane_form(p, env) ? form_pane_selected(p, env) : NULL;

	if (!form_pane_form(p, env))
		return NULL;
	if (action->run == act_activate)
		return activate_hint(state, env);
	if (action->run == form_pane_act_state)
		return field && (!field_is_required(field) || field_is_nullable(field)) &&
			       !field_is_item(field)
			   ? action->hint
			   : NULL;
	if (action->run == form_pane_act_add)
		return array_of(field) ? action->hint : NULL;
	if (action->run == form_pane_act_remove)
		return item_of(field) ? action->hint : NULL;
	if (action->run == form_pane_act_next_problem)
		return form_problem_count(form_pane_form(p, env)) > 0 ? action->hint : NULL;
	return action->hint;
}

/* ---- Enter, Space, arrows ---- */

void
form_pane_press(struct form_pane *p, const struct pane_env *env, int button)
{
	p->button = button;
	env->host->run(env->user, form_pane_look(p)->buttons[button].command);
}

void
form_pane_step(struct form_pane *p, const struct pane_env *env, int by)
{
	struct field *field = form_pane_selected(p, env);
	enum field_kind kind = field ? field_kind(field) : FIELD_JSON;

	if (kind == FIELD_BOOLEAN) {
		bool fresh = field_state(field) != FIELD_SET || !field_is_filled(field);
		field_set_on(field, fresh || !field_is_on(field));
	} else if (kind == FIELD_ENUM) {
		size_t count = field_choice_count(field);
		bool fresh = field_state(field) != FIELD_SET || !field_is_filled(field);
		size_t at = fresh ? 0 : (field_choice(field) + count + (size_t)by) % count;
		field_set_choice(field, at);
	} else {
		return;
	}
	done(p, env);
}

void
form_pane_activate(struct form_pane *p, const struct pane_env *env)
{
	struct field *field = form_pane_selected(p, env);

	if (p->button != BUTTON_NONE) {
		form_pane_press(p, env, p->button);
		return;
	}
	if (!field)
		return;
	if (form_row_at(form_pane_form(p, env), p->row).kind == FORM_ROW_ADD) {
		form_pane_act_add(p, env, "");
		return;
	}
	if (field_option_count(field) > 0) {
		form_pane_menu_open(p, field);
		return;
	}
	switch (field_kind(field)) {
	case FIELD_OBJECT:
	case FIELD_ARRAY:
		if (field_state(field) != FIELD_SET || !field_is_filled(field))
			field_set_state(field, FIELD_SET);
		else
			field_fold(field, !field_is_folded(field));
		form_pane_changed(env);
		break;
	case FIELD_BOOLEAN:
		form_pane_step(p, env, 1);
		break;
	case FIELD_ENUM:
		form_pane_menu_open(p, field);
		break;
	case FIELD_CONST:
		form_pane_act_state(p, env, "");
		break;
	default:
		form_pane_edit_start(p, env);
		break;
	}
}

#include "actions.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

struct field *
form_pane_container_of(struct field *field)
{
	while (field) {
		const struct field_view v = field_view(field);
		if ((v.kind == FIELD_ARRAY && v.option_count == 0) || v.map)
			break;
		field = v.parent;
	}
	return field;
}

bool
form_pane_wants_item(const struct form_row *row)
{
	const struct field_view *v = &row->view;

	return v->state == FIELD_SET && v->child_count == 0 && !v->complete && v->parent &&
	       !form_pane_is_chooser(row) && form_pane_container_of(row->field) == row->field;
}

struct field *
form_pane_item_of(struct field *field)
{
	while (field) {
		const struct field_view v = field_view(field);
		if (v.item || v.extra || v.entry)
			break;
		field = v.parent;
	}
	return field;
}

/* ---- names of entries ---- */

static bool
start_naming(struct form_pane *p, const struct view_env *env, const struct field *at,
    enum form_naming naming)
{
	const char *name = naming == NAMING_AGAIN ? field_view(at).name : "";

	form_pane_select(p, env, at);
	if (naming == NAMING_NEW) { /* the name typed in the add row */
		const struct form *form = form_pane_form(p, env);
		while (p->row + 1 < form_row_count(form) &&
		       (form_row_at(form, p->row).kind != FORM_ROW_ADD ||
			   form_row_at(form, p->row).field != at))
			p->row++;
	}
	p->editing = true;
	p->naming = naming;
	p->edit_is_json = false;
	p->edit_error[0] = '\0';
	p->edit.lines = false;
	edit_set(&p->edit, name, strlen(name));
	edit_select(&p->edit, 0);
	p->suggested = (struct form_suggestions){ 0 };
	return true;
}

void
form_pane_name_take(struct form_pane *p, const struct view_env *env)
{
	struct field *field = form_pane_selected(p, env);
	char *name = mem_strndup(edit_text(&p->edit), p->edit.text.len);
	bool fresh = p->naming == NAMING_NEW;
	struct err err = { "" };

	if (field && fresh)
		field = field_add_entry(field, name, &err);
	else if (field && !field_rename(field, name, &err))
		field = NULL;
	free(name);
	if (!field) {
		form_pane_refuse(env, err.text);
		return;
	}
	form_pane_edit_end(p, env);
	form_pane_select(p, env, field);
	form_pane_done(p, env);
	if (fresh && (field_view(field).variant_count == 0 || field_view(field).inferred))
		form_pane_edit_start(p, env);
}

bool
form_pane_act_rename(void *state, const struct view_env *env, const char *arg)
{
	struct form_pane *p = state;
	struct field *field = form_pane_selected(p, env);

	if (!field || (!field_view(field).entry && !field_view(field).extra))
		return form_pane_refuse(env, "the schema defines this name: it cannot be changed");
	return start_naming(p, env, field, NAMING_AGAIN);
}

/* ---- adding, removing, moving ---- */

/* The first required field of what was added, or else its first, ready for typing. */
static void
open_first(struct form_pane *p, const struct view_env *env, struct field *field)
{
	struct form_row row;

	for (struct field_view v = field_view(field); v.kind == FIELD_OBJECT && v.child_count > 0 &&
	     v.state == FIELD_SET && v.variant_count == 0;
	     v = field_view(field)) {
		size_t i = 0;
		while (i < v.child_count && !field_view(field_child(field, i)).required)
			i++;
		field_fold(field, false);
		field = field_child(field, i < v.child_count ? i : 0);
	}
	form_pane_select(p, env, field);
	form_pane_done(p, env);
	if (form_pane_row(p, env, &row) && form_pane_takes_text(&row))
		form_pane_edit_start(p, env);
}

bool
form_pane_act_add(void *state, const struct view_env *env, const char *arg)
{
	struct form_pane *p = state;
	struct field *selected = form_pane_selected(p, env);
	struct field *array = form_pane_container_of(selected);

	if (!array)
		return form_pane_refuse(
		    env, selected ? "this field is not an array" : "no field is selected");
	if (field_view(array).complete)
		return form_pane_refuse(env, "the schema fixes the number of its items");
	if (field_view(array).map) {
		field_set_state(array, FIELD_SET);
		field_fold(array, false);
		return start_naming(p, env, array, NAMING_NEW);
	}
	struct field *item = selected != array ? form_pane_item_of(selected) : NULL;
	bool inside = item && field_view(item).parent == array;
	struct field *added = field_add_item(array, inside ? field_view(item).index + 1 : SIZE_MAX);
	if (!added)
		return form_pane_refuse(env, "the form is full: use JSON");
	field_fold(array, false);
	open_first(p, env, added);
	return true;
}

bool
form_pane_act_remove(void *state, const struct view_env *env, const char *arg)
{
	struct form_pane *p = state;
	struct field *item = form_pane_item_of(form_pane_selected(p, env));

	if (!item)
		return form_pane_refuse(
		    env, "only array items and added properties can be removed; Esc o omits a field");
	struct field *parent = field_view(item).parent;
	size_t index = field_view(item).index;
	if (!field_remove(item))
		return form_pane_refuse(env, "of these items only the last can be removed");
	size_t left = field_view(parent).child_count;
	struct field *next =
	    left == 0 ? parent : field_child(parent, index < left ? index : left - 1);
	form_pane_select(p, env, next);
	return form_pane_done(p, env);
}

static bool
move_item(struct form_pane *p, const struct view_env *env, int by)
{
	struct field *item = form_pane_item_of(form_pane_selected(p, env));

	if (!item || !field_move(item, by))
		return form_pane_refuse(
		    env, item ? "it cannot be moved further" : "only array items can be moved");
	form_pane_select(p, env, item);
	return form_pane_done(p, env);
}

bool
form_pane_act_move_up(void *state, const struct view_env *env, const char *arg)
{
	return move_item(state, env, -1);
}

bool
form_pane_act_move_down(void *state, const struct view_env *env, const char *arg)
{
	return move_item(state, env, 1);
}

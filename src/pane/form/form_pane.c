/* SPDX-License-Identifier: MIT */
#include "form_pane.h"

#include "base/glyph.h"
#include "base/mem.h"
#include "base/vec.h"
#include "pane/tools/tools.h"

#include <stdlib.h>
#include <string.h>

#define LABELS_MEASURED 1000

const struct form_pane_look *
form_pane_look(const struct form_pane *p)
{
	static const struct form_pane_look arguments_look = {
		.buttons = { { " Call F5 ", "call" }, { " JSON ", "json" }, { " Last ", "last" },
		    { " $EDITOR ", "edit" }, { " Saved ", "saved" } },
		.typing = "Enter next field  Shift-Tab back  F5 call  Esc commands",
		.typing_lines = "Enter next field  Alt-Enter new line  F5 call  Esc commands",
		.typing_json = "Tab next field  F5 call  Ctrl-E $EDITOR  Esc commands",
		.menu = "Enter choose  Tab next field  type to filter  Esc leave  F5 call",
		.menu_many = "Space tick  Enter done  type to filter  Esc leave  F5 call",
		.schema = "inputSchema",
	};

	return p->look ? p->look : &arguments_look;
}

struct form *
form_pane_form(const struct form_pane *p, const struct view_env *env)
{
	if (p->source)
		return p->source(env);
	return env->ws->desk ? env->ws->desk->form : NULL;
}

bool
form_pane_row(struct form_pane *p, const struct view_env *env, struct form_row *row)
{
	struct form *form = form_pane_form(p, env);

	if (!form || p->button != BUTTON_NONE || p->row >= form_row_count(form))
		return false;
	*row = form_row_at(form, p->row);
	return true;
}

struct field *
form_pane_selected(struct form_pane *p, const struct view_env *env)
{
	struct form_row row;

	return form_pane_row(p, env, &row) ? row.field : NULL;
}

bool
form_pane_is_chooser(const struct form_row *row)
{
	return row->kind == FORM_ROW_FIELD && row->view.variant_count > 0 && !row->view.inferred;
}

void
form_pane_init(void *state)
{
	struct form_pane *p = state;

	p->button = BUTTON_CALL;
	edit_init(&p->edit, true, (size_t)16 << 20);
}

void
form_pane_finish(void *state)
{
	struct form_pane *p = state;

	form_pane_refer_end(p);
	edit_finish(&p->edit);
	free(p->menu.shown.items);
	strings_finish(&p->past.values);
	wrap_finish(&p->wrap);
}

int
form_pane_buttons(const struct form_pane *p, const struct view_env *env)
{
	int count = 0;

	if (!p->look && env->ws->desk && env->ws->desk->kind == PRIMITIVE_RESOURCE)
		return 1;
	while (count < BUTTON_COUNT && form_pane_look(p)->buttons[count].label)
		count++;
	return count;
}

int
form_pane_label_columns(const struct form_row *row)
{
	const char *name = row->kind == FORM_ROW_VALUE ? "value" : row->view.name;
	int cols = name ? label_columns(name) : row->view.item ? 6 : 7;

	int marks = row->view.required + row->view.read_only + row->view.deprecated;
	return cols + 2 * ((int)row->depth + marks);
}

/* Keep the selection on its field while other fields appear and vanish. */
static void
adapt(struct form_pane *p, const struct view_env *env, struct form *form)
{
	struct form_row was, row;
	bool selected = form_pane_row(p, env, &was);

	if (!form_adapt(form) || !selected)
		return;
	for (size_t i = 0; i < form_row_count(form); i++) {
		row = form_row_at(form, i);
		if (row.field == was.field && row.kind == was.kind) {
			p->row = i;
			return;
		}
	}
	p->editing = p->menu.open = false; /* its own value hid it */
	p->naming = NAMING_NOTHING;
}

void
form_pane_sync(void *state, const struct view_env *env)
{
	struct form_pane *p = state;
	struct form *form = form_pane_form(p, env);

	p->has_fields = form && form_row_count(form) > 0;
	if ((!p->source && env->ws->desk != p->desk) || form != p->form) {
		p->desk = p->source ? NULL : env->ws->desk;
		p->form = form;
		p->version = (uint64_t)-1;
		p->row = p->top = 0;
		p->editing = p->filling = p->menu.open = p->preview = false;
		p->naming = NAMING_NOTHING;
		p->button = p->has_fields ? BUTTON_NONE : BUTTON_CALL;
	}
	if (!form)
		return;
	if (form_view(form).version != p->version)
		adapt(p, env, form);
	if (p->reference)
		form_pane_refer(p, env); /* a call may have ended */
	size_t count = form_row_count(form);
	if (p->row >= count)
		p->row = count > 0 ? count - 1 : 0;
	if (count == 0 && p->button == BUTTON_NONE)
		p->button = BUTTON_CALL;
	if (p->top >= count)
		p->top = 0;
	if (form_view(form).version != p->version)
		p->label_cols = 0;
	for (size_t i = 0;
	     p->version != form_view(form).version && i < count && i < LABELS_MEASURED; i++) {
		struct form_row row = form_row_at(form, i);
		int cols = form_pane_label_columns(&row);
		p->label_cols = cols > p->label_cols ? cols : p->label_cols;
	}
	p->version = form_view(form).version;
	if (!p->editing) /* typing is one undo step */
		form_note_step(form);
}

static void
add_hint(struct buf *out, bool said, const char *word)
{
	if (said)
		buf_addf(
		    out, "%s%s", strstr(buf_text(out), "hints: ") ? " · " : "   hints: ", word);
}

static enum role
form_heading(void *state, const struct view_env *env, struct buf *title, struct buf *facts)
{
	const struct primitive *tool = workspace_primitive(env->ws);

	if (!tool) {
		if (!env->ws->desk && env->ws->server)
			buf_add_str(title, server_info(env->ws->server)->name);
		else if (env->ws->desk)
			buf_addf(title, "%s (no longer listed)", env->ws->desk->key);
		return ROLE_WARNING;
	}
	buf_add_str(title, tool->name);
	if (env->ws->desk->saved)
		buf_addf(title, " · %s", env->ws->desk->saved);
	const struct server_info *info = env->ws->server ? server_info(env->ws->server) : NULL;
	bool adds = info && (info->meta[0] || info->trace); /* a reminder that calls carry it */
	if (tool->kind != PRIMITIVE_TOOL) {
		primitive_facts(tool, workspace_primitive_index(env->ws) != SIZE_MAX, facts);
		buf_add_str(facts, adds ? "   with _meta" : "");
		return ROLE_DIM;
	}
	if (tool->of > 1)
		buf_addf(title, " (%zu of %zu)", tool->nth + 1, tool->of);
	if (primitive_is_destructive(tool))
		buf_add_str(title, " †");
	buf_add_str(facts, "definition F2"); /* first: the hints may be cut */
	buf_add_str(facts, adds ? "   with _meta" : "");
	add_hint(facts, tool->read_only == HINT_TRUE, "read-only");
	add_hint(facts, primitive_is_destructive(tool), "destructive");
	add_hint(facts, tool->idempotent == HINT_TRUE, "idempotent");
	add_hint(facts, tool->open_world == HINT_TRUE, "open world");
	return ROLE_DIM;
}

const char *
form_pane_captures(const void *state)
{
	const struct form_pane *p = state;
	const struct form_pane_look *look = form_pane_look(p);

	if (!p->editing && !p->menu.open && !p->preview)
		return NULL;
	if (p->preview)
		return "Esc back to the fields  ↑↓ scroll  F5 call";
	if (p->menu.open)
		return p->menu.many ? look->menu_many : look->menu;
	if (p->naming)
		return "Enter use the name  Esc leave";
	if (p->suggested.drawn)
		return p->suggested.chosen
			   ? "Enter accept  ↑↓ choose  Esc hide  F5 call"
			   : "Tab complete  ↓ choose  Enter next field  Esc hide  F5 call";
	if (p->edit_is_json)
		return look->typing_json;
	if (p->moment != MOMENT_NONE)
		return "Enter next field  Ctrl-N now  ↑↓ change  Esc commands";
	return p->edit.lines ? look->typing_lines : look->typing;
}

bool
form_pane_types(const void *state)
{
	const struct form_pane *p = state;

	return p->has_fields && !form_pane_captures(state);
}

bool
form_pane_fills(const void *state)
{
	const struct form_pane *p = state;

	return p->filling && p->button == BUTTON_NONE;
}

/* ---- array items and map entries ---- */

/* Return the nearest array or map, or NULL. */
static struct field *
container_of(struct field *field)
{
	while (field) {
		const struct field_view v = field_view(field);
		if ((v.kind == FIELD_ARRAY && v.option_count == 0) || v.map)
			break;
		field = v.parent;
	}
	return field;
}

/* Whether Enter adds an item: the "add" row, or an empty array or map. */
static bool
adds_item(const struct form_row *row)
{
	const struct field_view *v = &row->view;

	return row->kind == FORM_ROW_ADD ||
	       (v->state == FIELD_SET && v->child_count == 0 && !v->complete && v->parent &&
		   !form_pane_is_chooser(row) && container_of(row->field) == row->field);
}

static struct field *
item_of(struct field *field)
{
	while (field) {
		const struct field_view v = field_view(field);
		if (v.item || v.extra || v.entry)
			break;
		field = v.parent;
	}
	return field;
}

static void
select_field(struct form_pane *p, const struct view_env *env, const struct field *field)
{
	p->button = BUTTON_NONE;
	p->row = form_row_of(form_pane_form(p, env), field);
	p->follow = true;
}

static bool
start_naming(struct form_pane *p, const struct view_env *env, const struct field *at,
    enum form_naming naming)
{
	const char *name = naming == NAMING_RENAME ? field_view(at).name : "";

	select_field(p, env, at);
	if (naming == NAMING_NEW) { /* the name is typed in the add row */
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
		view_refuse(env, "%s", err.text);
		return;
	}
	form_pane_edit_end(p, env);
	select_field(p, env, field);
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
		return view_refuse(env, "the schema defines this name: it cannot be changed");
	return start_naming(p, env, field, NAMING_RENAME);
}

/* Edit the first required field of an added item, or else its first field. */
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
	select_field(p, env, field);
	form_pane_done(p, env);
	if (form_pane_row(p, env, &row) && form_pane_takes_text(&row))
		form_pane_edit_start(p, env);
}

bool
form_pane_act_add(void *state, const struct view_env *env, const char *arg)
{
	struct form_pane *p = state;
	struct field *selected = form_pane_selected(p, env);
	struct field *array = container_of(selected);

	if (!array)
		return view_refuse(
		    env, selected ? "this field is not an array" : "no field is selected");
	if (field_view(array).complete)
		return view_refuse(env, "the schema fixes the number of its items");
	if (field_view(array).map) {
		field_set_state(array, FIELD_SET);
		field_fold(array, false);
		return start_naming(p, env, array, NAMING_NEW);
	}
	struct field *item = selected != array ? item_of(selected) : NULL;
	bool inside = item && field_view(item).parent == array;
	struct field *added = field_add_item(array, inside ? field_view(item).index + 1 : SIZE_MAX);
	if (!added)
		return view_refuse(env, "the form is full: use JSON");
	field_fold(array, false);
	open_first(p, env, added);
	return true;
}

bool
form_pane_act_remove(void *state, const struct view_env *env, const char *arg)
{
	struct form_pane *p = state;
	struct field *item = item_of(form_pane_selected(p, env));

	if (!item)
		return view_refuse(env,
		    "only array items and added properties can be removed; Esc o omits a field");
	struct field *parent = field_view(item).parent;
	size_t index = field_view(item).index;
	if (!field_remove(item))
		return view_refuse(env, "only the last of these items can be removed");
	size_t left = field_view(parent).child_count;
	select_field(
	    p, env, left == 0 ? parent : field_child(parent, index < left ? index : left - 1));
	return form_pane_done(p, env);
}

static bool
move_item(void *state, const struct view_env *env, const char *arg, int by)
{
	struct form_pane *p = state;
	struct field *item = item_of(form_pane_selected(p, env));

	if (!item || !field_move(item, by))
		return view_refuse(
		    env, item ? "it cannot be moved further" : "only array items can be moved");
	select_field(p, env, item);
	return form_pane_done(p, env);
}

VIEW_SHARED_ACTION_WITH(form_pane_act_move_up, move_item, -1)
VIEW_SHARED_ACTION_WITH(form_pane_act_move_down, move_item, 1)

/* ---- the selected field ---- */

bool
form_pane_done(const struct form_pane *p, const struct view_env *env)
{
	form_check_given(form_pane_form(p, env));
	env->ws->generation++;
	return true;
}

static struct field *
need_field(struct form_pane *p, const struct view_env *env)
{
	struct field *field = form_pane_selected(p, env);

	if (!field)
		view_refuse(env, "no field is selected");
	return field;
}

static struct form *
need_form(struct form_pane *p, const struct view_env *env)
{
	struct form *form = form_pane_form(p, env);

	if (!form)
		view_refuse(env, "no form is shown");
	return form;
}

static bool
act_field(void *state, const struct view_env *env, const char *arg)
{
	struct form_pane *p = state;
	struct form *form = form_pane_form(p, env);
	const struct field *field = form ? form_find(form, arg) : NULL;

	if (!field)
		return view_refuse(env, "there is no such field");
	select_field(p, env, field);
	return env->host->run(env->user, "pane form");
}

/* Cycle through omitted, the value, and null. */
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
		return view_refuse(env, "this field can only have a value");
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
		return view_refuse(env, "%s", err.text);
	env->ws->generation++;
	return true;
}

bool
form_pane_act_type(void *state, const struct view_env *env, const char *arg)
{
	struct field *field = need_field(state, env);

	if (!field)
		return false;
	if (!field_switch_type(field))
		return view_refuse(env, field_view(field).inferred
					    ? "this text has only one possible type"
					    : "the schema fixes the type of this field");
	return form_pane_done(state, env);
}

/* Reset the selected field, or the whole form. */
static bool
reset(void *state, const struct view_env *env, const char *arg, bool all)
{
	struct form *form = all ? need_form(state, env) : NULL;
	struct field *field = form ? form_view(form).root : all ? NULL : need_field(state, env);

	if (!field)
		return false;
	field_reset(field);
	env->ws->generation++;
	return true;
}

VIEW_SHARED_ACTION_WITH(form_pane_act_reset, reset, false)
VIEW_SHARED_ACTION_WITH(form_pane_act_reset_all, reset, true)

/* Undo the last change, or redo the last undone one. */
static bool
undo(void *state, const struct view_env *env, const char *arg, bool redo)
{
	struct form *form = need_form(state, env);

	if (!form)
		return false;
	if (!form_undo(form, redo))
		return view_refuse(env, redo ? "nothing to redo" : "nothing to undo");
	return form_pane_done(state, env);
}

VIEW_SHARED_ACTION_WITH(form_pane_act_undo, undo, false)
VIEW_SHARED_ACTION_WITH(form_pane_act_redo, undo, true)

/* ---- the whole form ---- */

bool
form_pane_act_json(void *state, const struct view_env *env, const char *arg)
{
	struct form_pane *p = state;
	struct form *form = need_form(p, env);
	struct buf text = BUF_INIT;

	if (!form)
		return false;
	if (p->editing) {
		form_pane_edit_end(p, env);
		return true;
	}
	form_to_json_pretty(form, &text);
	field_as_json(form_view(form).root, true, NULL);
	field_set_text(form_view(form).root, buf_text(&text), text.len);
	buf_finish(&text);
	p->button = BUTTON_NONE;
	p->row = p->top = 0;
	form_pane_edit_start(p, env);
	env->ws->generation++;
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
		return view_refuse(env, "the arguments have no problems");
	size_t from = p->button == BUTTON_NONE && !first ? p->row + 1 : 0;
	env->ws->generation++;
	for (size_t i = 0; i < count; i++) {
		struct form_row row = form_row_at(form, (from + i) % count);
		if (!row.view.problem && !(row.view.folded && row.view.problems_below))
			continue;
		select_field(p, env, row.field);
		return true;
	}
	const char *whole = field_view(form_view(form).root).problem;
	return view_refuse(env, "%s", whole ? whole : "not visible");
}

/* ---- Enter, Space, arrows ---- */

/* Step through the choices, round and round; the first step takes the first choice, or keeps the
 * variant. Return false if the field has no choices. */
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
		field_set_on(row.field, given ? !cJSON_IsTrue(given) : fresh || !v->on);
	} else if (v->kind == FIELD_ENUM) {
		size_t next = v->choice + v->choice_count + (size_t)by;
		field_set_choice(row.field, fresh ? 0 : next % v->choice_count);
	} else {
		return false;
	}
	return form_pane_done(p, env);
}

bool
form_pane_act_activate(void *state, const struct view_env *env, const char *arg)
{
	struct form_pane *p = state;
	struct form_row row;

	if (p->button != BUTTON_NONE) {
		env->host->run(env->user, form_pane_look(p)->buttons[p->button].command);
		return true;
	}
	if (!form_pane_row(p, env, &row))
		return true;
	p->filling = true;
	if (adds_item(&row)) {
		form_pane_act_add(p, env, "");
		return true;
	}
	if (form_pane_menu_choices(&row) > 0) {
		form_pane_menu_open(p, &row);
		return true;
	}
	if (row.view.inferred) {
		form_pane_edit_start(p, env);
		return true;
	}
	switch (row.view.kind) {
	case FIELD_OBJECT:
	case FIELD_ARRAY:
		if (row.view.state != FIELD_SET || !row.view.filled)
			field_set_state(row.field, FIELD_SET);
		else
			field_fold(row.field, !row.view.folded);
		env->ws->generation++;
		break;
	case FIELD_BOOLEAN:
		form_pane_step(p, env, 1);
		break;
	case FIELD_CONST:
		if (row.view.required && row.view.filled)
			view_refuse(env, "this is the only value it can have; Esc o omits it");
		else
			form_pane_act_state(p, env, "");
		break;
	default:
		form_pane_edit_start(p, env);
		break;
	}
	return true;
}

/* Run a global command for the selected field. */
static bool
run_for_field(void *state, const struct view_env *env, const char *arg, const char *command)
{
	const struct field *field = need_field(state, env);
	struct buf line = BUF_INIT;

	if (!field)
		return false;
	buf_add_str(&line, command);
	field_pointer(field, &line);
	buf_add_char(&line, ' ');
	bool ok = env->host->run(env->user, buf_text(&line));
	buf_finish(&line);
	return ok;
}

bool
form_pane_act_file(void *state, const struct view_env *env, const char *arg)
{
	const struct field *field = form_pane_selected(state, env);

	if (field && !field_view(field).parent)
		return view_refuse(env, "select a field to load a file into");
	return run_for_field(state, env, arg, "command file ");
}

VIEW_SHARED_ACTION_WITH(form_pane_act_edit_field, run_for_field, "edit ")

/* ---- the key hints in the bottom bar ---- */

static const char *
activate_hint(struct form_pane *p, const struct view_env *env)
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
	struct form_row row;

	if (!form_pane_row(p, env, &row))
		return "press";
	if (adds_item(&row))
		return "add";
	if (row.view.inferred)
		return "edit";
	if (form_pane_menu_choices(&row) > 0)
		return "choose";
	bool container = row.view.kind == FIELD_OBJECT || row.view.kind == FIELD_ARRAY;
	bool absent = row.view.state != FIELD_SET || !row.view.filled;
	return container && absent ? "fill in" : words[row.view.kind];
}

const char *
form_pane_hint(void *state, const struct view_env *env, const struct view_action *action)
{
	const struct form *form = form_pane_form(state, env);
	struct field *field = form_pane_selected(state, env);
	const struct field_view v = field ? field_view(field) : (struct field_view){ 0 };
	const struct {
		form_pane_act_fn *act;
		bool applies;
	} rules[] = {
		{ form_pane_act_state,
		    v.parent && (!v.required || v.nullable) && !v.item && !v.entry },
		{ form_pane_act_add, container_of(field) },
		{ form_pane_act_remove, item_of(field) },
		{ form_pane_act_rename, v.entry || v.extra },
		{ form_pane_act_type, v.inferred && v.state == FIELD_SET && v.filled },
		{ form_pane_act_next_problem, form && form_view(form).problems > 0 },
	};

	if (!form)
		return NULL;
	if (action->run == form_pane_act_activate)
		return activate_hint(state, env);
	for (size_t i = 0; i < ARRAY_LEN(rules); i++)
		if (action->run == rules[i].act)
			return rules[i].applies ? action->hint : NULL;
	return action->hint;
}

bool
form_pane_act_preview(void *state, const struct view_env *env, const char *arg)
{
	struct form_pane *p = state;

	if (!need_form(p, env))
		return false;
	if (p->editing)
		form_pane_edit_end(p, env);
	p->preview = !p->preview;
	p->preview_top = 0;
	return true;
}

static const struct view_action actions[] = {
	{ "activate", "enter", "", "edit the field, choose its value, fold it, press the button",
	    form_pane_act_activate, "edit" },
	FORM_PANE_ACTIONS,
	{ "field", "", "FIELD", "go to a field, by its name or JSON Pointer", act_field, NULL },
	{ "last", "b", "", "fill in the arguments of the last call; again for older ones",
	    form_pane_act_last, NULL },
	{ 0 },
};

const struct view_ops pane_form = {
	.title = "form",
	.help = "the arguments of the selected tool, from its inputSchema",
	.state_size = sizeof(struct form_pane),
	.actions = actions,
	.init = form_pane_init,
	.finish = form_pane_finish,
	.sync = form_pane_sync,
	.want = form_pane_want,
	.heading = form_heading,
	.draw = form_pane_draw,
	.pop_up = form_pane_pop_up,
	.key = form_pane_key,
	.seek = form_pane_seek,
	.captures = form_pane_captures,
	.types = form_pane_types,
	.fills = form_pane_fills,
	.hint = form_pane_hint,
};

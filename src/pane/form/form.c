#include "form_pane.h"

#include "actions.h"
#include "base/glyph.h"
#include "base/units.h"
#include "base/vec.h"
#include "pane/tools/tools.h"
#include "ui/list.h"

#include <stdint.h>
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
form_pane_changed(const struct view_env *env)
{
	env->ws->generation++;
}

void
form_pane_init(void *state)
{
	struct form_pane *p = state;

	p->button = BUTTON_CALL;
	edit_init(&p->edit, true, (size_t)16 << 20);
	wrap_init(&p->wrap);
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

static void
measure_labels(struct form_pane *p, const struct form *form)
{
	size_t count = form_row_count(form);

	p->label_cols = 0;
	for (size_t i = 0; i < count && i < LABELS_MEASURED; i++) {
		struct form_row row = form_row_at(form, i);
		int cols = form_pane_label_columns(&row);
		if (cols > p->label_cols)
			p->label_cols = cols;
	}
}

/* Another tool or a new form: start at the top, end editing. */
static void
start_over(struct form_pane *p, const struct view_env *env, const struct form *form)
{
	p->desk = p->source ? NULL : env->ws->desk;
	p->form = form;
	p->version = (uint64_t)-1;
	p->row = 0;
	p->top = 0;
	p->editing = p->filling = false;
	p->naming = NAMING_NOTHING;
	p->menu.open = false;
	p->preview = false;
	p->button = form && form_row_count(form) > 0 ? BUTTON_NONE : BUTTON_CALL;
}

/* Fields appear and vanish; the selection stays on its field. */
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
	p->editing = false; /* its own value made it vanish */
	p->naming = NAMING_NOTHING;
	p->menu.open = false;
}

void
form_pane_sync(void *state, const struct view_env *env)
{
	struct form_pane *p = state;
	struct form *form = form_pane_form(p, env);

	if ((!p->source && env->ws->desk != p->desk) || form != p->form)
		start_over(p, env, form);
	p->has_fields = form && form_row_count(form) > 0;
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
		measure_labels(p, form);
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
heading(void *state, const struct view_env *env, struct buf *title, struct buf *facts)
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
	bool adds = info && (info->meta[0] || info->trace); /* else it would be forgotten */
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

const struct view_ops pane_form = {
	.title = "form",
	.help = "the arguments of the selected tool, from its inputSchema",
	.state_size = sizeof(struct form_pane),
	.actions = form_pane_actions,
	.init = form_pane_init,
	.finish = form_pane_finish,
	.sync = form_pane_sync,
	.want = form_pane_want,
	.heading = heading,
	.draw = form_pane_draw,
	.pop_up = form_pane_pop_up,
	.key = form_pane_key,
	.seek = form_pane_seek,
	.captures = form_pane_captures,
	.types = form_pane_types,
	.fills = form_pane_fills,
	.hint = form_pane_hint,
};

/* Runs a global command for the selected field. */

static bool
run_for_field(struct form_pane *p, const struct view_env *env, const char *command)
{
	const struct field *field = form_pane_selected(p, env);
	struct buf line = BUF_INIT;

	if (!field)
		return form_pane_refuse(env, "no field is selected");
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
		return form_pane_refuse(env, "select a field to load a file into");
	return run_for_field(state, env, "command file ");
}

bool
form_pane_act_edit_field(void *state, const struct view_env *env, const char *arg)
{
	return run_for_field(state, env, "edit ");
}

/* The key hints in the bottom bar. */

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
	if (row.kind == FORM_ROW_ADD || form_pane_wants_item(&row))
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
		{ form_pane_act_add, form_pane_container_of(field) },
		{ form_pane_act_remove, form_pane_item_of(field) },
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

/* Shows the resulting JSON instead of the fields. */
enum { PAGE_ROWS = 10, WORK_BYTES = 1 << 20 };

bool
form_pane_act_preview(void *state, const struct view_env *env, const char *arg)
{
	struct form_pane *p = state;

	if (!form_pane_form(p, env))
		return form_pane_refuse(env, "no form is shown");
	if (p->editing)
		form_pane_edit_end(p, env);
	p->preview = !p->preview;
	p->preview_top = 0;
	return true;
}

bool
form_pane_preview_key(struct form_pane *p, const struct key *key)
{
	if (scroll_key(key, PAGE_ROWS, &p->preview_top))
		return true;
	bool closes = key->kind == KEY_ESCAPE || key->kind == KEY_ENTER ||
		      (key->kind == KEY_CHAR && key->mods == 0 && key->ch == 'p');

	p->preview = p->preview && !closes;
	return closes;
}

void
form_pane_draw_preview(struct form_pane *p, const struct form *form, struct surface s)
{
	struct buf text = BUF_INIT, sent = BUF_INIT, size = BUF_INIT;
	bool is_json = form_to_json_shown(form, &sent, &text);

	units_add_counted(&size, sent.len, "byte");
	surface_textf(s, 0, 0, -1, style_of(is_json ? ROLE_HINT : ROLE_WARNING), "%s · %s",
	    is_json ? "arguments" : "arguments: not valid JSON", buf_text(&size));
	struct surface body = surface_sub(s, 0, 1, s.width, s.height - 1);
	wrap_set(&p->wrap, buf_text(&text), text.len, body.width);
	size_t page = body.height > 0 ? (size_t)body.height : 0;
	wrap_work(&p->wrap, p->preview_top < SIZE_MAX - page ? p->preview_top + page + 1 : SIZE_MAX,
	    WORK_BYTES);
	size_t rows = wrap_rows(&p->wrap), last = rows > page ? rows - page : 0;
	if (p->preview_top > last)
		p->preview_top = last;
	wrap_draw(&p->wrap, body, style_of(ROLE_TEXT), p->preview_top);
	wrap_set(&p->wrap, "", 0, 1); /* the cache is keyed by addresses, which may be reused */
	buf_finish(&text);
	buf_finish(&sent);
	buf_finish(&size);
}

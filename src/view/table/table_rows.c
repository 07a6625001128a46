#include "base/mem.h"
#include "json/print.h"
#include "table_commands.h"

#include <stdlib.h>
#include <string.h>

/* Which rows are shown, and which are selected. */

static bool
has_row(const struct table_view *v, const struct view_env *env)
{
	if (v->spot >= v->spots.len)
		return view_refuse(env, "this value contains no table");
	return v->list.selected < v->table.shown || view_refuse(env, "there is no row to choose");
}

/* ---- filters ---- */

static bool
has_choice(const char *text)
{
	return strcasestr(text, "or") || strstr(text, "||");
}

/* As one expression: the user sees and edits all of it. */
void
table_view_add_condition(struct table_view *v, const char *condition)
{
	const char *old = v->chosen.filter ? v->chosen.filter : "";
	struct buf text = BUF_INIT;

	if (*old && !v->note.is_expression) {
		json_print_string(&text, old, strlen(old));
		buf_add_str(&text, " and ");
	} else if (*old && !v->note.trouble[0]) {
		buf_addf(&text, has_choice(old) ? "(%s) and " : "%s and ", old);
	}
	buf_add_str(&text, condition);
	table_view_filter(v, buf_text(&text));
	list_select(&v->list, 0);
	buf_finish(&text);
}

static bool
add_cell(const struct table_view *v, bool negated, struct buf *out, const struct view_env *env)
{
	size_t at = v->list.selected;

	if (!has_row(v, env))
		return false;
	return table_filter_of_cell(&v->table, v->table.order[at], v->column, negated, out) ||
	       view_refuse(env, "a filter cannot name this value");
}

static bool
filter_cell(struct table_view *v, bool negated, const struct view_env *env)
{
	struct buf text = BUF_INIT;

	bool ok = add_cell(v, negated, &text, env);
	if (ok)
		table_view_add_condition(v, buf_text(&text));
	buf_finish(&text);
	return ok;
}

bool
act_filter_cell(void *state, const struct view_env *env, const char *arg)
{
	return filter_cell(state, false, env);
}

bool
act_filter_out(void *state, const struct view_env *env, const char *arg)
{
	return filter_cell(state, true, env);
}

/* Takes the condition off again if it is the last one. */
static bool
turn_condition(struct table_view *v, const char *condition)
{
	const char *old = v->chosen.filter ? v->chosen.filter : "";
	size_t len = strlen(old), own = strlen(condition);
	size_t rest = len >= own && strcmp(old + len - own, condition) == 0 ? len - own : SIZE_MAX;

	if (rest != 0 &&
	    (rest == SIZE_MAX || rest < 5 || memcmp(old + rest - 5, " and ", 5) != 0)) {
		table_view_add_condition(v, condition);
		return true;
	}
	char *kept = mem_strndup(old, rest > 0 ? rest - 5 : 0);
	table_view_filter(v, kept);
	list_select(&v->list, 0);
	free(kept);
	return true;
}

bool
act_filter_invalid(void *state, const struct view_env *env, const char *arg)
{
	struct table_view *v = state;

	if (v->spot >= v->spots.len || v->table.invalid.count == 0)
		return view_refuse(env, "no row has violations");
	return turn_condition(v, "@invalid");
}

bool
act_filter_selected(void *state, const struct view_env *env, const char *arg)
{
	struct table_view *v = state;

	if (v->spot >= v->spots.len || v->table.selected.count == 0)
		return view_refuse(env, "no row is selected: Space selects one");
	return turn_condition(v, "@selected");
}

/* ---- the selection ---- */

static bool
select_matching(struct table_view *v, const char *filter, const struct view_env *env)
{
	struct filter_fault fault;

	if (table_filter_look(&v->table, filter, &fault) == FILTER_LOOK_WRONG)
		return view_refuse(env, "%s", fault.text);
	table_select_matching(&v->table, filter);
	return true;
}

bool
act_select(void *state, const struct view_env *env, const char *arg)
{
	if (!*arg)
		return view_refuse(env, "which rows? select price > 10, or a text");
	return has_row(state, env) && select_matching(state, arg, env);
}

bool
act_select_equal(void *state, const struct view_env *env, const char *arg)
{
	struct buf text = BUF_INIT;

	bool ok =
	    add_cell(state, false, &text, env) && select_matching(state, buf_text(&text), env);
	buf_finish(&text);
	return ok;
}

static void
turn_row(struct table_view *v)
{
	size_t at = v->list.selected;

	table_select(&v->table, at, at + 1, !row_set_has(&v->table.selected, v->table.order[at]));
	v->marked = v->table.order[at];
}

bool
act_select_row(void *state, const struct view_env *env, const char *arg)
{
	struct table_view *v = state;

	if (!has_row(v, env))
		return false;
	turn_row(v);
	list_move(&v->list, 1);
	return true;
}

void
table_select_step(struct table_view *v, int by)
{
	size_t before = v->list.selected;

	if (before >= v->table.shown)
		return;
	turn_row(v);
	list_move(&v->list, by);
}

/* All become what the first is. */
bool
act_select_range(void *state, const struct view_env *env, const char *arg)
{
	struct table_view *v = state;
	size_t to = v->list.selected, from = 0;

	if (!has_row(v, env))
		return false;
	while (from < v->table.shown && v->table.order[from] != v->marked)
		from++;
	from = from < v->table.shown ? from : to;
	bool selected = from == to || row_set_has(&v->table.selected, v->marked);
	table_select(&v->table, from < to ? from : to, (from < to ? to : from) + 1, selected);
	v->marked = v->table.order[to];
	return true;
}

bool
act_select_shown(void *state, const struct view_env *env, const char *arg)
{
	struct table_view *v = state;

	if (!has_row(v, env))
		return false;
	table_select(&v->table, 0, v->table.shown, true);
	return true;
}

bool
act_select_others(void *state, const struct view_env *env, const char *arg)
{
	struct table_view *v = state;

	if (!has_row(v, env))
		return false;
	table_select_inverted(&v->table);
	return true;
}

bool
act_unselect(void *state, const struct view_env *env, const char *arg)
{
	struct table_view *v = state;

	if (v->spot >= v->spots.len || v->table.selected.count == 0)
		return view_refuse(env, "no row is selected");
	table_select_none(&v->table);
	return true;
}

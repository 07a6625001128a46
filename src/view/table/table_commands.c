/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "base/vec.h"
#include "json/pointer.h"
#include "json/print.h"
#include "table_view.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool
has_table(const struct table_view *v, const struct view_env *env)
{
	return v->spot < v->spots.len || view_refuse(env, "this value contains no table");
}

static bool
has_row(const struct table_view *v, const struct view_env *env)
{
	return has_table(v, env) &&
	       (v->list.selected < v->table.shown || view_refuse(env, "there is no row to choose"));
}

/* ---- filters ---- */

/* The result is one expression, so that the user sees and edits all of it. */
void
table_view_add_condition(struct table_view *v, const char *condition)
{
	const char *old = v->chosen.filter ? v->chosen.filter : "";
	struct buf text = BUF_INIT;

	if (*old && !v->note.is_expression) {
		json_print_string(&text, old, strlen(old));
		buf_add_str(&text, " and ");
	} else if (*old && !v->note.trouble[0]) {
		bool has_or = strcasestr(old, "or") || strstr(old, "||");
		buf_addf(&text, has_or ? "(%s) and " : "%s and ", old);
	}
	buf_add_str(&text, condition);
	table_view_filter(v, buf_text(&text));
	list_select(&v->list, 0);
	buf_finish(&text);
}

/* Add a condition for the rows selected, or with violations. Remove it if it is the last one. */
static bool
toggle_condition(struct table_view *v, const struct view_env *env, const char *arg, bool selected)
{
	const char *condition = selected ? "@selected" : "@invalid";
	const char *old = v->chosen.filter ? v->chosen.filter : "";
	size_t len = strlen(old), own = strlen(condition);
	size_t rest = len >= own && strcmp(old + len - own, condition) == 0 ? len - own : SIZE_MAX;
	size_t rows = selected ? v->table.selected.count : v->table.invalid.count;

	if (v->spot >= v->spots.len || rows == 0)
		return view_refuse(env,
		    selected ? "no row is selected: Space selects one" : "no row has violations");
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

VIEW_ACTION_WITH(act_filter_invalid, toggle_condition, false)
VIEW_ACTION_WITH(act_filter_selected, toggle_condition, true)

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

static bool
act_select(void *state, const struct view_env *env, const char *arg)
{
	if (!*arg)
		return view_refuse(env, "which rows? select price > 10, or a text");
	return has_row(state, env) && select_matching(state, arg, env);
}

/* Add a condition for the value of the cell, or select the rows that have it. */
enum cell_use { CELL_FILTERS, CELL_FILTERS_OUT, CELL_SELECTS };

static bool
use_cell(struct table_view *v, const struct view_env *env, const char *arg, enum cell_use use)
{
	struct buf text = BUF_INIT;

	if (!has_row(v, env))
		return false;
	size_t row = v->table.order[v->list.selected];
	bool ok = table_filter_of_cell(&v->table, row, v->column, use == CELL_FILTERS_OUT, &text) ||
		  view_refuse(env, "a filter cannot name this value");
	if (ok && use == CELL_SELECTS)
		ok = select_matching(v, buf_text(&text), env);
	else if (ok)
		table_view_add_condition(v, buf_text(&text));
	buf_finish(&text);
	return ok;
}

VIEW_ACTION_WITH(act_filter_cell, use_cell, CELL_FILTERS)
VIEW_ACTION_WITH(act_filter_out, use_cell, CELL_FILTERS_OUT)
VIEW_ACTION_WITH(act_select_equal, use_cell, CELL_SELECTS)

void
table_select_step(struct table_view *v, int by)
{
	size_t at = v->list.selected;

	if (at >= v->table.shown)
		return;
	table_select(&v->table, at, at + 1, !row_set_has(&v->table.selected, v->table.order[at]));
	v->marked = v->table.order[at];
	list_move(&v->list, by);
}

static bool
act_select_row(void *state, const struct view_env *env, const char *arg)
{
	if (!has_row(state, env))
		return false;
	table_select_step(state, 1);
	return true;
}

/* Select all rows of the range if the first one is selected, else unselect them. */
static bool
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

/* Select all rows shown, or those that are not selected. */
static bool
select_rows(struct table_view *v, const struct view_env *env, const char *arg, bool others)
{
	if (!has_row(v, env))
		return false;
	const struct table *t = &v->table;
	for (size_t i = 0; i < t->shown; i++) {
		bool selects = !others || !row_set_has(&t->selected, t->order[i]);
		table_select(&v->table, i, i + 1, selects);
	}
	return true;
}

VIEW_ACTION_WITH(act_select_shown, select_rows, false)
VIEW_ACTION_WITH(act_select_others, select_rows, true)

static bool
act_unselect(void *state, const struct view_env *env, const char *arg)
{
	struct table_view *v = state;

	if (v->spot >= v->spots.len || v->table.selected.count == 0)
		return view_refuse(env, "no row is selected");
	table_select_none(&v->table);
	return true;
}

/* ---- order ---- */

/* Parse "NAME", "NAME desc" or "NAME asc". The name of a column may end in " desc". */
static size_t
sorted_column(const struct table_view *v, const char *arg, bool *is_descending)
{
	static const char *const orders[] = { " asc", " desc" };
	size_t len = strlen(arg), column = table_find_column(&v->table, arg);

	*is_descending = false;
	for (size_t i = 0; i < 2 && column == SIZE_MAX; i++) {
		size_t n = strlen(orders[i]);
		if (len <= n || strcmp(arg + len - n, orders[i]) != 0)
			continue;
		char *name = mem_strndup(arg, len - n);
		column = table_find_column(&v->table, name);
		*is_descending = i == 1;
		free(name);
	}
	return column;
}

/* Find a column by its name, the beginning of its name, or its number on the screen. */
static size_t
column_named(const struct table_view *v, const char *arg)
{
	const struct table *t = &v->table;
	size_t column = table_find_column(t, arg), place;

	for (size_t i = 0; i < t->columns.len && column == SIZE_MAX; i++)
		if (strncasecmp(t->columns.items[i].name, arg, strlen(arg)) == 0)
			column = i;
	if (column == SIZE_MAX && json_pointer_index(arg, t->place_count + 1, &place) && place > 0)
		column = t->places[place - 1];
	return column;
}

bool
table_view_choose_column(struct table_view *v, const char *arg, const struct view_env *env)
{
	if (!has_table(v, env))
		return false;
	size_t column = *arg ? column_named(v, arg) : v->column;
	if (column == SIZE_MAX && !v->table.has_columns) {
		table_complete(&v->table);
		column = column_named(v, arg);
	}
	if (column == SIZE_MAX)
		return view_refuse(env, "no column is named %s", arg);
	table_view_select(v, column);
	return true;
}

/* Parse a column, or several separated by commas, each with "desc" or "asc" after it. */
static bool
read_keys(const struct table_view *v, const char *arg, struct sort_key *keys, size_t *count,
    const struct view_env *env)
{
	bool descending;
	size_t column = sorted_column(v, arg, &descending);

	*count = 0;
	if (column != SIZE_MAX) {
		keys[(*count)++] = (struct sort_key){ column, descending };
		return true;
	}
	for (const char *at = arg; *at && *count < SORT_KEYS_MAX;) {
		at += strspn(at, " ");
		size_t len = strcspn(at, ","), end = len;
		while (end > 0 && at[end - 1] == ' ')
			end--;
		char *one = mem_strndup(at, end);
		column = sorted_column(v, one, &descending);
		if (column == SIZE_MAX)
			view_refuse(env, "no column is named %s", one);
		free(one);
		if (column == SIZE_MAX)
			return false;
		keys[(*count)++] = (struct sort_key){ column, descending };
		at += len + (at[len] == ',');
	}
	return *count > 0;
}

static bool
act_sort(void *state, const struct view_env *env, const char *arg)
{
	struct table_view *v = state;
	struct sort_key keys[SORT_KEYS_MAX];
	size_t count;

	if (!has_table(v, env))
		return false;
	if (*arg) {
		if (!v->table.has_columns)
			table_complete(&v->table);
		if (!read_keys(v, arg, keys, &count, env))
			return false;
		table_view_select(v, keys[0].column);
		table_view_sort(v, keys, count);
	} else {
		table_view_turn_column(v, v->column, false);
	}
	list_select(&v->list, 0);
	return true;
}

static bool
act_sort_also(void *state, const struct view_env *env, const char *arg)
{
	struct table_view *v = state;

	if (!table_view_choose_column(v, arg, env))
		return false;
	if (v->table.key_count == SORT_KEYS_MAX && table_key_of(&v->table, v->column) == SIZE_MAX)
		return view_refuse(env, "these are too many columns to sort by");
	table_view_turn_column(v, v->column, true);
	list_select(&v->list, 0);
	return true;
}

static bool
show_other(struct table_view *v, const struct view_env *env, const char *arg, bool back)
{
	if (!has_table(v, env))
		return false;
	if (v->levels.len > 0)
		return view_refuse(env, "Esc goes back to the table around this one");
	if (v->spots.len == 1)
		return view_refuse(env, "this value contains only one table");
	table_view_show(v, env, (v->spot + (back ? v->spots.len - 1 : 1)) % v->spots.len);
	return true;
}

VIEW_ACTION_WITH(act_next_table, show_other, false)
VIEW_ACTION_WITH(act_previous_table, show_other, true)

/* ---- columns ---- */

static bool
act_column(void *state, const struct view_env *env, const char *arg)
{
	if (!*arg)
		return view_refuse(env, "which column? column NAME, or its number");
	return table_view_choose_column(state, arg, env);
}

/* A card has all fields, one below the other. */
static bool
choose_on_screen(struct table_view *v, const char *arg, const struct view_env *env)
{
	if (table_is_card(v))
		return view_refuse(env, "a card has no columns: v shows the table");
	return table_view_choose_column(v, arg, env);
}

static bool
act_hide(void *state, const struct view_env *env, const char *arg)
{
	struct table_view *v = state;

	if (!choose_on_screen(v, arg, env))
		return false;
	if (v->table.place_count == 1)
		return view_refuse(env, "this is the only column shown");
	table_view_wish(v)->hidden = true;
	table_view_arrange(v);
	return true;
}

static void
show_again(struct table_view *v, const struct view_env *env)
{
	char *name = mem_strdup(v->table.columns.items[v->column].name);

	table_view_show(v, env, v->spot);
	size_t column = table_find_column(&v->table, name);
	v->column = column != SIZE_MAX ? column : v->column;
	free(name);
}

/* Show the columns that the user has hidden, then those that no row fills. */
static bool
act_show(void *state, const struct view_env *env, const char *arg)
{
	struct table_view *v = state;

	if (!has_table(v, env))
		return false;
	if (v->table.place_count < v->table.columns.len) {
		for (size_t i = 0; i < v->chosen.wishes.len; i++)
			v->chosen.wishes.items[i].hidden = false;
		table_view_arrange(v);
		return true;
	}
	if (v->table.empty_count == 0)
		return view_refuse(env, "all columns are shown");
	v->chosen.keeps_empty = !v->chosen.keeps_empty;
	show_again(v, env);
	return true;
}

static bool
act_heading(void *state, const struct view_env *env, const char *arg)
{
	struct table_view *v = state;

	if (v->spot >= v->spots.len || v->table.kind != TABLE_ARRAYS || v->table.row_count == 0)
		return view_refuse(env, "only an array of arrays may have a heading");
	size_t column = v->column;
	v->chosen.heading = v->table.heading ? HEADING_NO : HEADING_YES;
	table_view_show(v, env, v->spot);
	v->column = column < v->table.columns.len ? column : 0;
	return true;
}

#define WIDTH_STEP 4
#define WIDTH_LEAST 3

/* by 0: toggle between the width of the longest value and the default. */
static bool
change_width(struct table_view *v, const struct view_env *env, const char *arg, int by)
{
	if (!choose_on_screen(v, arg, env))
		return false;
	const struct column *c = &v->table.columns.items[v->column];
	int width = c->longest > c->width ? c->longest : c->width;
	if (by != 0)
		width = (c->asked > 0 ? c->asked : c->width) + by;
	width = width < WIDTH_LEAST ? WIDTH_LEAST : width;
	width = width > v->width && v->width > 0 ? v->width : width;
	table_view_wish(v)->width = by == 0 && c->asked > 0 ? 0 : width;
	table_view_arrange(v);
	return true;
}

VIEW_ACTION_WITH(act_wider, change_width, WIDTH_STEP)
VIEW_ACTION_WITH(act_narrower, change_width, -WIDTH_STEP)
VIEW_ACTION_WITH(act_fit, change_width, 0)

static bool
act_wrap(void *state, const struct view_env *env, const char *arg)
{
	struct table_view *v = state;

	if (!choose_on_screen(v, arg, env))
		return false;
	struct column_wish *wish = table_view_wish(v);
	wish->wraps = !wish->wraps;
	table_view_arrange(v);
	return true;
}

/* A column frozen later follows those frozen before. */
static bool
act_freeze(void *state, const struct view_env *env, const char *arg)
{
	struct table_view *v = state;
	size_t place = 0;

	if (!choose_on_screen(v, arg, env))
		return false;
	bool thaws = v->table.columns.items[v->column].frozen;
	table_view_wish(v)->freeze = thaws ? FREEZE_NO : FREEZE_YES;
	while (!thaws && v->table.columns.items[v->table.places[place]].frozen)
		place++;
	if (!thaws && place < table_view_place(v, v->column))
		table_view_move(v, place);
	else
		table_view_arrange(v);
	return true;
}

static bool
shift_column(struct table_view *v, const struct view_env *env, const char *arg, bool right)
{
	if (!choose_on_screen(v, arg, env))
		return false;
	size_t place = table_view_place(v, v->column);
	if (right ? place + 1 == v->table.place_count : place == 0)
		return view_refuse(env, "this is the %s column", right ? "last" : "first");
	table_view_move(v, right ? place + 1 : place - 1);
	return true;
}

VIEW_ACTION_WITH(act_left, shift_column, false)
VIEW_ACTION_WITH(act_right, shift_column, true)

static bool
act_fold(void *state, const struct view_env *env, const char *arg)
{
	struct table_view *v = state;
	struct buf name = BUF_INIT; /* of the object that has the column as a member */

	if (!table_view_choose_column(v, arg, env))
		return false;
	const struct column *c = &v->table.columns.items[v->column];
	if (v->table.kind == TABLE_ARRAYS || c->depth < 2)
		return view_refuse(env, "this column is not a member of an object in the rows");
	for (int i = 0; i + 1 < c->depth; i++)
		buf_addf(&name, "%s%s", i > 0 ? "." : "", c->path[i]);
	char *folded = *VEC_PUSH(&v->chosen.folded) = buf_detach(&name);
	table_view_show(v, env, v->spot);
	size_t column = table_find_column(&v->table, folded);
	if (column != SIZE_MAX)
		table_view_select(v, column);
	return true;
}

static bool
act_unfold(void *state, const struct view_env *env, const char *arg)
{
	struct table_view *v = state;
	size_t at = 0;

	if (!table_view_choose_column(v, arg, env))
		return false;
	const char *name = v->table.columns.items[v->column].name;
	while (at < v->chosen.folded.len && strcmp(v->chosen.folded.items[at], name) != 0)
		at++;
	if (at == v->chosen.folded.len)
		return view_refuse(env, "this column is not folded: ( folds one");
	free(v->chosen.folded.items[at]);
	VEC_REMOVE(&v->chosen.folded, at);
	table_view_show(v, env, v->spot);
	return true;
}

static bool
act_reset(void *state, const struct view_env *env, const char *arg)
{
	struct table_view *v = state;

	if (!has_table(v, env))
		return false;
	table_view_forget_wishes(v);
	v->chosen.keeps_empty = false;
	show_again(v, env);
	return true;
}

/* ---- sheets ---- */

static bool
make_sheet(struct table_view *v, const struct view_env *env, const struct sheet_wish *wish)
{
	if (!has_table(v, env))
		return false;
	if (!v->table.has_columns || !v->table.is_ordered)
		return view_refuse(env, "the table is being read: one moment");
	if (v->table.shown == 0)
		return view_refuse(env, "there are no rows to count");
	table_make_sheet(&v->table, wish);
	table_view_take_sheet(v, env);
	return true;
}

static bool
make_sheet_of_all(
    struct table_view *v, const struct view_env *env, const char *arg, enum sheet_kind kind)
{
	return make_sheet(v, env, &(struct sheet_wish){ .kind = kind });
}

VIEW_ACTION_WITH(act_statistics, make_sheet_of_all, SHEET_STATISTICS)
VIEW_ACTION_WITH(act_transpose, make_sheet_of_all, SHEET_TRANSPOSED)

static bool
act_frequency(void *state, const struct view_env *env, const char *arg)
{
	struct table_view *v = state;
	struct sheet_wish wish = { .kind = SHEET_FREQUENCY, .column_count = 1 };

	if (!table_view_choose_column(v, arg, env))
		return false;
	wish.columns[0] = v->column;
	return make_sheet(v, env, &wish);
}

static bool
act_group(void *state, const struct view_env *env, const char *arg)
{
	struct table_view *v = state;
	struct sheet_wish wish = { .kind = SHEET_GROUPS, .column_count = 1 };
	struct sort_key keys[SORT_KEYS_MAX];

	if (!table_view_choose_column(v, "", env))
		return false;
	keys[0].column = v->column;
	if (*arg && !read_keys(v, arg, keys, &wish.column_count, env))
		return false;
	for (size_t i = 0; i < wish.column_count; i++)
		wish.columns[i] = keys[i].column;
	return make_sheet(v, env, &wish);
}

static size_t
count_alike(const cJSON *object, size_t length)
{
	size_t alike = 0;

	for (const cJSON *m = json_first(object); m; m = m->next)
		alike += json_type(m) == JSON_ARRAY && json_count(m) == length;
	return alike;
}

#define MEMBERS_MAX 200 /* of an object, that are read */

/* Return how many arrays of scalars in the object have the most common length. */
static size_t
count_most_alike(const cJSON *object, size_t *length)
{
	size_t most = 1;

	if (json_type(object) != JSON_OBJECT || json_count(object) > MEMBERS_MAX)
		return 0;
	for (const cJSON *m = json_first(object); m; m = m->next) {
		if (json_type(m) != JSON_ARRAY || json_count(m) < 2 || json_first(json_first(m)))
			continue;
		size_t alike = count_alike(object, json_count(m));
		*length = alike > most ? json_count(m) : *length;
		most = alike > most ? alike : most;
	}
	return most > 1 ? most : 0;
}

size_t
table_arrays_alike(const cJSON *value, struct sheet_wish *wish, struct buf *pointer)
{
	size_t length = 0, most = count_most_alike(value, &length), seen = 0;

	*wish = (struct sheet_wish){ .kind = SHEET_JOINED, .object = value, .length = length };
	for (const cJSON *m = json_type(value) == JSON_OBJECT ? json_first(value) : NULL;
	     m && seen < MEMBERS_MAX; m = m->next, seen++) {
		size_t count = count_most_alike(m, &length);
		if (count <= most)
			continue;
		most = count;
		wish->object = m;
		wish->length = length;
	}
	if (wish->object != value)
		json_pointer_add_key(pointer, wish->object->string);
	wish->pointer = buf_text(pointer);
	return most;
}

/* Cut the pointer of an array to that of the object around it. False if the object has no other
 * array of this length. */
static bool
wish_arrays(const struct view_env *env, struct buf *pointer, struct sheet_wish *wish)
{
	const cJSON *array = json_pointer_find(env->in->value, buf_text(pointer));
	const char *last = strrchr(buf_text(pointer), '/');

	if (!last || json_type(array) != JSON_ARRAY)
		return false;
	buf_truncate(pointer, (size_t)(last - buf_text(pointer)));
	const cJSON *object = json_pointer_find(env->in->value, buf_text(pointer));
	if (json_type(object) != JSON_OBJECT)
		return false;
	wish->pointer = buf_text(pointer);
	wish->object = object;
	wish->length = json_count(array);
	return count_alike(object, wish->length) > 1;
}

/* Join the arrays like the selected value, or like the table, or else the largest set. */
static bool
act_join(void *state, const struct view_env *env, const char *arg)
{
	struct table_view *v = state;
	struct sheet_wish wish = { .kind = SHEET_JOINED };
	struct buf cell = BUF_INIT, all = BUF_INIT, best = BUF_INIT;
	bool in_value =
	    v->spot < v->spots.len; /* the table and the levels above are in the value */

	for (size_t i = 0; i < v->levels.len; i++)
		in_value &= v->levels.items[i].sheet == NULL;
	if (in_value) {
		table_view_selected(v, env, &cell);
		buf_add_str(&all, v->spots.items[v->spot].pointer);
	}
	bool found =
	    in_value &&
	    (wish_arrays(env, &cell, &wish) || wish_arrays(env, &all, &wish) ||
		(v->levels.len == 0 && table_arrays_alike(env->in->value, &wish, &best) > 0));
	bool made = found ? make_sheet(v, env, &wish)
			  : view_refuse(env, "select one of several arrays of the same length");
	buf_finish(&best);
	buf_finish(&cell);
	buf_finish(&all);
	return made;
}

static bool
act_row(void *state, const struct view_env *env, const char *arg)
{
	struct table_view *v = state;
	const struct table *t = &v->table;
	size_t row = SIZE_MAX;

	if (!has_table(v, env))
		return false;
	for (size_t i = 0; i < t->shown && t->kind == TABLE_MAP && row == SIZE_MAX; i++)
		if (strcmp(table_row_key(t, t->order[i]), arg) == 0)
			row = i + 1;
	if (row == SIZE_MAX && (!json_pointer_index(arg, t->shown + 1, &row) || row == 0))
		return view_refuse(env, "row NUMBER, up to %zu%s", t->shown,
		    t->kind == TABLE_MAP ? ", or its key" : "");
	list_select(&v->list, row - 1);
	return true;
}

const char *
table_view_hint(void *state, const struct view_env *env, const struct view_action *action)
{
	const struct table_view *v = state;

	if (action->run == act_sort)
		return v->spot < v->spots.len && !table_is_card(v) ? action->hint : NULL;
	bool has_tables = v->spots.len > 1 && v->levels.len == 0;
	return action->run != act_next_table || has_tables ? action->hint : NULL;
}

/* clang-format off */
const struct view_action table_view_actions[] = {
	{ "sort",            "s",          "[COLUMN [desc], …]", "sort by a column: ascending, descending, off; or by the named columns", act_sort, "sort" },
	{ "sort-also",       "alt-s",      "[COLUMN]",           "add a secondary sort column: ascending, descending, off", act_sort_also, NULL },
	{ "filter-cell",     "&",          "",                   "filter further to rows with this value", act_filter_cell, NULL },
	{ "filter-out",      "^",          "",                   "filter further to rows without this value", act_filter_out, NULL },
	{ "filter-invalid",  "alt-e",      "",                   "toggle the filter for rows with violations", act_filter_invalid, NULL },
	{ "filter-selected", "\"",         "",                   "toggle the filter for selected rows", act_filter_selected, NULL },
	{ "select-row",      "space",      "",                   "toggle the selection of the row, and go to the next", act_select_row, NULL },
	{ "select-range",    "ctrl-space", "",                   "select or deselect the range from the last row to this one", act_select_range, NULL },
	{ "select-equal",    ",",          "",                   "select the rows with the same value in this column", act_select_equal, NULL },
	{ "select-shown",    "ctrl-a",     "",                   "select all visible rows", act_select_shown, NULL },
	{ "select-others",   "alt-a",      "",                   "invert the selection", act_select_others, NULL },
	{ "select",          "",           "FILTER",             "select the rows that match a filter", act_select, NULL },
	{ "unselect",        "u",          "",                   "clear the selection", act_unselect, NULL },
	{ "statistics",      "alt-i",      "",                   "make a table of statistics: a row for each column", act_statistics, NULL },
	{ "frequency",       "alt-f",      "[COLUMN]",           "count the rows per value of the column", act_frequency, NULL },
	{ "group",           "alt-g",      "[COLUMN, …]",        "group the rows by the values of one or several columns, with sums", act_group, NULL },
	{ "transpose",       "\\",         "",                   "turn columns into rows", act_transpose, NULL },
	{ "join",            "alt-j",      "",                   "join with sibling arrays of the same length", act_join, NULL },
	{ "next-table",      "]",          "",                   "go to the next table in the value", act_next_table, "next table" },
	{ "previous-table",  "[",          "",                   "go to the previous table in the value", act_previous_table, NULL },
	{ "hide-column",     "-",          "[COLUMN]",           "hide the column", act_hide, NULL },
	{ "show-columns",    "+",          "",                   "show the hidden columns, then the empty ones", act_show, NULL },
	{ "heading",         "alt-h",      "",                   "toggle the first row of an array of arrays as the heading", act_heading, NULL },
	{ "freeze-column",   "!",          "[COLUMN]",           "freeze or unfreeze the column at the left", act_freeze, NULL },
	{ "wider",           "alt->",      "[COLUMN]",           "make the column wider", act_wider, NULL },
	{ "narrower",        "alt-<",      "[COLUMN]",           "make the column narrower", act_narrower, NULL },
	{ "fit-column",      "=",          "[COLUMN]",           "toggle the width of the column: its longest value, or the default", act_fit, NULL },
	{ "wrap-column",     "alt-w",      "[COLUMN]",           "toggle wrapping of long values in the column", act_wrap, NULL },
	{ "column-left",     "{",          "[COLUMN]",           "move the column to the left", act_left, NULL },
	{ "column-right",    "}",          "[COLUMN]",           "move the column to the right", act_right, NULL },
	{ "fold-column",     "(",          "[COLUMN]",           "fold the columns of this object into one", act_fold, NULL },
	{ "unfold-column",   ")",          "[COLUMN]",           "make a column of each member of the folded object", act_unfold, NULL },
	{ "reset-columns",   "backspace",  "",                   "reset the columns", act_reset, NULL },
	{ "column",          "",           "COLUMN",             "go to a column, by its name or number", act_column, NULL },
	{ "row",             "",           "ROW",                "go to a row, by its number or key", act_row, NULL },
	{ 0 },
};
/* clang-format on */

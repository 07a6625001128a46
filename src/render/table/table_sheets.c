#include "base/glyph.h"
#include "base/mem.h"
#include "table_commands.h"

#include <stdlib.h>
#include <string.h>

/* Sheets about the table shown: they are opened like values in its rows, and Esc comes back. */

/* ---- opening ---- */

static char *
trail_of(const struct sheet *s)
{
	static const char *const names[] = { "statistics", "frequency of", "groups of",
		"transposed" };
	struct buf text = BUF_INIT;

	buf_add_str(&text, names[s->kind]);
	for (size_t i = 0; i < s->column_count; i++)
		buf_addf(&text, "%s%s", i > 0 ? ", " : " ", s->columns[i]);
	return buf_detach(&text);
}

void
table_view_take_sheet(struct table_view *v, const struct render_env *env)
{
	struct sheet *s = table_take_sheet(&v->table);

	if (!s)
		return;
	table_view_push(v,
	    (struct table_level){ .doc = json_doc_ref(s->doc), .sheet = s, .trail = trail_of(s) },
	    (struct table_spot){
		.node = json_root(s->doc), .kind = s->shape, .pointer = mem_strdup("") });
	table_view_show(v, env, v->spots.len - 1);
}

static bool
make(struct table_view *v, const struct render_env *env, enum sheet_kind kind,
    const struct sort_key *by, size_t count, struct buf *why)
{
	size_t columns[SHEET_COLUMNS_MAX];

	if (v->spot >= v->spots.len)
		return table_view_refuse(why, "this value contains no table");
	if (!v->table.has_columns || !v->table.is_ordered)
		return table_view_refuse(why, "the table is being read: one moment");
	if (v->table.shown == 0)
		return table_view_refuse(why, "there are no rows to count");
	for (size_t i = 0; i < count; i++)
		columns[i] = by[i].column;
	table_make_sheet(&v->table, kind, columns, count);
	table_view_take_sheet(v, env);
	return true;
}

bool
act_statistics(void *state, const struct render_env *env, const char *arg, struct buf *why)
{
	return make(state, env, SHEET_STATISTICS, NULL, 0, why);
}

bool
act_transpose(void *state, const struct render_env *env, const char *arg, struct buf *why)
{
	return make(state, env, SHEET_TRANSPOSED, NULL, 0, why);
}

bool
act_frequency(void *state, const struct render_env *env, const char *arg, struct buf *why)
{
	struct table_view *v = state;

	return table_view_choose_column(v, arg, why) &&
	       make(v, env, SHEET_FREQUENCY, &(struct sort_key){ .column = v->column }, 1, why);
}

bool
act_group(void *state, const struct render_env *env, const char *arg, struct buf *why)
{
	struct table_view *v = state;
	struct sort_key keys[SORT_KEYS_MAX];
	size_t count = 1;

	if (!table_view_choose_column(v, "", why))
		return false;
	keys[0].column = v->column;
	return (!*arg || table_view_read_keys(v, arg, keys, &count, why)) &&
	       make(v, env, SHEET_GROUPS, keys, count, why);
}

/* ---- what a row of a sheet stands for ---- */

static struct table_level *
level_shown(const struct table_view *v)
{
	return v->levels.len > 0 ? &v->levels.items[v->levels.len - 1] : NULL;
}

static void
enter_column(struct table_view *v, const struct render_env *env)
{
	size_t row = v->table.order[v->list.selected];
	char *name = mem_strdup(json_get_string(table_row(&v->table, row), "column"));
	struct buf why = BUF_INIT;

	table_view_leave(v, env);
	table_view_choose_column(v, name ? name : "", &why);
	free(name);
	buf_finish(&why);
}

static struct table_choices
copy_choices(const struct table_choices *from)
{
	struct table_choices to = *from;

	to.at = mem_strdup(from->at);
	to.filter = mem_strdup(from->filter);
	for (size_t i = 0; i < from->key_count; i++)
		to.keys[i].name = mem_strdup(from->keys[i].name);
	to.wishes.items =
	    mem_dup(from->wishes.items, from->wishes.len * sizeof(*from->wishes.items));
	to.wishes.cap = from->wishes.len;
	for (size_t i = 0; i < from->wishes.len; i++)
		to.wishes.items[i].name = mem_strdup(from->wishes.items[i].name);
	to.folded.items = mem_alloc(from->folded.len * sizeof(*to.folded.items));
	to.folded.cap = from->folded.len;
	for (size_t i = 0; i < from->folded.len; i++)
		to.folded.items[i] = mem_strdup(from->folded.items[i]);
	return to;
}

/* `role = "admin" and age = 3`, which means in the table around the sheet what it means here.
 * False: a filter cannot say it. */
static bool
add_group(const struct table_view *v, const struct sheet *s, struct buf *out)
{
	const struct table *t = &v->table;
	size_t row = t->order[v->list.selected];

	for (size_t i = 0; i < s->column_count; i++) {
		size_t column = table_find_column(t, s->columns[i]);
		if (column == SIZE_MAX)
			return false;
		const char *text = json_string(table_cell(t, row, column));
		if (text && strlen(text) > LABEL_BYTES) /* it was cut */
			return false;
		buf_add_str(out, i > 0 ? " and " : "");
		if (!table_filter_of_cell(t, row, column, false, out))
			return false;
	}
	return true;
}

/* The rows of a group are those of the table around the sheet, filtered. */
static void
enter_group(struct table_view *v, const struct render_env *env, const char *condition)
{
	const struct table_level *at = level_shown(v);
	struct table_spot spot = v->spots.items[at->spot];
	struct table_choices chosen = copy_choices(&at->chosen);
	struct table_level level = { .doc = json_doc_ref(v->levels.len > 1 ? at[-1].doc : NULL),
		.trail = mem_strdup("group") };
	struct row_set selected = { 0 };
	size_t column = at->column;

	spot.pointer = mem_strdup(spot.pointer);
	row_set_copy(&selected, &at->selected, json_count(spot.node));
	table_view_push(v, level, spot);
	v->chosen = chosen;
	v->table.selected = selected;
	v->column = column;
	table_view_show(v, env, v->spots.len - 1);
	table_view_add_condition(v, condition);
	level_shown(v)->group = mem_strdup(v->chosen.filter);
}

bool
table_sheet_enter(struct table_view *v, const struct render_env *env)
{
	const struct table_level *at = level_shown(v);
	const struct sheet *s = at ? at->sheet : NULL;
	struct buf condition = BUF_INIT;

	if (!s || v->record.open)
		return false;
	bool is_group = s->column_count > 0 && add_group(v, s, &condition);
	bool is_column = s->kind == SHEET_STATISTICS;
	if (is_group)
		enter_group(v, env, buf_text(&condition));
	else if (is_column) /* leaves the sheet, which is gone then */
		enter_column(v, env);
	buf_finish(&condition);
	return is_group || is_column;
}

bool
table_sheet_escape(struct table_view *v, const struct render_env *env)
{
	const struct table_level *at = level_shown(v);
	const char *group = at ? at->group : NULL;

	if (v->table.sheet_job)
		job_drop(&v->table.sheet_job);
	else if (!group)
		return false;
	else if (v->chosen.filter && strcmp(v->chosen.filter, group) != 0)
		table_view_filter(v, group);
	else
		table_view_leave(v, env);
	return true;
}

#include "base/glyph.h"
#include "base/mem.h"
#include "base/vec.h"
#include "json/pointer.h"
#include "json/print.h"
#include "schema/report.h"
#include "table_view.h"

#include <stdlib.h>
#include <string.h>

/* A value in a row, or a sheet, opened as a table of its own, and the way back. */

/* Does the value make a table? Its members in turn are not looked for. */
static bool
find_kind(const cJSON *node, enum table_kind *kind)
{
	struct table_spots spots;

	if (!json_first(node))
		return false;
	shape_find(&spots, node, NULL);
	bool found = spots.len > 0 && *spots.items[0].pointer == '\0';
	if (found)
		*kind = spots.items[0].kind;
	shape_finish(&spots);
	return found;
}

/* A row of a lazy array is gone when its table is, unless the report has kept it. */
static const cJSON *
keep_node(const struct table *t, size_t row, const cJSON *node, struct json_doc **copy)
{
	struct buf text = BUF_INIT;

	if (t->rows || (t->report && report_item(t->report, t->node, row)))
		return node;
	json_print(&text, node);
	*copy = json_parse(buf_text(&text), text.len, NULL, NULL);
	buf_finish(&text);
	return *copy ? json_root(*copy) : NULL;
}

/* Adds another spot, of which the level says what it is, for table_view_show(); takes both. */
static void
table_view_push(struct table_view *v, struct table_level level, struct table_spot spot)
{
	level.spot = v->spot;
	level.row = v->list.selected;
	level.column = v->column;
	level.first = v->first;
	level.field = v->record.field;
	level.record = v->record.open;
	level.selected = v->table.selected;
	v->table.selected = (struct row_set){ 0 };
	level.chosen = v->chosen;
	v->chosen = (struct table_choices){ 0 };
	v->record.open = false;
	*VEC_PUSH(&v->levels) = level;
	*VEC_PUSH(&v->spots) = spot;
}

bool
table_view_enter(struct table_view *v, const struct view_env *env)
{
	struct table_level level = { .doc = NULL };
	size_t column = v->record.open ? v->record.field : v->column;
	struct table_spot spot = { .schema = v->table.columns.items[column].schema };
	struct buf pointer = BUF_INIT;

	const cJSON *node = table_view_selected(v, env, &pointer);
	bool enters = find_kind(node, &spot.kind);
	if (enters)
		spot.node =
		    keep_node(&v->table, v->table.order[v->list.selected], node, &level.doc);
	if (!spot.node) {
		buf_finish(&pointer);
		return false;
	}
	spot.pointer = buf_detach(&pointer);
	if (!level.doc && v->levels.len > 0)
		level.doc = json_doc_ref(v->levels.items[v->levels.len - 1].doc);
	table_view_push(v, level, spot);
	table_view_show(v, env, v->spots.len - 1);
	return true;
}

/* Without showing the outer table. */
static void
pop(struct table_view *v)
{
	struct table_level *level = &v->levels.items[--v->levels.len];

	table_view_forget(v);
	free(v->chosen.at);
	table_select_none(&v->table);
	v->table.selected = level->selected;
	v->chosen = level->chosen;
	free(v->spots.items[--v->spots.len].pointer);
	json_doc_destroy(level->doc);
	sheet_destroy(level->sheet);
	free(level->trail);
	free(level->group);
	v->spot = level->spot;
	v->column = level->column;
	v->first = level->first;
	v->record.open = level->record;
	v->record.field = level->field;
	list_set_count(&v->list, SIZE_MAX);
	list_select(&v->list, level->row);
}

void
table_view_leave(struct table_view *v, const struct view_env *env)
{
	table_finish(&v->table);
	pop(v);
	table_view_show(v, env, v->spot);
}

void
table_view_drop_levels(struct table_view *v)
{
	while (v->levels.len > 0)
		pop(v);
}

/* Sheets about the table shown: they are opened like values in its rows, and Esc comes back. */

/* ---- opening ---- */

static char *
trail_of(const struct sheet *s)
{
	static const char *const names[] = { "statistics", "frequency of", "groups of",
		"transposed", "joined" };
	struct buf text = BUF_INIT;

	buf_add_str(&text, names[s->kind]);
	for (size_t i = 0; i < s->column_count; i++)
		buf_addf(&text, "%s%s", i > 0 ? ", " : " ", s->columns[i]);
	if (s->pointer && *s->pointer)
		buf_addf(&text, " %s", s->pointer);
	return buf_detach(&text);
}

void
table_view_take_sheet(struct table_view *v, const struct view_env *env)
{
	struct sheet *s = table_take_sheet(&v->table);

	if (!s)
		return;
	struct table_level level = { .doc = json_doc_ref(s->doc),
		.sheet = s,
		.trail = trail_of(s),
		.is_joined = s->pointer != NULL };
	struct table_spot spot = { .node = json_root(s->doc),
		.kind = s->shape,
		.pointer = mem_strdup(s->pointer ? s->pointer : "") };
	table_view_push(v, level, spot);
	table_view_show(v, env, v->spots.len - 1);
}

static bool
make(struct table_view *v, const struct view_env *env, const struct sheet_wish *wish)
{
	if (v->spot >= v->spots.len)
		return view_refuse(env, "this value contains no table");
	if (!v->table.has_columns || !v->table.is_ordered)
		return view_refuse(env, "the table is being read: one moment");
	if (v->table.shown == 0)
		return view_refuse(env, "there are no rows to count");
	table_make_sheet(&v->table, wish);
	table_view_take_sheet(v, env);
	return true;
}

bool
act_statistics(void *state, const struct view_env *env, const char *arg)
{
	return make(state, env, &(struct sheet_wish){ .kind = SHEET_STATISTICS });
}

bool
act_transpose(void *state, const struct view_env *env, const char *arg)
{
	return make(state, env, &(struct sheet_wish){ .kind = SHEET_TRANSPOSED });
}

bool
act_frequency(void *state, const struct view_env *env, const char *arg)
{
	struct table_view *v = state;

	if (!table_view_choose_column(v, arg, env))
		return false;
	return make(v, env,
	    &(struct sheet_wish){
		.kind = SHEET_FREQUENCY, .columns = { v->column }, .column_count = 1 });
}

bool
act_group(void *state, const struct view_env *env, const char *arg)
{
	struct table_view *v = state;
	struct sheet_wish wish = { .kind = SHEET_GROUPS, .column_count = 1 };
	struct sort_key keys[SORT_KEYS_MAX];

	if (!table_view_choose_column(v, "", env))
		return false;
	keys[0].column = v->column;
	if (*arg && !table_view_read_keys(v, arg, keys, &wish.column_count, env))
		return false;
	for (size_t i = 0; i < wish.column_count; i++)
		wish.columns[i] = keys[i].column;
	return make(v, env, &wish);
}

static size_t
count_alike(const cJSON *object, size_t length)
{
	size_t alike = 0;

	for (const cJSON *m = json_first(object); m; m = m->next)
		alike += json_type(m) == JSON_ARRAY && json_count(m) == length;
	return alike;
}

/* Members that are looked at. */
#define MEMBERS_MAX 200

/* Of the arrays of scalars in the object: how many have the length that most have? */
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

/* Cuts the pointer of an array to that of the object around it. False: it has no other such array.
 */
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

/* The selected value may be one of the arrays, or the table; else those of which there are most. */
bool
act_join(void *state, const struct view_env *env, const char *arg)
{
	struct table_view *v = state;
	struct sheet_wish wish = { .kind = SHEET_JOINED };
	struct buf cell = BUF_INIT, all = BUF_INIT, best = BUF_INIT;
	bool in_value = v->spot < v->spots.len; /* and its pointers lead there */

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
	bool made =
	    found ? make(v, env, &wish)
		  : view_refuse(env, "select an array that has others of its length beside it");
	buf_finish(&best);
	buf_finish(&cell);
	buf_finish(&all);
	return made;
}

/* ---- what a row of a sheet stands for ---- */

static struct table_level *
level_shown(const struct table_view *v)
{
	return v->levels.len > 0 ? &v->levels.items[v->levels.len - 1] : NULL;
}

static void
enter_column(struct table_view *v, const struct view_env *env)
{
	size_t row = v->table.order[v->list.selected];
	char *name = mem_strdup(json_get_string(table_row(&v->table, row), "column"));
	struct buf why = BUF_INIT;

	table_view_leave(v, env);
	table_view_choose_column(v, name ? name : "", env);
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
enter_group(struct table_view *v, const struct view_env *env, const char *condition)
{
	const struct table_level *at = level_shown(v);
	struct table_spot spot = v->spots.items[at->spot];
	struct table_choices chosen = copy_choices(&at->chosen);
	struct table_level level = { .trail = mem_strdup("group") };
	struct row_set selected = { 0 };
	size_t column = at->column;

	if (v->levels.len > 1) {
		level.doc = json_doc_ref(at[-1].doc);
		level.is_joined = at[-1].is_joined;
	}
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
table_sheet_enter(struct table_view *v, const struct view_env *env)
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
table_sheet_escape(struct table_view *v, const struct view_env *env)
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

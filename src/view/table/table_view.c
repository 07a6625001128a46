/* SPDX-License-Identifier: MIT */
#include "base/glyph.h"
#include "base/mem.h"
#include "base/units.h"
#include "json/pointer.h"
#include "json/print.h"
#include "base/vec.h"
#include "data/shape.h"
#include "schema/report.h"
#include "table_view.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LABEL_MAX 30
#define WANTED_LINES 200        /* more than any screen has */
#define MEMBERS_MAX 40          /* a larger object is shown as a tree by default */
#define APART 1                 /* lines between two printed cards */
#define COLUMNS_WANTED_MAX 1000 /* wider than any screen */

static void
drop(struct table_view *v)
{
	table_finish(&v->table);
	table_view_drop_levels(v);
	shape_finish(&v->spots);
	v->spot = 0;
}

static void
forget_keys(struct table_view *v)
{
	for (size_t i = 0; i < v->chosen.key_count; i++)
		free(v->chosen.keys[i].name);
	v->chosen.key_count = 0;
}

static void
forget(struct table_view *v)
{
	free(v->chosen.filter);
	v->chosen.filter = NULL;
	forget_keys(v);
	v->chosen.keeps_empty = false;
	v->chosen.heading = HEADING_GUESSED;
	table_view_forget_wishes(v);
}

static void
table_view_finish(void *state)
{
	struct table_view *v = state;

	drop(v);
	table_select_none(&v->table);
	forget(v);
	free(v->chosen.at);
	free(v->slots.items);
	free(v->levels.items);
}

/* An array of scalars is best shown as a table if it is the value or, as servers wrap arrays, its
 * only member. */
static int
serves(const struct view_env *env)
{
	const cJSON *value = env->in->value;
	struct table_spots spots;

	shape_find(&spots, value, env->in->schema);
	size_t best = shape_best(&spots);
	int serves = 0;
	if (best < spots.len) {
		const cJSON *node = spots.items[best].node;
		bool is_whole =
		    node == value || (json_count(value) == 1 && node == json_first(value));
		serves = spots.items[best].kind == TABLE_SCALARS && !is_whole ? 1 : 10;
	}
	shape_finish(&spots);
	return serves;
}

static void
measure_labels(struct table_view *v)
{
	int widest = 0;

	v->label_width = 0;
	if (v->table.kind != TABLE_MAP)
		return;
	for (size_t i = 0; i < v->table.row_count && widest < LABEL_MAX; i++) {
		const char *key = table_row_key(&v->table, i);
		int width = (int)glyph_columns(key, strnlen(key, (size_t)4 * LABEL_MAX));
		widest = width > widest ? width : widest;
	}
	v->label_width = (widest < LABEL_MAX ? widest : LABEL_MAX) + GAP;
}

/* While the user types, an expression that does not parse yet keeps the rows of the one before. */
static void
apply_filter(struct table_view *v)
{
	const char *text = v->chosen.filter ? v->chosen.filter : "";
	bool was_expression = v->note.is_expression;
	struct filter_fault fault = { .at = 0 };
	enum filter_look look = table_filter_look(&v->table, text, &fault);

	v->note = (struct filter_note){
		.is_expression = look != FILTER_LOOK_TEXT, .at = fault.at, .len = fault.len
	};
	snprintf(v->note.trouble, sizeof(v->note.trouble), "%s", fault.text);
	if (look == FILTER_LOOK_WRONG && !was_expression)
		text = "";
	if (look != FILTER_LOOK_WRONG || !was_expression)
		table_filter(&v->table, text);
	list_set_count(&v->list, v->table.shown);
}

void
table_view_filter(struct table_view *v, const char *text)
{
	char *kept = text && *text ? mem_strdup(text) : NULL;

	free(v->chosen.filter);
	v->chosen.filter = kept;
	apply_filter(v);
}

void
table_view_sort(struct table_view *v, const struct sort_key *keys, size_t count)
{
	forget_keys(v);
	for (size_t i = 0; i < count; i++) {
		v->chosen.keys[i].name = mem_strdup(v->table.columns.items[keys[i].column].name);
		v->chosen.keys[i].descending = keys[i].descending;
	}
	v->chosen.key_count = count;
	table_sort(&v->table, keys, count);
}

void
table_view_turn_column(struct table_view *v, size_t column, bool adds)
{
	struct sort_key keys[SORT_KEYS_MAX];
	size_t count = v->table.key_count, at = table_key_of(&v->table, column);
	bool is_key = at != SIZE_MAX && (adds || count == 1);

	memcpy(keys, v->table.keys, count * sizeof(*keys));
	if (!is_key) {
		at = adds && count < SORT_KEYS_MAX ? count : 0;
		keys[at] = (struct sort_key){ .column = column };
		count = at + 1;
	} else if (!keys[at].descending) {
		keys[at].descending = true;
	} else {
		count--;
		memmove(keys + at, keys + at + 1, (count - at) * sizeof(*keys));
	}
	table_view_sort(v, keys, count);
}

/* Sort by the columns of the user's choice that the table has. */
static void
restore_sort(struct table_view *v)
{
	struct sort_key keys[SORT_KEYS_MAX];
	size_t count = 0;

	for (size_t i = 0; i < v->chosen.key_count; i++) {
		keys[count] = (struct sort_key){ .column = table_find_column(
						     &v->table, v->chosen.keys[i].name),
			.descending = v->chosen.keys[i].descending };
		count += keys[count].column != SIZE_MAX;
	}
	bool same = count == v->table.key_count;
	for (size_t i = 0; same && i < count; i++)
		same = keys[i].column == v->table.keys[i].column &&
		       keys[i].descending == v->table.keys[i].descending;
	if (!same)
		table_sort(&v->table, keys, count);
}

/* A job has found the columns or the order. */
static void
on_changed(void *user)
{
	struct table_view *v = user;

	restore_sort(v);
	/* it may be valid with more columns */
	if (v->chosen.filter && v->note.trouble[0])
		apply_filter(v);
	list_set_count(&v->list, v->table.shown);
	table_view_arrange(v);
	if (v->in && v->in->generation == v->generation)
		table_view_take_sheet(v, &(struct view_env){ .in = v->in });
}

/* Return how many arrays the title offers to join: those that are shown one by one. */
static size_t
count_joinable(const struct table_view *v, const struct view_env *env)
{
	struct sheet_wish wish;
	struct buf pointer = BUF_INIT;
	bool apart = v->table.kind == TABLE_RECORD || v->table.kind == TABLE_SCALARS;
	size_t count =
	    apart && v->levels.len == 0 ? table_arrays_alike(env->in->value, &wish, &pointer) : 0;

	buf_finish(&pointer);
	return count;
}

/* Keep the position if the same table was shown before. */
void
table_view_show(struct table_view *v, const struct view_env *env, size_t spot)
{
	const struct table_level *level = table_view_level(v);
	struct row_set selected = v->table.selected;

	v->table.selected = (struct row_set){ 0 };
	table_finish(&v->table);
	v->slots.len = 0;
	v->spot = spot;
	v->wanted = 0;
	v->record.open &= spot < v->spots.len;
	v->table.selected = selected;
	if (spot >= v->spots.len) {
		table_select_none(&v->table);
		return;
	}
	const char *pointer = v->spots.items[spot].pointer;
	bool again = v->chosen.at && strcmp(v->chosen.at, pointer) == 0;
	if (!again) {
		forget(v);
		free(v->chosen.at);
		v->chosen.at = mem_strdup(pointer);
		table_select_none(&v->table);
	}
	selected = v->table.selected;
	bool is_joined = level && level->is_joined;
	table_begin(&v->table, &v->spots.items[spot],
	    &(struct table_options){ .root_schema = env->in->schema,
		.docs = { level && level->doc ? level->doc : env->in->docs[0], env->in->docs[1] },
		.jobs = env->in->jobs,
		.keeps_empty = v->chosen.keeps_empty,
		.heading = v->chosen.heading,
		.folded = v->chosen.folded.items,
		.folded_count = v->chosen.folded.len,
		.is_inner = level != NULL,
		.arrays = is_joined ? json_pointer_find(env->in->value, pointer) : NULL,
		.changed = on_changed,
		.user = v });
	v->table.selected = selected;
	v->marked = SIZE_MAX;
	table_set_report(&v->table, env->in->report);
	v->beside = level ? 0 : table_beside_count(v, env->in->value);
	v->alike = count_joinable(v, env);
	measure_labels(v);
	restore_sort(v);
	v->note = (struct filter_note){ .at = 0 };
	if (v->chosen.filter)
		apply_filter(v);
	list_set_count(&v->list, v->table.shown);
	if (!again)
		list_select(&v->list, 0);
	if (!again || v->column >= v->table.columns.len)
		v->column = v->first = 0;
	v->record.open = table_is_card(v) || (v->record.open && again);
	if (!again || v->record.field >= v->table.columns.len)
		v->record.field = v->record.top = 0;
	table_view_arrange(v);
	int all = table_columns_width(v, COLUMNS_WANTED_MAX); /* before table_fit() */
	v->wanted = all < COLUMNS_WANTED_MAX ? all : COLUMNS_WANTED_MAX;
}

/* ---- levels: tables opened from another one: a value in a row, a sheet, or a group of rows ----
 */

/* Add a spot, to be shown next, and the level for the way back. Takes ownership of both. */
static void
push_level(struct table_view *v, struct table_level level, struct table_spot spot)
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

/* Open the selected value as a table. False if it is not a table. A node of a lazy array is copied,
 * because it lives only as long as the table, unless the report keeps its row. */
static bool
enter_value(struct table_view *v, const struct view_env *env)
{
	const struct table *t = &v->table;
	size_t row = t->order[v->list.selected];
	size_t column = v->record.open ? v->record.field : v->column;
	struct table_spot spot = { .schema = t->columns.items[column].schema };
	struct table_level level = { .doc = NULL };
	struct buf pointer = BUF_INIT, text = BUF_INIT;
	struct table_spots inside;

	const cJSON *node = table_view_selected(v, env, &pointer);
	shape_find(&inside, node, NULL);
	bool enters = json_first(node) && inside.len > 0 && *inside.items[0].pointer == '\0';
	if (enters)
		spot.kind = inside.items[0].kind;
	shape_finish(&inside);
	if (enters && (t->rows || (t->report && report_item(t->report, t->node, row)))) {
		spot.node = node;
	} else if (enters) {
		json_print(&text, node);
		level.doc = json_parse(buf_text(&text), text.len, NULL, NULL);
		spot.node = level.doc ? json_root(level.doc) : NULL;
	}
	buf_finish(&text);
	if (!spot.node) {
		buf_finish(&pointer);
		return false;
	}
	spot.pointer = buf_detach(&pointer);
	if (!level.doc && v->levels.len > 0)
		level.doc = json_doc_ref(table_view_level(v)->doc);
	push_level(v, level, spot);
	table_view_show(v, env, v->spots.len - 1);
	return true;
}

/* Does not show the outer table. */
static void
pop_level(struct table_view *v)
{
	struct table_level *level = &v->levels.items[--v->levels.len];

	forget(v);
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

/* Return to the table in which this one was opened. */
static void
leave(struct table_view *v, const struct view_env *env)
{
	table_finish(&v->table);
	pop_level(v);
	table_view_show(v, env, v->spot);
}

void
table_view_drop_levels(struct table_view *v)
{
	while (v->levels.len > 0)
		pop_level(v);
}

/* ---- sheets ---- */

void
table_view_take_sheet(struct table_view *v, const struct view_env *env)
{
	static const char *const names[] = { "statistics", "frequency of", "groups of",
		"transposed", "joined" };
	struct sheet *s = v->table.sheet;
	struct buf trail = BUF_INIT;

	if (!s)
		return;
	v->table.sheet = NULL;
	buf_add_str(&trail, names[s->kind]);
	for (size_t i = 0; i < s->column_count; i++)
		buf_addf(&trail, "%s%s", i > 0 ? ", " : " ", s->columns[i]);
	if (s->pointer && *s->pointer)
		buf_addf(&trail, " %s", s->pointer);
	struct table_level level = { .doc = json_doc_ref(s->doc),
		.sheet = s,
		.trail = buf_detach(&trail),
		.is_joined = s->pointer != NULL };
	struct table_spot spot = { .node = json_root(s->doc),
		.kind = s->shape,
		.pointer = mem_strdup(s->pointer ? s->pointer : "") };
	push_level(v, level, spot);
	table_view_show(v, env, v->spots.len - 1);
}

/* ---- Enter and Esc in a sheet ---- */

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

/* Add `role = "admin" and age = 3`, a filter that also applies to the table around the sheet. False
 * if a filter cannot express the group. */
static bool
add_group_filter(const struct table_view *v, const struct sheet *s, struct buf *out)
{
	const struct table *t = &v->table;
	size_t row = t->order[v->list.selected];

	for (size_t i = 0; i < s->column_count; i++) {
		size_t column = table_find_column(t, s->columns[i]);
		if (column == SIZE_MAX)
			return false;
		const char *text = cJSON_GetStringValue(table_cell(t, row, column));
		if (text && strlen(text) > LABEL_BYTES) /* the sheet has only a part of it */
			return false;
		buf_add_str(out, i > 0 ? " and " : "");
		if (!table_filter_of_cell(t, row, column, false, out))
			return false;
	}
	return true;
}

/* Filter the table around the sheet for the rows of the group. */
static void
enter_group(struct table_view *v, const struct view_env *env, const char *condition)
{
	const struct table_level *at = table_view_level(v);
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
	push_level(v, level, spot);
	v->chosen = chosen;
	v->table.selected = selected;
	v->column = column;
	table_view_show(v, env, v->spots.len - 1);
	table_view_add_condition(v, condition);
	table_view_level(v)->group = mem_strdup(v->chosen.filter);
}

/* Enter on a row of a sheet. */
static bool
enter_sheet_row(struct table_view *v, const struct view_env *env)
{
	const struct table_level *at = table_view_level(v);
	const struct sheet *s = at ? at->sheet : NULL;
	struct buf condition = BUF_INIT;

	if (!s || v->record.open)
		return false;
	bool is_group = s->column_count > 0 && add_group_filter(v, s, &condition);
	bool is_column = s->kind == SHEET_STATISTICS;
	if (is_group) {
		enter_group(v, env, buf_text(&condition));
	} else if (is_column) {
		const cJSON *row = table_row(&v->table, v->table.order[v->list.selected]);
		char *name = mem_strdup(json_get_string(row, "column"));
		leave(v, env); /* frees the sheet */
		table_view_choose_column(v, name ? name : "", env);
		free(name);
	}
	buf_finish(&condition);
	return is_group || is_column;
}

bool
table_view_escape(struct table_view *v, const struct view_env *env)
{
	const struct table_level *at = table_view_level(v);
	const char *group = at ? at->group : NULL, *filter = v->chosen.filter;

	if (v->table.sheet_job)
		job_drop(&v->table.sheet_job);
	else if (group && filter && strcmp(filter, group) != 0)
		table_view_filter(v, group);
	else if (group || (at && !filter))
		leave(v, env);
	else
		return false;
	return true;
}

/* ---- the value ---- */

static bool
has_records(const struct table_spots *spots, size_t best)
{
	return best < spots->len && spots->items[best].kind != TABLE_SCALARS;
}

/* Show the same array as before if the new value has it, so that a second call keeps the position.
 */
static void
table_sync(void *state, const struct view_env *env)
{
	struct table_view *v = state;
	const cJSON *value = env->in->value;

	drop(v);
	table_select_none(&v->table);
	if (v->chosen.filter && strcasestr(v->chosen.filter, "@selected")) {
		free(v->chosen.filter); /* its rows are those of the previous value */
		v->chosen.filter = NULL;
	}
	if (env->in->source != v->source)
		forget(v);
	v->source = env->in->source;
	v->in = env->in;
	v->generation = env->in->generation;
	shape_find(&v->spots, value, env->in->schema);
	size_t spot = shape_best(&v->spots);
	if (v->cards && cJSON_IsObject(value) && json_count(value) > 0) {
		/* the object itself is a spot too */
		spot = has_records(&v->spots, spot) ? spot + 1 : 0;
		VEC_PUSH(&v->spots);
		memmove(v->spots.items + 1, v->spots.items,
		    (v->spots.len - 1) * sizeof(*v->spots.items));
		v->spots.items[0] = (struct table_spot){ .node = value,
			.schema = env->in->schema,
			.kind = TABLE_RECORD,
			.pointer = mem_strdup("") };
	}
	for (size_t i = 0; v->chosen.at && i < v->spots.len; i++)
		if (strcmp(v->spots.items[i].pointer, v->chosen.at) == 0)
			spot = i;
	table_view_show(v, env, spot);
}

static void
on_report(void *state, const struct view_env *env)
{
	struct table_view *v = state;

	table_set_report(&v->table, env->in->report);
}

static int
table_want(void *state, const struct view_env *env, int width)
{
	struct table_view *v = state;

	if (env->printed)
		return (int)(v->table.shown > 0 ? v->table.shown : 1) + 1 +
		       (v->beside > 0 ? (int)v->beside + 1 : 0);
	int rows =
	    v->record.open ? (int)v->table.columns.len + 2 : table_lines(v, WANTED_LINES) + 2;
	return rows + (v->beside > 0 ? 1 + table_beside_rows(v, BESIDE_WANTED) : 0);
}

static int
columns(const void *state)
{
	return ((const struct table_view *)state)->wanted;
}

/* Add "columns 5–9 of 30", without the frozen columns. */
static void
add_columns_seen(const struct table_view *v, struct buf *facts)
{
	size_t from = v->frozen_slots;

	if (v->slots.len <= from || (v->first == 0 && !v->cut_right))
		return;
	size_t first = v->slots.items[from].place, last = v->slots.items[v->slots.len - 1].place;
	buf_addf(facts, first == last ? " · column %zu" : " · columns %zu", first + 1);
	if (first != last)
		buf_addf(facts, "–%zu", last + 1);
	buf_addf(facts, " of %zu", v->table.place_count);
}

/* Add "users ▸ frequency of role ▸ group": the sheets, the groups, and the pointers between. */
static void
add_trail(const struct table_view *v, struct buf *out)
{
	for (size_t i = 0; i <= v->levels.len; i++) {
		const struct table_level *next = i < v->levels.len ? &v->levels.items[i] : NULL;
		const char *trail = i > 0 ? v->levels.items[i - 1].trail : NULL;
		if (next && !next->trail && !trail) /* its pointer begins with this one */
			continue;
		const char *pointer = v->spots.items[next ? next->spot : v->spot].pointer;
		if (!trail && *pointer)
			trail = strchr(pointer + 1, '/') ? pointer : pointer + 1;
		if (trail)
			buf_addf(out, "%s%s", out->len > 0 ? " ▸ " : "", trail);
	}
}

static enum role
table_view_heading(void *state, const struct view_env *env, struct buf *title, struct buf *facts)
{
	struct table_view *v = state;
	const struct table_level *level = table_view_level(v);
	bool is_record = v->table.kind == TABLE_RECORD;
	bool narrowed = v->table.shown != v->table.row_count - v->table.heading && !is_record &&
			!v->record.open;

	if (v->table.selected.count > 0) { /* first, because the end may be cut */
		units_add_count(facts, v->table.selected.count);
		buf_add_str(facts, " selected · ");
	}
	if (!narrowed) /* else the number of rows left is first, because the filter needs space */
		buf_add_str(facts, table_is_card(v) ? "card" : v->record.open ? "record" : "table");
	if (v->spot >= v->spots.len)
		return ROLE_DIM;
	add_trail(v, title);
	if (is_record) {
		buf_addf(
		    facts, " · %zu field%s", v->table.columns.len, plural(v->table.columns.len));
		if (v->alike > 0)
			buf_addf(facts, " · Alt-J joins %zu arrays", v->alike);
		return ROLE_DIM;
	}
	if (v->record.open) {
		buf_add_str(facts, table_is_card(v) ? " · " : " · row ");
		units_add_count(facts, v->list.selected + 1);
		buf_add_str(facts, " of ");
		units_add_count(facts, v->table.shown);
		buf_add_str(facts, " ←→");
		return ROLE_DIM;
	}
	if (narrowed)
		units_add_count(facts, v->table.shown);
	buf_add_str(facts, narrowed ? " of " : " · ");
	units_add_count(facts, v->table.row_count - v->table.heading);
	buf_addf(facts, " × %zu%s", v->table.place_count, v->table.more_columns ? "+" : "");
	if (v->table.place_count < v->table.columns.len)
		buf_addf(facts, " +%zu hidden", v->table.columns.len - v->table.place_count);
	if (v->table.heading)
		buf_add_str(facts, " below a heading");
	if (v->table.empty)
		buf_addf(facts, " +%zu empty", v->table.empty_count);
	if (level && level->sheet && level->sheet->note)
		buf_addf(facts, " · %s", level->sheet->note);
	if (v->width > 0) /* for the columns that will be drawn */
		table_fit(v, env, v->width);
	add_columns_seen(v, facts);
	if (v->list.height > 0 && v->table.shown > (size_t)v->list.height) {
		buf_add_str(facts, " · row ");
		units_add_count(facts, v->list.selected + 1);
	}
	if (v->spots.len > 1 && v->levels.len == 0)
		buf_addf(facts, " · %zu of %zu tables", v->spot + 1, v->spots.len);
	if (v->alike > 0)
		buf_addf(facts, " · Alt-J joins %zu arrays", v->alike);
	unsigned percent;
	const char *work = table_progress(&v->table, &percent);
	if (work)
		buf_addf(facts, " · %s %u %%", work, percent);
	return ROLE_DIM;
}

static struct table *
shown_table(void *state, size_t *column)
{
	struct table_view *v = state;

	*column = v->record.open ? v->record.field : v->column;
	return v->spot < v->spots.len ? &v->table : NULL;
}

static void
order(const void *state, struct buf *out)
{
	const struct table_view *v = state;
	const struct table *t = &v->table;

	for (size_t i = 0; v->spot < v->spots.len && i < t->key_count; i++)
		buf_addf(out, "%s%s%s", i > 0 ? " " : "", t->columns.items[t->keys[i].column].name,
		    t->keys[i].descending ? "▼" : "▲");
}

static void
turn(void *state, const struct view_env *env)
{
	struct table_view *v = state;

	if (v->spot >= v->spots.len || v->table.key_count == 0)
		return;
	v->column = v->table.keys[0].column;
	table_view_turn_column(v, v->column, v->table.key_count > 1);
	list_select(&v->list, 0);
}

static const char *
filtered(const void *state)
{
	const struct table_view *v = state;

	if (v->spot >= v->spots.len || v->table.kind == TABLE_RECORD)
		return NULL;
	return v->chosen.filter ? v->chosen.filter : "";
}

static const struct filter_note *
filter_note(const void *state)
{
	const struct table_view *v = state;

	return &v->note;
}

static void
filter(void *state, const struct view_env *env, const char *text)
{
	struct table_view *v = state;

	table_view_filter(v, text);
	list_select(&v->list, 0);
}

/* Open the record of a row, or a value that is a table. */
static bool
open_selected(void *state, const struct view_env *env)
{
	struct table_view *v = state;

	if (v->spot >= v->spots.len || v->list.selected >= v->table.shown)
		return false;
	if (enter_sheet_row(v, env) || enter_value(v, env))
		return true;
	if (v->record.open || v->table.columns.len == 1)
		return false;
	v->record.open = true;
	v->record.field = v->column;
	v->record.top = 0;
	return true;
}

static bool
table_is_open(const void *state)
{
	const struct table_view *v = state;

	return (v->record.open && !v->cards) || v->levels.len > 0;
}

/* A row is copied as JSON; a column as a line for each row shown, up to COPY_MAX bytes. */
static void
table_view_copy(void *state, const struct view_env *env, const char *part, struct buf *out)
{
	enum { COPY_MAX = 8 << 20 };
	struct table_view *v = state;
	const struct table *t = &v->table;

	if (v->list.selected >= t->shown || v->column >= t->columns.len)
		return;
	if (strcmp(part, "row") == 0) {
		json_print(out, table_row(t, t->order[v->list.selected]));
		return;
	}
	for (size_t i = 0; i < t->shown && out->len < COPY_MAX; i++) {
		const cJSON *cell = table_cell(t, t->order[i], v->column);
		const char *text = cJSON_GetStringValue(cell);
		if (text)
			buf_add_str(out, text);
		else if (cell)
			json_print(out, cell);
		buf_add_char(out, '\n');
	}
}

static bool
part(const void *state, struct view_part *out)
{
	const struct table_view *v = state;
	const struct table_level *at = table_view_level(v);

	if (!at || v->spot >= v->spots.len)
		return false;
	const struct table_spot *spot = &v->spots.items[v->spot];
	*out = (struct view_part){ .spot = spot,
		.doc = at->doc,
		.name = at->trail ? at->trail : spot->pointer,
		.filter = v->chosen.filter };
	return true;
}

const struct view_ops view_table = {
	.title = "table",
	.help = "arrays as rows and columns",
	.state_size = sizeof(struct table_view),
	.finish = table_view_finish,
	.serves = serves,
	.sync = table_sync,
	.on_report = on_report,
	.want = table_want,
	.columns = columns,
	.copy = table_view_copy,
	.heading = table_view_heading,
	.draw = table_view_draw,
	.key = table_view_key,
	.reveal = table_view_reveal,
	.selected = table_view_selected,
	.open = open_selected,
	.is_open = table_is_open,
	.filtered = filtered,
	.filter = filter,
	.seek = table_view_seek,
	.filter_note = filter_note,
	.actions = table_view_actions,
	.hint = table_view_hint,
	.order = order,
	.turn = turn,
	.table = shown_table,
	.part = part,
};

/* ---- cards: a table view that shows one record at a time ---- */

static int
cards_serve(const struct view_env *env)
{
	struct table_spots spots;
	size_t members = cJSON_IsObject(env->in->value) ? json_count(env->in->value) : 0;

	shape_find(&spots, env->in->value, env->in->schema);
	bool rows = has_records(&spots, shape_best(&spots));
	shape_finish(&spots);
	if (rows)
		return 4;
	return members > MEMBERS_MAX ? 4 : members > 0 ? 8 : 0;
}

static void
cards_init(void *state)
{
	((struct table_view *)state)->cards = true;
}

/* If printed, all cards follow one another. */
static int
cards_want(void *state, const struct view_env *env, int width)
{
	enum { MOST = 1000 };
	struct table_view *v = state;
	int rows = 0;

	if (v->spot >= v->spots.len || v->table.shown == 0)
		return 1;
	if (!v->record.open)
		return table_want(state, env, width);
	if (!env->printed)
		return 2 + table_record_rows(v, v->table.order[v->list.selected], width, MOST) +
		       (v->beside > 0 ? 1 + table_beside_rows(v, BESIDE_WANTED) : 0);
	rows = (int)v->beside;
	for (size_t i = 0; i < v->table.shown && rows < INT_MAX / 2; i++)
		rows += APART + table_record_rows(v, v->table.order[i], width, INT_MAX);
	return rows;
}

static void
cards_draw(void *state, const struct view_env *env, struct surface s)
{
	struct table_view *v = state;
	int y = 0;

	if (v->spot >= v->spots.len) {
		surface_text(s, 0, 0, -1, style_of(ROLE_HINT),
		    "this value has no records: v shows it as a tree");
		return;
	}
	if (!env->printed) {
		table_view_draw(state, env, s);
		return;
	}
	for (size_t i = 0; i < v->table.shown && y < s.height; i++) {
		int rows = table_record_rows(v, v->table.order[i], s.width, INT_MAX);
		list_select(&v->list, i);
		table_record_draw(v, env, surface_sub(s, 0, y, s.width, rows));
		y += rows + APART;
	}
	table_beside_draw(v, env, surface_sub(s, 0, y, s.width, (int)v->beside));
}

const struct view_ops view_cards = {
	.title = "cards",
	.help = "one record a page: a row, or an object",
	.state_size = sizeof(struct table_view),
	.actions = table_view_actions,
	.hint = table_view_hint,
	.init = cards_init,
	.finish = table_view_finish,
	.serves = cards_serve,
	.sync = table_sync,
	.on_report = on_report,
	.want = cards_want,
	.heading = table_view_heading,
	.order = order,
	.turn = turn,
	.draw = cards_draw,
	.key = table_view_key,
	.reveal = table_view_reveal,
	.selected = table_view_selected,
	.open = open_selected,
	.is_open = table_is_open,
	.filtered = filtered,
	.filter_note = filter_note,
	.filter = filter,
	.table = shown_table,
};

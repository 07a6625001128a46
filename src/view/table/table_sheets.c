/* SPDX-License-Identifier: MIT */
#include "base/glyph.h"
#include "base/mem.h"
#include "base/vec.h"
#include "json/pointer.h"
#include "json/print.h"
#include "schema/report.h"
#include "table_view.h"

#include <stdlib.h>
#include <string.h>

/* Tables opened from another table: a value in a row, a sheet, or a group of rows. */

/* Return whether the value itself, not one of its members, is a table. */
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

/* Copy a node of a lazy array, because it lives only as long as the table, unless the report keeps
 * its row. */
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

bool
table_sheet_enter(struct table_view *v, const struct view_env *env)
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
		table_view_leave(v, env); /* frees the sheet */
		table_view_choose_column(v, name ? name : "", env);
		free(name);
	}
	buf_finish(&condition);
	return is_group || is_column;
}

bool
table_sheet_escape(struct table_view *v, const struct view_env *env)
{
	const struct table_level *at = table_view_level(v);
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

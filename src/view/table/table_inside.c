#include "base/mem.h"
#include "base/vec.h"
#include "json/print.h"
#include "schema/report.h"
#include "table_view.h"

#include <stdlib.h>

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

void
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

#include "json/print.h"
#include "tree_view.h"

/* Bytes of a folded container shown on its line. */
#define BRIEF_BYTES 300

static int
draw_name(const struct tree_view *v, struct surface s, int x, int y, const struct tree_row *row)
{
	if (row->parent == TREE_NO_ROW)
		return 0;
	if (json_type(v->rows.items[row->parent].node) == JSON_ARRAY)
		return surface_textf(s, x, y, -1, style_of(ROLE_DIM), "%u", row->index) + 2;
	const char *name = row->is_missing ? row->missing : row->node->string;
	return surface_text(s, x, y, s.width / 2, style_of(ROLE_KEY_NAME), name) + 2;
}

static void
draw_container(const struct view_env *env, struct surface s, int x, int y,
    const struct tree_row *row, struct style style)
{
	size_t n = json_count(row->node);
	bool array = json_type(row->node) == JSON_ARRAY;
	size_t below = env->in->report ? report_count_below(env->in->report, row->node) : 0;

	if (n == 0) {
		surface_text(s, x, y, -1, style, array ? "[] empty" : "{} empty");
		return;
	}
	x += surface_textf(s, x, y, -1, style, array ? "[%zu]" : "{%zu}", n) + 1;
	if (below > 0)
		x += surface_textf(s, x, y, -1, style_of(ROLE_ERROR), "✗%zu", below) + 1;
	if (row->open)
		return;
	struct buf brief = BUF_INIT;
	json_print_brief(&brief, row->node, BRIEF_BYTES);
	surface_textn(s, x, y, -1, style_of(ROLE_HINT), buf_text(&brief), brief.len);
	buf_finish(&brief);
}

static void
draw_row(
    const struct tree_view *v, const struct view_env *env, struct surface s, int y, size_t index)
{
	const struct tree_row *row = &v->rows.items[index];
	const cJSON *node = tree_row_node(row);
	int x = row->depth * TREE_INDENT;

	surface_spot(s, -1, y);
	if (index == v->list.selected)
		surface_select_row(s, y, env->focused);
	if (json_count(node) > 0)
		surface_text(s, x, y, 1, style_of(ROLE_DIM), row->open ? "▾" : "▸");
	x += 2;
	if (row->is_rest) {
		surface_textf(s, x, y, -1, style_of(ROLE_HINT), "… %zu more: the table shows all",
		    json_count(row->node) - row->index);
		return;
	}
	x += draw_name(v, s, x, y, row);
	if (!node) {
		surface_text(s, x, y, -1, style_on(ROLE_ERROR_CELL, ROLE_ERROR_CELL), "⟨missing⟩");
		return;
	}
	uint32_t ground = view_ground(env->in->report, node);
	if (json_type(node) == JSON_OBJECT || json_type(node) == JSON_ARRAY)
		draw_container(env, s, x, y, row, view_style(node, ground));
	else
		view_value(s, x, y, -1, node, ground);
}

void
tree_view_draw(void *state, const struct view_env *env, struct surface s)
{
	struct tree_view *v = state;

	list_set_height(&v->list, s.height);
	for (int y = 0; y < s.height && v->list.top + (size_t)y < v->rows.len; y++)
		draw_row(v, env, s, y, v->list.top + (size_t)y);
	surface_scrollbar(s, env->focused, v->rows.len, v->list.top);
}

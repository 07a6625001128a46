#include "render/render.h"

#include "base/glyph.h"
#include "json/number.h"
#include "json/pointer.h"
#include "json/print.h"
#include "model/shape.h"
#include "ui/list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Columns at the left for the mark of a row with violations, and between columns. */
#define GUTTER 2
#define GAP 2

struct table_view {
	struct table_spots spots;
	size_t spot; /* == spots.len: none */
	struct table table;
	struct list list;    /* over the rows shown */
	size_t column;       /* selected */
	size_t first_column; /* leftmost on the screen */
	char *at;            /* pointer of the array shown, kept over results */
	int widest;          /* of the row labels of a map */
	int last_width;
};

static void
drop(struct table_view *v)
{
	table_finish(&v->table);
	shape_finish(&v->spots);
	v->spot = 0;
}

static void
table_view_finish(void *state)
{
	struct table_view *v = state;

	drop(v);
	free(v->at);
}

static int
claim(const struct render_input *in)
{
	struct table_spots spots;

	shape_find(&spots, in->value, in->schema);
	size_t best = shape_best(&spots);
	int claims = 0;
	if (best < spots.len)
		claims = spots.items[best].kind == TABLE_SCALARS ? 1 : 10;
	shape_finish(&spots);
	return claims;
}

static void
measure_labels(struct table_view *v)
{
	v->widest = 0;
	for (size_t i = 0; v->table.kind == TABLE_MAP && i < v->table.row_count; i++) {
		const char *key = table_row_key(&v->table, i);
		int width = (int)glyph_columns(key, strlen(key));
		v->widest = width > v->widest ? width : v->widest;
	}
	if (v->widest > 30)
		v->widest = 30;
}

static void
show_spot(struct table_view *v, const struct render_env *env, size_t spot)
{
	table_finish(&v->table);
	v->spot = spot;
	if (spot >= v->spots.len)
		return;
	free(v->at);
	v->at = strdup(v->spots.items[spot].pointer);
	table_init(&v->table, &v->spots.items[spot], env->in->schema);
	measure_labels(v);
	list_set_count(&v->list, v->table.shown);
	if (v->column >= v->table.columns.len)
		v->column = 0;
	if (v->first_column > v->column)
		v->first_column = v->column;
}

/* The same array as before when it is there again, so that a second call does not lose the place.
 */
static void
sync(void *state, const struct render_env *env)
{
	struct table_view *v = state;

	drop(v);
	shape_find(&v->spots, env->in->value, env->in->schema);
	size_t spot = shape_best(&v->spots);
	for (size_t i = 0; v->at && i < v->spots.len; i++)
		if (strcmp(v->spots.items[i].pointer, v->at) == 0)
			spot = i;
	show_spot(v, env, spot);
}

/* ---- drawing ---- */

static bool
is_numeric(const cJSON *cell)
{
	return json_type(cell) == JSON_NUMBER;
}

/* A number so that the points of a column stand under each other. */
static void
draw_number(
    struct surface s, int x, int y, const struct column *c, const cJSON *cell, uint32_t ground)
{
	char buffer[JSON_NUMBER_TEXT_MAX];
	const char *text = json_number_text(cell, buffer);
	const char *point = strpbrk(text, "eE") ? NULL : strchr(text, '.');
	int len = (int)strlen(text);
	int after = point ? len - (int)(point - text) : 0;
	int pad = c->width - len - (c->fraction > after ? c->fraction - after : 0);

	render_value(s, x + (pad > 0 ? pad : 0), y, c->width, cell, ground);
}

struct cell_marks {
	uint32_t ground; /* ROLE_NONE: nothing is wrong */
	bool missing;
};

static struct cell_marks
marks_of(const struct table_view *v, const struct report *report, size_t row, size_t column,
    const cJSON *cell)
{
	struct cell_marks m = { .ground = ROLE_NONE };
	const struct column *c = &v->table.columns.items[column];

	if (!report)
		return m;
	size_t index = REPORT_NONE;
	if (cell) {
		index = report_find(report, cell);
		if (index == REPORT_NONE && report_count_below(report, cell) > 0)
			m.ground = ROLE_ERROR_CELL;
	} else if (c->depth > 0 && v->table.kind != TABLE_ARRAYS) {
		const cJSON *holder = table_holder(&v->table, row, column);
		if (holder)
			index = report_find_missing(report, holder, c->path[c->depth - 1]);
		m.missing = index != REPORT_NONE;
	}
	if (index != REPORT_NONE)
		m.ground = report_at(report, index)->warning ? ROLE_WARNING_CELL : ROLE_ERROR_CELL;
	return m;
}

static void
draw_cell(const struct table_view *v, const struct render_env *env, struct surface s, int x, int y,
    size_t row, size_t column)
{
	const struct column *c = &v->table.columns.items[column];
	const cJSON *cell = table_cell(&v->table, row, column);
	struct cell_marks m = marks_of(v, env->in->report, row, column, cell);
	bool cursor =
	    env->focused && column == v->column && v->table.order[v->list.selected] == row;
	uint8_t attr = cursor && m.ground != ROLE_NONE ? ATTR_REVERSE : 0;

	if (cursor && m.ground == ROLE_NONE)
		m.ground = ROLE_CURSOR;
	if (m.ground != ROLE_NONE)
		surface_repeat(s, x, y, c->width, style_on(m.ground, m.ground), ' ');
	if (m.missing)
		surface_text(s, x, y, c->width < 9 ? 9 : c->width,
		    style_on(ROLE_ERROR_CELL, ROLE_ERROR_CELL), "⟨missing⟩");
	else if (!cell && c->depth > 0)
		surface_text(
		    s, c->numeric ? x + c->width - 1 : x, y, 1, style_of(ROLE_ABSENT), "·");
	else if (is_numeric(cell))
		draw_number(s, x, y, c, cell, m.ground);
	else if (c->numeric && cell) {
		struct buf text = BUF_INIT;
		enum role ink = m.ground != ROLE_NONE ? m.ground : render_value_role(cell);
		render_value_text(cell, &text);
		surface_text_right(
		    s, x + c->width, y, c->width, style_on(ink, m.ground), buf_text(&text));
		buf_finish(&text);
	} else if (cell) {
		render_value(s, x, y, c->width, cell, m.ground);
	}
	if (m.ground != ROLE_NONE)
		surface_restyle(s, x, y, c->width, m.ground, attr);
}

static int
label_width(const struct table_view *v)
{
	return v->table.kind == TABLE_MAP ? v->widest + GAP : 0;
}

/* How wide a column is on the screen: a ⟨missing⟩ needs room though no value does. */
static int
column_width(const struct table_view *v, size_t column)
{
	return v->table.columns.items[column].width;
}

/* Moves the leftmost column so that the selected one is seen whole where that is possible. */
static void
keep_column_in_sight(struct table_view *v, int width)
{
	int room = width - GUTTER - label_width(v);

	if (v->column < v->first_column)
		v->first_column = v->column;
	for (;;) {
		int needed = 0;
		for (size_t i = v->first_column; i <= v->column && i < v->table.columns.len; i++)
			needed += column_width(v, i) + GAP;
		if (needed - GAP <= room || v->first_column >= v->column)
			return;
		v->first_column++;
	}
}

static void
draw_head(const struct table_view *v, struct surface s, bool focused)
{
	int x = GUTTER + label_width(v);
	struct style style = style_of(ROLE_COLUMN);

	style.attr = ATTR_BOLD;
	for (size_t i = v->first_column; i < v->table.columns.len && x < s.width; i++) {
		const struct column *c = &v->table.columns.items[i];
		if (c->numeric)
			surface_text_right(s, x + c->width, 0, c->width, style, c->name);
		else
			surface_text(s, x, 0, c->width, style, c->name);
		if (v->table.sorted_by == i)
			surface_text(s, x + c->width, 0, 1, style_of(ROLE_ACCENT),
			    v->table.descending ? "▼" : "▲");
		if (i == v->column && focused)
			surface_restyle(s, x, 0, c->width, ROLE_NONE, ATTR_UNDERLINE);
		x += c->width + GAP;
	}
	if (v->first_column > 0)
		surface_text(s, 0, 0, 1, style_of(ROLE_ACCENT), "‹");
	if (x - GAP > s.width)
		surface_text(s, s.width - 1, 0, 1, style_of(ROLE_ACCENT), "›");
}

static void
draw_row(
    const struct table_view *v, const struct render_env *env, struct surface s, int y, size_t shown)
{
	size_t row = v->table.order[shown];
	bool selected = shown == v->list.selected;
	int x = GUTTER;

	if (selected)
		surface_select_row(s, y, env->focused);
	if (env->in->report && report_count_below(env->in->report, v->table.rows[row]) > 0)
		surface_text(s, 0, y, 1, style_of(ROLE_ERROR), "✗");
	if (v->table.kind == TABLE_MAP)
		surface_text(
		    s, x, y, v->widest, style_of(ROLE_KEY_NAME), table_row_key(&v->table, row));
	x += label_width(v);
	for (size_t i = v->first_column; i < v->table.columns.len && x < s.width; i++) {
		draw_cell(v, env, s, x, y, row, i);
		x += v->table.columns.items[i].width + GAP;
	}
}

/* The scalars beside the array ("total 3") belong to the same object: shown below it on one line.
 */
static bool
draw_siblings(const struct table_view *v, const struct render_env *env, struct surface s, int y)
{
	const char *pointer = v->spots.items[v->spot].pointer;
	const char *slash = strrchr(pointer, '/');
	char *parent = slash ? strndup(pointer, (size_t)(slash - pointer)) : NULL;
	const cJSON *object = parent ? json_pointer_find(env->in->value, parent) : NULL;
	int x = GUTTER;
	bool any = false;

	for (const cJSON *m = json_first(object); m && x < s.width; m = m->next) {
		if (json_type(m) == JSON_ARRAY || json_type(m) == JSON_OBJECT)
			continue;
		any = true;
		if (y < 0)
			break;
		uint32_t ground = env->in->report && report_find(env->in->report, m) != REPORT_NONE
				      ? ROLE_ERROR_CELL
				      : ROLE_NONE;
		x += surface_text(s, x, y, s.width - x, style_of(ROLE_DIM), m->string) + 2;
		x += render_value(s, x, y, s.width - x, m, ground) + 4;
	}
	free(parent);
	return any;
}

static void
draw(void *state, const struct render_env *env, struct surface s)
{
	struct table_view *v = state;

	if (v->spot >= v->spots.len) {
		surface_text(s, 0, 0, -1, style_of(ROLE_HINT),
		    "no array in this value: v shows it as a tree");
		return;
	}
	bool siblings = s.height >= 4 && draw_siblings(v, env, s, -1);
	int rows = s.height - 1 - siblings;
	v->last_width = s.width;
	list_set_height(&v->list, rows);
	keep_column_in_sight(v, s.width);
	draw_head(v, s, env->focused);
	struct surface body = surface_sub(s, 0, 1, s.width, rows > 0 ? rows : 0);
	for (int y = 0; y < rows && v->list.top + (size_t)y < v->table.shown; y++)
		draw_row(v, env, body, y, v->list.top + (size_t)y);
	if (v->table.shown == 0)
		surface_text(body, GUTTER, 0, -1, style_of(ROLE_HINT),
		    v->table.filter ? "no row matches the filter: / and Enter show all"
				    : "no rows: the array is empty");
	surface_scrollbar(body, env->focused, v->table.shown, v->list.top);
	if (siblings)
		draw_siblings(v, env, s, s.height - 1);
}

static int
want(void *state, const struct render_env *env, int width)
{
	struct table_view *v = state;
	(void)env, (void)width;

	return v->table.shown > 1000 ? 1000 : (int)v->table.shown + 3;
}

static void
heading(void *state, const struct render_env *env, struct buf *where, struct buf *facts)
{
	struct table_view *v = state;
	(void)env;

	buf_add_str(facts, "table");
	if (v->spot >= v->spots.len)
		return;
	const char *pointer = v->spots.items[v->spot].pointer;
	if (*pointer)
		buf_add_str(
		    where, pointer[0] == '/' && !strchr(pointer + 1, '/') ? pointer + 1 : pointer);
	if (v->table.shown != v->table.row_count)
		buf_addf(facts, " · %zu of", v->table.shown);
	else
		buf_add_str(facts, " ·");
	buf_addf(facts, " %zu × %zu%s", v->table.row_count, v->table.columns.len,
	    v->table.more_columns ? "+" : "");
	if (v->table.shown > (size_t)v->list.height && v->list.height > 0)
		buf_addf(facts, " · row %zu", v->list.selected + 1);
	if (v->spots.len > 1)
		buf_addf(facts, " · %zu of %zu tables", v->spot + 1, v->spots.len);
}

/* ---- moving ---- */

static void
move_column(struct table_view *v, int by)
{
	size_t count = v->table.columns.len;

	if (by < 0)
		v->column -= v->column > 0;
	else if (v->column + 1 < count)
		v->column++;
}

static bool
click(struct table_view *v, const struct key *key)
{
	int x = GUTTER + label_width(v);

	if (key->y >= 1)
		list_select(&v->list, v->list.top + (size_t)key->y - 1);
	for (size_t i = v->first_column; i < v->table.columns.len; i++) {
		if (key->x >= x && key->x < x + column_width(v, i) + GAP) {
			v->column = i;
			if (key->y == 0)
				table_sort(
				    &v->table, i, v->table.sorted_by == i && !v->table.descending);
		}
		x += column_width(v, i) + GAP;
	}
	return true;
}

static bool
key(void *state, const struct render_env *env, const struct key *key)
{
	struct table_view *v = state;
	uint32_t ch = key->kind == KEY_CHAR && key->mods == 0 ? key->ch : 0;
	(void)env;

	if (v->spot >= v->spots.len)
		return false;
	if (key->kind == KEY_MOUSE && key->action == MOUSE_PRESS)
		return click(v, key);
	if (key->kind == KEY_LEFT || ch == 'h' ||
	    (key->kind == KEY_MOUSE && key->action == MOUSE_WHEEL_LEFT))
		move_column(v, -1);
	else if (key->kind == KEY_RIGHT || ch == 'l' ||
		 (key->kind == KEY_MOUSE && key->action == MOUSE_WHEEL_RIGHT))
		move_column(v, 1);
	else if (ch == '0')
		v->column = 0;
	else if (ch == '$')
		v->column = v->table.columns.len - 1;
	else
		return list_key(&v->list, key);
	return true;
}

static const cJSON *
selected(void *state, const struct render_env *env, struct buf *pointer)
{
	struct table_view *v = state;
	(void)env;

	if (v->spot >= v->spots.len || v->list.selected >= v->table.shown)
		return NULL;
	size_t row = v->table.order[v->list.selected];
	const struct column *c = &v->table.columns.items[v->column];
	buf_add_str(pointer, v->spots.items[v->spot].pointer);
	if (v->table.kind == TABLE_MAP)
		json_pointer_add_key(pointer, table_row_key(&v->table, row));
	else
		json_pointer_add_index(pointer, row);
	if (v->table.kind == TABLE_ARRAYS && c->depth > 0)
		json_pointer_add_index(pointer, c->index);
	for (int i = 0; v->table.kind != TABLE_ARRAYS && i < c->depth; i++)
		json_pointer_add_key(pointer, c->path[i]);
	return table_cell(&v->table, row, v->column);
}

/* ---- jumping to a pointer ---- */

/* The row a token names. */
static size_t
row_of(const struct table *t, const char *token)
{
	if (t->kind == TABLE_MAP) {
		for (size_t i = 0; i < t->row_count; i++)
			if (strcmp(table_row_key(t, i), token) == 0)
				return i;
		return SIZE_MAX;
	}
	char *end;
	unsigned long row = strtoul(token, &end, 10);
	return *token && *end == '\0' && row < t->row_count ? row : SIZE_MAX;
}

/* The column that shows most of the rest of a pointer. */
static size_t
column_of(const struct table *t, const char *rest)
{
	struct buf token = BUF_INIT, name = BUF_INIT;
	size_t found = 0;

	while (json_pointer_next(&rest, &token)) {
		if (name.len > 0)
			buf_add_char(&name, '.');
		buf_add_str(&name, buf_text(&token));
		size_t column = table_find_column(t, buf_text(&name));
		if (column != SIZE_MAX)
			found = column;
	}
	buf_finish(&token);
	buf_finish(&name);
	return found;
}

static bool
reveal_row(struct table_view *v, const char *rest)
{
	struct buf token = BUF_INIT;
	const char *at = rest;
	size_t row =
	    json_pointer_next(&at, &token) ? row_of(&v->table, buf_text(&token)) : SIZE_MAX;

	buf_finish(&token);
	if (row == SIZE_MAX)
		return false;
	size_t shown = 0;
	while (shown < v->table.shown && v->table.order[shown] != row)
		shown++;
	if (shown == v->table.shown) { /* filtered away */
		table_filter(&v->table, NULL);
		list_set_count(&v->list, v->table.shown);
		for (shown = 0; shown < v->table.shown && v->table.order[shown] != row; shown++)
			continue;
	}
	list_select(&v->list, shown);
	v->column = column_of(&v->table, at);
	return true;
}

/* True when the pointer leads into one of the tables. */
static bool
reveal(void *state, const struct render_env *env, const char *pointer)
{
	struct table_view *v = state;

	for (size_t i = v->spots.len; i-- > 0;) {
		const char *base = v->spots.items[i].pointer;
		size_t len = strlen(base);
		if (strncmp(pointer, base, len) != 0 || pointer[len] != '/')
			continue;
		if (i != v->spot)
			show_spot(v, env, i);
		return reveal_row(v, pointer + len);
	}
	return false;
}

/* ---- commands ---- */

static bool
sort(struct table_view *v, const char *arg, struct buf *why)
{
	size_t len = strcspn(arg, " ");
	bool named_order = strcmp(arg + len, " desc") == 0 || strcmp(arg + len, " asc") == 0;
	char *name = strndup(arg, named_order ? len : strlen(arg));
	size_t column = *name ? table_find_column(&v->table, name) : v->column;

	if (column == SIZE_MAX)
		buf_addf(why, "no column is called %s", name);
	free(name);
	if (column == SIZE_MAX)
		return false;
	/* by key: up, down, as it came */
	if (!*arg && v->table.sorted_by == column && v->table.descending)
		table_sort(&v->table, SIZE_MAX, false);
	else
		table_sort(&v->table, column,
		    named_order ? strcmp(arg + len, " desc") == 0
				: v->table.sorted_by == column && !*arg);
	v->column = column;
	list_select(&v->list, 0);
	return true;
}

static bool
command(
    void *state, const struct render_env *env, const char *verb, const char *arg, struct buf *why)
{
	struct table_view *v = state;

	if (v->spot >= v->spots.len) {
		buf_add_str(why, "there is no table in this value");
		return false;
	}
	if (strcmp(verb, "sort") == 0)
		return sort(v, arg, why);
	if (strcmp(verb, "filter") == 0) {
		table_filter(&v->table, arg);
		list_set_count(&v->list, v->table.shown);
		list_select(&v->list, 0);
		return true;
	}
	if (strcmp(verb, "next-table") == 0 && v->spots.len > 1) {
		show_spot(v, env, (v->spot + 1) % v->spots.len);
		return true;
	}
	buf_add_str(why, "there is only one table in this value");
	return false;
}

const struct render_ops render_table = {
	.name = "table",
	.help = "arrays as rows and columns",
	.state_size = sizeof(struct table_view),
	.finish = table_view_finish,
	.claim = claim,
	.sync = sync,
	.want = want,
	.heading = heading,
	.draw = draw,
	.key = key,
	.reveal = reveal,
	.selected = selected,
	.command = command,
};

#include "base/glyph.h"
#include "json/pointer.h"
#include "table_view.h"

#include <stdio.h>

/* The members outside the rows: those of each object on the path to the array. */

#define VALUE_MAX 40 /* columns of a value if several share a line */
#define APART 4      /* columns between two of them */
#define LINES_MAX 3  /* of such lines */
#define WAY_MAX 16

/* Iterates over those members, nearest to the array first. */
struct member_walk {
	const cJSON *way[WAY_MAX + 1]; /* from the value to the array */
	int depth;                     /* of the current object; < 0: done */
	const cJSON *next;
};

static void
skip_to_member(struct member_walk *w)
{
	while (w->depth >= 0 && (!w->next || w->next == w->way[w->depth + 1])) {
		if (w->next)
			w->next = w->next->next;
		else if (--w->depth >= 0)
			w->next = json_first(w->way[w->depth]);
	}
}

static struct member_walk
walk_begin(const struct table_view *v, const cJSON *value)
{
	const char *pointer = v->spots.items[v->spot].pointer;
	struct member_walk w = { .way = { value }, .depth = -1 };
	struct buf key = BUF_INIT;

	while (w.depth + 1 < WAY_MAX && json_pointer_next(&pointer, &key)) {
		w.depth++;
		w.way[w.depth + 1] = json_get(w.way[w.depth], buf_text(&key));
	}
	buf_finish(&key);
	w.next = w.depth >= 0 ? json_first(w.way[w.depth]) : NULL;
	skip_to_member(&w);
	return w;
}

/* name: "cpu.model", with the enclosing names. NULL: end. */
static const cJSON *
walk_next(struct member_walk *w, struct buf *name)
{
	const cJSON *m = w->depth >= 0 ? w->next : NULL;

	if (!m)
		return NULL;
	buf_clear(name);
	for (int i = 1; i <= w->depth; i++) {
		label_add(name, w->way[i]->string);
		buf_add_char(name, '.');
	}
	label_add(name, *m->string ? m->string : "\"\"");
	w->next = m->next;
	skip_to_member(w);
	return m;
}

size_t
table_beside_count(const struct table_view *v, const cJSON *value)
{
	struct member_walk w = walk_begin(v, value);
	size_t count = 0;

	for (int i = 0; i <= w.depth; i++)
		count += json_count(w.way[i]) - 1;
	return count;
}

int
table_beside_rows(const struct table_view *v, int room)
{
	if (v->beside == 0 || (room > 0 && v->beside <= (size_t)room))
		return (int)v->beside;
	return room < 1 ? 1 : room < LINES_MAX ? room : LINES_MAX;
}

static bool
is_container(const cJSON *m)
{
	return json_type(m) == JSON_OBJECT || json_type(m) == JSON_ARRAY;
}

static uint32_t
ground_of(const struct view_env *env, const cJSON *m)
{
	const struct report *r = env->in->report;
	uint32_t ground = view_ground(r, m);

	if (ground == ROLE_NONE && r && is_container(m) && report_count_below(r, m) > 0)
		return ROLE_ERROR_CELL;
	return ground;
}

/* ---- each on a line ---- */

static void
draw_list(const struct table_view *v, const struct view_env *env, struct surface s)
{
	struct member_walk w = walk_begin(v, env->in->value), again = w;
	struct buf name = BUF_INIT;
	int names = 0;

	while (walk_next(&w, &name)) {
		int width = (int)glyph_columns(buf_text(&name), name.len);
		names = width > names ? width : names;
	}
	names = names < s.width / 3 ? names : s.width / 3;
	for (int y = 0; y < s.height; y++) {
		const cJSON *m = walk_next(&again, &name);
		surface_text(s, GUTTER, y, names, style_of(ROLE_DIM), buf_text(&name));
		view_value(s, GUTTER + names + GAP, y, -1, m, ground_of(env, m));
	}
	buf_finish(&name);
}

/* ---- several on a line ---- */

/* The shortest form: "{4}" for an object of four members. */
static void
add_short(struct buf *text, const cJSON *m)
{
	bool object = json_type(m) == JSON_OBJECT;

	buf_clear(text);
	if (is_container(m) && json_count(m) > 0)
		buf_addf(text, "%c%zu%c", object ? '{' : '[', json_count(m), object ? '}' : ']');
	else
		view_value_text(m, text);
}

/* Draws as many as fit on the last line before column `end`; returns the number. whole: none was
 * shortened. */
static size_t
draw_flow(
    const struct table_view *v, const struct view_env *env, struct surface s, int end, bool *whole)
{
	struct member_walk w = walk_begin(v, env->in->value);
	struct buf name = BUF_INIT, text = BUF_INIT;
	size_t drawn = 0;
	int x = GUTTER, y = 0;

	*whole = true;
	for (const cJSON *m; (m = walk_next(&w, &name)); drawn++) {
		add_short(&text, m);
		int value = (int)glyph_columns(buf_text(&text), text.len);
		int used = value < VALUE_MAX ? value : VALUE_MAX;
		int width = (int)glyph_columns(buf_text(&name), name.len) + 1 + used;
		if (x > GUTTER && x + width > (y + 1 == s.height ? end : s.width)) {
			if (++y == s.height)
				break;
			x = GUTTER;
		}
		*whole &= value == used && (!is_container(m) || json_count(m) == 0);
		x += surface_text(s, x, y, -1, style_of(ROLE_DIM), buf_text(&name)) + 1;
		int room = y + 1 == s.height && x + used > end ? end - x : used;
		x += surface_textn(surface_sub(s, x, y, room, 1), 0, 0,
			 view_style(m, ground_of(env, m)), buf_text(&text), text.len) +
		     APART;
	}
	buf_finish(&name);
	buf_finish(&text);
	return drawn;
}

void
table_beside_draw(const struct table_view *v, const struct view_env *env, struct surface s)
{
	char hint[48];
	bool whole;

	if (v->beside <= (size_t)s.height) {
		draw_list(v, env, s);
		return;
	}
	int room = snprintf(hint, sizeof(hint), "+%zu more · v tree", v->beside);
	size_t left = v->beside - draw_flow(v, env, s, s.width - room - GAP, &whole);
	if (left > 0)
		snprintf(hint, sizeof(hint), "+%zu more · v tree", left);
	else
		snprintf(hint, sizeof(hint), "v tree");
	if (left > 0 || !whole)
		surface_text_right(s, s.width, s.height - 1, room, style_of(ROLE_HINT), hint);
}

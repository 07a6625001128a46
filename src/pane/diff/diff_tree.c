/* SPDX-License-Identifier: MIT */
#include "diff_pane.h"

#include "base/glyph.h"
#include "base/mem.h"
#include "base/units.h"
#include "base/vec.h"
#include "view/view.h"

#include <stdlib.h>
#include <string.h>

const enum role diff_roles[2] = { ROLE_REMOVED, ROLE_ADDED };
const enum role diff_cell_roles[2] = { ROLE_REMOVED_CELL, ROLE_ADDED_CELL };

/* Bytes of a value on a line. */
enum { BRIEF = 300, INDENT = 2 };

enum role
diff_node_role(const struct diff_node *n)
{
	if (n->kind == DIFF_ADDED)
		return ROLE_ADDED;
	return n->kind == DIFF_REMOVED ? ROLE_REMOVED : ROLE_NONE;
}

/* ---- two values on one line ---- */

struct pair_text {
	struct buf texts[2];
};

/* Of long strings that begin alike, from a little before the difference on. */
static void
write_pair(struct pair_text *t, const cJSON *a, const cJSON *b, int max_cols)
{
	enum { BEFORE = 8, LOOKED_AT = 64 << 10 /* bytes, at each frame */ };
	const cJSON *values[2] = { a, b };

	*t = (struct pair_text){ { BUF_INIT, BUF_INIT } };
	if (cJSON_GetStringValue(a) && cJSON_GetStringValue(b)) {
		const char *texts[2] = { a->valuestring, b->valuestring };
		const size_t lens[2] = { strnlen(texts[0], LOOKED_AT),
			strnlen(texts[1], LOOKED_AT) };
		struct diff_span span = diff_span(texts, lens);
		size_t most = max_cols > 0 ? (size_t)max_cols / 2 : 0;
		if (span.from > BEFORE && (lens[0] > most || lens[1] > most)) {
			size_t from = span.from - BEFORE;
			while (from > 0 && ((unsigned char)texts[0][from] & 0xc0) == 0x80)
				from--;
			for (int i = 0; i < 2; i++) {
				buf_add_str(&t->texts[i], "…");
				buf_add(
				    &t->texts[i], texts[i] + from, strnlen(texts[i] + from, BRIEF));
			}
			return;
		}
	}
	for (int i = 0; i < 2; i++)
		view_value_cut(values[i], BRIEF, &t->texts[i]);
}

static void
finish_pair(struct pair_text *t)
{
	buf_finish(&t->texts[0]);
	buf_finish(&t->texts[1]);
}

static int
columns_of(const struct buf *text)
{
	return (int)glyph_columns(buf_text(text), text->len);
}

int
diff_pair_columns(const cJSON *a, const cJSON *b)
{
	struct pair_text t;

	write_pair(&t, a, b, 60);
	int columns = columns_of(&t.texts[0]) + 3 + columns_of(&t.texts[1]);
	finish_pair(&t);
	return columns;
}

/* The new value matters most: it gets half of the columns, and those that the old value leaves. */
int
diff_draw_pair(struct surface s, const cJSON *a, const cJSON *b, bool cursor)
{
	struct pair_text t;
	int x = 0;

	write_pair(&t, a, b, s.width);
	int room = s.width - 3, old = columns_of(&t.texts[0]), new = columns_of(&t.texts[1]);
	if (old + new > room && old > room / 2)
		old = new < room - room / 2 ? room - new : room / 2;
	for (int i = 0; i < 2; i++) {
		struct style style = cursor ? style_on(ROLE_CURSOR, ROLE_CURSOR)
					    : style_on(diff_cell_roles[i], diff_cell_roles[i]);
		style.attr = cursor ? ATTR_IN_ROW : 0;
		int left = i == 0 ? old : s.width;
		x += surface_textn(surface_sub(s, x, 0, left, 1), 0, 0, style,
		    buf_text(&t.texts[i]), t.texts[i].len);
		if (i == 0)
			x += surface_text(s, x, 0, 3, cursor ? style : style_of(ROLE_DIM), " → ");
	}
	finish_pair(&t);
	return x;
}

/* ---- the lines ---- */

struct open_ends {
	uint32_t *items;
	size_t len, cap;
};

static void
flush_rest(struct diff_tree_look *t, uint32_t *rest, int depth)
{
	if (*rest > 0)
		*VEC_PUSH(&t->lines) = (struct diff_tree_line){ 0, *rest, depth };
	*rest = 0;
}

void
diff_tree_make(struct diff_pane *p)
{
	struct diff_tree_look *t = &p->tree;
	struct open_ends open = { 0 };
	uint32_t rest = 0, next;

	t->lines.len = 0;
	for (uint32_t i = 0; i < p->diff->len; i = next) {
		const struct diff_node *n = &p->diff->items[i];
		while (open.len > 0 && open.items[open.len - 1] <= i) {
			flush_rest(t, &rest, (int)open.len);
			open.len--;
		}
		next = i + 1;
		if (n->changes == 0 && !p->all && i > 0) {
			rest++;
			next = n->end;
			continue;
		}
		flush_rest(t, &rest, (int)open.len);
		*VEC_PUSH(&t->lines) = (struct diff_tree_line){ i, 0, (int)open.len };
		if (n->end > i + 1)
			*VEC_PUSH(&open) = n->end;
	}
	for (; open.len > 0; open.len--)
		flush_rest(t, &rest, (int)open.len);
	free(open.items);
	list_set_count(&t->list, t->lines.len);
	p->made++;
}

void
diff_tree_finish(struct diff_tree_look *t)
{
	free(t->lines.items);
	*t = (struct diff_tree_look){ 0 };
}

uint32_t
diff_tree_selected(const struct diff_pane *p)
{
	const struct diff_tree_look *t = &p->tree;

	return t->list.selected < t->lines.len && t->lines.items[t->list.selected].rest == 0
		   ? t->lines.items[t->list.selected].node
		   : 0;
}

void
diff_tree_select(struct diff_pane *p, uint32_t node)
{
	const struct diff_tree_look *t = &p->tree;
	size_t found = 0;

	for (size_t i = 0; i < t->lines.len; i++) { /* a rest line has no node */
		if (t->lines.items[i].rest > 0)
			continue;
		if (t->lines.items[i].node > node)
			break;
		found = i;
	}
	list_select(&p->tree.list, found);
}

bool
diff_tree_step(struct diff_pane *p, int by)
{
	struct diff_tree_look *t = &p->tree;

	for (size_t i = t->list.selected; (by > 0 ? ++i : --i) < t->lines.len;) {
		const struct diff_tree_line *line = &t->lines.items[i];
		if (line->rest > 0 || !diff_is_change(&p->diff->items[line->node]))
			continue;
		list_select(&t->list, i);
		return true;
	}
	return false;
}

/* ---- searching ---- */

static void
row_text(const struct seekable *s, size_t row, struct buf *out)
{
	const struct diff_pane *p = s->with;
	const struct diff_tree_line *line = &p->tree.lines.items[row];
	const struct diff_node *n = &p->diff->items[line->node];

	if (line->rest > 0)
		return;
	const struct diff_array *array = line->node > 0 ? diff_array_of(p->diff, n->parent) : NULL;
	if (n->key)
		buf_addf(out, "%s\n", n->key);
	for (int side = 0; side < 2; side++) {
		const cJSON *value = diff_side(p->diff, line->node, side);
		if (array && array->key)
			view_value_cut(json_get(value, array->key), 80, out);
		buf_add_char(out, '\n');
		if (n->kind != DIFF_INSIDE)
			view_value_cut(value, BRIEF, out);
		buf_add_char(out, '\n');
	}
}

struct seekable
diff_tree_seek(struct diff_pane *p)
{
	return seek_list(&p->tree.list, p->top, &p->tree, p, row_text);
}

/* ---- drawing ---- */

/* The key's value for a row of a table, the name of a member, the number of an item. */
static int
draw_name(const struct diff_pane *p, struct surface s, int x, int y, uint32_t index, enum role role)
{
	const struct diff_node *n = &p->diff->items[index];
	const struct diff_array *array = index > 0 ? diff_array_of(p->diff, n->parent) : NULL;
	int start = x;

	if (index == 0)
		return 0;
	if (n->key)
		return surface_text(
			   s, x, y, s.width / 2, style_of(role ? role : ROLE_KEY_NAME), n->key) +
		       2;
	if (!array || !array->key) {
		uint32_t at = n->at[1] != DIFF_NOWHERE ? n->at[1] : n->at[0];
		return surface_textf(s, x, y, -1, style_of(role ? role : ROLE_DIM), "%u", at) + 2;
	}
	int side = n->at[1] != DIFF_NOWHERE;
	const cJSON *value = json_get(diff_side(p->diff, index, side), array->key);
	x += surface_text(s, x, y, s.width / 4, style_of(role ? role : ROLE_DIM), array->key) + 1;
	struct buf text = BUF_INIT;
	view_value_cut(value, 80, &text);
	x += surface_text(s, x, y, s.width / 3, style_of(role ? role : ROLE_KEY_NAME),
		 text.len > 0 ? buf_text(&text) : "·") +
	     2;
	buf_finish(&text);
	return x - start;
}

static void
add_facts(const struct diff_pane *p, uint32_t index, struct buf *out)
{
	const struct diff_node *n = &p->diff->items[index];
	const struct diff_array *array = diff_array_of(p->diff, index);
	bool object = json_type(n->side[0]) == JSON_OBJECT;
	size_t counts[2] = { json_count(n->side[0]), json_count(n->side[1]) };

	buf_addf(out, object ? "{%zu}" : "[%zu]", counts[0]);
	if (counts[0] != counts[1])
		buf_addf(out, object ? " → {%zu}" : " → [%zu]", counts[1]);
	buf_addf(out, "  %s change%s", units_count(n->changes).text, plural(n->changes));
	if (array && array->is_table)
		buf_addf(out, ", rows %s %s", array->key ? "by" : "in order",
		    array->key ? array->key : "");
}

static void
draw_node(const struct diff_pane *p, struct surface s, int x, int y, uint32_t index)
{
	const struct diff_node *n = &p->diff->items[index];
	enum role role = diff_node_role(n);
	const cJSON *a = diff_side(p->diff, index, 0), *b = diff_side(p->diff, index, 1);
	struct buf text = BUF_INIT;

	x += draw_name(p, s, x, y, index, role);
	if (n->moved)
		x += surface_textf(s, x, y, -1, style_of(ROLE_ACCENT), "moved from %u to %u",
			 n->at[0], n->at[1]) +
		     2;
	if (n->kind == DIFF_CHANGED) {
		diff_draw_pair(surface_sub(s, x, y, s.width, 1), a, b, false);
	} else if (n->kind == DIFF_INSIDE) {
		add_facts(p, index, &text);
		surface_text(s, x, y, -1, style_of(ROLE_DIM), buf_text(&text));
	} else {
		a = n->kind == DIFF_ADDED ? b : a;
		view_value_cut(a, BRIEF, &text);
		enum role value = n->kind == DIFF_SAME ? ROLE_HINT : role;
		surface_text(s, x, y, -1, style_of(value), buf_text(&text));
	}
	buf_finish(&text);
}

void
diff_tree_draw(struct diff_pane *p, bool focused, struct surface s)
{
	struct diff_tree_look *t = &p->tree;

	list_set_height(&t->list, s.height);
	for (int y = 0; y < s.height && t->list.top + (size_t)y < t->lines.len; y++) {
		size_t row = t->list.top + (size_t)y;
		const struct diff_tree_line *line = &t->lines.items[row];
		int x = 2 + line->depth * INDENT;
		if (row == t->list.selected)
			surface_select_row(s, y, focused);
		surface_spot(s, -1, y);
		if (line->rest > 0) {
			surface_textf(s, x, y, -1, style_of(ROLE_HINT), "… %s the same",
			    units_count(line->rest).text);
			continue;
		}
		const struct diff_node *n = &p->diff->items[line->node];
		enum role role = diff_node_role(n);
		surface_text(s, 0, y, 1, style_of(role ? role : ROLE_ACCENT), diff_mark(n));
		draw_node(p, s, x, y, line->node);
	}
	surface_scrollbar(s, focused, t->lines.len, t->list.top);
}

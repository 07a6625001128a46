/* SPDX-License-Identifier: MIT */
#include "stream_list.h"

#include "base/units.h"
#include "base/vec.h"
#include "pane/pane_text.h"
#include "view/view.h"

#include <stdlib.h>
#include <string.h>

/* The filter line and the column heads, unless the pane is too low. */
enum { HEAD_ROWS = 2, HEADS_FROM = 12 };

void
stream_list_finish(void *state)
{
	struct stream_list *l = state;

	filter_finish(&l->filter);
	for (size_t i = 0; i < ARRAY_LEN(l->texts); i++)
		wrap_finish(&l->texts[i].wrap);
	free(l->shown.items);
	blob_unref(l->whole);
}

static const struct stream_ops *
stream_ops(const struct stream_list *l)
{
	return (const struct stream_ops *)l->rows.ops;
}

/* ---- which entries are shown ---- */

static uint64_t
selected_id(const struct stream_list *l)
{
	return l->rows.list.selected < l->shown.len ? l->shown.items[l->rows.list.selected] : 0;
}

static void
take_new(struct stream_list *l, const struct view_env *env)
{
	uint64_t id = l->looked_at;

	while ((id = stream_ops(l)->next(env, id)) != 0) {
		if (filter_matches(&l->filter, stream_ops(l)->find(env, id)))
			*VEC_PUSH(&l->shown) = id;
		l->looked_at = id;
	}
	list_set_count(&l->rows.list, l->shown.len);
	if (l->follow && l->shown.len > 0)
		list_select(&l->rows.list, l->shown.len - 1);
}

/* Remove the oldest entries if they were dropped. The selection stays on its entry. */
static void
drop_oldest(struct stream_list *l, const struct view_env *env)
{
	uint64_t first = stream_ops(l)->next(env, 0);
	size_t gone = 0;

	while (gone < l->shown.len && (first == 0 || l->shown.items[gone] < first))
		gone++;
	if (gone == 0)
		return;
	l->shown.len -= gone;
	memmove(l->shown.items, l->shown.items + gone, l->shown.len * sizeof(*l->shown.items));
	size_t selected = l->rows.list.selected > gone ? l->rows.list.selected - gone : 0;
	list_set_count(&l->rows.list, l->shown.len);
	list_select(&l->rows.list, selected);
}

/* Return the index of the entry, or the index at which it would be. */
static size_t
place_of(const struct stream_list *l, uint64_t id)
{
	size_t low = 0, high = l->shown.len;

	while (low < high) {
		size_t middle = (low + high) / 2;
		if (l->shown.items[middle] < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Filter all entries again. */
static void
take_again(struct stream_list *l, const struct view_env *env)
{
	uint64_t id = selected_id(l);

	l->shown.len = 0;
	l->looked_at = 0;
	take_new(l, env);
	if (!l->follow)
		list_select(&l->rows.list, place_of(l, id));
}

/* Filter an entry again because it has changed. The selection stays on its entry. */
static void
filter_again(struct stream_list *l, const struct view_env *env, uint64_t id)
{
	const void *entry = stream_ops(l)->find(env, id);
	size_t at = place_of(l, id), selected = l->rows.list.selected;
	bool is_there = at < l->shown.len && l->shown.items[at] == id;
	bool matches = entry && filter_matches(&l->filter, entry);

	if (is_there == matches || id > l->looked_at)
		return;
	if (is_there) {
		VEC_REMOVE(&l->shown, at);
		selected -= at < selected;
	} else {
		*VEC_PUSH(&l->shown) = id;
		uint64_t *place = l->shown.items + at;
		memmove(place + 1, place, (l->shown.len - 1 - at) * sizeof(id));
		*place = id;
		selected += at <= selected && l->shown.len > 1;
	}
	list_set_count(&l->rows.list, l->shown.len);
	list_select(&l->rows.list, selected);
}

void
stream_list_sync(void *state, const struct view_env *env)
{
	struct stream_list *l = state;
	const struct stream_ops *ops = stream_ops(l);
	const void *source = env->ws->server ? ops->source(env) : NULL;
	uint64_t id;

	if (source != l->source) {
		l->source = source;
		l->open = false;
		l->follow = true;
		l->changes = 0;
		l->whole_of = 0;
		l->shown.len = 0;
		l->looked_at = 0;
	}
	if (source && ops->changes) {
		take_again(l, env);
	} else if (source) {
		drop_oldest(l, env);
		while (ops->changed && (id = ops->changed(env, &l->changes)) != 0) {
			if (id == UINT64_MAX)
				take_again(l, env);
			else
				filter_again(l, env, id);
		}
		take_new(l, env);
	}
	l->open = l->open && l->shown.len > 0;
}

void
stream_list_select(struct stream_list *l, uint64_t id)
{
	size_t at = place_of(l, id);

	if (at == l->shown.len || l->shown.items[at] != id)
		return;
	list_select(&l->rows.list, at);
	l->follow = false;
}

const void *
stream_list_selected(const struct stream_list *l, const struct view_env *env)
{
	uint64_t id = selected_id(l);

	return id && l->source ? stream_ops(l)->find(env, id) : NULL;
}

void
stream_list_count(const struct stream_list *l, size_t all, struct buf *facts)
{
	if (l->shown.len != all)
		buf_addf(facts, "%s of ", units_count(l->shown.len).text);
}

/* ---- drawing ---- */

int
stream_column_cols(const struct stream_column *c, struct surface s)
{
	int x = c->x < 0 ? s.width + c->x : c->x, left = s.width - x + c->cols + 1;

	return c->cols >= 0 ? c->cols : left > 0 ? left : 0;
}

void
stream_cell(
    const struct stream_column *c, struct surface s, int y, struct style style, const char *text)
{
	int x = c->x < 0 ? s.width + c->x : c->x, cols = stream_column_cols(c, s);

	if (c->right)
		surface_text_right(s, x + cols, y, cols, style, text);
	else
		surface_text(s, x, y, cols, style, text);
}

void
stream_cell_time(const struct stream_column *c, struct surface s, int y, const struct view_env *env,
    int64_t at_us)
{
	int64_t start_us = journal_info(server_info(env->ws->server)->journal)->start_us;

	surface_textf(s, c->x, y, c->cols, style_of(ROLE_HINT), "%*.3f", c->cols,
	    (double)(at_us - start_us) / 1e6);
}

void
stream_list_draw_row(void *state, const struct view_env *env, struct surface s, int y, size_t row)
{
	const struct stream_list *l = state;
	const void *entry = stream_ops(l)->find(env, l->shown.items[row]);

	if (entry)
		stream_ops(l)->draw_row(env, s, y, entry);
}

void
stream_list_draw(void *state, const struct view_env *env, struct surface s)
{
	struct stream_list *l = state;
	const struct stream_ops *ops = stream_ops(l);
	const struct stream_column *c =
	    ops->narrow && s.width < STREAM_NARROW ? ops->narrow : ops->columns;
	const void *open = l->open ? stream_list_selected(l, env) : NULL;
	int heads = s.height < HEADS_FROM ? 0 : HEAD_ROWS, rows = s.height - heads;

	if (!env->ws->server) {
		pane_draw_server_state(env, s);
		return;
	}
	if (open) /* all entries, at most a third of the height */
		rows = l->shown.len < (size_t)s.height / 3 ? (int)l->shown.len : s.height / 3;
	if (heads > 0)
		pane_draw_filter(s, &l->rows, ops->words);
	for (; heads > 0 && c->head; c++)
		stream_cell(c, s, 1, style_of(ROLE_COLUMN), c->head);
	struct surface list = surface_sub(s, 0, heads, s.width, rows);
	rows_draw(l, env, s, heads, rows);
	if (l->shown.len == 0)
		pane_draw_text(list, 0, ROLE_HINT,
		    ops->next(env, 0) ? "nothing matches: Esc shows all"
		    : ops->empty      ? ops->empty
				      : ops->why_empty(env));
	if (!open)
		return;
	surface_scrollbar(list, false, l->shown.len, l->rows.list.top); /* keys scroll the entry */
	struct surface below = surface_sub(s, 0, heads + rows, s.width, s.height - heads - rows);
	for (size_t i = 0; i < ARRAY_LEN(l->texts); i++) {
		l->texts[i].x = -s.x;
		l->texts[i].y = -s.y;
	}
	surface_repeat(below, 0, 0, below.width, style_of(ROLE_BORDER), 0x2500);
	ops->draw_open(l, env, below, open);
}

void
stream_list_draw_text(struct stream_list *l, int side, const struct view_env *env, struct surface s,
    struct blob *text, bool json)
{
	struct stream_text *t = &l->texts[side];

	t->whole = text;
	t->height = s.height;
	t->x += s.x;
	t->y += s.y;
	wrap_set(&t->wrap, text->data, text->len, s.width);
	if (json)
		view_json_rows(&t->wrap, s, t->top);
	else
		wrap_draw(&t->wrap, s, style_of(ROLE_TEXT), t->top);
	surface_scrollbar(s, env->focused && t == stream_list_text(l), wrap_rows(&t->wrap), t->top);
}

void
stream_list_draw_entry(struct stream_list *l, const struct view_env *env, struct surface s,
    const void *entry, bool json)
{
	uint64_t id = selected_id(l);

	if (l->whole_of != id) {
		struct buf text = BUF_INIT;
		stream_ops(l)->add_whole(entry, &text);
		stream_list_forget_text(l, 0);
		blob_unref(l->whole);
		l->whole = blob_take_buf(&text);
		l->whole_of = id;
		l->texts[0].top = 0;
	}
	stream_list_draw_text(
	    l, 0, env, surface_sub(s, 0, 1, s.width, s.height - 1), l->whole, json);
}

/* ---- commands ---- */

bool
stream_act_open(void *state, const struct view_env *env, const char *arg)
{
	struct stream_list *l = state;

	l->open = !l->open && l->shown.len > 0;
	l->follow = false;
	return true;
}

void
stream_list_copy(void *state, const struct view_env *env, const char *part, struct buf *out)
{
	struct stream_list *l = state;
	const void *entry = stream_list_selected(l, env);

	if (entry && stream_ops(l)->copy)
		stream_ops(l)->copy(l, env, entry, out);
	else if (entry)
		stream_ops(l)->add_whole(entry, out);
}

const char *
stream_list_hint(void *state, const struct view_env *env, const struct view_action *action)
{
	const struct stream_list *l = state;
	bool of_entry = action->run == stream_act_open || action->run == pane_act_copy;

	return env->ws->server && (l->shown.len > 0 || !of_entry) ? action->hint : NULL;
}

const char *
stream_list_filtered(const void *state)
{
	const struct stream_list *l = state;

	return l->open || l->covered || !l->source ? NULL : buf_text(&l->rows.filter);
}

void
stream_list_choose(void *state, const struct view_env *env)
{
	struct stream_list *l = state;

	filter_set(&l->filter, stream_ops(l)->words, buf_text(&l->rows.filter), NULL);
	l->follow = true;
	if (l->source)
		take_again(l, env);
}

bool
stream_list_seek(void *state, const struct view_env *env, struct seekable *out)
{
	struct stream_list *l = state;
	struct stream_text *t = stream_list_text(l);

	*out = seek_wrap(&t->wrap, &t->top, t->height, t->y);
	out->whole = t->whole;
	return l->open && !l->covered;
}

/* ---- keys ---- */

const char *
stream_list_captures(const void *state)
{
	const struct stream_list *l = state;

	return l->open ? stream_ops(l)->keys : NULL;
}

/* While an entry is open, paging scrolls it and the arrows go to the next entry. */
static bool
open_key(struct stream_list *l, const struct view_env *env, const struct key *key)
{
	struct stream_text *t = stream_list_text(l);
	uint32_t ch = key->kind == KEY_CHAR && key->mods == 0 ? key->ch : 0;

	if (key->kind == KEY_ESCAPE || key->kind == KEY_ENTER) {
		l->open = false;
		return true;
	}
	if (key->kind == KEY_PAGE_DOWN || key->kind == KEY_PAGE_UP || key->kind == KEY_HOME ||
	    key->kind == KEY_END || key->kind == KEY_MOUSE || ch == ' ')
		return pane_scroll_key(&t->top, wrap_rows(&t->wrap), key);
	if (l->sides == 2 &&
	    (key->kind == KEY_TAB || key->kind == KEY_LEFT || key->kind == KEY_RIGHT)) {
		l->side = key->kind == KEY_TAB ? 1 - l->side : key->kind == KEY_RIGHT;
		return true;
	}
	for (const struct view_action *a = stream_ops(l)->actions; ch && a->name; a++)
		for (const char *at = a->keys; *at; at += strcspn(at, " "), at += *at == ' ')
			if (ch == (unsigned char)at[0] && (at[1] == '\0' || at[1] == ' ')) {
				a->run(l, env, "");
				return true;
			}
	size_t before = l->rows.list.selected;
	bool used = list_key(&l->rows.list, key);
	for (size_t i = 0; i < ARRAY_LEN(l->texts) && l->rows.list.selected != before; i++)
		l->texts[i].top = 0;
	return used;
}

/* Below and right of the corner of the text? */
static bool
is_at(const struct stream_text *t, const struct key *key)
{
	return key->x >= t->x && key->y >= t->y;
}

bool
stream_list_key(void *state, const struct view_env *env, const struct key *key)
{
	struct stream_list *l = state;
	bool press = key->kind == KEY_MOUSE && key->action == MOUSE_PRESS;
	size_t row;

	if (key->kind == KEY_MOUSE && l->open && is_at(&l->texts[0], key))
		l->side = is_at(&l->texts[1], key);
	if (l->open && !press)
		return open_key(l, env, key);
	if (press)
		l->follow = false;
	if (l->open) { /* a click on the filter edits it, and on another entry opens that */
		if (key->y == 0 && l->rows.y > 0) {
			l->open = false;
			return pane_click_filter(env, buf_text(&l->rows.filter), key->x);
		}
		if (!list_row_at(&l->rows.list, key->y - l->rows.y, &row))
			return false;
		list_select(&l->rows.list, row);
		return true;
	}
	if (press || !list_key(&l->rows.list, key))
		return false;
	l->follow = l->shown.len > 0 && l->rows.list.selected == l->shown.len - 1;
	return true;
}

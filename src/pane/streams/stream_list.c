#include "stream_list.h"

#include "base/vec.h"
#include "pane/pane_text.h"
#include "render/render.h"

#include <stdlib.h>
#include <string.h>

enum { HEAD_ROWS = 2 }; /* the filter line and the column heads */

void
stream_list_init(struct stream_list *l, const struct stream_ops *ops)
{
	l->ops = ops;
	wrap_init(&l->wrap);
	l->follow = true;
}

void
stream_list_finish(struct stream_list *l)
{
	buf_finish(&l->filter);
	wrap_finish(&l->wrap);
	free(l->shown.items);
}

void
stream_list_begin(struct stream_list *l)
{
	l->shown.len = 0;
	l->looked_at = 0;
	l->follow = true;
}

bool
stream_list_show(struct stream_list *l, const void *source)
{
	if (source == l->source)
		return false;
	l->source = source;
	l->open = false;
	stream_list_begin(l);
	return true;
}

void
stream_list_drop(struct stream_list *l, const struct pane_env *env)
{
	size_t gone = 0;

	while (gone < l->shown.len && !l->ops->exists(env, l->shown.items[gone]))
		gone++;
	if (gone == 0)
		return;
	l->shown.len -= gone;
	memmove(l->shown.items, l->shown.items + gone, l->shown.len * sizeof(*l->shown.items));
	size_t selected = l->list.selected > gone ? l->list.selected - gone : 0;
	list_set_count(&l->list, l->shown.len);
	list_select(&l->list, selected);
}

void
stream_list_add(struct stream_list *l, uint64_t id)
{
	*VEC_PUSH(&l->shown) = id;
}

void
stream_list_settle(struct stream_list *l, uint64_t looked_at)
{
	l->looked_at = looked_at;
	list_set_count(&l->list, l->shown.len);
	if (l->follow && l->shown.len > 0)
		list_select(&l->list, l->shown.len - 1);
}

uint64_t
stream_list_selected(const struct stream_list *l)
{
	return l->list.selected < l->shown.len ? l->shown.items[l->list.selected] : 0;
}

bool
stream_list_go(struct stream_list *l, uint64_t id)
{
	for (size_t i = 0; i < l->shown.len; i++) {
		if (l->shown.items[i] == id) {
			l->follow = false;
			list_select(&l->list, i);
			return true;
		}
	}
	return false;
}

bool
stream_list_act_open(void *state, const struct pane_env *env, const char *arg)
{
	struct stream_list *l = state;
	(void)env, (void)arg;

	l->open = !l->open && l->shown.len > 0;
	l->follow = false;
	return true;
}

const char *
stream_list_hint(const struct stream_list *l, const struct pane_env *env,
    const struct pane_action *action, bool of_entry)
{
	bool fits = env->ws->server && (l->shown.len > 0 || !of_entry);

	return fits ? action->hint : NULL;
}

/* ---- drawing ---- */

void
stream_list_draw(void *state, const struct pane_env *env, struct surface s)
{
	struct stream_list *l = state;
	const struct stream_ops *ops = l->ops;
	uint64_t open = l->open ? stream_list_selected(l) : 0;
	int rows = s.height - HEAD_ROWS;

	if (!env->ws->server) {
		pane_draw_server_state(env, s);
		return;
	}
	if (open) /* all entries, at most a third of the height */
		rows = l->shown.len < (size_t)s.height / 3 ? (int)l->shown.len : s.height / 3;
	pane_draw_filter(s, buf_text(&l->filter), ops->filter_hint);
	l->text_y = -s.y;
	ops->draw_heads(s, 1);
	struct surface body = surface_sub(s, 0, HEAD_ROWS, s.width, rows);
	list_set_height(&l->list, body.height);
	for (int y = 0; y < body.height && l->list.top + (size_t)y < l->shown.len; y++) {
		size_t index = l->list.top + (size_t)y;
		ops->draw_row(env, body, y, l->shown.items[index]);
		if (index == l->list.selected)
			surface_select_row(body, y, env->focused);
	}
	if (l->shown.len == 0)
		surface_text(body, 0, 0, -1, style_of(ROLE_HINT),
		    l->filter.len > 0 ? "nothing matches: Esc shows all" : ops->why_empty(l, env));
	surface_scrollbar(body, env->focused && !open, l->shown.len, l->list.top);
	if (!open)
		return;
	struct surface below =
	    surface_sub(s, 0, HEAD_ROWS + rows, s.width, s.height - HEAD_ROWS - rows);
	surface_repeat(below, 0, 0, below.width, style_of(ROLE_BORDER), 0x2500);
	ops->draw_open(l, env, below, open);
}

void
stream_list_draw_text(struct stream_list *l, const struct pane_env *env, struct surface s,
    const char *text, size_t len, bool json)
{
	l->text_height = s.height;
	l->text_y += s.y;
	wrap_set(&l->wrap, text, len, s.width);
	if (json)
		render_json_rows(&l->wrap, s, l->top);
	else
		wrap_draw(&l->wrap, s, style_of(ROLE_TEXT), l->top);
	surface_scrollbar(s, env->focused, wrap_rows(&l->wrap), l->top);
}

/* ---- keys ---- */

bool
stream_list_captures(const void *state)
{
	const struct stream_list *l = state;

	return l->open;
}

const char *
stream_list_filtered(const void *state)
{
	const struct stream_list *l = state;

	return l->open || !l->source ? NULL : buf_text(&l->filter);
}

void
stream_list_filter(void *state, const struct pane_env *env, const char *words)
{
	struct stream_list *l = state;

	buf_clear(&l->filter);
	buf_add_str(&l->filter, words);
	l->ops->refilter(state, env, words);
}

bool
stream_list_act_filter(void *state, const struct pane_env *env, const char *words)
{
	if (*words == '\0' && env->focused)
		return env->host->run(env->user, "find");
	stream_list_filter(state, env, words);
	return true;
}

bool
stream_list_seek(void *state, const struct pane_env *env, struct seekable *out)
{
	struct stream_list *l = state;
	(void)env;

	*out = seek_wrap(&l->wrap, &l->top, l->text_height, l->text_y);
	return l->open;
}

/* While an entry is open, paging scrolls it and the arrows go to the next entry. */
static bool
open_key(struct stream_list *l, const struct key *key)
{
	uint32_t ch = key->kind == KEY_CHAR && key->mods == 0 ? key->ch : 0;

	if (key->kind == KEY_ESCAPE || key->kind == KEY_ENTER) {
		l->open = false;
		return true;
	}
	if (key->kind == KEY_PAGE_DOWN || key->kind == KEY_PAGE_UP || key->kind == KEY_HOME ||
	    key->kind == KEY_END || key->kind == KEY_MOUSE || ch == ' ')
		return pane_scroll_key(&l->top, wrap_rows(&l->wrap), key);
	return list_key(&l->list, key);
}

/* A click on the filter edits it; on the selected entry, opens it. */
static bool
press(struct stream_list *l, const struct pane_env *env, const struct key *key)
{
	size_t row;

	if (key->y == 0) {
		l->follow = false;
		l->open = false;
		return pane_click_filter(env, buf_text(&l->filter), key->x);
	}
	if (!list_row_at(&l->list, key->y - HEAD_ROWS, &row))
		return false;
	l->follow = false;
	l->open = l->open || row == l->list.selected;
	list_select(&l->list, row);
	return true;
}

bool
stream_list_key(void *state, const struct pane_env *env, const struct key *key)
{
	struct stream_list *l = state;
	if (key->kind == KEY_MOUSE && key->action == MOUSE_PRESS)
		return press(l, env, key);
	if (l->open)
		return open_key(l, key);
	if (!list_key(&l->list, key))
		return false;
	l->follow = l->shown.len > 0 && l->list.selected == l->shown.len - 1;
	return true;
}

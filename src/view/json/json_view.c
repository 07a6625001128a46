#include "view/views.h"

#include "base/glyph.h"
#include "base/units.h"
#include "json/pointer.h"
#include "json/rows.h"
#include "json_view.h"
#include "ui/list.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define PATH_MAX_BYTES 200

static int
serves(const struct view_env *env)
{
	return env->in->value ? 2 : 0;
}

/* ---- colors: laid-out JSON has one token a line, so a line tells its own ---- */

static enum role
role_of_token(const char *token, size_t len)
{
	if (len == 0)
		return ROLE_DIM;
	if (token[0] == '"')
		return ROLE_STRING;
	if (token[0] == 't' || token[0] == 'f')
		return ROLE_BOOLEAN;
	if (token[0] == 'n')
		return ROLE_NULL_VALUE;
	return strchr("-0123456789", token[0]) ? ROLE_NUMBER : ROLE_DIM;
}

/* The length of a string token from its opening quote. */
static size_t
string_length(const char *s, size_t len)
{
	size_t i = 1;

	while (i < len && s[i] != '"')
		i += s[i] == '\\' ? 2 : 1;
	return i < len ? i + 1 : len;
}

static void
draw_first_line(struct surface s, int y, const char *line, size_t len)
{
	size_t at = 0;

	while (at < len && line[at] == ' ')
		at++;
	int x = (int)at;
	if (at < len && line[at] == '"') {
		size_t key = string_length(line + at, len - at);
		if (at + key < len && line[at + key] == ':') {
			x += surface_textn(s, x, y, style_of(ROLE_KEY_NAME), line + at, key);
			x += surface_text(s, x, y, -1, style_of(ROLE_DIM), ": ");
			at += key + 1;
			at += at < len && line[at] == ' ';
		}
	}
	surface_textn(s, x, y, style_of(role_of_token(line + at, len - at)), line + at, len - at);
}

void
view_json_rows(struct wrap *wrap, struct surface s, size_t top)
{
	struct wrap_row row;

	top = wrap_reach(wrap, s, top);
	for (int y = 0; y < s.height && wrap_row_at(wrap, top + (size_t)y, &row); y++) {
		const char *text = wrap->text + row.start;
		if (row.start == 0 || text[-1] == '\n')
			draw_first_line(s, y, text, row.end - row.start);
		else
			surface_textn(
			    s, 0, y, style_of(ROLE_STRING), text, row.end - row.start);
	}
}

/* ---- drawing ---- */

/* Behind the bracket that a row ends with: "… 12 members},". */
static void
draw_fold(struct json_view *v, struct surface s, int y, const struct wrap_row *row)
{
	const struct json_outline *o = &v->folds.outline;
	int x = (int)glyph_columns(v->wrap.text + row->start, row->end - row->start);
	struct buf text = BUF_INIT;
	size_t children, line = json_outline_line(o, row->end);
	size_t end = json_outline_close(o, line, &children);
	bool is_object = v->wrap.text[row->end - 1] == '{';

	buf_add_str(&text, "…");
	if (end < o->len || v->whole) {
		buf_add_char(&text, ' ');
		units_add_counted(&text, children, is_object ? "member" : "item");
		buf_add_char(&text, is_object ? '}' : ']');
		buf_add_str(&text, v->wrap.text[end - 1] == ',' ? "," : "");
	} else {
		json_view_lay_out(v);
	}
	surface_text(s, x, y, -1, style_of(ROLE_DIM), buf_text(&text));
	buf_finish(&text);
}

static void
draw_folds(struct json_view *v, struct surface s)
{
	struct wrap_row row;

	for (int y = 0; y < s.height; y++) {
		if (v->top + (size_t)y >= v->wrap.known ||
		    !wrap_row_at(&v->wrap, v->top + (size_t)y, &row))
			return;
		if (row.end > row.start && row.end < v->wrap.len && v->wrap.text[row.end] == '\n' &&
		    v->folds.wrap.end(&v->folds.wrap, row.end) > row.end)
			draw_fold(v, s, y, &row);
	}
}

static void
draw(void *state, const struct view_env *env, struct surface s)
{
	struct json_view *v = state;

	v->height = s.height;
	json_view_set_width(v, s.width);
	wrap_work(&v->wrap, SIZE_MAX, JSON_VIEW_AT_ONCE);
	if (v->top > v->wrap.known / 2)
		json_view_lay_out(v);
	v->top = v->cursor < v->top ? v->cursor : v->top;
	if (s.height > 0 && v->cursor - v->top >= (size_t)s.height)
		v->top = v->cursor - (size_t)s.height + 1;
	size_t top = wrap_reach(&v->wrap, s, v->top);
	view_json_rows(&v->wrap, s, top);
	draw_folds(v, s);
	if (!env->printed && s.height > 0 && v->cursor - top < (size_t)s.height)
		surface_select_row(s, (int)(v->cursor - top), env->focused);
	surface_scrollbar(s, env->focused, wrap_rows(&v->wrap), v->top);
}

static int
want(void *state, const struct view_env *env, int width)
{
	struct json_view *v = state;

	if (!env->printed)
		return VIEW_ALL_ROWS;
	json_view_set_width(v, width);
	wrap_work(&v->wrap, SIZE_MAX, SIZE_MAX);
	return v->wrap.known < INT_MAX ? (int)v->wrap.known : INT_MAX;
}

static enum role
heading(void *state, const struct view_env *env, struct buf *title, struct buf *facts)
{
	struct json_view *v = state;
	struct buf path = { .max = PATH_MAX_BYTES };

	json_outline_pointer(&v->folds.outline, json_view_line(v, v->cursor), &path);
	if (!path.overflowed)
		buf_add(title, buf_text(&path), path.len);
	buf_finish(&path);
	buf_add_str(facts, "json");
	if (v->folds.level > 0)
		buf_addf(facts, " · level %u", v->folds.level);
	if (v->job)
		buf_addf(facts, " · to the end: %zu MB", job_progress(v->job) >> 20);
	return ROLE_DIM;
}

/* ---- keys ---- */

/* The wheel moves the window, and the cursor only if it would leave it. */
static void
wheel(struct json_view *v, const struct key *key)
{
	size_t height = (size_t)(v->height > 0 ? v->height : 1), top = v->top, cursor = v->cursor;

	scroll_key(key, 1, &top);
	json_view_go_to(v,
	    top < SIZE_MAX - height ? top + height - 1 : SIZE_MAX); /* as far as there are rows */
	size_t last = v->cursor + 1 > height ? v->cursor + 1 - height : 0;
	v->top = top < last ? top : last;
	cursor = cursor < v->top ? v->top : cursor;
	v->cursor = cursor < v->top + height - 1 ? cursor : v->top + height - 1;
	v->cursor = v->cursor < v->wrap.known ? v->cursor
		    : v->wrap.known > 0       ? v->wrap.known - 1
					      : 0;
}

/* A click on the end of a line, the bracket and what is behind it, folds. False: the row is already
 * selected. */
static bool
click(struct json_view *v, const struct key *key)
{
	struct wrap_row row;
	size_t number = v->top + (size_t)key->y, before = v->cursor;

	if (key->y < 0 || number >= v->wrap.known || !wrap_row_at(&v->wrap, number, &row))
		return true;
	v->cursor = number;
	size_t len = row.end - row.start;
	bool ends = row.end == v->wrap.len || v->wrap.text[row.end] == '\n';
	if (ends && key->x >= (int)glyph_columns(v->wrap.text + row.start, len) - 1 &&
	    json_view_fold(v, number, json_folds_has(&v->folds, json_view_line(v, number))))
		return true;
	return number != before;
}

static bool
mouse(struct json_view *v, const struct key *key)
{
	if (key->action == MOUSE_PRESS)
		return click(v, key);
	if (key->action != MOUSE_WHEEL_UP && key->action != MOUSE_WHEEL_DOWN)
		return false;
	wheel(v, key);
	return true;
}

/* Left folds the container, or goes to the line that opens the one around. False: neither. */
static bool
go_left(struct json_view *v)
{
	struct outline_places around = { 0 };
	size_t line = json_view_line(v, v->cursor);

	if (!json_folds_has(&v->folds, line) && json_view_fold(v, v->cursor, false))
		return true;
	json_outline_around(&v->folds.outline, line, &around);
	bool inside = around.len > 0;
	if (inside)
		json_view_go_to(v, wrap_row_of(&v->wrap, around.items[around.len - 1].open));
	free(around.items);
	return inside;
}

static bool
key(void *state, const struct view_env *env, const struct key *key)
{
	struct json_view *v = state;
	uint32_t ch = key->kind == KEY_CHAR && key->mods == 0 ? key->ch : 0;
	size_t cursor = v->cursor;

	v->to_end = false;
	json_view_seek_node(v, NULL);
	if (key->kind == KEY_MOUSE)
		return mouse(v, key);
	if (key->kind == KEY_LEFT || ch == 'h')
		return go_left(v);
	if (key->kind == KEY_RIGHT || ch == 'l')
		json_view_fold(v, cursor, true);
	else if (ch == ' ')
		json_view_fold(v, cursor, json_folds_has(&v->folds, json_view_line(v, cursor)));
	else if (!scroll_key(key, v->height > 1 ? (size_t)v->height - 1 : 1, &cursor))
		return false;
	if (cursor == v->cursor)
		return true;
	json_view_go_to(v, cursor);
	v->to_end = cursor == SIZE_MAX && v->job;
	return true;
}

/* ---- the node of a line ---- */

static const cJSON *
step(struct json_view *v, const cJSON *node, const char *token)
{
	size_t index;

	if (!json_is_lazy(node))
		return json_pointer_step(node, token);
	if (v->lazy != node) {
		json_reader_destroy(v->reader);
		v->reader = json_reader_create(node, 1);
		v->lazy = node;
	}
	return json_pointer_index(token, json_count(node), &index)
		   ? json_reader_at(v->reader, index)
		   : NULL;
}

static const cJSON *
node_at(struct json_view *v, const char *pointer)
{
	struct buf token = BUF_INIT;
	const cJSON *node = v->value;

	while (node && json_pointer_next(&pointer, &token))
		node = step(v, node, buf_text(&token));
	buf_finish(&token);
	return *pointer ? NULL : node;
}

static const cJSON *
selected(void *state, const struct view_env *env, struct buf *pointer)
{
	struct json_view *v = state;
	struct buf path = BUF_INIT;

	json_outline_pointer(&v->folds.outline, json_view_line(v, v->cursor), &path);
	const cJSON *node = node_at(v, buf_text(&path));
	buf_add(pointer, buf_text(&path), path.len);
	buf_finish(&path);
	return node;
}

static bool
reveal(void *state, const struct view_env *env, const char *pointer)
{
	struct json_view *v = state;

	if (!node_at(v, pointer))
		return false;
	json_view_seek_node(v, pointer);
	return true;
}

/* ---- search ---- */

/* A huge value is formatted to its end for a search. */
static enum seek_result
seek_on(const struct seekable *s, const struct substring *n, size_t *at)
{
	struct json_view *v = (struct json_view *)s->with;
	struct seekable known = seek_wrap(&v->wrap, &v->top, v->height, 0);
	enum seek_result result = known.seek(&known, n, at);

	if (result != SEEK_DONE || v->whole)
		return result;
	json_view_lay_out(v);
	return v->whole ? SEEK_MORE : SEEK_LATER;
}

static void
show_hit(const struct seekable *s, size_t at)
{
	struct json_view *v = (struct json_view *)s->with;

	json_view_unfold_around(v, at);
	seek_wrap(&v->wrap, &v->top, v->height, 0).show(s, at);
	v->cursor = wrap_row_of(&v->wrap, at);
}

static size_t
place_of_cursor(const struct seekable *s)
{
	struct json_view *v = (struct json_view *)s->with;

	return json_view_row_start(v, v->cursor);
}

static bool
seek(void *state, const struct view_env *env, struct seekable *out)
{
	struct json_view *v = state;

	*out = seek_wrap(&v->wrap, &v->top, v->height, 0);
	out->with = v;
	out->seek = seek_on;
	out->show = show_hit;
	out->place = place_of_cursor;
	out->version = 0; /* the same text, grown */
	out->whole = v->whole ? v->text : NULL;
	return true;
}

/* ---- folding to a level ---- */

/* The line of the cursor, or what it is in now, stays selected unless it is far down. */
static void
fold_to(struct json_view *v, unsigned level)
{
	size_t line = json_view_line(v, v->cursor);

	v->folds.level = level;
	v->folds.toggled.len = 0;
	v->cursor = v->top = 0;
	json_view_refold(v, 0);
	if (line <= JSON_VIEW_AT_ONCE)
		v->cursor = wrap_row_of(&v->wrap, line);
}

static unsigned
deepest(const struct json_view *v)
{
	size_t most = v->folds.outline.deepest, level = v->folds.level;

	return (unsigned)(level > 0 && level < most ? level : most);
}

static bool
act_level(void *state, const struct view_env *env, const char *arg)
{
	unsigned level;

	if (!view_read_level(arg, &level, env))
		return false;
	fold_to(state, level);
	return true;
}

static bool
act_more(void *state, const struct view_env *env, const char *arg)
{
	struct json_view *v = state;

	unsigned level = v->folds.level;

	fold_to(v, level > 0 && level < VIEW_LEVEL_MAX ? level + 1 : level);
	return true;
}

static bool
act_less(void *state, const struct view_env *env, const char *arg)
{
	unsigned level = deepest(state);

	fold_to(state, level > 1 ? level - 1 : 1);
	return true;
}

static const struct view_action actions[] = {
	VIEW_LEVEL_ACTIONS(act_level, act_more, act_less),
	{ 0 },
};

const struct view_ops view_json = {
	.title = "json",
	.help = "the raw JSON, formatted, every digit as received",
	.state_size = sizeof(struct json_view),
	.actions = actions,
	.init = json_view_init,
	.finish = json_view_finish,
	.serves = serves,
	.sync = json_view_sync,
	.seek = seek,
	.want = want,
	.heading = heading,
	.draw = draw,
	.key = key,
	.reveal = reveal,
	.selected = selected,
};

/* SPDX-License-Identifier: MIT */
#include "base/glyph.h"
#include "base/mem.h"
#include "base/units.h"
#include "json/pointer.h"
#include "json/print.h"
#include "json/rows.h"
#include "json_outline.h"
#include "ui/list.h"
#include "view/views.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define PATH_MAX_BYTES 200
/* Bytes of a value that are formatted at once; the rest is formatted in a job. */
#define JSON_VIEW_AT_ONCE ((size_t)256 << 10)

/* The value as formatted JSON, every digit and member exactly as received. A huge value is
 * formatted to its end when its end comes into view. */
struct json_view {
	struct blob *text; /* a job may keep it */
	bool whole;        /* text is all of the value, not only its first lines */
	struct wrap wrap;
	struct json_folds folds;
	uint64_t folded; /* version of the folds */
	const cJSON *value;
	struct json_doc *doc;
	struct jobs *jobs;
	struct job *job;            /* formats or wraps; NULL: none */
	struct json_reader *reader; /* of `lazy`, the lazy array read last */
	const cJSON *lazy;
	size_t top, cursor; /* rows */
	int height;
	bool to_end;  /* go to the last row once it is known */
	char *sought; /* JSON Pointer of the node to select once it is formatted; NULL: none */
};

static size_t json_view_line(struct json_view *v, size_t row);
static void json_view_go_to(struct json_view *v, size_t cursor);
static void seek_node(struct json_view *v, const char *pointer);

/* Bytes wrapped between two checks of the job. */
#define WRAP_A_LOOK ((size_t)1 << 20)

/* A job that formats the value, unless that was done before, and wraps the text. */
struct json_layout {
	struct job job; /* first */
	struct json_view *view;
	const cJSON *value;
	struct json_doc *doc;
	struct blob *text; /* NULL: not formatted yet */
	struct buf formatted;
	struct json_folds folds; /* as they were at the start */
	uint64_t folded;
	struct wrap wrap;
	int width;
};

static void
json_view_init(void *state)
{
	struct json_view *v = state;

	json_folds_init(&v->folds);
	wrap_init(&v->wrap);
	v->wrap.folds = &v->folds.wrap;
}

static void
json_view_finish(void *state)
{
	struct json_view *v = state;

	job_drop(&v->job);
	wrap_finish(&v->wrap);
	json_folds_finish(&v->folds);
	seek_node(v, NULL);
	json_reader_destroy(v->reader);
	blob_unref(v->text);
	v->text = NULL;
	v->reader = NULL;
	v->lazy = NULL;
}

/* ---- the end of a huge value ---- */

static void
json_layout_run(struct job *job)
{
	struct json_layout *l = (struct json_layout *)job;
	const char *text = l->text ? l->text->data : NULL;
	size_t len = l->text ? l->text->len : 0;

	if (!l->text) {
		json_print_some(&l->formatted, l->value, JSON_OUTLINE_INDENT, SIZE_MAX, job);
		text = buf_text(&l->formatted);
		len = l->formatted.len;
	}
	json_outline_read(&l->folds.outline, text, len, job);
	l->wrap.folds = &l->folds.wrap;
	wrap_set(&l->wrap, text, len, l->width);
	while (job_goes_on(job, len) && !wrap_work(&l->wrap, SIZE_MAX, WRAP_A_LOOK))
		continue;
}

/* Wrap the whole lines formatted so far. The selected line stays selected unless it is far down. */
static void
json_view_set_width(struct json_view *v, int width)
{
	bool moves = v->cursor > 0 && v->wrap.width != width;
	size_t line = moves ? json_view_line(v, v->cursor) : SIZE_MAX;

	wrap_set(&v->wrap, v->text ? v->text->data : "", v->folds.outline.len, width);
	if (line <= JSON_VIEW_AT_ONCE)
		v->cursor = wrap_row_of(&v->wrap, line);
}

static void
take_layout(struct json_view *v, struct json_layout *l)
{
	if (!l->text) {
		blob_unref(v->text);
		v->text = blob_take_buf(&l->formatted);
		v->whole = true;
		l->folds.outline.text = l->wrap.text = v->text->data;
		json_outline_finish(&v->folds.outline);
		v->folds.outline = l->folds.outline;
		l->folds.outline = (struct json_outline){ 0 };
		wrap_extend(&v->wrap, v->text->data, v->text->len);
		wrap_refold(&v->wrap, SIZE_MAX);
	}
	if (v->wrap.width == l->width && v->folded == l->folded) {
		wrap_finish(&v->wrap);
		v->wrap = l->wrap;
		v->wrap.folds = &v->folds.wrap;
		wrap_init(&l->wrap);
	}
	if (v->to_end)
		json_view_go_to(v, SIZE_MAX);
	v->to_end = v->job != NULL;
	if (v->sought && v->whole)
		seek_node(v, v->sought);
}

static void
json_layout_done(struct job *job)
{
	struct json_layout *l = (struct json_layout *)job;

	if (!job_is_stopped(job))
		take_layout(l->view, l);
	buf_finish(&l->formatted);
	wrap_finish(&l->wrap);
	json_folds_finish(&l->folds);
	blob_unref(l->text);
	json_doc_destroy(l->doc);
	free(l);
}

/* Format and wrap all of it, in a job. */
static void
json_view_lay_out(struct json_view *v)
{
	if (v->job || (v->whole && wrap_is_complete(&v->wrap)))
		return;
	struct json_layout *l = mem_zalloc(sizeof(*l));
	*l = (struct json_layout){
		.job = { .run = json_layout_run, .done = json_layout_done },
		.view = v,
		.value = v->value,
		.doc = json_doc_ref(v->doc),
		.text = v->whole ? blob_ref(v->text) : NULL,
		.width = v->wrap.width,
		.folded = v->folded,
	};
	json_folds_copy(&l->folds, &v->folds);
	wrap_init(&l->wrap);
	job_start(v->jobs, &l->job, &v->job);
}

static void
json_view_sync(void *state, const struct view_env *env)
{
	struct json_view *v = state;
	struct buf text = BUF_INIT;
	int width = v->wrap.width;
	unsigned level = v->folds.level;

	json_view_finish(v);
	*v = (struct json_view){
		.value = env->in->value,
		.doc = env->in->docs[0],
		.jobs = env->in->jobs,
		.height = v->height,
		.folded = v->folded + 1,
		.folds = { .level = level },
	};
	json_view_init(v);
	v->whole = !v->value || json_print_some(&text, v->value, JSON_OUTLINE_INDENT,
				    env->printed ? SIZE_MAX : JSON_VIEW_AT_ONCE, NULL);
	v->text = blob_take_buf(&text);
	size_t len = v->text->len;
	while (!v->whole && len > 0 && v->text->data[len - 1] != '\n')
		len--;
	json_outline_read(&v->folds.outline, v->text->data, len, NULL);
	json_view_set_width(v, width);
}

/* ---- rows and folds ---- */

/* Return the first byte of a row. If the row is not known after a slice of work, return that of the
 * last known row. */
static size_t
json_view_row_start(struct json_view *v, size_t number)
{
	struct wrap_row row;

	wrap_work(&v->wrap, number + 1, JSON_VIEW_AT_ONCE);
	if (number >= v->wrap.known)
		number = v->wrap.known > 0 ? v->wrap.known - 1 : 0;
	return wrap_row_at(&v->wrap, number, &row) ? row.start : 0;
}

static size_t
json_view_line(struct json_view *v, size_t number)
{
	return json_outline_line(&v->folds.outline, json_view_row_start(v, number));
}

static void
toggle_fold(struct json_view *v, size_t line)
{
	const char *end = memchr(v->wrap.text + line, '\n', v->wrap.len - line);

	json_folds_toggle(&v->folds, line);
	v->folded++;
	wrap_refold(&v->wrap, end ? (size_t)(end - v->wrap.text) : v->wrap.len);
}

/* Fold or unfold the container that the row opens. Return false if it opens none. */
static bool
json_view_fold(struct json_view *v, size_t row, bool open)
{
	size_t line = json_view_line(v, row);

	if (!json_outline_opens(&v->folds.outline, line))
		return false;
	if (json_folds_has(&v->folds, line) == open)
		toggle_fold(v, line);
	return true;
}

/* Unfold the containers around a byte. */
static void
json_view_unfold_around(struct json_view *v, size_t at)
{
	struct outline_places around = { 0 };
	const struct json_outline *o = &v->folds.outline;
	size_t line = json_outline_line(o, at);

	json_outline_around(o, line, &around);
	for (size_t i = 0; i < around.len; i++)
		if (around.items[i].open != line && json_folds_has(&v->folds, around.items[i].open))
			toggle_fold(v, around.items[i].open);
	free(around.items);
}

/* Move the cursor as far as rows are known; draw() moves the window. */
static void
json_view_go_to(struct json_view *v, size_t cursor)
{
	size_t height = (size_t)(v->height > 0 ? v->height : 1);

	wrap_work(&v->wrap, cursor < SIZE_MAX - height ? cursor + height + 1 : SIZE_MAX,
	    JSON_VIEW_AT_ONCE);
	if (cursor >= v->wrap.known - v->wrap.known / 4)
		json_view_lay_out(v);
	size_t last = v->wrap.known > 0 ? v->wrap.known - 1 : 0;
	v->cursor = cursor < last ? cursor : last;
}

/* Select the node, later if it is not formatted yet. NULL: stop seeking. */
static void
seek_node(struct json_view *v, const char *pointer)
{
	enum { USUAL_WIDTH = 80 }; /* before the first drawing */
	size_t line = pointer ? json_outline_find(&v->folds.outline, pointer) : SIZE_MAX;
	char *later = pointer && line == SIZE_MAX && !v->whole ? mem_strdup(pointer) : NULL;

	free(v->sought);
	v->sought = later;
	if (later)
		json_view_lay_out(v);
	if (line == SIZE_MAX)
		return;
	if (v->wrap.width < 1)
		json_view_set_width(v, USUAL_WIDTH);
	json_view_unfold_around(v, line);
	v->cursor = wrap_row_of(&v->wrap, line);
}

static int
serves(const struct view_env *env)
{
	return env->in->value ? 2 : 0;
}

/* ---- drawing ---- */

/* Formatted JSON has one token per line, so a line determines its colors. */
static void
draw_first_row(struct surface s, int y, const char *line, size_t len)
{
	size_t at = 0;

	while (at < len && line[at] == ' ')
		at++;
	int x = (int)at;
	if (at < len && line[at] == '"') {
		size_t end = at + 1; /* of the string */
		while (end < len && line[end] != '"')
			end += line[end] == '\\' ? 2 : 1;
		end = end < len ? end + 1 : len;
		if (end < len && line[end] == ':') {
			x += surface_textn(s, x, y, style_of(ROLE_KEY_NAME), line + at, end - at);
			x += surface_text(s, x, y, -1, style_of(ROLE_DIM), ": ");
			at = end + 1;
			at += at < len && line[at] == ' ';
		}
	}
	char first = at < len ? line[at] : '{';
	enum role role = first == '"'                   ? ROLE_STRING
			 : first == 't' || first == 'f' ? ROLE_BOOLEAN
			 : first == 'n'                 ? ROLE_NULL_VALUE
			 : strchr("-0123456789", first) ? ROLE_NUMBER
							: ROLE_DIM;
	surface_textn(s, x, y, style_of(role), line + at, len - at);
}

void
view_json_rows(struct wrap *wrap, struct surface s, size_t top)
{
	struct wrap_row row;

	top = wrap_reach(wrap, s, top);
	for (int y = 0; y < s.height && wrap_row_at(wrap, top + (size_t)y, &row); y++) {
		const char *text = wrap->text + row.start;
		if (row.start == 0 || text[-1] == '\n')
			draw_first_row(s, y, text, row.end - row.start);
		else
			surface_textn(s, 0, y, style_of(ROLE_STRING), text, row.end - row.start);
	}
}

/* Draw "… 12 members}," after the bracket at the end of a row. */
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
draw(void *state, const struct view_env *env, struct surface s)
{
	struct json_view *v = state;
	struct wrap_row row;

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
	for (int y = 0; y < s.height && v->top + (size_t)y < v->wrap.known; y++) {
		if (!wrap_row_at(&v->wrap, v->top + (size_t)y, &row))
			break;
		if (row.end > row.start && row.end < v->wrap.len && v->wrap.text[row.end] == '\n' &&
		    v->folds.wrap.end(&v->folds.wrap, row.end) > row.end)
			draw_fold(v, s, y, &row);
	}
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

/* The wheel moves the window, and the cursor only to keep it inside. */
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

/* A click on the bracket at the end of a line, or after it, folds. Return false if the row was
 * already selected. */
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

/* Fold the container, or else go to the line that opens the enclosing one. Return false if there is
 * none. */
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
	seek_node(v, NULL);
	if (key->kind == KEY_MOUSE) {
		bool wheels = key->action == MOUSE_WHEEL_UP || key->action == MOUSE_WHEEL_DOWN;
		if (wheels)
			wheel(v, key);
		return wheels || (key->action == MOUSE_PRESS && click(v, key));
	}
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
child_of(struct json_view *v, const cJSON *node, const char *token)
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
		node = child_of(v, node, buf_text(&token));
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
	seek_node(v, pointer);
	return true;
}

/* ---- search ---- */

/* Format a huge value to its end for a search. */
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

/* The line of the cursor, or the fold that hides it, stays selected unless it is far down. */
static void
fold_to(struct json_view *v, unsigned level)
{
	size_t line = json_view_line(v, v->cursor);

	v->folds.level = level;
	v->folds.toggled.len = 0;
	v->cursor = v->top = 0;
	v->folded++;
	wrap_refold(&v->wrap, 0);
	if (line <= JSON_VIEW_AT_ONCE)
		v->cursor = wrap_row_of(&v->wrap, line);
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
	struct json_view *v = state;
	size_t most = v->folds.outline.deepest, level = v->folds.level;

	level = level > 0 && level < most ? level : most;
	fold_to(v, level > 1 ? (unsigned)level - 1 : 1);
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

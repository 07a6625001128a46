/* SPDX-License-Identifier: MIT */
#include "base/glyph.h"
#include "base/mem.h"
#include "base/units.h"
#include "json/pointer.h"
#include "json/print.h"
#include "json/rows.h"
#include "base/vec.h"
#include "ui/list.h"
#include "ui/wrap.h"
#include "view/views.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define JSON_OUTLINE_INDENT 2

/*
 * The containers of formatted JSON, found from its lines: each token has a line. Marks every few
 * KiB record the open containers, so a question about a line costs no more in a long text than in
 * a short one. The text is borrowed.
 */
struct json_outline {
	const char *text;
	size_t len;
	size_t deepest; /* level of a line */
	struct {
		struct outline_mark {
			size_t at, first, depth; /* the start of a line, and its places */
		} * items;
		size_t len, cap;
	} marks;
	struct outline_places {
		struct outline_place {
			size_t open;  /* the line that opens the container */
			size_t index; /* children that begin before the line */
		} * items;
		size_t len, cap;
	} places;
};

/* Bytes between two marks. */
#define MARK_EVERY ((size_t)16 << 10)

static size_t
end_of(const struct json_outline *o, size_t line)
{
	const char *end = o->len > line ? memchr(o->text + line, '\n', o->len - line) : NULL;

	return end ? (size_t)(end - o->text) : o->len;
}

static size_t
token_of(const struct json_outline *o, size_t line)
{
	while (line < o->len && o->text[line] == ' ')
		line++;
	return line;
}

static size_t
depth_of(const struct json_outline *o, size_t line)
{
	return (token_of(o, line) - line) / JSON_OUTLINE_INDENT;
}

static bool
is_opened_before(const struct json_outline *o, size_t end)
{
	return end > 0 && (o->text[end - 1] == '{' || o->text[end - 1] == '[');
}

static bool
closes(const struct json_outline *o, size_t line)
{
	size_t at = token_of(o, line);

	return at < o->len && (o->text[at] == '}' || o->text[at] == ']');
}

/* Return the line of the byte at. */
static size_t
json_outline_line(const struct json_outline *o, size_t at)
{
	const char *before = at > 0 ? memrchr(o->text, '\n', at < o->len ? at : o->len) : NULL;

	return before ? (size_t)(before - o->text) + 1 : 0;
}

/* Return whether the line opens a container with children. */
static bool
json_outline_opens(const struct json_outline *o, size_t line)
{
	size_t end = end_of(o, line);

	return end > line && is_opened_before(o, end);
}

/* ---- reading ---- */

/* Read a line; `around` has the containers open before it. Return the next line. */
static size_t
read_line(const struct json_outline *o, size_t line, struct outline_places *around)
{
	size_t end = end_of(o, line);

	if (closes(o, line)) {
		around->len -= around->len > 0;
	} else {
		if (around->len > 0)
			around->items[around->len - 1].index++;
		if (end > line && is_opened_before(o, end))
			*VEC_PUSH(around) = (struct outline_place){ line, 0 };
	}
	return end < o->len ? end + 1 : o->len;
}

static void
json_outline_finish(struct json_outline *o)
{
	free(o->marks.items);
	free(o->places.items);
	*o = (struct json_outline){ 0 };
}

/* Lines are offsets of their starts. Takes time in proportion to len; the job (may be NULL) stops
 * it. */
static void
json_outline_read(struct json_outline *o, const char *text, size_t len, struct job *job)
{
	struct outline_places around = { 0 };
	size_t next = MARK_EVERY;

	json_outline_finish(o);
	o->text = text;
	o->len = len;
	for (size_t at = 0; at < len;) {
		o->deepest = around.len > o->deepest ? around.len : o->deepest;
		at = read_line(o, at, &around);
		if (at < next)
			continue;
		if (job && !job_goes_on(job, len))
			break;
		*VEC_PUSH(&o->marks) = (struct outline_mark){ at, o->places.len, around.len };
		for (size_t i = 0; i < around.len; i++)
			*VEC_PUSH(&o->places) = around.items[i];
		next = at + MARK_EVERY;
	}
	free(around.items);
}

/* ---- look-ups ---- */

/* Return the number of marks up to `at`, inclusive. */
static size_t
marks_until(const struct json_outline *o, size_t at)
{
	size_t low = 0, high = o->marks.len;

	BISECT(low, high, mid, o->marks.items[mid].at <= at);
	return low;
}

/* Return the end of the line that closes the container opened in `line`, and count its children.
 * If the text ends before, return its length. */
static size_t
json_outline_close(const struct json_outline *o, size_t line, size_t *children)
{
	size_t depth = depth_of(o, line), end = end_of(o, line), at = end + 1;
	const struct outline_mark *marks = o->marks.items;
	size_t low = marks_until(o, line), high = o->marks.len, first = low;

	*children = 0;
	BISECT(low, high, mid,
	    marks[mid].depth > depth && o->places.items[marks[mid].first + depth].open == line);
	if (low > first) { /* continue at the last mark within the container */
		at = marks[low - 1].at;
		*children = o->places.items[marks[low - 1].first + depth].index;
	}
	while (at < o->len) {
		size_t inner = depth_of(o, at);
		end = end_of(o, at);
		if (inner == depth)
			return end;
		*children += inner == depth + 1 && !closes(o, at);
		at = end + 1;
	}
	return o->len;
}

/* Find the containers around a line, from the outermost, including one that it closes. */
static void
json_outline_around(const struct json_outline *o, size_t line, struct outline_places *out)
{
	size_t marks = marks_until(o, line), at = 0;

	out->len = 0;
	if (marks > 0) {
		const struct outline_mark *m = &o->marks.items[marks - 1];
		for (size_t i = 0; i < m->depth; i++)
			*VEC_PUSH(out) = o->places.items[m->first + i];
		at = m->at;
	}
	while (at < line)
		at = read_line(o, at, out);
}

/* Append the key in a line of an object. */
static void
add_key(const struct json_outline *o, size_t line, struct buf *pointer)
{
	size_t start = token_of(o, line), end = start + 1;

	while (end < o->len && o->text[end] != '"')
		end += o->text[end] == '\\' ? 2 : 1;
	end = end < o->len ? end + 1 : o->len;
	struct json_doc *doc =
	    start < end ? json_parse(o->text + start, end - start, NULL, NULL) : NULL;
	const char *key = doc ? cJSON_GetStringValue(json_root(doc)) : NULL;
	if (key)
		json_pointer_add_key(pointer, key);
	json_doc_destroy(doc);
}

/* Append the JSON Pointer of the node in the line. */
static void
json_outline_pointer(const struct json_outline *o, size_t line, struct buf *pointer)
{
	struct outline_places around = { 0 };

	json_outline_around(o, line, &around);
	size_t steps = around.len - (around.len > 0 && closes(o, line));
	for (size_t i = 0; i < steps; i++) {
		const struct outline_place *holder = &around.items[i];
		bool last = i + 1 == around.len;
		if (o->text[end_of(o, holder->open) - 1] == '{')
			add_key(o, last ? line : holder[1].open, pointer);
		else
			json_pointer_add_index(pointer, last ? holder->index : holder->index - 1);
	}
	free(around.items);
}

/* Return the line of the child named by the token of a JSON Pointer, in the container opened in
 * `line`; o->len: none. */
static size_t
find_child(const struct json_outline *o, size_t line, const char *token)
{
	size_t end = end_of(o, line), children, index = 0;
	bool is_object = json_outline_opens(o, line) && o->text[end - 1] == '{';
	struct buf name = BUF_INIT;

	if (is_object)
		json_print_string(&name, token, strlen(token));
	bool fits = is_object ||
		    (json_outline_opens(o, line) && json_pointer_index(token, SIZE_MAX, &index));
	for (size_t at = end + 1; fits && at < o->len && !closes(o, at); at = end + 1) {
		size_t key = token_of(o, at), len = o->len - key;
		bool hit = is_object ? len > name.len && o->text[key + name.len] == ':' &&
					   memcmp(o->text + key, name.data, name.len) == 0
				     : index-- == 0;
		if (hit) {
			buf_finish(&name);
			return at;
		}
		end = json_outline_opens(o, at) ? json_outline_close(o, at, &children)
						: end_of(o, at);
	}
	buf_finish(&name);
	return o->len;
}

/* Return the line of a node; SIZE_MAX: not in the text. */
static size_t
json_outline_find(const struct json_outline *o, const char *pointer)
{
	struct buf token = BUF_INIT;
	size_t line = 0;

	while (line < o->len && json_pointer_next(&pointer, &token))
		line = find_child(o, line, buf_text(&token));
	buf_finish(&token);
	return line < o->len ? line : SIZE_MAX;
}

/* ---- folds ---- */

/* The folded containers: those at a level and deeper, except in lines that were toggled. */
struct json_folds {
	struct wrap_folds wrap; /* first */
	unsigned level;         /* 0: none */
	struct {
		size_t *items; /* lines, in order */
		size_t len, cap;
	} toggled;
	struct json_outline outline;
};

static size_t
position_of(const struct json_folds *f, size_t line)
{
	size_t low = 0, high = f->toggled.len;

	BISECT(low, high, mid, f->toggled.items[mid] < line);
	return low;
}

static bool
is_folded(const struct json_folds *f, size_t line)
{
	size_t at = position_of(f, line);
	bool toggled = at < f->toggled.len && f->toggled.items[at] == line;

	return (f->level > 0 && depth_of(&f->outline, line) >= f->level) != toggled;
}

/* Return whether the line opens a folded container. */
static bool
json_folds_has(const struct json_folds *f, size_t line)
{
	return json_outline_opens(&f->outline, line) && is_folded(f, line);
}

static size_t
hidden_until(const struct wrap_folds *folds, size_t newline)
{
	const struct json_folds *f = (const struct json_folds *)folds;
	size_t children;

	if ((f->level == 0 && f->toggled.len == 0) || !is_opened_before(&f->outline, newline))
		return newline;
	size_t line = json_outline_line(&f->outline, newline);
	return is_folded(f, line) ? json_outline_close(&f->outline, line, &children) : newline;
}

static void
json_folds_init(struct json_folds *f)
{
	*f = (struct json_folds){ .wrap = { hidden_until }, .level = f->level };
}

static void
json_folds_finish(struct json_folds *f)
{
	free(f->toggled.items);
	json_outline_finish(&f->outline);
	json_folds_init(f);
}

/* ---- the view ---- */

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
	v->wrap = (struct wrap){ .width = 1, .folds = &v->folds.wrap };
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
		/* the text has grown after a whole line: its rows stay */
		v->wrap.text = v->text->data;
		v->wrap.len = v->text->len;
		wrap_refold(&v->wrap, SIZE_MAX);
	}
	if (v->wrap.width == l->width && v->folded == l->folded) {
		wrap_finish(&v->wrap);
		v->wrap = l->wrap;
		v->wrap.folds = &v->folds.wrap;
		l->wrap = (struct wrap){ 0 };
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
	l->folds.level = v->folds.level;
	json_folds_init(&l->folds);
	for (size_t i = 0; i < v->folds.toggled.len; i++)
		*VEC_PUSH(&l->folds.toggled) = v->folds.toggled.items[i];
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
	struct json_folds *f = &v->folds;
	const char *end = memchr(v->wrap.text + line, '\n', v->wrap.len - line);
	size_t at = position_of(f, line);

	if (at < f->toggled.len && f->toggled.items[at] == line) {
		VEC_REMOVE(&f->toggled, at);
	} else {
		*VEC_PUSH(&f->toggled) = line;
		memmove(f->toggled.items + at + 1, f->toggled.items + at,
		    (f->toggled.len - 1 - at) * sizeof(*f->toggled.items));
		f->toggled.items[at] = line;
	}
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
json_draw(void *state, const struct view_env *env, struct surface s)
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
json_want(void *state, const struct view_env *env, int width)
{
	struct json_view *v = state;

	if (!env->printed)
		return VIEW_ALL_ROWS;
	json_view_set_width(v, width);
	wrap_work(&v->wrap, SIZE_MAX, SIZE_MAX);
	return v->wrap.known < INT_MAX ? (int)v->wrap.known : INT_MAX;
}

static enum role
json_heading(void *state, const struct view_env *env, struct buf *title, struct buf *facts)
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
json_view_key(void *state, const struct view_env *env, const struct key *key)
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
node_at(struct json_view *v, const char *pointer)
{
	struct buf token = BUF_INIT;
	const cJSON *node = v->value;
	size_t index;

	while (node && json_pointer_next(&pointer, &token)) {
		if (!json_is_lazy(node)) {
			node = json_pointer_step(node, buf_text(&token));
			continue;
		}
		if (v->lazy != node) {
			json_reader_destroy(v->reader);
			v->reader = json_reader_create(node, 1);
			v->lazy = node;
		}
		bool has = json_pointer_index(buf_text(&token), json_count(node), &index);
		node = has ? json_reader_at(v->reader, index) : NULL;
	}
	buf_finish(&token);
	return *pointer ? NULL : node;
}

static const cJSON *
json_selected(void *state, const struct view_env *env, struct buf *pointer)
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
json_seek(void *state, const struct view_env *env, struct seekable *out)
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
	.seek = json_seek,
	.want = json_want,
	.heading = json_heading,
	.draw = json_draw,
	.key = json_view_key,
	.reveal = reveal,
	.selected = json_selected,
};

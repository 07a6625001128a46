/* SPDX-License-Identifier: MIT */
#include "json_outline.h"

#include "base/vec.h"
#include "json/doc.h"
#include "json/pointer.h"
#include "json/print.h"

#include <stdlib.h>
#include <string.h>

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

size_t
json_outline_line(const struct json_outline *o, size_t at)
{
	const char *before = at > 0 ? memrchr(o->text, '\n', at < o->len ? at : o->len) : NULL;

	return before ? (size_t)(before - o->text) + 1 : 0;
}

bool
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

void
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

void
json_outline_finish(struct json_outline *o)
{
	free(o->marks.items);
	free(o->places.items);
	*o = (struct json_outline){ 0 };
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

/* Return the last mark within the container opened in `line`; NULL: none. */
static const struct outline_mark *
last_mark_in(const struct json_outline *o, size_t line, size_t depth)
{
	const struct outline_mark *marks = o->marks.items;
	size_t low = marks_until(o, line), high = o->marks.len, first = low;

	BISECT(low, high, mid,
	    marks[mid].depth > depth && o->places.items[marks[mid].first + depth].open == line);
	return low > first ? &marks[low - 1] : NULL;
}

size_t
json_outline_close(const struct json_outline *o, size_t line, size_t *children)
{
	size_t depth = depth_of(o, line), end = end_of(o, line);
	const struct outline_mark *mark = last_mark_in(o, line, depth);
	size_t at = mark ? mark->at : end + 1;

	*children = mark ? o->places.items[mark->first + depth].index : 0;
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

void
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

void
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

size_t
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

bool
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

void
json_folds_init(struct json_folds *f)
{
	*f = (struct json_folds){ .wrap = { hidden_until }, .level = f->level };
}

void
json_folds_copy(struct json_folds *f, const struct json_folds *from)
{
	f->level = from->level;
	json_folds_init(f);
	for (size_t i = 0; i < from->toggled.len; i++)
		*VEC_PUSH(&f->toggled) = from->toggled.items[i];
}

void
json_folds_finish(struct json_folds *f)
{
	free(f->toggled.items);
	json_outline_finish(&f->outline);
	json_folds_init(f);
}

void
json_folds_toggle(struct json_folds *f, size_t line)
{
	size_t at = position_of(f, line);

	if (at < f->toggled.len && f->toggled.items[at] == line) {
		VEC_REMOVE(&f->toggled, at);
		return;
	}
	*VEC_PUSH(&f->toggled) = line;
	memmove(f->toggled.items + at + 1, f->toggled.items + at,
	    (f->toggled.len - 1 - at) * sizeof(*f->toggled.items));
	f->toggled.items[at] = line;
}

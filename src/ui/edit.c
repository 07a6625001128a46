/* SPDX-License-Identifier: MIT */
#include "ui/edit.h"

#include "base/ascii.h"
#include "base/glyph.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Kinds of changes. A run of changes of one kind is undone together. */
enum burst {
	BURST_NONE,
	BURST_TYPE,
	BURST_BACK,
	BURST_AHEAD,
	BURST_OTHER, /* always undone alone */
};

void
edit_init(struct edit *e, bool lines, size_t max)
{
	*e = (struct edit){ .lines = lines, .goal = -1 };
	buf_init(&e->text, max);
}

static void
clear_undo(struct edit *e)
{
	for (size_t i = 0; i < e->undo_len; i++)
		free(e->undo[i].text);
	free(e->undo);
	e->undo = NULL;
	e->undo_len = 0;
	e->burst = 0;
}

void
edit_finish(struct edit *e)
{
	if (!e)
		return;
	clear_undo(e);
	buf_finish(&e->text);
	edit_init(e, e->lines, e->text.max);
}

void
edit_set(struct edit *e, const char *text, size_t len)
{
	clear_undo(e);
	buf_clear(&e->text);
	buf_add(&e->text, text, len);
	e->cursor = e->text.len;
	e->selected = 0;
	e->left = e->top = 0;
	e->goal = -1;
}

const char *
edit_text(const struct edit *e)
{
	return buf_text(&e->text);
}

static size_t
edit_line_start(const struct edit *e, size_t at)
{
	const char *newline = e->lines && at > 0 ? memrchr(e->text.data, '\n', at) : NULL;

	return newline ? (size_t)(newline - e->text.data) + 1 : 0;
}

static size_t
edit_line_end(const struct edit *e, size_t at)
{
	const char *newline =
	    e->lines && at < e->text.len ? memchr(e->text.data + at, '\n', e->text.len - at) : NULL;

	return newline ? (size_t)(newline - e->text.data) : e->text.len;
}

static size_t
edit_at_column(const struct edit *e, size_t start, size_t column)
{
	size_t end = edit_line_end(e, start), at = start, columns = 0;

	while (at < end) {
		struct glyph g;
		size_t used = glyph_next(e->text.data + at, end - at, &g);
		columns += g.width;
		if (columns > column)
			break;
		at += used;
	}
	return at;
}

static size_t
edit_line(const struct edit *e, int n)
{
	size_t at = 0;

	for (; n > 0; n--) {
		size_t end = edit_line_end(e, at);
		if (end == e->text.len)
			break;
		at = end + 1;
	}
	return at;
}

/* ---- characters ---- */

/* The last start of a character that is not after `at`. */
static size_t
snap(const struct edit *e, size_t at)
{
	const char *text = e->text.data;
	size_t from = at, least = edit_line_start(e, at);

	if (at >= e->text.len)
		return e->text.len;
	/* a printable ASCII byte always begins a character */
	while (from > least && (text[from] < ' ' || text[from] == 0x7f))
		from--;
	for (;;) {
		struct glyph g;
		size_t next = from + glyph_next(text + from, e->text.len - from, &g);
		if (next > at)
			return from;
		from = next;
	}
}

static size_t
before(const struct edit *e, size_t at)
{
	return at > 0 ? snap(e, at - 1) : 0;
}

static size_t
after(const struct edit *e, size_t at)
{
	struct glyph g;

	if (at >= e->text.len)
		return e->text.len;
	return at + glyph_next(e->text.data + at, e->text.len - at, &g);
}

static bool
is_word_byte(char c)
{
	return ascii_is_alnum(c) || c == '_' || (unsigned char)c >= 0x80;
}

static size_t
word_before(const struct edit *e, size_t at)
{
	while (at > 0 && !is_word_byte(e->text.data[at - 1]))
		at--;
	while (at > 0 && is_word_byte(e->text.data[at - 1]))
		at--;
	return snap(e, at);
}

static size_t
word_after(const struct edit *e, size_t at)
{
	while (at < e->text.len && !is_word_byte(e->text.data[at]))
		at++;
	while (at < e->text.len && is_word_byte(e->text.data[at]))
		at++;
	return snap(e, at);
}

/* ---- undo ---- */

static void
remember(struct edit *e, enum burst burst)
{
	enum { MOST_STATES = 64, MOST_BYTES = 4 << 20 };
	size_t bytes = e->text.len;

	if (burst == (enum burst)e->burst && burst != BURST_OTHER)
		return;
	e->burst = burst;
	for (size_t i = 0; i < e->undo_len; i++)
		bytes += e->undo[i].len;
	while (e->undo_len > 0 && (e->undo_len == MOST_STATES || bytes > MOST_BYTES)) {
		bytes -= e->undo[0].len;
		free(e->undo[0].text);
		e->undo_len--;
		memmove(e->undo, e->undo + 1, e->undo_len * sizeof(*e->undo));
	}
	if (!e->undo)
		e->undo = mem_alloc(MOST_STATES * sizeof(*e->undo));
	e->undo[e->undo_len++] = (struct edit_state){
		.text = mem_strndup(buf_text(&e->text), e->text.len),
		.len = e->text.len,
		.cursor = e->cursor,
	};
}

static bool
undo(struct edit *e)
{
	if (e->undo_len == 0)
		return false;
	struct edit_state state = e->undo[--e->undo_len];
	buf_clear(&e->text);
	buf_add(&e->text, state.text, state.len);
	e->cursor = state.cursor;
	e->burst = BURST_NONE;
	free(state.text);
	return true;
}

/* ---- changes ---- */

static bool
delete_range(struct edit *e, size_t from, size_t to, enum burst burst)
{
	if (from >= to)
		return false;
	remember(e, burst);
	memmove(e->text.data + from, e->text.data + to, e->text.len - to);
	buf_truncate(&e->text, e->text.len - (to - from));
	e->cursor = snap(e, from);
	return true;
}

static bool
insert(struct edit *e, const char *text, size_t len, enum burst burst)
{
	size_t tail = e->text.len - e->cursor;

	if (len == 0 || !buf_reserve(&e->text, len))
		return false;
	remember(e, burst);
	memmove(e->text.data + e->cursor + len, e->text.data + e->cursor, tail);
	memcpy(e->text.data + e->cursor, text, len);
	buf_commit(&e->text, len);
	e->cursor += len;
	/* a typed mark may join the character that follows */
	if (snap(e, e->cursor) != e->cursor)
		e->cursor = after(e, snap(e, e->cursor));
	return true;
}

/* Well-formed text without zero bytes, as much of it as fits. */
static bool
paste(struct edit *e, const char *text, size_t len)
{
	struct buf clean = BUF_INIT;

	buf_init(&clean, e->text.max > 0 ? e->text.max - e->text.len : 0);
	if (e->text.max > 0 && clean.max == 0)
		return false;
	while (!e->lines && len > 0 && text[len - 1] == '\n')
		len--;
	while (len > 0) {
		uint32_t ch;
		size_t used = utf8_decode(text, len, &ch);
		if (used == 0)
			ch = 0xfffd;
		if (ch == '\n' && !e->lines)
			ch = ' ';
		if (!utf8_add(&clean, ch))
			break;
		text += used ? used : 1;
		len -= used ? used : 1;
	}
	bool done = insert(e, buf_text(&clean), clean.len, BURST_OTHER);
	buf_finish(&clean);
	return done;
}

static bool
type(struct edit *e, uint32_t ch)
{
	char bytes[4];
	bool done = insert(e, bytes, utf8_encode(ch, bytes), BURST_TYPE);

	if (ch == ' ' || ch == '\n')
		e->burst = BURST_NONE; /* each word is undone alone */
	return done;
}

/* ---- keys ---- */

static void
move_to(struct edit *e, size_t at)
{
	e->cursor = at;
	e->burst = BURST_NONE;
}

/* Up and down; false past the first and the last line. */
static bool
move_lines(struct edit *e, int delta)
{
	size_t start = edit_line_start(e, e->cursor);
	bool moved = false;

	if (e->goal < 0)
		e->goal = (int)glyph_columns(e->text.data + start, e->cursor - start);
	for (; delta < 0 && start > 0; delta++, moved = true)
		start = edit_line_start(e, start - 1);
	for (; delta > 0 && edit_line_end(e, start) < e->text.len; delta--, moved = true)
		start = edit_line_end(e, start) + 1;
	if (moved)
		move_to(e, edit_at_column(e, start, (size_t)e->goal));
	return moved;
}

static bool
vertical_key(struct edit *e, const struct key *key)
{
	int page = e->height > 2 ? e->height - 1 : 1;

	if (!e->lines || key->mods != 0 || e->text.len == 0)
		return false;
	switch (key->kind) {
	case KEY_UP:
		return move_lines(e, -1);
	case KEY_DOWN:
		return move_lines(e, 1);
	case KEY_PAGE_UP:
		return move_lines(e, -page) || e->height > 1;
	case KEY_PAGE_DOWN:
		return move_lines(e, page) || e->height > 1;
	default:
		return false;
	}
}

/* Finds the offset that a key moves the cursor to; false: the key does not move it. */
static bool
target_of(const struct edit *e, const struct key *key, size_t *to)
{
	bool ctrl = key->mods == MOD_CTRL;
	bool word = ctrl || key->mods == MOD_ALT;

	if (key->mods != 0 && !word)
		return false;
	if (key->kind == KEY_LEFT && e->selected > 0)
		*to = e->cursor - e->selected;
	else if (key->kind == KEY_LEFT)
		*to = word ? word_before(e, e->cursor) : before(e, e->cursor);
	else if (key->kind == KEY_RIGHT)
		*to = word ? word_after(e, e->cursor) : after(e, e->cursor);
	else if (key->kind == KEY_HOME)
		*to = ctrl ? 0 : edit_line_start(e, e->cursor);
	else if (key->kind == KEY_END)
		*to = ctrl ? e->text.len : edit_line_end(e, e->cursor);
	else if (key->kind == KEY_CHAR && key->ch == 'a' && ctrl)
		*to = edit_line_start(e, e->cursor);
	else if (key->kind == KEY_CHAR && key->ch == 'e' && ctrl)
		*to = edit_line_end(e, e->cursor);
	else if (key->kind == KEY_CHAR && key->mods == MOD_ALT &&
		 (key->ch == 'b' || key->ch == 'f'))
		*to = key->ch == 'b' ? word_before(e, e->cursor) : word_after(e, e->cursor);
	else
		return false;
	return true;
}

/* Finds the range that a key deletes; false: the key does not delete. */
static bool
range_of(const struct edit *e, const struct key *key, size_t *from, size_t *to, enum burst *burst)
{
	bool is_char = key->kind == KEY_CHAR, ctrl = key->mods == MOD_CTRL,
	     alt = key->mods == MOD_ALT;

	*from = *to = e->cursor;
	*burst = BURST_OTHER;
	if (key->kind == KEY_BACKSPACE && key->mods == 0) {
		*from = before(e, e->cursor);
		*burst = BURST_BACK;
	} else if (key->kind == KEY_DELETE && key->mods == 0) {
		*to = after(e, e->cursor);
		*burst = BURST_AHEAD;
	} else if ((is_char && key->ch == 'w' && ctrl) ||
		   (key->kind == KEY_BACKSPACE && (ctrl || alt))) {
		*from = word_before(e, e->cursor);
	} else if ((is_char && key->ch == 'd' && alt) ||
		   (key->kind == KEY_DELETE && (ctrl || alt))) {
		*to = word_after(e, e->cursor);
	} else if (is_char && key->ch == 'u' && ctrl) {
		*from = edit_line_start(e, e->cursor);
	} else if (is_char && key->ch == 'k' && ctrl) {
		*to = edit_line_end(e, e->cursor);
		if (*to == e->cursor && e->lines)
			*to = after(e, e->cursor);
	} else {
		return false;
	}
	return true;
}

/* Keys that change the text; *changed says whether it did. */
static bool
changing_key(struct edit *e, const struct key *key, bool *changed)
{
	bool deletes = key->kind == KEY_BACKSPACE || key->kind == KEY_DELETE;
	bool typed = key->kind == KEY_PASTE || (key->kind == KEY_CHAR && key->mods == 0);
	bool replaced = e->selected > 0 && (deletes || typed);
	size_t from = e->cursor - e->selected, to;
	enum burst burst;

	if (replaced) { /* deleting the selection and typing over it are one step of undo */
		e->selected = 0;
		e->burst = BURST_NONE;
		delete_range(e, from, e->cursor, BURST_TYPE);
	}
	if (replaced && deletes) {
		*changed = true;
		return true;
	}
	if (key->kind == KEY_CHAR && key->mods == 0)
		*changed = type(e, key->ch);
	else if (key->kind == KEY_PASTE)
		*changed = paste(e, key->text, key->len);
	else if (key->kind == KEY_ENTER && e->lines && key->mods == 0)
		*changed = type(e, '\n');
	else if (key->kind == KEY_CHAR && key->ch == 'z' && key->mods == MOD_CTRL)
		*changed = undo(e);
	else if (range_of(e, key, &from, &to, &burst))
		*changed = delete_range(e, from, to, burst);
	else
		return false;
	*changed |= replaced;
	return true;
}

bool
edit_key(struct edit *e, const struct key *key, bool *changed)
{
	bool did = false;
	size_t to;

	if (changed)
		*changed = false;
	if (vertical_key(e, key)) {
		e->selected = 0;
		return true;
	}
	if (target_of(e, key, &to))
		move_to(e, to);
	else if (!changing_key(e, key, &did))
		return false;
	e->selected = 0;
	e->goal = -1;
	if (changed)
		*changed = did;
	return true;
}

void
edit_point(struct edit *e, int x, int y)
{
	size_t start = edit_line(e, e->top + (y > 0 ? y : 0));
	int column = e->left + (x > 0 ? x : 0);

	e->goal = -1;
	e->selected = 0;
	move_to(e, edit_at_column(e, start, (size_t)column));
}

/* ---- drawing ---- */

/* The smallest change of *first that shows [at, at + size) in a window. */
static void
scroll_to(int *first, int at, int size, int window)
{
	if (at + size > *first + window)
		*first = at + size - window;
	if (at < *first)
		*first = at;
}

/* Draws one line; the cursor's cell, if it is in this line, has its own role. */
static void
draw_line(
    const struct edit *e, struct surface s, struct style style, size_t start, int y, bool focused)
{
	size_t end = edit_line_end(e, start), at = start;
	int x = -e->left;

	while (at < end && x < s.width) {
		struct glyph g;
		size_t used = glyph_next(e->text.data + at, end - at, &g);
		bool is_cursor = focused && at == e->cursor;
		bool is_selected = at < e->cursor && e->cursor - at <= e->selected;
		struct style look = style;
		look.attr |= focused && is_selected ? ATTR_REVERSE : 0;
		if (is_cursor && g.kind != GLYPH_PLAIN) /* not in the role of marks */
			surface_put(s, x, y, style_of(ROLE_CURSOR), g.ch);
		else if (x + g.width > 0)
			surface_textn(s, x, y, is_cursor ? style_of(ROLE_CURSOR) : look,
			    e->text.data + at, used);
		x += g.width;
		at += used;
	}
	if (focused && at == end && e->cursor == end)
		surface_put(s, x, y, style_of(ROLE_CURSOR), ' ');
}

void
edit_draw(
    struct edit *e, struct surface s, struct style style, bool focused, const char *placeholder)
{
	size_t start = edit_line_start(e, e->cursor), end = edit_line_end(e, e->cursor);
	size_t columns = glyph_columns(buf_text(&e->text) + start, e->cursor - start);
	size_t all = columns + glyph_columns(buf_text(&e->text) + e->cursor, end - e->cursor);
	struct glyph g = { .width = 1 };

	surface_clear(s, style);
	if (s.width <= 0 || s.height <= 0)
		return;
	e->height = s.height;
	if (e->cursor < end)
		glyph_next(e->text.data + e->cursor, end - e->cursor, &g);
	if (columns > INT_MAX / 2)
		columns = INT_MAX / 2;
	scroll_to(&e->left, (int)columns, g.width, s.width);
	/* no empty room at the right while text is hidden at the left */
	if (!e->lines && e->left > 0 && all + 1 < (size_t)e->left + (size_t)s.width)
		e->left = all + 1 > (size_t)s.width ? (int)all + 1 - s.width : 0;
	int line = 0; /* of the cursor */
	for (size_t at = e->cursor; at > 0 && (at = edit_line_start(e, at)) > 0; at--)
		line++;
	scroll_to(&e->top, line, 1, s.height);
	start = edit_line(e, e->top);
	for (int y = 0; y < s.height; y++) {
		draw_line(e, s, style, start, y, focused);
		end = edit_line_end(e, start);
		if (end == e->text.len)
			break;
		start = end + 1;
	}
	size_t len = e->text.len == 0 && placeholder ? strlen(placeholder) : 0;
	if (len > 0)
		surface_textn(s, 0, 0, style_of(ROLE_HINT), placeholder, len);
	if (len > 0 && focused)
		surface_textn(
		    s, 0, 0, style_of(ROLE_CURSOR), placeholder, glyph_next(placeholder, len, &g));
}

#include "edit_lines.h"

#include "base/ascii.h"
#include "base/glyph.h"
#include "base/mem.h"
#include "base/utf8.h"

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
drop_oldest(struct edit *e)
{
	free(e->undo[0].text);
	e->undo_len--;
	memmove(e->undo, e->undo + 1, e->undo_len * sizeof(*e->undo));
}

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
		drop_oldest(e);
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
		char bytes[4];
		size_t used = utf8_decode(text, len, &ch);
		if (used == 0)
			ch = 0xfffd;
		if (ch == '\n' && !e->lines)
			ch = ' ';
		if (ch != 0 && !buf_add(&clean, bytes, utf8_encode(ch, bytes)))
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

/* Deleting the selection and typing over it are one step of undo. */
static bool
delete_selected(struct edit *e, enum burst burst)
{
	size_t from = e->cursor - e->selected;

	e->selected = 0;
	e->burst = BURST_NONE;
	return delete_range(e, from, e->cursor, burst);
}

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
	bool replaced = e->selected > 0 && (deletes || typed) && delete_selected(e, BURST_TYPE);
	size_t from, to;
	enum burst burst;

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

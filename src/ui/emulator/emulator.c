/* SPDX-License-Identifier: MIT */
#include "ui/emulator.h"

#include "base/buf.h"
#include "base/glyph.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "ui/vterm_library.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST = 2, MOST_COLUMNS = 1000, MOST_ROWS = 500 };

/* Lines that have left the screen at the top, bounded in lines and bytes: the oldest go first. */
enum { KEPT_ROWS = 10000 };
#define KEPT_BYTES ((size_t)8 << 20)

struct kept_row {
	char *bytes;
	size_t len;
};

struct kept_rows {
	struct kept_row *ring; /* KEPT_ROWS; NULL: nothing yet */
	size_t first, len, bytes;
};

/*
 * A row of cells in few bytes: runs of text of one style, without trailing blanks. Each non-ASCII
 * character is a separate run, so that it cannot join its neighbor's cluster.
 */
enum { RIGHT_HALF = -1, REPLACEMENT = 0xfffd };

struct cell_run {
	struct style style;
	uint16_t x, columns, bytes;
};

static bool
is_concealed(const VTermScreenCell *c)
{
#if VTERM_VERSION_MINOR >= 2
	return c->attrs.conceal;
#else
	return false;
#endif
}

/* One cell that is not plain, as text that is exactly as wide. */
static size_t
cell_text(const VTermScreenCell *c, char *out)
{
	struct glyph g;
	size_t len = 0;

	for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && c->chars[i] && !is_concealed(c); i++)
		len += utf8_encode(c->chars[i], out + len);
	if (len == 0)
		return utf8_encode(' ', out);
	glyph_next(out, len, &g);
	if (g.width > c->width)
		return utf8_encode(REPLACEMENT, out);
	len = utf8_encode(g.ch, out);
	for (int i = 0; i < 2 && g.marks[i]; i++)
		len += utf8_encode(g.marks[i], out + len);
	return len;
}

static void
add_run(struct buf *out, const struct cell_run *run, const char *text)
{
	if (run->bytes == 0)
		return;
	buf_add(out, run, sizeof(*run));
	buf_add(out, text, run->bytes);
}

/* Plain characters of one style from x on. Returns the cell after them. */
static int
add_plain(struct buf *out, const VTermScreenCell *cells, int x, int end)
{
	enum { MOST = 512 };
	char text[MOST];
	struct cell_run run = { .style = vterm_cell_style(&cells[x]), .x = (uint16_t)x };

	for (; x < end && run.bytes < MOST; x++) {
		uint32_t ch = cells[x].chars[0];
		ch = ch == 0 || is_concealed(&cells[x]) ? ' ' : ch;
		bool is_plain = ch >= ' ' && ch < 0x7f && !cells[x].chars[1] && cells[x].width <= 1;
		struct style style = vterm_cell_style(&cells[x]);
		if (!is_plain || style.ink != run.style.ink || style.ground != run.style.ground ||
		    style.attr != run.style.attr)
			break;
		text[run.bytes++] = (char)ch;
	}
	run.columns = run.bytes;
	add_run(out, &run, text);
	return x;
}

static void
runs_add(struct buf *out, const VTermScreenCell *cells, int count)
{
	char text[4 * VTERM_MAX_CHARS_PER_CELL];

	while (count > 0 && vterm_cell_is_blank(&cells[count - 1]))
		count--;
	for (int x = 0; x < count;) {
		int next = add_plain(out, cells, x, count);
		if (next == x && cells[x].chars[0] != (uint32_t)RIGHT_HALF) {
			struct cell_run run = { .style = vterm_cell_style(&cells[x]),
				.x = (uint16_t)x };
			run.columns = cells[x].width > 1 ? 2 : 1;
			run.bytes = (uint16_t)cell_text(&cells[x], text);
			add_run(out, &run, text);
		}
		x = next > x ? next : x + 1;
	}
}

/* ---- to the surface ---- */

static void
runs_draw(struct surface s, int y, const char *runs, size_t len)
{
	struct cell_run run;

	for (size_t at = 0; at + sizeof(run) <= len; at += sizeof(run) + run.bytes) {
		memcpy(&run, runs + at, sizeof(run));
		surface_textn(surface_sub(s, run.x, y, run.columns, 1), 0, 0, run.style,
		    runs + at + sizeof(run), run.bytes);
	}
}

/* ---- kept rows ---- */

/* Return a row; 0 is the oldest. */
static struct kept_row *
kept_rows_at(const struct kept_rows *h, size_t index)
{
	return &h->ring[(h->first + index) % KEPT_ROWS];
}

static void
kept_rows_drop(struct kept_rows *h)
{
	struct kept_row *line = kept_rows_at(h, 0);

	h->bytes -= line->len;
	free(line->bytes);
	h->first = (h->first + 1) % KEPT_ROWS;
	h->len--;
}

static void
kept_rows_finish(struct kept_rows *h)
{
	while (h->len > 0)
		kept_rows_drop(h);
	free(h->ring);
	*h = (struct kept_rows){ 0 };
}

/* ---- the emulator ---- */

struct emulator {
	const struct vterm_functions *f;
	VTerm *vt;
	VTermState *state;
	VTermScreen *screen;
	struct emulator_events events;
	void *user;
	struct emulator_facts facts;
	struct kept_rows history;
	struct vterm_feeder feeder;
	bool cursor_hidden, cursor_is_line;
	int buttons; /* of the mouse that the program saw pressed, as bits */
	VTermScreenCell *row;
	struct buf runs; /* of the row being drawn */
};

/* ---- output of the program ---- */

static void
on_output(const char *bytes, size_t len, void *user)
{
	struct emulator *e = user;

	e->events.on_output(e->user, bytes, len);
}

static void
set_title(struct emulator *e, const VTermValue *value)
{
	char *title = e->facts.title;

#if VTERM_VERSION_MINOR >= 2
	size_t had = value->string.initial ? 0 : strlen(title);
	size_t room = sizeof(e->facts.title) - 1 - had;
	size_t len = value->string.len < room ? value->string.len : room;
	memcpy(title + had, value->string.str, len);
	title[had + len] = '\0';
#else
	utf8_copy(title, sizeof(e->facts.title), value->string);
#endif
}

static int
on_property(VTermProp property, VTermValue *value, void *user)
{
	struct emulator *e = user;

	switch (property) {
	case VTERM_PROP_CURSORVISIBLE:
		e->cursor_hidden = !value->boolean;
		break;
	case VTERM_PROP_CURSORSHAPE:
		e->cursor_is_line = value->number != VTERM_PROP_CURSORSHAPE_BLOCK;
		break;
	case VTERM_PROP_ALTSCREEN:
		e->facts.is_alternate = value->boolean;
		e->facts.back = 0;
		break;
	case VTERM_PROP_TITLE:
		set_title(e, value);
		break;
	case VTERM_PROP_MOUSE:
		e->facts.wants_mouse = value->number != VTERM_PROP_MOUSE_NONE;
		e->buttons = 0;
		break;
	default:
		break;
	}
	return 1;
}

static int
on_bell(void *user)
{
	struct emulator *e = user;

	e->facts.bells++;
	return 1;
}

/* Keep the same lines in view for a user who has scrolled back. */
static int
on_line_gone(int columns, const VTermScreenCell *cells, void *user)
{
	struct emulator *e = user;
	struct kept_rows *h = &e->history;

	buf_clear(&e->runs);
	runs_add(&e->runs, cells, columns);
	size_t len = e->runs.len;
	if (!h->ring)
		h->ring = mem_zalloc(KEPT_ROWS * sizeof(*h->ring));
	while (h->len > 0 && (h->len == KEPT_ROWS || h->bytes + len > KEPT_BYTES))
		kept_rows_drop(h);
	*kept_rows_at(h, h->len++) =
	    (struct kept_row){ .bytes = len > 0 ? mem_dup(e->runs.data, len) : NULL, .len = len };
	h->bytes += len;
	e->facts.back += e->facts.back > 0;
	emulator_scroll(e, 0);
	return 1;
}

#if VTERM_VERSION_MINOR >= 3
static int
on_history_cleared(void *user)
{
	struct emulator *e = user;

	kept_rows_finish(&e->history);
	e->facts.back = 0;
	return 1;
}
#endif

/* A later release's struct may be longer: zeros follow. */
static const struct {
	VTermScreenCallbacks ours;
	void *more[4];
} callbacks = { .ours = {
		    .settermprop = on_property,
		    .bell = on_bell,
		    .sb_pushline = on_line_gone,
#if VTERM_VERSION_MINOR >= 3
		    .sb_clear = on_history_cleared,
#endif
		} };

/* ---- the size ---- */

static void
set_size(struct emulator *e, int width, int height)
{
	e->facts.width = clamp(width, LEAST, MOST_COLUMNS);
	e->facts.height = clamp(height, LEAST, MOST_ROWS);
	e->row = mem_realloc(e->row, (size_t)e->facts.width * sizeof(*e->row));
}

void
emulator_resize(struct emulator *e, int width, int height)
{
	int old_width = e->facts.width, old_height = e->facts.height;

	set_size(e, width, height);
	if (e->facts.width != old_width || e->facts.height != old_height)
		e->f->vterm_set_size(e->vt, e->facts.height, e->facts.width);
}

struct emulator *
emulator_create(
    int width, int height, const struct emulator_events *events, void *user, struct err *err)
{
	const struct vterm_functions *f = vterm_library(err);

	if (!f)
		return NULL;
	struct emulator *e = mem_zalloc(sizeof(*e));
	e->f = f;
	e->events = *events;
	e->user = user;
	set_size(e, width, height);
	e->vt = vterm_library_open(f, e->facts.width, e->facts.height);
	f->vterm_output_set_callback(e->vt, on_output, e);
	e->state = f->vterm_obtain_state(e->vt);
	e->screen = f->vterm_obtain_screen(e->vt);
	f->vterm_screen_set_callbacks(e->screen, &callbacks.ours, e);
	f->vterm_screen_set_damage_merge(e->screen, VTERM_DAMAGE_SCROLL);
	f->vterm_screen_enable_altscreen(e->screen, 1);
	f->vterm_screen_reset(e->screen, 1);
	return e;
}

void
emulator_destroy(struct emulator *e)
{
	if (!e)
		return;
	e->f->vterm_free(e->vt);
	kept_rows_finish(&e->history);
	buf_finish(&e->runs);
	free(e->row);
	free(e);
}

void
emulator_feed(struct emulator *e, const char *bytes, size_t len)
{
	vterm_library_feed(e->f, e->vt, &e->feeder, bytes, len);
}

const struct emulator_facts *
emulator_facts(struct emulator *e)
{
	e->facts.history = e->history.len;
	return &e->facts;
}

void
emulator_scroll(struct emulator *e, int lines)
{
	struct emulator_facts *facts = &e->facts;
	size_t most = facts->is_alternate ? 0 : e->history.len;

	if (lines < 0)
		facts->back -=
		    (size_t) - (long)lines < facts->back ? (size_t) - (long)lines : facts->back;
	else
		facts->back += (size_t)lines;
	if (facts->back > most)
		facts->back = most;
}

/* ---- keys ---- */

static const struct {
	enum key_kind kind;
	VTermKey key;
	int mods; /* that programs know with it: others would come as bytes that few understand */
} named_keys[] = {
	{ KEY_ENTER, VTERM_KEY_ENTER, MOD_ALT },
	{ KEY_TAB, VTERM_KEY_TAB, MOD_ALT | MOD_SHIFT },
	{ KEY_ESCAPE, VTERM_KEY_ESCAPE, MOD_ALT },
	{ KEY_BACKSPACE, VTERM_KEY_BACKSPACE, MOD_ALT },
	{ KEY_DELETE, VTERM_KEY_DEL, -1 },
	{ KEY_INSERT, VTERM_KEY_INS, -1 },
	{ KEY_UP, VTERM_KEY_UP, -1 },
	{ KEY_DOWN, VTERM_KEY_DOWN, -1 },
	{ KEY_LEFT, VTERM_KEY_LEFT, -1 },
	{ KEY_RIGHT, VTERM_KEY_RIGHT, -1 },
	{ KEY_HOME, VTERM_KEY_HOME, -1 },
	{ KEY_END, VTERM_KEY_END, -1 },
	{ KEY_PAGE_UP, VTERM_KEY_PAGEUP, -1 },
	{ KEY_PAGE_DOWN, VTERM_KEY_PAGEDOWN, -1 },
};

static VTermModifier
modifier(int mods)
{
	return (mods & MOD_SHIFT ? VTERM_MOD_SHIFT : 0) | (mods & MOD_ALT ? VTERM_MOD_ALT : 0) |
	       (mods & MOD_CTRL ? VTERM_MOD_CTRL : 0);
}

/* A line end is the key Enter. Controls are left out: pasted text must not press keys. */
static void
paste(struct emulator *e, const char *text, size_t len)
{
	e->f->vterm_keyboard_start_paste(e->vt);
	for (size_t at = 0; at < len;) {
		size_t end = at;
		while (end < len && ((unsigned char)text[end] >= ' ' || text[end] == '\t') &&
		       text[end] != 0x7f)
			end++;
		if (end > at)
			e->events.on_output(e->user, text + at, end - at);
		if (end < len && text[end] == '\n')
			e->events.on_output(e->user, "\r", 1);
		at = end + 1;
	}
	e->f->vterm_keyboard_end_paste(e->vt);
}

static bool
emulator_mouse(struct emulator *e, const struct key *key)
{
	enum { FIRST_WHEEL_BUTTON = 4 };
	int bit = 1 << key->button;
	VTermModifier mods = modifier(key->mods);

	if (!e->facts.wants_mouse)
		return false;
	e->f->vterm_mouse_move(e->vt, clamp(key->y, 0, e->facts.height - 1),
	    clamp(key->x, 0, e->facts.width - 1), mods);
	if (key->action >= MOUSE_WHEEL_UP) {
		int button = FIRST_WHEEL_BUTTON + (int)(key->action - MOUSE_WHEEL_UP);
		e->f->vterm_mouse_button(e->vt, button, true, mods);
		return true;
	}
	if (key->button < 1 || key->button > 3 || key->action == MOUSE_DRAG)
		return true;
	bool pressed = key->action == MOUSE_PRESS;
	if (!pressed && !(e->buttons & bit))
		return true; /* it was pressed elsewhere */
	e->buttons = pressed ? e->buttons | bit : e->buttons & ~bit;
	e->f->vterm_mouse_button(e->vt, key->button, pressed, mods);
	return true;
}

bool
emulator_key(struct emulator *e, const struct key *key)
{
	enum { F_MOST = 12 };

	switch (key->kind) {
	case KEY_CHAR:
		e->f->vterm_keyboard_unichar(e->vt, key->ch, modifier(key->mods));
		return true;
	case KEY_F:
		if (key->ch >= 1 && key->ch <= F_MOST)
			e->f->vterm_keyboard_key(
			    e->vt, (VTermKey)VTERM_KEY_FUNCTION((int)key->ch), modifier(key->mods));
		return true;
	case KEY_PASTE:
		paste(e, key->text, key->len);
		return true;
	case KEY_FOCUS_IN:
		e->f->vterm_state_focus_in(e->state);
		return true;
	case KEY_FOCUS_OUT:
		e->f->vterm_state_focus_out(e->state);
		return true;
	case KEY_MOUSE:
		return emulator_mouse(e, key);
	default:
		break;
	}
	for (size_t i = 0; i < ARRAY_LEN(named_keys); i++) {
		if (named_keys[i].kind != key->kind)
			continue;
		e->f->vterm_keyboard_key(
		    e->vt, named_keys[i].key, modifier(key->mods & named_keys[i].mods));
		return true;
	}
	return false;
}

/* ---- drawing ---- */

void
emulator_draw(struct emulator *e, struct surface s, bool has_keyboard)
{
	size_t top = e->history.len - e->facts.back;

	s = surface_sub(s, 0, 0, e->facts.width, e->facts.height);
	for (int y = 0; y < s.height; y++) {
		size_t line = top + (size_t)y;
		if (line < e->history.len) {
			const struct kept_row *old = kept_rows_at(&e->history, line);
			runs_draw(s, y, old->bytes, old->len);
			continue;
		}
		VTermPos at = { .row = (int)(line - e->history.len) };
		for (; at.col < e->facts.width; at.col++)
			if (!e->f->vterm_screen_get_cell(e->screen, at, &e->row[at.col]))
				e->row[at.col] = (VTermScreenCell){ .width = 1 };
		buf_clear(&e->runs);
		runs_add(&e->runs, e->row, e->facts.width);
		runs_draw(s, y, buf_text(&e->runs), e->runs.len);
	}
	if (!has_keyboard || e->cursor_hidden || e->facts.back >= (size_t)e->facts.height)
		return;
	VTermPos at;
	e->f->vterm_state_get_cursorpos(e->state, &at);
	surface_restyle(s, at.col, at.row + (int)e->facts.back, 1,
	    e->cursor_is_line ? ROLE_NONE : ROLE_CURSOR, e->cursor_is_line ? ATTR_UNDERLINE : 0);
}

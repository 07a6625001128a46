/* SPDX-License-Identifier: MIT */
#include "ui/backend.h"

#include "ui/graphics/graphics.h"
#include "terminal.h"

#include "base/mem.h"
#include "base/vec.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SYNC_BEGIN "\033[?2026h"
#define SYNC_END "\033[?2026l"
/* CAN and ST end a sequence that was cut in the middle */
#define SEQUENCE_END "\030\033\\"
#define CURSOR_HIDE "\033[?25l"
#define CURSOR_SHOW "\033[?25h"

/* ---- the mouse ---- */

/*
 * The terminal's reports of the mouse: presses and drags in cells, always; every movement only
 * while something follows it, and then in pixels if the terminal answers that it can (DEC private
 * mode 1016) and the size of a cell is known. A question behind each change of the mode tells from
 * which report on numbers are pixels: answers come in the order of the reports.
 */
struct mouse {
	bool is_on, may_ask;
	int cell_width, cell_height; /* pixels; 0: unknown */
	bool follows;                /* movement is reported too */
	bool was_asked, has_pixels;  /* the terminal knows positions in pixels */
	bool wants_pixels, in_pixels;
};

#define MOUSE_ON "\033[?1002h\033[?1006h"
#define MOUSE_OFF "\033[?1016l\033[?1006l\033[?1003l\033[?1002l" /* all modes that are on */

#define ASK "\033[?1016$p"

/* Modes of a kind exclude each other, so the end of one has to set the other again. */
#define MOVES_ON "\033[?1003h"
#define MOVES_OFF "\033[?1003l\033[?1002h"
#define PIXELS_ON "\033[?1016h" ASK
#define PIXELS_OFF "\033[?1016l\033[?1006h" ASK

/* As DECRPM numbers them. */
enum { UNKNOWN_MODE, IS_SET, IS_RESET, ALWAYS_SET };

static void
mouse_entered(struct mouse *m)
{
	m->follows = m->wants_pixels = m->in_pixels = false;
	m->was_asked = m->has_pixels;
}

static void
set_pixels(struct mouse *m, bool on, struct buf *out)
{
	if (on == m->wants_pixels)
		return;
	m->wants_pixels = on;
	buf_add_str(out, on ? PIXELS_ON : PIXELS_OFF);
}

static bool
mouse_follow(struct mouse *m, bool follows, struct buf *out)
{
	bool asks = follows && m->may_ask && !m->was_asked && m->cell_width > 0;

	if (!m->is_on || follows == m->follows)
		return false;
	m->follows = follows;
	buf_add_str(out, follows ? MOVES_ON : MOVES_OFF);
	if (asks)
		buf_add_str(out, ASK);
	m->was_asked |= asks;
	set_pixels(m, follows && m->has_pixels && m->cell_width > 0, out);
	return asks;
}

static bool
mouse_hear(struct mouse *m, const char *text, size_t len, struct buf *out)
{
	static const char answer[] = "[?1016;", end[] = "$y";
	size_t head = sizeof(answer) - 1;

	if (len != head + 3 || memcmp(text, answer, head) != 0 ||
	    memcmp(text + head + 1, end, 2) != 0)
		return false;
	int state = text[head] - '0';
	m->in_pixels = m->wants_pixels && (state == IS_SET || state == ALWAYS_SET);
	m->has_pixels = m->has_pixels || state == IS_RESET;
	if (!m->wants_pixels)
		set_pixels(m, m->follows && m->has_pixels && m->cell_width > 0, out);
	return true;
}

static void
mouse_locate(const struct mouse *m, struct key *key)
{
	if (!m->in_pixels || m->cell_width <= 0 || m->cell_height <= 0)
		return;
	div_t x = div(key->x, m->cell_width), y = div(key->y, m->cell_height);
	key->x = x.quot;
	key->y = y.quot;
	key->part_x = (uint8_t)(x.rem * KEY_PARTS / m->cell_width);
	key->part_y = (uint8_t)(y.rem * KEY_PARTS / m->cell_height);
}

/* ---- the back end ---- */

struct backend {
	struct tty tty;
	struct screen *screen;
	int width, height;
	bool is_active; /* not suspended */
	bool is_gone;   /* the terminal hung up */
	bool cursor_shown;
	struct buf out; /* frames and extras in order; [sent, len) is still to be written */
	size_t sent;
	char enter[192], leave[128]; /* sequences that set the modes and reset them */
	size_t leave_len;
	struct mouse mouse;
	struct graphics *graphics;
	enum backend_pictures pictures;
	struct graphics_abilities hearing, heard; /* so far, and when it had last said all */
	bool was_asked, may_be_asked, has_answered;
};

/* ---- which description of the terminal ---- */

static bool
starts_with(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool
has_direct_colors(const char *term)
{
	static const char *known[] = { "xterm-kitty", "xterm-ghostty", "foot", "alacritty",
		"wezterm", "contour", "rio" };
	const char *colorterm = getenv("COLORTERM");

	/* GNU screen passes the outer COLORTERM on and then drops the colors */
	if (starts_with(term, "screen") && !getenv("TMUX"))
		return false;
	if (colorterm && (strcmp(colorterm, "truecolor") == 0 || strcmp(colorterm, "24bit") == 0))
		return true;
	for (size_t i = 0; i < ARRAY_LEN(known); i++)
		if (starts_with(term, known[i]))
			return true;
	return strstr(term, "-direct") != NULL;
}

static int
wanted_colors(int asked, const char *term)
{
	const char *no_color = getenv("NO_COLOR");

	if (asked != BACKEND_COLORS_AUTO)
		return asked;
	if (no_color && *no_color)
		return PAINT_MONO;
	return has_direct_colors(term) ? PAINT_RGB : PAINT_256;
}

static struct screen *
create_screen(const struct backend_options *options, int width, int height, struct err *err)
{
	const char *term = getenv("TERM");
	struct screen_options o = {
		.term = term && *term ? term : "unknown",
		.width = width,
		.height = height,
		.ascii = options->ascii,
	};

	o.most_colors = wanted_colors(options->colors, o.term);
	if (o.most_colors == PAINT_RGB) {
		o.term = TERMINFO_RGB_NAME;
		o.terminfo = terminfo_rgb;
		return screen_create(&o, err);
	}
	/* palette numbers mean nothing to a description of direct color */
	if (strstr(o.term, "-direct"))
		o.term = "xterm-256color";
	struct screen *s = screen_create(&o, err);
	if (!s && strcmp(o.term, "dumb") != 0 && strcmp(o.term, "unknown") != 0) {
		/* a terminal that this system has not heard of is most likely one of xterm's kin */
		o.term = "xterm-256color";
		s = screen_create(&o, NULL);
	}
	return s;
}

/* ---- graphics ---- */

const char *const backend_pictures_names[] = {
#define X(id, name) #name,
	BACKEND_PICTURES(X)
#undef X
	    NULL
};

bool
backend_pictures_from_name(const char *name, enum backend_pictures *out)
{
	for (int i = 0; backend_pictures_names[i]; i++)
		if (strcmp(backend_pictures_names[i], name) == 0) {
			*out = (enum backend_pictures)i;
			return true;
		}
	return false;
}

/* The kernel's idea of a cell is of now, the answer of when it was asked. True: a repaint is due.
 */
static bool
choose_graphics(struct backend *b)
{
	struct graphics_abilities a = b->heard;
	int width, height;

	tty_cell_size(&b->tty, &width, &height);
	graphics_set_cell(&a, width, height);
	b->mouse.cell_width = a.cell_width;
	b->mouse.cell_height = a.cell_height;
	if (!graphics_set(b->graphics, b->pictures, &a))
		return false;
	screen_repaint(b->screen);
	return true;
}

/* tmux and screen take kitty's question for a title, and have no such graphics. */
static void
add_questions(struct backend *b, char *out, size_t size)
{
	const char *term = getenv("TERM");
	bool within_another = getenv("TMUX") || getenv("STY") ||
			      (term && (starts_with(term, "tmux") || starts_with(term, "screen")));

	b->was_asked = b->may_be_asked && b->pictures != BACKEND_PICTURES_CELLS;
	b->hearing = (struct graphics_abilities){ 0 };
	snprintf(out, size, "%s%s", b->was_asked && !within_another ? GRAPHICS_ASK_KITTY : "",
	    b->was_asked ? GRAPHICS_ASK : "");
}

bool
backend_hear(struct backend *b, const char *text, size_t len)
{
	if (mouse_hear(&b->mouse, text, len, &b->out))
		return true;
	if (!b->was_asked || !graphics_hear(&b->hearing, text, len))
		return false;
	b->heard = b->hearing;
	b->has_answered = true;
	choose_graphics(b);
	return true;
}

void
backend_locate(const struct backend *b, struct key *key)
{
	mouse_locate(&b->mouse, key);
}

void
backend_use_jobs(struct backend *b, struct jobs *jobs)
{
	graphics_use_jobs(b->graphics, jobs);
}

void
backend_set_pictures(struct backend *b, enum backend_pictures pictures)
{
	char questions[128];

	b->pictures = pictures;
	if (!b->was_asked) {
		add_questions(b, questions, sizeof(questions));
		backend_write_extra(b, questions, strlen(questions));
		screen_repaint(b->screen); /* some terminals show questions that they do not know */
	}
	choose_graphics(b);
}

/* ---- modes ---- */

static void
prepare_modes(struct backend *b, const struct backend_options *o)
{
	const char *term = getenv("TERM");
	bool alternate = screen_info(b->screen)->has_alternate;
	bool answers = !(term && starts_with(term, "linux"));
	char questions[128];

	b->mouse = (struct mouse){ .is_on = o->mouse, .may_ask = answers };
	b->may_be_asked = answers && screen_info(b->screen)->has_alternate;
	b->pictures = o->pictures;
	add_questions(b, questions, sizeof(questions));
	snprintf(b->enter, sizeof(b->enter), "%s" CURSOR_HIDE "\033[?2004h%s%s%s",
	    alternate ? "\033[?1049h" : "", o->mouse ? MOUSE_ON : "",
	    o->ask_background && answers ? "\033]11;?\033\\" : "", questions);
	int len = snprintf(b->leave, sizeof(b->leave),
	    SEQUENCE_END SYNC_END "\033[0m\033[r\033[?7h%s\033[?2004l" CURSOR_SHOW "%s",
	    o->mouse ? MOUSE_OFF : "", alternate ? "\033[?1049l" : "\033[999;1H\r\n");
	b->leave_len = (size_t)len;
}

static bool
enter(struct backend *b, struct err *err)
{
	if (!tty_set_raw(&b->tty))
		return err_set(err, "the terminal's modes cannot be set: %s", strerror(errno));
	b->is_active = true;
	b->cursor_shown = false;
	b->hearing = (struct graphics_abilities){ 0 };
	mouse_entered(&b->mouse);
	tty_write_all(&b->tty, b->enter, strlen(b->enter));
	return true;
}

struct backend *
backend_open(const struct backend_options *options, struct err *err)
{
	struct backend *b = mem_zalloc(sizeof(*b));

	if (!tty_open(&b->tty, options->fd, err)) {
		free(b);
		return NULL;
	}
	tty_size(&b->tty, &b->width, &b->height);
	b->screen = create_screen(options, b->width, b->height, err);
	b->graphics = graphics_create();
	if (b->screen)
		prepare_modes(b, options);
	if (!b->screen || !enter(b, err)) {
		backend_close(b);
		return NULL;
	}
	return b;
}

void
backend_restore_async(const struct backend *b)
{
	if (!b || !b->is_active)
		return;
	const char *farewell = graphics_farewell(b->graphics);
	if (*farewell) {
		tty_write_all(&b->tty, SEQUENCE_END, strlen(SEQUENCE_END));
		tty_write_all(&b->tty, farewell, strlen(farewell));
	}
	tty_write_all(&b->tty, b->leave, b->leave_len);
	tty_set_saved(&b->tty);
}

void
backend_suspend(struct backend *b)
{
	backend_drain(b);
	backend_restore_async(b);
	graphics_forget(b->graphics);
	b->is_active = false;
	buf_clear(&b->out);
	b->sent = 0;
}

bool
backend_resume(struct backend *b, struct err *err)
{
	if (!enter(b, err))
		return false;
	backend_resize(b);
	screen_repaint(b->screen);
	return true;
}

void
backend_close(struct backend *b)
{
	if (!b)
		return;
	if (b->is_active)
		backend_suspend(b);
	screen_destroy(b->screen);
	graphics_destroy(b->graphics);
	tty_close(&b->tty);
	buf_finish(&b->out);
	free(b);
}

/* ---- facts ---- */

struct backend_info
backend_info(const struct backend *b)
{
	return (struct backend_info){
		.fd = b->tty.fd,
		.colors = screen_info(b->screen)->colors,
		.width = b->width,
		.height = b->height,
		.draws_pixels = graphics_is_on(b->graphics),
		.has_answered = b->has_answered,
	};
}

bool
backend_resize(struct backend *b)
{
	int width, height;

	tty_size(&b->tty, &width, &height);
	bool other_cells = choose_graphics(b);
	if (width == b->width && height == b->height)
		return other_cells;
	b->width = width;
	b->height = height;
	screen_resize(b->screen, width, height);
	return true;
}

void
backend_repaint(struct backend *b)
{
	screen_repaint(b->screen);
}

/* ---- frames ---- */

bool
backend_wants_write(const struct backend *b)
{
	return b->is_active && !b->is_gone && b->sent < b->out.len;
}

bool
backend_drain(struct backend *b)
{
	if (!backend_wants_write(b))
		return !b->is_gone;
	ssize_t n = write(b->tty.fd, b->out.data + b->sent, b->out.len - b->sent);
	if (n > 0)
		b->sent += (size_t)n;
	else if (n == 0 || (errno != EAGAIN && errno != EINTR))
		b->is_gone = true;
	if (b->sent == b->out.len || b->is_gone) {
		buf_clear(&b->out);
		b->sent = 0;
	}
	return !b->is_gone;
}

/* Puts the bytes of one frame between the marks of a synchronized update; none for an empty one. */
static void
add_frame(struct backend *b, const struct grid *grid, const struct theme *theme, int x, int y)
{
	size_t start = b->out.len;

	buf_add_str(&b->out, SYNC_BEGIN);
	if (b->cursor_shown)
		buf_add_str(&b->out, CURSOR_HIDE);
	size_t before = b->out.len;
	graphics_plan(b->graphics, grid, b->screen);
	screen_draw(b->screen, grid, theme, (struct screen_cursor){ x, y },
	    graphics_is_on(b->graphics), &b->out);
	graphics_draw(b->graphics, b->screen, &b->out);
	bool show = x >= 0;
	if (b->out.len == before && show == b->cursor_shown) {
		buf_truncate(&b->out, start);
		return;
	}
	if (show)
		buf_add_str(&b->out, CURSOR_SHOW);
	b->cursor_shown = show;
	buf_add_str(&b->out, SYNC_END);
}

bool
backend_flush(struct backend *b, const struct grid *grid, const struct theme *theme, int cursor_x,
    int cursor_y)
{
	if (!b->is_active || b->is_gone)
		return true;
	if (backend_wants_write(b) && (!backend_drain(b) || backend_wants_write(b)))
		return false;
	if (grid->width != b->width || grid->height != b->height)
		return true; /* drawn before a resize */
	if (mouse_follow(&b->mouse, grid->follows_mouse, &b->out))
		screen_repaint(b->screen);
	add_frame(b, grid, theme, cursor_x, cursor_y);
	backend_drain(b);
	return true;
}

void
backend_write_extra(struct backend *b, const char *bytes, size_t len)
{
	if (b->is_active && !b->is_gone)
		buf_add(&b->out, bytes, len);
}

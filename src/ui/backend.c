/* SPDX-License-Identifier: MIT */
#include "ui/backend.h"

#include "ui/graphics/graphics.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"

#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <term.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#define SYNC_BEGIN "\033[?2026h"
#define SYNC_END "\033[?2026l"
/* CAN and ST end a sequence that was cut in the middle */
#define SEQUENCE_END "\030\033\\"
#define CURSOR_HIDE "\033[?25l"
#define CURSOR_SHOW "\033[?25h"

/* ---- the terminal as a device ---- */

struct tty {
	int fd;         /* a private file description if possible, non-blocking */
	bool is_shared; /* fd is the caller's: its flags are put back */
	int saved_flags;
	struct termios saved;
};

static void
tty_close(struct tty *t)
{
	if (t->is_shared)
		fcntl(t->fd, F_SETFL, t->saved_flags);
	else if (t->fd >= 0)
		close(t->fd);
	t->fd = -1;
}

static bool
tty_open(struct tty *t, int fd, struct err *err)
{
	char path[40];

	*t = (struct tty){ .fd = -1, .saved_flags = -1 };
	if (!isatty(fd))
		return err_set(err, "not a terminal");
	/* O_NONBLOCK belongs to the open file description, which a shell or a child may share: set
	 * it only on a private one. */
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	t->fd = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (t->fd < 0) {
		t->fd = fd;
		t->is_shared = true;
		t->saved_flags = fcntl(fd, F_GETFL);
		fcntl(fd, F_SETFL, t->saved_flags | O_NONBLOCK);
	}
	if (tcgetattr(t->fd, &t->saved) == 0)
		return true;
	err_set(err, "the terminal's modes cannot be read: %s", strerror(errno));
	tty_close(t);
	return false;
}

static void
tty_size(const struct tty *t, int *width, int *height)
{
	enum { MOST = 4096 };
	struct winsize size;

	*width = 80;
	*height = 24;
	if (ioctl(t->fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0)
		return;
	*width = size.ws_col < MOST ? size.ws_col : MOST;
	*height = size.ws_row < MOST ? size.ws_row : MOST;
}

/* Writes all of it on leaving, but waits only briefly. Async-signal-safe. */
static void
tty_write_all(const struct tty *t, const char *bytes, size_t len)
{
	enum { PATIENCE_MS = 300 }; /* a terminal stopped by ctrl-s must not keep us from ending */

	while (len > 0) {
		ssize_t n = write(t->fd, bytes, len);
		if (n > 0) {
			bytes += n;
			len -= (size_t)n;
			continue;
		}
		struct pollfd p = { .fd = t->fd, .events = POLLOUT };
		if (n < 0 && errno == EINTR)
			continue;
		if (n == 0 || errno != EAGAIN || poll(&p, 1, PATIENCE_MS) <= 0)
			return;
	}
}

/* ---- from a grid to the bytes that show it ---- */

enum { LOOK_CACHE = 256 };

/* A style as curses has it. */
struct look {
	struct style style;
	uint32_t under;
	bool known;
	attr_t attr;
	int pair;
};

/* Curses here has no terminal: it writes into memory, and its input is never read. */
struct screen {
	SCREEN *curses;
	FILE *file;
	int fd;     /* of the memory behind file */
	int colors; /* PAINT_... */
	bool has_alternate;
	bool cleared; /* the terminal was cleared before the last frame */
	int pair_limit;
	bool ascii;
	int width, height;
	struct cell *shown; /* the grid that curses was given last */
	bool all_changed;
	/* For each row: to be written again; written in the last frame, with unchanged cells too.
	 */
	bool *touched, *written;
	bool will_clear, blank_pictures; /* cells below a picture are blanks */
	struct theme theme;              /* that of `shown` */
	struct theme mono;
	struct look looks[LOOK_CACHE]; /* by a hash of the style; of this theme and these pairs */
	struct map pairs;              /* numbers of pairs of colors, from 1 */
	bool pairs_exhausted;
	cchar_t *row;
};

/* A variable of the environment that is set for a while; children must not see it. */
struct scoped_env {
	const char *name;
	char *old;
};

static struct scoped_env
env_push(const char *name, const char *value)
{
	struct scoped_env e = { .name = name, .old = mem_strdup(getenv(name)) };

	if (value)
		setenv(name, value, 1);
	return e;
}

static const int curses_signals[] = { SIGINT, SIGTERM, SIGTSTP, SIGWINCH };
enum { SIGNAL_COUNT = ARRAY_LEN(curses_signals) };

static void
on_nothing(int signal_number)
{
}

struct screen_options {
	const char *term;     /* NULL: TERM's own */
	const char *terminfo; /* value for TERMINFO while the description is read, or NULL */
	int width, height;
	int most_colors; /* PAINT_..., the description may know less */
	bool ascii;
};

/* newterm() installs signal handlers, which belong to the program, and takes the size from the
 * environment: if its output is not a terminal, it starts with a scroll region of 24 lines. */
static SCREEN *
new_terminal(const struct screen_options *o, FILE *file)
{
	char rows[16], cols[16];
	struct sigaction saved[SIGNAL_COUNT];

	snprintf(rows, sizeof(rows), "%d", o->height);
	snprintf(cols, sizeof(cols), "%d", o->width);
	struct scoped_env env[] = {
		env_push("LINES", rows),
		env_push("COLUMNS", cols),
		env_push("TERMINFO", o->terminfo),
	};
	for (int i = 0; i < SIGNAL_COUNT; i++)
		sigaction(curses_signals[i], NULL, &saved[i]);
	/* With a handler installed, curses never touches this signal. Otherwise it ignores the
	 * signal during each update, and a pending stop is lost. */
	sigaction(SIGTSTP, &(struct sigaction){ .sa_handler = on_nothing }, NULL);
	SCREEN *curses = newterm(o->term, file, stdin);
	for (int i = 0; i < SIGNAL_COUNT; i++)
		sigaction(curses_signals[i], &saved[i], NULL);
	for (size_t i = 0; i < ARRAY_LEN(env); i++) {
		if (env[i].old)
			setenv(env[i].name, env[i].old, 1);
		else
			unsetenv(env[i].name);
		free(env[i].old);
	}
	return curses;
}

static void
set_size(struct screen *s, int width, int height)
{
	size_t cells = (size_t)width * (size_t)height;

	s->width = width;
	s->height = height;
	s->shown = mem_realloc(s->shown, cells * sizeof(*s->shown));
	memset(s->shown, 0, cells * sizeof(*s->shown));
	s->row = mem_realloc(s->row, ((size_t)width + 1) * sizeof(*s->row));
	s->touched = mem_realloc(s->touched, (size_t)height * sizeof(*s->touched));
	s->written = mem_realloc(s->written, (size_t)height * sizeof(*s->written));
	memset(s->touched, 0, (size_t)height * sizeof(*s->touched));
	s->all_changed = true;
}

static bool
start_curses(struct screen *s, const struct screen_options *o, struct err *err)
{
	s->fd = memfd_create("screen", MFD_CLOEXEC);
	s->file = s->fd < 0 ? NULL : fdopen(s->fd, "w");
	if (!s->file)
		return err_set(err, "no memory to draw in: %s", strerror(errno));
	s->curses = new_terminal(o, s->file);
	if (!s->curses)
		return err_set(err, "no description of the terminal \"%.40s\"", o->term);
	if (!cursor_address)
		return err_set(err, "the terminal \"%.40s\" cannot place its cursor", o->term);
	nonl();
	typeahead(-1);
	/* newterm() has switched to the alternate screen; that is not for curses to do */
	s->has_alternate = enter_ca_mode != NULL;
	if (beep() == ERR)       /* this empties curses' own buffer, */
		delay_output(0); /* and so does this, but it sleeps */
	return lseek(s->fd, 0, SEEK_SET) == 0 && ftruncate(s->fd, 0) == 0;
}

static void
screen_destroy(struct screen *s)
{
	if (!s)
		return;
	if (s->curses)
		delscreen(s->curses);
	if (s->file)
		fclose(s->file);
	else if (s->fd >= 0)
		close(s->fd);
	map_finish(&s->pairs);
	free(s->shown);
	free(s->row);
	free(s->touched);
	free(s->written);
	free(s);
}

static struct screen *
screen_create(const struct screen_options *o, struct err *err)
{
	static const int steps[] = { PAINT_8, PAINT_16, PAINT_256, PAINT_RGB };
	struct screen *s = mem_zalloc(sizeof(*s));

	*s = (struct screen){ .fd = -1, .ascii = o->ascii };
	if (!start_curses(s, o, err)) {
		screen_destroy(s);
		return NULL;
	}
	s->colors = PAINT_MONO;
	if (o->most_colors != PAINT_MONO && has_colors() && start_color() != ERR) {
		use_default_colors();
		for (size_t i = 0; i < ARRAY_LEN(steps); i++)
			if (steps[i] <= o->most_colors && steps[i] <= COLORS)
				s->colors = steps[i];
		/* more than 65535 are refused */
		s->pair_limit = COLOR_PAIRS > 60000 ? 60000 : COLOR_PAIRS - 1;
	}
	BUG_IF(!theme_builtin(&s->mono, "mono"));
	set_size(s, o->width, o->height);
	return s;
}

static void
screen_repaint(struct screen *s)
{
	clearok(curscr, TRUE);
	s->all_changed = s->will_clear = true;
}

static int
pair_of(struct screen *s, const struct paint *p)
{
	/* no two pairs of colors have the same hash */
	uint64_t hash = hash_word(0, (uint64_t)(uint32_t)p->fg << 32 | (uint32_t)p->bg);
	size_t at = 0;

	if (p->fg == COLOR_DEFAULT && p->bg == COLOR_DEFAULT)
		return 0;
	uintptr_t number = (uintptr_t)map_next(&s->pairs, hash, &at);
	if (number > 0)
		return (int)number;
	number = s->pairs.len + 1;
	if (number > (uintptr_t)s->pair_limit) {
		s->pairs_exhausted = true;
		return 0;
	}
	map_add(&s->pairs, hash, (void *)number);
	init_extended_pair((int)number, p->fg, p->bg);
	return (int)number;
}

static const struct look *
look_of(struct screen *s, const struct theme *theme, const struct cell *c)
{
	uint32_t hash = c->style.ink * 31 + c->style.ground * 517 + c->under * 131 + c->style.attr;
	struct look *look = &s->looks[(hash ^ hash >> 8 ^ hash >> 16) % LOOK_CACHE];

	if (look->known && look->style.ink == c->style.ink &&
	    look->style.ground == c->style.ground && look->style.attr == c->style.attr &&
	    look->under == c->under)
		return look;
	struct paint p = paint_of(theme, c->style, c->under, s->colors);
	*look = (struct look){
		.style = c->style,
		.under = c->under,
		.known = true,
		.attr = (p.attr & ATTR_BOLD ? A_BOLD : 0) | (p.attr & ATTR_DIM ? A_DIM : 0) |
			(p.attr & ATTR_ITALIC ? A_ITALIC : 0) |
			(p.attr & ATTR_UNDERLINE ? A_UNDERLINE : 0) |
			(p.attr & ATTR_REVERSE ? A_REVERSE : 0),
		.pair = pair_of(s, &p),
	};
	return look;
}

static void
set_char(cchar_t *to, const struct cell *c, const struct look *look, bool mono, bool ascii)
{
	wchar_t text[4] = { (wchar_t)c->ch, (wchar_t)c->marks[0], (wchar_t)c->marks[1], 0 };

	if (c->ch == 0)
		text[0] = L' ';
	if (mono && half_blocks_shade(c)) {
		text[0] = (wchar_t)half_blocks_shade(c);
		text[1] = 0;
	}
	if (ascii) {
		text[0] = (wchar_t)ascii_of((uint32_t)text[0]);
		text[1] = 0;
	}
	setcchar(to, text, look->attr, 0, &look->pair);
}

/* One element per character; a wide character's element covers both of its cells. */
static void
backend_draw_row(struct screen *s, const struct theme *theme, const struct cell *cells, int y)
{
	int count = 0;

	for (int x = 0; x < s->width; x++) {
		bool is_right_half = x > 0 && cells[x].ch == 0 && cells[x - 1].ch != 0;
		if (is_right_half && !s->ascii)
			continue;
		struct cell c = cells[x];
		if (s->blank_pictures && c.picture) /* the picture covers the cell */
			c = (struct cell){
				.ch = ' ', .style = { .ink = ROLE_TEXT }, .under = c.under
			};
		set_char(&s->row[count++], &c, look_of(s, theme, &c), !theme->has_colors, s->ascii);
	}
	mvwadd_wchnstr(stdscr, y, 0, s->row, count);
	if (s->touched[y])
		wredrawln(stdscr, y, 1);
	s->touched[y] = false;
	s->written[y] = true;
}

/* Not memcmp: padding has no value. */
static bool
same_cells(const struct cell *a, const struct cell *b, int count)
{
	for (int i = 0; i < count; i++)
		if (a[i].ch != b[i].ch || a[i].marks[0] != b[i].marks[0] ||
		    a[i].marks[1] != b[i].marks[1] || a[i].style.ink != b[i].style.ink ||
		    a[i].style.ground != b[i].style.ground || a[i].style.attr != b[i].style.attr ||
		    a[i].under != b[i].under || a[i].picture != b[i].picture)
			return false;
	return true;
}

static void
draw_changed_rows(struct screen *s, const struct grid *grid, const struct theme *theme)
{
	static const struct cell blank = { .ch = ' ', .style = { .ink = ROLE_TEXT } };
	cchar_t c;

	if (s->all_changed) {
		set_char(&c, &blank, look_of(s, theme, &blank), false, false);
		wbkgrndset(stdscr, &c);
	}
	for (int y = 0; y < s->height; y++) {
		struct cell *shown = &s->shown[(size_t)y * (size_t)s->width];
		const struct cell *cells = &grid->cells[(size_t)y * (size_t)s->width];
		s->written[y] = false;
		if (!s->all_changed && !s->touched[y] && same_cells(shown, cells, s->width))
			continue;
		backend_draw_row(s, theme, cells, y);
		memcpy(shown, cells, (size_t)s->width * sizeof(*cells));
	}
	s->all_changed = false;
}

struct screen_cursor {
	int x, y; /* x < 0: anywhere */
};

/* Append the bytes that turn the last grid into this one. */
static void
screen_draw(struct screen *s, const struct grid *grid, const struct theme *theme,
    struct screen_cursor cursor, bool blank_pictures, struct buf *out)
{
	if (s->colors == PAINT_MONO)
		theme = &s->mono;
	/* Themes are copied whole, padding included; a false difference would cost one redraw. */
	/* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison) */
	if (memcmp(&s->theme, theme, sizeof(*theme)) != 0) {
		s->theme = *theme;
		memset(s->looks, 0, sizeof(s->looks));
		s->all_changed = true;
	}
	s->all_changed = s->all_changed || s->blank_pictures != blank_pictures;
	s->blank_pictures = blank_pictures;
	draw_changed_rows(s, grid, theme);
	if (s->pairs_exhausted) {
		/* redefined pairs are not redrawn by themselves */
		reset_color_pairs();
		map_clear(&s->pairs);
		memset(s->looks, 0, sizeof(s->looks));
		screen_repaint(s);
		draw_changed_rows(s, grid, theme);
		s->pairs_exhausted = false;
	}
	s->cleared = s->will_clear;
	s->will_clear = false;
	leaveok(stdscr, cursor.x < 0);
	if (cursor.x >= 0)
		wmove(stdscr, cursor.y, cursor.x);
	wnoutrefresh(stdscr);
	doupdate();
	off_t len = lseek(s->fd, 0, SEEK_CUR);
	char *to = len > 0 ? buf_reserve(out, (size_t)len) : NULL;
	if (!to)
		return;
	ssize_t n = pread(s->fd, to, (size_t)len, 0);
	BUG_IF(n != len);
	buf_commit(out, (size_t)n);
	BUG_IF(lseek(s->fd, 0, SEEK_SET) != 0 || ftruncate(s->fd, 0) != 0);
}

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

static struct screen *
create_screen(const struct backend_options *options, int width, int height, struct err *err)
{
	const char *term = getenv("TERM"), *no_color = getenv("NO_COLOR");
	struct screen_options o = {
		.term = term && *term ? term : "unknown",
		.width = width,
		.height = height,
		.ascii = options->ascii,
	};

	o.most_colors = options->colors != BACKEND_COLORS_AUTO ? options->colors
			: no_color && *no_color                ? PAINT_MONO
			: has_direct_colors(o.term)            ? PAINT_RGB
							       : PAINT_256;
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

/* The kernel's idea of a cell is of now, the answer of when it was asked. True: a repaint is due.
 */
static bool
choose_graphics(struct backend *b)
{
	struct graphics_abilities a = b->heard;
	struct winsize size;

	if (ioctl(b->tty.fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0)
		graphics_set_cell(&a, size.ws_xpixel / size.ws_col, size.ws_ypixel / size.ws_row);
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
	const struct mouse *m = &b->mouse;

	if (!m->in_pixels || m->cell_width <= 0 || m->cell_height <= 0)
		return;
	div_t x = div(key->x, m->cell_width), y = div(key->y, m->cell_height);
	key->x = x.quot;
	key->y = y.quot;
	key->part_x = (uint8_t)(x.rem * KEY_PARTS / m->cell_width);
	key->part_y = (uint8_t)(y.rem * KEY_PARTS / m->cell_height);
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
	bool alternate = b->screen->has_alternate;
	bool answers = !(term && starts_with(term, "linux"));
	char questions[128];

	b->mouse = (struct mouse){ .is_on = o->mouse, .may_ask = answers };
	b->may_be_asked = answers && alternate;
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
	struct termios raw = b->tty.saved;

	cfmakeraw(&raw);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	if (tcsetattr(b->tty.fd, TCSANOW, &raw) != 0)
		return err_set(err, "the terminal's modes cannot be set: %s", strerror(errno));
	b->is_active = true;
	b->cursor_shown = false;
	b->hearing = (struct graphics_abilities){ 0 };
	b->mouse.follows = b->mouse.wants_pixels = b->mouse.in_pixels = false;
	b->mouse.was_asked = b->mouse.has_pixels;
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
	b->graphics = graphics_create(options->jobs);
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
	tcflush(b->tty.fd, TCIFLUSH); /* mouse reports and answers that no one will read */
	tcsetattr(b->tty.fd, TCSANOW, &b->tty.saved);
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
		.colors = b->screen->colors,
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
	resize_term(height, width);
	set_size(b->screen, width, height);
	screen_repaint(b->screen);
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
	size_t start = b->out.len;
	buf_add_str(&b->out, SYNC_BEGIN);
	if (b->cursor_shown)
		buf_add_str(&b->out, CURSOR_HIDE);
	size_t before = b->out.len;
	graphics_plan(b->graphics, grid, b->screen->touched);
	screen_draw(b->screen, grid, theme, (struct screen_cursor){ cursor_x, cursor_y },
	    graphics_is_on(b->graphics), &b->out);
	graphics_draw(b->graphics, b->screen->cleared, b->screen->written, &b->out);
	bool show = cursor_x >= 0;
	if (b->out.len == before && show == b->cursor_shown) {
		buf_truncate(&b->out, start); /* nothing changed */
	} else {
		buf_add_str(&b->out, show ? CURSOR_SHOW : "");
		buf_add_str(&b->out, SYNC_END);
		b->cursor_shown = show;
	}
	backend_drain(b);
	return true;
}

void
backend_write_extra(struct backend *b, const char *bytes, size_t len)
{
	if (b->is_active && !b->is_gone)
		buf_add(&b->out, bytes, len);
}

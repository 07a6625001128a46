/* SPDX-License-Identifier: MIT */
#include "terminal.h"

#include "ui/half_blocks.h"
#include "ui/paint.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"

#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <term.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <wchar.h>

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
	int fd; /* of the memory behind file */
	struct screen_info info;
	int pair_limit;
	bool ascii;
	int width, height;
	struct cell *shown; /* the grid that curses was given last */
	bool all_changed;
	bool *touched, *written; /* for each row */
	bool will_clear, blank_pictures;
	struct theme theme; /* that of `shown` */
	struct theme mono;
	struct look looks[LOOK_CACHE]; /* by a hash of the style; of this theme and these pairs */
	struct map pairs;              /* numbers of pairs of colors, from 1 */
	bool pairs_exhausted;
	cchar_t *row;
};

/* ---- opening ---- */

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
set_up_colors(struct screen *s, int most)
{
	static const int steps[] = { PAINT_8, PAINT_16, PAINT_256, PAINT_RGB };

	s->info.colors = PAINT_MONO;
	if (most == PAINT_MONO || !has_colors() || start_color() == ERR)
		return;
	use_default_colors();
	for (size_t i = 0; i < ARRAY_LEN(steps); i++)
		if (steps[i] <= most && steps[i] <= COLORS)
			s->info.colors = steps[i];
	s->pair_limit = COLOR_PAIRS - 1;
	if (s->pair_limit > 60000) /* more than 65535 are refused */
		s->pair_limit = 60000;
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
	s->info.rows_written = s->written;
	s->all_changed = true;
}

static bool
drop_bytes(const struct screen *s)
{
	return lseek(s->fd, 0, SEEK_SET) == 0 && ftruncate(s->fd, 0) == 0;
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
	s->info.has_alternate = enter_ca_mode != NULL;
	if (beep() == ERR)       /* this empties curses' own buffer, */
		delay_output(0); /* and so does this, but it sleeps */
	return drop_bytes(s);
}

struct screen *
screen_create(const struct screen_options *o, struct err *err)
{
	struct screen *s = mem_zalloc(sizeof(*s));

	s->fd = -1;
	s->ascii = o->ascii;
	if (!start_curses(s, o, err)) {
		screen_destroy(s);
		return NULL;
	}
	set_up_colors(s, o->most_colors);
	BUG_IF(!theme_builtin(&s->mono, "mono"));
	set_size(s, o->width, o->height);
	return s;
}

void
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

const struct screen_info *
screen_info(const struct screen *s)
{
	return &s->info;
}

void
screen_repaint(struct screen *s)
{
	clearok(curscr, TRUE);
	s->all_changed = s->will_clear = true;
}

void
screen_touch_row(struct screen *s, int y)
{
	s->touched[y] = true;
}

void
screen_resize(struct screen *s, int width, int height)
{
	resize_term(height, width);
	set_size(s, width, height);
	screen_repaint(s);
}

/* ---- drawing ---- */

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
	struct paint p = paint_of(theme, c->style, c->under, s->info.colors);
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
draw_row(struct screen *s, const struct theme *theme, const struct cell *cells, int y)
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
		draw_row(s, theme, cells, y);
		memcpy(shown, cells, (size_t)s->width * sizeof(*cells));
	}
	s->all_changed = false;
}

static void
take_bytes(struct screen *s, struct buf *out)
{
	off_t len = lseek(s->fd, 0, SEEK_CUR);
	char *to = len > 0 ? buf_reserve(out, (size_t)len) : NULL;
	if (!to)
		return;
	ssize_t n = pread(s->fd, to, (size_t)len, 0);
	BUG_IF(n != len);
	buf_commit(out, (size_t)n);
	BUG_IF(!drop_bytes(s));
}

void
screen_draw(struct screen *s, const struct grid *grid, const struct theme *theme,
    struct screen_cursor cursor, bool blank_pictures, struct buf *out)
{
	if (s->info.colors == PAINT_MONO)
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
	s->info.cleared = s->will_clear;
	s->will_clear = false;
	leaveok(stdscr, cursor.x < 0);
	if (cursor.x >= 0)
		wmove(stdscr, cursor.y, cursor.x);
	wnoutrefresh(stdscr);
	doupdate();
	take_bytes(s, out);
}

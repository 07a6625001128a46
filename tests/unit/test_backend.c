/* SPDX-License-Identifier: MIT */
#include "base/buf.h"
#include "base/vec.h"
#include "test.h"
#include "ui/backend.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <vterm.h>

/* Curses keeps a piece of memory for each terminal it has no description of. */
const char *__lsan_default_suppressions(void);
const char *
__lsan_default_suppressions(void)
{
	return "leak:new_prescr";
}

/* A pseudo terminal with libvterm at its other end. */
static struct {
	int master, slave;
	VTerm *vt;
	VTermScreen *screen;
	struct buf bytes; /* read since the last look */
	struct backend *backend;
	struct theme theme;
	struct grid grid;
} t;

static void
start(const char *term, struct backend_options options, int width, int height)
{
	struct winsize size = { .ws_row = (unsigned short)height, .ws_col = (unsigned short)width };
	struct err err;

	setenv("TERM", term, 1);
	assert_int_equal(openpty(&t.master, &t.slave, NULL, NULL, &size), 0);
	fcntl(t.master, F_SETFL, O_NONBLOCK);
	t.vt = vterm_new(height, width);
	vterm_set_utf8(t.vt, 1);
	t.screen = vterm_obtain_screen(t.vt);
	vterm_screen_enable_altscreen(t.screen, 1);
	vterm_screen_reset(t.screen, 1);
	options.fd = t.slave;
	t.backend = backend_open(&options, &err);
	if (!t.backend)
		fail_msg("%s", err.text);
	assert_true(theme_builtin(&t.theme, "dark"));
	grid_init(&t.grid, width, height);
}

/* Feed the program's output to the terminal, and keep it in t.bytes. */
static void
receive(void)
{
	char bytes[16384];
	ssize_t n;

	buf_clear(&t.bytes);
	while ((n = read(t.master, bytes, sizeof(bytes))) > 0) {
		buf_add(&t.bytes, bytes, (size_t)n);
		vterm_input_write(t.vt, bytes, (size_t)n);
	}
}

static void
finish(void)
{
	backend_close(t.backend);
	receive();
	vterm_free(t.vt);
	close(t.master);
	close(t.slave);
	grid_finish(&t.grid);
	buf_finish(&t.bytes);
	memset(&t, 0, sizeof(t));
}

static void
flush(void)
{
	assert_true(backend_flush(t.backend, &t.grid, &t.theme, -1, 0));
	for (int i = 0; i < 1000 && backend_wants_write(t.backend); i++) {
		receive();
		assert_true(backend_drain(t.backend));
	}
	assert_false(backend_wants_write(t.backend));
	receive();
}

static uint32_t
rgb_of(VTermColor color)
{
	vterm_screen_convert_color_to_rgb(t.screen, &color);
	return (uint32_t)(color.rgb.red << 16 | color.rgb.green << 8 | color.rgb.blue);
}

/* Compare every cell of the terminal with the grid. */
static void
assert_shown(bool with_colors)
{
	for (int y = 0; y < t.grid.height; y++) {
		for (int x = 0; x < t.grid.width; x++) {
			const struct cell *c = &t.grid.cells[y * t.grid.width + x];
			VTermScreenCell seen;
			vterm_screen_get_cell(t.screen, (VTermPos){ .row = y, .col = x }, &seen);
			uint32_t ch = seen.chars[0] == (uint32_t)-1 ? 0
				      : seen.chars[0]               ? seen.chars[0]
								    : ' ';
			if (ch != c->ch)
				fail_msg("at %d,%d: U+%04X instead of U+%04X", x, y, ch, c->ch);
			if (c->marks[0] && seen.chars[1] != c->marks[0])
				fail_msg("at %d,%d: mark U+%04X", x, y, seen.chars[1]);
			if (!with_colors || c->ch == 0)
				continue;
			struct paint p = paint_of(&t.theme, c->style, c->under, PAINT_RGB);
			assert_int_equal(rgb_of(seen.bg), (uint32_t)p.bg);
			assert_int_equal(!!seen.attrs.reverse, !!(p.attr & ATTR_REVERSE));
			if (c->ch == ' ')
				continue;
			assert_int_equal(rgb_of(seen.fg), (uint32_t)p.fg);
			assert_int_equal(!!seen.attrs.bold, !!(p.attr & ATTR_BOLD));
			assert_int_equal(!!seen.attrs.italic, !!(p.attr & ATTR_ITALIC));
		}
	}
}

static bool
was_sent(const char *bytes)
{
	return t.bytes.len > 0 && memmem(t.bytes.data, t.bytes.len, bytes, strlen(bytes)) != NULL;
}

static unsigned seed = 1;

static unsigned
pick(unsigned below)
{
	seed = seed * 1103515245 + 12345;
	return (seed >> 16) % below;
}

static void
draw_something(void)
{
	static const char *texts[] = { "hello", "日本語", "e\xcc\x81tude", "     ", "a日b",
		"──────", "x", "1234567890" };
	struct surface s = surface_whole(&t.grid);

	if (pick(10) == 0)
		surface_clear(s, style_on(ROLE_TEXT, pick(ROLE_COUNT)));
	for (int i = 0; i < 12; i++) {
		struct style style = { .ink = pick(ROLE_COUNT),
			.ground = pick(3) ? 0 : pick(ROLE_COUNT) };
		surface_text(s, (int)pick(70) - 3, (int)pick(20), -1, style, texts[pick(8)]);
	}
	if (pick(3) == 0) /* as if scrolled */
		memmove(t.grid.cells, t.grid.cells + t.grid.width,
		    sizeof(struct cell) * (size_t)t.grid.width * (size_t)(t.grid.height - 1));
}

static void
test_any_frames(void **state)
{
	start("xterm-256color", (struct backend_options){ .colors = PAINT_RGB }, 66, 19);
	assert_int_equal(backend_info(t.backend).colors, PAINT_RGB);
	for (int i = 0; i < 150; i++) {
		draw_something();
		flush();
		assert_shown(true);
	}
	finish();
}

static void
test_other_terminals(void **state)
{
	static const struct {
		const char *term;
		int asked, got;
	} cases[] = { { "xterm-256color", BACKEND_COLORS_AUTO, PAINT_256 },
		{ "xterm-256color", PAINT_16, PAINT_16 }, { "tmux-256color", PAINT_256, PAINT_256 },
		{ "xterm", BACKEND_COLORS_AUTO, PAINT_8 },
		{ "vt100", BACKEND_COLORS_AUTO, PAINT_MONO }, { "linux", PAINT_256, PAINT_8 },
		{ "no-such-terminal", BACKEND_COLORS_AUTO, PAINT_256 },
		{ "xterm-kitty", BACKEND_COLORS_AUTO, PAINT_RGB },
		{ "xterm-direct", PAINT_256, PAINT_256 },
		{ "xterm-256color", PAINT_MONO, PAINT_MONO } };
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		start(cases[i].term, (struct backend_options){ .colors = cases[i].asked }, 60, 18);
		assert_int_equal(backend_info(t.backend).colors, cases[i].got);
		for (int frame = 0; frame < 30; frame++) {
			draw_something();
			flush();
			assert_shown(false);
		}
		finish();
	}
}

/* A theme without colors uses none anywhere: a view's own colors become shades. */
static void
test_theme_without_colors(void **state)
{
	struct style own = { STYLE_RGB(0xffffff), STYLE_RGB(0xffffff), 0 };

	start("xterm-256color", (struct backend_options){ .colors = PAINT_RGB }, 20, 4);
	assert_true(theme_builtin(&t.theme, "mono"));
	for (int role = ROLE_SERIES_1; role <= ROLE_SERIES_6; role++)
		surface_text(surface_whole(&t.grid), role - ROLE_SERIES_1, 1, -1,
		    style_of((enum role)role), "x");
	surface_repeat(surface_whole(&t.grid), 0, 0, 5, own, 0x2580);
	flush();
	assert_false(was_sent("38;2"));
	assert_false(was_sent("48;2"));
	for (int x = 0; x < 20; x++) {
		VTermScreenCell seen;
		vterm_screen_get_cell(t.screen, (VTermPos){ .row = 0, .col = x }, &seen);
		assert_int_equal(seen.chars[0] ? seen.chars[0] : ' ', x < 5 ? 0x2588 : ' ');
		assert_true(VTERM_COLOR_IS_DEFAULT_FG(&seen.fg));
		assert_true(VTERM_COLOR_IS_DEFAULT_BG(&seen.bg));
	}
	assert_true(theme_builtin(&t.theme, "dark"));
	flush();
	assert_true(was_sent("2;255;255;255"));
	finish();
}

static void
test_frame_is_bracketed_and_alone(void **state)
{
	start("xterm-256color", (struct backend_options){ .colors = PAINT_RGB }, 80, 24);
	receive();
	draw_something();
	assert_true(backend_flush(t.backend, &t.grid, &t.theme, -1, 0));
	assert_false(backend_wants_write(t.backend)); /* one write was enough */
	receive();
	assert_int_equal(strncmp(t.bytes.data, "\033[?2026h", 8), 0);
	assert_string_equal(t.bytes.data + t.bytes.len - 8, "\033[?2026l");
	/* modes are switched by us, once */
	assert_false(was_sent("\033[?1049h"));
	/* nothing changed: nothing is sent */
	flush();
	assert_int_equal(t.bytes.len, 0);
	/* extras come after the frame, and alone without one */
	surface_text(surface_whole(&t.grid), 0, 0, -1, style_of(ROLE_TEXT), "changed");
	assert_true(backend_flush(t.backend, &t.grid, &t.theme, -1, 0));
	backend_write_extra(t.backend, "\033]7700;1\033\\", 10);
	assert_true(backend_wants_write(t.backend));
	assert_true(backend_drain(t.backend));
	receive();
	assert_string_equal(t.bytes.data + t.bytes.len - 18, "\033[?2026l\033]7700;1\033\\");
	finish();
}

static void
test_stalled_terminal(void **state)
{
	int refused = 0;
	start("xterm-256color", (struct backend_options){ .colors = PAINT_RGB }, 200, 60);
	for (int i = 0; i < 30; i++) {
		for (int c = 0; c < 200 * 60; c++)
			t.grid.cells[c] = (struct cell){ .ch = 'a' + pick(26),
				.style.ink = STYLE_RGB(pick(64) << 6) };
		refused += !backend_flush(t.backend, &t.grid, &t.theme, -1, 0);
	}
	assert_true(refused > 0);
	for (int i = 0; i < 1000 && backend_wants_write(t.backend); i++) {
		receive();
		assert_true(backend_drain(t.backend));
	}
	flush();
	assert_shown(true);
	finish();
}

static void
test_many_colors(void **state)
{
	start("xterm-256color", (struct backend_options){ .colors = PAINT_RGB }, 200, 50);
	/* 10000 new pairs in each frame: more than curses has, several times over */
	for (int i = 0; i < 8; i++) {
		for (int c = 0; c < 200 * 50; c++)
			t.grid.cells[c] = (struct cell){ .ch = 0x2580,
				.style = { .ink = STYLE_RGB(pick(0x8000) * 0x1ff & 0xffffff),
				    .ground = STYLE_RGB(pick(0x8000) * 0x155 & 0xffffff) } };
		flush();
	}
	assert_shown(true);
	finish();
	/* 64 pairs: further text is drawn without its color */
	start("xterm", (struct backend_options){ .colors = PAINT_16 }, 40, 10);
	for (int c = 0; c < 400; c++)
		t.grid.cells[c] = (struct cell){ .ch = 'x',
			.style = { .ink = STYLE_RGB(pick(0x1000000)),
			    .ground = STYLE_RGB(pick(0x1000000)) } };
	flush();
	assert_shown(false);
	finish();
}

static void
test_resize(void **state)
{
	start("xterm-256color", (struct backend_options){ .colors = PAINT_RGB }, 80, 24);
	int sizes[][2] = { { 40, 10 }, { 120, 40 }, { 1, 1 }, { 66, 20 } };
	for (size_t i = 0; i < 4; i++) {
		int width = sizes[i][0], height = sizes[i][1];
		struct winsize size = { .ws_row = (unsigned short)height,
			.ws_col = (unsigned short)width };
		assert_false(backend_resize(t.backend));
		ioctl(t.slave, TIOCSWINSZ, &size);
		vterm_set_size(t.vt, height, width);
		assert_true(backend_resize(t.backend));
		assert_int_equal(backend_info(t.backend).width, width);
		assert_int_equal(backend_info(t.backend).height, height);
		flush(); /* a grid of the old size is ignored */
		grid_finish(&t.grid);
		grid_init(&t.grid, width, height);
		for (int frame = 0; frame < 20; frame++) {
			surface_text(surface_whole(&t.grid), (int)pick(30), (int)pick(10), -1,
			    style_of(ROLE_DIM), "resized");
			flush();
			assert_shown(true);
		}
	}
	finish();
}

static void
assert_same_modes(const struct termios *a, const struct termios *b)
{
	assert_int_equal(a->c_iflag, b->c_iflag);
	assert_int_equal(a->c_oflag, b->c_oflag);
	assert_int_equal(a->c_cflag, b->c_cflag);
	assert_int_equal(a->c_lflag, b->c_lflag);
}

static void
test_restored(void **state)
{
	struct termios before, during, after;
	struct err err;

	start("xterm-256color", (struct backend_options){ .colors = PAINT_RGB, .mouse = true }, 80,
	    24);
	backend_close(t.backend);
	tcgetattr(t.slave, &before);
	assert_true(before.c_lflag & ICANON);
	t.backend = backend_open(
	    &(struct backend_options){ .fd = t.slave, .colors = PAINT_RGB, .mouse = true }, &err);
	assert_non_null(t.backend);
	tcgetattr(t.slave, &during);
	assert_false(during.c_lflag & (ICANON | ECHO | ISIG));
	receive();
	assert_true(was_sent("\033[?1049h") && was_sent("\033[?2004h") && was_sent("\033[?1006h"));
	flush();
	backend_suspend(t.backend);
	receive();
	tcgetattr(t.slave, &after);
	assert_same_modes(&after, &before);
	assert_true(was_sent("\033[?1049l") && was_sent("\033[?2004l") && was_sent("\033[?1006l") &&
		    was_sent("\033[?25h"));
	flush(); /* says nothing while suspended */
	backend_write_extra(t.backend, "x", 1);
	assert_int_equal(t.bytes.len, 0);
	assert_true(backend_resume(t.backend, &err));
	receive();
	assert_true(was_sent("\033[?1049h"));
	surface_text(surface_whole(&t.grid), 0, 0, -1, style_of(ROLE_TEXT), "again");
	flush();
	assert_shown(true);
	backend_restore_async(t.backend);
	receive();
	tcgetattr(t.slave, &after);
	assert_same_modes(&after, &before);
	assert_true(was_sent("\033[?1049l"));
	backend_restore_async(NULL);
	finish();
}

static void
test_cursor_comes_back(void **state)
{
	struct err err;
	VTermPos pos;

	start("xterm-256color", (struct backend_options){ .colors = PAINT_256 }, 80, 24);
	backend_close(t.backend);
	receive();
	vterm_input_write(t.vt, "\033[5;3H$ mcpane  ", 16);
	t.backend =
	    backend_open(&(struct backend_options){ .fd = t.slave, .colors = PAINT_256 }, &err);
	draw_something();
	flush();
	backend_suspend(t.backend);
	receive();
	vterm_state_get_cursorpos(vterm_obtain_state(t.vt), &pos);
	assert_int_equal(pos.row, 4);
	assert_int_equal(pos.col, 12);
	finish();
}

static void
test_environment_and_signals_are_left_alone(void **state)
{
	static const int signals[] = { SIGTERM, SIGINT, SIGTSTP, SIGWINCH };
	struct sigaction action;

	unsetenv("LINES");
	setenv("COLUMNS", "33", 1);
	unsetenv("TERMINFO");
	for (size_t i = 0; i < 4;
	     i++) /* a shell's background job begins with some of them ignored */
		signal(signals[i], SIG_DFL);
	start("xterm-256color", (struct backend_options){ .colors = PAINT_RGB }, 80, 24);
	assert_null(getenv("LINES"));
	assert_null(getenv("TERMINFO"));
	assert_string_equal(getenv("COLUMNS"), "33");
	for (size_t i = 0; i < 4; i++) {
		sigaction(signals[i], NULL, &action);
		assert_true(action.sa_handler == SIG_DFL);
	}
	/* our own non-blocking description of the terminal, not the caller's */
	assert_false(fcntl(t.slave, F_GETFL) & O_NONBLOCK);
	assert_true(fcntl(backend_info(t.backend).fd, F_GETFL) & O_NONBLOCK);
	finish();
	unsetenv("COLUMNS");
}

static void
test_no_color(void **state)
{
	setenv("NO_COLOR", "1", 1);
	setenv("COLORTERM", "truecolor", 1);
	start("xterm-256color", (struct backend_options){ .colors = BACKEND_COLORS_AUTO }, 80, 24);
	assert_int_equal(backend_info(t.backend).colors, PAINT_MONO);
	surface_text(surface_whole(&t.grid), 0, 0, -1, style_of(ROLE_ERROR), "red?");
	surface_text(
	    surface_whole(&t.grid), 0, 1, -1, style_on(ROLE_TEXT, ROLE_SELECTION), "selected");
	flush();
	VTermScreenCell cell;
	vterm_screen_get_cell(t.screen, (VTermPos){ .row = 1, .col = 0 }, &cell);
	assert_true(cell.attrs.reverse);
	vterm_screen_get_cell(t.screen, (VTermPos){ .row = 0, .col = 0 }, &cell);
	assert_true(VTERM_COLOR_IS_DEFAULT_FG(&cell.fg) && VTERM_COLOR_IS_DEFAULT_BG(&cell.bg));
	finish();
	unsetenv("NO_COLOR");
	start("xterm-256color", (struct backend_options){ .colors = BACKEND_COLORS_AUTO }, 80, 24);
	assert_int_equal(backend_info(t.backend).colors, PAINT_RGB);
	finish();
	start("screen", (struct backend_options){ .colors = BACKEND_COLORS_AUTO }, 80, 24);
	assert_int_equal(backend_info(t.backend).colors, PAINT_8);
	finish();
	unsetenv("COLORTERM");
}

static void
test_ascii(void **state)
{
	start("xterm-256color", (struct backend_options){ .colors = PAINT_256, .ascii = true }, 30,
	    4);
	struct surface in = surface_frame(surface_whole(&t.grid), true, "T ✓ ✗ ▸", NULL, ROLE_DIM);
	surface_text(in, 0, 0, -1, style_of(ROLE_TEXT), "日本 e\xcc\x81 é ≈ ☃ “q” ¹²⁹");
	surface_select_row(in, 0, true);
	flush();
	for (size_t i = 0; i < t.bytes.len; i++)
		assert_true((unsigned char)t.bytes.data[i] < 0x80);
	VTermScreenCell cell;
	char row[31] = "";
	for (int x = 0; x < 30; x++) {
		vterm_screen_get_cell(t.screen, (VTermPos){ .row = 1, .col = x }, &cell);
		row[x] = (char)cell.chars[0];
	}
	assert_string_equal(row, "||? ?  e ? ~ ? \"q\" 129       |");
	finish();
}

/* Without colors, a picture's cells become shades, in ASCII too, so that bars stay visible. */
static void
test_shades(void **state)
{
	static const uint32_t grays[] = { 0x000000, 0x404040, 0x808080, 0xb0b0b0, 0xfcfcfc };
	char row[9] = "";
	VTermScreenCell cell;

	start("xterm", (struct backend_options){ .colors = PAINT_MONO, .ascii = true }, 30, 4);
	for (int x = 0; x < 5; x++)
		surface_put(surface_whole(&t.grid), x, 0,
		    (struct style){ STYLE_RGB(grays[x]), STYLE_RGB(grays[x]), 0 }, 0x2580);
	surface_put(surface_whole(&t.grid), 5, 0, style_of(ROLE_TEXT), 0x2580);
	surface_put(surface_whole(&t.grid), 6, 0, style_of(ROLE_TEXT), 0x2588);
	surface_put(surface_whole(&t.grid), 7, 0, style_of(ROLE_TEXT), 0x2591);
	flush();
	for (int x = 0; x < 8; x++) {
		vterm_screen_get_cell(t.screen, (VTermPos){ .row = 0, .col = x }, &cell);
		row[x] = (char)cell.chars[0];
	}
	assert_string_equal(row, " .:%#=#.");
	finish();
}

static void
test_cursor(void **state)
{
	VTermPos pos;

	start("xterm-256color", (struct backend_options){ .colors = PAINT_RGB }, 80, 24);
	flush();
	assert_false(was_sent("\033[?25h"));
	assert_true(backend_flush(t.backend, &t.grid, &t.theme, 7, 3));
	receive();
	assert_true(was_sent("\033[?25h"));
	vterm_state_get_cursorpos(vterm_obtain_state(t.vt), &pos);
	assert_int_equal(pos.row, 3);
	assert_int_equal(pos.col, 7);
	assert_true(backend_flush(t.backend, &t.grid, &t.theme, 9, 3));
	receive();
	vterm_state_get_cursorpos(vterm_obtain_state(t.vt), &pos);
	assert_int_equal(pos.col, 9);
	flush();
	assert_true(was_sent("\033[?25l"));
	finish();
}

static void
test_refusals(void **state)
{
	struct err err;
	int pipes[2];

	assert_int_equal(pipe(pipes), 0);
	assert_null(backend_open(&(struct backend_options){ .fd = pipes[0], .colors = -1 }, &err));
	assert_string_equal(err.text, "not a terminal");
	close(pipes[0]);
	close(pipes[1]);
	assert_int_equal(openpty(&t.master, &t.slave, NULL, NULL, NULL), 0);
	setenv("TERM", "dumb", 1);
	assert_null(backend_open(&(struct backend_options){ .fd = t.slave, .colors = -1 }, &err));
	assert_string_equal(err.text, "the terminal \"dumb\" cannot place its cursor");
	struct termios modes;
	tcgetattr(t.slave, &modes);
	assert_true(modes.c_lflag & ICANON);
	backend_close(NULL);
	close(t.master);
	close(t.slave);
}

static void
test_hang_up(void **state)
{
	start("xterm-256color", (struct backend_options){ .colors = PAINT_RGB }, 80, 24);
	close(t.master);
	for (int i = 0; i < 3; i++) {
		draw_something();
		assert_true(backend_flush(t.backend, &t.grid, &t.theme, -1, 0));
	}
	assert_false(backend_drain(t.backend));
	assert_false(backend_wants_write(t.backend));
	finish();
}

static void
test_background_report(void **state)
{
	static const struct {
		const char *text;
		bool ok, light;
	} cases[] = { { "]11;rgb:ffff/ffff/ffff", true, true },
		{ "]11;rgb:1010/1212/1616", true, false }, { "]11;rgb:fd/f6/e3", true, true },
		{ "]11;rgb:0/0/0", true, false }, { "]11;rgba:fff/fff/fff/0", true, true },
		{ "]10;rgb:ffff/ffff/ffff", false, false }, { "]11;rgb:ffff/ffff", false, false },
		{ "]11;rgb:ffff/ffff/", false, false }, { "]11;rgb:", false, false },
		{ "]11;?", false, false }, { "", false, false },
		{ "]11;rgb:zz/zz/zz", false, false }, { "]11;rgb:fffff/0/0", false, false } };
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		bool light = false;
		assert_int_equal(
		    report_background_is_light(cases[i].text, strlen(cases[i].text), &light),
		    cases[i].ok);
		assert_int_equal(light, cases[i].light);
	}
}

static void
follow_mouse(bool follows)
{
	t.grid.follows_mouse = follows;
	flush();
}

static void
answer(const char *text)
{
	assert_true(backend_hear(t.backend, text, strlen(text)));
	flush();
}

static void
assert_located(int x, int y, int col, int row, int part_x)
{
	struct key key = { .kind = KEY_MOUSE, .x = x, .y = y, .part_x = 128, .part_y = 128 };

	backend_locate(t.backend, &key);
	assert_int_equal(key.x, col);
	assert_int_equal(key.y, row);
	assert_int_equal(key.part_x, part_x);
}

/* Movement is reported while a listener wants it, in pixels if the terminal supports that.
 * Coordinates are pixels after its answer, and cells after the next one. */
static void
test_mouse(void **state)
{
	struct winsize size = { .ws_row = 24, .ws_col = 80, .ws_xpixel = 800, .ws_ypixel = 480 };
	struct err err;

	start("xterm-256color", (struct backend_options){ .colors = PAINT_RGB, .mouse = true }, 80,
	    24);
	follow_mouse(true);
	assert_true(was_sent("\033[?1003h"));
	assert_false(was_sent("\033[?1016")); /* the size of a cell is unknown */
	follow_mouse(false);
	assert_true(was_sent("\033[?1003l\033[?1002h"));
	ioctl(t.slave, TIOCSWINSZ, &size);
	backend_resize(t.backend);
	follow_mouse(true);
	assert_true(was_sent("\033[?1003h\033[?1016$p"));
	assert_located(25, 3, 25, 3, 128);
	answer("[?1016;2$y");
	assert_true(was_sent("\033[?1016h\033[?1016$p"));
	assert_located(25, 3, 25, 3, 128); /* this report was on its way before */
	answer("[?1016;1$y");
	assert_located(25, 43, 2, 2, 128);
	assert_located(799, 0, 79, 0, 230);
	follow_mouse(false);
	assert_true(was_sent("\033[?1003l\033[?1002h\033[?1016l\033[?1006h\033[?1016$p"));
	assert_located(25, 43, 2, 2, 128);
	answer("[?1016;2$y");
	assert_located(25, 3, 25, 3, 128);
	follow_mouse(true); /* it is not asked again */
	assert_true(was_sent("\033[?1003h\033[?1016h"));
	answer("[?1016;1$y");
	/* an editor gets the terminal without any of that, and it comes back */
	backend_suspend(t.backend);
	receive();
	assert_true(was_sent("\033[?1016l") && was_sent("\033[?1003l") && was_sent("\033[?1002l"));
	assert_true(backend_resume(t.backend, &err));
	assert_located(25, 3, 25, 3, 128);
	flush();
	assert_true(was_sent("\033[?1003h\033[?1016h"));
	finish();
	/* A terminal that does not have it, and one that says nonsense. */
	start("xterm-256color", (struct backend_options){ .colors = PAINT_RGB, .mouse = true }, 80,
	    24);
	ioctl(t.slave, TIOCSWINSZ, &size);
	backend_resize(t.backend);
	follow_mouse(true);
	answer("[?1016;0$y");
	assert_false(was_sent("\033[?1016h"));
	answer("[?1016;1$y");
	assert_located(25, 3, 25, 3, 128);
	assert_false(backend_hear(t.backend, "[?1016;22$y", 11));
	finish();
	/* Without the mouse nothing is asked for. */
	start("xterm-256color", (struct backend_options){ .colors = PAINT_RGB }, 80, 24);
	follow_mouse(true);
	assert_false(was_sent("\033[?1003h"));
	finish();
}

TEST_FILE(backend)
{
	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		return 1;
	unsetenv("COLORTERM");
	unsetenv("NO_COLOR");
	unsetenv("TMUX");
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_any_frames),
		cmocka_unit_test(test_other_terminals),
		cmocka_unit_test(test_theme_without_colors),
		cmocka_unit_test(test_frame_is_bracketed_and_alone),
		cmocka_unit_test(test_stalled_terminal),
		cmocka_unit_test(test_many_colors),
		cmocka_unit_test(test_resize),
		cmocka_unit_test(test_restored),
		cmocka_unit_test(test_cursor_comes_back),
		cmocka_unit_test(test_environment_and_signals_are_left_alone),
		cmocka_unit_test(test_no_color),
		cmocka_unit_test(test_ascii),
		cmocka_unit_test(test_shades),
		cmocka_unit_test(test_cursor),
		cmocka_unit_test(test_mouse),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_hang_up),
		cmocka_unit_test(test_background_report),
	};
	return cmocka_run_group_tests_name("backend", tests, NULL, NULL);
}

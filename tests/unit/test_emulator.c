/* SPDX-License-Identifier: MIT */
/* A program's bytes become cells, keys become its bytes. */
#include "base/buf.h"
#include "base/mem.h"
#include "test.h"
#include "ui/emulator.h"
#include "ui/paint.h"

#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 20, HEIGHT = 5 };

static struct emulator *e;
static struct buf output;
static struct grid grid;

static void
on_output(void *user, const char *bytes, size_t len)
{
	buf_add(&output, bytes, len);
}

static int
set_up(void **state)
{
	static const struct emulator_events events = { on_output };
	struct err err;

	setlocale(LC_CTYPE, "C.UTF-8");
	e = emulator_create(WIDTH, HEIGHT, &events, NULL, &err);
	grid_init(&grid, WIDTH, HEIGHT);
	return e ? 0 : -1;
}

static int
tear_down(void **state)
{
	emulator_destroy(e);
	grid_finish(&grid);
	buf_finish(&output);
	return 0;
}

static void
feed(const char *text)
{
	emulator_feed(e, text, strlen(text));
}

static void
draw(void)
{
	surface_clear(surface_whole(&grid), style_of(ROLE_TEXT));
	emulator_draw(e, surface_whole(&grid), true);
}

static void
assert_screen(const char *expected)
{
	struct buf out = BUF_INIT;

	draw();
	grid_to_text(&grid, &out);
	while (out.len > 0 && out.data[out.len - 1] == '\n')
		buf_truncate(&out, out.len - 1);
	assert_string_equal(buf_text(&out), expected);
	buf_finish(&out);
}

static const struct cell *
at(int x, int y)
{
	draw();
	return &grid.cells[y * grid.width + x];
}

static void
assert_key(const char *name, const char *bytes)
{
	struct key key;

	assert_true(key_from_name(&key, name));
	buf_clear(&output);
	emulator_key(e, &key);
	assert_string_equal(buf_text(&output), bytes);
}

static void
test_text_and_wide_characters(void **state)
{
	feed("ab\r\n\xe4\xbd\xa0\xe5\xa5\xbd!\r\ne\xcc\x81x");
	assert_screen("ab\n\xe4\xbd\xa0\xe5\xa5\xbd!\ne\xcc\x81x");
	assert_int_equal(at(0, 1)->ch, 0x4f60);
	assert_int_equal(at(1, 1)->ch, 0);
	assert_int_equal(at(4, 1)->ch, '!');
}

/* Neighbors in separate cells never become one cluster. */
static void
test_clusters_keep_their_columns(void **state)
{
	feed("\xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x91\xa9|");
	draw();
	int bar = 0;
	for (int x = 0; x < WIDTH; x++)
		if (at(x, 0)->ch == '|')
			bar = x;
	assert_int_equal(bar, 4);
}

static void
test_colors_and_attributes(void **state)
{
	feed("a\033[1;31mb\033[0;38;5;208mc\033[48;2;1;2;3md\033[0;3;4;7me");
	assert_int_equal(at(0, 0)->style.ink, ROLE_TEXT);
	assert_int_equal(at(0, 0)->style.ground, ROLE_NONE);
	assert_int_equal(at(1, 0)->style.ink, STYLE_RGB(0xd04848));
	assert_int_equal(at(1, 0)->style.attr, ATTR_BOLD);
	assert_int_equal(at(2, 0)->style.ink, STYLE_RGB((uint32_t)paint_palette(208)));
	assert_int_equal(at(3, 0)->style.ground, STYLE_RGB(0x010203));
	assert_int_equal(at(4, 0)->style.attr, ATTR_ITALIC | ATTR_UNDERLINE | ATTR_REVERSE);
}

static void
test_cursor(void **state)
{
	feed("ab");
	assert_int_equal(at(2, 0)->style.ground, ROLE_CURSOR);
	feed("\033[4 q");
	assert_int_equal(at(2, 0)->style.attr, ATTR_UNDERLINE);
	feed("\033[2 q\033[?25l");
	assert_int_equal(at(2, 0)->style.ground, ROLE_NONE);
}

static void
test_history(void **state)
{
	char line[16];

	for (int i = 0; i < 12; i++) {
		snprintf(line, sizeof(line), "%sline %d", i ? "\r\n" : "", i);
		feed(line);
	}
	assert_screen("line 7\nline 8\nline 9\nline 10\nline 11");
	assert_int_equal(emulator_facts(e)->history, 7);
	emulator_scroll(e, 3);
	assert_screen("line 4\nline 5\nline 6\nline 7\nline 8");
	feed("\r\nmore"); /* the same lines stay in sight */
	assert_screen("line 4\nline 5\nline 6\nline 7\nline 8");
	emulator_scroll(e, INT_MAX);
	assert_int_equal(emulator_facts(e)->back, 8);
	feed("\033[?1049h"); /* the alternate screen has none */
	emulator_scroll(e, 3);
	assert_int_equal(emulator_facts(e)->back, 0);
	assert_true(emulator_facts(e)->is_alternate);
	emulator_scroll(e, INT_MIN);
}

static void
test_history_is_bounded(void **state)
{
	for (int i = 0; i < 30000; i++)
		feed("0123456789\r\n");
	assert_int_equal(emulator_facts(e)->history, 10000);
}

static void
test_keys(void **state)
{
	assert_key("a", "a");
	assert_key("ctrl-c", "\003");
	assert_key("alt-x", "\033x");
	assert_key("enter", "\r");
	assert_key("shift-tab", "\033[Z");
	assert_key("esc", "\033");
	assert_key("backspace", "\177");
	assert_key("up", "\033[A");
	assert_key("ctrl-right", "\033[1;5C");
	assert_key("f1", "\033OP");
	assert_key("f12", "\033[24~");
	feed("\033[?1h"); /* application cursor keys */
	assert_key("up", "\033OA");
}

static void
test_paste(void **state)
{
	struct key key = { .kind = KEY_PASTE, .text = "a\nb\033[201~\003c", .len = 12 };

	emulator_key(e, &key);
	assert_string_equal(buf_text(&output), "a\rb[201~c");
	buf_clear(&output);
	feed("\033[?2004h");
	emulator_key(e, &key);
	assert_string_equal(buf_text(&output), "\033[200~a\rb[201~c\033[201~");
}

static void
test_mouse_if_asked_for(void **state)
{
	struct key press = {
		.kind = KEY_MOUSE, .action = MOUSE_PRESS, .button = 1, .x = 3, .y = 2
	};
	struct key release = press, wheel = press;

	release.action = MOUSE_RELEASE;
	wheel.action = MOUSE_WHEEL_DOWN;
	assert_false(emulator_key(e, &press));
	assert_string_equal(buf_text(&output), "");
	feed("\033[?1002h\033[?1006h");
	assert_true(emulator_facts(e)->wants_mouse);
	assert_true(emulator_key(e, &release)); /* of a press that it has not seen */
	assert_string_equal(buf_text(&output), "");
	emulator_key(e, &press);
	emulator_key(e, &release);
	emulator_key(e, &wheel);
	assert_string_equal(buf_text(&output), "\033[<0;4;3M\033[<0;4;3m\033[<65;4;3M");
}

static void
test_focus_if_asked_for(void **state)
{
	emulator_key(e, &(struct key){ .kind = KEY_FOCUS_IN });
	assert_string_equal(buf_text(&output), "");
	feed("\033[?1004h");
	emulator_key(e, &(struct key){ .kind = KEY_FOCUS_OUT });
	assert_string_equal(buf_text(&output), "\033[O");
}

static void
test_title_and_bell(void **state)
{
	char *large = mem_alloc(1 << 20);

	feed("\033]2;hello\007\007\007");
	assert_string_equal(emulator_facts(e)->title, "hello");
	assert_int_equal(emulator_facts(e)->bells, 2);
	memset(large, 'x', 1 << 20);
	feed("\033]2;");
	emulator_feed(e, large, 1 << 20);
	feed("\007done\033]2;next\033\\");
	assert_string_equal(emulator_facts(e)->title, "next");
	assert_true(strlen(emulator_facts(e)->title) < EMULATOR_TITLE_BYTES);
	assert_screen("done");
	free(large);
}

/* None of these is passed on: the clipboard, a device string, a title query, and 8-bit controls,
 * which UTF-8 does not have. */
static void
test_attacks_are_inert(void **state)
{
	feed("\033]52;c;aGVsbG8=\007\033]52;c;?\007\033Pq#0;2;0;0;0\033\\\033[21t\033]0;a\033["
	     "31mb\033\\");
	feed("\033]10;?\007\033]4;1;?\007\033_Gi=1;AAAA\033\\\xc2\x9b"
	     "31m");
	assert_null(strstr(buf_text(&output), "aGVs"));
	assert_null(strstr(buf_text(&output), "]52"));
	for (int x = 0; x < WIDTH; x++)
		assert_true(at(x, 0)->ch >= ' ' && (at(x, 0)->ch < 0x7f || at(x, 0)->ch > 0x9f));
}

/* Input that crashes libvterm is filtered. */
static void
test_what_breaks_libvterm(void **state)
{
	feed("\033[2b\033\033[9b\033 [9b");
	feed("\033[");
	for (int i = 0; i < 100000; i++)
		feed("1;1:");
	feed("m\033[99999999999999999999999999C\r\033[0m");
	feed("\xe4\xbd\xa0\033[1;18H\033[99b");
	feed("\033[3;1H\xc2\x9b\xc2\x80\xc2");
	feed("\x9bx");
	assert_screen("\xe4\xbd\xa0\n\n\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdx");
	for (int i = 0; i < 100000; i++)
		feed("\xcc\x81");
	assert_int_equal(at(3, 2)->marks[0], 0x301);
}

static void
test_answers_go_to_the_program(void **state)
{
	feed("ab\033[6n");
	assert_string_equal(buf_text(&output), "\033[1;3R");
}

static void
test_resize(void **state)
{
	feed("hello");
	emulator_resize(e, 10, 3);
	assert_int_equal(emulator_facts(e)->width, 10);
	assert_screen("hello");
	emulator_resize(e, 0, -1);
	assert_int_equal(emulator_facts(e)->height, 2);
	feed("\xe4\xbd\xa0\xe5\xa5\xbd");
	draw();
	emulator_resize(e, 100000, 100000);
	draw();
}

TEST_FILE(emulator)
{
	const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
		T(test_text_and_wide_characters),
		T(test_clusters_keep_their_columns),
		T(test_colors_and_attributes),
		T(test_cursor),
		T(test_history),
		T(test_history_is_bounded),
		T(test_keys),
		T(test_paste),
		T(test_mouse_if_asked_for),
		T(test_focus_if_asked_for),
		T(test_title_and_bell),
		T(test_attacks_are_inert),
		T(test_what_breaks_libvterm),
		T(test_answers_go_to_the_program),
		T(test_resize),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

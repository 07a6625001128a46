/* SPDX-License-Identifier: MIT */
#include "base/buf.h"
#include "base/vec.h"
#include "test.h"
#include "ui/input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Writes each key as a word, so that a test is one line: bytes in, words out. */
static void
describe(void *user, const struct key *key)
{
	static const char *actions[] = { "press", "release", "drag", "move", "wheel-up",
		"wheel-down", "wheel-left", "wheel-right" };
	struct buf *out = user;
	char name[64];

	if (out->len > 0)
		buf_add_char(out, ' ');
	switch (key->kind) {
	case KEY_MOUSE:
		buf_addf(out, "%s%d@%d,%d%s%s%s", actions[key->action], key->button, key->x, key->y,
		    key->mods & MOD_SHIFT ? "+shift" : "", key->mods & MOD_ALT ? "+alt" : "",
		    key->mods & MOD_CTRL ? "+ctrl" : "");
		break;
	case KEY_PASTE:
		buf_addf(out, "paste<%.*s>", (int)key->len, key->text);
		break;
	case KEY_REPORT:
		buf_addf(out, "report<%.*s>", (int)key->len, key->text);
		break;
	case KEY_BARRIER:
		buf_addf(out, "barrier%u", (unsigned)key->ch);
		break;
	case KEY_FOCUS_IN:
	case KEY_FOCUS_OUT:
		buf_add_str(out, key->kind == KEY_FOCUS_IN ? "focus-in" : "focus-out");
		break;
	default:
		key_to_name(key, name, sizeof(name));
		buf_add_str(out, name);
	}
}

static void
check(const char *bytes, size_t len, size_t chunk, const char *expected)
{
	struct buf out = BUF_INIT;
	struct input in;

	input_init(&in, describe, &out);
	for (size_t at = 0; at < len; at += chunk)
		input_feed(&in, bytes + at, len - at < chunk ? len - at : chunk);
	for (int i = 0; i < 3 && input_waiting(&in); i++)
		input_timeout(&in);
	assert_false(input_waiting(&in));
	assert_string_equal(buf_text(&out), expected);
	input_finish(&in);
	buf_finish(&out);
}

static void
expect_at_once(const char *bytes, const char *expected)
{
	check(bytes, strlen(bytes), strlen(bytes), expected);
}

/* Whole and byte by byte. */
static void
expect(const char *bytes, const char *expected)
{
	check(bytes, strlen(bytes), strlen(bytes), expected);
	check(bytes, strlen(bytes), 1, expected);
}

static void
test_characters(void **state)
{
	expect("aZ?~", "a Z ? ~");
	expect("\xc3\xa9\xe6\x97\xa5\xf0\x9f\x98\x80", "é 日 😀");
	expect(" ", "space");
	expect("\r\t\x7f\x08", "enter tab backspace backspace");
	expect("\x01\x1a\x1c\x1f", "ctrl-a ctrl-z ctrl-\\ ctrl-_");
	check("\0", 1, 1, "ctrl-space");
	expect("\n", "ctrl-j");
}

static void
test_escape(void **state)
{
	expect("\033", "esc");
	expect("\033\033", "esc esc");
	expect("\033a\033A\033\xc3\xa9", "alt-a alt-A alt-é");
	expect("\033\r\033\x01\033\x7f", "alt-enter ctrl-alt-a alt-backspace");
	expect("\033[", "alt-[");
	expect("\033O", "alt-O");
	expect("\033]", "alt-]");
	expect("\033P", "alt-P");
	expect_at_once("\033\033[A\033\033Od\033\033[3~", "alt-up ctrl-alt-left alt-delete");
	expect_at_once("\033\033[<0;1;1M", "esc press1@0,0");
	expect_at_once("\033\033[200~x\033[201~", "esc paste<x>");
}

static void
test_cursor_and_function_keys(void **state)
{
	expect("\033[A\033[B\033[C\033[D\033[H\033[F", "up down right left home end");
	expect("\033OA\033OB\033OC\033OD\033OH\033OF", "up down right left home end");
	expect("\033[1~\033[2~\033[3~\033[4~\033[5~\033[6~", "home insert delete end pgup pgdn");
	expect("\033[7~\033[8~", "home end");
	expect("\033OP\033OS\033[15~\033[24~", "f1 f4 f5 f12");
	expect("\033[11~\033[34~", "f1 f20");
	expect("\033[[A\033[[E", "f1 f5");
	expect("\033[Z", "shift-tab");
	expect("\033[1;2A\033[1;5C\033[1;3D\033[1;8H",
	    "shift-up ctrl-right alt-left ctrl-alt-shift-home");
	expect("\033[3;5~\033[1;2P\033[15;2~", "ctrl-delete shift-f1 shift-f5");
	expect("\033[1;2R", "shift-f3");
	expect("\033[I\033[O", "focus-in focus-out");
}

static void
test_rxvt(void **state)
{
	expect("\033[a\033Oa", "shift-up ctrl-up");
	expect("\033[3$\033[3^\033[3@x", "shift-delete ctrl-delete ctrl-shift-delete x");
	expect("\033OM\033Oj\033Oy", "enter * 9");
}

static void
test_unicode_keys(void **state)
{
	expect("\033[97;5u\033[97;6u\033[65;6u", "ctrl-a ctrl-shift-a ctrl-shift-a");
	expect(
	    "\033[13;2u\033[9;2u\033[27u\033[127;5u", "shift-enter shift-tab esc ctrl-backspace");
	expect("\033[97:65;2u", "A");
	expect("\033[97;1:3u", "");
	expect("\033[57400u\033[57414u", "1 enter");
	expect("\033[57441u", "");
	expect("\033[27;5;105~\033[27;2;65~\033[27;6;49~", "ctrl-i A ctrl-1");
	expect("\033[55296u\033[1114112u\033[99999999999999u", "");
}

static void
test_mouse(void **state)
{
	expect("\033[<0;1;1M\033[<0;240;60m", "press1@0,0 release1@239,59");
	expect("\033[<1;5;6M\033[<2;5;6M\033[<32;7;8M", "press2@4,5 press3@4,5 drag1@6,7");
	expect("\033[<64;1;1M\033[<65;1;1M\033[<66;1;1M\033[<67;1;1M",
	    "wheel-up0@0,0 wheel-down0@0,0 wheel-left0@0,0 wheel-right0@0,0");
	expect("\033[<4;1;1M\033[<8;1;1M\033[<16;1;1M",
	    "press1@0,0+shift press1@0,0+alt press1@0,0+ctrl");
	expect("\033[<64;1;1m\033[<0;0;1M\033[<0;1M\033[<0;99999;1M\033[<128;1;1M", "");
	expect("\033[M !!\033[M#\"\"\033[M`!!\033[M@!!x",
	    "press1@0,0 release0@1,1 wheel-up0@0,0 drag1@0,0 x");
	expect("\033[32;3;4M\033[35;3;4M", "press1@2,3 release0@2,3");
	expect("\033[<35;1;1M\033[<51;2;1M\033[MC!!", "move0@0,0 move0@1,0+ctrl move0@0,0");
	expect("\033[M", "");
}

static void
test_paste(void **state)
{
	expect("\033[200~hello\033[201~x", "paste<hello> x");
	expect("\033[200~a\rb\r\nc\nd\033[201~", "paste<a\nb\nc\nd>");
	expect("\033[200~\033[A\033[20\033[201~", "paste<\033[A\033[20>");
	expect("\033[200~\033[201~", "paste<>");
	expect("\033[201~x", "x");
	expect("\033[200~never ends\033", "");
}

static void
test_huge_paste_is_cut(void **state)
{
	struct buf out = BUF_INIT;
	struct input in;
	static char block[1 << 20];

	memset(block, 'x', sizeof(block));
	input_init(&in, describe, &out);
	input_feed(&in, "\033[200~", 6);
	for (int i = 0; i < 20; i++)
		input_feed(&in, block, sizeof(block));
	input_feed(&in, "\033[201~y", 7);
	assert_int_equal(out.len, INPUT_MAX_PASTE + strlen("paste<> y"));
	input_finish(&in);
	buf_finish(&out);
}

static void
test_reports(void **state)
{
	expect("\033]11;rgb:1010/1212/1616\033\\x", "report<]11;rgb:1010/1212/1616> x");
	expect("\033]11;rgb:ff/ff/ff\ax", "report<]11;rgb:ff/ff/ff> x");
	expect("\033[?62;22c\033[>0;10c\033[?2026;2$y",
	    "report<[?62;22c> report<[>0;10c> report<[?2026;2$y>");
	expect("\033[5;10R\033[8;24;80t", "report<[5;10R> report<[8;24;80t>");
	expect("\033P>|xterm(379)\033\\y", "report<P>|xterm(379)> y");
	expect("\033_Gi=1;OK\033\\", "report<_Gi=1;OK>");
	expect("\033[7700;42~\033[7700~", "barrier42 barrier0");
	/* a string broken off by a key */
	expect("\033]11;rgb\033[A", "up");
}

static void
test_nonsense_is_swallowed(void **state)
{
	expect("\xff\xfe\x80x", "x");
	expect("\xc3x\xe6\x97y\xf0\x9f\x98", "x y");
	expect("\xed\xa0\x80\xc0\x80z", "z");
	expect("\033[99~\033[1;2;3;4;5;6;7;8;9;10;11z\033[?q", "report<[?q>");
	expect("\033[12\x01x", "ctrl-a x");
}

static void
test_long_sequences_are_dropped(void **state)
{
	struct buf out = BUF_INIT;
	struct input in;

	input_init(&in, describe, &out);
	input_feed(&in, "\033]52;c;", 7);
	for (int i = 0; i < 100000; i++)
		input_feed(&in, "A", 1);
	assert_true(in.pending.len <= INPUT_MAX_SEQUENCE + 1);
	input_feed(&in, "AAAA\033\\x", 7);
	assert_string_equal(buf_text(&out), "x");

	buf_clear(&out);
	input_feed(&in, "\033[1;1;1", 7);
	assert_true(input_waiting(&in));
	input_timeout(&in);
	assert_true(input_waiting(&in));
	input_feed(&in, "1;1R", 4); /* the tail comes late: it is not typed text */
	input_timeout(&in);
	assert_false(input_waiting(&in));
	input_feed(&in, "y", 1);
	assert_string_equal(buf_text(&out), "y");
	input_finish(&in);
	buf_finish(&out);
}

static void
test_names(void **state)
{
	static const char *same[] = { "a", "A", "?", "ctrl-p", "alt-enter", "shift-tab", "f1",
		"f24", "space", "ctrl-space", "esc", "pgup", "ctrl-alt-shift-left", "é", "-",
		"ctrl--", "alt-A", "ctrl-shift-a", "日" };
	static const char *none[] = { "", "ctrl-", "f0", "f25", "f1x", "hyper-a", "ab", "ctrl-ab",
		"\x01", "\xff", " " };
	static const char *aliases[][2] = { { "Escape", "esc" }, { "RETURN", "enter" },
		{ "Ctrl-P", "ctrl-p" }, { "shift-a", "A" }, { "PageUp", "pgup" },
		{ "Del", "delete" }, { "alt-ctrl-x", "ctrl-alt-x" }, { "F5", "f5" } };
	struct key key, other;
	char name[64];

	for (size_t i = 0; i < ARRAY_LEN(same); i++) {
		assert_true(key_from_name(&key, same[i]));
		key_to_name(&key, name, sizeof(name));
		assert_string_equal(name, same[i]);
	}
	for (size_t i = 0; i < ARRAY_LEN(none); i++)
		assert_false(key_from_name(&key, none[i]));
	for (size_t i = 0; i < ARRAY_LEN(aliases); i++) {
		assert_true(key_from_name(&key, aliases[i][0]));
		assert_true(key_from_name(&other, aliases[i][1]));
		assert_true(key_equal(&key, &other));
	}
	assert_true(key_from_name(&key, "ctrl-a") && key_from_name(&other, "a"));
	assert_false(key_equal(&key, &other));
	key = (struct key){ .kind = KEY_MOUSE };
	assert_false(key_equal(&key, &key));
	key_to_name(&key, name, sizeof(name));
	assert_string_equal(name, "");
	assert_true(key_from_name(&key, "ctrl-alt-shift-backspace"));
	key_to_name(&key, name, 6);
	assert_string_equal(name, "ctrl-");
}

TEST_FILE(input)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_characters),
		cmocka_unit_test(test_escape),
		cmocka_unit_test(test_cursor_and_function_keys),
		cmocka_unit_test(test_rxvt),
		cmocka_unit_test(test_unicode_keys),
		cmocka_unit_test(test_mouse),
		cmocka_unit_test(test_paste),
		cmocka_unit_test(test_huge_paste_is_cut),
		cmocka_unit_test(test_reports),
		cmocka_unit_test(test_nonsense_is_swallowed),
		cmocka_unit_test(test_long_sequences_are_dropped),
		cmocka_unit_test(test_names),
	};
	return cmocka_run_group_tests_name("input", tests, NULL, NULL);
}

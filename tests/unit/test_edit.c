/* SPDX-License-Identifier: MIT */
#include "base/glyph.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "test.h"
#include "ui/edit.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

static struct edit e;

static void
begin(bool lines, size_t max, const char *text)
{
	edit_init(&e, lines, max);
	edit_set(&e, text, strlen(text));
}

/* Names of keys with blanks between; a word in quotes is typed. False: the last was not used. */
static bool
press(const char *keys)
{
	char name[32];
	bool used = true;

	while (*keys) {
		size_t len = strcspn(keys, " ");
		struct key key;
		if (*keys == '\'') {
			for (keys++, len = 0; keys[len] != '\'';) {
				uint32_t ch;
				len += utf8_decode(keys + len, 8, &ch);
				key = (struct key){ .kind = KEY_CHAR, .ch = ch };
				used = edit_key(&e, &key, NULL);
			}
			len++;
		} else {
			memcpy(name, keys, len);
			name[len] = '\0';
			assert_true(key_from_name(&key, name));
			used = edit_key(&e, &key, NULL);
		}
		keys += len;
		keys += *keys == ' ';
	}
	return used;
}

static void
paste(const char *text)
{
	struct key key = { .kind = KEY_PASTE, .text = text, .len = strlen(text) };

	edit_key(&e, &key, NULL);
}

/* The text with | at the cursor. */
static void
expect(const char *with_cursor)
{
	char out[4096];

	assert_true(e.text.len + 2 < sizeof(out));
	memcpy(out, edit_text(&e), e.cursor);
	out[e.cursor] = '|';
	strcpy(out + e.cursor + 1, edit_text(&e) + e.cursor);
	assert_string_equal(out, with_cursor);
}

static void
test_typing(void **state)
{
	begin(false, 0, "");
	expect("|");
	assert_true(press("'hello' left left 'X'"));
	expect("helX|lo");
	assert_true(press("home '1' end '2'"));
	expect("1helXlo2|");
	assert_true(press("ctrl-a delete ctrl-e backspace"));
	expect("helXlo|");
	assert_true(press("right delete"));
	expect("helXlo|");
	assert_true(press("home left backspace"));
	expect("|helXlo");
	edit_finish(&e);
}

/* Typing replaces proposed text; a key that moves the cursor keeps it. */
static void
test_selected(void **state)
{
	static const char *const keeps[][2] = { { "end 'x'", "add listx|" },
		{ "right 'x'", "add listx|" }, { "left 'x'", "add x|list" },
		{ "home 'x'", "x|add list" }, { "f5 'x'", "add x|" }, { "'xy'", "add xy|" },
		{ "backspace", "add |" }, { "delete", "add |" }, { "'xy' ctrl-z", "add list|" },
		{ "ctrl-w 'x'", "add x|" } };

	for (size_t i = 0; i < ARRAY_LEN(keeps); i++) {
		begin(false, 0, "add list");
		edit_select(&e, 4);
		press(keeps[i][0]);
		expect(keeps[i][1]);
		edit_finish(&e);
	}
	begin(false, 8, "add list");
	edit_select(&e, 4);
	paste("much that is too long");
	expect("add much|");
	edit_select(&e, 8); /* nothing */
	press("backspace");
	expect("add muc|");
	edit_finish(&e);
}

static void
test_not_for_text(void **state)
{
	begin(false, 0, "a");
	assert_false(press("enter"));
	assert_false(press("tab"));
	assert_false(press("esc"));
	assert_false(press("up"));
	assert_false(press("down"));
	assert_false(press("f5"));
	assert_false(press("ctrl-p"));
	assert_false(press("alt-x"));
	assert_false(press("pgup"));
	expect("a|");
	edit_finish(&e);
}

static void
test_words(void **state)
{
	begin(false, 0, "one two-three, été");
	press("ctrl-left");
	expect("one two-three, |été");
	press("ctrl-left ctrl-left");
	expect("one |two-three, été");
	press("ctrl-right");
	expect("one two|-three, été");
	press("ctrl-w");
	expect("one |-three, été");
	press("alt-d");
	expect("one |, été");
	press("ctrl-k");
	expect("one |");
	press("ctrl-u");
	expect("|");
	press("ctrl-w ctrl-k alt-d ctrl-left ctrl-right");
	expect("|");
	edit_finish(&e);
}

static void
test_whole_characters(void **state)
{
	/* e with an acute, a wide one, a family of emoji */
	begin(false, 0, "e\xcc\x81日👩‍👩‍👧x");
	press("left left");
	expect("e\xcc\x81日|👩‍👩‍👧x");
	press("backspace");
	expect("e\xcc\x81|👩‍👩‍👧x");
	press("backspace");
	expect("|👩‍👩‍👧x");
	press("delete");
	expect("|x");
	/* a mark joins the character before it */
	press("'e' '\xcc\x81'");
	expect("e\xcc\x81|x");
	press("left");
	expect("|e\xcc\x81x");
	edit_finish(&e);
	begin(false, 0, "\xff\xfe ok");
	press("home right delete");
	expect("\xff| ok");
	edit_finish(&e);
}

static void
test_lines(void **state)
{
	begin(true, 0, "first\n日本\nthird line");
	press("up");
	expect("first\n日本|\nthird line");
	press("down"); /* back to the column that was aimed at */
	expect("first\n日本\nthird line|");
	press("home up right up");
	expect("fi|rst\n日本\nthird line");
	assert_false(press("up"));
	press("enter");
	expect("fi\n|rst\n日本\nthird line");
	press("backspace end ctrl-k");
	expect("first|日本\nthird line");
	press("ctrl-end");
	assert_false(press("down"));
	expect("first日本\nthird line|");
	press("home backspace");
	expect("first日本|third line");
	press("ctrl-home");
	expect("|first日本third line");
	edit_finish(&e);
	begin(true, 0, "\n\n");
	press("up up");
	expect("|\n\n");
	edit_finish(&e);
}

static void
test_paste(void **state)
{
	begin(false, 0, "<>");
	press("left");
	paste("a\nb\xff\n\n");
	expect("<a b\xef\xbf\xbd|>");
	edit_finish(&e);
	begin(true, 0, "");
	paste("a\nb\n");
	expect("a\nb\n|");
	edit_finish(&e);
	begin(false, 6, "ab");
	paste("日本");
	expect("ab日|");
	paste("xyz");
	expect("ab日x|");
	paste("z");
	expect("ab日x|");
	press("'z'");
	expect("ab日x|");
	edit_finish(&e);
}

static void
test_undo(void **state)
{
	begin(false, 0, "base");
	press("' one two'");
	expect("base one two|");
	press("ctrl-z");
	expect("base one |");
	press("ctrl-z ctrl-z");
	expect("base|");
	press("ctrl-z");
	expect("base|");
	press("backspace backspace home 'x'");
	expect("x|ba");
	press("ctrl-z");
	expect("|ba");
	press("ctrl-z");
	expect("base|");
	press("ctrl-u");
	paste("new");
	press("ctrl-z");
	expect("|");
	press("ctrl-z");
	expect("base|");
	for (int i = 0; i < 1000; i++)
		press("'a' left right");
	for (int i = 0; i < 1000; i++)
		press("ctrl-z");
	assert_int_equal(e.text.len, 4 + 1000 - 64);
	edit_finish(&e);
}

static void
test_changed(void **state)
{
	static const struct {
		const char *key;
		bool changes;
	} cases[] = { { "x", true }, { "left", false }, { "backspace", false }, { "delete", true },
		{ "delete", false }, { "ctrl-z", true } };
	begin(false, 0, "");
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct key key;
		bool changed;
		assert_true(key_from_name(&key, cases[i].key));
		assert_true(edit_key(&e, &key, &changed));
		assert_int_equal(changed, cases[i].changes);
	}
	edit_finish(&e);
}

/* The drawn text, with the cursor's cell in brackets. */
static void
expect_drawn(int width, int height, const char *expected)
{
	struct grid g;
	struct buf out = BUF_INIT;

	grid_init(&g, width, height);
	edit_draw(&e, surface_whole(&g), style_of(ROLE_FIELD_FOCUS), true, "type here");
	for (int y = 0; y < height; y++) {
		for (int x = 0; x < width; x++) {
			const struct cell *c = &g.cells[y * width + x];
			char bytes[4];
			bool is_cursor = c->style.ink == ROLE_CURSOR && c->ch != 0;
			if (is_cursor)
				buf_add_char(&out, '[');
			if (c->ch)
				buf_add(&out, bytes, utf8_encode(c->ch, bytes));
			if (is_cursor)
				buf_add_char(&out, ']');
		}
		buf_add_char(&out, '\n');
	}
	assert_string_equal(buf_text(&out), expected);
	buf_finish(&out);
	grid_finish(&g);
}

static void
test_drawing(void **state)
{
	begin(false, 0, "");
	expect_drawn(6, 1, "[t]ype …\n");
	edit_set(&e, "hello", 5);
	expect_drawn(6, 1, "hello[ ]\n");
	expect_drawn(5, 1, "ello[ ]\n");
	press("home");
	expect_drawn(5, 1, "[h]ello\n");
	expect_drawn(8, 1, "[h]ello   \n");
	edit_set(&e, "日本語", strlen("日本語"));
	expect_drawn(5, 1, "本語[ ]\n");
	expect_drawn(4, 1, " 語[ ]\n");
	press("left");
	expect_drawn(4, 1, " [語] \n");
	press("left left");
	expect_drawn(4, 1, "[日]本\n");
	expect_drawn(1, 1, "[…]\n");
	expect_drawn(0, 0, "");
	press("end backspace backspace");
	expect_drawn(6, 1, "日[ ]   \n");
	edit_finish(&e);
}

static void
test_drawing_lines(void **state)
{
	begin(true, 0, "one\ntwo\nthree\nfour");
	expect_drawn(6, 2, "three \nfour[ ] \n");
	press("up up");
	expect_drawn(6, 2, "two[ ]  \nthree \n");
	press("up");
	expect_drawn(6, 2, "one[ ]  \ntwo   \n");
	press("pgdn");
	expect_drawn(6, 2, "one   \ntwo[ ]  \n");
	edit_point(&e, 1, 0);
	expect("o|ne\ntwo\nthree\nfour");
	edit_point(&e, 50, 50);
	expect("one\ntwo\nthree\nfour|");
	edit_point(&e, -1, -1);
	expect("|one\ntwo\nthree\nfour");
	edit_finish(&e);
}

/* After any keys the text is unchanged or well formed, and the cursor is between characters. */
static void
test_any_keys(void **state)
{
	static const char *keys[] = { "a", "'é'", "'日'", "'\xcc\x81'", "left", "right", "home",
		"end", "backspace", "delete", "ctrl-w", "ctrl-z", "enter", "up", "down", "space",
		"ctrl-left", "ctrl-right", "'👩'", "'\xe2\x80\x8d'" };
	struct grid g;
	unsigned seed = 1;

	grid_init(&g, 7, 3);
	begin(true, 60, "");
	for (int i = 0; i < 20000; i++) {
		seed = seed * 1103515245 + 12345;
		press(keys[(seed >> 16) % (ARRAY_LEN(keys))]);
		assert_true(e.cursor <= e.text.len && e.text.len <= 60);
		assert_int_equal(utf8_first_invalid(edit_text(&e), e.text.len), e.text.len);
		edit_draw(&e, surface_whole(&g), style_of(ROLE_FIELD), true, NULL);
		int cursors = 0;
		for (int c = 0; c < 21; c++)
			cursors += g.cells[c].style.ink == ROLE_CURSOR && g.cells[c].ch != 0;
		assert_int_equal(cursors, 1);
	}
	edit_finish(&e);
	grid_finish(&g);
}

TEST_FILE(edit)
{
	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		return 1;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_typing),
		cmocka_unit_test(test_selected),
		cmocka_unit_test(test_not_for_text),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_whole_characters),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_paste),
		cmocka_unit_test(test_undo),
		cmocka_unit_test(test_changed),
		cmocka_unit_test(test_drawing),
		cmocka_unit_test(test_drawing_lines),
		cmocka_unit_test(test_any_keys),
	};
	return cmocka_run_group_tests_name("edit", tests, NULL, NULL);
}

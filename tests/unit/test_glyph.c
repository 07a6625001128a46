/* SPDX-License-Identifier: MIT */
#include "base/buf.h"
#include "base/glyph.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "test.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static struct glyph
one(const char *s, size_t expected_len)
{
	size_t len = strlen(s);
	char *copy = malloc(len);
	memcpy(copy, s, len);
	struct glyph g;
	size_t used = glyph_next(copy, len, &g);
	free(copy);
	if (used != expected_len)
		fail_msg("%s: %zu bytes, not %zu", s, used, expected_len);
	return g;
}

static void
assert_glyph(const char *s, size_t len, enum glyph_kind kind, uint32_t ch, unsigned width)
{
	struct glyph g = one(s, len);

	assert_int_equal(g.kind, kind);
	assert_int_equal(g.ch, ch);
	assert_int_equal(g.width, width);
}

static void
test_plain(void **state)
{
	assert_glyph("a", 1, GLYPH_PLAIN, 'a', 1);
	assert_glyph(" b", 1, GLYPH_PLAIN, ' ', 1);
	assert_glyph("é", 2, GLYPH_PLAIN, 0xe9, 1);
	assert_glyph("世界", 3, GLYPH_PLAIN, 0x4e16, 2);
	assert_glyph("🎉", 4, GLYPH_PLAIN, 0x1f389, 2);
}

static void
test_controls(void **state)
{
	assert_glyph("\x1b[31m", 1, GLYPH_CONTROL, 0x241b, 1);
	assert_glyph("\x07", 1, GLYPH_CONTROL, 0x2407, 1);
	assert_glyph("\x7f", 1, GLYPH_CONTROL, 0x2421, 1);
	assert_glyph("\r", 1, GLYPH_CONTROL, 0x240d, 1);
	assert_glyph("\rx", 1, GLYPH_CONTROL, 0x240d, 1);
	assert_glyph("\r\n", 2, GLYPH_NEWLINE, 0x21b5, 1);
	assert_glyph("\n", 1, GLYPH_NEWLINE, 0x21b5, 1);
	assert_glyph("\t", 1, GLYPH_TAB, 0x21e5, 1);
	assert_glyph("\xc2\x9b", 2, GLYPH_CONTROL, 0x2426, 1); /* CSI in one character */
	assert_glyph("\xc2\x85", 2, GLYPH_CONTROL, 0x2426, 1);
	assert_glyph("\xe2\x80\xa8", 3, GLYPH_CONTROL, 0x2424, 1);
	assert_glyph("\xe2\x80\xa9", 3, GLYPH_CONTROL, 0x2424, 1);
	assert_glyph("\xc0\x80", 2, GLYPH_CONTROL, 0x2400, 1);
	struct glyph g;
	assert_int_equal(glyph_next("\0", 1, &g), 1);
	assert_int_equal(g.ch, 0x2400);
}

static void
test_invalid(void **state)
{
	assert_glyph("\xff", 1, GLYPH_INVALID, 0xfffd, 1);
	assert_glyph("\x9b"
		     "31m",
	    1, GLYPH_INVALID, 0xfffd, 1);
	assert_glyph("\xe2\x82", 1, GLYPH_INVALID, 0xfffd, 1);
	assert_glyph("\xc0\xaf", 1, GLYPH_INVALID, 0xfffd, 1);
	assert_glyph("\xed\xa0\x80", 3, GLYPH_INVALID, 0xfffd, 1);
	assert_glyph("\xed\xbf\xbf", 3, GLYPH_INVALID, 0xfffd, 1);
	assert_glyph("\xed\xa0", 1, GLYPH_INVALID, 0xfffd, 1);
	assert_glyph("\xef\xbf\xbf", 3, GLYPH_INVALID, 0xfffd, 1);     /* U+FFFF */
	assert_glyph("\xf3\xa1\x80\x80", 4, GLYPH_INVALID, 0xfffd, 1); /* unassigned */
}

static void
test_hidden(void **state)
{
	static const uint32_t hidden[] = { 0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x180e, 0x200b,
		0x200c, 0x200d, 0x200e, 0x200f, 0x202a, 0x202e, 0x2060, 0x2064, 0x2066, 0x2069,
		0x3164, 0xfe0f, 0xfeff, 0xffa0, 0xe0001, 0xe0041, 0xe007f, 0xe0100 };
	for (size_t i = 0; i < ARRAY_LEN(hidden); i++) {
		char text[8] = "";
		size_t len = utf8_encode(hidden[i], text);
		text[len] = 'x';
		assert_glyph(text, len, GLYPH_HIDDEN, 0x25cc, 1);
	}
	assert_glyph("a\xe2\x80\xae", 1, GLYPH_PLAIN, 'a', 1);
}

static void
test_combining_marks(void **state)
{
	struct glyph g = one("e\xcc\x81x", 3);
	assert_int_equal(g.ch, 'e');
	assert_int_equal(g.marks[0], 0x301);
	assert_int_equal(g.marks[1], 0);
	g = one("e\xcc\x81\xcc\x82\xcc\x83\xcc\x84x", 9);
	assert_int_equal(g.marks[0], 0x301);
	assert_int_equal(g.marks[1], 0x302);
	g = one("\xcc\x81\xcc\x82\xcc\x83", 6);
	assert_int_equal(g.ch, 0x25cc);
	assert_int_equal(g.marks[0], 0x301);
	assert_int_equal(g.marks[1], 0x302);
	assert_int_equal(g.width, 1);
	/* Not on a control's mark. */
	assert_glyph("\x1b\xcc\x81", 1, GLYPH_CONTROL, 0x241b, 1);
	/* Letters of a Hangul syllable. */
	g = one("\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab", 9);
	assert_int_equal(g.width, 2);
	assert_int_equal(g.marks[1], 0x11ab);
}

/* A thousand marks are not one character. */
static void
test_marks_are_bounded(void **state)
{
	char text[2002] = "e";
	struct glyph g;

	for (size_t i = 1; i + 1 < sizeof(text); i += 2)
		memcpy(text + i, "\xcc\x81", 2);
	assert_int_equal(glyph_next(text, sizeof(text) - 1, &g), 1 + 2 * 32);
	assert_int_equal(glyph_next(text + 65, sizeof(text) - 66, &g), 2 + 2 * 32);
	assert_int_equal(g.ch, 0x25cc);
}

static void
test_labels(void **state)
{
	struct buf text = BUF_INIT;

	assert_null(label_dup(NULL));
	while (text.len < LABEL_BYTES - 1)
		buf_add_char(&text, 'a');
	assert_int_equal(label_length(text.data), LABEL_BYTES - 1);
	buf_add_str(&text, "e");
	assert_int_equal(label_length(text.data), LABEL_BYTES);
	buf_truncate(&text, LABEL_BYTES - 1);
	/* neither a character nor its combining mark is cut off */
	buf_add_str(&text, "e\xcc\x81 and more");
	assert_int_equal(label_length(text.data), LABEL_BYTES - 1);
	char *label = label_dup(text.data);
	assert_int_equal(strlen(label), LABEL_BYTES - 1 + strlen("…"));
	assert_string_equal(label + LABEL_BYTES - 2, "a…");
	assert_int_equal(label_columns(text.data), LABEL_BYTES);
	struct buf out = BUF_INIT;
	label_add(&out, text.data);
	assert_string_equal(buf_text(&out), label);
	buf_finish(&out);
	buf_finish(&text);
	free(label);
}

static void
test_emoji_sequences(void **state)
{
	assert_glyph("👩‍👩‍👧‍👦.", 25, GLYPH_PLAIN, 0x1f469, 2);
	assert_glyph("👍🏽.", 8, GLYPH_PLAIN, 0x1f44d, 2);
	assert_glyph("👩🏽‍🚀.", 15, GLYPH_PLAIN, 0x1f469, 2);
	assert_glyph("☀️.", 6, GLYPH_PLAIN, 0x2600, 1);
	assert_glyph("❤️‍🔥.", 13, GLYPH_PLAIN, 0x2764, 1);
	assert_glyph("🏳️‍🌈.", 14, GLYPH_PLAIN, 0x1f3f3, 1);
	assert_glyph("1️⃣.", 7, GLYPH_PLAIN, '1', 1);
	assert_glyph("🏽", 4, GLYPH_PLAIN, 0x1f7eb, 2);
	/* Flags: two letters. */
	assert_glyph("🇩🇪", 4, GLYPH_PLAIN, 0x1f130 + 3, 1);
	/* A joiner that joins nothing, and selectors that carry a message, are seen. */
	assert_glyph("👩\xe2\x80\x8dx", 4, GLYPH_PLAIN, 0x1f469, 2);
	assert_int_equal(glyph_columns("👩\xe2\x80\x8dx", 8), 4);
	assert_glyph("a\xef\xb8\x80\xef\xb8\x81", 4, GLYPH_PLAIN, 'a', 1);
	assert_int_equal(glyph_columns("a\xef\xb8\x80\xef\xb8\x81\xef\xb8\x82", 10), 3);
	assert_int_equal(glyph_columns("a\xe2\x80\x8d"
				       "b",
			     5),
	    3);
}

static void
test_width_of_every_code_point(void **state)
{
	for (uint32_t cp = 0; cp <= 0x10ffff; cp++) {
		char text[4];
		size_t len = utf8_encode(cp, text);
		struct glyph g;
		assert_int_equal(glyph_next(text, len, &g), len);
		assert_int_equal(g.width, wcwidth((wchar_t)g.ch));
		assert_true(g.width == 1 || g.width == 2);
		assert_true(g.ch >= 0x20 && (g.ch < 0x7f || g.ch > 0x9f));
		assert_true(g.ch < 0xd800 || g.ch > 0xdfff);
	}
}

static void
test_append_safe(void **state)
{
	struct buf out = BUF_INIT;
	static const char text[] = "a\tb\r\nc\x1b[0m\xff\xe2\x80\xae"
				   "e\xcc\x81";
	glyph_append_safe(&out, text, strlen(text), GLYPH_KEEP_NOTHING);
	assert_string_equal(buf_text(&out), "a⇥b↵c␛[0m\xef\xbf\xbd◌e\xcc\x81");
	buf_clear(&out);
	glyph_append_safe(&out, text, strlen(text), GLYPH_KEEP_LINES);
	assert_string_equal(buf_text(&out), "a\tb\nc␛[0m\xef\xbf\xbd◌e\xcc\x81");
	buf_clear(&out);
	glyph_append_safe(&out, "", 0, GLYPH_KEEP_NOTHING);
	assert_string_equal(buf_text(&out), "");
	/* The second tone does not color the picture that has lost its own. */
	glyph_append_safe(&out, "👩🏽🏽", strlen("👩🏽🏽"), GLYPH_KEEP_NOTHING);
	assert_string_equal(buf_text(&out), "👩🟫");
	buf_clear(&out);
	static const char kept[] = "a\tb\r\nc\rd\x1b\x7f\xc2\x9b\xff\xe2\x80\xae\xe2\x81\xa6";
	static const char plain[] = "👩🏽‍🚀 🇩🇪 e\xcc\x81\xcc\x82\xcc\x83\xcc\x84";
	glyph_append_safe(&out, kept, strlen(kept), GLYPH_KEEP_BYTES);
	assert_string_equal(buf_text(&out), "a\tb\r\nc␍d␛␡␦\xef\xbf\xbd◌◌");
	buf_clear(&out);
	glyph_append_safe(&out, plain, strlen(plain), GLYPH_KEEP_BYTES);
	assert_string_equal(buf_text(&out), plain);
	buf_finish(&out);
	assert_int_equal(glyph_columns(text, strlen(text)), 12);
	assert_int_equal(glyph_columns("", 0), 0);
}

static void
test_dedented(void **state)
{
	static const struct {
		const char *text, *expected;
	} cases[] = {
		{ "", "" },
		{ "one line", "one line" },
		{ "  one\n  two", "one\ntwo" },
		{ "\n    a\n      b\n\n    c\n  ", "a\n  b\n\nc" },
		{ "a\n\t\tb\n\t\tc\r\n", "a\nb\nc" },
		{ "a\nb\n  c", "a\nb\n  c" },
		{ "\n\n \n", "" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct buf out = BUF_INIT;
		glyph_add_dedented(&out, cases[i].text, strlen(cases[i].text));
		assert_string_equal(buf_text(&out), cases[i].expected);
		buf_finish(&out);
	}
}

TEST_FILE(glyph)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain),
		cmocka_unit_test(test_controls),
		cmocka_unit_test(test_invalid),
		cmocka_unit_test(test_hidden),
		cmocka_unit_test(test_combining_marks),
		cmocka_unit_test(test_marks_are_bounded),
		cmocka_unit_test(test_labels),
		cmocka_unit_test(test_dedented),
		cmocka_unit_test(test_emoji_sequences),
		cmocka_unit_test(test_width_of_every_code_point),
		cmocka_unit_test(test_append_safe),
	};
	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		return 77;
	return cmocka_run_group_tests(tests, NULL, NULL);
}

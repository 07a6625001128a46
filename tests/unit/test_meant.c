/* SPDX-License-Identifier: MIT */
/* Markdown and ANSI text, laid out for a width, and told from plain text. */
#include "view/meant.h"

#include "base/mem.h"
#include "base/vec.h"
#include "test.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The rows as they are drawn, with the blanks at their ends cut. */
static char *
drawn(lay_out_fn *lay_out, const char *text, int width)
{
	struct rich rich;
	struct err err = { "" };
	struct grid grid;
	struct buf out = BUF_INIT;

	if (!lay_out(text, strlen(text), width, NULL, &rich, &err))
		fail_msg("%s", err.text);
	grid_init(&grid, width, (int)rich.rows.len);
	surface_clear(surface_whole(&grid), style_of(ROLE_TEXT));
	rich_draw(&rich, surface_whole(&grid), 0, 0);
	grid_to_text(&grid, &out);
	grid_finish(&grid);
	rich_finish(&rich);
	return buf_detach(&out);
}

static void
expect(lay_out_fn *lay_out, const char *text, int width, const char *rows)
{
	char *got = drawn(lay_out, text, width);

	assert_string_equal(got, rows);
	free(got);
}

static void
test_blocks(void **state)
{
	expect(markdown_lay_out, "# Title\n\nOne *two* **three**\nfour `five` six\n\n***\nend\n",
	    20, "Title\n\nOne two three four\nfive six\n\n────────────────────\n\nend\n");
	expect(markdown_lay_out, "- a\n  - b\n\n    c\n- d\n1. x\n2. y\n\n- [x] t\n- [ ] u\n", 20,
	    "• a\n  • b\n\n    c\n• d\n\n1. x\n2. y\n\n[x] t\n[ ] u\n");
	expect(markdown_lay_out, "> quoted text\n> > deeper\n\n```\nint  x;\n\n\ty\n```\n", 20,
	    "▎ quoted text\n▎\n▎ ▎ deeper\n\n│ int  x;\n│\n│     y\n");
	expect(markdown_lay_out, "8. long words here\n9. z\n", 9,
	    "8. long\n   words\n   here\n9. z\n");
	expect(markdown_lay_out, "a&amp;b &#65; &nope; <b>c</b> ~~d~~ \\*e\\*", 40,
	    "a&b A &nope; <b>c</b> d *e*\n");
	expect(markdown_lay_out, "![alt](x.png) [![badge](b.svg)](https://a.example)", 40,
	    "[image: alt] [image: badge]\n");
}

static void
test_html(void **state)
{
	expect(html_lay_out,
	    "<h2>A &lt;tag&gt;</h2>One <b>two </b> <i>x</i>*y*<br>z<p>p_q_r 1. [a](b)", 40,
	    "A <tag>\n\nOne two x*y*\nz\n\np_q_r 1. [a](b)\n");
	expect(html_lay_out, "<ul><li>a<li><p>b</p><p>c<ol><li>d</li></ol></ul>e", 40,
	    "• a\n\n• b\n\n  c\n\n  1. d\n\ne\n");
	expect(html_lay_out,
	    "<table><tr><th>k<th>v</tr><tr><td>x|y</td><td><p>1</p><p>2</td><td>more</table>t", 40,
	    "k    v\n───  ─  ────\nx|y  1  more\n     2\n\nt\n");
	expect(html_lay_out, "<table><tr><td>only<tr><td>layout</table>", 40, "only\nlayout\n");
	expect(html_lay_out, "<pre>\n a &amp;\n\tb*</pre><blockquote>q<hr>r</blockquote>", 10,
	    "│  a &\n│     b*\n\n▎ q\n▎\n▎ ────────\n▎\n▎ r\n");
	expect(html_lay_out, "a < b <3 &nope; <x y='>'>c<!-- <p> -->d<style>p{}</style>", 40,
	    "a < b <3 &nope; cd\n\nnot shown: 1 style, 1 comment\n");
	expect(
	    html_lay_out, "<img src=x> <img alt='a  cat'>", 40, "[image: image] [image: a cat]\n");
	expect(html_lay_out, "unfinished <b", 40, "unfinished <b\n");
	expect(html_lay_out, "", 40, "");
}

/* Nested or unterminated markup takes no more time than other text. */
static void
test_html_without_end(void **state)
{
	static const char *const parts[] = { "<table>", "<table><tr><td>", "<ul><li>", "<b>",
		"<a '", "<", "<script>", "<!--", "<blockquote>", "<a href=x>", "&", "<pre>\n",
		"<code>" };
	struct rich rich;
	struct err err = { "" };

	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		struct buf text = BUF_INIT;
		while (text.len < 400000)
			buf_add_str(&text, parts[i]);
		buf_add_str(&text, "\">");
		if (html_lay_out(buf_text(&text), text.len, 80, NULL, &rich, &err))
			rich_finish(&rich);
		buf_finish(&text);
	}
}

static void
test_tables(void **state)
{
	static const char cities[] = "|City|人口|Rate|\n|:--|--:|:-:|\n|東京|13|a|\n|Rome|2|bcd|\n";
	static const char wide[] =
	    "|a|b|c|d|\n|---|---|---|---|\n|one|two words|three|four|\n|5|6|7|8|\n";

	expect(markdown_lay_out, cities, 40,
	    "City  人口  Rate\n────  ────  ────\n東京    13   a\nRome     2  bcd\n");
	expect(markdown_lay_out, "|k|v|\n|---|---|\n|x|a long value<br>and more|\n", 14,
	    "k  v\n─  ───────────\nx  a long\n   value\n   and more\n");
	/* nothing is left out of a table that is too wide: long heads, gaps, a head alone */
	expect(markdown_lay_out, "|a long head|b|\n|---|---|\n|x<br><br>y||\n", 8,
	    "────────\na long\nhead\n  x\n\n  y\nb\n");
	expect(
	    markdown_lay_out, "|one|two|three|\n|---|---|---|\n", 8, "────────\none\ntwo\nthree\n");
	expect(markdown_lay_out, wide, 12,
	    "────────────\na\n  one\nb\n  two words\nc\n  three\nd\n  four\n"
	    "────────────\na\n  5\nb\n  6\nc\n  7\nd\n  8\n");
}

static void
test_links(void **state)
{
	static const char text[] = "See [a&amp;b](demo://x?a=1&amp;b=2) and https://b.example/c.";
	struct rich rich;
	struct err err;

	assert_true(markdown_lay_out(text, strlen(text), 20, NULL, &rich, &err));
	assert_int_equal(rich.links.len, 2);
	assert_string_equal(rich_uri(&rich, 1), "demo://x?a=1&b=2");
	assert_string_equal(rich_uri(&rich, 2), "https://b.example/c");
	assert_int_equal(rich_link_at(&rich, 0, 4), 1);
	assert_int_equal(rich_link_at(&rich, 0, 3), 0);
	assert_int_equal(rich.links.items[1].row, 1);
	rich_finish(&rich);
}

/* Depth, width and size are bounded for any input. */
static void
test_bounds(void **state)
{
	char *deep = mem_alloc(20001);
	struct rich rich;
	struct err err = { "" };
	struct buf table = BUF_INIT;

	for (size_t i = 0; i < 20000; i += 2)
		memcpy(deep + i, "> ", 2);
	memcpy(deep + 19998, "x\n", 3);
	free(drawn(markdown_lay_out, deep, 10));
	free(deep);
	/* each short row of a table has cells for all of its columns */
	for (int i = 0; i < 2000; i++)
		buf_add_str(&table, "a|");
	buf_add_str(&table, "\n");
	for (int i = 0; i < 2000; i++)
		buf_add_str(&table, "---|");
	for (int i = 0; i < 100000; i++)
		buf_add_str(&table, "\n|");
	if (!markdown_lay_out(buf_text(&table), table.len, 80, NULL, &rich, &err))
		assert_non_null(strstr(err.text, "too intricate"));
	assert_true(rich.pieces.len <= (size_t)1 << 20);
	rich_finish(&rich);
	buf_finish(&table);
	char *huge = mem_zalloc(MEANT_MAX + 1);
	assert_false(markdown_lay_out(huge, MEANT_MAX + 1, 80, NULL, &rich, &err));
	assert_false(ansi_lay_out(huge, MEANT_MAX + 1, 80, NULL, &rich, &err));
	free(huge);
}

static void
test_ansi(void **state)
{
	struct rich rich;
	struct err err;
	static const char text[] = "\033[31mred\033[0m and \033[1;44mbold\033[0m\n";

	expect(ansi_lay_out, "a\nb \033[31mc\033[0m\n\n\033[1md\n", 10, "a\nb c\n\nd\n");
	expect(ansi_lay_out, "\033[32m東京\033[0mx wraps", 8, "東京x wr\naps\n");
	assert_true(ansi_lay_out(text, strlen(text), 40, NULL, &rich, &err));
	assert_int_equal(rich.rows.len, 1);
	assert_int_equal(rich.pieces.len, 3);
	assert_true(rich.pieces.items[0].style.ink == STYLE_RGB(0xd04848));
	assert_int_equal(rich.pieces.items[1].style.ink, ROLE_TEXT);
	assert_int_equal(rich.pieces.items[2].style.attr, ATTR_BOLD);
	assert_true(rich.pieces.items[2].style.ground != ROLE_NONE);
	rich_finish(&rich);
}

/* Control sequences are not interpreted, and a note says that text may be missing. */
static void
test_ansi_is_inert(void **state)
{
	static const char warning[] = "⚠ escapes may hide text: the raw text has all\n";
	char *text =
	    drawn(ansi_lay_out, "\033[31mx\033]0;title\a\033]52;c;aGk=\a\033[6n\033[c", 60);

	assert_ptr_equal(strstr(text, warning), text);
	assert_string_equal(text + strlen(warning), "x␛[6n␛[c\n");
	free(text);
	text = drawn(ansi_lay_out, "\033[31mevil\rgood", 60);
	assert_ptr_equal(strstr(text, warning), text);
	free(text);
	/* black on black is not */
	expect(ansi_lay_out, "\033[30;40mhidden\033[0m", 20, "hidden\n");
	struct rich rich;
	struct err err;
	assert_true(ansi_lay_out("\033[38;5;9;48;5;9mhidden", 22, 20, NULL, &rich, &err));
	assert_int_equal(rich.pieces.items[0].style.ground, ROLE_NONE);
	rich_finish(&rich);
}

/* More than the terminal is high scrolls out of it and is kept. */
static void
test_ansi_scrolls(void **state)
{
	struct buf text = BUF_INIT;
	struct rich rich;
	struct err err;

	for (int i = 0; i < 500; i++)
		buf_addf(&text, "\033[3%dmline %d\033[0m\n", i % 8, i);
	assert_true(ansi_lay_out(buf_text(&text), text.len, 40, NULL, &rich, &err));
	assert_int_equal(rich.rows.len, 500);
	assert_non_null(strstr(buf_text(&rich.text), "line 0\nline 1\n"));
	assert_non_null(strstr(buf_text(&rich.text), "line 499"));
	rich_finish(&rich);
	buf_finish(&text);
}

static void
test_recognized(void **state)
{
	static const char *const markdown[] = {
		"# Title\n\nText with `code`.\n",
		"Found **3** issues:\n\n- one\n- two\n",
		"See [the docs](https://a.example/x) and `run`.",
		"```\ncode\n```\n",
		"| a | b |\n|---|---|\n| 1 | 2 |\n",
		"## Steps\n1. one\n2. two\n",
	};
	static const char *const plain[] = {
		"",
		"Found 3 users",
		"#!/bin/sh\n# comment\n\nls `pwd`\n",
		"# settings\nkey: value\nlist:\n  - a\n  - b\n",
		"import os\n\n# print it\nprint(**{'a': 1}, **b)\n",
		"{\"a\": \"**b** `c`\"}",
		"2026-01-01 12:00:00 ERROR ** failed ** in `x`\n- retry\n",
		" id | name\n----+------\n  1 | a\n",
		"src/**/*.js, lib/**/*.ts\n- one\n",
		"array[0](x) and f(a, *b)\n- item",
		"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n",
		"- one\n- two\n",
		"Mr. **Bold** alone",
	};

	for (size_t i = 0; i < ARRAY_LEN(markdown); i++)
		if (!text_is_markdown(markdown[i], strlen(markdown[i])))
			fail_msg("is Markdown: %s", markdown[i]);
	for (size_t i = 0; i < ARRAY_LEN(plain); i++)
		if (text_is_markdown(plain[i], strlen(plain[i])))
			fail_msg("is no Markdown: %s", plain[i]);
	assert_true(text_is_ansi("x\033[1;31my", 9));
	assert_false(text_is_ansi("x\033[2Jy\033]0;t\a", 12));
	assert_false(text_is_ansi("[31m", 4));
}

static double
cpu_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Input on which md4c would work for minutes is laid out without its links, or not at all. */
static void
test_links_without_end(void **state)
{
	enum outcome { UNMARKED, REFUSED, ANY };
	static const struct {
		const char *pattern;
		enum outcome outcome;
	} cases[] = {
		{ "http://a.b/((", UNMARKED },
		{ "(http://a.b ", UNMARKED },
		{ "http://a.b/\n", UNMARKED },
		{ "[7]\n", REFUSED },
		{ "[[a]]\n", REFUSED },
		{ "> [a]\n", REFUSED },
		{ "- [a](b)\n", ANY }, /* there may be too many rows */
		{ "http://a.b\n\n", ANY },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct buf text = BUF_INIT;
		struct rich rich;
		struct err err = { "" };
		while (text.len + strlen(cases[i].pattern) <= MEANT_MAX)
			buf_add_str(&text, cases[i].pattern);
		double start = cpu_s();
		bool ok = markdown_lay_out(text.data, text.len, 80, NULL, &rich, &err);
		double took = cpu_s() - start;
		if (took > 10)
			fail_msg("%s: %.1f s", cases[i].pattern, took);
		if (cases[i].outcome == UNMARKED) {
			assert_true(ok && rich.links.len == 0);
			assert_non_null(strstr(buf_text(&rich.text), "(too many links to mark"));
		}
		if (cases[i].outcome == REFUSED) {
			assert_false(ok);
			assert_non_null(strstr(err.text, "too intricate"));
		}
		rich_finish(&rich);
		buf_finish(&text);
	}
	expect(markdown_lay_out, "http://a.b/x [a](b)", 40, "http://a.b/x a\n");
}

TEST_FILE(meant)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_tables),
		cmocka_unit_test(test_html),
		cmocka_unit_test(test_html_without_end),
		cmocka_unit_test(test_links),
		cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_links_without_end),
		cmocka_unit_test(test_ansi),
		cmocka_unit_test(test_ansi_is_inert),
		cmocka_unit_test(test_ansi_scrolls),
		cmocka_unit_test(test_recognized),
	};

	setlocale(LC_ALL, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}

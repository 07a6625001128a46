/* SPDX-License-Identifier: MIT */
#include "apps/page.h"
#include "base/glyph.h"
#include "base/utf8.h"
#include "test.h"

#include <locale.h>
#include <string.h>

static struct buf font;

static unsigned
u16(size_t at)
{
	assert_true(at + 2 <= font.len);
	return (unsigned)((unsigned char)font.data[at] << 8 | (unsigned char)font.data[at + 1]);
}

static uint32_t
u32(size_t at)
{
	return (uint32_t)u16(at) << 16 | u16(at + 2);
}

static uint32_t
sum_of(size_t at, size_t len)
{
	uint32_t sum = 0;

	for (size_t i = 0; i < len; i += 4)
		sum += u32(at + i);
	return sum;
}

static size_t
table(const char *tag, size_t *len)
{
	for (size_t i = 0; i < u16(4); i++) {
		size_t at = 12 + 16 * i;
		if (memcmp(font.data + at, tag, 4) == 0) {
			*len = u32(at + 12);
			return u32(at + 8);
		}
	}
	fail_msg("no table %s", tag);
	return 0;
}

/* Sorted tags, aligned tables inside the file, and sums that are right. */
static void
test_tables(void **state)
{
	static const struct {
		const char *tag;
		size_t len;
	} sizes[] = { { "OS/2", 96 }, { "head", 54 }, { "hhea", 36 }, { "hmtx", 16 },
		{ "loca", 10 }, { "maxp", 32 }, { "post", 32 } };
	size_t len, head = table("head", &len);

	assert_int_equal(u32(0), 0x00010000);
	assert_int_equal(u16(4), 10);
	for (size_t i = 0; i < u16(4); i++) {
		size_t at = 12 + 16 * i, offset = u32(at + 8), padded = (u32(at + 12) + 3) / 4 * 4;
		assert_true(i == 0 || memcmp(font.data + at - 16, font.data + at, 4) < 0);
		assert_int_equal(offset % 4, 0);
		assert_true(offset + padded <= font.len);
		uint32_t sum = sum_of(offset, padded);
		if (offset == head)
			sum -= u32(head + 8);
		assert_int_equal(sum, u32(at + 4));
	}
	assert_int_equal(sum_of(0, font.len), 0xb1b0afba);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		table(sizes[i].tag, &len);
		assert_int_equal(len, sizes[i].len);
	}
	assert_true(font.len < 16384);
}

/* Width of a page's character on the terminal: 0 for combining marks and for characters that an
 * app's text leaves out. */
static unsigned
columns_drawn(uint32_t cp)
{
	char bytes[4];
	struct glyph g;

	glyph_next(bytes, utf8_encode(cp, bytes), &g);
	return g.kind == GLYPH_HIDDEN || g.marks[0] ? 0 : g.width;
}

static void
test_every_character_is_as_wide_as_the_terminal_draws_it(void **state)
{
	size_t len, cmap = table("cmap", &len), hmtx = table("hmtx", &len),
		    head = table("head", &len);
	size_t groups = cmap + 12 + 16, group = 0, count = u32(cmap + 24), seen = 0;
	unsigned column = u16(head + 18) * 6 / 10; /* 0.6 em */

	assert_int_equal(u16(cmap + 12), 13);
	for (uint32_t cp = 0x20; cp <= 0x10ffff; cp++) {
		if ((cp >= 0x7f && cp < 0xa0) || (cp >= 0xd800 && cp < 0xe000))
			continue;
		while (group < count && u32(groups + 12 * group + 4) < cp)
			group++;
		if (group == count || u32(groups + 12 * group) > cp)
			fail_msg("U+%04X has no glyph", cp);
		unsigned advance = u16(hmtx + 4 * u32(groups + 12 * group + 8));
		if (advance != column * columns_drawn(cp))
			fail_msg("U+%04X is %u units wide", cp, advance);
		seen++;
	}
	assert_true(seen > 1100000);
}

/* The script that goes into the page brings the style for shadow roots; another height of cells
 * comes after the default. */
static void
test_style_and_walker(void **state)
{
	struct buf style = BUF_INIT, fit = BUF_INIT, walker = BUF_INIT;

	app_page_add_style(&style, APP_CELL, 20);
	app_page_add_style(&fit, APP_FIT, 20);
	app_page_add_walker(&walker, APP_CELL, 20);
	const char *first = strstr(buf_text(&style), "--mcpane-cell-height: 16px");
	assert_non_null(first);
	assert_non_null(strstr(first, "--mcpane-cell-height: 20px"));
	assert_non_null(strstr(buf_text(&style), APP_FONT_PATH));
	assert_null(strstr(buf_text(&fit), "MCPCell"));
	assert_non_null(strstr(buf_text(&fit), "-webkit-text-fill-color: transparent"));
	assert_non_null(strstr(buf_text(&walker), "globalThis.__collect = "));
	assert_non_null(strstr(buf_text(&walker), "__begin({\"style\":\""));
	buf_clear(&style);
	app_page_add_hooks(&style, APP_CELL, 20, false);
	assert_non_null(strstr(buf_text(&style), "prototype.fillText = "));
	assert_non_null(strstr(buf_text(&style), "\n})\n(10);\n")); /* half of it is a column */
	buf_clear(&style);
	app_page_add_style(&style, APP_PIXELS, 20);
	assert_int_equal(style.len, 0);
	buf_finish(&style);
	buf_finish(&fit);
	buf_finish(&walker);
}

TEST_FILE(app_font)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tables),
		cmocka_unit_test(test_every_character_is_as_wide_as_the_terminal_draws_it),
		cmocka_unit_test(test_style_and_walker),
	};
	setlocale(LC_ALL, "C.UTF-8");
	app_font_add(&font);
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	buf_finish(&font);
	return failed;
}

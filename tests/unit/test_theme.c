/* SPDX-License-Identifier: MIT */
#include "base/vec.h"
#include "test.h"
#include "ui/paint.h"
#include "ui/theme.h"
#include "ui/theme_files.h"

#include <stdio.h>
#include <string.h>

static struct theme
parsed(const char *text)
{
	struct theme theme;
	struct err err;

	if (!theme_parse(&theme, text, strlen(text), &err))
		fail_msg("%s", err.text);
	return theme;
}

static void
expect_error(const char *text, const char *expected)
{
	struct theme theme;
	struct err err;

	assert_false(theme_parse(&theme, text, strlen(text), &err));
	assert_string_equal(err.text, expected);
	assert_false(theme_parse(&theme, text, strlen(text), NULL));
}

static void
test_syntax(void **state)
{
	struct theme t = parsed("# a comment\n\nname mine\r\nbackground light\n"
				"color blue #0000ff\ncolor sky #0ABCDE\n"
				"text #112233 on #ffffff # said so\n"
				"title blue bold underline\n"
				"\tselection on sky reverse");
	assert_string_equal(t.name, "mine");
	assert_true(t.is_light);
	assert_int_equal(t.roles[ROLE_TEXT].fg, 0x112233);
	assert_int_equal(t.roles[ROLE_TEXT].bg, 0xffffff);
	assert_int_equal(t.roles[ROLE_TITLE].fg, 0x0000ff);
	assert_int_equal(t.roles[ROLE_TITLE].bg, COLOR_DEFAULT);
	assert_int_equal(t.roles[ROLE_TITLE].attr, ATTR_BOLD | ATTR_UNDERLINE);
	assert_int_equal(t.roles[ROLE_SELECTION].fg, 0x112233);
	assert_int_equal(t.roles[ROLE_SELECTION].bg, 0x0abcde);
	assert_int_equal(t.roles[ROLE_SELECTION].attr, ATTR_REVERSE);
}

static void
test_fallbacks(void **state)
{
	/* hint <- dim <- text; error.cell takes the ink of a role that comes later in the file */
	struct theme t = parsed("text #111111 on #eeeeee\nerror.cell on #440000 bold\ndim #222222 "
				"italic\nerror #ff0000\n"
				"selection #010101 on #020202\nfield on #030303\n");
	assert_int_equal(t.roles[ROLE_HINT].fg, 0x222222);
	assert_int_equal(t.roles[ROLE_HINT].attr, ATTR_ITALIC);
	assert_int_equal(t.roles[ROLE_ERROR_CELL].fg, 0xff0000);
	assert_int_equal(t.roles[ROLE_ERROR_CELL].attr, ATTR_BOLD);
	assert_int_equal(t.roles[ROLE_SELECTION_DIM].bg, 0x020202);
	assert_int_equal(t.roles[ROLE_FIELD_FOCUS].bg, 0x030303);
	assert_int_equal(t.roles[ROLE_BUTTON].bg, 0x030303);
	/* text has the background of the screen, not one set by the role */
	assert_int_equal(t.roles[ROLE_DIALOG].bg, COLOR_DEFAULT);
	assert_int_equal(t.roles[ROLE_NUMBER].fg, 0x111111);

	t = parsed("");
	assert_int_equal(t.roles[ROLE_TEXT].fg, COLOR_DEFAULT);
	assert_int_equal(t.roles[ROLE_NUMBER].fg, COLOR_DEFAULT);
	assert_true(t.roles[ROLE_SELECTION].attr & ATTR_REVERSE);
	assert_true(t.roles[ROLE_CURSOR].attr & ATTR_REVERSE);
}

static void
test_errors(void **state)
{
	expect_error("name a\ntexture #ffffff", "line 2: no role or setting is called texture");
	expect_error("none #ffffff", "line 1: no role or setting is called none");
	expect_error("text #fffff", "line 1: not a color or an attribute: #fffff");
	expect_error("text blue", "line 1: not a color or an attribute: blue");
	expect_error("text #ffffff #000000", "line 1: not a color or an attribute: #000000");
	expect_error("text on", "line 1: not a color or an attribute: on");
	expect_error("text on on", "line 1: not a color or an attribute: on");
	expect_error("color x default", "line 1: not a color (#rrggbb): default");
	expect_error("color x", "line 1: expected: color NAME #rrggbb");
	expect_error("background blue", "line 1: expected: background dark|light");
	expect_error("name", "line 1: expected: name NAME");
	expect_error(
	    "name 0123456789012345678901234567890123456789", "line 1: expected: name NAME");
	expect_error(
	    "text bold bold bold bold bold bold bold bold bold bold bold bold bold bold bold bold",
	    "line 1: more than 16 words");
	char line[400];
	memset(line, 'x', sizeof(line));
	struct err err;
	struct theme theme;
	assert_false(theme_parse(&theme, line, sizeof(line), &err));
	assert_string_equal(err.text, "line 1: longer than 255 bytes");
	assert_false(theme_parse(&theme, "text\0bold", 9, &err));
}

static void
test_palette(void **state)
{
	assert_int_equal(color_to_256(0x5fafff), 75);
	assert_int_equal(color_to_256(0x000000), 16);
	assert_int_equal(color_to_256(0xffffff), 231);
	assert_int_equal(color_to_256(0x121212), 233);
	assert_int_equal(color_to_256(0x3d1418), 52); /* dark red, not dark gray */
	for (int i = 16; i < 256; i++)
		assert_int_equal(paint_palette(color_to_256(paint_palette(i))), paint_palette(i));
	for (int i = 0; i < 16; i++)
		assert_int_equal(color_to_16(paint_palette(i)), i);
	assert_int_equal(color_to_16(0x58a6ff), 12);
	assert_int_equal(color_to_16(0xf85149), 9);
	assert_int_equal(color_to_16(0x7d8590), 8);
	assert_int_equal(color_to_16(0xd8dee9), 7);
	assert_true(paint_contrast(0, 0xffffff) > 20.9);
	assert_true(paint_contrast(0x777777, 0x777777) < 1.01);
}

static int
part(int32_t rgb, int shift)
{
	return rgb >> shift & 0xff;
}

/* Lightness and hue apart, as color_to_256() weighs them. */
static int
distance(int32_t p, int32_t q)
{
	int r = part(p, 16) - part(q, 16), g = part(p, 8) - part(q, 8), b = part(p, 0) - part(q, 0);
	int y = (299 * r + 587 * g + 114 * b) / 1000;
	int cb = (b - y) * 56 / 100, cr = (r - y) * 71 / 100;

	return y * y + cb * cb + cr * cr;
}

static bool
is_gray(int32_t rgb)
{
	return part(rgb, 16) == part(rgb, 8) && part(rgb, 8) == part(rgb, 0);
}

/* color_to_256() looks at the neighbors only; no entry of the same kind is nearer. */
static void
test_cube_is_searched_near(void **state)
{
	for (int32_t i = 0; i < 1 << 24; i += 641) {
		int32_t found = paint_palette(color_to_256(i));
		int least = distance(i, found);
		for (int entry = 16; entry < 256; entry++) {
			int32_t other = paint_palette(entry);
			if (is_gray(other) == is_gray(found) && distance(i, other) < least)
				fail_msg("%06x: %06x, but %06x is nearer", (unsigned)i,
				    (unsigned)found, (unsigned)other);
		}
	}
}

static void
test_grounds(void **state)
{
	struct theme t = parsed(
	    "text #111111 on #eeeeee\nerror.cell #aa0000 on #ffcccc\nselection on #ccccff bold\n"
	    "dialog on #dddddd\n");
	struct paint p = paint_of(&t, style_of(ROLE_TEXT), ROLE_NONE, PAINT_RGB);
	assert_int_equal(p.bg, 0xeeeeee);
	assert_int_equal(p.fg, 0x111111);
	assert_int_equal(paint_of(&t, style_of(ROLE_TEXT), ROLE_DIALOG, PAINT_RGB).bg, 0xdddddd);
	/* a style's background covers the previous one, and an explicit one covers both */
	assert_int_equal(
	    paint_of(&t, style_of(ROLE_ERROR_CELL), ROLE_DIALOG, PAINT_RGB).bg, 0xffcccc);
	p = paint_of(&t, style_on(ROLE_ERROR_CELL, ROLE_SELECTION), ROLE_DIALOG, PAINT_RGB);
	assert_int_equal(p.bg, 0xccccff);
	assert_int_equal(p.fg, 0xaa0000);
	assert_int_equal(p.attr, ATTR_BOLD);
	struct style own = {
		.ink = STYLE_RGB(0x010203), .ground = STYLE_RGB(0), .attr = ATTR_ITALIC
	};
	/* a cell of one color is not text, and with few colors it stays one color */
	struct style filled = { STYLE_RGB(0x440154), STYLE_RGB(0x440154), 0 };
	p = paint_of(&t, filled, ROLE_NONE, PAINT_16);
	assert_int_equal(p.fg, p.bg);
	p = paint_of(&t, filled, ROLE_NONE, PAINT_8);
	assert_int_equal(p.fg, p.bg);
	assert_int_equal(p.attr, 0);
	/* two shades of a picture are one color if the palette has no other: contrast would be a
	 * rim */
	struct style drawn = { STYLE_RGB(0xc000c0), STYLE_RGB(0xcd00cd), ATTR_DRAWN };
	p = paint_of(&t, drawn, ROLE_NONE, PAINT_16);
	assert_int_equal(p.fg, p.bg);
	assert_int_equal(p.attr, 0);
	p = paint_of(&t, drawn, ROLE_NONE, PAINT_8);
	assert_int_equal(p.fg, 5);
	assert_int_equal(p.bg, 5);
	p = paint_of(&t, drawn, ROLE_NONE, PAINT_RGB);
	assert_int_equal(p.fg, 0xc000c0);
	assert_int_equal(p.attr, 0);
	/* the nearly black ground of a page is black, and not the hue that it hardly has */
	struct style page = { STYLE_RGB(0xe0e0e0), STYLE_RGB(0x0f172a), 0 };
	p = paint_of(&t, page, ROLE_NONE, PAINT_16);
	assert_int_equal(p.bg, 0);
	page.attr = ATTR_DRAWN;
	p = paint_of(&t, page, ROLE_NONE, PAINT_8);
	assert_int_equal(p.bg, 0);
	drawn.attr = 0; /* a letter can be read */
	p = paint_of(&t, drawn, ROLE_NONE, PAINT_16);
	assert_int_not_equal(p.fg, p.bg);
	p = paint_of(&t, own, ROLE_NONE, PAINT_RGB);
	assert_int_equal(p.fg, 0x010203);
	assert_int_equal(p.bg, 0);
	assert_int_equal(p.attr, ATTR_ITALIC);
	/* nonsense is text */
	p = paint_of(&t, (struct style){ .ink = 12345, .ground = 54321 }, 99999, PAINT_RGB);
	assert_int_equal(p.fg, 0x111111);
	assert_int_equal(p.bg, 0xeeeeee);
}

static void
test_few_colors(void **state)
{
	struct theme t =
	    parsed("text #111111 on #ffffff\ntitle #000000 bold\nselection #111111 on #ddf4ff\n"
		   "error #cc0000 bold\n");
	struct paint p = paint_of(&t, style_of(ROLE_TITLE), ROLE_NONE, PAINT_16);
	assert_int_equal(p.fg, 0);
	assert_int_equal(p.bg, 15);
	assert_int_equal(p.attr, 0); /* bold black comes out gray */
	p = paint_of(&t, style_on(ROLE_ERROR, ROLE_SELECTION), ROLE_NONE, PAINT_16);
	assert_int_equal(p.bg, 6); /* a pale tint is its hue, not the screen's white */
	p = paint_of(&t, style_of(ROLE_ERROR), ROLE_NONE, PAINT_8);
	assert_int_equal(p.fg, 1);
	assert_int_equal(p.bg, 7);
	assert_int_equal(p.attr, ATTR_BOLD);
}

/* Charts have nothing but their colors: those stay apart, and none is the ink of text. */
static void
test_series_stay_apart(void **state)
{
	struct theme t;

	for (size_t i = 0; theme_files[i].name; i++) {
		assert_true(theme_builtin(&t, theme_files[i].name));
		if (!t.has_colors)
			continue;
		struct paint p[ROLE_SERIES_6 - ROLE_SERIES_1 + 1];
		for (size_t a = 0; a < ARRAY_LEN(p); a++) {
			p[a] = paint_of(
			    &t, style_of((enum role)(ROLE_SERIES_1 + a)), ROLE_NONE, PAINT_16);
			for (size_t b = 0; b < a; b++)
				if (p[a].fg == p[b].fg)
					fail_msg("%s: series %zu and %zu are both %d", t.name, b, a,
					    p[a].fg);
			assert_true(
			    p[a].bg == COLOR_DEFAULT ||
			    paint_contrast(paint_palette(p[a].fg), paint_palette(p[a].bg)) > 1.9);
		}
	}
	assert_true(theme_builtin(&t, "light"));
	assert_int_equal(paint_of(&t, style_of(ROLE_SERIES_3), 0, PAINT_16).fg, 2);
	assert_int_equal(paint_of(&t, style_of(ROLE_OK), 0, PAINT_16).fg, 2);
}

/* Nor have own colors, of a picture for example. */
static void
test_no_colors_at_all(void **state)
{
	static const int modes[] = { PAINT_MONO, PAINT_8, PAINT_16, PAINT_256, PAINT_RGB };
	struct style own = { STYLE_RGB(0x440154), STYLE_RGB(0xfde725), ATTR_ITALIC };
	struct theme t;

	assert_true(theme_builtin(&t, "mono"));
	for (size_t i = 0; i < ARRAY_LEN(modes); i++) {
		struct paint p = paint_of(&t, own, STYLE_RGB(0xff0000), modes[i]);
		assert_int_equal(p.fg, COLOR_DEFAULT);
		assert_int_equal(p.bg, COLOR_DEFAULT);
		assert_int_equal(p.attr, ATTR_ITALIC);
	}
}

static void
test_reverse_on_reverse(void **state)
{
	struct theme t = parsed("selection reverse\ncursor reverse bold\n");
	assert_int_equal(
	    paint_of(&t, style_on(ROLE_TEXT, ROLE_SELECTION), 0, PAINT_MONO).attr, ATTR_REVERSE);
	assert_int_equal(
	    paint_of(&t, style_on(ROLE_HINT, ROLE_SELECTION), 0, PAINT_MONO).attr, ATTR_REVERSE);
	assert_int_equal(
	    paint_of(&t, style_on(ROLE_CURSOR, ROLE_SELECTION), 0, PAINT_MONO).attr, ATTR_BOLD);
	assert_int_equal(paint_of(&t, style_on(ROLE_CURSOR, ROLE_CURSOR), 0, PAINT_MONO).attr,
	    ATTR_BOLD | ATTR_REVERSE);
	assert_int_equal(paint_of(&t, style_of(ROLE_CURSOR), 0, PAINT_MONO).fg, COLOR_DEFAULT);
}

/* The resulting colors as 0xrrggbb, in every mode. */
static double
contrast_of(const struct theme *t, enum role ink, enum role ground, int colors)
{
	struct paint p = paint_of(t, style_on(ink, ground), ROLE_NONE, colors);

	if (colors != PAINT_RGB) {
		p.fg = paint_palette(p.fg);
		p.bg = paint_palette(p.bg);
	}
	return paint_contrast(p.fg, p.bg);
}

static void
check_contrast(const struct theme *t, enum role ink, enum role ground, double least)
{
	double rgb = contrast_of(t, ink, ground, PAINT_RGB);

	if (rgb < least)
		fail_msg("%s: role %d on %d has contrast %.2f, less than %.2f", t->name, ink,
		    ground, rgb, least);
	if (contrast_of(t, ink, ground, PAINT_256) < least * 0.75)
		fail_msg("%s: role %d on %d in 256 colors: %.2f", t->name, ink, ground,
		    contrast_of(t, ink, ground, PAINT_256));
	if (contrast_of(t, ink, ground, PAINT_16) < 1.9)
		fail_msg("%s: role %d on %d in 16 colors: %.2f", t->name, ink, ground,
		    contrast_of(t, ink, ground, PAINT_16));
	assert_true(contrast_of(t, ink, ground, PAINT_8) > 1.5);
}

static void
test_builtin_themes_are_legible(void **state)
{
	static const enum role grounds[] = { ROLE_NONE, ROLE_SELECTION, ROLE_SELECTION_DIM,
		ROLE_BAR, ROLE_DIALOG };
	static const enum role own[] = { ROLE_ERROR_CELL, ROLE_WARNING_CELL, ROLE_CURSOR,
		ROLE_FIELD, ROLE_FIELD_FOCUS, ROLE_BUTTON, ROLE_BUTTON_FOCUS, ROLE_SELECTION,
		ROLE_SELECTION_DIM, ROLE_BAR, ROLE_DIALOG };
	struct theme t;
	size_t count = 0;

	for (const char *name; (name = theme_files[count].name); count++) {
		assert_true(theme_builtin(&t, name));
		assert_string_equal(t.name, name);
		if (strcmp(name, "mono") == 0)
			continue;
		for (size_t g = 0; g < ARRAY_LEN(grounds); g++) {
			check_contrast(&t, ROLE_TEXT, grounds[g], 5);
			check_contrast(&t, ROLE_TITLE, grounds[g], 5);
			check_contrast(&t, ROLE_DIM, grounds[g], 3.9);
			check_contrast(&t, ROLE_HINT, grounds[g], 3);
			for (int role = ROLE_ACCENT; role <= ROLE_STRING; role++)
				if (role != ROLE_ERROR_CELL && role != ROLE_WARNING_CELL)
					check_contrast(&t, (enum role)role, grounds[g], 3);
		}
		for (int role = ROLE_SERIES_1; role <= ROLE_SERIES_6; role++)
			check_contrast(&t, (enum role)role, ROLE_NONE, 3);
		for (size_t i = 0; i < ARRAY_LEN(own); i++)
			check_contrast(&t, own[i], ROLE_NONE, 4);
		check_contrast(&t, ROLE_BAR_KEY, ROLE_BAR, 4);
		check_contrast(&t, ROLE_HINT, ROLE_FIELD, 3);
		check_contrast(&t, ROLE_HINT, ROLE_FIELD_FOCUS, 3);
	}
	assert_true(count >= 9);
	assert_false(theme_builtin(&t, "no such theme"));
}

/* The selection is visible in every theme and every mode. */
static void
test_selection_shows(void **state)
{
	static const int modes[] = { PAINT_MONO, PAINT_8, PAINT_16, PAINT_256, PAINT_RGB };
	static const enum role shown[] = { ROLE_SELECTION, ROLE_CURSOR, ROLE_BUTTON_FOCUS,
		ROLE_ERROR_CELL, ROLE_FIELD_FOCUS };
	struct theme t;

	for (size_t i = 0; theme_files[i].name; i++) {
		assert_true(theme_builtin(&t, theme_files[i].name));
		for (size_t m = 0; m < 5; m++) {
			bool mono = strcmp(t.name, "mono") == 0;
			if (modes[m] == PAINT_MONO && !mono)
				continue; /* without colors the mono theme is used */
			struct paint plain = paint_of(&t, style_of(ROLE_TEXT), ROLE_NONE, modes[m]);
			for (size_t s = 0; s < 5; s++) {
				struct paint p = paint_of(
				    &t, style_on(ROLE_TEXT, shown[s]), ROLE_NONE, modes[m]);
				if (p.bg == plain.bg && p.attr == plain.attr)
					fail_msg("%s: role %d does not show with %d colors", t.name,
					    shown[s], modes[m]);
			}
		}
	}
}

/* The selected cell stands out in its row in every theme, also with few colors. */
static void
test_cell_shows_in_its_row(void **state)
{
	static const int modes[] = { PAINT_MONO, PAINT_8, PAINT_16, PAINT_256, PAINT_RGB };
	static const struct style cells[] = { { ROLE_CURSOR, ROLE_CURSOR, ATTR_IN_ROW },
		{ ROLE_ERROR_CELL, ROLE_ERROR_CELL, ATTR_REVERSE | ATTR_IN_ROW },
		{ ROLE_WARNING_CELL, ROLE_WARNING_CELL, ATTR_REVERSE | ATTR_IN_ROW } };
	struct theme t;

	for (size_t i = 0; theme_files[i].name; i++) {
		assert_true(theme_builtin(&t, theme_files[i].name));
		for (size_t m = 0; m < ARRAY_LEN(modes); m++) {
			bool mono = modes[m] == PAINT_MONO || !t.has_colors;
			struct paint row =
			    paint_of(&t, style_on(ROLE_TEXT, ROLE_SELECTION), 0, modes[m]);
			for (size_t c = 0; c < ARRAY_LEN(cells); c++) {
				struct paint p = paint_of(&t, cells[c], 0, modes[m]);
				bool reversed = p.attr & ATTR_REVERSE;
				bool same = mono ? reversed == ((row.attr & ATTR_REVERSE) != 0)
						 : (reversed ? p.fg : p.bg) ==
						       (row.attr & ATTR_REVERSE ? row.fg : row.bg);
				if (same)
					fail_msg("%s: cell %zu is as its row with %d colors",
					    t.name, c, modes[m]);
			}
		}
	}
}

TEST_FILE(theme)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_syntax),
		cmocka_unit_test(test_fallbacks),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_palette),
		cmocka_unit_test(test_cube_is_searched_near),
		cmocka_unit_test(test_grounds),
		cmocka_unit_test(test_few_colors),
		cmocka_unit_test(test_series_stay_apart),
		cmocka_unit_test(test_no_colors_at_all),
		cmocka_unit_test(test_reverse_on_reverse),
		cmocka_unit_test(test_builtin_themes_are_legible),
		cmocka_unit_test(test_selection_shows),
		cmocka_unit_test(test_cell_shows_in_its_row),
	};
	return cmocka_run_group_tests_name("theme", tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/*
 * The page of an app as cells. The frames are made here; recorded frames of real apps, with the
 * walker's output, are in tests/apps/golden (written by tests/apps/record.mjs). GOLDEN=write
 * rewrites their text.
 */
#include "apps/cells.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/shared_library.h"
#include "base/vec.h"
#include "json/doc.h"
#include "test.h"

#include <locale.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLS = 20, ROWS = 6, WIDTH = COLS * 4, HEIGHT = ROWS * 8, RED = 0xff0000, BLUE = 0x0000ff };

static struct app_cells cells;
static uint8_t pixels[HEIGHT][WIDTH][4];

#define PNG_WRITING(X) X(png_image_write_to_memory)
struct png_writer {
	PNG_WRITING(SHARED_LIBRARY_POINTER)
};

static void
fill(int x, int y, int width, int height, uint32_t color)
{
	for (int j = y; j < y + height; j++)
		for (int i = x; i < x + width; i++) {
			uint8_t rgba[] = { (uint8_t)(color >> 16), (uint8_t)(color >> 8),
				(uint8_t)color, 255 };
			memcpy(pixels[j][i], rgba, 4);
		}
}

static void
encode(struct buf *out)
{
	png_image image = { .version = PNG_IMAGE_VERSION,
		.width = WIDTH,
		.height = HEIGHT,
		.format = PNG_FORMAT_RGBA };
	struct png_writer api;
	png_alloc_size_t size = 0;

	assert_true(SHARED_LIBRARY_LOAD("libpng16.so.16", PNG_WRITING, &api, NULL));
	assert_true(api.png_image_write_to_memory(&image, NULL, &size, 0, pixels, 0, NULL));
	void *room = buf_reserve(out, size);
	assert_true(api.png_image_write_to_memory(&image, room, &size, 0, pixels, 0, NULL));
	buf_commit(out, size);
}

static void
take_frame(void)
{
	struct buf png = BUF_INIT;
	struct err err;

	encode(&png);
	assert_true(app_cells_take_frame(&cells, png.data, png.len, &err));
	buf_finish(&png);
}

/* A page with these texts, pictures and targets. */
static bool
take(const char *texts, const char *boxes, const char *targets, const char *caret, struct err *err)
{
	char *json =
	    mem_printf("{\"text\":[%s],\"boxes\":[%s],\"frames\":[],\"targets\":[%s],\"caret\":%s,"
		       "\"page\":[160,96,0,0],\"more\":false}",
		texts, boxes, targets, caret);
	bool ok = app_cells_take_text(&cells, json, strlen(json), err);

	free(json);
	return ok;
}

static void
show(const char *texts)
{
	struct err err = { "" };

	if (!take(texts, "", "", "null", &err))
		fail_msg("%s", err.text);
	app_cells_draw(&cells);
}

static const struct app_cell *
at(int col, int row)
{
	return &cells.cells[row * COLS + col];
}

static void
assert_row(int row, const char *expected)
{
	struct buf text = BUF_INIT;

	app_cells_add_text(&cells, &text);
	char *line = buf_text(&text) ? text.data : NULL;
	for (; row > 0; row--)
		line = strchr(line, '\n') + 1;
	*strchr(line, '\n') = '\0';
	assert_string_equal(line, expected);
	buf_finish(&text);
}

static int
setup(void **state)
{
	app_cells_init(&cells, COLS, ROWS, 16, APP_CELL);
	fill(0, 0, WIDTH, HEIGHT, 0);
	take_frame();
	return 0;
}

static int
teardown(void **state)
{
	app_cells_finish(&cells);
	return 0;
}

/* ---- pixels ---- */

/* Each shape is drawn red on blue in a separate cell. */
static void
test_blocks(void **state)
{
	static const struct {
		int x, y, width, height;
		const char *drawn;
	} shapes[] = { { 0, 0, 4, 8, " " }, { 0, 0, 4, 4, "▀" }, { 0, 0, 2, 8, "▌" },
		{ 0, 0, 2, 4, "▘" }, { 2, 0, 2, 4, "▝" }, { 0, 4, 2, 4, "▖" }, { 2, 4, 2, 4, "▗" },
		{ 0, 6, 4, 2, "▂" }, { 0, 2, 4, 6, "▆" } };
	struct buf text = BUF_INIT;

	fill(0, 0, WIDTH, HEIGHT, BLUE);
	for (size_t i = 0; i < ARRAY_LEN(shapes); i++)
		fill((int)i * 4 + shapes[i].x, shapes[i].y, shapes[i].width, shapes[i].height, RED);
	take_frame();
	app_cells_draw(&cells);
	for (size_t i = 0; i < ARRAY_LEN(shapes); i++) {
		buf_add_str(&text, shapes[i].drawn);
		assert_int_equal(at((int)i, 0)->ground, i == 0 ? RED : BLUE);
		assert_int_equal(at((int)i, 0)->ink, RED);
	}
	assert_row(0, buf_text(&text));
	buf_finish(&text);
}

/* A thin line becomes dots in a drawing, and a block elsewhere. */
static void
test_thin_lines_are_dots(void **state)
{
	struct err err;

	fill(0, 10, WIDTH, 1, 0x00ff00);
	take_frame();
	assert_true(take("", "[0,16,80,16,\"canvas\"],[80,16,40,16,\"img\"]", "", "null", &err));
	app_cells_draw(&cells);
	for (int col = 0; col < 10; col++) {
		assert_int_equal(at(col, 1)->ch, 0x2800 + 0x12); /* ⠒ the second row of dots */
		assert_int_equal(at(col, 1)->ink, 0x00ff00);
		assert_int_equal(at(col, 1)->ground, 0);
	}
	assert_true(at(10, 1)->ch < 0x2800);
	assert_true(at(19, 1)->ch < 0x2800);
}

/* The bars of a chart end anywhere in a cell: their edges are eighths of it, in the bar's own
 * color, without dots and without a rim of half colors. */
static void
test_edges_of_surfaces(void **state)
{
	struct err err;

	fill(4, 13, 14, 27, RED); /* three cells and a half wide, three eighths of a row high */
	fill(4, 12, 14, 1, 0x600000);
	fill(18, 13, 1, 27, 0x600000); /* a browser's shade for a partly covered pixel */
	take_frame();
	assert_true(take("", "[0,0,160,96,\"canvas\"]", "", "null", &err));
	app_cells_draw(&cells);
	for (int row = 1; row < 5; row++)
		for (int col = 0; col < 6; col++) {
			const struct app_cell *cell = at(col, row);
			assert_true(cell->ch < 0x2800 || cell->ch > 0x28ff);
			assert_true(cell->ink == RED || cell->ink == 0);
			assert_true(cell->ground == RED || cell->ground == 0);
		}
	for (int col = 1; col < 4; col++)
		assert_int_equal(at(col, 1)->ch, 0x2583); /* ▃ */
	for (int row = 2; row < 5; row++) {
		assert_int_equal(at(4, row)->ch, 0x258c); /* ▌ */
		assert_int_equal(at(4, row)->ink, RED);
		assert_int_equal(at(5, row)->ch, ' ');
	}
	/* A surface is visible without colors; with colors it needs no shading. */
	assert_int_equal(at(2, 3)->ch, 0x2593); /* ▓ */
	assert_int_equal(at(2, 3)->ink, RED);
	assert_int_equal(at(2, 3)->ground, RED);
	assert_int_equal(at(8, 3)->ch, ' ');
}

/* The area below the screen is unknown; a surface still has no dots. */
static void
test_surface_at_the_end(void **state)
{
	struct err err;

	fill(4, 8, 16, HEIGHT - 10, RED);
	take_frame();
	assert_true(take("", "[0,0,160,96,\"canvas\"]", "", "null", &err));
	app_cells_draw(&cells);
	for (int col = 0; col < 6; col++)
		assert_true(at(col, ROWS - 1)->ch < 0x2800 || at(col, ROWS - 1)->ch > 0x28ff);
	assert_int_equal(at(2, ROWS - 1)->ch, 0x2582);
}

/* A line that shares its pixels keeps its dots; a shape smaller than half a cell is still drawn. */
static void
test_small_things_are_seen(void **state)
{
	struct err err;

	for (int x = 0; x < 40; x++) {
		fill(x, 10 + x / 8, 1, 1, 0x404040);
		fill(x, 11 + x / 8, 1, 1, 0x404040);
	}
	fill(62, 10, 5, 4, RED);
	take_frame();
	assert_true(take("", "[0,0,80,96,\"canvas\"]", "", "null", &err));
	app_cells_draw(&cells);
	for (int col = 0; col < 10; col++)
		assert_true(at(col, 1)->ch > 0x2800 && at(col, 1)->ch < 0x2900);
	assert_true(at(15, 1)->ink > 0x400000 || at(15, 1)->ground > 0x400000);
	assert_true(at(16, 1)->ink > 0x400000 || at(16, 1)->ground > 0x400000);
}

/* A frame of another size is reduced to the cells. */
static void
test_frame_of_another_size(void **state)
{
	fill(0, 0, WIDTH / 2, HEIGHT, RED);
	app_cells_finish(&cells);
	app_cells_init(&cells, COLS / 4, ROWS / 2, 16, APP_CELL);
	take_frame();
	app_cells_draw(&cells);
	assert_int_equal(cells.cells[0].ground, RED);
	assert_int_equal(cells.cells[COLS / 4 - 1].ground, 0);
}

/* ---- text ---- */

static void
test_text_has_its_cells(void **state)
{
	fill(4, 8, 8, 8, 0x202020);
	take_frame();
	show("[8,16,40,16,\"Hello\",65280,255,5],[64,16,48,16,\"日本\\u0301語\",16711680,255,0]");
	assert_row(1, " Hello  日本́語");
	assert_int_equal(at(1, 1)->ink, 0x00ff00);
	assert_int_equal(at(1, 1)->ground, 0x202020);
	assert_int_equal(at(4, 1)->ground, 0);
	assert_int_equal(at(1, 1)->attr, APP_ATTR_BOLD | APP_ATTR_UNDERLINE);
	assert_int_equal(at(9, 1)->ch, 0); /* the right half of a wide character */
	assert_int_equal(cells.facts.texts, 2);
	assert_int_equal(cells.facts.lost + cells.facts.moved + cells.facts.shortened, 0);
}

/* Nothing undrawable reaches a cell. */
static void
test_hostile_text_is_harmless(void **state)
{
	show("[0,0,160,16,\"a\\u001b[31m\\u0007b\\u202ec\\u200bd\\u0000e\\u009bf\\ud800g\\ue000\","
	     "65280,255,0]");
	assert_row(0, "a[31mbcdef\xef\xbf\xbdg▪");
}

static void
test_text_stays_legible(void **state)
{
	fill(0, 0, WIDTH / 2, 8, 0xffffff);
	take_frame();
	/* white on yellow becomes dark */
	fill(0, 8, WIDTH / 2, 8, 0xd7d75f);
	take_frame();
	show("[0,16,32,16,\"value\",16777215,255,0]");
	assert_true((at(0, 1)->ink & 0xff) < 0x80);
	show("[0,0,32,16,\"pale\",16777200,255,0],[120,0,32,16,\"dark\",1,255,0],[120,16,8,16,"
	     "\"x\",16777215,128,0]");
	assert_true((at(0, 0)->ink & 0xff) < 0xe0);
	assert_true((at(15, 0)->ink & 0xff) > 0x20);
	assert_int_equal(at(15, 1)->ink, 0x808080); /* half of it shows the ground */
}

/* Text that shares cells, or needs more than its box has, finds others; each letter is there. */
static void
test_crowded_text_is_not_lost(void **state)
{
	show("[0,16,40,16,\"first\",65280,255,0],[16,20,48,16,\"second\",65280,255,0],"
	     "[0,48,16,16,\"longer\",65280,255,0],[80,48,40,16,\"third\",65280,255,0]");
	assert_row(1, "first second");
	assert_row(3, "longer    third");
	assert_int_equal(cells.facts.collided, 1);
	assert_int_equal(cells.facts.moved, 1);
	assert_int_equal(cells.facts.lost, 0);
	assert_int_equal(cells.facts.shortened, 0);
}

/* When all rows are full, the rest of the last one becomes an ellipsis and the other texts are
 * counted. */
static void
test_text_without_room_is_shortened(void **state)
{
	struct buf texts = BUF_INIT;

	for (int row = 0; row < ROWS; row++)
		buf_addf(&texts, "[0,%d,120,16,\"xxxxxxxxxxxxxxx\",65280,255,0],", row * 16);
	buf_add_str(&texts, "[120,32,16,16,\"0123456789\",65280,255,0]");
	show(buf_text(&texts));
	assert_row(2, "xxxxxxxxxxxxxxx0123…");
	assert_int_equal(cells.facts.shortened, 1);
	assert_int_equal(cells.facts.lost, 6);
	buf_finish(&texts);
}

static void
test_text_of_drawings_is_aligned(void **state)
{
	show("[60,0,20,16,\"middle\",65280,255,32],[60,32,20,16,\"right\",65280,255,64],"
	     "[144,0,16,64,\"up\",65280,255,128]");
	assert_row(0, "      middle");
	assert_row(2, "     right        p");
	assert_int_equal(at(18, 1)->ch, 'u');
}

/* Content beyond the edge of the screen is scrolled out, not lost. */
static void
test_text_beyond_the_edge(void **state)
{
	show("[-16,0,40,16,\"hello\",65280,255,0],[144,16,40,16,\"world\",65280,255,0],"
	     "[0,-16,40,16,\"above\",65280,255,0],[152,32,16,16,\"日\",65280,255,0]");
	assert_row(0, "llo");
	assert_row(1, "                  wo");
	assert_row(2, "");
	assert_int_equal(cells.facts.lost, 0);
}

static void
test_pixels_have_no_text(void **state)
{
	app_cells_finish(&cells);
	app_cells_init(&cells, COLS, ROWS, 16, APP_PIXELS);
	take_frame();
	show("[0,0,40,16,\"Hello\",65280,255,0]");
	assert_row(0, "");
}

/* ---- caret, targets, changes ---- */

static void
test_caret(void **state)
{
	static const struct {
		const char *caret;
		int col, row;
	} rows[] = { { "null", -1, -1 }, { "[24,33,16]", 3, 2 }, { "[160,0,16]", COLS - 1, 0 },
		{ "[0,-20,16]", -1, -1 }, { "[0,200,16]", -1, -1 } };
	struct err err;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		assert_true(take("", "", "", rows[i].caret, &err));
		app_cells_draw(&cells);
		assert_int_equal(cells.facts.caret_col, rows[i].col);
		assert_int_equal(cells.facts.caret_row, rows[i].row);
	}
}

static void
test_targets(void **state)
{
	struct err err;

	assert_true(take("[8,16,16,16,\"OK\",65280,255,0]", "",
	    "[8,16,16,16,\"button\",\"OK\",0],[40,32,80,16,\"textbox\",\"Name\",12],[0,80,8,16,"
	    "\"link\",\"\",1]",
	    "null", &err));
	app_cells_draw(&cells);
	assert_int_equal(cells.target_count, 3);
	assert_string_equal(cells.targets[1].name, "Name");
	assert_true(cells.targets[1].is_editable && cells.targets[1].is_focused);
	assert_false(cells.targets[0].is_editable);
	assert_int_equal(cells.targets[1].col, 5);
	assert_int_equal(cells.targets[1].cols, 10);
	assert_true(cells.targets[1].x == 80 && cells.targets[1].y == 40);
	assert_row(1, " OK");
}

/* A target is clicked in the row where it is drawn, even if its middle is in the row below. */
static void
test_aim(void **state)
{
	static const struct {
		int x, y, to_x, to_y;
	} rows[] = { { 20, 40, 20, 39 }, { 20, 30, 20, 30 }, { 150, 40, 150, 40 },
		{ 84, 36, 84, 38 }, { 5, 8, 5, 8 } };
	struct err err;

	assert_true(take("", "",
	    "[0,0,160,96,\"button\",\"all\",0],[8,24,60,16,\"textbox\",\"field\",8],"
	    "[80,38,13,13,\"checkbox\",\"low\",0]",
	    "null", &err));
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		int x = rows[i].x, y = rows[i].y;
		app_cells_aim(&cells, &x, &y);
		assert_int_equal(x, rows[i].to_x);
		assert_int_equal(y, rows[i].to_y);
	}
}

/* ---- boxes around text ---- */

static void
show_frames(const char *texts, const char *frames)
{
	char *json = mem_printf("{\"text\":[%s],\"boxes\":[],\"frames\":[%s],\"targets\":[],"
				"\"caret\":null,\"page\":[160,96,0,0],\"more\":false}",
	    texts, frames);
	struct err err = { "" };

	if (!app_cells_take_text(&cells, json, strlen(json), &err))
		fail_msg("%s", err.text);
	app_cells_draw(&cells);
	free(json);
}

/* A button of 26 pixels from the middle of one row to the middle of the row after the next is drawn
 * in the row of its text only. */
static void
test_button_is_its_row(void **state)
{
	fill(5, 5, 22, 13, RED);
	take_frame();
	show_frames("", "");
	assert_int_not_equal(at(3, 0)->ch, ' ');
	show_frames("[16,15,24,16,\"Yes\",16777215,255,0]", "[10,10,44,26,63,16777215,255]");
	for (int row = 0; row < 3; row++)
		for (int col = 1; col < 7; col++)
			assert_int_equal(at(col, row)->ground, row == 1 ? RED : 0);
	assert_row(0, "");
	assert_row(1, " [Yes ]"); /* without colors, brackets show a button */
	assert_int_equal(at(1, 1)->ink, RED);
	assert_int_equal(at(0, 1)->ground, 0);
	assert_int_equal(at(7, 1)->ground, 0);
	/* A focused button is reversed, and a field is underlined. */
	show_frames("", "[10,10,44,26,112,0,255]");
	assert_int_equal(at(1, 1)->attr, APP_ATTR_REVERSE);
	show_frames("[16,15,24,16,\"Y s\",65535,255,0]", "[10,10,44,26,112,0,255]");
	for (int col = 1; col < 6; col++) /* all of one color */
		assert_int_equal(at(col, 1)->ink, 0x00ffff);
	assert_int_equal(at(7, 1)->attr, 0);
	show_frames("", "[10,10,44,26,240,0,255]");
	assert_int_equal(at(1, 1)->attr, APP_ATTR_UNDERLINE);
}

/* The background of a box moves with the box, even if the picture is the same. */
static void
test_grounds_go_with_their_boxes(void **state)
{
	fill(8, 5, 20, 6, RED); /* less than half of the row where it is drawn */
	take_frame();
	show_frames("[16,16,8,16,\"x\",16777215,255,0]", "[16,10,40,13,48,0,255]");
	assert_int_equal(at(2, 1)->ground, RED);
	show_frames("[16,16,8,16,\"x\",16777215,255,0]", "");
	assert_int_equal(at(2, 1)->ground, 0);
}

/* Tiles of 44 by 32 pixels with gaps of 2 lie across cells: each cell is of one of them. */
static void
test_tiles_leave_nothing_between(void **state)
{
	struct buf frames = BUF_INIT;

	for (int i = 0; i < 6; i++) {
		int x = 14 + i % 3 * 46, y = 8 + i / 3 * 34;
		fill(x / 2, y / 2, 22, 16, i % 2 ? RED : BLUE);
		buf_addf(&frames, "%s[%d,%d,44,32,32,0,255]", i ? "," : "", x, y);
	}
	take_frame();
	show_frames("", buf_text(&frames));
	for (int row = 1; row < 4; row++)
		for (int col = 2; col < 19; col++) {
			uint32_t color = at(col, row)->ground;
			assert_true(color == RED || color == BLUE);
			assert_true(at(col, row)->ch == ' ');
		}
	for (int row = 0; row < ROWS; row++)
		assert_int_equal(at(1, row)->ground, 0);
	buf_finish(&frames);
}

/* A card keeps its border above a button that begins in the same row. */
static void
test_button_near_the_rim(void **state)
{
	fill(8, 6, 64, 38, 0x303030);
	fill(40, 12, 24, 14, RED);
	take_frame();
	show_frames("", "[16,14.5,128,73.5,32,0,255],[80,24,48,28,48,0,255]");
	for (int col = 10; col < 16; col++) {
		assert_int_equal(at(col, 1)->ground, 0x303030);
		assert_int_equal(at(col, 2)->ground, RED);
		assert_int_equal(at(col, 3)->ground, 0x303030);
	}
}

static void
test_borders_are_lines(void **state)
{
	show_frames("[16,16,24,16,\"Box\",16777215,255,0]", "[4,4,76,40,15,16777215,255]");
	assert_row(0, "┌────────┐");
	assert_row(1, "│ Box    │");
	assert_row(2, "└────────┘");
	/* Text takes precedence over lines, and a box is drawn whole or not at all. */
	show_frames("[16,0,24,16,\"Top\",16777215,255,0]", "[4,4,76,40,15,16777215,255]");
	assert_row(0, "│ Top    │");
	assert_row(2, "│        │");
	/* Boxes side by side join. */
	show_frames("", "[0,0,40,40,15,16777215,255],[32,0,40,40,15,16777215,255]");
	assert_row(0, "┌───┬───┐");
	/* A low box without a background keeps its sides, and a rule its line. */
	show_frames("[16,2,16,16,\"OK\",16777215,255,0]",
	    "[8,0,40,24,31,16777215,255],[0,48,160,2,5,255,255]");
	assert_row(0, " │OK │");
	assert_row(3, "────────────────────");
}

static void
test_changed_cells(void **state)
{
	show("[0,0,40,16,\"Hello\",65280,255,0]");
	assert_int_equal(cells.facts.changed, COLS * ROWS);
	app_cells_draw(&cells);
	assert_int_equal(cells.facts.changed, 0);
	show("[0,0,40,16,\"Hallo\",65280,255,0]");
	assert_int_equal(cells.facts.changed, 1);
	assert_int_equal(cells.changed[1], 1);
}

/* ---- refused ---- */

static void
test_malformed_text_is_refused(void **state)
{
	static const char *const broken[] = { "", "null", "[]", "{}", "{\"text\":[]",
		"{\"text\":{},\"boxes\":[],\"targets\":[],\"caret\":null,\"page\":[0,0,0,0]}",
		"{\"text\":[],\"boxes\":[],\"targets\":[],\"caret\":null,\"page\":[0,0,0]}",
		"{\"text\":[],\"boxes\":[],\"targets\":[],\"caret\":[1],\"page\":[0,0,0,0]}",
		"{\"text\":[],\"boxes\":[],\"targets\":[],\"caret\":7,\"page\":[0,0,0,0]}" };
	static const char *const texts[] = { "1", "[]", "[0,0,8,16,\"x\",0,255]",
		"[0,0,8,16,\"x\",0,255,0,0]", "[0,0,8,16,\"x\",0,256,0]",
		"[0,0,8,16,\"x\",0,255,1.5]", "[0,0,8,16,\"x\",16777216,255,0]",
		"[0,0,8,16,\"x\",-1,255,0]", "[0,0,8,16,7,0,255,0]", "[\"0\",0,8,16,\"x\",0,255,0]",
		"[0,0,-8,16,\"x\",0,255,0]", "[1e300,0,8,16,\"x\",0,255,0]",
		"[0,0,8,1e9999,\"x\",0,255,0]" };
	struct err err;

	show("[0,0,16,16,\"ok\",65280,255,0]");
	for (size_t i = 0; i < ARRAY_LEN(broken); i++) {
		err.text[0] = '\0';
		assert_false(app_cells_take_text(&cells, broken[i], strlen(broken[i]), &err));
		assert_string_not_equal(err.text, "");
	}
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		if (take(texts[i], "", "", "null", &err))
			fail_msg("%s is taken", texts[i]);
	assert_false(take("", "[0,0,8,16,\"applet\"]", "", "null", &err));
	assert_false(take("", "", "[0,0,8,16,\"link\",0,0]", "null", &err));
	app_cells_draw(&cells);
	assert_row(0, "ok");
}

static void
test_broken_pictures_are_refused(void **state)
{
	struct buf png = BUF_INIT;
	struct picture p;
	struct err err;

	fill(0, 0, WIDTH, HEIGHT, RED);
	encode(&png);
	for (size_t len = 0; len < png.len - 12; len += 7) {
		assert_false(app_cells_take_frame(&cells, png.data, len, &err));
		assert_string_not_equal(err.text, "");
	}
	app_cells_draw(&cells);
	assert_int_equal(at(0, 0)->ground, 0); /* the frame before stays */
	assert_true(app_frame_decode(png.data, png.len, &p, &err));
	assert_int_equal(p.width, WIDTH);
	picture_finish(&p);
	/* 65535 x 65535 pixels; the checksum of that chunk is not asked for */
	memcpy(png.data + 16, "\0\0\xff\xff\0\0\xff\xff", 8);
	assert_false(app_frame_decode(png.data, png.len, &p, &err));
	assert_null(p.rgba);
	buf_finish(&png);
}

/* ---- real apps ---- */

static const struct recording {
	const char *name;
	int cols, rows;
	enum app_mode mode;
} recordings[] = { { "basic-vanillajs-80x24", 80, 24, APP_CELL },
	{ "budget-allocator-80x24", 80, 24, APP_CELL },
	{ "cohort-heatmap-80x24", 80, 24, APP_CELL }, { "system-monitor-80x24", 80, 24, APP_CELL },
	{ "scenario-modeler-80x24", 80, 24, APP_CELL }, { "debug-80x24", 80, 24, APP_CELL },
	{ "page-100x44", 100, 44, APP_CELL }, { "fit-100x35", 100, 35, APP_FIT } };

static void
read_part(const struct recording *r, const char *suffix, struct buf *out)
{
	char *path = mem_printf("tests/apps/golden/%s.%s", r->name, suffix);
	struct err err;

	if (!path_read_file(path, out, &err))
		fail_msg("%s", err.text);
	free(path);
}

static void
compare_with_golden(const struct recording *r, const struct buf *drawn)
{
	const char *golden = getenv("GOLDEN");
	char *path = mem_printf("tests/apps/golden/%s.txt", r->name);
	struct buf expected = BUF_INIT;

	if (golden && strcmp(golden, "write") == 0) {
		FILE *f = fopen(path, "w");
		assert_non_null(f);
		fwrite(drawn->data, 1, drawn->len, f);
		fclose(f);
	}
	read_part(r, "txt", &expected);
	assert_string_equal(buf_text(drawn), buf_text(&expected));
	buf_finish(&expected);
	free(path);
}

/* Every text that the walker found is complete on the screen. */
static void
test_real_apps_lose_no_text(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(recordings); i++) {
		const struct recording *r = &recordings[i];
		struct buf png = BUF_INIT, json = BUF_INIT, drawn = BUF_INIT;
		struct app_cells c;
		struct err err;
		read_part(r, "png", &png);
		read_part(r, "json", &json);
		app_cells_init(&c, r->cols, r->rows, 16, r->mode);
		assert_true(app_cells_take_frame(&c, png.data, png.len, &err));
		assert_true(app_cells_take_text(&c, json.data, json.len, &err));
		app_cells_draw(&c);
		assert_int_equal(c.facts.lost, 0);
		assert_int_equal(c.facts.shortened, 0);
		assert_int_equal(c.facts.collided, 0);
		assert_true(r->mode == APP_FIT || c.facts.moved == 0);
		assert_in_range(c.facts.texts, 11, 200);
		app_cells_add_text(&c, &drawn);
		compare_with_golden(r, &drawn);
		app_cells_finish(&c);
		buf_finish(&png);
		buf_finish(&json);
		buf_finish(&drawn);
	}
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

TEST_FILE(app_cells)
{
	const struct CMUnitTest tests[] = {
		CASE(test_blocks),
		CASE(test_thin_lines_are_dots),
		CASE(test_edges_of_surfaces),
		CASE(test_surface_at_the_end),
		CASE(test_small_things_are_seen),
		CASE(test_frame_of_another_size),
		CASE(test_text_has_its_cells),
		CASE(test_hostile_text_is_harmless),
		CASE(test_text_stays_legible),
		CASE(test_crowded_text_is_not_lost),
		CASE(test_text_without_room_is_shortened),
		CASE(test_text_of_drawings_is_aligned),
		CASE(test_text_beyond_the_edge),
		CASE(test_pixels_have_no_text),
		CASE(test_caret),
		CASE(test_targets),
		CASE(test_aim),
		CASE(test_button_is_its_row),
		CASE(test_grounds_go_with_their_boxes),
		CASE(test_tiles_leave_nothing_between),
		CASE(test_button_near_the_rim),
		CASE(test_borders_are_lines),
		CASE(test_changed_cells),
		CASE(test_malformed_text_is_refused),
		CASE(test_broken_pictures_are_refused),
		cmocka_unit_test(test_real_apps_lose_no_text),
	};
	setlocale(LC_ALL, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include "apps/page.h"

#include "base/embedded.h"
#include "base/err.h"
#include "base/glyph.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "json/write.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/*
 * A font of four empty glyphs: missing, narrow, wide, and zero width. Its characters have the
 * widths of the terminal, so that each character of a page in this font is at a different cell.
 */
enum {
	UNITS = 1000, /* per em */
	ASCENT = 950,
	DESCENT = 250, /* a line is 1.2 em high, and half of that is one column */
	COLUMN = (ASCENT + DESCENT) / 2,
	GLYPHS = 4,
	LAST_CODE_POINT = 0x10ffff,
};

/* ---- numbers, the most significant byte first ---- */

static void
put16(struct buf *out, int value)
{
	buf_add(out, (const char[]){ (char)(value >> 8), (char)value }, 2);
}

static void
put32(struct buf *out, uint32_t value)
{
	put16(out, (int)(value >> 16));
	put16(out, (int)(value & 0xffff));
}

/* Numbers of 16 bits. */
#define PUT_ALL(out, ...)                                       \
	do {                                                    \
		static const int numbers[] = { __VA_ARGS__ };   \
		for (size_t n = 0; n < ARRAY_LEN(numbers); n++) \
			put16((out), numbers[n]);               \
	} while (0)

static uint32_t
checksum(const struct buf *b)
{
	uint32_t sum = 0;

	for (size_t i = 0; i < b->len; i++)
		sum += (uint32_t)(unsigned char)b->data[i] << (24 - 8 * (i % 4));
	return sum;
}

/* ---- characters ---- */

/* Return the columns of a character in a line of text; -1: it cannot be in text. */
static int
font_columns(uint32_t code_point)
{
	char bytes[4];
	struct glyph g;

	if (code_point < 0x20 || (code_point >= 0x7f && code_point < 0xa0) ||
	    (code_point >= 0xd800 && code_point < 0xe000))
		return -1;
	glyph_next(bytes, utf8_encode(code_point, bytes), &g);
	/* A single combining mark is displayed on a circle; in a text it combines with a letter. */
	bool lone_mark = g.kind == GLYPH_PLAIN && g.marks[0] != 0;
	return g.kind == GLYPH_HIDDEN || lone_mark ? 0 : g.width;
}

/* Groups of characters with the same glyph: format 13. */
static void
add_cmap(struct buf *out)
{
	struct buf groups = BUF_INIT;
	uint32_t first = 0, count = 0;
	int glyph = -1;

	for (uint32_t cp = 0x20; cp <= LAST_CODE_POINT + 1; cp++) {
		int cols = cp <= LAST_CODE_POINT ? font_columns(cp) : -1;
		int now = cols < 0 ? -1 : cols == 0 ? GLYPHS - 1 : cols;
		if (now == glyph)
			continue;
		if (glyph >= 0) {
			put32(&groups, first);
			put32(&groups, cp - 1);
			put32(&groups, (uint32_t)glyph);
			count++;
		}
		first = cp;
		glyph = now;
	}
	PUT_ALL(out, 0, 1, 3, 10, 0, 12, 13, 0); /* one table for Windows, all of Unicode */
	put32(out, 16 + (uint32_t)groups.len);
	put32(out, 0); /* any language */
	put32(out, count);
	buf_add(out, groups.data, groups.len);
	buf_finish(&groups);
}

/* ---- the other tables, in the order of their fields: numbers of 16 bits ---- */

static const int head[] = {
	1, 0, 1, 0, 0, 0, 0x5f0f, 0x3cf5,      /* versions, checksum to come, magic */
	0x000b, UNITS, 0, 0, 0, 0, 0, 0, 0, 0, /* flags, units, dates */
	0, 0, 0, 0, 0, 8, 2, 0, 0,             /* no ink, regular, offsets of 16 bits */
};
static const int hhea[] = { 1, 0, ASCENT, -DESCENT, 0, 2 * COLUMN, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0,
	GLYPHS };
static const int hmtx[] = { COLUMN, 0, COLUMN, 0, 2 * COLUMN, 0, 0, 0 };
static const int loca[] = { 0, 0, 0, 0, 0 };
static const int maxp[] = { 1, 0, GLYPHS, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0 };
static const int os2[] = {
	4,
	COLUMN,
	400,
	5,
	0, /* width, weight, embedding */
	650,
	600,
	0,
	75,
	650,
	600,
	0,
	350,
	50,
	300,
	0, /* scripts, strike-out */
	0x020b,
	0x0509,
	0,
	0,
	0, /* PANOSE: monospaced sans */
	0,
	1,
	0,
	0,
	0,
	0,
	0,
	0, /* ranges of Unicode */
	0x4d43,
	0x5041, /* MCPA */
	0xc0,
	0x20,
	0xffff,
	ASCENT,
	-DESCENT,
	0,
	ASCENT,
	DESCENT,
	0,
	1,
	0,
	0,
	500,
	700,
	0,
	0x20,
	0,
};
static const int post[] = { 3, 0, 0, 0, -75, 50, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0 }; /* monospaced */

static void
add_app_page_name(struct buf *out)
{
	static const char name[] = "MCPCell";
	static const int ids[] = { 1, 2, 4, 6 }; /* family, style, whole, PostScript */

	PUT_ALL(out, 0, ARRAY_LEN(ids), 6 + 12 * ARRAY_LEN(ids));
	for (size_t i = 0; i < ARRAY_LEN(ids); i++) {
		PUT_ALL(out, 3, 1, 0x409);
		put16(out, ids[i]);
		PUT_ALL(out, 2 * (sizeof(name) - 1), 0);
	}
	for (size_t i = 0; i < sizeof(name) - 1; i++)
		put16(out, name[i]);
}

/* ---- the file ---- */

#define NUMBERS(list) list, ARRAY_LEN(list)

static const struct {
	const char *tag; /* in this order in the file */
	const int *numbers;
	size_t count;
	void (*add)(struct buf *out);
} tables[] = {
	{ "OS/2", NUMBERS(os2), NULL },
	{ "cmap", NULL, 0, add_cmap },
	{ "glyf", NULL, 0, NULL },
	{ "head", NUMBERS(head), NULL },
	{ "hhea", NUMBERS(hhea), NULL },
	{ "hmtx", NUMBERS(hmtx), NULL },
	{ "loca", NUMBERS(loca), NULL },
	{ "maxp", NUMBERS(maxp), NULL },
	{ "name", NULL, 0, add_app_page_name },
	{ "post", NUMBERS(post), NULL },
};

enum {
	TABLES = ARRAY_LEN(tables),
	DIRECTORY = 12 + 16 * TABLES,
	ADJUSTMENT = 8, /* its place in head */
};

void
app_font_add(struct buf *out)
{
	struct buf directory = BUF_INIT, bodies = BUF_INIT;
	size_t head_at = 0;

	PUT_ALL(&directory, 1, 0, TABLES, 128, 3, 16 * TABLES - 128);
	for (size_t i = 0; i < TABLES; i++) {
		struct buf table = BUF_INIT;
		for (size_t n = 0; n < tables[i].count; n++)
			put16(&table, tables[i].numbers[n]);
		if (tables[i].add)
			tables[i].add(&table);
		if (table.len == 0) /* no glyph has an outline, but a table must not be empty */
			buf_add_char(&table, '\0');
		if (tables[i].numbers == head)
			head_at = DIRECTORY + bodies.len;
		buf_add(&directory, tables[i].tag, 4);
		put32(&directory, checksum(&table));
		put32(&directory, DIRECTORY + (uint32_t)bodies.len);
		put32(&directory, (uint32_t)table.len);
		while (table.len % 4)
			buf_add_char(&table, '\0');
		buf_add(&bodies, table.data, table.len);
		buf_finish(&table);
	}
	buf_add(&directory, bodies.data, bodies.len);
	struct buf adjustment = BUF_INIT;
	put32(&adjustment, 0xb1b0afbaU - checksum(&directory));
	memcpy(directory.data + head_at + ADJUSTMENT, adjustment.data, 4);
	buf_add(out, directory.data, directory.len);
	buf_finish(&adjustment);
	buf_finish(&bodies);
	buf_finish(&directory);
}

/* ---- the files ---- */

static void
add_file(struct buf *out, const char *name)
{
	const struct embedded_file *file = embedded_find(page_files, name);

	BUG_IF(!file);
	buf_add(out, file->bytes, file->len);
}

void
app_page_add_hooks(struct buf *out, enum app_mode mode, int cell_height, bool may_copy)
{
	if (mode != APP_PIXELS) {
		add_file(out, "canvas_text.js");
		buf_addf(out, "(%d);\n", cell_height / 2);
	}
	if (may_copy)
		add_file(out, "copy.js");
}

void
app_page_add_style(struct buf *out, enum app_mode mode, int cell_height)
{
	if (mode == APP_PIXELS)
		return;
	if (mode == APP_CELL) {
		add_file(out, "cell_font.css");
		buf_addf(out, ":root:root {\n\t--mcpane-cell-height: %dpx;\n}\n", cell_height);
	}
	add_file(out, "no_ink.css");
}

void
app_page_add_walker(struct buf *out, enum app_mode mode, int cell_height)
{
	struct buf style = BUF_INIT;
	struct json_writer w;

	app_page_add_style(&style, mode, cell_height);
	add_file(out, "walker.js");
	buf_add_str(out, "__begin(");
	json_write_init(&w, out);
	json_write_object(&w);
	/* The style sheet of the document does not apply to shadow roots. */
	json_write_member_string(&w, "style", buf_text(&style));
	json_write_member_int(&w, "line_height", cell_height);
	json_write_object_end(&w);
	buf_add_str(out, ");\n");
	buf_finish(&style);
}

#include "base/buf.h"
#include "base/glyph.h"
#include "json/number.h"
#include "json/print.h"
#include "table.h"

#include <string.h>

/* The widths of columns, measured in a sample of their cells. */

#define WIDTH_MAX 40
#define ONLY_WIDTH_MAX 160 /* of a table's only column */

static void
measure_number(struct column *c, struct column_tally *tally, const cJSON *cell)
{
	char buffer[JSON_NUMBER_TEXT_MAX];
	const char *text = json_number_text(cell, buffer);
	int len = (int)strnlen(text, ONLY_WIDTH_MAX);
	const char *point = memchr(text, '.', (size_t)len);

	if (memchr(text, 'e', (size_t)len) || memchr(text, 'E', (size_t)len))
		point = NULL;
	int whole = point ? (int)(point - text) : len;
	if (whole > tally->whole)
		tally->whole = whole;
	if (len > tally->longest)
		tally->longest = len;
	if (len - whole > c->fraction)
		c->fraction = len - whole;
}

static int
brief_width(const cJSON *cell)
{
	struct buf brief = BUF_INIT;

	json_print_brief(&brief, cell, ONLY_WIDTH_MAX);
	int width = (int)glyph_columns(buf_text(&brief), brief.len);
	buf_finish(&brief);
	return width;
}

static int
string_width(const char *text)
{
	size_t len = strnlen(text, ONLY_WIDTH_MAX);
	int quotes = len < ONLY_WIDTH_MAX && text_is_ambiguous(text) ? 2 : 0;

	return (int)glyph_columns(text, len) + quotes;
}

static int
cell_width(const cJSON *cell)
{
	switch (json_type(cell)) {
	case JSON_STRING:
		return string_width(cell->valuestring);
	case JSON_NULL:
		return 4;
	case JSON_BOOLEAN:
		return 5;
	default:
		return brief_width(cell);
	}
}

void
column_measure(struct column *c, struct column_tally *tally, const cJSON *cell)
{
	if (json_type(cell) == JSON_NUMBER) {
		tally->numbers++;
		measure_number(c, tally, cell);
		return;
	}
	tally->others += json_type(cell) != JSON_NULL;
	int width = cell_width(cell);
	if (width > c->width)
		c->width = width;
}

static void
widen(struct column *c, int width, int most)
{
	if (width > most)
		width = most;
	if (width > c->width)
		c->width = width;
}

/* Aligns decimal points, unless one long decimal would push the others away. */
void
column_settle(struct column *c, const struct column_tally *tally, bool only)
{
	int most = only ? ONLY_WIDTH_MAX : WIDTH_MAX;

	c->longest = c->width < ONLY_WIDTH_MAX ? c->width : ONLY_WIDTH_MAX;
	if (c->width > most)
		c->width = most;
	if (c->fraction > (tally->whole + c->fraction) / 2 && c->fraction > 12)
		c->fraction = 0;
	widen(c, c->fraction ? tally->whole + c->fraction : tally->longest, most);
	widen(c, (int)glyph_columns(c->name, strlen(c->name)), most);
	widen(c, 3, 3);
	c->numeric = tally->numbers > tally->others;
}

#include "text_data.h"

#include "base/ascii.h"
#include "json/number.h"

/* RFC 4180, and nothing that prose could be: see is_name() and read_cell(). */
struct csv {
	const char *at, *end;
	char separator;
	struct buf cell; /* a quoted cell with quotes in it */
};

enum after { AFTER_CELL, AFTER_ROW, NO_CELL };

struct csv_cell {
	const char *text;
	size_t len;
	bool quoted;
};

char
text_csv_separator(const char *text, size_t len)
{
	static const char separators[] = "\t,;";
	size_t line = text_line_length(text, text + len), most = 0;
	char found = '\0';

	for (const char *s = separators; *s; s++) {
		size_t count = 0;
		for (size_t i = 0; i < line; i++)
			count += text[i] == *s;
		if (count > most) {
			most = count;
			found = *s;
		}
		if (found == '\t')
			break;
	}
	return found;
}

/* What follows a cell; moves behind it. */
static enum after
end_cell(struct csv *c)
{
	if (c->at == c->end)
		return AFTER_ROW;
	if (*c->at == c->separator) {
		c->at++;
		return AFTER_CELL;
	}
	if (*c->at == '\r' && c->end - c->at > 1 && c->at[1] == '\n')
		c->at++;
	if (*c->at != '\n')
		return NO_CELL;
	c->at++;
	return AFTER_ROW;
}

static enum after
read_quoted(struct csv *c, struct csv_cell *cell)
{
	buf_clear(&c->cell);
	for (;;) {
		const char *quote = memchr(c->at, '"', (size_t)(c->end - c->at));
		if (!quote)
			return NO_CELL;
		buf_add(&c->cell, c->at, (size_t)(quote - c->at));
		c->at = quote + 1;
		if (c->at == c->end || *c->at != '"')
			break;
		buf_add_char(&c->cell, '"');
		c->at++;
	}
	*cell = (struct csv_cell){ buf_text(&c->cell), c->cell.len, true };
	return end_cell(c);
}

/* A blank after a comma is prose; a quote within a cell is, too, or another dialect. */
static enum after
read_cell(struct csv *c, struct csv_cell *cell)
{
	const char *start = c->at;

	if (c->at < c->end && *c->at == '"') {
		c->at++;
		return read_quoted(c, cell);
	}
	while (c->at < c->end && *c->at != c->separator && *c->at != '\n')
		c->at++;
	bool crlf = c->at > start && c->at[-1] == '\r' && c->at < c->end && *c->at == '\n';
	c->at -= crlf;
	*cell = (struct csv_cell){ start, (size_t)(c->at - start), false };
	if (c->separator != '\t' && cell->len > 0 &&
	    (*start == ' ' || memchr(start, '"', cell->len)))
		return NO_CELL;
	return end_cell(c);
}

static bool
is_name_byte(unsigned char c)
{
	return ascii_is_alnum(c) || c >= 0x80 || (c && strchr(" _-./%#$@+&'()", c));
}

/* "Price (EUR)", "address.city", "größe"; no number, no sentence, no code. */
static bool
is_name(const struct csv_cell *cell)
{
	int depth = 0;
	bool has_letter = false;

	if (cell->len == 0 || cell->len > TEXT_NAME_MAX)
		return false;
	for (size_t i = 0; i < cell->len; i++) {
		unsigned char c = (unsigned char)cell->text[i];
		depth += c == '(' ? 1 : c == ')' ? -1 : 0;
		if (!is_name_byte(c) || depth < 0)
			return false;
		has_letter = has_letter || ascii_is_letter(c) || c >= 0x80;
	}
	return has_letter && depth == 0 && cell->text[cell->len - 1] != '.' &&
	       !json_is_number_text(cell->text, cell->len);
}

/* The first column of a data frame has no name: it is the index. */
static bool
read_names(struct csv *c, struct text_rows *rows)
{
	struct csv_cell cell;
	enum after after;

	do {
		after = read_cell(c, &cell);
		if (after == NO_CELL)
			return false;
		if (cell.len == 0 && rows->columns.len == 0)
			text_rows_add_unnamed(rows);
		else if (!is_name(&cell) || !text_rows_add_column(rows, cell.text, cell.len))
			return false;
	} while (after == AFTER_CELL);
	return rows->columns.len >= 2;
}

static bool
read_row(struct csv *c, struct text_rows *rows)
{
	struct csv_cell cell;
	enum after after;

	if (!text_rows_next(rows))
		return false;
	do {
		after = read_cell(c, &cell);
		if (after == NO_CELL)
			return false;
		text_rows_cell(rows, cell.text, cell.len, cell.quoted);
	} while (after == AFTER_CELL);
	text_rows_close(rows);
	return rows->cell == rows->columns.len;
}

bool
text_csv(const char *text, size_t len, char separator, struct job *job, struct buf *out)
{
	struct csv c = { .at = text, .end = text + len, .separator = separator };
	struct text_rows rows;

	text_rows_init(&rows, out, job);
	bool ok = read_names(&c, &rows);
	text_rows_begin(&rows);
	while (ok && c.at < c.end)
		ok = read_row(&c, &rows);
	text_rows_end(&rows);
	/* two lines with one comma each are too little to go by */
	ok = ok && rows.rows + rows.columns.len >= 4 && rows.rows > 0;
	text_rows_finish(&rows);
	buf_finish(&c.cell);
	return ok && !out->overflowed;
}

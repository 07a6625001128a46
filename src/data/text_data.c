/* SPDX-License-Identifier: MIT */
#include "data/text_data.h"

#include "base/ascii.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "json/number.h"
#include "json/print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Writes rows of text as a JSON array of objects. Cells are written while the text is read; if it
 * is not a table after all, the buffer is discarded. */
struct text_rows {
	struct buf *out;
	struct job *job;
	struct {
		struct text_column {
			char *name;
			char *key; /* "\"name\":" */
		} * items;
		size_t len, cap;
	} columns;
	struct map by_name;
	size_t cell; /* index of the next cell in this row */
	bool comma;  /* in this row */
	size_t rows;
};

#define TEXT_COLUMNS_MAX 1000
#define TEXT_NAME_MAX 200
/* A limit on the JSON, because each row repeats the names. */
#define TEXT_OUT_MAX ((size_t)256 << 20)

static size_t
text_line_length(const char *at, const char *end)
{
	const char *newline = memchr(at, '\n', (size_t)(end - at));

	return (size_t)((newline ? newline : end) - at);
}

/* Drops the characters of `blanks` from both ends. */
static void
text_trim(const char **at, size_t *len, const char *blanks)
{
	while (*len > 0 && **at && strchr(blanks, **at)) {
		++*at;
		--*len;
	}
	while (*len > 0 && (*at)[*len - 1] && strchr(blanks, (*at)[*len - 1]))
		--*len;
}

#define TEXT_BLANKS " \t\r\n"

static void
text_rows_finish(struct text_rows *r)
{
	for (size_t i = 0; i < r->columns.len; i++) {
		free(r->columns.items[i].name);
		free(r->columns.items[i].key);
	}
	free(r->columns.items);
	map_finish(&r->by_name);
}

static bool
text_rows_add_column(struct text_rows *r, const char *name, size_t len)
{
	uint64_t hash = text_hash(r, name, len);
	const char *other;
	struct buf key = BUF_INIT;

	MAP_EACH(&r->by_name, hash, other)
		if (strlen(other) == len && memcmp(other, name, len) == 0)
			return false;
	if (r->columns.len == TEXT_COLUMNS_MAX)
		return false;
	json_print_string(&key, name, len);
	buf_add_char(&key, ':');
	struct text_column *column = VEC_PUSH(&r->columns);
	*column = (struct text_column){ mem_strndup(name, len), buf_detach(&key) };
	map_add(&r->by_name, hash, column->name);
	return true;
}

static void
text_rows_add_unnamed(struct text_rows *r)
{
	char name[40];

	for (size_t number = r->columns.len + 1;; number++) {
		int len = snprintf(name, sizeof(name), "column %zu", number);
		if (r->columns.len == TEXT_COLUMNS_MAX ||
		    text_rows_add_column(r, name, (size_t)len))
			return;
	}
}

static bool
text_rows_next(struct text_rows *r)
{
	buf_add_str(r->out, r->rows++ > 0 ? ",\n{" : "{");
	r->cell = 0;
	r->comma = false;
	return !r->out->overflowed && (!r->job || !job_is_stopped(r->job));
}

static void
text_rows_cell(struct text_rows *r, const char *text, size_t len, bool quoted)
{
	size_t column = r->cell++;

	if (column >= r->columns.len || (len == 0 && !quoted))
		return;
	if (r->comma)
		buf_add_char(r->out, ',');
	r->comma = true;
	buf_add_str(r->out, r->columns.items[column].key);
	if ((len == 4 && memcmp(text, "true", 4) == 0) ||
	    (len == 5 && memcmp(text, "false", 5) == 0) || json_is_number_text(text, len))
		buf_add(r->out, text, len);
	else
		json_print_string(r->out, text, len);
}

/* RFC 4180, but stricter, because prose must not match: see is_name() and read_cell(). */
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

static char
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

/* Skip the end of a cell and return its kind. */
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

/* Read a cell. A blank after a comma or a quote within a cell is prose or another dialect. */
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

/* Return whether a cell is a name, "Price (EUR)", "address.city", "größe", not a number or prose.
 */
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
		bool in_name = ascii_is_alnum(c) || c >= 0x80 || (c && strchr(" _-./%#$@+&'()", c));
		if (!in_name || depth < 0)
			return false;
		has_letter = has_letter || ascii_is_letter(c) || c >= 0x80;
	}
	return has_letter && depth == 0 && cell->text[cell->len - 1] != '.' &&
	       !json_is_number_text(cell->text, cell->len);
}

/* Read the names. The first column of a data frame, its index, has none. */
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
	buf_add_char(rows->out, '}');
	return rows->cell == rows->columns.len;
}

static bool
text_csv(const char *text, size_t len, char separator, struct job *job, struct buf *out)
{
	struct csv c = { .at = text, .end = text + len, .separator = separator };
	struct text_rows rows = { .out = out, .job = job };

	bool ok = read_names(&c, &rows);
	buf_add_char(out, '[');
	while (ok && c.at < c.end)
		ok = read_row(&c, &rows);
	buf_add_char(out, ']');
	/* two lines with one comma each can be prose */
	ok = ok && rows.rows + rows.columns.len >= 4 && rows.rows > 0;
	text_rows_finish(&rows);
	buf_finish(&c.cell);
	return ok && !out->overflowed;
}

/*
 * The tables of a Markdown text (GFM 4.10): a line with pipes, a line of dashes with the same
 * number of cells, and rows up to a line without a pipe. Fenced code is skipped.
 */
struct markdown_lines {
	const char *at, *end; /* the rest of the text after the line */
	const char *line;
	size_t len; /* trimmed */
	char fence; /* '`' or '~' within a fenced block, else '\0' */
};

#define TABLES_MAX 1000

/* Read the next line; false: no more lines. */
static bool
next_line(struct markdown_lines *l)
{
	if (l->at == l->end)
		return false;
	l->line = l->at;
	l->len = text_line_length(l->at, l->end);
	l->at += l->len + (l->at + l->len < l->end);
	text_trim(&l->line, &l->len, TEXT_BLANKS);
	return true;
}

struct row_cells {
	const char *at, *end;
};

static struct row_cells
cells_of(const char *line, size_t len)
{
	bool first = len > 0 && line[0] == '|';
	bool last = len > 1 && line[len - 1] == '|' && line[len - 2] != '\\';

	return (struct row_cells){ line + first, line + len - last };
}

/* Read the next cell; false: no more cells. */
static bool
next_cell(struct row_cells *c, const char **text, size_t *len)
{
	if (!c->at)
		return false;
	const char *at = c->at;
	while (at < c->end && *at != '|')
		at += at[0] == '\\' && at + 1 < c->end ? 2 : 1;
	*text = c->at;
	*len = (size_t)(at - c->at);
	text_trim(text, len, TEXT_BLANKS);
	c->at = at < c->end ? at + 1 : NULL;
	return true;
}

/* Return the number of cells of a row, up to TEXT_COLUMNS_MAX + 1. If it is a delimiter row, all of
 * them must be like ":---:"; otherwise return 0. */
static size_t
count_cells(const char *line, size_t len, bool is_delimiter)
{
	struct row_cells cells = cells_of(line, len);
	const char *text;
	size_t count = 0, cell;

	for (; count <= TEXT_COLUMNS_MAX && next_cell(&cells, &text, &cell); count++) {
		size_t from = cell > 0 && text[0] == ':';
		size_t to = cell - (cell > 1 && text[cell - 1] == ':'), dashes = from;
		while (dashes < to && text[dashes] == '-')
			dashes++;
		if (is_delimiter && (dashes < to || to <= from))
			return 0;
	}
	return count;
}

/* Remove the backslash before each pipe. */
static const char *
plain(const char *text, size_t *len, struct buf *scratch)
{
	const char *end = text + *len, *found;

	if (!memmem(text, *len, "\\|", 2))
		return text;
	buf_clear(scratch);
	while ((found = memmem(text, (size_t)(end - text), "\\|", 2))) {
		buf_add(scratch, text, (size_t)(found - text));
		buf_add_char(scratch, '|');
		text = found + 2;
	}
	buf_add(scratch, text, (size_t)(end - text));
	*len = scratch->len;
	return buf_text(scratch);
}

/* Read the rows after the delimiter row l. GFM ignores cells after the last column. */
static bool
read_table(struct markdown_lines *l, struct text_rows *rows, struct buf *scratch)
{
	struct markdown_lines ahead = *l;
	const char *text;
	size_t cell;

	buf_add_char(rows->out, '[');
	while (next_line(&ahead) && ahead.len > 0 && memchr(ahead.line, '|', ahead.len)) {
		struct row_cells cells = cells_of(ahead.line, ahead.len);
		if (!text_rows_next(rows))
			return false;
		while (next_cell(&cells, &text, &cell)) {
			text = plain(text, &cell, scratch);
			text_rows_cell(rows, text, cell, false);
		}
		buf_add_char(rows->out, '}');
		*l = ahead;
	}
	buf_add_char(rows->out, ']');
	return true;
}

struct markdown_tables {
	struct buf *out;
	struct job *job;
	struct buf scratch;
	struct text_rows keys; /* its columns are the names of the tables */
	const char *heading;
	size_t heading_len;
	size_t others; /* lines that are neither blank nor headings nor in a table */
};

static void
note_line(struct markdown_tables *t, const struct markdown_lines *l)
{
	size_t marks = 0;

	while (marks < l->len && l->line[marks] == '#')
		marks++;
	if (marks == 0 || marks > 6 || memchr(l->line, '|', l->len)) {
		t->others += l->len > 0;
		return;
	}
	t->heading = l->line + marks;
	t->heading_len = l->len - marks;
	text_trim(&t->heading, &t->heading_len, TEXT_BLANKS);
}

/* Add the table with the delimiter row l, unless it has no rows. */
static bool
add_table(
    struct markdown_tables *t, struct markdown_lines *l, const char *header, size_t header_len)
{
	struct markdown_lines ahead = *l;
	struct text_rows rows = { .out = t->out, .job = t->job };

	if (!next_line(&ahead) || !memchr(ahead.line, '|', ahead.len) ||
	    t->keys.columns.len == TABLES_MAX)
		return true;
	struct row_cells cells = cells_of(header, header_len);
	const char *text;
	size_t cell;
	while (next_cell(&cells, &text, &cell)) {
		text = plain(text, &cell, &t->scratch);
		if (cell == 0 || cell > TEXT_NAME_MAX || !text_rows_add_column(&rows, text, cell))
			text_rows_add_unnamed(&rows);
	}
	char name[40];
	size_t number = t->keys.columns.len + 1;
	bool fits = t->heading_len > 0 && t->heading_len <= TEXT_NAME_MAX;

	if (number > 1)
		buf_add_str(t->out, ",\n");
	if (!fits || !text_rows_add_column(&t->keys, t->heading, t->heading_len))
		do {
			snprintf(name, sizeof(name), "table %zu", number++);
		} while (!text_rows_add_column(&t->keys, name, strlen(name)));
	buf_add_str(t->out, t->keys.columns.items[t->keys.columns.len - 1].key);
	bool ok = read_table(l, &rows, &t->scratch);
	text_rows_finish(&rows);
	return ok;
}

static bool
add_tables(struct markdown_tables *t, struct markdown_lines *l)
{
	const char *above = NULL;
	size_t above_len = 0;

	while (next_line(l)) {
		bool mark = l->len >= 3 && (*l->line == '`' || *l->line == '~') &&
			    l->line[1] == *l->line && l->line[2] == *l->line;
		if (mark && (!l->fence || l->fence == *l->line))
			l->fence = l->fence ? '\0' : *l->line;
		bool has_cells = !mark && !l->fence && memchr(l->line, '|', l->len);
		size_t columns = has_cells ? count_cells(l->line, l->len, true) : 0;
		if (columns > 0 && columns <= TEXT_COLUMNS_MAX && above &&
		    memchr(above, '|', above_len) &&
		    count_cells(above, above_len, false) == columns) {
			if (!add_table(t, l, above, above_len))
				return false;
			above = NULL;
			t->others--;
			continue;
		}
		note_line(t, l);
		above = l->fence ? NULL : l->line;
		above_len = l->len;
	}
	return t->keys.columns.len > 0;
}

static bool
text_markdown(const char *text, size_t len, struct job *job, struct buf *out, bool *whole)
{
	struct markdown_lines lines = { .at = text, .end = text + len };
	struct markdown_tables t = { .out = out, .job = job, .keys = { .out = out, .job = job } };

	buf_add_char(out, '{');
	bool ok = add_tables(&t, &lines) && !out->overflowed;
	*whole = t.others == 0;
	if (ok && t.keys.columns.len == 1)
		buf_consume(out, 1 + strlen(t.keys.columns.items[0].key));
	else
		buf_add_char(out, '}');
	text_rows_finish(&t.keys);
	buf_finish(&t.scratch);
	return ok;
}

const char *const text_data_names[] = {
	[TEXT_DATA_NONE] = "",
	[TEXT_DATA_JSON] = "JSON",
	[TEXT_DATA_JSON_LINES] = "JSON Lines",
	[TEXT_DATA_CSV] = "CSV",
	[TEXT_DATA_TSV] = "TSV",
	[TEXT_DATA_MARKDOWN] = "Markdown",
	[TEXT_DATA_TABLES] = "Markdown tables",
};

#define LAZY_BYTES ((size_t)2 << 20)

/* Parse text, taking its memory, or data, which is copied if the document is lazy. */
static struct json_doc *
parse(struct buf *text, const char *data, size_t len, struct job *job)
{
	struct blob *blob = text                ? blob_take_buf(text)
			    : len >= LAZY_BYTES ? blob_from_bytes(data, len)
						: NULL;
	struct json_options options = {
		.job = job, .blob = blob, .lazy_bytes = blob ? LAZY_BYTES : 0
	};
	struct json_doc *doc =
	    json_parse(blob ? blob->data : data, blob ? blob->len : len, &options, NULL);

	blob_unref(blob);
	return doc;
}

static bool
is_container(const char *at, size_t len)
{
	return len >= 2 &&
	       ((at[0] == '{' && at[len - 1] == '}') || (at[0] == '[' && at[len - 1] == ']'));
}

/* Join lines that are JSON objects, or arrays, into an array. */
static bool
join_lines(const char *text, size_t len, struct job *job, struct buf *out)
{
	const char *end = text + len;
	size_t rows = 0, size;

	buf_add_char(out, '[');
	for (const char *at = text; at < end; at += size + (at + size < end)) {
		size = text_line_length(at, end);
		const char *line = at;
		size_t trimmed = size;
		text_trim(&line, &trimmed, TEXT_BLANKS);
		if (trimmed == 0)
			continue;
		bool is_like = is_container(line, trimmed) && *line == *text;
		struct json_doc *doc =
		    is_like ? json_parse(line, trimmed, &(struct json_options){ .job = job }, NULL)
			    : NULL;
		json_doc_destroy(doc);
		if (!doc || (job && job_is_stopped(job)))
			return false;
		buf_add_str(out, rows++ > 0 ? ",\n" : "");
		buf_add(out, line, trimmed);
	}
	buf_add_char(out, ']');
	return rows >= 2 && !out->overflowed;
}

/* Parses the rows in out if they were `read`, and empties it. */
static struct json_doc *
parse_rows(bool read, struct buf *out, struct job *job)
{
	struct json_doc *doc = read ? parse(out, NULL, 0, job) : NULL;

	buf_finish(out);
	*out = (struct buf){ .max = TEXT_OUT_MAX };
	return doc;
}

/* Remove a ``` fence around the whole text. */
static bool
open_fence(const char **text, size_t *len)
{
	size_t line = text_line_length(*text, *text + *len);

	if (*len < 8 || memcmp(*text, "```", 3) != 0 || line == *len ||
	    memcmp(*text + *len - 4, "\n```", 4) != 0 || line + 4 > *len ||
	    memchr(*text + 3, '`', line - 3))
		return false;
	*text += line;
	*len -= line + 4;
	text_trim(text, len, TEXT_BLANKS);
	return true;
}

enum text_data_kind
text_data_read(
    const char *text, size_t len, struct job *job, struct json_doc **doc, struct json_error *error)
{
	static const char mark[] = "\xef\xbb\xbf";
	struct buf out = { .max = TEXT_OUT_MAX };

	if (len >= 3 && memcmp(text, mark, 3) == 0) {
		text += 3;
		len -= 3;
	}
	const char *at = text;
	size_t rest = len;
	bool whole;
	text_trim(&at, &rest, TEXT_BLANKS);
	bool fenced = open_fence(&at, &rest);
	*doc = NULL;
	if (rest > 0 && is_container(at, rest) && (*doc = parse(NULL, at, rest, job)))
		return TEXT_DATA_JSON;
	bool begins = rest > 0 && (*at == '{' || *at == '[');
	if ((*doc = parse_rows(begins && join_lines(at, rest, job, &out), &out, job)))
		return TEXT_DATA_JSON_LINES;
	text = fenced ? at : text;
	len = fenced ? rest : len;
	text_trim(&text, &len, "\r\n"); /* a tab may be an empty cell */
	char separator = text_csv_separator(text, len);
	bool is_csv = separator && text_csv(text, len, separator, job, &out);
	if ((*doc = parse_rows(is_csv, &out, job)))
		return separator == '\t' ? TEXT_DATA_TSV : TEXT_DATA_CSV;
	if ((*doc = parse_rows(text_markdown(text, len, job, &out, &whole), &out, job)))
		return whole ? TEXT_DATA_MARKDOWN : TEXT_DATA_TABLES;
	if (!error)
		return TEXT_DATA_NONE;
	*error = (struct json_error){ 0 };
	/* JSON begins with {" [{ [[ or [", perhaps with blanks between; prose can have [1] */
	const char *second = at + (rest > 0);
	size_t inside = rest > 0 ? rest - 1 : 0;
	text_trim(&second, &inside, TEXT_BLANKS);
	if (inside > 0 &&
	    ((*at == '{' && *second == '"') || (*at == '[' && strchr("{[\"", *second) && *second)))
		json_doc_destroy(json_parse(at, rest, &(struct json_options){ .job = job }, error));
	return TEXT_DATA_NONE;
}

bool
text_data_begins_json(const char *text, size_t len)
{
	const size_t most = len < 64 ? len : 64;
	size_t i = 0;

	while (i < most && strchr(" \t\r\n\xef\xbb\xbf", text[i]) && text[i])
		i++;
	return i < most && (text[i] == '{' || text[i] == '[' || text[i] == '`');
}

#include "text_data.h"

#include <stdio.h>
#include <string.h>

/*
 * The tables of a Markdown text (GFM 4.10): a line with pipes, below it a line of dashes with as
 * many cells, then rows until a line has no pipe. Code between fences is skipped.
 */
struct markdown_lines {
	const char *at, *end; /* what follows the line */
	const char *line;
	size_t len; /* trimmed */
	char fence; /* '`' or '~' within a fenced block, else '\0' */
};

#define TABLES_MAX 1000

/* False: there are no more. */
static bool
next_line(struct markdown_lines *l)
{
	if (l->at == l->end)
		return false;
	l->line = l->at;
	l->len = text_line_length(l->at, l->end);
	l->at += l->len + (l->at + l->len < l->end);
	text_trim(&l->line, &l->len);
	return true;
}

static bool
is_fenced(struct markdown_lines *l)
{
	bool mark = l->len >= 3 && (*l->line == '`' || *l->line == '~') && l->line[1] == *l->line &&
		    l->line[2] == *l->line;

	if (mark && (!l->fence || l->fence == *l->line))
		l->fence = l->fence ? '\0' : *l->line;
	return mark || l->fence;
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

/* False: that was the last. */
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
	text_trim(text, len);
	c->at = at < c->end ? at + 1 : NULL;
	return true;
}

static size_t
count_cells(const char *line, size_t len)
{
	struct row_cells cells = cells_of(line, len);
	const char *text;
	size_t count = 0, cell;

	while (count <= TEXT_COLUMNS_MAX && next_cell(&cells, &text, &cell))
		count++;
	return count;
}

/* ":---:" */
static bool
is_dashes(const char *text, size_t len)
{
	size_t from = len > 0 && text[0] == ':', to = len - (len > 1 && text[len - 1] == ':');

	for (size_t i = from; i < to; i++)
		if (text[i] != '-')
			return false;
	return to > from;
}

/* The number of columns; 0: it is another line. */
static size_t
read_delimiter(const char *line, size_t len)
{
	struct row_cells cells = cells_of(line, len);
	const char *text;
	size_t count = 0, cell;

	if (!memchr(line, '|', len))
		return 0;
	while (next_cell(&cells, &text, &cell)) {
		if (!is_dashes(text, cell) || ++count > TEXT_COLUMNS_MAX)
			return 0;
	}
	return count;
}

/* Without the backslash before a pipe. */
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

static void
add_names(struct text_rows *rows, const char *line, size_t len, struct buf *scratch)
{
	struct row_cells cells = cells_of(line, len);
	const char *text;
	size_t cell;

	while (next_cell(&cells, &text, &cell)) {
		text = plain(text, &cell, scratch);
		if (cell == 0 || cell > TEXT_NAME_MAX || !text_rows_add_column(rows, text, cell))
			text_rows_add_unnamed(rows);
	}
}

/* l stands on the delimiter. Cells beyond the last column are ignored, as GFM has it. */
static bool
read_table(struct markdown_lines *l, struct text_rows *rows, struct buf *scratch)
{
	struct markdown_lines ahead = *l;
	const char *text;
	size_t cell;

	text_rows_begin(rows);
	while (next_line(&ahead) && ahead.len > 0 && memchr(ahead.line, '|', ahead.len)) {
		struct row_cells cells = cells_of(ahead.line, ahead.len);
		if (!text_rows_next(rows))
			return false;
		while (next_cell(&cells, &text, &cell)) {
			text = plain(text, &cell, scratch);
			text_rows_cell(rows, text, cell, false);
		}
		text_rows_close(rows);
		*l = ahead;
	}
	text_rows_end(rows);
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
	text_trim(&t->heading, &t->heading_len);
}

static void
add_key(struct markdown_tables *t)
{
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
}

/* l stands on the delimiter. A table without rows is left out. */
static bool
add_table(
    struct markdown_tables *t, struct markdown_lines *l, const char *header, size_t header_len)
{
	struct markdown_lines ahead = *l;
	struct text_rows rows;

	if (!next_line(&ahead) || !memchr(ahead.line, '|', ahead.len) ||
	    t->keys.columns.len == TABLES_MAX)
		return true;
	text_rows_init(&rows, t->out, t->job);
	add_names(&rows, header, header_len, &t->scratch);
	add_key(t);
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
		size_t columns = is_fenced(l) ? 0 : read_delimiter(l->line, l->len);
		if (columns > 0 && above && memchr(above, '|', above_len) &&
		    count_cells(above, above_len) == columns) {
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

bool
text_markdown(const char *text, size_t len, struct job *job, struct buf *out, bool *whole)
{
	struct markdown_lines lines = { .at = text, .end = text + len };
	struct markdown_tables t = { .out = out, .job = job };

	text_rows_init(&t.keys, out, job);
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

/* SPDX-License-Identifier: MIT */
#include "terminal_priv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "test.h"

static uint32_t
color(const VTermColor *c, bool is_default)
{
	if (is_default)
		return TERMINAL_DEFAULT;
	if (VTERM_COLOR_IS_INDEXED(c))
		return TERMINAL_INDEX | c->indexed.idx;
	return TERMINAL_RGB | (uint32_t)c->rgb.red << 16 | (uint32_t)c->rgb.green << 8 |
	       c->rgb.blue;
}

struct terminal_cell
terminal_cell(struct terminal *t, int row, int col)
{
	VTermScreenCell from = { 0 };
	struct terminal_cell cell = { .text = " ", .width = 1 };
	size_t len = 0;

	if (!vterm_screen_get_cell(t->screen, (VTermPos){ row, col }, &from))
		return cell;
	if (from.chars[0] == (uint32_t)-1)
		cell.text[0] = '\0';
	for (size_t i = 0; i < VTERM_MAX_CHARS_PER_CELL && from.chars[i] != 0 && cell.text[0]; i++)
		len += utf8_encode(from.chars[i], cell.text + len);
	cell.width = from.width;
	cell.fg = color(&from.fg, VTERM_COLOR_IS_DEFAULT_FG(&from.fg));
	cell.bg = color(&from.bg, VTERM_COLOR_IS_DEFAULT_BG(&from.bg));
	cell.bold = from.attrs.bold;
	cell.italic = from.attrs.italic;
	cell.reverse = from.attrs.reverse;
	cell.blink = from.attrs.blink;
	cell.strike = from.attrs.strike;
	cell.underline = from.attrs.underline;
	return cell;
}

static void
add_row(struct terminal *t, int row)
{
	size_t start = t->text.len;

	for (int col = 0; col < t->cols; col++)
		buf_add_str(&t->text, terminal_cell(t, row, col).text);
	while (t->text.len > start && t->text.data[t->text.len - 1] == ' ')
		buf_truncate(&t->text, t->text.len - 1);
}

const char *
terminal_row(struct terminal *t, int row)
{
	buf_clear(&t->text);
	add_row(t, row);
	return buf_text(&t->text);
}

const char *
terminal_screen(struct terminal *t)
{
	buf_clear(&t->text);
	for (int row = 0; row < t->rows; row++) {
		add_row(t, row);
		buf_add_char(&t->text, '\n');
	}
	return buf_text(&t->text);
}

/* Return whether the cells from col on contain the text. */
static bool
spells(struct terminal *t, int row, int col, const char *text)
{
	while (*text) {
		if (col >= t->cols)
			return false;
		struct terminal_cell cell = terminal_cell(t, row, col++);
		size_t len = strlen(cell.text);
		if (strncmp(text, cell.text, len) != 0)
			return false;
		text += len;
	}
	return true;
}

bool
terminal_find_in_row(struct terminal *t, int row, const char *text, int *col)
{
	for (int at = 0; at < t->cols; at++) {
		if (terminal_cell(t, row, at).text[0] == '\0' || !spells(t, row, at, text))
			continue;
		if (col)
			*col = at;
		return true;
	}
	return false;
}

bool
terminal_find(struct terminal *t, const char *text, int *row, int *col)
{
	for (int at = 0; at < t->rows; at++) {
		if (!terminal_find_in_row(t, at, text, col))
			continue;
		if (row)
			*row = at;
		return true;
	}
	return false;
}

bool
terminal_cursor(struct terminal *t, int *row, int *col)
{
	VTermPos at;

	vterm_state_get_cursorpos(vterm_obtain_state(t->vt), &at);
	if (row)
		*row = at.row;
	if (col)
		*col = at.col;
	return terminal_mode(t, 25, true);
}

const char *
terminal_title(const struct terminal *t)
{
	return t->title;
}

bool
terminal_mode(const struct terminal *t, int mode, bool otherwise)
{
	return escapes_mode(&t->escapes, mode, otherwise);
}

/* ---- when something is wrong ---- */
/* Print to standard error. */
static void
dump(struct terminal *t)
{
	int row, col;
	bool visible = terminal_cursor(t, &row, &col);

	fprintf(stderr, "screen of %d x %d, cursor %s at %d,%d, program ", t->rows, t->cols,
	    visible ? "shown" : "hidden", row, col);
	if (!t->exited)
		fprintf(stderr, "running\n");
	else if (WIFSIGNALED(t->status))
		fprintf(stderr, "killed by signal %d\n", WTERMSIG(t->status));
	else
		fprintf(stderr, "ended with code %d\n", WEXITSTATUS(t->status));
	for (int i = 0; i < t->rows; i++)
		fprintf(stderr, "%3d|%s\n", i, terminal_row(t, i));
}

void
terminal_fail(struct terminal *t, const char *file, int line, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	dump(t);
	_fail(file, line);
}

/* ---- output ---- */
const char *
terminal_log(const struct terminal *t, size_t *len)
{
	if (len)
		*len = t->log.len;
	return buf_text(&t->log);
}

void
terminal_assert_never_at(struct terminal *t, const char *bytes, const char *file, int line)
{
	size_t len;
	const char *log = terminal_log(t, &len);

	if (memmem(log, len, bytes, strlen(bytes)))
		terminal_fail(t, file, line, "the program wrote a forbidden sequence");
}

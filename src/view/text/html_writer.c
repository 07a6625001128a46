#include "html_writer.h"

#include "base/ascii.h"
#include "base/vec.h"

#include <string.h>

/* ---- writing ---- */

void
html_begin_line(struct html_writer *w)
{
	buf_add_char(w->out, '\n');
	for (size_t i = 0; i < w->depth; i++) {
		if (w->around[i].kind == 'q')
			buf_add_str(w->out, "> ");
		for (size_t k = 0; k < w->around[i].indent; k++)
			buf_add_char(w->out, ' ');
	}
}

static void
write_href(struct html_writer *w)
{
	static const char odd[] = "<>\\`|\"";

	buf_add_str(w->out, "](<");
	for (size_t i = 0; i < w->href_len; i++) {
		unsigned char c = (unsigned char)w->href[i];
		if (c <= ' ' || strchr(odd, (char)c))
			buf_addf(w->out, "%%%02X", c);
		else
			buf_add_char(w->out, (char)c);
	}
	buf_add_str(w->out, ">)");
}

void
html_end_marks(struct html_writer *w, size_t from)
{
	while (w->mark_count > from) {
		char kind = w->marks[--w->mark_count].kind;
		if (w->marks[w->mark_count].due)
			continue;
		if (kind == '[')
			write_href(w);
		else
			buf_add_str(w->out, kind == 'b' ? "**" : kind == '~' ? "~~" : "*");
	}
}

void
html_end_lines(struct html_writer *w, size_t lines)
{
	html_end_marks(w, 0);
	w->lines = lines > w->lines ? lines : w->lines;
	w->blank = false;
}

/* The lines and blanks that are due, and the marks. */
void
html_begin_text(struct html_writer *w)
{
	if (!w->fresh && w->in_cell && (w->lines > 0 || w->breaks)) {
		buf_add_str(w->out, "<br>");
	} else if (!w->fresh && w->lines > 0) {
		for (size_t i = 0; i < w->lines; i++)
			html_begin_line(w);
	} else if (!w->fresh && w->breaks) {
		buf_add_char(w->out, '\\');
		html_begin_line(w);
	} else if (!w->fresh && w->blank) {
		buf_add_char(w->out, ' ');
	}
	w->lines = 0;
	w->blank = w->breaks = w->fresh = false;
	for (size_t i = 0; i < w->mark_count; i++) {
		char kind = w->marks[i].kind;
		if (!w->marks[i].due)
			continue;
		w->marks[i].due = false;
		buf_add_str(w->out, kind == '[' ? "[" : kind == 'b' ? "**" : kind == '~' ? "~~" : "*");
	}
}

/* An entity goes on as it is: Markdown knows them. */
static size_t
entity_length(const char *at, const char *end)
{
	const char *c = at + 1;

	while (c < end && c - at < 32 && (ascii_is_alnum((unsigned char)*c) || *c == '#'))
		c++;
	return c > at + 1 && c < end && *c == ';' ? (size_t)(c - at) + 1 : 0;
}

void
html_add_words(struct html_writer *w, const char *at, const char *end)
{
	while (at < end) {
		size_t entity = *at == '&' ? entity_length(at, end) : 0;
		if (strchr(" \t\n\r\f", *at)) { /* a NUL, too */
			w->blank = true;
			at++;
			continue;
		}
		html_begin_text(w);
		if (!entity && strchr("\\`*_{}[]<>()#+-.!|~=:@", *at))
			buf_add_char(w->out, '\\');
		buf_add(w->out, at, entity ? entity : 1);
		at += entity ? entity : 1;
	}
}

/* Markdown knows no entities in code. */
void
html_add_code(struct html_writer *w, const char *at, const char *end)
{
	static const struct {
		const char *name;
		char is;
	} entities[] = { { "&lt;", '<' }, { "&gt;", '>' }, { "&amp;", '&' }, { "&quot;", '"' },
		{ "&#39;", '\'' }, { "&apos;", '\'' }, { "&nbsp;", ' ' } };

	while (at < end) {
		char c = *at++;
		for (size_t i = 0; c == '&' && i < ARRAY_LEN(entities); i++) {
			size_t rest = strlen(entities[i].name) - 1;
			if ((size_t)(end - at) < rest || memcmp(at, entities[i].name + 1, rest) != 0)
				continue;
			c = entities[i].is;
			at += rest;
			break;
		}
		if (c == '\n') {
			w->lines++;
			continue;
		}
		for (; w->lines > 0; w->lines--)
			html_begin_line(w);
		buf_add_char(w->out, c);
	}
}

void
html_add_text(struct html_writer *w, const char *at, const char *end)
{
	if (w->in_pre)
		html_add_code(w, at, end);
	else
		html_add_words(w, at, end);
}

/* ---- tables: a row has a line, so what is in a cell has no lines of its own ---- */

void
html_end_cell(struct html_writer *w)
{
	if (!w->in_cell)
		return;
	html_end_marks(w, 0);
	buf_add_str(w->out, " |");
	w->in_cell = w->blank = w->breaks = false;
	w->lines = 0;
}

void
html_end_row(struct html_writer *w)
{
	html_end_cell(w);
	if (!w->in_row)
		return;
	for (; w->cells < w->columns; w->cells++)
		buf_add_str(w->out, " |");
	w->in_row = false;
	if (w->has_head)
		return;
	w->has_head = true;
	html_begin_line(w);
	for (size_t i = 0; i < w->columns; i++)
		buf_add_str(w->out, "|---");
	buf_add_char(w->out, '|');
}

void
html_begin_cell(struct html_writer *w)
{
	html_end_cell(w);
	if (!w->in_row && w->has_head) {
		html_begin_line(w);
	} else if (!w->in_row) {
		html_end_lines(w, 2);
		html_begin_text(w);
	}
	if (!w->in_row)
		buf_add_char(w->out, '|');
	w->cells = w->in_row ? w->cells : 0;
	w->in_row = w->in_cell = true;
	w->cells++;
	buf_add_char(w->out, ' ');
	w->fresh = true;
}

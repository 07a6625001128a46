/* SPDX-License-Identifier: MIT */
#include "view/meant.h"

#include "base/ascii.h"
#include "base/buf.h"
#include "base/job.h"
#include "base/units.h"
#include "base/vec.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/*
 * HTML is rewritten as Markdown in one pass, and the Markdown is laid out. Invalid markup is text.
 */
#define TAG_MAX 4096 /* a tag with a longer quote ends at its first > */
static const char fence[] = "~~~~~~~~~~~~";

struct tag {
	char name[12]; /* lower case */
	bool closes;
	const char *text, *end; /* its attributes */
};

/* Writes the elements and texts of a page as Markdown, with a backslash before each sign that
 * Markdown could take for a mark. Lines, blanks and marks of emphasis are due until text follows.
 */
enum { AROUND_MAX = 12, MARKS_MAX = 8, COLUMNS_MAX = 64 };

struct html_writer {
	struct buf *out;
	const char *at, *end; /* the HTML still to be read */
	struct around {
		char kind;     /* 'q' quote, 'u' and 'o' lists, 'i' item */
		size_t indent; /* of an item, after its mark */
		size_t number; /* of the last item */
	} around[AROUND_MAX];
	size_t depth, too_deep;
	struct {
		char kind; /* '*', 'b', '~', '[' */
		bool due;  /* not written yet */
	} marks[MARKS_MAX];
	size_t mark_count;
	const char *href; /* of the link that is open */
	size_t href_len;
	size_t lines; /* to end before the next text; 2 leaves an empty line */
	bool fresh;   /* the line has no text yet */
	bool blank, breaks;
	bool in_pre;
	size_t columns, tables_within; /* of the table; 0: none is open */
	size_t cells;
	bool in_row, in_cell, has_head;
	size_t to_count; /* bytes that may still be read to count columns, so that nested tables
			  * take linear time */
	bool no_tags;    /* the rest has no > */
	size_t scripts, styles, comments; /* left out */
};

/* ---- writing ---- */

static void
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

static const char *
mark_text(char kind)
{
	return kind == '[' ? "[" : kind == 'b' ? "**" : kind == '~' ? "~~" : "*";
}

/* Close all marks except the first `from`. */
static void
html_end_marks(struct html_writer *w, size_t from)
{
	while (w->mark_count > from) {
		char kind = w->marks[--w->mark_count].kind;
		if (w->marks[w->mark_count].due)
			continue;
		buf_add_str(w->out, kind == '[' ? "](<" : mark_text(kind));
		for (size_t i = 0; kind == '[' && i < w->href_len; i++) {
			unsigned char c = (unsigned char)w->href[i];
			if (c <= ' ' || strchr("<>\\`|\"", (char)c))
				buf_addf(w->out, "%%%02X", c);
			else
				buf_add_char(w->out, (char)c);
		}
		buf_add_str(w->out, kind == '[' ? ">)" : "");
	}
}

static void
html_end_lines(struct html_writer *w, size_t lines)
{
	html_end_marks(w, 0);
	w->lines = lines > w->lines ? lines : w->lines;
	w->blank = false;
}

/* Write the lines, blanks and marks that are due. */
static void
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
		if (w->marks[i].due)
			buf_add_str(w->out, mark_text(w->marks[i].kind));
		w->marks[i].due = false;
	}
}

static void
html_add_words(struct html_writer *w, const char *at, const char *end)
{
	while (at < end) {
		const char *c = at + 1; /* the end of an entity: Markdown has those of HTML */
		while (*at == '&' && c < end && c - at < 32 &&
		       (ascii_is_alnum((unsigned char)*c) || *c == '#'))
			c++;
		size_t entity = c > at + 1 && c < end && *c == ';' ? (size_t)(c - at) + 1 : 0;
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

/* Markdown does not decode entities in code. */
static void
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
			if ((size_t)(end - at) < rest ||
			    memcmp(at, entities[i].name + 1, rest) != 0)
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

static void
html_add_text(struct html_writer *w, const char *at, const char *end)
{
	if (w->in_pre)
		html_add_code(w, at, end);
	else
		html_add_words(w, at, end);
}

/* ---- cells: a table row is one line, so the blocks of a cell share it ---- */

static void
html_end_cell(struct html_writer *w)
{
	if (!w->in_cell)
		return;
	html_end_marks(w, 0);
	buf_add_str(w->out, " |");
	w->in_cell = w->blank = w->breaks = false;
	w->lines = 0;
}

static void
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

static void
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

/* ---- elements ---- */

/* A single line ends with a hard break, because Markdown joins lines; a break alone has no lines.
 */
static void
do_block(struct html_writer *w, const struct tag *t, int lines)
{
	if (lines > 1)
		html_end_lines(w, (size_t)lines);
	else if (lines == 1)
		html_end_marks(w, 0);
	w->breaks = true;
}

/* ---- tables ---- */

/* Return the largest number of cells in a row of the table. */
static size_t
count_columns(struct html_writer *w)
{
	size_t most = 0, count = 0, within = 0, left = (size_t)(w->end - w->at);
	const char *at = w->at, *end = at + (left < w->to_count ? left : w->to_count);

	while ((at = memchr(at, '<', (size_t)(end - at))) && end - ++at >= 6) {
		bool row = strncasecmp(at, "tr", 2) == 0;
		bool table = strncasecmp(at, "table", 5) == 0;
		if (strncasecmp(at, "/table", 6) == 0 && within-- == 0)
			break;
		within += table;
		count = row && within == 0 ? 0 : count;
		count += within == 0 && (strncasecmp(at, "td", 2) == 0 ||
					    (strncasecmp(at, "th", 2) == 0 && at[2] != 'e'));
		most = count > most ? count : most;
	}
	w->to_count -= (size_t)((at ? at : end) - w->at);
	return most < COLUMNS_MAX ? most : COLUMNS_MAX;
}

static void
do_table(struct html_writer *w, const struct tag *t, int unused)
{
	if (w->columns > 0 && (!t->closes || w->tables_within > 0)) {
		w->tables_within += t->closes ? -(size_t)1 : 1;
		w->breaks = true;
		return;
	}
	if (t->closes)
		html_end_row(w);
	html_end_lines(w, 2);
	size_t columns = t->closes ? 0 : count_columns(w);
	w->columns = columns > 1 ? columns : 0; /* one column is a layout, not a table */
	w->has_head = w->in_row = false;
}

/* Begin or end a row, or a cell. */
static void
do_table_part(struct html_writer *w, const struct tag *t, int is_row)
{
	bool is_extra = !is_row && !t->closes && w->in_row && w->cells >= w->columns;

	if (w->columns == 0)
		do_block(w, t, 1);
	else if (w->tables_within > 0 || is_extra)
		w->breaks = true;
	else if (is_row)
		html_end_row(w);
	else if (t->closes)
		html_end_cell(w);
	else
		html_begin_cell(w);
}

/* ---- blocks ---- */

static void
push(struct html_writer *w, char kind, size_t indent)
{
	if (w->depth < AROUND_MAX)
		w->around[w->depth++] = (struct around){ .kind = kind, .indent = indent };
	else
		w->too_deep++;
}

/* Leave the innermost element of this kind. An item does not end a list. */
static void
pop(struct html_writer *w, char kind)
{
	size_t at = w->depth;

	if (w->too_deep > 0) {
		w->too_deep--;
		return;
	}
	while (at > 0 && w->around[at - 1].kind != kind) {
		if (kind == 'i' && w->around[at - 1].kind != 'q')
			return;
		at--;
	}
	w->depth = at > 0 ? at - 1 : w->depth;
}

static void
do_heading(struct html_writer *w, const struct tag *t, int unused)
{
	html_end_lines(w, 2);
	if (t->closes || w->in_cell)
		return;
	html_begin_text(w);
	for (char i = '0'; i < t->name[1]; i++)
		buf_add_char(w->out, '#');
	buf_add_char(w->out, ' ');
	w->fresh = true;
}

static void
do_list(struct html_writer *w, const struct tag *t, int kind)
{
	if (!w->in_cell && t->closes)
		pop(w, (char)kind);
	html_end_lines(w, w->depth > 0 ? 1 : 2);
	if (!w->in_cell && !t->closes)
		push(w, (char)kind, 0);
}

static void
do_item(struct html_writer *w, const struct tag *t, int unused)
{
	char mark[24] = "- ";

	html_end_lines(w, 1);
	if (w->in_cell && !t->closes) {
		html_begin_text(w);
		buf_add_str(w->out, "• ");
		w->fresh = true;
	}
	if (w->in_cell || w->too_deep > 0)
		return;
	pop(w, 'i');
	if (t->closes)
		return;
	struct around *list = w->depth > 0 ? &w->around[w->depth - 1] : NULL;
	w->fresh = w->out->len == 0;
	html_begin_text(w);
	if (list && list->kind == 'o')
		snprintf(mark, sizeof(mark), "%zu. ", ++list->number);
	buf_add_str(w->out, mark);
	if (w->depth < AROUND_MAX)
		push(w, 'i', strlen(mark));
	w->fresh = true;
}

static void
do_quote(struct html_writer *w, const struct tag *t, int unused)
{
	html_end_lines(w, 2);
	if (w->in_cell)
		return;
	if (t->closes) {
		pop(w, 'q');
		return;
	}
	push(w, 'q', 0);
	if (w->fresh)
		buf_add_str(w->out, "> ");
}

static void
do_pre(struct html_writer *w, const struct tag *t, int unused)
{
	if (w->in_cell || w->in_pre != t->closes) {
		html_end_lines(w, 2);
		return;
	}
	w->in_pre = !t->closes;
	if (t->closes) {
		html_begin_line(w);
		buf_add_str(w->out, fence);
		w->lines = 2;
		return;
	}
	html_end_lines(w, 2);
	html_begin_text(w);
	buf_add_str(w->out, fence);
	w->lines = w->at < w->end && *w->at == '\n' ? 0 : 1;
}

static void
do_rule(struct html_writer *w, const struct tag *t, int unused)
{
	html_end_lines(w, 2);
	if (w->in_cell)
		return;
	html_begin_text(w);
	buf_add_str(w->out, "***");
	w->lines = 2;
}

/* ---- in a line ---- */

static const char *
find_attribute(const struct tag *t, const char *name, size_t *len)
{
	size_t name_len = strlen(name);

	for (const char *at = t->text; t->end - at > (ptrdiff_t)name_len + 1; at++) {
		char quote = at[name_len + 1];
		bool quoted = quote == '"' || quote == '\'';
		if (!strchr(" \t\n\r\f", at[-1]) || at[name_len] != '=' ||
		    strncasecmp(at, name, name_len) != 0)
			continue;
		const char *value = at + name_len + 1 + quoted, *end = value;
		while (end < t->end && (quoted ? *end != quote : !strchr(" \t\n\r\f>", *end)))
			end++;
		*len = (size_t)(end - value);
		return value;
	}
	return NULL;
}

static void
do_mark(struct html_writer *w, const struct tag *t, int kind)
{
	size_t at = w->mark_count;

	if (t->closes) {
		while (at > 0 && w->marks[at - 1].kind != (char)kind)
			at--;
		if (at > 0)
			html_end_marks(w, at - 1);
		return;
	}
	for (size_t i = 0; i < w->mark_count; i++)
		if (w->marks[i].kind == (char)kind)
			return; /* nested; the outer link keeps its address */
	if (w->mark_count == MARKS_MAX)
		return;
	if (kind == '[' && !(w->href = find_attribute(t, "href", &w->href_len)))
		return;
	w->marks[w->mark_count].kind = (char)kind;
	w->marks[w->mark_count++].due = true;
}

/* Only short code without other elements is marked as code. */
static void
do_code(struct html_writer *w, const struct tag *t, int unused)
{
	size_t left = (size_t)(w->end - w->at), room = left < 200 ? left : 200;
	const char *stop = memchr(w->at, '<', room);

	if (t->closes || !stop || stop == w->at || memchr(w->at, '`', (size_t)(stop - w->at)) ||
	    memchr(w->at, '\n', (size_t)(stop - w->at)) || (w->in_cell && memchr(w->at, '|', room)))
		return;
	html_begin_text(w);
	buf_add_char(w->out, '`');
	html_add_code(w, w->at, stop);
	buf_add_char(w->out, '`');
	w->at = stop;
}

static void
do_image(struct html_writer *w, const struct tag *t, int unused)
{
	static const char unnamed[] = "image";
	size_t len = 0;
	const char *alt = find_attribute(t, "alt", &len);

	if (len == 0) {
		alt = unnamed;
		len = strlen(unnamed);
	}
	html_begin_text(w);
	buf_add_str(w->out, "![");
	w->fresh = true;
	html_add_words(w, alt, alt + len);
	buf_add_str(w->out, "](#)");
	w->fresh = false;
}

/* ---- elements ---- */

static const struct {
	const char *names; /* each between blanks */
	void (*run)(struct html_writer *w, const struct tag *t, int arg);
	int arg;
} elements[] = {
	{ " p section article header footer main nav aside title figure figcaption caption details "
	  "form dl ",
	    do_block, 2 },
	{ " div summary dt dd option ", do_block, 1 },
	{ " h1 h2 h3 h4 h5 h6 ", do_heading, 0 },
	{ " ul menu ", do_list, 'u' },
	{ " ol ", do_list, 'o' },
	{ " li ", do_item, 0 },
	{ " blockquote ", do_quote, 0 },
	{ " pre ", do_pre, 0 },
	{ " br ", do_block, 0 },
	{ " hr ", do_rule, 0 },
	{ " table ", do_table, 0 },
	{ " tr ", do_table_part, true },
	{ " td th ", do_table_part, false },
	{ " b strong ", do_mark, 'b' },
	{ " i em ", do_mark, '*' },
	{ " del s ", do_mark, '~' },
	{ " a ", do_mark, '[' },
	{ " code kbd samp ", do_code, 0 },
	{ " img ", do_image, 0 },
};

/* Skip everything up to the end tag. */
static void
skip_element(struct html_writer *w, const struct tag *t)
{
	size_t len = strlen(t->name);

	while (w->at < w->end) {
		const char *at = memchr(w->at, '<', (size_t)(w->end - w->at));
		w->at = at ? at + 1 : w->end;
		if (at && (size_t)(w->end - at) > len + 1 && at[1] == '/' &&
		    strncasecmp(at + 2, t->name, len) == 0) {
			w->at = at;
			return;
		}
	}
}

static void
run_tag(struct html_writer *w, const struct tag *t)
{
	bool is_style = strcmp(t->name, "style") == 0;
	char name[sizeof(t->name) + 2];

	if (is_style || strcmp(t->name, "script") == 0 || strcmp(t->name, "template") == 0) {
		if (t->closes)
			return;
		*(is_style ? &w->styles : &w->scripts) += 1;
		skip_element(w, t);
		return;
	}
	snprintf(name, sizeof(name), " %s ", t->name);
	for (size_t i = 0; i < ARRAY_LEN(elements); i++) {
		if (!strstr(elements[i].names, name))
			continue;
		if (!w->in_pre || elements[i].run == do_pre)
			elements[i].run(w, t, elements[i].arg);
		return;
	}
}

/* Return the > that ends a tag, outside quotes; NULL: none. */
static const char *
end_of_tag(const char *at, const char *end)
{
	const char *first = memchr(at, '>', (size_t)(end - at)), *most = at + TAG_MAX;
	char quote = '\0';

	for (const char *c = at; first && c < end && c < most; c++) {
		if (quote ? *c == quote : *c == '"' || *c == '\'')
			quote = quote ? '\0' : *c;
		else if (!quote && *c == '>')
			return c;
	}
	return first;
}

/* Read a tag or comment at a <. Return false if it is text. */
static bool
read_markup(struct html_writer *w)
{
	const char *at = w->at + 1, *end;
	struct tag t = { .closes = at < w->end && *at == '/' };
	size_t len = 0;

	if (w->end - at >= 3 && memcmp(at, "!--", 3) == 0) {
		end = memmem(at + 3, (size_t)(w->end - at - 3), "-->", 3);
		w->at = end ? end + 3 : w->end;
		w->comments++;
		return true;
	}
	at += t.closes;
	if (at == w->end || !(ascii_is_letter((unsigned char)*at) || *at == '!' || *at == '?'))
		return false;
	end = end_of_tag(at, w->end);
	w->no_tags = !end;
	if (!end)
		return false;
	while (
	    at + len < end && len < sizeof(t.name) - 1 && ascii_is_alnum((unsigned char)at[len])) {
		t.name[len] = (char)ascii_lower((unsigned char)at[len]);
		len++;
	}
	t.text = at + len < end ? at + len + 1 : end;
	t.end = end;
	w->at = end + 1;
	run_tag(w, &t);
	return true;
}

static void
add_left_out(struct html_writer *w, size_t count, const char *what)
{
	if (count == 0)
		return;
	buf_add_str(w->out, w->blank ? ", " : "*not shown: ");
	units_add_counted(w->out, count, what);
	w->blank = true;
}

/* Return false if the Markdown is too long, or the job was stopped. */
static bool
rewrite(struct html_writer *w, struct job *job)
{
	while (w->at < w->end && w->out->len < MEANT_MAX) {
		const char *next = memchr(w->at, '<', (size_t)(w->end - w->at));
		next = next && !w->no_tags ? next : w->end;
		html_add_text(w, w->at, next);
		w->at = next;
		if (w->at < w->end && !read_markup(w)) {
			html_add_text(w, w->at, w->at + 1);
			w->at++;
		}
		if (job && !job_goes_on(job, w->out->len))
			return false;
	}
	html_end_row(w);
	if (w->in_pre)
		do_pre(w, &(struct tag){ .closes = true }, 0);
	html_end_lines(w, 2);
	w->depth = 0;
	if (w->scripts + w->styles + w->comments > 0) {
		html_begin_text(w);
		add_left_out(w, w->scripts, "script");
		add_left_out(w, w->styles, "style");
		add_left_out(w, w->comments, "comment");
		buf_add_char(w->out, '*');
	}
	return w->out->len < MEANT_MAX;
}

bool
text_is_html(const char *text, size_t len)
{
	static const char *const begins[] = { "<!doctype html", "<html" };
	size_t blanks = 0;

	while (blanks < len && strchr(" \t\r\n", text[blanks]) && text[blanks])
		blanks++;
	for (size_t i = 0; i < ARRAY_LEN(begins); i++)
		if (len - blanks > strlen(begins[i]) &&
		    strncasecmp(text + blanks, begins[i], strlen(begins[i])) == 0)
			return true;
	return false;
}

bool
html_lay_out(
    const char *text, size_t len, int width, struct job *job, struct rich *out, struct err *err)
{
	struct buf markdown = BUF_INIT;
	struct html_writer w = {
		.out = &markdown, .at = text, .end = text + len, .to_count = 2 * len, .fresh = true
	};

	*out = (struct rich){ 0 };
	bool ok = len <= MEANT_MAX && rewrite(&w, job);
	if (ok)
		ok = markdown_lay_out(buf_text(&markdown), markdown.len, width, job, out, err);
	else
		err_set(err, "too long to be laid out as HTML");
	buf_finish(&markdown);
	return ok;
}

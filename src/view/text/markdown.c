/* SPDX-License-Identifier: MIT */
#include "base/ascii.h"
#include "base/glyph.h"
#include "base/job.h"
#include "base/mem.h"
#include "base/shared_library.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "view/meant.h"
#include "ui/rich.h"
#include "ui/wrap.h"

#include <md4c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MD4C_FUNCTIONS(X) X(md_parse)

struct md4c_api {
	MD4C_FUNCTIONS(SHARED_LIBRARY_POINTER)
};

#define FLAGS                                                         \
	(MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_TASKLISTS | \
	    MD_FLAG_PERMISSIVEURLAUTOLINKS)
#define URI_MAX 4096

enum { DEPTH_MAX = 16 }; /* deeper quotes and lists are not indented further */
enum surround_kind { SURROUND_QUOTE, SURROUND_CODE, SURROUND_LIST, SURROUND_ITEM };

/* A quote, a list ... around a block. */
struct surround {
	enum surround_kind kind;
	bool tight;      /* LIST: no blank rows between its items */
	bool ordered;    /* LIST */
	unsigned number; /* LIST: of the next item */
	int cols;        /* its columns at the left */
	bool marked;     /* ITEM: its mark has been drawn */
	char mark[16];   /* ITEM */
};

/* Text of sentences or cells, not yet broken into rows, in runs of one style. */
struct sentence_run {
	size_t at;
	uint32_t link;
	struct style style;
};

struct sentence {
	struct buf text;
	struct {
		struct sentence_run *items;
		size_t len, cap;
	} runs;
};

struct table_cell {
	size_t at, end; /* in the sentence */
	char align;     /* 'l', 'r', 'c' */
};

struct markdown {
	struct rich *out;
	struct job *job;
	int width;
	struct surround around[DEPTH_MAX];
	size_t depth; /* may be more than DEPTH_MAX */
	bool gap;     /* a blank row belongs before the next one */

	struct sentence sentence; /* being read; a whole table is one sentence */
	struct style base;
	int emphasis, strong, deleted, code, images;
	uint32_t link;  /* around the text; 0: none */
	bool in_anchor; /* the link is not the source of an image */

	struct {
		struct table_cell *items;
		size_t len, cap;
	} cells;
	size_t table_columns;
	bool in_table, in_head;

	size_t len, steps, steps_max; /* md4c can be made to report more than its input of len */
};

/* ---- rows ---- */

/* Add bytes start to end of the sentence to the last row, from column x. */
static void
sentence_put(const struct sentence *s, size_t start, size_t end, struct rich *out, int x)
{
	size_t low = 0, high = s->runs.len;

	BISECT(low, high, mid, s->runs.items[mid].at <= start);
	for (size_t i = low > 0 ? low - 1 : 0; i < s->runs.len && start < end; i++) {
		const struct sentence_run *run = &s->runs.items[i];
		size_t stop = i + 1 < s->runs.len ? run[1].at : s->text.len;
		stop = stop < end ? stop : end;
		const char *text = buf_text(&s->text) + start;
		rich_add(out, x, run->style, run->link, text, stop - start);
		x += (int)glyph_columns(text, stop - start);
		start = stop;
	}
}

static size_t
drawn_depth(const struct markdown *m)
{
	return m->depth < DEPTH_MAX ? m->depth : DEPTH_MAX;
}

static int
indentation(const struct markdown *m)
{
	int cols = 0;

	for (size_t i = 0; i < drawn_depth(m); i++)
		cols += m->around[i].cols;
	return cols;
}

static int
draw_surround(struct markdown *m, bool blank, bool goes_on)
{
	int x = 0;

	rich_begin_row(m->out, goes_on);
	for (size_t i = 0; i < drawn_depth(m); i++) {
		struct surround *a = &m->around[i];
		if (a->cols > 0 && a->kind == SURROUND_QUOTE)
			rich_add_mark(m->out, x, style_of(ROLE_ACCENT), 0x258e, 1);
		if (a->cols > 0 && a->kind == SURROUND_CODE && !blank)
			rich_add_mark(m->out, x, style_of(ROLE_BORDER), 0x2502, 1);
		if (a->cols > 0 && a->kind == SURROUND_ITEM && !a->marked && !blank) {
			rich_add(m->out, x, style_of(ROLE_ACCENT), 0, a->mark, strlen(a->mark));
			a->marked = true;
		}
		x += a->cols;
	}
	return x;
}

static void
close_gap(struct markdown *m)
{
	if (m->gap && m->out->rows.len > 0)
		draw_surround(m, true, false);
	m->gap = false;
}

/* Return the column inside the quotes and items around the row. */
static int
begin_row(struct markdown *m, bool goes_on)
{
	close_gap(m);
	return draw_surround(m, false, goes_on);
}

static int
room(const struct markdown *m)
{
	int cols = m->width - indentation(m);

	return cols > 1 ? cols : 1;
}

/* Break a part of the sentence into rows. joins: a row goes on in the next one. */
static void
put_rows(struct markdown *m, size_t start, size_t end, int indent, bool joins)
{
	int width = room(m) - indent;
	struct wrap wrap = { 0 };
	struct wrap_row row;

	wrap_set(&wrap, buf_text(&m->sentence.text) + start, end - start, width > 0 ? width : 1);
	for (size_t i = 0; wrap_row_at(&wrap, i, &row) && !m->out->full; i++) {
		bool newline = row.start > 0 && wrap.text[row.start - 1] == '\n';
		int x = begin_row(m, joins && i > 0 && !newline);
		sentence_put(&m->sentence, start + row.start, start + row.end, m->out, x + indent);
	}
	wrap_finish(&wrap);
}

/* Break the sentence into rows, and begin the next one. */
static void
flush(struct markdown *m)
{
	size_t len = m->sentence.text.len;

	while (len > 0 && m->sentence.text.data[len - 1] == '\n')
		len--;
	if (len == 0 || m->in_table)
		return;
	put_rows(m, 0, len, 0, true);
	buf_clear(&m->sentence.text);
	m->sentence.runs.len = 0;
}

/* ---- tables ---- */

enum { GAP = 2, NARROWEST = 6 };

static const struct table_cell *
cell_at(const struct markdown *m, size_t row, size_t column)
{
	return &m->cells.items[row * m->table_columns + column];
}

/* Return the columns of the longest line of a cell. */
static int
cell_columns(const struct markdown *m, const struct table_cell *cell)
{
	const char *text = buf_text(&m->sentence.text);
	size_t most = 0;

	for (size_t at = cell->at; at < cell->end;) {
		const char *newline = memchr(text + at, '\n', cell->end - at);
		size_t end = newline ? (size_t)(newline - text) : cell->end;
		size_t columns = glyph_columns(text + at, end - at);
		most = columns > most ? columns : most;
		at = end + 1;
	}
	return most < INT16_MAX ? (int)most : INT16_MAX;
}

static int
total_width(const int *widths, size_t count, int most)
{
	int sum = GAP * (int)(count - 1);

	for (size_t i = 0; i < count; i++)
		sum += widths[i] < most ? widths[i] : most;
	return sum;
}

/* Narrow the widest columns. Return false if the table does not fit. */
static bool
fit_widths(int *widths, size_t count, int width)
{
	int low = NARROWEST, high = INT16_MAX;

	if (count == 0 || count > (size_t)width || total_width(widths, count, low) > width)
		return false;
	while (high - low > 1) {
		int middle = (low + high) / 2;
		if (total_width(widths, count, middle) <= width)
			low = middle;
		else
			high = middle;
	}
	for (size_t i = 0; i < count; i++)
		widths[i] = widths[i] < low ? widths[i] : low;
	return true;
}

static void
put_table_row(struct markdown *m, const int *widths, struct wrap *wraps, size_t number)
{
	const char *text = buf_text(&m->sentence.text);
	size_t lines = 1;
	struct wrap_row row;

	for (size_t i = 0; i < m->table_columns; i++) {
		const struct table_cell *cell = cell_at(m, number, i);
		wrap_set(&wraps[i], text + cell->at, cell->end - cell->at, widths[i]);
		wrap_work(&wraps[i], SIZE_MAX, SIZE_MAX);
		size_t rows = wrap_rows(&wraps[i]);
		lines = rows > lines ? rows : lines;
	}
	for (size_t line = 0; line < lines && !m->out->full; line++) {
		int x = begin_row(m, false);
		for (size_t i = 0; i < m->table_columns; x += widths[i++] + GAP) {
			const struct table_cell *cell = cell_at(m, number, i);
			if (!wrap_row_at(&wraps[i], line, &row))
				continue;
			int cols =
			    (int)glyph_columns(wraps[i].text + row.start, row.end - row.start);
			int spare = cols < widths[i] ? widths[i] - cols : 0;
			int indent = cell->align == 'r'   ? spare
				     : cell->align == 'c' ? spare / 2
							  : 0;
			sentence_put(&m->sentence, cell->at + row.start, cell->at + row.end, m->out,
			    x + indent);
		}
	}
}

/* Lay out a table that fits in columns. */
static void
put_table(struct markdown *m, const int *widths, size_t rows)
{
	struct wrap *wraps = mem_zalloc(m->table_columns * sizeof(*wraps));

	for (size_t row = 0; row < rows && !m->out->full; row++) {
		put_table_row(m, widths, wraps, row);
		if (row > 0)
			continue;
		int x = begin_row(m, false);
		for (size_t i = 0; i < m->table_columns; x += widths[i++] + GAP)
			rich_add_mark(m->out, x, style_of(ROLE_BORDER), 0x2500, widths[i]);
	}
	for (size_t i = 0; i < m->table_columns; i++)
		wrap_finish(&wraps[i]);
	free(wraps);
}

/* Lay out a table that is too wide: each row is a list of names and values. */
static void
put_records(struct markdown *m, size_t rows)
{
	for (size_t row = rows > 1 ? 1 : 0; row < rows && !m->out->full; row++) {
		int x = begin_row(m, false);
		rich_add_mark(m->out, x, style_of(ROLE_BORDER), 0x2500, room(m));
		for (size_t i = 0; i < m->table_columns && !m->out->full; i++) {
			const struct table_cell *name = cell_at(m, 0, i),
						*cell = cell_at(m, row, i);
			put_rows(m, name->at, name->end, 0, false);
			if (row > 0 && cell->end > cell->at)
				put_rows(m, cell->at, cell->end, GAP, false);
		}
	}
}

static void
leave_table(struct markdown *m)
{
	size_t rows = m->table_columns > 0 ? m->cells.len / m->table_columns : 0;
	int *widths = mem_zalloc((m->table_columns + 1) * sizeof(*widths));

	for (size_t i = 0; i < rows * m->table_columns; i++) {
		int columns = cell_columns(m, &m->cells.items[i]), *width;
		width = &widths[i % m->table_columns];
		*width = columns > *width ? columns : *width;
	}
	if (fit_widths(widths, m->table_columns, room(m)))
		put_table(m, widths, rows);
	else
		put_records(m, rows);
	free(widths);
	m->in_table = false;
	m->cells.len = 0;
	buf_clear(&m->sentence.text);
	m->sentence.runs.len = 0;
	m->gap = true;
}

/* ---- quotes, code and lists around blocks ---- */

/* Begin what is around the next blocks. Return NULL if it is too deep to be drawn. */
static struct surround *
surround(struct markdown *m, enum surround_kind kind, int cols)
{
	bool fits = indentation(m) + cols <= m->width / 2;

	flush(m);
	close_gap(m);
	m->depth++;
	if (m->depth > DEPTH_MAX)
		return NULL;
	struct surround *a = &m->around[m->depth - 1];
	*a = (struct surround){ .kind = kind, .cols = fits ? cols : 0 };
	return a;
}

static struct surround *
innermost(struct markdown *m, enum surround_kind kind)
{
	bool is_drawn = m->depth > 0 && m->depth <= DEPTH_MAX;

	return is_drawn && m->around[m->depth - 1].kind == kind ? &m->around[m->depth - 1] : NULL;
}

static void
enter_item(struct markdown *m, const MD_BLOCK_LI_DETAIL *li)
{
	struct surround *list = innermost(m, SURROUND_LIST);
	char mark[16];

	if (li->is_task)
		snprintf(mark, sizeof(mark), "[%c] ", ascii_lower((unsigned char)li->task_mark));
	else if (list && list->ordered)
		snprintf(mark, sizeof(mark), "%u. ", list->number++);
	else
		snprintf(mark, sizeof(mark), "• ");
	struct surround *item = surround(m, SURROUND_ITEM, (int)glyph_columns(mark, strlen(mark)));
	if (item)
		memcpy(item->mark, mark, sizeof(mark));
}

/* ---- blocks ---- */

static bool
may_go_on(struct markdown *m)
{
	return ++m->steps < m->steps_max && !m->out->full && !(m->job && job_is_stopped(m->job));
}

static int
enter_block(MD_BLOCKTYPE type, void *detail, void *user)
{
	static const char aligns[] = { [MD_ALIGN_DEFAULT] = 'l',
		[MD_ALIGN_LEFT] = 'l',
		[MD_ALIGN_CENTER] = 'c',
		[MD_ALIGN_RIGHT] = 'r' };
	struct markdown *m = user;

	if (type == MD_BLOCK_UL || type == MD_BLOCK_OL) {
		const MD_BLOCK_UL_DETAIL *ul = type == MD_BLOCK_UL ? detail : NULL;
		const MD_BLOCK_OL_DETAIL *ol = ul ? NULL : detail;
		struct surround *list = surround(m, SURROUND_LIST, 0);
		if (list) {
			list->tight = ul ? ul->is_tight : ol->is_tight;
			list->ordered = ol != NULL;
			list->number = ol ? ol->start : 0;
		}
	} else if (type == MD_BLOCK_LI)
		enter_item(m, detail);
	else if (type == MD_BLOCK_THEAD || type == MD_BLOCK_TBODY)
		m->in_head = type == MD_BLOCK_THEAD;
	else if (type != MD_BLOCK_TR && type != MD_BLOCK_TH && type != MD_BLOCK_TD)
		flush(m);
	if (type == MD_BLOCK_TH || type == MD_BLOCK_TD) {
		m->base = m->in_head ? style_of(ROLE_COLUMN) : style_of(ROLE_TEXT);
		m->base.attr = m->in_head ? ATTR_BOLD : 0;
		*VEC_PUSH(&m->cells) = (struct table_cell){ .at = m->sentence.text.len,
			.end = m->sentence.text.len,
			.align = aligns[((MD_BLOCK_TD_DETAIL *)detail)->align] };
	}
	if (type == MD_BLOCK_QUOTE || type == MD_BLOCK_CODE)
		surround(m, type == MD_BLOCK_QUOTE ? SURROUND_QUOTE : SURROUND_CODE, 2);
	if (type == MD_BLOCK_H) {
		unsigned level = ((MD_BLOCK_H_DETAIL *)detail)->level;
		m->base = style_of(level <= 2 ? ROLE_ACCENT : ROLE_TITLE);
		m->base.attr = ATTR_BOLD | (level == 1 ? ATTR_UNDERLINE : 0);
	}
	if (type == MD_BLOCK_TABLE) {
		m->in_table = true;
		m->table_columns = ((MD_BLOCK_TABLE_DETAIL *)detail)->col_count;
	}
	return may_go_on(m) ? 0 : 1;
}

static int
leave_block(MD_BLOCKTYPE type, void *detail, void *user)
{
	struct markdown *m = user;

	if (type == MD_BLOCK_UL || type == MD_BLOCK_OL) {
		flush(m);
		m->depth--;
		m->gap = true;
		for (size_t i = 0; i < drawn_depth(m); i++)
			if (m->around[i].kind == SURROUND_LIST && m->around[i].tight)
				m->gap = false;
	} else if (type == MD_BLOCK_LI) {
		struct surround *item = innermost(m, SURROUND_ITEM);
		flush(m);
		if (item && !item->marked)
			begin_row(m, false); /* an empty item */
		m->depth--;
		struct surround *list = innermost(m, SURROUND_LIST);
		m->gap = list && !list->tight;
	} else if (type == MD_BLOCK_TABLE) {
		leave_table(m);
	} else if (type == MD_BLOCK_TH || type == MD_BLOCK_TD) {
		m->cells.items[m->cells.len - 1].end = m->sentence.text.len;
		m->base = style_of(ROLE_TEXT);
	} else if (type == MD_BLOCK_HR) {
		int x = begin_row(m, false);
		rich_add_mark(m->out, x, style_of(ROLE_BORDER), 0x2500, room(m));
		m->gap = true;
	} else if (type == MD_BLOCK_QUOTE || type == MD_BLOCK_CODE) {
		flush(m);
		m->depth--;
		m->gap = true;
	} else if (type == MD_BLOCK_P || type == MD_BLOCK_H || type == MD_BLOCK_HTML) {
		flush(m);
		m->base = style_of(ROLE_TEXT);
		m->gap = true;
	}
	return may_go_on(m) ? 0 : 1;
}

/* ---- inside a sentence ---- */

static struct style
style_now(const struct markdown *m, MD_TEXTTYPE type)
{
	struct style style = m->base;

	if (type == MD_TEXT_HTML)
		style.ink = ROLE_HINT;
	else if (m->link > 0)
		style.ink = ROLE_ACCENT;
	else if (m->code > 0 || type == MD_TEXT_CODE)
		style.ink = ROLE_STRING;
	else if (m->deleted > 0)
		style.ink = ROLE_DIM;
	style.attr |= (m->strong > 0 ? ATTR_BOLD : 0) | (m->link > 0 ? ATTR_UNDERLINE : 0) |
		      (m->emphasis > 0 || m->images > 0 ? ATTR_ITALIC : 0);
	return style;
}

static void
markdown_add(struct markdown *m, struct style style, const char *text, size_t len)
{
	struct sentence *s = &m->sentence;
	const struct sentence_run *last = s->runs.len > 0 ? &s->runs.items[s->runs.len - 1] : NULL;

	if (!last || last->link != m->link || last->style.ink != style.ink ||
	    last->style.attr != style.attr)
		*VEC_PUSH(&s->runs) = (struct sentence_run){ s->text.len, m->link, style };
	for (const char *tab; (tab = memchr(text, '\t', len));) {
		size_t before = (size_t)(tab - text);
		buf_add(&s->text, text, before);
		buf_add_str(&s->text, "    ");
		text += before + 1;
		len -= before + 1;
	}
	buf_add(&s->text, text, len);
}

static const struct {
	const char *name, *text;
} entities[] = { { "amp", "&" }, { "lt", "<" }, { "gt", ">" }, { "quot", "\"" }, { "apos", "'" },
	{ "nbsp", " " }, { "copy", "©" }, { "reg", "®" }, { "trade", "™" }, { "hellip", "…" },
	{ "ndash", "–" }, { "mdash", "—" }, { "lsquo", "‘" }, { "rsquo", "’" }, { "ldquo", "“" },
	{ "rdquo", "”" }, { "laquo", "«" }, { "raquo", "»" }, { "bull", "•" }, { "middot", "·" },
	{ "deg", "°" }, { "times", "×" }, { "larr", "←" }, { "uarr", "↑" }, { "rarr", "→" },
	{ "darr", "↓" }, { "euro", "€" }, { "pound", "£" }, { "sect", "§" } };

/* An unknown entity is copied unchanged. */
static void
add_entity(struct buf *out, const char *text, size_t len)
{
	char name[16] = "";

	if (len > 2 && len - 2 < sizeof(name))
		memcpy(name, text + 1, len - 2);
	if (name[0] == '#') {
		bool hex = name[1] == 'x' || name[1] == 'X';
		unsigned long code = strtoul(name + 1 + hex, NULL, hex ? 16 : 10);
		code = code > 0 && code <= 0x10ffff ? code : 0xfffd;
		utf8_add(out, (uint32_t)code);
		return;
	}
	for (size_t i = 0; i < ARRAY_LEN(entities); i++)
		if (strcmp(entities[i].name, name) == 0) {
			buf_add_str(out, entities[i].text);
			return;
		}
	buf_add(out, text, len);
}

static uint32_t
add_link(struct markdown *m, const MD_ATTRIBUTE *a)
{
	struct buf uri = { .max = URI_MAX };

	for (size_t i = 0; a->text && a->substr_offsets[i] < a->size; i++) {
		const char *text = a->text + a->substr_offsets[i];
		size_t len = a->substr_offsets[i + 1] - a->substr_offsets[i];
		if (a->substr_types[i] == MD_TEXT_ENTITY)
			add_entity(&uri, text, len);
		else
			buf_add(&uri, text, len);
	}
	uint32_t link = uri.overflowed ? 0 : rich_add_link(m->out, buf_text(&uri), uri.len);
	buf_finish(&uri);
	return link;
}

static int *
counter_of(struct markdown *m, MD_SPANTYPE type)
{
	switch (type) {
	case MD_SPAN_EM:
		return &m->emphasis;
	case MD_SPAN_STRONG:
		return &m->strong;
	case MD_SPAN_CODE:
		return &m->code;
	case MD_SPAN_DEL:
		return &m->deleted;
	case MD_SPAN_IMG:
		return &m->images;
	default:
		return NULL;
	}
}

static int
enter_span(MD_SPANTYPE type, void *detail, void *user)
{
	struct markdown *m = user;
	int *counter = counter_of(m, type);

	if (counter)
		++*counter;
	if (type == MD_SPAN_A) {
		m->link = add_link(m, &((MD_SPAN_A_DETAIL *)detail)->href);
		m->in_anchor = true;
	}
	if (type == MD_SPAN_IMG) {
		if (!m->in_anchor && m->images == 1)
			m->link = add_link(m, &((MD_SPAN_IMG_DETAIL *)detail)->src);
		markdown_add(m, style_now(m, MD_TEXT_NORMAL), "[image: ", 8);
	}
	return may_go_on(m) ? 0 : 1;
}

static int
leave_span(MD_SPANTYPE type, void *detail, void *user)
{
	struct markdown *m = user;
	int *counter = counter_of(m, type);

	if (type == MD_SPAN_IMG)
		markdown_add(m, style_now(m, MD_TEXT_NORMAL), "]", 1);
	if (counter)
		--*counter;
	if (type == MD_SPAN_A)
		m->in_anchor = false;
	if (!m->in_anchor && m->images == 0)
		m->link = 0;
	return may_go_on(m) ? 0 : 1;
}

/* <br> is the only tag with an effect, because a table cell can have line breaks only this way. */
static bool
is_line_break(const char *text, size_t len)
{
	static const char *const forms[] = { "<br>", "<br/>", "<br />" };

	for (size_t i = 0; i < ARRAY_LEN(forms); i++)
		if (len == strlen(forms[i]) && strncasecmp(text, forms[i], len) == 0)
			return true;
	return false;
}

static int
add_markdown_text(MD_TEXTTYPE type, const MD_CHAR *text, MD_SIZE size, void *user)
{
	struct markdown *m = user;
	struct style style = style_now(m, type);
	struct buf entity = BUF_INIT;

	if (size > m->len + 8) /* md4c 0.4.8 gives texts that end before they begin, ... */
		return 0;      /* behind code spans in links; its own texts are short */
	m->steps += size / 64;
	if (type == MD_TEXT_BR || (type == MD_TEXT_HTML && is_line_break(text, size)))
		markdown_add(m, style, "\n", 1);
	else if (type == MD_TEXT_SOFTBR)
		markdown_add(m, style, " ", 1);
	else if (type == MD_TEXT_NULLCHAR)
		markdown_add(m, style, "\xef\xbf\xbd", 3);
	else if (type == MD_TEXT_ENTITY)
		add_entity(&entity, text, size);
	else
		markdown_add(m, style, text, size);
	if (entity.len > 0)
		markdown_add(m, style, entity.data, entity.len);
	buf_finish(&entity);
	return may_go_on(m) ? 0 : 1;
}

/* ---- the cost of md4c ---- */

/* md4c searches from each :// to the next blank and over all links of the paragraph, and from each
 * bracket over all lines of the paragraph. These steps, of about a nanosecond, are counted first.
 */
#define URL_STEPS_MOST ((size_t)256 << 20)
#define STEPS_MOST ((size_t)1 << 30)

struct paragraph {
	size_t urls, brackets, lines;
};

/* Add the cost of a line. url_steps: of links without brackets. A paragraph certainly ends at an
 * empty line and at an item of a list. */
static void
add_line_cost(struct paragraph *p, const char *line, size_t len, size_t *steps, size_t *url_steps)
{
	size_t word_urls = 0, at = 0;

	while (at < len && line[at] == ' ')
		at++;
	if (at == len || (at < 4 && at + 2 < len && strchr("-*+", line[at]) &&
			     line[at + 1] == ' ' && line[at + 2] != ' '))
		*p = (struct paragraph){ 0 };
	p->lines++;
	for (size_t i = 0; i < len; i++) {
		char c = line[i];
		if (c == '[' || c == ']')
			*steps += p->lines;
		if (c == ':' && len - i > 2 && line[i + 1] == '/' && line[i + 2] == '/') {
			word_urls++;
			*url_steps += p->urls++;
		}
		word_urls = c == ' ' || c == '\t' ? 0 : word_urls;
		*url_steps += word_urls;
	}
}

/* Choose flags with which md4c takes time in proportion to the text, or at most a second. Return
 * false if it would take longer with all flags. */
static bool
find_flags(const char *text, size_t len, unsigned *flags)
{
	struct paragraph p = { 0 };
	size_t steps = 0, url_steps = 0;

	for (size_t at = 0; at < len && steps <= STEPS_MOST;) {
		const char *newline = memchr(text + at, '\n', len - at);
		size_t end = newline ? (size_t)(newline - text) : len;
		add_line_cost(&p, text + at, end - at, &steps, &url_steps);
		at = end + 1;
	}
	*flags =
	    FLAGS & (url_steps > URL_STEPS_MOST ? ~(unsigned)MD_FLAG_PERMISSIVEURLAUTOLINKS : ~0u);
	return steps <= STEPS_MOST;
}

bool
markdown_lay_out(
    const char *text, size_t len, int width, struct job *job, struct rich *out, struct err *err)
{
	MD_PARSER parser = { .enter_block = enter_block,
		.leave_block = leave_block,
		.enter_span = enter_span,
		.leave_span = leave_span,
		.text = add_markdown_text };
	struct markdown m = { .out = out,
		.job = job,
		.len = len,
		.width = width > 1 ? width : 1,
		.base = style_of(ROLE_TEXT),
		.steps_max = 100000 + 8 * len };
	struct md4c_api api;

	*out = (struct rich){ 0 };
	if (len > MEANT_MAX)
		return err_set(err, "too long to be laid out as Markdown");
	if (!SHARED_LIBRARY_LOAD("libmd4c.so.0", MD4C_FUNCTIONS, &api, err))
		return false;
	bool ok = find_flags(text, len, &parser.flags) &&
		  api.md_parse(text, (MD_SIZE)len, &parser, &m) == 0 && !out->full;
	if (ok && parser.flags != FLAGS) {
		static const char note[] = "(too many links to mark those without brackets)";
		m.gap = true;
		int x = begin_row(&m, false);
		rich_add(out, x, style_of(ROLE_HINT), 0, note, sizeof(note) - 1);
	}
	buf_finish(&m.sentence.text);
	free(m.sentence.runs.items);
	free(m.cells.items);
	if (!ok)
		rich_finish(out);
	return ok || err_set(err, "too intricate to be laid out as Markdown");
}

/* SPDX-License-Identifier: MIT */
/* Tables as CSV, TSV and Markdown: with any text in the cells, each row has as many cells as the
 * head, and no cell is a formula to a spreadsheet. */
#include "fuzz.h"

#include "data/table_export.h"
#include "base/utf8.h"

#include <string.h>

struct spreadsheet {
	const char *at, *end;
	struct buf cell;
	bool row_ends;
};

/* RFC 4180. */
static void
next_csv(struct spreadsheet *s)
{
	bool quoted = s->at < s->end && *s->at == '"';

	s->at += quoted;
	for (;; s->at++) {
		demand(s->at < s->end);
		if (quoted && *s->at == '"' && *++s->at != '"')
			break;
		if (!quoted && (*s->at == ',' || *s->at == '\r'))
			break;
		demand(quoted || (*s->at != '"' && *s->at != '\n'));
		buf_add_char(&s->cell, *s->at);
	}
	s->row_ends = *s->at == '\r';
	demand(*s->at == ',' || (s->row_ends && s->at[1] == '\n'));
	s->at += s->row_ends ? 2 : 1;
}

static void
next_tsv(struct spreadsheet *s)
{
	for (; s->at < s->end && *s->at != '\t' && *s->at != '\n'; s->at++) {
		demand(*s->at != '\r');
		buf_add_char(&s->cell, *s->at);
	}
	demand(s->at < s->end);
	s->row_ends = *s->at++ == '\n';
}

/* From after "| " to after the next. */
static void
next_markdown(struct spreadsheet *s)
{
	for (; s->at < s->end && *s->at != '|'; s->at++) {
		demand(*s->at != '\r' && *s->at != '\n');
		s->at += *s->at == '\\';
		demand(s->at < s->end);
	}
	demand(s->end - s->at >= 2 && s->at[-1] == ' ');
	s->row_ends = s->at[1] == '\n';
	demand(s->row_ends || s->at[1] == ' ');
	s->at += 2;
	if (s->row_ends && s->at < s->end) {
		demand(s->end - s->at >= 2 && memcmp(s->at, "| ", 2) == 0);
		s->at += 2;
	}
}

static bool
is_number(const char *text, size_t len)
{
	struct json_doc *doc = json_parse(text, len, NULL, NULL);
	bool is = doc && json_type(json_root(doc)) == JSON_NUMBER;

	json_doc_destroy(doc);
	return is;
}

static void
demand_no_formula(const struct spreadsheet *s)
{
	const char *text = buf_text(&s->cell);

	demand(s->cell.len == 0 || !strchr("=+-@\t\r\n", text[0]) || is_number(text, s->cell.len));
}

static void
demand_rows(const struct table *t, const char *format, void (*next)(struct spreadsheet *s))
{
	struct buf out = BUF_INIT;
	struct err err = { "" };
	bool markdown = next == next_markdown;
	size_t cells = t->columns.len + (t->kind == TABLE_MAP), rows = 0;

	demand(export_table(t, format, NULL, &out, &err));
	demand(utf8_first_invalid(buf_text(&out), out.len) == out.len);
	demand(!memchr(buf_text(&out), '\0', out.len));
	struct spreadsheet s = { .at = buf_text(&out), .end = buf_text(&out) + out.len };
	s.at += markdown ? 2 : 0;
	while (s.at < s.end) {
		size_t count = 0;
		do {
			buf_clear(&s.cell);
			next(&s);
			count++;
			if (!markdown)
				demand_no_formula(&s);
		} while (!s.row_ends);
		demand(count == cells);
		rows++;
	}
	demand(rows == t->shown + 1 + markdown);
	buf_finish(&s.cell);
	buf_finish(&out);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct json_doc *doc = json_parse((const char *)data, size, NULL, NULL);
	struct table_spots spots;

	if (!doc)
		return 0;
	shape_find(&spots, json_root(doc), NULL);
	for (size_t i = 0; i < spots.len && i < 8; i++) {
		struct table table;
		table_init(&table, &spots.items[i], NULL);
		if (table.columns.len > 0) {
			demand_rows(&table, "csv", next_csv);
			demand_rows(&table, "tsv", next_tsv);
			demand_rows(&table, "md", next_markdown);
		}
		table_finish(&table);
	}
	shape_finish(&spots);
	json_doc_destroy(doc);
	return 0;
}

#include "export.h"

#include "json/print.h"
#include "model/table.h"

#include <string.h>

/* How a table becomes text. */
struct dialect {
	const char *name;
	void (*cell)(struct buf *out, const char *text, size_t len);
	const char *before, *between, *after; /* of a row's cells */
};

static void
cell_csv(struct buf *out, const char *text, size_t len)
{
	if (!memchr(text, ',', len) && !memchr(text, '"', len) && !memchr(text, '\n', len) &&
	    !memchr(text, '\r', len)) {
		buf_add(out, text, len);
		return;
	}
	buf_add_char(out, '"');
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '"')
			buf_add_char(out, '"');
		buf_add_char(out, text[i]);
	}
	buf_add_char(out, '"');
}

/* Tabs and line ends cannot stand in a TSV cell: \t, \n and \\ stand for them. */
static void
cell_tsv(struct buf *out, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		const char *found = memchr("\t\n\r\\", text[i], 4);
		if (found) {
			buf_add_char(out, '\\');
			buf_add_char(out, "tnr\\"[strcspn("\t\n\r\\", (char[]){ text[i], '\0' })]);
		} else {
			buf_add_char(out, text[i]);
		}
	}
}

static void
cell_markdown(struct buf *out, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '|')
			buf_add_char(out, '\\');
		if (text[i] == '\n')
			buf_add_str(out, "<br>");
		else
			buf_add_char(out, text[i]);
	}
}

static const struct dialect dialects[] = {
	{ "csv", cell_csv, "", ",", "\r\n" }, /* RFC 4180 */
	{ "tsv", cell_tsv, "", "\t", "\n" },
	{ "md", cell_markdown, "| ", " | ", " |\n" },
};
enum { DIALECTS = sizeof(dialects) / sizeof(dialects[0]) };

/* Strings as they are, everything else as JSON; what is absent is empty. */
static void
write_cell(struct buf *out, const struct dialect *d, const cJSON *cell, struct buf *scratch)
{
	buf_clear(scratch);
	if (json_type(cell) == JSON_STRING)
		buf_add_str(scratch, cell->valuestring);
	else if (cell)
		json_print(scratch, cell);
	d->cell(out, buf_text(scratch), scratch->len);
}

static void
write_head(struct buf *out, const struct dialect *d, const struct table *t)
{
	buf_add_str(out, d->before);
	if (t->kind == TABLE_MAP)
		buf_addf(out, "key%s", d->between);
	for (size_t c = 0; c < t->columns.len; c++) {
		buf_add_str(out, c ? d->between : "");
		d->cell(out, t->columns.items[c].name, strlen(t->columns.items[c].name));
	}
	buf_add_str(out, d->after);
	if (strcmp(d->name, "md") != 0)
		return;
	buf_add_str(out, "|");
	for (size_t c = 0; c < t->columns.len + (t->kind == TABLE_MAP); c++)
		buf_add_str(out, " --- |");
	buf_add_char(out, '\n');
}

static void
write_table(struct buf *out, const struct dialect *d, const struct table *t)
{
	struct buf scratch = BUF_INIT;

	write_head(out, d, t);
	for (size_t r = 0; r < t->row_count; r++) {
		buf_add_str(out, d->before);
		if (t->kind == TABLE_MAP) {
			d->cell(out, table_row_key(t, r), strlen(table_row_key(t, r)));
			buf_add_str(out, d->between);
		}
		for (size_t c = 0; c < t->columns.len; c++) {
			buf_add_str(out, c ? d->between : "");
			write_cell(out, d, table_cell(t, r, c), &scratch);
		}
		buf_add_str(out, d->after);
	}
	buf_finish(&scratch);
}

static void
write_lines(struct buf *out, const cJSON *rows)
{
	for (const cJSON *row = json_first(rows); row; row = row->next) {
		json_print(out, row);
		buf_add_char(out, '\n');
	}
}

const char *
export_format(size_t index)
{
	static const char *const more[] = { "json", "jsonl" };

	if (index < 2)
		return more[index];
	return index - 2 < DIALECTS ? dialects[index - 2].name : NULL;
}

bool
export_write(
    const cJSON *value, const cJSON *schema, const char *format, struct buf *out, struct err *err)
{
	const struct dialect *dialect = NULL;

	if (strcmp(format, "json") == 0) {
		json_print_pretty(out, value, 2);
		return buf_add_char(out, '\n');
	}
	for (size_t i = 0; i < DIALECTS; i++)
		if (strcmp(dialects[i].name, format) == 0)
			dialect = &dialects[i];
	if (!dialect && strcmp(format, "jsonl") != 0)
		return err_set(err, "formats: json, jsonl, csv, tsv, md; not %s", format);
	struct table_spots spots;
	shape_find(&spots, value, schema);
	size_t best = shape_best(&spots);
	bool found = best < spots.len;
	if (found && dialect) {
		struct table table;
		table_init(&table, &spots.items[best], schema);
		write_table(out, dialect, &table);
		table_finish(&table);
	} else if (found) {
		write_lines(out, spots.items[best].node);
	}
	shape_finish(&spots);
	return found ||
	       err_set(err, "there is no array in this value: export json writes it whole");
}

#include "model/table.h"

#include "base/utf8.h"
#include "base/vec.h"
#include "json/number.h"
#include "json/print.h"

#include <string.h>

/* Prints tables as text. */
struct csv_dialect {
	const char *name, *full_name; /* the second may be NULL */
	void (*cell)(struct buf *out, const char *text, size_t len);
	const char *before, *between, *after; /* of a row's cells */
	const char *empty;                    /* a string without characters */
	bool formulas;                        /* its readers compute them */
};

static void
cell_csv(struct buf *out, const char *text, size_t len)
{
	if (strcspn(text, ",\"\r\n") == len) {
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

/* Replaces each character in `from` by the string at the same index in `to`. */
static void
add_replaced(struct buf *out, const char *text, size_t len, const char *from, const char *const *to)
{
	while (len > 0) {
		size_t plain = strcspn(text, from);
		buf_add(out, text, plain);
		if (plain == len)
			return;
		buf_add_str(out, to[strchr(from, text[plain]) - from]);
		text += plain + 1;
		len -= plain + 1;
	}
}

/* A TSV cell cannot contain tabs or line ends. */
static void
cell_tsv(struct buf *out, const char *text, size_t len)
{
	static const char *const escapes[] = { "\\t", "\\n", "\\r", "\\\\" };

	add_replaced(out, text, len, "\t\n\r\\", escapes);
}

static void
cell_markdown(struct buf *out, const char *text, size_t len)
{
	static const char *const escapes[] = { "\\|", "<br>", "", "\\\\" };

	add_replaced(out, text, len, "|\n\r\\", escapes);
}

static const struct csv_dialect dialects[] = {
	{ "csv", NULL, cell_csv, "", ",", "\r\n", "\"\"", true }, /* RFC 4180 */
	{ "tsv", NULL, cell_tsv, "", "\t", "\n", "", true },
	{ "md", "markdown", cell_markdown, "| ", " | ", " |\n", "", false },
};
enum { DIALECTS = ARRAY_LEN(dialects) };

/* A spreadsheet takes a text for a formula by its first character, and a formula can call programs
 * and send what else is in the sheet. An apostrophe makes it a text again. Numbers stay. */
static bool
is_formula(const char *text)
{
	static const char *const begins[] = { "=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋",
		"－", "＠" };

	for (size_t i = 0; i < ARRAY_LEN(begins); i++)
		if (strncmp(text, begins[i], strlen(begins[i])) == 0)
			return !json_is_number_text(text, strlen(text));
	return false;
}

static void
add_text(struct buf *out, const struct csv_dialect *d, const char *text)
{
	if (d->formulas && is_formula(text))
		buf_add_char(out, '\'');
	utf8_add_valid(out, text, strlen(text));
}

/* Strings unquoted, other values as JSON, absent values empty. */
static void
write_cell(struct buf *out, const struct csv_dialect *d, const cJSON *cell, struct buf *scratch)
{
	buf_clear(scratch);
	if (json_type(cell) == JSON_STRING)
		add_text(scratch, d, cell->valuestring);
	else if (cell)
		json_print(scratch, cell);
	if (scratch->len > 0)
		d->cell(out, buf_text(scratch), scratch->len);
	else
		buf_add_str(out, cell ? d->empty : "");
}

static void
write_name(struct buf *out, const struct csv_dialect *d, const char *name)
{
	struct buf text = BUF_INIT;

	add_text(&text, d, name);
	d->cell(out, buf_text(&text), text.len);
	buf_finish(&text);
}

static void
write_head(struct buf *out, const struct csv_dialect *d, const struct table *t)
{
	buf_add_str(out, d->before);
	if (t->kind == TABLE_MAP)
		buf_addf(out, "key%s", d->between);
	for (size_t c = 0; c < t->place_count; c++) {
		buf_add_str(out, c ? d->between : "");
		write_name(out, d, t->columns.items[t->places[c]].name);
	}
	buf_add_str(out, d->after);
	if (strcmp(d->name, "md") != 0)
		return;
	buf_add_str(out, "|");
	for (size_t c = 0; c < t->place_count + (t->kind == TABLE_MAP); c++)
		buf_add_str(out, " --- |");
	buf_add_char(out, '\n');
}

static void
write_table(struct buf *out, const struct csv_dialect *d, const struct table *t)
{
	struct buf scratch = BUF_INIT;

	write_head(out, d, t);
	for (size_t i = 0; i < t->shown; i++) {
		size_t row = t->order[i];
		buf_add_str(out, d->before);
		if (t->kind == TABLE_MAP) {
			write_name(out, d, table_row_key(t, row));
			buf_add_str(out, d->between);
		}
		for (size_t c = 0; c < t->place_count; c++) {
			buf_add_str(out, c ? d->between : "");
			write_cell(out, d, table_cell(t, row, t->places[c]), &scratch);
		}
		buf_add_str(out, d->after);
	}
	buf_finish(&scratch);
}

/* One row per line; rows of a map as an object of one member, to keep the key. */
static void
write_lines(struct buf *out, const struct table *t)
{
	for (size_t i = 0; i < t->shown; i++) {
		const char *key = table_row_key(t, t->order[i]);
		if (key) {
			buf_add_char(out, '{');
			json_print_string(out, key, strlen(key));
			buf_add_char(out, ':');
		}
		json_print(out, table_row(t, t->order[i]));
		buf_add_str(out, key ? "}\n" : "\n");
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
export_table(const struct table *t, const char *format, struct buf *out, struct err *err)
{
	for (size_t i = 0; i < DIALECTS; i++) {
		const char *full_name = dialects[i].full_name;
		if (strcmp(dialects[i].name, format) != 0 &&
		    (!full_name || strcmp(full_name, format) != 0))
			continue;
		write_table(out, &dialects[i], t);
		return true;
	}
	if (strcmp(format, "jsonl") != 0)
		return err_set(err, "formats: json, jsonl, csv, tsv, md; not %s", format);
	write_lines(out, t);
	return true;
}

bool
export_write(
    const cJSON *value, const cJSON *schema, const char *format, struct buf *out, struct err *err)
{
	struct table_spots spots;

	if (strcmp(format, "json") == 0) {
		json_print_pretty(out, value, 2);
		return buf_add_char(out, '\n');
	}
	shape_find(&spots, value, schema);
	size_t best = shape_best(&spots);
	bool ok = best < spots.len;
	struct table table;
	if (ok) {
		table_init(&table, &spots.items[best], schema);
		ok = export_table(&table, format, out, err);
		table_finish(&table);
	} else {
		err_set(err, "this value contains no array: export json writes all of it");
	}
	shape_finish(&spots);
	return ok;
}

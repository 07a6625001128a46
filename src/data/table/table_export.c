/* SPDX-License-Identifier: MIT */
#include "data/table_export.h"
#include "table.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "json/number.h"
#include "json/print.h"

#include <stdlib.h>
#include <string.h>

/* A text format with rows of cells. */
struct csv_dialect {
	const char *name, *full_name; /* the second may be NULL */
	const char *quoted;           /* a cell with one of these characters has quotes around it */
	const char *special;          /* these characters are replaced by those strings */
	const char *const *escapes;
	const char *before, *between, *after; /* of a row's cells */
	const char *empty;                    /* the empty string */
	bool formulas;                        /* spreadsheets evaluate formulas in it */
};

static const char *const csv_escapes[] = { "\"\"" };
static const char *const tsv_escapes[] = { "\\t", "\\n", "\\r", "\\\\" };
static const char *const md_escapes[] = { "\\|", "<br>", "", "\\\\" };

/* clang-format off */
static const struct csv_dialect dialects[] = { /* CSV: RFC 4180 */
	{ "csv", NULL,       ",\"\r\n", "\"",       csv_escapes, "",   ",",   "\r\n", "\"\"", true },
	{ "tsv", NULL,       "",        "\t\n\r\\", tsv_escapes, "",   "\t",  "\n",   "",     true },
	{ "md",  "markdown", "",        "|\n\r\\",  md_escapes,  "| ", " | ", " |\n", "",     false },
};
/* clang-format on */
enum { DIALECTS = ARRAY_LEN(dialects) };

static void
write_cell(struct buf *out, const struct csv_dialect *d, const struct buf *cell)
{
	const char *text = buf_text(cell), *quote = text[strcspn(text, d->quoted)] ? "\"" : "";

	buf_add_str(out, quote);
	for (size_t len; *text; text += len) {
		len = strcspn(text, d->special);
		buf_add(out, text, len);
		if (text[len])
			buf_add_str(out, d->escapes[strchr(d->special, text[len++]) - d->special]);
	}
	buf_add_str(out, quote);
}

/* Add a string. A spreadsheet would evaluate a formula, which can start programs and send other
 * cells; an apostrophe prevents it. Numbers are safe. */
static void
add_table_export_text(struct buf *out, const struct csv_dialect *d, const char *text)
{
	static const char *const begins[] = { "=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋",
		"－", "＠" };
	bool formula = false;

	for (size_t i = 0; i < ARRAY_LEN(begins) && d->formulas; i++)
		formula |= strncmp(text, begins[i], strlen(begins[i])) == 0;
	if (formula && !json_is_number_text(text, strlen(text)))
		buf_add_char(out, '\'');
	utf8_add_valid(out, text, strlen(text));
}

static void
write_name(struct buf *out, const struct csv_dialect *d, const char *name)
{
	struct buf text = BUF_INIT;

	add_table_export_text(&text, d, name);
	write_cell(out, d, &text);
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

/* Return the next row to write: of those selected, if any. SIZE_MAX: no more, or stopped. */
static size_t
next_row(const struct table *t, struct job *job, size_t *at)
{
	while (*at < t->shown) {
		if (job && *at % TABLE_ROWS_A_LOOK == 0 && !job_goes_on(job, *at * 100 / t->shown))
			break;
		size_t row = t->order[(*at)++];
		if (t->selected.count == 0 || row_set_has(&t->selected, row))
			return row;
	}
	return SIZE_MAX;
}

size_t
export_count(const struct table *t)
{
	size_t count = 0;

	if (t->selected.count == 0)
		return t->shown;
	for (size_t at = 0; next_row(t, NULL, &at) != SIZE_MAX;)
		count++;
	return count;
}

static void
write_table(struct buf *out, const struct csv_dialect *d, const struct table *t, struct job *job)
{
	struct buf scratch = BUF_INIT;

	write_head(out, d, t);
	for (size_t at = 0, row; (row = next_row(t, job, &at)) != SIZE_MAX;) {
		buf_add_str(out, d->before);
		if (t->kind == TABLE_MAP) {
			write_name(out, d, table_row_key(t, row));
			buf_add_str(out, d->between);
		}
		for (size_t c = 0; c < t->place_count; c++) {
			buf_add_str(out, c ? d->between : "");
			/* Strings unquoted, other values as JSON, absent values empty. */
			const cJSON *cell = table_cell(t, row, t->places[c]);
			buf_clear(&scratch);
			if (json_type(cell) == JSON_STRING)
				add_table_export_text(&scratch, d, cell->valuestring);
			else if (cell)
				json_print(&scratch, cell);
			if (scratch.len > 0)
				write_cell(out, d, &scratch);
			else
				buf_add_str(out, cell ? d->empty : "");
		}
		buf_add_str(out, d->after);
	}
	buf_finish(&scratch);
}

/* ---- rows as JSON ---- */

static bool
has_all_columns(const struct table *t)
{
	bool all = t->place_count == t->columns.len;

	for (size_t i = 0; all && i < t->place_count; i++)
		all = t->places[i] == i;
	return all;
}

static int
keys_in_common(const struct column *a, const struct column *b)
{
	int keys = 0;

	while (keys < a->depth && keys < b->depth && a->path[keys] &&
	       strcmp(a->path[keys], b->path[keys]) == 0)
		keys++;
	return keys;
}

/* Return for each place the number of leading keys it shares with an earlier column, which writes
 * the objects of these keys. NULL: rows are written whole. */
static int *
count_written(const struct table *t)
{
	if (has_all_columns(t))
		return NULL;
	int *written = mem_zalloc(t->place_count * sizeof(*written));
	for (size_t i = 0; i < t->place_count; i++)
		for (size_t k = 0; k < i; k++) {
			int keys = keys_in_common(
			    &t->columns.items[t->places[i]], &t->columns.items[t->places[k]]);
			written[i] = keys > written[i] ? keys : written[i];
		}
	return written;
}

/* Write the members of a row that have columns, or those of an object in it: members whose paths
 * share `depth` keys with the first column. */
static void
write_members(struct buf *out, const struct table *t, const int *written, const cJSON *object,
    size_t first, int depth)
{
	const struct column *begin = &t->columns.items[t->places[first]];
	const char *between = "{";

	for (size_t i = first; i < t->place_count; i++) {
		const struct column *c = &t->columns.items[t->places[i]];
		bool inside = c->depth > depth && (i == first || written[i] <= depth) &&
			      keys_in_common(c, begin) >= depth;
		const cJSON *value = inside ? json_get(object, c->path[depth]) : NULL;
		if (!value)
			continue;
		buf_add_str(out, between);
		between = ",";
		json_print_string(out, c->path[depth], strlen(c->path[depth]));
		buf_add_char(out, ':');
		bool is_last = c->depth == depth + 1 && !c->spread;
		if (is_last || json_type(value) != JSON_OBJECT)
			json_print(out, value);
		else
			write_members(out, t, written, value, i, depth + 1);
	}
	buf_add_str(out, *between == '{' ? "{}" : "}");
}

static void
write_row(struct buf *out, const struct table *t, size_t row, const int *written)
{
	const cJSON *node = table_row(t, row);

	if (written && cJSON_IsObject(node)) {
		write_members(out, t, written, node, 0, 0);
	} else if (written && t->kind == TABLE_ARRAYS && json_type(node) == JSON_ARRAY) {
		for (size_t i = 0; i < t->place_count; i++) {
			const cJSON *cell = table_cell(t, row, t->places[i]);
			buf_add_char(out, i == 0 ? '[' : ',');
			if (cell)
				json_print(out, cell);
			else
				buf_add_str(out, "null");
		}
		buf_add_char(out, ']');
	} else {
		json_print(out, node);
	}
}

/* Write one row per line, rows of a map as objects of one member. */
static void
write_lines(struct buf *out, const struct table *t, struct job *job)
{
	int *written = count_written(t);

	if (t->heading) {
		write_row(out, t, 0, written);
		buf_add_char(out, '\n');
	}
	for (size_t at = 0, row; (row = next_row(t, job, &at)) != SIZE_MAX;) {
		const char *key = table_row_key(t, row);
		if (key) {
			buf_add_char(out, '{');
			json_print_string(out, key, strlen(key));
			buf_add_char(out, ':');
		}
		write_row(out, t, row, written);
		buf_add_str(out, key ? "}\n" : "\n");
	}
	free(written);
}

/* Write an array, or an object if the rows have keys. */
static void
write_json(struct buf *out, const struct table *t, struct job *job)
{
	int *written = count_written(t);
	bool map = t->kind == TABLE_MAP, first = true;

	buf_add_char(out, map ? '{' : '[');
	if (t->heading) {
		buf_add_str(out, "\n  ");
		write_row(out, t, 0, written);
		first = false;
	}
	for (size_t at = 0, row; (row = next_row(t, job, &at)) != SIZE_MAX; first = false) {
		buf_add_str(out, first ? "\n  " : ",\n  ");
		if (map) {
			json_print_string(
			    out, table_row_key(t, row), strlen(table_row_key(t, row)));
			buf_add_str(out, ": ");
		}
		write_row(out, t, row, written);
	}
	buf_addf(out, "%s%s\n", first ? "" : "\n", map ? "}" : "]");
	free(written);
}

bool
export_is_whole(const struct table *t)
{
	return !t->is_inner && t->shown == t->row_count - t->heading && t->key_count == 0 &&
	       t->selected.count == 0 && has_all_columns(t);
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
export_table(
    const struct table *t, const char *format, struct job *job, struct buf *out, struct err *err)
{
	for (size_t i = 0; i < DIALECTS; i++) {
		const char *full_name = dialects[i].full_name;
		if (strcmp(dialects[i].name, format) != 0 &&
		    (!full_name || strcmp(full_name, format) != 0))
			continue;
		write_table(out, &dialects[i], t, job);
		return true;
	}
	if (strcmp(format, "jsonl") == 0)
		write_lines(out, t, job);
	else if (strcmp(format, "json") == 0)
		write_json(out, t, job);
	else
		return err_set(err, "formats: json, jsonl, csv, tsv, md; not %s", format);
	return true;
}

bool
export_write(const cJSON *value, const cJSON *schema, const char *format, struct job *job,
    struct buf *out, struct err *err)
{
	struct table_spots spots;

	if (strcmp(format, "json") == 0) {
		json_print_pretty(out, value, 2);
		return buf_add_char(out, '\n');
	}
	shape_find(&spots, value, schema);
	size_t best = shape_best(&spots);
	const struct table_spot record = { .node = value, .schema = schema, .kind = TABLE_RECORD };
	bool is_record = best == spots.len && json_type(value) == JSON_OBJECT;
	bool ok = best < spots.len || is_record;
	struct table table;
	if (ok) {
		table_init(&table, is_record ? &record : &spots.items[best], schema);
		ok = export_table(&table, format, job, out, err);
		table_finish(&table);
	} else {
		err_set(err, "this value is neither array nor object: export json writes it");
	}
	shape_finish(&spots);
	return ok;
}

/* ---- for a job ---- */

struct table *
table_snapshot(const struct table *t)
{
	struct table *s = mem_alloc(sizeof(*s));

	*s = (struct table){ .node = t->node,
		.kind = t->kind,
		.rows = t->rows,
		.source = t->source,
		.row_count = t->row_count,
		.heading = t->heading,
		.place_count = t->place_count,
		.shown = t->shown,
		.key_count = t->key_count,
		.is_inner = t->is_inner };
	t->source->refs++;
	s->reader = t->rows ? NULL : json_reader_create(t->node, 1);
	for (size_t i = 0; i < t->columns.len; i++) {
		struct column *c = VEC_PUSH(&s->columns);
		*c = t->columns.items[i];
		c->name = mem_strdup(c->name);
	}
	s->places = mem_dup(t->places, t->place_count * sizeof(*t->places));
	s->order = mem_dup(t->order, t->shown * sizeof(*t->order));
	row_set_copy(&s->selected, &t->selected, t->row_count);
	return s;
}

void
table_snapshot_destroy(struct table *s)
{
	if (!s)
		return;
	json_reader_destroy(s->reader);
	table_finish(s);
	free(s);
}

#include "sheet.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/units.h"
#include "base/vec.h"
#include "json/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A table of so many rows gives its sheet at once. */
#define ROWS_AT_ONCE ((size_t)1024)
/* Rows that become columns, and bytes of their text. */
#define TRANSPOSED_MAX ((size_t)200)
#define TRANSPOSED_BYTES ((size_t)16 << 20)
/* Arrays that are joined, and items of each. */
#define JOINED_MAX 64
#define JOINED_ROWS_MAX ((size_t)1000000)
/* Text of so many bytes takes no more rows: each repeats the names of the arrays. */
#define JOINED_BYTES ((size_t)256 << 20)
#define LAZY_BYTES ((size_t)2 << 20)

/* ---- what the kinds share ---- */

bool
sheet_goes_on(struct sheet_job *k, size_t done, size_t all)
{
	return done % TABLE_ROWS_A_LOOK != 0 ||
	       job_goes_on(&k->job, (size_t)(100.0 * (double)done / (double)(all > 0 ? all : 1)));
}

/* Without the noise of a double's last digits. */
void
sheet_write_number(struct json_writer *w, const char *key, double value)
{
	char text[40];

	if (!isfinite(value))
		return;
	snprintf(text, sizeof(text), "%.12g", value);
	json_write_member_json(w, key, text);
}

void
sheet_write_extreme(struct json_writer *w, const char *key, const char *text, double value)
{
	size_t len = strlen(text);

	if (len + 1 < STATS_TEXT && json_is_number_text(text, len))
		json_write_member_json(w, key, text);
	else /* it was cut */
		sheet_write_number(w, key, value);
}

/* To four decimals. */
static void
write_mean(struct json_writer *w, double mean)
{
	double shown = fabs(mean) >= 1 && fabs(mean) < 1e9 ? round(mean * 1e4) / 1e4 : mean;

	sheet_write_number(w, "mean", shown);
}

void
sheet_write_sum(struct json_writer *w, const struct number_stats *s)
{
	int64_t whole, part = s->billionths % 1000000000;
	bool is_exact = !s->is_rough &&
			!__builtin_add_overflow(s->whole, s->billionths / 1000000000, &whole) &&
			whole > INT64_MIN; /* its absolute value has no place */
	double rough = s->mean * (double)s->count;
	char text[48];

	if (!is_exact) {
		sheet_write_number(w, "sum", rough);
		write_mean(w, s->mean);
		return;
	}
	if (whole > 0 && part < 0) {
		whole--;
		part += 1000000000;
	} else if (whole < 0 && part > 0) {
		whole++;
		part -= 1000000000;
	}
	int len = snprintf(text, sizeof(text), "%s%lld.%09lld", whole < 0 || part < 0 ? "-" : "",
	    llabs(whole), llabs(part));
	while (text[len - 1] == '0')
		text[--len] = '\0';
	if (text[len - 1] == '.')
		text[--len] = '\0';
	json_write_member_json(w, "sum", text);
	write_mean(w, ((double)whole + (double)part / 1e9) / (double)s->count);
}

/* ---- transposed ---- */

/* Writes so many rows, as far as the bound. Returns the columns that are whole; SIZE_MAX: stopped. */
static size_t
write_transposed(struct sheet_job *k, size_t rows)
{
	struct table *t = &k->made;
	size_t c = 0;
	char number[24];

	buf_clear(&k->text);
	json_write_init(&k->out, &k->text);
	json_write_object(&k->out);
	for (bool fits = true; c < t->columns.len && fits;) {
		size_t i = 0;
		json_write_member_object(&k->out, k->names[c]);
		for (; i < rows && fits; i++) {
			size_t row = table_copy_index(t, i);
			if (!sheet_goes_on(k, c * rows + i, t->columns.len * rows))
				return SIZE_MAX;
			const cJSON *cell = table_scan_cell(t, row, c);
			snprintf(number, sizeof(number), "%zu", i + 1);
			const char *key = table_row_key(t, row);
			if (cell)
				json_write_member_value(&k->out, key ? key : number, cell);
			fits = k->text.len < TRANSPOSED_BYTES;
		}
		json_write_object_end(&k->out);
		c += i == rows;
	}
	json_write_object_end(&k->out);
	return c;
}

static void
note_transposed(struct sheet_job *k, size_t rows, size_t columns, bool is_large)
{
	const struct table *t = &k->made;
	struct buf note = BUF_INIT;

	if (rows < t->shown) {
		buf_addf(&note, "first %zu of ", rows);
		units_add_counted(&note, t->shown, "row");
	}
	if (columns < t->columns.len)
		buf_addf(&note, "%s%zu of %zu columns", note.len > 0 ? ", " : "", columns,
		    t->columns.len);
	if (is_large)
		buf_add_str(&note, ": the rest is too large");
	k->sheet->note = note.len > 0 ? buf_detach(&note) : NULL;
	buf_finish(&note);
}

/* Half of the rows if all are too large, and so on. */
static bool
transpose(struct sheet_job *k)
{
	size_t most = k->made.shown < TRANSPOSED_MAX ? k->made.shown : TRANSPOSED_MAX;
	size_t all = k->made.columns.len, rows = most, columns;

	k->sheet->shape = TABLE_MAP;
	while ((columns = write_transposed(k, rows)) < all && rows > 1)
		rows /= 2;
	if (columns == SIZE_MAX)
		return false;
	note_transposed(k, rows, columns, rows < most || columns < all);
	return true;
}

/* ---- joined ---- */

/* The arrays to join, and the count of all arrays of the object. */
static size_t
begin_arrays(
    const struct sheet_job *k, struct json_items *items, const char **names, size_t *arrays)
{
	size_t count = 0;

	for (const cJSON *m = json_first(k->wish.object); m; m = m->next) {
		if (json_type(m) != JSON_ARRAY)
			continue;
		++*arrays;
		if (json_count(m) != k->wish.length || count == JOINED_MAX)
			continue;
		json_items_init(&items[count], m, NULL);
		names[count++] = m->string;
	}
	return count;
}

static void
note_joined(struct sheet_job *k, size_t count, size_t arrays, size_t rows)
{
	struct buf note = BUF_INIT;

	if (count < arrays) {
		buf_addf(&note, "%zu of ", count);
		units_add_counted(&note, arrays, "array");
	}
	if (rows < k->wish.length) {
		buf_add_str(&note, note.len > 0 ? " · first " : "first ");
		units_add_count(&note, rows);
		buf_add_str(&note, " of ");
		units_add_counted(&note, k->wish.length, "row");
	}
	k->sheet->note = note.len > 0 ? buf_detach(&note) : NULL;
	buf_finish(&note);
}

/* All rows in the order of the document: the index of a row is that of its items. */
static bool
join(struct sheet_job *k)
{
	struct json_items items[JOINED_MAX];
	const char *names[JOINED_MAX];
	size_t arrays = 0, count = begin_arrays(k, items, names, &arrays), row = 0;
	size_t rows = k->wish.length < JOINED_ROWS_MAX ? k->wish.length : JOINED_ROWS_MAX;
	bool goes_on = true;

	json_write_array(&k->out);
	while (
	    row < rows && k->text.len < JOINED_BYTES && (goes_on = sheet_goes_on(k, row, rows))) {
		json_write_object(&k->out);
		for (size_t i = 0; i < count; i++) {
			json_write_member_value(&k->out, names[i], items[i].item);
			json_items_next(&items[i]);
		}
		json_write_object_end(&k->out);
		row++;
	}
	json_write_array_end(&k->out);
	for (size_t i = 0; i < count; i++)
		json_items_finish(&items[i]);
	note_joined(k, count, arrays, row);
	return goes_on;
}

/* ---- the job ---- */

static void
run(struct job *job)
{
	static bool (*const makes[])(struct sheet_job * k) = {
		[SHEET_STATISTICS] = sheet_statistics,
		[SHEET_FREQUENCY] = sheet_groups,
		[SHEET_GROUPS] = sheet_groups,
		[SHEET_TRANSPOSED] = transpose,
		[SHEET_JOINED] = join,
	};
	struct sheet_job *k = (struct sheet_job *)job;

	table_copy_begin(&k->made);
	json_write_init(&k->out, &k->text);
	if (!makes[k->sheet->kind](k))
		return;
	struct blob *blob = blob_take_buf(&k->text);
	struct json_options options = { .job = job, .blob = blob };
	options.lazy_bytes = k->sheet->kind == SHEET_JOINED ? LAZY_BYTES : 0;
	k->sheet->doc = json_parse(blob->data, blob->len, &options, NULL);
	blob_unref(blob);
}

static void
done(struct job *job)
{
	struct sheet_job *k = (struct sheet_job *)job;
	struct table *owner = job_is_stopped(job) ? NULL : k->owner;
	bool in_job = job->jobs != NULL;

	if (owner && k->sheet->doc) {
		sheet_destroy(owner->sheet);
		owner->sheet = k->sheet;
	} else {
		sheet_destroy(k->sheet);
	}
	for (size_t i = 0; i < k->made.columns.len; i++)
		free(k->names[i]);
	free(k->names);
	table_copy_finish(&k->made);
	buf_finish(&k->text);
	free(k);
	if (owner && in_job && owner->changed)
		owner->changed(owner->user);
}

const char *
sheet_work(const struct job *job)
{
	static const char *const names[] = {
		[SHEET_STATISTICS] = "computing statistics",
		[SHEET_FREQUENCY] = "counting values",
		[SHEET_GROUPS] = "grouping",
		[SHEET_TRANSPOSED] = "transposing",
		[SHEET_JOINED] = "joining arrays",
	};
	return names[((const struct sheet_job *)job)->wish.kind];
}

void
table_make_sheet(struct table *t, const struct sheet_wish *wish)
{
	struct sheet_job *k = mem_zalloc(sizeof(*k));

	*k = (struct sheet_job){ .job = { .run = run, .done = done },
		.owner = t,
		.wish = *wish,
		.sheet = mem_zalloc(sizeof(*k->sheet)) };
	table_copy(t, &k->made);
	k->names = mem_alloc(t->columns.len * sizeof(*k->names));
	for (size_t i = 0; i < t->columns.len; i++)
		k->names[i] = mem_strdup(t->columns.items[i].name);
	k->sheet->kind = wish->kind;
	k->sheet->shape = TABLE_OBJECTS;
	k->sheet->column_count = wish->column_count;
	for (size_t i = 0; i < wish->column_count; i++)
		k->sheet->columns[i] = mem_strdup(k->names[wish->columns[i]]);
	k->sheet->pointer = wish->pointer ? mem_strdup(wish->pointer) : NULL;
	k->wish.pointer = NULL;
	size_t rows = wish->object ? wish->length : t->row_count;
	job_start(rows > ROWS_AT_ONCE ? t->jobs : NULL, &k->job, &t->sheet_job);
}

struct sheet *
table_take_sheet(struct table *t)
{
	struct sheet *s = t->sheet;

	t->sheet = NULL;
	return s;
}

void
sheet_destroy(struct sheet *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->column_count; i++)
		free(s->columns[i]);
	json_doc_destroy(s->doc);
	free(s->note);
	free(s->pointer);
	free(s);
}

#include "base/glyph.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/units.h"
#include "base/vec.h"
#include "json/number.h"
#include "json/print.h"
#include "sheet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A row for each value of a column, or for each combination of values of several, with sums of the
 * numeric columns. */

/* Groups, and statistics of groups, that are kept; rows of more groups are only counted. */
#define GROUPS_MAX ((size_t)50000)
#define SUMS_MAX ((size_t)200000)
/* Bytes of values. */
#define TEXT_MAX ((size_t)32 << 20)
/* Columns that are summed. */
#define SUMMED_MAX 16
#define BAR_COLUMNS 20

struct row_group {
	uint64_t hash; /* of its values */
	size_t count;
	size_t at, end; /* in `values`: its members as JSON */
};

struct row_groups {
	struct sheet_job *k;
	struct {
		struct row_group *items;
		size_t len, cap;
	} groups;
	uint32_t *table; /* indexes into groups, plus 1, by hash; 0 is free */
	size_t size;
	struct buf values;
	size_t summed[SUMMED_MAX], summed_count;
	struct {
		struct number_stats *items; /* summed_count of each group */
		size_t len, cap;
	} sums;
	size_t others; /* rows of groups that are not kept */
};

/* ---- the values of a row ---- */

static bool
is_container(const cJSON *cell)
{
	return json_type(cell) == JSON_ARRAY || json_type(cell) == JSON_OBJECT;
}

/* Equal numbers are one value however they are written. */
static uint64_t
hash_cell(uint64_t hash, const cJSON *cell)
{
	enum json_type type = json_type(cell);
	struct buf text = BUF_INIT;

	hash = hash_mix(hash, (uint64_t)type + 1);
	if (type == JSON_NUMBER)
		return hash_mix(hash, json_number_hash(cell));
	if (type == JSON_STRING)
		return hash_bytes(hash, cell->valuestring, strlen(cell->valuestring));
	if (type == JSON_BOOLEAN)
		return hash_mix(hash, json_is_true(cell));
	if (!is_container(cell))
		return hash;
	json_print(&text, cell);
	hash = hash_bytes(hash, buf_text(&text), text.len);
	buf_finish(&text);
	return hash;
}

/* Long strings and containers are cut. */
static void
write_cell(struct json_writer *w, const char *name, const cJSON *cell)
{
	struct buf text = BUF_INIT;

	if (is_container(cell))
		json_print(&text, cell);
	else if (json_type(cell) == JSON_STRING)
		buf_add_str(&text, cell->valuestring);
	bool is_long = text.len > LABEL_BYTES;
	char *label = is_long ? label_dup(buf_text(&text)) : NULL;
	if (is_long)
		json_write_member_string(w, name, label);
	else if (cell)
		json_write_member_value(w, name, cell);
	free(label);
	buf_finish(&text);
}

/* Several cells of a row of a lazy array are read together. */
static const cJSON *
cell_of(const struct row_groups *g, size_t row, size_t column)
{
	const struct table *t = &g->k->made;
	bool is_alone = g->k->sheet->column_count + g->summed_count == 1;

	return is_alone ? table_scan_cell(t, row, column)
			: table_cell_of(t, table_scan(t, row), column);
}

/* ---- the groups ---- */

static void
grow(struct row_groups *g)
{
	free(g->table);
	g->size = g->size ? 4 * g->size : 256;
	g->table = mem_zalloc(g->size * sizeof(*g->table));
	for (size_t i = 0; i < g->groups.len; i++) {
		size_t at = g->groups.items[i].hash & (g->size - 1);
		while (g->table[at])
			at = (at + 1) & (g->size - 1);
		g->table[at] = (uint32_t)(i + 1);
	}
}

static bool
has_room(const struct row_groups *g)
{
	return g->groups.len < GROUPS_MAX && g->sums.len + g->summed_count <= SUMS_MAX &&
	       g->values.len < TEXT_MAX;
}

static size_t
add_group(struct row_groups *g, uint64_t hash, size_t row)
{
	struct json_writer w;
	struct row_group *group = VEC_PUSH(&g->groups);

	*group = (struct row_group){ .hash = hash, .at = g->values.len };
	json_write_init(&w, &g->values);
	for (size_t i = 0; i < g->k->sheet->column_count; i++) {
		size_t column = g->k->wish.columns[i];
		write_cell(&w, g->k->names[column], cell_of(g, row, column));
	}
	group->end = g->values.len;
	for (size_t i = 0; i < g->summed_count; i++)
		*VEC_PUSH(&g->sums) = (struct number_stats){ .count = 0 };
	return g->groups.len - 1;
}

/* SIZE_MAX: it has none that is kept. */
static size_t
group_of(struct row_groups *g, size_t row)
{
	uint64_t hash = 0;

	for (size_t i = 0; i < g->k->sheet->column_count; i++)
		hash = hash_cell(hash, cell_of(g, row, g->k->wish.columns[i]));
	if (2 * g->groups.len >= g->size)
		grow(g);
	size_t at = hash & (g->size - 1);
	for (; g->table[at]; at = (at + 1) & (g->size - 1))
		if (g->groups.items[g->table[at] - 1].hash == hash)
			return g->table[at] - 1;
	if (!has_room(g))
		return SIZE_MAX;
	size_t added = add_group(g, hash, row);
	g->table[at] = (uint32_t)(added + 1);
	return added;
}

static void
count_row(struct row_groups *g, size_t row)
{
	size_t group = group_of(g, row);

	if (group == SIZE_MAX) {
		g->others++;
		return;
	}
	g->groups.items[group].count++;
	for (size_t i = 0; i < g->summed_count; i++) {
		const cJSON *cell = cell_of(g, row, g->summed[i]);
		if (json_type(cell) == JSON_NUMBER)
			number_stats_add(&g->sums.items[group * g->summed_count + i], cell);
	}
}

/* The numeric columns that make no groups. */
static void
choose_summed(struct row_groups *g)
{
	const struct sheet_job *k = g->k;

	for (size_t c = 0; c < k->made.columns.len && g->summed_count < SUMMED_MAX; c++) {
		bool groups = !k->made.columns.items[c].numeric;
		for (size_t i = 0; i < k->sheet->column_count; i++)
			groups |= k->wish.columns[i] == c;
		if (!groups)
			g->summed[g->summed_count++] = c;
	}
}

/* ---- the rows of the sheet ---- */

static int
compare_groups(const void *a, const void *b)
{
	const struct row_group *left = *(const struct row_group *const *)a;
	const struct row_group *right = *(const struct row_group *const *)b;

	if (left->count != right->count)
		return left->count < right->count ? 1 : -1;
	return (left > right) - (left < right); /* as they came */
}

/* A name that no other member of the row has. */
static const char *
free_name(const struct row_groups *g, const char *const names[2])
{
	const struct sheet_job *k = g->k;
	bool has_all = k->sheet->kind == SHEET_GROUPS;
	size_t count = has_all ? k->made.columns.len : k->sheet->column_count;

	for (size_t i = 0; i < count; i++)
		if (strcmp(has_all ? k->names[i] : k->sheet->columns[i], names[0]) == 0)
			return names[1];
	return names[0];
}

static void
write_bar(struct json_writer *w, const char *name, size_t count, size_t most)
{
	static const char *const ends[] = { "", "▏", "▎", "▍", "▌", "▋", "▊", "▉" };
	size_t eighths = (size_t)(8.0 * BAR_COLUMNS * (double)count / (double)most + 0.5);
	struct buf bar = BUF_INIT;

	for (size_t i = 0; i < eighths / 8; i++)
		buf_add_str(&bar, "█");
	buf_add_str(&bar, eighths == 0 ? "▏" : ends[eighths % 8]);
	json_write_member_string(w, name, buf_text(&bar));
	buf_finish(&bar);
}

static void
write_sums(const struct row_groups *g, size_t group)
{
	struct json_writer *w = &g->k->out;

	for (size_t i = 0; i < g->summed_count; i++) {
		const struct number_stats *s = &g->sums.items[group * g->summed_count + i];
		if (s->count == 0)
			continue;
		json_write_member_object(w, g->k->names[g->summed[i]]);
		sheet_write_sum(w, s);
		sheet_write_extreme(w, "min", s->min, s->least);
		sheet_write_extreme(w, "max", s->max, s->most);
		json_write_object_end(w);
	}
}

static void
write_group(const struct row_groups *g, const struct row_group *group, size_t most)
{
	static const char *const counts[] = { "count", "rows counted" };
	static const char *const shares[] = { "percent", "percent of rows" };
	static const char *const bars[] = { "share", "share of rows" };
	struct json_writer *w = &g->k->out;
	char percent[40];

	json_write_object(w);
	if (group->end > group->at) {
		buf_add(w->out, buf_text(&g->values) + group->at, group->end - group->at);
		w->comma = true;
	}
	json_write_member_int(w, free_name(g, counts), (int64_t)group->count);
	if (g->k->sheet->kind == SHEET_FREQUENCY) {
		snprintf(percent, sizeof(percent), "%.2f",
		    100.0 * (double)group->count / (double)g->k->made.shown);
		json_write_member_json(w, free_name(g, shares), percent);
		write_bar(w, free_name(g, bars), group->count, most);
	} else {
		write_sums(g, (size_t)(group - g->groups.items));
	}
	json_write_object_end(w);
}

static void
write_groups(struct row_groups *g)
{
	size_t count = g->groups.len;
	const struct row_group **order = mem_alloc(count * sizeof(const struct row_group *));

	for (size_t i = 0; i < count; i++)
		order[i] = &g->groups.items[i];
	qsort(order, count, sizeof(*order), compare_groups);
	json_write_array(&g->k->out);
	for (size_t i = 0; i < count; i++)
		write_group(g, order[i], order[0]->count);
	json_write_array_end(&g->k->out);
	free(order);
	if (g->others > 0) {
		struct buf note = BUF_INIT;
		units_add_counted(&note, g->others, "row");
		buf_add_str(&note, " of other values");
		g->k->sheet->note = buf_detach(&note);
	}
}

bool
sheet_groups(struct sheet_job *k)
{
	struct row_groups g = { .k = k };
	size_t count = k->made.shown, done = 0;

	if (k->sheet->kind == SHEET_GROUPS)
		choose_summed(&g);
	while (done < count && sheet_goes_on(k, done, count))
		count_row(&g, table_copy_index(&k->made, done++));
	if (done == count)
		write_groups(&g);
	free(g.groups.items);
	free(g.table);
	free(g.sums.items);
	buf_finish(&g.values);
	return done == count;
}

/* SPDX-License-Identifier: MIT */
#include "schema/schema.h"

#include "base/mem.h"
#include "base/units.h"
#include "base/vec.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>

/* ---- choosing the array ---- */

/* An array on the path to the current violation. Violations come in document order, so an array
 * that was left is never entered again. */
struct array_level {
	const struct place *list;
	const struct place *last; /* the last row that was counted */
	size_t failed;
};

struct levels {
	struct array_level *items;
	size_t len, cap;
};

static bool
is_row(const struct place *place)
{
	return place->up && json_type(place->up->value) == JSON_ARRAY;
}

static void
leave(struct levels *levels, size_t depth, struct array_level *best)
{
	while (levels->len > depth) {
		const struct array_level *l = &levels->items[--levels->len];
		if (l->failed > best->failed ||
		    (l->failed == best->failed && l->list->depth < best->list->depth))
			*best = *l;
	}
}

/* Counts place as a row of each array that contains it; returns the number of arrays. */
static size_t
count_rows(struct levels *levels, const struct place *place, struct array_level *best)
{
	if (!place)
		return 0;
	size_t depth = count_rows(levels, place->up, best);
	if (!is_row(place))
		return depth;
	if (depth < levels->len && levels->items[depth].list != place->up)
		leave(levels, depth, best);
	if (depth == levels->len)
		*VEC_PUSH(levels) = (struct array_level){ .list = place->up };
	struct array_level *level = &levels->items[depth];
	level->failed += level->last != place;
	level->last = place;
	return depth + 1;
}

bool
summary_init(struct summary *summary, const struct report *report)
{
	struct levels levels = { 0 };
	struct array_level best = { 0 };

	for (size_t i = 0; i < report->records.len; i++)
		if (!report->records.items[i]->pub.warning)
			count_rows(&levels, report->records.items[i]->place, &best);
	leave(&levels, 0, &best);
	free(levels.items);
	return best.failed > 1 && summary_init_list(summary, report, best.list->value);
}

/* ---- wording ---- */

static void
add_path(const struct place *place, const struct place *row, struct buf *out)
{
	if (place == row)
		return;
	add_path(place->up, row, out);
	if (is_row(place))
		buf_add_str(out, "[]");
	else
		buf_addf(out, "%s%s", out->len > 0 ? "." : "", place->value->string);
}

static void
add_group(const struct record *r, const struct place *row, struct buf *out)
{
	/* the name differs from row to row */
	add_path(r->naming ? r->place->up : r->place, row, out);
	if (r->naming)
		buf_add_str(out, out->len > 0 ? ": a name" : "a name");
	if (r->pub.missing)
		buf_addf(out, "%s%s", out->len > 0 ? "." : "", r->pub.missing);
	if (out->len > 0)
		buf_add_char(out, ' ');
	/* without the value, so that it is the same for every row */
	const char *fault = r->rule ? r->rule->keyword->does->fault : "not allowed";
	/* a number has the right type of value even if only integers are allowed */
	bool number = cJSON_IsNumber(r->pub.node) && (r->types & TYPE_INTEGER);
	if (r->pub.missing)
		buf_add_str(out, "missing");
	else if (fault)
		buf_add_str(out, fault);
	else if (r->types && !number && !r->naming) {
		buf_add_str(out, "is ");
		add_types(type_of_constant(r->pub.node), out);
	} else if (r->rule->kind == RULE_PATTERN)
		buf_addf(out, "does not match %s", cJSON_GetStringValue(r->rule->value));
	else {
		buf_add_str(out, "not ");
		add_expected(r, out);
	}
}

/* ---- the groups ---- */

struct grouping {
	struct summary *summary;
	struct map numbers;                           /* of the groups, from 1, by their texts */
	const struct place *last[SUMMARY_MAX_GROUPS]; /* the last row that each group counted */
	struct buf text;
};

/* The group of g->text, added if it is new; SUMMARY_MAX_GROUPS: there is no room for it. */
static size_t
group_of(struct grouping *g, const struct record *r)
{
	struct summary *s = g->summary;
	const char *text = buf_text(&g->text);
	uint64_t hash = text_hash(s, text, g->text.len);
	const void *number;

	MAP_EACH(&g->numbers, hash, number)
		if (strcmp(s->groups.items[(uintptr_t)number - 1].text, text) == 0)
			return (uintptr_t)number - 1;
	if (s->groups.len == SUMMARY_MAX_GROUPS)
		return SUMMARY_MAX_GROUPS;
	*VEC_PUSH(&s->groups) = (struct summary_group){
		.text = pool_text(&s->pool, text, g->text.len),
		.first = r->index,
	};
	map_add(&g->numbers, hash, (const void *)s->groups.len);
	return s->groups.len - 1;
}

static int
most_first(const void *a, const void *b)
{
	const struct summary_group *x = a, *y = b;

	if (x->rows != y->rows)
		return x->rows > y->rows ? -1 : 1;
	return (x->first > y->first) - (x->first < y->first);
}

bool
summary_init_list(struct summary *summary, const struct report *report, const cJSON *list)
{
	struct grouping *g = mem_zalloc(sizeof(*g));
	const struct place *last = NULL;

	*summary = (struct summary){ .list = list, .rows = json_count(list) };
	summary->partial = report->facts.violations + report->facts.warnings > report->facts.kept;
	g->summary = summary;
	for (size_t i = 0; json_type(list) == JSON_ARRAY && i < report->records.len; i++) {
		const struct record *r = report->records.items[i];
		const struct place *row = r->pub.warning ? NULL : r->place;
		while (row && !(row->up && row->up->value == list))
			row = row->up;
		if (!row)
			continue;
		summary->failed += row != last;
		last = row;
		buf_clear(&g->text);
		add_group(r, row, &g->text);
		size_t number = group_of(g, r);
		if (number == SUMMARY_MAX_GROUPS) {
			summary->rest++;
			continue;
		}
		summary->groups.items[number].rows += g->last[number] != row;
		g->last[number] = row;
	}
	if (summary->groups.len > 1)
		qsort(summary->groups.items, summary->groups.len, sizeof(*summary->groups.items),
		    most_first);
	map_finish(&g->numbers);
	buf_finish(&g->text);
	free(g);
	if (summary->failed > 0)
		return true;
	summary_finish(summary);
	return false;
}

void
summary_finish(struct summary *summary)
{
	free(summary->groups.items);
	pool_destroy(summary->pool);
	*summary = (struct summary){ 0 };
}

void
summary_line(const struct summary *s, size_t max_groups, struct buf *out)
{
	size_t shown = s->groups.len < max_groups ? s->groups.len : max_groups;

	if (s->partial)
		buf_add_str(out, "at least ");
	units_add_count(out, s->failed);
	buf_add_str(out, " of ");
	units_add_counted(out, s->rows, "row");
	buf_addf(out, " %s: ", s->failed == 1 ? "fails" : "fail");
	for (size_t i = 0; i < shown; i++) {
		buf_addf(out, "%s%s (", i ? ", " : "", s->groups.items[i].text);
		units_add_count(out, s->groups.items[i].rows);
		buf_add_char(out, ')');
	}
	if (shown < s->groups.len || s->rest > 0)
		buf_add_str(out, "…");
}

#include "schema/report.h"
#include "table_priv.h"

#include <string.h>

/* What is wrong with an object whose members have columns of their own counts in all of these. */
static bool
is_in_column(
    const struct table *t, const struct column *c, const struct report_step *way, size_t len)
{
	if (len == 0 || c->depth == 0)
		return len == 0 && c->depth == 0;
	if (t->kind == TABLE_ARRAYS)
		return !way[0].key && way[0].index == c->index;
	for (int i = 0; i < c->depth && (size_t)i < len; i++)
		if (!way[i].key ||
		    (way[i].key != c->path[i] && strcmp(way[i].key, c->path[i]) != 0))
			return false;
	return true;
}

static void
count_one(struct table *t, size_t index)
{
	struct report_step way[1 + COLUMN_DEPTH]; /* the row, then keys */
	size_t len = report_way(t->report, index, t->node, way, 1 + COLUMN_DEPTH);

	if (len == REPORT_NONE || len == 0 || report_at(t->report, index)->warning)
		return;
	len = len > 1 + COLUMN_DEPTH ? COLUMN_DEPTH : len - 1;
	for (size_t i = 0; i < t->columns.len; i++)
		if (is_in_column(t, &t->columns.items[i], way + 1, len))
			t->columns.items[i].wrong++;
}

bool
table_count_on(struct table *t, size_t violations)
{
	size_t kept = t->report ? report_kept(t->report) : 0;

	if (t->counted >= kept)
		return false;
	for (; t->counted < kept && violations > 0; violations--)
		count_one(t, t->counted++);
	return true;
}

void
table_set_report(struct table *t, const struct report *report)
{
	t->report = report;
	t->counted = 0;
	for (size_t i = 0; i < t->columns.len; i++)
		t->columns.items[i].wrong = 0;
	if (!t->finding)
		table_count_on(t, COUNT_SLICE);
}

#include "report_priv.h"

#include "json/pointer.h"

#include <string.h>

#define MAX_REASONS 3 /* for being undecided, in a line */

enum schema_outcome
report_outcome(const struct report *report)
{
	return report->outcome;
}

size_t
report_steps(const struct report *report)
{
	return report->steps;
}

bool
report_is_cut(const struct report *report)
{
	return report->is_cut;
}

size_t
report_count(const struct report *report)
{
	return report->count;
}

size_t
report_warnings(const struct report *report)
{
	return report->warnings;
}

size_t
report_kept(const struct report *report)
{
	return report->records.len;
}

size_t
report_unchecked_count(const struct report *report)
{
	return report->unchecked.len;
}

const char *
report_unchecked(const struct report *report, size_t index)
{
	BUG_IF(index >= report->unchecked.len);
	return report->unchecked.items[index];
}

void
report_add_unchecked(const struct report *report, struct buf *out)
{
	size_t count = report->unchecked.len, shown = count < MAX_REASONS ? count : MAX_REASONS;

	for (size_t i = 0; i < shown; i++)
		buf_addf(out, "%s%s", i ? ", " : "", report->unchecked.items[i]);
	if (shown < count)
		buf_addf(out, " and %zu more", count - shown);
}

const struct violation *
report_at(const struct report *report, size_t index)
{
	return &report_record(report, index)->pub;
}

static void
add_place(const struct place *place, struct buf *out)
{
	if (!place->up)
		return;
	add_place(place->up, out);
	if (out->overflowed)
		return;
	if (json_type(place->up->value) == JSON_OBJECT)
		json_pointer_add_key(out, place->value->string);
	else
		json_pointer_add_index(out, place->index);
}

size_t
report_way(const struct report *report, size_t index, const cJSON *above, struct report_step *steps,
    size_t max)
{
	const struct record *r = report_record(report, index);
	const struct place *place = r->place;
	size_t count = r->pub.missing != NULL;

	for (; place && place->value != above; place = place->up)
		count++;
	if (!place)
		return REPORT_NONE;
	size_t i = count;
	if (r->pub.missing && --i < max)
		steps[i] = (struct report_step){ .key = r->pub.missing };
	for (place = r->place; place->value != above; place = place->up) {
		bool member = json_type(place->up->value) == JSON_OBJECT;
		if (--i < max)
			steps[i] =
			    (struct report_step){ .key = member ? place->value->string : NULL,
				    .index = place->index };
	}
	return count;
}

void
report_instance_path(const struct report *report, size_t index, struct buf *out)
{
	add_place(report_record(report, index)->place, out);
}

void
report_schema_path(const struct report *report, size_t index, struct buf *out)
{
	const struct record *r = report_record(report, index);

	schema_add_location(report->schema, r->node, r->rule ? r->rule->value : NULL, out);
}

bool
report_absolute_path(const struct report *report, size_t index, struct buf *out)
{
	const struct record *r = report_record(report, index);

	return schema_add_uri(r->node, r->rule ? r->rule->value : NULL, out);
}

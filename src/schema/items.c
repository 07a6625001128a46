#include "items_priv.h"

#include "base/vec.h"
#include "report_priv.h"

static struct json_reader *
find_reader(const struct report *report, const cJSON *array)
{
	for (size_t i = 0; i < report->lazy.len; i++)
		if (report->lazy.items[i].array == array)
			return report->lazy.items[i].reader;
	return NULL;
}

/* Two items can be compared. */
static struct json_reader *
report_reader(struct report *report, const cJSON *array)
{
	struct json_reader *reader = find_reader(report, array);

	if (reader)
		return reader;
	reader = json_reader_create(array, 2);
	*VEC_PUSH(&report->lazy) = (struct lazy_items){ array, reader };
	return reader;
}

const cJSON *
report_item(const struct report *report, const cJSON *array, size_t index)
{
	const struct json_reader *reader = find_reader(report, array);

	return reader ? json_reader_kept(reader, index) : NULL;
}

void
items_begin(struct checker *c, struct json_items *it, const cJSON *array)
{
	bool lazy = json_is_lazy(array);

	c->epoch += lazy;
	json_items_init(it, array, lazy ? report_reader(c->report, array) : NULL);
}

/* Past what is kept of violations they are only counted. */
const cJSON *
items_lasting(struct checker *c, const struct json_items *it)
{
	if (!it->reader || c->muted || c->report->records.len >= c->report->max_kept)
		return it->item;
	return json_reader_keep(it->reader, it->index);
}

bool
check_item(struct checker *c, const struct node *node, const struct json_items *it)
{
	if (!c->collecting)
		return check_child(c, node, it->item, it->index);
	struct trial before = trial_begin(c);
	c->collecting = false;
	bool ok = check_child(c, node, it->item, it->index);
	c->collecting = true;
	if (ok && c->warnings == before.warnings)
		return true;
	if (c->stopped)
		return ok;
	trial_drop(c, &before);
	return check_child(c, node, items_lasting(c, it), it->index);
}

void
items_end(struct report *report)
{
	for (size_t i = 0; i < report->lazy.len; i++)
		json_reader_forget(report->lazy.items[i].reader);
}

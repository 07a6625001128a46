#include "check_priv.h"

#include "base/vec.h"
#include "report_priv.h"

#define MAX_DOUBTS 1024 /* kept */
#define PLACE_BYTES 200 /* of where in the schema */

struct trial
trial_begin(const struct checker *c)
{
	return (struct trial){ .doubts = c->doubts, .warnings = c->warnings };
}

void
trial_drop(struct checker *c, const struct trial *trial)
{
	if (c->stopped)
		return;
	c->doubts = trial->doubts;
	c->warnings = trial->warnings;
	if (c->doubt_list.len > c->doubts)
		c->doubt_list.len = c->doubts;
}

bool
trial_doubtful(const struct checker *c, const struct trial *trial)
{
	return c->doubts > trial->doubts;
}

bool
trial_clean(const struct checker *c, const struct trial *trial)
{
	return !trial_doubtful(c, trial) && c->warnings == trial->warnings;
}

bool
check_doubt(struct checker *c, const struct node *node, const cJSON *member, const char *why)
{
	if (c->doubt_list.len == c->doubts && c->doubts < MAX_DOUBTS)
		*VEC_PUSH(&c->doubt_list) =
		    (struct doubt){ .node = node, .member = member, .why = why };
	c->doubts++;
	return true;
}

/* "/properties/id/pattern (too slow)", "too many steps" */
static const char *
doubt_text(struct report *report, const struct doubt *doubt)
{
	struct buf place = { .max = PLACE_BYTES }, text = BUF_INIT;

	if (doubt->node) {
		schema_add_location(report->schema, doubt->node, doubt->member, &place);
		buf_addf(
		    &text, "%s%s (%s)", buf_text(&place), place.overflowed ? "…" : "", doubt->why);
	} else {
		buf_add_str(&text, doubt->why);
	}
	const char *copy = pool_text(&report->pool, buf_text(&text), text.len);
	buf_finish(&place);
	buf_finish(&text);
	return copy;
}

static bool
is_told(const struct doubt_list *list, size_t index)
{
	const struct doubt *d = &list->items[index];

	for (const struct doubt *at = list->items; at < d; at++)
		if (at->node == d->node && at->member == d->member && at->why == d->why)
			return true;
	return false;
}

void
doubts_tell(struct checker *c)
{
	struct report *report = c->report;

	for (size_t i = 0; i < c->doubt_list.len; i++)
		if (!is_told(&c->doubt_list, i))
			*VEC_PUSH(&report->unchecked) = doubt_text(report, &c->doubt_list.items[i]);
}

void
check_stop(struct checker *c, const char *why)
{
	if (c->stopped)
		return;
	c->stopped = true;
	/* The reason has to be kept, whatever else there was. */
	c->doubt_list.len = 0;
	*VEC_PUSH(&c->doubt_list) = (struct doubt){ .why = why };
	c->doubts++;
}

void
check_budget(struct checker *c)
{
	if (c->steps > c->max_steps)
		check_stop(c, "too many steps");
}

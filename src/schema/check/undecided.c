#include "check.h"

#include "base/vec.h"
#include "schema/report/report.h"

#define MAX_UNDECIDED 1024 /* kept */
#define PLACE_BYTES 200    /* longest location in a schema */

struct trial
trial_begin(const struct checker *c)
{
	return (struct trial){ .undecided = c->undecided, .warnings = c->warnings };
}

void
trial_drop(struct checker *c, const struct trial *trial)
{
	if (c->stopped)
		return;
	c->undecided = trial->undecided;
	c->warnings = trial->warnings;
	if (c->undecided_list.len > c->undecided)
		c->undecided_list.len = c->undecided;
}

bool
trial_undecided(const struct checker *c, const struct trial *trial)
{
	return c->undecided > trial->undecided;
}

bool
trial_clean(const struct checker *c, const struct trial *trial)
{
	return !trial_undecided(c, trial) && c->warnings == trial->warnings;
}

bool
check_undecided(struct checker *c, const struct node *node, const cJSON *member, const char *why)
{
	if (c->undecided_list.len == c->undecided && c->undecided < MAX_UNDECIDED)
		*VEC_PUSH(&c->undecided_list) =
		    (struct undecided){ .node = node, .member = member, .why = why };
	c->undecided++;
	return true;
}

static bool
check_undecided_rule(struct checker *c, const struct rule *rule, const struct subject *s)
{
	return check_undecided(c, s->node, rule->value, rule->as.why);
}

const struct keyword_functions keyword_undecided = {
	.check = check_undecided_rule,
};

/* "/properties/id/pattern (too slow)", "too many steps" */
static const char *
undecided_text(struct report *report, const struct undecided *rule)
{
	struct buf place = { .max = PLACE_BYTES }, text = BUF_INIT;

	if (rule->node) {
		schema_add_location(report->schema, rule->node, rule->member, &place);
		buf_addf(
		    &text, "%s%s (%s)", buf_text(&place), place.overflowed ? "…" : "", rule->why);
	} else {
		buf_add_str(&text, rule->why);
	}
	const char *copy = pool_text(&report->pool, buf_text(&text), text.len);
	buf_finish(&place);
	buf_finish(&text);
	return copy;
}

static bool
is_told(const struct undecided_list *list, size_t index)
{
	const struct undecided *d = &list->items[index];

	for (const struct undecided *at = list->items; at < d; at++)
		if (at->node == d->node && at->member == d->member && at->why == d->why)
			return true;
	return false;
}

void
undecided_tell(struct checker *c)
{
	struct report *report = c->report;

	for (size_t i = 0; i < c->undecided_list.len; i++)
		if (!is_told(&c->undecided_list, i))
			*VEC_PUSH(&report->unchecked) =
			    undecided_text(report, &c->undecided_list.items[i]);
	report->facts.unchecked = report->unchecked.items;
	report->facts.unchecked_count = report->unchecked.len;
}

void
check_stop(struct checker *c, const char *why)
{
	if (c->stopped)
		return;
	c->stopped = true;
	c->max_steps = 0; /* so that the fast pass need not ask for both */
	c->steps += c->steps == 0;
	/* The reason must be kept, however many there are. */
	c->undecided_list.len = 0;
	*VEC_PUSH(&c->undecided_list) = (struct undecided){ .why = why };
	c->undecided++;
}

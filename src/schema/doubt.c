#include "check_priv.h"

#include "base/vec.h"

/* What could not be checked, and the budget that says how much is. */
#define MAX_DOUBTS 1024 /* kept */

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
check_doubt(struct checker *c, const char *text)
{
	if (c->doubt_list.len == c->doubts && c->doubts < MAX_DOUBTS)
		*VEC_PUSH(&c->doubt_list) = text;
	c->doubts++;
	return true;
}

void
check_stop(struct checker *c, const char *why)
{
	if (c->stopped)
		return;
	c->stopped = true;
	/* The reason has to be kept, whatever else there was. */
	c->doubt_list.len = 0;
	*VEC_PUSH(&c->doubt_list) = why;
	c->doubts++;
}

void
check_budget(struct checker *c)
{
	if (c->steps > c->max_steps)
		check_stop(c, "too many steps");
}

#include "check_priv.h"
#include "items_priv.h"
#include "compile_priv.h"
#include "report_priv.h"

#include "json/number.h"

#include <string.h>

/* minContains and maxContains beside no contains say nothing, but must be counts. */
bool
compile_contains_count(
    struct compiler *k, struct node *node, const struct keyword *keyword, const cJSON *value)
{
	size_t rules = k->rules.len;
	bool fine = compile_count(k, node, keyword, value);

	k->rules.len = rules;
	return fine;
}

static size_t
count_of(const struct subject *s, const char *name, size_t otherwise)
{
	size_t count;
	const cJSON *value = s->node->resource->dialect.draft >= SCHEMA_DRAFT_2019_09
				 ? json_get(s->node->source, name)
				 : NULL;

	if (!value)
		return otherwise;
	return json_number_to_size(value, SIZE_MAX / 4, &count) ? count : SIZE_MAX / 4;
}

struct tally {
	size_t sure, perhaps; /* items that fit, and that may fit */
};

static bool
count_items(
    struct checker *c, const struct rule *rule, const struct subject *s, struct tally *tally)
{
	bool marks = s->node->resource->dialect.draft == SCHEMA_DRAFT_2020_12;
	bool collecting = c->collecting;
	struct trial start = trial_begin(c);
	struct json_items it;

	c->collecting = false;
	for (items_begin(c, &it, s->value); it.item && !c->stopped; items_next(c, &it)) {
		struct trial trial = trial_begin(c);
		bool fits = check_quietly(c, rule->as.node, it.item);
		if (fits && !trial_doubtful(c, &trial))
			tally->sure++;
		else if (fits)
			tally->perhaps++;
		else
			trial_drop(c, &trial);
		if (fits && marks)
			marks_set(s->marks, it.index);
	}
	json_items_finish(&it);
	c->collecting = collecting;
	c->warnings = start.warnings;
	return !c->stopped;
}

bool
check_contains(struct checker *c, const struct rule *rule, const struct subject *s)
{
	size_t least = count_of(s, "minContains", 1);
	size_t most = count_of(s, "maxContains", SIZE_MAX);
	struct trial start = trial_begin(c);
	struct tally tally = { 0 };

	if (!count_items(c, rule, s, &tally))
		return true;
	if (tally.sure + tally.perhaps < least)
		return report_add(
		    c, rule, s, (struct fact){ .a = tally.sure + tally.perhaps, .b = 0 });
	if (tally.sure > most)
		return report_add(c, rule, s, (struct fact){ .a = tally.sure, .b = 1 });
	if (tally.sure >= least && tally.sure + tally.perhaps <= most)
		trial_drop(c, &start);
	return true;
}

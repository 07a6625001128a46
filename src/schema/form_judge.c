#include "form_priv.h"

#include "pool_priv.h"
#include "schema_priv.h"

#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>

/* Values checked by a part of the form's schema: the compiled nodes by their texts. */
struct judge {
	const struct node **slots; /* open addressing, a power of two */
	size_t mask;
};

static size_t
slot_of(const struct judge *judge, const cJSON *source)
{
	size_t at = pointer_hash(source) & judge->mask;

	while (judge->slots[at] && judge->slots[at]->source != source)
		at = (at + 1) & judge->mask;
	return at;
}

static struct judge *
judge_create(const struct schema *schema)
{
	struct judge *judge = mem_zalloc(sizeof(*judge));

	judge->mask = 63;
	while (judge->mask < 2 * schema->nodes.len)
		judge->mask = judge->mask * 2 + 1;
	judge->slots = mem_zalloc((judge->mask + 1) * sizeof(*judge->slots));
	for (size_t i = 0; i < schema->nodes.len; i++) {
		const struct node *node = schema->nodes.items[i];
		if (node->wanted)
			judge->slots[slot_of(judge, node->source)] = node;
	}
	return judge;
}

void
judge_destroy(struct judge *judge)
{
	if (!judge)
		return;
	free(judge->slots);
	free(judge);
}

void
form_compile(struct form *form)
{
	struct schema_problem problem = { .text = "" };
	struct schema_options options = { .format = SCHEMA_FORMAT_ASSERTS };

	if (form->compiled)
		return;
	form->compiled = true;
	if (!form->doc)
		return;
	form->schema = schema_compile(json_root(form->doc), &options, &problem);
	if (form->schema)
		form->judge = judge_create(form->schema);
	else
		snprintf(form->schema_problem, sizeof(form->schema_problem), "%s%s%s",
		    problem.pointer, problem.pointer[0] ? ": " : "", problem.text);
}

static struct report *
check(struct form *form, const cJSON *schema, const cJSON *value, enum check_mode mode)
{
	const struct check_options options = {
		.mode = mode,
		.max_violations = 1000,
		.max_steps = form->checking,
	};

	form_compile(form);
	if (!form->judge || form->checking == 0)
		return NULL;
	const struct node *node = form->judge->slots[slot_of(form->judge, schema)];
	if (!node)
		return NULL;
	struct report *report = schema_check_by(form->schema, node, value, &options);
	size_t steps = report_steps(report) + 1;
	form->checking -= steps < form->checking ? steps : form->checking;
	return report;
}

bool
form_holds(struct form *form, const cJSON *schema, const cJSON *value)
{
	struct report *report = check(form, schema, value, CHECK_FLAG);
	bool holds = !report || report_outcome(report) != SCHEMA_INVALID;

	report_destroy(report);
	return holds;
}

struct report *
form_judge(struct form *form, const cJSON *schema, const cJSON *value)
{
	return check(form, schema, value, CHECK_AS_NEEDED);
}

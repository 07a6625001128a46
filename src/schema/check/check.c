/* SPDX-License-Identifier: MIT */
#include "check.h"

#include "base/mem.h"
#include "base/vec.h"
#include "schema/report/report.h"

#include <stdlib.h>

/* ---- marks ---- */

void
marks_init(struct marks *marks, const cJSON *value)
{
	marks->count = json_count(value);
	marks->bits = marks->small;
	memset(marks->small, 0, sizeof(marks->small));
	if (marks->count > 64 * ARRAY_LEN(marks->small))
		marks->bits = mem_zalloc((marks->count + 63) / 64 * sizeof(uint64_t));
}

void
marks_finish(struct marks *marks)
{
	if (marks->bits != marks->small)
		free(marks->bits);
}

static void
marks_merge(struct marks *to, const struct marks *from)
{
	for (size_t i = 0; i < (to->count + 63) / 64; i++)
		to->bits[i] |= from->bits[i];
}

/* ---- undecided rules ---- */

#define MAX_UNDECIDED 1024 /* kept */
#define PLACE_BYTES 200    /* longest location in a schema */

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

/* Adds each undecided rule to the report once: "/properties/id/pattern (too slow)", "too many
 * steps". */
static void
report_undecided(struct checker *c)
{
	const struct undecided_list *list = &c->undecided_list;
	struct report *report = c->report;

	for (size_t i = 0; i < list->len; i++) {
		const struct undecided *d = &list->items[i], *same = list->items;
		while (same < d &&
		       (same->node != d->node || same->member != d->member || same->why != d->why))
			same++;
		if (same < d)
			continue;
		struct buf place = { .max = PLACE_BYTES }, text = BUF_INIT;
		if (d->node) {
			schema_add_location(report->schema, d->node, d->member, &place);
			buf_addf(&text, "%s%s (%s)", buf_text(&place), place.overflowed ? "…" : "",
			    d->why);
		} else {
			buf_add_str(&text, d->why);
		}
		*VEC_PUSH(&report->unchecked) = pool_text(&report->pool, buf_text(&text), text.len);
		buf_finish(&place);
		buf_finish(&text);
	}
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

/* ---- cached results ---- */

/* The table starts small because most checks cache few results or none. */
#define MEMO_FIRST 64
#define MEMO_MOST 8192

enum memo_result { MEMO_NONE, MEMO_HOLDS, MEMO_FAILS, MEMO_COLLECTED };

struct memo {
	const struct node *node;
	const cJSON *value;
	uint64_t context; /* the scope, if the result depends on it */
	uint64_t marks;   /* the children it evaluated, if it is valid */
	bool has_marks;
	enum memo_result result;
};

static struct memo *
memo_slot(const struct checker *c, const struct node *node, const cJSON *value, uint64_t context)
{
	uint64_t x = hash_word(context, (uintptr_t)node);

	x = hash_word(x, (uintptr_t)value);
	return &c->memo.slots[x & (c->memo.count - 1)];
}

/* A slot holds one result; the last one stays. Marks of more than 64 children are not cached; a run
 * that needs them is repeated. */
static void
memo_keep(struct checker *c, const struct subject *s, uint64_t context, const struct trial *before,
    bool result)
{
	struct memo_table old = c->memo;
	int kind = c->collecting ? MEMO_COLLECTED : MEMO_FAILS;
	bool has_marks = s->marks && s->marks->count <= 64;

	if (c->stopped || (result && !trial_clean(c, before)))
		return;
	if (++c->memo.kept * 2 > old.count && old.count < MEMO_MOST) {
		c->memo.count = old.count ? old.count * 4 : MEMO_FIRST;
		if (c->memo.count > MEMO_MOST)
			c->memo.count = MEMO_MOST;
		c->memo.slots = mem_zalloc(c->memo.count * sizeof(*c->memo.slots));
		for (size_t i = 0; i < old.count; i++) {
			const struct memo *memo = &old.slots[i];
			if (memo->result != MEMO_NONE)
				*memo_slot(c, memo->node, memo->value, memo->context) = *memo;
		}
		free(old.slots);
	}
	*memo_slot(c, s->node, s->value, context) = (struct memo){
		.node = s->node,
		.value = s->value,
		.context = context,
		.has_marks = has_marks,
		.marks = has_marks ? s->marks->bits[0] : 0,
		.result = result ? MEMO_HOLDS : kind,
	};
}

/* ---- all rules ---- */

static bool
run_rules(struct checker *c, const struct subject *s)
{
	const struct rule *end = s->node->rules + s->node->rule_count;
	bool ok = true;

	for (const struct rule *rule = s->node->rules; rule < end && !c->stopped; rule++) {
		if (!(rule->applies & s->type))
			continue;
		c->steps++;
		if (rule->check(c, rule, s))
			continue;
		ok = false;
		if (!c->collecting)
			break;
	}
	return ok;
}

/* A failing schema evaluates nothing (2020-12 core, 7.7.1). A collecting run has already
 * reported the failure and should not also report the declared children as unevaluated. */
static bool
run_marked(struct checker *c, struct subject *s)
{
	struct marks own, *outer = s->marks;

	if (!s->node->tracks || !(s->type & (TYPE_OBJECT | TYPE_ARRAY)))
		return run_rules(c, s);
	marks_init(&own, s->value);
	s->marks = &own;
	bool ok = run_rules(c, s);
	if (outer && (ok || c->collecting))
		marks_merge(outer, &own);
	marks_finish(&own);
	s->marks = outer;
	return ok;
}

/* The same with the cached result, if there is one. */
static bool
run_remembered(struct checker *c, struct subject *s)
{
	uint64_t context = c->epoch * 2 + c->muted;
	struct trial before = trial_begin(c);
	struct marks own, *outer = s->marks;
	size_t length = 0;

	/* the target of a dynamic reference depends on the resources on the path */
	for (const struct resource_scope *at = c->schema->has_dynamic ? c->scope : NULL; at;
	     at = at->up, length++)
		context = hash_word(context, (uintptr_t)at->resource);
	check_charge(c, length / 4);
	const struct memo *memo = c->memo.count ? memo_slot(c, s->node, s->value, context) : NULL;
	if (memo && memo->result != MEMO_NONE && memo->context == context &&
	    memo->node == s->node && memo->value == s->value) {
		bool ok = memo->result == MEMO_HOLDS, marks = outer && (ok || c->muted);
		bool lacks_reasons = memo->result == MEMO_FAILS && c->collecting;
		if (!lacks_reasons && (!marks || memo->has_marks)) {
			if (marks)
				outer->bits[0] |= memo->marks;
			return ok;
		}
	}
	if (outer) {
		marks_init(&own, s->value);
		s->marks = &own;
	}
	bool ok = run_marked(c, s);
	memo_keep(c, s, context, &before, ok);
	if (outer) {
		if (ok || c->collecting)
			marks_merge(outer, &own);
		marks_finish(&own);
		s->marks = outer;
	}
	return ok;
}

bool
check_rules(struct checker *c, const struct node *node, const cJSON *value, struct marks *marks)
{
	struct subject s = {
		.node = node,
		.value = value,
		.type = type_of(value),
		.marks = marks,
		.undecided_before = c->undecided,
	};

	if (c->stopped)
		return true;
	check_budget(c);
	if (c->depth > CHECK_DEPTH)
		check_stop(c, "nested too deeply");
	else if (c->job && job_is_stopped(c->job))
		check_stop(c, "stopped");
	if (c->stopped)
		return true;
	struct resource_scope scope = { .up = c->scope, .resource = node->resource };
	bool enters = c->schema->has_dynamic && (!c->scope || c->scope->resource != node->resource);
	bool remember = c->nested > MEMO_NESTED && node->shared && !c->naming;
	c->depth++;
	c->nested += node->again;
	if (enters)
		c->scope = &scope;
	bool ok = remember ? run_remembered(c, &s) : run_marked(c, &s);
	if (enters)
		c->scope = scope.up;
	c->nested -= node->again;
	c->depth--;
	return ok;
}

bool
check_node(struct checker *c, const struct node *node, const cJSON *value, struct marks *marks)
{
	if (!marks && !c->collecting && node->alike->plan != NODE_RULES)
		return check_fast(c, node->alike, value);
	if (node->same_as)
		node = node->same_as;
	if (node->plan == NODE_ANYTHING)
		return true;
	if (node->never) {
		struct subject s = { .node = node, .value = value, .type = type_of(value) };
		return report_add(c, NULL, &s, (struct fact){ 0 });
	}
	return node->rule_count == 0 || check_rules(c, node, value, marks);
}

/* ---- subschemas ---- */

#define DEFAULT_STEPS 50000000
#define DEFAULT_KEPT 10000

/* check_node(), with a trail of subschemas if the run collects. */
static bool
enter(
    struct checker *c, const struct node *node, const cJSON *value, struct marks *marks, bool down)
{
	struct trail trail = { .up = c->trail, .node = node, .down = down };

	if (!c->collecting)
		return check_node(c, node, value, marks);
	c->trail = &trail;
	bool ok = check_node(c, node, value, marks);
	c->trail = trail.up;
	return ok;
}

bool
check_child(struct checker *c, const struct node *node, const cJSON *child, size_t index)
{
	struct check_frame frame = { .up = c->frame, .value = child, .index = index };

	if (c->collecting)
		c->frame = &frame;
	bool ok = check_quietly(c, node, child);
	c->frame = frame.up;
	return ok;
}

bool
check_quietly(struct checker *c, const struct node *node, const cJSON *value)
{
	unsigned inplace = c->inplace;

	c->inplace = 0;
	bool ok = enter(c, node, value, NULL, true);
	c->inplace = inplace;
	return ok;
}

bool
check_here(struct checker *c, const struct node *node, const struct subject *s)
{
	if (c->inplace >= MAX_INPLACE / 2) {
		/* in a circle of references, the node seen halfway to the limit comes up again */
		if (c->inplace == MAX_INPLACE / 2) {
			c->halfway = node;
			c->circular = false;
		} else if (node == c->halfway) {
			c->circular = true;
		}
		if (c->inplace > MAX_INPLACE)
			check_stop(c, c->circular ? "$ref (leads back to itself)"
						  : "$ref (more than 1000 in a row)");
	}
	if (c->stopped)
		return true;
	c->inplace++;
	c->nested++;
	bool ok = enter(c, node, s->value, s->marks, false);
	c->nested--;
	c->inplace--;
	return ok;
}

bool
check_try(struct checker *c, const struct node *node, const struct subject *s)
{
	bool collecting = c->collecting;
	struct marks marks;
	struct subject own = *s;

	c->collecting = false;
	if (s->marks) {
		marks_init(&marks, s->value);
		own.marks = &marks;
	}
	bool ok = check_here(c, node, &own);
	if (s->marks && ok)
		marks_merge(s->marks, &marks);
	if (s->marks)
		marks_finish(&marks);
	c->collecting = collecting;
	return ok;
}

/* ---- items ---- */

static struct json_reader *
find_reader(const struct report *report, const cJSON *array)
{
	for (size_t i = 0; i < report->lazy.len; i++)
		if (report->lazy.items[i].array == array)
			return report->lazy.items[i].reader;
	return NULL;
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
	struct json_reader *reader = NULL;

	if (json_is_lazy(array)) {
		c->epoch++;
		if (!c->report)
			c->report = mem_zalloc(sizeof(*c->report));
		reader = find_reader(c->report, array);
		if (!reader) {
			reader = json_reader_create(array, 2); /* two items can be compared */
			*VEC_PUSH(&c->report->lazy) = (struct lazy_items){ array, reader };
		}
	}
	json_items_init(it, array, reader);
}

/* Violations beyond the limit are only counted. */
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

/* ---- runs ---- */

static bool
check_run(struct checker *c, const cJSON *instance, bool collecting)
{
	struct check_frame root = { .value = instance };

	c->collecting = collecting;
	c->stopped = false;
	c->max_steps = c->budget;
	c->steps = c->undecided = c->warnings = 0;
	c->undecided_list.len = 0;
	c->frame = &root;
	bool ok = enter(c, c->root, instance, NULL, true);
	c->frame = NULL;
	return ok || c->stopped; /* nothing that comes after the stop counts */
}

struct report *
schema_check(
    const struct schema *schema, const cJSON *instance, const struct check_options *options)
{
	return schema_check_by(schema, schema->root, instance, options);
}

void
checker_init(struct checker *c, const struct schema *schema, const struct node *root,
    const struct check_options *options)
{
	mem_clear(c, sizeof(*c));
	c->schema = schema;
	c->root = root;
	c->budget = options && options->max_steps ? options->max_steps : DEFAULT_STEPS;
	c->job = options ? options->job : NULL;
}

void
checker_finish(struct checker *c)
{
	regex_run_finish(&c->regex);
	free(c->memo.slots);
	free(c->undecided_list.items);
}

struct report *
schema_check_by(const struct schema *schema, const struct node *node, const cJSON *instance,
    const struct check_options *options)
{
	struct report *report = mem_zalloc(sizeof(*report));
	enum check_mode mode = options ? options->mode : CHECK_AS_NEEDED;
	struct checker c;

	report->schema = schema;
	report->instance = instance;
	report->max_kept =
	    options && options->max_violations ? options->max_violations : DEFAULT_KEPT;
	checker_init(&c, schema, node, options);
	c.report = report;
	bool ok = check_run(&c, instance, mode == CHECK_COLLECTING);
	if (mode == CHECK_AS_NEEDED && (!ok || c.warnings > 0) && !c.stopped)
		check_run(&c, instance, true);
	if (mode == CHECK_FLAG)
		report->facts.violations = !ok;
	report->facts.steps = c.steps;
	report->facts.is_cut = c.stopped;
	if (!ok && report->facts.violations == 0) {
		/* Known to be invalid, but the budget ran out before the violation was found
		 * again. */
		struct check_frame root = { .value = instance };
		struct subject s = { .node = node, .value = instance };
		c.frame = &root;
		c.collecting = true;
		report_add(&c, NULL, &s, (struct fact){ 0 });
	}
	report_undecided(&c);
	if (report->facts.violations > 0)
		report->facts.outcome = SCHEMA_INVALID;
	else
		report->facts.outcome = c.undecided > 0 ? SCHEMA_UNDECIDED : SCHEMA_VALID;
	report_sort(report);
	/* Frees the items without violations. */
	for (size_t i = 0; i < report->lazy.len; i++)
		json_reader_forget(report->lazy.items[i].reader);
	checker_finish(&c);
	return report;
}

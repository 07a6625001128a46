#include "fast.h"

#include "base/mem.h"
#include "base/vec.h"
#include "schema/report/report.h"

#include <stdlib.h>

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
	unsigned inplace = c->inplace;
	struct check_frame frame = { .up = c->frame, .value = child, .index = index };
	bool framed = c->collecting;

	c->inplace = 0;
	if (framed)
		c->frame = &frame;
	bool ok = enter(c, node, child, NULL, true);
	if (framed)
		c->frame = frame.up;
	c->inplace = inplace;
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

/* Detects a circle among references that stay at the same value: the node seen halfway to the
 * limit comes up again. */
static void
look_for_circle(struct checker *c, const struct node *node)
{
	if (c->inplace == MAX_INPLACE / 2) {
		c->halfway = node;
		c->circular = false;
	} else if (node == c->halfway) {
		c->circular = true;
	}
	if (c->inplace > MAX_INPLACE)
		check_stop(c,
		    c->circular ? "$ref (leads back to itself)" : "$ref (more than 1000 in a row)");
}

static bool
check_inplace(struct checker *c, const struct node *node, const cJSON *value, struct marks *marks)
{
	if (c->inplace >= MAX_INPLACE / 2)
		look_for_circle(c, node);
	if (c->stopped)
		return true;
	c->inplace++;
	c->nested++;
	bool ok = enter(c, node, value, marks, false);
	c->nested--;
	c->inplace--;
	return ok;
}

bool
check_here(struct checker *c, const struct node *node, const struct subject *s)
{
	return check_inplace(c, node, s->value, s->marks);
}

bool
check_try(struct checker *c, const struct node *node, const struct subject *s)
{
	bool collecting = c->collecting;
	struct marks marks;

	c->collecting = false;
	if (s->marks)
		marks_init(&marks, s->value);
	bool ok = check_inplace(c, node, s->value, s->marks ? &marks : NULL);
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
	if (lazy && !c->report)
		c->report = mem_zalloc(sizeof(*c->report));
	json_items_init(it, array, lazy ? report_reader(c->report, array) : NULL);
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

/* Frees the items without violations. */
static void
items_end(struct report *report)
{
	for (size_t i = 0; i < report->lazy.len; i++)
		json_reader_forget(report->lazy.items[i].reader);
}

/* ---- runs ---- */

static bool
run(struct checker *c, const cJSON *instance, bool collecting)
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

static void
conclude(struct checker *c, bool ok)
{
	struct report *report = c->report;

	report->facts.steps = c->steps;
	report->facts.is_cut = c->stopped;
	if (!ok && report->facts.violations == 0) {
		/* Known to be invalid, but the budget ran out before the violation was found
		 * again. */
		struct check_frame root = { .value = report->instance };
		struct subject s = { .node = c->root, .value = report->instance };
		c->frame = &root;
		c->collecting = true;
		report_add(c, NULL, &s, (struct fact){ 0 });
		c->frame = NULL;
	}
	undecided_tell(c);
	if (report->facts.violations > 0)
		report->facts.outcome = SCHEMA_INVALID;
	else
		report->facts.outcome = c->undecided > 0 ? SCHEMA_UNDECIDED : SCHEMA_VALID;
	report_sort(report);
}

struct report *
schema_check(
    const struct schema *schema, const cJSON *instance, const struct check_options *options)
{
	return schema_check_by(schema, schema->root, instance, options);
}

static void
checker_init(struct checker *c, const struct schema *schema, const struct node *root,
    const struct check_options *options)
{
	mem_clear(c, sizeof(*c));
	c->schema = schema;
	c->root = root;
	c->budget = options && options->max_steps ? options->max_steps : DEFAULT_STEPS;
	c->job = options ? options->job : NULL;
}

static void
checker_finish(struct checker *c)
{
	regex_run_finish(&c->regex);
	free(c->memo.slots);
	free(c->undecided_list.items);
}

/* Few checks keep anything. */
static inline bool
checker_holds(const struct checker *c)
{
	return c->memo.slots || c->undecided_list.items || c->report || regex_run_holds(&c->regex);
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
	bool ok = run(&c, instance, mode == CHECK_COLLECTING);
	if (mode == CHECK_AS_NEEDED && (!ok || c.warnings > 0) && !c.stopped)
		run(&c, instance, true);
	if (mode == CHECK_FLAG)
		report->facts.violations = !ok;
	conclude(&c, ok);
	items_end(report);
	checker_finish(&c);
	return report;
}

enum schema_outcome
schema_outcome(
    const struct schema *schema, const cJSON *instance, const struct check_options *options)
{
	const struct node *node = schema->root->alike;
	struct checker c;

	if (node->sure & type_of(instance))
		return SCHEMA_VALID;
	/* the first name of an object, and its first members (json/arena.c) */
	look_ahead(instance, 1);
	look_ahead(instance, 5);
	look_ahead(instance, 6);
	checker_init(&c, schema, schema->root, options);
	c.max_steps = c.budget;
	bool ok = unsure_holds(&c, node, instance, 0) || c.stopped;
	if (checker_holds(&c)) {
		checker_finish(&c);
		report_destroy(c.report);
	}
	if (!ok)
		return SCHEMA_INVALID;
	return c.undecided > 0 ? SCHEMA_UNDECIDED : SCHEMA_VALID;
}

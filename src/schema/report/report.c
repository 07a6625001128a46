#include "report.h"

#include "base/mem.h"
#include "base/vec.h"
#include "json/equal.h"
#include "json/number.h"
#include "json/pointer.h"
#include "json/rows.h"

#include <stdlib.h>
#include <string.h>

#define MAX_LOOK 64     /* violations at one location searched for a duplicate */
#define EFFORT 50000000 /* for suggestions: letters compared in all lines together */

/* ---- locations in the instance ---- */

static struct place *
place_find(const struct report *report, const cJSON *value)
{
	struct place *place;

	MAP_EACH(&report->places, pointer_hash(value), place)
		if (value && place->value == value)
			return place;
	return NULL;
}

static struct place *
place_of(struct report *report, struct check_frame *frame)
{
	if (frame->place)
		return frame->place;
	frame->place = place_find(report, frame->value);
	if (frame->place)
		return frame->place;
	struct place *up = frame->up ? place_of(report, frame->up) : NULL;
	struct place *place = pool_alloc(&report->pool, sizeof(*place));
	*place = (struct place){
		.up = up,
		.value = frame->value,
		.index = frame->index,
		.depth = up ? up->depth + 1 : 0,
	};
	map_add(&report->places, pointer_hash(frame->value), place);
	frame->place = place;
	return place;
}

static const struct kept_trail *
keep_trail(struct report *report, struct trail *trail)
{
	if (!trail || trail->kept)
		return trail ? trail->kept : NULL;
	struct kept_trail *kept = pool_alloc(&report->pool, sizeof(*kept));
	*kept = (struct kept_trail){
		.up = keep_trail(report, trail->up), .node = trail->node, .down = trail->down
	};
	trail->kept = kept;
	return kept;
}

/* ---- adding ---- */

/* Is it the same violation, with the same name or wording? Schemas are often composed of parts
 * that demand the same. */
static bool
says_same(struct checker *c, const struct record *r, const struct rule *rule, struct fact fact)
{
	size_t cost = 0;

	if (r->rule == rule)
		return r->pub.missing == fact.missing;
	if (!r->rule || !rule || r->rule->keyword != rule->keyword || r->types != fact.types)
		return false;
	if (fact.missing || r->pub.missing)
		return fact.missing && r->pub.missing && strcmp(fact.missing, r->pub.missing) == 0;
	if (r->a != fact.a || r->b != fact.b)
		return false;
	bool same = json_equal_counted(r->rule->value, rule->value, &cost);
	check_charge(c, cost);
	return same;
}

static bool
is_known(struct checker *c, const struct place *place, const struct rule *rule,
    const struct subject *s, struct fact fact)
{
	unsigned looked = 0;

	for (const struct record *r = place->first; r && looked < MAX_LOOK; r = r->next, looked++) {
		if (r->naming == c->naming && says_same(c, r, rule, fact))
			return true;
		/* `not` only matters for values of the right type. */
		if (rule && rule->kind == RULE_NOT && r->rule && r->rule->kind == RULE_TYPE &&
		    r->node == s->node)
			return true;
	}
	return false;
}

/* Both limit the same from the same side: 1 from above, 2 from below, 0: they do not. */
static unsigned
shared_side(const struct rule *a, const struct rule *b)
{
	bool upper = strstr(a->keyword->name, "ax") != NULL;
	bool bounds = a->kind == RULE_BOUND && b->kind == RULE_BOUND &&
		      upper == (strstr(b->keyword->name, "ax") != NULL);
	bool limits =
	    a->keyword == b->keyword && strncmp(a->keyword->name, upper ? "max" : "min", 3) == 0;

	if ((!bounds && !limits) || json_type(a->value) != JSON_NUMBER ||
	    json_type(b->value) != JSON_NUMBER)
		return 0;
	return upper ? 1 : 2;
}

/* Of two limits only the tighter one is reported. *done: that is the existing one. */
static bool
is_limit_of_same(const struct record *r, const struct rule *rule, struct fact fact, bool *done)
{
	unsigned side = shared_side(r->rule, rule);

	if (side == 0)
		return false;
	int order = json_number_compare(r->rule->value, rule->value);
	*done = order == 0 ? r->b || !fact.b : (order < 0) == (side == 1);
	return true;
}

#define LISTED_MAX 32 /* longer lists of constants are not compared with another list */

static bool
lists_constants(const struct rule *rule)
{
	return rule->kind == RULE_CONST ||
	       (rule->kind == RULE_ENUM && json_count(rule->value) <= LISTED_MAX);
}

static const cJSON *
constant_first(const struct rule *rule)
{
	return rule->kind == RULE_CONST ? rule->value : json_first(rule->value);
}

static const cJSON *
constant_next(const struct rule *rule, const cJSON *constant)
{
	return rule->kind == RULE_CONST ? NULL : constant->next;
}

static bool
allows(struct checker *c, const struct rule *rule, const cJSON *value)
{
	bool found = false;
	size_t cost = 0;

	if (rule->kind == RULE_TYPE)
		return passes_type(c, rule->as.types, value);
	for (const cJSON *v = constant_first(rule); v && !found; v = constant_next(rule, v))
		found = json_equal_counted(v, value, &cost);
	check_charge(c, cost);
	return found;
}

/* Does the other rule allow every constant of rule? */
static bool
is_within(struct checker *c, const struct rule *rule, const struct rule *other)
{
	if (!lists_constants(rule) || (other->kind != RULE_TYPE && !lists_constants(other)))
		return false;
	for (const cJSON *v = constant_first(rule); v; v = constant_next(rule, v))
		if (!allows(c, other, v))
			return false;
	return true;
}

/* The format beside a pattern that fails, which the line of the pattern tells. */
static bool
says_format(const struct record *r, const struct rule *rule, const struct subject *s)
{
	return r->rule->kind == RULE_PATTERN && r->node == s->node &&
	       strcmp(rule->keyword->name, "format") == 0;
}

/* Of a list of constants and a type or list that says less, only the first is reported. *done:
 * that is the existing one. A type beside the list always says less. */
static bool
is_said_by_constants(struct checker *c, const struct record *r, const struct rule *rule,
    const struct subject *s, bool *done)
{
	bool lists = rule->kind == RULE_ENUM || rule->kind == RULE_CONST;

	*done = is_within(c, r->rule, rule) || says_format(r, rule, s);
	return *done || (lists && r->rule->kind == RULE_TYPE && r->node == s->node) ||
	       is_within(c, rule, r->rule);
}

/* A violation that says the same as this one, or less or more. */
static struct record *
find_echo(struct checker *c, const struct place *place, const struct rule *rule,
    const struct subject *s, struct fact fact, bool *done)
{
	unsigned looked = 0;

	for (struct record *r = place->first; r && rule && looked < MAX_LOOK; r = r->next, looked++)
		if (r->rule && r->naming == c->naming && !r->pub.missing &&
		    (is_limit_of_same(r, rule, fact, done) ||
			is_said_by_constants(c, r, rule, s, done)))
			return r;
	return NULL;
}

static void
fill(struct record *r, struct checker *c, const struct rule *rule, const struct subject *s,
    struct fact fact)
{
	r->pub = (struct violation){
		.node = c->frame->value,
		.missing = fact.missing,
		.keyword = rule ? rule->keyword->name : "false",
		.warning = fact.warning,
	};
	r->rule = rule;
	r->node = s->node;
	r->trail = keep_trail(c->report, c->trail);
	r->naming = c->naming;
	r->types = fact.types;
	r->a = fact.a;
	r->b = fact.b;
	if (fact.left_count > 0) {
		uint32_t *left = pool_alloc(&c->report->pool, fact.left_count * sizeof(*fact.left));
		memcpy(left, fact.left, fact.left_count * sizeof(*left));
		r->left = left;
		r->left_count = fact.left_count;
		r->left_total = fact.left_total;
	}
	r->report = c->report;
}

static void
count_up(struct report *report, struct check_frame *frame, bool warning)
{
	if (warning) {
		report->facts.warnings++;
		return;
	}
	report->facts.violations++;
	while (frame && !frame->place && !(frame->place = place_find(report, frame->value)))
		frame = frame->up;
	for (struct place *place = frame ? frame->place : NULL; place; place = place->up)
		place->below++;
}

bool
report_add(struct checker *c, const struct rule *rule, const struct subject *s, struct fact fact)
{
	struct report *report = c->report;

	if (!c->collecting || c->muted)
		return false;
	if (report->records.len >= report->max_kept) {
		count_up(report, c->frame, fact.warning);
		return false;
	}
	struct place *place = place_of(report, c->frame);
	if (is_known(c, place, rule, s, fact))
		return false;
	bool done = false;
	struct record *echo = find_echo(c, place, rule, s, fact, &done);
	if (echo && !done)
		fill(echo, c, rule, s, fact);
	if (echo)
		return false;
	struct record *r = pool_alloc(&report->pool, sizeof(*r));
	fill(r, c, rule, s, fact);
	r->place = place;
	r->order = report->records.len;
	*VEC_PUSH(&report->records) = r;
	r->next = place->first;
	place->first = r;
	count_up(report, c->frame, fact.warning);
	return false;
}

bool
report_child(struct checker *c, const struct rule *rule, const struct node *node,
    const cJSON *child, size_t index, struct fact fact)
{
	struct check_frame frame = { .up = c->frame, .value = child, .index = index };
	struct subject at = { .node = node, .value = child, .type = type_of(child) };

	c->frame = &frame;
	report_add(c, rule, &at, fact);
	c->frame = frame.up;
	return false;
}

/* ---- sorting and lookup ---- */

static int
by_document_order(const void *a, const void *b)
{
	const struct record *x = *(struct record *const *)a, *y = *(struct record *const *)b;
	const struct place *p = x->place, *q = y->place;

	while (p->depth > q->depth)
		p = p->up;
	while (q->depth > p->depth)
		q = q->up;
	if (p == q) {
		if (x->place->depth != y->place->depth)
			return x->place->depth < y->place->depth ? -1 : 1;
		return x->order < y->order ? -1 : 1;
	}
	while (p->up != q->up) {
		p = p->up;
		q = q->up;
	}
	return p->index < q->index ? -1 : 1;
}

static const struct record *
missing_find(const struct report *report, const cJSON *object, const char *name)
{
	const struct record *r;

	MAP_EACH(&report->missing, text_hash(object, name, strlen(name)), r)
		if (r->pub.node == object && strcmp(r->pub.missing, name) == 0)
			return r;
	return NULL;
}

void
report_sort(struct report *report)
{
	size_t count = report->records.len;

	report->facts.kept = count;
	if (count == 0)
		return;
	qsort(report->records.items, count, sizeof(*report->records.items), by_document_order);
	for (size_t i = 0; i < count; i++) {
		struct record *r = report->records.items[i];
		r->index = i;
		r->effort = EFFORT / count;
		if (!r->pub.missing) {
			if (!r->place->found)
				r->place->found = r;
			continue;
		}
		const char *name = r->pub.missing;
		if (!missing_find(report, r->pub.node, name))
			map_add(&report->missing, text_hash(r->pub.node, name, strlen(name)), r);
	}
}

size_t
report_find(const struct report *report, const cJSON *node)
{
	const struct place *place = place_find(report, node);

	return place && place->found ? place->found->index : REPORT_NONE;
}

size_t
report_find_missing(const struct report *report, const cJSON *object, const char *name)
{
	const struct record *r = missing_find(report, object, name);

	return r ? r->index : REPORT_NONE;
}

size_t
report_count_below(const struct report *report, const cJSON *node)
{
	const struct place *place = place_find(report, node);

	return place ? place->below : 0;
}

void
report_destroy(struct report *report)
{
	if (!report)
		return;
	for (size_t i = 0; i < report->lazy.len; i++)
		json_reader_destroy(report->lazy.items[i].reader);
	free(report->lazy.items);
	free(report->records.items);
	free(report->unchecked.items);
	map_finish(&report->places);
	map_finish(&report->missing);
	pool_destroy(report->pool);
	free(report);
}

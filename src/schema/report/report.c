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

/* Of two bounds on one value only the tighter one is reported. *done: that is the existing one. */
static struct record *
find_bound(const struct place *place, const struct rule *rule, struct checker *c, bool *done)
{
	if (!rule || rule->kind != RULE_BOUND)
		return NULL;
	for (struct record *r = place->first; r; r = r->next) {
		if (!r->rule || r->rule->keyword != rule->keyword || r->naming != c->naming ||
		    json_type(r->rule->value) != JSON_NUMBER)
			continue;
		int order = json_number_compare(r->rule->value, rule->value);
		*done = r->a ? order <= 0 : order >= 0;
		return r;
	}
	return NULL;
}

/* If a value of the wrong type is also not a listed one, the list says more. */
static struct record *
find_echo(const struct place *place, const struct rule *rule, const struct subject *s)
{
	if (!rule || (rule->kind != RULE_ENUM && rule->kind != RULE_CONST))
		return NULL;
	for (struct record *r = place->first; r; r = r->next)
		if (r->rule && r->rule->kind == RULE_TYPE && r->node == s->node)
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
	r->left = fact.left;
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
	struct record *echo = find_bound(place, rule, c, &done);
	if (!echo)
		echo = find_echo(place, rule, s);
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

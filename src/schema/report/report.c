/* SPDX-License-Identifier: MIT */
#include "report.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "base/url.h"
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

/* Only the tighter of two limits from the same side is reported. *done: it is the existing one.
 */
static bool
is_limit_of_same(const struct record *r, const struct rule *rule, struct fact fact, bool *done)
{
	const struct rule *old = r->rule;
	bool upper = strstr(old->keyword->name, "ax") != NULL;
	bool bounds = old->kind == RULE_BOUND && rule->kind == RULE_BOUND &&
		      upper == (strstr(rule->keyword->name, "ax") != NULL);
	bool limits = old->keyword == rule->keyword &&
		      strncmp(old->keyword->name, upper ? "max" : "min", 3) == 0;

	if ((!bounds && !limits) || !cJSON_IsNumber(old->value) || !cJSON_IsNumber(rule->value))
		return false;
	int order = json_number_compare(old->value, rule->value);
	*done = order == 0 ? r->b || !fact.b : (order < 0) == upper;
	return true;
}

#define LISTED_MAX 32 /* longer lists of constants are not compared with another list */

static bool
lists_constants(const struct rule *rule)
{
	return rule->kind == RULE_CONST ||
	       (rule->kind == RULE_ENUM && json_count(rule->value) <= LISTED_MAX);
}

/* Does the other rule allow every constant of rule? */
static bool
is_within(struct checker *c, const struct rule *rule, const struct rule *other)
{
	bool type = other->kind == RULE_TYPE, found = lists_constants(rule);

	if (!type && !lists_constants(other))
		return false;
	for (const cJSON *v = found ? constant_first(rule) : NULL; v && found;
	     v = constant_next(rule, v)) {
		size_t cost = 0;
		found = type && passes_type(c, other->as.types, v);
		for (const cJSON *o = type ? NULL : constant_first(other); o && !found;
		     o = constant_next(other, o))
			found = json_equal_counted(o, v, &cost);
		check_charge(c, cost);
	}
	return found;
}

/* A list of constants is reported, but no type or list that allows more values. *done: the existing
 * violation has that list. A type next to the list always allows more. */
static bool
is_said_by_constants(struct checker *c, const struct record *r, const struct rule *rule,
    const struct subject *s, bool *done)
{
	bool lists = rule->kind == RULE_ENUM || rule->kind == RULE_CONST;

	/* the line about a pattern that fails also describes the format next to it */
	*done =
	    is_within(c, r->rule, rule) || (r->rule->kind == RULE_PATTERN && r->node == s->node &&
					       strcmp(rule->keyword->name, "format") == 0);
	return *done || (lists && r->rule->kind == RULE_TYPE && r->node == s->node) ||
	       is_within(c, rule, r->rule);
}

/* A violation that says the same as the new one, or more or less. *done: it stays unchanged. */
static struct record *
find_echo(struct checker *c, const struct place *place, const struct rule *rule,
    const struct subject *s, struct fact fact, bool *done)
{
	unsigned looked = 0;

	*done = true;
	for (struct record *r = place->first; r && looked < MAX_LOOK; r = r->next, looked++) {
		/* `not` only matters for values of the right type */
		bool wrong_type = rule && rule->kind == RULE_NOT && r->rule &&
				  r->rule->kind == RULE_TYPE && r->node == s->node;
		if (wrong_type || (r->naming == c->naming && says_same(c, r, rule, fact)))
			return r;
	}
	looked = 0;
	for (struct record *r = place->first; r && rule && looked < MAX_LOOK; r = r->next, looked++)
		if (r->rule && r->naming == c->naming && !r->pub.missing &&
		    (is_limit_of_same(r, rule, fact, done) ||
			is_said_by_constants(c, r, rule, s, done)))
			return r;
	return NULL;
}

static void
record_fill(struct record *r, struct checker *c, const struct rule *rule, const struct subject *s,
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
	bool done;
	struct record *echo = find_echo(c, place, rule, s, fact, &done);
	if (echo && !done)
		record_fill(echo, c, rule, s, fact);
	if (echo)
		return false;
	struct record *r = pool_alloc(&report->pool, sizeof(*r));
	record_fill(r, c, rule, s, fact);
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

/* ---- facts about a report ---- */

#define MAX_REASONS 3 /* listed in one line for an undecided value */

const struct report_facts *
report_facts(const struct report *report)
{
	return &report->facts;
}

void
report_add_unchecked(const struct report *report, struct buf *out)
{
	size_t count = report->facts.unchecked_count,
	       shown = count < MAX_REASONS ? count : MAX_REASONS;

	for (size_t i = 0; i < shown; i++)
		buf_addf(out, "%s%s", i ? ", " : "", report->facts.unchecked[i]);
	if (shown < count)
		buf_addf(out, " and %zu more", count - shown);
}

const struct violation *
report_at(const struct report *report, size_t index)
{
	return &report_record(report, index)->pub;
}

static void
add_place(const struct place *place, struct buf *out)
{
	if (!place->up)
		return;
	add_place(place->up, out);
	if (out->overflowed)
		return;
	if (cJSON_IsObject(place->up->value))
		json_pointer_add_key(out, place->value->string);
	else
		json_pointer_add_index(out, place->index);
}

size_t
report_way(const struct report *report, size_t index, const cJSON *above, struct report_step *steps,
    size_t max)
{
	const struct record *r = report_record(report, index);
	const struct place *place = r->place;
	size_t count = r->pub.missing != NULL;

	for (; place && place->value != above; place = place->up)
		count++;
	if (!place)
		return REPORT_NONE;
	size_t i = count;
	if (r->pub.missing && --i < max)
		steps[i] = (struct report_step){ .key = r->pub.missing };
	for (place = r->place; place->value != above; place = place->up) {
		bool member = cJSON_IsObject(place->up->value);
		if (--i < max)
			steps[i] =
			    (struct report_step){ .key = member ? place->value->string : NULL,
				    .index = place->index };
	}
	return count;
}

void
report_instance_path(const struct report *report, size_t index, struct buf *out)
{
	add_place(report_record(report, index)->place, out);
}

void
report_schema_path(const struct report *report, size_t index, struct buf *out)
{
	const struct record *r = report_record(report, index);

	schema_add_location(report->schema, r->node, r->rule ? r->rule->value : NULL, out);
}

bool
report_absolute_path(const struct report *report, size_t index, struct buf *out)
{
	const struct record *r = report_record(report, index);

	return schema_add_uri(r->node, r->rule ? r->rule->value : NULL, out);
}

/* ---- location in the schema ---- */

/* Appends the path from top down to node. */
static void
add_node_path(const struct node *node, const struct node *top, struct buf *out)
{
	const struct location *location = &node->location;

	if (node == top)
		return;
	add_node_path(location->up, top, out);
	if (out->overflowed)
		return;
	if (location->path) {
		buf_add_str(out, location->path);
		return;
	}
	json_pointer_add_key(out, location->holder->string);
	if (cJSON_IsArray(location->holder))
		json_pointer_add_index(out, location->index);
	else if (location->holder != node->source)
		json_pointer_add_key(out, node->source->string);
}

void
schema_add_location(
    const struct schema *schema, const struct node *node, const cJSON *member, struct buf *out)
{
	const struct document *document = node->resource->document;
	const struct node *top = node;

	while (top->location.up)
		top = top->location.up;
	if (document != schema->documents.items[0])
		buf_addf(out, "%s#", document->uri);
	add_node_path(node, top, out);
	if (member)
		json_pointer_add_key(out, member->string);
}

/* Characters that need no escape in a fragment, RFC 3986 section 3.5. */
#define FRAGMENT "-._~!$&'()*+,;=:@/?"

bool
schema_add_uri(const struct node *node, const cJSON *member, struct buf *out)
{
	const struct resource *resource = node->resource;
	struct buf pointer = BUF_INIT;

	/* RFC 3986 section 3.1: an absolute URI starts with a scheme. */
	if (!ascii_is_letter(*resource->uri) ||
	    resource->uri[strspn(resource->uri, ASCII_ALNUM "+-.")] != ':')
		return false;
	add_node_path(node, resource->root, &pointer);
	if (member)
		json_pointer_add_key(&pointer, member->string);
	buf_addf(out, "%s#", resource->uri);
	percent_encode(out, buf_text(&pointer), FRAGMENT);
	buf_finish(&pointer);
	return true;
}

/* ---- the path of the check ---- */

/* The reference keyword of `from` that led to `to` for the same value, or NULL. */
static const char *
reference_between(const struct node *from, const struct node *to)
{
	const unsigned applicators = VOCABULARY_APPLICATOR | VOCABULARY_UNEVALUATED;
	const struct rule *dynamic = NULL;

	for (size_t i = 0; i < from->rule_count; i++) {
		const struct rule *rule = &from->rules[i];
		if (rule->kind == RULE_REF && rule->as.node == to)
			return rule->keyword->name;
		if (rule->kind == RULE_DYNAMIC_REF || rule->kind == RULE_RECURSIVE_REF)
			dynamic = rule;
	}
	if (to->location.up == from && to->location.holder &&
	    keyword_row(to->location.holder->string)->vocabularies & applicators)
		return NULL;
	return dynamic ? dynamic->keyword->name : NULL;
}

static void
add_trail(const struct kept_trail *trail, struct buf *out)
{
	if (trail->up) {
		const struct node *from = node_meant(trail->up->node);
		add_trail(trail->up, out);
		const char *reference = trail->down ? NULL : reference_between(from, trail->node);
		if (reference)
			json_pointer_add_key(out, reference);
		else if (trail->node->location.up == from)
			add_node_path(trail->node, from, out);
		else /* a pointer led through a value that was not a schema then */
			json_pointer_of(from->source, trail->node->source, out);
	}
	/* the nodes that were skipped because they are only a reference */
	for (const struct node *n = trail->node; n->same_as && !out->overflowed;
	     n = n->rules->as.node)
		json_pointer_add_key(out, n->rules->keyword->name);
}

void
report_keyword_path(const struct report *report, size_t index, struct buf *out)
{
	const struct record *r = report_record(report, index);

	if (r->trail)
		add_trail(r->trail, out);
	if (r->rule)
		json_pointer_add_key(out, r->rule->keyword->name);
}

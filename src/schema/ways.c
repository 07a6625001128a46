#include "walk_priv.h"

#include "report_priv.h"

#include "base/mem.h"
#include "base/vec.h"
#include "json/pointer.h"
#include "object_priv.h"

#include <stdlib.h>

/*
 * By which keywords the check came to a violation. It keeps no trail of them; the way is found
 * again here, breadth first, for those that are told. Violations come in document order, and what
 * is known of the values that the last one was in serves the next.
 */
#define MAX_FOUND 4096      /* for one value */
#define MAX_LOOKED 50000000 /* steps of all searches together */
#define BUCKETS 256

/* A subschema that is asked of a value. */
struct found {
	struct step step;
	bool naming; /* of the name of a member */
	struct found *next, *next_in_bucket;
};

/* A value on the way to a violation, and all that is asked of it. */
struct level {
	const struct place *place;
	struct found *first, *last;
	size_t count;
	struct pool *pool;
	struct found *buckets[BUCKETS];
};

struct ways {
	const struct report *report;
	struct {
		struct level **items;
		size_t len, cap;
	} levels; /* from the root of the instance */
	struct found *at;
	struct level *to; /* what is found from there is asked of this value */
	size_t looked;
	struct regex_run regex;
};

struct ways *
ways_create(const struct report *report)
{
	struct ways *ways = mem_zalloc(sizeof(*ways));

	ways->report = report;
	return ways;
}

static void
leave(struct ways *ways, size_t depth)
{
	while (ways->levels.len > depth) {
		struct level *level = ways->levels.items[--ways->levels.len];
		pool_destroy(level->pool);
		free(level);
	}
}

void
ways_destroy(struct ways *ways)
{
	leave(ways, 0);
	free(ways->levels.items);
	regex_run_finish(&ways->regex);
	free(ways);
}

/* ---- looking ---- */

static struct found **
bucket_of(struct level *level, const struct node *node)
{
	return &level->buckets[pointer_hash(node) % BUCKETS];
}

static struct found *
find(struct level *level, const struct node *node, bool naming)
{
	struct found *f = *bucket_of(level, node);

	while (f && (f->step.edge.to != node || f->naming != naming))
		f = f->next_in_bucket;
	return f;
}

/* The next one asked of the value; its step is for the caller to fill. */
static struct found *
add(struct level *level, const struct node *node, bool naming)
{
	struct found *found = pool_alloc(&level->pool, sizeof(*found));
	struct found **bucket = bucket_of(level, node);

	found->naming = naming;
	found->next_in_bucket = *bucket;
	*bucket = found;
	if (level->last)
		level->last->next = found;
	else
		level->first = found;
	level->last = found;
	level->count++;
	return found;
}

static void
on_edge(void *ctx, const struct edge *edge)
{
	struct ways *ways = ctx;
	bool naming = ways->at->naming || edge->kind == EDGE_NAME;

	ways->looked++;
	/* What those come to is no violation of their own. */
	if (edge->kind == EDGE_NOT || edge->kind == EDGE_IF || edge->kind == EDGE_ITEM)
		return;
	if (ways->to->count >= MAX_FOUND || find(ways->to, edge->to, naming))
		return;
	step_init(&add(ways->to, edge->to, naming)->step, &ways->at->step, edge);
}

/* child: the one to look at; NULL: what else is asked of the value itself. */
static void
look_around(struct ways *ways, const struct place *child)
{
	const struct walk walk = {
		.schema = ways->report->schema,
		.scope = ways->at->step.scope,
		.regex = &ways->regex,
		.first = child ? child->value : NULL,
		.end = child ? child->value->next : NULL,
		.first_index = child ? child->index : 0,
		.down_only = child != NULL,
		.on_edge = on_edge,
		.ctx = ways,
	};

	if (ways->looked++ < MAX_LOOKED)
		walk_edges(&walk, ways->at->step.edge.to, ways->at->step.value);
}

static void
enter(struct ways *ways, const struct place *place)
{
	const struct report *report = ways->report;
	struct level *level = mem_zalloc(sizeof(*level));
	struct level *up = place->up ? ways->levels.items[place->depth - 1] : NULL;

	level->place = place;
	ways->to = level;
	if (!up)
		step_init_root(&add(level, report->schema->root, false)->step, report->schema,
		    report->instance);
	for (ways->at = up ? up->first : NULL; ways->at; ways->at = ways->at->next)
		if (!ways->at->naming)
			look_around(ways, place);
	for (ways->at = level->first; ways->at; ways->at = ways->at->next)
		look_around(ways, NULL);
	*VEC_PUSH(&ways->levels) = level;
}

static void
go_to(struct ways *ways, const struct place *place)
{
	if (place->depth < ways->levels.len && ways->levels.items[place->depth]->place == place)
		return;
	if (place->up)
		go_to(ways, place->up);
	leave(ways, place->depth);
	enter(ways, place);
}

/* ---- what was found ---- */

/* The schema that forbids a child is that of its parent. */
static bool
is_about_child(const struct record *r)
{
	const struct node *n = r->node;

	return r->rule &&
	       ((n->object && r->rule == n->object->by_additional) ||
		   (n->array && r->rule == n->array->by_rest) ||
		   (r->rule->keyword->line == line_alternatives && r->b && !r->pub.missing) ||
		   r->rule->check == check_unevaluated_items ||
		   r->rule->check == check_unevaluated_properties);
}

void
ways_add(struct ways *ways, size_t index, struct buf *out)
{
	const struct record *r = report_record(ways->report, index);
	const struct place *place = is_about_child(r) && r->place->up ? r->place->up : r->place;

	go_to(ways, place);
	const struct found *found = find(ways->levels.items[place->depth], r->node, r->naming);
	if (!found) {
		report_schema_path(ways->report, index, out);
		return;
	}
	step_add_keywords(&found->step, out);
	if (r->rule)
		json_pointer_add_key(out, r->rule->keyword->name);
}

void
report_keyword_path(const struct report *report, size_t index, struct buf *out)
{
	struct ways *ways = ways_create(report);

	ways_add(ways, index, out);
	ways_destroy(ways);
}

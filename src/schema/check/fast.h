#ifndef SCHEMA_CHECK_FAST_H
#define SCHEMA_CHECK_FAST_H

#include "check.h"

/* The pass for which only the outcome counts, in two files: values and their children. */

/*
 * How far the check has come: the checker's depth, inplace and nested in one word. It is passed
 * down, so that nothing has to be undone on the way back.
 */
typedef uint64_t way;
#define WAY_DEEPER UINT64_C(1)
#define WAY_INPLACE (UINT64_C(1) << 16)
#define WAY_NESTED (UINT64_C(1) << 32)
#define WAY_INPLACE_MASK (UINT64_C(0xffff) * WAY_INPLACE)

/* By node_plan. node is `alike` and `sure` has not decided. */
typedef bool plan_fn(struct checker *c, const struct node *node, const cJSON *value, way at);
extern plan_fn *const FAST_PLANS[];

/* For members by rules without patterns, and with them; for items. */
bool members_hold(struct checker *c, const struct object_rules *rules, const cJSON *object, way at);
bool patterned_hold(
    struct checker *c, const struct object_rules *rules, const cJSON *object, way at);
bool items_hold(struct checker *c, const struct array_rules *rules, const cJSON *array, way at);

static inline unsigned
inplace_of(way at)
{
	return (unsigned)(at / WAY_INPLACE) & 0xffff;
}

static inline way
way_to_child(way at)
{
	return (at & ~WAY_INPLACE_MASK) + WAY_DEEPER;
}

/* The counters before a way out of this pass, to be set again on return. */
struct counters {
	unsigned depth, inplace, nested;
};

static inline struct counters
leave(struct checker *c, way at)
{
	struct counters before = { c->depth, c->inplace, c->nested };

	c->depth = (unsigned)at & 0xffff;
	c->inplace = inplace_of(at);
	c->nested = (unsigned)(at / WAY_NESTED);
	return before;
}

static inline void
come_back(struct checker *c, struct counters before)
{
	c->depth = before.depth;
	c->inplace = before.inplace;
	c->nested = before.nested;
}

/* The same for any node whose `sure` has not decided, and for any. */
static inline bool
unsure_holds(struct checker *c, const struct node *node, const cJSON *value, way at)
{
	node = node->alike;
	return FAST_PLANS[node->plan](c, node, value, at);
}

static inline bool
holds(struct checker *c, const struct node *node, const cJSON *value, way at)
{
	return node->alike->sure & type_of(value) || unsure_holds(c, node, value, at);
}

/* The parser lays nodes and names out in the order of the text, so what a check reads next lies
 * behind: lines of the cache, which come in time if they are asked for so early. */
#define LOOK_AHEAD 4

static inline void
look_ahead(const cJSON *node, unsigned lines)
{
	__builtin_prefetch((const void *)((uintptr_t)node + (uintptr_t)lines * 64));
}

#endif

#include "check_priv.h"
#include "compile_priv.h"
#include "object_priv.h"
#include "report_priv.h"

#include "base/mem.h"
#include "json/equal.h"
#include "json/number.h"

#include <stdlib.h>

#define FEW 8

/* Shared by objects and arrays: how many children. */
static bool
check_size(struct checker *c, const struct rule *rule, const struct subject *s, bool upper)
{
	size_t size = json_count(s->value);

	if (upper ? size <= rule->as.count : size >= rule->as.count)
		return true;
	return report_add(c, rule, s, (struct fact){ .a = size, .b = upper });
}

bool
check_min_size(struct checker *c, const struct rule *rule, const struct subject *s)
{
	return check_size(c, rule, s, false);
}

bool
check_max_size(struct checker *c, const struct rule *rule, const struct subject *s)
{
	return check_size(c, rule, s, true);
}

static struct array_rules *
array_rules_of(struct compiler *k, struct node *node, const cJSON *value)
{
	if (!node->array) {
		node->array = pool_alloc(&k->schema->pool, sizeof(*node->array));
		compile_rule(k, keyword_row("items"), value);
	}
	return node->array;
}

static bool
compile_rest(
    struct compiler *k, struct node *node, const struct keyword *keyword, const cJSON *value)
{
	struct array_rules *rules = array_rules_of(k, node, value);

	rules->rest = compile_child(k, value);
	rules->by_rest = compile_silent_rule(k, keyword, value);
	return rules->rest != NULL;
}

bool
compile_items(
    struct compiler *k, struct node *node, const struct keyword *keyword, const cJSON *value)
{
	if (json_type(value) == JSON_ARRAY && compile_draft(node) < SCHEMA_DRAFT_2020_12)
		return json_count(value) == 0 ||
		       compile_children(k, value, &array_rules_of(k, node, value)->prefix);
	return compile_rest(k, node, keyword, value);
}

bool
compile_prefix_items(
    struct compiler *k, struct node *node, const struct keyword *keyword, const cJSON *value)
{
	(void)keyword;
	return compile_children(k, value, &array_rules_of(k, node, value)->prefix);
}

/* Says something beside a list of items only. */
bool
compile_additional_items(
    struct compiler *k, struct node *node, const struct keyword *keyword, const cJSON *value)
{
	if (json_type(compile_sibling(node, "items")) != JSON_ARRAY)
		return compile_child(k, value) != NULL;
	return compile_rest(k, node, keyword, value);
}

/* An item of a long list is collected from only when a quick look finds something wrong. */
static bool
check_item(struct checker *c, const struct node *node, const cJSON *item, size_t index)
{
	if (!c->collecting)
		return check_child(c, node, item, index);
	struct trial before = trial_begin(c);
	c->collecting = false;
	bool ok = check_child(c, node, item, index);
	c->collecting = true;
	if (ok && c->warnings == before.warnings)
		return true;
	if (c->stopped)
		return ok;
	trial_drop(c, &before);
	return check_child(c, node, item, index);
}

/* Past the last item there may be. */
static bool
check_surplus(struct checker *c, const struct subject *s, const cJSON *item, size_t index)
{
	const struct array_rules *rules = s->node->array;

	if (!c->collecting)
		return false;
	return report_child(c, rules->by_rest, s->node, item, index,
	    (struct fact){ .a = index, .b = rules->prefix.len });
}

bool
check_elements(struct checker *c, const struct rule *rule, const struct subject *s)
{
	const struct array_rules *rules = s->node->array;
	size_t index = 0;
	bool ok = true;

	(void)rule;
	expect_rows(c, s->value);
	for (const cJSON *item = s->value->child; item; item = item->next, index++) {
		const struct node *node =
		    index < rules->prefix.len ? rules->prefix.items[index] : rules->rest;
		if (!node)
			break;
		marks_set(s->marks, index);
		ok &= node->never && node == rules->rest ? check_surplus(c, s, item, index)
							 : check_item(c, node, item, index);
		if ((!ok && !c->collecting) || c->stopped)
			break;
	}
	c->steps += index;
	return ok;
}

bool
compile_unique(
    struct compiler *k, struct node *node, const struct keyword *keyword, const cJSON *value)
{
	(void)node;
	if (json_type(value) != JSON_BOOLEAN)
		return compile_fail(k, value, "%s must be true or false", keyword->name);
	if (json_is_true(value))
		compile_rule(k, keyword, value);
	return true;
}

/* A short list needs no table. */
static bool
find_repeat_among_few(const cJSON *array, size_t *first, size_t *second)
{
	size_t a = 0;

	for (const cJSON *x = array->child; x; x = x->next, a++) {
		size_t b = a + 1;
		for (const cJSON *y = x->next; y; y = y->next, b++) {
			if (!json_equal(x, y))
				continue;
			*first = a;
			*second = b;
			return true;
		}
	}
	return false;
}

/* A table of slots that hold half a hash and the number of an item, + 1. */
static bool
find_repeat(struct checker *c, const cJSON *array, size_t count, size_t *first, size_t *second)
{
	size_t mask = 15, index = 0, probes = 0;
	bool found = false;

	while (mask < count * 2)
		mask = mask * 2 + 1;
	uint64_t *slots = mem_zalloc((mask + 1) * sizeof(*slots));
	const cJSON **items = mem_alloc(count * sizeof(*items));
	for (const cJSON *item = array->child; item && !found && probes <= c->max_steps;
	     item = item->next, index++) {
		uint64_t hash = json_hash(item), half = hash & ~(uint64_t)UINT32_MAX;
		size_t i = (size_t)hash & mask;
		for (; slots[i] && !found; i = (i + 1) & mask, probes++) {
			*first = (size_t)(slots[i] & UINT32_MAX) - 1;
			found = half == (slots[i] & ~(uint64_t)UINT32_MAX) &&
				json_equal(items[*first], item);
		}
		*second = index;
		items[index] = item;
		if (!found)
			slots[i] = half | (index + 1);
	}
	free(items);
	free(slots);
	/* Values may be made to collide. */
	check_charge(c, probes);
	if (c->steps > c->max_steps)
		check_stop(c, "too many steps");
	return found;
}

bool
check_unique(struct checker *c, const struct rule *rule, const struct subject *s)
{
	size_t count = json_count(s->value), first = 0, second = 0;

	c->steps += count;
	bool found = count <= FEW ? find_repeat_among_few(s->value, &first, &second)
				  : find_repeat(c, s->value, count, &first, &second);
	if (!found)
		return true;
	return report_add(c, rule, s, (struct fact){ .a = second, .b = first });
}

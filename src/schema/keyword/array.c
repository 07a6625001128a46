/* SPDX-License-Identifier: MIT */
#include "keyword.h"

#include "base/mem.h"
#include "json/equal.h"
#include "json/keys.h"
#include "json/number.h"

#include <stdlib.h>

/* ---- size of arrays and objects: a is the size, b is set if it is too large ----
 */

static bool
check_size(struct checker *c, const struct rule *rule, const struct subject *s)
{
	size_t size = s->type == TYPE_OBJECT ? json_keys_count(s->value) : json_count(s->value);
	bool upper = is_maximum(rule);

	if (upper ? size <= rule->as.count : size >= rule->as.count)
		return true;
	return report_add(c, rule, s, (struct fact){ .a = size, .b = upper });
}

static void
add_size(const struct record *r, struct buf *out)
{
	static const char *const others[2][2] = { { "maxProperties", "minProperties" },
		{ "maxItems", "minItems" } };
	bool array = json_type(r->pub.node) == JSON_ARRAY;
	const cJSON *other = json_get(r->node->source, others[array][r->b ? 1 : 0]);

	if (!other ||
	    other->valuedouble != (double)r->rule->as.count) /* equal bounds: the exact number */
		buf_add_str(out, r->b ? "at most " : "at least ");
	add_count(
	    r->rule->as.count, array ? "item" : "property", array ? "items" : "properties", out);
}

/* ---- items, prefixItems, additionalItems ---- */

static struct array_rules *
array_rules_of(struct compiler *k, const cJSON *value)
{
	if (!k->node->array) {
		k->node->array = pool_alloc(&k->schema->pool, sizeof(*k->node->array));
		compile_rule_of(k, keyword_row("items"), value);
	}
	return k->node->array;
}

static bool
compile_rest(struct compiler *k, const cJSON *value)
{
	struct array_rules *rules = array_rules_of(k, value);

	rules->rest = compile_child(k, value);
	rules->by_rest = compile_silent_rule(k, value);
	return rules->rest != NULL;
}

static bool
compile_items(struct compiler *k, const cJSON *value)
{
	if (cJSON_IsArray(value) && compile_draft(k) < SCHEMA_DRAFT_2020_12)
		return json_count(value) == 0 ||
		       compile_children(k, value, &array_rules_of(k, value)->prefix);
	return compile_rest(k, value);
}

static bool
compile_prefix_items(struct compiler *k, const cJSON *value)
{
	return compile_children(k, value, &array_rules_of(k, value)->prefix);
}

/* It has no effect unless items is an array. */
static bool
compile_additional_items(struct compiler *k, const cJSON *value)
{
	if (!cJSON_IsArray(compile_sibling(k, "items")))
		return compile_child(k, value) != NULL;
	return compile_rest(k, value);
}

static bool
check_elements(struct checker *c, const struct rule *rule, const struct subject *s)
{
	const struct array_rules *rules = s->node->array;
	struct json_items it;
	bool ok = true;

	for (items_begin(c, &it, s->value); it.item; items_next(c, &it)) {
		const struct node *node =
		    it.index < rules->prefix.len ? rules->prefix.items[it.index] : rules->rest;
		if (!node)
			break;
		marks_set(s->marks, it.index);
		if (c->collecting && node == rules->rest && matches_nothing(node))
			ok = report_child(c, rules->by_rest, s->node, items_lasting(c, &it),
			    it.index, (struct fact){ .a = it.index, .b = rules->prefix.len });
		else
			ok &= check_item(c, node, &it);
		if ((!ok && !c->collecting) || c->stopped)
			break;
	}
	c->steps += it.index;
	json_items_finish(&it);
	return ok;
}

static void
walk_items(struct edge_walk *w, const struct rule *rule)
{
	const struct array_rules *rules = w->node->array;
	bool modern = w->node->resource->dialect.draft >= SCHEMA_DRAFT_2020_12;
	struct json_items it;

	for (json_items_init(&it, w->value, NULL); it.item; json_items_next(&it)) {
		struct edge edge = { .child = it.item, .child_index = it.index, .index = NO_INDEX };
		if (it.index < rules->prefix.len) {
			edge.keyword = modern ? "prefixItems" : "items";
			edge.index = it.index;
			edge.to = rules->prefix.items[it.index];
		} else if (rules->rest) {
			edge.keyword = rules->by_rest->keyword->name;
			edge.to = rules->rest;
		} else {
			break;
		}
		walk_edge(w, &edge);
	}
	json_items_finish(&it);
}

/* a is the index, b the number allowed. */
static void
add_surplus(const struct record *r, struct buf *out)
{
	buf_add_str(out, "at most ");
	add_count(r->b, "item", "items", out);
}

static void
add_surplus_line(const struct record *r, struct buf *out)
{
	buf_add_str(out, "too many items, expected ");
	if (r->b > 0)
		add_surplus(r, out);
	else
		buf_add_str(out, "none");
}

/* ---- uniqueItems ---- */

#define FEW 8

static bool
compile_unique(struct compiler *k, const cJSON *value)
{
	if (cJSON_IsTrue(value))
		compile_rule(k, value);
	return true;
}

/* Each slot of the table holds half of a hash and an item number + 1. */
static bool
find_repeat(struct checker *c, const cJSON *array, size_t *first, size_t *second, size_t *cost)
{
	size_t mask = 15, count = json_count(array);
	bool found = false;
	struct json_items it;

	while (mask < count * 2)
		mask = mask * 2 + 1;
	uint64_t *slots = mem_zalloc((mask + 1) * sizeof(*slots));
	const cJSON **items = json_is_lazy(array) ? NULL : mem_alloc(count * sizeof(*items));
	for (items_begin(c, &it, array); it.item && !found && *cost <= c->max_steps;
	     items_next(c, &it)) {
		uint64_t hash = json_hash_counted(it.item, cost),
			 half = hash & ~(uint64_t)UINT32_MAX;
		size_t i = (size_t)hash & mask;
		for (; slots[i] && !found; i = (i + 1) & mask, ++*cost) {
			*first = (size_t)(slots[i] & UINT32_MAX) - 1;
			if (half != (slots[i] & ~(uint64_t)UINT32_MAX))
				continue;
			/* Reading the earlier item may evict the later one from the reader, so it
			 * is read again. */
			const cJSON *earlier =
			    items ? items[*first] : json_reader_at(it.reader, *first);
			found = json_equal_counted(
			    earlier, items ? it.item : json_reader_at(it.reader, it.index), cost);
		}
		*second = it.index;
		if (items)
			items[it.index] = it.item;
		if (!found)
			slots[i] = half | (it.index + 1);
	}
	json_items_finish(&it);
	free(items);
	free(slots);
	return found;
}

static bool
check_unique(struct checker *c, const struct rule *rule, const struct subject *s)
{
	size_t first = 0, second = 0, cost = 0;
	bool found = false;

	if (json_count(s->value) > FEW || json_is_lazy(s->value)) {
		found = find_repeat(c, s->value, &first, &second, &cost);
	} else { /* finds the first repeat, as the table does */
		const cJSON *later = s->value->child;
		for (; later && !found; later = later->next, second += !found) {
			const cJSON *x = s->value->child;
			for (first = 0; x != later && !found; x = x->next, first += !found)
				found = json_equal_counted(x, later, &cost);
		}
	}
	check_charge(c, cost);
	check_budget(c);
	if (!found)
		return true;
	return report_add(c, rule, s, (struct fact){ .a = second, .b = first });
}

static void
add_unique(const struct record *r, struct buf *out)
{
	buf_add_str(out, "no item twice");
}

/* Item a repeats item b. */
static void
add_unique_line(const struct record *r, struct buf *out)
{
	buf_addf(out, "item %zu repeats item %zu", r->a, r->b);
}

/* ---- contains ---- */

/* minContains and maxContains have no effect without contains, but must be counts. */
static bool
compile_contains_count(struct compiler *k, const cJSON *value)
{
	size_t rules = k->rules.len;
	bool fine = compile_count(k, value);

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

static bool
check_contains(struct checker *c, const struct rule *rule, const struct subject *s)
{
	size_t least = count_of(s, "minContains", 1);
	size_t most = count_of(s, "maxContains", SIZE_MAX);
	size_t sure = 0, perhaps = 0; /* items that are valid, and that may be valid */
	bool marks = s->node->resource->dialect.draft >= SCHEMA_DRAFT_2020_12;
	bool collecting = c->collecting;
	struct trial start = trial_begin(c);
	struct json_items it;

	c->collecting = false;
	for (items_begin(c, &it, s->value); it.item && !c->stopped; items_next(c, &it)) {
		struct trial trial = trial_begin(c);
		bool fits = check_quietly(c, rule->as.node, it.item);
		if (fits && !trial_undecided(c, &trial))
			sure++;
		else if (fits)
			perhaps++;
		else
			trial_drop(c, &trial);
		if (fits && marks)
			marks_set(s->marks, it.index);
	}
	json_items_finish(&it);
	c->collecting = collecting;
	c->warnings = start.warnings;
	if (c->stopped)
		return true;
	if (sure + perhaps < least)
		return report_add(c, rule, s, (struct fact){ .a = sure + perhaps, .b = 0 });
	if (sure > most)
		return report_add(c, rule, s, (struct fact){ .a = sure, .b = 1 });
	if (sure >= least && sure + perhaps <= most)
		trial_drop(c, &start);
	return true;
}

/* a is the number of valid items, b is set if there are too many. */
static size_t
contains_bound(const struct record *r)
{
	const cJSON *bound = json_get(r->node->source, r->b ? "maxContains" : "minContains");

	return bound && bound->valuedouble >= 0 && bound->valuedouble < 1e15
		   ? (size_t)bound->valuedouble
		   : 1;
}

static void
add_contains(const struct record *r, struct buf *out)
{
	buf_add_str(out, r->b ? "at most " : "at least ");
	add_count(contains_bound(r), "item", "items", out);
	buf_add_str(out, " of one kind");
}

/* "no item has id", if that is all the schema demands; "no item fits Owner (item 0: since is
 * missing)" */
static void
add_no_item_line(const struct record *r, struct buf *out)
{
	const cJSON *names = json_get(r->rule->value, "required");
	bool one = json_count(r->rule->value) == 1 && json_count(names) == 1;
	const char *only = one ? cJSON_GetStringValue(json_first(names)) : NULL;
	struct buf name = BUF_INIT, reason = BUF_INIT;
	struct json_items it;

	if (only) {
		buf_add_str(out, "no item has ");
		add_property(only, out);
		return;
	}
	buf_add_str(out, "no item fits");
	if (add_schema_name(r->rule->value, &name))
		buf_addf(out, " %s", buf_text(&name));
	json_items_init(&it, r->pub.node, NULL);
	if (it.item && add_reason_of(r, r->rule->as.node, it.item, &reason))
		buf_addf(out, " (item 0: %s)", buf_text(&reason));
	else if (!it.item)
		buf_add_str(out, " because there is none");
	json_items_finish(&it);
	buf_finish(&name);
	buf_finish(&reason);
}

static void
add_contains_line(const struct record *r, struct buf *out)
{
	struct buf kind = BUF_INIT;
	bool none = r->a == 0 && !r->b;

	if (!add_kind(r->rule->as.node, &kind)) {
		buf_clear(&kind);
		buf_add_str(&kind, "of the kind the array must contain");
		none = none && contains_bound(r) == 1;
		if (none)
			add_no_item_line(r, out);
	} else if (none) {
		buf_addf(out, "no item is %s", buf_text(&kind));
	}
	if (!none) {
		add_count(r->a, "item is ", "items are each ", out);
		buf_addf(out, "%s, expected %s %zu", buf_text(&kind), r->b ? "at most" : "at least",
		    contains_bound(r));
	}
	buf_finish(&kind);
}

/* clang-format off */
const struct keyword_functions
	keyword_size = { .compile = compile_count, .check = check_size, .expected = add_size },
	keyword_items = { .compile = compile_items, .check = check_elements, .expected = add_surplus, .line = add_surplus_line, .fault = "too many", .walk = walk_items },
	keyword_prefix_items = { .compile = compile_prefix_items },
	keyword_additional_items = { .compile = compile_additional_items, .expected = add_surplus, .line = add_surplus_line, .fault = "too many" },
	keyword_contains = { .compile = compile_schema, .check = check_contains, .expected = add_contains, .line = add_contains_line, .walk = walk_children, .edge = EDGE_ITEM },
	keyword_contains_count = { .compile = compile_contains_count, .expected = add_contains, .line = add_contains_line },
	keyword_unique = { .compile = compile_unique, .expects = JSON_BOOLEAN, .check = check_unique, .expected = add_unique, .line = add_unique_line, .fault = "repeats an item" };
/* clang-format on */

#include "fast.h"

/* ---- members ---- */

/* No name is declared. */
static bool
map_holds(struct checker *c, const struct object_rules *rules, const cJSON *object, way at)
{
	for (const cJSON *child = object->child; child; child = child->next) {
		look_ahead(child, LOOK_AHEAD);
		if (!(rules->sure & type_of(child)) &&
		    !unsure_holds(c, rules->additional, child, at))
			return false;
	}
	return true;
}

/* Only one name is declared and others may have any value. */
static bool
one_name_holds(struct checker *c, const struct object_rules *rules, const cJSON *object, way at)
{
	const struct known_member *m = rules->members;
	uint32_t hash = m->key.hash;
	uint64_t seen = 0;

	for (const cJSON *child = object->child; child; child = child->next) {
		look_ahead(child, LOOK_AHEAD);
		if (json_key_of(child).hash != hash ||
		    !json_key_is(m->name, child->string, m->key.len))
			continue;
		seen = m->required_bit;
		if (!(m->sure & type_of(child)) && !unsure_holds(c, m->checked_by, child, at))
			return false;
	}
	return seen == rules->required_bits;
}

static inline bool
names_hold(struct checker *c, const struct object_rules *rules, const cJSON *object, way at)
{
	uint64_t seen = 0;

	for (const cJSON *child = object->child; child; child = child->next) {
		look_ahead(child, LOOK_AHEAD);
		const struct known_member *m = object_member(rules, child);
		const struct node *node = m ? m->checked_by : rules->additional;
		seen |= m ? m->required_bit : 0;
		if (!((m ? m->sure : rules->sure) & type_of(child)) &&
		    !unsure_holds(c, node, child, at))
			return false;
	}
	return seen == rules->required_bits;
}

/* Members and items are counted after they are checked: a violation among them stays certain even
 * if there are more than the budget has steps. */
bool
members_hold(struct checker *c, const struct object_rules *rules, const cJSON *object, way at)
{
	bool ok;

	at = way_to_child(at);
	if (rules->count == 0)
		ok = map_holds(c, rules, object, at);
	else if (rules->count == 1 && rules->sure == TYPE_ANY)
		ok = one_name_holds(c, rules, object, at);
	else
		ok = names_hold(c, rules, object, at);
	c->steps += json_count(object);
	return ok;
}

/* For few patterns: no check pays for this, because its steps must not depend on the checks before
 * it. */
#define FEW_PATTERNS 8

static __attribute__((noinline)) bool
find_patterned(const struct object_rules *rules, struct known_member *m)
{
	struct regex_run run = { 0 };
	uint8_t patterned = rules->pattern_count > FEW_PATTERNS ? PATTERNED_PERHAPS : PATTERNED_NOT;

	for (size_t i = 0; i < rules->pattern_count && patterned == PATTERNED_NOT; i++) {
		struct regex *regex = rules->patterns[i].regex;
		if (!regex || !regex_is_tabled(regex) ||
		    regex_match(regex, m->name, &run) != REGEX_NO)
			patterned = PATTERNED_PERHAPS;
	}
	atomic_store_explicit(&m->patterned, patterned, memory_order_relaxed);
	return patterned == PATTERNED_PERHAPS;
}

static inline bool
is_patterned(const struct object_rules *rules, struct known_member *m)
{
	uint8_t patterned = atomic_load_explicit(&m->patterned, memory_order_relaxed);

	return patterned == PATTERNED_UNKNOWN ? find_patterned(rules, m)
					      : patterned == PATTERNED_PERHAPS;
}

bool
patterned_hold(struct checker *c, const struct object_rules *rules, const cJSON *object, way at)
{
	uint64_t seen = 0;
	size_t index = 0;
	struct counters before = leave(c, at);
	bool ok = true;

	at = way_to_child(at);
	for (const cJSON *child = object->child; child && ok; child = child->next, index++) {
		struct known_member *m = object_member(rules, child);
		bool matched = m && m->node;
		look_ahead(child, LOOK_AHEAD);
		seen |= m ? m->required_bit : 0;
		if (m && !is_patterned(rules, m))
			ok = m->sure & type_of(child) || unsure_holds(c, m->checked_by, child, at);
		else
			ok = (!matched || holds(c, m->node, child, at)) &&
			     check_patterns(c, rules, child, index, &matched) &&
			     (matched || !rules->additional ||
				 holds(c, rules->additional, child, at));
	}
	c->steps += index;
	come_back(c, before);
	return ok && seen == rules->required_bits;
}

/* ---- items ---- */

/* A stopped check ends within so many items. */
#define MANY_ITEMS 4096

static __attribute__((noinline)) bool
many_items_hold(struct checker *c, const struct array_rules *rules, const cJSON *array, way at)
{
	struct json_items it;
	bool ok = true;

	for (items_begin(c, &it, array); it.item && ok && !c->stopped; items_next(c, &it)) {
		if (it.index % MANY_ITEMS == MANY_ITEMS - 1 && c->job && job_is_stopped(c->job))
			check_stop(c, "stopped");
		c->steps++;
		ok = it.index < rules->prefix.len || holds(c, rules->rest, it.item, at);
	}
	return ok || c->stopped; /* the report owns the reader */
}

bool
items_hold(struct checker *c, const struct array_rules *rules, const cJSON *array, way at)
{
	const struct node *rest = rules->rest;
	const cJSON *item = array->child;

	at = way_to_child(at);
	for (size_t i = 0; item && i < rules->prefix.len; item = item->next, i++)
		if (!holds(c, rules->prefix.items[i], item, at))
			return false;
	if (!rest)
		return true;
	size_t count = json_count(array);
	if (json_is_lazy(array) || count >= MANY_ITEMS)
		return many_items_hold(c, rules, array, at);
	bool ok = true;
	for (unsigned sure = rest->sure; item && ok; item = item->next) {
		look_ahead(item, LOOK_AHEAD);
		ok = sure & type_of(item) || unsure_holds(c, rest, item, at);
	}
	c->steps += count;
	return ok;
}

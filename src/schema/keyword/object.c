/* SPDX-License-Identifier: MIT */
#include "keyword.h"

#include "base/mem.h"
#include "json/keys.h"

#include <stdlib.h>
#include <string.h>

/* properties, patternProperties, additionalProperties, required; propertyNames. */

/* ---- declared names ---- */

static const struct known_member *
member_of_key(const struct object_rules *rules, const char *name, struct json_key key)
{
	const struct known_member *m;

	for (size_t i = key.hash & rules->mask; (m = rules->slots[i]); i = (i + 1) & rules->mask)
		if (m->key.hash == key.hash && m->key.len == key.len &&
		    memcmp(m->name, name, key.len) == 0)
			break;
	return m;
}

const struct known_member *
object_find(const struct object_rules *rules, const char *name)
{
	size_t len = strlen(name);

	return member_of_key(
	    rules, name, (struct json_key){ json_key_hash(name, len), (uint32_t)len });
}

static void
slot_take(struct object_rules *rules, size_t number)
{
	size_t i = rules->members[number].key.hash & rules->mask;

	while (rules->slots[i])
		i = (i + 1) & rules->mask;
	rules->slots[i] = &rules->members[number];
}

void
object_rules_init(struct object_rules *rules)
{
	static struct known_member *none; /* never written */

	*rules = (struct object_rules){ .slots = &none };
}

struct known_member *
object_add(struct pool **pool, struct object_rules *rules, const char *name)
{
	size_t len = strlen(name);
	struct json_key key = { json_key_hash(name, len), (uint32_t)len };
	const struct known_member *found = member_of_key(rules, name, key);

	if (found)
		return &rules->members[found - rules->members];
	if (rules->count == rules->cap) {
		size_t cap = rules->cap ? rules->cap * 2 : 4;
		struct known_member *members = pool_alloc(pool, cap * sizeof(*members));
		if (rules->count > 0)
			memcpy(members, rules->members, rules->count * sizeof(*members));
		rules->members = members;
		rules->cap = cap;
		rules->slots = pool_alloc(pool, cap * 2 * sizeof(*rules->slots));
		rules->mask = cap * 2 - 1;
		for (size_t i = 0; i < rules->count; i++)
			slot_take(rules, i);
	}
	char *copy = memcpy(pool_alloc(pool, json_key_bytes(len)), name, len);
	rules->members[rules->count] = (struct known_member){ .name = copy, .key = key };
	slot_take(rules, rules->count);
	return &rules->members[rules->count++];
}

/* Returns the node's object rules and adds the one rule that runs them. */
static struct object_rules *
object_rules_of(struct compiler *k, const cJSON *value)
{
	if (!k->node->object) {
		k->node->object = pool_alloc(&k->schema->pool, sizeof(*k->node->object));
		object_rules_init(k->node->object);
		compile_rule_of(k, keyword_row("properties"), value);
	}
	return k->node->object;
}

/* ---- compiling ---- */

static bool
compile_properties(struct compiler *k, const cJSON *value)
{
	struct object_rules *rules = object_rules_of(k, value);
	for (const cJSON *c = json_first(value); c; c = c->next) {
		struct node *child = compile_child(k, c);
		if (!child)
			return false;
		struct known_member *m = object_add(&k->schema->pool, rules, c->string);
		m->name = c->string; /* all objects of the schema share it */
		if (!m->node)
			m->node = child;
	}
	return true;
}

static bool
compile_required(struct compiler *k, const cJSON *value)
{
	if (cJSON_IsBool(value) && compile_draft(k) == SCHEMA_DRAFT_04)
		return true; /* the boolean form of draft-03 is still found in draft-04 schemas */
	if (!cJSON_IsArray(value))
		return compile_fail(k, value, "required must be an array of names");
	struct object_rules *rules = object_rules_of(k, value);
	rules->by_required = compile_silent_rule(k, value);
	for (const cJSON *c = json_first(value); c; c = c->next) {
		if (!cJSON_GetStringValue(c))
			return compile_fail(k, c, "required must be an array of names");
		struct known_member *m =
		    object_add(&k->schema->pool, rules, cJSON_GetStringValue(c));
		if (!m->required)
			rules->required_count++;
		m->required = c;
	}
	return true;
}

static bool
compile_pattern_properties(struct compiler *k, const cJSON *value)
{
	struct object_rules *rules = object_rules_of(k, value);
	rules->patterns =
	    pool_alloc(&k->schema->pool, (json_count(value) + 1) * sizeof(*rules->patterns));
	rules->pattern_count = 0;
	for (const cJSON *c = json_first(value); c; c = c->next) {
		bool broken = false;
		struct node *child = compile_child(k, c);
		if (!child)
			return false;
		struct regex *regex = compile_regex(k, c->string, c, &broken);
		if (broken)
			return false;
		rules->patterns[rules->pattern_count++] =
		    (struct member_pattern){ .regex = regex, .node = child };
	}
	return true;
}

static bool
compile_additional_properties(struct compiler *k, const cJSON *value)
{
	struct object_rules *rules = object_rules_of(k, value);

	rules->additional = compile_child(k, value);
	rules->by_additional = compile_silent_rule(k, value);
	return rules->additional != NULL;
}

/* ---- checking ---- */

bool
check_patterns(struct checker *c, const struct object_rules *rules, const cJSON *child,
    size_t index, bool *matched)
{
	bool ok = true;

	for (size_t i = 0; i < rules->pattern_count && (ok || c->collecting) && !c->stopped; i++) {
		const struct member_pattern *p = &rules->patterns[i];
		enum regex_answer answer =
		    p->regex ? regex_match(p->regex, child->string, &c->regex) : REGEX_UNKNOWN;
		check_charge(c, 1 + regex_run_take_work(&c->regex));
		check_budget(c);
		if (answer == REGEX_NO)
			continue;
		*matched = true;
		if (answer == REGEX_UNKNOWN)
			check_undecided(c, p->node, NULL, p->regex ? "too slow" : "not supported");
		else
			ok &= check_child(c, p->node, child, index);
	}
	return ok;
}

static bool
check_members(struct checker *c, const struct rule *rule, const struct subject *s)
{
	const struct object_rules *rules = s->node->object;
	uint64_t small[4] = { 0 }, *seen = small;
	size_t index = 0, required = 0;
	bool ok = true;

	if (rules->count > 256)
		seen = mem_zalloc((rules->count + 63) / 64 * sizeof(*seen));
	for (const cJSON *child = s->value->child; child; child = child->next, index++) {
		const struct known_member *m = object_member(rules, child);
		bool matched = false;
		if (m) {
			size_t i = (size_t)(m - rules->members);
			uint64_t bit = (uint64_t)1 << (i % 64);
			required += m->required && !(seen[i / 64] & bit);
			seen[i / 64] |= bit;
			if (m->node) {
				matched = true;
				ok &= check_child(c, m->node, child, index);
			}
		}
		if (rules->pattern_count)
			ok &= check_patterns(c, rules, child, index, &matched);
		if (!matched && rules->additional) {
			matched = true;
			if (!c->collecting && rules->additional->never)
				ok = false;
			else if (!c->collecting || !matches_nothing(rules->additional))
				ok &= check_child(c, rules->additional, child, index);
			else
				ok &= report_child(c, rules->by_additional, s->node, child, index,
				    (struct fact){ 0 });
		}
		if (matched)
			marks_set(s->marks, index);
		if ((!ok && !c->collecting) || c->stopped)
			break;
	}
	c->steps += index;
	if (required < rules->required_count && !c->stopped && (ok || c->collecting)) {
		ok = false;
		for (size_t i = 0; i < rules->count && c->collecting; i++)
			if (rules->members[i].required && !(seen[i / 64] >> (i % 64) & 1))
				report_add(c, rules->by_required, s,
				    (struct fact){ .missing = rules->members[i].name });
	}
	if (seen != small)
		free(seen);
	return ok;
}

static bool
check_property_names(struct checker *c, const struct rule *rule, const struct subject *s)
{
	bool ok = true;
	size_t index = 0;

	for (const cJSON *child = s->value->child; child; child = child->next, index++) {
		cJSON name = { .type = cJSON_String, .valuestring = child->string };
		struct check_frame frame = { .up = c->frame, .value = child, .index = index };
		bool naming = c->naming;
		c->frame = &frame;
		c->naming = true;
		ok &= check_quietly(c, rule->as.node, &name);
		c->naming = naming;
		c->frame = frame.up;
		if ((!ok && !c->collecting) || c->stopped)
			break;
	}
	return ok;
}

/* ---- walking ---- */

static void
walk_members(struct edge_walk *w, const struct rule *rule)
{
	const struct object_rules *rules = w->node->object;
	size_t index = 0;

	for (const cJSON *child = w->value->child; child; child = child->next, index++) {
		const struct known_member *m =
		    rules->count ? object_find(rules, child->string) : NULL;
		struct edge edge = { .child = child, .child_index = index, .index = NO_INDEX };
		bool declared = m && m->node;
		if (declared) {
			edge.keyword = "properties";
			edge.name = m->name;
			edge.to = m->node;
			walk_edge(w, &edge);
		}
		for (size_t i = 0; i < rules->pattern_count; i++) {
			const struct member_pattern *p = &rules->patterns[i];
			if (!p->regex || regex_match(p->regex, child->string, w->regex) == REGEX_NO)
				continue;
			edge.keyword = "patternProperties";
			edge.name = p->node->source->string;
			edge.to = p->node;
			walk_edge(w, &edge);
			declared = true;
		}
		if (declared || !rules->additional)
			continue;
		edge.keyword = rules->by_additional->keyword->name;
		edge.name = NULL;
		edge.to = rules->additional;
		walk_edge(w, &edge);
	}
}

static void
add_missing_name(const struct record *r, struct buf *out)
{
	if (r->pub.missing)
		add_property(r->pub.missing, out);
	else
		buf_add_str(out, "nothing");
}

/* dependentRequired, dependentSchemas, and dependencies, which combines both. as.list holds the
 * schemas in the order of the text, with NULL for an array of names. */

static bool
compile_dependents(struct compiler *k, const cJSON *value)
{
	bool names = k->keyword->holds != HOLDS_MAP, schemas = k->keyword->holds != HOLDS_NONE;
	struct node_list list = { 0 };

	list.items = pool_alloc(&k->schema->pool, (json_count(value) + 1) * sizeof(struct node *));
	for (const cJSON *c = json_first(value); c; c = c->next) {
		struct node *child = NULL;
		bool is_list = cJSON_IsArray(c);
		if (is_list && names) {
			for (const cJSON *n = json_first(c); n; n = n->next)
				if (!cJSON_GetStringValue(n))
					return compile_fail(
					    k, n, "%s must list names", k->keyword->name);
		} else if (schemas) {
			child = compile_child(k, c);
			if (!child)
				return false;
		} else {
			return compile_fail(k, c, "%s must list names", k->keyword->name);
		}
		list.items[list.len++] = child;
	}
	compile_rule(k, value)->as.list = list;
	return true;
}

/* A table of the members pays off from this many names on. */
#define MANY_NAMES 8

struct members {
	const cJSON *object;
	struct json_keys keys; /* used if there are many names */
	bool many;
};

static bool
has(struct checker *c, const struct members *members, const char *name)
{
	c->steps += members->many ? 1 : 1 + json_count(members->object) / 8;
	return members->many ? json_keys_find(&members->keys, name) != NULL
			     : json_get(members->object, name) != NULL;
}

static bool
check_dependents(struct checker *c, const struct rule *rule, const struct subject *s)
{
	struct members members = { .object = s->value };
	bool ok = true;
	size_t i = 0;

	members.many = json_count(rule->value) >= MANY_NAMES;
	if (members.many) {
		json_keys_init(&members.keys, s->value);
		check_charge(c, json_count(s->value) / 4);
	}
	for (const cJSON *d = json_first(rule->value); d && !c->stopped; d = d->next, i++) {
		const struct node *schema = rule->as.list.items[i];
		if (!has(c, &members, d->string))
			continue;
		if (schema)
			ok &= check_here(c, schema, s);
		for (const cJSON *n = schema ? NULL : json_first(d); n && !c->stopped;
		     n = n->next) {
			if (has(c, &members, n->valuestring))
				continue;
			ok = report_add(c, rule, s, (struct fact){ .missing = n->valuestring });
			if (!c->collecting)
				break;
		}
		if (!ok && !c->collecting)
			break;
		check_budget(c);
	}
	json_keys_finish(&members.keys);
	return ok;
}

static void
walk_dependents(struct edge_walk *w, const struct rule *rule)
{
	struct json_keys keys;
	size_t i = 0;

	json_keys_init(&keys, w->value);
	for (const cJSON *d = json_first(rule->value); d; d = d->next, i++) {
		if (!rule->as.list.items[i] || !json_keys_find(&keys, d->string))
			continue;
		walk_edge(w, &(struct edge){
				 .keyword = rule->keyword->name,
				 .name = d->string,
				 .index = NO_INDEX,
				 .to = rule->as.list.items[i],
			     });
	}
	json_keys_finish(&keys);
}

/* clang-format off */
const struct keyword_functions
	keyword_properties = { .compile = compile_properties, .expects = JSON_OBJECT, .check = check_members, .walk = walk_members },
	keyword_required = { .compile = compile_required, .expected = add_missing_name, .line = add_missing_line },
	keyword_pattern_properties = { .compile = compile_pattern_properties, .expects = JSON_OBJECT },
	keyword_additional_properties = { .compile = compile_additional_properties, .expected = add_not_declared, .line = add_not_declared_line, .fault = "not declared" },
	keyword_property_names = { .compile = compile_schema, .check = check_property_names },
	keyword_dependents = { .compile = compile_dependents, .expects = JSON_OBJECT, .check = check_dependents, .expected = add_missing_name, .line = add_missing_line, .walk = walk_dependents };
/* clang-format on */

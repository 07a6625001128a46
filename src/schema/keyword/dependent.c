#include "keyword.h"

#include "json/keys.h"

/* dependentRequired, dependentSchemas, and dependencies, which combines both. as.list holds the
 * schemas in the order of the text, with NULL for an array of names. */

static bool
check_names(struct compiler *k, const cJSON *names)
{
	for (const cJSON *c = json_first(names); c; c = c->next)
		if (!json_string(c))
			return compile_fail(k, c, "%s must list names", k->keyword->name);
	return true;
}

static bool
compile_dependents(struct compiler *k, const cJSON *value)
{
	bool names = k->keyword->holds != HOLDS_MAP, schemas = k->keyword->holds != HOLDS_NONE;
	struct node_list list = { 0 };

	if (!compile_expects(k, value, JSON_OBJECT))
		return false;
	list.items = pool_alloc(&k->schema->pool, (json_count(value) + 1) * sizeof(struct node *));
	for (const cJSON *c = json_first(value); c; c = c->next) {
		struct node *child = NULL;
		bool is_list = json_type(c) == JSON_ARRAY;
		if (is_list && names) {
			if (!check_names(k, c))
				return false;
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
check_required_names(struct checker *c, const struct rule *rule, const struct subject *s,
    const struct members *members, const cJSON *names)
{
	bool ok = true;

	for (const cJSON *n = json_first(names); n && !c->stopped; n = n->next) {
		if (has(c, members, n->valuestring))
			continue;
		ok = report_add(c, rule, s, (struct fact){ .missing = n->valuestring });
		if (!c->collecting)
			break;
	}
	return ok;
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
		ok &= schema ? check_here(c, schema, s)
			     : check_required_names(c, rule, s, &members, d);
		if (!ok && !c->collecting)
			break;
		check_budget(c);
	}
	json_keys_finish(&members.keys);
	return ok;
}

static void
walk_dependents(const struct edge_walk *w, const struct rule *rule)
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

const struct keyword_functions keyword_dependents = {
	.compile = compile_dependents,
	.check = check_dependents,
	.walk = walk_dependents,
	.expected = append_name,
	.line = add_missing_line,
};

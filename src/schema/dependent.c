#include "check_priv.h"
#include "compile_priv.h"
#include "json/keys.h"
#include "report_priv.h"

/* dependentRequired, dependentSchemas, and dependencies, which was both. as.list holds the
 * schemas in the order of the text, NULL where there is a list of names. */

static bool
check_names(struct compiler *k, const struct keyword *keyword, const cJSON *names)
{
	for (const cJSON *c = json_first(names); c; c = c->next)
		if (!json_string(c))
			return compile_fail(k, c, "%s must list names", keyword->name);
	return true;
}

static bool
compile_dependents(
    struct compiler *k, const struct keyword *keyword, const cJSON *value, bool names, bool schemas)
{
	struct node_list list = { 0 };

	if (json_type(value) != JSON_OBJECT)
		return compile_fail(k, value, "%s must be an object", keyword->name);
	list.items = pool_alloc(&k->schema->pool, (json_count(value) + 1) * sizeof(struct node *));
	for (const cJSON *c = json_first(value); c; c = c->next) {
		struct node *child = NULL;
		bool is_list = json_type(c) == JSON_ARRAY;
		if (is_list && names) {
			if (!check_names(k, keyword, c))
				return false;
		} else if (schemas) {
			child = compile_child(k, c);
			if (!child)
				return false;
		} else {
			return compile_fail(k, c, "%s must list names", keyword->name);
		}
		list.items[list.len++] = child;
	}
	compile_rule(k, keyword, value)->as.list = list;
	return true;
}

bool
compile_dependent_required(
    struct compiler *k, struct node *node, const struct keyword *keyword, const cJSON *value)
{
	(void)node;
	return compile_dependents(k, keyword, value, true, false);
}

bool
compile_dependent_schemas(
    struct compiler *k, struct node *node, const struct keyword *keyword, const cJSON *value)
{
	(void)node;
	return compile_dependents(k, keyword, value, false, true);
}

bool
compile_dependencies(
    struct compiler *k, struct node *node, const struct keyword *keyword, const cJSON *value)
{
	(void)node;
	return compile_dependents(k, keyword, value, true, true);
}

/* From so many names on a table of the members pays. */
#define MANY_NAMES 8

struct members {
	const cJSON *object;
	struct json_keys keys; /* where there are many names */
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

bool
check_dependent_required(struct checker *c, const struct rule *rule, const struct subject *s)
{
	return check_dependents(c, rule, s);
}

bool
check_dependent_schemas(struct checker *c, const struct rule *rule, const struct subject *s)
{
	return check_dependents(c, rule, s);
}

bool
check_dependencies(struct checker *c, const struct rule *rule, const struct subject *s)
{
	return check_dependents(c, rule, s);
}

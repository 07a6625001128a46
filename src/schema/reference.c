#include "check_priv.h"
#include "compile_priv.h"
#include "report_priv.h"

#include <string.h>

/* $recursiveRef as well: where it leads to in the end is decided while checking. */
bool
compile_ref(
    struct compiler *k, struct node *node, const struct keyword *keyword, const cJSON *value)
{
	struct node *to = resolve_reference(k, node, value);

	if (!to)
		return !k->failed;
	to->shared = true;
	compile_rule(k, keyword, value)->as.node = to;
	return true;
}

bool
check_ref(struct checker *c, const struct rule *rule, const struct subject *s)
{
	return check_here(c, rule->as.node, s);
}

/* Depends on the way it is reached only when it first leads to a $dynamicAnchor of that name. */
bool
compile_dynamic_ref(
    struct compiler *k, struct node *node, const struct keyword *keyword, const cJSON *value)
{
	struct node *to = resolve_reference(k, node, value);

	if (!to)
		return !k->failed;
	const char *fragment = strchr(json_string(value), '#');
	const char *anchor = fragment && fragment[1] != '/' ? fragment + 1 : "";
	bool dynamic = *anchor && anchor_find(k->schema, to->resource, anchor, true) != NULL;
	struct rule *rule = compile_rule(k, keyword, value);
	rule->as.branch.test = to;
	to->shared = true;
	if (!dynamic)
		rule->check = check_ref, rule->as.node = to;
	return true;
}

/* The outermost resource on the way here that has the anchor. */
static const struct node *
dynamic_target(const struct schema *schema, const struct scope *scope, const struct rule *rule)
{
	const char *name = strchr(rule->value->valuestring, '#') + 1;
	const struct node *found = rule->as.branch.test;

	for (const struct scope *at = scope; at; at = at->up) {
		const struct anchor *a = anchor_find(schema, at->resource, name, true);
		if (a)
			found = a->node;
	}
	return found;
}

bool
check_dynamic_ref(struct checker *c, const struct rule *rule, const struct subject *s)
{
	return check_here(c, dynamic_target(c->schema, c->scope, rule), s);
}

static const struct node *
recursive_target(const struct scope *scope, const struct rule *rule)
{
	const struct node *to = rule->as.node;

	if (to->resource->recursive && to->resource->root == to)
		for (const struct scope *at = scope; at; at = at->up)
			if (at->resource->recursive)
				to = at->resource->root;
	return to;
}

bool
check_recursive_ref(struct checker *c, const struct rule *rule, const struct subject *s)
{
	return check_here(c, recursive_target(c->scope, rule), s);
}

const struct node *
reference_target(const struct schema *schema, const struct scope *scope, const struct rule *rule)
{
	if (rule->check == check_dynamic_ref)
		return dynamic_target(schema, scope, rule);
	if (rule->check == check_recursive_ref)
		return recursive_target(scope, rule);
	return rule->check == check_ref ? rule->as.node : NULL;
}

#include "schema/keyword/keyword.h"

#include <string.h>

/* A schema in a few words, and values that must not match one. */

/* "an object with primary true" */
static bool
add_constant_members(const struct node *node, struct buf *out)
{
	const struct object_rules *rules = branch_members(node);
	size_t said = 0, start = out->len;

	for (size_t i = 0; rules && i < rules->count; i++) {
		const struct rule *constant = node_constant(rules->members[i].node);
		struct choices choices = { 0 };
		if (!constant || !rules->members[i].required)
			continue;
		if (said == LISTED_SHORT) {
			buf_truncate(out, start);
			return false;
		}
		choices_add_rule(&choices, constant);
		buf_add_str(out, said++ ? " and " : "an object with ");
		add_property(rules->members[i].name, out);
		buf_add_char(out, ' ');
		add_choices(&choices, out);
	}
	return said > 0;
}

bool
add_kind(const struct node *node, struct buf *out)
{
	const struct rule *constant = node_constant(node);
	struct choices choices = { 0 };

	if (constant) {
		choices_add_rule(&choices, constant);
		add_choices(&choices, out);
		return true;
	}
	if (add_constant_members(node, out))
		return true;
	if (node_meant(node)->types == TYPE_ANY || node_meant(node)->plan != NODE_TYPE)
		return false;
	add_types(node_meant(node)->types, out);
	return true;
}

bool
add_schema_name(const cJSON *source, struct buf *out)
{
	const char *name = json_get_string(source, "title"), *ref = json_get_string(source, "$ref");

	if (!name && ref)
		name = strrchr(ref, '/') ? strrchr(ref, '/') + 1 : ref;
	if (!name || !*name)
		return false;
	add_short(name, out);
	return true;
}

/* ---- a value matches a schema, but must not ---- */

/* The names in a schema that is only `required`, if the object has them all. */
static const cJSON *
names_there(const cJSON *schema, const cJSON *object)
{
	const cJSON *names = json_get(schema, "required");

	if (json_count(schema) != 1 || json_type(names) != JSON_ARRAY ||
	    json_type(object) != JSON_OBJECT)
		return NULL;
	for (const cJSON *n = json_first(names); n; n = n->next)
		if (!json_string(n) || !json_get(object, json_string(n)))
			return NULL;
	return json_first(names);
}

static bool
add_forbidden_names(const struct record *r, const struct node *schema, struct buf *out)
{
	const cJSON *names = names_there(schema->source, r->pub.node);
	size_t said = 0;

	/* one of several such schemas */
	for (const cJSON *s = json_first(json_get(schema->source, "anyOf")); s && !names;
	     s = s->next)
		names = names_there(s, r->pub.node);
	for (const cJSON *n = names; n && said < LISTED_WHOLE; n = n->next, said++) {
		buf_add_str(out, said ? " and " : "");
		add_property(json_string(n), out);
	}
	if (said > 0)
		buf_add_str(
		    out, said > 1 ? " must not be present together" : " must not be present");
	return said > 0;
}

static bool
add_excluded_constant(const struct record *r, const struct rule *rule, struct buf *out)
{
	struct choices choices = { 0 };

	choices_add_rule(&choices, rule);
	add_subject(r, out);
	if (choices.count > 1) {
		buf_add_str(out, " is ");
		add_choices(&choices, out);
	}
	buf_add_str(out, choices.count > 1 ? ", which are excluded" : " is excluded");
	return true;
}

/* "at least 5", "at most 3 characters", "a date" */
static bool
add_excluded_limit(const struct record *r, const struct rule *rule, struct buf *out)
{
	const char *name = rule->keyword->name;
	struct record inner = *r;
	bool counts = strncmp(name, "max", 3) == 0 || strncmp(name, "min", 3) == 0;

	inner.rule = rule;
	inner.a = inner.b = counts && is_maximum(rule);
	if (rule->kind == RULE_BOUND)
		inner.a = strstr(name, "aximum") != NULL;
	if (rule->kind == RULE_BOUND)
		inner.b = *name == 'e';
	if (!rule->keyword->does->expected || rule->kind > RULE_LEAF)
		return false;
	add_found(r, out);
	buf_add_str(out, json_type(r->pub.node) == JSON_NUMBER || !counts ? " is " : " has ");
	rule->keyword->does->expected(&inner, out);
	buf_add_str(out, ", which is excluded");
	return true;
}

/* The schema has one keyword, which explains itself. */
static bool
add_excluded_rule(const struct record *r, const struct node *schema, struct buf *out)
{
	const struct rule *rule = schema->rule_count == 1 ? &schema->rules[0] : NULL;

	if (!rule || json_count(schema->source) != 1)
		return false;
	if (rule->kind == RULE_ENUM || rule->kind == RULE_CONST)
		return add_excluded_constant(r, rule, out);
	if (rule->kind == RULE_TYPE) {
		add_found(r, out);
		buf_add_str(out, ", but ");
		add_types(rule->as.types, out);
		buf_add_str(out, " is excluded");
		return true;
	}
	if (rule->kind != RULE_PATTERN)
		return add_excluded_limit(r, rule, out);
	add_subject(r, out);
	buf_add_str(out, " matches ");
	add_short(json_string(rule->value), out);
	buf_add_str(out, ", which is excluded");
	return true;
}

/* An object is excluded for its constant properties, and nothing else. */
static bool
add_excluded_members(const struct node *schema, struct buf *out)
{
	size_t start = out->len;

	for (size_t i = 0; i < schema->rule_count; i++)
		if (schema->rules[i].kind != RULE_MEMBERS && schema->rules[i].kind != RULE_TYPE)
			return false;
	for (size_t i = 0; schema->object && i < schema->object->count; i++)
		if (schema->object->members[i].node &&
		    !node_constant(schema->object->members[i].node))
			return false;
	if (!add_constant_members(schema, out)) {
		buf_truncate(out, start);
		return false;
	}
	buf_add_str(out, " is excluded");
	return true;
}

bool
matches_anything(const struct node *node)
{
	node = node_meant(node);
	return !node->never && node->rule_count == 0;
}

bool
matches_nothing(const struct node *node)
{
	node = node_meant(node);
	return node->never || (node->rule_count == 1 && node->rules[0].kind == RULE_NOT &&
				  matches_anything(node->rules[0].as.node));
}

void
add_excluded_line(const struct record *r, const struct node *schema, struct buf *out)
{
	const struct node *meant = node_meant(schema);
	struct buf name = BUF_INIT;

	if (add_forbidden_names(r, meant, out) || add_excluded_rule(r, meant, out) ||
	    add_excluded_members(meant, out))
		return;
	add_found(r, out);
	if (add_schema_name(schema->source, &name))
		buf_addf(out, " matches %s, which is excluded", buf_text(&name));
	else
		buf_add_str(out, " is not allowed here");
	buf_finish(&name);
}

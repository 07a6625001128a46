#include "report.h"

#include "json/keys.h"
#include "json/pointer.h"
#include "json/rows.h"

static void
go(const struct edge_walk *w, const struct edge *edge)
{
	w->on_edge(w->ctx, edge);
}

/* Another schema for the same value. */
static void
go_here(const struct edge_walk *w, enum edge_kind kind, const char *keyword, const struct node *to)
{
	if (to)
		go(w, &(struct edge){
			  .kind = kind, .keyword = keyword, .index = NO_INDEX, .to = to });
}

static void
go_list(const struct edge_walk *w, enum edge_kind kind, const struct rule *rule)
{
	for (size_t i = 0; i < rule->as.list.len; i++)
		go(w, &(struct edge){
			  .kind = kind,
			  .keyword = rule->keyword->name,
			  .index = i,
			  .to = rule->as.list.items[i],
		      });
}

static void
go_dependents(const struct edge_walk *w, const struct rule *rule, const cJSON *value)
{
	struct json_keys keys;
	size_t i = 0;

	json_keys_init(&keys, value);
	for (const cJSON *d = json_first(rule->value); d; d = d->next, i++) {
		if (!rule->as.list.items[i] || !json_keys_find(&keys, d->string))
			continue;
		go(w, &(struct edge){
			  .keyword = rule->keyword->name,
			  .name = d->string,
			  .index = NO_INDEX,
			  .to = rule->as.list.items[i],
		      });
	}
	json_keys_finish(&keys);
}

/* The same schema for every child. */
static void
go_children(
    const struct edge_walk *w, enum edge_kind kind, const struct rule *rule, const cJSON *value)
{
	struct json_items it;

	for (json_items_init(&it, value, NULL); it.item; json_items_next(&it))
		go(w, &(struct edge){
			  .kind = kind,
			  .keyword = rule->keyword->name,
			  .index = NO_INDEX,
			  .to = rule->as.node,
			  .child = it.item,
			  .child_index = it.index,
		      });
	json_items_finish(&it);
}

/* Children by a keyword that is not one of `struct object_rules` or `struct array_rules`. */
static bool
go_down(const struct edge_walk *w, const struct rule *rule, const cJSON *value)
{
	if (rule->check == check_contains)
		go_children(w, EDGE_ITEM, rule, value);
	else if (rule->check == check_property_names)
		go_children(w, EDGE_NAME, rule, value);
	else if (rule->check == check_unevaluated_items ||
		 rule->check == check_unevaluated_properties)
		go_children(w, EDGE_LEFT, rule, value);
	else
		return false;
	return true;
}

static void
go_rule(const struct edge_walk *w, const struct rule *rule, const cJSON *value)
{
	const char *name = rule->keyword->name;

	if (rule->check == check_all_of) {
		go_list(w, EDGE_ALWAYS, rule);
	} else if (rule->check == check_any_of || rule->check == check_one_of) {
		go_list(w, EDGE_BRANCH, rule);
	} else if (rule->check == check_not) {
		go_here(w, EDGE_NOT, name, rule->as.node);
	} else if (rule->check == check_if) {
		go_here(w, EDGE_IF, "if", rule->as.branch.test);
		go_here(w, EDGE_THEN, "then", rule->as.branch.yes);
		go_here(w, EDGE_ELSE, "else", rule->as.branch.no);
	} else if (rule->check == check_dependent_schemas || rule->check == check_dependencies) {
		go_dependents(w, rule, value);
	} else {
		go_here(w, EDGE_ALWAYS, name, reference_target(w->schema, w->scope, rule));
	}
}

static bool
go_patterns(const struct edge_walk *w, const struct object_rules *rules, struct edge *edge)
{
	bool matched = false;

	edge->keyword = "patternProperties";
	for (size_t i = 0; i < rules->pattern_count; i++) {
		const struct member_pattern *p = &rules->patterns[i];
		if (!p->regex || regex_match(p->regex, edge->child->string, w->regex) == REGEX_NO)
			continue;
		edge->to = p->node;
		edge->name = p->node->source->string;
		go(w, edge);
		matched = true;
	}
	return matched;
}

static void
go_member(
    const struct edge_walk *w, const struct object_rules *rules, const cJSON *child, size_t index)
{
	const struct known_member *m = rules->count ? object_find(rules, child->string) : NULL;
	struct edge edge = { .child = child, .child_index = index, .index = NO_INDEX };
	bool declared = m && m->node;

	if (declared) {
		edge.keyword = "properties";
		edge.name = m->name;
		edge.to = m->node;
		go(w, &edge);
	}
	declared |= rules->pattern_count && go_patterns(w, rules, &edge);
	if (declared || !rules->additional)
		return;
	edge.keyword = rules->by_additional->keyword->name;
	edge.name = NULL;
	edge.to = rules->additional;
	go(w, &edge);
}

static void
go_item(const struct edge_walk *w, const struct node *node, const cJSON *child, size_t index)
{
	const struct array_rules *rules = node->array;
	bool modern = node->resource->dialect.draft == SCHEMA_DRAFT_2020_12;
	struct edge edge = { .child = child, .child_index = index, .index = NO_INDEX };

	if (index < rules->prefix.len) {
		edge.keyword = modern ? "prefixItems" : "items";
		edge.index = index;
		edge.to = rules->prefix.items[index];
	} else if (rules->rest) {
		edge.keyword = rules->by_rest->keyword->name;
		edge.to = rules->rest;
	} else {
		return;
	}
	go(w, &edge);
}

void
walk_edges(const struct edge_walk *w, const struct node *node, const cJSON *value)
{
	unsigned type = type_of(value);
	struct json_items it;

	for (json_items_init(&it, value, NULL); it.item; json_items_next(&it)) {
		if (type == TYPE_OBJECT && node->object)
			go_member(w, node->object, it.item, it.index);
		if (type == TYPE_ARRAY && node->array)
			go_item(w, node, it.item, it.index);
	}
	json_items_finish(&it);
	for (size_t i = 0; i < node->rule_count; i++)
		if ((node->rules[i].applies & type) && !go_down(w, &node->rules[i], value))
			go_rule(w, &node->rules[i], value);
}

static void
enter_resource(struct walk_step *step, const struct resource_scope *up)
{
	const struct resource *resource = step->edge.to->resource;

	step->own = (struct resource_scope){ .up = up, .resource = resource };
	step->scope = up && up->resource == resource ? up : &step->own;
}

void
step_init(struct walk_step *step, const struct walk_step *up, const struct edge *edge)
{
	*step = (struct walk_step){
		.up = up,
		.edge = *edge,
		.value = edge->child ? edge->child : up->value,
		.depth = up->depth + 1,
	};
	enter_resource(step, up->scope);
}

void
step_init_root(struct walk_step *step, const struct schema *schema, const cJSON *instance)
{
	*step = (struct walk_step){ .edge = { .to = schema->root }, .value = instance };
	enter_resource(step, NULL);
}

void
step_add_keywords(const struct walk_step *step, struct buf *out)
{
	if (!step->up)
		return;
	step_add_keywords(step->up, out);
	json_pointer_add_key(out, step->edge.keyword);
	if (step->edge.name)
		json_pointer_add_key(out, step->edge.name);
	if (step->edge.index != NO_INDEX)
		json_pointer_add_index(out, step->edge.index);
}

void
step_add_instance(const struct walk_step *step, struct buf *out)
{
	if (!step->up)
		return;
	step_add_instance(step->up, out);
	if (!step->edge.child)
		return;
	if (json_type(step->up->value) == JSON_OBJECT)
		json_pointer_add_key(out, step->edge.child->string);
	else
		json_pointer_add_index(out, step->edge.child_index);
}

#include "schema/keyword/keyword.h"

#include "json/pointer.h"
#include "json/rows.h"

void
walk_edge(const struct edge_walk *w, const struct edge *edge)
{
	w->on_edge(w->ctx, edge);
}

void
walk_here(
    const struct edge_walk *w, enum edge_kind kind, const char *keyword, const struct node *to)
{
	if (to)
		walk_edge(w, &(struct edge){
				 .kind = kind, .keyword = keyword, .index = NO_INDEX, .to = to });
}

void
walk_node(const struct edge_walk *w, const struct rule *rule)
{
	walk_here(w, rule->keyword->does->edge, rule->keyword->name, rule->as.node);
}

void
walk_list(const struct edge_walk *w, const struct rule *rule)
{
	for (size_t i = 0; i < rule->as.list.len; i++)
		walk_edge(w, &(struct edge){
				 .kind = rule->keyword->does->edge,
				 .keyword = rule->keyword->name,
				 .index = i,
				 .to = rule->as.list.items[i],
			     });
}

void
walk_children(const struct edge_walk *w, const struct rule *rule)
{
	struct json_items it;

	for (json_items_init(&it, w->value, NULL); it.item; json_items_next(&it))
		walk_edge(w, &(struct edge){
				 .kind = rule->keyword->does->edge,
				 .keyword = rule->keyword->name,
				 .index = NO_INDEX,
				 .to = rule->as.node,
				 .child = it.item,
				 .child_index = it.index,
			     });
	json_items_finish(&it);
}

void
walk_edges(const struct edge_walk *w)
{
	for (size_t i = 0; i < w->node->rule_count; i++) {
		const struct rule *rule = &w->node->rules[i];
		if ((rule->applies & type_of(w->value)) && rule->keyword->does->walk)
			rule->keyword->does->walk(w, rule);
	}
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

/* SPDX-License-Identifier: MIT */
#include "report.h"

#include "base/mem.h"
#include "json/pointer.h"
#include "json/rows.h"
#include "schema/output.h"
#include "schema/keyword/keyword.h"

#include <stdlib.h>
#include <string.h>

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

/* The position of a walk, with the steps to it. */
struct walk_step {
	const struct walk_step *up; /* NULL at the root */
	struct edge edge;
	const cJSON *value;
	const struct resource_scope *scope;
	struct resource_scope own;
	unsigned depth; /* steps from the root */
};

static void
enter_resource(struct walk_step *step, const struct resource_scope *up)
{
	const struct resource *resource = step->edge.to->resource;

	step->own = (struct resource_scope){ .up = up, .resource = resource };
	step->scope = up && up->resource == resource ? up : &step->own;
}

static void
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

static void
step_add_instance(const struct walk_step *step, struct buf *out)
{
	if (!step->up)
		return;
	step_add_instance(step->up, out);
	if (!step->edge.child)
		return;
	if (cJSON_IsObject(step->up->value))
		json_pointer_add_key(out, step->edge.child->string);
	else
		json_pointer_add_index(out, step->edge.child_index);
}

#define MAX_STEPS 20000000 /* for checking branches */
#define MAX_VISITS 2000000
#define MAX_DEPTH 2000

struct annotator {
	struct checker checker;
	struct keyword_index keywords;
	annotation_fn *fn;
	void *ctx;
	size_t visits;
	bool stopped;
};

/* One subschema that applies to one value. */
struct node_visit {
	struct annotator *a;
	struct walk_step step;
	struct marks *marks; /* the children that unevaluated… skips */
	bool holds;          /* the result of the current `if` */
};

static bool
is_annotation(const struct annotator *a, const struct walk_step *step, const cJSON *member)
{
	const char *name = member->string;
	const struct keyword *row =
	    keyword_find(&a->keywords, name, step->edge.to->resource->dialect.draft);

	if (name[0] == '$' || strcmp(name, "id") == 0)
		return false;
	bool is_about_text = strncmp(name, "content", 7) == 0;
	if (is_about_text && !cJSON_IsString(step->value))
		return false;
	if (strcmp(name, "contentSchema") == 0)
		return json_get(step->edge.to->source, "contentMediaType") != NULL;
	if (strcmp(name, "format") == 0 || is_about_text || !row)
		return true;
	return !row->does->compile && row->holds == HOLDS_NONE;
}

static void
add_annotations(struct node_visit *v)
{
	struct annotator *a = v->a;
	const struct node *node = v->step.edge.to;
	const cJSON *ref = json_get(node->source, "$ref");

	if (node->resource->dialect.draft <= SCHEMA_DRAFT_07 && cJSON_IsString(ref))
		return; /* $ref hides its siblings */
	for (const cJSON *c = json_first(node->source); c && !a->stopped; c = c->next) {
		if (!c->string || !is_annotation(a, &v->step, c))
			continue;
		const struct annotation annotation = {
			.node = v->step.value,
			.keyword = c->string,
			.value = c,
			.step = &v->step,
		};
		a->stopped = !a->fn(a->ctx, &annotation);
	}
}

static bool
holds(struct annotator *a, const struct walk_step *step)
{
	struct checker *c = &a->checker;

	c->scope = step->scope;
	bool ok = check_node(c, step->edge.to, step->value, NULL);
	c->scope = NULL;
	c->undecided = c->undecided_list.len = 0;
	a->stopped |= c->stopped;
	return ok && !c->stopped;
}

static void annotate_node(struct node_visit *v);

static void
annotate_edge(void *ctx, const struct edge *edge)
{
	struct node_visit *v = ctx, next = { .a = v->a };
	bool wanted = true;

	if (v->a->stopped)
		return;
	next.step = (struct walk_step){
		.up = &v->step,
		.edge = *edge,
		.value = edge->child ? edge->child : v->step.value,
		.depth = v->step.depth + 1,
	};
	enter_resource(&next.step, v->step.scope);
	/* A new item may reuse the address of the last one, so cached results are invalid. */
	v->a->checker.epoch += edge->child && json_is_lazy(v->step.value);
	switch (edge->kind) {
	case EDGE_ALWAYS:
		break;
	case EDGE_BRANCH:
	case EDGE_ITEM:
		wanted = holds(v->a, &next.step);
		break;
	case EDGE_IF:
		v->holds = wanted = holds(v->a, &next.step);
		break;
	case EDGE_THEN:
		wanted = v->holds;
		break;
	case EDGE_ELSE:
		wanted = !v->holds;
		break;
	case EDGE_LEFT:
		wanted = !v->marks || !marks_has(v->marks, edge->child_index);
		break;
	case EDGE_NOT:
	case EDGE_NAME:
		wanted = false;
		break;
	}
	if (wanted && !v->a->stopped)
		annotate_node(&next);
}

/* Reports the annotations of the node, then visits the subschemas that it applies. */
static void
annotate_node(struct node_visit *v)
{
	struct annotator *a = v->a;
	struct checker *c = &a->checker;
	const struct node *node = v->step.edge.to;
	const struct edge_walk walk = {
		.schema = c->schema,
		.scope = v->step.scope,
		.regex = &c->regex,
		.on_edge = annotate_edge,
		.ctx = v,
		.node = node,
		.value = v->step.value,
	};
	struct marks marks;
	struct subject s = {
		.node = node, .value = walk.value, .type = type_of(walk.value), .marks = &marks
	};

	a->stopped |= ++a->visits > MAX_VISITS || v->step.depth > MAX_DEPTH;
	if (!a->stopped)
		add_annotations(v);
	if (a->stopped)
		return;
	if (node->tracks) { /* which children do the keywords before unevaluated… evaluate? */
		marks_init(&marks, walk.value);
		v->marks = &marks;
		c->scope = v->step.scope;
		for (size_t i = 0; i < node->rule_count && !c->stopped; i++) {
			const struct rule *rule = &node->rules[i];
			if ((rule->applies & s.type) && rule->kind != RULE_UNEVALUATED)
				rule->check(c, rule, &s);
		}
		c->scope = NULL;
		a->stopped |= c->stopped;
	}
	for (size_t i = 0; i < node->rule_count; i++) {
		const struct rule *rule = &node->rules[i];
		if ((rule->applies & s.type) && rule->keyword->does->walk)
			rule->keyword->does->walk(&walk, rule);
	}
	if (node->tracks)
		marks_finish(&marks);
}

bool
schema_annotations(const struct schema *schema, const cJSON *instance, enum annotate_mode mode,
    annotation_fn *fn, void *ctx)
{
	struct annotator a = {
		/* reports nothing, but lazy arrays are read through a report */
		.checker = { .schema = schema,
		    .max_steps = MAX_STEPS,
		    .report = mem_zalloc(sizeof(struct report)) },
		.fn = fn,
		.ctx = ctx,
	};
	struct node_visit root = { .a = &a };

	keyword_index_init(&a.keywords);
	root.step.edge.to = schema->root;
	root.step.value = instance;
	enter_resource(&root.step, NULL);
	if (mode == ANNOTATE_ANYWAY || holds(&a, &root.step))
		annotate_node(&root);
	report_destroy(a.checker.report);
	checker_finish(&a.checker);
	return !a.stopped;
}

void
annotation_instance_path(const struct annotation *annotation, struct buf *out)
{
	step_add_instance(annotation->step, out);
}

void
annotation_keyword_path(const struct annotation *annotation, struct buf *out)
{
	step_add_keywords(annotation->step, out);
	json_pointer_add_key(out, annotation->keyword);
}

bool
annotation_absolute_path(const struct annotation *annotation, struct buf *out)
{
	return schema_add_uri(annotation->step->edge.to, annotation->value, out);
}

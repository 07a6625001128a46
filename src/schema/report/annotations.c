#include "schema/annotations.h"

#include "base/mem.h"
#include "json/pointer.h"
#include "json/rows.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>

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
is_about_text(const char *keyword)
{
	return strncmp(keyword, "content", 7) == 0;
}

static bool
is_annotation(const struct annotator *a, const struct walk_step *step, const cJSON *member)
{
	const char *name = member->string;
	const struct keyword *row =
	    keyword_find(&a->keywords, name, step->edge.to->resource->dialect.draft);

	if (name[0] == '$' || strcmp(name, "id") == 0)
		return false;
	if (is_about_text(name) && json_type(step->value) != JSON_STRING)
		return false;
	if (strcmp(name, "contentSchema") == 0)
		return json_get(step->edge.to->source, "contentMediaType") != NULL;
	if (strcmp(name, "format") == 0 || is_about_text(name) || !row)
		return true;
	return !row->does->compile && row->holds == HOLDS_NONE;
}

static void
tell(struct node_visit *v)
{
	struct annotator *a = v->a;
	const struct node *node = v->step.edge.to;
	const cJSON *ref = json_get(node->source, "$ref");

	if (node->resource->dialect.draft <= SCHEMA_DRAFT_07 && json_type(ref) == JSON_STRING)
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

static void visit(struct node_visit *v);

static void
on_edge(void *ctx, const struct edge *edge)
{
	struct node_visit *v = ctx, next = { .a = v->a };
	bool wanted = true;

	if (v->a->stopped)
		return;
	step_init(&next.step, &v->step, edge);
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
		visit(&next);
}

/* The children that the keywords before unevaluated… evaluate. */
static void
find_marks(struct annotator *a, const struct walk_step *step, struct marks *marks)
{
	const struct node *node = step->edge.to;
	struct subject s = {
		.node = node, .value = step->value, .type = type_of(step->value), .marks = marks
	};

	a->checker.scope = step->scope;
	for (size_t i = 0; i < node->rule_count && !a->checker.stopped; i++) {
		const struct rule *rule = &node->rules[i];
		if ((rule->applies & s.type) && rule->kind != RULE_UNEVALUATED)
			rule->check(&a->checker, rule, &s);
	}
	a->checker.scope = NULL;
	a->stopped |= a->checker.stopped;
}

static void
go_on(struct node_visit *v)
{
	const struct edge_walk walk = {
		.schema = v->a->checker.schema,
		.scope = v->step.scope,
		.regex = &v->a->checker.regex,
		.on_edge = on_edge,
		.ctx = v,
		.node = v->step.edge.to,
		.value = v->step.value,
	};
	struct marks marks;
	bool tracks = v->step.edge.to->tracks;

	if (tracks) {
		marks_init(&marks, v->step.value);
		find_marks(v->a, &v->step, &marks);
		v->marks = &marks;
	}
	walk_edges(&walk);
	if (tracks)
		marks_finish(&marks);
}

static void
visit(struct node_visit *v)
{
	if (++v->a->visits > MAX_VISITS || v->step.depth > MAX_DEPTH) {
		v->a->stopped = true;
		return;
	}
	tell(v);
	if (!v->a->stopped)
		go_on(v);
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
	step_init_root(&root.step, schema, instance);
	if (mode == ANNOTATE_ANYWAY || holds(&a, &root.step))
		visit(&root);
	report_destroy(a.checker.report);
	regex_run_finish(&a.checker.regex);
	free(a.checker.memo.slots);
	free(a.checker.undecided_list.items);
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

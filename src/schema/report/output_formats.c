/* SPDX-License-Identifier: MIT */
#include "schema/output.h"

#include "base/mem.h"
#include "json/pointer.h"
#include "json/rows.h"
#include "schema/keyword/keyword.h"
#include "schema/report/report.h"

#include <string.h>

/* ---- annotations ---- */

void
walk_here(struct edge_walk *w, enum edge_kind kind, const char *keyword, const struct node *to)
{
	if (to)
		walk_edge(w, &(struct edge){
				 .kind = kind, .keyword = keyword, .index = NO_INDEX, .to = to });
}

void
walk_children(struct edge_walk *w, const struct rule *rule)
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
	struct edge_walk walk; /* first */
	struct annotator *a;
	struct walk_step step;
	struct marks *marks; /* the children that unevaluated… skips */
	bool holds;          /* the result of the current `if` */
};

static void
add_annotations(struct node_visit *v)
{
	struct annotator *a = v->a;
	const struct node *node = v->step.edge.to;
	enum schema_draft draft = node->resource->dialect.draft;

	if (draft <= SCHEMA_DRAFT_07 && cJSON_IsString(json_get(node->source, "$ref")))
		return; /* it hides its siblings */
	for (const cJSON *c = json_first(node->source); c && !a->stopped; c = c->next) {
		if (!c->string || c->string[0] == '$' || strcmp(c->string, "id") == 0)
			continue;
		const struct keyword *row = keyword_find(&a->keywords, c->string, draft);
		bool is_about_text = strncmp(c->string, "content", 7) == 0;
		bool is_annotation = !row || (!row->does->compile && row->holds == HOLDS_NONE);
		if (strcmp(c->string, "contentSchema") == 0)
			is_annotation = json_get(node->source, "contentMediaType") != NULL;
		else if (is_about_text || strcmp(c->string, "format") == 0)
			is_annotation = true;
		if (!is_annotation || (is_about_text && !cJSON_IsString(v->step.value)))
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

void
walk_edge(struct edge_walk *w, const struct edge *edge)
{
	struct node_visit *v = (struct node_visit *)w, next = { .a = v->a };
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
	const cJSON *value = v->step.value;
	struct marks marks;
	struct subject s = {
		.node = node, .value = value, .type = type_of(value), .marks = &marks
	};

	v->walk = (struct edge_walk){ c->schema, v->step.scope, &c->regex, node, value };
	a->stopped |= ++a->visits > MAX_VISITS || v->step.depth > MAX_DEPTH;
	if (!a->stopped)
		add_annotations(v);
	if (a->stopped)
		return;
	if (node->tracks) { /* which children do the keywords before unevaluated… evaluate? */
		marks_init(&marks, value);
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
			rule->keyword->does->walk(&v->walk, rule);
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

#define MAX_ANNOTATIONS 10000
#define MAX_LISTED ((size_t)64 << 20) /* in bytes; locations in a deep value are long */

typedef void words_fn(const struct report *report, size_t index, struct buf *out);

struct output {
	struct json_writer *w;
	const struct report *report;
	struct buf text;
	size_t errors, annotations; /* units written so far */
	size_t end;                 /* the most bytes of output at the end of a unit */
	bool full;                  /* a unit was left out because it would go beyond */
};

/* Removes the output since start if it exceeds the bound. */
static bool
fits(struct output *o, struct json_writer start, size_t len)
{
	o->full = o->w->out->len > o->end;
	if (o->full) {
		buf_truncate(o->w->out, len);
		*o->w = start;
	}
	return !o->full;
}

static void
write_words(struct output *o, const char *key, words_fn *fn, size_t index)
{
	buf_clear(&o->text);
	fn(o->report, index, &o->text);
	json_write_member_string(o->w, key, buf_text(&o->text));
}

static void
write_absolute(struct output *o, size_t index)
{
	buf_clear(&o->text);
	if (report_absolute_path(o->report, index, &o->text))
		json_write_member_string(o->w, "absoluteKeywordLocation", buf_text(&o->text));
}

typedef void write_fn(struct output *o, size_t index);

/* Returns the number of listed units. */
static size_t
write_list(struct output *o, const char *key, write_fn *write, bool warnings)
{
	size_t listed = 0;

	json_write_member_array(o->w, key);
	for (size_t i = 0; o->report && i < o->report->facts.kept; i++) {
		if (report_at(o->report, i)->warning != warnings || o->full)
			continue;
		const struct json_writer start = *o->w;
		size_t len = o->w->out->len;
		write(o, i);
		listed += fits(o, start, len);
	}
	json_write_array_end(o->w);
	return listed;
}

/* ---- formats of the specification ---- */

/* Facts that the list of violations does not show. */
static void
write_reservation(struct output *o)
{
	bool undecided = o->report->facts.outcome == SCHEMA_UNDECIDED;

	buf_clear(&o->text);
	if (undecided) {
		buf_add_str(&o->text, "undecided, not checked: ");
		report_add_unchecked(o->report, &o->text);
	}
	if (!undecided && o->report->facts.violations > o->errors)
		buf_addf(&o->text, "%zu violations, %zu of them listed",
		    o->report->facts.violations, o->errors);
	if (o->text.len > 0)
		json_write_member_string(o->w, "error", buf_text(&o->text));
}

void
output_flag(struct json_writer *w, const struct report *report)
{
	struct output o = { .w = w, .report = report, .end = w->out->len + MAX_LISTED };

	json_write_object(w);
	json_write_member_bool(w, "valid", report->facts.outcome == SCHEMA_VALID);
	if (report->facts.outcome == SCHEMA_UNDECIDED)
		write_reservation(&o);
	json_write_object_end(w);
	buf_finish(&o.text);
}

static void
write_error_unit(struct output *o, size_t index)
{
	json_write_object(o->w);
	json_write_member_bool(o->w, "valid", false);
	write_words(o, "keywordLocation", report_keyword_path, index);
	write_absolute(o, index);
	write_words(o, "instanceLocation", report_instance_path, index);
	write_words(o, "error", report_line, index);
	json_write_object_end(o->w);
}

static bool
write_annotation_unit(void *ctx, const struct annotation *a)
{
	struct output *o = ctx;
	const struct json_writer start = *o->w;
	size_t len = o->w->out->len;

	if (o->annotations == 0)
		json_write_member_array(o->w, "annotations");
	json_write_object(o->w);
	json_write_member_bool(o->w, "valid", true);
	buf_clear(&o->text);
	annotation_keyword_path(a, &o->text);
	json_write_member_string(o->w, "keywordLocation", buf_text(&o->text));
	buf_clear(&o->text);
	if (annotation_absolute_path(a, &o->text))
		json_write_member_string(o->w, "absoluteKeywordLocation", buf_text(&o->text));
	buf_clear(&o->text);
	annotation_instance_path(a, &o->text);
	json_write_member_string(o->w, "instanceLocation", buf_text(&o->text));
	json_write_member_value(o->w, "annotation", a->value);
	json_write_object_end(o->w);
	o->annotations += fits(o, start, len);
	return o->annotations < MAX_ANNOTATIONS && !o->full;
}

static void
open_root_unit(struct json_writer *w, bool valid)
{
	json_write_object(w);
	json_write_member_bool(w, "valid", valid);
	json_write_member_string(w, "keywordLocation", "");
	json_write_member_string(w, "instanceLocation", "");
}

void
output_basic(struct json_writer *w, const struct report *report)
{
	struct output o = { .w = w, .report = report, .end = w->out->len + MAX_LISTED };
	bool is_valid = report->facts.outcome == SCHEMA_VALID;

	open_root_unit(w, is_valid);
	bool all = !is_valid || schema_annotations(report->schema, report->instance, ANNOTATE_VALID,
				    write_annotation_unit, &o);
	if (o.annotations > 0)
		json_write_array_end(w);
	if (!all) {
		/* The value is still valid, so this is not an "error". */
		buf_clear(&o.text);
		buf_addf(&o.text, "the first %zu annotations are listed, there may be more",
		    o.annotations);
		json_write_member_string(o.w, "note", buf_text(&o.text));
	}
	if (report->facts.outcome == SCHEMA_INVALID)
		o.errors = write_list(&o, "errors", write_error_unit, false);
	write_reservation(&o);
	json_write_object_end(w);
	buf_finish(&o.text);
}

void
output_failure(struct json_writer *w, const char *text)
{
	open_root_unit(w, false);
	json_write_member_string(w, "error", text);
	json_write_object_end(w);
}

/* ---- our own format ---- */

static void
write_violation(struct output *o, size_t index)
{
	struct buf path = BUF_INIT;

	json_write_object(o->w);
	write_words(o, "instancePath", report_instance_path, index);
	report_schema_path(o->report, index, &path);
	json_write_member_string(o->w, "schemaPath", buf_text(&path));
	buf_clear(&o->text);
	report_keyword_path(o->report, index, &o->text);
	if (strcmp(buf_text(&o->text), buf_text(&path)) != 0)
		json_write_member_string(o->w, "keywordLocation", buf_text(&o->text));
	buf_finish(&path);
	write_absolute(o, index);
	json_write_member_string(o->w, "keyword", report_at(o->report, index)->keyword);
	write_words(o, "expected", report_expected, index);
	write_words(o, "found", report_found, index);
	write_words(o, "message", report_line, index);
	json_write_object_end(o->w);
}

void
output_findings(struct json_writer *w, const struct report *report)
{
	struct output o = { .w = w, .report = report, .end = w->out->len + MAX_LISTED };

	o.errors = write_list(&o, "errors", write_violation, false);
	if (report && report->facts.violations > o.errors)
		json_write_member_int(w, "omitted", (int64_t)(report->facts.violations - o.errors));
	if (report && report->facts.warnings > 0)
		write_list(&o, "warnings", write_violation, true);
	json_write_member_array(w, "unchecked");
	for (size_t i = 0; report && i < report->facts.unchecked_count; i++)
		json_write_string(w, report->facts.unchecked[i]);
	json_write_array_end(w);
	buf_finish(&o.text);
}

void
output_problem(struct json_writer *w, const struct schema_problem *problem)
{
	json_write_member_array(w, "errors");
	json_write_object(w);
	json_write_member_string(w, "instancePath", "");
	json_write_member_string(w, "schemaPath", problem->pointer);
	json_write_member_string(w, "message", problem->text);
	json_write_object_end(w);
	json_write_array_end(w);
	json_write_member_array(w, "unchecked");
	json_write_array_end(w);
}

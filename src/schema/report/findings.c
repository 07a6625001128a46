/* SPDX-License-Identifier: MIT */
#include "schema/findings.h"

#include "base/text_match.h"
#include "base/mem.h"
#include "base/vec.h"
#include "report.h"
#include "schema/compile/compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
schema_findings_add(struct schema_findings *f, bool error, const char *pointer, char *text)
{
	if (f->len == SCHEMA_FINDINGS_MAX) {
		f->rest++;
		free(text);
		return;
	}
	*VEC_PUSH(f) = (struct schema_finding){ error, mem_strdup(pointer), text };
}

void
schema_findings_finish(struct schema_findings *f)
{
	for (size_t i = 0; i < f->len; i++) {
		free(f->items[i].pointer);
		free(f->items[i].text);
	}
	free(f->items);
	*f = (struct schema_findings){ 0 };
}

/* ---- violations of the metaschema ---- */

/* Values that other drafts and other languages use here. */
static const struct {
	const char *keyword;
	enum json_type type;
	const char *text; /* NULL: any */
	const char *advice;
} ADVICE[] = {
	{ "items", JSON_ARRAY, NULL, "an array of schemas is prefixItems since 2020-12" },
	{ "exclusiveMinimum", JSON_BOOLEAN, NULL, "since draft-06 it is the bound itself" },
	{ "exclusiveMaximum", JSON_BOOLEAN, NULL, "since draft-06 it is the bound itself" },
	{ "required", JSON_BOOLEAN, NULL, "it is an array of names, beside properties" },
	{ "type", JSON_STRING, "int", "did you mean \"integer\"?" },
	{ "type", JSON_STRING, "float", "did you mean \"number\"?" },
	{ "type", JSON_STRING, "double", "did you mean \"number\"?" },
	{ "type", JSON_STRING, "bool", "did you mean \"boolean\"?" },
	{ "type", JSON_STRING, "str", "did you mean \"string\"?" },
	{ "type", JSON_STRING, "text", "did you mean \"string\"?" },
	{ "type", JSON_STRING, "list", "did you mean \"array\"?" },
	{ "type", JSON_STRING, "dict", "did you mean \"object\"?" },
	{ "type", JSON_STRING, "map", "did you mean \"object\"?" },
	{ "type", JSON_STRING, "none", "did you mean \"null\"?" },
	{ "type", JSON_STRING, "any", "without type any value is allowed" },
};

static void
review(struct schema_findings *f, const cJSON *root, const struct schema_options *options)
{
	struct schema_problem problem;
	struct report *report = schema_review(options->library, root, options, &problem);
	struct buf pointer = BUF_INIT, text = BUF_INIT;

	for (size_t i = 0; report && i < report->facts.kept; i++) {
		if (report_at(report, i)->warning)
			continue;
		buf_clear(&pointer);
		report_instance_path(report, i, &pointer);
		report_line(report, i, &text);
		const cJSON *node = report_at(report, i)->node;
		for (size_t k = 0; node->string && k < ARRAY_LEN(ADVICE); k++)
			if (strcmp(ADVICE[k].keyword, node->string) == 0 &&
			    ADVICE[k].type == json_type(node) &&
			    (!ADVICE[k].text ||
				strcasecmp(ADVICE[k].text, cJSON_GetStringValue(node)) == 0))
				buf_addf(&text, " (%s)", ADVICE[k].advice);
		schema_findings_add(f, true, buf_text(&pointer), buf_detach(&text));
	}
	if (report)
		f->rest += report->facts.violations + report->facts.warnings - report->facts.kept;
	if (report && problem.text[0])
		schema_findings_add(f, false, problem.pointer, mem_strdup(problem.text));
	report_destroy(report);
	buf_finish(&pointer);
	buf_finish(&text);
}

static bool
is_said(const struct schema_findings *f, size_t from, const char *pointer)
{
	for (size_t i = from; i < f->len; i++)
		if (strcmp(f->items[i].pointer, pointer) == 0)
			return true;
	return false;
}

/* ---- keywords without effect ---- */

struct remark_reader {
	struct schema_findings *findings;
	size_t from; /* the findings before this one are about another schema */
	const struct schema *schema;
	struct keyword_index keywords;
};

static void __attribute__((format(printf, 4, 5)))
warn(struct remark_reader *r, const struct node *node, const cJSON *member, const char *format, ...)
{
	struct buf pointer = BUF_INIT;
	char text[256];

	FORMAT_INTO(text, format);
	schema_add_location(r->schema, node, member, &pointer);
	schema_findings_add(r->findings, false, buf_text(&pointer), mem_strdup(text));
	buf_finish(&pointer);
}

static void
warn_unknown(struct remark_reader *r, const struct node *node, const cJSON *member)
{
	struct did_you_mean suggestion;
	struct buf mean = BUF_INIT;

	if (strcmp(member->string, "nullable") == 0 && cJSON_IsTrue(member) &&
	    !(node->types & TYPE_NULL))
		warn(r, node, member,
		    "JSON Schema ignores OpenAPI's nullable, but ajv applies it: list null in type "
		    "instead");
	if (keyword_is_foreign(member->string))
		return;
	did_you_mean_init(&suggestion, member->string, strlen(member->string));
	for (size_t i = 0; i < KEYWORD_COUNT; i++)
		if (*keywords[i].name && strcmp(keywords[i].name, member->string) != 0)
			did_you_mean_try(&suggestion, keywords[i].name);
	add_suggestion(&suggestion, "", &mean);
	warn(r, node, member, "%.100s is an unknown keyword%s", member->string, buf_text(&mean));
	buf_finish(&mean);
}

static void
find_keywords(struct remark_reader *r, const struct node *node)
{
	enum schema_draft draft = node->resource->dialect.draft;
	bool hides = draft <= SCHEMA_DRAFT_07 && json_get_string(node->source, "$ref");

	for (const cJSON *m = json_first(node->source); m; m = m->next) {
		const struct keyword *keyword = keyword_find(&r->keywords, m->string, draft);
		if (!keyword) {
			warn_unknown(r, node, m);
		} else if (!(keyword->drafts >> draft & 1)) {
			/* the first draft with the keyword, or the last one if it was removed */
			enum schema_draft first = SCHEMA_DRAFT_04, last = SCHEMA_DRAFT_V1;
			while (first < last && !(keyword->drafts >> first & 1))
				first++;
			while (last > first && !(keyword->drafts >> last & 1))
				last--;
			warn(r, node, m, "%s %s %s; in %s it has no effect", m->string,
			    first > draft ? "is a keyword since" : "was a keyword until",
			    schema_draft_name(first > draft ? first : last),
			    schema_draft_name(draft));
		} else if (hides && keyword->applies && keyword->does->check &&
			   strcmp(m->string, "$ref") != 0) {
			warn(r, node, m, "%s is ignored beside $ref in %s, but ajv applies it",
			    m->string, schema_draft_name(draft));
		}
	}
}

/* References to a duplicate name lead to the first one. */
static void
find_names(struct remark_reader *r, const struct node *node)
{
	const struct resource *resource = node->resource;
	const cJSON *id = json_get(node->source, "$id"),
		    *anchor = json_get(node->source, "$anchor");
	const struct resource *first =
	    resource_find(r->schema, resource->uri, strlen(resource->uri));

	if (id && resource->root == node && first && first->root && first != resource)
		warn(r, node, id, "another schema has this $id: %.150s", resource->uri);
	if (resource->dialect.draft < SCHEMA_DRAFT_2019_09 || !cJSON_GetStringValue(anchor))
		return;
	const struct anchor *known =
	    anchor_find(r->schema, resource, cJSON_GetStringValue(anchor), false);
	if (known && known->node != node)
		warn(r, node, anchor, "another schema has this $anchor: %.150s",
		    cJSON_GetStringValue(anchor));
}

/* PCRE2 does not support all of ECMA-262. */
static void
find_patterns(struct remark_reader *r, const struct node *node)
{
	static const char TEXT[] =
	    "this pattern is not supported: no value can be checked against it";

	for (size_t i = 0; i < node->rule_count; i++)
		if (node->rules[i].kind == RULE_PATTERN && !node->rules[i].as.regex)
			warn(r, node, node->rules[i].value, "%s", TEXT);
	for (size_t i = 0; node->object && i < node->object->pattern_count; i++)
		if (!node->object->patterns[i].regex)
			warn(r, node->object->patterns[i].node, NULL, "%s", TEXT);
}

/* Reports unresolved references and dialects. find_keywords() reports unknown keywords, and
 * review() the dialect of the root. */
static void
find_undecided(struct remark_reader *r, const struct node *node)
{
	struct buf pointer = BUF_INIT;

	for (size_t i = 0; i < node->rule_count; i++) {
		const struct rule *rule = &node->rules[i];
		if (rule->kind != RULE_UNDECIDED || !rule->value ||
		    !keyword_find(&r->keywords, rule->value->string, SCHEMA_DRAFT_2020_12))
			continue;
		buf_clear(&pointer);
		schema_add_location(r->schema, node, rule->value, &pointer);
		if (!is_said(r->findings, r->from, buf_text(&pointer)))
			warn(r, node, rule->value, "%s", rule->as.why);
	}
	buf_finish(&pointer);
}

static void
find_dialect(struct remark_reader *r, const struct node *node)
{
	const cJSON *declared = json_get(node->source, "$schema");
	struct buf uri = BUF_INIT;
	bool as_written = true;

	enum schema_draft draft = cJSON_GetStringValue(declared)
				      ? dialect_named(cJSON_GetStringValue(declared), &as_written)
				      : SCHEMA_DRAFT_UNKNOWN;
	if (draft != SCHEMA_DRAFT_UNKNOWN && !as_written) {
		dialect_add_uri(draft, &uri);
		warn(r, node, declared, "read as %s: other validators do not know this URI",
		    buf_text(&uri));
	}
	buf_finish(&uri);
}

void
schema_find(struct schema_findings *f, const cJSON *root, const struct schema_options *options)
{
	struct schema_problem problem;
	size_t from = f->len;

	review(f, root, options);
	struct schema *schema = schema_compile(root, options, &problem);
	if (!schema) {
		if (!is_said(f, from, problem.pointer))
			schema_findings_add(f, true, problem.pointer, mem_strdup(problem.text));
		return;
	}
	struct remark_reader r = { .findings = f, .from = from, .schema = schema };
	keyword_index_init(&r.keywords);
	for (size_t i = 0; i < schema->nodes.len; i++) {
		const struct node *node = schema->nodes.items[i];
		if (!cJSON_IsObject(node->source) ||
		    node->resource->document != schema->documents.items[0])
			continue;
		find_keywords(&r, node);
		find_dialect(&r, node);
		find_undecided(&r, node);
		find_names(&r, node);
		find_patterns(&r, node);
	}
	schema_destroy(schema);
}

/* SPDX-License-Identifier: MIT */
#include "compile.h"

#include "base/mem.h"
#include "base/text_match.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "json/pointer.h"
#include "schema/schema.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- memory ---- */

#define POOL_BLOCK 8192

struct pool {
	struct pool *next;
	size_t used, size;
	_Alignas(16) char bytes[];
};

void *
pool_alloc(struct pool **pool, size_t size)
{
	struct pool *block = *pool;

	size = (size + 15) & ~(size_t)15;
	if (!block || block->size - block->used < size) {
		size_t room = size > POOL_BLOCK ? size : POOL_BLOCK;
		block = mem_zalloc(sizeof(*block) + room);
		block->size = room;
		block->next = *pool;
		*pool = block;
	}
	void *at = block->bytes + block->used;
	block->used += size;
	return at;
}

char *
pool_text(struct pool **pool, const char *text, size_t len)
{
	char *copy = pool_alloc(pool, len + 1);

	memcpy(copy, text, len);
	return copy;
}

void
pool_destroy(struct pool *pool)
{
	while (pool) {
		struct pool *next = pool->next;
		free(pool);
		pool = next;
	}
}

/* ---- helpers for compile functions ---- */

bool
compile_fail(struct compiler *k, const cJSON *where, const char *format, ...)
{
	k->failed = true;
	struct buf text = BUF_INIT;
	char line[1024];
	FORMAT_INTO(line, format);
	utf8_copy(k->problem->text, sizeof(k->problem->text), line);
	/* searches for any value in the text, schema or not */
	for (size_t i = 0; i < k->schema->documents.len; i++) {
		const struct document *document = k->schema->documents.items[i];
		buf_clear(&text);
		if (i > 0)
			buf_addf(&text, "%s#", document->uri);
		if (json_pointer_of(document->root, where, &text))
			break;
		buf_clear(&text);
	}
	utf8_copy(k->problem->pointer, sizeof(k->problem->pointer), buf_text(&text));
	buf_finish(&text);
	return false;
}

static struct rule
rule_of(const struct keyword *keyword, const cJSON *value)
{
	return (struct rule){
		.keyword = keyword,
		.value = value,
		.check = keyword->does->check,
		.kind = (uint8_t)keyword->kind,
		.applies = keyword->applies,
	};
}

struct rule *
compile_rule_of(struct compiler *k, const struct keyword *keyword, const cJSON *value)
{
	struct rule *rule = VEC_PUSH(&k->rules);

	*rule = rule_of(keyword, value);
	return rule;
}

struct rule *
compile_rule(struct compiler *k, const cJSON *value)
{
	return compile_rule_of(k, k->keyword, value);
}

const struct rule *
compile_silent_rule(struct compiler *k, const cJSON *value)
{
	struct rule *rule = pool_alloc(&k->schema->pool, sizeof(*rule));

	*rule = rule_of(k->keyword, value);
	return rule;
}

void
compile_undecided(struct compiler *k, const cJSON *member, const char *format, ...)
{
	char why[1024];

	FORMAT_INTO(why, format);
	compile_rule_of(k, keyword_row(""), member)->as.why =
	    pool_text(&k->schema->pool, why, strlen(why));
}

void
compile_want(struct compiler *k, struct node *node)
{
	if (node->wanted)
		return;
	node->wanted = true;
	*VEC_PUSH(&k->wanted) = node;
}

struct node *
compile_child(struct compiler *k, const cJSON *value)
{
	struct node *node = node_of(k, value);

	if (!node)
		compile_fail(k, value, "a schema must be an object, true or false");
	else
		compile_want(k, node);
	return node;
}

bool
compile_children(struct compiler *k, const cJSON *array, struct node_list *out)
{
	if (!cJSON_IsArray(array) || !json_first(array))
		return compile_fail(k, array, "%s must be an array of schemas", array->string);
	size_t count = json_count(array);
	*out = (struct node_list){ 0 }; /* the key may be there twice */
	out->items = pool_alloc(&k->schema->pool, count * sizeof(struct node *));
	for (const cJSON *c = json_first(array); c; c = c->next) {
		struct node *node = compile_child(k, c);
		if (!node)
			return false;
		out->items[out->len++] = node;
	}
	return true;
}

struct regex *
compile_regex(struct compiler *k, const char *pattern, const cJSON *where, bool *broken)
{
	enum regex_syntax syntax;
	struct regex *regex = regex_create(pattern, &k->schema->regex_room, &syntax);

	*broken = syntax == REGEX_BROKEN;
	if (*broken)
		compile_fail(k, where, "\"%.100s\" is not a regular expression: %s", pattern,
		    regex_fault(pattern));
	if (regex)
		*VEC_PUSH(&k->schema->regexes) = regex;
	return regex;
}

/* ---- nodes ---- */

static int
by_table_order(const void *a, const void *b)
{
	const struct rule *x = a, *y = b;

	return (x->keyword > y->keyword) - (x->keyword < y->keyword);
}

/* The assertion or applicator that an unknown keyword probably misspells, or NULL. A wrong guess
 * makes a result undecided, so at most one letter in four may differ, fewer than for a suggestion.
 * Misspelled annotations do no harm. */
static const struct keyword *
keyword_meant(const char *name)
{
	struct did_you_mean likely;
	const struct keyword *meant = NULL;
	size_t len = strlen(name);

	did_you_mean_init(&likely, name, len);
	for (size_t i = 0; i < KEYWORD_COUNT; i++) {
		const struct keyword *row = &keywords[i];
		if (!*row->name || strcmp(row->name, name) == 0)
			continue;
		did_you_mean_try(&likely, row->name);
		if (likely.name == row->name)
			meant = row;
		if (strcasecmp(row->name + (*row->name == '$'), name + (*name == '$')) == 0) {
			meant = row;
			likely.changes = 0;
			break;
		}
	}
	bool demands =
	    meant && (meant->does->compile || meant->vocabularies == VOCABULARY_APPLICATOR);
	return demands && likely.changes * 4 <= len ? meant : NULL;
}

/* Only this many unknown keywords are compared with the known ones. */
#define MAX_COMPARED 10000

static bool
compile_keyword(struct compiler *k, const cJSON *member)
{
	static const char *const TYPES[] = {
		[JSON_BOOLEAN] = "true or false",
		[JSON_NUMBER] = "a number",
		[JSON_STRING] = "a string",
		[JSON_OBJECT] = "an object",
	};
	const struct keyword *keyword =
	    keyword_find(&k->keywords, member->string, compile_draft(k));

	if (!keyword) {
		bool compared = k->unknown < MAX_COMPARED;
		if (keyword_is_foreign(member->string))
			return true;
		k->unknown++;
		const struct keyword *meant = compared ? keyword_meant(member->string) : NULL;
		if (meant)
			compile_undecided(
			    k, member, "unknown keyword: did you mean %s?", meant->name);
		else if (!compared)
			compile_undecided(k, member, "unknown keyword");
		return true;
	}
	if (!keyword->does->compile || !keyword_in_dialect(keyword, &k->node->resource->dialect))
		return true;
	k->keyword = keyword;
	enum json_type expects = keyword->does->expects;
	if (expects != JSON_ABSENT && json_type(member) != expects)
		return compile_fail(k, member, "%s must be %s", keyword->name, TYPES[expects]);
	return keyword->does->compile(k, member);
}

static bool
compile_node(struct compiler *k, struct node *node)
{
	const cJSON *source = node->source;

	k->node = node;
	if (cJSON_IsBool(source)) {
		node->never = !cJSON_IsTrue(source);
		return true;
	}
	k->rules.len = 0;
	if (resource_starts_unknown(node)) {
		const cJSON *declared = compile_sibling(k, "$schema");
		compile_undecided(k, declared, "unknown dialect %.150s, read as %s",
		    declared ? cJSON_GetStringValue(declared) : "",
		    schema_draft_name(compile_draft(k)));
	}
	bool hides = compile_draft(k) <= SCHEMA_DRAFT_07;
	const cJSON *ref = hides ? compile_sibling(k, "$ref") : NULL;
	if (cJSON_IsString(ref)) {
		if (!compile_keyword(k, ref))
			return false;
	} else {
		for (const cJSON *c = json_first(source); c; c = c->next)
			if (!compile_keyword(k, c))
				return false;
	}
	if (k->rules.len > 1)
		qsort(k->rules.items, k->rules.len, sizeof(*k->rules.items), by_table_order);
	node->rule_count = (uint32_t)k->rules.len;
	node->rules = pool_alloc(&k->schema->pool, (k->rules.len + 1) * sizeof(*node->rules));
	if (k->rules.len > 0)
		memcpy(node->rules, k->rules.items, k->rules.len * sizeof(*node->rules));
	return true;
}

static bool
compile_all(struct compiler *k, const cJSON *root, const struct schema_options *options)
{
	struct schema *schema = k->schema;
	enum schema_draft draft = options->draft ? options->draft : SCHEMA_DRAFT_2020_12;
	const char *uri = options->uri ? options->uri : "";

	if (!resource_add_root(k, root, uri, dialect_of_draft(draft)))
		return false;
	schema->root = node_of(k, root);
	if (!schema->root)
		return compile_fail(k, root, "a schema must be an object, true or false");
	schema->draft = schema->root->resource->dialect.draft;
	schema->strict_integers = options->strict_integers && schema->draft == SCHEMA_DRAFT_04;
	/* References add nodes during this loop. */
	for (size_t i = 0; i < k->wanted.len; i++)
		if (!compile_node(k, k->wanted.items[i]))
			return false;
	plan_all(schema);
	return true;
}

struct schema *
schema_compile(
    const cJSON *root, const struct schema_options *options, struct schema_problem *problem)
{
	static const struct schema_options DEFAULTS;
	struct schema_problem unwanted;
	struct schema *schema = mem_zalloc(sizeof(*schema));
	struct compiler k = { .schema = schema, .problem = problem ? problem : &unwanted };

	options = options ? options : &DEFAULTS;
	*k.problem = (struct schema_problem){ 0 };
	schema->format = options->format;
	schema->asserts_content = options->asserts_content;
	schema->plainly = options->plainly;
	if (!options->library)
		schema->own_library = schema_library_create();
	schema->library = options->library ? options->library : schema->own_library;
	keyword_index_init(&k.keywords);
	bool fine = compile_all(&k, root, options);
	map_finish(&k.nodes);
	map_finish(&k.members);
	free(k.rules.items);
	free(k.wanted.items);
	buf_finish(&k.scratch);
	if (fine)
		return schema;
	schema_destroy(schema);
	return NULL;
}

void
schema_destroy(struct schema *schema)
{
	if (!schema)
		return;
	for (size_t i = 0; i < schema->regexes.len; i++)
		regex_destroy(schema->regexes.items[i]);
	free(schema->regexes.items);
	free(schema->documents.items);
	free(schema->nodes.items);
	free(schema->resources.items);
	map_finish(&schema->resources_by_uri);
	map_finish(&schema->anchors_by_name);
	map_finish(&schema->dynamic_by_name);
	pool_destroy(schema->pool);
	schema_library_destroy(schema->own_library);
	free(schema);
}

enum schema_draft
schema_draft(const struct schema *schema)
{
	return schema->draft;
}

/* ---- parts of a schema ---- */

struct schema_parts {
	const struct schema *schema;
	struct map nodes; /* by source */
};

struct schema_parts *
schema_parts_create(const struct schema *schema)
{
	struct schema_parts *parts = mem_zalloc(sizeof(*parts));

	parts->schema = schema;
	for (size_t i = 0; i < schema->nodes.len; i++) {
		const struct node *node = schema->nodes.items[i];
		if (node->wanted)
			map_add(&parts->nodes, pointer_hash(node->source), node);
	}
	return parts;
}

void
schema_parts_destroy(struct schema_parts *parts)
{
	if (!parts)
		return;
	map_finish(&parts->nodes);
	free(parts);
}

struct report *
schema_check_part(const struct schema_parts *parts, const cJSON *part, const cJSON *instance,
    const struct check_options *options)
{
	const struct node *node;

	MAP_EACH(&parts->nodes, pointer_hash(part), node)
		if (node->source == part)
			return schema_check_by(parts->schema, node, instance, options);
	return NULL;
}

/* SPDX-License-Identifier: MIT */
#include "keyword.h"

#include "base/url.h"
#include "json/pointer.h"
#include "schema/format/format.h"

#include <string.h>

/* ---- large objects ---- */

/* An index of the members of large objects on reference paths. Without it, a schema of n
 * definitions that refer to each other takes n * n comparisons. */
#define SMALL 32

static const cJSON *
member_find(const struct map *members, const cJSON *object, const char *name)
{
	const cJSON *member;

	/* The hash of a name differs in every object. */
	MAP_EACH(members, text_hash(object, name, strlen(name)), member)
		if (strcmp(member->string, name) == 0)
			return member;
	return NULL;
}

/* ---- the target of a reference ---- */

static const cJSON *
step_into(struct compiler *k, const cJSON *at, const struct buf *token)
{
	const char *text = buf_text(token);
	const cJSON *c = json_first(at);
	struct map *members = &k->members;
	size_t index;

	if (cJSON_IsObject(at)) {
		if (json_count(at) <= SMALL)
			return json_get(at, text);
		/* An object is indexed if its first member is. */
		bool indexed = member_find(members, at, c->string) != NULL;
		for (; c && !indexed; c = c->next)
			if (!member_find(members, at, c->string))
				map_add(members, text_hash(at, c->string, strlen(c->string)), c);
		return member_find(members, at, text);
	}
	if (!cJSON_IsArray(at) || !json_pointer_index(text, SIZE_MAX, &index))
		return NULL;
	for (; c && index > 0 && k->walked < MAX_WALKED; index--, k->walked++)
		c = c->next;
	return index > 0 ? NULL : c;
}

/* A pointer may lead through other resources, and to places that no keyword treats as a schema. */
static struct node *
follow_pointer(
    struct compiler *k, struct resource *resource, const char *pointer, const cJSON *where)
{
	struct node *last = resource->root; /* the last schema on the path */
	const char *rest = pointer;         /* the rest of the path from there */
	const cJSON *at = last->source;
	struct buf token = BUF_INIT;

	while (at && json_pointer_next(&pointer, &token)) {
		at = step_into(k, at, &token);
		struct node *node = at ? node_of(k, at) : NULL;
		if (node) {
			last = node;
			rest = pointer;
		}
	}
	buf_finish(&token);
	if (!at || *pointer) {
		compile_undecided(k, where, "%s leads nowhere", cJSON_GetStringValue(where));
		return NULL;
	}
	if (last->source == at)
		return last;
	struct location location = { .up = last,
		.path = pool_text(&k->schema->pool, rest, strlen(rest)) };
	if (!resource_register(k, at, location, last->resource, 0))
		return NULL;
	if (!node_of(k, at))
		compile_undecided(
		    k, where, "%s does not lead to a schema", cJSON_GetStringValue(where));
	return node_of(k, at);
}

static struct node *
follow_fragment(
    struct compiler *k, struct resource *resource, const char *fragment, const cJSON *where)
{
	struct buf decoded = BUF_INIT;
	struct node *node = NULL;
	bool fine = true;

	if (strchr(fragment, '%')) {
		fine = percent_decode(&decoded, fragment, strlen(fragment)) &&
		       !strstr(fragment, "%00");
		fragment = buf_text(&decoded);
	}
	if (!fine) {
		compile_undecided(
		    k, where, "%s is not a URI reference", cJSON_GetStringValue(where));
	} else if (!*fragment) {
		node = resource->root;
	} else if (*fragment == '/') {
		node = follow_pointer(k, resource, fragment, where);
	} else {
		const struct anchor *a =
		    anchor_find(k->schema, resource->root->resource, fragment, false);
		if (a)
			node = a->node;
		else
			compile_undecided(
			    k, where, "%s leads nowhere", cJSON_GetStringValue(where));
	}
	buf_finish(&decoded);
	return node;
}

/* A document of the library is read in the dialect of the referring schema unless it declares its
 * own. */
static struct node *
follow_uri(struct compiler *k, const struct node *from, const cJSON *reference)
{
	const char *written = cJSON_GetStringValue(reference);
	struct buf uri = BUF_INIT;
	struct node *node = NULL;

	uri_resolve(from->resource->uri, written, &uri);
	const char *text = buf_text(&uri);
	size_t len = strcspn(text, "#");
	struct resource *resource = resource_find(k->schema, text, len);
	if (!resource || !resource->root) {
		const cJSON *root = *text ? schema_library_find(k->schema->library, text) : NULL;
		resource = NULL;
		if (root)
			resource = resource_add_root(k, root, text, from->resource->dialect);
		else
			compile_undecided(k, reference,
			    "%s leads out of the schema: nothing is fetched", written);
	}
	if (resource && !resource->root)
		compile_undecided(k, reference, "%s does not lead to a schema", written);
	else if (resource)
		node = follow_fragment(k, resource, text + len + (text[len] == '#'), reference);
	buf_finish(&uri);
	return node;
}

static struct node *
resolve_reference(struct compiler *k, const cJSON *reference)
{
	const struct node *from = k->node;
	const char *text = cJSON_GetStringValue(reference);
	struct node *node;

	if (!text) {
		compile_fail(k, reference, "%s must be a string", reference->string);
		return NULL;
	}
	if (*text == '#' && from->resource->root)
		node = follow_fragment(k, from->resource, text + 1, reference);
	else
		node = follow_uri(k, from, reference);
	if (node)
		compile_want(k, node);
	if (node && node->resource->dialect.unknown && !from->resource->dialect.unknown &&
	    !resource_starts_unknown(node))
		compile_undecided(k, reference, "leads to an unknown dialect");
	return node;
}

/* ---- keywords ---- */

/* $recursiveRef too: its final target is known only during the check. */
static bool
compile_ref(struct compiler *k, const cJSON *value)
{
	struct node *to = resolve_reference(k, value);

	if (!to)
		return !k->failed;
	to->shared = true;
	compile_rule(k, value)->as.node = to;
	return true;
}

/* Depends on the path only if it first leads to a $dynamicAnchor with that name. */
static bool
compile_dynamic_ref(struct compiler *k, const cJSON *value)
{
	if (compile_draft(k) >= SCHEMA_DRAFT_V1) {
		/* v1: the name of a $dynamicAnchor. Only the path determines the target. */
		if (!cJSON_IsString(value))
			return compile_fail(k, value, "$dynamicRef must be a string");
		compile_rule(k, value)->as.branch.test = NULL;
		return true;
	}
	struct node *to = resolve_reference(k, value);

	if (!to)
		return !k->failed;
	const char *fragment = strchr(cJSON_GetStringValue(value), '#');
	const char *anchor = fragment && fragment[1] != '/' ? fragment + 1 : "";
	bool dynamic = *anchor && anchor_find(k->schema, to->resource, anchor, true) != NULL;
	struct rule *rule = compile_rule(k, value);
	rule->as.branch.test = to;
	to->shared = true;
	if (!dynamic) {
		rule->kind = RULE_REF;
		rule->as.node = to;
	}
	return true;
}

/* "name" or, always before v1, "#name" */
static const char *
anchor_name(const struct rule *rule)
{
	const char *text = rule->value->valuestring, *hash = strchr(text, '#');

	return hash ? hash + 1 : text;
}

/* Where a reference leads on this path. NULL: no resource on it has the anchor. */
static const struct node *
target_of(const struct schema *schema, const struct resource_scope *scope, const struct rule *rule)
{
	if (rule->kind == RULE_DYNAMIC_REF) {
		const struct node *to = rule->as.branch.test;
		for (const char *name = anchor_name(rule); scope; scope = scope->up) {
			const struct anchor *a = anchor_find(schema, scope->resource, name, true);
			if (a) /* the outermost resource decides */
				to = a->node;
		}
		return to;
	}
	const struct node *to = rule->as.node;
	if (rule->kind == RULE_RECURSIVE_REF && to->resource->recursive && to->resource->root == to)
		for (; scope; scope = scope->up)
			if (scope->resource->recursive)
				to = scope->resource->root;
	return to;
}

static bool
check_ref(struct checker *c, const struct rule *rule, const struct subject *s)
{
	const struct node *to = target_of(c->schema, c->scope, rule);

	return to ? check_here(c, to, s)
		  : check_undecided(c, s->node, rule->value, "leads nowhere on this path");
}

static void
walk_reference(struct edge_walk *w, const struct rule *rule)
{
	walk_here(w, EDGE_ALWAYS, rule->keyword->name, target_of(w->schema, w->scope, rule));
}

/* A dynamic reference with only one possible target is a plain one. The target must then be in
 * the reference's resource in v1, because that is always on the path. */
void
references_settle(struct schema *schema)
{
	size_t recursive = 0;

	schema->has_dynamic = false;
	for (size_t i = 0; i < schema->resources.len; i++)
		recursive += schema->resources.items[i]->recursive;
	for (size_t i = 0; i < schema->nodes.len; i++) {
		struct node *node = schema->nodes.items[i];
		for (size_t r = 0; r < node->rule_count; r++) {
			struct rule *rule = &node->rules[r];
			struct node *to = NULL; /* the only target */
			if (rule->kind == RULE_DYNAMIC_REF) {
				struct node *first = rule->as.branch.test;
				const struct anchor *own =
				    anchor_find(schema, first ? first->resource : node->resource,
					anchor_name(rule), true);
				if (own && !own->rival)
					to = first ? first : own->node;
			} else if (rule->kind == RULE_RECURSIVE_REF) {
				struct resource *resource = rule->as.node->resource;
				if (recursive < 2 || !resource->recursive ||
				    resource->root != rule->as.node)
					to = rule->as.node;
			} else {
				continue;
			}
			schema->has_dynamic |= !to;
			if (to) {
				rule->kind = RULE_REF;
				rule->as.node = to;
			}
		}
	}
}

/* $defs and definitions check nothing, but must hold schemas. */
static bool
compile_definitions(struct compiler *k, const cJSON *value)
{
	for (const cJSON *c = json_first(value); c; c = c->next)
		if (!compile_child(k, c))
			return false;
	return true;
}

/* clang-format off */
const struct keyword_functions
	keyword_ref = { .compile = compile_ref, .check = check_ref, .walk = walk_reference },
	keyword_dynamic_ref = { .compile = compile_dynamic_ref, .check = check_ref, .walk = walk_reference },
	keyword_recursive_ref = { .compile = compile_ref, .check = check_ref, .walk = walk_reference },
	keyword_definitions = { .compile = compile_definitions, .expects = JSON_OBJECT };
/* clang-format on */

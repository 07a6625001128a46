/* SPDX-License-Identifier: MIT */
#include "compile.h"

#include "base/vec.h"
#include "schema/format/format.h"

#include <string.h>

/* ---- nodes ---- */

struct node *
node_of(const struct compiler *k, const cJSON *source)
{
	struct node *node;

	MAP_EACH(&k->nodes, pointer_hash(source), node)
		if (node->source == source)
			return node;
	return NULL;
}

/* ---- resources and anchors by name ---- */

struct resource *
resource_find(const struct schema *schema, const char *uri, size_t len)
{
	struct resource *r;

	MAP_EACH(&schema->resources_by_uri, text_hash(schema, uri, len), r)
		if (strncmp(r->uri, uri, len) == 0 && r->uri[len] == '\0')
			return r;
	return NULL;
}

static struct resource *
resource_add(struct compiler *k, const char *uri, size_t len, const struct document *document,
    struct dialect dialect)
{
	struct schema *schema = k->schema;
	struct resource *resource = pool_alloc(&schema->pool, sizeof(*resource));

	resource->uri = pool_text(&schema->pool, uri, len);
	resource->document = document;
	resource->dialect = dialect;
	if (!resource_find(schema, uri, len))
		map_add(&schema->resources_by_uri, text_hash(schema, uri, len), resource);
	*VEC_PUSH(&schema->resources) = resource;
	return resource;
}

static void
anchor_add(struct compiler *k, const char *name, struct node *node, bool dynamic)
{
	struct schema *schema = k->schema;

	if (anchor_find(schema, node->resource, name, dynamic))
		return;
	struct anchor *anchor = pool_alloc(&schema->pool, sizeof(*anchor));
	*anchor = (struct anchor){
		.resource = node->resource,
		.name = pool_text(&schema->pool, name, strlen(name)),
		.node = node,
		.dynamic = dynamic,
	};
	map_add(&schema->anchors_by_name, text_hash(node->resource, name, strlen(name)), anchor);
	/* Any reference may lead to it. */
	if (dynamic) {
		uint64_t hash = text_hash(schema, name, strlen(name));
		struct anchor *first;
		MAP_EACH(&schema->dynamic_by_name, hash, first)
			if (strcmp(first->name, name) == 0) /* later ones need not be searched */
				anchor->rival = first->rival = true;
		if (!anchor->rival)
			map_add(&schema->dynamic_by_name, hash, anchor);
		node->shared = true;
		compile_want(k, node);
	}
}

const struct anchor *
anchor_find(
    const struct schema *schema, const struct resource *resource, const char *name, bool dynamic)
{
	const struct anchor *a;

	MAP_EACH(&schema->anchors_by_name, text_hash(resource, name, strlen(name)), a)
		if (a->resource == resource && (!dynamic || a->dynamic) &&
		    strcmp(a->name, name) == 0)
			return a;
	return NULL;
}

/* ---- search ---- */

/* The dialect that a schema resource declares. */
static bool
declared_dialect(struct compiler *k, const cJSON *value, struct dialect *dialect)
{
	const cJSON *declared = json_get(value, "$schema");

	if (!declared)
		return true;
	if (!cJSON_GetStringValue(declared))
		return compile_fail(k, declared, "$schema must be a string");
	return dialect_from_uri(k, declared, cJSON_GetStringValue(declared), dialect);
}

/* The identifying keywords of a schema object, found in one pass over its members. */
struct identity {
	const cJSON *ref, *schema, *id, *legacy_id, *anchor, *dynamic_anchor, *recursive_anchor;
};

static void
identify(const cJSON *value, struct identity *who)
{
	const struct {
		const char *name;
		const cJSON **member;
	} names[] = {
		{ "$ref", &who->ref },
		{ "$id", &who->id },
		{ "$schema", &who->schema },
		{ "$anchor", &who->anchor },
		{ "$dynamicAnchor", &who->dynamic_anchor },
		{ "$recursiveAnchor", &who->recursive_anchor },
	};

	*who = (struct identity){ 0 };
	for (const cJSON *c = json_first(value); c; c = c->next) {
		if (c->string[0] == 'i' && !who->legacy_id && strcmp(c->string, "id") == 0)
			who->legacy_id = c;
		if (c->string[0] != '$')
			continue;
		for (size_t i = 0; i < ARRAY_LEN(names); i++)
			if (!*names[i].member && strcmp(names[i].name, c->string) == 0)
				*names[i].member = c;
	}
}

/* Starts a resource if value has an id; a draft-07 "#name" is an anchor. */
static bool
enter_resource(struct compiler *k, const cJSON *value, const struct identity *who,
    struct resource **resource, const char **anchor)
{
	struct dialect dialect = (*resource)->dialect, own = dialect;

	if (dialect.draft <= SCHEMA_DRAFT_07 &&
	    cJSON_IsString(who->ref)) /* it hides its siblings */
		return true;
	if (who->schema && (who->id || who->legacy_id)) {
		/* its dialect may differ and decides how its id keyword is spelled */
		if (!declared_dialect(k, value, &own))
			return false;
		if (own.draft == SCHEMA_DRAFT_04 ? who->legacy_id : who->id)
			dialect = own;
	}
	const cJSON *id = dialect.draft == SCHEMA_DRAFT_04 ? who->legacy_id : who->id;
	if (!id)
		return true;
	const char *text = cJSON_GetStringValue(id);
	if (!text)
		return compile_fail(k, id, "%s must be a string", id->string);
	if (dialect.draft <= SCHEMA_DRAFT_07 && text[0] == '#') {
		*anchor = text + 1;
		return true;
	}
	buf_clear(&k->scratch);
	uri_resolve((*resource)->uri, text, &k->scratch);
	const char *uri = buf_text(&k->scratch);
	size_t len = strcspn(uri, "#");
	if (uri[len] && uri[len + 1]) {
		if (dialect.draft > SCHEMA_DRAFT_07)
			return compile_fail(k, id, "$id must not have a fragment");
		*anchor = strchr(text, '#') + 1;
	}
	*resource = resource_add(k, uri, len, (*resource)->document, dialect);
	return true;
}

static bool
add_anchor(struct compiler *k, struct node *node, const cJSON *name, bool dynamic)
{
	if (!name)
		return true;
	if (!cJSON_GetStringValue(name))
		return compile_fail(k, name, "%s must be a string", name->string);
	anchor_add(k, cJSON_GetStringValue(name), node, dynamic);
	return true;
}

static bool
add_anchors(struct compiler *k, struct node *node, const struct identity *who, const char *legacy)
{
	enum schema_draft draft = node->resource->dialect.draft;

	if (legacy)
		anchor_add(k, legacy, node, false);
	if (draft >= SCHEMA_DRAFT_2019_09 && !add_anchor(k, node, who->anchor, false))
		return false;
	if (draft >= SCHEMA_DRAFT_2020_12 && !add_anchor(k, node, who->dynamic_anchor, true))
		return false;
	if (draft == SCHEMA_DRAFT_2019_09 && cJSON_IsTrue(who->recursive_anchor) &&
	    node->resource->root == node) {
		node->resource->recursive = true;
		node->shared = true;
		compile_want(k, node);
	}
	return true;
}

static bool
register_members(
    struct compiler *k, const struct node *node, const struct identity *who, unsigned depth)
{
	struct resource *resource = node->resource;
	const struct dialect *dialect = &resource->dialect;
	bool hidden = dialect->draft <= SCHEMA_DRAFT_07 && cJSON_IsString(who->ref);

	for (const cJSON *c = json_first(node->source); c; c = c->next) {
		enum json_type type = json_type(c);
		if (type != JSON_OBJECT && type != JSON_ARRAY && type != JSON_BOOLEAN)
			continue;
		const struct keyword *keyword =
		    keyword_find(&k->keywords, c->string, dialect->draft);
		if (!keyword || !keyword_in_dialect(keyword, dialect))
			continue;
		if (hidden && strcmp(c->string, "definitions") != 0)
			continue;
		bool list = keyword->holds == HOLDS_LIST ||
			    (keyword->holds == HOLDS_SCHEMA_OR_LIST && type == JSON_ARRAY);
		bool map = keyword->holds == HOLDS_MAP || keyword->holds == HOLDS_MAP_OR_NAMES;
		struct location location = { .up = node, .holder = c };
		bool fine = true;
		if ((list && type == JSON_ARRAY) || (map && type == JSON_OBJECT))
			for (const cJSON *s = json_first(c); s && fine;
			     s = s->next, location.index++)
				fine = resource_register(k, s, location, resource, depth);
		else if (!list && !map && keyword->holds != HOLDS_NONE)
			fine = resource_register(k, c, location, resource, depth);
		if (!fine)
			return false;
	}
	return true;
}

/* Invalid positions are skipped here because compiling the keyword reports them. */
bool
resource_register(struct compiler *k, const cJSON *value, struct location location,
    struct resource *resource, unsigned depth)
{
	enum json_type type = json_type(value);
	const char *anchor = NULL;

	if ((type != JSON_OBJECT && type != JSON_BOOLEAN) || node_of(k, value))
		return true;
	if (depth > MAX_NESTING)
		return compile_fail(
		    k, resource->document->root, "nested deeper than %d", MAX_NESTING);
	if (k->schema->nodes.len >= MAX_SUBSCHEMAS)
		return compile_fail(k, value, "more than %d subschemas", MAX_SUBSCHEMAS);
	if (k->schema->resources.len + k->schema->anchors_by_name.len >= MAX_NAMES)
		return compile_fail(k, value, "more than %d names", MAX_NAMES);
	struct resource *own = resource;
	struct identity who;
	identify(value, &who);
	if (type == JSON_OBJECT && !enter_resource(k, value, &who, &own, &anchor))
		return false;
	struct node *node = pool_alloc(&k->schema->pool, sizeof(*node));
	node->source = value;
	node->location = location;
	node->resource = own;
	node->types = TYPE_ANY;
	map_add(&k->nodes, pointer_hash(value), node);
	*VEC_PUSH(&k->schema->nodes) = node;
	if (own->document == k->schema->documents.items[0])
		compile_want(k, node);
	if (!own->root)
		own->root = node;
	if (type == JSON_BOOLEAN)
		return true;
	return add_anchors(k, node, &who, anchor) && register_members(k, node, &who, depth + 1);
}

struct resource *
resource_add_root(struct compiler *k, const cJSON *value, const char *uri, struct dialect dialect)
{
	struct schema *schema = k->schema;
	size_t len = strcspn(uri, "#");
	struct document *document = pool_alloc(&schema->pool, sizeof(*document));

	document->uri = pool_text(&schema->pool, uri, len);
	document->root = value;
	*VEC_PUSH(&schema->documents) = document;
	if (cJSON_IsObject(value) && !declared_dialect(k, value, &dialect))
		return NULL;
	struct resource *resource = resource_add(k, uri, len, document, dialect);
	if (!resource_register(k, value, (struct location){ 0 }, resource, 0))
		return NULL;
	/* A root with an id has two URIs; both lead to it. */
	if (!resource->root)
		resource->root = node_of(k, value);
	return resource;
}

bool
resource_starts_unknown(const struct node *node)
{
	const struct node *up = node->location.up;

	return node->resource->dialect.unknown && (!up || !up->resource->dialect.unknown);
}

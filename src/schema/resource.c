#include "compile_priv.h"

#include "base/vec.h"

#include <string.h>

/* The dialect a schema resource says it is written in. */
static bool
declared_dialect(struct compiler *k, const cJSON *value, struct dialect *dialect)
{
	const cJSON *declared = json_get(value, "$schema");

	if (!declared)
		return true;
	if (!json_string(declared))
		return compile_fail(k, declared, "$schema must be text");
	return dialect_from_uri(k, declared, json_string(declared), dialect);
}

static bool
ref_hides_siblings(const cJSON *value, enum schema_draft draft)
{
	return draft <= SCHEMA_DRAFT_07 && json_type(json_get(value, "$ref")) == JSON_STRING;
}

static const char *
id_name(enum schema_draft draft)
{
	return draft == SCHEMA_DRAFT_04 ? "id" : "$id";
}

/* Embedded resources may be written in another dialect, which decides how their id is called. */
static bool
embedded_dialect(struct compiler *k, const cJSON *value, struct dialect *dialect)
{
	struct dialect own = *dialect;

	if (!json_get(value, "$schema") || (!json_get(value, "$id") && !json_get(value, "id")))
		return true;
	if (!declared_dialect(k, value, &own))
		return false;
	if (json_get(value, id_name(own.draft)))
		*dialect = own;
	return true;
}

/* Starts a resource where value has an id; a draft-07 "#name" is an anchor. */
static bool
enter_resource(
    struct compiler *k, const cJSON *value, struct resource **resource, const char **anchor)
{
	struct dialect dialect = (*resource)->dialect;

	*anchor = NULL;
	if (ref_hides_siblings(value, dialect.draft))
		return true;
	if (!embedded_dialect(k, value, &dialect))
		return false;
	const cJSON *id = json_get(value, id_name(dialect.draft));
	if (!id)
		return true;
	const char *text = json_string(id);
	if (!text)
		return compile_fail(k, id, "%s must be text", id->string);
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
add_anchors(struct compiler *k, struct node *node, const char *legacy)
{
	const cJSON *value = node->source;
	enum schema_draft draft = node->resource->dialect.draft;
	static const char *const NAMES[] = { "$anchor", "$dynamicAnchor" };

	if (legacy)
		anchor_add(k, legacy, node, false);
	if (draft < SCHEMA_DRAFT_2019_09)
		return true;
	for (size_t i = 0; i < (draft == SCHEMA_DRAFT_2020_12 ? 2 : 1); i++) {
		const cJSON *name = json_get(value, NAMES[i]);
		if (name && !json_string(name))
			return compile_fail(k, name, "%s must be text", NAMES[i]);
		if (name)
			anchor_add(k, json_string(name), node, i == 1);
	}
	if (draft == SCHEMA_DRAFT_2019_09 && json_is_true(json_get(value, "$recursiveAnchor")) &&
	    node->resource->root == node) {
		node->resource->recursive = true;
		compile_want(k, node);
	}
	return true;
}

static bool
register_all(struct compiler *k, const cJSON *container, struct resource *resource, unsigned depth)
{
	for (const cJSON *c = json_first(container); c; c = c->next)
		if (!resource_register(k, c, resource, depth))
			return false;
	return true;
}

static bool
register_members(struct compiler *k, const cJSON *value, struct resource *resource, unsigned depth)
{
	const struct dialect *dialect = &resource->dialect;
	bool hidden = ref_hides_siblings(value, dialect->draft);

	for (const cJSON *c = json_first(value); c; c = c->next) {
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
		bool fine = true;
		if ((list && type == JSON_ARRAY) || (map && type == JSON_OBJECT))
			fine = register_all(k, c, resource, depth);
		else if (!list && !map && keyword->holds != HOLDS_NONE)
			fine = resource_register(k, c, resource, depth);
		if (!fine)
			return false;
	}
	return true;
}

/* Positions that hold no schema are left alone: whoever compiles the keyword complains. */
bool
resource_register(struct compiler *k, const cJSON *value, struct resource *resource, unsigned depth)
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
	if (k->schema->resources.len + k->schema->anchors.len >= MAX_NAMES)
		return compile_fail(k, value, "more than %d names", MAX_NAMES);
	struct resource *own = resource;
	if (type == JSON_OBJECT && !enter_resource(k, value, &own, &anchor))
		return false;
	struct node *node = node_add(k, value, own);
	if (!own->root)
		own->root = node;
	if (type == JSON_BOOLEAN)
		return true;
	return add_anchors(k, node, anchor) && register_members(k, value, own, depth + 1);
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
	if (json_type(value) == JSON_OBJECT && !declared_dialect(k, value, &dialect))
		return NULL;
	struct resource *resource = resource_add(k, uri, len, document, dialect);
	if (!resource_register(k, value, resource, 0))
		return NULL;
	/* A root with an id has two names; both lead to it. */
	if (!resource->root)
		resource->root = node_of(k, value);
	return resource;
}

#include "compile_priv.h"

#include "base/mem.h"
#include "base/vec.h"
#include "json/pointer.h"

#include <stdlib.h>
#include <string.h>

static size_t
source_hash(const cJSON *source)
{
	uint64_t x = (uint64_t)(uintptr_t)source >> 4;

	x *= 0x9e3779b97f4a7c15u;
	return (size_t)(x >> 20);
}

static struct node_slot *
slot_of(const struct compiler *k, const cJSON *source)
{
	size_t mask = k->slot_count - 1;
	size_t i = source_hash(source) & mask;

	while (k->slots[i].source && k->slots[i].source != source)
		i = (i + 1) & mask;
	return &k->slots[i];
}

struct node *
node_of(const struct compiler *k, const cJSON *source)
{
	return k->slot_count ? slot_of(k, source)->node : NULL;
}

static void
slots_grow(struct compiler *k)
{
	struct node_slot *old = k->slots;
	size_t count = k->slot_count;

	k->slot_count = count ? count * 2 : 64;
	k->slots = mem_zalloc(k->slot_count * sizeof(*k->slots));
	for (size_t i = 0; i < count; i++)
		if (old[i].source)
			*slot_of(k, old[i].source) = old[i];
	free(old);
}

static struct node *
node_add(struct compiler *k, const cJSON *source, struct resource *resource)
{
	if (k->slots_used * 2 >= k->slot_count)
		slots_grow(k);
	struct node_slot *slot = slot_of(k, source);
	struct node *node = pool_alloc(&k->schema->pool, sizeof(*node));

	node->source = source;
	node->resource = resource;
	node->types = TYPE_ANY;
	slot->source = source;
	slot->node = node;
	k->slots_used++;
	*VEC_PUSH(&k->schema->nodes) = node;
	return node;
}

static struct resource *
resource_add(struct compiler *k, const char *uri, size_t len, enum schema_draft draft)
{
	struct resource *resource = pool_alloc(&k->schema->pool, sizeof(*resource));

	resource->uri = pool_text(&k->schema->pool, uri, len);
	resource->hash = text_hash(uri, len);
	resource->draft = draft;
	*VEC_PUSH(&k->schema->resources) = resource;
	return resource;
}

static void
anchor_add(struct compiler *k, const char *name, struct node *node, bool dynamic)
{
	*VEC_PUSH(&k->schema->anchors) = (struct anchor){
		.resource = node->resource,
		.name = pool_text(&k->schema->pool, name, strlen(name)),
		.hash = text_hash(name, strlen(name)),
		.node = node,
		.dynamic = dynamic,
	};
}

const struct anchor *
anchor_find(
    const struct schema *schema, const struct resource *resource, const char *name, bool dynamic)
{
	uint64_t hash = text_hash(name, strlen(name));

	for (size_t i = 0; i < schema->anchors.len; i++) {
		const struct anchor *a = &schema->anchors.items[i];
		if (a->resource == resource && a->hash == hash && (!dynamic || a->dynamic) &&
		    strcmp(a->name, name) == 0)
			return a;
	}
	return NULL;
}

/* The draft a schema resource says it is written in. */
static bool
declared_draft(struct compiler *k, const cJSON *value, enum schema_draft *draft)
{
	const cJSON *declared = json_get(value, "$schema");

	if (!declared)
		return true;
	const char *uri = json_string(declared);
	if (!uri)
		return compile_fail(k, declared, "$schema must be text");
	enum schema_draft found = dialect_from_uri(uri);
	if (found == SCHEMA_DRAFT_UNKNOWN)
		return compile_fail(k, declared, "unknown dialect %s", uri);
	*draft = found;
	return true;
}

static bool
ref_hides_siblings(const cJSON *value, enum schema_draft draft)
{
	return draft <= SCHEMA_DRAFT_07 && json_type(json_get(value, "$ref")) == JSON_STRING;
}

/* Starts a resource where value has an id; a draft-07 "#name" is an anchor. */
static bool
enter_resource(
    struct compiler *k, const cJSON *value, struct resource **resource, const char **anchor)
{
	enum schema_draft draft = (*resource)->draft;

	*anchor = NULL;
	if (ref_hides_siblings(value, draft))
		return true;
	if (json_get(value, "$id") && !declared_draft(k, value, &draft))
		return false;
	const cJSON *id = json_get(value, draft == SCHEMA_DRAFT_04 ? "id" : "$id");
	if (!id)
		return true;
	const char *text = json_string(id);
	if (!text)
		return compile_fail(k, id, "%s must be text", id->string);
	if (draft <= SCHEMA_DRAFT_07 && text[0] == '#') {
		*anchor = text + 1;
		return true;
	}
	buf_clear(&k->scratch);
	uri_resolve((*resource)->uri, text, &k->scratch);
	const char *uri = buf_text(&k->scratch);
	size_t len = strcspn(uri, "#");
	if (uri[len] && uri[len + 1]) {
		if (draft > SCHEMA_DRAFT_07)
			return compile_fail(k, id, "$id must not have a fragment");
		*anchor = strchr(text, '#') + 1;
	}
	*resource = resource_add(k, uri, len, draft);
	return true;
}

static bool
add_anchors(struct compiler *k, struct node *node, const char *legacy)
{
	const cJSON *value = node->source;
	enum schema_draft draft = node->resource->draft;
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
	    node->resource->root == node)
		node->resource->recursive = true;
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
	bool hidden = ref_hides_siblings(value, resource->draft);

	for (const cJSON *c = json_first(value); c; c = c->next) {
		const struct keyword *keyword = keyword_find(c->string, resource->draft);
		if (!keyword || !keyword_in_draft(keyword, resource->draft))
			continue;
		if (hidden && strcmp(c->string, "definitions") != 0)
			continue;
		enum json_type type = json_type(c);
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
		return compile_fail(k, k->schema->text, "nested deeper than %d", MAX_NESTING);
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

bool
resource_add_root(struct compiler *k, const cJSON *value, const char *uri, enum schema_draft draft)
{
	if (json_type(value) == JSON_OBJECT && !declared_draft(k, value, &draft))
		return false;
	struct resource *resource = resource_add(k, uri, strlen(uri), draft);
	size_t before = k->schema->nodes.len;
	if (!resource_register(k, value, resource, 0))
		return false;
	/* A root with an id has two names; both lead to it. */
	if (!resource->root && k->schema->nodes.len > before)
		resource->root = k->schema->nodes.items[before];
	return true;
}

static struct resource *
resource_find(const struct schema *schema, const char *uri, size_t len)
{
	uint64_t hash = text_hash(uri, len);

	for (size_t i = 0; i < schema->resources.len; i++) {
		struct resource *r = schema->resources.items[i];
		if (r->hash == hash && strlen(r->uri) == len && memcmp(r->uri, uri, len) == 0 &&
		    r->root)
			return r;
	}
	return NULL;
}

static const cJSON *
step_into(struct compiler *k, const cJSON *at, const struct buf *token)
{
	const char *text = buf_text(token);

	if (json_type(at) == JSON_OBJECT)
		return lookup_member(&k->lookup, at, text);
	if (json_type(at) != JSON_ARRAY || token->len == 0 || token->len > 9 ||
	    strspn(text, "0123456789") != token->len)
		return NULL;
	size_t index = (size_t)strtoul(text, NULL, 10);
	const cJSON *c = json_first(at);
	for (; c && index > 0 && k->walked < MAX_WALKED; index--, k->walked++)
		c = c->next;
	return index > 0 ? NULL : c;
}

/* A pointer may lead through other resources, and to where no keyword puts a schema. */
static struct node *
follow_pointer(
    struct compiler *k, struct resource *resource, const char *pointer, const cJSON *where)
{
	const cJSON *at = resource->root->source;
	struct buf token = BUF_INIT;

	while (at && json_pointer_next(&pointer, &token)) {
		at = step_into(k, at, &token);
		struct node *node = at ? node_of(k, at) : NULL;
		if (node)
			resource = node->resource;
	}
	buf_finish(&token);
	if (!at || *pointer) {
		compile_fail(k, where, "%s leads nowhere", json_string(where));
		return NULL;
	}
	if (!node_of(k, at) && !resource_register(k, at, resource, 0))
		return NULL;
	if (!node_of(k, at))
		compile_fail(k, where, "%s does not lead to a schema", json_string(where));
	return node_of(k, at);
}

static struct node *
follow_fragment(
    struct compiler *k, struct resource *resource, const char *fragment, const cJSON *where)
{
	struct buf text = BUF_INIT;
	struct node *node = NULL;

	if (!uri_decode(fragment, &text)) {
		compile_fail(k, where, "%s is not a URI reference", json_string(where));
	} else if (text.len == 0) {
		node = resource->root;
	} else if (text.data[0] == '/') {
		node = follow_pointer(k, resource, buf_text(&text), where);
	} else {
		const struct anchor *a =
		    anchor_find(k->schema, resource->root->resource, buf_text(&text), false);
		if (a)
			node = a->node;
		else
			compile_fail(k, where, "%s leads nowhere", json_string(where));
	}
	buf_finish(&text);
	return node;
}

struct node *
resource_resolve(struct compiler *k, const struct node *from, const cJSON *reference)
{
	struct buf uri = BUF_INIT;
	struct node *node = NULL;

	if (!json_string(reference)) {
		compile_fail(k, reference, "%s must be text", reference->string);
		return NULL;
	}
	uri_resolve(from->resource->uri, json_string(reference), &uri);
	const char *text = buf_text(&uri);
	size_t len = strcspn(text, "#");
	struct resource *resource = resource_find(k->schema, text, len);
	if (!resource)
		compile_fail(k, reference, "%s leads out of the schema: nothing is fetched",
		    json_string(reference));
	else
		node = follow_fragment(k, resource, text + len + (text[len] == '#'), reference);
	buf_finish(&uri);
	return node;
}

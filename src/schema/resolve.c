#include "compile_priv.h"

#include "json/pointer.h"

#include <string.h>

static const cJSON *
step_into(struct compiler *k, const cJSON *at, const struct buf *token)
{
	const char *text = buf_text(token);
	size_t index;

	if (json_type(at) == JSON_OBJECT)
		return lookup_member(&k->lookup, at, text);
	if (json_type(at) != JSON_ARRAY || !json_pointer_index(text, SIZE_MAX, &index))
		return NULL;
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
	struct node *last = resource->root; /* of the schemas on the way */
	const char *rest = pointer;         /* from there */
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
		compile_doubt(k, where, "%s leads nowhere", json_string(where));
		return NULL;
	}
	if (last->source == at)
		return last;
	struct spot spot = { .up = last, .way = pool_text(&k->schema->pool, rest, strlen(rest)) };
	if (!resource_register(k, at, spot, last->resource, 0))
		return NULL;
	if (!node_of(k, at))
		compile_doubt(k, where, "%s does not lead to a schema", json_string(where));
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
		fine = uri_decode(fragment, &decoded);
		fragment = buf_text(&decoded);
	}
	if (!fine) {
		compile_doubt(k, where, "%s is not a URI reference", json_string(where));
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
			compile_doubt(k, where, "%s leads nowhere", json_string(where));
	}
	buf_finish(&decoded);
	return node;
}

/* A document of the library, read in the dialect of the schema that refers to it unless it says
 * otherwise. */
static struct resource *
load_document(struct compiler *k, const struct node *from, const char *uri, const cJSON *reference)
{
	const cJSON *root = *uri ? compile_document(k, uri) : NULL;

	if (!root) {
		compile_doubt(k, reference, "%s leads out of the schema: nothing is fetched",
		    json_string(reference));
		return NULL;
	}
	struct resource *resource = resource_add_root(k, root, uri, from->resource->dialect);
	if (resource && !resource->root) {
		compile_doubt(k, reference, "%s does not lead to a schema", json_string(reference));
		return NULL;
	}
	return resource;
}

static struct node *
follow_uri(struct compiler *k, const struct node *from, const cJSON *reference)
{
	struct buf uri = BUF_INIT;
	struct node *node = NULL;

	uri_resolve(from->resource->uri, json_string(reference), &uri);
	const char *text = buf_text(&uri);
	size_t len = strcspn(text, "#");
	struct resource *resource = resource_find(k->schema, text, len);
	if (!resource)
		resource = load_document(k, from, text, reference);
	if (resource)
		node = follow_fragment(k, resource, text + len + (text[len] == '#'), reference);
	buf_finish(&uri);
	return node;
}

struct node *
resolve_reference(struct compiler *k, const struct node *from, const cJSON *reference)
{
	const char *text = json_string(reference);
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
		compile_doubt(k, reference, "leads to an unknown dialect");
	return node;
}

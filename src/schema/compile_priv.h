#ifndef SCHEMA_COMPILE_PRIV_H
#define SCHEMA_COMPILE_PRIV_H

#include "keyword_priv.h"

#include "base/buf.h"

#define MAX_SUBSCHEMAS 200000
#define MAX_NAMES 100000 /* resources and anchors */
#define MAX_NESTING 1000
#define MAX_WALKED 50000000

struct lookup_slot {
	const cJSON *object, *member;
	const char *name;
};

struct lookup {
	struct lookup_slot *slots;
	size_t count, used;
};

struct compiler {
	struct schema *schema;
	struct schema_problem *problem;
	struct keyword_index keywords;
	struct node_slot *slots; /* source -> node */
	size_t slot_count, slots_used;
	struct lookup lookup;
	size_t walked;  /* items passed on the way to one that a reference names by number */
	size_t unknown; /* keywords that nobody knows */
	bool failed;    /* the schema cannot be used: *problem says why */
	struct buf scratch;
	struct {
		struct rule *items;
		size_t len, cap;
	} rules; /* of the node in hand */
	struct {
		struct node **items;
		size_t len, cap;
	} wanted; /* nodes to compile, in the order of finding */
};

/* Says what is wrong at `where` (in the schema's text) and returns false. */
bool compile_fail(struct compiler *k, const cJSON *where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds a rule that neither holds nor fails: it is not known what this member demands. */
void compile_doubt(struct compiler *k, const cJSON *member, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds a rule of this keyword to the node in hand. The pointer dies at the next call. */
struct rule *compile_rule(struct compiler *k, const struct keyword *keyword, const cJSON *value);
/* A rule that is not run by itself: what a shared loop reports with. */
const struct rule *compile_silent_rule(
    struct compiler *k, const struct keyword *keyword, const cJSON *value);
/* The node of a subschema; NULL after a problem. */
struct node *compile_child(struct compiler *k, const cJSON *value);
bool compile_children(struct compiler *k, const cJSON *array, struct node_list *out);
struct regex *compile_regex(
    struct compiler *k, const char *pattern, const cJSON *where, bool *broken);
enum schema_draft compile_draft(const struct node *node);
/* Another keyword of the same schema object. */
const cJSON *compile_sibling(const struct node *node, const char *name);

/* A document of the library; NULL where there is none. */
const cJSON *compile_document(struct compiler *k, const char *uri);
void compile_want(struct compiler *k, struct node *node);

/* registry.c: what has been found so far. */
struct node *node_of(const struct compiler *k, const cJSON *source);
struct node *node_add(
    struct compiler *k, const cJSON *source, struct spot spot, struct resource *resource);
struct resource *resource_add(struct compiler *k, const char *uri, size_t len,
    const struct document *document, struct dialect dialect);
struct resource *resource_find(const struct schema *schema, const char *uri, size_t len);
void anchor_add(struct compiler *k, const char *name, struct node *node, bool dynamic);

/* resource.c: finds every (sub)schema below value, which stands at spot, and gives it a node. */
bool resource_register(struct compiler *k, const cJSON *value, struct spot spot,
    struct resource *resource, unsigned depth);
/* The dialect is for where value does not declare one. NULL after a problem. */
struct resource *resource_add_root(
    struct compiler *k, const cJSON *value, const char *uri, struct dialect dialect);

/* The schemas from here on are of a dialect that nobody knows. */
bool resource_starts_unknown(const struct node *node);

/* resolve.c: what a reference in the node in hand leads to. NULL after a problem (k->failed), or
 * where it leads nowhere, which is a doubt. */
struct node *resolve_reference(struct compiler *k, const struct node *from, const cJSON *reference);

/* plan.c: what can be known once all nodes are compiled. */
void plan_all(struct schema *schema);

/* lookup.c: json_get() that does not slow down with the size of the object. */
const cJSON *lookup_member(struct lookup *l, const cJSON *object, const char *name);
void lookup_finish(struct lookup *l);

/* dialect.c: a URI that nobody knows leaves the draft as it is, and sets `unknown`. */
bool dialect_from_uri(
    struct compiler *k, const cJSON *where, const char *uri, struct dialect *dialect);

/* uri.c */
void uri_resolve(const char *base, const char *reference, struct buf *out); /* appends */
bool uri_decode(const char *text, struct buf *out); /* %XX; false where malformed */

compile_fn compile_type, compile_enum, compile_const, compile_bound, compile_multiple,
    compile_count;
compile_fn compile_pattern, compile_format, compile_unique, compile_ref, compile_dynamic_ref;
compile_fn compile_properties, compile_pattern_properties, compile_additional_properties,
    compile_required;
compile_fn compile_schema, compile_items, compile_prefix_items, compile_additional_items;
compile_fn compile_contains_count, compile_list, compile_if, compile_dependent_schemas;
compile_fn compile_dependent_required, compile_dependencies, compile_unevaluated,
    compile_legacy_bound;
compile_fn compile_definitions;

#endif

#ifndef SCHEMA_COMPILE_COMPILE_H
#define SCHEMA_COMPILE_COMPILE_H

#include "base/buf.h"
#include "schema/compiled.h"

/* Drafts, as a mask of 1 << enum schema_draft. */
#define D04 (1u << SCHEMA_DRAFT_04)
#define D06 (1u << SCHEMA_DRAFT_06)
#define D07 (1u << SCHEMA_DRAFT_07)
#define D19 (1u << SCHEMA_DRAFT_2019_09)
#define D20 (1u << SCHEMA_DRAFT_2020_12)
#define SINCE_19 (D19 | D20)
#define SINCE_07 (D07 | SINCE_19)
#define SINCE_06 (D06 | SINCE_07)
#define ALL_DRAFTS (D04 | SINCE_06)
#define UNTIL_07 (D04 | D06 | D07)

/* Where a keyword's value has schemas in it. */
enum holds {
	HOLDS_NONE,
	HOLDS_SCHEMA,
	HOLDS_LIST,           /* [schema...] */
	HOLDS_MAP,            /* { name: schema } */
	HOLDS_SCHEMA_OR_LIST, /* items until 2019-09 */
	HOLDS_MAP_OR_NAMES,   /* dependencies */
};

struct record;
typedef bool compile_fn(
    struct compiler *k, struct node *node, const struct keyword *keyword, const cJSON *value);
typedef void say_fn(const struct record *record, struct buf *out);

/*
 * One row of KEYWORDS. Rows stand in the order in which they are checked. A row
 * without compile is an annotation; one without check is checked along with
 * another (required with properties).
 */
struct keyword {
	const char *name;
	unsigned drafts, vocabularies;
	enum holds holds;
	unsigned applies; /* types of value it looks at */
	compile_fn *compile;
	check_fn *check;
	say_fn *expected; /* "an integer" */
	say_fn *line;     /* NULL: FOUND, expected EXPECTED */
};

extern const struct keyword KEYWORDS[];
extern const size_t KEYWORD_COUNT;

/* Names to rows; filled anew for each compilation, which takes less than a microsecond. */
#define KEYWORD_SLOTS 256
struct keyword_index {
	uint8_t rows[KEYWORD_SLOTS]; /* number + 1 */
};
void keyword_index_init(struct keyword_index *index);
/* The row for name in this draft; where that draft has none, the row of another draft; or NULL. */
const struct keyword *keyword_find(
    const struct keyword_index *index, const char *name, enum schema_draft draft);
bool keyword_in_dialect(const struct keyword *keyword, const struct dialect *dialect);
const struct keyword *keyword_row(const char *name); /* the first of that name, which must exist */

/* dialect.c */
struct dialect dialect_of_draft(enum schema_draft draft);
void dialect_add_uri(enum schema_draft draft, struct buf *out); /* of its metaschema */
/* The draft whose metaschema is meant. as_written: by the very URI that others know it by, too. */
enum schema_draft dialect_named(const char *uri, bool *as_written);

/* Sentences for the rows: report/words_*.c. */
say_fn say_type, say_enum, say_const, say_number_bound, say_multiple, say_length, say_pattern,
    say_format;
say_fn line_type, line_enum, line_const, line_number_bound, line_multiple, line_length,
    line_pattern, line_format;
say_fn say_name, say_not_declared, say_size, say_unique, say_contains, say_alternatives,
    say_surplus, say_not, say_nothing;
say_fn line_missing, line_not_declared, line_unique, line_contains, line_alternatives, line_surplus,
    line_not, line_nothing;

/* Known to say nothing about validity: x-…, ui:…, a word of OpenAPI or of an editor. */
bool keyword_is_foreign(const char *name);
/* The keyword that an unknown one is probably a misspelling of, if that asserts anything; or NULL.
 */
const struct keyword *keyword_meant(const char *name);

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

/* resource.c: the nodes, resources and anchors found so far. */
struct node *node_of(const struct compiler *k, const cJSON *source);
struct resource *resource_find(const struct schema *schema, const char *uri, size_t len);

/* Finds every (sub)schema below value, which stands at spot, and gives it a node. */
bool resource_register(struct compiler *k, const cJSON *value, struct spot spot,
    struct resource *resource, unsigned depth);
/* The dialect is for where value does not declare one. NULL after a problem. */
struct resource *resource_add_root(
    struct compiler *k, const cJSON *value, const char *uri, struct dialect dialect);

/* The schemas from here on are of a dialect that nobody knows. */
bool resource_starts_unknown(const struct node *node);

/* plan.c: what can be known once all nodes are compiled. */
void plan_all(struct schema *schema);

/* reference.c: the large objects that references lead through. */
void lookup_finish(struct lookup *l);

/* dialect.c: a URI that nobody knows leaves the draft as it is, and sets `unknown`. */
bool dialect_from_uri(
    struct compiler *k, const cJSON *where, const char *uri, struct dialect *dialect);

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

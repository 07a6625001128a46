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

/* The places of schemas in the value of a keyword. */
enum holds {
	HOLDS_NONE,
	HOLDS_SCHEMA,
	HOLDS_LIST,           /* [schema...] */
	HOLDS_MAP,            /* { name: schema } */
	HOLDS_SCHEMA_OR_LIST, /* items before 2020-12 */
	HOLDS_MAP_OR_NAMES,   /* dependencies */
};

struct record;
/* Compiles the keyword of the compiler, whose value this is. Returns false after a problem. */
typedef bool compile_fn(struct compiler *k, const cJSON *value);
typedef void say_fn(const struct record *record, struct buf *out);

/*
 * One row of KEYWORDS. Rows are in the order in which they are checked. A row without compile
 * is an annotation; one without check is checked together with another (required with
 * properties).
 */
struct keyword {
	const char *name;
	unsigned drafts, vocabularies;
	enum holds holds;
	unsigned applies; /* types of value that it applies to */
	compile_fn *compile;
	check_fn *check;
	say_fn *expected; /* "an integer" */
	say_fn *line;     /* NULL: FOUND, expected EXPECTED */
};

extern const struct keyword KEYWORDS[];
extern const size_t KEYWORD_COUNT;

/* Maps names to rows; rebuilt for each compilation, which takes less than a microsecond. */
#define KEYWORD_SLOTS 256
struct keyword_index {
	uint8_t rows[KEYWORD_SLOTS]; /* row number + 1 */
};
void keyword_index_init(struct keyword_index *index);
/* The row for name in this draft, or else in another draft, or NULL. */
const struct keyword *keyword_find(
    const struct keyword_index *index, const char *name, enum schema_draft draft);
bool keyword_in_dialect(const struct keyword *keyword, const struct dialect *dialect);
const struct keyword *keyword_row(
    const char *name); /* the first one with that name, which must exist */

/* dialect.c */
struct dialect dialect_of_draft(enum schema_draft draft);
void dialect_add_uri(enum schema_draft draft, struct buf *out); /* of its metaschema */
/* The draft of this metaschema URI. as_written: only for the exact URI that other validators
 * know. */
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

/* Known not to affect validity: x-…, ui:…, a keyword of OpenAPI or of an editor. */
bool keyword_is_foreign(const char *name);
/* The assertion or applicator that an unknown keyword probably misspells, or NULL. */
const struct keyword *keyword_meant(const char *name);

#define MAX_SUBSCHEMAS 200000
#define MAX_NAMES 100000 /* resources and anchors */
#define MAX_NESTING 1000
#define MAX_WALKED 50000000

struct compiler {
	struct schema *schema;
	struct schema_problem *problem;
	struct keyword_index keywords;
	struct node *node;             /* the one in hand */
	const struct keyword *keyword; /* of its keywords, the one in hand */
	struct map nodes;   /* by source */
	struct map members; /* of large objects on reference paths, by object and name */
	size_t walked;      /* items skipped to reach one that a reference names by index */
	size_t unknown;     /* unknown keywords */
	bool failed;        /* the schema is unusable: *problem says why */
	struct buf scratch;
	struct {
		struct rule *items;
		size_t len, cap;
	} rules; /* of the current node */
	struct {
		struct node **items;
		size_t len, cap;
	} wanted; /* nodes to compile, in the order they were found */
};

/* Records the problem at `where` (in the schema's text) and returns false. */
bool compile_fail(struct compiler *k, const cJSON *where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds an undecided rule, because the meaning of this member is unknown. */
void compile_doubt(struct compiler *k, const cJSON *member, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Fails unless the value has this type. */
bool compile_expects(struct compiler *k, const cJSON *value, enum json_type type);
/* Adds a rule for the keyword to the node. The pointer is valid until the next call. */
struct rule *compile_rule(struct compiler *k, const cJSON *value);
struct rule *compile_rule_of(struct compiler *k, const struct keyword *keyword, const cJSON *value);
/* A rule that never runs: a shared loop reports its violations. */
const struct rule *compile_silent_rule(struct compiler *k, const cJSON *value);
/* The node of a subschema; NULL after a problem. */
struct node *compile_child(struct compiler *k, const cJSON *value);
bool compile_children(struct compiler *k, const cJSON *array, struct node_list *out);
struct regex *compile_regex(
    struct compiler *k, const char *pattern, const cJSON *where, bool *broken);
enum schema_draft compile_draft(const struct compiler *k);
/* Another keyword of the same schema object. */
const cJSON *compile_sibling(const struct compiler *k, const char *name);

/* A document of the library, or NULL. */
const cJSON *compile_document(struct compiler *k, const char *uri);
void compile_want(struct compiler *k, struct node *node);

/* resource.c: the nodes, resources and anchors found so far. */
struct node *node_of(const struct compiler *k, const cJSON *source);
struct resource *resource_find(const struct schema *schema, const char *uri, size_t len);

/* Finds every subschema at and below value, which is located at location, and creates its node. */
bool resource_register(struct compiler *k, const cJSON *value, struct location location,
    struct resource *resource, unsigned depth);
/* dialect applies if value does not declare one. NULL after a problem. */
struct resource *resource_add_root(
    struct compiler *k, const cJSON *value, const char *uri, struct dialect dialect);

/* The schemas from here on have an unknown dialect. */
bool resource_starts_unknown(const struct node *node);

/* plan.c: prepares shortcuts once all nodes are compiled. */
void plan_all(struct schema *schema);

/* dialect.c: an unknown URI keeps the draft and sets `unknown`. */
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

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
#define SINCE_20 (D20 | 1u << SCHEMA_DRAFT_V1)
#define SINCE_19 (D19 | SINCE_20)
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
/* How a subschema applies to a value. */
enum edge_kind {
	EDGE_ALWAYS,
	EDGE_BRANCH, /* anyOf, oneOf: some are valid */
	EDGE_ITEM,   /* contains: valid for some items */
	EDGE_IF,     /* comes before its then and else */
	EDGE_THEN,
	EDGE_ELSE,
	EDGE_NOT,
	EDGE_NAME, /* propertyNames: about the child's name */
	EDGE_LEFT, /* unevaluated…: only children that no other keyword has evaluated */
};

/* Visits the edges of the walk that the rule makes. */
struct edge_walk;
typedef void walk_fn(const struct edge_walk *walk, const struct rule *rule);
typedef void add_words_fn(const struct record *record, struct buf *out);

/* What a keyword does, defined in its file in src/schema/keyword. All may be NULL. */
struct keyword_functions {
	compile_fn *compile;    /* NULL: an annotation */
	check_fn *check;        /* NULL: checked together with another keyword */
	walk_fn *walk;          /* its subschemas that apply to a value */
	enum edge_kind edge;    /* of this kind */
	add_words_fn *expected; /* "an integer"; NULL: KEYWORD VALUE */
	add_words_fn *line;     /* NULL: FOUND, expected EXPECTED */
	const char *fault;      /* of rows: "too many"; NULL: not EXPECTED */
};

/* A row of KEYWORDS. */
struct keyword {
	const char *name;
	const struct keyword_functions *does;
	enum rule_kind kind;
	unsigned drafts, vocabularies;
	unsigned applies; /* types of value that it applies to */
	enum holds holds;
};

extern const struct keyword keywords[];
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
	struct map nodes;              /* by source */
	struct map members;            /* of large objects on reference paths, by object and name */
	size_t walked;  /* items skipped to reach one that a reference names by index */
	size_t unknown; /* unknown keywords */
	bool failed;    /* the schema is unusable: *problem says why */
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
void compile_undecided(struct compiler *k, const cJSON *member, const char *format, ...)
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

/* reference.c: decides where dynamic references lead, if only one target is possible. */
void references_settle(struct schema *schema);

/* plan.c: prepares shortcuts once all nodes are compiled. */
void plan_all(struct schema *schema);

/* dialect.c: an unknown URI keeps the draft and sets `unknown`. */
bool dialect_from_uri(
    struct compiler *k, const cJSON *where, const char *uri, struct dialect *dialect);

#endif

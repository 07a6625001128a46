#ifndef SCHEMA_KEYWORD_PRIV_H
#define SCHEMA_KEYWORD_PRIV_H

#include "schema_priv.h"

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

/* Words for the rows: words_values.c, words_structure.c. */
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
/* The keyword that an unknown one is probably a misspelling of, if that asserts anything; or NULL. */
const struct keyword *keyword_meant(const char *name);

#endif

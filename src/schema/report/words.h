#ifndef SCHEMA_REPORT_WORDS_H
#define SCHEMA_REPORT_WORDS_H

#include "report.h"

/* What sentences about violations share: phrases, descriptions of schemas, and which branch of
 * anyOf or oneOf was meant. */

enum kinds_by { KINDS_BY_VALUE = 1, KINDS_BY_NAME }; /* constants; names of OpenAPI */

/* branches.c: the properties that a branch declares, directly or through a reference; may be
 * NULL. */
struct object_rules;
const struct object_rules *branch_members(const struct node *branch);
/* The types that can pass, as far as `type` and equivalent keywords show. *looks goes down with
 * each node visited. */
unsigned branch_types(const struct node *branch, unsigned *looks);

#define FIT_CHILDREN 64 /* only so many children are compared */

/* What a branch says of a value: a bit for each child. */
struct fit {
	uint64_t known;    /* it declares a schema for it */
	uint64_t failing;  /* that schema fails */
	uint64_t mistyped; /* because of the type */
	uint64_t unnamed;  /* because of a const, enum or pattern */
	bool lacks;        /* a required property is missing, or an array is too short */
	bool forbids;      /* a property is undeclared, and nothing else is allowed; or an array is too long */
	unsigned rank;     /* for the caller */
};
/* The schema that a branch declares for a child of the value, or NULL. */
const struct node *branch_child(const struct node *branch, const cJSON *child, size_t index);
struct fit branch_fit(struct checker *c, const struct node *branch, const cJSON *value);

/* Phrases that sentences about violations share. */
void add_found(const struct record *record, struct buf *out);
void add_expected(const struct record *record, struct buf *out);
void add_value(const cJSON *value, struct buf *out); /* shortened JSON */
void add_count(size_t count, const char *one, const char *many, struct buf *out);
void add_subject(const struct record *record, struct buf *out); /* a value, or the current name */
void add_short(const char *text, struct buf *out);    /* the beginning of a name or pattern */
void add_property(const char *name, struct buf *out); /* quoted unless it looks like a name */
void add_types(unsigned types, struct buf *out);      /* "a string or null" */
void add_nothing_line(const struct record *record, struct buf *out); /* nothing is allowed here */

/* describe.c: describes a schema by its type or constants; returns false if these do not tell. */
bool add_kind(const struct node *node, struct buf *out);
/* Its title, or the name of its reference; returns false if it has neither. */
bool add_schema_name(const cJSON *source, struct buf *out);
/* The value matches this schema, but must not: "a must not be present", "7 is excluded". */
void add_excluded_line(const struct record *record, const struct node *schema, struct buf *out);
/* true and {}; false and {"not": {}} */
bool matches_anything(const struct node *node);
bool matches_nothing(const struct node *node);

/* difference.c: what is hard to see, such as " (character 4 is a no-break space, not a space)", or
 * what differs in long values: "differs from the constant at /a: 1 is not 2". False, and nothing,
 * if there is nothing to add. The second only tells Unicode forms apart. */
bool add_text_difference(const char *found, const char *meant, struct buf *out);
bool add_form_difference(const char *found, const char *meant, struct buf *out);
/* Characters outside ASCII that nobody sees, such as a zero width space: \u200b. */
bool has_unseen(const char *text);
void add_escaped(const char *text, struct buf *out);
bool add_first_difference(const cJSON *found, const cJSON *meant, struct buf *out);

/* Checks a value against a subschema for more words, by the effort of the record. NULL if there is
 * too little effort left. */
struct report *check_again(
    const struct record *record, const struct node *node, const cJSON *value);
/* The first violation of that check; returns false if there is none. */
bool add_reason_of(
    const struct record *record, const struct node *node, const cJSON *value, struct buf *out);

/* Uses the effort of the record. */
void suggest_for(struct did_you_mean *suggestion, const char *word, const struct record *record);
/* " (did you mean NAME?)" */
void add_suggestion(const struct did_you_mean *suggestion, const char *quote, struct buf *out);

#endif

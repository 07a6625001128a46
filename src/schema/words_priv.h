#ifndef SCHEMA_WORDS_PRIV_H
#define SCHEMA_WORDS_PRIV_H

#include "base/likely.h"
#include "report_priv.h"

/* Words that sentences about violations share. */
void say_found(const struct record *record, struct buf *out);
void say_value(const cJSON *value, struct buf *out); /* shortened JSON */
void say_count(size_t count, const char *one, const char *many, struct buf *out);
void say_subject(const struct record *record, struct buf *out); /* a value, or the name in hand */
void say_short(const char *text, struct buf *out);    /* a name, a pattern: its beginning */
void say_property(const char *name, struct buf *out); /* quoted unless it reads as a name */
void say_types(unsigned types, struct buf *out);      /* a string or null */
/* What a schema is for, by its type or constants; false: that does not tell it. */
bool say_kind(const struct node *node, struct buf *out);

/* With as much effort as the record has. */
void want_likely(struct likely *likely, const char *word, const struct record *record);
/* " (did you mean NAME?)" */
void say_likely(const struct likely *likely, const char *quote, struct buf *out);

/* ---- words_choices.c: constants, one of which is wanted ---- */

#define LISTED_WHOLE 5 /* longer lists are cut after three */
#define LISTED_SHORT 3

struct choices {
	const cJSON *first[LISTED_WHOLE];
	size_t count;
	unsigned types;     /* of other values that will do, too */
	const cJSON *found; /* NULL: what was found is not told */
	const cJSON *twin;  /* reads like it, but is a string, or is not */
	struct likely likely;
};

/* Tells what was found, and looks for what was meant among the constants added from then on. */
void choices_want(struct choices *choices, const struct record *record);
void choices_add_rule(struct choices *choices, const struct rule *rule); /* const or enum */
void say_choices(const struct choices *choices, struct buf *out);
/* VALUE is not one of CHOICES (did you mean ...?) */
void line_choices(const struct record *record, const struct choices *choices, struct buf *out);

#endif

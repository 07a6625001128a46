#ifndef SCHEMA_WORDS_PRIV_H
#define SCHEMA_WORDS_PRIV_H

#include "report_priv.h"

/* Words that sentences about violations share. */
struct likely;

void say_found(const struct record *record, struct buf *out);
void say_value(const cJSON *value, struct buf *out); /* shortened JSON */
void say_count(size_t count, const char *one, const char *many, struct buf *out);
void say_subject(const struct record *record, struct buf *out); /* a value, or the name in hand */
void say_short(const char *text, struct buf *out); /* a name, a pattern: its beginning */
void say_types(unsigned types, struct buf *out);   /* text or null */
/* What is of the type or the constants that a schema is about; false: that is not all it says. */
bool say_kind(const struct node *node, struct buf *out);

void want_likely(struct likely *likely, const char *word, const struct record *record);
/* " (did you mean NAME?)" */
void say_likely(const struct likely *likely, const char *quote, struct buf *out);

#endif

#ifndef SCHEMA_FORM_VARIANTS_PRIV_H
#define SCHEMA_FORM_VARIANTS_PRIV_H

#include "schema/schema.h"

/* The variants of a form's fields: choosing one, which one a value is of, and what is wrong by it.
 */
struct field;
struct form;
struct judge;

/* form_variants.c */
void field_choose(struct field *field, size_t variant); /* no value is touched */
void field_drop_drafts(struct field *field);
const char *field_tag(const struct field *field); /* see struct shape */
/* Another variant where only that has the member or, token being an index, items. */
void field_choose_for(struct field *field, const char *token, bool bare);
/* After a value was set that the variant around it does not allow: the one that does. */
void field_settle(struct field *field, bool bare);

/* form_match.c */
#define NO_VARIANT ((size_t)-1)
size_t field_match(struct field *field, const cJSON *json); /* the one that is meant */

/* form_judge.c: the form's schema, and values by parts of it */
#define FORM_MATCHING 2000000 /* variants looked at, */
#define FORM_CHECKING 5000000 /* and steps of checks, for one thing done */
void form_compile(struct form *form);
bool form_holds(struct form *form, const cJSON *schema, const cJSON *value);
struct report *form_judge(struct form *form, const cJSON *schema, const cJSON *value); /* or NULL */
void judge_destroy(struct judge *judge);

#endif

#ifndef MODEL_JOURNAL_JOURNAL_H
#define MODEL_JOURNAL_JOURNAL_H

#include "model/journal.h"

/* brief.c: what a message says, in one line */
void journal_describe(struct journal_entry *e, const cJSON *message);

/* timings.c */
void timings_finish(struct timings *t);
void timings_add_request(struct timings *t, const struct journal_entry *request);
void timings_add_reply(
    struct timings *t, const struct journal_entry *request, const struct journal_entry *reply);
void timings_add_error(struct timings *t, const struct journal_entry *request);

#endif

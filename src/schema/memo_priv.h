#ifndef SCHEMA_MEMO_PRIV_H
#define SCHEMA_MEMO_PRIV_H

#include "check_priv.h"

/*
 * A schema that doubles its way is 2^n checks of n nodes: where alternatives nest deeply, or
 * keywords that look at the same children, what a shared node came to for a value is remembered.
 */
#define MEMO_NESTED 8 /* of these in each other from where that is done */

bool memo_wanted(const struct checker *c, const struct subject *s);
/* How the check came here, as far as that matters; to be asked for before the run. */
uint64_t memo_way(struct checker *c);
/* False: it is not known, or not all that is wanted is. */
bool memo_recall(struct checker *c, const struct subject *s, uint64_t way, bool *result);
/* before: as the run began. */
void memo_keep(struct checker *c, const struct subject *s, uint64_t way, const struct trial *before,
    bool result);

#endif

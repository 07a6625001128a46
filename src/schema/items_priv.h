#ifndef SCHEMA_ITEMS_PRIV_H
#define SCHEMA_ITEMS_PRIV_H

#include "check_priv.h"
#include "json/rows.h"

/* The items of an array, lazy or not. What is reported about an item is reported about the one
 * that items_lasting() returns, which lives as long as the report. */
void items_begin(struct checker *c, struct json_items *it, const cJSON *array);
const cJSON *items_lasting(struct checker *c, const struct json_items *it);
/* The check is over: items that nothing was reported about are forgotten. */
void items_end(struct report *report);

/* The item obeys node: it is collected from only when a quick look finds something wrong. */
bool check_item(struct checker *c, const struct node *node, const struct json_items *it);
static inline void
items_next(struct checker *c, struct json_items *it)
{
	c->epoch += it->reader != NULL;
	json_items_next(it);
}

#endif

#ifndef DEMO_OFFERS_PRIV_H
#define DEMO_OFFERS_PRIV_H

#include "demo_priv.h"

/* What the demo server offers beside tools: resources.c, prompts.c, complete.c, subscribe.c. */

/* The methods of that name. */
void demo_list_resources(struct demo_call *call);
void demo_list_templates(struct demo_call *call);
void demo_read_resource(struct demo_call *call);
void demo_list_prompts(struct demo_call *call);
void demo_get_prompt(struct demo_call *call);
void demo_complete(struct demo_call *call);
void demo_subscribe(struct demo_call *call);
void demo_unsubscribe(struct demo_call *call);
void demo_listen(struct demo_call *call);

void demo_listen_cancel(struct demo *d, const char *id);
void demo_count(struct demo *d); /* a tool was called */
bool demo_is_month(const char *text);
bool demo_is_city(const char *country, const char *city);

#endif

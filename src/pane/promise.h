#ifndef PANE_PROMISE_PRIV_H
#define PANE_PROMISE_PRIV_H

#include "json/doc.h"
#include "ui/page.h"

/* What a declared outputSchema says that results look like, as an outline. */
void promise_write(struct page *page, const cJSON *output_schema);

#endif

#ifndef PANE_OVERVIEW_OVERVIEW_H
#define PANE_OVERVIEW_OVERVIEW_H

#include "model/journal.h"
#include "pane/pane.h"
#include "ui/page.h"

#include <stddef.h>
#include <stdint.h>

/* Server requests by method, each counted once while it is in the journal. */
enum { OVERVIEW_ASKED = 5 };

struct overview_asked {
	uint64_t seen; /* the last journal entry counted */
	size_t count[OVERVIEW_ASKED];
};

extern const char *const overview_asked_names[OVERVIEW_ASKED];
void overview_count_asked(struct overview_asked *asked, const struct journal *journal);

/* Describes the shown server, which must exist. Adds new requests to asked. */
void overview_write(struct page *p, struct overview_asked *asked, const struct pane_env *env);

#endif

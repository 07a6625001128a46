#ifndef PANE_OVERVIEW_OVERVIEW_H
#define PANE_OVERVIEW_OVERVIEW_H

#include "client/journal.h"
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

/* The cost of the tools for a model, once it is counted. */
struct cost_size {
	size_t bytes, tokens; /* an estimate */
};
struct tool_costs;
struct overview_costs {
	const struct server *server; /* whose they are, and the state of its lists */
	uint64_t lists;
	struct job *job;
	struct tool_costs *counted; /* NULL: not yet */
	size_t order;
	bool changed; /* the page has not got them yet */
};

void overview_count_costs(struct overview_costs *costs, const struct view_env *env);
void overview_sort_costs(struct overview_costs *costs); /* the next order */
void overview_forget_costs(struct overview_costs *costs);
void overview_write_costs(struct page *p, const struct overview_costs *costs);

/* Describes the shown server, which must exist. Adds new requests to asked. */
void overview_write(struct page *p, struct overview_asked *asked,
    const struct overview_costs *costs, const struct view_env *env);

#endif

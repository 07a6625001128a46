#include "pane/pane.h"

#include <assert.h>

const struct pane_ops *const pane_table[] = {
#define X(id) &pane_##id,
	PANES(X)
#undef X
};
static_assert(sizeof(pane_table) / sizeof(pane_table[0]) == PANE_COUNT, "one row for each pane");

#include "pane/pane.h"

#include "base/vec.h"

#include <assert.h>

const struct pane_ops *const pane_table[] = {
#define X(id) &pane_##id,
	PANES(X)
#undef X
};
static_assert(ARRAY_LEN(pane_table) == PANE_COUNT, "one row for each pane");

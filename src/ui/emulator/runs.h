#ifndef UI_EMULATOR_RUNS_H
#define UI_EMULATOR_RUNS_H

#include "base/buf.h"
#include "ui/surface.h"
#include "ui/vterm_library.h"

/*
 * A row of cells in few bytes: runs of text of one style, without trailing blanks. Each non-ASCII
 * character is a separate run, so that it cannot join its neighbor's cluster.
 */
void runs_add(struct buf *out, const VTermScreenCell *cells, int count);
void runs_draw(struct surface s, int y, const char *runs, size_t len);

/* Lines that have left the screen at the top, bounded in lines and bytes: the oldest go first. */
enum { KEPT_ROWS = 10000 };
#define KEPT_BYTES ((size_t)8 << 20)

struct kept_row {
	char *bytes;
	size_t len;
};

struct kept_rows {
	struct kept_row *ring; /* KEPT_ROWS; NULL: nothing yet */
	size_t first, len, bytes;
};

void kept_rows_add(struct kept_rows *h, const char *bytes, size_t len);
/* 0 is the oldest. */
const struct kept_row *kept_rows_at(const struct kept_rows *h, size_t index);
void kept_rows_finish(struct kept_rows *h);

#endif

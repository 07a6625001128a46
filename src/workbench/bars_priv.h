#ifndef WORKBENCH_BARS_PRIV_H
#define WORKBENCH_BARS_PRIV_H

#include "layout.h"
#include "model/choice.h"
#include "ui/surface.h"

/* What stands above and below the panes, and where: what is clicked there is found again. */
struct workbench;

/* tabs.c: the servers in the top bar */
bool tabs_wanted(const struct workbench *wb);
int tabs_draw(const struct workbench *wb, struct surface s); /* returns the columns used */
/* The choice whose tab is there, or one of these. */
#define TABS_NONE SIZE_MAX
#define TABS_MORE (SIZE_MAX - 1)
size_t tabs_at(const struct workbench *wb, int width, int x);
const char *tabs_server_name(const struct workbench *wb, const struct server *server);
const char *tabs_server_mark(const struct server *server, enum role *role); /* NULL: none yet */

/* bars.c */
int bars_tabs_x(void); /* where the servers' tabs begin */
int bars_tabs_width(const struct workbench *wb);
void bars_draw_top(struct workbench *wb, struct surface s);
void bars_draw_tabs(struct workbench *wb, struct surface s);
/* The pane whose tab is at column x, -1: none. */
int bars_tab_at(const struct workbench *wb, int x);

/* hints.c: the bottom bar */
/* Its words, as they were drawn last. */
enum { HINTS_MAX = 24 };
struct hints {
	struct hint_zone {
		int from, to; /* columns */
		const char *command;
	} items[HINTS_MAX];
	size_t len;
};

void hints_draw(struct workbench *wb, struct surface s);
const char *hints_at(const struct workbench *wb, int x); /* the command there; NULL: none */

/* What of the titles can be clicked; a width of 0: nothing. */
struct titles {
	struct rect chips[PANE_COUNT + 1]; /* the ✕ of a filter or search; the last: of the help */
	struct {
		struct rect place;
		uint32_t number;
	} keys[PANE_COUNT]; /* a fact that names an F key */
};

/* draw.c: the frame of a pane, or of the help, with its filter or search in the title */
struct surface frame_draw(struct workbench *wb, struct surface outer, int pane, bool focused,
    struct buf *title, const struct buf *facts, enum role role);

#endif

#ifndef PANE_TEXT_PRIV_H
#define PANE_TEXT_PRIV_H

#include "pane/pane.h"

/* What several panes say and do alike. */

void pane_add_bytes(struct buf *out, size_t bytes);           /* "121 B", "1.4 MB" */
void pane_add_tokens(struct buf *out, size_t bytes, int per); /* "≈ 41 tokens" */

/* Text from row y over as many rows as it takes; returns how many. */
int pane_draw_text(struct surface s, int y, enum role role, const char *text);

/* What there is to say of the server while no tool can be selected. */
void pane_draw_server_state(const struct pane_env *env, struct surface s);

/* The row of a list's filter, which says what it is, or what may be typed there. */
void pane_draw_filter(struct surface s, const char *text, const char *hint);
/* A click on it, in column x: clears it, or opens the line that changes it. */
bool pane_click_filter(const struct pane_env *env, const char *text, int x);

/* Scrolls `top` over count lines by arrows, paging and the wheel. */
bool pane_scroll_key(size_t *top, size_t count, const struct key *key);

#endif

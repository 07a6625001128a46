#ifndef PANE_TEXT_PRIV_H
#define PANE_TEXT_PRIV_H

#include "pane/pane.h"

/* Text and keys shared by panes. */

void pane_add_bytes(struct buf *out, size_t bytes);           /* "121 B", "1.4 MB" */
void pane_add_tokens(struct buf *out, size_t bytes, int per); /* "≈ 41 tokens" */

/* Wraps the text from row y; returns the rows used. */
int pane_draw_text(struct surface s, int y, enum role role, const char *text);

/* The state of the server while no tool can be selected. */
void pane_draw_server_state(const struct pane_env *env, struct surface s);

/* The filter row of a list: the filter, or a hint of its syntax. */
void pane_draw_filter(struct surface s, const char *text, const char *hint);
/* A click in column x clears the filter or opens it for editing. */
bool pane_click_filter(const struct pane_env *env, const char *text, int x);

/* Scrolls `top` over count lines by arrows, paging and the wheel. */
bool pane_scroll_key(size_t *top, size_t count, const struct key *key);

#endif

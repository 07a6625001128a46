#ifndef HOST_BROWSER_H
#define HOST_BROWSER_H

#include "loop/loop.h"

/*
 * The user's web browser: $BROWSER, else xdg-open, started without a shell, in a session
 * of its own and without our terminal. It outlives us.
 */
struct browser;

/* There is $BROWSER, or a screen of this machine that a browser could appear on. */
bool browser_is_likely(void);

/* how: "opened by xdg-open", "xdg-open ended with exit code 3". Once, from the loop. A browser that
 * stays in the foreground is never reported. */
typedef void browser_end_fn(void *user, bool ok, const char *how);

/* url: http or https, checked by the caller too. NULL with err: it cannot be started. */
struct browser *browser_open(
    struct loop *loop, const char *url, browser_end_fn *on_end, void *user, struct err *err);
const char *browser_name(const struct browser *b);
void browser_destroy(struct browser *b); /* leaves the program alone. NULL-safe */

#endif

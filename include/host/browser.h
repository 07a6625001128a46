#ifndef HOST_BROWSER_H
#define HOST_BROWSER_H

#include "loop/loop.h"

/*
 * The user's web browser: $BROWSER, else xdg-open, started without a shell in its own session,
 * detached from our terminal. It outlives this program.
 */
struct browser;

/* True if $BROWSER is set or this machine has a display. */
bool browser_is_likely(void);

/* how: "opened by xdg-open", "xdg-open ended with exit code 3". Called once, from the loop;
 * never for a browser that stays in the foreground. */
typedef void browser_end_fn(void *user, bool ok, const char *how);

/* url: http or https; the caller checks too. NULL with err: it cannot be started. */
struct browser *browser_open(
    struct loop *loop, const char *url, browser_end_fn *on_end, void *user, struct err *err);
/* Another program of the user, started likewise: a command of words without a shell. */
struct strings;
struct browser *browser_run(
    struct loop *loop, struct strings *words, browser_end_fn *on_end, void *user, struct err *err);
const char *browser_name(const struct browser *b);
void browser_destroy(struct browser *b); /* does not end the program. NULL-safe */

#endif

#ifndef APP_SCREEN_H
#define APP_SCREEN_H

#include "loop/loop.h"
#include "ui/backend.h"
#include "ui/input.h"
#include "ui/surface.h"
#include "ui/theme.h"

/*
 * The terminal on the loop: keys in, frames out. Draws before the loop sleeps: at
 * once after a key, else no sooner than 16 ms after the last frame.
 */
struct screen;

struct screen_events {
	void (*on_key)(void *user, const struct key *key);
	void (*draw)(void *user, struct grid *grid);
	/* Microseconds, when the picture moves by itself; INT64_MAX: never. */
	int64_t (*next_frame_us)(void *user, int64_t now_us);
	void (*on_gone)(void *user); /* the terminal hung up */
};

/* Takes the loop's idle hook. barrier: answer `CSI 7700;n~` after drawing (for tests). */
struct screen *screen_create(struct loop *loop, const struct backend_options *options,
    const struct theme *theme, bool barrier, const struct screen_events *events, void *user,
    struct err *err);
void screen_destroy(struct screen *s); /* restores the terminal; NULL-safe */
void screen_restore_async(const struct screen *s);

void screen_set_theme(struct screen *s, const struct theme *theme);
void screen_dirty(struct screen *s);                                /* something changed */
void screen_resized(struct screen *s);                              /* SIGWINCH */
void screen_write(struct screen *s, const char *bytes, size_t len); /* for the terminal itself */
/* Gives the terminal away (an editor, ctrl-z) and takes it back. */
void screen_suspend(struct screen *s);
bool screen_resume(struct screen *s, struct err *err);

#endif

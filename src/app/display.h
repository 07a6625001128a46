#ifndef APP_DISPLAY_H
#define APP_DISPLAY_H

#include "loop/loop.h"
#include "ui/backend.h"
#include "ui/input.h"
#include "ui/surface.h"
#include "ui/theme.h"

/*
 * The terminal on the loop: keys in, frames out. Draws before the loop sleeps: at
 * once after a key, else at most one frame in 16 ms; frames not drawn meanwhile may
 * follow each other at once, a few of them, so that a start is not slowed down.
 */
struct display;

struct display_events {
	void (*on_key)(void *user, const struct key *key);
	void (*draw)(void *user, struct grid *grid);
	/* Microseconds, when the picture moves by itself; INT64_MAX: never. */
	int64_t (*next_frame_us)(void *user, int64_t now_us);
	/* Something that takes a few milliseconds, when nothing else is to be done; true: it was.
	 */
	bool (*work)(void *user);
	void (*on_gone)(void *user); /* the terminal hung up */
};

/* Takes the loop's idle hook. barrier: answer `CSI 7700;n~` after drawing (for tests). */
struct display *display_create(struct loop *loop, const struct backend_options *options,
    const struct theme *theme, bool barrier, const struct display_events *events, void *user,
    struct err *err);
void display_destroy(struct display *s); /* restores the terminal; NULL-safe */
void display_restore_async(const struct display *s);

void display_set_theme(struct display *s, const struct theme *theme);
void display_dirty(struct display *s);   /* something changed */
void display_resized(struct display *s); /* SIGWINCH */
void display_size(const struct display *s, int *width, int *height);
void display_write(struct display *s, const char *bytes, size_t len); /* for the terminal itself */
/* Gives the terminal away (an editor, ctrl-z) and takes it back. */
void display_suspend(struct display *s);
bool display_resume(struct display *s, struct err *err);

/* When a signal ends the program (a crash, SIGUSR1, a limit of CPU time...) or memory runs out, the
 * terminal is restored and the children are ended before a line says so. NULL takes the guard off.
 * One at a time. */
void crash_guard(struct loop *loop, struct display *display);

#endif

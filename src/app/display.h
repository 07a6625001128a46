/* SPDX-License-Identifier: MIT */
#ifndef APP_DISPLAY_H
#define APP_DISPLAY_H

#include "loop/loop.h"
#include "ui/backend.h"
#include "ui/input.h"
#include "ui/surface.h"
#include "ui/theme.h"

/*
 * The terminal on the loop: keys in, frames out. Draws before the loop sleeps: at once after a
 * key, else at most one frame per 16 ms. Unused frames are saved up, a few of them, so that
 * startup is not slowed down.
 */
struct display;

struct display_events {
	void (*on_key)(void *user, const struct key *key);
	void (*draw)(void *user, struct grid *grid);
	/* The time in microseconds of the next animation frame; INT64_MAX: none. */
	int64_t (*next_frame_us)(void *user, int64_t now_us);
	/* Will the next frames show more without any event? Jobs run, or the last one was
	 * unfinished. */
	bool (*is_busy)(void *user);
	void (*on_gone)(void *user); /* the terminal hung up */
};

/* Takes the loop's idle hook. display_set_theme() must follow. barrier: answer `CSI 7700;n~` after
 * drawing (for tests). */
struct display *display_create(struct loop *loop, const struct backend_options *options,
    bool barrier, const struct display_events *events, void *user, struct err *err);
void display_destroy(struct display *s); /* restores the terminal; NULL-safe */

void display_set_theme(struct display *s, const struct theme *theme);
/* False: the terminal does not say that it has these graphics; it may change its mind. */
bool display_set_pictures(struct display *s, enum backend_pictures pictures, struct err *err);
void display_dirty(struct display *s);                  /* something to show changed */
void display_resized(void *display, int signal_number); /* SIGWINCH */
struct backend_info display_info(const struct display *s);
void display_write(struct display *s, const char *bytes, size_t len); /* raw bytes */
/* Hands the terminal over (to an editor, on ctrl-z) and takes it back. */
void display_suspend(struct display *s);
bool display_resume(struct display *s, struct err *err);

/* If a signal ends the program (a crash, SIGUSR1, a CPU limit ...) or memory runs out, restores
 * the terminal and ends the child processes, then prints one line. NULL removes the guard. One
 * at a time. */
void crash_guard(struct loop *loop, struct display *display);

#endif

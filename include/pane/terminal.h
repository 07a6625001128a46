/* SPDX-License-Identifier: MIT */
#ifndef PANE_TERMINAL_H
#define PANE_TERMINAL_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Programs on their own terminals, shown in the terminal pane. The pane has the screen; src/app
 * has the process and its pty.
 */
struct terminal_program {
	char *const *argv; /* NULL-terminated; borrowed for the call */
	const char *name;  /* for the title; likewise */
	/* Called at its end with the exit code, -1 after a signal; may be NULL. */
	void (*on_end)(void *user, int code);
	void *user;
	bool closes; /* the pane, even after a failure that on_end() reports */
};

struct terminal_size {
	int width, height;
};

/* The pane receives the output of the program and its end ("exit code 3"). */
struct terminal_listener {
	void (*on_bytes)(void *user, const char *bytes, size_t len);
	void (*on_end)(void *user, int code, const char *how);
	void *user;
};

struct terminal_link; /* a running program; the effects have it (pane/effects.h) */

struct view_env;
/* Opens the program on top of those that run. */
bool terminal_pane_open(void *state, const struct view_env *env,
    const struct terminal_program *program, struct terminal_size size, struct err *err);
bool terminal_pane_is_empty(const void *state);

#endif

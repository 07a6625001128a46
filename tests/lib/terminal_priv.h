/* SPDX-License-Identifier: MIT */
#ifndef TERMINAL_PRIV_H
#define TERMINAL_PRIV_H

#include <termios.h>
#include <vterm.h>

#include "base/buf.h"
#include "escapes.h"
#include "processes.h"
#include "terminal.h"

struct terminal {
	VTerm *vt;
	VTermScreen *screen;
	struct escapes escapes;
	int master, slave; /* slave stays open to keep the line settings after the program ended */
	int pidfd;         /* -1 if not supported by the kernel */
	pid_t pid;
	bool exited;
	int status;
	int64_t started_us;
	int rows, cols;
	bool resized; /* since the last barrier */
	bool no_sync;
	const char *background, *device;
	enum { OUTSIDE, ESCAPED, IN_APC, ESCAPED_IN_APC } apc;
	struct termios before;
	struct processes processes;
	struct buf to_program;
	struct buf log;
	uint64_t bytes;
	long barrier_sent, barrier_seen;
	int barrier_rows, barrier_cols; /* size in the last answer; 0 without one */
	char title[256];
	char mark[64];
	char *home;
	struct buf text; /* buffer of terminal_row() and terminal_screen() */
};

/* Move bytes both ways, waiting up to timeout_ms for any. Returns false if the program has ended
 * and all its output was read. */
bool terminal_pump(struct terminal *t, int timeout_ms);

#endif

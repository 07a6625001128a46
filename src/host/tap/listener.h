/* SPDX-License-Identifier: MIT */
#ifndef HOST_TAP_LISTENER_H
#define HOST_TAP_LISTENER_H

#include "base/err.h"
#include "loop/loop.h"

/*
 * A tap's socket, mode 0600 in a folder of the user. A client that connects gets the lines of the
 * recording, beginning with the past lines that are kept.
 */
struct listener;

/* NULL: there can be none, and err says why. */
struct listener *listener_create(struct loop *loop, struct err *err);
void listener_destroy(
    struct listener *l); /* first sends pending lines, for a short time; NULL-safe */
void listener_add(struct listener *l, const char *line, size_t len);

/* Connects to the tap of that process, or to the newest: a blocking descriptor; -1 with err. */
int listener_connect(const char *pid, struct err *err);

#endif

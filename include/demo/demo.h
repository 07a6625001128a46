/* SPDX-License-Identifier: MIT */
#ifndef DEMO_DEMO_H
#define DEMO_DEMO_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The built-in demo server: one tool for each thing mcpane can show, in both
 * protocol eras. A connection is modern (2026-07-28) once a request carries the
 * envelope in _meta, legacy once a plain initialize arrived.
 *
 * The server itself does no I/O: bytes and times come in by calls, output
 * collects in a buffer of the caller. It does its work in small steps,
 * so a million rows are never in memory at once. demo_serve() is the thin
 * wrapper around two file descriptors.
 */
struct demo;

struct demo_output {
	struct buf bytes; /* drained by the caller, or left to grow */
	/* how the process should end because the tool `crash` was called */
	enum demo_crash { DEMO_ALIVE, DEMO_ABORTS, DEMO_EXITS } crash;
};

/* out is zeroed, outlives the server, and is freed by the caller. */
struct demo *demo_create(struct demo_output *out);
void demo_destroy(struct demo *d); /* NULL-safe */

void demo_on_bytes(struct demo *d, const char *bytes, size_t len);
/* One small step: a request answered, a chunk of rows, a progress notification. False: there was
 * nothing to do. */
bool demo_work(struct demo *d, int64_t now_ms);
/* When demo_work() has something to do without further input; INT64_MAX for never. */
int64_t demo_next_time(const struct demo *d);

/* Serves until in_fd ends or out_fd is closed by its reader. Returns the exit status of the
 * process: 0, or 1 after an I/O error. The tool `crash` does not return. */
int demo_serve(int in_fd, int out_fd);

#endif

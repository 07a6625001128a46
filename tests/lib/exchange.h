/* SPDX-License-Identifier: MIT */
#ifndef EXCHANGE_H
#define EXCHANGE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The lower bound for any client: start a stdio server, initialize, list its tools, and kill it
 * when the answer is complete. Parses only the id. Returns false if the server ended first.
 */
bool exchange_run(const char *const *argv);

/* Run a program to its end and drop its output. Returns the exit code, or -signal if a signal
 * killed it. A program that cannot be started gives -1 or, as in a shell, 127. */
int exchange_run_to_end(const char *const *argv);

/* The same exchange, kept open. NULL if the server ended first. */
struct exchange;
struct exchange *exchange_open(const char *const *argv);
/* Connect to an HTTP server on loopback, without sending anything yet. */
struct exchange *exchange_open_web(const char *url);
/* Send a line with its newline and wait for a line; over HTTP, send a POST and wait for its
 * answer. */
bool exchange_line(struct exchange *e, const char *line, size_t len);
void exchange_close(struct exchange *e); /* kills the server */

#endif

#ifndef EXCHANGE_H
#define EXCHANGE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * What no client can be faster than: start a stdio server, initialize, list its tools, kill it
 * when the answer is complete. Nothing is parsed but the id. False: the server ended first.
 */
bool exchange_run(const char *const *argv);

/* Runs a program to its end, its output read and dropped. Returns the exit code, -signal when one
 * killed it; a program that cannot be started gives -1 or, as a shell has it, 127. */
int exchange_run_to_end(const char *const *argv);

/* The same exchange, left open for more. NULL: the server ended first. */
struct exchange;
struct exchange *exchange_open(const char *const *argv);
/* The same with a server of HTTP on loopback, by one connection: nothing is sent yet. */
struct exchange *exchange_open_web(const char *url);
/* Sends a line, newline included, and waits for a line; by HTTP a POST and its answer. */
bool exchange_line(struct exchange *e, const char *line, size_t len);
void exchange_close(struct exchange *e); /* kills the server */

#endif

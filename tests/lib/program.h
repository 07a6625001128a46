#ifndef TESTS_PROGRAM_H
#define TESTS_PROGRAM_H

#include "base/buf.h"
#include "processes.h"

#include <sys/types.h>

/*
 * A program run with pipes for its streams, as a script would. Nothing sleeps for luck: what
 * is waited for has a deadline of 30 s, and a wait that runs out fails the cmocka test.
 */
struct program {
	pid_t pid;
	int in, out_fd, err_fd; /* our ends; -1 once closed */
	struct buf out, err;
	int exit_code; /* 128 + the signal's number when one ended it */
	char mark[64];
	struct processes processes;
};

/* argv is NULL-terminated; argv[0] a path. */
void program_start(struct program *p, const char *const *argv);
/* Writes input and closes its standard input, reads all of its output, waits for its end. */
void program_finish(struct program *p, const char *input, size_t len);
/* Both in one; no input. */
void program_run(struct program *p, const char *const *argv);
/* Until so many processes come from it, itself not counted. */
void program_wait_processes(struct program *p, size_t count);
void program_free(struct program *p);

#endif

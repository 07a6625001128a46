/* SPDX-License-Identifier: MIT */
#ifndef TESTS_PROGRAM_H
#define TESTS_PROGRAM_H

#include "base/buf.h"
#include "processes.h"

#include <sys/types.h>

/*
 * A program run with pipes for its standard streams. No test sleeps: every wait is for a condition,
 * with a deadline of 30 s that fails the cmocka test.
 */
struct program {
	pid_t pid;
	int in, out_fd, err_fd; /* our ends of the pipes; -1 when closed */
	struct buf out, err;
	int exit_code; /* 128 + signal number if a signal ended it */
	char mark[64];
	struct processes processes;
};

/* argv is NULL-terminated; argv[0] is a path. */
void program_start(struct program *p, const char *const *argv);
/* Write input, close standard input, read all output and wait for the exit. */
void program_finish(struct program *p, const char *input, size_t len);
/* Start and finish, without input. */
void program_run(struct program *p, const char *const *argv);
/* Wait until the program has count descendants. */
void program_wait_processes(struct program *p, size_t count);
void program_free(struct program *p);

#endif

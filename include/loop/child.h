/* SPDX-License-Identifier: MIT */
#ifndef LOOP_CHILD_H
#define LOOP_CHILD_H

#include "loop/loop.h"

#include <spawn.h>
#include <stdbool.h>
#include <sys/types.h>

/*
 * A server's process: started by posix_spawn(3) without a shell, in a separate session and process
 * group, with default signal handling and three pipes or a pseudo-terminal. It is ended by a
 * ladder: stdin is closed; grace_ms later the group gets SIGTERM; kill_ms later SIGKILL. Signals
 * go to the group, so that processes started by a launcher end too. If the leader has exited, the
 * rest of the group gets SIGTERM at once. (MCP 2026-07-28, basic/transports/stdio, shutdown.)
 */
struct child;
struct child_confinement;

struct child_ladder {
	int grace_ms; /* from the closed stdin to SIGTERM; 0: at once */
	int kill_ms;  /* from SIGTERM to SIGKILL; 0: at once */
};
extern const struct child_ladder child_default_ladder; /* 150 and 500 ms */

struct child_size {
	int width, height;
};

/* Everything is borrowed for the call only. */
struct child_options {
	const char *const *argv; /* NULL-terminated; argv[0] without a slash is looked up in PATH */
	/* NAME=value..., NULL-terminated, over our own; NAME alone removes it; NULL: none */
	const char *const *env;
	/* Its controlling terminal instead of pipes; our end is child_fd(STDIN_FILENO), to read
	 * and to write. Closing it hangs up. */
	const struct child_size *terminal;
	/* Names of our variables that it inherits, NULL-terminated; NULL: all. A * ends a name as a
	 * wildcard. */
	const char *const *inherits;
	/* argv is this program as that server, which takes its standard streams: it runs in a copy
	 * of the process, which spares the start of a program, unless there are other threads. */
	int (*serve)(int in_fd, int out_fd);
	const char *cwd;                          /* NULL: ours; none with confined */
	const struct child_confinement *confined; /* NULL: not confined */
	const struct child_ladder *ladder;        /* NULL: child_default_ladder */
	bool without_pidfd;                       /* use SIGCHLD, as on kernels before 5.3 */
};

struct child_status {
	bool stopped;      /* child_stop() came before the exit */
	bool signalled;    /* so did a signal from the ladder */
	int exit_code;     /* -1: ended by a signal */
	int signal_number; /* 0: it exited */
};
/* "exit code 3", "killed by SIGSEGV". */
void child_status_text(const struct child_status *status, char *out, size_t size);

/* The leader has exited. Called once, from the loop; the pipes may still hold its output. May
 * destroy the child. */
typedef void child_exit_fn(void *user, const struct child_status *status);

/* NULL with err ("nosuch: command not found") if it cannot be started. */
struct child *child_spawn(struct loop *loop, const struct child_options *options,
    child_exit_fn *on_exit, void *user, struct err *err);
/* Frees the record and closes the descriptors; no callback follows. A running process is stopped by
 * the ladder in the background, as long as the loop turns. NULL-safe. */
void child_destroy(struct child *child);

pid_t child_pid(const struct child *child); /* also the number of its process group */
/* Our ends of the pipes: non-blocking, owned by the child; -1 once closed. which: STDIN_FILENO,
 * STDOUT_FILENO or STDERR_FILENO. */
int child_fd(const struct child *child, int which);
void child_resize(const struct child *child, struct child_size size); /* its terminal */
void child_close_fd(struct child *child, int which);                  /* remove watches first */

/* posix_spawnp(3) of any program, with default signal handling, optionally in a new session.
 * Returns 0 or an errno. */
int spawn_plainly(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
    bool session, char *const argv[], char *const env[]);

/* Starts the ladder: closes stdin (remove watches on it first). Further calls do nothing. */
void child_stop(struct child *child);

/*
 * The end of the program. With the first child a guard is forked: a process without descriptors and
 * without a terminal that sleeps until the program has ended, even by SIGKILL, and then ends the
 * groups that are left. The two functions below end all children of the loop in order. After
 * either, the loop must not turn again; children may be destroyed and loop_destroy() called.
 */
/* Returns at once: the guard runs the ladder and outlives the program by at most its length.
 * Used by list-and-exit, quitting and, because it is async-signal-safe, crash handlers. */
void child_hand_over(struct loop *loop);
/* Runs the ladder in this process; returns when no child is left: at most grace_ms + kill_ms. */
void child_end_all(struct loop *loop);

/*
 * Restrictions of a child between fork(2) and execve(2), for a program that runs untrusted code.
 * It has no descriptors except its standard streams and the two described here, and writes no core
 * files. If a step fails, it does not run, and child_spawn() reports the step and the reason.
 */
struct child_confinement {
	int passed; /* becomes descriptors 3 and 4: a socket; the caller closes its copy */
	uid_t uid;  /* becomes this user, without groups; 0: stays who we are */
	gid_t gid;
	/* New namespaces: users (only itself), network (without any device that is up), System V
	 * objects, and mounts, with an empty /dev/shm that ends with the last process. */
	bool namespaces;
	/* With namespaces: folders that it sees as empty; NULL-terminated. Missing ones are
	 * skipped. */
	const char *const *hidden;
};

#endif

#ifndef LOOP_CHILD_H
#define LOOP_CHILD_H

#include "loop/loop.h"

#include <sys/types.h>

/*
 * A server's process: started by posix_spawn(3) without a shell, in a session and
 * process group of its own, with default signal handling and three pipes. It ends by
 * a ladder: stdin is closed; grace_ms later the group gets SIGTERM; kill_ms later
 * SIGKILL. The group is the unit, so that what a launcher started ends with it; the
 * rest of a group whose leader has exited is terminated at once.
 * (MCP 2026-07-28, basic/transports/stdio, shutdown.)
 */
struct child;

struct child_ladder {
	int grace_ms; /* from the closed stdin to SIGTERM; 0: at once */
	int kill_ms;  /* from SIGTERM to SIGKILL; 0: at once */
};
extern const struct child_ladder child_default_ladder; /* 150 and 500 ms */

/* Everything is borrowed for the call only. */
struct child_options {
	const char *const *argv; /* NULL-terminated; argv[0] without a slash is looked up in PATH */
	const char *const *env;  /* NAME=value..., NULL-terminated, over our own; NULL: none */
	/* Names of our own variables that it gets, NULL-terminated; NULL: all. * stands for any
	 * end. */
	const char *const *inherits;
	const char *cwd;                   /* NULL: ours */
	const struct child_ladder *ladder; /* NULL: child_default_ladder */
	bool without_pidfd;                /* watch it by SIGCHLD, as on kernels before 5.3 */
};

struct child_status {
	bool stopped;      /* child_stop() came before the exit */
	bool signalled;    /* and so did a signal from the ladder */
	int exit_code;     /* -1 when a signal ended it */
	int signal_number; /* 0 when it exited */
};
/* "exit code 3", "killed by SIGSEGV". */
void child_status_text(const struct child_status *status, char *out, size_t size);

/* The leader has exited. Called once, from the loop; what it wrote may still lie in the pipes. The
 * child may be destroyed from here. */
typedef void child_exit_fn(void *user, const struct child_status *status);

/* NULL with err ("nosuch: command not found") when it cannot be started: known at once. */
struct child *child_spawn(struct loop *loop, const struct child_options *options,
    child_exit_fn *on_exit, void *user, struct err *err);
/* The record and the descriptors go; no callback comes any more. A process that lives is stopped
 * by the ladder in the background, as long as the loop turns. NULL-safe. */
void child_destroy(struct child *child);

pid_t child_pid(const struct child *child); /* also the number of its process group */
/* Our ends of the pipes: non-blocking, owned by the child. -1 once closed. Index by STDIN_FILENO,
 * STDOUT_FILENO, STDERR_FILENO. */
int child_fd(const struct child *child, int which);
void child_close_fd(struct child *child, int which); /* remove watches first */

/* Starts the ladder; closes stdin (remove watches on it first). Once is enough. */
void child_stop(struct child *child);

/*
 * The end of the program. Beside the first child a guard is forked: a process without descriptors
 * and terminal that sleeps until this one has ended, by SIGKILL too, and then ends the groups that
 * are left. So a program may just end; two functions do it in order. Both act on every child of the
 * loop; after either the loop must not turn any more, children may be destroyed and loop_destroy()
 * called.
 */
/* Returns at once: the guard climbs the ladder and outlives the program by at most its length. For
 * "list and exit", for quitting, and, being async-signal-safe, for a crash handler. */
void child_hand_over(struct loop *loop);
/* Climbs the ladder itself and returns when no child is left: at most grace_ms + kill_ms. */
void child_end_all(struct loop *loop);

#endif

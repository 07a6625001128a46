/* SPDX-License-Identifier: MIT */
#ifndef LOOP_CHILDREN_H
#define LOOP_CHILDREN_H

#include "loop/child.h"

enum child_stage { CHILD_RUNNING, CHILD_GRACE, CHILD_TERMINATED, CHILD_KILLED };

/* A process group as the guard knows it, in shared memory. */
struct group {
	pid_t pid; /* set last; 0: free */
	struct child_ladder ladder;
	enum child_stage stage;
};

/* Crash handlers walk the list, so each change to it is a single store. */
struct child {
	struct child *next;
	struct loop *loop;
	pid_t pid;
	struct group *group; /* NULL: ended, or left to the guard */
	int pidfd;           /* -1: SIGCHLD is used */
	int fds[3];
	struct loop_watch *watch;
	struct loop_timer timer;
	child_exit_fn *on_exit;
	void *user;
	bool stopped;
	bool exited;   /* the leader */
	bool ended;    /* the group has, or was left to the guard */
	bool released; /* by the owner */
};

struct guard;

/* ---- guard.c: the process that ends groups when this program has ended ---- */
/* A free entry of the table, for guard_watch(); creates the guard if *guard is NULL. */
struct group *guard_reserve(struct guard **guard, struct err *err);
void guard_watch(struct guard *guard, struct group *group, pid_t pid, struct child_ladder ladder);
/* The guard process ends once the groups in its table have; does not wait for it. NULL-safe. */
void guard_destroy(struct guard *guard);

/* The children of a loop, and the process that ends them if the program cannot. */
struct children {
	struct child *first;
	struct guard *guard; /* NULL before the first child */
};
struct children *loop_children(struct loop *loop);

/* Frees the guard and the records of children without an owner, for loop_destroy(). A child that
 * still runs and was not left to the guard is a bug. */
void child_forget_all(struct children *children);

#endif

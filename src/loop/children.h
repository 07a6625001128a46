#ifndef LOOP_CHILDREN_H
#define LOOP_CHILDREN_H

#include "loop/child.h"

enum child_stage { CHILD_RUNNING, CHILD_GRACE, CHILD_TERMINATED, CHILD_KILLED };

/* What the guard has to know of a process group, in memory that it shares. */
struct group {
	pid_t pid; /* set last; 0: free */
	struct child_ladder ladder;
	enum child_stage stage;
};

/* Handlers of crash signals walk the list, so it is changed by single stores. */
struct child {
	struct child *next;
	struct loop *loop;
	pid_t pid;
	struct group *group; /* NULL: ended, or the guard's alone */
	int pidfd;           /* -1: watched by SIGCHLD */
	int fds[3];
	struct loop_watch *watch;
	struct loop_timer timer;
	child_exit_fn *on_exit;
	void *user;
	bool stopped;
	bool exited;   /* the leader */
	bool ended;    /* the group, or it was handed over: nothing more to do */
	bool released; /* by the owner */
};

struct guard;

struct spawned {
	pid_t pid;
	int fds[3];
};

bool spawn_process(const struct child_options *options, struct spawned *spawned, struct err *err);

/* ---- guard.c: the process that ends groups when this program has ended ---- */
/* A place in the table for guard_watch(), which takes it; a guard is made when *guard is NULL. */
struct group *guard_reserve(struct guard **guard, struct err *err);
void guard_watch(struct guard *guard, struct group *group, pid_t pid, struct child_ladder ladder);
/* The process ends once the groups in its table have; it is not waited for. NULL-safe. */
void guard_destroy(struct guard *guard);

/* The children this loop looks after (child.c), and the process that ends them if need be. */
struct children {
	struct child *first;
	struct guard *guard; /* NULL before the first child */
};
struct children *loop_children(struct loop *loop);

/* For loop_destroy(): drops the records of children nobody owns any more, and the guard; a living
 * child that was neither handed over nor ended is a bug. */
void child_forget_all(struct children *children);

#endif

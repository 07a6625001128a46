#ifndef LOOP_CHILD_PRIV_H
#define LOOP_CHILD_PRIV_H

#include "loop/child.h"
#include "loop_priv.h"

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

#endif

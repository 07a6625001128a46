#ifndef LOOP_CHILD_PRIV_H
#define LOOP_CHILD_PRIV_H

#include "loop/child.h"

enum child_stage { CHILD_RUNNING, CHILD_GRACE, CHILD_TERMINATED, CHILD_KILLED };

/* Handlers of crash signals walk the list, so it is changed by single stores. */
struct child {
	struct child *next;
	struct loop *loop;
	pid_t pid;
	int pidfd; /* -1: watched by SIGCHLD */
	int fds[3];
	struct child_ladder ladder;
	struct loop_watch *watch;
	struct loop_timer timer;
	child_exit_fn *on_exit;
	void *user;
	enum child_stage stage;
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

#endif

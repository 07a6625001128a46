/* SPDX-License-Identifier: MIT */
#include "children.h"

#include "base/clock.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * The guard: a forked process that sleeps until its pipe ends, which happens when this program ends
 * in any way, including SIGKILL. Then it climbs the ladder for the groups left in the table that
 * both processes share. After the fork, and between a crash handler and the fork, only
 * async-signal-safe calls are made.
 */

enum { GROUPS_MAX = 4096, NAP_MS = 5, REAP_MS = 200 };

struct guard {
	struct group *groups; /* GROUPS_MAX, shared with the process */
	pid_t pid;            /* 0: not forked, or released to do its work */
	int fd;               /* the pipe; -1: none */
};

/* ---- the ladder, blocking ---- */

/* Leader and group. A leader that is not reaped yet counts as alive. */
static bool
is_gone(pid_t pid)
{
	waitpid(pid, NULL, WNOHANG); /* fails harmlessly if it is not our child */
	return kill(-pid, 0) < 0 && errno == ESRCH;
}

static bool
wait_gone(pid_t pid, int64_t until_ms)
{
	struct pollfd leader = { .fd = pidfd_open(pid, 0), .events = POLLIN };
	int pidfd = leader.fd;
	bool gone;

	while (!(gone = is_gone(pid))) {
		int64_t left = until_ms - clock_now_ms();
		if (left <= 0)
			break;
		/* poll() sees the end of the leader, but not of the rest of its group. */
		if (leader.fd < 0 && left > NAP_MS)
			left = NAP_MS;
		if (poll(&leader, 1, (int)left) > 0)
			leader.fd = -1;
	}
	if (pidfd >= 0)
		close(pidfd);
	return gone;
}

/* One step for all groups: waits, then signals those whose time is up. */
static void
climb(struct group *groups, enum child_stage to, int signal_number)
{
	int64_t start = clock_now_ms();

	for (struct group *g = groups; g < groups + GROUPS_MAX; g++) {
		if (g->pid <= 1 || g->stage >= to)
			continue;
		int wait_ms = to == CHILD_TERMINATED ? g->ladder.grace_ms : g->ladder.kill_ms;
		if (wait_gone(g->pid, start + wait_ms)) {
			g->pid = 0;
			continue;
		}
		kill(-g->pid, signal_number);
		g->stage = to;
	}
}

static void
climb_all(struct group *groups)
{
	climb(groups, CHILD_TERMINATED, SIGTERM);
	climb(groups, CHILD_KILLED, SIGKILL);
}

/* ---- the process ---- */

/* The guard must not keep a pipe, a terminal or a file system open. */
static void
close_all_but(int fd)
{
	int ignored = chdir("/");

	(void)ignored;
	setsid();
	dup2(fd, STDIN_FILENO);
	if (close_range(STDIN_FILENO + 1, ~0U, 0) == 0)
		return;
	for (int i = STDIN_FILENO + 1; i < 4096; i++)
		close(i);
}

static _Noreturn void
run(struct group *groups, int fd)
{
	char byte;

	prctl(PR_SET_NAME, "mcpane-guard");
	close_all_but(fd);
	while (read(STDIN_FILENO, &byte, 1) < 0 && errno == EINTR)
		continue;
	climb_all(groups);
	_exit(0);
}

/* The guard never unblocks signals. They are blocked before the fork, because on a busy machine
 * this program may leave its terminal, which sends SIGHUP to both, before the guard runs. */
static void
fork_process(struct guard *guard)
{
	sigset_t all, before;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	pid_t pid = _Fork();
	if (pid == 0)
		run(guard->groups, ends[0]);
	sigprocmask(SIG_SETMASK, &before, NULL);
	close(ends[0]);
	if (pid < 0)
		close(ends[1]);
	guard->pid = pid > 0 ? pid : 0;
	guard->fd = pid > 0 ? ends[1] : -1;
}

/* Returns whether the guard runs; another program may have killed it. */
static bool
is_alive(const struct guard *guard)
{
	return guard->pid > 0 && waitpid(guard->pid, NULL, WNOHANG) == 0;
}

static void
release_process(struct guard *guard)
{
	if (guard->fd >= 0)
		close(guard->fd);
	guard->fd = -1;
	guard->pid = 0;
}

/* ---- for this process ---- */

static struct guard *
create(struct err *err)
{
	size_t size = GROUPS_MAX * sizeof(struct group);
	void *groups = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (groups == MAP_FAILED) {
		err_set(err, "no memory to guard the server's process: %s", strerror(errno));
		return NULL;
	}
	struct guard *guard = mem_zalloc(sizeof(*guard));
	*guard = (struct guard){ .groups = groups, .fd = -1 };
	return guard;
}

struct group *
guard_reserve(struct guard **guard, struct err *err)
{
	struct group *group;

	if (!*guard && !(*guard = create(err)))
		return NULL;
	for (group = (*guard)->groups; group < (*guard)->groups + GROUPS_MAX; group++)
		if (group->pid == 0)
			return group;
	err_set(err, "more than %d processes at a time", GROUPS_MAX);
	return NULL;
}

void
guard_watch(struct guard *guard, struct group *group, pid_t pid, struct child_ladder ladder)
{
	group->ladder = ladder;
	group->stage = CHILD_RUNNING;
	group->pid = pid;
	if (guard->pid == 0)
		fork_process(guard);
}

void
guard_destroy(struct guard *guard)
{
	if (!guard)
		return;
	pid_t pid = guard->pid;
	release_process(guard);
	if (pid > 0)
		waitpid(pid, NULL, WNOHANG);
	munmap(guard->groups, GROUPS_MAX * sizeof(struct group));
	free(guard);
}

static void
close_stdins(struct child *list)
{
	for (struct child *c = list; c; c = c->next)
		if (!c->ended)
			child_close_fd(c, STDIN_FILENO);
}

/* Async-signal-safe. */
void
child_hand_over(struct loop *loop)
{
	struct children *children = loop_children(loop);
	struct guard *guard = children->guard;
	int saved = errno;

	if (!guard)
		return;
	if (!is_alive(guard)) {
		release_process(guard);
		fork_process(guard);
	}
	bool alone = guard->pid == 0;
	close_stdins(children->first);
	release_process(guard);
	for (struct child *c = children->first; c; c = c->next) {
		if (alone && !c->ended) /* no guard: take at least the first step of the ladder */
			kill(-c->pid, SIGTERM);
		c->ended = true;
		c->group = NULL;
	}
	errno = saved;
}

void
child_end_all(struct loop *loop)
{
	struct children *children = loop_children(loop);

	if (!children->guard)
		return;
	struct group *groups = children->guard->groups;
	close_stdins(children->first);
	climb_all(groups);
	for (struct group *g = groups; g < groups + GROUPS_MAX; g++)
		if (g->pid > 1)
			wait_gone(g->pid, clock_now_ms() + REAP_MS);
	for (struct child *c = children->first; c; c = c->next) {
		c->ended = true;
		c->group = NULL;
	}
}

#include "child_priv.h"

#include "loop_priv.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * Everything here is async-signal-safe and blocks: it runs in a forked process, in
 * a crash handler's child, or as the last act of the program.
 */

enum { NAP_MS = 5, REAP_MS = 200 };

/* Leader and group. A leader that nobody has reaped yet counts as alive. */
static bool
is_gone(struct child *c)
{
	if (!c->exited && waitpid(c->pid, NULL, WNOHANG) == c->pid)
		c->exited = true;
	return kill(-c->pid, 0) < 0 && errno == ESRCH;
}

static bool
wait_gone(struct child *c, int64_t until_ms)
{
	struct pollfd leader = { .fd = c->exited ? -1 : c->pidfd, .events = POLLIN };

	while (!is_gone(c)) {
		int64_t left = until_ms - clock_now_ms();
		if (left <= 0)
			return false;
		/* The end of a leader can be waited for, that of the rest of its group not. */
		if (leader.fd < 0 && left > NAP_MS)
			left = NAP_MS;
		if (poll(&leader, 1, (int)left) > 0)
			leader.fd = -1;
	}
	return true;
}

/* One step for all: waits, and signals those that are still there when their time is up. */
static void
climb(struct child *list, enum child_stage to, int signal_number)
{
	int64_t start = clock_now_ms();

	for (struct child *c = list; c; c = c->next) {
		if (c->ended || c->stage >= to)
			continue;
		int wait_ms = to == CHILD_TERMINATED ? c->ladder.grace_ms : c->ladder.kill_ms;
		c->ended = wait_gone(c, start + wait_ms);
		if (!c->ended)
			kill(-c->pid, signal_number);
	}
}

static void
climb_all(struct child *list)
{
	climb(list, CHILD_TERMINATED, SIGTERM);
	climb(list, CHILD_KILLED, SIGKILL);
}

static int
lowest_pidfd(const struct child *list, int from)
{
	int lowest = -1;

	for (const struct child *c = list; c; c = c->next) {
		if (c->pidfd >= from && (lowest < 0 || c->pidfd < lowest))
			lowest = c->pidfd;
	}
	return lowest;
}

static void
close_between(int first, int last)
{
	if (first > last || close_range((unsigned)first, (unsigned)last, 0) == 0)
		return;
	for (int fd = first; fd <= last && fd < 4096; fd++)
		close(fd);
}

/* Nobody may wait for the end of a pipe or a terminal on our account. */
static void
close_all_but_pidfds(const struct child *list)
{
	int from = 0;

	for (int fd; (fd = lowest_pidfd(list, from)) >= 0; from = fd + 1)
		close_between(from, fd - 1);
	close_between(from, INT32_MAX);
}

static _Noreturn void
undertake(struct child *list)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	setsid();
	close_all_but_pidfds(list);
	climb_all(list);
	_exit(0);
}

static bool
any_left(const struct child *list)
{
	while (list && list->ended)
		list = list->next;
	return list;
}

static void
close_stdins(struct child *list)
{
	for (struct child *c = list; c; c = c->next) {
		if (!c->ended)
			child_close_fd(c, STDIN_FILENO);
	}
}

void
child_hand_over(struct loop *loop)
{
	struct child *list = *loop_children(loop);
	int saved = errno;

	if (!any_left(list))
		return;
	pid_t pid = _Fork();
	if (pid == 0)
		undertake(list);
	close_stdins(list);
	for (struct child *c = list; c; c = c->next) {
		if (pid < 0 && !c->ended) /* no process for the ladder: its first step at least */
			kill(-c->pid, SIGTERM);
		c->ended = true;
	}
	errno = saved;
}

void
child_end_all(struct loop *loop)
{
	struct child *list = *loop_children(loop);

	close_stdins(list);
	climb_all(list);
	for (struct child *c = list; c; c = c->next) {
		if (!c->ended)
			wait_gone(c, clock_now_ms() + REAP_MS);
		c->ended = true;
	}
}

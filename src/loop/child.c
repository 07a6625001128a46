#include "children.h"

#include "base/mem.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

const struct child_ladder child_default_ladder = { .grace_ms = 150, .kill_ms = 500 };

void
child_status_text(const struct child_status *status, char *out, size_t size)
{
	const char *name = sigabbrev_np(status->signal_number);

	if (status->signal_number && name)
		snprintf(out, size, "killed by SIG%s", name);
	else if (status->signal_number)
		snprintf(out, size, "killed by signal %d", status->signal_number);
	else
		snprintf(out, size, "exit code %d", status->exit_code);
}

pid_t
child_pid(const struct child *child)
{
	return child->pid;
}

int
child_fd(const struct child *child, int which)
{
	return child->fds[which];
}

void
child_close_fd(struct child *child, int which)
{
	if (child->fds[which] >= 0)
		close(child->fds[which]);
	child->fds[which] = -1;
}

/* ---- the list ---- */

static void
link_child(struct child *c)
{
	struct child **list = &loop_children(c->loop)->first;

	c->next = *list;
	atomic_signal_fence(memory_order_seq_cst);
	*list = c;
}

static void
free_child(struct child *c)
{
	struct child **link = &loop_children(c->loop)->first;

	while (*link != c)
		link = &(*link)->next;
	*link = c->next;
	atomic_signal_fence(memory_order_seq_cst);
	loop_timer_cancel(&c->timer);
	loop_watch_remove(c->watch);
	for (int i = 0; i < 3; i++)
		child_close_fd(c, i);
	if (c->pidfd >= 0)
		close(c->pidfd);
	free(c);
}

void
child_forget_all(struct children *children)
{
	while (children->first) {
		BUG_IF(!children->first->released || !children->first->ended);
		child_destroy(children->first);
	}
	guard_destroy(children->guard);
}

/* ---- the ladder ---- */

static void
set_stage(struct child *c, enum child_stage stage, int wait_ms)
{
	c->group->stage = stage;
	loop_timer_set(c->loop, &c->timer, loop_now_ms(c->loop) + wait_ms);
}

/* Nothing is left to watch or kill. */
static void
end(struct child *c)
{
	c->ended = true;
	c->group->pid = 0;
	c->group = NULL;
	loop_timer_cancel(&c->timer);
	loop_watch_remove(c->watch);
	c->watch = NULL;
	if (c->released)
		free_child(c);
}

static void
on_deadline(void *user)
{
	struct child *c = user;

	if (c->group->stage == CHILD_GRACE) {
		kill(-c->pid, SIGTERM);
		set_stage(c, CHILD_TERMINATED, c->group->ladder.kill_ms);
		return;
	}
	kill(-c->pid, SIGKILL);
	c->group->stage = CHILD_KILLED;
	if (c->exited)
		end(c);
}

void
child_stop(struct child *c)
{
	if (c->stopped || c->exited || c->ended)
		return;
	c->stopped = true;
	child_close_fd(c, STDIN_FILENO);
	set_stage(c, CHILD_GRACE, c->group->ladder.grace_ms);
}

/* The leader is gone and reaped; as long as the group has members, its number is not reused. */
static void
end_group(struct child *c)
{
	bool signalled = c->group->stage >= CHILD_TERMINATED;

	if (kill(-c->pid, signalled ? 0 : SIGTERM) < 0 && errno == ESRCH)
		end(c);
	else if (c->group->stage == CHILD_KILLED)
		end(c);
	else if (!signalled)
		set_stage(c, CHILD_TERMINATED, c->group->ladder.kill_ms);
}

static void
check_exit(struct child *c)
{
	siginfo_t info = { 0 };
	int result = c->exited ? 0 : waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOHANG);

	if (result == 0 && info.si_pid == 0)
		return; /* not yet, or already known */
	struct child_status status = {
		.stopped = c->stopped,
		.signalled = c->group->stage >= CHILD_TERMINATED,
		.exit_code = -1,
	};
	if (result == 0 && info.si_code == CLD_EXITED)
		status.exit_code = info.si_status;
	else if (result == 0)
		status.signal_number = info.si_status;
	c->exited = true;
	loop_watch_remove(c->watch);
	c->watch = NULL;
	child_exit_fn *on_exit = c->released ? NULL : c->on_exit;
	void *user = c->user;
	end_group(c);
	if (on_exit)
		on_exit(user, &status);
}

static void
on_pidfd(void *user, unsigned ready)
{
	check_exit(user);
}

static void
on_sigchld(void *user, int signal_number)
{
	check_exit(user);
}

/* ---- create and destroy ---- */

struct child *
child_spawn(struct loop *loop, const struct child_options *options, child_exit_fn *on_exit,
    void *user, struct err *err)
{
	struct children *children = loop_children(loop);
	struct group *group = guard_reserve(&children->guard, err);
	struct spawned spawned;

	if (!group)
		return NULL;
	/* Without a pidfd, watch the signal first: a process that ends at once must not be missed.
	 */
	struct child *c = mem_zalloc(sizeof(*c));
	c->watch = loop_watch_signal(loop, SIGCHLD, on_sigchld, c);
	if (!spawn_process(options, &spawned, err)) {
		loop_watch_remove(c->watch);
		free(c);
		return NULL;
	}
	c->loop = loop;
	c->pid = spawned.pid;
	memcpy(c->fds, spawned.fds, sizeof(c->fds));
	c->group = group;
	c->timer = (struct loop_timer){ .fn = on_deadline, .user = c };
	c->on_exit = on_exit;
	c->user = user;
	c->pidfd = options->without_pidfd ? -1 : pidfd_open(c->pid, 0);
	if (c->pidfd >= 0) {
		loop_watch_remove(c->watch);
		c->watch = loop_watch_fd(loop, c->pidfd, LOOP_READ, on_pidfd, c);
	}
	link_child(c);
	/* Last, because the server starts meanwhile and its start takes longer. */
	guard_watch(children->guard, group, c->pid,
	    options->ladder ? *options->ladder : child_default_ladder);
	return c;
}

void
child_destroy(struct child *c)
{
	if (!c)
		return;
	child_stop(c);
	for (int i = 0; i < 3; i++)
		child_close_fd(c, i);
	c->released = true;
	if (c->ended)
		free_child(c);
}

/* SPDX-License-Identifier: MIT */
#include "program.h"

#include "base/clock.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define DEADLINE_MS 120000
#define NAP_MS 5

extern char **environ;

void
program_start(struct program *p, const char *const *argv)
{
	static unsigned number;
	posix_spawn_file_actions_t actions;
	int in[2], out[2], err[2];

	*p = (struct program){ .exit_code = -1 };
	processes_adopt_orphans();
	snprintf(p->mark, sizeof(p->mark), "MCPANE_TEST_RUN=%d.%u", (int)getpid(), ++number);
	putenv(p->mark);
	assert_int_equal(pipe2(in, O_CLOEXEC) | pipe2(out, O_CLOEXEC) | pipe2(err, O_CLOEXEC), 0);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, in[0], 0);
	posix_spawn_file_actions_adddup2(&actions, out[1], 1);
	posix_spawn_file_actions_adddup2(&actions, err[1], 2);
	int failed = posix_spawn(&p->pid, argv[0], &actions, NULL, (char *const *)argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	unsetenv("MCPANE_TEST_RUN");
	assert_int_equal(failed, 0);
	processes_init(&p->processes, p->pid, p->mark);
	close(in[0]);
	close(out[1]);
	close(err[1]);
	p->in = in[1];
	p->out_fd = out[0];
	p->err_fd = err[0];
	fcntl(p->in, F_SETFL, O_NONBLOCK);
}

static void
close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void
fill(int *fd, struct buf *out)
{
	char bytes[65536];
	ssize_t n = read(*fd, bytes, sizeof(bytes));

	if (n > 0)
		buf_add(out, bytes, (size_t)n);
	else
		close_fd(fd);
}

static void
give_up(struct program *p, const char *what)
{
	kill(p->pid, SIGKILL);
	fail_msg(
	    "%s; so far it said:\n%.2000s\n%.2000s", what, buf_text(&p->out), buf_text(&p->err));
}

/* Move bytes in both directions once. */
static void
pump(struct program *p, const char **input, size_t *len)
{
	struct pollfd fds[] = {
		{ .fd = p->in, .events = POLLOUT },
		{ .fd = p->out_fd, .events = POLLIN },
		{ .fd = p->err_fd, .events = POLLIN },
	};

	poll(fds, 3, 100);
	if (fds[0].revents && *len > 0) {
		ssize_t n = write(p->in, *input, *len);
		*len = n < 0 && errno != EAGAIN ? 0 : *len - (size_t)(n > 0 ? n : 0);
		*input += n > 0 ? n : 0;
	}
	if (*len == 0)
		close_fd(&p->in);
	if (fds[1].revents)
		fill(&p->out_fd, &p->out);
	if (fds[2].revents)
		fill(&p->err_fd, &p->err);
}

void
program_finish(struct program *p, const char *input, size_t len)
{
	int64_t until_ms = clock_now_ms() + DEADLINE_MS;
	int status = 0;

	signal(SIGPIPE, SIG_IGN);
	if (len == 0)
		close_fd(&p->in);
	while (p->out_fd >= 0 || p->err_fd >= 0) {
		if (clock_now_ms() > until_ms)
			give_up(p, "it did not close its output");
		pump(p, &input, &len);
	}
	while (waitpid(p->pid, &status, WNOHANG) != p->pid) {
		if (clock_now_ms() > until_ms)
			give_up(p, "it did not end");
		poll(NULL, 0, 1);
	}
	close_fd(&p->in);
	p->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void
program_run(struct program *p, const char *const *argv)
{
	program_start(p, argv);
	program_finish(p, NULL, 0);
}

void
program_wait_processes(struct program *p, size_t count)
{
	int64_t until_ms = clock_now_ms() + DEADLINE_MS;
	pid_t pids[8];
	size_t found;

	while ((found = processes_find(&p->processes, pids, 8)) != count) {
		/* reap adopted orphans, because their group exists until then */
		while (p->exit_code >= 0 && waitpid(-1, NULL, WNOHANG) > 0)
			;
		if (clock_now_ms() > until_ms)
			fail_msg("%zu processes, not %zu", found, count);
		poll(NULL, 0, NAP_MS);
	}
}

void
program_free(struct program *p)
{
	close_fd(&p->in);
	close_fd(&p->out_fd);
	close_fd(&p->err_fd);
	buf_finish(&p->out);
	buf_finish(&p->err);
}

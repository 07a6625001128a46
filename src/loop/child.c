/* SPDX-License-Identifier: MIT */
/*
 * Child processes: how one is started, plainly or confined; the ladder that ends it; and the guard,
 * which ends all of them if the program cannot.
 */
#include "loop/child.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#define SINGLE_THREADED __libc_single_threaded
#else
#define SINGLE_THREADED false
#endif

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
	struct children *children; /* its list */
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

/* The path of a program, its environment and its streams. */
struct launch {
	const char *file;
	const struct child_options *options;
	char *const *env;
	const int *theirs; /* its three standard streams */
};

/* ---- environment ---- */

struct env {
	const char **items;
	size_t len, cap;
};

static bool
same_name(const char *a, const char *b)
{
	size_t len = strcspn(a, "=");

	return strncmp(a, b, len) == 0 && b[len] == '=';
}

/* Functions exported by a shell are left out: another shell would run their text. */
static bool
is_inherited(const char *entry, const char *const *names)
{
	size_t len = strcspn(entry, "=");

	for (; *names; names++) {
		size_t fixed = strcspn(*names, "*");
		bool named = (*names)[fixed] ? len >= fixed : len == fixed;
		if (named && strncmp(entry, *names, fixed) == 0)
			return strncmp(entry + len, "=()", 3) != 0;
	}
	return false;
}

static void
env_init(struct env *env, const struct child_options *options)
{
	for (size_t i = 0; environ && environ[i]; i++) {
		bool stays = !options->inherits || is_inherited(environ[i], options->inherits);
		for (size_t k = 0; options->env && options->env[k]; k++)
			stays = stays && !same_name(options->env[k], environ[i]);
		if (stays)
			*VEC_PUSH(env) = environ[i];
	}
	for (size_t i = 0; options->env && options->env[i]; i++)
		if (strchr(options->env[i], '='))
			*VEC_PUSH(env) = options->env[i];
	*VEC_PUSH(env) = NULL;
}

/* ---- finding the program ---- */

/* 0 if file, relative to cwd, can be executed; else EISDIR, ENOENT, EACCES, ... */
static int
probe(const char *cwd, const char *file)
{
	struct stat st;
	char *full = cwd && file[0] != '/' ? mem_printf("%s/%s", cwd, file) : mem_strdup(file);
	int result = 0;

	if (stat(full, &st) < 0)
		result = errno;
	else if (S_ISDIR(st.st_mode))
		result = EISDIR;
	else if (!S_ISREG(st.st_mode))
		result = ENOEXEC;
	else if (faccessat(AT_FDCWD, full, X_OK, AT_EACCESS) < 0)
		result = EPERM; /* unlike EACCES: a directory that may not be searched */
	free(full);
	return result;
}

static bool
explain(const char *command, int error, struct err *err)
{
	static const struct {
		int error;
		const char *text;
	} reasons[] = {
		{ ENOENT, "no such file" },
		{ EISDIR, "is a directory" },
		{ EPERM, "not executable (no execute permission)" },
		{ EACCES, "permission denied" },
		{ ENOEXEC, "not executable (unknown format, or no #! line)" },
		{ E2BIG, "arguments and environment too long" },
	};

	for (size_t i = 0; i < ARRAY_LEN(reasons); i++) {
		if (reasons[i].error == error)
			return err_set(err, "%s: %s", command, reasons[i].text);
	}
	return err_set(err, "%s: %s", command, strerror(error));
}

/* The file to execute, heap; NULL with err. */
static char *
find_program(const char *command, const struct env *env, const char *cwd, struct err *err)
{
	if (!command || !*command) {
		err_set(err, "no command given");
		return NULL;
	}
	if (!strchr(command, '/')) {
		const char *path = "/usr/local/bin:/usr/bin:/bin";
		for (size_t i = env->len - 1; i-- > 0;)
			if (same_name("PATH", env->items[i]))
				path = env->items[i] + strlen("PATH=");
		bool forbidden = false;
		for (char *file; (file = path_next_program(&path, command)); free(file)) {
			int error = probe(cwd, file);
			if (!error)
				return file;
			forbidden = forbidden || error == EPERM;
		}
		if (forbidden)
			explain(command, EPERM, err);
		else
			err_set(err, "%s: command not found", command);
		return NULL;
	}
	int error = probe(cwd, command);
	if (error) {
		explain(command, error, err);
		return NULL;
	}
	return mem_strdup(command);
}

static bool
check_cwd(const char *cwd, struct err *err)
{
	struct stat st;

	if (!cwd)
		return true;
	if (stat(cwd, &st) < 0)
		return err_set(err, "working directory %s: %s", cwd, strerror(errno));
	if (!S_ISDIR(st.st_mode))
		return err_set(err, "working directory %s: not a directory", cwd);
	if (faccessat(AT_FDCWD, cwd, X_OK, AT_EACCESS) < 0)
		return err_set(err, "working directory %s: permission denied", cwd);
	return true;
}

/* ---- pipes ---- */

static void
close_fds(int fds[3])
{
	for (int i = 0; i < 3; i++) {
		if (fds[i] >= 0)
			close(fds[i]);
		fds[i] = -1;
	}
}

/* ours is non-blocking; theirs is above 2, so that no dup2() in the child overwrites another. */
static bool
open_pipe(int which, int *ours, int *theirs)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return false;
	bool child_reads = which == STDIN_FILENO;
	*ours = ends[child_reads ? 1 : 0];
	int other = ends[child_reads ? 0 : 1];
	*theirs = fcntl(other, F_DUPFD_CLOEXEC, 3);
	close(other);
	return *theirs >= 0 && fcntl(*ours, F_SETFL, O_NONBLOCK) == 0;
}

/* ---- a terminal ---- */

void
child_resize(const struct child *child, struct child_size size)
{
	struct winsize now = { .ws_row = (unsigned short)size.height,
		.ws_col = (unsigned short)size.width };

	if (child->fds[STDIN_FILENO] >= 0)
		ioctl(child->fds[STDIN_FILENO], TIOCSWINSZ, &now);
}

/* Our end; name is the other one's. */
static bool
open_terminal(const struct child_size *size, int *ours, char *name, size_t name_size)
{
	struct winsize now = { .ws_row = (unsigned short)size->height,
		.ws_col = (unsigned short)size->width };
	struct termios modes;

	*ours = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (*ours < 0 || grantpt(*ours) < 0 || unlockpt(*ours) < 0 ||
	    ptsname_r(*ours, name, name_size) != 0 || tcgetattr(*ours, &modes) < 0)
		return false;
	modes.c_iflag |= IUTF8;
	return tcsetattr(*ours, TCSANOW, &modes) == 0 && ioctl(*ours, TIOCSWINSZ, &now) == 0 &&
	       fcntl(*ours, F_SETFL, O_NONBLOCK) == 0;
}

/* The child's standard streams. */
struct streams {
	int theirs[3];
	char terminal[64]; /* its name; "": pipes */
};

/* ---- start ---- */

int
spawn_plainly(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions, bool session,
    char *const argv[], char *const env[])
{
	posix_spawnattr_t attr;
	sigset_t set;

	posix_spawnattr_init(&attr);
	sigemptyset(&set);
	posix_spawnattr_setsigmask(&attr, &set);
	sigfillset(&set);
	posix_spawnattr_setsigdefault(&attr, &set);
	posix_spawnattr_setflags(&attr,
	    POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (session ? POSIX_SPAWN_SETSID : 0));
	int error = posix_spawnp(pid, file, actions, &attr, argv, env);
	posix_spawnattr_destroy(&attr);
	return error;
}

static int
spawn_streams(const char *file, const struct child_options *options, const struct env *env,
    const struct streams *s, pid_t *pid)
{
	posix_spawn_file_actions_t actions;

	posix_spawn_file_actions_init(&actions);
	if (s->terminal[0]) { /* the first that a session's leader opens controls it */
		posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, s->terminal, O_RDWR, 0);
		posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO);
		posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDERR_FILENO);
	}
	for (int i = 0; i < 3 && !s->terminal[0]; i++)
		posix_spawn_file_actions_adddup2(&actions, s->theirs[i], i);
	posix_spawn_file_actions_addclosefrom_np(&actions, 3);
	if (options->cwd)
		posix_spawn_file_actions_addchdir_np(&actions, options->cwd);
	int error = spawn_plainly(
	    pid, file, &actions, true, (char *const *)options->argv, (char *const *)env->items);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

/* ---- a confined child ---- */

/* posix_spawn(3) can do none of this, so a confined child is forked. After the fork, only
 * async-signal-safe calls are made, because other threads may hold locks. */

enum { ABOVE = 10, PASSED = 3, REPORT = 5 };

/* The report of a child that cannot run the program; otherwise it sends nothing. */
struct failure {
	const char *step; /* one of our literals: the child is a copy of us */
	int error;
};

static bool
failed(struct failure *f, const char *step)
{
	*f = (struct failure){ step, errno };
	return false;
}

/* Our descriptors may have the numbers that the child's are to get, so they move away first. */
static bool
arrange(const int theirs[3], int passed, int report, struct failure *f)
{
	int from[] = { theirs[0], theirs[1], theirs[2], passed, passed, report };

	for (size_t i = 0; i < ARRAY_LEN(from); i++)
		from[i] = fcntl(from[i], F_DUPFD_CLOEXEC, ABOVE);
	for (size_t i = 0; i < ARRAY_LEN(from); i++)
		if (from[i] < 0 || dup2(from[i], (int)i) < 0)
			return failed(f, "descriptors");
	if (fcntl(REPORT, F_SETFD, FD_CLOEXEC) < 0 || close_range(REPORT + 1, ~0U, 0) < 0)
		return failed(f, "closing descriptors");
	return true;
}

static bool
become_user(const struct child_confinement *confined, struct failure *f)
{
	if (confined->uid == 0)
		return true;
	/* The C library's functions want to talk to the other threads, which are not here. */
	if (syscall(SYS_setgroups, 0, NULL) < 0 ||
	    syscall(SYS_setresgid, confined->gid, confined->gid, confined->gid) < 0 ||
	    syscall(SYS_setresuid, confined->uid, confined->uid, confined->uid) < 0)
		return failed(f, "becoming another user");
	/* Else the files of /proc/self stay root's, and it cannot write its own uid_map. */
	return prctl(PR_SET_DUMPABLE, 1) == 0 || failed(f, "becoming another user");
}

static bool
write_map(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool ok = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	if (fd >= 0)
		close(fd);
	return ok;
}

/* snprintf() is not async-signal-safe. "ID ID 1", so that it keeps its own number. */
static const char *
own_number(unsigned id, char out[32])
{
	char digits[12];
	size_t count = 0, len = 0;

	do
		digits[count++] = (char)('0' + id % 10);
	while (id /= 10);
	for (int twice = 0; twice < 2; twice++) {
		for (size_t i = count; i > 0; i--)
			out[len++] = digits[i - 1];
		out[len++] = ' ';
	}
	out[len++] = '1';
	out[len] = '\0';
	return out;
}

static bool
enter_namespaces(const struct child_confinement *confined, struct failure *f)
{
	char text[32];
	uid_t uid = getuid();
	gid_t gid = getgid();

	if (unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWNS | CLONE_NEWIPC) < 0)
		return failed(f, "a namespace");
	if (!write_map("/proc/self/setgroups", "deny") ||
	    !write_map("/proc/self/uid_map", own_number(uid, text)) ||
	    !write_map("/proc/self/gid_map", own_number(gid, text)))
		return failed(f, "a user namespace");
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("tmpfs", "/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV, "mode=0700,size=512m") < 0)
		return failed(f, "a private /dev/shm");
	for (const char *const *folder = confined->hidden; folder && *folder; folder++)
		if (mount("tmpfs", *folder, "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755,size=4k") <
			0 &&
		    errno != ENOENT)
			return failed(f, "hiding a folder");
	return true;
}

/* Of a session, with default signal handling. */
static void
become_leader(void)
{
	struct sigaction normal = { .sa_handler = SIG_DFL };
	sigset_t none;

	setsid();
	for (int i = 1; i < NSIG; i++)
		sigaction(i, &normal, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static _Noreturn void
run_confined(const struct launch *launch, int report)
{
	const struct child_confinement *confined = launch->options->confined;
	struct failure f;

	become_leader();
	umask(077);
	setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
	if (!arrange(launch->theirs, confined->passed, report, &f)) {
		/* The report is where it was. */
	} else if ((report = REPORT, become_user(confined, &f)) &&
		   (!confined->namespaces || enter_namespaces(confined, &f))) {
		if (chdir("/") == 0)
			execve(launch->file, (char *const *)launch->options->argv, launch->env);
		failed(&f, "execve");
	}
	ssize_t ignored = write(report, &f, sizeof(f));
	(void)ignored;
	_exit(127);
}

static bool
spawn_confined(const struct launch *launch, pid_t *pid, struct err *err)
{
	struct failure f = { 0 };
	int ends[2];
	ssize_t n;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return err_set(err, "no pipe for %s: %s", launch->file, strerror(errno));
	*pid = _Fork();
	if (*pid == 0)
		run_confined(launch, ends[1]);
	int error = errno;
	close(ends[1]);
	/* Ends when the program runs, milliseconds later. */
	while (*pid > 0 && (n = read(ends[0], &f, sizeof(f))) < 0 && errno == EINTR)
		continue;
	close(ends[0]);
	if (*pid < 0)
		return err_set(err, "%s: %s", launch->file, strerror(error));
	if (!f.step)
		return true;
	waitpid(*pid, NULL, 0);
	return err_set(err, "%s: %s", f.step, strerror(f.error));
}

static int
spawn_copy(int (*serve)(int in_fd, int out_fd), const int theirs[3], pid_t *pid)
{
	*pid = fork();
	if (*pid != 0)
		return *pid < 0 ? errno : 0;
	become_leader();
	for (int i = 0; i < 3; i++)
		dup2(theirs[i], i);
	close_range(STDERR_FILENO + 1, ~0U, 0);
	_exit(serve(STDIN_FILENO, STDOUT_FILENO));
}

static bool
spawn_process(const struct child_options *options, struct child *c, struct err *err)
{
	struct streams streams = { .theirs = { -1, -1, -1 } };
	struct env env = { 0 };
	bool ok = false;

	env_init(&env, options);
	char *file = NULL;
	if (check_cwd(options->cwd, err))
		file = find_program(options->argv[0], &env, options->cwd, err);
	if (!file)
		goto out;
	bool is_open = options->terminal ? open_terminal(options->terminal, &c->fds[STDIN_FILENO],
					       streams.terminal, sizeof(streams.terminal))
					 : open_pipe(0, &c->fds[0], &streams.theirs[0]) &&
					       open_pipe(1, &c->fds[1], &streams.theirs[1]) &&
					       open_pipe(2, &c->fds[2], &streams.theirs[2]);
	if (!is_open) {
		err_set(err, "no %s for %s: %s", options->terminal ? "terminal" : "pipe",
		    options->argv[0], strerror(errno));
		goto out;
	}
	if (options->confined) {
		struct launch launch = { file, options, (char *const *)env.items, streams.theirs };
		ok = spawn_confined(&launch, &c->pid, err);
		goto out;
	}
	/* a copy of a process with threads could wait for their locks for ever */
	int error = options->serve && SINGLE_THREADED
			? spawn_copy(options->serve, streams.theirs, &c->pid)
			: spawn_streams(file, options, &env, &streams, &c->pid);
	ok = error == 0;
	if (error == ENOENT) /* the file exists */
		err_set(err, "%s: its interpreter was not found", options->argv[0]);
	else if (error)
		explain(options->argv[0], error, err);
out:
	if (!ok)
		close_fds(c->fds);
	close_fds(streams.theirs);
	free(file);
	free(env.items);
	return ok;
}

/* ---- the guard ---- */

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

/* Wait for a leader and its group. A leader that is not reaped yet counts as alive. */
static bool
wait_gone(pid_t pid, int64_t until_ms)
{
	struct pollfd leader = { .fd = pidfd_open(pid, 0), .events = POLLIN };
	int pidfd = leader.fd;
	bool gone;

	for (;;) {
		waitpid(pid, NULL, WNOHANG); /* fails harmlessly if it is not our child */
		gone = kill(-pid, 0) < 0 && errno == ESRCH;
		int64_t left = until_ms - clock_now_ms();
		if (gone || left <= 0)
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

/* The steps of the ladder, each for all groups: waits, then signals those whose time is up. */
static void
climb(struct group *groups)
{
	static const enum child_stage steps[] = { CHILD_TERMINATED, CHILD_KILLED };

	for (size_t i = 0; i < ARRAY_LEN(steps); i++) {
		bool kills = steps[i] == CHILD_KILLED;
		int64_t start = clock_now_ms();
		for (struct group *g = groups; g < groups + GROUPS_MAX; g++) {
			if (g->pid <= 1 || g->stage >= steps[i])
				continue;
			if (wait_gone(
				g->pid, start + (kills ? g->ladder.kill_ms : g->ladder.grace_ms))) {
				g->pid = 0;
				continue;
			}
			kill(-g->pid, kills ? SIGKILL : SIGTERM);
			g->stage = steps[i];
		}
	}
}

/* The guard must not keep a pipe, a terminal or a file system open. */
static _Noreturn void
run_guard(struct group *groups, int fd)
{
	char byte;

	prctl(PR_SET_NAME, "mcpane-guard");
	int ignored = chdir("/");
	(void)ignored;
	setsid();
	dup2(fd, STDIN_FILENO);
	if (close_range(STDIN_FILENO + 1, ~0U, 0) != 0)
		for (int i = STDIN_FILENO + 1; i < 4096; i++)
			close(i);
	while (read(STDIN_FILENO, &byte, 1) < 0 && errno == EINTR)
		continue;
	climb(groups);
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
		run_guard(guard->groups, ends[0]);
	sigprocmask(SIG_SETMASK, &before, NULL);
	close(ends[0]);
	if (pid < 0)
		close(ends[1]);
	guard->pid = pid > 0 ? pid : 0;
	guard->fd = pid > 0 ? ends[1] : -1;
}

static void
release_process(struct guard *guard)
{
	if (guard->fd >= 0)
		close(guard->fd);
	guard->fd = -1;
	guard->pid = 0;
}

/* Return a free entry of the table, for the group of a child; create the guard if there is none. */
static struct group *
guard_reserve(struct guard **guard, struct err *err)
{
	size_t size = GROUPS_MAX * sizeof(struct group);

	if (!*guard) {
		void *groups =
		    mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		if (groups == MAP_FAILED) {
			err_set(
			    err, "no memory to guard the server's process: %s", strerror(errno));
			return NULL;
		}
		*guard = mem_zalloc(sizeof(**guard));
		**guard = (struct guard){ .groups = groups, .fd = -1 };
	}
	struct group *group = (*guard)->groups;
	for (; group < (*guard)->groups + GROUPS_MAX; group++)
		if (group->pid == 0)
			return group;
	err_set(err, "more than %d processes at a time", GROUPS_MAX);
	return NULL;
}

/* ---- the children of a loop ---- */

/* The children of a loop, kept in it, and the process that ends them if the program cannot. */
struct children {
	struct child *first;
	struct guard *guard; /* NULL before the first child */
};

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

static void
free_child(struct child *c)
{
	struct child **link = &c->children->first;

	while (*link != c)
		link = &(*link)->next;
	*link = c->next;
	atomic_signal_fence(memory_order_seq_cst);
	loop_timer_cancel(&c->timer);
	loop_watch_remove(c->watch);
	close_fds(c->fds);
	if (c->pidfd >= 0)
		close(c->pidfd);
	free(c);
}

/* Frees the guard and the records of children without an owner. A child that still runs and was not
 * left to the guard is a bug. */
static void
destroy_children(void *user)
{
	struct children *children = user;

	while (children->first) {
		BUG_IF(!children->first->released || !children->first->ended);
		free_child(children->first);
	}
	struct guard *guard = children->guard;
	if (guard) { /* its process ends once the groups in its table have; not waited for */
		pid_t pid = guard->pid;
		release_process(guard);
		if (pid > 0)
			waitpid(pid, NULL, WNOHANG);
		munmap(guard->groups, GROUPS_MAX * sizeof(struct group));
		free(guard);
	}
	free(children);
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
child_ended(struct child *c)
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
		child_ended(c);
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
	/* the number is not reused while the group has members */
	bool signalled = c->group->stage >= CHILD_TERMINATED;
	if (kill(-c->pid, signalled ? 0 : SIGTERM) < 0 && errno == ESRCH)
		child_ended(c);
	else if (c->group->stage == CHILD_KILLED)
		child_ended(c);
	else if (!signalled)
		set_stage(c, CHILD_TERMINATED, c->group->ladder.kill_ms);
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
	struct children *children = loop_find_kept(loop, destroy_children);

	if (!children) {
		children = mem_zalloc(sizeof(*children));
		loop_keep(loop, children, destroy_children);
	}
	struct group *group = guard_reserve(&children->guard, err);
	if (!group)
		return NULL;
	/* without a pidfd: watch first, so that a process that ends at once is not missed */
	struct child *c = mem_zalloc(sizeof(*c));
	*c = (struct child){ .loop = loop, .children = children, .fds = { -1, -1, -1 } };
	c->watch = loop_watch_signal(loop, SIGCHLD, on_sigchld, c);
	if (!spawn_process(options, c, err)) {
		loop_watch_remove(c->watch);
		free(c);
		return NULL;
	}
	c->group = group;
	c->timer = (struct loop_timer){ .fn = on_deadline, .user = c };
	c->on_exit = on_exit;
	c->user = user;
	c->pidfd = options->without_pidfd ? -1 : pidfd_open(c->pid, 0);
	if (c->pidfd >= 0) {
		loop_watch_remove(c->watch);
		c->watch = loop_watch_fd(loop, c->pidfd, LOOP_READ, on_pidfd, c);
	}
	c->next = children->first;
	atomic_signal_fence(memory_order_seq_cst);
	children->first = c;
	/* Last, because the server starts meanwhile and its start takes longer. */
	group->ladder = options->ladder ? *options->ladder : child_default_ladder;
	group->stage = CHILD_RUNNING;
	group->pid = c->pid;
	if (children->guard->pid == 0)
		fork_process(children->guard);
	return c;
}

void
child_destroy(struct child *c)
{
	if (!c)
		return;
	child_stop(c);
	close_fds(c->fds);
	c->released = true;
	if (c->ended)
		free_child(c);
}

/* ---- the end of the program ---- */

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
	struct children *children = loop_find_kept(loop, destroy_children);
	struct guard *guard = children ? children->guard : NULL;
	int saved = errno;

	if (!guard)
		return;
	if (guard->pid == 0 || waitpid(guard->pid, NULL, WNOHANG) != 0) { /* it was killed */
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
	struct children *children = loop_find_kept(loop, destroy_children);

	if (!children || !children->guard)
		return;
	struct group *groups = children->guard->groups;
	close_stdins(children->first);
	climb(groups);
	for (struct group *g = groups; g < groups + GROUPS_MAX; g++)
		if (g->pid > 1)
			wait_gone(g->pid, clock_now_ms() + REAP_MS);
	for (struct child *c = children->first; c; c = c->next) {
		c->ended = true;
		c->group = NULL;
	}
}

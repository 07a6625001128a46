#include "children.h"

#include "base/vec.h"
#include "loop/confinement.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* posix_spawn(3) can do none of this, so here is a fork of our own. After it only async-signal-safe
 * calls are made, because other threads may hold locks. */

enum { ABOVE = 10, PASSED = 3, REPORT = 5 };

/* What the child sends if it cannot run the program; nothing, if it does. */
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

static void
reset_signals(void)
{
	struct sigaction normal = { .sa_handler = SIG_DFL };
	sigset_t none;

	for (int i = 1; i < NSIG; i++)
		sigaction(i, &normal, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static bool
become(const struct child_confinement *confined, struct failure *f)
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
hide(const char *folder, const char *limit)
{
	return mount("tmpfs", folder, "tmpfs", MS_NOSUID | MS_NODEV, limit) == 0;
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
	    !hide("/dev/shm", "mode=0700,size=512m"))
		return failed(f, "a private /dev/shm");
	for (const char *const *folder = confined->hidden; folder && *folder; folder++)
		if (!hide(*folder, "mode=0755,size=4k") && errno != ENOENT)
			return failed(f, "hiding a folder");
	return true;
}

static _Noreturn void
run(const struct launch *launch, int report)
{
	const struct child_confinement *confined = launch->options->confined;
	struct failure f;

	setsid();
	reset_signals();
	umask(077);
	setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
	if (!arrange(launch->theirs, confined->passed, report, &f)) {
		/* The report is where it was. */
	} else if ((report = REPORT, become(confined, &f)) &&
		   (!confined->namespaces || enter_namespaces(confined, &f))) {
		if (chdir("/") == 0)
			execve(launch->file, (char *const *)launch->options->argv, launch->env);
		failed(&f, "execve");
	}
	ssize_t ignored = write(report, &f, sizeof(f));
	(void)ignored;
	_exit(127);
}

bool
spawn_confined(const struct launch *launch, pid_t *pid, struct err *err)
{
	struct failure f = { 0 };
	int ends[2];
	ssize_t n;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return err_set(err, "no pipe for %s: %s", launch->file, strerror(errno));
	*pid = _Fork();
	if (*pid == 0)
		run(launch, ends[1]);
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

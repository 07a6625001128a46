#include "children.h"

#include "base/mem.h"
#include "base/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

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

static bool
is_overridden(const char *entry, const char *const *additions)
{
	for (size_t i = 0; additions && additions[i]; i++) {
		if (same_name(additions[i], entry))
			return true;
	}
	return false;
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
		if (!is_overridden(environ[i], options->env) &&
		    (!options->inherits || is_inherited(environ[i], options->inherits)))
			*VEC_PUSH(env) = environ[i];
	}
	for (size_t i = 0; options->env && options->env[i]; i++)
		if (strchr(options->env[i], '='))
			*VEC_PUSH(env) = options->env[i];
	*VEC_PUSH(env) = NULL;
}

static const char *
env_find(const struct env *env, const char *name)
{
	for (size_t i = 0; env->items[i]; i++) {
		if (same_name(name, env->items[i]))
			return env->items[i] + strlen(name) + 1;
	}
	return NULL;
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
find_in_path(const char *command, const char *path, const char *cwd, struct err *err)
{
	bool forbidden = false;

	while (path) {
		const char *end = strchrnul(path, ':');
		char *file = mem_printf(
		    "%.*s%s%s", (int)(end - path), path, end == path ? "./" : "/", command);
		int error = probe(cwd, file);
		if (!error)
			return file;
		forbidden = forbidden || error == EPERM;
		free(file);
		path = *end ? end + 1 : NULL;
	}
	if (forbidden)
		explain(command, EPERM, err);
	else
		err_set(err, "%s: command not found", command);
	return NULL;
}

static char *
find_program(const char *command, const struct env *env, const char *cwd, struct err *err)
{
	if (!command || !*command) {
		err_set(err, "no command given");
		return NULL;
	}
	if (!strchr(command, '/')) {
		const char *path = env_find(env, "PATH");
		return find_in_path(
		    command, path ? path : "/usr/local/bin:/usr/bin:/bin", cwd, err);
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

/* The first terminal that the leader of a session opens is its controlling terminal. */
static void
add_terminal(posix_spawn_file_actions_t *actions, const char *name)
{
	posix_spawn_file_actions_addopen(actions, STDIN_FILENO, name, O_RDWR, 0);
	posix_spawn_file_actions_adddup2(actions, STDIN_FILENO, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(actions, STDIN_FILENO, STDERR_FILENO);
}

/* The child's standard streams. */
struct streams {
	int theirs[3];
	char terminal[64]; /* its name; "": pipes */
};

static bool
open_streams(const struct child_options *options, struct spawned *spawned, struct streams *s)
{
	if (options->terminal)
		return open_terminal(options->terminal, &spawned->fds[STDIN_FILENO], s->terminal,
		    sizeof(s->terminal));
	for (int i = 0; i < 3; i++)
		if (!open_pipe(i, &spawned->fds[i], &s->theirs[i]))
			return false;
	return true;
}

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
start(const char *file, const struct child_options *options, const struct env *env,
    const struct streams *s, pid_t *pid)
{
	posix_spawn_file_actions_t actions;

	posix_spawn_file_actions_init(&actions);
	if (s->terminal[0])
		add_terminal(&actions, s->terminal);
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

bool
spawn_process(const struct child_options *options, struct spawned *spawned, struct err *err)
{
	struct streams streams = { .theirs = { -1, -1, -1 } };
	struct env env = { 0 };
	bool ok = false;

	*spawned = (struct spawned){ .fds = { -1, -1, -1 } };
	env_init(&env, options);
	char *file = NULL;
	if (check_cwd(options->cwd, err))
		file = find_program(options->argv[0], &env, options->cwd, err);
	if (!file)
		goto out;
	if (!open_streams(options, spawned, &streams)) {
		err_set(err, "no %s for %s: %s", options->terminal ? "terminal" : "pipe",
		    options->argv[0], strerror(errno));
		goto out;
	}
	if (options->confined) {
		struct launch launch = { file, options, (char *const *)env.items,
			{ streams.theirs[0], streams.theirs[1], streams.theirs[2] } };
		ok = spawn_confined(&launch, &spawned->pid, err);
		goto out;
	}
	int error = start(file, options, &env, &streams, &spawned->pid);
	ok = error == 0;
	if (error == ENOENT) /* the file exists */
		err_set(err, "%s: its interpreter was not found", options->argv[0]);
	else if (error)
		explain(options->argv[0], error, err);
out:
	if (!ok)
		close_fds(spawned->fds);
	close_fds(streams.theirs);
	free(file);
	free(env.items);
	return ok;
}

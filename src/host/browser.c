#include "host/browser.h"

#include "auth/url.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/strings.h"
#include "loop/child.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct browser {
	char *name;
	pid_t pid;
	struct loop_watch *watch;
	browser_end_fn *on_end;
	void *user;
};

static const char *
environment(const char *name)
{
	const char *value = getenv(name);

	return value && value[0] ? value : NULL;
}

bool
browser_is_likely(void)
{
	if (environment("BROWSER"))
		return true;
	bool remote = environment("SSH_CONNECTION") || environment("SSH_TTY");
	return !remote && (environment("DISPLAY") || environment("WAYLAND_DISPLAY"));
}

/* The first command of $BROWSER, which is separated by colons. %s stands for the URL; without it
 * the URL is appended. False: malformed quoting. */
static bool
make_command(struct strings *words, const char *url, struct err *err)
{
	const char *variable = environment("BROWSER");
	struct err why;

	variable = variable ? variable : "xdg-open";
	char *first = mem_strndup(variable, strcspn(variable, ":"));
	bool ok = strings_split_command_on(words, first, url, &why);
	free(first);
	return ok || err_set(err, "$BROWSER: %s", why.text);
}

static int
spawn(pid_t *pid, char *const *argv)
{
	posix_spawn_file_actions_t files;

	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
	int error = spawn_plainly(pid, argv[0], &files, true, argv, environ);
	posix_spawn_file_actions_destroy(&files);
	return error;
}

static void
on_child_signal(void *user, int signal_number)
{
	struct browser *b = user;
	int status = 0;

	if (waitpid(b->pid, &status, WNOHANG) != b->pid)
		return;
	loop_watch_remove(b->watch);
	b->watch = NULL;
	bool ok = WIFEXITED(status) && WEXITSTATUS(status) == 0;
	char *how = ok ? mem_printf("opened by %s", b->name)
		    : WIFEXITED(status)
			? mem_printf("%s ended with exit code %d", b->name, WEXITSTATUS(status))
			: mem_printf("%s was killed", b->name);
	b->on_end(b->user, ok, how);
	free(how);
}

struct browser *
browser_run(
    struct loop *loop, struct strings *words, browser_end_fn *on_end, void *user, struct err *err)
{
	char **argv = strings_argv(words);
	struct browser *b = mem_zalloc(sizeof(*b));
	*b = (struct browser){
		.name = mem_strdup(path_file_name(argv[0])), .on_end = on_end, .user = user
	};
	/* before it starts: some exit at once */
	b->watch = loop_watch_signal(loop, SIGCHLD, on_child_signal, b);
	int error = spawn(&b->pid, argv);
	if (error) {
		err_set(err, "%s: %s", argv[0], strerror(error));
		browser_destroy(b);
		b = NULL;
	}
	return b;
}

struct browser *
browser_open(
    struct loop *loop, const char *url, browser_end_fn *on_end, void *user, struct err *err)
{
	struct strings words = { 0 };

	if (!auth_url_is_safe(url, err) || !make_command(&words, url, err))
		return NULL;
	struct browser *b = browser_run(loop, &words, on_end, user, err);
	strings_finish(&words);
	return b;
}

const char *
browser_name(const struct browser *b)
{
	return b->name;
}

void
browser_destroy(struct browser *b)
{
	if (!b)
		return;
	loop_watch_remove(b->watch);
	free(b->name);
	free(b);
}

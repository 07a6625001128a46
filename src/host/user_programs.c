/* SPDX-License-Identifier: MIT */
#include "host/user_programs.h"

#include "auth/auth_url.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/strings.h"
#include "base/vec.h"
#include "loop/child.h"
#include "loop/stream.h"

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
	posix_spawn_file_actions_t files;
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
	int error = spawn_plainly(&b->pid, argv[0], &files, true, argv, environ);
	posix_spawn_file_actions_destroy(&files);
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
	const char *variable = environment("BROWSER");
	struct strings words = { 0 };
	struct err why;

	if (!auth_url_is_safe(url, err))
		return NULL;
	/* the first command of $BROWSER, which is separated by colons; %s is replaced by the URL,
	 * without %s the URL is appended */
	variable = variable ? variable : "xdg-open";
	char *first = mem_strndup(variable, strcspn(variable, ":"));
	bool ok = strings_split_command_on(&words, first, url, &why);
	free(first);
	if (!ok) {
		err_set(err, "$BROWSER: %s", why.text);
		return NULL;
	}
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

/* The limit of its standard error; the rest is read and dropped, so that the player does not
 * block. */
#define WORDS_MAX ((size_t)1024)

struct player {
	char *path, *name;
	struct child *child;
	struct stream_in out, errors;
	struct buf words; /* the beginning of its standard error */
	struct child_status status;
	bool exited, errors_ended;
	void (*on_end)(void *user, const char *why);
	void *user;
};

/* aplay plays other formats than WAV as noise. */
static const struct {
	const char *command, *only; /* only: files with that ending; NULL: all */
} known_players[] = {
	{ "paplay", NULL },
	{ "pw-play", NULL },
	{ "aplay -q", ".wav" },
	{ "ffplay -nodisp -autoexit -loglevel error", NULL },
	{ "mpv --no-video --no-terminal", NULL },
	{ "afplay", NULL },
};

void
player_destroy(struct player *p)
{
	if (!p)
		return;
	stream_in_finish(&p->out);
	stream_in_finish(&p->errors);
	child_destroy(p->child);
	if (p->path)
		unlink(p->path);
	buf_finish(&p->words);
	free(p->path);
	free(p->name);
	free(p);
}

/* ---- while it plays ---- */

static void
player_check_end(struct player *p)
{
	struct buf why = BUF_INIT;
	char how[64];

	if (!p->exited || !p->errors_ended)
		return;
	if (p->status.exit_code != 0) {
		child_status_text(&p->status, how, sizeof(how));
		const char *words = buf_text(&p->words);
		buf_addf(&why, "%s ended with %s%s%.*s", p->name, how, *words ? ": " : "",
		    (int)strcspn(words, "\n"), words);
	}
	p->on_end(p->user, buf_text(&why));
	buf_finish(&why);
}

static void
on_exit_status(void *user, const struct child_status *status)
{
	struct player *p = user;

	p->exited = true;
	p->status = *status;
	player_check_end(p);
}

static void
on_output(void *user, const char *bytes, size_t len)
{
}

static void
on_output_end(void *user, int error)
{
}

static void
on_errors(void *user, const char *bytes, size_t len)
{
	struct player *p = user;
	size_t room = WORDS_MAX - p->words.len;

	buf_add(&p->words, bytes, len < room ? len : room);
}

static void
on_errors_end(void *user, int error)
{
	struct player *p = user;

	p->errors_ended = true;
	player_check_end(p);
}

/* ---- starting ---- */

static bool
player_spawn(struct player *p, struct loop *loop, const char *command, struct err *err)
{
	static const struct child_ladder ladder = { .grace_ms = 0, .kill_ms = 500 };
	struct strings words = { 0 };

	if (!strings_split_command_on(&words, command, p->path, err))
		return false;
	struct child_options options = { .argv = (const char *const *)strings_argv(&words),
		.ladder = &ladder };
	p->name = mem_strdup(path_file_name(words.items[0]));
	p->child = child_spawn(loop, &options, on_exit_status, p, err);
	strings_finish(&words);
	if (!p->child) {
		free(p->name);
		p->name = NULL;
		return false;
	}
	child_close_fd(p->child, STDIN_FILENO);
	stream_in_init(
	    &p->out, loop, child_fd(p->child, STDOUT_FILENO), on_output, on_output_end, p);
	stream_in_init(
	    &p->errors, loop, child_fd(p->child, STDERR_FILENO), on_errors, on_errors_end, p);
	return true;
}

struct player *
player_start(struct loop *loop, const struct player_job *job, struct err *err)
{
	struct player *p = mem_zalloc(sizeof(*p));
	struct buf names = BUF_INIT;

	p->on_end = job->on_end;
	p->user = job->user;
	p->path = path_write_temporary(job->ending, job->bytes, job->len, err);
	bool ok = p->path && job->command && player_spawn(p, loop, job->command, err);
	for (size_t i = 0; p->path && !job->command && i < ARRAY_LEN(known_players) && !ok; i++) {
		const char *command = known_players[i].command, *only = known_players[i].only;
		bool fits = !only || strcmp(only, job->ending) == 0;
		ok = fits && player_spawn(p, loop, command, err);
		if (fits)
			buf_addf(&names, "%s%.*s", names.len ? ", " : "",
			    (int)strcspn(command, " "), command);
	}
	if (p->path && !job->command && !ok)
		err_set(err, "no player of sounds is installed (%s), and the settings name none",
		    buf_text(&names));
	buf_finish(&names);
	if (ok)
		return p;
	player_destroy(p);
	return NULL;
}

#include "tui.h"

#include "base/mem.h"
#include "base/path.h"
#include "base/strings.h"
#include "loop/child.h"
#include "loop/stream.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Keys and answers that the program has not read yet; more of them are dropped. */
#define OUTBOX_BYTES ((size_t)1 << 20)

struct terminal_link {
	struct tui *tui;
	struct child *child;
	struct stream_in in;
	struct stream_out out;
	struct terminal_listener listener;
};

static void
on_bytes(void *user, const char *bytes, size_t len)
{
	struct terminal_link *link = user;

	link->listener.on_bytes(link->listener.user, bytes, len);
	if (link->tui->display)
		display_dirty(link->tui->display);
}

/* Linux says EIO if no process has the terminal open; the exit follows. */
static void
on_hang_up(void *user, int error)
{
}

/* Reads the program's last output from the pty. Bounded, because its children may still write. */
static void
read_rest(struct terminal_link *link)
{
	enum { READS_MOST = 64 };
	char bytes[4096];
	int fd = child_fd(link->child, STDIN_FILENO);

	for (int i = 0; i < READS_MOST; i++) {
		ssize_t n = read(fd, bytes, sizeof(bytes));
		if (n == 0 || (n < 0 && errno != EINTR))
			return;
		if (n > 0)
			on_bytes(link, bytes, (size_t)n);
	}
}

static void
on_program_exit(void *user, const struct child_status *status)
{
	struct terminal_link *link = user;
	struct tui *t = link->tui;
	char how[64];

	if (!t->display) /* the program ends */
		return;
	read_rest(link);
	child_status_text(status, how, sizeof(how));
	link->listener.on_end(link->listener.user, status->exit_code, how);
	if (t->display)
		display_dirty(t->display);
}

static void
close_link(struct terminal_link *link)
{
	stream_in_finish(&link->in);
	stream_out_finish(&link->out);
	child_destroy(link->child);
	free(link);
}

static const char *
users_shell(void)
{
	const char *shell = getenv("SHELL");

	return shell && *shell ? shell : "/bin/sh";
}

static struct terminal_link *
program_start(void *user, char *const *argv, struct terminal_size size,
    const struct terminal_listener *listener, struct err *err)
{
	/* The program asks the terminal for its size, and would believe the names of other
	 * terminals. */
	static const char *const env[] = { "TERM=xterm-256color", "COLORTERM=truecolor", "LINES",
		"COLUMNS", "TERMINFO", "TERMCAP", "TMUX", "TMUX_PANE", "STY", "TERM_PROGRAM",
		"TERM_PROGRAM_VERSION", "VTE_VERSION", "KITTY_WINDOW_ID", "MCPANE_TEST_BARRIER",
		NULL };
	static const struct child_ladder ladder = { .grace_ms = 0, .kill_ms = 500 };
	const char *const shell[] = { users_shell(), NULL };
	const struct child_size child_size = { size.width, size.height };
	struct tui *t = user;
	struct child_options options = {
		.argv = argv[0] ? (const char *const *)argv : shell,
		.env = env,
		.ladder = &ladder,
		.terminal = &child_size,
	};
	struct terminal_link *link = mem_zalloc(sizeof(*link));

	link->tui = t;
	link->listener = *listener;
	link->child = child_spawn(t->loop, &options, on_program_exit, link, err);
	if (!link->child) {
		free(link);
		return NULL;
	}
	int fd = child_fd(link->child, STDIN_FILENO);
	stream_in_init(&link->in, t->loop, fd, on_bytes, on_hang_up, link);
	stream_out_init(&link->out, t->loop, fd, OUTBOX_BYTES);
	return link;
}

static void
write_link(struct terminal_link *link, const char *bytes, size_t len)
{
	stream_out_add(&link->out, bytes, len);
	stream_out_flush(&link->out);
}

static void
resize_link(struct terminal_link *link, struct terminal_size size)
{
	child_resize(link->child, (struct child_size){ size.width, size.height });
}

const struct terminal_host tui_terminal_host = {
	.start = program_start,
	.write = write_link,
	.resize = resize_link,
	.close = close_link,
};

/* ---- a file of a server in a program of the user, here or detached ---- */

/* A file is removed when mcpane ends, or after FILES_MOST others: the program may not have read it. */
enum { FILES_MOST = 64 };

/* A command of the settings that begins with this word needs a terminal. */
static const char in_pane[] = "pane ";

static void
forget_first(struct tui *t)
{
	unlink(t->opened.items[0]);
	strings_remove(&t->opened, 0);
}

void
open_file_forget(struct tui *t)
{
	while (t->opened.len > 0)
		forget_first(t);
	strings_finish(&t->opened);
}

static bool
program_start_in_pane(struct tui *t, struct strings *words, struct err *err)
{
	struct terminal_program program = { .argv = strings_argv(words), .name = words->items[0] };

	return workbench_open_terminal(t->wb, &program, err);
}

static void
on_end(void *user, bool ok, const char *how)
{
	struct tui *t = user;

	workbench_tell(t->wb, ok ? ROLE_OK : ROLE_ERROR, how);
	display_dirty(t->display);
}

static bool
start_detached(struct tui *t, struct strings *words, struct err *err)
{
	browser_destroy(t->browser);
	t->browser = browser_run(t->loop, words, on_end, t, err);
	return t->browser != NULL;
}

bool
open_file(void *user, const struct pane_file *file, struct err *err)
{
	struct tui *t = user;
	const char *command = settings_program_for(&t->settings, file->type);
	bool is_in_pane = strncmp(command, in_pane, strlen(in_pane)) == 0;
	char *path = path_write_temporary(file->ending, file->bytes, file->len, err);
	struct strings words = { 0 };

	if (!path)
		return false;
	strings_take(&t->opened, path);
	if (t->opened.len > FILES_MOST)
		forget_first(t);
	bool ok = strings_split_command_on(
		      &words, command + (is_in_pane ? strlen(in_pane) : 0), path, err) &&
		  (is_in_pane ? program_start_in_pane : start_detached)(t, &words, err);
	strings_finish(&words);
	return ok;
}

#define TEXT_MAX_BYTES ((size_t)64 << 20)

struct editor {
	pid_t pid;
	struct workbench *wb; /* NULL: it has the terminal */
	char *command;        /* as set in the environment */
	char *path;
	bool pages; /* a pager: the file is not read back */
	bool keep;  /* the user's own file, not a temporary one */
	struct loop_watch *watch;
	void (*on_done)(void *user, const struct buf *text, const struct err *err);
	void *user;
};

extern char **environ;

void
editor_destroy(struct editor *e)
{
	if (!e)
		return;
	loop_watch_remove(e->watch);
	if (e->pid > 0)
		kill(e->pid, SIGTERM);
	if (e->path && !e->keep)
		unlink(e->path);
	free(e->path);
	free(e->command);
	free(e);
}

/* A shell's exit codes: 126 if the command cannot be run, 127 if it is not found. */
enum { SHELL_CANNOT_RUN = 126 };

static void
set_cannot_start(const struct editor *e, const char *why, struct err *err)
{
	err_set(err, "cannot start the %s %.80s: %s ($%s names another)",
	    e->pages ? "pager" : "editor", e->command, why, e->pages ? "PAGER" : "EDITOR");
}

static void
editor_finish(struct editor *e, int code)
{
	struct buf text = { .max = TEXT_MAX_BYTES };
	struct err err = { "" };
	bool ok = code == 0;

	if (code >= SHELL_CANNOT_RUN)
		set_cannot_start(e, "the shell cannot run it", &err);
	else if (!ok)
		err_set(&err, e->keep ? "the editor failed"
				      : "the editor failed; the arguments are as before");
	else if (!e->pages)
		ok = path_read_regular(e->path, &text, NULL, &err);
	void (*on_done)(void *, const struct buf *, const struct err *) = e->on_done;
	void *user = e->user;
	editor_destroy(e);
	on_done(user, ok ? &text : NULL, &err);
	buf_finish(&text);
}

static void
on_child(void *user, int signal_number)
{
	struct editor *e = user;
	int status;

	if (waitpid(e->pid, &status, WNOHANG) != e->pid)
		return;
	e->pid = 0;
	editor_finish(e, WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

static void
on_program_end(void *user, int code)
{
	editor_finish(user, code);
}

/* A single command without operators or variable assignments: the shell execs it, so that
 * signals from the terminal and from us reach the editor alone. */
static bool
is_one_command(const char *command)
{
	return !strpbrk(command, "|&;<>()`\n") &&
	       !memchr(command, '=', strcspn(command, " \t\"'\\"));
}

static bool
start_on_terminal(struct editor *e, char *const *argv, struct err *err)
{
	int code = spawn_plainly(&e->pid, argv[0], NULL, false, argv, environ);

	if (code == 0)
		return true;
	e->pid = 0;
	set_cannot_start(e, strerror(code), err);
	return false;
}

static bool
editor_start_in_pane(struct editor *e, char *const *argv, struct err *err)
{
	struct terminal_program program = {
		.argv = argv,
		.name = e->command,
		.on_end = on_program_end,
		.user = e,
		.closes = !e->pages,
	};
	struct err why = { "" };

	if (workbench_open_terminal(e->wb, &program, &why))
		return true;
	set_cannot_start(e, why.text, err);
	return false;
}

/* The variable is a shell command, as in git. A single word needs no shell, so that a missing
 * editor is reported at once. */
static bool
spawn(struct editor *e, struct err *err)
{
	bool plain = !strpbrk(e->command, "|&;<>()$`\\\"' \t\n*?[#~=%");
	char *line =
	    mem_printf("%s%s \"$@\"", is_one_command(e->command) ? "exec " : "", e->command);
	char *direct[] = { e->command, e->path, NULL };
	char *by_shell[] = { (char[]){ "sh" }, (char[]){ "-c" }, line, e->command, e->path, NULL };
	char **argv = plain ? direct : by_shell;

	bool ok = e->wb ? editor_start_in_pane(e, argv, err) : start_on_terminal(e, argv, err);
	free(line);
	return ok;
}

/* $VISUAL, $EDITOR or vi. */
static const char *
users_editor(void)
{
	const char *visual = getenv("VISUAL"), *editor = getenv("EDITOR");

	return visual && *visual ? visual : editor && *editor ? editor : "vi";
}

struct editor *
editor_start(struct loop *loop, const struct editor_job *job, struct err *err)
{
	struct editor *e = mem_zalloc(sizeof(*e));

	e->on_done = job->on_done;
	e->user = job->user;
	e->wb = job->wb;
	e->command = mem_strdup(job->command ? job->command : users_editor());
	e->pages = job->command != NULL;
	e->keep = job->path != NULL;
	e->path = job->path ? mem_strdup(job->path)
			    : path_write_temporary(job->ending, job->text, job->len, err);
	/* before the editor starts: it may exit at once */
	if (!e->wb)
		e->watch = loop_watch_signal(loop, SIGCHLD, on_child, e);
	if (e->path && spawn(e, err))
		return e;
	editor_destroy(e);
	return NULL;
}

/* SPDX-License-Identifier: MIT */
#include "tui.h"

#include "base/mem.h"
#include "base/path.h"
#include "base/strings.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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

struct editor *
editor_start(struct loop *loop, const struct editor_job *job, struct err *err)
{
	const char *visual = getenv("VISUAL"), *editor = getenv("EDITOR");
	struct editor *e = mem_zalloc(sizeof(*e));

	e->on_done = job->on_done;
	e->user = job->user;
	e->wb = job->wb;
	e->command = mem_strdup(job->command        ? job->command
				: visual && *visual ? visual
				: editor && *editor ? editor
						    : "vi");
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

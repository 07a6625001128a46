/* SPDX-License-Identifier: MIT */
#include "terminal_priv.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"
#include "test.h"

extern char **environ;

enum { LOG_MOST = 32 << 20, TICK_MS = 10 };

struct environment {
	char **items;
	size_t len, cap;
};

/* ---- the environment of the program ---- */
static void
env_unset(struct environment *env, const char *name, size_t len)
{
	for (size_t i = 0; i < env->len; i++) {
		if (strncmp(env->items[i], name, len) != 0 || env->items[i][len] != '=')
			continue;
		free(env->items[i]);
		VEC_REMOVE(env, i--);
	}
}

static void
env_apply(struct environment *env, const char *setting)
{
	size_t len = strcspn(setting, "=");

	env_unset(env, setting, len);
	if (setting[len] == '=')
		*VEC_PUSH(env) = mem_strdup(setting);
}

static void
env_add_folders(struct environment *env, const char *home)
{
	static const char *const names[] = { "HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME",
		"XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		char *setting = mem_printf("%s=%s", names[i], home);
		env_apply(env, setting);
		free(setting);
	}
}

static struct environment
env_create(const struct terminal *t, const struct terminal_options *options)
{
	static const char *const usual[] = { "LINES", "COLUMNS", "TMUX", "STY", "NO_COLOR",
		"COLORTERM", "COLORFGBG", "TERM_PROGRAM", "TERMINFO", "LC_CTYPE", "LANG=C.UTF-8",
		"LC_ALL=C.UTF-8", "TERM=xterm-256color", "MCPANE_TEST_BARRIER=1" };
	struct environment env = { 0 };

	for (char **e = environ; *e; e++)
		*VEC_PUSH(&env) = mem_strdup(*e);
	for (size_t i = 0; i < ARRAY_LEN(usual); i++)
		env_apply(&env, usual[i]);
	env_add_folders(&env, t->home);
	env_apply(&env, t->mark);
	for (const char *const *e = options->env; e && *e; e++)
		env_apply(&env, *e);
	*VEC_PUSH(&env) = NULL;
	return env;
}

static void
env_destroy(struct environment *env)
{
	for (size_t i = 0; i < env->len; i++)
		free(env->items[i]);
	free(env->items);
}

/* ---- output that is not drawn on the screen ---- */
static void
answer(struct terminal *t, const char *bytes, size_t len)
{
	buf_add(&t->to_program, bytes, len);
}

static void
on_osc(const char *text, size_t len, void *user)
{
	struct terminal *t = user;
	int rows = 0, cols = 0;
	long n;

	if (sscanf(text, "7700;%ld;%d;%d", &n, &rows, &cols) >= 1) {
		t->barrier_seen = n;
		t->barrier_rows = rows;
		t->barrier_cols = cols;
	} else if (strncmp(text, "0;", 2) == 0 || strncmp(text, "2;", 2) == 0) {
		snprintf(t->title, sizeof(t->title), "%s", text + 2);
	} else if (strncmp(text, "11;?", 4) == 0 && t->background) {
		buf_addf(&t->to_program, "\033]11;%s\033\\", t->background);
	}
}

/* libvterm answers queries, but does not support synchronized output. */
static void
on_reply(const char *bytes, size_t len, void *user)
{
	static const char no[] = "\033[?2026;0$y", yes[] = "\033[?2026;2$y";
	static const char plain[] = "\033[?1;2c";
	struct terminal *t = user;

	if (t->device && len == sizeof(plain) - 1 && memcmp(bytes, plain, len) == 0) {
		bytes = t->device;
		len = strlen(t->device);
	}
	if (!t->no_sync && len == sizeof(no) - 1 && memcmp(bytes, no, len) == 0)
		bytes = yes;
	answer(t, bytes, len);
}

/* ---- starting ---- */
static void
open_emulator(struct terminal *t)
{
	t->vt = vterm_new(t->rows, t->cols);
	vterm_set_utf8(t->vt, 1);
	vterm_output_set_callback(t->vt, on_reply, t);
	t->screen = vterm_obtain_screen(t->vt);
	vterm_screen_enable_altscreen(t->screen, 1);
	vterm_screen_reset(t->screen, 1);
	t->escapes.on_osc = on_osc;
	t->escapes.user = t;
}

static void
open_tty(struct terminal *t)
{
	struct winsize size = { .ws_row = (unsigned short)t->rows,
		.ws_col = (unsigned short)t->cols };

	if (openpty(&t->master, &t->slave, NULL, NULL, &size) != 0)
		fail_msg("openpty: %s", strerror(errno));
	fcntl(t->master, F_SETFD, FD_CLOEXEC);
	fcntl(t->slave, F_SETFD, FD_CLOEXEC);
	fcntl(t->master, F_SETFL, O_RDWR | O_NONBLOCK);
	tcgetattr(t->slave, &t->before);
}

/* A session leader without a terminal acquires the first one that it opens. */
static int
spawn(struct terminal *t, const struct terminal_options *options, char **env)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none, usual;

	sigemptyset(&none);
	sigemptyset(&usual);
	sigaddset(&usual, SIGPIPE);
	sigaddset(&usual, SIGINT);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(
	    &attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setsigdefault(&attributes, &usual);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 0, ttyname(t->slave), O_RDWR, 0);
	posix_spawn_file_actions_adddup2(&actions, 0, 1);
	posix_spawn_file_actions_adddup2(&actions, 0, 2);
	if (options->cwd)
		posix_spawn_file_actions_addchdir_np(
		    &actions, strcmp(options->cwd, "~") == 0 ? t->home : options->cwd);
	int error = posix_spawnp(
	    &t->pid, options->argv[0], &actions, &attributes, (char *const *)options->argv, env);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	return error;
}

/* The first start shows a different screen. */
static void
skip_welcome(const struct terminal *t)
{
	char *path = mem_printf("%s/mcpane/first-call", t->home);
	struct err err;

	if (!path_write_private(path, "made\n", 5, &err))
		fail_msg("%s", err.text);
	free(path);
}

struct terminal *
terminal_start(const struct terminal_options *options)
{
	struct terminal *t = mem_zalloc(sizeof(*t));
	char home[] = "/tmp/terminal-XXXXXX";

	t->rows = options->rows ? options->rows : 36;
	t->cols = options->cols ? options->cols : 120;
	t->no_sync = options->no_sync;
	t->background = options->background;
	t->device = options->device;
	t->home = mem_strdup(mkdtemp(home));
	snprintf(t->mark, sizeof(t->mark), "MCPANE_TEST_ID=%d.%s", (int)getpid(), home + 14);
	if (!options->first)
		skip_welcome(t);
	open_emulator(t);
	open_tty(t);
	processes_adopt_orphans();
	struct environment env = env_create(t, options);
	t->started_us = clock_now_us();
	int error = spawn(t, options, env.items);
	env_destroy(&env);
	if (error != 0)
		fail_msg("%s: %s", options->argv[0], strerror(error));
	t->pidfd = (int)syscall(SYS_pidfd_open, t->pid, 0);
	processes_init(&t->processes, t->pid, t->mark);
	return t;
}

/* ---- ending ---- */
static int
remove_entry(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
	remove(path);
	return 0;
}

static void
kill_all(struct terminal *t)
{
	pid_t pids[256];
	size_t count;

	if (!t->exited) {
		kill(t->pid, SIGKILL);
		waitpid(t->pid, NULL, 0);
	}
	/* A killed process may have started others in the meantime. */
	while ((count = processes_find(&t->processes, pids, 256)) > 0) {
		for (size_t i = 0; i < count && i < 256; i++)
			kill(pids[i], SIGKILL);
		for (size_t i = 0; i < count && i < 256; i++)
			waitpid(pids[i], NULL, 0);
	}
}

void
terminal_close(struct terminal *t)
{
	if (!t)
		return;
	kill_all(t);
	if (t->master >= 0)
		close(t->master);
	close(t->slave);
	if (t->pidfd >= 0)
		close(t->pidfd);
	nftw(t->home, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
	vterm_free(t->vt);
	buf_finish(&t->to_program);
	buf_finish(&t->log);
	buf_finish(&t->text);
	free(t->home);
	free(t);
}

void
terminal_hang_up(struct terminal *t)
{
	close(t->master);
	t->master = -1;
}

/* ---- bytes ---- */
static void
send_pending(struct terminal *t)
{
	ssize_t n = write(t->master, t->to_program.data, t->to_program.len);

	if (n > 0)
		buf_consume(&t->to_program, (size_t)n);
}

/* Drop application program commands (APC), which libvterm 0.1 does not support. */
static void
write_to_screen(struct terminal *t, const char *bytes, size_t len)
{
	const char *end = bytes + len;

	while (bytes < end) {
		if (t->apc == OUTSIDE) {
			const char *escape = memchr(bytes, '\033', (size_t)(end - bytes));
			const char *stop = escape ? escape : end;
			vterm_input_write(t->vt, bytes, (size_t)(stop - bytes));
			bytes = stop + (escape != NULL);
			t->apc = escape ? ESCAPED : OUTSIDE;
			continue;
		}
		if (t->apc == ESCAPED && *bytes != '_') {
			vterm_input_write(t->vt, "\033", 1);
			t->apc = OUTSIDE;
			continue;
		}
		bool ends = t->apc == ESCAPED_IN_APC && *bytes == '\\';
		t->apc = ends ? OUTSIDE : *bytes == '\033' ? ESCAPED_IN_APC : IN_APC;
		bytes++;
	}
}

static bool
receive(struct terminal *t)
{
	char bytes[65536];
	ssize_t n = read(t->master, bytes, sizeof(bytes));

	if (n <= 0)
		return false;
	t->bytes += (uint64_t)n;
	if (t->log.len > LOG_MOST)
		buf_consume(&t->log, LOG_MOST / 2);
	buf_add(&t->log, bytes, (size_t)n);
	escapes_feed(&t->escapes, bytes, (size_t)n);
	write_to_screen(t, bytes, (size_t)n);
	return true;
}

static void
look_for_exit(struct terminal *t)
{
	t->exited = t->exited || waitpid(t->pid, &t->status, WNOHANG) == t->pid;
}

bool
terminal_pump(struct terminal *t, int timeout_ms)
{
	struct pollfd fds[] = {
		{ .fd = t->master, .events = POLLIN },
		{ .fd = t->exited ? -1 : t->pidfd, .events = POLLIN },
	};

	if (t->to_program.len > 0)
		fds[0].events |= POLLOUT;
	if (t->exited)
		timeout_ms = 0;
	else if (t->pidfd < 0 && timeout_ms > TICK_MS)
		timeout_ms = TICK_MS;
	poll(fds, 2, timeout_ms);
	bool moved = fds[0].revents & POLLIN && receive(t);
	if (fds[0].revents & POLLOUT)
		send_pending(t);
	if (moved)
		return true;
	if (t->exited)
		return false;
	look_for_exit(t);
	return true;
}

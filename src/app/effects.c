/* SPDX-License-Identifier: MIT */
#include "tui.h"

#include "base/base64.h"
#include "base/beneath.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/strings.h"
#include "base/vec.h"
#include "host/media_decoder.h"
#include "host/confined.h"
#include "loop/child.h"
#include "loop/stream.h"
#include "ui/vterm_library.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

/* The effects of the full screen (pane/effects.h); the user of each is the struct tui. */

/* ---- the program ---- */

/* Stops the whole process group, as the terminal does: a parent such as make returns to the
 * shell too. */
static bool
effect_suspend(void *user, struct err *err)
{
	if (getsid(0) == getpid())
		return err_set(err, "no shell to return to");
	kill(0, SIGTSTP);
	return true;
}

static void
effect_add_setting(void *user, const char *name, struct buf *out)
{
	settings_add_value(&((struct tui *)user)->settings, name, out);
}

static bool
effect_set_setting(void *user, const char *name, const char *value, struct err *err)
{
	struct tui *t = user;
	enum backend_pictures pictures = t->settings.pictures;

	if (strcmp(name, "theme") == 0 && *value) {
		bool chooses = strcmp(value, "auto") != 0;
		struct theme theme;
		if (chooses && !settings_theme(&theme, value, err))
			return false;
		if (chooses) {
			tui_show_theme(t, &theme);
			t->theme = theme;
		}
		free(t->settings.theme);
		t->settings.theme = chooses ? mem_strdup(value) : NULL;
		settings_keep_theme(t->settings.theme);
		return true;
	}
	if (!settings_set(&t->settings, name, value, err))
		return false;
	tui_hand_out_settings(t);
	return pictures == t->settings.pictures ||
	       display_set_pictures(t->display, t->settings.pictures, err);
}

static void
effect_preview_theme(void *user, const char *name)
{
	struct tui *t = user;
	struct theme theme;

	if (name && !settings_theme(&theme, name, NULL))
		return;
	tui_show_theme(t, name ? &theme : &t->theme);
}

static bool
effect_has_file(void *user, const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static bool
effect_write_file(void *user, const char *path, const char *bytes, size_t len, struct err *err)
{
	return path_write_with_mode(path, 0600, bytes, len, err);
}

static char *
effect_write_new(void *user, const char *path, const char *bytes, size_t len, struct err *err)
{
	return path_write_new(path, bytes, len, err);
}

static int
effect_create_new(void *user, const char *path, char **name, struct err *err)
{
	return path_create_new(path, 0600, name, err);
}

static bool
effect_append_new(void *user, int file, const char *bytes, size_t len, struct err *err)
{
	return path_write_fd(file, bytes, len) || err_set(err, "%s", strerror(errno));
}

static void
effect_close_new(void *user, int file)
{
	close(file);
}

static bool
effect_read_file(void *user, const char *path, struct buf *out, struct err *err)
{
	return path_read_regular(path, out, NULL, err);
}

static bool
effect_read_beneath(
    void *user, const char *folder, const char *name, struct buf *out, struct err *err)
{
	return beneath_read(folder, name, out, NULL, err);
}

/* Opens only the folder: the entry has its type. A file system of another machine could keep us
 * waiting. */
static void
effect_list_folder(void *user, const char *folder,
    void (*each)(void *ctx, const char *name, bool is_folder), void *ctx)
{
	enum { ENTRIES_MAX = 5000 };
	static const long remote[] = { 0x6969, 0x517b, 0xfe534d42, 0xff534d42, 0x65735546,
		0x01021997, 0x5346414f, 0x00c36400 }; /* NFS, SMB, FUSE, 9P, AFS, Ceph */
	DIR *dir = opendir(folder);
	const struct dirent *e;
	struct statfs fs;

	if (!dir)
		return;
	bool local = fstatfs(dirfd(dir), &fs) == 0;
	for (size_t i = 0; local && i < ARRAY_LEN(remote); i++)
		local = ((unsigned long)fs.f_type & 0xffffffff) != (unsigned long)remote[i];
	for (int i = 0; local && i < ENTRIES_MAX && (e = readdir(dir)); i++)
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
			each(ctx, e->d_name, e->d_type == DT_DIR);
	closedir(dir);
}

static void
on_theme_file(void *user, const char *name, bool is_folder)
{
	static const char ending[] = ".theme";
	size_t len = strlen(name);

	if (!is_folder && len >= sizeof(ending) && path_has_ending(name, ending))
		strings_take(user, mem_strndup(name, len - strlen(ending)));
}

static void
effect_list_themes(void *user, struct strings *out)
{
	char *folder = path_of(PATH_CONFIG, "themes");

	if (folder)
		effect_list_folder(user, folder, on_theme_file, out);
	free(folder);
}

/* OSC 52: the terminal sets the clipboard, also over SSH. */
static void
effect_copy(void *user, const char *text, size_t len)
{
	struct tui *t = user;
	struct buf out = BUF_INIT;

	buf_add_str(&out, "\033]52;c;");
	base64_add(&out, text, len, BASE64_PLAIN);
	buf_add_str(&out, "\033\\");
	display_write(t->display, buf_text(&out), out.len);
	buf_finish(&out);
}

static void
on_browser_end(void *user, bool ok, const char *how)
{
	struct tui *t = user;

	workbench_tell(t->wb, ok ? ROLE_OK : ROLE_ERROR, how);
	display_dirty(t->display);
}

static bool
effect_open_url(void *user, const char *url, struct err *err)
{
	struct tui *t = user;

	browser_destroy(t->browser);
	t->browser = browser_open(t->loop, url, on_browser_end, t, err);
	return t->browser != NULL;
}

/* ---- a file of a server in a program of the user, here or detached ---- */

/* A file is removed when mcpane ends, or after FILES_MOST others: the program may not have read it.
 */
enum { FILES_MOST = 64 };

/* A command of the settings that begins with this word needs a terminal. */
static const char in_pane[] = "pane ";

static void
forget_first(struct tui *t)
{
	unlink(t->opened.items[0]);
	strings_remove(&t->opened, 0);
}

static bool
effect_open_file(void *user, const struct pane_file *file, struct err *err)
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
	    &words, command + (is_in_pane ? strlen(in_pane) : 0), path, err);
	if (ok && is_in_pane) {
		struct terminal_program program = { .argv = strings_argv(&words),
			.name = words.items[0] };
		ok = workbench_open_terminal(t->wb, &program, err);
	} else if (ok) {
		browser_destroy(t->browser);
		t->browser = browser_run(t->loop, &words, on_browser_end, t, err);
		ok = t->browser != NULL;
	}
	strings_finish(&words);
	return ok;
}

static bool
effect_sample(void *user, uint64_t question, struct err *err)
{
	struct tui *t = user;

	return sampler_draft(t->sampler, workbench_workspace(t->wb)->server, question, err);
}

static bool
effect_picture(void *user, struct picture_job *job)
{
	enum { PIXELS_FOR_A_CELL = 2 }; /* a pane asks for what cells resolve */
	struct tui *t = user;

	if (display_info(t->display).draws_pixels)
		job->most *= PIXELS_FOR_A_CELL;
	return decoder_submit(t->pictures, job);
}

static bool
effect_audio(void *user, struct audio_job *job)
{
	struct tui *t = user;

	return audio_submit(t->pictures, job);
}

static void
on_played(void *user, const char *why)
{
	struct tui *t = user;

	workbench_tell(t->wb, *why ? ROLE_ERROR : ROLE_OK, *why ? why : "the sound has ended");
	player_destroy(t->player);
	t->player = NULL;
	display_dirty(t->display);
}

static bool
effect_play(void *user, const char *bytes, size_t len, const char *ending, struct err *err)
{
	struct tui *t = user;
	struct player_job job = { t->settings.player, bytes, len, ending, on_played, t };

	player_destroy(t->player);
	t->player = player_start(t->loop, &job, err);
	if (t->player)
		workbench_tell(t->wb, ROLE_OK, "playing the sound; the same key stops it");
	return t->player != NULL;
}

static bool
effect_stop_playing(void *user)
{
	struct tui *t = user;
	bool plays = t->player != NULL;

	player_destroy(t->player);
	t->player = NULL;
	return plays;
}

static const char *
effect_program_for(void *user, const char *type)
{
	return settings_program_for(&((struct tui *)user)->settings, type);
}

static bool
effect_query(void *user, struct query_job *job)
{
	struct tui *t = user;

	return query_submit(t->queries, job);
}

static void
effect_stop_query(void *user, struct query_job *job)
{
	struct tui *t = user;

	query_stop(t->queries, job);
}

static void
effect_submit(void *user, struct job *job)
{
	worker_submit(((struct tui *)user)->worker, job);
}

static char *
effect_absolute_path(void *user, const char *path, struct err *err)
{
	char *real = realpath(path, NULL);

	if (!real)
		err_set(err, "%.150s: %s", path, strerror(errno));
	return real;
}

/* ---- $EDITOR and the pager ---- */

/*
 * The user's editor or pager on a file: $VISUAL, $EDITOR or vi, as a shell command, in the
 * terminal pane or on the whole terminal.
 */
struct editor_job {
	const char *command; /* NULL: the user's editor */
	const char *path;    /* a file of the user's; NULL: a temporary one of mode 0600 */
	const char *text;    /* of the temporary one */
	size_t len;
	const char *ending;   /* of its name, ".json" */
	struct workbench *wb; /* runs in its terminal pane; NULL: on the terminal, which the
			       * display has released */
	/* text is NULL and err explains why if the editor failed; a pager's is empty. The editor is
	 * destroyed before. */
	void (*on_done)(void *user, const struct buf *text, const struct err *err);
	void *user;
};

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

/* NULL-safe; terminates a process on the terminal. The pane must not tell the end of its program
 * any more. */
static void
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
editor_finish(void *editor, int code)
{
	struct editor *e = editor;
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

/* The variable is a shell command, as in git. A single word needs no shell, so that a missing
 * editor is reported at once. */
static bool
editor_spawn(struct editor *e, struct err *err)
{
	bool plain = !strpbrk(e->command, "|&;<>()$`\\\"' \t\n*?[#~=%");
	/* The shell execs a single command without operators or variable assignments, so that
	 * signals from the terminal and from us reach the editor alone. */
	bool execs = !strpbrk(e->command, "|&;<>()`\n") &&
		     !memchr(e->command, '=', strcspn(e->command, " \t\"'\\"));
	char *line = mem_printf("%s%s \"$@\"", execs ? "exec " : "", e->command);
	char *direct[] = { e->command, e->path, NULL };
	char *by_shell[] = { (char[]){ "sh" }, (char[]){ "-c" }, line, e->command, e->path, NULL };
	struct terminal_program program = {
		.argv = plain ? direct : by_shell,
		.name = e->command,
		.on_end = editor_finish,
		.user = e,
		.closes = !e->pages,
	};
	struct err why = { "" };
	bool ok;

	if (e->wb) {
		ok = workbench_open_terminal(e->wb, &program, &why);
	} else {
		int code =
		    spawn_plainly(&e->pid, program.argv[0], NULL, false, program.argv, environ);
		ok = code == 0 || err_set(&why, "%s", strerror(code));
		e->pid = ok ? e->pid : 0;
	}
	if (!ok)
		set_cannot_start(e, why.text, err);
	free(line);
	return ok;
}

/* The job and its strings are borrowed for the call. */
static struct editor *
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
	if (e->path && editor_spawn(e, err))
		return e;
	editor_destroy(e);
	return NULL;
}

/* Takes the terminal back. False: it is gone, and the program ends. */
static bool
take_screen_back(struct tui *t)
{
	struct err why = { "" };
	bool was_away = t->screen_is_away;

	t->editor = NULL;
	t->screen_is_away = false;
	if (!was_away || display_resume(t->display, &why))
		return true;
	loop_stop(t->loop);
	return false;
}

/* Starts it in the terminal pane, or on the whole terminal if the user prefers that or libvterm is
 * missing. */
static bool
start_editor(struct tui *t, struct editor_job job, struct err *err)
{
	struct err ignored;

	if (t->editor)
		return err_set(err, "an editor is already open (:terminal shows it)");
	job.user = t;
	job.wb = t->settings.editor_on_screen || !vterm_library(&ignored) ? NULL : t->wb;
	t->screen_is_away = !job.wb;
	if (t->screen_is_away)
		display_suspend(t->display);
	t->editor = editor_start(t->loop, &job, err);
	return t->editor != NULL || (take_screen_back(t) && false);
}

static void
on_file_edited(void *user, const struct buf *text, const struct err *err)
{
	struct tui *t = user;

	if (!take_screen_back(t))
		return;
	servers_reload(t->servers);
	workbench_workspace(t->wb)->generation++;
	workbench_tell(
	    t->wb, text ? ROLE_DIM : ROLE_ERROR, text ? "reloaded the servers" : err->text);
}

static bool
effect_edit_server(void *user, size_t choice, struct err *err)
{
	struct tui *t = user;
	char *path = servers_file(t->servers, choice);

	if (!path)
		return err_set(err, "no file to edit");
	bool ok =
	    start_editor(t, (struct editor_job){ .path = path, .on_done = on_file_edited }, err);
	free(path);
	return ok;
}

static void
on_edited(void *user, const struct buf *text, const struct err *err)
{
	struct tui *t = user;

	if (take_screen_back(t))
		workbench_on_edited(t->wb, text ? buf_text(text) : NULL, text ? text->len : 0,
		    err->text, clock_now_us());
}

static bool
effect_edit(void *user, const char *text, size_t len, struct err *err)
{
	struct editor_job job = {
		.text = text,
		.len = len,
		.ending = ".json",
		.on_done = on_edited,
	};

	return start_editor(user, job, err);
}

static void
on_paged(void *user, const struct buf *text, const struct err *err)
{
	((struct tui *)user)->pager = NULL;
}

static bool
effect_page(void *user, const char *text, size_t len, const char *ending, struct err *err)
{
	struct tui *t = user;
	const char *pager = getenv("PAGER");
	struct editor_job job = {
		.command = t->settings.pager ? t->settings.pager
			   : pager && *pager ? pager
					     : "less",
		.text = text,
		.len = len,
		.ending = ending,
		.wb = t->wb,
		.on_done = on_paged,
		.user = t,
	};

	if (t->pager)
		return err_set(err, "a pager is already open (:terminal shows it)");
	t->pager = editor_start(t->loop, &job, err);
	return t->pager != NULL;
}

/* ---- the programs of the terminal pane, on ptys ---- */

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

static void
on_program_exit(void *user, const struct child_status *status)
{
	struct terminal_link *link = user;
	enum { READS_MOST = 64 }; /* its children may still write */
	struct tui *t = link->tui;
	char how[64], bytes[4096];

	if (!t->display) /* the program ends */
		return;
	for (int i = 0; i < READS_MOST; i++) { /* its last output */
		ssize_t n = read(child_fd(link->child, STDIN_FILENO), bytes, sizeof(bytes));
		if (n == 0 || (n < 0 && errno != EINTR))
			break;
		if (n > 0)
			on_bytes(link, bytes, (size_t)n);
	}
	child_status_text(status, how, sizeof(how));
	link->listener.on_end(link->listener.user, status->exit_code, how);
	if (t->display)
		display_dirty(t->display);
}

static void
effect_close_program(struct terminal_link *link)
{
	stream_in_finish(&link->in);
	stream_out_finish(&link->out);
	child_destroy(link->child);
	free(link);
}

static struct terminal_link *
effect_start_program(void *user, char *const *argv, struct terminal_size size,
    const struct terminal_listener *listener, struct err *err)
{
	/* The program asks the terminal for its size, and would believe the names of other
	 * terminals. */
	static const char *const env[] = { "TERM=xterm-256color", "COLORTERM=truecolor", "LINES",
		"COLUMNS", "TERMINFO", "TERMCAP", "TMUX", "TMUX_PANE", "STY", "TERM_PROGRAM",
		"TERM_PROGRAM_VERSION", "VTE_VERSION", "KITTY_WINDOW_ID", "MCPANE_TEST_BARRIER",
		NULL };
	static const struct child_ladder ladder = { .grace_ms = 0, .kill_ms = 500 };
	const char *users_shell = getenv("SHELL");
	const char *const shell[] = { users_shell && *users_shell ? users_shell : "/bin/sh", NULL };
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
	/* Linux says EIO if no process has the terminal open; the exit follows. */
	stream_in_init(&link->in, t->loop, fd, on_bytes, NULL, link);
	stream_out_init(&link->out, t->loop, fd, OUTBOX_BYTES);
	return link;
}

static void
effect_write_program(struct terminal_link *link, const char *bytes, size_t len)
{
	stream_out_add(&link->out, bytes, len);
	stream_out_flush(&link->out);
}

static void
effect_resize_program(struct terminal_link *link, struct terminal_size size)
{
	child_resize(link->child, (struct child_size){ size.width, size.height });
}

void
effects_end(struct tui *t)
{
	editor_destroy(t->editor);
	editor_destroy(t->pager);
	t->editor = t->pager = NULL;
	while (t->opened.len > 0)
		forget_first(t);
	strings_finish(&t->opened);
	player_destroy(t->player);
	t->player = NULL;
	browser_destroy(t->browser);
	t->browser = NULL;
}

const struct effects tui_effects = {
	.quit = tui_quit,
	.running = servers_running,
	.suspend = effect_suspend,
	.start = servers_start,
	.stop = servers_stop,
	.approve = servers_approve,
	.wanted = servers_wanted,
	.give = servers_give,
	.authorize = servers_authorize,
	.add_pasted = servers_add_pasted,
	.add_server = servers_add,
	.change_server = servers_change,
	.edit_server = effect_edit_server,
	.setting = settings_at,
	.set_setting = effect_set_setting,
	.add_setting = effect_add_setting,
	.list_themes = effect_list_themes,
	.preview_theme = effect_preview_theme,
	.has_file = effect_has_file,
	.write_file = effect_write_file,
	.write_new = effect_write_new,
	.create_new = effect_create_new,
	.append_new = effect_append_new,
	.close_new = effect_close_new,
	.read_file = effect_read_file,
	.read_beneath = effect_read_beneath,
	.list_folder = effect_list_folder,
	.edit = effect_edit,
	.page = effect_page,
	.copy = effect_copy,
	.open_url = effect_open_url,
	.sample = effect_sample,
	.picture = effect_picture,
	.audio = effect_audio,
	.play = effect_play,
	.stop_playing = effect_stop_playing,
	.program_for = effect_program_for,
	.open_file = effect_open_file,
	.query = effect_query,
	.stop_query = effect_stop_query,
	.submit = effect_submit,
	.changed = tui_on_change,
	.absolute_path = effect_absolute_path,
	.start_program = effect_start_program,
	.write_program = effect_write_program,
	.resize_program = effect_resize_program,
	.close_program = effect_close_program,
};

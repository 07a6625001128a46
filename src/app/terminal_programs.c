#include "tui.h"

#include "base/mem.h"
#include "base/path.h"
#include "base/strings.h"
#include "loop/child.h"
#include "loop/stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
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

/* The program's last output may still be in the pty. Its children may go on writing: bounded. */
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
start(void *user, char *const *argv, struct terminal_size size,
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
	.start = start,
	.write = write_link,
	.resize = resize_link,
	.close = close_link,
};

/* ---- a file of a server in a program of the user, here or detached ---- */

/* Nobody can say when a program has read its file: it stays until mcpane ends, or so many later. */
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
start_in_pane(struct tui *t, struct strings *words, struct err *err)
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
open_file(struct tui *t, const struct pane_file *file, struct err *err)
{
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
		  (is_in_pane ? start_in_pane : start_detached)(t, &words, err);
	strings_finish(&words);
	return ok;
}

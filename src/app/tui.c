#include "tui.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/path.h"
#include "crash.h"
#include "editor.h"
#include "host/browser.h"
#include "host/picture.h"
#include "host/sampler.h"
#include "loop/child.h"
#include "display.h"
#include "servers.h"
#include "settings.h"
#include "workbench/workbench.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct tui {
	const struct cli_options *options;
	struct loop *loop;
	struct worker *worker;
	struct display *display;
	struct workbench *wb;
	struct servers *servers;
	struct editor *editor;
	struct sampler *sampler;
	struct browser *browser; /* the last one started; NULL: none */
	char *theme_name;        /* NULL: by the terminal's background */
	int exit_code;
};

/* After anything that may have changed what is known of a server. */
static void
on_change(void *user)
{
	struct tui *t = user;

	if (t->wb)
		workbench_advance(t->wb, clock_now_us());
	servers_touch(t->servers);
	if (t->display)
		display_dirty(t->display);
}

/* ---- what the workbench asks for ---- */

static void
host_quit(void *user)
{
	struct tui *t = user;

	loop_stop(t->loop);
}

static size_t
host_running(void *user)
{
	struct tui *t = user;

	return servers_running(t->servers);
}

/* The whole job, as the terminal does it: a make above us gives way to the shell too. */
static bool
host_suspend(void *user, struct err *err)
{
	(void)user;
	if (getsid(0) == getpid())
		return err_set(err, "there is no shell to go back to");
	kill(0, SIGTSTP);
	return true;
}

/* ---- servers ---- */

static void
publish(struct tui *t)
{
	struct workspace *ws = workbench_workspace(t->wb);

	ws->choices = servers_choices(t->servers, &ws->choice_count);
	ws->generation++;
}

static bool
host_start(void *user, size_t choice, struct err *err)
{
	struct tui *t = user;

	bool ok = servers_start(t->servers, choice, err);
	publish(t);
	return ok;
}

static bool
host_stop(void *user, size_t choice, struct err *err)
{
	struct tui *t = user;

	return servers_stop(t->servers, choice, err);
}

static bool
host_approve(void *user, size_t choice, struct err *err)
{
	struct tui *t = user;

	bool ok = servers_approve(t->servers, choice, err);
	publish(t);
	return ok;
}

static const struct target_input *
host_wanted(void *user, size_t choice)
{
	struct tui *t = user;

	return servers_wanted(t->servers, choice);
}

static void
host_give(void *user, size_t choice, const char *id, const char *value)
{
	struct tui *t = user;

	servers_give(t->servers, choice, id, value);
}

static bool
host_authorize(
    void *user, size_t choice, enum workbench_auth what, const char *text, struct err *err)
{
	struct tui *t = user;

	return servers_authorize(t->servers, choice, what, text, err);
}

static bool
host_add_server(void *user, const char *name, char *const *words, struct err *err)
{
	struct tui *t = user;

	bool ok = servers_add(t->servers, name, words, err);
	publish(t);
	return ok;
}

static bool
host_remove_server(void *user, size_t choice, struct err *err)
{
	struct tui *t = user;

	bool ok = servers_remove(t->servers, choice, err);
	publish(t);
	return ok;
}

static bool
host_disable_server(void *user, size_t choice, bool disabled, struct err *err)
{
	struct tui *t = user;

	bool ok = servers_disable(t->servers, choice, disabled, err);
	publish(t);
	return ok;
}

static void
on_file_edited(void *user, const struct buf *text, const struct err *err)
{
	struct tui *t = user;
	struct err why = { "" };

	t->editor = NULL;
	if (!display_resume(t->display, &why)) {
		loop_stop(t->loop);
		return;
	}
	servers_reload(t->servers);
	publish(t);
	workbench_on_server_edited(t->wb, text ? NULL : err->text);
}

static bool
host_edit_server(void *user, size_t choice, struct err *err)
{
	struct tui *t = user;
	struct err ignored;
	char *path = servers_file(t->servers, choice);

	if (!path)
		return err_set(err, "there is no file to edit");
	if (t->editor) {
		free(path);
		return err_set(err, "an editor is open already");
	}
	display_suspend(t->display);
	t->editor = editor_start_file(t->loop, path, on_file_edited, t, err);
	if (!t->editor)
		display_resume(t->display, &ignored);
	free(path);
	return t->editor != NULL;
}

static bool
host_set_theme(void *user, const char *name, struct err *err)
{
	struct tui *t = user;
	struct theme theme;

	if (!settings_theme(&theme, name, err))
		return false;
	display_set_theme(t->display, &theme);
	free(t->theme_name);
	t->theme_name = mem_strdup(name);
	return true;
}

static bool
host_write_file(void *user, const char *path, const char *bytes, size_t len, struct err *err)
{
	(void)user;
	return path_write_file(path, bytes, len, err);
}

static void
on_edited(void *user, const struct buf *text, const struct err *err)
{
	struct tui *t = user;
	struct err why = { "" };

	t->editor = NULL;
	if (!display_resume(t->display, &why)) {
		loop_stop(t->loop);
		return;
	}
	workbench_on_edited(
	    t->wb, text ? buf_text(text) : NULL, text ? text->len : 0, err->text, clock_now_us());
}

static bool
host_edit(void *user, const char *text, size_t len, struct err *err)
{
	struct tui *t = user;
	struct err ignored;

	if (t->editor)
		return err_set(err, "an editor is open already");
	display_suspend(t->display);
	t->editor = editor_start(t->loop, text, len, on_edited, t, err);
	if (!t->editor)
		display_resume(t->display, &ignored);
	return t->editor != NULL;
}

/* OSC 52: the terminal puts it into the clipboard, also over SSH. */
static void
host_copy(void *user, const char *text, size_t len)
{
	static const char digits[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	struct tui *t = user;
	struct buf out = BUF_INIT;

	buf_add_str(&out, "\033]52;c;");
	for (size_t i = 0; i < len; i += 3) {
		uint32_t group = (uint32_t)(uint8_t)text[i] << 16;
		group |= i + 1 < len ? (uint32_t)(uint8_t)text[i + 1] << 8 : 0;
		group |= i + 2 < len ? (uint8_t)text[i + 2] : 0;
		buf_add_char(&out, digits[group >> 18]);
		buf_add_char(&out, digits[group >> 12 & 63]);
		buf_add_char(&out, i + 1 < len ? digits[group >> 6 & 63] : '=');
		buf_add_char(&out, i + 2 < len ? digits[group & 63] : '=');
	}
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
host_open_url(void *user, const char *url, struct err *err)
{
	struct tui *t = user;

	browser_destroy(t->browser);
	t->browser = browser_open(t->loop, url, on_browser_end, t, err);
	return t->browser != NULL;
}

static bool
host_sample(void *user, uint64_t question, struct err *err)
{
	struct tui *t = user;

	return sampler_draft(t->sampler, workbench_workspace(t->wb)->server, question, err);
}

static bool
host_submit(void *user, struct job *job)
{
	struct tui *t = user;

	worker_submit(t->worker, job);
	return true;
}

static void
host_changed(void *user)
{
	struct tui *t = user;

	if (t->display)
		display_dirty(t->display);
}

static char *
host_absolute_path(void *user, const char *path, struct err *err)
{
	(void)user;
	char *real = realpath(path, NULL);

	if (!real)
		err_set(err, "%.150s: %s", path, strerror(errno));
	return real;
}

static const struct workbench_host workbench_host = {
	.quit = host_quit,
	.running = host_running,
	.suspend = host_suspend,
	.start = host_start,
	.stop = host_stop,
	.approve = host_approve,
	.wanted = host_wanted,
	.give = host_give,
	.authorize = host_authorize,
	.add_server = host_add_server,
	.remove_server = host_remove_server,
	.disable_server = host_disable_server,
	.edit_server = host_edit_server,
	.set_theme = host_set_theme,
	.write_file = host_write_file,
	.edit = host_edit,
	.copy = host_copy,
	.open_url = host_open_url,
	.sample = host_sample,
	.picture = picture_decode,
	.submit = host_submit,
	.changed = host_changed,
	.absolute_path = host_absolute_path,
};

/* ---- the screen's events ---- */

static void
on_key(void *user, const struct key *key)
{
	struct tui *t = user;
	bool light;

	if (key->kind == KEY_REPORT && !t->theme_name &&
	    report_background_is_light(key->text, key->len, &light) && light) {
		struct theme theme;
		if (settings_theme(&theme, "light", NULL))
			display_set_theme(t->display, &theme);
		return;
	}
	workbench_key(t->wb, key, clock_now_us());
	on_change(t);
}

static void
draw(void *user, struct grid *grid)
{
	struct tui *t = user;

	workbench_draw(t->wb, grid, clock_now_us());
}

static int64_t
next_frame_us(void *user, int64_t now_us)
{
	struct tui *t = user;

	return workbench_next_frame_us(t->wb, now_us);
}

static bool
work(void *user)
{
	struct tui *t = user;

	return workbench_work(t->wb);
}

static void
on_gone(void *user)
{
	host_quit(user);
}

static const struct display_events display_events = {
	.on_key = on_key,
	.draw = draw,
	.next_frame_us = next_frame_us,
	.work = work,
	.on_gone = on_gone,
};

/* ---- signals ---- */

static void
on_end_signal(void *user, int signal_number)
{
	struct tui *t = user;
	bool typed = signal_number == SIGINT || signal_number == SIGQUIT;

	if (t->editor && typed)
		return; /* meant for it */
	t->exit_code = 128 + signal_number;
	loop_stop(t->loop);
}

static void
on_resize(void *user, int signal_number)
{
	struct tui *t = user;
	(void)signal_number;

	display_resized(t->display);
}

static void
on_stop(void *user, int signal_number)
{
	struct tui *t = user;
	struct err err;
	(void)signal_number;

	if (t->editor) { /* the screen is its own */
		raise(SIGSTOP);
		return;
	}
	display_suspend(t->display);
	raise(SIGSTOP);
	if (!display_resume(t->display, &err))
		loop_stop(t->loop);
}

static void
watch_signals(struct tui *t)
{
	static const int ends[] = { SIGTERM, SIGHUP, SIGINT, SIGQUIT };

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		loop_watch_signal(t->loop, ends[i], on_end_signal, t);
	loop_watch_signal(t->loop, SIGWINCH, on_resize, t);
	loop_watch_signal(t->loop, SIGTSTP, on_stop, t);
}

/* ---- start and end ---- */

/* One that was named starts by itself; of several the user chooses, unless --server did, and what
 * was only found never starts by itself. */
static bool
start_server(struct tui *t)
{
	const struct cli_options *o = t->options;
	struct workspace *ws = workbench_workspace(t->wb);
	bool named = o->demo || o->configs.len > 0 || o->command || o->url;
	char *line = NULL;

	if (o->server)
		line = mem_printf("server %s", o->server);
	else if (named && ws->choice_count == 1 && !ws->choices[0].target->trouble)
		line = mem_strdup("server #1");
	bool ok = workbench_run(t->wb, line ? line : "server", clock_now_us());
	free(line);
	return ok;
}

/* Text widths need a UTF-8 locale; where the user's is another, output is ASCII. */
static bool
set_locale(void)
{
	setlocale(LC_ALL, "");
	setlocale(LC_NUMERIC, "C");
	bool utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	if (!utf8)
		setlocale(LC_CTYPE, "C.UTF-8");
	return utf8;
}

static bool
open_display(struct tui *t, struct err *err)
{
	const struct cli_options *o = t->options;
	bool utf8 = set_locale();
	struct backend_options options = {
		.fd = STDOUT_FILENO,
		.colors = o->colors,
		.ascii = o->ascii || !utf8,
		.mouse = !o->no_mouse,
		.ask_background = !t->theme_name,
	};
	struct theme theme;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return err_set(
		    err, "this needs a terminal; `mcpane list` and `mcpane call` work without one");
	if (!settings_theme(&theme, t->theme_name ? t->theme_name : "dark", err))
		return false;
	t->display = display_create(t->loop, &options, &theme,
	    getenv("MCPANE_TEST_BARRIER") != NULL, &display_events, t, err);
	return t->display != NULL;
}

static bool
start(struct tui *t, struct err *err)
{
	t->loop = loop_create(NULL, NULL, err);
	if (!t->loop)
		return false;
	t->worker = worker_create(t->loop);
	t->wb = workbench_create(&workbench_host, t);
	t->servers = servers_create(t->loop, t->worker, t->options, on_change, t);
	t->sampler = sampler_create(t->loop, t->options->sampling_command, on_change, t);
	if (!settings_load(t->wb, &t->theme_name, err) || !servers_load(t->servers, err))
		return false;
	if (t->options->theme) {
		free(t->theme_name);
		t->theme_name = mem_strdup(t->options->theme);
	}
	publish(t);
	for (size_t i = 0; i < t->options->commands.len; i++)
		workbench_enqueue(t->wb, t->options->commands.items[i]);
	if (!open_display(t, err))
		return false;
	crash_guard(t->loop, t->display);
	watch_signals(t);
	if (!start_server(t))
		return err_set(err, "%s", workbench_message(t->wb));
	workbench_advance(t->wb, clock_now_us());
	return true;
}

static void
end(struct tui *t)
{
	crash_guard(NULL, NULL);
	editor_destroy(t->editor);
	display_destroy(t->display);
	t->display = NULL; /* what the servers say to their farewell is not shown any more */
	if (t->loop) {
		servers_farewell(t->servers);
		child_hand_over(t->loop);
	}
	browser_destroy(t->browser);
	sampler_destroy(t->sampler);
	servers_destroy(t->servers);
	worker_destroy(t->worker);
	workbench_destroy(t->wb);
	loop_destroy(t->loop);
	free(t->theme_name);
}

int
tui_run(const struct cli_options *options)
{
	struct tui t = { .options = options };
	struct err err = { "" };

	bool ok = start(&t, &err);
	if (ok)
		loop_run(t.loop);
	end(&t);
	if (!ok)
		fprintf(stderr, "mcpane: %s\n", err.text);
	return ok ? t.exit_code : 1;
}

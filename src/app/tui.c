/* SPDX-License-Identifier: MIT */
#include "tui.h"
#include "display.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/vec.h"
#include "host/project.h"
#include "loop/child.h"
#include "view/app.h"

#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A picture of the maximum size takes a second on a slow machine. At exit all jobs together get
 * END_WAIT_MS. */
enum { PICTURE_LIMIT_MS = 10000, END_WAIT_MS = 500 };

/* ---- the engine for apps, ahead of the first one ---- */

static void
on_app_timer(void *user)
{
	struct tui *t = user;

	t->apps->prepare(t->apps);
}

void
tui_on_change(void *user)
{
	enum { LOOK_MS = 250 };
	struct tui *t = user;

	if (!t->display)
		return; /* the program ends, and the servers may be gone: start nothing */
	workbench_advance(t->wb, clock_now_us()); /* a command may wait for what has ended */
	servers_touch(t->servers);                /* a recipe may have called */
	const struct desk *desk = workbench_workspace(t->wb)->desk;
	/* Start the engine when the user has stopped at a tool with an app, because it takes longer
	 * to start than the tool to answer. */
	if (t->apps && desk != t->app_desk) {
		t->app_desk = desk;
		loop_timer_cancel(&t->app_timer);
		if (desk && desk->kind == PRIMITIVE_TOOL && desk->doc && app_is_named(desk->doc))
			loop_timer_set(t->loop, &t->app_timer, loop_now_ms(t->loop) + LOOK_MS);
	}
	display_dirty(t->display);
}

static void
on_choices(void *user, const struct server_choice *choices, size_t count)
{
	struct tui *t = user;
	struct workspace *ws = workbench_workspace(t->wb);

	for (size_t i = 0; i < count && t->apps; i++)
		if (choices[i].server)
			server_use_apps(choices[i].server, t->apps);
	ws->choices = choices;
	ws->choice_count = count;
	ws->generation++;
}

static void on_loaded(void *user, const char *why);

static void
on_history_told(void *user, const char *text)
{
	struct tui *t = user;

	if (t->display)
		workbench_tell(t->wb, ROLE_WARNING, text);
	else
		fprintf(stderr, "mcpane: %s\n", text);
}

static void
on_history_changed(void *user)
{
	struct tui *t = user;

	if (!t->display)
		return;
	workbench_workspace(t->wb)->generation++;
	display_dirty(t->display);
}

static void
open_history(struct tui *t)
{
	struct workspace *ws = workbench_workspace(t->wb);

	t->history = history_create(&(struct history_options){
	    .off = t->settings.history.off,
	    .loop = t->loop,
	    .worker = t->worker,
	    .tell = on_history_told,
	    .changed = on_history_changed,
	    .user = t,
	});
	ws->history = (struct workspace_history){
		.host = &history_host,
		.user = t->history,
		.wall_us = clock_wall_ms() * 1000 - clock_now_us(),
		.zone_s = clock_zone_s(),
	};
}

static bool
open_project(struct tui *t, struct err *err)
{
	struct workspace *ws = workbench_workspace(t->wb);

	ws->collection.host = &project_host;
	if (t->options->call.environment)
		return workspace_use_environment(ws, t->options->call.environment, err);
	char *kept = project_host.kept_environment(NULL);
	struct err why = { "" };
	if (kept && !workspace_use_environment(ws, kept, &why))
		workbench_tell(t->wb, ROLE_WARNING, why.text);
	free(kept);
	return true;
}

static uint64_t
on_ended_call(void *user, const struct server *server, const struct call *call)
{
	return history_keep(((struct tui *)user)->history, server, call);
}

static const struct servers_events servers_events = {
	.keep = on_ended_call,
	.on_change = tui_on_change,
	.on_choices = on_choices,
	.on_loaded = on_loaded,
};

/* ---- the theme ---- */

void
tui_show_theme(struct tui *t, const struct theme *theme)
{
	const struct workspace *ws = workbench_workspace(t->wb);

	if (t->display)
		display_set_theme(t->display, theme);
	if (!t->apps)
		return;
	render_app_colors(theme, &t->apps->context);
	for (size_t i = 0; i < ws->choice_count; i++)
		if (ws->choices[i].server)
			server_apps_refresh(ws->choices[i].server, clock_now_us());
}

void
tui_hand_out_settings(struct tui *t)
{
	const struct settings *s = &t->settings;

	workbench_workspace(t->wb)->batch_at_once = s->parallel ? s->parallel : BATCH_AT_ONCE;
	history_limit(t->history, s->history.off, s->history.max_bytes, s->history.max_days);
}

/* ---- display events ---- */

static void
tui_on_key(void *user, const struct key *key)
{
	struct tui *t = user;
	bool light;

	if (key->kind == KEY_REPORT && !t->settings.theme &&
	    report_background_is_light(key->text, key->len, &light) && light) {
		if (settings_theme(&t->theme, "light", NULL))
			tui_show_theme(t, &t->theme);
		return;
	}
	workbench_key(t->wb, key, clock_now_us());
	if (key->kind != KEY_MOUSE || key->action != MOUSE_MOVE)
		tui_on_change(t);
}

static void
tui_draw(void *user, struct grid *grid)
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
is_busy(void *user)
{
	struct tui *t = user;

	return workbench_is_busy(t->wb);
}

void
tui_quit(void *user)
{
	loop_stop(((struct tui *)user)->loop);
}

static const struct display_events display_events = {
	.on_key = tui_on_key,
	.draw = tui_draw,
	.next_frame_us = next_frame_us,
	.is_busy = is_busy,
	.on_gone = tui_quit,
};

/* ---- signals ---- */

static void
on_end_signal(void *user, int signal_number)
{
	struct tui *t = user;
	bool typed = signal_number == SIGINT || signal_number == SIGQUIT;

	if (t->screen_is_away && typed)
		return; /* sent to this process */
	t->exit_code = 128 + signal_number;
	loop_stop(t->loop);
}

static void
on_stop(void *user, int signal_number)
{
	struct tui *t = user;
	struct err err;

	if (t->screen_is_away) { /* the display gets its own copy */
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

	for (size_t i = 0; i < ARRAY_LEN(ends); i++)
		loop_watch_signal(t->loop, ends[i], on_end_signal, t);
	t->of_screen[0] = loop_watch_signal(t->loop, SIGWINCH, display_resized, t->display);
	t->of_screen[1] = loop_watch_signal(t->loop, SIGTSTP, on_stop, t);
}

/* ---- startup and shutdown ---- */

/* Starts the one server that the command line names, or the one of --server. The user chooses
 * among several, and a server that was only found is never started automatically. */
static bool
start_server(struct tui *t)
{
	const struct options *o = t->options;
	struct workspace *ws = workbench_workspace(t->wb);
	bool named =
	    o->demo || o->configs.len > 0 || o->command || o->url || o->recording || o->attach;
	char *line = NULL;

	if (o->server)
		line = mem_printf("server %s", o->server);
	else if (named && ws->choice_count == 1 && !ws->choices[0].target->trouble)
		line = mem_strdup("server #1");
	bool ok = workbench_run(t->wb, line ? line : "server", clock_now_us());
	free(line);
	return ok;
}

static bool
open_display(struct tui *t, struct err *err)
{
	const struct options *o = t->options;

	/* Text widths need a UTF-8 locale; in any other, output is ASCII. No other category is set:
	 * nothing uses them, and each would open two files at every start. */
	setlocale(LC_CTYPE, "");
	bool utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	if (!utf8)
		setlocale(LC_CTYPE, "C.UTF-8");
	t->drawing =
	    (struct jobs){ .submit = tui_effects.submit, .changed = tui_on_change, .user = t };
	struct backend_options options = {
		.fd = STDOUT_FILENO,
		.jobs = &t->drawing,
		.colors = o->screen.colors,
		.ascii = o->screen.ascii || !utf8,
		.mouse = !o->screen.no_mouse,
		.ask_background = !t->settings.theme,
		.pictures = t->settings.pictures,
	};

	t->display = display_create(
	    t->loop, &options, getenv("MCPANE_TEST_BARRIER") != NULL, &display_events, t, err);
	if (!t->display)
		return false;
	display_set_theme(t->display, &t->theme);
	return true;
}

/* The list of servers is there, one of them may have been started, and so has the display. */
static void
tui_begin(struct tui *t)
{
	for (size_t i = 0; i < t->options->screen.commands.len; i++)
		workbench_enqueue(t->wb, t->options->screen.commands.items[i]);
	workbench_advance(t->wb, clock_now_us());
}

static void
on_loaded(void *user, const char *why)
{
	struct tui *t = user;

	if (!t->display)
		return;
	if (!why && start_server(t)) {
		tui_begin(t);
		return;
	}
	err_set(&t->failed, "%s", why ? why : workbench_message(t->wb));
	loop_stop(t->loop);
}

static bool
tui_start(struct tui *t, struct err *err)
{
	t->loop = loop_create(NULL, NULL, err);
	if (!t->loop)
		return false;
	t->worker = worker_create(t->loop);
	t->pictures = confined_create(t->loop, "/proc/self/exe", PICTURE_LIMIT_MS);
	t->queries = confined_create(t->loop, "/proc/self/exe", 0);
	t->wb = workbench_create(&tui_effects, t);
	t->servers = servers_create(t->loop, t->worker, t->options, &servers_events, t);
	if (t->options->connect.apps != APPS_NEVER) {
		t->apps = app_house_create(t->loop, t->options, tui_on_change, t);
		t->app_timer = (struct loop_timer){ .fn = on_app_timer, .user = t };
		t->apps->has_fullscreen = t->apps->has_pip = true;
	}
	t->sampler = sampler_create(t->loop, t->options->answer.sampling_command, tui_on_change, t);
	if (!settings_load(t->wb, &t->settings, err))
		return false;
	t->settings.history.off |= t->options->screen.no_history;
	open_history(t);
	tui_hand_out_settings(t);
	if (!open_project(t, err) || !servers_load(t->servers, err))
		return false;
	if (t->options->screen.theme) {
		free(t->settings.theme);
		t->settings.theme = mem_strdup(t->options->screen.theme);
	}
	if (!t->settings.theme)
		t->settings.theme = settings_recall_theme();
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return err_set(
		    err, "this needs a terminal; `mcpane list` and `mcpane call` work without one");
	if (!settings_theme(&t->theme, t->settings.theme ? t->settings.theme : "dark", err))
		return false;
	tui_show_theme(t, &t->theme);
	settings_recall(t->wb);
	const struct workspace *ws = workbench_workspace(t->wb);
	bool later = ws->choice_count > 0 && ws->choices[0].reading;
	/* Before the display: a process takes longer to start, and a terminal that was not asked
	 * anything does not send answers to the shell if no server has the name. */
	if (!(later ? workbench_run(t->wb, "server", clock_now_us()) : start_server(t)))
		return err_set(err, "%s", workbench_message(t->wb));
	if (!open_display(t, err))
		return false;
	struct backend_info display = display_info(t->display);
	workbench_set_size(t->wb, display.width, display.height);
	crash_guard(t->loop, t->display);
	watch_signals(t);
	if (!later)
		tui_begin(t);
	return true;
}

/* False: a job still runs, so its data must stay until the process exits. */
static bool
tui_end(struct tui *t)
{
	/* A terminal that goes away sends it to the session and to the group: the first one counts.
	 */
	signal(SIGHUP, SIG_IGN);
	/* Return the terminal to the shell. The loop may still run, so everything that would use
	 * the display is removed too. */
	crash_guard(NULL, NULL);
	for (size_t i = 0; i < ARRAY_LEN(t->of_screen); i++)
		loop_watch_remove(t->of_screen[i]);
	effects_end(t);
	display_destroy(t->display);
	t->display = NULL;
	if (t->loop) {
		servers_farewell(t->servers);
		child_hand_over(t->loop);
	}
	if (t->wb)
		workbench_end_recording(t->wb);
	confined_destroy(t->pictures);
	confined_destroy(t->queries);
	sampler_destroy(t->sampler);
	servers_destroy(t->servers);
	loop_timer_cancel(&t->app_timer);
	app_house_destroy(t->apps);
	bool ended = worker_destroy(t->worker, END_WAIT_MS);
	size_t lost = history_lost(t->history);
	if (lost > 0)
		fprintf(stderr,
		    "mcpane: %zu %s not in the history, or not with the whole reply: there was no "
		    "time to write it\n",
		    lost, lost == 1 ? "call is" : "calls are");
	if (!ended)
		return false;
	history_destroy(t->history);
	workbench_destroy(t->wb);
	loop_destroy(t->loop);
	settings_finish(&t->settings);
	return true;
}

int
tui_run(const struct options *options)
{
	struct tui t = { .options = options };
	struct err err = { "" };

	bool ok = tui_start(&t, &err);
	if (ok) {
		loop_run(t.loop);
		settings_keep(t.wb);
		ok = !loop_trouble(t.loop) || err_set(&err, "%s", loop_trouble(t.loop));
		ok = ok && (!t.failed.text[0] || err_set(&err, "%s", t.failed.text));
	}
	bool ended = tui_end(&t);
	if (!ok)
		fprintf(stderr, "mcpane: %s\n", err.text);
	int code = ok ? t.exit_code : 1;
	if (!ended)
		_exit(code);
	return code;
}

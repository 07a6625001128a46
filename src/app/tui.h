/* SPDX-License-Identifier: MIT */
#ifndef APP_TUI_H
#define APP_TUI_H

#include "client/choice.h"
#include "display.h"
#include "host/options.h"
#include "host/app_house.h"
#include "host/connection.h"
#include "host/user_programs.h"
#include "host/confined.h"
#include "host/history.h"
#include "settings.h"
#include "workbench/workbench.h"

/* The full-screen program. Returns the exit code. */
int tui_run(const struct options *options);

struct tui {
	const struct options *options;
	struct loop *loop;
	struct worker *worker;
	struct confined *pictures, *queries;
	struct display *display;
	struct jobs drawing; /* pictures for the display */
	struct workbench *wb;
	struct servers *servers;
	struct app_house *apps;      /* NULL: none run */
	struct loop_timer app_timer; /* the engine starts ahead */
	const struct desk *app_desk; /* the tool that was last looked at; only to compare */
	struct history *history;
	struct editor *editor, *pager;
	struct strings opened; /* temporary files that other programs may read */
	struct player *player; /* NULL: nothing is played */
	bool screen_is_away;   /* the editor has the terminal */
	struct sampler *sampler;
	struct browser *browser; /* the last one started; NULL: none */
	struct theme theme;      /* as set, not previewed */
	struct settings settings;
	struct loop_watch *of_screen[2]; /* signals that concern the display; removed with it */
	int exit_code;
	struct err failed; /* the reason why it ends, if it is an error */
};

extern const struct effects tui_effects; /* effects.c */
/* effects.c: ends the programs of the user, and removes the temporary files. */
void effects_end(struct tui *t);

/* tui.c */
void tui_quit(void *user);
/* Call it after every possible change of a server, and after the end of a job. */
void tui_on_change(void *user);
/* Shows the theme, and tells apps of it. */
void tui_show_theme(struct tui *t, const struct theme *theme);
/* To the parts that keep theirs; the other settings are looked up when they count. */
void tui_hand_out_settings(struct tui *t);

/* ---- servers.c ---- */

/*
 * The servers on the screen: the list to choose from, and the connections. A connection survives
 * if its entry disappears from its file.
 */
struct servers;

struct servers_events {
	void (*on_change)(void *user); /* called after every possible change of a server */
	/* See struct server_options. */
	uint64_t (*keep)(void *user, const struct server *s, const struct call *c);
	/* The current list, valid until the next call. */
	void (*on_choices)(void *user, const struct server_choice *choices, size_t count);
	/* The bundles that servers_load() could not wait for are read, and the list is whole; or it
	 * could not be loaded. why: NULL, or the reason. */
	void (*on_loaded)(void *user, const char *why);
};

/* All arguments are borrowed. */
struct servers *servers_create(struct loop *loop, struct worker *worker,
    const struct options *options, const struct servers_events *events, void *user);
void servers_destroy(struct servers *s);

/* Loads the servers that the command line names, else those found. Large bundles are read by the
 * worker: until on_loaded() the choices are marked as `reading`. */
bool servers_load(struct servers *s, struct err *err);
/* Reads the files again after the user has edited one. Connected servers stay, even if no file
 * has them. */
void servers_reload(struct servers *s);

/* A function of struct effects; user is the struct tui. */
bool servers_start(void *user, size_t choice, struct err *err); /* or again */
bool servers_stop(void *user, size_t choice, struct err *err);
/* Before exit: ends HTTP sessions within CONNECTION_FAREWELL_MS. NULL-safe. */
void servers_farewell(struct servers *s);
bool servers_approve(void *user, size_t choice, struct err *err);
const struct target_input *servers_wanted(void *user, size_t choice);
/* A value for that input; false: it does not take it. */
bool servers_give(void *user, size_t choice, const char *value, struct err *err);

bool servers_authorize(
    void *user, size_t choice, enum authorize what, const char *text, struct err *err);
/* These change the user's own file and reload the list. */
bool servers_add_pasted(void *user, const char *text, struct buf *told, struct err *err);
bool servers_add(void *user, const char *name, char *const *words, struct err *err);
bool servers_change(void *user, size_t choice, enum server_change change, struct err *err);
/* Its file, or the user's own, before the user edits it; NULL: none. Caller frees. */
char *servers_file(struct servers *s, size_t choice);

size_t servers_running(void *user); /* running calls of all servers */
/* Call this after sending a request to a server. */
void servers_touch(struct servers *s);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef APP_TUI_H
#define APP_TUI_H

#include "host/options.h"
#include "display.h"
#include "host/app_house.h"
#include "host/user_programs.h"
#include "host/confined.h"
#include "host/history.h"
#include "host/sampler.h"
#include "servers.h"
#include "settings.h"
#include "workbench/workbench.h"

/* The full-screen program. Returns the exit code. */
int tui_run(const struct options *options);

struct editor;

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
void open_file_forget(struct tui *t);    /* effects.c: removes the temporary files */

/* tui.c: shows the theme, and tells apps of it */
void tui_show_theme(struct tui *t, const struct theme *theme);
/* tui.c: to the parts that keep theirs; the other settings are looked up when they count. */
void tui_hand_out_settings(struct tui *t);

/* ---- editor.c ---- */

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

/* The job and its strings are borrowed for the call. */
struct editor *editor_start(struct loop *loop, const struct editor_job *job, struct err *err);
/* NULL-safe; terminates a process on the terminal. The pane must not tell the end of its program
 * any more. */
void editor_destroy(struct editor *e);

#endif

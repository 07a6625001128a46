/* SPDX-License-Identifier: MIT */
#ifndef APP_SETTINGS_H
#define APP_SETTINGS_H

#include "base/err.h"
#include "base/strings.h"
#include "host/settings_file.h"
#include "ui/backend.h"
#include "ui/theme.h"
#include "workbench/workbench.h"

/* Loads a theme by name: the user's <config>/themes/NAME.theme takes precedence over built-in
 * themes. A name with a slash or ending in .theme is a file. */
bool settings_theme(struct theme *theme, const char *name, struct err *err);

/*
 * The user's file <config>/config, a setting a line, # starts a comment:
 *   NAME VALUE                      set NAME VALUE     of the settings, see settings_at()
 *   bind CONTEXT KEY COMMAND...     unbind CONTEXT KEY
 * A missing setting keeps its value. A missing file is not an error.
 */
struct settings {
	char *theme;             /* NULL: chosen by the terminal's background */
	char *pager;             /* NULL: $PAGER or less */
	char *player;            /* NULL: the first that is known and there */
	struct strings programs; /* "TYPE COMMAND", in the order of the file */
	bool editor_on_screen;   /* not in the terminal pane */
	enum backend_pictures pictures;
	struct history_settings history;
	size_t parallel; /* 0: the default */
};
bool settings_load(struct workbench *wb, struct settings *settings, struct err *err);
/* Parses text; path is for error messages. */
bool settings_parse(struct workbench *wb, struct settings *settings, const char *text, size_t len,
    const char *path, struct err *err);

/* The table of settings; NULL past the end. */
const struct setting_info *settings_at(size_t index);
bool settings_set(struct settings *settings, const char *name, const char *value, struct err *err);
/* Its value, or what counts without one, for a person. */
void settings_add_value(const struct settings *settings, const char *name, struct buf *out);

/* The command for a MIME type: of the first line that has it, "image/" and a star has all images;
 * or xdg-open. "pane" before it: it needs a terminal. */
const char *settings_program_for(const struct settings *settings, const char *type);

void settings_finish(struct settings *settings);

/* State that is kept from run to run: sizes of panes in the file <state>/sizes, whether
 * anything was called in <state>/first-call, the palette's uses in <state>/uses, and expressions
 * without secrets in <state>/queries. A file that cannot be read or written is left out. */
void settings_recall(struct workbench *wb);
void settings_keep(struct workbench *wb);
/* The theme chosen while the program ran, in <state>/theme: it counts at the next start if neither
 * an option nor the user's file names one. NULL: none, or it cannot be loaded. */
char *settings_recall_theme(void);
void settings_keep_theme(const char *name); /* NULL: forgets it */

#endif

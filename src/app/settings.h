#ifndef APP_SETTINGS_H
#define APP_SETTINGS_H

#include "base/err.h"
#include "ui/theme.h"
#include "workbench/workbench.h"

/* Loads a theme by name: the user's <config>/themes/NAME.theme takes precedence over built-in
 * themes. A name with a slash or ending in .theme is a file. */
bool settings_theme(struct theme *theme, const char *name, struct err *err);

/*
 * The user's file <config>/config, a setting a line, # starts a comment:
 *   theme NAME
 *   bind CONTEXT KEY COMMAND...     unbind CONTEXT KEY
 * theme_name gets the name (caller frees) or stays as it is. A missing file is not an error.
 */
bool settings_load(struct workbench *wb, char **theme_name, struct err *err);
/* Parses text; path is for error messages. */
bool settings_parse(struct workbench *wb, char **theme_name, const char *text, size_t len,
    const char *path, struct err *err);

/* State that is kept from run to run: sizes of panes in the file <state>/sizes, the keys that the
 * user knows in <state>/known-keys, and the palette's uses in <state>/uses. A file that cannot be
 * read or written is left out. */
void settings_recall(struct workbench *wb);
void settings_keep(struct workbench *wb);

#endif

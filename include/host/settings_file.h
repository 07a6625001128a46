/* SPDX-License-Identifier: MIT */
#ifndef HOST_SETTINGS_FILE_H
#define HOST_SETTINGS_FILE_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * What the full-screen program and the commands both need of the user's file <config>/config: which
 * settings there are, and those of the history. One setting a line, # starts a comment:
 *   NAME VALUE                      set NAME VALUE
 *   bind CONTEXT KEY COMMAND...     unbind CONTEXT KEY
 */

/* name, identifier, values as for --help, help */
#define SETTINGS(X)                                                                      \
	X("theme", THEME, "NAME", "the theme to start with")                             \
	X("pictures", PICTURES, "auto|cells|kitty|sixel", "how pictures are drawn")      \
	X("editor", EDITOR, "pane|screen", "where $EDITOR runs")                         \
	X("pager", PAGER, "COMMAND", "the shell command of :pager")                      \
	X("player", PLAYER, "COMMAND", "the program that plays audio")                   \
	X("open", OPEN, "TYPE [pane] COMMAND", "the program for content of a MIME type") \
	X("history", HISTORY, "on|off", "whether calls are kept when the program ends")  \
	X("history-size", HISTORY_SIZE, "SIZE", "how much of calls is kept")             \
	X("history-days", HISTORY_DAYS, "DAYS", "how old kept calls may become")         \
	X("parallel", PARALLEL, "N", "how many calls of a batch run at a time")

#define SETTINGS_MAX_BYTES ((size_t)1 << 20) /* of the file */

struct history_settings {
	bool off;
	size_t max_bytes; /* 0: the default */
	int max_days;     /* 0: the default */
};

/* A line in parts, which point into it; without a value it is "". False: it has nothing to say. */
struct settings_line {
	const char *name, *value;
	size_t name_len, value_len;
	bool binds; /* bind or unbind: the value is not cut at a # */
};
bool settings_line_read(struct settings_line *out, const char *line);

/* Returns false: there is no such setting; which one could be meant. */
bool settings_refuse_name(const char *name, size_t len, struct err *err);
/* name: "history", "history-size" or "history-days"; another one is ignored. */
bool history_settings_take(
    struct history_settings *h, const char *name, const char *value, struct err *err);
/* From the user's file, if there is one. False: a line is wrong, and err says which. */
bool history_settings_load(struct history_settings *h, struct err *err);

#endif

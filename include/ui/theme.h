/* SPDX-License-Identifier: MIT */
#ifndef UI_THEME_H
#define UI_THEME_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Code names roles, a theme gives them colors. A cell has an ink (a role whose
 * foreground and attributes it takes) and a ground (a role whose background and
 * attributes it takes; ROLE_NONE: the ink role's own, else the ground already there,
 * else the screen's, which is the background of ROLE_TEXT).
 */
#define ROLES(X)                                                                           \
	X(NONE, none, NONE, "no role: inherits")                                           \
	X(TEXT, text, NONE, "ordinary text")                                               \
	X(DIM, dim, TEXT, "secondary text: units, facts, types")                           \
	X(HINT, hint, DIM, "hints and placeholders, still legible")                        \
	X(TITLE, title, TEXT, "titles of panes, selected names")                           \
	X(BORDER, border, DIM, "borders of panes")                                         \
	X(FOCUS, focus, ACCENT, "border of the focused pane")                              \
	X(ACCENT, accent, TEXT, "the product's color: links, the active tab")              \
	X(OK, ok, TEXT, "valid, connected")                                                \
	X(WARNING, warning, TEXT, "needs a look: missing, undecided, untrusted")           \
	X(ERROR, error, TEXT, "invalid, failed")                                           \
	X(ERROR_CELL, error.cell, ERROR, "a value that breaks its schema")                 \
	X(WARNING_CELL, warning.cell, WARNING, "a value with a warning")                   \
	X(ADDED, added, OK, "comparisons: what only the later one has")                    \
	X(REMOVED, removed, ERROR, "comparisons: what only the earlier one has")           \
	X(ADDED_CELL, added.cell, ADDED, "comparisons: the new value of a cell")           \
	X(REMOVED_CELL, removed.cell, ERROR_CELL, "comparisons: its old value")            \
	X(NUMBER, number, TEXT, "numbers")                                                 \
	X(BOOLEAN, boolean, TEXT, "true and false")                                        \
	X(STRING, string, TEXT, "strings in JSON views")                                   \
	X(DATE, date, STRING, "strings that are a date or a time")                         \
	X(URI, uri, ACCENT, "strings that are a URI")                                      \
	X(BYTES, bytes, DIM, "strings that are bytes, in base64 or hexadecimal")           \
	X(NULL_VALUE, null, HINT, "null")                                                  \
	X(ABSENT, absent, HINT, "absent values")                                           \
	X(KEY_NAME, keyname, ACCENT, "object keys and JSON Pointers")                      \
	X(COLUMN, column, DIM, "column heads of tables")                                   \
	X(SELECTION, selection, TEXT, "ground of the selected row of the focused pane")    \
	X(SELECTION_DIM, selection.dim, SELECTION, "the same in a pane without the focus") \
	X(CURSOR, cursor, TEXT, "the selected cell, the text cursor")                      \
	X(BAR, bar, TEXT, "ground of the top and bottom bars")                             \
	X(BAR_KEY, bar.key, ACCENT, "keys in the bottom bar")                              \
	X(FIELD, field, TEXT, "ground of form fields")                                     \
	X(FIELD_FOCUS, field.focus, FIELD, "the field being edited")                       \
	X(BUTTON, button, FIELD, "buttons")                                                \
	X(BUTTON_FOCUS, button.focus, ACCENT, "the focused or default button")             \
	X(MATCH, match, ACCENT, "text that matches the filter")                            \
	X(MARK, mark, WARNING, "replaces a control or hidden character")                   \
	X(SENT, sent, ACCENT, "journal: messages we sent")                                 \
	X(RECEIVED, received, TEXT, "journal: messages received")                          \
	X(STDERR, stderr, DIM, "journal: the server's stderr")                             \
	X(DIALOG, dialog, TEXT, "ground of dialogs and menus")                             \
	X(SERIES_1, series.a, ACCENT, "charts: the first series")                          \
	X(SERIES_2, series.b, WARNING, "charts: the second series")                        \
	X(SERIES_3, series.c, OK, "charts: the third series")                              \
	X(SERIES_4, series.d, BOOLEAN, "charts: the fourth series")                        \
	X(SERIES_5, series.e, ERROR, "charts: the fifth series")                           \
	X(SERIES_6, series.f, TEXT, "charts: the sixth series")

enum role {
#define X(id, name, fallback, help) ROLE_##id,
	ROLES(X)
#undef X
	    ROLE_COUNT
};

enum {
	ATTR_BOLD = 1,
	ATTR_DIM = 2,
	ATTR_ITALIC = 4,
	ATTR_UNDERLINE = 8,
	ATTR_REVERSE = 16,
	ATTR_IN_ROW =
	    64, /* the selected cell of the selected row: few colors tell them apart, too */
	ATTR_DRAWN = 32, /* a part of a picture: not text, so contrast must not change it */
};

/* ink and ground hold an enum role, or a color as STYLE_RGB(0xrrggbb). */
struct style {
	uint32_t ink, ground;
	uint8_t attr; /* added to the ink role's own */
};
#define STYLE_RGB(rgb) (0x1000000u | (rgb))
/* The bits of a color that pictures use: terminals number pairs of colors, and there are not that
 * many numbers. */
#define STYLE_PICTURE_BITS 0xfcfcfcu

static inline struct style
style_of(enum role ink)
{
	return (struct style){ .ink = ink, .ground = ROLE_NONE };
}

static inline struct style
style_on(enum role ink, enum role ground)
{
	return (struct style){ .ink = ink, .ground = ground };
}

#define COLOR_DEFAULT (-1) /* the terminal's own */

struct theme_entry {
	int32_t fg, bg; /* 0xrrggbb or COLOR_DEFAULT */
	uint8_t attr;
	bool set;
};

struct theme {
	char name[32];
	bool is_light;
	bool has_colors;                      /* else own colors of a style are not shown either */
	struct theme_entry roles[ROLE_COUNT]; /* complete after theme_parse(): fallbacks applied */
};

/*
 * The syntax of a theme file, one setting a line, # starts a comment:
 *   name dark            background dark|light
 *   color NAME #rrggbb   names a color for the lines below
 *   ROLE [COLOR] [on COLOR] [bold|dim|italic|underline|reverse]...   COLOR: a name, #rrggbb,
 * default false: err says the line and why.
 */
bool theme_parse(struct theme *theme, const char *text, size_t len, struct err *err);

/* A theme compiled in from themes/ (ui/theme_files.h lists them); false: it is none. */
bool theme_builtin(struct theme *theme, const char *name);

/* The nearest entry of the xterm 256-color and of the 16-color palette. */
int color_to_256(int32_t rgb);
int color_to_16(int32_t rgb);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef VIEW_VIEW_H
#define VIEW_VIEW_H

#include "base/buf.h"
#include "base/job.h"
#include "json/doc.h"
#include "view/drawing.h"
#include "schema/schema.h"
#include "ui/input.h"
#include "ui/seek.h"
#include "ui/surface.h"

/*
 * A view draws a JSON value (table, tree, raw JSON, chart, cards) or a part of the workspace (a
 * pane), and handles its keys. It is one file that defines view_NAME or pane_NAME, and one row in
 * VIEWS or PANES. A view owns only its state: selection, scroll, folds and the user's choices,
 * which remain when the value is replaced. A view of a value marks the violations of the report,
 * also of missing members.
 *
 * A pane that shows a value has the view of the value as its child. It forwards nothing: the
 * workbench finds the child (view_inner(), view_key() ...) and calls it directly.
 */
struct view_input {
	const cJSON *value;          /* NULL: absent */
	const cJSON *schema;         /* its schema, for order and types; may be NULL */
	struct json_doc *docs[2];    /* of the value and the schema, kept by jobs; may be NULL */
	struct jobs *jobs;           /* NULL: long work is done at once */
	const struct report *report; /* may be NULL */
	const void *source;  /* identity: values of one source are sorted and filtered alike */
	bool is_part;        /* the value is a part of a longer text */
	uint64_t generation; /* changes with the value and schema; a report may come later */
};

struct workspace;
struct pane_host;
struct workbench;
struct table;
struct filter_note;
struct row_ops;
struct view;
struct views;
struct view_env {
	const struct view_input *in; /* the value; NULL for a pane, which has the workspace */
	struct jobs *jobs;           /* for long work; NULL: it is done at once */
	int64_t now_us;
	int width; /* inside the frame, for heading(); 0: unknown */
	bool focused;
	/* Static output: everything is unfolded, the selection is not shown, and want() returns all
	 * rows. */
	bool printed;
	bool alone;      /* not in a stack: no other pane could use its rows */
	bool entered;    /* this mouse press moved the focus here */
	bool typing;     /* letters are text: see types() */
	struct buf *why; /* gets the reason why an action was refused; may be NULL */

	/* For panes, see pane/pane.h; not used in this layer. */
	struct workspace *ws;
	const struct pane_host *host;
	struct workbench *user; /* for host */
};

/* A command, run by its key in the focused view, or by `:name` from anywhere. */
struct view_action {
	const char *name; /* "sort" */
	const char *keys; /* default keys, separated by spaces: "s"; "" for none */
	const char *args; /* "[COLUMN]"; "" for none */
	const char *help; /* "sort by the selected or the named column" */
	/* False: failed. The reason is in env->why, or the host has reported it. */
	bool (*run)(void *state, const struct view_env *env, const char *arg);
	const char *hint; /* for the bottom bar: "sort"; NULL: none */
};

/* Define the function of an action that calls another one with a fixed argument, like a direction.
 * The shared one is for the tables of several files. */
#define VIEW_SHARED_ACTION_WITH(act, function, with)                       \
	bool act(void *state, const struct view_env *env, const char *arg) \
	{                                                                  \
		return function(state, env, arg, with);                    \
	}
#define VIEW_ACTION_WITH(act, function, with) static VIEW_SHARED_ACTION_WITH(act, function, with)

/* Keys of a global command in one pane. */
struct view_binding {
	const char *keys, *command; /* "S f5", "answer" */
};

/* A table that a view shows instead of the value, made from it or opened in it. Borrowed. */
struct table_spot;
struct view_part {
	const struct table_spot *spot;
	struct json_doc *doc; /* of the table; NULL: that of the value */
	const char *name;     /* for titles */
	const char *filter;   /* NULL: all rows are shown */
};

/* Any function may be NULL except draw and, in a view of a value, serves. */
struct view_ops {
	const char *title; /* "structuredContent"; "table": also its name for `:view` and `bind` */
	const char *help;  /* one sentence */
	size_t state_size;
	const struct view_action *actions; /* ended by a row without a name; may be NULL */
	const char *last_hint;             /* the action whose hint is dropped first; NULL: none */
	const struct view_binding *bindings; /* ended by a row without keys; may be NULL */
	/* Names, separated by blanks, of commands that delete, clear, forget or quit and so cannot
	 * be abbreviated. May be NULL. */
	const char *whole;
	const struct row_ops *rows; /* see view/rows.h; NULL: not a list */
	bool has_views; /* the state begins with struct views: the view of the value is the child */
	bool is_wide;   /* an overlay as wide as the screen */
	/* A node that cannot be opened here is shown in the table if it has one. */
	bool leads_to_table;
	/* While the view captures the keyboard, it gets all keys except that of this action. NULL:
	 * keys that key() does not consume keep their usual meaning. */
	const char *release;

	void (*init)(void *state); /* state is zeroed */
	void (*finish)(void *state);
	/* Return how well it shows this value or selection; 0: not at all. The view of a value that
	 * serves best is the default. NULL: it applies to all. */
	int (*serves)(const struct view_env *env);
	/* Update derived data after the value or the workspace changed. Called before draw. Order
	 * and filter remain if the source is the same. */
	void (*sync)(void *state, const struct view_env *env);
	void (*on_report)(void *state, const struct view_env *env); /* only the report changed */
	/* Whether something else covers the view of the value. */
	bool (*covers)(const void *state);
	/* The state begins with a struct page, which has the keys, the search and the copy: write
	 * it if it is old. False: there is nothing to show. */
	bool (*page)(void *state, const struct view_env *env);

	/* Return the rows that show everything at this inner width; 0: unknown, or for a pane: the
	 * title is enough. */
	int (*want)(void *state, const struct view_env *env, int width);
	/* Return the columns that show everything, independent of the selection; 0: unknown. */
	int (*columns)(const void *state);
	/* Append the title of the frame ("users", the part after ▸ if it shows a value) and its
	 * facts, "table · 3 × 3". Return the role of the facts. NULL: the title above. */
	enum role (*heading)(
	    void *state, const struct view_env *env, struct buf *title, struct buf *facts);
	/* Append the order of the rows for the title, "name▲". A click on it calls turn(). */
	void (*order)(const void *state, struct buf *out);
	void (*turn)(void *state, const struct view_env *env);
	/* Draw the row of the border instead of the title. */
	void (*draw_title)(void *state, const struct view_env *env, struct surface row);
	void (*draw)(void *state, const struct view_env *env, struct surface inner);
	/* Draw the open menu or list of the focused pane over all panes. inner is the surface of
	 * draw(). Return the part of the screen whose mouse events it gets, relative to inner;
	 * width 0: nothing is open. */
	struct surface (*pop_up)(
	    void *state, const struct view_env *env, struct surface screen, struct surface inner);

	/* Handle an unbound key that the child did not consume, or a mouse event relative to
	 * `inner`. True: consumed. */
	bool (*key)(void *state, const struct view_env *env, const struct key *key);
	/* While a text field or a menu owns the keyboard, so that key() precedes bindings and the
	 * child, return its keys for the bottom bar, "Enter keep  Esc clear"; else NULL. */
	const char *(*captures)(const void *state);
	/* Return whether the focus is on a field that is not being edited yet. Then letters, Tab
	 * and a paste go to key() before any binding, until Esc makes letters commands. */
	bool (*types)(const void *state);
	bool (*fills)(const void *state); /* then, whether Tab moves to the next field */
	/* Return whether Esc in key() closes something, while keys are bound as usual. */
	bool (*is_open)(const void *state);
	/* Return the hint of an action if it applies now, else NULL. NULL: the action's hint. */
	const char *(*hint)(
	    void *state, const struct view_env *env, const struct view_action *action);

	/* For `/` in a view that filters rows: return the filter, "" for all rows; NULL: not
	 * filterable now. Other views have seek(), which returns false without text to search. */
	const char *(*filtered)(const void *state);
	void (*filter)(void *state, const struct view_env *env, const char *text);
	/* Return the note on a filter that may be an expression. May return NULL. */
	const struct filter_note *(*filter_note)(const void *state);
	bool (*seek)(
	    void *state, const struct view_env *env, struct seekable *out); /* env outlives *out */

	/* Show and select the node at a JSON Pointer. False: it cannot be shown here. */
	bool (*reveal)(void *state, const struct view_env *env, const char *pointer);
	/* Return the selected node, for the detail and the clipboard (NULL: absent), and append its
	 * JSON Pointer. */
	const cJSON *(*selected)(void *state, const struct view_env *env, struct buf *pointer);
	/* Open the selection in the view. False: it has only a detail. */
	bool (*open)(void *state, const struct view_env *env);
	/* Append text for other programs: the selected "row" or "column", "" for :copy. */
	void (*copy)(void *state, const struct view_env *env, const char *part, struct buf *out);
	/* Return the table shown, for exports, and its selected column; NULL: none. */
	struct table *(*table)(void *state, size_t *column);
	/* Draw all of it for a file. shapes NULL: as text. */
	bool (*picture)(void *state, const struct view_env *env, struct drawing *shapes,
	    struct buf *text, struct err *err);
	/* Describe the table shown instead of the value. False: the value is shown. */
	bool (*part)(const void *state, struct view_part *out);
	/* Show the part of another view instead of the value; NULL: the value again. False: it
	 * cannot be shown. */
	bool (*take_part)(void *state, const struct view_env *env, const struct view_part *part);
};

/* A view with its state. */
struct view {
	const struct view_ops *ops;
	void *state;
	const struct view_input *in; /* NULL: a pane */
	struct views *among;         /* all views of the same value; NULL: a pane */
	int y;                       /* the first row of a child in its parent, as last drawn */
};

void view_init(struct view *v, const struct view_ops *ops);
void view_finish(struct view *v);
/* Return the innermost visible view, maybe v, which gets keys, filters and searches. */
struct view *view_inner(struct view *v);
/* Return the view of the value, even if it is covered or there is no value; NULL: v has none. */
struct view *view_of_value(struct view *v);
/* Return the same environment with the value of the view. */
struct view_env view_env_of(const struct view *v, const struct view_env *env);

/* Send a key to a visible child first, unless v captures the keyboard. True: consumed. */
bool view_key(struct view *v, const struct view_env *env, const struct key *key);
const char *view_captures(const struct view *v); /* see view_ops.captures */
bool view_is_open(const struct view *v);         /* v, or a visible child */
/* Draw a child in a part of its parent's surface. */
void view_draw(struct view *v, const struct view_env *env, struct surface s);
enum { VIEW_ALL_ROWS = 1000 }; /* want() of a view that fills any height */
int view_want(struct view *v, const struct view_env *env, int width);
enum role view_heading(
    struct view *v, const struct view_env *env, struct buf *title, struct buf *facts);
/* Like view_ops.filtered, filter and seek, also for rows. */
const char *view_filtered(const struct view *v);
void view_filter(const struct view *v, const struct view_env *env, const char *text);
bool view_seek(const struct view *v, const struct view_env *env, struct seekable *out);
bool view_open(const struct view *v, const struct view_env *env); /* the selection */
const cJSON *view_selected(const struct view *v, struct buf *pointer);
/* Append the selected node for the clipboard, a string unchanged, other values as JSON; without a
 * selection the whole value. part: "", or "row" or "column" of a table. False: nothing to copy. */
bool view_copy(const struct view *v, const char *part, struct buf *out);
struct table *view_table_of(const struct view *v, size_t *column); /* NULL: no table is shown */
const struct view_action *view_find_action(const struct view_ops *ops, const char *name);
/* Run the action of this name. False: refused, or only another view has it. */
bool view_run(struct view *v, const struct view_env *env, const char *name, const char *arg);
int view_serves(const struct view_ops *ops, const struct view_input *in);
/* Append the reason to env->why. Return false, as an action does. */
bool view_refuse(const struct view_env *env, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#define VIEWS(X) \
	X(table) \
	X(tree)  \
	X(json)  \
	X(chart) \
	X(cards)

enum view_id {
#define X(id) VIEW_##id,
	VIEWS(X)
#undef X
	    VIEW_COUNT
};

#define X(id) extern const struct view_ops view_##id;
VIEWS(X)
#undef X

extern const struct view_ops *const value_views[VIEW_COUNT];

/* Draw rows of formatted JSON (json_print_pretty) from `top` on, in the colors of its tokens. */
struct wrap;
void view_json_rows(struct wrap *wrap, struct surface s, size_t top);

/* Draw a value on one line, in the role of its type; numbers are exact. Strings have quotes only if
 * they look like another value ("", "null", "3", "true", edge blanks). Return the columns used. */
int view_value(struct surface s, int x, int y, int max_cols, const cJSON *value, uint32_t ground);
enum role view_value_role(const cJSON *value);
/* Return the style of a value on a ground. Marked values and the cursor have separate inks. */
struct style view_style(const cJSON *value, uint32_t ground);
/* Return the ground of a value with an error or a warning in the report, or ROLE_NONE. report may
 * be NULL. */
uint32_t view_ground(const struct report *report, const cJSON *value);
/* Append the text that view_value() draws; view_value_cut() appends only the beginning of a long
 * string or number, and "…". */
void view_value_text(const cJSON *value, struct buf *out);
void view_value_cut(const cJSON *value, size_t max_bytes, struct buf *out);
/* Parse the argument of `level`; "" is 0, the default. */
#define VIEW_LEVEL_MAX 1000
bool view_read_level(const char *arg, unsigned *level, const struct view_env *env);
#define VIEW_LEVEL_ACTIONS(act_level, act_more, act_less)                                          \
	{ "unfold-level", "+", "", "unfold one more level", act_more, NULL },                      \
	    { "fold-level", "-", "", "fold the deepest level", act_less, NULL },                   \
	{                                                                                          \
		"level", "", "[NUMBER]",                                                           \
		    "unfold all nodes down to this level; without a level, reset", act_level, NULL \
	}

#endif

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
 * A view draws something and takes its keys: a JSON value (table, tree, raw JSON, chart, cards), or
 * a part of the workspace (a pane). One file that defines view_NAME or pane_NAME, one row in VIEWS
 * or PANES. A view owns only its own state (selection, scroll, folds) and keeps in it what the user
 * chose, also when the value is replaced. A view of a value marks the violations of the report
 * where they are, missing members included.
 *
 * A pane that shows a value has the view of the value as its child, and forwards nothing to it: the
 * workbench walks to the child (view_inner(), view_key() ...) and asks it directly.
 */
struct view_input {
	const cJSON *value;          /* NULL: absent */
	const cJSON *schema;         /* its schema, for order and types; may be NULL */
	struct json_doc *docs[2];    /* what these two are in: jobs keep them; may be NULL */
	struct jobs *jobs;           /* NULL: long work is done at once */
	const struct report *report; /* may be NULL */
	const void *source;  /* only compared: values of one are sorted and filtered alike */
	bool is_part;        /* it is from a text that says more */
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
	/* Drawn once, as text: everything is unfolded, the selection is not shown, and want() is
	 * all rows. */
	bool printed;
	bool alone;      /* not in a stack: no other pane could use its rows */
	bool entered;    /* this mouse press moved the focus here */
	bool typing;     /* letters are text: see types() */
	struct buf *why; /* gets the reason if an action is refused; NULL: nobody asks */

	/* Of panes, see pane/pane.h; this layer only passes them on. */
	struct workspace *ws;
	const struct pane_host *host;
	struct workbench *user; /* for host */
};

/* A command: by its key if the view is shown and has the focus, by `:name` from anywhere. */
struct view_action {
	const char *name; /* "sort" */
	const char *keys; /* default keys, separated by spaces: "s"; "" for none */
	const char *args; /* "[COLUMN]"; "" for none */
	const char *help; /* "sort by the selected or the named column" */
	/* False: failed. The reason is in env->why, or the host has shown it. */
	bool (*run)(void *state, const struct view_env *env, const char *arg);
	const char *hint; /* for the bottom bar: "sort"; NULL: none */
};

/* Keys of a global command in one pane. */
struct view_binding {
	const char *keys, *command; /* "S f5", "answer" */
};

/* A table that a view shows instead of the value: made of it, or opened in it. Borrowed. */
struct table_spot;
struct view_part {
	const struct table_spot *spot;
	struct json_doc *doc; /* that it is in; NULL: that of the value */
	const char *name;     /* for titles */
	const char *filter;   /* NULL: all rows are shown */
};

/* Any function may be NULL but draw, and serves of a view of a value. */
struct view_ops {
	const char *title; /* "structuredContent"; of a value's view: for `:view` and `bind` */
	const char *help;  /* one sentence */
	size_t state_size;
	const struct view_action *actions; /* ended by a row without a name; may be NULL */
	const char *last_hint; /* of the action whose hint gives way to all others; NULL: none */
	const struct view_binding *bindings; /* ended by a row without keys; may be NULL */
	/* Names, separated by blanks, of commands that delete, clear, forget or quit: they cannot
	 * be abbreviated. May be NULL. */
	const char *whole;
	const struct row_ops *rows; /* of a list, see view/rows.h; NULL: it is none */
	bool is_wide; /* an overlay that wants rows, and the columns of the whole screen */
	/* A node that cannot be opened here is shown in the table, if it is in one. */
	bool leads_to_table;
	/* While it captures, all keys belong to it but that of this action. NULL: keys that key()
	 * does not consume keep their usual meaning. */
	const char *release;

	void (*init)(void *state); /* state is zeroed */
	void (*finish)(void *state);
	/* How well it shows this value or selection: 0, not at all; of the views of a value, the
	 * one that serves best is the default. Default: it applies to all. */
	int (*serves)(const struct view_env *env);
	/* The value or the workspace changed: update derived data. Called before draw. A view whose
	 * value has the same source keeps order and filter. */
	void (*sync)(void *state, const struct view_env *env);
	void (*on_report)(void *state, const struct view_env *env); /* only the report changed */
	/* The view of the value that it shows; the view covers it while it shows something else. */
	struct view *(*child)(void *state);
	bool (*covers)(const void *state);

	/* Rows that show all of it at this inner width. Of a value: 0 is unknown; of a pane: 0 if
	 * the title says all, and the list wants columns. */
	int (*want)(void *state, const struct view_env *env, int width);
	/* Columns that show all of it, the same whatever was drawn or selected; 0: unknown. */
	int (*columns)(const void *state);
	/* The title of the frame (of a value: the part after ▸, "users") and its facts, "table ·
	 * 3 × 3". Returns the role of the facts. Default: the title above. */
	enum role (*heading)(
	    void *state, const struct view_env *env, struct buf *title, struct buf *facts);
	/* The order of the rows for the title, "name▲"; a click on it calls turn(). */
	void (*order)(const void *state, struct buf *out);
	void (*turn)(void *state, const struct view_env *env);
	/* Drawn on the border instead of the title: one row. */
	void (*draw_title)(void *state, const struct view_env *env, struct surface row);
	void (*draw)(void *state, const struct view_env *env, struct surface inner);
	/* Of the focused pane: draws its open menu or list over all panes. inner is the surface of
	 * draw(). Returns the part of the screen whose mouse events it gets, relative to inner;
	 * width 0: nothing is open. */
	struct surface (*pop_up)(
	    void *state, const struct view_env *env, struct surface screen, struct surface inner);

	/* Unbound keys that the child did not consume, and mouse events relative to `inner`. True:
	 * consumed. */
	bool (*key)(void *state, const struct view_env *env, const struct key *key);
	/* While a text field or something opened owns the keyboard, so that key() precedes bindings
	 * and the child: its keys for the bottom bar, "Enter keep  Esc clear". NULL: not now. */
	const char *(*captures)(const void *state);
	/* While the focus is on a field that is not being edited yet: letters, Tab and a paste are
	 * for key() before any binding, until Esc makes letters commands. */
	bool (*types)(const void *state);
	bool (*fills)(const void *state); /* then, does Tab go on to the next field? */
	/* Is something open that key() closes with Esc, while keys are bound as usual? */
	bool (*is_open)(const void *state);
	/* The hint of an action if it applies now, else NULL. Default: the action's own hint. */
	const char *(*hint)(
	    void *state, const struct view_env *env, const struct view_action *action);

	/* For `/`, if the view filters rows: the filter text, "" for all of them; NULL: not
	 * filterable now. Otherwise seek() searches its text; false: there is none now. */
	const char *(*filtered)(const void *state);
	void (*filter)(void *state, const struct view_env *env, const char *text);
	/* On the filter, if it may be an expression. May return NULL. */
	const struct filter_note *(*filter_note)(const void *state);
	bool (*seek)(
	    void *state, const struct view_env *env, struct seekable *out); /* env outlives *out */

	/* Shows and selects the node at a JSON Pointer. False: it cannot be shown here. */
	bool (*reveal)(void *state, const struct view_env *env, const char *pointer);
	/* The selected node, for the detail and the clipboard (NULL: absent there); its JSON
	 * Pointer is appended. */
	const cJSON *(*selected)(void *state, const struct view_env *env, struct buf *pointer);
	/* Opens what is selected, in the view. False: there is nothing but its detail to show. */
	bool (*open)(void *state, const struct view_env *env);
	/* Appends text for other programs, if there is any: the selected "row" or "column", "" for
	 * :copy. */
	void (*copy)(void *state, const struct view_env *env, const char *part, struct buf *out);
	/* The table shown, for exports, and its selected column; NULL: none. */
	struct table *(*table)(void *state, size_t *column);
	/* All of it for a file: as shapes, or without these as text. */
	bool (*picture)(void *state, const struct view_env *env, struct drawing *shapes,
	    struct buf *text, struct err *err);
	/* False: the value itself is shown. */
	bool (*part)(const void *state, struct view_part *out);
	/* Shows the part of another view instead of the value, until it is shown something else.
	 * False: it cannot. */
	bool (*take_part)(void *state, const struct view_env *env, const struct view_part *part);
};

/* A view with its state. */
struct view {
	const struct view_ops *ops;
	void *state;
	const struct view_input *in; /* NULL: a pane */
	struct views *among;         /* the ways to show the same value; NULL: a pane */
	int y; /* of a child: the row of its parent in which it begins, as last drawn */
};

void view_init(struct view *v, const struct view_ops *ops);
void view_finish(struct view *v);
/* The innermost view in front, that keys, filters and searches are for; maybe v itself. */
struct view *view_inner(struct view *v);
/* The view of the value, even if it is covered or there is no value; NULL: v shows none. */
struct view *view_of_value(struct view *v);
/* The same environment with the value of the view. */
struct view_env view_env_of(const struct view *v, const struct view_env *env);

/* To a child that is in front first, unless v captures the keyboard. True: consumed. */
bool view_key(struct view *v, const struct view_env *env, const struct key *key);
const char *view_captures(const struct view *v); /* see view_ops.captures */
bool view_is_open(const struct view *v);         /* v or a child in front of it */
/* Draws a child in a part of its parent's surface. */
void view_draw(struct view *v, const struct view_env *env, struct surface s);
enum { VIEW_ALL_ROWS = 1000 }; /* of a view that takes all the rows it gets */
int view_want(struct view *v, const struct view_env *env, int width);
enum role view_heading(
    struct view *v, const struct view_env *env, struct buf *title, struct buf *facts);
/* As view_ops.filtered, filter and seek, of this view; rows included. */
const char *view_filtered(const struct view *v);
void view_filter(const struct view *v, const struct view_env *env, const char *text);
bool view_seek(const struct view *v, const struct view_env *env, struct seekable *out);
bool view_open(const struct view *v, const struct view_env *env); /* what is selected, in v */
const cJSON *view_selected(const struct view *v, struct buf *pointer);
/* The selected node for the clipboard: a string unchanged, all else as JSON; without a selection
 * the whole value. part: "", or "row" or "column" of a table. False: there is none. */
bool view_copy(const struct view *v, const char *part, struct buf *out);
struct table *view_table_of(const struct view *v, size_t *column); /* NULL: no table is shown */
const struct view_action *view_find_action(const struct view_ops *ops, const char *name);
/* Runs the action of this name; false: refused, or only another view has it. */
bool view_run(struct view *v, const struct view_env *env, const char *name, const char *arg);
int view_serves(const struct view_ops *ops, const struct view_input *in);
/* Appends the reason to env->why, for the bottom bar. Returns false, for an action. */
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

/* Rows of laid-out JSON (json_print_pretty) from `top`, in the colors of its tokens. */
struct wrap;
void view_json_rows(struct wrap *wrap, struct surface s, size_t top);

/* One value on one line, in the role of its type; numbers exact. Strings go without quotes unless
 * they could be taken for something else ("", "null", "3", "true", edge blanks). Returns columns.
 */
int view_value(struct surface s, int x, int y, int max_cols, const cJSON *value, uint32_t ground);
enum role view_value_role(const cJSON *value);
/* The same on a ground: what is marked, and the cursor, have an ink of their own. */
struct style view_style(const cJSON *value, uint32_t ground);
/* The ground of what the report has something to say about: an error's, a warning's, or ROLE_NONE.
 * report may be NULL. */
uint32_t view_ground(const struct report *report, const cJSON *value);
/* The same as text, for widths and exports. */
void view_value_text(const cJSON *value, struct buf *out);
/* Only the beginning of a long string or number, and "…". */
void view_value_cut(const cJSON *value, size_t max_bytes, struct buf *out);
/* The argument of `level`; "": 0, as at first. */
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

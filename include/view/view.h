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
 * A view is one way to look at a JSON value: table, tree, raw JSON. One file that
 * defines view_NAME, one row in VIEWS. Whoever shows the value owns the state; a view keeps
 * in it what the user chose (selection, folds, order), also when the value is replaced. It marks
 * the violations of the report where they are, missing members included.
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

struct view_env {
	const struct view_input *in;
	bool focused;
	/* Drawn once, as text: all is unfolded, nothing is told of what is selected, and want() is
	 * all rows. */
	bool printed;
};

/* A command of a view: by its key if the view is shown, by `:name` from anywhere. */
struct view_action {
	const char *name; /* "sort" */
	const char *keys; /* default keys, separated by spaces: "s"; "" for none */
	const char *args; /* "[COLUMN]"; "" for none */
	const char *help; /* "sort by the selected or the named column" */
	/* False: refused, the reason is appended to why. */
	bool (*run)(void *state, const struct view_env *env, const char *arg, struct buf *why);
	const char *hint;                   /* for the bottom bar: "sort"; NULL: none */
	bool (*applies)(const void *state); /* the hint; NULL: always */
};

/* A table that a view shows in place of the value: one made of it, or opened in it. Borrowed. */
struct table_spot;
struct view_part {
	const struct table_spot *spot;
	struct json_doc *doc; /* that it is in; NULL: that of the value */
	const char *name;     /* for titles */
	const char *filter;   /* NULL: all rows are shown */
};

/* Any function may be NULL but serves and draw. */
struct view_ops {
	const char *name; /* "table": for `:view`, and the context of its keys in `bind` */
	const char *help; /* one sentence */
	size_t state_size;
	const struct view_action *actions; /* ended by a row without a name; may be NULL */
	void (*init)(void *state);         /* state is zeroed */
	void (*finish)(void *state);
	/* How well it shows this value: 0, not at all; the one that serves best is the default. */
	int (*serves)(const struct view_input *in);
	/* The input changed. A view whose value has the same source keeps order and filter. */
	void (*sync)(void *state, const struct view_env *env);
	void (*on_report)(void *state, const struct view_env *env); /* only the report did */
	/* Rows that show all of it; 0: unknown. */
	int (*want)(void *state, const struct view_env *env, int width);
	/* Columns that show all of it; NULL: unknown. Does not depend on what was drawn. */
	int (*columns)(const void *state);
	/* Facts for the frame: "table · 3 × 3", and the title's part after ▸: "users". Default: the
	 * name. */
	void (*heading)(
	    void *state, const struct view_env *env, struct buf *where, struct buf *facts);
	/* The order of the rows for the title, "name▲"; a click on it calls turn(). */
	void (*order)(const void *state, struct buf *out);
	void (*turn)(void *state, const struct view_env *env);
	void (*draw)(void *state, const struct view_env *env, struct surface s);
	/* Unbound keys, and mouse events relative to s. True: consumed. */
	bool (*key)(void *state, const struct view_env *env, const struct key *key);
	/* Selects the node at a JSON Pointer. False: it cannot be shown here. */
	bool (*reveal)(void *state, const struct view_env *env, const char *pointer);
	/* The selected node, for the detail and the clipboard (NULL: absent there); its JSON
	 * Pointer is appended. */
	const cJSON *(*selected)(void *state, const struct view_env *env, struct buf *pointer);
	/* Appends the selected "row" or "column" as text for other programs. False: there is none.
	 */
	bool (*copy)(void *state, const struct view_env *env, const char *part, struct buf *out);
	/* Opens what is selected, in the view. False: there is nothing but its detail to show. */
	bool (*open)(void *state, const struct view_env *env);
	/* What cannot be opened here is shown in the table, if it is in one. */
	bool leads_to_table;
	/* Is something open that key() closes with Esc? */
	bool (*is_open)(const void *state);
	/* For `/`, if the view filters rows: the filter text, "" for all of them; NULL: not
	 * filterable now. Otherwise seek() searches it. */
	const char *(*filtered)(const void *state);
	void (*filter)(void *state, const char *text);
	const struct filter_note *(*filter_note)(const void *state); /* on filtered() */
	bool (*seek)(void *state, struct seekable *out);
	/* All of it for a file: as shapes, or without these as text. */
	bool (*picture)(void *state, const struct view_env *env, struct drawing *shapes,
	    struct buf *text, struct err *err);
	/* False: the value itself is shown. */
	bool (*part)(const void *state, struct view_part *out);
	/* Shows the part of another view instead of the value, until it is shown something else.
	 * False: it cannot. */
	bool (*take_part)(void *state, const struct view_env *env, const struct view_part *part);
	struct table *(*table)(void *state); /* the table shown, for exports; NULL: none */
	size_t (*column)(const void *state); /* selected in it; if there is a table */
};

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
bool view_refuse(struct buf *why, const char *reason); /* false, for an action */
/* The argument of `level`; "": 0, as at first. */
#define VIEW_LEVEL_MAX 1000
bool view_read_level(const char *arg, unsigned *level, struct buf *why);
#define VIEW_LEVEL_ACTIONS(act_level, act_more, act_less)                                       \
	{ "unfold-level", "+", "", "unfold one more level", act_more, NULL, NULL },             \
	    { "fold-level", "-", "", "fold the deepest level", act_less, NULL, NULL },          \
	{                                                                                       \
		"level", "", "[NUMBER]",                                                        \
		    "unfold all nodes down to this level; without a level, reset", act_level,      \
		    NULL, NULL                                                                  \
	}

#endif

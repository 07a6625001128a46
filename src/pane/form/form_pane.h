/* SPDX-License-Identifier: MIT */
#ifndef PANE_FORM_FORM_PANE_H
#define PANE_FORM_FORM_PANE_H

#include "base/moment.h"
#include "pane/pane.h"
#include "ui/dropdown.h"
#include "ui/edit.h"
#include "ui/wrap.h"

enum form_button {
	BUTTON_NONE = -1,
	BUTTON_CALL,
	BUTTON_COUNT = 5 /* at most */
};

/* The buttons and hints of a form: of a primitive or of an elicitation. */
struct form_pane_look {
	struct {
		const char *label, *command;
	} buttons[BUTTON_COUNT];
	const char *typing, *typing_lines, *typing_json, *menu, *menu_many; /* view_ops.captures */
	const char *schema;                                                 /* "inputSchema" */
	bool bare; /* another pane draws the description and title */
};

enum form_naming {
	NAMING_NOTHING,
	NAMING_NEW,    /* a new entry of a map */
	NAMING_RENAME, /* an existing entry */
};

#define FORM_PANE_HITS 256

/* The position of a drawn row, for the mouse. */
struct form_hit {
	size_t row;
	int y, height;
};

struct form_pane {
	const struct form_pane_look *look;                  /* NULL: of a primitive */
	struct form *(*source)(const struct view_env *env); /* NULL: the desk's form */
	const struct desk *desk;                            /* the form this state belongs to */
	const struct form *form;
	uint64_t version; /* of the form, at the last sync */
	bool has_fields;  /* likewise: types() can be called after the form is freed */

	size_t row; /* selected, if button is BUTTON_NONE */
	int button;
	size_t top;  /* first row drawn */
	bool follow; /* scroll to the selection */

	bool editing;
	bool filling; /* Tab moves between fields: one was used since the pane got the focus */
	bool passing; /* arrows move on: nothing was typed since one moved into this text */
	enum form_naming naming; /* the edited text is a name */
	bool edit_is_json;       /* Enter inserts a new line */
	bool edit_touched;
	enum moment_kind moment; /* format of the edited text */
	bool edit_string;        /* an inferred field keeps the string type */
	struct edit edit;        /* also the filter text of the menu */
	char edit_error[160];    /* of JSON being typed: "line 2 column 14: expected ..." */

	struct { /* the choices of the selected row */
		bool open;
		bool many;   /* options to tick */
		bool chosen; /* the user moved to the selected entry: Tab accepts it */
		struct {
			size_t *items; /* indexes of the matching entries */
			size_t len, cap;
		} shown;
		struct dropdown drop;
	} menu;

	bool preview; /* the preview replaces the fields */
	size_t preview_top;

	struct form_suggestions { /* values for the edited text */
		bool hidden;      /* until the text changes */
		bool chosen;      /* Enter accepts the selected value */
		bool drawn;       /* as last drawn */
		struct dropdown drop;
	} suggested;
	struct form_reference *reference; /* lists.c; NULL: the text is not a reference */
	struct {
		struct strings values;   /* of the edited field in earlier calls, newest first */
		size_t filled;           /* the form has the arguments of this call, from 1 */
		const struct form *form; /* the form filled in, and its version afterwards */
		uint64_t version;
	} past;

	int label_cols, label_room; /* needed, and available at the width last measured */
	struct wrap wrap;           /* scratch text for drawing */

	struct form_hit hits[FORM_PANE_HITS];
	int hit_count;
	int widget_x, widget_y;     /* of the selected row */
	int widget_rows, hint_rows; /* the widget, and with its hint; 0: off screen */
	int buttons_y, buttons_x[BUTTON_COUNT + 1];
};

/* ---- form_pane.c ---- */
const struct form_pane_look *form_pane_look(const struct form_pane *p); /* never NULL */
void form_pane_init(void *state);
void form_pane_finish(void *state);
void form_pane_sync(void *state, const struct view_env *env);
const char *form_pane_captures(const void *state);
const char *form_pane_hint(void *state, const struct view_env *env, const struct view_action *a);
bool form_pane_types(const void *state);
bool form_pane_fills(const void *state);
struct form *form_pane_form(const struct form_pane *p, const struct view_env *env); /* NULL: none */
struct field *form_pane_selected(struct form_pane *p, const struct view_env *env);  /* NULL: none */
/* The selected row; false: none. */
bool form_pane_row(struct form_pane *p, const struct view_env *env, struct form_row *row);
bool form_pane_is_chooser(const struct form_row *row);                        /* of variants */
int form_pane_buttons(const struct form_pane *p, const struct view_env *env); /* their number */
int form_pane_label_columns(const struct form_row *row);
bool form_pane_done(const struct form_pane *p, const struct view_env *env);   /* checks, redraws */
bool form_pane_step(struct form_pane *p, const struct view_env *env, int by); /* enum, boolean */
void form_pane_name_take(struct form_pane *p, const struct view_env *env);    /* typed name */

/* ---- keys.c ---- */
bool form_pane_key(void *state, const struct view_env *env, const struct key *key);
bool form_pane_seek(void *state, const struct view_env *env, struct seekable *out);
bool form_pane_takes_text(const struct form_row *row);
void form_pane_edit_start(struct form_pane *p, const struct view_env *env);
/* Moves to the next or previous field, and edits it if it takes text. */
void form_pane_edit_next(struct form_pane *p, const struct view_env *env, int by);
void form_pane_edit_end(struct form_pane *p, const struct view_env *env);
void form_pane_edit_apply(struct form_pane *p, const struct view_env *env); /* typed text */

/* ---- lists.c: entries are "omitted" and "null" if allowed, then the choices or variants ---- */
void form_pane_menu_open(struct form_pane *p, const struct form_row *row);
size_t form_pane_menu_choices(const struct form_row *row); /* 0: no choices */
bool form_pane_menu_key(struct form_pane *p, const struct view_env *env, const struct key *key);
/* Reads the earlier values of the edited field, once per edit. */
void form_pane_read_past(struct form_pane *p, const struct view_env *env);
void form_pane_suggest_ask(struct form_pane *p, const struct view_env *env); /* text changed */
void form_pane_refer(struct form_pane *p, const struct view_env *env);       /* text or call did */
void form_pane_refer_end(struct form_pane *p);
bool form_pane_suggest_key(struct form_pane *p, const struct view_env *env, const struct key *key);
struct surface form_pane_pop_up(
    void *state, const struct view_env *env, struct surface screen, struct surface inner);

/* ---- draw.c ---- */
void form_pane_draw(void *state, const struct view_env *env, struct surface s);
int form_pane_want(void *state, const struct view_env *env, int width);

/* ---- actions, for every pane whose state starts with struct form_pane ---- */
typedef bool form_pane_act_fn(void *state, const struct view_env *env, const char *arg);
form_pane_act_fn form_pane_act_activate, form_pane_act_state, form_pane_act_json, form_pane_act_add,
    form_pane_act_remove, form_pane_act_rename, form_pane_act_move_up, form_pane_act_move_down,
    form_pane_act_field_json, form_pane_act_type, form_pane_act_undo, form_pane_act_redo,
    form_pane_act_reset, form_pane_act_reset_all, form_pane_act_next_problem, form_pane_act_preview,
    form_pane_act_file, form_pane_act_edit_field, form_pane_act_last;

/* clang-format off */
#define FORM_PANE_ACTIONS                                                                         \
	{ "state", "o", "", "switch between omitted, value, and null if allowed", form_pane_act_state, "omit" }, \
	{ "json", "J", "", "edit all arguments as JSON, in place", form_pane_act_json, "JSON" },  \
	{ "add", "+ a", "", "add an item to the array, or a property to the object", form_pane_act_add, "add" }, \
	{ "remove", "delete ctrl-k", "", "remove the item or property", form_pane_act_remove, "remove" }, \
	{ "rename", "c", "", "rename the property", form_pane_act_rename, "rename" },             \
	{ "move-up", "alt-up {", "", "move the item up", form_pane_act_move_up, NULL },           \
	{ "move-down", "alt-down }", "", "move the item down", form_pane_act_move_down, NULL },   \
	{ "field-json", "v", "", "toggle between editing the field as JSON and as a field", form_pane_act_field_json, NULL }, \
	{ "value-type", "~ alt-t", "", "toggle the value between a string and the type that it resembles", form_pane_act_type, "type" }, \
	{ "edit-field", "V", "", "edit this field in $EDITOR", form_pane_act_edit_field, NULL },  \
	{ "load-file", "f", "", "load a file into this field, as text or base64", form_pane_act_file, NULL }, \
	{ "preview", "p", "", "show the JSON that is sent", form_pane_act_preview, NULL },        \
	{ "undo", "u", "", "undo the last change to the form", form_pane_act_undo, NULL },        \
	{ "redo", "U", "", "redo the last undone change", form_pane_act_redo, NULL },             \
	{ "reset", "backspace", "", "reset the field to the default of the schema", form_pane_act_reset, NULL }, \
	{ "reset-all", "", "", "reset all fields", form_pane_act_reset_all, NULL },               \
	{ "next-problem", "n", "[first]", "go to the next field with a problem", form_pane_act_next_problem, "next problem" }
/* clang-format on */

#endif

#ifndef PANE_FORM_FORM_PANE_H
#define PANE_FORM_FORM_PANE_H

#include "base/moment.h"
#include "pane/pane.h"
#include "ui/dropdown.h"
#include "ui/edit.h"
#include "ui/wrap.h"

#include <stdbool.h>

enum form_button {
	BUTTON_NONE = -1,
	BUTTON_CALL,
	BUTTON_COUNT = 5 /* at most */
};

/* The view of a form: of a primitive or of an elicitation. */
struct form_pane_look {
	struct {
		const char *label, *command;
	} buttons[BUTTON_COUNT];
	const char *typing, *typing_lines, *typing_json, *menu, *menu_many; /* view_ops.captures */
	const char *schema;                                                 /* "inputSchema" */
	bool bare; /* another pane draws the description and title */
};

struct form_pane;

/* Completions from the server, or examples from the schema, for the edited field. */
struct form_suggestions {
	bool hidden; /* until the text changes */
	bool chosen; /* Enter accepts the selected value */
	bool drawn;  /* as last drawn */
	struct dropdown drop;
};

/* The choices of the selected row; edit holds the filter text. */
struct form_menu {
	bool open;
	bool many; /* options to tick */
	bool chosen; /* the user went to the selected entry: Tab takes it */
	struct {
		size_t *items; /* indexes of the matching entries */
		size_t len, cap;
	} shown;
	struct dropdown drop;
};

enum form_naming {
	NAMING_NOTHING,
	NAMING_NEW, /* an entry of a map */
	NAMING_AGAIN,
};

/* value_editor.c */
void form_pane_edit_start(struct form_pane *p, const struct view_env *env);
/* Goes on to the next field, or back, and edits it if it takes text. */
void form_pane_edit_next(struct form_pane *p, const struct view_env *env, int by);
void form_pane_edit_end(struct form_pane *p, const struct view_env *env);
bool form_pane_edit_key(struct form_pane *p, const struct view_env *env, const struct key *key);
void form_pane_edit_apply(struct form_pane *p, const struct view_env *env); /* typed text */

bool form_pane_act_last(void *state, const struct view_env *env, const char *arg); /* past.c */
void form_pane_past_read(struct form_pane *p, const struct view_env *env);

/* suggestions.c */
void form_pane_suggest_ask(struct form_pane *p, const struct view_env *env);
void form_pane_suggest_end(struct form_pane *p, const struct view_env *env);
bool form_pane_suggest_key(struct form_pane *p, const struct view_env *env, const struct key *key);
/* x and y are where the pane's surface is on the screen. Returns the box; width 0: none. */
struct surface form_pane_suggest_draw(
    struct form_pane *p, const struct view_env *env, struct surface screen, int x, int y);

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
	bool has_fields;  /* likewise: `types` is asked while the form may be gone */

	size_t row; /* selected, if button is BUTTON_NONE */
	int button;
	size_t top;  /* first row drawn */
	bool follow; /* scroll to the selection */

	bool editing;
	bool filling; /* Tab goes from field to field: one was used since the focus came here */
	bool passing; /* arrows lead on: nothing was typed since one led into this text */
	enum form_naming naming; /* the edited text is a name */
	bool edit_is_json;       /* Enter is a new line */
	bool edit_touched;
	enum moment_kind moment; /* that the edited text is to be */
	bool edit_string;        /* of an inferred field: a string whatever it looks like */
	struct edit edit;
	char edit_error[160]; /* the JSON being typed: "2:14: expected ..." */

	struct form_menu menu;

	bool preview; /* the preview replaces the fields */
	size_t preview_top;

	struct form_suggestions suggested;
	struct form_reference *reference; /* references.c; NULL: the text is none */
	struct {
		struct strings values;   /* of the edited field in earlier calls, newest first */
		size_t filled;           /* the form has the arguments of this call, from 1 */
		const struct form *form; /* which one, and its version then */
		uint64_t version;
	} past;

	int label_cols, label_room; /* wanted, and at the width last measured */
	struct wrap wrap; /* scratch text for drawing */

	struct form_hit hits[FORM_PANE_HITS];
	int hit_count;
	int widget_x, widget_y;     /* of the selected row */
	int widget_rows, hint_rows; /* the widget, and with its hint; 0: off screen */
	int buttons_y, buttons_x[BUTTON_COUNT + 1];
};

/* form.c */
const struct form_pane_look *form_pane_look(const struct form_pane *p); /* never NULL */
void form_pane_init(void *state);
void form_pane_finish(void *state);
void form_pane_sync(void *state, const struct view_env *env);
const char *form_pane_captures(const void *state);
struct form *form_pane_form(const struct form_pane *p, const struct view_env *env); /* NULL: none */
struct field *form_pane_selected(struct form_pane *p, const struct view_env *env); /* NULL: none */
/* The selected row; false: none. */
bool form_pane_row(struct form_pane *p, const struct view_env *env, struct form_row *row);
bool form_pane_is_chooser(const struct form_row *row); /* of variants */
bool form_pane_takes_text(const struct form_row *row);
bool form_pane_types(const void *state); /* view_ops.types */
bool form_pane_fills(const void *state); /* view_ops.fills */
void form_pane_changed(const struct view_env *env);
/* The number of buttons: a resource has nothing to edit. */
int form_pane_buttons(const struct form_pane *p, const struct view_env *env);
int form_pane_label_columns(const struct form_row *row);

/* actions.c */
extern const struct view_action form_pane_actions[];
bool form_pane_refuse(const struct view_env *env, const char *why);
bool form_pane_done(const struct form_pane *p, const struct view_env *env); /* checks, redraws */
void form_pane_select(struct form_pane *p, const struct view_env *env, const struct field *field);
void form_pane_activate(
    struct form_pane *p, const struct view_env *env); /* Enter on the selection */
void form_pane_press(struct form_pane *p, const struct view_env *env, int button);
bool form_pane_step(struct form_pane *p, const struct view_env *env, int by); /* enum, boolean */

/* form.c, too */
const char *form_pane_hint(void *state, const struct view_env *env, const struct view_action *a);

/* items.c: array items and added properties */
struct field *form_pane_container_of(struct field *field); /* the nearest container; NULL: none */
bool form_pane_wants_item(const struct form_row *row);     /* an empty array or map */
struct field *form_pane_item_of(struct field *field);
void form_pane_name_take(struct form_pane *p, const struct view_env *env); /* typed text */

bool form_pane_preview_key(struct form_pane *p, const struct key *key);

/* keys.c */
bool form_pane_seek(void *state, const struct view_env *env, struct seekable *out);
bool form_pane_key(void *state, const struct view_env *env, const struct key *key);
void form_pane_move(struct form_pane *p, const struct view_env *env, int by);

/* choices.c: entries are "omitted" and "null" if allowed, then the choices or variants */
void form_pane_menu_open(struct form_pane *p, const struct form_row *row);
size_t form_pane_menu_choices(const struct form_row *row); /* 0: no choices */
bool form_pane_menu_key(struct form_pane *p, const struct view_env *env, const struct key *key);
void form_pane_menu_draw(
    struct form_pane *p, const struct form_row *row, struct surface screen, int x, int y);

/* draw.c */
void form_pane_draw(void *state, const struct view_env *env, struct surface s);
int form_pane_want(void *state, const struct view_env *env, int width);
struct surface form_pane_pop_up(
    void *state, const struct view_env *env, struct surface screen, struct surface inner);

/* form_rows.c: the fields */
void form_pane_draw_rows(struct form_pane *p, const struct view_env *env, struct surface s, int y0);
/* Lines of all fields. */
struct form_room {
	int most; /* whatever is selected, so the pane's height is stable under the cursor */
	int now;  /* up to the buttons, which stay unless a hint is very long */
};
struct form_room form_pane_room(struct form_pane *p, const struct form *form, int width);

/* draw.c: the value of a field */
void form_pane_draw_value(const struct form_row *row, struct surface s);
/* The type of an inferred value, at the right; returns the columns used. */
int form_pane_draw_type(const struct form_row *row, struct surface s, enum role ground);
int form_pane_value_lines(const struct form_row *row); /* of a multiline text */

/* form.c: the preview */
void form_pane_draw_preview(struct form_pane *p, const struct form *form, struct surface s);

#endif

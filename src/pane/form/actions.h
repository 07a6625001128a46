#ifndef PANE_FORM_ACTIONS_H
#define PANE_FORM_ACTIONS_H

#include "form_pane.h"

/* Actions for every pane whose state starts with struct form_pane. */
typedef bool form_pane_act_fn(void *state, const struct view_env *env, const char *arg);
form_pane_act_fn form_pane_act_activate;
form_pane_act_fn form_pane_act_state;
form_pane_act_fn form_pane_act_json;
form_pane_act_fn form_pane_act_add;
form_pane_act_fn form_pane_act_remove;
form_pane_act_fn form_pane_act_rename;
form_pane_act_fn form_pane_act_move_up;
form_pane_act_fn form_pane_act_move_down;
form_pane_act_fn form_pane_act_field_json;
form_pane_act_fn form_pane_act_type;
form_pane_act_fn form_pane_act_undo;
form_pane_act_fn form_pane_act_redo;
form_pane_act_fn form_pane_act_reset;
form_pane_act_fn form_pane_act_reset_all;
form_pane_act_fn form_pane_act_next_problem;
form_pane_act_fn form_pane_act_preview;
form_pane_act_fn form_pane_act_file;
form_pane_act_fn form_pane_act_edit_field;

#define FORM_PANE_ACTIONS                                                                      \
	{ "state", "o", "", "switch between omitted, value, and null if allowed",              \
		form_pane_act_state, "omit" },                                                 \
	    { "json", "J", "", "edit all arguments as JSON, in place", form_pane_act_json,     \
		    "JSON" },                                                                  \
	    { "add", "+ a", "", "add an item to the array, or a property to the object",       \
		    form_pane_act_add, "add" },                                                \
	    { "remove", "delete ctrl-k", "", "remove the item or property", form_pane_act_remove,   \
		    "remove" },                                                                \
	    { "rename", "c", "", "rename the property", form_pane_act_rename, "rename" },      \
	    { "move-up", "alt-up {", "", "move the item up", form_pane_act_move_up, NULL },    \
	    { "move-down", "alt-down }", "", "move the item down", form_pane_act_move_down,    \
		    NULL },                                                                    \
	    { "field-json", "v", "", "toggle between editing the field as JSON and as a field",    \
		    form_pane_act_field_json, NULL },                                          \
	    { "value-type", "~ alt-t", "",                                                     \
		    "toggle the value between a string and the type that it resembles",            \
		    form_pane_act_type, "type" },                                              \
	    { "edit-field", "V", "", "edit this field in $EDITOR", form_pane_act_edit_field,   \
		    NULL },                                                                    \
	    { "load-file", "f", "", "load a file into this field, as text or base64",          \
		    form_pane_act_file, NULL },                                                \
	    { "preview", "p", "", "show the JSON that is sent", form_pane_act_preview, NULL }, \
	    { "undo", "u", "", "undo the last change to the form", form_pane_act_undo, NULL }, \
	    { "redo", "U", "", "redo the last undone change", form_pane_act_redo, NULL },      \
	    { "reset", "backspace", "", "reset the field to the default of the schema",        \
		    form_pane_act_reset, NULL },                                               \
	    { "reset-all", "", "", "reset all fields", form_pane_act_reset_all, NULL },        \
	{                                                                                      \
		"next-problem", "n", "[first]", "go to the next field with a problem",         \
		    form_pane_act_next_problem, "next problem"                                 \
	}

/* references.c: values from the result of another call, for the text that is edited */
struct form_references {
	struct strings values; /* the first of them */
	char *all;             /* a JSON array of all, if they are several; else NULL */
	char note[300];        /* what they are, or why there are none */
	enum role role;
};
void form_pane_refer(struct form_pane *p, const struct view_env *env); /* text or call changed */
void form_pane_refer_end(struct form_pane *p);
const struct form_references *form_pane_references(const struct form_pane *p); /* NULL: none */
bool form_pane_refer_to_all(struct form_pane *p, const struct view_env *env);

#endif

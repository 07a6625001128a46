#ifndef PANE_FORM_ACTIONS_H
#define PANE_FORM_ACTIONS_H

#include "form_pane.h"

/* Rows for every pane that begins with a form: its state starts with struct form_pane. */
typedef bool form_pane_act_fn(void *state, const struct pane_env *env, const char *arg);
form_pane_act_fn form_pane_act_activate;
form_pane_act_fn form_pane_act_state;
form_pane_act_fn form_pane_act_json;
form_pane_act_fn form_pane_act_add;
form_pane_act_fn form_pane_act_remove;
form_pane_act_fn form_pane_act_rename;
form_pane_act_fn form_pane_act_move_up;
form_pane_act_fn form_pane_act_move_down;
form_pane_act_fn form_pane_act_field_json;
form_pane_act_fn form_pane_act_undo;
form_pane_act_fn form_pane_act_redo;
form_pane_act_fn form_pane_act_reset;
form_pane_act_fn form_pane_act_reset_all;
form_pane_act_fn form_pane_act_next_problem;
form_pane_act_fn form_pane_act_preview;
form_pane_act_fn form_pane_act_file;
form_pane_act_fn form_pane_act_edit_field;

#define FORM_PANE_ACTIONS                                                                       \
	{ "state", "o", "", "omit the field, give it its value, or null where that is allowed", \
		form_pane_act_state, "omit" },                                                  \
	    { "json", "J", "", "edit all arguments as JSON, in place", form_pane_act_json,      \
		    "JSON" },                                                                   \
	    { "add", "+ a", "", "add an item to the list, or an entry to the map",              \
		    form_pane_act_add, "add" },                                                 \
	    { "remove", "delete d", "", "remove the item or entry", form_pane_act_remove,       \
		    "remove" },                                                                 \
	    { "rename", "r", "", "give the entry of a map another name", form_pane_act_rename,  \
		    "rename" },                                                                 \
	    { "move-up", "alt-up K", "", "move the item up", form_pane_act_move_up, NULL },     \
	    { "move-down", "alt-down D", "", "move the item down", form_pane_act_move_down,     \
		    NULL },                                                                     \
	    { "field-json", "x", "", "edit this field as JSON, or as a field again",            \
		    form_pane_act_field_json, NULL },                                           \
	    { "edit-field", "X", "", "edit this field in $EDITOR", form_pane_act_edit_field,    \
		    NULL },                                                                     \
	    { "load-file", "f", "", "put a file into this field, as text or base64",            \
		    form_pane_act_file, NULL },                                                 \
	    { "preview", "p", "", "show what is sent", form_pane_act_preview, NULL },           \
	    { "undo", "u", "", "undo the last change to the form", form_pane_act_undo, NULL },  \
	    { "redo", "U", "", "redo what was undone", form_pane_act_redo, NULL },              \
	    { "reset", "backspace", "", "reset the field to what the schema gives it",          \
		    form_pane_act_reset, NULL },                                                \
	    { "reset-all", "", "", "reset all fields", form_pane_act_reset_all, NULL },         \
	{                                                                                       \
		"next-problem", "n", "[first]", "go to the next field with a problem",          \
		    form_pane_act_next_problem, "next problem"                                  \
	}

#endif

#ifndef PANE_FORM_PANE_LOOK_PRIV_H
#define PANE_FORM_PANE_LOOK_PRIV_H

#include <stdbool.h>

enum form_button {
	BUTTON_NONE = -1,
	BUTTON_CALL,
	BUTTON_JSON,
	BUTTON_LAST,
	BUTTON_EDITOR,
	BUTTON_COUNT
};

/* How a form stands in its pane: the one of an offer, or of a question. */
struct form_pane_look {
	struct {
		const char *label, *command;
	} buttons[BUTTON_COUNT];
	const char *typing, *typing_lines, *typing_json, *menu, *menu_many; /* pane_ops.typing */
	const char *schema;                                     /* "inputSchema" */
	bool bare; /* description and title are somebody else's */
};

#endif

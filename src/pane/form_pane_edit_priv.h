#ifndef PANE_FORM_PANE_EDIT_PRIV_H
#define PANE_FORM_PANE_EDIT_PRIV_H

#include "pane/pane.h"
#include "ui/dropdown.h"

/* Typing into a field of a form, its choices, and the values suggested meanwhile. */
struct form_pane;

/* The values that the server or the schema suggest for the field being edited. */
struct form_suggestions {
	bool hidden; /* until something else is typed */
	bool chosen; /* the selected one is what Enter takes */
	bool drawn;  /* at the last drawing */
	struct dropdown drop;
};

/* The choices of the selected row. edit holds the text that narrows them. */
struct form_menu {
	bool open;
	bool many; /* options to tick */
	struct {
		size_t *items; /* the entries that match, by number */
		size_t len, cap;
	} shown;
	struct dropdown drop;
};

enum form_naming {
	NAMING_NOTHING,
	NAMING_NEW, /* an entry of a map */
	NAMING_AGAIN,
};

/* form_pane_edit.c */
void form_pane_edit_start(struct form_pane *p, const struct pane_env *env);
void form_pane_edit_end(struct form_pane *p, const struct pane_env *env);
bool form_pane_edit_key(struct form_pane *p, const struct pane_env *env, const struct key *key);

void form_pane_edit_apply(struct form_pane *p, const struct pane_env *env); /* what is typed */

/* form_pane_complete.c */
void form_pane_complete_ask(struct form_pane *p, const struct pane_env *env);
void form_pane_complete_end(struct form_pane *p, const struct pane_env *env);
bool form_pane_complete_key(struct form_pane *p, const struct pane_env *env, const struct key *key);
void form_pane_complete_draw(struct form_pane *p, const struct pane_env *env, struct surface s);
int form_pane_complete_rows(struct form_pane *p, const struct pane_env *env); /* kept free for it */

#endif

#include "form_pane_actions_priv.h"

/* What the bottom bar says of the keys. */

static const char *
activate_hint(struct form_pane *p, const struct pane_env *env)
{
	static const char *const words[] = {
		[FIELD_STRING] = "edit",
		[FIELD_NUMBER] = "edit",
		[FIELD_INTEGER] = "edit",
		[FIELD_BOOLEAN] = "switch",
		[FIELD_ENUM] = "choose",
		[FIELD_CONST] = NULL,
		[FIELD_OBJECT] = "fold",
		[FIELD_ARRAY] = "fold",
		[FIELD_JSON] = "edit",
	};
	struct form_row row;

	if (!form_pane_row(p, env, &row))
		return "press";
	if (row.kind == FORM_ROW_ADD)
		return "add";
	return form_pane_menu_choices(&row) > 0 ? "choose" : words[field_view(row.field).kind];
}

const char *
form_pane_hint(void *state, const struct pane_env *env, const struct pane_action *action)
{
	struct form_pane *p = state;
	struct field *field = form_pane_form(p, env) ? form_pane_selected(p, env) : NULL;

	if (!form_pane_form(p, env))
		return NULL;
	if (action->run == form_pane_act_activate)
		return activate_hint(state, env);
	if (action->run == form_pane_act_state)
		return field && field_view(field).parent &&
			       (!field_view(field).required || field_view(field).nullable) &&
			       !field_view(field).item && !field_view(field).entry
			   ? action->hint
			   : NULL;
	if (action->run == form_pane_act_add)
		return form_pane_list_of(field) ? action->hint : NULL;
	if (action->run == form_pane_act_remove)
		return form_pane_item_of(field) ? action->hint : NULL;
	if (action->run == form_pane_act_rename)
		return field && (field_view(field).entry || field_view(field).extra) ? action->hint
										     : NULL;
	if (action->run == form_pane_act_next_problem)
		return form_problem_count(form_pane_form(p, env)) > 0 ? action->hint : NULL;
	return action->hint;
}

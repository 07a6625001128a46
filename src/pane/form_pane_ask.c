#include "form_pane_actions_priv.h"

/* What a pane cannot do by itself: commands of the program, for the field that is selected. */

static bool
run_for_field(struct form_pane *p, const struct pane_env *env, const char *command)
{
	const struct field *field = form_pane_selected(p, env);
	struct buf line = BUF_INIT;

	if (!field)
		return form_pane_refuse(env, "no field is selected");
	buf_add_str(&line, command);
	field_pointer(field, &line);
	buf_add_char(&line, ' ');
	bool ok = env->host->run(env->user, buf_text(&line));
	buf_finish(&line);
	return ok;
}

bool
form_pane_act_file(void *state, const struct pane_env *env, const char *arg)
{
	const struct field *field = form_pane_selected(state, env);
	(void)arg;

	if (field && !field_view(field).parent)
		return form_pane_refuse(env, "a file goes into one field: select it");
	return run_for_field(state, env, "command file ");
}

bool
form_pane_act_edit_field(void *state, const struct pane_env *env, const char *arg)
{
	(void)arg;
	return run_for_field(state, env, "edit ");
}

#include "form_pane.h"

#include "base/glyph.h"
#include "base/mem.h"
#include "base/secret.h"
#include "json/number.h"
#include "json/pointer.h"

#include <stdlib.h>
#include <string.h>

/* Arguments of earlier calls, from the history: whole sets for the form, values for a field. */

enum { SETS_MAX = 200 };

/* Those of the last call of this run, which may still run; then those of the history, pinned ones
 * first, then the newest. */
static void
gather_sets(const struct view_env *env, struct strings *out)
{
	const struct desk *desk = env->ws->desk;
	const struct workspace_history *history = &env->ws->history;
	const struct call *last = server_last_call(env->ws->server, desk->kind, desk->key);

	if (last)
		strings_add(out, last->arguments);
	if (history->host)
		history->host->arguments(history->user, server_info(env->ws->server)->name,
		    desk->kind, desk->key, SETS_MAX, out);
}

/* Which set is next: the first, or the one before the set that is in the form now. */
static size_t
next_set(const struct form_pane *p, const struct form *form, size_t count)
{
	bool untouched = p->past.filled > 0 && p->past.version == form_view(form).version &&
			 p->past.form == form;

	return untouched && p->past.filled < count ? p->past.filled : 0;
}

bool
form_pane_act_last(void *state, const struct view_env *env, const char *arg)
{
	struct form_pane *p = state;
	struct form *form = form_pane_form(p, env);
	struct strings sets = { 0 };

	if (!form || !env->ws->server || !env->ws->desk || p->look)
		return form_pane_refuse(env, "no form is shown");
	gather_sets(env, &sets);
	if (sets.len == 0)
		return form_pane_refuse(env, "nothing has been called yet");
	size_t at = next_set(p, form, sets.len);
	const char *set = sets.items[at];
	form_load_raw(form, set, strlen(set));
	char *told = mem_printf("filled in from earlier call %zu of %zu; again: the next; u "
				"restores your values%s",
	    at + 1, sets.len,
	    strstr(set, SECRET_HIDDEN) ? "; enter the secrets, which are not kept" : "");
	env->host->say(env->user, ROLE_DIM, told);
	free(told);
	strings_finish(&sets);
	bool done = form_pane_done(p, env);
	p->past.filled = at + 1;
	p->past.form = form;
	p->past.version = form_view(form).version;
	return done;
}

static void
add_value(struct form_pane *p, const char *set, const char *pointer)
{
	char number[JSON_NUMBER_TEXT_MAX];
	struct json_doc *doc = json_parse(set, strlen(set), NULL, NULL);
	const cJSON *value = doc ? json_pointer_find(json_root(doc), pointer) : NULL;
	const char *text = json_string(value);

	if (json_type(value) == JSON_NUMBER)
		text = json_number_text(value, number);
	if (text && *text && strlen(text) < LABEL_BYTES && strcmp(text, SECRET_HIDDEN) != 0 &&
	    !strings_have(&p->past.values, text))
		strings_add(&p->past.values, text);
	json_doc_destroy(doc);
}

/* For the field that is going to be edited, read once. */
void
form_pane_past_read(struct form_pane *p, const struct view_env *env)
{
	const struct field *field = form_pane_selected(p, env);
	struct buf pointer = BUF_INIT;
	struct strings sets = { 0 };

	strings_finish(&p->past.values);
	if (!field || p->look || p->naming || p->moment != MOMENT_NONE || !env->ws->server ||
	    !env->ws->desk)
		return;
	field_pointer(field, &pointer);
	gather_sets(env, &sets);
	for (size_t i = 0; i < sets.len; i++)
		add_value(p, sets.items[i], buf_text(&pointer));
	strings_finish(&sets);
	buf_finish(&pointer);
}

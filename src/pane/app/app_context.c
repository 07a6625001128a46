#include "app_pane.h"

#include "base/mem.h"
#include "base/strings.h"
#include "base/vec.h"
#include "pane/pane_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The host context of an app, changed by hand: the app hears of it at once, and nothing else does.
 */

enum { COLS_LEAST = 10, ROWS_LEAST = 4, CELLS_MOST = 500 };

static bool
set_theme(struct app_pretense *p, const char *word)
{
	p->theme = strcmp(word, "dark") == 0 ? APP_DARK : APP_LIGHT;
	return p->theme == APP_DARK || strcmp(word, "light") == 0;
}

static bool
set_size(struct app_pretense *p, const char *word)
{
	char end;

	return sscanf(word, "%4dx%4d%c", &p->cols, &p->rows, &end) == 2 && p->cols >= COLS_LEAST &&
	       p->rows >= ROWS_LEAST && p->cols <= CELLS_MOST && p->rows <= CELLS_MOST;
}

/* Letters, digits and hyphens, as in a language tag (BCP 47). */
static bool
set_locale(struct app_pretense *p, const char *word)
{
	static const char letters[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-";
	size_t len = strlen(word);

	snprintf(p->locale, sizeof(p->locale), "%s", word);
	return len >= 2 && len < sizeof(p->locale) && strspn(word, letters) == len;
}

static const struct {
	const char *word, *usage;
	bool (*set)(struct app_pretense *p, const char *word);
} members[] = {
	{ "theme", "theme dark|light", set_theme },
	{ "size", "size COLSxROWS, from 10x4 to 500x500", set_size },
	{ "locale", "locale TAG, as en-US", set_locale },
};

static bool
set_display(struct app *a, const struct view_env *env, const char *word)
{
	enum app_display display = app_display_find(word);

	if (display == APP_DISPLAYS)
		return pane_refuse(env, "usage: app-context display inline|fullscreen|pip");
	return app_set_display(a, display, env->now_us) ||
	       pane_refuse(env, "the app or mcpane does not have this display mode");
}

static bool
change(struct app *a, const struct view_env *env, const char *name, const char *value)
{
	struct app_pretense p = app_facts(a)->pretense;
	char text[80];

	for (size_t i = 0; i < ARRAY_LEN(members); i++) {
		if (strcmp(members[i].word, name) != 0)
			continue;
		snprintf(text, sizeof(text), "usage: app-context %s", members[i].usage);
		if (!members[i].set(&p, value))
			return pane_refuse(env, text);
		app_pretend(a, &p, env->now_us);
		return true;
	}
	return pane_refuse(
	    env, "usage: app-context theme|size|locale|display VALUE, or app-context reset");
}

bool
app_act_context(void *state, const struct view_env *env, const char *arg)
{
	struct app *a = workspace_app(env->ws);
	char *name = strings_next_word(&arg), *value = strings_next_word(&arg);
	bool done;

	if (!a) {
		done = pane_refuse(env, "no app is open");
	} else if (strcmp(name, "reset") == 0) {
		app_pretend(a, &(struct app_pretense){ 0 }, env->now_us);
		done = true;
	} else if (strcmp(name, "display") == 0) {
		done = set_display(a, env, value);
	} else {
		done = change(a, env, name, value);
	}
	free(name);
	free(value);
	return done;
}

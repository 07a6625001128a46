#include "workbench/prompt/prompt.h"

#include "workbench/commands/commands.h"

#include "base/vec.h"
#include "client/app.h"

#include <stdlib.h>
#include <string.h>

/* What the commands of an app take. */

/* Tools with an app, and what else there is to do. */
static void
app_words(struct line_completer *c)
{
	static const struct worded words[] = {
		{ "full", "on the whole screen" },
		{ "close", "end it, and show the result" },
	};
	const struct server *s = c->wb->ws.server;

	completer_offer_words(c, words, ARRAY_LEN(words));
	for (size_t i = 0; s && i < server_info(s)->lists[PRIMITIVE_TOOL].list.len; i++) {
		const struct primitive *tool = &server_info(s)->lists[PRIMITIVE_TOOL].list.items[i];
		if (tool->app.resource && tool->app.for_model)
			completer_offer(c, tool->key, tool->title);
	}
}

static void
app_looks(struct line_completer *c)
{
	static const struct worded words[] = {
		{ "cell", "each character of the page has a cell of its own" },
		{ "fit", "with the fonts of the app" },
		{ "pixels", "as a picture" },
	};

	completer_offer_words(c, words, ARRAY_LEN(words));
}

static void
app_contexts(struct line_completer *c)
{
	static const struct worded words[] = {
		{ "theme", "dark or light" },
		{ "size", "of the page, in cells: 80x24" },
		{ "locale", "of the user: de-AT" },
		{ "display", "inline, fullscreen or pip" },
		{ "reset", "the truth" },
	};

	completer_offer_words(c, words, ARRAY_LEN(words));
}

/* Of the member that is named before it. */
static void
app_context_values(struct line_completer *c)
{
	static const struct worded words[] = {
		{ "dark", "theme" },
		{ "light", "theme" },
		{ "inline", "display" },
		{ "fullscreen", "display" },
		{ "pip", "display" },
		{ "80x24", "size" },
		{ "en-US", "locale" },
	};
	char *name = completer_argument(c, 0);

	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (strcmp(words[i].note, name) == 0)
			completer_offer(c, words[i].value, NULL);
	free(name);
}

static void
app_policies(struct line_completer *c)
{
	static const struct worded words[] = {
		{ "strict", "that of the specification" },
		{ "lax", "with eval, as in the basic host of the specification's repository" },
	};

	completer_offer_words(c, words, ARRAY_LEN(words));
}

/* What a page may declare: of permissions the answer is known. */
static void
app_domains(struct line_completer *c)
{
	const struct app *a = workspace_app(&c->wb->ws);
	const struct app_policy *p = a ? app_facts(a)->policy : NULL;

	for (int i = 0; i < APP_PERMISSIONS; i++)
		completer_offer(c, app_permission_names[i], app_permission_answers[i]);
	for (size_t i = 0; p && i < p->domains.len; i++)
		if (!p->domains.items[i].refusal)
			completer_offer(c, p->domains.items[i].text,
			    app_domain_members[p->domains.items[i].kind]);
}

const struct argument_source app_sources[] = {
	{ "app", 0, app_words },
	{ "app-allow", 0, app_domains },
	{ "app-allow!", 0, app_domains },
	{ "app-look", 0, app_looks },
	{ "reload-app", 0, app_policies },
	{ "app-context", 0, app_contexts },
	{ "app-context", 1, app_context_values },
	{ NULL, 0, NULL },
};

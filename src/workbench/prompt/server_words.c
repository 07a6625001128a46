/* SPDX-License-Identifier: MIT */
#include "auth/flow.h"
#include "base/mem.h"
#include "base/vec.h"
#include "client/app.h"
#include "mcp/skill.h"
#include "workbench/commands/commands.h"
#include "workbench/prompt/prompt.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Arguments of the commands for apps. */

/* Tools with an app. */
static void
app_tools(struct line_completer *c)
{
	const struct server *s = c->wb->ws.server;

	for (size_t i = 0; s && i < server_info(s)->lists[PRIMITIVE_TOOL].list.len; i++) {
		const struct primitive *tool = &server_info(s)->lists[PRIMITIVE_TOOL].list.items[i];
		if (tool->app.resource && tool->app.for_model)
			completer_offer(c, tool->key, tool->title);
	}
}

/* Values of the member in the argument before. */
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

/* The declared domains; permissions are never granted. */
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
	{ "app", 0, app_tools },
	{ "app-allow", 0, app_domains },
	{ "app-allow!", 0, app_domains },
	{ "app-context", 1, app_context_values },
	{ NULL, 0, NULL },
};

/* Arguments that name servers, their lists, and their commands or URLs. */

static void
offer_list(struct line_completer *c, enum primitive_kind kind, bool by_key)
{
	const struct server *s = c->wb->ws.server;
	const struct primitive_list *list = s ? &server_info(s)->lists[kind].list : NULL;

	for (size_t i = 0; list && i < list->len && completer_has_room(c); i++) {
		const struct primitive *p = &list->items[i];
		const char *named = by_key ? p->name : p->title;
		if (p->nth > 0)
			continue;
		completer_offer(c, by_key ? p->key : p->name, named ? named : p->description);
	}
}

static void
tools(struct line_completer *c)
{
	offer_list(c, PRIMITIVE_TOOL, false);
}

static void
resources(struct line_completer *c)
{
	offer_list(c, PRIMITIVE_RESOURCE, true);
}

static void
templates(struct line_completer *c)
{
	offer_list(c, PRIMITIVE_TEMPLATE, false);
}

static void
prompts(struct line_completer *c)
{
	offer_list(c, PRIMITIVE_PROMPT, false);
}

static void
skills(struct line_completer *c)
{
	offer_list(c, PRIMITIVE_SKILL, true);
}

static void
servers(struct line_completer *c)
{
	const struct workspace *ws = &c->wb->ws;

	for (size_t i = 0; i < ws->choice_count; i++)
		completer_offer(c, ws->choices[i].target->name, ws->choices[i].target->label);
}

static void
server_numbers(struct line_completer *c)
{
	const struct workspace *ws = &c->wb->ws;
	char number[24];

	for (size_t i = 0; i < ws->choice_count; i++) {
		snprintf(number, sizeof(number), "%zu", i + 1);
		completer_offer(c, number, ws->choices[i].target->name);
	}
}

/* The folders in which skills have files. */
static void
skill_folders(struct line_completer *c)
{
	const struct server *s = c->wb->ws.server;
	const struct primitive_list *list = s ? &server_info(s)->lists[PRIMITIVE_SKILL].list : NULL;

	c->once = true;
	if (list && list->len > 0)
		completer_offer(c, "./", "the skill itself");
	for (size_t i = 0; list && i < list->len && completer_has_room(c); i++) {
		const struct primitive *p = &list->items[i];
		const cJSON *files = p->unusable ? NULL : skill_files(p->definition);
		for (const cJSON *f = json_first(files); f && completer_has_room(c); f = f->next) {
			const char *uri = json_get_string(f, "uri");
			const char *name = uri ? skill_file_name(p->key, uri) : "";
			const char *slash = name == uri ? NULL : strrchr(name, '/');
			char *folder = mem_strndup(name, slash ? (size_t)(slash + 1 - name) : 0);
			if (*folder)
				completer_offer(c, folder, p->name);
			free(folder);
		}
	}
}

/* ---- how a server is reached ---- */

/* Quotes a word for strings_split_command(). */
static void
add_quoted(struct buf *out, const char *word)
{
	static const char plain[] = "_@%+=:,./-";
	bool quoted = *word == '\0';

	for (const char *w = word; *w && !quoted; w++)
		quoted = !isalnum((unsigned char)*w) && !strchr(plain, *w);
	if (!quoted) {
		buf_add_str(out, word);
		return;
	}
	buf_add_char(out, '\'');
	for (; *word; word++)
		if (*word == '\'')
			buf_add_str(out, "'\\''");
		else
			buf_add_char(out, *word);
	buf_add_char(out, '\'');
}

/* Appends the command of a server of another file, with ${NAME} for variables of the environment. A
 * URL with secrets is left out. */
static void
add_command(const struct target *t, struct buf *out)
{
	if (t->url && strcmp(t->url, t->label) == 0)
		buf_add_str(out, target_shown(t, t->url));
	for (size_t i = 0; !t->url && t->argv && t->argv[i]; i++) {
		buf_add_str(out, i > 0 ? " " : "");
		add_quoted(out, target_shown(t, t->argv[i]));
	}
}

static void
names_to_add(struct line_completer *c)
{
	const struct workspace *ws = &c->wb->ws;

	for (size_t i = 0; i < ws->choice_count && completer_has_room(c); i++) {
		const struct target *t = ws->choices[i].target;
		char *note = mem_printf("%s%s%s", t->client ? t->client : "",
		    t->client ? " · " : "", t->label ? t->label : "");
		if (t->file && !strchr(t->name, ' '))
			completer_offer(c, t->name, note);
		free(note);
	}
	completer_offer(c, "https://", "the URL of a server; its host is the name");
}

static void
commands_to_add(struct line_completer *c)
{
	static const struct worded words[] = {
		{ "https://", "the URL of a server" },
		{ "npx -y ", "a package of npm" },
		{ "uvx ", "a package of PyPI" },
		{ "docker run -i --rm ", "a container" },
	};
	const struct workspace *ws = &c->wb->ws;
	char *name = completer_argument(c, 0);
	struct buf command = BUF_INIT;

	for (size_t i = 0; i < ws->choice_count; i++) {
		const struct target *t = ws->choices[i].target;
		if (strcmp(t->name, name) != 0)
			continue;
		buf_clear(&command);
		add_command(t, &command);
		if (command.len > 0)
			completer_offer(c, buf_text(&command), t->place ? t->place : t->label);
	}
	buf_finish(&command);
	free(name);
	completer_offer_words(c, words, ARRAY_LEN(words));
	completer_offer_paths(c, false);
}

static void
client_secrets(struct line_completer *c)
{
	completer_offer(c, "env:", "the name of a variable of the environment");
	if (*c->typed != '@') {
		completer_offer(c, "@", "a file with the secret");
		return;
	}
	c->typed++;
	completer_offer_paths(c, false);
}

/* Offers the redirect URL. */
static void
redirects(struct line_completer *c)
{
	const struct server *s = c->wb->ws.server;
	struct strings uris = { 0 };

	if (s && server_info(s)->auth)
		auth_flow_redirect_uris(server_info(s)->auth, &uris);
	for (size_t i = 0; i < uris.len; i++)
		completer_offer(c, uris.items[i], "the browser returns there");
	strings_finish(&uris);
}

/* ---- saved calls and environments of the project ---- */

static void
saved_names(struct line_completer *c)
{
	const struct workspace_collection *project = &c->wb->ws.collection;
	struct saved_calls all = { 0 };

	if (project->host)
		project->host->calls(project->user, &all, NULL);
	for (size_t i = 0; i < all.len; i++)
		completer_offer(c, all.items[i].name, all.items[i].key);
	saved_calls_finish(&all);
}

/* With room for the new name. */
static void
quoted_names(struct line_completer *c)
{
	const struct workspace_collection *project = &c->wb->ws.collection;
	struct saved_calls all = { 0 };

	if (project->host)
		project->host->calls(project->user, &all, NULL);
	for (size_t i = 0; i < all.len; i++) {
		char *name = mem_printf("\"%s\" ", all.items[i].name);
		completer_offer(c, name, all.items[i].key);
		free(name);
	}
	saved_calls_finish(&all);
}

static void
environment_names(struct line_completer *c)
{
	const struct workspace_collection *project = &c->wb->ws.collection;
	struct environments all = { 0 };

	if (project->host)
		project->host->environments(project->user, &all, NULL);
	for (size_t i = 0; i < all.names.len; i++)
		completer_offer(c, all.names.items[i], NULL);
	completer_offer(c, "-", "of no environment");
	environments_finish(&all);
}

static void
record_paths(struct line_completer *c)
{
	static const struct worded words[] = {
		{ "stop", "end the recording of the session" },
		{ "--with-secrets", "secrets are not hidden" },
	};
	char *first = completer_argument(c, 0);

	if (strcmp(first, "session") == 0)
		completer_offer_words(c, words, ARRAY_LEN(words));
	if (strcmp(first, "cancel") != 0)
		completer_offer_paths(c, false);
	free(first);
}

const struct argument_source server_sources[] = {
	{ "saved", 0, saved_names },
	{ "save-call", 0, saved_names },
	{ "save-call!", 0, saved_names },
	{ "delete-saved", 0, saved_names },
	{ "delete-saved!", 0, saved_names },
	{ "rename-saved", 0, quoted_names },
	{ "environment", 0, environment_names },
	{ "tool", 0, tools },
	{ "resource", 0, resources },
	{ "watch", 0, resources },
	{ "template", 0, templates },
	{ "prompt", 0, prompts },
	{ "skill", 0, skills },
	{ "get-skill", 0, skills },
	{ "server", 0, servers },
	{ "connect", 0, servers },
	{ "disconnect", 0, servers },
	{ "restart", 0, servers },
	{ "edit-server", 0, servers },
	{ "disable", 0, servers },
	{ "enable", 0, servers },
	{ "remove-server", 0, servers },
	{ "remove-server!", 0, servers },
	{ "select-server", 0, server_numbers },
	{ "list-folder", 0, skill_folders },
	{ "add", 0, names_to_add },
	{ "add", 1, commands_to_add },
	{ "client-id", 1, client_secrets },
	{ "authorize", 0, redirects },
	{ "record", 1, record_paths },
	{ NULL, 0, NULL },
};

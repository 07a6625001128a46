/* SPDX-License-Identifier: MIT */
#include "workbench/commands/commands.h"

#include "auth/flow.h"
#include "base/mem.h"
#include "base/strings.h"
#include "base/vec.h"
#include "client/app.h"
#include "client/call_code.h"
#include "client/filter.h"
#include "client/lens.h"
#include "client/notices.h"
#include "data/chart.h"
#include "data/table.h"
#include "json/pointer.h"
#include "json/print.h"
#include "json/rows.h"
#include "mcp/content.h"
#include "mcp/skill.h"
#include "view/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Words for arguments that depend on what is shown: the result, filters, apps, servers, the
 * project. Each source offers those of one kind, with notes. */

/* ---- the result: views, columns, rows, nodes, content blocks ---- */

enum { BRIEF_BYTES = 60, NODES_MAX = 5000 };

enum { VIEWS, CHARTS, CODE_FORMATS, LENSES, LOG_LEVELS_SHOWN, PALETTE_KINDS };

/* The names in a table of the program. */
static void
names(struct line_completer *c)
{
	switch (c->of) {
	case VIEWS:
		for (int i = 0; i < VIEW_COUNT; i++)
			completer_offer(c, value_views[i]->title, value_views[i]->help);
		break;
	case CHARTS:
		for (int i = 0; i < CHART_KIND_COUNT; i++)
			completer_offer(c, chart_kinds[i].name, chart_kinds[i].help);
		break;
	case CODE_FORMATS:
		completer_offer(c, "json", "the request with its reply");
		for (const struct call_code_format *f = call_code_formats; f->name; f++)
			completer_offer(c, f->name, f->title);
		break;
	case LENSES:
		for (int i = 0; i < LENS_COUNT; i++)
			completer_offer(c, lenses[i].name, lenses[i].rule);
		break;
	case LOG_LEVELS_SHOWN:
		for (int i = LOG_LEVEL_DEBUG; i < LOG_LEVELS; i++)
			completer_offer(c, log_level_names[i],
			    i == LOG_LEVEL_DEBUG ? "all messages" : "and above");
		completer_offer(c, log_level_names[LOG_LEVEL_NONE], "no messages");
		break;
	case PALETTE_KINDS:
		for (int i = 0; i < PALETTE_KIND_COUNT; i++)
			completer_offer(c, palette_kinds[i], "only these");
		break;
	}
}

static const struct table *
shown_table(struct line_completer *c)
{
	return view_table_of(workbench_front_value(c->wb), NULL);
}

static void
rows(struct line_completer *c)
{
	const struct table *t = shown_table(c);
	char last[24];

	snprintf(last, sizeof(last), "%zu", t ? t->shown : 1);
	completer_offer(c, "1", "the first row");
	completer_offer(c, last, "the last row");
}

static void
columns_once(struct line_completer *c, const char *after, const char *note)
{
	const struct table *t = shown_table(c);

	for (size_t i = 0; t && i < t->columns.len && completer_has_room(c); i++) {
		char *name = mem_printf("%s%s", t->columns.items[i].name, after);
		completer_offer(c, name,
		    note                          ? note
		    : t->columns.items[i].numeric ? "column of numbers"
						  : "column");
		free(name);
	}
}

enum { ORDERS = 1 }; /* `:sort a, b desc`: the last one is completed */

static void
columns(struct line_completer *c)
{
	const char *comma = c->of == ORDERS ? strrchr(c->typed, ',') : NULL;

	c->typed = comma ? comma + 1 + strspn(comma + 1, " ") : c->typed;
	columns_once(c, "", NULL);
	if (c->of == ORDERS)
		columns_once(c, " desc", "descending");
}

/* The last token of an expression; NULL: it is a string. */
static const char *
last_token(const char *text)
{
	const char *token = text;
	char quote = '\0';

	for (const char *at = text; *at; at++) {
		if (quote ? *at == quote : strchr("\"'`", *at) != NULL) {
			quote = quote ? '\0' : *at;
			token = quote == '`' ? at : at + 1;
		} else if (!quote && strchr(" ()=<>!~&|", *at)) {
			token = at + 1;
		}
	}
	return quote && quote != '`' ? NULL : token;
}

/* The words of the filter of a table, but its strings. */
static void
table_filter_words(struct line_completer *c)
{
	static const struct worded words[] = {
		{ "@invalid", "rows with violations" },
		{ "@selected", "rows that are selected" },
		{ "and", "both hold" },
		{ "or", "one of both holds" },
		{ "not", "it does not hold" },
		{ "missing", "the value of an absent cell" },
	};
	const struct table *t = shown_table(c);
	const char *token = last_token(c->typed);

	if (!t || !token)
		return;
	c->typed = token;
	for (size_t i = 0; i < t->columns.len && completer_has_room(c); i++) {
		const struct column *column = &t->columns.items[i];
		/* other names need backquotes in an expression */
		bool bare = *column->name && *token != '`' &&
			    !column->name[strcspn(column->name, " \t\"'`()=<>!~&|")];
		char *name = bare ? mem_strdup(column->name) : mem_printf("`%s`", column->name);
		if (!strchr(column->name, '`'))
			completer_offer(c, name, column->numeric ? "column of numbers" : "column");
		free(name);
	}
	if (t->kind == TABLE_MAP)
		completer_offer(c, "@key", "the key of the row");
	completer_offer_words(c, words, ARRAY_LEN(words));
}

/* The members and items of the node above the last slash; of a large one the first. */
static void
pointers(struct line_completer *c)
{
	const cJSON *root = workbench_front_value(c->wb)->in->value;
	const char *slash = strrchr(c->typed, '/');
	struct buf path = BUF_INIT, note = BUF_INIT;
	size_t index = 0;

	buf_add(&path, c->typed, slash ? (size_t)(slash - c->typed) : 0);
	const cJSON *above = root ? json_pointer_find(root, buf_text(&path)) : NULL;
	size_t len = path.len;
	for (const cJSON *n = above ? json_first(above) : NULL;
	     n && index < NODES_MAX && completer_has_room(c); n = n->next, index++) {
		buf_truncate(&path, len);
		buf_clear(&note);
		if (json_type(above) == JSON_OBJECT)
			json_pointer_add_key(&path, n->string);
		else
			json_pointer_add_index(&path, index);
		json_print_brief(&note, n, BRIEF_BYTES);
		completer_offer(c, buf_text(&path), buf_text(&note));
	}
	buf_finish(&path);
	buf_finish(&note);
}

/* The blocks of the content by their numbers; of many the first. */
static void
blocks(struct line_completer *c)
{
	const struct call *call = workspace_call(&c->wb->ws);
	char number[24];

	for (size_t i = 0; call && i < call->result.len && completer_has_room(c); i++) {
		snprintf(number, sizeof(number), "%zu", i + 1);
		completer_offer(c, number, content_kind_names[call->result.blocks[i].kind]);
	}
}

/* ---- filters, `tool:list_users -status:ok`: the last word is completed ---- */

enum { ENTRIES_MAX = 2000 }; /* that are looked at for values, the newest ones */

static void
offer_word(
    struct line_completer *c, const struct filter_word *word, const char *value, const char *note)
{
	struct buf text = BUF_INIT;

	buf_addf(&text, "%s:%s", word->name, value);
	if (*value && !strchr(value, ' '))
		completer_offer(c, buf_text(&text), note);
	buf_finish(&text);
}

static void
offer_values(struct line_completer *c, const struct filter_word *word)
{
	const struct workspace *ws = &c->wb->ws;
	const struct server_info *info = ws->server ? server_info(ws->server) : NULL;
	const struct journal *journal = info ? info->journal : NULL;
	const struct logs *logs = info ? info->logs : NULL;
	const char *values = word->values ? word->values : "", *name = word->name;

	while (*values) {
		char *value = strings_next_word(&values);
		offer_word(c, word, value, NULL);
		free(value);
	}
	if (strcmp(name, "tool") == 0 && info) {
		const struct primitive_list *list = &info->lists[PRIMITIVE_TOOL].list;
		for (size_t i = 0; i < list->len && completer_has_room(c); i++)
			offer_word(c, word, list->items[i].name, list->items[i].title);
	} else if (strcmp(name, "server") == 0) {
		for (size_t i = 0; i < ws->choice_count && completer_has_room(c); i++)
			offer_word(
			    c, word, ws->choices[i].target->name, ws->choices[i].target->label);
	} else if (strcmp(name, "method") == 0 && journal) {
		size_t count = journal_info(journal)->count;
		for (size_t i = 0; i < count && i < ENTRIES_MAX; i++) {
			const struct journal_entry *e = journal_at(journal, count - 1 - i);
			if (e->method)
				offer_word(c, word, e->method, "in the journal");
		}
	} else if (strcmp(name, "logger") == 0 && logs) {
		for (size_t i = 0; i < logs->len && i < ENTRIES_MAX; i++) {
			const struct log_entry *e = &logs->items[logs->len - 1 - i];
			if (e->logger)
				offer_word(c, word, e->logger, "has logged");
		}
	} else if (strcmp(name, "verdict") == 0) {
		for (int i = 0; i < VERDICT_COUNT; i++)
			if (i != VERDICT_NONE)
				offer_word(c, word, verdict_looks[i].name, verdict_looks[i].text);
	} else if (strcmp(name, "level") == 0) {
		for (int i = LOG_LEVEL_DEBUG; i < LOG_LEVELS; i++)
			offer_word(c, word, log_level_names[i], "and worse");
	} else if (strcmp(name, "state") == 0) {
		for (int i = 0; i < TASK_UNKNOWN; i++)
			offer_word(c, word, task_status_names[i], "state of a task");
	}
}

static void
offer_filter(struct line_completer *c, const struct filter_word *words)
{
	const char *last = strrchr(c->typed, ' ');
	struct buf name = BUF_INIT;

	c->typed = last ? last + 1 : c->typed;
	c->typed += *c->typed == '-';
	c->once = true;
	size_t len = strcspn(c->typed, ":");
	for (; words->name; words++) {
		buf_clear(&name);
		buf_addf(&name, "%s:", words->name);
		if (c->typed[len] != ':')
			completer_offer(c, buf_text(&name), words->example);
		else if (strncasecmp(c->typed, buf_text(&name), len + 1) == 0)
			offer_values(c, words);
	}
	buf_finish(&name);
}

/* Words for the filter of a pane, or of the pane in front; the tools pane filters by text, so names
 * fit. */
static void
filters(struct line_completer *c)
{
	static const struct filter_word *const words[PANE_COUNT] = {
		[PANE_journal] = journal_words,
		[PANE_logs] = log_words,
		[PANE_tasks] = task_words,
		[PANE_history] = history_words,
		[PANE_console] = note_words,
	};
	int pane = c->of == PANE_COUNT ? (int)workbench_focused(c->wb) : c->of;

	if (words[pane])
		offer_filter(c, words[pane]);
	if (pane == PANE_structured)
		table_filter_words(c);
	const struct workspace *ws = &c->wb->ws;
	const struct primitive_list *list = pane == PANE_tools ? workspace_list(ws, ws->tab) : NULL;
	for (size_t i = 0; list && i < list->len && completer_has_room(c); i++)
		completer_offer(c, list->items[i].name, list->items[i].title);
}

/* ---- apps ---- */

/* Tools with an app. */
static void
app_tools(struct line_completer *c)
{
	const struct primitive_list *list = workspace_list(&c->wb->ws, PRIMITIVE_TOOL);

	for (size_t i = 0; list && i < list->len; i++) {
		const struct primitive *tool = &list->items[i];
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

/* ---- servers and their lists ---- */

static void
listed(struct line_completer *c)
{
	const struct primitive_list *list = workspace_list(&c->wb->ws, (enum primitive_kind)c->of);
	bool by_key = c->of == PRIMITIVE_RESOURCE || c->of == PRIMITIVE_SKILL;

	for (size_t i = 0; list && i < list->len && completer_has_room(c); i++) {
		const struct primitive *p = &list->items[i];
		const char *named = by_key ? p->name : p->title;
		if (p->nth > 0)
			continue;
		completer_offer(c, by_key ? p->key : p->name, named ? named : p->description);
	}
}

enum { BY_NUMBER = 1 };

static void
servers(struct line_completer *c)
{
	const struct workspace *ws = &c->wb->ws;
	char number[24];

	for (size_t i = 0; i < ws->choice_count; i++) {
		const struct target *t = ws->choices[i].target;
		snprintf(number, sizeof(number), "%zu", i + 1);
		if (c->of == BY_NUMBER)
			completer_offer(c, number, t->name);
		else
			completer_offer(c, t->name, t->label);
	}
}

/* The folders in which skills have files. */
static void
skill_folders(struct line_completer *c)
{
	const struct primitive_list *list = workspace_list(&c->wb->ws, PRIMITIVE_SKILL);

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

/* The command of a server of another file, with ${NAME} for variables of the environment. */
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
		if (t->url && strcmp(t->url, t->label) == 0) /* it has no secrets */
			buf_add_str(&command, target_shown(t, t->url));
		for (size_t k = 0; !t->url && t->argv && t->argv[k]; k++) {
			buf_add_str(&command, k > 0 ? " " : "");
			strings_add_word(&command, target_shown(t, t->argv[k]));
		}
		if (command.len > 0)
			completer_offer(c, buf_text(&command), t->place ? t->place : t->label);
	}
	buf_finish(&command);
	free(name);
	completer_offer_words(c, words, ARRAY_LEN(words));
	completer_offer_paths(c);
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
	completer_offer_paths(c);
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

enum { QUOTED = 1 }; /* with room for the new name */

static void
saved_names(struct line_completer *c)
{
	const struct workspace_collection *project = &c->wb->ws.collection;
	struct saved_calls all = { 0 };

	if (project->host)
		project->host->calls(project->user, &all, NULL);
	for (size_t i = 0; i < all.len; i++) {
		char *name = mem_printf(c->of == QUOTED ? "\"%s\" " : "%s", all.items[i].name);
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
		completer_offer_paths(c);
	free(first);
}

const struct argument_source word_sources[] = {
	{ "copy-as", 0, names, CODE_FORMATS },
	{ "copy-call", 0, names, CODE_FORMATS },
	{ "lens", 0, names, LENSES },
	{ "log", 0, names, LOG_LEVELS_SHOWN },
	{ "palette", 0, names, PALETTE_KINDS },
	{ "diff-key", 0, columns, 0 },
	{ "view", 0, names, VIEWS },
	{ "sort", 0, columns, ORDERS },
	{ "column", 0, columns, 0 },
	{ "row", 0, rows, 0 },
	{ "sort-also", 0, columns, 0 },
	{ "frequency", 0, columns, 0 },
	{ "group", 0, columns, 0 },
	{ "select", 0, table_filter_words, 0 },
	{ "chart", 0, names, CHARTS },
	{ "kind", 0, names, CHARTS },
	{ "chart-x", 0, columns, 0 },
	{ "chart-y", 0, columns, 0 },
	{ "chart-y", 1, columns, 0 },
	{ "hide-column", 0, columns, 0 },
	{ "fold-column", 0, columns, 0 },
	{ "unfold-column", 0, columns, 0 },
	{ "freeze-column", 0, columns, 0 },
	{ "fit-column", 0, columns, 0 },
	{ "wrap-column", 0, columns, 0 },
	{ "wider", 0, columns, 0 },
	{ "narrower", 0, columns, 0 },
	{ "column-left", 0, columns, 0 },
	{ "column-right", 0, columns, 0 },
	{ "goto", 0, pointers, 0 },
	{ "data", 0, blocks, 0 },
	{ "block", 0, blocks, 0 },
	{ "save-block", 0, blocks, 0 },
	{ "play", 0, blocks, 0 },
	{ "open-block", 0, blocks, 0 },
	{ "filter", 0, filters, PANE_COUNT },
	{ "find", 0, filters, PANE_COUNT },
	{ "filter-logs", 0, filters, PANE_logs },
	{ "filter-tasks", 0, filters, PANE_tasks },
	{ "filter-calls", 0, filters, PANE_history },
	{ "filter-console", 0, filters, PANE_console },
	{ "app", 0, app_tools, 0 },
	{ "app-allow", 0, app_domains, 0 },
	{ "app-allow!", 0, app_domains, 0 },
	{ "app-context", 1, app_context_values, 0 },
	{ "saved", 0, saved_names, 0 },
	{ "save-call", 0, saved_names, 0 },
	{ "save-call!", 0, saved_names, 0 },
	{ "delete-saved", 0, saved_names, 0 },
	{ "delete-saved!", 0, saved_names, 0 },
	{ "rename-saved", 0, saved_names, QUOTED },
	{ "environment", 0, environment_names, 0 },
	{ "tool", 0, listed, PRIMITIVE_TOOL },
	{ "resource", 0, listed, PRIMITIVE_RESOURCE },
	{ "watch", 0, listed, PRIMITIVE_RESOURCE },
	{ "template", 0, listed, PRIMITIVE_TEMPLATE },
	{ "prompt", 0, listed, PRIMITIVE_PROMPT },
	{ "skill", 0, listed, PRIMITIVE_SKILL },
	{ "get-skill", 0, listed, PRIMITIVE_SKILL },
	{ "server", 0, servers, 0 },
	{ "connect", 0, servers, 0 },
	{ "disconnect", 0, servers, 0 },
	{ "restart", 0, servers, 0 },
	{ "edit-server", 0, servers, 0 },
	{ "disable", 0, servers, 0 },
	{ "enable", 0, servers, 0 },
	{ "remove-server", 0, servers, 0 },
	{ "remove-server!", 0, servers, 0 },
	{ "select-server", 0, servers, BY_NUMBER },
	{ "list-folder", 0, skill_folders, 0 },
	{ "add", 0, names_to_add, 0 },
	{ "add", 1, commands_to_add, 0 },
	{ "client-id", 1, client_secrets, 0 },
	{ "authorize", 0, redirects, 0 },
	{ "record", 1, record_paths, 0 },
	{ NULL, 0, NULL, 0 },
};

#include "workbench/prompt/prompt.h"

#include "workbench/commands/commands.h"

#include "base/mem.h"
#include "base/vec.h"
#include "json/print.h"
#include "client/lens.h"
#include "data/table_export.h"
#include "view/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Values of arguments: each source offers those of one kind, with notes. */
enum { BRIEF_BYTES = 60 };

char *
completer_argument(const struct line_completer *c, size_t nth)
{
	const char *at = c->arguments;

	while (nth-- > 0) {
		at += strcspn(at, " ");
		at += strspn(at, " ");
	}
	return mem_strndup(at, strcspn(at, " "));
}

void
completer_offer_words(struct line_completer *c, const struct worded *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		completer_offer(c, words[i].value, words[i].note);
}

/* ---- the program ---- */

static void
panes(struct line_completer *c)
{
	for (int i = 0; i < PANE_COUNT; i++)
		completer_offer(c, pane_table[i].ops->title, pane_table[i].ops->help);
	for (int i = 0; i < PANE_COUNT; i++) /* its other name */
		if (strcasecmp(pane_table[i].name, pane_table[i].ops->title) != 0)
			completer_offer(c, pane_table[i].name, pane_table[i].ops->help);
}

static void
offer_theme(void *user, const char *name, const char *note)
{
	completer_offer(user, name, note);
}

static void
themes(struct line_completer *c)
{
	workbench_themes(c->wb, offer_theme, c);
}

static void
lens_names(struct line_completer *c)
{
	for (int i = 0; i < LENS_COUNT; i++)
		completer_offer(c, lenses[i].name, lenses[i].rule);
}

static void
eras(struct line_completer *c)
{
	static const struct worded words[] = {
		{ "auto", "the newest that the server speaks" },
		{ "modern", "2026-07-28" },
		{ "legacy", "2025-11-25 and before" },
	};

	completer_offer_words(c, words, ARRAY_LEN(words));
}

static void
without_asking(struct line_completer *c)
{
	static const struct worded words[] = { { "now", "without asking first" } };

	completer_offer_words(c, words, ARRAY_LEN(words));
}

static void
layout_words(struct line_completer *c)
{
	static const struct worded words[] = {
		{ "auto", "by the width of the screen" },
		{ "one", "one column of panes next to the list" },
		{ "two", "two columns of panes next to the list" },
	};

	completer_offer_words(c, words, ARRAY_LEN(words));
}

static void
picture_words(struct line_completer *c)
{
	static const struct worded words[] = {
		{ "auto", "the graphics that the terminal reports" },
		{ "cells", "in characters, two pixels each" },
		{ "kitty", "by kitty's graphics protocol" },
		{ "sixel", "as sixels" },
	};

	completer_offer_words(c, words, ARRAY_LEN(words));
}

static void
log_levels(struct line_completer *c)
{
	for (int i = LOG_LEVEL_DEBUG; i < LOG_LEVELS; i++)
		completer_offer(
		    c, log_level_names[i], i == LOG_LEVEL_DEBUG ? "all messages" : "and above");
	completer_offer(c, log_level_names[LOG_LEVEL_NONE], "no messages");
}

static void
times(struct line_completer *c)
{
	static const struct worded words[] = {
		{ "500ms", "half a second" },
		{ "30s", "30 seconds" },
		{ "5m", "5 minutes" },
	};

	completer_offer_words(c, words, ARRAY_LEN(words));
}

static void
sent_keys(struct line_completer *c)
{
	static const struct worded words[] = {
		{ "ctrl-]", "the key that leaves the keyboard to mcpane" },
		{ "ctrl-\\", "SIGQUIT for most programs" },
		{ "f12", "or another key by its name" },
	};

	completer_offer_words(c, words, ARRAY_LEN(words));
}

static void
formats(struct line_completer *c)
{
	static const char *const notes[] = {
		"the whole value, or the rows of a table as shown",
		"a row of the table on each line, as JSON",
		"the table, for a spreadsheet",
		"the table, with tabs between the columns",
		"the table, as Markdown",
	};

	for (size_t i = 0; export_format(i); i++)
		completer_offer(c, export_format(i), i < ARRAY_LEN(notes) ? notes[i] : NULL);
	completer_offer(c, "svg", "the chart, for a document");
	completer_offer(c, "png", "the chart, as a picture");
	completer_offer(c, "txt", "the chart, as it is drawn");
}

static void
root_words(struct line_completer *c)
{
	static const struct worded words[] = {
		{ "add", "a folder or file to those sent to the server" },
		{ "remove", "one of them" },
	};

	completer_offer_words(c, words, ARRAY_LEN(words));
}

static void
cells(struct line_completer *c)
{
	static const struct worded words[] = {
		{ "1", "a row or column" },
		{ "5", "five" },
		{ "10", "ten" },
	};

	completer_offer_words(c, words, ARRAY_LEN(words));
}

static void
problems(struct line_completer *c)
{
	completer_offer(c, "first", "the first one of the form");
}

static void
kinds(struct line_completer *c)
{
	for (int i = 0; i < PALETTE_KIND_COUNT; i++)
		completer_offer(c, palette_kinds[i], "only these");
}

static void
metas(struct line_completer *c)
{
	const struct server *s = c->wb->ws.server;

	if (s && *server_info(s)->meta)
		completer_offer(c, server_info(s)->meta, "as it is");
	completer_offer(c, "{}", "no further members");
}

static void
messages(struct line_completer *c)
{
	static const struct worded words[] = {
		{ "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"ping\"}", "a request" },
		{ "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"tools/list\"}", "a request" },
		{ "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/roots/list_changed\"}",
		    "a notification" },
	};

	completer_offer_words(c, words, ARRAY_LEN(words));
}

/* ---- paths ---- */

struct folder_names {
	struct strings names;
	const char *prefix;
	bool only_folders;
};

static void
on_entry(void *user, const char *name, bool is_folder)
{
	struct folder_names *f = user;

	if (strncmp(name, f->prefix, strlen(f->prefix)) != 0 || (f->only_folders && !is_folder))
		return;
	if (name[0] != '.' || f->prefix[0] == '.')
		strings_take(&f->names, mem_printf("%s%s", name, is_folder ? "/" : ""));
}

static int
compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void
completer_offer_paths(struct line_completer *c, bool only_folders)
{
	const char *slash = strrchr(c->typed, '/');
	size_t len = slash ? (size_t)(slash + 1 - c->typed) : 0;
	char *folder = len ? mem_strndup(c->typed, len) : mem_strdup(".");
	struct folder_names f = { .prefix = c->typed + len, .only_folders = only_folders };

	if (c->wb->effects->list_folder && !c->loose)
		c->wb->effects->list_folder(c->wb->user, folder, on_entry, &f);
	if (f.names.len > 0)
		qsort(f.names.items, f.names.len, sizeof(*f.names.items), compare);
	for (size_t i = 0; i < f.names.len && completer_has_room(c); i++) {
		const char *name = f.names.items[i];
		char *path = mem_printf("%.*s%s", (int)len, c->typed, name);
		completer_offer(c, path, name[strlen(name) - 1] == '/' ? "folder" : "file");
		free(path);
	}
	strings_finish(&f.names);
	free(folder);
}

static void
paths(struct line_completer *c)
{
	completer_offer_paths(c, false);
}

static void
encodings_or_paths(struct line_completer *c)
{
	static const struct worded words[] = {
		{ "raw", "the file's text, whatever the schema says" },
		{ "base64", "the file's bytes, encoded" },
	};

	completer_offer_words(c, words, ARRAY_LEN(words));
	paths(c);
}

static void
journal_formats(struct line_completer *c)
{
	static const struct worded words[] = {
		{ "jsonl", "a message on each line" },
		{ "har", "for tools that read HTTP archives" },
		{ "curl", "the selected request as a command" },
		{ "--with-secrets", "secrets are not hidden" },
	};

	completer_offer_words(c, words, ARRAY_LEN(words));
}

static void
journal_formats_or_paths(struct line_completer *c)
{
	char *first = completer_argument(c, 0);

	if (strcmp(first, "--with-secrets") == 0)
		journal_formats(c);
	else
		paths(c);
	free(first);
}

static void
roots_or_paths(struct line_completer *c)
{
	const struct server *s = c->wb->ws.server;
	const struct strings *roots = s ? server_info(s)->roots : NULL;
	char *word = completer_argument(c, 0);

	if (strcmp(word, "remove") != 0)
		completer_offer_paths(c, true);
	else
		for (size_t i = 0; roots && i < roots->len; i++)
			completer_offer(c, roots->items[i], "root");
	free(word);
}

/* ---- the form ---- */

static const struct form *
shown_form(const struct line_completer *c)
{
	return c->wb->ws.desk ? c->wb->ws.desk->form : NULL;
}

static void
offer_field(struct line_completer *c, const struct field *field, const struct field_view *view)
{
	struct buf path = BUF_INIT, note = BUF_INIT;

	field_pointer(field, &path);
	bool top = view->parent && !field_view(view->parent).parent;
	bool plain = top && view->name && !strchr(view->name, ' ') && !strchr(view->name, '/') &&
		     !strchr(view->name, '.');
	field_facts(field, &note);
	if (view->description)
		buf_addf(&note, " · %.200s", view->description);
	if (!strchr(buf_text(&path), ' '))
		completer_offer(
		    c, plain && c->typed[0] != '/' ? view->name : buf_text(&path), buf_text(&note));
	buf_finish(&path);
	buf_finish(&note);
}

static void
fields(struct line_completer *c)
{
	const struct form *form = shown_form(c);

	for (size_t i = 0; form && i < form_row_count(form) && completer_has_room(c); i++) {
		struct form_row row = form_row_at(form, i);
		if (row.kind == FORM_ROW_FIELD)
			offer_field(c, row.field, &row.view);
	}
}

static void
offer_default(struct line_completer *c, const cJSON *value)
{
	enum { LONGEST = 500 };
	struct buf text = { .max = LONGEST };

	json_print(&text, value);
	if (!text.overflowed)
		completer_offer(c, buf_text(&text), "default");
	buf_finish(&text);
}

/* By their labels, with the value that is sent. */
static void
offer_choices(struct line_completer *c, const struct field *field, size_t count)
{
	struct buf label = BUF_INIT, note = BUF_INIT;

	for (size_t i = 0; i < count && completer_has_room(c); i++) {
		struct choice choice = field_choice(field, i);
		buf_clear(&label);
		buf_clear(&note);
		field_choice_label(field, i, &label);
		field_choice_value(field, i, &note);
		if (choice.description)
			buf_addf(&note, "%s%.200s", note.len ? " · " : "", choice.description);
		completer_offer(c, buf_text(&label), buf_text(&note));
	}
	buf_finish(&label);
	buf_finish(&note);
}

static void
settings(struct line_completer *c)
{
	const struct setting_info *setting;

	for (size_t i = 0; (setting = c->wb->effects->setting(c->wb->user, i)); i++)
		completer_offer(c, setting->name, setting->help);
}

static void
fields_or_settings(struct line_completer *c)
{
	fields(c);
	settings(c);
}

/* Words to choose from are in lower case: "auto|cells". */
static void
setting_values(struct line_completer *c, const char *name)
{
	const struct setting_info *setting;

	if (strcmp(name, "theme") == 0)
		themes(c);
	for (size_t i = 0; (setting = c->wb->effects->setting(c->wb->user, i)); i++) {
		const char *values = setting->values;
		if (strcmp(setting->name, name) != 0 || *values < 'a')
			continue;
		for (size_t len; *values; values += len + (values[len] == '|')) {
			len = strcspn(values, "|");
			char *value = mem_strndup(values, len);
			completer_offer(c, value, setting->help);
			free(value);
		}
	}
}

static void
field_values(struct line_completer *c)
{
	const struct form *form = shown_form(c);
	char *name = completer_argument(c, 0);
	const struct field *field = form ? form_find(form, name) : NULL;
	struct field_view view = field ? field_view(field) : (struct field_view){ 0 };
	const char *example;

	if (!field)
		setting_values(c, name);
	free(name);
	if (!field)
		return;
	offer_choices(c, field, view.choice_count);
	if (view.schema_kind == FIELD_BOOLEAN) {
		completer_offer(c, "true", NULL);
		completer_offer(c, "false", NULL);
	}
	if (field_default(field) && view.choice_count == 0)
		offer_default(c, field_default(field));
	for (size_t i = 0; (example = field_example(field, i)) && completer_has_room(c); i++)
		completer_offer(c, example, "example");
	for (size_t i = 0; i < view.variant_count; i++)
		completer_offer(c, field_variant_name(field, i), "variant");
	if (view.nullable)
		completer_offer(c, "null", NULL);
}

/* ---- which command takes which ---- */

static void
journals(struct line_completer *c)
{
	static const struct worded words[] = {
		{ "server", "messages between mcpane and the server" },
		{ "bridge", "messages between the app and mcpane" },
	};

	completer_offer_words(c, words, ARRAY_LEN(words));
}

/* "global" and the names of panes and views. */
static void
contexts(struct line_completer *c)
{
	const struct command_info *info;
	const char *last = "";

	completer_offer(c, KEYMAP_GLOBAL, "in every pane");
	for (size_t i = 0; (info = workbench_command_info(i)); i++)
		if (strcmp(info->context, KEYMAP_GLOBAL) != 0 && strcmp(info->context, last) != 0)
			completer_offer(c, last = info->context, NULL);
}

/* The calls of the server shown, newest first. */
static void
calls(struct line_completer *c)
{
	const struct server *s = c->wb->ws.server;
	char id[24];

	for (size_t i = s ? server_info(s)->calls : 0; i-- > 0 && completer_has_room(c);) {
		const struct call *call = server_call_at(s, i);
		snprintf(id, sizeof(id), "#%llu", (unsigned long long)call->id);
		completer_offer(c, id, call->key);
	}
}

static const struct argument_source sources[] = {
	{ "pane", 0, panes },
	{ "theme", 0, themes },
	{ "pictures", 0, picture_words },
	{ "layout", 0, layout_words },
	{ "decline", 0, without_asking },
	{ "dismiss", 0, without_asking },
	{ "bind", 0, contexts },
	{ "unbind", 0, contexts },
	{ "lens", 0, lens_names },
	{ "era", 0, eras },
	{ "next-journal", 0, journals },
	{ "app-shot", 0, paths },
	{ "log", 0, log_levels },
	{ "timeout", 0, times },
	{ "save-block", 1, paths },
	{ "set", 0, fields_or_settings },
	{ "set", 1, field_values },
	{ "argument", 0, fields },
	{ "edit", 0, fields },
	{ "file", 0, fields },
	{ "file", 1, encodings_or_paths },
	{ "file", 2, paths },
	{ "export", 0, formats },
	{ "export", 1, paths },
	{ "export!", 0, formats },
	{ "export!", 1, paths },
	{ "field", 0, fields },
	{ "each", 0, fields },
	{ "export-journal", 0, journal_formats },
	{ "export-journal", 1, journal_formats_or_paths },
	{ "export-journal", 2, paths },
	{ "write", 0, paths },
	{ "dump", 0, paths },
	{ "run", 0, paths },
	{ "walk", 0, paths },
	{ "edit-recipe", 0, paths },
	{ "diff", 0, calls },
	{ "diff", 1, calls },
	{ "root", 0, root_words },
	{ "root", 1, roots_or_paths },
	{ "meta", 0, metas },
	{ "send", 0, messages },
	{ "send!", 0, messages },
	{ "send-again!", 0, messages },
	{ "grow", 0, cells },
	{ "shrink", 0, cells },
	{ "palette", 0, kinds },
	{ "next-problem", 0, problems },
	{ "terminal", 0, paths },
	{ "terminal", 1, paths },
	{ "send-key", 0, sent_keys },
	{ NULL, 0, NULL },
};

static const struct argument_source *const tables[] = { sources, value_sources, server_sources,
	filter_sources, app_sources };

/* The last argument that has a row may hold blanks. */
static size_t
last_argument(const char *command)
{
	size_t last = 0;

	for (size_t i = 0; i < ARRAY_LEN(tables); i++)
		for (const struct argument_source *s = tables[i]; s->command; s++)
			if (strcmp(s->command, command) == 0 && s->nth > last)
				last = s->nth;
	return last;
}

void
complete_argument(struct line_completer *c, const char *command)
{
	size_t last = last_argument(command), nth = 0;

	for (c->typed = c->arguments; nth < last && strchr(c->typed, ' '); nth++) {
		c->typed += strcspn(c->typed, " ");
		c->typed += strspn(c->typed, " ");
	}
	const char *typed = c->typed;
	for (size_t i = 0; i < ARRAY_LEN(tables); i++)
		for (const struct argument_source *s = tables[i]; s->command; s++) {
			if (strcmp(s->command, command) != 0 || s->nth != nth)
				continue;
			c->typed = typed; /* a source may complete a part of it */
			s->source(c);
		}
}

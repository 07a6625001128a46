/* SPDX-License-Identifier: MIT */
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

/* Arguments that are fixed words. */
/* clang-format off */
static const struct {
	const char *commands; /* with blanks between */
	size_t nth;
	const char *value, *note;
} fixed_words[] = {
	{ "era", 0, "auto", "the newest that the server speaks" },
	{ "era", 0, "modern", "2026-07-28" },
	{ "era", 0, "legacy", "2025-11-25 and before" },
	{ "decline dismiss", 0, "now", "without asking first" },
	{ "layout", 0, "auto", "by the width of the screen" },
	{ "layout", 0, "one", "one column of panes next to the list" },
	{ "layout", 0, "two", "two columns of panes next to the list" },
	{ "pictures", 0, "auto", "the graphics that the terminal reports" },
	{ "pictures", 0, "cells", "in characters, two pixels each" },
	{ "pictures", 0, "kitty", "by kitty's graphics protocol" },
	{ "pictures", 0, "sixel", "as sixels" },
	{ "timeout", 0, "500ms", "half a second" },
	{ "timeout", 0, "30s", "30 seconds" },
	{ "timeout", 0, "5m", "5 minutes" },
	{ "send-key", 0, "ctrl-]", "the key that leaves the keyboard to mcpane" },
	{ "send-key", 0, "ctrl-\\", "SIGQUIT for most programs" },
	{ "send-key", 0, "f12", "or another key by its name" },
	{ "root", 0, "add", "a folder or file to those sent to the server" },
	{ "root", 0, "remove", "one of them" },
	{ "grow shrink", 0, "1", "a row or column" },
	{ "grow shrink", 0, "5", "five" },
	{ "grow shrink", 0, "10", "ten" },
	{ "next-problem", 0, "first", "the first one of the form" },
	{ "send send! send-again!", 0, "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"ping\"}", "a request" },
	{ "send send! send-again!", 0, "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"tools/list\"}", "a request" },
	{ "send send! send-again!", 0, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/roots/list_changed\"}", "a notification" },
	{ "next-journal", 0, "server", "messages between mcpane and the server" },
	{ "next-journal", 0, "bridge", "messages between the app and mcpane" },
	{ "file", 1, "raw", "the file's text, regardless of the schema" },
	{ "file", 1, "base64", "the file's bytes, encoded" },
	{ "export-journal", 0, "jsonl", "a message on each line" },
	{ "export-journal", 0, "har", "for tools that read HTTP archives" },
	{ "export-journal", 0, "curl", "the selected request as a command" },
	{ "export-journal", 0, "--with-secrets", "secrets are not hidden" },
	{ "app", 0, "full", "on the whole screen" },
	{ "app", 0, "close", "end it, and show the result" },
	{ "app-look", 0, "cell", "each character of the page has its own cell" },
	{ "app-look", 0, "fit", "with the fonts of the app" },
	{ "app-look", 0, "pixels", "as a picture" },
	{ "app-context", 0, "theme", "dark or light" },
	{ "app-context", 0, "size", "of the page, in cells: 80x24" },
	{ "app-context", 0, "locale", "of the user: de-AT" },
	{ "app-context", 0, "display", "inline, fullscreen or pip" },
	{ "app-context", 0, "reset", "the truth" },
	{ "reload-app", 0, "strict", "that of the specification" },
	{ "reload-app", 0, "lax", "with eval, as in the basic host of the specification's repository" },
	{ "time-line", 0, "start", "before the first line" },
	{ "time-line", 0, "end", "all lines" },
	{ "time-line", 0, "play", "continues from here" },
	{ "time-line", 0, "pause", "stays here" },
	{ "time-line", 0, "+10", "ten lines on; +N" },
	{ "time-line", 0, "-10", "ten lines back; -N" },
	{ "earlier later", 0, "1", "line" },
	{ "earlier later", 0, "10", "lines" },
	{ "earlier later", 0, "100", "lines" },
	{ "record", 0, "stop", "write the recipe" },
	{ "record", 0, "cancel", "forget the recorded calls" },
	{ "record", 0, "session", "write what passes on the wire to a file" },
	{ "add!", 0, "{\"mcpServers\":{\"NAME\":{\"command\":\"\",\"args\":[]}}}", "as other clients have it" },
	{ "chart-style", 0, "braille", "eight dots in a cell" },
	{ "chart-style", 0, "blocks", "four quarters of a cell, for fonts without braille" },
	{ "chart-style", 0, "ascii", "signs that every terminal has" },
	{ "level", 0, "1", "the members of the value" },
	{ "level", 0, "2", "and their members" },
	{ "level", 0, "3", NULL },
	{ "level", 0, "4", NULL },
	{ "level", 0, "5", NULL },
	{ "diff-view", 0, "table", "rows side by side, changes in place" },
	{ "diff-view", 0, "tree", "by path" },
	{ "diff-view", 0, "text", "line by line" },
	{ "diff-view", 0, "definition", "the tools' definitions, in words" },
	{ "diff-part", 0, "structured", "structuredContent" },
	{ "diff-part", 0, "data", "data in the text" },
	{ "diff-part", 0, "content", "the text for a model" },
	{ "diff-part", 0, "whole", "the whole result" },
	{ "diff-key", 0, "-", "by the order of the rows" },
	{ "pass", 0, "value", "the selected cell or node" },
	{ "pass", 0, "rows", "the column in the selected rows" },
	{ "pass", 0, "column", "the column in all rows shown" },
	{ "pass", 0, "items", "the items of the selected array" },
	{ "call-each call-each!", 0, "failed", "those calls of the batch that failed or were stopped" },
};
/* clang-format on */

static bool
is_fixed_for(size_t row, const char *command)
{
	return keymap_has_context(fixed_words[row].commands, command);
}

static void
offer_fixed_words(struct line_completer *c, const char *command, size_t nth)
{
	for (size_t i = 0; i < ARRAY_LEN(fixed_words); i++)
		if (fixed_words[i].nth == nth && is_fixed_for(i, command))
			completer_offer(c, fixed_words[i].value, fixed_words[i].note);
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
log_levels(struct line_completer *c)
{
	for (int i = LOG_LEVEL_DEBUG; i < LOG_LEVELS; i++)
		completer_offer(
		    c, log_level_names[i], i == LOG_LEVEL_DEBUG ? "all messages" : "and above");
	completer_offer(c, log_level_names[LOG_LEVEL_NONE], "no messages");
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
journal_formats_or_paths(struct line_completer *c)
{
	char *first = completer_argument(c, 0);

	if (strcmp(first, "--with-secrets") == 0)
		offer_fixed_words(c, "export-journal", 0);
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
	if (field_default(field) && view.choice_count == 0) {
		enum { LONGEST = 500 };
		struct buf text = { .max = LONGEST };
		json_print(&text, field_default(field));
		if (!text.overflowed)
			completer_offer(c, buf_text(&text), "default");
		buf_finish(&text);
	}
	for (size_t i = 0; (example = field_example(field, i)) && completer_has_room(c); i++)
		completer_offer(c, example, "example");
	for (size_t i = 0; i < view.variant_count; i++)
		completer_offer(c, field_variant_name(field, i), "variant");
	if (view.nullable)
		completer_offer(c, "null", NULL);
}

/* ---- which command takes which ---- */

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
	{ "bind", 0, contexts },
	{ "unbind", 0, contexts },
	{ "lens", 0, lens_names },
	{ "app-shot", 0, paths },
	{ "log", 0, log_levels },
	{ "save-block", 1, paths },
	{ "set", 0, fields_or_settings },
	{ "set", 1, field_values },
	{ "argument", 0, fields },
	{ "edit", 0, fields },
	{ "file", 0, fields },
	{ "file", 1, paths },
	{ "file", 2, paths },
	{ "export", 0, formats },
	{ "export", 1, paths },
	{ "export!", 0, formats },
	{ "export!", 1, paths },
	{ "field", 0, fields },
	{ "each", 0, fields },
	{ "export-journal", 1, journal_formats_or_paths },
	{ "export-journal", 2, paths },
	{ "write", 0, paths },
	{ "dump", 0, paths },
	{ "run", 0, paths },
	{ "walk", 0, paths },
	{ "edit-recipe", 0, paths },
	{ "diff", 0, calls },
	{ "diff", 1, calls },
	{ "root", 1, roots_or_paths },
	{ "meta", 0, metas },
	{ "palette", 0, kinds },
	{ "terminal", 0, paths },
	{ "terminal", 1, paths },
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
	for (size_t i = 0; i < ARRAY_LEN(fixed_words); i++)
		if (fixed_words[i].nth > last && is_fixed_for(i, command))
			last = fixed_words[i].nth;
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
	offer_fixed_words(c, command, nth);
	for (size_t i = 0; i < ARRAY_LEN(tables); i++)
		for (const struct argument_source *s = tables[i]; s->command; s++) {
			if (strcmp(s->command, command) != 0 || s->nth != nth)
				continue;
			c->typed = typed; /* a source may complete a part of it */
			s->source(c);
		}
}

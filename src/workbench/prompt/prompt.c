/* SPDX-License-Identifier: MIT */
#include "workbench/commands/commands.h"

#include "base/mem.h"
#include "base/secret.h"
#include "base/units.h"
#include "base/vec.h"
#include "data/table_export.h"
#include "json/print.h"
#include "view/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The ":" line and its completions: whole lines, each with a note. */

enum { LINES_MAX = 1000, NOTE_BYTES = 200 };

void
completions_finish(struct completions *c)
{
	strings_finish(&c->lines);
	strings_finish(&c->notes);
}

bool
completer_has_room(const struct line_completer *c)
{
	return c->out->lines.len < LINES_MAX;
}

/* Loose: a few of its letters are typed, in their order. */
static bool
fits(const struct line_completer *c, const char *value)
{
	size_t len = strlen(c->typed);
	struct fuzzy letters;

	if (!c->loose)
		return strncmp(value, c->typed, len) == 0;
	fuzzy_init(&letters, c->typed, len);
	return fuzzy_match(&letters, value, strlen(value), NULL) > 0;
}

void
completer_offer(struct line_completer *c, const char *value, const char *note)
{
	if (!completer_has_room(c) || !fits(c, value))
		return;
	char *line = mem_printf("%.*s%s", (int)(c->typed - c->line), c->line, value);
	if (c->once && strings_have(&c->out->lines, line)) {
		free(line);
		return;
	}
	size_t len = note ? strcspn(note, "\n") : 0;
	strings_take(&c->out->lines, line);
	strings_take(
	    &c->out->notes, mem_strndup(note ? note : "", len < NOTE_BYTES ? len : NOTE_BYTES));
}

/* ---- values of arguments: each source offers those of one kind, with notes ---- */

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
	{ "copy-cell copy-value", 0, "row", "as JSON" },
	{ "copy-cell copy-value", 0, "column", "of the rows shown, a line for each" },
	{ "pass", 0, "value", "the selected cell or node" },
	{ "pass", 0, "rows", "the column in the selected rows" },
	{ "pass", 0, "column", "the column in all rows shown" },
	{ "pass", 0, "items", "the items of the selected array" },
	{ "call-each call-each!", 0, "failed", "those calls of the batch that failed or were stopped" },
};
/* clang-format on */

static void
offer_fixed_words(struct line_completer *c, const char *command, size_t nth)
{
	for (size_t i = 0; i < ARRAY_LEN(fixed_words); i++)
		if (fixed_words[i].nth == nth &&
		    keymap_has_context(fixed_words[i].commands, command))
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
compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void
completer_offer_paths(struct line_completer *c)
{
	const char *slash = strrchr(c->typed, '/');
	size_t len = slash ? (size_t)(slash + 1 - c->typed) : 0;
	char *folder = len ? mem_strndup(c->typed, len) : mem_strdup(".");
	struct folder_names f = { .prefix = c->typed + len, .only_folders = c->of == ONLY_FOLDERS };

	if (c->wb->effects->list_folder && !c->loose)
		c->wb->effects->list_folder(c->wb->user, folder, on_entry, &f);
	if (f.names.len > 0)
		qsort(f.names.items, f.names.len, sizeof(*f.names.items), compare_names);
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
journal_formats_or_paths(struct line_completer *c)
{
	char *first = completer_argument(c, 0);

	if (strcmp(first, "--with-secrets") == 0)
		offer_fixed_words(c, "export-journal", 0);
	else
		completer_offer_paths(c);
	free(first);
}

static void
roots_or_paths(struct line_completer *c)
{
	const struct server *s = c->wb->ws.server;
	const struct strings *roots = s ? server_info(s)->roots : NULL;
	char *word = completer_argument(c, 0);

	if (strcmp(word, "remove") != 0)
		completer_offer_paths(c);
	else
		for (size_t i = 0; roots && i < roots->len; i++)
			completer_offer(c, roots->items[i], "root");
	free(word);
}

/* ---- the form ---- */

static void
fields(struct line_completer *c)
{
	const struct form *form = c->wb->ws.desk ? c->wb->ws.desk->form : NULL;
	struct buf path = BUF_INIT, note = BUF_INIT;

	for (size_t i = 0; form && i < form_row_count(form) && completer_has_room(c); i++) {
		const struct form_row row = form_row_at(form, i);
		const char *name = row.view.name;
		if (row.kind != FORM_ROW_FIELD)
			continue;
		buf_clear(&path);
		buf_clear(&note);
		field_pointer(row.field, &path);
		field_facts(row.field, &note);
		if (row.view.description)
			buf_addf(&note, " · %.200s", row.view.description);
		bool top = row.view.parent && !field_view(row.view.parent).parent;
		bool plain = top && name && !strpbrk(name, " /.") && c->typed[0] != '/';
		if (!strchr(buf_text(&path), ' '))
			completer_offer(c, plain ? name : buf_text(&path), buf_text(&note));
	}
	buf_finish(&path);
	buf_finish(&note);
}

static void
fields_or_settings(struct line_completer *c)
{
	const struct setting_info *setting;

	fields(c);
	for (size_t i = 0; (setting = c->wb->effects->setting(i)); i++)
		completer_offer(c, setting->name, setting->help);
}

/* Words to choose from are in lower case: "auto|cells". */
static void
setting_values(struct line_completer *c, const char *name)
{
	const struct setting_info *setting;

	if (strcmp(name, "theme") == 0)
		themes(c);
	for (size_t i = 0; (setting = c->wb->effects->setting(i)); i++) {
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
	const struct form *form = c->wb->ws.desk ? c->wb->ws.desk->form : NULL;
	char *name = completer_argument(c, 0);
	const struct field *field = form ? form_find(form, name) : NULL;
	struct field_view view = field ? field_view(field) : (struct field_view){ 0 };
	struct buf label = BUF_INIT, note = BUF_INIT;
	const char *example;

	if (!field)
		setting_values(c, name);
	free(name);
	if (!field)
		return;
	for (size_t i = 0; i < view.choice_count && completer_has_room(c); i++) {
		struct choice choice = field_choice(field, i);
		buf_clear(&label);
		buf_clear(&note);
		field_choice_label(field, i, &label);
		field_choice_value(field, i, &note); /* that is sent */
		if (choice.description)
			buf_addf(&note, "%s%.200s", note.len ? " · " : "", choice.description);
		completer_offer(c, buf_text(&label), buf_text(&note));
	}
	buf_finish(&label);
	buf_finish(&note);
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
	{ "pane", 0, panes, 0 },
	{ "theme", 0, themes, 0 },
	{ "bind", 0, contexts, 0 },
	{ "unbind", 0, contexts, 0 },
	{ "app-shot", 0, completer_offer_paths, 0 },
	{ "save-block", 1, completer_offer_paths, 0 },
	{ "set", 0, fields_or_settings, 0 },
	{ "set", 1, field_values, 0 },
	{ "argument", 0, fields, 0 },
	{ "edit", 0, fields, 0 },
	{ "file", 0, fields, 0 },
	{ "file", 1, completer_offer_paths, 0 },
	{ "file", 2, completer_offer_paths, 0 },
	{ "export", 0, formats, 0 },
	{ "export", 1, completer_offer_paths, 0 },
	{ "export!", 0, formats, 0 },
	{ "export!", 1, completer_offer_paths, 0 },
	{ "field", 0, fields, 0 },
	{ "each", 0, fields, 0 },
	{ "export-journal", 1, journal_formats_or_paths, 0 },
	{ "export-journal", 2, completer_offer_paths, 0 },
	{ "write", 0, completer_offer_paths, 0 },
	{ "dump", 0, completer_offer_paths, 0 },
	{ "run", 0, completer_offer_paths, 0 },
	{ "walk", 0, completer_offer_paths, 0 },
	{ "edit-recipe", 0, completer_offer_paths, 0 },
	{ "diff", 0, calls, 0 },
	{ "diff", 1, calls, 0 },
	{ "root", 1, roots_or_paths, ONLY_FOLDERS },
	{ "meta", 0, metas, 0 },
	{ "terminal", 0, completer_offer_paths, 0 },
	{ "terminal", 1, completer_offer_paths, 0 },
	{ NULL, 0, NULL, 0 },
};

static const struct argument_source *const tables[] = { sources, word_sources };

static void
complete_argument(struct line_completer *c, const char *command)
{
	size_t last = 0, nth = 0; /* the last argument that has a row may hold blanks */

	for (size_t i = 0; i < ARRAY_LEN(tables); i++)
		for (const struct argument_source *s = tables[i]; s->command; s++)
			if (strcmp(s->command, command) == 0 && s->nth > last)
				last = s->nth;
	for (size_t i = 0; i < ARRAY_LEN(fixed_words); i++)
		if (fixed_words[i].nth > last &&
		    keymap_has_context(fixed_words[i].commands, command))
			last = fixed_words[i].nth;
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
			c->of = s->of;
			s->source(c);
		}
}

/* ---- the names of commands ---- */

bool
command_applies(struct workbench *wb, const struct command_info *info)
{
	static const char need_authorization[] = "authorize authorize-again copy-authorization-url "
						 "client-id forget-tokens forget-tokens!";
	static const char need_question[] =
	    "answer answer! decline dismiss open-url copy-url edit-answer edit-request sample";
	const struct server_info *server = wb->ws.server ? server_info(wb->ws.server) : NULL;

	if (info->alias_of)
		return false;
	if (keymap_has_context(need_authorization, info->name))
		return server && server->auth;
	if (keymap_has_context(need_question, info->name))
		return server && server->questions.len > 0;
	if (strcmp(info->context, KEYMAP_GLOBAL) == 0)
		return true;
	for (int i = 0; i < PANE_COUNT; i++) {
		const struct view *value = view_of_value(&wb->panes[i]);
		const char *of = info->of_view && value ? value->ops->title : pane_table[i].name;
		bool visible =
		    workbench_focused(wb) == (enum pane_id)i || wb->frame.layout.panes[i].width > 0;
		if (visible && strcmp(of, info->context) == 0)
			return true;
	}
	return false;
}

/* Offers the commands that apply now first, shortest first, so that the list needs no sort. */
static void
complete_command(struct line_completer *c)
{
	struct {
		const struct command_info **items;
		size_t len, cap;
	} fitting = { 0 };
	const struct command_info *info;
	size_t next;

	for (size_t i = 0; (info = workbench_command_info(i)); i++)
		if (fits(c, info->name))
			*VEC_PUSH(&fitting) = info;
	c->once = true; /* panes share names */
	for (int applying = 1; applying >= 0; applying--)
		for (size_t length = 0; length != SIZE_MAX; length = next) {
			next = SIZE_MAX;
			for (size_t i = 0; i < fitting.len; i++) {
				info = fitting.items[i];
				size_t n = *c->typed ? strlen(info->name) : 0;
				if (n > length && n < next)
					next = n;
				if (n == length && command_applies(c->wb, info) == applying)
					completer_offer(c, info->name, info->help);
			}
		}
	free(fitting.items);
}

void
complete(struct workbench *wb, const char *text, struct completions *out)
{
	text += strspn(text, " ");
	size_t len = strcspn(text, " ");
	struct line_completer c = { .wb = wb, .line = text, .typed = text, .out = out };
	const struct command_info *info;
	char command[COMMAND_NAME];

	workbench_sync(wb);
	snprintf(command, sizeof(command), "%.*s", (int)len, text);
	for (size_t i = 0; (info = workbench_command_info(i)); i++)
		if (info->alias_of && strcmp(info->name, command) == 0)
			snprintf(command, sizeof(command), "%s", info->alias_of);
	for (int loose = 0; loose < 2 && out->lines.len == 0; loose++) {
		c.loose = loose;
		c.arguments = text + len + strspn(text + len, " ");
		if (text[len] == ' ')
			complete_argument(&c, command);
		else
			complete_command(&c);
	}
}

size_t
complete_find(struct workbench *wb, const char *text, struct completions *out)
{
	struct line_completer c = {
		.wb = wb, .line = text, .arguments = text, .typed = text, .out = out
	};

	if (workbench_focused(wb) != PANE_tools) /* its filter finds names while they are typed */
		complete_argument(&c, "find");
	return (size_t)(c.typed - text);
}

const char *
completions_take(const struct completions *c, size_t *at, const char *text, int direction)
{
	const struct strings *lines = &c->lines;

	if (lines->len == 0)
		return NULL;
	if (strcmp(text, lines->items[*at]) == 0)
		*at = (*at + lines->len + (size_t)direction) % lines->len;
	return lines->items[*at];
}

/* ---- the line ---- */

#define HISTORY_MAX 200
#define MATCHES_SHOWN 8
enum { MATCHES_COLUMNS = 96, NOTE_X = 24 };

static void
renew_matches(struct workbench *wb)
{
	struct prompt *p = &wb->prompt;

	completions_finish(&p->matches);
	complete(wb, edit_text(&p->edit), &p->matches);
	p->match = 0;
}

void
prompt_open(struct workbench *wb, const char *text)
{
	wb->dialog = &dialog_prompt;
	wb->prompt.history_at = wb->prompt.history.len;
	edit_set(&wb->prompt.edit, text, strlen(text));
	renew_matches(wb);
}

static void
prompt_finish(struct workbench *wb)
{
	struct prompt *p = &wb->prompt;

	edit_finish(&p->edit);
	strings_finish(&p->history);
	completions_finish(&p->matches);
}

/* May contain a code or a client secret, even after an abbreviated command. */
static bool
may_hold_secret(const char *line)
{
	static const char *const private[] = { "authorize", "client-id" };
	const char *word = line + strspn(line, " \t:");
	size_t len = strcspn(word, " \t");
	bool argument = word[len + strspn(word + len, " \t")] != '\0', secret = false;
	struct buf hidden = BUF_INIT;

	for (size_t i = 0; i < ARRAY_LEN(private); i++)
		secret |= argument && strncmp(word, private[i], len) == 0;
	secret_hide_url(&hidden, line);
	secret |= strcmp(buf_text(&hidden), line) != 0;
	buf_finish(&hidden);
	return secret;
}

static void
prompt_accept(struct workbench *wb)
{
	struct strings *history = &wb->prompt.history;
	char *line = mem_strdup(edit_text(&wb->prompt.edit));
	bool again = history->len > 0 && strcmp(history->items[history->len - 1], line) == 0;
	bool empty = line[strspn(line, " ")] == '\0';

	wb->dialog = NULL;
	if (!empty && !again && !may_hold_secret(line)) {
		if (history->len == HISTORY_MAX)
			strings_remove(history, 0);
		strings_add(history, line);
	}
	if (!empty)
		workbench_run(wb, line, wb->now_us);
	free(line);
}

static bool
prompt_key(struct workbench *wb, const struct key *key)
{
	struct prompt *p = &wb->prompt;
	bool empty = edit_text(&p->edit)[0] == '\0', changed = false;

	if (dialog_closes(key) || (key->kind == KEY_BACKSPACE && empty)) {
		wb->dialog = NULL;
	} else if (key->kind == KEY_ENTER) {
		prompt_accept(wb);
	} else if (key->kind == KEY_TAB) {
		const char *line = completions_take(
		    &p->matches, &p->match, edit_text(&p->edit), key->mods & MOD_SHIFT ? -1 : 1);
		if (line)
			edit_set(&p->edit, line, strlen(line));
		if (line && p->matches.lines.len == 1)
			renew_matches(wb);
	} else if (key->kind == KEY_UP || key->kind == KEY_DOWN) {
		size_t at = p->history_at + (size_t)(key->kind == KEY_UP ? -1 : 1);
		const char *line = at < p->history.len ? p->history.items[at] : "";
		if (at > p->history.len)
			return true;
		p->history_at = at;
		edit_set(&p->edit, line, strlen(line));
		renew_matches(wb);
	} else if (edit_key(&p->edit, key, &changed) && changed) {
		renew_matches(wb);
	}
	return true;
}

/* Draws a line, its note, and the key of a command. */
static void
draw_match(struct workbench *wb, struct surface box, int y, const char *left, const char *note)
{
	struct style text = style_on(ROLE_TEXT, ROLE_DIALOG), dim = style_on(ROLE_DIM, ROLE_DIALOG);
	const char *context = workbench_contexts(wb, workbench_focused(wb));
	int x = surface_text(box, 0, y, box.width, text, left) + 2, end = box.width;
	char key[32];

	if (keymap_key_for(&wb->keymap, context, left, false, key, sizeof(key)))
		end -= 1 + surface_text_right(
			       box, box.width, y, -1, style_on(ROLE_BAR_KEY, ROLE_DIALOG), key);
	x = x < NOTE_X ? NOTE_X : x;
	surface_text(box, x, y, end - x, dim, note);
}

/* Appends the arguments and the description of the command, if the line begins with one. */
static void
add_usage(const char *line, struct buf *out)
{
	const struct command_info *info;

	line += strspn(line, " ");
	size_t len = strcspn(line, " ");
	for (size_t i = 0; line[len] && (info = workbench_command_info(i)); i++) {
		if (strncmp(info->name, line, len) == 0 && info->name[len] == '\0') {
			buf_addf(out, "%s %s · %s", info->name, info->args, info->help);
			return;
		}
	}
}

/* Draws a framed list above the line; without completions one line that names the arguments. */
static void
prompt_draw(struct workbench *wb, struct surface above, struct surface bar)
{
	const struct prompt *p = &wb->prompt;
	size_t count = p->matches.lines.len;
	int rows = (int)(count < MATCHES_SHOWN ? count : MATCHES_SHOWN);
	size_t first = p->match >= MATCHES_SHOWN ? p->match - MATCHES_SHOWN + 1 : 0;
	int width = above.width < MATCHES_COLUMNS ? above.width : MATCHES_COLUMNS;
	int height = rows ? rows + 2 : 1;
	struct buf usage = BUF_INIT, facts = BUF_INIT;

	surface_clear(bar, style_on(ROLE_TEXT, ROLE_BAR));
	surface_text(bar, 1, 0, 1, style_on(ROLE_BAR_KEY, ROLE_BAR), ":");
	edit_draw(&wb->prompt.edit, surface_sub(bar, 2, 0, bar.width - 3, 1),
	    style_on(ROLE_TEXT, ROLE_BAR), true, NULL);
	add_usage(edit_text(&p->edit), &usage);
	if (rows > 0)
		units_add_count(&facts, count);
	if (rows > 0 || usage.len > 0) {
		struct surface box = surface_sub(above, 0, above.height - height, width, height);
		surface_clear(box, style_on(ROLE_TEXT, ROLE_DIALOG));
		box = surface_frame(box, true, buf_text(&usage), buf_text(&facts), ROLE_DIM);
		for (int y = 0; y < rows && y < box.height; y++) {
			size_t i = first + (size_t)y;
			draw_match(
			    wb, box, y, p->matches.lines.items[i], p->matches.notes.items[i]);
			if (i == p->match)
				surface_select_row(box, y, true);
		}
		surface_scrollbar(box, true, count, first);
	}
	buf_finish(&usage);
	buf_finish(&facts);
}

const struct dialog dialog_prompt = {
	.key = prompt_key, .draw = prompt_draw, .finish = prompt_finish
};

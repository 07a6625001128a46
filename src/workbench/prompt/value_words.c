/* SPDX-License-Identifier: MIT */
#include "workbench/prompt/prompt.h"

#include "workbench/commands/commands.h"

#include "base/mem.h"
#include "base/vec.h"
#include "json/pointer.h"
#include "json/print.h"
#include "json/rows.h"
#include "client/call_code.h"
#include "data/chart.h"
#include "data/table.h"
#include "view/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Parts of the shown result: views, columns, rows, nodes, content blocks. */
enum { BRIEF_BYTES = 60, NODES_MAX = 5000 };

static void
views(struct line_completer *c)
{
	for (int i = 0; i < VIEW_COUNT; i++)
		completer_offer(c, value_views[i]->title, value_views[i]->help);
}

static void
kinds_of_chart(struct line_completer *c)
{
	for (int i = 0; i < CHART_KIND_COUNT; i++)
		completer_offer(c, chart_kinds[i].name, chart_kinds[i].help);
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

static void
columns(struct line_completer *c)
{
	columns_once(c, "", NULL);
}

/* `:sort a, b desc`: the last one is completed. */
static void
orders(struct line_completer *c)
{
	const char *comma = strrchr(c->typed, ',');

	c->typed = comma ? comma + 1 + strspn(comma + 1, " ") : c->typed;
	columns_once(c, "", NULL);
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
void
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

static void
parts(struct line_completer *c)
{
	completer_offer(c, "row", "as JSON");
	completer_offer(c, "column", "of the rows shown, a line for each");
}

/* ---- differences ---- */

/* ---- the next call ---- */

static void
code_formats(struct line_completer *c)
{
	completer_offer(c, "json", "the request with its reply");
	for (const struct call_code_format *f = call_code_formats; f->name; f++)
		completer_offer(c, f->name, f->title);
}

const struct argument_source value_sources[] = {
	{ "copy-as", 0, code_formats },
	{ "copy-call", 0, code_formats },
	{ "copy-cell", 0, parts },
	{ "diff-key", 0, columns },
	{ "view", 0, views },
	{ "sort", 0, orders },
	{ "column", 0, columns },
	{ "row", 0, rows },
	{ "sort-also", 0, columns },
	{ "frequency", 0, columns },
	{ "group", 0, columns },
	{ "select", 0, table_filter_words },
	{ "chart", 0, kinds_of_chart },
	{ "kind", 0, kinds_of_chart },
	{ "chart-x", 0, columns },
	{ "chart-y", 0, columns },
	{ "chart-y", 1, columns },
	{ "hide-column", 0, columns },
	{ "fold-column", 0, columns },
	{ "unfold-column", 0, columns },
	{ "freeze-column", 0, columns },
	{ "fit-column", 0, columns },
	{ "wrap-column", 0, columns },
	{ "wider", 0, columns },
	{ "narrower", 0, columns },
	{ "column-left", 0, columns },
	{ "column-right", 0, columns },
	{ "goto", 0, pointers },
	{ "copy-value", 0, parts },
	{ "data", 0, blocks },
	{ "block", 0, blocks },
	{ "save-block", 0, blocks },
	{ "play", 0, blocks },
	{ "open-block", 0, blocks },
	{ NULL, 0, NULL },
};

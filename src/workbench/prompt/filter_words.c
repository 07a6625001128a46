/* SPDX-License-Identifier: MIT */
#include "workbench/prompt/prompt.h"

#include "workbench/commands/commands.h"

#include "base/vec.h"
#include "mcp/content.h"
#include "client/filter.h"
#include "client/notices.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The words of a filter, `tool:list_users -status:ok`: the last one is completed. */

enum { ENTRIES_MAX = 2000 }; /* that are looked at for values, the newest ones */

static void
offer(struct line_completer *c, const struct filter_word *word, const char *value, const char *note)
{
	struct buf text = BUF_INIT;

	buf_addf(&text, "%s:%s", word->name, value);
	if (*value && !strchr(value, ' '))
		completer_offer(c, buf_text(&text), note);
	buf_finish(&text);
}

static void
offer_tools(struct line_completer *c, const struct filter_word *word)
{
	const struct server *s = c->wb->ws.server;
	const struct primitive_list *list = s ? &server_info(s)->lists[PRIMITIVE_TOOL].list : NULL;

	for (size_t i = 0; list && i < list->len && completer_has_room(c); i++)
		offer(c, word, list->items[i].name, list->items[i].title);
}

static void
offer_servers(struct line_completer *c, const struct filter_word *word)
{
	const struct workspace *ws = &c->wb->ws;

	for (size_t i = 0; i < ws->choice_count && completer_has_room(c); i++)
		offer(c, word, ws->choices[i].target->name, ws->choices[i].target->label);
}

static void
offer_methods(struct line_completer *c, const struct filter_word *word)
{
	const struct server *s = c->wb->ws.server;
	const struct journal *j = s ? server_info(s)->journal : NULL;
	size_t count = j ? journal_info(j)->count : 0;

	for (size_t i = 0; i < count && i < ENTRIES_MAX; i++) {
		const struct journal_entry *e = journal_at(j, count - 1 - i);
		if (e->method)
			offer(c, word, e->method, "in the journal");
	}
}

static void
offer_loggers(struct line_completer *c, const struct filter_word *word)
{
	const struct server *s = c->wb->ws.server;
	const struct logs *logs = s ? server_info(s)->logs : NULL;

	for (size_t i = 0; logs && i < logs->len && i < ENTRIES_MAX; i++) {
		const struct log_entry *e = &logs->items[logs->len - 1 - i];
		if (e->logger)
			offer(c, word, e->logger, "has logged");
	}
}

static void
offer_verdicts(struct line_completer *c, const struct filter_word *word)
{
	for (int i = 0; i < VERDICT_COUNT; i++)
		if (i != VERDICT_NONE)
			offer(c, word, verdict_looks[i].name, verdict_looks[i].text);
}

static void
offer_levels(struct line_completer *c, const struct filter_word *word)
{
	for (int i = LOG_LEVEL_DEBUG; i < LOG_LEVELS; i++)
		offer(c, word, log_level_names[i], "and worse");
}

static void
offer_states(struct line_completer *c, const struct filter_word *word)
{
	for (int i = 0; i < TASK_UNKNOWN; i++)
		offer(c, word, task_status_names[i], "state of a task");
}

static void
offer_values(struct line_completer *c, const struct filter_word *word)
{
	static const struct {
		const char *name;
		void (*offer)(struct line_completer *c, const struct filter_word *word);
	} rows[] = {
		{ "tool", offer_tools },
		{ "server", offer_servers },
		{ "method", offer_methods },
		{ "logger", offer_loggers },
		{ "verdict", offer_verdicts },
		{ "level", offer_levels },
		{ "state", offer_states },
	};
	const char *values = word->values ? word->values : "";

	while (*values) {
		char *value = strings_next_word(&values);
		offer(c, word, value, NULL);
		free(value);
	}
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (strcmp(rows[i].name, word->name) == 0)
			rows[i].offer(c, word);
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

static void
log_filters(struct line_completer *c)
{
	offer_filter(c, log_words);
}

static void
note_filters(struct line_completer *c)
{
	offer_filter(c, note_words);
}

static void
task_filters(struct line_completer *c)
{
	offer_filter(c, task_words);
}

static void
call_filters(struct line_completer *c)
{
	offer_filter(c, history_words);
}

/* Words for the filter of the pane in front; the tools pane filters by text, so names fit. */
static void
filters(struct line_completer *c)
{
	static const struct {
		enum pane_id pane;
		const struct filter_word *words;
	} rows[] = {
		{ PANE_journal, journal_words },
		{ PANE_logs, log_words },
		{ PANE_tasks, task_words },
		{ PANE_history, history_words },
		{ PANE_console, note_words },
	};
	enum pane_id front = workbench_focused(c->wb);

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (rows[i].pane == front)
			offer_filter(c, rows[i].words);
	if (front == PANE_structured)
		table_filter_words(c);
	const struct server *s = front == PANE_tools ? c->wb->ws.server : NULL;
	const struct primitive_list *list = s ? &server_info(s)->lists[c->wb->ws.tab].list : NULL;
	for (size_t i = 0; list && i < list->len && completer_has_room(c); i++)
		completer_offer(c, list->items[i].name, list->items[i].title);
}

const struct argument_source filter_sources[] = {
	{ "filter", 0, filters },
	{ "find", 0, filters },
	{ "filter-logs", 0, log_filters },
	{ "filter-tasks", 0, task_filters },
	{ "filter-calls", 0, call_filters },
	{ "filter-console", 0, note_filters },
	{ NULL, 0, NULL },
};

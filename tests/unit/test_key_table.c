/* SPDX-License-Identifier: MIT */
/*
 * A key means one thing in all panes: it runs one command, or commands that are declared here to be
 * one verb. docs/KEYS.md is the table of all keys; with GOLDEN=write it is rewritten.
 */
#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"
#include "one_stage.h"
#include "test.h"
#include "workbench/state.h"

#include <stdlib.h>
#include <string.h>

#define TABLE "docs/KEYS.md"

/* The commands on one key are summarized by a common verb. */
static const struct verb {
	const char *keys, *meaning, *commands; /* names, with blanks between and around them */
} verbs[] = {
	{ " enter ", "act on the selection",
	    " open activate follow detail jump open-message open-log open-task open-step "
	    "open-server read-skill open-finding open-note type-again type-into-app open-call "
	    "open-row open-change open-step-call press " },
	{ " f5 r ctrl-r ", "send: a call or an answer", " call answer call-again call-each " },
	{ " ctrl-e ", "edit in $EDITOR",
	    " edit edit-answer edit-file edit-message change-recipe " },
	{ " R ", "restart: the server, an app, a recipe, the authorization",
	    " restart start-again begin-again reload-app run-again " },
	{ " [ ", "go to the previous list, table, schema or question",
	    " previous-kind previous-table input-schema previous-question "
	    "previous-changed-table " },
	{ " ] ", "go to the next list, table, schema, question or journal",
	    " next-kind next-table output-schema next-question next-journal next-changed-table " },
	{ " n ", "go to the next match, link, problem or change",
	    " next-link next-problem finding next-change " },
	{ " N ", "go to the previous match, link or change", " previous-link previous-change " },
	{ " d ", "compare a result with the previous one, or two calls", " diff compare-calls " },
	{ " B ", "another part: structuredContent, the data in a text block", " data diff-part " },
	{ " u ", "undo: a change to the form, a mute, a selection of rows",
	    " undo unmute unselect " },
	{ " space ", "open, select or mark", " explain select-row mark-call " },
	{ " a ", "add", " add add-server " },
	{ " + ",
	    "one more: an item, a level of the log or the tree, columns, a series, a step; bigger",
	    " add log-more show-columns add-series unfold-level bigger one-step " },
	{ " - ", "one fewer: a level of the log or the tree, a column, a series; smaller",
	    " log-less hide-column remove-series fold-level smaller " },
	{ " b ", "fill in the arguments of an earlier call", " last fill-in " },
	{ " c ", "name: a property, a call of the history", " rename name-call " },
	{ " ! ", "freeze a column, pin a call; again to undo", " freeze-column pin-call " },
	{ " # ", "draw a chart; again for the next kind", " chart kind " },
	{ " { ", "move up or to the left: an item, a column", " move-up column-left " },
	{ " } ", "move down or to the right: an item, a column", " move-down column-right " },
	{ " backspace ", "back to the default: a field, the columns", " reset reset-columns " },
	{ " delete ctrl-k ", "remove the selected item",
	    " remove take-out forget-task forget drop-call " },
	{ " x ", "switch off or cancel the selected item",
	    " toggle-server cancel-task cancel-call stop-batch mute end-recipe " },
	{ " f ", "fetch: a file into the field, the state of a task, the entry of a skill",
	    " load-file ask-task get-skill " },
	{ " F ", "ask the server for a list", " list-tasks list-folder " },
	{ " O ", "agree", " agree approve-skill grant agree-step call-legacy " },
	{ " ctrl-] ", "toggle the keyboard between mcpane and a program or an app",
	    " leave-app leave-terminal " },
	{ " v ", "switch the view",
	    " view batch-view raw as-json as-meant field-json app-look diff-view " },
	{ " m ", "toggle the source: data, raw text, page, message, call",
	    " as-data text read-message app-source call-of-row " },
	{ " p ", "try it: see the JSON that is sent, hear the audio", " preview play " },
	{ " s ", "sort", " sort sort-costs " },
	{ " Y ", "copy the location: the URL for the browser, the path of a value",
	    " copy-address copy-path copy-change-path " },
	{ " y ", "copy",
	    " copy-page copy-link copy-value copy-message copy-log copy-task copy-steps "
	    "copy-skill copy-url copy-finding copy-lens copy-call copy-note copy-inspector "
	    "copy-as copy-cell copy-report copy-diff " },
};

/* The panes move by these themselves. Commands may have them only here. */
static const char moves[] = " up down pgup pgdn home end h j k g G 0 $ 1 2 3 4 5 6 7 8 9 ";
static const char *const own[][2] = { { "left", "" }, { "right", "enter" }, { "l", "enter" },
	{ "space", "explain select-row mark-call" }, { "esc", "back" } };

static bool
has_word(const char *words, const char *word, size_t len)
{
	for (const char *at = words; (at = strstr(at, word)); at++)
		if (at > words && at[-1] == ' ' && at[len] == ' ')
			return true;
	return false;
}

static bool
names(const char *words, const char *line)
{
	char *word = mem_strndup(line, strcspn(line, " "));
	bool found = has_word(words, word, strlen(word));

	free(word);
	return found;
}

static const struct verb *
verb_of(const char *key)
{
	for (size_t i = 0; i < ARRAY_LEN(verbs); i++)
		if (has_word(verbs[i].keys, key, strlen(key)))
			return &verbs[i];
	return NULL;
}

/* Return the first earlier row with the same key. */
static size_t
first_with(const struct keymap *km, size_t row)
{
	size_t i = 0;

	while (!key_equal(&km->items[i].key, &km->items[row].key))
		i++;
	return i;
}

static void
test_a_key_means_one_thing(void **state)
{
	const struct keymap *km = &stage.wb->keymap;
	char key[64];

	for (size_t i = 0; i < km->len; i++) {
		const struct keymap_row *row = &km->items[i];
		const struct keymap_row *first = &km->items[first_with(km, i)];
		key_to_name(&row->key, key, sizeof(key));
		const struct verb *verb = verb_of(key);
		if (strcmp(first->command, row->command) == 0 && !verb)
			continue;
		if (!verb)
			fail_msg("%s is %s in %s, but %s in %s", key, first->command,
			    first->context, row->command, row->context);
		if (!names(verb->commands, row->command))
			fail_msg("%s means: %s; but in %s it is %s", key, verb->meaning,
			    row->context, row->command);
	}
}

/* A declared verb has all its commands, on each of its keys or on one. */
static void
test_verbs_are_used(void **state)
{
	const struct keymap *km = &stage.wb->keymap;
	char key[64];

	for (const struct verb *v = verbs; v < verbs + ARRAY_LEN(verbs); v++) {
		char *rest = mem_strdup(v->commands);
		for (size_t i = 0; i < km->len; i++) {
			key_to_name(&km->items[i].key, key, sizeof(key));
			char *at = strstr(rest, km->items[i].command);
			if (at && has_word(v->keys, key, strlen(key)))
				memset(at, ' ', strcspn(at, " "));
		}
		if (rest[strspn(rest, " ")])
			fail_msg("not on %s: %s", v->keys, rest);
		free(rest);
	}
}

static void
test_moving_is_no_command(void **state)
{
	const struct keymap *km = &stage.wb->keymap;
	char key[64];

	for (size_t i = 0; i < km->len; i++) {
		key_to_name(&km->items[i].key, key, sizeof(key));
		bool wrong = has_word(moves, key, strlen(key));
		for (size_t k = 0; k < ARRAY_LEN(own); k++)
			wrong |=
			    strcmp(own[k][0], key) == 0 && !strstr(own[k][1], km->items[i].command);
		if (wrong)
			fail_msg("%s moves, but is %s in %s", key, km->items[i].command,
			    km->items[i].context);
	}
}

/* Terminals and desktops take F keys for themselves. No letter turns a question down, but buttons
 * do, too. */
static void
test_function_keys_have_twins(void **state)
{
	const struct keymap *km = &stage.wb->keymap;

	for (size_t i = 0; i < km->len; i++) {
		const struct keymap_row *row = &km->items[i];
		bool twin = row->key.kind != KEY_F || strcmp(row->command, "decline") == 0 ||
			    strcmp(row->command, "dismiss") == 0;
		for (size_t k = 0; k < km->len; k++)
			twin |= km->items[k].key.kind == KEY_CHAR && km->items[k].key.mods == 0 &&
				strcmp(km->items[k].context, row->context) == 0 &&
				strcmp(km->items[k].command, row->command) == 0;
		if (!twin)
			fail_msg("F%u has no twin for %s", (unsigned)row->key.ch, row->command);
	}
}

/* A key is bound to the command, whatever name of it was given. */
static void
test_resolves_names(void **state)
{
	static const char *const cases[][3] = {
		{ "bind global f11 palett red", "f11", "palette red" },
		{ "bind global f11 wire", "f11", "journal" },
		{ "bind global f11 :form", "f11", "pane form" },
	};
	struct key key;

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		assert_true(workbench_bind(stage.wb, cases[i][0], NULL));
		assert_true(key_from_name(&key, cases[i][1]));
		assert_true(keymap_runs(&stage.wb->keymap, KEYMAP_GLOBAL, &key, cases[i][2]));
	}
}

/* ---- the table ---- */

static const char *
help_of(const struct keymap_row *row)
{
	const struct command_info *info;
	size_t len = strcspn(row->command, " ");

	for (int global = 0; global < 2; global++)
		for (size_t i = 0; (info = workbench_command_info(i)); i++)
			if (strncmp(info->name, row->command, len) == 0 &&
			    info->name[len] == '\0' &&
			    strcmp(info->context, global ? KEYMAP_GLOBAL : row->context) == 0)
				return info->help;
	fail_msg("no command is named %s", row->command);
	return "";
}

/* "`sort` in table", once for each command and place. */
static void
add_places(const struct keymap *km, size_t first, struct buf *out)
{
	size_t start = out->len;

	for (size_t i = first; i < km->len; i++) {
		const struct keymap_row *row = &km->items[i];
		if (!key_equal(&row->key, &km->items[first].key))
			continue;
		buf_addf(out, "%s`%s`", out->len > start ? ", " : "", row->command);
		if (strcmp(row->context, KEYMAP_GLOBAL) != 0)
			buf_addf(out, " in %s", row->context);
	}
}

static void
test_table(void **state)
{
	const struct keymap *km = &stage.wb->keymap;
	const char *golden = getenv("GOLDEN");
	struct buf out = BUF_INIT, file = BUF_INIT;
	struct err err;
	char name[64], label[64];

	buf_add_str(&out,
	    "# Keys\n\nKeys mean the same in every pane. `make golden` writes this table from the\n"
	    "program; keys can be rebound, see mcpane(5). A command without a place works\n"
	    "everywhere. Arrows or `hjkl`, `PgUp`, `PgDn`, `Home`, `End`, `g` and `G` move; `→`\n"
	    "goes from the list into the form, `←` back from a left edge; `Space` opens, folds or\n"
	    "chooses; `0` and `$` go to the first and last column; digits show servers.\n"
	    "Letters are text in a form: commands there have F, Alt and Ctrl keys, or press `Esc`\n"
	    "first.\n\n| key | meaning | commands |\n|---|---|---|\n");
	for (size_t i = 0; i < km->len; i++) {
		if (first_with(km, i) != i)
			continue;
		key_to_name(&km->items[i].key, name, sizeof(name));
		key_to_label(&km->items[i].key, label, sizeof(label));
		const struct verb *verb = verb_of(name);
		buf_addf(
		    /* in a table of Markdown | ends the cell, in code too */
		    &out, "| `%s%s` | %s | ", *label == '|' ? "\\" : "", label,
		    verb ? verb->meaning : help_of(&km->items[i]));
		add_places(km, i, &out);
		buf_add_str(&out, " |\n");
	}
	bool same =
	    path_read_file(TABLE, &file, &err) && strcmp(buf_text(&file), buf_text(&out)) == 0;
	if (!same && golden && strcmp(golden, "write") == 0)
		same = path_write_file(TABLE, buf_text(&out), out.len, &err);
	if (!same)
		fail_msg(TABLE " is out of date: run make golden");
	buf_finish(&file);
	buf_finish(&out);
}

TEST_FILE(key_table)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
		    test_a_key_means_one_thing, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(test_verbs_are_used, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_moving_is_no_command, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_function_keys_have_twins, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(test_resolves_names, stage_set_up, stage_tear_down),
		cmocka_unit_test_setup_teardown(test_table, stage_set_up, stage_tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

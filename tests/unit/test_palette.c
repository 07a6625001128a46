/* SPDX-License-Identifier: MIT */
/* Ctrl-P: the order of matches, the effect of Enter and Tab, and the stored use. */
#include "base/vec.h"
#include "base/mem.h"
#include "measure.h"
#include "client/history.h"
#include "one_stage.h"
#include "test.h"
#include "workbench/state.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

static const struct palette_item *
row_at(size_t row)
{
	const struct palette *p = &stage.wb->palette;

	return row < p->best_count ? &p->all.items[p->best[row].item] : NULL;
}

static const char *
line_at(size_t row)
{
	return row_at(row) ? palette_text(&stage.wb->palette, row_at(row)->line) : "";
}

static void
search(const char *typed)
{
	stage_keys(&stage, "ctrl-p");
	stage_type(&stage, typed);
}

static void
test_first_found(void **state)
{
	static const struct {
		const char *typed, *line;
	} rows[] = {
		{ "call", "call" },
		{ "lu", "tool list_users" },
		{ "list us", "tool list_users" },
		{ "jrn", "journal" },
		{ "wire", "journal" },
		{ "journal", "journal" },
		{ "schema", "definition" },
		{ "definition", "definition" },
		{ "structured", "pane structured" },
		{ "structuredC", "pane structured" },
		{ "nord", "theme nord" },
		{ "theme li", "theme light" },
		{ "sun", "theme evening sun" }, /* of the user */
		{ "skill tamp", "skill skill://odd/tampered-notes/SKILL.md" },
		{ "users.json", "resource demo://users.json" },
		{ "reset size", "fit" }, /* found by its description */
		{ "letter every", "pick" },
		{ "demo", "server demo" },
		{ "zqx", "" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		search(rows[i].typed);
		if (strcmp(line_at(0), rows[i].line) != 0)
			fail_msg("%s finds %s", rows[i].typed, line_at(0));
		stage_keys(&stage, "esc");
	}
}

/* Each letter searches the result of the letters before it; one that goes away, everything. */
static void
test_a_letter_less(void **state)
{
	const struct palette *p = &stage.wb->palette;

	search("us");
	size_t found = p->found.len;
	stage_type(&stage, "ers.j");
	assert_int_equal(p->found.len, 1);
	stage_keys(&stage, "backspace backspace backspace backspace backspace");
	assert_int_equal(p->found.len, found);
	stage_keys(&stage, "ctrl-u");
	assert_int_equal(p->found.len, p->all.len);
}

static void
test_enter_and_tab(void **state)
{
	search("bad_r");
	stage_keys(&stage, "enter");
	assert_string_equal(workspace_primitive(workbench_workspace(stage.wb))->name, "bad_rows");
	see_not("Find anything");
	search("expo"); /* it lacks its arguments */
	stage_keys(&stage, "enter");
	assert_string_equal(edit_text(&stage.wb->prompt.edit), "export ");
	stage_keys(&stage, "esc");
	search("list_us");
	stage_keys(&stage, "tab");
	see(":tool list_users\n");
	stage_keys(&stage, "esc");
	search("restart"); /* an optional argument is not a missing one */
	stage_keys(&stage, "tab");
	assert_string_equal(edit_text(&stage.wb->prompt.edit), "restart ");
	stage_keys(&stage, "esc");
	search("zoom");
	stage_keys(&stage, "enter");
	assert_true(stage.wb->zoomed);
	assert_true(stage_run(&stage, "palette nor"));
	assert_string_equal(line_at(0), "theme nord");
}

static void
test_moving(void **state)
{
	struct palette *p = &stage.wb->palette;

	search("e");
	stage_keys(&stage, "down down ctrl-n up");
	assert_int_equal(p->list.selected, 2);
	stage_keys(&stage, "ctrl-p pgdn");
	assert_true(p->list.selected > 10);
	stage_type(&stage, "r");
	assert_int_equal(p->list.selected, 0);
	stage_text(&stage);
	const char *line = line_at(2);
	assert_string_equal(line, "previous-error");
	stage_click(&stage, p->box.x + 5, p->y + 2);
	assert_null(stage.wb->dialog);
	assert_string_equal(workbench_message(stage.wb), "no violation to go to");
	search("e");
	stage_text(&stage);
	stage_click(&stage, 0, 3);
	assert_null(stage.wb->dialog);
}

static void
test_theme_is_shown_before_it_is_set(void **state)
{
	search("theme no");
	assert_string_equal(stage.preview, "nord");
	stage_keys(&stage, "down");
	assert_string_not_equal(stage.preview, "nord");
	stage_keys(&stage, "up");
	assert_string_equal(stage.preview, "nord");
	stage_keys(&stage, "esc");
	assert_string_equal(stage.preview, "");
	assert_string_equal(stage.theme, "");
	search("theme nor");
	stage_type(&stage, "x");
	assert_string_equal(stage.preview, "");
	stage_keys(&stage, "backspace enter");
	assert_string_equal(stage.preview, "");
	assert_string_equal(stage.theme, "nord");
}

/* Those in the user's folder, too. */
static void
test_theme_of_the_user(void **state)
{
	size_t nords = 0;

	search("theme");
	for (size_t i = 0; row_at(i); i++)
		nords += strcmp(line_at(i), "theme nord") == 0;
	assert_int_equal(nords, 1);
	stage_keys(&stage, "esc");
	search("even");
	assert_string_equal(stage.preview, "evening sun");
	see("in your folder of themes");
	stage_keys(&stage, "enter");
	assert_string_equal(stage.theme, "evening sun");
}

static void
test_skills(void **state)
{
	search("tampered");
	see("Summarize the notes of a meeting");
	stage_keys(&stage, "enter");
	see("▌· tampered-notes");
	see("╭ skills ");
	stage_keys(&stage, "/");
	stage_type(&stage, "daily");
	stage_keys(&stage, "enter");
	see_not("explain-verdict");
	assert_true(stage_run(&stage, "skill explain-verdict")); /* the filter hides it */
	see("▌· explain-verdict");
	assert_false(stage_run(&stage, "skill none"));
	see("the server lists no such skill");
}

/* The description of a row is cut only by its key and the frame. */
static void
test_room_for_what_rows_do(void **state)
{
	search("copy-author");
	see("copy the URL for the browser");
	stage_keys(&stage, "esc");
	search("add");
	see("add a server to your configuration; or [NAME] URL");
	stage_keys(&stage, "esc");
	stage_resize(&stage, 200, 50);
	search("add");
	see("another client's JSON, or its `mcp add` comman");
}

static void
test_use_decides_between_equals(void **state)
{
	struct buf kept = BUF_INIT;

	search("next-");
	assert_string_not_equal(line_at(0), "next-link");
	stage_keys(&stage, "esc");
	search("next-link");
	stage_keys(&stage, "enter");
	search("next-");
	assert_string_equal(line_at(0), "next-link");
	stage_keys(&stage, "esc");
	search("nested");
	stage_keys(&stage, "enter");
	search("");
	assert_string_equal(line_at(0), "tool nested");
	stage_keys(&stage, "esc");
	workbench_add_uses(stage.wb, &kept);
	assert_string_equal(buf_text(&kept), "1 tool nested\n1 next-link\n");
	buf_finish(&kept);
}

/* The file may hold anything. */
static void
test_uses_are_read_with_care(void **state)
{
	struct buf text = BUF_INIT, kept = BUF_INIT;

	buf_add_str(&text, "3 call\nx\n-1 tool a\n0 tool b\n\n2 \n5 call\n2 tool \033[2J\n"
			   "1 resource http://x/?token=abc\n");
	for (int i = 0; i < 400; i++)
		buf_add_char(&text, 'x');
	buf_add_str(&text, "\n9999 tool c\n7 theme nord");
	workbench_load_uses(stage.wb, buf_text(&text));
	workbench_add_uses(stage.wb, &kept);
	assert_string_equal(buf_text(&kept), "3 call\n7 theme nord\n");
	search("");
	assert_string_equal(line_at(0), "theme nord"); /* more often */
	assert_string_equal(line_at(1), "call");
	stage_keys(&stage, "esc");
	buf_clear(&text);
	buf_clear(&kept);
	for (int i = 0; i < 2 * USES_MAX; i++)
		buf_addf(&text, "1 tool t%d\n", i);
	workbench_load_uses(stage.wb, buf_text(&text));
	uses_note(&stage.wb->uses, "tool t5");
	uses_note(&stage.wb->uses, "tool new");
	uses_note(&stage.wb->uses, "resource http://x/?token=abc");
	workbench_add_uses(stage.wb, &kept);
	assert_int_equal(stage.wb->uses.len, USES_MAX);
	assert_ptr_equal(
	    strstr(buf_text(&kept), "1 tool new\n2 tool t5\n1 tool t0\n"), buf_text(&kept));
	buf_finish(&text);
	buf_finish(&kept);
}

/* The largest list of tools: prints the time per key; the work is the same for all. */
static void
test_ten_thousand_tools(void **state)
{
	enum { TOOLS = 10000 };
	static const char typed[] = "tool_9876_get";
	struct buf members = BUF_INIT;
	struct samples times = { 0 };

	buf_add_str(&members, "\"result\":{\"tools\":[");
	for (int i = 0; i < TOOLS; i++)
		buf_addf(&members,
		    "%s{\"name\":\"tool_%d_get_the_entries\",\"description\":\"Returns the entries "
		    "of "
		    "the number given\",\"inputSchema\":{\"type\":\"object\"}}",
		    i ? "," : "", i);
	buf_add_str(&members, "]}");
	stage_answer(&stage, buf_text(&members));
	stage_run(&stage, "relist");
	stage_settle(&stage, 1000);
	buf_finish(&members);
	stage_text(&stage);
	double start = measure_now_ms();
	stage_keys(&stage, "ctrl-p");
	print_message("the index of 10 000 tools: %.2f ms\n", measure_now_ms() - start);
	assert_true(stage.wb->palette.all.len > TOOLS);
	for (size_t i = 0; typed[i]; i++) {
		struct key key = { .kind = KEY_CHAR, .ch = (unsigned char)typed[i] };
		start = measure_now_ms();
		workbench_key(stage.wb, &key, stage.now_us);
		workbench_draw(stage.wb, &stage.grid, stage.now_us);
		samples_add(&times, measure_now_ms() - start);
		print_message("%c: %.2f ms, %zu found\n", typed[i], times.values[i],
		    stage.wb->palette.found.len);
	}
	assert_int_equal(stage.wb->palette.best_count, 1);
	assert_string_equal(line_at(0), "tool tool_9876_get_the_entries");
	assert_int_equal(stage.wb->palette.found.len, 1);
	assert_int_equal(times.count, sizeof(typed) - 1);
	stage_keys(&stage, "esc :");
	for (const char *c = "tool tool_98"; *c; c++) {
		struct key key = { .kind = KEY_CHAR, .ch = (unsigned char)*c };
		start = measure_now_ms();
		workbench_key(stage.wb, &key, stage.now_us);
		workbench_draw(stage.wb, &stage.grid, stage.now_us);
		print_message("after the colon %c: %.2f ms\n", *c, measure_now_ms() - start);
	}
	assert_int_equal(stage.wb->prompt.matches.lines.len, 111);
}

static void
test_other_names(void **state)
{
	static const struct {
		const char *typed;
		enum pane_id pane;
	} rows[] = {
		{ "journal", PANE_journal },
		{ "definition", PANE_schema },
		{ "wire", PANE_journal },
		{ "schema", PANE_schema },
		{ "form", PANE_form },
		{ "structuredContent", PANE_structured },
		{ "pane structuredContent", PANE_structured },
		{ "pane Tools", PANE_tools },
		{ "pane definition", PANE_schema },
		{ "servers", PANE_servers },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		stage_run(&stage, "pane validation");
		assert_true(stage_run(&stage, rows[i].typed));
		if (workbench_focused(stage.wb) != rows[i].pane)
			fail_msg("%s", rows[i].typed);
	}
	stage_run(&stage, "pane tools");
	assert_true(stage_run(&stage, "sch")); /* the beginning of one */
	assert_int_equal(workbench_focused(stage.wb), PANE_schema);
	assert_true(stage_run(&stage, "too list_users")); /* a command comes before */
}

/* ---- past calls ---- */

static struct history_call past[] = {
	{ .id = 9,
	    .verdict = VERDICT_VALID,
	    .server = (char[]){ "demo" },
	    .key = (char[]){ "update_order" },
	    .arguments = (char[]){ "{\"id\":17}" } },
	{ .id = 8,
	    .server = (char[]){ "demo" },
	    .is_error = true,
	    .key = (char[]){ "update_order" },
	    .arguments = (char[]){ "{\"id\":17}" } },
	{ .id = 7,
	    .server = (char[]){ "demo" },
	    .name = (char[]){ "nightly" },
	    .key = (char[]){ "update_order" },
	    .arguments = (char[]){ "{\"id\":4711}" } },
};
static uint64_t past_changes;

static const char *
past_off(void *user)
{
	return NULL;
}

static uint64_t
count_past_changes(void *user)
{
	return past_changes;
}

static void
list_past(void *user, const struct filter *filter, struct job *job, struct history_ids *out)
{
	for (size_t i = 0; i < ARRAY_LEN(past); i++)
		*VEC_PUSH(out) = past[i].id;
}

static bool
find_past(void *user, uint64_t id, bool whole, struct history_call *out)
{
	for (size_t i = 0; i < ARRAY_LEN(past); i++)
		if (past[i].id == id) {
			*out = past[i];
			out->server = mem_strdup(past[i].server);
			out->key = mem_strdup(past[i].key);
			out->arguments = mem_strdup(past[i].arguments);
			out->name = past[i].name ? mem_strdup(past[i].name) : NULL;
			return true;
		}
	return false;
}

static bool
no_last(void *user, const char *server, enum primitive_kind kind, const char *key, uint64_t before,
    struct history_call *out)
{
	return false;
}

static void
look_nowhere(void *user)
{
}

static const struct history_host past_host = { .off = past_off,
	.look = look_nowhere,
	.changes = count_past_changes,
	.list = list_past,
	.find = find_past,
	.last = no_last };

/* By tool, name or arguments; of those with the same arguments the newest; read again when there
 * are others. */
static void
test_past_calls(void **state)
{
	stage.wb->ws.history.host = &past_host;
	search("update 17");
	assert_string_equal(line_at(0), "show-call 9");
	assert_string_equal(line_at(1), "");
	stage_keys(&stage, "esc");
	search("nightly");
	assert_string_equal(line_at(0), "show-call 7");
	assert_non_null(strstr(stage_text(&stage), "nightly: update_order"));
	stage_keys(&stage, "esc");
	past[2].id = 6;
	search("nightly");
	assert_string_equal(line_at(0), "show-call 7");
	stage_keys(&stage, "esc");
	past_changes++;
	search("nightly");
	assert_string_equal(line_at(0), "show-call 6");
	stage_keys(&stage, "esc");
	stage.wb->ws.history.host = NULL;
	past_changes++;
	search("nightly");
	assert_string_equal(line_at(0), "");
}

TEST_FILE(palette)
{
#define T(test) cmocka_unit_test_setup_teardown(test, stage_set_up, stage_tear_down)
	const struct CMUnitTest tests[] = {
		T(test_first_found),
		T(test_a_letter_less),
		T(test_enter_and_tab),
		T(test_moving),
		T(test_theme_is_shown_before_it_is_set),
		T(test_theme_of_the_user),
		T(test_skills),
		T(test_room_for_what_rows_do),
		T(test_use_decides_between_equals),
		T(test_uses_are_read_with_care),
		T(test_ten_thousand_tools),
		T(test_other_names),
		T(test_past_calls),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* `call` with --view, --format, --jq and --lens: the real program, its output in pipes and on a
 * terminal. */
#include "base/buf.h"
#include "base/glyph.h"
#include "base/vec.h"
#include "program.h"
#include "terminal.h"
#include "test.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

/* Runs `mcpane call ARG...` on the demo server. */
#define CALL(p, code, ...) \
	call((p), (code), ARGV(terminal_program(), "call", "--demo", __VA_ARGS__))

static void
call(struct program *p, int exit_code, const char *const *argv)
{
	*p = (struct program){ 0 };
	program_run(p, argv);
	if (p->exit_code != exit_code)
		fail_msg("%s %s: exit %d, not %d\n%s\n%s", argv[3], argv[4], p->exit_code,
		    exit_code, buf_text(&p->out), buf_text(&p->err));
}

static void
expect(struct program *p, const char *out, const char *err)
{
	if (strcmp(buf_text(&p->out), out) != 0)
		fail_msg("printed:\n%s\nnot:\n%s", buf_text(&p->out), out);
	if (!strstr(buf_text(&p->err), err))
		fail_msg("said:\n%s\nnot: %s", buf_text(&p->err), err);
	program_free(p);
}

static void
test_views(void **state)
{
	struct program p;

	CALL(&p, 0, "list_users", "--view", "table");
	expect(&p,
	    "   id  name     role\n"
	    "    1  Alice    admin\n"
	    "    2  Bob      editor\n"
	    "    3  Charlie  viewer\n"
	    "\n"
	    "  total  3\n",
	    "mcpane: users: table · 3 × 3\n");
	CALL(&p, 0, "list_users", "role=admin", "--view", "tree");
	expect(&p,
	    "▾ {2}\n"
	    "  ▾ users  [1]\n"
	    "    ▾ 0  {3}\n"
	    "        id  1\n"
	    "        name  Alice\n"
	    "        role  admin\n"
	    "    total  1\n",
	    "tree · object of 2\n");
	CALL(&p, 0, "get_weather_data", "--view", "cards", "--width", "40");
	expect(&p,
	    "  temperature  22.5\n"
	    "  conditions   Partly cloudy\n"
	    "  humidity     65\n",
	    "card · 3 fields");
	CALL(&p, 0, "array_result", "--view", "cards", "--width", "40");
	assert_non_null(strstr(buf_text(&p.out), "\n\n  planet  Saturn\n"));
	program_free(&p);
	CALL(&p, 0, "list_users", "--view", "content");
	expect(&p, "Found 3 users\n", "");
	CALL(&p, 0, "list_users", "--view", "chart", "--width", "40");
	expect(&p,
	    "  Alice  █████████▋ 1\n"
	    "    Bob  ███████████████████▍ 2\n"
	    "Charlie  █████████████████████████████ 3\n",
	    "mcpane: users: chart · bar · id by name · 3 rows\n");
	CALL(&p, 1, "get_weather_data", "city=Berlin", "--view", "chart");
	expect(&p, "", "the value cannot be shown by --view chart: --view tree shows any");
}

/* All rows, not only those of a screen; violations in place. */
static void
test_whole(void **state)
{
	struct program p;
	size_t lines = 0;

	CALL(&p, 0, "rows", "count=3000", "--view", "table");
	for (size_t i = 0; i < p.out.len; i++)
		lines += p.out.data[i] == '\n';
	assert_int_equal(lines, 1 + 3000 + 2); /* including the members around the rows */
	program_free(&p);
	CALL(&p, 7, "bad_rows", "--view", "table", "--width", "60");
	assert_non_null(strstr(buf_text(&p.out), "\n✗     5  ⟨missing⟩ "));
	assert_non_null(strstr(buf_text(&p.err), "6 violations of outputSchema"));
	program_free(&p);
}

/* The only sequences are ours, all of them are colors, and none outlives its line. */
static void
expect_only_colors(const struct buf *out)
{
	bool on = false;
	size_t seen = 0;

	for (const char *at = buf_text(out); *at; at++) {
		if (*at == '\033')
			on = strncmp(at, "\033[0m", 4) != 0;
		assert_false(*at == '\n' && on);
	}

	for (const char *at = buf_text(out); (at = strchr(at, '\033')); at++, seen++)
		if (at[1] != '[' || at[2] != '0' || at[2 + strspn(at + 2, "0123456789;")] != 'm')
			fail_msg("a sequence: %.20s", at + 1);
	assert_true(seen > 0);
	assert_null(strstr(buf_text(out), "\302\233"));
	assert_null(strstr(buf_text(out), "\342\200\256"));
}

/* The content as its pane shows it: laid out, images in cells, and a line for a block that cannot
 * be drawn. */
static void
test_content(void **state)
{
	struct program p;
	size_t wide = 0;

	CALL(&p, 0, "mixed_content", "--view", "content", "--width", "44");
	assert_non_null(strstr(buf_text(&p.out), "\ncolored by red green orange blue escape"));
	assert_non_null(strstr(buf_text(&p.out), "\n[image image/png 124 bytes]\n▒░░░░"));
	assert_non_null(strstr(buf_text(&p.out), "\n[audio audio/wav 444 bytes]\n[resource_link "));
	assert_non_null(strstr(
	    buf_text(&p.out), "\nNote\n\nA resource that came inside the result.\n\n• with"));
	assert_non_null(strstr(buf_text(&p.out), "\n  \"type\": \"hologram\",\n"));
	assert_null(strchr(buf_text(&p.out), '\033'));
	for (const char *line = buf_text(&p.out); *line; line += strcspn(line, "\n") + 1)
		wide += glyph_columns(line, strcspn(line, "\n")) > 44;
	assert_int_equal(wide, 0);
	program_free(&p);
	CALL(&p, 0, "mixed_content", "--view", "content", "--color", "256");
	assert_non_null(strstr(buf_text(&p.out), "red \033[0;"));
	assert_non_null(strstr(buf_text(&p.out), "▀"));
	expect_only_colors(&p.out);
	program_free(&p);
	CALL(&p, 0, "mixed_content", "--view", "content", "--raw"); /* as the model gets it */
	assert_non_null(strstr(buf_text(&p.out), "\033[31mred"));
	assert_non_null(strstr(buf_text(&p.out), "\n- with a list\n"));
	program_free(&p);
	CALL(&p, 0, "hostile", "--view", "content", "--color", "16");
	assert_null(strstr(buf_text(&p.out), "\033]"));
	assert_null(strstr(buf_text(&p.out), "\302\233"));
	program_free(&p);
}

static void
test_formats(void **state)
{
	static const char *const formats[][2] = {
		{ "csv", "id,name,role\r\n1,Alice,admin\r\n" },
		{ "tsv", "id\tname\trole\n1\tAlice\tadmin\n" },
		{ "markdown",
		    "| id | name | role |\n| --- | --- | --- |\n| 1 | Alice | admin |\n" },
		{ "jsonl", "{\"id\":1,\"name\":\"Alice\",\"role\":\"admin\"}\n" },
	};
	struct program p;

	for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
		CALL(&p, 0, "list_users", "role=admin", "--format", formats[i][0]);
		expect(&p, formats[i][1], "");
	}
	for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
		CALL(&p, 0, "hostile", "--format", formats[i][0]);
		assert_null(strchr(buf_text(&p.out), '\033'));
		assert_null(strstr(buf_text(&p.out), "\342\200\256"));
		program_free(&p);
	}
	CALL(&p, 1, "scalar_result", "--format", "csv");
	expect(&p, "", "the value is neither array nor object: --format json prints it");
}

static void
test_jq(void **state)
{
	struct program p;

	CALL(&p, 0, "list_users", "--jq", ".users[].name");
	expect(&p, "\"Alice\"\n\"Bob\"\n\"Charlie\"\n", "");
	CALL(&p, 0, "list_users", "--jq", ".users[]|{id,up:(.name|ascii_upcase)}", "--format",
	    "csv");
	expect(&p, "id,up\r\n1,ALICE\r\n2,BOB\r\n3,CHARLIE\r\n", "");
	CALL(&p, 0, "list_users", "--jq", "empty");
	expect(&p, "", "");
	CALL(&p, 1, "list_users", "--jq", ".users[");
	expect(&p, "", "--jq: the expression ends too early (at character 8)");
	CALL(&p, 1, "list_users", "--jq", ".users[].name, error(\"no\")");
	expect(&p, "\"Alice\"\n\"Bob\"\n\"Charlie\"\n", "--jq: no");
	CALL(&p, 7, "bad_rows", "--jq", ".products|length");
	expect(&p, "8\n", "6 violations");
}

/* A text can be used as data, but is not presented as structuredContent. */
static void
test_text(void **state)
{
	struct program p = { 0 };
	const char *server = terminal_fixture("badserver");
	char *copy = strdup(server);

	program_run(
	    &p, ARGV(terminal_program(), "call", "echo", "--format", "jsonl", "--", copy, "csv"));
	assert_non_null(
	    strstr(buf_text(&p.err), "no structuredContent; this is text block 1 as CSV"));
	assert_int_equal(strncmp(buf_text(&p.out), "{\"", 2), 0);
	program_free(&p);
	p = (struct program){ 0 };
	program_run(&p,
	    ARGV(terminal_program(), "call", "echo", "--view", "table", "--", copy, "is-error"));
	assert_int_equal(p.exit_code, 5);
	expect(&p, "", "No such user");
	free(copy);
}

static void
test_lenses(void **state)
{
	struct program p;

	CALL(&p, 0, "list_users", "--lens", "conversational");
	expect(&p, "Found 3 users\n", "does not reach the model: structuredContent");
	CALL(&p, 7, "bad_rows", "--lens", "strict");
	expect(&p, "MCP error -32602: structured content does not match the tool's output schema\n",
	    "the call looks failed");
	CALL(&p, 0, "list_users", "--lens", "all");
	assert_non_null(strstr(buf_text(&p.out), "\nprogrammatic "));
	program_free(&p);
}

static void
test_refused(void **state)
{
	static const struct {
		const char *args[4], *why;
	} rows[] = {
		{ { "--json", "--view", "table" },
		    "--json and --view exclude each other: each is a way to print the result" },
		{ { "--view=table", "--format", "csv" }, "--view and --format exclude each other" },
		{ { "--lens=old", "--jq", "." },
		    "--lens is about the whole result: it goes without --jq" },
		{ { "--json", "--jq", "." },
		    "--json is about the whole result: it goes without --jq" },
		{ { "--view=content", "--jq", "." }, "--view content shows no value" },
		{ { "--width", "100" }, "--width goes with --view" },
		{ { "--color", "16" }, "--color goes with --view" },
		{ { "--raw", "--view", "tree" }, "--raw goes without --view" },
		{ { "--view=tree", "--width", "7" }, "--width: \"7\" is not a number from 20" },
		{ { "--lens", "none" }, "--lens: unknown lens \"none\"" },
		{ { "--view", "pie" }, "--view: unknown value \"pie\"; known: " },
		{ { "--format", "flag" }, "--format flag goes with check, not with call" },
	};
	struct program p;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const char *argv[] = { terminal_program(), "call", "--demo", "list_users",
			rows[i].args[0], rows[i].args[1], rows[i].args[2], NULL };
		call(&p, 1, argv);
		expect(&p, "", rows[i].why);
	}
	p = (struct program){ 0 };
	program_run(&p, ARGV(terminal_program(), "check", "a", "b", "--format", "csv"));
	assert_int_equal(p.exit_code, 1);
	expect(&p, "", "--format csv goes with call and history, not with check");
}

static void
test_colors(void **state)
{
	static const char *const colors[] = { "16", "256", "truecolor" };
	static const char *const views[] = { "table", "tree", "json", "cards", "chart" };
	struct program p;

	for (size_t i = 0; i < 3; i++)
		for (size_t v = 0; v < ARRAY_LEN(views); v++) {
			CALL(&p, 0, "hostile", "--view", views[v], "--color", colors[i]);
			expect_only_colors(&p.out);
			program_free(&p);
			CALL(&p, 7, "bad_rows", "--view", views[v], "--color", colors[i]);
			expect_only_colors(&p.out);
			program_free(&p);
		}
}

static void
test_on_terminal(void **state)
{
	const char *const no_color[] = { "NO_COLOR=1", NULL };
	const char *const *const envs[] = { NULL, no_color, NULL, no_color };

	for (size_t i = 0; i < 4; i++) {
		struct terminal_options options = { .argv = ARGV(terminal_program(), "call",
							"--demo", "hostile", "--view",
							i < 2 ? "table" : "content"),
			.env = envs[i],
			.rows = 60 };
		struct terminal *t = terminal_start(&options);
		assert_int_equal(terminal_wait_exit(t), 0);
		assert_true(i > 1 || terminal_find(t, "owned", NULL, NULL));
		terminal_assert_never(t, "\033]");
		terminal_assert_never(t, "\033[2J");
		if (i % 2 == 1)
			terminal_assert_never(t, "\033");
		terminal_close(t);
	}
}

/* On a terminal a text that is JSON is laid out like structuredContent; --raw, a file and a pipe
 * get the original bytes. */
static void
test_text_on_terminal(void **state)
{
	static const char as_it_came[] = "[{\"id\":1,\"name\":\"Ada\"},";
	const char *server = terminal_fixture("badserver");
	char *copy = strdup(server);

	for (int raw = 0; raw < 2; raw++) {
		struct terminal_options options = { .argv = ARGV(terminal_program(), "call", "echo",
							raw ? "--raw" : "--findings", "--", copy,
							"json-text") };
		struct terminal *t = terminal_start(&options);
		assert_int_equal(terminal_wait_exit(t), 0);
		assert_int_equal(terminal_find(t, as_it_came, NULL, NULL), raw);
		assert_int_equal(terminal_find(t, "[text block 1 as JSON]", NULL, NULL), !raw);
		assert_int_equal(terminal_find(t, "id  name", NULL, NULL), !raw);
		assert_int_equal(terminal_find(t, " 2  Bo", NULL, NULL), !raw);
		terminal_close(t);
	}
	struct program p = { 0 };
	program_run(&p, ARGV(terminal_program(), "call", "echo", "--", copy, "json-text"));
	assert_int_equal(strncmp(buf_text(&p.out), as_it_came, strlen(as_it_came)), 0);
	program_free(&p);
	free(copy);
}

/* structuredContent that is only a string of JSON: views and tables are of that; JSON stays as it
 * came. */
static void
test_wrapped(void **state)
{
	static const char says[] = "this is structuredContent/result as JSON";
	char *server = strdup(terminal_fixture("badserver"));
	struct program p;

	call(&p, 0,
	    ARGV(terminal_program(), "call", "echo", "--view", "table", "--", server,
		"wrapped-json"));
	expect(&p,
	    "   id  name  more\n"
	    "    1  Ada   \"{\"age\":36}\"\n"
	    "    2  Bo    none\n",
	    says);
	call(&p, 0,
	    ARGV(terminal_program(), "call", "echo", "--format", "csv", "--", server,
		"wrapped-json"));
	expect(&p, "id,name,more\r\n1,Ada,\"{\"\"age\"\":36}\"\r\n2,Bo,none\r\n", says);
	call(&p, 0,
	    ARGV(terminal_program(), "call", "echo", "--jq", ".result | length", "--", server,
		"wrapped-json"));
	expect(&p, "80\n", "");
	struct terminal *t = terminal_start(&(struct terminal_options){
	    .argv = ARGV(terminal_program(), "call", "echo", "--", server, "wrapped-json") });
	assert_int_equal(terminal_wait_exit(t), 0);
	assert_true(terminal_find(t, "[text block 1 repeats structuredContent]", NULL, NULL));
	assert_true(terminal_find(t, "[JSON in structuredContent/result]", NULL, NULL));
	assert_true(terminal_find(t, " 2  Bo    none", NULL, NULL));
	terminal_close(t);
	free(server);
}

TEST_FILE(cli_views)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_views),
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_content),
		cmocka_unit_test(test_formats),
		cmocka_unit_test(test_jq),
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_lenses),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_colors),
		cmocka_unit_test(test_on_terminal),
		cmocka_unit_test(test_text_on_terminal),
		cmocka_unit_test(test_wrapped),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}

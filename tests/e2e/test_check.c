/* SPDX-License-Identifier: MIT */
/* `mcpane check` as scripts use it: files, streams, exit codes, formats, folders of schemas. */

#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"
#include "json/doc.h"
#include "json/pointer.h"
#include "json/print.h"
#include "program.h"
#include "terminal.h"
#include "test.h"

#include <ftw.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/mcpane-check-XXXXXX"; /* where the test is */

static void
put(const char *name, const char *text)
{
	struct err err;

	if (!path_write_file(name, text, strlen(text), &err))
		fail_msg("%s", err.text);
}

/* Runs `mcpane check` with words, which are split at blanks. */
static void
check_with(struct program *p, int exit_code, const char *input, const char *line)
{
	char *words = mem_strdup(line), *rest = NULL;
	const char *argv[32] = { mem_strdup(terminal_program()), "check" };
	size_t n = 2;

	for (char *w = strtok_r(words, " ", &rest); w; w = strtok_r(NULL, " ", &rest))
		argv[n++] = w;
	*p = (struct program){ 0 };
	program_start(p, argv);
	program_finish(p, input, strlen(input));
	if (p->exit_code != exit_code)
		fail_msg("check %s: exit %d, not %d\n%.2000s\n%.2000s", line, p->exit_code,
		    exit_code, buf_text(&p->out), buf_text(&p->err));
	free((char *)argv[0]);
	free(words);
}

static void
check(struct program *p, int exit_code, const char *line)
{
	check_with(p, exit_code, "", line);
}

static void
expect_out(const struct program *p, const char *text)
{
	if (strcmp(buf_text(&p->out), text) != 0)
		fail_msg("printed:\n%s\nnot:\n%s", buf_text(&p->out), text);
}

static void
expect_err(const struct program *p, const char *text)
{
	if (!strstr(buf_text(&p->err), text))
		fail_msg("not said: %s\n%s", text, buf_text(&p->err));
}

/* The exit code, and the whole of standard output. */
static void
expect(int exit_code, const char *line, const char *out)
{
	struct program p;

	check(&p, exit_code, line);
	expect_out(&p, out);
	program_free(&p);
}

/* The exit code, and something said on standard error. */
static void
expect_said(int exit_code, const char *line, const char *said)
{
	struct program p;

	check(&p, exit_code, line);
	expect_err(&p, said);
	program_free(&p);
}

static int
set_up(void **state)
{
	assert_non_null(mkdtemp(folder));
	assert_int_equal(chdir(folder), 0);
	put("s.json", "{\n\"type\": \"object\",\n\"required\": [\"id\"],\n\"properties\": {\n"
		      "\"id\": {\"type\": \"integer\"}, \"mail\": {\"format\": \"email\"},\n"
		      "\"slow\": {\"pattern\": \"^(a*)a*a*a*a*a*a*\\\\1$\"}}}\n");
	put("good.json", "{\"id\": 1}");
	put("bad.json", "{\n  \"id\": \"1\"}\n");
	put("mail.json", "{\"id\": 1, \"mail\": \"x\"}");
	put("slow.json",
	    "{\"id\": 1, \"slow\": \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaX\"}");
	put("torn.json", "{\n  \"id\": ]\n");
	return 0;
}

static int
remove_one(const char *path, const struct stat *info, int kind, struct FTW *at)
{
	return remove(path);
}

static int
tear_down(void **state)
{
	return chdir("/") | nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void
test_exit_codes(void **state)
{
	expect(0, "s.json good.json", "good.json: valid (2020-12)\n");
	expect(7, "s.json bad.json",
	    "bad.json:2:9: /id: string \"1\", expected an integer (/properties/id/type)\n"
	    "bad.json: invalid (2020-12), 1 violation\n");
	expect(9, "s.json slow.json",
	    "slow.json: undecided (2020-12), not checked: /properties/slow/pattern (too slow)\n");
	expect_said(1, "s.json torn.json", "torn.json:2:9: ");
	expect_said(1, "s.json nowhere.json", "cannot open nowhere.json");
	expect_said(1, "s.json .", "cannot read .");
	expect_said(1, "nowhere.json good.json", "cannot open nowhere.json");
	expect_said(1, "torn.json good.json", "torn.json:2:9: ");
	expect_said(1, "s.json", "give an instance to check");
}

static void
test_the_worst_decides(void **state)
{
	static const struct {
		const char *line;
		int exit_code;
	} RUNS[] = {
		{ "s.json good.json slow.json", 9 },
		{ "s.json slow.json bad.json good.json", 7 },
		{ "s.json torn.json bad.json slow.json good.json", 1 },
		{ "s.json nowhere.json bad.json", 1 },
	};
	struct program p;

	for (size_t i = 0; i < ARRAY_LEN(RUNS); i++) {
		check(&p, RUNS[i].exit_code, RUNS[i].line);
		program_free(&p);
	}
}

static void
test_formats(void **state)
{
	expect(7, "s.json good.json bad.json slow.json --format flag",
	    "{\"valid\":true}\n{\"valid\":false}\n"
	    "{\"valid\":false,\"error\":\"undecided, not checked: /properties/slow/pattern (too "
	    "slow)\"}\n");
	expect(1, "s.json good.json torn.json --format=flag",
	    "{\"valid\":true}\n{\"valid\":false,\"keywordLocation\":\"\",\"instanceLocation\":\"\","
	    "\"error\":\"not JSON, 2:9: expected a value, found ']'\"}\n");
	put("named.json",
	    "{\"$id\": \"https://example.org/n\", \"items\": {\"$ref\": \"#/$defs/n\"},"
	    " \"$defs\": {\"n\": {\"type\": \"null\", \"title\": \"N\"}}}");
	put("list.json", "[null, 1]");
	expect(7, "named.json list.json --format basic",
	    "{\"valid\":false,\"keywordLocation\":\"\",\"instanceLocation\":\"\",\"errors\":[{"
	    "\"valid\":false,\"keywordLocation\":\"/items/$ref/type\",\"absoluteKeywordLocation\":"
	    "\"https://example.org/n#/$defs/n/type\",\"instanceLocation\":\"/1\",\"error\":\"1, "
	    "expected null\"}]}\n");
	put("null.json", "[null]");
	expect(0, "named.json null.json --format basic",
	    "{\"valid\":true,\"keywordLocation\":\"\",\"instanceLocation\":\"\",\"annotations\":[{"
	    "\"valid\":true,\"keywordLocation\":\"/items/$ref/title\",\"absoluteKeywordLocation\":"
	    "\"https://example.org/n#/$defs/n/title\",\"instanceLocation\":\"/0\",\"annotation\":"
	    "\"N\"}]}\n");
	expect(7, "named.json list.json --format json",
	    "{\"instance\":\"list.json\",\"status\":\"invalid\",\"violations\":1,\"errors\":[{"
	    "\"instancePath\":\"/1\",\"schemaPath\":\"/$defs/n/type\",\"keywordLocation\":\"/items/"
	    "$ref/type\",\"absoluteKeywordLocation\":\"https://example.org/n#/$defs/n/type\","
	    "\"keyword\":\"type\",\"expected\":\"null\",\"found\":\"1\",\"message\":\"1, expected "
	    "null\"}],\"unchecked\":[]}\n");
	expect(1, "s.json torn.json --format json",
	    "{\"instance\":\"torn.json\",\"status\":\"unreadable\",\"message\":\"not JSON, 2:9: "
	    "expected a value, found ']'\"}\n");
}

static void
test_schemas_without_a_uri_have_that_of_their_file(void **state)
{
	struct program p;

	check(&p, 7, "s.json bad.json --format basic");
	struct json_doc *doc = json_parse(buf_text(&p.out), p.out.len, NULL, NULL);
	const char *uri = cJSON_GetStringValue(
	    json_pointer_find(json_root(doc), "/errors/0/absoluteKeywordLocation"));
	char *expected = mem_printf("file://%s/s.json#/properties/id/type", folder);
	assert_non_null(uri);
	assert_string_equal(uri, expected);
	free(expected);
	json_doc_destroy(doc);
	program_free(&p);
}

static void
test_options(void **state)
{
	expect(0, "s.json mail.json",
	    "mail.json:1:19: /mail: warning: \"x\" is not an e-mail address: there is no @ "
	    "(/properties/mail/format)\nmail.json: valid (2020-12), 1 warning\n");
	expect(7, "s.json mail.json --assert-format --format flag", "{\"valid\":false}\n");
	put("old.json", "{\"items\": [{\"type\": \"null\"}]}");
	put("one.json", "[1]");
	expect(7, "old.json one.json --draft 7 --format flag", "{\"valid\":false}\n");
	expect(7, "old.json one.json --draft 2019-09 --format flag", "{\"valid\":false}\n");
	expect_said(1, "old.json one.json", "old.json:1:11: ");
	expect_said(0, "s.json good.json --time", "schema: parse ");
	expect_said(0, "s.json good.json --time", "(9 bytes), validate ");
	put("next.json", "{\"$schema\": \"https://json-schema.org/v1/2026\", \"minItems\": -1,"
			 " \"properties\": {\"a\": {\"maxLength\": true}}}");
	expect_said(1, "next.json one.json", "/minItems: -1 is less than the minimum 0");
	expect_said(1, "next.json one.json", "/properties/a/maxLength: true, expected an integer");
	put("next.json", "{\"format\": \"ipv4\"}");
	put("text.json", "\"x\"");
	expect(7, "next.json text.json --draft v1 --format flag", "{\"valid\":false}\n");
	put("held.json", "{\"contentEncoding\": \"base64\", \"type\": [\"string\", \"integer\"],"
			 " \"contentMediaType\": \"application/json\"}");
	put("braces.json", "\"{}\"");
	put("written.json", "1e2");
	expect(0, "held.json braces.json --draft 7", "braces.json: valid (draft-07)\n");
	expect(7, "held.json braces.json --draft 7 --assert-content",
	    "braces.json:1:1: (the whole): string \"{}\", expected a string that holds base64 "
	    "(/contentEncoding)\nbraces.json: invalid (draft-07), 1 violation\n");
	expect(0, "held.json braces.json --assert-content", "braces.json: valid (2020-12)\n");
	expect(0, "held.json written.json --draft 4", "written.json: valid (draft-04)\n");
	expect(7, "held.json written.json --draft 4 --strict-integers --format flag",
	    "{\"valid\":false}\n");
	expect(0, "held.json written.json --strict-integers", "written.json: valid (2020-12)\n");
	put("twice.json", "{\"id\": 1,\n \"id\": 2}");
	expect_said(0, "s.json twice.json", "twice.json:2:2: duplicate key");
	put("own.json", "{\"unheard\": 1, \"x-own\": 2}");
	expect(0, "own.json one.json --format flag", "{\"valid\":true}\n");
}

static void
test_lines(void **state)
{
	const char *said =
	    "rows.jsonl:2:8: /id: null, expected an integer (/properties/id/type)\n"
	    "rows.jsonl:2: invalid (2020-12), 1 violation\n"
	    "rows.jsonl:6: undecided (2020-12), not checked: /properties/slow/pattern (too slow)\n"
	    "rows.jsonl: 5 instances, 2 valid, 1 undecided, 1 invalid, 1 unreadable\n";
	struct program p;

	put("rows.jsonl",
	    "{\"id\": 1}\n{\"id\": null}\r\n\n  \t\n{\"id\": }\n"
	    "{\"id\": 1, \"slow\": \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaX\"}\n"
	    "{\"id\": 2}");
	check(&p, 1, "s.json rows.jsonl");
	expect_out(&p, said);
	expect_err(&p, "rows.jsonl:5:8: ");
	program_free(&p);
	check_with(&p, 7, "{\"id\":1}\n{}\n", "s.json - --lines --format json");
	assert_non_null(
	    strstr(buf_text(&p.out), "{\"instance\":\"-\",\"line\":1,\"status\":\"valid\""));
	assert_non_null(
	    strstr(buf_text(&p.out), "{\"instance\":\"-\",\"line\":2,\"status\":\"invalid\""));
	program_free(&p);
	check_with(&p, 0, "", "s.json - --lines");
	expect_out(&p, "-: 0 instances\n");
	program_free(&p);
}

/* A byte order mark before a JSON text, and an extremely long line. */
static void
test_odd_input(void **state)
{
	const off_t len = (off_t)257 << 20;
	struct program p;

	put("mark.json", "\xef\xbb\xbf{\"id\": null}");
	put("mark.schema.json", "\xef\xbb\xbf{\"type\": 3}");
	check(&p, 7, "s.json mark.json");
	expect_out(&p, "mark.json:1:8: /id: null, expected an integer (/properties/id/type)\n"
		       "mark.json: invalid (2020-12), 1 violation\n");
	expect_err(&p, "mark.json:1:1: byte order mark");
	program_free(&p);
	expect_said(1, "mark.schema.json good.json", "mark.schema.json:1:10: /type: 3");
	put("false.json", "false");
	expect(7, "false.json good.json",
	    "good.json:1:1: (the whole): an object of 1 property, but nothing is allowed here\n"
	    "good.json: invalid (2020-12), 1 violation\n");
	int fd = open("long.jsonl", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_int_equal(pwrite(fd, "\n{\"id\":1}", 9, len), 9);
	close(fd);
	check(&p, 1, "s.json long.jsonl");
	expect_out(&p, "long.jsonl: 2 instances, 1 valid, 1 unreadable\n");
	expect_err(&p, "long.jsonl:1: longer than 256 MiB: skipped");
	program_free(&p);
	unlink("long.jsonl");
}

static void
test_standard_input(void **state)
{
	struct program p;

	check_with(&p, 0, "{\"id\":\n 1}\n", "s.json -");
	expect_out(&p, "-: valid (2020-12)\n");
	program_free(&p);
	check_with(&p, 7, "{\"type\": \"null\"}", "- good.json --format basic");
	expect_out(&p,
	    "{\"valid\":false,\"keywordLocation\":\"\",\"instanceLocation\":\"\",\"errors\":[{"
	    "\"valid\":false,\"keywordLocation\":\"/type\",\"instanceLocation\":\"\",\"error\":"
	    "\"an object of 1 property, expected null\"}]}\n");
	program_free(&p);
	check_with(&p, 1, "{\"a\":", "s.json -");
	expect_err(&p, "-:1:6: ");
	program_free(&p);
}

/* More lines than fit a pipe, one of them long. */
static void
test_many_lines(void **state)
{
	struct buf text = BUF_INIT;
	struct program p;

	for (int i = 0; i < 30000; i++)
		buf_addf(&text, "{\"id\": %d}\n", i);
	buf_add_str(&text, "{\"id\": 1, \"text\": \"");
	for (int i = 0; i < 100000; i++)
		buf_add_str(&text, "0123456789");
	buf_add_str(&text, "\"}\n{}\n");
	check_with(&p, 7, buf_text(&text), "s.json - --lines");
	expect_out(&p, "-:30002:1: (the whole): id is missing (/required)\n"
		       "-:30002: invalid (2020-12), 1 violation\n"
		       "-: 30002 instances, 30001 valid, 1 invalid\n");
	program_free(&p);
	buf_finish(&text);
}

static void
test_rows_are_summed_up(void **state)
{
	struct buf text = BUF_INIT;
	struct program p;

	put("table.json", "{\"properties\": {\"rows\": {\"items\": {\"required\": [\"role\"],"
			  "\"properties\": {\"id\": {\"type\": \"integer\"}}}}}}");
	for (int i = 0; i < 3000; i++)
		buf_addf(&text, "%s{\"id\": %s%s}", i ? ",\n" : "{\"rows\": [\n",
		    i % 10 ? "1" : "\"x\"", i % 100 ? ", \"role\": 1" : "");
	buf_add_str(&text, "]}");
	check_with(&p, 7, buf_text(&text), "table.json -");
	const char *tail =
	    "-: and 230 more\n"
	    "-: /rows: 300 of 3 000 rows fail: id is a string (300), role missing (30)\n"
	    "-: invalid (2020-12), 330 violations\n";
	assert_true(p.out.len > strlen(tail));
	assert_string_equal(p.out.data + p.out.len - strlen(tail), tail);
	program_free(&p);
	check_with(&p, 7, buf_text(&text), "table.json - --format json");
	assert_non_null(strstr(buf_text(&p.out),
	    "\"summary\":{\"instancePath\":\"/rows\",\"rows\":3000,\"failed\":300,\"partial\":"
	    "false,\"groups\":[{\"fault\":\"id is a string\",\"rows\":300},{\"fault\":\"role "
	    "missing\",\"rows\":30}]}"));
	program_free(&p);
	buf_finish(&text);
}

/* Control characters of an instance cannot reach the terminal. */
static void
test_hostile_text(void **state)
{
	struct program p;

	put("closed.json", "{\"additionalProperties\": false}");
	check_with(&p, 7, "{\"\\u001b[2J\\nbad.json: valid\": 1}", "closed.json -");
	assert_null(memchr(p.out.data, '\033', p.out.len));
	assert_null(strstr(buf_text(&p.out), "\nbad.json: valid"));
	program_free(&p);
}

static void
test_bounded(void **state)
{
	struct buf text = BUF_INIT;
	struct program p;

	for (int i = 0; i < 100000; i++)
		buf_add_char(&text, '[');
	check_with(&p, 1, buf_text(&text), "s.json -");
	expect_err(&p, "nested deeper");
	program_free(&p);
	check_with(&p, 1, buf_text(&text), "- good.json");
	program_free(&p);
	buf_clear(&text);
	buf_add_str(&text, "{\"$ref\": \"#/$defs/a0\", \"$defs\": {");
	for (int i = 0; i < 26; i++)
		buf_addf(&text,
		    "\"a%d\": {\"anyOf\": [{\"$ref\": \"#/$defs/a%d\"}, {\"$ref\": "
		    "\"#/$defs/a%d\"}]},",
		    i, i + 1, i + 1);
	buf_add_str(&text, "\"a26\": {\"type\": \"null\", \"title\": \"end\"}}}");
	put("doubling.json", buf_text(&text));
	put("null.json", "null");
	check(&p, 7, "doubling.json good.json --format basic");
	program_free(&p);
	check(&p, 0, "doubling.json null.json --format basic");
	program_free(&p);
	buf_finish(&text);
}

static void
test_broken_schemas(void **state)
{
	static const struct {
		const char *text, *said;
	} SCHEMAS[] = {
		{ "{\n \"properties\": {\n  \"a\": {\"type\": \"objct\"}}}",
		    "broken.json:3:17: /properties/a/type: " },
		{ "{\"minLength\": -1}", "broken.json:1:15: /minLength: " },
		{ "{\"title\": 3}", "broken.json:1:11: /title: " },
		{ "3", "broken.json:1:1: " },
		{ "{\"pattern\": \"(\"}",
		    "broken.json:1:13: /pattern: \"(\" is not a regular expression: a ( is not" },
		{ "{\"type\": 1, \"requird\": []}", "broken.json:1:10: /type: " },
		{ "{\"$ref\": \"#/x\", \"type\": \"int\"}", "(did you mean \"integer\"?)" },
		{ "{\"a\": 1", "broken.json:1:8: " },
	};

	for (size_t i = 0; i < ARRAY_LEN(SCHEMAS); i++) {
		put("broken.json", SCHEMAS[i].text);
		expect_said(1, "broken.json good.json", SCHEMAS[i].said);
	}
	/* Valid, but probably a mistake. */
	put("broken.json", "{\"requird\": [\"a\"],\n \"type\": \"null\", \"type\": \"null\"}");
	expect_said(7, "broken.json good.json",
	    "broken.json:1:13: /requird: warning: requird is an unknown keyword (did you mean");
	expect_said(7, "broken.json good.json", "broken.json:2:18: duplicate key");
	put("broken.json", "{\"pattern\": \"(?:(a)|b)*\\\\1\"}");
	expect_said(
	    0, "broken.json good.json", "broken.json:1:13: /pattern: warning: this pattern");
}

/* Reports go to standard output as well. */
static void
test_broken_schemas_are_told_to_programs(void **state)
{
	static const struct {
		const char *schema, *format, *out;
	} CASES[] = {
		{ "{\"minLength\": -1, \"unheard\": 1}", "json",
		    "{\"schema\":\"broken.json\",\"status\":\"broken\",\"message\":\"the schema is "
		    "broken: nothing was checked\",\"errors\":[{\"schemaPath\":\"/minLength\","
		    "\"line\":1,\"column\":15,\"message\":\"-1 is less than the minimum 0\"}],"
		    "\"warnings\":[]}\n" },
		{ "{\"minLength\": -1}", "flag",
		    "{\"valid\":false,\"keywordLocation\":\"\",\"instanceLocation\":\"\",\"error\":"
		    "\"broken.json: the schema is broken: nothing was checked: /minLength: -1 is "
		    "less than the minimum 0\"}\n" },
		{ "{\"minLength\": }", "basic",
		    "{\"valid\":false,\"keywordLocation\":\"\",\"instanceLocation\":\"\",\"error\":"
		    "\"broken.json: not JSON, 1:15: " },
		{ "{", "json",
		    "{\"schema\":\"broken.json\",\"status\":\"unreadable\",\"message\":\"not" },
	};
	struct program p;

	for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
		char *line = mem_printf("broken.json good.json --format %s", CASES[i].format);
		put("broken.json", CASES[i].schema);
		check(&p, 1, line);
		if (!strstr(buf_text(&p.out), CASES[i].out))
			fail_msg("%s", buf_text(&p.out));
		program_free(&p);
		free(line);
	}
	put("odd.json", "{\"a\": 1,\n \"a\": \"\\u0000\"}");
	put("all.json", "true");
	check(&p, 0, "all.json odd.json --format json");
	assert_non_null(strstr(buf_text(&p.out),
	    ",\"notes\":[{\"line\":2,\"column\":2,\"message\":\"duplicate key\"},{\"line\":2,"
	    "\"column\":8,\"message\":\"NUL in a string\"}]}"));
	program_free(&p);
}

/* An undecided part affects only what it applies to. */
static void
test_references_to_nowhere_and_unknown_dialects(void **state)
{
	static const struct {
		int exit_code;
		const char *text, *said;
	} SCHEMAS[] = {
		{ 9, "{\n\"$ref\": \"#/$defs/none\"}",
		    "odd.json:2:9: /$ref: warning: #/$defs/none leads nowhere" },
		{ 7, "{\"$ref\": \"#/$defs/none\", \"type\": \"null\"}", "leads nowhere" },
		{ 0, "{\"$defs\": {\"a\": {\"$ref\": \"#/none\"}}}", "leads nowhere" },
		{ 9, "{\"$ref\": \"https://example.org/a.json\"}", "nothing is fetched" },
		{ 9, "{\"$ref\": \"https://example.org/a.json\"}", "--map URI-PREFIX=DIR names" },
		{ 9, "{\"$schema\": \"https://example.org/mine\"}",
		    "odd.json:1:13: /$schema: warning: unknown dialect https://example.org/mine" },
		{ 0, "{\"$schema\": \"http://json-schema.org/schema#\"}",
		    "odd.json:1:13: /$schema: warning: read as "
		    "https://json-schema.org/draft/2020-12" },
	};
	struct program p;

	for (size_t i = 0; i < ARRAY_LEN(SCHEMAS); i++) {
		put("odd.json", SCHEMAS[i].text);
		expect_said(SCHEMAS[i].exit_code, "odd.json good.json", SCHEMAS[i].said);
	}
	put("odd.json", "{\"$schema\": \"https://json-schema.org/v9\"}");
	check(&p, 9, "odd.json good.json");
	assert_null(strstr(buf_text(&p.err), "--map"));
	program_free(&p);
}

/* ---- folders of schemas ---- */

static void
expect_ref(const char *reference, const char *maps, int exit_code)
{
	char *text = mem_printf("{\"$ref\": \"%s\"}", reference);
	char *line = mem_printf("ref.json null.json %s", maps);
	struct program p;

	put("ref.json", text);
	check(&p, exit_code, line);
	if (strstr(buf_text(&p.out), "SECRET") || strstr(buf_text(&p.err), "SECRET"))
		fail_msg("%s with %s gives away a secret", reference, maps);
	program_free(&p);
	free(text);
	free(line);
}

static void
make_folders(void)
{
	mkdir("schemas", 0700);
	mkdir("schemas/deep", 0700);
	mkdir("schemas.old", 0700);
	put("null.json", "null");
	put("schemas/null.json", "{\"type\": \"null\"}");
	put("schemas/a b.json", "{\"type\": \"null\"}");
	put("schemas/deep/next.json", "{\"$ref\": \"../null.json\"}");
	put("schemas/torn.json", "{\n\"type\": }");
	put("schemas.old/secret.json", "{\"const\": \"SECRET\"}");
	put("secret.json", "{\"const\": \"SECRET\"}");
	assert_int_equal(symlink("../secret.json", "schemas/link.json"), 0);
	assert_int_equal(symlink("..", "schemas/up"), 0);
	assert_int_equal(symlink("null.json", "schemas/same.json"), 0);
	assert_int_equal(mkfifo("schemas/pipe.json", 0600), 0);
}

static void
test_maps(void **state)
{
	const char *map = "--map https://e.org/s/=schemas";

	make_folders();
	expect_ref("https://e.org/s/null.json", map, 0);
	expect_ref("https://e.org/s/null", map, 0);
	expect_ref("https://e.org/s/null.json", "--map https://e.org/s=schemas/", 0);
	expect_ref("https://e.org/s/null.json#", map, 0);
	expect_ref("https://e.org/s/a%20b.json", map, 0);
	expect_ref("https://e.org/s/deep/next.json", map, 0);
	expect_ref("https://e.org/s/same.json", map, 0);
	expect_ref("https://e.org/s/null.json",
	    "--map https://e.org/=schemas --map https://e.org/s/=schemas", 0);
	char *own = mem_printf("--map file://%s/=.", folder);
	expect_ref("schemas/null.json", own, 0);
	free(own);
	expect_said(1, "ref.json null.json --map https://e.org/s/=nowhere",
	    "folder nowhere does not exist");
	expect_said(
	    1, "ref.json null.json --map https://e.org/s/=null.json", "null.json does not exist");
	expect_said(1, "ref.json null.json --map https://e.org/s/", "is not URI-PREFIX=DIR");
}

static void
test_maps_lead_nowhere_else(void **state)
{
	static const char *const OUTSIDE[] = {
		"https://e.org/s/../secret.json",
		"https://e.org/s/%2e%2e/secret.json",
		"https://e.org/s/%2E%2E/secret.json",
		"https://e.org/s/%2e%2e%2fsecret.json",
		"https://e.org/s/deep/..%2f..%2fsecret.json",
		"https://e.org/s/..",
		"https://e.org/s//etc/hostname",
		"https://e.org/s/%2fetc%2fhostname",
		"https://e.org/s/link.json",
		"https://e.org/s/up/secret.json",
		"https://e.org/s/up/schemas.old/secret.json",
		"https://e.org/s/null.json%00",
		"https://e.org/s/%zz",
		"https://e.org/s/%",
		"https://e.org/s/null.json?x",
		"https://e.org/s/deep",
		"https://e.org/s/",
		"https://e.org/s",
		"https://e.org/s/pipe.json",
		"https://e.org/s.old/secret.json",
		"https://e.org/t/null.json",
		"schemas/null.json",
		"file:///etc/hostname",
	};

	for (size_t i = 0; i < ARRAY_LEN(OUTSIDE); i++) {
		expect_ref(OUTSIDE[i], "--map https://e.org/s/=schemas", 9);
		expect_ref(OUTSIDE[i], "--map https://e.org/s=schemas", 9);
	}
	put("ref.json", "{\"$ref\": \"https://e.org/s/torn.json\"}");
	expect_said(
	    9, "ref.json null.json --map https://e.org/s/=schemas", "schemas/torn.json:2:9: ");
}

/* A file that is not a library stands before the real one. */
static void
test_without_libidn2(void **state)
{
	put("names.json", "{\"items\": {\"format\": \"idn-hostname\"}}");
	put("plain.json", "[\"example.org\"]");
	put("foreign.json", "[\"b\xc3\xbc\x63her.example\"]");
	expect(0, "names.json foreign.json", "foreign.json: valid (2020-12)\n");
	assert_int_equal(mkdir("lib", 0700), 0);
	put("lib/libidn2.so.0", "");
	setenv("LD_LIBRARY_PATH", "lib", 1);
	expect(0, "names.json foreign.json",
	    "foreign.json:1:2: /0: warning: \"b\xc3\xbc\x63her.example\" is not "
	    "checked as a host name: the library libidn2.so.0 is missing (/items/format)\n"
	    "foreign.json: valid (2020-12), 1 warning\n");
	expect(9, "names.json foreign.json --assert-format",
	    "foreign.json: undecided (2020-12), not checked: /items/format (the library "
	    "libidn2.so.0 is "
	    "missing)\n");
	expect(0, "names.json plain.json --assert-format", "plain.json: valid (2020-12)\n");
	unsetenv("LD_LIBRARY_PATH");
}

TEST_FILE(check)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exit_codes),
		cmocka_unit_test(test_the_worst_decides),
		cmocka_unit_test(test_formats),
		cmocka_unit_test(test_without_libidn2),
		cmocka_unit_test(test_schemas_without_a_uri_have_that_of_their_file),
		cmocka_unit_test(test_options),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_odd_input),
		cmocka_unit_test(test_standard_input),
		cmocka_unit_test(test_many_lines),
		cmocka_unit_test(test_rows_are_summed_up),
		cmocka_unit_test(test_hostile_text),
		cmocka_unit_test(test_bounded),
		cmocka_unit_test(test_broken_schemas),
		cmocka_unit_test(test_broken_schemas_are_told_to_programs),
		cmocka_unit_test(test_references_to_nowhere_and_unknown_dialects),
		cmocka_unit_test(test_maps),
		cmocka_unit_test(test_maps_lead_nowhere_else),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}

/* SPDX-License-Identifier: MIT */
/* The real program as scripts use it: `list` and `call` with pipes, good servers and bad ones. */
#include "base/mem.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "json/doc.h"
#include "json/pointer.h"
#include "json/print.h"
#include "program.h"
#include "terminal.h"
#include "test.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct outcome {
	struct program p;
	struct json_doc *doc;
	const cJSON *json; /* of standard output; NULL when it is not JSON */
};

#define WORDS_MAX 32

/* Runs mcpane with words, which are split at blanks. `SERVER MODE...` at the end means `--
 * badserver MODE...`. */
static void
start(struct outcome *o, char *words)
{
	const char *argv[WORDS_MAX] = { mem_strdup(terminal_program()) };
	char *server = mem_strdup(terminal_fixture("badserver")), *rest = NULL;
	size_t n = 1;

	for (char *w = strtok_r(words, " ", &rest); w; w = strtok_r(NULL, " ", &rest)) {
		bool is_server = strcmp(w, "SERVER") == 0;
		if (is_server)
			argv[n++] = "--";
		argv[n++] = is_server ? server : w;
		assert_true(n < WORDS_MAX - 2);
	}
	program_start(&o->p, argv);
	free((char *)argv[0]);
	free(server);
}

static void
end(struct outcome *o)
{
	program_wait_processes(&o->p, 0);
	json_doc_destroy(o->doc);
	program_free(&o->p);
	*o = (struct outcome){ 0 };
}

static void
run_with(struct outcome *o, int exit_code, const char *input, const char *line)
{
	char *words = mem_strdup(line);

	*o = (struct outcome){ 0 };
	start(o, words);
	program_finish(&o->p, input, strlen(input));
	if (o->p.exit_code != exit_code)
		fail_msg("%s: exit %d, not %d\n%.2000s\n%.2000s", line, o->p.exit_code, exit_code,
		    buf_text(&o->p.out), buf_text(&o->p.err));
	o->doc = json_parse(
	    buf_text(&o->p.out), o->p.out.len, &(struct json_options){ .max_depth = 2000 }, NULL);
	o->json = o->doc ? json_root(o->doc) : NULL;
	free(words);
}

static void
run(struct outcome *o, int exit_code, const char *line)
{
	run_with(o, exit_code, "", line);
}

static void
expect_json(const struct outcome *o, const char *pointer, const char *json)
{
	const cJSON *node = json_pointer_find(o->json, pointer);
	struct buf text = BUF_INIT;

	if (node)
		json_print(&text, node);
	if (strcmp(buf_text(&text), json) != 0)
		fail_msg("%s is %s, not %s\n%.2000s", pointer, buf_text(&text), json,
		    buf_text(&o->p.out));
	buf_finish(&text);
}

static void
expect_out(const struct outcome *o, const char *text)
{
	if (!strstr(buf_text(&o->p.out), text))
		fail_msg("not printed: %s\n%.2000s", text, buf_text(&o->p.out));
}

static void
expect_err(const struct outcome *o, const char *text)
{
	if (!strstr(buf_text(&o->p.err), text))
		fail_msg("not said: %s\n%.2000s", text, buf_text(&o->p.err));
}

/* ---- good servers ---- */

static void
test_list_json(void **state)
{
	static const char *const lines[] = {
		"list --demo",
		"list tools --demo --json",
		"--era legacy list --demo",
		"list --no-history --demo",
	};
	struct outcome o;

	for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
		run(&o, 0, lines[i]);
		assert_non_null(o.json);
		expect_json(&o, "/server/name", "\"demo\"");
		expect_json(
		    &o, "/server/protocolVersion", i == 2 ? "\"2025-11-25\"" : "\"2026-07-28\"");
		expect_json(&o, "/tools/0/name", "\"list_users\"");
		expect_json(&o, "/tools/0/outputSchema/type", "\"object\"");
		assert_true(json_count(json_pointer_find(o.json, "/tools")) >= 18);
		assert_int_equal(o.p.err.len, 0);
		end(&o);
	}
}

static void
test_call_json(void **state)
{
	struct outcome o;

	run(&o, 0, "call --demo list_users role=admin --json");
	expect_json(&o, "/result/structuredContent/users",
	    "[{\"id\":1,\"name\":\"Alice\",\"role\":\"admin\"}]");
	expect_json(&o, "/validation", "{\"status\":\"valid\",\"errors\":[],\"unchecked\":[]}");
	assert_int_equal(o.p.err.len, 0);
	end(&o);
	run(&o, 7, "call --demo bad_rows --json");
	expect_json(&o, "/validation/status", "\"invalid\"");
	assert_int_equal(json_count(json_pointer_find(o.json, "/validation/errors")), 6);
	expect_json(&o, "/validation/errors/0",
	    "{\"instancePath\":\"/products/2/id\",\"schemaPath\":\"/properties/products/items/"
	    "properties/id/type\",\"keyword\":\"type\",\"expected\":\"an "
	    "integer\",\"found\":\"string "
	    "\\\"3\\\"\",\"message\":\"string \\\"3\\\", expected an integer\"}");
	expect_json(&o, "/result/structuredContent/products/2/id", "\"3\"");
	expect_err(&o, "6 violations");
	end(&o);
	run(&o, 0, "call --demo contradiction --json --findings");
	expect_json(&o, "/findings/0/id", "\"content-contradicts\"");
	expect_json(&o, "/findings/0/pointer", "\"/structuredContent/users\"");
	end(&o);
	run(&o, 7, "call --demo test_call --json");
	expect_json(&o, "/validation/status", "\"missing\"");
	end(&o);
	run(&o, 5, "call --demo fail --json");
	expect_json(&o, "/result/isError", "true");
	end(&o);
	run(&o, 0, "call --demo big_numbers --json");
	expect_out(&o, "12345678901234567890");
	expect_out(&o, "3.14159265358979323846264338327950288419716939937510");
	end(&o);
}

static void
test_call_text(void **state)
{
	struct outcome o;

	run(&o, 0, "call --demo list_users");
	expect_out(&o,
	    "Found 3 users\n\nusers:\nid  name     role\n 1  Alice    admin\n 2  Bob      editor\n"
	    " 3  Charlie  viewer\ntotal: 3\n");
	assert_int_equal(o.p.err.len, 0);
	end(&o);
	run(&o, 0, "call --demo scalar_result");
	expect_out(&o, "The result is 42\n\n42\n");
	end(&o);
	run(&o, 0, "call --demo nested");
	expect_out(&o, "\nmatrix:\n0  1  2\n1  0  0\n");
	expect_out(&o, "\nby_country:\n    people  capital\nDE       1  Berlin\nPT  ");
	expect_out(&o, "\nempty_object: {}\n");
	expect_out(&o, "\n\"\": \"the key is empty\"\n");
	expect_out(
	    &o, "\ndeep: {\"a\": {\"b\": {\"c\": {\"d\": {\"e\": {\"f\": {\"g\": {\"h\": [[[[");
	end(&o);
	run(&o, 0, "call --demo get_weather_data location=Lisbon");
	expect_out(&o, "[text block 1 repeats structuredContent]\n\n{\n  \"temperature\"");
	end(&o);
	run(&o, 0, "call --demo rows count:=2");
	expect_out(&o, "id  city   temp  ok\n");
	expect_out(&o, "\n(+6 empty: measured, station, ");
	end(&o);
	run(&o, 0, "call --demo contradiction --findings");
	expect_err(&o, "the text says 5 users, the array has 3");
	end(&o);
	run(&o, 7, "call --demo bad_rows");
	expect_out(&o, "Rocket");
	expect_err(&o, "/products/4: name is missing");
	end(&o);
	run(&o, 5, "call --demo fail kind=protocol");
	end(&o);
}

/* ---- text that a terminal would obey ---- */

static void
expect_harmless(const char *line, const struct buf *text)
{
	for (size_t at = 0; at < text->len;) {
		const char *s = text->data + at;
		uint32_t cp = 0;
		size_t used = utf8_decode(s, text->len - at, &cp);
		bool bidi = cp == 0x61c || cp == 0x200e || cp == 0x200f ||
			    (cp >= 0x2028 && cp <= 0x202e) || (cp >= 0x2066 && cp <= 0x2069);
		bool line_end = *s == '\n' || strncmp(s, "\r\n", 2) == 0;
		bool control = cp < ' ' ? !line_end : cp >= 0x7f && cp < 0xa0;
		if (used == 0 || control || bidi || cp == 0x200b)
			fail_msg("%s: U+%04X at byte %zu of\n%.2000s", line, cp, at, text->data);
		at += used;
	}
}

/* Standard output may go to `cat` on a terminal. */
static void
test_harmless_through_a_pipe(void **state)
{
	static const struct {
		int exit_code;
		const char *line;
	} lines[] = {
		{ 0, "call --demo hostile" },
		{ 0, "call --demo hostile --json" },
		{ 0, "list --demo" },
		{ 0, "list tools SERVER evil-text" },
		{ 0, "list prompts SERVER evil-text" },
		{ 0, "list resources SERVER evil-text" },
		{ 0, "list templates SERVER evil-text" },
		{ 7, "call evil SERVER evil-text" },
		{ 7, "call evil --json SERVER evil-text" },
		{ 7, "call evil --view table SERVER evil-text" },
		{ 7, "call evil --view tree SERVER evil-text" },
		{ 7, "call evil --view json SERVER evil-text" },
		{ 7, "call evil --view content SERVER evil-text" },
		{ 0, "call --demo hostile --format jsonl" },
		{ 0, "call --demo hostile --view table --width 200" },
		{ 7, "call evil --lens both SERVER evil-text" },
		{ 7, "call evil --jq . SERVER evil-text" },
		{ 5, "call unknown SERVER evil-text" },
		{ 0, "read evil:x SERVER evil-text" },
		{ 0, "read evil:x --json SERVER evil-text" },
		{ 0, "get evil SERVER evil-text" },
		{ 0, "get evil --json SERVER evil-text" },
		{ 0, "complete prompt evil a b SERVER evil-text" },
		{ 0, "complete prompt evil a b --json SERVER evil-text" },
		{ 0, "ping SERVER evil-text" },
		{ 0, "ping --json SERVER evil-text" },
		{ 0, "conformance SERVER evil-text" },
	};
	struct outcome o;

	for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
		run(&o, lines[i].exit_code, lines[i].line);
		expect_harmless(lines[i].line, &o.p.out);
		expect_harmless(lines[i].line, &o.p.err);
		assert_true(o.json || !strstr(lines[i].line, "--json"));
		end(&o);
	}
	/* JSON loses nothing by it, and text no more than its marks say */
	run(&o, 7, "call evil --json SERVER evil-text");
	expect_out(&o, "\\u001b[2J\\u001b]0;owned\\u0007 \\u009b31m \\u202e \\u2066 ");
	expect_json(&o, "/result/content/0/text",
	    "\"evil \\u001b[2J\\u001b]0;owned\\u0007 \302\23331m \342\200\256 \342\201\246 "
	    "\342\200\217 \330\234 \177 \342\200\213 \342\200\250 \360\237\230\200 end\"");
	end(&o);
	run(&o, 0, "read evil:x SERVER evil-text");
	expect_out(&o, "evil ␛[2J␛]0;owned␇ ␦31m ◌ ◌ ◌ ◌ ␡ ◌ ␤ \360\237\230\200 end\n");
	end(&o);
}

static void
test_conformance_calls_only_read_only_tools(void **state)
{
	struct outcome o;

	run(&o, 0, "conformance SERVER two-eras");
	expect_err(&o, "roots: done");
	end(&o);
	run(&o, 0, "conformance --read-only SERVER two-eras");
	assert_null(strstr(buf_text(&o.p.err), "roots"));
	end(&o);
	run(&o, 0, "conformance --read-only SERVER two-eras readonly");
	expect_err(&o, "roots: done");
	end(&o);
}

static void
test_raw(void **state)
{
	static const char *const lines[] = {
		"call evil --raw SERVER evil-text",
		"call evil --raw --json SERVER evil-text",
		"list --raw SERVER evil-text",
		"read evil:x --raw SERVER evil-text",
		"read evil:x --output - SERVER evil-text",
		"get evil --raw SERVER evil-text",
		"complete prompt evil a b --raw SERVER evil-text",
		"ping --raw SERVER evil-text",
	};
	struct outcome o;

	for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
		run(&o, i < 2 ? 7 : 0, lines[i]);
		expect_out(&o, "\302\23331m \342\200\256");
		expect_harmless(lines[i], &o.p.err);
		end(&o);
	}
	run(&o, 0, "read evil:x --raw SERVER evil-text"); /* the second content is a blob */
	expect_out(&o, " end\033[");
	end(&o);
}

/* A tee in front of the server shows the bytes sent to it, line by line. */
static void
expect_sent(const char *exact, const char *input, const char *const *words)
{
	char path[] = "/tmp/mcpane-cli-XXXXXX";
	char *script = NULL, *program = mem_strdup(terminal_program());
	struct buf sent = BUF_INIT;
	struct program p;
	char bytes[4096];
	size_t n;

	assert_true(mkstemp(path) >= 0);
	script = mem_printf("tee %s | '%s' good", path, terminal_fixture("badserver"));
	const char *argv[WORDS_MAX] = { program, "call", "sum" };
	size_t argc = 3;
	while (*words)
		argv[argc++] = *words++;
	argv[argc++] = "--";
	argv[argc++] = "sh";
	argv[argc++] = "-c";
	argv[argc] = script;
	program_start(&p, argv);
	program_finish(&p, input, strlen(input));
	program_wait_processes(&p, 0);
	FILE *file = fopen(path, "r");
	while ((n = fread(bytes, 1, sizeof(bytes), file)) > 0)
		buf_add(&sent, bytes, n);
	fclose(file);
	unlink(path);
	if (!strstr(buf_text(&sent), exact))
		fail_msg("not sent: %s\n%s\n%s", exact, buf_text(&sent), buf_text(&p.err));
	program_free(&p);
	buf_finish(&sent);
	free(script);
	free(program);
}

#define SENT(exact, ...) \
	expect_sent("\"arguments\":" exact, "", (const char *[]){ __VA_ARGS__, NULL })

static void
test_arguments(void **state)
{
	SENT("{\"a\":12345678901234567890,\"b\":1.50}", "a=12345678901234567890", "b=1.50");
	SENT("{\"a\":1e400}", "a:=1e400");
	SENT("{\"a\":\"two\"}", "a=two"); /* sent all the same: the server has to cope */
	SENT("{\"a\":\"\"}", "a=");
	SENT("{\"other\":\"5\"}", "other=5");
	SENT("{\"other\":{\"x\":[1,null]}}", "other:={\"x\":[1,null]}");
	SENT("{\"other\":\"caf\xc3\xa9 \\\"x\\\"\\n\"}", "other=caf\xc3\xa9 \"x\"\n");
	SENT("{ \"b\" : 2.0,\"b\":3 }", "--args", "{ \"b\" : 2.0,\"b\":3 }"); /* byte for byte */
	SENT("[1]", "--args=[1]");
	SENT("{\"a\":1,\"b\":2.0}", "--args={\"b\":2.0}", "a=1");
	expect_sent(
	    "\"arguments\":{\"a\": 7}", "{\"a\": 7}", (const char *[]){ "--args", "@-", NULL });
}

static void
test_arguments_refused(void **state)
{
	struct outcome o;

	run(&o, 1, "call --demo list_users limit:=five");
	expect_err(&o, "limit: not JSON");
	end(&o);
	run(&o, 1, "call --demo list_users a.b.c=1");
	expect_err(&o, "a.b.c");
	end(&o);
	run(&o, 1, "call --demo list_users --args {");
	expect_err(&o, "--args: not JSON, 1:2");
	end(&o);
	run(&o, 1, "call --demo list_users --args [] limit=1");
	expect_err(&o, "the value is not an object");
	end(&o);
	run(&o, 1, "call --demo list_users --args @/nonexistent");
	expect_err(&o, "/nonexistent");
	end(&o);
	run(&o, 1, "call --demo");
	expect_err(&o, "the name of a tool is missing");
	end(&o);
}

static void
test_undeclared_arguments(void **state)
{
	struct outcome o;

	run(&o, 0, "call --demo list_users limt=1 other=1 role=admin --json");
	assert_string_equal(buf_text(&o.p.err),
	    "mcpane: limt is not in the inputSchema of list_users; did you mean limit?\n"
	    "mcpane: other is not in the inputSchema of list_users\n");
	expect_json(&o, "/result/structuredContent/total", "1");
	end(&o);
	run(&o, 0, "call --demo update_order order_id=ORD-1001 status=shipped ship_to.ciyt=Porto");
	expect_err(
	    &o, "ship_to.ciyt is not in the inputSchema of update_order; did you mean city?");
	end(&o);
	run(&o, 0, "call --demo nested x=1");
	expect_err(&o, "warning: x violates the inputSchema of nested: x is not declared");
	end(&o);
	run(&o, 0, "get --demo review_order order_ids=1 order_id=ORD-1001");
	expect_err(&o,
	    "order_ids is not in the list of arguments of review_order; did you mean order_id?");
	end(&o);
	run(&o, 0, "call any_keys colr=1 size=2 SERVER open-schema");
	expect_err(&o, "colr is not in the inputSchema of any_keys; did you mean color?");
	assert_null(strstr(buf_text(&o.p.err), "size"));
	end(&o);
}

/* ---- servers that cannot be reached ---- */

static void
test_unreachable(void **state)
{
	static const char *const lines[][2] = {
		{ "list -- mcpane-no-such-command", "mcpane-no-such-command: command not found" },
		{ "list SERVER dies-at-start", "exit code 3" },
		{ "call echo SERVER dies-at-start", "giving up" },
		{ "list --timeout 200 SERVER never-answers initialize", "timed out after 200 ms" },
		{ "list --timeout 200 --era modern SERVER good", "" },
	};
	struct outcome o;

	for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
		run(&o, 4, lines[i][0]);
		expect_err(&o, lines[i][1]);
		assert_int_equal(o.p.out.len, 0);
		end(&o);
	}
}

static void
test_config(void **state)
{
	char path[] = "/tmp/mcpane-cli-XXXXXX", line[200];
	struct outcome o;
	int fd = mkstemp(path);

	FILE *file = fdopen(fd, "w");
	fprintf(file,
	    "{\"mcpServers\":{\"bad\":{\"command\":\"%s\",\"args\":[\"good\"],\"x\":1},"
	    "\"far\":{\"type\":\"ws\",\"url\":\"https://example.com/mcp\"},"
	    "\"gone\":{\"url\":\"http://127.0.0.1:1/mcp\"}}}",
	    terminal_fixture("badserver"));
	fclose(file);
	snprintf(line, sizeof(line), "list --config %s --server bad", path);
	run(&o, 0, line);
	expect_json(&o, "/tools/0/name", "\"echo\"");
	end(&o);
	snprintf(line, sizeof(line), "list --config %s", path);
	run(&o, 1, line);
	expect_err(&o, "servers: bad, far, gone");
	end(&o);
	snprintf(line, sizeof(line), "list --config %s --server far", path);
	run(&o, 1, line);
	expect_err(&o, "far: unknown transport ws");
	end(&o);
	snprintf(line, sizeof(line), "list --config %s --server gone", path);
	run(&o, 4, line);
	expect_err(&o, "connection to 127.0.0.1 port 1: Connection refused");
	end(&o);
	unlink(path);
	run(&o, 1, line);
	expect_err(&o, path);
	end(&o);
}

/* ---- servers that misbehave ---- */

static const struct {
	const char *line;
	int exit_code;
	const char *status;
	const char *said;
} bad[] = {
	{ "call echo text=hi --json SERVER garbage-first", 0, "no-schema", "" },
	{ "call echo text=hi --json SERVER split-bytes", 0, "no-schema", "" },
	{ "call users --json SERVER answers-twice", 0, "valid", "" },
	{ "call users --json SERVER unknown-ids", 0, "valid", "" },
	{ "call echo text=hi --json SERVER batch", 0, "no-schema", "" },
	{ "call users --json SERVER floods 1", 0, "valid", "" },
	{ "call users --json SERVER stderr-flood 1", 0, "valid", "" },
	{ "call users --json SERVER pagination", 0, "valid", "" },
	{ "call users --json SERVER exits-on-discover", 0, "valid", "" },
	{ "call users --json SERVER ignores-eof", 0, "valid", "" },
	{ "call users --json SERVER ignores-sigterm", 0, "valid", "" },
	{ "call users --json SERVER leaves-sleeper", 0, "valid", "" },
	{ "call echo --json SERVER asks", 0, "no-schema",
	    "elicitation/create: Your name? (declined)" },
	{ "call echo --json SERVER invalid-utf8", 0, "no-schema", "" },
	{ "call echo --json SERVER answers-and-dies", 0, "no-schema", "" },
	{ "call echo --json SERVER is-error", 5, "no-schema", "isError" },
	{ "call sum --json SERVER is-error", 5, "not-applied", "isError" },
	{ "call sum --json SERVER error-reply", 5, "no-result", "-32000: The disk is full" },
	{ "call sum --json SERVER dies-mid-call", 4, "no-result", "exit code 4" },
	{ "call sum --json SERVER killed-by-signal", 4, "no-result", "SIGSEGV" },
	{ "call sum --json SERVER closes-output", 4, "no-result", "ended before it answered" },
	{ "call sum --json --timeout 1s SERVER never-answers", 4, "no-result",
	    "timed out after 1 s" },
	{ "call sum --json SERVER deep-nesting", 5, "no-result", "nested deeper than 1000" },
	{ "call sum --json --max-message 1M SERVER huge-line 2000000", 5, "no-result",
	    "the answer is too long: 20" },
	{ "call no_schema --json SERVER bad-tools", 0, "no-schema", "" },
	{ "call bad_output --json SERVER bad-tools", 0, "schema-broken", "at /type" },
};

static void
test_bad_servers(void **state)
{
	struct outcome o;
	char status[40];

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		run(&o, bad[i].exit_code, bad[i].line);
		if (!o.json)
			fail_msg("%s: no JSON\n%.2000s", bad[i].line, buf_text(&o.p.out));
		snprintf(status, sizeof(status), "\"%s\"", bad[i].status);
		expect_json(&o, "/validation/status", status);
		expect_err(&o, bad[i].said);
		end(&o);
	}
}

static void
test_died(void **state)
{
	struct outcome o;

	run(&o, 4, "call sum --json SERVER dies-mid-call");
	expect_json(&o, "/error/data/state", "\"server ended\"");
	expect_json(&o, "/error/data/stderr", "\"badserver: assertion failed: row != NULL\\n\"");
	end(&o);
	run(&o, 4, "call sum --timeout 2s SERVER panics");
	expect_err(&o, "sum: timed out after 2 s\n");
	expect_err(&o, "\n  thread 'rt' panicked at src/main.rs:41:9:\n  no such row: 7\n");
	expect_err(&o, "at /rustc/src/lib.rs:59:5\n");
	assert_null(strstr(buf_text(&o.p.err), "lib.rs:40:5"));
	end(&o);
	run(&o, 5, "call sum --json SERVER error-reply");
	expect_json(&o, "/error",
	    "{\"code\":-32000,\"message\":\"The disk is full\",\"data\":{\"free\":0}}");
	end(&o);
	run(&o, 5, "call nosuch SERVER good");
	expect_err(&o, "no tool nosuch; there are: echo, sum, users");
	end(&o);
	const char *argv[] = { terminal_program(), "list", "--", "sh", "-c",
		"i=0; while [ $i -lt 30 ]; do i=$((i+1)); echo \"line $i\" >&2; done; exit 3",
		NULL };
	program_run(&o.p, argv);
	assert_int_equal(o.p.exit_code, 4);
	expect_err(&o, "its standard error ended with:\n  line 21\n");
	expect_err(&o, "  line 30\n");
	end(&o);
}

/* With --json the output is always JSON: an error has the shape of an answer's. */
static void
test_json_without_result(void **state)
{
	static const struct {
		int code;
		const char *command, *message;
	} cases[] = {
		{ 5, "call nosuch --json SERVER good",
		    "\"there is no tool nosuch; there are: echo, sum, users\"" },
		{ 5, "get nosuch --json --demo",
		    "\"there is no prompt nosuch; there are: introduce, review_order, "
		    "plan_trip\"" },
		{ 1, "call list_users --json --demo limit:=x",
		    "\"limit: not JSON, 1:1: expected a value, found x\"" },
		{ 5, "list --json SERVER list-refused", "\"tools/list: No tools today\"" },
		{ 5, "call echo --json SERVER list-refused", "\"tools/list: No tools today\"" },
		{ 4, "list --json -- /nonexistent", "\"/nonexistent: no such file\"" },
		{ 4, "call x --json -- false",
		    "\"false: it ended before it was ready: exit code 1\"" },
		{ 4, "ping --json -- false",
		    "\"false: it ended before it was ready: exit code 1\"" },
	};
	struct outcome o;

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		run(&o, cases[i].code, cases[i].command);
		expect_json(&o, "/error/message", cases[i].message);
		end(&o);
	}
}

/* The line that is not taken whole is not kept either. */
static void
test_huge_line(void **state)
{
	struct outcome o;

	run(&o, 5, "call sum SERVER huge-line");
	expect_err(&o, "the answer is too long: 67108");
	assert_int_equal(o.p.out.len, 0);
	end(&o);
}

static void
test_lists(void **state)
{
	struct outcome o;

	run(&o, 0, "list SERVER bad-tools");
	assert_int_equal(json_count(json_pointer_find(o.json, "/tools")), 14);
	expect_json(&o, "/tools/3", "null");
	expect_json(&o, "/tools/4", "\"a string\"");
	expect_err(&o, "tool 2, (no name)");
	assert_null(strstr(buf_text(&o.p.err), "tool 1,"));
	end(&o);
	run(&o, 0, "list SERVER endless-pages");
	expect_err(&o, "repeats a cursor");
	end(&o);
	run(&o, 0, "list SERVER many-tools 3000");
	assert_int_equal(json_count(json_pointer_find(o.json, "/tools")), 3000);
	end(&o);
	run(&o, 4, "list --timeout 1s SERVER never-answers tools/list");
	expect_err(&o, "timed out after 1 s");
	end(&o);
}

/* ---- ends ---- */

static void
test_signals(void **state)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct outcome o;
	char *words;

	for (size_t i = 0; i < ARRAY_LEN(signals); i++) {
		words = mem_strdup("call sum SERVER never-answers");
		o = (struct outcome){ 0 };
		start(&o, words);
		program_wait_processes(&o.p, 1);
		kill(o.p.pid, signals[i]);
		program_finish(&o.p, "", 0);
		assert_int_equal(o.p.exit_code, 128 + signals[i]);
		end(&o);
		free(words);
	}
}

static void
test_nobody_reads(void **state)
{
	/* more than a pipe holds: it cannot be written before the pipe is closed */
	char *words = mem_strdup("call --demo rows count=20000 --json");
	struct outcome o = { 0 };

	start(&o, words);
	close(o.p.out_fd);
	o.p.out_fd = -1;
	program_finish(&o.p, "", 0);
	assert_int_equal(o.p.exit_code, 128 + SIGPIPE);
	assert_int_equal(o.p.err.len, 0);
	end(&o);
	free(words);
}

/* A closed standard stream is not reused for another file. */
static void
test_cannot_be_written(void **state)
{
	static const char *const words[] = { "--help", "--version", "list --demo", "ping --demo",
		"call --demo list_users", "read --demo demo://users.json" };
	static const char full[] = "mcpane: cannot write: No space left on device\n";
	static const char closed[] = "mcpane: cannot write: Bad file descriptor\n";

	for (size_t i = 0; i < 2 * ARRAY_LEN(words); i++) {
		struct outcome o = { 0 };
		char *line =
		    mem_printf("exec \"$0\" %s >%s", words[i / 2], i % 2 ? "&-" : "/dev/full");
		const char *argv[] = { "/bin/sh", "-c", line, terminal_program(), NULL };
		program_run(&o.p, argv);
		if (o.p.exit_code != 1 || strcmp(buf_text(&o.p.err), i % 2 ? closed : full) != 0)
			fail_msg("%s: %d %s", line, o.p.exit_code, buf_text(&o.p.err));
		end(&o);
		free(line);
	}
}

/* ---- on a terminal ---- */

static void
test_list_on_terminal(void **state)
{
	const char *const argv[] = { terminal_program(), "list", "--demo", NULL };
	struct terminal_options options = { .argv = argv, .rows = 40, .cols = 90 };
	struct terminal *t = terminal_start(&options);

	assert_int_equal(terminal_wait_exit(t), 0);
	assert_true(terminal_find(t, "NAME", NULL, NULL));
	assert_true(terminal_find(t, "list_users ", NULL, NULL));
	assert_true(terminal_find(t, "read-only idempotent", NULL, NULL));
	assert_true(terminal_find(t, "protocol 2026-07-28", NULL, NULL));
	terminal_assert_never(t, "\033");
	terminal_assert_never(t, "\302\233");
	terminal_close(t);
}

static void
test_call_on_terminal(void **state)
{
	const char *const argv[] = { terminal_program(), "call", "--demo", "hostile", NULL };
	const char *const json[] = { terminal_program(), "call", "--demo", "hostile", "--json",
		NULL };
	const char *const *const lines[] = { argv, json };

	for (size_t i = 0; i < 2; i++) {
		struct terminal_options options = { .argv = lines[i], .rows = 200 };
		struct terminal *t = terminal_start(&options);
		assert_int_equal(terminal_wait_exit(t), 0);
		assert_true(terminal_find(t, "Your screen is still here", NULL, NULL));
		terminal_assert_never(t, "\033");
		terminal_assert_never(t, "\302\233");
		terminal_assert_never(t, "\342\200\256"); /* right-to-left override */
		terminal_close(t);
	}
}

/* Headings that are longer than their cells give way to cells that would be cut. */
static void
test_narrow_terminal(void **state)
{
	const char *const argv[] = { terminal_program(), "call", "--demo", "search_orders", NULL };
	struct terminal_options options = { .argv = argv, .rows = 40, .cols = 62 };
	struct terminal *t = terminal_start(&options);

	assert_int_equal(terminal_wait_exit(t), 0);
	assert_true(terminal_find(
	    t, "order_id  …r.name  …ntry  status     items   total  placed", NULL, NULL));
	assert_true(terminal_find(
	    t, "ORD-1006  Bob      DE     cancelled      3    7.10  2026-07-22", NULL, NULL));
	terminal_close(t);
}

/* A call that fails for lack of server requests is repeated in the legacy era if it changes nothing
 * and the user named no era. */
static void
test_repeated_in_the_legacy_era(void **state)
{
	struct outcome o;

	run(&o, 0, "call roots SERVER two-eras readonly");
	expect_out(&o, "no roots");
	expect_err(&o, "only in the legacy era; the call is repeated there");
	end(&o);
	run(&o, 5, "call roots SERVER two-eras");
	expect_err(&o, "only in the legacy era: try --era legacy");
	end(&o);
	run(&o, 5, "call --era modern roots SERVER two-eras readonly");
	expect_err(&o, "only in the legacy era: try --era legacy");
	end(&o);
}

/* Another app comes while the page of the first one is being read. */
static void
test_apps_listed_late(void **state)
{
	struct outcome o;

	run(&o, 7, "apps --json SERVER pages-change");
	expect_json(&o, "/apps/0/tool", "\"listed_2\"");
	expect_json(
	    &o, "/apps/0/error", "\"the server listed it too late: its page was not read\"");
	end(&o);
}

TEST_FILE(cli)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_list_json),
		cmocka_unit_test(test_call_json),
		cmocka_unit_test(test_call_text),
		cmocka_unit_test(test_harmless_through_a_pipe),
		cmocka_unit_test(test_conformance_calls_only_read_only_tools),
		cmocka_unit_test(test_raw),
		cmocka_unit_test(test_arguments),
		cmocka_unit_test(test_arguments_refused),
		cmocka_unit_test(test_undeclared_arguments),
		cmocka_unit_test(test_unreachable),
		cmocka_unit_test(test_config),
		cmocka_unit_test(test_bad_servers),
		cmocka_unit_test(test_died),
		cmocka_unit_test(test_json_without_result),
		cmocka_unit_test(test_huge_line),
		cmocka_unit_test(test_repeated_in_the_legacy_era),
		cmocka_unit_test(test_lists),
		cmocka_unit_test(test_apps_listed_late),
		cmocka_unit_test(test_signals),
		cmocka_unit_test(test_nobody_reads),
		cmocka_unit_test(test_cannot_be_written),
		cmocka_unit_test(test_list_on_terminal),
		cmocka_unit_test(test_call_on_terminal),
		cmocka_unit_test(test_narrow_terminal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

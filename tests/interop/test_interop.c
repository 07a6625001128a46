/* The real program against servers that other people wrote, by its commands for scripts. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/mem.h"
#include "json/doc.h"
#include "json/number.h"
#include "json/pointer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define DEADLINE_S 90
#define ARGS_MAX 32
#define DIR "build/interop"
#define PACKAGES DIR "/node_modules/@modelcontextprotocol/"

#define NODE DIR "/run-node"
#define MODERN NODE, DIR "/modern-server.mjs"
#define EVERYTHING NODE, PACKAGES "server-everything/dist/index.js", "stdio"
#define FILES NODE, PACKAGES "server-filesystem/dist/index.js", "build/interop/files"
#define MEMORY NODE, PACKAGES "server-memory/dist/index.js"

/* What one run of the program came to. */
struct run {
	int exit_status; /* 128 + signal when it was killed */
	struct buf out, err;
	struct json_doc *doc;
	const cJSON *json; /* what it printed */
};

static const char *
program(void)
{
	const char *path = getenv("MCPANE");

	return path ? path : "build/mcpane";
}

static void
read_all(FILE *f, struct buf *out)
{
	char bytes[4096];
	size_t n;

	rewind(f);
	while ((n = fread(bytes, 1, sizeof(bytes), f)) > 0)
		buf_add(out, bytes, n);
	fclose(f);
}

/* Runs the program with arguments up to NULL. Its output goes to files, so that no pipe can fill
 * up. */
static void
start(struct run *r, va_list args)
{
	const char *argv[ARGS_MAX] = { program() };
	size_t argc = 1;
	FILE *out = tmpfile(), *err = tmpfile();
	int status = 0;

	assert_true(out && err);
	while (argc < ARGS_MAX - 1 && (argv[argc] = va_arg(args, const char *)))
		argc++;
	pid_t pid = fork();
	if (pid == 0) {
		alarm(DEADLINE_S);
		dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), 0);
		dup2(fileno(out), 1);
		dup2(fileno(err), 2);
		execv(argv[0], (char **)argv);
		_exit(127);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	*r = (struct run){ .exit_status =
			       WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status) };
	read_all(out, &r->out);
	read_all(err, &r->err);
}

static void
finish(struct run *r)
{
	json_doc_destroy(r->doc);
	buf_finish(&r->out);
	buf_finish(&r->err);
	*r = (struct run){ 0 };
}

/* Runs the program, which has to exit with exit_status and, with --json, to print JSON. */
static void
run(struct run *r, int exit_status, ...)
{
	struct json_error error = { 0 };
	va_list args;

	finish(r);
	va_start(args, exit_status);
	start(r, args);
	va_end(args);
	if (r->exit_status != exit_status)
		fail_msg("exit %d, not %d\n%s\n%s", r->exit_status, exit_status, buf_text(&r->out),
		    buf_text(&r->err));
	r->doc = json_parse(buf_text(&r->out), r->out.len, NULL, &error);
	if (!r->doc)
		fail_msg("no JSON: %s\n%s", error.text, buf_text(&r->out));
	r->json = json_root(r->doc);
}

static const cJSON *
at(const struct run *r, const char *pointer)
{
	return json_pointer_find(r->json, pointer);
}

static void
expect_text(const struct run *r, const char *pointer, const char *text)
{
	const char *found = json_string(at(r, pointer));

	if (!found || strcmp(found, text) != 0)
		fail_msg("%s is not \"%s\":\n%s", pointer, text, buf_text(&r->out));
}

static void
expect_number(const struct run *r, const char *pointer, const char *text)
{
	char buffer[JSON_NUMBER_TEXT_MAX];
	const cJSON *found = at(r, pointer);

	if (json_type(found) != JSON_NUMBER || strcmp(json_number_text(found, buffer), text) != 0)
		fail_msg("%s is not %s:\n%s", pointer, text, buf_text(&r->out));
}

static void
expect_within(const struct run *r, const char *pointer, const char *part)
{
	const char *found = json_string(at(r, pointer));

	if (!found || !strstr(found, part))
		fail_msg("%s does not hold \"%s\":\n%s", pointer, part, buf_text(&r->out));
}

static void
expect_type(const struct run *r, const char *pointer, enum json_type type)
{
	if (json_type(at(r, pointer)) != type)
		fail_msg("%s is %s:\n%s", pointer, json_type_name(json_type(at(r, pointer))),
		    buf_text(&r->out));
}

/* The tool of that name in what `list --json` printed: an array, or an object with the member
 * tools. */
static const cJSON *
tool(const struct run *r, const char *name)
{
	const cJSON *list = json_type(r->json) == JSON_ARRAY ? r->json : json_get(r->json, "tools");

	for (const cJSON *t = json_first(list); t; t = t->next)
		if (json_get_string(t, "name") && strcmp(json_get_string(t, "name"), name) == 0)
			return t;
	fail_msg("no tool %s:\n%s", name, buf_text(&r->out));
	return NULL;
}

/* ---- a modern server on the official TypeScript package ---- */

static const char *const eras[] = { "auto", "modern", "legacy" };
#define ERA_COUNT (sizeof(eras) / sizeof(*eras))

static void
test_modern_list(void **state)
{
	struct run r = { 0 };

	(void)state;
	for (size_t i = 0; i < ERA_COUNT; i++) {
		run(&r, 0, "list", "--json", "--era", eras[i], "--", MODERN, NULL);
		expect_text(&r, "/server/name", "modern");
		expect_text(&r, "/server/protocolVersion",
		    strcmp(eras[i], "legacy") == 0 ? "2025-11-25" : "2026-07-28");
		assert_string_equal(json_get_string(tool(&r, "cities"), "title"), "Cities");
		const cJSON *input = json_get(tool(&r, "cities"), "inputSchema");
		assert_int_equal(
		    json_type(json_pointer_find(input, "/properties/limit")), JSON_OBJECT);
		assert_non_null(json_get(tool(&r, "broken_cities"), "outputSchema"));
		assert_null(json_get(tool(&r, "count"), "outputSchema"));
	}
	finish(&r);
}

static void
test_modern_tables(void **state)
{
	struct run r = { 0 };

	(void)state;
	for (size_t i = 0; i < ERA_COUNT; i++) {
		run(&r, 0, "call", "--json", "--era", eras[i], "cities", "limit:=2", "--", MODERN,
		    NULL);
		expect_text(&r, "/result/content/0/text", "2 cities");
		expect_text(&r, "/result/structuredContent/cities/1/city", "Madrid");
		expect_type(&r, "/result/structuredContent/cities/1/river", JSON_NULL);
		expect_type(&r, "/result/structuredContent/cities/2", JSON_ABSENT);
		expect_text(&r, "/validation/status", "valid");
		run(&r, 7, "call", "--json", "--era", eras[i], "broken_cities", "--", MODERN, NULL);
		expect_text(&r, "/validation/status", "invalid");
		assert_int_equal(json_count(at(&r, "/validation/errors")), 2);
		expect_text(&r, "/validation/errors/0/instancePath", "/cities/0/id");
		expect_text(&r, "/validation/errors/0/keyword", "type");
		expect_text(&r, "/validation/errors/1/instancePath", "/cities/1");
		expect_text(&r, "/validation/errors/1/keyword", "required");
		expect_text(&r, "/result/structuredContent/cities/0/id", "1");
	}
	finish(&r);
}

static void
test_modern_shapes(void **state)
{
	struct run r = { 0 };

	(void)state;
	run(&r, 0, "call", "--json", "numbers", "--", MODERN, NULL);
	expect_number(&r, "/result/structuredContent/2", "3");
	expect_text(&r, "/validation/status", "valid");
	run(&r, 0, "call", "--json", "nothing", "--", MODERN, NULL);
	expect_type(&r, "/result/structuredContent", JSON_NULL);
	expect_text(&r, "/validation/status", "valid");
	/* To a legacy client the package wraps what is not an object, and its schema too. */
	run(&r, 0, "call", "--json", "--era", "legacy", "numbers", "--", MODERN, NULL);
	expect_number(&r, "/result/structuredContent/result/2", "3");
	expect_text(&r, "/validation/status", "valid");
	finish(&r);
}

static void
test_modern_runs(void **state)
{
	struct run r = { 0 };

	(void)state;
	run(&r, 0, "call", "--json", "count", "to:=5", "--", MODERN, NULL);
	expect_text(&r, "/result/content/0/text", "counted to 5");
	run(&r, 5, "call", "--json", "fails", "--", MODERN, NULL);
	expect_text(&r, "/result/content/0/text", "the map is out of print");
	assert_true(json_is_true(at(&r, "/result/isError")));
	expect_text(&r, "/validation/status", "not-applied");
	run(&r, 5, "call", "--json", "cities", "limit:=99", "--", MODERN, NULL);
	expect_within(&r, "/result/content/0/text", "Input validation error");
	/* It would ask back, and we never said that we can be asked. */
	run(&r, 5, "call", "--json", "deploy", "--", MODERN, NULL);
	expect_number(&r, "/error/code", "-32021");
	run(&r, 5, "call", "--json", "--era", "legacy", "deploy", "--", MODERN, NULL);
	expect_within(&r, "/result/content/0/text", "Cannot request input");
	finish(&r);
}

/* ---- server-everything ---- */

static void
test_everything_list(void **state)
{
	struct run r = { 0 };

	(void)state;
	run(&r, 0, "list", "--json", "--", EVERYTHING, NULL);
	assert_non_null(json_get(tool(&r, "get-structured-content"), "outputSchema"));
	assert_non_null(json_get_string(tool(&r, "echo"), "description"));
	run(&r, 0, "list", "--json", "--era", "legacy", "--", EVERYTHING, NULL);
	tool(&r, "get-sum");
	finish(&r);
}

static void
test_everything_calls(void **state)
{
	struct run r = { 0 };

	(void)state;
	run(&r, 0, "call", "--json", "echo", "message=caf\xc3\xa9 \"x\"\n", "--", EVERYTHING, NULL);
	expect_within(&r, "/result/content/0/text", "caf\xc3\xa9 \"x\"\n");
	expect_text(&r, "/validation/status", "no-schema");
	run(&r, 0, "call", "--json", "get-sum", "a:=2", "b:=40", "--", EVERYTHING, NULL);
	expect_within(&r, "/result/content/0/text", "42");
	run(&r, 0, "call", "--json", "get-sum", "--args", "{\"a\":1,\"b\":2}", "--", EVERYTHING,
	    NULL);
	expect_within(&r, "/result/content/0/text", "3");
	run(&r, 0, "call", "--json", "get-structured-content", "location=New York", "--",
	    EVERYTHING, NULL);
	expect_type(&r, "/result/structuredContent/temperature", JSON_NUMBER);
	expect_text(&r, "/validation/status", "valid");
	run(&r, 0, "call", "--json", "get-tiny-image", "--", EVERYTHING, NULL);
	expect_text(&r, "/result/content/1/type", "image");
	run(&r, 0, "call", "--json", "get-resource-links", "count:=2", "--", EVERYTHING, NULL);
	expect_text(&r, "/result/content/1/type", "resource_link");
	run(&r, 0, "call", "--json", "trigger-long-running-operation", "duration:=1", "steps:=3",
	    "--", EVERYTHING, NULL);
	expect_within(&r, "/result/content/0/text", "completed");
	run(&r, 5, "call", "--json", "get-sum", "a=two", "b:=40", "--", EVERYTHING, NULL);
	assert_true(json_is_true(at(&r, "/result/isError")));
	finish(&r);
}

/* ---- server-filesystem ---- */

static void
test_files(void **state)
{
	struct run r = { 0 };

	(void)state;
	run(&r, 0, "list", "--json", "--", FILES, NULL);
	assert_non_null(json_get(tool(&r, "read_text_file"), "outputSchema"));
	run(&r, 0, "call", "--json", "write_file", "path=a.txt", "content=one\ntwo\n", "--", FILES,
	    NULL);
	run(&r, 0, "call", "--json", "read_text_file", "path=a.txt", "--", FILES, NULL);
	expect_text(&r, "/result/content/0/text", "one\ntwo\n");
	expect_text(&r, "/result/structuredContent/content", "one\ntwo\n");
	expect_text(&r, "/validation/status", "valid");
	run(&r, 0, "call", "--json", "list_directory", "path=.", "--", FILES, NULL);
	expect_within(&r, "/result/content/0/text", "a.txt");
	run(&r, 5, "call", "--json", "read_text_file", "path=/etc/passwd", "--", FILES, NULL);
	assert_true(json_is_true(at(&r, "/result/isError")));
	finish(&r);
}

/* ---- server-memory ---- */

static void
test_memory(void **state)
{
	struct run r = { 0 };
	char path[4096];

	(void)state;
	assert_non_null(getcwd(path, sizeof(path) - 64));
	strncat(path, "/build/interop/memory.jsonl", 64);
	remove(path);
	setenv("MEMORY_FILE_PATH", path, 1);
	run(&r, 0, "list", "--json", "--", MEMORY, NULL);
	tool(&r, "create_entities");
	run(&r, 0, "call", "--json", "create_entities", "--args",
	    "{\"entities\":[{\"name\":\"Ada\",\"entityType\":\"person\",\"observations\":["
	    "\"counts\"]}]}",
	    "--", MEMORY, NULL);
	expect_text(&r, "/result/structuredContent/entities/0/name", "Ada");
	run(&r, 0, "call", "--json", "read_graph", "--", MEMORY, NULL);
	expect_text(&r, "/result/structuredContent/entities/0/observations/0", "counts");
	expect_type(&r, "/result/structuredContent/relations", JSON_ARRAY);
	expect_text(&r, "/validation/status", "valid");
	remove(path);
	finish(&r);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_modern_list),
	cmocka_unit_test(test_modern_tables),
	cmocka_unit_test(test_modern_shapes),
	cmocka_unit_test(test_modern_runs),
	cmocka_unit_test(test_everything_list),
	cmocka_unit_test(test_everything_calls),
	cmocka_unit_test(test_files),
	cmocka_unit_test(test_memory),
};

/* Installs the servers. False: that could not be done, and why says the reason. */
static bool
install(struct buf *why)
{
	FILE *script = popen("sh tests/interop/install.sh " DIR " && mkdir -p " DIR "/files", "r");
	int c;

	while (script && (c = fgetc(script)) != EOF)
		buf_add_char(why, c == '\n' ? ' ' : (char)c);
	int status = script ? pclose(script) : -1;
	if (status != 0 && (!WIFEXITED(status) || WEXITSTATUS(status) != 77)) {
		printf("install.sh failed: %s\n", buf_text(why));
		exit(1);
	}
	return status == 0;
}

int
main(void)
{
	struct buf why = BUF_INIT;
	bool installed = install(&why);

	if (!installed)
		printf("SKIPPED: %zu INTEROP TESTS: %s\n", sizeof(tests) / sizeof(*tests),
		    buf_text(&why));
	buf_finish(&why);
	return installed ? cmocka_run_group_tests(tests, NULL, NULL) : 77;
}

/* SPDX-License-Identifier: MIT */
/* The servers of the official conformance suite, recorded by the screen, and the replay of these
 * recordings: a call gives the same bytes on both. The suite's client waits meanwhile. */
#include "e2e.h"
#include "interop.h"
#include "program.h"
#include "test.h"

#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NPM "build/interop"
#define SUITE NPM "/node_modules/@modelcontextprotocol/conformance/dist/index.js"

static const struct scenario {
	const char *version, *name, *tool, *arguments[3];
} scenarios[] = {
	{ "2025-11-25", "tools_call", "add_numbers", { "a:=2", "b:=40" } },
	{ "2026-07-28", "tools_call", "add_numbers", { "a:=2", "b:=40" } },
	{ "2026-07-28", "http-standard-headers", "test_headers", { NULL } },
	{ "2026-07-28", "sep-2322-client-request-state", "test_mrtr_unrelated", { NULL } },
};

/* Says its URL in a file, and ends when there is another. */
static const char client[] = "for url; do :; done\n"
			     "cd \"$(dirname \"$0\")\" && echo \"$url\" >new && mv new url\n"
			     "until [ -e done ]; do sleep 0.05; done\n";

static char folder[] = "/tmp/mcpane-suite-XXXXXX";

static int
set_up(void **state)
{
	strcpy(folder + strlen(folder) - 6, "XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static int
tear_down(void **state)
{
	char *command = mem_printf("rm -rf %s", folder);

	e2e_teardown(state);
	int status = system(command);
	free(command);
	return status;
}

static void
write_file(const char *name, const char *text)
{
	char *path = mem_printf("%s/%s", folder, name);

	assert_true(path_write_file(path, text, strlen(text), NULL));
	free(path);
}

/* Runs until there is a file `done`. Returns the server's URL. */
static char *
start_suite(struct program *p, const struct scenario *s)
{
	char *command = mem_printf("sh %s/client.sh", folder), *path = mem_printf("%s/url", folder);
	struct buf url = BUF_INIT;

	write_file("client.sh", client);
	program_start(
	    p, ARGV(NPM "/run-node", SUITE, "client", "--scenario", s->name, "--spec-version",
		   s->version, "--timeout", "120000", "--command", command, "-o", folder));
	for (int i = 0; i < 1200 && url.len == 0; i++) {
		usleep(50000);
		path_read_file(path, &url, NULL);
	}
	if (url.len == 0)
		fail_msg("the suite gave no URL");
	url.data[url.len - 1] = '\0';
	free(command);
	free(path);
	return buf_detach(&url);
}

static void
record(void **state, const struct scenario *s, const char *url, const char *file)
{
	struct terminal *t = e2e_start(state, &(struct terminal_options){ .argv = ARGV(url) });
	char *line = mem_printf("record session %s", file);

	e2e_wait(t, s->tool);
	e2e_run(t, line);
	e2e_wait(t, "recording the session to");
	free(line);
	line = mem_printf("tool %s", s->tool);
	e2e_run(t, line);
	free(line);
	for (size_t i = 0; s->arguments[i]; i++) {
		char *set = mem_printf("set %s", s->arguments[i]), *sign = strstr(set, ":=");
		memcpy(sign, "  ", 2);
		e2e_run(t, set);
		free(set);
	}
	e2e_press(t, "f5");
	e2e_wait(t, "· last ");
	e2e_run(t, "record session stop");
	e2e_wait(t, "wrote ");
	e2e_leave(t);
	e2e_teardown(state);
}

/* What mcpane WORDS... prints, on a server of this URL, or with this command. */
static struct buf
ask(const char *const *words, const char *url, const char *const *command)
{
	const char *argv[24] = { terminal_program(), *words++ };
	struct program p;
	size_t n = 2;

	if (url)
		argv[n++] = url;
	while (*words)
		argv[n++] = *words++;
	argv[n++] = "--json";
	while (!url && *command)
		argv[n++] = *command++;
	char *program = mem_strdup(argv[0]);
	argv[0] = program;
	program_run(&p, argv);
	if (p.exit_code != 0)
		fail_msg("exit %d\n%s\n%s", p.exit_code, buf_text(&p.out), buf_text(&p.err));
	struct buf out = p.out;
	p.out = (struct buf)BUF_INIT;
	program_free(&p);
	free(program);
	return out;
}

static void
test_scenario(void **state)
{
	const struct scenario *s = *state;

	*state = NULL;
	set_up(state);
	char *file = mem_printf("%s/http.jsonl", folder), *program = mem_strdup(terminal_program());
	const char *const replay[] = { "--", program, "replay", file, "--strict", "--speed", "max",
		NULL };
	const char *const call[] = { "call", s->tool, s->arguments[0], s->arguments[1], NULL };
	struct program suite;
	char *url = start_suite(&suite, s);
	record(state, s, url, file);
	const char *const *asked[] = { ARGV("list"), call };
	for (size_t i = 0; i < ARRAY_LEN(asked); i++) {
		struct buf live = ask(asked[i], url, NULL), again = ask(asked[i], NULL, replay);
		print_message("%s %s %s: %zu bytes\n", s->version, s->name, asked[i][0], live.len);
		assert_string_equal(buf_text(&again), buf_text(&live));
		buf_finish(&live);
		buf_finish(&again);
	}
	write_file("done", "");
	program_finish(&suite, NULL, 0);
	program_free(&suite);
	tear_down(state);
	free(url);
	free(program);
	free(file);
}

TEST_FILE(suite_replay)
{
	struct CMUnitTest tests[ARRAY_LEN(scenarios)];

	if (!interop_ready("sh tests/interop/install.sh " NPM, ARRAY_LEN(scenarios)))
		return INTEROP_SKIPPED;
	for (size_t i = 0; i < ARRAY_LEN(scenarios); i++)
		tests[i] = (struct CMUnitTest){ scenarios[i].name, test_scenario, NULL, NULL,
			(void *)&scenarios[i] };
	return _cmocka_run_group_tests("tests", tests, ARRAY_LEN(tests), NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* What a server on a package of others sent, and what the replay of its recording sends: the same
 * bytes. */
#include "interop.h"
#include "program.h"
#include "recorded.h"
#include "test.h"

#include "base/mem.h"
#include "base/path.h"
#include "base/strings.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

#define PYTHON "build/interop-python"
#define IN_PYTHON(version) PYTHON "/" version "/bin/python", "tests/interop/python/server.py"
#define GO "build/interop-go"
#define NPM "build/interop"
#define EVERYTHING \
	NPM "/run-node", NPM "/node_modules/@modelcontextprotocol/server-everything/dist/index.js"
#define MODERN "sh", "-c", "cd " NPM " && exec ./run-node modern-server.mjs"

#define TRAVEL                                                                            \
	"{\"tests\":[{\"call\":\"cities\",\"arguments\":{\"limit\":2}},"                  \
	"{\"call\":\"cities\",\"arguments\":{\"limit\":99},\"expect\":{\"error\":true}}," \
	"{\"call\":\"count\",\"arguments\":{\"to\":5}},"                                  \
	"{\"call\":\"fails\",\"expect\":{\"error\":true}},{\"read\":\"notes://today\"},"  \
	"{\"get\":\"plan\",\"arguments\":{\"destination\":\"Porto\"}},"                   \
	"{\"call\":\"cities\",\"arguments\":{\"limit\":2}},{\"call\":\"travel\"}]}"
#define ALL                                                                                        \
	"{\"tests\":[{\"call\":\"echo\",\"arguments\":{\"message\":\"h\\u00e9 \\ud83d\\ude00\"}}," \
	"{\"call\":\"get-sum\",\"arguments\":{\"a\":2,\"b\":40}},"                                 \
	"{\"call\":\"get-structured-content\",\"arguments\":{\"location\":\"Chicago\"}},"          \
	"{\"call\":\"get-tiny-image\"},{\"call\":\"get-resource-links\"},"                         \
	"{\"call\":\"trigger-long-running-operation\",\"arguments\":{\"duration\":0.2,\"steps\":"  \
	"2}},"                                                                                     \
	"{\"read\":\"demo://resource/static/document/features.md\"},"                              \
	"{\"get\":\"simple-prompt\"}]}"
#define TABLES                                                           \
	"{\"tests\":[{\"call\":\"cities\",\"arguments\":{\"limit\":2}}," \
	"{\"call\":\"numbers\"},{\"call\":\"count\"},"                   \
	"{\"call\":\"fails\",\"expect\":{\"error\":true}}]}"

static const struct way {
	const char *name, *install, *recipe, *era;
	const char *server[6];
	bool in_time; /* what the client asks for depends on when it is told of changes */
} ways[] = {
	{ "Python 1", PYTHON " 1", TRAVEL, "legacy", { IN_PYTHON("1") }, false },
	{ "Python 2", PYTHON " 2", TRAVEL, "legacy", { IN_PYTHON("2") }, false },
	{ "Python 2", PYTHON " 2", TRAVEL, "modern", { IN_PYTHON("2") }, false },
	{ "Go", GO, TRAVEL, "legacy", { GO "/server" }, false },
	{ "Go", GO, TRAVEL, "modern", { GO "/server" }, false },
	{ "npm", NPM, ALL, "legacy", { EVERYTHING, "stdio" }, true },
	{ "npm", NPM, TABLES, "modern", { MODERN }, false },
};

static char folder[] = "/tmp/mcpane-replay-XXXXXX";

static char *
in_folder(const char *name)
{
	return mem_printf("%s/%s", folder, name);
}

static int
make_folder(void **state)
{
	return mkdtemp(folder) ? 0 : -1;
}

static int
remove_folder(void **state)
{
	char *command = mem_printf("rm -rf %s", folder);
	int status = system(command);

	free(command);
	return status;
}

/* mcpane test RECIPE -- mcpane record FILE -- SERVER..., until the recorder has ended, too. */
static void
talk(const struct way *w, const char *file, const char *const *server, struct buf *report)
{
	const char *program = getenv("MCPANE") ? getenv("MCPANE") : "build/mcpane";
	char *recipe = in_folder("recipe.json");
	const char *argv[32] = { program, "test", recipe, "--format", "tap", "--era", w->era, "--",
		program, "record", file, "--" };
	size_t n = 12;
	struct program p;

	while (*server)
		argv[n++] = *server++;
	assert_true(path_write_file(recipe, w->recipe, strlen(w->recipe), NULL));
	program_run(&p, argv);
	program_wait_processes(&p, 0);
	if (p.exit_code != 0 && p.exit_code != 2)
		fail_msg("exit %d\n%s\n%s", p.exit_code, buf_text(&p.out), buf_text(&p.err));
	buf_add(report, p.out.data, p.out.len);
	program_free(&p);
	free(recipe);
}

/* Says the first line that is another one. */
static void
expect_same(const struct buf *live, const struct buf *again)
{
	const char *a = buf_text(live), *b = buf_text(again);

	while (*a && *b && strcspn(a, "\n") == strcspn(b, "\n") &&
	       strncmp(a, b, strcspn(a, "\n")) == 0) {
		a += strcspn(a, "\n") + (strchr(a, '\n') != NULL);
		b += strcspn(b, "\n") + (strchr(b, '\n') != NULL);
	}
	if (*a || *b || live->len != again->len)
		fail_msg("live:\n%.2000s\nits replay:\n%.2000s", a, b);
}

static int
by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The lines in an order that does not depend on time: a server may answer two requests in either
 * order. If the requests do, too, only the different responses, without their ids. */
static void
sort_lines(struct buf *bytes, bool in_time)
{
	struct strings lines = { 0 };
	char *rest = NULL;

	for (char *line = strtok_r(bytes->data, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		if (in_time && strstr(line, "\"method\":"))
			continue;
		for (char *id = line; in_time && (id = strstr(id, "\"id\":")); id += 5) {
			size_t digits = strspn(id + 5, "0123456789");
			memmove(id + 5, id + 5 + digits, strlen(id + 5 + digits) + 1);
		}
		if (!in_time || !strings_have(&lines, line))
			strings_add(&lines, line);
	}
	qsort(lines.items, lines.len, sizeof(*lines.items), by_text);
	struct buf sorted = BUF_INIT;
	for (size_t i = 0; i < lines.len; i++)
		buf_addf(&sorted, "%s\n", lines.items[i]);
	strings_finish(&lines);
	buf_finish(bytes);
	*bytes = sorted;
}

static void
test_way(void **state)
{
	const struct way *w = *state;
	const char *program = getenv("MCPANE") ? getenv("MCPANE") : "build/mcpane";
	char *live = mem_printf("%s/%zu-live.jsonl", folder, (size_t)(w - ways));
	char *again = mem_printf("%s/%zu-again.jsonl", folder, (size_t)(w - ways));
	struct buf first = BUF_INIT, second = BUF_INIT;
	struct recorded a, b;

	print_message("%s, %s\n", w->name, w->era);
	talk(w, live, w->server, &first);
	talk(w, again,
	    (const char *const[]){ program, "replay", live, "--strict", "--speed", "max", NULL },
	    &second);
	print_message("%s", buf_text(&first));
	recorded_read(&a, live, RECORDING_RECEIVED);
	recorded_read(&b, again, RECORDING_RECEIVED);
	print_message("%zu bytes in %zu lines\n", a.bytes.len, a.lines);
	assert_true(a.bytes.len > 1000);
	sort_lines(&a.bytes, w->in_time);
	sort_lines(&b.bytes, w->in_time);
	expect_same(&a.bytes, &b.bytes);
	buf_finish(&first);
	buf_finish(&second);
	buf_finish(&a.bytes);
	buf_finish(&b.bytes);
	free(live);
	free(again);
}

static bool
is_there(const struct way *w)
{
	char *command = mem_printf("sh tests/interop/install%s.sh %s",
	    strstr(w->install, "python") ? "-python"
	    : strstr(w->install, "go")   ? "-go"
					 : "",
	    w->install);
	bool ok = interop_ready(command, 1);

	free(command);
	return ok;
}

TEST_FILE(replay)
{
	struct CMUnitTest tests[ARRAY_LEN(ways)];
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_LEN(ways); i++)
		if (is_there(&ways[i]))
			tests[n++] = (struct CMUnitTest){ ways[i].name, test_way, NULL, NULL,
				(void *)&ways[i] };
	return n == 0 ? INTEROP_SKIPPED
		      : _cmocka_run_group_tests("tests", tests, n, make_folder, remove_folder);
}

/* SPDX-License-Identifier: MIT */
/* The program against the same small server on one package each that others wrote: the community's
 * for Go and Python, the official ones for Rust and Java. test_go, test_python and test_npm have
 * more on theirs. */
#include "interop.h"
#include "test.h"

#include <errno.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

#define END_S 60

/* A package, and a way to speak with its server. */
struct way {
	const char *protocol;
	const char *server[10];
	bool lacks_requests; /* it speaks both eras, and asks only in the other */
};

struct sdk {
	const char *install;
	struct way ways[3];
};

#define GO "build/interop-mark3labs"
#define RUST "build/interop-rust"
#define JAVA "build/interop-java"
#define PYTHON "build/interop-python"
#define IN_JAVA "java", "-XX:TieredStopAtLevel=1", "-cp", JAVA "/classes:" JAVA "/lib/*", "Server"
#define IN_PYTHON PYTHON "/fastmcp/bin/python", "tests/interop/python/fast.py"

static struct sdk mark3labs = {
	"sh tests/interop/install-go.sh " GO " go-mark3labs",
	{ { "2025-11-25", { "--", GO "/server" }, false },
	    { "2026-07-28", { "--era", "modern", "--", GO "/server" }, true } },
};
static struct sdk rust = {
	"sh tests/interop/install-rust.sh " RUST,
	{ { "2025-11-25", { "--", RUST "/server" }, false },
	    { "2026-07-28", { "--era", "modern", "--", RUST "/server" }, true } },
};
static struct sdk java = {
	"sh tests/interop/install-java.sh " JAVA,
	{ { "2025-11-25", { "--", IN_JAVA }, false } },
};
static struct sdk fastmcp = {
	"sh tests/interop/install-python.sh " PYTHON " fastmcp",
	{ { "2025-11-25", { "--", IN_PYTHON }, false } },
};

static void
expect_cities(struct run *r, const struct way *w)
{
	run_to(r, w->server, 0, "list", "--json", NULL);
	expect_text(r, "/server/protocolVersion", w->protocol);
	assert_non_null(json_get(run_tool(r, "cities"), "outputSchema"));
	assert_null(json_get(run_tool(r, "travel"), "outputSchema"));
	run_to(r, w->server, 0, "call", "--json", "cities", "limit:=2", NULL);
	expect_text(r, "/result/structuredContent/cities/1/name", "Madrid");
	expect_number(r, "/result/structuredContent/cities/0/population", "545796");
	expect_text(r, "/validation/status", "valid");
	run_to(r, w->server, 5, "call", "--json", "cities", "limit:=9", NULL);
	expect_within(r, "/result/content/0/text", "the map is out of print");
	expect_text(r, "/validation/status", "not-applied");
}

static void
expect_hint(struct run *r, const struct way *w)
{
	run_to(r, w->server, 5, "call", "--json", "travel", "--elicit", "accept", NULL);
	if (!strstr(buf_text(&r->err), "only in the legacy era"))
		fail_msg("no hint: %s", buf_text(&r->err));
}

/* The servers that the program left to end in the background came to us, and do end. */
static void
expect_nobody_left(void)
{
	const struct timespec moment = { .tv_nsec = 10000000 };
	time_t until = time(NULL) + END_S;
	pid_t pid;

	while ((pid = waitpid(-1, NULL, WNOHANG)) >= 0 && time(NULL) < until)
		if (pid == 0)
			nanosleep(&moment, NULL);
	assert_true(pid < 0 && errno == ECHILD);
}

static void
test_sdk(void **state)
{
	const struct sdk *sdk = *state;
	struct run r = { 0 };

	if (!interop_ready(sdk->install, 1))
		skip();
	for (const struct way *w = sdk->ways; w->protocol; w++) {
		expect_cities(&r, w);
		if (w->lacks_requests)
			expect_hint(&r, w);
		else
			expect_travel(w->server);
	}
	expect_nobody_left();
	run_finish(&r);
}

TEST_FILE(sdks)
{
	const struct CMUnitTest tests[] = {
		{ "mark3labs", test_sdk, NULL, NULL, &mark3labs },
		{ "rust", test_sdk, NULL, NULL, &rust },
		{ "java", test_sdk, NULL, NULL, &java },
		{ "fastmcp", test_sdk, NULL, NULL, &fastmcp },
	};

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

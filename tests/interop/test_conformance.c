/* SPDX-License-Identifier: MIT */
/*
 * The official client suite against `mcpane conformance`: every scenario that a client has to pass,
 * with the number of checks that really ran. The exit code alone would not do: some scenarios pass
 * when a client does nothing.
 */
#include "base/vec.h"
#include "interop.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DIR "build/interop"

struct wanted {
	const char *version, *name;
	int passed; /* at least so many different checks */
};

/* clang-format off */
static const struct wanted wanted[] = {
	{ "2026-07-28", "auth/authorization-server-migration", 14 },
	{ "2026-07-28", "auth/basic-cimd", 10 },
	{ "2026-07-28", "auth/client-credentials-basic", 5 },
	{ "2026-07-28", "auth/client-credentials-jwt", 5 },
	{ "2026-07-28", "auth/iss-normalized", 8 },
	{ "2026-07-28", "auth/iss-not-advertised", 12 },
	{ "2026-07-28", "auth/iss-supported", 12 },
	{ "2026-07-28", "auth/iss-supported-missing", 8 },
	{ "2026-07-28", "auth/iss-unexpected", 8 },
	{ "2026-07-28", "auth/iss-wrong-issuer", 8 },
	{ "2026-07-28", "auth/metadata-default", 16 },
	{ "2026-07-28", "auth/metadata-issuer-mismatch", 3 },
	{ "2026-07-28", "auth/metadata-var1", 16 },
	{ "2026-07-28", "auth/metadata-var2", 16 },
	{ "2026-07-28", "auth/metadata-var3", 16 },
	{ "2026-07-28", "auth/offline-access-not-supported", 12 },
	{ "2026-07-28", "auth/offline-access-scope", 10 },
	{ "2026-07-28", "auth/pre-registration", 10 },
	{ "2026-07-28", "auth/resource-mismatch", 2 },
	{ "2026-07-28", "auth/scope-from-scopes-supported", 12 },
	{ "2026-07-28", "auth/scope-from-www-authenticate", 12 },
	{ "2026-07-28", "auth/scope-omitted-when-undefined", 12 },
	{ "2026-07-28", "auth/scope-retry-limit", 11 },
	{ "2026-07-28", "auth/scope-step-up", 14 },
	{ "2026-07-28", "auth/token-endpoint-auth-basic", 17 },
	{ "2026-07-28", "auth/token-endpoint-auth-none", 17 },
	{ "2026-07-28", "auth/token-endpoint-auth-post", 17 },
	{ "2026-07-28", "http-custom-headers", 18 },
	{ "2026-07-28", "http-invalid-tool-headers", 12 },
	{ "2026-07-28", "http-standard-headers", 9 },
	{ "2026-07-28", "json-schema-2020-12-preservation", 9 },
	{ "2026-07-28", "json-schema-ref-no-deref", 1 },
	{ "2026-07-28", "request-metadata", 6 },
	{ "2026-07-28", "sep-2322-client-request-state", 5 },
	{ "2026-07-28", "tools_call", 2 },
	{ "2025-11-25", "auth/basic-cimd", 10 },
	{ "2025-11-25", "auth/client-credentials-basic", 5 },
	{ "2025-11-25", "auth/client-credentials-jwt", 5 },
	{ "2025-11-25", "auth/metadata-default", 15 },
	{ "2025-11-25", "auth/metadata-var1", 15 },
	{ "2025-11-25", "auth/metadata-var2", 15 },
	{ "2025-11-25", "auth/metadata-var3", 15 },
	{ "2025-11-25", "auth/pre-registration", 10 },
	{ "2025-11-25", "auth/scope-from-scopes-supported", 11 },
	{ "2025-11-25", "auth/scope-from-www-authenticate", 11 },
	{ "2025-11-25", "auth/scope-omitted-when-undefined", 11 },
	{ "2025-11-25", "auth/scope-retry-limit", 10 },
	{ "2025-11-25", "auth/scope-step-up", 12 },
	{ "2025-11-25", "auth/token-endpoint-auth-basic", 16 },
	{ "2025-11-25", "auth/token-endpoint-auth-none", 16 },
	{ "2025-11-25", "auth/token-endpoint-auth-post", 16 },
	{ "2025-11-25", "elicitation-sep1034-client-defaults", 5 },
	{ "2025-11-25", "initialize", 1 },
	{ "2025-11-25", "json-schema-2020-12-preservation", 9 },
	{ "2025-11-25", "sse-retry", 3 },
	{ "2025-11-25", "tools_call", 2 },
	{ "2025-06-18", "auth/token-endpoint-auth-basic", 16 },
	{ "2025-06-18", "auth/token-endpoint-auth-none", 16 },
	{ "2025-06-18", "auth/token-endpoint-auth-post", 16 },
	{ "2025-06-18", "initialize", 1 },
	{ "2025-06-18", "tools_call", 2 },
	{ "2025-03-26", "auth/2025-03-26-oauth-metadata-backcompat", 9 },
	{ "2025-03-26", "auth/2025-03-26-oauth-endpoint-fallback", 4 },
	{ "sep-2640", "sep-2640-client-no-prefetch", 1 },
	{ "sep-2640", "sep-2640-client-verify-digest", 1 },
	{ "sep-2640", "sep-2640-client-verify-frontmatter", 1 },
	{ "sep-2640", "sep-2640-client-verify-size", 1 },
};
/* clang-format on */

/* What belongs to this run alone: two may be at work in one tree. */
static char own[] = DIR "/run-XXXXXX";

/* The suite's words about all scenarios, and about one alone. */
static struct buf crowd = BUF_INIT, alone = BUF_INIT;

static void
run_suite(struct buf *report, const char *version, const char *name)
{
	char command[400], bytes[4096];
	size_t n;

	snprintf(command, sizeof(command),
	    DIR "/run-node tests/interop/conformance.mjs " DIR
		" %s '%s/mcpane conformance --timeout 60s' "
		"%s %s",
	    own, own, version, name);
	FILE *out = popen(command, "r");
	buf_clear(report);
	while (out && (n = fread(bytes, 1, sizeof(bytes), out)) > 0)
		buf_add(report, bytes, n);
	if (!out || pclose(out) != 0) {
		printf("the suite did not run: %s\n", command);
		exit(1);
	}
}

static void
print_wrong(const struct buf *report, const struct wanted *w)
{
	char start[160];
	int len = snprintf(start, sizeof(start), "wrong\t%s\t%s\t", w->version, w->name);

	for (const char *line = buf_text(report); line && *line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, start, (size_t)len) == 0)
			printf("  %.*s\n", (int)strcspn(line + len, "\n"), line + len);
	}
}

static bool
is_good(const struct buf *report, const struct wanted *w)
{
	char start[160], verdict[8] = "";
	int passed = 0, failed = 0, warned = 0;
	int len = snprintf(start, sizeof(start), "scenario\t%s\t%s\t", w->version, w->name);
	const char *line = strstr(buf_text(report), start);
	bool ran =
	    line && sscanf(line + len, "%7s\t%d\t%d\t%d", verdict, &passed, &failed, &warned) == 4;

	if (ran && strcmp(verdict, "pass") == 0 && passed >= w->passed && failed + warned == 0)
		return true;
	printf("%s %s: %s: %d of %d checks passed, %d failed, %d warnings\n", w->version, w->name,
	    ran ? verdict : "it did not run", passed, w->passed, failed, warned);
	print_wrong(report, w);
	return false;
}

/* The suite runs some thirty servers and clients at once, and a few scenarios have to do with time:
 * what fails in the crowd has a second try alone, which is said. */
static bool
is_good_alone(const struct wanted *w)
{
	printf("%s %s: once more, alone\n", w->version, w->name);
	run_suite(&alone, w->version, w->name);
	return is_good(&alone, w);
}

/* The suite's own judgement of a set: of scenarios that nobody wants, too. */
static bool
is_set_good(const char *version)
{
	char line[40];

	snprintf(line, sizeof(line), "set\t%s\t0\n", version);
	return strstr(buf_text(&crowd), line) != NULL;
}

static void
test_set(void **state)
{
	const char *version = *state;
	size_t again = 0, bad = 0;

	for (size_t i = 0; i < ARRAY_LEN(wanted); i++) {
		if (strcmp(wanted[i].version, version) != 0 || is_good(&crowd, &wanted[i]))
			continue;
		again++;
		bad += !is_good_alone(&wanted[i]);
	}
	assert_int_equal(bad, 0);
	assert_true(again > 0 || is_set_good(version));
}

/* The suite splits commands at blanks, and a folder may have one in its name. */
static void
set_up(void)
{
	const char *program = getenv("MCPANE");
	char path[4096], link[sizeof(own) + 8];

	if (!realpath(program ? program : "build/mcpane", path) || !mkdtemp(own)) {
		perror("mcpane");
		exit(1);
	}
	snprintf(link, sizeof(link), "%s/mcpane", own);
	if (symlink(path, link) != 0) {
		perror(link);
		exit(1);
	}
}

/* What was wrong can be read there. */
static void
tear_down(int failed)
{
	char command[80];

	snprintf(command, sizeof(command), "rm -rf %s", own);
	if (failed)
		printf("what the suite wrote is in %s\n", own);
	else if (system(command) != 0)
		printf("%s is left\n", own);
	buf_finish(&crowd);
	buf_finish(&alone);
}

TEST_FILE(conformance)
{
#define SET(version)                                                   \
	{                                                              \
		"test_" version, test_set, NULL, NULL, (char *)version \
	}
	static const struct CMUnitTest tests[] = {
		SET("2026-07-28"),
		SET("2025-11-25"),
		SET("2025-06-18"),
		SET("2025-03-26"),
		SET("sep-2640"),
	};
	if (!interop_ready("sh tests/interop/install.sh " DIR, ARRAY_LEN(wanted)))
		return INTEROP_SKIPPED;
	set_up();
	run_suite(&crowd, "", "");
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	tear_down(failed);
	return failed;
}

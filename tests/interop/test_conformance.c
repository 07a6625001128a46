/*
 * The official client suite against `mcpane conformance`: every scenario that a client has to pass,
 * with the number of checks that really ran. The exit code alone would not do: some scenarios pass
 * when a client does nothing.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "interop.h"

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
};
/* clang-format on */

static struct buf report = BUF_INIT;

static void
print_wrong(const struct wanted *w)
{
	char start[160];
	int len = snprintf(start, sizeof(start), "wrong\t%s\t%s\t", w->version, w->name);

	for (const char *line = buf_text(&report); line && *line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, start, (size_t)len) == 0)
			printf("  %.*s\n", (int)strcspn(line + len, "\n"), line + len);
	}
}

/* What the report says of a scenario; false: nothing. */
static bool
find(const struct wanted *w, int *passed, int *failed, int *warned)
{
	char start[160];
	int len = snprintf(start, sizeof(start), "scenario\t%s\t%s\t", w->version, w->name);
	const char *line = strstr(buf_text(&report), start);

	return line && sscanf(line + len, "%d\t%d\t%d", passed, failed, warned) == 3;
}

static void
test_scenarios(void **state)
{
	size_t bad = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
		const struct wanted *w = &wanted[i];
		int passed = 0, failed = 0, warned = 0;
		bool ran = find(w, &passed, &failed, &warned);
		if (ran && passed >= w->passed && failed == 0 && warned == 0)
			continue;
		bad++;
		printf("%s %s: %d of %d checks passed, %d failed, %d warnings%s\n", w->version,
		    w->name, passed, w->passed, failed, warned, ran ? "" : ": it did not run");
		print_wrong(w);
	}
	assert_int_equal(bad, 0);
}

/* The suite's own judgement: exit codes and time-outs of the client too. */
static void
test_sets(void **state)
{
	(void)state;
	assert_non_null(strstr(buf_text(&report), "set\t2026-07-28\t0\n"));
	assert_non_null(strstr(buf_text(&report), "set\t2025-11-25\t0\n"));
	assert_non_null(strstr(buf_text(&report), "set\t2025-06-18\t0\n"));
	assert_non_null(strstr(buf_text(&report), "set\t2025-03-26\t0\n"));
}

static void
run_suite(void)
{
	FILE *out = popen(DIR "/run-node tests/interop/conformance.mjs " DIR " '" DIR
			      "/mcpane conformance'",
	    "r");
	char bytes[4096];
	size_t n;

	while (out && (n = fread(bytes, 1, sizeof(bytes), out)) > 0)
		buf_add(&report, bytes, n);
	if (!out || pclose(out) != 0) {
		printf("the suite did not run\n");
		exit(1);
	}
}

/* The suite splits commands at blanks, and a folder may have one in its name. */
static void
link_program(void)
{
	const char *program = getenv("MCPANE");
	char path[4096];

	if (!realpath(program ? program : "build/mcpane", path)) {
		perror("mcpane");
		exit(1);
	}
	unlink(DIR "/mcpane");
	if (symlink(path, DIR "/mcpane") != 0) {
		perror(DIR "/mcpane");
		exit(1);
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scenarios),
		cmocka_unit_test(test_sets),
	};
	if (!interop_ready("sh tests/interop/install.sh " DIR, sizeof(wanted) / sizeof(*wanted)))
		return INTEROP_SKIPPED;
	link_program();
	run_suite();
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	buf_finish(&report);
	return failed;
}

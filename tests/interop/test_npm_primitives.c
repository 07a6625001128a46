/* SPDX-License-Identifier: MIT */
/* Resources, templates, prompts and completion of a server that other people published with npm. */
#include "base/vec.h"
#include "interop.h"
#include "json/pointer.h"
#include "test.h"

#define DIR "build/interop"
#define EVERYTHING       \
	DIR "/run-node", \
	    DIR "/node_modules/@modelcontextprotocol/server-everything/dist/index.js", "stdio"

static void
test_lists(void **state)
{
	struct run r = { 0 };

	run(&r, 0, "list", "resources", "--json", "--", EVERYTHING, NULL);
	assert_int_equal(json_count(run_at(&r, "/resources")), 7);
	expect_text(&r, "/resources/0/uri", "demo://resource/static/document/architecture.md");
	run(&r, 0, "list", "templates", "--json", "--", EVERYTHING, NULL);
	assert_int_equal(json_count(run_at(&r, "/templates")), 2);
	expect_text(&r, "/templates/0/uriTemplate", "demo://resource/dynamic/text/{resourceId}");
	run(&r, 0, "list", "prompts", "--json", "--", EVERYTHING, NULL);
	assert_int_equal(json_count(run_at(&r, "/prompts")), 4);
	run_finish(&r);
}

static void
test_read(void **state)
{
	struct run r = { 0 };

	run(&r, 0, "read", "--json", "demo://resource/static/document/features.md", "--",
	    EVERYTHING, NULL);
	expect_text(&r, "/result/contents/0/mimeType", "text/markdown");
	expect_within(&r, "/result/contents/0/text", "# Everything Server");
	run(&r, 0, "read", "--json", "demo://resource/dynamic/text/3", "--", EVERYTHING, NULL);
	expect_within(&r, "/result/contents/0/text", "Resource 3: This is a plaintext");
	run(&r, 0, "read", "--json", "demo://resource/dynamic/blob/2", "--", EVERYTHING, NULL);
	expect_type(&r, "/result/contents/0/blob", JSON_STRING);
	run(&r, 5, "read", "--json", "demo://nowhere", "--", EVERYTHING, NULL);
	expect_number(&r, "/error/code", "-32602");
	run_finish(&r);
}

static void
test_get(void **state)
{
	struct run r = { 0 };

	run(&r, 0, "get", "--json", "simple-prompt", "--", EVERYTHING, NULL);
	expect_text(&r, "/result/messages/0/role", "user");
	run(&r, 0, "get", "--json", "args-prompt", "city=Rome", "--", EVERYTHING, NULL);
	expect_text(&r, "/result/messages/0/content/text", "What's weather in Rome?");
	run(&r, 0, "get", "--json", "resource-prompt", "resourceType=Text", "resourceId=1", "--",
	    EVERYTHING, NULL);
	expect_text(&r, "/result/messages/1/content/type", "resource");
	run(&r, 5, "get", "--json", "args-prompt", "--", EVERYTHING, NULL);
	expect_number(&r, "/error/code", "-32602");
	run_finish(&r);
}

static void
test_complete(void **state)
{
	struct run r = { 0 };

	run(&r, 0, "complete", "--json", "prompt", "completable-prompt", "department", "M", "--",
	    EVERYTHING, NULL);
	expect_text(&r, "/values/0", "Marketing");
	run(&r, 0, "complete", "--json", "prompt", "completable-prompt", "name", "",
	    "department=Sales", "--", EVERYTHING, NULL);
	expect_text(&r, "/values/0", "David");
	run(&r, 0, "complete", "--json", "template", "demo://resource/dynamic/text/{resourceId}",
	    "resourceId", "7", "--", EVERYTHING, NULL);
	expect_text(&r, "/values/0", "7");
	run(&r, 0, "ping", "--json", "--", EVERYTHING, NULL);
	expect_text(&r, "/method", "ping");
	run_finish(&r);
}

TEST_FILE(npm_primitives)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lists),
		cmocka_unit_test(test_read),
		cmocka_unit_test(test_get),
		cmocka_unit_test(test_complete),
	};
	if (!interop_ready("sh tests/interop/install.sh " DIR, ARRAY_LEN(tests)))
		return INTEROP_SKIPPED;
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include "base/vec.h"
#include "validator.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

/*
 * Our own cases, tests/fixtures/schema/NAME.json: lists of
 *   what       a few words
 *   from, to   drafts it holds for; all where absent
 *   documents  { URI: tree } handed in
 *   schema     with `valid` and `invalid` values, or
 *   refused    words of the problem, `at` its place
 */
static const char *const FILES[] = { "values", "numbers", "text", "objects", "arrays", "logic",
	"references", "documents", "dynamic", "unevaluated", "dialects" };

static const struct {
	const char *name;
	enum schema_draft draft;
} DRAFTS[] = {
	{ "4", SCHEMA_DRAFT_04 },
	{ "6", SCHEMA_DRAFT_06 },
	{ "7", SCHEMA_DRAFT_07 },
	{ "2019-09", SCHEMA_DRAFT_2019_09 },
	{ "2020-12", SCHEMA_DRAFT_2020_12 },
	{ "v1", SCHEMA_DRAFT_V1 },
};
#define DRAFT_COUNT ARRAY_LEN(DRAFTS)

static size_t
draft_number(const cJSON *group, const char *key, size_t otherwise)
{
	const char *name = json_get_string(group, key);

	for (size_t i = 0; name && i < DRAFT_COUNT; i++)
		if (strcmp(DRAFTS[i].name, name) == 0)
			return i;
	if (name)
		fail_msg("no draft %s", name);
	return otherwise;
}

static size_t
expect_each(const struct validator *by, const cJSON *group, const char *draft,
    const char *values_name, enum validity wanted)
{
	size_t count = 0;
	const cJSON *values = json_get(group, values_name);

	for (const cJSON *v = json_first(values); v; v = v->next, count++) {
		enum validity said = validate(by, v);
		if (said != wanted)
			fail_msg("%s: draft %s: %s %zu: %d %s", json_get_string(group, "what"),
			    draft, values_name, count, (int)said, by->problem.text);
	}
	return count;
}

static size_t
expect_refusal(const struct validator *by, const cJSON *group, const char *words)
{
	const char *at = json_get_string(group, "at");

	if (by->planned || by->plain || !strstr(by->problem.text, words))
		fail_msg("%s: '%s'", json_get_string(group, "what"), by->problem.text);
	if (at)
		assert_string_equal(by->problem.pointer, at);
	return 1;
}

static size_t
run_group(const cJSON *group, size_t draft)
{
	struct schema_library *library = schema_library_create();
	const struct schema_options options = { .draft = DRAFTS[draft].draft, .library = library };
	const char *refused = json_get_string(group, "refused");
	struct validator by;
	size_t count;

	for (const cJSON *d = json_first(json_get(group, "documents")); d; d = d->next)
		schema_library_add(library, d->string, d);
	validator_init(&by, json_get(group, "schema"), &options);
	if (refused)
		count = expect_refusal(&by, group, refused);
	else
		count = expect_each(&by, group, DRAFTS[draft].name, "valid", IS_VALID) +
			expect_each(&by, group, DRAFTS[draft].name, "undecided", IS_UNDECIDED) +
			expect_each(&by, group, DRAFTS[draft].name, "invalid", IS_INVALID);
	validator_finish(&by);
	schema_library_destroy(library);
	return count;
}

static void
test_our_cases_pass_in_every_draft_and_mode(void **state)
{
	size_t total = 0;

	for (size_t f = 0; f < ARRAY_LEN(FILES); f++) {
		char path[256];
		snprintf(path, sizeof(path), "tests/fixtures/schema/%s.json", FILES[f]);
		struct json_doc *doc = load_document(path);
		for (const cJSON *g = json_first(json_root(doc)); g; g = g->next) {
			size_t last = draft_number(g, "to", DRAFT_COUNT - 1);
			for (size_t i = draft_number(g, "from", 0); i <= last; i++)
				total += run_group(g, i);
		}
		json_doc_destroy(doc);
	}
	printf("%zu cases\n", total);
	assert_true(total > 1500);
}

TEST_FILE(schema_conformance)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_our_cases_pass_in_every_draft_and_mode),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

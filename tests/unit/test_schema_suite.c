#include "schema/schema.h"

#include "base/buf.h"
#include "base/path.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/*
 * The official JSON-Schema-Test-Suite. It is data, not part of the project: from
 * ../shared/data/json-schema-test-suite, or where JSON_SCHEMA_SUITE says.
 * JSON_SCHEMA_SUITE_MISSES=1 prints every case that is missed.
 */
static const struct level {
	const char *folder; /* under tests/ */
	enum schema_draft draft;
	enum schema_format_mode format;
	size_t reached; /* passes that must not be lost */
} LEVELS[] = {
	{ "draft2020-12", SCHEMA_DRAFT_2020_12, SCHEMA_FORMAT_WARNS, 1246 },
	{ "draft7", SCHEMA_DRAFT_07, SCHEMA_FORMAT_WARNS, 900 },
	{ "draft2019-09", SCHEMA_DRAFT_2019_09, SCHEMA_FORMAT_WARNS, 1219 },
	{ "draft6", SCHEMA_DRAFT_06, SCHEMA_FORMAT_WARNS, 812 },
	{ "draft4", SCHEMA_DRAFT_04, SCHEMA_FORMAT_WARNS, 597 },
	{ "draft2020-12/optional", SCHEMA_DRAFT_2020_12, SCHEMA_FORMAT_WARNS, 153 },
	{ "draft7/optional", SCHEMA_DRAFT_07, SCHEMA_FORMAT_WARNS, 110 },
	{ "draft2020-12/optional/format", SCHEMA_DRAFT_2020_12, SCHEMA_FORMAT_ASSERTS, 664 },
	{ "draft7/optional/format", SCHEMA_DRAFT_07, SCHEMA_FORMAT_ASSERTS, 576 },
};

/*
 * Why a case may be missed in the mandatory part: nothing is fetched, so a schema that needs
 * another document or a metaschema of its own is refused, with words that say so.
 */
static bool
is_known_miss(const char *problem)
{
	return strstr(problem, "leads out of the schema") || strstr(problem, "unknown dialect");
}

struct tally {
	const struct level *level;
	const char *file;
	size_t run, passed, unexplained;
	bool tell;
};

static const char *
suite_folder(void)
{
	const char *given = getenv("JSON_SCHEMA_SUITE");

	return given ? given : "../shared/data/json-schema-test-suite";
}

/* What the checker says, as the suite counts: 1 valid, 0 invalid, -1 neither. */
static int
verdict(const struct schema *schema, const cJSON *data)
{
	if (!schema)
		return -1;
	struct report *report = schema_check(schema, data, NULL);
	enum schema_outcome outcome = report_outcome(report);
	report_destroy(report);
	return outcome == SCHEMA_VALID ? 1 : outcome == SCHEMA_INVALID ? 0 : -1;
}

static void
run_group(struct tally *tally, const cJSON *group)
{
	const struct schema_options options = { .draft = tally->level->draft,
		.format = tally->level->format };
	struct schema_problem problem;
	struct schema *schema = schema_compile(json_get(group, "schema"), &options, &problem);

	for (const cJSON *t = json_first(json_get(group, "tests")); t; t = t->next) {
		bool passed =
		    verdict(schema, json_get(t, "data")) == json_is_true(json_get(t, "valid"));
		tally->run++;
		tally->passed += passed;
		tally->unexplained += !passed && (schema || !is_known_miss(problem.text));
		if (!passed && tally->tell)
			printf("  missed %s/%s: %s: %s%s%s\n", tally->level->folder, tally->file,
			    json_get_string(group, "description"),
			    json_get_string(t, "description"), schema ? "" : " | ",
			    schema ? "" : problem.text);
	}
	schema_destroy(schema);
}

static void
run_file(struct tally *tally, const char *path)
{
	struct buf text = BUF_INIT;
	struct err err;
	struct json_error error;

	if (!path_read_file(path, &text, &err))
		fail_msg("%s", err.text);
	struct json_doc *doc = json_parse(buf_text(&text), text.len, NULL, &error);
	if (!doc)
		fail_msg("%s:%u: %s", path, error.line, error.text);
	for (const cJSON *group = json_first(json_root(doc)); group; group = group->next)
		run_group(tally, group);
	json_doc_destroy(doc);
	buf_finish(&text);
}

static void
run_level(const struct level *level)
{
	struct tally tally = { .level = level, .tell = getenv("JSON_SCHEMA_SUITE_MISSES") != NULL };
	char path[1024];
	struct dirent **names;

	snprintf(path, sizeof(path), "%s/tests/%s", suite_folder(), level->folder);
	int count = scandir(path, &names, NULL, alphasort);
	assert_true(count > 0);
	for (int i = 0; i < count; i++) {
		const char *dot = strrchr(names[i]->d_name, '.');
		if (dot && strcmp(dot, ".json") == 0) {
			snprintf(path, sizeof(path), "%s/tests/%s/%s", suite_folder(),
			    level->folder, names[i]->d_name);
			tally.file = names[i]->d_name;
			run_file(&tally, path);
		}
		free(names[i]);
	}
	free(names);
	printf("%-30s %4zu of %4zu pass (%.2f %%)\n", level->folder, tally.passed, tally.run,
	    100.0 * (double)tally.passed / (double)tally.run);
	assert_true(tally.passed >= level->reached);
	if (!strchr(level->folder, '/'))
		assert_int_equal(tally.unexplained, 0);
}

static void
the_suite_passes_as_before(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(LEVELS) / sizeof(*LEVELS); i++)
		run_level(&LEVELS[i]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(the_suite_passes_as_before) };
	struct stat info;
	char path[1024];

	snprintf(path, sizeof(path), "%s/tests", suite_folder());
	if (stat(path, &info) != 0) {
		printf("SKIPPED: no JSON-Schema-Test-Suite at %s (set JSON_SCHEMA_SUITE)\n",
		    suite_folder());
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "base/vec.h"
#include "json/doc.h"
#include "schema/schema.h"
#include "schema/report.h"
#include "test.h"
#include "validator.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

/*
 * Invalid values for schemas as generators write them, and every line that a user reads about each:
 * tests/unit/words/GENERATOR.json. A case is [VALUE, LINE...], a line is "PATH: WORDS", or the
 * words alone if they are about the whole value; a warning starts with "~".
 */
#define FOLDER "tests/unit/words/"
#define LEAST_CASES 350
#define LONGEST 250 /* bytes that a line may have */

static void
describe(const struct report *report, size_t index, struct buf *out)
{
	struct buf path = BUF_INIT;

	report_instance_path(report, index, &path);
	buf_add_str(out, report_at(report, index)->warning ? "~" : "");
	if (path.len > 0)
		buf_addf(out, "%s: ", buf_text(&path));
	report_line(report, index, out);
	buf_finish(&path);
}

static void
check_case(const struct schema *schema, const char *about, const cJSON *test)
{
	const cJSON *value = json_first(test), *line = value->next;
	struct report *report = schema_check(schema, value, NULL);
	struct buf text = BUF_INIT;

	for (size_t i = 0; i < report_facts(report)->kept; i++) {
		buf_clear(&text);
		describe(report, i, &text);
		if (!line)
			fail_msg("%s: one line too many: %s", about, buf_text(&text));
		assert_string_equal(buf_text(&text), cJSON_GetStringValue(line));
		assert_true(text.len <= LONGEST);
		line = line->next;
	}
	if (line)
		fail_msg("%s: nothing says %s", about, cJSON_GetStringValue(line));
	buf_finish(&text);
	report_destroy(report);
}

static size_t
check_entry(const cJSON *entry)
{
	const char *about = json_get_string(entry, "about");
	struct schema_problem problem;
	struct schema *schema = schema_compile(json_get(entry, "schema"), NULL, &problem);
	size_t count = 0;

	if (!schema)
		fail_msg("%s: %s", about, problem.text);
	for (const cJSON *test = json_first(json_get(entry, "cases")); test; test = test->next) {
		check_case(schema, about, test);
		count++;
	}
	schema_destroy(schema);
	return count;
}

static int
is_json(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');

	return dot && strcmp(dot, ".json") == 0;
}

static void
test_lines_about_real_schemas_read_as_reviewed(void **state)
{
	struct dirent **files;
	int count = scandir(FOLDER, &files, is_json, alphasort);
	size_t cases = 0;

	assert_true(count > 0);
	for (int i = 0; i < count; i++) {
		char *path = mem_printf(FOLDER "%s", files[i]->d_name);
		struct json_doc *doc = load_document(path);
		for (const cJSON *entry = json_first(json_root(doc)); entry; entry = entry->next)
			cases += check_entry(entry);
		json_doc_destroy(doc);
		free(path);
		free(files[i]);
	}
	free(files);
	assert_true(cases >= LEAST_CASES);
}

TEST_FILE(schema_words_real)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines_about_real_schemas_read_as_reviewed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/*
 * The places of violations against those that hyperjump's json-schema-errors expects: each test of
 * its suite in the newest dialect that it is for. A test agrees if each error has a violation of
 * the same value by one of the keywords it names, and no violation is left. Any other has to be in
 * DIFFERENCES.
 */
#include "base/buf.h"
#include "base/mem.h"
#include "base/vec.h"
#include "interop.h"
#include "json/doc.h"
#include "schema/report.h"
#include "schema/schema.h"
#include "test.h"
#include "validator.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIR "build/interop/schema-errors"
#define TESTS DIR "/suite/tests/"
#define LEAST_TESTS 170

static const struct {
	const char *file, *test; /* NULL: every test of the file */
	const char *reason;
} DIFFERENCES[] = {
	{ "anyOf.json",
	    "anyOf object alternatives fallback to all when no instance property passes in any "
	    "branch",
	    "the property that names the kind is wrong, and the violation is there" },
	{ "oneOf.json",
	    "oneOf object alternatives fallback to all when no instance property passes in any "
	    "branch",
	    "the property that names the kind is wrong, and the violation is there" },
	{ "propertyNames.json", NULL, "the name of a property has no pointer; theirs is */NAME" },
	{ "uniqueItems.json", NULL,
	    "one violation of the array names both items; they have an error for each" },
};

/* "6,<=2019": is the dialect one of these? */
static bool
is_compatible(const char *with, int dialect)
{
	while (with && *with) {
		int number = (int)strtol(with + strspn(with, "<=, "), NULL, 10);
		bool fits = strncmp(with, "<=", 2) == 0 ? dialect <= number
			    : *with == '='              ? dialect == number
							: dialect >= number;
		if (!fits)
			return false;
		with += strcspn(with, ",");
		with += strspn(with, ", ");
	}
	return true;
}

static enum schema_draft
newest(const char *with)
{
	static const struct {
		int dialect;
		enum schema_draft draft;
	} DIALECTS[] = {
		{ 2020, SCHEMA_DRAFT_2020_12 },
		{ 2019, SCHEMA_DRAFT_2019_09 },
		{ 7, SCHEMA_DRAFT_07 },
		{ 6, SCHEMA_DRAFT_06 },
	};

	for (size_t i = 0; i < ARRAY_LEN(DIALECTS); i++)
		if (is_compatible(with, DIALECTS[i].dialect))
			return DIALECTS[i].draft;
	return SCHEMA_DRAFT_04;
}

/* Is the pointer the fragment of this URI, which may be escaped? */
static bool
is_at(const cJSON *uri, const struct buf *pointer)
{
	const char *fragment = strchr(cJSON_GetStringValue(uri), '#');
	const char *text = fragment ? fragment + 1 : cJSON_GetStringValue(uri);
	const char *ours = buf_text(pointer);

	for (; *text && *ours; ours++) {
		unsigned escaped;
		bool escape = *text == '%' && sscanf(text + 1, "%2x", &escaped) == 1;
		if ((unsigned char)*ours != (escape ? escaped : (unsigned char)*text))
			return false;
		text += escape ? 3 : 1;
	}
	return !*text && !*ours;
}

static bool
is_error(const struct report *report, size_t index, const cJSON *error)
{
	struct buf instance = BUF_INIT, schema = BUF_INIT;
	bool same = false;

	report_instance_path(report, index, &instance);
	report_schema_path(report, index, &schema);
	for (const cJSON *s = json_first(json_get(error, "schemaLocations")); s; s = s->next)
		same = same || is_at(s, &schema);
	same = same && is_at(json_get(error, "instanceLocation"), &instance);
	buf_finish(&instance);
	buf_finish(&schema);
	return same;
}

static bool
agrees(const struct report *report, const cJSON *errors)
{
	size_t kept = report_facts(report)->kept;

	for (size_t i = 0; i < kept; i++) {
		bool found = false;
		for (const cJSON *e = json_first(errors); e; e = e->next)
			found = found || is_error(report, i, e);
		if (!found)
			return false;
	}
	for (const cJSON *e = json_first(errors); e; e = e->next) {
		bool found = false;
		for (size_t i = 0; i < kept; i++)
			found = found || is_error(report, i, e);
		if (!found)
			return false;
	}
	return true;
}

struct tally {
	size_t tests, invalid, unexplained;
	bool met[ARRAY_LEN(DIFFERENCES)];
};

static bool
is_explained(struct tally *tally, const char *file, const char *test)
{
	for (size_t i = 0; i < ARRAY_LEN(DIFFERENCES); i++) {
		if (strcmp(DIFFERENCES[i].file, file) != 0 ||
		    (DIFFERENCES[i].test && strcmp(DIFFERENCES[i].test, test) != 0))
			continue;
		tally->met[i] = true;
		return true;
	}
	return false;
}

static void
tell_difference(
    struct tally *tally, const struct report *report, const char *file, const char *test)
{
	struct buf text = BUF_INIT;

	printf("%s: %s: other places:\n", file, test);
	for (size_t i = 0; i < report_facts(report)->kept; i++) {
		buf_clear(&text);
		report_instance_path(report, i, &text);
		buf_add_str(&text, " by ");
		report_schema_path(report, i, &text);
		printf("  %s\n", buf_text(&text));
	}
	buf_finish(&text);
	tally->unexplained++;
}

static void
compare(struct tally *tally, const char *file, const cJSON *test)
{
	struct schema_options options = { .format = SCHEMA_FORMAT_ASSERTS };
	const cJSON *errors = json_get(test, "errors");
	const char *name = json_get_string(test, "description");
	struct schema_problem problem;

	options.draft = newest(json_get_string(test, "compatibility"));
	struct schema *schema = schema_compile(json_get(test, "schema"), &options, &problem);
	if (!schema)
		fail_msg("%s: %s: %s", file, name, problem.text);
	struct report *report = schema_check(schema, json_get(test, "instance"), NULL);
	tally->tests++;
	tally->invalid += json_count(errors) > 0;
	if (!agrees(report, errors) && !is_explained(tally, file, name))
		tell_difference(tally, report, file, name);
	report_destroy(report);
	schema_destroy(schema);
}

static int
is_json(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');

	return dot && strcmp(dot, ".json") == 0;
}

static void
test_violations_are_where_hyperjump_has_them(void **state)
{
	struct tally tally = { 0 };
	struct dirent **files;
	int count = scandir(TESTS, &files, is_json, alphasort);

	assert_true(count > 0);
	for (int i = 0; i < count; i++) {
		char *path = mem_printf(TESTS "%s", files[i]->d_name);
		struct json_doc *doc = load_document(path);
		for (const cJSON *t = json_first(json_get(json_root(doc), "tests")); t; t = t->next)
			compare(&tally, files[i]->d_name, t);
		json_doc_destroy(doc);
		free(path);
		free(files[i]);
	}
	free(files);
	assert_int_equal(tally.unexplained, 0);
	assert_true(tally.tests >= LEAST_TESTS);
	for (size_t i = 0; i < ARRAY_LEN(DIFFERENCES); i++)
		if (!tally.met[i])
			fail_msg("%s: no difference any more", DIFFERENCES[i].file);
	printf("%zu tests, %zu of them invalid\n", tally.tests, tally.invalid);
}

TEST_FILE(schema_errors)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_violations_are_where_hyperjump_has_them),
	};

	if (!interop_ready("tests/interop/install-schema-errors.sh " DIR, ARRAY_LEN(tests)))
		return INTEROP_SKIPPED;
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include "validator.h"

#include "base/mem.h"
#include "base/vec.h"
#include "test.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/*
 * The official JSON-Schema-Test-Suite. It is data, not part of the project: from
 * ../shared/data/json-schema-test-suite, or where JSON_SCHEMA_SUITE says.
 * Its remotes are handed in as the documents of http://localhost:1234/.
 */
#define REMOTES "http://localhost:1234/"

static const struct level {
	const char *folder; /* under tests/ */
	enum schema_draft draft;
	enum schema_format_mode format;
	size_t least; /* cases there are, so that none is passed over */
} LEVELS[] = {
	{ "v1", SCHEMA_DRAFT_V1, SCHEMA_FORMAT_WARNS, 1133 },
	{ "draft2020-12", SCHEMA_DRAFT_2020_12, SCHEMA_FORMAT_WARNS, 1299 },
	{ "draft2019-09", SCHEMA_DRAFT_2019_09, SCHEMA_FORMAT_WARNS, 1259 },
	{ "draft7", SCHEMA_DRAFT_07, SCHEMA_FORMAT_WARNS, 927 },
	{ "draft6", SCHEMA_DRAFT_06, SCHEMA_FORMAT_WARNS, 839 },
	{ "draft4", SCHEMA_DRAFT_04, SCHEMA_FORMAT_WARNS, 618 },
	{ "v1/optional", SCHEMA_DRAFT_V1, SCHEMA_FORMAT_WARNS, 287 },
	{ "draft2020-12/optional", SCHEMA_DRAFT_2020_12, SCHEMA_FORMAT_WARNS, 162 },
	{ "draft2019-09/optional", SCHEMA_DRAFT_2019_09, SCHEMA_FORMAT_WARNS, 158 },
	{ "draft7/optional", SCHEMA_DRAFT_07, SCHEMA_FORMAT_WARNS, 118 },
	{ "draft6/optional", SCHEMA_DRAFT_06, SCHEMA_FORMAT_WARNS, 106 },
	{ "draft4/optional", SCHEMA_DRAFT_04, SCHEMA_FORMAT_WARNS, 100 },
	{ "v1/format", SCHEMA_DRAFT_V1, SCHEMA_FORMAT_WARNS, 758 },
	{ "draft2020-12/optional/format", SCHEMA_DRAFT_2020_12, SCHEMA_FORMAT_ASSERTS, 764 },
	{ "draft2019-09/optional/format", SCHEMA_DRAFT_2019_09, SCHEMA_FORMAT_ASSERTS, 757 },
	{ "draft7/optional/format", SCHEMA_DRAFT_07, SCHEMA_FORMAT_ASSERTS, 676 },
	{ "draft6/optional/format", SCHEMA_DRAFT_06, SCHEMA_FORMAT_ASSERTS, 325 },
	{ "draft4/optional/format", SCHEMA_DRAFT_04, SCHEMA_FORMAT_ASSERTS, 219 },
};

/* Optional files that ask for another option. Without it, only these cases may be missed. */
static const struct exception {
	const char *file;
	struct schema_options options;
	size_t missed; /* without the option */
} EXCEPTIONS[] = {
	{ "draft7/optional/content.json", { .asserts_content = true }, 4 },
	{ "draft4/optional/zeroTerminatedFloats.json", { .strict_integers = true }, 1 },
	{ "v1/optional/format-annotation.json", { .format = SCHEMA_FORMAT_IGNORED }, 19 },
};

struct documents {
	struct json_doc **items;
	size_t len, cap;
};

struct tally {
	const struct level *level;
	struct schema_library *library;
	const char *file;
	const struct exception *exception; /* for the file, or NULL */
	size_t run, passed, switched;      /* passed with a switch only */
};

static const char *
suite_folder(void)
{
	const char *given = getenv("JSON_SCHEMA_SUITE");

	return given ? given : "../shared/data/json-schema-test-suite";
}

static bool
is_json(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot && strcmp(dot, ".json") == 0;
}

/* Every file below remotes/, under its place in there. */
static void
add_remotes(struct schema_library *library, struct documents *docs, const char *place)
{
	char *folder = mem_printf("%s/remotes/%s", suite_folder(), place);
	struct dirent **names;
	int count = scandir(folder, &names, NULL, alphasort);

	for (int i = 0; i < count; i++) {
		const char *name = names[i]->d_name;
		char *inner = mem_printf("%s%s", place, name);
		if (is_json(name)) {
			char *path = mem_printf("%s%s", folder, name);
			char *uri = mem_printf(REMOTES "%s", inner);
			struct json_doc *doc = load_document(path);
			*VEC_PUSH(docs) = doc;
			schema_library_add(library, uri, json_root(doc));
			free(path);
			free(uri);
		} else if (name[0] != '.') {
			char *below = mem_printf("%s/", inner);
			add_remotes(library, docs, below);
			free(below);
		}
		free(inner);
		free(names[i]);
	}
	if (count >= 0)
		free(names);
	free(folder);
}

static const struct exception *
exception_for(const struct level *level, const char *name)
{
	char *file = mem_printf("%s/%s", level->folder, name);
	const struct exception *found = NULL;

	for (size_t i = 0; i < ARRAY_LEN(EXCEPTIONS); i++)
		if (strcmp(EXCEPTIONS[i].file, file) == 0)
			found = &EXCEPTIONS[i];
	free(file);
	return found;
}

static bool
passes(const cJSON *test, const struct validator *by)
{
	enum validity wanted = cJSON_IsTrue(json_get(test, "valid")) ? IS_VALID : IS_INVALID;
	enum validity said = validate(by, json_get(test, "data"));

	assert_true(said != IS_INCONSISTENT);
	return said == wanted;
}

static void
run_group(struct tally *tally, const cJSON *group)
{
	struct schema_options options = {
		.draft = tally->level->draft,
		.format = tally->level->format,
		.library = tally->library,
	};
	struct validator by, usual;

	validator_init(&usual, json_get(group, "schema"), &options);
	if (tally->exception) {
		options.asserts_content = tally->exception->options.asserts_content;
		options.strict_integers = tally->exception->options.strict_integers;
		options.format = tally->exception->options.format;
	}
	validator_init(&by, json_get(group, "schema"), &options);
	for (const cJSON *t = json_first(json_get(group, "tests")); t; t = t->next) {
		tally->run++;
		tally->switched += tally->exception && !passes(t, &usual);
		if (passes(t, &by))
			tally->passed++;
		else
			printf("  missed %s/%s: %s: %s %s\n", tally->level->folder, tally->file,
			    json_get_string(group, "description"),
			    json_get_string(t, "description"), by.problem.text);
	}
	validator_finish(&by);
	validator_finish(&usual);
}

static void
run_file(struct tally *tally, const char *path)
{
	struct json_doc *doc = load_document(path);
	size_t before = tally->switched;

	tally->exception = exception_for(tally->level, tally->file);

	for (const cJSON *group = json_first(json_root(doc)); group; group = group->next)
		run_group(tally, group);
	if (tally->exception)
		assert_int_equal(tally->switched - before, tally->exception->missed);
	json_doc_destroy(doc);
}

/* How many cases do not pass. */
static size_t
run_level(const struct level *level, struct schema_library *library)
{
	struct tally tally = { .level = level, .library = library };
	char *folder = mem_printf("%s/tests/%s", suite_folder(), level->folder);
	struct dirent **names;
	int count = scandir(folder, &names, NULL, alphasort);

	if (count < 0 && level->draft == SCHEMA_DRAFT_V1) { /* some copies lack it */
		printf("%-30s SKIPPED: this copy of the suite has no %s\n", level->folder, folder);
		free(folder);
		return 0;
	}
	assert_true(count > 0);
	for (int i = 0; i < count; i++) {
		if (is_json(names[i]->d_name)) {
			char *path = mem_printf("%s/%s", folder, names[i]->d_name);
			tally.file = names[i]->d_name;
			run_file(&tally, path);
			free(path);
		}
		free(names[i]);
	}
	free(names);
	free(folder);
	printf("%-30s %4zu of %4zu pass, %zu of them with a switch\n", level->folder, tally.passed,
	    tally.run, tally.switched);
	assert_true(tally.run >= level->least);
	return tally.run - tally.passed;
}

static void
test_the_suite_passes(void **state)
{
	struct schema_library *library = schema_library_create();
	struct documents docs = { 0 };
	size_t missed = 0;

	add_remotes(library, &docs, "");
	assert_true(docs.len > 60);
	for (size_t i = 0; i < ARRAY_LEN(LEVELS); i++)
		missed += run_level(&LEVELS[i], library);
	schema_library_destroy(library);
	for (size_t i = 0; i < docs.len; i++)
		json_doc_destroy(docs.items[i]);
	free(docs.items);
	assert_int_equal(missed, 0);
}

TEST_FILE(schema_suite)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_the_suite_passes) };
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

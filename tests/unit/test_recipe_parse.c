/* SPDX-License-Identifier: MIT */
/* Files that are recipes and files that are not: the place and the reason; the published schema
 * judges each of them alike. */
#include "base/path.h"
#include "base/vec.h"
#include "recipe/recipe.h"
#include "schema/schema.h"

#include "test.h"

#include <stdio.h>
#include <string.h>

static const struct row {
	const char *text;
	const char *problem; /* "LINE:COLUMN POINTER: TEXT"; NULL: it is one */
	bool schema_cannot;  /* say it */
} rows[] = {
	{ "{\"steps\":[{\"call\":\"x\"}]}", NULL, false },
	{ "{\"tests\":[{\"read\":\"file:///x\"},{\"get\":\"p\",\"arguments\":{}}]}", NULL, false },
	{ "{\"call\":\"x\",\"server\":\"s\",\"arguments\":{\"a\":1},\"expect\":{\"error\":true}}",
	    NULL, false },
	{ "{\"$schema\":\"s\",\"name\":\"\",\"description\":\"d\",\"variables\":{\"a\":null},"
	  "\"environments\":{\"test site\":{\"a\":[1]}},\"steps\":[{\"call\":\"${a}\"}]}",
	    NULL, false },
	{ "{\"steps\":[{\"each\":\".[]\",\"as\":\"o\",\"from\":\"x\",\"save\":\"y\",\"steps\":["
	  "{\"when\":\".\",\"pick\":\".a\",\"all\":true,\"onFailure\":\"continue\"}]}]}",
	    NULL, false },
	{ "{\"steps\":[{\"steps\":[{\"assert\":[\".a\",\".b\"],\"message\":\"m\"}],\"when\":\".\"}]"
	  "}",
	    NULL, false },
	{ "{\"call\":\"x\",\"expect\":{\"error\":\"no\",\"verdict\":[\"valid\",\"missing\"],"
	  "\"findings\":[\"a\"],\"of\":\".\",\"equals\":null,\"contains\":{},\"snapshot\":\"a/"
	  "b.json\","
	  "\"jq\":\".x\",\"within\":\"2s\"}}",
	    NULL, false },
	{ "{\"call\":\"x\",\"expect\":{\"within\":20,\"findings\":\"notes\",\"jq\":[\".\"]}}", NULL,
	    false },
	/* not JSON */
	{ "", "1:1 : not JSON: empty", true },
	{ "{\"steps\":[\n {]}", "2:3 : not JSON: expected a key in double quotes", true },
	{ "{\"steps\":[{\"call\":\"x\",\"call\":\"y\"}]}", "1:23 : duplicate key", true },
	{ "{\"steps\":[{\"call\":\"x\\u0000\"}]}", "1:21 : NUL in a string", true },
	/* not a recipe */
	{ "[]", "1:1 : expected an object, found array", false },
	{ "{}",
	    "1:1 : a recipe has \"steps\" or \"tests\", and a saved call has \"call\", \"read\" or "
	    "\"get\"",
	    false },
	{ "{\"steps\":[]}", "1:10 /steps: there is no step", false },
	{ "{\"steps\":[{\"call\":\"x\"}],\"tests\":[{\"call\":\"x\"}]}",
	    "1:33 /tests: a file has either \"steps\" or \"tests\"", false },
	{ "{\"steps\":[{\"call\":\"x\"}],\"varables\":{}}",
	    "1:36 /varables: unknown member \"varables\"; did you mean variables?", false },
	{ "{\"steps\":[1]}", "1:11 /steps/0: expected an object, a step, found number", false },
	{ "{\"steps\":[{}]}",
	    "1:11 /steps/0: a step has one of \"call\", \"read\", \"get\", \"pick\", \"each\", "
	    "\"assert\" and \"steps\"",
	    false },
	{ "{\"steps\":[{\"call\":\"x\",\"pick\":\".\"}]}",
	    "1:30 /steps/0/pick: a step does one thing, and this one has \"call\"", false },
	{ "{\"steps\":[{\"call\":\"x\",\"as\":\"y\"}]}",
	    "1:28 /steps/0/as: \"as\" does not go with this kind of step", false },
	{ "{\"steps\":[{\"call\":\"x\",\"argument\":{}}]}",
	    "1:34 /steps/0/argument: unknown member \"argument\"; did you mean arguments?", false },
	{ "{\"steps\":[{\"call\":\"\"}]}", "1:19 /steps/0/call: expected a text, found \"\"",
	    false },
	{ "{\"steps\":[{\"call\":\"x\",\"arguments\":[]}]}",
	    "1:35 /steps/0/arguments: expected an object, found array", false },
	{ "{\"steps\":[{\"pick\":\" \"}]}",
	    "1:19 /steps/0/pick: expected an expression of jq, found an empty string", false },
	{ "{\"steps\":[{\"pick\":\".\",\"all\":1}]}",
	    "1:29 /steps/0/all: expected a boolean, found number", false },
	{ "{\"steps\":[{\"pick\":\".\",\"save\":\"a-b\"}]}",
	    "1:30 /steps/0/save: \"a-b\" cannot be a name: a letter or _, then letters, digits and "
	    "_",
	    false },
	{ "{\"steps\":[{\"pick\":\".\",\"save\":\"if\"}]}",
	    "1:30 /steps/0/save: \"if\" is a word of jq, and cannot be a name", false },
	{ "{\"steps\":[{\"pick\":\".\",\"save\":\"reply\"}]}",
	    "1:30 /steps/0/save: \"reply\" is the reply to the last call: choose another name",
	    false },
	{ "{\"steps\":[{\"steps\":[{\"call\":\"x\",\"retry\":{\"attempts\":1}}],\"retry\":{"
	  "\"attempts\":"
	  "10000,\"delay\":\"2s\",\"until\":\".a\"}},{\"read\":\"x\",\"retry\":{\"attempts\":2,"
	  "\"delay\":"
	  "20}}]}",
	    NULL, false },
	{ "{\"get\":\"x\",\"retry\":{\"attempts\":3}}", NULL, false },
	{ "{\"steps\":[{\"pick\":\".\",\"retry\":{\"attempts\":2}}]}",
	    "1:31 /steps/0/retry: \"retry\" does not go with this kind of step", false },
	{ "{\"call\":\"x\",\"retry\":3}", "1:21 /retry: expected an object, found number", false },
	{ "{\"call\":\"x\",\"retry\":{\"delay\":\"1s\"}}",
	    "1:21 /retry: \"retry\" needs \"attempts\"", false },
	{ "{\"call\":\"x\",\"retry\":{\"attempts\":0}}",
	    "1:33 /retry/attempts: expected a number of attempts from 1 to 10000", false },
	{ "{\"call\":\"x\",\"retry\":{\"attempts\":1.5}}",
	    "1:33 /retry/attempts: expected a number of attempts from 1 to 10000", false },
	{ "{\"call\":\"x\",\"retry\":{\"attempts\":10001}}",
	    "1:33 /retry/attempts: expected a number of attempts from 1 to 10000", false },
	{ "{\"call\":\"x\",\"retry\":{\"attempts\":2,\"delay\":0}}",
	    "1:43 /retry/delay: expected a time such as \"500ms\" or \"2s\", at most 24 hours",
	    false },
	{ "{\"call\":\"x\",\"retry\":{\"attempts\":2,\"untill\":\".\"}}",
	    "1:44 /retry/untill: unknown member \"untill\"; did you mean until?", false },
	{ "{\"steps\":[{\"each\":\".\"}]}", "1:11 /steps/0: \"each\" needs \"steps\"", false },
	{ "{\"steps\":[{\"assert\":[]}]}",
	    "1:21 /steps/0/assert: expected an expression of jq, found an empty array", false },
	{ "{\"steps\":[{\"call\":\"x\",\"onFailure\":\"go\"}]}",
	    "1:35 /steps/0/onFailure: expected \"stop\" or \"continue\"", false },
	{ "{\"steps\":[{\"call\":\"x\",\"arguments\":{\"a\":[\"${b\"]}}]}",
	    "1:41 /steps/0/arguments/a/0: \"${b\" does not end: } is missing; $${ is a plain ${",
	    true },
	{ "{\"steps\":[{\"call\":\"x\",\"name\":\"${}\"}]}",
	    "1:30 /steps/0/name: \"${}\" has no name: write ${name} or ${name.member.0}; $${ is a "
	    "plain "
	    "${",
	    true },
	{ "{\"call\":\"x\",\"when\":\".\"}", "1:20 /when: unknown member \"when\"", false },
	{ "{\"read\":\"x\",\"arguments\":{}}",
	    "1:25 /arguments: \"arguments\" does not go with \"read\"", false },
	{ "{\"call\":\"x\",\"read\":\"y\"}",
	    "1:20 /read: a step does one thing, and this one has \"call\"", false },
	{ "{\"call\":\"x\",\"variables\":{\"a b\":1}}",
	    "1:32 /variables/a b: \"a b\" cannot be a name: a letter or _, then letters, digits "
	    "and _",
	    false },
	{ "{\"call\":\"x\",\"environments\":{\"a\":1}}",
	    "1:33 /environments/a: expected an object, found number", false },
	/* expectations */
	{ "{\"call\":\"x\",\"expect\":[]}", "1:22 /expect: expected an object, found array",
	    false },
	{ "{\"call\":\"x\",\"expect\":{\"verdict\":\"fine\"}}",
	    "1:33 /expect/verdict: expected one of valid, invalid, missing, no-schema, "
	    "schema-broken, "
	    "not-applied, undecided, no-result",
	    false },
	{ "{\"call\":\"x\",\"expect\":{\"findings\":\"few\"}}",
	    "1:34 /expect/findings: expected one of none, notes, warnings", false },
	{ "{\"call\":\"x\",\"expect\":{\"error\":1}}",
	    "1:31 /expect/error: expected a boolean, or a part of the message as a string, found "
	    "number",
	    false },
	{ "{\"call\":\"x\",\"expect\":{\"within\":\"soon\"}}",
	    "1:32 /expect/within: expected a time such as \"500ms\" or \"2s\", at most 24 hours",
	    false },
	{ "{\"call\":\"x\",\"expect\":{\"within\":0}}",
	    "1:32 /expect/within: expected a time such as \"500ms\" or \"2s\", at most 24 hours",
	    false },
	{ "{\"call\":\"x\",\"expect\":{\"snapshot\":\"../a.json\"}}",
	    "1:34 /expect/snapshot: the file has to be in the folder of the recipe, or below it",
	    false },
	{ "{\"call\":\"x\",\"expect\":{\"snapshot\":\"a/../../b.json\"}}",
	    "1:34 /expect/snapshot: the file has to be in the folder of the recipe, or below it",
	    false },
	{ "{\"call\":\"x\",\"expect\":{\"snapshot\":\"/etc/x.json\"}}",
	    "1:34 /expect/snapshot: the file has to be in the folder of the recipe, or below it",
	    false },
	{ "{\"call\":\"x\",\"expect\":{\"snapshot\":\"a.txt\"}}",
	    "1:34 /expect/snapshot: the name of a snapshot ends in .json", false },
};

static void
assert_problem(const struct row *row, const struct recipe *recipe, const struct recipe_problem *p)
{
	char said[700];

	if (!row->problem) {
		if (!recipe)
			fail_msg("%s: %u:%u %s", row->text, p->line, p->column, p->text);
		return;
	}
	assert_null(recipe);
	snprintf(said, sizeof(said), "%u:%u %s: %s", p->line, p->column, p->pointer, p->text);
	assert_string_equal(said, row->problem);
}

static void
test_files(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct recipe_problem problem;
		struct recipe *recipe = recipe_parse(rows[i].text, strlen(rows[i].text), &problem);
		assert_problem(&rows[i], recipe, &problem);
		recipe_destroy(recipe);
	}
}

static void
test_schema(void **state)
{
	struct buf text = BUF_INIT;
	struct err err;
	struct schema_problem problem;

	assert_true(path_read_file("docs/recipe.schema.json", &text, &err));
	struct json_doc *doc = json_parse(text.data, text.len, NULL, NULL);
	struct schema *schema = schema_compile(json_root(doc), NULL, &problem);
	assert_non_null(schema);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct json_doc *file = json_parse(rows[i].text, strlen(rows[i].text), NULL, NULL);
		enum schema_outcome wanted = rows[i].problem ? SCHEMA_INVALID : SCHEMA_VALID;
		if (!rows[i].schema_cannot &&
		    schema_outcome(schema, json_root(file), &(struct check_options){ 0 }) != wanted)
			fail_msg("the schema says otherwise: %s", rows[i].text);
		json_doc_destroy(file);
	}
	schema_destroy(schema);
	json_doc_destroy(doc);
	buf_finish(&text);
}

static void
refuses(struct buf *text, const char *why)
{
	struct recipe_problem problem;

	assert_null(recipe_parse(buf_text(text), text->len, &problem));
	assert_string_equal(problem.text, why);
	buf_finish(text);
}

static void
test_bounds(void **state)
{
	struct buf text = BUF_INIT;

	for (int i = 0; i < 17; i++)
		buf_add_str(&text, "{\"steps\":[");
	buf_add_str(&text, "{\"call\":\"x\"}");
	for (int i = 0; i < 17; i++)
		buf_add_str(&text, "]}");
	refuses(&text, "steps are nested deeper than 16");
	buf_add_str(&text, "{\"steps\":[{\"call\":\"x\"}");
	for (int i = 0; i < RECIPE_STEPS_MAX; i++)
		buf_add_str(&text, ",{\"call\":\"x\"}");
	buf_add_str(&text, "]}");
	refuses(&text, "there are more than 1000 steps");
	buf_add_str(&text, "{\"steps\":[{\"pick\":\"");
	for (int i = 0; i < 9000; i++)
		buf_add_char(&text, '.');
	buf_add_str(&text, "\"}]}");
	refuses(&text, "the expression is longer than 8192 bytes");
	while (text.len <= RECIPE_FILE_MAX)
		buf_add_str(&text, "                                                        ");
	refuses(&text, "the file is larger than 4 MiB");
}

TEST_FILE(recipe_parse)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_schema),
		cmocka_unit_test(test_bounds),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

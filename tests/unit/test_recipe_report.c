/* SPDX-License-Identifier: MIT */
/* The report of a run in each format. Texts of a server or file cannot break the format. */
#include "base/vec.h"
#include "json/doc.h"

#include "recipe_stage.h"
#include "test.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

static const char recipe[] =
    "{\"name\":\"a <b> & \\\"c\\\" | # \\\\ "
    "::set-output\",\"steps\":[{\"call\":\"go\",\"name\":\"go "
    "]]> '1' \\u001b[2J\\u0007 \\u202e # *x* | <img>\"},{\"when\":\"false\",\"call\":\"no\"},"
    "{\"call\":\"fails\",\"onFailure\":\"continue\"},{\"call\":\"silent\"},{\"call\":\"late\"}]}";

static void
play(struct recipe_stage *s, enum recipe_format format, struct buf *out)
{
	assert_true(recipe_stage_play(s, recipe));
	s->report.suites.items[0].took_us = 1500000;
	s->report.suites.items[0].started_wall_us = 1795452345000000;
	report_add_suite(&s->report, "broken", "dir/<broken>.json");
	report_set_trouble(&s->report, "1:2: not \xff JSON\n# really");
	recipe_report_add(&s->report, format, out);
}

static void
expect(enum recipe_format format, const char *wanted)
{
	struct recipe_stage s = { .recipe = NULL };
	struct buf out = BUF_INIT;

	play(&s, format, &out);
	assert_string_equal(buf_text(&out), wanted);
	recipe_stage_finish(&s);
	buf_finish(&out);
}

static void
test_junit(void **state)
{
	expect(RECIPE_JUNIT,
	    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	    "<testsuites tests=\"6\" failures=\"1\" errors=\"2\" time=\"1.500000\">\n"
	    "  <testsuite name=\"a &lt;b&gt; &amp; &quot;c&quot; | # \\ ::set-output\" "
	    "file=\"recipe.json\" timestamp=\"2026-11-23T16:45:45\" "
	    "tests=\"5\" failures=\"1\" errors=\"1\" skipped=\"2\" time=\"1.500000\">\n"
	    "    <testcase "
	    "name=\"go ]]&gt; "
	    "&apos;1&apos; ␛[2J␇ ◌ # *x* | &lt;img&gt;\" classname=\"a &lt;b&gt; &amp; "
	    "&quot;c&quot; | # \\ ::set-output\" time=\"0.003000\"></testcase>\n"
	    "    <testcase name=\"no\" "
	    "classname=\"a &lt;b&gt; &amp; &quot;c&quot; | # \\ ::set-output\" "
	    "time=\"0.000000\"><skipped message=\"not when false\"/></testcase>\n"
	    "    <testcase name=\"fails\" "
	    "classname=\"a &lt;b&gt; &amp; &quot;c&quot; | # \\ ::set-output\" "
	    "time=\"0.003000\">\n"
	    "      <failure message=\"the tool reported an error: no such ␛[31morder\" "
	    "type=\"error\">the tool "
	    "reported an error: no such ␛[31morder\nA9</failure>\n"
	    "    </testcase>\n"
	    "    <testcase name=\"silent\" "
	    "classname=\"a &lt;b&gt; &amp; &quot;c&quot; | # \\ ::set-output\" "
	    "time=\"0.003000\">\n"
	    "      <error message=\"no answer in 60 s\" type=\"no answer\">no answer in 60 "
	    "s</error>\n"
	    "    </testcase>\n"
	    "    <testcase name=\"late\" "
	    "classname=\"a &lt;b&gt; &amp; &quot;c&quot; | # \\ ::set-output\" "
	    "time=\"0.000000\"><skipped message=\"not run, because the recipe ended "
	    "before\"/></testcase>\n"
	    "  </testsuite>\n"
	    "  <testsuite name=\"broken\" file=\"dir/&lt;broken&gt;.json\" tests=\"1\" "
	    "failures=\"0\" errors=\"1\" "
	    "skipped=\"0\" time=\"0.000000\">\n"
	    "    <testcase name=\"dir/&lt;broken&gt;.json\" classname=\"broken\" time=\"0\">\n"
	    "      <error message=\"1:2: not � JSON\" type=\"recipe\">1:2: not � JSON\n# "
	    "really</error>\n"
	    "    </testcase>\n"
	    "  </testsuite>\n"
	    "</testsuites>\n");
}

/* ---- the schema of Jenkins' xUnit plugin, junit-10: what each element may have ---- */

static const struct junit_element {
	const char *name, *attributes, *required, *children;
	bool has_text;
} junit_elements[] = {
	{ "testsuites", " name time tests failures errors ", "", " testsuite ", false },
	{ "testsuite",
	    " name tests failures errors group time skipped timestamp hostname id package file log "
	    "url ",
	    " name tests failures errors ", " testsuite properties testcase system-out system-err ",
	    false },
	{ "testcase", " name time classname group ", " name ",
	    " skipped error failure system-out system-err ", false },
	{ "failure", " type message ", "", "", true },
	{ "error", " type message ", "", "", true },
	{ "skipped", " type message ", "", "", true },
	{ "system-out", "", "", "", true },
};

static bool
has_word(const char *words, const char *word)
{
	char padded[80];

	snprintf(padded, sizeof(padded), " %s ", word);
	return strstr(words, padded) != NULL;
}

static const struct junit_element *
junit_element(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(junit_elements); i++)
		if (strcmp(junit_elements[i].name, name) == 0)
			return &junit_elements[i];
	fail_msg("no element of JUnit: %s", name);
	return NULL;
}

/* The attributes of a start tag, up to its end; a time is digits and a point. */
static const char *
check_attributes(const char *at, const struct junit_element *element)
{
	char seen[300] = " ", name[60], value[600];
	int used = 0;

	for (; sscanf(at, " %59[a-z]=\"%n", name, &used) == 1 && used > 0; used = 0) {
		at += used;
		size_t len = strcspn(at, "\"<");
		assert_int_equal(at[len], '"');
		snprintf(value, sizeof(value), "%.*s", (int)len, at);
		at += len + 1;
		if (!has_word(element->attributes, name) || has_word(seen, name))
			fail_msg("%s has no attribute %s", element->name, name);
		if (strcmp(name, "time") == 0 && value[strspn(value, "0123456789.")])
			fail_msg("no time: %s", value);
		snprintf(seen + strlen(seen), sizeof(seen) - strlen(seen), "%s ", name);
	}
	for (const char *word = element->required; sscanf(word, " %59[a-z]%n", name, &used) == 1;
	     word += used)
		if (!has_word(seen, name))
			fail_msg("%s lacks the attribute %s", element->name, name);
	return at;
}

/* Fails unless the text is a document that the schema allows. */
static void
check_junit(const char *at)
{
	const struct junit_element *open[8];
	size_t depth = 0;
	char name[60];
	int used = 0;

	assert_int_equal(strncmp(at, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", 39), 0);
	for (at += 39; *at;) {
		size_t text = strcspn(at, "<");
		if (at[strspn(at, " \n")] != '<' && at[text])
			assert_true(depth > 0 && open[depth - 1]->has_text);
		at += text;
		if (sscanf(at, "</%59[a-z-]>%n", name, &used) == 1) {
			assert_true(depth > 0);
			assert_string_equal(open[--depth]->name, name);
			at += used;
		} else if (sscanf(at, "<%59[a-z-]%n", name, &used) == 1) {
			const struct junit_element *element = junit_element(name);
			if (depth > 0 && !has_word(open[depth - 1]->children, name))
				fail_msg("%s in %s", name, open[depth - 1]->name);
			at = check_attributes(at + used, element);
			if (strncmp(at, "/>", 2) == 0)
				at++;
			else
				open[depth++] = element;
			assert_int_equal(*at++, '>');
			assert_true(depth < ARRAY_LEN(open));
		} else if (*at) {
			fail_msg("not XML: %.40s", at);
		}
	}
	assert_int_equal(depth, 0);
}

static void
test_junit_is_what_jenkins_accepts(void **state)
{
	struct recipe_stage s = { .recipe = NULL };
	struct buf out = BUF_INIT;

	play(&s, RECIPE_JUNIT, &out);
	check_junit(buf_text(&out));
	buf_finish(&out);
	s.report.suites.items[0].left_out = 3;
	recipe_report_add(&s.report, RECIPE_JUNIT, &out);
	check_junit(buf_text(&out));
	recipe_stage_finish(&s);
	buf_finish(&out);
}

static void
expect_names(const struct recipe_stage *s, const char *const *names, size_t count)
{
	const struct recipe_suite *suite = &s->report.suites.items[0];
	size_t n = 0;

	for (size_t i = 0; i < suite->cases.len && n < count; i++)
		if (recipe_outcome_counts(suite->cases.items[i].outcome))
			assert_string_equal(suite->cases.items[i].name, names[n++]);
	assert_int_equal(n, count);
	assert_int_equal(suite->counts.passed + suite->counts.failed, count);
}

/* The names are reported whichever attempt passed, and failed attempts are not test cases. */
static void
test_names_of_attempts(void **state)
{
	static const char *const first[] = { "a", "flaky" };
	static const char *const third[] = { "a", "a (2)", "a (3)", "flaky" };
	static const char text[] =
	    "{\"steps\":[{\"retry\":{\"attempts\":9},\"steps\":[{\"call\":\"a\"},"
	    "{\"call\":\"flaky\"}]}]}";
	struct recipe_stage s = { .flaky = 2 };
	struct buf out = BUF_INIT;

	assert_true(recipe_stage_play(&s, text));
	expect_names(&s, first, ARRAY_LEN(first));
	recipe_stage_finish(&s);
	assert_true(recipe_stage_play(&s, text));
	expect_names(&s, third, ARRAY_LEN(third));
	recipe_report_add(&s.report, RECIPE_TAP, &out);
	assert_non_null(strstr(buf_text(&out), "\n1..4\n"));
	buf_finish(&out);
	recipe_report_add(&s.report, RECIPE_JUNIT, &out);
	check_junit(buf_text(&out));
	assert_non_null(
	    strstr(buf_text(&out), "<testsuites tests=\"4\" failures=\"0\" errors=\"0\""));
	recipe_stage_finish(&s);
	buf_finish(&out);
}

/* A name says nothing of arguments and results, and is there once in a suite. */
static void
test_names(void **state)
{
	static const char *const names[] = { "twice", "twice (2)", "twice (3)", "twice (2) (2)",
		"pick [[1,2],[3]]", "in [1.1]", "in [1.2]", "in [2.1]", "in [2.1] (2)" };
	static const char text[] =
	    "{\"steps\":[{\"call\":\"twice\",\"arguments\":{\"id\":7}},{\"call\":\"twice\","
	    "\"arguments\":{\"id\":8}},{\"call\":\"go\",\"name\":\"twice\"},"
	    "{\"call\":\"twice (2)\"},{\"pick\":\"[[1,2],[3]]\"},{\"each\":\".[]\",\"steps\":[{"
	    "\"each\":\".[]\",\"steps\":[{\"call\":\"in\"}]}]},{\"call\":\"in [2.1]\"}]}";
	struct recipe_stage s = { .recipe = NULL };

	assert_true(recipe_stage_play(&s, text));
	expect_names(&s, names, ARRAY_LEN(names));
	for (size_t i = 1; i < 40; i++)
		report_add_suite(&s.report, "recipe", "recipe.json");
	assert_string_equal(s.report.suites.items[39].name, "recipe (40)");
	recipe_stage_finish(&s);
}

static void
test_tap(void **state)
{
	expect(RECIPE_TAP, "TAP version 13\n"
			   "# a <b> & \"c\" | # \\ ::set-output\n"
			   "ok 1 - go ]]> '1' ␛[2J␇ ◌ \\# *x* | <img>\n"
			   "ok 2 - no # SKIP not when false\n"
			   "not ok 3 - fails\n"
			   "  ---\n"
			   "  message: \"the tool reported an error: no such ␛[31morder\\nA9\"\n"
			   "  ...\n"
			   "not ok 4 - silent\n"
			   "  ---\n"
			   "  message: \"no answer in 60 s\"\n"
			   "  ...\n"
			   "ok 5 - late # SKIP not run, because the recipe ended before\n"
			   "# broken\n"
			   "not ok 6 - dir/<broken>.json\n"
			   "  ---\n"
			   "  message: \"1:2: not � JSON\\n# really\"\n"
			   "  ...\n"
			   "1..6\n");
}

static void
test_github(void **state)
{
	expect(RECIPE_GITHUB,
	    "## 1 passed, 3 failed, 2 skipped in 1.50 s\n"
	    "\n### :x: a &#60;b&#62; &#38; \\\"c\\\" \\| \\# \\\\ \\:\\:set\\-output\n"
	    "\n1 passed, 2 failed, 2 skipped: recipe\\.json\n"
	    "\n| Failed step | Why | With |\n"
	    "| --- | --- | --- |\n"
	    "| fails | the tool reported an error\\: no such ␛\\[31morder |  |\n"
	    "| silent | no answer in 60 s |  |\n"
	    "\n### :x: broken\n"
	    "\n0 passed, 0 failed, 0 skipped: dir\\/&#60;broken&#62;\\.json\n"
	    "\n1\\:2\\: not � JSON\n");
}

static void
test_text(void **state)
{
	struct recipe_stage s = { .recipe = NULL };
	struct buf out = BUF_INIT;

	play(&s, RECIPE_TEXT, &out);
	assert_string_equal(buf_text(&out), "1 passed, 3 failed, 2 skipped in 1.50 s\n");
	assert_non_null(strstr(buf_text(&s.said), "ok      go ]]> '1' ␛[2J␇ ◌ # *x* | <img>\n"));
	recipe_stage_finish(&s);
	buf_finish(&out);
}

static void
test_json(void **state)
{
	struct recipe_stage s = { .recipe = NULL };
	struct buf out = BUF_INIT;

	play(&s, RECIPE_JSON, &out);
	struct json_doc *doc = json_parse(out.data, out.len, NULL, NULL);
	const cJSON *root = json_root(doc), *suite = json_first(json_get(root, "recipes"));
	assert_int_equal(json_get(root, "failed")->valueint, 3);
	assert_int_equal(json_count(json_get(suite, "steps")), 5);
	assert_string_equal(
	    json_get_string(json_get(suite, "steps")->child->next->next, "failure"), "error");
	assert_string_equal(
	    json_get_string(suite->next, "trouble"), "1:2: not \xef\xbf\xbd JSON\n# really");
	json_doc_destroy(doc);
	recipe_stage_finish(&s);
	buf_finish(&out);
}

TEST_FILE(recipe_report)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_junit),
		cmocka_unit_test(test_junit_is_what_jenkins_accepts),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_names_of_attempts),
		cmocka_unit_test(test_tap),
		cmocka_unit_test(test_github),
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_json),
	};
	setlocale(LC_ALL, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}

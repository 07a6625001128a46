/* What is said of a run in each format; no text of a server or file leaves its place there. */
#include "base/vec.h"
#include "json/doc.h"

#include "recipe_stage.h"
#include "test.h"

#include <locale.h>
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
	    "<testsuites tests=\"6\" failures=\"1\" errors=\"2\" skipped=\"2\" time=\"1.500000\">\n"
	    "  <testsuite name=\"a &lt;b&gt; &amp; &quot;c&quot; | # \\ ::set-output\" "
	    "file=\"recipe.json\" "
	    "tests=\"5\" failures=\"1\" errors=\"1\" skipped=\"2\" time=\"1.500000\">\n"
	    "    <testcase classname=\"a &lt;b&gt; &amp; &quot;c&quot; | # \\ ::set-output\" "
	    "name=\"go ]]&gt; "
	    "&apos;1&apos; ␛[2J␇ ◌ # *x* | &lt;img&gt;\" time=\"0.003000\"></testcase>\n"
	    "    <testcase classname=\"a &lt;b&gt; &amp; &quot;c&quot; | # \\ ::set-output\" "
	    "name=\"no\" "
	    "time=\"0.000000\"><skipped message=\"not when false\"/></testcase>\n"
	    "    <testcase classname=\"a &lt;b&gt; &amp; &quot;c&quot; | # \\ ::set-output\" "
	    "name=\"fails\" "
	    "time=\"0.003000\">\n"
	    "      <failure message=\"the tool reported an error: no such ␛[31morder\" "
	    "type=\"error\">the tool "
	    "reported an error: no such ␛[31morder\nA9</failure>\n"
	    "    </testcase>\n"
	    "    <testcase classname=\"a &lt;b&gt; &amp; &quot;c&quot; | # \\ ::set-output\" "
	    "name=\"silent\" "
	    "time=\"0.003000\">\n"
	    "      <error message=\"no answer in 60 s\" type=\"no answer\">no answer in 60 "
	    "s</error>\n"
	    "    </testcase>\n"
	    "    <testcase classname=\"a &lt;b&gt; &amp; &quot;c&quot; | # \\ ::set-output\" "
	    "name=\"late\" "
	    "time=\"0.000000\"><skipped message=\"not run, because the recipe ended "
	    "before\"/></testcase>\n"
	    "  </testsuite>\n"
	    "  <testsuite name=\"broken\" file=\"dir/&lt;broken&gt;.json\" tests=\"1\" "
	    "failures=\"0\" errors=\"1\" "
	    "skipped=\"0\" time=\"0.000000\">\n"
	    "    <testcase classname=\"broken\" name=\"dir/&lt;broken&gt;.json\" time=\"0\">\n"
	    "      <error message=\"1:2: not � JSON\" type=\"recipe\">1:2: not � JSON\n# "
	    "really</error>\n"
	    "    </testcase>\n"
	    "  </testsuite>\n"
	    "</testsuites>\n");
}

static void
test_tap(void **state)
{
	expect(RECIPE_TAP, "TAP version 14\n"
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
	    "\n| Failed step | Why |\n"
	    "| --- | --- |\n"
	    "| fails | the tool reported an error\\: no such ␛\\[31morder |\n"
	    "| silent | no answer in 60 s |\n"
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
		cmocka_unit_test(test_tap),
		cmocka_unit_test(test_github),
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_json),
	};
	setlocale(LC_ALL, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}

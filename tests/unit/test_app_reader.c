/* SPDX-License-Identifier: MIT */
/* The accessibility tree of a page as lines. */
#include "apps/reader.h"
#include "quoted.h"
#include "test.h"

#include <string.h>

static void
tells(const char *tree, const char *expected)
{
	struct json_doc *doc = parse_quoted(tree);
	struct buf out = BUF_INIT;

	app_reader_add(&out, json_root(doc));
	assert_string_equal(buf_text(&out), expected);
	buf_finish(&out);
	json_doc_destroy(doc);
}

#define NODE(id, role, name, rest) \
	"{'nodeId':'" id "','role':{'value':'" role "'},'name':{'value':'" name "'}" rest "}"

/* Groups without a name are skipped, and so is a text that repeats its parent. */
static void
test_lines(void **state)
{
	tells("[" NODE("1", "RootWebArea", "Shop", ",'childIds':['2','6']") "," NODE(
		  "2", "generic", "", ",'parentId':'1','childIds':['3','5']") "," NODE("3",
		  "button", "Buy", ",'parentId':'2','childIds':['4']") "," NODE("4", "StaticText",
		  "Buy", ",'parentId':'3'") "," NODE("5", "StaticText", "two\\nlines",
		  ",'parentId':'2'") "," NODE("6", "checkbox", "Gift",
		  ",'parentId':'1','properties':[{'name':'checked','value':{'value':'true'}},"
		  "{'name':'disabled','value':{'value':true}},"
		  "{'name':'required','value':{'value':false}}]") "]",
	    "page: Shop\n  button: Buy\n  two lines\n  checkbox: Gift  (checked true, disabled)\n");
}

static void
test_values(void **state)
{
	tells("[" NODE("1", "slider", "Rent", ",'value':{'value':35.5}") "," NODE(
		  "2", "textbox", "Name", ",'value':{'value':'Ann'}") "]",
	    "slider: Rent = 35.5\ntextbox: Name = Ann\n");
}

/* Each node is visited once, even if the tree is malformed. */
static void
test_loops_and_strangers(void **state)
{
	tells(
	    "[" NODE("1", "a", "x", ",'parentId':'2','childIds':['2','1','9',7]") "," NODE("2", "b",
		"y", ",'parentId':'1','childIds':['1']") ",3,{}," NODE("1", "c", "z", "") "]",
	    "a: x\n  b: y\n");
	tells("{'nodeId':'1'}", "");
	tells("[]", "");
}

/* A chain of groups, far deeper than a stack. */
static void
test_deep_tree(void **state)
{
	enum { DEEP = 15000 };
	struct buf tree = BUF_INIT, out = BUF_INIT;

	for (int i = 0; i < DEEP; i++)
		buf_addf(&tree,
		    "%s{\"nodeId\":\"%d\",\"role\":{\"value\":\"generic\"},\"childIds\":[\"%d\"]}",
		    i ? "," : "[", i, i + 1);
	buf_addf(&tree,
	    ",{\"nodeId\":\"%d\",\"role\":{\"value\":\"button\"},\"name\":{\"value\":\"end\"}}]",
	    DEEP);
	struct json_doc *doc = json_parse(tree.data, tree.len, NULL, NULL);
	assert_non_null(doc);
	app_reader_add(&out, json_root(doc));
	assert_string_equal(buf_text(&out), "button: end\n");
	buf_finish(&tree);
	buf_finish(&out);
	json_doc_destroy(doc);
}

TEST_FILE(app_reader)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_loops_and_strangers),
		cmocka_unit_test(test_deep_tree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

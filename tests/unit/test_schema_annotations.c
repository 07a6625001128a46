/* SPDX-License-Identifier: MIT */
#include "schema/output.h"
#include "schema/schema.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/vec.h"
#include "json/equal.h"
#include "json/pointer.h"
#include "json/print.h"
#include "validator.h"
#include "quoted.h"
#include "test.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- our own ---- */

/* "INSTANCE KEYWORDS VALUE", a line each. */
struct notes {
	struct buf text;
	size_t left; /* how many more are wanted */
};

static bool
take_note(void *ctx, const struct annotation *a)
{
	struct notes *n = ctx;

	annotation_instance_path(a, &n->text);
	buf_add_char(&n->text, ' ');
	annotation_keyword_path(a, &n->text);
	buf_add_char(&n->text, ' ');
	json_print(&n->text, a->value);
	buf_add_char(&n->text, '\n');
	return --n->left > 0;
}

static void
expect_notes_of(const struct schema *schema, const cJSON *value, enum annotate_mode mode,
    size_t most, bool whole, const char *notes_text)
{
	struct notes notes = { .left = most };

	assert_int_equal(schema_annotations(schema, value, mode, take_note, &notes), whole);
	if (strcmp(buf_text(&notes.text), notes_text) != 0)
		fail_msg("%snot\n%s", buf_text(&notes.text), notes_text);
	buf_finish(&notes.text);
}

/* Lazy arrays give the same result. */
static void
expect_notes_in(const char *schema_text, const char *value_text, enum annotate_mode mode,
    size_t most, bool whole, const char *notes_text)
{
	const struct json_options lazy = { .lazy_bytes = 1 };
	struct json_doc *text = parse_quoted(schema_text), *value = parse_quoted(value_text);
	struct schema_problem problem;
	struct schema *schema = schema_compile(json_root(text), NULL, &problem);
	struct buf again = BUF_INIT;

	if (!schema)
		fail_msg("%s: %s", problem.pointer, problem.text);
	expect_notes_of(schema, json_root(value), mode, most, whole, notes_text);
	json_print(&again, json_root(value));
	json_doc_destroy(value);
	value = json_parse(buf_text(&again), again.len, &lazy, NULL);
	expect_notes_of(schema, json_root(value), mode, most, whole, notes_text);
	buf_finish(&again);
	schema_destroy(schema);
	json_doc_destroy(text);
	json_doc_destroy(value);
}

static void
expect_notes(const char *schema, const char *value, const char *notes)
{
	expect_notes_in(schema, value, ANNOTATE_VALID, SIZE_MAX, true, notes);
}

static void
test_words_of_a_form_are_found(void **state)
{
	expect_notes("{'title':'User','description':'who','type':'object','properties':{'id':{"
		     "'type':'integer','title':'Id','default':1,'examples':[1,2]},'mail':{'format':"
		     "'email','deprecated':true},'gone':{'title':'no'}},'x-order':3}",
	    "{'id':3,'mail':'a@b.c'}",
	    " /title \"User\"\n"
	    " /description \"who\"\n"
	    " /x-order 3\n"
	    "/id /properties/id/title \"Id\"\n"
	    "/id /properties/id/default 1\n"
	    "/id /properties/id/examples [1,2]\n"
	    "/mail /properties/mail/format \"email\"\n"
	    "/mail /properties/mail/deprecated true\n");
}

static void
test_references_are_on_the_way(void **state)
{
	expect_notes("{'items':{'$ref':'#/$defs/row'},'$defs':{'row':{'title':'Row','properties':{"
		     "'a/b':{'title':'A'}}}}}",
	    "[{'a/b':1},{}]",
	    "/0 /items/$ref/title \"Row\"\n"
	    "/0/a~1b /items/$ref/properties/a~1b/title \"A\"\n"
	    "/1 /items/$ref/title \"Row\"\n");
}

static void
test_items_are_looked_into_by_several_keywords(void **state)
{
	expect_notes("{'items':{'anyOf':[{'type':'integer','title':'I'},{'title':'A'}]},"
		     "'contains':{'type':'string','title':'S'},'uniqueItems':true}",
	    "[1,'a',[2,'b']]",
	    "/0 /items/anyOf/0/title \"I\"\n"
	    "/0 /items/anyOf/1/title \"A\"\n"
	    "/1 /items/anyOf/1/title \"A\"\n"
	    "/2 /items/anyOf/1/title \"A\"\n"
	    "/1 /contains/title \"S\"\n");
	expect_notes("{'prefixItems':[{'title':'P'}],'unevaluatedItems':{'title':'U'}}", "[1,2,3]",
	    "/0 /prefixItems/0/title \"P\"\n"
	    "/1 /unevaluatedItems/title \"U\"\n"
	    "/2 /unevaluatedItems/title \"U\"\n");
}

static void
test_branches_that_fail_say_nothing(void **state)
{
	const char *either = "{'title':'T','anyOf':[{'type':'string','title':'S'},{'type':'null',"
			     "'title':'N'}]}";

	expect_notes(either, "'x'", " /title \"T\"\n /anyOf/0/title \"S\"\n");
	expect_notes(either, "null", " /title \"T\"\n /anyOf/1/title \"N\"\n");
	expect_notes(either, "3", "");
	expect_notes("{'if':{'const':1,'title':'I'},'then':{'title':'T'},'else':{'title':'E'}}",
	    "1", " /if/title \"I\"\n /then/title \"T\"\n");
	expect_notes("{'if':{'const':1,'title':'I'},'then':{'title':'T'},'else':{'title':'E'}}",
	    "2", " /else/title \"E\"\n");
	expect_notes("{'not':{'not':{'title':'N'}},'propertyNames':{'title':'P'}}", "{'a':1}", "");
	expect_notes(
	    "{'contains':{'type':'null','title':'C'}}", "[1,null]", "/1 /contains/title \"C\"\n");
}

static void
test_unevaluated_is_what_is_left(void **state)
{
	expect_notes(
	    "{'allOf':[{'properties':{'a':{'title':'A'}}}],'unevaluatedProperties':{'title':"
	    "'U'}}",
	    "{'a':1,'b':2}",
	    "/a /allOf/0/properties/a/title \"A\"\n"
	    "/b /unevaluatedProperties/title \"U\"\n");
}

/* A table with one bad row keeps its column heads. */
static void
test_an_invalid_value_may_be_annotated(void **state)
{
	const char *list = "{'items':{'properties':{'id':{'type':'integer','title':'Id'}}}}";

	expect_notes(list, "[{'id':1},{'id':'2'}]", "");
	expect_notes_in(list, "[{'id':1},{'id':'2'}]", ANNOTATE_ANYWAY, SIZE_MAX, true,
	    "/0/id /items/properties/id/title \"Id\"\n"
	    "/1/id /items/properties/id/title \"Id\"\n");
}

static void
test_enough_is_enough(void **state)
{
	expect_notes_in("{'title':'L','items':{'title':'I'}}", "[1,2,3]", ANNOTATE_VALID, 2, false,
	    " /title \"L\"\n/0 /items/title \"I\"\n");
}

static void
test_hidden_siblings_say_nothing(void **state)
{
	expect_notes("{'$schema':'http://json-schema.org/draft-07/schema#','properties':{'a':{"
		     "'title':'no','$ref':'#/definitions/a'}},'definitions':{'a':{'title':'A'}}}",
	    "{'a':1}", "/a /properties/a/$ref/title \"A\"\n");
}

static bool
count_it(void *ctx, const struct annotation *annotation)
{
	++*(size_t *)ctx;
	return true;
}

/* Two branches that both hold, each with two, and so on: it ends all the same. */
static void
test_a_schema_that_doubles_is_bounded(void **state)
{
	struct buf text = BUF_INIT;
	struct schema_problem problem;
	size_t count = 0;

	buf_add_str(&text, "{'$ref':'#/$defs/n0','$defs':{");
	for (int i = 0; i < 40; i++)
		buf_addf(&text, "'n%d':{'allOf':[{'$ref':'#/$defs/n%d'},{'$ref':'#/$defs/n%d'}]},",
		    i, i + 1, i + 1);
	buf_add_str(&text, "'n40':{'title':'end'}}}");
	struct json_doc *doc = parse_quoted(buf_text(&text)), *value = parse_quoted("1");
	struct schema *schema = schema_compile(json_root(doc), NULL, &problem);
	assert_non_null(schema);
	assert_false(
	    schema_annotations(schema, json_root(value), ANNOTATE_ANYWAY, count_it, &count));
	schema_destroy(schema);
	json_doc_destroy(doc);
	doc = parse_quoted("{'$ref':'#','title':'again'}");
	schema = schema_compile(json_root(doc), NULL, &problem);
	assert_non_null(schema);
	assert_false(
	    schema_annotations(schema, json_root(value), ANNOTATE_VALID, count_it, &count));
	assert_false(
	    schema_annotations(schema, json_root(value), ANNOTATE_ANYWAY, count_it, &count));
	schema_destroy(schema);
	json_doc_destroy(doc);
	json_doc_destroy(value);
	buf_finish(&text);
}

/* ---- the official ones, in the folder annotations of the JSON-Schema-Test-Suite ---- */

#define BASE "https://example.org/annotated"

static const struct {
	const char *name; /* as in `compatibility` */
	int number;
	enum schema_draft draft;
	size_t least; /* assertions there are, so that none is passed over */
} DRAFTS[] = {
	{ "2020", 2020, SCHEMA_DRAFT_2020_12, 84 },
	{ "2019", 2019, SCHEMA_DRAFT_2019_09, 62 },
	{ "7", 7, SCHEMA_DRAFT_07, 31 },
	{ "6", 6, SCHEMA_DRAFT_06, 23 },
	{ "4", 4, SCHEMA_DRAFT_04, 17 },
};

/* "6,<=2019" */
static bool
is_compatible(const char *text, int draft)
{
	while (text && *text) {
		bool most = strncmp(text, "<=", 2) == 0, same = *text == '=';
		int number = atoi(text + (most ? 2 : same));
		if (most ? draft > number : same ? draft != number : draft < number)
			return false;
		text += strcspn(text, ",");
		text += *text == ',';
	}
	return true;
}

struct assertion {
	const char *location, *keyword;
	const cJSON *expected;
	size_t right, wrong;
};

static bool
compare(void *ctx, const struct annotation *a)
{
	struct assertion *x = ctx;
	struct buf where = BUF_INIT, from = BUF_INIT;

	annotation_instance_path(a, &where);
	if (strcmp(a->keyword, x->keyword) == 0 && strcmp(buf_text(&where), x->location) == 0) {
		assert_true(annotation_absolute_path(a, &from));
		/* the schema that has the keyword */
		buf_truncate(&from, (size_t)(strrchr(buf_text(&from), '/') - from.data));
		const cJSON *expected = json_get(x->expected, buf_text(&from));
		if (!expected)
			expected = json_get(x->expected, strchr(buf_text(&from), '#'));
		/* in an embedded resource: there the expected place is not the canonical one */
		if (!expected && strncmp(buf_text(&from), BASE "#", sizeof(BASE)) != 0 &&
		    json_count(x->expected) == 1)
			expected = json_first(x->expected);
		if (expected && json_equal(expected, a->value))
			x->right++;
		else
			x->wrong++;
	}
	buf_finish(&where);
	buf_finish(&from);
	return true;
}

static size_t
run_instance(const struct schema *schema, const cJSON *test, const char *name)
{
	size_t count = 0;

	for (const cJSON *a = json_first(json_get(test, "assertions")); a; a = a->next, count++) {
		struct assertion x = {
			.location = json_get_string(a, "location"),
			.keyword = json_get_string(a, "keyword"),
			.expected = json_get(a, "expected"),
		};
		assert_true(schema_annotations(
		    schema, json_get(test, "instance"), ANNOTATE_VALID, compare, &x));
		if (x.right != json_count(x.expected) || x.wrong != 0)
			fail_msg("%s: %s of %s: %zu right, %zu wrong", name, x.keyword, x.location,
			    x.right, x.wrong);
	}
	return count;
}

static size_t
run_case(const cJSON *group, size_t draft)
{
	const char *name = json_get_string(group, "description");
	struct schema_library *library = schema_library_create();
	const struct schema_options options = {
		.draft = DRAFTS[draft].draft,
		.uri = BASE,
		.library = library,
	};
	struct schema_problem problem;
	size_t count = 0;

	for (const cJSON *e = json_first(json_get(group, "externalSchemas")); e; e = e->next)
		schema_library_add(library, e->string, e);
	struct schema *schema = schema_compile(json_get(group, "schema"), &options, &problem);
	if (!schema)
		fail_msg("%s: %s", name, problem.text);
	for (const cJSON *t = json_first(json_get(group, "tests")); t; t = t->next)
		count += run_instance(schema, t, name);
	schema_destroy(schema);
	schema_library_destroy(library);
	return count;
}

static size_t
run_file(const char *path, size_t draft)
{
	struct json_doc *doc = load_document(path);
	size_t count = 0;

	for (const cJSON *g = json_first(json_get(json_root(doc), "suite")); g; g = g->next)
		if (is_compatible(json_get_string(g, "compatibility"), DRAFTS[draft].number))
			count += run_case(g, draft);
	json_doc_destroy(doc);
	return count;
}

static void
test_the_official_ones_pass(void **state)
{
	const char *suite = getenv("JSON_SCHEMA_SUITE");
	char *folder = mem_printf(
	    "%s/annotations/tests", suite ? suite : "../shared/data/json-schema-test-suite");
	struct dirent **names;
	int files = scandir(folder, &names, NULL, alphasort);

	for (size_t d = 0; files > 0 && d < ARRAY_LEN(DRAFTS); d++) {
		size_t count = 0;
		for (int i = 0; i < files; i++) {
			char *path = mem_printf("%s/%s", folder, names[i]->d_name);
			count += names[i]->d_name[0] == '.' ? 0 : run_file(path, d);
			free(path);
		}
		printf("annotations, %-4s %3zu assertions hold\n", DRAFTS[d].name, count);
		assert_true(count >= DRAFTS[d].least);
	}
	for (int i = 0; i < files; i++)
		free(names[i]);
	if (files >= 0)
		free(names);
	else
		printf("SKIPPED: no annotation tests at %s\n", folder);
	free(folder);
	if (files < 0)
		skip();
}

TEST_FILE(schema_annotations)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words_of_a_form_are_found),
		cmocka_unit_test(test_references_are_on_the_way),
		cmocka_unit_test(test_items_are_looked_into_by_several_keywords),
		cmocka_unit_test(test_branches_that_fail_say_nothing),
		cmocka_unit_test(test_unevaluated_is_what_is_left),
		cmocka_unit_test(test_an_invalid_value_may_be_annotated),
		cmocka_unit_test(test_enough_is_enough),
		cmocka_unit_test(test_hidden_siblings_say_nothing),
		cmocka_unit_test(test_a_schema_that_doubles_is_bounded),
		cmocka_unit_test(test_the_official_ones_pass),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

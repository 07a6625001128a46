/* SPDX-License-Identifier: MIT */
#include "mcp/primitive.h"

#include "base/mem.h"
#include "base/vec.h"
#include "probe.h"
#include "quoted.h"
#include "test.h"

#include <stdlib.h>
#include <stdio.h>
#include <string.h>

static struct json_doc *
decode(struct primitive *t, const char *text)
{
	struct json_doc *doc = json_parse(text, strlen(text), NULL, NULL);

	assert_non_null(doc);
	primitive_decode(t, PRIMITIVE_TOOL, doc, json_root(doc));
	return doc;
}

static const struct {
	const char *json, *problem;
} rows[] = {
	{ "{\"name\":\"a\",\"inputSchema\":{}}", "" },
	{ "{\"name\":\"a\",\"inputSchema\":{},\"outputSchema\":true,\"x\":1}", "" },
	{ "17", "the definition must be an object, but is of type number" },
	{ "null", "the definition must be an object, but is of type null" },
	{ "{\"inputSchema\":{}}", "the tool has no name" },
	{ "{\"name\":\"\",\"inputSchema\":{}}", "the name is empty" },
	{ "{\"name\":1,\"inputSchema\":{}}", "name must be a string, but is of type number" },
	{ "{\"name\":\"a\"}", "the tool has no inputSchema" },
	{ "{\"name\":\"a\",\"inputSchema\":\"{}\"}",
	    "inputSchema must be an object, but is of type string" },
	{ "{\"name\":\"a\",\"inputSchema\":{},\"outputSchema\":[]}",
	    "outputSchema must be an object, but is of type array" },
	{ "{\"name\":\"a\",\"inputSchema\":{},\"outputSchema\":null}",
	    "outputSchema must be an object, but is of type null" },
	{ "{\"name\":\"a\",\"inputSchema\":{},\"description\":7}",
	    "description must be a string, but is of type number" },
	{ "{\"name\":\"a\",\"inputSchema\":{},\"title\":{}}",
	    "title must be a string, but is of type object" },
	{ "{\"name\":\"a\",\"inputSchema\":{},\"annotations\":[]}",
	    "annotations must be an object, but is of type array" },
	{ "{\"name\":\"a\",\"inputSchema\":{},\"annotations\":{\"title\":false}}",
	    "annotations.title must be a string, but is of type boolean" },
	{ "{\"name\":\"a\",\"inputSchema\":{},\"annotations\":{\"readOnlyHint\":\"yes\"}}",
	    "annotations.readOnlyHint must be true or false, but is of type string" },
};

static void
test_problems(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct primitive t;
		struct json_doc *doc = decode(&t, rows[i].json);
		assert_string_equal(t.problem, rows[i].problem);
		assert_int_equal(t.broken, rows[i].problem[0] != '\0');
		assert_ptr_equal(t.definition, json_root(doc));
		json_doc_destroy(doc);
	}
}

static void
test_what_is_sound_stays_usable(void **state)
{
	struct primitive t;
	struct json_doc *doc = decode(&t, "{\"name\":\"a\",\"description\":[],\"inputSchema\":{"
					  "\"type\":\"object\"},\"outputSchema\":{},"
					  "\"annotations\":{\"readOnlyHint\":true,"
					  "\"destructiveHint\":false,\"openWorldHint\":3}}");

	assert_true(t.broken);
	assert_true(t.has_key);
	assert_string_equal(t.name, "a");
	assert_null(t.description);
	assert_non_null(t.input_schema);
	assert_non_null(t.output_schema);
	assert_int_equal(t.read_only, HINT_TRUE);
	assert_int_equal(t.destructive, HINT_FALSE);
	assert_int_equal(t.idempotent, HINT_ABSENT);
	assert_int_equal(t.open_world, HINT_ABSENT);
	json_doc_destroy(doc);
}

static void
assert_title(const char *json, const char *title)
{
	struct primitive t;
	struct json_doc *doc = decode(&t, json);

	if (title)
		assert_string_equal(t.title, title);
	else
		assert_null(t.title);
	json_doc_destroy(doc);
}

static void
test_titles(void **state)
{
	assert_title("{\"name\":\"n\",\"title\":\"T\",\"annotations\":{\"title\":\"A\"}}", "T");
	assert_title("{\"name\":\"n\",\"annotations\":{\"title\":\"A\"}}", "A");
	assert_title("{\"name\":\"n\",\"title\":\"\",\"annotations\":{\"title\":\"A\"}}", "A");
	assert_title("{\"name\":\"n\",\"title\":\"\"}", "");
	assert_title("{}", NULL);
}

/* A name that is cut on the screen is never sent in its cut form. */
static void
test_absurd_names(void **state)
{
	char name[5001], *text;
	struct primitive p;

	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	text = mem_printf("{\"name\":\"%s\",\"title\":\"%s\",\"inputSchema\":{}}", name, name);
	struct json_doc *doc = decode(&p, text);
	assert_true(p.broken && !p.has_key);
	assert_string_equal(p.problem, "the name is 5000 bytes long, too long for a request");
	assert_int_equal(strlen(p.name), 4096 + strlen("…"));
	assert_int_equal(strlen(p.title), 4096 + strlen("…"));
	assert_string_equal(json_get_string(p.definition, "name"), name);
	json_doc_destroy(doc);
	free(text);
}

static void
test_find(void **state)
{
	struct primitive tools[] = { { .key = "b" }, { .key = "a" }, { .key = "b" } };
	struct primitive_list list = { .items = tools, .len = 3 };

	assert_null(primitive_list_find(&list, "a", 0)); /* not numbered yet */
	primitive_list_number(&list);
	assert_ptr_equal(primitive_list_find(&list, "a", 0), &tools[1]);
	assert_ptr_equal(primitive_list_find(&list, "b", 1), &tools[2]);
	assert_null(primitive_list_find(&list, "b", 2));
	assert_null(primitive_list_find(&list, "B", 0));
	free(list.by_key);
}

static void
say(struct probe *p, const char *line)
{
	probe_say(p, line, strlen(line));
}

/* A server that has always one more page, each with a new cursor. */
static void
test_endless_pages(void **state)
{
	struct probe p;
	char line[200];

	probe_init(&p, &(struct session_options){ .era = ERA_LEGACY });
	probe_do(&p, "start");
	say(&p, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-11-25\"}}");
	probe_do(&p, "list");
	for (int id = 2; lister_is_busy(&p.listers[PRIMITIVE_TOOL]); id++) {
		assert_true(id < 2000);
		snprintf(line, sizeof(line),
		    "{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{\"tools\":[{\"name\":\"same\"}],"
		    "\"nextCursor\":\"%d\"}}",
		    id, id);
		say(&p, line);
	}
	const struct primitive_list *list = &p.listers[PRIMITIVE_TOOL].list;
	assert_int_equal(list->len, 1000);
	assert_string_equal(list->note, "stopped after 1000 pages and 1000 tools");
	assert_int_equal(list->items[999].nth, 999);
	assert_int_equal(list->items[0].of, 1000);
	probe_finish(&p);
}

static const struct {
	enum primitive_kind kind;
	const char *json, *key, *problem;
} others[] = {
	{ PRIMITIVE_RESOURCE, "{'uri':'a:b','name':'n'}", "a:b", "" },
	{ PRIMITIVE_RESOURCE, "{'uri':'a:b'}", "a:b", "the resource has no name" },
	{ PRIMITIVE_RESOURCE, "{'name':'n'}", "n", "the resource has no uri" },
	{ PRIMITIVE_RESOURCE, "{'uri':'','name':'n'}", "n", "the uri is empty" },
	{ PRIMITIVE_RESOURCE, "{'uri':7,'name':'n'}", "n",
	    "uri must be a string, but is of type number" },
	{ PRIMITIVE_RESOURCE, "{'uri':'a:b','name':'n','mimeType':1}", "a:b",
	    "mimeType must be a string, but is of type number" },
	{ PRIMITIVE_RESOURCE, "{'uri':'a:b','name':'n','size':'1'}", "a:b",
	    "size must be a number, but is of type string" },
	{ PRIMITIVE_RESOURCE, "{'uri':'a:b','name':'n','annotations':1}", "a:b",
	    "annotations must be an object, but is of type number" },
	{ PRIMITIVE_RESOURCE, "[]", "(no name)",
	    "the definition must be an object, but is of type array" },
	{ PRIMITIVE_TEMPLATE, "{'uriTemplate':'a:{b}','name':'n'}", "a:{b}", "" },
	{ PRIMITIVE_TEMPLATE, "{'uriTemplate':'a:{b','name':'n'}", "a:{b",
	    "the URI template is broken at byte 4: expected \"}\"" },
	{ PRIMITIVE_TEMPLATE, "{'uri':'a:b','name':'n'}", "n", "the template has no uriTemplate" },
	{ PRIMITIVE_PROMPT, "{'name':'p'}", "p", "" },
	{ PRIMITIVE_PROMPT, "{'name':'p','arguments':[{'name':'a','required':true}]}", "p", "" },
	{ PRIMITIVE_PROMPT, "{'name':'p','arguments':{}}", "p",
	    "arguments must be an array, but is of type object" },
	{ PRIMITIVE_PROMPT, "{'name':'p','arguments':[{'name':'a'},{}]}", "p",
	    "arguments/1 has no name" },
	{ PRIMITIVE_PROMPT, "{'name':'p','arguments':[3]}", "p",
	    "arguments/0 must be an object, but is of type number" },
	{ PRIMITIVE_PROMPT, "{'name':'p','arguments':[{'name':'a','required':'yes'}]}", "p",
	    "arguments/0: required must be true or false, but is of type string" },
	{ PRIMITIVE_PROMPT, "{}", "(no name)", "the prompt has no name" },
};

static void
test_other_kinds(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(others); i++) {
		struct primitive p;
		struct json_doc *doc = parse_quoted(others[i].json);
		primitive_decode(&p, others[i].kind, doc, json_root(doc));
		assert_int_equal(p.kind, others[i].kind);
		assert_string_equal(p.key, others[i].key);
		assert_string_equal(p.problem, others[i].problem);
		json_doc_destroy(doc);
	}
}

TEST_FILE(mcp_tools)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_problems),
		cmocka_unit_test(test_what_is_sound_stays_usable),
		cmocka_unit_test(test_titles),
		cmocka_unit_test(test_other_kinds),
		cmocka_unit_test(test_absurd_names),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_endless_pages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

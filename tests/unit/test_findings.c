/* SPDX-License-Identifier: MIT */
/* Each finding, where it is due and where it is not. */
#include "../../src/client/findings/findings.h"
#include "base/vec.h"
#include "client/call.h"
#include "quoted.h"
#include "schema/schema.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

static struct schema_library *library;

static bool
has(const struct findings *f, const char *id)
{
	for (size_t i = 0; i < f->len; i++)
		if (strcmp(f->items[i].kind->name, id) == 0)
			return true;
	return false;
}

/* ---- definitions ---- */

static bool
tool_has(const char *definition, size_t of, const char *id)
{
	struct json_doc *doc = parse_quoted(definition);
	struct findings f = { 0 };
	struct primitive p;

	primitive_decode(&p, PRIMITIVE_TOOL, doc, json_root(doc));
	p.of = of;
	findings_of_tool(&f, &p, library);
	bool found = has(&f, id);
	findings_finish(&f);
	json_doc_destroy(doc);
	return found;
}

#define GOOD "{'name':'list-users.v2_A','description':'Lists.','inputSchema':{'type':'object'}}"
#define TOOL(members) "{'name':'t','description':'d','inputSchema':{'type':'object'}," members "}"
#define INPUT(properties)                                               \
	"{'name':'t','description':'d','inputSchema':{'type':'object'," \
	"'properties':{" properties "}}}"

static const struct {
	const char *id, *with, *without;
} DEFINITIONS[] = {
	{ "definition-broken", "{'name':'t'}", GOOD },
	{ "schema-broken", INPUT("'a':{'type':'strnig'}"), INPUT("'a':{'type':'string'}") },
	{ "schema-oddity", INPUT("'a':{'minimun':3}"), INPUT("'a':{'minimum':3}") },
	{ "name-characters", "{'name':'list users','inputSchema':{'type':'object'}}", GOOD },
	{ "name-characters", "{'name':'é','inputSchema':{'type':'object'}}",
	    "{'name':'t','title':'é','inputSchema':{'type':'object'}}" },
	{ "description-missing", "{'name':'t','inputSchema':{'type':'object'}}", GOOD },
	{ "description-missing", "{'name':'t','description':' ','inputSchema':{'type':'object'}}",
	    GOOD },
	{ "hints-contradict", TOOL("'annotations':{'readOnlyHint':true,'destructiveHint':true}"),
	    TOOL("'annotations':{'readOnlyHint':false,'destructiveHint':true}") },
	{ "schema-describes-result",
	    TOOL("'outputSchema':{'type':'object','properties':{'content':{'type':'array'},"
		 "'isError':{'type':'boolean'}}}"),
	    TOOL("'outputSchema':{'type':'object','properties':{'content':{'type':'array'},"
		 "'title':{'type':'string'}}}") },
	{ "schema-describes-result",
	    TOOL("'outputSchema':{'type':'object','properties':{'content':{'type':'array',"
		 "'items':{'properties':{'type':{},'text':{}}}}}}"),
	    TOOL("'outputSchema':{'type':'object','properties':{'content':{'type':'string'},"
		 "'isError':{'type':'boolean'}}}") },
	{ "example-invalid", INPUT("'a':{'type':'integer','examples':[1,'x']}"),
	    INPUT("'a':{'type':'integer','examples':[1,2]}") },
	{ "example-invalid", INPUT("'a':{'type':'integer','default':'ten'}"),
	    INPUT("'default':{'type':'integer'},'examples':{'type':'array'}") },
	{ "example-invalid", TOOL("'outputSchema':{'type':'object','examples':[1]}"),
	    TOOL("'outputSchema':{'type':'object','examples':[{}]}") },
	{ "hidden-text", "{'name':'t','description':'a\\u202eb','inputSchema':{'type':'object'}}",
	    "{'name':'t','description':'a\\tb\\nc é','inputSchema':{'type':'object'}}" },
	{ "hidden-text", INPUT("'a':{'enum':['x\\u0007']}"), INPUT("'a':{'enum':['x']}") },
	{ "app-uri", TOOL("'_meta':{'ui':{'resourceUri':'https://a'}}"),
	    TOOL("'_meta':{'ui':{'resourceUri':'ui://a'}}") },
	{ "app-visibility", TOOL("'_meta':{'ui':{'visibility':'app'}}"),
	    TOOL("'_meta':{'ui':{'visibility':['model']}}") },
	{ "app-misplaced", TOOL("'_meta':{'ui':{'resourceUri':'ui://a','csp':{}}}"),
	    TOOL("'_meta':{'ui':{'resourceUri':'ui://a'}}") },
	{ "app-deprecated", TOOL("'_meta':{'ui/resourceUri':'ui://a'}"),
	    TOOL("'_meta':{'ui/resourceUri':'ui://a','ui':{'resourceUri':'ui://a'}}") },
	{ "app-only", TOOL("'_meta':{'ui':{'visibility':['app']}}"),
	    TOOL("'_meta':{'ui':{'visibility':['app','model']}}") },
	{ "output-not-object", TOOL("'outputSchema':{'type':'array'}"),
	    TOOL("'outputSchema':{'type':'object'}") },
};

static void
test_definitions(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(DEFINITIONS); i++) {
		if (!tool_has(DEFINITIONS[i].with, 1, DEFINITIONS[i].id))
			fail_msg("%s was not found in %s", DEFINITIONS[i].id, DEFINITIONS[i].with);
		if (tool_has(DEFINITIONS[i].without, 1, DEFINITIONS[i].id))
			fail_msg("%s was found in %s", DEFINITIONS[i].id, DEFINITIONS[i].without);
	}
	struct json_doc *doc = parse_quoted("{'name':'p','description':'a\\u202eb'}");
	struct findings f = { 0 };
	struct primitive p;
	primitive_decode(&p, PRIMITIVE_PROMPT, doc, json_root(doc));
	findings_of_tool(&f, &p, library);
	assert_int_equal(f.len, 1);
	assert_string_equal(f.items[0].pointer, "/description");
	findings_finish(&f);
	json_doc_destroy(doc);
	assert_true(tool_has(GOOD, 2, "name-twice"));
	assert_false(tool_has(GOOD, 1, "name-twice"));
}

/* ---- the page of an app ---- */

#define PAGE(members) "{'contents':[{'uri':'ui://a'," members "}]}"
#define APP_TYPE "'mimeType':'text/html;profile=mcp-app'"
#define FETCH "'text':'<script src=https://cdn.example/a.js></script>'"

static const struct {
	const char *id, *with, *without; /* a result without members: the read failed */
} PAGES[] = {
	{ "app-unreadable", "{}", PAGE(APP_TYPE ",'text':'x'") },
	{ "app-unreadable", PAGE(APP_TYPE), PAGE(APP_TYPE ",'blob':'eA=='") },
	{ "app-unreadable", PAGE("'mimeType':'text/html'"), PAGE("'mimeType':'a','text':'x'") },
	{ "app-mime", PAGE("'mimeType':'text/html','text':'x'"), PAGE(APP_TYPE ",'text':'x'") },
	{ "app-mime", PAGE("'text':'x'"), "{}" },
	{ "app-undeclared", PAGE(APP_TYPE "," FETCH),
	    PAGE(APP_TYPE ",'text':'<a href=https://cdn.example/a>'") },
	{ "app-undeclared",
	    PAGE(APP_TYPE "," FETCH ",'_meta':{'ui':{'csp':{'resourceDomains':"
			  "['https://other.example','cdn.example.org','*']}}}"),
	    PAGE(APP_TYPE "," FETCH ",'_meta':{'ui':{'csp':{'resourceDomains':"
			  "['https://cdn.example']}}}") },
	{ "app-undeclared",
	    PAGE(APP_TYPE "," FETCH ",'_meta':{'ui':{'csp':{'connectDomains':['*.cdn.example']}}}"),
	    PAGE(APP_TYPE ",'text':'url(//a.cdn.example:8/x)','_meta':{'ui':{'csp':"
			  "{'connectDomains':['*.cdn.example']}}}") },
	{ "app-metadata", PAGE(APP_TYPE ",'text':'x','_meta':{'ui':{'csp':[]}}"),
	    PAGE(APP_TYPE ",'text':'x','_meta':{'ui':{'csp':{}}}") },
	{ "app-metadata",
	    PAGE(APP_TYPE ",'text':'x','_meta':{'ui':{'csp':{'frameDomains':['*']}}}"),
	    PAGE(APP_TYPE ",'text':'x','_meta':{'ui':{'csp':{'frameDomains':['a.example']}}}") },
};

static bool
page_has(const char *result, const char *id)
{
	struct json_doc *doc = parse_quoted(result);
	bool failed = json_count(json_root(doc)) == 0;
	struct findings f = { 0 };

	findings_of_app(&f, &(struct finding_app){ .uri = "ui://a",
				.result = failed ? NULL : json_root(doc),
				.trouble = failed ? "no such resource" : NULL });
	bool found = has(&f, id);
	findings_finish(&f);
	json_doc_destroy(doc);
	return found;
}

static void
test_pages(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(PAGES); i++) {
		if (!page_has(PAGES[i].with, PAGES[i].id))
			fail_msg("%s was not found in %s", PAGES[i].id, PAGES[i].with);
		if (page_has(PAGES[i].without, PAGES[i].id))
			fail_msg("%s was found in %s", PAGES[i].id, PAGES[i].without);
	}
}

/* ---- results ---- */

static bool
result_has(const char *schema, const char *result, int64_t us, const char *id)
{
	struct buf definition = BUF_INIT;
	struct session_reply reply = { .kind = REPLY_RESULT, .doc = parse_quoted(result) };

	buf_add_str(&definition, "{'name':'t'");
	if (schema)
		buf_addf(&definition, ",'outputSchema':%s", schema);
	buf_add_str(&definition, "}");
	struct call *c = call_create(1, "t", parse_quoted(buf_text(&definition)), "{}", 2, 0);
	reply.value = json_root(reply.doc);
	call_take_reply(c, &reply, us);
	call_check(c);
	call_review(c);
	bool found = has(&c->findings, id);
	call_destroy(c);
	buf_finish(&definition);
	return found;
}

#define ANY "{'type':'object'}"
#define TEXT(text) "{'content':[{'type':'text','text':'" text "'}]}"
#define BLOCK(block) "{'content':[" block "]}"
#define IMAGE(type, data) BLOCK("{'type':'image','mimeType':'" type "','data':'" data "'}")
#define NOTED(annotations) BLOCK("{'type':'text','text':'a','annotations':{" annotations "}}")
#define LINK(uri) BLOCK("{'type':'resource_link','name':'n','uri':'" uri "'}")
#define VALUE(value) "{'content':[],'structuredContent':" value "}"
#define BOTH_PARTS "{'content':[{'type':'text','text':'one'}],'structuredContent':{'a':1}}"
#define GIF "R0lGODlhAQABAAAAACw="

static const struct {
	const char *id, *schema, *with, *without;
} RESULTS[] = {
	{ "structured-missing", ANY, TEXT("a"), VALUE("{}") },
	{ "structured-missing", ANY, TEXT("a"), "{'content':[],'isError':true}" },
	{ "structured-invalid", "{'required':['a']}", VALUE("{}"), VALUE("{'a':1}") },
	{ "result-malformed", NULL, "{'content':{}}", "{'content':[]}" },
	{ "block-malformed", NULL, BLOCK("{'type':'text'}"), TEXT("a") },
	{ "block-malformed", NULL, BLOCK("{'type':'video'}"), IMAGE("image/gif", "!") },
	{ "block-base64", NULL, IMAGE("image/gif", "not base64"), IMAGE("image/gif", GIF) },
	{ "block-type", NULL, IMAGE("image/png", GIF), IMAGE("image/gif", GIF) },
	{ "content-missing", NULL, VALUE("{'a':1}"), "{'content':[]}" },
	{ "array-wrapped", "{'type':'array'}", VALUE("{'result':[1]}"), VALUE("[1]") },
	{ "array-wrapped", "{'type':'object','properties':{'users':{'type':'array'}}}",
	    VALUE("[1]"), VALUE("{'users':[1]}") },
	{ "array-wrapped", "{'type':'object','properties':{'users':{'type':'array'}}}",
	    VALUE("{'result':[1]}"), VALUE("{'users':[1],'result':[2]}") },
	{ "structured-not-object", NULL, VALUE("[1]"), VALUE("{}") },
	{ "structured-null", NULL, VALUE("null"), "{'content':[]}" },
	{ "structured-null", "{'type':'string'}", VALUE("null"), VALUE("'null'") },
	{ "error-with-data", ANY, "{'content':[],'structuredContent':{},'isError':true}",
	    "{'content':[],'isError':true}" },
	{ "priority-range", NULL, NOTED("'priority':2"), NOTED("'priority':1") },
	{ "audience-unknown", NULL, NOTED("'audience':['model']"),
	    NOTED("'audience':['user','assistant']") },
	{ "link-unreadable", NULL, LINK("notes/today.md"), LINK("file:///notes/today.md") },
	{ "error-silent", NULL, "{'content':[],'isError':true}",
	    "{'content':[{'type':'text','text':'no'}],'isError':true}" },
	{ "error-silent", NULL, "{'content':[{'type':'text','text':''}],'isError':true}",
	    "{'content':[]}" },
	{ "null-or-absent", NULL, VALUE("{'rows':[{'a':1,'b':null},{'a':2}]}"),
	    VALUE("{'rows':[{'a':1,'b':null},{'a':2,'b':3}]}") },
	{ "null-or-absent", NULL, VALUE("[{'a':null},{}]"), VALUE("[{'a':1},{}]") },
	{ "hidden-characters", NULL, TEXT("a\\u200bb"), TEXT("a b\\r\\n\\tc") },
	{ "hidden-characters", NULL, VALUE("{'a\\u202e':1}"), VALUE("{'a':'é'}") },
	{ "json-flaw", NULL, VALUE("{'a':1,'a':2}"), VALUE("{'a':1,'b':2}") },
	{ "content-page", NULL, TEXT("<!DOCTYPE html><p>"), TEXT("a <html> tag") },
	{ "content-mirror", NULL,
	    "{'content':[{'type':'text','text':'a'},{'type':'text','text':'b'}],"
	    "'structuredContent':{'result':['a','b']}}",
	    "{'content':[{'type':'text','text':'a'}],'structuredContent':{'result':['a','b']}}" },
};

static void
test_results(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(RESULTS); i++) {
		if (!result_has(RESULTS[i].schema, RESULTS[i].with, 1, RESULTS[i].id))
			fail_msg("%s was not found in %s", RESULTS[i].id, RESULTS[i].with);
		if (result_has(RESULTS[i].schema, RESULTS[i].without, 1, RESULTS[i].id))
			fail_msg("%s was found in %s", RESULTS[i].id, RESULTS[i].without);
	}
	assert_true(result_has(NULL, TEXT("a"), 30000000, "call-slow"));
	assert_false(result_has(NULL, TEXT("a"), 3000000, "call-slow"));
}

/* The text of the only finding with this id, or NULL. */
static char *
text_of(const char *result, const char *id)
{
	struct session_reply reply = { .kind = REPLY_RESULT, .doc = parse_quoted(result) };
	struct call *c = call_create(1, "t", parse_quoted("{'name':'t'}"), "{}", 2, 0);
	char *text = NULL;

	reply.value = json_root(reply.doc);
	call_take_reply(c, &reply, 1);
	call_check(c);
	call_review(c);
	for (size_t i = 0; i < c->findings.len; i++)
		if (strcmp(c->findings.items[i].kind->name, id) == 0) {
			assert_null(text);
			text = strdup(c->findings.items[i].text);
		}
	call_destroy(c);
	return text;
}

static void
test_costs(void **state)
{
	static const char words[] =
	    "content: 3 bytes, about 1 token; structuredContent: 6 001 bytes";
	struct buf long_one = BUF_INIT;

	/* of small parts nothing is said: most results have both */
	assert_null(text_of(BOTH_PARTS, "parts-cost"));
	buf_add_str(&long_one, "{'content':[{'type':'text','text':'one'}],'structuredContent':[");
	for (int i = 0; i < 1000; i++)
		buf_addf(&long_one, "%s%d", i > 0 ? "," : "", 10000 + i);
	buf_add_str(&long_one, "]}");
	char *text = text_of(buf_text(&long_one), "parts-cost");
	buf_finish(&long_one);
	assert_non_null(text);
	assert_memory_equal(text, words, strlen(words));
	free(text);
	text = text_of(VALUE("{'rows':[{'a':1,'b':null},{'a':2},{'a':3}]}"), "null-or-absent");
	assert_string_equal(text, "\"b\" is null in 1 item and absent in 2 of 3");
	free(text);
}

/* base64 in a text, but neither a long word nor a digest */
static void
test_encoded(void **state)
{
	struct buf text = BUF_INIT;

	buf_add_str(&text, "{'content':[{'type':'text','text':'shot: ");
	for (int i = 0; i < 400; i++)
		buf_add_str(&text, "iVBORw0KGg");
	buf_add_str(&text, "'}]}");
	assert_true(result_has(NULL, buf_text(&text), 1, "content-encoded"));
	buf_clear(&text);
	buf_add_str(&text, "{'content':[{'type':'text','text':'");
	for (int i = 0; i < 400; i++)
		buf_add_str(&text, "0123456789abcdef");
	buf_add_str(&text, "'}]}");
	assert_false(result_has(NULL, buf_text(&text), 1, "content-encoded"));
	buf_finish(&text);
}

/* A link is a flaw only after a read of it failed, and then one. */
static void
test_refused_link(void **state)
{
	struct session_reply reply = { .kind = REPLY_RESULT,
		.doc =
		    parse_quoted("{'content':[{'type':'resource_link','name':'n','uri':'a:b'}]}") };
	struct call *c = call_create(1, "t", parse_quoted("{'name':'t'}"), "{}", 2, 0);
	struct call *read = call_create(2, "a:b", NULL, "{}", 2, 0);
	struct call *other = call_create(3, "a:c", NULL, "{}", 2, 0);

	reply.value = json_root(reply.doc);
	call_take_reply(c, &reply, 1);
	call_review(c);
	assert_false(has(&c->findings, "link-refused"));
	findings_of_read(&c->findings, c, other);
	assert_false(has(&c->findings, "link-refused"));
	size_t len = c->findings.len;
	findings_of_read(&c->findings, c, read);
	findings_of_read(&c->findings, c, read);
	assert_true(has(&c->findings, "link-refused"));
	assert_int_equal(c->findings.len, len + 1);
	call_destroy(c);
	call_destroy(read);
	call_destroy(other);
}

/* Sections that exist: of the specification's pages as of 2026-07-28 and before, and the types of
 * its schema. */
static bool
is_section(const char *source)
{
	static const char *const SECTIONS[] = { "server/tools#tool)", "server/tools#tool-names)",
		"server/tools#tool);", "server/tools#output-schema)",
		"server/tools#structured-content)", "server/tools#structured-content;",
		"server/tools#resource-links)", "server/tools#error-handling)",
		"basic#json-schema-usage)", "basic/patterns/cancellation#timeouts;",
		"schema#ContentBlock)", "schema#ImageContent;", "schema#Annotations)",
		"schema#CallToolResult)", "schema#ToolAnnotations)", "schema#Tool)", "schema#Tool;",
		"MCP Apps 2026-01-26, UI Resource Format)",
		"MCP Apps 2026-01-26, Resource Discovery)", "MCP Apps 2026-01-26, Visibility)",
		"MCP Apps 2026-01-26, Content Security Policy Enforcement)",
		"Content Requirements)", "(RFC 8259 section 4;",
		"(JSON Schema 2020-12 validation, section 9.2;" };

	for (size_t i = 0; i < ARRAY_LEN(SECTIONS); i++)
		if (strstr(source, SECTIONS[i]))
			return true;
	return false;
}

static void
test_sources(void **state)
{
	const struct finding_table *const tables[] = { &findings_about_tool, &findings_about_result,
		&findings_about_content, &findings_about_app_tool, &findings_about_app_page };
	static const char NONE[] = "No sentence of the specification: ";
	size_t count = 0;

	for (size_t t = 0; t < ARRAY_LEN(tables); t++)
		for (size_t i = 0; i < tables[t]->count; i++, count++) {
			const struct finding_kind *k = &tables[t]->kinds[i];
			if (!is_section(k->source) && strncmp(k->source, NONE, strlen(NONE)) != 0)
				fail_msg("%s rests on no section: %s", k->name, k->source);
			assert_true(strlen(k->mend) > 5);
		}
	assert_true(count >= 40);
}

/* A text that repeats a long value does not make the value longer. */
static void
test_size_of_value(void **state)
{
	struct buf value = BUF_INIT, line = BUF_INIT;

	buf_add_str(&value, "{\"a\":[1");
	while (value.len < 400000)
		buf_add_str(&value, ",1234567");
	buf_add_str(&value, "]}");
	buf_addf(&line, "{\"content\":[{\"type\":\"text\",\"text\":\"%0400000d\"}],", 0);
	buf_addf(&line, "\"structuredContent\":%s}", buf_text(&value));
	struct session_reply reply = { .kind = REPLY_RESULT,
		.doc = json_parse(buf_text(&line), line.len, NULL, NULL),
		.bytes = blob_from_bytes(buf_text(&line), line.len) };
	struct call *c = call_create(1, "t", parse_quoted("{'name':'t'}"), "{}", 2, 0);
	reply.value = json_root(reply.doc);
	call_take_reply(c, &reply, 1);
	call_check(c);
	call_review(c);
	size_t about_size = 0;
	for (size_t i = 0; i < c->findings.len; i++)
		if (strstr(c->findings.items[i].text, "token")) {
			assert_string_equal(c->findings.items[i].kind->name, "content-large");
			assert_memory_equal(
			    c->findings.items[i].text, "content: 400 000 bytes, about ", 30);
			assert_non_null(
			    strstr(c->findings.items[i].text, "; structuredContent: 400 0"));
			about_size++;
		}
	assert_int_equal(about_size, 1);
	call_destroy(c);
	blob_unref(reply.bytes);
	buf_finish(&value);
	buf_finish(&line);
}

/* Large texts; and no more findings are kept than a person reads. */
static void
test_sizes(void **state)
{
	struct buf text = BUF_INIT;

	buf_add_str(&text, "{'content':[{'type':'text','text':'");
	for (int i = 0; i < 9000; i++)
		buf_add_str(&text, "word and ");
	buf_add_str(&text, "'}]}");
	assert_true(result_has(NULL, buf_text(&text), 1, "content-large"));
	assert_false(result_has(NULL, TEXT("a"), 1, "content-large"));
	buf_clear(&text);
	buf_add_str(&text, "{'structuredContent':{'a':['0'");
	for (int i = 0; i < 20000; i++)
		buf_add_str(&text, ",'a word'");
	buf_add_str(&text, "]},'content':[{'type':'text','text':'many'}]}");
	assert_true(result_has(NULL, buf_text(&text), 1, "structured-large"));
	assert_false(result_has(NULL, buf_text(&text), 1, "parts-cost"));
	buf_clear(&text);
	buf_add_str(&text, "{'content':[1");
	for (int i = 0; i < 5000; i++)
		buf_add_str(&text, ",1");
	buf_add_str(&text, "]}");
	assert_true(result_has(NULL, buf_text(&text), 1, "block-malformed"));
	buf_finish(&text);
}

static int
set_up(void **state)
{
	library = schema_library_create();
	return 0;
}

static int
tear_down(void **state)
{
	schema_library_destroy(library);
	return 0;
}

TEST_FILE(findings)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_definitions),
		cmocka_unit_test(test_pages),
		cmocka_unit_test(test_results),
		cmocka_unit_test(test_costs),
		cmocka_unit_test(test_encoded),
		cmocka_unit_test(test_refused_link),
		cmocka_unit_test(test_sources),
		cmocka_unit_test(test_size_of_value),
		cmocka_unit_test(test_sizes),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}

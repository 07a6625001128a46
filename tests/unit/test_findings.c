/* Each finding, where it is due and where it is not. */
#include "base/vec.h"
#include "model/call.h"
#include "quoted.h"
#include "schema/library.h"
#include "test.h"

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
	{ "hidden-text", "{'name':'t','description':'a\\u202eb','inputSchema':{'type':'object'}}",
	    "{'name':'t','description':'a\\tb\\nc é','inputSchema':{'type':'object'}}" },
	{ "hidden-text", INPUT("'a':{'enum':['x\\u0007']}"), INPUT("'a':{'enum':['x']}") },
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
	assert_true(tool_has(GOOD, 2, "name-twice"));
	assert_false(tool_has(GOOD, 1, "name-twice"));
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
		cmocka_unit_test(test_results),
		cmocka_unit_test(test_sizes),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}

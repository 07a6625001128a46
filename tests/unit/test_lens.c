/* SPDX-License-Identifier: MIT */
/* The part of a result that reaches the model through each lens. */
#include "client/lens.h"
#include "quoted.h"
#include "test.h"

#include <string.h>

struct looked {
	struct json_doc *doc;
	struct lens_input in;
	struct lens_view views[LENS_COUNT];
};

static void
look(struct looked *l, const char *result, enum verdict_kind verdict, bool app)
{
	*l = (struct looked){ .doc = parse_quoted(result) };
	l->in.verdict = verdict;
	l->in.has_app = app;
	l->in.tool = "t";
	l->in.arguments = "{\"n\":1}";
	result_init_of(&l->in.result, PRIMITIVE_TOOL, l->doc, json_root(l->doc));
	lens_look(l->views, &l->in, NULL);
}

static void
forget(struct looked *l)
{
	lens_views_finish(l->views);
	result_finish(&l->in.result);
	json_doc_destroy(l->doc);
}

static void
assert_seen(const struct looked *l, const char *name, const char *text, const char *lost)
{
	for (size_t i = 0; i < LENS_COUNT; i++) {
		if (strcmp(lenses[i].name, name) != 0)
			continue;
		assert_string_equal(buf_text(&l->views[i].text), text);
		assert_string_equal(buf_text(&l->views[i].lost), lost);
		return;
	}
	fail_msg("no lens %s", name);
}

#define BOTH "{'content':[{'type':'text','text':'two'}],'structuredContent':{'n':2}}"

static void
test_content_and_value(void **state)
{
	struct looked l;

	look(&l, BOTH, VERDICT_VALID, false);
	assert_seen(&l, "conversational", "two", "structuredContent");
	assert_seen(&l, "programmatic", "{\"n\":2}", "1 text block");
	assert_seen(&l, "strict", "two", "structuredContent");
	assert_seen(&l, "old", "two", "structuredContent");
	assert_seen(&l, "both", "two\n{\"n\":2}", "");
	assert_seen(&l, "apps", "two", "structuredContent");
	assert_int_equal(l.views[0].bytes, 3);
	assert_false(l.views[0].failed);
	forget(&l);
	look(&l, BOTH, VERDICT_VALID, true);
	assert_seen(&l, "apps", "two", "nothing: structuredContent goes to the app");
	forget(&l);
}

static void
test_the_only_part(void **state)
{
	struct looked l;

	look(&l, "{'content':[],'structuredContent':[1]}", VERDICT_NO_SCHEMA, false);
	assert_seen(&l, "conversational", "[1]", "");
	assert_seen(&l, "old", "", "structuredContent");
	assert_seen(&l, "apps", "", "structuredContent");
	forget(&l);
	look(&l, "{'content':[{'type':'text','text':'a'}]}", VERDICT_NO_SCHEMA, false);
	assert_seen(&l, "programmatic", "a", "");
	forget(&l);
}

static void
test_refused_and_failed(void **state)
{
	struct looked l;

	look(&l, BOTH, VERDICT_INVALID, false);
	assert_seen(&l, "strict",
	    "MCP error -32602: structured content does not match the tool's output schema",
	    "the whole result");
	assert_true(l.views[2].failed);
	assert_false(l.views[0].failed);
	forget(&l);
	look(&l, "{'content':[],'isError':true}", VERDICT_NOT_APPLIED, false);
	for (size_t i = 0; i < LENS_COUNT; i++)
		assert_true(l.views[i].failed);
	forget(&l);
}

/* The rules of named clients, as their sources say them. */
static void
test_named_clients(void **state)
{
	struct looked l;

	look(&l, BOTH, VERDICT_VALID, false);
	assert_seen(&l, "claude-code", "{\"n\":2}", "1 text block");
	assert_seen(&l, "gemini-cli", "<untrusted_context>\ntwo\n</untrusted_context>",
	    "structuredContent");
	assert_seen(&l, "vscode", "{\"n\":2}", "1 text block");
	assert_seen(&l, "chatgpt", "two\n{\"n\":2}", "");
	assert_seen(&l, "go", "two\n{\"n\":2}", "");
	forget(&l);
	look(&l, BOTH, VERDICT_INVALID, false);
	assert_seen(&l, "python", "RuntimeError: Invalid structured content returned by tool t: …",
	    "the whole result");
	assert_seen(&l, "go", "two\n{\"n\":2}", "");
	assert_seen(&l, "vscode", "{\"n\":2}", "1 text block");
	forget(&l);
	look(&l, "{'content':[]}", VERDICT_MISSING, false);
	assert_seen(&l, "typescript",
	    "ProtocolError -32600: Tool t has an output schema but did not return structured "
	    "content",
	    "the whole result");
	forget(&l);
	look(&l,
	    "{'content':[{'type':'text','text':'no'}],'structuredContent':{'n':2},'isError':true}",
	    VERDICT_NOT_APPLIED, false);
	assert_seen(&l, "claude-code", "no", "structuredContent");
	assert_seen(&l, "gemini-cli",
	    "MCP tool 't' reported tool error for function call: "
	    "{\"name\":\"t\",\"args\":{\"n\":1}} with response: "
	    "[{\"functionResponse\":{\"name\":\"t\","
	    "\"response\":{\"content\":[{\"type\":\"text\",\"text\":\"no\"}],"
	    "\"structuredContent\":{\"n\":2},\"isError\":true}}}]",
	    "");
	forget(&l);
}

static void
test_blocks_of_named_clients(void **state)
{
	struct looked l;

	look(&l,
	    "{'content':[{'type':'text','text':'a','annotations':{'audience':['user']}},"
	    "{'type':'text','text':'b','annotations':{'audience':['user','assistant']}},"
	    "{'type':'image','mimeType':'image/gif','data':'R0lGODlhAQABAAAAACw='},"
	    "{'type':'resource_link','name':'n','uri':'a:b'},"
	    "{'type':'resource','resource':{'uri':'c:d','text':'c'}},{'type':'video'}]}",
	    VERDICT_NO_SCHEMA, false);
	assert_seen(&l, "vscode",
	    "b\n[image image/gif, 14 bytes]\n(a link to a:b)\n(a link to c:d)",
	    "1 text block, 1 unknown block");
	assert_seen(&l, "gemini-cli",
	    "<untrusted_context>\na\n</untrusted_context>\n"
	    "<untrusted_context>\nb\n</untrusted_context>\n"
	    "[Tool 't' provided the following image data with mime-type: image/gif]\n"
	    "[image image/gif, 14 bytes]\nResource Link: n at a:b\n"
	    "<untrusted_context>\nc\n</untrusted_context>",
	    "1 unknown block");
	forget(&l);
	/* VS Code ignores false and 0 */
	look(&l, "{'content':[{'type':'text','text':'none'}],'structuredContent':0}",
	    VERDICT_NO_SCHEMA, false);
	assert_seen(&l, "vscode", "none", "structuredContent");
	forget(&l);
}

/* Too much for a model: Claude Code writes a file, Gemini CLI cuts a single text. */
static void
test_limits(void **state)
{
	struct buf text = BUF_INIT;
	struct looked l;

	buf_add_str(&text, "{'content':[{'type':'text','text':'");
	for (int i = 0; i < 50000; i++)
		buf_add_str(&text, "\xc3\xa9 ");
	buf_add_str(&text, "'}]}");
	look(&l, buf_text(&text), VERDICT_NO_SCHEMA, false);
	assert_seen(&l, "claude-code", "(a message that names the file with this result)",
	    "about 53 500 tokens go to a file");
	for (size_t i = 0; i < LENS_COUNT; i++)
		if (strcmp(lenses[i].name, "gemini-cli") == 0) {
			assert_string_equal(
			    buf_text(&l.views[i].lost), "60041 characters go to a file");
			/* 8 000 and 32 000 characters, half of them of two bytes, and two lines */
			assert_in_range(l.views[i].bytes, 60100, 60250);
		}
	forget(&l);
	buf_finish(&text);
}

/* A named client says where its rule is from, and when that was so. */
static void
test_sources(void **state)
{
	for (size_t i = 0; i < LENS_COUNT; i++) {
		assert_true(strlen(lenses[i].source) > 10);
		assert_int_equal(i >= 6, lenses[i].date != NULL);
	}
}

static void
test_blocks(void **state)
{
	struct looked l;

	look(&l,
	    "{'content':[{'type':'image','mimeType':'image/gif','data':'R0lGODlhAQABAAAAACw='},"
	    "{'type':'resource_link','name':'n','uri':'a:b'}]}",
	    VERDICT_NO_SCHEMA, false);
	assert_seen(&l, "old", "[image image/gif, 14 bytes]", "1 resource link");
	assert_int_equal(l.views[0].media, 1);
	assert_non_null(strstr(buf_text(&l.views[0].text), "\"uri\":\"a:b\""));
	forget(&l);
}

/* Only the beginning of a large text is kept, all of it is counted. */
static void
test_large(void **state)
{
	struct buf text = BUF_INIT;
	struct looked l;

	buf_add_str(&text, "{'content':[{'type':'text','text':'");
	for (int i = 0; i < 50000; i++)
		buf_add_str(&text, "\xc3\xa9 ");
	buf_add_str(&text, "'},{'type':'text','text':'more'}]}");
	look(&l, buf_text(&text), VERDICT_NO_SCHEMA, false);
	assert_true(l.views[0].text.len <= LENS_TEXT_MAX);
	assert_int_equal(l.views[0].bytes, 150005);
	forget(&l);
	buf_finish(&text);
}

/* Texts whose tokens a real tokenizer (o200k_base) counted. */
static void
test_tokens(void **state)
{
	static const struct {
		const char *text;
		size_t tokens;
	} COUNTED[] = {
		{ "The quick brown fox jumps over the lazy dog, and nobody knows why it would do "
		  "that again.",
		    20 },
		{ "{\"users\":[{\"id\":1,\"name\":\"Alice\",\"role\":\"admin\"},{\"id\":2,\"name\":"
		  "\"Bob\",\"role\":\"editor\"},{\"id\":3,\"name\":\"Charlie\",\"role\":\"viewer\"}"
		  "]}",
		    41 },
		{ "{\"temperature\":21.53,\"conditions\":\"Partly "
		  "cloudy\",\"humidity\":65,\"updated_at\":\"2026-07-28T12:00:00Z\"}",
		    34 },
		{ "Found 8 products in 3 categories. The cheapest one costs 4.99 and the most "
		  "expensive one 1299.00.",
		    28 },
	};

	assert_int_equal(tokens_estimate("", 0), 0);
	for (size_t i = 0; i < sizeof(COUNTED) / sizeof(COUNTED[0]); i++) {
		size_t n = tokens_estimate(COUNTED[i].text, strlen(COUNTED[i].text));
		assert_in_range(n, COUNTED[i].tokens * 9 / 10, COUNTED[i].tokens * 11 / 10);
	}
}

/* A tool for apps alone is in the list of a host without apps, but not in that of one with them. */
static void
test_apps(void **state)
{
	static const struct {
		const char *definition;
		bool has_app, alone;
	} rows[] = {
		{ "{'_meta':{'ui':{'resourceUri':'ui://a'}}}", true, false },
		{ "{'_meta':{'ui':{'visibility':['app']}}}", false, true },
		{ "{'_meta':{'ui/resourceUri':'ui://a'}}", true, false },
		{ "{'_meta':{}}", false, false },
	};
	struct lens_input in = { .has_app = false };
	struct looked l;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct json_doc *doc = parse_quoted(rows[i].definition);
		lens_read_tool(&in, json_root(doc));
		assert_int_equal(in.has_app, rows[i].has_app);
		assert_int_equal(in.for_app_alone, rows[i].alone);
		json_doc_destroy(doc);
	}
	look(&l, BOTH, VERDICT_VALID, true);
	lens_views_finish(l.views);
	l.in.for_app_alone = true;
	lens_look(l.views, &l.in, NULL);
	assert_seen(&l, "apps", "", "the whole result: the tool is not in the model's list");
	assert_seen(&l, "both", "two\n{\"n\":2}", "");
	forget(&l);
}

TEST_FILE(lens)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_content_and_value),
		cmocka_unit_test(test_the_only_part),
		cmocka_unit_test(test_refused_and_failed),
		cmocka_unit_test(test_named_clients),
		cmocka_unit_test(test_blocks_of_named_clients),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_sources),
		cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_large),
		cmocka_unit_test(test_tokens),
		cmocka_unit_test(test_apps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

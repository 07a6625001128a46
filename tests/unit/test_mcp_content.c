/* SPDX-License-Identifier: MIT */
#include "base/vec.h"
#include "mcp/content.h"
#include "test.h"

#include <string.h>

static struct json_doc *
parse(const char *text)
{
	struct json_doc *doc = json_parse(text, strlen(text), NULL, NULL);

	assert_non_null(doc);
	return doc;
}

static const struct {
	const char *text;
	bool valid;
	size_t bytes;
} base64_rows[] = {
	{ "", true, 0 },
	{ "QQ==", true, 1 },
	{ "QUI=", true, 2 },
	{ "QUJD", true, 3 },
	{ "+/+/QQ==", true, 4 },
	{ "QQ", false, 0 },
	{ "QQ=", false, 0 },
	{ "Q===", false, 0 },
	{ "====", false, 0 },
	{ "QQ==QQ==", false, 0 },
	{ "-_-_", false, 0 },
	{ "QU\nJD\n\n", false, 0 },
	{ "QU=D", false, 0 },
};

static void
test_base64(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(base64_rows); i++) {
		const char *text = base64_rows[i].text;
		size_t bytes = 99;
		bool valid = base64_decoded_size(text, strlen(text), &bytes);
		if (valid != base64_rows[i].valid || bytes != base64_rows[i].bytes)
			fail_msg("%s: %d, %zu bytes", text, valid, bytes);
	}
}

static const struct {
	const char *json;
	enum content_kind kind;
	const char *problem;
} block_rows[] = {
	{ "{\"type\":\"text\",\"text\":\"hi\"}", CONTENT_TEXT, "" },
	{ "{\"type\":\"text\"}", CONTENT_TEXT, "text is missing" },
	{ "{\"type\":\"text\",\"text\":null}", CONTENT_TEXT,
	    "text must be a string, but is of type null" },
	{ "{\"type\":\"image\",\"data\":\"QQ==\",\"mimeType\":\"image/x\"}", CONTENT_IMAGE, "" },
	{ "{\"type\":\"image\",\"data\":\"\",\"mimeType\":\"image/png\"}", CONTENT_IMAGE,
	    "the data is empty" },
	{ "{\"type\":\"image\",\"data\":\"iVBORw0KGgo=\",\"mimeType\":\"IMAGE/png; a=b\"}",
	    CONTENT_IMAGE, "" },
	{ "{\"type\":\"image\",\"data\":\"iVBORw0KGgo=\",\"mimeType\":\"image/jpg\"}",
	    CONTENT_IMAGE, "the type is image/jpg, but the bytes are image/png" },
	{ "{\"type\":\"image\",\"data\":\"QQ==\",\"mimeType\":\"image/png\"}", CONTENT_IMAGE,
	    "the type is image/png, but the bytes are something else" },
	{ "{\"type\":\"audio\",\"data\":\"QQ==\",\"mimeType\":\"audio/mpeg\"}", CONTENT_AUDIO, "" },
	{ "{\"type\":\"image\",\"data\":\"QQ==\"}", CONTENT_IMAGE, "mimeType is missing" },
	{ "{\"type\":\"audio\",\"data\":\"%%%%\",\"mimeType\":\"audio/wav\"}", CONTENT_AUDIO,
	    "the data is not base64" },
	{ "{\"type\":\"resource_link\",\"uri\":\"a:b\",\"name\":\"n\",\"size\":5}",
	    CONTENT_RESOURCE_LINK, "" },
	{ "{\"type\":\"resource_link\",\"uri\":\"a:b\"}", CONTENT_RESOURCE_LINK,
	    "name is missing" },
	{ "{\"type\":\"resource_link\",\"uri\":\"a:b\",\"name\":\"n\",\"size\":\"5\"}",
	    CONTENT_RESOURCE_LINK, "size must be a number, but is of type string" },
	{ "{\"type\":\"resource\",\"resource\":{\"uri\":\"a:b\",\"text\":\"\"}}", CONTENT_RESOURCE,
	    "" },
	{ "{\"type\":\"resource\",\"resource\":{\"uri\":\"a:b\",\"blob\":\"QUJD\"}}",
	    CONTENT_RESOURCE, "" },
	{ "{\"type\":\"resource\",\"resource\":{\"uri\":\"a:b\"}}", CONTENT_RESOURCE,
	    "the resource has neither text nor blob" },
	{ "{\"type\":\"resource\"}", CONTENT_RESOURCE, "resource is missing" },
	{ "{\"type\":\"resource\",\"resource\":[]}", CONTENT_RESOURCE,
	    "resource must be an object, but is of type array" },
	{ "{\"type\":\"resource\",\"resource\":{\"uri\":\"a:b\",\"blob\":\"\",\"text\":\"\"}}",
	    CONTENT_RESOURCE, "the resource has both text and blob" },
	{ "{\"type\":\"hologram\",\"text\":\"x\"}", CONTENT_UNKNOWN,
	    "MCP has no such type of content" },
	{ "{\"type\":\"unknown\"}", CONTENT_UNKNOWN, "MCP has no such type of content" },
	{ "{\"text\":\"x\"}", CONTENT_UNKNOWN, "type is missing" },
	{ "{\"type\":null}", CONTENT_UNKNOWN, "type must be a string, but is of type null" },
	{ "\"text\"", CONTENT_UNKNOWN, "must be an object, but is of type string" },
	{ "{\"type\":\"text\",\"text\":\"\",\"annotations\":1}", CONTENT_TEXT,
	    "annotations must be an object, but is of type number" },
	{ "{\"type\":\"text\",\"text\":\"\",\"annotations\":{\"audience\":\"user\"}}", CONTENT_TEXT,
	    "annotations.audience must be an array" },
	{ "{\"type\":\"text\",\"text\":\"\",\"annotations\":{\"priority\":\"1\"}}", CONTENT_TEXT,
	    "annotations.priority must be a number" },
};

static void
test_blocks(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(block_rows); i++) {
		struct json_doc *doc = parse(block_rows[i].json);
		struct content_block c;
		content_decode(&c, doc, json_root(doc));
		assert_int_equal(c.kind, block_rows[i].kind);
		assert_string_equal(c.problem ? c.problem : "", block_rows[i].problem);
		content_finish(&c);
		json_doc_destroy(doc);
	}
}

static void
test_fields(void **state)
{
	struct json_doc *doc =
	    parse("{\"type\":\"resource\",\"resource\":{\"uri\":\"a:b\",\"blob\":\"QUJDRA==\","
		  "\"mimeType\":\"x/y\"},\"annotations\":{\"audience\":[\"user\"],\"priority\":0.5,"
		  "\"lastModified\":\"2026-01-01\"}}");
	struct content_block c;

	content_decode(&c, doc, json_root(doc));
	assert_string_equal(c.uri, "a:b");
	assert_string_equal(c.mime, "x/y");
	assert_int_equal(c.data_len, 8);
	assert_int_equal(c.decoded_bytes, 4);
	assert_null(c.text);
	assert_int_equal(json_count(c.audience), 1);
	assert_non_null(c.priority);
	assert_string_equal(c.last_modified, "2026-01-01");
	json_doc_destroy(doc);
}

static const struct {
	const char *json;
	enum json_type content, structured;
	bool is_error;
	size_t len;
	const char *problem;
} result_rows[] = {
	{ "{\"content\":[]}", JSON_ARRAY, JSON_ABSENT, false, 0, "" },
	{ "{\"content\":[],\"structuredContent\":null}", JSON_ARRAY, JSON_NULL, false, 0, "" },
	{ "{\"content\":[1,{\"type\":\"text\",\"text\":\"\"}],\"structuredContent\":[1]}",
	    JSON_ARRAY, JSON_ARRAY, false, 2, "" },
	{ "{\"structuredContent\":{}}", JSON_ABSENT, JSON_OBJECT, false, 0, "content is missing" },
	{ "{\"content\":null}", JSON_NULL, JSON_ABSENT, false, 0,
	    "content must be an array, but is of type null" },
	{ "{\"content\":\"hi\",\"isError\":true}", JSON_STRING, JSON_ABSENT, true, 0,
	    "content must be an array, but is of type string" },
	{ "{\"content\":[],\"isError\":true}", JSON_ARRAY, JSON_ABSENT, true, 0, "" },
	{ "{\"content\":[],\"isError\":\"true\"}", JSON_ARRAY, JSON_ABSENT, false, 0,
	    "isError must be true or false, but is of type string" },
	{ "[]", JSON_ABSENT, JSON_ABSENT, false, 0,
	    "the result must be an object, but is of type array" },
};

static void
test_results(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(result_rows); i++) {
		struct json_doc *doc = parse(result_rows[i].json);
		struct result r;
		result_init_of(&r, PRIMITIVE_TOOL, doc, json_root(doc));
		assert_int_equal(r.content, result_rows[i].content);
		assert_int_equal(json_type(r.structured), result_rows[i].structured);
		assert_int_equal(r.is_error, result_rows[i].is_error);
		assert_int_equal(r.len, result_rows[i].len);
		assert_string_equal(r.problem, result_rows[i].problem);
		result_finish(&r);
		assert_null(r.blocks);
		json_doc_destroy(doc);
	}
}

static void
test_names(void **state)
{
	assert_string_equal(content_kind_names[CONTENT_RESOURCE_LINK], "resource_link");
	assert_string_equal(content_kind_names[CONTENT_UNKNOWN], "unknown");
}

TEST_FILE(mcp_content)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_base64),
		cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_fields),
		cmocka_unit_test(test_results),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

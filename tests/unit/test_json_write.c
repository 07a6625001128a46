/* SPDX-License-Identifier: MIT */
#include "base/secret.h"
#include "json/write.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

static void
test_everything(void **state)
{
	struct buf out = BUF_INIT;
	struct json_writer w;
	static const char text[] = "{\"n\":1.0}";
	struct json_doc *doc = json_parse(text, strlen(text), NULL, NULL);

	json_write_init(&w, &out);
	json_write_object(&w);
	json_write_member_string(&w, "jsonrpc", "2.0");
	json_write_member_int(&w, "id", -9223372036854775807 - 1);
	json_write_member_bool(&w, "yes", true);
	json_write_key(&w, "a\"b");
	json_write_array(&w);
	json_write_null(&w);
	json_write_string(&w, NULL);
	json_write_string(&w, "x\n");
	json_write_stringn(&w, "a\0b", 3);
	json_write_bool(&w, false);
	json_write_int(&w, 9223372036854775807);
	json_write_value(&w, json_root(doc));
	json_write_raw(&w, "12345678901234567890", 20);
	json_write_array(&w);
	json_write_array_end(&w);
	json_write_object(&w);
	json_write_object_end(&w);
	json_write_array_end(&w);
	json_write_member_string(&w, "last", NULL);
	json_write_object_end(&w);
	assert_string_equal(buf_text(&out),
	    "{\"jsonrpc\":\"2.0\",\"id\":-9223372036854775808,\"yes\":true,\"a\\\"b\":[null,null,"
	    "\"x\\n\",\"a\\u0000b\",false,9223372036854775807,{\"n\":1.0},12345678901234567890,[],{"
	    "}],"
	    "\"last\":null}");
	struct json_doc *back = json_parse(out.data, out.len, NULL, NULL);
	assert_non_null(back);
	json_doc_destroy(back);
	json_doc_destroy(doc);
	buf_finish(&out);
}

static void
test_one_value(void **state)
{
	struct buf out = BUF_INIT;
	struct json_writer w;

	json_write_init(&w, &out);
	json_write_int(&w, 7);
	assert_string_equal(buf_text(&out), "7");
	buf_finish(&out);
}

static void
redact(const char *text, size_t piece, struct buf *out, bool *ok, bool *hidden)
{
	struct json_writer w;

	buf_clear(out);
	json_write_init(&w, out);
	*ok = json_write_redacted_text(&w, text, strlen(text), piece, hidden);
	bool only_asked;
	assert_int_equal(
	    json_write_redacted_text(NULL, text, strlen(text), piece, &only_asked), *ok);
	assert_int_equal(only_asked, *hidden);
}

/* Written in pieces of any size, the text is the same. */
static void
test_redacted_in_pieces(void **state)
{
	static const char *const good[] = {
		"[1, \"two\", {\"token\": \"abc\", \"n\": [1,2,3]}, [], {}, [[[\"]\\\"\"]]]]",
		("{\"password\":[\"a\",{\"b\":1}],\"secret\" : "
		 "{\"c\":\"d\"},\"code\":-3.50,\"x\":null}"),
		" { \"api_key\" : 12 , \"text\" : \"Authorization: Bearer abcdefgh\" } ",
		"[{\"name\":\"Authorization\",\"n\":{},\"value\":\"X\"},{\"value\":[1],\"key\":"
		"\"pwd\"}]",
		"[\"run\",\"--password\",\"X\",[\"--token\",1,2]]",
		"{\"secret\":{\"value\":{\"a\":\"X\"},\"values\":[\"X\"]},\"access_tokens\":[\"X\","
		"1]}",
		"\"alone\"", "[]", " { } ", "-1e5"
	};
	static const char *const bad[] = { "[1,]", "[,1]", "{\"a\":1,}", "{\"a\"}", "[1 2]", "[1}",
		"[\"a", "{\"token\":[1,}", "[[1,2],,3]", "[1]]", "[1],", "", "{1:2}", "[1,2,3,4" };
	struct buf whole = BUF_INIT, pieces = BUF_INIT;
	bool ok, hidden, also;

	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		redact(good[i], SIZE_MAX, &whole, &ok, &hidden);
		assert_true(ok);
		assert_int_equal(hidden, i < 6);
		for (size_t piece = 0; piece <= strlen(good[i]); piece++) {
			redact(good[i], piece, &pieces, &ok, &also);
			assert_true(ok);
			assert_int_equal(hidden, also);
			assert_string_equal(buf_text(&pieces), buf_text(&whole));
		}
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		for (size_t piece = 0; piece <= strlen(bad[i]); piece++) {
			redact(bad[i], piece, &pieces, &ok, &hidden);
			if (ok)
				fail_msg("%s, in pieces of %zu", bad[i], piece);
		}
	buf_finish(&whole);
	buf_finish(&pieces);
}

/* Hidden values, and values that only look like secrets by name. "" means unchanged. */
static void
test_redacted(void **state)
{
	static const char *const cases[][2] = {
		{ "{\"headers\":[{\"name\":\"Authorization\",\"value\":\"Basic X\"}]}",
		    "{\"headers\":[{\"name\":\"Authorization\",\"value\":\"(hidden)\"}]}" },
		{ "[{\"value\":\"X\",\"key\":\"api_key\"},{\"value\":\"x\",\"key\":\"city\"}]",
		    "[{\"value\":\"(hidden)\",\"key\":\"api_key\"},{\"value\":\"x\",\"key\":"
		    "\"city\"}]" },
		{ "{\"args\":[\"--password\",\"X\",\"-v\",\"--password=X\",\"--token\",7]}",
		    "{\"args\":[\"--password\",\"(hidden)\",\"-v\",\"--password=(hidden)\","
		    "\"--token\",\"(hidden)\"]}" },
		{ "{\"secret\":{\"value\":\"X\",\"id\":1}}",
		    "{\"secret\":{\"value\":\"(hidden)\",\"id\":1}}" },
		{ "{\"passwords\":[\"X\",\"Y\"],\"access_tokens\":\"X\",\"api_keys\":{\"a\":1}}",
		    "{\"passwords\":[\"(hidden)\",\"(hidden)\"],\"access_tokens\":\"(hidden)\","
		    "\"api_keys\":{\"a\":1}}" },
		{ "{\"ghp_0123456789abcdefghijABCDEFGHIJ012345\":\"AKIAIOSFODNN7EXAMPLE\"}",
		    "{\"(hidden)\":\"(hidden)\"}" },
		{ "{\"n\":1234567890123,\"m\":123456789012}",
		    "{\"n\":\"(hidden)\",\"m\":123456789012}" },
		{ "{\"progressToken\":1,\"nextPageToken\":\"a\",\"nextCursor\":\"b\",\"code\":-"
		  "32601}",
		    "" },
		{ "{\"tokens\":120,\"max_tokens\":[1,2],\"keys\":[\"id\",\"name\"],\"key\":"
		  "\"name\"}",
		    "" },
		{ "{\"primary_key\":\"id\",\"publicKey\":\"ssh-rsa "
		  "AAAA\",\"pass\":12,\"token\":null}",
		    "" },
		{ "{\"properties\":{\"token\":{\"type\":\"string\",\"description\":\"a b\"}},"
		  "\"required\":[\"token\",\"password\"]}",
		    "" },
		{ "{\"name\":\"How do I change my password\",\"value\":\"so\"}", "" },
	};
	struct buf out = BUF_INIT;
	bool ok, hidden;

	assert_true(secret_note_value("1234567890123"));
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		redact(cases[i][0], SIZE_MAX, &out, &ok, &hidden);
		assert_true(ok);
		assert_string_equal(buf_text(&out), cases[i][cases[i][1][0] ? 1 : 0]);
		assert_int_equal(hidden, cases[i][1][0] != '\0');
	}
	buf_finish(&out);
}

/* A member with a value of this size, and a hidden one. */
static char *
member(const char *name, const char *begin, size_t bytes)
{
	struct buf text = BUF_INIT;

	buf_addf(&text, "{\"%s\":\"%s", name, begin);
	while (text.len < bytes)
		buf_add_str(&text, "tok12345678/");
	buf_add_str(&text, "\",\"token\":\"abc\"}");
	return buf_detach(&text);
}

/* The bytes of pictures and sounds stay unchanged and cost nothing; everything else is searched. */
static void
test_media(void **state)
{
	static const struct {
		const char *name, *begin;
		size_t bytes;
		bool is_media;
	} cases[] = {
		{ "data", "iVBORw0KGgoAAAAN", 4096, true },
		{ "blob", "iVBORw0KGgoAAAAN", 4096, true },
		{ "data", "iVBORw0KGgoAAAAN", 100, false }, /* a short text may be a token */
		{ "text", "iVBORw0KGgoAAAAN", 4096, false },
		{ "data", "YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXphYmNkZWZnaGlqa2xtbm9wcXJzdHV2", 4096,
		    false }, /* a text in Base64 */
		{ "data", "iVBORw0KGgo AAAAN", 4096, false },
	};
	struct buf out = BUF_INIT;
	bool ok, hidden;

	assert_true(secret_note_value("tok12345678"));
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		for (size_t piece = 16; piece <= 1 << 20; piece <<= 4) {
			char *text = member(cases[i].name, cases[i].begin, cases[i].bytes);
			redact(text, piece, &out, &ok, &hidden);
			assert_true(ok && hidden);
			assert_int_equal(strstr(buf_text(&out), "tok1") != NULL, cases[i].is_media);
			assert_non_null(strstr(buf_text(&out), "\"token\":\"(hidden)\""));
			free(text);
		}
	buf_finish(&out);
}

TEST_FILE(json_write)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_everything),
		cmocka_unit_test(test_redacted_in_pieces),
		cmocka_unit_test(test_redacted),
		cmocka_unit_test(test_media),
		cmocka_unit_test(test_one_value),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* Values of headers made of values of the body, and the base64 they need. */
#include "mcp/message.h"

#include "base/base64.h"
#include "base/vec.h"
#include "test.h"

#include <string.h>

/* The examples of the specification, and the edges between them. */
static void
test_values(void **state)
{
	static const struct {
		const char *text, *value;
	} rows[] = {
		{ "us-west1", "us-west1" },
		{ "", "" },
		{ "a b", "a b" },
		{ "~!\"\\", "~!\"\\" },
		{ "Hello, \xe4\xb8\x96\xe7\x95\x8c", "=?base64?SGVsbG8sIOS4lueVjA==?=" },
		{ " padded ", "=?base64?IHBhZGRlZCA=?=" },
		{ "x ", "=?base64?eCA=?=" },
		{ "\tx", "=?base64?CXg=?=" },
		{ "a\tb", "=?base64?YQli?=" },
		{ "line1\nline2", "=?base64?bGluZTEKbGluZTI=?=" },
		{ "x\r\nEvil: 1", "=?base64?eA0KRXZpbDogMQ==?=" },
		{ "\x7f", "=?base64?fw==?=" },
		{ "a\xc0\x80z", "=?base64?YQB6?=" },
		{ "=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=" },
		{ "=?base64?"
		  "?=",
		    "=?base64?PT9iYXNlNjQ/Pz0=?=" },
		{ "=?base64?=", "=?base64?=" },
		{ "=?BASE64?x?=", "=?BASE64?x?=" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct buf out = BUF_INIT;
		header_value_add(&out, rows[i].text);
		assert_string_equal(buf_text(&out), rows[i].value);
		buf_finish(&out);
	}
}

/* RFC 4648 section 10. */
static void
test_base64(void **state)
{
	static const char *const rows[][2] = { { "", "" }, { "f", "Zg==" }, { "fo", "Zm8=" },
		{ "foo", "Zm9v" }, { "foob", "Zm9vYg==" }, { "fooba", "Zm9vYmE=" },
		{ "foobar", "Zm9vYmFy" } };
	struct buf out = BUF_INIT;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		buf_clear(&out);
		base64_add(&out, rows[i][0], strlen(rows[i][0]), BASE64_PLAIN);
		assert_string_equal(buf_text(&out), rows[i][1]);
	}
	buf_clear(&out);
	base64_add(&out, "\xfb\xff\xfe\xff", 4, BASE64_URL);
	assert_string_equal(buf_text(&out), "-__-_w");
	buf_finish(&out);
}

TEST_FILE(rpc_header_value)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_base64),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

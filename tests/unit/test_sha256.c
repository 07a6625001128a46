/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "base/sha256.h"
#include "base/vec.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

/* Fed in steps of this many bytes. */
static void
assert_hash(const char *text, size_t len, size_t step, const char *expected)
{
	struct sha256 h;
	char hex[SHA256_HEX];

	sha256_init(&h);
	for (size_t at = 0; at < len; at += step)
		sha256_add(&h, text + at, step < len - at ? step : len - at);
	sha256_end_hex(&h, hex);
	assert_string_equal(hex, expected);
}

/* FIPS 180-4's own, and lengths around the padding's edge (coreutils' sha256sum). */
static void
test_known(void **state)
{
	static const char two[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";

	assert_hash("", 0, 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	assert_hash(
	    "abc", 3, 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	for (size_t step = 1; step < 60; step += 7)
		assert_hash(two, strlen(two), step,
		    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

static void
test_lengths(void **state)
{
	static const struct {
		size_t len;
		const char *hash;
	} rows[] = {
		{ 55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318" },
		{ 56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a" },
		{ 63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34" },
		{ 64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb" },
		{ 65, "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0" },
		{ 119, "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb" },
		{ 120, "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c" },
		{ 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char *text = mem_alloc(rows[i].len + 1);
		memset(text, 'a', rows[i].len);
		assert_hash(text, rows[i].len, 61, rows[i].hash);
		free(text);
	}
}

TEST_FILE(sha256)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_known),
		cmocka_unit_test(test_lengths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

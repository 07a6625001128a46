/* SPDX-License-Identifier: MIT */
#include "base/vec.h"
#include "net/crypto.h"
#include "test.h"

#include <string.h>

/* Made for this test: it opens nothing. */
static const char key_pem[] = "-----BEGIN PRIVATE KEY-----\n"
			      "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgW8QWluaN++Y08zLS\n"
			      "h6WLRG53Fh5ozbGebv0Vo/+ih0ihRANCAATocUUuef48QOAv+0VhoG3KwZ8l52vz\n"
			      "iVEVhXjCNJs0W8Z0ITr7HBI32r3NaIT8svaDNAWPIWOUFYLhAVK1WkOh\n"
			      "-----END PRIVATE KEY-----\n";

static void
test_random(void **state)
{
	uint8_t a[64] = { 0 }, b[64] = { 0 };

	assert_true(crypto_random(a, sizeof(a), NULL));
	assert_true(crypto_random(b, sizeof(b), NULL));
	assert_memory_not_equal(a, b, sizeof(a));
	assert_true(crypto_random(a, 0, NULL));
}

static void
test_sign(void **state)
{
	struct err err = { "" };
	uint8_t one[64], two[64];
	static const uint8_t zero[64];

	struct crypto_key *key = crypto_key_create(key_pem, strlen(key_pem), &err);
	assert_non_null(key);
	assert_true(crypto_sign_es256(key, "header.claims", 13, one, &err));
	assert_true(crypto_sign_es256(key, "header.claims", 13, two, &err));
	assert_memory_not_equal(one, zero, sizeof(zero));
	assert_memory_not_equal(one, two, sizeof(one)); /* a nonce in each */
	crypto_key_destroy(key);
	crypto_key_destroy(NULL);
}

static void
test_bad_keys(void **state)
{
	static const char *const bad[] = {
		"",
		"not a key",
		"-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n",
		"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
		"-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n",
		/* Ed25519 */
		"-----BEGIN PRIVATE KEY-----\n"
		"MC4CAQAwBQYDK2VwBCIEIFEfPqOJEKOQpoKJmgjSi0/qE5V8wN4h+utud43oOKnl\n"
		"-----END PRIVATE KEY-----\n",
	};

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct err err = { "" };
		assert_null(crypto_key_create(bad[i], strlen(bad[i]), &err));
		assert_string_not_equal(err.text, "");
	}
}

TEST_FILE(crypto)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_sign),
		cmocka_unit_test(test_bad_keys),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

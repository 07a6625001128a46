/* SPDX-License-Identifier: MIT */
#include "base/utf8.h"
#include "base/vec.h"
#include "schema/format/format.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

/* Code points ended by 0. */
static const char *
text_of(const uint32_t *points)
{
	static char text[1024];
	size_t len = 0;

	for (; *points; points++)
		len += utf8_encode(*points, text + len);
	text[len] = '\0';
	return text;
}

/* A label in a host name whose first label is this. */
static const char *
fault_beside(const char *first, const uint32_t *points)
{
	char text[1100];

	/* the labels of an e-mail address need not be in Unicode's composed form */
	snprintf(text, sizeof(text), "a@%s.%s", first, text_of(points));
	return format_fault(format_find("idn-email"), text);
}

static const char *
hostname_fault(const char *text)
{
	return format_fault(format_find("hostname"), text);
}

static const char *
idn_hostname_fault(const char *text)
{
	return format_fault(format_find("idn-hostname"), text);
}

/* RFC 3492 section 7.1, and single letters. */
static void
test_punycode_of_a_label_is_one(void **state)
{
	static const char *const GOOD[] = { "xn--ihqwcrb4cv8a8dqg056pqjye", "xn--d9juau41awczczp",
		"xn---with-super-monkeys-pc58ag80a8qai00g7n9n", "xn--mnchen-3ya", "xn--tda",
		"XN--TDA" };

	for (size_t i = 0; i < ARRAY_LEN(GOOD); i++)
		if (hostname_fault(GOOD[i]) || idn_hostname_fault(GOOD[i]))
			fail_msg("%s: %s", GOOD[i], hostname_fault(GOOD[i]));
}

static void
test_punycode_that_is_none_is_refused(void **state)
{
	static const char *const BAD[] = { "xn--9999999999", "xn--a-9", "xn--tda.", "xn---tda",
		"xn--zzzzzzzzzzzz", "xn--dn32h",
		"xn--aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" };

	for (size_t i = 0; i < ARRAY_LEN(BAD); i++)
		if (!hostname_fault(BAD[i]))
			fail_msg("%s", BAD[i]);
	/* Punycode of U+061F and of U+10FFFF, which no label may hold */
	assert_string_equal(hostname_fault("xn--egbpdaj6bu4bxfgehfvwxn"),
	    "a character is not allowed in host names");
	assert_string_equal(
	    hostname_fault("xn--dn32g"), "a character is not allowed in host names");
}

static void
test_long_labels_do_not_encode(void **state)
{
	uint32_t points[64] = { 0 };

	for (size_t i = 0; i < 63; i++)
		points[i] = i % 2 ? 0x4e00 + (uint32_t)i * 300 : 0xe0 + (uint32_t)i % 20;
	assert_string_equal(idn_hostname_fault(text_of(points)),
	    "a label is longer than 63 characters in Punycode");
	for (size_t i = 0; i < 63; i++)
		points[i] = 'a';
	assert_null(idn_hostname_fault(text_of(points)));
	points[62] = 0xe9;
	assert_string_equal(idn_hostname_fault(text_of(points)),
	    "a label is longer than 63 characters in Punycode");
}

static void
test_only_some_letters_are_allowed(void **state)
{
	static const uint32_t GOOD[] = { 'a', '0', 0xdf, 0x3b1, 0x5d0, 0x4e00, 0x3042, 0xe01 },
			      BAD[] = { '_', 0x660, 0xa7f2, 0x2028, 0xff21, 0x1f600, 0x10ffff };
	uint32_t points[3] = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(GOOD); i++) {
		points[0] = GOOD[i];
		if (idn_hostname_fault(text_of(points)))
			fail_msg("U+%04X", (unsigned)GOOD[i]);
	}
	for (size_t i = 0; i < ARRAY_LEN(BAD); i++) {
		points[0] = BAD[i];
		if (!idn_hostname_fault(text_of(points)))
			fail_msg("U+%04X", (unsigned)BAD[i]);
	}
	points[0] = 'A';
	points[1] = 0xe9;
	assert_string_equal(idn_hostname_fault(text_of(points)),
	    "a capital letter is next to letters outside ASCII");
}

static void
test_composed_form_is_told_from_others(void **state)
{
	static const struct {
		bool normal;
		uint32_t points[6];
	} LABELS[] = {
		{ true, { 'a', 'b' } },
		{ true, { 0xe9 } },
		{ false, { 'e', 0x301 } },
		{ true, { 'x', 0x301 } },
		{ true, { 0x1ec7, 0x301 } },
		{ false, { 0x1ebf, 0x323 } },
		{ false, { 'e', 0x323, 0x302 } },
		{ false, { 'x', 0x301, 0x323 } }, /* marks out of order */
		{ true, { 'x', 0x323, 0x301 } },
		{ false, { 'e', 0x316, 0x301 } }, /* composes past a mark of another class */
		{ true, { 'e', 0x30d, 0x301 } },  /* but not past one of the same class */
		{ false, { 0x304b, 0x3099 } },
		{ true, { 0x304c, 0x3042 } },
		{ false, { 0x9c7, 0x9be } },
		{ false, { 0x11099, 0x110ba } },
	};

	for (size_t i = 0; i < ARRAY_LEN(LABELS); i++) {
		const char *fault = idn_hostname_fault(text_of(LABELS[i].points));
		if (!fault != LABELS[i].normal)
			fail_msg("label %zu: %s", i, fault);
		if (fault)
			assert_string_equal(
			    fault, "a label is not in Unicode's composed form (NFC)");
	}
}

static void
test_labels_of_one_direction_are_in_order(void **state)
{
	static const struct {
		bool rtl, ordered;
		uint32_t points[6];
	} LABELS[] = {
		{ false, true, { 'a', '1' } },
		{ false, true, { 'a', 0x301 } },
		{ false, false, { '1', 'a' } },
		{ true, true, { 0x5d0 } },
		{ true, true, { 0x5d0, '1' } },
		{ true, true, { 0x5d0, 0x5b0, 0x5b0 } },
		{ true, true, { 0x5d0, '-', 0x5d0 } },
		{ true, true, { 0x628, 0x661 } },
		{ true, false, { 0x628, 0x661, '1' } },
		{ true, false, { 'a', 0x5d0 } },
		{ true, false, { 0x5d0, 'a', 0x5d0 } },
		{ true, false, { '1', 0x5d0 } },
		{ true, false, { 0x661, 0x628 } },
		{ true, false, { 0x5d0, '-' } },
	};

	for (size_t i = 0; i < ARRAY_LEN(LABELS); i++) {
		bool beside_digit = !fault_beside("0a", LABELS[i].points);
		bool beside_alef = !fault_beside("\xd7\x90", LABELS[i].points);
		if (beside_digit == LABELS[i].rtl || beside_alef != LABELS[i].ordered)
			fail_msg("label %zu", i);
	}
}

/* RFC 5892 appendix A. */
static void
test_some_letters_stand_in_context_only(void **state)
{
	static const struct {
		bool fits;
		uint32_t points[8];
	} LABELS[] = {
		{ true, { 'l', 0xb7, 'l' } },
		{ false, { 'l', 0xb7 } },
		{ false, { 'l', 0xb7, 'a' } },
		{ true, { 0x375, 0x3b2 } },
		{ false, { 0x3b1, 0x375 } },
		{ true, { 0x5d0, 0x5f3 } },
		{ false, { 0x5f4, 0x5d0 } },
		{ true, { 0x30fb, 0x3042 } },
		{ true, { 'a', 0x30fb, 0x30a2 } },
		{ false, { 'a', 0x30fb } },
		{ true, { 0x628, 0x660 } },
		{ false, { 0x628, 0x660, 0x6f0 } },
		{ true, { 0x915, 0x94d, 0x200d, 0x937 } },
		{ false, { 0x915, 0x200d, 0x937 } },
		{ false, { 0x200d, 0x937 } },
		{ true, { 0x915, 0x94d, 0x200c } },
		{ true, { 0x628, 0x200c, 0x628 } },
		{ true, { 0x628, 0x64b, 0x200c, 0x64b, 0x64c, 0x627 } },
		{ false, { 0x627, 0x200c, 0x628 } }, /* the first does not join the next */
		{ false, { 0x628, 0x200c, 'x' } },
		{ false, { 0x628, 0x200c } },
		{ false, { 0x200c, 0x628 } },
	};

	for (size_t i = 0; i < ARRAY_LEN(LABELS); i++) {
		const char *fault = idn_hostname_fault(text_of(LABELS[i].points));
		if (!fault != LABELS[i].fits)
			fail_msg("label %zu: %s", i, fault);
	}
}

TEST_FILE(schema_idna)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_punycode_of_a_label_is_one),
		cmocka_unit_test(test_punycode_that_is_none_is_refused),
		cmocka_unit_test(test_long_labels_do_not_encode),
		cmocka_unit_test(test_only_some_letters_are_allowed),
		cmocka_unit_test(test_composed_form_is_told_from_others),
		cmocka_unit_test(test_labels_of_one_direction_are_in_order),
		cmocka_unit_test(test_some_letters_stand_in_context_only),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

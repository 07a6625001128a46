#include "base/vec.h"
#include "schema/format/format.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

/* Code points ended by 0. */
static struct label
label_of(const uint32_t *points)
{
	struct label label = { .count = 0 };

	while (points[label.count]) {
		label.points[label.count] = points[label.count];
		label.count++;
	}
	return label;
}

/* clang-format off */
static const struct {
	const char *encoded;
	uint32_t points[32];
} PUNYCODE[] = { /* RFC 3492 section 7.1, and single letters */
	{ "egbpdaj6bu4bxfgehfvwxn", { 0x644, 0x64a, 0x647, 0x645, 0x627, 0x628, 0x62a, 0x643, 0x644, 0x645, 0x648, 0x634, 0x639, 0x631, 0x628, 0x64a, 0x61f } },
	{ "ihqwcrb4cv8a8dqg056pqjye", { 0x4ed6, 0x4eec, 0x4e3a, 0x4ec0, 0x4e48, 0x4e0d, 0x8bf4, 0x4e2d, 0x6587 } },
	{ "d9juau41awczczp", { 0x305d, 0x306e, 0x30b9, 0x30d4, 0x30fc, 0x30c9, 0x3067 } },
	{ "-with-super-monkeys-pc58ag80a8qai00g7n9n", { 0x5b89, 0x5ba4, 0x5948, 0x7f8e, 0x6075, '-', 'w', 'i', 't', 'h', '-', 's', 'u', 'p', 'e', 'r', '-', 'm', 'o', 'n', 'k', 'e', 'y', 's' } },
	{ "mnchen-3ya", { 'm', 0xfc, 'n', 'c', 'h', 'e', 'n' } },
	{ "tda", { 0xfc } },
	{ "dn32g", { 0x10ffff } },
};
/* clang-format on */

static void
punycode_goes_both_ways(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(PUNYCODE); i++) {
		struct label label = label_of(PUNYCODE[i].points), back;
		char out[PUNYCODE_MAX];
		size_t len = punycode_encode(&label, out);
		assert_int_equal(len, strlen(PUNYCODE[i].encoded));
		assert_memory_equal(out, PUNYCODE[i].encoded, len);
		assert_true(punycode_decode(out, len, &back));
		assert_int_equal(back.count, label.count);
		assert_memory_equal(back.points, label.points, label.count * sizeof(uint32_t));
	}
}

static void
punycode_that_is_none_is_refused(void **state)
{
	static const char *const BAD[] = { "9999999999", "a-9", "tda.", "TDA", "-tda",
		"zzzzzzzzzzzz", "dn32h",
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" };
	struct label label;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(BAD); i++)
		if (punycode_decode(BAD[i], strlen(BAD[i]), &label))
			fail_msg("%s", BAD[i]);
}

static void
long_labels_do_not_encode(void **state)
{
	struct label label = { .count = LABEL_MAX };
	char out[PUNYCODE_MAX];

	(void)state;
	for (size_t i = 0; i < LABEL_MAX; i++)
		label.points[i] = i % 2 ? 0x10ffff - (uint32_t)i : 0x80 + (uint32_t)i;
	assert_int_equal(punycode_encode(&label, out), 0);
	for (size_t i = 0; i < LABEL_MAX; i++)
		label.points[i] = 'a';
	assert_int_equal(punycode_encode(&label, out), 0);
}

/* Counted with Unicode 15.0 by another reader of it. */
static void
the_table_holds_every_letter(void **state)
{
	size_t always = 0, context = 0;

	(void)state;
	for (uint32_t point = 0; point <= 0x10ffff; point++) {
		unsigned traits = letter_of(point)->traits;
		always += traits & LETTER_ALWAYS;
		context += traits & LETTER_IN_CONTEXT ? 1 : 0;
	}
	assert_int_equal(always, 133523);
	assert_int_equal(context, 27);
	assert_int_equal(letter_of(UINT32_MAX)->traits, 0);
	assert_int_equal(letter_of(0x110000)->traits, 0);
	for (size_t i = 1; i < idna_composite_count; i++)
		assert_true(idna_composites[i - 1].whole < idna_composites[i].whole);
	for (size_t i = 1; i < idna_block_count; i++)
		assert_true(idna_blocks[i - 1].first < idna_blocks[i].first);
}

static void
letters_have_their_traits(void **state)
{
	(void)state;
	assert_int_equal(letter_of('a')->traits, LETTER_ALWAYS | LETTER_L);
	assert_int_equal(letter_of('0')->traits, LETTER_ALWAYS | LETTER_EN);
	assert_int_equal(letter_of('-')->traits, LETTER_ALWAYS);
	assert_int_equal(letter_of('A')->traits, 0);
	assert_int_equal(letter_of('_')->traits, 0);
	assert_int_equal(letter_of(0x3b1)->traits, LETTER_ALWAYS | LETTER_L | LETTER_GREEK);
	assert_int_equal(letter_of(0x5d0)->traits, LETTER_ALWAYS | LETTER_R | LETTER_HEBREW);
	assert_int_equal(letter_of(0x660)->traits, LETTER_IN_CONTEXT | LETTER_AN);
	assert_int_equal(letter_of(0x628)->traits,
	    LETTER_ALWAYS | LETTER_R | LETTER_JOINS_LAST | LETTER_JOINS_NEXT);
	assert_int_equal(letter_of(0x94d)->order, 9);
	assert_true(letter_of(0x4e00)->traits & LETTER_JAPANESE);
	assert_true(letter_of(0x323af)->traits & LETTER_JAPANESE);
	assert_int_equal(letter_of(0x323b0)->traits, 0);
	assert_int_equal(letter_of(0xa7f2)->traits, 0); /* becomes "c" */
}

static void
composed_form_is_told_from_others(void **state)
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
		{ true, { 'e', 0x30d, 0x301 } },  /* but not past one of its own */
		{ false, { 0x304b, 0x3099 } },
		{ true, { 0x304c, 0x3042 } },
		{ false, { 0x9c7, 0x9be } },
		{ false, { 0x11099, 0x110ba } },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(LABELS); i++) {
		struct label label = label_of(LABELS[i].points);
		if (label_is_normal(&label) != LABELS[i].normal)
			fail_msg("label %zu", i);
	}
}

static void
labels_of_one_direction_are_in_order(void **state)
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

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(LABELS); i++) {
		struct label label = label_of(LABELS[i].points);
		if (label_is_rtl(&label) != LABELS[i].rtl ||
		    label_is_ordered(&label) != LABELS[i].ordered)
			fail_msg("label %zu", i);
	}
}

/* RFC 5892 appendix A. */
static void
some_letters_stand_in_context_only(void **state)
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

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(LABELS); i++) {
		struct label label = label_of(LABELS[i].points);
		if (!label_fault(&label, true) != LABELS[i].fits)
			fail_msg("label %zu: %s", i, label_fault(&label, true));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(punycode_goes_both_ways),
		cmocka_unit_test(punycode_that_is_none_is_refused),
		cmocka_unit_test(long_labels_do_not_encode),
		cmocka_unit_test(the_table_holds_every_letter),
		cmocka_unit_test(letters_have_their_traits),
		cmocka_unit_test(composed_form_is_told_from_others),
		cmocka_unit_test(labels_of_one_direction_are_in_order),
		cmocka_unit_test(some_letters_stand_in_context_only),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include "base/vec.h"
#include "schema/schema.h"

#include "json/write.h"
#include "test.h"

#include <string.h>

/*
 * ECMA-262 behavior, taken from a JavaScript engine (mode u, else without): 1 matches, 0 does not,
 * E is not a regular expression, U is not checked here.
 */
struct match {
	const char *pattern, *text;
	char answer;
};

/* clang-format off */
static const struct match MATCHES[] = {
	{ "^\\d+$", "123", '1' },
	{ "^\\d+$", "\xd9\xa1\xd9\xa2\xd9\xa3", '0' },
	{ "^\\d+$", "12\x0a", '0' },
	{ "^\\w+$", "abc_1", '1' },
	{ "^\\w+$", "\xc3\xa9", '0' },
	{ "^\\w+$", "\xce\xa9", '0' },
	{ "^\\s$", " ", '1' },
	{ "^\\s$", "\xc2\xa0", '1' },
	{ "^\\s$", "\xef\xbb\xbf", '1' },
	{ "^\\s$", "\xe2\x80\xa8", '1' },
	{ "^\\s$", "\xc2\x85", '0' },
	{ "^\\s$", "\x0b", '1' },
	{ "^\\s$", "\xe1\xa0\x8e", '0' },
	{ "^\\s$", "\xe3\x80\x80", '1' },
	{ "^\\S$", "a", '1' },
	{ "^\\S$", "\xc2\xa0", '0' },
	{ "^.$", "a", '1' },
	{ "^.$", "\x0a", '0' },
	{ "^.$", "\x0d", '0' },
	{ "^.$", "\xe2\x80\xa8", '0' },
	{ "^.$", "\xe2\x80\xa9", '0' },
	{ "^.$", "\xc2\x85", '1' },
	{ "^.$", "\x0b", '1' },
	{ "^.$", "\xf0\x9f\x98\x80", '1' },
	{ "^.$", "\xc3\xa9", '1' },
	{ "^a$", "a", '1' },
	{ "^a$", "a\x0a", '0' },
	{ "^a$", "a\x0d\x0a", '0' },
	{ "a$", "ba", '1' },
	{ "a$", "a\x0a" "b", '0' },
	{ "^b", "a\x0a" "b", '0' },
	{ "^[^]$", "\x0a", '1' },
	{ "^[^]$", "a", '1' },
	{ "^[]$", "", '0' },
	{ "^[]$", "a", '0' },
	{ "^a[]?$", "a", '1' },
	{ "^\\u0041$", "A", '1' },
	{ "^\\u{1F600}$", "\xf0\x9f\x98\x80", '1' },
	{ "^\\u{41}$", "A", '1' },
	{ "^\\u{41}$", "uuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuu", '0' },
	{ "^\\x41$", "A", '1' },
	{ "^\\x4$", "x4", '1' },
	{ "^\\x4$", "\x04", '0' },
	{ "^\\ud83d\\ude00$", "\xf0\x9f\x98\x80", '1' },
	{ "^\\cA$", "\x01", '1' },
	{ "^\\0$", "", '0' },
	{ "^\\p{L}+$", "abc\xc3\xa9\xe7\x94\xb0", '1' },
	{ "^\\p{L}+$", "1", '0' },
	{ "^\\p{Letter}+$", "abc", '1' },
	{ "^\\p{Lu}$", "A", '1' },
	{ "^\\p{Lu}$", "\xc3\x89", '1' },
	{ "^\\p{Lu}$", "a", '0' },
	{ "^\\p{Script=Greek}+$", "\xce\xb1\xce\xb2\xce\xb3", '1' },
	{ "^\\p{Script=Greek}+$", "abc", '0' },
	{ "^\\p{sc=Grek}+$", "\xce\xb1\xce\xb2\xce\xb3", '1' },
	{ "^\\p{Script_Extensions=Greek}$", "\xce\xb1", '1' },
	{ "^\\p{Emoji}$", "\xf0\x9f\x98\x80", '1' },
	{ "^\\p{Emoji}$", "a", '0' },
	{ "^\\p{Emoji}$", "1", '1' },
	{ "^\\p{Alphabetic}+$", "abc\xc3\xa9", '1' },
	{ "^\\p{General_Category=Uppercase_Letter}$", "A", '1' },
	{ "^\\p{gc=Lu}$", "A", '1' },
	{ "^\\P{L}$", "1", '1' },
	{ "^\\P{L}$", "a", '0' },
	{ "^\\p{ASCII}$", "a", '1' },
	{ "^\\p{ASCII}$", "\xc3\xa9", '0' },
	{ "^\\p{Any}$", "a", '1' },
	{ "^\\p{White_Space}$", " ", '1' },
	{ "^\\p{White_Space}$", "\xc2\xa0", '1' },
	{ "^\\p{Uppercase}$", "A", '1' },
	{ "^[\\p{L}\\p{N}_-]+$", "a\xc3\xa9" "1_-", '1' },
	{ "^\\p{Letter_Number}$", "\xe2\x85\xa7", '1' },
	{ "^\\p{Cased_Letter}$", "A", '1' },
	{ "^\\p{LC}$", "A", '1' },
	{ "(?<=a)b", "ab", '1' },
	{ "(?<=a)b", "cb", '0' },
	{ "(?<=a+)b", "aab", '1' },
	{ "(?<=a+)b", "cb", '0' },
	{ "(?<!a|bb)c", "ac", '0' },
	{ "(?<!a|bb)c", "xc", '1' },
	{ "(?<!a|bb)c", "bbc", '0' },
	{ "(?<y>\\d{4})-\\k<y>", "2020-2020", '1' },
	{ "(?<y>\\d{4})-\\k<y>", "2020-2021", '0' },
	{ "^(?:(a)|b)*\\1$", "ab", 'U' },
	{ "^(?:(a)|b)*\\1$", "aba", 'U' },
	{ "^(?:(a)|b)*\\1$", "b", 'U' },
	{ "^(a)?\\1b$", "b", '1' },
	{ "^(a)?\\1b$", "aab", '1' },
	{ "^\\1(a)$", "a", '1' },
	{ "^\\1(a)$", "aa", '0' },
	{ "(?:(a)|(b))+\\1", "aba", 'U' },
	{ "(?:(a)|(b))+\\1", "abb", 'U' },
	{ "^a{,5}$", "a", '0' },
	{ "^a{,5}$", "a{,5}", '1' },
	{ "^a{2}$", "aa", '1' },
	{ "^{$", "{", '1' },
	{ "^a{1$", "a{1", '1' },
	{ "^}$", "}", '1' },
	{ "^]$", "]", '1' },
	{ "^a++$", "aa", 'E' },
	{ "^(?>a)b$", "ab", 'E' },
	{ "(?i)abc", "ABC", 'E' },
	{ "\\Aabc\\z", "abc", '0' },
	{ "\\Aabc\\z", "Aabcz", '1' },
	{ "^\\Q.\\E$", ".", '0' },
	{ "^\\Q.\\E$", "Q.E", '1' },
	{ "^[[:alpha:]]$", "a", '0' },
	{ "^[[:alpha:]]$", ":]", '1' },
	{ "^[[:alpha:]]$", "a]", '1' },
	{ "^\\h$", " ", '0' },
	{ "^\\h$", "h", '1' },
	{ "^\\R$", "\x0a", '0' },
	{ "^\\R$", "R", '1' },
	{ "^a\\Kb$", "ab", '0' },
	{ "^a\\Kb$", "aKb", '1' },
	{ "(*ACCEPT)a", "x", 'E' },
	{ "^(?#c)a$", "a", 'E' },
	{ "^\\e$", "\x1b", '0' },
	{ "^\\e$", "e", '1' },
	{ "^\\a$", "\x07", '0' },
	{ "^\\a$", "a", '1' },
	{ "^\\X$", "e\xcc\x81", '0' },
	{ "^\\X$", "X", '1' },
	{ "^\\N$", "a", '0' },
	{ "^\\N$", "N", '1' },
	{ "^\\g1$", "g1", '1' },
	{ "^(?|a)$", "a", 'E' },
	{ "^(?P<n>a)$", "a", 'E' },
	{ "^\\o{101}$", "A", '0' },
	{ "^(?=a)*b$", "b", '1' },
	{ "^a|b|$", "", '1' },
	{ "^[\\w-.]+$", "a-.", '1' },
	{ "^[\\d-z]+$", "1-z", '1' },
	{ "^[a-\\d]+$", "a-1", '1' },
	{ "^[z-a]$", "z", 'E' },
	{ "^[\\b]$", "\x08", '1' },
	{ "^\\B$", "", '1' },
	{ "\\bfoo\\b", "a foo b", '1' },
	{ "\\bfoo\\b", "\xc3\xa9" "foo\xc3\xa9", '1' },
	{ "^[\\s\\S]*$", "a\x0a" "b", '1' },
	{ "^[\\s\\S]*$", "", '1' },
	{ "^[\\S]$", "\xc2\xa0", '0' },
	{ "^[\\S]$", "a", '1' },
	{ "^[^\\s]+$", "a\xc2\xa0" "b", '0' },
	{ "^\\-$", "-", '1' },
	{ "^\\/$", "/", '1' },
	{ "^\\_$", "_", '1' },
	{ "^\\ $", " ", '1' },
	{ "^\\:$", ":", '1' },
	{ "^[\\-a]$", "-", '1' },
	{ "^[-a]$", "-", '1' },
	{ "^\\@$", "@", '1' },
	{ "^(?!.*\\.\\.)[a-z.]+$", "a.b", '1' },
	{ "^(?!.*\\.\\.)[a-z.]+$", "a..b", '0' },
	{ "^https?://[^\\s/$.?#].[^\\s]*$", "http://x.y/z", '1' },
	{ "^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z]+$", "a.b@c", '1' },
	{ "^([0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}$", "00:11:22:aa:bb:CC", '1' },
	{ "^x-", "x-a", '1' },
	{ "^x-", "y", '0' },
	{ "^$", "", '1' },
	{ "^$", "\x0a", '0' },
	{ "", "", '1' },
	{ "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$", "YWJj", '1' },
	{ "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$", "YW==", '1' },
	{ "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$", "a", '0' },
	{ "^.{1,3}$", "\xf0\x9f\x98\x80\xf0\x9f\x98\x80\xf0\x9f\x98\x80", '1' },
	{ "^.{1,3}$", "abcd", '0' },
	{ "^[\xf0\x9f\x98\x80-\xf0\x9f\x98\x82]$", "\xf0\x9f\x98\x81", '1' },
	{ "\\d{1,3}(?:,\\d{3})*", "1,234", '1' },
	{ "^(\\w+)\\s\\1$", "a a", '1' },
	{ "^(\\w+)\\s\\1$", "a b", '0' },
	{ "^[a-z&&[^b]]$", "a", '0' },
	{ "^[a-z&&[^b]]$", "&]", '1' },
	{ "^(?:a|ab)(?:c|bcd)(?:d*)$", "abcd", '1' },
	{ "^\\u00e9$", "\xc3\xa9", '1' },
	{ "^\\u00e9$", "e\xcc\x81", '0' },
	{ "^(?-i:a)$", "a", 'E' },
	{ "^(?<a>x)|(?<a>y)$", "x", 'U' },
	{ "^\\k$", "k", '1' },
	{ "\\8", "8", '1' },
	{ "^\\d{2147483648}$", "1", 'U' },
	{ "^a{0,70000}$", "aaa", '1' },
	{ "^\\07$", "\x07", '1' },
	{ "^\\1$", "\x01", '1' },
	{ "^\\377$", "\xc3\xbf", '1' },
	{ "^\\400$", " 0", '1' },
	{ "^[\\1-\\7]$", "\x03", '1' },
	{ "^(a)\\2$", "a\x02", '1' },
	{ "\\k<n>", "k<n>", '1' },
	{ "(?<m>a)\\k<n>", "a", 'E' },
	{ "(?<m>a)\\k<m>", "aa", '1' },
	{ "(?<=a)?", "a", 'E' },
	{ "(?<!a){2}", "a", 'E' },
	{ "^\\ud83d$", "\xed\xa0\xbd", '1' },
	{ "^\\ud83d", "\xf0\x9f\x98\x80", '0' },
	{ "^[^\\ud800-\\udfff]*$", "a\xf0\x9f\x98\x80", '1' },
	{ "^[^\\ud800-\\udfff]*$", "a\xed\xb0\x80", '0' },
	{ "^(?=.*[A-Z])(?=.*\\d)(?!.*\\s).{4,}$", "abC1", '1' },
	{ "^(?=.*[A-Z])(?=.*\\d)(?!.*\\s).{4,}$", "ab C1", '0' },
	{ "(?<!(?<=b)a)c", "bac", '0' },
	{ "(?<!(?<=b)a)c", "aac", '1' },
	{ "(?=(?=b)b+c)bb", "xbbbc", '1' },
	{ "^\\b(?!|a)", "a", '0' },
};
/* clang-format on */

static char
answer_of(const char *pattern, const char *text)
{
	struct buf json = BUF_INIT;
	struct json_writer w;
	char answer = 'E';

	json_write_init(&w, &json);
	json_write_object(&w);
	json_write_member_string(&w, "pattern", pattern);
	json_write_key(&w, "const");
	json_write_string(&w, text);
	json_write_object_end(&w);
	struct json_doc *doc = json_parse(buf_text(&json), json.len, NULL, NULL);
	assert_non_null(doc);
	struct schema *schema = schema_compile(json_root(doc), NULL, NULL);
	if (schema) {
		struct report *report =
		    schema_check(schema, json_get(json_root(doc), "const"), NULL);
		answer = "10U"[report_facts(report)->outcome];
		report_destroy(report);
	}
	schema_destroy(schema);
	json_doc_destroy(doc);
	buf_finish(&json);
	return answer;
}

static void
test_patterns_mean_what_they_mean_in_javascript(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(MATCHES); i++) {
		char answer = answer_of(MATCHES[i].pattern, MATCHES[i].text);
		if (answer != MATCHES[i].answer)
			fail_msg("%s on '%s': %c, should be %c", MATCHES[i].pattern,
			    MATCHES[i].text, answer, MATCHES[i].answer);
	}
}

static void
test_text_that_is_not_utf8_inside_is_matched(void **state)
{
	assert_int_equal(answer_of("^a\\0b$", "a\xc0\x80"
					      "b"),
	    '1');
	assert_int_equal(answer_of("^.$", "\xed\xa0\x80"), '1');
	assert_int_equal(answer_of("^\\w+$", "\xed\xa0\x80"), '0');
}

static const char *
repeat(struct buf *out, const char *unit, size_t times, const char *end)
{
	buf_clear(out);
	for (size_t i = 0; i < times; i++)
		buf_add_str(out, unit);
	buf_add_str(out, end);
	return buf_text(out);
}

static void
test_slow_patterns_are_given_up(void **state)
{
	struct buf text = BUF_INIT;

	assert_int_equal(answer_of("^(a*)a*a*a*a*a*a*\\1$", repeat(&text, "a", 50, "b")), 'U');
	assert_int_equal(answer_of("^((a?){100}){100}$", repeat(&text, "a", 5000, "")), 'U');
	assert_int_equal(answer_of("(a)*x{1000000}", "x"), 'U');
	assert_int_equal(answer_of("^a{0,70000}$", repeat(&text, "a", 70001, "")), 'U');
	buf_finish(&text);
}

/* Backtracking would try a^n, 2^n or n^2 ways. */
static void
test_what_is_regular_is_decided_on_any_text(void **state)
{
	struct buf text = BUF_INIT;
	const char *base64 = "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$";

	assert_int_equal(answer_of(base64, repeat(&text, "abcd", 500000, "YQ==")), '1');
	assert_int_equal(answer_of(base64, repeat(&text, "abcd", 500000, "YQ=")), '0');
	assert_int_equal(answer_of("^\\d+(,\\d+)*$", repeat(&text, "123,", 100000, "4")), '1');
	assert_int_equal(
	    answer_of("^[a-z0-9]+(?:-[a-z0-9]+)*$", repeat(&text, "abc-", 10000, "a")), '1');
	assert_int_equal(answer_of("^([0-9a-f]{2})*$", repeat(&text, "0f", 10000, "0")), '0');
	assert_int_equal(answer_of("^(?!.*<script).*$", repeat(&text, "x<s", 10000, "")), '1');
	assert_int_equal(
	    answer_of("^(?!.*<script).*$", repeat(&text, "x<s", 10000, "<script")), '0');
	assert_int_equal(
	    answer_of("\\[([^\\]]+)\\]\\(", repeat(&text, "[a] ", 10000, "[b](c)")), '1');
	assert_int_equal(answer_of("^data:image/(png|jpeg);base64,[A-Za-z0-9+/=]+$",
			     repeat(&text, "", 1, "data:image/png;base64,AAAA")),
	    '1');
	assert_int_equal(answer_of("^(a+)+$", repeat(&text, "a", 100000, "b")), '0');
	assert_int_equal(answer_of("(a|aa)+$", repeat(&text, "a", 60, "b")), '0');
	assert_int_equal(answer_of("^(\\w+\\s?)*$", repeat(&text, "word ", 40, "!")), '0');
	assert_int_equal(answer_of("x*x*[yz]", repeat(&text, "x", 2000, "")), '0');
	assert_int_equal(answer_of("x*x*x*x*x*x*x*[yz]", repeat(&text, "x", 20000, "")), '0');
	assert_int_equal(answer_of("(?<=a+)b$", repeat(&text, "a", 10000, "b")), '1');
	assert_int_equal(answer_of("(a|b)*a(a|b){14}$", repeat(&text, "abbab", 2000, "")), '1');
	assert_int_equal(
	    answer_of("^\\p{L}+$", repeat(&text, "\xd1\x81\xd0\xbb\xe7\x94\xb0", 100000, "")), '1');
	assert_int_equal(answer_of("^a{0,70000}$", repeat(&text, "a", 70000, "")), '1');
	buf_finish(&text);
}

/* More words than PCRE2 takes. */
static void
test_a_long_list_of_words_is_decided(void **state)
{
	struct buf pattern = BUF_INIT;

	buf_add_str(&pattern, "^(?:");
	for (int i = 0; i < 20000; i++) /* 130 KB */
		buf_addf(&pattern, "%sw%d", i ? "|" : "", i * 7919 % 100000);
	buf_add_str(&pattern, ")$");
	assert_int_equal(answer_of(buf_text(&pattern), "w7919"), '1');
	assert_int_equal(answer_of(buf_text(&pattern), "w79"), '0');
	buf_finish(&pattern);
}

TEST_FILE(schema_regex)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_patterns_mean_what_they_mean_in_javascript),
		cmocka_unit_test(test_text_that_is_not_utf8_inside_is_matched),
		cmocka_unit_test(test_slow_patterns_are_given_up),
		cmocka_unit_test(test_what_is_regular_is_decided_on_any_text),
		cmocka_unit_test(test_a_long_list_of_words_is_decided),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include "schema/format/format.h"

#include "base/mem.h"
#include "base/vec.h"
#include "schema/schema.h"
#include "json/write.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

/* Per format: texts that are one and texts that are not, each list ended by NULL. */
struct samples {
	const char *format;
	const char *good[20], *bad[32];
};

#define A31 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define A63 A31 "a" A31
#define U_UMLAUT "\xc3\xbc"
#define ALEF "\xd7\x90"
#define SURROGATE "\xed\xa0\x80"
#define NUL "\xc0\x80"

/* clang-format off */
static const struct samples SAMPLES[] = {
	{ "date", { "2026-03-12", "2024-02-29", "2000-02-29", "0000-12-31" },
	    { "March 12", "2026-3-12", "2023-02-29", "1900-02-29", "2026-13-01", "2026-00-10", "2026-04-31", "2026-04-00", "2026-03-12 ", "",
	      "2026-03-1\xe0\xa7\xa8", "+2026-03-12", "20260312", "2026-W11-4" } },
	{ "time", { "14:30:00Z", "14:30:00.123+01:30", "23:59:60Z", "00:59:60+01:00", "12:00:00z", "12:00:00-00:00" },
	    { "14:30:00", "24:00:00Z", "12:60:00Z", "12:00:61Z", "22:59:60Z", "12:00:00.Z", "12:00:00+24:00", "12:00:00+01:60", "12:00Z", "12:00:00+01", "12:00:00,5Z", "12:00:00Z+00:00" } },
	{ "date-time", { "2026-03-12T14:30:00Z", "2026-03-12t14:30:00.5-23:59", "1998-12-31T15:59:60.1-08:00" },
	    { "2026-03-12", "2026-03-12 14:30:00Z", "2026-02-30T00:00:00Z", "2026-03-12T14:30:00", "2026-03-12T", "2026-03-12T14:30:00Z\n", "" } },
	{ "duration", { "P3DT4H", "P1Y2M3D", "PT36H", "P4W", "PT0S", "P1Y", "P01D", "PT1H30M" },
	    { "P", "PT", "P1D2Y", "P1Y1D", "P1", "4W", "P1W1D", "P1Y1W", "PT1D", "P1DT", "P-1D", "P1.5D", "PT0,5S", "p1d", "P1D ", "PT1H2S", "P1S", "-P1D", "" } },
	{ "email", { "a@b", "joe.bloggs@example.com", "te~st+x@example.org", "\"a b\"@example.com", "\"a\\\"@\"@b", "\"\"@b", "a@[127.0.0.1]", "a@[IPv6:::1]", "a@[ipv6:1::2]", A63 "a@b" },
	    { "nobody", ".a@b.c", "a.@b.c", "a..b@c.d", "a@", "@b", "a@-b.c", "a@[300.0.0.1]", "a b@c.d", "a@[", "a@[]", "a@[IPv6:1:2:3:4:5:6:7::]", "a@[::1]", "a@[IPv6:]", "\"a@b", "\"a\"b@c", "\"a\x01\"@b", "\"a\\\x01\"@b", "\"@b",
	      "a@b@c", "a@b c", "a<b@c", U_UMLAUT "@b", "a@" U_UMLAUT ".de", A63 "aa@b", "a@xn--a", "" } },
	{ "idn-email", { "a@b", U_UMLAUT "@b", "a@" U_UMLAUT ".de", "\"" U_UMLAUT "\"@b", "a@u\xcc\x88.de", "\xc2\x85@b" },
	    { "a", "a" SURROGATE "@b", "a" NUL "@b", "a@" SURROGATE, "a\xef\xbc\xa0" "b", "\"\\" U_UMLAUT "\"@b", "a@b\xcc\x88" SURROGATE } },
	{ "hostname", { "example.org", "a", "EXAMPLE", "xn--4gbwdl.xn--wgbh1c", "XN--4gbwdl", "a-b.c1", "1.2", "ab--cd.example", "r3---sn.example", A63 ".b" },
	    { "", ".", "a.", ".a", "a..b", "-a", "a-", "a_b", "a b", U_UMLAUT ".org", A63 "a.b", A63 "." A63 "." A63 "." A63, "xn--", "xn--a", "xn--example-", "xn---9uc", "xn--X", "XN--aa---o47jg78q", "a\xe3\x80\x82" "b", "a" NUL } },
	{ "idn-hostname", { "example.org", "b" U_UMLAUT "cher.example", "a\xe3\x80\x82" "b", "\xc3\x9f", ALEF, ALEF "1", "a." ALEF "."  ALEF "2", "xn--mnchen-3ya", "l\xc2\xb7l" },
	    { "", "\xe3\x80\x82", "a\xe3\x80\x82", "B" U_UMLAUT "cher", "\xc3\x9c" "ber", "u\xcc\x88", "a" ALEF, "0a." ALEF, ALEF "a", "-" U_UMLAUT, U_UMLAUT "-", "a" U_UMLAUT "--b", "\xcc\x80", "a\xc2\xb7" "b", "\xf0\x9f\x98\x80", "a b", SURROGATE, NUL,
	      U_UMLAUT A63, "xn--0ca24w", "\xf3\xa0\x80\x81" } },
	{ "uri", { "http://x.y/a?b#c", "urn:isbn:1", "mailto:a@b.c", "http://[::1]:80/", "a:", "http://u:p@h/%20", "http://h:/", "file:///x", "http://999.1.1.1/", "http://[v1.a:b]/", "a+b-c.d:x", "http://" },
	    { "/a/b", "x", "http://a b", "http://x/%2", "http://x/%", "http://x/%g0", "http://[::1/", "http://[]/", "http://[v1]/", "http://[v.a]/", "http://[vg.a]/", "http://[::1]x/", "http://x:8a/", "http://a:b:1/", "http://a@b@c/", ":x", "1a:b", "http://x/<>", "http://x/a\\b",
	      "http://x/[", "http://x/#a#b", "http://\xc3\xa9/", "" } },
	{ "uri-reference", { "", "/a", "a/b", "?q", "#f", "//h/p", "//", "http://x/", "./a:b", "a?b:c", "?a/b?c#?/" }, { "a b", "1a:b", "\\\\x", "#a#b", "\xc3\xa9", "//h:x", "/[", ":" } },
	{ "iri", { "http://\xc3\xa9.x/\xc3\xa9?\xee\x80\x80#\xc3\xa9", "a:\xf0\x90\x8c\x80", "http://[::1]/" },
	    { "\xc3\xa9", "a:\xee\x80\x80", "a:#\xee\x80\x80", "a:" SURROGATE, "a:\xe2\x80\x8f", "a:\xef\xbf\xbf", "a:\xc2\x80", "a:" NUL, "\xc3\xa9:a", "http://1::2/", "a:\xf3\xa0\x80\x81" } },
	{ "iri-reference", { "", "\xc3\xa9", "//\xc3\xa9/", "#\xc3\xa9" }, { "\\\xc3\xa9", "\xc3\xa9:b", "\xed\xbf\xbf" } },
	{ "uri-template", { "", "/u/{id}", "{+a,b*,c:3}", "{?x,y}", "{a.b}", "{%41}", "{a%41_9:1000}", "a'b", "\xc3\xa9%20", "\xee\x80\x80", "{|x}", "{,x}", "\xe2\x80\x8f" },
	    { "{", "{}", "{a", "}", "{a}}", "{a,}", "{,+a}", "{a,,b}", "{a..b}", "{.}", "{a.}", "{..a}", "{a:0}", "{a:01}", "{a:10000}", "{a:}", "{a*:1}", "{a b}", "{a=b}", "{%4}", "{\xc3\xa9}", "a b", "\"", "<", "^", "`", "|", "%", "%g0", "\x7f", SURROGATE } },
	{ "uuid", { "123e4567-e89b-12d3-a456-426614174000", "00000000-0000-0000-0000-000000000000", "ABCDEFab-ffff-ffff-ffff-ffffffffffff" },
	    { "123e4567e89b12d3a456426614174000", "123e4567-e89b-12d3-a456-42661417400", "123e4567-e89b-12d3-a456-42661417400g", "123e4567-e89b-12d3-a456-4266141740000", "123e4567-e89b-12d3-a456-426614174000-", "{123e4567-e89b-12d3-a456-426614174000}", "" } },
	{ "ipv4", { "0.0.0.0", "192.0.2.1", "255.255.255.255" },
	    { "256.0.0.1", "1.2.3", "1.2.3.4.5", "01.2.3.4", "1.2.3.00", "1.2.3.4 ", "0x1.2.3.4", "", "1..2.3", "1.2.3.", ".1.2.3", "1.2.3.4.", "1.2.3.1000", "1.2.3.\xe0\xa7\xaa" } },
	{ "ipv6", { "::", "::1", "1::", "2001:db8::1", "1:2:3:4:5:6:7:8", "::ffff:192.0.2.1", "1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8", "1::8", "1::1.2.3.4", "ABCD::" },
	    { ":", ":::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8:", "1:2:3:4:5:6:7:8::", "::1:2:3:4:5:6:7:8", "12345::", "1::2::3", "1:2:3:4:5:6:7::8", "::g", "::1%eth0", "::1/64", "[::1]", "::1.2.3", "1.2.3.4", "1.2.3.4::",
	      "1:2:3:4:5:6:7:1.2.3.4", "1:2:3:4:5::6:1.2.3.4", "::1.2.3.4:1", "1:", ":1", "::1:", "1", "" } },
	{ "regex", { "", "a+", "[a-z]\\d", "(?<n>x)\\k<n>", "(?<=a+)b" }, { "(?<n>x)\\k<m>", "(?<=a)?", "(", "[", "a**", "\\Z", "(?P<n>x)", "x{2,1}", "(?i)a", "\\a" } },
	{ "json-pointer", { "", "/", "/a/0", "/~0~1", "/a b", "//", "/" NUL }, { "a", "#/a", "/~", "/~2", "/a~", "/~/0", " " } },
	{ "relative-json-pointer", { "0", "1/a", "12#", "0/", "0+1", "0-1/a", "1+0#" }, { "", "/a", "01", "-1", "0##", "1a", "0+", "0+01", "0+-1", "1#/a", "0/~", "1\n" } },
};
/* clang-format on */

static const char *
fault_of(const char *format, const char *text)
{
	const struct format *f = format_find(format);

	assert_non_null(f);
	return format_fault(f, text);
}

static void
test_each_format_knows_its_own(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(SAMPLES); i++) {
		const struct samples *s = &SAMPLES[i];
		for (size_t j = 0; s->good[j]; j++)
			if (fault_of(s->format, s->good[j]))
				fail_msg("'%s' is a %s", s->good[j], s->format);
		for (size_t j = 0; s->bad[j]; j++)
			if (!fault_of(s->format, s->bad[j]))
				fail_msg("'%s' is no %s", s->bad[j], s->format);
	}
}

static void
test_every_format_is_sampled_and_fits_its_example(void **state)
{
	for (const struct format *format = formats; format->name; format++) {
		bool sampled = false;
		for (size_t j = 0; j < ARRAY_LEN(SAMPLES); j++)
			sampled = sampled || strcmp(SAMPLES[j].format, format->name) == 0;
		assert_true(sampled);
		assert_null(format_fault(format, format->example));
		assert_ptr_equal(format_find(format->name), format);
	}
	assert_null(format_find("int32"));
	assert_null(format_find(""));
	assert_null(format_find("Date"));
}

static void
test_a_fault_says_what_is_wrong(void **state)
{
	static const struct {
		const char *format, *text, *words;
	} FAULTS[] = {
		{ "date", "March 12", "" },
		{ "date", "2026-02-30", "the month has no such day" },
		{ "date", "2026-14-01", "months go from 01 to 12" },
		{ "time", "25:00:00Z", "there is no such time of day" },
		{ "time", "12:00:60Z", "only 23:59 UTC has a second 60" },
		{ "date-time", "2026-03-12 14:30:00Z", "a T must follow the date" },
		{ "date-time", "2026-03-12T14:30:00", "its offset is missing (Z or +01:00)" },
		{ "date-time", "2026-03-12", "its time is missing" },
		{ "duration", "P1.5D", "fractions are not allowed" },
		{ "duration", "P1W2D", "weeks cannot be combined with other units" },
		{ "email", "nobody", "there is no @" },
		{ "email", "a..b@c", "it begins with a dot or has two in a row" },
		{ "email", "a@b_c", "the part after the @ is not a host name" },
		{ "hostname", "a_b", "only letters, digits and hyphens are allowed" },
		{ "hostname", A63 "a", "a label is longer than 63 characters" },
		{ "idn-hostname", "0a." ALEF, "it mixes writing directions (RFC 5893)" },
		{ "idn-hostname", "u\xcc\x88", "a label is not in Unicode's composed form (NFC)" },
		{ "ipv4", "1.2.3.256", "it must be four numbers up to 255 without leading zeros" },
		{ "ipv6", "fe80::1%eth0", "a zone (after %) is not part of it" },
		{ "uri", "example.org", "it does not begin with a scheme, such as https:" },
		{ "uri", "http://x/a b", "a space must be written as %20" },
		{ "uri", "http://x/\xc3\xa9", "a character outside ASCII must be written as %XX" },
		{ "uri", "http://x:y/", "the host's colon is not followed by a port" },
		{ "uri-template", "/{id", "a brace is not closed" },
		{ "json-pointer", "a", "it does not begin with /" },
		{ "uuid", "1", "" },
	};

	for (size_t i = 0; i < ARRAY_LEN(FAULTS); i++)
		assert_string_equal(fault_of(FAULTS[i].format, FAULTS[i].text), FAULTS[i].words);
}

/* Names as long as allowed, and one octet longer. */
static void
test_hosts_have_a_length(void **state)
{
	char name[256];

	for (size_t i = 0; i < sizeof(name); i++)
		name[i] = i % 64 == 63 ? '.' : 'a';
	name[253] = '\0';
	assert_null(fault_of("hostname", name));
	assert_null(fault_of("idn-hostname", name));
	name[253] = 'a';
	name[254] = '\0';
	assert_string_equal(fault_of("hostname", name), "it is longer than 253 characters");
}

/* Anything long is looked at once; a quadratic look would take minutes. */
static void
test_long_texts_take_no_time(void **state)
{
	static const char *const SEEDS[] = { "a", "a.", "a:", "a@", "\"a", "1:", "[", "{a,", "%41",
		"/~0", "(", "(?:", "a|", "\xcc\x81", "a\xe2\x80\x8c", ALEF, "P1Y", "//", "?#" };
	const size_t size = 1 << 18;

	for (size_t i = 0; i < ARRAY_LEN(SEEDS); i++) {
		char *text = mem_alloc(size + 1);
		size_t n = strlen(SEEDS[i]), len = 0;
		for (; len + n <= size; len += n)
			memcpy(text + len, SEEDS[i], n);
		text[len] = '\0';
		for (const struct format *format = formats; format->name; format++)
			format_fault(format, text);
		free(text);
	}
}

static enum schema_outcome
outcome_of(const char *format, const char *text, enum schema_format_mode mode)
{
	const struct schema_options options = { .format = mode };
	struct buf json = BUF_INIT;
	struct json_writer w;

	json_write_init(&w, &json);
	json_write_object(&w);
	json_write_member_string(&w, "format", format);
	json_write_member_string(&w, "const", text);
	json_write_object_end(&w);
	struct json_doc *doc = json_parse(buf_text(&json), json.len, NULL, NULL);
	assert_non_null(doc);
	struct schema *schema = schema_compile(json_root(doc), &options, NULL);
	struct report *report = schema_check(schema, json_get(json_root(doc), "const"), NULL);
	enum schema_outcome outcome = report_facts(report)->outcome;
	report_destroy(report);
	schema_destroy(schema);
	json_doc_destroy(doc);
	buf_finish(&json);
	return outcome;
}

static void
test_a_schema_asserts_its_formats_or_does_not(void **state)
{
	for (const struct format *format = formats; format->name; format++) {
		const char *name = format->name;
		const char *bad = strcmp(name, "regex") == 0 ? "(" : "~ \\";
		assert_int_equal(outcome_of(name, bad, SCHEMA_FORMAT_ASSERTS), SCHEMA_INVALID);
		assert_int_equal(outcome_of(name, bad, SCHEMA_FORMAT_WARNS), SCHEMA_VALID);
		assert_int_equal(outcome_of(name, bad, SCHEMA_FORMAT_IGNORED), SCHEMA_VALID);
	}
	assert_int_equal(outcome_of("int32", "x", SCHEMA_FORMAT_ASSERTS), SCHEMA_VALID);
	assert_int_equal(outcome_of("", "", SCHEMA_FORMAT_ASSERTS), SCHEMA_VALID);
}

TEST_FILE(schema_format)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_format_knows_its_own),
		cmocka_unit_test(test_every_format_is_sampled_and_fits_its_example),
		cmocka_unit_test(test_a_fault_says_what_is_wrong),
		cmocka_unit_test(test_hosts_have_a_length),
		cmocka_unit_test(test_long_texts_take_no_time),
		cmocka_unit_test(test_a_schema_asserts_its_formats_or_does_not),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

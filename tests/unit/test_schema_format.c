#include "schema/schema.h"

#include "json/write.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

/* Per format: texts that are one and texts that are not, each list ended by NULL. */
struct samples {
	const char *format;
	const char *good[12], *bad[24];
};

/* clang-format off */
static const struct samples SAMPLES[] = {
	{ "date", { "2026-03-12", "2024-02-29", "0000-12-31" },
	    { "March 12", "2026-3-12", "2023-02-29", "1900-02-29", "2026-13-01", "2026-00-10", "2026-04-31", "2026-03-12 ", "", "2026-03-1২" } },
	{ "time", { "14:30:00Z", "14:30:00.123+01:30", "23:59:60Z", "00:59:60+01:00", "12:00:00z" },
	    { "14:30:00", "24:00:00Z", "12:60:00Z", "12:00:61Z", "22:59:60Z", "12:00:00.Z", "12:00:00+24:00", "12:00Z" } },
	{ "date-time", { "2026-03-12T14:30:00Z", "2026-03-12t14:30:00.5-23:59" },
	    { "2026-03-12", "2026-03-12 14:30:00Z", "2026-02-30T00:00:00Z", "2026-03-12T14:30:00" } },
	{ "duration", { "P3DT4H", "P1Y2M3D", "PT36H", "P4W", "PT0S", "P1Y" },
	    { "P", "PT", "P1D2Y", "P1Y1D", "P1", "4W", "P1W1D", "PT1D", "P1DT", "P-1D", "P1.5D" } },
	{ "email", { "a@b", "joe.bloggs@example.com", "te~st+x@example.org", "\"a b\"@example.com", "a@[127.0.0.1]", "a@[IPv6:::1]" },
	    { "nobody", ".a@b.c", "a.@b.c", "a..b@c.d", "a@", "@b", "a@-b.c", "a@[300.0.0.1]", "a b@c.d", "a@[", "" } },
	{ "uri", { "http://x.y/a?b#c", "urn:isbn:1", "mailto:a@b.c", "http://[::1]:80/", "a:", "http://u:p@h/%20" },
	    { "/a/b", "x", "http://a b", "http://x/%2", "http://[::1/", "http://x:8a/", ":x", "1a:b", "http://x/<>", "http://\xc3\xa9/", "" } },
	{ "uri-reference", { "", "/a", "a/b", "?q", "#f", "//h/p", "http://x/" }, { "a b", "1a:b", "\\\\x", "#a#b" } },
	{ "uuid", { "123e4567-e89b-12d3-a456-426614174000", "00000000-0000-0000-0000-000000000000" },
	    { "123e4567e89b12d3a456426614174000", "123e4567-e89b-12d3-a456-42661417400", "123e4567-e89b-12d3-a456-42661417400g", "" } },
	{ "ipv4", { "0.0.0.0", "192.0.2.1", "255.255.255.255" },
	    { "256.0.0.1", "1.2.3", "1.2.3.4.5", "01.2.3.4", "1.2.3.4 ", "0x1.2.3.4", "", "1..2.3" } },
	{ "ipv6", { "::", "::1", "1::", "2001:db8::1", "1:2:3:4:5:6:7:8", "::ffff:192.0.2.1", "1:2:3:4:5:6:1.2.3.4" },
	    { ":", ":::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "12345::", "1::2::3", "1:2:3:4:5:6:7::8", "::g", "::1%eth0", "::1.2.3", "1:", ":1", "" } },
	{ "hostname", { "example.org", "a", "xn--4gbwdl.xn--wgbh1c", "a-b.c1", "1.2" },
	    { "", ".", "a.", ".a", "a..b", "-a", "a-", "a_b", "\xc3\xa9.org", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.b" } },
	{ "regex", { "", "a+", "[a-z]\\d", "(?<n>x)\\k<n>" }, { "(", "[", "a**", "\\Z", "(?P<n>x)", "x{2,1}" } },
	{ "json-pointer", { "", "/", "/a/0", "/~0~1", "/a b" }, { "a", "#/a", "/~", "/~2", "/a~" } },
	{ "relative-json-pointer", { "0", "1/a", "12#", "0/" }, { "", "/a", "01", "-1", "0##", "1a" } },
};
/* clang-format on */

static enum schema_outcome
outcome_of(const char *format, const char *text)
{
	const struct schema_options options = { .format = SCHEMA_FORMAT_ASSERTS };
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
	enum schema_outcome outcome = report_outcome(report);
	report_destroy(report);
	schema_destroy(schema);
	json_doc_destroy(doc);
	buf_finish(&json);
	return outcome;
}

static void
each_format_knows_its_own(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(SAMPLES) / sizeof(*SAMPLES); i++) {
		const struct samples *s = &SAMPLES[i];
		for (size_t j = 0; s->good[j]; j++)
			if (outcome_of(s->format, s->good[j]) != SCHEMA_VALID)
				fail_msg("'%s' is a %s", s->good[j], s->format);
		for (size_t j = 0; s->bad[j]; j++)
			if (outcome_of(s->format, s->bad[j]) != SCHEMA_INVALID)
				fail_msg("'%s' is no %s", s->bad[j], s->format);
	}
}

static void
a_format_nobody_knows_says_nothing(void **state)
{
	(void)state;
	assert_int_equal(outcome_of("int32", "x"), SCHEMA_VALID);
	assert_int_equal(outcome_of("", ""), SCHEMA_VALID);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_format_knows_its_own),
		cmocka_unit_test(a_format_nobody_knows_says_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include "schema/schema.h"

#include "base/buf.h"
#include "base/vec.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/*
 * Schemas and values crafted to be expensive. Each must finish with a clear outcome. The time limit
 * is generous, for slow machines and memory checkers.
 */
#define MAX_SECONDS 20.0

struct text {
	struct buf schema, value;
};

static void
add_repeated(struct buf *to, const char *unit, int times)
{
	for (int i = 0; i < times; i++)
		buf_add_str(to, unit);
}

/* ---- merely large input ---- */

static void
make_many_properties(struct text *t)
{
	buf_add_str(&t->schema, "{\"additionalProperties\":false,\"properties\":{");
	buf_add_str(&t->value, "{");
	for (int i = 0; i < 100000; i++) {
		buf_addf(&t->schema, "%s\"p%d\":{\"type\":\"integer\"}", i ? "," : "", i);
		buf_addf(&t->value, "%s\"p%d\":%d", i ? "," : "", 99999 - i, i);
	}
	buf_add_str(&t->schema, "},\"required\":[");
	for (int i = 0; i < 100000; i++)
		buf_addf(&t->schema, "%s\"p%d\"", i ? "," : "", i);
	buf_add_str(&t->schema, "]}");
	buf_add_str(&t->value, "}");
}

static void
make_long_enum(struct text *t)
{
	buf_add_str(&t->schema, "{\"items\":{\"enum\":[");
	buf_add_str(&t->value, "[");
	for (int i = 0; i < 100000; i++) {
		buf_addf(&t->schema, "%s\"v%d\"", i ? "," : "", i);
		buf_addf(&t->value, "%s\"v%d\"", i ? "," : "", 99999 - i);
	}
	buf_add_str(&t->schema, "]}}");
	buf_add_str(&t->value, "]");
}

static void
make_unique_rows(struct text *t)
{
	buf_add_str(&t->schema, "{\"uniqueItems\":true}");
	buf_add_str(&t->value, "[");
	for (int i = 0; i < 100000; i++)
		buf_addf(&t->value, "%s{\"a\":%d,\"b\":[%d]}", i ? "," : "", i % 99999, i % 99999);
	buf_add_str(&t->value, "]");
}

static void
make_long_chain(struct text *t)
{
	buf_add_str(
	    &t->schema, "{\"$ref\":\"#/$defs/n99999\",\"$defs\":{\"n0\":{\"type\":\"null\"}");
	for (int i = 1; i < 100000; i++)
		buf_addf(&t->schema, ",\"n%d\":{\"$ref\":\"#/$defs/n%d\"}", i, i - 1);
	buf_add_str(&t->schema, "}}");
	buf_add_str(&t->value, "1");
}

static void
make_reference_circles(struct text *t)
{
	buf_add_str(&t->schema, "{\"$ref\":\"#/$defs/n99999\",\"$defs\":{\"n0\":true");
	for (int i = 1; i < 100000; i++)
		buf_addf(&t->schema, ",\"n%d\":{\"$ref\":\"#/$defs/n%d\"}", i,
		    i % 1000 == 1 ? i + 998 : i - 1);
	buf_add_str(&t->schema, "}}");
	buf_add_str(&t->value, "1");
}

static void
make_equal_ids(struct text *t)
{
	buf_add_str(&t->schema, "{\"$ref\":\"http://x.example/a#q\",\"$defs\":{\"n\":true");
	for (int i = 0; i < 30000; i++)
		buf_addf(&t->schema,
		    ",\"n%d\":{\"$id\":\"http://x.example/a\",\"$anchor\":\"q\",\"type\":\"null\"}",
		    i);
	buf_add_str(&t->schema, "}}");
	buf_add_str(&t->value, "1");
}

static void
make_dynamic_anchors(struct text *t)
{
	buf_add_str(&t->schema, "{\"$ref\":\"http://x.example/5\",\"$defs\":{\"n\":true");
	for (int i = 0; i < 20000; i++)
		buf_addf(&t->schema,
		    ",\"n%d\":{\"$id\":\"http://x.example/%d\",\"$dynamicAnchor\":\"q\","
		    "\"items\":{\"$dynamicRef\":\"#q\"},\"type\":\"array\"}",
		    i, i);
	buf_add_str(&t->schema, "}}");
	buf_add_str(&t->value, "[[[[[1]]]]]");
}

/* ---- what doubles ---- */

static void
make_doubling(struct text *t, const char *more, const char *inner)
{
	buf_addf(&t->schema, "{\"$ref\":\"#/$defs/n26\"%s,\"$defs\":{\"n0\":{\"required\":[\"z\"]}",
	    more);
	for (int i = 1; i <= 26; i++)
		buf_addf(&t->schema,
		    ",\"n%d\":{\"anyOf\":[{\"$ref\":\"#/$defs/n%d\"},{\"$ref\":\"#/$defs/"
		    "n%d\"}]%s}",
		    i, i - 1, i - 1, inner);
	buf_add_str(&t->schema, "}}");
}

static void
make_doubled(struct text *t)
{
	make_doubling(t, "", "");
	buf_add_str(&t->value, "{\"a\":1}");
}

static void
make_doubled_unevaluated(struct text *t)
{
	make_doubling(t, ",\"unevaluatedProperties\":false", "");
	buf_add_str(&t->value, "{\"a\":1}");
}

static void
make_unevaluated_doubled(struct text *t)
{
	make_doubling(t, "", ",\"unevaluatedProperties\":true");
	buf_add_str(&t->value, "{\"z\":1}");
}

static void
make_doubled_dynamic(struct text *t)
{
	buf_add_str(&t->schema,
	    "{\"$ref\":\"x:26\",\"$defs\":{"
	    "\"n0\":{\"$id\":\"x:0\",\"$dynamicAnchor\":\"a0\",\"type\":\"integer\"},"
	    "\"m0\":{\"$id\":\"y:0\",\"$dynamicAnchor\":\"a0\"}");
	for (int i = 1; i <= 26; i++)
		buf_addf(&t->schema,
		    ",\"n%d\":{\"$id\":\"x:%d\",\"$dynamicAnchor\":\"a%d\",\"anyOf\":["
		    "{\"$dynamicRef\":\"x:%d#a%d\"},{\"$dynamicRef\":\"x:%d#a%d\"}]},"
		    "\"m%d\":{\"$id\":\"y:%d\",\"$dynamicAnchor\":\"a%d\"}",
		    i, i, i, i - 1, i - 1, i - 1, i - 1, i, i, i);
	buf_add_str(&t->schema, "}}");
	buf_add_str(&t->value, "\"x\"");
}

static void
make_circle(struct text *t)
{
	buf_add_str(&t->schema,
	    "{\"$id\":\"x:a\",\"$dynamicAnchor\":\"q\",\"allOf\":[{\"$ref\":\"x:b\"}],"
	    "\"$defs\":{\"b\":{\"$id\":\"x:b\",\"$dynamicAnchor\":\"q\","
	    "\"anyOf\":[{\"$dynamicRef\":\"#q\"},{\"$dynamicRef\":\"#q\"}]}}}");
	buf_add_str(&t->value, "1");
}

/* ---- expensive items ---- */

static void
make_many_alternatives(struct text *t)
{
	buf_add_str(&t->schema, "{\"items\":{\"oneOf\":[{\"const\":0}");
	buf_add_str(&t->value, "[0");
	for (int i = 1; i < 10000; i++) {
		buf_addf(&t->schema, ",{\"const\":%d}", i);
		buf_addf(&t->value, ",%d", i);
	}
	buf_add_str(&t->schema, "]}}");
	buf_add_str(&t->value, "]");
}

static void
make_many_objects(struct text *t)
{
	buf_add_str(&t->schema, "{\"items\":{\"oneOf\":[{\"minimum\":0,\"maximum\":0}");
	buf_add_str(&t->value, "[0");
	for (int i = 1; i < 10000; i++) {
		buf_addf(&t->schema, ",{\"minimum\":%d,\"maximum\":%d}", i, i);
		buf_addf(&t->value, ",%d", i);
	}
	buf_add_str(&t->schema, "]}}");
	buf_add_str(&t->value, "]");
}

static void
make_dependents(struct text *t)
{
	buf_add_str(&t->schema, "{\"dependentRequired\":{\"\":[]");
	buf_add_str(&t->value, "{\"\":0");
	for (int i = 0; i < 20000; i++) {
		buf_addf(&t->schema, ",\"a%d\":[\"a%d\"]", i, (i + 1) % 20000);
		buf_addf(&t->value, ",\"a%d\":0", i);
	}
	buf_add_str(&t->schema, "}}");
	buf_add_str(&t->value, "}");
}

static void
make_many_patterns(struct text *t)
{
	buf_add_str(&t->schema, "{\"patternProperties\":{\"q\":true");
	for (int i = 0; i < 300; i++)
		buf_addf(&t->schema, ",\"(a|b|c){%d}x\":{\"type\":\"integer\"}", i + 1);
	buf_add_str(&t->schema, "}}");
	buf_add_str(&t->value, "{\"a\":1");
	for (int i = 0; i < 100000; i++)
		buf_addf(&t->value, ",\"abcabcabcabcp%d\":1", i);
	buf_add_str(&t->value, "}");
}

static void
make_long_division(struct text *t)
{
	buf_addf(&t->schema, "{\"items\":{\"multipleOf\":7%04000d}}", 1);
	buf_addf(&t->value, "[8%04000d", 1);
	for (int i = 0; i < 300; i++)
		buf_addf(&t->value, ",8%04000d", i);
	buf_add_str(&t->value, "]");
}

static void
make_huge_numbers(struct text *t)
{
	buf_add_str(&t->schema, "{\"items\":{\"multipleOf\":3,\"minimum\":-1e1000000,"
				"\"enum\":[3e1000000,9e200]}}");
	buf_add_str(&t->value, "[3e1000000,9");
	for (int i = 0; i < 200; i++)
		buf_add_str(&t->value, "0");
	buf_add_str(&t->value, "]");
}

static void
make_slow_pattern(struct text *t)
{
	buf_add_str(&t->schema, "{\"items\":{\"pattern\":\"(x*)x*\\\\1[yz]\"}}");
	buf_add_str(&t->value, "[\"");
	for (int i = 0; i < 20000; i++)
		buf_add_str(&t->value, "x");
	buf_add_str(&t->value, "\"]");
}

/* Each character may be in any of 20 000 places of the pattern. */
static void
make_wide_automaton(struct text *t)
{
	buf_add_str(&t->schema, "{\"pattern\":\"^((a?){100}){100}$\"}");
	buf_add_str(&t->value, "\"");
	for (int i = 0; i < 9000; i++)
		buf_add_str(&t->value, "a");
	buf_add_str(&t->value, "\"");
}

/* Together more than all automata of a schema may have. */
static void
make_large_automata(struct text *t)
{
	buf_add_str(&t->schema, "{\"allOf\":[");
	for (int i = 0; i < 3000; i++)
		buf_addf(
		    &t->schema, "%s{\"pattern\":\"^(?:[ab]{%d}|.*)*$\"}", i ? "," : "", 2000 + i);
	buf_add_str(&t->schema, "]}");
	buf_add_str(&t->value, "\"ababc\"");
}

/* Trying each branch would take 50 times as many steps as there are. */
static void
make_kinds(struct text *t)
{
	buf_add_str(&t->schema, "{\"items\":{\"oneOf\":[");
	for (int i = 0; i < 1000; i++)
		buf_addf(&t->schema,
		    "%s{\"type\":\"object\",\"properties\":{\"type\":{\"const\":\"kind%d\"},"
		    "\"id\":{\"type\":\"integer\"}},\"required\":[\"type\"]}",
		    i ? "," : "", i);
	buf_add_str(&t->schema, "]}}");
	for (int i = 0; i < 100000; i++)
		buf_addf(
		    &t->value, "%s{\"id\":%d,\"type\":\"kind%d\"}", i ? "," : "[", i, i * 7 % 1000);
	buf_add_str(&t->value, "]");
}

/* ---- what looks at the same children, level after level ---- */

static void
make_looked_into_twice(struct text *t)
{
	buf_add_str(&t->schema, "{\"items\":{\"$ref\":\"#\"},\"contains\":{\"$ref\":\"#\"}}");
	add_repeated(&t->value, "[", 30);
	buf_add_str(&t->value, "1");
	add_repeated(&t->value, "]", 30);
}

static void
make_wide_twice(struct text *t)
{
	buf_add_str(&t->schema, "{\"items\":{\"$ref\":\"#\"},\"contains\":{\"$ref\":\"#\"}}");
	for (int i = 0; i < 30; i++) {
		buf_add_str(&t->value, "[");
		add_repeated(&t->value, "1,", 1000);
	}
	buf_add_str(&t->value, "1");
	add_repeated(&t->value, "]", 30);
}

static void
make_members_looked_at(struct text *t)
{
	buf_add_str(&t->schema, "{\"type\":\"object\",\"properties\":{\"a\":{\"$ref\":\"#\"}},"
				"\"patternProperties\":{\"^a\":{\"$ref\":\"#\"},"
				"\"a\":{\"$ref\":\"#\"},\"a$\":{\"$ref\":\"#\"},"
				"\".\":{\"$ref\":\"#\"}}}");
	add_repeated(&t->value, "{\"a\":", 30);
	buf_add_str(&t->value, "1");
	add_repeated(&t->value, "}", 30);
}

/* ---- cheap checks of a long text, number or list, thousands of times ---- */

/* Repeat the same keyword for one value; %d in part is a number. */
static void
add_all_of(struct buf *schema, const char *part, int times)
{
	buf_add_str(schema, "{\"allOf\":[true");
	for (int i = 1; i <= times; i++) {
		buf_add_str(schema, ",");
		const char *number = strstr(part, "%d");
		buf_add(schema, part, number ? (size_t)(number - part) : strlen(part));
		if (number)
			buf_addf(schema, "%d%s", i, number + 2);
	}
	buf_add_str(schema, "]}");
}

static void
ask_of_text(struct text *t, const char *part)
{
	add_all_of(&t->schema, part, 5000);
	buf_add_str(&t->value, "\"");
	add_repeated(&t->value, "aaaaaaaaaa", 80000);
	buf_add_str(&t->value, "\"");
}

static void
make_lengths(struct text *t)
{
	ask_of_text(t, "{\"minLength\":400000,\"maxLength\":80000%d}");
}

static void
make_simple_patterns(struct text *t)
{
	ask_of_text(t, "{\"pattern\":\"^[a-z]*$\"}");
}

static void
make_unanchored_patterns(struct text *t)
{
	ask_of_text(t, "{\"not\":{\"pattern\":\"aab%d\"}}");
}

static void
make_compiled_patterns(struct text *t)
{
	ask_of_text(t, "{\"pattern\":\"^(?:a+b?)*$\"}");
}

static void
make_formats(struct text *t)
{
	ask_of_text(t, "{\"format\":\"uri-reference\"}");
}

static void
make_constants(struct text *t)
{
	buf_add_str(&t->schema, "{\"items\":{\"not\":{\"enum\":[0");
	for (int i = 0; i < 8; i++) {
		buf_add_str(&t->schema, ",[");
		add_repeated(&t->schema, "0,", 20000);
		buf_addf(&t->schema, "%d]", i + 10);
	}
	buf_add_str(&t->schema, "]}}}");
	buf_add_str(&t->value, "[1");
	for (int i = 0; i < 300; i++) {
		buf_add_str(&t->value, ",[");
		add_repeated(&t->value, "0,", 20000);
		buf_add_str(&t->value, "2]");
	}
	buf_add_str(&t->value, "]");
}

static void
make_integers(struct text *t)
{
	add_all_of(&t->schema, "{\"type\":\"integer\",\"minimum\":%d}", 5000);
	buf_add_str(&t->value, "9");
	add_repeated(&t->value, "0123456789", 30000);
}

static void
make_unique_texts(struct text *t)
{
	add_all_of(&t->schema, "{\"uniqueItems\":true}", 1000);
	buf_add_str(&t->value, "[");
	for (int i = 0; i < 12; i++) {
		buf_addf(&t->value, "%s\"%d", i ? "," : "", i);
		add_repeated(&t->value, "aaaaaaaaaa", 80000);
		buf_add_str(&t->value, "\"");
	}
	buf_add_str(&t->value, "]");
}

static const struct {
	const char *what;
	void (*make)(struct text *t);
	enum schema_outcome outcome;
} CASES[] = {
	{ "100 000 properties", make_many_properties, SCHEMA_VALID },
	{ "an enum of 100 000", make_long_enum, SCHEMA_VALID },
	{ "100 000 unique rows but one", make_unique_rows, SCHEMA_INVALID },
	{ "a chain of 100 000 references", make_long_chain, SCHEMA_INVALID },
	{ "circles of 100 000 references", make_reference_circles, SCHEMA_UNDECIDED },
	{ "30 lists that two keywords look into", make_looked_into_twice, SCHEMA_VALID },
	{ "30 objects that five keywords look into", make_members_looked_at, SCHEMA_INVALID },
	{ "30 lists of many that two keywords look into", make_wide_twice, SCHEMA_VALID },
	{ "30 000 equal ids", make_equal_ids, SCHEMA_INVALID },
	{ "20 000 dynamic anchors", make_dynamic_anchors, SCHEMA_INVALID },
	{ "26 doubled anyOf", make_doubled, SCHEMA_INVALID },
	{ "26 doubled anyOf under unevaluatedProperties", make_doubled_unevaluated,
	    SCHEMA_INVALID },
	{ "26 doubled anyOf with unevaluatedProperties", make_unevaluated_doubled, SCHEMA_VALID },
	{ "26 doubled dynamic references", make_doubled_dynamic, SCHEMA_INVALID },
	{ "a circle of dynamic references", make_circle, SCHEMA_UNDECIDED },
	{ "10 000 alternatives", make_many_alternatives, SCHEMA_VALID },
	{ "10 000 alternatives of no kind", make_many_objects, SCHEMA_UNDECIDED },
	{ "20 000 names that depend on another", make_dependents, SCHEMA_VALID },
	{ "300 patterns for 100 000 names", make_many_patterns, SCHEMA_UNDECIDED },
	{ "long division", make_long_division, SCHEMA_INVALID },
	{ "huge numbers", make_huge_numbers, SCHEMA_VALID },
	{ "1 000 kinds of objects, 100 000 of them", make_kinds, SCHEMA_VALID },
	{ "a slow pattern", make_slow_pattern, SCHEMA_UNDECIDED },
	{ "a wide automaton", make_wide_automaton, SCHEMA_UNDECIDED },
	{ "3 000 large automata", make_large_automata, SCHEMA_VALID },
	{ "5 000 lengths of a long text", make_lengths, SCHEMA_UNDECIDED },
	{ "5 000 simple patterns for a long text", make_simple_patterns, SCHEMA_UNDECIDED },
	{ "5 000 words looked for in a long text", make_unanchored_patterns, SCHEMA_UNDECIDED },
	{ "5 000 patterns for a long text", make_compiled_patterns, SCHEMA_UNDECIDED },
	{ "5 000 formats of a long text", make_formats, SCHEMA_UNDECIDED },
	{ "long lists beside long constants", make_constants, SCHEMA_UNDECIDED },
	{ "5 000 bounds of a long number", make_integers, SCHEMA_UNDECIDED },
	{ "1 000 times unique long texts", make_unique_texts, SCHEMA_UNDECIDED },
};

/* Told by the same variable as all deadlines of tests (milliseconds): valgrind needs more. */
static double
max_seconds(void)
{
	const char *deadline = getenv("MCPANE_TEST_DEADLINE_MS");
	double seconds = deadline ? strtod(deadline, NULL) / 1000 : 0;

	return seconds > MAX_SECONDS ? seconds : MAX_SECONDS;
}

/* Frees the text. */
static void
assert_outcome(struct text *t, const char *what, enum schema_outcome outcome)
{
	struct json_doc *text = json_parse(buf_text(&t->schema), t->schema.len, NULL, NULL);
	struct json_doc *value = json_parse(buf_text(&t->value), t->value.len, NULL, NULL);
	struct schema_problem problem;
	if (!text || !value)
		fail_msg("%s: not JSON", what);
	clock_t start = clock();
	struct schema *schema = schema_compile(json_root(text), NULL, &problem);
	if (!schema)
		fail_msg("%s: %s: %s", what, problem.pointer, problem.text);
	struct report *report = schema_check(schema, json_root(value), NULL);
	double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
	if (report_facts(report)->outcome != outcome)
		fail_msg("%s: outcome %d", what, (int)report_facts(report)->outcome);
	if (report_facts(report)->outcome == SCHEMA_UNDECIDED)
		assert_true(report_facts(report)->unchecked_count > 0);
	if (seconds > max_seconds())
		fail_msg("%s: took %.1f s", what, seconds);
	report_destroy(report);
	schema_destroy(schema);
	json_doc_destroy(value);
	json_doc_destroy(text);
	buf_finish(&t->schema);
	buf_finish(&t->value);
}

static void
test_each_comes_to_an_end(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
		struct text t = { 0 };
		CASES[i].make(&t);
		assert_outcome(&t, CASES[i].what, CASES[i].outcome);
	}
}

/* Keywords of one schema that look at the same member. Each level would double the work, which the
 * budget of steps ends long before 60 levels: the outcome would be undecided. */
static void
test_members_looked_at_twice(void **state)
{
#define N "{\"$ref\":\"#/$defs/n\"}"
	static const char *const schemas[] = {
		"\"properties\":{\"a\":" N "},\"patternProperties\":{\"^a\":" N "}",
		"\"patternProperties\":{\"^a\":" N ",\"a$\":" N "}",
		"\"patternProperties\":{\"^a\":{\"allOf\":[" N "]}},\"properties\":{\"a\":" N "}",
		"\"properties\":{\"a\":" N "},\"dependentSchemas\":{\"a\":{\"properties\":{\"a\":" N
		"}}}",
		"\"properties\":{\"a\":" N "},\"dependencies\":{\"a\":{\"properties\":{\"a\":" N
		"}}}",
		"\"properties\":{\"a\":" N "},\"allOf\":[{\"properties\":{\"a\":" N "}}]",
		"\"patternProperties\":{\"^a\":" N "},\"allOf\":[{\"additionalProperties\":" N "}]",
		"\"properties\":{\"a\":" N
		"},\"if\":{\"required\":[\"a\"]},\"then\":{\"properties\":"
		"{\"a\":" N "}}",
		"\"properties\":{\"a\":" N "},\"anyOf\":[{\"patternProperties\":{\"^a\":" N
		"}}],\"unevaluatedProperties\":false",
		"\"properties\":{\"a\":" N "},\"not\":{\"not\":{\"properties\":{\"a\":" N "}}}",
	};
#undef N
	enum { LEVELS = 60 };

	for (size_t i = 0; i < 2 * ARRAY_LEN(schemas); i++) {
		struct text t = { 0 };
		bool valid = i % 2;
		buf_addf(&t.schema,
		    "{\"$ref\":\"#/$defs/"
		    "n\",\"$defs\":{\"n\":{\"type\":[\"object\",\"null\"],%s}}}",
		    schemas[i / 2]);
		add_repeated(&t.value, "{\"a\":", LEVELS);
		buf_add_str(&t.value, valid ? "null" : "1");
		add_repeated(&t.value, "}", LEVELS);
		assert_outcome(&t, schemas[i / 2], valid ? SCHEMA_VALID : SCHEMA_INVALID);
	}
}

/* References that cannot be skipped, because each has sibling keywords. */
static void
expect_undecided(int links, int last, const char *said)
{
	struct buf text = BUF_INIT;

	buf_addf(&text, "{\"$ref\":\"#/$defs/n%d\",\"$defs\":{\"n0\":%s", links,
	    last ? "{\"$ref\":\"#\"}" : "{}");
	for (int i = 1; i <= links; i++)
		buf_addf(&text, ",\"n%d\":{\"$ref\":\"#/$defs/n%d\",\"minimum\":0}", i, i - 1);
	buf_add_str(&text, "}}");
	struct json_doc *doc = json_parse(buf_text(&text), text.len, NULL, NULL);
	struct json_doc *value = json_parse("1", 1, NULL, NULL);
	struct schema *schema = schema_compile(json_root(doc), NULL, NULL);
	struct report *report = schema_check(schema, json_root(value), NULL);
	assert_int_equal(report_facts(report)->unchecked_count, said != NULL);
	if (said)
		assert_string_equal(report_facts(report)->unchecked[0], said);
	report_destroy(report);
	schema_destroy(schema);
	json_doc_destroy(value);
	json_doc_destroy(doc);
	buf_finish(&text);
}

static void
test_a_long_chain_is_not_a_circle(void **state)
{
	expect_undecided(900, 0, NULL);
	expect_undecided(2000, 0, "$ref (more than 1000 in a row)");
	expect_undecided(3, 1, "$ref (leads back to itself)");
	expect_undecided(400, 1, "$ref (leads back to itself)");
}

TEST_FILE(schema_bounds)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_comes_to_an_end),
		cmocka_unit_test(test_members_looked_at_twice),
		cmocka_unit_test(test_a_long_chain_is_not_a_circle),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

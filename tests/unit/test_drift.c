/* SPDX-License-Identifier: MIT */
/* Two definitions, and what their change means. */
#include "base/vec.h"
#include "data/drift.h"
#include "data/snapshot.h"
#include "schema/schema.h"
#include "test.h"

#include <string.h>

static struct json_doc *
parse(const char *text)
{
	struct json_doc *doc = json_parse(text, strlen(text), NULL, NULL);

	assert_non_null(doc);
	return doc;
}

typedef void add_fn(struct drift *d, const cJSON *a, const cJSON *b);

/* Each line is the class's first letter and the text. */
static void
expect_of(add_fn *add, const char *a, const char *b, const char *lines)
{
	struct json_doc *x = parse(a), *y = parse(b);
	struct drift d = { 0 };
	struct buf out = BUF_INIT;

	add(&d, json_root(x), json_root(y));
	for (size_t i = 0; i < d.len; i++)
		buf_addf(&out, "%s%c %s", i ? "|" : "", drift_class_names[d.items[i].class][0],
		    d.items[i].text);
	assert_string_equal(buf_text(&out), lines);
	buf_finish(&out);
	drift_finish(&d);
	json_doc_destroy(x);
	json_doc_destroy(y);
}

/* Two schemas as the input of a tool, and as its output. */
static void
expect(const char *a, const char *b, const char *as_input, const char *as_output)
{
	struct buf x = BUF_INIT, y = BUF_INIT;

	buf_addf(&x, "{\"name\":\"t\",\"inputSchema\":%s}", a);
	buf_addf(&y, "{\"name\":\"t\",\"inputSchema\":%s}", b);
	expect_of(drift_add_tool, buf_text(&x), buf_text(&y), as_input);
	buf_clear(&x);
	buf_clear(&y);
	buf_addf(&x, "{\"name\":\"t\",\"outputSchema\":%s}", a);
	buf_addf(&y, "{\"name\":\"t\",\"outputSchema\":%s}", b);
	expect_of(drift_add_tool, buf_text(&x), buf_text(&y), as_output);
	buf_finish(&x);
	buf_finish(&y);
}

static void
test_a_change_in_words(void **state)
{
	struct json_doc *a = parse("{\"name\":\"t\",\"inputSchema\":{\"properties\":{\"role\":{"
				   "\"enum\":[\"admin\",\"viewer\"]},"
				   "\"limit\":{\"maximum\":500}}}}");
	struct json_doc *b = parse(
	    "{\"name\":\"t\",\"inputSchema\":{\"properties\":{\"role\":{\"enum\":[\"admin\"]},"
	    "\"limit\":{\"maximum\":100}}}}");
	struct drift d = { 0 };
	struct buf out = BUF_INIT;

	drift_add_tool(&d, json_root(a), json_root(b));
	drift_add_line(&d, &out);
	assert_string_equal(buf_text(&out),
	    "role: enum lost \"viewer\"; limit: maximum 500 → 100; breaking for callers: yes");
	buf_clear(&out);
	drift_add_text(&d, &out);
	assert_string_equal(buf_text(&out), "tool t\n  breaking       role: enum lost \"viewer\"\n"
					    "  breaking       limit: maximum 500 → 100\n");
	buf_clear(&out);
	drift_add_counts(&d, &out);
	assert_string_equal(buf_text(&out), "2 breaking changes");
	buf_finish(&out);
	drift_finish(&d);
	json_doc_destroy(a);
	json_doc_destroy(b);
}

static void
test_narrowing_breaks_input_and_widening_output(void **state)
{
	expect("{\"enum\":[1,2]}", "{\"enum\":[1]}", "b enum lost 2", "i output: enum lost 2");
	expect("{\"enum\":[1]}", "{\"enum\":[1,2]}", "i enum gained 2", "b output: enum gained 2");
	expect("{}", "{\"enum\":[1]}", "b enum is new: [1]", "i output: enum is new: [1]");
	expect("{\"minimum\":1}", "{\"minimum\":2}", "b minimum 1 → 2", "i output: minimum 1 → 2");
	expect("{\"minimum\":1}", "{\"minimum\":1.0}", "", "");
	expect("{\"maxLength\":9}", "{}", "i maxLength went, was 9",
	    "b output: maxLength went, was 9");
	expect("{\"type\":\"string\"}", "{\"type\":[\"string\",\"null\"]}",
	    "i type \"string\" → [\"string\", \"null\"]",
	    "b output: type \"string\" → [\"string\", \"null\"]");
	expect("{\"type\":\"number\"}", "{\"type\":\"integer\"}", "b type \"number\" → \"integer\"",
	    "i output: type \"number\" → \"integer\"");
	expect("{\"type\":\"string\"}", "{\"type\":\"integer\"}", "b type \"string\" → \"integer\"",
	    "b output: type \"string\" → \"integer\"");
	expect("{\"required\":[\"a\"]}", "{\"required\":[\"a\",\"b\"]}", "b required gained \"b\"",
	    "i output: required gained \"b\"");
	expect("{\"uniqueItems\":true}", "{\"uniqueItems\":false}", "i uniqueItems true → false",
	    "b output: uniqueItems true → false");
	expect("{\"pattern\":\"a\"}", "{\"pattern\":\"b\"}", "b pattern \"a\" → \"b\"",
	    "b output: pattern \"a\" → \"b\"");
	expect("{\"anyOf\":[{\"type\":\"null\"},{\"type\":\"string\"}]}",
	    "{\"anyOf\":[{\"type\":\"string\"}]}", "b anyOf lost null",
	    "i output: anyOf lost null");
	expect("{\"allOf\":[]}", "{\"allOf\":[{\"type\":\"string\"}]}", "b allOf gained string",
	    "i output: allOf gained string");
	expect("{}", "{\"additionalProperties\":false}",
	    "b additionalProperties: is no longer allowed",
	    "i output additionalProperties: is no longer allowed");
}

static void
test_properties(void **state)
{
	expect("{\"properties\":{\"a\":{\"type\":\"string\"}}}", "{\"properties\":{}}",
	    "b lost a (string)", "b output: lost a (string)");
	expect("{\"properties\":{}}", "{\"properties\":{\"a\":{\"type\":\"string\"}}}",
	    "i gained a (string)", "i output: gained a (string)");
	expect("{\"properties\":{\"a\":{\"items\":{\"properties\":{\"b\":{\"maximum\":2}}}}}}",
	    "{\"properties\":{\"a\":{\"items\":{\"properties\":{\"b\":{\"maximum\":1}}}}}}",
	    "b a[].b: maximum 2 → 1", "i output.a[].b: maximum 2 → 1");
	expect("{\"properties\":{\"a\":{\"description\":\"old\",\"default\":1}}}",
	    "{\"properties\":{\"a\":{\"description\":\"new\",\"default\":2}}}",
	    "r a: description \"old\" → \"new\"|i a: default 1 → 2",
	    "r output.a: description \"old\" → \"new\"|i output.a: default 1 → 2");
}

static void
test_references(void **state)
{
	/* Replacing a reference by its target changes nothing. */
	expect("{\"properties\":{\"a\":{\"$ref\":\"#/$defs/"
	       "x\"}},\"$defs\":{\"x\":{\"type\":\"string\"}}}",
	    "{\"properties\":{\"a\":{\"type\":\"string\"}},\"$defs\":{\"x\":{\"type\":\"string\"}}"
	    "}",
	    "", "");
	expect("{\"$defs\":{\"x\":{\"maximum\":2}}}", "{\"$defs\":{\"x\":{\"maximum\":1}}}",
	    "b $defs.x: maximum 2 → 1", "i output $defs.x: maximum 2 → 1");
	/* Around in a circle. */
	/* Keywords next to a reference restrict, too. */
	expect("{\"properties\":{\"a\":{\"$ref\":\"#/$defs/X\",\"minLength\":1}},"
	       "\"$defs\":{\"X\":{\"type\":\"string\"}}}",
	    "{\"properties\":{\"a\":{\"$ref\":\"#/$defs/Y\",\"minLength\":9}},"
	    "\"$defs\":{\"Y\":{\"type\":\"string\"}}}",
	    "b a: $ref \"#/$defs/X\" → \"#/$defs/Y\"|b a: minLength 1 → 9",
	    "b output.a: $ref \"#/$defs/X\" → \"#/$defs/Y\"|i output.a: minLength 1 → 9");
	expect("{\"properties\":{\"a\":{\"$ref\":\"#\"}}}",
	    "{\"properties\":{\"a\":{\"$ref\":\"#/properties/a\"}}}",
	    "b a: $ref is new: \"#/properties/a\"|b a: lost a (any type)",
	    "i output.a: $ref is new: \"#/properties/a\"|b output.a: lost a (any type)");
}

static void
test_other_members_of_a_tool(void **state)
{
	expect_of(drift_add_tool,
	    "{\"name\":\"t\",\"description\":\"a\",\"annotations\":{\"readOnlyHint\":true},"
	    "\"icons\":[]}",
	    "{\"name\":\"t\",\"description\":\"b\",\"annotations\":{}}",
	    "r description \"a\" → \"b\"|r readOnlyHint went, was true|i icons went, was []");
	expect_of(drift_add_tool, "{\"name\":\"t\",\"outputSchema\":{}}", "{\"name\":\"t\"}",
	    "b outputSchema went, was {}");
	expect_of(drift_add_tool, "{\"name\":\"t\"}", "{\"name\":\"t\",\"outputSchema\":{}}",
	    "i outputSchema is new: {}");
	/* A name with a newline cannot forge a line. */
	expect_of(drift_add_tool, "{\"name\":\"t\"}", "{\"name\":\"t\",\"a\\n  breaking x\":1}",
	    "i a   breaking x is new: 1");
}

static void
test_servers(void **state)
{
	expect_of(drift_add_server,
	    "{\"snapshot\":1,\"server\":{\"version\":\"1\",\"capabilities\":{\"tools\":{},"
	    "\"logging\":{}}},"
	    "\"tools\":[{\"name\":\"a\"},{\"name\":\"b\"}],"
	    "\"prompts\":[{\"name\":\"p\",\"arguments\":[{\"name\":\"x\"},{\"name\":\"z\"}]}],"
	    "\"resources\":[{\"uri\":\"u\",\"name\":\"n\"}]}",
	    "{\"snapshot\":1,\"server\":{\"version\":\"2\",\"capabilities\":{\"tools\":{}},"
	    "\"instructions\":\"i\"},\"tools\":[{\"name\":\"b\"},{\"name\":\"c\"}],"
	    "\"prompts\":[{\"name\":\"p\",\"arguments\":[{\"name\":\"x\",\"required\":true},"
	    "{\"name\":\"y\"}]}],\"resources\":[{\"uri\":\"u\",\"name\":\"m\"}]}",
	    "i version \"1\" → \"2\"|b capabilities: logging went, was {}|r instructions is new: "
	    "\"i\"|"
	    "r is new|b is no longer listed|b x is required now|i gained y|b lost z|"
	    "r name \"n\" → \"m\"");
}

static void
test_snapshots_are_in_order(void **state)
{
	static const char a[] = "{\"tools\":[{\"name\":\"b\",\"x\":[2,1]},{\"name\":\"a\"}],"
				"\"snapshot\":1,\"server\":{\"version\":\"1\",\"name\":\"s\"}}";
	static const char b[] = "{\"server\":{\"name\":\"s\",\"version\":\"1\"},\"snapshot\":1,"
				"\"tools\":[{\"name\":\"a\"},{\"x\":[2,1],\"name\":\"b\"}]}";
	struct json_doc *docs[2] = { parse(a), parse(b) };
	struct buf texts[2] = { BUF_INIT, BUF_INIT };

	for (int i = 0; i < 2; i++) {
		assert_true(snapshot_is(json_root(docs[i])));
		snapshot_print(&texts[i], json_root(docs[i]));
	}
	assert_string_equal(buf_text(&texts[0]), buf_text(&texts[1]));
	assert_string_equal(buf_text(&texts[0]),
	    "{\n  \"server\": {\n    \"name\": \"s\",\n    \"version\": \"1\"\n  },\n"
	    "  \"snapshot\": 1,\n  \"tools\": [\n    {\n      \"name\": \"a\"\n    },\n"
	    "    {\n      \"name\": \"b\",\n      \"x\": [\n        2,\n        1\n      ]\n    }\n"
	    "  ]\n}\n");
	for (int i = 0; i < 2; i++) {
		buf_finish(&texts[i]);
		json_doc_destroy(docs[i]);
	}
}

/* A number of any size, and values that are nested so deeply that indentation is nearly all. */
static void
test_hostile_snapshots(void **state)
{
	struct buf deep = BUF_INIT, text = { .max = 4096 };

	for (int i = 0; i < 900; i++)
		buf_add_char(&deep, '[');
	buf_add_str(&deep, "1");
	for (int i = 0; i < 900; i++)
		buf_add_char(&deep, ']');
	struct json_doc *doc = parse(buf_text(&deep));
	snapshot_print(&text, json_root(doc));
	assert_true(text.overflowed);
	assert_true(text.len <= 4096);
	json_doc_destroy(doc);
	doc = parse("{\"snapshot\":1e300,\"server\":{}}");
	assert_false(snapshot_is(json_root(doc)));
	json_doc_destroy(doc);
	doc = parse("{\"snapshot\":-1,\"server\":{}}");
	assert_false(snapshot_is(json_root(doc)));
	json_doc_destroy(doc);
	buf_finish(&deep);
	buf_finish(&text);
}

/* Each definition leads to two more by other names: looked at once each way it would be 2^40. */
static void
test_references_that_multiply_are_cut(void **state)
{
	struct buf texts[2] = { BUF_INIT, BUF_INIT };
	struct json_doc *docs[2];
	struct drift d = { 0 };

	for (int side = 0; side < 2; side++) {
		buf_addf(&texts[side],
		    "{\"name\":\"t\",\"inputSchema\":{\"$ref\":\"#/$defs/%c0\",\"$defs\":{",
		    'a' + side);
		for (int i = 0; i < 40; i++)
			buf_addf(&texts[side],
			    "\"%c%d\":{\"items\":{\"$ref\":\"#/$defs/%c%d\"},\"contains\":{},"
			    "\"propertyNames\":{\"$ref\":\"#/$defs/%c%d\"}},",
			    'a' + side, i, 'a' + side, i + 1, 'a' + side, i + 1);
		buf_addf(&texts[side], "\"%c40\":{\"maximum\":%d}}}}", 'a' + side, side);
		docs[side] = parse(buf_text(&texts[side]));
	}
	drift_add_tool(&d, json_root(docs[0]), json_root(docs[1]));
	assert_true(d.counts[DRIFT_BREAKING] > 0);
	assert_non_null(strstr(d.items[d.len - 1].text, "too large or too deep"));
	drift_finish(&d);
	for (int side = 0; side < 2; side++) {
		buf_finish(&texts[side]);
		json_doc_destroy(docs[side]);
	}
}

/* A schema that loses values in many places is still reported. */
static void
test_a_long_enum_is_looked_at_whole(void **state)
{
	struct buf texts[2] = { BUF_INIT, BUF_INIT };

	for (int side = 0; side < 2; side++) {
		buf_add_str(&texts[side], "{\"enum\":[0");
		for (int i = 1; i < 1500 - side; i++)
			buf_addf(&texts[side], ",%d", i);
		buf_add_str(&texts[side], "]}");
	}
	expect(buf_text(&texts[0]), buf_text(&texts[1]), "b enum lost 1499",
	    "i output: enum lost 1499");
	buf_finish(&texts[0]);
	buf_finish(&texts[1]);
}

static void
drift_of_tools(struct drift *d, struct buf texts[2])
{
	struct json_doc *a = parse(buf_text(&texts[0])), *b = parse(buf_text(&texts[1]));

	drift_add_tool(d, json_root(a), json_root(b));
	json_doc_destroy(a);
	json_doc_destroy(b);
	buf_finish(&texts[0]);
	buf_finish(&texts[1]);
}

static void
test_changes_behind_a_deep_schema_are_bounded(void **state)
{
	struct buf texts[2] = { BUF_INIT, BUF_INIT };
	struct drift d = { 0 };

	for (int side = 0; side < 2; side++) {
		buf_add_str(&texts[side], "{\"name\":\"t\",\"inputSchema\":{\"not\":{}");
		for (int i = 0; i < 150; i++)
			buf_add_str(&texts[side], ",\"items\":{\"type\":\"array\"");
		buf_addf(&texts[side], ",\"maximum\":%d", side);
		for (int i = 0; i < 150; i++)
			buf_add_char(&texts[side], '}');
		for (int i = 0; i < 3 * DRIFT_MAX; i++)
			buf_addf(&texts[side], ",\"x%d\":%d", i, side);
		buf_add_str(&texts[side], "}}");
	}
	drift_of_tools(&d, texts);
	assert_int_equal(drift_count(&d), 3 * DRIFT_MAX + 1);
	assert_int_equal(d.len, DRIFT_MAX + 1);
	assert_non_null(strstr(d.items[d.len - 1].text, "too large or too deep"));
	drift_finish(&d);
}

/* Dropped changes are counted: other changes cannot hide a breaking one. */
static void
test_changes_that_are_not_kept(void **state)
{
	struct buf texts[2] = { BUF_INIT, BUF_INIT };
	struct drift d = { 0 };

	for (int side = 0; side < 2; side++) {
		buf_add_str(&texts[side], "{\"tools\":[{\"name\":\"first\"}");
		for (int i = 0; i < 2 * DRIFT_MAX; i++)
			buf_addf(&texts[side], ",{\"name\":\"t%d\",\"title\":\"%d\"}", i, side);
		buf_add_str(&texts[side], side == 0 ? ",{\"name\":\"gone\"}]}" : "]}");
	}
	struct json_doc *a = parse(buf_text(&texts[0])), *b = parse(buf_text(&texts[1]));
	drift_add_server(&d, json_root(a), json_root(b));
	assert_int_equal(d.counts[DRIFT_ROUTING], 2 * DRIFT_MAX);
	assert_int_equal(d.counts[DRIFT_BREAKING], 1);
	assert_int_equal(d.len, DRIFT_MAX);
	drift_finish(&d);
	json_doc_destroy(a);
	json_doc_destroy(b);
	buf_finish(&texts[0]);
	buf_finish(&texts[1]);
}

/* Each reference costs as much as the schema it names. */
static void
test_references_to_a_large_schema_are_cut(void **state)
{
	struct buf texts[2] = { BUF_INIT, BUF_INIT };
	struct drift d = { 0 };

	for (int side = 0; side < 2; side++) {
		buf_add_str(&texts[side], "{\"name\":\"t\",\"inputSchema\":{\"properties\":{");
		for (int i = 0; i < 1500; i++)
			buf_addf(&texts[side], "%s\"p%d\":{\"$ref\":\"#/$defs/%c\"}", i ? "," : "",
			    i, 'a' + side);
		buf_addf(&texts[side], "},\"$defs\":{\"%c\":{\"enum\":[0", 'a' + side);
		for (int i = 0; i < 20000; i++)
			buf_addf(&texts[side], ",%d", i);
		buf_add_str(&texts[side], "]}}}}");
	}
	drift_of_tools(&d, texts);
	assert_int_equal(d.len, 1);
	assert_non_null(strstr(d.items[0].text, "too large or too deep"));
	drift_finish(&d);
}

/* ---- the effect of a change in both directions ---- */

enum change {
	WIDER, /* b allows all that a does, and more */
	SAME,
	DOUBT, /* neither, or unknown: breaking for every reader */
};

static const struct change_row {
	const char *a, *b;
	enum change change;
} changes[] = {
	/* alternatives instead of a type, as schema generators write them */
	{ "{\"type\":\"string\"}", "{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"null\"}]}",
	    WIDER },
	{ "{\"type\":\"string\"}", "{\"oneOf\":[{\"type\":\"string\"},{\"type\":\"null\"}]}",
	    WIDER },
	{ "{\"type\":\"string\",\"title\":\"T\"}",
	    "{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"null\"}],\"default\":null,\"title\":"
	    "\"T\"}",
	    WIDER },
	{ "{\"type\":\"string\",\"maxLength\":3}",
	    "{\"anyOf\":[{\"type\":\"null\"},{\"type\":\"string\",\"maxLength\":3}]}", WIDER },
	{ "{\"type\":\"string\",\"maxLength\":3}",
	    "{\"anyOf\":[{\"type\":\"null\"},{\"type\":\"string\",\"maxLength\":4}]}", WIDER },
	{ "{\"type\":\"string\",\"maxLength\":3}",
	    "{\"anyOf\":[{\"type\":\"null\"},{\"type\":\"string\",\"maxLength\":2}]}", DOUBT },
	{ "{\"type\":[\"string\",\"null\"]}",
	    "{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"null\"}]}", SAME },
	{ "{\"type\":[\"string\",\"null\"]}",
	    "{\"oneOf\":[{\"type\":\"string\"},{\"type\":\"null\"}]}", SAME },
	{ "{\"type\":[\"string\",\"null\"]}",
	    "{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"null\"},{\"type\":\"array\"}]}", WIDER },
	{ "{\"type\":\"integer\"}", "{\"anyOf\":[{\"type\":\"number\"},{\"type\":\"null\"}]}",
	    WIDER },
	{ "{\"type\":\"number\"}", "{\"anyOf\":[{\"type\":\"integer\"},{\"type\":\"null\"}]}",
	    DOUBT },
	{ "{\"type\":\"integer\"}", "{\"oneOf\":[{\"type\":\"number\"},{\"type\":\"integer\"}]}",
	    DOUBT },
	{ "{\"type\":\"string\"}", "{\"oneOf\":[{\"type\":\"string\"},{\"maxLength\":2}]}", DOUBT },
	{ "{\"type\":\"string\"}", "{\"anyOf\":[{\"type\":\"integer\"},{\"type\":\"null\"}]}",
	    DOUBT },
	{ "{\"type\":\"string\"}",
	    "{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"null\"}],\"maxLength\":2}", DOUBT },
	{ "{\"anyOf\":[{\"type\":\"string\",\"maxLength\":1},{\"type\":\"string\",\"pattern\":"
	  "\"a\"}]}",
	    "{\"type\":\"string\"}", WIDER },
	{ "{\"anyOf\":[{\"const\":\"a\"},{\"const\":\"b\"}]}", "{\"enum\":[\"a\",\"b\",\"c\"]}",
	    WIDER },
	{ "{\"$ref\":\"#/$defs/s\",\"$defs\":{\"s\":{\"type\":\"string\"}}}",
	    "{\"anyOf\":[{\"$ref\":\"#/$defs/"
	    "s\"},{\"type\":\"null\"}],\"$defs\":{\"s\":{\"type\":\"string\"}}}",
	    WIDER },
	{ "{\"$ref\":\"#/$defs/s\",\"$defs\":{\"s\":{\"type\":\"string\"}}}",
	    "{\"oneOf\":[{\"$ref\":\"#/$defs/"
	    "s\"},{\"type\":\"null\"}],\"$defs\":{\"s\":{\"type\":\"string\"}}}",
	    WIDER },
	{ "{\"$ref\":\"#/$defs/s\",\"$defs\":{\"s\":{\"type\":\"string\"}}}",
	    "{\"anyOf\":[{\"$ref\":\"#/$defs/"
	    "s\"},{\"type\":\"null\"}],\"$defs\":{\"s\":{\"type\":\"integer\"}}}",
	    DOUBT },
	{ "{\"type\":\"object\",\"required\":[\"a\"]}",
	    "{\"anyOf\":[{\"type\":\"object\"},{\"type\":\"null\"}]}", WIDER },
	{ "{\"type\":\"object\"}",
	    "{\"anyOf\":[{\"type\":\"object\",\"required\":[\"a\"]},{\"type\":\"null\"}]}", DOUBT },
	{ "{\"type\":\"object\"}",
	    "{\"anyOf\":[{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"}}},{"
	    "\"type\":\"null\"}]}",
	    DOUBT },
	{ "{\"type\":\"string\"}",
	    "{\"anyOf\":[{\"oneOf\":[{\"type\":\"boolean\"},{\"type\":\"string\"}]},{\"type\":"
	    "\"null\"}]}",
	    WIDER },
	{ "{\"type\":\"string\"}", "{\"anyOf\":[true,{\"type\":\"null\"}]}", WIDER },
	{ "{\"type\":\"string\"}", "{\"anyOf\":[false,{\"type\":\"null\"}]}", DOUBT },
	/* alternatives that exclude each other: more of one may be less of all */
	{ "{\"oneOf\":[{\"type\":\"array\"},{\"type\":\"boolean\"}]}",
	    "{\"oneOf\":[{\"type\":\"array\"},{}]}", DOUBT },
	{ "{\"oneOf\":[{\"type\":\"array\"},{\"type\":\"boolean\"}]}",
	    "{\"oneOf\":[{\"type\":\"array\"},{\"type\":\"boolean\"},{\"type\":\"null\"}]}",
	    WIDER },
	{ "{\"oneOf\":[{\"type\":\"array\"},{\"type\":\"boolean\"}]}",
	    "{\"oneOf\":[{\"type\":\"array\"},{\"type\":\"boolean\"},{\"minItems\":1}]}", DOUBT },
	{ "{\"oneOf\":[{\"type\":\"array\"},{\"type\":\"string\",\"maxLength\":2}]}",
	    "{\"oneOf\":[{\"type\":\"array\"},{\"type\":\"string\",\"maxLength\":3}]}", WIDER },
	{ "{\"oneOf\":[{\"type\":\"object\",\"required\":[\"a\"],\"properties\":{\"a\":{\"const\":"
	  "1}}}]}",
	    "{\"oneOf\":[{\"type\":\"object\",\"required\":[\"a\"],\"properties\":{\"a\":{"
	    "\"const\":1}}},"
	    "{\"type\":\"object\",\"required\":[\"a\"],\"properties\":{\"a\":{\"const\":\"s\"}}}]}",
	    WIDER },
	{ "{\"oneOf\":[{\"type\":\"object\",\"required\":[\"a\"],\"properties\":{\"a\":{\"const\":"
	  "1}}}]}",
	    "{\"oneOf\":[{\"type\":\"object\",\"required\":[\"a\"],\"properties\":{\"a\":{"
	    "\"const\":1}}},"
	    "{\"type\":\"object\",\"properties\":{\"a\":{\"const\":\"s\"}}}]}",
	    DOUBT },
	/* a list of one */
	{ "{\"type\":\"string\"}", "{\"allOf\":[{\"type\":\"string\"}]}", SAME },
	{ "{\"type\":\"string\",\"title\":\"T\"}",
	    "{\"allOf\":[{\"type\":\"string\"}],\"title\":\"T\"}", SAME },
	{ "{\"type\":\"string\"}", "{\"anyOf\":[{\"type\":\"string\"}]}", SAME },
	{ "{\"type\":\"string\"}", "{\"oneOf\":[{\"type\":\"string\"}]}", SAME },
	{ "{\"type\":\"string\",\"maxLength\":2}", "{\"allOf\":[{\"type\":\"string\"}]}", WIDER },
	{ "{\"type\":\"string\"}", "{\"allOf\":[{\"type\":\"string\"}],\"maxLength\":2}", DOUBT },
	{ "{\"type\":\"string\"}", "{\"allOf\":[{\"type\":\"string\"},{\"maxLength\":2}]}", DOUBT },
	{ "{\"properties\":{\"a\":{\"$ref\":\"#/$defs/"
	  "s\"}},\"$defs\":{\"s\":{\"type\":\"string\"}}}",
	    "{\"properties\":{\"a\":{\"allOf\":[{\"$ref\":\"#/$defs/"
	    "s\"}],\"default\":\"x\"}},\"$defs\":{\"s\":{\"type\":\"string\"}}}",
	    SAME },
	/* constants and sets */
	{ "{\"const\":\"x\"}", "{\"enum\":[\"x\",\"y\"]}", WIDER },
	{ "{\"const\":\"x\"}", "{\"enum\":[\"x\"]}", SAME },
	{ "{\"const\":\"x\",\"type\":\"string\"}", "{\"enum\":[\"x\"],\"type\":\"string\"}", SAME },
	{ "{\"const\":null}", "{\"enum\":[null]}", SAME },
	{ "{\"const\":\"x\"}", "{\"enum\":[\"y\"]}", DOUBT },
	{ "{\"enum\":[]}", "{\"const\":\"x\"}", WIDER },
	{ "{\"const\":\"x\"}", "{\"const\":\"y\"}", DOUBT },
	{ "{\"const\":{\"a\":[1]}}", "{\"enum\":[{\"a\":[1.0]},2]}", WIDER },
	{ "{\"const\":\"x\",\"enum\":[\"y\"]}", "{\"const\":\"x\"}", WIDER },
	{ "{\"const\":\"x\"}", "{}", WIDER },
	{ "{\"enum\":[\"x\"]}", "{\"enum\":[\"x\",\"y\"]}", WIDER },
	/* bounds that exclude their value */
	{ "{\"exclusiveMaximum\":5}", "{\"maximum\":5}", WIDER },
	{ "{\"exclusiveMaximum\":5}", "{\"maximum\":6}", WIDER },
	{ "{\"maximum\":4}", "{\"exclusiveMaximum\":5}", WIDER },
	{ "{\"exclusiveMinimum\":5}", "{\"minimum\":5}", WIDER },
	{ "{\"exclusiveMinimum\":5}", "{\"minimum\":4}", WIDER },
	{ "{\"type\":\"integer\",\"minimum\":1}", "{\"type\":\"integer\",\"exclusiveMinimum\":0}",
	    SAME },
	{ "{\"type\":\"integer\",\"maximum\":-1}", "{\"type\":\"integer\",\"exclusiveMaximum\":0}",
	    SAME },
	{ "{\"type\":\"integer\",\"minimum\":1}", "{\"type\":\"integer\",\"exclusiveMinimum\":-1}",
	    WIDER },
	{ "{\"type\":\"number\",\"minimum\":1}", "{\"type\":\"number\",\"exclusiveMinimum\":0}",
	    WIDER },
	{ "{\"type\":\"integer\",\"exclusiveMinimum\":0.5}",
	    "{\"type\":\"integer\",\"minimum\":0.5}", WIDER },
	{ "{\"minimum\":3,\"exclusiveMinimum\":1}", "{\"exclusiveMinimum\":2}", WIDER },
	{ "{\"minimum\":1,\"exclusiveMinimum\":1}", "{\"minimum\":1}", WIDER },
	{ "{\"minimum\":1,\"exclusiveMinimum\":true}", "{\"exclusiveMinimum\":1}", DOUBT },
	{ "{\"type\":\"integer\",\"exclusiveMinimum\":12345678901234567890}",
	    "{\"type\":\"integer\",\"minimum\":12345678901234567890}", WIDER },
	{ "{\"minimum\":2}", "{\"minimum\":1}", WIDER },
	/* multiples */
	{ "{\"multipleOf\":4}", "{\"multipleOf\":2}", WIDER },
	{ "{\"multipleOf\":4}", "{\"multipleOf\":3}", DOUBT },
	{ "{\"multipleOf\":1.5}", "{\"multipleOf\":0.5}", WIDER },
	{ "{\"multipleOf\":2}", "{\"multipleOf\":2.0}", SAME },
	{ "{\"multipleOf\":2}", "{\"multipleOf\":0}", DOUBT },
	{ "{\"multipleOf\":2}", "{\"multipleOf\":-1}", DOUBT },
	{ "{\"multipleOf\":2}", "{\"multipleOf\":\"1\"}", DOUBT },
	{ "{\"multipleOf\":2}", "{}", WIDER },
};

static bool
breaks(const char *a, const char *b, const char *member)
{
	struct buf x = BUF_INIT, y = BUF_INIT;
	struct drift d = { 0 };

	buf_addf(&x, "{\"name\":\"t\",\"%s\":%s}", member, a);
	buf_addf(&y, "{\"name\":\"t\",\"%s\":%s}", member, b);
	struct json_doc *docs[2] = { parse(buf_text(&x)), parse(buf_text(&y)) };
	drift_add_tool(&d, json_root(docs[0]), json_root(docs[1]));
	bool found = d.counts[DRIFT_BREAKING] > 0;
	drift_finish(&d);
	json_doc_destroy(docs[0]);
	json_doc_destroy(docs[1]);
	buf_finish(&x);
	buf_finish(&y);
	return found;
}

static void
expect_breaks(const char *a, const char *b, const char *member, bool wanted)
{
	if (breaks(a, b, member) != wanted)
		fail_msg("%s: %s → %s is %sbreaking", member, a, b, wanted ? "not " : "");
}

static void
test_changes_in_both_directions(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(changes); i++) {
		const struct change_row *row = &changes[i];
		expect_breaks(row->a, row->b, "inputSchema", row->change == DOUBT);
		expect_breaks(row->b, row->a, "inputSchema", row->change != SAME);
		expect_breaks(row->a, row->b, "outputSchema", row->change != SAME);
		expect_breaks(row->b, row->a, "outputSchema", row->change == DOUBT);
	}
}

static bool
allows(const char *schema, const char *value)
{
	struct json_doc *doc = parse(schema), *instance = parse(value);
	struct schema_problem problem;
	struct schema *compiled = schema_compile(json_root(doc), NULL, &problem);
	enum schema_outcome outcome =
	    compiled ? schema_outcome(compiled, json_root(instance), &(struct check_options){ 0 })
		     : SCHEMA_INVALID;

	schema_destroy(compiled);
	json_doc_destroy(doc);
	json_doc_destroy(instance);
	return outcome == SCHEMA_VALID;
}

/* The table itself is right, as far as these values tell: the validator agrees with it. */
static void
test_the_validator_agrees(void **state)
{
	static const char *const values[] = { "null", "true", "\"\"", "\"a\"", "\"x\"", "\"y\"",
		"\"abc\"", "\"abcd\"", "-1", "0", "0.5", "1", "1.5", "2", "2.5", "3", "4", "4.5",
		"5", "6", "7", "{}", "{\"a\":1}", "{\"a\":\"s\"}", "[]" };

	for (size_t i = 0; i < ARRAY_LEN(changes); i++)
		for (size_t v = 0; v < ARRAY_LEN(values); v++) {
			const struct change_row *row = &changes[i];
			bool a = allows(row->a, values[v]), b = allows(row->b, values[v]);
			if ((row->change == WIDER && a && !b) || (row->change == SAME && a != b))
				fail_msg("%s: %s, %s", values[v], row->a, row->b);
		}
}

static void
test_changes_in_other_words(void **state)
{
	expect("{\"properties\":{\"a\":{\"type\":\"string\",\"title\":\"A\"}}}",
	    "{\"properties\":{\"a\":{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"null\"}],"
	    "\"title\":\"B\"}}}",
	    "i a: \"string\" → anyOf string, null|r a: title \"A\" → \"B\"",
	    "b output.a: \"string\" → anyOf string, null|r output.a: title \"A\" → \"B\"");
	expect("{\"const\":\"x\"}", "{\"enum\":[\"x\",\"y\"]}", "i enum gained \"y\"",
	    "b output: enum gained \"y\"");
	expect(
	    "{\"enum\":[\"x\"]}", "{\"const\":\"x\"}", "i enum → const", "i output: enum → const");
	expect("{\"exclusiveMaximum\":5}", "{\"maximum\":5}", "i exclusiveMaximum 5 → maximum 5",
	    "b output: exclusiveMaximum 5 → maximum 5");
	expect("{\"type\":\"string\"}", "{\"allOf\":[{\"type\":\"string\"}]}", "", "");
}

/* A tool whose calls as a task, or without one, are refused from now on. */
static void
test_task_support(void **state)
{
	static const struct {
		const char *a, *b;
		char class; /* '\0': nothing to tell */
	} tasks[] = {
		{ "{\"taskSupport\":\"optional\"}", "{\"taskSupport\":\"required\"}", 'b' },
		{ "{\"taskSupport\":\"optional\"}", "{\"taskSupport\":\"forbidden\"}", 'b' },
		{ "{\"taskSupport\":\"forbidden\"}", "{\"taskSupport\":\"required\"}", 'b' },
		{ "{\"taskSupport\":\"required\"}", "{\"taskSupport\":\"forbidden\"}", 'b' },
		{ "{\"taskSupport\":\"optional\"}", "{}", 'b' },
		{ "{}", "{\"taskSupport\":\"required\"}", 'b' },
		{ "{}", "{\"taskSupport\":\"forbidden\"}", 'i' },
		{ "{}", "{\"taskSupport\":\"optional\"}", 'i' },
		{ "{\"taskSupport\":\"required\"}", "{\"taskSupport\":\"optional\"}", 'i' },
		{ "{\"taskSupport\":\"optional\"}", "{\"taskSupport\":\"new\"}", 'b' },
		{ "{\"taskSupport\":\"other\"}", "{\"taskSupport\":\"new\"}", 'b' },
		{ "{\"taskSupport\":\"optional\"}", "{\"taskSupport\":1}", 'b' },
		{ "{\"taskSupport\":\"optional\",\"x\":1}",
		    "{\"taskSupport\":\"optional\",\"x\":2}", 'i' },
		{ "{}", "{\"taskSupport\":\"required\"}", 'b' },
	};

	for (size_t i = 0; i < ARRAY_LEN(tasks); i++) {
		struct buf x = BUF_INIT, y = BUF_INIT;
		struct drift d = { 0 };
		buf_addf(&x, "{\"name\":\"t\",\"execution\":%s}", tasks[i].a);
		buf_addf(&y, "{\"name\":\"t\",\"execution\":%s}", tasks[i].b);
		drift_of_tools(&d, (struct buf[2]){ x, y });
		assert_int_equal(d.len, 1);
		if (drift_class_names[d.items[0].class][0] != tasks[i].class)
			fail_msg("%s → %s", tasks[i].a, tasks[i].b);
		drift_finish(&d);
	}
	expect_of(drift_add_tool, "{\"name\":\"t\",\"execution\":{\"taskSupport\":\"optional\"}}",
	    "{\"name\":\"t\"}", "b execution.taskSupport went, was \"optional\"");
	expect_of(drift_add_tool, "{\"name\":\"t\"}",
	    "{\"name\":\"t\",\"execution\":{\"taskSupport\":\"forbidden\"}}",
	    "i execution.taskSupport is new: \"forbidden\"");
}

/* Alternatives in alternatives would be compared each with each at every level. */
static void
test_alternatives_that_multiply_are_cut(void **state)
{
	struct buf texts[2] = { BUF_INIT, BUF_INIT };
	struct drift d = { 0 };

	for (int side = 0; side < 2; side++) {
		buf_addf(&texts[side],
		    "{\"name\":\"t\",\"inputSchema\":{\"$ref\":\"#/$defs/%c0\",\"$defs\":{",
		    'a' + side);
		for (int i = 0; i < 40; i++)
			buf_addf(&texts[side],
			    side ? "\"b%d\":{\"anyOf\":[{\"items\":{\"$ref\":\"#/$defs/b%d\"}},"
				   "{\"items\":{\"$ref\":\"#/$defs/b%d\"}}]},"
				 : "\"a%d\":{\"items\":{\"$ref\":\"#/$defs/a%d\"}},",
			    i, i + 1, i + 1);
		buf_addf(&texts[side], "\"%c40\":{\"pattern\":\"%d\"}}}}", 'a' + side, side);
	}
	drift_of_tools(&d, texts);
	assert_non_null(strstr(d.items[d.len - 1].text, "too large or too deep"));
	drift_finish(&d);
}

TEST_FILE(drift)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_change_in_words),
		cmocka_unit_test(test_narrowing_breaks_input_and_widening_output),
		cmocka_unit_test(test_changes_in_both_directions),
		cmocka_unit_test(test_the_validator_agrees),
		cmocka_unit_test(test_changes_in_other_words),
		cmocka_unit_test(test_task_support),
		cmocka_unit_test(test_alternatives_that_multiply_are_cut),
		cmocka_unit_test(test_properties),
		cmocka_unit_test(test_references),
		cmocka_unit_test(test_other_members_of_a_tool),
		cmocka_unit_test(test_servers),
		cmocka_unit_test(test_snapshots_are_in_order),
		cmocka_unit_test(test_hostile_snapshots),
		cmocka_unit_test(test_references_that_multiply_are_cut),
		cmocka_unit_test(test_a_long_enum_is_looked_at_whole),
		cmocka_unit_test(test_changes_behind_a_deep_schema_are_bounded),
		cmocka_unit_test(test_changes_that_are_not_kept),
		cmocka_unit_test(test_references_to_a_large_schema_are_cut),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* The form as a command line fills it: only given fields have a value. */
#include "base/vec.h"
#include "form/form.h"
#include "test.h"

#include <string.h>

static const char schema_text[] =
    "{\"type\":\"object\",\"properties\":{"
    "\"s\":{\"type\":\"string\",\"default\":\"x\"},"
    "\"n\":{\"type\":\"number\",\"default\":3},"
    "\"i\":{\"type\":\"integer\"},"
    "\"b\":{\"type\":\"boolean\"},"
    "\"e\":{\"enum\":[\"red\",\"7\",7,null,true]},"
    "\"t\":{\"oneOf\":[{\"const\":\"a\",\"title\":\"First\"},{\"const\":\"b\",\"title\":\"Second\"}"
    "]},"
    "\"ns\":{\"type\":[\"string\",\"null\"]},"
    "\"ni\":{\"type\":[\"integer\",\"null\"]},"
    "\"u\":{\"type\":[\"string\",\"integer\"]},"
    "\"o\":{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\",\"default\":\"no\"},"
    "\"k\":{\"type\":\"integer\"}}},"
    "\"l\":{\"type\":\"array\",\"minItems\":2,\"items\":{\"type\":\"integer\"}},"
    "\"lo\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{"
    "\"a\":{\"type\":\"string\",\"default\":\"no\"},\"k\":{\"type\":\"integer\"}}}},"
    "\"pos\":{\"type\":\"array\",\"prefixItems\":[{\"type\":\"number\"},{\"type\":\"string\"}]},"
    "\"free\":{\"type\":\"object\"},\"any\":{},"
    "\"many\":{\"type\":\"object\",\"additionalProperties\":{\"type\":\"object\",\"properties\":{"
    "\"k\":{\"type\":\"integer\"}}}},"
    "\"d.t\":{\"type\":\"string\"}}}";

struct given {
	const char *path, *text;
	bool is_json;
};

/* The arguments sent for these words. */
static void
expect(const char *sent, const char *base, const struct given *given, size_t count)
{
	struct json_doc *schema = json_parse(schema_text, strlen(schema_text), NULL, NULL);
	struct form *form = form_create(schema, json_root(schema), FORM_DEFAULTS_SHOWN);
	struct buf out = BUF_INIT;
	struct err err = { "" };

	assert_non_null(schema);
	assert_true(form_load_json(form, base, strlen(base), NULL));
	for (size_t i = 0; i < count; i++) {
		bool ok = given[i].is_json
			      ? form_set_json(form, given[i].path, given[i].text, &err)
			      : form_set_typed(form, given[i].path, given[i].text, &err);
		if (!ok)
			fail_msg("%s: %s", given[i].path, err.text);
	}
	assert_true(form_to_json(form, &out));
	assert_string_equal(buf_text(&out), sent);
	buf_finish(&out);
	form_destroy(form);
	json_doc_destroy(schema);
}

#define EXPECT(sent, ...)                                           \
	expect((sent), "{}", (const struct given[]){ __VA_ARGS__ }, \
	    sizeof((const struct given[]){ __VA_ARGS__ }) / sizeof(struct given))

static void
test_types(void **state)
{
	expect("{}", "{}", NULL, 0);
	EXPECT("{\"s\":\"42\"}", { "s", "42", false });
	EXPECT("{\"s\":\"null\"}", { "s", "null", false });
	EXPECT("{\"s\":\"\"}", { "s", "", false });
	EXPECT("{\"n\":1.50}", { "n", "1.50", false });
	EXPECT("{\"i\":12345678901234567890}", { "i", "12345678901234567890", false });
	EXPECT("{\"i\":\"012\"}", { "i", "012", false });
	EXPECT("{\"i\":\"five\"}", { "i", "five", false });
	EXPECT("{\"i\":\"\"}", { "i", "", false });
	EXPECT("{\"b\":true}", { "b", "true", false });
	EXPECT("{\"b\":\"yes\"}", { "b", "yes", false });
	EXPECT("{\"ns\":\"null\"}", { "ns", "null", false });
	EXPECT("{\"ns\":null}", { "ns", "null", true });
	EXPECT("{\"ni\":null}", { "ni", "null", false });
	EXPECT("{\"ni\":1}", { "ni", "null", false }, { "ni", "1", false });
	EXPECT("{\"u\":5}", { "u", "5", false });
	EXPECT("{\"u\":\"five\"}", { "u", "five", false });
	EXPECT("{\"x\":\"5\"}", { "x", "5", false });
	EXPECT("{\"x\":5}", { "x", "5", true });
	EXPECT("{\"d.t\":\"5\"}", { "d.t", "5", false });
}

static void
test_choices(void **state)
{
	EXPECT("{\"e\":\"red\"}", { "e", "red", false });
	EXPECT("{\"e\":\"7\"}", { "e", "7", false }); /* the first of the two */
	EXPECT("{\"e\":7}", { "e", "7", true });
	EXPECT("{\"e\":null}", { "e", "null", false });
	EXPECT("{\"e\":true}", { "e", "true", false });
	EXPECT("{\"e\":\"blue\"}", { "e", "blue", false });
	EXPECT("{\"t\":\"b\"}", { "t", "b", false });
	EXPECT("{\"t\":\"b\"}", { "t", "Second", false });
}

static void
test_paths(void **state)
{
	EXPECT("{\"o\":{\"k\":1}}", { "o.k", "1", false });
	EXPECT("{\"o\":{\"a\":\"1\",\"k\":2}}", { "/o/a", "1", false }, { "o.k", "2", false });
	EXPECT("{\"o\":{\"more\":\"1\"}}", { "o.more", "1", false });
	EXPECT("{\"l\":[1,2]}", { "l.-", "1", false }, { "l[1]", "2", false });
	EXPECT("{\"lo\":[{\"k\":1},{\"a\":\"b\"}]}", { "lo.0.k", "1", false },
	    { "lo.1.a", "b", false });
	EXPECT("{\"l\":[1,2]}", { "l", "[1, 2]", true });
	EXPECT("{\"l\":[1,2]}", { "l", "[1,2]", false });
	EXPECT("{\"l\":\"1,2\"}", { "l", "1,2", false });
	EXPECT("{\"o\":{\"k\":1e400}}", { "o", "{\"k\":1e400}", true });
	EXPECT("{\"s\":\"b\"}", { "s", "1", true }, { "s", "b", false }); /* the last one counts */
}

static void
test_parts(void **state)
{
	EXPECT("{\"pos\":[1.0,\"2\"]}", { "pos.0", "1.0", false }, { "pos.1", "2", false });
	EXPECT("{\"pos\":[1,\"2\",3]}", { "pos.0", "1", false }, { "pos.1", "2", false },
	    { "pos.-", "3", false });
	EXPECT("{\"free\":{\"k\":1,\"w\":\"word\",\"n\":null}}", { "free.k", "1", false },
	    { "free.w", "word", false }, { "free.n", "null", true });
	EXPECT("{\"free\":{\"a.b\":true}}", { "/free/a.b", "true", false });
	EXPECT("{\"free\":{\"a\":{\"b\":[1]}}}", { "free.a", "{\"b\":[1]}", false });
}

/* Into objects whose members no schema describes. */
static void
test_deep_paths(void **state)
{
	EXPECT("{\"free\":{\"b\":{\"c\":1}}}", { "free.b.c", "1", false });
	EXPECT("{\"free\":{\"b\":{\"c\":1,\"d\":{\"e\":\"w x\"}},\"f\":true}}",
	    { "free.b.c", "1", false }, { "free.b.d.e", "w x", false },
	    { "free.f", "true", false });
	EXPECT("{\"free\":{\"b\":{\"c\":1.50,\"d\":2}}}", { "free.b", "{\"c\":1.50}", true },
	    { "free.b.d", "2", true });
	EXPECT(
	    "{\"free\":{\"b\":{\"c\":2}}}", { "free.b.c", "1", false }, { "free.b.c", "2", false });
	EXPECT("{\"free\":{\"b\":[{\"c\":1},2]}}", { "free.b[0].c", "1", false },
	    { "free.b.-", "2", false });
	EXPECT("{\"free\":{\"b\":{\"0\":1}}}", { "free.b.0", "1", false });
	EXPECT("{\"free\":{\"b\":{\"c/d\":{\"e\":1}}}}", { "/free/b/c~1d/e", "1", false });
	EXPECT("{\"any\":{\"b\":1}}", { "any.b", "1", false });
	EXPECT("{\"many\":{\"x\":{\"k\":1}}}", { "many.x.k", "1", false });
	EXPECT("{\"many\":{\"x\":{\"k\":1},\"y\":{\"k\":2}}}", { "many.x.k", "1", false },
	    { "many.y.k", "2", false });
}

static void
test_base(void **state)
{
	static const struct given given[] = { { "o.k", "2", false }, { "s", "new", false } };

	expect("{\"s\":\"new\",\"n\":1.0,\"o\":{\"k\":2},\"z\":[]}",
	    "{\"n\":1.0,\"z\":[],\"o\":{\"k\":1},\"s\":\"old\"}", given, 2);
}

static void
test_refused(void **state)
{
	static const struct given given[] = {
		{ "s", "{", true },
		{ "s", "", true },
		{ "s", "1 2", true },
		{ "s.x", "1", false },
		{ "l.5", "1", false },
		{ "l.x", "1", false },
		{ "nope.x", "1", false },
		{ "/bad~2", "1", false },
		{ "free.b[5]", "1", false },
		{ "/free/b/~2", "1", false },
	};
	struct json_doc *schema = json_parse(schema_text, strlen(schema_text), NULL, NULL);
	struct form *form = form_create(schema, json_root(schema), FORM_DEFAULTS_SHOWN);

	form_load_json(form, "{}", 2, NULL);
	for (size_t i = 0; i < ARRAY_LEN(given); i++) {
		struct err err = { "" };
		assert_false((given[i].is_json ? form_set_json : form_set_typed)(
		    form, given[i].path, given[i].text, &err));
		assert_string_not_equal(err.text, "");
	}
	form_destroy(form);
	json_doc_destroy(schema);
}

TEST_FILE(form_typed)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_choices),
		cmocka_unit_test(test_paths),
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_deep_paths),
		cmocka_unit_test(test_base),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

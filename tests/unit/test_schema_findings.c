/* SPDX-License-Identifier: MIT */
/* Findings about schemas, and about a tool's definition. */
#include "client/findings.h"
#include "quoted.h"
#include "schema/findings.h"
#include "test.h"

#include <string.h>

static struct schema_library *library;

static void
print(const struct schema_findings *f, struct buf *out)
{
	for (size_t i = 0; i < f->len; i++)
		buf_addf(out, "%s%s: %s\n", f->items[i].error ? "" : "~", f->items[i].pointer,
		    f->items[i].text);
}

static void
assert_found(const char *schema, const char *expected)
{
	struct json_doc *doc = parse_quoted(schema);
	struct schema_findings f = { 0 };
	struct buf out = BUF_INIT;

	schema_find(&f, json_root(doc), &(struct schema_options){ .library = library });
	print(&f, &out);
	assert_string_equal(buf_text(&out), expected);
	buf_finish(&out);
	schema_findings_finish(&f);
	json_doc_destroy(doc);
}

static void
test_good_schemas_have_none(void **state)
{
	assert_found("true", "");
	assert_found("{'type':'object','properties':{'typ':{}},'x-mcp-header':'A'}", "");
	assert_found("{'$schema':'http://json-schema.org/draft-07/schema#',"
		     "'definitions':{'a':{'type':'null'}},'$ref':'#/definitions/a','title':'t'}",
	    "");
	assert_found("{'enum':[{'no':'keywords'}],'default':{'here':1}}", "");
}

static void
test_what_the_metaschema_forbids_is_an_error(void **state)
{
	assert_found("{'type':'strin','properties':{'a':{'minLength':-1,'title':3}}}",
	    "/type: \"strin\" is not one of array, boolean, integer and 4 more (did you mean "
	    "\"string\"?)\n"
	    "/properties/a/minLength: -1 is less than the minimum 0\n"
	    "/properties/a/title: 3, expected a string\n");
	assert_found("{'pattern':'(a'}",
	    "/pattern: \"(a\" is not a regular expression: a ( is not closed\n");
}

static void
test_what_cannot_be_known_is_a_warning(void **state)
{
	assert_found("{'$schema':'urn:nowhere','type':'strin'}",
	    "/type: \"strin\" is not one of array, boolean, integer and 4 more (did you mean "
	    "\"string\"?)\n"
	    "~/$schema: unknown dialect urn:nowhere, read as 2020-12\n");
	assert_found("{'$schema':'urn:nowhere'}",
	    "~/$schema: unknown dialect urn:nowhere, read as 2020-12\n");
	assert_found("{'properties':{'a':{'$ref':'#/$defs/none'}}}",
	    "~/properties/a/$ref: #/$defs/none leads nowhere\n");
	assert_found("{'$defs':{'a':{'$ref':'https://example.com/other.json'}}}",
	    "~/$defs/a/$ref: https://example.com/other.json leads out of the schema: nothing is "
	    "fetched\n");
}

static void
test_a_misspelt_dialect_is_a_warning(void **state)
{
	assert_found("{'$schema':'http://json-schema.org/schema#'}",
	    "~/$schema: read as https://json-schema.org/draft/2020-12/schema: other "
	    "validators do not know this URI\n");
	assert_found("{'$schema':'https://json-schema.org/draft/2020-12/schema/'}",
	    "~/$schema: read as https://json-schema.org/draft/2020-12/schema: other "
	    "validators do not know this URI\n");
	assert_found("{'$schema':'https://json-schema.org/draft-07/schema#'}",
	    "~/$schema: read as http://json-schema.org/draft-07/schema: other validators do "
	    "not know this URI\n");
	assert_found("{'$schema':'http://json-schema.org/draft-07/schema'}", "");
	assert_found("{'$schema':'https://json-schema.org/draft/2020-12/schema#'}", "");
}

static void
test_words_of_others_are_left_alone(void **state)
{
	assert_found("{'discriminator':{},'xml':{},'externalDocs':{},'example':1,'enumTitles':[],"
		     "'propertyOrdering':[],'ui:widget':'a','order':1,'secret':true,"
		     "'nullable':false,'x-y':1}",
	    "");
	assert_found("{'type':'string','nullable':true}",
	    "~/nullable: JSON Schema ignores OpenAPI's nullable, but ajv applies it: list null in "
	    "type instead\n");
	assert_found("{'type':['string','null'],'nullable':true}", "");
	assert_found("{'unheard':1}", "~/unheard: unheard is an unknown keyword\n");
}

static void
test_what_says_nothing_is_a_warning(void **state)
{
	assert_found("{'propertes':{},'properties':{'a':{'requird':true}}}",
	    "~/propertes: propertes is an unknown keyword (did you mean properties?)\n"
	    "~/properties/a/requird: requird is an unknown keyword (did you mean required?)\n");
	assert_found("{'$schema':'http://json-schema.org/draft-07/schema#','prefixItems':[true],"
		     "'unevaluatedItems':false}",
	    "~/prefixItems: prefixItems is a keyword since 2020-12; in draft-07 it has no effect\n"
	    "~/unevaluatedItems: unevaluatedItems is a keyword since 2019-09; in draft-07 it has "
	    "no effect\n");
	assert_found("{'additionalItems':false}",
	    "~/additionalItems: additionalItems was a keyword until 2019-09; in 2020-12 it has "
	    "no effect\n");
	assert_found(
	    "{'$schema':'http://json-schema.org/draft-07/schema#','$ref':'#/definitions/a',"
	    "'minimum':3,'definitions':{'a':true}}",
	    "~/minimum: minimum is ignored beside $ref in draft-07, but ajv applies it\n");
}

static void
test_what_other_drafts_write_is_known(void **state)
{
	/* said once, though it is part of a schema by every vocabulary's metaschema */
	assert_found("{'items':[true]}",
	    "/items: an array of 1 item, expected a boolean or an object (an array of schemas is "
	    "prefixItems since 2020-12)\n");
	assert_found("{'properties':{'a':{'required':true}}}",
	    "/properties/a/required: true, expected an array (it is an array of names, beside "
	    "properties)\n");
	assert_found("{'properties':{'a':{'type':'int'}}}",
	    "/properties/a/type: \"int\" is not one of array, boolean, integer and 4 more (did "
	    "you mean \"integer\"?)\n");
}

static void
test_names_that_are_there_twice_are_a_warning(void **state)
{
	assert_found("{'$defs':{'a':{'$anchor':'q'},'b':{'$anchor':'q'},"
		     "'c':{'$id':'urn:c','$anchor':'q'}}}",
	    "~/$defs/b/$anchor: another schema has this $anchor: q\n");
	assert_found("{'$defs':{'a':{'$id':'urn:a'},'b':{'$id':'urn:a'}}}",
	    "~/$defs/b/$id: another schema has this $id: urn:a\n");
}

static void
test_very_many_are_counted(void **state)
{
	struct buf text = BUF_INIT;
	struct schema_findings f = { 0 };

	buf_add_char(&text, '{');
	for (int i = 0; i < 300; i++)
		buf_addf(&text, "%s\"k%d\":1", i ? "," : "", i);
	buf_add_char(&text, '}');
	struct json_doc *doc = json_parse(buf_text(&text), text.len, NULL, NULL);
	schema_find(&f, json_root(doc), &(struct schema_options){ .library = library });
	assert_int_equal(f.len, SCHEMA_FINDINGS_MAX);
	assert_int_equal(f.rest, 200);
	schema_findings_finish(&f);
	json_doc_destroy(doc);
	buf_finish(&text);
}

static void
test_a_tool_is_told_where_in_its_definition(void **state)
{
	struct json_doc *doc = parse_quoted(
	    "{'name':'t','inputSchema':{'type':'array','items':{'type':7}},'outputSchema':5}");
	struct schema_findings f = { 0 };
	struct buf out = BUF_INIT;
	struct primitive p;

	primitive_decode(&p, PRIMITIVE_TOOL, doc, json_root(doc));
	definition_find(&f, &p, library);
	print(&f, &out);
	assert_non_null(strstr(buf_text(&out), "/inputSchema: the type must be \"object\""));
	assert_non_null(strstr(buf_text(&out), "/inputSchema/items/type: 7"));
	assert_non_null(strstr(buf_text(&out), "/outputSchema: 5, expected"));
	for (size_t i = 0; i < f.len; i++)
		assert_true(f.items[i].error);
	schema_findings_finish(&f);
	buf_finish(&out);
	json_doc_destroy(doc);
}

static int
set_up(void **state)
{
	library = schema_library_create();
	return 0;
}

static int
tear_down(void **state)
{
	schema_library_destroy(library);
	return 0;
}

TEST_FILE(schema_findings)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good_schemas_have_none),
		cmocka_unit_test(test_what_the_metaschema_forbids_is_an_error),
		cmocka_unit_test(test_what_cannot_be_known_is_a_warning),
		cmocka_unit_test(test_a_misspelt_dialect_is_a_warning),
		cmocka_unit_test(test_words_of_others_are_left_alone),
		cmocka_unit_test(test_what_says_nothing_is_a_warning),
		cmocka_unit_test(test_what_other_drafts_write_is_known),
		cmocka_unit_test(test_names_that_are_there_twice_are_a_warning),
		cmocka_unit_test(test_very_many_are_counted),
		cmocka_unit_test(test_a_tool_is_told_where_in_its_definition),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}

/* SPDX-License-Identifier: MIT */
#include "base/vec.h"
#include "schema/schema.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

#define D04 "'$schema':'http://json-schema.org/draft-04/schema#'"
#define D06 "'$schema':'http://json-schema.org/draft-06/schema#'"
#define D07 "'$schema':'http://json-schema.org/draft-07/schema#'"
#define D19 "'$schema':'https://json-schema.org/draft/2019-09/schema'"

struct row {
	const char *schema, *valid, *invalid; /* values, '|' between them */
};

/* clang-format off */
static const struct row ROWS[] = {
	{ "true", "1|null|{}", "" },
	{ "{}", "1|null|{}", "" },
	{ "false", "", "1|null|{}" },
	{ "{'type':'integer'}", "1|1.0|10e-1|1e400|9007199254740993|-0", "1.5|'1'|null|1e-400" },
	{ "{'type':'number'}", "1|1.5|1e400", "'1'|true" },
	{ "{'type':['boolean','null']}", "true|false|null", "0|''|[]" },
	{ "{'enum':[1,[2],{'a':null}]}", "1.0|[2]|{'a':null}", "[]|{}|2" },
	{ "{'const':1e1000000000000000001}", "1e1000000000000000001|10e1000000000000000000", "1e1000000000000000002" },
	{ "{'uniqueItems':true}", "[1e1000000000000000001,1e1000000000000000002]", "[1e1000000000000000001,0.1e1000000000000000002]" },
	{ "{'const':{'a':[1,2]}}", "{'a':[1.0,2]}", "{'a':[2,1]}|{}" },
	{ "{'minimum':9007199254740993}", "9007199254740993|9007199254740994|'x'", "9007199254740992" },
	{ "{'maximum':0.1}", "0.1|0.10|-1e400", "0.1000000000000000000001|1e400" },
	{ "{'exclusiveMinimum':1,'exclusiveMaximum':3}", "2|1.0000000000000000001", "1|3|1.0" },
	{ "{'multipleOf':0.01}", "0.07|4.35|1e300", "0.075" },
	{ "{'minLength':2,'maxLength':3}", "'ab'|'\xf0\x9f\x98\x80\xf0\x9f\x98\x80'|1", "'a'|'abcd'|'\xf0\x9f\x98\x80'" },
	{ "{'maxLength':1}", "'\\u0000'|'\\ud800'", "'\\u0000a'" },
	{ "{'pattern':'b+'}", "'abc'|1", "'ac'|''" },
	{ "{'minProperties':1,'maxProperties':2}", "{'a':1}|{'a':1,'b':2}|[]", "{}|{'a':1,'b':2,'c':3}" },
	/* a name that is there twice counts once and equals by its last value; both have to hold */
	{ "{'minProperties':2}", "{'a':1,'b':2}", "{'a':1,'a':2}" },
	{ "{'maxProperties':1}", "{'a':1,'a':2}", "{'a':1,'b':2}" },
	{ "{'const':{'a':2}}", "{'a':1,'a':2}", "{'a':2,'a':1}" },
	{ "{'uniqueItems':true}", "[{'a':1,'a':2},{'a':1}]", "[{'a':1,'a':2},{'a':2}]" },
	{ "{'properties':{'a':{'type':'integer'}}}", "{'a':1,'a':2}", "{'a':'x','a':2}|{'a':2,'a':'x'}" },
	/* alternatives distinguished by a property */
	{ "{'oneOf':[{'properties':{'k':{'const':1}}},{'properties':{'k':{'enum':['b',2]}}},{'properties':{'k':{'const':null}},'required':['k']}]}",
	    "{'k':1.0}|{'k':'b'}|{'k':null}", "{'k':3}|{'k':[]}|{}|{'k':1,'k':2}" },
	{ "{'oneOf':[{'properties':{'k':{'const':'a'}}},{'properties':{'k':{'const':'b'}}},{'minProperties':2}]}",
	    "{'k':'a'}|{'k':'c','x':1}|{'k':{},'x':1}", "{'k':'a','x':1}|{'k':'c'}|{}|1" },
	{ "{'anyOf':[{'properties':{'e':{'properties':{'k':{'const':'a'}},'required':['k']}},'required':['e']},{'properties':{'e':{'$ref':'#/$defs/b'}}}],"
	  "'$defs':{'b':{'allOf':[true,{'properties':{'k':{'const':'b'}}}]}}}",
	    "{'e':{'k':'a'}}|{'e':{'k':'b'}}|{'e':1}|{'e':{}}|{}", "{'e':{'k':'c'}}|{'e':{'k':[]}}" },
	{ "{'anyOf':[{'allOf':[{'required':['k']},{'properties':{'k':{'const':'a'},'n':{'type':'null'}}}]},{'properties':{'k':{'const':'b'}},'required':['k','n']}]}",
	    "{'k':'a'}|{'k':'b','n':1}", "{'k':'a','n':1}|{'k':'b'}|{}|{'n':1}" },
	{ "{'required':['a','b']}", "{'b':null,'a':1}|[]", "{'a':1}|{}" },
	{ "{'properties':{'a':{'type':'null'}}}", "{'a':null}|{}|{'b':1}|1", "{'a':1}" },
	{ "{'patternProperties':{'^a':{'type':'null'},'b$':{'type':'null'}}}", "{'a':null}|{'c':1}", "{'ac':1}|{'cb':1}" },
	{ "{'properties':{'a':true},'patternProperties':{'^x-':true},'additionalProperties':false}", "{'a':1,'x-y':2}", "{'b':1}" },
	/* the patterns of a declared name are matched once */
	{ "{'properties':{'ab':{'type':'integer'},'c':{'maximum':5}},'patternProperties':{'^a':{'minimum':2}},'additionalProperties':false}",
	    "{'ab':2,'c':1}|{'ab':3}|{'ax':2}|{'c':'x'}", "{'ab':1}|{'ab':'x'}|{'ab':2.5}|{'c':6}|{'x':1}" },
	{ "{'properties':{'b':{'minimum':1}},'patternProperties':{'^(?!a)b':{'maximum':2}}}", "{'b':1}|{'b':2}|{'ab':3}", "{'b':0}|{'b':3}|{'b':3}" },
	{ "{'properties':{'a9':{'minimum':1}},'patternProperties':{'1':true,'2':true,'3':true,'4':true,'5':true,'6':true,'7':true,'8':true,'9':{'maximum':2}}}",
	    "{'a9':1}|{'a9':2}", "{'a9':0}|{'a9':3}|{'b9':3}" },
	{ "{'required':['ab','c'],'patternProperties':{'^a':{'type':'null'}},'additionalProperties':{'type':'string'}}",
	    "{'ab':null,'c':'x'}", "{'ab':1,'c':'x'}|{'ab':null}|{'ab':null,'c':null}|{'c':'x'}" },
	{ "{'properties':{'a':{'type':'integer'}},'required':['a']}", "{'b':'x','a':1}|[]", "{'b':1}|{'a':'x'}|{'a':1,'a':'x'}|{}" },
	/* objects described piece by piece */
	{ "{'allOf':[{'$ref':'#/$defs/a'},{'properties':{'b':{'type':'integer'}},'required':['b']}],'properties':{'c':{'type':'null'}},"
	  "'$defs':{'a':{'type':'object','properties':{'a':{'type':'string'}},'required':['a']}}}",
	    "{'a':'x','b':1}|{'a':'x','b':1,'c':null,'d':[]}", "{'a':1,'b':1}|{'b':1}|{'a':'x'}|{'a':'x','b':'y'}|{'a':'x','b':1,'c':1}|1" },
	{ "{'allOf':[{'properties':{'a':{'type':'string'}},'additionalProperties':false},{'properties':{'a':true,'b':true}}]}", "{'a':'x'}|{}|1", "{'b':1}|{'a':1}|{'c':1}" },
	{ "{'allOf':[{'properties':{'a':{'minimum':1}}},{'properties':{'a':{'maximum':3},'b':true}}]}", "{'a':1}|{'a':3}|[]", "{'a':0}|{'a':4}" },
	{ "{'allOf':[{'additionalProperties':{'type':'string'}},{'properties':{'a':{'minLength':2}}}]}", "{'a':'xy','b':''}", "{'a':'x'}|{'a':1}|{'b':1}" },
	{ "{'allOf':[{'required':['a']},{'required':['a','b']}]}", "{'a':1,'b':1}|1", "{'a':1}|{'b':1}|{}" },
	{ "{'allOf':[{'properties':{'a':{'$ref':'#'}},'required':['b']},{'properties':{'b':{'type':'null'}}}]}", "{'b':null,'a':{'b':null}}|{'b':null,'a':1}", "{'b':null,'a':{}}|{'b':1}" },
	{ "{'type':'string','properties':{'a':{'type':'null'}}}", "'x'", "{'a':null}|{}|1" },
	{ "{'type':['string','object'],'pattern':'^x','properties':{'a':{'type':'null'}}}", "'x'|{'a':null}", "'y'|{'a':1}|1" },
	/* types that pass a branch without a look at the value, and types that only one may pass */
	{ "{'anyOf':[{'maxLength':2},{'type':'string','minLength':5}]}", "1|null|'ab'|'abcde'", "'abc'" },
	{ "{'oneOf':[{'maxLength':2},{'minimum':3}]}", "1|'abc'", "4|'ab'|null|{}" },
	{ "{'oneOf':[{'type':'string'},{'type':'array','items':{'type':'string'}},{'type':['string','integer'],'minLength':3}]}", "'a'|['a']|1", "'abc'|[1]|1.5|{}" },
	{ "{'allOf':[{'$ref':'#/$defs/a'},{'type':['string','integer','object']}],'$defs':{'a':{'anyOf':[{'type':['number','object']},{'pattern':'^x'}]}}}",
	    "1|'x'|'xy'|{}", "1.5|'y'|null|[]" },
	{ "{'properties':{'a':{'$ref':'#'},'b':{'type':'string'}},'anyOf':[{'type':'object'},{'minimum':0}]}", "{'a':{'a':{'b':''}}}|{'a':1}|'x'", "-1|{'a':{'b':1}}|{'a':-1}" },
	{ "{'enum':['1','2','3','4','5','6','7','8','a longer one',9,null]}", "'1'|'8'|'a longer one'|9.0|null", "1|'9'|'a longer on'|''|[]" },
	{ "{'additionalProperties':{'type':'null'}}", "{'a':null}", "{'a':1}" },
	{ "{'propertyNames':{'maxLength':2}}", "{'ab':1}", "{'abc':1}" },
	{ "{'dependentRequired':{'a':['b']}}", "{}|{'b':1}|{'a':1,'b':1}", "{'a':1}" },
	{ "{'dependentSchemas':{'a':{'minProperties':2}}}", "{'b':1}|{'a':1,'b':1}", "{'a':1}" },
	{ "{'dependencies':{'a':['b'],'c':false}}", "{'a':1,'b':1}", "{'a':1}|{'c':1}" },
	{ "{'items':{'type':'null'}}", "[]|[null]|1", "[1]" },
	{ "{'prefixItems':[{'type':'null'}],'items':{'type':'boolean'}}", "[null,true]|[]", "[true]|[null,1]" },
	{ "{" D07 ",'items':[{'type':'null'}],'additionalItems':false}", "[]|[null]", "[1]|[null,1]" },
	{ "{" D19 ",'items':[{'type':'null'}],'additionalItems':{'type':'boolean'}}", "[null,true]", "[null,1]" },
	{ "{" D07 ",'items':{'type':'null'},'additionalItems':false}", "[null,null]", "[1]" },
	{ "{'minItems':1,'maxItems':2}", "[1]|[1,2]", "[]|[1,2,3]" },
	{ "{'uniqueItems':true}", "[1,true,'1',[1],{'a':1},null,0,false,'']|[[1],[2]]", "[1,2,1.0]|[{'a':1,'b':2},{'b':2,'a':1}]|[1,2,3,4,5,6,7,8,9,3e0]" },
	{ "{'uniqueItems':false}", "[1,1]", "" },
	{ "{'contains':{'type':'null'}}", "[1,null]|{}", "[]|[1]" },
	{ "{'contains':{'type':'null'},'minContains':0}", "[]|[1]", "" },
	{ "{'contains':{'type':'null'},'minContains':2,'maxContains':3}", "[null,1,null]", "[null]|[null,null,null,null]" },
	{ "{'minContains':3}", "[]", "" },
	{ "{'allOf':[{'minimum':1},{'maximum':2}]}", "1|2", "0|3" },
	{ "{'anyOf':[{'minimum':2},{'maximum':1}]}", "2|1", "1.5" },
	{ "{'oneOf':[{'minimum':2},{'maximum':3}]}", "1|4", "2.5" },
	{ "{'not':{'type':'null'}}", "1", "null" },
	{ "{'if':{'type':'null'},'then':false,'else':true}", "1", "null" },
	{ "{'then':false,'else':false}", "1", "" },
	{ "{'$ref':'#/$defs/a','maximum':5,'$defs':{'a':{'minimum':1}}}", "1|5", "0|6" },
	{ "{" D07 ",'$ref':'#/definitions/a','maximum':5,'definitions':{'a':{'minimum':1}}}", "1|6", "0" },
	{ "{'$ref':'#/$defs/a~1b%25c','$defs':{'a/b%c':{'type':'null'}}}", "null", "1" },
	{ "{'$ref':'#name','$defs':{'x':{'$anchor':'name','type':'null'}}}", "null", "1" },
	{ "{" D07 ",'allOf':[{'$ref':'#name'}],'definitions':{'x':{'$id':'#name','type':'null'}}}", "null", "1" },
	{ "{'$id':'http://x.y/a','$ref':'b#/$defs/c','$defs':{'z':{'$id':'b','$defs':{'c':{'type':'null'}}}}}", "null", "1" },
	{ "{'type':['object','null'],'properties':{'next':{'$ref':'#'}},'additionalProperties':false}", "{'next':{'next':null}}", "{'next':{'nxt':1}}" },
	{ "{'$ref':'#/$defs/a','$defs':{'a':{'$ref':'#/$defs/b'},'b':{'$ref':'#/$defs/c'},'c':{'type':'null'}}}", "null", "1" },
	{ "{'$id':'tree','$dynamicAnchor':'n','properties':{'kids':{'items':{'$dynamicRef':'#n'}}},'required':['v']}", "{'v':1,'kids':[{'v':2}]}", "{'v':1,'kids':[{}]}" },
	{ "{'$id':'strict','$dynamicAnchor':'n','$ref':'tree','unevaluatedProperties':false,'$defs':{'t':{'$id':'tree','$dynamicAnchor':'n','properties':{'v':true,'kids':{'items':{'$dynamicRef':'#n'}}}}}}", "{'v':1,'kids':[{'v':2}]}", "{'kids':[{'w':2}]}" },
	{ "{" D19 ",'$recursiveAnchor':true,'properties':{'a':{'$recursiveRef':'#'}},'additionalProperties':false}", "{'a':{'a':{}}}", "{'a':{'b':1}}" },
	{ "{'allOf':[{'properties':{'a':true}}],'properties':{'b':true},'unevaluatedProperties':false}", "{'a':1,'b':1}", "{'c':1}" },
	{ "{'anyOf':[{'properties':{'a':true},'required':['a']},{'properties':{'b':true},'required':['b']}],'unevaluatedProperties':false}", "{'a':1}|{'a':1,'b':1}", "{'a':1,'c':1}" },
	{ "{'if':{'properties':{'a':{'const':1}},'required':['a']},'then':{'properties':{'b':true}},'unevaluatedProperties':false}", "{'a':1,'b':1}", "{'a':2,'b':1}|{'b':1}" },
	{ "{'not':{'not':{'properties':{'a':true}}},'unevaluatedProperties':false}", "{}", "{'a':1}" },
	{ "{'prefixItems':[true],'contains':{'type':'null'},'unevaluatedItems':false}", "[1,null]", "[1,null,2]" },
	{ "{'allOf':[{'prefixItems':[true,true]}],'unevaluatedItems':{'type':'null'}}", "[1,2,null]", "[1,2,3]" },
	{ "{" D04 ",'minimum':1,'exclusiveMinimum':true,'maximum':3,'exclusiveMaximum':false}", "2|3", "1|4" },
	{ "{" D06 ",'exclusiveMinimum':1}", "2", "1" },
	{ "{" D04 ",'const':1,'contains':false,'propertyNames':false}", "2|[1]|{'a':1}", "" },
	{ "{" D06 ",'if':true,'then':false}", "1", "" },
	{ "{" D07 ",'prefixItems':[false],'dependentRequired':{'a':['b']},'unevaluatedProperties':false}", "[1]|{'a':1}", "" },
	/* annotations, extensions and unknown formats */
	{ "{'title':'t','default':5,'examples':[1],'$comment':'c','readOnly':true,'deprecated':true,'contentEncoding':'base64','contentSchema':false,'errorMessage':'no','x-order':1,'format':'int32'}", "1|'x'", "" },
};

/* clang-format on */
static struct json_doc *
parse(const char *text, size_t len)
{
	char *copy = malloc(len + 1);

	for (size_t i = 0; i < len; i++)
		copy[i] = text[i] == '\'' ? '"' : text[i];
	struct json_doc *doc = json_parse(copy, len, NULL, NULL);
	if (!doc)
		fail_msg("not JSON: %.*s", (int)len, text);
	free(copy);
	return doc;
}

static struct report *
check(const char *schema_text, const char *value, const struct check_options *options,
    struct json_doc *docs[2], struct schema **schema)
{
	struct schema_problem problem;

	docs[0] = parse(schema_text, strlen(schema_text));
	docs[1] = parse(value, strlen(value));
	*schema = schema_compile(json_root(docs[0]), NULL, &problem);
	if (!*schema)
		fail_msg("%s: at '%s': %s", schema_text, problem.pointer, problem.text);
	return schema_check(*schema, json_root(docs[1]), options);
}

static void
release(struct report *report, struct schema *schema, struct json_doc *docs[2])
{
	report_destroy(report);
	schema_destroy(schema);
	json_doc_destroy(docs[0]);
	json_doc_destroy(docs[1]);
}

static void
expect_each(const struct schema *schema, const char *text, const char *values, bool valid)
{
	while (*values) {
		size_t len = strcspn(values, "|");
		struct json_doc *doc = parse(values, len);
		struct report *report = schema_check(schema, json_root(doc), NULL);
		if (report_facts(report)->outcome != (valid ? SCHEMA_VALID : SCHEMA_INVALID))
			fail_msg("%s: %.*s should be %s", text, (int)len, values,
			    valid ? "valid" : "invalid");
		assert_true(valid == (report_facts(report)->violations == 0));
		report_destroy(report);
		json_doc_destroy(doc);
		values += len + (values[len] == '|');
	}
}

static void
test_each_keyword_decides(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(ROWS); i++) {
		struct schema_problem problem;
		struct json_doc *doc = parse(ROWS[i].schema, strlen(ROWS[i].schema));
		struct schema *schema = schema_compile(json_root(doc), NULL, &problem);
		if (!schema)
			fail_msg("%s: at '%s': %s", ROWS[i].schema, problem.pointer, problem.text);
		expect_each(schema, ROWS[i].schema, ROWS[i].valid, true);
		expect_each(schema, ROWS[i].schema, ROWS[i].invalid, false);
		schema_destroy(schema);
		json_doc_destroy(doc);
	}
}

static const struct {
	const char *schema, *pointer, *text; /* text: a part of it */
} PROBLEMS[] = {
	{ "5", "", "must be an object, true or false" },
	{ "{'type':5}", "/type", "name of a type" },
	{ "{'type':'strng'}", "/type", "name of a type" },
	{ "{'type':[]}", "/type", "must not be empty" },
	{ "{'type':['string',1]}", "/type/1", "name of a type" },
	{ "{'properties':{'a':{'pattern':'('}}}", "/properties/a/pattern",
	    "not a regular expression" },
	{ "{'patternProperties':{'[':{}}}", "/patternProperties/[", "not a regular expression" },
	{ "{'minLength':-1}", "/minLength", "whole number" },
	{ "{'maxItems':1.5}", "/maxItems", "whole number" },
	{ "{'minimum':'1'}", "/minimum", "must be a number" },
	{ "{'multipleOf':0}", "/multipleOf", "above 0" },
	{ "{'properties':[]}", "/properties", "must be an object" },
	{ "{'properties':{'a':1}}", "/properties/a", "must be an object, true or false" },
	{ "{'$defs':{'a':'x'}}", "/$defs/a", "must be an object, true or false" },
	{ "{'$defs':{'a':{'type':1}}}", "/$defs/a/type", "name of a type" },
	{ "{'items':[{}]}", "/items", "must be an object, true or false" },
	{ "{'anyOf':[]}", "/anyOf", "array of schemas" },
	{ "{'anyOf':{}}", "/anyOf", "array of schemas" },
	{ "{'required':'a'}", "/required", "array of names" },
	{ "{'required':[1]}", "/required/0", "array of names" },
	{ "{'dependentRequired':{'a':'b'}}", "/dependentRequired/a", "list names" },
	{ "{'enum':1}", "/enum", "must be an array" },
	{ "{'uniqueItems':1}", "/uniqueItems", "true or false" },
	{ "{'format':1}", "/format", "must be a string" },
	{ "{'$ref':1}", "/$ref", "must be a string" },
	{ "{'$schema':7}", "/$schema", "must be a string" },
	{ "{'$id':7}", "/$id", "must be a string" },
	{ "{" D04 ",'exclusiveMinimum':5}", "/exclusiveMinimum", "true or false" },
};

static void
test_a_broken_schema_says_where(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(PROBLEMS); i++) {
		struct schema_problem problem;
		struct json_doc *doc = parse(PROBLEMS[i].schema, strlen(PROBLEMS[i].schema));
		if (schema_compile(json_root(doc), NULL, &problem))
			fail_msg("%s should be refused", PROBLEMS[i].schema);
		assert_string_equal(problem.pointer, PROBLEMS[i].pointer);
		if (!strstr(problem.text, PROBLEMS[i].text))
			fail_msg("%s: %s", PROBLEMS[i].schema, problem.text);
		assert_null(schema_compile(json_root(doc), NULL, NULL));
		json_doc_destroy(doc);
	}
}

static const struct {
	const char *schema, *value, *unchecked; /* NULL: decided all the same */
	enum schema_outcome outcome;
} UNDECIDED[] = {
	/* nearly a keyword */
	{ "{'requird':['a'],'type':'null'}", "1",
	    "/requird (unknown keyword: did you mean required?)", SCHEMA_INVALID },
	{ "{'anyof':[]}", "1", "/anyof (unknown keyword: did you mean anyOf?)", SCHEMA_UNDECIDED },
	{ "{'minlength':3}", "1", "/minlength (unknown keyword: did you mean minLength?)",
	    SCHEMA_UNDECIDED },
	{ "{'min_length':3}", "1", "/min_length (unknown keyword: did you mean minLength?)",
	    SCHEMA_UNDECIDED },
	{ "{'additionalproperties':false}", "1",
	    "/additionalproperties (unknown keyword: did you mean additionalProperties?)",
	    SCHEMA_UNDECIDED },
	{ "{'ref':'#'}", "1", "/ref (unknown keyword: did you mean $ref?)", SCHEMA_UNDECIDED },
	{ "{'propertes':{'a':{}},'unevaluatedProperties':false}", "{'a':1}",
	    "/propertes (unknown keyword: did you mean properties?)", SCHEMA_UNDECIDED },
	/* words of others */
	{ "{'discriminator':{'propertyName':'k'},'nullable':true,'xml':{},'externalDocs':{},"
	  "'example':1,'propertyOrdering':[],'enumTitles':[],'enumNames':[],'x-a':1,'ui:widget':2,"
	  "'order':1,'secret':true,'formatOptions':{},'note':'n','when':{},'@type':'T','_type':1}",
	    "1", NULL, SCHEMA_VALID },
	{ "{'descripton':'d','titel':'t','unheard':1,'in':'query','if_':1}", "1", NULL,
	    SCHEMA_VALID },
	/* references that lead nowhere, where they are used */
	{ "{'$ref':'#/$defs/nope'}", "1", "/$ref (#/$defs/nope leads nowhere)", SCHEMA_UNDECIDED },
	{ "{'$ref':'#nope'}", "1", "/$ref (#nope leads nowhere)", SCHEMA_UNDECIDED },
	{ "{'$dynamicRef':'#nope'}", "1", "/$dynamicRef (#nope leads nowhere)", SCHEMA_UNDECIDED },
	{ "{'$ref':'#/title','title':'x'}", "1", "/$ref (#/title does not lead to a schema)",
	    SCHEMA_UNDECIDED },
	{ "{'$ref':'file:///etc/passwd'}", "1",
	    "/$ref (file:///etc/passwd leads out of the schema: nothing is fetched)",
	    SCHEMA_UNDECIDED },
	{ "{'$ref':'#/$defs/nope','type':'null'}", "1", "/$ref (#/$defs/nope leads nowhere)",
	    SCHEMA_INVALID },
	{ "{'$ref':'#/$defs/nope','unevaluatedProperties':false}", "{'a':1}",
	    "/$ref (#/$defs/nope leads nowhere)", SCHEMA_UNDECIDED },
	{ "{'properties':{'id':{'type':'integer'}},'$defs':{'u':{'$ref':'#/components/X'}}}",
	    "{'id':1}", NULL, SCHEMA_VALID },
	{ "{'properties':{'id':{'type':'integer'}},'$defs':{'u':{'$ref':'#/components/X'}}}",
	    "{'id':'1'}", NULL, SCHEMA_INVALID },
	{ "{'anyOf':[{'$ref':'#/nope'},{'type':'integer'}]}", "1", NULL, SCHEMA_VALID },
	/* unknown dialects */
	{ "{'$schema':'https://example.org/mine'}", "1",
	    "/$schema (unknown dialect https://example.org/mine, read as 2020-12)",
	    SCHEMA_UNDECIDED },
	{ "{'$schema':'https://example.org/mine','type':'null'}", "1",
	    "/$schema (unknown dialect https://example.org/mine, read as 2020-12)",
	    SCHEMA_INVALID },
	{ "{'$ref':'u:x#/$defs/a','$defs':{'x':{'$id':'u:x','$schema':'u:m','$defs':{'a':{}}}}}",
	    "1", "/$ref (leads to an unknown dialect)", SCHEMA_UNDECIDED },
	{ "{'$defs':{'x':{'$id':'u:x','$schema':'u:m'}}}", "1", NULL, SCHEMA_VALID },
	{ "{'properties':{'a':{'requird':1}}}", "{'b':1}", NULL, SCHEMA_VALID },
	{ "{'properties':{'a':{'requird':1}}}", "{'a':1}",
	    "/properties/a/requird (unknown keyword: did you mean required?)", SCHEMA_UNDECIDED },
	{ "{'not':{'requird':1}}", "1", "/not/requird (unknown keyword: did you mean required?)",
	    SCHEMA_UNDECIDED },
	{ "{'not':{'requird':1,'type':'null'}}", "1", NULL, SCHEMA_VALID },
	{ "{'anyOf':[{'requird':1},{'type':'integer'}]}", "1", NULL, SCHEMA_VALID },
	{ "{'anyOf':[{'requird':1},{'type':'null'}]}", "1",
	    "/anyOf/0/requird (unknown keyword: did you mean required?)", SCHEMA_UNDECIDED },
	{ "{'oneOf':[{'requird':1},{'type':'integer'}]}", "1",
	    "/oneOf/0/requird (unknown keyword: did you mean required?)", SCHEMA_UNDECIDED },
	{ "{'oneOf':[{'requird':1},{'type':'null'}]}", "1",
	    "/oneOf/0/requird (unknown keyword: did you mean required?)", SCHEMA_UNDECIDED },
	{ "{'if':{'requird':1},'then':false}", "1",
	    "/if/requird (unknown keyword: did you mean required?)", SCHEMA_UNDECIDED },
	{ "{'contains':{'requird':1}}", "[1]",
	    "/contains/requird (unknown keyword: did you mean required?)", SCHEMA_UNDECIDED },
	{ "{'contains':{'requird':1}}", "[]", NULL, SCHEMA_INVALID },
	{ "{'contains':{'requird':1},'maxContains':0,'minContains':0}", "[1]",
	    "/contains/requird (unknown keyword: did you mean required?)", SCHEMA_UNDECIDED },
	{ "{'allOf':[{'requird':1}],'unevaluatedProperties':false}", "{'a':1}",
	    "/allOf/0/requird (unknown keyword: did you mean required?)", SCHEMA_UNDECIDED },
	{ "{'pattern':'(?:(a)|b)*\\\\1'}", "'aab'", "/pattern (not supported)", SCHEMA_UNDECIDED },
	{ "{'pattern':'^(a*)a*a*a*a*a*a*\\\\1$'}", "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab'",
	    "/pattern (too slow)", SCHEMA_UNDECIDED },
	{ "{'$ref':'#'}", "1", "$ref (leads back to itself)", SCHEMA_UNDECIDED },
	{ "{'anyOf':[{'$ref':'#'},{'$ref':'#'}]}", "1", "$ref (leads back to itself)",
	    SCHEMA_UNDECIDED },
	{ "{'$ref':'#/$defs/a','$defs':{'a':{'$ref':'#/$defs/b'},'b':{'$ref':'#/$defs/a'}}}", "1",
	    "$ref (leads back to itself)", SCHEMA_UNDECIDED },
};

static void
test_what_was_not_checked_is_never_valid(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(UNDECIDED); i++) {
		struct json_doc *docs[2];
		struct schema *schema;
		struct report *report =
		    check(UNDECIDED[i].schema, UNDECIDED[i].value, NULL, docs, &schema);
		if (report_facts(report)->outcome != UNDECIDED[i].outcome)
			fail_msg("%s: outcome %d", UNDECIDED[i].schema,
			    (int)report_facts(report)->outcome);
		assert_int_equal(
		    report_facts(report)->unchecked_count > 0, UNDECIDED[i].unchecked != NULL);
		if (UNDECIDED[i].unchecked)
			assert_string_equal(
			    report_facts(report)->unchecked[0], UNDECIDED[i].unchecked);
		release(report, schema, docs);
	}
}

static void
test_dialects_are_told_apart(void **state)
{
	static const struct {
		const char *schema;
		enum schema_draft draft;
		const char *name;
	} CASES[] = {
		{ "{}", SCHEMA_DRAFT_2020_12, "2020-12" },
		{ "{" D04 "}", SCHEMA_DRAFT_04, "draft-04" },
		{ "{" D06 "}", SCHEMA_DRAFT_06, "draft-06" },
		{ "{" D07 "}", SCHEMA_DRAFT_07, "draft-07" },
		{ "{'$schema':'http://json-schema.org/schema#'}", SCHEMA_DRAFT_2020_12, "2020-12" },
		{ "{'$schema':'https://json-schema.org/draft/2020-12/schema/'}",
		    SCHEMA_DRAFT_2020_12, "2020-12" },
		{ "{'$schema':'http://json-schema.org/draft/2019-09/schema/#'}",
		    SCHEMA_DRAFT_2019_09, "2019-09" },
		{ "{'$schema':'https://json-schema.org/draft-07/schema'}", SCHEMA_DRAFT_07,
		    "draft-07" },
		{ "{" D19 "}", SCHEMA_DRAFT_2019_09, "2019-09" },
		{ "{'$schema':'http://json-schema.org/draft/2020-12/schema#'}",
		    SCHEMA_DRAFT_2020_12, "2020-12" },
	};
	for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
		struct json_doc *doc = parse(CASES[i].schema, strlen(CASES[i].schema));
		struct schema *schema = schema_compile(json_root(doc), NULL, NULL);
		assert_non_null(schema);
		assert_int_equal(schema_draft(schema), CASES[i].draft);
		assert_string_equal(schema_draft_name(schema_draft(schema)), CASES[i].name);
		schema_destroy(schema);
		json_doc_destroy(doc);
	}
}

static void
test_the_default_draft_can_be_chosen(void **state)
{
	struct json_doc *doc = parse("{'items':[{'type':'null'}]}", 27);
	const struct schema_options options = { .draft = SCHEMA_DRAFT_07 };

	assert_null(schema_compile(json_root(doc), NULL, NULL));
	struct schema *schema = schema_compile(json_root(doc), &options, NULL);
	assert_int_equal(schema_draft(schema), SCHEMA_DRAFT_07);
	schema_destroy(schema);
	json_doc_destroy(doc);
}

static void
test_formats_warn_assert_or_are_ignored(void **state)
{
	static const struct {
		enum schema_format_mode mode;
		enum schema_outcome outcome;
		size_t count, warnings;
	} CASES[] = {
		{ SCHEMA_FORMAT_WARNS, SCHEMA_VALID, 0, 1 },
		{ SCHEMA_FORMAT_ASSERTS, SCHEMA_INVALID, 1, 0 },
		{ SCHEMA_FORMAT_IGNORED, SCHEMA_VALID, 0, 0 },
	};
	struct json_doc *text = parse("{'format':'ipv4'}", 17), *value = parse("'1.2.3'", 7);

	for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
		const struct schema_options options = { .format = CASES[i].mode };
		struct schema *schema = schema_compile(json_root(text), &options, NULL);
		struct report *report = schema_check(schema, json_root(value), NULL);
		assert_int_equal(report_facts(report)->outcome, CASES[i].outcome);
		assert_int_equal(report_facts(report)->violations, CASES[i].count);
		assert_int_equal(report_facts(report)->warnings, CASES[i].warnings);
		report_destroy(report);
		schema_destroy(schema);
	}
	json_doc_destroy(text);
	json_doc_destroy(value);
}

TEST_FILE(schema_check)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_keyword_decides),
		cmocka_unit_test(test_a_broken_schema_says_where),
		cmocka_unit_test(test_what_was_not_checked_is_never_valid),
		cmocka_unit_test(test_dialects_are_told_apart),
		cmocka_unit_test(test_the_default_draft_can_be_chosen),
		cmocka_unit_test(test_formats_warn_assert_or_are_ignored),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

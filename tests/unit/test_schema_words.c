/* SPDX-License-Identifier: MIT */
#include "base/vec.h"
#include "schema/schema.h"
#include "test.h"

#include <string.h>

/* Each case: a schema, a value, and every violation as "instance path|schema path|line", one a
 * line; a warning starts with "~". */
struct sentence {
	const char *schema, *value, *lines;
};

static const struct sentence TYPES[] = {
	{ "{'type':'integer'}", "'3'", "|/type|string \"3\", expected an integer" },
	{ "{'type':'integer'}", "2.5", "|/type|2.5, expected an integer" },
	{ "{'type':'number'}", "null", "|/type|null, expected a number" },
	{ "{'type':'string'}", "[]", "|/type|an empty array, expected a string" },
	{ "{'type':'string'}", "[1]", "|/type|an array of 1 item, expected a string" },
	{ "{'type':'boolean'}", "{}", "|/type|an empty object, expected a boolean" },
	{ "{'type':'object'}", "true", "|/type|true, expected an object" },
	{ "{'type':'array'}", "{'a':1,'b':2}",
	    "|/type|an object of 2 properties, expected an array" },
	{ "{'type':['string','null']}", "1", "|/type|1, expected a string or null" },
	{ "{'type':['string','integer','null']}", "1.5",
	    "|/type|1.5, expected a string, an integer or null" },
	{ "{'type':'integer'}", "12345678901234567890.5",
	    "|/type|12345678901234567890.5, expected an integer" },
	/* a value that was serialized before it was inserted */
	{ "{'type':'array'}", "'[1,2]'",
	    "|/type|string \"[1,2]\", expected an array (this is JSON: encoded twice?)" },
	{ "{'type':['object','null']}", "'{}'",
	    "|/type|string \"{}\", expected an object or null (this is JSON: encoded twice?)" },
	{ "{'anyOf':[{'type':'array'},{'type':'null'}]}", "'[]'",
	    "|/anyOf|string \"[]\", expected an array or null (this is JSON: encoded twice?)" },
	{ "{'type':'array'}", "'[see above]'", "|/type|string \"[see above]\", expected an array" },
	{ "{'type':'array'}", "'{}'", "|/type|string \"{}\", expected an array" },
	{ "{'type':'integer'}", "'[1]'", "|/type|string \"[1]\", expected an integer" },
};

static const struct sentence VALUES[] = {
	{ "{'enum':['black','white','red','green','blue','yellow']}", "'mauve'",
	    "|/enum|\"mauve\" is not one of black, white, red and 3 more" },
	{ "{'enum':['admin','editor','viewer']}", "'Admin'",
	    "|/enum|\"Admin\" is not one of admin, editor, viewer (did you mean \"admin\"?)" },
	{ "{'enum':['admin','editor']}", "'edtior'",
	    "|/enum|\"edtior\" is not one of admin, editor (did you mean \"editor\"?)" },
	{ "{'enum':['only']}", "1", "|/enum|1 is not \"only\"" },
	{ "{'enum':[1,null,'a b']}", "2", "|/enum|2 is not one of 1, null, \"a b\"" },
	/* the list says more than the type does */
	{ "{'type':'string','enum':['a','b']}", "3", "|/enum|3 is not one of a, b" },
	{ "{'type':'string','enum':[3]}", "3", "|/type|3, expected a string" },
	{ "{'const':'v1'}", "'v2'", "|/const|\"v2\" is not \"v1\"" },
	{ "{'const':'2.0'}", "2.0",
	    "|/const|2.0 is not \"2.0\" (\"2.0\" is a string, 2.0 is not)" },
	{ "{'const':true}", "'true'",
	    "|/const|\"true\" is not true (\"true\" is a string, true is not)" },
	{ "{'enum':[1,2]}", "'2'",
	    "|/enum|\"2\" is not one of 1, 2 (\"2\" is a string, 2 is not)" },
	{ "{'enum':[1,2]}", "'3'", "|/enum|\"3\" is not one of 1, 2" },
	{ "{'minimum':0}", "-4", "|/minimum|-4 is less than the minimum 0" },
	{ "{'maximum':10}", "10.5", "|/maximum|10.5 is more than the maximum 10" },
	{ "{'exclusiveMinimum':0}", "0", "|/exclusiveMinimum|0 is not more than 0" },
	{ "{'exclusiveMaximum':9007199254740993}", "9007199254740993",
	    "|/exclusiveMaximum|9007199254740993 is not less than 9007199254740993" },
	{ "{'multipleOf':5}", "7", "|/multipleOf|7 is not a multiple of 5" },
	{ "{'minLength':3}", "'ab'", "|/minLength|\"ab\" has 2 characters, expected at least 3" },
	{ "{'minLength':1}", "''", "|/minLength|\"\" is empty, expected at least 1 character" },
	{ "{'maxLength':1}", "'\xc3\xa9\xc3\xa9'",
	    "|/maxLength|\"\xc3\xa9\xc3\xa9\" has 2 characters, expected at most 1" },
	{ "{'pattern':'^[0-9]+$'}", "'a1'", "|/pattern|\"a1\" does not match ^[0-9]+$" },
	{ "{'format':'date'}", "'March 12'",
	    "~|/format|\"March 12\" is not a date, such as 2026-03-12" },
	{ "{'format':'email'}", "'nobody'",
	    "~|/format|\"nobody\" is not an e-mail address: there is no @" },
};

static const struct sentence OBJECTS[] = {
	{ "{'required':['name','id']}", "{'id':1}", "|/required|name is missing" },
	{ "{'properties':{'role':{}},'additionalProperties':false}", "{'rol':1}",
	    "/rol|/additionalProperties|rol is not declared (did you mean role?)" },
	{ "{'properties':{'role':{}},'additionalProperties':false}", "{'quite else':1}",
	    "/quite else|/additionalProperties|\"quite else\" is not declared" },
	{ "{'properties':{'a':{'type':'null'}}}", "{'a':1}",
	    "/a|/properties/a/type|1, expected null" },
	{ "{'properties':{'a':false}}", "{'a':1}", "/a|/properties/a|a must not be present" },
	/* the similar name that is present, or its location */
	{ "{'properties':{'name':{}},'required':['name']}", "{'nmae':1,'x':2}",
	    "|/required|name is missing (there is nmae)" },
	{ "{'properties':{'name':{},'names':{}},'required':['name']}", "{'names':1}",
	    "|/required|name is missing" },
	{ "{'required':['users','total']}", "{'result':{'users':[],'total':0}}",
	    "|/required|users is missing (it is in result)\n"
	    "|/required|total is missing (it is in result)" },
	{ "{'required':['users']}", "{'result':{'users':[]},'total':0}",
	    "|/required|users is missing" },
	{ "{'patternProperties':{'^x':{'type':'null'}}}", "{'x/1':1,'y':1}",
	    "/x~11|/patternProperties/^x/type|1, expected null" },
	{ "{'additionalProperties':{'type':'null'}}", "{'a':1}",
	    "/a|/additionalProperties/type|1, expected null" },
	{ "{'propertyNames':{'pattern':'^[a-z]+$'}}", "{'A b':1}",
	    "/A b|/propertyNames/pattern|the name \"A b\" does not match ^[a-z]+$" },
	{ "{'propertyNames':{'enum':['one','two']}}", "{'tow':1}",
	    "/tow|/propertyNames/enum|the name \"tow\" is not one of one, two (did you mean "
	    "\"two\"?)" },
	{ "{'minProperties':2}", "{'a':1}",
	    "|/minProperties|an object of 1 property, expected at least 2 properties" },
	{ "{'maxProperties':1}", "{'a':1,'b':2}",
	    "|/maxProperties|an object of 2 properties, expected at most 1 property" },
	{ "{'dependentRequired':{'card':['address']}}", "{'card':1}",
	    "|/dependentRequired|address is missing (required with card)" },
	{ "{'dependentSchemas':{'a':{'required':['b']}}}", "{'a':1}",
	    "|/dependentSchemas/a/required|b is missing" },
	{ "{'dependencies':{'a':['b'],'c':{'required':['d']}}}", "{'a':1,'c':1}",
	    "|/dependencies|b is missing (required with a)\n|/dependencies/c/required|d is "
	    "missing" },
	{ "{'properties':{'name':{}},'unevaluatedProperties':false}", "{'nam':1,'name':2}",
	    "/nam|/unevaluatedProperties|nam is not declared (did you mean name?)" },
	{ "{'allOf':[{'properties':{'a':{}}}],'unevaluatedProperties':{'type':'null'}}",
	    "{'a':1,'b':2}", "/b|/unevaluatedProperties/type|2, expected null" },
};

static const struct sentence ARRAYS[] = {
	{ "{'items':{'type':'integer'}}", "[1,'a',2,null]",
	    "/1|/items/type|string \"a\", expected an integer\n/3|/items/type|null, expected an "
	    "integer" },
	{ "{'prefixItems':[true,{'type':'null'}]}", "[1,2,3]",
	    "/1|/prefixItems/1/type|2, expected null" },
	{ "{'prefixItems':[true],'items':false}", "[1,2]",
	    "/1|/items|too many items, expected at most 1 item" },
	{ "{'$schema':'http://json-schema.org/draft-07/"
	  "schema#','items':[true,true],'additionalItems':false}",
	    "[1,2,3]", "/2|/additionalItems|too many items, expected at most 2 items" },
	{ "{'minItems':2}", "[]", "|/minItems|an empty array, expected at least 2 items" },
	{ "{'maxItems':1}", "[1,2]", "|/maxItems|an array of 2 items, expected at most 1 item" },
	{ "{'uniqueItems':true}", "[{'a':1,'b':2},3,{'b':2,'a':1.0}]",
	    "|/uniqueItems|item 2 repeats item 0" },
	{ "{'uniqueItems':true}", "[1,2,3,3,1]", "|/uniqueItems|item 3 repeats item 2" },
	{ "{'contains':{'type':'string'}}", "[1]", "|/contains|no item is a string" },
	{ "{'contains':{'type':'string'},'minContains':2}", "['a',1]",
	    "|/contains|1 item is a string, expected at least 2" },
	{ "{'contains':{'type':'string'},'maxContains':1}", "['a','b']",
	    "|/contains|2 items are each a string, expected at most 1" },
	{ "{'contains':{'properties':{'main':{'const':true}},'required':['main']}}", "[{}]",
	    "|/contains|no item is an object with main true" },
	{ "{'contains':{'enum':['a','b']}}", "[1]", "|/contains|no item is one of a, b" },
	{ "{'contains':{'type':'string','minLength':1}}", "[1]",
	    "|/contains|no item fits (item 0: 1, expected a string)" },
	{ "{'prefixItems':[true],'unevaluatedItems':false}", "[1,2]",
	    "/1|/unevaluatedItems|item 1 is not declared" },
};

static const struct sentence ALTERNATIVES[] = {
	/* none is meant more than the others, but each lacks something */
	{ "{'anyOf':[{'required':['a','b'],'properties':{'a':{},'b':{}}},"
	  "{'required':['c'],'properties':{'c':{}}}]}",
	    "{'z':1}", "|/anyOf|expected property \"a\" + \"b\", or \"c\"" },
	/* nothing but types: one sentence */
	{ "{'anyOf':[{'type':'integer'},{'type':'null'}]}", "'x'",
	    "|/anyOf|string \"x\", expected an integer or null" },
	/* one branch for this type: its own complaint */
	{ "{'anyOf':[{'type':'string','maxLength':2},{'type':'null'}]}", "'abc'",
	    "|/anyOf/0/maxLength|\"abc\" has 3 characters, expected at most 2" },
	{ "{'anyOf':[{'$ref':'#/$defs/"
	  "u'},{'type':'null'}],'$defs':{'u':{'type':'object','required':['id']}}}",
	    "{}", "|/$defs/u/required|id is missing" },
	/* told apart by a constant */
	{ "{'oneOf':[{'properties':{'kind':{'const':'a'},'n':{'type':'integer'}}},"
	  "{'properties':{'kind':{'const':'b'},'s':{'type':'string'}}}]}",
	    "{'kind':'b','s':3}", "/s|/oneOf/1/properties/s/type|3, expected a string" },
	/* distinguished by their declared properties */
	{ "{'anyOf':[{'properties':{'url':{'type':'string'}},'required':['url']},"
	  "{'properties':{'path':{'type':'string'}},'required':['path']}]}",
	    "{'path':1}", "/path|/anyOf/1/properties/path/type|1, expected a string" },
	{ "{'anyOf':[{'minimum':5},{'maximum':-5},{'const':1}]}", "3",
	    "|/anyOf|3 is less than the minimum 5 and more than the maximum -5 and not 1" },
	{ "{'oneOf':[{'minimum':2},{'minimum':1},{'maximum':-5}]}", "3",
	    "|/oneOf|3 matches 2 of 3 alternatives (/oneOf/0 and /oneOf/1), expected exactly one" },
	{ "{'oneOf':[{'$ref':'#/$defs/Box'},{'type':'null'},{'title':'Round one','minimum':1},"
	  "{'maximum':5},{'minimum':2},{'minimum':9}],'$defs':{'Box':{'type':'number'}}}",
	    "3",
	    "|/oneOf|3 matches 4 of 6 alternatives (Box, Round one, /oneOf/3 and 1 more), "
	    "expected exactly one" },
	{ "{'allOf':[{'type':'string'},{'type':'string'},{'minimum':4}]}", "3",
	    "|/allOf/0/type|3, expected a string\n"
	    "|/allOf/2/minimum|3 is less than the minimum 4" },
	/* choices with titles are an enum; kinds of objects are distinguished by their tag */
	{ "{'oneOf':[{'const':'open','title':'Open'},{'const':'paid'}]}", "'opne'",
	    "|/oneOf|\"opne\" is not one of open, paid (did you mean \"open\"?)" },
	{ "{'oneOf':[{'properties':{'kind':{'const':'a'}},'required':['kind']},"
	  "{'$ref':'#/$defs/b'}],'$defs':{'b':{'properties':{'kind':{'enum':['b','c']}},"
	  "'required':['kind']}}}",
	    "{'n':1,'kind':'x'}", "/kind|/oneOf|\"x\" is not one of a, b, c" },
	{ "{'anyOf':[{'properties':{'kind':{'const':'a'}},'required':['kind']},"
	  "{'properties':{'kind':{'const':'b'}},'required':['kind']}]}",
	    "{'n':1}", "|/anyOf|kind is missing, expected one of a, b" },
	{ "{'not':{'type':'string'}}", "'s'", "|/not|string \"s\", but a string is excluded" },
	/* of no kind that is known, required or not; told apart below an allOf, by a $ref, in a
	   property */
	{ "{'anyOf':[{'properties':{'type':{'const':'text','default':'text'},'text':{}},'required':"
	  "['text']},"
	  "{'properties':{'type':{'const':'image'},'mime':{}},'required':['mime']},"
	  "{'properties':{'type':{'const':'audio'},'rate':{}},'required':['rate']}]}",
	    "{'type':'video','data':'x'}",
	    "/type|/anyOf|\"video\" is not one of text, image, audio" },
	{ "{'oneOf':[{'allOf':[{'$ref':'#/$defs/"
	  "b'},{'properties':{'type':{'const':'a'}},'required':['type']}]},"
	  "{'allOf':[{'$ref':'#/$defs/"
	  "b'},{'properties':{'type':{'const':'b'},'s':{'type':'string'}},'required':['type']}]}],"
	  "'$defs':{'b':{'properties':{'id':{}}}}}",
	    "{'type':'b','s':3}", "/s|/oneOf/1/allOf/1/properties/s/type|3, expected a string" },
	{ "{'oneOf':[{'properties':{'event':{'properties':{'type':{'const':'a'}},'required':['type'"
	  "]}},'required':['event']},"
	  "{'properties':{'event':{'properties':{'type':{'const':'b'},'s':{'type':'string'}},'"
	  "required':['type']}},'required':['event']}]}",
	    "{'event':{'type':'b','s':3}}",
	    "/event/s|/oneOf/1/properties/event/properties/s/type|3, expected a string" },
	{ "{'oneOf':[{'properties':{'event':{'properties':{'type':{'const':'a'}},'required':['type'"
	  "]}},'required':['event']},"
	  "{'properties':{'event':{'properties':{'type':{'const':'b'}},'required':['type']}},'"
	  "required':['event']}]}",
	    "{'event':{'s':3}}", "/event|/oneOf|type is missing, expected one of a, b" },
	{ "{'oneOf':[{'$ref':'#/$defs/Cat'},{'$ref':'#/$defs/"
	  "Dog'}],'discriminator':{'propertyName':'pet','mapping':{'d':'#/$defs/Dog'}},"
	  "'$defs':{'Cat':{'properties':{'pet':{},'n':{'type':'null'}}},'Dog':{'properties':{'pet':"
	  "{},'n':{'type':'integer'}}}}}",
	    "{'pet':'d','n':'x'}",
	    "/n|/$defs/Dog/properties/n/type|string \"x\", expected an integer" },
	{ "{'oneOf':[{'$ref':'#/$defs/Cat'},{'$ref':'#/$defs/"
	  "Dog'}],'discriminator':{'propertyName':'pet'},"
	  "'$defs':{'Cat':{'properties':{'pet':{},'n':{'type':'null'}}},'Dog':{'properties':{'pet':"
	  "{},'n':{'type':'integer'}}}}}",
	    "{'pet':'Cat','n':'x'}",
	    "/n|/$defs/Cat/properties/n/type|string \"x\", expected null" },
	/* distinguished by their required properties */
	{ "{'anyOf':[{'required':['and'],'properties':{'and':{}}},{'required':['or'],'properties':{"
	  "'or':{}}},"
	  "{'required':['field','op'],'properties':{'field':{},'op':{}}}]}",
	    "{'adn':[]}",
	    "|/anyOf|expected property \"and\", or \"or\", or \"field\" + \"op\" (did you mean "
	    "\"and\"?)" },
	/* constants and types */
	{ "{'anyOf':[{'const':'a'},{'const':'b'},{'type':'null'}]}", "'c'",
	    "|/anyOf|\"c\" is not one of a, b, or null" },
	{ "{'anyOf':[{'enum':['a','b']},{'enum':['c']},{'type':'integer'}]}", "'x'",
	    "|/anyOf|\"x\" is not one of a, b, c, or an integer" },
	/* the tag decides, not another constant */
	{ "{'anyOf':[{'properties':{'pet':{'const':'dog'},'color':{'const':'brown'},'bark':{}},"
	  "'required':['pet','color','bark'],'type':'object'},{'properties':{'pet':{'const':'cat'},"
	  "'color':{'enum':['black','white']},'lives':{}},'required':['pet','color','lives'],"
	  "'type':'object'}]}",
	    "{'pet':'dog','color':'black','bark':'loud'}",
	    "/color|/anyOf/0/properties/color/const|\"black\" is not \"brown\"" },
	/* a tuple of this length is meant */
	{ "{'anyOf':[{'type':'array','prefixItems':[{'type':'integer'},{'type':'integer'}],'"
	  "minItems':2,"
	  "'maxItems':2},{'type':'array','prefixItems':[{'type':'integer'},{'type':'integer'},"
	  "{'type':'integer'}],'minItems':3,'maxItems':3}]}",
	    "[1,'2',3]", "/1|/anyOf/1/prefixItems/1/type|string \"2\", expected an integer" },
	{ "{'anyOf':[{'type':'array','minItems':2,'maxItems':2},{'type':'array','minItems':3,"
	  "'maxItems':3}]}",
	    "[1,2,3,4]", "|/anyOf|an array of 4 items, expected 2 or 3 items" },
	/* a number in quotes */
	{ "{'anyOf':[{'type':'integer','minimum':0,'maximum':10},{'enum':['auto','none']}]}", "'5'",
	    "|/anyOf|\"5\" is not one of auto, none, or an integer" },
	/* all say the same of one member */
	{ "{'anyOf':[{'type':'object','properties':{'type':{'const':'image'},'data':{'type':'"
	  "string'}},"
	  "'required':['data']},{'type':'object','properties':{'type':{'const':'audio'},'data':{'"
	  "type':"
	  "'string'}},'required':['data']}]}",
	    "{'data':5}", "/data|/anyOf/1/properties/data/type|5, expected a string" },
	{ "{'anyOf':[{'type':'string','format':'email'},{'type':'string','format':'uri'}]}",
	    "'nope'",
	    "~|/anyOf/0/format|\"nope\" is not an e-mail address: there is no @\n"
	    "~|/anyOf/1/format|\"nope\" is not a URI: it does not begin with a scheme, such as "
	    "https:" },
	/* what excludes each other */
	{ "{'oneOf':[{'properties':{'uri':{},'text':{}},'required':['uri','text'],'"
	  "additionalProperties':false},"
	  "{'properties':{'uri':{},'blob':{}},'required':['uri','blob'],'additionalProperties':"
	  "false}]}",
	    "{'uri':1,'text':2,'blob':3}", "|/oneOf|text and blob must not be present together" },
	{ "{'oneOf':[{'required':['id']},{'required':['name']}]}", "{'id':1,'name':2}",
	    "|/oneOf|id and name must not be present together" },
	/* what each of them complains of */
	{ "{'anyOf':[{'type':'string','pattern':'^usr_'},{'type':'string','pattern':'^[0-9]+$'}]}",
	    "'bob'", "|/anyOf|\"bob\" does not match ^usr_ nor ^[0-9]+$" },
	{ "{'anyOf':[{'maximum':0},{'minimum':10}]}", "5",
	    "|/anyOf|5 is more than the maximum 0 and less than the minimum 10" },
	{ "{'anyOf':[{'items':{'type':'integer'}},{'items':{'type':'string'}}]}", "['a',1]",
	    "|/anyOf|an array of 2 items matches none of 2 alternatives: at /0: string \"a\", "
	    "expected an integer; or at /1: 1, expected a string" },
	{ "{'anyOf':[{'properties':{'foo':{'type':'string'}}},{'properties':{'foo':{'type':'"
	  "boolean'}}}]}",
	    "{'foo':42}", "|/anyOf|at /foo: 42, expected a string or boolean" },
	{ "{'anyOf':[{'anyOf':[{'type':'string'},{'type':'integer'}]},{'anyOf':[{'type':'null'},{'"
	  "type':'boolean'}]}]}",
	    "[]", "|/anyOf|an empty array, expected a string, an integer, a boolean or null" },
	/* properties declared by the intended branch are not reported as undeclared */
	{ "{'oneOf':[{'properties':{'k':{'const':'a'},'x':{'type':'integer'}},'required':['k']},"
	  "{'properties':{'k':{'const':'b'}},'required':['k']}],'unevaluatedProperties':false}",
	    "{'k':'a','x':'1','q':2}",
	    "/x|/oneOf/0/properties/x/type|string \"1\", expected an integer\n"
	    "/q|/unevaluatedProperties|q is not declared" },
	{ "{'not':{'enum':['admin','root']}}", "'root'",
	    "|/not|\"root\" is one of admin, root, which are excluded" },
	{ "{'not':{'const':'x'}}", "'x'", "|/not|\"x\" is excluded" },
	{ "{'not':{'pattern':'[.][.]'}}", "'../etc'",
	    "|/not|\"../etc\" matches [.][.], which is excluded" },
	{ "{'not':{'anyOf':[{'required':['a']},{'required':['b']}]}}", "{'b':1}",
	    "|/not|b must not be present" },
	{ "{'if':{'required':['a']},'then':false}", "{'a':1}", "|/then|a must not be present" },
	/* names that do not read like names, strings that read like something else */
	{ "{'required':['','is','a b','ok']}", "{}",
	    "|/required|\"\" is missing\n|/required|\"is\" is missing\n|/required|\"a b\" is "
	    "missing\n|/required|ok is missing" },
	{ "{'enum':['1',1]}", "2", "|/enum|2 is not one of \"1\", 1" },
	{ "{'enum':[null,'null']}", "2", "|/enum|2 is not one of null, \"null\"" },
	{ "{'enum':['US','DE']}", "'UK'", "|/enum|\"UK\" is not one of US, DE" },
	{ "{'const':'caf\xc3\xa9'}", "'cafe\xcc\x81'",
	    "|/const|\"cafe\xcc\x81\" is not \"caf\xc3\xa9\" (differs only in the Unicode form: "
	    "NFD, not NFC)" },
	{ "{'const':{'a':{'b':[1,2]},'c':3}}", "{'c':3,'a':{'b':[1,4]}}",
	    "|/const|differs from the constant at /a/b/1: 4 is not 2" },
	{ "{'contains':{'required':['id']}}", "[{}]", "|/contains|no item has id" },
	{ "{'allOf':[{'maximum':10},{'maximum':5},{'maximum':7}]}", "20",
	    "|/allOf/1/maximum|20 is more than the maximum 5" },
	{ "{'not':{'required':['a']}}", "{'a':1}", "|/not|a must not be present" },
	{ "{'not':{'required':['a','b']}}", "{'a':1,'b':1}",
	    "|/not|a and b must not be present together" },
	{ "{'type':'object','not':{'required':['a']}}", "3", "|/type|3, expected an object" },
	{ "{'if':{'required':['a']},'then':{'required':['b']},'else':{'required':['c']}}",
	    "{'a':1}", "|/then/required|b is missing" },
	{ "{'if':{'required':['a']},'then':{'required':['b']},'else':{'required':['c']}}", "{}",
	    "|/else/required|c is missing" },
	{ "false", "1", "||1, but nothing is allowed here" },
	/* warnings come only from a matching branch, and never from a condition */
	{ "{'anyOf':[{'format':'date'},{'type':'null'}]}", "'x'",
	    "~|/anyOf/0/format|\"x\" is not a date, such as 2026-03-12" },
	{ "{'anyOf':[{'format':'date'},{'format':'regex'}]}", "'x'", "" },
	{ "{'if':{'format':'date'},'then':true}", "'x'", "" },
	{ "{'not':{'format':'date','type':'null'}}", "'x'", "" },
	{ "{'items':{'format':'date'}}", "['x','2026-03-12']",
	    "~/0|/items/format|\"x\" is not a date, such as 2026-03-12" },
};

static struct json_doc *
parse(const char *text)
{
	char copy[1024];
	size_t len = strlen(text);

	assert_true(len < sizeof(copy));
	for (size_t i = 0; i <= len; i++)
		copy[i] = text[i] == '\'' ? '"' : text[i];
	struct json_doc *doc = json_parse(copy, len, NULL, NULL);
	if (!doc)
		fail_msg("not JSON: %s", text);
	return doc;
}

static void
describe(const struct report *report, struct buf *out)
{
	for (size_t i = 0; i < report_facts(report)->kept; i++) {
		buf_add_str(out, i ? "\n" : "");
		buf_add_str(out, report_at(report, i)->warning ? "~" : "");
		report_instance_path(report, i, out);
		buf_add_char(out, '|');
		report_schema_path(report, i, out);
		buf_add_char(out, '|');
		report_line(report, i, out);
	}
}

static void
expect(const struct sentence *sentences, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct json_doc *text = parse(sentences[i].schema),
				*value = parse(sentences[i].value);
		struct schema_problem problem;
		struct schema *schema = schema_compile(json_root(text), NULL, &problem);
		if (!schema)
			fail_msg("%s: %s", sentences[i].schema, problem.text);
		struct report *report = schema_check(schema, json_root(value), NULL);
		struct buf lines = BUF_INIT;
		describe(report, &lines);
		assert_string_equal(buf_text(&lines), sentences[i].lines);
		assert_int_equal(report_facts(report)->outcome,
		    report_facts(report)->violations ? SCHEMA_INVALID : SCHEMA_VALID);
		buf_finish(&lines);
		report_destroy(report);
		schema_destroy(schema);
		json_doc_destroy(text);
		json_doc_destroy(value);
	}
}

#define EXPECT(table) expect(table, ARRAY_LEN(table))

static void
test_types_are_named_plainly(void **state)
{
	EXPECT(TYPES);
}

static void
test_values_are_quoted_with_what_was_expected(void **state)
{
	EXPECT(VALUES);
}

static void
test_objects_say_what_is_missing_or_too_much(void **state)
{
	EXPECT(OBJECTS);
}

static void
test_arrays_say_which_item(void **state)
{
	EXPECT(ARRAYS);
}

static void
test_alternatives_speak_for_the_branch_that_was_meant(void **state)
{
	EXPECT(ALTERNATIVES);
}

static void
test_expected_and_found_stand_apart(void **state)
{
	struct json_doc *text =
	    parse("{'properties':{'a':{'type':['integer','null']}},'required':['b']}");
	struct json_doc *value = parse("{'a':'x'}");
	struct schema *schema = schema_compile(json_root(text), NULL, NULL);
	struct report *report = schema_check(schema, json_root(value), NULL);
	struct buf out = BUF_INIT;

	assert_int_equal(report_facts(report)->kept, 2);
	report_expected(report, 0, &out);
	buf_add_char(&out, '|');
	report_found(report, 0, &out);
	buf_add_char(&out, '|');
	report_expected(report, 1, &out);
	buf_add_char(&out, '|');
	report_found(report, 1, &out);
	assert_string_equal(buf_text(&out), "b|nothing|an integer or null|string \"x\"");
	buf_finish(&out);
	report_destroy(report);
	schema_destroy(schema);
	json_doc_destroy(text);
	json_doc_destroy(value);
}

static void
expect_line_of_union(const char *branch, size_t count, const char *value, const char *line)
{
	struct buf text = BUF_INIT, out = BUF_INIT;

	buf_add_str(&text, "{\"oneOf\":[");
	for (size_t i = 0; i < count; i++) {
		buf_add_str(&text, i ? "," : "");
		for (const char *c = branch; *c; c++)
			if (*c == '#')
				buf_addf(&text, "%zu", i);
			else
				buf_add_char(&text, *c == '\'' ? '"' : *c);
	}
	buf_add_str(&text, "]}");
	struct json_doc *doc = json_parse(buf_text(&text), text.len, NULL, NULL);
	assert_non_null(doc);
	struct json_doc *instance = parse(value);
	struct schema *schema = schema_compile(json_root(doc), NULL, NULL);
	struct report *report = schema_check(schema, json_root(instance), NULL);
	assert_int_equal(report_facts(report)->kept, 1);
	report_line(report, 0, &out);
	assert_string_equal(buf_text(&out), line);
	report_destroy(report);
	schema_destroy(schema);
	json_doc_destroy(doc);
	json_doc_destroy(instance);
	buf_finish(&text);
	buf_finish(&out);
}

/* By required names, constants, types and nested constants. */
static void
test_unions_of_any_size_are_explained(void **state)
{
	static const char NAMED[] =
	    "{'type':'object','properties':{'V#':{'type':'integer'}},'required':['V#'],"
	    "'additionalProperties':false}";
	static const char NESTED[] =
	    "{'anyOf':[{'properties':{'k':{'const':'a#'}},'required':['k','n']},"
	    "{'properties':{'k':{'const':'b#'}},'required':['k','m']}]}";

	expect_line_of_union(NAMED, 3000, "{'V2999':'x'}", "string \"x\", expected an integer");
	expect_line_of_union(NAMED, 1000, "{'v977':1}",
	    "expected property \"V0\", \"V1\", \"V2\", \"V3\" or 996 others (did you mean "
	    "\"V977\"?)");
	expect_line_of_union(NESTED, 500, "{'k':'b499'}", "m is missing");
	expect_line_of_union(
	    NESTED, 500, "{'k':'c'}", "\"c\" is not one of a0, b0, a1 and 997 more");
	expect_line_of_union("{'pattern':'^a#$'}", 400, "'z'",
	    "\"z\" does not match ^a0$ nor ^a1$ nor ^a2$ nor ^a3$, and 396 more alternatives fail");
}

static void
test_long_values_are_shortened(void **state)
{
	char value[600] = "'";
	memset(value + 1, 'a', 500);
	memcpy(value + 501, "'", 2);
	struct json_doc *text = parse("{'type':'null'}"), *doc = parse(value);
	struct schema *schema = schema_compile(json_root(text), NULL, NULL);
	struct report *report = schema_check(schema, json_root(doc), NULL);
	struct buf out = BUF_INIT;

	report_line(report, 0, &out);
	assert_true(out.len < 100);
	assert_non_null(strstr(buf_text(&out), "…"));
	buf_finish(&out);
	report_destroy(report);
	schema_destroy(schema);
	json_doc_destroy(text);
	json_doc_destroy(doc);
}

/* The short form and the long one. */
static void
test_a_cell_has_few_words_an_excerpt_the_keyword_in_its_schema(void **state)
{
	static const char text[] =
	    "{\"items\":{\"required\":[\"id\"],\"properties\":{\"id\":{\"title\":\"The id\","
	    "\"type\":\"integer\",\"minimum\":5}},\"additionalProperties\":false}}";
	static const char value[] = "[{\"id\":\"x\"},{},{\"id\":7,\"other\":1}]";
	static const char *const cells[] = { "expected an integer", "missing",
		"expected no such property" };
	static const char *const excerpts[] = {
		"  {\n    \"title\": \"The id\",\n▸   \"type\": \"integer\",\n    \"minimum\": 5\n "
		" }\n",
		"  {\n▸   \"required\": [\"id\"],\n"
		"    \"properties\": {\"id\": {\"title\": \"The id\", \"type\": \"integer\", "
		"\"minimum\": 5}},\n"
		"    \"additionalProperties\": false\n  }\n",
		"  {\n    \"required\": [\"id\"],\n"
		"    \"properties\": {\"id\": {\"title\": \"The id\", \"type\": \"integer\", "
		"\"minimum\": 5}},\n"
		"▸   \"additionalProperties\": false\n  }\n",
	};
	struct json_doc *s = json_parse(text, strlen(text), NULL, NULL);
	struct json_doc *v = json_parse(value, strlen(value), NULL, NULL);
	struct schema *schema = schema_compile(json_root(s), NULL, NULL);
	struct report *report = schema_check(schema, json_root(v), NULL);
	struct buf out = BUF_INIT;

	assert_int_equal(report_facts(report)->kept, 3);
	for (size_t i = 0; i < 3; i++) {
		buf_clear(&out);
		report_cell(report, i, &out);
		assert_string_equal(buf_text(&out), cells[i]);
		buf_clear(&out);
		report_excerpt(report, i, &out);
		assert_string_equal(buf_text(&out), excerpts[i]);
	}
	buf_finish(&out);
	report_destroy(report);
	schema_destroy(schema);
	json_doc_destroy(s);
	json_doc_destroy(v);
}

TEST_FILE(schema_words)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_types_are_named_plainly),
		cmocka_unit_test(test_values_are_quoted_with_what_was_expected),
		cmocka_unit_test(test_objects_say_what_is_missing_or_too_much),
		cmocka_unit_test(test_arrays_say_which_item),
		cmocka_unit_test(test_alternatives_speak_for_the_branch_that_was_meant),
		cmocka_unit_test(test_expected_and_found_stand_apart),
		cmocka_unit_test(test_unions_of_any_size_are_explained),
		cmocka_unit_test(test_long_values_are_shortened),
		cmocka_unit_test(test_a_cell_has_few_words_an_excerpt_the_keyword_in_its_schema),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "demo_priv.h"

/* Data of every shape. */

static const char array_result_data[] = JSON_TEXT([
	{"planet":"Mercury","moons":0,"ringed":false},
	{"planet":"Mars","moons":2,"ringed":false},
	{"planet":"Saturn","moons":146,"ringed":true}]);

static void
array_result(struct demo_call *call)
{
	demo_result(call);
	demo_text(call, "3 planets");
	demo_any_value(call, array_result_data);
	demo_end(call);
}

static const char array_result_output[] = JSON_TEXT({"type":"array","items":{"type":"object","properties":{
	"planet":{"type":"string"},
	"moons":{"type":"integer","minimum":0},
	"ringed":{"type":"boolean"}},
	"required":["planet","moons","ringed"]}});

const struct demo_tool demo_tool_array_result = {
	.name = "array_result",
	.title = "An array as the result",
	.description = "structuredContent is an array, not an object. Allowed since 2026-07-28; "
		       "clients of older versions get it in an object.",
	.annotations = DEMO_READ_ONLY,
	.input_schema = DEMO_NO_INPUT,
	.output_schema = array_result_output,
	.any_value = true,
	.run = array_result,
};

static void
scalar_result(struct demo_call *call)
{
	static const char *const kinds[] = { "number", "string", "boolean", "null", NULL };
	static const char *const values[] = { "42", "\"forty-two\"", "true", "null" };
	size_t kind = 0;

	if (!demo_arg_choice(call, "kind", kinds, &kind))
		return;
	demo_result(call);
	demo_text(call, "The result is %s", values[kind]);
	demo_any_value(call, values[kind]);
	demo_end(call);
}

static const char scalar_result_input[] = JSON_TEXT({"type":"object","properties":{
	"kind":{"type":"string","enum":["number","string","boolean","null"],"default":"number"}}});

static const char scalar_result_output[] = JSON_TEXT({"type":["number","string","boolean","null"]});

const struct demo_tool demo_tool_scalar_result = {
	.name = "scalar_result",
	.title = "A single value as the result",
	.description = "structuredContent is one number, string, boolean or null. Allowed since "
		       "2026-07-28. Mind that a null is a result, unlike no structuredContent.",
	.annotations = DEMO_READ_ONLY,
	.input_schema = scalar_result_input,
	.output_schema = scalar_result_output,
	.any_value = true,
	.run = scalar_result,
};

static const char nested_data[] = JSON_TEXT({
	"people":[
	{"id":1,"name":"Alice","nick":"Al",
		"address":{"city":"Lisbon","geo":{"lat":38.7223,"lon":-9.1393}},
		"skills":["C","welding"],
		"jobs":[{"at":"Acme","from":2019},{"at":"Initech","from":2023,"part_time":true}]},
	{"id":2,"name":"Bob","nick":null,"address":{"city":"Berlin"},"skills":[],"jobs":[]},
	{"id":3,"name":"Charlie","nick":"","address":null,"skills":["C"]},
	{"id":4,"name":"Dora","nick":"null","extra":"only this row has me","jobs":[{"at":"Hooli"}]}],
	"matrix":[[1,0,0],[0,1,0],[0,0,1]],
	"by_country":{"DE":{"people":1,"capital":"Berlin"},"PT":{"people":1,"capital":"Lisbon"}},
	"deep":{"a":{"b":{"c":{"d":{"e":{"f":{"g":{"h":[[[["the bottom"]]]]}}}}}}}},
	"empty_object":{},"empty_array":[],"":"the key is empty","a/b~c.d e":"an awkward key"});

static void
nested(struct demo_call *call)
{
	demo_result(call);
	demo_text(call, "4 people, a matrix and something deep");
	demo_structured(call, nested_data);
	demo_end(call);
}

static const char nested_output[] = JSON_TEXT({"type":"object","properties":{
	"people":{"type":"array","items":{"$ref":"#/$defs/person"}},
	"matrix":{"type":"array","items":{"type":"array","items":{"type":"number"}}},
	"by_country":{"type":"object","additionalProperties":{"type":"object"}},
	"deep":{"type":"object"}},
	"required":["people"],
	"$defs":{"person":{"type":"object","properties":{
		"id":{"type":"integer"},
		"name":{"type":"string"},
		"nick":{"type":["string","null"]},
		"address":{"type":["object","null"],"properties":{
			"city":{"type":"string"},
			"geo":{"type":"object","properties":{
				"lat":{"type":"number"},"lon":{"type":"number"}}}}},
		"skills":{"type":"array","items":{"type":"string"}},
		"jobs":{"type":"array","items":{"type":"object"}}},
		"required":["id","name"]}}});

const struct demo_tool demo_tool_nested = {
	.name = "nested",
	.title = "Nested and ragged data",
	.description =
	    "Objects in rows, arrays in rows, rows that lack a member. Look at nick: null, "
	    "\"\" and \"null\" are three different things. Most rows have no extra at all.",
	.annotations = DEMO_READ_ONLY,
	.input_schema = DEMO_NO_INPUT,
	.output_schema = nested_output,
	.run = nested,
};

static const char big_numbers_data[] =
    JSON_TEXT({"numbers":[
	{"what":"2^53","value":9007199254740992},
	{"what":"2^53 + 1","value":9007199254740993},
	{"what":"more than 64 bits","value":12345678901234567890},
	{"what":"40 digits","value":-1234567890123456789012345678901234567890},
	{"what":"a long decimal","value":3.14159265358979323846264338327950288419716939937510},
	{"what":"a price with its zero","value":1.10},
	{"what":"minus zero","value":-0},
	{"what":"past any double","value":1e400},
	{"what":"closer to zero than any double","value":1E-400},
	{"what":"an integer, though it does not look it","value":12.50e1}],
	"account":98765432109876543210});

static void
big_numbers(struct demo_call *call)
{
	demo_result(call);
	demo_text(call, "10 numbers, not one of them rounded");
	demo_structured(call, big_numbers_data);
	demo_end(call);
}

static const char big_numbers_output[] = JSON_TEXT({"type":"object","properties":{
	"numbers":{"type":"array","items":{"type":"object","properties":{
		"what":{"type":"string"},"value":{"type":"number"}},
		"required":["what","value"]}},
	"account":{"type":"integer"}},
	"required":["numbers","account"]});

const struct demo_tool demo_tool_big_numbers = {
	.name = "big_numbers",
	.title = "Numbers too big to be true",
	.description = "Numbers that most clients round: here every digit is kept. Integers beyond "
		       "2^53, long decimals, 1e400, -0, 1.10.",
	.annotations = DEMO_READ_ONLY,
	.input_schema = DEMO_NO_INPUT,
	.output_schema = big_numbers_output,
	.run = big_numbers,
};

#include "demo_priv.h"

/* Results that break their own promise, each in one way. */

static const char result_schema[] =
    JSON_TEXT({"type":"object","properties":{
	"status":{"type":"string"},"value":{"type":"integer"}},
	"required":["status","value"]});

static void
test_call(struct demo_call *call)
{
	demo_result(call);
	demo_text(call, "It worked, the value is 42.");
	demo_end(call);
}

const struct demo_tool demo_tool_test_call = {
	.name = "test_call",
	.title = "Missing structuredContent",
	.description =
	    "Declares an outputSchema but returns only text. Some clients throw such a "
	    "result away and report error -32600; here it is shown, and the verdict says "
	    "why.",
	.annotations = DEMO_READ_ONLY,
	.input_schema = DEMO_NO_INPUT,
	.output_schema = result_schema,
	.run = test_call,
};

static void
test_call_structured_only(struct demo_call *call)
{
	bool omit = false;

	if (!demo_arg_bool(call, "omit_content", &omit))
		return;
	demo_result(call);
	if (!omit) {
		json_write_key(&call->w, "content");
		json_write_array(&call->w);
		json_write_array_end(&call->w);
	}
	demo_structured(call, JSON_TEXT({"status":"ok","value":42}));
	demo_end(call);
}

static const char test_call_structured_only_input[] = JSON_TEXT({"type":"object","properties":{
	"omit_content":{"type":"boolean","default":false,
		"description":"Leave the required member content out instead of sending []"}}});

const struct demo_tool demo_tool_test_call_structured_only = {
	.name = "test_call_structured_only",
	.title = "Data without content",
	.description = "Returns structuredContent and no content. A host that gives the model only "
		       "content shows it nothing.",
	.annotations = DEMO_READ_ONLY,
	.input_schema = test_call_structured_only_input,
	.output_schema = result_schema,
	.run = test_call_structured_only,
};

static const char bad_rows_data[] = JSON_TEXT({"products":[
	{"id":1,"name":"Anvil","price":119.00,"in_stock":true,"colour":"black","added":"2026-01-02"},
	{"id":2,"name":"Rope","price":12.50,"in_stock":true,"colour":"white","added":"2026-01-03"},
	{"id":"3","name":"Rocket","price":999.99,"in_stock":false,"colour":"red","added":"2026-02-11"},
	{"id":4,"name":"Magnet","price":-4.00,"in_stock":true,"colour":"grey","added":"2026-02-12"},
	{"id":5,"price":18.25,"in_stock":true,"colour":"green","added":"2026-03-01"},
	{"id":6,"name":"Paint","price":7.105,"in_stock":true,"colour":"mauve","added":"2026-03-09"},
	{"id":7,"name":"Spring","price":0.75,"in_stock":true,"colour":"blue","added":"March 12"},
	{"id":8,"name":"Glue","price":3.30,"in_stock":true,"colour":"red","added":"2026-04-01"}]});

static void
bad_rows(struct demo_call *call)
{
	demo_result(call);
	demo_text(call, "Found 8 products");
	demo_structured(call, bad_rows_data);
	demo_end(call);
}

static const char bad_rows_output[] =
    JSON_TEXT({"type":"object","properties":{
	"products":{"type":"array","items":{"type":"object","properties":{
		"id":{"type":"integer"},
		"name":{"type":"string"},
		"price":{"type":"number","minimum":0,"multipleOf":0.01},
		"in_stock":{"type":"boolean"},
		"colour":{"enum":["black","white","red","green","blue","grey"]},
		"added":{"type":"string","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}},
		"required":["id","name","price","in_stock","colour","added"]}}},
	"required":["products"]});

const struct demo_tool demo_tool_bad_rows = {
	.name = "bad_rows",
	.title = "Broken rows",
	.description =
	    "Six cells of this table break the schema in six different ways. They are type, "
	    "minimum, required, multipleOf, enum and pattern: each is marked and explained.",
	.annotations = DEMO_READ_ONLY,
	.input_schema = DEMO_NO_INPUT,
	.output_schema = bad_rows_output,
	.run = bad_rows,
};

static const char contradiction_data[] =
    JSON_TEXT({"users":[
	{"id":1,"name":"Alice"},{"id":2,"name":"Bob"},{"id":3,"name":"Charlie"}]});

static void
contradiction(struct demo_call *call)
{
	demo_result(call);
	demo_text(call, "Found 5 users");
	demo_structured(call, contradiction_data);
	demo_end(call);
}

static const char contradiction_output[] = JSON_TEXT({"type":"object","properties":{
	"users":{"type":"array","items":{"type":"object","properties":{
		"id":{"type":"integer"},"name":{"type":"string"}},
		"required":["id","name"]}}},
	"required":["users"]});

const struct demo_tool demo_tool_contradiction = {
	.name = "contradiction",
	.title = "Text against data",
	.description =
	    "The text says 5 users, the data holds 3. The schema is satisfied, so only a "
	    "look at both panes finds it.",
	.annotations = DEMO_READ_ONLY,
	.input_schema = DEMO_NO_INPUT,
	.output_schema = contradiction_output,
	.run = contradiction,
};

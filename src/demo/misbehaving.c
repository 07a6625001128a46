#include "state.h"

#include "base/vec.h"

/* Results that break the tool's own outputSchema or contradict themselves, each in one way. */

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
		json_write_member_array(&call->w, "content");
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
	{"id":1,"name":"Anvil","price":119.00,"in_stock":true,"color":"black","added":"2026-01-02"},
	{"id":2,"name":"Rope","price":12.50,"in_stock":true,"color":"white","added":"2026-01-03"},
	{"id":"3","name":"Rocket","price":999.99,"in_stock":false,"color":"red","added":"2026-02-11"},
	{"id":4,"name":"Magnet","price":-4.00,"in_stock":true,"color":"gray","added":"2026-02-12"},
	{"id":5,"price":18.25,"in_stock":true,"color":"green","added":"2026-03-01"},
	{"id":6,"name":"Paint","price":7.105,"in_stock":true,"color":"mauve","added":"2026-03-09"},
	{"id":7,"name":"Spring","price":0.75,"in_stock":true,"color":"blue","added":"March 12"},
	{"id":8,"name":"Glue","price":3.30,"in_stock":true,"color":"red","added":"2026-04-01"}]});

static const char bad_rows_output[] =
    JSON_TEXT({"type":"object","properties":{
	"products":{"type":"array","items":{"type":"object","properties":{
		"id":{"type":"integer"},
		"name":{"type":"string"},
		"price":{"type":"number","minimum":0,"multipleOf":0.01},
		"in_stock":{"type":"boolean"},
		"color":{"enum":["black","white","red","green","blue","gray"]},
		"added":{"type":"string","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}},
		"required":["id","name","price","in_stock","color","added"]}}},
	"required":["products"]});

const struct demo_tool demo_tool_bad_rows = {
	.name = "bad_rows",
	.title = "Broken rows",
	.description =
	    "Six cells of this table break the schema in six different ways. They are type, "
	    "minimum, required, multipleOf, enum and pattern: each is marked and explained.",
	.annotations = DEMO_READ_ONLY,
	.output_schema = bad_rows_output,
	.run = demo_reply,
	.text = "Found 8 products",
	.data = bad_rows_data,
};

static const char contradiction_data[] =
    JSON_TEXT({"users":[
	{"id":1,"name":"Alice"},{"id":2,"name":"Bob"},{"id":3,"name":"Charlie"}]});

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
	.output_schema = contradiction_output,
	.run = demo_reply,
	.text = "Found 5 users",
	.data = contradiction_data,
};

/* Text that attacks the terminal it is shown in. Every attack must appear as visible marks. */

#define CLEAR "\033[2J\033[H"
#define TITLE "\033]0;owned\007"
#define CLIPBOARD "\033]52;c;b3duZWQ=\007"
#define RED "\033[31;7m"
#define C1_CSI "\302\2332J"            /* U+009B */
#define RIGHT_TO_LEFT "\342\200\256"   /* U+202E, right-to-left override */
#define ISOLATE "\342\201\246"         /* U+2066, left-to-right isolate */
#define ZERO_WIDTH "\342\200\213"      /* U+200B */
#define BYTE_ORDER_MARK "\357\273\277" /* U+FEFF */
#define TAG_A "\363\240\201\201"       /* U+E0041, an invisible letter */
#define MARKS "\314\200\314\201\314\202\314\203\314\204\314\205\314\206\314\207"

static void
write_rows(struct json_writer *w)
{
	static const char *const cells[] = { CLEAR "cleared?", TITLE "title?",
		CLIPBOARD "clipboard?", RED "red?", C1_CSI "C1?", "user" RIGHT_TO_LEFT "gpj.exe",
		ISOLATE "isolated", "pass" ZERO_WIDTH "word", BYTE_ORDER_MARK "mark first",
		"hidden" TAG_A TAG_A "letters", "Z" MARKS MARKS "algo", "bell\a back\b\b\b space",
		"over\rwritten", "two\nlines\tand a tab", "half a \033[" };

	for (size_t i = 0; i < ARRAY_LEN(cells); i++) {
		json_write_object(w);
		json_write_member_int(w, "id", (int64_t)i + 1);
		json_write_member_string(w, "text" RIGHT_TO_LEFT, cells[i]);
		json_write_member_string(w, RED "key", "harmless");
		json_write_object_end(w);
	}
}

static void
hostile(struct demo_call *call)
{
	static const char flaws[] =
	    "{\"nul\":\"a\\u0000b\",\"half a pair\":\"\\ud83d\",\"twice\":1,\"twice\":2}";
	struct json_writer *w = &call->w;

	demo_result(call);
	demo_text(call, CLEAR TITLE CLIPBOARD
	    "Your screen is still here. " RED "Ignore all previous colors. " C1_CSI
	    "This is " RIGHT_TO_LEFT "desrever" ZERO_WIDTH ".\r\n\033[999;999HThe end");
	json_write_member_object(w, "structuredContent");
	json_write_member_array(w, "rows");
	write_rows(w);
	json_write_array_end(w);
	json_write_member_json(w, "flaws", flaws);
	json_write_object_end(w);
	demo_end(call);
}

static const char hostile_output[] =
    JSON_TEXT({"type":"object","properties":{
	"rows":{"type":"array","items":{"type":"object"}},"flaws":{"type":"object"}},
	"required":["rows"]});

const struct demo_tool demo_tool_hostile = {
	.name = "hostile",
	.title = "Hostile text",
	.description =
	    "Text that attacks the terminal: it must show as marks and do nothing. Here too: " RED
	    "red?" CLEAR " " RIGHT_TO_LEFT "backwards?" TITLE
	    ". Texts, keys and cells are full of it.",
	.annotations = DEMO_READ_ONLY,
	.output_schema = hostile_output,
	.run = hostile,
};

const struct demo_tool demo_tool_hostile_name = {
	.name = "hostile" RED RIGHT_TO_LEFT "eman" TITLE,
	.title = "Hostile " CLEAR "name",
	.description = "The same, but the name of the tool itself carries the tricks.",
	.annotations = DEMO_READ_ONLY,
	.run = hostile,
};

/* Calls that end badly. */

static void
fail(struct demo_call *call)
{
	static const char *const kinds[] = { "tool", "protocol", NULL };
	size_t kind = 0;

	if (!demo_arg_choice(call, "kind", kinds, &kind))
		return;
	if (kind == 0)
		demo_fail(call, "Warehouse 7 does not answer. Try again later, or ask for 3.");
	else
		demo_error(
		    call, ERROR_INTERNAL, "{\"warehouse\":7}", "Warehouse 7 does not answer");
}

static const char fail_input[] = JSON_TEXT({"type":"object","properties":{
	"kind":{"type":"string","enum":["tool","protocol"],"default":"tool"}}});

static const char fail_output[] =
    JSON_TEXT({"type":"object","properties":{
	"stock":{"type":"integer"}},"required":["stock"]});

const struct demo_tool demo_tool_fail = {
	.name = "fail",
	.title = "A failing tool",
	.description =
	    "Fails: as a tool error, or as an error of the protocol. The text of a tool "
	    "error (isError) is meant for the model, and the outputSchema does not apply to "
	    "it.",
	.annotations = DEMO_READ_ONLY,
	.input_schema = fail_input,
	.output_schema = fail_output,
	.run = fail,
};

static void
crash(struct demo_call *call)
{
	static const char *const kinds[] = { "abort", "exit", NULL };
	size_t kind = 0;

	if (demo_arg_choice(call, "kind", kinds, &kind))
		call->demo->crash = kind == 0 ? DEMO_ABORTS : DEMO_EXITS;
}

static const char crash_input[] =
    JSON_TEXT({"type":"object","properties":{
	"kind":{"type":"string","enum":["abort","exit"],"default":"abort",
		"description":"Die by SIGABRT, or exit with status 3"}}});

static const char crash_annotations[] = JSON_TEXT({"readOnlyHint":false,"destructiveHint":true});

const struct demo_tool demo_tool_crash = {
	.name = "crash",
	.title = "A crash in mid-call",
	.description =
	    "The server dies in the middle of this call. It writes to stderr first: look at "
	    "what is said about its end, then restart it with one key.",
	.annotations = crash_annotations,
	.input_schema = crash_input,
	.run = crash,
};

/* SPDX-License-Identifier: MIT */
#include "tool.h"

#include "base/buf.h"
#include "base/vec.h"

#include <string.h>

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

const struct demo_tool demo_tool_test_call_structured_only = {
	.name = "test_call_structured_only",
	.title = "Data without content",
	.description = "Returns structuredContent and no content. A host that gives the model only "
		       "content shows it nothing.",
	.annotations = DEMO_READ_ONLY,
	.input_schema = JSON_TEXT({"type":"object","properties":{
	"omit_content":{"type":"boolean","default":false,
		"description":"Leave the required member content out instead of sending []"}}}),
	    .output_schema = result_schema, .run = test_call_structured_only,
	};

const struct demo_tool demo_tool_bad_rows = {
	.name = "bad_rows",
	.title = "Broken rows",
	.description =
	    "Six cells of this table break the schema in six different ways. They are type, "
	    "minimum, required, multipleOf, enum and pattern: each is marked and explained.",
	.annotations = DEMO_READ_ONLY,
	.output_schema = JSON_TEXT({"type":"object","properties":{
	"products":{"type":"array","items":{"type":"object","properties":{
		"id":{"type":"integer"},
		"name":{"type":"string"},
		"price":{"type":"number","minimum":0,"multipleOf":0.01},
		"in_stock":{"type":"boolean"},
		"color":{"enum":["black","white","red","green","blue","gray"]},
		"added":{"type":"string","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}},
		"required":["id","name","price","in_stock","color","added"]}}},
	"required":["products"]}),
			    .run = demo_reply, .text = "Found 8 products",
			    .data = JSON_TEXT({"products":[
	{"id":1,"name":"Anvil","price":119.00,"in_stock":true,"color":"black","added":"2026-01-02"},
	{"id":2,"name":"Rope","price":12.50,"in_stock":true,"color":"white","added":"2026-01-03"},
	{"id":"3","name":"Rocket","price":999.99,"in_stock":false,"color":"red","added":"2026-02-11"},
	{"id":4,"name":"Magnet","price":-4.00,"in_stock":true,"color":"gray","added":"2026-02-12"},
	{"id":5,"price":18.25,"in_stock":true,"color":"green","added":"2026-03-01"},
	{"id":6,"name":"Paint","price":7.105,"in_stock":true,"color":"mauve","added":"2026-03-09"},
	{"id":7,"name":"Spring","price":0.75,"in_stock":true,"color":"blue","added":"March 12"},
	{"id":8,"name":"Glue","price":3.30,"in_stock":true,"color":"red","added":"2026-04-01"}]}),
					};

const struct demo_tool demo_tool_contradiction = {
	.name = "contradiction",
	.title = "Text against data",
	.description =
	    "The text says 5 users, the data holds 3. The schema is satisfied, so only a "
	    "look at both panes finds it.",
	.annotations = DEMO_READ_ONLY,
	.output_schema = JSON_TEXT({"type":"object","properties":{
	"users":{"type":"array","items":{"type":"object","properties":{
		"id":{"type":"integer"},"name":{"type":"string"}},
		"required":["id","name"]}}},
	"required":["users"]}),
		    .run = demo_reply, .text = "Found 5 users",
		    .data = JSON_TEXT({"users":[
	{"id":1,"name":"Alice"},{"id":2,"name":"Bob"},{"id":3,"name":"Charlie"}]}),
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
hostile(struct demo_call *call)
{
	static const char *const cells[] = { CLEAR "cleared?", TITLE "title?",
		CLIPBOARD "clipboard?", RED "red?", C1_CSI "C1?", "user" RIGHT_TO_LEFT "gpj.exe",
		ISOLATE "isolated", "pass" ZERO_WIDTH "word", BYTE_ORDER_MARK "mark first",
		"hidden" TAG_A TAG_A "letters", "Z" MARKS MARKS "algo", "bell\a back\b\b\b space",
		"over\rwritten", "two\nlines\tand a tab", "half a \033[" };
	static const char flaws[] =
	    "{\"nul\":\"a\\u0000b\",\"half a pair\":\"\\ud83d\",\"twice\":1,\"twice\":2}";
	struct json_writer *w = &call->w;

	demo_result(call);
	demo_text(call, CLEAR TITLE CLIPBOARD
	    "Your screen is still here. " RED "Ignore all previous colors. " C1_CSI
	    "This is " RIGHT_TO_LEFT "desrever" ZERO_WIDTH ".\r\n\033[999;999HThe end");
	json_write_member_object(w, "structuredContent");
	json_write_member_array(w, "rows");
	for (size_t i = 0; i < ARRAY_LEN(cells); i++) {
		json_write_object(w);
		json_write_member_int(w, "id", (int64_t)i + 1);
		json_write_member_string(w, "text" RIGHT_TO_LEFT, cells[i]);
		json_write_member_string(w, RED "key", "harmless");
		json_write_object_end(w);
	}
	json_write_array_end(w);
	json_write_member_json(w, "flaws", flaws);
	json_write_object_end(w);
	demo_end(call);
}

const struct demo_tool demo_tool_hostile = {
	.name = "hostile",
	.title = "Hostile text",
	.description =
	    "Text that attacks the terminal: it must show as marks and do nothing. Here too: " RED
	    "red?" CLEAR " " RIGHT_TO_LEFT "backwards?" TITLE
	    ". Texts, keys and cells are full of it.",
	.annotations = DEMO_READ_ONLY,
	.output_schema = JSON_TEXT({"type":"object","properties":{
	"rows":{"type":"array","items":{"type":"object"}},"flaws":{"type":"object"}},
	"required":["rows"]}),
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

const struct demo_tool demo_tool_fail = {
	.name = "fail",
	.title = "A failing tool",
	.description =
	    "Fails: as a tool error, or as an error of the protocol. The text of a tool "
	    "error (isError) is meant for the model, and the outputSchema does not apply to "
	    "it.",
	.annotations = DEMO_READ_ONLY,
	.input_schema = JSON_TEXT({"type":"object","properties":{
	"kind":{"type":"string","enum":["tool","protocol"],"default":"tool"}}}),
	    .output_schema = JSON_TEXT({"type":"object","properties":{
	"stock":{"type":"integer"}},"required":["stock"]}), .run = fail,
	    };

static void
crash(struct demo_call *call)
{
	static const char *const kinds[] = { "abort", "exit", NULL };
	size_t kind = 0;

	if (demo_arg_choice(call, "kind", kinds, &kind))
		call->demo->out->crash = kind == 0 ? DEMO_ABORTS : DEMO_EXITS;
}

const struct demo_tool demo_tool_crash = {
	.name = "crash",
	.title = "A crash in mid-call",
	.description =
	    "The server dies in the middle of this call. It writes to stderr first: look at "
	    "what is said about its end, then restart it with one key.",
	.annotations = JSON_TEXT({"readOnlyHint":false,"destructiveHint":true}),
	    .input_schema = JSON_TEXT({"type":"object","properties":{
	"kind":{"type":"string","enum":["abort","exit"],"default":"abort",
		"description":"Die by SIGABRT, or exit with status 3"}}}),
		.run = crash,
	    };

/* Data of every shape. */

const struct demo_tool demo_tool_array_result = {
	.name = "array_result",
	.title = "An array as the result",
	.description = "structuredContent is an array, not an object. Allowed since 2026-07-28; "
		       "clients of older versions get it in an object.",
	.annotations = DEMO_READ_ONLY,
	.output_schema = JSON_TEXT({"type":"array","items":{"type":"object","properties":{
	"planet":{"type":"string"},
	"moons":{"type":"integer","minimum":0},
	"ringed":{"type":"boolean"}},
	"required":["planet","moons","ringed"]}}),
		    .any_value = true, .run = demo_reply, .text = "3 planets",
		    .data = JSON_TEXT([
	{"planet":"Mercury","moons":0,"ringed":false},
	{"planet":"Mars","moons":2,"ringed":false},
	{"planet":"Saturn","moons":146,"ringed":true}]),
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
	demo_structured(call, values[kind]);
	demo_end(call);
}

const struct demo_tool demo_tool_scalar_result = {
	.name = "scalar_result",
	.title = "A single value as the result",
	.description = "structuredContent is one number, string, boolean or null. Allowed since "
		       "2026-07-28. Mind that a null is a result, unlike no structuredContent.",
	.annotations = DEMO_READ_ONLY,
	.input_schema = JSON_TEXT({"type":"object","properties":{
	"kind":{"type":"string","enum":["number","string","boolean","null"],"default":"number"}}}),
	    .output_schema = JSON_TEXT({"type":["number","string","boolean","null"]}),
		.any_value = true, .run = scalar_result,
	    };

const struct demo_tool demo_tool_nested = {
	.name = "nested",
	.title = "Nested and ragged data",
	.description =
	    "Objects in rows, arrays in rows, rows that lack a member. Look at nick: null, "
	    "\"\" and \"null\" are three different things. Most rows have no extra at all.",
	.annotations = DEMO_READ_ONLY,
	.output_schema = JSON_TEXT({"type":"object","properties":{
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
		"required":["id","name"]}}}),
							    .run = demo_reply,
							    .text = "4 people, a matrix and "
								    "something deep",
							    .data = JSON_TEXT({
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
	"empty_object":{},"empty_array":[],"":"the key is empty","a/b~c.d e":"an awkward key"}),
													};

const struct demo_tool demo_tool_big_numbers = {
	.name = "big_numbers",
	.title = "Numbers too big to be true",
	.description = "Numbers that most clients round: here every digit is kept. Integers beyond "
		       "2^53, long decimals, 1e400, -0, 1.10.",
	.annotations = DEMO_READ_ONLY,
	.output_schema = JSON_TEXT({"type":"object","properties":{
	"numbers":{"type":"array","items":{"type":"object","properties":{
		"what":{"type":"string"},"value":{"type":"number"}},
		"required":["what","value"]}},
	"account":{"type":"integer"}},
	"required":["numbers","account"]}),
		    .run = demo_reply, .text = "10 numbers, not one of them rounded",
		    .data = JSON_TEXT({"numbers":[
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
	"account":98765432109876543210}),
					};

/* A form with every kind of choice: variants in a field, in items, in the values of a map. */

static double
number_of(const cJSON *object, const char *name)
{
	const cJSON *number = json_get(object, name);

	return cJSON_IsNumber(number) ? number->valuedouble : 0;
}

static double
circle_area(const cJSON *shape)
{
	double radius = number_of(shape, "radius");

	return 3.141592653589793 * radius * radius;
}

static double
rectangle_area(const cJSON *shape)
{
	return number_of(shape, "width") * number_of(shape, "height");
}

static double
polygon_area(const cJSON *shape)
{
	const cJSON *first = json_first(json_get(shape, "points"));
	double twice = 0;

	for (const cJSON *p = first; p; p = p->next) {
		const cJSON *q = p->next ? p->next : first;
		twice +=
		    number_of(p, "x") * number_of(q, "y") - number_of(q, "x") * number_of(p, "y");
	}
	return (twice < 0 ? -twice : twice) / 2;
}

static void
draw_shape(struct demo_call *call)
{
	static const struct {
		const char *kind;
		double (*area)(const cJSON *shape);
	} kinds[] = {
		{ "circle", circle_area },
		{ "rectangle", rectangle_area },
		{ "polygon", polygon_area },
	};
	const cJSON *shape = json_get(call->arguments, "shape");
	const char *kind = json_get_string(shape, "kind");
	size_t i = 0, count = ARRAY_LEN(kinds);
	struct buf area = BUF_INIT;

	while (i < count && (!kind || strcmp(kinds[i].kind, kind) != 0))
		i++;
	if (i == count) {
		demo_fail(call, "shape.kind must be circle, rectangle or polygon.");
		return;
	}
	buf_addf(&area, "%.2f", kinds[i].area(shape));
	demo_result(call);
	demo_text(call, "A %s of area %s", kind, buf_text(&area));
	json_write_member_object(&call->w, "structuredContent");
	json_write_member_json(&call->w, "area", buf_text(&area));
	json_write_member_value(&call->w, "received", call->arguments);
	json_write_object_end(&call->w);
	demo_end(call);
	buf_finish(&area);
}

const struct demo_tool demo_tool_draw_shape = {
	.name = "draw_shape",
	.title = "Draw a shape",
	.description = "A shape and its area: each variant has fields of its own. Choose one of "
		       "shape; labels take names of your own; inside is a list of shapes.",
	.annotations = DEMO_READ_ONLY,
	.input_schema =
	    JSON_TEXT({"type":"object","properties":{
	"shape":{"description":"What to draw","oneOf":[
		{"$ref":"#/$defs/circle"},{"$ref":"#/$defs/rectangle"},{"$ref":"#/$defs/polygon"}]},
	"fill":{"description":"Its color; null leaves it open","anyOf":[
		{"title":"Named","enum":["red","green","blue"]},
		{"title":"RGB","type":"object","properties":{
			"r":{"$ref":"#/$defs/byte"},"g":{"$ref":"#/$defs/byte"},
			"b":{"$ref":"#/$defs/byte"}},"required":["r","g","b"]},
		{"type":"null"}]},
	"line":{"type":["number","string"],"description":"How wide: 2, or thin"},
	"labels":{"type":"object","description":"Texts on it, by their names",
		"additionalProperties":{"type":"string"}},
	"inside":{"type":"array","description":"More shapes","items":{"oneOf":[
		{"$ref":"#/$defs/circle"},{"$ref":"#/$defs/rectangle"}]}}},
	"required":["shape"],
	"$defs":{
	"byte":{"type":"integer","minimum":0,"maximum":255},
	"circle":{"title":"Circle","type":"object","properties":{
		"kind":{"const":"circle"},
		"radius":{"type":"number","exclusiveMinimum":0,"default":1},
		"name":{"type":"string"}},"required":["kind","radius"]},
	"rectangle":{"title":"Rectangle","type":"object","properties":{
		"kind":{"const":"rectangle"},
		"width":{"type":"number","exclusiveMinimum":0},
		"height":{"type":"number","exclusiveMinimum":0},
		"name":{"type":"string"}},"required":["kind","width","height"]},
	"polygon":{"title":"Polygon","type":"object","properties":{
		"kind":{"const":"polygon"},
		"points":{"type":"array","minItems":3,"items":{"type":"object","properties":{
			"x":{"type":"number"},"y":{"type":"number"}},"required":["x","y"]}},
		"name":{"type":"string"}},"required":["kind","points"]}}}),
																																																	     .output_schema = JSON_TEXT({"type":"object","properties":{
	"area":{"type":"number","minimum":0},
	"received":{"type":"object","description":"The arguments as they arrived"}},
	"required":["area","received"]}),
																																																				      .run =
																																																					  draw_shape,
																																																		 };

/* Every kind of content block. */

/* 24 x 24 pixels: four colored bars in a frame. */
const char demo_picture_png[] =
    "iVBORw0KGgoAAAANSUhEUgAAABgAAAAYBAMAAAASWSDLAAAAD1BMVEUWGyJYpv8/uVDSmSL4UUmUjt1jAAAA"
    "KElEQVR42mMQRAIMAgxwwEgix9iAEo6SAn6OiyM+jqAANTk4fYocVAB22hF/BlHiGQAAAABJRU5ErkJggg==";

/* 50 ms of 440 Hz, 8 bit, 8 kHz. */
static const char tone_wav[] =
    "UklGRrQBAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YZABAACAob/V4eHWwKSDYUQuISAqPll6"
    "mrfO293VwqeIaEs1JyQrPVZ0k7DH1dnTwqqNb1M8LSgtPFNvjanAz9XQwq2SdVlDMy0wPVFrh6K5ydDNwq+W"
    "e2BJOTIzPlBogpyyw8vKwbCZf2ZQQDc3P09lfZasvMbGv7CchGxWRjw7QU9ieZCmtsDCvbCeiHFcTEI/RE9h"
    "dougsLu+uq+fi3ZiUkdDRlBgc4eaqrW5t66gjnpnWE1ISlJfcIOVpK+1s6ygkH5sXVJNTVRfboCQn6qwsKqf"
    "kYFxY1hSUVZgbX2MmqWrrKeekoR1Z11XVllhbXqIlZ+mp6SdkoZ4bGJcWlxjbXmFkZqho6Gbkod7cGdhX2Bl"
    "bXiCjZacnp2ZkYh+dGxmY2RobneAiZGXmZmWkIiAd3BraGhrcHd/ho2SlZWSjoiBenRvbWxucnh+hImOkJCP"
    "jIeCfHdzcXFydXl9goaKi4yLiYWCfnp3dnV2eHp9gYOGh4eHhoSBf317enp6e31+gIGCg4ODgoGAf39+fn5/"
    "f39/";

static void
open_block(struct json_writer *w, const char *type)
{
	json_write_object(w);
	json_write_member_string(w, "type", type);
}

/* annotations: JSON or NULL. */
static void
write_text(struct json_writer *w, const char *text, const char *annotations)
{
	open_block(w, "text");
	json_write_member_string(w, "text", text);
	if (annotations)
		json_write_member_json(w, "annotations", annotations);
	json_write_object_end(w);
}

static void
write_media(struct json_writer *w, const char *type, const char *mime, const char *data)
{
	open_block(w, type);
	json_write_member_string(w, "data", data);
	json_write_member_string(w, "mimeType", mime);
	json_write_member_json(w, "annotations", JSON_TEXT({"audience":["user"]}));
	json_write_object_end(w);
}

/* clang-format off */
static const char *const other_blocks[] = {
	JSON_TEXT({"type":"resource_link","uri":"demo://reports/july",
		"name":"july","title":"Report of July","description":"Not embedded: read it if you need it",
		"mimeType":"text/markdown","size":18240,
		"annotations":{"audience":["user","assistant"],"priority":0.9,
			"lastModified":"2026-07-31T17:00:00Z"}}),
	JSON_TEXT({"type":"resource","resource":{
		"uri":"demo://notes/1","mimeType":"text/markdown",
		"text":"# Note\n\nA resource that came *inside* the result.\n\n- with a list\n- of two"},
		"annotations":{"priority":0.2}}),
	JSON_TEXT({"type":"resource","resource":{
		"uri":"demo://files/hello.bin","mimeType":"application/octet-stream",
		"blob":"AAECA0hlbGxvLCB3b3JsZP8="}}),
	JSON_TEXT({"type":"hologram","data":"none","depth":3,"note":"shown whole as JSON"}),
};
/* clang-format on */

static void
mixed_content(struct demo_call *call)
{
	struct json_writer *w = &call->w;

	demo_result(call);
	json_write_member_array(w, "content");
	write_text(w,
	    "Eight blocks follow: two of text, a picture, a tone, a link, two resources and "
	    "one of a type that does not exist yet.",
	    JSON_TEXT({"audience":["assistant"],"priority":1}));
	write_text(w,
	    "\033[1mcolored\033[0m by \033[31mred\033[0m \033[32mgreen\033[0m "
	    "\033[38;5;214morange\033[0m \033[38;2;88;166;255mblue\033[0m escape sequences",
	    NULL);
	write_media(w, "image", "image/png", demo_picture_png);
	write_media(w, "audio", "audio/wav", tone_wav);
	for (size_t i = 0; i < ARRAY_LEN(other_blocks); i++)
		json_write_raw(w, other_blocks[i], strlen(other_blocks[i]));
	write_text(
	    w, "café 日本語 🚀 e\314\201: the last block\n\tand its second line, after a tab", NULL);
	json_write_array_end(w);
	demo_end(call);
}

const struct demo_tool demo_tool_mixed_content = {
	.name = "mixed_content",
	.title = "Every kind of content",
	.description =
	    "Text, picture, audio, link, embedded resources, something unknown. With "
	    "annotations (audience, priority, lastModified) and without structuredContent.",
	.annotations = DEMO_READ_ONLY,
	.run = mixed_content,
};

#include "state.h"

#include "base/buf.h"
#include "base/vec.h"

#include <string.h>

/* Data of every shape. */

static const char array_result_data[] = JSON_TEXT([
	{"planet":"Mercury","moons":0,"ringed":false},
	{"planet":"Mars","moons":2,"ringed":false},
	{"planet":"Saturn","moons":146,"ringed":true}]);

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
	.output_schema = array_result_output,
	.any_value = true,
	.run = demo_reply,
	.text = "3 planets",
	.data = array_result_data,
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
	.output_schema = nested_output,
	.run = demo_reply,
	.text = "4 people, a matrix and something deep",
	.data = nested_data,
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
	.output_schema = big_numbers_output,
	.run = demo_reply,
	.text = "10 numbers, not one of them rounded",
	.data = big_numbers_data,
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

static const char draw_shape_input[] = JSON_TEXT({"type":"object","properties":{
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
		"name":{"type":"string"}},"required":["kind","points"]}}});

static const char draw_shape_output[] = JSON_TEXT({"type":"object","properties":{
	"area":{"type":"number","minimum":0},
	"received":{"type":"object","description":"The arguments as they arrived"}},
	"required":["area","received"]});

const struct demo_tool demo_tool_draw_shape = {
	.name = "draw_shape",
	.title = "Draw a shape",
	.description = "A shape and its area: each variant has fields of its own. Choose one of "
		       "shape; labels take names of your own; inside is a list of shapes.",
	.annotations = DEMO_READ_ONLY,
	.input_schema = draw_shape_input,
	.output_schema = draw_shape_output,
	.run = draw_shape,
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
close_block(struct json_writer *w, const char *annotations)
{
	if (annotations) {
		json_write_member_json(w, "annotations", annotations);
	}
	json_write_object_end(w);
}

static void
write_text(struct json_writer *w, const char *text, const char *annotations)
{
	open_block(w, "text");
	json_write_member_string(w, "text", text);
	close_block(w, annotations);
}

static void
write_media(struct json_writer *w, const char *type, const char *mime, const char *data)
{
	open_block(w, type);
	json_write_member_string(w, "data", data);
	json_write_member_string(w, "mimeType", mime);
	close_block(w, JSON_TEXT({"audience":["user"]}));
}

static void
write_resources(struct json_writer *w)
{
	static const char link[] =
	    JSON_TEXT({"type":"resource_link","uri":"demo://reports/july",
	"name":"july","title":"Report of July","description":"Not embedded: read it if you need it",
	"mimeType":"text/markdown","size":18240,
	"annotations":{"audience":["user","assistant"],"priority":0.9,
		"lastModified":"2026-07-31T17:00:00Z"}});
	static const char text[] = JSON_TEXT({"type":"resource","resource":{
	"uri":"demo://notes/1","mimeType":"text/markdown",
	"text":"# Note\n\nA resource that came *inside* the result.\n\n- with a list\n- of two"},
	"annotations":{"priority":0.2}});
	static const char blob[] = JSON_TEXT({"type":"resource","resource":{
	"uri":"demo://files/hello.bin","mimeType":"application/octet-stream",
	"blob":"AAECA0hlbGxvLCB3b3JsZP8="}});

	json_write_raw(w, link, sizeof(link) - 1);
	json_write_raw(w, text, sizeof(text) - 1);
	json_write_raw(w, blob, sizeof(blob) - 1);
}

static const char unknown_block[] =
    JSON_TEXT({"type":"hologram","data":"none","depth":3,"note":"shown whole as JSON"});

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
	write_resources(w);
	json_write_raw(w, unknown_block, sizeof(unknown_block) - 1);
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

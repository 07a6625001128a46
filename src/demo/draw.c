#include "demo_priv.h"

#include "base/buf.h"

#include <string.h>

/* A form with every kind of choice: variants in a field, in items, in the values of a map. */

static double
number_of(const cJSON *object, const char *name)
{
	const cJSON *number = json_get(object, name);

	return json_type(number) == JSON_NUMBER ? number->valuedouble : 0;
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
	size_t i = 0, count = sizeof(kinds) / sizeof(*kinds);
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
	json_write_key(&call->w, "structuredContent");
	json_write_object(&call->w);
	json_write_key(&call->w, "area");
	json_write_raw(&call->w, buf_text(&area), area.len);
	json_write_key(&call->w, "received");
	json_write_value(&call->w, call->arguments);
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

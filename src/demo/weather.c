#include "demo_priv.h"

#include "base/buf.h"

static const struct {
	const char *temperature, *conditions;
	int humidity;
} weathers[] = {
	{ "-3.0", "Snow", 88 },
	{ "22.5", "Partly cloudy", 65 },
	{ "31.2", "Sunny", 30 },
	{ "12.75", "Rain", 94 },
	{ "17.0", "Fog", 99 },
};

/* The same place always has the same weather. */
static size_t
weather_of(const char *location)
{
	size_t sum = 0;

	for (; *location; location++)
		sum = sum * 31 + (unsigned char)*location;
	return sum % (sizeof(weathers) / sizeof(*weathers));
}

static void
get_weather_data(struct demo_call *call)
{
	const char *location = "";
	struct buf data = BUF_INIT;

	if (!demo_arg_text(call, "location", &location))
		return;
	if (!*location) {
		demo_fail(call, "location is required: a city or a zip code.");
		return;
	}
	size_t i = weather_of(location);
	buf_addf(&data, "{\"temperature\":%s,\"conditions\":\"%s\",\"humidity\":%d}",
	    weathers[i].temperature, weathers[i].conditions, weathers[i].humidity);
	demo_result(call);
	demo_text(call, "%s", buf_text(&data));
	demo_structured(call, buf_text(&data));
	demo_end(call);
	buf_finish(&data);
}

static const char get_weather_data_annotations[] =
    JSON_TEXT({"readOnlyHint":true,"openWorldHint":true});

static const char get_weather_data_input[] =
    JSON_TEXT({"type":"object","properties":{
	"location":{"type":"string","minLength":1,"default":"New York",
		"description":"City name or zip code"}},
	"required":["location"]});

static const char get_weather_data_output[] = JSON_TEXT({"type":"object","properties":{
	"temperature":{"type":"number","description":"Temperature in celsius"},
	"conditions":{"type":"string","description":"Weather conditions description"},
	"humidity":{"type":"number","minimum":0,"maximum":100,"description":"Humidity percentage"}},
	"required":["temperature","conditions","humidity"]});

const struct demo_tool demo_tool_get_weather_data = {
	.name = "get_weather_data",
	.title = "Weather data",
	.description = "The weather of a place, as one object. Content mirrors it: the text is the "
		       "same JSON again, as the specification advises for older clients.",
	.annotations = get_weather_data_annotations,
	.input_schema = get_weather_data_input,
	.output_schema = get_weather_data_output,
	.run = get_weather_data,
};

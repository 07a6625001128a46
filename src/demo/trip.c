#include "state.h"

#include "base/buf.h"
#include "json/print.h"

/* A form with every part that follows from another, has a schema of its own or takes any name. */

static void
plan_trip(struct demo_call *call)
{
	const char *by = json_get_string(call->arguments, "by");
	const cJSON *seats = json_get(call->arguments, "seats");
	const cJSON *place = json_get(call->arguments, "place");
	struct buf people = BUF_INIT;

	if (!by) {
		demo_fail(call, "by must be train or car.");
		return;
	}
	for (const cJSON *s = json_first(seats); s; s = s->next)
		if (cJSON_IsNumber(s))
			buf_addf(&people, ", %.0f %.20s", s->valuedouble, s->string);
	if (json_count(place) == 2) {
		buf_add_str(&people, ", to ");
		json_print_brief(&people, place, 60);
	}
	demo_result(call);
	demo_text(call, "A trip by %.20s%s", by, buf_text(&people));
	json_write_member_object(&call->w, "structuredContent");
	json_write_member_value(&call->w, "received", call->arguments);
	json_write_object_end(&call->w);
	demo_end(call);
	buf_finish(&people);
}

static const char plan_trip_input[] = JSON_TEXT({"type":"object","properties":{
	"by":{"type":"string","oneOf":[
		{"const":"train","title":"By train","description":"Asks for a class"},
		{"const":"car","title":"By car","description":"Asks for a plate"}]},
	"day":{"type":"string","format":"date","description":"When it starts"},
	"back":{"type":"string","format":"date-time","description":"When it ends"},
	"place":{"type":"array","description":"Where it goes","prefixItems":[
		{"type":"number","title":"Latitude","minimum":-90,"maximum":90},
		{"type":"number","title":"Longitude","minimum":-180,"maximum":180}],
		"minItems":2,"maxItems":2},
	"budget":{"anyOf":[{"type":"number","minimum":0},{"type":"string"},{"type":"null"}],
		"description":"An amount, or words"},
	"seats":{"type":"object","description":"How many of each",
		"propertyNames":{"enum":["adult","child","bicycle"]},
		"additionalProperties":{"type":"integer","minimum":1}},
	"extras":{"type":"array","uniqueItems":true,"items":{"oneOf":[
		{"const":"meal","title":"A meal"},{"const":"wifi","title":"Wi-Fi"},
		{"const":"quiet","title":"A quiet place"}]}},
	"notes":{"type":"object","description":"Anything else","additionalProperties":true},
	"email":{"type":"string","format":"email"},
	"phone":{"type":"string"},
	"voucher":{"type":"string","deprecated":true,
		"description":"Use email instead"},
	"number":{"type":"string","readOnly":true,
		"description":"Given by the server"}},
	"required":["by"],
	"anyOf":[{"required":["email"]},{"required":["phone"]}],
	"if":{"properties":{"by":{"const":"car"}},"required":["by"]},
	"then":{"properties":{"plate":{"type":"string","minLength":3}},"required":["plate"]},
	"else":{"properties":{"class":{"type":"integer","enum":[1,2]}}},
	"dependentRequired":{"back":["day"]}});

static const char plan_trip_output[] = JSON_TEXT({"type":"object","properties":{
	"received":{"type":"object","description":"The arguments as they arrived"}},
	"required":["received"]});

const struct demo_tool demo_tool_plan_trip = {
	.name = "plan_trip",
	.title = "Plan a trip",
	.description =
	    "A form that changes while it is filled in. A car needs a plate, a train has "
	    "classes. A place is two numbers, seats have names to choose from.",
	.annotations = DEMO_READ_ONLY,
	.input_schema = plan_trip_input,
	.output_schema = plan_trip_output,
	.run = plan_trip,
};

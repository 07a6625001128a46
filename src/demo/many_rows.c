#include "state.h"

#include "base/vec.h"

#include <stdio.h>
#include <string.h>

/* Bytes written in one step: enough to be fast, little enough to stay small. */
#define CHUNK_BYTES ((size_t)64 * 1024)
#define ROWS_MAX 1000000

static const char *const cities[] = { "Lisbon", "Berlin", "Osaka", "Lima", "Nairobi", "Oslo",
	"Quito", "Perth", "Seoul", "Tunis", "Turin", "Zagreb" };
static const char *const winds[] = { "north", "north-east", "east", "south-east", "south",
	"south-west", "west", "north-west" };

/* Looks like chance, is the same for every run. */
static uint32_t
mix(size_t index)
{
	uint32_t x = (uint32_t)index * 0x9E3779B1u;

	x ^= x >> 15;
	x *= 0x85EBCA77u;
	return x ^ x >> 13;
}

static void
write_wide_part(struct json_writer *w, size_t index, uint32_t chance)
{
	char text[64];

	snprintf(text, sizeof(text), "2026-%02u-%02uT%02u:%02u:00Z", chance % 12 + 1,
	    chance % 28 + 1, chance % 24, chance % 60);
	json_write_member_string(w, "measured", text);
	snprintf(text, sizeof(text), "ST-%06zu", index * 7 % ROWS_MAX);
	json_write_member_object(w, "station");
	json_write_member_string(w, "code", text);
	json_write_member_int(w, "height", chance % 2500);
	json_write_object_end(w);
	json_write_member_int(w, "humidity", chance % 101);
	json_write_member_int(w, "pressure", 960 + chance % 90);
	json_write_member_string(w, "wind", winds[chance % 8]);
	json_write_member_string(w, "note",
	    "Taken by hand at the old tower because the sensor was out of order for most of that "
	    "day again");
}

static void
write_row(struct json_writer *w, size_t index, bool wide)
{
	uint32_t chance = mix(index + 1);
	unsigned tenths = chance >> 8 & 511;
	char temp[16];
	size_t len = 0;

	if (tenths > 400)
		temp[len++] = '-';
	tenths = tenths > 400 ? tenths - 400 : tenths;
	if (tenths >= 100)
		temp[len++] = (char)('0' + tenths / 100);
	temp[len++] = (char)('0' + tenths / 10 % 10);
	temp[len++] = '.';
	temp[len++] = (char)('0' + tenths % 10);
	json_write_object(w);
	json_write_member_int(w, "id", (int64_t)index + 1);
	json_write_member_string(w, "city", cities[chance % (ARRAY_LEN(cities))]);
	json_write_key(w, "temp");
	json_write_raw(w, temp, len);
	json_write_member_bool(w, "ok", chance % 17 != 0);
	if (wide)
		write_wide_part(w, index, chance);
	json_write_object_end(w);
}

static void
rows(struct demo_call *call)
{
	struct demo_stream *s = &call->demo->stream;
	size_t count = 1000;
	bool wide = false;

	if (!demo_arg_size(call, "count", 0, ROWS_MAX, &count) ||
	    !demo_arg_bool(call, "wide", &wide))
		return;
	demo_result(call);
	demo_text(call, "%zu measurements", count);
	json_write_member_object(&call->w, "structuredContent");
	json_write_member_int(&call->w, "count", (int64_t)count);
	json_write_member_array(&call->w, "rows");
	*s = (struct demo_stream){ .call = *call, .count = count, .wide = wide, .active = true };
}

void
demo_stream_step(struct demo *d)
{
	struct demo_stream *s = &d->stream;
	struct json_writer *w = &s->call.w;
	size_t start = d->out.len;

	while (s->next < s->count && d->out.len - start < CHUNK_BYTES)
		write_row(w, s->next++, s->wide);
	if (s->next < s->count)
		return;
	json_write_array_end(w);
	json_write_object_end(w);
	demo_end(&s->call);
	s->active = false;
}

static const char rows_input[] = JSON_TEXT({"type":"object","properties":{
	"count":{"type":"integer","minimum":0,"maximum":1000000,"default":1000,
		"description":"How many rows"},
	"wide":{"type":"boolean","default":false,"description":"Ten columns, 280 bytes a row"}}});

static const char rows_output[] = JSON_TEXT({"type":"object","properties":{
	"count":{"type":"integer","minimum":0},
	"rows":{"type":"array","items":{"type":"object","properties":{
		"id":{"type":"integer","minimum":1},
		"city":{"type":"string"},
		"temp":{"type":"number"},
		"ok":{"type":"boolean"},
		"measured":{"type":"string","format":"date-time"},
		"station":{"type":"object","properties":{
			"code":{"type":"string"},"height":{"type":"integer"}}},
		"humidity":{"type":"integer","minimum":0,"maximum":100},
		"pressure":{"type":"integer"},
		"wind":{"type":"string"},
		"note":{"type":"string"}},
		"required":["id","city","temp","ok"]}}},
	"required":["count","rows"]});

const struct demo_tool demo_tool_rows = {
	.name = "rows",
	.title = "Many rows",
	.description =
	    "A table as long as you like: try a count of 1000000. Then scroll, sort, jump "
	    "to the end. The same count always gives the same rows.",
	.annotations = DEMO_READ_ONLY,
	.input_schema = rows_input,
	.output_schema = rows_output,
	.run = rows,
};

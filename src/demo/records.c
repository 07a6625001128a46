/* SPDX-License-Identifier: MIT */
#include "tool.h"

#include "base/buf.h"
#include "base/units.h"
#include "base/vec.h"
#include "json/print.h"

#include <stdio.h>
#include <string.h>

static const char *const roles[] = { "admin", "editor", "viewer", NULL };

static const struct {
	int id;
	const char *name;
	size_t role;
} users[] = {
	{ 1, "Alice", 0 },
	{ 2, "Bob", 1 },
	{ 3, "Charlie", 2 },
};

#define USER_COUNT ARRAY_LEN(users)
#define ANY_ROLE ARRAY_LEN(roles)

static const char users_input[] = JSON_TEXT({"type":"object","properties":{
	"role":{"type":"string","enum":["admin","editor","viewer"],
		"description":"Only users with this role"},
	"limit":{"type":"integer","minimum":1,"maximum":500,"default":50,
		"description":"How many users at most"}}});

struct record_selection {
	size_t index[USER_COUNT];
	size_t shown, total;
};

static bool
select_users(struct demo_call *call, struct record_selection *s)
{
	size_t role = ANY_ROLE, limit = 50;

	*s = (struct record_selection){ 0 };
	if (!demo_arg_choice(call, "role", roles, &role) ||
	    !demo_arg_size(call, "limit", 1, 500, &limit))
		return false;
	for (size_t i = 0; i < USER_COUNT; i++) {
		if (role != ANY_ROLE && users[i].role != role)
			continue;
		if (s->total++ < limit)
			s->index[s->shown++] = i;
	}
	return true;
}

static void
list_users(struct demo_call *call)
{
	struct json_writer *w = &call->w;
	struct record_selection s;

	if (!select_users(call, &s))
		return;
	demo_result(call);
	demo_text(call, "Found %zu user%s", s.total, plural(s.total));
	json_write_member_object(w, "structuredContent");
	json_write_member_array(w, "users");
	for (size_t i = 0; i < s.shown; i++) {
		json_write_object(w);
		json_write_member_int(w, "id", users[s.index[i]].id);
		json_write_member_string(w, "name", users[s.index[i]].name);
		json_write_member_string(w, "role", roles[users[s.index[i]].role]);
		json_write_object_end(w);
	}
	json_write_array_end(w);
	json_write_member_int(w, "total", (int64_t)s.total);
	json_write_object_end(w);
	demo_end(call);
}

static void
list_users_before(struct demo_call *call)
{
	struct buf text = BUF_INIT;
	struct record_selection s;

	if (!select_users(call, &s))
		return;
	buf_addf(&text, "Found %zu user%s:", s.total, plural(s.total));
	for (size_t i = 0; i < s.shown; i++)
		buf_addf(&text, "\n- %s (id %d, %s)", users[s.index[i]].name, users[s.index[i]].id,
		    roles[users[s.index[i]].role]);
	demo_result(call);
	demo_text(call, "%s", buf_text(&text));
	demo_end(call);
	buf_finish(&text);
}

const struct demo_tool demo_tool_list_users = {
	.name = "list_users",
	.title = "List users",
	.description =
	    "Returns a list of users in the system. The content is one line for a model; "
	    "the rows come as structuredContent, checked against outputSchema.",
	.annotations = DEMO_READ_ONLY,
	.input_schema = users_input,
	.output_schema = JSON_TEXT({"type":"object","properties":{
	"users":{"type":"array","items":{"type":"object","properties":{
		"id":{"type":"integer"},
		"name":{"type":"string"},
		"role":{"type":"string","enum":["admin","editor","viewer"]}},
		"required":["id","name","role"]}},
	"total":{"type":"integer","minimum":0,"description":"Users before limit was applied"}},
	"required":["users","total"]}),
			.run = list_users,
		    };

const struct demo_tool demo_tool_list_users_before = {
	.name = "list_users_before",
	.title = "List users, the old way",
	.description = "The same users as one block of text, no data, no outputSchema. All that a "
		       "program can do here is parse prose: compare with list_users.",
	.annotations = DEMO_READ_ONLY,
	.input_schema = users_input,
	.run = list_users_before,
};

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
	size_t i = 0; /* the same place always has the same weather */
	for (const char *c = location; *c; c++)
		i = i * 31 + (unsigned char)*c;
	i %= ARRAY_LEN(weathers);
	buf_addf(&data, "{\"temperature\":%s,\"conditions\":\"%s\",\"humidity\":%d}",
	    weathers[i].temperature, weathers[i].conditions, weathers[i].humidity);
	demo_result(call);
	demo_text(call, "%s", buf_text(&data));
	demo_structured(call, buf_text(&data));
	demo_end(call);
	buf_finish(&data);
}

const struct demo_tool demo_tool_get_weather_data = {
	.name = "get_weather_data",
	.title = "Weather data",
	.description = "The weather of a place, as one object. Content mirrors it: the text is the "
		       "same JSON again, as the specification advises for older clients.",
	.annotations = JSON_TEXT({"readOnlyHint":true,"openWorldHint":true}),
	    .input_schema = JSON_TEXT({"type":"object","properties":{
	"location":{"type":"string","minLength":1,"default":"New York",
		"description":"City name or zip code"}},
	"required":["location"]}),
		.output_schema = JSON_TEXT({"type":"object","properties":{
	"temperature":{"type":"number","description":"Temperature in celsius"},
	"conditions":{"type":"string","description":"Weather conditions description"},
	"humidity":{"type":"number","minimum":0,"maximum":100,"description":"Humidity percentage"}},
	"required":["temperature","conditions","humidity"]}),
			    .run = get_weather_data,
		    };

static const char *const statuses[] = { "open", "paid", "shipped", "delivered", "cancelled", NULL };

#define ANY_STATUS ARRAY_LEN(statuses)

static const struct {
	const char *customer, *country, *total, *placed;
	int items;
	size_t status;
} orders[DEMO_ORDERS] = {
	{ "Alice", "PT", "119.00", "2026-07-01", 1, 3 },
	{ "Bob", "DE", "12.50", "2026-07-03", 2, 3 },
	{ "Charlie", "US", "999.99", "2026-07-08", 1, 2 },
	{ "Alice", "PT", "40.20", "2026-07-15", 4, 2 },
	{ "Dora", "JP", "18.25", "2026-07-21", 1, 1 },
	{ "Bob", "DE", "7.10", "2026-07-22", 3, 4 },
	{ "Charlie", "US", "250.00", "2026-07-27", 12, 0 },
	{ "Dora", "JP", "3.30", "2026-07-28", 1, 0 },
};

/* The ids are ORD-1001 and so on; changes by update_order are in demo.order_status, as status + 1.
 */
static const char *
status_of(const struct demo *d, size_t i)
{
	return statuses[d->order_status[i] ? d->order_status[i] - 1u : orders[i].status];
}

static void
write_order(struct json_writer *w, const struct demo *d, size_t i)
{
	char id[] = "ORD-1001";

	id[7] = (char)('1' + i);
	json_write_object(w);
	json_write_member_string(w, "order_id", id);
	json_write_member_object(w, "customer");
	json_write_member_string(w, "name", orders[i].customer);
	json_write_member_string(w, "country", orders[i].country);
	json_write_object_end(w);
	json_write_member_string(w, "status", status_of(d, i));
	json_write_member_int(w, "items", orders[i].items);
	json_write_member_json(w, "total", orders[i].total);
	json_write_member_string(w, "placed", orders[i].placed);
	json_write_object_end(w);
}

static void
search_orders(struct demo_call *call)
{
	struct json_writer *w = &call->w;
	const char *customer = NULL;
	size_t status = ANY_STATUS, limit = DEMO_ORDERS, found[DEMO_ORDERS], count = 0;

	if (!demo_arg_choice(call, "status", statuses, &status) ||
	    !demo_arg_text(call, "customer", &customer) ||
	    !demo_arg_size(call, "limit", 1, 100, &limit))
		return;
	for (size_t i = 0; i < DEMO_ORDERS && count < limit; i++)
		if ((status == ANY_STATUS || status_of(call->demo, i) == statuses[status]) &&
		    (!customer || strstr(orders[i].customer, customer)))
			found[count++] = i;
	demo_result(call);
	demo_text(call, "Found %zu order%s", count, plural(count));
	json_write_member_object(w, "structuredContent");
	json_write_member_array(w, "orders");
	for (size_t i = 0; i < count; i++)
		write_order(w, call->demo, found[i]);
	json_write_array_end(w);
	json_write_object_end(w);
	demo_end(call);
}

static void
update_order(struct demo_call *call)
{
	const char *id = NULL;
	size_t status = ANY_STATUS;

	if (!demo_arg_text(call, "order_id", &id) ||
	    !demo_arg_choice(call, "status", statuses, &status))
		return;
	if (!id || strlen(id) != 8 || strncmp(id, "ORD-100", 7) != 0 || id[7] < '1' ||
	    id[7] >= '1' + DEMO_ORDERS) {
		demo_fail(call, "There is no order %s: take an order_id that search_orders found.",
		    id ? id : "without order_id");
		return;
	}
	size_t i = (size_t)(id[7] - '1');
	if (status == ANY_STATUS) {
		demo_fail(call, "status is required: what should become of %s?", id);
		return;
	}
	demo_result(call);
	demo_text(call, "%s: %s → %s", id, status_of(call->demo, i), statuses[status]);
	call->demo->order_status[i] = (unsigned char)(status + 1);
	json_write_member_object(&call->w, "structuredContent");
	json_write_key(&call->w, "order");
	write_order(&call->w, call->demo, i);
	json_write_member_value(&call->w, "received", call->arguments);
	json_write_object_end(&call->w);
	demo_end(call);
}

#define ORDER_SCHEMA \
	JSON_TEXT({"type":"object","properties":{                                                  \
		"order_id":{"type":"string","pattern":"^ORD-[0-9]{4}$"},                           \
		"customer":{"type":"object","properties":{                                         \
			"name":{"type":"string"},                                                  \
			"country":{"type":"string","minLength":2,"maxLength":2}},                  \
			"required":["name","country"]},                                            \
		"status":{"enum":["open","paid","shipped","delivered","cancelled"]},               \
		"items":{"type":"integer","minimum":1},                                            \
		"total":{"type":"number","minimum":0},                                             \
		"placed":{"type":"string","format":"date"}},                                       \
		"required":["order_id","customer","status","items","total","placed"]})

static const char search_orders_output[] =
    "{\"type\":\"object\",\"properties\":{"
    "\"orders\":{\"type\":\"array\",\"items\":" ORDER_SCHEMA "}},\"required\":[\"orders\"]}";

static const char search_orders_input[] = JSON_TEXT({"type":"object","properties":{
	"status":{"type":"string","enum":["open","paid","shipped","delivered","cancelled"],
		"description":"Only orders in this state"},
	"customer":{"type":"string","description":"Part of the customer's name",
		"examples":["Alice","Dora"]},
	"limit":{"type":"integer","minimum":1,"maximum":100,"default":20}}});

const struct demo_tool demo_tool_search_orders = {
	.name = "search_orders",
	.title = "Search orders",
	.description =
	    "Orders as a table; the nested customer becomes dotted columns. The order_id of "
	    "a row is what update_order asks for.",
	.annotations = DEMO_READ_ONLY,
	.input_schema = search_orders_input,
	.output_schema = search_orders_output,
	.run = search_orders,
};

const struct demo_tool demo_tool_edit_orders = {
	.name = "edit_orders",
	.title = "Edit orders",
	.description = "Search orders and change them in an app, which calls update_order.",
	.annotations = DEMO_READ_ONLY,
	.input_schema = search_orders_input,
	.output_schema = search_orders_output,
	.app = DEMO_APP_PREFIX "edit_orders",
	.run = search_orders,
};

static const char update_order_output[] =
    "{\"type\":\"object\",\"properties\":{"
    "\"order\":" ORDER_SCHEMA ",\"received\":{\"type\":\"object\"}},"
    "\"required\":[\"order\",\"received\"]}";

const struct demo_tool demo_tool_update_order = {
	.name = "update_order",
	.title = "Update an order",
	.description = "Changes an order; its form has every kind of field. Only the first two are "
		       "required. Returns the order, and the arguments as they arrived.",
	.annotations = JSON_TEXT({"readOnlyHint":false,"destructiveHint":true,"idempotentHint":true}),
	    .input_schema = JSON_TEXT({"type":"object","properties":{
	"order_id":{"type":"string","pattern":"^ORD-[0-9]{4}$","examples":["ORD-1007"],
		"description":"From search_orders"},
	"status":{"oneOf":[
		{"const":"open","title":"Open, not paid","description":"Waits for the money"},
		{"const":"paid","title":"Paid, to be packed"},
		{"const":"shipped","title":"On its way"},
		{"const":"delivered","title":"Delivered"},
		{"const":"cancelled","title":"Cancelled"}],
		"description":"The new state"},
	"note":{"type":["string","null"],"maxLength":500,
		"description":"For the customer; null removes the old note"},
	"notify":{"type":"boolean","default":true,"description":"Send the customer a mail"},
	"discount":{"type":"number","minimum":0,"exclusiveMaximum":1,"description":"0.15 is 15 %"},
	"reference":{"type":"integer","description":"Any integer: sent with all its digits"},
	"ship_to":{"$ref":"#/$defs/address"},
	"tags":{"type":"array","items":{"type":"string"},"uniqueItems":true,"maxItems":5},
	"lines":{"type":"array","description":"Replaces all lines of the order",
		"items":{"$ref":"#/$defs/line"}}},
	"required":["order_id","status"],
	"$defs":{
	"address":{"type":"object","description":"Where to, if it changed","properties":{
		"street":{"type":"string"},
		"city":{"type":"string"},
		"country":{"type":"string","enum":["DE","JP","PT","US"],"default":"PT"}},
		"required":["street","city"]},
	"line":{"type":"object","properties":{
		"sku":{"type":"string","pattern":"^[A-Z]{2}-[0-9]+$"},
		"quantity":{"type":"integer","minimum":1,"default":1}},
		"required":["sku","quantity"]}}}),
											    .output_schema =
												update_order_output,
											    .run =
												update_order,
										    };

/* A form with conditional parts, subschemas and free names. */

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

const struct demo_tool demo_tool_plan_trip = {
	.name = "plan_trip",
	.title = "Plan a trip",
	.description =
	    "A form that changes while it is filled in. A car needs a plate, a train has "
	    "classes. A place is two numbers, seats have names to choose from.",
	.annotations = DEMO_READ_ONLY,
	.input_schema = JSON_TEXT({"type":"object","properties":{
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
	"dependentRequired":{"back":["day"]}}),
												     .output_schema = JSON_TEXT({"type":"object","properties":{
	"received":{"type":"object","description":"The arguments as they arrived"}},
	"required":["received"]}),
													 .run =
													     plan_trip,
												     };

/* ---- plan_budget ---- */

static const struct {
	const char *name;
	int share;
} budget_parts[] = { { "Rent", 35 }, { "Food", 20 }, { "Travel", 15 }, { "Savings", 20 },
	{ "Fun", 10 } };

static const char *const currencies[] = { "EUR", "JPY", "USD", NULL };

static void
plan_budget(struct demo_call *call)
{
	struct json_writer *w = &call->w;
	size_t total = 3000, currency = 0;

	if (!demo_arg_size(call, "total", 1, 1000000, &total) ||
	    !demo_arg_choice(call, "currency", currencies, &currency))
		return;
	demo_result(call);
	demo_text(call, "A plan for %zu %s in %zu parts", total, currencies[currency],
	    ARRAY_LEN(budget_parts));
	json_write_member_object(w, "structuredContent");
	json_write_member_int(w, "total", (int64_t)total);
	json_write_member_string(w, "currency", currencies[currency]);
	json_write_member_array(w, "parts");
	for (size_t i = 0; i < ARRAY_LEN(budget_parts); i++) {
		json_write_object(w);
		json_write_member_string(w, "name", budget_parts[i].name);
		json_write_member_int(w, "share", budget_parts[i].share);
		json_write_object_end(w);
	}
	json_write_array_end(w);
	json_write_object_end(w);
	demo_end(call);
}

const struct demo_tool demo_tool_plan_budget = {
	.name = "plan_budget",
	.title = "Plan a budget",
	.description = "An app with sliders and a chart; the model learns of each change.",
	.annotations = DEMO_READ_ONLY,
	.input_schema = JSON_TEXT({"type":"object","properties":{
	"total":{"type":"integer","minimum":1,"maximum":1000000,"default":3000,
		"description":"What there is to spend in a month"},
	"currency":{"type":"string","enum":["EUR","JPY","USD"],"default":"EUR"}}}),
		.output_schema = JSON_TEXT({"type":"object","properties":{
	"total":{"type":"integer","minimum":1},
	"currency":{"type":"string"},
	"parts":{"type":"array","items":{"type":"object","properties":{
		"name":{"type":"string"},
		"share":{"type":"integer","minimum":0,"maximum":100,"description":"Percent"}},
		"required":["name","share"]}}},
	"required":["total","currency","parts"]}),
				    .app = DEMO_APP_PREFIX "plan_budget", .run = plan_budget,
			    };

/* ---- watch_machine and what its app asks for ---- */

static const struct {
	int pid;
	const char *name;
	int cpu, memory; /* tenths of a percent, MiB */
} processes[] = {
	{ 1, "init", 1, 12 },
	{ 214, "journal", 8, 48 },
	{ 377, "database", 310, 2048 },
	{ 381, "web server", 145, 310 },
	{ 402, "indexer", 220, 640 },
	{ 555, "mail", 12, 96 },
};

/* The figures change, but are the same in each run. */
static void
machine_stats(struct demo_call *call)
{
	struct json_writer *w = &call->w;
	size_t reading = ++call->demo->machine_reading;
	size_t load = 100 + reading * 37 % 200;
	char number[32];

	demo_result(call);
	demo_text(call, "load %zu.%02zu", load / 100, load % 100);
	json_write_member_object(w, "structuredContent");
	json_write_member_int(w, "reading", (int64_t)reading);
	snprintf(number, sizeof(number), "%zu.%02zu", load / 100, load % 100);
	json_write_member_json(w, "load", number);
	json_write_member_array(w, "processes");
	for (size_t i = 0; i < ARRAY_LEN(processes); i++) {
		int cpu = processes[i].cpu + (int)(reading * (i * 7 + 3) % 40);
		snprintf(number, sizeof(number), "%d.%d", cpu / 10, cpu % 10);
		json_write_object(w);
		json_write_member_int(w, "pid", processes[i].pid);
		json_write_member_string(w, "name", processes[i].name);
		json_write_member_json(w, "cpu", number);
		json_write_member_int(w, "memory", processes[i].memory + (int)(reading * i % 16));
		json_write_object_end(w);
	}
	json_write_array_end(w);
	json_write_object_end(w);
	demo_end(call);
}

static const char machine_output[] = JSON_TEXT({"type":"object","properties":{
	"reading":{"type":"integer","minimum":1},
	"load":{"type":"number","minimum":0},
	"processes":{"type":"array","items":{"type":"object","properties":{
		"pid":{"type":"integer"},
		"name":{"type":"string"},
		"cpu":{"type":"number","description":"Percent"},
		"memory":{"type":"integer","description":"MiB"}},
		"required":["pid","name","cpu","memory"]}}},
	"required":["reading","load","processes"]});

const struct demo_tool demo_tool_watch_machine = {
	.name = "watch_machine",
	.title = "Watch a machine",
	.description = "An app that calls machine_stats each second. The figures are made up.",
	.annotations = DEMO_READ_ONLY,
	.output_schema = machine_output,
	.app = DEMO_APP_PREFIX "watch_machine",
	.run = machine_stats,
};

const struct demo_tool demo_tool_machine_stats = {
	.name = "machine_stats",
	.title = "Figures of a machine",
	.description =
	    "For the app of watch_machine alone: its visibility hides it from the model.",
	.annotations = DEMO_READ_ONLY,
	.output_schema = machine_output,
	.app = DEMO_APP_PREFIX "watch_machine",
	.app_only = true,
	.run = machine_stats,
};

/* SPDX-License-Identifier: MIT */
#include "tool.h"

#include "base/strings.h"
#include "base/vec.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* completion/complete: the values that an argument or a variable may have. */

#define VALUES_MAX 100 /* in one answer, as the specification has it */

static const char *const months[] = { "january", "february", "march", "april", "may", "june",
	"july", "august", "september", "october", "november", "december", NULL };
static const char *const tones[] = { "formal", "friendly", "frank", "playful", NULL };
static const char *const units[] = { "celsius", "fahrenheit", NULL };
static const char *const countries[] = { "Austria", "France", "Japan", "United States", NULL };
static const char *const cities[][6] = {
	{ "Graz", "Innsbruck", "Linz", "Salzburg", "Wien", NULL },
	{ "Lille", "Lyon", "Marseille", "Paris", NULL },
	{ "Kyoto", "Osaka", "Sapporo", "東京", NULL },
	{ "Boston", "Chicago", "New York", "Seattle", NULL },
};
#define FIRST_ORDER 1001
#define ORDER_COUNT 420

bool
demo_is_month(const char *text)
{
	return words_have(months, text);
}

static const char *const *
cities_of(const char *country)
{
	for (size_t i = 0; countries[i]; i++)
		if (country && strcmp(countries[i], country) == 0)
			return cities[i];
	return NULL;
}

bool
demo_is_city(const char *country, const char *city)
{
	return cities_of(country) && words_have(cities_of(country), city);
}

struct completion_values {
	struct demo_call *call;
	const char *typed;
	size_t shown, total;
};

static void
offer(struct completion_values *c, const char *value)
{
	if (strncasecmp(value, c->typed, strlen(c->typed)) != 0)
		return;
	c->total++;
	if (c->shown == VALUES_MAX)
		return;
	c->shown++;
	json_write_string(&c->call->w, value);
}

static const struct {
	const char *ref, *argument; /* a prompt's name or a template */
	enum { VALUES, CITIES, ORDERS } kind;
	const char *const *values;
} sources[] = {
	{ "demo://reports/{month}", "month", VALUES, months },
	{ "demo://weather/{country}/{city}{?units}", "country", VALUES, countries },
	{ "demo://weather/{country}/{city}{?units}", "city", CITIES, NULL },
	{ "demo://weather/{country}/{city}{?units}", "units", VALUES, units },
	{ "review_order", "order_id", ORDERS, NULL },
	{ "review_order", "tone", VALUES, tones },
	{ "plan_trip", "country", VALUES, countries },
	{ "plan_trip", "city", CITIES, NULL },
};

void
demo_complete(struct demo_call *call)
{
	const cJSON *ref = json_get(call->params, "ref"),
		    *argument = json_get(call->params, "argument");
	const char *type = json_get_string(ref, "type"), *name = json_get_string(argument, "name");
	const cJSON *chosen = json_get(json_get(call->params, "context"), "arguments");
	const char *typed = json_get_string(argument, "value");
	bool is_prompt = type && strcmp(type, "ref/prompt") == 0;
	const char *key = json_get_string(ref, is_prompt ? "name" : "uri");
	struct completion_values c = { .call = call, .typed = typed ? typed : "" };

	if (!key || !name || !typed) {
		demo_error(call, ERROR_INVALID_PARAMS, NULL,
		    "ref, argument.name and argument.value must be given");
		return;
	}
	demo_result(call);
	json_write_member_object(&call->w, "completion");
	json_write_member_array(&call->w, "values");
	for (size_t i = 0; i < ARRAY_LEN(sources); i++)
		if (strcmp(sources[i].ref, key) == 0 && strcmp(sources[i].argument, name) == 0) {
			char number[24];
			for (int n = 0; sources[i].kind == ORDERS && n < ORDER_COUNT; n++) {
				snprintf(number, sizeof(number), "%d", FIRST_ORDER + n);
				offer(&c, number);
			}
			/* the cities of the country that was chosen before */
			const char *const *values =
			    sources[i].kind == CITIES
				? cities_of(json_get_string(chosen, "country"))
				: sources[i].values;
			for (; values && *values; values++)
				offer(&c, *values);
		}
	json_write_array_end(&call->w);
	json_write_member_int(&call->w, "total", (int64_t)c.total);
	json_write_member_bool(&call->w, "hasMore", c.total > c.shown);
	json_write_object_end(&call->w);
	demo_end(call);
}

/* Prompts: one without arguments, one with messages of each kind, one whose arguments depend on
 * each other. */

static void
open_messages(struct demo_call *call, const char *description)
{
	demo_result(call);
	json_write_member_string(&call->w, "description", description);
	json_write_member_array(&call->w, "messages");
}

static void
close_messages(struct demo_call *call)
{
	json_write_array_end(&call->w);
	demo_end(call);
}

/* block: a content block as JSON. */
static void
write_message(struct demo_call *call, const char *role, const char *block)
{
	json_write_object(&call->w);
	json_write_member_string(&call->w, "role", role);
	json_write_member_json(&call->w, "content", block);
	json_write_object_end(&call->w);
}

static void
write_text(struct demo_call *call, const char *role, const char *text)
{
	json_write_object(&call->w);
	json_write_member_string(&call->w, "role", role);
	json_write_member_object(&call->w, "content");
	json_write_member_string(&call->w, "type", "text");
	json_write_member_string(&call->w, "text", text);
	json_write_object_end(&call->w);
	json_write_object_end(&call->w);
}

/* Every argument of a prompt is a string. NULL: it is required, and that was answered. */
static const char *
argument(struct demo_call *call, const char *name, const char *otherwise)
{
	const cJSON *given = json_get(call->arguments, name);

	if (!given && otherwise)
		return otherwise;
	if (cJSON_GetStringValue(given) && *cJSON_GetStringValue(given))
		return cJSON_GetStringValue(given);
	demo_error(call, ERROR_INVALID_PARAMS, NULL,
	    given ? "The argument %s must be a string" : "The argument %s is missing", name);
	return NULL;
}

static void
introduce(struct demo_call *call)
{
	open_messages(call, "Asks for an introduction");
	write_text(call, "user", "Introduce yourself in two sentences, then say what you can do.");
	close_messages(call);
}

static void
review_order(struct demo_call *call)
{
	static const char order[] = JSON_TEXT({"type":"resource","resource":{
	"uri":"demo://users.json","mimeType":"application/json",
	"text":"{\n  \"order\": 1001,\n  \"total\": 99.5\n}"}});
	static const char link[] = JSON_TEXT({"type":"resource_link","uri":"demo://reports/july",
	"name":"july","title":"Report of July","mimeType":"text/markdown"});
	static const char manual[] =
	    JSON_TEXT({"type":"resource_link",
	"uri":"https://example.com/style-guide.html","name":"style guide",
	"mimeType":"text/html"});
	const char *id = argument(call, "order_id", NULL);
	const char *tone = id ? argument(call, "tone", "friendly") : NULL;
	char text[300];

	if (!tone)
		return;
	open_messages(call, "A review of one order");
	snprintf(text, sizeof(text), "Review order %.60s. Keep a %.60s tone.", id, tone);
	write_text(call, "user", text);
	write_message(call, "user", order);
	write_text(
	    call, "assistant", "I have read the order. Which report shall I compare it with?");
	write_message(call, "user", link);
	write_message(call, "user", manual);
	close_messages(call);
}

static void
plan_trip(struct demo_call *call)
{
	const char *country = argument(call, "country", NULL);
	const char *city = country ? argument(call, "city", NULL) : NULL;
	char text[300];

	if (!city)
		return;
	open_messages(call, "A trip");
	snprintf(text, sizeof(text), "Plan a weekend in %.60s, %.60s, by train.", city, country);
	write_text(call, "user", text);
	close_messages(call);
}

/* clang-format off */
static const struct {
	const char *name, *definition; /* the members after the name */
	void (*get)(struct demo_call *call);
} prompts[] = {
	{ "introduce",
		JSON_TEXT("title":"Introduce yourself","description":"One message, no arguments"),
		introduce },
	{ "review_order",
		JSON_TEXT("title":"Review an order",
			"description":"Five messages: text, an embedded resource, an answer, two links",
			"arguments":[{"name":"order_id",
				"description":"Number of the order; more than 100 complete","required":true},
				{"name":"tone","description":"How it is written"}]),
		review_order },
	{ "plan_trip",
		JSON_TEXT("title":"Plan a trip",
			"description":"The cities that complete are those of the country chosen before",
			"arguments":[{"name":"country","description":"Where to","required":true},
				{"name":"city","description":"A city of that country","required":true}]),
		plan_trip },
};
/* clang-format on */

void
demo_list_prompts(struct demo_call *call)
{
	struct json_writer *w = &call->w;

	demo_result(call);
	json_write_member_array(w, "prompts");
	for (size_t i = 0; i < ARRAY_LEN(prompts); i++) {
		json_write_object(w);
		json_write_member_string(w, "name", prompts[i].name);
		buf_addf(w->out, ",%s", prompts[i].definition);
		json_write_object_end(w);
	}
	json_write_array_end(w);
	demo_end_cacheable(call, 0);
}

void
demo_get_prompt(struct demo_call *call)
{
	const char *name = json_get_string(call->params, "name");

	call->arguments = json_get(call->params, "arguments");
	for (size_t i = 0; name && i < ARRAY_LEN(prompts); i++)
		if (strcmp(prompts[i].name, name) == 0) {
			prompts[i].get(call);
			return;
		}
	demo_error(
	    call, ERROR_INVALID_PARAMS, NULL, "Unknown prompt: %.200s", name ? name : "(no name)");
}

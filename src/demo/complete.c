#include "offers_priv.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* completion/complete: what an argument or a variable may be. */

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

static bool
is_among(const char *const *list, const char *text)
{
	for (; *list; list++)
		if (strcmp(*list, text) == 0)
			return true;
	return false;
}

bool
demo_is_month(const char *text)
{
	return is_among(months, text);
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
	return cities_of(country) && is_among(cities_of(country), city);
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

static void
offer_all(struct completion_values *c, const char *const *list)
{
	for (; list && *list; list++)
		offer(c, *list);
}

static void
offer_months(struct completion_values *c)
{
	offer_all(c, months);
}

static void
offer_tones(struct completion_values *c)
{
	offer_all(c, tones);
}

static void
offer_units(struct completion_values *c)
{
	offer_all(c, units);
}

static void
offer_countries(struct completion_values *c)
{
	offer_all(c, countries);
}

static void
offer_cities(struct completion_values *c)
{
	const cJSON *context = json_get(json_get(c->call->params, "context"), "arguments");

	offer_all(c, cities_of(json_get_string(context, "country")));
}

static void
offer_orders(struct completion_values *c)
{
	char number[24];

	for (int i = 0; i < ORDER_COUNT; i++) {
		snprintf(number, sizeof(number), "%d", FIRST_ORDER + i);
		offer(c, number);
	}
}

static const struct {
	const char *ref, *argument; /* a prompt's name or a template */
	void (*offer)(struct completion_values *c);
} sources[] = {
	{ "demo://reports/{month}", "month", offer_months },
	{ "demo://weather/{country}/{city}{?units}", "country", offer_countries },
	{ "demo://weather/{country}/{city}{?units}", "city", offer_cities },
	{ "demo://weather/{country}/{city}{?units}", "units", offer_units },
	{ "review_order", "order_id", offer_orders },
	{ "review_order", "tone", offer_tones },
	{ "plan_trip", "country", offer_countries },
	{ "plan_trip", "city", offer_cities },
};

void
demo_complete(struct demo_call *call)
{
	const cJSON *ref = json_get(call->params, "ref"),
		    *argument = json_get(call->params, "argument");
	const char *type = json_get_string(ref, "type"), *name = json_get_string(argument, "name");
	const char *typed = json_get_string(argument, "value");
	bool is_prompt = type && strcmp(type, "ref/prompt") == 0;
	const char *key = json_get_string(ref, is_prompt ? "name" : "uri");
	struct completion_values c = { .call = call, .typed = typed ? typed : "" };

	if (!key || !name || !typed) {
		demo_error(
		    call, -32602, NULL, "ref, argument.name and argument.value must be given");
		return;
	}
	demo_result(call);
	json_write_key(&call->w, "completion");
	json_write_object(&call->w);
	json_write_key(&call->w, "values");
	json_write_array(&call->w);
	for (size_t i = 0; i < sizeof(sources) / sizeof(*sources); i++)
		if (strcmp(sources[i].ref, key) == 0 && strcmp(sources[i].argument, name) == 0)
			sources[i].offer(&c);
	json_write_array_end(&call->w);
	json_write_member_int(&call->w, "total", (int64_t)c.total);
	json_write_member_bool(&call->w, "hasMore", c.total > c.shown);
	json_write_object_end(&call->w);
	demo_end(call);
}

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

const struct demo_handler demo_records[] = {
	{ "list_users", list_users },
	{ "list_users_before", list_users_before },
	{ "get_weather_data", get_weather_data },
	{ "search_orders", search_orders },
	{ "update_order", update_order },
	{ "plan_trip", plan_trip },
	{ "plan_budget", plan_budget },
	{ "machine_stats", machine_stats },
	{ NULL, NULL },
};

/* SPDX-License-Identifier: MIT */
#include "tool.h"

#include "base/ascii.h"
#include "base/buf.h"
#include "base/embedded.h"
#include "base/mem.h"
#include "base/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Resources of each kind of content, and two templates. */

static const char welcome_text[] =
    "# Welcome\n\nThe demo server offers more than tools:\n\n"
    "- resources: text, JSON, a picture, a folder of two, one that changes\n"
    "- templates, whose variables complete as you type\n"
    "- prompts, with and without arguments\n\n"
    "| key | on a link |\n|:---:|---|\n| `n` | the next one |\n| `Enter` | follows it |\n\n"
    "> Try the [users](demo://users.json) or the [specification]"
    "(https://modelcontextprotocol.io/specification).\n";

static const char users_json[] =
    "{\"users\":[{\"id\":1,\"name\":\"Alice\",\"role\":\"admin\"},"
    "{\"id\":2,\"name\":\"Bob\",\"role\":\"editor\"},"
    "{\"id\":3,\"name\":\"Charlie\",\"role\":\"viewer\"}],\"total\":3}";

/* member: "text" or "blob". */
static void
write_content(struct demo_call *call, const char *uri, const char *mime, const char *member,
    const char *value)
{
	json_write_object(&call->w);
	json_write_member_string(&call->w, "uri", uri);
	json_write_member_string(&call->w, "mimeType", mime);
	json_write_member_string(&call->w, member, value);
	json_write_object_end(&call->w);
}

static void
read_counter(struct demo_call *call, const char *uri)
{
	char text[80];

	snprintf(text, sizeof(text), "tools were called %zu times", call->demo->count);
	write_content(call, uri, "text/plain", "text", text);
}

static void
read_folder(struct demo_call *call, const char *uri)
{
	write_content(
	    call, "demo://notes/1", "text/markdown", "text", "# Note\n\nThe first of two.");
	write_content(call, "demo://files/hello.bin", "application/octet-stream", "blob",
	    "AAECA0hlbGxvLCB3b3JsZP8=");
}

/* clang-format off */
static const struct {
	const char *uri, *definition;   /* the members after the uri */
	const char *mime, *text, *blob; /* unless read() writes the contents */
	void (*read)(struct demo_call *call, const char *uri);
} resources[] = {
	{ "demo://welcome",
		JSON_TEXT("name":"welcome","title":"Welcome","mimeType":"text/markdown",
			"description":"What there is to see, as markdown",
			"annotations":{"audience":["user"],"priority":0.8,"lastModified":"2026-07-31T17:00:00Z"}),
		"text/markdown", welcome_text, NULL, NULL },
	{ "demo://users.json",
		JSON_TEXT("name":"users.json","title":"Users","mimeType":"application/json",
			"description":"Three users as JSON: shown as a table beside the text"),
		"application/json", users_json, NULL, NULL },
	{ "demo://picture.png",
		JSON_TEXT("name":"picture.png","title":"A picture","mimeType":"image/png","size":124,
			"description":"24 x 24 pixels, as bytes",
			"icons":[{"src":"https://example.com/picture.svg","mimeType":"image/svg+xml",
			"sizes":["any"]},{"src":"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAABgAAAAYBAMAAAASWSDLAAAAD1BMVEUWGyJYpv8/uVDSmSL4UUmUjt1jAAAAKElEQVR42mMQRAIMAgxwwEgix9iAEo6SAn6OiyM+jqAANTk4fYocVAB22hF/BlHiGQAAAABJRU5ErkJggg==",
			"sizes":["24x24"],"theme":"dark"}]),
		"image/png", NULL, demo_picture_png, NULL },
	{ "demo://counter",
		JSON_TEXT("name":"counter","title":"A counter","mimeType":"text/plain",
			"description":"How often tools were called: subscribe to it, then call one"),
		NULL, NULL, NULL, read_counter },
	{ "demo://folder",
		JSON_TEXT("name":"folder","title":"A folder",
			"description":"One resource with two contents, each with a URI of its own"),
		NULL, NULL, NULL, read_folder },
};
/* clang-format on */

/* ---- templates ---- */

static const char templates[] =
    JSON_TEXT([{"uriTemplate":"demo://reports/{month}","name":"reports","title":"Report of a month",
	"description":"One text for each month; the month completes","mimeType":"text/markdown"},
	{"uriTemplate":"demo://weather/{country}/{city}{?units}","name":"weather",
	"title":"Weather of a city",
	"description":"The cities that complete are those of the country",
	"mimeType":"application/json"}]);

/* The next part of a path, decoded; the rest is left in *uri. */
static void
take_part(const char **uri, char *out, size_t size)
{
	const char *at = *uri;
	size_t len = 0;

	while (*at && !strchr("/?", *at) && len + 1 < size) {
		int byte = *at == '%' ? hex_number(at + 1, 2) : -1;
		out[len++] = byte < 0 ? *at : (char)byte;
		at += byte < 0 ? 1 : 3;
	}
	out[len] = '\0';
	*uri = *at ? at + 1 : at;
}

static bool
read_report(struct demo_call *call, const char *uri, const char *rest)
{
	char month[40], text[200];

	take_part(&rest, month, sizeof(month));
	if (!demo_is_month(month))
		return false;
	snprintf(text, sizeof(text),
	    "# Report of %s\n\n| product | sold |\n|---|---|\n| tea | %zu |\n| coffee | %zu |\n",
	    month, strlen(month) * 7, strlen(month) * 11);
	write_content(call, uri, "text/markdown", "text", text);
	return true;
}

static bool
read_weather(struct demo_call *call, const char *uri, const char *rest)
{
	char country[40], city[40], text[300];
	bool fahrenheit = strstr(rest, "?units=fahrenheit") != NULL;

	take_part(&rest, country, sizeof(country));
	take_part(&rest, city, sizeof(city));
	if (!demo_is_city(country, city))
		return false;
	double degrees = 10 + (double)(strlen(city) * 3 % 17);
	snprintf(text, sizeof(text),
	    "{\n  \"country\": \"%s\",\n  \"city\": \"%s\",\n  \"temperature\": %.1f,\n"
	    "  \"units\": \"%s\"\n}",
	    country, city, fahrenheit ? degrees * 1.8 + 32 : degrees,
	    fahrenheit ? "fahrenheit" : "celsius");
	write_content(call, uri, "application/json", "text", text);
	return true;
}

/* Apps (MCP Apps, 2026-01-26) are pages in the folder `page`, which need no network. records.c has
 * the tool of the first, the tools of the others are at the end of this file. */

/* Replaces a comment of the page by a file. */
static void
include(struct buf *page, const char *comment, const char *tag, const char *name)
{
	const struct embedded_file *file = embedded_find(page_files, name);
	struct buf text = BUF_INIT;

	buf_addf(&text, "<%s>\n%.*s</%s>", tag, (int)file->len, file->bytes, tag);
	buf_replace(page, comment, buf_text(&text));
	buf_finish(&text);
}

static bool
read_app(struct demo_call *call, const char *uri, const char *name)
{
	const struct embedded_file *page;
	struct buf html = BUF_INIT;
	char file[60];

	snprintf(file, sizeof(file), "%s.html", name);
	page = embedded_find(page_files, file);
	if (!page)
		return false;
	buf_add(&html, page->bytes, page->len);
	include(&html, "<!-- app.css -->", "style", "app.css");
	include(&html, "<!-- mcp.js -->", "script", "mcp.js");
	json_write_object(&call->w);
	json_write_member_string(&call->w, "uri", uri);
	json_write_member_string(&call->w, "mimeType", "text/html;profile=mcp-app");
	json_write_key(&call->w, "text");
	json_write_stringn(&call->w, html.data, html.len);
	json_write_member_json(&call->w, "_meta", JSON_TEXT({"ui":{"prefersBorder":false}}));
	json_write_object_end(&call->w);
	buf_finish(&html);
	return true;
}

static const struct {
	const char *prefix;
	bool (*read)(struct demo_call *call, const char *uri, const char *rest);
} families[] = {
	{ "demo://reports/", read_report },
	{ "demo://weather/", read_weather },
	{ DEMO_APP_PREFIX, read_app },
};

/* Resources that no list has. */
static const struct {
	const char *uri, *mime, *member, *value;
} unlisted[] = {
	{ "demo://notes/1", "text/markdown", "text", "# Note\n\nA resource that no list has." },
	{ "demo://files/hello.bin", "application/octet-stream", "blob",
	    "AAECA0hlbGxvLCB3b3JsZP8=" },
};

/* ---- the methods ---- */

void
demo_list_resources(struct demo_call *call)
{
	struct json_writer *w = &call->w;

	demo_result(call);
	json_write_member_array(w, "resources");
	for (size_t i = 0; i < ARRAY_LEN(resources); i++) {
		json_write_object(w);
		json_write_member_string(w, "uri", resources[i].uri);
		buf_addf(w->out, ",%s", resources[i].definition);
		json_write_object_end(w);
	}
	json_write_array_end(w);
	demo_end_cacheable(call, 0);
}

void
demo_list_templates(struct demo_call *call)
{
	demo_result(call);
	json_write_member_json(&call->w, "resourceTemplates", templates);
	demo_end_cacheable(call, 0);
}

/* Writes the contents. False: there is no such resource. */
static bool
write_contents(struct demo_call *call, const char *uri)
{
	for (size_t i = 0; i < ARRAY_LEN(resources); i++)
		if (strcmp(resources[i].uri, uri) == 0) {
			const char *text = resources[i].text;
			if (resources[i].read)
				resources[i].read(call, uri);
			else
				write_content(call, uri, resources[i].mime, text ? "text" : "blob",
				    text ? text : resources[i].blob);
			return true;
		}
	for (size_t i = 0; i < ARRAY_LEN(unlisted); i++)
		if (strcmp(unlisted[i].uri, uri) == 0) {
			write_content(
			    call, uri, unlisted[i].mime, unlisted[i].member, unlisted[i].value);
			return true;
		}
	for (size_t i = 0; i < ARRAY_LEN(families); i++) {
		size_t len = strlen(families[i].prefix);
		if (strncmp(families[i].prefix, uri, len) == 0 &&
		    families[i].read(call, uri, uri + len))
			return true;
	}
	return demo_read_skill(call, uri);
}

void
demo_read_resource(struct demo_call *call)
{
	const char *uri = json_get_string(call->params, "uri");
	size_t start = call->demo->out.len;

	if (!uri) {
		demo_error(
		    call, ERROR_INVALID_PARAMS, NULL, "params.uri must be the URI of a resource");
		return;
	}
	demo_result(call);
	json_write_member_array(&call->w, "contents");
	if (write_contents(call, uri)) {
		json_write_array_end(&call->w);
		demo_end_cacheable(call, strcmp(uri, "demo://counter") == 0 ? 0 : 60000);
		return;
	}
	buf_truncate(&call->demo->out, start);
	demo_error(call, call->modern ? ERROR_INVALID_PARAMS : ERROR_RESOURCE_NOT_FOUND, NULL,
	    "Resource not found: %.200s", uri);
}

/* Notifications that demo://counter changed: to a subscriber before 2026-07-28, else on the open
 * subscription. */

#define COUNTER "demo://counter"
#define SUBSCRIPTION_ID "io.modelcontextprotocol/subscriptionId"

static bool
is_counter(const cJSON *uri)
{
	return cJSON_GetStringValue(uri) && strcmp(cJSON_GetStringValue(uri), COUNTER) == 0;
}

static void
set_subscribed(struct demo_call *call, bool on)
{
	if (is_counter(json_get(call->params, "uri")))
		call->demo->subscribed = on;
	demo_result(call);
	demo_end(call);
}

void
demo_subscribe(struct demo_call *call)
{
	set_subscribed(call, true);
}

void
demo_unsubscribe(struct demo_call *call)
{
	set_subscribed(call, false);
}

static void
close_notice(struct json_writer *w, const char *id)
{
	if (id) {
		json_write_member_object(w, "_meta");
		json_write_member_json(w, SUBSCRIPTION_ID, id);
		json_write_object_end(w);
	}
	demo_notice_end(w);
}

/* The request stays open: its notifications have its id. A second one replaces it. */
void
demo_listen(struct demo_call *call)
{
	const cJSON *filter = json_get(call->params, "notifications");
	const cJSON *uris = json_get(filter, "resourceSubscriptions");
	struct demo *d = call->demo;
	struct json_writer w;

	free(d->listen_id);
	d->listen_id = mem_strdup(call->id);
	d->subscribed = false;
	demo_notice(&w, d, "notifications/subscriptions/acknowledged");
	json_write_member_object(&w, "notifications");
	if (uris) {
		json_write_member_array(&w, "resourceSubscriptions");
		for (const cJSON *uri = json_first(uris); uri; uri = uri->next)
			if (is_counter(uri)) {
				json_write_string(&w, COUNTER);
				d->subscribed = true;
			}
		json_write_array_end(&w);
	}
	json_write_object_end(&w);
	close_notice(&w, d->listen_id);
}

void
demo_listen_cancel(struct demo *d, const char *id)
{
	if (!d->listen_id || strcmp(d->listen_id, id) != 0)
		return;
	free(d->listen_id);
	d->listen_id = NULL;
	d->subscribed = false;
}

void
demo_count(struct demo *d)
{
	struct json_writer w;

	d->count++;
	if (!d->subscribed)
		return;
	demo_notice(&w, d, "notifications/resources/updated");
	json_write_member_string(&w, "uri", COUNTER);
	close_notice(&w, d->listen_id);
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

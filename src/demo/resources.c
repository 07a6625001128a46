/* SPDX-License-Identifier: MIT */
/* What the demo server has besides tools: prompts, skills and resources. */
#include "tool.h"

#include "base/ascii.h"
#include "base/buf.h"
#include "base/embedded.h"
#include "base/mem.h"
#include "base/strings.h"
#include "base/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- completion/complete: the values that an argument or a variable may have ---- */

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

static const char *const *
cities_of(const char *country)
{
	for (size_t i = 0; countries[i]; i++)
		if (country && strcmp(countries[i], country) == 0)
			return cities[i];
	return NULL;
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

/* ---- prompts: one without arguments, one with messages of each kind, one whose arguments depend
 * on each other ---- */

/* block: a content block as JSON; NULL: a text. */
static void
write_message(struct demo_call *call, const char *role, const char *text, const char *block)
{
	json_write_object(&call->w);
	json_write_member_string(&call->w, "role", role);
	json_write_key(&call->w, "content");
	if (block)
		json_write_raw(&call->w, block, strlen(block));
	else
		demo_text_block(&call->w, text);
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
introduce(struct demo_call *call, const char *const values[])
{
	write_message(
	    call, "user", "Introduce yourself in two sentences, then say what you can do.", NULL);
}

static void
review_order(struct demo_call *call, const char *const values[])
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
	char text[300];

	snprintf(
	    text, sizeof(text), "Review order %.60s. Keep a %.60s tone.", values[0], values[1]);
	write_message(call, "user", text, NULL);
	write_message(call, "user", NULL, order);
	write_message(call, "assistant",
	    "I have read the order. Which report shall I compare it with?", NULL);
	write_message(call, "user", NULL, link);
	write_message(call, "user", NULL, manual);
}

static void
plan_trip(struct demo_call *call, const char *const values[])
{
	char text[300];

	snprintf(
	    text, sizeof(text), "Plan a weekend in %.60s, %.60s, by train.", values[1], values[0]);
	write_message(call, "user", text, NULL);
}

static const struct {
	const char *name, *description; /* of the messages */
	struct {
		const char *name, *otherwise;
	} arguments[2];
	void (*write)(struct demo_call *call, const char *const values[]); /* the messages */
} prompts[] = {
	{ "introduce", "Asks for an introduction", { { NULL, NULL } }, introduce },
	{ "review_order", "A review of one order", { { "order_id", NULL }, { "tone", "friendly" } },
	    review_order },
	{ "plan_trip", "A trip", { { "country", NULL }, { "city", NULL } }, plan_trip },
};

void
demo_get_prompt(struct demo_call *call)
{
	const char *name = json_get_string(call->params, "name"), *values[2] = { NULL, NULL };
	size_t i = 0;

	call->arguments = json_get(call->params, "arguments");
	while (name && i < ARRAY_LEN(prompts) && strcmp(prompts[i].name, name) != 0)
		i++;
	if (!name || i == ARRAY_LEN(prompts)) {
		demo_error(call, ERROR_INVALID_PARAMS, NULL, "Unknown prompt: %.200s",
		    name ? name : "(no name)");
		return;
	}
	for (size_t k = 0; k < ARRAY_LEN(values) && prompts[i].arguments[k].name; k++) {
		values[k] =
		    argument(call, prompts[i].arguments[k].name, prompts[i].arguments[k].otherwise);
		if (!values[k])
			return;
	}
	demo_result(call);
	json_write_member_string(&call->w, "description", prompts[i].description);
	json_write_member_array(&call->w, "messages");
	prompts[i].write(call, values);
	json_write_array_end(&call->w);
	demo_end(call);
}

/* ---- skills (SEP-2640): a valid one, one whose files differ from its entry, a dynamic one, and an
 * unlisted one. page/lists.json has their entries and files. ---- */

static const cJSON *
first_skill(const struct demo_call *call)
{
	return json_first(json_get(json_root(call->demo->lists), "skills"));
}

/* The rest of a URI in the folder of the skill, "" for the folder; NULL: it lies elsewhere. */
static const char *
path_in(const cJSON *skill, const char *uri)
{
	const char *folder = json_get_string(skill, "folder");
	size_t len = strlen(folder);

	if (strncmp(uri, folder, len) != 0 || (uri[len] != '/' && uri[len] != '\0'))
		return NULL;
	return uri + len + (uri[len] == '/');
}

void
demo_list_skills(struct demo_call *call)
{
	demo_result(call);
	json_write_member_array(&call->w, "skills");
	for (const cJSON *s = first_skill(call); s; s = s->next)
		if (!json_get(s, "unlisted"))
			json_write_value(&call->w, json_get(s, "entry"));
	json_write_array_end(&call->w);
	demo_end_cacheable(call, 60000);
}

void
demo_get_skill(struct demo_call *call)
{
	const char *uri = json_get_string(call->params, "uri");

	for (const cJSON *s = first_skill(call); uri && s; s = s->next) {
		const cJSON *entry = json_get(s, "entry");
		if (strcmp(json_get_string(entry, "uri"), uri) != 0)
			continue;
		demo_result(call);
		json_write_member_value(&call->w, "skill", entry);
		demo_end_cacheable(call, 60000);
		return;
	}
	demo_error(call, ERROR_INVALID_PARAMS, NULL, "No skill is served at %.200s",
	    uri ? uri : "params.uri");
}

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

/* False: there is no such file. */
static bool
read_skill(struct demo_call *call, const char *uri)
{
	const char *path, *text = NULL;

	for (const cJSON *s = first_skill(call); s && !text; s = s->next)
		if ((path = path_in(s, uri)))
			text = json_get_string(json_get(s, "files"), path);
	if (text)
		write_content(call, uri, "text/markdown", "text", text);
	return text != NULL;
}

/* Its direct children; files of one folder stand together. Returns how many there are. */
static size_t
write_children(struct json_writer *w, const cJSON *skill, const char *folder, const char *path)
{
	size_t len = strlen(path), count = 0;
	const char *last = "";

	for (const cJSON *f = json_first(json_get(skill, "files")); f; f = f->next) {
		if (len > 0 && (strncmp(f->string, path, len) != 0 || f->string[len] != '/'))
			continue;
		const char *name = f->string + len + (len > 0);
		size_t end = strcspn(name, "/");
		if (strncmp(last, name, end + 1) != 0 || name[end] == '\0') {
			struct buf uri = BUF_INIT;
			buf_addf(&uri, "%s/%.*s", folder, (int)end, name);
			json_write_object(w);
			json_write_member_string(w, "uri", buf_text(&uri));
			json_write_key(w, "name");
			json_write_stringn(w, name, end);
			json_write_member_string(
			    w, "mimeType", name[end] == '/' ? "inode/directory" : "text/markdown");
			json_write_object_end(w);
			buf_finish(&uri);
			count++;
		}
		last = name;
	}
	return count;
}

void
demo_read_directory(struct demo_call *call)
{
	const char *uri = json_get_string(call->params, "uri");
	size_t start = call->demo->out->bytes.len, count = 0;

	demo_result(call);
	json_write_member_array(&call->w, "resources");
	for (const cJSON *s = first_skill(call); uri && s; s = s->next)
		if (path_in(s, uri))
			count = write_children(&call->w, s, uri, path_in(s, uri));
	json_write_array_end(&call->w);
	if (count > 0) {
		demo_end(call);
		return;
	}
	buf_truncate(&call->demo->out->bytes, start);
	demo_error(call, ERROR_INVALID_PARAMS, NULL, "%.200s is not a directory resource",
	    uri ? uri : "params.uri");
}

/* ---- resources: of each kind of content, and two templates ---- */

#define COUNTER "demo://counter"

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
	if (!words_have(months, month))
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
	if (!cities_of(country) || !words_have(cities_of(country), city))
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
 * their tools. */

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

/* ---- the methods ---- */

/* page/lists.json has the lists by their methods, and contents of resources by their URIs. */
void
demo_list(struct demo_call *call)
{
	const cJSON *list = json_first(json_get(json_root(call->demo->lists), call->method));

	demo_result(call);
	json_write_member_value(&call->w, list->string, list);
	demo_end_cacheable(call, 0);
}

/* Writes the contents. False: there is no such resource. */
static bool
write_contents(struct demo_call *call, const char *uri)
{
	const cJSON *lists = json_root(call->demo->lists);
	const cJSON *contents = json_get(json_get(lists, "resources/read"), uri);
	bool found = contents != NULL;

	for (const cJSON *m = json_first(contents); m; m = m->next)
		json_write_value(&call->w, m);
	if (strcmp(uri, COUNTER) == 0) {
		char text[80];
		snprintf(text, sizeof(text), "tools were called %zu times", call->demo->count);
		write_content(call, uri, "text/plain", "text", text);
		found = true;
	}
	if (found)
		return true;
	for (size_t i = 0; i < ARRAY_LEN(families); i++) {
		size_t len = strlen(families[i].prefix);
		if (strncmp(families[i].prefix, uri, len) == 0 &&
		    families[i].read(call, uri, uri + len))
			return true;
	}
	return read_skill(call, uri);
}

void
demo_read_resource(struct demo_call *call)
{
	const char *uri = json_get_string(call->params, "uri");
	size_t start = call->demo->out->bytes.len;

	if (!uri) {
		demo_error(
		    call, ERROR_INVALID_PARAMS, NULL, "params.uri must be the URI of a resource");
		return;
	}
	demo_result(call);
	json_write_member_array(&call->w, "contents");
	if (write_contents(call, uri)) {
		json_write_array_end(&call->w);
		demo_end_cacheable(call, strcmp(uri, COUNTER) == 0 ? 0 : 60000);
		return;
	}
	buf_truncate(&call->demo->out->bytes, start);
	demo_error(call, call->modern ? ERROR_INVALID_PARAMS : ERROR_RESOURCE_NOT_FOUND, NULL,
	    "Resource not found: %.200s", uri);
}

/* Notifications that demo://counter changed: to a subscriber before 2026-07-28, else on the open
 * subscription. */

#define SUBSCRIPTION_ID "io.modelcontextprotocol/subscriptionId"

static bool
is_counter(const cJSON *uri)
{
	return cJSON_GetStringValue(uri) && strcmp(cJSON_GetStringValue(uri), COUNTER) == 0;
}

/* Or ends the subscription. */
void
demo_subscribe(struct demo_call *call)
{
	if (is_counter(json_get(call->params, "uri")))
		call->demo->subscribed = strcmp(call->method, "resources/subscribe") == 0;
	demo_result(call);
	demo_end(call);
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

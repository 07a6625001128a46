#include "offers_priv.h"

#include <stdio.h>
#include <string.h>

/* Prompts: one without arguments, one with messages of each kind, one whose arguments depend on
 * each other. */

static void
open_messages(struct demo_call *call, const char *description)
{
	demo_result(call);
	json_write_member_string(&call->w, "description", description);
	json_write_key(&call->w, "messages");
	json_write_array(&call->w);
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
	json_write_key(&call->w, "content");
	json_write_raw(&call->w, block, strlen(block));
	json_write_object_end(&call->w);
}

static void
write_text(struct demo_call *call, const char *role, const char *text)
{
	json_write_object(&call->w);
	json_write_member_string(&call->w, "role", role);
	json_write_key(&call->w, "content");
	json_write_object(&call->w);
	json_write_member_string(&call->w, "type", "text");
	json_write_member_string(&call->w, "text", text);
	json_write_object_end(&call->w);
	json_write_object_end(&call->w);
}

/* Every argument of a prompt is text. NULL: it is required, and that was answered. */
static const char *
argument(struct demo_call *call, const char *name, const char *otherwise)
{
	const cJSON *given = json_get(call->arguments, name);

	if (!given && otherwise)
		return otherwise;
	if (json_string(given) && *json_string(given))
		return json_string(given);
	demo_error(call, -32602, NULL,
	    given ? "The argument %s must be a text" : "The argument %s is missing", name);
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

static const struct {
	const char *name, *definition; /* what follows the name */
	void (*get)(struct demo_call *call);
} prompts[] = {
	{ "introduce",
	    JSON_TEXT("title":"Introduce yourself","description":"One message, no arguments"),
		introduce },
	    { "review_order",
		JSON_TEXT("title":"Review an order",
	"description":"Five messages: text, an embedded resource, an answer, two links",
	"arguments":[{"name":"order_id","description":"Number of the order; more than 100 complete",
		"required":true},
		{"name":"tone","description":"How it is written"}]),
			review_order },
		    { "plan_trip", JSON_TEXT("title":"Plan a trip",
	"description":"The cities that complete are those of the country chosen before",
	"arguments":[{"name":"country","description":"Where to","required":true},
		{"name":"city","description":"A city of that country","required":true}]),
					   plan_trip },
		     };

void
demo_list_prompts(struct demo_call *call)
{
	struct json_writer *w = &call->w;

	demo_result(call);
	json_write_key(w, "prompts");
	json_write_array(w);
	for (size_t i = 0; i < sizeof(prompts) / sizeof(*prompts); i++) {
		json_write_object(w);
		json_write_member_string(w, "name", prompts[i].name);
		buf_addf(w->out, ",%s", prompts[i].definition);
		json_write_object_end(w);
	}
	json_write_array_end(w);
	if (call->modern) {
		json_write_member_int(w, "ttlMs", 0);
		json_write_member_string(w, "cacheScope", "private");
	}
	demo_end(call);
}

void
demo_get_prompt(struct demo_call *call)
{
	const char *name = json_get_string(call->params, "name");

	call->arguments = json_get(call->params, "arguments");
	for (size_t i = 0; name && i < sizeof(prompts) / sizeof(*prompts); i++)
		if (strcmp(prompts[i].name, name) == 0) {
			prompts[i].get(call);
			return;
		}
	demo_error(call, -32602, NULL, "Unknown prompt: %.200s", name ? name : "(no name)");
}

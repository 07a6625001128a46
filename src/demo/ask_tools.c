#include "state.h"

#include "base/mem.h"
#include "base/vec.h"
#include "json/print.h"

#include <stdlib.h>
#include <string.h>

/* Tools that ask the user first: by input_required since 2026-07-28, before that by a request to
 * the client. */

static const char ask_key[] = "answer";

static void
write_params(struct json_writer *w, const struct demo_tool *tool)
{
	json_write_member_string(w, "method", tool->method);
	json_write_member_json(w, "params", tool->params);
}

static void
ask_legacy(struct demo_call *call)
{
	struct demo *d = call->demo;
	struct json_writer w;

	if (d->asked.len == DEMO_RUNS_MAX) {
		demo_fail(call, "Too many questions wait already.");
		return;
	}
	struct demo_asked *asked = VEC_PUSH(&d->asked);
	*asked = (struct demo_asked){ .id = mem_strdup(call->id), .number = ++d->asked.last };
	json_write_init(&w, &d->out);
	json_write_object(&w);
	json_write_member_string(&w, "jsonrpc", "2.0");
	json_write_member_int(&w, "id", asked->number);
	write_params(&w, call->tool);
	json_write_object_end(&w);
	buf_add_char(&d->out, '\n');
}

static void
tell(struct demo_call *call, const cJSON *answer)
{
	struct buf text = BUF_INIT;

	json_print(&text, answer);
	demo_result(call);
	demo_text(call, "The client answered: %s", buf_text(&text));
	demo_structured(call, buf_text(&text));
	demo_end(call);
	buf_finish(&text);
}

static void
ask_user(struct demo_call *call)
{
	const cJSON *answer = json_get(json_get(call->params, "inputResponses"), ask_key);

	if (!call->modern) {
		ask_legacy(call);
		return;
	}
	if (answer) {
		tell(call, answer);
		return;
	}
	demo_result(call);
	json_write_member_object(&call->w, "inputRequests");
	json_write_member_object(&call->w, ask_key);
	write_params(&call->w, call->tool);
	json_write_object_end(&call->w);
	json_write_object_end(&call->w);
	json_write_member_string(&call->w, "requestState", "asked \xe2\x9c\x93");
	demo_end_as(call, "input_required");
}

static void
remove_asked(struct demo *d, size_t index)
{
	free(d->asked.items[index].id);
	VEC_REMOVE(&d->asked, index);
}

void
demo_asked_on_answer(struct demo *d, const struct message *m, int64_t now_ms)
{
	for (size_t i = 0; i < d->asked.len; i++) {
		if (!cJSON_IsNumber(m->id) ||
		    m->id->valuedouble != (double)d->asked.items[i].number)
			continue;
		struct demo_call call = { .demo = d, .id = d->asked.items[i].id, .now_ms = now_ms };
		if (m->kind == MESSAGE_ERROR)
			demo_fail(&call, "The client refused: %.300s",
			    json_get_string(m->error, "message")
				? json_get_string(m->error, "message")
				: "without a word");
		else
			tell(&call, m->result);
		remove_asked(d, i);
		return;
	}
}

void
demo_asked_cancel(struct demo *d, const char *id)
{
	for (size_t i = d->asked.len; i-- > 0;)
		if (strcmp(d->asked.items[i].id, id) == 0)
			remove_asked(d, i);
}

void
demo_asked_finish(struct demo *d)
{
	while (d->asked.len > 0)
		remove_asked(d, d->asked.len - 1);
	free(d->asked.items);
}

/* ---- the tools ---- */

static const char ask_form_params[] = JSON_TEXT({"mode":"form",
		"message":"Please describe the order. Every kind of field is here.",
		"requestedSchema":{"type":"object","properties":{
		"name":{"type":"string","title":"Name","minLength":2,"maxLength":40,
			"description":"Who orders"},
		"email":{"type":"string","format":"email","description":"For the receipt"},
		"site":{"type":"string","format":"uri"},
		"day":{"type":"string","format":"date","default":"2026-08-01"},
		"at":{"type":"string","format":"date-time"},
		"pieces":{"type":"integer","minimum":1,"maximum":99,"default":3},
		"weight":{"type":"number","minimum":0.5,"maximum":20},
		"express":{"type":"boolean","default":true},
		"size":{"type":"string","enum":["S","M","L"],"default":"M"},
		"color":{"type":"string","oneOf":[{"const":"#f00","title":"Red"},
			{"const":"#0f0","title":"Green"}]},
		"extras":{"type":"array","items":{"type":"string","enum":["box","card"]},
			"maxItems":2},
		"days":{"type":"array","items":{"anyOf":[{"const":"mo","title":"Monday"},
			{"const":"tu","title":"Tuesday"}]},"default":["mo"]},
		"country":{"type":"string","enum":["de","fr"],"enumNames":["Germany","France"]}
		},"required":["name","pieces"]}});

const struct demo_tool demo_tool_ask_form = {
	.name = "ask_form",
	.title = "A form to fill in",
	.description = "Asks by a form that has every kind of field a server may ask for.",
	.annotations = DEMO_READ_ONLY,
	.run = ask_user,
	.method = "elicitation/create",
	.params = ask_form_params,
};

static const char ask_url_params[] = JSON_TEXT({"mode":"url","elicitationId":"demo-1",
		"message":"Please confirm the payment in your browser.",
		"url":"https://pay.xn--mnchen-3ya.example/confirm?order=1001&token=8d1f2c7ab04e4c1e9a5d6f3b7c8e9d0a1b2c3d4e5f60718293a4b5c6d7e8f901"});

const struct demo_tool demo_tool_ask_url = {
	.name = "ask_url",
	.title = "A page to visit",
	.description = "Asks the user to visit a URL. Its host is written in punycode.",
	.annotations = DEMO_READ_ONLY,
	.run = ask_user,
	.method = "elicitation/create",
	.params = ask_url_params,
};

static const char ask_sampling_params[] = JSON_TEXT({"messages":[
		{"role":"user","content":{"type":"text","text":"What is the weather in Paris?"}},
		{"role":"assistant","content":[{"type":"tool_use","id":"call_1",
			"name":"get_weather","input":{"city":"Paris"}}]},
		{"role":"user","content":[{"type":"tool_result","toolUseId":"call_1",
			"content":[{"type":"text","text":"18 degrees, rain"}]}]}],
		"systemPrompt":"You are brief.","maxTokens":200,"temperature":0.2,
		"modelPreferences":{"hints":[{"name":"sonnet"},{"name":"small"}],
			"costPriority":0.8,"speedPriority":0.5},
		"tools":[{"name":"get_weather","description":"The weather of a city",
			"inputSchema":{"type":"object","properties":{"city":{"type":"string"}}}}],
		"toolChoice":{"mode":"auto"}});

const struct demo_tool demo_tool_ask_sampling = {
	.name = "ask_sampling",
	.title = "A model to ask",
	.description = "Asks the client's model, with a tool that it may use.",
	.annotations = DEMO_READ_ONLY,
	.run = ask_user,
	.method = "sampling/createMessage",
	.params = ask_sampling_params,
};

const struct demo_tool demo_tool_ask_roots = {
	.name = "ask_roots",
	.title = "Folders to look into",
	.description = "Asks which folders it may look into.",
	.annotations = DEMO_READ_ONLY,
	.run = ask_user,
	.method = "roots/list",
	.params = "{}",
};

/* The client is asked even if it did not declare elicitation. */

static const char questions[] = JSON_TEXT({"color":{"method":"elicitation/create","params":{
	"mode":"form","message":"Which color?",
	"requestedSchema":{"type":"object","properties":{
		"color":{"type":"string","enum":["red","green","blue"]}},
		"required":["color"]}}}});

static void
ask(struct demo_call *call)
{
	const cJSON *answer = json_get(json_get(call->params, "inputResponses"), "color");
	const char *action = json_get_string(answer, "action");
	const char *color = json_get_string(json_get(answer, "content"), "color");

	if (answer) {
		demo_result(call);
		demo_text(call, "You answered: %s", color ? color : action ? action : "nothing");
		demo_end(call);
		return;
	}
	if (!call->modern) {
		demo_fail(call, "This tool asks with input_required, which came with 2026-07-28.");
		return;
	}
	demo_result(call);
	json_write_member_json(&call->w, "inputRequests", questions);
	demo_end_as(call, "input_required");
}

const struct demo_tool demo_tool_ask = {
	.name = "ask",
	.title = "A question back",
	.description =
	    "Asks for a color before it answers (input_required, 2026-07-28). It does so "
	    "whether or not the client said that it can be asked: nothing may hang on it.",
	.annotations = DEMO_READ_ONLY,
	.run = ask,
};

#include "demo_priv.h"

/* Calls that end badly, or only after an answer from the user. */

static void
fail(struct demo_call *call)
{
	static const char *const kinds[] = { "tool", "protocol", NULL };
	size_t kind = 0;

	if (!demo_arg_choice(call, "kind", kinds, &kind))
		return;
	if (kind == 0)
		demo_fail(call, "Warehouse 7 does not answer. Try again later, or ask for 3.");
	else
		demo_error(call, -32603, "{\"warehouse\":7}", "Warehouse 7 does not answer");
}

static const char fail_input[] = JSON_TEXT({"type":"object","properties":{
	"kind":{"type":"string","enum":["tool","protocol"],"default":"tool"}}});

static const char fail_output[] =
    JSON_TEXT({"type":"object","properties":{
	"stock":{"type":"integer"}},"required":["stock"]});

const struct demo_tool demo_tool_fail = {
	.name = "fail",
	.title = "A failing tool",
	.description =
	    "Fails: as a tool error, or as an error of the protocol. The text of a tool "
	    "error (isError) is meant for the model, and the outputSchema does not apply to "
	    "it.",
	.annotations = DEMO_READ_ONLY,
	.input_schema = fail_input,
	.output_schema = fail_output,
	.run = fail,
};

static void
crash(struct demo_call *call)
{
	static const char *const kinds[] = { "abort", "exit", NULL };
	size_t kind = 0;

	if (demo_arg_choice(call, "kind", kinds, &kind))
		call->demo->crash = kind == 0 ? DEMO_ABORTS : DEMO_EXITS;
}

static const char crash_annotations[] = JSON_TEXT({"readOnlyHint":false,"destructiveHint":true});

static const char crash_input[] =
    JSON_TEXT({"type":"object","properties":{
	"kind":{"type":"string","enum":["abort","exit"],"default":"abort",
		"description":"Die by SIGABRT, or exit with status 3"}}});

const struct demo_tool demo_tool_crash = {
	.name = "crash",
	.title = "A crash in mid-call",
	.description =
	    "The server dies in the middle of this call. It writes to stderr first: look at "
	    "what is said about its end, then restart it with one key.",
	.annotations = crash_annotations,
	.input_schema = crash_input,
	.run = crash,
};

static const char questions[] = JSON_TEXT({"colour":{"method":"elicitation/create","params":{
	"mode":"form","message":"Which colour?",
	"requestedSchema":{"type":"object","properties":{
		"colour":{"type":"string","enum":["red","green","blue"]}},
		"required":["colour"]}}}});

static void
ask(struct demo_call *call)
{
	const cJSON *answer = json_get(json_get(call->params, "inputResponses"), "colour");
	const char *action = json_get_string(answer, "action");
	const char *colour = json_get_string(json_get(answer, "content"), "colour");

	if (answer) {
		demo_result(call);
		demo_text(call, "You answered: %s", colour ? colour : action ? action : "nothing");
		demo_end(call);
		return;
	}
	if (!call->modern) {
		demo_fail(call, "This tool asks with input_required, which came with 2026-07-28.");
		return;
	}
	demo_result(call);
	json_write_key(&call->w, "inputRequests");
	json_write_raw(&call->w, questions, sizeof(questions) - 1);
	demo_end_as(call, "input_required");
}

const struct demo_tool demo_tool_ask = {
	.name = "ask",
	.title = "A question back",
	.description =
	    "Asks for a colour before it answers (input_required, 2026-07-28). It does so "
	    "whether or not the client said that it can be asked: nothing may hang on it.",
	.annotations = DEMO_READ_ONLY,
	.input_schema = DEMO_NO_INPUT,
	.run = ask,
};

/* SPDX-License-Identifier: MIT */
/* The host's end of an app: every method, the order of the specification, and the requests it
 * refuses. */
#include "apps/bridge.h"
#include "base/mem.h"
#include "base/vec.h"
#include "json/print.h"
#include "client/journal.h"
#include "quoted.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALL                                                                                    \
	(APP_CAN_OPEN_LINKS | APP_CAN_DOWNLOAD | APP_CAN_CALL_TOOLS | APP_CAN_READ_RESOURCES | \
	    APP_CAN_LIST_PROMPTS | APP_CAN_MESSAGE)

/* The environment of an app, and all messages sent to it. */
struct world {
	struct app_bridge *b;
	const struct app_bridge_info *info;
	struct journal *journal;
	struct app_context context;
	struct json_doc *tools;
	struct buf sent;  /* one message a line */
	struct buf asked; /* "KIND token name value\n" */
	struct buf told;  /* notes, logs, changes, ends, replies */
	struct buf flaws;
	uint64_t token; /* the last */
	bool answers;   /* at once, inside on_ask */
	bool sent_line_first;
	int64_t now;
};

static void
on_send(void *user, const char *json, size_t len)
{
	struct world *w = user;

	buf_add(&w->sent, json, len);
	buf_add_char(&w->sent, '\n');
}

static void
on_line(void *user, const struct app_line *line)
{
	struct world *w = user;

	journal_add(w->journal, &(struct journal_args){
				    .kind = line->is_sent ? JOURNAL_SENT : JOURNAL_RECEIVED,
				    .message = line->kind,
				    .at_us = line->at_us,
				    .bytes = line->bytes,
				    .dropped = line->dropped,
				    .method = line->method,
				    .rpc_id = line->id,
				    .flaw = line->flaw,
				    .is_error = line->is_error,
				    .request = line->request,
				    .doc = line->doc,
				});
	if (line->flaw)
		buf_addf(&w->flaws, "%s\n", line->flaw);
}

static void
on_note(void *user, const char *text, int64_t at_us)
{
	buf_addf(&((struct world *)user)->told, "note %s\n", text);
}

static void
on_ask(void *user, const struct app_ask *a)
{
	static const char *const kinds[] = { "tool", "resource", "link", "download", "message",
		"mode", "sampling" };
	struct world *w = user;
	struct buf value = BUF_INIT;

	if (a->value)
		json_print(&value, a->value);
	buf_addf(&w->asked, "%s %s %s\n", kinds[a->kind],
	    a->kind == APP_ASK_DISPLAY_MODE ? app_display_names[a->mode]
	    : a->name                       ? a->name
					    : "-",
	    a->value ? buf_text(&value) : "-");
	buf_finish(&value);
	w->token = a->token;
	if (w->answers)
		assert_true(app_bridge_answer(w->b, a->token, "{\"at\":\"once\"}", 13, w->now));
}

static void
on_ask_end(void *user, uint64_t token, const char *why)
{
	buf_addf(&((struct world *)user)->told, "end %s\n", why ? why : "-");
}

static void
on_log(void *user, const struct app_log *log)
{
	buf_addf(&((struct world *)user)->told, "log %s %s %s\n", log->level,
	    log->logger ? log->logger : "-",
	    cJSON_GetStringValue(log->data) ? cJSON_GetStringValue(log->data) : "-");
}

static void
on_reply(void *user, const struct app_reply *reply)
{
	struct world *w = user;

	buf_addf(&w->told, "reply %d %s\n", (int)reply->request,
	    reply->result ? "result" : reply->error);
}

static void
on_change(void *user, enum app_change change)
{
	static const char *const names[] = { "phase", "size", "context", "teardown", "tools",
		"trouble" };
	struct world *w = user;

	buf_addf(&w->told, "change %s\n", names[change]);
}

static const cJSON *
definition_at(void *user, enum app_list list, size_t index)
{
	const cJSON *array = json_root(((struct world *)user)->tools);
	const cJSON *item = list == APP_LIST_TOOLS ? json_first(array) : NULL;

	while (item && index-- > 0)
		item = item->next;
	return item;
}

static const struct app_events events = { on_send, on_line, on_note, on_ask, on_ask_end, on_log,
	on_reply, on_change, definition_at };

static void
begin_with(struct world *w, unsigned can)
{
	const struct app_bridge_options options = {
		.host_name = "mcpane", .host_version = "1", .can = can
	};

	*w = (struct world){
		.journal = journal_create(0),
		.tools = parse_quoted(
		    "[{'name':'both'},{'name':'secret','_meta':{'ui':{'visibility':['model']}}},"
		    "{'name':'refresh','_meta':{'ui':{'visibility':['app']}}}]"),
		.context = { .mode = APP_DISPLAY_INLINE,
		    .modes = 1u << APP_DISPLAY_INLINE | 1u << APP_DISPLAY_FULLSCREEN |
			     1u << APP_DISPLAY_PIP,
		    .width = 800,
		    .height = 560,
		    .is_dark = true,
		    .has_colors = true,
		    .locale = "en-US" },
		.now = 1000000,
	};
	w->b = app_bridge_create(&options, &w->context, &events, w, &w->info, w->now);
}

static void
finish(struct world *w)
{
	app_bridge_destroy(w->b);
	journal_destroy(w->journal);
	json_doc_destroy(w->tools);
	buf_finish(&w->sent);
	buf_finish(&w->asked);
	buf_finish(&w->told);
	buf_finish(&w->flaws);
}

static void
say(struct world *w, const char *message)
{
	char *json = quoted(message);

	app_bridge_on_message(w->b, json, strlen(json), w->now);
	free(json);
}

static void
expect(struct buf *got, const char *text)
{
	char *json = quoted(text);

	if (strcmp(buf_text(got), json) != 0)
		fail_msg("not\n%s\nbut\n%s", json, buf_text(got));
	free(json);
	buf_clear(got);
}

static void
expect_within(struct buf *got, const char *text)
{
	char *json = quoted(text);

	if (!strstr(buf_text(got), json))
		fail_msg("no\n%s\nin\n%s", json, buf_text(got));
	free(json);
	buf_clear(got);
}

#define INITIALIZE(capabilities)                                                \
	"{'jsonrpc':'2.0','id':0,'method':'ui/initialize','params':{'appInfo':" \
	"{'name':'app','version':'2'},'appCapabilities':{" capabilities "},"    \
	"'protocolVersion':'2026-01-26'}}"
#define INITIALIZED "{'jsonrpc':'2.0','method':'ui/notifications/initialized'}"
#define REQUEST(method, params) "{'jsonrpc':'2.0','id':7,'method':'" method "','params':" params "}"
#define NOTIFY(method, params) "{'jsonrpc':'2.0','method':'" method "','params':" params "}"
#define RESULT(result) "{'jsonrpc':'2.0','id':7,'result':" result "}\n"
#define ERROR(code, text) \
	"{'jsonrpc':'2.0','id':7,'error':{'code':" code ",'message':'" text "'}}\n"

static void
shake(struct world *w, const char *initialize)
{
	say(w, initialize);
	say(w, INITIALIZED);
	buf_clear(&w->sent);
	buf_clear(&w->told);
}

static void
begin(struct world *w)
{
	begin_with(w, ALL);
	shake(w, INITIALIZE(""));
}

/* ---- the handshake ---- */

static void
test_handshake(void **state)
{
	struct world w;

	begin_with(&w, APP_CAN_OPEN_LINKS);
	say(&w, INITIALIZE("'tools':{},'availableDisplayModes':['inline','pip','cinema']"));
	const struct app_bridge_info *info = w.info;
	assert_int_equal(info->phase, APP_INITIALIZING);
	assert_string_equal(info->app_name, "app");
	assert_string_equal(info->app_version, "2");
	assert_string_equal(info->protocol, "2026-01-26");
	assert_true(info->has_tools && info->declares_modes);
	assert_int_equal(info->modes, 1u << APP_DISPLAY_INLINE | 1u << APP_DISPLAY_PIP);
	struct json_doc *doc = json_parse(buf_text(&w.sent), w.sent.len, NULL, NULL);
	const cJSON *result = json_get(json_root(doc), "result");
	const cJSON *can = json_get(result, "hostCapabilities");
	const cJSON *context = json_get(result, "hostContext");
	assert_string_equal(json_get_string(result, "protocolVersion"), "2026-01-26");
	assert_string_equal(json_get_string(json_get(result, "hostInfo"), "name"), "mcpane");
	assert_non_null(json_get(can, "openLinks"));
	assert_non_null(json_get(can, "logging"));
	assert_non_null(json_get(can, "updateModelContext"));
	/* capabilities that are not offered are left out */
	assert_null(json_get(can, "serverTools"));
	assert_null(json_get(can, "downloadFile"));
	assert_null(json_get(can, "message"));
	assert_null(json_get(can, "sampling"));
	assert_string_equal(json_get_string(context, "theme"), "dark");
	assert_string_equal(json_get_string(context, "displayMode"), "inline");
	assert_int_equal(json_count(json_get(context, "availableDisplayModes")), 3);
	assert_int_equal(
	    json_get(json_get(context, "containerDimensions"), "width")->valuedouble, 800);
	assert_int_equal(json_count(json_get(json_get(context, "styles"), "variables")), 76);
	json_doc_destroy(doc);
	say(&w, INITIALIZED);
	assert_int_equal(info->phase, APP_READY);
	assert_int_equal(info->ready_us, 0);
	assert_int_equal(info->flaws, 0);
	finish(&w);
}

/* Before the app is ready, the host sends only responses. */
static void
test_nothing_before_ready(void **state)
{
	struct world w;

	begin_with(&w, ALL);
	app_bridge_result(w.b, "{\"content\":[]}", 14, w.now);
	app_bridge_input(w.b, "{\"a\":0}", 7, true, w.now);
	app_bridge_input(w.b, "{\"a\":1}", 7, false, w.now);
	app_bridge_list_changed(w.b, APP_LIST_TOOLS, w.now);
	w.context.width = 400;
	app_bridge_set_context(w.b, &w.context, w.now);
	assert_int_equal(app_bridge_request(w.b, "ping", NULL, 0, w.now), 0);
	expect(&w.sent, "");
	say(&w, INITIALIZE(""));
	buf_clear(&w.sent);
	w.context.width = 300;
	app_bridge_set_context(w.b, &w.context, w.now);
	say(&w, "{'jsonrpc':'2.0','id':7,'method':'tools/call','params':{'name':'both',"
		"'_meta':{'progressToken':3}}}");
	const cJSON none = { .type = cJSON_Object };
	assert_true(app_bridge_progress(w.b, w.token, &none, w.now));
	expect(&w.sent, "");
	say(&w, INITIALIZED);
	expect(&w.sent,
	    "{'jsonrpc':'2.0','method':'ui/notifications/host-context-changed','params':"
	    "{'containerDimensions':{'width':300,'height':560}}}\n"
	    "{'jsonrpc':'2.0','method':'ui/notifications/tool-input','params':"
	    "{'arguments':{'a':1}}}\n"
	    "{'jsonrpc':'2.0','method':'ui/notifications/tool-result','params':"
	    "{'content':[]}}\n");
	finish(&w);
}

static void
test_input_and_result(void **state)
{
	struct world w;

	begin(&w);
	app_bridge_input(w.b, "{\"a\":0}", 7, true, w.now);
	expect_within(
	    &w.sent, "'ui/notifications/tool-input-partial','params':{'arguments':{'a':0}}");
	app_bridge_result(w.b, "{\"content\":[]}", 14, w.now);
	expect(&w.sent, ""); /* not before the input */
	app_bridge_input(w.b, NULL, 0, false, w.now);
	expect(&w.sent, NOTIFY("ui/notifications/tool-input", "{'arguments':{}}") "\n" NOTIFY(
			    "ui/notifications/tool-result", "{'content':[]}") "\n");
	app_bridge_input(w.b, "{\"a\":2}", 7, false, w.now); /* once */
	app_bridge_input(w.b, "{\"a\":0}", 7, true, w.now);
	app_bridge_result(w.b, "{}", 2, w.now);
	app_bridge_cancelled(w.b, "late", w.now);
	expect(&w.sent, "");
	finish(&w);
	begin(&w);
	app_bridge_input(w.b, NULL, 0, false, w.now);
	buf_clear(&w.sent);
	app_bridge_cancelled(w.b, "the user", w.now);
	expect(&w.sent, NOTIFY("ui/notifications/tool-cancelled", "{'reason':'the user'}") "\n");
	app_bridge_result(w.b, "{}", 2, w.now);
	expect(&w.sent, "");
	finish(&w);
}

/* ---- each method: the answer, the request to the host, the flaw in the journal ---- */

static const struct {
	const char *message, *sent, *asked, *flaw;
} ROWS[] = {
	{ REQUEST("ping", "{}"), RESULT("{}"), "", "" },
	{ REQUEST("tools/call", "{'name':'both','arguments':{'a':1}}"), "", "tool both {'a':1}\n",
	    "" },
	{ REQUEST("tools/call", "{'name':'refresh'}"), "", "tool refresh -\n", "" },
	{ REQUEST("tools/call", "{'name':'secret'}"),
	    ERROR("-32000", "the visibility of secret does not include \\'app\\'"), "",
	    "the visibility of secret" },
	{ REQUEST("tools/call", "{'name':'other'}"),
	    ERROR("-32602", "this server has no tool other"), "", "no tool other" },
	{ REQUEST("tools/call", "{'name':3}"),
	    ERROR("-32602", "params.name is number, not a string"), "", "params.name" },
	{ REQUEST("tools/call", "{'name':'both','arguments':[]}"),
	    ERROR("-32602", "params.arguments is array, not an object"), "", "params.arguments" },
	{ REQUEST("tools/list", "{}"),
	    RESULT("{'tools':[{'name':'both'},{'name':'refresh','_meta':{'ui':{'visibility':"
		   "['app']}}}]}"),
	    "", "" },
	{ REQUEST("resources/read", "{'uri':'ui://a/b'}"), "", "resource ui://a/b -\n", "" },
	{ REQUEST("resources/read", "{}"), ERROR("-32602", "params.uri is absent, not a string"),
	    "", "params.uri" },
	{ REQUEST("resources/list", "{}"), RESULT("{'resources':[]}"), "", "" },
	{ REQUEST("resources/templates/list", "{}"), RESULT("{'resourceTemplates':[]}"), "", "" },
	{ REQUEST("prompts/list", "{}"), RESULT("{'prompts':[]}"), "", "" },
	{ REQUEST("ui/open-link", "{'url':'https://example.com/a?b'}"), "",
	    "link https://example.com/a?b -\n", "" },
	{ REQUEST("ui/open-link", "{'url':'mailto:a@b.example'}"), "",
	    "link mailto:a@b.example -\n", "" },
	{ REQUEST("ui/open-link", "{'url':'javascript:alert(1)'}"),
	    ERROR("-32000", "Invalid URL: only http, https and mailto URLs are opened"), "",
	    "Invalid URL" },
	{ REQUEST("ui/open-link", "{'url':'file:///etc/passwd'}"),
	    ERROR("-32000", "Invalid URL: only http, https and mailto URLs are opened"), "",
	    "Invalid URL" },
	{ REQUEST("ui/open-link", "{'url':'https://a b'}"),
	    ERROR("-32000", "Invalid URL: the URL has a character that no URL has"), "",
	    "Invalid URL" },
	{ REQUEST("ui/open-link", "{'url':'https://a\\u001b]0;x'}"),
	    ERROR("-32000", "Invalid URL: the URL has a character that no URL has"), "",
	    "Invalid URL" },
	{ REQUEST("ui/open-link", "{'url':'https://'}"),
	    ERROR("-32000", "Invalid URL: the URL has no host"), "", "Invalid URL" },
	{ REQUEST("ui/download-file",
	      "{'contents':[{'type':'resource','resource':{'uri':'file:///a.txt','text':'x'}}]}"),
	    "", "download - [{'type':'resource','resource':{'uri':'file:///a.txt','text':'x'}}]\n",
	    "" },
	{ REQUEST("ui/download-file", "{'contents':[]}"),
	    ERROR("-32602", "params.contents is not an array with items"), "", "contents" },
	{ REQUEST("ui/download-file", "{'contents':[{'type':'text','text':'x'}]}"),
	    ERROR("-32602", "an item is neither an embedded resource nor a resource link"), "",
	    "neither" },
	{ REQUEST("ui/message", "{'role':'user','content':{'type':'text','text':'hi'}}"), "",
	    "message - {'type':'text','text':'hi'}\n", "" },
	{ REQUEST("ui/message", "{'role':'user','content':[{'type':'text','text':'hi'}]}"), "",
	    "message - [{'type':'text','text':'hi'}]\n", "" },
	{ REQUEST("ui/message", "{'role':'assistant','content':[{'type':'text','text':'hi'}]}"),
	    ERROR("-32602", "params.role is not \\'user\\'"), "", "params.role" },
	{ REQUEST("ui/message", "{'role':'user','content':'hi'}"),
	    ERROR("-32602", "params.content is neither a content block nor an array of them"), "",
	    "params.content" },
	{ REQUEST("ui/message", "{'role':'user','content':[]}"),
	    ERROR("-32602", "params.content is neither a content block nor an array of them"), "",
	    "params.content" },
	{ REQUEST("ui/update-model-context", "{'content':[{'type':'text','text':'x'}]}"),
	    RESULT("{}"), "", "" },
	{ REQUEST("ui/update-model-context", "{'content':{}}"),
	    ERROR("-32602", "params.content is not an array of content blocks"), "", "content" },
	{ REQUEST("ui/update-model-context", "{'structuredContent':[]}"),
	    ERROR("-32602", "params.structuredContent is not an object"), "", "structured" },
	{ REQUEST("ui/request-display-mode", "{'mode':'fullscreen'}"), "", "mode fullscreen -\n",
	    "" },
	{ REQUEST("ui/request-display-mode", "{'mode':'inline'}"), RESULT("{'mode':'inline'}"), "",
	    "" },
	{ REQUEST("ui/request-display-mode", "{'mode':'window'}"), RESULT("{'mode':'inline'}"), "",
	    "" },
	{ REQUEST("ui/request-display-mode", "{}"),
	    ERROR("-32602", "params.mode is absent, not a string"), "", "params.mode" },
	{ REQUEST("sampling/createMessage", "{'messages':[]}"),
	    ERROR("-32601", "Method not found: sampling/createMessage"), "", "Method not found" },
	{ REQUEST("ui/call-view-tool", "{}"),
	    ERROR("-32601", "Method not found: ui/call-view-tool"), "", "Method not found" },
	{ REQUEST("ui/resource-teardown", "{}"),
	    ERROR("-32601", "Method not found: ui/resource-teardown"), "", "Method not found" },
	{ REQUEST("ui/notifications/initialized", "{}"),
	    ERROR("-32601", "Method not found: ui/notifications/initialized"), "",
	    "Method not found" },
	{ REQUEST("ping", "[]"), ERROR("-32602", "params is array, not an object"), "", "params" },
	{ NOTIFY("ui/notifications/sandbox-proxy-ready", "{}"), "", "",
	    "only for hosts that are web pages" },
	{ NOTIFY("ui/notifications/other", "{}"), "", "", "Method not found" },
	{ INITIALIZED, "", "", "a second ui/notifications/initialized" },
	{ NOTIFY("ui/notifications/size-changed", "{'width':'9'}"), "", "", "not a length" },
	{ NOTIFY("ui/notifications/size-changed", "{'height':-1}"), "", "", "not a length" },
	{ NOTIFY("notifications/cancelled", "{}"), "", "", "params.requestId is absent" },
	{ "{'jsonrpc':'2.0','id':99,'result':{}}", "", "", "it answers no open request" },
	{ "{'jsonrpc':'2.0','id':'x','error':{}}", "", "", "it answers no open request" },
	{ "{'id':7,'method':'ping'}", ERROR("-32600", "no \\'jsonrpc\\': \\'2.0\\'"), "",
	    "no 'jsonrpc'" },
	{ "[{'jsonrpc':'2.0','id':7,'method':'ping'}]", "", "", "a batch" },
	{ "'hello'", "", "", "not an object" },
	{ "{'type':'resize'}", "", "", "neither a method nor a result" },
	{ "{'jsonrpc':'2.0','id':{},'method':'ping'}", "", "", "the id is neither" },
	{ "{'jsonrpc':", "", "", "not JSON" },
	{ "", "", "", "not JSON" },
};

/* \' in a row is a quote inside a string of JSON. */
static char *
unquoted(const char *text)
{
	struct buf out = BUF_INIT;

	buf_add_str(&out, text);
	buf_replace(&out, "\\'", "\\\"");
	return buf_detach(&out);
}

static void
test_rows(void **state)
{
	struct world w;

	for (size_t i = 0; i < ARRAY_LEN(ROWS); i++) {
		begin(&w);
		say(&w, ROWS[i].message);
		char *sent = unquoted(ROWS[i].sent);
		expect(&w.sent, sent);
		expect(&w.asked, ROWS[i].asked);
		if (ROWS[i].flaw[0])
			expect_within(&w.flaws, ROWS[i].flaw);
		else
			expect(&w.flaws, "");
		assert_int_equal(w.info->flaws, ROWS[i].flaw[0] ? 1 : 0);
		free(sent);
		finish(&w);
	}
}

/* Before ui/initialize only the handshake, ping and notifications are handled. */
static void
test_before_initialize(void **state)
{
	struct world w;

	begin_with(&w, ALL);
	say(&w, REQUEST("ping", "{}"));
	expect(&w.sent, RESULT("{}"));
	say(&w, REQUEST("tools/call", "{'name':'both'}"));
	expect(&w.sent, ERROR("-32600", "ui/initialize has to come first"));
	say(&w, INITIALIZED);
	expect(&w.flaws, "ui/initialize has to come first\nui/initialize has to come first\n");
	assert_int_equal(w.info->phase, APP_LOADING);
	say(&w, "{'jsonrpc':'2.0','id':0,'method':'ui/initialize'}");
	expect_within(&w.sent, "-32602");
	say(&w, "{'jsonrpc':'2.0','id':0,'method':'ui/initialize','params':{}}");
	expect_within(&w.sent, "protocolVersion"); /* answered, and reported to the host */
	expect(&w.flaws, "ui/initialize needs params\nprotocolVersion is absent, not string\n");
	say(&w, INITIALIZE(""));
	expect(&w.flaws, "a second ui/initialize\n");
	finish(&w);
}

/* ---- asks ---- */

static void
test_answers(void **state)
{
	struct world w;

	begin(&w);
	say(&w, "{'jsonrpc':'2.0','id':'x-1','method':'resources/read','params':{'uri':'ui://a'}}");
	assert_int_equal(w.info->asks, 1);
	assert_true(app_bridge_answer(w.b, w.token, "{\"contents\":[]}", 15, w.now));
	expect(&w.sent, "{'jsonrpc':'2.0','id':'x-1','result':{'contents':[]}}\n");
	assert_false(app_bridge_answer(w.b, w.token, NULL, 0, w.now)); /* only once */
	assert_false(app_bridge_refuse(w.b, 99, APP_ERROR, "x", w.now));
	say(&w, REQUEST("ui/open-link", "{'url':'https://a.example'}"));
	say(&w, REQUEST("ping", "{}")); /* the same id while the first is open */
	expect(&w.sent, ERROR("-32600", "a request with this id is open"));
	assert_true(app_bridge_refuse(w.b, w.token, APP_ERROR, "denied", w.now));
	expect(&w.sent, ERROR("-32000", "denied"));
	w.answers = true; /* inside the callback */
	say(&w, REQUEST("tools/call", "{'name':'both'}"));
	expect(&w.sent, RESULT("{'at':'once'}"));
	assert_int_equal(w.info->asks, 0);
	finish(&w);
}

static void
test_progress_and_cancel(void **state)
{
	struct world w;
	struct json_doc *ours =
	    parse_quoted("{'progressToken':41,'progress':0.5,'total':1,'message':'half'}");

	begin(&w);
	say(&w, REQUEST("tools/call", "{'name':'both','_meta':{'progressToken':'p'}}"));
	assert_true(app_bridge_progress(w.b, w.token, json_root(ours), w.now));
	expect(
	    &w.sent, NOTIFY("notifications/progress",
			 "{'progressToken':'p','progress':0.5,'total':1,'message':'half'}") "\n");
	say(&w, NOTIFY("notifications/cancelled", "{'requestId':8}")); /* not this one */
	expect(&w.told, "");
	say(&w, NOTIFY("notifications/cancelled", "{'requestId':7,'reason':'enough'}"));
	expect(&w.told, "end enough\n");
	assert_false(app_bridge_progress(w.b, w.token, json_root(ours), w.now));
	assert_false(app_bridge_answer(w.b, w.token, NULL, 0, w.now));
	expect(&w.sent, "");
	say(&w, REQUEST("tools/call", "{'name':'both'}")); /* without a progress token */
	assert_true(app_bridge_progress(w.b, w.token, json_root(ours), w.now));
	expect(&w.sent, "");
	json_doc_destroy(ours);
	finish(&w);
}

static void
test_sampling(void **state)
{
	struct world w;

	begin_with(&w, APP_CAN_SAMPLE);
	say(&w, INITIALIZE(""));
	expect_within(&w.sent, "'sampling':{}");
	say(&w, REQUEST("sampling/createMessage", "{'messages':[]}"));
	expect(&w.asked, "sampling - -\n");
	say(&w, "{'jsonrpc':'2.0','id':8,'method':'sampling/createMessage','params':"
		"{'messages':[],'tools':[]}}");
	expect_within(&w.sent, "tools in sampling were not offered");
	say(&w, REQUEST("tools/call", "{'name':'both'}"));
	expect_within(&w.sent, "a request with this id is open");
	finish(&w);
}

/* ---- the context ---- */

static void
test_context(void **state)
{
	struct world w;

	begin(&w);
	assert_true(app_bridge_set_context(w.b, &w.context, w.now));
	expect(&w.sent, ""); /* nothing changed */
	w.context.is_dark = false;
	w.context.height = 100;
	assert_true(app_bridge_set_context(w.b, &w.context, w.now));
	expect(&w.sent,
	    NOTIFY("ui/notifications/host-context-changed",
		"{'theme':'light','containerDimensions':{'width':800,'height':100}}") "\n");
	w.context.mode = APP_DISPLAY_PIP;
	assert_true(app_bridge_set_context(w.b, &w.context, w.now));
	expect(
	    &w.sent, NOTIFY("ui/notifications/host-context-changed", "{'displayMode':'pip'}") "\n");
	assert_int_equal(w.info->mode, APP_DISPLAY_PIP);
	finish(&w);
}

/* The host cannot put an app into a mode that the app does not declare. */
static void
test_modes(void **state)
{
	struct world w;

	begin_with(&w, ALL);
	shake(&w, INITIALIZE("'availableDisplayModes':['inline','fullscreen']"));
	say(&w, REQUEST("ui/request-display-mode", "{'mode':'pip'}"));
	expect(&w.sent, RESULT("{'mode':'inline'}"));
	w.context.mode = APP_DISPLAY_PIP;
	w.context.width = 1;
	assert_false(app_bridge_set_context(w.b, &w.context, w.now));
	expect(&w.sent, NOTIFY("ui/notifications/host-context-changed",
			    "{'containerDimensions':{'width':1,'height':560}}") "\n");
	say(&w, REQUEST("ui/request-display-mode", "{'mode':'fullscreen'}"));
	assert_true(app_bridge_answer(w.b, w.token, "{\"mode\":\"pip\"}", 14, w.now));
	/* an answer without an action changes nothing */
	expect(&w.sent, RESULT("{'mode':'inline'}"));
	say(&w, REQUEST("ui/request-display-mode", "{'mode':'fullscreen'}"));
	w.context.mode = APP_DISPLAY_FULLSCREEN;
	assert_true(app_bridge_set_context(w.b, &w.context, w.now));
	buf_clear(&w.sent);
	assert_true(app_bridge_answer(w.b, w.token, NULL, 0, w.now));
	expect(&w.sent, RESULT("{'mode':'fullscreen'}"));
	finish(&w);
	begin_with(&w, ALL); /* an app that declares no modes accepts every mode of the host */
	shake(&w, INITIALIZE(""));
	w.context.mode = APP_DISPLAY_PIP;
	assert_true(app_bridge_set_context(w.b, &w.context, w.now));
	finish(&w);
}

static void
test_model_context(void **state)
{
	struct world w;

	begin(&w);
	say(&w, REQUEST("ui/update-model-context", "{'content':[],'structuredContent':{'n':1}}"));
	say(&w, REQUEST("ui/update-model-context", "{'structuredContent':{'n':2}}"));
	const struct app_bridge_info *info = w.info;
	assert_int_equal(info->context_updates, 2);
	assert_null(json_get(info->context, "content")); /* all of it is overwritten */
	assert_int_equal(
	    json_get(json_get(info->context, "structuredContent"), "n")->valuedouble, 2);
	expect(&w.told, "change context\nchange context\n");
	finish(&w);
}

/* ---- notifications ---- */

static void
test_notifications(void **state)
{
	struct world w;

	begin(&w);
	say(&w, NOTIFY("ui/notifications/size-changed", "{'width':100,'height':20.5}"));
	say(&w, NOTIFY("ui/notifications/size-changed", "{'height':30}"));
	assert_int_equal(w.info->width, 100);
	assert_int_equal(w.info->height, 30);
	say(&w, NOTIFY("ui/notifications/request-teardown", "{}"));
	say(&w, NOTIFY("notifications/message", "{'level':'error','logger':'l','data':'oh'}"));
	say(&w, NOTIFY("ui/log", "{'level':'info','data':'old'}"));
	say(&w, NOTIFY("notifications/tools/list_changed", "{}"));
	expect(&w.flaws, "");
	say(&w, NOTIFY("notifications/message", "{'data':'x'}"));
	expect(&w.flaws, "params.level is absent\n");
	expect(&w.told, "change size\nchange size\nchange teardown\nlog error l oh\n"
			"log info - old\nchange tools\nlog info - x\n");
	app_bridge_list_changed(w.b, APP_LIST_TOOLS, w.now);
	expect(&w.sent, NOTIFY("notifications/tools/list_changed", "{}") "\n");
	finish(&w);
}

/* ---- requests to the app, and its end ---- */

static void
test_requests(void **state)
{
	struct world w;

	begin(&w);
	assert_int_equal(app_bridge_request(w.b, "tools/list", NULL, 0, w.now), 1);
	assert_int_equal(app_bridge_request(w.b, "ping", NULL, 0, w.now), 2);
	assert_int_equal(app_bridge_request(w.b, "ping", NULL, 0, w.now), 3);
	expect_within(&w.sent, "{'jsonrpc':'2.0','id':1,'method':'tools/list','params':{}}\n");
	say(&w, "{'jsonrpc':'2.0','id':2,'result':{}}");
	say(&w, "{'jsonrpc':'2.0','id':1,'error':{'code':1,'message':'no'}}");
	expect(&w.told, "reply 2 result\nreply 1 no\n");
	assert_int_equal(app_bridge_next_time(w.b), w.now + 30000000);
	w.now = app_bridge_next_time(w.b);
	app_bridge_on_time(w.b, w.now);
	expect(&w.told, "note no answer to ping in time\nreply 3 no answer in time\n");
	assert_true(app_bridge_next_time(w.b) == INT64_MAX);
	finish(&w);
}

static void
test_teardown(void **state)
{
	struct world w;

	begin(&w);
	say(&w, REQUEST("tools/call", "{'name':'both'}"));
	app_bridge_close(w.b, "the pane was closed", w.now);
	expect(&w.sent, "{'jsonrpc':'2.0','id':1,'method':'ui/resource-teardown','params':"
			"{'reason':'the pane was closed'}}\n");
	assert_int_equal(w.info->phase, APP_CLOSING);
	say(&w, "{'jsonrpc':'2.0','id':9,'method':'tools/call','params':{'name':'both'}}");
	assert_int_equal(w.info->asks, 2); /* it may still save something */
	buf_clear(&w.told);
	say(&w, "{'jsonrpc':'2.0','id':1,'result':{}}");
	assert_int_equal(w.info->phase, APP_GONE);
	expect(&w.told, "end the app is gone\nend the app is gone\nchange phase\n");
	size_t received = w.info->received;
	say(&w, REQUEST("ping", "{}"));
	assert_int_equal(w.info->received, received);
	expect(&w.sent, "");
	finish(&w);
	begin(&w); /* without an answer */
	app_bridge_close(w.b, NULL, w.now);
	assert_int_equal(app_bridge_next_time(w.b), w.now + 500000);
	app_bridge_on_time(w.b, w.now + 499999);
	assert_int_equal(w.info->phase, APP_CLOSING);
	app_bridge_on_time(w.b, w.now + 500000);
	assert_int_equal(w.info->phase, APP_GONE);
	finish(&w);
	begin_with(&w, ALL); /* nothing is sent to an app that is not ready */
	app_bridge_close(w.b, NULL, w.now);
	expect(&w.sent, "");
	assert_int_equal(w.info->phase, APP_GONE);
	finish(&w);
	begin(&w); /* also with all requests open */
	while (app_bridge_request(w.b, "ping", NULL, 0, w.now)) {
	}
	buf_clear(&w.sent);
	app_bridge_close(w.b, NULL, w.now);
	expect_within(&w.sent, "ui/resource-teardown");
	finish(&w);
}

static void
test_silent_app(void **state)
{
	struct world w;

	begin_with(&w, ALL);
	assert_int_equal(app_bridge_next_time(w.b), w.now + 10000000);
	app_bridge_on_time(w.b, w.now + 10000000);
	assert_string_equal(w.info->trouble, "no ui/initialize within 10 s");
	say(&w, INITIALIZE(""));
	assert_non_null(w.info->trouble);
	say(&w, INITIALIZED);
	assert_null(w.info->trouble);
	finish(&w);
	begin_with(&w, ALL);
	say(&w, INITIALIZE(""));
	app_bridge_on_time(w.b, w.now + 10000000);
	assert_string_equal(
	    w.info->trouble, "ui/initialize, but no ui/notifications/initialized within 10 s");
	finish(&w);
}

/* ---- bounds ---- */

static void
test_flood(void **state)
{
	struct world w;

	begin(&w);
	for (int i = 0; i < 100000; i++)
		say(&w, REQUEST("ping", "{}"));
	const struct app_bridge_info *info = w.info;
	assert_true(info->received <= APP_BURST_MESSAGES);
	assert_int_equal(info->received + info->dropped, 100002);
	assert_int_equal(app_bridge_next_time(w.b), w.now + 1000000);
	w.now += 1000000;
	app_bridge_on_time(w.b, w.now);
	expect_within(&w.told, "messages of the app, ");
	buf_clear(&w.sent);
	say(&w, REQUEST("ping", "{}")); /* the bridge works afterwards */
	expect(&w.sent, RESULT("{}"));
	finish(&w);
}

static void
test_large(void **state)
{
	size_t len = (size_t)100 << 20;
	char *text = mem_alloc(len + 1);
	struct world w;

	memset(text, ' ', len);
	text[len] = '\0';
	begin(&w);
	app_bridge_on_message(w.b, text, len, w.now);
	expect_within(&w.flaws, "longer than 16 MiB: not read");
	const struct journal_entry *e = journal_at(w.journal, journal_info(w.journal)->count - 1);
	assert_int_equal(e->bytes->len, APP_MESSAGE_KEPT);
	assert_int_equal(e->bytes->len + e->dropped, len);
	for (int i = 0; i < 100; i++)
		app_bridge_on_message(w.b, text, len, w.now);
	assert_true(w.info->dropped >= 96);
	memset(text, ',', APP_VALUES_MAX + 1);
	w.now += 60000000;
	app_bridge_on_message(w.b, text, APP_VALUES_MAX + 1, w.now);
	expect_within(&w.flaws, "too many values");
	finish(&w);
	free(text);
}

static void
test_too_many_asks(void **state)
{
	struct world w;
	char *text;

	begin(&w);
	for (int i = 0; i < APP_ASKS_MAX + 1; i++) {
		text = mem_printf("{'jsonrpc':'2.0','id':%d,'method':'tools/call','params':"
				  "{'name':'both'}}",
		    i);
		say(&w, text);
		free(text);
	}
	assert_int_equal(w.info->asks, APP_ASKS_MAX);
	expect_within(&w.sent, "too many requests are open: 64");
	char *id = mem_zalloc(1001);
	memset(id, 'x', 1000);
	text = mem_printf("{'jsonrpc':'2.0','id':'%s','method':'ping'}", id);
	say(&w, text);
	expect(&w.sent, "");
	expect_within(&w.flaws, "the id has more than 256 bytes");
	free(text);
	free(id);
	finish(&w);
}

/* ---- the journal ---- */

static void
test_journal(void **state)
{
	struct world w;

	begin(&w);
	say(&w, REQUEST("tools/call", "{'name':'both'}"));
	w.now += 2000;
	app_bridge_answer(w.b, w.token, NULL, 0, w.now);
	const struct journal *j = w.journal;
	assert_int_equal(journal_info(j)->count, 5);
	const struct journal_entry *asked = journal_at(j, 3), *answered = journal_at(j, 4);
	assert_int_equal(asked->kind, JOURNAL_RECEIVED);
	assert_string_equal(asked->method, "tools/call");
	assert_string_equal(asked->tool, "both");
	assert_ptr_equal(journal_reply(asked), answered);
	assert_int_equal(answered->latency_us, 2000);
	assert_string_equal(answered->method, "tools/call");
	finish(&w);
}

/* ---- names of files ---- */

static void
test_downloads(void **state)
{
	static const struct {
		const char *block, *name;
	} rows[] = {
		{ "{'type':'resource','resource':{'uri':'file:///a/report.csv?x#y','text':'1'}}",
		    "report.csv" },
		{ "{'type':'resource','resource':{'uri':'../../etc/passwd','blob':'AA=='}}",
		    "passwd" },
		{ "{'type':'resource','resource':{'uri':'..','text':''}}", "download" },
		{ "{'type':'resource','resource':{'uri':'.bashrc','text':''}}", "bashrc" },
		{ "{'type':'resource','resource':{'uri':'a\\\\b\\u001b[31m c.txt','text':''}}",
		    "b_31m_c.txt" },
		{ "{'type':'resource','resource':{'text':''}}", "download" },
		{ "{'type':'resource_link','uri':'ui://x/y.pdf','name':'é.pdf'}", "pdf" },
		{ "{'type':'resource_link','uri':'ui://x/y.pdf'}", "y.pdf" },
		{ "{'type':'resource_link','name':'y.pdf'}", NULL },
		{ "{'type':'resource','resource':{'uri':'a'}}", NULL },
		{ "{}", NULL },
	};
	struct app_download d;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct json_doc *doc = parse_quoted(rows[i].block);
		assert_int_equal(app_download_read(&d, json_root(doc)), rows[i].name != NULL);
		if (rows[i].name)
			assert_string_equal(d.name, rows[i].name);
		json_doc_destroy(doc);
	}
}

TEST_FILE(app_bridge)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_handshake),
		cmocka_unit_test(test_nothing_before_ready),
		cmocka_unit_test(test_input_and_result),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_before_initialize),
		cmocka_unit_test(test_answers),
		cmocka_unit_test(test_progress_and_cancel),
		cmocka_unit_test(test_sampling),
		cmocka_unit_test(test_context),
		cmocka_unit_test(test_modes),
		cmocka_unit_test(test_model_context),
		cmocka_unit_test(test_notifications),
		cmocka_unit_test(test_requests),
		cmocka_unit_test(test_teardown),
		cmocka_unit_test(test_silent_app),
		cmocka_unit_test(test_flood),
		cmocka_unit_test(test_large),
		cmocka_unit_test(test_too_many_asks),
		cmocka_unit_test(test_journal),
		cmocka_unit_test(test_downloads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

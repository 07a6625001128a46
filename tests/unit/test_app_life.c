/* SPDX-License-Identifier: MIT */
/* The life of an app and its server; the test plays both the engine and the server. */
#include "base/mem.h"
#include "fake_apps.h"
#include "job_queue.h"
#include "test.h"
#include "wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct wire w;
static struct fake_apps fake;

#define TOOLS                                                                                   \
	"{'name':'draw','inputSchema':{'type':'object','properties':{'n':{'type':'integer',"    \
	"'default':3}}},'_meta':{'ui':{'resourceUri':'ui://t/draw'}}},"                         \
	"{'name':'plain','inputSchema':{'type':'object'}},"                                     \
	"{'name':'poll','inputSchema':{'type':'object'},'annotations':{'readOnlyHint':true},"   \
	"'_meta':{'ui':{'visibility':['app']}}},"                                               \
	"{'name':'model','inputSchema':{'type':'object'},'annotations':{'readOnlyHint':true},"  \
	"'_meta':{'ui':{'visibility':['model']}}},"                                             \
	"{'name':'wipe','inputSchema':{'type':'object'},'annotations':{'destructiveHint':true}" \
	"}"
#define PAGE                                                                                 \
	"'result':{'contents':[{'uri':'ui://t/draw','mimeType':'text/html;profile=mcp-app'," \
	"'text':'<p>page</p>'}]}"
#define DONE "'result':{'content':[{'type':'text','text':'drawn'}]}"
#define REQUEST(id, method, params) \
	"{'jsonrpc':'2.0','id':" id ",'method':'" method "','params':" params "}"

static int
set_up(void **state)
{
	static const struct server_options options = { .session = { .era = ERA_LEGACY } };

	wire_open(&w, &options);
	fake_apps_init(&fake, "");
	server_use_apps(w.server, &fake.house);
	wire_connect(&w, TOOLS);
	return 0;
}

static int
tear_down(void **state)
{
	wire_close(&w);
	assert_int_equal(fake_apps_open(&fake), 0);
	fake_apps_finish(&fake);
	return 0;
}

static struct app *
open_app(uint64_t call)
{
	struct err err = { "" };
	struct app *a = server_open_app(w.server, call, w.now_us, &err);

	if (!a)
		fail_msg("%s", err.text);
	return a;
}

static struct app *
open_called(void)
{
	return open_app(wire_call(&w, "draw", "{}"));
}

static void
say(struct app *a, const char *message)
{
	fake_apps_say(a, message, w.now_us);
}

/* Read, opened, ready; the call still runs. */
static struct app *
open_ready(void)
{
	struct app *a = open_called();

	wire_answer(&w, "resources/read", PAGE);
	fake_apps_shake(a, "", w.now_us);
	assert_int_equal(app_facts(a)->life, APP_ALIVE);
	return a;
}

static void
expect(struct buf *got, const char *text)
{
	if (!strstr(buf_text(got), text))
		fail_msg("no\n%s\nin\n%s", text, buf_text(got));
	buf_clear(got);
}

static void
expect_posted(const char *text)
{
	expect(&fake.posted, text);
}

/* Lets the time of the server pass. */
static void
pass(int64_t ms)
{
	w.now_us += ms * 1000;
	while (server_next_time(w.server) <= w.now_us)
		server_on_time(w.server, w.now_us);
}

/* ---- opening ---- */

/* Match the id in the request as the server received it, because other messages have ids, too. */
static void
test_app_knows_the_id_of_its_call(void **state)
{
	struct buf told = BUF_INIT;

	wire_call(&w, "plain", "{}");
	uint64_t call = wire_call(&w, "draw", "{}");
	struct json_doc *doc = json_parse(wire_last(&w), strlen(wire_last(&w)), NULL, NULL);
	open_app(call);
	buf_addf(
	    &told, "\"toolInfo\":{\"id\":%d,", (int)json_get(json_root(doc), "id")->valuedouble);
	wire_answer(&w, "resources/read", PAGE);
	fake_apps_shake(server_app_at(w.server, 0), "", w.now_us);
	expect_posted(buf_text(&told));
	json_doc_destroy(doc);
	buf_finish(&told);
}

static void
test_result_after_the_page(void **state)
{
	uint64_t call = wire_call(&w, "draw", "{}");
	struct app *a = open_app(call);

	assert_int_equal(app_facts(a)->life, APP_READING);
	assert_int_equal(fake.prepared, 1); /* the engine starts meanwhile */
	assert_ptr_equal(open_app(call), a);
	assert_string_equal(app_facts(a)->uri, "ui://t/draw");
	wire_answer(&w, "resources/read", PAGE);
	assert_int_equal(app_facts(a)->life, APP_STARTING);
	assert_int_equal(fake_apps_open(&fake), 1);
	expect(&fake.told, "default-src 'none'");
	assert_string_equal(buf_text(&fake.posted), "");
	fake_apps_shake(a, "", w.now_us);
	assert_int_equal(app_facts(a)->life, APP_ALIVE);
	assert_true(app_facts(a)->ready_us >= 0);
	assert_null(strstr(buf_text(&fake.posted), "tool-result"));
	expect_posted("\"ui/notifications/tool-input\",\"params\":{\"arguments\":{\"n\":3}}");
	wire_answer(&w, "tools/call", DONE);
	expect_posted("\"ui/notifications/tool-result\",\"params\":{\"content\":[{\"type\":"
		      "\"text\",\"text\":\"drawn\"}]}");
}

static void
test_result_before_the_page(void **state)
{
	struct app *a = open_called();

	wire_answer(&w, "tools/call", DONE);
	wire_answer(&w, "resources/read", PAGE);
	assert_string_equal(buf_text(&fake.posted), "");
	fake_apps_shake(a, "", w.now_us);
	expect_posted("tool-result");
}

static void
test_call_failed(void **state)
{
	struct app *a = open_ready();

	wire_answer(&w, "tools/call", "'error':{'code':-32603,'message':'no ink'}");
	expect_posted("no ink");
	assert_int_equal(app_facts(a)->life, APP_ALIVE); /* the app reports it */
}

static void
test_call_cancelled(void **state)
{
	uint64_t call = wire_call(&w, "draw", "{}");
	struct app *a = open_app(call);

	wire_answer(&w, "resources/read", PAGE);
	fake_apps_shake(a, "", w.now_us);
	server_cancel(w.server, call, w.now_us);
	expect_posted("ui/notifications/tool-cancelled");
}

static void
test_no_app(void **state)
{
	struct err err;

	assert_null(server_open_app(w.server, wire_call(&w, "plain", "{}"), w.now_us, &err));
	assert_string_equal(err.text, "this tool has no app");
	assert_null(server_open_app(w.server, 77, w.now_us, &err));
	assert_string_equal(err.text, "the call is no longer kept");
	server_use_apps(w.server, NULL);
	assert_null(server_open_app(w.server, wire_call(&w, "draw", "{}"), w.now_us, &err));
	assert_string_equal(err.text, "apps do not run here");
}

/* ---- what cannot run ---- */

static void
expect_broken(const char *answer, const char *reason)
{
	struct app *a = open_called();

	wire_answer(&w, "resources/read", answer);
	assert_int_equal(app_facts(a)->life, APP_BROKEN);
	if (!strstr(app_facts(a)->reason, reason))
		fail_msg("not %s but %s", reason, app_facts(a)->reason);
	assert_int_equal(fake_apps_open(&fake), 0);
	app_close(a, "test", w.now_us);
}

static void
test_broken_pages(void **state)
{
	expect_broken("'error':{'code':-32002,'message':'Resource not found'}", "not found");
	expect_broken("'result':{'contents':[]}", "");
	expect_broken("'result':{'contents':[{'uri':'ui://t/draw','mimeType':'text/html',"
		      "'text':'<p>'}]}",
	    "text/html");
	expect_broken("'result':{'contents':[{'uri':'ui://t/draw','mimeType':"
		      "'text/html;profile=mcp-app'}]}",
	    "");
	snprintf(fake.house.trouble, sizeof(fake.house.trouble), "type: apt install it");
	expect_broken(PAGE, "type: apt install it");
}

static void
test_huge_page(void **state)
{
	size_t len = APP_HTML_MAX + 1;
	char *html = mem_zalloc(len + 1);
	struct buf answer = BUF_INIT;

	memset(html, 'x', len);
	buf_addf(&answer,
	    "'result':{'contents':[{'uri':'ui://t/draw','mimeType':'text/html;profile=mcp-app',"
	    "'text':'%s'}]}",
	    html);
	expect_broken(buf_text(&answer), "");
	buf_finish(&answer);
	free(html);
}

static void
test_engine_gives_up(void **state)
{
	struct app *a = open_ready();

	say(a, REQUEST("4", "ui/open-link", "{'url':'https://example.com/'}"));
	assert_int_equal(app_facts(a)->wish_count, 1);
	fake_apps_fail(&fake, a, "it was killed", w.now_us);
	assert_int_equal(app_facts(a)->life, APP_BROKEN);
	assert_string_equal(app_facts(a)->reason, "it was killed");
	assert_int_equal(app_facts(a)->wish_count, 0); /* no one waits for the answer */
	app_reload(a, APP_CSP_KINDS, w.now_us);
	assert_string_equal(app_facts(a)->reason, "");
	wire_answer(&w, "resources/read", PAGE);
	fake_apps_shake(a, "", w.now_us);
	assert_int_equal(app_facts(a)->life, APP_ALIVE);
}

/* ---- requests to the server ---- */

static void
test_tools(void **state)
{
	struct app *a = open_ready();

	wire_answer(&w, "tools/call", DONE);
	say(a, REQUEST("1", "tools/call", "{'name':'poll','_meta':{'progressToken':9}}"));
	assert_int_equal(wire_count(&w, "tools/call"), 2);
	assert_non_null(strstr(wire_last(&w), "\"name\":\"poll\""));
	assert_null(strstr(wire_last(&w), "\"progressToken\":9")); /* tokens are ours */
	wire_answer(&w, "tools/call", "'result':{'content':[],'structuredContent':{'load':1}}");
	expect_posted("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[],"
		      "\"structuredContent\":{\"load\":1}}}");
	say(a, REQUEST("2", "tools/call", "{'name':'poll'}"));
	wire_answer(&w, "tools/call", "'error':{'code':-32050,'message':'broken'}");
	expect_posted("\"id\":2,\"error\":{\"code\":-32050,\"message\":\"broken\"");
	say(a, REQUEST("3", "tools/call", "{'name':'model'}"));
	expect_posted("visibility");
	say(a, REQUEST("4", "tools/call", "{'name':'elsewhere'}"));
	expect_posted("has no tool elsewhere");
	assert_int_equal(wire_count(&w, "tools/call"), 3);
}

static void
test_progress(void **state)
{
	struct app *a = open_ready();
	char line[300], token[64] = "";

	wire_answer(&w, "tools/call", DONE);
	say(a, REQUEST("1", "tools/call", "{'name':'poll','_meta':{'progressToken':'mine'}}"));
	const char *at = strstr(wire_last(&w), "\"progressToken\":");
	assert_non_null(at);
	sscanf(at, "\"progressToken\":%63[^,}]", token);
	for (char *c = token; *c; c++)
		if (*c == '"')
			*c = '\'';
	snprintf(line, sizeof(line),
	    "{'jsonrpc':'2.0','method':'notifications/progress','params':{'progressToken':%s,"
	    "'progress':1,'total':4,'message':'half'}}",
	    token);
	wire_say(&w, line);
	expect_posted(
	    "\"method\":\"notifications/progress\",\"params\":{\"progressToken\":\"mine\","
	    "\"progress\":1,\"total\":4,\"message\":\"half\"}");
}

static void
test_resources(void **state)
{
	struct app *a = open_ready();

	say(a, REQUEST("1", "resources/read", "{'uri':'file:///x'}"));
	wire_answer(&w, "resources/read", "'result':{'contents':[]}");
	expect_posted("\"id\":1,\"result\":{\"contents\":[]}");
}

static void
test_destructive_tools_wait(void **state)
{
	struct app *a = open_ready();

	wire_answer(&w, "tools/call", DONE);
	say(a, REQUEST("1", "tools/call", "{'name':'wipe','arguments':{'all':true}}"));
	assert_int_equal(wire_count(&w, "tools/call"), 1);
	assert_int_equal(app_facts(a)->wish_count, 1);
	assert_string_equal(app_facts(a)->wishes[0].text, "call the destructive tool wipe");
	uint64_t token = app_facts(a)->wishes[0].token;
	assert_true(app_answer(a, token, false, w.now_us));
	expect_posted("the user refused");
	assert_false(app_answer(a, token, true, w.now_us)); /* that one is over */
	say(a, REQUEST("2", "tools/call", "{'name':'wipe','arguments':{'all':true}}"));
	assert_true(app_answer(a, app_facts(a)->wishes[0].token, true, w.now_us));
	assert_int_equal(app_facts(a)->wish_count, 0);
	assert_int_equal(wire_count(&w, "tools/call"), 2);
	assert_non_null(strstr(wire_last(&w), "\"arguments\":{\"all\":true}"));
	wire_answer(&w, "tools/call", DONE);
	expect_posted("\"id\":2,\"result\"");
}

/* ---- requests to the user ---- */

static void
test_links(void **state)
{
	struct app *a = open_ready();

	say(a, REQUEST("1", "ui/open-link", "{'url':'javascript:alert(1)'}"));
	expect_posted("Invalid URL");
	assert_int_equal(app_facts(a)->wish_count, 0);
	say(a, REQUEST("2", "ui/open-link", "{'url':'https://example.com/'}"));
	assert_string_equal(app_facts(a)->wishes[0].url, "https://example.com/");
	say(a, "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':2}}");
	assert_int_equal(app_facts(a)->wish_count, 0);
	for (int i = 3; i < 20; i++) {
		char line[200];
		snprintf(
		    line, sizeof(line), REQUEST("%d", "ui/open-link", "{'url':'https://a.b/'}"), i);
		say(a, line);
	}
	assert_int_equal(app_facts(a)->wish_count, 16);
	expect_posted("too many requests wait for the user");
}

static void
expect_file(struct app *a, const char *name, const char *bytes)
{
	struct app_file file;

	assert_true(app_take_file(a, &file));
	assert_string_equal(file.name, name);
	assert_string_equal(buf_text(&file.bytes), bytes);
	buf_finish(&file.bytes);
}

static void
test_downloads(void **state)
{
	struct app *a = open_ready();
	struct app_file file;

	say(a, REQUEST("1", "ui/download-file",
		   "{'contents':[{'type':'resource','resource':{'uri':'file:///../.a b.txt',"
		   "'text':'one'}},{'type':'resource','resource':{'uri':'x/two.bin','blob':"
		   "'dHdv'}},{'type':'resource_link','uri':'data://three.csv','name':'three.csv'}"
		   "]}"));
	assert_string_equal(app_facts(a)->wishes[0].text, "save a_b.txt, two.bin, three.csv");
	assert_false(app_take_file(a, &file));
	app_answer(a, app_facts(a)->wishes[0].token, true, w.now_us);
	expect_posted("\"id\":1,\"result\":{}");
	expect_file(a, "a_b.txt", "one");
	expect_file(a, "two.bin", "two");
	assert_false(app_take_file(a, &file));
	wire_answer(&w, "resources/read",
	    "'result':{'contents':[{'uri':'data://three.csv','text':"
	    "'3'}]}");
	expect_file(a, "three.csv", "3");
	say(a, REQUEST("2", "ui/download-file", "{'contents':[{'type':'text','text':'x'}]}"));
	expect_posted("neither an embedded resource nor a resource link");
}

static void
test_messages_and_context(void **state)
{
	struct app *a = open_ready();

	say(a, REQUEST("1", "ui/message", "{'role':'user','content':{'type':'text','text':'hi'}}"));
	expect_posted("\"id\":1,\"result\":{}");
	assert_int_equal(app_facts(a)->messages->len, 1);
	assert_non_null(strstr(app_facts(a)->messages->items[0], "hi"));
	for (int i = 0; i < 250; i++)
		say(a, REQUEST("1", "ui/message",
			   "{'role':'user','content':{'type':'text',"
			   "'text':'more'}}"));
	assert_int_equal(app_facts(a)->messages->len, 200); /* the oldest go */
	say(a, REQUEST("2", "ui/update-model-context", "{'structuredContent':{'x':1}}"));
	assert_non_null(app_facts(a)->bridge->context);
}

/* ---- display ---- */

static void
test_display_modes(void **state)
{
	struct app *a = open_called();

	wire_answer(&w, "resources/read", PAGE);
	fake_apps_shake(a, "'availableDisplayModes':['inline','fullscreen']", w.now_us);
	say(a, REQUEST("1", "ui/request-display-mode", "{'mode':'fullscreen'}"));
	expect_posted("\"id\":1,\"result\":{\"mode\":\"inline\"}"); /* the app is not visible */
	app_set_stage(a, 80, 20, true, w.now_us);
	say(a, REQUEST("2", "ui/request-display-mode", "{'mode':'fullscreen'}"));
	expect_posted("\"id\":2,\"result\":{\"mode\":\"fullscreen\"}");
	assert_int_equal(app_facts(a)->display, APP_DISPLAY_FULLSCREEN);
	app_set_display(a, APP_DISPLAY_INLINE, w.now_us);
	expect_posted("\"displayMode\":\"inline\"");
	say(a, REQUEST("3", "ui/request-display-mode", "{'mode':'pip'}"));
	expect_posted("\"id\":3,\"result\":{\"mode\":\"inline\"}"); /* it did not declare it */
	app_set_display(a, APP_DISPLAY_PIP, w.now_us);              /* the user may all the same */
	assert_int_equal(app_facts(a)->display, APP_DISPLAY_PIP);
	assert_int_equal(app_facts(a)->bridge->mode, APP_DISPLAY_INLINE);
}

static void
test_sizes(void **state)
{
	struct app *a = open_ready();

	buf_clear(&fake.told);
	app_set_stage(a, 80, 20, true, w.now_us);
	assert_string_equal(buf_text(&fake.told), "size 640x320\nshow\n");
	expect_posted("\"containerDimensions\":{\"width\":640,\"height\":320}");
	buf_clear(&fake.told);
	app_set_stage(a, 80, 20, true, w.now_us);
	app_set_stage(a, 3, 2, true, w.now_us); /* a page needs more */
	assert_string_equal(buf_text(&fake.told), "");
	app_set_stage(a, 0, 0, false, w.now_us);
	assert_string_equal(buf_text(&fake.told), "hide\n");
	assert_int_equal(app_facts(a)->cols, 80);
	say(a, "{'jsonrpc':'2.0','method':'ui/notifications/size-changed','params':{'width':300,"
	       "'height':900}}");
	assert_int_equal((int)app_facts(a)->bridge->height, 900);
}

static void
test_frames(void **state)
{
	struct app *a = open_ready();
	struct buf text = BUF_INIT;
	const struct app_view_frame broken = { .png = "no", .png_len = 2, .text = "{" };

	app_set_stage(a, 20, 5, true, w.now_us);
	assert_null(app_facts(a)->cells);
	fake_apps_frame(a, "Hello", w.now_us);
	app_cells_add_text(app_facts(a)->cells, &text);
	assert_memory_equal(buf_text(&text), "Hello\n", 6);
	buf_clear(&fake.told);
	app_drawn(a);
	app_drawn(a); /* one frame, one answer */
	assert_string_equal(buf_text(&fake.told), "drawn\n");
	uint64_t generation = server_generation(w.server);
	fake_apps_frame(a, "Hello", w.now_us); /* nothing to draw: the next one may come */
	assert_string_equal(buf_text(&fake.told), "drawn\ndrawn\n");
	assert_int_equal(server_generation(w.server), generation);
	fake_apps_frame(a, "Other", w.now_us);
	assert_int_not_equal(server_generation(w.server), generation);
	assert_string_equal(buf_text(&fake.told), "drawn\ndrawn\n");
	app_on_view_frame(a, &broken, w.now_us);
	assert_int_equal(app_facts(a)->errors, 2);
	app_drawn(a);
	buf_finish(&text);
}

/* ---- ends ---- */

static void
test_teardown(void **state)
{
	struct app *a = open_ready();
	uint64_t call = app_facts(a)->call;

	app_close(a, "closed by the user", w.now_us);
	expect_posted("\"method\":\"ui/resource-teardown\"");
	assert_int_equal(app_facts(a)->life, APP_ENDING);
	assert_null(server_find_app(w.server, call));
	struct app *again = open_app(call); /* another life, while that one ends */
	assert_ptr_not_equal(again, a);
	pass(600);
	assert_ptr_equal(server_app_at(w.server, 0), again);
	assert_null(server_app_at(w.server, 1));
}

static void
test_teardown_answered(void **state)
{
	struct app *a = open_ready();

	app_close(a, "closed by the user", w.now_us);
	const char *at = strstr(buf_text(&fake.posted), "ui/resource-teardown");
	assert_non_null(at);
	while (at > buf_text(&fake.posted) && at[-1] != '\n')
		at--;
	char id[32] = "", answer[100];
	assert_int_equal(sscanf(strstr(at, "\"id\":"), "\"id\":%31[^,]", id), 1);
	for (char *c = id; *c; c++)
		if (*c == '"')
			*c = '\'';
	snprintf(answer, sizeof(answer), "{'jsonrpc':'2.0','id':%s,'result':{}}", id);
	say(a, answer);
	pass(1);
	assert_null(server_app_at(w.server, 0));
}

static void
test_app_ends_itself(void **state)
{
	struct app *a = open_ready();

	say(a, "{'jsonrpc':'2.0','method':'ui/notifications/request-teardown'}");
	assert_int_equal(app_facts(a)->life, APP_ENDING);
	pass(600);
	assert_null(server_app_at(w.server, 0));
}

/* Requests of a page are dropped when the page is reloaded. */
static void
test_reload(void **state)
{
	struct app *a = open_ready();

	wire_answer(&w, "tools/call", DONE);
	say(a, REQUEST("1", "ui/open-link", "{'url':'https://example.com/'}"));
	say(a, REQUEST("2", "tools/call", "{'name':'poll'}"));
	uint64_t token = app_facts(a)->wishes[0].token;
	app_reload(a, APP_CSP_LAX, w.now_us);
	app_reload(a, APP_CSP_KINDS, w.now_us); /* while it reads */
	assert_int_equal(app_facts(a)->csp, APP_CSP_LAX);
	assert_int_equal(app_facts(a)->life, APP_READING);
	assert_int_equal(app_facts(a)->wish_count, 0);
	assert_false(app_answer(a, token, true, w.now_us));
	wire_answer(&w, "resources/read", PAGE);
	assert_int_equal(fake_apps_open(&fake), 1);
	buf_clear(&fake.posted);
	wire_answer(&w, "tools/call", DONE); /* for the former life */
	assert_string_equal(buf_text(&fake.posted), "");
	fake_apps_shake(a, "", w.now_us);
	expect_posted("tool-result");
}

static void
test_server_restarts(void **state)
{
	struct app *a = open_ready();

	wire_answer(&w, "tools/call", DONE);
	say(a, REQUEST("1", "tools/call", "{'name':'poll'}"));
	wire_end(&w, "exit code 1");
	expect_posted("\"id\":1,\"error\"");
	say(a, REQUEST("2", "tools/call", "{'name':'poll'}"));
	expect_posted("\"id\":2,\"error\"");
	assert_int_equal(app_facts(a)->life, APP_ALIVE);
	wire_connect(&w, TOOLS);
	say(a, REQUEST("3", "tools/call", "{'name':'poll'}"));
	wire_answer(&w, "tools/call", DONE);
	expect_posted("\"id\":3,\"result\"");
}

static void
test_server_restarts_while_it_reads(void **state)
{
	struct app *a = open_called();

	wire_start(&w);
	assert_int_equal(app_facts(a)->life, APP_BROKEN);
	assert_non_null(strstr(app_facts(a)->reason, "cannot be read"));
}

static void
test_the_fifth_app(void **state)
{
	struct app *apps[APPS_OPEN_MAX + 1];

	for (int i = 0; i < APPS_OPEN_MAX; i++) {
		apps[i] = open_ready();
		app_set_stage(apps[i], 80, 20, true, w.now_us += 1000);
	}
	app_set_stage(apps[0], 80, 20, true, w.now_us += 1000); /* looked at once more */
	buf_clear(&fake.posted);
	open_called();
	expect_posted("\"method\":\"ui/resource-teardown\""); /* asked, like any other */
	assert_int_equal(app_facts(apps[1])->life, APP_ENDING);
	pass(600);
	assert_ptr_equal(server_app_at(w.server, 0), apps[0]);
	assert_non_null(server_app_at(w.server, APPS_OPEN_MAX - 1));
	assert_null(server_app_at(w.server, APPS_OPEN_MAX));
}

static void
test_notes(void **state)
{
	struct app *a = open_ready();
	const struct app_view_note violation = { .kind = APP_VIEW_VIOLATION,
		.level = "",
		.text = "",
		.url = "https://cdn.example.com/x.js",
		.directive = "script-src" };

	app_on_view_note(a, &violation, w.now_us);
	const struct app_facts *f = app_facts(a);
	assert_int_equal(f->errors, 1);
	assert_non_null(strstr(f->notes[0].text, "script-src: https://cdn.example.com/x.js"));
	assert_non_null(strstr(f->notes[0].advice, "resourceDomains"));
	const struct app_view_note eval = { .kind = APP_VIEW_VIOLATION,
		.level = "",
		.text = "kEvalViolation",
		.url = "",
		.directive = "script-src" };
	app_on_view_note(a, &eval, w.now_us);
	assert_int_equal(f->errors, 1); /* libraries try it and do without */
	assert_non_null(strstr(f->notes[1].text, "script-src: eval"));
	assert_non_null(strstr(f->notes[1].advice, "the lax policy allows it"));
	for (int i = 0; i < 1000; i++)
		app_on_view_note(a, &violation, w.now_us);
	assert_int_equal(f->note_count, 1000);
	assert_int_equal(f->notes_dropped, 2);
}

/* The transport may be gone by then. */
static void
test_the_end_sends_nothing(void **state)
{
	open_called(); /* its page is being read */
	size_t sent = w.sent.len;

	server_destroy(w.server);
	w.server = NULL;
	assert_int_equal(w.sent.len, sent);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

/* Only a page that declares the permission may ask, and every copy needs a confirmation. */
static void
test_copies(void **state)
{
	struct app *a = open_ready();

	expect_posted("\"sandbox\":{\"permissions\":{},");
	say(a, REQUEST("5", "mcpane/copy", "{'text':'x'}"));
	expect_posted("\"code\":-32601");
	assert_int_equal(app_facts(a)->wish_count, 0);
	app_reload(a, APP_CSP_KINDS, w.now_us);
	wire_answer(&w, "resources/read",
	    "'result':{'contents':[{'uri':'ui://t/draw','mimeType':'text/html;profile=mcp-app',"
	    "'text':'<p>page</p>','_meta':{'ui':{'permissions':{'clipboardWrite':{},'camera':{}}}}}"
	    "]}");
	fake_apps_shake(a, "", w.now_us);
	expect_posted("\"sandbox\":{\"permissions\":{\"clipboardWrite\":{}},");
	say(a, REQUEST("6", "mcpane/copy", "{'text':'a\\nb\\nc'}"));
	assert_int_equal(app_facts(a)->wish_count, 1);
	assert_string_equal(
	    app_facts(a)->wishes[0].text, "copy 5 bytes in 3 lines to the clipboard: a\nb\nc");
	assert_true(app_answer(a, app_facts(a)->wishes[0].token, true, w.now_us));
	expect_posted("\"id\":6,\"result\":{}");
	say(a, REQUEST("7", "mcpane/copy", "{'text':'d'}"));
	assert_true(app_answer(a, app_facts(a)->wishes[0].token, false, w.now_us));
	expect_posted("the user refused");
	say(a, REQUEST("8", "mcpane/copy", "{'text':7}"));
	expect_posted("\"code\":-32602");
}

static struct job_queue queue;

static struct app *
open_in_pixels(void)
{
	struct app *a = open_ready();

	job_queue_init(&queue);
	server_use_jobs(w.server, queue.jobs.submit, NULL, queue.jobs.user);
	app_set_mode(a, APP_PIXELS, w.now_us);
	wire_answer(&w, "resources/read", PAGE);
	fake_apps_shake(a, "", w.now_us);
	buf_clear(&fake.told);
	return a;
}

/* The picture of a page is decoded in a job, and the next frame follows after it was shown. */
static void
test_pixels_are_decoded_in_a_job(void **state)
{
	struct app *a = open_in_pixels();

	fake_apps_frame(a, "first", w.now_us);
	assert_int_equal(queue.waiting.len, 1);
	assert_null(app_facts(a)->cells);
	app_drawn(a);
	assert_string_equal(buf_text(&fake.told), "");
	job_queue_run(&queue, NULL, NULL);
	assert_int_equal(app_facts(a)->frames, 1);
	assert_non_null(app_facts(a)->cells->picture);
	assert_int_equal(app_facts(a)->cells->picture->width, 4);
	app_drawn(a);
	assert_string_equal(buf_text(&fake.told), "drawn\n");
	/* The same picture, with another text, needs no job. */
	fake_apps_frame(a, "second", w.now_us);
	assert_int_equal(queue.waiting.len, 0);
	assert_int_equal(app_facts(a)->frames, 2);
	job_queue_finish(&queue);
}

/* A picture for another size or for a closed app is dropped, and the next one may follow. */
static void
test_pixels_that_come_too_late(void **state)
{
	struct app *a = open_in_pixels();

	fake_apps_frame(a, "first", w.now_us);
	app_set_stage(a, 90, 40, true, w.now_us);
	app_drawn(a);
	assert_non_null(strstr(buf_text(&fake.told), "drawn\n"));
	job_queue_run(&queue, NULL, NULL);
	assert_int_equal(app_facts(a)->frames, 0);
	fake_apps_frame(a, "second", w.now_us);
	app_reload(a, APP_CSP_KINDS, w.now_us);
	job_queue_run(&queue, NULL, NULL);
	assert_int_equal(app_facts(a)->frames, 0);
	job_queue_finish(&queue);
}

TEST_FILE(app_life)
{
	const struct CMUnitTest tests[] = {
		CASE(test_copies),
		CASE(test_pixels_are_decoded_in_a_job),
		CASE(test_pixels_that_come_too_late),
		CASE(test_app_knows_the_id_of_its_call),
		CASE(test_result_after_the_page),
		CASE(test_the_end_sends_nothing),
		CASE(test_result_before_the_page),
		CASE(test_call_failed),
		CASE(test_call_cancelled),
		CASE(test_no_app),
		CASE(test_broken_pages),
		CASE(test_huge_page),
		CASE(test_engine_gives_up),
		CASE(test_tools),
		CASE(test_progress),
		CASE(test_resources),
		CASE(test_destructive_tools_wait),
		CASE(test_links),
		CASE(test_downloads),
		CASE(test_messages_and_context),
		CASE(test_display_modes),
		CASE(test_sizes),
		CASE(test_frames),
		CASE(test_teardown),
		CASE(test_teardown_answered),
		CASE(test_app_ends_itself),
		CASE(test_reload),
		CASE(test_server_restarts),
		CASE(test_server_restarts_while_it_reads),
		CASE(test_the_fifth_app),
		CASE(test_notes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

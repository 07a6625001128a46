/* SPDX-License-Identifier: MIT */
/* The states of an engine and of a view, with a scripted peer instead of Chromium. */
#include "base/mem.h"
#include "base/vec.h"
#include "engine/app_view.h"
#include "fixture.h"
#include "loop/stream.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct peer {
	struct loop *loop;
	int fd;
	bool ended; /* it reads, but says nothing more */
	struct stream_in in;
	struct buf received, log; /* "SESSION:METHOD " of each command */
	const char *breaks;       /* a method that gets an error */
	int break_times;
	const char *holds; /* a method that gets no answer yet */
	int64_t held;
	char held_session[16];
	const char *version;
	bool paints_early;      /* before the app has loaded */
	const char *late_blank; /* the load event of about:blank comes after the navigation */
	char origin[64];
	char last_params[65536];
};

static __attribute__((format(printf, 2, 3))) void
say(struct peer *p, const char *format, ...)
{
	char text[4096];
	va_list args;

	if (p->ended)
		return;
	va_start(args, format);
	int len = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	assert_int_equal(write(p->fd, text, (size_t)len + 1), len + 1);
}

#define EVENT "{\"method\":\"%s\",\"sessionId\":\"%s\",\"params\":"

static void
after(struct peer *p, const char *session, const char *method)
{
	if (strcmp(method, "Page.navigate") == 0) {
		if (p->late_blank)
			say(p, EVENT "{}}", "Page.loadEventFired", "P");
		say(p, EVENT "{\"frame\":{\"id\":\"T\",\"url\":\"https://host.invalid/\"}}}",
		    "Page.frameNavigated", "P");
		say(p, EVENT "{}}", "Page.loadEventFired", "P");
	} else if (strcmp(method, "Runtime.callFunctionOn") == 0 &&
		   strstr(p->last_params, "addEventListener")) {
		say(p,
		    EVENT
		    "{\"sessionId\":\"A\",\"targetInfo\":{\"type\":\"iframe\",\"targetId\":\"F\"},"
		    "\"waitingForDebugger\":true}}",
		    "Target.attachedToTarget", "P");
	} else if (strcmp(method, "Runtime.runIfWaitingForDebugger") == 0) {
		say(p,
		    EVENT "{\"requestId\":\"R1\",\"resourceType\":\"Document\",\"request\":{"
			  "\"url\":\"%s/\"}}}",
		    "Fetch.requestPaused", "A", p->origin);
		say(p, EVENT "{\"frame\":{\"id\":\"F\",\"url\":\"%s/\"}}}", "Page.frameNavigated",
		    "A", p->origin);
		if (p->paints_early)
			say(p, EVENT "{\"data\":\"b25l\",\"sessionId\":1}}", "Page.screencastFrame",
			    "P");
		say(p, EVENT "{}}", "Page.loadEventFired", "A");
	}
}

static const char *
result_of(const struct peer *p, const char *method)
{
	static const char *const results[][2] = {
		{ "Target.createBrowserContext", "{\"browserContextId\":\"C\"}" },
		{ "Target.createTarget", "{\"targetId\":\"T\"}" },
		{ "Target.attachToTarget", "{\"sessionId\":\"P\"}" },
		{ "Page.createIsolatedWorld", "{\"executionContextId\":5}" },
		{ "CSS.createStyleSheet", "{\"styleSheetId\":\"S\"}" },
		{ "Runtime.evaluate", "{\"result\":{\"type\":\"string\",\"value\":\"text\"}}" },
		{ "Page.captureScreenshot", "{\"data\":\"cG5n\"}" },
	};

	if (strcmp(method, "Browser.getVersion") == 0)
		return p->version;
	for (size_t i = 0; i < ARRAY_LEN(results); i++)
		if (strcmp(results[i][0], method) == 0)
			return results[i][1];
	return "{}";
}

static void
answer(struct peer *p, int64_t id, const char *session, const char *method)
{
	if (p->breaks && strcmp(p->breaks, method) == 0 && p->break_times-- > 0) {
		say(p, "{\"id\":%d,\"error\":{\"code\":-32000,\"message\":\"broken\"}}", (int)id);
		return;
	}
	say(p, "{\"id\":%d,\"result\":%s}", (int)id, result_of(p, method));
	after(p, session, method);
}

static void
take(struct peer *p, const char *text, size_t len)
{
	struct json_doc *doc = json_parse(text, len, NULL, NULL);
	const cJSON *root = json_root(doc), *params = json_get(root, "params");
	const char *method = json_get_string(root, "method"),
		   *session = json_get_string(root, "sessionId");
	int64_t id = (int64_t)json_get(root, "id")->valuedouble;
	/* The page learns the app's origin from the arguments of its script. */
	const cJSON *argument = json_first(json_get(params, "arguments"));
	const char *value = json_get_string(argument, "value");

	assert_non_null(method);
	buf_addf(&p->log, "%s:%s ", session ? session : "", method);
	snprintf(p->last_params, sizeof(p->last_params), "%.*s", (int)len, text);
	if (value && strncmp(value, "https://a", 9) == 0)
		snprintf(p->origin, sizeof(p->origin), "%s", value);
	if (p->holds && strcmp(p->holds, method) == 0) {
		p->held = id;
		snprintf(p->held_session, sizeof(p->held_session), "%s", session ? session : "");
	} else {
		answer(p, id, session ? session : "", method);
	}
	json_doc_destroy(doc);
}

static void
on_bytes(void *user, const char *bytes, size_t len)
{
	struct peer *p = user;
	const char *nul;

	buf_add(&p->received, bytes, len);
	while (p->received.len > 0 && (nul = memchr(p->received.data, 0, p->received.len))) {
		size_t n = (size_t)(nul - p->received.data);
		take(p, p->received.data, n);
		buf_consume(&p->received, n + 1);
	}
}

static void
on_end(void *user, int error)
{
}

/* ---- the scene ---- */

struct scene {
	struct peer peer;
	struct engine *engine;
	struct app_view *view;
	struct buf heard, notes, states;
	size_t frames;
	char text[64];
	bool closes;      /* in on_message */
	uint64_t carried; /* the last request that is */
	char request[200];
	char answer[64];
};

static void
on_state(void *user)
{
	struct scene *s = user;

	buf_addf(&s->states, "%d ", app_view_status(s->view)->state);
}

static void
on_message(void *user, const char *json, size_t len)
{
	struct scene *s = user;

	buf_add(&s->heard, json, len);
	buf_add_char(&s->heard, '\n');
	if (s->closes) {
		app_view_close(s->view);
		s->view = NULL;
	}
}

static void
on_frame(void *user, const struct app_view_frame *frame)
{
	struct scene *s = user;

	s->frames++;
	snprintf(s->text, sizeof(s->text), "%.*s %s", (int)frame->png_len, frame->png,
	    frame->text ? frame->text : "none");
}

static void
on_note(void *user, const struct app_view_note *note)
{
	struct scene *s = user;

	buf_addf(&s->notes, "%d|%s|%s|%s|%s|%d\n", note->kind, note->level, note->text, note->url,
	    note->directive, note->line);
}

static bool
on_request(void *user, const struct app_request *r)
{
	struct scene *s = user;

	s->carried = r->id;
	snprintf(s->request, sizeof(s->request), "%s %s %s %.*s%s", r->type, r->method, r->url,
	    (int)r->body_len, r->body ? (const char *)r->body : "", r->lacks_body ? "…" : "");
	return strstr(r->url, "carried") != NULL;
}

static const char *collects = "collect()"; /* of the next scene */

static void
scene_init(struct scene *s)
{
	static const char html[] = "<p>app";
	struct engine_options options = { .start_ms = 2000 };
	struct app_view_options view = { .html = html,
		.html_len = strlen(html),
		.csp = "default-src 'none'",
		.size = { 80, 32, 20, 8 },
		.style = "p{}",
		.world_script = "world",
		.collect = collects };
	struct app_view_events events = { s, on_state, on_message, on_frame, on_note, on_request };
	int ends[2];

	*s = (struct scene){ .peer = { .loop = loop_create(NULL, NULL, NULL),
				 .version = "{\"product\":\"HeadlessChrome/156.0.1.2\"}" } };
	assert_int_equal(
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends), 0);
	s->peer.fd = ends[1];
	stream_in_init(&s->peer.in, s->peer.loop, ends[1], on_bytes, on_end, &s->peer);
	options.peer = ends[0];
	s->engine = engine_create(s->peer.loop, &options, NULL);
	s->view = app_view_open(s->engine, &view, &events);
}

static void
scene_finish(struct scene *s)
{
	app_view_close(s->view);
	engine_destroy(s->engine);
	stream_in_finish(&s->peer.in);
	close(s->peer.fd);
	buf_finish(&s->peer.received);
	buf_finish(&s->peer.log);
	buf_finish(&s->heard);
	buf_finish(&s->notes);
	buf_finish(&s->states);
	loop_destroy(s->peer.loop);
}

#define LOG(s) buf_text(&(s)->peer.log)
#define state(s) (app_view_status((s)->view)->state)
#define reason(s) (app_view_status((s)->view)->reason)
#define UNTIL(s, condition) TURN_UNTIL((s)->peer.loop, condition)

static size_t
place(struct scene *s, const char *command)
{
	const char *at = strstr(LOG(s), command);

	if (!at)
		fail_msg("no %s in %s", command, LOG(s));
	return (size_t)(at - LOG(s));
}

static void
test_order_of_opening(void **unused)
{
	static const char *const order[] = { ":Browser.getVersion ",
		":Target.createBrowserContext ", ":Browser.setDownloadBehavior ",
		":Target.createTarget ", ":Target.attachToTarget ", "P:Page.enable ",
		"P:Fetch.enable ", "P:Target.setAutoAttach ", "P:Runtime.addBinding ",
		"P:Emulation.setDeviceMetricsOverride ", "P:Page.navigate ",
		"P:Page.createIsolatedWorld ", "P:Runtime.callFunctionOn ", "A:Page.enable ",
		"A:Fetch.enable ", "A:Runtime.runIfWaitingForDebugger ", "A:Fetch.fulfillRequest ",
		"A:CSS.createStyleSheet " };
	struct scene s;

	scene_init(&s);
	UNTIL(&s, state(&s) == APP_VIEW_RUNNING && strstr(LOG(&s), "A:CSS.setStyleSheetText "));
	for (size_t i = 1; i < ARRAY_LEN(order); i++)
		if (place(&s, order[i - 1]) >= place(&s, order[i]))
			fail_msg("%s after %s: %s", order[i - 1], order[i], LOG(&s));
	assert_string_equal(buf_text(&s.states), "1 ");
	assert_string_equal(app_view_status(s.view)->origin, s.peer.origin);
	assert_string_equal(engine_status(s.engine)->version, "HeadlessChrome/156.0.1.2");
	assert_int_equal(engine_status(s.engine)->views, 1);
	scene_finish(&s);
}

/* Navigating before all answers of the setup arrived would sometimes leave a page that never loads;
 * and the load event of about:blank must not count as the page's. */
static void
test_navigation_waits_for_the_setup(void **unused)
{
	struct scene s;

	scene_init(&s);
	s.peer.holds = "Fetch.enable";
	s.peer.late_blank = "yes";
	UNTIL(&s, s.peer.held && strstr(LOG(&s), "setFocusEmulation"));
	for (int i = 0; i < 10; i++)
		loop_turn(s.peer.loop, 1);
	assert_null(strstr(LOG(&s), "Page.navigate"));
	s.peer.holds = NULL;
	answer(&s.peer, s.peer.held, s.peer.held_session, "Fetch.enable");
	UNTIL(&s, state(&s) == APP_VIEW_RUNNING);
	const char *world = strstr(LOG(&s), "P:Page.createIsolatedWorld ");
	assert_non_null(world);
	assert_null(strstr(world + 1, "P:Page.createIsolatedWorld "));
	scene_finish(&s);
}

/* After an error or a crash the view tries once more in a new context, and then reports the
 * reason. */
static void
test_one_more_attempt(void **unused)
{
	struct scene s;

	scene_init(&s);
	s.peer.breaks = "Page.createIsolatedWorld";
	s.peer.break_times = 1;
	UNTIL(&s, state(&s) == APP_VIEW_RUNNING);
	place(&s, ":Target.disposeBrowserContext ");
	scene_finish(&s);

	scene_init(&s);
	s.peer.breaks = "Target.createTarget";
	s.peer.break_times = 9;
	UNTIL(&s, state(&s) == APP_VIEW_FAILED);
	assert_string_equal(reason(&s), "the app cannot be opened: page: broken");
	assert_int_equal(s.peer.break_times, 7);
	scene_finish(&s);
}

static void
test_what_the_app_does(void **unused)
{
	struct scene s;

	scene_init(&s);
	UNTIL(&s, state(&s) == APP_VIEW_RUNNING);
	say(&s.peer, EVENT "{\"name\":\"__mcpane_message\",\"payload\":\"{\\\"a\\\":1}\"}}",
	    "Runtime.bindingCalled", "P");
	/* Messages from the surrounding page are ignored, because the app itself has no such
	 * function. */
	say(&s.peer, EVENT "{\"name\":\"__mcpane_message\",\"payload\":\"forged\"}}",
	    "Runtime.bindingCalled", "A");
	say(&s.peer,
	    EVENT "{\"type\":\"log\",\"args\":[{\"value\":\"x\"},{\"value\":{\"k\":[1]}},"
		  "{\"description\":\"Foo\"},{\"preview\":{\"overflow\":true,\"properties\":[{"
		  "\"name\":\"k\",\"value\":\"1\"},{\"name\":\"l\"}]}}],\"stackTrace\":{"
		  "\"callFrames\":[{\"url\":\"u\","
		  "\"lineNumber\":4}]}}}",
	    "Runtime.consoleAPICalled", "A");
	say(&s.peer, EVENT "{\"type\":\"alert\",\"message\":\"stop\"}}",
	    "Page.javascriptDialogOpening", "A");
	say(&s.peer,
	    EVENT
	    "{\"requestId\":\"R\",\"resourceType\":\"Image\",\"request\":{\"url\":\"http://x/\"}}}",
	    "Fetch.requestPaused", "A");
	say(&s.peer,
	    "{\"method\":\"Browser.downloadWillBegin\",\"params\":{\"frameId\":\"F\",\"url\":"
	    "\"blob:y\"}}");
	UNTIL(&s, strstr(buf_text(&s.notes), "blob:y"));
	assert_string_equal(buf_text(&s.heard), "{\"a\":1}\n");
	assert_string_equal(buf_text(&s.notes), "0|log|x {\"k\": [1]} Foo {k: 1, l: …, "
						"…}|u||5\n5|alert|stop|||0\n3||Image|http://x/||0\n"
						"6|||blob:y||0\n");
	UNTIL(&s, strstr(LOG(&s), "A:Page.handleJavaScriptDialog ") &&
		      strstr(LOG(&s), "A:Fetch.failRequest "));
	scene_finish(&s);
}

#define PICTURE(s, number, data)                                                                  \
	say(&(s)->peer, EVENT "{\"data\":\"%s\",\"sessionId\":%d}}", "Page.screencastFrame", "P", \
	    (data), (number))

static size_t
confirmed(struct scene *s)
{
	size_t count = 0;

	for (const char *at = LOG(s); (at = strstr(at, "P:Page.screencastFrameAck ")); at++)
		count++;
	return count;
}

/* The newest waits while one is being drawn; the older ones between them are confirmed unseen. */
static void
test_pictures_in_order(void **unused)
{
	struct scene s;

	scene_init(&s);
	UNTIL(&s, state(&s) == APP_VIEW_RUNNING && strstr(LOG(&s), "A:CSS.setStyleSheetText "));
	PICTURE(&s, 1, "b25l"); /* one */
	UNTIL(&s, s.frames == 1);
	assert_string_equal(s.text, "one text");
	assert_int_equal(confirmed(&s), 0);
	PICTURE(&s, 2, "dHdv");
	PICTURE(&s, 3, "dGhyZWU="); /* three */
	UNTIL(&s, confirmed(&s) == 1);
	assert_int_equal(s.frames, 1);
	app_view_drawn(s.view);
	UNTIL(&s, s.frames == 2 && confirmed(&s) == 2);
	assert_string_equal(s.text, "three text");
	app_view_drawn(s.view);
	app_view_drawn(s.view);
	PICTURE(&s, 4, "not base64");
	UNTIL(&s, confirmed(&s) == 4);
	assert_int_equal(s.frames, 2);
	/* A script that hangs has no text, but a picture. */
	s.peer.holds = "Runtime.evaluate";
	PICTURE(&s, 5, "Zml2ZQ==");
	UNTIL(&s, s.frames == 3);
	assert_string_equal(s.text, "five none");
	scene_finish(&s);
}

/* An event goes out once the one before is handled, or had its time; none before a picture. */
static void
test_input_in_order(void **unused)
{
	struct scene s;
	struct app_view_mouse move = { .kind = APP_VIEW_MOVE, .x = 1, .y = 1 };

	scene_init(&s);
	UNTIL(&s, state(&s) == APP_VIEW_RUNNING && strstr(LOG(&s), "A:CSS.setStyleSheetText "));
	app_view_key(s.view, "Tab", 0);
	assert_null(strstr(LOG(&s), "Input."));
	s.peer.holds = "Input.dispatchKeyEvent";
	PICTURE(&s, 1, "b25l");
	UNTIL(&s, strstr(LOG(&s), "P:Input.dispatchKeyEvent "));
	/* the focus is in the app before the first key */
	assert_non_null(strstr(LOG(&s), "P:Runtime.callFunctionOn P:Input.dispatchKeyEvent "));
	buf_clear(&s.peer.log);
	app_view_text(s.view, "x", 1);
	for (move.x = 1; move.x < 500; move.x++)
		app_view_mouse(s.view, &move);
	assert_null(strstr(LOG(&s), "Input.")); /* the key is not handled */
	/* An app that hangs holds nothing up for long, and the mouse is only where it is last. */
	UNTIL(&s, strstr(LOG(&s), "P:Input.dispatchMouseEvent "));
	assert_non_null(strstr(LOG(&s), "P:Input.dispatchKeyEvent P:Input.insertText "
					"P:Input.dispatchMouseEvent "));
	assert_non_null(strstr(s.peer.last_params, "\"x\":499"));
	scene_finish(&s);
}

/* Text leaves no ink, so the walker says when it changed. */
static void
test_change_without_a_picture(void **unused)
{
	struct scene s;

	scene_init(&s);
	UNTIL(&s, state(&s) == APP_VIEW_RUNNING && strstr(LOG(&s), "A:CSS.setStyleSheetText "));
	PICTURE(&s, 1, "b25l");
	UNTIL(&s, s.frames == 1);
	app_view_drawn(s.view);
	say(&s.peer, EVENT "{\"name\":\"__mcpane_changed\",\"payload\":\"\"}}",
	    "Runtime.bindingCalled", "A");
	UNTIL(&s, s.frames == 2);
	assert_string_equal(s.text, "one text");
	scene_finish(&s);
}

/* The callback that reports a frame runs while drawing: the next frame comes after it. */
static void
test_no_frame_while_drawing(void **unused)
{
	struct scene s;

	collects = NULL;
	scene_init(&s);
	collects = "collect()";
	UNTIL(&s, state(&s) == APP_VIEW_RUNNING && strstr(LOG(&s), "A:CSS.setStyleSheetText "));
	PICTURE(&s, 1, "b25l");
	UNTIL(&s, s.frames == 1);
	PICTURE(&s, 2, "dHdv");
	PICTURE(&s, 3, "dGhyZWU=");
	UNTIL(&s, confirmed(&s) == 1);
	app_view_drawn(s.view);
	assert_int_equal(s.frames, 1);
	UNTIL(&s, s.frames == 2);
	scene_finish(&s);
}

/* A page that moves all the time is drawn 30 times a second; one that rested, at once. */
static void
test_no_more_pictures_than_eyes_can_tell(void **unused)
{
	enum { PICTURES = 6, FRAME_MS = 33 };
	struct scene s;

	scene_init(&s);
	UNTIL(&s, state(&s) == APP_VIEW_RUNNING && strstr(LOG(&s), "A:CSS.setStyleSheetText "));
	PICTURE(&s, 1, "b25l");
	UNTIL(&s, s.frames == 1);
	int64_t since = loop_now_ms(s.peer.loop);
	for (size_t i = 1; i < PICTURES; i++) {
		app_view_drawn(s.view);
		assert_int_equal(confirmed(&s), i - 1);
		PICTURE(&s, (int)i + 1, "dHdv");
		UNTIL(&s, s.frames == i + 1);
		assert_int_equal(confirmed(&s), i);
	}
	if (loop_now_ms(s.peer.loop) - since < (PICTURES - 1) * FRAME_MS)
		fail_msg("%d pictures in %d ms", PICTURES, (int)(loop_now_ms(s.peer.loop) - since));
	app_view_drawn(s.view);
	UNTIL(&s, confirmed(&s) == PICTURES); /* it rests: the next one may come */
	PICTURE(&s, PICTURES + 1, "dGhyZWU=");
	UNTIL(&s, s.frames == PICTURES + 1);
	scene_finish(&s);
}

/* A picture that came while the text of the one before was asked for gets its own. */
static void
test_picture_outruns_its_text(void **unused)
{
	struct scene s;

	scene_init(&s);
	UNTIL(&s, state(&s) == APP_VIEW_RUNNING && strstr(LOG(&s), "A:CSS.setStyleSheetText "));
	s.peer.holds = "Runtime.evaluate";
	s.peer.held = 0;
	PICTURE(&s, 1, "b25l");
	UNTIL(&s, s.peer.held);
	PICTURE(&s, 2, "dHdv");
	UNTIL(&s, confirmed(&s) == 1);
	s.peer.holds = NULL;
	say(&s.peer, "{\"id\":%d,\"result\":{\"result\":{\"type\":\"string\",\"value\":\"old\"}}}",
	    (int)s.peer.held);
	UNTIL(&s, s.frames == 1);
	assert_string_equal(s.text, "two old");
	app_view_drawn(s.view);
	UNTIL(&s, s.frames == 2);
	assert_string_equal(s.text, "two text");
	assert_int_equal(confirmed(&s), 2);
	scene_finish(&s);
}

/* A page that comes to rest before its texts can be asked for is shown again with them. */
static void
test_early_picture_gets_its_text(void **unused)
{
	struct scene s;

	scene_init(&s);
	s.peer.paints_early = true;
	UNTIL(&s, s.frames == 1);
	assert_string_equal(s.text, "one none");
	app_view_drawn(s.view);
	UNTIL(&s, strcmp(s.text, "one text") == 0);
	assert_int_equal(s.frames, 2);
	app_view_drawn(s.view);
	UNTIL(&s, confirmed(&s) == 1);
	scene_finish(&s);
}

static void
test_crash_and_hang(void **unused)
{
	struct scene s;

	scene_init(&s);
	UNTIL(&s, state(&s) == APP_VIEW_RUNNING);
	s.peer.holds = "Runtime.evaluate";
	UNTIL(&s, app_view_status(s.view)->hung);
	s.peer.holds = NULL;
	UNTIL(&s, !app_view_status(s.view)->hung);
	say(&s.peer, EVENT "{}}", "Inspector.targetCrashed", "A");
	UNTIL(&s, state(&s) == APP_VIEW_FAILED);
	assert_string_equal(reason(&s), "the app has crashed");
	scene_finish(&s);
}

static void
on_png(void *user, const char *png, size_t len, const char *problem)
{
	struct scene *s = user;

	snprintf(s->answer, sizeof(s->answer), "%.*s%s", (int)len, png ? png : "",
	    problem ? problem : "");
}

static void
test_questions(void **unused)
{
	struct scene s;

	scene_init(&s);
	app_view_screenshot(s.view, on_png, &s);
	assert_string_equal(s.answer, "the app does not run");
	UNTIL(&s, state(&s) == APP_VIEW_RUNNING);
	app_view_screenshot(s.view, on_png, &s);
	UNTIL(&s, strcmp(s.answer, "png") == 0);
	s.peer.holds = "Page.captureScreenshot";
	app_view_screenshot(s.view, on_png, &s); /* never answered, not leaked */
	scene_finish(&s);
}

static void
test_close_in_a_callback(void **unused)
{
	struct scene s;

	scene_init(&s);
	UNTIL(&s, state(&s) == APP_VIEW_RUNNING);
	s.closes = true;
	for (int i = 0; i < 2; i++)
		say(&s.peer, EVENT "{\"name\":\"__mcpane_message\",\"payload\":\"%d\"}}",
		    "Runtime.bindingCalled", "P", i);
	UNTIL(&s, strstr(LOG(&s), ":Target.disposeBrowserContext "));
	assert_string_equal(buf_text(&s.heard), "0\n");
	assert_int_equal(engine_status(s.engine)->views, 0);
	scene_finish(&s);
}

/* ---- the engine ---- */

static void
expect_failure(struct scene *s, const char *why)
{
	UNTIL(s, state(s) == APP_VIEW_FAILED);
	assert_string_equal(reason(s), why);
	assert_int_equal(engine_status(s->engine)->state, ENGINE_FAILED);
	assert_string_equal(engine_status(s->engine)->reason, why);
	scene_finish(s);
}

static void
test_engine_that_is_unfit(void **unused)
{
	struct scene s;

	scene_init(&s);
	s.peer.version = "{\"product\":\"HeadlessChrome/99.0.1.2\"}";
	expect_failure(&s, "HeadlessChrome/99.0.1.2 is too old: apps need version 121 or newer");
	scene_init(&s);
	s.peer.version = "{\"product\":7}";
	expect_failure(
	    &s, "a program without a version is too old: apps need version 121 or newer");
	scene_init(&s);
	s.peer.holds = "Browser.getVersion";
	expect_failure(&s, "Chromium does not answer");
}

static void
test_engine_that_ends(void **unused)
{
	struct scene s;

	scene_init(&s);
	UNTIL(&s, state(&s) == APP_VIEW_RUNNING);
	assert_int_equal(write(s.peer.fd, "{\"method\":", 10), 10);
	s.peer.ended = true;
	shutdown(s.peer.fd, SHUT_WR);
	expect_failure(&s, "the connection to Chromium has ended: it ended within a message");
	scene_init(&s);
	UNTIL(&s, state(&s) == APP_VIEW_RUNNING);
	say(&s.peer, "<html>");
	expect_failure(
	    &s, "the connection to Chromium has ended: it sent something that is not JSON");
}

#define PAUSED                                                                                     \
	EVENT "{\"requestId\":\"%s\",\"resourceType\":\"Fetch\",\"request\":{\"url\":\"https://x/" \
	      "%s\","                                                                              \
	      "\"method\":\"POST\",\"headers\":{%s},\"hasPostData\":true%s}}}"

/* A view has no network: it answers carried requests later, and blocks all others. */
static void
test_carried_requests(void **unused)
{
	static const struct app_response response = { .status = 200,
		.reason = "OK",
		.headers = "Content-Type: a/b\nSet-Cookie: c\nX-Odd\n: y\nX-Bad: \xff\nB d: "
			   "e\nX-Good: g\n",
		.body = "hi",
		.body_len = 2 };
	struct scene s;

	scene_init(&s);
	UNTIL(&s, state(&s) == APP_VIEW_RUNNING);
	say(&s.peer, PAUSED, "Fetch.requestPaused", "A", "Q1", "carried", "",
	    ",\"postDataEntries\":[{\"bytes\":\"YWI=\"},{\"bytes\":\"Yw==\"}]");
	UNTIL(&s, s.carried == 1);
	assert_string_equal(s.request, "Fetch POST https://x/carried abc");
	assert_null(strstr(buf_text(&s.peer.log), "Q1"));
	app_view_respond(s.view, 99, &response);
	app_view_respond(s.view, 1, &response);
	UNTIL(&s, strstr(s.peer.last_params, "Q1"));
	assert_non_null(strstr(s.peer.last_params,
	    "\"responseHeaders\":[{\"name\":\"Content-Type\",\"value\":\"a/"
	    "b\"},{\"name\":\"X-Odd\","
	    "\"value\":\"\"},{\"name\":\"X-Good\",\"value\":\"g\"}],\"body\":\"aGk=\""));
	app_view_respond(s.view, 1, &response); /* only once */
	say(&s.peer, PAUSED, "Fetch.requestPaused", "A", "Q2", "carried", "", "");
	UNTIL(&s, s.carried == 2);
	assert_string_equal(s.request, "Fetch POST https://x/carried …");
	app_view_respond(s.view, 2, NULL);
	UNTIL(&s, strstr(s.peer.last_params, "\"requestId\":\"Q2\",\"errorReason\":\"Failed\""));
	say(&s.peer, PAUSED, "Fetch.requestPaused", "A", "Q3", "other",
	    "\"Accept\":\"text/event-stream\"", "");
	UNTIL(&s,
	    strstr(s.peer.last_params, "\"requestId\":\"Q3\",\"errorReason\":\"BlockedByClient\""));
	assert_non_null(strstr(buf_text(&s.notes), "|EventSource|https://x/other|"));
	/* The page around it has nothing carried. */
	say(&s.peer, PAUSED, "Fetch.requestPaused", "P", "Q4", "carried", "", "");
	UNTIL(&s,
	    strstr(s.peer.last_params, "\"requestId\":\"Q4\",\"errorReason\":\"BlockedByClient\""));
	assert_int_equal(s.carried, 3);
	say(&s.peer, PAUSED, "Fetch.requestPaused", "A", "Q5", "carried", "", "");
	UNTIL(&s, s.carried == 4);
	scene_finish(&s); /* with one under way */
}

TEST_FILE(app_view)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_carried_requests),
		cmocka_unit_test(test_order_of_opening),
		cmocka_unit_test(test_navigation_waits_for_the_setup),
		cmocka_unit_test(test_one_more_attempt),
		cmocka_unit_test(test_what_the_app_does),
		cmocka_unit_test(test_pictures_in_order),
		cmocka_unit_test(test_no_frame_while_drawing),
		cmocka_unit_test(test_input_in_order),
		cmocka_unit_test(test_change_without_a_picture),
		cmocka_unit_test(test_early_picture_gets_its_text),
		cmocka_unit_test(test_no_more_pictures_than_eyes_can_tell),
		cmocka_unit_test(test_picture_outruns_its_text),
		cmocka_unit_test(test_crash_and_hang),
		cmocka_unit_test(test_questions),
		cmocka_unit_test(test_close_in_a_callback),
		cmocka_unit_test(test_engine_that_is_unfit),
		cmocka_unit_test(test_engine_that_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

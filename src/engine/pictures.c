/* SPDX-License-Identifier: MIT */
#include "engine/parts.h"

#include "base/ascii.h"
#include "base/base64.h"
#include "base/mem.h"
#include "base/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How long a picture waits for its texts. */
enum { TEXT_MS = 700, SOON_MS = 40, LATE_MS = 500, PNG_MAX = 32 << 20 };
enum { FRAME_MS = 33 };
/* Chromium drops pictures while this many are unconfirmed. */
enum { UNCONFIRMED_MAX = 3, REST_MS = 100 };

/* The number of a picture that was shown before. */
enum { AGAIN = -1 };

/* ---- the screencast: a picture after each change ---- */

static void app_view_input_go_on(struct app_view *v);

static void
confirm(struct app_view *v, int64_t number)
{
	char members[48];

	if (number == AGAIN)
		return;
	snprintf(members, sizeof(members), "\"sessionId\":%lld", (long long)number);
	app_view_command(v, v->page, "Page.screencastFrameAck", members);
}

void
app_view_pictures_start(struct app_view *v)
{
	char members[128];

	snprintf(members, sizeof(members), "\"format\":\"png\",\"maxWidth\":%d,\"maxHeight\":%d",
	    v->options.size.picture_width, v->options.size.picture_height);
	app_view_command(v, v->page, "Page.startScreencast", members);
	v->picture.running = true;
	v->picture.count = 0;
}

void
app_view_pictures_stop(struct app_view *v)
{
	app_view_command(v, v->page, "Page.stopScreencast", NULL);
	loop_timer_cancel(&v->picture.rest);
	v->picture.running = v->picture.fresh = false;
}

static void
on_rest(void *user)
{
	app_view_pictures_stop(user);
	app_view_pictures_start(user);
}

void
app_view_pictures_forget(struct app_view *v)
{
	loop_timer_cancel(&v->picture.again);
	loop_timer_cancel(&v->picture.next);
	loop_timer_cancel(&v->picture.rest);
	free(v->picture.text);
	v->picture.text = NULL;
	v->picture.text_id = 0;
	v->picture.running = v->picture.fresh = v->picture.outruns = false;
	v->picture.unconfirmed = 0;
	v->undressed = 0;
}

static void
on_soon(void *user)
{
	app_view_pictures_again(user);
}

static void
ask_again_in(struct app_view *v, int ms)
{
	v->picture.again.fn = on_soon;
	v->picture.again.user = v;
	loop_timer_set(v->engine->loop, &v->picture.again, loop_now_ms(v->engine->loop) + ms);
}

/* A picture that comes while the texts of the previous one are pending is shown at once, because on
 * an animated page it is soon replaced; its texts are requested afterwards. */
static void
hand_out(struct app_view *v)
{
	struct app_view_frame frame = { buf_text(&v->picture.png), v->picture.png.len,
		v->picture.text };

	if (!v->picture.fresh || v->picture.text_id)
		return;
	v->picture.fresh = false;
	v->picture.unconfirmed = v->picture.number;
	v->picture.out_ms = loop_now_ms(v->engine->loop);
	if (v->picture.outruns)
		ask_again_in(v, SOON_MS);
	v->picture.outruns = false;
	if (v->events.on_frame)
		v->events.on_frame(v->events.user, &frame);
	else
		app_view_drawn(v);
}

static void
on_text(void *user, uint64_t id, const cJSON *result, const char *problem)
{
	struct app_view *v = user;

	v->picture.text_id = 0;
	free(v->picture.text);
	v->picture.text = mem_strdup(json_get_string(json_get(result, "result"), "value"));
	if (problem) /* it may still come, and no other event requests it */
		ask_again_in(v, LATE_MS);
	hand_out(v);
}

/* Evaluate a script in our isolated world. */
static uint64_t
evaluate(
    struct app_view *v, const char *expression, int within_ms, devtools_answer_fn *fn, void *user)
{
	struct devtools *d = &v->engine->devtools;
	struct json_writer *w = devtools_begin(d, v->app, "Runtime.evaluate");

	json_write_member_string(w, "expression", expression);
	json_write_member_bool(w, "returnByValue", true);
	json_write_member_bool(w, "awaitPromise", true);
	json_write_member_int(w, "contextId", v->app_world);
	return devtools_send(d, within_ms, fn, user);
}

static void
complete(struct app_view *v)
{
	bool asks = *v->app && v->stage == STAGE_LOADED && !v->status.hung;

	if (!v->picture.fresh || v->picture.unconfirmed || v->picture.text_id)
		return;
	loop_timer_cancel(&v->picture.again);
	if (asks && v->options.collect && v->app_world)
		v->picture.text_id = evaluate(v, v->options.collect, TEXT_MS, on_text, v);
	hand_out(v);
}

/* Show the last picture again with new texts, because it may have come before them. */
void
app_view_pictures_again(struct app_view *v)
{
	bool has_texts = v->stage == STAGE_LOADED && (v->app_world || !v->options.world_script);

	if (!has_texts || v->picture.fresh || v->picture.png.len == 0 || !v->picture.running)
		return;
	v->picture.number = AGAIN;
	v->picture.fresh = true;
	complete(v);
}

void
app_view_pictures_soon(struct app_view *v)
{
	if (!v->picture.text_id) /* the pending answer includes it */
		ask_again_in(v, SOON_MS);
}

/* Only the newest picture is kept; the engine sends few before the first is confirmed. */
void
app_view_on_picture(struct app_view *v, const char *session, const cJSON *params)
{
	const char *data = json_get_string(params, "data");
	const cJSON *number = json_get(params, "sessionId");

	if (strcmp(session, v->page) != 0 || !data || !cJSON_IsNumber(number) ||
	    !v->picture.running)
		return;
	if (++v->picture.count >= UNCONFIRMED_MAX) {
		/* Restart the screencast: its first picture replaces dropped ones. */
		v->picture.rest.fn = on_rest;
		v->picture.rest.user = v;
		loop_timer_set(
		    v->engine->loop, &v->picture.rest, loop_now_ms(v->engine->loop) + REST_MS);
	}
	if (v->picture.fresh)
		confirm(v, v->picture.number);
	v->picture.fresh = false;
	if (v->undressed > 0) {
		confirm(v, (int64_t)number->valuedouble);
		return;
	}
	buf_clear(&v->picture.png);
	v->picture.png.max = PNG_MAX;
	v->picture.number = (int64_t)number->valuedouble;
	v->picture.fresh = base64_decode(&v->picture.png, data, strlen(data));
	v->picture.outruns = v->picture.text_id != 0;
	if (v->picture.fresh)
		complete(v);
	else
		confirm(v, v->picture.number);
	app_view_input_go_on(v);
}

/* The engine sends no picture before the last one is confirmed. */
static void
on_next(void *user)
{
	struct app_view *v = user;

	if (v->picture.running)
		confirm(v, v->picture.unconfirmed);
	v->picture.unconfirmed = 0;
	complete(v);
}

/* The first picture after a pause is confirmed at once. Later ones are limited to the frame rate,
 * and to half of the time if drawing is slow. A timer confirms them, because the owner is still
 * drawing during this call. */
void
app_view_drawn(struct app_view *v)
{
	int64_t now = loop_now_ms(v->engine->loop), took = now - v->picture.out_ms;

	if (v->closed || !v->picture.unconfirmed)
		return;
	v->picture.next.fn = on_next;
	v->picture.next.user = v;
	loop_timer_set(v->engine->loop, &v->picture.next,
	    took < FRAME_MS / 2 ? v->picture.out_ms + FRAME_MS : now + took);
}

/* ---- screenshots and the accessibility tree ---- */

static void
reply(struct app_view_asked *a, const cJSON *result, const char *problem)
{
	const char *data = json_get_string(result, "data");
	struct buf png = BUF_INIT;

	if (a->nodes) {
		a->nodes(a->user, json_get(result, "nodes"), problem);
		return;
	}
	if (!problem && (!data || !base64_decode(&png, data, strlen(data))))
		problem = "no picture came";
	a->png(a->user, problem ? NULL : buf_text(&png), png.len, problem);
	buf_finish(&png);
}

static void
on_asked(void *user, uint64_t id, const cJSON *result, const char *problem)
{
	struct app_view_asked *a = user, **link = &a->view->asked;

	while (*link != a)
		link = &(*link)->next;
	*link = a->next;
	if (a->png && a->view->undressed > 0 && --a->view->undressed == 0) {
		/* Apply our style again, which the text mode needs. */
		if (a->view->options.dress && a->view->app_world)
			evaluate(a->view, a->view->options.dress, 0, NULL, NULL);
		if (*a->view->sheet) {
			app_view_set_style(a->view, a->view->options.style);
			devtools_send(&a->view->engine->devtools, 0, NULL, NULL);
		}
	}
	reply(a, result, problem);
	free(a);
}

static struct app_view_asked *
begin_asking(struct app_view *v, const struct app_view_asked *what)
{
	struct app_view_asked *a = mem_dup(what, sizeof(*what));

	if (v->closed || v->stage != STAGE_LOADED || !*v->app) {
		reply(a, NULL, "the app does not run");
		free(a);
		return NULL;
	}
	a->next = v->asked;
	a->view = v;
	v->asked = a;
	return a;
}

static void
on_shown(void *user, uint64_t id, const cJSON *result, const char *problem)
{
	struct app_view_asked *a = user;

	devtools_call(&a->view->engine->devtools, a->view->page, "Page.captureScreenshot",
	    "\"format\":\"png\"", on_asked, a);
}

static void
on_undressed(void *user, uint64_t id, const cJSON *result, const char *problem)
{
	struct app_view_asked *a = user;
	struct app_view *v = a->view;

	if (v->options.undress && v->app_world)
		evaluate(v, v->options.undress, 0, on_shown, a);
	else
		on_shown(a, id, NULL, NULL);
}

/* Take the page as its author sees it, without our style that hides text. */
void
app_view_screenshot(struct app_view *v, app_view_png_fn *fn, void *user)
{
	struct app_view_asked *a =
	    begin_asking(v, &(struct app_view_asked){ .png = fn, .user = user });

	if (a && *v->sheet) {
		v->undressed++;
		app_view_set_style(v, "");
		devtools_send(&v->engine->devtools, 0, on_undressed, a);
	} else if (a) {
		on_shown(a, 0, NULL, NULL);
	}
}

void
app_view_reader(struct app_view *v, app_view_nodes_fn *fn, void *user)
{
	struct app_view_asked *a =
	    begin_asking(v, &(struct app_view_asked){ .nodes = fn, .user = user });

	if (a)
		devtools_call(
		    &v->engine->devtools, v->app, "Accessibility.getFullAXTree", NULL, on_asked, a);
}

/*
 * Each input waits until the app has handled the previous one, or until a timeout: the focus may
 * move from one process to another in between, and an app that hangs never answers.
 */
enum { ANSWER_MS = 300, PROBES_MAX = 50, QUEUE_MAX = 256 };

struct app_view_input {
	struct app_view_input *next;
	const char *method;
	bool is_move;
	struct buf members;
};

/* ---- the queue ---- */

static void
free_input(struct app_view_input *i)
{
	buf_finish(&i->members);
	free(i);
}

void
app_view_input_forget(struct app_view *v)
{
	for (struct app_view_input *i = v->input.first, *next; i; i = next) {
		next = i->next;
		free_input(i);
	}
	v->input.first = NULL;
	v->status.inputs -= v->input.count;
	v->input.count = 0;
	v->input.id = 0;
	v->input.has_begun = false;
	v->input.probes = 0;
	loop_timer_cancel(&v->input.timer);
}

static void
on_waited(void *user)
{
	struct app_view *v = user;

	v->input.id = 0;
	app_view_input_go_on(v);
}

static void
on_handled(void *user, uint64_t id, const cJSON *result, const char *problem)
{
	struct app_view *v = user;

	v->status.inputs--;
	if (id == v->input.id)
		on_waited(v);
}

/* if the next input may be sent */
static void
app_view_input_go_on(struct app_view *v)
{
	struct app_view_input *i = v->input.first;

	/* Before the first picture a click has no target. */
	bool can_begin = v->input.has_begun && (v->picture.png.len > 0 || v->status.hidden);

	if (!i || v->input.id || v->closed || !can_begin)
		return;
	v->input.first = i->next;
	v->input.count--;
	v->input.id = devtools_call(
	    &v->engine->devtools, v->page, i->method, buf_text(&i->members), on_handled, v);
	v->input.timer.fn = on_waited;
	v->input.timer.user = v;
	loop_timer_set(v->engine->loop, &v->input.timer, loop_now_ms(v->engine->loop) + ANSWER_MS);
	free_input(i);
}

static void probe(void *user, uint64_t id, const cJSON *result, const char *problem);

/* Calls a function of the carrier page, which never hangs: one moves the focus into the app, when
 * the carrier page knows that it has loaded; the other tells, after a probe, whether it got it. */
static void
ask_carrier(void *user, uint64_t id, const cJSON *result, const char *problem)
{
	struct app_view *v = user;
	struct buf members = BUF_INIT;

	buf_addf(&members,
	    "\"functionDeclaration\":\"() => %s()\",\"executionContextId\":%lld,"
	    "\"awaitPromise\":true,\"returnByValue\":true",
	    v->input.probes == 0 ? "enter" : "misses", (long long)v->carrier_world);
	devtools_call(
	    &v->engine->devtools, v->page, "Runtime.callFunctionOn", buf_text(&members), probe, v);
	buf_finish(&members);
}

/* Keys may go to the carrier page although both pages say that the app has the focus, so a key that
 * no program uses goes first until the carrier page does not get it. */
static void
probe(void *user, uint64_t id, const cJSON *result, const char *problem)
{
	struct app_view *v = user;
	const cJSON *missed = json_get(json_get(result, "result"), "value");

	if (v->input.probes == 0 || (cJSON_IsTrue(missed) && v->input.probes < PROBES_MAX)) {
		v->input.probes++;
		devtools_call(&v->engine->devtools, v->page, "Input.dispatchKeyEvent",
		    "\"type\":\"keyUp\",\"key\":\"Unidentified\"", ask_carrier, v);
		return;
	}
	v->input.has_begun = true;
	app_view_input_go_on(v);
}

/* Chromium drops letters for a page that was not drawn yet. */
void
app_view_input_begin(struct app_view *v)
{
	if (v->status.hidden)
		ask_carrier(v, 0, NULL, NULL);
	else
		devtools_call(&v->engine->devtools, v->app, "Runtime.evaluate",
		    "\"expression\":\"new Promise(done=>requestAnimationFrame("
		    "()=>requestAnimationFrame(done)))\",\"awaitPromise\":true",
		    ask_carrier, v);
}

/* Queue an input; takes the members, written as one object. */
static void
add_input(struct app_view *v, const char *method, bool is_move, struct buf *object)
{
	struct app_view_input **last = &v->input.first, *input;

	while (*last && (*last)->next)
		last = &(*last)->next;
	if (is_move && *last && (*last)->is_move) {
		free_input(*last);
		*last = NULL;
		v->input.count--;
		v->status.inputs--;
	} else if (*last) {
		last = &(*last)->next;
	}
	if (v->input.count == QUEUE_MAX || v->stage == STAGE_ENDED || v->closed) {
		buf_finish(object);
		return;
	}
	input = mem_zalloc(sizeof(*input));
	input->method = method;
	input->is_move = is_move;
	/* without its braces */
	buf_add(&input->members, buf_text(object) + 1, object->len - 2);
	buf_finish(object);
	*last = input;
	v->input.count++;
	v->status.inputs++;
	app_view_input_go_on(v);
}

/* ---- mouse ---- */

void
app_view_mouse(struct app_view *v, const struct app_view_mouse *m)
{
	static const char *const kinds[] = { "mouseMoved", "mousePressed", "mouseReleased",
		"mouseWheel" };
	static const struct {
		const char *name;
		int bit;
	} buttons[] = { { "none", 0 }, { "left", 1 }, { "middle", 4 }, { "right", 2 } };
	size_t button = m->button >= 0 && m->button <= 3 ? (size_t)m->button : 0;
	struct buf object = BUF_INIT;
	struct json_writer writer, *w = &writer;

	json_write_init(w, &object);
	json_write_object(w);
	json_write_member_string(w, "type", kinds[m->kind]);
	json_write_member_int(w, "x", m->x);
	json_write_member_int(w, "y", m->y);
	json_write_member_int(w, "modifiers", m->modifiers);
	if (m->kind == APP_VIEW_WHEEL) {
		json_write_member_int(w, "deltaX", m->dx);
		json_write_member_int(w, "deltaY", m->dy);
	} else {
		json_write_member_string(w, "button", buttons[button].name);
		json_write_member_int(
		    w, "buttons", m->kind == APP_VIEW_RELEASE ? 0 : buttons[button].bit);
		json_write_member_int(w, "clickCount", m->clicks);
	}
	json_write_object_end(w);
	add_input(v, "Input.dispatchMouseEvent", m->kind == APP_VIEW_MOVE, &object);
}

/* ---- keys ---- */

/* KeyboardEvent.key, code, and the Windows key code that Chromium uses. */
static const struct page_key_event {
	const char *name, *code;
	int number;
	const char *text; /* NULL: none */
} keys[] = {
	{ "Enter", "Enter", 13, "\r" },
	{ "Tab", "Tab", 9, NULL },
	{ "Backspace", "Backspace", 8, NULL },
	{ "Escape", "Escape", 27, NULL },
	{ " ", "Space", 32, " " },
	{ "PageUp", "PageUp", 33, NULL },
	{ "PageDown", "PageDown", 34, NULL },
	{ "End", "End", 35, NULL },
	{ "Home", "Home", 36, NULL },
	{ "ArrowLeft", "ArrowLeft", 37, NULL },
	{ "ArrowUp", "ArrowUp", 38, NULL },
	{ "ArrowRight", "ArrowRight", 39, NULL },
	{ "ArrowDown", "ArrowDown", 40, NULL },
	{ "Insert", "Insert", 45, NULL },
	{ "Delete", "Delete", 46, NULL },
	{ "F1", "F1", 112, NULL },
	{ "F2", "F2", 113, NULL },
	{ "F3", "F3", 114, NULL },
	{ "F4", "F4", 115, NULL },
	{ "F5", "F5", 116, NULL },
	{ "F6", "F6", 117, NULL },
	{ "F7", "F7", 118, NULL },
	{ "F8", "F8", 119, NULL },
	{ "F9", "F9", 120, NULL },
	{ "F10", "F10", 121, NULL },
	{ "F11", "F11", 122, NULL },
	{ "F12", "F12", 123, NULL },
};

static void
send_key(struct app_view *v, const struct page_key_event *key, bool down, int modifiers)
{
	struct buf object = BUF_INIT;
	struct json_writer writer, *w = &writer;
	bool types = key->text && !(modifiers & (APP_VIEW_ALT | APP_VIEW_CTRL | APP_VIEW_META));

	json_write_init(w, &object);
	json_write_object(w);
	json_write_member_string(w, "type", !down ? "keyUp" : types ? "keyDown" : "rawKeyDown");
	json_write_member_string(w, "key", key->name);
	json_write_member_string(w, "code", key->code);
	json_write_member_int(w, "windowsVirtualKeyCode", key->number);
	json_write_member_int(w, "modifiers", modifiers);
	if (down && types)
		json_write_member_string(w, "text", key->text);
	json_write_object_end(w);
	add_input(v, "Input.dispatchKeyEvent", false, &object);
}

bool
app_view_key(struct app_view *v, const char *name, int modifiers)
{
	unsigned char c = (unsigned char)name[0];
	char code[8] = "";
	struct page_key_event key = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		if (strcmp(keys[i].name, name) == 0)
			key = keys[i];
	if (!key.name) { /* a character; letters and digits have the keys of a US keyboard */
		if (c <= ' ' || c >= 0x7f || name[1])
			return false;
		if (ascii_is_letter(c))
			snprintf(code, sizeof(code), "Key%c", (char)ascii_upper(c));
		else if (ascii_is_digit(c))
			snprintf(code, sizeof(code), "Digit%c", c);
		int number = ascii_is_alnum(c) ? (int)ascii_upper(c) : 0;
		key = (struct page_key_event){ name, code, number, name };
	}
	send_key(v, &key, true, modifiers);
	send_key(v, &key, false, modifiers);
	return true;
}

void
app_view_text(struct app_view *v, const char *utf8, size_t len)
{
	struct buf object = BUF_INIT;
	struct json_writer w;

	json_write_init(&w, &object);
	json_write_object(&w);
	json_write_key(&w, "text");
	json_write_stringn(&w, utf8, len);
	json_write_object_end(&w);
	add_input(v, "Input.insertText", false, &object);
}

#include "engine/parts.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "base/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * What the user does waits until the app has handled what came before, or has had time for it: the
 * focus, say, moves from one process to another in between, and an app that hangs never answers.
 */
enum { ANSWER_MS = 300, QUEUE_MAX = 256 };

struct app_view_input {
	struct app_view_input *next;
	const char *method;
	bool is_move, is_enter;
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
	loop_timer_cancel(&v->input.timer);
}

static void
on_handled(void *user, uint64_t id, const cJSON *result, const char *problem)
{
	struct app_view *v = user;

	v->status.inputs--;
	if (id != v->input.id)
		return;
	v->input.id = 0;
	app_view_input_go_on(v);
}

static void
on_waited(void *user)
{
	struct app_view *v = user;

	v->input.id = 0;
	app_view_input_go_on(v);
}

/* A click before the first picture would find nothing. */
static bool
can_begin(const struct app_view *v)
{
	return v->input.has_begun && (v->picture.png.len > 0 || v->status.hidden);
}

void
app_view_input_go_on(struct app_view *v)
{
	struct app_view_input *i = v->input.first;

	if (!i || v->input.id || v->closed || !can_begin(v))
		return;
	v->input.first = i->next;
	v->input.count--;
	v->input.id = devtools_call(
	    &v->engine->devtools, v->page, i->method, buf_text(&i->members), on_handled, v);
	v->input.timer.fn = on_waited;
	v->input.timer.user = v;
	loop_timer_cancel(&v->input.timer);
	if (!i->is_enter) /* the page around the app never hangs, and keys before that are lost */
		loop_timer_set(
		    v->engine->loop, &v->input.timer, loop_now_ms(v->engine->loop) + ANSWER_MS);
	free_input(i);
}

/* First the focus moves into the app: before, keys would be for the page around it, which may not
 * have heard yet that the app has loaded. */
static void
enter(void *user, uint64_t id, const cJSON *result, const char *problem)
{
	struct app_view *v = user;
	struct app_view_input *enter = mem_zalloc(sizeof(*enter));

	enter->method = "Runtime.callFunctionOn";
	enter->is_enter = true;
	buf_addf(&enter->members,
	    "\"functionDeclaration\":\"() => enter()\",\"executionContextId\":%lld",
	    (long long)v->carrier_world);
	enter->next = v->input.first;
	v->input.first = enter;
	v->input.count++;
	v->status.inputs++;
	v->input.has_begun = true;
	app_view_input_go_on(v);
}

/* Chromium drops letters for a page that it has not drawn yet. */
void
app_view_input_begin(struct app_view *v)
{
	if (v->status.hidden)
		enter(v, 0, NULL, NULL);
	else
		devtools_call(&v->engine->devtools, v->app, "Runtime.evaluate",
		    "\"expression\":\"new Promise(done=>requestAnimationFrame("
		    "()=>requestAnimationFrame(done)))\",\"awaitPromise\":true",
		    enter, v);
}

/* Takes the members, which the writer wrote as one object. */
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

/* KeyboardEvent.key, its code, and the number that Windows gives it, which Chromium goes by. */
static const struct key {
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
send_key(struct app_view *v, const struct key *key, bool down, int modifiers)
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

/* A printable character, by the key of an American keyboard if it is a letter or a digit. */
static bool
key_of_character(const char *name, struct key *key, char code[8])
{
	unsigned char c = (unsigned char)name[0];

	if (c <= ' ' || c >= 0x7f || name[1])
		return false;
	code[0] = '\0';
	if (ascii_is_letter(c))
		snprintf(code, 8, "Key%c", (char)ascii_upper(c));
	else if (ascii_is_digit(c))
		snprintf(code, 8, "Digit%c", c);
	*key = (struct key){ name, code, ascii_is_alnum(c) ? (int)ascii_upper(c) : 0, name };
	return true;
}

bool
app_view_key(struct app_view *v, const char *name, int modifiers)
{
	char code[8];
	struct key key = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		if (strcmp(keys[i].name, name) == 0)
			key = keys[i];
	if (!key.name && !key_of_character(name, &key, code))
		return false;
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

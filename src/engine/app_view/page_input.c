#include "engine/parts.h"

#include "base/ascii.h"
#include "base/vec.h"

#include <stdio.h>
#include <string.h>

/* An app that hangs answers no input, so no answer is waited for. */

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
	struct devtools *d = &v->engine->devtools;

	if (v->stage != STAGE_LOADED)
		return;
	struct json_writer *w = devtools_begin(d, v->page, "Input.dispatchMouseEvent");
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
	devtools_send(d, 0, NULL, NULL);
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
	struct devtools *d = &v->engine->devtools;
	bool types = key->text && !(modifiers & (APP_VIEW_ALT | APP_VIEW_CTRL | APP_VIEW_META));
	struct json_writer *w = devtools_begin(d, v->page, "Input.dispatchKeyEvent");

	json_write_member_string(w, "type", !down ? "keyUp" : types ? "keyDown" : "rawKeyDown");
	json_write_member_string(w, "key", key->name);
	json_write_member_string(w, "code", key->code);
	json_write_member_int(w, "windowsVirtualKeyCode", key->number);
	json_write_member_int(w, "modifiers", modifiers);
	if (down && types)
		json_write_member_string(w, "text", key->text);
	devtools_send(d, 0, NULL, NULL);
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
	struct key key = { NULL };

	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		if (strcmp(keys[i].name, name) == 0)
			key = keys[i];
	if (!key.name && !key_of_character(name, &key, code))
		return false;
	if (v->stage != STAGE_LOADED)
		return true;
	send_key(v, &key, true, modifiers);
	send_key(v, &key, false, modifiers);
	return true;
}

void
app_view_text(struct app_view *v, const char *utf8, size_t len)
{
	struct devtools *d = &v->engine->devtools;

	if (v->stage != STAGE_LOADED)
		return;
	struct json_writer *w = devtools_begin(d, v->page, "Input.insertText");
	json_write_key(w, "text");
	json_write_stringn(w, utf8, len);
	devtools_send(d, 0, NULL, NULL);
}

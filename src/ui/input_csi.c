#include "input_csi.h"

#include "base/ascii.h"
#include "base/vec.h"

#include <stddef.h>

enum {
	BUTTON_BITS = 3,
	SHIFT_BIT = 4,
	ALT_BIT = 8,
	CTRL_BIT = 16,
	MOTION_BIT = 32,
	WHEEL_BIT = 64,
	EXTRA_BIT = 128,
	X10_OFFSET = 32,
	MAX_COORDINATE = 32767,
};

/* code: xterm's button byte without its offset; x, y from 1. */
static bool
to_key(int code, int x, int y, bool released, struct key *key)
{
	static const enum mouse_action wheel[] = {
		MOUSE_WHEEL_UP,
		MOUSE_WHEEL_DOWN,
		MOUSE_WHEEL_LEFT,
		MOUSE_WHEEL_RIGHT,
	};
	int button = code & BUTTON_BITS;

	*key = (struct key){ .kind = KEY_MOUSE,
		.x = x - 1,
		.y = y - 1,
		.part_x = KEY_PARTS / 2,
		.part_y = KEY_PARTS / 2 };
	if (code < 0 || code >= EXTRA_BIT || x < 1 || y < 1 || x > MAX_COORDINATE ||
	    y > MAX_COORDINATE)
		return false;
	key->mods = (uint8_t)((code & SHIFT_BIT ? MOD_SHIFT : 0) | (code & ALT_BIT ? MOD_ALT : 0) |
			      (code & CTRL_BIT ? MOD_CTRL : 0));
	if (code & WHEEL_BIT) {
		key->action = wheel[button];
		return !released;
	}
	key->button = button < 3 ? (uint8_t)(button + 1) : 0;
	if (released)
		key->action = MOUSE_RELEASE;
	else if (code & MOTION_BIT)
		key->action = key->button ? MOUSE_DRAG : MOUSE_MOVE;
	else
		key->action = MOUSE_PRESS;
	return key->action != MOUSE_PRESS || key->button != 0;
}

/* The SGR form, or urxvt's without '<'. */
static bool
mouse_to_key(const struct csi *csi, struct key *key)
{
	if (csi->count != 3 || csi->params[0] < 0)
		return false;
	if (csi->prefix == '<')
		return to_key(
		    csi->params[0], csi->params[1], csi->params[2], csi->final == 'm', key);
	int code = csi->params[0] - X10_OFFSET;
	bool released = (code & (BUTTON_BITS | MOTION_BIT | WHEEL_BIT)) == BUTTON_BITS;
	return to_key(code, csi->params[1], csi->params[2], released, key);
}

bool
x10_mouse_to_key(const unsigned char bytes[3], struct key *key)
{
	int code = bytes[0] - X10_OFFSET;
	bool released = (code & (BUTTON_BITS | MOTION_BIT | WHEEL_BIT)) == BUTTON_BITS;

	if (to_key(code, bytes[1] - X10_OFFSET, bytes[2] - X10_OFFSET, released, key))
		return true;
	key->kind = KEY_NONE;
	return false;
}

struct number_row {
	int number;
	enum key_kind kind;
	uint32_t ch;
};

struct letter_row {
	char letter;
	enum key_kind kind;
	uint32_t ch;
	uint8_t mods;
};

/* CSI number ~ (xterm, linux, rxvt) */
static const struct number_row tilde_keys[] = {
	{ 1, KEY_HOME, 0 },
	{ 2, KEY_INSERT, 0 },
	{ 3, KEY_DELETE, 0 },
	{ 4, KEY_END, 0 },
	{ 5, KEY_PAGE_UP, 0 },
	{ 6, KEY_PAGE_DOWN, 0 },
	{ 7, KEY_HOME, 0 },
	{ 8, KEY_END, 0 },
	{ 11, KEY_F, 1 },
	{ 12, KEY_F, 2 },
	{ 13, KEY_F, 3 },
	{ 14, KEY_F, 4 },
	{ 15, KEY_F, 5 },
	{ 17, KEY_F, 6 },
	{ 18, KEY_F, 7 },
	{ 19, KEY_F, 8 },
	{ 20, KEY_F, 9 },
	{ 21, KEY_F, 10 },
	{ 23, KEY_F, 11 },
	{ 24, KEY_F, 12 },
	{ 25, KEY_F, 13 },
	{ 26, KEY_F, 14 },
	{ 28, KEY_F, 15 },
	{ 29, KEY_F, 16 },
	{ 31, KEY_F, 17 },
	{ 32, KEY_F, 18 },
	{ 33, KEY_F, 19 },
	{ 34, KEY_F, 20 },
};

/* CSI [1 ; mods] letter */
static const struct letter_row letter_keys[] = {
	{ 'A', KEY_UP, 0, 0 },
	{ 'B', KEY_DOWN, 0, 0 },
	{ 'C', KEY_RIGHT, 0, 0 },
	{ 'D', KEY_LEFT, 0, 0 },
	{ 'E', KEY_NONE, 0, 0 },
	{ 'F', KEY_END, 0, 0 },
	{ 'H', KEY_HOME, 0, 0 },
	{ 'P', KEY_F, 1, 0 },
	{ 'Q', KEY_F, 2, 0 },
	{ 'R', KEY_F, 3, 0 },
	{ 'S', KEY_F, 4, 0 },
	{ 'Z', KEY_TAB, 0, MOD_SHIFT },
	{ 'I', KEY_FOCUS_IN, 0, 0 },
	{ 'O', KEY_FOCUS_OUT, 0, 0 },
	/* rxvt */
	{ 'a', KEY_UP, 0, MOD_SHIFT },
	{ 'b', KEY_DOWN, 0, MOD_SHIFT },
	{ 'c', KEY_RIGHT, 0, MOD_SHIFT },
	{ 'd', KEY_LEFT, 0, MOD_SHIFT },
};

/* ESC O letter: application mode, and rxvt's ctrl-arrows and keypad */
static const struct letter_row ss3_keys[] = {
	{ 'A', KEY_UP, 0, 0 },
	{ 'B', KEY_DOWN, 0, 0 },
	{ 'C', KEY_RIGHT, 0, 0 },
	{ 'D', KEY_LEFT, 0, 0 },
	{ 'F', KEY_END, 0, 0 },
	{ 'H', KEY_HOME, 0, 0 },
	{ 'M', KEY_ENTER, 0, 0 },
	{ 'P', KEY_F, 1, 0 },
	{ 'Q', KEY_F, 2, 0 },
	{ 'R', KEY_F, 3, 0 },
	{ 'S', KEY_F, 4, 0 },
	{ 'a', KEY_UP, 0, MOD_CTRL },
	{ 'b', KEY_DOWN, 0, MOD_CTRL },
	{ 'c', KEY_RIGHT, 0, MOD_CTRL },
	{ 'd', KEY_LEFT, 0, MOD_CTRL },
};

/* Code points of CSI u that kitty gives to keys without a character, and the control codes. */
static const struct number_row unicode_keys[] = {
	{ 9, KEY_TAB, 0 },
	{ 13, KEY_ENTER, 0 },
	{ 27, KEY_ESCAPE, 0 },
	{ 8, KEY_BACKSPACE, 0 },
	{ 127, KEY_BACKSPACE, 0 },
	{ 57414, KEY_ENTER, 0 },
	{ 57417, KEY_LEFT, 0 },
	{ 57418, KEY_RIGHT, 0 },
	{ 57419, KEY_UP, 0 },
	{ 57420, KEY_DOWN, 0 },
	{ 57421, KEY_PAGE_UP, 0 },
	{ 57422, KEY_PAGE_DOWN, 0 },
	{ 57423, KEY_HOME, 0 },
	{ 57424, KEY_END, 0 },
	{ 57425, KEY_INSERT, 0 },
	{ 57426, KEY_DELETE, 0 },
};

static bool
find_number(const struct number_row *rows, size_t count, int number, struct key *key)
{
	for (size_t i = 0; i < count; i++) {
		if (rows[i].number == number) {
			key->kind = rows[i].kind;
			key->ch = rows[i].ch;
			return true;
		}
	}
	return false;
}

static bool
find_letter(const struct letter_row *rows, size_t count, char letter, struct key *key)
{
	for (size_t i = 0; i < count; i++) {
		if (rows[i].letter == letter) {
			key->kind = rows[i].kind;
			key->ch = rows[i].ch;
			key->mods |= rows[i].mods;
			return true;
		}
	}
	return false;
}

/* Modifier parameter of xterm and kitty (1 + bits) to MOD_ bits. */
static uint8_t
mods_from_param(int param)
{
	return param > 1 ? (uint8_t)((param - 1) & (MOD_SHIFT | MOD_ALT | MOD_CTRL)) : 0;
}

struct key
char_key(uint32_t ch, uint8_t mods)
{
	struct key key = { .mods = mods };

	if (ch <= 0x10ffff && find_number(unicode_keys, ARRAY_LEN(unicode_keys), (int)ch, &key))
		return key;
	if (ch < ' ') {
		ch = ch == 0 ? ' ' : ch <= 26 ? ch + 'a' - 1 : ch + 0x40;
		key.mods |= MOD_CTRL;
	}
	bool is_letter = ascii_is_letter(ch);
	if (is_letter && (key.mods & MOD_CTRL))
		ch |= 0x20;
	else if (is_letter && (key.mods & MOD_SHIFT))
		ch &= ~0x20u;
	if (ch != ' ' && !(is_letter && (key.mods & MOD_CTRL)))
		key.mods &= (uint8_t)~MOD_SHIFT;
	key.kind = KEY_CHAR;
	key.ch = ch;
	return key;
}

/* kitty's CSI code[:shifted] ; mods[:event] u, and xterm's CSI 27 ; mods ; code ~ */
static bool
unicode_to_key(int code, int shifted, uint8_t mods, struct key *key)
{
	enum { KEYPAD_0 = 57399, KEYPAD_9 = 57408, KEYPAD_FIRST = 57409, KEYPAD_LAST = 57416 };
	enum { PRIVATE_FIRST = 57344, PRIVATE_LAST = 63743 };
	static const char keypad[] = "./*-+\r=,";

	if (code < 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
		return false;
	if (code >= KEYPAD_0 && code <= KEYPAD_9)
		code = code - KEYPAD_0 + '0';
	else if (code >= KEYPAD_FIRST && code <= KEYPAD_LAST)
		code = (unsigned char)keypad[code - KEYPAD_FIRST];
	if ((mods & MOD_SHIFT) && shifted > 0x20 && shifted <= 0x10ffff && !(mods & MOD_CTRL))
		code = shifted;
	*key = char_key((uint32_t)code, mods);
	return key->kind != KEY_CHAR || code < PRIVATE_FIRST || code > PRIVATE_LAST;
}

static bool
tilde_to_key(const struct csi *csi, struct key *key)
{
	enum { BARRIER = 7700, MODIFY_OTHER = 27 };
	int number = csi->count > 0 ? csi->params[0] : -1;
	int second = csi->count > 1 ? csi->params[1] : -1;

	if (number == BARRIER) {
		key->kind = KEY_BARRIER;
		key->ch = second > 0 ? (uint32_t)second : 0;
		return true;
	}
	if (number == MODIFY_OTHER && csi->count == 3)
		return unicode_to_key(csi->params[2], -1, mods_from_param(second), key);
	key->mods = mods_from_param(second);
	return find_number(tilde_keys, ARRAY_LEN(tilde_keys), number, key);
}

/* rxvt: CSI number $ shifted, ^ with ctrl, @ with both */
static bool
rxvt_to_key(const struct csi *csi, struct key *key)
{
	if (csi->count != 1 || !find_number(tilde_keys, ARRAY_LEN(tilde_keys), csi->params[0], key))
		return false;
	key->mods = csi->final == '$'   ? MOD_SHIFT
		    : csi->final == '^' ? MOD_CTRL
					: MOD_SHIFT | MOD_CTRL;
	return true;
}

/* CSI [ A to E */
static bool
linux_to_key(const struct csi *csi, struct key *key)
{
	*key = (struct key){ .kind = KEY_F, .ch = (uint32_t)(csi->final - 'A' + 1) };
	return csi->final >= 'A' && csi->final <= 'E';
}

static bool
letter_to_key(const struct csi *csi, struct key *key)
{
	int second = csi->count > 1 ? csi->params[1] : -1;

	/* CSI row ; column R answers a query for the cursor; only CSI 1 ; mods R is F3 */
	if (csi->count > 0 && csi->params[0] > 1)
		return false;
	key->mods = mods_from_param(second);
	return find_letter(letter_keys, ARRAY_LEN(letter_keys), csi->final, key) &&
	       key->kind != KEY_NONE;
}

static bool
plain_to_key(const struct csi *csi, struct key *key)
{
	switch (csi->final) {
	case '~':
		return tilde_to_key(csi, key);
	case 'u':
		if (csi->count == 0)
			return false;
		return unicode_to_key(csi->params[0], csi->sub[0],
		    mods_from_param(csi->count > 1 ? csi->params[1] : -1), key);
	case '$':
	case '^':
	case '@':
		return rxvt_to_key(csi, key);
	case 'M':
		return mouse_to_key(csi, key);
	default:
		return letter_to_key(csi, key);
	}
}

bool
csi_to_key(const struct csi *csi, struct key *key)
{
	enum { RELEASED = 3 };

	if (csi->len == 3 && csi->text[1] == '[')
		return linux_to_key(csi, key);
	if (csi->prefix == '<' && (csi->final == 'M' || csi->final == 'm'))
		return mouse_to_key(csi, key);
	bool report = csi->prefix != 0 ||
		      (csi->final == 't' || csi->final == 'n' || csi->final == 'y') ||
		      (csi->final == 'R' && csi->count == 2 && csi->params[0] != 1);
	if (report) {
		*key = (struct key){ .kind = KEY_REPORT, .text = csi->text, .len = csi->len };
		return true;
	}
	if (csi->count > 1 && csi->sub[1] == RELEASED)
		return false;
	return plain_to_key(csi, key);
}

bool
ss3_to_key(char final, struct key *key)
{
	if (final >= 'j' && final <= 'y') { /* the keypad in application mode */
		*key = char_key((uint32_t)(final - 'j' + '*'), 0);
		return true;
	}
	return find_letter(ss3_keys, ARRAY_LEN(ss3_keys), final, key);
}

#include "input_priv.h"

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

	*key = (struct key){ .kind = KEY_MOUSE, .x = x - 1, .y = y - 1 };
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
	key->action = released ? MOUSE_RELEASE : code & MOTION_BIT ? MOUSE_DRAG : MOUSE_PRESS;
	/* movement without a button says nothing to us */
	return key->action == MOUSE_RELEASE || key->button != 0;
}

bool
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

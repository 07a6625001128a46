/* SPDX-License-Identifier: MIT */
#ifndef UI_INPUT_H
#define UI_INPUT_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The terminal's bytes become keys: an own decoder, a pure function of bytes and
 * time-outs. Bounded: an unfinished sequence is dropped when it grows past reason,
 * a paste past max_paste bytes is cut. Understands xterm, tmux, kitty, linux and
 * rxvt sequences, modifyOtherKeys and CSI u, SGR and X10 mouse, bracketed paste,
 * focus, and the answers to queries. ESC ESC [ A is alt-up (rxvt); before anything
 * else than a cursor or editing key a doubled ESC is the Escape key.
 */
enum key_kind {
	KEY_NONE,
	KEY_CHAR, /* .ch: a printable code point; ctrl-a is 'a' with MOD_CTRL */
	KEY_ENTER,
	KEY_TAB,
	KEY_ESCAPE,
	KEY_BACKSPACE,
	KEY_DELETE,
	KEY_INSERT,
	KEY_UP,
	KEY_DOWN,
	KEY_LEFT,
	KEY_RIGHT,
	KEY_HOME,
	KEY_END,
	KEY_PAGE_UP,
	KEY_PAGE_DOWN,
	KEY_F, /* .ch: 1 to 24 */
	KEY_MOUSE,
	KEY_PASTE, /* .text, .len: borrowed until the next call */
	KEY_FOCUS_IN,
	KEY_FOCUS_OUT,
	KEY_BARRIER, /* .ch: the number of `CSI 7700 ; n ~`; only tests send it */
	/* An answer of the terminal (DA, DECRPM, OSC 10/11...). .text, .len: the bytes after the
	 * ESC, a string without its terminator, "]11;rgb:1010/1212/1616"; borrowed likewise. */
	KEY_REPORT,
};

enum { MOD_SHIFT = 1, MOD_ALT = 2, MOD_CTRL = 4 };

enum { KEY_PARTS = 256 };

enum mouse_action {
	MOUSE_PRESS,
	MOUSE_RELEASE,
	MOUSE_DRAG,
	MOUSE_MOVE, /* without a button; only while something follows it (grid.follows_mouse) */
	MOUSE_WHEEL_UP,
	MOUSE_WHEEL_DOWN,
	MOUSE_WHEEL_LEFT,
	MOUSE_WHEEL_RIGHT
};

struct key {
	enum key_kind kind;
	uint8_t mods;
	uint32_t ch;
	/* KEY_MOUSE */
	enum mouse_action action;
	uint8_t button;         /* 1 left, 2 middle, 3 right */
	int x, y;               /* from 0 */
	uint8_t part_x, part_y; /* where in that cell, of KEY_PARTS; the middle if it is unknown */
	/* KEY_PASTE, KEY_REPORT */
	const char *text;
	size_t len;
};

typedef void input_key_fn(void *user, const struct key *key);

#define INPUT_MAX_SEQUENCE 4096     /* bytes of one escape sequence */
#define INPUT_MAX_PASTE (16u << 20) /* bytes; line ends come out as \n */

struct input {
	struct buf pending; /* an unfinished sequence */
	struct buf paste;
	bool pasting;
	bool discarding; /* the rest of a sequence that was too long or stopped half-way */
	input_key_fn *on_key;
	void *user;
};

void input_init(struct input *in, input_key_fn *on_key, void *user);
void input_finish(struct input *in);
void input_feed(struct input *in, const char *bytes, size_t len);
/* True while a lone ESC or an unfinished sequence waits: call input_timeout() INPUT_ESC_MS later.
 */
bool input_waiting(const struct input *in);
#define INPUT_ESC_MS 40
void input_timeout(struct input *in);

/*
 * "ctrl-p", "f5", "shift-tab", "?", "space", "alt-enter": false when text is none.
 * Shift is part of a printable character ('A', '?'), it is a modifier only beside ctrl.
 */
bool key_from_name(struct key *key, const char *text);
void key_to_name(const struct key *key, char *out, size_t size);
/* The usual spelling: "F5", "Ctrl-C", "Shift-Tab", and "j" unchanged. */
void key_to_label(const struct key *key, char *out, size_t size);
bool key_equal(const struct key *a, const struct key *b); /* mouse and paste never are */

/* Normalize a code point with modifiers: printable characters have no shift, ctrl has lower case,
 * and control codes are named keys. */
struct key char_key(uint32_t ch, uint8_t mods);

#endif

/* SPDX-License-Identifier: MIT */
#include "terminal_priv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>

#include "base/utf8.h"
#include "base/vec.h"

static const struct {
	const char *name;
	VTermKey key;
} KEYS[] = {
	{ "enter", VTERM_KEY_ENTER },
	{ "tab", VTERM_KEY_TAB },
	{ "backspace", VTERM_KEY_BACKSPACE },
	{ "esc", VTERM_KEY_ESCAPE },
	{ "up", VTERM_KEY_UP },
	{ "down", VTERM_KEY_DOWN },
	{ "left", VTERM_KEY_LEFT },
	{ "right", VTERM_KEY_RIGHT },
	{ "ins", VTERM_KEY_INS },
	{ "del", VTERM_KEY_DEL },
	{ "home", VTERM_KEY_HOME },
	{ "end", VTERM_KEY_END },
	{ "pgup", VTERM_KEY_PAGEUP },
	{ "pgdn", VTERM_KEY_PAGEDOWN },
};

static const struct {
	const char *prefix;
	VTermModifier modifier;
} MODIFIERS[] = {
	{ "ctrl-", VTERM_MOD_CTRL },
	{ "alt-", VTERM_MOD_ALT },
	{ "shift-", VTERM_MOD_SHIFT },
};

void
terminal_send(struct terminal *t, const void *bytes, size_t len)
{
	buf_add(&t->to_program, bytes, len);
	terminal_pump(t, 0);
}

void
terminal_type(struct terminal *t, const char *text)
{
	terminal_send(t, text, strlen(text));
}

void
terminal_paste(struct terminal *t, const char *text)
{
	bool bracketed = terminal_mode(t, 2004, false);

	if (bracketed)
		buf_add_str(&t->to_program, "\033[200~");
	buf_add_str(&t->to_program, text);
	if (bracketed)
		buf_add_str(&t->to_program, "\033[201~");
	terminal_pump(t, 0);
}

/* ---- keys ---- */
static VTermKey
find_key(const char *name, size_t len)
{
	if (len >= 2 && name[0] == 'f' && name[1] >= '1' && name[1] <= '9')
		return (VTermKey)VTERM_KEY_FUNCTION(strtol(name + 1, NULL, 10));
	for (size_t i = 0; i < ARRAY_LEN(KEYS); i++) {
		if (strlen(KEYS[i].name) == len && memcmp(KEYS[i].name, name, len) == 0)
			return KEYS[i].key;
	}
	return VTERM_KEY_NONE;
}

static size_t
take_modifier(const char *name, size_t len, VTermModifier *modifiers)
{
	for (size_t i = 0; i < ARRAY_LEN(MODIFIERS); i++) {
		size_t prefix = strlen(MODIFIERS[i].prefix);
		if (len <= prefix || memcmp(name, MODIFIERS[i].prefix, prefix) != 0)
			continue;
		*modifiers |= MODIFIERS[i].modifier;
		return prefix;
	}
	return 0;
}

/* Control characters are sent as single bytes, not as CSI u. */
static bool
press_character(struct terminal *t, const char *name, size_t len, VTermModifier modifiers)
{
	uint32_t c = ' ';

	if (!(len == 5 && memcmp(name, "space", 5) == 0) && utf8_decode(name, len, &c) != len)
		return false;
	if (modifiers & VTERM_MOD_ALT)
		buf_add_char(&t->to_program, '\033');
	if (modifiers & VTERM_MOD_CTRL) {
		buf_add_char(&t->to_program, (char)(c & 0x1f));
	} else {
		char bytes[4];
		buf_add(&t->to_program, bytes, utf8_encode(c, bytes));
	}
	return true;
}

static bool
press(struct terminal *t, const char *name, size_t len)
{
	VTermModifier modifiers = VTERM_MOD_NONE;

	for (size_t prefix; (prefix = take_modifier(name, len, &modifiers)) > 0; len -= prefix)
		name += prefix;
	VTermKey key = find_key(name, len);
	if (key == VTERM_KEY_NONE)
		return press_character(t, name, len, modifiers);
	vterm_keyboard_key(t->vt, key, modifiers);
	return true;
}

void
terminal_keys_at(struct terminal *t, const char *names, const char *file, int line)
{
	for (size_t len; *(names += strspn(names, " ")); names += len) {
		len = strcspn(names, " ");
		if (!press(t, names, len))
			terminal_fail(t, file, line, "no key is called %.*s", (int)len, names);
	}
	terminal_pump(t, 0);
}

/* ---- mouse ---- */
static void
mouse(struct terminal *t, int button, int row, int col, bool release)
{
	buf_addf(&t->to_program, "\033[<%d;%d;%d%c", button, col + 1, row + 1, release ? 'm' : 'M');
}

static void
expect_mouse(struct terminal *t, const char *file, int line)
{
	bool any = terminal_mode(t, 1000, false) || terminal_mode(t, 1002, false) ||
		   terminal_mode(t, 1003, false);

	if (!any || !terminal_mode(t, 1006, false))
		terminal_fail(t, file, line, "the program has not asked for the mouse");
}

void
terminal_drag_at(struct terminal *t, int r1, int c1, int r2, int c2, const char *file, int line)
{
	expect_mouse(t, file, line);
	mouse(t, 0, r1, c1, false);
	if (r1 != r2 || c1 != c2)
		mouse(t, 32, r2, c2, false);
	mouse(t, 0, r2, c2, true);
	terminal_pump(t, 0);
}

void
terminal_wheel_at(struct terminal *t, int row, int col, int steps, const char *file, int line)
{
	expect_mouse(t, file, line);
	for (int i = 0; i < abs(steps); i++)
		mouse(t, steps < 0 ? 64 : 65, row, col, false);
	terminal_pump(t, 0);
}

void
terminal_resize(struct terminal *t, int rows, int cols)
{
	struct winsize size = { .ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols };

	t->rows = rows;
	t->cols = cols;
	t->resized = true;
	vterm_set_size(t->vt, rows, cols);
	ioctl(t->master, TIOCSWINSZ, &size);
}

/* SPDX-License-Identifier: MIT */
#include "ui/input.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "base/vec.h"

#include <stddef.h>
#include <string.h>

/* Parameters of a control sequence; a missing one is -1. Only the first of sub-parameters (38:2) is
 * kept. */
struct csi {
	char prefix; /* one of < = > ?, or 0 */
	char final;
	int params[8];
	int sub[8]; /* the first sub-parameter of each */
	int count;
	const char *text; /* from '[' on */
	size_t len;
};

/* ---- control sequences to keys ---- */

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

/* The form of X10, also of urxvt: the code is offset, and a release has no button. */
static bool
x10_mouse_to_key(int code, int x, int y, struct key *key)
{
	int bits = code - X10_OFFSET;
	bool released = (bits & (BUTTON_BITS | MOTION_BIT | WHEEL_BIT)) == BUTTON_BITS;

	return to_key(bits, x, y, released, key);
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
	return x10_mouse_to_key(csi->params[0], csi->params[1], csi->params[2], key);
}

struct key_row {
	int code; /* a number or a letter */
	enum key_kind kind;
	uint32_t ch;
	uint8_t mods;
};

/* CSI number ~ (xterm, linux, rxvt) */
static const struct key_row tilde_keys[] = {
	{ 1, KEY_HOME, 0, 0 },
	{ 2, KEY_INSERT, 0, 0 },
	{ 3, KEY_DELETE, 0, 0 },
	{ 4, KEY_END, 0, 0 },
	{ 5, KEY_PAGE_UP, 0, 0 },
	{ 6, KEY_PAGE_DOWN, 0, 0 },
	{ 7, KEY_HOME, 0, 0 },
	{ 8, KEY_END, 0, 0 },
	{ 11, KEY_F, 1, 0 },
	{ 12, KEY_F, 2, 0 },
	{ 13, KEY_F, 3, 0 },
	{ 14, KEY_F, 4, 0 },
	{ 15, KEY_F, 5, 0 },
	{ 17, KEY_F, 6, 0 },
	{ 18, KEY_F, 7, 0 },
	{ 19, KEY_F, 8, 0 },
	{ 20, KEY_F, 9, 0 },
	{ 21, KEY_F, 10, 0 },
	{ 23, KEY_F, 11, 0 },
	{ 24, KEY_F, 12, 0 },
	{ 25, KEY_F, 13, 0 },
	{ 26, KEY_F, 14, 0 },
	{ 28, KEY_F, 15, 0 },
	{ 29, KEY_F, 16, 0 },
	{ 31, KEY_F, 17, 0 },
	{ 32, KEY_F, 18, 0 },
	{ 33, KEY_F, 19, 0 },
	{ 34, KEY_F, 20, 0 },
};

/* CSI [1 ; mods] letter, and ESC O letter in application mode */
static const struct key_row letter_keys[] = {
	{ 'A', KEY_UP, 0, 0 },
	{ 'B', KEY_DOWN, 0, 0 },
	{ 'C', KEY_RIGHT, 0, 0 },
	{ 'D', KEY_LEFT, 0, 0 },
	{ 'F', KEY_END, 0, 0 },
	{ 'H', KEY_HOME, 0, 0 },
	{ 'P', KEY_F, 1, 0 },
	{ 'Q', KEY_F, 2, 0 },
	{ 'R', KEY_F, 3, 0 },
	{ 'S', KEY_F, 4, 0 },
};

/* only CSI */
static const struct key_row csi_keys[] = {
	{ 'Z', KEY_TAB, 0, MOD_SHIFT },
	{ 'I', KEY_FOCUS_IN, 0, 0 },
	{ 'O', KEY_FOCUS_OUT, 0, 0 },
	/* rxvt */
	{ 'a', KEY_UP, 0, MOD_SHIFT },
	{ 'b', KEY_DOWN, 0, MOD_SHIFT },
	{ 'c', KEY_RIGHT, 0, MOD_SHIFT },
	{ 'd', KEY_LEFT, 0, MOD_SHIFT },
};

/* only ESC O: rxvt's ctrl-arrows and keypad */
static const struct key_row ss3_keys[] = {
	{ 'M', KEY_ENTER, 0, 0 },
	{ 'a', KEY_UP, 0, MOD_CTRL },
	{ 'b', KEY_DOWN, 0, MOD_CTRL },
	{ 'c', KEY_RIGHT, 0, MOD_CTRL },
	{ 'd', KEY_LEFT, 0, MOD_CTRL },
};

/* Code points of CSI u that kitty gives to keys without a character, and the control codes. */
static const struct key_row unicode_keys[] = {
	{ 9, KEY_TAB, 0, 0 },
	{ 13, KEY_ENTER, 0, 0 },
	{ 27, KEY_ESCAPE, 0, 0 },
	{ 8, KEY_BACKSPACE, 0, 0 },
	{ 127, KEY_BACKSPACE, 0, 0 },
	{ 57414, KEY_ENTER, 0, 0 },
	{ 57417, KEY_LEFT, 0, 0 },
	{ 57418, KEY_RIGHT, 0, 0 },
	{ 57419, KEY_UP, 0, 0 },
	{ 57420, KEY_DOWN, 0, 0 },
	{ 57421, KEY_PAGE_UP, 0, 0 },
	{ 57422, KEY_PAGE_DOWN, 0, 0 },
	{ 57423, KEY_HOME, 0, 0 },
	{ 57424, KEY_END, 0, 0 },
	{ 57425, KEY_INSERT, 0, 0 },
	{ 57426, KEY_DELETE, 0, 0 },
};

static bool
find_key(const struct key_row *rows, size_t count, int code, struct key *key)
{
	for (size_t i = 0; i < count; i++) {
		if (rows[i].code == code) {
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

	if (ch <= 0x10ffff && find_key(unicode_keys, ARRAY_LEN(unicode_keys), (int)ch, &key))
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
	static const char keypad[] = "./"
				     "*-+\r=,";

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
	return find_key(tilde_keys, ARRAY_LEN(tilde_keys), number, key);
}

static bool
plain_to_key(const struct csi *csi, struct key *key)
{
	int second = csi->count > 1 ? csi->params[1] : -1;

	switch (csi->final) {
	case '~':
		return tilde_to_key(csi, key);
	case 'u':
		if (csi->count == 0)
			return false;
		return unicode_to_key(csi->params[0], csi->sub[0], mods_from_param(second), key);
	case '$': /* rxvt: CSI number $ shifted, ^ with ctrl, @ with both */
	case '^':
	case '@':
		if (csi->count != 1 ||
		    !find_key(tilde_keys, ARRAY_LEN(tilde_keys), csi->params[0], key))
			return false;
		key->mods = csi->final == '$'   ? MOD_SHIFT
			    : csi->final == '^' ? MOD_CTRL
						: MOD_SHIFT | MOD_CTRL;
		return true;
	case 'M':
		return mouse_to_key(csi, key);
	default:
		/* CSI row ; column R answers a query for the cursor; only CSI 1 ; mods R is F3 */
		if (csi->count > 0 && csi->params[0] > 1)
			return false;
		key->mods = mods_from_param(second);
		return find_key(letter_keys, ARRAY_LEN(letter_keys), csi->final, key) ||
		       find_key(csi_keys, ARRAY_LEN(csi_keys), csi->final, key);
	}
}

static bool
csi_to_key(const struct csi *csi, struct key *key)
{
	enum { RELEASED = 3 };

	if (csi->len == 3 && csi->text[1] == '[') { /* the Linux console: CSI [ A to E */
		*key = (struct key){ .kind = KEY_F, .ch = (uint32_t)(csi->final - 'A' + 1) };
		return csi->final >= 'A' && csi->final <= 'E';
	}
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

/* ---- bytes to control sequences ---- */

#define ESC '\033'
#define PASTE_END "\033[201~"

/* A step returns how many pending bytes it took from the front: 0 if it must wait for more. */
struct input_span {
	const char *bytes;
	size_t len;
	bool final; /* no more bytes will come: use the ones at hand */
};

void
input_init(struct input *in, input_key_fn *on_key, void *user)
{
	*in = (struct input){ .on_key = on_key, .user = user };
	buf_init(&in->paste, INPUT_MAX_PASTE);
}

void
input_finish(struct input *in)
{
	buf_finish(&in->pending);
	buf_finish(&in->paste);
	in->pasting = in->discarding = false;
}

static void
emit(const struct input *in, const struct key *key)
{
	if (key->kind != KEY_NONE)
		in->on_key(in->user, key);
}

static void
add_to_paste(struct input *in, const char *bytes, size_t len)
{
	size_t room = INPUT_MAX_PASTE - in->paste.len;

	buf_add(&in->paste, bytes, len < room ? len : room);
}

static size_t
step_paste(struct input *in, struct input_span s)
{
	const size_t end_len = strlen(PASTE_END);
	const char *end = memmem(s.bytes, s.len, PASTE_END, end_len);

	if (end) {
		add_to_paste(in, s.bytes, (size_t)(end - s.bytes));
		char *text = in->paste.data;
		size_t to = 0;
		for (size_t i = 0; i < in->paste.len; i++) { /* terminals send CR for line ends */
			if (text[i] == '\r' && i + 1 < in->paste.len && text[i + 1] == '\n')
				continue;
			text[to++] = text[i] == '\r' ? '\n' : text[i];
		}
		buf_truncate(&in->paste, to);
		in->pasting = false;
		emit(in,
		    &(struct key){
			.kind = KEY_PASTE, .text = buf_text(&in->paste), .len = in->paste.len });
		buf_finish(&in->paste);
		return (size_t)(end - s.bytes) + end_len;
	}
	/* the last bytes may be the beginning of the end */
	size_t keep = s.len < end_len - 1 ? s.len : end_len - 1;
	while (keep > 0 && memcmp(s.bytes + s.len - keep, PASTE_END, keep) != 0)
		keep--;
	add_to_paste(in, s.bytes, s.len - keep);
	return s.len - keep;
}

static int
take_number(const char **p, const char *end)
{
	enum { MOST = 1000000000 };
	int value = -1;

	for (; *p < end && **p >= '0' && **p <= '9'; (*p)++) {
		int digit = **p - '0';
		value = value < 0 ? digit : value > MOST / 10 - 1 ? MOST : value * 10 + digit;
	}
	return value;
}

/* bytes: all of the sequence from '[' to its final byte. */
static struct csi
parse_csi(const char *bytes, size_t len)
{
	struct csi csi = { .final = bytes[len - 1], .text = bytes, .len = len };
	const char *p = bytes + 1, *end = bytes + len - 1;

	if (p < end && *p >= '<' && *p <= '?')
		csi.prefix = *p++;
	while (p < end) {
		int value = take_number(&p, end), sub = -1;
		if (p < end && *p == ':') {
			p++;
			sub = take_number(&p, end);
			while (p < end && *p != ';' && (*p == ':' || (*p >= '0' && *p <= '9')))
				p++;
		}
		if (csi.count < 8) {
			csi.params[csi.count] = value;
			csi.sub[csi.count++] = sub;
		}
		if (p < end)
			p++;
	}
	return csi;
}

/* The length of a whole sequence that starts with '[', 0 when it is not whole. A byte that belongs
 * to no sequence ends it too and is not part of it: *broken. */
static size_t
csi_length(const char *bytes, size_t len, bool *broken)
{
	*broken = false;
	for (size_t i = 1; i < len; i++) {
		unsigned char c = (unsigned char)bytes[i];
		if (i == 1 && c == '[') /* the Linux console's function keys */
			return len > 2 ? 3 : 0;
		if (c == '$' && i > 1 && bytes[1] != '?' && !memchr(bytes, ';', i))
			return i + 1; /* rxvt: a shifted key */
		if (c >= 0x40 && c <= 0x7e)
			return i + 1;
		*broken = c < 0x20 || c > 0x7e;
		if (*broken)
			return i;
	}
	return 0;
}

static size_t
step_csi(struct input *in, struct input_span s, uint8_t mods)
{
	struct key key = { 0 };
	bool broken;
	size_t len = csi_length(s.bytes, s.len, &broken);

	if (broken)
		return len;
	if (len == 0)
		return s.len > INPUT_MAX_SEQUENCE ? s.len : 0;
	struct csi csi = parse_csi(s.bytes, len);
	if (csi.final == 'M' && csi.count == 0 && !csi.prefix) {
		if (s.len < len + 3)
			return s.final ? s.len : 0;
		const unsigned char *at = (const unsigned char *)s.bytes + len;
		if (!x10_mouse_to_key(at[0], at[1] - X10_OFFSET, at[2] - X10_OFFSET, &key))
			key.kind = KEY_NONE;
		len += 3;
	} else if (csi.final == '~' && csi.count > 0 && csi.params[0] == 200) {
		in->pasting = true;
	} else if (!csi_to_key(&csi, &key)) {
		key.kind = KEY_NONE;
	}
	key.mods |= mods;
	emit(in, &key);
	return len;
}

/* OSC, DCS, APC, PM, SOS: up to ST, or BEL. bytes begin after the ESC. */
static size_t
step_string(struct input *in, struct input_span s)
{
	for (size_t i = 1; i < s.len; i++) {
		bool bell = s.bytes[i] == '\a';
		if (!bell && (s.bytes[i] != ESC || i + 1 == s.len))
			continue;
		if (!bell && s.bytes[i + 1] != '\\')
			return i; /* broken off by another sequence */
		emit(in, &(struct key){ .kind = KEY_REPORT, .text = s.bytes, .len = i });
		return bell ? i + 1 : i + 2;
	}
	if (s.len <= INPUT_MAX_SEQUENCE)
		return 0;
	in->discarding = true;
	return s.len;
}

static size_t
step_char(struct input *in, struct input_span s, uint8_t mods)
{
	unsigned char c = (unsigned char)s.bytes[0];
	struct key key;
	uint32_t ch;

	if (c < 0x20 || c == 0x7f) {
		key = char_key(c, mods);
		emit(in, &key);
		return 1;
	}
	size_t len = utf8_decode(s.bytes, s.len, &ch);
	if (len > 0) {
		key = char_key(ch, mods);
		emit(in, &key);
		return len;
	}
	/* wait for the rest of a UTF-8 sequence; drop other bytes */
	size_t want = c >= 0xf5 ? 1 : c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc2 ? 2 : 1;
	bool waits = s.len < want && !s.final;
	for (size_t i = 1; waits && i < s.len; i++)
		waits = ((unsigned char)s.bytes[i] & 0xc0) == 0x80;
	return waits ? 0 : 1;
}

/* bytes begin after the ESC. */
static size_t
step_escape(struct input *in, struct input_span s, uint8_t mods)
{
	struct key key = { 0 };

	switch (s.bytes[0]) {
	case '[':
		if (s.len > 1)
			return step_csi(in, s, mods);
		break;
	case 'O':
		if (s.len == 1)
			break;
		if (s.bytes[1] >= 'j' && s.bytes[1] <= 'y') /* the keypad in application mode */
			key = char_key((uint32_t)(s.bytes[1] - 'j' + '*'), 0);
		else if (!find_key(letter_keys, ARRAY_LEN(letter_keys), s.bytes[1], &key) &&
			 !find_key(ss3_keys, ARRAY_LEN(ss3_keys), s.bytes[1], &key))
			return step_char(in, s, mods | MOD_ALT);
		key.mods |= mods;
		emit(in, &key);
		return 2;
	case ']':
	case 'P':
	case '_':
	case '^':
	case 'X':
		if (s.len > 1)
			return step_string(in, s);
		break;
	default:
		return step_char(in, s, mods | MOD_ALT);
	}
	return s.final ? step_char(in, s, mods | MOD_ALT) : 0;
}

static size_t
step(struct input *in, struct input_span s)
{
	struct input_span rest = { s.bytes + 1, s.len - 1, s.final };

	if (in->pasting)
		return step_paste(in, s);
	if (s.bytes[0] != ESC)
		return step_char(in, s, 0);
	if (s.len == 1 && !s.final)
		return 0;
	if (s.len > 1 && s.bytes[1] != ESC) {
		size_t used = step_escape(in, rest, 0);
		return used ? used + 1 : 0;
	}
	/* ESC ESC [ A is Alt-Up of rxvt and others. Any other byte after ESC ESC is a separate key
	 * after an Escape. */
	size_t at = 3; /* behind a number */
	while (at < s.len && at < 6 && s.bytes[at] >= '0' && s.bytes[at] <= '9')
		at++;
	bool is_csi =
	    at < s.len && at < 6 && s.bytes[2] == '[' && memchr("ABCDFH~^@", s.bytes[at], 9);
	if (s.len > 3 && (is_csi || s.bytes[2] == 'O')) {
		rest = (struct input_span){ s.bytes + 2, s.len - 2, s.final };
		return step_escape(in, rest, MOD_ALT) + 2;
	}
	emit(in, &(struct key){ .kind = KEY_ESCAPE });
	return 1;
}

/* Swallows up to the end of a control string; an ESC that does not end it begins something new. */
static size_t
discard(struct input *in, struct input_span s)
{
	for (size_t i = 0; i < s.len; i++) {
		if (s.bytes[i] == '\a') {
			in->discarding = false;
			return i + 1;
		}
		if (s.bytes[i] != ESC)
			continue;
		if (i + 1 == s.len)
			return i;
		in->discarding = false;
		return s.bytes[i + 1] == '\\' ? i + 2 : i;
	}
	return s.len;
}

static void
input_run(struct input *in, bool final)
{
	size_t at = 0;

	while (at < in->pending.len) {
		struct input_span s = { in->pending.data + at, in->pending.len - at, final };
		size_t used = in->discarding ? discard(in, s) : step(in, s);
		if (used == 0)
			break;
		at += used;
	}
	buf_consume(&in->pending, at);
}

void
input_feed(struct input *in, const char *bytes, size_t len)
{
	buf_add(&in->pending, bytes, len);
	input_run(in, false);
}

bool
input_waiting(const struct input *in)
{
	return in->discarding || (in->pending.len > 0 && !in->pasting);
}

void
input_timeout(struct input *in)
{
	if (!input_waiting(in))
		return;
	if (in->discarding && in->pending.len == 0) {
		in->discarding = false;
		return;
	}
	in->discarding = false;
	input_run(in, true);
	if (in->pending.len > 0 && !in->pasting) {
		/* a sequence stopped half-way: its tail may still come and must not be taken for
		 * keys */
		in->discarding = in->pending.len > 2;
		buf_clear(&in->pending);
	}
}

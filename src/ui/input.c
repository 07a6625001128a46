#include "ui/input.h"

#include "input_csi.h"

#include "base/utf8.h"

#include <string.h>

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

/* Terminals send line ends of a paste as CR. */
static size_t
unify_line_ends(char *text, size_t len)
{
	size_t to = 0;

	for (size_t i = 0; i < len; i++) {
		if (text[i] == '\r' && i + 1 < len && text[i + 1] == '\n')
			continue;
		text[to++] = text[i] == '\r' ? '\n' : text[i];
	}
	return to;
}

static void
end_paste(struct input *in)
{
	struct key key = { .kind = KEY_PASTE };

	in->pasting = false;
	if (in->paste.len > 0)
		buf_truncate(&in->paste, unify_line_ends(in->paste.data, in->paste.len));
	key.text = buf_text(&in->paste);
	key.len = in->paste.len;
	emit(in, &key);
	buf_finish(&in->paste);
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
		end_paste(in);
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
		if (p < end && *p != ';')
			csi.intermediate = *p;
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
		x10_mouse_to_key((const unsigned char *)s.bytes + len, &key);
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

/* True for the beginning of a UTF-8 sequence whose other bytes are still to come. */
static bool
is_cut_short(const char *bytes, size_t len)
{
	unsigned char c = (unsigned char)bytes[0];
	size_t want = c >= 0xf5 ? 1 : c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc2 ? 2 : 1;

	for (size_t i = 1; i < len; i++)
		if (((unsigned char)bytes[i] & 0xc0) != 0x80)
			return false;
	return len < want;
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
	return is_cut_short(s.bytes, s.len) && !s.final
		   ? 0
		   : 1; /* bytes that are not UTF-8 are dropped */
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
		if (!ss3_to_key(s.bytes[1], &key))
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

/* ESC ESC [ A is Alt-Up of rxvt and others. Any other byte after ESC ESC is a separate key after
 * an Escape. */
static bool
is_alt_sequence(struct input_span s)
{
	size_t i = 2;

	if (s.len < 4 || (s.bytes[2] != '[' && s.bytes[2] != 'O'))
		return false;
	if (s.bytes[2] == 'O')
		return true;
	while (++i < s.len && s.bytes[i] >= '0' && s.bytes[i] <= '9')
		;
	return i < s.len && i <= 5 && memchr("ABCDFH~^@", s.bytes[i], 9) != NULL;
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
	if (is_alt_sequence(s)) {
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
run(struct input *in, bool final)
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
	run(in, false);
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
	run(in, true);
	if (in->pending.len > 0 && !in->pasting) {
		/* a sequence stopped half-way: its tail may still come and must not be taken for
		 * keys */
		in->discarding = in->pending.len > 2;
		buf_clear(&in->pending);
	}
}

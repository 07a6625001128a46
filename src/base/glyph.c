/* SPDX-License-Identifier: MIT */
/* UTF-8, and how a terminal shows its characters. */
#include "base/glyph.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "base/vec.h"

#include <stdbool.h>
#include <string.h>
#include <wchar.h>

/* ---- UTF-8 ---- */

/* The smallest code point of each sequence length: anything below is an overlong form. */
static const uint32_t smallest[] = { 0, 0, 0x80, 0x800, 0x10000 };

size_t
utf8_decode(const char *s, size_t len, uint32_t *code_point)
{
	uint32_t cp = len > 0 ? (unsigned char)s[0] : 0xff;
	size_t need = cp < 0x80 ? 1 : cp < 0xe0 ? 2 : cp < 0xf0 ? 3 : 4;

	if ((cp >= 0x80 && cp < 0xc2) || cp > 0xf4 || need > len)
		return 0;
	if (need > 1)
		cp &= 0x7fu >> need;
	for (size_t i = 1; i < need; i++) {
		unsigned char c = (unsigned char)s[i];
		if ((c & 0xc0) != 0x80)
			return 0;
		cp = cp << 6 | (c & 0x3f);
	}
	if (cp < smallest[need] || cp > 0x10ffff || (cp >= 0xd800 && cp <= 0xdfff))
		return 0;
	*code_point = cp;
	return need;
}

size_t
utf8_encode(uint32_t cp, char out[4])
{
	static const unsigned char lead[] = { 0, 0, 0xc0, 0xe0, 0xf0 };

	if (cp < 0x80) {
		out[0] = (char)cp;
		return 1;
	}
	if (cp > 0x10ffff || (cp >= 0xd800 && cp <= 0xdfff))
		cp = 0xfffd;
	size_t len = cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;
	for (size_t i = len; i-- > 1; cp >>= 6)
		out[i] = (char)(0x80 | (cp & 0x3f));
	out[0] = (char)(lead[len] | cp);
	return len;
}

bool
utf8_add(struct buf *out, uint32_t cp)
{
	char bytes[4];

	return cp == 0 || buf_add(out, bytes, utf8_encode(cp, bytes));
}

size_t
utf8_first_invalid(const char *s, size_t len)
{
	size_t at = 0;

	while (at < len) {
		uint32_t cp;
		size_t used = (unsigned char)s[at] < 0x80 ? 1 : utf8_decode(s + at, len - at, &cp);
		if (used == 0)
			break;
		at += used;
	}
	return at;
}

/* How many of these bytes, which begin no strict sequence, are one mistake: C0 80, as our JSON
 * trees hold U+0000, a lone surrogate, or a single byte. */
static size_t
invalid_length(const char *s, size_t len)
{
	const unsigned char *b = (const unsigned char *)s;

	if (len >= 2 && b[0] == 0xc0 && b[1] == 0x80)
		return 2;
	bool surrogate =
	    len >= 3 && b[0] == 0xed && b[1] >= 0xa0 && b[1] <= 0xbf && (b[2] & 0xc0) == 0x80;
	return surrogate ? 3 : 1;
}

/* The length of that start. */
static size_t
cut(const char *s, size_t len, size_t max)
{
	size_t end = max;

	if (len <= max)
		return len;
	while (end > 0 && max - end < 4 && ((unsigned char)s[end] & 0xc0) == 0x80)
		end--;
	return max - end < 4 ? end : max; /* a row of bytes 10xxxxxx is not a character */
}

void
utf8_add_cut(struct buf *out, const char *s, size_t len, size_t max)
{
	size_t kept = cut(s, len, max);

	buf_add(out, s, kept);
	buf_add_str(out, kept < len ? "…" : "");
}

void
utf8_copy(char *out, size_t size, const char *text)
{
	size_t len = cut(text, strnlen(text, size), size - 1);

	memcpy(out, text, len);
	out[len] = '\0';
}

void
utf8_add_valid(struct buf *out, const char *s, size_t len)
{
	for (;;) {
		size_t valid = utf8_first_invalid(s, len);
		buf_add(out, s, valid);
		if (valid == len)
			return;
		buf_add_str(out, "\xef\xbf\xbd");
		size_t used = valid + invalid_length(s + valid, len - valid);
		s += used;
		len -= used;
	}
}

/* ---- characters of a terminal ---- */

enum {
	MARK_NEWLINE = 0x21b5,   /* ↵ */
	MARK_TAB = 0x21e5,       /* ⇥ */
	MARK_C0 = 0x2400,        /* ␀ and the 31 that follow it */
	MARK_DELETE = 0x2421,    /* ␡ */
	MARK_SEPARATOR = 0x2424, /* ␤ */
	MARK_C1 = 0x2426,        /* ␦ */
	MARK_HIDDEN = 0x25cc,    /* ◌ */
	MARK_INVALID = 0xfffd,
	REGIONAL_A = 0x1f1e6,
	SQUARED_A = 0x1f130,
	SKIN_TONE = 0x1f3fb, /* the first of five */
	BROWN_SQUARE = 0x1f7eb,
	FIRST_WITH_SKIN = 0x261d, /* ☝; arrows, which mark line ends, have none */
	ZERO_WIDTH_JOINER = 0x200d,
	MOST_JOINED = 8, /* the longest emoji in use joins four */
	MOST_MARKS = 32, /* on one character; text of people's languages has a handful */
};

struct range {
	uint32_t first, last;
};

/* Unicode's Default_Ignorable_Code_Point, the bidi controls and interlinear annotation: drawn as
 * nothing, or worse, as an order that is not the text's. Sorted. */
static const struct range hidden[] = {
	{ 0x00ad, 0x00ad },
	{ 0x034f, 0x034f },
	{ 0x061c, 0x061c },
	{ 0x115f, 0x1160 },
	{ 0x17b4, 0x17b5 },
	{ 0x180b, 0x180f },
	{ 0x200b, 0x200f },
	{ 0x202a, 0x202e },
	{ 0x2060, 0x206f },
	{ 0x3164, 0x3164 },
	{ 0xfe00, 0xfe0f },
	{ 0xfeff, 0xfeff },
	{ 0xffa0, 0xffa0 },
	{ 0xfff9, 0xfffb },
	{ 0x1bca0, 0x1bca3 },
	{ 0x1d173, 0x1d17a },
	{ 0xe0000, 0xe0fff },
};

static const struct range variation_selectors[] = {
	{ 0x180b, 0x180d },
	{ 0x180f, 0x180f },
	{ 0xfe00, 0xfe0f },
	{ 0xe0100, 0xe01ef },
};

/* Characters of emoji sequences: more than the emoji themselves. */
static const struct range pictographs[] = {
	{ 0x2190, 0x21ff },
	{ 0x2300, 0x23ff },
	{ 0x2600, 0x27bf },
	{ 0x2b00, 0x2bff },
	{ 0x1f000, 0x1faff },
};

#define IN_TABLE(cp, table) in_ranges(cp, table, ARRAY_LEN(table))

static bool
in_ranges(uint32_t cp, const struct range *ranges, size_t count)
{
	for (size_t i = 0; i < count && cp >= ranges[i].first; i++)
		if (cp <= ranges[i].last)
			return true;
	return false;
}

static size_t
mark(struct glyph *g, enum glyph_kind kind, uint32_t ch, size_t used)
{
	*g = (struct glyph){ .ch = ch, .width = 1, .kind = (uint8_t)kind };
	return used;
}

/* Text that is taken apart, and how far. */
struct reader {
	const char *s;
	size_t len, at;
};

/* The code point ahead, 0 at the end or if the bytes are not UTF-8. */
static uint32_t
peek(const struct reader *r, size_t *used)
{
	uint32_t cp = 0;

	*used = r->at < r->len ? utf8_decode(r->s + r->at, r->len - r->at, &cp) : 0;
	return cp;
}

static bool
skip_if(struct reader *r, const struct range *ranges, size_t count)
{
	size_t used;
	uint32_t cp = peek(r, &used);

	if (used == 0 || !in_ranges(cp, ranges, count))
		return false;
	r->at += used;
	return true;
}

/* One selector says how to draw a character. More of them in a row hide a message. */
static void
skip_presentation(struct reader *r, bool pictograph)
{
	static const struct range skin_tones[] = { { SKIN_TONE, SKIN_TONE + 4 } };

	skip_if(r, variation_selectors, ARRAY_LEN(variation_selectors));
	if (pictograph)
		skip_if(r, skin_tones, 1);
}

/* A joiner and the picture after it. */
static bool
skip_joined(struct reader *r)
{
	struct reader ahead = *r;
	size_t used;

	if (peek(&ahead, &used) != ZERO_WIDTH_JOINER)
		return false;
	ahead.at += used;
	if (!skip_if(&ahead, pictographs, ARRAY_LEN(pictographs)))
		return false;
	skip_presentation(&ahead, true);
	*r = ahead;
	return true;
}

/* Takes the marks that belong to the character in g, which r has just passed. */
static size_t
take_followers(struct reader *r, struct glyph *g, uint32_t cp)
{
	if (r->at == r->len || (unsigned char)r->s[r->at] < 0x80)
		return r->at;
	bool pictograph = IN_TABLE(cp, pictographs);
	skip_presentation(r, pictograph && cp >= FIRST_WITH_SKIN);
	for (int i = 0; pictograph && i < MOST_JOINED && skip_joined(r); i++)
		continue;
	size_t used, kept = g->marks[0] ? 1 : 0;
	for (int i = 0; i < MOST_MARKS; i++) {
		uint32_t next = peek(r, &used);
		if (used == 0 || next < 0x300 || IN_TABLE(next, hidden) ||
		    wcwidth((wchar_t)next) != 0)
			break;
		if (kept < 2)
			g->marks[kept++] = next;
		r->at += used;
	}
	return r->at;
}

static size_t
next_wide(struct reader *r, struct glyph *g, uint32_t cp)
{
	if (cp < 0xa0)
		return mark(g, GLYPH_CONTROL, MARK_C1, r->at);
	if (cp == 0x2028 || cp == 0x2029)
		return mark(g, GLYPH_CONTROL, MARK_SEPARATOR, r->at);
	if (IN_TABLE(cp, hidden))
		return mark(g, GLYPH_HIDDEN, MARK_HIDDEN, r->at);
	/* A terminal may draw two regional indicators as one flag, and a skin tone as part of the
	 * character before it. Each takes the followers that its replacement would take, so that
	 * safe text is as wide as it was measured. */
	if (cp >= REGIONAL_A && cp < REGIONAL_A + 26)
		cp = SQUARED_A + (cp - REGIONAL_A);
	else if (cp >= SKIN_TONE && cp <= SKIN_TONE + 4)
		cp = BROWN_SQUARE;
	int width = wcwidth((wchar_t)cp); /* 0 for a mark on the character before it */
	if (width < 0)                    /* the C library does not know it */
		return mark(g, GLYPH_INVALID, MARK_INVALID, r->at);
	*g = (struct glyph){ .ch = cp, .width = (uint8_t)width };
	if (width == 0)
		*g = (struct glyph){ .ch = MARK_HIDDEN, .marks = { cp }, .width = 1 };
	return take_followers(r, g, cp);
}

size_t
glyph_next(const char *s, size_t len, struct glyph *g)
{
	unsigned char first = (unsigned char)s[0];
	struct reader r = { .s = s, .len = len, .at = 1 };
	uint32_t cp;

	if (first >= 0x80) {
		r.at = utf8_decode(s, len, &cp);
		if (r.at)
			return next_wide(&r, g, cp);
		if (first == 0xc0 && len >= 2 && (unsigned char)s[1] == 0x80)
			return mark(g, GLYPH_CONTROL, MARK_C0, 2);
		return mark(g, GLYPH_INVALID, MARK_INVALID, invalid_length(s, len));
	}
	if (first >= 0x20 && first != 0x7f) {
		*g = (struct glyph){ .ch = first, .width = 1 };
		return take_followers(&r, g, first);
	}
	if (first == '\n')
		return mark(g, GLYPH_NEWLINE, MARK_NEWLINE, 1);
	if (first == '\r' && len > 1 && s[1] == '\n')
		return mark(g, GLYPH_NEWLINE, MARK_NEWLINE, 2);
	if (first == '\t')
		return mark(g, GLYPH_TAB, MARK_TAB, 1);
	return mark(g, GLYPH_CONTROL, first == 0x7f ? MARK_DELETE : MARK_C0 + first, 1);
}

bool
glyph_is_unseen(uint32_t ch)
{
	return ch < 0x20 || (ch >= 0x7f && ch < 0xa0) || ch == 0x2028 || ch == 0x2029 ||
	       IN_TABLE(ch, hidden);
}

size_t
label_length(const char *text)
{
	size_t len = strnlen(text, LABEL_BYTES + 4), at = 0; /* with all of the last character */
	struct glyph g;

	while (len > LABEL_BYTES) {
		size_t used = glyph_next(text + at, len - at, &g);
		if (at + used > LABEL_BYTES)
			return at;
		at += used;
	}
	return len;
}

char *
label_dup(const char *text)
{
	size_t len = text ? label_length(text) : 0;

	if (!text || text[len] == '\0')
		return mem_strdup(text);
	return mem_printf("%.*s…", (int)len, text);
}

void
label_add(struct buf *out, const char *text)
{
	size_t len = label_length(text);

	buf_add(out, text, len);
	if (text[len] != '\0')
		buf_add_str(out, "…");
}

void
glyph_add_dedented(struct buf *out, const char *text, size_t len)
{
	const char *end = text + len, *at = text;
	size_t indent = SIZE_MAX; /* of all lines but the first; lines of blanks do not count */

	while ((at = memchr(at, '\n', (size_t)(end - at)))) {
		const char *start = ++at;
		while (at < end && (*at == ' ' || *at == '\t'))
			at++;
		if (at < end && *at != '\n' && *at != '\r' && (size_t)(at - start) < indent)
			indent = (size_t)(at - start);
	}
	while (end > text && strchr(" \t\r\n", end[-1]))
		end--;
	for (bool first = true; text < end; first = false) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		const char *stop = newline ? newline + 1 : end, *from = text;
		while (from < stop && (*from == ' ' || *from == '\t') &&
		       (first || (size_t)(from - text) < indent))
			from++;
		if (!first || *from != '\n')
			buf_add(out, from, (size_t)(stop - from));
		text = stop;
	}
}

int
label_columns(const char *text)
{
	size_t len = label_length(text);

	return (int)glyph_columns(text, len) + (text[len] != '\0');
}

size_t
glyph_columns(const char *s, size_t len)
{
	size_t sum = 0;

	for (size_t at = 0; at < len;) {
		struct glyph g;
		at += glyph_next(s + at, len - at, &g);
		sum += g.width;
	}
	return sum;
}

size_t
glyph_plain_run(const char *s, size_t len)
{
	size_t run = 0;

	while (run + 1 < len && s[run] >= ' ' && s[run] <= '~' && s[run + 1] >= ' ' &&
	       s[run + 1] <= '~')
		run++;
	return run;
}

void
glyph_append_safe(struct buf *out, const char *s, size_t len, enum glyph_keep keep)
{
	size_t written = 0;

	for (size_t at = 0, used; at < len; at += used) {
		struct glyph g;
		used = glyph_plain_run(s + at, len - at);
		if (used > 0)
			continue;
		used = glyph_next(s + at, len - at, &g);
		if (keep == GLYPH_KEEP_BYTES && g.kind <= GLYPH_TAB)
			continue;
		buf_add(out, s + written, at - written);
		written = at + used;
		if (keep && g.kind == GLYPH_NEWLINE)
			g.ch = '\n';
		if (keep && g.kind == GLYPH_TAB)
			g.ch = '\t';
		utf8_add(out, g.ch);
		utf8_add(out, g.marks[0]);
		utf8_add(out, g.marks[1]);
	}
	buf_add(out, s + written, len - written);
}

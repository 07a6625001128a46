/* SPDX-License-Identifier: MIT */
#include "base/glyph.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "base/vec.h"

#include <stdbool.h>
#include <string.h>
#include <wchar.h>

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

/* 0 for a mark on the character before it, -1 for a character that the C library does not know. */
static int
columns(uint32_t cp)
{
	return wcwidth((wchar_t)cp);
}

static size_t
mark(struct glyph *g, enum glyph_kind kind, uint32_t ch, size_t used)
{
	*g = (struct glyph){ .ch = ch, .width = 1, .kind = (uint8_t)kind };
	return used;
}

static size_t
next_ascii(const unsigned char *s, size_t len, struct glyph *g)
{
	if (s[0] == '\n')
		return mark(g, GLYPH_NEWLINE, MARK_NEWLINE, 1);
	if (s[0] == '\r' && len > 1 && s[1] == '\n')
		return mark(g, GLYPH_NEWLINE, MARK_NEWLINE, 2);
	if (s[0] == '\t')
		return mark(g, GLYPH_TAB, MARK_TAB, 1);
	if (s[0] == 0x7f)
		return mark(g, GLYPH_CONTROL, MARK_DELETE, 1);
	return mark(g, GLYPH_CONTROL, MARK_C0 + s[0], 1);
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

static void
take_marks(struct reader *r, struct glyph *g)
{
	size_t used, kept = g->marks[0] ? 1 : 0;

	for (int i = 0; i < MOST_MARKS; i++) {
		uint32_t cp = peek(r, &used);
		if (used == 0 || cp < 0x300 || IN_TABLE(cp, hidden) || columns(cp) != 0)
			break;
		if (kept < 2)
			g->marks[kept++] = cp;
		r->at += used;
	}
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
	take_marks(r, g);
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
	int width = columns(cp);
	if (width < 0)
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
		return mark(g, GLYPH_INVALID, MARK_INVALID, utf8_invalid_length(s, len));
	}
	if (first < 0x20 || first == 0x7f)
		return next_ascii((const unsigned char *)s, len, g);
	*g = (struct glyph){ .ch = first, .width = 1 };
	return take_followers(&r, g, first);
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

/* The blanks that every line but the first begins with; lines of blanks do not count. */
static size_t
common_indent(const char *text, const char *end)
{
	size_t least = SIZE_MAX;

	while ((text = memchr(text, '\n', (size_t)(end - text)))) {
		const char *start = ++text;
		while (text < end && (*text == ' ' || *text == '\t'))
			text++;
		if (text < end && *text != '\n' && *text != '\r' && (size_t)(text - start) < least)
			least = (size_t)(text - start);
	}
	return least;
}

void
glyph_add_dedented(struct buf *out, const char *text, size_t len)
{
	const char *end = text + len;
	size_t indent = common_indent(text, end);

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

static void
append(struct buf *out, uint32_t cp)
{
	char bytes[4];

	if (cp)
		buf_add(out, bytes, utf8_encode(cp, bytes));
}

void
glyph_append_safe(struct buf *out, const char *s, size_t len, enum glyph_keep keep)
{
	size_t written = 0;

	for (size_t at = 0, used; at < len; at += used) {
		struct glyph g;
		used = glyph_next(s + at, len - at, &g);
		if (keep == GLYPH_KEEP_BYTES && g.kind <= GLYPH_TAB)
			continue;
		buf_add(out, s + written, at - written);
		written = at + used;
		if (keep && g.kind == GLYPH_NEWLINE)
			g.ch = '\n';
		if (keep && g.kind == GLYPH_TAB)
			g.ch = '\t';
		append(out, g.ch);
		append(out, g.marks[0]);
		append(out, g.marks[1]);
	}
	buf_add(out, s + written, len - written);
}

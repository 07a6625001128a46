/* SPDX-License-Identifier: MIT */
#include "ui/vterm_library.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "ui/paint.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#define LIBRARY "libvterm.so.0"

const struct vterm_functions *
vterm_library(struct err *err)
{
	static struct vterm_functions functions;
	static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
	static bool loaded;
	struct {
		void (*vterm_build)(void); /* 0.3 has it, 0.1 does not */
	} found;
	struct err ignored;

	pthread_mutex_lock(&turn);
	if (!loaded && SHARED_LIBRARY_LOAD(LIBRARY, VTERM_FUNCTIONS, &functions, err)) {
		bool is_03 = shared_library_load(
		    LIBRARY, (const char *const[]){ "vterm_build", NULL }, &found, &ignored);
		loaded = is_03 == (VTERM_VERSION_MINOR >= 2) ||
			 err_set(err, "%s is not the release that mcpane was built with", LIBRARY);
	}
	bool ok = loaded;
	pthread_mutex_unlock(&turn);
	return ok ? &functions : NULL;
}

static void *
allocate(size_t size, void *data)
{
	return mem_zalloc(size);
}

static void
release(void *memory, void *data)
{
	free(memory);
}

VTerm *
vterm_library_open(const struct vterm_functions *f, int width, int height)
{
	static VTermAllocatorFunctions ours = { allocate, release };
	VTerm *vt = f->vterm_new_with_allocator(height, width, &ours, NULL);

	f->vterm_set_utf8(vt, 1);
	return vt;
}

/* ---- bytes that libvterm survives ---- */

enum { OUT_BYTES = 4096, MARKS_MOST = 32, PARAMETERS_MOST = 14, DIGITS_MOST = 5 };
enum { CAN = 0x18, SUB = 0x1a, ESC = 0x1b, DEL = 0x7f, REP = 'b' };
enum { IN_TEXT, AFTER_ESC, IN_CSI };

static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD */

struct fed_bytes {
	const struct vterm_functions *f;
	VTerm *vt;
	char bytes[OUT_BYTES];
	size_t len;
};

static void
flush(struct fed_bytes *o)
{
	if (o->len > 0)
		o->f->vterm_input_write(o->vt, o->bytes, o->len);
	o->len = 0;
}

static void
vterm_library_add(struct fed_bytes *o, const char *bytes, size_t len)
{
	if (o->len + len > OUT_BYTES)
		flush(o);
	memcpy(o->bytes + o->len, bytes, len);
	o->len += len;
}

/* A parameter of a control sequence: is it one of the few that libvterm has room for, and small
 * enough to count with? */
static bool
is_kept(struct vterm_feeder *v, char c)
{
	if (c == ';' || c == ':') {
		v->digits = 0;
		if (v->parameters < PARAMETERS_MOST)
			v->parameters++;
	} else if (v->digits <= DIGITS_MOST) {
		v->digits++;
	}
	return v->parameters < PARAMETERS_MOST && v->digits <= DIGITS_MOST;
}

/* The parser of seven-bit controls. It is in a control sequence whenever libvterm may be. */
static void
add_ascii(struct vterm_feeder *v, struct fed_bytes *o, char c)
{
	char both[2] = { ESC, c };

	if (c == ESC) { /* libvterm knows the end of a string, ESC \, only if it is in one piece */
		v->escape = AFTER_ESC;
		v->holds_esc = true;
		return;
	}
	if (c == CAN || c == SUB) {
		v->escape = IN_TEXT;
	} else if (c >= '0' && c < DEL && v->escape == AFTER_ESC) {
		v->escape = c == '[' ? IN_CSI : IN_TEXT;
		v->parameters = v->digits = 0;
	} else if (c >= '@' && c < DEL && v->escape == IN_CSI) {
		both[1] = c == REP ? CAN : c;
		v->escape = IN_TEXT;
	} else if (c >= '0' && c < DEL && v->escape == IN_CSI) {
		if (!is_kept(v, c))
			return;
	} else if (c >= ' ' && v->escape == IN_TEXT) {
		v->marks = 0;
	}
	vterm_library_add(o, v->holds_esc ? both : both + 1, v->holds_esc ? 2 : 1);
	v->holds_esc = false;
}

/* Bytes of a sequence of UTF-8 are held until it is whole. */
static void
add_byte(struct vterm_feeder *v, struct fed_bytes *o, char c)
{
	unsigned char byte = (unsigned char)c;
	uint32_t ch;

	if (v->have > 0 && (byte & 0xc0) != 0x80) { /* cut short */
		vterm_library_add(o, replacement, strlen(replacement));
		v->have = 0;
	}
	if (byte < 0x80) {
		add_ascii(v, o, c);
		return;
	}
	if (v->holds_esc)
		v->escape = IN_TEXT;
	v->holds_esc = false;
	if (v->have == 0 && (byte < 0xc2 || byte > 0xf4)) {
		vterm_library_add(o, replacement, strlen(replacement));
		return;
	}
	v->sequence[v->have++] = c;
	unsigned char lead = (unsigned char)v->sequence[0];
	if (v->have < (lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2))
		return;
	bool is_valid = utf8_decode(v->sequence, v->have, &ch) == v->have;
	if (is_valid)
		v->marks = wcwidth((wchar_t)ch) <= 0 ? v->marks + 1 : 0;
	if (!is_valid || ch < 0xa0)
		vterm_library_add(o, replacement, strlen(replacement));
	else if (v->marks <= MARKS_MOST)
		vterm_library_add(o, v->sequence, v->have);
	v->have = 0;
}

void
vterm_library_feed(const struct vterm_functions *f, VTerm *vt, struct vterm_feeder *feeder,
    const char *bytes, size_t len)
{
	struct fed_bytes o = { .f = f, .vt = vt };

	for (size_t i = 0; i < len; i++)
		add_byte(feeder, &o, bytes[i]);
	flush(&o);
}

/* ---- cells ---- */

static uint32_t
color_of(const VTermColor *c, bool is_default, enum role role)
{
	if (is_default)
		return role;
	if (VTERM_COLOR_IS_INDEXED(c))
		return STYLE_RGB((uint32_t)paint_palette(c->indexed.idx));
	return STYLE_RGB(
	    (uint32_t)c->rgb.red << 16 | (uint32_t)c->rgb.green << 8 | (uint32_t)c->rgb.blue);
}

struct style
vterm_cell_style(const VTermScreenCell *c)
{
	/* The first eight colors and their bright twins on the ground of the theme: to be read on a
	 * dark one and on a light one. White and black are the text's own. */
	static const uint32_t inks[] = { ROLE_HINT, STYLE_RGB(0xd04848), STYLE_RGB(0x3a9a3a),
		STYLE_RGB(0xb08800), STYLE_RGB(0x4a7fe0), STYLE_RGB(0xb35cc4), STYLE_RGB(0x1f98a8),
		ROLE_TEXT };
	enum { NAMED_COLORS = 2 * ARRAY_LEN(inks) };
	bool is_named = VTERM_COLOR_IS_DEFAULT_BG(&c->bg) && !VTERM_COLOR_IS_DEFAULT_FG(&c->fg) &&
			VTERM_COLOR_IS_INDEXED(&c->fg) && c->fg.indexed.idx < NAMED_COLORS;

	return (struct style){
		.ink = is_named ? inks[c->fg.indexed.idx % ARRAY_LEN(inks)]
				: color_of(&c->fg, VTERM_COLOR_IS_DEFAULT_FG(&c->fg), ROLE_TEXT),
		.ground = color_of(&c->bg, VTERM_COLOR_IS_DEFAULT_BG(&c->bg), ROLE_NONE),
		.attr = (uint8_t)((c->attrs.bold ? ATTR_BOLD : 0) |
				  (c->attrs.italic ? ATTR_ITALIC : 0) |
				  (c->attrs.underline ? ATTR_UNDERLINE : 0) |
				  (c->attrs.reverse ? ATTR_REVERSE : 0)),
	};
}

bool
vterm_cell_is_blank(const VTermScreenCell *c)
{
	return (c->chars[0] == 0 || c->chars[0] == ' ') && VTERM_COLOR_IS_DEFAULT_BG(&c->bg) &&
	       !c->attrs.reverse && !c->attrs.underline;
}

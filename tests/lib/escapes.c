/* SPDX-License-Identifier: MIT */
#include "base/vec.h"
#include "escapes.h"

#include <stdlib.h>
#include <string.h>

enum { GROUND, ESCAPE, CSI, OSC, OSC_ESCAPE, OTHER, OTHER_ESCAPE };

bool
escapes_mode(const struct escapes *e, int number, bool otherwise)
{
	for (size_t i = 0; i < e->mode_count; i++) {
		if (e->modes[i].number == number)
			return e->modes[i].set;
	}
	return otherwise;
}

static void
set_mode(struct escapes *e, int number, bool set)
{
	size_t i = 0;

	if (number == 2026 && !set && escapes_mode(e, number, false))
		e->frames++;
	while (i < e->mode_count && e->modes[i].number != number)
		i++;
	if (i == ARRAY_LEN(e->modes))
		return;
	e->modes[i].number = number;
	e->modes[i].set = set;
	if (i == e->mode_count)
		e->mode_count++;
}

static void
on_csi(struct escapes *e, char final)
{
	if (e->text[0] != '?' || (final != 'h' && final != 'l'))
		return;
	for (char *at = e->text + 1; *at; at += *at != '\0') {
		set_mode(e, (int)strtol(at, &at, 10), final == 'h');
		if (*at != ';')
			return;
	}
}

static void
keep(struct escapes *e, char c)
{
	if (e->len < sizeof(e->text) - 1)
		e->text[e->len++] = c;
	e->text[e->len] = '\0';
}

static int
enter(struct escapes *e, int state)
{
	e->len = 0;
	e->text[0] = '\0';
	return state;
}

static int
after_escape(struct escapes *e, char c)
{
	if (c == '[')
		return enter(e, CSI);
	if (c == ']')
		return enter(e, OSC);
	return c != '\0' && strchr("PX^_", c) ? OTHER : GROUND;
}

static int
in_osc(struct escapes *e, char c, bool escaped)
{
	if (c == '\a' || (escaped && c == '\\')) {
		if (e->on_osc)
			e->on_osc(e->text, e->len, e->user);
		return GROUND;
	}
	if (escaped)
		return after_escape(e, c);
	if (c == '\033')
		return OSC_ESCAPE;
	keep(e, c);
	return OSC;
}

static int
in_csi(struct escapes *e, char c)
{
	if (c == '\033')
		return ESCAPE;
	if (c >= '@' && c <= '~') {
		on_csi(e, c);
		return GROUND;
	}
	keep(e, c);
	return CSI;
}

static int
next_state(struct escapes *e, char c)
{
	switch (e->state) {
	case ESCAPE:
		return after_escape(e, c);
	case CSI:
		return in_csi(e, c);
	case OSC:
	case OSC_ESCAPE:
		return in_osc(e, c, e->state == OSC_ESCAPE);
	case OTHER:
		return c == '\033' ? OTHER_ESCAPE : OTHER;
	case OTHER_ESCAPE:
		return c == '\\' ? GROUND : after_escape(e, c);
	default:
		return c == '\033' ? ESCAPE : GROUND;
	}
}

void
escapes_feed(struct escapes *e, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		e->state = next_state(e, bytes[i]);
}

/* SPDX-License-Identifier: MIT */
#ifndef UI_EMULATOR_H
#define UI_EMULATOR_H

#include "base/err.h"
#include "ui/input.h"
#include "ui/surface.h"

/*
 * The terminal of a child program, through libvterm, without I/O: the program's bytes become cells,
 * and keys become bytes for it. Only cells, a title, and answers to the program's queries leave
 * here.
 */
struct emulator;

struct emulator_events {
	/* Output for the program: keys and answers. */
	void (*on_output)(void *user, const char *bytes, size_t len);
};

/* NULL: libvterm is missing. The smallest screen has two columns and two rows. */
struct emulator *emulator_create(
    int width, int height, const struct emulator_events *events, void *user, struct err *err);
void emulator_destroy(struct emulator *e); /* NULL-safe */
void emulator_resize(struct emulator *e, int width, int height);

void emulator_feed(struct emulator *e, const char *bytes, size_t len);
/* A key, a paste, the focus, or a mouse event with x, y on this screen. False: it means nothing
 * to the program, which may not have asked for the mouse. */
bool emulator_key(struct emulator *e, const struct key *key);

enum { EMULATOR_TITLE_BYTES = 256 };

struct emulator_facts {
	char title[EMULATOR_TITLE_BYTES]; /* as the program set it, cut: untrusted */
	int width, height;
	bool is_alternate; /* the alternate screen: without history */
	bool wants_mouse;
	unsigned bells;
	size_t history; /* lines above the screen that can be scrolled back to */
	size_t back;    /* lines it is scrolled back by */
};
const struct emulator_facts *emulator_facts(struct emulator *e);

/* Scrolls into the history by this many lines, or forward if negative. */
void emulator_scroll(struct emulator *e, int lines);
/* has_keyboard: the cursor is shown, if the program shows it. */
void emulator_draw(struct emulator *e, struct surface s, bool has_keyboard);

#endif

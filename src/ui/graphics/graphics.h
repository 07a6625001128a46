/* SPDX-License-Identifier: MIT */
#ifndef UI_GRAPHICS_GRAPHICS_H
#define UI_GRAPHICS_GRAPHICS_H

#include "ui/backend.h"

#include "base/buf.h"
#include "base/job.h"
#include "base/media.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Pictures of a grid in the terminal's own graphics. */

/* The terminal's answers about itself. */
struct graphics_abilities {
	bool kitty, sixel;
	int colors;                  /* of sixel; 0: it did not say */
	int most_width, most_height; /* pixels of one sixel picture; 0: likewise */
	int cell_width, cell_height; /* pixels; 0: likewise */
};

/* Asks for all of them; the last answer is the one that every terminal gives. with_kitty: programs
 * such as tmux take that question for a title. */
#define GRAPHICS_ASK_KITTY "\033_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\033\\"
#define GRAPHICS_ASK "\033[16t\033[?1;1;0S\033[?2;1;0S\033[c"

/* The size of a cell in pixels, unless it cannot be meant. */
void graphics_set_cell(struct graphics_abilities *a, int width, int height);

/* A KEY_REPORT of ui/input.h. `heard` gathers the answers. True: this was the last one. */
bool graphics_hear(struct graphics_abilities *heard, const char *text, size_t len);

struct graphics;

/* Large pictures appear in a later frame, when their jobs are done; NULL: at once. */
struct graphics *graphics_create(struct jobs *jobs);
void graphics_destroy(struct graphics *g); /* NULL-safe */
/* True: the next frame has to be drawn whole. */
bool graphics_set(
    struct graphics *g, enum backend_pictures wish, const struct graphics_abilities *abilities);
/* Are pictures drawn in pixels? Then the cells below them are blank. */
bool graphics_is_on(const struct graphics *g);

/* Before the text of a frame: which rows have to be written whole, to remove a picture. */
void graphics_plan(struct graphics *g, const struct grid *grid, bool *touched);
/* After it: appends what changes the pictures; the cursor stays where it was. cleared: the terminal
 * was cleared before the text. written: rows whose text was written. */
void graphics_draw(struct graphics *g, bool cleared, const bool *written, struct buf *out);
/* The terminal was released: all pictures are gone. */
void graphics_forget(struct graphics *g);
/* Removes all pictures. Async-signal-safe; "" if none was sent. */
const char *graphics_farewell(const struct graphics *g);

/* Append the commands that send a picture to kitty under a number. */
void kitty_transmit(struct buf *out, unsigned id, const struct picture *p);

/* A picture in few colors, for sixel. */
enum { SIXEL_COLORS = 255, SIXEL_CLEAR = 255 /* the index of what shows through */ };

struct sixel {
	int width, height;
	int count; /* of colors */
	uint8_t colors[SIXEL_COLORS][3];
	uint8_t *pixels; /* indexes; owned */
};

void sixel_make(struct sixel *s, const struct picture *p, int most_colors);
void sixel_finish(struct sixel *s); /* leaves it zeroed */
/* Appends a rectangle of it, within its bounds. */
void sixel_add(const struct sixel *s, int x, int y, int width, int height, struct buf *out);

#endif

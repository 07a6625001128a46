#ifndef UI_GRAPHICS_GRAPHICS_H
#define UI_GRAPHICS_GRAPHICS_H

#include "ui/backend.h"

#include "base/buf.h"
#include "base/job.h"
#include "base/media.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- graphics.c: pictures of a grid in the terminal's own graphics ---- */

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

struct graphics *graphics_create(void);
void graphics_destroy(struct graphics *g); /* NULL-safe */
/* Large pictures appear in a later frame, when their jobs are done. */
void graphics_use_jobs(struct graphics *g, struct jobs *jobs);
/* True: the next frame has to be drawn whole. */
bool graphics_set(
    struct graphics *g, enum backend_pictures wish, const struct graphics_abilities *abilities);
/* Are pictures drawn in pixels? Then the cells below them are blank. */
bool graphics_is_on(const struct graphics *g);

/* Before the text of a frame: which rows have to be written whole, to remove a picture. */
struct screen;
void graphics_plan(struct graphics *g, const struct grid *grid, struct screen *screen);
/* After it: appends what changes the pictures; the cursor stays where it was. */
void graphics_draw(struct graphics *g, const struct screen *screen, struct buf *out);
/* The terminal was released: all pictures are gone. */
void graphics_forget(struct graphics *g);
/* Removes all pictures. Async-signal-safe; "" if none was sent. */
const char *graphics_farewell(const struct graphics *g);

/* ---- kitty.c ---- */
/* A part of a picture, in pixels of it, on cells of the screen. */
struct graphics_part {
	int from_x, from_y, width, height; /* pixels */
	int x, y, cols, rows;              /* cells */
};

void kitty_transmit(struct buf *out, unsigned id, const struct picture *p);
void kitty_place(struct buf *out, unsigned id, unsigned placement, const struct graphics_part *at);
void kitty_remove(struct buf *out, unsigned id, unsigned placement);
#define KITTY_FORGET "\033_Ga=d,d=I,i=%u,q=2\033\\" /* the picture and its placements */

/* ---- sixel.c ---- */
/* A picture in few colors. */
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

/* ---- slots.c ---- */
enum graphics_kind { GRAPHICS_OFF, GRAPHICS_KITTY, GRAPHICS_SIXEL };
enum {
	/* Two for each picture of a frame: itself, and the one shown until it is made. */
	GRAPHIC_SLOTS = 2 * PICTURES_MAX + 1,
	GRAPHIC_FIRST_ID = 0x6d6370, /* kitty's number of the first: others may show pictures too */
};

/* A picture as the terminal gets it: in the pixels of the cells that it fills. */
struct graphic {
	uint64_t number;        /* of the picture; 0: the slot is free */
	int box_cols, box_rows; /* where it had to fit in */
	int cols, rows;         /* the cells that it fills */
	int cell_width,
	    cell_height; /* in pixels; kitty's are not the terminal's if those are many */
	int x, y;        /* where it was wanted last */
	bool is_sent;    /* kitty has it */
	bool is_made;    /* sixel and bytes are of it */
	struct sixel sixel;
	struct buf bytes; /* what sends it to kitty, or all of it as sixels */
	struct job *job;  /* makes it; NULL: none */
	uint64_t used;    /* the last frame with it */
	uint64_t made;    /* the frame before which it was made */
};

struct graphic_slots {
	struct jobs *jobs; /* NULL: all is made at once */
	enum graphics_kind kind;
	struct graphics_abilities abilities;
	uint64_t frame;
	struct graphic slots[GRAPHIC_SLOTS];
};

void graphic_drop(struct graphic *s);
void graphic_slots_drop(struct graphic_slots *g); /* all */
/* The slot of the picture, or of the one shown until it is made; -1: nothing to show yet. */
int graphic_slot_for(struct graphic_slots *g, const struct grid_picture *wanted);

static inline int
graphics_at_most(int value, int most)
{
	return value < most ? value : most;
}

#endif

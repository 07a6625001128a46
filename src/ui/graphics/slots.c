#include "ui/graphics/graphics.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* The pictures of the last frames as the terminal gets them, and the jobs that make large ones. */

enum {
	SIDE = 1000,         /* pixels: xterm's limit for sixel unless it says otherwise */
	SIDE_MAX = 1600,     /* bounds the bytes of a picture */
	AT_ONCE = 64 * 1024, /* pixels that no frame notices */
};

void
graphic_drop(struct graphic *s)
{
	job_drop(&s->job);
	sixel_finish(&s->sixel);
	buf_finish(&s->bytes);
	*s = (struct graphic){ 0 };
}

void
graphic_slots_drop(struct graphic_slots *g)
{
	for (int i = 0; i < GRAPHIC_SLOTS; i++)
		graphic_drop(&g->slots[i]);
}

/* Kitty scales, so it gets fewer pixels if the cells have many. */
static void
choose_cell(const struct graphic_slots *g, struct graphic *s)
{
	const struct graphics_abilities *a = &g->abilities;

	s->cell_width = a->cell_width > 0 ? a->cell_width : 10;
	s->cell_height = a->cell_width > 0 ? a->cell_height : 20;
	while (g->kind == GRAPHICS_KITTY && s->cell_width > 3 && s->cell_height > 3 &&
	       (s->box_cols * s->cell_width > SIDE || s->box_rows * s->cell_height > SIDE)) {
		s->cell_width /= 2;
		s->cell_height /= 2;
	}
}

/* The pixels that the picture gets; it fills its box, as its shape allows. */
static void
fit(const struct graphic_slots *g, const struct graphic *s, const struct picture *p, int *width,
    int *height)
{
	const struct graphics_abilities *a = &g->abilities;
	int most_width = graphics_at_most(a->most_width > 0 ? a->most_width : SIDE, SIDE_MAX);
	int most_height = graphics_at_most(a->most_height > 0 ? a->most_height : SIDE, SIDE_MAX);

	most_width = graphics_at_most(s->box_cols * s->cell_width, most_width);
	most_height = graphics_at_most(s->box_rows * s->cell_height, most_height);
	*width = most_width;
	*height = (int)((int64_t)most_width * p->height / p->width);
	if (*height > most_height) {
		*height = most_height;
		*width = (int)((int64_t)most_height * p->width / p->height);
	}
	*width = *width > 0 ? *width : 1;
	*height = *height > 0 ? *height : 1;
}

/* ---- sending ---- */

/* The picture in the pixels of whole cells; the rest is transparent. */
static void
draw_picture(const struct graphic_slots *g, const struct graphic *s, const struct picture *p,
    struct picture *out)
{
	struct picture scaled;
	int width, height;

	fit(g, s, p, &width, &height);
	picture_reduce(p, width, height, &scaled);
	*out = (struct picture){ .width = s->cols * s->cell_width,
		.height = s->rows * s->cell_height };
	out->rgba = mem_zalloc((size_t)out->width * (size_t)out->height * 4);
	for (int y = 0; y < height; y++)
		memcpy(out->rgba + (size_t)y * (size_t)out->width * 4,
		    scaled.rgba + (size_t)y * (size_t)width * 4, (size_t)width * 4);
	picture_finish(&scaled);
}

/* Scaling and encoding take longer than a frame may, so a job does it with copies of all it needs;
 * until it is done, the picture that was there before stays. */
struct picture_making {
	struct job job;                /* first */
	struct graphic_slots settings; /* kind and abilities alone */
	struct graphic slot;           /* likewise its size */
	struct picture picture;
	unsigned id;
	struct graphic *to;
	uint64_t frame;
};

static void
run_making(struct job *job)
{
	struct picture_making *m = (struct picture_making *)job;
	const struct graphic_slots *g = &m->settings;
	struct picture drawn;

	draw_picture(g, &m->slot, &m->picture, &drawn);
	if (g->kind == GRAPHICS_KITTY) {
		kitty_transmit(&m->slot.bytes, m->id, &drawn);
	} else {
		sixel_make(&m->slot.sixel, &drawn,
		    g->abilities.colors > 0 ? g->abilities.colors : SIXEL_COLORS);
		sixel_add(&m->slot.sixel, 0, 0, drawn.width, drawn.height, &m->slot.bytes);
	}
	picture_finish(&drawn);
}

static void
end_making(struct job *job)
{
	struct picture_making *m = (struct picture_making *)job;

	if (job_is_stopped(job)) {
		sixel_finish(&m->slot.sixel);
		buf_finish(&m->slot.bytes);
	} else {
		m->to->sixel = m->slot.sixel;
		m->to->bytes = m->slot.bytes;
		m->to->is_made = true;
		m->to->made = m->frame;
	}
	picture_finish(&m->picture);
	free(m);
}

static void
make(struct graphic_slots *g, struct graphic *s, const struct picture *p)
{
	struct picture_making *m = mem_zalloc(sizeof(*m));
	size_t pixels = (size_t)p->width * (size_t)p->height;
	bool small =
	    pixels < AT_ONCE &&
	    (size_t)(s->cols * s->cell_width) * (size_t)(s->rows * s->cell_height) < AT_ONCE;

	m->job = (struct job){ .run = run_making, .done = end_making };
	m->settings.kind = g->kind;
	m->settings.abilities = g->abilities;
	m->slot = (struct graphic){ .box_cols = s->box_cols,
		.box_rows = s->box_rows,
		.cols = s->cols,
		.rows = s->rows,
		.cell_width = s->cell_width,
		.cell_height = s->cell_height };
	m->picture = *p;
	m->picture.rgba = mem_dup(p->rgba, pixels * 4);
	m->id = GRAPHIC_FIRST_ID + (unsigned)(s - g->slots);
	m->to = s;
	m->frame = g->frame;
	job_start(small ? NULL : g->jobs, &m->job, &s->job);
}

static bool
is_of(const struct graphic *s, const struct grid_picture *p)
{
	return s->number == p->picture->number && s->box_cols == p->cols && s->box_rows == p->rows;
}

static bool
is_at(const struct graphic *s, const struct grid_picture *p)
{
	return s->number && s->x == p->x && s->y == p->y && s->box_cols == p->cols &&
	       s->box_rows == p->rows;
}

/* Evicts the picture that has been off the screen for longest. */
static int
take_slot(struct graphic_slots *g, const struct grid_picture *wanted)
{
	int oldest = 0, width, height;

	for (int i = 0; i < GRAPHIC_SLOTS; i++)
		if (g->slots[i].used < g->slots[oldest].used)
			oldest = i;
	struct graphic *s = &g->slots[oldest];
	graphic_drop(s);
	*s = (struct graphic){ .number = wanted->picture->number,
		.box_cols = wanted->cols,
		.box_rows = wanted->rows };
	choose_cell(g, s);
	fit(g, s, wanted->picture, &width, &height);
	s->cols = (width + s->cell_width - 1) / s->cell_width;
	s->rows = (height + s->cell_height - 1) / s->cell_height;
	return oldest;
}

/* The newest picture at the same place that can be shown, so that an animation continues with the
 * frames that are ready. -1 without one. */
static int
stand_in(const struct graphic_slots *g, const struct grid_picture *wanted)
{
	int newest = -1;

	for (int i = 0; i < GRAPHIC_SLOTS; i++) {
		const struct graphic *s = &g->slots[i];
		if (s->is_made && is_at(s, wanted) &&
		    (newest < 0 || s->made > g->slots[newest].made))
			newest = i;
	}
	return newest;
}

/* One at a time for each place, so that the last begun gets done. */
static bool
is_making(const struct graphic_slots *g, const struct grid_picture *wanted)
{
	for (int i = 0; i < GRAPHIC_SLOTS; i++)
		if (g->slots[i].job && is_at(&g->slots[i], wanted))
			return true;
	return false;
}

int
graphic_slot_for(struct graphic_slots *g, const struct grid_picture *wanted)
{
	int slot = -1;

	for (int i = 0; i < GRAPHIC_SLOTS && slot < 0; i++)
		if (is_of(&g->slots[i], wanted))
			slot = i;
	if (slot < 0 && !is_making(g, wanted))
		slot = take_slot(g, wanted);
	if (slot >= 0) {
		struct graphic *s = &g->slots[slot];
		s->used = g->frame;
		s->x = wanted->x;
		s->y = wanted->y;
		if (!s->is_made && !s->job)
			make(g, s, wanted->picture);
	}
	if (slot < 0 || !g->slots[slot].is_made)
		slot = stand_in(g, wanted);
	if (slot >= 0)
		g->slots[slot].used = g->frame;
	return slot;
}

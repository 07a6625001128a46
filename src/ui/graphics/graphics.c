#include "ui/graphics/graphics.h"

#include "ui/terminal.h"

#include "base/ascii.h"
#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECES_MAX = 64 };

/* A rectangle of cells that shows a part of a picture. */
struct piece {
	int slot;
	uint64_t number;
	int index;              /* of the picture in the grid */
	int x, y, cols, rows;   /* on the screen */
	int from_col, from_row; /* in the picture */
	unsigned placement;     /* kitty's name */
};

struct pieces {
	struct piece items[PIECES_MAX];
	int len;
};

struct graphics {
	struct graphic_slots of;
	struct pieces shown, wanted;
	unsigned last_placement;
	bool kitty_has_some;
	char farewell[GRAPHIC_SLOTS * 40];
};

/* ---- answers of the terminal ---- */

enum { PARAMETERS_MAX = 24 };

/* "1;2;3", at most PARAMETERS_MAX numbers; how many there are. */
static int
read_numbers(const char *p, const char *end, int numbers[PARAMETERS_MAX])
{
	enum { MOST = 100000 };
	int count = 0;

	for (; p < end && count < PARAMETERS_MAX; p++) {
		int value = 0;
		for (; p < end && ascii_is_digit((unsigned char)*p); p++)
			value = value < MOST ? value * 10 + (*p - '0') : value;
		numbers[count++] = value;
		if (p < end && *p != ';')
			break;
	}
	return count;
}

/* 0 for a number that cannot be meant. */
static int
within(int value, int least, int most)
{
	return value >= least && value <= most ? value : 0;
}

void
graphics_set_cell(struct graphics_abilities *a, int width, int height)
{
	enum { LEAST = 2, MOST = 128 };

	if (within(width, LEAST, MOST) && within(height, LEAST, MOST)) {
		a->cell_width = width;
		a->cell_height = height;
	}
}

bool
graphics_hear(struct graphics_abilities *heard, const char *text, size_t len)
{
	static const char kitty[] = "_Gi=31", ok[] = ";OK";
	const char *end = text + len - 1; /* the final byte */
	int n[PARAMETERS_MAX];

	if (len >= strlen(kitty) + strlen(ok) && memcmp(text, kitty, strlen(kitty)) == 0)
		heard->kitty = memcmp(end - 2, ok, strlen(ok)) == 0;
	if (len < 3 || text[0] != '[')
		return false;
	bool is_private = text[1] == '?';
	int count = read_numbers(text + 1 + is_private, end, n);
	if (!is_private && *end == 't' && count == 3 && n[0] == 6)
		graphics_set_cell(heard, n[2], n[1]);
	else if (is_private && *end == 'S' && count >= 3 && n[0] == 1 && n[1] == 0)
		heard->colors = within(n[2], 2, 65536);
	else if (is_private && *end == 'S' && count >= 4 && n[0] == 2 && n[1] == 0) {
		heard->most_width = within(n[2], 16, 65536);
		heard->most_height = within(n[3], 16, 65536);
	}
	if (!is_private || *end != 'c')
		return false;
	heard->sixel = false;
	for (int i = 1; i < count; i++)
		heard->sixel = heard->sixel || n[i] == 4;
	return true;
}

/* ---- slots ---- */

struct graphics *
graphics_create(void)
{
	struct graphics *g = mem_zalloc(sizeof(*g));
	size_t len = 0;

	for (unsigned i = 0; i < GRAPHIC_SLOTS; i++)
		len += (size_t)snprintf(g->farewell + len, sizeof(g->farewell) - len, KITTY_FORGET,
		    GRAPHIC_FIRST_ID + i);
	return g;
}

void
graphics_use_jobs(struct graphics *g, struct jobs *jobs)
{
	g->of.jobs = jobs;
}

void
graphics_destroy(struct graphics *g)
{
	if (g)
		graphic_slots_drop(&g->of);
	free(g);
}

static enum graphics_kind
kind_of(enum backend_pictures wish, const struct graphics_abilities *a)
{
	bool sixel = a->sixel && a->cell_width > 0;

	if (a->kitty && (wish == BACKEND_PICTURES_AUTO || wish == BACKEND_PICTURES_KITTY))
		return GRAPHICS_KITTY;
	return sixel && (wish == BACKEND_PICTURES_AUTO || wish == BACKEND_PICTURES_SIXEL)
		   ? GRAPHICS_SIXEL
		   : GRAPHICS_OFF;
}

bool
graphics_set(
    struct graphics *g, enum backend_pictures wish, const struct graphics_abilities *abilities)
{
	const struct graphics_abilities *a = &g->of.abilities;
	enum graphics_kind kind = kind_of(wish, abilities), before = g->of.kind;
	bool same =
	    kind == before && a->colors == abilities->colors &&
	    a->most_width == abilities->most_width && a->most_height == abilities->most_height &&
	    a->cell_width == abilities->cell_width && a->cell_height == abilities->cell_height;

	g->of.kind = kind;
	g->of.abilities = *abilities;
	if (same)
		return false;
	graphic_slots_drop(&g->of);
	return kind != GRAPHICS_OFF || before != GRAPHICS_OFF;
}

bool
graphics_is_on(const struct graphics *g)
{
	return g->of.kind != GRAPHICS_OFF;
}

/* ---- which parts of the pictures are in sight ---- */

static bool
same_piece(const struct piece *a, const struct piece *b)
{
	return a->slot == b->slot && a->number == b->number && a->x == b->x && a->y == b->y &&
	       a->cols == b->cols && a->rows == b->rows && a->from_col == b->from_col &&
	       a->from_row == b->from_row;
}

static const struct piece *
find_piece(const struct pieces *in, const struct piece *p)
{
	for (int i = 0; i < in->len; i++)
		if (same_piece(&in->items[i], p))
			return &in->items[i];
	return NULL;
}

/* Cells side by side; they make the piece above higher if they are as wide. */
static void
add_cells(struct pieces *to, const struct piece *cells)
{
	for (int i = to->len; i-- > 0;) {
		struct piece *above = &to->items[i];
		if (above->index == cells->index && above->x == cells->x &&
		    above->cols == cells->cols && above->y + above->rows == cells->y) {
			above->rows++;
			return;
		}
	}
	if (to->len < PIECES_MAX)
		to->items[to->len++] = *cells;
}

/* Sixel in the last row would scroll the screen. */
static void
add_picture(struct graphics *g, const struct grid *grid, int index)
{
	const struct grid_picture *p = &grid->pictures[index];
	int slot = graphic_slot_for(&g->of, p);
	if (slot < 0)
		return;
	int bottom = graphics_at_most(
	    p->y + g->of.slots[slot].rows, grid->height - (g->of.kind == GRAPHICS_SIXEL));
	int right = graphics_at_most(p->x + g->of.slots[slot].cols, grid->width);

	for (int y = p->y > 0 ? p->y : 0; y < bottom; y++) {
		const struct cell *row = &grid->cells[(size_t)y * (size_t)grid->width];
		for (int x = p->x > 0 ? p->x : 0, end; x < right; x = end + 1) {
			for (end = x; end < right && row[end].picture == index + 1; end++)
				;
			if (end > x)
				add_cells(&g->wanted,
				    &(struct piece){ slot, g->of.slots[slot].number, index, x, y,
					end - x, 1, x - p->x, y - p->y, 0 });
		}
	}
}

void
graphics_plan(struct graphics *g, const struct grid *grid, struct screen *screen)
{
	g->wanted.len = 0;
	g->of.frame++;
	for (int i = 0; g->of.kind != GRAPHICS_OFF && i < grid->picture_count; i++)
		add_picture(g, grid, i);
	for (int i = 0; g->of.kind == GRAPHICS_SIXEL && i < g->shown.len; i++) {
		const struct piece *p = &g->shown.items[i];
		for (int y = p->y; !find_piece(&g->wanted, p) && y < p->y + p->rows; y++)
			if (y < grid->height)
				screen_touch_row(screen, y);
	}
}

/* ---- the bytes ---- */

static struct graphics_part
part_of(const struct graphic *s, const struct piece *p)
{
	return (struct graphics_part){ p->from_col * s->cell_width, p->from_row * s->cell_height,
		p->cols * s->cell_width, p->rows * s->cell_height, p->x, p->y, p->cols, p->rows };
}

static void
send_to_kitty(struct graphics *g, int slot, struct buf *out)
{
	buf_add(out, g->of.slots[slot].bytes.data, g->of.slots[slot].bytes.len);
	g->of.slots[slot].is_sent = g->kitty_has_some = true;
}

static void
draw_kitty(struct graphics *g, struct buf *out)
{
	for (int i = 0; i < g->shown.len; i++) {
		const struct piece *p = &g->shown.items[i];
		if (!find_piece(&g->wanted, p))
			kitty_remove(out, GRAPHIC_FIRST_ID + (unsigned)p->slot, p->placement);
	}
	for (int i = 0; i < g->wanted.len; i++) {
		struct piece *p = &g->wanted.items[i];
		const struct piece *there = find_piece(&g->shown, p);
		struct graphics_part part = part_of(&g->of.slots[p->slot], p);
		p->placement = there ? there->placement : ++g->last_placement;
		if (there)
			continue;
		if (!g->of.slots[p->slot].is_sent)
			send_to_kitty(g, p->slot, out);
		kitty_place(out, GRAPHIC_FIRST_ID + (unsigned)p->slot, p->placement, &part);
	}
}

/* Rows [from, to) of the piece. */
static void
add_rows(struct graphics *g, const struct piece *p, int from, int to, struct buf *out)
{
	struct graphic *s = &g->of.slots[p->slot];
	struct graphics_part part = part_of(s, p);
	bool is_all = p->cols == s->cols && p->rows == s->rows && from == 0 && to == p->rows;

	buf_addf(out, "\033[%d;%dH", p->y + from + 1, p->x + 1);
	if (is_all && s->bytes.len > 0)
		buf_add(out, s->bytes.data, s->bytes.len);
	else
		sixel_add(&s->sixel, part.from_x, part.from_y + from * s->cell_height, part.width,
		    (to - from) * s->cell_height, out);
}

/* Text that is written over a picture replaces it, so its rows are drawn again. */
static void
draw_sixel(struct graphics *g, const bool *written, struct buf *out)
{
	for (int i = 0; i < g->wanted.len; i++) {
		const struct piece *p = &g->wanted.items[i];
		bool is_new = !find_piece(&g->shown, p);
		for (int from = 0, to; from < p->rows; from = to + 1) {
			for (to = from; to < p->rows && (is_new || written[p->y + to]); to++)
				;
			if (to > from)
				add_rows(g, p, from, to, out);
		}
	}
}

void
graphics_forget(struct graphics *g)
{
	g->shown.len = 0;
	g->kitty_has_some = false;
	for (int i = 0; i < GRAPHIC_SLOTS; i++) {
		struct graphic *s = &g->of.slots[i];
		if (s->is_sent && s->bytes.len == 0) /* it has to be made again */
			graphic_drop(s);
		s->is_sent = false;
	}
}

/* Only pictures in sight may have to be sent again at once. */
static void
drop_bytes(struct graphics *g)
{
	for (int i = 0; i < GRAPHIC_SLOTS; i++)
		if (g->of.slots[i].is_made && g->of.slots[i].used != g->of.frame &&
		    (g->of.kind == GRAPHICS_SIXEL || g->of.slots[i].is_sent))
			buf_finish(&g->of.slots[i].bytes);
}

void
graphics_draw(struct graphics *g, const struct screen *screen, struct buf *out)
{
	static const char save_cursor[] = "\0337", restore_cursor[] = "\0338";
	const struct screen_info *info = screen_info(screen);

	if (info->cleared) { /* kitty's pictures are not text */
		buf_add_str(out, graphics_farewell(g));
		graphics_forget(g);
	}
	size_t before = out->len;
	buf_add_str(out, save_cursor);
	size_t drawn = out->len;
	if (g->of.kind == GRAPHICS_KITTY)
		draw_kitty(g, out);
	else if (g->of.kind == GRAPHICS_SIXEL)
		draw_sixel(g, info->rows_written, out);
	g->shown = g->wanted;
	drop_bytes(g);
	if (out->len == drawn)
		buf_truncate(out, before);
	else
		buf_add_str(out, restore_cursor);
}

const char *
graphics_farewell(const struct graphics *g)
{
	return g->kitty_has_some ? g->farewell : "";
}

/* SPDX-License-Identifier: MIT */
#include "workbench/commands/commands.h"

#include <stdio.h>
#include <string.h>

/* A letter on every control in sight; typing it clicks there. If there are more controls than
 * letters, the last letters begin labels of two. */
static const char letters[] = "asdfghjklqwertyuiopzxcvbnm";
enum { LETTERS = sizeof(letters) - 1 };

static void
finish(struct workbench *wb)
{
	wb->pick.len = 0;
}

/* Return the number of labels of one letter. */
static int
singles(const struct pick *p)
{
	int pairs = 0;

	while (LETTERS - pairs + pairs * LETTERS < p->len)
		pairs++;
	return LETTERS - pairs;
}

static bool
on_key(struct workbench *wb, const struct key *key)
{
	struct pick *p = &wb->pick;
	bool plain = key->kind == KEY_CHAR && key->mods == 0 && key->ch < 0x80 && key->ch > 0;
	const char *letter = plain ? strchr(letters, (int)key->ch) : NULL;
	int at = letter ? (int)(letter - letters) : -1, alone = singles(p);

	if (key->kind == KEY_MOUSE && key->action != MOUSE_PRESS)
		return true;
	if (at >= 0 && p->typed < 0 && at >= alone) {
		p->typed = at;
		return true;
	}
	int index = p->typed < 0 ? at : alone + (p->typed - alone) * LETTERS + at;
	wb->dialog = NULL;
	if (at < 0 || index >= p->len)
		return true;
	struct key click = { .kind = KEY_MOUSE, .action = MOUSE_PRESS, .button = 1 };
	click.x = p->spots[index].x;
	click.y = p->spots[index].y;
	workbench_key(wb, &click, wb->now_us);
	click.action = MOUSE_RELEASE;
	workbench_key(wb, &click, wb->now_us);
	return true;
}

/* Two controls in one place are one. */
static void
take_spots(struct pick *p, const struct grid *g)
{
	p->len = 0;
	for (int i = 0; i < g->spot_count; i++) {
		int same = 0;
		while (same < p->len &&
		       (p->spots[same].x != g->spots[i].x || p->spots[same].y != g->spots[i].y))
			same++;
		if (same == p->len)
			p->spots[p->len++] = g->spots[i];
	}
}

static void
draw(struct workbench *wb, struct surface main, struct surface bar)
{
	struct pick *p = &wb->pick;
	struct style style = style_on(ROLE_BUTTON_FOCUS, ROLE_BUTTON_FOCUS);

	take_spots(p, main.grid);
	style.attr = ATTR_BOLD;
	for (int i = 0, alone = singles(p); i < p->len; i++) {
		int first = i < alone ? i : alone + (i - alone) / LETTERS;
		int x = p->spots[i].x, y = p->spots[i].y;
		struct surface all = surface_whole(main.grid);
		if (p->typed >= 0 && first != p->typed)
			continue;
		if (i < alone) {
			surface_put(all, x, y, style, (uint32_t)letters[first]);
			continue;
		}
		surface_put(all, x - (x > 0), y, style, (uint32_t)letters[first]);
		surface_put(all, x + (x == 0), y, style, (uint32_t)letters[(i - alone) % LETTERS]);
	}
}

/* Draws once, so that a letter typed before the next frame finds its control. */
bool
cmd_pick(struct workbench *wb, const char *arg)
{
	struct grid grid;

	wb->dialog = &dialog_pick;
	wb->pick.typed = -1;
	wb->pick.len = 0;
	grid_init(&grid, wb->frame.width, wb->frame.height);
	workbench_draw(wb, &grid, wb->now_us);
	grid_finish(&grid);
	if (wb->pick.len > 0)
		return true;
	wb->dialog = NULL;
	return workbench_refuse(wb, "there is nothing to pick");
}

const struct dialog dialog_pick = {
	.key = on_key,
	.draw = draw,
	.finish = finish,
};

#include "history_rows.h"

#include "base/units.h"
#include "pane/pane_text.h"

#include <stdio.h>
#include <string.h>

/* Columns of a wide and of a narrow pane; the size has none on a narrow one. */
static const struct columns {
	int time, server, tool, took, size;
} wide = { 19, 14, 26, 9, 9 }, narrow = { 11, 9, 20, 8, 0 };

#define WIDE 100

struct line {
	const char *time, *server, *tool, *name, *arguments, *mark;
	enum role role; /* of the mark */
	int64_t took_us, bytes;
	bool pinned;
};

static void
draw_facts(struct surface s, int y, const struct columns *c, const struct line *line)
{
	struct buf took = BUF_INIT, size = BUF_INIT;
	int right = s.width - 1;

	pane_add_duration(&took, line->took_us);
	if (line->bytes > 0)
		pane_add_bytes(&size, (size_t)line->bytes);
	if (c->size > 0)
		surface_text_right(s, right, y, c->size, style_of(ROLE_DIM), buf_text(&size));
	right -= c->size > 0 ? c->size + 1 : 0;
	surface_text_right(s, right, y, c->took, style_of(ROLE_NUMBER), buf_text(&took));
	buf_finish(&took);
	buf_finish(&size);
}

/* "2026-07-28 12:03:41", or "07-28 12:03". */
static void
draw_time(struct surface s, int y, const struct columns *c, const char *time)
{
	char text[32];
	bool cut = c == &narrow && strlen(time) == (size_t)wide.time;

	snprintf(text, sizeof(text), "%.*s", cut ? 11 : 30, cut ? time + 5 : time);
	surface_text(s, 4, y, c->time, style_of(ROLE_DIM), text);
}

static void
draw_line(struct surface s, int y, const struct line *line)
{
	const struct columns *c = s.width >= WIDE ? &wide : &narrow;
	int x = 4 + c->time + 1, right = s.width - c->took - c->size - 3;

	surface_text(s, 0, y, 1, style_of(line->role), line->mark);
	surface_text(s, 2, y, 1, style_of(ROLE_ACCENT), line->pinned ? "*" : "");
	draw_time(s, y, c, line->time);
	surface_text(s, x, y, c->server, style_of(ROLE_TEXT), line->server);
	x += c->server + 1;
	surface_text(s, x, y, c->tool, style_of(ROLE_TITLE), line->tool);
	x += c->tool + 1;
	if (line->name && x < right)
		x += surface_text(s, x, y, right - x, style_of(ROLE_ACCENT), line->name) + 1;
	if (x < right)
		surface_text(s, x, y, right - x, style_of(ROLE_DIM), line->arguments);
	draw_facts(s, y, c, line);
}

/* What the columns are. */
void
history_draw_heads(struct surface s, int y)
{
	const struct columns *c = s.width >= WIDE ? &wide : &narrow;
	struct style style = style_of(ROLE_COLUMN);
	int x = 4 + c->time + 1;

	surface_text(s, 4, y, c->time, style, "time");
	surface_text(s, x, y, c->server, style, "server");
	surface_text(s, x + c->server + 1, y, c->tool, style, "tool, URI or prompt");
	surface_text(s, x + c->server + c->tool + 2, y, 9, style, "arguments");
	if (c->size > 0)
		surface_text_right(s, s.width - 1, y, c->size, style, "reply");
	surface_text_right(
	    s, s.width - 1 - (c->size > 0 ? c->size + 1 : 0), y, c->took, style, "took");
}

void
history_draw_live(const struct view_env *env, struct surface s, int y, const struct call *c)
{
	bool runs = c->state == CALL_RUNNING;
	struct call_look look = pane_call_look(c->verdict.kind, call_is_error(c));
	struct line line = {
		.time = call_state_names[c->state],
		.server = server_info(env->ws->server)->name,
		.tool = call_name(c),
		.arguments = c->arguments,
		.mark = runs ? "◐" : look.mark,
		.role = runs ? ROLE_ACCENT : look.role,
		.took_us = call_elapsed_us(c, env->now_us),
		.bytes = c->raw ? (int64_t)c->raw->len : 0,
	};

	draw_line(s, y, &line);
}

void
history_draw_kept(struct surface s, int y, const struct history_call *h)
{
	struct buf time = BUF_INIT;
	struct call_look look = pane_call_look(h->verdict, h->is_error);

	history_add_time(h, &time);
	draw_line(s, y,
	    &(struct line){
		.time = buf_text(&time),
		.server = h->server,
		.tool = h->uri ? h->uri : h->key,
		.name = h->name,
		.arguments = h->arguments,
		.mark = look.mark,
		.role = look.role,
		.took_us = h->took_us,
		.bytes = h->bytes,
		.pinned = h->pinned,
	    });
	buf_finish(&time);
}

#include "workbench_priv.h"

/* From the layout to the cells of a frame. */

static void
layout_for(struct workbench *wb, int width, int height)
{
	if (!workbench_has(wb, wb->right))
		wb->right = PANE_content;
	if (!workbench_has(wb, wb->focus))
		wb->focus = PANE_content;
	const struct call *call = workspace_call(&wb->ws);
	struct layout_input in = {
		.width = width,
		.height = height,
		.focus = wb->focus,
		.right = wb->right,
		.overlay = wb->overlay,
		.zoomed = wb->zoomed,
		.sizes = wb->sizes,
		.has_call = call != NULL,
		.has_structured = call && call->state == CALL_DONE && call->result.structured,
	};
	int inner = width - layout_left_width(width, &wb->sizes) - 4;

	for (int i = 0; i < PANE_COUNT; i++) {
		struct pane_env env = workbench_env(wb, (enum pane_id)i);
		in.absent[i] = !workbench_has(wb, (enum pane_id)i);
		if (pane_table[i]->want)
			in.want[i] = pane_table[i]->want(wb->states[i], &env, inner);
	}
	wb->layout = layout_make(&in);
}

static void
draw_pane(struct workbench *wb, struct grid *g, enum pane_id id)
{
	const struct pane_ops *ops = pane_table[id];
	struct rect r = wb->layout.panes[id];
	struct pane_env env = workbench_env(wb, id);
	struct buf title = BUF_INIT, facts = BUF_INIT;

	enum role role = ROLE_DIM;
	if (ops->heading)
		role = ops->heading(wb->states[id], &env, &title, &facts);
	struct surface outer = surface_sub(surface_whole(g), r.x, r.y, r.width, r.height);
	struct surface inner = surface_frame(
	    outer, env.focused, title.len ? buf_text(&title) : ops->title, buf_text(&facts), role);
	if (ops->draw_title)
		ops->draw_title(wb->states[id], &env, surface_sub(outer, 2, 0, outer.width - 3, 1));
	ops->draw(wb->states[id], &env, inner);
	buf_finish(&title);
	buf_finish(&facts);
}

void
workbench_set_size(struct workbench *wb, int width, int height)
{
	wb->width = width;
	wb->height = height;
	layout_for(wb, width, height);
}

void
workbench_draw(struct workbench *wb, struct grid *g, int64_t now_us)
{
	struct surface all = surface_whole(g);

	wb->now_us = now_us;
	wb->width = g->width;
	wb->height = g->height;
	surface_clear(all, style_of(ROLE_TEXT));
	if (g->width < 20 || g->height < 6) {
		surface_text(all, 0, 0, -1, style_of(ROLE_TEXT), "too small");
		return;
	}
	workbench_sync(wb);
	layout_for(wb, g->width, g->height);
	for (int i = 0; i < PANE_COUNT; i++)
		if (wb->layout.panes[i].width > 0)
			draw_pane(wb, g, (enum pane_id)i);
	bars_draw_top(wb, surface_sub(all, 0, 0, g->width, 1));
	if (wb->layout.tabs.width > 0)
		bars_draw_tabs(wb, surface_sub(all, wb->layout.tabs.x, wb->layout.tabs.y,
				       wb->layout.tabs.width, 1));
	struct surface bottom = surface_sub(all, 0, g->height - 1, g->width, 1);
	struct surface main = surface_sub(all, 0, 1, g->width, g->height - 2);
	hints_draw(wb, bottom);
	if (wb->modal == MODAL_PROMPT)
		prompt_draw(wb, bottom, main);
	else if (wb->modal == MODAL_HELP)
		help_draw(wb, main);
	else if (wb->modal == MODAL_CONFIRM)
		confirm_draw(wb, main);
	else if (wb->modal == MODAL_APPROVAL)
		approval_draw(wb, main);
	else if (wb->modal == MODAL_ASK)
		ask_draw(wb, main);
}

/* SPDX-License-Identifier: MIT */
#include "pane_alone.h"
#include "test.h"

#include <string.h>

bool
pane_alone_shows(struct view *pane, const struct view_env *env, const char *text)
{
	struct grid grid;
	struct buf screen = BUF_INIT;

	grid_init(&grid, 100, 14);
	pane->ops->sync(pane->state, env);
	pane->ops->draw(pane->state, env, surface_whole(&grid));
	grid_to_text(&grid, &screen);
	bool shown = strstr(buf_text(&screen), text) != NULL;
	if (!shown)
		print_message("no \"%s\" here:\n%s", text, buf_text(&screen));
	buf_finish(&screen);
	grid_finish(&grid);
	return shown;
}

void
pane_alone_act(struct view *pane, const struct view_env *env, const char *name, const char *arg)
{
	for (const struct view_action *a = pane->ops->actions; a->name; a++) {
		if (strcmp(a->name, name) == 0) {
			a->run(pane->state, env, arg);
			return;
		}
	}
	fail_msg("no action %s", name);
}

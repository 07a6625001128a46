#include "pane/pane.h"

static void
draw(void *state, const struct view_env *env, struct surface s)
{
	surface_text(s, 0, 0, -1, style_of(ROLE_TEXT), "drawn by the added pane");
}

const struct view_ops pane_added = {
	.title = "an added pane",
	.help = "proves that a pane is a file and a row",
	.state_size = 1,
	.draw = draw,
};

#include "view/view.h"

struct added {
	int turns;
};

static int
serves(const struct view_env *env)
{
	return env->in->value != NULL;
}

static bool
act_turn(void *state, const struct view_env *env, const char *arg)
{
	struct added *v = state;

	v->turns++;
	return true;
}

static const struct view_action actions[] = {
	{ "turn-added", "ctrl-g", "", "turn the added view", act_turn, "turn" },
	{ 0 },
};

static void
draw(void *state, const struct view_env *env, struct surface s)
{
	const struct added *v = state;

	surface_textf(
	    s, 0, 0, -1, style_of(ROLE_TEXT), "drawn by the added view, turned %d times", v->turns);
}

const struct view_ops view_added = {
	.title = "added",
	.help = "proves that a view is a file and a row",
	.state_size = sizeof(struct added),
	.actions = actions,
	.serves = serves,
	.draw = draw,
};

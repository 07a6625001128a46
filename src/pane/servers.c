#include "pane/pane.h"

#include "base/mem.h"
#include "ui/list.h"

#include <stdlib.h>
#include <string.h>

struct servers {
	struct list list;
};

static void
sync(void *state, const struct pane_env *env)
{
	struct servers *p = state;

	list_set_count(&p->list, env->ws->choice_count);
}

static bool
is_current(const struct pane_env *env, const struct server_choice *choice)
{
	return env->ws->server && strcmp(server_name(env->ws->server), choice->name) == 0;
}

static void
draw(void *state, const struct pane_env *env, struct surface s)
{
	struct servers *p = state;

	list_set_count(&p->list, env->ws->choice_count);
	if (env->ws->choice_count == 0) {
		surface_text(s, 0, 0, -1, style_of(ROLE_HINT),
		    "no configuration was given: mcpane --config FILE names servers to choose "
		    "from");
		return;
	}
	surface_text(s, 0, 0, -1, style_of(ROLE_DIM),
	    "Nothing starts by itself: Enter starts the selected one.");
	struct surface body = surface_sub(s, 0, 2, s.width, s.height - 2);
	list_set_height(&p->list, body.height);
	for (int y = 0; y < body.height && p->list.top + (size_t)y < env->ws->choice_count; y++) {
		const struct server_choice *c = &env->ws->choices[p->list.top + (size_t)y];
		struct style name = style_of(c->trouble ? ROLE_DIM : ROLE_TITLE);
		surface_textf(
		    body, 0, y, 3, style_of(ROLE_HINT), "%zu", p->list.top + (size_t)y + 1);
		surface_text(body, 3, y, 1, style_of(ROLE_OK), is_current(env, c) ? "●" : " ");
		surface_text(body, 5, y, 24, name, c->name);
		int x = 30 +
			surface_text(body, 30, y, body.width / 2, style_of(ROLE_DIM), c->label) + 2;
		if (c->trouble)
			surface_text(body, x, y, -1, style_of(ROLE_WARNING), c->trouble);
		if (p->list.top + (size_t)y == p->list.selected)
			surface_select_row(body, y, env->focused);
	}
}

static bool
act_connect(void *state, const struct pane_env *env, const char *arg)
{
	struct servers *p = state;
	(void)arg;

	if (p->list.selected >= env->ws->choice_count)
		return true;
	char *line = mem_printf("server %s", env->ws->choices[p->list.selected].name);
	bool ok = env->host->run(env->user, line);
	free(line);
	return ok;
}

static const struct pane_action actions[] = {
	{ "connect", "enter", "", "start the selected server", act_connect, "start" },
	{ 0 },
};

static bool
key(void *state, const struct pane_env *env, const struct key *key)
{
	struct servers *p = state;

	if (key->kind == KEY_MOUSE && key->action == MOUSE_PRESS) {
		size_t index = p->list.top + (size_t)(key->y > 2 ? key->y - 2 : 0);
		if (index == p->list.selected)
			return act_connect(p, env, "");
		list_select(&p->list, index);
		return true;
	}
	return list_key(&p->list, key);
}

const struct pane_ops pane_servers = {
	.name = "servers",
	.title = "Servers",
	.help = "the servers of the configuration",
	.slot = SLOT_OVERLAY,
	.state_size = sizeof(struct servers),
	.actions = actions,
	.sync = sync,
	.draw = draw,
	.key = key,
};

#include "pane/pane.h"

#include "base/mem.h"
#include "base/vec.h"
#include "filter_line.h"
#include "pane_text.h"
#include "ui/list.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct tools {
	struct {
		uint32_t *items; /* indices of the tools that pass the filter */
		size_t len, cap;
	} shown;
	struct list list; /* over shown */
	struct filter_line filter;
	uint64_t seen;
};

static void
init(void *state)
{
	struct tools *p = state;

	filter_line_init(&p->filter);
}

static void
finish(void *state)
{
	struct tools *p = state;

	filter_line_finish(&p->filter);
	free(p->shown.items);
}

static const struct offer_list *
list_of(const struct pane_env *env)
{
	return env->ws->server ? &server_tools(env->ws->server)->list : NULL;
}

/* Every letter of the filter in order, ASCII case ignored: "lus" finds list_users. */
static bool
fuzzy(const char *text, const char *filter)
{
	for (; *filter; filter++) {
		char lower[2] = { *filter, '\0' };
		const char *hit = strcasestr(text, lower);
		if (!hit)
			return false;
		text = hit + 1;
	}
	return true;
}

static bool
passes(const struct offer *tool, const char *filter)
{
	if (*filter == '\0' || fuzzy(tool->name, filter))
		return true;
	return (tool->title && strcasestr(tool->title, filter)) ||
	       (tool->description && strcasestr(tool->description, filter));
}

static void
renew(struct tools *p, const struct pane_env *env)
{
	const struct offer_list *list = list_of(env);
	size_t selected = workspace_offer_index(env->ws);

	p->shown.len = 0;
	for (size_t i = 0; list && i < list->len; i++)
		if (passes(&list->items[i], filter_line_text(&p->filter)))
			*VEC_PUSH(&p->shown) = (uint32_t)i;
	list_set_count(&p->list, p->shown.len);
	for (size_t i = 0; i < p->shown.len; i++)
		if (p->shown.items[i] == selected)
			list_select(&p->list, i);
}

static void
sync(void *state, const struct pane_env *env)
{
	struct tools *p = state;
	uint64_t generation =
	    (env->ws->server ? server_tools(env->ws->server)->generation : 0) + env->ws->generation;

	if (generation == p->seen)
		return;
	p->seen = generation;
	renew(p, env);
}

static void
select_shown(struct tools *p, const struct pane_env *env)
{
	if (p->list.selected < p->shown.len)
		workspace_select(env->ws, OFFER_TOOL, p->shown.items[p->list.selected]);
}

/* ---- drawing ---- */

/* ▦ for a result with an array in it, ▤ for any other declared one. */
static const char *
shape_badge(const struct offer *tool)
{
	if (!tool->output_schema)
		return "";
	const cJSON *properties = json_get(tool->output_schema, "properties");
	const char *type = json_get_string(tool->output_schema, "type");
	if (type && strcmp(type, "array") == 0)
		return "▦";
	for (const cJSON *p = json_first(properties); p; p = p->next) {
		const char *t = json_get_string(p, "type");
		if ((t && strcmp(t, "array") == 0) || json_get(p, "items"))
			return "▦";
	}
	return "▤";
}

static bool
is_running(const struct server *s, const char *tool)
{
	for (size_t i = server_call_count(s); i-- > 0;) {
		const struct call *c = server_call_at(s, i);
		if (c->state == CALL_RUNNING && strcmp(c->key, tool) == 0)
			return true;
	}
	return false;
}

static void
draw_tool(const struct tools *p, const struct pane_env *env, struct surface s, int y, size_t index)
{
	const struct offer *tool = &list_of(env)->items[p->shown.items[index]];
	enum verdict_kind verdict = server_last_verdict(env->ws->server, tool->name);
	bool selected = index == p->list.selected;
	struct style style = style_of(tool->broken ? ROLE_ERROR
				      : selected   ? ROLE_TITLE
						   : ROLE_TEXT);

	if (selected)
		style.attr = ATTR_BOLD;
	int x = surface_text(s, 0, y, s.width - 5, style, tool->name);
	if (tool->of > 1)
		x += surface_textf(s, x + 1, y, s.width - 6 - x, style_of(ROLE_WARNING),
			 "%zu of %zu", tool->nth + 1, tool->of) +
		     1;
	if (tool->broken)
		surface_text(s, x + 1, y, s.width - 6 - x, style_of(ROLE_HINT), tool->problem);
	surface_text(
	    s, s.width - 4, y, 1, style_of(ROLE_DIM), tool->broken ? "!" : shape_badge(tool));
	if (is_running(env->ws->server, tool->name))
		surface_text(s, s.width - 2, y, 1, style_of(ROLE_ACCENT), "◐");
	else if (verdict != VERDICT_NONE)
		surface_text(s, s.width - 2, y, 1, style_of(pane_verdict_role(verdict)),
		    verdict_mark(verdict));
	if (selected)
		surface_select_row(s, y, env->focused);
}

static void
draw_empty(const struct tools *p, const struct pane_env *env, struct surface s)
{
	const struct server *server = env->ws->server;

	if (!server) {
		surface_text(s, 0, 0, -1, style_of(ROLE_HINT), "no server");
		return;
	}
	const struct lister *lister = server_tools(server);
	if (lister->list.len > 0) {
		surface_text(s, 0, 1, -1, style_of(ROLE_HINT), "/ Esc shows all");
		surface_textf(s, 0, 0, -1, style_of(ROLE_HINT), "nothing matches %s",
		    filter_line_text(&p->filter));
		return;
	}
	enum server_phase phase = server_phase(server);
	if (lister->error[0])
		surface_text(s, 0, 0, -1, style_of(ROLE_ERROR), lister->error);
	else if (phase == SERVER_READY)
		surface_text(s, 0, 0, -1, style_of(ROLE_HINT), "this server has no tools");
	else
		surface_text(s, 0, 0, -1, style_of(phase >= SERVER_FAILED ? ROLE_ERROR : ROLE_DIM),
		    server_phase_name(phase));
}

static void
draw(void *state, const struct pane_env *env, struct surface s)
{
	struct tools *p = state;

	filter_line_draw(&p->filter, s, "filter");
	const struct offer_list *list = list_of(env);
	bool note = list && list->note[0];
	struct surface body = surface_sub(s, 0, 1, s.width, s.height - 1 - note);
	list_set_height(&p->list, body.height);
	if (p->shown.len == 0)
		draw_empty(p, env, body);
	for (int y = 0; y < body.height && p->list.top + (size_t)y < p->shown.len; y++)
		draw_tool(p, env, body, y, p->list.top + (size_t)y);
	surface_scrollbar(body, env->focused, p->shown.len, p->list.top);
	if (note)
		surface_text(s, 0, s.height - 1, -1, style_of(ROLE_WARNING), list->note);
}

static enum role
heading(void *state, const struct pane_env *env, struct buf *title, struct buf *facts)
{
	struct tools *p = state;
	const struct offer_list *list = list_of(env);

	if (!list || list->len == 0)
		return ROLE_DIM;
	buf_addf(title, "Tools %zu", list->len);
	if (p->shown.len < list->len)
		buf_addf(facts, "%zu shown", p->shown.len);
	else if (lister_is_busy(server_tools(env->ws->server)))
		buf_add_str(facts, "listing");
	return ROLE_DIM;
}

/* ---- commands and keys ---- */

static bool
act_open(void *state, const struct pane_env *env, const char *arg)
{
	struct tools *p = state;
	(void)arg;

	select_shown(p, env);
	return env->host->run(env->user, "pane form");
}

static bool
act_filter(void *state, const struct pane_env *env, const char *arg)
{
	struct tools *p = state;

	if (*arg == '\0' && env->focused && !p->filter.open) {
		p->filter.open = true;
		return true;
	}
	filter_line_set(&p->filter, arg);
	renew(p, env);
	return true;
}

static const struct pane_action actions[] = {
	{ "open", "enter", "", "fill in the selected tool's form", act_open, "form" },
	{ "filter", "/", "[TEXT]", "show only what matches", act_filter, "filter" },
	{ 0 },
};

static bool
captures(const void *state)
{
	const struct tools *p = state;

	return p->filter.open;
}

static bool
filter_key(struct tools *p, const struct pane_env *env, const struct key *key)
{
	if (key->kind == KEY_UP || key->kind == KEY_DOWN) {
		list_key(&p->list, key);
		select_shown(p, env);
		return true;
	}
	enum filter_key used = filter_line_key(&p->filter, key);
	if (used == FILTER_CHANGED) {
		renew(p, env);
		select_shown(p, env);
	}
	return used != FILTER_UNUSED;
}

static bool
key(void *state, const struct pane_env *env, const struct key *key)
{
	struct tools *p = state;

	if (p->filter.open && key->kind != KEY_MOUSE)
		return filter_key(p, env, key);
	if (key->kind == KEY_MOUSE && key->action == MOUSE_PRESS) {
		if (key->y == 0) {
			p->filter.open = true;
			return true;
		}
		p->filter.open = false;
		size_t index = p->list.top + (size_t)(key->y > 0 ? key->y - 1 : 0);
		if (index < p->shown.len) {
			list_select(&p->list, index);
			select_shown(p, env);
		}
		return true;
	}
	size_t before = p->list.selected;
	if (!list_key(&p->list, key))
		return false;
	if (p->list.selected != before)
		select_shown(p, env);
	return true;
}

static const char *
typing(const void *state)
{
	(void)state;
	return "Enter keep  Esc show all  ↑↓ select";
}

/* Without tools there is none to open and nothing to filter. */
static const char *
hint(void *state, const struct pane_env *env, const struct pane_action *action)
{
	const struct offer_list *list = list_of(env);
	(void)state;

	return list && list->len > 0 ? action->hint : NULL;
}

const struct pane_ops pane_tools = {
	.name = "tools",
	.title = "Tools",
	.help = "what the server offers",
	.slot = SLOT_LEFT,
	.state_size = sizeof(struct tools),
	.actions = actions,
	.init = init,
	.finish = finish,
	.sync = sync,
	.heading = heading,
	.draw = draw,
	.key = key,
	.captures = captures,
	.typing = typing,
	.hint = hint,
};

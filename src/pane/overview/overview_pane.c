#include "overview.h"

#include "mcp/session.h"
#include "pane/content/content.h"
#include "pane/pane_text.h"

#include <string.h>

/* The server: identity, capabilities, instructions and findings. */
struct overview {
	struct page page;
	const struct server *server; /* only compared */
	struct overview_asked asked;
	struct overview_costs costs;
	bool stale; /* written when the pane is visible, not at every change */
	struct pane_picture icon;
	const cJSON *icons; /* only compared */
	int64_t icons_of;   /* the session that sent them */
};

enum { ICON_COLS = 16, ICON_ROWS = 8, LEAST_COLS = 60 };

static void
finish(void *state)
{
	struct overview *o = state;

	page_finish(&o->page);
	overview_forget_costs(&o->costs);
	pane_picture_finish(&o->icon);
}

static void
sync(void *state, const struct view_env *env)
{
	struct overview *o = state;

	o->stale = true;
	if (env->ws->server == o->server)
		return;
	o->server = env->ws->server;
	o->asked = (struct overview_asked){ 0 };
	page_clear(&o->page);
	o->page.top = 0;
}

static void
renew_icon(struct overview *o, const struct view_env *env)
{
	const struct session *session = server_info(env->ws->server)->session;
	const cJSON *info = session ? session_info(session)->server_info : NULL;
	const cJSON *icons = json_get(info, "icons");
	int64_t connect_us = server_info(env->ws->server)->connect_us;

	if (icons == o->icons && connect_us == o->icons_of)
		return;
	o->icons = icons;
	o->icons_of = connect_us;
	pane_picture_load_icon(&o->icon, env, icons);
}

/* To the right of the identity, if there is room. */
static void
draw_icon(struct overview *o, struct surface s)
{
	int cols = pane_picture_cols(&o->icon, ICON_COLS, ICON_ROWS);
	int top = (int)(o->page.top < ICON_ROWS ? o->page.top : ICON_ROWS);

	if (o->page.aside > 0)
		pane_picture_draw(&o->icon,
		    surface_sub(s, s.width - cols, 0, cols, ICON_ROWS - top), ICON_COLS, ICON_ROWS,
		    top);
}

static void
renew(struct overview *o, const struct view_env *env)
{
	if (env->ws->server)
		overview_count_costs(&o->costs, env);
	if ((o->stale || o->costs.changed) && env->ws->server)
		overview_write(&o->page, &o->asked, &o->costs, env);
	o->stale = false;
	o->costs.changed = false;
}

static void
draw(void *state, const struct view_env *env, struct surface s)
{
	struct overview *o = state;

	renew(o, env);
	if (!env->ws->server) {
		pane_draw_server_state(env, s);
		return;
	}
	renew_icon(o, env);
	int cols = pane_picture_cols(&o->icon, ICON_COLS, ICON_ROWS);
	o->page.aside = cols > 0 && s.width >= LEAST_COLS ? cols + 2 : 0;
	page_draw(&o->page, s, ROLE_NONE, env->focused);
	draw_icon(o, s);
}

static enum role
heading(void *state, const struct view_env *env, struct buf *title, struct buf *facts)
{
	if (env->ws->server)
		buf_addf(title, "overview ▸ %s", server_info(env->ws->server)->name);
	buf_add_str(facts, "F3 closes");
	return ROLE_DIM;
}

static void
copy(void *state, const struct view_env *env, const char *part, struct buf *out)
{
	renew(state, env);
	page_to_text(&((struct overview *)state)->page, out);
}

static bool
act_sort(void *state, const struct view_env *env, const char *arg)
{
	struct overview *o = state;

	if (!env->ws->server)
		return false;
	overview_count_costs(&o->costs, env);
	overview_sort_costs(&o->costs);
	o->stale = true;
	return true;
}

static const struct view_action actions[] = {
	{ "sort-costs", "s", "", "sort the tools by cost, by name, or in the server's order",
	    act_sort, "sort costs" },
	{ "copy-page", "y", "", "copy this page to the clipboard", pane_act_copy, "copy" },
	{ 0 },
};

static const char *
hint(void *state, const struct view_env *env, const struct view_action *action)
{
	return env->ws->server ? action->hint : NULL;
}

static bool
seek(void *state, const struct view_env *env, struct seekable *out)
{
	struct overview *o = state;

	renew(o, env);
	*out = seek_page(&o->page);
	return env->ws->server;
}

static bool
key(void *state, const struct view_env *env, const struct key *key)
{
	return page_key(&((struct overview *)state)->page, key);
}

const struct view_ops pane_overview = {
	.title = "overview",
	.help = "the server: capabilities, instructions, connection, findings about them, and what "
		"they cost a model",
	.state_size = sizeof(struct overview),
	.actions = actions,
	.finish = finish,
	.sync = sync,
	.heading = heading,
	.draw = draw,
	.key = key,
	.seek = seek,
	.copy = copy,
	.hint = hint,
};

const char *const overview_asked_names[OVERVIEW_ASKED] = {
	"elicitation/create", "sampling/createMessage", "roots/list", "ping",
	"inputRequests", /* 2026-07-28: results of type input_required */
};

static bool
wants_input(const struct journal_entry *e)
{
	static const char sign[] = "\"input_required\"";
	size_t most = e->bytes->len < 4096 ? e->bytes->len : 4096;

	return e->message == MESSAGE_RESULT && memmem(e->bytes->data, most, sign, strlen(sign));
}

static void
count(struct overview_asked *asked, const struct journal_entry *e)
{
	if (e->kind != JOURNAL_RECEIVED)
		return;
	if (wants_input(e))
		asked->count[OVERVIEW_ASKED - 1]++;
	if (e->message != MESSAGE_REQUEST || !e->method)
		return;
	for (size_t i = 0; i + 1 < OVERVIEW_ASKED; i++)
		asked->count[i] += strcmp(e->method, overview_asked_names[i]) == 0;
}

void
overview_count_asked(struct overview_asked *asked, const struct journal *journal)
{
	size_t i = asked->seen ? journal_index(journal, asked->seen) + 1 : 0;

	if (asked->seen && !journal_find(journal, asked->seen))
		i = 0; /* dropped: all remaining entries are newer */
	for (; i < journal_info(journal)->count; i++) {
		const struct journal_entry *e = journal_at(journal, i);
		asked->seen = e->id;
		count(asked, e);
	}
}

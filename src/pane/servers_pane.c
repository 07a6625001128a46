/* SPDX-License-Identifier: MIT */

#include "pane_text.h"

#include <stdlib.h>
#include <string.h>

/* The configured servers, and below them the configuration of the selected server. */
struct server_pane {
	struct rows rows;
	struct page facts;
};

static void
servers_finish(void *state)
{
	page_finish(&((struct server_pane *)state)->facts);
}

static void
servers_sync(void *state, const struct view_env *env)
{
	struct server_pane *p = state;

	list_set_count(&p->rows.list, env->ws->choice_count);
}

static const struct server_choice *
servers_selected(const struct server_pane *p, const struct view_env *env)
{
	return p->rows.list.selected < env->ws->choice_count
		   ? &env->ws->choices[p->rows.list.selected]
		   : NULL;
}

/* ---- above the list ---- */

static int
servers_draw_head(const struct view_env *env, struct surface s)
{
	struct page page = { 0 };
	bool only_demo = true;

	for (size_t i = 0; i < env->ws->choice_count; i++)
		only_demo = only_demo && env->ws->choices[i].origin == CHOICE_DEMO;
	if (only_demo) {
		page_head(&page, "No server is configured yet");
		page_mark_row(
		    &page, 8, ROLE_BAR_KEY, "Enter", ROLE_TEXT, "opens the built-in demo server");
		page_mark_row(
		    &page, 8, ROLE_BAR_KEY, "a", ROLE_TEXT, "adds a server: a command or a URL");
		page_gap(&page);
		page_text(&page, 0, ROLE_TEXT, "From the shell:");
		page_row(&page, 30, "  mcpane -- node server.js", ROLE_DIM, "runs a server");
		page_row(&page, 30, "  mcpane https://host/mcp", ROLE_DIM, "connects to one");
		page_row(&page, 30, "  mcpane --config FILE", ROLE_DIM,
		    "the servers in another client's file");
		page_gap(&page);
		page_text(&page, 0, ROLE_HINT,
		    "Looked in this folder and your home folder for the files of Claude, Cursor, "
		    "VS Code, Codex and other clients, and for servers added earlier.");
	} else {
		page_text(&page, 0, ROLE_DIM,
		    "Servers start only when you ask: Enter starts the selected server and shows "
		    "it.");
	}
	page_gap(&page);
	int rows = (int)page_rows(&page, s.width);
	page_draw(&page, surface_sub(s, 0, 0, s.width, rows), ROLE_NONE, false);
	page_finish(&page);
	return rows;
}

/* ---- the list ---- */

enum { MARK_X = 3, NAME_X = 5, NAME_COLS = 24, STATE_COLS = 15, CLIENT_COLS = 16 };

static const char *
state_word(const struct server_choice *c, enum role *role)
{
	enum server_phase phase = c->server ? server_info(c->server)->phase : SERVER_IDLE;

	*role = ROLE_DIM;
	if (phase >= SERVER_FAILED)
		*role = ROLE_ERROR;
	else if (phase == SERVER_READY && server_info(c->server)->trouble[0])
		*role = ROLE_WARNING;
	else if (phase == SERVER_READY)
		*role = ROLE_OK;
	else if (phase != SERVER_IDLE)
		*role = ROLE_ACCENT;
	if (*role == ROLE_WARNING)
		return "not reached";
	if (phase != SERVER_IDLE)
		return server_phase_name(phase);
	if (c->target->disabled)
		return "disabled";
	if (c->reading) {
		*role = ROLE_ACCENT;
		return "being read";
	}
	if (c->target->trouble) {
		*role = ROLE_WARNING;
		return "cannot start";
	}
	return c->unapproved ? "asks first" : c->server ? "disconnected" : "not started";
}

static void
servers_draw_row(void *state, const struct view_env *env, struct surface s, int y, size_t index)
{
	static const char *const clients[] = {
		[CHOICE_TYPED] = "command line",
		[CHOICE_OWN] = "mcpane",
		[CHOICE_PROJECT] = "this folder",
		[CHOICE_DEMO] = "built in",
		[CHOICE_CLIENT] = "another client",
	};
	const struct server_choice *c = &env->ws->choices[index];
	bool shown = env->ws->server && c->server == env->ws->server;
	int name_cols = s.width < 70 ? 16 : s.width > 150 ? 2 * NAME_COLS : NAME_COLS;
	int x = NAME_X + name_cols + 1;
	enum role role;

	surface_textf(s, 0, y, 3, style_of(ROLE_HINT), "%zu", index + 1);
	surface_text(s, MARK_X, y, 1, style_of(ROLE_ACCENT), shown ? "▸" : " ");
	surface_text(s, NAME_X, y, name_cols, style_of(c->target->trouble ? ROLE_DIM : ROLE_TITLE),
	    c->target->name);
	const char *word = state_word(c, &role);
	surface_text(s, x, y, STATE_COLS, style_of(role), word);
	x += STATE_COLS;
	if (s.width >= 100) {
		surface_text(s, x, y, CLIENT_COLS - 1, style_of(ROLE_DIM),
		    c->target->client ? c->target->client : clients[c->origin]);
		x += CLIENT_COLS;
	}
	bool trouble = c->target->trouble && !c->reading;
	surface_text(s, x, y, -1, style_of(trouble ? ROLE_WARNING : ROLE_DIM),
	    trouble ? c->target->trouble : c->target->label);
}

/* ---- the selected server ---- */

static void
fill_facts(struct page *p, const struct server_choice *c)
{
	const struct target *t = c->target;
	const char *const origins[] = {
		[CHOICE_TYPED] = t->file ? "--config" : "the command line",
		[CHOICE_OWN] = "your own file",
		[CHOICE_PROJECT] = "a file in this folder",
		[CHOICE_DEMO] = "built in",
		[CHOICE_CLIENT] = t->client ? t->client : "another client",
	};
	bool client = t->client && c->origin != CHOICE_CLIENT;

	page_clear(p);
	if (t->trouble && !c->reading)
		page_row(p, 10, "trouble", ROLE_WARNING, t->trouble);
	if (c->server && server_info(c->server)->trouble[0])
		page_row(p, 10,
		    server_info(c->server)->phase == SERVER_READY ? "not responding" : "ended",
		    ROLE_ERROR, server_info(c->server)->trouble);
	if (t->label && t->label[0])
		page_row(p, 10, t->url ? "URL" : "command", ROLE_TEXT, t->label);
	if (t->cwd)
		page_row(p, 10, "folder", ROLE_TEXT, target_shown(t, t->cwd));
	pane_add_names(p, 10, "env", t->env, "=");
	pane_add_names(p, 10, "headers", t->headers, ":");
	page_rowf(p, 10, "from", ROLE_TEXT, "%s%s%s%s%s", origins[c->origin], client ? ", of " : "",
	    client ? t->client : "", t->file ? ": " : "",
	    !t->file   ? ""
	    : t->place ? t->place
		       : t->file);
	if (t->also)
		page_row(p, 10, "also in", ROLE_TEXT, t->also);
	if (c->unapproved)
		page_row(p, 10, "", ROLE_WARNING,
		    "Not approved yet: you see what it runs before it starts.");
}

static void
row_text(const struct seekable *s, size_t row, struct buf *out)
{
	const struct view_env *env = s->with;
	const struct server_choice *c = &env->ws->choices[row];
	enum role role;

	buf_addf(out, "%s  %s  %s", c->target->name, state_word(c, &role),
	    c->target->trouble ? c->target->trouble : c->target->label);
}

static void
servers_draw(void *state, const struct view_env *env, struct surface s)
{
	struct server_pane *p = state;

	list_set_count(&p->rows.list, env->ws->choice_count);
	const struct server_choice *c = servers_selected(p, env);
	int head = servers_draw_head(env, s), room = s.height - head, below = 0;
	if (c) {
		fill_facts(&p->facts, c);
		below = (int)page_rows(&p->facts, s.width) + 1;
		below = below < room / 2 ? below : room / 2;
	}
	rows_draw(p, env, s, head, room - below);
	if (below > 1)
		pane_draw_below(s, s.height - below, ROLE_TITLE, c->target->name, &p->facts);
}

/* ---- commands ---- */

/* Run a command for the named server, or else the selected one. */
static bool
servers_run(void *state, const struct view_env *env, const char *arg, const char *command)
{
	const struct server_pane *p = state;

	if (*arg)
		return pane_run(env, "%s %s", command, arg);
	return !servers_selected(p, env) ||
	       pane_run(env, "%s #%zu", command, p->rows.list.selected + 1);
}

VIEW_ACTION_WITH(act_open, servers_run, "server")
VIEW_ACTION_WITH(act_again, servers_run, "restart")
VIEW_ACTION_WITH(act_end, servers_run, "disconnect")
VIEW_ACTION_WITH(act_remove, servers_run, "remove-server")
VIEW_ACTION_WITH(act_edit, servers_run, "edit-server")
VIEW_ACTION_WITH(act_add, pane_act_run, "add")

static bool
act_toggle(void *state, const struct view_env *env, const char *arg)
{
	const struct server_choice *c = servers_selected(state, env);

	return servers_run(state, env, arg, c && c->target->disabled ? "enable" : "disable");
}

/* The user's servers come before the demo. */
static bool
act_select(void *state, const struct view_env *env, const char *arg)
{
	struct server_pane *p = state;
	size_t row = (size_t)strtoul(arg, NULL, 10);

	for (size_t i = 0; *arg == '\0' && i < env->ws->choice_count; i++)
		if (env->ws->choices[i].origin == CHOICE_OWN)
			row = i + 1;
	list_set_count(&p->rows.list, env->ws->choice_count);
	if (row > 0)
		list_select(&p->rows.list, row - 1);
	return true;
}

static const struct view_action actions[] = {
	{ "open-server", "enter", "", "start the selected server and show it", act_open, "open" },
	{ "start-again", "R", "", "restart the selected server", act_again, "restart" },
	{ "end-server", "K", "", "disconnect the selected server", act_end, "disconnect" },
	{ "add-server", "a", "", "add a server to your configuration", act_add, "add" },
	{ "toggle-server", "x", "", "disable or enable the selected server in your configuration",
	    act_toggle, "disable" },
	{ "take-out", "delete ctrl-k", "", "remove the selected server from your configuration",
	    act_remove, "remove" },
	{ "edit-file", "ctrl-e", "", "edit the file of the selected server in $EDITOR", act_edit,
	    "edit file" },
	{ "select-server", "", "[N]", "select a server here; by default the last one added",
	    act_select, NULL },
	{ 0 },
};

static const char *
servers_hint(void *state, const struct view_env *env, const struct view_action *action)
{
	const struct server_choice *c = servers_selected(state, env);
	bool own = c && c->origin == CHOICE_OWN;
	bool runs = c && c->server && server_info(c->server)->phase != SERVER_IDLE;

	if (action->run == act_toggle)
		return !own ? NULL : c->target->disabled ? "enable" : "disable";
	if (action->run == act_remove)
		return own ? action->hint : NULL;
	if (action->run == act_edit)
		return c && c->target->file ? action->hint : NULL;
	if (action->run == act_end || action->run == act_again)
		return runs ? action->hint : NULL;
	return action->hint;
}

static const struct row_ops row_ops = {
	.draw = servers_draw_row, .open = act_open, .text = row_text
};

const struct view_ops pane_servers = {
	.title = "Servers",
	.help = "the configured servers, their origin and state",
	.state_size = sizeof(struct server_pane),
	.actions = actions,
	.whole = "end-server take-out",
	.finish = servers_finish,
	.sync = servers_sync,
	.draw = servers_draw,
	.rows = &row_ops,
	.hint = servers_hint,
};

/* SPDX-License-Identifier: MIT */
#include "commands.h"

#include "auth/flow.h"
#include "base/mem.h"
#include "base/strings.h"
#include "base/units.h"
#include "base/url.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* By name, or else by number from 1; "#N" is always a number. An empty name means the shown one. */
static bool
servers_choose(struct workbench *wb, const char *arg, size_t *choice)
{
	const struct workspace *ws = &wb->ws;
	const char *number = *arg == '#' ? arg + 1 : arg;
	char *end;

	*choice = start_shown(wb);
	if (!*arg)
		return *choice != SIZE_MAX ||
		       workbench_refuse(wb, "no server is shown: :server lists them");
	for (*choice = 0; *arg != '#' && *choice < ws->choice_count; ++*choice)
		if (strcmp(ws->choices[*choice].target->name, arg) == 0)
			return true;
	unsigned long n = *number >= '1' && *number <= '9' ? strtoul(number, &end, 10) : 0;
	*choice = n - 1;
	return (n > 0 && *end == '\0' && n <= ws->choice_count) ||
	       workbench_say(wb, ROLE_ERROR, "no server is named %s", arg);
}

/* Without a name toggles the list, with the shown server selected. */
static bool
cmd_server(struct workbench *wb, const char *arg)
{
	size_t choice = start_shown(wb);
	char line[48];

	if (*arg)
		return servers_choose(wb, arg, &choice) && start_show(wb, choice);
	if (wb->overlay == PANE_servers)
		return workbench_run(wb, "back", wb->now_us);
	workbench_focus(wb, PANE_servers);
	if (choice == SIZE_MAX)
		return true;
	snprintf(line, sizeof(line), "select-server %zu", choice + 1);
	return workbench_run(wb, line, wb->now_us);
}

/* Reconnects, or connects unless the server is connected. */
static bool
cmd_connect(struct workbench *wb, const char *arg, int again)
{
	size_t choice;

	if (!servers_choose(wb, arg, &choice))
		return false;
	const struct server *s = wb->ws.choices[choice].server;
	enum server_phase phase = s ? server_info(s)->phase : SERVER_IDLE;
	bool reached = phase == SERVER_READY && !server_info(s)->trouble[0];
	if (!again && ((phase > SERVER_IDLE && phase < SERVER_READY) || reached))
		return workbench_say(wb, ROLE_DIM, "%s is connected", server_info(s)->name);
	if (!start_again(wb, choice))
		return false;
	if (again && !wb->dialog && choice != start_shown(wb)) /* showing the server says enough */
		workbench_say(wb, ROLE_DIM, "starting %s", wb->ws.choices[choice].target->name);
	return true;
}

static bool
cmd_disconnect(struct workbench *wb, const char *arg)
{
	struct err err = { "" };
	size_t choice;

	if (!servers_choose(wb, arg, &choice))
		return false;
	if (!wb->effects->stop(wb->user, choice, &err))
		return workbench_refuse(wb, err.text);
	wb->ws.generation++;
	return workbench_say(
	    wb, ROLE_DIM, "%s is disconnected: R reconnects", wb->ws.choices[choice].target->name);
}

static bool
cmd_era(struct workbench *wb, const char *arg)
{
	enum session_era era = session_era_find(arg);

	if (!wb->ws.server)
		return workbench_refuse(wb, "no server is shown: S lists them");
	if (era == ERA_COUNT)
		return workbench_refuse(wb, "usage: era auto, modern (2026-07-28) or legacy");
	server_set_era(wb->ws.server, era);
	return start_again(wb, start_shown(wb));
}

static bool
cmd_relist(struct workbench *wb, const char *arg)
{
	if (!wb->ws.server)
		return workbench_refuse(wb, "no server is connected");
	server_relist(wb->ws.server, wb->now_us);
	return workbench_say(wb, ROLE_DIM, "listing again");
}

static bool
cmd_timeout(struct workbench *wb, const char *arg)
{
	int64_t ms;

	if (!wb->ws.server)
		return workbench_refuse(wb, "no server is shown: S lists them");
	if (!units_parse_time_ms(arg, &ms) || ms == 0)
		return workbench_refuse(wb, "usage: timeout TIME, such as 500ms, 30s or 5m");
	server_set_timeout(wb->ws.server, ms);
	return workbench_say(wb, ROLE_OK, "new requests to %s time out after %s",
	    server_info(wb->ws.server)->name, arg);
}

static bool
cmd_meta(struct workbench *wb, const char *arg)
{
	struct strings words = { 0 };
	struct err err;

	if (!wb->ws.server)
		return workbench_refuse(wb, "no server is shown: S lists them");
	if (*arg == '{')
		strings_add(&words, arg);
	bool ok = !*arg || ((words.len > 0 || strings_split_command(&words, arg, &err)) &&
			       server_set_meta(wb->ws.server, (const char *const *)words.items,
				   words.len, &err));
	strings_finish(&words);
	if (!ok)
		return workbench_refuse(wb, err.text);
	const char *meta = server_info(wb->ws.server)->meta;
	return workbench_say(wb, ROLE_OK,
	    *meta ? "each call has in _meta: %s" : "calls have no further members in _meta%s",
	    meta);
}

static bool
cmd_trace(struct workbench *wb, const char *arg)
{
	if (!wb->ws.server)
		return workbench_refuse(wb, "no server is shown: S lists them");
	server_set_trace(wb->ws.server, !server_info(wb->ws.server)->trace);
	return workbench_say(wb, ROLE_OK,
	    server_info(wb->ws.server)->trace
		? "each call has its own traceparent in _meta: w shows it"
		: "calls no longer carry a traceparent");
}

/* ---- the user's own file ---- */

/* The commands in the text of another client are shown before it is added. */
static bool
cmd_add(struct workbench *wb, const char *arg, int asks)
{
	static const struct confirm_words add = { "Add to your servers?", "Do not add", "Add",
		NULL };
	struct strings words = { 0 };
	struct buf told = BUF_INIT;
	struct err err = { "" };

	if (asks && *arg == '\0') {
		prompt_open(wb, "add ");
		return true;
	}
	bool ok = wb->effects->add_pasted(wb->user, arg, asks ? &told : NULL, &err);
	if (ok && asks)
		return confirm_open(wb, &add, buf_detach(&told), "add! %s", arg);
	buf_finish(&told);
	if (asks && !err.text[0] && strings_split_command(&words, arg, &err)) {
		if (words.len == 1 && is_web_url(words.items[0])) {
			size_t len; /* "https://host:80/mcp" is named "host:80" by default */
			char *url = words.items[0];
			const char *host = web_url_host(url, &len);
			words.items[0] = mem_strndup(host, len);
			strings_take(&words, url);
		}
		if (words.len < 2)
			err_set(&err, "usage: add [NAME] COMMAND [ARG...], or add [NAME] URL");
		else
			ok = wb->effects->add_server(
			    wb->user, words.items[0], strings_argv(&words) + 1, &err);
	}
	if (ok) {
		wb->ws.generation++;
		workbench_focus(wb, PANE_servers);
		workbench_run(wb, "select-server", wb->now_us);
		workbench_say(wb, ROLE_OK, "added %s: Enter starts it",
		    asks ? words.items[0] : "to your file");
	}
	strings_finish(&words);
	return ok || workbench_refuse(wb, err.text);
}

bool
cmd_edit_server(struct workbench *wb, const char *arg)
{
	size_t choice = wb->overlay < 0 ? start_shown(wb) : SIZE_MAX;
	struct err err = { "" };

	if (*arg && !servers_choose(wb, arg, &choice))
		return false;
	if (choice != SIZE_MAX && wb->ws.choices[choice].origin == CHOICE_TYPED &&
	    !wb->ws.choices[choice].target->file) {
		/* A command line of the shell is in no file: it is corrected in the prompt, which
		 * adds it to the user's servers. */
		const struct target *t = wb->ws.choices[choice].target;
		struct buf line = BUF_INIT;
		buf_add_str(&line, "add ");
		strings_add_word(&line, t->name);
		for (char **word = t->argv; word && *word; word++) {
			buf_add_char(&line, ' ');
			strings_add_word(&line, *word);
		}
		if (t->url) {
			buf_add_char(&line, ' ');
			strings_add_word(&line, t->url);
		}
		prompt_open(wb, buf_text(&line));
		buf_finish(&line);
		return true;
	}
	return wb->effects->edit_server(wb->user, choice, &err) || workbench_refuse(wb, err.text);
}

static bool
cmd_set_disabled(struct workbench *wb, const char *arg, int disabled)
{
	struct err err = { "" };
	size_t choice;

	if (!servers_choose(wb, arg, &choice))
		return false;
	char *name = mem_strdup(wb->ws.choices[choice].target->name);
	bool ok = wb->effects->change_server(
	    wb->user, choice, disabled ? SERVER_DISABLE : SERVER_ENABLE, &err);
	wb->ws.generation++;
	ok = ok ? workbench_say(wb, ROLE_OK, "%s is %s", name, disabled ? "disabled" : "enabled")
		: workbench_refuse(wb, err.text);
	free(name);
	return ok;
}

static bool
cmd_remove_server(struct workbench *wb, const char *arg, int asks)
{
	static const struct confirm_words words = { "Remove the server?", "Keep it", "Remove",
		NULL };
	struct err err = { "" };
	size_t choice;

	if (!servers_choose(wb, arg, &choice))
		return false;
	const struct target *t = wb->ws.choices[choice].target;
	if (asks)
		return confirm_open(wb, &words,
		    mem_printf("Remove %s from %s?", t->name, t->file ? t->file : "its file"),
		    "remove-server! #%zu", choice + 1);
	bool ok = wb->effects->change_server(wb->user, choice, SERVER_REMOVE, &err);
	wb->ws.generation++;
	return ok ? workbench_say(wb, ROLE_OK, "removed from the file")
		  : workbench_refuse(wb, err.text);
}

static const struct auth_flow *
flow_of(struct workbench *wb)
{
	const struct auth_flow *flow = wb->ws.server ? server_info(wb->ws.server)->auth : NULL;

	if (!wb->ws.server)
		workbench_refuse(wb, "no server is connected");
	else if (!flow)
		workbench_refuse(wb, "this server does not use HTTP");
	return flow;
}

static bool
authorize(struct workbench *wb, enum authorize what, const char *text)
{
	size_t choice = start_shown(wb);
	struct err err = { "" };

	if (!flow_of(wb) || choice == SIZE_MAX)
		return false;
	bool ok = wb->effects->authorize(wb->user, choice, what, text, &err);
	wb->ws.generation++;
	return ok || workbench_refuse(wb, err.text);
}

/* A URL is opened only after it was on the screen. */
static bool
cmd_authorize(struct workbench *wb, const char *arg, int again)
{
	const struct auth_flow *flow = again ? NULL : flow_of(wb);
	bool seen = wb->overlay == PANE_authorization;

	if (!again && !flow)
		return false;
	wb->overlay = PANE_authorization;
	if (again)
		return authorize(wb, AUTHORIZE_AGAIN, "");
	if (*arg)
		return authorize(wb, AUTHORIZE_PASTE, arg);
	if (!seen && auth_flow_info(flow).browser_url)
		return workbench_say(
		    wb, ROLE_WARNING, "check the URL above, then repeat to open it");
	return authorize(wb, AUTHORIZE_NEXT, "");
}

static bool
cmd_copy_authorization(struct workbench *wb, const char *arg)
{
	const struct auth_flow *flow = flow_of(wb);
	const char *url = auth_flow_info(flow).browser_url;

	if (!url)
		return flow && workbench_refuse(wb, "there is no URL for the browser now");
	wb->effects->copy(wb->user, url, strlen(url));
	return workbench_say(wb, ROLE_OK, "copied the URL for the browser");
}

static bool
cmd_client_id(struct workbench *wb, const char *arg)
{
	if (*arg == '\0')
		return workbench_refuse(wb, "usage: client-id ID [@FILE|env:NAME]");
	return authorize(wb, AUTHORIZE_CLIENT, arg);
}

static bool
cmd_forget_tokens(struct workbench *wb, const char *arg, int asks)
{
	static const struct confirm_words words = { "Delete the tokens?", "Keep them", "Forget",
		NULL };
	const struct auth_flow *flow = flow_of(wb);

	if (!flow)
		return false;
	if (!asks)
		return authorize(wb, AUTHORIZE_FORGET, "") && workbench_say(wb, ROLE_OK, "deleted");
	return confirm_open(wb, &words,
	    mem_printf(
		"Delete the tokens and the registration of %s?", auth_flow_info(flow).server_url),
	    "forget-tokens!");
}

/* clang-format off */
const struct command server_commands[] = {
	COMMAND_IN_FULL_WITH("restart", "R", "[N|NAME]", "reconnect to the server", cmd_connect, true),
	COMMAND_WITH("connect", "", "[N|NAME]", "connect to a disconnected server", cmd_connect, false),
	COMMAND("era", "", "auto|modern|legacy", "reconnect with the protocol of that era", cmd_era),
	COMMAND_IN_FULL("disconnect", "", "[N|NAME]", "disconnect, but keep the results", cmd_disconnect),
	COMMAND("meta", "", "[KEY=VALUE... | JSON]", "send these members of _meta with each call, KEY:=JSON too; {} for none", cmd_meta),
	COMMAND("trace", "", "", "toggle a traceparent in each call", cmd_trace),
	COMMAND("timeout", "", "TIME", "set the timeout of new requests", cmd_timeout),
	COMMAND("relist", "", "", "ask for all lists again", cmd_relist),
	COMMAND("server", "S", "[N|NAME]", "list the servers, or start and show one", cmd_server),
	COMMAND_WITH("authorize", "", "[URL]", "agree to the next step, or give the redirect URL", cmd_authorize, false),
	COMMAND_WITH("authorize-again", "", "", "start the authorization over", cmd_authorize, true),
	COMMAND("copy-authorization-url", "", "", "copy the URL for the browser", cmd_copy_authorization),
	COMMAND("client-id", "", "ID [SECRET]", "use a registered client; @FILE or env:NAME", cmd_client_id),
	COMMAND_IN_FULL_WITH("forget-tokens", "", "", "delete its tokens and registration", cmd_forget_tokens, true),
	COMMAND_IN_FULL_WITH("forget-tokens!", "", "", "delete them without confirmation", cmd_forget_tokens, false),
	COMMAND_WITH("add", "", "[NAME] COMMAND [ARG...]", "add a server to your configuration; or [NAME] URL, another client's JSON, or its `mcp add` command", cmd_add, true),
	COMMAND_WITH("add!", "", "JSON", "add the pasted server without confirmation", cmd_add, false),
	COMMAND("edit-server", "", "[N|NAME]", "edit its file, or yours, in $EDITOR", cmd_edit_server),
	COMMAND_WITH("disable", "", "[N|NAME]", "disable a server in your configuration", cmd_set_disabled, true),
	COMMAND_WITH("enable", "", "[N|NAME]", "enable a server in your configuration", cmd_set_disabled, false),
	COMMAND_IN_FULL_WITH("remove-server", "", "[N|NAME]", "remove a server from your configuration", cmd_remove_server, true),
	COMMAND_IN_FULL_WITH("remove-server!", "", "[N|NAME]", "remove without confirmation", cmd_remove_server, false),
	{ 0 },
};
/* clang-format on */

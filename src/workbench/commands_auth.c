#include "commands_priv.h"

#include "auth/flow.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

bool
cmd_authorization(struct workbench *wb, const char *arg)
{
	(void)arg;
	return workbench_toggle(wb, PANE_authorization);
}

static const struct auth_flow *
flow_of(struct workbench *wb)
{
	const struct auth_flow *flow = wb->ws.server ? server_auth(wb->ws.server) : NULL;

	if (!wb->ws.server)
		workbench_refuse(wb, "no server is connected");
	else if (!flow)
		workbench_refuse(wb, "this server is not reached by HTTP");
	return flow;
}

static bool
ask_host(struct workbench *wb, enum workbench_auth what, const char *text)
{
	size_t choice = start_shown(wb);
	struct err err = { "" };

	if (!flow_of(wb) || choice == SIZE_MAX)
		return false;
	bool ok = wb->host->authorize(wb->user, choice, what, text, &err);
	wb->ws.generation++;
	return ok || workbench_refuse(wb, err.text);
}

/* An address is opened only after it was on the screen. */
bool
cmd_authorize(struct workbench *wb, const char *arg)
{
	const struct auth_flow *flow = flow_of(wb);
	bool seen = wb->overlay == PANE_authorization;

	if (!flow)
		return false;
	wb->overlay = PANE_authorization;
	if (*arg)
		return ask_host(wb, WORKBENCH_AUTH_PASTE, arg);
	if (!seen && auth_flow_browser_url(flow))
		return workbench_say(
		    wb, ROLE_WARNING, "this is where the browser goes: again to open it");
	return ask_host(wb, WORKBENCH_AUTH_NEXT, "");
}

bool
cmd_authorize_again(struct workbench *wb, const char *arg)
{
	(void)arg;
	wb->overlay = PANE_authorization;
	return ask_host(wb, WORKBENCH_AUTH_AGAIN, "");
}

bool
cmd_copy_authorization(struct workbench *wb, const char *arg)
{
	const struct auth_flow *flow = flow_of(wb);
	const char *url = flow ? auth_flow_browser_url(flow) : NULL;
	(void)arg;

	if (!url)
		return flow && workbench_refuse(wb, "there is no address for the browser now");
	wb->host->copy(wb->user, url, strlen(url));
	return workbench_say(wb, ROLE_OK, "copied the address for the browser");
}

bool
cmd_client_id(struct workbench *wb, const char *arg)
{
	if (*arg == '\0')
		return workbench_refuse(wb, "usage: client-id ID [@FILE|env:NAME]");
	return ask_host(wb, WORKBENCH_AUTH_CLIENT, arg);
}

bool
cmd_forget_tokens(struct workbench *wb, const char *arg)
{
	static const struct confirm_words words = { "Forget the tokens?", "Keep them", "Forget",
		NULL };
	const struct auth_flow *flow = flow_of(wb);
	(void)arg;

	if (!flow)
		return false;
	confirm_open(wb, &words, "forget-tokens!",
	    mem_printf(
		"Forget the tokens and the registration of %s?", auth_flow_server_url(flow)));
	return true;
}

bool
cmd_forget_tokens_now(struct workbench *wb, const char *arg)
{
	(void)arg;
	return ask_host(wb, WORKBENCH_AUTH_FORGET, "") && workbench_say(wb, ROLE_OK, "forgotten");
}

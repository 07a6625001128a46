/* SPDX-License-Identifier: MIT */
#include "client/app.h"
#include "commands.h"

#include <string.h>
#include <strings.h>

/* The app of the call that is shown. */

void
app_open_for_call(struct workbench *wb, uint64_t call)
{
	struct workspace *ws = &wb->ws;
	const struct call *c = server_find_call(ws->server, call);

	ws->desk->shows_app = c && call_has_app(c) && server_info(ws->server)->runs_apps &&
			      server_open_app(ws->server, call, wb->now_us, NULL) != NULL;
}

static bool
show(struct workbench *wb)
{
	struct workspace *ws = &wb->ws;
	const struct call *c = workspace_call(ws);
	struct err err = { "" };

	if (!c)
		return workbench_refuse(wb, "call a tool that has an app first");
	if (!server_open_app(ws->server, c->id, wb->now_us, &err))
		return workbench_refuse(wb, err.text);
	struct app *floating = server_floating_app(ws->server);
	if (floating) /* there is room for one */
		app_set_display(floating, APP_DISPLAY_INLINE, wb->now_us);
	ws->desk->shows_app = true;
	ws->generation++;
	workbench_focus(wb, PANE_app);
	return true;
}

/* ---- the whole screen, or a corner of it ---- */

bool
workbench_has_floating(const struct workbench *wb)
{
	return wb->ws.server && server_floating_app(wb->ws.server) != NULL;
}

static void
leave_whole(struct workbench *wb)
{
	struct app *a = wb->ws.server ? server_find_app(wb->ws.server, wb->whole_app) : NULL;

	wb->whole_app = 0;
	if (a && app_facts(a)->display == APP_DISPLAY_FULLSCREEN)
		app_set_display(a, APP_DISPLAY_INLINE, wb->now_us);
}

/* Only the pane that the user is in becomes the whole screen. */
static void
enter_whole(struct workbench *wb, struct app *a)
{
	if (wb->focus == PANE_app) {
		wb->zoomed = true;
		wb->whole_app = app_facts(a)->call;
		return;
	}
	app_set_display(a, APP_DISPLAY_INLINE, wb->now_us);
	workbench_say(wb, ROLE_WARNING, "the app wants the whole screen: :app full gives it");
}

void
workbench_settle_app(struct workbench *wb)
{
	struct app *a = workspace_shows_app(&wb->ws) ? workspace_app(&wb->ws) : NULL;
	bool wants = a && app_facts(a)->display == APP_DISPLAY_FULLSCREEN;
	bool same = a && app_facts(a)->call == wb->whole_app;

	if (!wb->whole_app) {
		if (wants && wb->overlay < 0 && !wb->dialog)
			enter_whole(wb, a);
	} else if (!wants || !same) { /* it no longer wants the screen, or is not shown */
		wb->zoomed = false;
		leave_whole(wb);
	} else if (!wb->zoomed || wb->focus != PANE_app) { /* the user has left it */
		leave_whole(wb);
	}
}

static bool
hide(struct workbench *wb)
{
	wb->ws.desk->shows_app = false;
	wb->ws.generation++;
	workbench_focus(wb, PANE_structured);
	return true;
}

/* One that floats gets the keyboard. */
static bool
toggle(struct workbench *wb)
{
	if (workbench_has_floating(wb))
		return workbench_run(wb, "type-into-app", wb->now_us);
	return workspace_shows_app(&wb->ws) ? hide(wb) : show(wb);
}

static bool
show_whole(struct workbench *wb)
{
	return show(wb) &&
	       app_set_display(workspace_app(&wb->ws), APP_DISPLAY_FULLSCREEN, wb->now_us);
}

/* Or back into its pane. */
static bool
show_floating(struct workbench *wb)
{
	struct app *floating = wb->ws.server ? server_floating_app(wb->ws.server) : NULL;

	if (floating)
		return app_set_display(floating, APP_DISPLAY_INLINE, wb->now_us);
	if (!show(wb) || !app_set_display(workspace_app(&wb->ws), APP_DISPLAY_PIP, wb->now_us))
		return false;
	workbench_focus(wb, PANE_structured);
	return true;
}

static bool
close_app(struct workbench *wb)
{
	struct workspace *ws = &wb->ws;
	struct app *a = workspace_app(ws);
	bool in_pane = workspace_shows_app(ws);

	if (!a)
		return workbench_refuse(wb, "no app is open");
	app_close(a, "closed by the user", wb->now_us);
	return in_pane ? hide(wb) : true;
}

bool
cmd_app(struct workbench *wb, const char *arg)
{
	static const struct {
		const char *word;
		bool (*run)(struct workbench *wb);
	} words[] = {
		{ "", toggle },
		{ "full", show_whole },
		{ "pip", show_floating },
		{ "close", close_app },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strcmp(words[i].word, arg) == 0)
			return words[i].run(wb);
	if (!cmd_select(wb, arg, PRIMITIVE_TOOL))
		return false;
	return workspace_call(&wb->ws) ? show(wb) : cmd_call(wb, "");
}

/* The domains that the apps of a server can reach: the user is asked about each. */

static bool
refuse_none(struct workbench *wb, const struct app_facts *f, const char *text)
{
	for (int i = 0; i < APP_PERMISSIONS; i++)
		if (strcmp(text, app_permission_names[i]) == 0)
			return workbench_refuse(wb, app_permission_answers[i]);
	if (*text)
		return workbench_say(
		    wb, ROLE_ERROR, "the app declares no domain %.100s that it could reach", text);
	return workbench_refuse(
	    wb, f->allowed->len > 0 ? "all that the app declares is allowed; :app-forbid ends it"
				    : "the app declares no domain");
}

static void
add_question(struct workbench *wb, const struct app_domain *d, struct buf *out)
{
	buf_addf(out,
	    "%s\n\nAll apps of the server %s that declare it can send it all that they see and "
	    "know, and load from it, until mcpane ends or :app-forbid. mcpane carries their "
	    "requests, without cookies.\n",
	    d->text, server_info(wb->ws.server)->name);
	if (app_domain_is_address(d->text))
		buf_add_str(out, "⚠ It is an address, perhaps of this computer or its network.\n");
	if (strchr(d->text, '*'))
		buf_add_str(out, "⚠ It matches many hosts.\n");
	if (strncasecmp(d->text, "http:", strlen("http:")) == 0)
		buf_add_str(out, "⚠ It is not encrypted.\n");
}

static const struct app_domain *
need_domain(struct workbench *wb, const char *text)
{
	struct app *a = workspace_app(&wb->ws);
	const struct app_domain *d = a ? app_find_domain(a, text) : NULL;

	if (!a)
		workbench_refuse(wb, "no app is open");
	else if (!d)
		refuse_none(wb, app_facts(a), text);
	return d;
}

bool
cmd_app_allow(struct workbench *wb, const char *arg)
{
	static const struct confirm_words words = { "Let apps reach this domain?", "Keep them in",
		"Allow", NULL };
	const struct app_domain *d = need_domain(wb, arg);
	struct buf text = BUF_INIT;

	if (!d)
		return false;
	add_question(wb, d, &text);
	return confirm_open(wb, &words, buf_detach(&text), "app-allow! %s", d->text);
}

bool
cmd_app_allow_now(struct workbench *wb, const char *arg)
{
	const struct app_domain *d = need_domain(wb, arg);

	if (!d)
		return false;
	server_allow_domain(wb->ws.server, d->text);
	return workbench_say(wb, ROLE_WARNING,
	    "apps of this server reach %.80s; Alt-n ends that, :reload-app starts the app again",
	    d->text);
}

bool
cmd_app_forbid(struct workbench *wb, const char *arg)
{
	if (!wb->ws.server || !server_forbid_domains(wb->ws.server))
		return workbench_refuse(wb, "no domain is allowed to apps");
	return workbench_say(wb, ROLE_OK, "apps of this server can no longer reach any domain");
}

#include "commands.h"

#include "client/app.h"

#include <string.h>
#include <strings.h>

/* What the apps of a server may reach outside: each domain is asked about. */

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
	    "%s\n\nAll apps of the server %s that declare it can send it whatever they see and "
	    "know, and load from it, until mcpane ends or :app-forbid. mcpane carries their "
	    "requests, without cookies.\n",
	    d->text, server_info(wb->ws.server)->name);
	if (app_domain_is_address(d->text))
		buf_add_str(out, "⚠ It is an address, perhaps of this computer or its network.\n");
	if (strchr(d->text, '*'))
		buf_add_str(out, "⚠ It stands for many hosts.\n");
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
	struct buf text = BUF_INIT, command = BUF_INIT;

	if (!d)
		return false;
	add_question(wb, d, &text);
	buf_addf(&command, "app-allow! %s", d->text);
	confirm_open(wb, &words, buf_text(&command), buf_detach(&text));
	buf_finish(&command);
	return true;
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
	return workbench_say(wb, ROLE_OK, "apps of this server reach no domain any more");
}

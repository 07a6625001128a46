/* SPDX-License-Identifier: MIT */
#include "base/units.h"
#include "client/app.h"
#include "client/findings.h"
#include "client/lens.h"
#include "json/print.h"
#include "pane/pane_text.h"
#include "ui/page.h"

#include <stdlib.h>
#include <string.h>

/*
 * The app of the shown call: its identity, findings, its messages and context for the model, its
 * permissions.
 */

enum { KEY_COLS = 16, VALUE_BYTES = 16 << 10, LINE_BYTES = 2000 };

static void
write_json(struct page *page, enum role role, const cJSON *value)
{
	struct buf text = BUF_INIT;

	json_print_pretty(&text, value, 2);
	if (text.len > VALUE_BYTES) {
		text.len = VALUE_BYTES;
		buf_add_str(&text, "\n… only the beginning is shown");
	}
	page_text(page, 2, role, buf_text(&text));
	buf_finish(&text);
}

static void
row(struct page *page, const char *key, const char *text)
{
	page_row(page, KEY_COLS, key, ROLE_TEXT, text);
}

/* ---- identity ---- */

static void
write_app(struct page *page, const struct app_facts *f)
{
	const struct app_bridge_info *b = f->bridge;
	const struct app_engine e = f->house->views->engine(f->house);
	const char *mime = f->page->mime;
	struct buf text = BUF_INIT;

	page_head(page, "Identity");
	row(page, "tool", f->tool);
	row(page, "resource", f->uri);
	if (f->page->html.len > 0)
		page_rowf(page, KEY_COLS, "page", ROLE_TEXT, "%s of HTML, %s",
		    pane_bytes(f->page->html.len).text, mime ? mime : "without a MIME type");
	if (b && b->app_name[0])
		page_rowf(page, KEY_COLS, "app", ROLE_TEXT, "%s%s%s %s", b->app_name,
		    *b->app_title ? " · " : "", b->app_title, b->app_version);
	if (b && b->protocol[0])
		row(page, "protocol", b->protocol);
	if (b && b->capabilities) {
		json_print_brief(&text, b->capabilities, LINE_BYTES);
		row(page, "capabilities", buf_text(&text));
		buf_clear(&text);
	}
	buf_add_str(&text, app_life_names[f->life]);
	if (f->ready_us >= 0)
		buf_addf(&text, " · initialized after %s", pane_duration(f->ready_us).text);
	if (f->view && f->view->state != APP_VIEW_OPENING)
		buf_addf(&text, " · loaded after %d ms", f->view->took_ms);
	buf_addf(&text, " · %zu pictures", f->frames);
	row(page, "state", buf_text(&text));
	buf_finish(&text);
	if (f->life == APP_BROKEN)
		page_row(page, KEY_COLS, "reason", ROLE_ERROR, f->reason);
	if (b)
		page_rowf(page, KEY_COLS, "bridge", ROLE_TEXT, "%zu messages received, %zu sent%s",
		    b->received, b->sent, b->dropped ? "; a flood was dropped" : "");
	if (*e.version && e.memory_bytes > 0)
		page_rowf(page, KEY_COLS, "engine", ROLE_TEXT, "%s, %s for all apps", e.version,
		    pane_bytes((size_t)e.memory_bytes).text);
	else if (*e.version)
		row(page, "engine", e.version);
}

/* ---- permissions ---- */

static void
write_domains(struct page *page, const struct app_facts *f)
{
	const struct app_policy *policy = f->policy;

	for (size_t i = 0; i < policy->domains.len; i++) {
		const struct app_domain *d = &policy->domains.items[i];
		const char *key = app_domain_members[d->kind],
			   *offline = app_domain_stays_offline(d);
		bool allowed = !offline && strings_have(f->allowed, d->text);
		page_row(
		    page, KEY_COLS, key, d->refusal || allowed ? ROLE_WARNING : ROLE_TEXT, d->text);
		page_row(page, KEY_COLS, "", d->refusal ? ROLE_WARNING : ROLE_TEXT,
		    offline   ? offline
		    : allowed ? "allowed for the apps of this server, without WebSockets: "
				"Alt-n revokes it"
			      : "not allowed: :app-allow asks for it");
	}
	if (policy->rest > 0)
		page_rowf(page, KEY_COLS, "", ROLE_TEXT,
		    "%zu more exceed the limit and are ignored", policy->rest);
	if (policy->domains.len == 0)
		row(page, "domains", "none declared: the page reaches no network");
}

static void
write_rights(struct page *page, const struct app_facts *f)
{
	static const char *const borders[] = {
		[APP_BORDER_ABSENT] = "not set",
		[APP_BORDER_NO] = "false",
		[APP_BORDER_YES] = "true",
	};
	const struct app_resource *r = &f->page->resource;

	page_head(page, "Permissions");
	page_rowf(page, KEY_COLS, "policy", ROLE_TEXT, "%s; Alt-r starts the app with the %s one",
	    app_csp_names[f->csp], app_csp_names[!f->csp]);
	row(page, "header", buf_text(&f->policy->header));
	write_domains(page, f);
	if (f->carried > 0)
		page_rowf(page, KEY_COLS, "network", ROLE_TEXT,
		    "%zu request%s went out; the console lists them", f->carried,
		    plural(f->carried));
	if (r->permissions == 0)
		row(page, "permissions", "none requested");
	for (int i = 0; i < APP_PERMISSIONS; i++)
		if (r->permissions >> i & 1)
			page_rowf(page, KEY_COLS, "permissions", ROLE_TEXT, "%s: %s",
			    app_permission_names[i], app_permission_answers[i]);
	row(page, "prefersBorder", borders[r->border]);
	if (r->domain)
		page_rowf(
		    page, KEY_COLS, "domain", ROLE_TEXT, "%s, only for other hosts", r->domain);
}

/* ---- context and messages for the model ---- */

static void
write_context(struct page *page, const struct app_bridge_info *b)
{
	if (!b || !b->context) {
		page_text(page, 2, ROLE_HINT, "The app has not set a model context.");
		return;
	}
	char *text = json_text(b->context);
	size_t tokens = tokens_estimate_soon(text, strlen(text));
	page_rowf(page, KEY_COLS, "model context", ROLE_TEXT,
	    "%s, ≈ %s token%s; set %zu time%s, the last value is used",
	    pane_bytes(b->context_bytes).text, units_count(tokens).text, plural(tokens),
	    b->context_updates, plural(b->context_updates));
	write_json(page, ROLE_TEXT, b->context);
	free(text);
}

static void
write_messages(struct page *page, const struct strings *messages)
{
	if (messages->len == 0)
		page_text(
		    page, 2, ROLE_HINT, "The app has not sent a message to the conversation.");
	for (size_t i = 0; i < messages->len; i++) {
		const char *json = messages->items[i];
		struct json_doc *doc = json_parse(json, strlen(json), NULL, NULL);
		page_rowf(page, KEY_COLS, "message", ROLE_TEXT, "%zu of %zu, sent as the user",
		    i + 1, messages->len);
		if (doc)
			write_json(page, ROLE_TEXT, json_root(doc));
		json_doc_destroy(doc);
	}
}

/* The facts on the page: it is written again if a member changes. */
struct inspector_seen {
	const struct app_facts *app;
	const cJSON *read;
	const char *withheld;
	size_t received, sent, updates, messages, errors, allowed, carried;
	int64_t seconds;                               /* while the handshake is awaited */
	uint32_t csp, life, phase, view, call, unused; /* no padding: compared as bytes */
};

struct inspector_pane {
	struct page page; /* first */
	struct inspector_seen seen;
};

static struct inspector_seen
look(const struct app_facts *f, const struct call *c, int64_t now_us)
{
	struct inspector_seen now = {
		.app = f,
		.read = f->read,
		.withheld = f->withheld,
		.messages = f->messages->len,
		.errors = f->errors,
		.allowed = f->allowed->len,
		.carried = f->carried,
		.csp = f->csp,
		.life = f->life,
		.view = f->view ? f->view->state + 1u : 0,
		.call = c ? c->state + 1u : 0,
	};

	if (f->bridge) {
		now.phase = f->bridge->phase;
		now.received = f->bridge->received;
		now.sent = f->bridge->sent;
		now.updates = f->bridge->context_updates;
	}
	if (f->life == APP_STARTING)
		now.seconds = (now_us - f->started_us) / 1000000;
	return now;
}

static bool
inspector_renew(void *state, const struct view_env *env)
{
	struct inspector_pane *p = state;
	struct app *a = workspace_app(env->ws);

	if (!a)
		return false;
	const struct app_facts *f = app_facts(a);
	const struct call *c = server_find_call(env->ws->server, f->call);
	const struct inspector_seen now = look(f, c, env->now_us);

	if (memcmp(&now, &p->seen, sizeof(now)) == 0)
		return true;
	if (now.app != p->seen.app)
		p->page.top = 0;
	p->seen = now;
	page_clear(&p->page);
	write_app(&p->page, f);
	page_head(&p->page, "Findings");
	const struct findings *found = app_findings(a, env->now_us);
	if (found->len == 0)
		page_mark_row(
		    &p->page, 2, ROLE_OK, "✓", ROLE_TEXT, "no problems in the page or its run");
	for (size_t i = 0; i < found->len; i++) {
		const struct found *at = &found->items[i];
		const struct finding_look *style = &pane_finding_looks[at->kind->severity];
		page_mark_row(&p->page, 2, style->role, style->mark, style->role, at->text);
		page_text(&p->page, 2, ROLE_HINT, at->kind->mend);
	}
	page_head(&p->page, "For the model");
	write_context(&p->page, f->bridge);
	write_messages(&p->page, f->messages);
	write_rights(&p->page, f);
	return true;
}

static void
inspector_draw(void *state, const struct view_env *env, struct surface s)
{
	struct inspector_pane *p = state;

	if (inspector_renew(p, env))
		page_draw(&p->page, s, ROLE_NONE, env->focused);
	else
		pane_draw_text(
		    s, 0, ROLE_HINT, "No app is open: call a tool that has one (◫ in the list).");
}

static enum role
inspector_heading(void *state, const struct view_env *env, struct buf *title, struct buf *facts)
{
	const struct app *a = workspace_app(env->ws);

	buf_add_str(title, "inspector");
	if (!a)
		return ROLE_DIM;
	buf_addf(title, " · %s", app_name(a));
	buf_add_str(facts, app_life_names[app_facts(a)->life]);
	return app_facts(a)->life == APP_BROKEN ? ROLE_WARNING : ROLE_DIM;
}

static const struct view_action actions[] = {
	{ "copy-inspector", "y", "", "copy this page to the clipboard", pane_act_copy, "copy" },
	{ 0 },
};

static const struct view_binding bindings[] = { { "alt-r", "other-policy" }, { 0 } };

const struct view_ops pane_inspector = {
	.title = "inspector",
	.help = "the open app: identity, permissions, findings, context for the model",
	.state_size = sizeof(struct inspector_pane),
	.actions = actions,
	.bindings = bindings,
	.heading = inspector_heading,
	.draw = inspector_draw,
	.page = inspector_renew,
};

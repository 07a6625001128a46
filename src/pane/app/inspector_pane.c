#include "base/units.h"
#include "client/app.h"
#include "client/findings.h"
#include "client/lens.h"
#include "json/print.h"
#include "pane/pane.h"
#include "pane/pane_text.h"
#include "ui/page.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* What is known of an app, and what it told the model. */

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

static void __attribute__((format(printf, 3, 4)))
rowf(struct page *page, const char *key, const char *format, ...)
{
	char text[LINE_BYTES];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	row(page, key, text);
}

/* ---- what it is ---- */

static void
write_size(struct page *page, const struct app_html *html)
{
	struct buf size = BUF_INIT;

	pane_add_bytes(&size, html->html.len);
	rowf(page, "page", "%s of HTML, %s", buf_text(&size),
	    html->mime ? html->mime : "without a MIME type");
	buf_finish(&size);
}

static void
write_engine(struct page *page, const struct app_house *house)
{
	const struct app_engine e = house->views->engine(house);
	struct buf size = BUF_INIT;

	if (!*e.version)
		return;
	pane_add_bytes(&size, (size_t)e.memory_bytes);
	if (e.memory_bytes > 0)
		rowf(page, "engine", "%s, %s for all apps", e.version, buf_text(&size));
	else
		row(page, "engine", e.version);
	buf_finish(&size);
}

static void
write_times(struct page *page, const struct app_facts *f)
{
	struct buf text = BUF_INIT;

	buf_addf(&text, "%s", app_life_names[f->life]);
	if (f->ready_us >= 0) {
		buf_add_str(&text, " · initialized after ");
		pane_add_duration(&text, f->ready_us);
	}
	if (f->view && f->view->state != APP_VIEW_OPENING)
		buf_addf(&text, " · loaded after %d ms", f->view->took_ms);
	buf_addf(&text, " · %zu pictures", f->frames);
	row(page, "state", buf_text(&text));
	if (f->life == APP_BROKEN)
		page_row(page, KEY_COLS, "reason", ROLE_ERROR, f->reason);
	buf_finish(&text);
}

static void
write_app(struct page *page, const struct app_facts *f)
{
	const struct app_bridge_info *b = f->bridge;

	page_head(page, "What it is");
	row(page, "tool", f->tool);
	row(page, "resource", f->uri);
	if (f->page->html.len > 0)
		write_size(page, f->page);
	if (b && b->app_name[0])
		rowf(page, "app", "%s%s%s %s", b->app_name, *b->app_title ? " · " : "",
		    b->app_title, b->app_version);
	if (b && b->protocol[0])
		row(page, "protocol", b->protocol);
	if (b && b->capabilities) {
		struct buf text = BUF_INIT;
		json_print_brief(&text, b->capabilities, LINE_BYTES);
		row(page, "capabilities", buf_text(&text));
		buf_finish(&text);
	}
	write_times(page, f);
	if (b)
		rowf(page, "bridge", "%zu messages received, %zu sent%s", b->received, b->sent,
		    b->dropped ? "; a flood was dropped" : "");
	write_engine(page, f->house);
}

/* ---- what it may ---- */

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
		    : allowed ? "allowed to the apps of this server, but not for WebSockets: "
				"Alt-n ends it"
			      : "not allowed: :app-allow asks for it");
	}
	if (policy->rest > 0)
		rowf(page, "", "%zu more are too many and do not count", policy->rest);
	if (policy->domains.len == 0)
		row(page, "domains", "none declared: the page reaches no network");
}

static void
write_rights(struct page *page, const struct app_facts *f)
{
	static const char *const borders[] = {
		[APP_BORDER_ABSENT] = "not said",
		[APP_BORDER_NO] = "false",
		[APP_BORDER_YES] = "true",
	};
	const struct app_resource *r = &f->page->resource;

	page_gap(page);
	page_head(page, "What it may");
	rowf(page, "policy", "%s; Alt-r starts the app with the %s one", app_csp_names[f->csp],
	    app_csp_names[!f->csp]);
	row(page, "header", buf_text(&f->policy->header));
	write_domains(page, f);
	if (f->carried > 0)
		rowf(page, "network", "%zu request%s went out; the console lists them", f->carried,
		    plural(f->carried));
	if (r->permissions == 0)
		row(page, "permissions", "none wanted");
	for (int i = 0; i < APP_PERMISSIONS; i++)
		if (r->permissions >> i & 1)
			rowf(page, "permissions", "%s: %s", app_permission_names[i],
			    app_permission_answers[i]);
	row(page, "prefersBorder", borders[r->border]);
	if (r->domain)
		rowf(page, "domain", "%s, which only says something to other hosts", r->domain);
}

/* ---- what it told the model ---- */

static void
write_context(struct page *page, const struct app_bridge_info *b)
{
	struct buf text = BUF_INIT;

	if (!b || !b->context) {
		page_text(page, 2, ROLE_HINT, "It has set no model context.");
		return;
	}
	json_print(&text, b->context);
	size_t tokens = tokens_estimate_soon(buf_text(&text), text.len);
	buf_clear(&text);
	pane_add_bytes(&text, b->context_bytes);
	buf_add_str(&text, ", ");
	pane_add_tokens(&text, tokens);
	buf_addf(&text, "; set %zu time%s, and the last one counts", b->context_updates,
	    b->context_updates == 1 ? "" : "s");
	row(page, "model context", buf_text(&text));
	write_json(page, ROLE_TEXT, b->context);
	buf_finish(&text);
}

static void
write_messages(struct page *page, const struct strings *messages)
{
	if (messages->len == 0)
		page_text(page, 2, ROLE_HINT, "It has sent no message to the conversation.");
	for (size_t i = 0; i < messages->len; i++) {
		const char *json = messages->items[i];
		struct json_doc *doc = json_parse(json, strlen(json), NULL, NULL);
		rowf(page, "message", "%zu of %zu, as the user's", i + 1, messages->len);
		if (doc)
			write_json(page, ROLE_TEXT, json_root(doc));
		json_doc_destroy(doc);
	}
}

/* ---- what was found ---- */

static void
write_findings(struct page *page, const struct findings *found)
{
	page_gap(page);
	page_head(page, "What was found");
	if (found->len == 0)
		page_mark_row(
		    page, 2, ROLE_OK, "✓", ROLE_TEXT, "nothing about its page or its run");
	for (size_t i = 0; i < found->len; i++) {
		const struct found *f = &found->items[i];
		const struct finding_look *look = &pane_finding_looks[f->kind->severity];
		page_mark_row(page, 2, look->role, look->mark, look->role, f->text);
		page_text(page, 2, ROLE_HINT, f->kind->mend);
	}
}

static void
inspector_write(struct page *page, const struct app_facts *f, const struct findings *found)
{
	page_clear(page);
	write_app(page, f);
	write_findings(page, found);
	page_gap(page);
	page_head(page, "What it told the model");
	write_context(page, f->bridge);
	write_messages(page, f->messages);
	write_rights(page, f);
}

/* The app of the call that is shown: what it is, what was found about it, what it told the model,
 * what it may. */

/* What the page says; it is written again if any of it changes, and a picture changes nothing. */
struct inspector_seen {
	const struct app_facts *app;
	const cJSON *read;
	const char *withheld;
	size_t received, sent, updates, messages, errors, allowed, carried;
	int64_t seconds;                               /* while the handshake is awaited */
	uint32_t csp, life, phase, view, call, unused; /* no padding: compared as bytes */
};

struct inspector_pane {
	struct page page;
	struct inspector_seen seen;
};

static void
finish(void *state)
{
	page_finish(&((struct inspector_pane *)state)->page);
}

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

static void
renew(struct inspector_pane *p, const struct view_env *env, struct app *a)
{
	const struct app_facts *f = app_facts(a);
	const struct call *c = server_find_call(env->ws->server, f->call);
	const struct inspector_seen now = look(f, c, env->now_us);

	if (memcmp(&now, &p->seen, sizeof(now)) == 0)
		return;
	if (now.app != p->seen.app)
		p->page.top = 0;
	p->seen = now;
	inspector_write(&p->page, f, app_findings(a, env->now_us));
}

static void
draw(void *state, const struct view_env *env, struct surface s)
{
	struct inspector_pane *p = state;
	struct app *a = workspace_app(env->ws);

	if (!a) {
		pane_draw_text(
		    s, 0, ROLE_HINT, "No app is open: call a tool that has one (◫ in the list).");
		return;
	}
	renew(p, env, a);
	page_draw(&p->page, s, ROLE_NONE, env->focused);
}

static enum role
heading(void *state, const struct view_env *env, struct buf *title, struct buf *facts)
{
	const struct app *a = workspace_app(env->ws);

	buf_add_str(title, "inspector");
	if (!a)
		return ROLE_DIM;
	buf_addf(title, " · %s", app_name(a));
	buf_add_str(facts, app_life_names[app_facts(a)->life]);
	return app_facts(a)->life == APP_BROKEN ? ROLE_WARNING : ROLE_DIM;
}

static bool
key(void *state, const struct view_env *env, const struct key *key)
{
	return page_key(&((struct inspector_pane *)state)->page, key);
}

static bool
seek(void *state, const struct view_env *env, struct seekable *out)
{
	struct app *a = workspace_app(env->ws);

	if (a)
		renew(state, env, a);
	*out = seek_page(&((struct inspector_pane *)state)->page);
	return a != NULL;
}

static void
copy(void *state, const struct view_env *env, const char *part, struct buf *out)
{
	struct app *a = workspace_app(env->ws);

	if (!a)
		return;
	renew(state, env, a);
	page_to_text(&((struct inspector_pane *)state)->page, out);
}

static const struct view_action actions[] = {
	{ "copy-inspector", "y", "", "copy this page to the clipboard", pane_act_copy, "copy" },
	{ 0 },
};

static const struct view_binding bindings[] = { { "alt-r", "other-policy" }, { 0 } };

const struct view_ops pane_inspector = {
	.title = "inspector",
	.help = "the app that is open: what it is, what it may, what it told the model",
	.state_size = sizeof(struct inspector_pane),
	.actions = actions,
	.bindings = bindings,
	.finish = finish,
	.heading = heading,
	.draw = draw,
	.key = key,
	.seek = seek,
	.copy = copy,
};

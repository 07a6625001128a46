/* SPDX-License-Identifier: MIT */
#include "findings.h"

#include "apps/policy.h"
#include "base/mem.h"
#include "base/strings.h"
#include "base/vec.h"
#include "client/app.h"
#include "client/lens.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Findings about an app (MCP Apps 2026-01-26): in the definition of its tool, in its page, in its
 * run. */

#define APPS "MCP Apps 2026-01-26, "

/* ---- the definition ---- */

static void
on_flaw(void *user, const struct app_flaw *flaw)
{
	struct finding_search *s = user;

	if (s->kind->which & 1u << flaw->kind)
		finding_add(s, flaw->pointer, "%s", flaw->text);
}

/* The flaws whose kinds are bits of `which` in the row. */
static void
find_app_flaws(struct finding_search *s)
{
	if (s->app)
		app_resource_flaws(&s->app->page.resource, on_flaw, s);
	else
		app_tool_flaws(s->tool->definition, on_flaw, s);
}

static void
find_for_apps_alone(struct finding_search *s)
{
	if (s->tool->app.for_app && !s->tool->app.for_model)
		finding_add(s, "/_meta/ui/visibility",
		    "this tool is for apps alone: hosts with MCP Apps hide it from the model");
}

static const struct finding_kind OF_APP_TOOLS[] = {
	{ "app-uri", FINDING_ERROR, find_app_flaws,
	    "\"URI MUST start with ui:// scheme\" (" APPS "UI Resource Format)",
	    .which = 1u << APP_FLAW_URI | 1u << APP_FLAW_CONTRADICTS,
	    .mend = "name one ui:// resource in _meta.ui.resourceUri" },
	{ "app-visibility", FINDING_ERROR, find_app_flaws,
	    "visibility?: Array<\"model\" | \"app\"> (" APPS "Resource Discovery)",
	    .which = 1u << APP_FLAW_VISIBILITY | 1u << APP_FLAW_NOBODY,
	    .mend = "list model, app or both" },
	{ "app-misplaced", FINDING_WARNING, find_app_flaws,
	    "csp and permissions are members of UIResourceMeta, not of McpUiToolMeta (" APPS
	    "UI Resource Format)",
	    .which = 1u << APP_FLAW_MISPLACED,
	    .mend = "move it into _meta.ui of the contents of resources/read" },
	{ "app-deprecated", FINDING_WARNING, find_app_flaws,
	    "\"The flat _meta[\"ui/resourceUri\"] format is deprecated.\" (" APPS
	    "Resource Discovery)",
	    .which = 1u << APP_FLAW_DEPRECATED,
	    .mend = "name the resource in _meta.ui.resourceUri too" },
	{ "app-only", FINDING_NOTE, find_for_apps_alone,
	    "\"Host MUST NOT include tools in the agent's tool list when their visibility does not "
	    "include \"model\"\" (" APPS "Visibility)",
	    .mend = "add model to the visibility if a model may call it" },
};

const struct finding_table findings_about_app_tool = { OF_APP_TOOLS, ARRAY_LEN(OF_APP_TOOLS) };

/* ---- the page ---- */

/* Whether the page has a MIME type that is not that of an app. */
static bool
is_other_mime(const struct found_app *app)
{
	return !app->fits && app->page.html.len > 0 && !app_is_mime(app->page.mime);
}

static void
find_unreadable(struct finding_search *s)
{
	const struct found_app *app = s->app;

	if (app->from->trouble)
		finding_add(
		    s, "", "%.200s could not be read: %.150s", app->from->uri, app->from->trouble);
	else if (!app->fits && !is_other_mime(app))
		finding_add(s, "/contents", "%s", app->why.text);
}

static void
find_mime(struct finding_search *s)
{
	if (is_other_mime(s->app))
		finding_add(s, "/contents/0/mimeType", "%s", s->app->why.text);
}

#define ADDRESSES_MAX 10

/* Scheme, port and path do not count: a host is certainly blocked only if no list has it. */
static void
find_undeclared(struct finding_search *s)
{
	struct app_policy policy;
	size_t at = 0, len, found = 0;
	struct strings hosts = { 0 };
	const char *address;

	app_policy_init(&policy, &s->app->page.resource, APP_CSP_STRICT);
	while (found < ADDRESSES_MAX &&
	       (address = app_html_next_address(&s->app->page.html, &at, &len))) {
		size_t slashes = *address == '/' ? 2 : 0; /* "//host": the page's scheme */
		struct url u, declared;
		bool is_declared = false;
		url_split(&u, address + slashes, len - slashes);
		for (size_t i = 0; i < policy.domains.len && !is_declared; i++) {
			const struct app_domain *domain = &policy.domains.items[i];
			url_split(&declared, domain->text, strlen(domain->text));
			is_declared =
			    !domain->refusal && app_domain_has_host(&declared.host, &u.host);
		}
		char *name = mem_strndup(u.authority.at, u.authority.len);
		if (!is_declared && !strings_have(&hosts, name)) {
			finding_add(s, "/contents/0/text",
			    "the page fetches %.*s, but %s: hosts block it",
			    (int)(len < 150 ? len : 150), address,
			    s->app->page.resource.csp ? "_meta.ui.csp does not declare its host"
						      : "it has no _meta.ui.csp");
			strings_add(&hosts, name);
			found++;
		}
		free(name);
	}
	strings_finish(&hosts);
	app_policy_finish(&policy);
}

static const struct finding_kind OF_PAGES[] = {
	{ "app-unreadable", FINDING_ERROR, find_unreadable,
	    "\"Resource MUST exist on the server\"; \"Content MUST be provided via either text "
	    "(string) or blob (base64-encoded)\" (" APPS
	    "Resource Discovery, Content Requirements)",
	    .mend = "let resources/read return the page" },
	{ "app-mime", FINDING_ERROR, find_mime,
	    "\"mimeType MUST be text/html;profile=mcp-app\" (" APPS "Content Requirements)",
	    .mend = "set the mimeType of the contents" },
	{ "app-undeclared", FINDING_WARNING, find_undeclared,
	    "\"Host MUST block connections to undeclared domains\" (" APPS
	    "Content Security Policy Enforcement)",
	    .mend = "declare the domain in connectDomains or resourceDomains, or put it into the "
		    "page" },
	{ "app-metadata", FINDING_WARNING, find_app_flaws,
	    "UIResourceMeta (" APPS "UI Resource Format)",
	    .which = 1u << APP_FLAW_META | 1u << APP_FLAW_DOMAIN,
	    .mend = "give the member the type that the specification has" },
};

const struct finding_table findings_about_app_page = { OF_PAGES, ARRAY_LEN(OF_PAGES) };

void
findings_of_app(struct findings *f, const struct finding_app *app)
{
	struct found_app found = { .from = app };
	struct finding_search s = { .out = f, .app = &found };

	found.fits = app_html_read(&found.page, app->result, app->uri, app->entry, &found.why);
	findings_run(&s, &findings_about_app_page);
	app_html_finish(&found.page);
}

#define FOR_THE_UI                                                                       \
	"\"structuredContent: Structured data optimized for UI rendering (not added to " \
	"model context)\" (" APPS "Data Passing)"

enum { INITIALIZED_US = 5 * 1000000, LOOK_BYTES = 256 << 10, WORTH_TOKENS = 200 };

static void
find_silent(struct finding_search *s)
{
	const struct app_facts *f = s->run->app;

	if (!f->bridge)
		return;
	if (f->bridge->trouble)
		finding_add(s, "", "%s", f->bridge->trouble);
	else if (f->bridge->phase == APP_INITIALIZING &&
		 s->run->now_us - f->started_us > INITIALIZED_US)
		finding_add(s, "",
		    "it sent ui/initialize, but no ui/notifications/initialized: it gets neither "
		    "arguments nor result");
}

/* structuredContent did not reach the app. */
static void
find_withheld(struct finding_search *s)
{
	const struct app_facts *f = s->run->app;
	const struct call *c = s->run->call;

	if (!c || c->state != CALL_DONE || !c->result.structured)
		return;
	if (*f->withheld)
		finding_add(s, "/structuredContent", "the app never gets it: %s", f->withheld);
	else if (f->life == APP_BROKEN)
		finding_add(s, "/structuredContent", "the app never gets it: it does not run");
}

/* Data for the app in content costs the model tokens. */
static void
find_data_in_content(struct finding_search *s)
{
	const struct call *c = s->run->call;
	struct agreement a;

	if (!c || c->state != CALL_DONE || !c->raw || c->raw->len > LOOK_BYTES)
		return;
	for (size_t i = 0; i < c->result.len; i++)
		if (c->result.blocks[i].text && text_begins_html(c->result.blocks[i].text))
			finding_add(
			    s, "/content", "block %zu is HTML, which is for the app alone", i + 1);
	if (!c->result.structured)
		return;
	agreement_init(&a, &c->result, NULL);
	const char *text = a.kind == AGREEMENT_MIRROR ? c->result.blocks[a.block].text : NULL;
	size_t tokens = text ? tokens_estimate(text, strlen(text)) : 0;
	if (tokens >= WORTH_TOKENS)
		finding_add(s, "/content",
		    "block %zu repeats structuredContent, which the app shows: ≈ %zu tokens for "
		    "the model",
		    a.block + 1, tokens);
	agreement_finish(&a);
}

static const struct finding_kind OF_RUNS[] = {
	{ "app-silent", FINDING_ERROR, find_silent,
	    "\"The Host MUST NOT send any request or notification to the View before it receives "
	    "an initialized notification.\" (" APPS "Sandbox proxy)",
	    .mend = "send ui/initialize, then ui/notifications/initialized once it is answered" },
	{ "app-withheld", FINDING_ERROR, find_withheld, FOR_THE_UI,
	    .mend = "see why in the console and in the journal of the bridge" },
	{ "app-data-in-content", FINDING_NOTE, find_data_in_content, FOR_THE_UI,
	    .mend = "say in content what a model needs to know, and leave the data to "
		    "structuredContent" },
};

void
findings_of_run(struct findings *f, const struct finding_run *run)
{
	struct finding_search s = { .out = f, .run = run };

	findings_run(&s, &(struct finding_table){ OF_RUNS, ARRAY_LEN(OF_RUNS) });
}

/* SPDX-License-Identifier: MIT */
#include "findings.h"

#include "apps/policy.h"
#include "base/ascii.h"
#include "base/glyph.h"
#include "base/mem.h"
#include "base/strings.h"
#include "base/units.h"
#include "base/url.h"
#include "base/vec.h"
#include "client/app.h"
#include "client/lens.h"
#include "client/server.h"
#include "json/pointer.h"
#include "mcp/session.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Findings about what a server declares: its tools, their apps, and itself in the handshake. */

const char *const finding_severities[FINDING_SEVERITIES] = { "error", "warning", "note" };

void
finding_add(struct finding_search *s, const char *pointer, const char *format, ...)
{
	char text[400];
	struct findings *f = s->out;

	if (f->len == FINDINGS_MAX) {
		f->rest++;
		return;
	}
	FORMAT_INTO(text, format);
	for (char *at = text; *at; at++)
		if (*at == '\n' || *at == '\r')
			*at = ' ';
	*VEC_PUSH(f) = (struct found){ s->kind, mem_strdup(pointer), mem_strdup(text) };
}

void
findings_run(struct finding_search *s, const struct finding_table *table)
{
	for (size_t i = 0; i < table->count && !(s->job && job_is_stopped(s->job)); i++) {
		s->kind = &table->kinds[i];
		s->blocks_reported = 0;
		if (s->kind->find)
			s->kind->find(s);
		for (size_t k = 0; s->kind->find_in_block && k < s->result->len; k++)
			s->kind->find_in_block(s, k, &s->result->blocks[k]);
	}
}

void
findings_finish(struct findings *f)
{
	for (size_t i = 0; i < f->len; i++) {
		free(f->items[i].pointer);
		free(f->items[i].text);
	}
	free(f->items);
	*f = (struct findings){ 0 };
}

/* ---- invisible characters ---- */

#define LOOKED_AT_MAX ((size_t)1 << 20) /* bytes of strings; takes some milliseconds */

struct hidden_search {
	struct buf pointer;
	size_t looked_at;
	enum glyph_kind kind; /* of the character found */
};

static bool
has_hidden(struct hidden_search *h, const char *text)
{
	size_t len = strnlen(text, LOOKED_AT_MAX - h->looked_at);
	struct glyph g;

	h->looked_at += len;
	for (size_t at = 0; at < len;) {
		at += glyph_next(text + at, len - at, &g);
		if (g.kind == GLYPH_CONTROL || g.kind == GLYPH_HIDDEN) {
			h->kind = g.kind;
			return true;
		}
	}
	return false;
}

/* If it returns true, the pointer is that of the string. */
static bool
find_hidden_string(struct hidden_search *h, const cJSON *node)
{
	size_t len = h->pointer.len, index = 0;
	bool array = json_type(node) == JSON_ARRAY;

	if (cJSON_GetStringValue(node))
		return has_hidden(h, cJSON_GetStringValue(node));
	for (const cJSON *m = json_first(node); m && h->looked_at < LOOKED_AT_MAX;
	     m = m->next, index++) {
		if (array)
			json_pointer_add_index(&h->pointer, index);
		else
			json_pointer_add_key(&h->pointer, m->string);
		if ((!array && has_hidden(h, m->string)) || find_hidden_string(h, m))
			return true;
		buf_truncate(&h->pointer, len);
		h->looked_at++;
	}
	return false;
}

void
find_hidden(struct finding_search *s)
{
	const cJSON *content = s->result ? json_get(s->result->value, "content") : NULL;
	const struct {
		const cJSON *node;
		const char *pointer;
	} parts[] = {
		{ s->tool ? s->tool->definition : NULL, "" },
		{ content, "/content" },
		{ s->result ? s->result->structured : NULL, "/structuredContent" },
	};

	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		struct hidden_search h = { .pointer = { .max = 4096 } };
		buf_add_str(&h.pointer, parts[i].pointer);
		if (find_hidden_string(&h, parts[i].node))
			finding_add(s, buf_text(&h.pointer), "this string has %s",
			    h.kind == GLYPH_CONTROL
				? "control characters"
				: "invisible or bidirectional control characters");
		buf_finish(&h.pointer);
	}
}

/* ---- flaws of the schemas ---- */

void
definition_find(
    struct schema_findings *f, const struct primitive *p, struct schema_library *library)
{
	static const char *const members[] = { "inputSchema", "outputSchema" };
	const char *type = json_get_string(p->input_schema, "type");

	if (p->kind != PRIMITIVE_TOOL)
		return;
	if (p->input_schema && (!type || strcmp(type, "object") != 0))
		schema_findings_add(f, true, "/inputSchema",
		    mem_strdup("the type must be \"object\", because arguments are an object"));
	for (size_t m = 0; m < ARRAY_LEN(members); m++) {
		const cJSON *schema = json_get(p->definition, members[m]);
		size_t i = f->len;
		if (schema)
			schema_find(f, schema, &(struct schema_options){ .library = library });
		for (; i < f->len; i++) {
			char *inside = f->items[i].pointer;
			if (*inside != '\0' && *inside != '/')
				continue; /* in another document */
			f->items[i].pointer = mem_printf("/%s%s", members[m], inside);
			free(inside);
		}
	}
}

/* Both rows about schemas use it: one for errors, one for the rest. */
static void
find_schema_flaws(struct finding_search *s)
{
	bool errors = s->kind->severity == FINDING_ERROR;

	for (size_t i = 0; i < s->flaws->len; i++)
		if (s->flaws->items[i].error == errors)
			finding_add(s, s->flaws->items[i].pointer, "%s", s->flaws->items[i].text);
	if (!errors)
		s->out->rest += s->flaws->rest;
}

/* ---- the definition itself ---- */

/* Facts that a row of the tables names in `which`. */
enum { TOOL_BROKEN, TOOL_CONTRADICTS, TOOL_NO_DESCRIPTION, TOOL_NOT_OBJECT, TOOL_FOR_APPS };

static void
find_tool_fact(struct finding_search *s)
{
	const struct primitive *t = s->tool;
	const char *type = json_get_string(t->output_schema, "type");
	const char *text = json_get_string(t->definition, "description");
	const struct {
		bool holds;
		const char *pointer, *text;
	} facts[] = {
		[TOOL_BROKEN] = { t->broken || t->unusable, "", t->problem },
		[TOOL_CONTRADICTS] = { t->read_only == HINT_TRUE && t->destructive == HINT_TRUE,
		    "/annotations/destructiveHint",
		    "readOnlyHint and destructiveHint are both true" },
		[TOOL_NO_DESCRIPTION] = { !text || !text[strspn(text, " \t\r\n")], "/description",
		    "no description: a model knows the tool only by its name and schema" },
		[TOOL_NOT_OBJECT] = { t->output_schema && (!type || strcmp(type, "object") != 0),
		    "/outputSchema",
		    "the outputSchema does not have the type \"object\": clients before 2026-07-28 "
		    "may refuse the list of tools" },
		[TOOL_FOR_APPS] = { t->app.for_app && !t->app.for_model, "/_meta/ui/visibility",
		    "this tool is for apps alone: hosts with MCP Apps hide it from the model" },
	};

	if (facts[s->kind->which].holds)
		finding_add(s, facts[s->kind->which].pointer, "%s", facts[s->kind->which].text);
}

static void
find_twice(struct finding_search *s)
{
	if (s->tool->of > 1)
		finding_add(s, "/name", "%zu tools have this name: a call reaches one of them",
		    s->tool->of);
}

static void
find_name(struct finding_search *s)
{
	const char *name = json_get_string(s->tool->definition, "name");
	size_t len = name ? strlen(name) : 0;

	if (!name)
		return;
	if (len > 128)
		finding_add(s, "/name", "the name is %zu characters long, more than 128", len);
	else if (name[strspn(name, ASCII_ALNUM "_-.")] || len == 0)
		finding_add(s, "/name", "the name has other characters than A-Z a-z 0-9 _ - .");
}

/* The schema has members of CallToolResult, or `content` as an array of blocks. */
static void
find_result_schema(struct finding_search *s)
{
	const cJSON *properties = json_get(s->tool->output_schema, "properties");
	const cJSON *content = json_get(properties, "content");
	const char *type = json_get_string(content, "type");

	if (!content || !type || strcmp(type, "array") != 0)
		return;
	if (json_get(properties, "isError") || json_get(properties, "structuredContent") ||
	    json_get(json_get(json_get(content, "items"), "properties"), "type"))
		finding_add(s, "/outputSchema/properties/content",
		    "the outputSchema describes the result itself (content%s), not "
		    "structuredContent",
		    json_get(properties, "isError") ? ", isError" : "");
}

/* ---- examples and defaults ---- */

#define SCHEMAS_MAX 2000 /* examined */

struct example_search {
	struct finding_search *s;
	struct schema_parts *parts;
	struct buf pointer;
	size_t looked_at;
};

static void
check_example(struct example_search *e, const cJSON *part, const cJSON *value, const char *what)
{
	const struct check_options few = { .max_steps = 20000, .max_violations = 1 };
	struct report *r = schema_check_part(e->parts, part, value, &few);
	struct buf text = BUF_INIT;

	if (r && report_facts(r)->outcome == SCHEMA_INVALID) {
		report_line(r, 0, &text);
		finding_add(e->s, buf_text(&e->pointer), "%s breaks its own schema: %s", what,
		    buf_text(&text));
	}
	buf_finish(&text);
	report_destroy(r);
}

static void
check_examples(struct example_search *e, const cJSON *part)
{
	const cJSON *examples = json_get(part, "examples"), *value = json_get(part, "default");
	size_t len = e->pointer.len, index = 0;

	if (value) {
		json_pointer_add_key(&e->pointer, "default");
		check_example(e, part, value, "the default");
		buf_truncate(&e->pointer, len);
	}
	if (json_type(examples) != JSON_ARRAY)
		return;
	json_pointer_add_key(&e->pointer, "examples");
	size_t inside = e->pointer.len;
	for (const cJSON *x = json_first(examples); x && index < 20; x = x->next) {
		json_pointer_add_index(&e->pointer, index++);
		check_example(e, part, x, "the example");
		buf_truncate(&e->pointer, inside);
	}
	buf_truncate(&e->pointer, len);
}

/* All objects: schema_check_part() knows which of them are subschemas. */
static void
walk(struct example_search *e, const cJSON *node)
{
	size_t len = e->pointer.len, index = 0;
	bool array = json_type(node) == JSON_ARRAY;

	if (e->looked_at++ > SCHEMAS_MAX)
		return;
	if (cJSON_IsObject(node))
		check_examples(e, node);
	for (const cJSON *m = json_first(node); m; m = m->next) {
		if (array)
			json_pointer_add_index(&e->pointer, index++);
		else
			json_pointer_add_key(&e->pointer, m->string);
		if (json_first(m))
			walk(e, m);
		buf_truncate(&e->pointer, len);
	}
}

static void
find_examples(struct finding_search *s)
{
	const cJSON *const roots[] = { s->tool->input_schema, s->tool->output_schema };
	static const char *const pointers[] = { "/inputSchema", "/outputSchema" };

	for (size_t i = 0; i < ARRAY_LEN(roots); i++) {
		struct schema *schema = roots[i] ? schema_compile(roots[i], NULL, NULL) : NULL;
		struct example_search e = { .s = s, .pointer = { .max = 4096 } };
		if (!schema)
			continue;
		e.parts = schema_parts_create(schema);
		buf_add_str(&e.pointer, pointers[i]);
		walk(&e, roots[i]);
		schema_parts_destroy(e.parts);
		schema_destroy(schema);
		buf_finish(&e.pointer);
	}
}

/* ---- the table ---- */

static const struct finding_kind OF_TOOLS[] = {
	{ "definition-broken", FINDING_ERROR, find_tool_fact, "Tool (schema#Tool)",
	    .which = TOOL_BROKEN, .mend = "return the members that the schema of a tool requires" },
	{ "schema-broken", FINDING_ERROR, find_schema_flaws,
	    "inputSchema \"MUST be a valid JSON Schema object (not null)\" (2025-11-25 and later, "
	    "server/tools#tool); the metaschema of the dialect",
	    .mend = "correct the schema at this place" },
	{ "name-twice", FINDING_WARNING, find_twice,
	    "\"Tool names SHOULD be unique within a server.\" (2025-11-25 and later, "
	    "server/tools#tool-names)",
	    .mend = "rename one" },
	{ "name-characters", FINDING_WARNING, find_name,
	    "\"Tool names SHOULD be between 1 and 128 characters in length\"; letters, digits, _ - "
	    ". \"SHOULD be the only allowed characters\" (2025-11-25 and later, "
	    "server/tools#tool-names)",
	    .mend = "rename the tool; put other words into its title" },
	{ "schema-describes-result", FINDING_WARNING, find_result_schema,
	    "outputSchema: \"Optional JSON Schema defining expected output structure\", which is "
	    "structuredContent (2025-06-18 and later, server/tools#tool)",
	    .mend = "describe the value of structuredContent alone" },
	{ "hints-contradict", FINDING_WARNING, find_tool_fact,
	    "destructiveHint \"is meaningful only when readOnlyHint == false\" (2025-03-26 and "
	    "later, schema#ToolAnnotations)",
	    .which = TOOL_CONTRADICTS, .mend = "leave one of them out" },
	{ "example-invalid", FINDING_WARNING, find_examples,
	    "\"It is RECOMMENDED that a default value be valid against the associated schema.\" "
	    "(JSON Schema 2020-12 validation, section 9.2; examples: 9.5)",
	    .mend = "change the value or its schema" },
	{ "hidden-text", FINDING_WARNING, find_hidden,
	    NO_SENTENCE ": a model reads what no person sees", .mend = "remove these characters",
	    .any_kind = true },
	{ "schema-oddity", FINDING_WARNING, find_schema_flaws,
	    "the metaschema of the dialect (2025-11-25 and later, basic#json-schema-usage); JSON "
	    "Schema ignores unknown keywords",
	    .mend = "use a keyword of this dialect" },
	{ "output-not-object", FINDING_NOTE, find_tool_fact,
	    "outputSchema?: { $schema?: string; [key: string]: unknown } (2026-07-28, schema#Tool; "
	    "with type: \"object\" before)",
	    .which = TOOL_NOT_OBJECT,
	    .mend = "put the value into an object if older clients matter" },
	{ "description-missing", FINDING_NOTE, find_tool_fact,
	    "description: \"Human-readable description of functionality\" (server/tools#tool)",
	    .which = TOOL_NO_DESCRIPTION, .mend = "say what the tool does and when to use it" },
};

const struct finding_table findings_about_tool = { OF_TOOLS, ARRAY_LEN(OF_TOOLS) };

void
findings_of_tool(struct findings *f, const struct primitive *tool, struct schema_library *library)
{
	struct schema_findings flaws = { 0 };
	struct finding_search s = { .out = f, .tool = tool, .flaws = &flaws };

	if (tool->kind == PRIMITIVE_TOOL) {
		definition_find(&flaws, tool, library);
		findings_run(&s, &findings_about_tool);
		findings_run(&s, &findings_about_app_tool);
		schema_findings_finish(&flaws);
		return;
	}
	for (size_t i = 0; i < ARRAY_LEN(OF_TOOLS); i++)
		if (OF_TOOLS[i].any_kind)
			findings_run(&s, &(struct finding_table){ &OF_TOOLS[i], 1 });
}

/* ---- apps (MCP Apps 2026-01-26): the definition of the tool, the page, and the run ---- */

#define APPS "MCP Apps 2026-01-26, "

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
	{ "app-only", FINDING_NOTE, find_tool_fact,
	    "\"Host MUST NOT include tools in the agent's tool list when their visibility does not "
	    "include \"model\"\" (" APPS "Visibility)",
	    .which = TOOL_FOR_APPS, .mend = "add model to the visibility if a model may call it" },
};

const struct finding_table findings_about_app_tool = { OF_APP_TOOLS, ARRAY_LEN(OF_APP_TOOLS) };

/* ---- the page of an app ---- */

enum { PAGE_UNREADABLE, PAGE_OTHER_MIME }; /* of two rows */

static void
find_unreadable(struct finding_search *s)
{
	const struct found_app *app = s->app;
	bool is_other_mime = !app->fits && app->page.html.len > 0 && !app_is_mime(app->page.mime);

	if (s->kind->which == PAGE_OTHER_MIME && is_other_mime)
		finding_add(s, "/contents/0/mimeType", "%s", app->why.text);
	if (s->kind->which == PAGE_OTHER_MIME)
		return;
	if (app->from->trouble)
		finding_add(
		    s, "", "%.200s could not be read: %.150s", app->from->uri, app->from->trouble);
	else if (!app->fits && !is_other_mime)
		finding_add(s, "/contents", "%s", app->why.text);
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
	{ "app-mime", FINDING_ERROR, find_unreadable,
	    "\"mimeType MUST be text/html;profile=mcp-app\" (" APPS "Content Requirements)",
	    .which = PAGE_OTHER_MIME, .mend = "set the mimeType of the contents" },
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

/* ---- the handshake ---- */

#define SLOW_US 2000000
#define LONG_INSTRUCTIONS 8192
#define EXAMINED_MAX ((size_t)256 << 10) /* bytes of one string examined: a millisecond or two */

static void __attribute__((format(printf, 3, 4)))
add_flaw(struct handshake_findings *out, bool serious, const char *format, ...)
{
	struct handshake_finding *f = VEC_PUSH(out);

	f->serious = serious;
	FORMAT_INTO(f->text, format);
}

static bool
has_unseen(const char *text)
{
	struct glyph g;

	for (size_t at = 0, len = strnlen(text, EXAMINED_MAX); at < len;) {
		at += glyph_next(text + at, len - at, &g);
		if (g.kind > GLYPH_TAB && at < EXAMINED_MAX)
			return true;
	}
	return false;
}

/* 2025-11-25/schema, Implementation. */
static void
lint_info(const struct session_info *session, struct handshake_findings *out)
{
	static const char *const texts[] = { "name", "title", "version", "description",
		"websiteUrl" };
	const cJSON *info = session->server_info;
	const char *site = json_get_string(info, "websiteUrl");

	if (!info) {
		add_flaw(out, false, "it does not identify itself (no serverInfo)");
		return;
	}
	if (!session->server_name[0])
		add_flaw(out, true, "serverInfo has no name");
	if (!session->server_version[0])
		add_flaw(out, true, "serverInfo has no version");
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		const char *text = json_get_string(info, texts[i]);
		if (text && has_unseen(text))
			add_flaw(
			    out, true, "serverInfo.%s contains invisible characters", texts[i]);
	}
	if (site && !is_web_url(site))
		add_flaw(out, true, "serverInfo.websiteUrl is not a web address");
	size_t index = 0;
	for (const cJSON *icon = json_first(json_get(info, "icons")); icon;
	     icon = icon->next, index++) {
		const char *src = json_get_string(icon, "src");
		if (!src)
			add_flaw(out, true, "serverInfo.icons/%zu has no src", index);
		else if (strncmp(src, "https://", 8) != 0 && strncmp(src, "data:", 5) != 0)
			add_flaw(out, true,
			    "serverInfo.icons/%zu is neither an https: nor a data: URI", index);
	}
}

/* Compares the declared capabilities with the lists. */
static void
lint_lists(const struct server *s, const cJSON *can, struct handshake_findings *out)
{
	static const struct {
		enum primitive_kind kind;
		const char *capability;
	} rows[] = {
		{ PRIMITIVE_TOOL, "tools" },
		{ PRIMITIVE_PROMPT, "prompts" },
	};

	if (!can)
		add_flaw(out, true, "it declares no capabilities");
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct lister *l = &server_info(s)->lists[rows[i].kind];
		bool declared = json_get(can, rows[i].capability) != NULL;
		if (declared && l->complete && l->list.len == 0)
			add_flaw(out, false, "it declares %s and lists none", rows[i].capability);
	}
	for (const cJSON *c = json_first(can); c; c = c->next)
		if (!cJSON_IsObject(c))
			add_flaw(out, true, "the capability %.60s is not an object", c->string);
}

void
handshake_lint(const struct server *s, struct handshake_findings *out)
{
	static const char *const known[] = { "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25",
		"2026-07-28", NULL };
	const struct server_info *server = server_info(s);
	const struct session_info *info = server->session ? session_info(server->session) : NULL;
	size_t bad = 0, lines = journal_info(server->journal)->count;

	if (!info || !info->init_result)
		return;
	if (!words_have(known, info->protocol))
		add_flaw(
		    out, true, "the protocol version %.40s was never published", info->protocol);
	else if (strcmp(info->protocol, "2025-06-18") < 0)
		add_flaw(out, false, "%s has neither structuredContent nor outputSchema",
		    info->protocol);
	lint_info(info, out);
	size_t len = strlen(info->instructions);
	if (has_unseen(info->instructions))
		add_flaw(
		    out, true, "instructions contain invisible characters: a model reads them");
	if (len > EXAMINED_MAX)
		add_flaw(out, true, "only the first 256 KiB of the instructions were examined");
	if (len > LONG_INSTRUCTIONS)
		add_flaw(out, false,
		    "instructions are %s bytes long: a model reads them in every conversation",
		    units_count(len).text);
	lint_lists(s, info->server_capabilities, out);
	/* Standard output is reserved for the protocol (transports, stdio). */
	for (size_t i = 0; i < lines && i < 200; i++) {
		const struct journal_entry *e = journal_at(server->journal, i);
		bad += e->kind == JOURNAL_RECEIVED &&
		       (e->message == MESSAGE_INVALID || e->message == MESSAGE_NOT_JSON);
	}
	if (bad > 0)
		add_flaw(out, true, "%zu of its first lines %s no message of the protocol", bad,
		    bad == 1 ? "is" : "are");
	if (server->connect_us > SLOW_US)
		add_flaw(out, false, "the handshake took %.1f s: users wait for it at every start",
		    (double)server->connect_us / 1e6);
}

#include "findings.h"

#include "base/vec.h"
#include "client/app.h"
#include "client/lens.h"

#include <string.h>
#include <strings.h>

/* About an app that runs (MCP Apps 2026-01-26): what only its run shows. */

#define APPS "MCP Apps 2026-01-26, "
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

/* structuredContent came, but not to the app. */
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

static bool
is_html(const char *text)
{
	text += strspn(text, " \t\r\n");
	return strncasecmp(text, "<!doctype html", 14) == 0 || strncasecmp(text, "<html", 5) == 0;
}

/* What only the app can use costs the model tokens. */
static void
find_data_in_content(struct finding_search *s)
{
	const struct call *c = s->run->call;
	struct agreement a;

	if (!c || c->state != CALL_DONE || !c->raw || c->raw->len > LOOK_BYTES)
		return;
	for (size_t i = 0; i < c->result.len; i++)
		if (c->result.blocks[i].text && is_html(c->result.blocks[i].text))
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

static const struct finding_table findings_about_run = { OF_RUNS, ARRAY_LEN(OF_RUNS) };

void
findings_of_run(struct findings *f, const struct finding_run *run)
{
	struct finding_search s = { .out = f, .run = run };

	findings_run(&s, &findings_about_run);
}

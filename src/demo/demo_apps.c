#include "state.h"

#include "base/buf.h"
#include "base/embedded.h"
#include "base/vec.h"

#include <stdio.h>
#include <string.h>

/* Apps (MCP Apps, 2026-01-26): pages in the folder `page`, which need no network. The first belongs
 * to edit_orders (records.c); the tools of the others are here. */

/* A page names a file that it needs in a comment; the file takes its place. */
static void
include(struct buf *page, const char *comment, const char *tag, const char *name)
{
	const struct embedded_file *file = embedded_find(page_files, name);
	struct buf text = BUF_INIT;

	buf_addf(&text, "<%s>\n%.*s</%s>", tag, (int)file->len, file->bytes, tag);
	buf_replace(page, comment, buf_text(&text));
	buf_finish(&text);
}

bool
demo_read_app(struct demo_call *call, const char *uri, const char *name)
{
	const struct embedded_file *page;
	struct buf html = BUF_INIT;
	char file[60];

	snprintf(file, sizeof(file), "%s.html", name);
	page = embedded_find(page_files, file);
	if (!page)
		return false;
	buf_add(&html, page->bytes, page->len);
	include(&html, "<!-- app.css -->", "style", "app.css");
	include(&html, "<!-- mcp.js -->", "script", "mcp.js");
	json_write_object(&call->w);
	json_write_member_string(&call->w, "uri", uri);
	json_write_member_string(&call->w, "mimeType", "text/html;profile=mcp-app");
	json_write_key(&call->w, "text");
	json_write_stringn(&call->w, html.data, html.len);
	json_write_member_json(&call->w, "_meta", JSON_TEXT({"ui":{"prefersBorder":false}}));
	json_write_object_end(&call->w);
	buf_finish(&html);
	return true;
}

/* ---- plan_budget ---- */

static const struct {
	const char *name;
	int share;
} budget_parts[] = { { "Rent", 35 }, { "Food", 20 }, { "Travel", 15 }, { "Savings", 20 },
	{ "Fun", 10 } };

static const char *const currencies[] = { "EUR", "JPY", "USD", NULL };

static void
plan_budget(struct demo_call *call)
{
	struct json_writer *w = &call->w;
	size_t total = 3000, currency = 0;

	if (!demo_arg_size(call, "total", 1, 1000000, &total) ||
	    !demo_arg_choice(call, "currency", currencies, &currency))
		return;
	demo_result(call);
	demo_text(call, "A plan for %zu %s in %zu parts", total, currencies[currency],
	    ARRAY_LEN(budget_parts));
	json_write_member_object(w, "structuredContent");
	json_write_member_int(w, "total", (int64_t)total);
	json_write_member_string(w, "currency", currencies[currency]);
	json_write_member_array(w, "parts");
	for (size_t i = 0; i < ARRAY_LEN(budget_parts); i++) {
		json_write_object(w);
		json_write_member_string(w, "name", budget_parts[i].name);
		json_write_member_int(w, "share", budget_parts[i].share);
		json_write_object_end(w);
	}
	json_write_array_end(w);
	json_write_object_end(w);
	demo_end(call);
}

static const char plan_budget_input[] = JSON_TEXT({"type":"object","properties":{
	"total":{"type":"integer","minimum":1,"maximum":1000000,"default":3000,
		"description":"What there is to spend in a month"},
	"currency":{"type":"string","enum":["EUR","JPY","USD"],"default":"EUR"}}});

static const char plan_budget_output[] = JSON_TEXT({"type":"object","properties":{
	"total":{"type":"integer","minimum":1},
	"currency":{"type":"string"},
	"parts":{"type":"array","items":{"type":"object","properties":{
		"name":{"type":"string"},
		"share":{"type":"integer","minimum":0,"maximum":100,"description":"Percent"}},
		"required":["name","share"]}}},
	"required":["total","currency","parts"]});

const struct demo_tool demo_tool_plan_budget = {
	.name = "plan_budget",
	.title = "Plan a budget",
	.description = "An app with sliders and a chart; the model learns of each change.",
	.annotations = DEMO_READ_ONLY,
	.input_schema = plan_budget_input,
	.output_schema = plan_budget_output,
	.app = DEMO_APP_PREFIX "plan_budget",
	.run = plan_budget,
};

/* ---- watch_machine and what its app asks for ---- */

static const struct {
	int pid;
	const char *name;
	int cpu, memory; /* tenths of a percent, MiB */
} processes[] = {
	{ 1, "init", 1, 12 },
	{ 214, "journal", 8, 48 },
	{ 377, "database", 310, 2048 },
	{ 381, "web server", 145, 310 },
	{ 402, "indexer", 220, 640 },
	{ 555, "mail", 12, 96 },
};

/* Figures that move like a machine's, and are the same in each run. */
static void
machine_stats(struct demo_call *call)
{
	struct json_writer *w = &call->w;
	size_t reading = ++call->demo->machine_reading;
	size_t load = 100 + reading * 37 % 200;
	char number[32];

	demo_result(call);
	demo_text(call, "load %zu.%02zu", load / 100, load % 100);
	json_write_member_object(w, "structuredContent");
	json_write_member_int(w, "reading", (int64_t)reading);
	snprintf(number, sizeof(number), "%zu.%02zu", load / 100, load % 100);
	json_write_member_json(w, "load", number);
	json_write_member_array(w, "processes");
	for (size_t i = 0; i < ARRAY_LEN(processes); i++) {
		int cpu = processes[i].cpu + (int)(reading * (i * 7 + 3) % 40);
		snprintf(number, sizeof(number), "%d.%d", cpu / 10, cpu % 10);
		json_write_object(w);
		json_write_member_int(w, "pid", processes[i].pid);
		json_write_member_string(w, "name", processes[i].name);
		json_write_member_json(w, "cpu", number);
		json_write_member_int(w, "memory", processes[i].memory + (int)(reading * i % 16));
		json_write_object_end(w);
	}
	json_write_array_end(w);
	json_write_object_end(w);
	demo_end(call);
}

static const char machine_output[] = JSON_TEXT({"type":"object","properties":{
	"reading":{"type":"integer","minimum":1},
	"load":{"type":"number","minimum":0},
	"processes":{"type":"array","items":{"type":"object","properties":{
		"pid":{"type":"integer"},
		"name":{"type":"string"},
		"cpu":{"type":"number","description":"Percent"},
		"memory":{"type":"integer","description":"MiB"}},
		"required":["pid","name","cpu","memory"]}}},
	"required":["reading","load","processes"]});

const struct demo_tool demo_tool_watch_machine = {
	.name = "watch_machine",
	.title = "Watch a machine",
	.description = "An app that calls machine_stats each second. The figures are made up.",
	.annotations = DEMO_READ_ONLY,
	.output_schema = machine_output,
	.app = DEMO_APP_PREFIX "watch_machine",
	.run = machine_stats,
};

const struct demo_tool demo_tool_machine_stats = {
	.name = "machine_stats",
	.title = "Figures of a machine",
	.description =
	    "For the app of watch_machine alone: its visibility hides it from the model.",
	.annotations = DEMO_READ_ONLY,
	.output_schema = machine_output,
	.app = DEMO_APP_PREFIX "watch_machine",
	.app_only = true,
	.run = machine_stats,
};

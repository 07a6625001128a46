/* SPDX-License-Identifier: MIT */
#include "client.h"

#include "apps/policy.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/units.h"
#include "base/vec.h"
#include "cli/print/print.h"
#include "json/write.h"
#include "schema/schema.h"

#include <stdlib.h>
#include <string.h>

/*
 * `mcpane apps`: the tools that have an app (MCP Apps), with the page of each, its permissions and
 * its findings. Each page is read once and none is run, so no engine is needed. The client declares
 * MCP Apps, because the server may list other tools otherwise.
 */
struct app_row {
	const struct primitive *tool;
	const struct primitive *listed; /* its resource in resources/list; NULL: not there */
	const struct call *read;
	struct app_html page;
	bool fits;     /* a host can show it */
	char why[300]; /* why not; "" */
	struct app_policy policy;
	struct findings of_tool, of_page;
};

struct apps_command {
	struct client client; /* first: client_run() passes only the client */
	struct {
		struct page_asked {
			char *uri;
			uint64_t call; /* 0: it could not be asked */
			struct err err;
		} * items;
		size_t len, cap;
	} asked;
	struct {
		struct app_row *items;
		size_t len, cap;
	} rows;
};

/* ---- reading ---- */

static const struct page_asked *
find_asked(const struct apps_command *command, const char *uri)
{
	for (size_t i = 0; i < command->asked.len; i++)
		if (strcmp(command->asked.items[i].uri, uri) == 0)
			return &command->asked.items[i];
	return NULL;
}

static int
read_pages(struct apps_command *command)
{
	struct server *s = client_server(&command->client);
	const struct primitive_list *tools = &server_info(s)->lists[PRIMITIVE_TOOL].list;

	for (size_t i = 0; i < tools->len; i++) {
		const char *uri = tools->items[i].app.resource;
		if (!uri || find_asked(command, uri))
			continue;
		struct page_asked *a = VEC_PUSH(&command->asked);
		const struct primitive resource = {
			.kind = PRIMITIVE_RESOURCE, .name = uri, .key = uri, .has_key = true
		};
		*a = (struct page_asked){ .uri = mem_strdup(uri) };
		a->call = server_ask(s, &resource, "{}", 2, clock_now_us(), &a->err);
	}
	return client_wait_answers(&command->client);
}

/* asked: NULL if the tool was listed only after the pages were asked for. */
static void
take_page(struct app_row *row, const struct page_asked *asked, const struct server *s)
{
	const cJSON *entry = row->listed ? row->listed->definition : NULL;
	const char *uri = row->tool->app.resource, *trouble = NULL;
	struct err err = { "" };

	row->read = asked ? server_find_call(s, asked->call) : NULL;
	if (!asked)
		trouble = "the server listed it too late: its page was not read";
	else if (!row->read)
		trouble = asked->err.text[0] ? asked->err.text : "its answer was too large to keep";
	else if (row->read->state != CALL_DONE)
		trouble = row->read->error_text[0] ? row->read->error_text
						   : call_state_names[row->read->state];
	const cJSON *result = trouble ? NULL : row->read->value;
	row->fits = app_html_read(&row->page, result, uri, entry, &err);
	snprintf(row->why, sizeof(row->why), "%s", trouble ? trouble : err.text);
	app_policy_init(&row->policy, &row->page.resource, APP_CSP_STRICT);
	findings_of_app(&row->of_page, &(struct finding_app){ uri, result, trouble, entry });
}

/* ---- as a table ---- */

static void
add_list_apps_row(struct print_table *table, const struct app_row *row)
{
	const struct app_tool *app = &row->tool->app;
	struct buf cell = BUF_INIT;

	print_cell(table, row->tool->name);
	print_cell(table, app->resource);
	print_cell(table, app->for_model ? app->for_app ? "model app" : "model"
			  : app->for_app ? "app"
					 : "nobody");
	if (row->page.html.len > 0)
		buf_addf(&cell, "%zu KiB", (row->page.html.len + 1023) / 1024);
	print_cell_take(table, &cell);
	/* the permissions, then the domains that are in the policy */
	buf_add_str(&cell, row->fits ? "" : row->why);
	for (int i = 0; row->fits && i < APP_PERMISSIONS; i++)
		if (row->page.resource.permissions & 1u << i)
			buf_addf(&cell, "%s%s", cell.len > 0 ? " " : "", app_permission_names[i]);
	for (size_t i = 0; row->fits && i < row->policy.domains.len; i++)
		if (!row->policy.domains.items[i].refusal)
			buf_addf(&cell, "%s%s", cell.len > 0 ? " " : "",
			    row->policy.domains.items[i].text);
	print_cell_take(table, &cell);
	buf_finish(&cell);
}

static void
apps_print_table(const struct apps_command *command, struct buf *out)
{
	const struct primitive_list *tools =
	    &server_info(client_server(&command->client))->lists[PRIMITIVE_TOOL].list;
	struct print_table table = { .width = output_columns(), .last_gives_way = true };
	struct buf apart = BUF_INIT;

	print_columns(&table, "TOOL|APP|FOR|>SIZE|WANTS");
	for (size_t i = 0; i < command->rows.len; i++)
		add_list_apps_row(&table, &command->rows.items[i]);
	if (!print_table_end(&table, out))
		buf_add_str(out, "no tool of this server has an app\n");
	for (size_t i = 0; i < tools->len; i++) { /* without an app, and only apps may call them */
		const struct app_tool *t = &tools->items[i].app;
		if (!t->for_model && !t->resource)
			buf_addf(&apart, "%s%s", apart.len > 0 ? ", " : "", tools->items[i].name);
	}
	if (apart.len > 0)
		buf_addf(out, "\nfor apps alone: %s\n", buf_text(&apart));
	buf_finish(&apart);
	for (size_t i = 0; i < command->rows.len; i++) {
		const struct app_row *row = &command->rows.items[i];
		result_say_list(&row->of_tool, row->tool->name);
		result_say_list(&row->of_page, row->tool->app.resource);
	}
}

/* ---- as JSON ---- */

static void
write_row(struct json_writer *w, const struct app_row *row)
{
	const struct app_resource *r = &row->page.resource;

	json_write_object(w);
	json_write_member_string(w, "tool", row->tool->name);
	json_write_member_string(w, "resource", row->tool->app.resource);
	json_write_member_string(w, "title", row->tool->title);
	json_write_member_array(w, "visibility");
	if (row->tool->app.for_model)
		json_write_string(w, "model");
	if (row->tool->app.for_app)
		json_write_string(w, "app");
	json_write_array_end(w);
	json_write_member_bool(w, "listed", row->listed != NULL);
	json_write_member_string(w, "mimeType", row->page.mime);
	json_write_member_int(w, "bytes", (int64_t)row->page.html.len);
	json_write_key(w, "csp");
	if (r->csp)
		json_write_value(w, r->csp);
	else
		json_write_null(w);
	json_write_member_array(w, "permissions");
	for (int i = 0; i < APP_PERMISSIONS; i++)
		if (r->permissions & 1u << i)
			json_write_string(w, app_permission_names[i]);
	json_write_array_end(w);
	json_write_member_string(w, "domain", r->domain);
	json_write_key(w, "prefersBorder");
	if (r->border == APP_BORDER_ABSENT)
		json_write_null(w);
	else
		json_write_bool(w, r->border == APP_BORDER_YES);
	json_write_member_string(w, "policy", buf_text(&row->policy.header));
	json_write_member_array(w, "refusedDomains");
	for (size_t i = 0; i < row->policy.domains.len; i++) {
		const struct app_domain *d = &row->policy.domains.items[i];
		if (!d->refusal)
			continue;
		json_write_object(w);
		json_write_member_string(w, "member", app_domain_members[d->kind]);
		json_write_member_string(w, "domain", d->text);
		json_write_member_string(w, "reason", d->refusal);
		json_write_object_end(w);
	}
	json_write_array_end(w);
	if (!row->fits)
		json_write_member_string(w, "error", row->why);
	json_write_member_array(w, "findings");
	result_write_findings(w, &row->of_tool, "tool");
	result_write_findings(w, &row->of_page, "page");
	json_write_array_end(w);
	json_write_object_end(w);
}

static void
apps_print_json(const struct apps_command *command, struct buf *out)
{
	const struct server *s = client_server(&command->client);
	const struct primitive_list *tools = &server_info(s)->lists[PRIMITIVE_TOOL].list;
	struct json_writer w;

	json_write_init(&w, out);
	json_write_object(&w);
	json_write_member_array(&w, "apps");
	for (size_t i = 0; i < command->rows.len; i++)
		write_row(&w, &command->rows.items[i]);
	json_write_array_end(&w);
	json_write_member_array(&w, "appOnlyTools");
	for (size_t i = 0; i < tools->len; i++)
		if (!tools->items[i].app.for_model)
			json_write_string(&w, tools->items[i].name);
	json_write_array_end(&w);
	json_write_object_end(&w);
}

static int
apps_run(struct client *client, const struct options *o, struct buf *out)
{
	struct apps_command *command = (struct apps_command *)client;
	const struct server *s = client_server(client);
	const struct lister *lists = server_info(s)->lists;
	const struct primitive_list *tools = &lists[PRIMITIVE_TOOL].list;
	struct buf json = BUF_INIT;
	int code = read_pages(command);

	if (code)
		return code;
	struct schema_library *library = schema_library_create();
	for (size_t i = 0; i < tools->len; i++) {
		const struct primitive *tool = &tools->items[i];
		if (!tool->app.resource)
			continue;
		struct app_row *row = VEC_PUSH(&command->rows);
		*row = (struct app_row){ .tool = tool,
			.listed = primitive_list_find(
			    &lists[PRIMITIVE_RESOURCE].list, tool->app.resource, 0) };
		take_page(row, find_asked(command, tool->app.resource), s);
		findings_of_tool(&row->of_tool, tool, library);
	}
	schema_library_destroy(library);
	if (o->call.json || !output_is_terminal()) {
		apps_print_json(command, &json);
		output_take_json(out, &json, o->call.raw);
	} else {
		apps_print_table(command, out);
	}
	for (size_t i = 0; i < command->rows.len; i++) {
		struct app_row *row = &command->rows.items[i];
		code = row->fits ? code : CLI_EXIT_BROKEN_RESULT;
		app_html_finish(&row->page);
		app_policy_finish(&row->policy);
		findings_finish(&row->of_tool);
		findings_finish(&row->of_page);
	}
	free(command->rows.items);
	return code;
}

int
cli_apps(const struct options *o)
{
	struct apps_command command = { .client = { .lists = 1u << PRIMITIVE_TOOL |
							     1u << PRIMITIVE_RESOURCE } };
	struct options shown = *o;

	if (o->connect.apps == APPS_AUTO)
		shown.connect.apps = APPS_ALWAYS;
	int code = client_run(&command.client, &shown, apps_run);
	for (size_t i = 0; i < command.asked.len; i++)
		free(command.asked.items[i].uri);
	free(command.asked.items);
	return code;
}

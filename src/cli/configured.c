/* SPDX-License-Identifier: MIT */
#include "client.h"

#include "base/path.h"
#include "base/secret.h"
#include "cli/print/print.h"
#include "host/project.h"
#include "host/authorizer.h"
#include "host/stores.h"
#include "json/print.h"
#include "json/write.h"

#include <stdlib.h>
#include <string.h>

/* `mcpane servers`: the servers found, and where each comes from. None is started. */

/* A file that cannot be read is a row too, after the servers. */
struct row {
	const char *name, *client, *place, *also, *what, *state;
};

static struct row
servers_row_of(const struct server_list *list, size_t i)
{
	static const char *const words[] = {
		[CHOICE_TYPED] = "--config",
		[CHOICE_OWN] = "mcpane",
		[CHOICE_PROJECT] = "this folder",
		[CHOICE_CLIENT] = "another client",
		[CHOICE_DEMO] = "built in",
	};

	if (i >= list->len) {
		const struct server_list_trouble *t = &list->troubles.items[i - list->len];
		return (struct row){ "", words[t->origin], t->path, NULL, t->why, "broken" };
	}
	const struct server_list_entry *e = &list->items[i];
	const struct target *t = &e->target;
	return (struct row){
		.name = t->name,
		.client = t->client ? t->client : words[e->origin],
		.place = t->place ? t->place : "",
		.also = t->also,
		.what = t->trouble ? t->trouble : t->label,
		.state = t->disabled                  ? "disabled"
			 : t->trouble                 ? "broken"
			 : server_list_is_approved(e) ? "ready"
						      : "asks first",
	};
}

static void
servers_print_table(const struct server_list *list, size_t rows, struct buf *out)
{
	struct print_table table = { .width = output_columns(), .last_gives_way = true };
	struct buf text = BUF_INIT;

	print_columns(&table, "NAME|STATE|FROM|FILE|COMMAND OR URL");
	for (size_t i = 0; i < rows; i++) {
		struct row r = servers_row_of(list, i);
		print_cell(&table, r.name);
		print_cell(&table, r.state);
		print_cell(&table, r.client);
		buf_add_str(&text, r.place);
		if (r.also)
			buf_addf(&text, " (also in %s)", r.also);
		print_cell_take(&table, &text);
		print_cell(&table, r.what);
	}
	if (!print_table_end(&table, out))
		buf_add_str(out, "No server is configured yet: mcpane --help");
	buf_finish(&text);
}

static void
servers_print_json(const struct server_list *list, size_t rows, struct buf *out)
{
	struct json_writer w;

	json_write_init(&w, out);
	json_write_object(&w);
	json_write_member_array(&w, "servers");
	for (size_t i = 0; i < rows; i++) {
		struct row r = servers_row_of(list, i);
		bool broken = i >= list->len || list->items[i].target.trouble;
		json_write_object(&w);
		json_write_member_string(&w, "name", r.name);
		json_write_member_string(&w, "state", r.state);
		json_write_member_string(&w, "from", r.client);
		json_write_member_string(&w, "file", r.place);
		if (r.also)
			json_write_member_string(&w, "also", r.also);
		json_write_member_string(&w, broken ? "trouble" : "runs", r.what);
		json_write_object_end(&w);
	}
	json_write_array_end(&w);
	json_write_object_end(&w);
}

int
cli_servers(const struct options *o)
{
	struct server_list list = { 0 };
	struct buf json = BUF_INIT, out = BUF_INIT;
	struct err err;

	if (!server_list_choose(&list, o, &err)) {
		say("%s", err.text);
		server_list_finish(&list);
		return CLI_EXIT_USAGE;
	}
	size_t rows = list.len + list.troubles.len;
	if (o->call.json || !output_is_terminal()) {
		servers_print_json(&list, rows, &json);
		output_take_json(&out, &json, o->call.raw);
	} else {
		servers_print_table(&list, rows, &out);
	}
	int code = output_write(&out, o->call.raw);
	buf_finish(&out);
	server_list_finish(&list);
	return code;
}

/* `mcpane saved`: the saved calls, environments and variables of the project. No server is started.
 */

struct project_listing {
	struct saved_calls calls;
	struct environments environments;
	struct environment environment;
};

static void
saved_add_json(const struct project_listing *l, struct buf *out)
{
	const struct environment *e = &l->environment;
	struct json_writer w;

	json_write_init(&w, out);
	json_write_object(&w);
	json_write_member_array(&w, "calls");
	for (size_t i = 0; i < l->calls.len; i++) {
		const struct saved_call *c = &l->calls.items[i];
		json_write_object(&w);
		json_write_member_string(&w, "name", c->name);
		if (c->trouble) {
			json_write_member_string(&w, "error", c->trouble);
		} else {
			json_write_member_string(&w, saved_kind_names[c->kind], c->key);
			if (c->server)
				json_write_member_string(&w, "server", c->server);
			json_write_member_json(&w, "arguments", c->arguments);
		}
		json_write_object_end(&w);
	}
	json_write_array_end(&w);
	json_write_member_array(&w, "environments");
	for (size_t i = 0; i < l->environments.names.len; i++)
		json_write_string(&w, l->environments.names.items[i]);
	json_write_array_end(&w);
	json_write_member_object(&w, "variables");
	for (size_t i = 0; i < e->variables.len; i++) {
		const struct variable *v = &e->variables.items[i];
		json_write_key(&w, v->name);
		if (strings_have(&e->secrets, v->name))
			json_write_string(&w, SECRET_HIDDEN);
		else
			json_write_value(&w, v->value);
	}
	json_write_object_end(&w);
	json_write_member_array(&w, "missing");
	for (size_t i = 0; i < e->lacking.len; i++)
		json_write_string(&w, e->lacking.items[i]);
	json_write_array_end(&w);
	json_write_object_end(&w);
}

static void
saved_add_text(const struct project_listing *l, struct buf *out)
{
	const struct environment *e = &l->environment;
	struct print_table table = { .width = output_columns(), .last_gives_way = true };

	print_columns(&table, "NAME|KIND|OF|SERVER|ARGUMENTS");
	for (size_t i = 0; i < l->calls.len; i++) {
		const struct saved_call *c = &l->calls.items[i];
		print_cell(&table, c->name);
		print_cell(
		    &table, c->key ? primitive_kinds[(enum primitive_kind)c->kind].name : "");
		print_cell(&table, c->key ? c->key : "");
		print_cell(&table, c->server ? c->server : "");
		print_cell(&table, c->trouble ? c->trouble : c->arguments);
	}
	if (!print_table_end(&table, out))
		buf_add_str(out, "No call is saved here: Ctrl-S in the form saves one.\n");
	if (l->environments.names.len > 0) {
		buf_add_str(out, "\nEnvironments: ");
		strings_join(&l->environments.names, ", ", out);
		buf_add_str(out, "\n");
	}
	if (e->variables.len + e->lacking.len > 0)
		buf_add_str(out, "\nVariables:\n");
	for (size_t i = 0; i < e->variables.len; i++) {
		const struct variable *v = &e->variables.items[i];
		buf_addf(out, "  %s = ", v->name);
		if (strings_have(&e->secrets, v->name))
			buf_add_str(out, SECRET_HIDDEN);
		else
			json_print_brief(out, v->value, 200);
		buf_add_char(out, '\n');
	}
	for (size_t i = 0; i < e->lacking.len; i++)
		buf_addf(out, "  %s is not set in the environment\n", e->lacking.items[i]);
}

int
cli_saved(const struct options *o)
{
	struct project_listing l = { 0 };
	struct buf out = BUF_INIT, json = BUF_INIT;
	struct err err = { "" };
	int code = CLI_EXIT_USAGE;

	if (!project_host.calls(NULL, &l.calls, &err))
		say("%s", err.text);
	if (!project_host.environments(NULL, &l.environments, &err) ||
	    !project_environment(
		&l.environments, o->call.environment, &o->call.variables, &l.environment, &err)) {
		say("%s", err.text);
	} else {
		if (o->call.json || !output_is_terminal()) {
			saved_add_json(&l, &json);
			output_take_json(&out, &json, o->call.raw);
		} else {
			saved_add_text(&l, &out);
		}
		code = output_write(&out, o->call.raw);
	}
	buf_finish(&out);
	saved_calls_finish(&l.calls);
	environments_finish(&l.environments);
	environment_finish(&l.environment);
	return code;
}

/* ---- `mcpane logout` ---- */

static void
logout_on_revoked(void *user, const char *outcome)
{
	say("%s", outcome);
	*(bool *)user = true;
}

int
cli_logout(const struct options *o)
{
	char *server = auth_canonical_resource(o->url);
	char *path = path_of(PATH_STATE, TOKEN_STORE_FILE);
	struct err err = { "" };
	const struct auth_change forget = { .forget = true };
	struct auth_kept kept = { 0 };
	bool found = false;
	int code = CLI_EXIT_OK;

	if (server && path)
		token_store_find(path, server, NULL, NULL, &kept, &err);

	if (!server || !path) {
		say("%s", server ? "no folder for stored tokens: HOME is not set" : "invalid URL");
		code = CLI_EXIT_USAGE;
	} else if (!token_store_change(path, server, &forget, &found, &err) || err.text[0]) {
		say("%s", err.text);
		code = CLI_EXIT_USAGE;
	} else {
		say("%s: %s", server, found ? "its tokens were deleted" : "no tokens were stored");
		bool done = !found || !kept.token.access;
		struct loop *loop = done ? NULL : loop_create(NULL, NULL, &err);
		if (!done && !loop)
			say("the tokens were not revoked: %s", err.text);
		struct revoker *r =
		    loop ? revoker_create(loop, server, &kept, logout_on_revoked, &done) : NULL;
		while (loop && !done && !loop_trouble(loop))
			loop_turn(loop, -1);
		revoker_destroy(r);
		loop_destroy(loop);
	}
	auth_kept_finish(&kept);
	free(server);
	free(path);
	return code;
}

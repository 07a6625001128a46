#include "client.h"

#include "base/secret.h"
#include "cli/print/print.h"
#include "host/project.h"
#include "json/print.h"
#include "json/write.h"

#include <stdlib.h>
#include <string.h>

/* `mcpane saved`: what the project has saved. No server is started. */

struct project_listing {
	struct saved_calls calls;
	struct environments environments;
	struct environment environment;
};

enum { NAME, KIND, KEY, SERVER, ARGUMENTS, COLUMN_COUNT };

static void
heading(const void *user, size_t column, struct buf *out)
{
	static const char *const names[] = { "NAME", "KIND", "OF", "SERVER", "ARGUMENTS" };

	buf_add_str(out, names[column]);
}

static void
cell(const void *user, size_t row, size_t column, struct buf *out)
{
	const struct saved_call *c = &((const struct project_listing *)user)->calls.items[row];
	const char *const texts[] = { c->name,
		c->key ? primitive_kinds[(enum primitive_kind)c->kind].name : NULL, c->key,
		c->server, c->trouble ? c->trouble : c->arguments };

	buf_add_str(out, texts[column] ? texts[column] : "");
}

static bool
is_right(const void *user, size_t column)
{
	return false;
}

static void
write_calls(struct json_writer *w, const struct saved_calls *calls)
{
	json_write_member_array(w, "calls");
	for (size_t i = 0; i < calls->len; i++) {
		const struct saved_call *c = &calls->items[i];
		json_write_object(w);
		json_write_member_string(w, "name", c->name);
		if (c->trouble) {
			json_write_member_string(w, "error", c->trouble);
		} else {
			json_write_member_string(w, saved_kind_names[c->kind], c->key);
			if (c->server)
				json_write_member_string(w, "server", c->server);
			json_write_member_json(w, "arguments", c->arguments);
		}
		json_write_object_end(w);
	}
	json_write_array_end(w);
}

static void
write_variables(struct json_writer *w, const struct environment *e)
{
	json_write_member_object(w, "variables");
	for (size_t i = 0; i < e->variables.len; i++) {
		const struct variable *v = &e->variables.items[i];
		json_write_key(w, v->name);
		if (strings_have(&e->secrets, v->name))
			json_write_string(w, SECRET_HIDDEN);
		else
			json_write_value(w, v->value);
	}
	json_write_object_end(w);
	json_write_member_array(w, "missing");
	for (size_t i = 0; i < e->lacking.len; i++)
		json_write_string(w, e->lacking.items[i]);
	json_write_array_end(w);
}

static void
add_json(const struct project_listing *l, struct buf *out)
{
	struct json_writer w;

	json_write_init(&w, out);
	json_write_object(&w);
	write_calls(&w, &l->calls);
	json_write_member_array(&w, "environments");
	for (size_t i = 0; i < l->environments.names.len; i++)
		json_write_string(&w, l->environments.names.items[i]);
	json_write_array_end(&w);
	write_variables(&w, &l->environment);
	json_write_object_end(&w);
}

static void
add_variables(const struct environment *e, struct buf *out)
{
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

static void
add_text(const struct project_listing *l, struct buf *out)
{
	struct text_columns table = {
		.rows = l->calls.len,
		.count = COLUMN_COUNT,
		.last_gives_way = true,
		.width = output_columns(),
		.heading = heading,
		.cell = cell,
		.is_right = is_right,
		.user = l,
	};

	if (table.rows > 0)
		columns_print(&table, out);
	else
		buf_add_str(out, "No call is saved here: Ctrl-S in the form saves one.\n");
	if (l->environments.names.len > 0) {
		buf_add_str(out, "\nEnvironments: ");
		strings_join(&l->environments.names, ", ", out);
		buf_add_str(out, "\n");
	}
	if (l->environment.variables.len + l->environment.lacking.len > 0)
		add_variables(&l->environment, out);
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
		&l.environments, o->environment, &o->variables, &l.environment, &err)) {
		say("%s", err.text);
	} else {
		if (o->json || !output_is_terminal()) {
			add_json(&l, &json);
			output_add_json(&out, &json, o->raw);
		} else {
			add_text(&l, &out);
		}
		code = output_write(&out, o->raw);
	}
	buf_finish(&json);
	buf_finish(&out);
	saved_calls_finish(&l.calls);
	environments_finish(&l.environments);
	environment_finish(&l.environment);
	return code;
}

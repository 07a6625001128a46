/* SPDX-License-Identifier: MIT */
#include "client.h"

#include "base/clock.h"
#include "base/vec.h"
#include "cli/print/print.h"
#include "form/form.h"
#include "json/write.h"
#include "mcp/skill.h"

#include <stdio.h>
#include <string.h>

/* ---- as a table ---- */

static const char *const list_columns[PRIMITIVE_KINDS] = {
	[PRIMITIVE_TOOL] = "NAME|OUTPUT|HINTS|DESCRIPTION",
	[PRIMITIVE_RESOURCE] = "URI|NAME|TYPE|DESCRIPTION",
	[PRIMITIVE_TEMPLATE] = "TEMPLATE|NAME|TYPE|DESCRIPTION",
	[PRIMITIVE_PROMPT] = "NAME|ARGUMENTS|TITLE|DESCRIPTION",
	[PRIMITIVE_SKILL] = "URI|NAME|FILES|DESCRIPTION",
};

/* The type of the result. An object with an array member counts as an array. */
static const char *
output_word(const struct primitive *t)
{
	const char *type = json_get_string(t->output_schema, "type");

	if (t->broken)
		return "broken";
	if (!t->output_schema)
		return "";
	return primitive_returns_array(t) ? "array" : type ? type : "any";
}

static void
add_hints(const struct primitive *t, struct buf *out)
{
	const struct {
		enum hint hint, says;
		const char *word;
	} hints[] = {
		{ t->read_only, HINT_TRUE, "read-only" },
		{ t->destructive, HINT_TRUE, "destructive" },
		{ t->idempotent, HINT_TRUE, "idempotent" },
		{ t->open_world, HINT_FALSE, "closed-world" },
	};

	for (size_t i = 0; i < ARRAY_LEN(hints); i++)
		if (hints[i].hint == hints[i].says)
			buf_addf(out, "%s%s", out->len ? " " : "", hints[i].word);
}

/* "city country?": a question mark means optional. */
static void
add_arguments(const struct primitive *p, struct buf *out)
{
	for (const cJSON *a = json_first(p->arguments); a; a = a->next)
		if (json_get_string(a, "name"))
			buf_addf(out, "%s%s%s", a == json_first(p->arguments) ? "" : " ",
			    json_get_string(a, "name"),
			    cJSON_IsTrue(json_get(a, "required")) ? "" : "?");
}

static void
add_third(const struct primitive *p, struct buf *out)
{
	const cJSON *files = p->kind == PRIMITIVE_SKILL ? skill_files(p->definition) : NULL;
	const char *text = p->kind == PRIMITIVE_PROMPT ? p->title : p->mime;

	if (p->kind == PRIMITIVE_TOOL)
		add_hints(p, out);
	else if (files)
		buf_addf(out, "%zu, %zu bytes", json_count(files), skill_bytes(p->definition));
	else if (p->kind == PRIMITIVE_SKILL)
		buf_add_str(out, p->unusable ? "" : "dynamic");
	else
		buf_add_str(out, text ? text : "");
}

static void
add_row(struct print_table *table, const struct primitive *p)
{
	const char *text = p->broken ? p->problem : p->description ? p->description : "";
	struct buf cell = BUF_INIT;

	buf_add_str(&cell, p->key);
	if (p->of > 1)
		buf_addf(&cell, " (%zu of %zu)", p->nth + 1, p->of);
	print_cell_take(table, &cell);
	if (p->kind == PRIMITIVE_PROMPT)
		add_arguments(p, &cell);
	else
		buf_add_str(&cell, p->kind == PRIMITIVE_TOOL ? output_word(p) : p->name);
	print_cell_take(table, &cell);
	add_third(p, &cell);
	print_cell_take(table, &cell);
	buf_add(&cell, text, strcspn(text, "\r\n"));
	print_cell_take(table, &cell);
	buf_finish(&cell);
}

static void
list_print_table(const struct server *s, const struct lister *lister, struct buf *out)
{
	const struct primitive_list *list = &lister->list;
	const struct session_info *info = session_info(server_info(s)->session);
	struct print_table table = { .width = output_columns(), .last_gives_way = true };

	print_columns(&table, list_columns[lister->kind]);
	for (size_t i = 0; i < list->len; i++)
		add_row(&table, &list->items[i]);
	print_table_end(&table, out);
	buf_addf(out, "%s%s %s, protocol %s: ", list->len > 0 ? "\n" : "", info->server_name,
	    info->server_version, info->protocol);
	if (list->len == 0)
		buf_addf(out, "no %s\n", primitive_kinds[lister->kind].plural);
	else
		buf_addf(out, "%zu %s\n", list->len,
		    list->len == 1 ? primitive_kinds[lister->kind].name
				   : primitive_kinds[lister->kind].plural);
}

/* ---- as JSON ---- */

static void
write_text(struct json_writer *w, const char *key, const char *text)
{
	if (text[0])
		json_write_member_string(w, key, text);
}

static void
list_print_json(const struct server *s, const struct lister *lister, struct buf *out)
{
	const struct primitive_list *list = &lister->list;
	const struct session_info *info = session_info(server_info(s)->session);
	struct json_writer w;

	json_write_init(&w, out);
	json_write_object(&w);
	json_write_member_object(&w, "server");
	json_write_member_string(&w, "name", info->server_name);
	write_text(&w, "title", info->server_title);
	json_write_member_string(&w, "version", info->server_version);
	json_write_member_string(&w, "protocolVersion", info->protocol);
	write_text(&w, "instructions", info->instructions);
	if (info->server_capabilities)
		json_write_member_value(&w, "capabilities", info->server_capabilities);
	json_write_object_end(&w);
	json_write_member_array(&w, primitive_kinds[lister->kind].plural);
	for (size_t i = 0; i < list->len; i++)
		json_write_value(&w, list->items[i].definition);
	json_write_array_end(&w);
	json_write_object_end(&w);
}

void
list_print(
    const struct client *c, const struct options *o, const struct lister *lister, struct buf *out)
{
	struct buf json = BUF_INIT;

	if (o->call.json || !output_is_terminal()) {
		list_print_json(client_server(c), lister, &json);
		output_add_json(out, &json, o->call.raw);
		for (size_t i = 0; i < lister->list.len; i++) {
			const struct primitive *p = &lister->list.items[i];
			if (p->broken)
				say("%s %zu, %s: %s", primitive_kinds[p->kind].name, i + 1, p->name,
				    p->problem);
		}
	} else {
		list_print_table(client_server(c), lister, out);
	}
	buf_finish(&json);
}

int
cli_list(const struct options *o)
{
	struct client client = { .lists = 1u << o->call.kind };
	struct buf out = BUF_INIT;
	int code = client_open(&client, o);

	if (code == 0)
		list_print(
		    &client, o, &server_info(client_server(&client))->lists[o->call.kind], &out);
	return client_end(&client, o, code, &out);
}

/* A template can be named by its text or by its name. */
static const char *
complete_find_key(const struct server *s, const struct options *o)
{
	const struct primitive_list *list = &server_info(s)->lists[PRIMITIVE_TEMPLATE].list;

	for (size_t i = 0; o->call.kind == PRIMITIVE_TEMPLATE && i < list->len; i++)
		if (strcmp(list->items[i].name, o->call.tool) == 0)
			return list->items[i].key;
	return o->call.tool;
}

/* Context arguments: without a schema every VALUE is a string. False: one is not a valid path. */
static bool
write_context(const struct options *o, struct buf *out)
{
	struct form *form = form_create(NULL, NULL, FORM_DEFAULTS_SHOWN);
	struct err err = { "" };

	form_load_json(form, "{}", 2, NULL);
	bool ok = client_set_arguments(form, o, &err);
	if (!ok)
		say("%s", err.text);
	form_to_json(form, out);
	form_destroy(form);
	return ok;
}

static bool
complete_is_answered(const struct client *c)
{
	return !completer_is_busy(server_info(client_server(c))->completer);
}

static void
complete_add_json(const struct completion *k, bool raw, struct buf *out)
{
	struct buf json = BUF_INIT;
	struct json_writer w;

	json_write_init(&w, &json);
	json_write_object(&w);
	json_write_member_array(&w, "values");
	for (size_t i = 0; i < k->len; i++)
		json_write_string(&w, k->values[i]);
	json_write_array_end(&w);
	if (k->total != SIZE_MAX)
		json_write_member_int(&w, "total", (int64_t)k->total);
	json_write_member_bool(&w, "hasMore", k->has_more);
	json_write_object_end(&w);
	output_add_json(out, &json, raw);
	buf_finish(&json);
}

static int
complete_report(struct client *client, const struct options *o, struct buf *out)
{
	const struct completion *k =
	    completer_answer(server_info(client_server(client))->completer);
	char what[120];

	if (!k || k->error[0]) {
		snprintf(what, sizeof(what), "%s %.80s", primitive_kinds[o->call.kind].name,
		    o->call.tool);
		return client_say_failure(client, what,
		    k ? k->error : "no answer: the server had forgotten the session",
		    k && !k->unanswered);
	}
	if (o->call.json) {
		complete_add_json(k, o->call.raw, out);
		return CLI_EXIT_OK;
	}
	for (size_t i = 0; i < k->len; i++)
		buf_addf(out, "%s\n", k->values[i]);
	if (k->has_more && k->total != SIZE_MAX)
		say("%zu of %zu", k->len, k->total);
	else if (k->has_more)
		say("%zu, and more exist", k->len);
	return CLI_EXIT_OK;
}

static int
complete_ask(struct client *client, const struct options *o, const char *context, struct buf *out)
{
	struct server *s = client_server(client);
	struct primitive primitive = {
		.kind = o->call.kind, .key = complete_find_key(s, o), .has_key = true
	};
	struct completion_question question = {
		.primitive = &primitive,
		.argument = o->call.argument,
		.value = o->call.value,
		.context = o->call.arguments.len > 0 ? context : NULL,
	};

	if (!completer_can(server_info(s)->session, &primitive)) {
		client_fail(
		    client, "%s: the server declares no completions", server_info(s)->label);
		return CLI_EXIT_TOOL_ERROR;
	}
	server_complete(s, &question, 0, clock_now_us());
	server_on_time(s, clock_now_us());
	connection_touch(client->connection);
	client_wait(client, complete_is_answered);
	if (client->end_code)
		return client->end_code;
	return complete_report(client, o, out);
}

int
cli_complete(const struct options *o)
{
	bool by_name = o->call.kind == PRIMITIVE_TEMPLATE && !strchr(o->call.tool, '{');
	struct client client = { .lists = by_name ? 1u << PRIMITIVE_TEMPLATE : 0 };
	struct buf context = BUF_INIT, out = BUF_INIT;
	int code = write_context(o, &context) ? client_open(&client, o) : CLI_EXIT_USAGE;

	if (code == 0)
		code = complete_ask(&client, o, buf_text(&context), &out);
	buf_finish(&context);
	return client_end(&client, o, code, &out);
}

static bool
ping_is_back(const struct client *c)
{
	return server_info(client_server(c))->ping->request == 0;
}

static void
ping_add_json(const struct server *s, const struct ping *p, bool raw, struct buf *out)
{
	struct buf json = BUF_INIT;
	struct json_writer w;
	const struct session_info *info = session_info(server_info(s)->session);
	char ms[32];

	snprintf(ms, sizeof(ms), "%.3f", (double)p->took_us / 1000);
	json_write_init(&w, &json);
	json_write_object(&w);
	json_write_member_string(&w, "method", p->method);
	json_write_member_json(&w, "ms", ms);
	json_write_member_string(&w, "server", info->server_name);
	json_write_member_string(&w, "version", info->server_version);
	json_write_member_string(&w, "protocolVersion", info->protocol);
	json_write_object_end(&w);
	output_add_json(out, &json, raw);
	buf_finish(&json);
}

static int
ping_ping(struct client *client, const struct options *o, struct buf *out)
{
	struct server *s = client_server(client);
	const struct session_info *info = session_info(server_info(s)->session);
	const struct ping *p = server_info(s)->ping;

	if (server_ping(s, clock_now_us())) {
		connection_touch(client->connection);
		client_wait(client, ping_is_back);
	}
	if (client->end_code)
		return client->end_code;
	if (p->took_us < 0) {
		const char *error = p->error[0] ? p->error : server_info(s)->trouble;
		return client_say_failure(
		    client, server_info(s)->label, error, p->error[0] && !p->unanswered);
	}
	if (o->call.json)
		ping_add_json(s, p, o->call.raw, out);
	else
		buf_addf(out, "%s %s, protocol %s: %s in %.2f ms\n", info->server_name,
		    info->server_version, info->protocol, p->method, (double)p->took_us / 1000);
	return CLI_EXIT_OK;
}

int
cli_ping(const struct options *o)
{
	struct client client = { 0 };
	struct buf out = BUF_INIT;
	int code = client_open(&client, o);

	if (code == 0)
		code = ping_ping(&client, o, &out);
	return client_end(&client, o, code, &out);
}

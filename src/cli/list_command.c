/* SPDX-License-Identifier: MIT */
#include "client.h"

#include "base/clock.h"
#include "base/vec.h"
#include "cli/print/print.h"
#include "client/skills.h"
#include "form/form.h"
#include "json/write.h"
#include "mcp/skill.h"

#include <stdio.h>
#include <string.h>

/* `mcpane list`, `complete`, `ping` and `skill`: each asks a server for one thing. */

static const char *const list_columns[PRIMITIVE_KINDS] = {
	[PRIMITIVE_TOOL] = "NAME|OUTPUT|HINTS|DESCRIPTION",
	[PRIMITIVE_RESOURCE] = "URI|NAME|TYPE|DESCRIPTION",
	[PRIMITIVE_TEMPLATE] = "TEMPLATE|NAME|TYPE|DESCRIPTION",
	[PRIMITIVE_PROMPT] = "NAME|ARGUMENTS|TITLE|DESCRIPTION",
	[PRIMITIVE_SKILL] = "URI|NAME|FILES|DESCRIPTION",
};

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

static void
add_list_row(struct print_table *table, const struct primitive *p)
{
	const char *text = p->broken ? p->problem : p->description ? p->description : "";
	/* the type of the result; an object with an array member counts as an array */
	const char *type = json_get_string(p->output_schema, "type");
	const char *output = p->broken                    ? "broken"
			     : !p->output_schema          ? ""
			     : primitive_returns_array(p) ? "array"
			     : type                       ? type
							  : "any";
	struct buf cell = BUF_INIT;

	buf_add_str(&cell, p->key);
	if (p->of > 1)
		buf_addf(&cell, " (%zu of %zu)", p->nth + 1, p->of);
	print_cell_take(table, &cell);
	const cJSON *arguments = p->kind == PRIMITIVE_PROMPT ? json_first(p->arguments) : NULL;
	for (const cJSON *a = arguments; a; a = a->next) /* "city country?" */
		if (json_get_string(a, "name"))
			buf_addf(&cell, "%s%s%s", a == arguments ? "" : " ",
			    json_get_string(a, "name"),
			    cJSON_IsTrue(json_get(a, "required")) ? "" : "?");
	if (p->kind != PRIMITIVE_PROMPT)
		buf_add_str(&cell, p->kind == PRIMITIVE_TOOL ? output : p->name);
	print_cell_take(table, &cell);
	const cJSON *files = p->kind == PRIMITIVE_SKILL ? skill_files(p->definition) : NULL;
	const char *third = p->kind == PRIMITIVE_PROMPT ? p->title : p->mime;
	if (p->kind == PRIMITIVE_TOOL)
		add_hints(p, &cell);
	else if (files)
		buf_addf(&cell, "%zu, %zu bytes", json_count(files), skill_bytes(p->definition));
	else if (p->kind == PRIMITIVE_SKILL)
		buf_add_str(&cell, p->unusable ? "" : "dynamic");
	else if (third)
		buf_add_str(&cell, third);
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
		add_list_row(&table, &list->items[i]);
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
	if (info->server_title[0])
		json_write_member_string(&w, "title", info->server_title);
	json_write_member_string(&w, "version", info->server_version);
	json_write_member_string(&w, "protocolVersion", info->protocol);
	if (info->instructions[0])
		json_write_member_string(&w, "instructions", info->instructions);
	if (info->server_capabilities)
		json_write_member_value(&w, "capabilities", info->server_capabilities);
	json_write_object_end(&w);
	json_write_member_array(&w, primitive_kinds[lister->kind].plural);
	for (size_t i = 0; i < list->len; i++)
		json_write_value(&w, list->items[i].definition);
	json_write_array_end(&w);
	json_write_object_end(&w);
}

/* Prints the primitives of a lister: a table on a terminal, else JSON. */
static void
list_print(
    const struct client *c, const struct options *o, const struct lister *lister, struct buf *out)
{
	struct buf json = BUF_INIT;

	if (o->call.json || !output_is_terminal()) {
		list_print_json(client_server(c), lister, &json);
		output_take_json(out, &json, o->call.raw);
		for (size_t i = 0; i < lister->list.len; i++) {
			const struct primitive *p = &lister->list.items[i];
			if (p->broken)
				say("%s %zu, %s: %s", primitive_kinds[p->kind].name, i + 1, p->name,
				    p->problem);
		}
	} else {
		list_print_table(client_server(c), lister, out);
	}
}

static int
list_listed(struct client *c, const struct options *o, struct buf *out)
{
	list_print(c, o, &server_info(client_server(c))->lists[o->call.kind], out);
	return CLI_EXIT_OK;
}

int
cli_list(const struct options *o)
{
	struct client client = { .lists = 1u << o->call.kind };

	return client_run(&client, o, list_listed);
}

static int
complete_report(struct client *client, const struct options *o, struct buf *out)
{
	const struct completion *k =
	    completer_answer(server_info(client_server(client))->completer);
	struct buf json = BUF_INIT;
	struct json_writer w;
	char what[120];

	if (!k || k->error[0]) {
		snprintf(what, sizeof(what), "%s %.80s", primitive_kinds[o->call.kind].name,
		    o->call.tool);
		return client_say_failure(client, what,
		    k ? k->error : "no answer: the server had forgotten the session",
		    k && !k->unanswered);
	}
	if (o->call.json) {
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
		output_take_json(out, &json, o->call.raw);
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
	const struct primitive_list *list = &server_info(s)->lists[PRIMITIVE_TEMPLATE].list;
	struct primitive primitive = { .kind = o->call.kind, .key = o->call.tool, .has_key = true };
	/* a template can be named by its text or by its name */
	for (size_t i = 0; o->call.kind == PRIMITIVE_TEMPLATE && i < list->len; i++)
		if (strcmp(list->items[i].name, o->call.tool) == 0) {
			primitive.key = list->items[i].key;
			break;
		}
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
	int code = client_wait_answers(client);
	return code ? code : complete_report(client, o, out);
}

int
cli_complete(const struct options *o)
{
	bool by_name = o->call.kind == PRIMITIVE_TEMPLATE && !strchr(o->call.tool, '{');
	struct client client = { .lists = by_name ? 1u << PRIMITIVE_TEMPLATE : 0 };
	struct buf context = BUF_INIT, out = BUF_INIT;
	struct err err;

	/* without a schema every VALUE of the context is a string */
	struct form *form = form_create(NULL, NULL, FORM_DEFAULTS_SHOWN);
	form_load_json(form, "{}", 2, NULL);
	bool ok = client_set_arguments(form, o, &err);
	if (!ok)
		say("%s", err.text);
	form_to_json(form, &context);
	form_destroy(form);
	int code = ok ? client_open(&client, o) : CLI_EXIT_USAGE;
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

static int
ping_ping(struct client *client, const struct options *o, struct buf *out)
{
	struct server *s = client_server(client);
	const struct session_info *info = session_info(server_info(s)->session);
	const struct ping *p = server_info(s)->ping;

	if (server_ping(s, clock_now_us()) && client_wait(client, ping_is_back))
		return client->end_code;
	if (p->took_us < 0) {
		const char *error = p->error[0] ? p->error : server_info(s)->trouble;
		return client_say_failure(
		    client, server_info(s)->label, error, p->error[0] && !p->unanswered);
	}
	double ms = (double)p->took_us / 1000;
	if (!o->call.json) {
		buf_addf(out, "%s %s, protocol %s: %s in %.2f ms\n", info->server_name,
		    info->server_version, info->protocol, p->method, ms);
		return CLI_EXIT_OK;
	}
	struct buf json = BUF_INIT;
	struct json_writer w;
	json_write_init(&w, &json);
	json_write_object(&w);
	json_write_member_string(&w, "method", p->method);
	json_write_member_ms(&w, "ms", p->took_us);
	json_write_member_string(&w, "server", info->server_name);
	json_write_member_string(&w, "version", info->server_version);
	json_write_member_string(&w, "protocolVersion", info->protocol);
	json_write_object_end(&w);
	output_take_json(out, &json, o->call.raw);
	return CLI_EXIT_OK;
}

int
cli_ping(const struct options *o)
{
	struct client client = { 0 };

	return client_run(&client, o, ping_ping);
}

/*
 * `mcpane skill`: reads a file of a skill and compares it with the entry that the server announced.
 * A terminal always shows the content. A file or a pipe gets it only with the user's consent, and
 * only if it agrees with its entry.
 */

static int
skill_find(struct client *c, const char *name, const struct primitive **skill)
{
	struct server *s = client_server(c);
	struct err err;
	bool several;

	*skill = server_skill_find(s, name, &several);
	if (!*skill && !several && strstr(name, "://")) {
		/* a skill need not be listed: its URI is enough */
		if (!server_skill_get(s, name, clock_now_us(), &err)) {
			client_fail(c, "%s", err.text);
			return CLI_EXIT_TOOL_ERROR;
		}
		if (client_wait_answers(c))
			return c->end_code;
		if (server_skills(s).trouble[0])
			return client_say_failure(c, name, server_skills(s).trouble, true);
		*skill = server_skill_find(s, name, &several);
	}
	if (*skill)
		return 0;
	if (!several) {
		client_fail(c, "no skill %s is listed (name an unlisted skill by its URI)", name);
		return CLI_EXIT_TOOL_ERROR;
	}
	client_fail(c, "several skills are named %s; give one by its URI:", name);
	for (size_t i = 0; i < server_skill_count(s); i++) {
		const struct primitive *p = server_skill_at(s, i);
		if (strcmp(p->name, name) == 0)
			say_lines(p->key, strlen(p->key));
	}
	return CLI_EXIT_USAGE;
}

static int
read_folder(
    struct client *c, const struct primitive *skill, const struct options *o, struct buf *out)
{
	struct server *s = client_server(c);
	struct err err;

	if (!server_skill_browse(s, skill, o->call.file, clock_now_us(), &err)) {
		client_fail(c, "%s", err.text);
		return CLI_EXIT_TOOL_ERROR;
	}
	if (client_wait_answers(c))
		return c->end_code;
	const struct lister *files = server_skills(s).files;
	if (files->error[0])
		return client_say_failure(
		    c, server_skills(s).folder, files->error, !files->unanswered);
	list_print(c, o, files, out);
	return 0;
}

static int
skill_read_file(
    struct client *c, const struct primitive *skill, const struct options *o, uint64_t *call)
{
	struct buf arguments = BUF_INIT;
	struct json_writer w;
	struct err err;

	json_write_init(&w, &arguments);
	json_write_object(&w);
	if (o->call.file)
		json_write_member_string(&w, "file", o->call.file);
	json_write_object_end(&w);
	*call = server_ask(
	    client_server(c), skill, buf_text(&arguments), arguments.len, clock_now_us(), &err);
	buf_finish(&arguments);
	if (!*call) {
		client_fail(c, "%s: %s", skill->name, err.text);
		return CLI_EXIT_TOOL_ERROR;
	}
	client_say_trace(c, o);
	return client_wait_answers(c);
}

/* A file that may not be used is printed only on a terminal. */
static int
skill_report(struct client *client, const struct call *c, const struct options *o, struct buf *out)
{
	static const char *const states[] = {
		[SKILL_UNREAD] = "unread",
		[SKILL_CHECKING] = "checking",
		[SKILL_VERIFIED] = "verified",
		[SKILL_DYNAMIC] = "dynamic",
		[SKILL_FAILED] = "failed",
	};
	struct server *s = client_server(client);
	bool inspected = output_is_terminal() && !o->call.output;
	struct buf json = BUF_INIT;
	struct json_writer w;
	struct err why = { "" };
	int code = c->skill.state == SKILL_FAILED ? CLI_EXIT_BROKEN_RESULT : CLI_EXIT_OK;

	if (c->state != CALL_DONE)
		return client_failure(client, call_is_answered(c));
	bool usable = server_skill_may_use(s, c, &why);
	say("%s: %s", call_name(c), c->skill.text);
	if (o->call.json) {
		json_write_init(&w, &json);
		json_write_object(&w);
		json_write_member_string(&w, "skill", c->key);
		json_write_member_string(&w, "file", c->uri);
		json_write_member_string(&w, "status", states[c->skill.state]);
		json_write_member_string(&w, "reason", c->skill.text);
		json_write_member_bool(&w, "approved", usable);
		if (usable || inspected)
			json_write_member_value(&w, "result", c->value);
		json_write_object_end(&w);
		output_take_json(out, &json, o->call.raw);
	} else if (usable && (o->call.output || o->call.raw)) {
		code = result_write(c, o->call.output ? o->call.output : "-");
	} else if (usable || inspected) {
		result_add_text(c, 0, out);
	}
	if (!usable && !inspected) {
		client_fail(client, "content withheld: %s%s", why.text,
		    c->skill.state == SKILL_VERIFIED ? "; --approve approves it" : "");
		code = code ? code : CLI_EXIT_USAGE;
	}
	return code;
}

static int
skill_run(struct client *client, const struct options *o, struct buf *out)
{
	struct server *s = client_server(client);
	size_t len = o->call.file ? strlen(o->call.file) : 0;
	const struct primitive *skill;
	uint64_t id;
	struct err err;

	if (!client_set_meta(client, o))
		return CLI_EXIT_USAGE;
	int code = skill_find(client, o->call.tool, &skill);
	if (code)
		return code;
	if (skill->broken)
		say("%s: %s", skill->key, skill->problem);
	if (len > 0 && o->call.file[len - 1] == '/')
		return read_folder(client, skill, o, out);
	if (o->call.approve && !server_skill_approve(s, skill, &err))
		say("%s: %s", skill->key, err.text);
	code = skill_read_file(client, skill, o, &id);
	if (code)
		return code;
	const struct call *call = server_find_call(s, id);
	code = skill_report(client, call, o, out);
	result_say(call, true);
	return code;
}

int
cli_skill(const struct options *o)
{
	struct client client = { .lists = 1u << PRIMITIVE_SKILL };

	return client_run(&client, o, skill_run);
}

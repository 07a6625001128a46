#include "client.h"

#include "base/clock.h"
#include "json/write.h"
#include "cli/print/print.h"
#include "form/form.h"

#include <stdio.h>
#include <string.h>

/* A template can be named by its text or by its name. */
static const char *
find_key(const struct server *s, const struct options *o)
{
	const struct primitive_list *list = &server_info(s)->lists[PRIMITIVE_TEMPLATE].list;

	for (size_t i = 0; o->kind == PRIMITIVE_TEMPLATE && i < list->len; i++)
		if (strcmp(list->items[i].name, o->tool) == 0)
			return list->items[i].key;
	return o->tool;
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
is_answered(const struct client *c)
{
	return !completer_is_busy(server_info(client_server(c))->completer);
}

static void
add_json(const struct completion *k, bool raw, struct buf *out)
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
report(struct client *client, const struct options *o, struct buf *out)
{
	const struct completion *k =
	    completer_answer(server_info(client_server(client))->completer);
	char what[120];

	if (!k || k->error[0]) {
		snprintf(what, sizeof(what), "%s %.80s", primitive_kinds[o->kind].name, o->tool);
		return client_say_failure(client, what,
		    k ? k->error : "no answer: the server had forgotten the session",
		    k && !k->unanswered);
	}
	if (o->json) {
		add_json(k, o->raw, out);
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
ask(struct client *client, const struct options *o, const char *context, struct buf *out)
{
	struct server *s = client_server(client);
	struct primitive primitive = { .kind = o->kind, .key = find_key(s, o), .has_key = true };
	struct completion_question question = {
		.primitive = &primitive,
		.argument = o->argument,
		.value = o->value,
		.context = o->arguments.len > 0 ? context : NULL,
	};

	if (!completer_can(server_info(s)->session, &primitive)) {
		client_fail(
		    client, "%s: the server declares no completions", server_info(s)->label);
		return CLI_EXIT_TOOL_ERROR;
	}
	server_complete(s, &question, 0, clock_now_us());
	server_on_time(s, clock_now_us());
	connection_touch(client->connection);
	client_wait(client, is_answered);
	if (client->end_code)
		return client->end_code;
	return report(client, o, out);
}

int
cli_complete(const struct options *o)
{
	bool by_name = o->kind == PRIMITIVE_TEMPLATE && !strchr(o->tool, '{');
	struct client client = { .lists = by_name ? 1u << PRIMITIVE_TEMPLATE : 0 };
	struct buf context = BUF_INIT, out = BUF_INIT;
	int code = write_context(o, &context) ? client_open(&client, o) : CLI_EXIT_USAGE;

	if (code == 0)
		code = ask(&client, o, buf_text(&context), &out);
	buf_finish(&context);
	return client_end(&client, o, code, &out);
}

/* SPDX-License-Identifier: MIT */
#include "client.h"

#include "base/clock.h"
#include "cli/print/print.h"
#include "client/skills.h"
#include "json/write.h"

#include <string.h>

/*
 * `mcpane skill`: reads a file of a skill and compares it with the entry that the server announced.
 * A terminal always shows the content. A file or a pipe gets it only with the user's consent, and
 * only if it agrees with its entry.
 */
struct skill_command {
	struct client client; /* first: client_wait() passes only the client */
	uint64_t call;
};

static bool
has_entry(const struct client *c)
{
	return !server_skills(client_server(c)).asking;
}

static bool
has_folder(const struct client *c)
{
	return !lister_is_busy(server_skills(client_server(c)).files);
}

static bool
has_file(const struct client *c)
{
	const struct skill_command *command = (const struct skill_command *)c;
	const struct call *call = server_find_call(client_server(c), command->call);

	return call->state != CALL_RUNNING;
}

/* A skill need not be listed: its URI is enough. */
static int
ask_for_entry(struct skill_command *command, const char *uri)
{
	struct server *s = client_server(&command->client);
	struct err err;

	if (!server_skill_get(s, uri, clock_now_us(), &err)) {
		client_fail(&command->client, "%s", err.text);
		return CLI_EXIT_TOOL_ERROR;
	}
	connection_touch(command->client.connection);
	client_wait(&command->client, has_entry);
	if (command->client.end_code)
		return command->client.end_code;
	if (server_skills(s).trouble[0])
		return client_say_failure(&command->client, uri, server_skills(s).trouble, true);
	return 0;
}

static int
say_unknown(struct skill_command *command, const char *name, bool several)
{
	const struct server *s = client_server(&command->client);

	if (several) {
		client_fail(
		    &command->client, "several skills are named %s; give one by its URI:", name);
		for (size_t i = 0; i < server_skill_count(s); i++) {
			const struct primitive *p = server_skill_at(s, i);
			if (strcmp(p->name, name) == 0)
				say_lines(p->key, strlen(p->key));
		}
		return CLI_EXIT_USAGE;
	}
	client_fail(
	    &command->client, "no skill %s is listed (name an unlisted skill by its URI)", name);
	return CLI_EXIT_TOOL_ERROR;
}

static int
skill_find(struct skill_command *command, const char *name, const struct primitive **skill)
{
	const struct server *s = client_server(&command->client);
	bool several;

	*skill = server_skill_find(s, name, &several);
	if (!*skill && !several && strstr(name, "://")) {
		int code = ask_for_entry(command, name);
		if (code)
			return code;
		*skill = server_skill_find(s, name, &several);
	}
	return *skill ? 0 : say_unknown(command, name, several);
}

static int
read_folder(struct skill_command *command, const struct primitive *skill, const struct options *o,
    struct buf *out)
{
	struct server *s = client_server(&command->client);
	struct err err;

	if (!server_skill_browse(s, skill, o->call.file, clock_now_us(), &err)) {
		client_fail(&command->client, "%s", err.text);
		return CLI_EXIT_TOOL_ERROR;
	}
	connection_touch(command->client.connection);
	client_wait(&command->client, has_folder);
	if (command->client.end_code)
		return command->client.end_code;
	const struct lister *files = server_skills(s).files;
	if (files->error[0])
		return client_say_failure(
		    &command->client, server_skills(s).folder, files->error, !files->unanswered);
	list_print(&command->client, o, files, out);
	return 0;
}

static int
skill_read_file(
    struct skill_command *command, const struct primitive *skill, const struct options *o)
{
	struct buf arguments = BUF_INIT;
	struct json_writer w;
	struct err err;

	json_write_init(&w, &arguments);
	json_write_object(&w);
	if (o->call.file)
		json_write_member_string(&w, "file", o->call.file);
	json_write_object_end(&w);
	command->call = server_ask(client_server(&command->client), skill, buf_text(&arguments),
	    arguments.len, clock_now_us(), &err);
	buf_finish(&arguments);
	if (!command->call) {
		client_fail(&command->client, "%s: %s", skill->name, err.text);
		return CLI_EXIT_TOOL_ERROR;
	}
	client_say_trace(&command->client, o);
	connection_touch(command->client.connection);
	client_wait(&command->client, has_file);
	return command->client.end_code;
}

/* ---- the file ---- */

static void
skill_add_json(const struct call *c, bool shown, bool approved, struct buf *out)
{
	static const char *const states[] = {
		[SKILL_UNREAD] = "unread",
		[SKILL_CHECKING] = "checking",
		[SKILL_VERIFIED] = "verified",
		[SKILL_DYNAMIC] = "dynamic",
		[SKILL_FAILED] = "failed",
	};
	struct json_writer w;

	json_write_init(&w, out);
	json_write_object(&w);
	json_write_member_string(&w, "skill", c->key);
	json_write_member_string(&w, "file", c->uri);
	json_write_member_string(&w, "status", states[c->skill.state]);
	json_write_member_string(&w, "reason", c->skill.text);
	json_write_member_bool(&w, "approved", approved);
	if (shown)
		json_write_member_value(&w, "result", c->value);
	json_write_object_end(&w);
}

/* A file that may not be used is printed only on a terminal. */
static int
skill_report(struct skill_command *command, const struct options *o, struct buf *out)
{
	struct server *s = client_server(&command->client);
	const struct call *c = server_find_call(s, command->call);
	bool inspected = output_is_terminal() && !o->call.output;
	struct buf json = BUF_INIT;
	struct err why = { "" };
	int code = c->skill.state == SKILL_FAILED ? CLI_EXIT_BROKEN_RESULT : CLI_EXIT_OK;

	if (c->state != CALL_DONE)
		return client_failure(&command->client, call_is_answered(c));
	bool usable = server_skill_may_use(s, c, &why);
	say("%s: %s", call_name(c), c->skill.text);
	if (o->call.json) {
		skill_add_json(c, usable || inspected, usable, &json);
		output_add_json(out, &json, o->call.raw);
	} else if (usable && (o->call.output || o->call.raw)) {
		code = result_write(c, o->call.output ? o->call.output : "-");
	} else if (usable || inspected) {
		result_add_text(c, 0, out);
	}
	if (!usable && !inspected) {
		client_fail(&command->client, "content withheld: %s%s", why.text,
		    c->skill.state == SKILL_VERIFIED ? "; --approve approves it" : "");
		code = code ? code : CLI_EXIT_USAGE;
	}
	buf_finish(&json);
	return code;
}

static int
skill_run(struct skill_command *command, const struct options *o, struct buf *out)
{
	struct server *s = client_server(&command->client);
	size_t len = o->call.file ? strlen(o->call.file) : 0;
	const struct primitive *skill;
	struct err err;

	if (!client_set_meta(&command->client, o))
		return CLI_EXIT_USAGE;
	int code = skill_find(command, o->call.tool, &skill);
	if (code)
		return code;
	if (skill->broken)
		say("%s: %s", skill->key, skill->problem);
	if (len > 0 && o->call.file[len - 1] == '/')
		return read_folder(command, skill, o, out);
	if (o->call.approve && !server_skill_approve(s, skill, &err))
		say("%s: %s", skill->key, err.text);
	code = skill_read_file(command, skill, o);
	if (code)
		return code;
	code = skill_report(command, o, out);
	result_say(server_find_call(s, command->call), true);
	return code;
}

int
cli_skill(const struct options *o)
{
	struct skill_command command = { .client = { .lists = 1u << PRIMITIVE_SKILL } };
	struct buf out = BUF_INIT;
	int code = client_open(&command.client, o);

	if (code == 0)
		code = skill_run(&command, o, &out);
	return client_end(&command.client, o, code, &out);
}

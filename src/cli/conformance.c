/* SPDX-License-Identifier: MIT */
#include "client.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/vec.h"
#include "json/print.h"
#include "json/write.h"
#include "mcp/primitive.h"
#include "cli/print/print.h"
#include "form/sample.h"
#include "client/skills.h"

#include <stdlib.h>
#include <string.h>

/*
 * Client for the official conformance suite (@modelcontextprotocol/conformance client):
 * connects, lists, then calls every tool and prompt and reads every resource with arguments
 * generated from the schemas, through the same code as the other subcommands.
 * MCP_CONFORMANCE_SCENARIO names the suite's scenario; a few need special calls.
 */

#define TIMEOUT_MS 20000
/* The client id that the suite expects from clients with a metadata document. */
#define CLIENT_METADATA_URL "https://conformance-test.local/client-metadata.json"

struct planned {
	enum primitive_kind kind;
	char *key, *arguments;
	uint64_t call;
};

struct conformance {
	struct client client;
	const struct scenario *scenario;
	bool read_only;           /* call only tools with readOnlyHint */
	struct json_doc *context; /* MCP_CONFORMANCE_CONTEXT; NULL: none */
	struct {
		struct planned *items;
		size_t len, cap;
	} plan;
};

/* ---- planning the calls ---- */

static const struct primitive_list *
primitives(const struct conformance *c, enum primitive_kind kind)
{
	return &server_info(client_server(&c->client))->lists[kind].list;
}

static void
plan(struct conformance *c, enum primitive_kind kind, const char *key, struct buf *arguments)
{
	const struct primitive *p = primitive_list_find(primitives(c, kind), key, 0);

	if (kind != PRIMITIVE_TOOL || !c->read_only || (p && p->read_only == HINT_TRUE))
		*VEC_PUSH(&c->plan) = (struct planned){
			.kind = kind,
			.key = mem_strdup(key),
			.arguments = mem_strdup(buf_text(arguments)),
		};
	buf_clear(arguments);
}

/* Templates are skipped: their variables have no schema. */
static void
plan_all(struct conformance *c)
{
	static const enum primitive_kind kinds[] = { PRIMITIVE_TOOL, PRIMITIVE_RESOURCE,
		PRIMITIVE_PROMPT };
	struct buf arguments = BUF_INIT;

	for (size_t k = 0; k < ARRAY_LEN(kinds); k++)
		for (size_t i = 0; i < primitives(c, kinds[k])->len; i++) {
			const struct primitive *p = &primitives(c, kinds[k])->items[i];
			struct json_doc *own = primitive_make_schema(p);
			if (!p->broken && !p->unusable) {
				sample_add(&arguments, own ? json_root(own) : p->input_schema);
				plan(c, kinds[k], p->key, &arguments);
			}
			json_doc_destroy(own);
		}
	buf_finish(&arguments);
}

/* SKILL.md first: its other files are read only if it agrees with the entry. */
static void
plan_skills(struct conformance *c)
{
	struct buf arguments = BUF_INIT;
	struct json_writer w;

	for (size_t i = 0; i < primitives(c, PRIMITIVE_SKILL)->len; i++) {
		const struct primitive *p = &primitives(c, PRIMITIVE_SKILL)->items[i];
		buf_add_str(&arguments, "{}");
		plan(c, PRIMITIVE_SKILL, p->key, &arguments);
		for (const cJSON *f = json_first(skill_files(p->definition)); f; f = f->next) {
			const char *uri = json_get_string(f, "uri");
			if (!uri || strcmp(uri, p->key) == 0)
				continue;
			json_write_init(&w, &arguments);
			json_write_object(&w);
			json_write_member_string(&w, "file", skill_file_name(p->key, uri));
			json_write_object_end(&w);
			plan(c, PRIMITIVE_SKILL, p->key, &arguments);
		}
	}
	buf_finish(&arguments);
}

/* The context lists the calls with their arguments. */
static void
plan_given(struct conformance *c)
{
	const cJSON *calls = c->context ? json_get(json_root(c->context), "toolCalls") : NULL;
	struct buf arguments = BUF_INIT;

	for (const cJSON *call = json_first(calls); call; call = call->next) {
		const char *name = json_get_string(call, "name");
		json_print(&arguments, json_get(call, "arguments"));
		plan(c, PRIMITIVE_TOOL, name ? name : "", &arguments);
	}
	buf_finish(&arguments);
}

/* Passes one tool's schema, as we parsed it, to the other tool. */
static void
plan_echo(struct conformance *c)
{
	const struct primitive *tool =
	    primitive_list_find(primitives(c, PRIMITIVE_TOOL), "json_schema_2020_12_tool", 0);
	struct buf arguments = BUF_INIT;
	struct json_writer w;

	if (!tool)
		return;
	json_write_init(&w, &arguments);
	json_write_object(&w);
	json_write_member_value(&w, "schema", tool->input_schema);
	json_write_object_end(&w);
	plan(c, PRIMITIVE_TOOL, "json_schema_echo", &arguments);
	buf_finish(&arguments);
}

static const struct scenario {
	const char *name;
	void (*plan)(struct conformance *c); /* NULL: nothing is called */
	bool at_once;                        /* send all calls at once */
	bool credentials;                    /* use the client's own credentials */
} scenarios[] = {
	{ .name = "json-schema-ref-no-deref" },
	{ .name = "http-custom-headers", .plan = plan_given },
	{ .name = "json-schema-2020-12-preservation", .plan = plan_echo },
	{ .name = "sep-2322-client-request-state", .plan = plan_all, .at_once = true },
	{ .name = "auth/client-credentials-jwt", .plan = plan_all, .credentials = true },
	{ .name = "auth/client-credentials-basic", .plan = plan_all, .credentials = true },
	{ .name = "sep-2640-client-no-prefetch" },
	{ .name = "sep-2640-client-verify-digest", .plan = plan_skills },
	{ .name = "sep-2640-client-verify-size", .plan = plan_skills },
	{ .name = "sep-2640-client-verify-frontmatter", .plan = plan_skills },
	{ .name = NULL, .plan = plan_all },
};

/* ---- calling ---- */

static int
conformance_run(struct conformance *c)
{
	struct server *s = client_server(&c->client);
	bool good = true;

	if (c->scenario->plan)
		c->scenario->plan(c);
	for (size_t i = 0; i < c->plan.len; i++) {
		struct planned *p = &c->plan.items[i];
		const struct primitive *primitive =
		    primitive_list_find(primitives(c, p->kind), p->key, 0);
		const struct call *read = primitive && p->kind == PRIMITIVE_SKILL
					      ? server_skill_call(s, primitive, p->key)
					      : NULL;
		/* nothing of a skill is used whose SKILL.md differs from its entry */
		if (primitive && !(read && read->skill.state == SKILL_FAILED))
			p->call = server_ask(
			    s, primitive, p->arguments, strlen(p->arguments), clock_now_us(), NULL);
		if (!c->scenario->at_once)
			client_wait_answers(&c->client);
	}
	client_wait_answers(&c->client);
	for (size_t i = 0; i < c->plan.len; i++) {
		const struct planned *p = &c->plan.items[i];
		const struct call *call = server_find_call(s, p->call);
		if (!call)
			say("%s: not called", p->key);
		else if (call->state != CALL_DONE)
			say("%s: %s: %s", p->key, call_state_names[call->state],
			    call->error_text ? call->error_text : "");
		else if (call->skill.text[0])
			say("%s: %s", call_name(call), call->skill.text);
		else
			say("%s: done", p->key);
		/* the tool may fail, but not the protocol */
		good &= call && call->state == CALL_DONE && call->skill.state != SKILL_FAILED;
	}
	if (c->client.end_code)
		return c->client.end_code;
	return good ? CLI_EXIT_OK : CLI_EXIT_TOOL_ERROR;
}

/* There is neither a user nor a browser: the suite's servers redirect at once. The context has
 * the client's credentials. No token is stored. */
static void
adapt(void *user, struct authorizer_options *options)
{
	const struct conformance *c = user;
	const cJSON *context = c->context ? json_root(c->context) : NULL;
	struct auth_flow_options *flow = &options->flow;

	options->consent = AUTHORIZER_VISITS;
	options->tokens_path = NULL;
	flow->client_credentials = c->scenario->credentials;
	if (!flow->client_metadata_url)
		flow->client_metadata_url = CLIENT_METADATA_URL;
	if (json_get_string(context, "client_id")) {
		flow->client_id = json_get_string(context, "client_id");
		flow->client_secret = json_get_string(context, "client_secret");
		flow->client_issuer = json_get_string(context, "issuer");
		options->client_key_pem = json_get_string(context, "private_key_pem");
	}
}

int
cli_conformance(const struct options *o)
{
	const char *name = getenv("MCP_CONFORMANCE_SCENARIO");
	const char *context = getenv("MCP_CONFORMANCE_CONTEXT");
	struct conformance c = {
		.client = { .lists = 1 << PRIMITIVE_TOOL | 1 << PRIMITIVE_RESOURCE |
				     1 << PRIMITIVE_PROMPT | 1 << PRIMITIVE_SKILL,
		    .adapt = adapt,
		    .user = &c },
		.scenario = scenarios,
		.read_only = o->call.read_only,
		.context = context ? json_parse(context, strlen(context), NULL, NULL) : NULL,
	};
	struct options options = *o;
	char sampled[] = "An answer.", root_uri[] = "file:///tmp", *root = root_uri;

	while (c.scenario->name && (!name || strcmp(c.scenario->name, name) != 0))
		c.scenario++;
	/* the suite looks at every capability that a client declares */
	if (!options.connect.protocol)
		options.connect.protocol = getenv("MCP_CONFORMANCE_PROTOCOL_VERSION");
	if (!options.connect.timeout_ms)
		options.connect.timeout_ms = TIMEOUT_MS;
	if (!options.answer.elicit)
		options.answer.elicit = "guess"; /* as the arguments of the calls */
	if (!options.answer.sampling_text && !options.answer.sampling_command)
		options.answer.sampling_text = sampled;
	if (options.answer.root_uris.len == 0)
		options.answer.root_uris = (struct strings){ .items = &root, .len = 1 };
	int code = client_open(&c.client, &options);
	if (code == 0)
		code = conformance_run(&c);
	client_close(&c.client);
	for (size_t i = 0; i < c.plan.len; i++) {
		free(c.plan.items[i].key);
		free(c.plan.items[i].arguments);
	}
	free(c.plan.items);
	json_doc_destroy(c.context);
	return code;
}

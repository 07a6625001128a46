/* SPDX-License-Identifier: MIT */
#include "entry.h"

#include "base/mem.h"
#include "base/strings.h"
#include "base/vec.h"
#include "json/write.h"

#include <stdlib.h>
#include <string.h>

/* A server.json of the MCP registry (schema 2025-12-11) as a file of clients: each package becomes
 * the command that its registry's tool runs, each remote a URL, and each value that the user has to
 * give an input. */

struct published {
	struct json_writer inputs; /* of the items of `inputs` */
	struct strings ids;        /* of them */
	size_t looked;             /* how many variables were looked up */
};

/* Because anyone can publish a file, a file with more lookups is refused. */
static bool
looks_up_too_many(const struct published *p)
{
	return p->looked > SERVER_FILE_MOST_VARIABLES;
}

bool
server_file_is_published(const cJSON *root)
{
	return json_get_string(root, "name") &&
	       (json_type(json_get(root, "packages")) == JSON_ARRAY ||
		   json_type(json_get(root, "remotes")) == JSON_ARRAY);
}

/* ---- values ---- */

static void
add_input(struct published *p, const char *id, const cJSON *input)
{
	const cJSON *choices = json_get(input, "choices");
	const char *description = json_get_string(input, "description");
	const char *otherwise = json_get_string(input, "default");
	struct json_writer *w = &p->inputs;

	if (++p->looked, looks_up_too_many(p) || strings_have(&p->ids, id))
		return;
	strings_add(&p->ids, id);
	json_write_object(w);
	json_write_member_string(w, "id", id);
	json_write_member_string(w, "type", json_count(choices) ? "pickString" : "promptString");
	json_write_member_string(w, "description", description ? description : "");
	if (otherwise)
		json_write_member_string(w, "default", otherwise);
	if (json_count(choices))
		json_write_member_value(w, "options", choices);
	json_write_member_bool(w, "password", cJSON_IsTrue(json_get(input, "isSecret")));
	json_write_object_end(w);
}

/* An input's name may have any character; ours ends at a brace. */
static void
add_reference(
    struct published *p, const char *name, size_t len, const cJSON *input, struct buf *out)
{
	char *id = mem_strndup(name, len);

	for (char *c = id; *c; c++)
		if (*c == '}' || *c == '{')
			*c = '_';
	buf_addf(out, "${input:%s}", id);
	add_input(p, id, input);
	free(id);
}

/* Text with {NAME} for each of its variables. */
static void
add_template(struct published *p, const char *text, const cJSON *variables, struct buf *out)
{
	enum { MOST = 256 }; /* so that many braces are read in little time */

	for (const char *open; (open = strchr(text, '{'));) {
		const char *close = memchr(open, '}', strnlen(open, MOST));
		size_t len = close ? (size_t)(close - open) - 1 : 0;
		char *name = mem_strndup(open + 1, len);
		p->looked += close != NULL;
		const cJSON *variable =
		    close && !looks_up_too_many(p) ? json_get(variables, name) : NULL;
		buf_add(out, text, (size_t)(open - text));
		if (variable) {
			add_reference(p, name, len, variable, out);
			text = open + len + 2;
		} else {
			buf_add_char(out, '{');
			text = open + 1;
		}
		free(name);
	}
	buf_add_str(out, text);
}

/* The value of an argument, variable or header. False: it has none, and need not have one. */
static bool
add_value(struct published *p, const cJSON *input, const char *name, struct buf *out)
{
	const char *value = json_get_string(input, "value"),
		   *otherwise = json_get_string(input, "default");
	bool required = cJSON_IsTrue(json_get(input, "isRequired"));

	if (value)
		add_template(p, value, json_get(input, "variables"), out);
	else if (required)
		add_reference(p, name, strlen(name), input, out);
	else if (otherwise)
		buf_add_str(out, otherwise);
	return value || required || otherwise;
}

/* ---- arguments ---- */

static void
write_argument(struct published *p, struct json_writer *w, const cJSON *argument)
{
	const char *type = json_get_string(argument, "type"),
		   *name = json_get_string(argument, "name");
	const char *hint = json_get_string(argument, "valueHint");
	bool named = type && strcmp(type, "named") == 0 && name;
	bool is_flag = named && !json_get(argument, "value") && !json_get(argument, "default") &&
		       !hint && cJSON_IsTrue(json_get(argument, "isRequired"));
	struct buf value = BUF_INIT;
	bool has = !is_flag && add_value(p, argument,
				   hint   ? hint
				   : name ? name
					  : "argument",
				   &value);

	if (named && (has || is_flag))
		json_write_string(w, name);
	if (has)
		json_write_string(w, buf_text(&value));
	buf_finish(&value);
}

static void
write_arguments(struct published *p, struct json_writer *w, const cJSON *package, const char *key)
{
	for (const cJSON *a = json_first(json_get(package, key)); a; a = a->next)
		write_argument(p, w, a);
}

struct registry {
	const char *type, *command;
	const char *first; /* argument before the others, unless the file has its own; NULL: none */
	const char *between; /* the name and the version */
	const char *behind;  /* them, also unless the file has its own; NULL: none */
	bool separates;      /* the arguments of the package stand behind -- */
	bool container;
};

static const struct registry registries[] = {
	{ "npm", "npx", .first = "-y", .between = "@" },
	{ "pypi", "uvx", .between = "@" },
	{ "nuget", "dnx", .between = "@", .behind = "--yes", .separates = true },
	{ "oci", "docker", .between = ":", .container = true },
};

static void
write_command(
    struct published *p, struct json_writer *w, const cJSON *package, const struct registry *r)
{
	const char *hint = json_get_string(package, "runtimeHint");
	const char *version = json_get_string(package, "version");
	const char *identifier = json_get_string(package, "identifier");

	bool plain = json_count(json_get(package, "runtimeArguments")) == 0;

	json_write_member_string(w, "type", "stdio");
	json_write_member_string(w, "command", hint && *hint ? hint : r->command);
	json_write_member_array(w, "args");
	static const char *const run[] = { "run", "-i", "--rm" };
	for (size_t i = 0; r->container && i < ARRAY_LEN(run); i++)
		json_write_string(w, run[i]);
	const cJSON *variables = r->container ? json_get(package, "environmentVariables") : NULL;
	for (const cJSON *v = json_first(variables); v; v = v->next) {
		if (!json_get_string(v, "name"))
			continue;
		json_write_string(w, "-e"); /* its name alone, so that the container gets it */
		json_write_string(w, json_get_string(v, "name"));
	}
	if (!r->container && r->first && plain)
		json_write_string(w, r->first);
	write_arguments(p, w, package, "runtimeArguments");
	char *what = mem_printf(
	    "%s%s%s", identifier, version && *version ? r->between : "", version ? version : "");
	json_write_string(w, what);
	free(what);
	if (r->behind && plain)
		json_write_string(w, r->behind);
	if (r->separates && json_count(json_get(package, "packageArguments")) > 0)
		json_write_string(w, "--");
	write_arguments(p, w, package, "packageArguments");
	json_write_array_end(w);
}

/* A variable that need not have a value comes from the user's environment, if it is there. */
static void
write_environment(struct published *p, struct json_writer *w, const cJSON *package)
{
	const cJSON *variables = json_get(package, "environmentVariables");
	struct strings optional = { 0 };

	json_write_member_object(w, "env");
	for (const cJSON *v = json_first(variables); v; v = v->next) {
		const char *name = json_get_string(v, "name");
		struct buf value = BUF_INIT;
		if (name && add_value(p, v, name, &value))
			json_write_member_string(w, name, buf_text(&value));
		else if (name)
			strings_add(&optional, name);
		buf_finish(&value);
	}
	json_write_object_end(w);
	json_write_member_array(w, "env_vars");
	for (size_t i = 0; i < optional.len; i++)
		json_write_string(w, optional.items[i]);
	json_write_array_end(w);
	strings_finish(&optional);
}

/* ---- servers ---- */

static void
write_remote(struct published *p, struct json_writer *w, const cJSON *remote)
{
	const char *type = json_get_string(remote, "type"), *url = json_get_string(remote, "url");
	struct buf text = BUF_INIT;

	add_template(p, url ? url : "", json_get(remote, "variables"), &text);
	json_write_member_string(w, "type", type ? type : "http");
	json_write_member_string(w, "url", buf_text(&text));
	json_write_member_object(w, "headers");
	for (const cJSON *h = json_first(json_get(remote, "headers")); h; h = h->next) {
		const char *name = json_get_string(h, "name");
		buf_clear(&text);
		if (name && add_value(p, h, name, &text))
			json_write_member_string(w, name, buf_text(&text));
	}
	json_write_object_end(w);
	buf_finish(&text);
}

/* A package that cannot be run has no command but the reason, which the list shows. */
static void
write_package(struct published *p, struct json_writer *w, const cJSON *package)
{
	const cJSON *transport = json_get(package, "transport");
	const char *type = json_get_string(transport, "type");
	const char *registry = json_get_string(package, "registryType");
	const struct registry *r = NULL;

	for (size_t i = 0; registry && !r && i < ARRAY_LEN(registries); i++)
		if (strcmp(registries[i].type, registry) == 0)
			r = &registries[i];
	if (type && strcmp(type, "stdio") != 0)
		json_write_member_string(
		    w, "trouble", "it serves HTTP: start it, then open its URL");
	else if (r && json_get_string(package, "identifier"))
		write_command(p, w, package, r);
	else
		json_write_member_string(w, "trouble",
		    registry && strcmp(registry, "mcpb") == 0
			? "a bundle: download it, then open the file"
			: "its registry is unknown");
	write_environment(p, w, package);
}

/* "io.github.someone/weather" is "weather", with the registry if there are several ways. */
static void
write_servers(struct published *p, struct json_writer *w, const cJSON *root)
{
	static const struct {
		const char *key, *kind;
		void (*write)(struct published *p, struct json_writer *w, const cJSON *item);
	} ways[] = { { "packages", "registryType", write_package },
		{ "remotes", "type", write_remote } };
	const char *name = json_get_string(root, "name"), *slash = strrchr(name, '/');
	size_t count =
	    json_count(json_get(root, "packages")) + json_count(json_get(root, "remotes"));

	name = slash && slash[1] ? slash + 1 : name;
	for (size_t i = 0; i < ARRAY_LEN(ways); i++)
		for (const cJSON *item = json_first(json_get(root, ways[i].key)); item;
		     item = item->next) {
			const char *kind = json_get_string(item, ways[i].kind);
			char *full = count == 1 || !kind ? mem_strdup(name)
							 : mem_printf("%s (%s)", name, kind);
			json_write_member_object(w, full);
			ways[i].write(p, w, item);
			json_write_object_end(w);
			free(full);
		}
}

static const char too_many[] =
    "it has more packages, arguments or variables than a user can fill in";

void
server_file_from_published(const cJSON *root, struct buf *out)
{
	struct buf inputs = BUF_INIT;
	struct published p = { .ids = { 0 } };
	struct json_writer w;

	if (!json_has_at_most(json_get(root, "packages"), SERVER_FILE_MOST) ||
	    !json_has_at_most(json_get(root, "remotes"), SERVER_FILE_MOST)) {
		server_file_write_unusable(out, json_get_string(root, "name"), too_many);
		return;
	}
	json_write_init(&p.inputs, &inputs);
	json_write_array(&p.inputs);
	json_write_init(&w, out);
	json_write_object(&w);
	json_write_member_object(&w, "mcpServers");
	write_servers(&p, &w, root);
	json_write_object_end(&w);
	json_write_array_end(&p.inputs);
	json_write_member_json(&w, "inputs", buf_text(&inputs));
	json_write_object_end(&w);
	if (looks_up_too_many(&p)) {
		buf_clear(out);
		server_file_write_unusable(out, json_get_string(root, "name"), too_many);
	}
	buf_finish(&inputs);
	strings_finish(&p.ids);
}

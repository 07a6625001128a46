/* SPDX-License-Identifier: MIT */
#include "entry.h"

#include "base/beneath.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/strings.h"
#include "base/vec.h"
#include "host/bundle.h"
#include "json/from_yaml.h"
#include "json/print.h"
#include "json/splice.h"
#include "json/write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct server_client server_clients[] = {
	{ "Claude Code", { ".claude.json" }, { ".mcp.json" }, .key = "mcpServers", .settings = true,
	    .projects = true },
	{ "Claude Desktop", { ".config/Claude/claude_desktop_config.json" }, { NULL },
	    .key = "mcpServers", .settings = true },
	{ "Cursor", { ".cursor/mcp.json" }, { ".cursor/mcp.json" }, .key = "mcpServers" },
	{ "VS Code",
	    { ".config/Code/User/mcp.json", ".config/Code - Insiders/User/mcp.json",
		".config/VSCodium/User/mcp.json" },
	    { ".vscode/mcp.json" }, .key = "servers" },
	{ "Windsurf", { ".codeium/windsurf/mcp_config.json" }, { NULL }, .key = "mcpServers" },
	{ "Gemini CLI", { ".gemini/settings.json" }, { ".gemini/settings.json" },
	    .key = "mcpServers", .settings = true, .dollar = true },
	{ "Antigravity",
	    { ".gemini/config/mcp_config.json", ".gemini/antigravity/mcp_config.json" }, { NULL },
	    .key = "mcpServers" },
	{ "Codex", { ".codex/config.toml" }, { ".codex/config.toml" }, .key = "mcp_servers",
	    .settings = true },
	{ "opencode", { ".config/opencode/opencode.json", ".config/opencode/opencode.jsonc" },
	    { "opencode.json", "opencode.jsonc" }, .key = "mcp", .settings = true },
	{ "Goose", { ".config/goose/config.yaml" }, { NULL }, .key = "extensions",
	    .settings = true },
	{ "Zed", { ".config/zed/settings.json" }, { ".zed/settings.json" },
	    .key = "context_servers", .settings = true },
	{ "Junie", { ".junie/mcp/mcp.json" }, { ".junie/mcp/mcp.json" }, .key = "mcpServers" },
	{ 0 },
};

static const char config_folder[] = ".config/";

const struct server_client *
server_client_of(const char *path)
{
	enum { NAMES = 3 }; /* of each kind */
	size_t len = strlen(path), below = strlen(config_folder);

	for (const struct server_client *c = server_clients; c->name; c++)
		for (int i = 0; i < 2 * NAMES; i++) {
			const char *tail = i < NAMES ? c->user[i] : c->project[i - NAMES];
			if (!tail)
				continue;
			/* whole names, after a slash or alone; .config may have any name */
			bool in_config = strncmp(tail, config_folder, below) == 0;
			tail += in_config ? below : 0;
			size_t n = strlen(tail);
			if (len >= n && strcmp(path + len - n, tail) == 0 &&
			    (len == n ? !in_config : path[len - n - 1] == '/'))
				return c;
		}
	return NULL;
}

char *
server_client_path(const char *user)
{
	const char *home = getenv("HOME"), *xdg = getenv("XDG_CONFIG_HOME");
	bool in_config = strncmp(user, config_folder, strlen(config_folder)) == 0;

	if (in_config && xdg && xdg[0] == '/')
		return mem_printf("%s/%s", xdg, user + strlen(config_folder));
	return home && home[0] == '/' ? mem_printf("%s/%s", home, user) : NULL;
}

char *
server_client_shorten(const char *path)
{
	const char *home = getenv("HOME");
	size_t len = home ? strlen(home) : 0;

	while (len > 0 && home[len - 1] == '/')
		len--;
	if (len > 0 && strncmp(path, home, len) == 0 && path[len] == '/')
		return mem_printf("~%s", path + len);
	return mem_strdup(path);
}

#define ENV_FILE_MAX_BYTES ((size_t)1 << 20)
#define SERVER_FILE_MAX_BYTES ((size_t)16 << 20) /* other clients keep their history there */

/* ---- envFile ---- */

static const char *
server_file_skip_blanks(const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t' || *at == '\r'))
		at++;
	return at;
}

/* Double quotes allow the escapes \n, \" and \\; single quotes allow none. NULL: no closing
 * quote, or text after it. */
static char *
read_quoted(const char *at, const char *end)
{
	char quote = *at++;
	struct buf out = BUF_INIT;

	for (; at < end && *at != quote; at++) {
		if (quote == '"' && *at == '\\' && at + 1 < end) {
			at++;
			buf_add_char(&out, *at == 'n' ? '\n' : *at);
		} else {
			buf_add_char(&out, *at);
		}
	}
	at = at < end ? server_file_skip_blanks(at + 1, end) : NULL;
	if (at && (at == end || *at == '#'))
		return buf_detach(&out);
	buf_finish(&out);
	return NULL;
}

static bool
read_line(const char *at, const char *end,
    void (*set)(void *user, const char *name, const char *value), void *user)
{
	at = server_file_skip_blanks(at, end);
	if (at == end || *at == '#')
		return true;
	if (end - at > 7 && memcmp(at, "export ", 7) == 0)
		at = server_file_skip_blanks(at + 7, end);
	size_t len = 0;
	while (at + len < end && at[len] != '=' && !strchr(" \t\r#'\"", at[len]))
		len++;
	const char *equals = server_file_skip_blanks(at + len, end);
	if (len == 0 || equals == end || *equals != '=')
		return false;
	const char *text = server_file_skip_blanks(equals + 1, end);
	bool quoted = text < end && (*text == '"' || *text == '\'');
	const char *stop = text;
	if (!quoted) { /* up to a comment after a blank, without the blanks at the end */
		while (stop < end &&
		       !(*stop == '#' && (stop == text || stop[-1] == ' ' || stop[-1] == '\t')))
			stop++;
		while (stop > text && strchr(" \t\r", stop[-1]))
			stop--;
	}
	char *value = quoted ? read_quoted(text, end) : mem_strndup(text, (size_t)(stop - text));
	if (!value)
		return false;
	char *name = mem_strndup(at, len);
	set(user, name, value);
	free(name);
	free(value);
	return true;
}

bool
server_file_parse_env(const char *text, size_t len,
    void (*set)(void *user, const char *name, const char *value), void *user, unsigned *line)
{
	const char *end = text + len;

	*line = 0;
	while (text < end) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		const char *stop = newline ? newline : end;
		++*line;
		if (memchr(text, '\0', (size_t)(stop - text)) || !read_line(text, stop, set, user))
			return false;
		text = newline ? newline + 1 : end;
	}
	return true;
}

/* The entry's own env takes precedence over the file, and a later line over an earlier one. */
struct env_list {
	char **items;
	size_t len, own;
	bool full; /* more of them in the file than are taken */
};

static void
set_variable(void *user, const char *name, const char *value)
{
	struct env_list *env = user;
	size_t len = strlen(name);

	for (size_t i = 0; i < env->len && !env->full; i++) {
		if (strncmp(env->items[i], name, len) != 0 || env->items[i][len] != '=')
			continue;
		if (i >= env->own) {
			free(env->items[i]);
			env->items[i] = mem_printf("%s=%s", name, value);
		}
		return;
	}
	env->full = env->full || env->len - env->own == SERVER_FILE_MOST;
	if (env->full)
		return;
	env->items = mem_realloc(env->items, (env->len + 2) * sizeof(*env->items));
	env->items[env->len++] = mem_printf("%s=%s", name, value);
	env->items[env->len] = NULL;
}

static void
add_env_file(struct target *t, bool of_project)
{
	struct env_list env = { .items = t->env };
	struct buf text;
	struct err err;
	unsigned line;

	if (!t->env_file)
		return;
	while (env.items && env.items[env.own])
		env.own++;
	env.len = t->env_own = env.own;
	buf_init(&text, ENV_FILE_MAX_BYTES);
	/* a project's file could name a link to any file of the user */
	bool absolute = t->env_file[0] == '/';
	bool ok = of_project
		      ? beneath_read(absolute ? "/" : "", t->env_file + absolute, &text, NULL, &err)
		      : path_read_regular(t->env_file, &text, NULL, &err);
	if (!ok)
		server_file_trouble(t, "envFile: %s", err.text);
	else if (!server_file_parse_env(buf_text(&text), text.len, set_variable, &env, &line))
		server_file_trouble(
		    t, "line %u of envFile %.100s is not NAME=value", line, t->env_file);
	else if (env.full)
		server_file_trouble(t, "its envFile has more than %d variables", SERVER_FILE_MOST);
	t->env = env.items;
	buf_finish(&text);
}

/* ---- the file ---- */

void
server_file_finish(struct server_file *c)
{
	for (size_t i = 0; i < c->len; i++)
		target_finish(&c->items[i]);
	free(c->items);
	*c = (struct server_file){ 0 };
}

void
server_file_trouble(struct target *t, const char *format, ...)
{
	char text[200];

	if (t->trouble)
		return;
	FORMAT_INTO(text, format);
	t->trouble = mem_strdup(text);
}

void
server_file_write_unusable(struct buf *out, const char *name, const char *why)
{
	struct json_writer w;

	json_write_init(&w, out);
	json_write_object(&w);
	json_write_member_object(&w, "mcpServers");
	json_write_member_object(&w, name);
	json_write_member_string(&w, "trouble", why);
	json_write_object_end(&w);
	json_write_object_end(&w);
	json_write_object_end(&w);
}

/* ---- a server.json of the registry ---- */

/* A server.json of the MCP registry (schema 2025-12-11) as a file of clients: each package becomes
 * the command that its registry's tool runs, each remote a URL, and each value that the user has to
 * give an input. */

struct published {
	struct json_writer inputs; /* of the items of `inputs` */
	struct strings ids;        /* of them */
	/* How many variables were looked up; anyone can publish a file, so one with more than
	 * SERVER_FILE_MOST_VARIABLES is refused. */
	size_t looked;
};

/* An input's name may have any character; ours ends at a brace. */
static void
add_reference(
    struct published *p, const char *name, size_t len, const cJSON *input, struct buf *out)
{
	const cJSON *choices = json_get(input, "choices");
	const char *description = json_get_string(input, "description");
	const char *otherwise = json_get_string(input, "default");
	struct json_writer *w = &p->inputs;
	char *id = mem_strndup(name, len);

	for (char *c = id; *c; c++)
		if (*c == '}' || *c == '{')
			*c = '_';
	buf_addf(out, "${input:%s}", id);
	p->looked++;
	if (p->looked <= SERVER_FILE_MOST_VARIABLES && !strings_have(&p->ids, id)) {
		strings_add(&p->ids, id);
		json_write_object(w);
		json_write_member_string(w, "id", id);
		json_write_member_string(
		    w, "type", json_count(choices) ? "pickString" : "promptString");
		json_write_member_string(w, "description", description ? description : "");
		if (otherwise)
			json_write_member_string(w, "default", otherwise);
		if (json_count(choices))
			json_write_member_value(w, "options", choices);
		json_write_member_bool(w, "password", cJSON_IsTrue(json_get(input, "isSecret")));
		json_write_object_end(w);
	}
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
		const cJSON *variable = close && p->looked <= SERVER_FILE_MOST_VARIABLES
					    ? json_get(variables, name)
					    : NULL;
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
add_server_file_value(struct published *p, const cJSON *input, const char *name, struct buf *out)
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

static void
write_arguments(struct published *p, struct json_writer *w, const cJSON *package, const char *key)
{
	for (const cJSON *a = json_first(json_get(package, key)); a; a = a->next) {
		const char *type = json_get_string(a, "type"), *name = json_get_string(a, "name");
		const char *hint = json_get_string(a, "valueHint");
		bool named = type && strcmp(type, "named") == 0 && name;
		bool is_flag = named && !json_get(a, "value") && !json_get(a, "default") && !hint &&
			       cJSON_IsTrue(json_get(a, "isRequired"));
		struct buf value = BUF_INIT;
		const char *called = hint ? hint : name ? name : "argument";
		bool has = !is_flag && add_server_file_value(p, a, called, &value);
		if (named && (has || is_flag))
			json_write_string(w, name);
		if (has)
			json_write_string(w, buf_text(&value));
		buf_finish(&value);
	}
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
		if (name && add_server_file_value(p, v, name, &value))
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
		if (name && add_server_file_value(p, h, name, &text))
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

static void
write_published(const cJSON *root, struct buf *out)
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
	if (p.looked > SERVER_FILE_MOST_VARIABLES) {
		buf_clear(out);
		server_file_write_unusable(out, json_get_string(root, "name"), too_many);
	}
	buf_finish(&inputs);
	strings_finish(&p.ids);
}

/* ---- parsing ---- */

/* The folder that contains the file's .vscode, else the current folder, as for the user's files of
 * other clients. */
static char *
workspace_folder(const char *path)
{
	static const char *const homes[] = { "/.vscode/", "/.cursor/", "/.gemini/", "/.zed/",
		"/.codex/" };
	const char *user = getenv("HOME");
	char *real = realpath(path, NULL);
	char *slash = real ? strrchr(real, '/') : NULL;

	for (size_t i = 0; slash && i < ARRAY_LEN(homes); i++) {
		size_t len = strlen(homes[i]);
		char *home = slash + 1 - real >= (ptrdiff_t)len ? slash + 1 - len : NULL;
		if (!home || memcmp(home, homes[i], len) != 0)
			continue;
		*home = '\0';
		if (user && strcmp(user, real) == 0)
			break;
		return real;
	}
	free(real);
	char *here = getcwd(NULL, 0);
	char *folder = mem_strdup(here ? here : ".");
	free(here);
	return folder;
}

static const cJSON *
get_object(const cJSON *object, const char *key)
{
	const cJSON *member = json_get(object, key);

	return cJSON_IsObject(member) ? member : NULL;
}

const cJSON *
server_file_entries(
    const cJSON *root, const struct server_client *client, const cJSON **inputs, const char **key)
{
	const char *const keys[] = { client ? client->key : "mcpServers", "mcpServers", "servers",
		"context_servers", "mcp_servers" };
	static const char *const vague[] = { "mcp", "extensions" };
	const cJSON *servers, *mcp = json_get(root, "mcp");

	*inputs = json_get(root, "inputs");
	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		*key = keys[i];
		if ((servers = get_object(root, *key)))
			return servers;
	}
	*key = NULL;
	if ((servers = get_object(mcp, "servers"))) {
		*inputs = json_get(mcp, "inputs");
		return servers;
	}
	for (size_t i = 0; !client && i < ARRAY_LEN(vague); i++) {
		*key = vague[i];
		servers = get_object(root, *key);
		const cJSON *m = json_first(servers);
		while (m && cJSON_IsObject(m))
			m = m->next;
		if (servers && !m)
			return servers;
	}
	*key = NULL;
	return NULL;
}

static struct target *
take_server_file_name(struct server_file *c, char *name, const struct server_file_scope *scope)
{
	struct target *t = VEC_PUSH(c);

	*t = (struct target){ .name = name,
		.file = mem_strdup(scope->path),
		.client = scope->client ? scope->client->name : NULL,
		.place = server_client_shorten(scope->path) };
	return t;
}

/* Without what only says whether it is used. */
static void
add_digest(struct target *t, const cJSON *entry)
{
	struct buf text = BUF_INIT;
	struct sha256 h;

	sha256_init(&h);
	for (const cJSON *m = json_first(entry); m; m = m->next) {
		if (strcmp(m->string, "disabled") == 0 || strcmp(m->string, "enabled") == 0)
			continue;
		buf_clear(&text);
		json_print_string(&text, m->string, strlen(m->string));
		json_print(&text, m);
		sha256_add(&h, buf_text(&text), text.len);
	}
	sha256_end_hex(&h, t->digest);
	buf_finish(&text);
}

static void
take_entries(struct server_file *c, const cJSON *servers, const struct server_file_scope *scope)
{
	/* parts of the client, rather than servers */
	static const char *const built_in[] = { "builtin", "platform", "frontend", "inline_python",
		NULL };
	size_t left = json_count(servers);

	for (const cJSON *entry = json_first(servers); entry; entry = entry->next, left--) {
		const char *type = json_get_string(entry, "type");
		if (c->len >= SERVER_FILE_MOST) {
			struct target *t =
			    take_server_file_name(c, mem_printf("%zu more", left), scope);
			t->label = mem_strdup("");
			server_file_trouble(
			    t, "only the first %d servers of a file are listed", SERVER_FILE_MOST);
			break;
		}
		if (type && words_have(built_in, type))
			continue;
		struct target *t = take_server_file_name(c, mem_strdup(entry->string), scope);
		server_file_read_entry(t, entry, scope);
		if (cJSON_IsObject(entry))
			add_digest(t, entry);
	}
}

/* true for a file that need not have any. */
static bool
take_servers(
    struct server_file *c, const cJSON *root, const char *path, bool may_lack, struct err *err)
{
	size_t variables = 0;
	struct server_file_scope scope = { .client = server_client_of(path),
		.path = path,
		.published = c->published,
		.variables = &variables };
	const cJSON *servers = server_file_entries(root, scope.client, &scope.inputs, &c->key);
	/* Claude Code keeps the servers of a folder under its name */
	char *here = scope.client && scope.client->projects ? getcwd(NULL, 0) : NULL;
	const cJSON *folder = here ? get_object(get_object(root, "projects"), here) : NULL;
	const cJSON *project = get_object(folder, "mcpServers");

	free(here);
	if (!servers && !project)
		return (may_lack && scope.client && scope.client->settings) ||
		       err_set(err, "%s: no object %s", path,
			   scope.client ? scope.client->key
					: "mcpServers, servers or context_servers");
	scope.folder = workspace_folder(path);
	take_entries(c, project, &scope);
	take_entries(c, servers, &scope);
	free(scope.folder);
	return true;
}

static bool
parse(struct server_file *c, const char *text, size_t len, const char *path, bool may_lack,
    struct err *err)
{
	struct json_error where = { .line = 1, .column = 1 };
	struct buf rewritten = BUF_INIT;
	struct json_doc *doc = NULL;

	*c = (struct server_file){ 0 };
	if (path_has_ending(path, ".yaml") || path_has_ending(path, ".yml"))
		doc = yaml_parse(text, len, &where);
	else if (!path_has_ending(path, ".toml"))
		doc = json_parse_commented(text, len, &where);
	else if (server_file_toml(text, len, &rewritten, &where))
		doc = json_parse(buf_text(&rewritten), rewritten.len, NULL, &where);
	buf_finish(&rewritten);
	if (!doc)
		return err_set(err, "%s:%u:%u: %s", path, where.line, where.column, where.text);
	const cJSON *root = json_root(doc);
	c->published = json_get_string(root, "name") &&
		       (json_type(json_get(root, "packages")) == JSON_ARRAY ||
			   json_type(json_get(root, "remotes")) == JSON_ARRAY);
	if (c->published) {
		write_published(root, &rewritten);
		json_doc_destroy(doc);
		doc = json_parse(buf_text(&rewritten), rewritten.len, NULL, NULL);
		buf_finish(&rewritten);
	}
	c->published |= bundle_is_named(path);
	bool ok = take_servers(c, json_root(doc), path, may_lack, err);
	json_doc_destroy(doc);
	return ok;
}

bool
server_file_parse(
    struct server_file *c, const char *text, size_t len, const char *path, struct err *err)
{
	return parse(c, text, len, path, false, err);
}

bool
server_file_load(
    struct server_file *c, const char *path, bool of_project, bool *there, struct err *err)
{
	struct buf text;
	bool ok;

	*c = (struct server_file){ 0 };
	buf_init(&text, SERVER_FILE_MAX_BYTES);
	if (there)
		*there = true;
	if (of_project)
		ok = beneath_read("", path, &text, there, err);
	else
		ok = bundle_is_named(path) ? bundle_read(path, &text, err)
					   : path_read_regular(path, &text, there, err);
	if (ok && (!there || *there))
		ok = parse(c, buf_text(&text), text.len, path, there != NULL, err);
	buf_finish(&text);
	for (size_t i = 0; i < c->len; i++)
		add_env_file(&c->items[i], of_project);
	return ok;
}

#include "manifest.h"

#include "base/mem.h"
#include "base/vec.h"
#include "host/server_file.h"
#include "json/print.h"
#include "json/write.h"

#include <stdlib.h>
#include <string.h>

struct manifest {
	const cJSON *root, *server;
	const cJSON *config, *override; /* mcp_config, and its members for this platform */
	const char *folder;
	struct json_writer w;
};

/* ---- variables ---- */

/* The folders that a manifest may name. False: another name. */
static bool
add_place(const struct manifest *m, const char *name, size_t len, struct buf *out)
{
	static const struct {
		const char *name, *below; /* the home folder */
	} places[] = {
		{ "HOME", "" },
		{ "DESKTOP", "/Desktop" },
		{ "DOCUMENTS", "/Documents" },
		{ "DOWNLOADS", "/Downloads" },
	};
	const char *home = getenv("HOME");

	if (len == 9 && memcmp(name, "__dirname", len) == 0)
		return buf_add_str(out, m->folder);
	for (size_t i = 0; i < ARRAY_LEN(places); i++)
		if (strlen(places[i].name) == len && memcmp(places[i].name, name, len) == 0)
			return buf_addf(out, "%s%s", home ? home : "", places[i].below);
	return false;
}

/* ${user_config.KEY} becomes an input; variables that no manifest has stay. */
static void
expand(const struct manifest *m, const char *text, struct buf *out)
{
	static const char key[] = "user_config.";
	enum { MOST = 4096, KEY = sizeof(key) - 1 };

	for (const char *open; (open = strstr(text, "${"));) {
		const char *name = open + 2, *close = memchr(name, '}', strnlen(name, MOST));
		buf_add(out, text, (size_t)(open - text));
		text = close ? close + 1 : name;
		size_t len = close ? (size_t)(close - name) : 0;
		if (len > KEY && memcmp(name, key, KEY) == 0)
			buf_addf(out, "${input:%.*s}", (int)(len - KEY), name + KEY);
		else if (len == 0 || !add_place(m, name, len, out))
			buf_add(out, open, (size_t)(text - open));
	}
	buf_add_str(out, text);
}

static void
write_expanded(struct manifest *m, const char *key, const char *text)
{
	struct buf out = BUF_INIT;

	expand(m, text, &out);
	if (key)
		json_write_member_string(&m->w, key, buf_text(&out));
	else
		json_write_string(&m->w, buf_text(&out));
	buf_finish(&out);
}

/* ---- inputs ---- */

static void
add_default(const struct manifest *m, const cJSON *value, struct buf *out)
{
	if (json_string(value))
		expand(m, json_string(value), out);
	else if (json_type(value) == JSON_ARRAY)
		for (const cJSON *item = json_first(value); item; item = item->next) {
			buf_add_str(out, item == json_first(value) ? "" : ",");
			add_default(m, item, out);
		}
	else if (cJSON_IsNumber(value) || cJSON_IsBool(value))
		json_print(out, value);
}

static void
add_limit(const cJSON *option, const char *key, const char *word, struct buf *out)
{
	if (!cJSON_IsNumber(json_get(option, key)))
		return;
	buf_addf(out, " %s ", word);
	json_print(out, json_get(option, key));
}

/* "Title: what it is for (number from 1 to 5)" */
static void
describe(const cJSON *option, const char *type, bool multiple, struct buf *out)
{
	const char *title = json_get_string(option, "title");
	const char *description = json_get_string(option, "description");

	buf_addf(out, "%s%s%s", title ? title : "", title && description ? ": " : "",
	    description ? description : "");
	if (strcmp(type, "string") == 0 && !multiple)
		return;
	buf_addf(out, " (%s", type);
	add_limit(option, "min", "from", out);
	add_limit(option, "max", "to", out);
	buf_addf(out, "%s)", multiple ? ", or several with a comma between" : "");
}

static void
write_input(struct manifest *m, const cJSON *option)
{
	const char *type = json_get_string(option, "type");
	const cJSON *value = json_get(option, "default");
	bool multiple = json_is_true(json_get(option, "multiple"));
	bool is_flag = type && strcmp(type, "boolean") == 0;
	static const char *const limits[] = { "min", "max" };
	struct buf text = BUF_INIT;

	json_write_object(&m->w);
	json_write_member_string(&m->w, "id", option->string);
	describe(option, type ? type : "string", multiple, &text);
	json_write_member_string(&m->w, "description", buf_text(&text));
	buf_clear(&text);
	add_default(m, value, &text);
	if (value || !json_is_true(json_get(option, "required")))
		json_write_member_string(
		    &m->w, "default", is_flag && !value ? "false" : buf_text(&text));
	json_write_member_string(&m->w, "type", is_flag ? "pickString" : "promptString");
	if (is_flag)
		json_write_member_json(&m->w, "options", "[\"true\",\"false\"]");
	json_write_member_bool(&m->w, "multiple", multiple);
	json_write_member_bool(&m->w, "number", type && strcmp(type, "number") == 0);
	for (size_t i = 0; i < ARRAY_LEN(limits); i++)
		if (cJSON_IsNumber(json_get(option, limits[i])))
			json_write_member_value(&m->w, limits[i], json_get(option, limits[i]));
	json_write_member_bool(&m->w, "password", json_is_true(json_get(option, "sensitive")));
	json_write_object_end(&m->w);
	buf_finish(&text);
}

/* ---- the command ---- */

/* Of a manifest without mcp_config: how its type of server is run. */
static const struct {
	const char *type;
	const char *words[4]; /* the last is followed by the path of the entry point */
} runs[] = {
	{ "node", { "node" } },
	{ "python", { "python3" } },
	{ "uv", { "uv", "run", "--directory", "${__dirname}" } },
	{ "binary", { NULL } },
};

static const char *
find_trouble(const struct manifest *m)
{
	static const char *const versions[] = { "0.1", "0.2", "0.3", "0.4" };
	const char *version = json_get_string(m->root, "manifest_version");
	const char *type = json_get_string(m->server, "type");

	if (!version)
		version = json_get_string(m->root, "dxt_version");
	for (size_t i = 0; version && i < ARRAY_LEN(versions); i++)
		if (strcmp(version, versions[i]) == 0)
			version = NULL;
	if (version ||
	    (!json_get(m->root, "manifest_version") && !json_get(m->root, "dxt_version")))
		return "its manifest_version is none of 0.1 to 0.4";
	if (!json_has_at_most(m->server, SERVER_FILE_MOST))
		return "a list in its manifest has more than 1000 items";
	if (json_get_string(m->override, "command") || json_get_string(m->config, "command"))
		return NULL;
	for (size_t i = 0; type && i < ARRAY_LEN(runs); i++)
		if (strcmp(runs[i].type, type) == 0 && json_get_string(m->server, "entry_point"))
			return NULL;
	return "its manifest names no command and no entry point of a known type";
}

static void
write_run(struct manifest *m)
{
	const char *type = json_get_string(m->server, "type");
	char *entry = mem_printf("${__dirname}/%s", json_get_string(m->server, "entry_point"));
	size_t i = 0;

	while (strcmp(runs[i].type, type) != 0)
		i++;
	const char *const *words = runs[i].words;
	write_expanded(m, "command", words[0] ? words[0] : entry);
	json_write_member_array(&m->w, "args");
	for (size_t n = 1; n < ARRAY_LEN(runs[i].words) && words[n]; n++)
		write_expanded(m, NULL, words[n]);
	if (words[0])
		write_expanded(m, NULL, entry);
	json_write_array_end(&m->w);
	free(entry);
}

static void
write_command(struct manifest *m)
{
	const char *command = json_get_string(m->override, "command");
	const cJSON *args = json_get(m->override, "args");

	if (!command)
		command = json_get_string(m->config, "command");
	if (!command) {
		write_run(m);
		return;
	}
	write_expanded(m, "command", command);
	json_write_member_array(&m->w, "args");
	for (const cJSON *a = json_first(args ? args : json_get(m->config, "args")); a; a = a->next)
		if (json_string(a))
			write_expanded(m, NULL, json_string(a));
		else
			json_write_value(&m->w, a);
	json_write_array_end(&m->w);
}

static void
write_env(struct manifest *m)
{
	const cJSON *usual = json_get(m->config, "env"), *here = json_get(m->override, "env");

	json_write_member_object(&m->w, "env"); /* items of an array have no names */
	for (const cJSON *v = json_first(usual); v; v = v->next)
		if (v->string && json_string(v) && !json_get(here, v->string))
			write_expanded(m, v->string, json_string(v));
	for (const cJSON *v = json_first(here); v; v = v->next)
		if (v->string && json_string(v))
			write_expanded(m, v->string, json_string(v));
	json_write_object_end(&m->w);
}

void
bundle_manifest_to_servers(const cJSON *manifest, const char *folder, struct buf *out)
{
	struct manifest m = { .root = manifest, .folder = folder };
	const char *name = json_get_string(manifest, "name");

	m.server = json_get(manifest, "server");
	m.config = json_get(m.server, "mcp_config");
	m.override = json_get(json_get(m.config, "platform_overrides"), "linux");
	json_write_init(&m.w, out);
	json_write_object(&m.w);
	json_write_member_object(&m.w, "mcpServers");
	json_write_member_object(&m.w, name && *name ? name : "bundle");
	if (find_trouble(&m)) {
		json_write_member_string(&m.w, "trouble", find_trouble(&m));
	} else {
		json_write_member_string(&m.w, "type", "stdio");
		write_command(&m);
		json_write_member_string(&m.w, "cwd", folder);
		write_env(&m);
	}
	json_write_object_end(&m.w);
	json_write_object_end(&m.w);
	json_write_member_array(&m.w, "inputs");
	for (const cJSON *o = json_first(json_get(manifest, "user_config")); o; o = o->next)
		if (o->string)
			write_input(&m, o);
	json_write_array_end(&m.w);
	json_write_object_end(&m.w);
}

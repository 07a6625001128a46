#include "config/pasted.h"

#include "base/mem.h"
#include "base/path.h"
#include "base/strings.h"
#include "base/url_text.h"
#include "config/server_file.h"
#include "json/comments.h"
#include "json/print.h"
#include "json/write.h"

#include <stdlib.h>
#include <string.h>

/* ---- JSON ---- */

static struct json_doc *
parse(const char *before, const char *text, const char *after, struct json_error *where)
{
	char *whole = mem_printf("%s%s%s", before, text, after);
	struct json_doc *doc = json_parse_commented(whole, strlen(whole), where);

	free(whole);
	return doc;
}

/* The name of a single entry: its own, else that of its program or of its host. */
static char *
name_of(const cJSON *entry)
{
	const char *name = json_get_string(entry, "name"),
		   *command = json_get_string(entry, "command");
	const char *url = json_get_string(entry, "url");
	size_t len = 0;
	const char *host = url ? web_url_host(url, &len) : NULL;

	if (name && *name)
		return mem_strdup(name);
	if (command)
		return mem_strdup(path_file_name(command));
	return host && len > 0 ? mem_strndup(host, len) : mem_strdup("server");
}

static bool
is_entry(const cJSON *node)
{
	static const char *const keys[] = { "command", "cmd", "url", "httpUrl", "serverUrl",
		"uri" };

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (json_type(json_get(node, keys[i])) != JSON_ABSENT &&
		    json_type(json_get(node, keys[i])) != JSON_OBJECT)
			return true;
	return false;
}

static bool
has_entries(const cJSON *object)
{
	for (const cJSON *m = json_first(object); m; m = m->next)
		if (json_type(m) != JSON_OBJECT)
			return false;
	return json_count(object) > 0;
}

static bool
add_json(const char *text, struct buf *out, struct err *err)
{
	struct json_error where;
	struct json_doc *doc =
	    parse(*text == '{' ? "" : "{", text, *text == '{' ? "" : "}", &where);
	const cJSON *root = doc ? json_root(doc) : NULL;
	const cJSON *servers = doc ? server_file_entries(root) : NULL;
	bool ok = true;

	if (!doc)
		return err_set(err, "column %u of the JSON: %s", where.column, where.text);
	if (servers || (has_entries(root) && !is_entry(root))) {
		json_print(out, servers ? servers : root);
	} else if (is_entry(root)) {
		struct json_writer w;
		char *name = name_of(root);
		json_write_init(&w, out);
		json_write_object(&w);
		json_write_member_value(&w, name, root);
		json_write_object_end(&w);
		free(name);
	} else {
		ok = err_set(
		    err, "this JSON has no server: neither mcpServers nor a command nor a url");
	}
	json_doc_destroy(doc);
	return ok;
}

/* ---- the command of another client ---- */

/* "claude mcp add NAME ..." and the same of others. */
struct add_command {
	char *const *words;
	const char *name;
	struct strings env, headers, rest;
	const char *transport, *url;
};

/* False: the word is not an option with a value. */
static bool
take_option(struct add_command *c)
{
	const char *option = *c->words, *value = c->words[1];
	const char *equals = strncmp(option, "--", 2) == 0 ? strchr(option, '=') : NULL;
	static const char *const names[][2] = { { "-e", "--env" }, { "-H", "--header" },
		{ "-t", "--transport" }, { "-s", "--scope" }, { "-u", "--url" } };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		size_t len = strlen(names[i][1]);
		bool glued = equals && (size_t)(equals - option) == len &&
			     strncmp(option, names[i][1], len) == 0;
		if (!glued && strcmp(option, names[i][0]) != 0 && strcmp(option, names[i][1]) != 0)
			continue;
		value = glued ? equals + 1 : value ? value : "";
		c->words += !glued && c->words[1];
		if (i < 2)
			strings_add(i == 0 ? &c->env : &c->headers, value);
		else if (i == 2)
			c->transport = value;
		else if (i == 4)
			c->url = value;
		return true;
	}
	return false;
}

static void
write_pairs(
    struct json_writer *w, const char *key, const struct strings *pairs, const char *between)
{
	if (pairs->len == 0)
		return;
	json_write_member_object(w, key);
	for (size_t i = 0; i < pairs->len; i++) {
		const char *pair = pairs->items[i];
		size_t len = strcspn(pair, between), behind = len + (pair[len] != '\0');
		char *name = mem_strndup(pair, len);
		json_write_member_string(w, name, pair + behind + strspn(pair + behind, " "));
		free(name);
	}
	json_write_object_end(w);
}

static void
write_entry(struct json_writer *w, const struct add_command *c)
{
	const char *url = c->url ? c->url : is_web_url(c->rest.items[0]) ? c->rest.items[0] : NULL;

	json_write_object(w);
	if (c->transport)
		json_write_member_string(w, "type", c->transport);
	json_write_member_string(w, url ? "url" : "command", url ? url : c->rest.items[0]);
	if (!url && c->rest.len > 1) {
		json_write_member_array(w, "args");
		for (size_t i = 1; i < c->rest.len; i++)
			json_write_string(w, c->rest.items[i]);
		json_write_array_end(w);
	}
	write_pairs(w, "env", &c->env, "=");
	write_pairs(w, "headers", &c->headers, ":");
	json_write_object_end(w);
}

static bool
add_command(char *const *words, struct buf *out, struct err *err)
{
	struct add_command c = { .words = words };
	struct json_writer w;

	for (bool ended = false; *c.words; c.words++) {
		if (!ended && strcmp(*c.words, "--") == 0)
			ended = true;
		else if (!ended && (c.rest.len == 0 || is_web_url(c.rest.items[0])) &&
			 take_option(&c))
			;
		else if (!c.name && (*c.words)[0] != '-')
			c.name = *c.words;
		else if (ended || c.rest.len > 0 || (*c.words)[0] != '-')
			strings_add(&c.rest, *c.words);
	}
	bool ok = c.name && (c.rest.len > 0 || c.url);
	if (ok) {
		json_write_init(&w, out);
		json_write_object(&w);
		json_write_key(&w, c.name);
		write_entry(&w, &c);
		json_write_object_end(&w);
	} else {
		err_set(err, "mcp add: a name and a command or a URL are needed");
	}
	strings_finish(&c.env);
	strings_finish(&c.headers);
	strings_finish(&c.rest);
	return ok;
}

/* "claude mcp add" */
static bool
is_command(const struct strings *words)
{
	return words->len > 3 && strcmp(words->items[1], "mcp") == 0 &&
	       (strcmp(words->items[2], "add") == 0 || strcmp(words->items[2], "add-json") == 0);
}

enum pasted
pasted_to_entries(const char *text, struct buf *out, struct err *err)
{
	struct strings words = { 0 };
	bool ok;

	text += strspn(text, " \t\r\n");
	if (*text == '{' || (*text == '"' && strchr(text, '{')))
		return add_json(text, out, err) ? PASTED_SERVERS : PASTED_BROKEN;
	if (!strings_split_command(&words, text, NULL) || !is_command(&words)) {
		strings_finish(&words);
		return PASTED_ELSE;
	}
	if (strcmp(words.items[2], "add") == 0) {
		ok = add_command(strings_argv(&words) + 3, out, err);
	} else {
		const char *name = words.items[words.len - 2], *json = words.items[words.len - 1];
		struct buf pair = BUF_INIT;
		json_print_string(&pair, name, strlen(name));
		buf_addf(&pair, ": %s", json);
		ok = add_json(buf_text(&pair), out, err);
		buf_finish(&pair);
	}
	strings_finish(&words);
	return ok ? PASTED_SERVERS : PASTED_BROKEN;
}

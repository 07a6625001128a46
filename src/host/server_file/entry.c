/* SPDX-License-Identifier: MIT */
#include "entry.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/secret.h"
#include "base/strings.h"
#include "base/url.h"
#include "base/vec.h"
#include "host/target.h"
#include "json/number.h"
#include "json/print.h"

#include <stdlib.h>
#include <string.h>

/* Which values of the user's environment are shown as ${NAME}. */
enum server_file_hides {
	SERVER_FILE_HIDES_SECRETS, /* variables whose names suggest a secret, and everything in a
				      URL's query: these strings show what runs, or where */
	SERVER_FILE_HIDES_ALL,
};

#define VARIABLE_CHARACTERS ASCII_ALNUM "_"

/* ---- inputs ---- */

/* The value goes to the server, the label is for people; VS Code has plain strings only. */
static char **
read_options(const cJSON *input)
{
	const cJSON *options = json_get(input, "options");
	char **texts = mem_zalloc((json_count(options) + 1) * sizeof(*texts));
	size_t n = 0;

	for (const cJSON *o = json_first(options); o; o = o->next)
		if (cJSON_GetStringValue(o))
			texts[n++] = mem_strdup(cJSON_GetStringValue(o));
	if (n > 0)
		return texts;
	free(texts);
	return NULL;
}

static char *
read_limit(const cJSON *input, const char *key)
{
	char text[JSON_NUMBER_TEXT_MAX];
	const cJSON *limit = json_get(input, key);

	return cJSON_IsNumber(limit) ? mem_strdup(json_number_text(limit, text)) : NULL;
}

/* Records the input of that id in the target. False: its file has no such input. */
static bool
note_input(struct target *t, const char *id, size_t len, const cJSON *inputs)
{
	if (target_find_input(t, id, len))
		return true;
	if (json_count(inputs) > SERVER_FILE_MOST) {
		server_file_trouble(t, "its file has more than %d inputs", SERVER_FILE_MOST);
		return false;
	}
	char *name = mem_strndup(id, len);
	const cJSON *input = json_find_by(inputs, "id", name);
	const char *type = json_get_string(input, "type");
	const char *description = json_get_string(input, "description");
	bool pick = type && strcmp(type, "pickString") == 0;
	bool known = !type || pick || strcmp(type, "promptString") == 0;

	if (!input)
		server_file_trouble(t, "no input with id %s", name);
	else if (!known)
		server_file_trouble(t, "input %s has the unknown type %s", name, type);
	if (!input || !known) {
		free(name);
		return false;
	}
	*VEC_PUSH(&t->inputs) = (struct target_input){
		.id = name,
		.description = mem_strdup(description ? description : ""),
		.otherwise = mem_strdup(json_get_string(input, "default")),
		.options = pick ? read_options(input) : NULL,
		.password = cJSON_IsTrue(json_get(input, "password")),
		.multiple = cJSON_IsTrue(json_get(input, "multiple")),
		.number = cJSON_IsTrue(json_get(input, "number")),
		.least = read_limit(input, "min"),
		.most = read_limit(input, "max"),
	};
	return true;
}

/* ---- variables ---- */

/* A string being expanded: its value, and how it is shown. */
struct expansion {
	struct target *target;
	const struct server_file_scope *scope;
	enum server_file_hides hides;
	struct buf value, shown;
};

static void
add_both(struct expansion *e, const char *text, size_t len)
{
	buf_add(&e->value, text, len);
	buf_add(&e->shown, text, len);
}

static void
add_own(struct expansion *e, const char *name, const char *value)
{
	bool hidden = e->hides == SERVER_FILE_HIDES_ALL || secret_is_named(name, strlen(name)) ||
		      strpbrk(buf_text(&e->shown), "?#");

	buf_add_str(&e->value, value);
	if (hidden)
		buf_addf(&e->shown, "${%s}", name);
	else
		buf_add_str(&e->shown, value);
	/* the user who approves the entry sees which variables it receives */
	struct target *t = e->target;
	size_t n = 0;
	for (; t->passed && t->passed[n]; n++)
		if (strcmp(t->passed[n], name) == 0)
			return;
	t->passed = mem_realloc(t->passed, (n + 2) * sizeof(*t->passed));
	t->passed[n] = mem_strdup(name);
	t->passed[n + 1] = NULL;
}

/* An environment variable; otherwise: the default after ":-", NULL: none. */
static void
add_variable(
    struct expansion *e, const char *name, size_t len, const char *otherwise, size_t otherwise_len)
{
	char *copy = mem_strndup(name, len);
	const char *value = getenv(copy);

	if (value && (*value || !otherwise))
		add_own(e, copy, value);
	else if (otherwise)
		add_both(e, otherwise, otherwise_len);
	else
		server_file_trouble(e->target, "the environment has no %s", copy);
	free(copy);
}

/* Predefined names of other clients. */
static bool
add_place(struct expansion *e, const char *name, size_t len)
{
	const char *folder = e->scope->folder;
	const char *home = getenv("HOME");
	const struct {
		const char *name, *value;
	} places[] = {
		{ "userHome", home ? home : "" },
		{ "workspaceFolder", folder },
		{ "workspaceFolderBasename", path_file_name(folder) },
		{ "pathSeparator", "/" },
		{ "/", "/" },
	};

	for (size_t i = 0; i < ARRAY_LEN(places); i++) {
		if (strlen(places[i].name) == len && memcmp(places[i].name, name, len) == 0) {
			add_both(e, places[i].value, strlen(places[i].value));
			return true;
		}
	}
	return false;
}

/* name is between "${" and "}". False: not one of our variables, perhaps a shell's. */
static bool
add_entry_value(struct expansion *e, const char *name, size_t len)
{
	size_t word = strspn(name, VARIABLE_CHARACTERS);
	const char *end = name + len;

	if (add_place(e, name, len))
		return true;
	if (len > 6 && text_begins(name, end, "input:")) {
		if (note_input(e->target, name + 6, len - 6, e->scope->inputs))
			add_both(e, name - 2, len + 3);
		return true;
	}
	if (len > 4 && text_begins(name, end, "env:")) {
		add_variable(e, name + 4, len - 4, NULL, 0);
		return true;
	}
	if (word > 0 && word < len && text_begins(name + word, end, ":-")) {
		add_variable(e, name, word, name + word + 2, len - word - 2);
		return true;
	}
	if (word != len || len == 0)
		return false;
	add_variable(e, name, len, NULL, 0);
	return true;
}

/* The next variable of text: "${NAME}", "{env:NAME}" of opencode, or "$NAME" if the client knows
 * it. *name and *len: what add_value() takes. Returns its end; NULL without one. */
static const char *
find_variable(
    const struct expansion *e, const char *text, const char **open, const char **name, size_t *len)
{
	enum { MOST = 4096 }; /* so that each is searched for its end in little time */
	bool dollar = e->scope->client && e->scope->client->dollar;

	for (; (*open = strpbrk(text, "${")); text = *open + 1) {
		bool braces = strncmp(*open, "${", 2) == 0;
		*name = *open + (braces ? 2 : 1);
		bool may_close = braces || strncmp(*open, "{env:", 5) == 0;
		if ((may_close || dollar) && ++*e->scope->variables > SERVER_FILE_MOST_VARIABLES) {
			server_file_trouble(e->target, "its file uses more than %d variables",
			    SERVER_FILE_MOST_VARIABLES);
			return NULL;
		}
		const char *close = may_close ? memchr(*name, '}', strnlen(*name, MOST)) : NULL;
		if (close) {
			*len = (size_t)(close - *name);
			return close + 1;
		}
		*name = *open + 1;
		*len = strspn(*name, VARIABLE_CHARACTERS);
		if (dollar && **open == '$' && *len > 0 && !ascii_is_digit((unsigned char)**name))
			return *name + *len;
	}
	return NULL;
}

/* `before` followed by text with variables replaced; a variable without a value is
 * the target's error. Inputs stay and are recorded in the target; so is the text that
 * target_shown() returns. */
static char *
server_file_expand(struct target *t, const char *before, const char *text,
    enum server_file_hides hides, const struct server_file_scope *scope)
{
	struct expansion e = {
		.target = t, .scope = scope, .hides = hides, .value = BUF_INIT, .shown = BUF_INIT
	};
	const char *open, *name, *end;
	size_t len;

	add_both(&e, before, strlen(before));
	while ((end = find_variable(&e, text, &open, &name, &len))) {
		add_both(&e, text, (size_t)(open - text));
		if (!add_entry_value(&e, name, len)) {
			add_both(&e, open, (size_t)(name - open));
			end = name;
		}
		text = end;
	}
	add_both(&e, text, strlen(text));
	char *value = buf_detach(&e.value);
	if (strcmp(value, buf_text(&e.shown)) != 0)
		*VEC_PUSH(&e.target->shown) = (struct target_shown){ value, buf_detach(&e.shown) };
	buf_finish(&e.shown);
	return value;
}

/* An optional or null member; another type is an error, and returns NULL too. */
static const cJSON *
read_member(struct target *t, const cJSON *entry, const char *key, enum json_type type)
{
	const cJSON *member = json_get(entry, key);
	enum json_type is = json_type(member);

	if (is == type)
		return member;
	if (is != JSON_ABSENT && is != JSON_NULL)
		server_file_trouble(
		    t, "%s is of type %s, not %s", key, json_type_name(is), json_type_name(type));
	return NULL;
}

/* The names that clients give to the members. */
static const char *const command_names[] = { "command", "cmd", NULL };
static const char *const env_names[] = { "env", "environment", "envs", NULL };
static const char *const url_names[] = { "httpUrl", "url", "serverUrl", "uri", NULL };
static const char *const headers_names[] = { "headers", "http_headers", NULL };
static const char *const type_names[] = { "type", "transport", NULL };

/* The name that the entry uses; NULL: none. */
static const char *
find_name(const cJSON *entry, const char *const *names)
{
	for (; *names; names++) {
		enum json_type type = json_type(json_get(entry, *names));
		if (type != JSON_ABSENT && type != JSON_NULL)
			return *names;
	}
	return NULL;
}

/* A string that tells the user what runs, or where. NULL: absent or wrong. */
static char *
read_string(
    struct target *t, const cJSON *entry, const char *key, const struct server_file_scope *scope)
{
	const char *text = cJSON_GetStringValue(read_member(t, entry, key, JSON_STRING));

	return text ? server_file_expand(t, "", text, SERVER_FILE_HIDES_SECRETS, scope) : NULL;
}

static void
add_words(struct target *t, const cJSON *words, const char *key, size_t *n,
    const struct server_file_scope *scope)
{
	for (const cJSON *w = json_first(words); w; w = w->next) {
		const char *text = cJSON_GetStringValue(w);
		if (text)
			t->argv[*n] = server_file_expand(t, "", text,
			    *n ? SERVER_FILE_HIDES_ALL : SERVER_FILE_HIDES_SECRETS, scope);
		else
			server_file_trouble(t, "%s contains a value that is not a string", key);
		*n += text != NULL;
	}
}

/* The command is a string, in opencode an array with the arguments too, in older files of Zed an
 * object. */
static void
read_command(
    struct target *t, const cJSON *entry, const char *key, const struct server_file_scope *scope)
{
	const cJSON *command = json_get(entry, key);
	const cJSON *holder = cJSON_IsObject(command) ? command : entry;
	const cJSON *args = read_member(t, holder, "args", JSON_ARRAY);
	struct buf label = BUF_INIT;
	size_t n = 0;

	t->argv = mem_zalloc((json_count(command) + json_count(args) + 2) * sizeof(*t->argv));
	if (json_type(command) == JSON_ARRAY)
		add_words(t, command, key, &n, scope);
	else
		t->argv[n++] = read_string(t, holder, holder == command ? "path" : key, scope);
	if (!t->argv[0]) {
		t->argv[0] = mem_strdup("");
		n = 1;
	}
	add_words(t, args, "args", &n, scope);
	for (size_t i = 0; i < n; i++)
		buf_addf(&label, "%s%s", i ? " " : "", target_shown(t, t->argv[i]));
	t->label = buf_detach(&label);
	t->cwd = read_string(t, entry, "cwd", scope);
	t->env_file = read_string(t, entry, "envFile", scope);
	if (t->argv[0][0] == '\0')
		server_file_trouble(t, "its command is empty");
}

/* Another "NAME=value" or "Name: value". */
static void
add_pair(struct target *t, struct strings *pairs, const char *name, const char *between,
    const char *value, const struct server_file_scope *scope)
{
	char *before = mem_printf("%s%s", name, between);

	strings_take(pairs, server_file_expand(t, before, value, SERVER_FILE_HIDES_ALL, scope));
	free(before);
}

/* The members of an object as strings: "NAME=value" or "Name: value". */
static void
read_pairs(struct target *t, const cJSON *entry, const char *const *names, const char *between,
    struct strings *pairs, const struct server_file_scope *scope)
{
	const char *key = find_name(entry, names);
	const cJSON *object = key ? read_member(t, entry, key, JSON_OBJECT) : NULL;

	for (const cJSON *e = json_first(object); e; e = e->next) {
		enum json_type type = json_type(e);
		if (type == JSON_NULL) /* VS Code unsets the variable; here it is inherited */
			continue;
		if (type != JSON_STRING && type != JSON_NUMBER && type != JSON_BOOLEAN) {
			server_file_trouble(t, "%s: %s is not a string", key, e->string);
			continue;
		}
		struct buf text = BUF_INIT;
		if (type == JSON_STRING)
			buf_add_str(&text, cJSON_GetStringValue(e));
		else
			json_print(&text, e);
		add_pair(t, pairs, e->string, between, buf_text(&text), scope);
		buf_finish(&text);
	}
}

/* Names of variables that the server gets from the user's environment: Goose has them in a
 * keyring, so unset ones are skipped. */
static void
read_forwarded(struct target *t, const cJSON *entry, struct strings *env,
    const struct server_file_scope *scope)
{
	static const char *const keys[] = { "env_vars", "env_keys" };

	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		for (const cJSON *v = json_first(read_member(t, entry, keys[i], JSON_ARRAY)); v;
		     v = v->next) {
			const char *name = cJSON_GetStringValue(v);
			if (!name || !getenv(name) || name[strspn(name, ASCII_ALNUM "_")])
				continue;
			char *value = mem_printf("${%s}", name);
			add_pair(t, env, name, "=", value, scope);
			free(value);
		}
}

static void
read_url(
    struct target *t, const cJSON *entry, const char *key, const struct server_file_scope *scope)
{
	struct strings headers = { 0 };
	size_t host;

	t->url = read_string(t, entry, key, scope);
	t->label = target_url_to_show(target_shown(t, t->url));
	while (t->shown.len > 0) /* of the URL, which changes below; the label is shown instead */
		free(t->shown.items[--t->shown.len].shown);
	read_pairs(t, entry, headers_names, ": ", &headers, scope);
	/* Codex names variables for headers */
	const cJSON *of_env = read_member(t, entry, "env_http_headers", JSON_OBJECT);
	const char *bearer = json_get_string(entry, "bearer_token_env_var");
	for (const cJSON *h = json_first(of_env); h; h = h->next) {
		char *value =
		    mem_printf("${env:%s}", cJSON_GetStringValue(h) ? cJSON_GetStringValue(h) : "");
		add_pair(t, &headers, h->string, ": ", value, scope);
		free(value);
	}
	if (bearer) {
		char *value = mem_printf("Bearer ${env:%s}", bearer);
		add_pair(t, &headers, "Authorization", ": ", value, scope);
		free(value);
	}
	t->headers = strings_argv(&headers);
	if (!is_web_url(t->url) && strncmp(t->url, "${", 2) != 0)
		server_file_trouble(t, "its %s is neither http:// nor https://", key);
	else if (is_web_url(t->url) && web_url_host(t->url, &host) && host == 0)
		server_file_trouble(t, "its %s names no host", key);
	for (size_t i = 0; t->headers[i]; i++) {
		const char *line = t->headers[i];
		size_t name = strspn(line, HTTP_TOKEN);
		if (name == 0 || line[name] != ':' || strpbrk(line, "\r\n"))
			server_file_trouble(t, "headers: number %zu is not a valid header", i + 1);
	}
	target_hide_login(t);
}

enum transport_type { UNSAID, RUN, HTTP, SSE, OTHER };

static enum transport_type
read_type(const char *type)
{
	static const struct {
		const char *name;
		enum transport_type is;
	} names[] = {
		{ "stdio", RUN },
		{ "local", RUN },
		{ "http", HTTP },
		{ "remote", HTTP },
		{ "streamable_http", HTTP },
		{ "streamable-http", HTTP },
		{ "streamableHttp", HTTP },
		{ "sse", SSE },
	};

	if (!type)
		return UNSAID;
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (strcmp(names[i].name, type) == 0)
			return names[i].is;
	return OTHER;
}

static void
read_transport(struct target *t, const cJSON *entry, const struct server_file_scope *scope)
{
	const char *type_name = find_name(entry, type_names), *url = find_name(entry, url_names);
	const char *type = type_name ? json_get_string(entry, type_name) : NULL;
	/* A command is a string, an array or an object, and not empty. */
	const char *command = find_name(entry, command_names);
	const char *text = command ? json_get_string(entry, command) : NULL;
	if (!(text && *text) && (!command || json_count(json_get(entry, command)) == 0))
		command = NULL;
	enum transport_type transport = read_type(type);
	struct strings env = { 0 };

	if (url && !json_get_string(entry, url))
		url = NULL;
	if (transport == OTHER)
		server_file_trouble(t, "unknown transport %s", type);
	if (command && url && transport == UNSAID)
		server_file_trouble(t, "it has both %s and %s, and no type", command, url);
	if (command && transport != HTTP && transport != SSE) {
		read_command(t, entry, command, scope);
		read_pairs(t, entry, env_names, "=", &env, scope);
		read_forwarded(t, entry, &env, scope);
		t->env = strings_argv(&env);
		return;
	}
	t->sse = transport == SSE;
	if (url && transport != RUN)
		read_url(t, entry, url, scope);
	else if (transport == HTTP || transport == SSE)
		server_file_trouble(t, "it has no url");
	else
		server_file_trouble(t, "it has no command");
}

void
server_file_read_entry(struct target *t, const cJSON *entry, const struct server_file_scope *scope)
{
	const cJSON *enabled = json_get(entry, "enabled");

	t->disabled = cJSON_IsTrue(json_get(entry, "disabled")) ||
		      (cJSON_IsBool(enabled) && !cJSON_IsTrue(enabled));
	if (t->disabled)
		server_file_trouble(t, "disabled in its file");
	if (scope->published && json_get_string(entry, "trouble"))
		server_file_trouble(t, "%s", json_get_string(entry, "trouble"));
	if (!json_has_at_most(entry, SERVER_FILE_MOST))
		server_file_trouble(t, "a list in it has more than %d items", SERVER_FILE_MOST);
	else if (cJSON_IsObject(entry))
		read_transport(t, entry, scope);
	else
		server_file_trouble(
		    t, "it is of type %s, not object", json_type_name(json_type(entry)));
	if (!t->label)
		t->label = mem_strdup("");
}

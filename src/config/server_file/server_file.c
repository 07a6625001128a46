#include "entry.h"

#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"
#include "json/comments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ENV_FILE_MAX_BYTES ((size_t)1 << 20)
#define SERVER_FILE_MAX_BYTES ((size_t)4 << 20)

/* ---- envFile ---- */

static const char *
skip_blanks(const char *at, const char *end)
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
	at = at < end ? skip_blanks(at + 1, end) : NULL;
	if (at && (at == end || *at == '#'))
		return buf_detach(&out);
	buf_finish(&out);
	return NULL;
}

/* Up to a comment after a space, or to the end, without trailing spaces. */
static char *
read_plain(const char *at, const char *end)
{
	const char *stop = at;

	while (stop < end && !(*stop == '#' && (stop == at || stop[-1] == ' ' || stop[-1] == '\t')))
		stop++;
	while (stop > at && strchr(" \t\r", stop[-1]))
		stop--;
	return mem_strndup(at, (size_t)(stop - at));
}

static size_t
name_length(const char *at, const char *end)
{
	size_t n = 0;

	while (at + n < end && at[n] != '=' && !strchr(" \t\r#'\"", at[n]))
		n++;
	return n;
}

static bool
read_line(const char *at, const char *end,
    void (*set)(void *user, const char *name, const char *value), void *user)
{
	at = skip_blanks(at, end);
	if (at == end || *at == '#')
		return true;
	if (end - at > 7 && memcmp(at, "export ", 7) == 0)
		at = skip_blanks(at + 7, end);
	size_t len = name_length(at, end);
	const char *equals = skip_blanks(at + len, end);
	if (len == 0 || equals == end || *equals != '=')
		return false;
	const char *text = skip_blanks(equals + 1, end);
	bool quoted = text < end && (*text == '"' || *text == '\'');
	char *value = quoted ? read_quoted(text, end) : read_plain(text, end);
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
};

static void
set(void *user, const char *name, const char *value)
{
	struct env_list *env = user;
	size_t len = strlen(name);

	for (size_t i = 0; i < env->len; i++) {
		if (strncmp(env->items[i], name, len) != 0 || env->items[i][len] != '=')
			continue;
		if (i >= env->own) {
			free(env->items[i]);
			env->items[i] = mem_printf("%s=%s", name, value);
		}
		return;
	}
	env->items = mem_realloc(env->items, (env->len + 2) * sizeof(*env->items));
	env->items[env->len++] = mem_printf("%s=%s", name, value);
	env->items[env->len] = NULL;
}

static void
server_file_read_env_file(struct target *t)
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
	if (!path_read_regular(t->env_file, &text, NULL, &err))
		server_file_trouble(t, "envFile: %s", err.text);
	else if (!server_file_parse_env(buf_text(&text), text.len, set, &env, &line))
		server_file_trouble(
		    t, "line %u of envFile %.100s is not NAME=value", line, t->env_file);
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

/* The folder that contains the file's .vscode, else the current folder. */
static char *
workspace_folder(const char *path)
{
	static const char *const homes[] = { "/.vscode/", "/.cursor/", "/.gemini/" };
	char *real = realpath(path, NULL);
	char *slash = real ? strrchr(real, '/') : NULL;

	for (size_t i = 0; slash && i < ARRAY_LEN(homes); i++) {
		size_t len = strlen(homes[i]);
		char *home = slash + 1 - real >= (ptrdiff_t)len ? slash + 1 - len : NULL;
		if (home && memcmp(home, homes[i], len) == 0) {
			*home = '\0';
			return real;
		}
	}
	free(real);
	char *here = getcwd(NULL, 0);
	char *folder = mem_strdup(here ? here : ".");
	free(here);
	return folder;
}

/* The object with the servers; inputs are its sibling. */
static const cJSON *
find_servers(const cJSON *root, const cJSON **beside, const char **key)
{
	static const char *const keys[] = { "mcpServers", "servers", "context_servers" };

	*beside = root;
	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		*key = keys[i];
		if (json_type(json_get(root, *key)) == JSON_OBJECT)
			return json_get(root, *key);
	}
	*key = NULL;
	*beside = json_get(root, "mcp");
	const cJSON *servers = json_get(*beside, "servers");
	return json_type(servers) == JSON_OBJECT ? servers : NULL;
}

static bool
take_servers(struct server_file *c, const cJSON *root, const char *path, struct err *err)
{
	const cJSON *beside, *servers = find_servers(root, &beside, &c->key);

	if (!servers)
		return err_set(err, "%s: no object mcpServers, servers or context_servers", path);
	struct server_file_scope scope = { .inputs = json_get(beside, "inputs"),
		.folder = workspace_folder(path) };
	for (const cJSON *entry = json_first(servers); entry; entry = entry->next) {
		struct target *t = VEC_PUSH(c);
		*t = (struct target){ .name = mem_strdup(entry->string), .file = mem_strdup(path) };
		server_file_read_entry(t, entry, &scope);
	}
	free(scope.folder);
	return true;
}

bool
server_file_parse(
    struct server_file *c, const char *text, size_t len, const char *path, struct err *err)
{
	struct json_error where;
	struct json_doc *doc = NULL;
	char *plain = mem_dup(text, len);

	*c = (struct server_file){ 0 };
	if (json_blank_comments(plain, len, &where)) {
		json_blank_commas(plain, len);
		doc = json_parse(plain, len, NULL, &where);
	}
	free(plain);
	if (!doc)
		return err_set(err, "%s:%u:%u: %s", path, where.line, where.column, where.text);
	bool ok = take_servers(c, json_root(doc), path, err);
	json_doc_destroy(doc);
	return ok;
}

bool
server_file_load(struct server_file *c, const char *path, bool *there, struct err *err)
{
	struct buf text;

	*c = (struct server_file){ 0 };
	buf_init(&text, SERVER_FILE_MAX_BYTES);
	bool ok = path_read_regular(path, &text, there, err);
	if (ok && (!there || *there))
		ok = server_file_parse(c, buf_text(&text), text.len, path, err);
	buf_finish(&text);
	for (size_t i = 0; i < c->len; i++)
		server_file_read_env_file(&c->items[i]);
	return ok;
}

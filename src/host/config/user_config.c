/* SPDX-License-Identifier: MIT */
#include "host/user_config.h"

#include "base/ascii.h"
#include "base/buf.h"
#include "base/glyph.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/private_file.h"
#include "base/secret.h"
#include "base/strings.h"
#include "base/url.h"
#include "base/vec.h"
#include "host/server_file.h"
#include "json/print.h"
#include "json/splice.h"
#include "json/write.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define USER_CONFIG_MAX_BYTES ((size_t)4 << 20)

char *
user_config_path(void)
{
	return path_of(PATH_CONFIG, "servers.json");
}

struct user_config {
	struct private_file turn; /* the lock */
	struct buf text;
	const char *key; /* of the object with the servers */
};

static void
user_config_close(struct user_config *f)
{
	private_file_close(&f->turn);
	buf_finish(&f->text);
}

/* False: nothing to close. */
static bool
user_config_open(struct user_config *f, struct err *err)
{
	char *path = user_config_path();
	bool there;

	*f = (struct user_config){ 0 };
	bool ok = path ? private_file_open(&f->turn, path, true, err)
		       : err_set(err, "neither XDG_CONFIG_HOME nor HOME is set");
	free(path);
	if (!ok)
		return false;
	buf_init(&f->text, USER_CONFIG_MAX_BYTES);
	if (!private_file_read(&f->turn, &f->text, &there, err)) {
		user_config_close(f);
		return false;
	}
	if (f->text.len == 0)
		buf_add_str(&f->text, "{\n  \"mcpServers\": {}\n}\n");
	/* a file may use the member of another client for its servers */
	struct server_file c;
	server_file_parse(&c, buf_text(&f->text), f->text.len, "", NULL);
	const char *key = c.key;
	server_file_finish(&c);
	f->key = key ? key : "mcpServers";
	return true;
}

/* value NULL: remove. */
static bool
change_member(struct user_config *f, const char *const *path, const char *value, struct err *err)
{
	struct buf out = BUF_INIT;
	struct err why = { "" };

	bool ok = json_splice_set(buf_text(&f->text), f->text.len, path, value, &out, &why);
	ok = ok ? private_file_write(&f->turn, buf_text(&out), out.len, err)
		: err_set(err, "%.100s: %s", f->turn.path, why.text);
	buf_finish(&out);
	return ok;
}

bool
user_config_change(const char *name, const char *what, const char *value, struct err *err)
{
	struct user_config f;
	struct server_file c;
	bool found = false, ok;

	if (!user_config_open(&f, err))
		return false;
	if (server_file_parse(&c, buf_text(&f.text), f.text.len, "", NULL))
		for (size_t i = 0; i < c.len; i++)
			found = found || strcmp(c.items[i].name, name) == 0;
	server_file_finish(&c);
	if (found && !what && value)
		ok = err_set(err, "%.100s already has a server %.60s", f.turn.path, name);
	else if (!found && what)
		ok = err_set(err, "there is no server %.60s in %.100s", name, f.turn.path);
	else
		ok = change_member(&f, (const char *[]){ f.key, name, what, NULL }, value, err);
	user_config_close(&f);
	return ok;
}

/* ---- a new entry ---- */

/* NAME=value, as before a command. */
static bool
is_variable(const char *word)
{
	size_t n = strspn(word, ASCII_ALNUM "_");

	return n > 0 && word[n] == '=' && !ascii_is_digit(word[0]);
}

static void
write_command(struct buf *out, char *const *words)
{
	struct json_writer w;
	struct buf env = BUF_INIT;

	json_write_init(&w, &env);
	json_write_object(&w);
	for (; *words && is_variable(*words); words++) {
		char *name = mem_strndup(*words, strcspn(*words, "="));
		json_write_member_string(&w, name, strchr(*words, '=') + 1);
		free(name);
	}
	json_write_object_end(&w);
	buf_add_str(out, "{\n  \"command\": ");
	json_write_init(&w, out);
	json_write_string(&w, *words ? *words : "");
	if (*words && words[1]) {
		buf_add_str(out, ",\n  \"args\": ");
		json_write_init(&w, out);
		json_write_array(&w);
		while (*++words)
			json_write_string(&w, *words);
		json_write_array_end(&w);
	}
	if (env.len > 2)
		buf_addf(out, ",\n  \"env\": %s", buf_text(&env));
	buf_add_str(out, "\n}");
	buf_finish(&env);
}

static bool
write_entry(struct buf *out, char *const *words, struct err *err)
{
	size_t count = 0, variables = 0, host;

	while (words[count])
		count++;
	while (words[variables] && is_variable(words[variables]))
		variables++;
	if (count == variables)
		return err_set(err, "a command or a URL is missing");
	if (!*words[variables])
		return err_set(err, "the command is empty");
	if (is_web_url(words[0]) && count > 1)
		return err_set(err, "a URL takes no arguments; headers go into the file");
	if (!is_web_url(words[0]))
		write_command(out, words);
	else if (web_url_host(words[0], &host) && host == 0)
		return err_set(err, "%.100s names no host", words[0]);
	else {
		struct json_writer w;
		buf_add_str(out, "{\n  \"url\": ");
		json_write_init(&w, out);
		json_write_string(&w, words[0]);
		buf_add_str(out, "\n}");
	}
	return true;
}

bool
user_config_add(const char *name, char *const *words, struct err *err)
{
	struct buf entry = BUF_INIT;
	bool ok = *name ? write_entry(&entry, words, err) : err_set(err, "the name is empty");

	ok = ok && user_config_change(name, NULL, buf_text(&entry), err);
	buf_finish(&entry);
	return ok;
}

/* The items that the file has stay before the others. */
static bool
add_inputs(const cJSON *inputs, struct err *err)
{
	struct user_config f;
	struct buf text = BUF_INIT;
	struct json_writer w;
	const char *path[] = { "inputs", NULL };

	if (!user_config_open(&f, err))
		return false;
	struct json_doc *doc = json_parse_commented(buf_text(&f.text), f.text.len, NULL);
	const cJSON *own = doc ? json_get(json_root(doc), "inputs") : NULL;
	json_write_init(&w, &text);
	json_write_array(&w);
	for (const cJSON *i = json_first(own); i; i = i->next)
		json_write_value(&w, i);
	size_t before = text.len;
	for (const cJSON *i = json_first(inputs); i; i = i->next) {
		const char *id = json_get_string(i, "id");
		if (id && !json_find_by(own, "id", id))
			json_write_value(&w, i);
	}
	bool any = text.len > before;
	json_write_array_end(&w);
	bool ok = !any || change_member(&f, path, buf_text(&text), err);
	json_doc_destroy(doc);
	buf_finish(&text);
	user_config_close(&f);
	return ok;
}

bool
user_config_add_file(const char *file, struct err *err)
{
	struct json_doc *doc = json_parse(file, strlen(file), NULL, NULL);
	const cJSON *inputs = doc ? json_get(json_root(doc), "inputs") : NULL;
	const cJSON *entries = doc ? json_get(json_root(doc), "mcpServers") : NULL;
	bool ok = doc ? !inputs || add_inputs(inputs, err) : err_set(err, "not JSON");

	for (const cJSON *e = ok ? json_first(entries) : NULL; e && ok; e = e->next) {
		char *text = json_text(e);
		ok = *e->string ? user_config_change(e->string, NULL, text, err)
				: err_set(err, "the name is empty");
		free(text);
	}
	json_doc_destroy(doc);
	return ok;
}

/* ---- JSON ---- */

static bool
is_entry(const cJSON *node)
{
	static const char *const keys[] = { "command", "cmd", "url", "httpUrl", "serverUrl",
		"uri" };

	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		if (json_type(json_get(node, keys[i])) != JSON_ABSENT &&
		    !cJSON_IsObject(json_get(node, keys[i])))
			return true;
	return false;
}

static void
write_file(const char *name, const cJSON *entries, const cJSON *inputs, struct buf *out)
{
	struct json_writer w;

	json_write_init(&w, out);
	json_write_object(&w);
	if (name)
		json_write_member_object(&w, "mcpServers");
	json_write_member_value(&w, name ? name : "mcpServers", entries);
	if (name)
		json_write_object_end(&w);
	if (cJSON_IsArray(inputs))
		json_write_member_value(&w, "inputs", inputs);
	json_write_object_end(&w);
}

static bool
add_json(const char *text, struct buf *out, struct err *err)
{
	struct json_error where;
	char *whole = *text == '{' ? mem_strdup(text) : mem_printf("{%s}", text);
	struct json_doc *doc = json_parse_commented(whole, strlen(whole), &where);
	const cJSON *root = doc ? json_root(doc) : NULL, *inputs = NULL;
	const char *key;
	const cJSON *servers = doc ? server_file_entries(root, NULL, &inputs, &key) : NULL;
	bool ok = true;

	free(whole);
	if (!doc)
		return err_set(err, "column %u of the JSON: %s", where.column, where.text);
	bool has_entries = json_count(root) > 0; /* objects alone */
	for (const cJSON *m = json_first(root); m && has_entries; m = m->next)
		has_entries = cJSON_IsObject(m);
	if (servers || (has_entries && !is_entry(root))) {
		write_file(NULL, servers ? servers : root, inputs, out);
	} else if (is_entry(root)) {
		/* its own name, else that of its program or of its host */
		const char *name = json_get_string(root, "name");
		const char *command = json_get_string(root, "command");
		const char *url = json_get_string(root, "url");
		size_t len = 0;
		const char *host = url ? web_url_host(url, &len) : NULL;
		char *own = name && *name     ? mem_strdup(name)
			    : command         ? mem_strdup(path_file_name(command))
			    : host && len > 0 ? mem_strndup(host, len)
					      : mem_strdup("server");
		write_file(own, root, inputs, out);
		free(own);
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
	const char *transport, *url, *bearer;
};

/* Options with a value, of Claude Code, Codex and Gemini CLI; those without a place are skipped. */
static const struct add_option {
	char letter;
	const char *name;
	enum { SKIPPED, ENV, HEADER, TRANSPORT, URL, BEARER } is;
} add_options[] = {
	{ 'e', "--env", ENV },
	{ 'H', "--header", HEADER },
	{ 't', "--transport", TRANSPORT },
	{ 'u', "--url", URL },
	{ 0, "--bearer-token-env-var", BEARER },
	{ 's', "--scope", SKIPPED },
	{ 0, "--timeout", SKIPPED },
	{ 0, "--description", SKIPPED },
	{ 0, "--include-tools", SKIPPED },
	{ 0, "--exclude-tools", SKIPPED },
	{ 0, "--client-id", SKIPPED },
	{ 0, "--callback-port", SKIPPED },
};

/* False: the word is not an option with a value. */
static bool
take_option(struct add_command *c)
{
	const struct add_option *o = NULL;
	const char *word = *c->words;
	size_t len = strcspn(word, "=");
	const char *equals = strchr(*c->words, '='), *value = equals ? equals + 1 : c->words[1];
	const char **texts[] = {
		[TRANSPORT] = &c->transport, [URL] = &c->url, [BEARER] = &c->bearer
	};

	for (size_t i = 0; i < ARRAY_LEN(add_options) && !o; i++) {
		const struct add_option *one = &add_options[i];
		if ((one->letter && word[0] == '-' && word[1] == one->letter && !word[2]) ||
		    (strlen(one->name) == len && memcmp(one->name, word, len) == 0))
			o = one;
	}
	if (!o)
		return false;
	c->words += !equals && value;
	if (o->is == ENV)
		strings_add(&c->env, value ? value : "");
	else if (o->is == HEADER)
		strings_add(&c->headers, value ? value : "");
	else if (o->is != SKIPPED)
		*texts[o->is] = value;
	while (o->is == ENV && c->words[0] && c->words[1] && is_variable(c->words[1]))
		strings_add(&c->env, *++c->words); /* Claude Code takes several after one --env */
	return true;
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

/* Write the entry, if there is a name for it, and free the strings of the command. */
static void
end_add(struct add_command *c, const char *name, struct buf *out)
{
	const char *first = name && c->rest.len ? c->rest.items[0] : NULL;
	const char *url = c->url ? c->url : first && is_web_url(first) ? first : NULL;
	struct json_writer w;

	if (name) {
		json_write_init(&w, out);
		json_write_object(&w);
		json_write_member_object(&w, "mcpServers");
		json_write_member_object(&w, name);
		if (c->transport)
			json_write_member_string(&w, "type", c->transport);
		json_write_member_string(&w, url ? "url" : "command", url ? url : first);
		if (!url && c->rest.len > 1) {
			json_write_member_array(&w, "args");
			for (size_t i = 1; i < c->rest.len; i++)
				json_write_string(&w, c->rest.items[i]);
			json_write_array_end(&w);
		}
		write_pairs(&w, "env", &c->env, "=");
		write_pairs(&w, "headers", &c->headers, ":");
		if (c->bearer)
			json_write_member_string(&w, "bearer_token_env_var", c->bearer);
		json_write_object_end(&w);
		json_write_object_end(&w);
		json_write_object_end(&w);
	}
	strings_finish(&c->env);
	strings_finish(&c->headers);
	strings_finish(&c->rest);
}

static bool
add_command(char *const *words, struct buf *out, struct err *err)
{
	struct add_command c = { .words = words };

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
	if (!ok)
		err_set(err, "mcp add: a name and a command or a URL are needed");
	end_add(&c, ok ? c.name : NULL, out);
	return ok;
}

/* "claude mcp add-json NAME JSON", with options anywhere. */
static bool
add_named_json(char *const *words, struct buf *out, struct err *err)
{
	struct add_command c = { .words = words };

	for (; *c.words; c.words++)
		if (!take_option(&c) && (*c.words)[0] != '-')
			strings_add(&c.rest, *c.words);
	bool ok =
	    c.rest.len == 2 || err_set(err, "mcp add-json: a name and the JSON of one server");
	struct buf pair = BUF_INIT;
	if (ok) {
		json_print_string(&pair, c.rest.items[0], strlen(c.rest.items[0]));
		buf_addf(&pair, ": %s", c.rest.items[1]);
		ok = add_json(buf_text(&pair), out, err);
	}
	buf_finish(&pair);
	end_add(&c, NULL, NULL);
	return ok;
}

/* ---- a command line ---- */

/* Programs that run others: they may not be installed yet, and a server is named after the
 * program that they run. */
static bool
is_runner(const char *word)
{
	static const char *const names[] = { "npx", "uvx", "uv", "node", "python", "python3",
		"docker", "podman", "bun", "bunx", "deno", "dnx", "dotnet", "pnpm", "yarn", "java",
		"ruby", NULL };

	return words_have(names, path_file_name(word));
}

static bool
is_program(const char *word)
{
	const char *path = getenv("PATH");
	bool found = false;

	if (strchr(word, '/'))
		return access(word, X_OK) == 0;
	for (char *file; !found && (file = path_next_program(&path, word)); free(file))
		found = access(file, X_OK) == 0;
	return found;
}

/* "npx -y x", but not "NAME npx -y x". */
static bool
is_command_line(char *const *words)
{
	const char *next = words[1];

	if (strcmp(words[0], "--") == 0 || is_variable(words[0]))
		return next != NULL;
	if (is_web_url(words[0]) || (next && (is_runner(next) || is_web_url(next))))
		return false;
	return is_runner(words[0]) || strchr(words[0], '/') ||
	       (is_program(words[0]) && !(next && is_program(next)));
}

static bool
add_command_line(char *const *words, struct buf *out, struct err *err)
{
	static const char *const verbs[] = { "run", "exec", "dlx", "tool", NULL };
	struct add_command c = { .words = words };

	for (c.words += strcmp(*c.words, "--") == 0; *c.words && is_variable(*c.words); c.words++)
		strings_add(&c.env, *c.words);
	for (; *c.words; c.words++)
		strings_add(&c.rest, *c.words);
	bool ok = c.rest.len > 0 || err_set(err, "a command is missing");
	/* "server-files" of "npx -y @example/server-files@1.2", "server" of "python3 server.py" */
	const char *what = ok ? c.rest.items[0] : "";
	bool verb = is_runner(what);
	for (size_t i = 1; i < c.rest.len && verb; i++) {
		what = c.rest.items[i];
		verb = what[0] == '-' || words_have(verbs, what);
	}
	what = path_file_name(verb ? c.rest.items[0] : what);
	size_t len = strcspn(what + (*what == '@'), "@:") + (*what == '@');
	const char *dot = memrchr(what, '.', len);
	if (dot > what && what + len - dot <= 4)
		len = (size_t)(dot - what);
	char *name = ok ? mem_strndup(what, len) : NULL;
	end_add(&c, name, out);
	free(name);
	return ok;
}

/* ---- any of these ---- */

/* The words after "claude mcp add" and similar commands. */
static const struct {
	const char *words[2]; /* after the program */
	bool (*add)(char *const *words, struct buf *out, struct err *err);
} commands[] = {
	{ { "mcp", "add" }, add_command },
	{ { "mcp", "add-json" }, add_named_json },
};

enum pasted
pasted_to_file(const char *text, struct buf *out, struct err *err)
{
	struct strings words = { 0 };
	bool found = true, ok = false;

	text += strspn(text, " \t\r\n");
	if (*text == '{' || (*text == '"' && strchr(text, '{')))
		return add_json(text, out, err) ? PASTED_SERVERS : PASTED_BROKEN;
	bool split = strings_split_command(&words, text, NULL);
	char *const *argv = split ? strings_argv(&words) : NULL;
	size_t i = split && words.len > 3 ? 0 : ARRAY_LEN(commands);
	while (i < ARRAY_LEN(commands) && (strcmp(argv[1], commands[i].words[0]) != 0 ||
					      strcmp(argv[2], commands[i].words[1]) != 0))
		i++;
	if (i < ARRAY_LEN(commands))
		ok = commands[i].add(argv + 3, out, err);
	else if (split && words.len == 3 && strcmp(argv[1], "--add-mcp") == 0) /* VS Code's code */
		ok = add_json(argv[2], out, err);
	else if (split && is_command_line(argv))
		ok = add_command_line(argv, out, err);
	else
		found = false;
	strings_finish(&words);
	return !found ? PASTED_ELSE : ok ? PASTED_SERVERS : PASTED_BROKEN;
}

/* ---- for people ---- */

/* Adds the text on one line, so that it cannot imitate another line. */
static void
add_safe_line(const char *before, const char *text, struct buf *told)
{
	buf_add_str(told, before);
	glyph_append_safe(told, text, strlen(text), false);
}

/* Values decide what runs, so all but secrets are shown. */
static void
add_pairs_to_show(const struct target *t, char *const *pairs, const char *between, struct buf *told)
{
	for (; pairs && *pairs; pairs++) {
		size_t name = strcspn(*pairs, between);
		char *hidden = secret_is_named(*pairs, name)
				   ? mem_printf("%.*s%s" SECRET_HIDDEN, (int)name, *pairs, between)
				   : NULL;
		add_safe_line("\n    ", hidden ? hidden : target_shown(t, *pairs), told);
		free(hidden);
	}
}

/* Lists the commands with their environment and headers, short enough to be on the screen at
 * once. */
bool
pasted_tell(const char *file, struct buf *told, struct err *err)
{
	enum { MOST = 800 };
	struct server_file c;
	bool ok = server_file_parse(&c, file, strlen(file), "", err);

	for (size_t i = 0; i < c.len && ok; i++) {
		const struct target *t = &c.items[i];
		add_safe_line(told->len > 0 ? "\n" : "", t->name, told);
		add_safe_line(": ", t->label, told);
		if (t->cwd)
			add_safe_line("\n    in ", target_shown(t, t->cwd), told);
		if (t->env_file)
			add_safe_line("\n    envFile ", target_shown(t, t->env_file), told);
		add_pairs_to_show(t, t->env, "=", told);
		add_pairs_to_show(t, t->headers, ":", told);
		if (t->trouble)
			add_safe_line("\n    ! ", t->trouble, told);
	}
	if (ok && c.len == 0)
		ok = err_set(err, "no server is in it");
	if (ok && told->len > MOST)
		ok = err_set(err, "too much to show here: add it to your file with :edit-server");
	server_file_finish(&c);
	return ok;
}

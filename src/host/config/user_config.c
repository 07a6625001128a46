#include "host/user_config.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/private_file.h"
#include "base/strings.h"
#include "base/url_text.h"
#include "host/server_file.h"
#include "json/comments.h"
#include "json/print.h"
#include "json/splice.h"
#include "json/write.h"

#include <stdlib.h>
#include <string.h>

#define USER_CONFIG_MAX_BYTES ((size_t)4 << 20)

char *
user_config_path(void)
{
	return path_config("servers.json");
}

struct user_config {
	struct private_file turn; /* the lock */
	struct buf text;
	const char *key; /* of the object with the servers */
};

static void
file_close(struct user_config *f)
{
	private_file_close(&f->turn);
	buf_finish(&f->text);
}

/* A file may use another client's member name for its servers. */
static const char *
find_key(const struct user_config *f)
{
	struct server_file c;

	server_file_parse(&c, buf_text(&f->text), f->text.len, "", NULL);
	const char *key = c.key;
	server_file_finish(&c);
	return key ? key : "mcpServers";
}

/* False: nothing to close. */
static bool
file_open(struct user_config *f, struct err *err)
{
	char *path = user_config_path();
	bool there;

	*f = (struct user_config){ 0 };
	bool ok = path ? private_file_open_shared(&f->turn, path, err)
		       : err_set(err, "neither XDG_CONFIG_HOME nor HOME is set");
	free(path);
	if (!ok)
		return false;
	buf_init(&f->text, USER_CONFIG_MAX_BYTES);
	if (!private_file_read(&f->turn, &f->text, &there, err)) {
		file_close(f);
		return false;
	}
	if (f->text.len == 0)
		buf_add_str(&f->text, "{\n  \"mcpServers\": {}\n}\n");
	f->key = find_key(f);
	return true;
}

/* value NULL: remove. */
static bool
change(struct user_config *f, const char *const *path, const char *value, struct err *err)
{
	struct buf out = BUF_INIT;
	struct err why = { "" };

	bool ok = value ? json_splice_set(buf_text(&f->text), f->text.len, path, value, &out, &why)
			: json_splice_remove(buf_text(&f->text), f->text.len, path, &out, &why);
	ok = ok ? private_file_write(&f->turn, buf_text(&out), out.len, err)
		: err_set(err, "%.100s: %s", f->turn.path, why.text);
	buf_finish(&out);
	return ok;
}

/* what: a member of the entry, or NULL for the whole entry. */
static bool
change_entry(
    struct user_config *f, const char *name, const char *what, const char *value, struct err *err)
{
	return change(f, (const char *[]){ f->key, name, what, NULL }, value, err);
}

static bool
has_server(const struct user_config *f, const char *name)
{
	struct server_file c;
	bool found = false;

	if (server_file_parse(&c, buf_text(&f->text), f->text.len, "", NULL))
		for (size_t i = 0; i < c.len; i++)
			found = found || strcmp(c.items[i].name, name) == 0;
	server_file_finish(&c);
	return found;
}

/* ---- a new entry ---- */

static char *const *
write_env(struct buf *out, char *const *words)
{
	struct json_writer w;
	struct buf env = BUF_INIT;

	json_write_init(&w, &env);
	json_write_object(&w);
	for (; *words && strings_is_variable(*words); words++) {
		char *name = mem_strndup(*words, strcspn(*words, "="));
		json_write_member_string(&w, name, strchr(*words, '=') + 1);
		free(name);
	}
	json_write_object_end(&w);
	if (env.len > 2)
		buf_addf(out, ",\n  \"env\": %s", buf_text(&env));
	buf_finish(&env);
	return words;
}

static void
write_command(struct buf *out, char *const *words)
{
	struct json_writer w;
	struct buf env = BUF_INIT;

	words = write_env(&env, words);
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
	buf_addf(out, "%s\n}", buf_text(&env));
	buf_finish(&env);
}

static void
write_url(struct buf *out, const char *url)
{
	struct json_writer w;

	buf_add_str(out, "{\n  \"url\": ");
	json_write_init(&w, out);
	json_write_string(&w, url);
	buf_add_str(out, "\n}");
}

static bool
write_entry(struct buf *out, char *const *words, struct err *err)
{
	size_t count = 0, variables = 0, host;

	while (words[count])
		count++;
	while (words[variables] && strings_is_variable(words[variables]))
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
	else
		write_url(out, words[0]);
	return true;
}

bool
user_config_add(const char *name, char *const *words, struct err *err)
{
	struct user_config f;
	struct buf entry = BUF_INIT;

	bool ok = *name ? write_entry(&entry, words, err) : err_set(err, "the name is empty");
	ok = ok && file_open(&f, err);
	if (ok) {
		ok = has_server(&f, name)
			 ? err_set(err, "%.100s already has a server %.60s", f.turn.path, name)
			 : change_entry(&f, name, NULL, buf_text(&entry), err);
		file_close(&f);
	}
	buf_finish(&entry);
	return ok;
}

static bool
add_entry(const cJSON *entry, struct err *err)
{
	struct user_config f;
	struct buf text = BUF_INIT;

	if (!file_open(&f, err))
		return false;
	json_print(&text, entry);
	bool ok =
	    has_server(&f, entry->string)
		? err_set(err, "%.100s already has a server %.60s", f.turn.path, entry->string)
		: change_entry(&f, entry->string, NULL, buf_text(&text), err);
	buf_finish(&text);
	file_close(&f);
	return ok;
}

static void
write_item(struct json_writer *w, const cJSON *own, const cJSON *input)
{
	const char *id = json_get_string(input, "id");

	if (id && !json_find_by(own, "id", id))
		json_write_value(w, input);
}

/* The items that the file has stay before the others. */
static bool
add_inputs(const cJSON *inputs, struct err *err)
{
	struct user_config f;
	struct buf text = BUF_INIT;
	struct json_writer w;
	const char *path[] = { "inputs", NULL };

	if (!file_open(&f, err))
		return false;
	struct json_doc *doc = json_parse_commented(buf_text(&f.text), f.text.len, NULL);
	const cJSON *own = doc ? json_get(json_root(doc), "inputs") : NULL;
	json_write_init(&w, &text);
	json_write_array(&w);
	for (const cJSON *i = json_first(own); i; i = i->next)
		json_write_value(&w, i);
	size_t before = text.len;
	for (const cJSON *i = json_first(inputs); i; i = i->next)
		write_item(&w, own, i);
	bool any = text.len > before;
	json_write_array_end(&w);
	bool ok = !any || change(&f, path, buf_text(&text), err);
	json_doc_destroy(doc);
	buf_finish(&text);
	file_close(&f);
	return ok;
}

bool
user_config_add_file(const char *file, struct err *err)
{
	struct json_doc *doc = json_parse(file, strlen(file), NULL, NULL);
	const cJSON *inputs = doc ? json_get(json_root(doc), "inputs") : NULL;
	const cJSON *entries = doc ? json_get(json_root(doc), "mcpServers") : NULL;
	bool ok = doc ? !inputs || add_inputs(inputs, err) : err_set(err, "not JSON");

	for (const cJSON *e = ok ? json_first(entries) : NULL; e && ok; e = e->next)
		ok = *e->string ? add_entry(e, err) : err_set(err, "the name is empty");
	json_doc_destroy(doc);
	return ok;
}

bool
user_config_remove(const char *name, struct err *err)
{
	struct user_config f;

	if (!file_open(&f, err))
		return false;
	bool ok = change_entry(&f, name, NULL, NULL, err);
	file_close(&f);
	return ok;
}

bool
user_config_disable(const char *name, bool disabled, struct err *err)
{
	struct user_config f;

	if (!file_open(&f, err))
		return false;
	bool ok = has_server(&f, name)
		      ? change_entry(&f, name, "disabled", disabled ? "true" : NULL, err)
		      : err_set(err, "there is no server %.60s in %.100s", name, f.turn.path);
	file_close(&f);
	return ok;
}

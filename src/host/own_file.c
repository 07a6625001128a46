#include "host/own_file.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/web.h"
#include "host/config.h"
#include "host/roster.h"
#include "json/splice.h"
#include "json/write.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OWN_FILE_MAX_BYTES ((size_t)4 << 20)

struct own_file {
	char *path;
	struct buf text;
	bool exists;
	const char *key; /* of its object with the servers */
};

static void
file_finish(struct own_file *f)
{
	buf_finish(&f->text);
	free(f->path);
}

/* A file may have its servers under the key of another client. */
static const char *
find_key(const struct own_file *f)
{
	struct config c;

	config_parse(&c, buf_text(&f->text), f->text.len, "", NULL);
	const char *key = c.key;
	config_finish(&c);
	return key ? key : "mcpServers";
}

static bool
file_read(struct own_file *f, struct err *err)
{
	*f = (struct own_file){ .path = roster_own_file() };
	buf_init(&f->text, OWN_FILE_MAX_BYTES);
	if (!f->path)
		return err_set(err, "neither XDG_CONFIG_HOME nor HOME is set");
	f->exists = access(f->path, F_OK) == 0;
	if (f->exists && !path_read_file(f->path, &f->text, err))
		return false;
	if (f->text.len == 0)
		buf_add_str(&f->text, "{\n  \"mcpServers\": {}\n}\n");
	f->key = find_key(f);
	return true;
}

static bool
file_write(const struct own_file *f, const struct buf *text, struct err *err)
{
	if (f->exists)
		return path_write_file(f->path, buf_text(text), text->len, err);
	return path_write_private(f->path, buf_text(text), text->len, err);
}

/* value NULL: removes. what: of the entry, or NULL for all of it. */
static bool
change(struct own_file *f, const char *name, const char *what, const char *value, struct err *err)
{
	const char *path[] = { f->key, name, what, NULL };
	struct buf out = BUF_INIT;
	struct err why = { "" };

	bool ok = value ? json_splice_set(buf_text(&f->text), f->text.len, path, value, &out, &why)
			: json_splice_remove(buf_text(&f->text), f->text.len, path, &out, &why);
	ok = ok ? file_write(f, &out, err) : err_set(err, "%.100s: %s", f->path, why.text);
	buf_finish(&out);
	return ok;
}

static bool
has_server(const struct own_file *f, const char *name)
{
	struct config c;
	bool found = false;

	if (config_parse(&c, buf_text(&f->text), f->text.len, "", NULL))
		for (size_t i = 0; i < c.len; i++)
			found = found || strcmp(c.items[i].name, name) == 0;
	config_finish(&c);
	return found;
}

/* ---- a new entry ---- */

static bool
is_variable(const char *word)
{
	size_t n = strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789abcdefghijklmnopqrstuvwxyz");

	return n > 0 && word[n] == '=' && !(word[0] >= '0' && word[0] <= '9');
}

static char *const *
write_env(struct buf *out, char *const *words)
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
	size_t count = 0, variables = 0;

	while (words[count])
		count++;
	while (words[variables] && is_variable(words[variables]))
		variables++;
	if (count == variables)
		return err_set(err, "a command or a URL is missing");
	if (is_web_url(words[0]) && count > 1)
		return err_set(err, "a URL has no arguments; headers go into the file");
	if (is_web_url(words[0]))
		write_url(out, words[0]);
	else
		write_command(out, words);
	return true;
}

bool
own_file_add(const char *name, char *const *words, struct err *err)
{
	struct own_file f;
	struct buf entry = BUF_INIT;

	bool ok = file_read(&f, err) && write_entry(&entry, words, err);
	if (ok && has_server(&f, name))
		ok = err_set(err, "%.100s has a server %.60s already", f.path, name);
	ok = ok && change(&f, name, NULL, buf_text(&entry), err);
	buf_finish(&entry);
	file_finish(&f);
	return ok;
}

bool
own_file_remove(const char *name, struct err *err)
{
	struct own_file f;

	bool ok = file_read(&f, err) && change(&f, name, NULL, NULL, err);
	file_finish(&f);
	return ok;
}

bool
own_file_disable(const char *name, bool disabled, struct err *err)
{
	struct own_file f;

	bool ok = file_read(&f, err);
	if (ok && !has_server(&f, name))
		ok = err_set(err, "there is no server %.60s in %.100s", name, f.path);
	ok = ok && change(&f, name, "disabled", disabled ? "true" : NULL, err);
	file_finish(&f);
	return ok;
}

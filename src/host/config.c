#include "base/buf.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"
#include "host/target.h"
#include "json/doc.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONFIG_MAX_BYTES ((size_t)4 << 20)

void
config_finish(struct config *c)
{
	for (size_t i = 0; i < c->len; i++)
		target_finish(&c->items[i]);
	free(c->items);
	*c = (struct config){ 0 };
}

/* The first trouble found is the one told. */
static void __attribute__((format(printf, 2, 3)))
add_trouble(struct target *t, const char *format, ...)
{
	char text[200];
	va_list args;

	if (t->trouble)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	t->trouble = mem_strdup(text);
}

/* A member that may be absent or null; one of another type is trouble, and NULL as well. */
static const cJSON *
read_member(struct target *t, const cJSON *entry, const char *key, enum json_type type)
{
	const cJSON *member = json_get(entry, key);
	enum json_type is = json_type(member);

	if (is == type)
		return member;
	if (is != JSON_ABSENT && is != JSON_NULL)
		add_trouble(
		    t, "%s is of type %s, not %s", key, json_type_name(is), json_type_name(type));
	return NULL;
}

/* The command and its arguments; a value that is no string makes the entry unusable. */
static void
take_command(struct target *t, const cJSON *entry, const char *command)
{
	const cJSON *args = read_member(t, entry, "args", JSON_ARRAY);
	struct buf label = BUF_INIT;
	size_t n = 0;

	buf_add_str(&label, command);
	t->argv = mem_zalloc((json_count(args) + 2) * sizeof(*t->argv));
	t->argv[n++] = mem_strdup(command);
	for (const cJSON *a = json_first(args); a; a = a->next) {
		if (!json_string(a)) {
			add_trouble(t, "args has something that is not a string");
			continue;
		}
		t->argv[n++] = mem_strdup(json_string(a));
		buf_addf(&label, " %s", json_string(a));
	}
	t->label = buf_detach(&label);
}

static void
take_env(struct target *t, const cJSON *env)
{
	size_t n = 0;

	t->env = mem_zalloc((json_count(env) + 1) * sizeof(*t->env));
	for (const cJSON *e = json_first(env); e; e = e->next) {
		if (json_string(e))
			t->env[n++] = mem_printf("%s=%s", e->string, json_string(e));
		else
			add_trouble(t, "env: %s is not a string", e->string);
	}
}

/* Why an entry that is not a command cannot be used. */
static void
explain(struct target *t, const cJSON *entry, const char *url, const char *type)
{
	if (json_type(entry) != JSON_OBJECT)
		add_trouble(t, "it is of type %s, not object", json_type_name(json_type(entry)));
	else if (url)
		add_trouble(t, "HTTP is not there yet");
	else if (type && strcmp(type, "stdio") != 0)
		add_trouble(t, "transport %s is not there yet", type);
	else
		add_trouble(t, "it has no command");
}

static void
take_entry(struct config *c, const cJSON *entry)
{
	struct target *t = VEC_PUSH(c);
	const char *command = json_get_string(entry, "command");
	const char *url = json_get_string(entry, "url");
	const char *type = json_get_string(entry, "type");

	*t = (struct target){ .name = mem_strdup(entry->string) };
	if (command && *command && (!type || strcmp(type, "stdio") == 0)) {
		take_command(t, entry, command);
		take_env(t, read_member(t, entry, "env", JSON_OBJECT));
		t->cwd = mem_strdup(json_string(read_member(t, entry, "cwd", JSON_STRING)));
		return;
	}
	t->label = mem_strdup(url ? url : "");
	explain(t, entry, url, type);
}

bool
config_parse(struct config *c, const char *text, size_t len, const char *path, struct err *err)
{
	struct json_error where;
	struct json_doc *doc = json_parse(text, len, NULL, &where);

	*c = (struct config){ 0 };
	if (!doc)
		return err_set(err, "%s:%u:%u: %s", path, where.line, where.column, where.text);
	const cJSON *servers = json_get(json_root(doc), "mcpServers");
	bool ok = json_type(servers) == JSON_OBJECT;
	if (!ok)
		err_set(err, "%s: there is no object mcpServers in it", path);
	for (const cJSON *entry = ok ? json_first(servers) : NULL; entry; entry = entry->next)
		take_entry(c, entry);
	if (ok && c->len == 0)
		ok = err_set(err, "%s: mcpServers is empty", path);
	json_doc_destroy(doc);
	return ok;
}

bool
config_load(struct config *c, const char *path, struct err *err)
{
	struct buf text;

	*c = (struct config){ 0 };
	buf_init(&text, CONFIG_MAX_BYTES);
	bool ok = path_read_file(path, &text, err) &&
		  config_parse(c, buf_text(&text), text.len, path, err);
	buf_finish(&text);
	return ok;
}

const struct target *
config_find(const struct config *c, const char *name)
{
	char *end;

	for (size_t i = 0; i < c->len; i++)
		if (strcmp(c->items[i].name, name) == 0)
			return &c->items[i];
	if (*name < '1' || *name > '9')
		return NULL;
	unsigned long n = strtoul(name, &end, 10);
	return *end == '\0' && n <= c->len ? &c->items[n - 1] : NULL;
}

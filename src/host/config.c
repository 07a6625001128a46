#include "base/buf.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"
#include "host/target.h"
#include "json/doc.h"

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

/* The command and its arguments; a value that is no string makes the entry unusable, and says so.
 */
static void
take_command(struct target *t, const cJSON *entry, const char *command)
{
	const cJSON *args = json_get(entry, "args");
	struct buf label = BUF_INIT;
	size_t n = 0;

	buf_add_str(&label, command);
	t->argv = mem_zalloc((json_count(args) + 2) * sizeof(*t->argv));
	t->argv[n++] = mem_strdup(command);
	if (args && json_type(args) != JSON_ARRAY)
		t->trouble = mem_strdup("args is not an array");
	for (const cJSON *a = json_type(args) == JSON_ARRAY ? json_first(args) : NULL; a;
	     a = a->next) {
		if (!json_string(a)) {
			free(t->trouble);
			t->trouble = mem_strdup("args has something that is not a string");
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
	for (const cJSON *e = json_type(env) == JSON_OBJECT ? json_first(env) : NULL; e;
	     e = e->next) {
		if (json_string(e))
			t->env[n++] = mem_printf("%s=%s", e->string, json_string(e));
		else if (!t->trouble)
			t->trouble = mem_printf("env: %s is not a string", e->string);
	}
}

static void
take_entry(struct config *c, const cJSON *entry)
{
	struct target *t = VEC_PUSH(c);
	const char *command = json_get_string(entry, "command");
	const char *url = json_get_string(entry, "url");
	const char *type = json_get_string(entry, "type");

	*t = (struct target){ .name = mem_strdup(entry->string) };
	if (command && (!type || strcmp(type, "stdio") == 0)) {
		take_command(t, entry, command);
		take_env(t, json_get(entry, "env"));
		t->cwd = mem_strdup(json_get_string(entry, "cwd"));
		return;
	}
	t->label = mem_strdup(url ? url : "");
	t->trouble = mem_strdup(url || type ? "HTTP is not there yet" : "it has no command");
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
	unsigned long n = strtoul(name, &end, 10);
	return *name && *end == '\0' && n >= 1 && n <= c->len ? &c->items[n - 1] : NULL;
}

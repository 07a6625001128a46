#include "config_priv.h"

#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"
#include "json/comments.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CONFIG_MAX_BYTES ((size_t)4 << 20)

void
config_finish(struct config *c)
{
	for (size_t i = 0; i < c->len; i++)
		target_finish(&c->items[i]);
	free(c->items);
	*c = (struct config){ 0 };
}

void
config_trouble(struct target *t, const char *format, ...)
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

/* The folder whose .vscode the file lies in, or where we are. */
static char *
workspace_folder(const char *path)
{
	static const char *const homes[] = { "/.vscode/", "/.cursor/", "/.gemini/" };
	char *real = realpath(path, NULL);
	char *slash = real ? strrchr(real, '/') : NULL;

	for (size_t i = 0; slash && i < sizeof(homes) / sizeof(homes[0]); i++) {
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

/* The object with the servers; inputs stand beside it. */
static const cJSON *
find_servers(const cJSON *root, const cJSON **beside, const char **key)
{
	static const char *const keys[] = { "mcpServers", "servers", "context_servers" };

	*beside = root;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
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
take_servers(struct config *c, const cJSON *root, const char *path, struct err *err)
{
	const cJSON *beside, *servers = find_servers(root, &beside, &c->key);

	if (!servers)
		return err_set(err,
		    "%s: there is no object mcpServers, servers or context_servers in it", path);
	struct config_scope scope = { .inputs = json_get(beside, "inputs"),
		.folder = workspace_folder(path) };
	for (const cJSON *entry = json_first(servers); entry; entry = entry->next) {
		struct target *t = VEC_PUSH(c);
		*t = (struct target){ .name = mem_strdup(entry->string), .file = mem_strdup(path) };
		config_read_entry(t, entry, &scope);
	}
	free(scope.folder);
	return true;
}

bool
config_parse(struct config *c, const char *text, size_t len, const char *path, struct err *err)
{
	struct json_error where;
	struct json_doc *doc = NULL;
	char *plain = mem_dup(text, len);

	*c = (struct config){ 0 };
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
config_load(struct config *c, const char *path, bool *there, struct err *err)
{
	struct buf text;

	*c = (struct config){ 0 };
	buf_init(&text, CONFIG_MAX_BYTES);
	bool ok = path_read_regular(path, &text, there, err);
	if (ok && (!there || *there))
		ok = config_parse(c, buf_text(&text), text.len, path, err);
	buf_finish(&text);
	for (size_t i = 0; i < c->len; i++)
		config_read_env_file(&c->items[i]);
	return ok;
}

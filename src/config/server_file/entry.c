#include "entry.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "base/url_text.h"
#include "base/vec.h"
#include "config/target.h"
#include "json/print.h"

#include <stdlib.h>
#include <string.h>

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

/* A string that tells the user what runs, or where. NULL: absent or wrong. */
static char *
read_string(
    struct target *t, const cJSON *entry, const char *key, const struct server_file_scope *scope)
{
	const char *text = json_string(read_member(t, entry, key, JSON_STRING));

	return text ? server_file_expand(t, "", text, SERVER_FILE_HIDES_SECRETS, scope) : NULL;
}

static void
read_command(struct target *t, const cJSON *entry, const struct server_file_scope *scope)
{
	const cJSON *args = read_member(t, entry, "args", JSON_ARRAY);
	struct buf label = BUF_INIT;
	size_t n = 0;

	t->argv = mem_zalloc((json_count(args) + 2) * sizeof(*t->argv));
	t->argv[n++] = read_string(t, entry, "command", scope);
	buf_add_str(&label, target_shown(t, t->argv[0]));
	for (const cJSON *a = json_first(args); a; a = a->next) {
		if (!json_string(a)) {
			server_file_trouble(t, "args contains a value that is not a string");
			continue;
		}
		t->argv[n] =
		    server_file_expand(t, "", json_string(a), SERVER_FILE_HIDES_ALL, scope);
		buf_addf(&label, " %s", target_shown(t, t->argv[n++]));
	}
	t->label = buf_detach(&label);
	t->cwd = read_string(t, entry, "cwd", scope);
	t->env_file = read_string(t, entry, "envFile", scope);
	if (t->argv[0][0] == '\0')
		server_file_trouble(t, "its command is empty");
}

/* The members of an object as strings: "NAME=value" or "Name: value". */
static char **
read_pairs(struct target *t, const cJSON *entry, const char *key, const char *between,
    const struct server_file_scope *scope)
{
	const cJSON *object = read_member(t, entry, key, JSON_OBJECT);
	char **pairs = mem_zalloc((json_count(object) + 1) * sizeof(*pairs));
	size_t n = 0;

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
			buf_add_str(&text, json_string(e));
		else
			json_print(&text, e);
		char *before = mem_printf("%s%s", e->string, between);
		pairs[n++] =
		    server_file_expand(t, before, buf_text(&text), SERVER_FILE_HIDES_ALL, scope);
		free(before);
		buf_finish(&text);
	}
	return pairs;
}

static bool
has_line_break(const char *text)
{
	return text[strcspn(text, "\r\n")] != '\0';
}

/* A line break would start a second header. */
static void
check_headers(struct target *t)
{
	for (size_t i = 0; t->headers[i]; i++) {
		size_t name = strspn(t->headers[i], HTTP_TOKEN);
		if (name == 0 || t->headers[i][name] != ':' || has_line_break(t->headers[i]))
			server_file_trouble(t, "headers: number %zu is not a valid header", i + 1);
	}
}

static void
read_url(
    struct target *t, const cJSON *entry, const char *key, const struct server_file_scope *scope)
{
	size_t host;

	t->url = read_string(t, entry, key, scope);
	t->label = target_url_to_show(target_shown(t, t->url));
	while (t->shown.len > 0) /* of the URL, which changes below; the label is shown instead */
		free(t->shown.items[--t->shown.len].shown);
	t->headers = read_pairs(t, entry, "headers", ": ", scope);
	if (!is_web_url(t->url) && strncmp(t->url, "${", 2) != 0)
		server_file_trouble(t, "its %s is neither http:// nor https://", key);
	else if (is_web_url(t->url) && web_url_host(t->url, &host) && host == 0)
		server_file_trouble(t, "its %s names no host", key);
	check_headers(t);
	target_hide_login(t);
}

/* The member with the URL: Gemini and Windsurf have their own names. */
static const char *
find_url(const cJSON *entry)
{
	static const char *const keys[] = { "httpUrl", "url", "serverUrl" };

	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		if (json_get_string(entry, keys[i]))
			return keys[i];
	return NULL;
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
	const char *type = json_get_string(entry, "type");
	const char *url = find_url(entry);
	const char *command = json_get_string(entry, "command");
	enum transport_type transport = read_type(type);

	if (transport == OTHER)
		server_file_trouble(t, "unknown transport %s", type);
	if (command && url && transport == UNSAID)
		server_file_trouble(t, "it has both command and %s, and no type", url);
	if (command && *command && transport != HTTP && transport != SSE) {
		read_command(t, entry, scope);
		t->env = read_pairs(t, entry, "env", "=", scope);
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
	t->disabled = json_is_true(json_get(entry, "disabled"));
	if (t->disabled)
		server_file_trouble(t, "disabled in its file");
	if (json_type(entry) == JSON_OBJECT)
		read_transport(t, entry, scope);
	else
		server_file_trouble(
		    t, "it is of type %s, not object", json_type_name(json_type(entry)));
	if (!t->label)
		t->label = mem_strdup("");
}

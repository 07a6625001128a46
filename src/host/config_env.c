#include "config_priv.h"

#include "base/mem.h"
#include "base/path.h"

#include <stdlib.h>
#include <string.h>

#define ENV_FILE_MAX_BYTES ((size_t)1 << 20)

static const char *
skip_blanks(const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t' || *at == '\r'))
		at++;
	return at;
}

/* In double quotes \n, \" and \\ are escapes; in single quotes nothing is. NULL: no closing quote,
 * or more after it. */
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

/* To a comment that has a blank before it, or to the end; without the blanks there. */
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
config_parse_env(const char *text, size_t len,
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

/* The entry's own env comes before the file's, and a later line before an earlier one. */
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

void
config_read_env_file(struct target *t)
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
		config_trouble(t, "envFile: %s", err.text);
	else if (!config_parse_env(buf_text(&text), text.len, set, &env, &line))
		config_trouble(
		    t, "line %u of its envFile %.100s is not NAME=value", line, t->env_file);
	t->env = env.items;
	buf_finish(&text);
}
